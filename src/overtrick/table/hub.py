"""All tables of a service: laid, brought back from the database when asked for, put away idle."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Collection, Sequence
from dataclasses import replace

from overtrick.engine.deals import Deal
from overtrick.errors import BadNotation, BadSeat, DealOver, NotAllowed, TooMany
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.players.external import close_bots
from overtrick.table import archive
from overtrick.table.archive import FinishedDeal, StoredTable
from overtrick.table.limits import Limits
from overtrick.table.live import LiveTable, quick_choices
from overtrick.table.preparing import SEARCH, Preparing
from overtrick.table.reviews import Reviews
from overtrick.table.setup import Place, Setup
from overtrick.table.storage import Connection, Storage
from overtrick.table.tables import Table, check_alone, lay, replayed
from overtrick.table.thinking import Thinkers, player_of
from overtrick.table.wire import PERSON, CreateTable

__all__ = ["Hub"]

SWEEP_SECONDS = 30.0
BEAT_SECONDS = 0.05
LATE_SECONDS = 0.004  # for which nobody waits
REST = 4.0  # so many times as late as the tables are, analyses rest
LONGEST_REST = 0.25
SEED_BITS = 120


class Hub:
    """The tables of one service."""

    def __init__(
        self,
        storage: Storage,
        preparing: Preparing,
        limits: Limits,
    ) -> None:
        self.storage = storage
        self.preparing = preparing
        self.thinkers = Thinkers(limits.waiting_thoughts, limits.analyses)
        self.reviews = Reviews(storage, preparing, limits)
        self._limits = limits
        self._tables: dict[str, LiveTable] = {}
        self._coming: dict[str, asyncio.Task[LiveTable]] = {}
        self._tasks = [asyncio.create_task(work()) for work in (self._sweep, self._give_way)]

    # ------------------------------------------------------------------------ laying a table

    async def lay(self, asked: CreateTable, owner: str | None) -> tuple[str, StoredTable]:
        """A new table, kept; its secret tokens are in what comes back."""
        return await self._lay(await self._setup(asked), owner)

    async def retry(
        self, live: LiveTable, place: Place | None, deal: int, kept: FinishedDeal, number: int
    ) -> tuple[str, StoredTable]:
        """A new table where a finished deal goes on after its first choices, with the same players.

        They choose as they did, since they have the same chance. The deals to come are others.
        """
        check_alone(live.table, place)
        line = await asyncio.to_thread(_until, kept, number, live.table.people)
        seed = secrets.randbits(SEED_BITS)
        setup = replace(live.stored.setup, deal=line, retry=True, first=deal, seed=seed)
        return await self._lay(setup, live.stored.owner)

    async def _lay(self, setup: Setup, owner: str | None) -> tuple[str, StoredTable]:
        table, events = quick_choices(lay(setup))
        tokens = {place: secrets.token_urlsafe(18) for place in table.people}
        stored = StoredTable(setup, tokens, secrets.token_urlsafe(18), owner, tuple(events))
        table_id = secrets.token_hex(8)

        def keep(connection: Connection) -> None:
            archive.store_table(connection, table_id, stored, self._limits.tables)
            archive.append(connection, table_id, 0, events, table)

        await self._make_room(1)
        await self.storage.run(keep)
        self._tables[table_id] = self._live(table_id, stored, table)
        return table_id, stored

    async def _setup(self, asked: CreateTable) -> Setup:
        """What was asked for, checked."""
        game = await asyncio.to_thread(load_game, asked.game)
        await self.preparing.soon(game.name)
        line = None if asked.deal is None else _shared(game, asked)
        variant = game.variant_of(asked.variant)
        if not game.hidden:
            self.preparing.begin(game.name, SEARCH)  # in time for who wants to search
        return Setup(
            game.name,
            variant.text(),
            await asyncio.to_thread(_players, asked.players, game),
            _names(asked),
            secrets.randbits(SEED_BITS) if asked.seed is None else asked.seed,
            secrets.randbits(SEED_BITS),
            line,
        )

    # ------------------------------------------------------------------------ finding a table

    async def find(self, table_id: str) -> LiveTable:
        """A table, from memory or from the database; bots whose turn it is go on."""
        table = self._tables.get(table_id)
        if table is None:
            if table_id not in self._coming:
                self._coming[table_id] = asyncio.create_task(self._bring(table_id))
            table = await asyncio.shield(self._coming[table_id])
        table.touched = time.monotonic()
        table.wake()
        return table

    async def _bring(self, table_id: str) -> LiveTable:
        try:
            stored = await self.storage.run(lambda found: archive.load_table(found, table_id))
            await self.preparing.wait(stored.setup.game)
            await self._make_room(0)
            table = await asyncio.to_thread(replayed, stored.setup, stored.events)
            self._tables[table_id] = self._live(table_id, stored, table)
            return self._tables[table_id]
        finally:
            del self._coming[table_id]

    def _live(self, table_id: str, stored: StoredTable, table: Table) -> LiveTable:
        return LiveTable(
            table_id,
            stored,
            table,
            storage=self.storage,
            thinkers=self.thinkers,
            preparing=self.preparing,
            most_pages=self._limits.sockets_a_table,
        )

    # ------------------------------------------------------------------------ putting away

    async def delete(self, table_id: str) -> None:
        """Forget a table for good."""
        await self.put_away(table_id)
        await self.storage.run(lambda kept: archive.delete_table(kept, table_id))

    async def put_away(self, table_id: str) -> None:
        """Take a table out of memory."""
        table = self._tables.pop(table_id, None)
        if table is not None:
            await table.close()

    async def _make_room(self, new: int) -> None:
        """Put away the tables that have been idle longest, for new ones and those that come."""
        while len(self._tables) + len(self._coming) + new > self._limits.live_tables:
            idle = [table for table in self._tables.values() if table.is_idle]
            if not idle:
                raise TooMany(f"{len(self._tables)} tables are being played: there is no room now")
            await self.put_away(min(idle, key=lambda table: table.touched).id)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(min(SWEEP_SECONDS, self._limits.idle_seconds))
            before = time.monotonic() - self._limits.idle_seconds
            for table in list(self._tables.values()):
                if table.is_idle and table.touched < before:
                    await self.put_away(table.id)

    async def _give_way(self) -> None:
        """Let analyses and reviews rest when the tables are late."""
        clock = asyncio.get_running_loop().time
        while True:
            begun = clock()
            await asyncio.sleep(BEAT_SECONDS)
            late = clock() - begun - BEAT_SECONDS
            rest = min(REST * late, LONGEST_REST) if late > LATE_SECONDS else 0.0
            self.thinkers.analysing.rest = self.reviews.turns.rest = rest

    async def close(self) -> None:
        """Put everything away."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for table_id in list(self._tables):
            await self.put_away(table_id)
        self.reviews.close()
        self.thinkers.close()
        await asyncio.to_thread(close_bots)

    @property
    def live(self) -> int:
        """Tables in memory."""
        return len(self._tables)


# ---------------------------------------------------------------------------- what was asked


def _players(names: Sequence[str], game: Game) -> tuple[str, ...]:
    """Who sits down, by full names; programs are asked whether they play this game."""
    return tuple(PERSON if name == PERSON else _greeted(name, game) for name in names)


def _greeted(name: str, game: Game) -> str:
    player = player_of(name, game.name)
    greet = getattr(player, "greet", None)
    if greet is not None:
        greet()
    return player.name


def _names(asked: CreateTable) -> tuple[str, ...]:
    """What each place is called; empty for none."""
    if len(asked.names) > len(asked.players):
        raise BadSeat(f"{len(asked.players)} places cannot have {len(asked.names)} names")
    names = [" ".join(name.split()) for name in asked.names]
    return (*names, *[""] * (len(asked.players) - len(names)))


def _until(kept: FinishedDeal, number: int, people: Collection[Place]) -> str:
    """The line of a deal after so many choices; a person must have had one to make from there."""
    deal = Deal.from_text(kept.line)
    if not any(kept.seats[event.seat] in people for event in deal.history[number:]):
        most = len(deal.history)
        raise DealOver(f"no choice of yours lies ahead after {number} of {most} choices")
    again = Deal.from_order(deal.match, deal.order)
    for event in deal.history[:number]:
        again = again.play(event.choice)
    return again.text()


def _shared(game: Game, asked: CreateTable) -> str:
    """The line of a shared deal without its choices; it has been found to be a deal."""
    if asked.variant or asked.seed is not None:
        raise NotAllowed("a shared deal has its own variant and cards: neither variant nor seed")
    parts = (asked.deal or "").split(";")
    if len(parts) != 5 or parts[0].strip() != game.name:
        raise BadNotation(f"a shared deal is '{game.name}; options; match; cards;'")
    return Deal.from_text(";".join([*parts[:4], ""])).text()
