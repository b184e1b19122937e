"""What a learner remembers: the samples of its last iterations."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from overtrick.games.game import Game, Row
from overtrick.learn.samples import Samples

__all__ = ["Memory"]

LOT = "samples-{}.npz"


class Memory:
    """Lots of samples, the oldest forgotten as soon as the others are enough."""

    def __init__(self, game: Game, window: int) -> None:
        self._game = game
        self._window = window  # samples
        self._lots: list[Samples] = []

    def __len__(self) -> int:
        return sum(map(len, self._lots))

    def add(self, lot: Samples) -> None:
        """Remember a lot."""
        self._lots.append(lot)
        while sum(map(len, self._lots[1:])) >= self._window:
            del self._lots[0]

    def draw(self, count: int, chance: np.random.Generator) -> Samples:
        """So many samples: each as often as any other, or once more."""
        size = len(self)
        if not size or not count:
            return Samples.none(self._game)
        orders = [chance.permutation(size)[: count - n] for n in range(0, count, size)]
        return self._take(np.sort(np.concatenate(orders)))

    def _take(self, rows: Row) -> Samples:
        """The samples with these numbers, which are in order."""
        parts, first = [], 0
        for lot in self._lots:
            low, high = np.searchsorted(rows, [first, first + len(lot)])
            parts.append(lot.take(rows[low:high] - first))
            first += len(lot)
        return Samples.joined(parts)

    def all(self) -> Samples:
        """Everything, the oldest first."""
        return Samples.joined([Samples.none(self._game), *self._lots])

    def save(self, folder: Path) -> None:
        """Write everything into a folder."""
        for number, lot in enumerate(self._lots):
            lot.save(folder / LOT.format(number))

    def load(self, folder: Path) -> None:
        """Read what `save` wrote into a folder in which nothing else of the kind is."""
        count = len(list(folder.glob(LOT.format("*"))))
        paths = [folder / LOT.format(number) for number in range(count)]
        self._lots = [Samples.load(self._game, path) for path in paths]
