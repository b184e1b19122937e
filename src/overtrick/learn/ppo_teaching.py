"""What policy and critic of PPO are taught of an iteration's choices, gradient by gradient."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice, repeat
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from overtrick.games.game import Game, Row
from overtrick.learn.nets import centred, gain_loss, value_loss
from overtrick.learn.pointer_pupil import AnyPupil, Pages
from overtrick.learn.ppo_config import PpoConfig
from overtrick.learn.ppo_losses import (
    chosen_logs,
    clipped_loss,
    clipped_share,
    entropy_of,
    leaving,
    legal_logs,
)
from overtrick.learn.samples import Lesson, Samples, lessons
from overtrick.nets.pointer_spec import PointerSpec
from overtrick.search.guided import SHARPNESS

__all__ = ["Lessons", "Weights", "branch_lessons", "normalised", "teach_critic", "teach_policy"]

Floats = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Lessons:
    """The choices of an iteration as the nets see them, one a row.

    The critic has m of them: the n of the policy, then those of others that were valued.
    """

    policy: Lesson
    critic: Floats | Pages  # [m, inputs] flags with all hands, or pages
    chosen: Row  # [n] as actions
    logs: Floats  # [n]
    advantages: Floats  # [n] normalised
    returns: Floats  # [m] as a share of the reach

    def __len__(self) -> int:
        return len(self.chosen)


@dataclass(frozen=True)
class Weights:
    """What the parts of the loss weigh by now."""

    entropy: float
    kl: float


def normalised(gains: Floats, lots: Row) -> Floats:
    """Advantages with mean 0 and deviation 1, those of each lot apart."""
    found: Floats = gains.astype(np.float64).copy()
    for lot in np.unique(lots):
        mine = lots == lot
        found[mine] = (found[mine] - found[mine].mean()) / (found[mine].std() + 1e-8)
    return found


def batches(count: int, config: PpoConfig, chance: np.random.Generator) -> list[Row]:
    """Rows of the lessons of all epochs, in random order, about `batch` at a time."""
    found: list[Row] = []
    for _ in range(config.epochs if count else 0):
        rows = chance.permutation(count)
        found += np.array_split(rows, max(1, round(count / config.batch)))
    return found


def branch_lessons(
    game: Game,
    pupil: AnyPupil,
    samples: Samples,
    count: int,
    *,
    shuffled: bool,
    seed: int,
    part: int,
) -> Iterator[Lesson | None]:
    """What trying all choices has told, in so many parts; nothing where nothing was tried."""
    if isinstance(pupil.spec, PointerSpec):
        return repeat(None, count)
    size = max(1, -(-len(samples) // max(count, 1)))
    told = lessons(
        game, pupil.spec, samples, size=size, passes=1.0, seed=seed, part=part, shuffled=shuffled
    )
    return islice(chain(told, repeat(None)), count)


# ---------------------------------------------------------------------------- the policy


def teach_policy(
    pupil: AnyPupil,
    told: Lessons,
    config: PpoConfig,
    weights: Weights,
    *,
    magnet: Tensor | None,
    guessed: slice,
    rows: list[Row],
    branches: Iterator[Lesson | None],
) -> dict[str, float]:
    """A gradient for each lot of rows; the means of all that was told before each."""
    course = _Course(pupil, told, config, weights, magnet, guessed)
    found: dict[str, list[Tensor]] = {}
    for lot, branch in zip(rows, branches, strict=True):
        for name, number in course.step(lot, branch).items():
            found.setdefault(name, []).append(number)
    return {name: float(torch.stack(numbers).mean()) for name, numbers in found.items()}


@dataclass(frozen=True)
class _Course:
    """The lessons of a policy."""

    pupil: AnyPupil
    told: Lessons
    config: PpoConfig
    weights: Weights
    magnet: Tensor | None  # logarithms of what it thinks of all choices, [n, actions]
    guessed: slice  # flags of the critic that are to be guessed

    def step(self, rows: Row, branch: Lesson | None) -> dict[str, Tensor]:
        """One gradient; its parts as they were before it."""
        config = self.config
        loss, parts = self._of_choices(rows)
        tried = None
        if branch is not None:
            gain, made, brier = self._of_branches(branch)
            tried = config.branch_weight * gain + config.make_weight * made
            parts |= {"QKL": gain, "make loss": made, "make Brier": brier}
        self.pupil.descend(loss, tried, config.branch_weight + config.make_weight)
        return {name: number.detach() for name, number in parts.items()}

    def _of_choices(self, rows: Row) -> tuple[Tensor, dict[str, Tensor]]:
        """The loss of PPO."""
        config, lesson = self.config, self.told.policy
        legal = torch.from_numpy(lesson.legal[rows])
        logits, values, guesses = self.pupil.answer_and_guess(lesson.flags[rows])
        logs = legal_logs(logits, legal)
        own = chosen_logs(logs, torch.from_numpy(self.told.chosen[rows]))
        ratios = (own - torch.from_numpy(self.told.logs[rows]).float()).exp()
        gains = torch.from_numpy(self.told.advantages[rows]).float()
        parts = {
            "policy loss": clipped_loss(ratios, gains, config.clip),
            "entropy": entropy_of(logs, legal),
            "clipped": clipped_share(ratios, config.clip),
            "VMSE": value_loss(values, torch.from_numpy(lesson.values[rows])),
        }
        loss = parts["policy loss"] - self.weights.entropy * parts["entropy"]
        loss = loss + config.value_weight * parts["VMSE"]
        if self.magnet is not None:
            parts["kl"] = leaving(logs, self.magnet[torch.from_numpy(rows)], legal)
            loss = loss + self.weights.kl * parts["kl"]
        if self.guessed.stop:
            assert isinstance(self.told.critic, np.ndarray)
            hands = torch.from_numpy(self.told.critic[rows, self.guessed]).float()
            mine = guesses[:, : hands.shape[1]]
            parts["guess loss"] = functional.binary_cross_entropy_with_logits(mine, hands)
            loss = loss + config.guess_weight * parts["guess loss"]
        return loss, parts

    def _of_branches(self, branch: Lesson) -> tuple[Tensor, Tensor, Tensor]:
        """The loss of what each choice paid; that of telling which won; its squared error.

        Of a bid that is tried, to win is to make the contract, or to beat the one it led to.
        """
        legal, paid = torch.from_numpy(branch.legal), torch.from_numpy(branch.policy)
        logits, _, guesses = self.pupil.answer_and_guess(branch.flags)
        wanted = centred(paid, legal) / (SHARPNESS * self.pupil.spec.reach)
        mine = guesses[:, -legal.shape[1] :][legal]
        won = (paid > 0)[legal].float()
        made = functional.binary_cross_entropy_with_logits(mine, won)
        brier = ((torch.sigmoid(mine) - won) ** 2).mean()
        return gain_loss(logits, legal, wanted), made, brier


# ---------------------------------------------------------------------------- the critic


def teach_critic(pupil: AnyPupil, told: Lessons, rows: list[Row]) -> dict[str, float]:
    """A gradient for each lot of rows; the mean loss before each."""
    losses = []
    returns = torch.from_numpy(told.returns).float()[:, None]
    for lot in rows:
        seen: Any = told.critic[lot]
        _, values = pupil.answer(seen)
        loss = value_loss(values, returns[torch.from_numpy(lot)])
        pupil.descend(loss)
        losses.append(float(loss.detach()))
    return {"critic loss": sum(losses) / len(losses)} if losses else {}
