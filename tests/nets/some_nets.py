"""Nets with random weights, for any game."""

from __future__ import annotations

from typing import Any

import numpy as np

from conftest import legals_of, random_positions, views_of
from overtrick.games.game import OVER, Game
from overtrick.nets.forward import Net, pack_net
from overtrick.nets.pointer import PackedPointer, pack_pointer
from overtrick.nets.pointer_spec import PointerSpec, pointer_spec_for
from overtrick.nets.spec import NetSpec, spec_for

Records = np.ndarray[Any, Any]


def some_tensors(spec: NetSpec, seed: int = 0) -> dict[str, Records]:
    rng = np.random.default_rng(seed)
    found = {}
    for layer in spec.layers():
        shape = (layer.outputs, layer.inputs)
        size = np.sqrt(4 / (layer.inputs + layer.outputs))
        found[f"{layer.name}.weight"] = (size * rng.standard_normal(shape)).astype(np.float32)
        found[f"{layer.name}.bias"] = rng.standard_normal(layer.outputs).astype(np.float32) / 8
    return found


def some_net(game: Game, seed: int = 0, **settings: Any) -> tuple[NetSpec, Net]:
    spec = spec_for(game, **{"units": 16, "layers": 2, "head": 8} | settings)
    return spec, pack_net(game, spec, some_tensors(spec, seed))


def pointer_numbers(spec: PointerSpec, seed: int = 0) -> dict[str, Records]:
    """Random weights of a pointer net that lets every tensor have its say."""
    rng = np.random.default_rng(seed)
    found = {}
    for name, shape in spec.shapes().items():
        size = 0.3 if name.startswith("embed.") else np.sqrt(1 / shape[-1])
        drawn = size * rng.standard_normal(shape) + name.endswith("norm.weight")
        found[name] = drawn.astype(np.float32)
    return found


def some_pointer(game: Game, seed: int = 0, **settings: Any) -> tuple[PointerSpec, PackedPointer]:
    spec = pointer_spec_for(game, **{"size": "small", "logit_clip": 0.0} | settings)
    return spec, pack_pointer(game, spec, pointer_numbers(spec, seed))


def some_deals(game: Game, count: int = 64, seed: int = 0) -> Records:
    """Deals of the default rules that go on."""
    states = random_positions(game, count, seed, game.variant()).states
    return states[states["phase"] != OVER]


def their_views(states: Records) -> Records:
    """What the seats to act know."""
    return views_of(states, states["seat"])


def with_a_choice(states: Records) -> Records:
    """The deals in which there is something to choose."""
    legals = legals_of(states)
    return states[legals & legals - 1 != 0]
