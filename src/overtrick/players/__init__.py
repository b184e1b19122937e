"""Who can sit down: players by names that rebuild them.

A player is given views, never whole deals, and one random stream for each view, so that the
make-up of a batch changes none of its choices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from overtrick.engine.batches import choose_at_random, legal_all
from overtrick.errors import UnknownName
from overtrick.games.game import Game, Row

__all__ = ["Player", "RandomPlayer", "make_player", "player_names"]

Records = np.ndarray[Any, Any]


class Player(Protocol):
    """Decides for a seat."""

    name: str  # rebuilds this player through `make_player`

    def choose(self, views: Records, streams: Row) -> Row:
        """One legal choice for each view; the viewer is the seat to act.

        `streams[i]` is the only chance that choice i may depend on; it may be used up.
        """
        ...


class RandomPlayer:
    """Any legal choice, each as likely as the others."""

    name = "random"

    def choose(self, views: Records, streams: Row) -> Row:
        """A random legal choice for each view."""
        legals = np.zeros(len(views), dtype=np.int64)
        choices = np.zeros(len(views), dtype=np.int64)
        legal_all(views, legals)
        choose_at_random(legals, streams, choices)
        return choices


_KINDS: dict[str, Callable[[Game], Player]] = {"random": lambda game: RandomPlayer()}


def player_names() -> list[str]:
    """The kinds of players there are."""
    return sorted(_KINDS)


def make_player(name: str, game: Game) -> Player:
    """The player of this name, for this game."""
    if name.strip() not in _KINDS:
        raise UnknownName("player", name, _KINDS)
    return _KINDS[name.strip()](game)
