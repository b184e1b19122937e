"""Normalised Gaussian networks, and expectation-maximisation for them.

M units; unit i is believed near its centre, and there says a linear thing:

    y = Σ_i  N_i(x) (W_i x + b_i)        N_i = P_i G_i(x) / Σ_j P_j G_j(x)
    G_i(x) = (2π)^(-n/2) |Σ_i|^(-1/2) exp(-½ (x - μ_i)' Σ_i^(-1) (x - μ_i))

As a model of data (Sato and Ishii): a unit is drawn by P_i, x from G_i, and y around W_i x + b_i
with the variance σ_i². EM makes the data likelier step by step. In a batch, all data are weighed
by how likely each unit has made them, and every unit is fitted to its share: mean, covariance,
and W, b by weighted least squares. On line the weighted sums are kept and forgotten slowly,

    ⟨f⟩ ← ⟨f⟩ + η (f r - ⟨f⟩)        η ← 1 / (1 + λ / η)

where λ, the share that is kept, goes to 1. Units are made where nothing explains what is met, and
go where they explain nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

__all__ = ["NGnet", "Online", "begin_units"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Covariance = Literal["diag", "full"]

FLOOR = 1e-6  # added to every variance, as scikit-learn does
LEAST_NOISE = 1e-6
RIDGE = 1e-9  # of least squares, so that they can always be solved


@dataclass
class NGnet:
    """The numbers of a network; its outputs may be none, then it is a mixture of Gaussians."""

    prior: Floats  # [units]
    center: Floats  # [units, inputs]
    covariance: Floats  # [units, inputs] or [units, inputs, inputs]
    linear: Floats  # [units, inputs + 1, outputs], the last row is b
    noise: Floats  # [units] variance of each output

    @property
    def units(self) -> int:
        """How many there are."""
        return len(self.prior)

    @property
    def kind(self) -> Covariance:
        """Whether covariances are whole matrices."""
        return "full" if self.covariance.ndim == 3 else "diag"

    # ------------------------------------------------------------------ what it says

    def log_inputs(self, x: Floats) -> Floats:
        """Log P_i G_i(x), [n, units]."""
        away = x[:, None, :] - self.center
        size = x.shape[1]
        if self.kind == "diag":
            squares = (away**2 / self.covariance).sum(axis=2)
            spread = np.log(self.covariance).sum(axis=1)
        else:
            factors = np.linalg.cholesky(self.covariance)
            white = np.linalg.solve(factors[None], away[..., None])[..., 0]
            squares = (white**2).sum(axis=2)
            spread = 2 * np.log(np.diagonal(factors, axis1=1, axis2=2)).sum(axis=1)
        logs: Floats = np.log(self.prior) - 0.5 * (squares + spread + size * np.log(2 * np.pi))
        return logs

    def lines(self, x: Floats) -> Floats:
        """What each unit says, [n, units, outputs]."""
        said: Floats = np.einsum("ni,uio->nuo", _with_one(x), self.linear)
        return said

    def answer(self, x: Floats) -> Floats:
        """Y for each row of x, [n, outputs]."""
        said: Floats = np.einsum("nu,nuo->no", _shares(self.log_inputs(x)), self.lines(x))
        return said

    def log_joint(self, x: Floats, y: Floats) -> Floats:
        """Log of the probability of each row together with each unit, [n, units]."""
        logs = self.log_inputs(x)
        if y.shape[1] == 0:
            return logs
        apart = ((y[:, None, :] - self.lines(x)) ** 2).sum(axis=2)
        whole: Floats = (
            logs - 0.5 * apart / self.noise - 0.5 * y.shape[1] * np.log(2 * np.pi * self.noise)
        )
        return whole

    def log_likelihood(self, x: Floats, y: Floats) -> float:
        """The mean logarithm of how likely the rows are."""
        return float(_log_sum(self.log_joint(x, y)).mean())

    # ------------------------------------------------------------------ batch EM

    def fit(
        self, x: Floats, y: Floats, *, steps: int = 100, tolerance: float = 1e-6
    ) -> list[float]:
        """EM on all rows at once until it gains little; the likelihood before every step."""
        told = [self.log_likelihood(x, y)]
        for _ in range(steps):
            self.maximise(_sums(x, y, _shares(self.log_joint(x, y)), self.kind))
            told.append(self.log_likelihood(x, y))
            if told[-1] - told[-2] < tolerance:
                break
        return told

    def maximise(self, sums: Mapping[str, Floats]) -> None:
        """Fit every unit to its weighted sums."""
        mass = np.maximum(sums["one"], 1e-12)
        self.prior = mass / mass.sum()
        self.center = sums["x"] / mass[:, None]
        second = sums["xx"] / mass[:, None, None]
        if self.kind == "diag":
            spread = np.diagonal(second, axis1=1, axis2=2) - self.center**2
            self.covariance = np.maximum(spread, 0.0) + FLOOR
        else:
            spread = second - self.center[:, :, None] * self.center[:, None, :]
            self.covariance = spread + FLOOR * np.eye(spread.shape[1])
        self._fit_lines(sums, mass)

    def _fit_lines(self, sums: Mapping[str, Floats], mass: Floats) -> None:
        """W and b by weighted least squares, and what they leave as noise."""
        outputs = sums["y"].shape[1]
        if outputs == 0:
            return
        size = self.center.shape[1]
        moments = np.zeros((self.units, size + 1, size + 1))
        moments[:, :size, :size] = sums["xx"]
        moments[:, :size, size] = moments[:, size, :size] = sums["x"]
        moments[:, size, size] = mass
        moments += RIDGE * mass[:, None, None] * np.eye(size + 1)
        crossed = np.concatenate([sums["xy"], sums["y"][:, None, :]], axis=1)
        self.linear = np.linalg.solve(moments, crossed)
        explained = np.einsum("uio,uio->u", self.linear, crossed)
        squares = (sums["yy"] - explained) / (mass * outputs)
        self.noise = np.maximum(squares, LEAST_NOISE)

    # ------------------------------------------------------------------ keeping

    def tensors(self) -> dict[str, Any]:
        """Its numbers as models keep them."""
        return {
            "prior": self.prior.astype(np.float32),
            "center": self.center.astype(np.float32),
            "covariance": self.covariance.astype(np.float32),
            "linear": self.linear.astype(np.float32),
        }


def begin_units(
    x: Floats, y: Floats, units: int, seed: int, *, covariance: Covariance = "diag"
) -> NGnet:
    """Units at rows drawn far from each other, as wide as all rows together."""
    chance = np.random.default_rng(seed)
    rows = [int(chance.integers(len(x)))]
    nearest = ((x - x[rows[0]]) ** 2).sum(axis=1)
    for _ in range(units - 1):
        total = nearest.sum()
        weights = nearest / total if total > 0 else np.full(len(x), 1 / len(x))
        rows.append(int(chance.choice(len(x), p=weights)))
        nearest = np.minimum(nearest, ((x - x[rows[-1]]) ** 2).sum(axis=1))
    spread = x.var(axis=0) + 1e-3
    wide = (
        np.tile(spread, (units, 1)) if covariance == "diag" else np.stack([np.diag(spread)] * units)
    )
    linear = np.zeros((units, x.shape[1] + 1, y.shape[1]))
    linear[:, -1] = y[rows]
    noise = np.full(units, float(y.var()) + 1e-3 if y.size else 1.0)
    return NGnet(np.full(units, 1 / units), x[rows].copy(), wide, linear, noise)


# ---------------------------------------------------------------------------- on line


class Online:
    """On-line EM: weighted sums that are forgotten slowly, and units that come and go.

    `steady` and `first` shape how fast: the share kept after t rows is 1 - 1 / (steady t + first).
    """

    def __init__(
        self,
        net: NGnet,
        *,
        steady: float = 0.05,
        first: float = 100.0,
        most_units: int = 0,
        least_share: float = 1e-3,
        surprise: float = 12.0,
        by_inputs: bool = False,
        keep: float = 1.0,
    ) -> None:
        self.net = net
        self.rows = 0
        self.created = self.removed = 0
        self._steady, self._first = steady, first
        self._most = most_units or net.units
        self._least = least_share
        self._surprise = surprise
        self._by_inputs = by_inputs
        self._eta = 1.0 / first
        self._usual = 0.0  # mean log likelihood of late
        self.sums = self._begin(keep)

    def _begin(self, keep: float) -> dict[str, Floats]:
        """Sums that stand for the net as it is."""
        net = self.net
        size = net.center.shape[1]
        spread = net.covariance
        if net.kind == "diag":
            spread = spread[:, :, None] * np.eye(size)
        mass = net.prior * keep
        xx = mass[:, None, None] * (spread + net.center[:, :, None] * net.center[:, None, :])
        x = mass[:, None] * net.center
        moments = np.zeros((net.units, size + 1, size + 1))
        moments[:, :size, :size] = xx
        moments[:, :size, size] = moments[:, size, :size] = x
        moments[:, size, size] = mass
        crossed = moments @ net.linear
        outputs = net.linear.shape[2]
        yy = np.einsum("uio,uio->u", net.linear, crossed) + mass * outputs * net.noise
        return {
            "one": mass,
            "x": x,
            "xx": xx,
            "y": crossed[:, size],
            "xy": crossed[:, :size],
            "yy": yy,
        }

    def teach(self, x: Floats, y: Floats, *, lot: int = 64) -> float:
        """Learn rows in their order, some at a time; their mean log likelihood before that."""
        told = 0.0
        for first in range(0, len(x), lot):
            told += self._step(x[first : first + lot], y[first : first + lot])
        return told / max(len(x), 1)

    def _step(self, x: Floats, y: Floats) -> float:
        logs = self.net.log_inputs(x) if self._by_inputs else self.net.log_joint(x, y)
        each = _log_sum(logs)
        new = _sums(x, y, _shares(logs), self.net.kind)
        # The forgetting of the rows of this lot, one after the other, taken together.
        kept, eta = 1.0, self._eta
        for row in range(len(x)):
            share = 1.0 - 1.0 / (self._steady * (self.rows + row) + self._first)
            eta = 1.0 / (1.0 + share / eta)
            kept *= 1.0 - eta
        self._eta = eta
        self.rows += len(x)
        for name, old in self.sums.items():
            self.sums[name] = old * kept + new[name] * ((1.0 - kept) / len(x))
        self._come_and_go(x, y, each)
        self.net.maximise(self.sums)
        mean = float(each.mean())
        self._usual = mean if self.rows <= len(x) else 0.95 * self._usual + 0.05 * mean
        return mean * len(x)

    # ------------------------------------------------------------------ keeping

    def where(self) -> dict[str, float | int]:
        """How far it is, beside the net and the sums."""
        return {
            "rows": self.rows,
            "created": self.created,
            "removed": self.removed,
            "eta": self._eta,
            "usual": self._usual,
        }

    def go_on(self, where: Mapping[str, Any]) -> None:
        """Go on where another was."""
        self.rows, self._eta = int(where["rows"]), float(where["eta"])
        self.created, self.removed = int(where["created"]), int(where["removed"])
        self._usual = float(where["usual"])

    # ------------------------------------------------------------------ units come and go

    def _come_and_go(self, x: Floats, y: Floats, each: Floats) -> None:
        mass = self.sums["one"] / self.sums["one"].sum()
        kept = mass >= self._least / len(mass)
        if not kept.all() and kept.any():
            self.removed += int((~kept).sum())
            self._take(np.flatnonzero(kept))
        worst = int(each.argmin())
        is_new = self.rows > len(x) and each[worst] < self._usual - self._surprise
        if is_new and self.net.units < self._most:
            self._create(x[worst], y[worst])

    def _take(self, units: Any) -> None:
        self.sums = {name: old[units] for name, old in self.sums.items()}
        net = self.net
        net.prior, net.noise = net.prior[units], net.noise[units]
        net.center, net.covariance, net.linear = (
            net.center[units],
            net.covariance[units],
            net.linear[units],
        )

    def _create(self, x: Floats, y: Floats) -> None:
        """A unit at a row that none explains: as wide as the others are, and saying y there."""
        net = self.net
        size, mass = len(x), float(self.sums["one"].mean()) * 0.1
        spread = net.covariance.mean(axis=0)
        wide = np.diag(spread) if net.kind == "diag" else spread
        noise = float(net.noise.mean())
        new = {
            "one": np.array(mass),
            "x": mass * x,
            "xx": mass * (wide + np.outer(x, x)),
            "y": mass * y,
            "xy": mass * np.outer(x, y),
            "yy": np.array(mass * (float((y**2).sum()) + len(y) * noise)),
        }
        self.sums = {
            name: np.concatenate([old, new[name][None]]) for name, old in self.sums.items()
        }
        linear = np.zeros((1, size + 1, len(y)))
        linear[0, -1] = y
        net.prior = np.append(net.prior, mass)
        net.noise = np.append(net.noise, noise)
        net.center = np.concatenate([net.center, x[None]])
        net.covariance = np.concatenate([net.covariance, spread[None]])
        net.linear = np.concatenate([net.linear, linear])
        self.created += 1


# ---------------------------------------------------------------------------- sums


def _with_one(x: Floats) -> Floats:
    return np.concatenate([x, np.ones((len(x), 1))], axis=1)


def _log_sum(logs: Floats) -> Floats:
    most = logs.max(axis=1)
    found: Floats = most + np.log(np.exp(logs - most[:, None]).sum(axis=1))
    return found


def _shares(logs: Floats) -> Floats:
    """How likely each unit has made each row, [n, units]."""
    shares: Floats = np.exp(logs - _log_sum(logs)[:, None])
    return shares


def _sums(x: Floats, y: Floats, shares: Floats, kind: Covariance) -> dict[str, Floats]:
    """The sums of a lot, weighed by the units' shares."""
    weighed = shares.T[:, :, None] * x  # [units, n, inputs]
    return {
        "one": shares.sum(axis=0),
        "x": weighed.sum(axis=1),
        "xx": weighed.transpose(0, 2, 1) @ x,
        "y": shares.T @ y,
        "xy": weighed.transpose(0, 2, 1) @ y,
        "yy": shares.T @ (y**2).sum(axis=1),
    }
