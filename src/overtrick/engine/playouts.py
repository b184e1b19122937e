"""Playing deals to their end inside kernels."""

from __future__ import annotations

from typing import Any

from overtrick.games.game import Row, State, is_over, legal, payoffs, play
from overtrick.jit import below, kernel, nth, popcount, rule

__all__ = ["finish_at_random", "playouts"]


@rule
def finish_at_random(state: State, stream: Row) -> None:
    """Make random legal choices until the deal is over, in place."""
    while not is_over(state):
        choices = legal(state)
        play(state, nth(choices, below(stream, popcount(choices))))


@kernel
def playouts(states: Any, stream: Row, results: Any) -> int:
    """Finish every deal at random, in place; results[i] gets its payoffs.

    Gives back the number of choices made.
    """
    choices_made = 0
    for number in range(len(states)):
        state = states[number]
        choices_made -= state.turn
        finish_at_random(state, stream)
        choices_made += state.turn
        payoffs(state, results[number])
    return choices_made
