"""Choices of a game by the beginnings of their names."""

from __future__ import annotations

from overtrick.errors import BadOption
from overtrick.games.game import Game

__all__ = ["choices_named"]


def choices_named(game: Game, words: list[str]) -> list[tuple[int, int]]:
    """The phases and choices whose names begin with one of these words; each word must fit some."""
    found: set[tuple[int, int]] = set()
    for word in words:
        fitting = {
            (phase, choice)
            for phase, names in enumerate(game.choice_names)
            for choice, name in enumerate(names)
            if word and name.startswith(word)
        }
        if not fitting:
            raise BadOption(f"no choice of {game.name} begins with {word!r}")
        found |= fitting
    return sorted(found)
