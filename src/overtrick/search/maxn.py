"""max^n: what a whole deal is worth when every seat sees all cards and plays for itself alone.

Each seat makes the choice that pays it most; of choices that pay it equally, the lowest. That
fixes one value of every position, whatever is remembered and whichever choices are alike: choices
are tried from the lowest up, and a later one counts only if it pays more.

A game that has rungs but no sides tells of every seat what it is sure to be paid (`gained`, the
kind being the seat) and how much more it can get at most (`to_gain`). A deal in which nobody can
get more is decided; a seat that has found the most it can get looks no further, nor does it look
at a choice after which it cannot get more than it has found. Payoffs are remembered less what was
gained, so that positions with equal keys may have different pasts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.games.game import Game, Row, Seat, State, is_over, legal, payoffs, play
from overtrick.games.solving import alike, gained, position_key, rungs, to_gain
from overtrick.jit import kernel, lowest, rule

__all__ = [
    "new_memory",
    "new_nodes",
    "solve_choices",
    "solve_choices_all",
    "solve_each",
    "solve_each_all",
]

Records = np.ndarray[Any, Any]

UNBOUNDED = 1 << 40
NOWHERE = -1  # the slot of a position that is not remembered

LOW_31 = (1 << 31) - 1
MIX = (0x3C6EF373, 0x2545F491, 0x1B873593, 0x27D4EB2F)


def _records(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    return np.dtype((np.record, np.dtype([*fields])))


def new_memory(game: Game, size: int = 1 << 16) -> Records:
    """Room for the payoffs of so many positions, a power of two."""
    entry = _records(
        ("known", np.int64),  # 0 if nothing has been written here
        ("key", np.int64, (2,)),
        ("more", np.int64, (game.seats,)),  # payoffs less what was gained
    )
    return np.zeros(size, dtype=entry)


def new_nodes(game: Game) -> Records:
    """Room for the search: one node for each choice of a deal, and one for its end."""
    node = _records(
        ("won", np.int64, (game.seats,)),  # payoffs after the best choice so far
        ("best", np.int64),  # that of the seat to act
        ("most", np.int64),  # that it can get
        ("choices", np.int64),  # not tried yet
        ("key", np.int64, (2,)),
        ("slot", np.int64),  # where in the memory, or NOWHERE
    )
    return np.zeros(game.longest + 1, dtype=node)


# ---------------------------------------------------------------------------- the search


@rule
def search_each(stack: Any, first: int, nodes: Any, memory: Any) -> None:
    """Write the payoffs of stack[first] under best play to nodes[first]."""
    depth = first
    enter(stack[depth], nodes[depth], memory)
    while True:
        state, node = stack[depth], nodes[depth]
        if node.choices:
            choice = lowest(node.choices)
            node.choices &= node.choices - 1
            stack[depth + 1] = state
            play(stack[depth + 1], choice)
            if most_for(stack[depth + 1], state.seat) > node.best:
                depth += 1
                enter(stack[depth], nodes[depth], memory)
            continue
        if node.slot != NOWHERE:
            remember(state, node, memory[node.slot])
        if depth == first:
            return
        depth -= 1
        weigh(stack[depth].seat, nodes[depth], nodes[depth + 1])


@rule
def enter(state: State, node: Any, memory: Any) -> None:
    """Begin with a position: all choices are to be tried, none if its payoffs are known."""
    node.choices = 0
    node.slot = NOWHERE
    if is_over(state):
        payoffs(state, node.won)
        return
    if is_decided(state, node.won):
        return
    if position_key(state, -1, node.key):
        slot = slot_of(node.key, len(memory))
        if is_remembered(state, node, memory[slot]):
            return
        node.slot = slot
    node.best = -UNBOUNDED
    node.most = most_for(state, state.seat)
    node.choices = alike(state, legal(state))


@rule
def weigh(seat: Seat, node: Any, after: Any) -> None:
    """Take over what follows a choice if it pays the seat to act more than those before it."""
    if after.won[seat] > node.best:
        node.best = after.won[seat]
        for each in range(len(node.won)):
            node.won[each] = after.won[each]
        if node.best >= node.most:
            node.choices = 0


@rule
def most_for(state: State, seat: Seat) -> int:
    """The most that a seat can be paid, as far as the game tells."""
    return gained(state, seat) + to_gain(state, seat) if rungs(state) else UNBOUNDED


@rule
def is_decided(state: State, won: Row) -> bool:
    """Whether nobody can get more than he has gained; then that is written to `won`."""
    if rungs(state) == 0:
        return False
    for seat in range(len(won)):
        if to_gain(state, seat):
            return False
    for seat in range(len(won)):
        won[seat] = gained(state, seat)
    return True


# ---------------------------------------------------------------------------- the memory


@rule
def slot_of(key: Row, size: int) -> int:
    """Where a position is remembered; products stay below 2**62."""
    mixed: int = (key[0] & LOW_31) * MIX[0] ^ (key[0] >> 31 & LOW_31) * MIX[1]
    mixed ^= (key[1] & LOW_31) * MIX[2] ^ (key[1] >> 31 & LOW_31) * MIX[3]
    return (mixed >> 29 ^ mixed) & size - 1


@rule
def is_remembered(state: State, node: Any, entry: Any) -> bool:
    """Whether the payoffs of a position are known; then they are written to its node."""
    if not entry.known or entry.key[0] != node.key[0] or entry.key[1] != node.key[1]:
        return False
    for seat in range(len(node.won)):
        node.won[seat] = entry.more[seat] + gained(state, seat)
    return True


@rule
def remember(state: State, node: Any, entry: Any) -> None:
    """Write the payoffs of a position over whatever was there."""
    entry.known = 1
    entry.key[0] = node.key[0]
    entry.key[1] = node.key[1]
    for seat in range(len(node.won)):
        entry.more[seat] = node.won[seat] - gained(state, seat)


# ---------------------------------------------------------------------------- solving


@rule
def solve_each(stack: Any, nodes: Any, memory: Any, won: Row) -> None:
    """Write the payoffs of stack[0], a whole deal, when every seat plays its best for itself.

    `stack` has room for a record a choice and one more; `nodes` and `memory` are made by
    `new_nodes` and `new_memory`, and may have served other deals of the game.
    """
    search_each(stack, 0, nodes, memory)
    for seat in range(len(nodes[0].won)):
        won[seat] = nodes[0].won[seat]


@rule
def solve_choices(stack: Any, nodes: Any, memory: Any, results: Any) -> None:
    """Write the payoffs of stack[0] after each legal choice, [64, seats]; other rows stay."""
    choices = legal(stack[0])
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        stack[1] = stack[0]
        play(stack[1], choice)
        search_each(stack, 1, nodes, memory)
        for seat in range(len(nodes[1].won)):
            results[choice, seat] = nodes[1].won[seat]


@kernel
def solve_each_all(states: Any, stack: Any, nodes: Any, memory: Any, results: Any) -> None:
    """Write the payoffs of every whole deal, [states, seats]."""
    for number in range(len(states)):
        stack[0] = states[number]
        solve_each(stack, nodes, memory, results[number])


@kernel
def solve_choices_all(states: Any, stack: Any, nodes: Any, memory: Any, results: Any) -> None:
    """Write the payoffs of every whole deal after each legal choice, [states, 64, seats]."""
    for number in range(len(states)):
        stack[0] = states[number]
        solve_choices(stack, nodes, memory, results[number])
