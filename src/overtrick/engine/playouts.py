"""Playing deals to their end inside kernels."""

from __future__ import annotations

from typing import Any

from overtrick.games.game import (
    Choice,
    Row,
    State,
    any_choice,
    is_over,
    legal,
    payoffs,
    play,
    rulebook,
)
from overtrick.jit import below, kernel, nth, popcount, rule

__all__ = [
    "ASKED",
    "RANDOM",
    "choose_all",
    "choose_by",
    "finish_at_random",
    "finish_by",
    "playouts",
    "playouts_by",
]

RANDOM = -1
"""The level that stands for random legal choices; the others are the game's rulebooks."""
ASKED = RANDOM - 1
"""In the place of a level: somebody whom kernels do not know, and who has to be asked."""


@rule
def finish_at_random(state: State, stream: Row) -> None:
    """Make random legal choices until the deal is over, in place."""
    while not is_over(state):
        choices = legal(state)
        play(state, nth(choices, below(stream, popcount(choices))))


@rule
def choose_by(state: State, level: int, stream: Row) -> Choice:
    """The choice of a rulebook, or a random one."""
    if level == RANDOM:
        return any_choice(state, stream)
    return rulebook(state, level, stream)


@rule
def finish_by(state: State, levels: Row, stream: Row) -> None:
    """Let every seat choose by the rulebook of its level until the deal is over, in place."""
    while not is_over(state):
        play(state, choose_by(state, levels[state.seat], stream))


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


@kernel
def playouts_by(states: Any, levels: Any, streams: Any, results: Any) -> int:
    """Finish every deal by rulebooks, in place; results[i] gets its payoffs.

    `levels[i]` holds the level of each seat in deal i, `streams[i]` its chance. Gives back the
    number of choices made.
    """
    choices_made = 0
    for number in range(len(states)):
        state = states[number]
        choices_made -= state.turn
        finish_by(state, levels[number], streams[number])
        choices_made += state.turn
        payoffs(state, results[number])
    return choices_made


@kernel
def choose_all(views: Any, level: int, streams: Any, choices: Row) -> None:
    """Write the choice of a level for every view, each with the stream of the same number."""
    for number in range(len(views)):
        choices[number] = choose_by(views[number], level, streams[number])
