"""Finished deals as they are kept for people: what they brought, what a review says of them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from overtrick.review.told import Outcome, SeatReview
from overtrick.table.setup import Place, Setup

if TYPE_CHECKING:
    from overtrick.table.tables import Table

__all__ = [
    "Filter",
    "PlayedDeal",
    "Score",
    "Unscored",
    "keep_review",
    "keep_scores",
    "now",
    "played_deals",
    "unscored_deals",
]

Connection = sqlite3.Connection


def now() -> str:
    """The present moment, as ISO 8601 writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True)
class Score:
    """What a finished deal brought."""

    payoffs: tuple[float, ...]  # by seat
    gained: tuple[int, ...]  # by place
    winners: tuple[int, ...]  # places that won the match with it

    @classmethod
    def of(cls, table: Table) -> Score:
        """The score of the deal of a table, which is over."""
        outcome = table.outcome
        assert outcome is not None
        payoffs = tuple(float(payoff) for payoff in table.deal.payoffs)
        return cls(payoffs, outcome.gained, outcome.winners)

    def told(self) -> tuple[str, str, str]:
        """As it is kept."""
        return json.dumps(self.payoffs), json.dumps(self.gained), json.dumps(self.winners)


@dataclass(frozen=True)
class PlayedDeal:
    """A finished deal of a table where one person sat, who laid it."""

    table: str
    deal: int
    setup: Setup
    place: Place
    token: str
    line: str
    seats: tuple[Place, ...]
    score: Score
    assisted: bool
    finished: str
    accuracy: float | None  # if it was reviewed
    outcome: Outcome | None
    replaced: int = 0  # choices made in the place of programs that failed


def played_deals(connection: Connection, person: str) -> list[PlayedDeal]:
    """The deals that a person played alone against bots, table by table in their order."""
    query = """
        SELECT deals.table_id, deals.deal, setup, mine.place, mine.token, line, deals.seats,
            payoffs, gained, deals.winners, assisted, finished, accuracy, outcome, replaced
        FROM deals JOIN tables ON tables.id = deals.table_id
        JOIN seats AS mine ON mine.table_id = deals.table_id AND NOT EXISTS (
            SELECT 1 FROM seats WHERE table_id = mine.table_id AND place != mine.place)
        LEFT JOIN reviews ON reviews.table_id = deals.table_id AND reviews.deal = deals.deal
            AND reviews.place = mine.place
        WHERE owner = ? AND payoffs IS NOT NULL ORDER BY deals.table_id, deals.deal
    """
    setups: dict[str, Setup] = {}
    return [_played(setups, row) for row in connection.execute(query, (person,))]


def _played(setups: dict[str, Setup], row: tuple[Any, ...]) -> PlayedDeal:
    table_id, deal, setup, place, token, line, seats, *score, assisted, at = row[:-3]
    accuracy, outcome, replaced = row[-3:]
    if table_id not in setups:
        setups[table_id] = Setup.read(setup)
    return PlayedDeal(
        table=table_id,
        deal=deal,
        setup=setups[table_id],
        place=place,
        token=token,
        line=line,
        seats=tuple(json.loads(seats)),
        score=Score(*(tuple(json.loads(told)) for told in score)),
        assisted=bool(assisted),
        finished=at,
        accuracy=accuracy,
        outcome=outcome,
        replaced=replaced,
    )


@dataclass(frozen=True)
class Unscored:
    """A deal that was kept before scores were."""

    table: str
    deal: int
    setup: Setup
    line: str


def unscored_deals(connection: Connection, person: str) -> list[Unscored]:
    """The deals of a person's tables whose score is still to be worked out."""
    query = """
        SELECT table_id, deal, setup, line FROM deals JOIN tables ON tables.id = table_id
        WHERE owner = ? AND payoffs IS NULL
    """
    found = connection.execute(query, (person,))
    return [
        Unscored(table_id, deal, Setup.read(setup), line) for table_id, deal, setup, line in found
    ]


def keep_scores(connection: Connection, scores: Sequence[tuple[Unscored, Score]]) -> None:
    """Keep scores that were worked out."""
    query = """
        UPDATE deals SET payoffs = ?, gained = ?, winners = ?
        WHERE table_id = ? AND deal = ? AND line = ?
    """
    rows = [(*score.told(), deal.table, deal.deal, deal.line) for deal, score in scores]
    connection.executemany(query, rows)


@dataclass(frozen=True)
class Filter:
    """Which deals are asked for; what is empty asks for all."""

    game: str = ""
    player: str = ""  # one of the bots at the table
    since: str = ""  # ISO 8601, or its beginning: a year, a day
    until: str = ""  # this one included
    assisted: bool | None = None

    def fits(self, deal: PlayedDeal) -> bool:
        """Whether a deal is asked for."""
        return (
            deal.place in deal.seats
            and self.game in ("", deal.setup.game)
            and (not self.player or self.player in deal.setup.players)
            and deal.finished >= self.since
            and (not self.until or deal.finished[: len(self.until)] <= self.until)
            and self.assisted in (None, deal.assisted)
        )

    def of(self, deals: Iterable[PlayedDeal]) -> list[PlayedDeal]:
        """The deals that are asked for, the latest first."""
        found = [deal for deal in deals if self.fits(deal)]
        return sorted(found, key=lambda deal: (deal.finished, deal.deal), reverse=True)


def keep_review(
    connection: Connection,
    table_id: str,
    deal: int,
    line: str,
    judge: str,
    seats: dict[Place, SeatReview],
) -> None:
    """Keep what the review of a deal says of these places, unless the deal was changed since."""
    query = """
        INSERT OR REPLACE INTO reviews
        SELECT table_id, deal, ?, ?, ?, ?, ?, ?, ? FROM deals
        WHERE table_id = ? AND deal = ? AND line = ?
    """
    for place, told in seats.items():
        found = (place, told.accuracy, told.cost, told.luck, told.outcome, judge, now())
        connection.execute(query, (*found, table_id, deal, line))
