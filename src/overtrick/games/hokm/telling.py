"""Hokm as one seat tells it: the trump that was taken automatically."""

from __future__ import annotations

from overtrick.cards import Card, each
from overtrick.games.game import Telling
from overtrick.games.hokm.rules import (
    ALL_CARDS,
    HAND_SIZE,
    ONE_SUIT,
    SUITS,
    SUITS_IN_THE_DECK,
    HokmState,
)
from overtrick.games.hokm.variant import HEURISTIC

__all__ = ["foretold", "sights"]


def sights(view: HokmState) -> dict[str, str]:
    """`trump`: the suit taken, where nobody chooses it."""
    if view.trump_policy != HEURISTIC:
        return {}
    first_trump = int(view.trumps).bit_length() - HAND_SIZE
    return {"trump": SUITS[SUITS_IN_THE_DECK.index(first_trump // HAND_SIZE)]}


def foretold(state: HokmState, told: Telling) -> dict[str, list[Card]]:
    """First cards for the hakem with as much of the trump as there is, and little of the rest."""
    if state.trump_policy != HEURISTIC or state.hakem == told.seat:
        return {}
    unseen = ALL_CARDS & ~told.fixed
    trumps: list[Card] = []
    others: list[tuple[int, Card]] = []
    for suit, name in enumerate(SUITS):
        cards = [*each(unseen & ONE_SUIT << HAND_SIZE * SUITS_IN_THE_DECK[suit])]
        if [name] == told.words("trump"):
            trumps = cards[::-1]
        else:
            others += enumerate(cards)
    spread = [card for _, card in sorted(others)]
    return {str(int(state.hakem)): [*trumps, *spread][: int(state.trump_choice_cards)]}
