"""Exact endings of any game: by its two sides if it has them, else every seat for itself.

Inside kernels `solve_ending` values one deal; `Endings` weighs the choices of a deal for callers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.engine.batches import legal_all, play_all
from overtrick.errors import DealOver, Unsolvable
from overtrick.games.game import NOBODY, OVER, Game, Row, State, is_over, payoffs
from overtrick.games.solving import rungs, sides, tricks_to_play
from overtrick.jit import kernel, rule
from overtrick.search import maxn
from overtrick.search.solver import (
    exact_gains,
    new_frames,
    new_memory,
    new_stack,
    sides_all,
    solve_sides,
)
from overtrick.search.thinking import MOST_CHOICES

__all__ = ["Endings", "Room", "is_near_its_end", "new_room", "solve_ending"]

Records = np.ndarray[Any, Any]
Room = tuple[Records, Records, Records, Records, Records]

UNKNOWN = -1


def new_room(game: Game, size: int) -> Room:
    """Room for one solver at a time, with a memory of `size` positions, a power of two."""
    return (
        new_stack(game),
        new_frames(game),
        new_memory(size),
        maxn.new_nodes(game),
        maxn.new_memory(game, size),
    )


@rule
def is_near_its_end(state: State, endgame: int) -> bool:
    """Whether a deal goes on that can be solved, with no more than `endgame` tricks to play."""
    if is_over(state) or tricks_to_play(state) > endgame:
        return False
    return sides(state) != 0 or rungs(state) > 0


@rule
def solve_ending(room: Any, won: Row) -> None:
    """Write the payoffs under best play of the deal that is first in a room."""
    stack, frames, memory, nodes, memory_of_each = room
    side = sides(stack[0])
    if side:
        solve_sides(stack, side, memory, frames, won)
    else:
        maxn.solve_each(stack, nodes, memory_of_each, won)


@kernel
def solve_deals(states: Any, room: Any, gains: Row, results: Any) -> None:
    """Write the payoffs of every deal under best play, [deals, seats].

    If there is room in `gains`, it gets what the side of each deal will have, tricks or points,
    and UNKNOWN where there are no sides or nothing is left to play.
    """
    stack, frames, memory, _, _ = room
    for number in range(len(states)):
        stack[0] = states[number]
        if is_over(stack[0]):
            payoffs(stack[0], results[number])
            continue
        solve_ending(room, results[number])
        if len(gains):
            stack[0] = states[number]
            side = sides(stack[0])
            gains[number] = exact_gains(stack, side, 0, memory, frames) if side else UNKNOWN


@kernel
def near_their_end(states: Any, endgame: int, results: Row) -> None:
    """Write 1 for every deal that can be solved with so many tricks to play, 0 for the others."""
    for number in range(len(states)):
        results[number] = is_near_its_end(states[number], endgame)


class Endings:
    """Weighs the choices of whole deals exactly; for one thread at a time."""

    def __init__(self, game: Game, *, size: int = 1 << 18) -> None:
        self.game = game
        self._room = new_room(game, size)

    def can_solve(self, deal: Records, endgame: int) -> bool:
        """Whether a deal, [1] records, can be solved and has no more tricks to play than that."""
        found = np.zeros(1, dtype=np.int64)
        near_their_end(deal, endgame, found)
        return bool(found[0])

    def side(self, deal: Records) -> int:
        """The seats whose gains are told, as bits; 0 if every seat plays for itself."""
        found = np.zeros(1, dtype=np.int64)
        sides_all(deal, found)
        return int(found[0])

    def weigh(self, deal: Records, *, gains: bool = True) -> tuple[Records, Row]:
        """Payoffs after each choice, [MOST_CHOICES, seats], and what the side will then have.

        The latter, [MOST_CHOICES], is UNKNOWN without sides, or if it was not asked for.
        """
        self.check(deal)
        legals = np.zeros(1, dtype=np.int64)
        legal_all(deal, legals)
        choices = np.flatnonzero(int(legals[0]) >> np.arange(MOST_CHOICES) & 1)
        after = np.repeat(deal, len(choices))
        play_all(after, choices)
        results = np.zeros((len(choices), self.game.seats), dtype=np.int64)
        counted = np.full(len(choices) if gains else 0, UNKNOWN, dtype=np.int64)
        solve_deals(after, self._room, counted, results)
        payoffs_of = np.zeros((MOST_CHOICES, self.game.seats), dtype=np.int64)
        payoffs_of[choices] = results
        gains_of = np.full(MOST_CHOICES, UNKNOWN, dtype=np.int64)
        gains_of[choices] = counted if gains else UNKNOWN
        return payoffs_of, gains_of

    def check(self, deal: Records) -> None:
        """Refuse what cannot be solved."""
        name = self.game.name
        if int(deal["phase"][0]) == OVER:
            raise DealOver(f"{name}: the deal is over; there is nothing left to solve")
        if int(deal["viewer"][0]) != NOBODY:
            raise Unsolvable(f"{name}: only a whole deal can be solved, not the view of a seat")
        if not self.can_solve(deal, MOST_CHOICES):
            phase = self.game.phases[int(deal["phase"][0])]
            raise Unsolvable(f"{name}: to {phase} cannot be solved, only the play of the cards")
