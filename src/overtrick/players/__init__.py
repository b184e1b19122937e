"""Who can sit down: players by names that rebuild them.

A player is given views, never whole deals, and one random stream for each view, so that the
make-up of a batch changes none of its choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from overtrick.errors import OvertrickError, UnknownName
from overtrick.games.game import Game, Row, Variant
from overtrick.players.advice import Advice, Weighed
from overtrick.players.clairvoyant import clairvoyant_player
from overtrick.players.levels import LevelPlayer, choices_in, random_player, rulebook_player
from overtrick.players.naming import PlayerName
from overtrick.players.searching import ismcts_player, pimc_player, puct_player

__all__ = [
    "Advice",
    "LevelPlayer",
    "Player",
    "PlayerName",
    "Weighed",
    "choices_in",
    "close_players",
    "make_player",
    "plain_names",
    "player_kinds",
    "player_names",
    "sees_all",
    "tell_match",
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


# ---------------------------------------------------------------------------- names


def _from(module: str, which: str) -> Callable[[Game, PlayerName], Player]:
    """A kind of players that is loaded once somebody asks for one: with nets, or programs."""

    def make(game: Game, name: PlayerName) -> Player:
        made: Callable[[Game, PlayerName], Player]
        made = getattr(import_module(f"overtrick.players.{module}"), which)
        return made(game, name)

    return make


_KINDS: dict[str, Callable[[Game, PlayerName], Player]] = {
    "random": random_player,
    "rulebook": rulebook_player,
    "pimc": pimc_player,
    "puct": puct_player,
    "ismcts": ismcts_player,
    "clairvoyant": clairvoyant_player,
    "alphazero": _from("neural", "alphazero_player"),
    "net": _from("neural", "policy_player"),
    "ppo": _from("neural", "policy_player"),
    "direct": _from("neural", "direct_player"),
    "belief": _from("believing", "belief_player"),
    "cfr": _from("regret", "regret_player"),
    "exec": _from("external", "exec_player"),
    "bot": _from("external", "bot_player"),
}


SEARCHES = ("pimc", "puct", "ismcts")


def player_kinds() -> list[str]:
    """The kinds of players there are."""
    return sorted(_KINDS)


def player_names(game: Game) -> list[str]:
    """The honest players that can sit down to a game without further settings."""
    from overtrick.models import list_models, player_of  # only those who ask need them

    found = plain_names(game)
    for model in list_models(game):
        with suppress(OvertrickError):  # of a kind that cannot sit down
            found.append(make_player(player_of(model), game).name)
    return found


def plain_names(game: Game) -> list[str]:
    """Those of them that need no model."""
    books = [f"rulebook:{book}" for book in game.rulebooks]
    return ["random", *books, *(make_player(kind, game).name for kind in SEARCHES)]


def make_player(name: str, game: Game) -> Player:
    """The player of this name, for this game."""
    parts = PlayerName.read(name)
    if parts.kind not in _KINDS:
        raise UnknownName("player", name.strip(), [*_KINDS])
    return _KINDS[parts.kind](game, parts)


# ---------------------------------------------------------------------------- programs


def sees_all(player: Player) -> bool:
    """Whether a player is given whole deals in the place of views: a yardstick, no real player."""
    return bool(getattr(player, "sees_all", False))


def tell_match(player: Player, variant: Variant, matches: Records) -> None:
    """Tell a player that wants to know the matches around the next views: one each, or one."""
    hear = getattr(player, "hear_match", None)
    if hear is not None:
        hear(variant, matches)


def close_players(players: Iterable[Player]) -> None:
    """End the programs among these players."""
    for player in players:
        close = getattr(player, "close", None)
        if close is not None:
            close()
