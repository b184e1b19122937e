"""Counterfactual regret minimisation on the whole tree of a small game.

Every view keeps a regret for each choice: what it would have paid more than the policy, times the
probability that chance and the others lead there. The next policy chooses in proportion to positive
regrets; what comes near an equilibrium is the average policy, `average`.

    cfr       the whole tree an iteration; all iterations count alike
    cfr+      regrets never fall below 0; iteration t counts t times
    external  Monte Carlo: a deal and choices of the others are drawn, all own choices are tried
    outcome   Monte Carlo: one line of play is drawn, and weighed by how likely that was

Regrets of equally good choices are equal but for the last bits of a sum, which then decide; so the
figures of other programs are met to the last digit only if they sum in the same order.

Seats are updated in turn, seat 0 first; for the two that sample, an iteration is a walk for every
seat. With more than two seats, or another sum than zero, there is no guarantee.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.engine.tree import Tree
from overtrick.errors import BadBudget, BadOption, UnknownName
from overtrick.jit import stream
from overtrick.learn.walks import sample_chances, sample_outcomes, walk_all

__all__ = ["EPSILON", "VARIANTS", "Tabular"]

Floats = np.ndarray[Any, np.dtype[np.float64]]

VARIANTS = ("cfr", "cfr+", "external", "outcome")
EPSILON = 0.6  # of outcome sampling: the share of any choice


class Tabular:
    """One of the variants at work on a tree."""

    def __init__(
        self, tree: Tree, method: str = "cfr+", *, seed: int = 1, epsilon: float = EPSILON
    ) -> None:
        if method not in VARIANTS:
            raise UnknownName("method of regret minimisation", method, VARIANTS)
        if not 0 < epsilon <= 1:
            raise BadOption(f"epsilon is more than 0 and at most 1, not {epsilon:g}")
        self.tree = tree
        self.method = method
        self.epsilon = epsilon
        self.iterations = 0
        self.nodes = 0  # met so far
        self.policy = tree.uniform()
        self.regrets = np.zeros(tree.legal.shape)
        self._sums = np.zeros(tree.legal.shape)
        self._stream = stream(seed, "regrets", tree.game.name, method)
        self._viewers = tree.views["seat"].astype(np.int64)
        self._weights = tree.chance / tree.chance.max()  # whole numbers, where deals are as likely
        # children of one node follow each other
        self._children = np.searchsorted(tree.parent, np.arange(tree.nodes))

    def iterate(self, count: int = 1) -> None:
        """So many more iterations."""
        if count < 0:
            raise BadBudget(f"the number of iterations is 0 or more, not {count}")
        if self.method.startswith("cfr"):
            for _ in range(count):
                self._walk()
        else:
            self._sample(count)

    def average(self) -> Floats:
        """The average policy, [infosets, choices]: what comes near an equilibrium."""
        totals = self._sums.sum(axis=1, keepdims=True)
        shares: Floats = np.where(
            totals > 0, self._sums / np.where(totals > 0, totals, 1), self.tree.uniform()
        )
        return shares

    def exploitability(self) -> float:
        """Of the average policy, exactly."""
        return self.tree.exploitability(self.average())

    def _walk(self) -> None:
        tree = self.tree
        self.iterations += 1
        plus = self.method == "cfr+"
        for seat in range(tree.game.seats):
            walk_all(
                seat,
                float(self.iterations if plus else 1),
                plus,
                self._weights,
                (tree.parent, tree.mover, tree.move),
                tree.payoff,
                (self._viewers, tree.first),
                tree.legal,
                self.policy,
                self.regrets,
                self._sums,
            )
            self.nodes += tree.nodes

    def _sample(self, count: int) -> None:
        tree = self.tree
        facts = (tree.chance, self._children, tree.seat, tree.view, tree.payoff, tree.legal)
        sizes = (count, tree.game.seats, len(tree.levels))
        kept = (self.regrets, self._sums, self._stream)
        if self.method == "external":
            self.nodes += sample_chances(*sizes, *facts, *kept)
        else:
            self.nodes += sample_outcomes(*sizes, self.epsilon, *facts, *kept)
        self.iterations += count
