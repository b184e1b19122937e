"""Players that run inside kernels: random choices, and the rulebooks of the games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from overtrick.engine.batches import legal_all
from overtrick.engine.playouts import RANDOM, choose_all
from overtrick.errors import BadOption, UnknownName
from overtrick.games.game import Choice, Game, Row
from overtrick.players.advice import Advice, Weighed
from overtrick.players.naming import PlayerName

__all__ = [
    "LevelPlayer",
    "choices_in",
    "forced",
    "level_player",
    "playout_player",
    "random_player",
    "rulebook_player",
]

Records = np.ndarray[Any, Any]


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


# ---------------------------------------------------------------------------- by name


def random_player(game: Game, name: PlayerName) -> LevelPlayer:
    """`random`."""
    if name.what or name.settings:
        raise BadOption(f"player {name}: random has no settings")
    return LevelPlayer(game, "random", RANDOM)


def rulebook_player(game: Game, name: PlayerName) -> LevelPlayer:
    """`rulebook` alone is the strong one; without a version it is the newest."""
    if name.settings:
        raise BadOption(f"player {name}: a rulebook has no settings")
    wanted = name.what or "strong"
    versions = [book for book in game.rulebooks if wanted in (book, book.partition("@")[0])]
    if not versions:
        raise UnknownName(f"rulebook of {game.name}", wanted, game.rulebooks)
    newest = max(versions, key=lambda book: int(book.partition("@")[2]))
    return LevelPlayer(game, f"rulebook:{newest}", game.rulebooks[newest])


def level_player(game: Game, text: str) -> LevelPlayer:
    """A player named inside another's name: who makes playouts, or whom others are taken for."""
    name = PlayerName.read(text)
    if name.kind == "random":
        return random_player(game, name)
    if name.kind == "rulebook":
        return rulebook_player(game, name)
    raise UnknownName("playout player", text, ["random", "rulebook"])


def playout_player(game: Game, name: str = "") -> LevelPlayer:
    """Who plays a game's playouts, if nobody is named."""
    usual = "rulebook" if game.rulebooks else "random"
    return level_player(game, name or game.search_defaults.get("playout", usual))
