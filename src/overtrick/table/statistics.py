"""A person's deals: filtered, counted and rated, game by game; and as rows of a file.

Only tables that the person laid and sat at alone are looked at. What was assisted is counted, and
what was tried again is listed; neither says how well somebody plays.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from overtrick.games import load_game
from overtrick.table.lobby import elos, title_of
from overtrick.table.played import Filter, PlayedDeal, Score, Unscored
from overtrick.table.rating import Meeting, mean_of, meeting, rating_of, share_of
from overtrick.table.setup import variant_options
from overtrick.table.tables import retold
from overtrick.table.wire import (
    PERSON,
    DealRow,
    GameStatistics,
    Interval,
    OpponentStatistics,
    Statistics,
)

__all__ = ["PAGE", "csv_of", "scored", "statistics_of"]

PAGE = 50  # rows told at once


def scored(deal: Unscored) -> Score:
    """The score of a deal, worked out from its line."""
    return Score.of(retold(deal.setup, deal.deal, deal.line))


# ---------------------------------------------------------------------------- the answer


def statistics_of(deals: Sequence[PlayedDeal], wanted: Filter, first: int) -> Statistics:
    """All that is told of a person's deals, with a page of rows."""
    fitting = wanted.of(deals)
    matches = [last for last in _fair_matches(deals) if wanted.fits(last)]
    names = sorted({deal.setup.game for deal in fitting})
    return Statistics(
        games=[_game(name, fitting, matches) for name in names],
        deals=len(fitting),
        rows=[_row(deal) for deal in fitting[first : first + PAGE]],
    )


def _fair_matches(deals: Iterable[PlayedDeal]) -> list[PlayedDeal]:
    """The last deals of the matches in which nothing was assisted or tried again.

    Deals come table by table, in their order.
    """
    found, table, fair = [], "", True
    for deal in deals:
        fair = _counts(deal) and (fair or deal.table != table)
        table = deal.table
        if deal.score.winners:
            found += [deal] if fair else []
            fair = True
    return found


def _counts(deal: PlayedDeal) -> bool:
    return not deal.assisted and not deal.setup.retry


def _game(
    name: str, fitting: Sequence[PlayedDeal], matches: Sequence[PlayedDeal]
) -> GameStatistics:
    mine = [deal for deal in fitting if deal.setup.game == name and not deal.setup.retry]
    counting = [deal for deal in mine if _counts(deal)]
    ended = [deal for deal in matches if deal.setup.game == name]
    reviewed = [deal.accuracy for deal in counting if deal.accuracy is not None]
    return GameStatistics(
        game=name,
        deals=len(counting),
        assisted=len(mine) - len(counting),
        matches=len(ended),
        matches_won=share_of(sum(deal.place in deal.score.winners for deal in ended), len(ended)),
        payoff=mean_of([_payoff(deal) for deal in counting]),
        won=_won(counting),
        accuracy=mean_of(reviewed),
        reviewed=len(reviewed),
        rating=rating_of(_meetings(name, counting)),
        opponents=_opponents(name, counting),
    )


def _payoff(deal: PlayedDeal) -> float:
    return deal.score.payoffs[deal.seats.index(deal.place)]


def _won(deals: Sequence[PlayedDeal]) -> Interval | None:
    return share_of(sum(_payoff(deal) > 0 for deal in deals), len(deals))


def _meetings(name: str, deals: Sequence[PlayedDeal]) -> list[Meeting]:
    game = load_game(name)
    measured = elos(game)
    found = []
    for deal in deals:
        told = [measured.get(deal.setup.players[place]) for place in deal.seats]
        found.append(meeting(game, deal.seats.index(deal.place), deal.score.payoffs, told))
    return [one for one in found if one is not None]


def _opponents(name: str, deals: Sequence[PlayedDeal]) -> list[OpponentStatistics]:
    """Each company that was met more than once: a single deal has no interval."""
    met: defaultdict[tuple[str, ...], list[PlayedDeal]] = defaultdict(list)
    for deal in deals:
        met[tuple(sorted(set(deal.setup.players) - {PERSON}))].append(deal)
    told = []
    for players, shared in sorted(met.items(), key=lambda one: (-len(one[1]), one[0])):
        payoff, won = mean_of([_payoff(deal) for deal in shared]), _won(shared)
        if payoff is not None and won is not None:
            told.append(_company(name, players, len(shared), payoff, won))
    return told


def _company(
    name: str, players: tuple[str, ...], deals: int, payoff: Interval, won: Interval
) -> OpponentStatistics:
    game = load_game(name)
    known = [elo for elo in map(elos(game).get, players) if elo is not None]
    return OpponentStatistics(
        players=list(players),
        titles=[title_of(player, game) for player in players],
        elo=sum(known) / len(known) if len(known) == len(players) else None,
        deals=deals,
        payoff=payoff,
        won=won,
    )


# ---------------------------------------------------------------------------- rows


def _row(deal: PlayedDeal) -> DealRow:
    return DealRow(
        table=deal.table,
        deal=deal.deal,
        token=deal.token,
        place=deal.place,
        game=deal.setup.game,
        variant=variant_options(deal.setup.variant),
        players=list(deal.setup.players),
        payoff=_payoff(deal),
        gained=deal.score.gained[deal.place],
        assisted=deal.assisted,
        retry=deal.setup.retry,
        accuracy=deal.accuracy,
        outcome=deal.outcome,
        finished=deal.finished,
    )


COLUMNS: dict[str, Callable[[DealRow], object]] = {
    "finished": lambda row: row.finished,
    "game": lambda row: row.game,
    "variant": lambda row: ",".join(f"{name}={value}" for name, value in row.variant.items()),
    "players": lambda row: " | ".join(row.players),
    "place": lambda row: row.place,
    "payoff": lambda row: row.payoff,
    "gained": lambda row: row.gained,
    "assisted": lambda row: int(row.assisted),
    "retry": lambda row: int(row.retry),
    "accuracy": lambda row: row.accuracy,
    "outcome": lambda row: row.outcome,
    "table": lambda row: row.table,
    "deal": lambda row: row.deal + 1,
}
"""Of the file for spreadsheets; the secrets of tables stay in the house."""


def csv_of(deals: Iterable[PlayedDeal]) -> str:
    """Deals as a table for spreadsheets."""
    told = io.StringIO()
    writer = csv.writer(told)
    writer.writerow(COLUMNS)
    for row in map(_row, deals):
        writer.writerow([tell(row) for tell in COLUMNS.values()])
    return told.getvalue()
