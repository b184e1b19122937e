"""The live analysis of a position: a tree search of what the seat knows, deeper and deeper.

It goes on in slices of a few milliseconds, so that it can be dropped at any time, and tells what
it has found whenever it has grown by a good part.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from overtrick.engine.deals import View
from overtrick.jit import stream
from overtrick.players.searching import puct_search
from overtrick.search.puct import Puct
from overtrick.search.tables import PAYOFFS, VISITS
from overtrick.table import messages
from overtrick.table.seat_views import Values, choices_told
from overtrick.table.wire import Analyse, Readiness

__all__ = ["Analysis", "bars", "worth"]

Floats = np.ndarray[Any, np.dtype[np.float64]]

SLICE_SECONDS = 0.01  # of a slice, in the time of its thread
GROWTH = 1.3  # of the simulations, until more is told
BETWEEN_SECONDS = 0.1
ROOM = 1 << 19  # nodes of all trees of an analysis, 48 bytes each
NOTHING: Values = {
    "kind": "analysis",
    "done": 0,
    "value": None,
    "error": None,
    "bars": [],
    "over": False,
    "preparing": None,
}


class Analysis:
    """The analysis of a view whose seat is to act; a job that takes turns.

    `tell` gets messages as they are sent, from the thread of the step.
    """

    def __init__(
        self, view: View, moment: Values, asked: Analyse, tell: Callable[[str], None]
    ) -> None:
        self.is_cancelled = False
        self._view, self._asked, self._tell = view, asked, tell
        self._head = NOTHING | moment | {"of": asked.sims, "worlds": asked.worlds}
        self._choices = choices_told(view)
        self._search: Puct | None = None
        self._units = 1  # of the next slice
        self._told, self._told_at = 0, float("-inf")

    def cancel(self) -> None:
        """Take no more steps, and tell nothing more."""
        self.is_cancelled = True

    @property
    def is_forced(self) -> bool:
        """Whether there is nothing to analyse."""
        return len(self._choices) == 1

    def step(self) -> bool:
        """Go on by one slice, at first with new worlds; whether there is more to do."""
        search, self._search = self._search, None  # its trees go with the last step
        if self.is_cancelled:
            return False
        search = search or self._begun()
        self._go_on(search)
        over = search.spent >= self._asked.sims
        if over or self._is_due(search.spent):
            self._tell_found(search, over)
        self._search = None if over else search
        return not over

    def failed(self, error: Exception) -> None:
        """Leave it at what was told."""

    def _begun(self) -> Puct:
        chance = stream(0, "analysis", self._view.text())  # nothing but what the seat knows
        view, worlds = self._view, self._asked.worlds
        return puct_search(view.game, view.records, chance, worlds=worlds, room=ROOM)

    def _go_on(self, search: Puct) -> None:
        units = min(self._units, self._asked.sims - search.spent)
        begun = time.thread_time()
        search.think(units)
        spent = max(time.thread_time() - begun, 1e-6)
        self._units = max(1, min(int(units * SLICE_SECONDS / spent), 2 * units))

    def _is_due(self, spent: int) -> bool:
        now = time.monotonic()
        if spent < GROWTH * self._told or now < self._told_at + BETWEEN_SECONDS:
            return False
        self._told, self._told_at = spent, now
        return True

    def _tell_found(self, search: Puct, over: bool) -> None:
        counts, unit = search._counts, self._view.game.payoff_unit
        visits, payoffs = counts[:, VISITS].sum(axis=1), counts[:, PAYOFFS].sum(axis=1)
        value, error = worth(visits, payoffs / unit)
        told = bars(self._choices, counts[:, VISITS], counts[:, PAYOFFS] / unit)
        more = {"value": known(value), "error": known(error), "bars": told, "over": over}
        self._tell(messages.text(self._head | more | {"done": search.spent}))

    def forced(self) -> str:
        """What is told where there is nothing to analyse."""
        (only,) = self._choices
        unknown = {"payoff": None, "error": None, "visits": 0}
        bar = only | unknown | {"probability": 1.0, "best": True, "shade": 1.0}
        return messages.text(self._head | {"bars": [bar], "over": True})

    def preparing(self, readiness: Readiness) -> str:
        """What is told while the search is still being compiled."""
        return messages.text(self._head | {"preparing": readiness})


# ---------------------------------------------------------------------------- what is found


def worth(visits: Floats, payoffs: Floats) -> tuple[Floats, Floats]:
    """What may be expected over several worlds, with its standard error, NaN where it is unknown.

    Visits and sums of payoffs are [worlds, …]. Every world counts the same, however often a choice
    was tried there: a search tries it most where it is good.
    """
    tried = visits > 0
    worlds = tried.sum(axis=0)
    means = payoffs / np.maximum(visits, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = means.sum(axis=0) / worlds
        squares = (np.where(tried, means - mean, 0.0) ** 2).sum(axis=0)
        error = np.sqrt(squares / (worlds - 1) / worlds)
    return mean, np.where(worlds > 1, error, np.nan)


def bars(choices: Sequence[Values], visits: Floats, payoffs: Floats) -> list[Values]:
    """One bar for each choice, of visits and sums of payoffs, [worlds, MOST_CHOICES]."""
    legal = [one["choice"] for one in choices]
    mean, error = worth(visits[:, legal], payoffs[:, legal])
    tried = visits[:, legal].sum(axis=0)
    best, shades = int(np.nanargmax(mean)), np.nan_to_num(shaded(mean))
    return [
        one
        | {
            "probability": float(tried[number] / tried.sum()),
            "payoff": known(mean[number]),
            "error": known(error[number]),
            "visits": int(tried[number]),
            "best": number == best,
            "shade": float(shades[number]),
        }
        for number, one in enumerate(choices)
    ]


def shaded(payoffs: Floats) -> Floats:
    """Payoffs on the way from the worst, 0, to the best, 1; NaN stays. All are best if equal."""
    low, high = np.nanmin(payoffs), np.nanmax(payoffs)
    if low == high:
        return payoffs * 0 + 1
    return np.asarray((payoffs - low) / (high - low))


def known(value: Any) -> float | None:
    """A number, or None if there is none."""
    return None if np.isnan(value) else float(value)
