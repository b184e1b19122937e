"""The whole tree of a small game: every deal, every line of play, every view.

Chance is only the shuffle, so the tree is a forest: one root for each distinct deal, with its
probability, and below it all lines of play. Nodes are numbered level by level, a level being the
nodes after equally many choices; everything known of a node stands in flat arrays under its
number, and every walk through the tree is a few array operations a level.

An information set is a view: nodes at which the actor's `hide` gives byte-equal records. A record
counts the choices made, so all nodes of a view lie on one level, and views too are numbered level
by level. A *policy* is an array [infosets, choices] of probabilities, each row summing to 1 over
the legal choices of its view and 0 elsewhere.

A seat that remembers its own choices (every seat does, they are in its view) reaches all nodes of
a view with the same probability. *Counterfactual* values rest on that: the payoff behind a node,
times the probability that chance and the others lead there, the seat itself doing its best to.

    value            expected payoff to a seat when all play by the policy
    best response    the most that a seat can get while the others play by the policy
    NashConv         what best responses gain on the policy, summed over the seats
    exploitability   NashConv / seats: 0 exactly in equilibrium, for two seats and zero sum
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial, prod
from typing import Any

import numpy as np

from overtrick.engine.batches import begin_matches, legal_all, payoffs_all, play_all
from overtrick.engine.dealing import deal_orders
from overtrick.engine.views import hide_all
from overtrick.errors import BadBudget
from overtrick.games.game import NOBODY, Game, Variant
from overtrick.jit import streams

__all__ = ["NOWHERE", "Tree", "as_numbers", "build_tree", "distinct", "list_deals"]

Array = np.ndarray[Any, np.dtype[Any]]

NOWHERE = -1  # the node before a deal, the choice that led to it, the view of nobody
MOST_DEALS = 100_000


@dataclass(frozen=True, eq=False)
class Tree:
    """All deals and lines of play of one game, in flat arrays; see the top of this file."""

    game: Game
    levels: tuple[slice, ...]  # the nodes after 0, 1, 2, … choices
    view_levels: tuple[slice, ...]  # the views after 0, 1, 2, … choices

    # for each node
    parent: Array  # [nodes] the node before, NOWHERE for a deal
    choice: Array  # [nodes] the choice made there, NOWHERE for a deal
    mover: Array  # [nodes] who made it, NOBODY for a deal
    move: Array  # [nodes] where it stands in a flattened policy, NOWHERE for a deal
    deal: Array  # [nodes] the deal above
    seat: Array  # [nodes] to act, NOBODY at the end
    view: Array  # [nodes] what that seat knows, NOWHERE at the end
    payoff: Array  # [nodes, seats] at the end, else 0

    # for each deal: the roots, which are also the first nodes
    deals: Array  # [deals] whole records
    chance: Array  # [deals] probabilities

    # for each view
    views: Array  # [infosets] records as the seat to act sees them
    legal: Array  # [infosets, choices] whether a choice is legal
    first: Array  # [infosets] a node with this view

    @property
    def nodes(self) -> int:
        """The number of nodes, deals and ends included."""
        return len(self.parent)

    @property
    def infosets(self) -> int:
        """The number of views at which somebody chooses."""
        return len(self.views)

    def uniform(self) -> Array:
        """The policy that makes every legal choice equally often."""
        policy: Array = self.legal / self.legal.sum(axis=1, keepdims=True)
        return policy

    def reach(self, policy: Array, seats: Collection[int]) -> Array:
        """[nodes] the probability that these seats' own choices lead to each node."""
        step = self._steps(policy, seats)
        reach = np.ones(self.nodes)
        for level in self.levels[1:]:
            reach[level] = reach[self.parent[level]] * step[level]
        return reach

    def values(self, policy: Array) -> Array:
        """[seats] the expected payoffs when all play by the policy."""
        reach = self.reach(policy, range(self.game.seats))
        values: Array = (self.chance[self.deal] * reach) @ self.payoff
        return values

    def choice_values(self, policy: Array, seat: int) -> Array:
        """[infosets, choices] counterfactual values to a seat of the choices at its views.

        Afterwards all play by the policy. Rows of the other seats are 0.
        """
        return self._back_up(policy, seat, at_best=False)[1]

    def best_response(self, policy: Array, seat: int) -> float:
        """The most that a seat can get while the others play by the policy.

        The seat chooses by what it knows: one choice for all nodes of a view.
        """
        return self._back_up(policy, seat, at_best=True)[0]

    def exploitability(self, policy: Array) -> float:
        """NashConv / seats: what a best response gains on the policy, mean over the seats."""
        values = self.values(policy)
        seats = range(self.game.seats)
        gains = [self.best_response(policy, seat) - float(values[seat]) for seat in seats]
        return sum(gains) / len(gains)

    def _steps(self, policy: Array, seats: Collection[int]) -> Array:
        """[nodes] the probability of the last choice if one of these seats made it, else 1."""
        step = np.ones(self.nodes)
        made = np.isin(self.mover, list(seats))
        step[made] = policy.ravel()[self.move[made]]
        return step

    def _back_up(self, policy: Array, seat: int, *, at_best: bool) -> tuple[float, Array]:
        """Carry payoffs from the ends to the deals, weighted by chance and the others.

        Gives back the value to the seat and the worth of its choices, [infosets, choices]. The
        seat plays by the policy, or `at_best` makes the most valuable choice at every view.
        """
        others = [other for other in range(self.game.seats) if other != seat]
        worth = self.chance[self.deal] * self.reach(policy, others) * self.payoff[:, seat]
        choices = np.zeros(policy.shape)
        plan = policy.copy()
        for depth in range(len(self.levels) - 1, 0, -1):
            nodes, above = self.levels[depth], self.levels[depth - 1]
            views = self.view_levels[depth - 1]
            own = nodes.start + (self.mover[nodes] == seat).nonzero()[0]
            moves = self.move[own]
            choices[views] = self._gathered(moves, worth[own], views)
            if at_best:
                plan[views] = self._best_choices(choices[views], views)
            worth[own] *= plan.ravel()[moves]
            parents = self.parent[nodes] - above.start
            worth[above] += np.bincount(parents, worth[nodes], above.stop - above.start)
        return float(worth[self.levels[0]].sum()), choices

    def _gathered(self, moves: Array, worth: Array, views: slice) -> Array:
        """What lies behind these moves, summed by view and choice at the views of one level."""
        width = self.legal.shape[1]
        size = (views.stop - views.start) * width
        sums: Array = np.bincount(moves - views.start * width, worth, size)
        return sums.reshape(-1, width)

    def _best_choices(self, choices: Array, views: slice) -> Array:
        """The policy, at these views, of always making the most valuable choice."""
        best = np.where(self.legal[views], choices, -np.inf).argmax(axis=1)
        policy: Array = np.arange(choices.shape[1]) == best[:, np.newaxis]
        return policy


# ---------------------------------------------------------------------------- building


def build_tree(game: Game, variant: str | Variant | None = None) -> Tree:
    """The tree of the first deal of a match."""
    deals, chance = list_deals(game, variant)
    levels = list(_levels(game, deals))
    columns = {name: np.concatenate([level[name] for level in levels]) for name in levels[0]}
    return Tree(
        game=game,
        deals=deals,
        chance=chance,
        levels=_slices([len(level["parent"]) for level in levels]),
        view_levels=_slices([len(level["views"]) for level in levels]),
        **columns,
    )


def _levels(game: Game, states: Array) -> Iterator[dict[str, Array]]:
    """The arrays of a tree by name, one level after the other, from the deals down."""
    width = max(map(len, game.choice_names))
    nodes = infosets = 0
    came = dict.fromkeys(("parent", "choice", "mover", "move"), np.full(len(states), NOWHERE))
    came["deal"] = np.arange(len(states))
    while len(states):
        seat = states["seat"].copy()
        choices, payoff = _look_around(game, states)
        views, first, view = _views(states, seat)
        view[seat != NOBODY] += infosets
        legal = _bits(choices, width)
        yield came | {
            "seat": seat,
            "view": view,
            "payoff": payoff,
            "views": views,
            "legal": legal[first],
            "first": first + nodes,
        }
        above, choice = legal.nonzero()
        came = {
            "parent": above + nodes,
            "choice": choice,
            "mover": seat[above],
            "move": view[above] * width + choice,
            "deal": came["deal"][above],
        }
        nodes += len(states)
        infosets += len(views)
        states = states[above]
        play_all(states, choice)


def list_deals(game: Game, variant: str | Variant | None = None) -> tuple[Array, Array]:
    """All distinct first deals of a match, [deals] whole records, and their probabilities.

    The game's layout says which place gets which cards of the deck. The order of the cards inside
    a place is taken to tell nobody anything, which holds for games that deal hands and leave the
    rest alone; so one order stands for all that fill the places alike.
    """
    chosen = game.variant_of(variant)
    matches = game.blank_matches(1, chosen)
    begin_matches(matches, streams(1, 0, "tree"))
    orders = _orders(game, list(game.layout(matches[0]).values()))
    states = game.blank_states(len(orders), chosen)
    deal_orders(states, np.repeat(matches, len(orders)), orders)
    first, number = distinct(states)
    return states[first], np.bincount(number) / len(orders)


def as_numbers(records: Array) -> Array:
    """[records, numbers] the fields of each record in a row; the padding between them is gone."""
    dtype = records.dtype
    columns = [
        records[name].reshape(len(records), prod(dtype[name].shape)) for name in dtype.names or ()
    ]
    return np.concatenate(columns, axis=1, dtype=np.int64)


def distinct(records: Array) -> tuple[Array, Array]:
    """Where each distinct record first occurs, and for every record which of these it equals."""
    rows = as_numbers(records)
    # as byte strings of one length they are sorted many times faster than row by row
    keys = rows.view(np.dtype((np.void, rows.shape[1] * rows.itemsize))).ravel()
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    return first, number


def _orders(game: Game, layout: Sequence[Sequence[int]]) -> Array:
    """[arrangements, cards] one order of the deck for each way to fill the places."""
    sizes = [len(positions) for positions in layout]
    cards = sum(sizes)
    count = factorial(cards) // prod(map(factorial, sizes))
    if count > MOST_DEALS:
        raise BadBudget(
            f"{game.name}: a whole tree takes at most {MOST_DEALS:,} deals, not {count:.3g}"
        )
    orders = np.empty((count, cards), dtype=np.int64)
    positions = [position for place in layout for position in place]
    orders[:, positions] = list(_arrangements(sizes, range(cards)))
    return orders


def _arrangements(sizes: Sequence[int], cards: Sequence[int]) -> Iterator[list[int]]:
    """The cards put into places of these sizes in every way, place after place."""
    if not sizes:
        yield []
        return
    for chosen in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in chosen]
        for others in _arrangements(sizes[1:], rest):
            yield [*chosen, *others]


def _look_around(game: Game, states: Array) -> tuple[Array, Array]:
    """For each node the legal choices as bits, 0 at the end, and the payoffs [nodes, seats]."""
    choices = np.empty(len(states), dtype=np.int64)
    payoff = np.empty((len(states), game.seats), dtype=np.int64)
    legal_all(states, choices)
    payoffs_all(states, payoff)
    return choices, payoff


def _views(states: Array, seat: Array) -> tuple[Array, Array, Array]:
    """The distinct views of one level, a node for each, and for every node its view."""
    acting = (seat != NOBODY).nonzero()[0]
    views = states[acting]
    hide_all(views, seat[acting])
    first, number = distinct(views)
    view = np.full(len(states), NOWHERE)
    view[acting] = number
    return views[first], acting[first], view


def _bits(choices: Array, width: int) -> Array:
    """Sets of choices spread out, [sets, width], as booleans."""
    spread: Array = (choices[:, np.newaxis] >> np.arange(width) & 1).astype(np.bool_)
    return spread


def _slices(sizes: Sequence[int]) -> tuple[slice, ...]:
    """Slices of these sizes, one after the other."""
    ends = np.cumsum(sizes).tolist()
    return tuple(slice(end - size, end) for end, size in zip(ends, sizes, strict=True))
