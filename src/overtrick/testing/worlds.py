"""Worlds: every one drawn explains the view, and all that do are drawn equally often.

Frequencies are held to exact counts by chi-square tests. Seeds are fixed, so a test that passes
passes always; what would come up once in ten thousand honest draws counts as wrong.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from overtrick.engine.deals import Deal
from overtrick.engine.worlds import count_worlds, draw_worlds, new_puzzle, sample_worlds
from overtrick.games.game import HIDDEN, Game
from overtrick.jit import stream
from overtrick.testing.positions import (
    Positions,
    Records,
    differences,
    every_deal_that_fits,
    random_positions,
    random_seats,
    replayed,
    views_of,
)

__all__ = [
    "RARE",
    "chance_of_more",
    "check_that_worlds_explain_their_views",
    "each_alike",
    "is_rare",
    "test_a_workspace_used_before_draws_the_same_worlds",
    "test_a_world_passes_the_checks_that_a_deal_from_outside_meets",
    "test_a_world_replays_legally_and_looks_the_same_from_the_seat",
    "test_all_pairs_of_shuffle_and_hidden_choices_are_drawn_equally_often",
    "test_equal_streams_draw_equal_worlds",
]

RARE = 1e-4


def chance_of_more(chi_square: float, freedom: int) -> float:
    """How often chance alone gives more than this, after Wilson and Hilferty."""
    spread = 2 / (9 * freedom)
    deviation: float = ((chi_square / freedom) ** (1 / 3) - 1 + spread) / sqrt(spread)
    return NormalDist().cdf(-deviation)


def is_rare(seen: Mapping[Any, int], weights: Mapping[Any, float]) -> bool:
    """Whether such counts come up too rarely where each outcome has its weight.

    An outcome that has no weight is rarer than anything.
    """
    if not set(seen) <= set(weights):
        return True
    drawn, total = sum(seen.values()), sum(weights.values())
    if len(weights) == 1:
        return False
    chi_square = 0.0
    for outcome, weight in weights.items():
        expected = drawn * weight / total
        chi_square += (seen.get(outcome, 0) - expected) ** 2 / expected
    return chance_of_more(chi_square, len(weights) - 1) < RARE


def each_alike(outcomes: Iterable[Any]) -> dict[Any, float]:
    """The same weight for each outcome."""
    return dict.fromkeys(outcomes, 1.0)


# ---------------------------------------------------------------------------- worlds of any game


def check_that_worlds_explain_their_views(game: Game, count: int, seed: int) -> None:
    """One world of each of `count` views, replayed by legal choices and hidden again."""
    positions = random_positions(game, count, seed)
    seats = random_seats(game, count, seed)
    views = views_of(positions.states, seats)
    worlds = np.empty_like(views)
    puzzle, chance = new_puzzle(), stream(seed, "worlds")
    for number in range(count):
        one = slice(number, number + 1)
        assert draw_worlds(views[one], puzzle, chance, worlds[one]) > 0
    assert not differences(replayed(positions._replace(states=worlds)), worlds)
    assert not differences(views_of(worlds, seats), views)


def test_a_world_replays_legally_and_looks_the_same_from_the_seat(game: Game) -> None:
    for seed in range(10):
        check_that_worlds_explain_their_views(game, 50, seed)


def test_a_world_passes_the_checks_that_a_deal_from_outside_meets(game: Game) -> None:
    rng = random.Random(3)
    for seed in range(20):
        deal = Deal.from_seed(game, seed)
        for _ in range(rng.randrange(game.longest)):
            if not deal.is_over:
                deal = deal.play(rng.choice(deal.legal))
        view = deal.view(rng.randrange(game.seats))
        for world in view.worlds(2, seed=seed):
            again = Deal.from_order(deal.match, world.order)
            for event in world.history:
                again = again.play(event.choice)
            assert again == world
            assert world.view(view.viewer) == view


def test_equal_streams_draw_equal_worlds(game: Game) -> None:
    view = views_of(random_positions(game, 1, 4, game.variant()).states, [0])
    one = sample_worlds(view, 50, stream(1, "equal"))
    assert not differences(one, sample_worlds(view, 50, stream(1, "equal")))


def test_a_workspace_used_before_draws_the_same_worlds(game: Game) -> None:
    positions = random_positions(game, 20, 5)
    views = views_of(positions.states, random_seats(game, 20, 5))
    used = new_puzzle()
    for number in range(len(views)):
        view = views[number : number + 1]
        fresh = sample_worlds(view, 5, stream(number, "workspace"))
        assert not differences(fresh, sample_worlds(view, 5, stream(number, "workspace"), used))


def keys(records: Records) -> Iterator[bytes]:
    """Each record as its bytes."""
    size, data = records.dtype.itemsize, records.tobytes()
    return (data[start : start + size] for start in range(0, len(data), size))


def every_world(positions: Positions, view: Records) -> list[bytes]:
    """Every whole deal that gives this view, by trying all pairs (shuffle, hidden choices)."""
    seat = int(view["viewer"][0])
    seen = (view["history"][0][: view["turn"][0]] & HIDDEN).tolist()
    deals = every_deal_that_fits(positions, seat, seen)
    looks = views_of(deals, np.full(len(deals), seat))
    alike = [look == view.tobytes() for look in keys(looks)]
    return [*keys(deals[np.array(alike, dtype=bool)])]


def test_all_pairs_of_shuffle_and_hidden_choices_are_drawn_equally_often(small_game: Game) -> None:
    checked = 0
    for seed in itertools.count():
        positions = random_positions(small_game, 1, seed)
        view = views_of(positions.states, random_seats(small_game, 1, seed))
        if count_worlds(view) <= 2000:
            worlds = every_world(positions, view)
            drawn = sample_worlds(view, 40 * len(worlds), stream(seed, "pairs"))
            assert len(set(worlds)) == len(worlds)
            assert not is_rare(Counter(keys(drawn)), each_alike(worlds))
            checked += len(worlds) > 1
        if checked == 12:
            break
