"""Work that gives way: threads below everything else, in which jobs take turns a little at a time.

A job that nobody has begun yet comes before those that go on, so that its first word comes soon.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from typing import Protocol

__all__ = ["Job", "Turns"]

BELOW = 5  # how much nicer than the rest; much more, and it keeps Python's lock while it waits
END_SECONDS = 2.0

log = logging.getLogger("overtrick.table")


class Job(Protocol):
    """Something that is done step by step, always by one thread at a time."""

    def step(self) -> bool:
        """Do a little; whether there is more to do."""
        ...

    def failed(self, error: Exception) -> None:
        """Hear that a step went wrong: there will be no other."""
        ...


class Turns:
    """So many threads, and at most so many jobs under way; the others wait for their beginning."""

    def __init__(self, name: str, *, threads: int, most: int) -> None:
        self.rest = 0.0  # seconds that a thread rests before it goes on with a job
        self._most = most
        self._new: deque[Job] = deque()
        self._going: deque[Job] = deque()
        self._begun = 0  # jobs under way, those in a step counted
        self._closed = False
        self._change = threading.Condition()
        self._threads = [
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def add(self, job: Job) -> None:
        """Begin a job as soon as there is room for it."""
        with self._change:
            self._new.append(job)
            self._change.notify()

    def close(self) -> None:
        """Take no more steps."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        for thread in self._threads:
            thread.join(END_SECONDS)

    def _work(self) -> None:
        give_way()
        while (job := self._next()) is not None:
            more = _step(job)
            with self._change:
                if more:
                    self._going.append(job)
                else:
                    self._begun -= 1
                self._change.notify()

    def _next(self) -> Job | None:
        """Whose turn it is; waits for somebody. None at the end."""
        rested = time.monotonic() + self.rest
        with self._change:
            while not self._closed:
                if self._new and self._begun < self._most:
                    self._begun += 1
                    return self._new.popleft()
                left = rested - time.monotonic()
                if self._going and left <= 0:
                    return self._going.popleft()
                self._change.wait(left if self._going else None)
        return None


def _step(job: Job) -> bool:
    try:
        return job.step()
    except Exception as error:
        log.exception("a job stopped")
        job.failed(error)
        return False


def give_way() -> None:
    """Let other threads go before this one, where the system knows threads by themselves."""
    if sys.platform == "linux":
        with suppress(OSError):
            mine = threading.get_native_id()
            nice = os.getpriority(os.PRIO_PROCESS, mine)
            os.setpriority(os.PRIO_PROCESS, mine, nice + BELOW)
