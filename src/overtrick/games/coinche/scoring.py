"""Coinche: what a deal is worth, what it rewards in learning, and the match."""

from __future__ import annotations

from typing import Any

from overtrick.games.coinche.rules import (
    HAND_SIZE,
    LAST_CAPOT,
    SEATS,
    SUITS,
    CoincheMatch,
    CoincheState,
)
from overtrick.games.coinche.variant import CLASSIC, GOOD, MIRROR, NO_DEFENSE, PAYS_BID, THOUSANDTHS
from overtrick.games.game import NOBODY, OVER, Choice, Row
from overtrick.jit import rule

__all__ = [
    "bid_value",
    "failure_value",
    "is_made",
    "match_around",
    "match_winners",
    "multiplier",
    "new_match",
    "payoffs",
    "rewards",
    "score",
]

CAPOT_VALUE = 250
FAILURE_VALUE = 160
BELOTE_POINTS = 20
NORTH_SOUTH, EAST_WEST = 0b0101, 0b1010  # seats


@rule
def bid_value(bid: Choice) -> int:
    """80 to 160, or 250 for capot."""
    return CAPOT_VALUE if is_capot(bid) else 80 + 10 * (bid - 1 >> 2)


@rule
def is_capot(bid: Choice) -> bool:
    return bid > LAST_CAPOT - SUITS


@rule
def multiplier(state: CoincheState) -> int:
    """1, 2 after a coinche, 4 (or 3) after a surcoinche."""
    return state.surcoinche_mult if state.doubled == 2 else 1 + state.doubled


@rule
def failure_value(state: CoincheState) -> int:
    """What a failed contract is worth before multiplying."""
    if is_capot(state.bid) or (state.doubled and state.coinche_fail == PAYS_BID):
        return bid_value(state.bid)
    return FAILURE_VALUE


@rule
def attackers(state: CoincheState) -> int:
    """The team of the last bid."""
    return state.bidder & 1


@rule
def is_made(state: CoincheState) -> bool:
    """The attackers have as many points as they bid, belote included; for capot all tricks."""
    team = attackers(state)
    if is_capot(state.bid):
        return state.tricks[team] == HAND_SIZE
    points = state.points[team]
    if state.announcer != NOBODY and state.announcer & 1 == team:
        points += BELOTE_POINTS
    return points >= bid_value(state.bid)


@rule
def belote_points(state: CoincheState, team: int) -> int:
    """20 for the team of the belote; a failed contract loses the attackers' to the defenders."""
    if state.announcer == NOBODY:
        return 0
    earned_by = state.announcer & 1 if is_made(state) else 1 - attackers(state)
    return BELOTE_POINTS if earned_by == team else 0


@rule
def matrix_entry(state: CoincheState, matrix: int, team: int) -> int:
    """What a team gets for the contract by one of the four matrices; nothing without a contract."""
    if state.bid == 0:
        return 0
    value, failure = bid_value(state.bid), failure_value(state)
    if is_made(state):
        defence = 0 if matrix == CLASSIC else -value
        entry = value if team == attackers(state) else defence
    elif team == attackers(state):
        attack = -value if matrix == GOOD else -failure
        entry = 0 if matrix == CLASSIC else attack
    else:
        entry = 0 if matrix == NO_DEFENSE else failure
    return entry * multiplier(state)


@rule
def payoffs(state: CoincheState, out: Row) -> None:
    """The bid or the failure, multiplied, from one team to the other."""
    for seat in range(SEATS):
        out[seat] = matrix_entry(state, MIRROR, seat & 1)


@rule
def rewards(state: CoincheState, out: Any) -> None:
    """Points of the tricks so far times `trick_reward`; at the end the chosen matrix as well."""
    for seat in range(SEATS):
        team = seat & 1
        out[seat] = state.trick_reward * state.points[team] / THOUSANDTHS
        if state.phase == OVER:
            out[seat] += matrix_entry(state, state.reward_matrix, team)
            if state.belote_in_reward:
                out[seat] += belote_points(state, team) - belote_points(state, 1 - team)


# ---------------------------------------------------------------------------- the match


@rule
def new_match(match: CoincheMatch, stream: Any) -> None:
    match.deals = 0
    for seat in range(SEATS):
        match.scores[seat] = 0


@rule
def match_around(state: CoincheState, match: CoincheMatch) -> None:
    """The dealer."""
    match.deals = state.dealer


@rule
def score(match: CoincheMatch, state: CoincheState) -> None:
    """The bid to the attackers or the failure to the defenders, and the belote."""
    for seat in range(SEATS):
        team = seat & 1
        match.scores[seat] += matrix_entry(state, CLASSIC, team) + belote_points(state, team)
    match.deals += 1


@rule
def match_winners(match: CoincheMatch) -> int:
    """Once a team has reached the target: the team with more; none while they are equal."""
    ours, theirs = match.scores[0], match.scores[1]
    if max(ours, theirs) < match.target or ours == theirs:
        return 0
    return NORTH_SOUTH if ours > theirs else EAST_WEST
