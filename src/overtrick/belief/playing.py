"""What a believing player chooses, and deals with which it goes on inside one kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.belief.looking import (
    BELIEF,
    GAP,
    NONE,
    PRIOR,
    WORLDS,
    ask_actor,
    weigh_view,
)
from overtrick.engine.playouts import ASKED, choose_by
from overtrick.games.game import Choice, Choices, Row, State, hide, is_over, legal, play
from overtrick.jit import fork, kernel, lowest, rule

__all__ = ["choose_each", "choose_view", "play_on_believing"]

Floats = np.ndarray[Any, np.dtype[Any]]


@rule
def of_highest_merit(choices: Choices, merits: Floats) -> Choice:
    """The choice of highest merit; the lowest of equals."""
    best = lowest(choices)
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        if merits[choice] > merits[best]:
            best = choice
    return best


@rule
def within_reach(lean: Floats, choices: Choices, most: float) -> Choices:
    """The choices of which the actor's word is at most so much behind the best."""
    best = lean[of_highest_merit(choices, lean)]
    kept = 0
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        if best - lean[choice] <= most:
            kept |= 1 << choice
    return kept


@rule
def choose_view(
    view: State, choices: Choices, looker: Any, people: Row, stream: Row, merits: Floats
) -> Choice:
    """The choice of highest merit; [64] are room for merits.

    Worlds are looked at where they may turn the actor's word, and for such choices only: others
    would have to be better by the gap in all of them, by which choices are given up otherwise.
    """
    minds, desk, facts, limits, _ = looker
    turns = facts[BELIEF] != NONE and limits[GAP] > 0.0 and limits[PRIOR] > 0.0
    if choices & choices - 1 and turns:
        ask_actor(view, choices, minds, desk, limits, merits)
        most = limits[GAP] * facts[WORLDS] / limits[PRIOR]
        choices = within_reach(merits, choices, most)
    if choices & choices - 1 == 0:
        return lowest(choices)
    tried = weigh_view(view, choices, looker, people, stream, merits)
    return of_highest_merit(tried, merits)


@kernel
def choose_each(views: Any, looker: Any, people: Row, streams: Any, chosen: Row) -> None:
    """`choose_view` for many views, in which the same people sit in each seat."""
    merits = np.zeros(64)
    for number in range(len(views)):
        view = views[number]
        chosen[number] = choose_view(view, legal(view), looker, people, streams[number], merits)


@kernel
def play_on_believing(
    state: Any,
    view: Any,
    own: Row,
    levels: Row,
    first: int,
    parent: Row,
    looker: Any,
    people: Row,
    shared: int,
    level: int,
) -> None:
    """Play a deal, [1], on until it is over or somebody else has to be asked.

    The believing player has the seats marked in `own`, and others have the level told for their
    seats, or ASKED. In phases `shared`, as bits, a level chooses in its place. Choice number t has
    the stream first + t of the parent, so choices are those of a player who is asked. `view` is
    room for one.
    """
    chance = np.empty(2, dtype=np.int64)
    merits = np.zeros(64)
    while not is_over(state[0]):
        seat = state[0].seat
        if not own[seat] and levels[seat] == ASKED:
            break
        fork(parent, first + state[0].turn, chance)
        choices = legal(state[0])
        if not own[seat]:
            choice = choose_by(state[0], levels[seat], chance)
        elif choices & choices - 1 == 0:
            choice = lowest(choices)
        else:
            view[0] = state[0]
            hide(view[0], seat)
            if shared >> view[0].phase & 1:
                choice = choose_by(view[0], level, chance)
            else:
                choice = choose_view(view[0], choices, looker, people, chance, merits)
        play(state[0], choice)
