"""The house rules of New game: its options, with their defaults and what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from newgame.rules import DECK, RANKS, SUITS
from overtrick.games.game import Variant, option

__all__ = ["TRUMPS", "NewGameVariant"]

TRUMPS = {"none": 0} | {suit: DECK.set([rank + suit for rank in RANKS]) for suit in SUITS}


@dataclass(frozen=True)
class NewGameVariant(Variant):
    """The options of New game."""

    game: ClassVar[str] = "newgame"

    trump: str = option("S", "the suit that beats the others", values=tuple(TRUMPS))
    target: int = option(10, "the match ends when a seat has this many tricks", at_least=1)

    def pack(self) -> dict[str, int]:
        """Options as the records hold them: ints, under the names of fields of the records."""
        return {"trump": TRUMPS[self.trump], "target": self.target}
