"""Snapszer: what a deal is worth, and the match. Payoffs are game points."""

from __future__ import annotations

from typing import Any

from overtrick.games.game import NOBODY, Row, Seat
from overtrick.games.snapszer.rules import (
    ENOUGH,
    SEATS,
    TALON_SIZE,
    SnapszerMatch,
    SnapszerState,
    tricks_of,
)
from overtrick.games.snapszer.variant import AT_CLOSE
from overtrick.jit import rule

__all__ = [
    "game_points",
    "match_around",
    "match_winners",
    "new_match",
    "payoffs",
    "score",
    "winner",
    "worth",
]

MOST_GAME_POINTS = 3
SAFE = 33  # with so many points a loser pays one game point


@rule
def winner(state: SnapszerState) -> Seat:
    """Who has 66; else who did not close; else who took the last trick."""
    if state.points[0] >= ENOUGH:
        return 0
    if state.points[1] >= ENOUGH:
        return 1
    return state.leader if state.closer == NOBODY else 1 - state.closer


@rule
def game_points(state: SnapszerState) -> int:
    """What the winner gets: 1, 2 or 3."""
    loser = 1 - winner(state)
    tricks = tricks_of(state.leaders, state.tricks, loser)
    if state.closer == NOBODY:
        return worth(tricks, state.points[loser])
    closed_tricks = TALON_SIZE - state.left >> 1
    if loser == state.closer:
        return 2 if tricks_of(state.leaders, closed_tricks, 1 - loser) else 3
    if state.close_success_basis == AT_CLOSE:
        return worth(tricks_of(state.leaders, closed_tricks, loser), state.closed_points)
    return worth(tricks, state.points[loser])


@rule
def worth(tricks: int, points: int) -> int:
    """What a deal costs a loser: 3 without a trick, 2 with fewer than 33 points, else 1."""
    if tricks == 0:
        return MOST_GAME_POINTS
    return 2 if points < SAFE else 1


@rule
def payoffs(state: SnapszerState, out: Row) -> None:
    won = winner(state)
    out[won] = game_points(state)
    out[1 - won] = -out[won]


@rule
def new_match(match: SnapszerMatch, stream: Any) -> None:
    match.deals = 0
    for seat in range(SEATS):
        match.scores[seat] = 0


@rule
def match_around(state: SnapszerState, match: SnapszerMatch) -> None:
    """Who led to the first trick."""
    match.deals = state.leaders & 1


@rule
def score(match: SnapszerMatch, state: SnapszerState) -> None:
    """Game points go to the winner; the loser keeps what he has."""
    match.scores[winner(state)] += game_points(state)
    match.deals += 1


@rule
def match_winners(match: SnapszerMatch) -> int:
    """The first to reach the target."""
    winners = 0
    for seat in range(SEATS):
        if match.scores[seat] >= match.target:
            winners |= 1 << seat
    return winners
