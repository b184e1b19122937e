"""What a table was laid with, apart from the games: light to import, for those who only keep it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["Event", "Place", "Setup", "variant_options"]

Place = int
"""A place at the table, which stays the same from deal to deal."""
Event = Mapping[str, Any]
"""Something that happened at a table, as JSON tells it; see `tables`."""


@dataclass(frozen=True)
class Setup:
    """What a table was laid with; the seed and the secret never leave the house."""

    game: str
    variant: str  # as `Variant.text` writes it
    players: tuple[str, ...]  # by place
    names: tuple[str, ...]  # of the people, by place; empty for none
    seed: int  # shuffles
    secret: int  # the chance of the bots
    deal: str | None = None  # a shared deal, or one tried again: its line, with what stays chosen
    retry: bool = False  # laid from a moment of a finished deal
    first: int = 0  # number of the first deal: bots choose by it

    @classmethod
    def read(cls, text: str) -> Setup:
        """The setup of a text, by this or an older version."""
        told = json.loads(text)
        return cls(**told | {name: tuple(told[name]) for name in ("players", "names")})

    def text(self) -> str:
        """As it is kept."""
        return json.dumps(asdict(self))


def variant_options(variant: str) -> dict[str, bool | int | str]:
    """The options of a variant that are not as usual, told without loading the game."""
    told: dict[str, bool | int | str] = {}
    for part in filter(None, variant.split(",")):
        name, _, value = part.partition("=")
        if value in ("true", "false"):
            told[name] = value == "true"
        else:
            told[name] = int(value) if value.removeprefix("-").isdecimal() else value
    return told
