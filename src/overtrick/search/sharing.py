"""Trees shared out among threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

__all__ = ["share_out"]


def share_out(work: Callable[[int, int], None], count: int, threads: int) -> None:
    """Call `work(first, last)` on slices that make up 0..count-1, one for each thread."""
    threads = max(1, min(threads, count))
    cuts = [count * part // threads for part in range(threads + 1)]
    if threads == 1:
        work(0, count)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, cuts[:-1], cuts[1:]))
