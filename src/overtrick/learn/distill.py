"""Distillation: a net learns what a search finds, and plays it without searching.

An iteration lets a teacher, PIMC, play and label some deals (`overtrick.learn.labelling`): what
every legal choice of a view pays on average, q, all in the same worlds. The net is taught every
new label once and older ones again. Its policy is drawn towards the choices that pay more than
others, its value towards what the best one pays:

    L = (max q - v)² - softmax(a / T) · log p + w (l - a / T)²        a = q - mean q

l are the logits, centred like a. The first two terms are AlphaZero's, told as VMSE and PCE, so any
other method can go on from the net; the last one, QMSE, tells by how much choices differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor

from overtrick.engine.playouts import RANDOM
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.learn.budget import Budget
from overtrick.learn.labelling import Teacher, label_deals
from overtrick.learn.measuring import usual_reach
from overtrick.learn.methods import Method
from overtrick.learn.nets import (
    OUT_OF_REACH,
    DualHead,
    Steady,
    clip_weights,
    load_tensors,
    policy_loss,
    tensors_of,
    value_loss,
)
from overtrick.learn.samples import Lesson, Samples, lessons
from overtrick.learn.workers import Workers
from overtrick.nets.forward import Net, pack_net
from overtrick.nets.spec import NetSpec, spec_for
from overtrick.players.levels import level_player
from overtrick.players.neural import PolicyPlayer
from overtrick.search.beliefs import EVENLY
from overtrick.search.leaves import THOUSAND

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
    # learning
    lot: int = Field(default=2000, ge=1, description="deals of an iteration")
    window: int = Field(default=400_000, ge=1, description="labels remembered")
    passes: float = Field(default=4.0, ge=1, description="times that a label is taught, on average")
    batch: int = Field(default=512, ge=1, description="labels of a gradient")
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
        self._remembered: list[Samples] = []
        self.spec = _spec(game, config)
        self._teacher = _teacher(game, config, self.spec.reach)
        self._net = DualHead(self.spec, seed)
        self._optimizer = torch.optim.Adam(
            self._net.parameters(), lr=config.rate, weight_decay=config.steady.l2
        )

    # ------------------------------------------------------------------ an iteration

    def step(self) -> dict[str, float | str]:
        """Label some deals, and teach the new labels once and older ones again."""
        progress = min(1.0, self._budget.progress(self.deals))
        new = self._label()
        told = self._learn(self._syllabus(new), self.config.rate * (1.0 - progress))
        self._remember(new)
        self._iteration += 1
        return {"samples": len(new), **told}

    def _label(self) -> Samples:
        lot = min(self.config.lot, max(1, self._budget.deals_left(self.deals)))
        part = -(-lot // (4 * self._workers.count))
        firsts = range(self.deals, self.deals + lot, part)
        jobs = [
            (self.game.name, self._teacher, self._seed, n, min(part, self.deals + lot - n))
            for n in firsts
        ]
        self.deals += lot
        return Samples.joined(self._workers.run(label_some, jobs))

    def _syllabus(self, new: Samples) -> Samples:
        """New labels, and `passes - 1` times as many drawn from older ones."""
        old = sum(map(len, self._remembered))
        wanted = min(old, round((self.config.passes - 1) * len(new)))
        chance = np.random.default_rng([self._seed, self._iteration, 1])
        rows = np.sort(chance.choice(old, wanted, replace=False))
        parts, first = [new], 0
        for lot in self._remembered:
            mine = rows[(rows >= first) & (rows < first + len(lot))]
            parts.append(lot.take(mine - first))
            first += len(lot)
        return Samples.joined(parts)

    def _remember(self, new: Samples) -> None:
        self._remembered.append(new)
        while sum(map(len, self._remembered[1:])) >= self.config.window:
            del self._remembered[0]

    def _learn(self, samples: Samples, rate: float) -> dict[str, float]:
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        sums, batches = np.zeros(3), 0
        for lesson in lessons(
            self.game,
            self.spec,
            samples,
            size=self.config.batch,
            passes=1.0,
            seed=self._seed,
            part=self._iteration,
        ):
            sums += self._teach(lesson)
            batches += 1
        vmse, pce, qmse = (float(total) / max(batches, 1) for total in sums)
        return {"VMSE": vmse, "PCE": pce, "QMSE": qmse, "rate": rate, "taught": len(samples)}

    def _teach(self, lesson: Lesson) -> tuple[float, float, float]:
        """One gradient; VMSE, PCE and QMSE before it."""
        config, legal = self.config, torch.from_numpy(lesson.legal)
        payoffs = torch.from_numpy(lesson.policy) / self.spec.reach
        wanted = centred(payoffs, legal) / config.temperature
        logits, values = self._net(torch.from_numpy(lesson.flags).float())
        vmse = value_loss(values, torch.from_numpy(lesson.values))
        pce = policy_loss(logits, legal, shares(wanted, legal))
        qmse = choice_loss(logits, legal, wanted)
        self._optimizer.zero_grad()
        loss: Any = vmse + pce + config.choice_weight * qmse
        loss.backward()
        if config.steady.gradient_norm:
            torch.nn.utils.clip_grad_norm_(self._net.parameters(), config.steady.gradient_norm)
        self._optimizer.step()
        clip_weights(self._net, config.steady.weight_clip)
        return float(vmse.detach()), float(pce.detach()), float(qmse.detach())

    # ------------------------------------------------------------------ what comes of it

    def net(self) -> Net:
        """The net as kernels take it."""
        return pack_net(self.game, self.spec, tensors_of(self._net))

    def nets(self) -> dict[str, tuple[NetSpec, dict[str, Floats]]]:
        """The net, to be saved."""
        return {"main": (self.spec, tensors_of(self._net))}

    def player(self) -> PolicyPlayer:
        """Who plays now, without search."""
        return PolicyPlayer(self.game, self.net(), "net:learner")

    # ------------------------------------------------------------------ checkpoints

    def save(self, folder: Path) -> None:
        """Write all that is needed to go on."""
        state = {
            "deals": self.deals,
            "iteration": self._iteration,
            "net": self._net.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "lots": len(self._remembered),
        }
        torch.save(state, folder / STATE)
        for number, lot in enumerate(self._remembered):
            lot.save(folder / f"samples-{number}.npz")

    def load(self, folder: Path) -> None:
        """Go on where another stopped."""
        state = torch.load(folder / STATE, weights_only=True)
        self.deals, self._iteration = int(state["deals"]), int(state["iteration"])
        self._net.load_state_dict(state["net"])
        self._optimizer.load_state_dict(state["optimizer"])
        names = [folder / f"samples-{number}.npz" for number in range(int(state["lots"]))]
        self._remembered = [Samples.load(self.game, name) for name in names]

    def start_from(self, tensors: Mapping[str, Floats]) -> None:
        """Begin with the weights of a trained net of the same spec."""
        load_tensors(self._net, tensors)


def label_some(game: str, teacher: Teacher, seed: int, first: int, count: int) -> Samples:
    """`label_deals` for workers anywhere."""
    return label_deals(load_game(game), teacher, seed=seed, first=first, count=count)


def _spec(game: Game, config: DistillConfig) -> NetSpec:
    return spec_for(
        game,
        units=config.units,
        layers=config.layers,
        head=config.head,
        encoding=config.encoding,
        value=config.value,
        reach=usual_reach(game, config.variant),
        cap=config.steady.cap,
        logit_clip=config.steady.logit_clip,
    )


def _teacher(game: Game, config: DistillConfig, reach: float) -> Teacher:
    """Who labels: by the game's usual settings of searching players where none are told."""
    usual = game.search_defaults
    playout = config.playout or usual.get("playout", "rulebook" if game.rulebooks else "random")
    level = level_player(game, playout).level
    belief = config.belief or usual.get("belief", "none")
    return Teacher(
        config.worlds,
        level,
        noise=config.playout_noise,
        endgame=int(usual.get("endgame", 0)) if config.endgame < 0 else config.endgame,
        belief=EVENLY if belief == "none" else level_player(game, belief).level,
        candidates=config.candidates,
        labelled=config.labelled,
        by_chance=config.by_chance,
        trust=0 if level == RANDOM else round(THOUSAND * config.trust * reach),
        variant=config.variant,
    )


# ---------------------------------------------------------------------------- losses


def centred(numbers: Tensor, legal: Tensor) -> Tensor:
    """Numbers of legal choices less their mean, [n, actions]; 0 for the others."""
    own = numbers * legal
    return (own - own.sum(dim=1, keepdim=True) / legal.sum(dim=1, keepdim=True)) * legal


def shares(numbers: Tensor, legal: Tensor) -> Tensor:
    """The softmax of the numbers of legal choices, [n, actions]; 0 for the others."""
    return torch.softmax(numbers.masked_fill(~legal, OUT_OF_REACH), dim=1)


def choice_loss(logits: Tensor, legal: Tensor, wanted: Tensor) -> Tensor:
    """QMSE: how far logits, centred, are from what they should be, a mean over legal choices."""
    squares = (centred(logits, legal) - wanted) ** 2 * legal
    return (squares.sum(dim=1) / legal.sum(dim=1)).mean()


METHOD = Method(
    "distill",
    "a search labels what every choice pays, and the net learns to play it without searching",
    DistillConfig,
    {"default": {}},
    Distill,
)
