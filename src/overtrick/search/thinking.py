"""A search of one view, under way: what every kind of search has in common.

A search is begun for one view, goes on in steps as long as somebody wants it to, and can be read
at any time. How far it has come is counted in its own units: worlds, or simulations. The same
stream and the same units give the same table, however the steps are cut and on however many
threads they run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

__all__ = ["MOST_CHOICES", "Table", "Thinking"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[np.float64]]

MOST_CHOICES = 64


@dataclass
class Table:
    """What a search has found for each choice, [MOST_CHOICES]; zeros for those not legal.

    Payoffs are those of the seat to act, as the game counts them (not yet in points).
    """

    probability: Floats  # with which the search would choose
    payoff: Floats  # mean
    error: Floats  # standard error of the mean
    visits: Floats  # how often it was tried


class Thinking(Protocol):
    """A search of one view."""

    spent: int  # units so far

    def think(self, units: int) -> None:
        """Go on by so many units."""
        ...

    def table(self) -> Table:
        """What has been found so far."""
        ...

    def settled(self, units: int) -> bool:
        """Whether the choice stays the same whatever so many more units may find."""
        ...
