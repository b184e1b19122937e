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

import contextlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from overtrick.engine.batches import payoffs_all
from overtrick.errors import BadOption
from overtrick.games.behaviour import Played
from overtrick.games.game import Game, Row
from overtrick.learn.advantages import advantages, check_two_sides, correlation, explained
from overtrick.learn.budget import Budget
from overtrick.learn.journal import Metrics
from overtrick.learn.league import League, Member
from overtrick.learn.methods import Method
from overtrick.learn.pointer_pupil import open_any, pupil_of, teach_any
from overtrick.learn.ppo_config import (
    PpoConfig,
    avoided_actions,
    branched_phases,
    check_rewards,
    critic_spec,
    guessed_hands,
    policy_spec,
    presets_for,
    pull_of_magnet,
    shaping,
)
from overtrick.learn.ppo_losses import legal_logs
from overtrick.learn.ppo_teaching import (
    Lessons,
    Weights,
    batches,
    branch_lessons,
    normalised,
    teach_critic,
    teach_policy,
)
from overtrick.learn.proving import Proving
from overtrick.learn.pupil import to_numpy, to_torch
from overtrick.learn.quick import PAYOFFS, Quick, play_lot
from overtrick.learn.rollouts import Rollout, Table, play_table
from overtrick.learn.samples import MOST_CHOICES, Samples
from overtrick.learn.seats import LEARNER, check_seating, split_forced
from overtrick.learn.starting import sharpened, starting_tensors
from overtrick.learn.workers import Workers
from overtrick.nets.packing import Packed, PlayingSpec, pack
from overtrick.nets.pointer import PackedPointer
from overtrick.players import Player, make_player
from overtrick.players.naming import split_names
from overtrick.players.neural import PolicyPlayer

__all__ = ["METHOD", "Ppo", "PpoConfig"]

Floats = np.ndarray[Any, np.dtype[Any]]
STATE = "learner.pt"
PART = 128  # deals of one task
MOST_PHASES = 64


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
        self.spec = policy_spec(game, config)
        shown = critic_spec(game, config)
        self._guessed = guessed_hands(game, config, shown)
        hands = (self._guessed.stop or 0) - (self._guessed.start or 0)
        self.pupil = pupil_of(
            game,
            self.spec,
            config.steady,
            seed,
            avoided=avoided_actions(game, config),
            guesses=hands + (game.actions if config.branches else 0),
        )
        self._critic = pupil_of(game, shown, config.steady, seed + 1)
        if config.start:
            start = starting_tensors(game, config.start, self.spec)
            self.pupil.begin_with(sharpened(self.spec, start, config.sharpen))
            self._start_critic(shown)
        self._mean = self.pupil.tensors()  # over the last iterations: what is saved
        self._magnet = self.pupil.tensors() if any(pull_of_magnet(config)) else {}
        self.league = League(
            config.league, tuple(split_names(config.players) if config.players else ())
        )
        self.league.admit(Member(0, self.pupil.tensors()))
        self._proving = Proving(game, self.spec, config, self.league, workers, seed)

    def _start_critic(self, shown: PlayingSpec) -> None:
        """Let the critic begin with what the start says of views, where its shape is the same."""
        with contextlib.suppress(BadOption):
            self._critic.begin_with(starting_tensors(self.game, self.config.start, shown))

    def _check(self) -> None:
        """Refuse settings that do not fit the game, before anything is played."""
        game, config = self.game, self.config
        check_seating(game, config.seating)
        self._variant = ",".join(part for part in (config.variant, config.rewards) if part)
        check_rewards(game, config.variant, self._variant)
        branched_phases(game, config)
        shaping(game, config)
        for name in split_names(config.players) if config.players else ():
            make_player(name, game)
        if not config.league and not config.players and config.self_play < 1:
            raise BadOption("ppo: with league=0, tell whom to meet: players=rulebook:strong")
        for told in config.forced.split(",") if config.forced else ():
            make_player(split_forced(game, told)[1], game)
        if config.suits > 1 and not config.shuffle_suits:
            raise BadOption("ppo: a net that learns one order of suits is asked under that one")
        if config.estimate == "turn":
            check_two_sides(game, self._variant)
            if config.shape:
                raise BadOption("ppo: shape pays seats, not sides; it goes with estimate=seat")

    # ------------------------------------------------------------------ an iteration

    def step(self) -> Metrics:
        """Play some deals, learn from them, and meet the league now and then."""
        progress = min(1.0, self._budget.progress(self.deals))
        is_warming = bool(self.config.start) and self._iteration < self.config.warm
        rollout = self.play(progress)
        tried = self._try_choices() if not is_warming else Samples.none(self.game)
        mine = self.lessons(rollout)
        told = self._learn(mine, progress, is_warming, tried)
        told |= self._told_of(rollout)
        self._iteration += 1
        if not is_warming:
            self._average()
            self._follow()
            told |= self._proving.arena(self._iteration, self.pupil.tensors())
        told |= self._proving.evaluate(self._iteration, self.player())
        phase = "[CRITIC]" if is_warming else "[PPO]"
        return {"phase": phase, "samples": len(mine), "league": len(self.league.copies), **told}

    def play(self, progress: float) -> Rollout:
        """Deals among learners, and deals with members of the league."""
        lot = min(self.config.lot, max(1, self._budget.deals_left(self.deals)))
        policy, critic = self.pupil.packed(self.game), self._critic.packed(self.game)
        copies = {
            copy.name: pack(self.game, self.spec, copy.tensors) for copy in self.league.copies
        }
        parts = [(first, min(PART, lot - first)) for first in range(0, lot, PART)]
        own = round(self.config.self_play * len(parts))
        chance = self._chance(1)
        forced = self.config.forced.split(",") if progress < self.config.forced_part else [""]
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
                    forced[int(chance.integers(len(forced)))],
                ),
                self._seed,
                self.deals + first,
                count,
            )
            for other, (first, count) in zip(others, parts, strict=True)
        ]
        self.deals += lot
        return self._shaped(Rollout.joined(self._workers.run(play_table, jobs)))

    def _shaped(self, rollout: Rollout) -> Rollout:
        """The same deals, paid by how they were played as well, if that is told."""
        weights = shaping(self.game, self.config)
        if not weights:
            return rollout
        rewards, paid = rollout.rewards.copy(), self._payoffs(rollout)
        for seat in range(self.game.seats):
            seats = np.full(len(rewards), seat)
            played = Played(rollout.ends, seats, paid[:, seat])
            for metric, weight in weights.items():
                values = np.asarray(metric.of(played), dtype=np.float64)
                rewards[:, seat] += self.game.payoff_unit * weight * np.nan_to_num(values)
        return replace(rollout, rewards=rewards)

    def _payoffs(self, rollout: Rollout) -> Floats:
        """What the deals paid, in points, [deals, seats]."""
        paid = np.zeros(rollout.seating.shape, dtype=np.int64)
        payoffs_all(rollout.ends, paid)
        points: Floats = paid / self.game.payoff_unit
        return points

    def _try_choices(self) -> Samples:
        """Positions of some phases with what each choice pays, all else played as it is now."""
        config = self.config
        phases = branched_phases(self.game, config)
        if not phases:
            return Samples.none(self.game)
        net = self.pupil.packed(self.game)
        assert not isinstance(net, PackedPointer)
        how = Quick(kept=config.branch_kept, stray=0, tells=PAYOFFS, variant=config.variant)
        return play_lot(
            self._workers,
            self.game,
            net,
            replace(how, phases=phases),
            seed=self._seed,
            first=self._iteration * config.branch_deals,
            count=config.branch_deals,
        )

    def lessons(self, rollout: Rollout) -> Lessons:
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
        returns = gains + rollout.values
        deals, orders = rollout.deals[rows], rollout.orders[rows]
        wanted = np.zeros((len(rows), MOST_CHOICES), dtype=np.float32)
        wanted[np.arange(len(rows)), rollout.chosen[rows]] = 1.0
        paid = np.full((len(rows), game.seats), np.nan, dtype=np.float32)
        paid[np.arange(len(rows)), deals["seat"]] = returns[rows]
        samples = Samples(deals, rollout.legal[rows], wanted, paid)
        policy = teach_any(game, self.spec, samples, orders, np.zeros(len(rows), dtype=bool))
        # The others' choices, if they are valued: the critic must know what it is asked there.
        valued = np.concatenate([rows, np.flatnonzero(~rollout.learned)])
        told = rollout.deals[valued], rollout.legal[valued], rollout.orders[valued]
        return Lessons(
            policy,
            open_any(game, self._critic.spec, *told),
            policy.policy.argmax(axis=1),
            rollout.logs[rows],
            self._normalised(gains[rows], rollout, rows),
            np.clip(returns[valued] / self.spec.reach, -1.0, 1.0),
        )

    def _normalised(self, gains: Floats, rollout: Rollout, rows: Row) -> Floats:
        """Advantages as the policy is taught them."""
        how = self.config.normalise
        if how == "none":
            return gains
        lots = np.zeros(len(rows), dtype=np.int64)
        if how in ("phase", "role"):
            lots += rollout.deals["phase"][rows]
        if how == "role":
            ends, seats = rollout.ends[rollout.numbers[rows]], rollout.seats[rows]
            lots += MOST_PHASES * self.game.role_of(Played(ends, seats, np.zeros(len(rows))))
        return normalised(gains, lots)

    # ------------------------------------------------------------------ learning

    def _learn(
        self, told: Lessons, progress: float, is_warming: bool, tried: Samples
    ) -> dict[str, float]:
        """Teach the policy, unless the critic is warming up, and beside it the critic."""
        config = self.config
        rate = _between(config.rate, config.last_rate, progress)
        self.pupil.set_rate(rate)
        self._critic.set_rate(config.critic_rate * (1.0 - 0.9 * progress))
        with ThreadPoolExecutor(1) as beside:
            rows = batches(len(told.returns), config, self._chance(3))
            rows = rows[: len(self.batches(told))]  # as many as the policy has, at the same time
            critic = beside.submit(teach_critic, self._critic, told, rows)
            policy = {} if is_warming else self._teach_policy(told, progress, tried)
            return {**policy, **critic.result(), "rate": rate}

    def _teach_policy(self, told: Lessons, progress: float, tried: Samples) -> dict[str, float]:
        config = self.config
        weights = Weights(
            _between(config.entropy, config.last_entropy, progress),
            _between(*pull_of_magnet(config), progress),
        )
        rows = self.batches(told)
        return teach_policy(
            self.pupil,
            told,
            config,
            weights,
            magnet=self._magnet_logs(told) if weights.kl and self._magnet else None,
            guessed=self._guessed,
            rows=rows,
            branches=branch_lessons(
                self.game,
                self.pupil,
                tried,
                len(rows),
                shuffled=config.shuffle_suits,
                seed=self._seed,
                part=self._iteration,
            ),
        )

    def batches(self, told: Lessons) -> list[Row]:
        """Rows of the policy's lessons in this iteration."""
        return batches(len(told), self.config, self._chance(2))

    def _magnet_logs(self, told: Lessons) -> Tensor:
        """What the magnet thinks of all choices, [n, actions]."""
        magnet = pupil_of(self.game, self.spec, self.config.steady, 0)
        magnet.begin_with(self._magnet)
        rows, size = np.arange(len(told)), self.config.batch
        with torch.no_grad():
            lots = [rows[first : first + size] for first in range(0, len(rows), size)]
            logits = [magnet.answer(told.policy.flags[lot])[0] for lot in lots]
            return legal_logs(torch.cat(logits), torch.from_numpy(told.policy.legal))

    def _chance(self, part: int) -> np.random.Generator:
        return np.random.default_rng([self._seed, self._iteration, part])

    def _average(self) -> None:
        """Let the mean of the weights follow; of a policy that goes in circles it is the middle."""
        kept = min(self.config.average, 1.0 - 1.0 / self._iteration)
        for name, rows in self.pupil.tensors().items():
            self._mean[name] = kept * self._mean[name] + (1.0 - kept) * rows

    def _follow(self) -> None:
        """Let the magnet come to where the policy is, every now and then."""
        every = self.config.magnet_every
        if self._magnet and every and self._iteration % every == 0:
            self._magnet = self.pupil.tensors()

    # ------------------------------------------------------------------ what is told

    def _told_of(self, rollout: Rollout) -> dict[str, float]:
        """How good the critic was, and how the learner played, before this iteration's lessons."""
        config = self.config
        gains = advantages(
            self.game, rollout, discount=config.discount, decay=config.decay, by_turn=False
        )
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
        played = Played(rollout.ends[numbers], seats, self._payoffs(rollout)[numbers, seats])
        told = {}
        for metric in self.game.metrics:
            values = np.asarray(metric.of(played), dtype=np.float64)
            if np.isfinite(values).any():
                told[metric.name] = float(np.nanmean(values))
        return told

    # ------------------------------------------------------------------ what comes of it

    def net(self) -> Packed:
        """The policy as kernels take it, its weights averaged over the last iterations."""
        return pack(self.game, self.spec, self._mean)

    def nets(self) -> dict[str, tuple[PlayingSpec, dict[str, Floats]]]:
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
            "policy": self.pupil.state(),
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
        self.pupil.restore(state["policy"])
        self._critic.restore(state["critic"])
        self._mean, self._magnet = to_numpy(state["mean"]), to_numpy(state["magnet"])
        self.league.restore(state["league"], [to_numpy(told) for told in state["copies"]])


def _between(first: float, last: float, progress: float) -> float:
    """From the first to the last value, in a straight line over a run."""
    return first + (last - first) * progress


METHOD = Method(
    "ppo",
    "self-play and a league of frozen copies: the policy does more of what paid",
    PpoConfig,
    presets_for,
    Ppo,
)
