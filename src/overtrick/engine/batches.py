"""Hundreds of deals stepped together: one call, one choice in each.

Crossing from Python to a kernel costs as much as fifty choices, so nothing that must be fast
steps deals one by one. A `Batch` plays matches without end: a deal that is over is scored and the
next one is dealt in its place, within the same call.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.engine.dealing import deal_at_random, deal_shuffled
from overtrick.errors import BadBudget, IllegalChoice
from overtrick.games.game import (
    Game,
    Row,
    Variant,
    deck_size,
    is_over,
    legal,
    match_winners,
    new_match,
    payoffs,
    play,
    rewards,
    score,
)
from overtrick.jit import below, kernel, nth, popcount, streams

__all__ = [
    "Batch",
    "begin_matches",
    "choose_at_random",
    "copy_all",
    "legal_all",
    "payoffs_all",
    "play_all",
    "rewards_all",
    "score_all",
    "step_all",
    "winners_all",
]


@kernel
def legal_all(states: Any, legals: Row) -> None:
    """Write the legal choices of every deal; 0 where it is over."""
    for number in range(len(states)):
        legals[number] = 0 if is_over(states[number]) else legal(states[number])


@kernel
def play_all(states: Any, choices: Row) -> None:
    """Make one choice in every deal."""
    for number in range(len(states)):
        play(states[number], choices[number])


@kernel
def copy_all(states: Any, copies: Any) -> None:
    """Copy every record; several times as fast as assigning the arrays."""
    for number in range(len(states)):
        copies[number] = states[number]


@kernel
def payoffs_all(states: Any, results: Any) -> None:
    """Write the payoffs of every deal that is over, zeros for the others."""
    for number in range(len(states)):
        if is_over(states[number]):
            payoffs(states[number], results[number])
        else:
            results[number] = 0


@kernel
def rewards_all(states: Any, results: Any) -> None:
    """Write what every seat has been rewarded so far in every deal, as floats."""
    for number in range(len(states)):
        rewards(states[number], results[number])


@kernel
def begin_matches(matches: Any, streams: Any) -> None:
    """Begin every match."""
    for number in range(len(matches)):
        new_match(matches[number], streams[number])


@kernel
def score_all(matches: Any, states: Any) -> None:
    """Enter every deal into the match of the same number."""
    for number in range(len(matches)):
        score(matches[number], states[number])


@kernel
def winners_all(matches: Any, winners: Row) -> None:
    """Write the winners of every match as a set of seats, 0 while it goes on."""
    for number in range(len(matches)):
        winners[number] = match_winners(matches[number])


@kernel
def choose_at_random(legals: Row, streams: Any, choices: Row) -> None:
    """Write a random legal choice for every deal."""
    for number in range(len(legals)):
        picked = below(streams[number], popcount(legals[number]))
        choices[number] = nth(legals[number], picked)


@kernel
def step_all(
    states: Any,
    matches: Any,
    choices: Row,
    streams: Any,
    legals: Row,
    seats: Row,
    ended: Row,
    results: Any,
) -> None:
    """Make one choice in every deal, score those that end and deal the next in their place."""
    order = np.empty(deck_size(states[0]), dtype=np.int64)
    for number in range(len(states)):
        state = states[number]
        play(state, choices[number])
        ended[number] = 0
        if is_over(state):
            ended[number] = 1
            payoffs(state, results[number])
            match = matches[number]
            score(match, state)
            if match_winners(match):
                new_match(match, streams[number])
            deal_at_random(state, match, order, streams[number])
        legals[number] = legal(state)
        seats[number] = state.seat


class Batch:
    """Deals of one game side by side, each in a match of its own.

    After `reset` and after every `step`, for deal i: `legals[i]` holds the legal choices as bits,
    `seats[i]` the seat to act; `ended[i]` tells whether the last step ended a deal, and then
    `payoffs[i]` holds its payoffs. `states` are whole deals: use `views()` for what the seats to
    act know.
    """

    def __init__(
        self, game: Game, size: int, *, seed: int, variant: str | Variant | None = None
    ) -> None:
        if size < 1:
            raise BadBudget(f"a batch has at least one deal, not {size}")
        self.game = game
        self.variant = game.variant_of(variant)
        self.seed = seed
        self.states = game.blank_states(size, self.variant)
        self.matches = game.blank_matches(size, self.variant)
        self.legals = np.zeros(size, dtype=np.int64)
        self.seats = np.zeros(size, dtype=np.int64)
        self.ended = np.zeros(size, dtype=np.int64)
        self.payoffs = np.zeros((size, game.seats), dtype=np.int64)
        self.reset()

    def __len__(self) -> int:
        return len(self.states)

    def reset(self) -> None:
        """Begin all matches anew, with the seed of the batch."""
        self._streams = streams(len(self), self.seed, "batch", self.game.name)
        begin_matches(self.matches, self._streams)
        deal_shuffled(self.states, self.matches, self._streams)
        legal_all(self.states, self.legals)
        self.seats[:] = self.states["seat"]
        self.ended[:] = 0
        self.payoffs[:] = 0

    def step(self, choices: Row) -> None:
        """Make one choice in every deal; an illegal one is refused before anything changes."""
        if choices.shape != self.legals.shape:
            raise BadBudget(f"{len(self)} choices were expected, not {choices.shape}")
        wrong = np.flatnonzero((self.legals >> choices & 1 == 0) | (choices < 0) | (choices > 62))
        if len(wrong):
            number = int(wrong[0])
            raise IllegalChoice(
                f"{self.game.name}: choice {choices[number]} is not legal in deal {number} of the "
                f"batch, seat {self.seats[number]} to {self._phase(number)}"
            )
        self.step_unchecked(choices)

    def step_unchecked(self, choices: Row) -> None:
        """`step` for callers that have chosen out of `legals`."""
        step_all(
            self.states,
            self.matches,
            choices,
            self._streams,
            self.legals,
            self.seats,
            self.ended,
            self.payoffs,
        )

    def views(self) -> np.ndarray[Any, Any]:
        """What the seats to act know: new records."""
        from overtrick.engine.views import hide_all

        views = self.states.copy()
        hide_all(views, self.seats)
        return views

    def _phase(self, number: int) -> str:
        return self.game.phases[int(self.states["phase"][number])]
