"""A deal as one seat tells it: how a game lets what was seen come about once more.

A view is rebuilt by replaying the deal with the cards that the seat has not seen lying anywhere.
Before each choice they are arranged so that it can be made and has the effects
that were told: a card that is played, say, changes places with one that nobody has seen. Such
cards are but names until they show, so where they lay before does not matter. What is left to a
game are the facts that are neither cards nor choices, and places other than hands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from overtrick.cards import Card, Cards, each
from overtrick.errors import NoWorldFound
from overtrick.games.contract import HIDDEN, Choice, Seat

__all__ = ["Telling", "arrange_cards", "swap_in_hands", "swapped"]


@dataclass
class Telling:
    """What one seat tells of a deal, while it is replayed."""

    seat: Seat  # who tells
    seen: dict[str, str] = field(default_factory=dict)
    """What the seat saw beyond cards and choices, under the game's names."""
    fixed: Cards = 0
    """Cards whose place has been told: they change places with no other."""
    swap: Callable[[Any, Card, Card], None] = lambda state, one, other: None
    """The game's way to let two unseen cards change places."""
    is_card: Callable[[int, Choice], bool] = lambda phase, choice: False
    """Whether a choice of a phase is a card."""

    def words(self, name: str) -> list[str]:
        """The words of a fact, none if it is not told."""
        return self.seen.get(name, "").split()

    def spare(self, state: Any, seat: Seat) -> Cards:
        """The cards in a seat's hand of which the teller has not seen where they are."""
        return int(state.hands[seat]) & ~(self.fixed | int(state.known[seat]))

    def hold(self, state: Any, seat: Seat, card: Card, keep: Cards = 0) -> None:
        """Let another seat hold a card, in place of a spare one that need not be kept."""
        if int(state.hands[seat]) >> card & 1:
            return
        is_played = any(int(cards) >> card & 1 for cards in state.played)
        spare = self.spare(state, seat) & ~keep
        if is_played or self.fixed >> card & 1:
            raise NoWorldFound("that card lies elsewhere, as has been seen")
        if not spare:
            raise NoWorldFound("every card of that hand is known to be another")
        self.swap(state, card, next(each(spare)))


def swap_in_hands(state: Any, one: Card, other: Card) -> None:
    """Let two cards change places in the hands; the way of games that keep no card elsewhere.

    A card that is in no hand comes from outside, and the other one goes there.
    """
    for seat, hand in enumerate(state.hands):
        state.hands[seat] = swapped(int(hand), one, other)


def swapped(cards: Cards, one: Card, other: Card) -> Cards:
    """A set with one card in place of the other."""
    if cards >> one & 1 == cards >> other & 1:
        return cards
    return cards ^ (1 << one | 1 << other)


def arrange_cards(state: Any, told: Telling, choice: Choice) -> Choice:
    """A card told is held; one that was not seen is any spare one. The choice to make."""
    seat = int(state.seat)
    if seat == told.seat:
        return choice
    if choice == HIDDEN:
        spare = told.spare(state, seat)
        if not told.is_card(int(state.phase), 0) or not spare:
            raise NoWorldFound("it is made in front of everybody")
        return next(each(spare))
    if told.is_card(int(state.phase), choice):
        told.hold(state, seat, choice)
    return choice
