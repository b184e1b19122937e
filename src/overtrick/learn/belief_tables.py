"""Tables at which believing players learn: who sits there, and what is kept of their deals.

A seat has a rulebook, random choices, or a learner that looks ahead with the minds as they are.
A learner draws among its choices by the soft-max of their merits, so that it meets more than what
it thinks best. It looks at worlds that it believes in, or is told afterwards what each choice was
worth in the deal itself: then it chooses by its actor alone. Kept are choices, with the merits
that a learner found, and whole deals as they stood after each trick. Deal number n of a seed is the
same wherever it is played.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from math import exp
from typing import Any

import numpy as np

from overtrick.arena.boards import deals_of
from overtrick.belief.looking import (
    LOOKED,
    ROOM,
    Looker,
    Looking,
    ask_actor,
    new_looker,
    play_on,
    weigh_deal,
    weigh_view,
)
from overtrick.belief.minds import Minds
from overtrick.belief.tables import ready
from overtrick.engine.playouts import choose_by
from overtrick.engine.worlds import uniform
from overtrick.games import load_game
from overtrick.games.game import (
    Choices,
    Game,
    Row,
    any_choice,
    hide,
    is_over,
    legal,
    payoffs,
)
from overtrick.jit import below, fork, kernel, lowest, rule, stream
from overtrick.learn.workers import Workers
from overtrick.search.leaves import THOUSAND

__all__ = ["LEARNER", "Kept", "Seats", "play_lot", "play_tables"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]

LEARNER = -9  # in the place of a level
KEPT, STRAY, OPEN = range(3)
PART = 100  # deals of one task with learners; others come by many more
MANY = 2000
_OWN = threading.local()


@dataclass(frozen=True)
class Seats:
    """Who sits at the tables, and how they play; plain data, so that workers can have it."""

    levels: tuple[int, ...]  # of those who are no learners; a table has one of them
    learners: tuple[int, ...] = (0,)  # how many learners a table may have, each as often
    how: Looking = field(default_factory=Looking)
    reach: float = 1.0
    explore: float = 0.05  # the temperature of a learner's choices, as a share of a large payoff
    kept: int = 1000  # thousandths of the choices that are
    stray: int = 0  # thousandths of the deals in which one choice is random
    is_open: bool = False  # merits are those of the deal, and choices by the actor
    variant: str = ""


@dataclass(frozen=True)
class Kept:
    """What is learned from."""

    choices: Records  # [n] whole deals before a choice
    legal: Row  # [n]
    chosen: Row  # [n]
    learned: Row  # [n] 1 where a learner chose
    merits: Floats  # [n, 64] as the learner found them in its worlds, or the deal; 0 for others
    tricks: Records  # [m] whole deals after a trick
    numbers: Row  # [m] of their deals, from 0
    paid: Floats  # [deals, seats] in the game's payoffs
    seating: Row  # [deals, seats] LEARNER or a level

    @staticmethod
    def joined(parts: list[Kept]) -> Kept:
        """All of several lots, in their order."""
        firsts = np.cumsum([0, *(len(part.paid) for part in parts[:-1])])
        columns = {}
        for name in Kept.__dataclass_fields__:
            rows = [getattr(part, name) for part in parts]
            columns[name] = np.concatenate(rows).view(rows[0].dtype)  # still records
        del columns["numbers"]
        numbers = [part.numbers + first for part, first in zip(parts, firsts, strict=True)]
        return Kept(numbers=np.concatenate(numbers), **columns)


@rule
def draw_by_merit(merits: Floats, choices: Choices, heat: float, chance: Row) -> int:
    """A choice drawn from the soft-max of merits over the heat."""
    most = -np.inf
    rest = choices
    while rest:
        most = max(most, merits[lowest(rest)])
        rest &= rest - 1
    total = 0.0
    rest = choices
    while rest:
        total += exp((merits[lowest(rest)] - most) / heat)
        rest &= rest - 1
    left = uniform(chance) * total
    choice = lowest(choices)
    rest = choices
    while rest:
        choice = lowest(rest)
        rest &= rest - 1
        left -= exp((merits[choice] - most) / heat)
        if left < 0.0:
            break
    return choice


@kernel
def play_and_keep(
    states: Any,
    seating: Any,
    parent: Row,
    first: int,
    longest: int,
    facts: Row,
    explore: float,
    looker: Any,
    views: Any,
    choices_out: Any,
    legals: Row,
    chosen: Row,
    learned: Row,
    merits_out: Any,
    tricks: Any,
    numbers: Row,
    paid: Any,
    sizes: Row,
) -> None:
    """Play deals to their end; sizes[0] gets the choices kept, sizes[1] the tricks."""
    chance, own = np.empty(2, dtype=np.int64), np.empty(2, dtype=np.int64)
    won = np.zeros(paid.shape[1], dtype=np.int64)
    people = np.zeros(paid.shape[1], dtype=np.int64)
    merits, looked = np.zeros(64), looker[ROOM][LOOKED]
    count, many = 0, 0
    for number in range(len(states)):
        state = states[number]
        fork(parent, first + number, chance)
        stray = below(chance, longest)
        if below(chance, THOUSAND) >= facts[STRAY]:
            stray = -1
        made = 0
        while not is_over(state):
            choices = legal(state)
            choice = lowest(choices)
            if choices & choices - 1:
                level = seating[number, state.seat]
                if level == LEARNER:
                    views[0] = state
                    hide(views[0], state.seat)
                    fork(chance, state.turn, own)
                    tried = choices
                    if facts[OPEN]:
                        weigh_deal(state, choices, looker, people, own, looked)
                        ask_actor(views[0], choices, looker[0], looker[1], looker[3], merits)
                    else:
                        tried = weigh_view(views[0], choices, looker, people, own, merits)
                    choice = draw_by_merit(merits, tried, explore, chance)
                elif made == stray:
                    choice = any_choice(state, chance)
                else:
                    choice = choose_by(state, level, chance)
                is_kept = made != stray and below(chance, THOUSAND) < facts[KEPT]
                if (level == LEARNER or is_kept) and count < len(legals):
                    choices_out[count] = state
                    legals[count] = choices
                    chosen[count] = choice
                    learned[count] = level == LEARNER
                    if level == LEARNER:
                        rest = choices
                        while rest:
                            merits_out[count, lowest(rest)] = looked[lowest(rest)]
                            rest &= rest - 1
                    count += 1
                made += 1
            done = play_on(state, choice, 0)
            if done and not is_over(state) and made > stray:
                tricks[many] = state
                numbers[many] = number
                many += 1
        payoffs(state, won)
        for seat in range(len(won)):
            paid[number, seat] = won[seat]
    sizes[0] = count
    sizes[1] = many


def seats_at(game: Game, who: Seats, seed: int, first: int, count: int) -> Row:
    """Who sits where in these deals, [n, seats]."""
    rows = np.empty((count, game.seats), dtype=np.int64)
    for number in range(count):
        chance = np.random.default_rng([seed, 11, first + number])
        rows[number] = who.levels[chance.integers(len(who.levels))]
        learners = who.learners[chance.integers(len(who.learners))]
        rows[number, chance.permutation(game.seats)[:learners]] = LEARNER
    return rows


def play_tables(
    game_name: str, minds: Minds, who: Seats, seed: int, first: int, count: int
) -> Kept:
    """Play deals `first` to `first + count - 1` of a seed."""
    game = ready(load_game(game_name))
    states = deals_of(game, who.variant, stream(seed, "tables", game.name), first, count)
    seating = seats_at(game, who, seed, first, count)
    room = count * game.longest
    found = Kept(
        np.empty(room, dtype=game.state),
        np.zeros(room, dtype=np.int64),
        np.zeros(room, dtype=np.int64),
        np.zeros(room, dtype=np.int64),
        np.zeros((room, 64), dtype=np.float32),
        np.empty(room, dtype=game.state),
        np.zeros(room, dtype=np.int64),
        np.zeros((count, game.seats)),
        seating,
    )
    sizes = np.zeros(2, dtype=np.int64)
    play_and_keep(
        states,
        seating,
        stream(seed, "table choices", game.name),
        first,
        game.longest // 2,
        np.array([who.kept, who.stray, who.is_open], dtype=np.int64),
        who.explore,
        _looker(game, minds, who),
        np.empty(1, dtype=game.state),
        found.choices,
        found.legal,
        found.chosen,
        found.learned,
        found.merits,
        found.tricks,
        found.numbers,
        found.paid,
        sizes,
    )
    many, done = sizes
    return Kept(
        found.choices[:many].copy(),
        found.legal[:many].copy(),
        found.chosen[:many].copy(),
        found.learned[:many].copy(),
        found.merits[:many].copy(),
        found.tricks[:done].copy(),
        found.numbers[:done].copy(),
        found.paid,
        seating,
    )


def play_lot(
    workers: Workers, game: Game, minds: Minds, who: Seats, *, seed: int, first: int, count: int
) -> Kept:
    """`play_tables` by all workers."""
    part = PART if max(who.learners) else MANY
    jobs = [
        (game.name, minds, who, seed, n, min(part, first + count - n))
        for n in range(first, first + count, part)
    ]
    return Kept.joined(workers.run(play_tables, jobs))


def _looker(game: Game, minds: Minds, who: Seats) -> Looker:
    """These minds, with room that the calling thread has had before."""
    own = vars(_OWN).setdefault("rooms", {})
    shape = tuple(int(fact) for mind in minds for fact in mind[0])
    key = game.name, shape, int(who.how.facts()[1])
    if key not in own:
        _, desk, _, _, room = new_looker(game, minds, who.how, who.reach)
        own[key] = desk, room
    desk, room = own[key]
    return minds, desk, who.how.facts(), who.how.limits(who.reach), room
