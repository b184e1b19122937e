"""Tree search led by a net: its priors at every node, its word for the value of a leaf.

As in `puct` there is a tree in every world. At its root every choice is tried equally often, and
the best is the one with the highest mean over all worlds; or, if told so, priors and means decide
there as everywhere else in the tree, and visits are added up. The former needs no trust in the
net's priors, and asks the trees, which know all cards, only how good a choice is. Choices that have
turned out worse than the best, in worlds enough, are tried no more, and the others more often. The
net's policy has learned what choices pay, too, of what a seat knows and over very many deals: its
word counts as much as some worlds, `prior` of them.

A leaf gets its children, with priors, as soon as it is met; where the rules leave no choice the
play goes on by itself, so every node is a real choice. A leaf is worth

    the payoffs, where the deal is over,
    the exact ending, where no more than `endgame` tricks are left,
    else what the net says, of the view of the seat to act and of all hands in this world if it is
    shown them, or with `level` the end of a playout, or something between the two.

The net is computed inside the kernel, leaf by leaf, which is faster than in batches on a CPU: the
tree and the weights stay in the cache, and units that are not active are not computed. A tree is
needed no longer than its world is searched, so one is enough for a thread.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from math import cos, log, pi, sqrt
from typing import Any

import numpy as np

from overtrick.engine.observations import canonical_orders
from overtrick.engine.worlds import uniform
from overtrick.games.game import Choices, Game, Row, State, is_over, legal, payoffs, play
from overtrick.jit import fork, kernel, lowest, popcount, rule
from overtrick.nets.forward import (
    Desk,
    Net,
    advise_root,
    evaluate_deal,
    likeliest,
    new_desk,
    reach_of,
    weigh_all,
)
from overtrick.search.beliefs import Beliefs
from overtrick.search.endings import is_near_its_end, solve_ending
from overtrick.search.leaves import finish_noisily, leaf_room
from overtrick.search.puct import (
    EXPLORE,
    NODE,
    SPREAD,
    SUM,
    SUM_OF_SQUARES,
    USED,
    add_weighed,
    back_up,
    begin_node,
    best_child,
)
from overtrick.search.sharing import share_out
from overtrick.search.tables import (
    PAYOFFS,
    VISITS,
    count_choice,
    is_settled,
    new_counts,
    table_of,
)
from overtrick.search.thinking import MOST_CHOICES, Table

__all__ = ["BY_NET", "Guidance", "Guided", "pick_all", "policy_of", "ponder_all"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]

BY_NET = -2  # the level that stands for the net's own word on a leaf
MOST_NODES = 1 << 20  # of a tree
FIRST_WORLDS, MOST_WORLDS = 16, 1024  # drawn at a time
CLEARLY = 3.0  # standard errors by which a choice is worse that is tried no more
SHARPNESS = 0.05  # of a net's reach: a choice that much worse has a share smaller by e
_OWN = threading.local()


@dataclass
class Workplace:
    """What a thread needs to search one world after the other."""

    desk: Desk
    leaves: Records  # the deal that is played down the tree
    nodes: Records


def own_workplace(game: Game, net: Net, units: int) -> Workplace:
    """The calling thread's, for a net and trees of so many simulations."""
    places = vars(_OWN).setdefault("places", {})
    most = max(map(len, game.choice_names))
    size = min((max(units, most) + 1) * most + 1, MOST_NODES)
    key = game.name, len(net[4]), *(int(fact) for fact in net[2])
    place = places.get(key)
    if place is None or len(place.nodes) < size:
        leaves = np.zeros(1, dtype=game.state)
        place = Workplace(new_desk(game, net), leaves, np.empty(size, dtype=NODE))
        places[key] = place
    found: Workplace = place
    return found


# ---------------------------------------------------------------------------- one simulation


@rule
def play_on(state: State, choice: int) -> None:
    """Make a choice, and then those that are no choice."""
    play(state, choice)
    while not is_over(state):
        choices = legal(state)
        if choices & choices - 1:
            return
        play(state, lowest(choices))


@rule
def walk_down(
    state: State, nodes: Any, tree: Floats, explore: float, evenly: bool, path: Row, seats: Row
) -> int:
    """Play the way down from the root to a node without children; how many nodes that were."""
    step = explore * tree[SPREAD]
    node, depth = 0, 0
    path[0] = 0
    seats[0] = state.seat
    while nodes[node].children:
        if evenly and node == 0:
            node = least_visited(nodes)
        else:
            node = best_child(nodes, node, step)
        play_on(state, nodes[node].choice)
        depth += 1
        path[depth] = node
        seats[depth] = state.seat
    return depth


@rule
def least_visited(nodes: Any) -> int:
    """The child of the root that was tried least; the first of equals."""
    first: int = nodes[0].first
    best = first
    for child in range(first, first + nodes[0].children):
        if nodes[child].visits < nodes[best].visits:
            best = child
    return best


@rule
def judge_leaf(
    nodes: Any,
    node: int,
    tree: Floats,
    leaf: Any,
    scale: float,
    ways: Any,
    room: Any,
    net: Any,
    desk: Any,
    stream: Row,
    priors: Floats,
    values: Floats,
    won: Row,
) -> None:
    """Write what a leaf is worth to each seat, and give it children if the net is asked.

    `ways` holds the level of playouts or BY_NET, their noise, the tricks of exact endings, how
    far playouts are believed rather than the net, and for how many choices the net's policy plays
    on before it is asked.
    The root is never solved, since a search wants to know its choices.
    """
    level, noise, endgame = ways[0], ways[1], ways[2]
    trust = 1.0
    if is_over(leaf):
        payoffs(leaf, won)
    elif node and endgame and is_near_its_end(leaf, endgame):
        room[0][0] = leaf
        solve_ending(room, won)
    else:
        choices = legal(leaf)
        evaluate_deal(leaf, choices, net, desk, priors, values)
        add_weighed(nodes, node, tree, choices, priors)
        trust = 0.0
        if level != BY_NET:
            trust = ways[3]
            finish_noisily(leaf, level, noise, stream)
            payoffs(leaf, won)
        elif ways[4]:
            trust = look_ahead(leaf, ways[4], endgame, room, net, desk, priors, values, won)
    for seat in range(len(won)):
        values[seat] = (trust * won[seat] + (1.0 - trust) * values[seat]) / scale


@rule
def look_ahead(
    leaf: Any,
    ahead: int,
    endgame: int,
    room: Any,
    net: Any,
    desk: Any,
    weights: Floats,
    values: Floats,
    won: Row,
) -> float:
    """Let the net's policy play on for so many choices, each seat by what it knows, then ask it.

    Gives 1 back if the payoffs are known then, and written, else 0.
    """
    while ahead > 0 and not is_over(leaf) and not (endgame and is_near_its_end(leaf, endgame)):
        play_on(leaf, likeliest(leaf, legal(leaf), net, desk, weights))
        ahead -= 1
    if is_over(leaf):
        payoffs(leaf, won)
        return 1.0
    if endgame and is_near_its_end(leaf, endgame):
        room[0][0] = leaf
        solve_ending(room, won)
        return 1.0
    evaluate_deal(leaf, legal(leaf), net, desk, weights, values)
    return 0.0


@rule
def begin_tree(nodes: Any, tree: Floats) -> None:
    """A root and nothing else."""
    begin_node(nodes, 0, 0, 1.0)
    tree[USED] = 1.0
    tree[SUM] = 0.0
    tree[SUM_OF_SQUARES] = 0.0
    tree[SPREAD] = 1.0


@rule
def open_root(
    world: State, only: Choices, nodes: Any, tree: Floats, net: Any, desk: Any, priors: Floats
) -> None:
    """Give a root these children, with priors by what the seat to act knows, the same everywhere.

    They are all that are legal if none are told.
    """
    choices = only if only else legal(world)
    advise_root(world, choices, net, desk, priors)
    add_weighed(nodes, 0, tree, choices, priors)


# ---------------------------------------------------------------------------- many searches


@kernel
def ponder(
    worlds: Any,
    each: int,
    units: int,
    explore: float,
    evenly: bool,
    scale: float,
    ways: Any,
    stir: Any,
    only: Choices,
    streams: Any,
    room: Any,
    net: Any,
    desk: Any,
    leaves: Any,
    nodes: Any,
    counts: Floats,
) -> None:
    """Search worlds one after the other, `each` of them for a view, with so many simulations.

    Counts, [views, 3, 64], are added to, for all worlds of a view together. `stir` is the share
    of noise in the root's priors and the parameter of its Dirichlet distribution; `only` these
    choices are tried at the roots, or all.
    """
    seats_at_table = len(leaves[0].hands)
    longest = len(leaves[0].history)
    path = np.empty(longest + 1, dtype=np.int64)
    seats = np.empty(longest + 1, dtype=np.int64)
    won = np.zeros(seats_at_table, dtype=np.int64)
    values = np.zeros(seats_at_table)
    priors = np.zeros(MOST_CHOICES)
    noise = np.zeros(MOST_CHOICES)
    tree = np.zeros(4)
    for number in range(len(worlds)):
        view = number // each
        stream = streams[view]
        if stir[0] > 0.0 and number == view * each:
            draw_noise(popcount(legal(worlds[number])), stir[1], noise, stream)
        begin_tree(nodes, tree)
        open_root(worlds[number], only, nodes, tree, net, desk, priors)
        if stir[0] > 0.0:
            stir_in(nodes, noise, stir[0])
        for _ in range(max(units, nodes[0].children) if evenly else units):
            leaves[0] = worlds[number]
            depth = walk_down(leaves[0], nodes, tree, explore, evenly, path, seats)
            judge_leaf(
                nodes,
                path[depth],
                tree,
                leaves[0],
                scale,
                ways,
                room,
                net,
                desk,
                stream,
                priors,
                values,
                won,
            )
            back_up(nodes, tree, depth, path, seats, values)
            count_choice(counts[view], nodes[path[1]].choice, scale * values[seats[0]])


@rule
def stir_in(nodes: Any, noise: Floats, share: float) -> None:
    """Mix noise into the priors of a root's children, which are in the order of their choices."""
    first = nodes[0].first
    for child in range(nodes[0].children):
        calm = nodes[first + child].prior
        nodes[first + child].prior = (1.0 - share) * calm + share * noise[child]


@rule
def draw_noise(size: int, alpha: float, noise: Floats, stream: Row) -> None:
    """So many numbers out of a Dirichlet distribution."""
    total = 0.0
    for place in range(size):
        noise[place] = draw_gamma(alpha, stream)
        total += noise[place]
    for place in range(size):
        noise[place] = noise[place] / total if total > 0.0 else 1.0 / size


@rule
def draw_gamma(shape: float, stream: Row) -> float:
    """A number out of a gamma distribution, after Marsaglia and Tsang."""
    boost = 1.0
    if shape < 1.0:
        boost = (1.0 - uniform(stream)) ** (1.0 / shape)
        shape += 1.0
    third = shape - 1.0 / 3.0
    width = 1.0 / sqrt(9.0 * third)
    while True:
        normal = draw_normal(stream)
        cube = (1.0 + width * normal) ** 3
        if cube > 0.0:
            bound = 0.5 * normal * normal + third - third * cube + third * log(cube)
            if log(1.0 - uniform(stream)) < bound:
                return third * cube * boost


@rule
def draw_normal(stream: Row) -> float:
    """A number out of the standard normal distribution, after Box and Muller."""
    length = sqrt(-2.0 * log(1.0 - uniform(stream)))
    return length * cos(2.0 * pi * uniform(stream))


@kernel
def pick_all(weights: Floats, temperatures: Floats, streams: Any, choices: Row) -> None:
    """Draw a choice from each row of weights, [n, 64], to the power 1 / temperature.

    At 0 it is the heaviest, the first of equals.
    """
    powers = np.zeros(weights.shape[1])
    for number in range(len(weights)):
        row = weights[number]
        heaviest = np.argmax(row)
        choices[number] = heaviest
        if temperatures[number] > 0.0:
            total = 0.0
            for choice in range(len(row)):
                powers[choice] = (row[choice] / row[heaviest]) ** (1.0 / temperatures[number])
                total += powers[choice]
            left = uniform(streams[number]) * total
            for choice in range(len(row)):
                if powers[choice] > 0.0:
                    choices[number] = choice
                    left -= powers[choice]
                    if left < 0.0:
                        break


# ---------------------------------------------------------------------------- searches


@dataclass(frozen=True)
class Guidance:
    """How a net leads a search."""

    sims: int  # in each world
    explore: float = EXPLORE
    evenly: bool = True  # whether every choice of the root is tried equally often
    level: int = BY_NET  # or that of the playouts which value leaves
    noise: int = 0  # thousandths of the playouts' choices that are random
    trust: float = 1.0  # in the playouts, if there are any; the rest is the net's word
    ahead: int = 0  # choices that the net's policy makes before it values a leaf
    endgame: int = 0  # tricks from which on leaves are exact
    prior: int = 0  # worlds that the net's word on the choices of an even root counts for
    heeded: bool = False  # whether that word counts, too, where choices are given up
    sharpness: float = SHARPNESS  # the share of the reach that 1 more of that word is
    stir: float = 0.0  # share of noise in the priors of the root
    alpha: float = 0.3  # of that noise


def ponder_all(
    game: Game,
    net: Net,
    how: Guidance,
    scale: float,
    worlds: Records,
    streams: Row,
    *,
    only: Choices = 0,
    threads: int = 1,
) -> Floats:
    """Counts [views, 3, 64] of views with equally many worlds each, and a stream each.

    What is found for a view depends on its worlds and its stream alone.
    """
    counts = new_counts(len(streams))
    each = len(worlds) // len(streams)

    def work(first: int, last: int) -> None:
        place = own_workplace(game, net, how.sims)
        ponder(
            worlds[first * each : last * each],
            each,
            how.sims,
            how.explore,
            how.evenly,
            scale,
            (how.level, how.noise, how.endgame, how.trust, how.ahead),
            (how.stir, how.alpha),
            only,
            streams[first:last],
            leaf_room(game, how.endgame),
            net,
            place.desk,
            place.leaves,
            place.nodes,
            counts[first:last],
        )

    share_out(work, len(streams), threads)
    return counts


def policy_of(counts: Floats, legals: Row, reach: float) -> Floats:
    """[views, 64] how good the choices look that were tried equally often: softmax of payoffs.

    They are counted in shares of the payoff that a net's value of 1 stands for.
    """
    legal = legals[:, None] >> np.arange(MOST_CHOICES) & 1 == 1
    mean = counts[:, PAYOFFS] / np.maximum(counts[:, VISITS], 1.0) / reach
    mean = np.where(legal, mean, -np.inf)
    shares = np.exp((mean - mean.max(axis=1, keepdims=True)) / SHARPNESS)
    policy: Floats = shares / shares.sum(axis=1, keepdims=True)
    return policy


class Guided:
    """The search of one view, led by a net; its units are worlds, each with so many simulations."""

    def __init__(
        self,
        game: Game,
        net: Net,
        how: Guidance,
        view: Records,
        legal: Choices,
        stream: Row,
        beliefs: Beliefs,
        *,
        budget: int,
        threads: int = 1,
    ) -> None:
        self.spent = 0
        self._game = game
        self._net = net
        self._how = how
        self._view = view
        self._legal = legal
        self._stream = stream
        self._beliefs = beliefs
        self._left = budget  # worlds still to be drawn
        self._threads = threads
        self._scale = float(game.scale(view[0]))
        self._counts = new_counts(1)[0]
        self._round = -1
        self._worlds = view[:0]
        self._left_over = int(legal)  # choices that are still tried
        self._means: list[Floats] = []  # of those, in each world, [64]
        self._told = self._ask_net()

    def _ask_net(self) -> Floats:
        """What the net tells of the choices by itself, as often as its word counts, [64].

        Payoffs, but for a constant: its policy is the softmax of such payoffs, or its numbers are.
        """
        logits = np.zeros((1, MOST_CHOICES))
        if self._how.prior:
            desk = own_workplace(self._game, self._net, self._how.sims).desk
            orders, values = canonical_orders(self._view), np.zeros((1, self._game.seats))
            weigh_all(self._view, orders, self._net, desk, logits, values)
        weight = self._how.prior * self._how.sharpness * reach_of(self._net)
        told: Floats = weight * logits[0]
        return told

    def think(self, units: int) -> None:
        """Search so many more worlds, unless nothing is left to be found out."""
        while units > 0:
            if len(self._worlds) == 0:
                self._drop_the_worse()
                if self._left_over.bit_count() == 1:
                    return
                self._draw()
            part = self._worlds[:units]
            self._worlds = self._worlds[units:]
            chances = np.empty((len(part), 2), dtype=np.int64)
            for number, chance in enumerate(chances):
                fork(self._stream, self.spent + number, chance)
            found = ponder_all(
                self._game,
                self._net,
                self._how,
                self._scale,
                part,
                chances,
                only=self._left_over,
                threads=self._threads,
            )
            for counts in found:  # one by one: sums of floats depend on how they are cut
                self._counts += counts
                self._means.append(counts[PAYOFFS] / np.maximum(counts[VISITS], 1.0))
            self.spent += len(part)
            units -= len(part)

    def _drop_the_worse(self) -> None:
        """Try no more what has turned out worse than the best, world by world.

        Only between draws: what is found may not depend on how often it was asked for.
        """
        if not self._how.evenly or len(self._means) < FIRST_WORLDS:
            return
        tried = np.flatnonzero(self._tried())
        means = np.array(self._means)[:, tried]
        heeded = self._how.heeded
        count = len(means) + heeded * self._how.prior
        score = (means.sum(axis=0) + heeded * self._told[tried]) / count
        best = int(score.argmax())
        error = (means[:, best, None] - means).std(axis=0, ddof=1) / np.sqrt(count)
        for choice, gap, doubt in zip(tried, score[best] - score, error, strict=True):
            if gap > CLEARLY * doubt:
                self._left_over &= ~(1 << int(choice))

    def _draw(self) -> None:
        self._round += 1
        chance = np.empty(2, dtype=np.int64)
        fork(self._stream, -1 - self._round, chance)
        count = max(1, min(FIRST_WORLDS << min(self._round, 10), MOST_WORLDS, self._left))
        self._left -= count
        drawn = self._beliefs.draw(self._view, count, chance)
        self._worlds = np.repeat(drawn.records, drawn.counts)

    def table(self) -> Table:
        """What has been found so far; all probability on the best choice."""
        table = table_of(self._counts, self._legal, 0.0)
        if self._how.evenly:
            score = np.where(self._tried(), self.spent * table.payoff + self._told, -np.inf)
            table.probability[:] = np.arange(MOST_CHOICES) == score.argmax()
        return table

    def _tried(self) -> Floats:
        """Whether a choice is still tried, [64]: it was in every world, then."""
        tried: Floats = self._left_over >> np.arange(MOST_CHOICES) & 1 == 1
        return tried

    def settled(self, units: int) -> bool:
        """Whether the choice stays the same whatever so many more worlds may find."""
        if self._how.evenly:
            return self._left_over.bit_count() == 1
        return is_settled(self._counts, self._legal, units * self._how.sims)
