"""The belief actor-critic: predictors of the others, a critic of deals, and an actor, learned.

The scheme of Ishii et al., as a thesis brought it to Sheephead: what is hidden is estimated, what
the others will do is predicted, and the critic says what comes of it (`overtrick.belief`). All
three approximators are learned from tables that are played one after the other:

    predictor   P(a) = soft-max of U(y, a) over T, from what everybody at the table has chosen
    critic      V(x) ← V(x) + Σ λ^k δ_{t+k}       δ = R + V(x') - V(x)
    actor       U(x, a) ← U(x, a) + η δ(a)        δ(a) = merit of a in its worlds - their mean

A run begins with very many quick deals among rulebooks, which any table can be watched for; then
learners sit down, one to all seats at a time, among those rulebooks, and learn from their own
look-ahead and from each other.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from overtrick.belief.looking import BY_MIND, EVEN, LEARNED, Looking
from overtrick.belief.minds import (
    NETS,
    Desk,
    Minds,
    Sizes,
    inputs_of_choices,
    inputs_of_states,
    minds_of,
    new_desk,
    specs_for,
)
from overtrick.belief.tables import ahead, ready
from overtrick.errors import BadOption
from overtrick.games.game import Game, Row
from overtrick.jit import kernel
from overtrick.learn.approximating import Approximator, Chosen, begin_approximator, td_targets
from overtrick.learn.belief_tables import LEARNER, Kept, Seats, play_lot
from overtrick.learn.budget import Budget
from overtrick.learn.measuring import usual_reach
from overtrick.learn.methods import Method
from overtrick.learn.nets import Steady
from overtrick.learn.workers import Workers
from overtrick.nets.approximators import ApproximatorSpec
from overtrick.players.believing import BeliefPlayer
from overtrick.players.levels import level_player

__all__ = ["METHOD", "Belief", "BeliefConfig"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]

STATE = "learner.pt"
QUICK_FIRST = 1 << 40  # numbers of quick deals, apart from those of the tables


class BeliefConfig(BaseModel):
    """The settings of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    deals: int = Field(default=60_000, ge=1, description="deals with learners of a whole run")
    variant: str = Field(default="", description="house rules; the default ones if empty")
    # approximators
    backend: Literal["neural", "ngnet"] = Field(
        default="neural", description="small neural nets, or normalised Gaussian networks"
    )
    features: Literal["paper", "tables", "all"] = Field(
        default="all", description="the paper's tables, these with ours, or with the flags of views"
    )
    units: int = Field(default=64, ge=1, description="units of a layer of the predictor")
    layers: int = Field(default=1, ge=1, le=8, description="layers of it; neural only")
    actor_units: int = Field(default=192, ge=1, description="units of a layer of the actor")
    actor_layers: int = Field(default=2, ge=1, le=8, description="layers of it; neural only")
    critic_units: int = Field(default=128, ge=1, description="units of a layer of the critic")
    critic_layers: int = Field(default=2, ge=1, le=8, description="layers of it; neural only")
    covariance: Literal["diag", "full"] = Field(
        default="diag", description="of the units of Gaussian networks"
    )
    steady: Steady = Field(default=Steady(l2=0.0), description="what keeps learning steady")
    # the tables
    others: str = Field(
        default="",
        description="who sits beside learners, several by +; the strong rulebook if empty",
    )
    learners: str = Field(default="", description="at a table, as 1+2; any number if empty")
    start: float = Field(
        default=0.2, ge=0, le=1, description="part of the run before learners sit down"
    )
    quick: int = Field(default=4000, ge=0, description="deals among the others, an iteration")
    lot: int = Field(default=400, ge=1, description="deals with learners, an iteration")
    stray: int = Field(
        default=700, ge=0, le=1000, description="thousandths of quick deals with a random choice"
    )
    kept: int = Field(
        default=250, ge=0, le=1000, description="thousandths of the others' choices kept"
    )
    explore: float = Field(
        default=0.03, gt=0, description="temperature of learners, as a share of the reach"
    )
    # the look-ahead
    looks: Literal["worlds", "deal"] = Field(
        default="worlds",
        description="learners look at worlds, or learn what the deal itself tells of choices",
    )
    belief: Literal["even", "learned"] = Field(
        default="learned", description="worlds all alike, or weighed by the predictors"
    )
    predictor: str = Field(
        default="learned", description="learned, or a rulebook that the others are taken for"
    )
    worlds: int = Field(default=8, ge=1, description="worlds in which choices are tried")
    candidates: int = Field(default=12, ge=1, description="out of which these are drawn")
    tricks: int = Field(default=1, ge=1, description="tricks predicted before the critic is asked")
    least: float = Field(
        default=0.5, ge=0, le=1, description="probability of a line that is followed apart"
    )
    gap: float = Field(default=0.4, ge=0, description="behind which a choice is given up; 0 never")
    prior: float = Field(
        default=6.0,
        ge=0,
        description="worlds that the actor's word counts for, once it has learned",
    )
    # learning
    decay: float = Field(default=0.8, ge=0, le=1, description="λ of the critic's TD(λ)")
    heat: float = Field(
        default=0.05, gt=0, description="T of the actor: merits as shares of the reach over it"
    )
    certainty: float = Field(
        default=0.1,
        ge=0,
        description="what a choice of others pays more, as a share of the reach, to who watches",
    )
    rate: float = Field(default=2e-3, gt=0, description="of learning, at first; at last a fiftieth")
    batch: int = Field(default=512, ge=1, description="choices, or tricks, of a gradient")
    passes: int = Field(default=1, ge=1, description="times that everything kept is taught")

    @field_validator("learners")
    @classmethod
    def _numbers(cls, text: str) -> str:
        if text and not all(part.isdigit() and int(part) for part in text.split("+")):
            raise ValueError("numbers of learners are written 1+2+3")
        return text

    @field_validator("features")
    @classmethod
    def _few(cls, features: str, told: ValidationInfo) -> str:
        if features == "all" and told.data.get("backend") == "ngnet":
            raise ValueError("hundreds of flags are no place for Gaussians: paper or tables")
        return features


@kernel
def ahead_all(states: Any, out: Any) -> None:
    """Write how far each seat is ahead, [n, seats]."""
    for number in range(len(states)):
        ahead(states[number], out[number])


class Belief:
    """One run at work."""

    def __init__(
        self, game: Game, config: BeliefConfig, workers: Workers, seed: int, budget: Budget
    ) -> None:
        torch.set_num_threads(1)  # the nets are small
        self.game = ready(game)
        self.config = config
        self.total = config.deals
        self.deals = 0
        self._workers = workers
        self._seed = seed
        self._budget = budget
        self._iteration = 0
        self._quick = 0
        self.reach = usual_reach(game, config.variant)
        self.specs = specs_for(
            game,
            backend=config.backend,
            features=config.features,
            sizes=Sizes(
                config.units,
                config.layers,
                config.actor_units,
                config.actor_layers,
                config.critic_units,
                config.critic_layers,
            ),
            reach=self.reach,
            covariance=config.covariance,
        )
        self.how = looking_of(game, config)
        self._levels = levels_of(game, config)
        self._learners = learners_of(game, config)
        self.minds: dict[str, Approximator] = {
            name: begin_approximator(spec, config.steady, seed + number)
            for number, (name, spec) in enumerate(self.specs.items())
        }
        self._desk: Desk = new_desk(game, self.packed())
        self._critics_desk: Desk = new_desk(game, self.packed())

    # ------------------------------------------------------------------ an iteration

    def step(self) -> dict[str, float | str]:
        """Play tables, and teach all three what they showed."""
        progress = min(1.0, self._budget.progress(self.deals))
        rate = self.config.rate * (1.0 - 0.98 * progress)
        phase = "[WATCH]" if progress < self.config.start else "[PLAY]"
        lots = [self._play_quickly()] if self.config.quick else []
        lots += [self._play(with_learners=phase == "[PLAY]")]
        kept = Kept.joined(lots)
        told = self._teach(kept, rate)
        self._iteration += 1
        return {"phase": phase, "samples": len(kept.chosen), "rate": rate, **told, **_won(kept)}

    def _teach(self, kept: Kept, rate: float) -> dict[str, float]:
        """All three; the critic has nothing to do with the others, so it can learn beside them."""
        if self._workers.count == 1:
            return {**self._teach_choices(kept, rate), **self._teach_values(kept, rate)}
        with ThreadPoolExecutor(1) as beside:
            values = beside.submit(self._teach_values, kept, rate)
            return {**self._teach_choices(kept, rate), **values.result()}

    def _play(self, *, with_learners: bool) -> Kept:
        lot, first = min(self.config.lot, max(1, self._budget.deals_left(self.deals))), self.deals
        self.deals += lot
        who = self._seats(self._learners if with_learners else (0,), kept=1000)
        minds = self.packed()
        return play_lot(
            self._workers, self.game, minds, who, seed=self._seed, first=first, count=lot
        )

    def _play_quickly(self) -> Kept:
        first = QUICK_FIRST + self._quick
        self._quick += self.config.quick
        who = self._seats((0,), kept=self.config.kept)
        minds, count = self.packed(), self.config.quick
        return play_lot(
            self._workers, self.game, minds, who, seed=self._seed, first=first, count=count
        )

    def _seats(self, learners: tuple[int, ...], kept: int) -> Seats:
        return Seats(
            self._levels,
            learners,
            self.how,
            self.reach,
            self.config.explore,
            kept,
            self.config.stray if learners == (0,) else 0,
            self.config.looks == "deal",
            self.config.variant,
        )

    # ------------------------------------------------------------------ choices

    def _teach_choices(self, kept: Kept, rate: float) -> dict[str, float]:
        """The predictor learns what everybody chose; the actor what the look-ahead prefers."""
        chance = np.random.default_rng([self._seed, self._iteration, 1])
        surprise, actor = [], []
        right, seen = 0.0, 0
        for rows in self._batches(len(kept.chosen), chance):
            chosen, made = self._choices(kept, rows)
            right += _foreseen(self.minds["predictor"].answer(chosen.inputs), chosen, made)
            seen += len(rows)
            surprise.append(self.minds["predictor"].teach_choices(chosen, rate))
            actor.append(self._teach_actor(kept, rows, chosen, rate))
        if not surprise:
            return {}
        told = {"surprise": float(np.mean(surprise)), "foreseen": right / seen}
        return told | {"QKL": float(np.nanmean(actor))}

    def _teach_actor(self, kept: Kept, rows: Row, chosen: Chosen, rate: float) -> float:
        """Learners' choices by their merits; before there are any, the others' as some better.

        They are not taken for certain: a policy that is would hardly learn anything else.
        """
        mine = np.arange(len(rows))
        merits = self.config.certainty * chosen.wanted
        if kept.learned.any():
            mine = np.flatnonzero(kept.learned[rows])
            merits = kept.merits[rows[mine]]
        if not len(mine):
            return float("nan")
        taken = chosen.take(mine)
        gains = _centred(merits, taken.places >= 0) / self.config.heat
        return self.minds["actor"].teach_gains(replace(taken, wanted=gains), rate)

    def _choices(self, kept: Kept, rows: Row) -> tuple[Chosen, Row]:
        """Choices as the approximators see them, and which were made."""
        spec, size = self.specs["predictor"], len(rows)
        inputs = np.zeros((size, spec.inputs), dtype=np.float32)
        places = np.full((size, 64), -1, dtype=np.int64)
        slots = np.full((size, 64, 2), -1, dtype=np.int64)
        mind = self._facts("predictor")
        states, legals = kept.choices[rows], kept.legal[rows]
        inputs_of_choices(states, legals, mind, self._desk, inputs, places, slots)
        wanted = np.zeros((size, 64), dtype=np.float32)
        wanted[np.arange(size), kept.chosen[rows]] = 1.0
        return Chosen(inputs, places, slots, wanted), kept.chosen[rows]

    # ------------------------------------------------------------------ values

    def _teach_values(self, kept: Kept, rate: float) -> dict[str, float]:
        """The critic learns by TD(λ) what deals after each trick are worth to each seat."""
        many, seats = len(kept.tricks), self.game.seats
        if many == 0:
            return {}
        lead = np.zeros((many, seats))
        ahead_all(kept.tricks, lead)
        said = np.stack([self._worth(kept.tricks, seat) for seat in range(seats)], axis=1)
        targets = self._targets(kept, lead, said)
        chance = np.random.default_rng([self._seed, self._iteration, 2])
        losses = []
        for rows in self._batches(many * seats, chance):
            inputs = self._inputs(kept.tricks[rows // seats], rows % seats)
            wanted = targets.reshape(-1)[rows]
            losses.append(self.minds["critic"].teach_values(inputs, wanted, rate))
        apart = (kept.paid[kept.numbers] / self.reach - lead - said) ** 2
        spread = (kept.paid[kept.numbers] / self.reach).var()
        explained = 1.0 - float(apart.mean() / max(spread, 1e-9))
        return {"VMSE": float(np.mean(losses)), "explained": explained}

    def _targets(self, kept: Kept, lead: Floats, said: Floats) -> Floats:
        """TD(λ) targets, [tricks, seats], put back in the order of the tricks."""
        deals = len(kept.paid)
        counts = np.bincount(kept.numbers, minlength=deals)
        first = np.cumsum(counts) - counts
        at = np.arange(len(kept.numbers)) - first[kept.numbers]
        shape = (deals, int(counts.max()), self.game.seats)
        values, leads = np.zeros(shape), np.zeros(shape)
        values[kept.numbers, at], leads[kept.numbers, at] = said, lead
        paid = kept.paid / self.reach
        found = td_targets(values, leads, counts, paid, self.config.decay)
        told: Floats = found[kept.numbers, at]
        return told

    def _worth(self, states: Records, seat: int) -> Floats:
        """What the critic says of whole deals, to one seat."""
        said = np.zeros(len(states))
        for first in range(0, len(states), 4096):
            some = states[first : first + 4096]
            inputs = self._inputs(some, np.full(len(some), seat))
            said[first : first + 4096] = self.minds["critic"].answer(inputs)[:, 0]
        return said

    def _inputs(self, states: Records, seats: Row) -> Floats:
        inputs = np.zeros((len(states), self.specs["critic"].inputs), dtype=np.float32)
        inputs_of_states(states, seats, self._facts("critic"), self._critics_desk, inputs)
        return inputs

    def _facts(self, name: str) -> Any:
        return self._packed_facts[name]

    def _batches(self, count: int, chance: np.random.Generator) -> list[Row]:
        size = self.config.batch
        return [
            rows
            for _ in range(self.config.passes)
            for order in [chance.permutation(count)]
            for rows in np.array_split(order, max(1, -(-count // size)))
            if len(rows)
        ]

    # ------------------------------------------------------------------ what comes of it

    def packed(self) -> Minds:
        """The three approximators as kernels take them."""
        minds = minds_of(self.game, self.nets())
        self._packed_facts = dict(zip(NETS, minds, strict=True))
        return minds

    def nets(self) -> dict[str, tuple[ApproximatorSpec, dict[str, Floats]]]:
        """The approximators, to be saved."""
        return {name: (self.specs[name], self.minds[name].tensors()) for name in NETS}

    def player(self) -> BeliefPlayer:
        """Who plays now."""
        return BeliefPlayer(
            self.game, self.packed(), self.how, self.reach, "belief:learner", adapts=False
        )

    # ------------------------------------------------------------------ checkpoints

    def save(self, folder: Path) -> None:
        """Write all that is needed to go on."""
        where = {"deals": self.deals, "iteration": self._iteration, "quick": self._quick}
        minds = {name: mind.state() for name, mind in self.minds.items()}
        torch.save({**where, "minds": minds}, folder / STATE)

    def load(self, folder: Path) -> None:
        """Go on where another stopped."""
        state = torch.load(folder / STATE, weights_only=True)
        self.deals, self._iteration = int(state["deals"]), int(state["iteration"])
        self._quick = int(state["quick"])
        for name, mind in self.minds.items():
            mind.restore(state["minds"][name])


# ---------------------------------------------------------------------------- parts of it


def looking_of(game: Game, config: BeliefConfig) -> Looking:
    """How learners look ahead."""
    level = BY_MIND
    if config.predictor != "learned":
        book = "rulebook" if config.predictor == "rules" else config.predictor
        level = level_player(game, book).level
    return Looking(
        worlds=config.worlds,
        candidates=config.candidates,
        tricks=config.tricks,
        level=level,
        belief=LEARNED if config.belief == "learned" else EVEN,
        least=config.least,
        gap=config.gap,
        prior=config.prior,
        heat=config.heat,
    )


def levels_of(game: Game, config: BeliefConfig) -> tuple[int, ...]:
    """Who sits beside learners."""
    usual = "rulebook" if game.rulebooks else "random"
    return tuple(level_player(game, one).level for one in (config.others or usual).split("+"))


def learners_of(game: Game, config: BeliefConfig) -> tuple[int, ...]:
    """How many learners may sit at a table."""
    if not config.learners:
        return tuple(range(1, game.seats + 1))
    found = tuple(int(part) for part in config.learners.split("+"))
    if max(found) > game.seats:
        raise BadOption(f"belief: learners: {game.name} has {game.seats} seats, not {max(found)}")
    return found


def _centred(merits: Floats, legal: Any) -> Floats:
    """What each legal choice pays more than the mean of them."""
    mean = (merits * legal).sum(axis=1, keepdims=True) / legal.sum(axis=1, keepdims=True)
    found: Floats = np.where(legal, merits - mean, 0.0)
    return found


def _foreseen(outputs: Floats, chosen: Chosen, made: Row) -> float:
    """How many of the choices made were the likeliest."""
    rows = np.arange(len(made))[:, None]
    merits = outputs[rows, np.maximum(chosen.places, 0)]
    for number in range(chosen.slots.shape[2]):
        slot = chosen.slots[:, :, number]
        merits = merits + outputs[rows, np.maximum(slot, 0)] * (slot >= 0)
    likeliest = np.where(chosen.places >= 0, merits, -np.inf).argmax(axis=1)
    return float((likeliest == made).sum())


def _won(kept: Kept) -> dict[str, float]:
    """What learners won a deal at tables where others sat too, in the game's payoffs."""
    learned = kept.seating == LEARNER
    mixed = learned.any(axis=1) & ~learned.all(axis=1)
    if not mixed.any():
        return {}
    return {"won": float(kept.paid[mixed][learned[mixed]].mean())}


BY_DEALS = {"start": 0.1, "quick": 2000, "lot": 3000, "explore": 0.02, "looks": "deal"}
"""Learners learn from what the deals themselves tell, of which there are many in little time."""

METHOD = Method(
    "belief",
    "believes in worlds, predicts what the others choose there, and learns what comes of it",
    BeliefConfig,
    {
        "default": {},
        "hour": {
            "deals": 400_000,
            "actor_units": 256,
            "critic_units": 256,
            **BY_DEALS,
            "worlds": 6,
            "candidates": 18,
        },
        "thesis": {
            "features": "paper",
            "backend": "ngnet",
            "units": 16,
            "actor_units": 16,
            "critic_units": 16,
            "belief": "even",
            "predictor": "rules",
            "least": 0.0,
            "gap": 0.0,
        },
        "ngnet": {
            "features": "tables",
            "backend": "ngnet",
            "units": 16,
            "actor_units": 16,
            "critic_units": 16,
            **BY_DEALS,
        },
    },
    Belief,
)
