"""Small approximators of the belief actor-critic: what is put in, and how kernels ask them.

An approximator gives some numbers for a row of inputs, of which most are zero: the columns of a
table, then the flags of a view, then the hands of the others where it is shown them. It is

    neural    layers of rectified units, and a linear one
    ngnet     a normalised Gaussian network: linear units, each trusted near its centre

Both end in a *linear part* that is a row of numbers of its own, so that many persons can share
all else and have their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from overtrick.errors import DamagedFile
from overtrick.games.game import Game, Row
from overtrick.jit import LANES, add_rows, rule

__all__ = ["ApproximatorSpec", "Mind", "answer", "new_units", "pack_approximator"]

Floats = np.ndarray[Any, np.dtype[Any]]
Mind = tuple[Row, Floats, Floats]
"""Facts, the shared numbers, and the linear parts, [persons, numbers]."""

NEURAL, NGNET = range(2)
KIND, INPUTS, OUTPUTS, UNITS, LAYERS, COLUMNS, FLAGS, HANDS, ENCODING, FULL, PART = range(11)
HARDLY = 1e-3  # a unit of a Gaussian network that is trusted less is not asked


class ApproximatorSpec(BaseModel):
    """Everything about an approximator but its numbers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["approximator"] = "approximator"
    game: str
    backend: Literal["neural", "ngnet"]
    columns: int = Field(ge=0, le=1024)  # of the game's table
    encoding: str  # `name@version` of the flags of a view; nothing if it is shown none
    digest: str  # of all its flags
    flags: int = Field(ge=0, le=4096)
    hands: int = Field(ge=0, le=4096)  # flags for the hands of the others
    outputs: int = Field(ge=1, le=4096)
    units: int = Field(ge=1, le=8192)
    layers: int = Field(ge=1, le=8)
    covariance: Literal["diag", "full"] = "diag"
    reach: float = Field(gt=0)  # the payoff that a value of 1 stands for
    value: Literal["none"] = "none"
    values: Literal[0] = 0

    @property
    def inputs(self) -> int:
        """How many numbers are put in."""
        return self.columns + self.flags + self.hands

    @property
    def body(self) -> str:
        """The size in a few letters."""
        return f"{self.backend} {self.units}x{self.layers}"

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every tensor, by its name."""
        if self.backend == "neural":
            found: dict[str, tuple[int, ...]] = {}
            width = self.inputs
            for number in range(self.layers):
                found[f"body.{number}.weight"] = (self.units, width)
                found[f"body.{number}.bias"] = (self.units,)
                width = self.units
            return found | {"out.weight": (self.outputs, width), "out.bias": (self.outputs,)}
        spread = (self.inputs, self.inputs) if self.covariance == "full" else (self.inputs,)
        return {
            "prior": (self.units,),
            "center": (self.units, self.inputs),
            "covariance": (self.units, *spread),
            "linear": (self.units, self.inputs + 1, self.outputs),
        }

    @property
    def parameters(self) -> int:
        """How many numbers are learned."""
        return sum(int(np.prod(shape)) for shape in self.shapes().values())

    def check_game(self, game: Game) -> None:
        """Refuse a game, or tables and flags of it, that this was not made for."""
        if game.name != self.game:
            raise DamagedFile(f"this net plays {self.game}, not {game.name}")
        if self.encoding:
            flags = game.encodings[game.encoding(self.encoding)]
            if flags.digest != self.digest or flags.size != self.flags:
                raise DamagedFile(
                    f"this net was made for other flags than {self.game}'s {self.encoding} of today"
                )
        elif self.flags:
            raise DamagedFile("this net has flags of no encoding")
        if self.hands not in (0, (game.seats - 1) * len(game.deck)):
            raise DamagedFile(f"this net is shown other hands than {self.game} has")


# ---------------------------------------------------------------------------- packing


def padded(size: int) -> int:
    """So many numbers, or a few more, as are added up together."""
    return -(-size // LANES) * LANES


def pack_approximator(
    game: Game, spec: ApproximatorSpec, tensors: Mapping[str, Floats], persons: int = 0
) -> Mind:
    """An approximator as kernels take it, with room for the linear parts of so many persons."""
    outputs = padded(spec.outputs)
    if spec.backend == "neural":
        units = padded(spec.units)
        parts, width = [], spec.inputs
        for number in range(spec.layers):
            rows = np.zeros((width + 1, units), dtype=np.float32)
            weight = tensors[f"body.{number}.weight"].T
            rows[: len(weight), : spec.units] = weight
            rows[-1, : spec.units] = tensors[f"body.{number}.bias"]
            parts.append(rows.reshape(-1))
            width = units
        shared = np.concatenate(parts)
        linear = np.zeros((units + 1, outputs), dtype=np.float32)
        linear[: spec.units, : spec.outputs] = tensors["out.weight"].T
        linear[-1, : spec.outputs] = tensors["out.bias"]
    else:
        units = spec.units
        shared, linear = _gaussians(spec, tensors, outputs)
    facts = [
        (NEURAL, NGNET)[spec.backend == "ngnet"],
        *(spec.inputs, outputs, units, spec.layers, spec.columns, spec.flags, spec.hands),
        game.encoding(spec.encoding) if spec.encoding else 0,
        spec.covariance == "full",
        linear.size,
    ]
    parts_of_persons = np.tile(linear.reshape(1, -1), (persons + 1, 1))
    return np.array(facts, dtype=np.int64), shared, parts_of_persons


def _gaussians(
    spec: ApproximatorSpec, tensors: Mapping[str, Floats], outputs: int
) -> tuple[Floats, Floats]:
    """The gates of a Gaussian network (offset, centre, whitening of each unit), and its lines."""
    size, full = spec.inputs, spec.covariance == "full"
    gates = np.zeros((spec.units, 1 + size + (size * size if full else size)), dtype=np.float32)
    spreads = tensors["covariance"].astype(np.float64)
    for unit in range(spec.units):
        if full:
            white = np.linalg.inv(np.linalg.cholesky(spreads[unit]))
            offset = np.log(np.diag(white)).sum()
        else:
            white = 1.0 / np.sqrt(spreads[unit])
            offset = np.log(white).sum()
        gates[unit, 0] = np.log(max(float(tensors["prior"][unit]), 1e-30)) + offset
        gates[unit, 1 : 1 + size] = tensors["center"][unit]
        gates[unit, 1 + size :] = white.reshape(-1)
    linear = np.zeros((spec.units, size + 1, outputs), dtype=np.float32)
    linear[:, :, : spec.outputs] = tensors["linear"]
    return gates.reshape(-1), linear


def new_units(mind: Mind) -> tuple[Row, Floats, Floats, Floats, Floats]:
    """Room to ask in: inputs that are not zero with their amounts, layers, outputs, all inputs."""
    facts = mind[0]
    most = int(max(facts[INPUTS], facts[UNITS])) * (int(facts[UNITS]) if facts[KIND] else 1)
    return (
        np.zeros(most + 8, dtype=np.int64),
        np.zeros(most + 8, dtype=np.float32),
        np.zeros(int(facts[UNITS]) * (int(facts[LAYERS]) + 1) + 8, dtype=np.float32),
        np.zeros(int(facts[OUTPUTS]), dtype=np.float32),
        np.zeros(int(facts[INPUTS]) + 8, dtype=np.float32),
    )


# ---------------------------------------------------------------------------- asking


@rule
def answer(mind: Any, units: Any, person: int, count: int) -> int:
    """Answer to `count` inputs, listed in units[0] with their amounts in units[1].

    The outputs are left in units[3]. Afterwards the lists tell which rows of the linear part
    counted for how much; gives back how many did.
    """
    if mind[0][KIND] == NEURAL:
        count = through_layers(mind, units, count)
    else:
        count = through_gates(mind, units, count)
    add_rows(mind[2][person], 0, mind[0][OUTPUTS], units[0], units[1], count, units[3])
    return count


@rule
def through_layers(mind: Any, units: Any, count: int) -> int:
    """Leave the units of the last layer that are not zero in the lists; and outputs at 0."""
    facts, shared = mind[0], mind[1]
    indices, amounts, room, outputs = units[0], units[1], units[2], units[3]
    width, begin = facts[INPUTS], 0
    size = facts[UNITS]
    for layer in range(facts[LAYERS]):
        sums = room[layer * size : layer * size + size]
        bias = begin + width * size
        for place in range(size):
            sums[place] = shared[bias + place]
        add_rows(shared, begin, size, indices, amounts, count, sums)
        count = 0
        for place in range(size):
            amount = sums[place]
            indices[count] = place
            amounts[count] = amount
            count += amount > 0.0
        begin = bias + size
        width = size
    indices[count] = size  # the bias
    amounts[count] = 1.0
    for place in range(len(outputs)):
        outputs[place] = 0.0
    return count + 1


@rule
def through_gates(mind: Any, units: Any, count: int) -> int:
    """Leave the inputs of every trusted unit in the lists, times its share; outputs at 0."""
    facts, gates = mind[0], mind[1]
    indices, amounts, shares, outputs, dense = units[0], units[1], units[2], units[3], units[4]
    size, many = facts[INPUTS], facts[UNITS]
    for place in range(size):
        dense[place] = 0.0
    for number in range(count):
        dense[indices[number]] = amounts[number]
    stride = 1 + size + (size * size if facts[FULL] else size)
    most = -np.inf
    for unit in range(many):
        at = unit * stride
        shares[unit] = gates[at] - 0.5 * distance(gates, at + 1, size, facts[FULL], dense)
        most = max(most, shares[unit])
    total = 0.0
    for unit in range(many):
        shares[unit] = exp(shares[unit] - most)
        total += shares[unit]
    listed = 0
    for unit in range(many):
        share = shares[unit] / total
        if share < HARDLY:
            continue
        first = unit * (size + 1)
        for place in range(size):
            if dense[place] != 0.0:
                indices[listed] = first + place
                amounts[listed] = share * dense[place]
                listed += 1
        indices[listed] = first + size
        amounts[listed] = share
        listed += 1
    for place in range(len(outputs)):
        outputs[place] = 0.0
    return listed


@rule
def distance(gates: Floats, at: int, size: int, full: int, dense: Floats) -> float:
    """The squared distance of the inputs from a centre, in its own measure."""
    total = 0.0
    for row in range(size):
        if full:
            part = 0.0
            first = at + size + row * size
            for column in range(row + 1):
                part += gates[first + column] * (dense[column] - gates[at + column])
        else:
            part = gates[at + size + row] * (dense[row] - gates[at + row])
        total += part * part
    return total
