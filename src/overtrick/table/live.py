"""Tables in memory: who is connected, what is asked, and the bots that go on in between.

All changes of a table go one after another. A change is worked out on the value of the table,
kept in the database, and only then shown to anybody: what was acknowledged is never lost, and
what could not be kept has not happened.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from overtrick.errors import (
    NotAllowed,
    NotYourTurn,
    OvertrickError,
    TooLate,
    TooMany,
    WrongToken,
)
from overtrick.review.judge import Judge
from overtrick.review.reviewing import hint
from overtrick.table import archive, messages
from overtrick.table.archive import StoredTable
from overtrick.table.page_analysis import PageAnalysis
from overtrick.table.preparing import SEARCH, Preparing
from overtrick.table.seat_views import Values
from overtrick.table.setup import Event, Place
from overtrick.table.storage import Storage
from overtrick.table.tables import Table, applied, check_alone
from overtrick.table.thinking import (
    Thinkers,
    choose_now,
    choose_somehow,
    is_quick,
    seated_player,
)
from overtrick.table.wire import Analyse, Readiness

__all__ = ["LiveTable", "Page"]

MOST_UNSENT = 256  # messages that wait for one page
MOST_QUICK = 1_000  # choices of bots in one go, more than any deal has

log = logging.getLogger("overtrick.table")


class Page:
    """One open page: whose it is, and the messages that wait to be sent; None ends it."""

    def __init__(self, place: Place | None) -> None:
        self.place = place
        self.unsent: asyncio.Queue[str | None] = asyncio.Queue(MOST_UNSENT)
        self.analysis: PageAnalysis | None = None  # if it is on

    def tell(self, message: str) -> None:
        """Send a message; a page that does not keep up is closed, and may come again."""
        if self.unsent.full():
            self.close()
        else:
            self.unsent.put_nowait(message)

    def analyse(self, analysis: PageAnalysis | None) -> None:
        """Follow the positions to come with this analysis, or with none."""
        if self.analysis is not None:
            self.analysis.stop()
        self.analysis = analysis
        if analysis is not None:
            analysis.follow()

    def close(self) -> None:
        """Send nothing more."""
        self.analyse(None)
        while not self.unsent.empty():
            self.unsent.get_nowait()
        self.unsent.put_nowait(None)


class LiveTable:
    """A table that somebody looks at."""

    def __init__(
        self,
        table_id: str,
        stored: StoredTable,
        table: Table,
        *,
        storage: Storage,
        thinkers: Thinkers,
        preparing: Preparing,
        most_pages: int,
    ) -> None:
        self.id = table_id
        self.stored = stored
        self.table = table
        self.pages: set[Page] = set()
        self.touched = time.monotonic()
        self._events = len(stored.events)
        self.thinkers, self.preparing = thinkers, preparing
        self._storage = storage
        self._most_pages = most_pages
        self._turn = asyncio.Lock()
        self._thinking: asyncio.Task[None] | None = None
        self._closed = False

    # ------------------------------------------------------------------------ who is there

    def place_of(self, token: str) -> Place | None:
        """Whose secret this is; None for those who watch."""
        given, found = token.encode(), None
        known: list[tuple[Place | None, str]] = [(None, self.stored.watch)]
        known += self.stored.tokens.items()
        for place, secret in known:  # all of them: the time tells nothing
            if hmac.compare_digest(given, secret.encode()):
                found = (place,)
        if found is None:
            raise WrongToken("this secret opens no seat at this table")
        return found[0]

    def connect(self, page: Page) -> None:
        """A page sits down, or watches: it gets a snapshot, the others hear of it."""
        if len(self.pages) >= self._most_pages:
            raise TooMany(f"{len(self.pages)} pages look at this table already")
        known = self.connected
        self.pages.add(page)
        self.touched = time.monotonic()
        page.tell(messages.text(self.snapshot(page.place)))
        self._tell_presence(known, but=page)
        self.wake()

    def disconnect(self, page: Page) -> None:
        """A page is gone."""
        known = self.connected
        page.analyse(None)
        self.pages.discard(page)
        self.touched = time.monotonic()
        self._tell_presence(known)

    @property
    def connected(self) -> list[bool]:
        """For each place, whether somebody is there; bots always are."""
        there = {page.place for page in self.pages}
        players = range(len(self.table.setup.players))
        return [place in there or place not in self.table.people for place in players]

    def _tell_presence(self, known: list[bool], but: Page | None = None) -> None:
        if self.connected != known:
            self._tell({"kind": "presence", "connected": self.connected}, but)

    def _tell(self, message: Values, but: Page | None = None) -> None:
        """Tell every page something that everybody may know."""
        told = messages.text(message)
        for page in self.pages - {but}:
            page.tell(told)

    def snapshot(self, place: Place | None) -> Values:
        """All that a place knows."""
        return messages.snapshot(self.table, place, table_id=self.id, connected=self.connected)

    # ------------------------------------------------------------------------ what is asked

    async def act(self, place: Place | None, deal: int, number: int, choices: list[int]) -> None:
        """Make choices for a place, in answer to the moment that it saw last."""
        if place is None:
            raise NotAllowed("who watches does not play")
        event = {"kind": "act", "place": place, "choices": choices}
        await self._change(event, lambda: self._check_moment(deal, number))

    async def undo(self, place: Place | None, deal: int, number: int) -> None:
        """Take back the last act of a place."""
        if place is None:
            raise NotAllowed("who watches does not play")
        event = {"kind": "undo", "place": place}
        await self._change(event, lambda: self._check_moment(deal, number))

    async def next(self, place: Place | None, deal: int) -> None:
        """Deal again; at a table without persons those who watch may ask for it."""
        if place is None and self.table.people:
            raise NotAllowed("who watches does not ask for the next deal")
        await self._change({"kind": "next"}, lambda: self._check_deal(deal))

    async def assist(self, place: Place | None, deal: int, number: int) -> None:
        """Mark the deal as assisted before a place is helped at this moment."""
        event = {"kind": "assist", "place": place}
        await self._change(event, lambda: self._check_moment(deal, number))

    def analyse(self, page: Page, asked: Analyse) -> None:
        """Analyse every position in which a page is to act from now on, or stop doing so."""
        check_alone(self.table, page.place)
        page.analyse(PageAnalysis(self, page, asked) if asked.on else None)

    async def hint(self, place: Place | None, deal: int, number: int) -> Values:
        """What a place should do at this moment, and why."""
        check_alone(self.table, place)
        self._check_moment(deal, number)
        game, seat = self.table.game, self.table.deal.seat
        if seat is None or self.table.place_to_act != place:
            raise NotYourTurn(f"{game.name}: it is not for you to choose now")
        await self.preparing.soon(game.name, SEARCH)
        await self.assist(place, deal, number)
        view = self.table.deal.view(seat)
        found = await self.thinkers.think(lambda: hint(view, Judge(game)), patient=False)
        self._check_moment(deal, number)
        return {"kind": "hint", "deal": deal, "number": number, "hint": found}

    def _check_deal(self, deal: int) -> None:
        if deal != self.table.number:
            raise TooLate(f"this is deal {self.table.number}, not {deal}")

    def _check_moment(self, deal: int, number: int) -> None:
        self._check_deal(deal)
        if number != self.table.turn:
            raise TooLate(f"{self.table.turn} choices have been made by now, not {number}")

    async def _change(self, event: Event, check: Callable[[], None]) -> None:
        """An event, and what quick bots answer to it; done whole even if who asked has gone."""
        await asyncio.shield(asyncio.create_task(self._changed(event, check)))
        self.wake()

    async def _changed(self, event: Event, check: Callable[[], None]) -> None:
        async with self._turn:
            if self._closed:
                raise TooLate("this table has just been put away: ask again")
            check()
            after = applied(self.table, event)
            if after is not self.table:
                await self._keep([event], after)

    async def _keep(self, events: list[Event], table: Table) -> None:
        """Let quick bots go on, keep all of it, and only then show it."""
        table, more = quick_choices(table)
        events, first = [*events, *more], self._events
        await self._storage.run(
            lambda connection: archive.append(connection, self.id, first, events, table)
        )
        before, self.table = self.table, table
        self._events += len(events)
        self.touched = time.monotonic()
        self._show(before)

    def _show(self, before: Table) -> None:
        """Tell every page what has been chosen, each place by its own eyes."""
        now, told = self.table, dict[Place | None, str]()
        if now.steps is before.steps:
            return
        goes_on = now.number == before.number and now.steps[: before.turn + 1] == before.steps
        for page in self.pages:
            place = page.place
            if place not in told:
                seen = messages.frames(now, place, before.turn) if goes_on else self.snapshot(place)
                told[place] = messages.text(seen)
            page.tell(told[place])
            if page.analysis is not None:
                page.analysis.follow()

    # ------------------------------------------------------------------------ bots

    def wake(self) -> None:
        """Let a bot think if it is its turn; one that has gone is told of, and the table waits."""
        if self._thinking is not None and not self._thinking.done():
            return
        try:
            if seated_player(self.table):
                self._thinking = asyncio.create_task(self._think())
        except OvertrickError as error:  # its model was removed
            self._tell(messages.refused(error))

    async def _think(self) -> None:
        try:
            await self._go_on()
        except OvertrickError as error:
            log.warning("table %s: %s", self.id, error)
            self._tell(messages.refused(error))
        except Exception:
            log.exception("table %s: the bots stopped", self.id)

    async def _go_on(self) -> None:
        """Let bots choose one after another, until a person is to act."""
        while (player := seated_player(self.table)) is not None:
            table = self.table
            if is_quick(player):
                decision = choose_somehow(table, player)
            else:
                await self._tell_preparing(table)
                self._tell(messages.thinking(table))
                decision = await self.thinkers.think(partial(choose_now, table))
            async with self._turn:
                if self.table is table:  # nothing was taken back meanwhile
                    event = decision.event(table)
                    await self._keep([event], applied(table, event))

    async def _tell_preparing(self, table: Table) -> None:
        """Wait for the kernels of the search, and tell how far they are."""

        def tell(readiness: Readiness) -> None:
            self._tell(messages.thinking(table, readiness))

        await self.preparing.follow(table.setup.game, SEARCH, tell)

    async def close(self) -> None:
        """Send everybody away and forget what bots think; the table stays in the database."""
        if self._thinking is not None:
            self._thinking.cancel()
            with suppress(asyncio.CancelledError):
                await self._thinking
        async with self._turn:  # what is being kept comes first
            self._closed = True
        for page in self.pages:
            page.close()

    @property
    def is_idle(self) -> bool:
        """Whether nobody looks, thinks or changes anything."""
        thinks = self._thinking is not None and not self._thinking.done()
        return not self.pages and not thinks and not self._turn.locked()


def quick_choices(table: Table) -> tuple[Table, list[Event]]:
    """The table after all choices that quick bots can make at once, and these choices."""
    events: list[Event] = []
    while len(events) < MOST_QUICK:
        player = seated_player(table)
        if player is None or not is_quick(player):
            break
        event = choose_somehow(table, player).event(table)
        table = applied(table, event)
        events.append(event)
    return table, events
