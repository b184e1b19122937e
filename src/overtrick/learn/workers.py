"""Who generates deals: threads of this process, or the machines of a cluster.

A task is a plain function of plain arguments, with a net as arrays and a game by its name, so that
it can run anywhere. What it gives back depends on its arguments only, so it does not matter where
it ran, nor whether it had to be run again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any, Protocol, TypeVar

__all__ = ["LocalWorkers", "Workers"]

T = TypeVar("T")


class Workers(Protocol):
    """Runs tasks side by side."""

    @property
    def count(self) -> int:
        """How many run at the same time."""
        ...

    def run(self, task: Callable[..., T], jobs: Sequence[tuple[Any, ...]]) -> list[T]:
        """`task(*job)` for every job, in the order of the jobs."""
        ...

    def each(self, task: Callable[..., T], jobs: Sequence[tuple[Any, ...]]) -> Iterator[T]:
        """The same, each as soon as it is there, in any order."""
        ...

    def close(self) -> None:
        """Let them go."""
        ...


class LocalWorkers:
    """Threads: kernels let go of Python's lock, so they use all cores."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="worker")

    def run(self, task: Callable[..., T], jobs: Sequence[tuple[Any, ...]]) -> list[T]:
        """`task(*job)` for every job, in the order of the jobs."""
        waiting = [self._pool.submit(task, *job) for job in jobs]
        return [future.result() for future in waiting]

    def each(self, task: Callable[..., T], jobs: Sequence[tuple[Any, ...]]) -> Iterator[T]:
        """The same, each as soon as it is there, in any order; few wait to be taken."""
        left = iter(jobs)
        waiting = {self._pool.submit(task, *job) for job in islice(left, 2 * self.count)}
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            waiting |= {self._pool.submit(task, *job) for job in islice(left, len(done))}
            for future in done:
                yield future.result()

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown(cancel_futures=True)
