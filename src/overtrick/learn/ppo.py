"""League PPO: a policy that plays hundreds of deals at a time and does more of what paid.

An iteration plays `lot` deals (`overtrick.learn.rollouts`): in some all seats are learners, in the
others the learner meets members of a league (`overtrick.learn.league`). A critic that is shown all
hands, in training only, tells what a seat may expect; `overtrick.learn.advantages` compares that
with what came. Then policy and critic learn from the same choices, side by side:

    policy   - min(ρ A, clip(ρ) A) - h H + k KL(p ‖ magnet) + w (v - return)²
    critic   (V - return)²,    return = A + V

Every few iterations the learner meets all members of the league in an arena; if it does well
enough, a frozen copy joins. A run may start with the net of another: then the critic learns alone
first, and the magnet is that net, later a copy that follows now and then.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from overtrick.engine.batches import payoffs_all
from overtrick.errors import BadOption
from overtrick.games.behaviour import Played
from overtrick.games.game import Game, Row
from overtrick.learn.advantages import advantages, correlation, explained
from overtrick.learn.budget import Budget
from overtrick.learn.journal import Metrics
from overtrick.learn.league import League, Member
from overtrick.learn.measuring import usual_reach
from overtrick.learn.methods import Method
from overtrick.learn.nets import value_loss
from overtrick.learn.ppo_config import (
    PRESETS,
    PpoConfig,
    avoided_actions,
    critic_spec,
    guessed_hands,
    policy_spec,
)
from overtrick.learn.ppo_losses import (
    chosen_logs,
    clipped_loss,
    clipped_share,
    entropy_of,
    leaving,
    legal_logs,
)
from overtrick.learn.proving import Proving
from overtrick.learn.pupil import Pupil, to_numpy, to_torch
from overtrick.learn.rollouts import LEARNER, Rollout, Table, check_seating, play_table
from overtrick.learn.samples import MOST_CHOICES, Lesson, Samples, teach
from overtrick.learn.starting import starting_tensors
from overtrick.learn.workers import Workers
from overtrick.nets.forward import Net, pack_net
from overtrick.nets.spec import NetSpec
from overtrick.players import Player, make_player
from overtrick.players.naming import split_names
from overtrick.players.neural import PolicyPlayer

__all__ = ["METHOD", "Ppo", "PpoConfig"]

Floats = np.ndarray[Any, np.dtype[Any]]
STATE = "learner.pt"
PART = 128  # deals of one task


@dataclass(frozen=True)
class Lessons:
    """The choices of an iteration as the nets see them, one a row."""

    policy: Lesson
    critic: Floats  # [n, inputs] flags with all hands
    chosen: Row  # [n] as actions
    logs: Floats  # [n]
    advantages: Floats  # [n] normalised
    returns: Floats  # [n] as a share of the reach

    def __len__(self) -> int:
        return len(self.chosen)


class Ppo:
    """One run at work."""

    def __init__(
        self, game: Game, config: PpoConfig, workers: Workers, seed: int, budget: Budget
    ) -> None:
        torch.set_num_threads(1)  # policy and critic learn side by side
        self.game = game
        self.config = config
        self.total = config.deals
        self.deals = 0
        self._workers = workers
        self._seed = seed
        self._budget = budget
        self._iteration = 0
        self._check()
        reach = usual_reach(game, config.variant)
        self.spec = policy_spec(game, config, reach)
        shown = critic_spec(game, config, reach)
        guessed = range(shown.inputs)[guessed_hands(game, config, shown)] if self._guesses else ()
        self._guessed = slice(guessed[0], guessed[-1] + 1) if guessed else slice(0)
        self._pupil = Pupil(
            self.spec,
            config.steady,
            seed,
            avoided=avoided_actions(game, config),
            guesses=len(guessed),
        )
        self._critic = Pupil(shown, config.steady, seed + 1)
        if config.start:
            self._pupil.begin_with(starting_tensors(game, config.start, self.spec))
        self._mean = self._pupil.tensors()  # over the last iterations: what is saved
        self._magnet = self._pupil.tensors() if config.kl or config.last_kl else {}
        self.league = League(
            config.league, tuple(split_names(config.players) if config.players else ())
        )
        self.league.admit(Member(0, self._pupil.tensors()))
        self._proving = Proving(game, self.spec, config, self.league, workers, seed)

    @property
    def _guesses(self) -> bool:
        """Whether the policy net guesses hands as well."""
        return self.config.guess != "none" and self.config.guess_weight > 0

    def _check(self) -> None:
        """Refuse settings that do not fit the game, before anything is played."""
        game, config = self.game, self.config
        check_seating(game, config.seating)
        self._variant = ",".join(part for part in (config.variant, config.rewards) if part)
        game.variant_of(self._variant or None)
        for name in split_names(config.players) if config.players else ():
            make_player(name, game)
        if config.estimate == "turn" and not (game.teams or game.seats == 2):
            raise BadOption(
                f"ppo: estimate=turn is for two sides; {game.name} has {game.seats} seats"
            )

    # ------------------------------------------------------------------ an iteration

    def step(self) -> Metrics:
        """Play some deals, learn from them, and meet the league now and then."""
        progress = min(1.0, self._budget.progress(self.deals))
        is_warming = bool(self.config.start) and self._iteration < self.config.warm
        rollout = self._play()
        mine = self._lessons(rollout)
        told = self._learn(mine, progress, is_warming)
        told |= self._told_of(rollout)
        self._iteration += 1
        if not is_warming:
            self._average()
            self._follow()
            told |= self._proving.arena(self._iteration, self._pupil.tensors())
        told |= self._proving.evaluate(self._iteration, self.player())
        phase = "[CRITIC]" if is_warming else "[PPO]"
        return {"phase": phase, "samples": len(mine), "league": len(self.league.copies), **told}

    def _play(self) -> Rollout:
        """Deals among learners, and deals with members of the league."""
        lot = min(self.config.lot, max(1, self._budget.deals_left(self.deals)))
        policy, critic = self._pupil.packed(self.game), self._critic.packed(self.game)
        copies = {
            copy.name: pack_net(self.game, self.spec, copy.tensors) for copy in self.league.copies
        }
        parts = [(first, min(PART, lot - first)) for first in range(0, lot, PART)]
        own = round(self.config.self_play * len(parts))
        chance = np.random.default_rng([self._seed, self._iteration, 1])
        drawn = self.league.draw(len(parts) - own, chance, hardness=self.config.hardness)
        others = [None] * own + [self.league.opponent(place, copies) for place in drawn]
        jobs = [
            (
                self.game.name,
                Table(
                    policy,
                    critic,
                    other,
                    self.config.seating,
                    self._variant,
                    self.config.estimate == "turn",
                    self.config.shuffle_suits,
                ),
                self._seed,
                self.deals + first,
                count,
            )
            for other, (first, count) in zip(others, parts, strict=True)
        ]
        self.deals += lot
        return Rollout.joined(self._workers.run(play_table, jobs))

    def _lessons(self, rollout: Rollout) -> Lessons:
        """The learner's choices, as the nets are taught them."""
        config, game = self.config, self.game
        gains = advantages(
            game,
            rollout,
            discount=config.discount,
            decay=config.decay,
            by_turn=config.estimate == "turn",
        )
        rows = np.flatnonzero(rollout.learned)
        returns = (gains + rollout.values)[rows] / self.spec.reach
        deals, orders = rollout.deals[rows], rollout.orders[rows]
        wanted = np.zeros((len(rows), MOST_CHOICES), dtype=np.float32)
        wanted[np.arange(len(rows)), rollout.chosen[rows]] = 1.0
        paid = np.full((len(rows), game.seats), np.nan, dtype=np.float32)
        paid[np.arange(len(rows)), deals["seat"]] = returns * self.spec.reach
        samples = Samples(deals, rollout.legal[rows], wanted, paid)
        nobody, all_of_them = np.zeros(len(rows), dtype=bool), np.ones(len(rows), dtype=bool)
        policy = teach(game, self.spec, samples, orders, nobody)
        critic = teach(game, self._critic.spec, samples, orders, all_of_them)
        return Lessons(
            policy,
            critic.flags,
            policy.policy.argmax(axis=1),
            rollout.logs[rows],
            normalised(gains[rows], deals["phase"], config.normalise),
            np.clip(returns, -1.0, 1.0),
        )

    # ------------------------------------------------------------------ learning

    def _learn(self, lessons: Lessons, progress: float, is_warming: bool) -> dict[str, float]:
        """Teach the policy, unless the critic is warming up, and beside it the critic."""
        config = self.config
        rate = _between(config.rate, config.last_rate, progress)
        self._pupil.set_rate(rate)
        self._critic.set_rate(config.critic_rate * (1.0 - 0.9 * progress))
        with ThreadPoolExecutor(1) as beside:
            critic = beside.submit(self._teach_critic, lessons)
            told = {} if is_warming else self._teach_policy(lessons, progress)
            return {**told, **critic.result(), "rate": rate}

    def _batches(self, lessons: Lessons, part: int) -> list[Row]:
        """Rows of the lessons of all epochs, in random order, at most `batch` at a time."""
        chance = np.random.default_rng([self._seed, self._iteration, part])
        found = []
        for _ in range(self.config.epochs):
            rows = chance.permutation(len(lessons))
            found += np.array_split(rows, max(1, round(len(rows) / self.config.batch)))
        return found

    def _teach_policy(self, lessons: Lessons, progress: float) -> dict[str, float]:
        config = self.config
        entropy = _between(config.entropy, config.last_entropy, progress)
        kl = _between(config.kl, config.last_kl, progress)
        magnet = self._magnet_logs(lessons) if kl and self._magnet else None
        told = [
            self._policy_step(lessons, rows, magnet, entropy, kl)
            for rows in self._batches(lessons, 2)
        ]
        means = {name: torch.stack([one[name] for one in told]).mean() for name in told[0]}
        return {name: float(mean) for name, mean in means.items()}

    def _policy_step(
        self, lessons: Lessons, rows: Row, magnet: Tensor | None, entropy: float, kl: float
    ) -> dict[str, Tensor]:
        """One gradient of the policy; what it was before."""
        config, lesson = self.config, lessons.policy
        legal = torch.from_numpy(lesson.legal[rows])
        logits, values, guess = self._answer(lessons, rows)
        logs = legal_logs(logits, legal)
        own = chosen_logs(logs, torch.from_numpy(lessons.chosen[rows]))
        ratios = (own - torch.from_numpy(lessons.logs[rows]).float()).exp()
        gains = torch.from_numpy(lessons.advantages[rows]).float()
        loss = clipped_loss(ratios, gains, config.clip)
        told = {"policy loss": loss}
        spread = entropy_of(logs, legal)
        total = loss - entropy * spread
        if magnet is not None:
            told["kl"] = leaving(logs, magnet[torch.from_numpy(rows)], legal)
            total = total + kl * told["kl"]
        if config.value_weight:
            told["VMSE"] = value_loss(values, torch.from_numpy(lesson.values[rows]))
            total = total + config.value_weight * told["VMSE"]
        if guess is not None:
            told["guess loss"] = guess
            total = total + config.guess_weight * guess
        self._pupil.descend(total)
        told |= {"entropy": spread, "clipped": clipped_share(ratios, config.clip)}
        return {name: number.detach() for name, number in told.items()}

    def _answer(self, lessons: Lessons, rows: Row) -> tuple[Tensor, Tensor, Tensor | None]:
        """Logits, values, and how badly hands were guessed, if they are."""
        flags = lessons.policy.flags[rows]
        if not self._guesses:
            return *self._pupil.answer(flags), None
        logits, values, guesses = self._pupil.answer_and_guess(flags)
        hands = torch.from_numpy(lessons.critic[rows, self._guessed]).float()
        return logits, values, functional.binary_cross_entropy_with_logits(guesses, hands)

    def _magnet_logs(self, lessons: Lessons) -> Tensor:
        """What the magnet thinks of all choices, [n, actions]."""
        magnet = Pupil(self.spec, self.config.steady, 0)
        magnet.begin_with(self._magnet)
        with torch.no_grad():
            logits, _ = magnet.answer(lessons.policy.flags)
            return legal_logs(logits, torch.from_numpy(lessons.policy.legal))

    def _teach_critic(self, lessons: Lessons) -> dict[str, float]:
        losses = []
        returns = torch.from_numpy(lessons.returns).float()[:, None]
        for rows in self._batches(lessons, 3):
            _, values = self._critic.answer(lessons.critic[rows])
            loss = value_loss(values, returns[torch.from_numpy(rows)])
            self._critic.descend(loss)
            losses.append(float(loss.detach()))
        return {"critic loss": sum(losses) / len(losses)}

    def _average(self) -> None:
        """Let the mean of the weights follow; of a policy that goes in circles it is the middle."""
        kept = min(self.config.average, 1.0 - 1.0 / self._iteration)
        for name, rows in self._pupil.tensors().items():
            self._mean[name] = kept * self._mean[name] + (1.0 - kept) * rows

    def _follow(self) -> None:
        """Let the magnet come to where the policy is, every now and then."""
        every = self.config.magnet_every
        if self._magnet and every and self._iteration % every == 0:
            self._magnet = self._pupil.tensors()

    # ------------------------------------------------------------------ what is told

    def _told_of(self, rollout: Rollout) -> dict[str, float]:
        """How good the critic was, and how the learner played, before this iteration's lessons."""
        gains = advantages(self.game, rollout, decay=self.config.decay, by_turn=False)
        firsts = np.flatnonzero(np.diff(rollout.numbers, prepend=-1))
        outcomes = rollout.rewards[rollout.numbers[firsts], rollout.seats[firsts]]
        told = {
            "explained": explained(rollout.values, rollout.values + gains),
            "foreseen": correlation(rollout.values[firsts], outcomes),
        }
        return told | self._behaviour(rollout)

    def _behaviour(self, rollout: Rollout) -> dict[str, float]:
        """The game's own metrics of the learner's deals."""
        numbers, seats = np.nonzero(rollout.seating == LEARNER)
        paid = np.zeros(rollout.seating.shape, dtype=np.int64)
        payoffs_all(rollout.ends, paid)
        payoffs = paid[numbers, seats] / self.game.payoff_unit
        played = Played(rollout.ends[numbers], seats, payoffs)
        told = {}
        for metric in self.game.metrics:
            values = np.asarray(metric.of(played), dtype=np.float64)
            if np.isfinite(values).any():
                told[metric.name] = float(np.nanmean(values))
        return told

    # ------------------------------------------------------------------ what comes of it

    def net(self) -> Net:
        """The policy as kernels take it, its weights averaged over the last iterations."""
        return pack_net(self.game, self.spec, self._mean)

    def nets(self) -> dict[str, tuple[NetSpec, dict[str, Floats]]]:
        """The policy, to be saved."""
        return {"main": (self.spec, dict(self._mean))}

    def player(self) -> Player:
        """Who plays now: the likeliest choice."""
        return PolicyPlayer(self.game, self.net(), "ppo:learner")

    # ------------------------------------------------------------------ checkpoints

    def save(self, folder: Path) -> None:
        """Write all that is needed to go on."""
        state = {
            "deals": self.deals,
            "iteration": self._iteration,
            "policy": self._pupil.state(),
            "critic": self._critic.state(),
            "mean": to_torch(self._mean),
            "magnet": to_torch(self._magnet),
            "league": self.league.state(),
            "copies": [to_torch(copy.tensors) for copy in self.league.copies],
        }
        torch.save(state, folder / STATE)

    def load(self, folder: Path) -> None:
        """Go on where another stopped."""
        state = torch.load(folder / STATE, weights_only=True)
        self.deals, self._iteration = int(state["deals"]), int(state["iteration"])
        self._pupil.restore(state["policy"])
        self._critic.restore(state["critic"])
        self._mean, self._magnet = to_numpy(state["mean"]), to_numpy(state["magnet"])
        self.league.restore(state["league"], [to_numpy(told) for told in state["copies"]])


def normalised(gains: Floats, phases: Row, how: str) -> Floats:
    """Advantages with mean 0 and deviation 1: all together, or those of each phase apart."""
    found: Floats = gains.astype(np.float64).copy()
    if how == "none":
        return found
    lots = np.zeros(len(gains), dtype=np.int64) if how == "all" else phases
    for lot in np.unique(lots):
        mine = lots == lot
        found[mine] = (found[mine] - found[mine].mean()) / (found[mine].std() + 1e-8)
    return found


def _between(first: float, last: float, progress: float) -> float:
    """From the first to the last value, in a straight line over a run."""
    return first + (last - first) * progress


METHOD = Method(
    "ppo",
    "self-play and a league of frozen copies: the policy does more of what paid",
    PpoConfig,
    PRESETS,
    Ppo,
)
