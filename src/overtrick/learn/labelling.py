"""Labels: what every legal choice of a view pays on average, as a search finds it in worlds.

The teacher is PIMC: all choices of a view meet the same worlds and, in each, the same chance, so
the difference of two choices is known far better than what either is worth. Worlds may be drawn
by belief: several candidates for each one wanted, weighed as `overtrick.search.beliefs` tells.

A whole deal is played and labelled inside one kernel. The views of one deal have much in common,
so it may be better to label only some of them, and have the player of the playouts choose in the
others: that costs nothing, and there are more deals. Few worlds do for a label, as a net averages
over many views; what single ones pretend is held back by some trust in the player of the playouts:
what it would choose pays a little on top. Deal number n of a seed is the same wherever
it is played, so deals can be cut into lots and shared out among threads or machines.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from math import exp, floor
from typing import Any

import numpy as np

from overtrick.arena.boards import MOST_TURNS, deals_of
from overtrick.engine.playouts import RANDOM, choose_by
from overtrick.engine.worlds import check_ways, count_all, draw_places, new_puzzle, uniform
from overtrick.games import load_game
from overtrick.games.game import (
    MAX_PLACES,
    Choices,
    Game,
    Row,
    State,
    any_choice,
    deck_size,
    hide,
    is_over,
    legal,
    play,
    settle,
)
from overtrick.jit import below, fork, kernel, lowest, rule, stream
from overtrick.learn.samples import Samples
from overtrick.learn.workers import Workers
from overtrick.players.guiding import usual_endgame
from overtrick.players.levels import level_player, playout_player
from overtrick.search.beliefs import EVENLY, LEAST_EFFECTIVE, RANDOM_PART, log_likelihood
from overtrick.search.leaves import THOUSAND, leaf_room, leaf_value
from overtrick.search.thinking import MOST_CHOICES

__all__ = ["Teacher", "label_deals", "label_lot", "usual_teacher"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]

WORLDS, CANDIDATES, LEVEL, NOISE, ENDGAME, BELIEF, LABELLED, BY_CHANCE, TRUST = range(9)
DRAWING, PLAYING, CHOOSING = range(3)  # children of the stream of a choice
STEPS = 12  # halvings that flatten weights
PART = 1000  # deals of one task

_OWN = threading.local()


@dataclass(frozen=True)
class Teacher:
    """Who labels, and who plays the deals that are labelled."""

    worlds: int  # in which every choice is played out
    level: int  # of the playouts
    noise: int = 0  # thousandths of their choices that are random
    endgame: int = 0  # so many last tricks are exact
    belief: int = EVENLY  # the level that the others are taken for
    candidates: int = 1  # worlds drawn for each one that is taken, when they are weighed
    labelled: int = 1000  # thousandths of the choices that the teacher labels and makes
    by_chance: int = 0  # thousandths that are random after all
    trust: int = 0  # thousandths of a payoff that the choice of the playouts' player gets on top
    variant: str = ""

    @property
    def drawn(self) -> int:
        """Worlds drawn for a view."""
        return self.worlds * (1 if self.belief == EVENLY else self.candidates)


# ---------------------------------------------------------------------------- beliefs


@rule
def raise_weights(logs: Floats, power: float, weights: Floats) -> float:
    """Write the likelihoods to a power; the share of the worlds that these weights are worth."""
    most = logs.max()
    total, squares = 0.0, 0.0
    for number in range(len(logs)):
        weight = exp(power * (logs[number] - most))
        weights[number] = weight
        total += weight
        squares += weight * weight
    for number in range(len(logs)):
        weights[number] /= total
    return total * total / squares / len(logs)


@rule
def flatten_weights(logs: Floats, weights: Floats) -> None:
    """Write what `flattened` gives: likelihoods flattened until enough count, a part even."""
    if raise_weights(logs, 1.0, weights) < LEAST_EFFECTIVE:
        low, high = 0.0, 1.0
        for _ in range(STEPS):
            power = (low + high) / 2
            if raise_weights(logs, power, weights) < LEAST_EFFECTIVE:
                high = power
            else:
                low = power
        raise_weights(logs, low, weights)
    for number in range(len(logs)):
        weights[number] = (1 - RANDOM_PART) * weights[number] + RANDOM_PART / len(logs)


@rule
def draw_believed(view: State, facts: Row, desk: Any, chances: Row) -> float:
    """Draw worlds of a view, and how often each counts: `facts[WORLDS]` times in all.

    Gives back how many worlds there are, as `draw_worlds`.
    """
    puzzle, worlds, replays, matches, logs, weights, counts = desk
    ways = count_all(view, puzzle[0])
    if ways <= 0.0:
        return ways
    found = np.empty(MAX_PLACES, dtype=np.int64)
    order = np.empty(deck_size(view), dtype=np.int64)
    for number in range(len(worlds)):
        worlds[number] = view
        draw_places(puzzle[0], found, chances)
        settle(worlds[number], found, chances)
        counts[number] = 1
    if facts[BELIEF] != EVENLY:
        for number in range(len(worlds)):
            replays[0] = view
            logs[number] = log_likelihood(
                worlds[number], view.viewer, facts[BELIEF], replays[0], matches[0], order, chances
            )
        flatten_weights(logs, weights)
        total, taken, chance = 0.0, 0, uniform(chances)
        for number in range(len(worlds)):
            total += weights[number]
            counts[number] = floor(total * facts[WORLDS] + chance) - taken
            taken += counts[number]
    return ways


# ---------------------------------------------------------------------------- labels


@rule
def weigh_view(
    view: State, choices: Choices, facts: Row, desk: Any, room: Any, chances: Row, sums: Any
) -> float:
    """Write the sums of what each choice pays each seat in all worlds, [64, seats]."""
    worlds, counts = desk[1], desk[6]
    chance = np.empty(2, dtype=np.int64)
    base = np.empty(2, dtype=np.int64)
    won = np.zeros(len(view.hands), dtype=np.int64)
    fork(chances, DRAWING, chance)
    ways = draw_believed(view, facts, desk, chance)
    if ways <= 0.0:
        return ways
    fork(chances, PLAYING, base)
    stack = room[0]
    sums[:] = 0
    for number in range(len(worlds)):
        rest = choices if counts[number] else 0
        while rest:
            choice = lowest(rest)
            rest &= rest - 1
            stack[0] = worlds[number]
            play(stack[0], choice)
            fork(base, number, chance)
            leaf_value(room, facts[LEVEL], facts[NOISE], facts[ENDGAME], chance, won)
            for seat in range(len(won)):
                sums[choice, seat] += counts[number] * won[seat]
    return ways


@rule
def best_of(choices: Choices, sums: Any, seat: int) -> int:
    """The choice that pays a seat most; of equal ones the lowest."""
    best = lowest(choices)
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        if sums[choice, seat] > sums[best, seat]:
            best = choice
    return best


@rule
def write_label(
    choices: Choices, seat: int, best: int, sums: Any, worlds: int, means: Floats, paid: Floats
) -> None:
    """Write what each choice pays a seat, and what the best one pays every seat."""
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        means[choice] = sums[choice, seat] / worlds
    for other in range(len(paid)):
        paid[other] = sums[best, other] / worlds


@kernel
def play_and_label(
    states: Any,
    parent: Row,
    first: int,
    facts: Row,
    desk: Any,
    room: Any,
    views: Any,
    deals: Any,
    legals: Row,
    means: Any,
    paid: Any,
    ways: Floats,
) -> int:
    """Play deals to their end, and label some of their choices; how many these are.

    Writes the deals as they then stood, their legal choices, what each of those pays the seat to
    act, [n, 64], and what the best one pays every seat, [n, seats]. If worlds cannot be drawn, it
    ends, and ways[0] tells why.
    """
    chances = np.empty(2, dtype=np.int64)
    chance = np.empty(2, dtype=np.int64)
    sums = np.zeros((MOST_CHOICES, paid.shape[1]), dtype=np.int64)
    count = 0
    for number in range(len(states)):
        state = states[number]
        while not is_over(state):
            choices = legal(state)
            if choices & choices - 1 == 0:
                play(state, lowest(choices))
                continue
            fork(parent, (first + number) * MOST_TURNS + state.turn, chances)
            fork(chances, CHOOSING, chance)
            is_labelled = below(chance, THOUSAND) < facts[LABELLED]
            is_random = below(chance, THOUSAND) < facts[BY_CHANCE]
            book = choose_by(state, facts[LEVEL], chance)
            chosen = book
            if is_labelled:
                seat = state.seat
                deals[count] = state
                views[0] = state
                hide(views[0], seat)
                ways[0] = weigh_view(views[0], choices, facts, desk, room, chances, sums)
                if ways[0] <= 0.0:
                    return count
                chosen = best_of(choices, sums, seat)
                legals[count] = choices
                write_label(choices, seat, chosen, sums, facts[WORLDS], means[count], paid[count])
                means[count, book] += facts[TRUST] / THOUSAND
                count += 1
            if is_random:
                chosen = any_choice(state, chance)
            play(state, chosen)
    return count


def usual_teacher(
    game: Game,
    reach: float,
    *,
    worlds: int = 8,
    playout: str = "",
    noise: int = 100,
    endgame: int = -1,
    belief: str = "",
    candidates: int = 4,
    labelled: int = 250,
    by_chance: int = 100,
    trust: float = 0.1,
    variant: str = "",
) -> Teacher:
    """Who labels: by the game's usual settings of searching players where none are told.

    Trust is counted in a net's reach.
    """
    level = playout_player(game, playout).level
    model = belief or game.search_defaults.get("belief", "none")
    return Teacher(
        worlds,
        level,
        noise=noise,
        endgame=usual_endgame(game) if endgame < 0 else endgame,
        belief=EVENLY if model == "none" else level_player(game, model).level,
        candidates=candidates,
        labelled=labelled,
        by_chance=by_chance,
        trust=0 if level == RANDOM else round(THOUSAND * trust * reach),
        variant=variant,
    )


def label_deals(game: Game, teacher: Teacher, *, seed: int, first: int, count: int) -> Samples:
    """Play and label deals `first` to `first + count - 1`.

    The samples' policy is what each choice pays the viewer, trust included, and their payoffs are
    what the best choice pays every seat.
    """
    states = deals_of(game, teacher.variant, stream(seed, "training", game.name), first, count)
    room = Samples.blank(game, count * game.longest)
    ways = np.ones(1)
    size = play_and_label(
        states,
        stream(seed, "training choices", game.name),
        first,
        _facts(teacher),
        _desk(game, teacher),
        leaf_room(game, teacher.endgame),
        np.empty(1, dtype=game.state),
        room.deals,
        room.legal,
        room.policy,
        room.payoffs,
        ways,
    )
    check_ways(ways[0])
    return room.take(np.arange(size))


def label_some(game: str, teacher: Teacher, seed: int, first: int, count: int) -> Samples:
    """`label_deals` for workers anywhere."""
    return label_deals(load_game(game), teacher, seed=seed, first=first, count=count)


def label_lot(
    workers: Workers, game: Game, teacher: Teacher, *, seed: int, first: int, count: int
) -> Samples:
    """`label_deals` by all workers."""
    part = min(PART, -(-count // (4 * workers.count)))
    jobs = [
        (game.name, teacher, seed, n, min(part, first + count - n))
        for n in range(first, first + count, max(part, 1))
    ]
    return Samples.joined([Samples.none(game), *workers.run(label_some, jobs)])


def _facts(teacher: Teacher) -> Row:
    told = (teacher.worlds, teacher.drawn // teacher.worlds, teacher.level, teacher.noise)
    behaviour = (teacher.labelled, teacher.by_chance, teacher.trust)
    return np.array([*told, teacher.endgame, teacher.belief, *behaviour], dtype=np.int64)


def _desk(game: Game, teacher: Teacher) -> Any:
    """Room for the calling thread to draw worlds in."""
    if not hasattr(_OWN, "puzzle"):
        _OWN.puzzle = new_puzzle()
    size = teacher.drawn
    return (
        _OWN.puzzle,
        np.zeros(size, dtype=game.state),
        np.zeros(1, dtype=game.state),
        np.zeros(1, dtype=game.match),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size, dtype=np.int64),
    )
