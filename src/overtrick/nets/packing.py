"""Nets of any kind, packed for play and asked for their word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from overtrick.errors import BadOption
from overtrick.games.game import Game
from overtrick.nets.approximators import ApproximatorSpec
from overtrick.nets.evaluating import NetEvaluator
from overtrick.nets.forward import Net, pack_net
from overtrick.nets.pointer import PackedPointer, PointerEvaluator, pack_pointer
from overtrick.nets.pointer_spec import PointerSpec
from overtrick.nets.spec import NetSpec

__all__ = ["KINDS", "AnyEvaluator", "AnySpec", "Packed", "PlayingSpec", "evaluator_of", "pack"]

Floats = np.ndarray[Any, np.dtype[Any]]
PlayingSpec = NetSpec | PointerSpec  # of nets that choose by themselves
AnySpec = PlayingSpec | ApproximatorSpec
Packed = Net | PackedPointer
AnyEvaluator = NetEvaluator | PointerEvaluator

KINDS: Mapping[str, type[NetSpec] | type[PointerSpec] | type[ApproximatorSpec]] = {
    "mlp": NetSpec,
    "pointer": PointerSpec,
    "approximator": ApproximatorSpec,
}
"""The specs by their kind."""


def pack(game: Game, spec: AnySpec, tensors: Mapping[str, Floats]) -> Packed:
    """A net as its evaluator takes it: tensors by the names of its spec."""
    if isinstance(spec, PointerSpec):
        return pack_pointer(game, spec, tensors)
    if isinstance(spec, ApproximatorSpec):
        raise BadOption(f"a net of {game.name} that is asked by belief players only")
    return pack_net(game, spec, tensors)


def evaluator_of(game: Game, packed: Packed) -> AnyEvaluator:
    """What tells a packed net's word on views."""
    if isinstance(packed, PackedPointer):
        return PointerEvaluator(game, packed)
    return NetEvaluator(game, packed)
