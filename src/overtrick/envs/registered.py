"""The ids under which Gymnasium makes our environments, such as `overtrick/Hearts-v0`."""

from __future__ import annotations

from typing import Any

import gymnasium

from overtrick.games import add_game, game_names
from overtrick.games.game import Game

__all__ = ["SETTINGS", "env_id", "register", "register_all"]

SINGLE = "overtrick.envs.gymnasium:CardGameEnv"
VECTOR = "overtrick.envs.gymnasium:CardGameVectorEnv"

SETTINGS: dict[str, dict[str, Any]] = {
    # One model for both partners against two heuristic players, as in the Coinche paper.
    "overtrick/CoinchePaper-v0": {
        "game": "coinche",
        "variant": "reward_matrix=good,trick_reward=0.1",
        "rewards": "game",
        "team": True,
        "opponents": "rulebook:strong",
    },
}
"""Set-ups with an id of their own."""


def env_id(game: str) -> str:
    """The id of a game's environment."""
    return f"overtrick/{game[:1].upper()}{game[1:]}-v0"


def _enter(identity: str, settings: dict[str, Any]) -> None:
    if identity not in gymnasium.registry:
        gymnasium.register(
            id=identity, entry_point=SINGLE, vector_entry_point=VECTOR, kwargs=settings
        )


def register(game: str | Game) -> str:
    """Give a game an id, and tell it; for games that this process has added itself."""
    name = game if isinstance(game, str) else add_game(game).name
    _enter(env_id(name), {"game": name})
    return env_id(name)


def register_all() -> None:
    """Give an id to every game there is, loading none of them."""
    for name in game_names(hidden=True):
        register(name)
    for identity, settings in SETTINGS.items():
        _enter(identity, settings)
