"""Snapszer: what the rule-based players have in common."""

from __future__ import annotations

from overtrick.cards import Card, Cards
from overtrick.games.game import Choice, Choices
from overtrick.games.snapszer.rules import JACKS, MARRY, QUEENS, RANKS, SUITS, above
from overtrick.jit import lowest, rule

__all__ = ["ACES", "TENS", "best_marriage", "cheapest", "dearest", "pairs", "takers"]

TENS = JACKS << RANKS - 2
ACES = JACKS << RANKS - 1
MARRIAGES = (1 << SUITS) - 1 << MARRY


@rule
def pairs(hand: Cards) -> Cards:
    """The queens whose kings are in the same hand."""
    return hand & hand >> 1 & QUEENS


@rule
def best_marriage(choices: Choices, trump: Cards) -> Choice:
    """The marriage to declare, 40 before 20 and then the first suit; 0 if there is none."""
    married = choices & MARRIAGES
    if married == 0:
        return 0
    forty = MARRY + lowest(trump) // RANKS
    return forty if married >> forty & 1 else lowest(married)


@rule
def takers(cards: Cards, lead: Cards, led: Cards, trump: Cards) -> Cards:
    """Those of some cards that take a trick from the card led."""
    higher = cards & led & above(lead)
    return higher if led == trump else higher | cards & trump


@rule
def cheapest(cards: Cards, trump: Cards) -> Card:
    """The card of the lowest rank, a trump only if there is nothing else; then the first suit."""
    plain = cards & ~trump
    if plain == 0:
        return lowest(cards)
    rank = JACKS
    while plain & rank == 0:
        rank <<= 1
    return lowest(plain & rank)


@rule
def dearest(cards: Cards) -> Card:
    """The card of the highest rank; then the first suit."""
    rank = ACES
    while cards & rank == 0:
        rank >>= 1
    return lowest(cards & rank)
