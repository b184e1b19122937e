"""Walks through the whole tree of a small game, as regret minimisation takes them.

Nodes are numbered level by level, so a pass from the first to the last meets parents before their
children, and one from the last to the first meets children before their parents. All arrays are
those of `overtrick.engine.tree.Tree`; policies, regrets and sums are flat, [infosets × width], and
`move` tells where a node's last choice stands in them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.engine.worlds import uniform
from overtrick.games.game import Row
from overtrick.jit import kernel, rule

__all__ = ["match_regrets", "sample_chances", "sample_outcomes", "walk_all"]

Floats = np.ndarray[Any, np.dtype[Any]]


@rule
def match_regrets(regrets: Any, legal: Any, shares: Floats) -> None:
    """Write shares in proportion to positive regrets; where there are none, all legal alike."""
    total, count = 0.0, 0
    for choice in range(len(shares)):
        shares[choice] = max(regrets[choice], 0.0) if legal[choice] else 0.0
        total += shares[choice]
        count += legal[choice]
    for choice in range(len(shares)):
        if total > 0.0:
            shares[choice] /= total
        else:
            shares[choice] = 1.0 / count if legal[choice] else 0.0


# ---------------------------------------------------------------------------- the whole tree


@kernel
def walk_all(
    seat: int,
    weight: float,
    plus: bool,
    weights: Floats,
    nodes: Any,
    payoff: Any,
    views: Any,
    legal: Any,
    policy: Any,
    regrets: Any,
    sums: Any,
) -> None:
    """One update of a seat by everything that could happen: regrets, sums and then its policy.

    `nodes` are (parent, mover, move), each [nodes], `views` (seat, first), each [infosets], and
    `weights` tell how often each deal counts. `weight` is that of this iteration in the sums; with
    `plus` regrets never fall below 0.
    """
    parent, mover, move = nodes
    viewer, first = views
    size, width = len(parent), policy.shape[1]
    flat = policy.reshape(-1)
    own, others, worth = np.ones(size), np.ones(size), np.zeros(size)
    for node in range(size):
        above = parent[node]
        if above < 0:
            others[node] = weights[node]
        elif mover[node] == seat:
            own[node] = own[above] * flat[move[node]]
            others[node] = others[above]
        else:
            own[node] = own[above]
            others[node] = others[above] * flat[move[node]]
        worth[node] = payoff[node, seat]
    for node in range(size - 1, len(weights) - 1, -1):
        worth[parent[node]] += worth[node] * flat[move[node]]
    gains = np.zeros(len(flat))
    for node in range(len(weights), size):
        if mover[node] == seat:
            gains[move[node]] += others[node] * worth[node]
    for view in range(len(viewer)):
        if viewer[view] != seat:
            continue
        mean = 0.0
        for choice in range(width):
            sums[view, choice] += weight * own[first[view]] * policy[view, choice]
            mean += policy[view, choice] * gains[view * width + choice]
        for choice in range(width):
            if legal[view, choice]:
                grown = regrets[view, choice] + gains[view * width + choice] - mean
                regrets[view, choice] = max(grown, 0.0) if plus else grown
        match_regrets(regrets[view], legal[view], policy[view])


# ---------------------------------------------------------------------------- sampled


@rule
def drawn_from(shares: Floats, stream: Row) -> int:
    """The number of a choice, drawn by its share."""
    left = uniform(stream)
    last = 0
    for choice in range(len(shares)):
        if shares[choice] > 0.0:
            last = choice
            left -= shares[choice]
            if left < 0.0:
                break
    return last


@rule
def child_of(node: int, choice: int, children: Row, legal: Any) -> int:
    """The node behind a choice; those of one node follow each other."""
    at: int = children[node]
    for lower in range(choice):
        at += legal[lower]
    return at


@kernel
def sample_chances(
    iterations: int,
    seats: int,
    longest: int,
    chance: Floats,
    children: Row,
    actor: Row,
    view_of: Row,
    payoff: Any,
    legal: Any,
    regrets: Any,
    sums: Any,
    stream: Row,
) -> int:
    """External sampling: one deal a walk, one choice of the others, all choices of the seat.

    An iteration is a walk for every seat. Sums grow where the seat after it chooses. Gives back how
    many nodes were met.
    """
    width = legal.shape[1]
    frames = np.zeros(longest + 1, dtype=np.int64)  # the seat's nodes above, and where they stand
    nexts = np.zeros(longest + 1, dtype=np.int64)
    shares = np.zeros((longest + 1, width))
    values = np.zeros((longest + 1, width))
    other = np.zeros(width)
    met = 0
    for number in range(iterations * seats):
        seat = number % seats
        node, depth, value = drawn_from(chance, stream), 0, 0.0
        arrived = True
        while True:
            if arrived:
                met += 1
                if actor[node] < 0:
                    value = payoff[node, seat]
                    arrived = False
                    continue
                view = view_of[node]
                if actor[node] != seat:
                    match_regrets(regrets[view], legal[view], other)
                    if actor[node] == (seat + 1) % seats:
                        for choice in range(width):
                            sums[view, choice] += other[choice]
                    node = child_of(node, drawn_from(other, stream), children, legal[view])
                    continue
                frames[depth], nexts[depth] = node, -1
                match_regrets(regrets[view], legal[view], shares[depth])
                depth += 1
            else:
                if depth == 0:
                    break
                values[depth - 1, nexts[depth - 1]] = value
            # the next choice of the lowest frame, or its value if there is none left
            frame = depth - 1
            view = view_of[frames[frame]]
            choice = nexts[frame] + 1
            while choice < width and not legal[view, choice]:
                choice += 1
            if choice < width:
                nexts[frame] = choice
                node = child_of(frames[frame], choice, children, legal[view])
                arrived = True
                continue
            value = 0.0
            for one in range(width):
                value += shares[frame, one] * values[frame, one] if legal[view, one] else 0.0
            for one in range(width):
                if legal[view, one]:
                    regrets[view, one] += values[frame, one] - value
            depth -= 1
            arrived = False
    return met


@kernel
def sample_outcomes(
    iterations: int,
    seats: int,
    longest: int,
    epsilon: float,
    chance: Floats,
    children: Row,
    actor: Row,
    view_of: Row,
    payoff: Any,
    legal: Any,
    regrets: Any,
    sums: Any,
    stream: Row,
) -> int:
    """Outcome sampling: one line of play a walk, weighed by how likely it was to be drawn.

    The seat of a walk makes any choice with probability `epsilon`. Gives back how many nodes were
    met.
    """
    width = legal.shape[1]
    path = np.zeros(longest + 1, dtype=np.int64)
    chosen = np.zeros(longest + 1, dtype=np.int64)
    reaches = np.ones((longest + 2, 3))  # of the seat, of all others and chance, of the draw
    drawn = np.zeros(longest + 1)
    shares = np.zeros((longest + 1, width))
    mixed = np.zeros(width)
    met = 0
    for number in range(iterations * seats):
        seat = number % seats
        node, depth = drawn_from(chance, stream), 0
        reaches[0, 0], reaches[0, 1], reaches[0, 2] = 1.0, chance[node], chance[node]
        while actor[node] >= 0:
            view = view_of[node]
            match_regrets(regrets[view], legal[view], shares[depth])
            is_own = actor[node] == seat
            count = legal[view].sum()
            for choice in range(width):
                mixed[choice] = shares[depth, choice]
                if is_own and legal[view, choice]:
                    mixed[choice] = (1 - epsilon) * shares[depth, choice] + epsilon / count
            choice = drawn_from(mixed, stream)
            path[depth], chosen[depth], drawn[depth] = node, choice, mixed[choice]
            for kind in range(3):
                reaches[depth + 1, kind] = reaches[depth, kind]
            reaches[depth + 1, 0 if is_own else 1] *= shares[depth, choice]
            reaches[depth + 1, 2] *= mixed[choice]
            node = child_of(node, choice, children, legal[view])
            depth += 1
        met += depth + 1
        value = float(payoff[node, seat])
        for at in range(depth - 1, -1, -1):
            view, choice = view_of[path[at]], chosen[at]
            paid = value / drawn[at]  # what is not drawn counts as 0
            value = shares[at, choice] * paid
            if actor[path[at]] != seat:
                continue
            weight = reaches[at, 1] / reaches[at, 2]
            for one in range(width):
                if legal[view, one]:
                    gain = paid if one == choice else 0.0
                    regrets[view, one] += weight * (gain - value)
                    sums[view, one] += reaches[at, 0] * shares[at, one] / reaches[at, 2]
    return met
