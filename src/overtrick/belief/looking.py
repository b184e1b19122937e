"""The look-ahead: worlds weighed by what was predicted, and played on by what is predicted.

A seat that is to choose believes in some worlds: drawn evenly out of all that it cannot rule out,
and weighed by how likely the predictors find what the others have chosen so far. In each world
every choice is tried. The rest of the trick is predicted: all ways in which the others may go on,
or those that are likely enough, each counting as much as it is probable. Behind it the critic
says what the deal is worth. So the merit of a choice is

    U(a) = Σ_w b(w) Σ_lines P(line | w, a) ( R + V )

R is what was won in those tricks and V what the critic expects of the rest; at the end of a deal,
R + V is its payoff. A few worlds tell that with much noise. The actor has learned from very many
such looks, so its word counts as `prior` worlds beside those that are looked at. Choices that fall
behind in the first few worlds are given up.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from typing import Any

import numpy as np

from overtrick.belief.minds import (
    ACTING,
    JUDGING,
    PREDICTING,
    Desk,
    Minds,
    ask_merits,
    ask_value,
    new_desk,
    predict,
)
from overtrick.belief.tables import ahead
from overtrick.engine.playouts import choose_by
from overtrick.engine.worlds import count_all, draw_places, new_puzzle, uniform
from overtrick.games.game import (
    MAX_PLACES,
    Choices,
    Game,
    Row,
    Seat,
    State,
    choice_of,
    deal,
    dealt,
    is_over,
    legal,
    match_around,
    payoffs,
    play,
    seat_of,
    settle,
)
from overtrick.jit import fork, kernel, lowest, popcount, rule
from overtrick.search.beliefs import LEAST_EFFECTIVE, RANDOM_PART

__all__ = [
    "BY_MIND",
    "EVEN",
    "LEARNED",
    "NONE",
    "Looker",
    "Looking",
    "Room",
    "ask_actor",
    "look_ahead",
    "new_looker",
    "new_room",
    "weigh_deal",
    "weigh_view",
]

Floats = np.ndarray[Any, np.dtype[Any]]
Room = tuple[Any, ...]
Looker = tuple[Minds, Desk, Row, Floats, Room]

ROOM = 4  # in a looker
BY_MIND = -2  # the level that stands for predictors that were learned
NONE, EVEN, LEARNED = range(3)  # beliefs
WORLDS, CANDIDATES, TRICKS, LEVEL, BELIEF, LINES, TRIAL = range(7)  # of the facts
LEAST, TEMPERATURE, GAP, REACH, PRIOR, HEAT = range(6)  # of the limits
PUZZLE, DRAWN, REPLAY, MATCH, STACK, PROBABLE, LEFT, SHARE, DONE, WON, AHEAD, FOUND, ORDER = range(
    13
)
LOGS, COUNTS, CHANCE, LEAN, LOOKED = range(13, 18)


@dataclass(frozen=True)
class Looking:
    """How far and how often to look."""

    worlds: int = 16  # in which choices are tried
    candidates: int = 32  # out of which these are drawn by weight
    tricks: int = 1  # predicted, that on the table included
    level: int = BY_MIND  # who is taken to choose: the predictors, or a rulebook
    belief: int = LEARNED
    least: float = 0.25  # how probable a line must be to be followed apart; 0 for all of them
    lines: int = 64  # that are followed apart at most
    trial: int = 4  # worlds after which choices may be given up
    gap: float = 0.15  # that a choice is then behind, as a share of a large payoff
    temperature: float = 1.0  # of predictions
    prior: float = 0.0  # worlds that the actor's word counts for
    heat: float = 0.05  # by which the actor's merits are divided, as a share of a large payoff

    def facts(self) -> Row:
        """Whole numbers for kernels."""
        candidates = max(self.candidates, self.worlds) if self.belief == LEARNED else self.worlds
        told = (self.worlds, candidates, self.tricks, self.level, self.belief)
        return np.array([*told, self.lines, self.trial], dtype=np.int64)

    def limits(self, reach: float) -> Floats:
        """The other numbers."""
        told = (self.least, self.temperature, self.gap, reach, self.prior, self.heat)
        return np.array(told)


def new_room(game: Game, how: Looking) -> Room:
    """Room for one thread to look ahead in."""
    depth = game.longest + 2
    most = int(how.facts()[CANDIDATES])
    return (
        new_puzzle(),
        np.zeros(most, dtype=game.state),
        np.zeros(1, dtype=game.state),
        np.zeros(1, dtype=game.match),
        np.zeros(depth, dtype=game.state),
        np.zeros((depth, 64)),
        np.zeros(depth, dtype=np.int64),
        np.zeros(depth),
        np.zeros(depth, dtype=np.int64),
        np.zeros(game.seats, dtype=np.int64),
        np.zeros(game.seats),
        np.zeros(MAX_PLACES, dtype=np.int64),
        np.zeros(len(game.deck), dtype=np.int64),
        np.zeros(most),
        np.zeros(most, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.zeros(64),
        np.zeros(64),
    )


# ---------------------------------------------------------------------------- predictions


@rule
def expect(
    state: State,
    choices: Choices,
    viewer: Seat,
    looker: Any,
    people: Row,
    stream: Row,
    chances: Floats,
) -> None:
    """Write how probable each of these choices is: of another's by a predictor, else by the actor.

    By a rulebook, all but a random part is on what it chooses.
    """
    minds, desk, facts, limits, _ = looker
    if facts[LEVEL] != BY_MIND:
        chosen = choose_by(state, facts[LEVEL], stream)
        each = RANDOM_PART / popcount(choices)
        rest = choices
        while rest:
            choice = lowest(rest)
            rest &= rest - 1
            chances[choice] = each + (1.0 - RANDOM_PART) * (choice == chosen)
    elif state.seat == viewer:
        predict(state, choices, minds[1], desk[ACTING], 0, 1.0, desk, chances)
    else:
        person = people[state.seat]
        heat = limits[TEMPERATURE]
        predict(state, choices, minds[0], desk[PREDICTING], person, heat, desk, chances)


# ---------------------------------------------------------------------------- the belief


@rule
def log_likelihood(
    world: State,
    viewer: Seat,
    looker: Any,
    people: Row,
    stream: Row,
) -> float:
    """The logarithm of how likely the predictors find what the others have chosen in a world."""
    room = looker[ROOM]
    order, replay, chances = room[ORDER], room[REPLAY][0], room[PROBABLE][0]
    dealt(world, order)
    room[REPLAY][0] = world
    match_around(world, room[MATCH][0])
    deal(replay, room[MATCH][0], order)
    total = 0.0
    for turn in range(world.turn):
        event = int(world.history[turn])
        choice = choice_of(event)
        if seat_of(event) != viewer:
            choices = legal(replay)
            if choices & choices - 1:
                expect(replay, choices, viewer, looker, people, stream, chances)
                even = RANDOM_PART / popcount(choices)
                total += log(even + (1.0 - RANDOM_PART) * chances[choice])
        play(replay, choice)
    return total


@rule
def effective_of(logs: Floats, size: int, power: float, most: float) -> float:
    total, squares = 0.0, 0.0
    for number in range(size):
        weight = exp(power * (logs[number] - most))
        total += weight
        squares += weight * weight
    return total * total / squares


@rule
def weigh_candidates(logs: Floats, size: int) -> None:
    """Turn logarithms into weights that sum to 1: flattened until enough count, a part even."""
    most = logs[0]
    for number in range(1, size):
        most = max(most, logs[number])
    power = 1.0
    if effective_of(logs, size, 1.0, most) < LEAST_EFFECTIVE * size:
        low, high = 0.0, 1.0
        for _ in range(8):
            power = (low + high) / 2
            if effective_of(logs, size, power, most) < LEAST_EFFECTIVE * size:
                high = power
            else:
                low = power
        power = low
    total = 0.0
    for number in range(size):
        logs[number] = exp(power * (logs[number] - most))
        total += logs[number]
    for number in range(size):
        logs[number] = (1.0 - RANDOM_PART) * logs[number] / total + RANDOM_PART / size


@rule
def believe(
    view: State,
    looker: Any,
    people: Row,
    stream: Row,
) -> int:
    """Draw worlds of a view, with how often each counts; how many were drawn, 0 if none can be."""
    _, _, facts, _, room = looker
    worlds, logs, counts, chance = room[DRAWN], room[LOGS], room[COUNTS], room[CHANCE]
    size, wanted = facts[CANDIDATES], facts[WORLDS]
    if count_all(view, room[PUZZLE][0]) <= 0.0:
        return 0
    for number in range(size):
        fork(stream, number, chance)
        worlds[number] = view
        draw_places(room[PUZZLE][0], room[FOUND], chance)
        settle(worlds[number], room[FOUND], chance)
        counts[number] = 1
        logs[number] = 1.0 / size
    if facts[BELIEF] == LEARNED and size > 1:
        for number in range(size):
            fork(stream, size + number, chance)
            logs[number] = log_likelihood(worlds[number], view.viewer, looker, people, chance)
        weigh_candidates(logs, size)
        fork(stream, 2 * size, chance)
        reached, taken = uniform(chance), 0
        for number in range(size):
            reached += logs[number] * wanted
            counts[number] = int(reached) - taken
            taken = int(reached)
    return int(size)


# ---------------------------------------------------------------------------- one world


@rule
def leaf_worth(state: State, viewer: Seat, looker: Any) -> float:
    """What a whole deal is worth to the viewer: its payoff, or what the critic expects."""
    minds, desk, _, limits, room = looker
    if is_over(state):
        payoffs(state, room[WON])
        return float(room[WON][viewer] / limits[REACH])
    ahead(state, room[AHEAD])
    value = ask_value(state, viewer, minds[2], desk[JUDGING], desk)
    return float(room[AHEAD][viewer] + value)


@rule
def play_on(state: State, choice: int, done: int) -> int:
    """Make a choice; how many tricks are done with it."""
    before = state.table
    play(state, choice)
    return done + 1 if before and state.table == 0 else done


@rule
def likely_ones(
    chances: Floats, choices: Choices, share: float, least: float, few: bool
) -> Choices:
    """The choices that are followed apart: those whose lines are probable enough, or the best."""
    kept = 0
    best = lowest(choices)
    rest = choices
    while rest:
        choice = lowest(rest)
        rest &= rest - 1
        if chances[choice] > chances[best]:
            best = choice
        if not few and share * chances[choice] >= least:
            kept |= 1 << choice
    return kept | 1 << best


@rule
def worth_behind(
    viewer: Seat,
    looker: Any,
    people: Row,
    stream: Row,
) -> float:
    """What the deal on the bottom of the stack is worth, all that is predicted weighed."""
    _, _, facts, limits, room = looker
    stack, chances, left, share, done = (
        room[STACK],
        room[PROBABLE],
        room[LEFT],
        room[SHARE],
        room[DONE],
    )
    total, lines = 0.0, 1
    depth = 0
    share[0] = 1.0
    is_new = True
    while depth >= 0:
        state = stack[depth]
        if is_new:
            left[depth] = 0
            while not is_over(state) and done[depth] < facts[TRICKS] and left[depth] == 0:
                choices = legal(state)
                if choices & choices - 1 == 0:
                    done[depth] = play_on(state, lowest(choices), done[depth])
                    continue
                row = chances[depth]
                expect(state, choices, viewer, looker, people, stream, row)
                kept = likely_ones(row, choices, share[depth], limits[LEAST], lines >= facts[LINES])
                if kept & kept - 1 == 0:
                    done[depth] = play_on(state, lowest(kept), done[depth])
                else:
                    left[depth] = kept
                    normalise(row, kept)
                    lines += popcount(kept) - 1
            if left[depth] == 0:
                total += share[depth] * leaf_worth(state, viewer, looker)
                depth -= 1
                is_new = False
                continue
        if left[depth] == 0:
            depth -= 1
            is_new = False
            continue
        choice = lowest(left[depth])
        left[depth] &= left[depth] - 1
        stack[depth + 1] = state
        share[depth + 1] = share[depth] * chances[depth, choice]
        done[depth + 1] = play_on(stack[depth + 1], choice, done[depth])
        depth += 1
        is_new = True
    return total


@rule
def normalise(chances: Floats, choices: Choices) -> None:
    total = 0.0
    rest = choices
    while rest:
        total += chances[lowest(rest)]
        rest &= rest - 1
    while choices:
        chances[lowest(choices)] /= total
        choices &= choices - 1


# ---------------------------------------------------------------------------- all choices


@rule
def ask_actor(
    view: State, choices: Choices, minds: Any, desk: Any, limits: Floats, lean: Floats
) -> None:
    """Write what the actor says of each choice, [64]: by how much it pays more than they do."""
    ask_merits(view, choices, minds[1], desk[ACTING], 0, desk, lean)
    mean, rest = 0.0, choices
    while rest:
        mean += lean[lowest(rest)] / popcount(choices)
        rest &= rest - 1
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        lean[choice] = limits[HEAT] * (lean[choice] - mean)


@rule
def give_up(
    merits: Floats, lean: Floats, choices: Choices, seen: float, prior: float, gap: float
) -> Choices:
    """The choices that are not far behind the best."""
    best = -np.inf
    rest = choices
    while rest:
        choice = lowest(rest)
        rest &= rest - 1
        best = max(best, (merits[choice] + prior * lean[choice]) / (seen + prior))
    kept = 0
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        if (merits[choice] + prior * lean[choice]) / (seen + prior) >= best - gap:
            kept |= 1 << choice
    return kept


@rule
def settle_merits(
    merits: Floats,
    looked: Floats,
    lean: Floats,
    choices: Choices,
    gone: Choices,
    seen: float,
    prior: float,
) -> None:
    """Turn sums over worlds into means, with the actor's word; those given up are means already.

    The means alone are left in `looked`.
    """
    alive = choices & ~gone
    base, rest = 0.0, alive
    while rest:
        choice = lowest(rest)
        rest &= rest - 1
        merits[choice] /= seen
        base += (merits[choice] - lean[choice]) / popcount(alive)
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        looked[choice] = merits[choice]
        merits[choice] = (seen * merits[choice] + prior * (base + lean[choice])) / (seen + prior)


@rule
def weigh_view(
    view: State,
    choices: Choices,
    looker: Any,
    people: Row,
    stream: Row,
    merits: Floats,
) -> Choices:
    """Write the merit of each of these choices, [64], as shares of a large payoff.

    Gives back the choices that were tried in all worlds; the merits of the others are from the
    first worlds only. Without belief they are what the actor says, and no world is looked at. What
    the worlds said without the actor's word is left in the room: it is what the actor learns from.
    """
    minds, desk, facts, limits, room = looker
    viewer = view.viewer
    size = 0
    if facts[BELIEF] != NONE:
        size = believe(view, looker, people, stream)
    lean, looked, prior = room[LEAN], room[LOOKED], limits[PRIOR]
    if size == 0:
        ask_actor(view, choices, minds, desk, limits, merits)
        rest = choices
        while rest:
            looked[lowest(rest)] = merits[lowest(rest)]
            rest &= rest - 1
        return choices
    rest = choices
    while rest:
        merits[lowest(rest)] = 0.0
        lean[lowest(rest)] = 0.0
        rest &= rest - 1
    if prior > 0.0:
        ask_actor(view, choices, minds, desk, limits, lean)
    counts, chance, stack = room[COUNTS], room[CHANCE], room[STACK]
    alive, seen, tried = choices, 0.0, 0
    for number in range(size):
        if counts[number] == 0:
            continue
        rest = alive
        while rest:
            choice = lowest(rest)
            rest &= rest - 1
            fork(stream, 3 * size + number, chance)
            stack[0] = room[DRAWN][number]
            room[DONE][0] = play_on(stack[0], choice, 0)
            worth = worth_behind(viewer, looker, people, chance)
            merits[choice] += counts[number] * worth
        seen += counts[number]
        tried += 1
        if tried >= facts[TRIAL] and limits[GAP] > 0.0 and alive & alive - 1:
            kept = give_up(merits, lean, alive, seen, prior, limits[GAP])
            gone = alive & ~kept
            while gone:
                merits[lowest(gone)] /= seen
                gone &= gone - 1
            alive = kept
            if alive & alive - 1 == 0:
                break
    settle_merits(merits, looked, lean, choices, choices & ~alive, seen, prior)
    return alive


@rule
def weigh_deal(
    state: State, choices: Choices, looker: Any, people: Row, stream: Row, merits: Floats
) -> None:
    """Write the merit of each choice of the seat to act in a whole deal, [64].

    For tables at which all cards are known, such as those that are learned from: the hidden ones
    are as likely as such play makes them, so over many deals the merits are those of the views.
    """
    room = looker[ROOM]
    seat = state.seat
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        fork(stream, 0, room[CHANCE])
        room[STACK][0] = state
        room[DONE][0] = play_on(room[STACK][0], choice, 0)
        merits[choice] = worth_behind(seat, looker, people, room[CHANCE])


@kernel
def look_ahead(views: Any, looker: Any, people: Any, streams: Any, merits: Any, tried: Row) -> None:
    """`weigh_view` for many views: merits [n, 64] and which choices were tried in all worlds."""
    for number in range(len(views)):
        view = views[number]
        tried[number] = weigh_view(
            view, legal(view), looker, people[number], streams[number], merits[number]
        )


@kernel
def believed_worlds(views: Any, looker: Any, people: Row, stream: Row) -> int:
    """Leave the candidates of views[0] and their weights in the room; how many there are."""
    return believe(views[0], looker, people, stream)


def new_looker(game: Game, minds: Minds, how: Looking, reach: float) -> Looker:
    """Minds, with all that one thread needs to look ahead by them."""
    return minds, new_desk(game, minds), how.facts(), how.limits(reach), new_room(game, how)
