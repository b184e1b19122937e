"""Coinche: the metrics of the paper that this game's players set out from, and a few more.

Human values are those that the paper gives.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.games.behaviour import Metric, Played, Values, history_counts, only_if
from overtrick.games.coinche.rules import BID, COINCHE, HAND_SIZE, LAST_CAPOT, SEATS, SUITS
from overtrick.games.coinche.scoring import BELOTE_POINTS, CAPOT_VALUE
from overtrick.games.game import choice_of, seat_of

__all__ = ["METRICS", "role_of"]


def _attacks(played: Played) -> Values:
    states = played.states
    mine: Values = (states["bid"] > 0) & (states["bidder"] & 1 == played.seats & 1)
    return mine


def _defends(played: Played) -> Values:
    mine: Values = (played.states["bid"] > 0) & ~_attacks(played)
    return mine


def _value(played: Played) -> Values:
    """80 to 160, or 250 for capot."""
    bid = played.states["bid"]
    return np.where(bid > LAST_CAPOT - SUITS, CAPOT_VALUE, 80 + 10 * (bid - 1 >> 2))


def _points(played: Played) -> Values:
    """What the seat's team took, belote included."""
    announcer = played.states["announcer"]
    belote = (announcer >= 0) & (announcer & 1 == played.seats & 1)
    points: Values = played.of_team("points") + BELOTE_POINTS * belote
    return points


def _is_capot(played: Played) -> Values:
    capot: Values = played.states["bid"] > LAST_CAPOT - SUITS
    return capot


def _calls(played: Played) -> Values:
    return history_counts(played, BID)


def _turns(played: Played) -> Values:
    """Rounds of four calls, begun ones counted, and the tricks."""
    tricks = np.where(played.states["bid"] > 0, HAND_SIZE, 0)
    turns: Values = -(-_calls(played) // SEATS) + tricks
    return turns


def _coinches(played: Played) -> Values:
    """Whether the seat itself coinched."""
    events: Any = played.states["history"]
    made = np.arange(events.shape[1]) < played.states["turn"][:, None]
    fits = (events >> 9 == BID) & (choice_of(events) == COINCHE)
    found: Values = (made & fits & (seat_of(events) == played.seats[:, None])).any(axis=1)
    return found


def role_of(played: Played) -> Values:
    """1 for an attacker, 2 for a defender, 0 if all passed."""
    return np.where(_attacks(played), 1, np.where(_defends(played), 2, 0))


METRICS = (
    Metric("attacking rate", "the team has the contract", _attacks, True, "40%"),
    Metric(
        "reward as attacker",
        "points a deal, with the contract",
        lambda p: only_if(_attacks(p), p.payoffs),
        human="above 0",
    ),
    Metric(
        "reward as defender",
        "points a deal, against a contract",
        lambda p: only_if(_defends(p), p.payoffs),
        human="above 0",
    ),
    Metric("reward", "points a deal", lambda p: p.payoffs),
    Metric(
        "success as attacker",
        "own contracts made",
        lambda p: only_if(_attacks(p), p.payoffs > 0),
        True,
    ),
    Metric(
        "success as defender",
        "their contracts beaten",
        lambda p: only_if(_defends(p), p.payoffs > 0),
        True,
    ),
    Metric(
        "bid precision",
        "distance of the bid from the points taken, as attacker; less is better",
        lambda p: only_if(_attacks(p) & ~_is_capot(p), np.abs(_value(p) - _points(p))),
        human="10",
    ),
    Metric(
        "contract value",
        "of own contracts",
        lambda p: only_if(_attacks(p), _value(p)),
        human="100 to 120",
    ),
    Metric(
        "capot rate",
        "own contracts that are capot",
        lambda p: only_if(_attacks(p), _is_capot(p)),
        True,
        "rare",
    ),
    Metric(
        "coinche rate",
        "their contracts that this seat coinched",
        lambda p: only_if(_defends(p), _coinches(p)),
        True,
    ),
    Metric(
        "coinched rate",
        "own contracts that were coinched",
        lambda p: only_if(_attacks(p), p.states["doubled"] > 0),
        True,
    ),
    Metric("passed out", "deals without a contract", lambda p: p.states["bid"] == 0, True),
    Metric("calls", "length of the auction", _calls),
    Metric("table turns", "rounds of calls and tricks", _turns, human="10"),
)
