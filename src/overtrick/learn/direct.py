"""Direct self-play: nets that tell what every choice will pay, and no search.

Two nets share the work, one for an empty table (`lead`) and one for cards on it (`follow`). Both
sides of a deal are played by them, each choice the one that promises most, or now and then any.
When the deal is over, every choice that was one is taught what it has paid to who made it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor

from overtrick.arena.boards import choice_streams, deals_of
from overtrick.engine.batches import choose_at_random, legal_all, payoffs_all, play_all
from overtrick.engine.views import hide_all
from overtrick.games import load_game
from overtrick.games.game import Game, Row
from overtrick.jit import stream
from overtrick.learn.budget import Budget
from overtrick.learn.journal import Metrics
from overtrick.learn.memory import Memory
from overtrick.learn.methods import Method
from overtrick.learn.nets import Steady
from overtrick.learn.pupil import Pupil
from overtrick.learn.samples import MOST_CHOICES, Lesson, Samples, lessons
from overtrick.learn.selfplay import shares_of
from overtrick.learn.shapes import plain_spec
from overtrick.learn.workers import Workers
from overtrick.nets.forward import Net, pack_net, reach_of
from overtrick.nets.spec import NetSpec
from overtrick.players.neural import DirectPlayer

__all__ = ["METHOD", "Direct", "DirectConfig", "choice_loss", "play_episodes"]

Floats = np.ndarray[Any, np.dtype[Any]]
NETS = ("lead", "follow")
STATE = "learner.pt"


class DirectConfig(BaseModel):
    """The settings of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    deals: int = Field(default=20_000, ge=1, description="deals of a whole run")
    variant: str = Field(default="", description="house rules; the default ones if empty")
    # the nets
    units: int = Field(default=128, ge=1, description="units in a layer")
    layers: int = Field(default=2, ge=0, description="hidden layers; 0 for a linear net")
    encoding: str = Field(
        default="", description="flags that the nets are shown; the first if empty"
    )
    steady: Steady = Field(default=Steady(l2=1e-5), description="what keeps learning steady")
    # self-play
    lot: int = Field(
        default=500, ge=1, description="deals of an iteration, all played side by side"
    )
    epsilon: float = Field(default=0.5, ge=0, le=1, description="share of random choices, at first")
    last_epsilon: float = Field(
        default=0.05, ge=0, le=1, description="share of random choices, at last"
    )
    # learning
    window: int = Field(default=50_000, ge=1, description="choices remembered")
    passes: float = Field(
        default=4.0, gt=0, description="times that a choice is taught, on average"
    )
    shuffle_suits: bool = Field(
        default=True, description="rename suits that the rules do not tell apart, at random"
    )
    batch: int = Field(default=512, ge=1, description="choices of a gradient")
    rate: float = Field(default=4e-3, gt=0, description="of learning, at first")
    last_rate: float = Field(default=1e-4, gt=0, description="of learning, at last")


# ---------------------------------------------------------------------------- learning


class Direct:
    """One run at work."""

    def __init__(
        self, game: Game, config: DirectConfig, workers: Workers, seed: int, budget: Budget
    ) -> None:
        torch.set_num_threads(1)  # the nets are small
        self.game = game
        self.config = config
        self.deals = 0
        self.total = config.deals
        self._workers = workers
        self._seed = seed
        self._budget = budget
        self._iteration = 0
        self.spec = _spec(game, config)
        self._memory = Memory(game, config.window)
        seeds = {name: int(stream(seed, name)[0]) & 0x7FFFFFFF for name in NETS}
        self._pupils = {name: Pupil(self.spec, config.steady, seeds[name]) for name in NETS}

    def step(self) -> Metrics:
        """Play some deals, and learn from the choices of the last few iterations."""
        done = self._budget.progress(self.deals)
        epsilon = _eased(self.config.epsilon, self.config.last_epsilon, done)
        rate = _eased(self.config.rate, self.config.last_rate, done)
        new = self._play(epsilon)
        self._memory.add(new)
        losses = {name: self._learn(name, len(new), rate) for name in NETS}
        self._iteration += 1
        told = {f"{name}_loss": loss for name, loss in losses.items() if loss is not None}
        return {"epsilon": epsilon, "rate": rate, "samples": len(new), **told}

    def _play(self, epsilon: float) -> Samples:
        lot = min(self.config.lot, self._budget.deals_left(self.deals))
        part = -(-lot // self._workers.count)
        fixed = (self.game.name, self._packed(), epsilon, self.config.variant, self._seed)
        firsts = range(self.deals, self.deals + lot, part)
        jobs = [(*fixed, first, min(part, self.deals + lot - first)) for first in firsts]
        self.deals += lot
        return Samples.joined(self._workers.run(play_episodes, jobs))

    def _learn(self, name: str, new: int, rate: float) -> float | None:
        """Teach a net what was remembered for it; its mean loss, None if it had no choices."""
        self._pupils[name].set_rate(rate)
        remembered = self._memory.all()
        mine = remembered.take(np.flatnonzero((remembered.deals["table"] != 0) == NETS.index(name)))
        losses = [
            self._teach(name, lesson)
            for lesson in lessons(
                self.game,
                self.spec,
                mine,
                size=self.config.batch,
                passes=self.config.passes * new / max(len(remembered), 1),
                seed=self._seed,
                part=len(NETS) * self._iteration + NETS.index(name),
                shuffled=self.config.shuffle_suits,
            )
        ]
        return sum(losses) / len(losses) if losses else None

    def _teach(self, name: str, lesson: Lesson) -> float:
        """One gradient; the loss before it."""
        told, _ = self._pupils[name].answer(lesson.flags)
        loss = choice_loss(told, torch.from_numpy(lesson.legal), torch.from_numpy(lesson.policy))
        self._pupils[name].descend(loss)
        return float(loss.detach())

    # ------------------------------------------------------------------ what comes of it

    def nets(self) -> dict[str, tuple[NetSpec, dict[str, Floats]]]:
        """Both nets, to be saved."""
        return {name: (self.spec, pupil.tensors()) for name, pupil in self._pupils.items()}

    def player(self) -> DirectPlayer:
        """Who plays now, without random choices."""
        return DirectPlayer(self.game, self._packed(), "direct:learner")

    def _packed(self) -> tuple[Net, Net]:
        lead, follow = (pack_net(self.game, *net) for net in self.nets().values())
        return lead, follow

    def save(self, folder: Path) -> None:
        """Write all that is needed to go on."""
        where = {"deals": self.deals, "iteration": self._iteration}
        pupils = {name: pupil.state() for name, pupil in self._pupils.items()}
        torch.save({**where, **pupils}, folder / STATE)
        self._memory.save(folder)

    def load(self, folder: Path) -> None:
        """Go on where another stopped."""
        state = torch.load(folder / STATE, weights_only=True)
        self.deals, self._iteration = int(state["deals"]), int(state["iteration"])
        for name, pupil in self._pupils.items():
            pupil.restore(state[name])
        self._memory.load(folder)


def choice_loss(told: Tensor, taken: Tensor, paid: Tensor) -> Tensor:
    """The mean squared distance of what was told of choices from what they have paid.

    All [n, actions]; `taken` is true for the one choice of each row that was made.
    """
    return ((told - paid) ** 2 * taken).sum() / taken.sum()


def _eased(first: float, last: float, done: float) -> float:
    """From the first to the last value over a run, slowly at both ends."""
    return float(last + (first - last) * (1 + np.cos(np.pi * done)) / 2)


def _spec(game: Game, config: DirectConfig) -> NetSpec:
    return plain_spec(game, config, value="none", output="choices")


# ---------------------------------------------------------------------------- self-play


def play_episodes(
    name: str,
    nets: tuple[Net, Net],
    epsilon: float,
    variant: str,
    seed: int,
    first: int,
    count: int,
) -> Samples:
    """Play deals `first` to `first + count - 1`; a sample for every choice that was one.

    Its only choice is the one that was made, with what that has paid, as the nets count. Deals and
    chance come from the seed and their numbers, however the deals are cut into lots.
    """
    game = load_game(name)
    states = deals_of(game, variant, stream(seed, "training", name), first, count)
    parent, player = stream(seed, "training choices", name), DirectPlayer(game, nets, "")
    going = np.arange(count)
    made: list[tuple[Row, Any, Row]] = []  # numbers of deals, deals, choices
    while len(going):
        group = states[going]
        legals, chosen = np.zeros((2, len(going)), dtype=np.int64)
        chances = np.empty((len(going), 2), dtype=np.int64)
        choice_streams(first + going, group["turn"].copy(), parent, chances)
        explores = shares_of(chances) < epsilon
        legal_all(group, legals)
        choose_at_random(legals, chances, chosen)
        real = np.flatnonzero(legals & legals - 1)
        views = group[real]
        hide_all(views, views["seat"].copy())
        greedy = ~explores[real]
        chosen[real[greedy]] = player.weigh(views[greedy]).argmax(axis=1)
        made.append((going[real], group[real], chosen[real]))
        play_all(group, chosen)
        states[going] = group
        going = going[group["phase"] >= 0]
    won = np.zeros((count, game.seats), dtype=np.int64)
    payoffs_all(states, won)
    return _samples(made, won.astype(np.float32), reach_of(nets[0]))


def _samples(made: list[tuple[Row, Any, Row]], won: Floats, reach: float) -> Samples:
    numbers, deals, choices = (np.concatenate(column) for column in zip(*made, strict=True))
    order = np.argsort(numbers, kind="stable")  # deal by deal: the same in whatever lots
    numbers, deals, choices = numbers[order], deals[order], choices[order]
    policy = np.zeros((len(deals), MOST_CHOICES), dtype=np.float32)
    policy[np.arange(len(deals)), choices] = won[numbers, deals["seat"]] / reach
    return Samples(deals, 1 << choices, policy, won[numbers])


PRESETS: Mapping[str, Mapping[str, Any]] = {"default": {}, "linear": {"layers": 0, "rate": 5e-3}}

METHOD = Method(
    "direct",
    "direct self-play: nets that tell what each choice will pay, one to lead and one to follow",
    DirectConfig,
    PRESETS,
    Direct,
)
