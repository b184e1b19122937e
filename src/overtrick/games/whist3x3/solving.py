"""3 x 3 whist: what the exact solver asks."""

from __future__ import annotations

from overtrick.games.game import Row
from overtrick.games.whist3x3.rules import HAND_SIZE, WhistState
from overtrick.jit import popcount, rule

__all__ = ["gained", "position_key", "rung", "rungs", "sides", "to_gain"]

DECK_BITS = 9


@rule
def sides(state: WhistState) -> int:
    """Seat 0 against seat 1."""
    return 0b01


@rule
def rungs(state: WhistState) -> int:
    """No trick to all of them."""
    return 1 + HAND_SIZE


@rule
def rung(state: WhistState, number: int, goal: Row, won: Row) -> None:
    """So many tricks; own tricks less the other's are won."""
    goal[0] = 0
    goal[1] = number
    won[0] = 2 * number - HAND_SIZE
    won[1] = -won[0]


@rule
def gained(state: WhistState, kind: int) -> int:
    """The tricks of seat 0."""
    return state.tricks[0]


@rule
def to_gain(state: WhistState, kind: int) -> int:
    """The tricks to be taken, that on the table included."""
    return max(popcount(state.hands[0]), popcount(state.hands[1]))


@rule
def position_key(state: WhistState, kind: int, key: Row) -> bool:
    """Between tricks: both hands and the leader."""
    key[0] = state.hands[0] | state.hands[1] << DECK_BITS
    key[1] = 1 + state.leader
    return state.table == 0
