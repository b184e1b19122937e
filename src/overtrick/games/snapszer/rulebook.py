"""Snapszer: the rule-based players. They know what their seat knows, and nothing more.

`simple` marries and plays cards by a few rules of thumb; `strong` (its own file) weighs cards,
counts to 66, closes, and plays endings exactly; `trickster` is the playout of the Trickster guide.
"""

from __future__ import annotations

from overtrick.cards import Card, Cards
from overtrick.games.game import Choice, Row
from overtrick.games.snapszer.habits import best_marriage, cheapest, dearest, takers
from overtrick.games.snapszer.rulebook_strong import strong
from overtrick.games.snapszer.rules import (
    ALL_CARDS,
    EXCHANGE,
    FOLLOW,
    JACKS,
    RANKS,
    SnapszerState,
    legal,
)
from overtrick.jit import below, lowest, nth, popcount, rule

__all__ = ["RULEBOOKS", "SIMPLE", "STRONG", "TRICKSTER", "rulebook"]

SIMPLE, STRONG, TRICKSTER = range(3)
RULEBOOKS = {"simple@1": SIMPLE, "strong@1": STRONG, "trickster@1": TRICKSTER}

TENS_AND_ACES = JACKS << RANKS - 2 | JACKS << RANKS - 1


@rule
def rulebook(state: SnapszerState, level: int, stream: Row) -> Choice:
    if level == STRONG:
        return strong(state)
    if level == SIMPLE:
        return simple(state)
    return trickster(state, stream)


@rule
def announcement(state: SnapszerState) -> Choice:
    """What a leader announces who exchanges and marries as soon as he can; 0 for nothing."""
    if state.phase == FOLLOW:
        return 0
    choices = legal(state)
    if choices >> EXCHANGE & 1:
        return EXCHANGE
    return best_marriage(choices, state.trump)


# ---------------------------------------------------------------------------- trickster


@rule
def trickster(state: SnapszerState, stream: Row) -> Choice:
    """Exchanges and marries at once, 40 before 20, never closes, else plays a random card."""
    announced = announcement(state)
    if announced:
        return announced
    cards = legal(state) & ALL_CARDS
    return nth(cards, below(stream, popcount(cards)))


# ---------------------------------------------------------------------------- simple


@rule
def simple(state: SnapszerState) -> Choice:
    """Exchanges and marries at once, never closes, else plays by rules of thumb."""
    announced = announcement(state)
    if announced:
        return announced
    cards = legal(state) & ALL_CARDS
    if state.phase == FOLLOW:
        return simple_answer(cards, state.table, state.led, state.trump)
    if state.is_open or state.must_lead:
        return cheapest(cards, state.trump)
    return dearest(cards)


@rule
def simple_answer(cards: Cards, lead: Cards, led: Cards, trump: Cards) -> Card:
    """Beat in suit with the highest card; ruff tens and aces, cheaply; else throw the cheapest."""
    taking = takers(cards, lead, led, trump)
    if taking & led:
        return dearest(taking & led)
    if taking and lead & TENS_AND_ACES:
        return lowest(taking)
    return cheapest(cards, trump)
