"""Hearts: the simple player, who ducks and gets rid of what is dangerous.

It looks at its hand and at the trick, counts nothing and remembers nothing.
"""

from __future__ import annotations

from overtrick.cards import Card, Cards
from overtrick.games.game import Choice
from overtrick.games.hearts.holdings import KING_AND_ACE
from overtrick.games.hearts.rules import (
    ALL_HEARTS,
    HAND_SIZE,
    PASS,
    POINT_CARDS,
    QUEEN_OF_SPADES,
    SEATS,
    HeartsState,
    legal,
)
from overtrick.jit import highest, lowest, popcount, rule

__all__ = ["simple_choice"]


@rule
def simple_choice(state: HeartsState) -> Choice:
    """What the simple player passes or plays."""
    choices = legal(state)
    if state.phase == PASS:
        return most_dangerous(choices)
    if state.led == 0:
        return lowest_rank(choices)
    if choices & state.led:
        return simple_follow(state, choices)
    return simple_discard(choices)


@rule
def most_dangerous(hand: Cards) -> Card:
    """The queen, ace or king of spades, in this order; without them the highest card."""
    if hand & QUEEN_OF_SPADES:
        return highest(hand & QUEEN_OF_SPADES)
    if hand & KING_AND_ACE:
        return highest(hand & KING_AND_ACE)
    return highest_rank(hand)


@rule
def simple_follow(state: HeartsState, choices: Cards) -> Card:
    """The highest card that loses; else, last to a harmless trick, the highest; else the lowest."""
    ducking = choices & state.best - 1
    if ducking:
        return highest(ducking)
    last = popcount(state.table) == SEATS - 1
    harmless = state.table & POINT_CARDS == 0
    if last and harmless and choices != QUEEN_OF_SPADES:
        return highest(choices & ~QUEEN_OF_SPADES)
    return lowest(choices)


@rule
def simple_discard(choices: Cards) -> Card:
    """The queen of spades, else the highest heart, else what is most dangerous."""
    if choices & QUEEN_OF_SPADES == 0 and choices & ALL_HEARTS:
        return highest(choices & ALL_HEARTS)
    return most_dangerous(choices)


@rule
def highest_rank(cards: Cards) -> Card:
    """The card of the highest rank; of several, that of the highest suit (hearts are highest)."""
    best = highest(cards)
    while cards:
        card = highest(cards)
        if card % HAND_SIZE > best % HAND_SIZE:
            best = card
        cards ^= 1 << card
    return best


@rule
def lowest_rank(cards: Cards) -> Card:
    """The card of the lowest rank; of several, that of the lowest suit (clubs are lowest)."""
    best = lowest(cards)
    while cards:
        card = lowest(cards)
        if card % HAND_SIZE < best % HAND_SIZE:
            best = card
        cards ^= 1 << card
    return best
