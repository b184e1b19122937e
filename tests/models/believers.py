"""Small belief players for tests: approximators of a few units that learned nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from models.small_models import card_of
from overtrick.belief.minds import Sizes, specs_for
from overtrick.belief.tables import ready
from overtrick.games import load_game
from overtrick.models import Model, save_model


def believing_nets(game: str, *, seed: int = 1, **how: Any) -> dict[str, Any]:
    """Nets with random numbers."""
    rng = np.random.default_rng(seed)
    told = {"backend": "neural", "features": "all", "sizes": Sizes(8, 1, 8, 1, 8, 1), "reach": 10.0}
    found = {}
    for name, spec in specs_for(ready(load_game(game)), **told | how).items():
        shapes = spec.shapes().items()
        tensors = {key: rng.normal(size=shape).astype(np.float32) for key, shape in shapes}
        found[name] = spec, tensors
    return found


def saved_believer(game: str, name: str = "tiny") -> Model:
    """A model that has been kept."""
    card = card_of(game=game, name=name, method="belief", results=[])
    return save_model(card, believing_nets(game), replace=True)
