"""What a table was laid with, apart from the games: light to import, for those who only keep it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Event", "Place", "Setup"]

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
    deal: str | None = None  # a shared deal: the line of its cards, without choices
