"""Reviews of finished deals: each is made once, for all who ask, and the latest are kept.

A review follows from the line of its deal alone. It is made step by step below everything else,
and dropped when nobody waits for it any more.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress

from overtrick.engine.deals import Deal
from overtrick.errors import DealOver, TooMany
from overtrick.review.judge import Judge
from overtrick.review.reviewing import Progress, reviewing
from overtrick.review.told import DealReview
from overtrick.table import archive, messages
from overtrick.table.archive import FinishedDeal
from overtrick.table.limits import Limits
from overtrick.table.live import LiveTable
from overtrick.table.played import keep_review
from overtrick.table.preparing import SEARCH, Preparing
from overtrick.table.seat_views import Values
from overtrick.table.setup import Place
from overtrick.table.storage import Storage
from overtrick.table.tables import retold
from overtrick.table.turns import Turns

__all__ = ["Reviews"]

Tell = Callable[[Values], None]


class Reviews:
    """The reviews of one service."""

    def __init__(self, storage: Storage, preparing: Preparing, limits: Limits) -> None:
        self._storage, self._preparing, self._limits = storage, preparing, limits
        self.turns = Turns("review", threads=1, most=limits.reviews)
        self._going: dict[str, ReviewJob] = {}
        self._kept: OrderedDict[str, DealReview] = OrderedDict()

    async def told(self, live: LiveTable, place: Place | None, deal: int, tell: Tell) -> str:
        """The review of a deal for a place, as it is sent; `tell` hears how far it is."""
        kept = await self._storage.run(lambda found: archive.finished_deal(found, live.id, deal))
        if kept is None:
            raise DealOver(f"deal {deal} is not over: it is reviewed when it is")
        review = await self._made(live, deal, kept, tell)
        people = live.table.people
        seats = {who: review.seats[seat] for seat, who in enumerate(kept.seats) if who in people}
        await self._storage.run(
            lambda found: keep_review(found, live.id, deal, kept.line, review.judge, seats)
        )
        table, connected = live.table, live.connected

        def text() -> str:
            sheet, assisted = table.sheet, kept.assisted
            then = retold(table.setup, deal, kept.line, assisted=assisted, sheet=sheet)
            return messages.text(
                messages.reviewed(then, place, review, table_id=live.id, connected=connected)
            )

        return await asyncio.to_thread(text)

    async def _made(self, live: LiveTable, deal: int, kept: FinishedDeal, tell: Tell) -> DealReview:
        told = {"kind": "reviewing", "deal": deal, "done": 0, "of": 0, "preparing": None}
        game = live.table.setup.game
        await self._preparing.follow(
            game, SEARCH, lambda readiness: tell(told | {"preparing": readiness})
        )
        return await self._of(
            kept.line, lambda so_far: tell(told | {"done": so_far.done, "of": so_far.of})
        )

    async def _of(self, line: str, tell: Callable[[Progress], None]) -> DealReview:
        """The review of a line; who asks while it is made waits with the others."""
        if line in self._kept:
            self._kept.move_to_end(line)
            return self._kept[line]
        job = self._going.get(line) or self._begin(line)
        job.askers.append(tell)
        try:
            return await asyncio.shield(job.done)
        finally:
            job.askers.remove(tell)
            if not job.askers:
                job.cancel()
                self._end(job)

    def _begin(self, line: str) -> ReviewJob:
        if len(self._going) >= self._limits.reviews:
            raise TooMany(f"{len(self._going)} deals are being reviewed already: ask again later")
        job = self._going[line] = ReviewJob(line)
        self.turns.add(job)
        return job

    def _end(self, job: ReviewJob) -> None:
        if self._going.get(job.line) is job:
            del self._going[job.line]
        if job.done.done() and not job.done.cancelled() and job.done.exception() is None:
            self._kept[job.line] = job.done.result()
            if len(self._kept) > self._limits.kept_reviews:
                self._kept.popitem(last=False)

    def close(self) -> None:
        """Make no more reviews."""
        self.turns.close()


class ReviewJob:
    """A review under way; a job that takes turns."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.askers: list[Callable[[Progress], None]] = []
        self._loop = asyncio.get_running_loop()
        self.done: asyncio.Future[DealReview] = self._loop.create_future()
        self._steps: Iterator[Progress | DealReview] | None = None
        self._is_cancelled = False

    def cancel(self) -> None:
        """Take no more steps."""
        self._is_cancelled = True

    def step(self) -> bool:
        """Judge one choice; whether there is more to do."""
        if self._is_cancelled:
            return False
        if self._steps is None:
            deal = Deal.from_text(self.line)
            self._steps = reviewing(deal, Judge(deal.game))
        told = next(self._steps)
        self._soon(lambda: self._hear(told))
        return isinstance(told, Progress)

    def failed(self, error: Exception) -> None:
        """Tell those who wait that there will be no review."""
        self._soon(lambda: self.done.set_exception(error))

    def _soon(self, work: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # the service has ended meanwhile
            self._loop.call_soon_threadsafe(work)

    def _hear(self, told: Progress | DealReview) -> None:
        if isinstance(told, DealReview):
            self.done.set_result(told)
        else:
            for tell in self.askers:
                tell(told)
