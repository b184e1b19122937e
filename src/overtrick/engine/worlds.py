"""Worlds: whole deals that a view cannot rule out, drawn evenly.

A game tells where its unseen cards may lie: places with room for so many cards out of such a set
(`places`). Cards that the same places may hold form a class. The sampler walks through the
classes, and through the places of each class, and at every *stage* decides how many cards of that
class go to that place. What remains to be decided depends only on the room left, so the ways to
go on are counted once per view, from the end, over the few states that can be reached; then any
number of worlds is drawn by walking from the start, each step in proportion to the ways behind
it, with the cards of each step drawn at random. Nothing is ever rejected.

    stage      (class, place)           state      room left in every place, packed into one int64
    edge       how many cards of the class go to the place, and the state that follows
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from overtrick.errors import NoWorldFound
from overtrick.games.game import MAX_CASES, MAX_PLACES, Row, State, draw_cards, places, settle
from overtrick.jit import draw_bits, kernel, popcount, rule

__all__ = ["PUZZLE", "check_ways", "count_worlds", "draw_worlds", "new_puzzle", "sample_worlds"]

MAX_STAGES = 1 << 12
MAX_STAGES_OF_A_CASE = 64 * MAX_PLACES  # no more than 64 classes, each in every place
MAX_STATES = 1 << 15
MAX_EDGES = 1 << 17
SLOTS = 1 << 12
ROOM_BITS = 6  # a place has room for at most 63 cards
ROOM = (1 << ROOM_BITS) - 1
TOO_LARGE = -1.0

PUZZLE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # filled in by the game: see the contract's Places
                ("cases", np.int64),
                ("count", np.int64),
                ("weight", np.int64, (MAX_CASES,)),
                ("room", np.int64, (MAX_CASES, MAX_PLACES)),
                ("allowed", np.int64, (MAX_CASES, MAX_PLACES)),
                # the cases: their root states and the ways up to and including each
                ("root", np.int64, (MAX_CASES,)),
                ("ways_up_to", np.float64, (MAX_CASES,)),
                ("first_stage", np.int64, (MAX_CASES + 1,)),
                # the stages of all cases, one case after the other
                ("stages", np.int64),
                ("stage_cards", np.int64, (MAX_STAGES,)),
                ("stage_place", np.int64, (MAX_STAGES,)),
                ("stage_opens", np.int64, (MAX_STAGES,)),  # first stage of its class
                ("stage_closes", np.int64, (MAX_STAGES,)),  # last stage of its class
                ("stage_fills", np.int64, (MAX_STAGES,)),  # last stage of its place
                # states and edges of all stages
                ("states", np.int64),
                ("edges", np.int64),
                ("state_room", np.int64, (MAX_STATES,)),
                ("state_cards", np.int64, (MAX_STATES,)),  # cards of the class still to place
                ("state_ways", np.float64, (MAX_STATES,)),
                ("state_edge", np.int64, (MAX_STATES + 1,)),
                ("edge_cards", np.int64, (MAX_EDGES,)),
                ("edge_state", np.int64, (MAX_EDGES,)),
                ("edge_ways", np.float64, (MAX_EDGES,)),
                # states of the next stage by their room
                ("slot_state", np.int64, (SLOTS,)),
            ]
        ),
    )
)

WAYS_TO_CHOOSE = np.array([[comb(n, k) for k in range(64)] for n in range(64)], dtype=np.float64)


def new_puzzle() -> np.ndarray[Any, Any]:
    """Room for the sampler to work in: one for each thread, good for any number of views."""
    puzzle = np.zeros(1, dtype=PUZZLE)
    puzzle["slot_state"] = -1
    return puzzle


# ---------------------------------------------------------------------------- stages


@rule
def lay_out_stages(puzzle: Any, case: int) -> None:
    """Sort the unseen cards of a case into classes, and append their stages.

    Classes with few places come first: what they leave over is then spread over states that
    are few, and the class that may lie anywhere just fills what is left.
    """
    classes = np.zeros(64, dtype=np.int64)
    wide = np.zeros(64, dtype=np.int64)
    count = sort_into_classes(puzzle, case, classes, wide)
    begin = puzzle.stages
    for width in range(1, puzzle.count + 1):
        for number in range(count):
            if wide[number] == width:
                append_class(puzzle, case, classes[number])
    for stage in range(begin, puzzle.stages):
        puzzle.stage_fills[stage] = 1
        for later in range(stage + 1, puzzle.stages):
            if puzzle.stage_place[later] == puzzle.stage_place[stage]:
                puzzle.stage_fills[stage] = 0


@rule
def sort_into_classes(puzzle: Any, case: int, classes: Row, wide: Row) -> int:
    """Write the classes of a case and the number of places of each; how many there are."""
    unseen = 0
    for place in range(puzzle.count):
        unseen |= puzzle.allowed[case, place]
    classes[0] = unseen
    count = 1 if unseen else 0
    for place in range(puzzle.count):
        allowed = puzzle.allowed[case, place]
        for number in range(count):
            inside = classes[number] & allowed
            outside = classes[number] & ~allowed
            if inside and outside:
                classes[count] = outside
                wide[count] = wide[number]
                classes[number] = inside
                wide[number] += 1
                count += 1
            elif inside:
                wide[number] += 1
    return count


@rule
def append_class(puzzle: Any, case: int, cards: int) -> None:
    first = puzzle.stages
    for place in range(puzzle.count):
        if puzzle.allowed[case, place] & cards:
            stage = puzzle.stages
            puzzle.stage_cards[stage] = cards
            puzzle.stage_place[stage] = place
            puzzle.stage_opens[stage] = stage == first
            puzzle.stage_closes[stage] = 0
            puzzle.stages += 1
    puzzle.stage_closes[puzzle.stages - 1] = 1


# ---------------------------------------------------------------------------- states and edges


@rule
def count_case(puzzle: Any, case: int) -> float:
    """Lay out a case's states and edges; the ways to fill its places, TOO_LARGE beyond limits."""
    begin, end = puzzle.first_stage[case], puzzle.stages
    start = 0
    total = 0
    for place in range(puzzle.count):
        room = puzzle.room[case, place]
        if room < 0 or room > ROOM:
            return 0.0
        start |= room << ROOM_BITS * place
        total += room
    unseen = 0
    for stage in range(begin, end):
        unseen |= puzzle.stage_cards[stage]
    if popcount(unseen) != total:
        return 0.0
    root = puzzle.states
    puzzle.root[case] = root
    if root + 1 >= MAX_STATES:
        return TOO_LARGE
    puzzle.state_room[root] = start
    puzzle.state_cards[root] = popcount(puzzle.stage_cards[begin]) if begin < end else 0
    puzzle.states += 1
    first, last = root, root + 1
    for stage in range(begin, end):
        if not add_stage(puzzle, stage, end, first, last):
            return TOO_LARGE
        first, last = last, puzzle.states
    return count_ways(puzzle, root, first, last)


@rule
def add_stage(puzzle: Any, stage: int, end: int, first: int, last: int) -> bool:
    """Append the edges out of a stage's states, and the states they lead to."""
    place = puzzle.stage_place[stage]
    closes = puzzle.stage_closes[stage]
    following = popcount(puzzle.stage_cards[stage + 1]) if closes and stage + 1 < end else 0
    next_first = puzzle.states
    fits = True
    for state in range(first, last):
        puzzle.state_edge[state] = puzzle.edges
        rooms = puzzle.state_room[state]
        cards = puzzle.state_cards[state]
        room = rooms >> ROOM_BITS * place & ROOM
        least, most = 0, min(cards, room)
        if closes:
            least = cards
        if puzzle.stage_fills[stage]:
            least = max(least, room)
        for taken in range(least, most + 1):
            left = following if closes else cards - taken
            target = find_state(puzzle, rooms - (taken << ROOM_BITS * place), left)
            if target < 0 or puzzle.edges >= MAX_EDGES:
                fits = False
                break
            puzzle.edge_cards[puzzle.edges] = taken
            puzzle.edge_state[puzzle.edges] = target
            puzzle.edge_ways[puzzle.edges] = WAYS_TO_CHOOSE[cards, taken]
            puzzle.edges += 1
        if not fits:
            break
    for state in range(next_first, puzzle.states):
        forget_state(puzzle, puzzle.state_room[state])
    puzzle.state_edge[next_first] = puzzle.edges
    return fits


@rule
def slot_of(rooms: int) -> int:
    return (rooms ^ rooms >> 7 ^ rooms >> 15 ^ rooms >> 22 ^ rooms >> 33) & SLOTS - 1


@rule
def find_state(puzzle: Any, rooms: int, cards: int) -> int:
    """The state of the next stage with these rooms, appended if new; -1 when there is no room.

    The cards still to place follow from the rooms, so they need not be compared.
    """
    slot = slot_of(rooms)
    for _ in range(SLOTS):
        state = puzzle.slot_state[slot]
        if state < 0:
            break
        if puzzle.state_room[state] == rooms:
            return state
        slot = slot + 1 & SLOTS - 1
    if puzzle.slot_state[slot] >= 0 or puzzle.states + 1 >= MAX_STATES:
        return -1
    state = puzzle.states
    puzzle.slot_state[slot] = state
    puzzle.state_room[state] = rooms
    puzzle.state_cards[state] = cards
    puzzle.states += 1
    return state


@rule
def forget_state(puzzle: Any, rooms: int) -> None:
    """Free the slots of a state's chain, so that the next stage finds them empty."""
    slot = slot_of(rooms)
    while puzzle.slot_state[slot] >= 0:
        puzzle.slot_state[slot] = -1
        slot = slot + 1 & SLOTS - 1


@rule
def count_ways(puzzle: Any, root: int, final: int, end: int) -> float:
    """Count, from the end, the ways behind every state; those behind the root."""
    for state in range(final, end):
        puzzle.state_ways[state] = 1.0 if puzzle.state_room[state] == 0 else 0.0
    for state in range(final - 1, root - 1, -1):
        ways = 0.0
        for edge in range(puzzle.state_edge[state], puzzle.state_edge[state + 1]):
            behind = puzzle.edge_ways[edge] * puzzle.state_ways[puzzle.edge_state[edge]]
            puzzle.edge_ways[edge] = behind
            ways += behind
        puzzle.state_ways[state] = ways
    return puzzle.state_ways[root]


@rule
def count_all(view: State, puzzle: Any) -> float:
    """Prepare the drawing of worlds; how many pairs (arrangement, history) there are."""
    places(view, puzzle)
    puzzle.stages = 0
    puzzle.states = 0
    puzzle.edges = 0
    ways = 0.0
    for case in range(puzzle.cases):
        puzzle.first_stage[case] = puzzle.stages
        lay_out_stages(puzzle, case)
        puzzle.first_stage[case + 1] = puzzle.stages
        found = count_case(puzzle, case)
        if found == TOO_LARGE or puzzle.stages > MAX_STAGES - MAX_STAGES_OF_A_CASE:
            return TOO_LARGE
        ways += found * puzzle.weight[case]
        puzzle.ways_up_to[case] = ways
    return ways


# ---------------------------------------------------------------------------- drawing


@rule
def uniform(stream: Row) -> float:
    """A random number in [0, 1)."""
    return (draw_bits(stream) >> 11 & (1 << 53) - 1) * (1.0 / (1 << 53))


@rule
def draw_case(puzzle: Any, stream: Row) -> int:
    case = 0
    if puzzle.cases > 1:
        chosen = uniform(stream) * puzzle.ways_up_to[puzzle.cases - 1]
        while case + 1 < puzzle.cases and puzzle.ways_up_to[case] <= chosen:
            case += 1
    return case


@rule
def draw_places(puzzle: Any, found: Row, stream: Row) -> None:
    """Draw the cards of every place."""
    fill_places(puzzle, draw_case(puzzle, stream), found, stream)


@rule
def fill_places(puzzle: Any, case: int, found: Row, stream: Row) -> None:
    """Draw the cards of every place in one case."""
    for place in range(puzzle.count):
        found[place] = 0
    state = puzzle.root[case]
    rest = 0
    for stage in range(puzzle.first_stage[case], puzzle.first_stage[case + 1]):
        if puzzle.stage_opens[stage]:
            rest = puzzle.stage_cards[stage]
        edge = draw_edge(puzzle, state, stream)
        taken = draw_cards(rest, puzzle.edge_cards[edge], stream)
        rest ^= taken
        found[puzzle.stage_place[stage]] |= taken
        state = puzzle.edge_state[edge]


@rule
def draw_edge(puzzle: Any, state: int, stream: Row) -> int:
    """An edge out of a state, in proportion to the ways behind it."""
    edge = puzzle.state_edge[state]
    last = puzzle.state_edge[state + 1] - 1
    if edge == last:
        return edge
    chosen = uniform(stream) * puzzle.state_ways[state]
    while edge < last:
        chosen -= puzzle.edge_ways[edge]
        if chosen < 0.0:
            return edge
        edge += 1
    while puzzle.edge_ways[edge] == 0.0:  # rounding alone leads past the last way
        edge -= 1
    return edge


@kernel
def draw_worlds(views: Any, puzzles: Any, stream: Row, worlds: Any) -> float:
    """Fill `worlds` with deals that views[0] cannot rule out; how many there are.

    Nothing is drawn when there are none (0) or too many states to count (TOO_LARGE).
    """
    puzzle = puzzles[0]
    ways = count_all(views[0], puzzle)
    if ways > 0.0:
        found = np.empty(MAX_PLACES, dtype=np.int64)
        for number in range(len(worlds)):
            worlds[number] = views[0]
            draw_places(puzzle, found, stream)
            settle(worlds[number], found, stream)
    return ways


def sample_worlds(
    view: np.ndarray[Any, Any], count: int, stream: Row, puzzle: np.ndarray[Any, Any] | None = None
) -> np.ndarray[Any, Any]:
    """`count` worlds of a view, given as an array of one record."""
    worlds = np.empty(count, dtype=view.dtype)
    check_ways(draw_worlds(view, new_puzzle() if puzzle is None else puzzle, stream, worlds))
    return worlds


def count_worlds(view: np.ndarray[Any, Any]) -> float:
    """How many arrangements of the unseen cards a view leaves, hidden choices not counted."""
    none = np.empty(0, dtype=view.dtype)
    return check_ways(draw_worlds(view, new_puzzle(), np.ones(2, dtype=np.int64), none))


def check_ways(ways: float) -> float:
    """The number of worlds of a view; an error if there are none."""
    if ways <= 0.0:
        if ways == 0.0:
            raise NoWorldFound("no deal explains this view")
        raise NoWorldFound("the worlds of this view are too many cases to count")
    return float(ways)
