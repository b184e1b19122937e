"""The exact solver: what a whole deal is worth when everybody sees all cards and errs nowhere.

It serves deals with two sides. One goal is tested at a time: can the side bring its gains to a
target, whatever the others do? Payoffs are a ladder of such goals, and exact gains are found by
halving. The answer of a test is a *bound*: at least the target if the side reaches it, else less,
and in both cases as far from the target as the search happened to see.

What was found is kept in a memory of fixed size, as bounds on what can still be added. Entries
are true of every deal of the game, whatever its house rules, so a memory is never cleared: the
worlds of a view, and the choices of a deal, share theirs.

Nothing is allocated inside a search. Its room is a `stack` with a record for each choice of a
deal, and as many `frames`; one search at a time may use them and the memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.errors import BadBudget, DealOver, Unsolvable
from overtrick.games.game import NOBODY, OVER, Choice, Game, Row, State, is_over, legal, play
from overtrick.games.solving import (
    alike,
    bounds,
    gained,
    position_key,
    rung,
    rungs,
    sides,
    to_gain,
    urge,
)
from overtrick.jit import kernel, lowest, rule
from overtrick.search.thinking import MOST_CHOICES

__all__ = [
    "FRAME",
    "MEMORY",
    "Solver",
    "bound",
    "exact_gains",
    "gains_after",
    "gains_all",
    "new_frames",
    "new_memory",
    "new_stack",
    "payoffs_after",
    "reach_all",
    "reaches",
    "sides_all",
    "solve_all",
    "solve_sides",
]

Records = np.ndarray[Any, Any]

WAYS = 2  # entries among which a position may lie
NOTHING = -1
UNBOUNDED = (1 << 15) - 1  # more than any gains
OPEN = -1  # no bound is known that settles the goal
FAVOURITE = 1 << 20  # more than any urge
LOW_BITS = (1 << 31) - 1

MEMORY = np.dtype(
    (
        np.record,
        [
            ("key", np.int64, (2,)),
            ("kind", np.int16),  # of gains; NOTHING in an empty entry
            ("least", np.int16),  # what can be added at least
            ("most", np.int16),  # and at most
            ("choice", np.int16),  # that settled the last goal
        ],
    )
)
"""What is known of one position."""

FRAME = np.dtype(
    (
        np.record,
        [
            ("key", np.int64, (2,)),
            ("place", np.int64),  # in the memory; NOTHING if the position is not kept
            ("got", np.int64),  # gains so far
            ("ours", np.int64),  # 1 if the side is to choose
            ("best", np.int64),  # for who chooses, of the bounds after the choices tried
            ("tried", np.int64),  # the last choice tried
            ("left", np.int64),  # choices still to be tried
            ("order", np.int64, (MOST_CHOICES,)),  # those choices, each below its urge
            ("goal", np.int64, (2,)),  # of the whole search, in the first frame
        ],
    )
)
"""How far the search has come with one position of the stack."""


def new_memory(size: int = 1 << 18) -> Records:
    """Room for so many positions, 24 bytes each; the size is a power of two, at least 2."""
    if size < WAYS or size & size - 1:
        raise BadBudget(f"a solver remembers a power of two of positions, 2 or more, not {size}")
    memory = np.zeros(size, dtype=MEMORY)
    memory["kind"] = NOTHING
    return memory


def new_stack(game: Game) -> Records:
    """Room for the positions between a deal and its end."""
    return np.zeros(game.longest + 1, dtype=game.state)


def new_frames(game: Game) -> Records:
    """Room for the choices that are being tried in a stack of positions."""
    return np.zeros(game.longest + 1, dtype=FRAME)


# ---------------------------------------------------------------------------- the memory


@rule
def place_of(key: Row, size: int) -> int:
    """The first of the entries among which a position may lie; no product exceeds an int64."""
    mixed = (key[0] & LOW_BITS) * 0x5BD1E995 ^ (key[0] >> 31 & LOW_BITS) * 0x2C1B3C6D
    mixed ^= (key[1] & LOW_BITS) * 0x297A2D39 ^ (key[1] >> 31 & LOW_BITS) * 0x4F2E1B57
    place: int = (mixed ^ mixed >> 31) >> 5 & size - WAYS
    return place


@rule
def find(memory: Any, frame: Any, kind: int) -> int:
    """The entry of a position, NOTHING if it has none."""
    for place in range(frame.place, frame.place + WAYS):
        entry = memory[place]
        if entry.kind == kind and entry.key[0] == frame.key[0] and entry.key[1] == frame.key[1]:
            return place
    return NOTHING


@rule
def remember(memory: Any, frame: Any, kind: int, target: int) -> None:
    """Keep what a finished frame has found; of two other positions the older one goes."""
    place = find(memory, frame, kind)
    if place == NOTHING:
        place = frame.place
        memory[place + 1] = memory[place]
        memory[place].key[0] = frame.key[0]
        memory[place].key[1] = frame.key[1]
        memory[place].kind = kind
        memory[place].least = 0
        memory[place].most = UNBOUNDED
    entry = memory[place]
    entry.choice = frame.tried
    if frame.best >= target:
        entry.least = frame.best - frame.got
    else:
        entry.most = frame.best - frame.got


# ---------------------------------------------------------------------------- one goal


@rule
def bound(stack: Any, side: int, kind: int, target: int, memory: Any, frames: Any) -> int:
    """A bound on the gains that the side can bring stack[0] to, on one side of the target.

    If it is the target or more, the side can gain that much; if it is less, no more than that.
    """
    depth = 0
    value = look(stack[0], side, kind, target, memory, frames[0])
    while value == OPEN or depth > 0:
        if value == OPEN:
            stack[depth + 1] = stack[depth]
            play(stack[depth + 1], next_choice(frames[depth]))
            depth += 1
            value = look(stack[depth], side, kind, target, memory, frames[depth])
        else:
            depth -= 1
            value = weigh(frames[depth], value, kind, target, memory)
    return value


@rule
def look(state: State, side: int, kind: int, target: int, memory: Any, frame: Any) -> int:
    """A bound that settles the goal if one is known at sight, else OPEN and the frame is set."""
    got = gained(state, kind)
    if got >= target or is_over(state):
        return got
    most = got + to_gain(state, kind)
    if most < target:
        return most
    frame.got = got
    frame.place = NOTHING
    favourite = NOTHING
    if position_key(state, kind, frame.key):
        frame.place = place_of(frame.key, len(memory))
        known = find(memory, frame, kind)
        if known != NOTHING:
            entry = memory[known]
            least, most = got + int(entry.least), got + int(entry.most)
            if least >= target:
                return least
            if most < target:
                return most
            favourite = entry.choice
        sure, possible = bounds(state, kind)
        if got + sure >= target:
            return got + sure
        if got + possible < target:
            return got + possible
    frame.ours = side >> state.seat & 1
    frame.best = 0 if frame.ours else UNBOUNDED
    list_choices(state, favourite, frame)
    return OPEN


@rule
def list_choices(state: State, favourite: Choice, frame: Any) -> None:
    """Write the choices worth trying, each below its urge."""
    choices = alike(state, legal(state))
    frame.left = 0
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        urged = FAVOURITE if choice == favourite else urge(state, choice)
        frame.order[frame.left] = urged << 6 | choice
        frame.left += 1


@rule
def next_choice(frame: Any) -> Choice:
    """Take the most urgent of the choices left."""
    best = 0
    for number in range(1, frame.left):
        if frame.order[number] > frame.order[best]:
            best = number
    choice: Choice = frame.order[best] & MOST_CHOICES - 1
    frame.left -= 1
    frame.order[best] = frame.order[frame.left]
    frame.tried = choice
    return choice


@rule
def weigh(frame: Any, value: int, kind: int, target: int, memory: Any) -> int:
    """Enter the bound after a choice; the bound of the position once that is settled, else OPEN."""
    best: int = max(frame.best, value) if frame.ours else min(frame.best, value)
    frame.best = best
    if frame.left and (value >= target) != (frame.ours == 1):
        return OPEN
    if frame.place != NOTHING:
        remember(memory, frame, kind, target)
    return best


# ---------------------------------------------------------------------------- one deal


@rule
def reaches(stack: Any, side: int, kind: int, target: int, memory: Any, frames: Any) -> bool:
    """Whether the side can bring its gains of a kind to the target from stack[0]."""
    return bound(stack, side, kind, target, memory, frames) >= target


@rule
def exact_gains(stack: Any, side: int, kind: int, memory: Any, frames: Any) -> int:
    """What the side will have gained of a kind in the end, from stack[0] under best play."""
    least = gained(stack[0], kind)
    most = least if is_over(stack[0]) else least + to_gain(stack[0], kind)
    while least < most:
        target = least + most + 1 >> 1
        value = bound(stack, side, kind, target, memory, frames)
        if value >= target:
            least = value
        else:
            most = value
    return least


@rule
def solve_sides(stack: Any, side: int, memory: Any, frames: Any, won: Row) -> None:
    """Write each seat's payoff of stack[0], a deal with two sides, under best play."""
    goal = frames[0].goal
    below, above = 0, rungs(stack[0])
    while above - below > 1:
        middle = below + above >> 1
        rung(stack[0], middle, goal, won)
        if reaches(stack, side, goal[0], goal[1], memory, frames):
            below = middle
        else:
            above = middle
    rung(stack[0], below, goal, won)


# ---------------------------------------------------------------------------- many deals


@kernel
def sides_all(states: Any, results: Row) -> None:
    """Write the seats of one of the two sides of every deal, 0 where there are none."""
    for number in range(len(states)):
        results[number] = sides(states[number])


@kernel
def solve_all(states: Any, stack: Any, memory: Any, frames: Any, results: Any) -> None:
    """Write the payoffs of every deal under best play, [deals, seats]."""
    for number in range(len(states)):
        stack[0] = states[number]
        solve_sides(stack, sides(states[number]), memory, frames, results[number])


@kernel
def gains_all(states: Any, kind: int, stack: Any, memory: Any, frames: Any, results: Row) -> None:
    """Write what the side of every deal will have gained of a kind under best play."""
    for number in range(len(states)):
        stack[0] = states[number]
        results[number] = exact_gains(stack, sides(states[number]), kind, memory, frames)


@kernel
def reach_all(
    states: Any, kind: int, target: int, stack: Any, memory: Any, frames: Any, results: Row
) -> None:
    """Write for every deal whether its side can bring its gains of a kind to the target, 1 or 0."""
    for number in range(len(states)):
        stack[0] = states[number]
        side = sides(states[number])
        results[number] = reaches(stack, side, kind, target, memory, frames)


@kernel
def payoffs_after(states: Any, stack: Any, memory: Any, frames: Any, results: Any) -> None:
    """Write the payoffs after each legal choice in states[0], [MOST_CHOICES, seats]."""
    side, choices = sides(states[0]), legal(states[0])
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        stack[0] = states[0]
        play(stack[0], choice)
        solve_sides(stack, side, memory, frames, results[choice])


@kernel
def gains_after(states: Any, kind: int, stack: Any, memory: Any, frames: Any, results: Row) -> None:
    """Write the side's gains of a kind after each legal choice in states[0], [MOST_CHOICES]."""
    side, choices = sides(states[0]), legal(states[0])
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        stack[0] = states[0]
        play(stack[0], choice)
        results[choice] = exact_gains(stack, side, kind, memory, frames)


# ---------------------------------------------------------------------------- for callers


class Solver:
    """The exact solver of one game, with room and memory of its own; for one thread at a time.

    Deals are given as records, as `Deal.records` has them. Payoffs are as the game counts them,
    before they are turned into points.
    """

    def __init__(self, game: Game, *, size: int = 1 << 18) -> None:
        self.game = game
        self.memory = new_memory(size)
        self._stack = new_stack(game)
        self._frames = new_frames(game)

    def payoffs(self, deals: Records) -> Records:
        """The payoffs of every deal under best play, [deals, seats]."""
        self._check(deals)
        results = np.zeros((len(deals), self.game.seats), dtype=np.int64)
        solve_all(deals, self._stack, self.memory, self._frames, results)
        return results

    def choices(self, deal: Records) -> Records:
        """The payoffs after each choice in one deal, [MOST_CHOICES, seats]; 0 if not legal."""
        self._check(deal, one=True)
        results = np.zeros((MOST_CHOICES, self.game.seats), dtype=np.int64)
        payoffs_after(deal, self._stack, self.memory, self._frames, results)
        return results

    def gains(self, deal: Records) -> Row:
        """What the side will have after each choice in one deal, [MOST_CHOICES]; -1 if not legal.

        Tricks or card points, as the game says (`gained`, kind 0), under best play from there.
        """
        self._check(deal, one=True)
        results = np.full(MOST_CHOICES, NOTHING, dtype=np.int64)
        gains_after(deal, 0, self._stack, self.memory, self._frames, results)
        return results

    def side(self, deal: Records) -> int:
        """The seats whose gains `gains` tells, as bits."""
        return int(self._check(deal, one=True)[0])

    def _check(self, deals: Records, *, one: bool = False) -> Row:
        """Refuse what cannot be solved; the seats of one side of every deal."""
        name = self.game.name
        if deals.dtype != self.game.state:
            raise Unsolvable(f"{name}: the solver expects records of its own game")
        if one and len(deals) != 1:
            raise BadBudget(f"{name}: one deal was expected, not {len(deals)}")
        if np.any(deals["phase"] == OVER):
            raise DealOver(f"{name}: the deal is over; there is nothing left to solve")
        if np.any(deals["viewer"] != NOBODY):
            raise Unsolvable(f"{name}: only a whole deal can be solved, not the view of a seat")
        found = np.zeros(len(deals), dtype=np.int64)
        sides_all(deals, found)
        if not found.all():
            phase = self.game.phases[int(deals["phase"][int(np.argmin(found != 0))])]
            raise Unsolvable(f"{name}: in the phase {phase} the deal has no two sides to solve for")
        return found
