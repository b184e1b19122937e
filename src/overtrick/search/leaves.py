"""What a search makes of a leaf: the end of a playout, an exact ending, or an evaluator's word."""

from __future__ import annotations

import threading
from typing import Any, Protocol

import numpy as np

from overtrick.engine.playouts import RANDOM, choose_by, finish_at_random
from overtrick.games.game import Game, Row, State, any_choice, is_over, payoffs, play
from overtrick.jit import below, rule
from overtrick.search.endings import Room, is_near_its_end, new_room, solve_ending

__all__ = ["Evaluator", "finish_noisily", "leaf_room", "leaf_value"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]

THOUSAND = 1000
ENTRIES = 1 << 16  # positions that a thread remembers of the endings of a game

_OWN = threading.local()


class Evaluator(Protocol):
    """Values leaves in batches, in place of playouts."""

    def evaluate(self, states: Records, legals: Row) -> tuple[Floats, Floats]:
        """For [n] whole deals that go on, priors [n, 64] of choices and values [n, seats].

        `legals[i]` holds the legal choices of deal i as bits. Priors of other choices do not
        count, those of legal ones need not sum to 1. Values are payoffs over the game's payoff
        scale. The deals are the worlds of a search: an evaluator that plays fair looks at the
        view of the seat to act. Deal i's answer may not depend on the others in the batch.
        """
        ...


def leaf_room(game: Game, endgame: int) -> Room:
    """Room for one thread to value leaves in. The first record of its first array is the leaf.

    What the solver has found is true of all deals of a game, so a thread has one room for all
    its searches of it.
    """
    rooms = vars(_OWN).setdefault("rooms", {})
    key = game.name, endgame > 0
    if key not in rooms:
        rooms[key] = new_room(game, ENTRIES if endgame else 2)
    room: Room = rooms[key]
    return room


@rule
def leaf_value(room: Any, level: int, noise: int, endgame: int, stream: Row, won: Row) -> None:
    """Write the payoffs behind a leaf, a whole deal; it may be played to its end meanwhile.

    They are exact with no more than `endgame` tricks to play, else those of a playout.
    """
    state = room[0][0]
    if endgame and is_near_its_end(state, endgame):
        solve_ending(room, won)
    else:
        finish_noisily(state, level, noise, stream)
        payoffs(state, won)


@rule
def finish_noisily(state: State, level: int, noise: int, stream: Row) -> None:
    """Let all seats choose by a level to the end, in place; `noise` thousandths are random."""
    if level == RANDOM:
        finish_at_random(state, stream)
    elif noise == 0:
        while not is_over(state):
            play(state, choose_by(state, level, stream))
    else:
        while not is_over(state):
            if below(stream, THOUSAND) < noise:
                play(state, any_choice(state, stream))
            else:
                play(state, choose_by(state, level, stream))
