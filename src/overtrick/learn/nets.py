"""Nets as they learn: the layers of a spec in PyTorch, and their losses.

    L = (z - v)² - π · log p + c ‖θ‖²

z is what the deal paid, π what the search would choose. The first term is told as VMSE, the second
as PCE; the third is the optimizer's. Everything else that keeps learning steady is in `Steady`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor, nn
from torch.nn import functional

from overtrick.errors import DamagedFile
from overtrick.nets.spec import NetSpec

__all__ = [
    "DualHead",
    "Steady",
    "centred",
    "choice_loss",
    "clip_weights",
    "gain_loss",
    "load_tensors",
    "masked_log_softmax",
    "policy_loss",
    "shares",
    "tensors_of",
    "value_loss",
]

Floats = np.ndarray[Any, np.dtype[np.float32]]
OUT_OF_REACH = -1e9  # the logit of an illegal choice


class Steady(BaseModel):
    """What keeps learning steady."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cap: float = Field(default=20.0, ge=0, description="activations end here; 0 for never")
    logit_clip: float = Field(default=15.0, ge=0, description="logits lie within; 0 for any")
    weight_clip: float = Field(default=5.0, ge=0, description="weights lie within; 0 for any")
    gradient_norm: float = Field(default=5.0, ge=0, description="longest gradient; 0 for any")
    l2: float = Field(default=1e-4, ge=0, description="weight of the squared weights in the loss")


class DualHead(nn.Module):
    """A body with a policy head and, if the spec says so, a value head."""

    def __init__(self, spec: NetSpec, seed: int = 0) -> None:
        super().__init__()
        self.spec = spec
        self.dense = nn.ModuleDict()
        chance = torch.Generator().manual_seed(seed)
        for layer in spec.layers():
            linear = nn.Linear(layer.inputs, layer.outputs)
            nn.init.xavier_uniform_(linear.weight, generator=chance)
            nn.init.zeros_(linear.bias)
            self.dense[_key(layer.name)] = linear

    def forward(self, flags: Tensor) -> tuple[Tensor, Tensor]:
        """Logits [n, actions], clipped, and values [n, values] in [-1, 1], for flags [n, inputs].

        A net of what choices pay tells that in the place of logits.
        """
        return self.heads(self.activations(flags))

    @property
    def last_of_policy(self) -> nn.Linear:
        """The layer that gives the logits."""
        found: Any = self.dense[_key("policy.out")]
        linear: nn.Linear = found
        return linear

    def activations(self, flags: Tensor) -> dict[str, Tensor]:
        """What every layer gives, by its name."""
        found = {"": flags}
        cap = self.spec.cap or math.inf
        for layer in self.spec.layers():
            sums = self.dense[_key(layer.name)](found[layer.source])
            found[layer.name] = functional.hardtanh(sums, 0.0, cap) if layer.relu else sums
        return found

    def heads(self, found: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Logits and values, as `forward` gives them."""
        logits = found["policy.out"]
        if self.spec.logit_clip:
            logits = logits.clamp(-self.spec.logit_clip, self.spec.logit_clip)
        values = found.get("value.out", logits[:, :0])
        return logits, torch.tanh(values)


def _key(layer: str) -> str:
    return layer.replace(".", "_")


def tensors_of(net: DualHead) -> dict[str, Floats]:
    """The weights of a net by the names of its spec."""
    found = {}
    for layer in net.spec.layers():
        linear: Any = net.dense[_key(layer.name)]
        found[f"{layer.name}.weight"] = linear.weight.detach().numpy().copy()
        found[f"{layer.name}.bias"] = linear.bias.detach().numpy().copy()
    return found


def load_tensors(net: DualHead, tensors: Mapping[str, Floats]) -> None:
    """Give a net the weights of another of the same spec."""
    with torch.no_grad():
        for layer in net.spec.layers():
            linear: Any = net.dense[_key(layer.name)]
            for name in ("weight", "bias"):
                told = tensors[f"{layer.name}.{name}"]
                own = getattr(linear, name)
                if told.shape != tuple(own.shape):
                    raise DamagedFile(f"{layer.name}.{name} is {told.shape}, not {own.shape}")
                own.copy_(torch.from_numpy(np.ascontiguousarray(told)))


# ---------------------------------------------------------------------------- losses


def masked_log_softmax(logits: Tensor, legal: Tensor) -> Tensor:
    """Logarithms of the probabilities of legal choices; of the others, very small ones."""
    return torch.log_softmax(logits.masked_fill(~legal, OUT_OF_REACH), dim=1)


def policy_loss(logits: Tensor, legal: Tensor, target: Tensor) -> Tensor:
    """PCE: how badly a policy tells what the target would choose, [n, actions] each.

    Where the target is all 0 nothing is known, and nothing learned.
    """
    known = (target > 0).any(dim=1).sum().clamp(min=1)
    return -(target * masked_log_softmax(logits, legal)).sum() / known


def value_loss(values: Tensor, target: Tensor) -> Tensor:
    """VMSE: the mean squared distance of values from what deals paid, [n, values] each.

    Where the target is NaN nothing is known, and nothing learned.
    """
    known = ~torch.isnan(target)
    apart = torch.where(known, values - target, torch.zeros_like(values))
    return (apart**2).sum() / known.sum().clamp(min=1)


def centred(numbers: Tensor, legal: Tensor) -> Tensor:
    """Numbers of legal choices less their mean, [n, actions]; 0 for the others."""
    own = numbers * legal
    return (own - own.sum(dim=1, keepdim=True) / legal.sum(dim=1, keepdim=True)) * legal


def choice_loss(logits: Tensor, legal: Tensor, wanted: Tensor) -> Tensor:
    """QMSE: how far logits, centred, are from what they should be, a mean over legal choices."""
    squares = (centred(logits, legal) - wanted) ** 2 * legal
    return (squares.sum(dim=1) / legal.sum(dim=1)).mean()


def gain_loss(
    logits: Tensor, legal: Tensor, wanted: Tensor, weights: Tensor | None = None
) -> Tensor:
    """QKL: how far a policy p is from the softmax of `wanted`, Σ p (log p - wanted), a mean.

    It is least where p is that softmax, and linear in `wanted`: what single samples pretend
    cancels out, as in a mean squared error. But choices that are hardly made hardly count, so a net
    need not learn by how much they are worse. Rows count by their weights, [n], or all alike.
    """
    logs = masked_log_softmax(logits, legal).masked_fill(~legal, 0.0)
    rows = (logs.exp() * legal * (logs - wanted)).sum(dim=1)
    return (rows if weights is None else rows * weights).mean()


def shares(numbers: Tensor, legal: Tensor) -> Tensor:
    """The softmax of the numbers of legal choices, [n, actions]; 0 for the others."""
    return torch.softmax(numbers.masked_fill(~legal, OUT_OF_REACH), dim=1)


def clip_weights(net: nn.Module, most: float) -> None:
    """Bring every weight back within ± most; 0 for no bound."""
    if most:
        with torch.no_grad():
            for weight in net.parameters():
                weight.clamp_(-most, most)
