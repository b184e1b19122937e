"""The simulator: one long session at one table, and the money of everybody at it.

Deals follow on each other as in a match that nobody ends: the dealer moves on, hands are doubled,
people who sit out come in, as the game's rules have it. Chairs may be drawn anew every so many
deals, so that who sits beside whom evens out. What it tells besides the money: whether the place
at the table matters, and whether the shuffles are as independent as they should be.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Protocol, runtime_checkable

import numpy as np

from overtrick.arena.boards import MOST_TURNS, choose_together, play_until_asked
from overtrick.arena.statistics import Estimate, estimate
from overtrick.engine.batches import begin_matches, payoffs_all, score_all
from overtrick.engine.dealing import deal_orders, new_order, shuffle
from overtrick.engine.playouts import ASKED, choose_by
from overtrick.engine.views import hide_all
from overtrick.errors import BadBudget, BadSeat
from overtrick.games.game import (
    Game,
    Row,
    Variant,
    deal,
    is_over,
    payoffs,
    person_at,
    play,
    score,
)
from overtrick.jit import fork, kernel, stream
from overtrick.players import LevelPlayer, close_players, make_player

__all__ = ["Session", "chi_square_p", "simulate"]

Records = np.ndarray[Any, Any]
SITS_OUT = -1


@runtime_checkable
class Watching(Protocol):
    """A player who learns how each of the others plays."""

    def meet(self, people: Row) -> None:
        """Told before a deal who sits in each seat."""
        ...

    def watch(self, views: Records) -> None:
        """Shown a deal that is over, [1], as its seat saw it."""
        ...


@runtime_checkable
class GoingOn(Protocol):
    """A player who goes on with a deal inside a kernel."""

    def play_on(self, state: Records, own: Row, levels: Row, first: int, parent: Row) -> None:
        """Play a deal, [1], on: in its own seats, and by the levels of others, until it is over or
        one is ASKED. Choice number t has the stream first + t of the parent.
        """
        ...


# ---------------------------------------------------------------------------- playing


@kernel
def play_session(
    states: Any,
    matches: Any,
    levels: Row,
    chairs: Any,
    every: int,
    shuffles: Row,
    choices: Row,
    orders: Any,
    money: Any,
    places: Any,
) -> int:
    """Play deal after deal of one match by levels; gives back the number of choices made.

    `chairs[b]` is who has each chair in the b-th stretch of `every` deals. For deal d, orders[d]
    gets the shuffle, money[d] everybody's payoff, places[d] how many seats after the first to act
    everybody sat, SITS_OUT for those who did not play.
    """
    state, match = states[0], matches[0]
    seats = len(state.hands)
    won = np.zeros(seats, dtype=np.int64)
    seated = np.zeros(seats, dtype=np.int64)
    chance = np.empty(2, dtype=np.int64)
    made = 0
    for number in range(len(orders)):
        fork(shuffles, number, chance)
        new_order(orders[number])
        shuffle(orders[number], chance)
        deal(state, match, orders[number])
        first = state.seat
        for seat in range(seats):
            seated[seat] = chairs[number // every, person_at(match, seat)]
        while not is_over(state):
            fork(choices, number * MOST_TURNS + state.turn, chance)
            play(state, choose_by(state, levels[seated[state.seat]], chance))
        made += state.turn
        payoffs(state, won)
        for seat in range(seats):
            money[number, seated[seat]] = won[seat]
            places[number, seated[seat]] = seat - first if seat >= first else seat - first + seats
        score(match, state)
    return made


@dataclass(frozen=True)
class Session:
    """A long session: who played, and what every deal came to."""

    game: Game
    variant: Variant
    players: tuple[str, ...]
    seed: int
    every: int  # deals between new chairs; 0 if everybody stays
    money: Records  # [deals, people] int64 payoffs, in the game's unit
    places: Records  # [deals, people] seats after the first to act, SITS_OUT for none
    orders: Records  # [deals, cards] the shuffles
    replaced: Records = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """[people] choices made in the place of each, of a program that failed; or nothing."""

    @property
    def points(self) -> Records:
        """Everybody's payoff of every deal, in points."""
        return np.asarray(self.money / self.game.payoff_unit)

    def labels(self) -> list[str]:
        """The players, numbered where a name comes more than once."""
        return [
            name
            if self.players.count(name) == 1
            else f"{name} #{1 + self.players[:number].count(name)}"
            for number, name in enumerate(self.players)
        ]

    def running(self, step: int = 100) -> tuple[Records, Records]:
        """After every `step` deals, and at the end: numbers of deals, and everybody's money."""
        deals = len(self.money)
        at = np.unique([*range(step, deals + 1, step), deals])
        return at, np.cumsum(self.points, axis=0)[at - 1]

    def bands(self, at: Records) -> Records:
        """The half-width of the 95% band around the running money after these deals."""
        return np.asarray(1.96 * self.points.std(axis=0, ddof=1) * np.sqrt(at)[:, None])

    def results(self) -> list[Estimate]:
        """Everybody's points a deal, over the deals that they played."""
        return [
            estimate(self.points[self.places[:, who] != SITS_OUT, who])
            for who in range(len(self.players))
        ]

    def margin(self, one: int, other: int) -> Estimate:
        """What one person won more than another, a deal, over the deals that both played."""
        both = (self.places[:, [one, other]] != SITS_OUT).all(axis=1)
        return estimate(self.points[both, one] - self.points[both, other])

    def least_margins(self) -> list[tuple[str, str, Estimate]]:
        """For every two kinds of players, the one that won more, the other, and by how much.

        Of all pairs of their people it is the one whose interval begins lowest: if that is clear of
        zero, everybody of the first kind is ahead of everybody of the other.
        """
        kinds = list(dict.fromkeys(self.players))
        people = {
            kind: [n for n, name in enumerate(self.players) if name == kind] for kind in kinds
        }
        means = np.array([result.mean for result in self.results()])
        kinds.sort(key=lambda kind: -means[people[kind]].mean())
        found = []
        for better, worse in combinations(kinds, 2):
            pairs = [self.margin(one, two) for one in people[better] for two in people[worse]]
            met = [margin for margin in pairs if margin.count]
            if met:
                found.append((better, worse, min(met, key=lambda one: one.mean - one.ci95)))
        return found

    def seat_effect(self) -> tuple[list[Estimate], float]:
        """Points a deal of each place, who sits there set aside, and how likely chance alone is.

        Everybody's own mean is taken off first. Payoffs of one deal hang together, so the test
        goes by the means and the covariance of whole deals (Wald).
        """
        seats = self.game.seats
        means = np.array([result.mean for result in self.results()])
        by_place = np.zeros((len(self.money), seats))
        deals, who = np.nonzero(self.places != SITS_OUT)
        by_place[deals, self.places[deals, who]] = self.points[deals, who] - means[who]
        estimates = [estimate(by_place[:, place]) for place in range(seats)]
        contrasts = by_place[:, 1:] - by_place[:, :1]
        center = contrasts.mean(axis=0)
        spread = np.atleast_2d(np.cov(contrasts, rowvar=False)) / len(contrasts)
        if not np.isfinite(spread).all() or np.linalg.matrix_rank(spread) < seats - 1:
            return estimates, 1.0
        return estimates, chi_square_p(float(center @ np.linalg.solve(spread, center)), seats - 1)

    def independence(self) -> dict[str, float]:
        """How likely shuffles as these are by chance: each card in each place equally often, and
        no card's place told by its place in the deal before.
        """
        deals, size = self.orders.shape
        counts = np.zeros((size, size))
        for place in range(size):
            counts[:, place] = np.bincount(self.orders[:, place], minlength=size)
        even = deals / size
        uneven = float(((counts - even) ** 2 / even).sum()) * (size - 1) / size
        where = np.argsort(self.orders, axis=1).astype(np.float64)
        where -= (size - 1) / 2
        variance = (size * size - 1) / 12
        serial = (where[1:] * where[:-1]).sum(axis=0) / variance / math.sqrt(max(deals - 1, 1))
        return {
            "cards_evenly_p": chi_square_p(uneven, (size - 1) ** 2),
            "deals_independent_p": chi_square_p(float((serial**2).sum()), size),
        }


def chi_square_p(value: float, freedom: int) -> float:
    """How likely chance alone gives such a value or more."""
    if freedom < 1 or value <= 0:
        return 1.0
    # The tail of the gamma distribution at half the value, in steps of one from 1/2 or 1 up.
    half, odd = value / 2, freedom % 2
    tail = math.erfc(math.sqrt(half)) if odd else 0.0
    for step in range(freedom // 2):
        power = step + odd / 2
        tail += math.exp(power * math.log(half) - half - math.lgamma(power + 1))
    return min(tail, 1.0)


def simulate(
    game: Game,
    players: Sequence[str],
    deals: int,
    *,
    seed: int,
    variant: str | Variant | None = None,
    every: int = 100,
    watch: Callable[[int], object] = lambda _: None,
) -> Session:
    """Play a session; with `every` 0 nobody ever changes chairs.

    `watch` is told how many deals are done, where they are not played all at once.
    """
    rules = game.variant_of(variant)
    people = game.people(rules)
    if len(players) != people:
        raise BadSeat(f"{game.name}: {people} people are at the table, not {len(players)}")
    if not 1 <= deals <= 10**8:
        raise BadBudget(f"the number of deals is 1 to {10**8}, not {deals}")
    if every < 0:
        raise BadBudget(f"chairs are drawn every so many deals, 0 for never, not {every}")
    seated = [make_player(name, game) for name in players]
    session = Session(
        game,
        rules,
        tuple(player.name for player in seated),
        seed,
        every,
        np.zeros((deals, people), dtype=np.int64),
        np.full((deals, people), SITS_OUT, dtype=np.int64),
        np.zeros((deals, len(game.deck)), dtype=np.int64),
        np.zeros(people, dtype=np.int64),
    )
    rng = np.random.default_rng([seed, 7])
    stretches = -(-deals // every) if every else 1
    chairs = np.array([np.arange(people)] * stretches)
    if every:
        chairs = rng.permuted(chairs, axis=1)
    levels = [player.level for player in seated if isinstance(player, LevelPlayer)]
    matches = game.blank_matches(1, rules)
    begin_matches(matches, stream(seed, "session", game.name).reshape(1, -1))
    if len(levels) == len(seated):
        play_session(
            game.blank_states(1, rules),
            matches,
            np.array(levels, dtype=np.int64),
            chairs,
            every or deals,
            stream(seed, "session deals", game.name),
            stream(seed, "session choices", game.name),
            session.orders,
            session.money,
            session.places,
        )
    else:
        try:
            _play_one_by_one(session, seated, matches, chairs, watch)
        finally:
            close_players(seated)
    return session


def _play_one_by_one(
    session: Session,
    seated: Sequence[Any],
    matches: Records,
    chairs: Records,
    watch: Callable[[int], object],
) -> None:
    """The same session by any players; those whom kernels know go on by themselves."""
    game = session.game
    shuffles = stream(session.seed, "session deals", game.name)
    parent = stream(session.seed, "session choices", game.name)
    spent = np.zeros(len(seated), dtype=np.int64), np.zeros(len(seated)), session.replaced
    won = np.zeros((1, game.seats), dtype=np.int64)
    chance = np.empty(2, dtype=np.int64)
    watching = [person for person, player in enumerate(seated) if isinstance(player, Watching)]
    going_on = {person for person, player in enumerate(seated) if isinstance(player, GoingOn)}
    levels = np.array([p.level if isinstance(p, LevelPlayer) else ASKED for p in seated])
    for number, order in enumerate(session.orders):
        fork(shuffles, number, chance)
        new_order(order)
        shuffle(order, chance)
        states = game.blank_states(1, session.variant)
        deal_orders(states, matches, order.reshape(1, -1))
        first = int(states["seat"][0])
        stretch = chairs[number // session.every if session.every else 0]
        who = np.array([stretch[person_at(matches[0], seat)] for seat in range(game.seats)])
        keys = np.array([number])
        for person in watching:
            seated[person].meet(who)
        at, turns = levels[who], number * MOST_TURNS
        play_until_asked(states, at, turns, parent)
        while states["phase"][0] >= 0:
            person = who[states["seat"][0]]
            player = seated[person]
            if person in going_on:
                player.play_on(states, (who == person).astype(np.int64), at, turns, parent)
                continue
            around = session.variant, matches
            choose_together(game, states, seated, who.reshape(1, -1), keys, parent, around, *spent)
            play_until_asked(states, at, turns, parent)
        payoffs_all(states, won)
        session.money[number, who] = won[0]
        session.places[number, who] = (np.arange(game.seats) - first) % game.seats
        score_all(matches, states)
        for seat, person in enumerate(who):
            if person in watching:
                view = states.copy()
                hide_all(view, np.array([seat]))
                seated[person].watch(view)
        watch(number + 1)
