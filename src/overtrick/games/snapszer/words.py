"""Snapszer in words: how people at the table name cards and what they announce.

Hungarian and English, in any case, with or without accents: "makk tíz", "piros ász", "ten of
acorns"; "betakarok", "cserélek", "van 40 makk", "húsz tök".
"""

from __future__ import annotations

import unicodedata

from overtrick.cards import Card, Deck
from overtrick.errors import BadNotation
from overtrick.games.game import Choice
from overtrick.games.snapszer.rules import CLOSE, DECK, EXCHANGE, FOLLOW, MARRY

__all__ = ["SNAPSZER_DECK", "SUIT_NAMES", "read_choice"]

SUIT_NAMES = ("hearts", "bells", "leaves", "acorns")
_SUITS = (
    ("h", "piros", "hearts"),
    ("b", "tok", "bells"),
    ("l", "zold", "leaves"),
    ("a", "makk", "acorns"),
)
_RANKS = (
    ("j", "also", "jack"),
    ("q", "felso", "queen"),
    ("k", "kiraly", "king"),
    ("t", "tiz", "tizes", "10", "ten"),
    ("a", "asz", "ace"),
)
_CLOSE = {"close", "betakarok", "betakarom"}
_EXCHANGE = {"exchange", "cserelek", "csere"}
_MARRY = {"marry", "20", "40", "husz", "negyven"}


def _plain(text: str) -> list[str]:
    """The words of a text, small and without accents; little words left out."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    ascii_only = "".join(letter for letter in letters if not unicodedata.combining(letter))
    words = ascii_only.replace(":", " ").split()
    return [word for word in words if word not in ("van", "of")]


def _named() -> dict[tuple[str, ...], Card]:
    cards: dict[tuple[str, ...], Card] = {}
    for card in range(len(DECK)):
        suit, rank = divmod(card, len(_RANKS))
        for first in _SUITS[suit][1:]:
            for second in _RANKS[rank]:
                cards[first, second] = cards[second, first] = card
                cards[(first + second,)] = card
    return cards


_CARDS = _named()
_SUIT_OF = {word: suit for suit, words in enumerate(_SUITS) for word in words}


class SnapszerDeck(Deck):
    """The deck, which also knows the Hungarian names of its cards."""

    def card(self, text: str) -> Card:
        """The card that a person wrote: `Ta`, `10a`, `makk tíz`, `ten of acorns`."""
        named = _CARDS.get(tuple(_plain(text)))
        return super().card(text) if named is None else named


SNAPSZER_DECK = SnapszerDeck(DECK.names)


def read_choice(phase: int, text: str) -> Choice | None:
    """The choice that a person wrote, None for nonsense."""
    try:
        return SNAPSZER_DECK.card(text)
    except BadNotation:
        return None if phase == FOLLOW else _announcement(_plain(text))


def _announcement(words: list[str]) -> Choice | None:
    """Close, exchange, or marry with a suit before or after it."""
    if len(words) == 1:
        if words[0] in _CLOSE:
            return CLOSE
        return EXCHANGE if words[0] in _EXCHANGE else None
    if len(words) == 2 and _MARRY & set(words):
        suits = [_SUIT_OF[word] for word in words if word in _SUIT_OF]
        return MARRY + suits[0] if len(suits) == 1 else None
    return None
