"""Snapszer: the exact play of an ending with an empty talon, where each seat knows both hands.

An ending is searched to its end: every lead, every answer that the duties allow, at most five
tricks. It is seen from one side, which wants the most game points; the other side wants it to have
the least. Whoever leads king or queen of a pair marries, since points never hurt their owner. What
is left to win shrinks as the loser takes tricks and points, and bounds the search at every node.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.cards import Card, Cards
from overtrick.games.snapszer.rules import (
    ENOUGH,
    HAND_SIZE,
    JACKS,
    POINTS_OF,
    QUEENS,
    RANKS,
    SUIT_OF,
    SnapszerState,
    must_follow,
    strength,
    tricks_of,
)
from overtrick.games.snapszer.scoring import worth
from overtrick.jit import highest, lowest, rule

__all__ = ["best_card", "marriage_points"]

KINGS = QUEENS << 1

UNKNOWN = 9  # a value not known yet, beyond any game points

# One node of the search for every card of the ending, and one for its end.
NODES = 2 * HAND_SIZE + 1
NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("hands", np.int64, (2,)),  # of the side that wants the most, and of the other
                ("points", np.int64, (2,)),
                ("tricks", np.int64, (2,)),
                ("mover", np.int64),
                ("lead", np.int64),  # the card to be answered, as a set; 0 before a lead
                ("moves", np.int64),  # cards not tried yet
                ("low", np.int64),  # what the first side is sure of so far
                ("high", np.int64),  # what the other side has held it down to so far
            ]
        ),
    )
)


@rule
def best_card(state: SnapszerState, choices: Cards) -> Card:
    """The card, out of some legal ones, that is worth most to the seat to act.

    The talon must be empty. Of equally good cards the highest rank is taken, then the last suit.
    """
    nodes = np.empty(NODES, dtype=NODE)
    set_up(state, nodes[0])
    best_value = -UNKNOWN
    best = 0
    rest = choices
    while rest:
        card = next_card(rest)
        rest ^= 1 << card
        bonus = 0 if state.must_lead else marriage_points(1 << card, nodes[0].hands[0], state.trump)
        value = value_after(nodes, card, bonus, best_value, state.trump)
        if value > best_value:
            best_value, best = value, card
        if best_value >= most(nodes[0]):
            break
    return best


@rule
def set_up(state: SnapszerState, node: Any) -> None:
    """Lay the ending out from the side of the seat to act."""
    me = state.seat
    for side in range(2):
        seat = me ^ side
        node.hands[side] = state.hands[me] if side == 0 else state.known[seat]
        node.points[side] = state.points[seat]
        node.tricks[side] = tricks_of(state.leaders, state.tricks, seat)
    node.mover = 0
    node.lead = state.table


@rule
def marriage_points(card: Cards, hand: Cards, trump: Cards) -> int:
    """What a lead of this card declares: 20 or 40 for king or queen with the other beside it."""
    mate = (card & KINGS) >> 1 | (card & QUEENS) << 1
    if mate & hand == 0:
        return 0
    return 40 if card & trump else 20


@rule
def next_card(cards: Cards) -> Card:
    """The highest rank first, then the last suit."""
    for rank in range(RANKS - 1, 0, -1):
        of_rank = cards & JACKS << rank
        if of_rank:
            return highest(of_rank)
    return highest(cards)


@rule
def most(node: Any) -> int:
    """The most that the first side can still win: what the other would now pay."""
    return worth(node.tricks[1], node.points[1])


@rule
def least(node: Any) -> int:
    """The least that the first side can still get."""
    return -worth(node.tricks[0], node.points[0])


@rule
def value_after(nodes: Any, card: Card, bonus: int, low: int, trump: Cards) -> int:
    """What the deal is worth to the first side after a card, exact if more than `low`."""
    nodes[0].low = low
    nodes[0].high = most(nodes[0])
    value = move(nodes, 0, card, bonus, trump)
    depth = 1
    if value != UNKNOWN:
        return value
    while True:
        node = nodes[depth]
        if node.moves == 0 or node.low >= node.high:
            value = node.low if node.mover == 0 else node.high
            depth -= 1
            if depth == 0:
                return value
            settle_move(nodes[depth], value)
            continue
        card = next_card(node.moves)
        node.moves ^= 1 << card
        bonus = 0 if node.lead else marriage_points(1 << card, node.hands[node.mover], trump)
        value = move(nodes, depth, card, bonus, trump)
        if value == UNKNOWN:
            depth += 1
        else:
            settle_move(node, value)


@rule
def settle_move(node: Any, value: int) -> None:
    """Enter the value of a move at the node where it was made."""
    if node.mover == 0:
        node.low = max(node.low, value)
    else:
        node.high = min(node.high, value)


@rule
def move(nodes: Any, depth: int, card: Card, bonus: int, trump: Cards) -> int:
    """Play a card into the next node; the value if that ends the deal, else UNKNOWN."""
    node, child = nodes[depth], nodes[depth + 1]
    side = node.mover
    for seat in range(2):
        child.hands[seat] = node.hands[seat]
        child.points[seat] = node.points[seat]
        child.tricks[seat] = node.tricks[seat]
    child.hands[side] ^= 1 << card
    child.low = node.low
    child.high = node.high
    if node.lead == 0:
        child.points[side] += bonus
        if child.points[side] >= ENOUGH:
            return outcome(child, side)
        child.lead = 1 << card
        child.mover = 1 - side
        child.moves = must_follow(child.hands[1 - side], child.lead, SUIT_OF[card], trump)
        return UNKNOWN
    return take(node, child, card, trump)


@rule
def take(node: Any, child: Any, card: Card, trump: Cards) -> int:
    """Give the trick to its taker; the value if that ends the deal, else UNKNOWN."""
    lead = lowest(node.lead)
    led = SUIT_OF[lead]
    beaten = strength(1 << card, led, trump) > strength(node.lead, led, trump)
    taker = node.mover if beaten else 1 - node.mover
    child.points[taker] += POINTS_OF[card] + POINTS_OF[lead]
    child.tricks[taker] += 1
    if child.points[taker] >= ENOUGH or child.hands[taker] == 0:
        return outcome(child, taker)
    child.lead = 0
    child.mover = taker
    child.moves = child.hands[taker]
    child.low = max(child.low, least(child))
    child.high = min(child.high, most(child))
    return UNKNOWN


@rule
def outcome(node: Any, winner: int) -> int:
    """What the first side gets when one of them has won."""
    return most(node) if winner == 0 else least(node)
