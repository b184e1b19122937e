"""Hokm: how somebody plays, in numbers."""

from __future__ import annotations

import numpy as np

from overtrick.games.behaviour import Metric, Played, Values, only_if
from overtrick.games.hokm.rules import HAND_SIZE

__all__ = ["METRICS", "role_of"]


def _is_hakem_team(played: Played) -> Values:
    mine: Values = played.states["hakem"] & 1 == played.seats & 1
    return mine


def _won(played: Played) -> Values:
    won: Values = played.payoffs > 0
    return won


def _kot(played: Played) -> Values:
    kot: Values = played.states["kot"] == 1
    return kot


def _trumps_of_hakem(played: Played) -> Values:
    """How many trumps the hakem was dealt, if the seat is the hakem."""
    rows, hakem = np.arange(len(played.seats)), played.states["hakem"]
    hand = played.states["hands"][rows, hakem] | played.states["played"][rows, hakem]
    trumps = np.bitwise_count((hand & played.states["trumps"]).astype(np.int64))
    return only_if(hakem == played.seats, trumps)


def role_of(played: Played) -> Values:
    """1 for the hakem's team, 0 for the other."""
    role: Values = _is_hakem_team(played).astype(np.int64)
    return role


METRICS = (
    Metric("win rate", "deals won", _won, True),
    Metric("as hakem's team", "deals won", lambda p: only_if(_is_hakem_team(p), _won(p)), True),
    Metric("against the hakem", "deals won", lambda p: only_if(~_is_hakem_team(p), _won(p)), True),
    Metric("kot made", "deals won 7-0", lambda p: _kot(p) & _won(p), True),
    Metric("kot suffered", "deals lost 0-7", lambda p: _kot(p) & ~_won(p), True),
    Metric("tricks", "taken by the team", lambda p: p.of_team("tricks").astype(float)),
    Metric("trumps of the hakem", "dealt to a hakem who chose them", _trumps_of_hakem),
    Metric(
        "tricks played",
        "length of the deal",
        lambda p: p.states["tricks"].sum(axis=1).clip(max=HAND_SIZE).astype(float),
    ),
)
