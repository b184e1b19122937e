"""A net that is taught: its weights, its optimizer, and what keeps both steady."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from overtrick.games.game import Game
from overtrick.learn.nets import DualHead, Steady, clip_weights, load_tensors, tensors_of
from overtrick.nets.forward import Net, pack_net
from overtrick.nets.spec import NetSpec

__all__ = ["Learning", "Pupil", "to_numpy", "to_torch"]

Floats = np.ndarray[Any, np.dtype[Any]]
NEVER = 15.0  # the logit, less than 0, of what is avoided, where logits have no bounds


class Learning:
    """A net that learns, of any kind: its optimizer, and what keeps it steady."""

    def __init__(self, net: nn.Module, steady: Steady, beside: nn.Module | None = None) -> None:
        self._module = net
        self._steady = steady
        self._beside = beside  # learns as well, and is never exported
        self._weights = [*net.parameters(), *(beside.parameters() if beside else ())]
        self._optimizer = torch.optim.Adam(self._weights, weight_decay=steady.l2, fused=True)

    def set_rate(self, rate: float) -> None:
        """Learn at this rate from now on."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate

    def descend(self, loss: Tensor, beside: Tensor | None = None, share: float = 1.0) -> None:
        """One step down the gradient of a loss, and of another that is learned beside it.

        That of the other is at most this share of the longest gradient there may be: a long one,
        from few samples, would leave nothing of the first when both are shortened together.
        """
        self._optimizer.zero_grad()
        if beside is not None:
            beside.backward()  # type: ignore[no-untyped-call]
            self._shorten(share)
        loss.backward()  # type: ignore[no-untyped-call]
        self._shorten(1.0)
        self._optimizer.step()
        clip_weights(self._module, self._steady.weight_clip)

    def _shorten(self, share: float) -> None:
        if self._steady.gradient_norm:
            most = share * self._steady.gradient_norm
            torch.nn.utils.clip_grad_norm_(self._weights, most)

    def state(self) -> dict[str, Any]:
        """All that is needed to go on."""
        return {
            "net": self._module.state_dict(),
            "beside": self._beside.state_dict() if self._beside else {},
            "optimizer": self._optimizer.state_dict(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on where another stood."""
        self._module.load_state_dict(state["net"])
        if self._beside:
            self._beside.load_state_dict(state["beside"])
        self._optimizer.load_state_dict(state["optimizer"])


class Pupil(Learning):
    """A plain net that learns.

    Actions to avoid have the lowest logit there is, whatever is taught. A net that also guesses
    what it is not shown has a head for that, which is never exported.
    """

    def __init__(
        self,
        spec: NetSpec,
        steady: Steady,
        seed: int,
        *,
        avoided: Sequence[int] = (),
        guesses: int = 0,
    ) -> None:
        self.spec = spec
        self.net = DualHead(spec, seed)
        self._avoided = list(avoided)
        self._guessing = nn.Linear(spec.body_units, guesses) if guesses else None
        if self._guessing is not None:
            nn.init.zeros_(self._guessing.weight)
            nn.init.zeros_(self._guessing.bias)
        super().__init__(self.net, steady, self._guessing)
        self._avoid()

    def answer(self, flags: Floats) -> tuple[Tensor, Tensor]:
        """Logits and values for flags, to make a loss of."""
        logits, values = self.net(torch.from_numpy(flags).float())
        return logits, values

    def answer_and_guess(self, flags: Floats) -> tuple[Tensor, Tensor, Tensor]:
        """The same, and a logit for each thing that is guessed, [n, guesses]."""
        found = self.net.activations(torch.from_numpy(flags).float())
        logits, values = self.net.heads(found)
        if self._guessing is None:
            return logits, values, logits[:, :0]
        return logits, values, self._guessing(found[self.spec.last_of_body])

    def descend(self, loss: Tensor, beside: Tensor | None = None, share: float = 1.0) -> None:
        """One step down the gradient of a loss, and of another that is learned beside it."""
        super().descend(loss, beside, share)
        self._avoid()

    def _avoid(self) -> None:
        """Bring the actions to avoid back to where they are never chosen."""
        if self._avoided:
            head = self.net.last_of_policy
            with torch.no_grad():
                head.weight[self._avoided] = 0.0
                head.bias[self._avoided] = -(self.spec.logit_clip or NEVER)

    def tensors(self) -> dict[str, Floats]:
        """The weights as they are now."""
        return dict(tensors_of(self.net))

    def begin_with(self, tensors: Mapping[str, Floats]) -> None:
        """Begin with the weights of another net of the same shape."""
        load_tensors(self.net, tensors)
        self._avoid()

    def packed(self, game: Game) -> Net:
        """The net as kernels take it."""
        return pack_net(game, self.spec, self.tensors())


def to_torch(tensors: Mapping[str, Floats]) -> dict[str, Tensor]:
    """Weights as checkpoints keep them."""
    return {name: torch.from_numpy(rows) for name, rows in tensors.items()}


def to_numpy(tensors: Mapping[str, Tensor]) -> dict[str, Floats]:
    """Weights as they come out of a checkpoint."""
    return {name: rows.numpy() for name, rows in tensors.items()}
