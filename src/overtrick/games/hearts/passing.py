"""Hearts: the strong player's pass, one card at a time."""

from __future__ import annotations

from overtrick.cards import HEARTS, SPADES, Card, Cards
from overtrick.games.hearts.moon import shooters_pass, shoots_after_passing
from overtrick.games.hearts.prices import (
    HEART_GUARD,
    HEART_RANK,
    HEART_SQUARE,
    MINOR_GUARD,
    MINOR_RANK,
    MINOR_SQUARE,
    PASS_KING_OR_ACE,
    PASS_LOW_SPADE,
    PASS_QUEEN,
    PASS_SHORT,
    entry,
)
from overtrick.games.hearts.rules import (
    ALL_CARDS,
    HAND_SIZE,
    ONE_SUIT,
    QUEEN,
    QUEEN_OF_SPADES,
    HeartsState,
)
from overtrick.jit import highest, popcount, rule

__all__ = ["strong_pass"]


@rule
def strong_pass(state: HeartsState, hand: Cards) -> Card:
    """The card that is best away; from a hand for the moon, what could lose a trick."""
    out = ALL_CARDS & ~(hand | state.passed[state.seat])
    if shoots_after_passing(hand, out):
        return shooters_pass(hand, out)
    chosen = highest(hand)
    most = better_away(hand, chosen)
    rest = hand ^ 1 << chosen
    while rest:
        card = highest(rest)
        rest ^= 1 << card
        value = better_away(hand, card)
        if value > most:
            most = value
            chosen = card
    return chosen


@rule
def better_away(hand: Cards, card: Card) -> int:
    """How much better a hand is without a card, in hundredths of a point."""
    suit = card // HAND_SIZE
    own = hand & ONE_SUIT << HAND_SIZE * suit
    if suit == SPADES:
        return spade_away(own, card)
    rank = card % HAND_SIZE
    lower = popcount(own & (1 << card) - 1)
    if suit == HEARTS:
        return (HEART_RANK + HEART_SQUARE * rank) * rank // 8 - HEART_GUARD * lower
    short = entry(PASS_SHORT, popcount(own))
    return short + (MINOR_RANK + MINOR_SQUARE * rank) * rank // 8 - MINOR_GUARD * lower


@rule
def spade_away(spades: Cards, card: Card) -> int:
    """The queen is well guarded by four others; king and ace by low ones; low ones are guards."""
    if card == QUEEN:
        return entry(PASS_QUEEN, popcount(spades) - 1)
    if card > QUEEN:
        return entry(PASS_KING_OR_ACE, popcount(spades & QUEEN_OF_SPADES - 1))
    return PASS_LOW_SPADE
