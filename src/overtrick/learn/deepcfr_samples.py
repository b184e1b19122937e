"""Where Deep CFR has its samples from: traversals, a teacher at the start, or a critic's word.

Deals are traversed to their end (`overtrick.learn.traversing`); or what is tried is played on for a
few choices only, and a critic, a net that is shown all hands, tells the rest. At the start of a run
others may play, or a searching teacher labels its own deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from overtrick.games.game import Game
from overtrick.jit import stream
from overtrick.learn.budget import Budget
from overtrick.learn.critic import Critic
from overtrick.learn.deepcfr_config import (
    TEACHER,
    DeepCfrConfig,
    critic_spec,
    others_for,
    teacher_for,
)
from overtrick.learn.labelling import label_lot
from overtrick.learn.quick import REGRETS, Quick, play_lot
from overtrick.learn.regrets import Regrets, blank_regrets
from overtrick.learn.relabelling import regrets_from
from overtrick.learn.samples import Samples
from overtrick.learn.seats import forced_by
from overtrick.learn.traversing import Found, Traversal, check_traversal, seating_in, traverse_some
from overtrick.learn.workers import Workers
from overtrick.nets.forward import Net
from overtrick.nets.spec import NetSpec
from overtrick.players.levels import level_player
from overtrick.search.guided import BY_NET

__all__ = ["Source", "rates_of"]

Floats = np.ndarray[Any, np.dtype[Any]]
CRITICS = 1 << 20  # of the seed: the critic's chance
KEPT = 500  # thousandths of the choices that teach the critic of deals in which nothing is tried


class Source:
    """The deals of one run: how many there were, who plays them now, and what they tell."""

    def __init__(
        self,
        game: Game,
        config: DeepCfrConfig,
        spec: NetSpec,
        workers: Workers,
        seed: int,
        budget: Budget,
        nets: Sequence[Net],
    ) -> None:
        self.deals = 0
        self.iteration = 0
        self.nets = list(nets)
        self.critic: Critic | None = None
        self._game = game
        self._config = config
        self._spec = spec
        self._workers = workers
        self._seed = seed
        self._budget = budget
        self._is_full = config.form == "full"
        self._teacher = teacher_for(game, config, spec.reach) if config.start == TEACHER else None
        if config.ahead:
            shown = critic_spec(game, config, spec.reach)
            self.critic = Critic(game, shown, config.steady, seed + CRITICS)
        self._others = others_for(game, config)
        check_traversal(game, self.traversal(-1))

    def progress(self) -> float:
        """How much of the run is done, 0 to 1."""
        return min(1.0, self._budget.progress(self.deals))

    def pass_over(self) -> None:
        """Count an iteration's deals that are not played, where samples come from a store."""
        self.deals += min(self._config.lot, self._budget.deals_left(self.deals))

    def fresh(self) -> tuple[Regrets, dict[str, float]]:
        """The samples of an iteration: from traversals, or from the teacher at the start."""
        if self._teacher is None or self.progress() >= self._config.start_part:
            if self.critic is not None:
                is_warming = bool(self._config.begin) and self.iteration <= self._config.warm
                return (self._warm if is_warming else self._try_choices)(self.critic)
            found = self.traverse(-1)
            return found.regrets, rates_of(found)
        first, lot = self.deals, self._lot()
        self.deals += lot
        told = round(self._teacher.trust * (1.0 - self.progress()))
        teacher = replace(self._teacher, trust=told)
        labels = label_lot(
            self._workers, self._game, teacher, seed=self._seed, first=first, count=lot
        )
        regrets = regrets_from(self._game, self._spec, labels, self.iteration, self._naming())
        if self.critic is None:
            return regrets, {}
        return regrets, self._acquaint(self.critic, first, lot)

    def _warm(self, critic: Critic) -> tuple[Regrets, dict[str, float]]:
        """No samples: the critic learns what deals pay that the net plays as it began."""
        first, lot = self.deals, self._lot()
        self.deals += lot
        return blank_regrets(self._game, self._spec, 0), self._acquaint(critic, first, lot)

    def _acquaint(self, critic: Critic, first: int, lot: int) -> dict[str, float]:
        """Teach the critic what deals pay that the net plays, in which nothing is tried."""
        quick = replace(self.quick(self.traversal(-1)), kept=KEPT)
        return self._teach_critic(critic, self._play_quickly(quick, first, lot))

    def _try_choices(self, critic: Critic) -> tuple[Regrets, dict[str, float]]:
        """Samples of deals in which choices are tried; the critic tells what comes of them.

        It does so of nets: others choose as fast as it tells, so theirs are played to the end.
        """
        how = self.traversal(-1)
        quick = replace(
            self.quick(how),
            level=level_player(self._game, how.player).level if how.player else BY_NET,
            kept=max(1, round(1000 * how.tried)),
            tells=REGRETS,
            ahead=0 if how.player else self._config.ahead,
            trust=how.trust * self._spec.reach,
        )
        first, lot = self.deals, self._lot()
        self.deals += lot
        samples = self._play_quickly(quick, first, lot)
        told = self._teach_critic(critic, samples)
        found = regrets_from(
            self._game, self._spec, samples, self.iteration, self._naming(), is_told=True
        )
        return found, told

    def quick(self, how: Traversal) -> Quick:
        """Who plays quick deals, and where, as traversals now go."""
        others, other = self._others
        return Quick(
            stray=self._config.stray,
            seating=seating_in(self._game, how),
            others=others,
            other=other,
            forced=forced_by(self._game, how.forced),
            variant=how.variant,
        )

    def _play_quickly(self, how: Quick, first: int, count: int) -> Samples:
        critic = self.critic.packed() if self.critic else None
        return play_lot(
            self._workers,
            self._game,
            self.nets[0],
            how,
            critic,
            seed=self._seed,
            first=first,
            count=count,
        )

    def _teach_critic(self, critic: Critic, samples: Samples) -> dict[str, float]:
        config = self._config
        rate = max(config.critic_rate * (1.0 - self.progress()), config.last_rate)
        return critic.teach(samples, size=config.batch, rate=rate, shuffled=config.shuffle_suits)

    def _naming(self) -> Floats | None:
        """The chance by which suits are renamed, if they are."""
        told = stream(self._seed, "relabelling", self.iteration)
        return told if self._config.shuffle_suits else None

    def traverse(self, seat: int) -> Found:
        """The next deals, by all workers."""
        lot, first = self._lot(), self.deals
        how, part = self.traversal(seat), self._config.part
        self.deals += lot
        jobs = [
            (self._game.name, how, self._seed, n, min(part, first + lot - n))
            for n in range(first, first + lot, part)
        ]
        return Found.joined(self._workers.run(traverse_some, jobs))

    def _lot(self) -> int:
        """How many deals this iteration has."""
        config = self._config
        begins = bool(config.start) and self.progress() < config.start_part
        lot = config.start_lot if begins and config.start_lot else config.lot
        return min(lot, self._budget.deals_left(self.deals))

    def traversal(self, seat: int) -> Traversal:
        """How deals are traversed now."""
        config, progress = self._config, self.progress()
        begins = config.start not in ("", TEACHER) and progress < config.start_part
        nobody_knows = self.iteration <= 1 and not self._is_full and not config.begin
        player = config.start if begins else "random" if nobody_knows else ""
        return Traversal(
            self._spec,
            tuple(self.nets),
            player=player,
            iteration=min(self.iteration, 65535),
            in_turn=self._is_full,
            seat=seat,
            decay=config.decay,
            tried=config.tried,
            shuffled=config.shuffle_suits,
            sampling=config.sampling,
            draws=config.draws,
            epsilon=config.epsilon,
            trust=config.trust * (1.0 - progress),
            best=config.best,
            against=config.against,
            seating=config.seating,
            forced=config.forced if progress < config.forced_part else "",
            variant=config.variant,
            batched=config.batched,
        )


def rates_of(found: Found) -> dict[str, float]:
    """How much was asked, and how many views together."""
    told = {"nodes": float(found.nodes), "asked": float(found.asked)}
    return told | {"mean batch": found.together / found.calls} if found.calls else told
