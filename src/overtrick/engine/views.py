"""What each seat knows, for many deals at once."""

from __future__ import annotations

from typing import Any

from overtrick.games.game import Row, dealt, hide
from overtrick.jit import kernel

__all__ = ["hide_all", "orders_dealt"]


@kernel
def hide_all(states: Any, seats: Row) -> None:
    """Turn every deal into the view of the seat of the same number, in place."""
    for number in range(len(states)):
        hide(states[number], seats[number])


@kernel
def orders_dealt(states: Any, orders: Any) -> None:
    """Write an order of the deck for each whole deal, from which its history leads to it."""
    for number in range(len(states)):
        dealt(states[number], orders[number])
