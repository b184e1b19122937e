"""Sheephead: how somebody plays, in numbers."""

from __future__ import annotations

import numpy as np

from overtrick.games.behaviour import Metric, Played, Values, only_if
from overtrick.games.game import NOBODY
from overtrick.games.sheephead.rules import FAIL_TENS, SEATS

__all__ = ["METRICS", "role_of"]


def _picks(played: Played) -> Values:
    mine: Values = played.states["picker"] == played.seats
    return mine


def _partner(played: Played) -> Values:
    """Who had the called card; NOBODY if it is the picker's own or there is none."""
    states = played.states
    found = np.full(len(states), NOBODY)
    for seat in range(SEATS):
        has = (states["played"][:, seat] & states["called"]) != 0
        found = np.where(has & (states["picker"] != seat), seat, found)
    return found


def _is_partner(played: Played) -> Values:
    mine: Values = _partner(played) == played.seats
    return mine


def _opposes(played: Played) -> Values:
    mine: Values = (played.states["picker"] != NOBODY) & ~_picks(played) & ~_is_partner(played)
    return mine


def _nola(played: Played) -> Values:
    nola: Values = (played.states["picker"] == NOBODY) & (played.states["trumps"] == 0)
    return nola


def _won(played: Played) -> Values:
    won: Values = played.payoffs > 0
    return won


def role_of(played: Played) -> Values:
    """1 for the picker, 2 for a partner, 3 for their opponents, 0 where nobody picked."""
    opposes = np.where(_opposes(played), 3, 0)
    return np.where(_picks(played), 1, np.where(_is_partner(played), 2, opposes))


METRICS = (
    Metric("cents", "a deal", lambda p: p.payoffs),
    Metric("pick rate", "deals picked", _picks, True),
    Metric(
        "alone rate",
        "own picks played without a partner called",
        lambda p: only_if(_picks(p), p.states["called"] == 0),
        True,
    ),
    Metric(
        "tens called",
        "own picks in which a ten was called",
        lambda p: only_if(_picks(p), (p.states["called"] & FAIL_TENS) != 0),
        True,
    ),
    Metric(
        "unknown rate",
        "own picks with an unknown card",
        lambda p: only_if(_picks(p), p.states["unknown"] != 0),
        True,
    ),
    Metric("won as picker", "own picks won", lambda p: only_if(_picks(p), _won(p)), True),
    Metric("cents as picker", "a deal", lambda p: only_if(_picks(p), p.payoffs)),
    Metric("won as partner", "deals won", lambda p: only_if(_is_partner(p), _won(p)), True),
    Metric("cents as partner", "a deal", lambda p: only_if(_is_partner(p), p.payoffs)),
    Metric("won as opponent", "deals won", lambda p: only_if(_opposes(p), _won(p)), True),
    Metric("cents as opponent", "a deal", lambda p: only_if(_opposes(p), p.payoffs)),
    Metric("nola rate", "deals that nobody picked", _nola, True),
    Metric("cents in nola", "a deal", lambda p: only_if(_nola(p), p.payoffs)),
)
