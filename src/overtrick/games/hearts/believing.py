"""Hearts: what rewards a trick, for the belief actor-critic.

Ishii et al. reward a trick by the points taken in it. Here it is what these come to in payoffs.
"""

from __future__ import annotations

from typing import Any

from overtrick.games.hearts.rules import SEATS, HeartsState
from overtrick.jit import rule

__all__ = ["ahead"]

_LARGE = 72.0  # about three standard deviations of a deal, in thirds of a point


@rule
def ahead(state: HeartsState, out: Any) -> None:
    """What the points taken so far would pay: at the end 26 - 4p, all but moons."""
    taken = 0
    for seat in range(SEATS):
        taken += state.points[seat]
    for seat in range(SEATS):
        out[seat] = (taken - 4 * state.points[seat]) / _LARGE
