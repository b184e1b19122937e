"""Snapszer: how somebody plays, in numbers."""

from __future__ import annotations

import numpy as np

from overtrick.games.behaviour import Metric, Played, Values, only_if
from overtrick.games.game import NOBODY
from overtrick.games.snapszer.rules import ENOUGH, TALON_SIZE

__all__ = ["METRICS", "role_of"]


def _won(played: Played) -> Values:
    won: Values = played.payoffs > 0
    return won


def _closes(played: Played) -> Values:
    mine: Values = played.states["closer"] == played.seats
    return mine


def _marriages(played: Played) -> Values:
    pairs: Values = np.bitwise_count(played.of_seat("declared").astype(np.int64)) // 2
    return pairs.astype(float)


def _trump_marriage(played: Played) -> Values:
    declared: Values = (played.of_seat("declared") & played.states["trump"]) != 0
    return declared


def role_of(played: Played) -> Values:
    """1 for who closed the talon, 2 for the other, 0 where nobody did."""
    closer = played.states["closer"]
    other = np.where(closer != NOBODY, 2, 0)
    return np.where(closer == played.seats, 1, other)


METRICS = (
    Metric("win rate", "deals won", _won, True),
    Metric("game points", "a deal", lambda p: p.payoffs),
    Metric("points a win", "game points of a deal won", lambda p: only_if(_won(p), p.payoffs)),
    Metric("points a loss", "game points of a deal lost", lambda p: only_if(~_won(p), -p.payoffs)),
    Metric(
        "three points", "deals won without a trick to the other", lambda p: p.payoffs == 3, True
    ),
    Metric("closing rate", "deals in which the seat closed the talon", _closes, True),
    Metric("closings won", "of them", lambda p: only_if(_closes(p), _won(p)), True),
    Metric(
        "closed at",
        "cards in the talon",
        lambda p: only_if(_closes(p), p.states["left"].clip(max=TALON_SIZE)),
    ),
    Metric("marriages", "declared a deal", _marriages),
    Metric("forties", "deals with the marriage of trumps", _trump_marriage, True),
    Metric("exchange rate", "the jack of trumps", lambda p: p.states["exchanger"] == p.seats, True),
    Metric("reached 66", "deals", lambda p: p.of_seat("points") >= ENOUGH, True),
    Metric("tricks played", "length of the deal", lambda p: p.states["tricks"].astype(float)),
)
