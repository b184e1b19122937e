"""The judge: what each choice of a view is worth, by what the view tells and nothing else.

All choices are played out in the same worlds and by the same chance, the last tricks solved
exactly, and the payoffs are kept one by one: what a choice costs against the best is the mean of
their differences. The chance of the judge follows from the view alone, so whoever has the same
view is judged alike, whatever the hidden cards are; and a hint that is taken is the best choice
of the review.

The best of many choices that were tried in the same few worlds looks better than it is: it was
found because these worlds favour it. Therefore no choice is held against a best one in the worlds
that chose it. The worlds are split into folds, and in each of them the choice that is best in all
the *other* folds is what the rest is compared with. Where one choice is best everywhere this is
the plain mean of differences; where it is close, so that the folds disagree, the costs come out
smaller, and are right on average. More worlds are drawn until every choice clearly costs something
or clearly next to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from overtrick.engine.deals import View
from overtrick.errors import BadBudget, IllegalChoice
from overtrick.games import load_game
from overtrick.games.game import NOBODY, Choice, Game, Seat
from overtrick.jit import fork, stream
from overtrick.players.levels import level_player
from overtrick.search.beliefs import EVENLY, Beliefs
from overtrick.search.endings import Endings
from overtrick.search.weighing import payoffs_in, payoffs_of, takers_of

__all__ = ["Judge", "Weighing", "Worth"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Counts = np.ndarray[Any, np.dtype[np.int64]]

WORLDS = 960  # at most, for a choice
ROUND = 240  # worlds drawn together
PLAYOUTS = 12_000  # of all choices in all worlds, about
VALUE_WORLDS = 240  # for a moment in which others choose
TAKER_WORLDS = 160  # for who takes a trick
ENDGAME = 2  # tricks that are solved; more do not make a search play better, as measured
FOLDS = 5
SURE = 3.0  # standard errors by which a choice is clearly worse, or clearly not
LITTLE = 0.05  # of the stake: costs that make no difference


@dataclass(frozen=True)
class Worth:
    """A mean in points, with its standard error."""

    mean: float
    error: float


@dataclass(frozen=True)
class Weighing:
    """The legal choices of a view in many worlds."""

    choices: tuple[Choice, ...]
    payoffs: Floats  # [worlds, choices], in points
    counts: Counts  # how often each world counts
    exact: bool = False  # the seat knows all cards, and the rest was solved

    @cached_property
    def means(self) -> Floats:
        """What each choice is worth."""
        return self._means(self.counts)

    def _means(self, counts: Counts) -> Floats:
        found: Floats = counts @ self.payoffs / counts.sum()
        return found

    @cached_property
    def best(self) -> int:
        """The index of the best choice; the first of equals."""
        return int(self.means.argmax())

    @property
    def worlds(self) -> int:
        """How many worlds were tried, those that count more often counted so."""
        return int(self.counts.sum())

    @cached_property
    def yardstick(self) -> Floats:
        """In each world what the choice brings that is best in the other folds, [worlds]."""
        found: Floats = self.payoffs[:, self.best].copy()
        fold = np.arange(len(found)) % FOLDS
        for number in range(min(FOLDS, len(found)) if len(found) > 1 else 0):
            inside = fold == number
            best = self._means(np.where(inside, 0, self.counts)).argmax()
            found[inside] = self.payoffs[inside, best]
        return found

    def worth(self, index: int) -> Worth:
        """What a choice is worth."""
        return worth_of(self.payoffs[:, index], self.counts)

    def cost(self, index: int) -> Worth:
        """What a choice costs against the best one, world by world; never less than nothing."""
        if index == self.best:
            return Worth(0.0, 0.0)
        found = worth_of(self.yardstick - self.payoffs[:, index], self.counts)
        return Worth(max(found.mean, 0.0), found.error)

    def share(self, index: int, *, above: float) -> float:
        """The share of the worlds in which a choice brings more than that."""
        return float(self.counts @ (self.payoffs[:, index] > above) / self.counts.sum())

    def low(self, index: int, share: float) -> float:
        """What a choice brings at most in the worst part of the worlds that is so large."""
        order = self.payoffs[:, index].argsort()
        reached = np.cumsum(self.counts[order]) >= share * self.counts.sum()
        return float(self.payoffs[order[reached.argmax()], index])

    def settled(self, little: float) -> bool:
        """Whether each other choice clearly costs something, or clearly less than so little."""
        costs = (self.cost(i) for i in range(len(self.choices)) if i != self.best)
        return all(
            cost.mean >= SURE * cost.error or cost.mean + SURE * cost.error <= little
            for cost in costs
        )


def worth_of(values: Floats, counts: Counts) -> Worth:
    """The weighted mean of values and its standard error."""
    total = counts.sum()
    mean = float(counts @ values / total)
    spread = float(counts @ (values - mean) ** 2 / total)
    effective = float(total) ** 2 / float(counts @ counts)
    return Worth(mean, float(np.sqrt(spread / max(effective - 1.0, 1.0))))


class Judge:
    """Weighs views of one game; for one thread at a time."""

    def __init__(
        self,
        game: str | Game,
        *,
        worlds: int = WORLDS,
        playout: str = "",
        belief: str = "",
        endgame: int | None = None,
    ) -> None:
        if worlds < 1:
            raise BadBudget(f"the judge needs 1 world or more, not {worlds}")
        self.game = load_game(game) if isinstance(game, str) else game
        defaults = self.game.search_defaults
        usual = "rulebook" if self.game.rulebooks else "random"
        self._playout = level_player(self.game, playout or defaults.get("playout", usual))
        model = belief or defaults.get("belief", "none")
        self._model = None if model == "none" else level_player(self.game, model)
        self._beliefs = Beliefs(self.game, self._model.level if self._model else EVENLY)
        self._worlds = worlds
        self._solves = int(defaults.get("solves", "0"))
        self._endgame = min(ENDGAME, self._solves) if endgame is None else endgame
        self._endings = Endings(self.game, size=2)
        self._little = LITTLE * self.game.showing.stake

    @property
    def name(self) -> str:
        """What decides the verdicts."""
        model = self._model.name if self._model else "none"
        return (
            f"judge:worlds={self._worlds},playout={self._playout.name},"
            f"belief={model},endgame={self._endgame}"
        )

    def weigh(self, view: View) -> Weighing:
        """All legal choices of a view whose seat is to act; more worlds while it is close."""
        if not view.legal:
            seat = self.game.seat_name(view.viewer)
            raise IllegalChoice(f"{self.game.name}: {seat} is not to act, and has no choice")
        if view.count_worlds() == 1:
            return self._weigh_known(view)
        choices, chance = view.legal, _chance_of(view)
        most = self._most(len(choices))
        payoffs, counts = np.zeros((0, len(choices))), np.zeros(0, dtype=np.int64)
        found = Weighing(choices, payoffs, counts)
        number = 0
        while not number or (found.worlds < most and not found.settled(self._little)):
            size = min(ROUND, most - found.worlds)
            worlds, weights = self._draw(view, size, number, chance)
            rows = self._payoffs(view, worlds, _child(chance, -1 - number), self._endgame)
            payoffs, counts = np.concatenate([payoffs, rows]), np.concatenate([counts, weights])
            found = Weighing(choices, payoffs, counts)
            number += 1
        return found

    def _most(self, choices: int) -> int:
        """The worlds in which so many choices may be tried: fewer if there are many."""
        if choices == 1:
            return min(self._worlds, VALUE_WORLDS)
        return min(self._worlds, max(ROUND // 2, PLAYOUTS // choices))

    def _weigh_known(self, view: View) -> Weighing:
        """The choices of a seat that knows where every card is: there is one world."""
        chance = _chance_of(view)
        world, counts = self._draw(view, 1, 0, chance)
        exact = self._endings.can_solve(world, self._solves)
        payoffs = self._payoffs(view, world, _child(chance, -1), self._solves if exact else 0)
        return Weighing(view.legal, payoffs, counts, exact)

    def _payoffs(self, view: View, worlds: Records, chance: Counts, endgame: int) -> Floats:
        """What the viewer gets in each world after each choice, [worlds, choices], in points."""
        told = payoffs_of(
            self.game,
            worlds,
            sum(1 << choice for choice in view.legal),
            view.viewer,
            chance,
            level=self._playout.level,
            endgame=endgame,
        )
        rows: Floats = told[:, view.legal] / self.game.payoff_unit
        return rows

    def value(self, view: View) -> Worth:
        """What the viewer may expect, whoever is to act."""
        chance = _chance_of(view)
        worlds, counts = self._draw(view, min(VALUE_WORLDS, self._worlds), 0, chance)
        told = payoffs_in(
            self.game,
            worlds,
            view.viewer,
            _child(chance, -1),
            level=self._playout.level,
            endgame=self._endgame,
        )
        return worth_of(told / self.game.payoff_unit, counts)

    def takers(self, view: View, choice: Choice) -> dict[Seat, float]:
        """Who takes the trick if this card is played, with the share of the worlds.

        Empty if the choice goes to no trick.
        """
        return self.takers_of_each(view, [choice])[0]

    def takers_of_each(self, view: View, choices: Sequence[Choice]) -> list[dict[Seat, float]]:
        """As `takers`, for each of these choices in the same worlds."""
        chance = _chance_of(view)
        worlds, counts = self._draw(view, min(TAKER_WORLDS, self._worlds), 0, chance)
        level, chance = self._playout.level, _child(chance, -1)
        each = [takers_of(self.game, worlds, one, chance, level=level) for one in choices]
        return [_shares(seats, counts) for seats in each]

    def _draw(self, view: View, count: int, number: int, chance: Counts) -> tuple[Records, Counts]:
        drawn = self._beliefs.draw(view._states, count, _child(chance, number))
        return drawn.records, drawn.counts


def _shares(seats: Counts, counts: Counts) -> dict[Seat, float]:
    """The share of the worlds that each seat has; nobody has any if the seats are NOBODY."""
    somebody = seats != NOBODY
    shares = np.bincount(seats[somebody], counts[somebody])
    return {seat: float(share / counts.sum()) for seat, share in enumerate(shares) if share}


def _chance_of(view: View) -> Counts:
    """The chance of the judge: it follows from the view."""
    return stream(0, "judge", view.text())


def _child(parent: Counts, number: int) -> Counts:
    chance = np.empty(2, dtype=np.int64)
    fork(parent, number, chance)
    return chance
