"""Work of one search shared out among threads."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

__all__ = ["share_out"]


@functools.cache
def _pool() -> ThreadPoolExecutor:
    """The threads of all searches: they stay, and keep what the solver has found."""
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="search")


def share_out(work: Callable[[int, int], None], count: int, threads: int) -> None:
    """Call `work(first, last)` on slices that make up 0..count-1, one for each thread."""
    threads = max(1, min(threads, count))
    cuts = [count * part // threads for part in range(threads + 1)]
    if threads == 1:
        work(0, count)
    else:
        list(_pool().map(work, cuts[:-1], cuts[1:]))
