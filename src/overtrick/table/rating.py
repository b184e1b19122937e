"""What a row of deals tells of who played them: shares, means, and an Elo against measured players.

The Elo of the players at the table was measured on boards, by which of two players got more. A
person's deals are taken in the same way: against each opponent a deal is won, even or lost by who
got more of it, so that among equals it comes to one half whatever the game pays. A side of
several, where a game has fixed ones, is as strong as the mean of its players, as two of the same
player were measured. A single deal holds more luck than a board, which is why the rating of a
person lies nearer to those he met than a measured player's would.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from overtrick.arena.statistics import ELO, estimate
from overtrick.games.game import Game, Seat
from overtrick.table.wire import Interval

__all__ = ["Meeting", "mean_of", "meeting", "rating_of", "share_of"]

Rows = np.ndarray[Any, np.dtype[np.float64]]

Z95 = 1.959964
FEWEST = 5  # deals behind a rating
LIKELY = Z95**2 / 2  # how far the logarithm of the likelihood falls within the interval
FAR = 4000.0  # Elo, beyond any bound


def mean_of(values: Sequence[float]) -> Interval | None:
    """The mean of values with its 95% interval; one alone has none."""
    if len(values) < 2:
        return None
    found = estimate(values)
    return Interval(mean=found.mean, low=found.mean - found.ci95, high=found.mean + found.ci95)


def share_of(won: int, count: int) -> Interval | None:
    """A share with the 95% interval of Wilson's score, which never leaves 0..1."""
    if count == 0:
        return None
    share, square = won / count, Z95**2
    middle = (share + square / (2 * count)) / (1 + square / count)
    spread = math.sqrt(share * (1 - share) / count + square / (4 * count**2))
    half = Z95 * spread / (1 + square / count)
    return Interval(mean=share, low=max(0.0, middle - half), high=min(1.0, middle + half))


# ---------------------------------------------------------------------------- Elo


@dataclass(frozen=True)
class Meeting:
    """One deal against measured players: at an Elo of R one expects the share of `part * R + lead`.

    `part` is one's own part in the strength of the side, `lead` what the others make of it.
    """

    score: float  # 1 won, 0 lost
    part: float
    lead: float


def meeting(
    game: Game, seat: Seat, payoffs: Sequence[float], elos: Sequence[float | None]
) -> Meeting | None:
    """A deal as one seat met the others, by the Elo of each seat; None if one is not known."""
    teams = game.teams or tuple(range(game.seats))
    known = {other: elo for other, elo in enumerate(elos) if elo is not None and other != seat}
    if len(known) < game.seats - 1:
        return None
    partners = [elo for other, elo in known.items() if teams[other] == teams[seat]]
    opponents = [other for other in known if teams[other] != teams[seat]]
    against = float(np.mean([known[other] for other in opponents]))
    scores = [0.5 + 0.5 * float(np.sign(payoffs[seat] - payoffs[o])) for o in opponents]
    size = 1 + len(partners)
    return Meeting(float(np.mean(scores)), 1 / size, sum(partners) / size - against)


def rating_of(meetings: Sequence[Meeting]) -> Interval | None:
    """The most likely Elo with its 95% interval, by the likelihood of the results.

    As for measured players, half a deal is won and half a deal lost on top of all others, so that
    nobody who won everything is infinitely strong.
    """
    if len(meetings) < FEWEST:
        return None
    rows = np.array([(one.score, one.part, one.lead) for one in meetings])
    _, part, lead = rows.mean(axis=0)
    rows = np.vstack([rows, [0.5, part, lead]])
    best = _root(lambda elo: _slope(rows, elo), -FAR, FAR)
    least = _likelihood(rows, best) - LIKELY
    low = _root(lambda elo: least - _likelihood(rows, elo), -FAR, best)
    high = _root(lambda elo: _likelihood(rows, elo) - least, best, FAR)
    return Interval(mean=best, low=low, high=high)


def _likelihood(rows: Rows, elo: float) -> float:
    """The logarithm of the probability of all results, [meetings, (score, part, lead)]."""
    score, part, lead = rows.T
    ahead = (part * elo + lead) / ELO
    lost = score * np.logaddexp(0, -ahead) + (1 - score) * np.logaddexp(0, ahead)
    return -float(lost.sum())


def _slope(rows: Rows, elo: float) -> float:
    score, part, lead = rows.T
    expected = 1 / (1 + np.exp(-(part * elo + lead) / ELO))
    return float((part * (score - expected)).sum())


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is zero, by halving."""
    for _ in range(60):
        middle = (low + high) / 2
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
