"""Hokm: the rule-based players.

`simple` plays by the first things that a beginner is told and looks at nothing but his hand and
the trick on the table. `strong` counts every card: see `strong.py`.
"""

from __future__ import annotations

from overtrick.cards import Card, Cards
from overtrick.games.game import Choice, Row
from overtrick.games.hokm.counting import winning_cards
from overtrick.games.hokm.rules import HAND_SIZE, TRUMP, HokmState, heuristic_trump, legal
from overtrick.games.hokm.strong import strong_card, strong_trump
from overtrick.jit import lowest, rule

__all__ = ["RULEBOOKS", "SIMPLE", "STRONG", "rulebook"]

SIMPLE, STRONG = range(2)
RULEBOOKS = {"simple@1": SIMPLE, "strong@1": STRONG}


@rule
def rulebook(state: HokmState, level: int, stream: Row) -> Choice:
    """What a rule-based player names as trump, or plays; neither of them draws lots."""
    if state.phase == TRUMP:
        # The record of a whole deal holds his other cards too, but he has not seen them yet.
        cards = state.first_cards
        return heuristic_trump(cards) if level == SIMPLE else strong_trump(cards)
    return simple_card(state) if level == SIMPLE else strong_card(state)


@rule
def simple_card(state: HokmState) -> Card:
    """Lead low; take a trick as cheaply as possible, whoever has it; else throw a low card."""
    cards = legal(state)
    if state.led == 0:
        return lowest_rank(cards)
    winners = winning_cards(state, cards)
    if winners:
        return lowest(winners)
    side = cards & ~state.trumps
    return lowest_rank(side if side else cards)


@rule
def lowest_rank(cards: Cards) -> Card:
    """The card of the lowest rank; of equals the first in the deck."""
    found, least = 0, HAND_SIZE
    rest = cards
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if card % HAND_SIZE < least:
            found, least = card, card % HAND_SIZE
    return found
