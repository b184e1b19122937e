"""Tree search over what seats know: positions that a seat cannot tell apart share one node.

A simulation draws one of the worlds, plays its way down and on to an end. Whose eyes decide what
is one node is the choice between three kinds of search:

    MANY   every seat looks with its own eyes: a node is a view of the seat to act. No seat's
           choices can depend on cards that it does not see.
    ONE    all nodes are views of the seat that searches. The others' choices are then the same
           in all worlds in which they are legal, and they learn faster. A choice that the seat
           will not see, such as a card passed or buried, is made at random: all of them lead on
           by one unseen edge.
    OWN    nodes are views of the seat that searches when it is to act, and of nobody else. The
           others choose by the level of the playouts, in the tree as below it: the search finds
           the best answer to them.

A node is found by the hash of the view, history and all, so no two lines of play meet by
mistake. Its edges are the choices made there so far. A choice not yet tried goes first, at
random; then the seat to act goes by its own mean payoff, with

    mean + explore * spread * sqrt(log(times available) / visits)

An edge was available whenever its node was passed in a world where it is legal. The spread is the
standard deviation of the first payoffs met in the tree.

In all worlds of a view its seat holds the same cards, so the others, with eyes of their own or
not, learn to play against just these. *Doubts* repair that: deals that the others cannot rule
out. A doubt is simulated before each simulation that counts; from it all seats learn, while in
the worlds only the seat that searches does, and the others choose as they have learned.

There is a fixed number of trees, each with its own chance, whatever the threads; a thread takes
whole trees, and what they found is added up in their order.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

import numpy as np

from overtrick.engine.batches import legal_all
from overtrick.engine.playouts import RANDOM, choose_by
from overtrick.engine.views import hide_all
from overtrick.engine.worlds import new_puzzle, sample_worlds
from overtrick.games.game import (
    HIDDEN,
    Game,
    Row,
    Seat,
    State,
    choice_of,
    hide,
    is_over,
    legal,
    payoffs,
    play,
)
from overtrick.jit import below, digest, fork, kernel, lowest, nth, popcount, rule
from overtrick.search.leaves import Evaluator, leaf_room, leaf_value
from overtrick.search.sharing import share_out
from overtrick.search.tables import (
    FIRST_VISITS,
    count_choice,
    is_settled,
    new_counts,
    spread,
    table_of,
)
from overtrick.search.thinking import Table

__all__ = ["EDGE", "EXPLORE", "MANY", "NODE", "ONE", "OWN", "ROOM", "TREES", "Ismcts", "doubts_of"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]

MANY, ONE, OWN = range(3)  # whose eyes
TREES = 8
EXPLORE = 1.5
ROOM = 1 << 17  # nodes of one tree
LEAST_ROOM = 1 << 10  # enough for the choices of the root, whatever happens below
EDGES_A_NODE = 3  # on average
NONE = -1
EVERYBODY = -1  # all seats, as bits

NODE = np.dtype(
    (
        np.record,
        np.dtype([("key", np.int64), ("edge", np.int64)]),
    )
)
EDGE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("worth", np.float64),  # sum of values to the seat that chose it
                ("visits", np.int32),
                ("available", np.int32),
                ("choice", np.int64),  # HIDDEN for all that are unseen
                ("next", np.int64),  # the next edge of the same node, NONE after the last
            ]
        ),
    )
)
# of a tree: nodes and edges in use; simulations, sums of the first values to the root seat, and
# their spread
NODES, EDGES, VISITED, SUM, SUM_OF_SQUARES, SPREAD = range(6)


# ---------------------------------------------------------------------------- nodes and edges


@rule
def find_node(nodes: Any, slots: Row, key: int) -> int:
    """The slot of a node: it holds the node's number and 1, or 0 if the node is new."""
    slot = key & len(slots) - 1
    while slots[slot] != 0 and nodes[slots[slot] - 1].key != key:
        slot = slot + 1 & len(slots) - 1
    return slot


@rule
def add_node(nodes: Any, slots: Row, slot: int, key: int, tree: Floats) -> None:
    """Put a new node into its slot, if there is room."""
    node = int(tree[NODES])
    if node < len(nodes):
        nodes[node].key = key
        nodes[node].edge = NONE
        slots[slot] = node + 1
        tree[NODES] = node + 1.0


@rule
def add_edge(nodes: Any, edges: Any, node: int, choice: int, tree: Floats) -> int:
    """Put a new edge before the others of its node; NONE if there is no room."""
    edge = int(tree[EDGES])
    if edge == len(edges):
        return NONE
    edges[edge].worth = 0.0
    edges[edge].visits = 0
    edges[edge].available = 1
    edges[edge].choice = choice
    edges[edge].next = nodes[node].edge
    nodes[node].edge = edge
    tree[EDGES] = edge + 1.0
    return edge


@rule
def best_edge(nodes: Any, edges: Any, node: int, choices: int, step: float) -> int:
    """The edge to take; NONE if a choice has no edge yet. All legal ones count as available."""
    best = NONE
    most = -np.inf
    tried = 0
    edge = nodes[node].edge
    while edge != NONE:
        if choices >> edges[edge].choice & 1:
            tried |= 1 << edges[edge].choice
            edges[edge].available += 1
            visits = edges[edge].visits
            bonus = sqrt(log(float(edges[edge].available)) / visits)
            urge = edges[edge].worth / visits + step * bonus
            if urge > most:
                most = urge
                best = edge
        edge = edges[edge].next
    return best if tried == choices else NONE


@rule
def drawn_edge(nodes: Any, edges: Any, node: int, choices: int, stream: Row) -> int:
    """A legal edge, in proportion to the visits so far; NONE if there is none."""
    visits = 0
    edge: int = nodes[node].edge
    while edge != NONE:
        if choices >> edges[edge].choice & 1:
            visits += edges[edge].visits
        edge = edges[edge].next
    if visits == 0:
        return NONE
    left = below(stream, visits)
    edge = nodes[node].edge
    while True:
        if choices >> edges[edge].choice & 1:
            left -= edges[edge].visits
            if left < 0:
                return edge
        edge = edges[edge].next


@rule
def untried(nodes: Any, edges: Any, node: int, choices: int) -> int:
    """The choices that have no edge yet."""
    edge = nodes[node].edge
    while edge != NONE:
        choices &= ~(1 << edges[edge].choice)
        edge = edges[edge].next
    return choices


@rule
def unseen_edge(nodes: Any, edges: Any, node: int, tree: Floats) -> int:
    """The one edge of a node whose choices are all unseen."""
    edge: int = nodes[node].edge
    if edge == NONE:
        return add_edge(nodes, edges, node, HIDDEN, tree)
    edges[edge].available += 1
    return edge


# ---------------------------------------------------------------------------- the way down


@rule
def look(state: State, seat: Seat, sight: Any, words: Row) -> int:
    """The key of a seat's view. `sight` is one record, `words` the same memory as int64."""
    sight[0] = state
    hide(sight[0], seat)
    return digest(words)


@rule
def is_unseen(state: State, choice: int, seat: Seat, sight: Any) -> bool:
    """Whether a seat will not see this choice of the seat to act."""
    if state.seat == seat:
        return False
    turn = state.turn
    sight[0] = state
    play(sight[0], choice)
    hide(sight[0], seat)
    return choice_of(sight[0].history[turn]) == HIDDEN


@rule
def descend(
    state: State,
    nodes: Any,
    edges: Any,
    slots: Row,
    tree: Floats,
    explore: float,
    eyes: int,
    learners: int,
    level: int,
    sight: Any,
    words: Row,
    path: Row,
    seats: Row,
    stream: Row,
) -> int:
    """Play the way down to a node that is new, and add it; how many choices that were.

    Writes the edges that are to learn from the result, NONE for the others, and who chose. Seats
    that are not `learners` choose as often as they have chosen so far, and add nothing.
    """
    root = state.seat
    step = explore * tree[SPREAD]
    depth = 0
    while not is_over(state):
        choices = legal(state)
        seats[depth] = state.seat
        if eyes != ONE and depth > 0 and popcount(choices) == 1:
            path[depth] = NONE
            play(state, lowest(choices))
            depth += 1
            continue
        if eyes == OWN and state.seat != root:
            path[depth] = NONE
            play(state, choose_by(state, level, stream))
            depth += 1
            continue
        key = look(state, root if eyes == ONE else state.seat, sight, words)
        slot = find_node(nodes, slots, key)
        if learners >> state.seat & 1 == 0:
            edge = NONE
            if slots[slot] != 0:
                edge = drawn_edge(nodes, edges, slots[slot] - 1, choices, stream)
            if edge == NONE:
                return depth
            path[depth] = NONE
            depth += 1
            play(state, edges[edge].choice)
            continue
        if slots[slot] == 0:
            add_node(nodes, slots, slot, key, tree)
            if depth > 0 or slots[slot] == 0:
                return depth
        node = slots[slot] - 1
        if eyes == ONE and is_unseen(state, lowest(choices), root, sight):
            edge = unseen_edge(nodes, edges, node, tree)
            choice = nth(choices, below(stream, popcount(choices)))
        else:
            edge = best_edge(nodes, edges, node, choices, step)
            if edge == NONE:
                new = untried(nodes, edges, node, choices)
                choice = nth(new, below(stream, popcount(new)))
                edge = add_edge(nodes, edges, node, choice, tree)
            else:
                choice = edges[edge].choice
        path[depth] = edge
        depth += 1
        play(state, choice)
        if edge == NONE:
            return depth
    return depth


@rule
def back_up(edges: Any, tree: Floats, depth: int, path: Row, seats: Row, values: Floats) -> None:
    """Add a leaf's values, one a seat, to all edges on the way to it."""
    for step in range(depth):
        edge = path[step]
        if edge != NONE:
            edges[edge].visits += 1
            edges[edge].worth += values[seats[step]]
    tree[VISITED] += 1.0
    if tree[VISITED] <= FIRST_VISITS:
        value = values[seats[0]]
        tree[SUM] += value
        tree[SUM_OF_SQUARES] += value * value
        tree[SPREAD] = spread(tree[VISITED], tree[SUM], tree[SUM_OF_SQUARES])


@kernel
def grow(
    worlds: Any,
    doubts: Any,
    nodes: Any,
    edges: Any,
    slots: Any,
    trees: Floats,
    streams: Any,
    counts: Floats,
    shares: Row,
    explore: float,
    eyes: int,
    scale: float,
    level: int,
    noise: int,
    endgame: int,
    room: Any,
    sight: Any,
    words: Row,
) -> None:
    """Go on by shares[i] simulations in tree i; leaves are valued by `leaf_value`.

    If there are doubts, one of them is simulated before each, and not counted.
    """
    stack = room[0]
    state = stack[0]
    path = np.empty(len(state.history) + 1, dtype=np.int64)
    seats = np.empty(len(state.history) + 1, dtype=np.int64)
    won = np.empty(len(state.hands), dtype=np.int64)
    values = np.empty(len(state.hands), dtype=np.float64)
    doubtful = 1 if len(doubts) else 0
    for number in range(len(trees)):
        tree = trees[number]
        stream = streams[number]
        for turn in range(shares[number] << doubtful):
            counted = not doubtful or turn & 1 == 1
            learners = EVERYBODY
            if counted:
                stack[0] = worlds[below(stream, len(worlds))]
                if doubtful:
                    learners = 1 << state.seat
            else:
                stack[0] = doubts[below(stream, len(doubts))]
            depth = descend(
                state,
                nodes[number],
                edges[number],
                slots[number],
                tree,
                explore,
                eyes,
                learners,
                level,
                sight,
                words,
                path,
                seats,
                stream,
            )
            leaf_value(room, level, noise, endgame, stream, won)
            for seat in range(len(won)):
                values[seat] = won[seat] / scale
            back_up(edges[number], tree, depth, path, seats, values)
            if counted:
                choice = edges[number, path[0]].choice
                count_choice(counts[number], choice, float(won[seats[0]]))


# ---------------------------------------------------------------------------- with an evaluator


@kernel
def select(
    worlds: Any,
    nodes: Any,
    edges: Any,
    slots: Any,
    trees: Floats,
    streams: Any,
    shares: Row,
    explore: float,
    eyes: int,
    is_selfish: bool,
    level: int,
    sight: Any,
    words: Row,
    states: Any,
    legals: Row,
    paths: Any,
    seats: Any,
    depths: Row,
) -> None:
    """Find a leaf of every tree that has a share, and write its deal and its legal choices.

    If it `is_selfish`, only the seat to act in the worlds is to learn from it.
    """
    for number in range(len(trees)):
        legals[number] = 0
        if shares[number] > 0:
            stream = streams[number]
            states[number] = worlds[below(stream, len(worlds))]
            state = states[number]
            depths[number] = descend(
                state,
                nodes[number],
                edges[number],
                slots[number],
                trees[number],
                explore,
                eyes,
                1 << state.seat if is_selfish else EVERYBODY,
                level,
                sight,
                words,
                paths[number],
                seats[number],
                stream,
            )
            legals[number] = 0 if is_over(state) else legal(state)


@kernel
def settle_leaves(
    edges: Any,
    trees: Floats,
    counts: Floats,
    shares: Row,
    is_counted: bool,
    scale: float,
    states: Any,
    legals: Row,
    paths: Any,
    seats: Any,
    depths: Row,
    values: Floats,
) -> None:
    """Carry the values of every tree's leaf up, [trees, seats]."""
    won = np.empty(values.shape[1], dtype=np.int64)
    for number in range(len(trees)):
        if shares[number] > 0:
            if legals[number] == 0:
                payoffs(states[number], won)
                for seat in range(len(won)):
                    values[number, seat] = won[seat] / scale
            path, who = paths[number], seats[number]
            back_up(edges[number], trees[number], depths[number], path, who, values[number])
            if is_counted:
                choice = edges[number, path[0]].choice
                count_choice(counts[number], choice, scale * values[number, who[0]])


# ---------------------------------------------------------------------------- doubts


def doubts_of(worlds: Records, count: int, stream: Row) -> Records:
    """`count` deals that another seat cannot rule out in some world of the seat to act.

    What they have in common with the worlds is what everybody has seen. Worlds and other seats
    take turns, and the deals of one other seat are drawn evenly.
    """
    doubts = np.empty(count, dtype=worlds.dtype)
    puzzle, number_of_seats = new_puzzle(), worlds["hands"].shape[1]
    for number in range(count):
        view = worlds[number % len(worlds)][np.newaxis].copy()
        away = 1 + (number // len(worlds) + number) % (number_of_seats - 1)
        hide_all(view, (view["seat"] + away) % number_of_seats)
        doubts[number] = sample_worlds(view, 1, stream, puzzle)[0]
    return doubts


# ---------------------------------------------------------------------------- the search


class Ismcts:
    """The search of one view, [1] records; units are simulations, in all trees together.

    `worlds` are whole deals, equally likely; every simulation draws one of them. An evaluator's
    values stand in for playouts, a leaf of every tree in one call; its priors do not count.
    """

    def __init__(
        self,
        game: Game,
        scale: float,
        view: Records,
        worlds: Records,
        stream: Row,
        *,
        level: int = RANDOM,
        noise: int = 0,
        threads: int = 1,
        eyes: int = MANY,
        doubts: Records | None = None,
        trees: int = TREES,
        explore: float = EXPLORE,
        temperature: float = 1.0,
        evaluator: Evaluator | None = None,
        endgame: int = 0,
        room: int = ROOM,
    ) -> None:
        self.game = game
        self.scale = float(scale)
        self.threads = threads
        self.eyes = eyes
        self.explore = float(explore)
        self.temperature = temperature
        self.evaluator = evaluator
        self.spent = 0
        self._leaf = level, noise, endgame
        legals = np.zeros(1, dtype=np.int64)
        legal_all(view, legals)
        self._legal = int(legals[0])
        self._worlds = worlds
        self._doubts = worlds[:0] if doubts is None or eyes != MANY else doubts
        size = max(room, LEAST_ROOM)
        self._nodes = np.empty((trees, size), dtype=NODE)
        self._edges = np.empty((trees, EDGES_A_NODE * size), dtype=EDGE)
        self._slots = np.zeros((trees, 2 << size.bit_length()), dtype=np.int32)
        self._trees = np.zeros((trees, 6))
        self._trees[:, SPREAD] = 1.0
        self._streams = np.empty((trees, 2), dtype=np.int64)
        for tree in range(trees):
            fork(stream, tree, self._streams[tree])
        self._counts = new_counts(trees)
        self._states = np.empty(trees, dtype=game.state)
        self._open = np.zeros(trees, dtype=np.int64)
        self._paths = np.zeros((trees, game.longest + 1), dtype=np.int64)
        self._seats = np.zeros((trees, game.longest + 1), dtype=np.int64)
        self._depths = np.zeros(trees, dtype=np.int64)
        self._values = np.zeros((trees, game.seats))

    @property
    def bytes(self) -> int:
        """The memory that the trees may fill; pages never written to take none."""
        parts = [self._nodes, self._edges, self._slots, self._counts, self._worlds]
        return sum(part.nbytes for part in parts)

    def think(self, units: int) -> None:
        """Go on by so many simulations; they go round the trees."""
        trees = len(self._trees)
        turns = np.arange(trees)
        before, after = (
            (spent + trees - 1 - turns) // trees for spent in (self.spent, self.spent + units)
        )
        shares = after - before
        self.spent += units
        if self.evaluator is None:
            share_out(lambda first, last: self._grow(first, last, shares), trees, self.threads)
            return
        is_doubtful = len(self._doubts) > 0
        while shares.any():
            if is_doubtful:
                self._evaluate(self._doubts, shares, is_selfish=False, is_counted=False)
            self._evaluate(self._worlds, shares, is_selfish=is_doubtful, is_counted=True)
            shares = np.maximum(shares - 1, 0)

    def table(self) -> Table:
        """What has been found so far."""
        return table_of(self._counts.sum(axis=0), self._legal, self.temperature)

    def settled(self, units: int) -> bool:
        """Whether the choice stays the same whatever so many more units may find."""
        return is_settled(self._counts.sum(axis=0), self._legal, units)

    def _sight(self) -> tuple[Records, Row]:
        """One record to look around with, and the same memory as a row of int64."""
        sight = np.zeros(1, dtype=self.game.state)
        return sight, sight.view(np.int64)

    def _grow(self, first: int, last: int, shares: Row) -> None:
        level, noise, endgame = self._leaf
        mine = slice(first, last)
        grow(
            self._worlds,
            self._doubts,
            self._nodes[mine],
            self._edges[mine],
            self._slots[mine],
            self._trees[mine],
            self._streams[mine],
            self._counts[mine],
            shares[mine],
            self.explore,
            self.eyes,
            self.scale,
            level,
            noise,
            endgame,
            leaf_room(self.game, endgame),
            *self._sight(),
        )

    def _evaluate(
        self, worlds: Records, shares: Row, *, is_selfish: bool, is_counted: bool
    ) -> None:
        """Value a leaf of every tree that has a share in one call of the evaluator."""
        assert self.evaluator is not None
        select(
            worlds,
            self._nodes,
            self._edges,
            self._slots,
            self._trees,
            self._streams,
            shares,
            self.explore,
            self.eyes,
            is_selfish,
            self._leaf[0],
            *self._sight(),
            self._states,
            self._open,
            self._paths,
            self._seats,
            self._depths,
        )
        going = np.flatnonzero(self._open)
        if len(going):
            _, values = self.evaluator.evaluate(self._states[going], self._open[going])
            self._values[going] = values
        settle_leaves(
            self._edges,
            self._trees,
            self._counts,
            shares,
            is_counted,
            self.scale,
            self._states,
            self._open,
            self._paths,
            self._seats,
            self._depths,
            self._values,
        )
