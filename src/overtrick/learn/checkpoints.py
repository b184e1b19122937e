"""Files of a run that are whole at every moment, whenever its process is killed."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from overtrick.errors import BadOption, DamagedFile

__all__ = ["Checkpoints", "only_one", "read_json", "write_json"]

STATE = "state.json"
LOCK = "in-use"
MOST_SECONDS = 60.0  # between two checkpoints
NO_ROOM = "inline_container"  # in what PyTorch says of a file that it cannot write
COST = 0.04  # the share of the time that checkpoints may take before that


class Checkpoints:
    """The latest checkpoint of a run: a folder that is replaced as a whole.

    It is written beside and renamed. Between two renames there is only the one before, `.old`,
    which is then taken.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "checkpoint"
        self.new = folder / "checkpoint.new"
        self.old = folder / "checkpoint.old"
        self._saved = time.monotonic()
        self._took = 0.0

    def save(self, state: dict[str, Any], write: Callable[[Path], None]) -> None:
        """Replace the checkpoint by a state and what `write` puts into an empty folder."""
        begun = time.monotonic()
        shutil.rmtree(self.new, ignore_errors=True)
        self.new.mkdir(parents=True)
        try:
            write(self.new)
        except RuntimeError as error:
            if NO_ROOM not in str(error):
                raise
            raise OSError("PyTorch cannot write its file; is the disk full?") from None
        (self.new / STATE).write_text(json.dumps(state))
        for path in self.new.rglob("*"):
            _to_disk(path)
        if self.folder.exists():
            shutil.rmtree(self.old, ignore_errors=True)
            self.folder.rename(self.old)
        self.new.rename(self.folder)
        shutil.rmtree(self.old, ignore_errors=True)
        self._saved = time.monotonic()
        self._took = self._saved - begun

    @property
    def is_due(self) -> bool:
        """Whether to save again: once a minute, or more often if that hardly takes time."""
        return time.monotonic() - self._saved >= min(MOST_SECONDS, self._took / COST)

    def load(self) -> tuple[dict[str, Any], Path] | None:
        """The state and the folder of the latest checkpoint; None if there is none yet."""
        if not self.folder.exists() and self.old.exists():
            self.old.rename(self.folder)
        if not self.folder.exists():
            return None
        return read_json(self.folder / STATE), self.folder


def _to_disk(path: Path) -> None:
    if path.is_file():
        with path.open("rb") as file:
            os.fsync(file.fileno())


def write_json(path: Path, value: Any) -> None:
    """Replace a JSON file, whole or not at all."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(json.dumps(value, indent=1) + "\n")
    _to_disk(beside)
    beside.replace(path)


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file."""
    try:
        told = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise DamagedFile(f"{path} cannot be read: {error}") from None
    if not isinstance(told, dict):
        raise DamagedFile(f"{path} is not what a run has written")
    return told


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Keep a run's folder to this process for a while; the lock goes when the process does."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise DamagedFile(f"a run cannot be kept in {folder}: {error}") from None
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error:
        lock.close()
        raise BadOption(f"another process is at work on {folder}; give another --name") from None
    try:
        yield
    finally:
        lock.close()
