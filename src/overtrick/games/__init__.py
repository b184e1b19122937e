"""The games, by name: every folder here, and those that other packages register.

A package outside adds a game by an entry point in the group `overtrick.games` that names its
`Game` object. One that cannot be loaded is told of and left out, so that the others are played.
"""

from __future__ import annotations

import logging
import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from overtrick.errors import BrokenGame, UnknownName

if TYPE_CHECKING:
    from overtrick.games.game import Game

__all__ = ["add_game", "game_names", "load_game", "loaded_games"]

_added: dict[str, Game] = {}
_broken: set[str] = set()  # those that were told of

log = logging.getLogger("overtrick.games")


def add_game(game: Game) -> Game:
    """Make a game known in this process, under its name."""
    _added[game.name] = game
    return game


@cache
def _folders() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]


@cache
def _outside() -> dict[str, str]:
    return {entry.name: entry.value for entry in entry_points(group="overtrick.games")}


def game_names(*, hidden: bool = False) -> list[str]:
    """The names of the games for card players; with `hidden` also the test games."""
    names = sorted({*_folders(), *_outside(), *_added})
    return names if hidden else [game.name for game in loaded_games()]


def loaded_games(*, hidden: bool = False) -> list[Game]:
    """The games themselves, but for those of other packages that cannot be loaded."""
    loaded: list[Game] = []
    for name in game_names(hidden=True):
        try:
            loaded.append(load_game(name))
        except BrokenGame as error:
            if name not in _broken:
                log.warning("%s", error)
            _broken.add(name)
    return [game for game in loaded if hidden or not game.hidden]


def load_game(name: str) -> Game:
    """The game of this name."""
    if name in _added:
        return _added[name]
    if name in _folders():
        game: Game = import_module(f"overtrick.games.{name}").GAME
    elif name in _outside():
        game = _from_outside(name, _outside()[name])
    else:
        raise UnknownName("game", name, game_names())
    return add_game(game)


def _from_outside(name: str, place: str) -> Game:
    """The game that another package has in this place; whatever is wrong with it is told."""
    from overtrick.games.game import Game

    module, _, attribute = place.partition(":")
    try:
        game = getattr(import_module(module), attribute or "GAME")
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise BrokenGame(f"the game {name!r} cannot be loaded from {place}: {what}") from error
    if not isinstance(game, Game):
        raise BrokenGame(f"the game {name!r}: {place} is no Game but a {type(game).__name__}")
    if game.name != name:
        raise BrokenGame(f"the game {name!r}: the one in {place} is called {game.name!r}")
    return game
