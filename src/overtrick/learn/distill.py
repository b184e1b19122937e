"""Distillation: a net learns what a search finds, and plays it without searching.

An iteration lets a teacher, PIMC, play and label some deals (`overtrick.learn.labelling`): what
every legal choice of a view pays on average, q, all in the same worlds. The net is taught every
new label once and older ones again. Its policy gains by the choices that pay more than others, its
value is drawn towards what the best one pays:

    L = (max q - v)² + Σ p (log p - a / T) + w (l - a / T)²        a = q - mean q

l are the logits, centred like a. The terms are told as VMSE, QKL and QMSE; the second is least
where p is the softmax of a / T, and linear in a: labels from a few worlds are noisy, and what
single ones pretend cancels out. The last one tells by how much choices differ that are hardly made.

Labels are dear. In the first part of a run the net is also taught very many quick deals among
players of the playouts (`overtrick.learn.quick`), each once: their choice as one that pays more
than the others, and what the deal paid. So it begins about as good as they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field

from overtrick.games.game import Game
from overtrick.learn.budget import Budget
from overtrick.learn.labelling import Teacher, label_lot, usual_teacher
from overtrick.learn.memory import Memory
from overtrick.learn.methods import Method
from overtrick.learn.nets import (
    Steady,
    centred,
    choice_loss,
    gain_loss,
    value_loss,
)
from overtrick.learn.pupil import Pupil
from overtrick.learn.quick import CHOICES, Quick, play_lot
from overtrick.learn.samples import Lesson, Samples, lessons
from overtrick.learn.shapes import plain_spec
from overtrick.learn.workers import Workers
from overtrick.nets.forward import Net
from overtrick.nets.spec import NetSpec
from overtrick.players.neural import PolicyPlayer

__all__ = ["METHOD", "Distill", "DistillConfig"]

Floats = np.ndarray[Any, np.dtype[Any]]
STATE = "learner.pt"


class DistillConfig(BaseModel):
    """The settings of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    deals: int = Field(default=100_000, ge=1, description="deals of a whole run")
    # the net
    units: int = Field(default=256, ge=1, description="units in a layer of the body")
    layers: int = Field(default=3, ge=0, description="layers of the body")
    head: int = Field(
        default=0, ge=0, description="units in the hidden layer of a head; 0 for none"
    )
    encoding: str = Field(
        default="", description="flags that the net is shown; the game's first if empty"
    )
    hands: bool = Field(default=False, description="show the net all hands now and then")
    value: Literal["", "side", "seat"] = Field(default="", description="one value, or one a seat")
    steady: Steady = Field(default=Steady(l2=0.0), description="what keeps learning steady")
    # the teacher
    worlds: int = Field(default=8, ge=1, description="worlds in which every choice is played out")
    playout: str = Field(
        default="", description="player of the playouts; the game's usual if empty"
    )
    playout_noise: int = Field(
        default=100, ge=0, le=1000, description="thousandths of random choices"
    )
    endgame: int = Field(-1, ge=-1, description="last tricks that are exact; -1 usual")
    belief: str = Field(
        default="", description="whom the others are taken for; none, or usual if empty"
    )
    candidates: int = Field(
        default=4, ge=1, description="worlds drawn for each, when they are weighed"
    )
    labelled: int = Field(default=250, ge=1, le=1000, description="thousandths of choices labelled")
    by_chance: int = Field(default=100, ge=0, le=1000, description="thousandths of choices random")
    trust: float = Field(
        default=0.1,
        ge=0,
        description="on top for what the playouts' player chooses, as T is counted",
    )
    variant: str = Field(default="", description="house rules; the default ones if empty")
    # imitation
    imitate: float = Field(
        default=0.3, ge=0, le=1, description="part of the run with quick deals as well"
    )
    quick: int = Field(default=10, ge=0, description="quick deals, for each that is labelled")
    certainty: float = Field(
        default=0.2, gt=0, description="what its choice pays more than others, as T is counted"
    )
    # learning
    shuffle_suits: bool = Field(
        default=True, description="rename suits that the rules do not tell apart, at random"
    )
    lot: int = Field(default=2000, ge=1, description="deals of an iteration")
    window: int = Field(default=400_000, ge=1, description="labels remembered")
    passes: float = Field(default=4.0, ge=1, description="times that a label is taught, on average")
    batch: int = Field(default=1024, ge=1, description="labels of a gradient")
    rate: float = Field(default=2e-3, gt=0, description="of learning, at first; at last it is none")
    temperature: float = Field(
        default=0.05, gt=0, description="T, in payoffs that a value of 1 stands for"
    )
    choice_weight: float = Field(default=0.1, ge=0, description="w, of how much choices differ")


class Distill:
    """One run at work."""

    def __init__(
        self, game: Game, config: DistillConfig, workers: Workers, seed: int, budget: Budget
    ) -> None:
        self.game = game
        self.config = config
        self.total = config.deals
        self.deals = 0
        self._workers = workers
        self._seed = seed
        self._budget = budget
        self._iteration = 0
        self.spec = plain_spec(game, config)
        self._memory = Memory(game, config.window)
        self._pupil = Pupil(self.spec, config.steady, seed)
        self._teacher = _teacher(game, config, self.spec.reach)

    # ------------------------------------------------------------------ an iteration

    def step(self) -> dict[str, float | str]:
        """Label some deals, and teach the new labels once and older ones again."""
        progress = min(1.0, self._budget.progress(self.deals))
        quick = self._play_quickly() if progress < self.config.imitate else Samples.none(self.game)
        new = self._label()
        chance = np.random.default_rng([self._seed, self._iteration, 1])
        again = min(len(self._memory), round((self.config.passes - 1) * len(new)))
        syllabus = Samples.joined([new, self._memory.draw(again, chance), quick])
        told = self._learn(syllabus, self.config.rate * (1.0 - progress))
        self._memory.add(new)
        self._iteration += 1
        return {"samples": len(new), **told}

    def _label(self) -> Samples:
        lot, first = min(self.config.lot, max(1, self._budget.deals_left(self.deals))), self.deals
        self.deals += lot
        return label_lot(
            self._workers, self.game, self._teacher, seed=self._seed, first=first, count=lot
        )

    def _play_quickly(self) -> Samples:
        """Deals among players of the playouts; what they choose pays more than all else."""
        lot = self.config.quick * min(self.config.lot, self._budget.deals_left(self.deals))
        found = play_lot(
            self._workers,
            self.game,
            self.net(),
            Quick(self._teacher.level, tells=CHOICES, variant=self.config.variant),
            seed=self._seed,
            first=self.config.quick * self.deals,
            count=lot,
        )
        found.policy[:] *= self.config.certainty * self.spec.reach
        return found

    def _learn(self, samples: Samples, rate: float) -> dict[str, float]:
        self._pupil.set_rate(rate)
        told = [
            self._teach(lesson)
            for lesson in lessons(
                self.game,
                self.spec,
                samples,
                size=self.config.batch,
                passes=1.0,
                seed=self._seed,
                part=self._iteration,
                shuffled=self.config.shuffle_suits,
            )
        ]
        means = [sum(column) / len(told) for column in zip(*told, strict=True)]
        losses = dict(zip(("VMSE", "QKL", "QMSE"), means, strict=False))  # none if none was taught
        return {**losses, "rate": rate, "taught": len(samples)}

    def _teach(self, lesson: Lesson) -> tuple[float, float, float]:
        """One gradient; VMSE, QKL and QMSE before it."""
        config, legal = self.config, torch.from_numpy(lesson.legal)
        payoffs = torch.from_numpy(lesson.policy) / self.spec.reach
        wanted = centred(payoffs, legal) / config.temperature
        logits, values = self._pupil.answer(lesson.flags)
        vmse = value_loss(values, torch.from_numpy(lesson.values))
        qkl = gain_loss(logits, legal, wanted)
        qmse = choice_loss(logits, legal, wanted)
        self._pupil.descend(vmse + qkl + config.choice_weight * qmse)
        return float(vmse.detach()), float(qkl.detach()), float(qmse.detach())

    # ------------------------------------------------------------------ what comes of it

    def net(self) -> Net:
        """The net as kernels take it."""
        return self._pupil.packed(self.game)

    def nets(self) -> dict[str, tuple[NetSpec, dict[str, Floats]]]:
        """The net, to be saved."""
        return {"main": (self.spec, self._pupil.tensors())}

    def player(self) -> PolicyPlayer:
        """Who plays now, without search."""
        return PolicyPlayer(self.game, self.net(), "net:learner")

    # ------------------------------------------------------------------ checkpoints

    def save(self, folder: Path) -> None:
        """Write all that is needed to go on."""
        where = {"deals": self.deals, "iteration": self._iteration}
        torch.save({**where, **self._pupil.state()}, folder / STATE)
        self._memory.save(folder)

    def load(self, folder: Path) -> None:
        """Go on where another stopped."""
        state = torch.load(folder / STATE, weights_only=True)
        self.deals, self._iteration = int(state["deals"]), int(state["iteration"])
        self._pupil.restore(state)
        self._memory.load(folder)


def _teacher(game: Game, config: DistillConfig, reach: float) -> Teacher:
    return usual_teacher(
        game,
        reach,
        worlds=config.worlds,
        playout=config.playout,
        noise=config.playout_noise,
        endgame=config.endgame,
        belief=config.belief,
        candidates=config.candidates,
        labelled=config.labelled,
        by_chance=config.by_chance,
        trust=config.trust,
        variant=config.variant,
    )


METHOD = Method(
    "distill",
    "a search labels what every choice pays, and the net learns to play it without searching",
    DistillConfig,
    {"default": {}},
    Distill,
)
