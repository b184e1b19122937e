"""Cards and card sets: a set is one int64, bit = card; and how people write them.

A `Deck` names the cards of a game, lowest bit first. Most decks run suit by suit with ranks
ascending, so that inside one suit the higher bit is the higher card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from overtrick.errors import BadNotation

__all__ = [
    "CLUBS",
    "DIAMONDS",
    "FRENCH_52",
    "HEARTS",
    "SPADES",
    "Card",
    "Cards",
    "Deck",
    "each",
    "one",
    "suit_deck",
]

Card = int
Cards = int

SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def one(card: Card) -> Cards:
    """The set of this card alone."""
    return 1 << card


def each(cards: Cards) -> Iterator[Card]:
    """The cards of a set, lowest bit first."""
    rest = int(cards)
    while rest:
        lowest = rest & -rest
        yield lowest.bit_length() - 1
        rest ^= lowest


@dataclass(frozen=True)
class Deck:
    """The cards of a game by name. Index in `names` = card = bit."""

    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)

    @property
    def all(self) -> Cards:
        """The set of all cards."""
        return (1 << len(self.names)) - 1

    @cached_property
    def _cards(self) -> dict[str, Card]:
        cards = {}
        for card, name in enumerate(self.names):
            spellings = {name, name.upper(), name.lower(), self.pretty(card)}
            if name[:-1] == "T":
                spellings |= {f"10{name[-1]}", f"10{name[-1].lower()}"}
            for spelling in spellings:
                cards[spelling] = card
        return cards

    def card(self, text: str) -> Card:
        """The card that a person wrote: `QS`, `qs`, `10H`, `Q♠`."""
        try:
            return self._cards[text.strip()]
        except KeyError:
            raise BadNotation(
                f"{text!r} is not a card; cards are written like "
                f"{self.names[0]} or {self.names[-1]}"
            ) from None

    def text(self, card: Card) -> str:
        """A card's name."""
        return self.names[card]

    def pretty(self, card: Card) -> str:
        """A card with its suit as a symbol, where it has one."""
        name = self.names[card]
        return name[:-1] + SYMBOLS.get(name[-1], name[-1])

    def texts(self, cards: Cards | Iterable[Card]) -> str:
        """Cards separated by spaces; a set is written lowest bit first."""
        listed: Iterable[Card] = each(cards) if isinstance(cards, int) else cards
        return " ".join(self.names[card] for card in listed)

    def sequence(self, text: str | Sequence[str]) -> list[Card]:
        """The cards in a text, in its order; separated by spaces or commas."""
        words = text.replace(",", " ").split() if isinstance(text, str) else text
        return [self.card(word) for word in words]

    def set(self, text: str | Sequence[str]) -> Cards:
        """The cards in a text, as a set; one named twice is refused."""
        cards = 0
        for card in self.sequence(text):
            if cards >> card & 1:
                raise BadNotation(f"{self.names[card]} is named twice")
            cards |= 1 << card
        return cards


def suit_deck(suits: str, ranks: str) -> Deck:
    """A deck that runs suit by suit, ranks ascending."""
    return Deck(tuple(rank + suit for suit in suits for rank in ranks))


CLUBS, DIAMONDS, SPADES, HEARTS = range(4)
FRENCH_52 = suit_deck("CDSH", "23456789TJQKA")
