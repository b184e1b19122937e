"""Every method learns every game by the contract alone: one tiny iteration of each.

Whether it learns well is told elsewhere; docs/training.md calls this smoke-tested. What an
iteration logs is explained on the page of its method.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from conftest import all_games
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.learn.budget import Budget
from overtrick.learn.methods import METHODS, load_method
from overtrick.learn.workers import LocalWorkers
from pages import ROOT

TINY: dict[str, dict[str, Any]] = {
    "alphazero": {"units": 8, "layers": 1, "sims": 4, "worlds": 2, "lot": 4, "batch": 16},
    "belief": {
        "units": 8,
        "actor_units": 8,
        "critic_units": 8,
        "quick": 4,
        "worlds": 2,
        "candidates": 3,
        "lot": 4,
        "batch": 16,
    },
    "deepcfr": {"units": 8, "layers": 1, "lot": 4, "window": 200, "batch": 16, "watch": 2},
    "direct": {"units": 8, "layers": 1, "lot": 4, "window": 2, "batch": 16},
    "distill": {"units": 8, "layers": 1, "worlds": 2, "lot": 4, "batch": 16},
    "ppo": {
        "units": 8,
        "layers": 1,
        "critic_units": 8,
        "critic_layers": 1,
        "lot": 8,
        "batch": 16,
        "arena_deals": 4,
    },
}

LOSSES = ("VMSE", "QMSE", "surprise")  # a belief player's critic has no lesson without tricks


def explained(method: str, game: Game) -> set[str]:
    """The metrics that a method's page explains, with those of all runs and of the game."""
    page = {"distill": "distillation"}.get(method, method)
    text = "".join(
        (ROOT / "docs" / name).read_text() for name in ("training.md", f"methods/{page}.md")
    )
    books = {f"wins {book.partition('@')[0]}" for book in game.rulebooks}
    return {*re.findall(r"`([^`\n]+)`", text), *(metric.name for metric in game.metrics), *books}


def in_turn() -> list[Any]:
    """Every method with every game; all but the smallest game are for the long tests."""
    quick = "whist3x3"
    return [
        pytest.param(method, game, marks=[] if game == quick else [pytest.mark.long])
        for method in METHODS
        for game in all_games()
    ]


@pytest.mark.parametrize(("method", "game"), in_turn())
def test_a_method_takes_a_step_in_any_game(method: str, game: str) -> None:
    chosen, workers = load_method(method), LocalWorkers(1)
    settings = {name: str(value) for name, value in TINY.get(method, {}).items()}
    config: Any = chosen.configure(load_game(game), settings=settings)
    learner = chosen.begin(load_game(game), config, workers, 1, Budget(1000))
    told = learner.step()
    workers.close()
    assert learner.deals > 0
    losses = [value for name, value in told.items() if "loss" in name or name in LOSSES]
    assert losses
    assert all(np.isfinite(float(loss)) for loss in losses)
    assert not set(told) - explained(method, load_game(game))
    for _, tensors in learner.nets().values():
        assert all(np.isfinite(rows).all() for rows in tensors.values())
