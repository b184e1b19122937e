"""Kernels of traversals: play on to the next branching, branch, and carry payoffs back.

Deals stop on their way (`advance_all`) where all or some choices of a seat are to be tried, and
where somebody has to be asked who does not live inside kernels. There they get children, one for
each choice that is tried, or a single one (`count_children`, `list_children`). Once all children
are over, what they paid is carried back (`back_up`).

Shares of choices come from numbers by *regret matching*: in proportion to what is positive; where
nothing is, all on the highest number, shared by equals, so that a net that knows nothing chooses
anything.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.engine.playouts import choose_by
from overtrick.engine.worlds import uniform
from overtrick.games.game import Choices, Row, State, is_over, legal, play
from overtrick.jit import fork, kernel, lowest, popcount, rule
from overtrick.nets.forward import ask_seat

__all__ = [
    "ALL",
    "ASK",
    "BRANCH",
    "BY_NETS",
    "CORRECTED",
    "NOBODY_ELSE",
    "OTHER",
    "OVER",
    "PAPER",
    "advance_all",
    "back_up",
    "count_children",
    "list_children",
    "match_all",
    "name_suits",
]

Floats = np.ndarray[Any, np.dtype[Any]]

OVER, BRANCH, ASK, OTHER = range(4)  # why a deal stops
ALL, PAPER, CORRECTED = range(3)  # which own choices are tried, and what that is taken for
LEVEL, OTHERS, FORCED, FORCED_LEVEL, INSIDE, BEST = range(6)  # columns of facts
BY_NETS = -2  # the level that stands for nets
NOBODY_ELSE = -3  # the level of others who have to be asked
MOST_CHOICES = 64
NAMING, CHILD = range(2)  # children of a stream


@rule
def share_numbers(numbers: Floats, choices: Choices, best: bool, shares: Floats) -> None:
    """Write the shares of choices, [64], by regret matching; with `best` all on the highest."""
    total, most = 0.0, -np.inf
    rest = choices
    while rest:
        choice = lowest(rest)
        rest &= rest - 1
        most = max(most, numbers[choice])
        total += max(numbers[choice], 0.0)
    equals = 0
    rest = choices
    while rest:
        equals += numbers[lowest(rest)] == most
        rest &= rest - 1
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        if total > 0.0 and not best:
            shares[choice] = max(numbers[choice], 0.0) / total
        else:
            shares[choice] = 1.0 / equals if numbers[choice] == most else 0.0


@rule
def draw_share(shares: Floats, choices: Choices, stream: Row) -> int:
    """A choice, drawn by its share."""
    left = uniform(stream)
    found = lowest(choices)
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        if shares[choice] > 0.0:
            found = choice
            left -= shares[choice]
            if left < 0.0:
                break
    return found


@kernel
def match_all(numbers: Any, legals: Row, best: bool, shares: Any) -> None:
    """`share_numbers` for every row, [n, 64]."""
    for number in range(len(numbers)):
        share_numbers(numbers[number], legals[number], best, shares[number])


# ---------------------------------------------------------------------------- on the way


@rule
def branching_share(depth: int, decay: float) -> float:
    """How often a choice is branched that so many came before; always, without a decay."""
    return decay / (decay + depth) if decay > 0.0 else 1.0


@rule
def advance(
    state: State,
    stream: Row,
    depth: int,
    learns: Row,
    branches: int,
    facts: Row,
    decay: float,
    tried: float,
    net: Any,
    desk: Any,
    numbers: Floats,
    shares: Floats,
) -> tuple[int, int, int]:
    """Play on to the next stop: why it stops, choices made before it, and nets asked on the way.

    `learns` tells the seats of learners, `branches` the one among them whose choices are tried, or
    that those of all of them are if it is negative. Of those that may branch by their depth, a part
    `tried` does.
    """
    asked = 0
    while not is_over(state):
        choices = legal(state)
        if choices & choices - 1 == 0:
            play(state, lowest(choices))
            continue
        if state.phase == facts[FORCED]:
            play(state, choose_by(state, facts[FORCED_LEVEL], stream))
            continue
        depth += 1
        seat = state.seat
        if not learns[seat]:
            if facts[OTHERS] == NOBODY_ELSE:
                return OTHER, depth, asked
            play(state, choose_by(state, facts[OTHERS], stream))
            continue
        is_tried = branches < 0 or branches == seat
        if is_tried and uniform(stream) < tried * branching_share(depth - 1, decay):
            return BRANCH, depth, asked
        if not facts[INSIDE]:
            return ASK, depth, asked
        if facts[LEVEL] != BY_NETS:
            play(state, choose_by(state, facts[LEVEL], stream))
            continue
        asked += 1
        ask_seat(state, choices, net, desk, numbers)
        share_numbers(numbers, choices, facts[BEST] != 0, shares)
        play(state, draw_share(shares, choices, stream))
    return OVER, depth, asked


@kernel
def advance_all(
    states: Any,
    streams: Any,
    depths: Row,
    learns: Any,
    branches: Row,
    facts: Row,
    decay: float,
    tried: float,
    net: Any,
    desk: Any,
    stops: Row,
    legals: Row,
) -> int:
    """`advance` for every deal, in place; writes why it stopped and its legal choices.

    Gives back how often nets were asked.
    """
    numbers, shares = np.zeros(MOST_CHOICES), np.zeros(MOST_CHOICES)
    total = 0
    for number in range(len(states)):
        stop, depth, asked = advance(
            states[number],
            streams[number],
            depths[number],
            learns[number],
            branches[number],
            facts,
            decay,
            tried,
            net,
            desk,
            numbers,
            shares,
        )
        stops[number], depths[number] = stop, depth
        legals[number] = 0 if stop == OVER else legal(states[number])
        total += asked
    return total


@kernel
def name_suits(streams: Any, out: Any) -> None:
    """Write the stream by which each deal's suits are renamed."""
    for number in range(len(streams)):
        fork(streams[number], NAMING, out[number])


# ---------------------------------------------------------------------------- children


@kernel
def count_children(stops: Row, legals: Row, draws: int, counts: Row) -> int:
    """Write how many children each deal gets: all choices tried, so many drawn, or one."""
    total = 0
    for number in range(len(stops)):
        counts[number] = 0 if stops[number] == OVER else 1
        if stops[number] == BRANCH:
            counts[number] = draws if draws > 0 else popcount(legals[number])
        total += counts[number]
    return total


@kernel
def list_children(
    stops: Row,
    legals: Row,
    shares: Any,
    streams: Any,
    draws: int,
    epsilon: float,
    parents: Row,
    choices: Row,
    portions: Floats,
    chances: Any,
) -> None:
    """Write the parent, the choice, its share and the stream of every child.

    Where some choices are drawn it is by the shares, any with `epsilon`. Every child has a chance
    of its own: with the same one all would branch again at the same time.
    """
    at = 0
    drawn = np.zeros(MOST_CHOICES)
    for number in range(len(stops)):
        if stops[number] == OVER:
            continue
        rest, stream = legals[number], streams[number]
        if stops[number] != BRANCH:
            parents[at] = number
            choices[at] = draw_share(shares[number], rest, stream)
            fork(stream, CHILD, chances[at])
            at += 1
        elif draws == 0:
            while rest:
                parents[at], choices[at] = number, lowest(rest)
                fork(stream, CHILD + choices[at], chances[at])
                rest &= rest - 1
                at += 1
        else:
            mix_shares(shares[number], rest, epsilon, drawn)
            for draw in range(draws):
                parents[at], choices[at] = number, draw_share(drawn, rest, stream)
                fork(stream, CHILD + draw, chances[at])
                at += 1
    for child in range(at):
        portions[child] = shares[parents[child], choices[child]]


@rule
def mix_shares(shares: Floats, choices: Choices, epsilon: float, mixed: Floats) -> None:
    """Write shares with a part of any choice."""
    count = popcount(choices)
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        mixed[choice] = (1.0 - epsilon) * shares[choice] + epsilon / count


@kernel
def back_up(
    stops: Row,
    seats: Row,
    legals: Row,
    parents: Row,
    choices: Row,
    portions: Floats,
    paid: Any,
    how: int,
    draws: int,
    epsilon: float,
    values: Any,
    told: Any,
) -> None:
    """Carry what children paid, [children, seats], back to their parents.

    `portions` are the shares that the parents had for the children's choices. Writes what each
    parent pays, [n, seats], and, where it branched, the regret of every legal choice to the seat
    that chose, [n, 64]. `values` of branching parents hold a baseline when some
    choices are drawn and `how` is CORRECTED: what a drawn choice pays beyond it is divided by how
    often it would be drawn, and others pay the baseline. By PAPER they pay 0, and have no regret.
    """
    baselines = values.copy()
    for child in range(len(parents)):
        parent, choice = parents[child], choices[child]
        if stops[parent] != BRANCH:
            values[parent] = paid[child]
            continue
        seat, share = seats[parent], portions[child]
        if how == CORRECTED:
            drawn = (1.0 - epsilon) * share + epsilon / popcount(legals[parent])
            weight = 1.0 / (draws * drawn)
            told[parent, choice] += weight * (paid[child, seat] - baselines[parent, seat])
            for other in range(values.shape[1]):
                more = paid[child, other] - baselines[parent, other]
                values[parent, other] += weight * share * more
            continue
        if child == 0 or parents[child - 1] != parent:
            values[parent] = 0.0
        told[parent, choice] = paid[child, seat]  # one that is drawn again is told anew
        if how == ALL:
            for other in range(values.shape[1]):
                values[parent, other] += share * paid[child, other]
    if how == PAPER:
        last = np.zeros((MOST_CHOICES, values.shape[1]))
        weights = np.zeros(MOST_CHOICES)
        made = np.zeros(MOST_CHOICES, dtype=np.int64)
        for child in range(len(parents)):
            parent = parents[child]
            if stops[parent] == BRANCH:
                made[choices[child]] = 1
                last[choices[child]] = paid[child]
                weights[choices[child]] = portions[child]
                if child + 1 == len(parents) or parents[child + 1] != parent:
                    for choice in range(MOST_CHOICES):
                        if made[choice]:
                            values[parent] += weights[choice] * last[choice]
                    for choice in range(MOST_CHOICES):
                        if made[choice]:
                            told[parent, choice] -= values[parent, seats[parent]]
                        made[choice] = 0
        return
    for parent in range(len(stops)):
        if stops[parent] == BRANCH:
            own = values[parent, seats[parent]]
            base = baselines[parent, seats[parent]] if how == CORRECTED else 0.0
            rest = legals[parent]
            while rest:
                told[parent, lowest(rest)] += base - own
                rest &= rest - 1
