"""Who can sit down: players by names that rebuild them.

A player is given views, never whole deals, and one random stream for each view, so that the
make-up of a batch changes none of its choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

from overtrick.engine.batches import legal_all
from overtrick.engine.playouts import RANDOM, choose_all
from overtrick.errors import BadOption, UnknownName
from overtrick.games.game import Choice, Game, Row
from overtrick.players.advice import Advice, Weighed
from overtrick.players.naming import PlayerName

__all__ = [
    "Advice",
    "LevelPlayer",
    "Player",
    "PlayerName",
    "Weighed",
    "choices_in",
    "make_player",
    "player_kinds",
    "player_names",
]

Records = np.ndarray[Any, Any]


class Player(Protocol):
    """Decides for a seat."""

    name: str  # rebuilds this player through `make_player`

    def choose(self, views: Records, streams: Row) -> Row:
        """One legal choice for each view; the viewer is the seat to act.

        `streams[i]` is the only chance that choice i may depend on; it may be used up.
        """
        ...

    def advise(self, view: Records, stream: Row) -> Iterator[Advice]:
        """Better and better advice for one view, [1] records; stop asking at any time."""
        ...


class LevelPlayer:
    """A player that runs inside kernels: random choices, or one of the game's rulebooks."""

    def __init__(self, game: Game, name: str, level: int) -> None:
        self.game = game
        self.name = name
        self.level = level

    def choose(self, views: Records, streams: Row) -> Row:
        """The choice of the level for each view."""
        choices = np.zeros(len(views), dtype=np.int64)
        choose_all(views, self.level, streams, choices)
        return choices

    def advise(self, view: Records, stream: Row) -> Iterator[Advice]:
        """All on its own choice; at random, the same for each."""
        legal = choices_in(view)
        if self.level == RANDOM:
            weighed = tuple(Weighed(choice, 1 / len(legal)) for choice in legal)
            yield Advice(self.name, weighed, done=True, reason=forced(legal) or "any of them")
            return
        chosen = int(self.choose(view, stream.reshape(1, -1).copy())[0])
        weighed = tuple(Weighed(choice, float(choice == chosen)) for choice in legal)
        yield Advice(self.name, weighed, done=True, reason=forced(legal) or "by its rules")


def choices_in(view: Records) -> list[Choice]:
    """The legal choices of a view, [1] records."""
    legals = np.zeros(1, dtype=np.int64)
    legal_all(view, legals)
    return [choice for choice in range(63) if int(legals[0]) >> choice & 1]


def forced(legal: list[Choice]) -> str:
    """The reason when there is only one choice."""
    return "the only legal choice" if len(legal) == 1 else ""


# ---------------------------------------------------------------------------- names


def _random(game: Game, name: PlayerName) -> Player:
    if name.what or name.settings:
        raise BadOption(f"player {name}: random has no settings")
    return LevelPlayer(game, "random", RANDOM)


def _rulebook(game: Game, name: PlayerName) -> Player:
    """`rulebook` alone is the strong one; without a version it is the newest."""
    if name.settings:
        raise BadOption(f"player {name}: a rulebook has no settings")
    wanted = name.what or "strong"
    versions = [book for book in game.rulebooks if wanted in (book, book.partition("@")[0])]
    if not versions:
        raise UnknownName(f"rulebook of {game.name}", wanted, game.rulebooks)
    newest = max(versions, key=lambda book: int(book.partition("@")[2]))
    return LevelPlayer(game, f"rulebook:{newest}", game.rulebooks[newest])


_KINDS: dict[str, Callable[[Game, PlayerName], Player]] = {
    "random": _random,
    "rulebook": _rulebook,
}


def player_kinds() -> list[str]:
    """The kinds of players there are."""
    return sorted(_KINDS)


def player_names(game: Game) -> list[str]:
    """The players that can sit down to a game without further settings."""
    return ["random", *(f"rulebook:{book}" for book in game.rulebooks)]


def make_player(name: str, game: Game) -> Player:
    """The player of this name, for this game."""
    parts = PlayerName.read(name)
    if parts.kind not in _KINDS:
        raise UnknownName("player", name.strip(), [*_KINDS])
    return _KINDS[parts.kind](game, parts)
