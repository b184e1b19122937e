"""Every choice of a view in every world: the payoffs one by one, not only their means.

Two choices are compared in the same worlds and by the same chance, so what one costs against the
other is known far better than what either is worth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.engine.playouts import choose_by
from overtrick.games.game import NOBODY, Choices, Game, Row, is_over, play
from overtrick.jit import fork, kernel, lowest
from overtrick.search.leaves import leaf_room, leaf_value
from overtrick.search.thinking import MOST_CHOICES

__all__ = ["payoffs_in", "payoffs_of", "takers_of"]

Records = np.ndarray[Any, Any]


@kernel
def weigh_worlds(
    worlds: Any,
    choices: Choices,
    viewer: int,
    level: int,
    noise: int,
    endgame: int,
    first: int,
    stream: Row,
    room: Any,
    results: Any,
) -> None:
    """Write what the viewer gets in each world after each choice, [worlds, MOST_CHOICES].

    Without choices it is what the viewer gets in the world as it stands, in the first column.
    World n has the chance of child `first + n` of the stream, for all choices alike.
    """
    chance = np.empty(2, dtype=np.int64)
    won = np.zeros(len(worlds[0].hands), dtype=np.int64)
    stack = room[0]
    for number in range(len(worlds)):
        if choices == 0:
            stack[0] = worlds[number]
            fork(stream, first + number, chance)
            leaf_value(room, level, noise, endgame, chance, won)
            results[number, 0] = won[viewer]
        rest = choices
        while rest:
            choice = lowest(rest)
            rest &= rest - 1
            stack[0] = worlds[number]
            play(stack[0], choice)
            fork(stream, first + number, chance)
            leaf_value(room, level, noise, endgame, chance, won)
            results[number, choice] = won[viewer]


@kernel
def finish_tricks(
    worlds: Any, choice: int, level: int, first: int, stream: Row, room: Any, takers: Row
) -> None:
    """Write who takes the trick that a card goes to; NOBODY if the choice is to no trick."""
    chance = np.empty(2, dtype=np.int64)
    state = room[0][0]
    for number in range(len(worlds)):
        room[0][0] = worlds[number]
        lay = state.table
        fork(stream, first + number, chance)
        play(state, choice)
        takers[number] = NOBODY
        if state.table != lay:
            while state.table != 0 and not is_over(state):
                play(state, choose_by(state, level, chance))
            takers[number] = state.leader


def takers_of(
    game: Game, worlds: Records, choice: int, stream: Row, *, level: int, first: int = 0
) -> Row:
    """Who takes the trick in each world if this card is played to it; NOBODY if it is to none."""
    takers = np.full(len(worlds), NOBODY, dtype=np.int64)
    finish_tricks(worlds, choice, level, first, stream, leaf_room(game, 0), takers)
    return takers


def payoffs_of(
    game: Game,
    worlds: Records,
    choices: Choices,
    viewer: int,
    stream: Row,
    *,
    level: int,
    endgame: int = 0,
    first: int = 0,
) -> Row:
    """What a seat gets in each world after each choice, [worlds, MOST_CHOICES]."""
    results = np.zeros((len(worlds), MOST_CHOICES), dtype=np.int64)
    if len(worlds):
        room = leaf_room(game, endgame)
        weigh_worlds(worlds, choices, viewer, level, 0, endgame, first, stream, room, results)
    return results


def payoffs_in(
    game: Game,
    worlds: Records,
    viewer: int,
    stream: Row,
    *,
    level: int,
    endgame: int = 0,
    first: int = 0,
) -> Row:
    """What a seat gets in each world as it stands, [worlds]."""
    told = payoffs_of(game, worlds, 0, viewer, stream, level=level, endgame=endgame, first=first)
    ended: Row = told[:, 0]
    return ended
