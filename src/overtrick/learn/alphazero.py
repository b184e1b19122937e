"""AlphaZero for games with hidden hands: self-play by a net-led search over worlds.

An iteration plays some deals against itself, every choice by searching trees in several worlds of
the view, and teaches the net what the searches chose (π) and what the deals paid (z). An untrained
net values leaves badly, so for the first part of a run leaves are valued by playouts, with the
net's priors alone ([BOOT]); then by the net ([AZ]).

What positions are worth takes far more deals to learn than what to choose in them. So for every
searched deal many quick ones are played without search (`overtrick.learn.quick`), each taught once.

    [BOOT]  the player of the playouts plays them, and they teach what deals pay; some more are
            labelled by searching a few worlds with playouts, as in distillation
    [AZ]    the net's own policy plays them, and they teach what deals pay, and what all legal
            choices of a position would have paid if everybody then played on like that: so the
            policy improves on itself, and the next quick deals are better ones

    L = (z - v)² - π · log p                of what searches chose
    L = (z - v)² + w Σ p (log p - q / T)    of quick deals, where q are payoffs of choices
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field

from overtrick.games.game import Game
from overtrick.jit import stream
from overtrick.learn.budget import Budget
from overtrick.learn.labelling import label_lot, usual_teacher
from overtrick.learn.measuring import beats
from overtrick.learn.memory import Memory
from overtrick.learn.methods import Method
from overtrick.learn.nets import (
    Steady,
    centred,
    choice_loss,
    gain_loss,
    policy_loss,
    shares,
    value_loss,
)
from overtrick.learn.pupil import Pupil, to_numpy, to_torch
from overtrick.learn.quick import NOTHING, PAYOFFS, Quick, play_lot
from overtrick.learn.samples import Lesson, Samples, lessons
from overtrick.learn.selfplay import SelfPlay, play_some
from overtrick.learn.shapes import plain_spec
from overtrick.learn.starting import starting_tensors
from overtrick.learn.tiers import TIERS
from overtrick.learn.workers import Workers
from overtrick.nets.forward import Net, pack_net
from overtrick.nets.spec import NetSpec
from overtrick.players import Player
from overtrick.players.guiding import SEARCH_SETTINGS, guided_player, usual_endgame
from overtrick.players.levels import playout_player
from overtrick.players.naming import PlayerName, Settings
from overtrick.search.guided import BY_NET, SHARPNESS, Guidance
from overtrick.search.puct import EXPLORE

__all__ = ["AlphaZero", "AlphaZeroConfig", "usual_lot"]

Floats = np.ndarray[Any, np.dtype[Any]]
BOOT, AZ = "[BOOT]", "[AZ]"
STATE = "learner.pt"
LABEL_WEIGHT = 0.1  # of QMSE beside PCE, for labels
Teach = Callable[[Lesson], dict[str, float]]
SNAPSZER = 28  # choices of the longest deal there, in which a lot has 1000 deals
MOST_IN_FLIGHT = 256  # deals played side by side


class AlphaZeroConfig(BaseModel):
    """The settings of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    deals: int = Field(default=48_000, ge=1, description="deals of a whole run")
    # the net
    units: int = Field(default=128, ge=1, description="units in a layer of the body")
    layers: int = Field(default=3, ge=0, description="layers of the body")
    head: int = Field(
        default=64, ge=0, description="units in the hidden layer of a head; 0 for none"
    )
    encoding: str = Field(
        default="", description="flags that the net is shown; the game's first if empty"
    )
    hands: bool = Field(default=True, description="show the net all hands in a search's worlds")
    value: Literal["", "side", "seat"] = Field(default="", description="one value, or one a seat")
    steady: Steady = Field(default=Steady(l2=1e-6), description="what keeps learning steady")
    start: str = Field(default="", description="model whose net it begins with; else at random")
    # self-play
    sims: int = Field(default=12, ge=1, description="simulations in each world")
    worlds: int = Field(default=40, ge=1, description="worlds of each search")
    boot: float = Field(
        default=0.4, ge=0, le=1, description="part of the run with playouts at leaves"
    )
    playout: str = Field(
        default="", description="player of those playouts; the game's usual if empty"
    )
    playout_noise: int = Field(
        default=100, ge=0, le=1000, description="thousandths of random choices"
    )
    endgame: int = Field(
        default=-1, ge=-1, description="tricks from which leaves are exact; -1 usual"
    )
    ahead: int = Field(
        default=0, ge=0, description="choices that the policy makes before the net values a leaf"
    )
    evenly: bool = Field(
        default=True, description="try all choices of a root equally often, and learn from payoffs"
    )
    explore: float = Field(default=EXPLORE, gt=0, description="weight of priors in the tree")
    temperature: float = Field(
        default=0.0, ge=0, description="of choices among visits, early in a deal"
    )
    warm_choices: int = Field(
        default=8, ge=0, description="choices of a deal with that temperature"
    )
    stray: float = Field(
        default=0.8, ge=0, le=1, description="share of deals in which one choice is random"
    )
    searched: float = Field(
        default=1.0, gt=0, le=1, description="share of the choices that are searched"
    )
    stir: float = Field(default=0.25, ge=0, lt=1, description="share of noise in the root's priors")
    alpha: float = Field(default=0.5, gt=0, description="of that noise: small is spiky")
    variant: str = Field(default="", description="house rules; the default ones if empty")
    quick: int = Field(
        default=150, ge=0, description="deals without search, for each one that is searched"
    )
    labels: int = Field(
        default=20, ge=0, description="deals labelled by playouts for each, in the first part"
    )
    # learning
    lot: int = Field(default=1000, ge=1, description="deals of an iteration")
    window: int = Field(default=250_000, ge=1, description="samples remembered")
    passes: float = Field(
        default=4.0, gt=0, description="times that a new sample is taught, on average"
    )
    shuffle_suits: bool = Field(
        default=True, description="rename suits that the rules do not tell apart, at random"
    )
    batch: int = Field(default=1024, ge=1, description="samples of a gradient")
    gain_weight: float = Field(
        default=0.5, ge=0, description="w, of what choices of quick deals paid, in the loss"
    )
    rate: float = Field(default=1e-3, gt=0, description="of learning, at first")
    last_rate: float = Field(default=1e-4, gt=0, description="of learning, at last")
    average: float = Field(
        default=0.5, ge=0, lt=1, description="part that the net which plays keeps of its weights"
    )
    # gating
    gate: Literal["off", "sprt"] = Field(
        default="off", description="let only a proven better net play"
    )
    gate_every: int = Field(default=5, ge=1, description="iterations between such proofs")
    gate_boards: int = Field(default=2000, ge=1, description="most boards of a proof")


class AlphaZero:
    """One run at work."""

    def __init__(
        self, game: Game, config: AlphaZeroConfig, workers: Workers, seed: int, budget: Budget
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
        if config.start:
            self._pupil.begin_with(starting_tensors(game, config.start, self.spec))
        self._mean = self._pupil.tensors()  # of the last iterations
        self._best = dict(self._mean)  # the net that plays
        self._endgame = usual_endgame(game) if config.endgame < 0 else config.endgame
        self._how = _how_to_play(game, config, self._endgame)
        self._teacher = usual_teacher(
            game,
            self.spec.reach,
            playout=config.playout,
            noise=config.playout_noise,
            endgame=self._endgame,
            variant=config.variant,
        )

    # ------------------------------------------------------------------ an iteration

    def step(self) -> dict[str, float | str]:
        """Play some deals, learn from what is remembered, and let the better net play on."""
        progress = min(1.0, self._budget.progress(self.deals))
        booting = progress < self.config.boot
        quick, labels = self._play_quickly(booting)
        new = self._play(booting)
        self._memory.add(new)
        chance = np.random.default_rng([self._seed, self._iteration, 2])
        known = self._memory.draw(round(self.config.passes * len(new)), chance)
        told = self._learn(known, quick, labels, progress)
        told |= self._choose_net()
        self._iteration += 1
        return {"phase": BOOT if booting else AZ, "samples": len(new), **told}

    def _play(self, booting: bool) -> Samples:
        lot = min(self.config.lot, max(1, self._budget.deals_left(self.deals)))
        how = self._how[BOOT if booting else AZ]
        part = min(MOST_IN_FLIGHT, -(-lot // (2 * self._workers.count)))
        firsts = range(self.deals, self.deals + lot, part)
        jobs = [
            (self.game.name, self.net(), how, self._seed, n, min(part, self.deals + lot - n))
            for n in firsts
        ]
        self.deals += lot
        return Samples.joined(self._workers.run(play_some, jobs))

    def _play_quickly(self, booting: bool) -> tuple[Samples, Samples]:
        """Deals that go with the next searched ones: without search, and labelled by playouts.

        While booting, the latter tell what choices are worth, so the former need not.
        """
        config, level = self.config, self._how[BOOT if booting else AZ].how.level
        lot = min(config.lot, self._budget.deals_left(self.deals))
        how = Quick(level, tells=NOTHING if booting else PAYOFFS, variant=config.variant)

        def numbers(each: int) -> dict[str, int]:
            return {"seed": self._seed, "first": each * self.deals, "count": each * lot}

        quick = play_lot(self._workers, self.game, self.net(), how, **numbers(config.quick))
        each = config.labels if booting else 0
        return quick, label_lot(self._workers, self.game, self._teacher, **numbers(each))

    def _learn(
        self, known: Samples, quick: Samples, labels: Samples, progress: float
    ) -> dict[str, float]:
        """Teach what searches chose, what quick deals paid, and what labels tell, in turns."""
        config = self.config
        rate = config.rate * (config.last_rate / config.rate) ** progress
        self._pupil.set_rate(rate)
        losses: dict[str, list[float]] = {}
        for teach, lesson in in_turns(
            (self._teach_chosen, *self._lessons(known, 0)),
            (self._teach_paid, *self._lessons(quick, 1)),
            (self._teach_label, *self._lessons(labels, 2)),
        ):
            for name, loss in teach(lesson).items():
                losses.setdefault(name, []).append(loss)
        told = {name: sum(some) / len(some) for name, some in losses.items()}
        return {**told, "rate": rate, "taught": len(known) + len(quick) + len(labels)}

    def _lessons(self, samples: Samples, part: int) -> tuple[Iterator[Lesson], int]:
        """A pass over samples, and the number of lessons that it is."""
        course = lessons(
            self.game,
            self.spec,
            samples,
            size=self.config.batch,
            passes=1.0,
            seed=self._seed,
            part=3 * self._iteration + part,
            shuffled=self.config.shuffle_suits,
        )
        return course, -(-len(samples) // self.config.batch)

    def _teach_chosen(self, lesson: Lesson) -> dict[str, float]:
        """One gradient by what searches chose; VMSE and PCE before it."""
        logits, values = self._pupil.answer(lesson.flags)
        pce = policy_loss(logits, torch.from_numpy(lesson.legal), torch.from_numpy(lesson.policy))
        vmse = value_loss(values, torch.from_numpy(lesson.values))
        self._pupil.descend(vmse + pce)
        return {"VMSE": float(vmse.detach()), "PCE": float(pce.detach())}

    def _teach_paid(self, lesson: Lesson) -> dict[str, float]:
        """One gradient by what quick deals paid; VMSE and, if choices are told, QKL before it."""
        legal, paid = torch.from_numpy(lesson.legal), torch.from_numpy(lesson.policy)
        logits, values = self._pupil.answer(lesson.flags)
        vmse = value_loss(values, torch.from_numpy(lesson.values))
        if not paid.any():
            self._pupil.descend(vmse)
            return {"VMSE": float(vmse.detach())}
        gain = gain_loss(logits, legal, self._wanted(paid, legal))
        self._pupil.descend(vmse + self.config.gain_weight * gain)
        return {"VMSE": float(vmse.detach()), "QKL": float(gain.detach())}

    def _teach_label(self, lesson: Lesson) -> dict[str, float]:
        """One gradient by what a label tells of choices, as in distillation; PCE before it."""
        legal = torch.from_numpy(lesson.legal)
        logits, _ = self._pupil.answer(lesson.flags)
        wanted = self._wanted(torch.from_numpy(lesson.policy), legal)
        pce = policy_loss(logits, legal, shares(wanted, legal))
        qmse = choice_loss(logits, legal, wanted)
        self._pupil.descend(pce + LABEL_WEIGHT * qmse)
        return {"PCE": float(pce.detach()), "QMSE": float(qmse.detach())}

    def _wanted(self, payoffs: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
        """The logits, centred, of choices that pay this."""
        return centred(payoffs, legal) / (SHARPNESS * self.spec.reach)

    def _averaged(self) -> dict[str, Floats]:
        """The weights that have been learned, averaged with those of earlier iterations."""
        kept = self.config.average if self._iteration else 0.0
        for name, rows in self._pupil.tensors().items():
            self._mean[name] = kept * self._mean.get(name, rows) + (1 - kept) * rows
        return dict(self._mean)

    def _choose_net(self) -> dict[str, float]:
        """Let the newest net play; with a gate only once it is shown to be better."""
        newest = self._averaged()
        if self.config.gate == "off":
            self._best = newest
            return {}
        if (self._iteration + 1) % self.config.gate_every:
            return {}
        candidate, champion = self._player(newest, "candidate"), self._player(self._best, "best")
        proof = beats(
            self.game,
            candidate,
            champion,
            boards=self.config.gate_boards,
            seed=int(stream(self._seed, "gate", self._iteration)[0] >> 1 & 0x7FFFFFFF),
            workers=self._workers,
            variant=self.config.variant,
        )
        if proof.accepted:
            self._best = newest
        return {"gate": float(proof.accepted), "gate boards": proof.boards}

    # ------------------------------------------------------------------ what comes of it

    def net(self) -> Net:
        """The net that plays, as kernels take it."""
        return pack_net(self.game, self.spec, self._best)

    def nets(self) -> dict[str, tuple[NetSpec, dict[str, Floats]]]:
        """The net that plays, to be saved."""
        return {"main": (self.spec, self._best)}

    def player(self) -> Player:
        """Who plays now, with the search of self-play."""
        return self._player(self._best, "learner")

    def _player(self, tensors: Mapping[str, Floats], label: str) -> Player:
        config = self.config
        budget = {"sims": config.sims, "worlds": config.worlds, "endgame": self._endgame}
        words = {key: str(value) for key, value in budget.items()}
        told = Settings(PlayerName("alphazero", "", words), SEARCH_SETTINGS)
        net = pack_net(self.game, self.spec, tensors)
        return guided_player(self.game, net, f"alphazero:{label}", told)

    # ------------------------------------------------------------------ checkpoints

    def save(self, folder: Path) -> None:
        """Write all that is needed to go on."""
        where = {"deals": self.deals, "iteration": self._iteration}
        nets = {"best": to_torch(self._best), "mean": to_torch(self._mean)}
        torch.save({**where, **nets, **self._pupil.state()}, folder / STATE)
        self._memory.save(folder)

    def load(self, folder: Path) -> None:
        """Go on where another stopped."""
        state = torch.load(folder / STATE, weights_only=True)
        self.deals, self._iteration = int(state["deals"]), int(state["iteration"])
        self._best, self._mean = to_numpy(state["best"]), to_numpy(state["mean"])
        self._pupil.restore(state)
        self._memory.load(folder)


def in_turns(
    *courses: tuple[Teach, Iterator[Lesson], int],
) -> Iterator[tuple[Teach, Lesson]]:
    """The lessons of several courses, each with its number of them, spread evenly."""
    times = [
        ((place + 0.5) / count, number)
        for number, (_, _, count) in enumerate(courses)
        for place in range(count)
    ]
    for _, number in sorted(times):
        teach, lessons_of_it, _ = courses[number]
        yield teach, next(lessons_of_it)


def _how_to_play(game: Game, config: AlphaZeroConfig, endgame: int) -> dict[str, SelfPlay]:
    """The self-play of both phases."""
    level = playout_player(game, config.playout).level

    def how(level: int) -> SelfPlay:
        return SelfPlay(
            config.worlds,
            Guidance(
                config.sims,
                explore=config.explore,
                evenly=config.evenly,
                level=level,
                noise=config.playout_noise,
                ahead=config.ahead,
                endgame=endgame,
                stir=config.stir,
                alpha=config.alpha,
            ),
            config.temperature,
            config.warm_choices,
            config.stray,
            config.searched,
            config.variant,
        )

    return {BOOT: how(level), AZ: how(BY_NET)}


def usual_lot(game: Game) -> int:
    """Deals of an iteration, by the length of a deal.

    A quick deal that is twice as long has twice as many positions at which choices are tried, each
    with more of them, and twice as much to play on.
    """
    longer = game.longest / SNAPSZER
    return max(50, min(1000, round(1000 / longer**3)))


def _presets(game: Game) -> dict[str, dict[str, Any]]:
    """The tiers of the ladder that are trained this way, and the usual settings."""
    return {"default": {"lot": usual_lot(game)}} | {
        tier.name: tier.settings(game) for tier in TIERS if tier.method == "alphazero"
    }


METHOD = Method(
    "alphazero",
    "self-play by a net-led search over worlds: the net learns what searches choose and deals pay",
    AlphaZeroConfig,
    _presets,
    AlphaZero,
)
