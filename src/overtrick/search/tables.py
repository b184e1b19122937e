"""What a search counts at its root, and the table that is made of it."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from overtrick.jit import rule
from overtrick.search.thinking import MOST_CHOICES, Table

__all__ = [
    "FIRST_VISITS",
    "PAYOFFS",
    "SQUARES",
    "VISITS",
    "count_choice",
    "is_settled",
    "new_counts",
    "spread",
    "table_of",
]

Floats = np.ndarray[Any, np.dtype[np.float64]]

VISITS, PAYOFFS, SQUARES = range(3)  # of each root choice: how often, and sums over these
LEAST_SPREAD = 0.05
FIRST_VISITS = 32


def new_counts(trees: int) -> Floats:
    """[trees, 3, choices] counts of trees that nobody has visited."""
    return np.zeros((trees, 3, MOST_CHOICES))


@rule
def count_choice(counts: Floats, choice: int, payoff: float) -> None:
    """Enter a simulation under its root choice, into counts [3, choices]."""
    counts[VISITS, choice] += 1.0
    counts[PAYOFFS, choice] += payoff
    counts[SQUARES, choice] += payoff * payoff


@rule
def spread(visits: float, total: float, squares: float) -> float:
    """The standard deviation of so many values with this sum and sum of squares; 1 of fewer than 2.

    It is never 0: a tree in which all ends are alike so far goes on looking around. For the same
    reason a tree takes it from its FIRST_VISITS: later ones keep to what looks best.
    """
    if visits < 2:
        return 1.0
    mean = total / visits
    return max(sqrt(max(squares / visits - mean * mean, 0.0)), LEAST_SPREAD)


def table_of(counts: Floats, legal: int, temperature: float) -> Table:
    """The table of counts [3, choices], already summed over trees.

    The probabilities are the shares of visits to the power 1 / temperature. At 0 all is on the
    most visited choice; of several the one with the highest mean, then the lowest.
    """
    visits = counts[VISITS]
    often = np.maximum(visits, 1)
    mean = counts[PAYOFFS] / often
    variance = np.maximum(counts[SQUARES] / often - mean**2, 0) * often / np.maximum(often - 1, 1)
    return Table(
        probability=_probability(visits, mean, legal, temperature),
        payoff=mean,
        error=np.sqrt(variance / often),
        visits=visits.copy(),
    )


def _probability(visits: Floats, mean: Floats, legal: int, temperature: float) -> Floats:
    choices = [choice for choice in range(MOST_CHOICES - 1) if legal >> choice & 1]
    probability = np.zeros(MOST_CHOICES)
    if temperature == 0:
        best = max(choices, key=lambda choice: (visits[choice], mean[choice], -choice))
        probability[best] = 1
    elif visits.sum() == 0:
        probability[choices] = 1 / len(choices)
    else:
        probability = (visits / visits.max()) ** (1 / temperature)
        probability /= probability.sum()
    return probability


def is_settled(counts: Floats, legal: int, more: int) -> bool:
    """Whether so many more visits cannot change which choice has the most."""
    if int(legal).bit_count() == 1:
        return True
    second, first = np.sort(counts[VISITS])[-2:]
    return bool(first - second > more)
