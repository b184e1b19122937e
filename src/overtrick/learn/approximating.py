"""Approximators as they learn: small neural nets by gradients, Gaussian networks by on-line EM.

Both are taught in the same three ways: what numbers to say (`teach_values`), which choices are
made (`teach_choices`), and by how much some pay more than others (`teach_gains`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from overtrick.learn.nets import OUT_OF_REACH, Steady, centred, choice_loss, gain_loss
from overtrick.learn.pupil import Learning
from overtrick.nets.approximators import ApproximatorSpec
from overtrick.nets.ngnet import NGnet, Online, begin_units

__all__ = ["Approximator", "Chosen", "begin_approximator", "merits_at", "td_targets"]

Floats = np.ndarray[Any, np.dtype[Any]]
Row = np.ndarray[Any, np.dtype[np.int64]]

DIFFERENCES = 0.1  # weight of QMSE beside QKL
MERIT_STEP = 1.0  # of the merits of a Gaussian network, at every choice
STEADY_ROWS = 0.01  # how fast it stops forgetting
FIRST_ROWS = 2000.0  # that it remembers at first


@dataclass(frozen=True)
class Chosen:
    """Choices to learn from."""

    inputs: Floats  # [n, inputs]
    places: Row  # [n, 64] where each choice finds its merit; -1 for those that are not legal
    slots: Row  # [n, 64, 2] the named things that it is; -1 for none
    wanted: Floats  # [n, 64] how probable each should be, all 0 where nothing is told; or gains

    def take(self, rows: Any) -> Chosen:
        """Some of them."""
        return Chosen(self.inputs[rows], self.places[rows], self.slots[rows], self.wanted[rows])


class Approximator(Protocol):
    """What both kinds can do."""

    spec: ApproximatorSpec

    def answer(self, inputs: Floats) -> Floats:
        """Outputs, [n, outputs]."""
        ...

    def teach_values(self, inputs: Floats, targets: Floats, rate: float) -> float:
        """Learn to say the targets, [n]; the mean squared error before."""
        ...

    def teach_choices(self, chosen: Chosen, rate: float) -> float:
        """Learn which choices are how probable; the cross-entropy before."""
        ...

    def teach_gains(self, chosen: Chosen, rate: float) -> float:
        """Learn to choose what gains, and by how much; QKL, Σ p (log p - gain), before.

        That alone hardly tells how bad the choices are that are hardly made.
        """
        ...

    def tensors(self) -> dict[str, Floats]:
        """The numbers as models keep them."""
        ...

    def state(self) -> dict[str, Any]:
        """All that is needed to go on."""
        ...

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on where another stood."""
        ...


def begin_approximator(spec: ApproximatorSpec, steady: Steady, seed: int) -> Approximator:
    """One that knows nothing yet."""
    return Neural(spec, steady, seed) if spec.backend == "neural" else Gaussian(spec, seed)


# ---------------------------------------------------------------------------- merits


def merits_at(outputs: Any, places: Any, slots: Any) -> Any:
    """The merits of choices, [n, 64], out of outputs: of their place and of what they are."""
    merits = torch.gather(outputs, 1, places.clamp(min=0))
    for number in range(slots.shape[2]):
        slot = slots[:, :, number]
        merits = merits + torch.gather(outputs, 1, slot.clamp(min=0)) * (slot >= 0)
    return merits


# ---------------------------------------------------------------------------- neural


class _Layers(nn.Module):
    """Layers of rectified units, and a linear one."""

    def __init__(self, spec: ApproximatorSpec, seed: int) -> None:
        super().__init__()
        chance = torch.Generator().manual_seed(seed)
        widths = [spec.inputs, *[spec.units] * spec.layers]
        self.body = nn.ModuleList(nn.Linear(*pair) for pair in pairwise(widths))
        self.out = nn.Linear(spec.units, spec.outputs)
        self.met: Tensor
        for linear in self.body:
            assert isinstance(linear, nn.Linear)
            nn.init.kaiming_uniform_(linear.weight, nonlinearity="relu", generator=chance)
            nn.init.zeros_(linear.bias)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)
        self.register_buffer("met", torch.zeros(spec.inputs, dtype=torch.bool))

    def forward(self, inputs: Tensor) -> Tensor:
        """Outputs, [n, outputs]."""
        for linear in self.body:
            inputs = functional.relu(linear(inputs))
        found: Tensor = self.out(inputs)
        return found


class Neural:
    """A small neural net, by gradients."""

    def __init__(self, spec: ApproximatorSpec, steady: Steady, seed: int) -> None:
        self.spec = spec
        self._net = _Layers(spec, seed)
        self._learning = Learning(self._net, steady)

    def answer(self, inputs: Floats) -> Floats:
        """Outputs, [n, outputs]."""
        with torch.no_grad():
            found: Floats = self._net(torch.from_numpy(inputs)).numpy()
        return found

    def teach_values(self, inputs: Floats, targets: Floats, rate: float) -> float:
        """One gradient of the mean squared error."""
        self._learning.set_rate(rate)
        self._meet(inputs)
        said = self._net(torch.from_numpy(inputs))[:, 0]
        loss = functional.mse_loss(said, torch.from_numpy(targets.astype(np.float32)))
        self._learning.descend(loss)
        return float(loss.detach())

    def teach_choices(self, chosen: Chosen, rate: float) -> float:
        """One gradient of the cross-entropy."""
        merits, wanted, legal = self._read(chosen, rate)
        logs = torch.log_softmax(merits.masked_fill(~legal, OUT_OF_REACH), dim=1)
        return self._descend(-(wanted * logs).sum() / max(len(wanted), 1))

    def teach_gains(self, chosen: Chosen, rate: float) -> float:
        """One gradient of QKL and QMSE, as in distillation."""
        merits, wanted, legal = self._read(chosen, rate)
        lost = gain_loss(merits, legal, wanted)
        self._learning.descend(lost + DIFFERENCES * choice_loss(merits, legal, wanted))
        return float(lost.detach())

    def _read(self, chosen: Chosen, rate: float) -> tuple[Tensor, Tensor, Tensor]:
        """The merits of choices, what is wanted, and which are legal."""
        self._learning.set_rate(rate)
        self._meet(chosen.inputs)
        places = torch.from_numpy(chosen.places)
        outputs = self._net(torch.from_numpy(chosen.inputs))
        merits = merits_at(outputs, places, torch.from_numpy(chosen.slots))
        return merits, torch.from_numpy(chosen.wanted.astype(np.float32)), places >= 0

    def _descend(self, loss: Tensor) -> float:
        self._learning.descend(loss)
        return float(loss.detach())

    def _meet(self, inputs: Floats) -> None:
        """Note which inputs have been anything but zero."""
        self._net.met |= torch.from_numpy(inputs.any(axis=0))

    def tensors(self) -> dict[str, Floats]:
        """The numbers as models keep them; what was never met, as doubled hands, says nothing."""
        found = {name: tensor.numpy().copy() for name, tensor in self._net.state_dict().items()}
        found["body.0.weight"] *= found.pop("met")
        return found

    def state(self) -> dict[str, Any]:
        """All that is needed to go on."""
        return self._learning.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on where another stood."""
        self._learning.restore(state)


# ---------------------------------------------------------------------------- Gaussian


class Gaussian:
    """A normalised Gaussian network, by on-line EM; units come and go as they are needed."""

    def __init__(self, spec: ApproximatorSpec, seed: int) -> None:
        self.spec = spec
        self._chance = seed
        self._online: Online | None = None

    def _begun(self, inputs: Floats) -> Online:
        """Begin with a quarter of the units, at inputs that are met first."""
        if self._online is None:
            few = max(1, self.spec.units // 4)
            nothing = np.zeros((len(inputs), self.spec.outputs))
            met, kind = inputs.astype(np.float64), self.spec.covariance
            net = begin_units(met, nothing, few, self._chance, covariance=kind)
            self._online = self._on_line(net)
        return self._online

    def _on_line(self, net: NGnet) -> Online:
        return Online(
            net,
            steady=STEADY_ROWS,
            first=FIRST_ROWS,
            most_units=self.spec.units,
            by_inputs=self.spec.outputs > 1,
        )

    def answer(self, inputs: Floats) -> Floats:
        """Outputs, [n, outputs]."""
        if self._online is None:
            return np.zeros((len(inputs), self.spec.outputs))
        return self._online.net.answer(inputs.astype(np.float64))

    def teach_values(self, inputs: Floats, targets: Floats, rate: float) -> float:
        """One pass of on-line EM; what it forgets goes by its own rate."""
        online = self._begun(inputs)
        error = float(((self.answer(inputs)[:, 0] - targets) ** 2).mean())
        online.teach(inputs.astype(np.float64), targets[:, None].astype(np.float64), lot=256)
        return error

    def teach_choices(self, chosen: Chosen, rate: float) -> float:
        """On-line EM to the merits that should have been said: a step up the logarithm of P."""
        outputs, logs, wanted, _ = self._read(chosen)
        known = (wanted.sum(dim=1, keepdim=True) > 0).double()
        self._step(chosen, outputs, wanted - logs.exp() * known)
        return float(-(wanted * logs).sum() / max(len(wanted), 1))

    def teach_gains(self, chosen: Chosen, rate: float) -> float:
        """On-line EM to merits a step down QKL and QMSE."""
        outputs, logs, wanted, legal = self._read(chosen)
        shares = logs.exp() * legal
        more = (wanted - logs).masked_fill(~legal, 0.0)
        mean = (shares * more).sum(dim=1, keepdim=True)
        apart = wanted - centred(logs, legal)
        apart = apart * legal * 2 * DIFFERENCES / legal.sum(dim=1, keepdim=True)
        self._step(chosen, outputs, shares * (more - mean) + apart)
        return float(-mean.mean())

    def _read(self, chosen: Chosen) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Outputs, logarithms of how probable choices are, what is wanted, which are legal."""
        self._begun(chosen.inputs)
        outputs = torch.from_numpy(self.answer(chosen.inputs))
        places, slots = torch.from_numpy(chosen.places), torch.from_numpy(chosen.slots)
        merits = merits_at(outputs, places, slots).masked_fill(places < 0, OUT_OF_REACH)
        wanted = torch.from_numpy(chosen.wanted.astype(np.float64))
        return outputs, torch.log_softmax(merits, dim=1), wanted, places >= 0

    def _step(self, chosen: Chosen, outputs: Tensor, errors: Tensor) -> None:
        """Teach what was said, and these errors of the merits of choices on top."""
        places, slots = torch.from_numpy(chosen.places), torch.from_numpy(chosen.slots)
        targets = outputs.clone()
        for where in (places, *slots.unbind(dim=2)):
            targets.scatter_add_(1, where.clamp(min=0), MERIT_STEP * errors * (where >= 0))
        inputs = chosen.inputs.astype(np.float64)
        self._begun(chosen.inputs).teach(inputs, targets.numpy(), lot=256)

    def tensors(self) -> dict[str, Floats]:
        """The numbers as models keep them; units that are not there believe in nothing."""
        shapes = self.spec.shapes()
        found = {name: np.zeros(shape, dtype=np.float32) for name, shape in shapes.items()}
        found["covariance"][:] = 1.0
        if self.spec.covariance == "full":
            found["covariance"][:] = np.eye(self.spec.inputs, dtype=np.float32)
        if self._online is not None:
            for name, rows in self._online.net.tensors().items():
                found[name][: len(rows)] = rows
        return found

    def state(self) -> dict[str, Any]:
        """All that is needed to go on."""
        online = self._online
        if online is None:
            return {"rows": -1}
        net = online.net
        numbers = {
            "prior": net.prior,
            "center": net.center,
            "covariance": net.covariance,
            "linear": net.linear,
            "noise": net.noise,
        }
        told = {**numbers, **{f"sum {name}": rows for name, rows in online.sums.items()}}
        kept = {name: torch.from_numpy(rows) for name, rows in told.items()}
        return {**kept, **online.where()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on where another stood."""
        if state["rows"] < 0:
            self._online = None
            return
        names = ("prior", "center", "covariance", "linear", "noise")
        online = self._on_line(NGnet(*(state[name].numpy() for name in names)))
        online.sums = {name: state[f"sum {name}"].numpy() for name in online.sums}
        online.go_on(state)
        self._online = online


# ---------------------------------------------------------------------------- TD(λ)


def td_targets(values: Floats, ahead: Floats, counts: Row, payoffs: Floats, decay: float) -> Floats:
    """What the critic should have said after each trick, [deals, tricks, seats].

    `values` is what it said beyond what seats were `ahead`; only the first counts[d] tricks of a
    deal count. With the reward of a trick r = ahead' - ahead, and payoff - ahead at the end,

        δ_t = r + V_{t+1} - V_t        V_t ← V_t + Σ_k decay^k δ_{t+k}
    """
    tricks = values.shape[1]
    errors = np.zeros_like(payoffs)
    targets = np.zeros_like(values)
    for trick in range(tricks - 1, -1, -1):
        is_last = (counts == trick + 1)[:, None]
        following = np.zeros_like(payoffs)
        if trick + 1 < tricks:
            following = ahead[:, trick + 1] + values[:, trick + 1]
        delta = np.where(is_last, payoffs, following) - ahead[:, trick] - values[:, trick]
        errors = delta + decay * np.where(is_last, 0.0, errors)
        targets[:, trick] = values[:, trick] + errors
    return targets
