"""The database: one SQLite file, one thread that writes, many changes in one commit.

`Storage.run(work)` hands a function of the connection to that thread; what it gives back, or
raises, comes when the commit has returned. Works that wait together are committed together, each
in a savepoint of its own, so that one that fails takes no other with it. What was committed is in
the log beside the file; a second thread carries it over now and then, since waiting for the disk
would keep everybody at the tables waiting too.
"""

from __future__ import annotations

import asyncio
import os
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from overtrick.errors import OvertrickError, StorageFault
from overtrick.folders import data_folder
from overtrick.table.migrations import MIGRATIONS

__all__ = ["Storage", "data_folder"]

T = TypeVar("T")
Connection = sqlite3.Connection
Work = Callable[[Connection], Any]
Job = tuple[Work, "Future[Any]"]

NAME = "tables.sqlite"
LOCK = "in-use"  # held by the service that is at work
MOST_AT_ONCE = 256
TIDY_SECONDS = 5.0


class Storage:
    """The open database of one service; a second service is refused."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._lock = _locked(folder)
        try:
            self._connection = _opened(self.path)
        except StorageFault:
            self._lock.close()
            raise
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=work, name="storage", daemon=True)
            for work in (self._write, self._tidy)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, work: Callable[[Connection], T]) -> Future[T]:
        """What `work` gives back, once it is committed."""
        future: Future[T] = Future()
        self._jobs.put((work, future))
        return future

    async def run(self, work: Callable[[Connection], T]) -> T:
        """What `work` gives back, once it is committed; the work goes on if nobody waits."""
        return await asyncio.shield(asyncio.wrap_future(self.submit(work)))

    def close(self) -> None:
        """Finish what was handed in, and let the file go."""
        self._jobs.put(None)
        self._ended.set()
        for thread in self._threads:
            thread.join()
        self._connection.close()
        self._lock.close()

    def _tidy(self) -> None:
        """Carry over from the log what was committed, without keeping those who write waiting."""
        connection = _connected(self.path)
        while not self._ended.wait(TIDY_SECONDS):
            with suppress(sqlite3.Error):  # another time, then
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        connection.close()

    def _write(self) -> None:
        while True:
            jobs, more = self._waiting()
            if jobs:
                _settle(self._commit(jobs))
            if not more:
                return

    def _waiting(self) -> tuple[list[Job], bool]:
        """What is to be done now, and whether there will be more; waits for the first."""
        jobs: list[Job] = []
        job = self._jobs.get()
        while job is not None:
            jobs.append(job)
            if len(jobs) == MOST_AT_ONCE:
                return jobs, True
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return jobs, True
        return jobs, False

    def _commit(self, jobs: list[Job]) -> list[tuple[Future[Any], Any, Exception | None]]:
        """Do all jobs in one transaction; their results, or why they failed."""
        done: list[tuple[Future[Any], Any, Exception | None]] = []
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for work, future in jobs:
                done.append((future, *self._do(work)))
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            fault = StorageFault(f"{self.path} cannot be written: {error}")
            return [(future, None, fault) for _, future in jobs]
        return done

    def _do(self, work: Work) -> tuple[Any, Exception | None]:
        self._connection.execute("SAVEPOINT job")
        try:
            result = work(self._connection)
        except Exception as error:
            self._connection.execute("ROLLBACK TO job")
            self._connection.execute("RELEASE job")
            if isinstance(error, sqlite3.Error):
                error = StorageFault(f"{self.path}: {error}")
            return None, error
        self._connection.execute("RELEASE job")
        return result, None


def _settle(done: list[tuple[Future[Any], Any, Exception | None]]) -> None:
    for future, result, error in done:
        with suppress(Exception):  # whoever waited may have gone
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)


# ---------------------------------------------------------------------------- opening


def _locked(folder: Path) -> Connection:
    """A lock on the folder, for as long as it is open and the service lives."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in (LOCK, NAME):
            os.close(os.open(folder / name, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise StorageFault(
            f"tables cannot be kept in {folder}: {error.strerror}; "
            "OVERTRICK_DATA names another folder"
        ) from None
    lock = _connected(folder / LOCK)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        raise _clear(error, folder / LOCK) from None
    return lock


def _connected(path: Path) -> Connection:
    return sqlite3.connect(path, timeout=1, isolation_level=None, check_same_thread=False)


def _opened(path: Path) -> Connection:
    """The database, made or brought up to date."""
    connection = _connected(path)
    try:
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=0"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        connection.execute("PRAGMA foreign_keys=ON")
        _migrate(connection, path)
    except (sqlite3.Error, OvertrickError) as error:
        connection.close()
        raise _clear(error, path) from None
    return connection


def _clear(error: Exception, path: Path) -> OvertrickError:
    """What kept the database from being opened, in one line."""
    if isinstance(error, OvertrickError):
        return error
    if "locked" in str(error):
        return StorageFault(
            f"another overtrick uses {path.parent}: stop it, or name another folder by "
            "OVERTRICK_DATA"
        )
    return StorageFault(f"{path} cannot be read: {error}; move it away to begin with an empty one")


def _migrate(connection: Connection, path: Path) -> None:
    """Bring the database to the newest shape, each step in one transaction."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise StorageFault(
            f"{path} was written by a newer overtrick: it has version {version}, "
            f"this one knows up to {len(MIGRATIONS)}"
        )
    for number in range(version, len(MIGRATIONS)):
        steps = f"{MIGRATIONS[number]}; PRAGMA user_version={number + 1};"
        connection.executescript(f"BEGIN IMMEDIATE; {steps} COMMIT;")
