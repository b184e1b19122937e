"""Small models for tests: nets of a few units that learned nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from overtrick.games import load_game
from overtrick.models import METHODS, Model, ModelCard, Result, save_model
from overtrick.nets.forward import blank_tensors
from overtrick.nets.spec import spec_for

Nets = dict[str, Any]

RESULT = Result(
    opponent="random",
    payoff=0.25,
    half_width=0.05,
    win_rate=0.6,
    boards=500,
    seed=3,
    command="overtrick arena kuhn alphazero:kuhn/captain random --boards 500 --seed 3",
)


def card_of(**more: Any) -> ModelCard:
    """A card; what is told differs from the usual one."""
    usual: dict[str, Any] = {
        "game": "kuhn",
        "name": "captain",
        "title": "Captain (AlphaZero)",
        "method": "alphazero",
        "config": {"sims": 8},
        "seed": 1,
        "created": "2026-01-02",
        "deals": 1200,
        "minutes": 2.5,
        "curve": [{"deals": 100 * n, "loss": 1 / n, "phase": "[PLAY]"} for n in range(1, 9)],
        "results": [RESULT],
        "summary": "Learned nothing.",
    }
    return ModelCard(**usual | more)


def nets_of(game: str = "kuhn", method: str = "alphazero", *, seed: int = 1) -> Nets:
    """Nets as a method has them, with random weights."""
    rng = np.random.default_rng(seed)
    spec = spec_for(load_game(game), units=8, layers=1, head=0)
    found: Nets = {}
    for name in METHODS[method].nets:
        blank = blank_tensors(spec)
        shapes = {tensor: weights.shape for tensor, weights in blank.items()}
        drawn = {tensor: rng.normal(size=shape) for tensor, shape in shapes.items()}
        found[name] = spec, {key: rows.astype(np.float32) for key, rows in drawn.items()}
    return found


def saved(
    *, replace: bool = False, folder: Path | None = None, seed: int = 1, **more: Any
) -> Model:
    """A model that has been kept."""
    card = card_of(**more)
    nets = nets_of(card.game, card.method, seed=seed)
    return save_model(card, nets, replace=replace, folder=folder)
