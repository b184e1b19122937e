"""AlphaZero for games with hidden hands: self-play by a net-led search over worlds.

An iteration plays some deals against itself, every choice by searching trees in several worlds of
the view, and teaches the net what the searches chose (π) and what the deals paid (z). An untrained
net values leaves badly, so for the first part of a run leaves are valued by playouts, with the
net's priors alone ([BOOT]); then by the net ([AZ]).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field

from overtrick.engine.playouts import RANDOM
from overtrick.games.game import Game
from overtrick.jit import stream
from overtrick.learn.budget import Budget
from overtrick.learn.measuring import beats, usual_reach
from overtrick.learn.methods import Method
from overtrick.learn.nets import (
    DualHead,
    Steady,
    clip_weights,
    load_tensors,
    policy_loss,
    tensors_of,
    value_loss,
)
from overtrick.learn.samples import Lesson, Samples, lessons
from overtrick.learn.selfplay import SelfPlay, play_some
from overtrick.learn.starting import starting_tensors
from overtrick.learn.tiers import TIERS
from overtrick.learn.workers import Workers
from overtrick.nets.forward import Net, pack_net
from overtrick.nets.spec import NetSpec, spec_for
from overtrick.players import Player
from overtrick.players.levels import level_player
from overtrick.players.naming import PlayerName, Settings
from overtrick.players.neural import SEARCH_SETTINGS, guided_player
from overtrick.search.guided import BY_NET, Guidance
from overtrick.search.puct import EXPLORE

__all__ = ["AlphaZero", "AlphaZeroConfig"]

Floats = np.ndarray[Any, np.dtype[Any]]
BOOT, AZ = "[BOOT]", "[AZ]"
STATE = "learner.pt"
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
    steady: Steady = Field(default=Steady(), description="what keeps learning steady")
    start: str = Field(default="", description="model whose net it begins with; else at random")
    # self-play
    sims: int = Field(default=80, ge=1, description="simulations in each world")
    worlds: int = Field(default=6, ge=1, description="worlds of each search")
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
    stir: float = Field(default=0.25, ge=0, lt=1, description="share of noise in the root's priors")
    alpha: float = Field(default=0.5, gt=0, description="of that noise: small is spiky")
    variant: str = Field(default="", description="house rules; the default ones if empty")
    # learning
    lot: int = Field(default=1000, ge=1, description="deals of an iteration")
    window: int = Field(default=250_000, ge=1, description="samples remembered")
    passes: float = Field(
        default=4.0, gt=0, description="times that a new sample is taught, on average"
    )
    batch: int = Field(default=512, ge=1, description="samples of a gradient")
    rate: float = Field(default=1e-3, gt=0, description="of learning, at first")
    last_rate: float = Field(default=1e-4, gt=0, description="of learning, at last")
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
        self._replay: list[Samples] = []
        self.spec = _spec(game, config)
        self._net = DualHead(self.spec, seed)
        self._optimizer = torch.optim.Adam(
            self._net.parameters(), lr=config.rate, weight_decay=config.steady.l2
        )
        if config.start:
            load_tensors(self._net, starting_tensors(game, config.start, self.spec))
        self._best = tensors_of(self._net)  # the net that plays
        usual = int(game.search_defaults.get("endgame", 0))
        self._endgame = usual if config.endgame < 0 else config.endgame
        self._how = _how_to_play(game, config, self._endgame)

    # ------------------------------------------------------------------ an iteration

    def step(self) -> dict[str, float | str]:
        """Play some deals, learn from what is remembered, and let the better net play on."""
        progress = min(1.0, self._budget.progress(self.deals))
        booting = progress < self.config.boot
        new = self._play(booting)
        self._remember(new)
        told = self._learn(round(self.config.passes * len(new)), progress)
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

    def _remember(self, new: Samples) -> None:
        self._replay.append(new)
        while sum(map(len, self._replay[1:])) >= self.config.window:
            del self._replay[0]

    def _learn(self, count: int, progress: float) -> dict[str, float]:
        """Teach so many samples out of those remembered."""
        config = self.config
        remembered = Samples.joined(self._replay)
        rate = config.rate * (config.last_rate / config.rate) ** progress
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        sums, batches = np.zeros(2), 0
        for lesson in lessons(
            self.game,
            self.spec,
            remembered,
            size=config.batch,
            passes=count / len(remembered),
            seed=self._seed,
            part=self._iteration,
        ):
            sums += self._teach(lesson)
            batches += 1
        vmse, pce = sums / max(batches, 1)
        return {"VMSE": float(vmse), "PCE": float(pce), "rate": rate, "window": len(remembered)}

    def _teach(self, lesson: Lesson) -> tuple[float, float]:
        """One gradient; VMSE and PCE before it."""
        logits, values = self._net(torch.from_numpy(lesson.flags).float())
        pce = policy_loss(logits, torch.from_numpy(lesson.legal), torch.from_numpy(lesson.policy))
        vmse = value_loss(values, torch.from_numpy(lesson.values))
        self._optimizer.zero_grad()
        loss: Any = vmse + pce
        loss.backward()
        steady = self.config.steady
        if steady.gradient_norm:
            torch.nn.utils.clip_grad_norm_(self._net.parameters(), steady.gradient_norm)
        self._optimizer.step()
        clip_weights(self._net, steady.weight_clip)
        return float(vmse.detach()), float(pce.detach())

    def _choose_net(self) -> dict[str, float]:
        """Let the newest net play; with a gate only once it is shown to be better."""
        newest = tensors_of(self._net)
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
        state = {
            "deals": self.deals,
            "iteration": self._iteration,
            "net": self._net.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "best": {name: torch.from_numpy(rows) for name, rows in self._best.items()},
            "lots": len(self._replay),
        }
        torch.save(state, folder / STATE)
        for number, lot in enumerate(self._replay):
            lot.save(folder / f"samples-{number}.npz")

    def load(self, folder: Path) -> None:
        """Go on where another stopped."""
        state = torch.load(folder / STATE, weights_only=True)
        self.deals, self._iteration = int(state["deals"]), int(state["iteration"])
        self._net.load_state_dict(state["net"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._best = {name: rows.numpy() for name, rows in state["best"].items()}
        names = [folder / f"samples-{number}.npz" for number in range(int(state["lots"]))]
        self._replay = [Samples.load(self.game, name) for name in names]


def _spec(game: Game, config: AlphaZeroConfig) -> NetSpec:
    return spec_for(
        game,
        units=config.units,
        layers=config.layers,
        head=config.head,
        encoding=config.encoding,
        hands=config.hands,
        value=config.value,
        reach=usual_reach(game, config.variant),
        cap=config.steady.cap,
        logit_clip=config.steady.logit_clip,
    )


def _how_to_play(game: Game, config: AlphaZeroConfig, endgame: int) -> dict[str, SelfPlay]:
    """The self-play of both phases."""
    playout = config.playout or game.search_defaults.get("playout", "")
    level = level_player(game, playout).level if playout else RANDOM

    def how(level: int) -> SelfPlay:
        return SelfPlay(
            config.worlds,
            Guidance(
                config.sims,
                explore=config.explore,
                evenly=config.evenly,
                level=level,
                noise=config.playout_noise,
                endgame=endgame,
                stir=config.stir,
                alpha=config.alpha,
            ),
            config.temperature,
            config.warm_choices,
            config.stray,
            config.variant,
        )

    return {BOOT: how(level), AZ: how(BY_NET)}


def _presets(game: Game) -> dict[str, dict[str, Any]]:
    """The tiers of the ladder that are trained this way, and the usual settings."""
    return {"default": {}} | {
        tier.name: tier.settings(game) for tier in TIERS if tier.method == "alphazero"
    }


METHOD = Method(
    "alphazero",
    "self-play by a net-led search over worlds: the net learns what searches choose and deals pay",
    AlphaZeroConfig,
    _presets,
    AlphaZero,
)
