"""Samples of regrets, packed: what a net is shown and told, a few hundred bytes each.

flags      the view as its encoding tells it, a bit a flag
legal      the legal actions, a bit each
told       for every action its regret, in the net's reach; or its share, for average policies
paid       what the deal then paid, in the net's reach, to every seat from the viewer on
iteration  of the run that made it
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from overtrick.engine.observations import expand
from overtrick.games.game import Game
from overtrick.nets.spec import NetSpec

__all__ = [
    "Regrets",
    "Reservoir",
    "blank_regrets",
    "flags_of",
    "legal_of",
    "regrets_dtype",
    "take_rows",
]

Regrets = np.ndarray[Any, Any]
"""[n] records of `regrets_dtype`."""


def regrets_dtype(inputs: int, actions: int, seats: int) -> np.dtype[Any]:
    """The record of a sample; little-endian and without gaps, as it lies in files."""
    return np.dtype(
        [
            ("flags", "<i8", (-(-inputs // 64),)),
            ("legal", "u1", (-(-actions // 8),)),
            ("told", "<f2", (actions,)),
            ("paid", "<f2", (seats,)),
            ("iteration", "<u2"),
        ]
    )


def blank_regrets(game: Game, spec: NetSpec, count: int) -> Regrets:
    """Room for so many samples."""
    return np.zeros(count, dtype=regrets_dtype(spec.inputs, spec.actions, game.seats))


def flags_of(samples: Regrets, spec: NetSpec) -> np.ndarray[Any, Any]:
    """What a net is shown, [n, inputs] bytes."""
    return expand(np.ascontiguousarray(samples["flags"]), spec.inputs)


def legal_of(samples: Regrets, spec: NetSpec) -> np.ndarray[Any, Any]:
    """Which actions are legal, [n, actions] booleans."""
    bits = np.unpackbits(samples["legal"], axis=1, count=spec.actions, bitorder="little")
    return bits.astype(np.bool_)


def take_rows(lots: Sequence[Regrets], rows: np.ndarray[Any, Any]) -> Regrets:
    """The samples with these numbers in all lots, one after the other, in the order of the rows.

    Only these are copied: several lots may be most of the memory there is.
    """
    order = np.argsort(rows)
    sorted_rows = rows[order]
    ends = [*accumulate(map(len, lots), initial=0)]
    cuts = np.searchsorted(sorted_rows, ends)
    found = np.empty(len(rows), dtype=lots[0].dtype)
    for lot, end, (low, high) in zip(lots, ends, pairwise(cuts), strict=False):
        found[order[low:high]] = lot[sorted_rows[low:high] - end]
    return found


class Reservoir:
    """A memory in which every sample that ever came has the same chance to be.

    As long as there is room all are kept; then the n-th takes the place of any other with
    probability room / n.
    """

    def __init__(self, room: int, dtype: np.dtype[Any]) -> None:
        self._room = room
        self._kept = np.zeros(0, dtype=dtype)
        self.seen = 0

    def __len__(self) -> int:
        return min(self.seen, self._room)

    @property
    def samples(self) -> Regrets:
        """All that is kept."""
        return self._kept[: len(self)]

    def add(self, samples: Regrets, chance: np.random.Generator) -> None:
        """Let samples come, one after the other."""
        fitting = samples[: max(0, self._room - self.seen)]
        if len(fitting):
            self._make_room(self.seen + len(fitting))
            self._kept[self.seen : self.seen + len(fitting)] = fitting
        late = samples[len(fitting) :]
        if len(late):
            orders = np.arange(self.seen + len(fitting), self.seen + len(samples)) + 1
            places = (chance.random(len(late)) * orders).astype(np.int64)
            taken = np.flatnonzero(places < self._room)
            self._kept[places[taken]] = late[taken]  # the last one stays, if two take one place
        self.seen += len(samples)

    def _make_room(self, size: int) -> None:
        if size > len(self._kept):
            grown = np.zeros(min(self._room, max(size, 2 * len(self._kept))), self._kept.dtype)
            grown[: len(self._kept)] = self._kept
            self._kept = grown

    def restore(self, samples: Regrets, seen: int) -> None:
        """Go on where another stood."""
        self._kept = samples.astype(self._kept.dtype)
        self.seen = seen
