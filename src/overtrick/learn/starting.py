"""Runs that begin with the net of a trained model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from overtrick.errors import BadOption
from overtrick.games.game import Game
from overtrick.models import find_model
from overtrick.nets.packing import PlayingSpec
from overtrick.nets.spec import NetSpec

__all__ = ["sharpened", "starting_tensors"]

Floats = np.ndarray[Any, np.dtype[Any]]


def starting_tensors(
    game: Game, ref: str, spec: PlayingSpec, net: str = "main"
) -> dict[str, Floats]:
    """The weights of a model's net, for a run whose net is of this spec.

    A net that may also be shown the hands of the others begins with no opinion on them; one that
    may not begins as the other plays when they are not shown.
    """
    model = find_model(ref, game)
    if net not in model.nets:
        raise BadOption(f"a run cannot start from {ref}: it has no net {net!r}")
    told = model.nets[net]
    if told.kind != spec.kind:
        raise BadOption(f"a run cannot start from {ref}: its net is a {told.kind} net")
    if not isinstance(told, NetSpec) or not isinstance(spec, NetSpec):
        if told != spec:
            raise BadOption(f"a run cannot start from {ref}: a net {told.body}, not {spec.body}")
        return dict(model.tensors()[net])
    for name in ("encoding", "digest", "value", "output", "reach"):
        if getattr(told, name) != getattr(spec, name):
            raise BadOption(
                f"a run cannot start from {ref}: its {name} is {getattr(told, name)}, "
                f"not {getattr(spec, name)}"
            )
    if told.body != spec.body:
        raise BadOption(f"a run cannot start from {ref}: a net {told.body}, not {spec.body}")
    tensors = dict(model.tensors()[net])
    for layer in spec.layers():
        if not layer.source:
            weights = tensors[f"{layer.name}.weight"][:, : layer.inputs]
            unseen = np.zeros((layer.outputs, layer.inputs - weights.shape[1]), weights.dtype)
            tensors[f"{layer.name}.weight"] = np.concatenate([weights, unseen], axis=1)
    return tensors


def sharpened(
    spec: PlayingSpec, tensors: Mapping[str, Floats], times: float
) -> Mapping[str, Floats]:
    """The same net with logits so many times as large: it draws its best choices oftener."""
    if times == 1.0:
        return tensors
    if not isinstance(spec, NetSpec):
        raise BadOption("only a net of plain layers can be sharpened")
    return {
        name: rows * np.float32(times) if name.startswith("policy.out.") else rows
        for name, rows in tensors.items()
    }
