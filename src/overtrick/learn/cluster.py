"""The machines of a Ray cluster as workers.

A job is a task of its own with plain arguments; what it gives back depends on these only. When a
machine is lost, Ray runs its unfinished jobs again elsewhere, and nothing else is lost. Jobs carry
the names of games, never kernels: every machine compiles for itself, once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from overtrick.errors import BadOption, MissingExtra

__all__ = ["RayWorkers"]

T = TypeVar("T")
RETRIES = 20  # of a job whose machine was lost
AUTO, LOCAL = "auto", "local"
PLAIN = (str, int, float, type(None))  # small, and sent with every job


@contextmanager
def _quietly() -> Iterator[None]:
    """Let nothing be written to standard error: Ray tells of every attempt to connect there."""
    told, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(told, 2)
        os.close(told)
        os.close(nowhere)


class RayWorkers:
    """A cluster: `auto` for the one this machine belongs to, `local` for a new one, or an address.

    What the same jobs give back is the same as from threads of one process.
    """

    def __init__(self, address: str = AUTO) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        try:
            import ray
        except ImportError:
            raise MissingExtra("clusters", "ray") from None
        self._ray: Any = ray
        self._begun = not ray.is_initialized()
        if self._begun:
            told: dict[str, Any] = {} if address == LOCAL else {"address": address}
            try:
                with _quietly():
                    ray.init(**told, include_dashboard=False, log_to_driver=False, logging_level=30)
            except (ConnectionError, RuntimeError, ValueError) as error:
                reason = (str(error).strip() or type(error).__name__).partition("\n")[0]
                raise BadOption(f"no cluster answers at {address!r}: {reason}") from None
        self._remote: dict[Callable[..., Any], Any] = {}

    @property
    def count(self) -> int:
        """The cores of the cluster."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def run(self, task: Callable[..., T], jobs: Sequence[tuple[Any, ...]]) -> list[T]:
        """`task(*job)` for every job, in the order of the jobs."""
        found: list[T] = self._ray.get(self._begun_jobs(task, jobs))
        return found

    def each(self, task: Callable[..., T], jobs: Sequence[tuple[Any, ...]]) -> Iterator[T]:
        """The same, each as soon as it is there, in any order; few wait to be taken."""
        left = iter(self._put(jobs))
        remote = self._remote_of(task)
        waiting = [remote.remote(*job) for job in islice(left, 2 * self.count)]
        while waiting:
            done, waiting = self._ray.wait(waiting, num_returns=1)
            waiting += [remote.remote(*job) for job in islice(left, len(done))]
            for one in done:
                yield self._ray.get(one)

    def _begun_jobs(self, task: Callable[..., T], jobs: Sequence[tuple[Any, ...]]) -> list[Any]:
        return [self._remote_of(task).remote(*job) for job in self._put(jobs)]

    def _remote_of(self, task: Callable[..., T]) -> Any:
        if task not in self._remote:
            settings = {"num_cpus": 1, "max_retries": RETRIES}
            self._remote[task] = self._ray.remote(**settings)(task)
        return self._remote[task]

    def _put(self, jobs: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """The jobs, with what several of them share, such as a net, sent to each machine once."""
        known: dict[int, Any] = {}

        def sent(argument: Any) -> Any:
            if isinstance(argument, PLAIN):
                return argument
            if id(argument) not in known:
                known[id(argument)] = self._ray.put(argument)
            return known[id(argument)]

        return [tuple(sent(argument) for argument in job) for job in jobs]

    def close(self) -> None:
        """Leave the cluster."""
        if self._begun:
            self._ray.shutdown()
