"""A critic that is shown all hands: what whole deals are worth, learned from those that ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from overtrick.games.game import Game
from overtrick.learn.nets import Steady, value_loss
from overtrick.learn.pupil import Pupil
from overtrick.learn.samples import Samples, lessons
from overtrick.nets.forward import Net
from overtrick.nets.spec import NetSpec

__all__ = ["Critic"]


class Critic:
    """Its net, and how it is taught."""

    def __init__(self, game: Game, spec: NetSpec, steady: Steady, seed: int) -> None:
        self._game = game
        self._seed = seed
        self._pupil = Pupil(spec, steady, seed)
        self._lots = 0  # that it was taught

    def teach(
        self, samples: Samples, *, size: int, rate: float, shuffled: bool
    ) -> dict[str, float]:
        """Teach what deals paid; how far it was from that before, and what it explained of it."""
        self._pupil.set_rate(rate)
        self._lots += 1
        spec = self._pupil.spec
        apart, spread, counted = 0.0, 0.0, 0
        for lesson in lessons(
            self._game,
            spec,
            samples,
            size=size,
            passes=1.0,
            seed=self._seed,
            part=self._lots,
            shuffled=shuffled,
            shown=1.0,
        ):
            _, values = self._pupil.answer(lesson.flags)
            paid = torch.from_numpy(lesson.values)
            loss = value_loss(values, paid)
            self._pupil.descend(loss)
            apart += float(loss.detach()) * len(paid)
            spread += float((lesson.values**2).mean()) * len(paid)
            counted += len(paid)
        if not counted:
            return {}
        return {"critic loss": apart / counted, "critic explained": 1.0 - apart / max(spread, 1e-9)}

    def packed(self) -> Net:
        """The net as kernels take it."""
        return self._pupil.packed(self._game)

    def state(self) -> dict[str, Any]:
        """All that is needed to go on."""
        return {"pupil": self._pupil.state(), "lots": self._lots}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on where another stood."""
        self._pupil.restore(state["pupil"])
        self._lots = int(state["lots"])
