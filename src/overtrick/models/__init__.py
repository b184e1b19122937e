"""Trained players: exported nets with a card that tells how they were made and how strong they are.

A model is a folder GAME/NAME of three files: `card.json`, `spec.json` and `net.safetensors`.
Shipped ones lie in this package, the user's own in his data folder. docs/models.md tells more.
"""

from __future__ import annotations

from overtrick.models.cards import METHODS, MODEL_PLAYERS, ModelCard, Result
from overtrick.models.store import (
    Model,
    Stamp,
    add_result,
    export_model,
    find_model,
    import_model,
    is_path,
    list_models,
    model_folders,
    model_names,
    player_of,
    save_model,
    verify_model,
)

__all__ = [
    "METHODS",
    "MODEL_PLAYERS",
    "Model",
    "ModelCard",
    "Result",
    "Stamp",
    "add_result",
    "export_model",
    "find_model",
    "import_model",
    "is_path",
    "list_models",
    "model_folders",
    "model_names",
    "player_of",
    "save_model",
    "verify_model",
]
