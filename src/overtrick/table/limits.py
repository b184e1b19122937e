"""How much one service takes on: sizes, rates and counts, with what is told beyond them."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["Bucket", "Limits", "Rates"]


@dataclass(frozen=True)
class Limits:
    """Generous for the people of one household, and bounded for everybody."""

    body_bytes: int = 64 * 1024
    message_bytes: int = 16 * 1024
    requests_a_second: float = 50.0
    requests_at_once: int = 300
    messages_a_second: float = 20.0
    messages_at_once: int = 60
    tables: int = 20_000  # kept in the database
    live_tables: int = 1_000  # in memory
    idle_seconds: float = 900.0  # until a table that nobody looks at leaves the memory
    sockets: int = 1_000
    sockets_a_table: int = 32
    people: int = 10_000  # whose settings are kept
    waiting_thoughts: int = 16  # of `choose`, `strategy` and hints
    analyses: int = 16  # positions whose trees are in memory
    reviews: int = 16  # deals that are being reviewed
    kept_reviews: int = 100  # in memory
    questions_a_page: int = 4  # whose answers take a while
    hello_seconds: float = 20.0  # until a page has told who it is


@dataclass(slots=True)
class Bucket:
    """So many at once, filled up again at a rate."""

    rate: float
    size: float
    clock: Callable[[], float] = time.monotonic
    level: float = field(init=False)
    last: float = field(init=False)

    def __post_init__(self) -> None:
        self.level, self.last = self.size, self.clock()

    def take(self) -> bool:
        """Whether there was one left."""
        now = self.clock()
        self.level = min(self.size, self.level + (now - self.last) * self.rate)
        self.last = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


class Rates:
    """A bucket for each client; those not seen for the longest time go first."""

    def __init__(self, rate: float, size: float, most: int = 4096) -> None:
        self._rate, self._size, self._most = rate, size, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str) -> bool:
        """Whether this client may ask once more."""
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = Bucket(self._rate, self._size)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(client)
        return bucket.take()
