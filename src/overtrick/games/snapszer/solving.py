"""Snapszer: what the exact solver asks.

Seat 0 plays against seat 1 for game points. A whole deal knows the order of its talon, so a deal
with an open talon can be solved as well.
"""

from __future__ import annotations

import numpy as np

from overtrick.cards import Card, Cards
from overtrick.games.game import NOBODY, OVER, Choice, Row, Seat
from overtrick.games.snapszer.rules import (
    ALL_CARDS,
    CARDS,
    CLOSE,
    ENOUGH,
    FOLLOW,
    JACKS,
    POINTS_OF,
    QUEENS,
    RANKS,
    SLOT_BITS,
    SUIT_OF,
    TALON_SIZE,
    SnapszerState,
    above,
    strength,
    tricks_of,
)
from overtrick.games.snapszer.scoring import game_points, winner, worth
from overtrick.games.snapszer.variant import AT_CLOSE
from overtrick.jit import lowest, popcount, rule

__all__ = ["gained", "position_key", "rung", "rungs", "sides", "to_gain", "tricks_to_play", "urge"]

PAYOFFS = np.array([-3, -2, -1, 1, 2, 3], dtype=np.int64)
POINTS = 0  # the kind that people count; kind n is: the payoff is at least PAYOFFS[n]

KINGS, TENS, ACES = (JACKS << rank for rank in (2, 3, 4))


@rule
def sides(state: SnapszerState) -> int:
    """Seat 0 against seat 1."""
    return 0b01


@rule
def tricks_to_play(state: SnapszerState) -> int:
    """The cards in a hand, and those that it will draw."""
    hand = popcount(state.hands[state.seat])
    return hand + (state.left >> 1 if state.is_open else 0)


@rule
def rungs(state: SnapszerState) -> int:
    """Three game points lost to three won."""
    return len(PAYOFFS)


@rule
def rung(state: SnapszerState, number: int, goal: Row, won: Row) -> None:
    """So many game points."""
    goal[0] = number
    goal[1] = 1 if number else 0
    won[0] = PAYOFFS[number]
    won[1] = -won[0]


# ---------------------------------------------------------------------------- gains


@rule
def gained(state: SnapszerState, kind: int) -> int:
    """The points of seat 0; or 1 once it is sure of so many game points."""
    if kind == POINTS:
        return state.points[0]
    return 1 if least(state, 0) >= PAYOFFS[kind] else 0


@rule
def to_gain(state: SnapszerState, kind: int) -> int:
    """The points that seat 0 may still get; or 1 while so many game points are open to doubt."""
    if kind == POINTS:
        return 0 if state.phase == OVER else points_left(state, 0)
    return 1 if least(state, 0) < PAYOFFS[kind] <= -least(state, 1) else 0


@rule
def least(state: SnapszerState, seat: Seat) -> int:
    """The least payoff that a seat may come down to."""
    if state.phase == OVER:
        points = game_points(state)
        return points if winner(state) == seat else -points
    if state.closer == NOBODY:
        lost = cost(state, seat, state.tricks, state.points[seat])
        if state.is_open and state.left >= state.close_min_talon:
            lost = max(lost, 2 if tricks_of(state.leaders, state.tricks, 1 - seat) else 3)
        return -lost
    closed_tricks = TALON_SIZE - state.left >> 1
    if state.closer == seat:
        return -2 if tricks_of(state.leaders, closed_tricks, 1 - seat) else -3
    if state.points[1 - seat] + points_left(state, 1 - seat) < ENOUGH:
        return 2 if tricks_of(state.leaders, closed_tricks, seat) else 3
    if state.close_success_basis == AT_CLOSE:
        return -cost(state, seat, closed_tricks, state.closed_points)
    return -cost(state, seat, state.tricks, state.points[seat])


@rule
def cost(state: SnapszerState, seat: Seat, tricks: int, points: int) -> int:
    """What a loss costs a seat with these points after so many tricks."""
    return worth(tricks_of(state.leaders, tricks, seat), points)


@rule
def points_left(state: SnapszerState, seat: Seat) -> int:
    """The points on all cards and marriages that a seat may still come by."""
    cards = state.hands[0] | state.hands[1] | state.table
    mine: Cards = state.hands[seat]
    if state.is_open:
        mine = ALL_CARDS & ~(state.played[0] | state.played[1] | state.hands[1 - seat])
        cards |= mine
    mine &= ~state.declared[seat]
    pairs = mine & mine >> 1 & QUEENS
    return card_points(cards) + 20 * popcount(pairs) + (20 if pairs & state.trump else 0)


@rule
def card_points(cards: Cards) -> int:
    """Jack 2, queen 3, king 4, ten 10, ace 11."""
    low = 2 * popcount(cards & JACKS) + 3 * popcount(cards & QUEENS) + 4 * popcount(cards & KINGS)
    return low + 10 * popcount(cards & TENS) + 11 * popcount(cards & ACES)


# ---------------------------------------------------------------------------- positions


@rule
def position_key(state: SnapszerState, kind: int, key: Row) -> bool:
    """Before a lead: hands, leader, points, who has a trick, trump, and what the talon may do."""
    key[0] = (
        state.hands[0]
        | state.hands[1] << CARDS
        | state.points[0] << 40
        | state.points[1] << 47
        | state.leader << 54
        | has_trick(state, state.tricks, 0) << 55
        | has_trick(state, state.tricks, 1) << 56
        | lowest(state.trump) // RANKS << 57
        | kind << 59
    )
    if state.is_open:
        key[1] = open_talon(state) << 2 | 1
    elif state.closer == NOBODY:
        key[1] = 2
    else:
        key[1] = closing(state) << 2 | 3
    return state.phase != FOLLOW and state.must_lead == 0


@rule
def has_trick(state: SnapszerState, tricks: int, seat: Seat) -> int:
    """1 if a seat had taken one of the first so many tricks."""
    return 1 if tricks_of(state.leaders, tricks, seat) else 0


@rule
def open_talon(state: SnapszerState) -> int:
    """The cards to be drawn in their order, the upcard, and what may be done with them."""
    drawn = TALON_SIZE - state.left
    face_down = (state.talon & (1 << SLOT_BITS * (TALON_SIZE - 1)) - 1) >> SLOT_BITS * drawn
    return (
        face_down
        | lowest(state.upcard) << 45
        | state.left >> 1 << 50
        | (1 if state.swap else 0) << 53
        | state.exchange << 54
        | state.exchange_min_talon >> 2 << 55
        | state.close_min_talon >> 2 << 56
        | state.close_success_basis << 57
    )


@rule
def closing(state: SnapszerState) -> int:
    """Who closed, and what counts of the time when he did."""
    other = 1 - state.closer
    tricks = TALON_SIZE - state.left >> 1
    at_close = state.close_success_basis == AT_CLOSE
    fixed = cost(state, other, tricks, state.closed_points) if at_close else 0
    return state.closer | has_trick(state, tricks, other) << 1 | fixed << 2


# ---------------------------------------------------------------------------- what to try first


@rule
def urge(state: SnapszerState, choice: Choice) -> int:
    """Marriages, the jack and closing come first; then tricks with many points, for or against."""
    if state.phase == FOLLOW:
        return urge_to_follow(state, choice)
    if choice >= CARDS:
        return 100 if choice == CLOSE else 200
    other = state.hands[1 - state.seat]
    return POINTS_OF[choice] if is_master(choice, other, state) else -POINTS_OF[choice]


@rule
def urge_to_follow(state: SnapszerState, choice: Choice) -> int:
    card, led, trump = 1 << choice, state.led, state.trump
    takes = strength(card, led, trump) > strength(state.table, led, trump)
    return 40 + POINTS_OF[choice] if takes else -POINTS_OF[choice]


@rule
def is_master(card: Card, other: Cards, state: SnapszerState) -> bool:
    """Whether the other hand has nothing that takes a trick from this card."""
    suit = SUIT_OF[card]
    if other & suit & above(1 << card):
        return False
    ruffs = suit != state.trump and other & state.trump != 0
    return not ruffs or (state.is_open == 0 and other & suit != 0)
