"""The games, by name: every folder here, and those that other packages register.

A package outside adds a game by an entry point in the group `overtrick.games` that names its
`Game` object.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from overtrick.errors import UnknownName

if TYPE_CHECKING:
    from overtrick.games.game import Game

__all__ = ["add_game", "game_names", "load_game"]

_added: dict[str, Game] = {}


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
    return names if hidden else [name for name in names if not load_game(name).hidden]


def load_game(name: str) -> Game:
    """The game of this name."""
    if name in _added:
        return _added[name]
    if name in _folders():
        game: Game = import_module(f"overtrick.games.{name}").GAME
    elif name in _outside():
        module, _, attribute = _outside()[name].partition(":")
        game = getattr(import_module(module), attribute or "GAME")
    else:
        raise UnknownName("game", name, game_names())
    return add_game(game)
