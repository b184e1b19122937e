"""How somebody plays, in numbers: what a game can tell of finished deals beside the payoff."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Metric", "Played", "history_counts", "only_if"]

Values = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Played:
    """Finished deals, each as one of its seats played it."""

    states: Values  # [deals] records
    seats: Values  # [deals] whose play is told
    payoffs: Values  # [deals] what that seat got, in points

    def of_seat(self, field: str) -> Values:
        """A field with a number for every seat: that of the seat."""
        row: Values = self.states[field][np.arange(len(self.seats)), self.seats]
        return row

    def of_team(self, field: str) -> Values:
        """A field with a number for each of two teams: that of the seat's team."""
        row: Values = self.states[field][np.arange(len(self.seats)), self.seats & 1]
        return row


@dataclass(frozen=True)
class Metric:
    """One number about play: a value for every deal, NaN where it says nothing."""

    name: str
    meaning: str
    of: Callable[[Played], Values]
    is_share: bool = False  # shown in per cent
    human: str = ""  # what people reach, where a source tells


def only_if(condition: Values, values: Any) -> Values:
    """The values where the condition holds, NaN elsewhere."""
    return np.where(condition, values, np.nan)


def history_counts(played: Played, phase: int, choice: int | None = None) -> Values:
    """How often a choice (any, if None) was made in a phase, by anybody."""
    events = played.states["history"].astype(np.int64)
    made = np.arange(events.shape[1]) < played.states["turn"][:, None]
    fits = made & (events >> 9 == phase)
    if choice is not None:
        fits &= events & 63 == choice
    counts: Values = fits.sum(axis=1)
    return counts
