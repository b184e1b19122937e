"""Positions of any game, many at a time: random house rules, deals at any point, replays.

Positions are records in arrays, so that a check of thousands takes seconds. Nothing here asks
`places` or `settle`: deals that look alike to a seat are found by trying.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from overtrick.engine.batches import (
    begin_matches,
    choose_at_random,
    legal_all,
    play_all,
    score_all,
    winners_all,
)
from overtrick.engine.dealing import deal_orders, deal_shuffled
from overtrick.engine.playouts import choose_all, playouts
from overtrick.engine.views import hide_all, orders_dealt
from overtrick.errors import BadOption
from overtrick.games.game import HIDDEN, OVER, Game, Option, Variant
from overtrick.jit import stream, streams

__all__ = [
    "SMALL_DECK",
    "Positions",
    "Records",
    "choices_of",
    "dealt_at_random",
    "differences",
    "every_deal_that_fits",
    "every_next",
    "every_order",
    "every_split",
    "finished",
    "legals_of",
    "option_fields",
    "orders_of",
    "play_history",
    "play_the_seen",
    "random_matches",
    "random_orders",
    "random_positions",
    "random_seats",
    "random_value",
    "random_variant",
    "replayed",
    "views_of",
]

Records = np.ndarray[Any, Any]

SMALL_DECK = 16  # all deals that one seat cannot tell apart can be listed


# ---------------------------------------------------------------------------- house rules


def random_variant(game: Game, rng: random.Random) -> Variant:
    """Any house rules that the game allows; a number is at most 50 above its least."""
    while True:
        options = game.variant.options()
        chosen = {name: random_value(*what, rng) for name, what in options.items()}
        try:
            return game.variant(**chosen)
        except BadOption:  # options that do not go together
            continue


def random_value(default: Any, allowed: Option, rng: random.Random) -> Any:
    """Any value of an option; a text is made of the letters of its default."""
    if allowed.values is not None:
        return rng.choice(allowed.values)
    if allowed.check is not None:
        while True:
            value = "".join(rng.choices(default, k=rng.randint(1, 2 * len(default))))
            if allowed.check(value) is None:
                return value
    least = allowed.at_least or 0
    most = least + 50 if allowed.at_most is None else min(least + 50, allowed.at_most)
    return rng.randint(least, most)


def option_fields(variant: Variant, dtype: np.dtype[Any]) -> list[str]:
    """The fields of a record that no rule writes: the options, and the marker at the end."""
    names = dtype.names or ()
    return [name for name in names if name in variant.pack() or name == names[-1]]


# ---------------------------------------------------------------------------- positions


class Positions(NamedTuple):
    """Deals of one variant at points where they may stand, each with the match around it."""

    game: Game
    variant: Variant
    matches: Records
    states: Records


def random_matches(game: Game, variant: Variant, count: int, seed: int) -> Records:
    """Matches that are not over, zero to four deals after their beginning."""
    matches = game.blank_matches(count, variant)
    begin_matches(matches, streams(count, seed, "matches"))
    for age in range(1, 5):
        older = np.flatnonzero(np.arange(count) % 5 >= age)
        if len(older) == 0:
            break
        group = matches[older]
        states, _ = finished(dealt_at_random(game, variant, group, seed, age), seed, age)
        score_all(group, states)
        winners = np.zeros(len(group), dtype=np.int64)
        winners_all(group, winners)
        matches[older[winners == 0]] = group[winners == 0]
    return matches


def dealt_at_random(
    game: Game, variant: Variant, matches: Records, seed: int, *names: object
) -> Records:
    """The next deal of every match, nothing chosen yet."""
    states = game.blank_states(len(matches), variant)
    deal_shuffled(states, matches, streams(len(matches), seed, "deals", *names))
    return states


def finished(states: Records, seed: int, *names: object) -> tuple[Records, Records]:
    """The deals after random choices to the end, and their payoffs; the deals given stay."""
    ends = states.copy()
    results = np.zeros((len(ends), states["hands"].shape[1]), dtype=np.int64)
    playouts(ends, stream(seed, "playouts", *names), results)
    return ends, results


def random_positions(
    game: Game, count: int, seed: int, variant: Variant | None = None
) -> Positions:
    """Deals of one random variant after some random choices: none, a few, up to all."""
    chosen = random_variant(game, random.Random(seed)) if variant is None else variant
    matches = random_matches(game, chosen, count, seed)
    states = dealt_at_random(game, chosen, matches, seed)
    ends, _ = finished(states, seed)
    turns = np.random.default_rng(seed).integers(0, ends["turn"] + 1)
    play_history(states, ends["history"], turns)
    return Positions(game, chosen, matches, states)


def random_seats(game: Game, count: int, seed: int) -> Records:
    """Any seat, for each of so many deals."""
    return np.random.default_rng([seed, 1]).integers(0, game.seats, count)


def play_history(states: Records, histories: Records, turns: Records) -> None:
    """Make the first `turns[i]` choices of `histories[i]` in deal i, each a legal one."""
    for turn in range(int(turns.max(initial=0))):
        going = np.flatnonzero(turns > turn)
        group = states[going]
        choices = (histories[going, turn] & HIDDEN).astype(np.int64)
        illegal = legals_of(group) >> choices & 1 == 0
        assert not illegal.any(), f"choice {turn} is illegal in deals {going[illegal]}"
        play_all(group, choices)
        states[going] = group


def legals_of(states: Records) -> Records:
    """The legal choices of every deal, 0 where it is over."""
    legals = np.zeros(len(states), dtype=np.int64)
    legal_all(states, legals)
    return legals


def choices_of(states: Records, level: int, chance: Records) -> Records:
    """What a level chooses in every deal, 0 where it is over; the streams stay as they are."""
    choices = np.zeros(len(states), dtype=np.int64)
    going = np.flatnonzero(states["phase"] != OVER)
    found = choices[going]
    choose_all(states[going], level, chance[going], found)
    choices[going] = found
    return choices


def views_of(states: Records, seats: Sequence[int] | Records) -> Records:
    """What a seat knows of each deal: new records."""
    views = states.copy()
    hide_all(views, np.asarray(seats, dtype=np.int64))
    return views


def orders_of(states: Records, deck_size: int) -> Records:
    """For each whole deal an order of the deck that deals it."""
    orders = np.full((len(states), deck_size), -1, dtype=np.int64)
    orders_dealt(states, orders)
    return orders


def replayed(positions: Positions) -> Records:
    """The positions again, dealt from the orders that they tell and played by their histories."""
    game, variant, matches, states = positions
    orders = orders_of(states, len(game.deck))
    assert np.array_equal(np.sort(orders, axis=1), [range(len(game.deck))] * len(states))
    again = game.blank_states(len(states), variant)
    deal_orders(again, matches, orders)
    play_history(again, states["history"], states["turn"])
    return again


def differences(records: Records, others: Records) -> dict[str, tuple[Any, Any]]:
    """Nothing if two arrays are equal to the last byte, else how the first such pair differs."""
    assert (records.dtype, len(records)) == (others.dtype, len(others))
    if records.tobytes() == others.tobytes():
        return {}
    for one, other in zip(records, others, strict=True):
        if one.tobytes() != other.tobytes():
            found = {name: (one[name], other[name]) for name in records.dtype.names or ()}
            unlike = {name: pair for name, pair in found.items() if np.any(pair[0] != pair[1])}
            return unlike or {"padding": (one.tobytes(), other.tobytes())}
    raise AssertionError("equal one by one, yet not together")


# ---------------------------------------------------------------------------- all deals


def every_order(
    layout: dict[str, list[int]], order: Sequence[int], seat: int
) -> Iterator[list[int]]:
    """Every deal in which `seat` gets the same cards; in which order a place gets its is left."""
    places = [positions for place, positions in layout.items() if place != str(seat)]
    rest = frozenset(order[position] for positions in places for position in positions)
    for split in every_split(rest, [len(positions) for positions in places]):
        other = list(order)
        for positions, cards in zip(places, split, strict=True):
            for position, card in zip(positions, cards, strict=True):
                other[position] = card
        yield other


def every_split(cards: frozenset[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Every way to split cards into sets of these sizes."""
    if not sizes:
        yield []
        return
    for chosen in itertools.combinations(sorted(cards), sizes[0]):
        for others in every_split(cards - frozenset(chosen), sizes[1:]):
            yield [chosen, *others]


def every_deal_that_fits(positions: Positions, seat: int, seen: Sequence[int]) -> Records:
    """Every deal in which `seat` is dealt the same cards and all choices of `seen` are made.

    `positions` is one position, `seen` its history as the seat saw it, HIDDEN where it did not:
    there any legal choice is made. A pair (cards dealt to each place, choices) comes once, and
    every pair stands for as many shuffles. Nothing of `hide` or `places` is used here.
    """
    game, matches = positions.game, positions.matches
    order = orders_of(positions.states, len(game.deck))[0]
    orders = np.array([*every_order(game.layout(matches[0]), order.tolist(), seat)])
    return play_the_seen(positions, orders, seen)


def play_the_seen(
    positions: Positions, orders: Records, seen: Sequence[int], chance: Records | None = None
) -> Records:
    """Those deals of these orders in which all choices of `seen` can be made, after them.

    Where it is HIDDEN every legal choice is made; by `chance`, a stream a deal, any one of them.
    """
    game, variant, matches, _ = positions
    deals = game.blank_states(len(orders), variant)
    deal_orders(deals, np.repeat(matches, len(orders)), orders)
    for choice in seen:
        deals = deals[deals["phase"] != OVER]
        legals = legals_of(deals)
        if choice != HIDDEN:
            deals = deals[legals >> choice & 1 == 1]
            play_all(deals, np.full(len(deals), choice, dtype=np.int64))
        elif chance is None:
            deals = every_next(deals, legals)
        else:
            choices = np.zeros(len(deals), dtype=np.int64)
            choose_at_random(legals, chance[: len(deals)], choices)
            play_all(deals, choices)
    return deals


def random_orders(
    layout: dict[str, list[int]], order: Sequence[int], seat: int, count: int, seed: int
) -> Records:
    """Some deals in which `seat` gets the same cards and everything else lies anyhow."""
    chance = np.random.default_rng([seed, 2])
    elsewhere = [at for place, found in layout.items() if place != str(seat) for at in found]
    orders = np.tile(np.asarray(order, dtype=np.int64), (count, 1))
    orders[:, elsewhere] = chance.permuted(orders[:, elsewhere], axis=1)
    return orders


def every_next(deals: Records, legals: Records) -> Records:
    """Every deal after every legal choice."""
    parts = []
    for choice in range(int(legals.max(initial=0)).bit_length()):
        part = deals[legals >> choice & 1 == 1]
        play_all(part, np.full(len(part), choice, dtype=np.int64))
        parts.append(part)
    return np.concatenate(parts) if parts else deals[:0]
