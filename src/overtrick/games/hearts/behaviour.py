"""Hearts: how somebody plays, in numbers."""

from __future__ import annotations

import numpy as np

from overtrick.games.behaviour import Metric, Played, Values, only_if
from overtrick.games.game import OVER
from overtrick.games.hearts.rules import POINTS_IN_A_DEAL, QUEEN_OF_SPADES

__all__ = ["METRICS"]


def _points(played: Played) -> Values:
    return played.of_seat("points").astype(float)


def _moon(played: Played) -> Values:
    moon: Values = _points(played) == POINTS_IN_A_DEAL
    return moon


def _others_moon(played: Played) -> Values:
    somebody = (played.states["points"] == POINTS_IN_A_DEAL).any(axis=1)
    other: Values = somebody & ~_moon(played)
    return other


def _passes(played: Played) -> Values:
    passing: Values = played.states["direction"] != 0
    return passing


def _held_queen(played: Played) -> Values:
    """Whether the seat was dealt the queen of spades."""
    rows = np.arange(len(played.seats))
    giver = played.seats - played.states["direction"] & 3
    received = played.states["passed"][rows, giver]
    hand = played.of_seat("hands") | played.of_seat("played")
    had: Values = ((hand & ~received | played.of_seat("passed")) & QUEEN_OF_SPADES) != 0
    return had


METRICS = (
    Metric("points taken", "a deal, a moon being 26", _points),
    Metric("payoff", "points a deal", lambda p: p.payoffs),
    Metric("clean deals", "without a point taken", lambda p: _points(p) == 0, True),
    Metric("moon rate", "deals in which the seat took all points", _moon, True),
    Metric("moon against", "deals in which another did", _others_moon, True),
    Metric("13 or more", "deals, moons left out", lambda p: (_points(p) >= 13) & ~_moon(p), True),
    Metric(
        "queen passed on",
        "when dealt the queen of spades, in deals with a pass",
        lambda p: only_if(
            _passes(p) & _held_queen(p), (p.of_seat("passed") & QUEEN_OF_SPADES) != 0
        ),
        True,
    ),
    Metric(
        "hearts broken",
        "deals",
        lambda p: only_if(p.states["phase"] == OVER, p.states["broken"] == 1),
        True,
    ),
)
