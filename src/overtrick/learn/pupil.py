"""A net that is taught: its weights, its optimizer, and what keeps both steady."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from overtrick.games.game import Game
from overtrick.learn.nets import DualHead, Steady, clip_weights, load_tensors, tensors_of
from overtrick.nets.forward import Net, pack_net
from overtrick.nets.spec import NetSpec

__all__ = ["Pupil"]

Floats = np.ndarray[Any, np.dtype[Any]]


class Pupil:
    """A net with its optimizer."""

    def __init__(self, spec: NetSpec, steady: Steady, seed: int) -> None:
        self.spec = spec
        self.net = DualHead(spec, seed)
        self._steady = steady
        self._optimizer = torch.optim.Adam(
            self.net.parameters(), weight_decay=steady.l2, fused=True
        )

    def set_rate(self, rate: float) -> None:
        """Learn at this rate from now on."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate

    def answer(self, flags: Floats) -> tuple[Tensor, Tensor]:
        """Logits and values for flags, to make a loss of."""
        logits, values = self.net(torch.from_numpy(flags).float())
        return logits, values

    def descend(self, loss: Tensor) -> None:
        """One step down the gradient of a loss."""
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if self._steady.gradient_norm:
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), self._steady.gradient_norm)
        self._optimizer.step()
        clip_weights(self.net, self._steady.weight_clip)

    def tensors(self) -> dict[str, Floats]:
        """The weights as they are now."""
        return dict(tensors_of(self.net))

    def begin_with(self, tensors: Mapping[str, Floats]) -> None:
        """Begin with the weights of another net of the same shape."""
        load_tensors(self.net, tensors)

    def packed(self, game: Game) -> Net:
        """The net as kernels take it."""
        return pack_net(game, self.spec, self.tensors())

    def state(self) -> dict[str, Any]:
        """All that is needed to go on."""
        return {"net": self.net.state_dict(), "optimizer": self._optimizer.state_dict()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on where another stood."""
        self.net.load_state_dict(state["net"])
        self._optimizer.load_state_dict(state["optimizer"])
