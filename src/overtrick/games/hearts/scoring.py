"""Hearts: what a deal is worth, and the match.

Payoffs are counted in thirds of a point, so that they are whole numbers: each seat's payoff is
the mean of the others' results minus its own.
"""

from __future__ import annotations

from typing import Any

from overtrick.games.game import Row
from overtrick.games.hearts.rules import (
    POINTS_IN_A_DEAL,
    SEATS,
    HeartsMatch,
    HeartsState,
    pass_direction,
)
from overtrick.games.hearts.variant import ADD_OTHERS, AUTO
from overtrick.jit import rule

__all__ = [
    "PAYOFF_UNIT",
    "deal_payoffs",
    "match_around",
    "match_winners",
    "new_match",
    "payoffs",
    "score",
    "score_points",
]

PAYOFF_UNIT = 3
NO_MOON = -1


@rule
def shooter(points: Row) -> int:
    """The seat that has shot the moon, or NO_MOON."""
    for seat in range(SEATS):
        if points[seat] == POINTS_IN_A_DEAL:
            return seat
    return NO_MOON


@rule
def payoffs(state: HeartsState, out: Row) -> None:
    deal_payoffs(state.points, out)


@rule
def deal_payoffs(points: Row, out: Row) -> None:
    """Thirds of a point: 26 - 4p, and with a moon 78 to the shooter and -26 to the others."""
    moon = shooter(points)
    for seat in range(SEATS):
        if moon == NO_MOON:
            out[seat] = POINTS_IN_A_DEAL - 4 * points[seat]
        else:
            out[seat] = 3 * POINTS_IN_A_DEAL if seat == moon else -POINTS_IN_A_DEAL


@rule
def new_match(match: HeartsMatch, stream: Any) -> None:
    match.deals = 0
    for seat in range(SEATS):
        match.scores[seat] = 0


@rule
def match_around(state: HeartsState, match: HeartsMatch) -> None:
    """The dealer, in a deal that passes in this direction."""
    cycle, length = state.pass_cycle, state.pass_cycle_length
    match.deals = state.dealer
    for _ in range(length):
        if pass_direction(cycle, length, match.deals) != state.direction:
            match.deals += SEATS


@rule
def score(match: HeartsMatch, state: HeartsState) -> None:
    score_points(match.scores, state.points, match.moon)
    match.deals += 1


@rule
def score_points(scores: Row, points: Row, moon: int) -> None:
    """Add a deal to the match; who has all 26 points gives 26 to the others, or takes 26 off."""
    moon_seat = shooter(points)
    if moon_seat == NO_MOON:
        for seat in range(SEATS):
            scores[seat] += points[seat]
    elif moon == ADD_OTHERS or (moon == AUTO and leads_after_adding(scores, moon_seat)):
        for seat in range(SEATS):
            if seat != moon_seat:
                scores[seat] += POINTS_IN_A_DEAL
    else:
        scores[moon_seat] -= POINTS_IN_A_DEAL


@rule
def leads_after_adding(scores: Row, moon_seat: int) -> bool:
    """Whether giving 26 to the others leaves the shooter with the lowest score, shared or not."""
    for seat in range(SEATS):
        if seat != moon_seat and scores[seat] + POINTS_IN_A_DEAL < scores[moon_seat]:
            return False
    return True


@rule
def match_winners(match: HeartsMatch) -> int:
    """Once somebody has reached the target: everybody with the lowest score."""
    highest = match.scores[0]
    lowest = match.scores[0]
    for seat in range(1, SEATS):
        highest = max(highest, match.scores[seat])
        lowest = min(lowest, match.scores[seat])
    winners = 0
    if highest >= match.target:
        for seat in range(SEATS):
            if match.scores[seat] == lowest:
                winners |= 1 << seat
    return winners
