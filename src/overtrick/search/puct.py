"""Tree search in every world by itself: one tree a world, all cards seen, visits added up.

A tree is a row of nodes. Node 0 is the view's position in that world, every other node stands for
one choice made at the node above; the children of a node lie side by side. Nodes hold no deal: a
simulation copies the world and plays its way down again. At every node the seat to act goes by
its own mean payoff, with

    mean + explore * spread * prior * sqrt(visits of the node) / (1 + visits of the child)

where a child not yet visited has the mean of its node, and the spread is the standard deviation
of the first payoffs met in the tree, so that `explore` means the same whatever a game pays. Of
equals the first wins, hence the children begin at a random one of the legal choices.

A leaf is valued by a playout or by an exact ending, and gets its children when it is visited
again; or, with an evaluator, by the evaluator, and gets children with priors at once. A tree that
is full goes on without new nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from overtrick.engine.batches import legal_all
from overtrick.engine.playouts import RANDOM
from overtrick.games.game import Game, Row, State, is_over, legal, payoffs, play
from overtrick.jit import below, fork, kernel, lowest, popcount, rule
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
from overtrick.search.thinking import MOST_CHOICES, Table

__all__ = ["EXPLORE", "NODE", "ROOM", "Forest", "Puct", "search_many"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]

EXPLORE = 2.0
ROOM = 1 << 21  # nodes of all trees together, unless told otherwise

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("visits", np.int32),
                ("first", np.int32),  # its first child
                ("worth", np.float64),  # sum of values to the seat that chose it
                ("own", np.float64),  # sum of values to the seat that is to choose here
                ("choice", np.int64),
                ("prior", np.float32),
                ("children", np.int32),  # 0 until it has some
            ]
        ),
    )
)
# of a tree: nodes in use, sums of the first values to the root seat, and their spread
USED, SUM, SUM_OF_SQUARES, SPREAD = range(4)


# ---------------------------------------------------------------------------- the way down


@rule
def descend(
    state: State,
    nodes: Any,
    tree: Floats,
    explore: float,
    unfold: bool,
    path: Row,
    seats: Row,
    stream: Row,
) -> int:
    """Play the way down from the root to a leaf; how many choices that were.

    Writes the nodes passed and the seats to act at them; the first of both is the root. With
    `unfold`, a leaf that has been visited before gets its children and is passed too.
    """
    step = explore * tree[SPREAD]
    node = 0
    depth = 0
    path[0] = 0
    seats[0] = state.seat
    while True:
        if nodes[node].children == 0:
            stale = unfold and (nodes[node].visits > 0 or node == 0)
            if not stale or is_over(state) or not add_children(nodes, node, tree, state, stream):
                return depth
        node = best_child(nodes, node, step)
        play(state, nodes[node].choice)
        depth += 1
        path[depth] = node
        seats[depth] = state.seat


@rule
def best_child(nodes: Any, node: int, step: float) -> int:
    """The child with the highest mean and bonus; the first of equals."""
    visits = nodes[node].visits
    unvisited = nodes[node].own / visits if visits else 0.0
    bonus = step * sqrt(max(visits, 1))
    first: int = nodes[node].first
    best = first
    most = -np.inf
    for child in range(first, first + nodes[node].children):
        tried = nodes[child].visits
        mean = nodes[child].worth / tried if tried else unvisited
        urge = mean + bonus * nodes[child].prior / (1 + tried)
        if urge > most:
            most = urge
            best = child
    return best


@rule
def add_children(nodes: Any, node: int, tree: Floats, state: State, stream: Row) -> bool:
    """Give a node a child for every legal choice, all with the same prior; False if it is full."""
    choices = legal(state)
    count = popcount(choices)
    first = int(tree[USED])
    if first + count > len(nodes):
        return False
    later = first + (below(stream, count) if count > 1 else 0)
    child = later
    for _ in range(count):
        begin_node(nodes, child, lowest(choices), 1.0 / count)
        choices &= choices - 1
        child = child + 1 if child + 1 < first + count else first
    nodes[node].first = first
    nodes[node].children = count
    tree[USED] = first + count
    return True


@rule
def begin_node(nodes: Any, node: int, choice: int, prior: float) -> None:
    nodes[node].visits = 0
    nodes[node].first = 0
    nodes[node].worth = 0.0
    nodes[node].own = 0.0
    nodes[node].prior = prior
    nodes[node].choice = choice
    nodes[node].children = 0


# ---------------------------------------------------------------------------- the way back


@rule
def back_up(nodes: Any, tree: Floats, depth: int, path: Row, seats: Row, values: Floats) -> None:
    """Add a leaf's values, one a seat, to all nodes on the way to it."""
    for step in range(depth + 1):
        node = path[step]
        nodes[node].visits += 1
        if step > 0:
            nodes[node].worth += values[seats[step - 1]]
        if seats[step] >= 0:
            nodes[node].own += values[seats[step]]
    visits = nodes[0].visits
    if visits <= FIRST_VISITS:
        value = values[seats[0]]
        tree[SUM] += value
        tree[SUM_OF_SQUARES] += value * value
        tree[SPREAD] = spread(visits, tree[SUM], tree[SUM_OF_SQUARES])


@kernel
def plant(forest: Any, trees: Floats) -> None:
    """Begin every tree with its root alone."""
    for number in range(len(forest)):
        begin_node(forest[number], 0, 0, 1.0)
        trees[number, USED] = 1.0
        trees[number, SUM] = 0.0
        trees[number, SUM_OF_SQUARES] = 0.0
        trees[number, SPREAD] = 1.0


@kernel
def grow(
    worlds: Any,
    forest: Any,
    trees: Floats,
    streams: Any,
    counts: Floats,
    units: int,
    explore: float,
    scale: float,
    level: int,
    noise: int,
    endgame: int,
    room: Any,
) -> None:
    """Go on by so many simulations in every world; leaves are valued by `leaf_value`."""
    stack = room[0]
    state = stack[0]
    longest = len(state.history)
    path = np.empty(longest + 1, dtype=np.int64)
    seats = np.empty(longest + 1, dtype=np.int64)
    won = np.empty(len(state.hands), dtype=np.int64)
    values = np.empty(len(state.hands), dtype=np.float64)
    for number in range(len(worlds)):
        nodes = forest[number]
        tree = trees[number]
        stream = streams[number]
        for _ in range(units):
            stack[0] = worlds[number]
            depth = descend(state, nodes, tree, explore, True, path, seats, stream)
            leaf_value(room, level, noise, endgame, stream, won)
            for seat in range(len(won)):
                values[seat] = won[seat] / scale
            back_up(nodes, tree, depth, path, seats, values)
            count_choice(counts[number], nodes[path[1]].choice, float(won[seats[0]]))


# ---------------------------------------------------------------------------- with an evaluator


@kernel
def select(
    worlds: Any,
    forest: Any,
    trees: Floats,
    streams: Any,
    leaves: int,
    explore: float,
    states: Any,
    legals: Row,
    paths: Any,
    seats: Any,
    depths: Row,
) -> None:
    """Find `leaves` leaves of every tree, and write each deal, its legal choices (0 at the end).

    Until its value is known a leaf counts as lost for everyone on the way, so that the next one
    of the same tree lies elsewhere.
    """
    for number in range(len(worlds)):
        nodes = forest[number]
        for leaf in range(number * leaves, (number + 1) * leaves):
            states[leaf] = worlds[number]
            state = states[leaf]
            depths[leaf] = descend(
                state,
                nodes,
                trees[number],
                explore,
                False,
                paths[leaf],
                seats[leaf],
                streams[number],
            )
            legals[leaf] = 0 if is_over(state) else legal(state)
            for step in range(1, depths[leaf] + 1):
                nodes[paths[leaf, step]].visits += 1
                nodes[paths[leaf, step]].worth -= 1.0


@kernel
def settle_leaves(
    forest: Any,
    trees: Floats,
    counts: Floats,
    leaves: int,
    scale: float,
    states: Any,
    legals: Row,
    paths: Any,
    seats: Any,
    depths: Row,
    priors: Floats,
    values: Floats,
) -> None:
    """Give every leaf its children and carry its values up, priors [n, 64], values [n, seats].

    A leaf at depth 0 is a root before its first simulation: it gets children, and nothing counts.
    """
    won = np.empty(values.shape[1], dtype=np.int64)
    for number in range(len(forest)):
        nodes = forest[number]
        for leaf in range(number * leaves, (number + 1) * leaves):
            depth = depths[leaf]
            path = paths[leaf]
            if legals[leaf] == 0:
                payoffs(states[leaf], won)
                for seat in range(len(won)):
                    values[leaf, seat] = won[seat] / scale
            elif nodes[path[depth]].children == 0:
                add_weighed(nodes, path[depth], trees[number], legals[leaf], priors[leaf])
            if depth > 0:
                for step in range(1, depth + 1):
                    nodes[path[step]].visits -= 1
                    nodes[path[step]].worth += 1.0
                back_up(nodes, trees[number], depth, path, seats[leaf], values[leaf])
                payoff = scale * values[leaf, seats[leaf, 0]]
                count_choice(counts[number], nodes[path[1]].choice, payoff)


@rule
def add_weighed(nodes: Any, node: int, tree: Floats, choices: int, priors: Floats) -> None:
    """Give a node a child for every legal choice, with an evaluator's priors, if it has room."""
    count = popcount(choices)
    first = int(tree[USED])
    if first + count > len(nodes):
        return
    total = 0.0
    rest = choices
    while rest:
        total += priors[lowest(rest)]
        rest &= rest - 1
    child = first
    while choices:
        choice = lowest(choices)
        prior = priors[choice] / total if total > 0.0 else 1.0 / count
        begin_node(nodes, child, choice, prior)
        choices &= choices - 1
        child += 1
    nodes[node].first = first
    nodes[node].children = count
    tree[USED] = first + count


# ---------------------------------------------------------------------------- searches


class Forest:
    """Searches of many views side by side: the trees of all their worlds.

    `worlds[i]` are the whole deals of view i, equally likely; `streams[i]` is its chance. What
    is found for a view does not depend on the others, nor on the threads. Values lie in [-1, 1]
    once payoffs are divided by `scale`. With an evaluator, `leaves` of every tree are valued
    together with those of all other trees, and simulations come in so many at a time.
    """

    def __init__(
        self,
        game: Game,
        scale: float,
        views: Records,
        worlds: Sequence[Records],
        streams: Row,
        *,
        level: int = RANDOM,
        noise: int = 0,
        threads: int = 1,
        explore: float = EXPLORE,
        temperature: float = 1.0,
        evaluator: Evaluator | None = None,
        leaves: int = 1,
        endgame: int = 0,
        room: int = ROOM,
    ) -> None:
        self.game = game
        self.scale = float(scale)
        self.threads = threads
        self.explore = float(explore)
        self.temperature = temperature
        self.evaluator = evaluator
        self.spent = 0  # simulations of every tree
        self._leaf = level, noise, endgame
        self._leaves = 1 if evaluator is None else leaves
        self._asked = 0
        self._legals = np.zeros(len(views), dtype=np.int64)
        legal_all(views, self._legals)
        self._first = np.cumsum([0, *map(len, worlds)])
        self._worlds = np.concatenate(worlds)
        trees = len(self._worlds)
        size = max(room // trees, 2 * MOST_CHOICES)
        self._nodes = np.empty((trees, size), dtype=NODE)
        self._trees = np.empty((trees, 4))
        self._streams = np.empty((trees, 2), dtype=np.int64)
        for view, stream in enumerate(streams):
            for tree in range(self._first[view], self._first[view + 1]):
                fork(stream, tree - self._first[view], self._streams[tree])
        self._counts = new_counts(trees)
        plant(self._nodes, self._trees)
        if evaluator is not None:
            self._make_leaves(trees)
            self._evaluate(1)

    @property
    def bytes(self) -> int:
        """The memory that the trees may fill; pages never written to take none."""
        parts = [self._nodes, self._trees, self._streams, self._counts, self._worlds]
        return sum(part.nbytes for part in parts)

    def think(self, units: int) -> None:
        """Go on by so many simulations in every world."""
        self._asked += units
        if self.evaluator is None:
            share_out(lambda first, last: self._grow(first, last, units), *self._shares)
            self.spent = self._asked
        while self.spent < self._asked:
            self._evaluate(self._leaves)
            self.spent += self._leaves

    def tables(self) -> list[Table]:
        """What has been found so far for each view."""
        counts = self._sums()
        pairs = zip(counts, self._legals, strict=True)
        return [table_of(rows, int(choices), self.temperature) for rows, choices in pairs]

    def all_settled(self, units: int) -> bool:
        """Whether every choice stays the same whatever so many more units may find."""
        counts, worlds = self._sums(), np.diff(self._first)
        views = zip(counts, self._legals, worlds, strict=True)
        return all(is_settled(rows, int(legal), units * int(n)) for rows, legal, n in views)

    @property
    def _shares(self) -> tuple[int, int]:
        return len(self._worlds), self.threads

    def _sums(self) -> Floats:
        """[views, 3, choices] the counts of each view."""
        sums: Floats = np.add.reduceat(self._counts, self._first[:-1], axis=0)
        return sums

    def _grow(self, first: int, last: int, units: int) -> None:
        level, noise, endgame = self._leaf
        mine = slice(first, last)
        grow(
            self._worlds[mine],
            self._nodes[mine],
            self._trees[mine],
            self._streams[mine],
            self._counts[mine],
            units,
            self.explore,
            self.scale,
            level,
            noise,
            endgame,
            leaf_room(self.game, endgame),
        )

    def _make_leaves(self, trees: int) -> None:
        most, longest = trees * self._leaves, self.game.longest
        self._states = np.empty(most, dtype=self.game.state)
        self._open = np.zeros(most, dtype=np.int64)
        self._paths = np.zeros((most, longest + 1), dtype=np.int64)
        self._seats = np.zeros((most, longest + 1), dtype=np.int64)
        self._depths = np.zeros(most, dtype=np.int64)
        self._priors = np.zeros((most, MOST_CHOICES))
        self._values = np.zeros((most, self.game.seats))

    def _evaluate(self, leaves: int) -> None:
        """Value so many leaves of every tree in one call of the evaluator."""
        assert self.evaluator is not None
        share_out(lambda first, last: self._select(first, last, leaves), *self._shares)
        size = leaves * len(self._worlds)
        going = np.flatnonzero(self._open[:size])
        if len(going):
            priors, values = self.evaluator.evaluate(self._states[going], self._open[going])
            self._priors[going] = priors
            self._values[going] = values
        share_out(lambda first, last: self._settle(first, last, leaves), *self._shares)

    def _select(self, first: int, last: int, leaves: int) -> None:
        mine, ours = slice(first, last), slice(first * leaves, last * leaves)
        select(
            self._worlds[mine],
            self._nodes[mine],
            self._trees[mine],
            self._streams[mine],
            leaves,
            self.explore,
            self._states[ours],
            self._open[ours],
            self._paths[ours],
            self._seats[ours],
            self._depths[ours],
        )

    def _settle(self, first: int, last: int, leaves: int) -> None:
        mine, ours = slice(first, last), slice(first * leaves, last * leaves)
        settle_leaves(
            self._nodes[mine],
            self._trees[mine],
            self._counts[mine],
            leaves,
            self.scale,
            self._states[ours],
            self._open[ours],
            self._paths[ours],
            self._seats[ours],
            self._depths[ours],
            self._priors[ours],
            self._values[ours],
        )


class Puct(Forest):
    """The search of one view, [1] records; units are simulations per world."""

    def __init__(
        self,
        game: Game,
        scale: float,
        view: Records,
        worlds: Records,
        stream: Row,
        **settings: Any,
    ) -> None:
        super().__init__(game, scale, view, [worlds], stream.reshape(1, 2), **settings)

    def table(self) -> Table:
        """What has been found so far."""
        return self.tables()[0]

    def settled(self, units: int) -> bool:
        """Whether the choice stays the same whatever so many more units may find."""
        return self.all_settled(units)


def search_many(
    game: Game,
    scale: float,
    views: Records,
    worlds: Sequence[Records],
    streams: Row,
    units: int,
    **settings: Any,
) -> list[Table]:
    """The tables of many views searched together, with so many simulations per world."""
    forest = Forest(game, scale, views, worlds, streams, **settings)
    forest.think(units)
    return forest.tables()
