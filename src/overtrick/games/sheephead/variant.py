"""The house rules of Sheephead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from overtrick.games.tally import TallyVariant
from overtrick.games.variant import option

__all__ = [
    "ADD",
    "AT_END",
    "FREE",
    "MOST_PEOPLE",
    "NOLA",
    "ON_PLAY",
    "POINTS",
    "REDEAL",
    "RESET",
    "STANDARD",
    "TRICKS",
    "SheepheadVariant",
]

NOLA, REDEAL = range(2)
STANDARD, FREE = range(2)
ON_PLAY, AT_END = range(2)
TRICKS, POINTS = range(2)
RESET, ADD = range(2)

MOST_PEOPLE = 8


@dataclass(frozen=True)
class SheepheadVariant(TallyVariant):
    """The options of Sheephead; the defaults are those of RULES."""

    game: ClassVar[str] = "sheephead"

    all_pass: str = option(
        "nola",
        "what follows five passes: a hand without trump, or the next deal",
        values=("nola", "redeal"),
    )
    called_obligations: str = option(
        "standard",
        "whether picker and partner keep the called suit until it is led, or follow suit only",
        values=("standard", "free"),
    )
    unknown_shown: str = option(
        "on_play", "when the unknown card is turned up", values=("on_play", "at_end")
    )
    zero_tier: str = option(
        "tricks",
        "who pays most: a side without a trick, or one without points",
        values=("tricks", "points"),
    )
    allow_self_call: bool = option(
        False, "the picker may name a fail ace or ten of his own, and secretly plays alone"
    )
    double_hands: int = option(5, "hands that count double after a 60-60", at_least=0)
    double_restart: str = option(
        "reset", "what a 60-60 in a doubled hand does to the hands left", values=("reset", "add")
    )
    people: int = option(
        5,
        "people at the table; with more than five the dealer and those behind him sit out",
        at_least=5,
        at_most=MOST_PEOPLE,
    )

    def pack(self) -> dict[str, int]:
        """The options as record fields; a word is its place among the allowed ones."""
        packed = {}
        for name, (_, allowed) in self.options().items():
            value = getattr(self, name)
            packed[name] = (
                allowed.values.index(value)
                if isinstance(value, str) and allowed.values
                else int(value)
            )
        return packed
