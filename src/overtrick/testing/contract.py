"""What every game owes the house: cards, choices, payoffs, matches, and the same again."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overtrick.games
from overtrick.engine.batches import (
    Batch,
    begin_matches,
    choose_at_random,
    payoffs_all,
    play_all,
    score_all,
    winners_all,
)
from overtrick.engine.dealing import deal_orders
from overtrick.engine.deals import Deal, Match
from overtrick.engine.worlds import draw_worlds, new_puzzle
from overtrick.games import load_game
from overtrick.games.game import NOBODY, OVER, Game, Variant
from overtrick.jit import COMPILED, stream, streams
from overtrick.testing.positions import (
    Records,
    dealt_at_random,
    differences,
    every_next,
    finished,
    legals_of,
    option_fields,
    orders_of,
    random_matches,
    random_positions,
    random_seats,
    random_variant,
    replayed,
    views_of,
)

__all__ = [
    "fingerprint",
    "fingerprint_interpreted",
    "lines",
    "lines_side_by_side",
    "test_a_batch_begins_a_new_match_when_one_is_over",
    "test_a_batch_steps_as_single_deals_do",
    "test_a_batch_that_is_reset_begins_as_a_new_one",
    "test_a_deal_ends_within_its_longest_number_of_choices",
    "test_a_game_comes_back_from_its_name",
    "test_a_new_match_leaves_nothing_of_the_match_before",
    "test_a_position_comes_back_from_its_text",
    "test_a_seat_is_to_act_until_the_end_and_none_after",
    "test_cards_and_choices_lead_to_the_same_record_again",
    "test_choices_come_back_from_their_names",
    "test_compiled_and_interpreted_rules_agree",
    "test_dealing_leaves_nothing_of_the_deal_before",
    "test_every_card_of_the_deck_is_somewhere_at_any_time",
    "test_every_choice_has_an_index_among_the_actions",
    "test_every_legal_choice_has_a_name",
    "test_every_match_ends_with_winners_who_sit_at_the_table",
    "test_no_card_is_in_two_places_at_any_time",
    "test_payoffs_sum_to_zero_within_their_scale",
    "test_the_cards_on_the_table_have_been_played",
    "test_the_history_tells_who_chose_what",
    "test_there_are_no_payoffs_before_the_end",
    "test_there_is_a_legal_choice_until_the_end",
    "test_two_batches_with_one_seed_play_alike",
    "test_two_counters_agree_on_the_lines_of_play_of_an_ending",
    "test_what_is_proven_of_a_hand_is_true",
]

VARIANTS = range(6)  # house rules tried by each test, the default ones first


def house_rules(game: Game, number: int) -> Variant:
    """The default variant, then random ones."""
    return random_variant(game, random.Random(number)) if number else game.variant()


def fresh_deals(game: Game, number: int, count: int = 100) -> tuple[Records, Records]:
    """Matches of one variant, and the next deal of each."""
    variant = house_rules(game, number)
    matches = random_matches(game, variant, count, seed=number)
    return matches, dealt_at_random(game, variant, matches, number)


def random_choices(states: Records, chance: Records) -> Records:
    """A random legal choice for every deal."""
    choices = np.zeros(len(states), dtype=np.int64)
    choose_at_random(legals_of(states), chance, choices)
    return choices


def steps(states: Records, seed: int) -> list[Records]:
    """The deals after no choice, after one, … until all are over; ended deals are left out."""
    found = [states]
    chance = streams(len(states), seed, "steps")
    while (states["phase"] != OVER).any():
        going = states["phase"] != OVER
        states, chance = states[going], chance[going]
        play_all(states, random_choices(states, chance))
        found.append(states.copy())
    return found


def positions_on_the_way(game: Game) -> list[Records]:
    """Arrays of deals at every point of play, under several house rules."""
    return [states for number in VARIANTS for states in steps(fresh_deals(game, number)[1], number)]


def held(states: Records) -> Records:
    """All cards in hands."""
    cards: Records = np.bitwise_or.reduce(states["hands"], axis=1)
    return cards


def played(states: Records) -> Records:
    """All cards played."""
    cards: Records = np.bitwise_or.reduce(states["played"], axis=1)
    return cards


def test_a_game_comes_back_from_its_name(game: Game) -> None:
    assert load_game(game.name) is game


# ---------------------------------------------------------------------------- cards and choices


def test_no_card_is_in_two_places_at_any_time(game: Game) -> None:
    for states in positions_on_the_way(game):
        cards = np.concatenate([states["hands"], states["played"]], axis=1)
        assert np.array_equal(np.bitwise_count(cards).sum(axis=1), count_of(cards))
        assert np.all(count_of(cards) <= len(game.deck))
        assert np.all((held(states) | played(states)) & ~game.deck.all == 0)


def count_of(cards: Records) -> Records:
    """How many cards there are in the union of each row."""
    counts: Records = np.bitwise_count(np.bitwise_or.reduce(cards, axis=1))
    return counts


def test_every_card_of_the_deck_is_somewhere_at_any_time(game: Game) -> None:
    for states in positions_on_the_way(game):
        orders = orders_of(states, len(game.deck))
        assert np.array_equal(np.sort(orders, axis=1), [range(len(game.deck))] * len(states))


def test_the_cards_on_the_table_have_been_played(game: Game) -> None:
    for states in positions_on_the_way(game):
        assert np.all(states["table"] & ~played(states) == 0)


def test_what_is_proven_of_a_hand_is_true(game: Game) -> None:
    for states in positions_on_the_way(game):
        assert np.all(states["cannot"] & states["hands"] == 0)
        assert np.all(states["known"] & ~states["hands"] == 0)


def test_there_is_a_legal_choice_until_the_end(game: Game) -> None:
    for states in positions_on_the_way(game):
        over = states["phase"] == OVER
        assert np.array_equal(legals_of(states) == 0, over)


def test_every_legal_choice_has_a_name(game: Game) -> None:
    names = np.array([len(names) for names in game.choice_names])
    for states in positions_on_the_way(game):
        going = states[states["phase"] != OVER]
        assert np.all(legals_of(going) >> names[going["phase"]] == 0)


def test_a_seat_is_to_act_until_the_end_and_none_after(game: Game) -> None:
    for states in positions_on_the_way(game):
        over = states["phase"] == OVER
        assert np.array_equal(states["seat"] == NOBODY, over)
        assert np.all(states["seat"] < game.seats)
        assert np.all(states["viewer"] == NOBODY)


def test_a_deal_ends_within_its_longest_number_of_choices(game: Game) -> None:
    for number in VARIANTS:
        ends, _ = finished(fresh_deals(game, number)[1], number)
        assert np.all(ends["phase"] == OVER)
        assert np.all(ends["turn"] <= game.longest)


def test_the_history_tells_who_chose_what(game: Game) -> None:
    for number in VARIANTS:
        states = fresh_deals(game, number)[1]
        chance = streams(len(states), number, "history")
        for _ in range(game.longest):
            states = states[states["phase"] != OVER]
            before, choices = states.copy(), random_choices(states, chance[: len(states)])
            play_all(states, choices)
            events = states["history"][np.arange(len(states)), before["turn"]]
            assert np.array_equal(events & 63, choices)
            assert np.array_equal(events >> 6 & 7, before["seat"])
            assert np.array_equal(events >> 9, before["phase"])
            assert np.array_equal(states["turn"], before["turn"] + 1)


def test_choices_come_back_from_their_names(game: Game) -> None:
    for phase, names in enumerate(game.choice_names):
        for choice in range(len(names)):
            assert game.choice_from(phase, game.choice_text(phase, choice)) == choice


def test_every_choice_has_an_index_among_the_actions(game: Game) -> None:
    for names, offset in zip(game.choice_names, game.action_offsets, strict=True):
        assert offset >= 0
        assert offset + len(names) <= game.actions


# ---------------------------------------------------------------------------- payoffs and matches


def test_payoffs_sum_to_zero_within_their_scale(game: Game) -> None:
    for number in VARIANTS:
        _, payoffs = finished(fresh_deals(game, number)[1], number)
        assert np.all(payoffs.sum(axis=1) == 0)
        assert np.all(np.abs(payoffs) <= game.scale(house_rules(game, number)))
        assert np.any(payoffs != 0)


def test_there_are_no_payoffs_before_the_end(game: Game) -> None:
    for states in positions_on_the_way(game):
        payoffs = np.full((len(states), game.seats), 99, dtype=np.int64)
        payoffs_all(states, payoffs)
        assert np.all(payoffs[states["phase"] != OVER] == 0)


def test_every_match_ends_with_winners_who_sit_at_the_table(game: Game) -> None:
    for number in VARIANTS:
        variant = house_rules(game, number)
        matches = game.blank_matches(20, variant)
        begin_matches(matches, streams(20, number, "whole matches"))
        winners = np.zeros(20, dtype=np.int64)
        for deals in range(10_000):
            winners_all(matches, winners)
            going = np.flatnonzero(winners == 0)
            if len(going) == 0:
                break
            group = matches[going]
            states, _ = finished(dealt_at_random(game, variant, group, number, deals), deals)
            score_all(group, states)
            assert np.array_equal(group["deals"], matches[going]["deals"] + 1)
            matches[going] = group
        assert np.all(winners > 0)
        assert np.all(winners < 1 << game.seats)


# ---------------------------------------------------------------------------- nothing left over


def garbled(records: Records, variant: Variant, seed: int) -> Records:
    """The records with random bytes in every field that is not an option."""
    chance = np.random.default_rng(seed)
    garbage = records.copy()
    for name in set(records.dtype.names or ()) - set(option_fields(variant, records.dtype)):
        size = garbage[name].nbytes
        garbage[name] = np.frombuffer(chance.bytes(size), garbage[name].dtype).reshape(
            garbage[name].shape
        )
    return garbage


def test_dealing_leaves_nothing_of_the_deal_before(game: Game) -> None:
    for number in VARIANTS:
        variant = house_rules(game, number)
        matches = random_matches(game, variant, 50, seed=number)
        blank = game.blank_states(50, variant)
        garbage = garbled(blank, variant, number)
        assert differences(blank, garbage)
        orders = np.argsort(np.random.default_rng(number).random((50, len(game.deck))), axis=1)
        deal_orders(blank, matches, orders)
        deal_orders(garbage, matches, orders)
        assert not differences(blank, garbage)


def test_a_new_match_leaves_nothing_of_the_match_before(game: Game) -> None:
    for number in VARIANTS:
        variant = house_rules(game, number)
        blank = game.blank_matches(50, variant)
        garbage = garbled(blank, variant, number)
        assert differences(blank, garbage)
        begin_matches(blank, streams(50, number, "new"))
        begin_matches(garbage, streams(50, number, "new"))
        assert not differences(blank, garbage)


# ---------------------------------------------------------------------------- the same again


@pytest.mark.parametrize("seed", VARIANTS)
def test_cards_and_choices_lead_to_the_same_record_again(game: Game, seed: int) -> None:
    positions = random_positions(game, 100, seed)
    assert not differences(replayed(positions), positions.states)


def test_a_position_comes_back_from_its_text(game: Game) -> None:
    for seed in range(40):
        rng = random.Random(seed)
        deal = played_on(random_deal(game, rng), rng.randrange(game.longest + 1), rng)
        again = Deal.from_text(deal.text())
        assert (again, again.order, again.text()) == (deal, deal.order, deal.text())


def random_deal(game: Game, rng: random.Random) -> Deal:
    """A fresh deal under random house rules, the first of its match or a later one."""
    match = Match.start(game, variant=random_variant(game, rng), seed=rng.randrange(1000))
    for _ in range(rng.randrange(3)):
        after = match.after(played_on(match.deal(rng.randrange(1000)), game.longest, rng))
        match = match if after.is_over else after
    return match.deal(rng.randrange(1000))


def played_on(deal: Deal, choices: int, rng: random.Random) -> Deal:
    """The deal after up to so many random choices."""
    for _ in range(choices):
        if deal.is_over:
            break
        deal = deal.play(rng.choice(deal.legal))
    return deal


def shortest_match(game: Game) -> Variant:
    """The variant with every number at its least, so that matches are short."""
    options = game.variant.options().items()
    least = {name: allowed.at_least for name, (_, allowed) in options}
    return game.variant(**{name: n for name, n in least.items() if n is not None})


def check_that_a_batch_steps_as_single_deals_do(batch: Batch, rng: random.Random) -> int:
    """Four deals' worth of choices, made in a batch and in single deals; matches that ended."""
    game, matches_ended = batch.game, 0
    matches = [current_match(batch, number) for number in range(len(batch))]
    deals = [current_deal(batch, match, number) for number, match in enumerate(matches)]
    for _ in range(4 * game.longest):
        assert batch.seats.tolist() == [deal.seat for deal in deals]
        choices = [rng.choice(deal.legal) for deal in deals]
        batch.step(np.array(choices))
        for number, choice in enumerate(choices):
            deal = deals[number].play(choice)
            assert bool(batch.ended[number]) == deal.is_over
            if deal.is_over:
                assert [game.points(p) for p in batch.payoffs[number]] == [*deal.payoffs]
                after = matches[number].after(deal)
                matches[number] = current_match(batch, number)
                assert matches[number].deals == 0 if after.is_over else matches[number] == after
                matches_ended += after.is_over
                deal = current_deal(batch, matches[number], number)
            assert not differences(deal.records, batch.states[number : number + 1])
            deals[number] = deal
    return matches_ended


def test_a_batch_steps_as_single_deals_do(game: Game) -> None:
    check_that_a_batch_steps_as_single_deals_do(Batch(game, 4, seed=5), random.Random(5))


def test_a_batch_begins_a_new_match_when_one_is_over(game: Game) -> None:
    batch = Batch(game, 4, seed=6, variant=shortest_match(game))
    assert check_that_a_batch_steps_as_single_deals_do(batch, random.Random(6)) > 0


def current_match(batch: Batch, number: int) -> Match:
    """The match of one deal of a batch as it stands."""
    return Match(batch.game, batch.variant, batch.matches[number : number + 1].copy())


def current_deal(batch: Batch, match: Match, number: int) -> Deal:
    """The deal that a batch has just dealt."""
    order = orders_of(batch.states[number : number + 1], len(batch.game.deck))[0]
    return Deal.from_order(match, order)


def test_two_batches_with_one_seed_play_alike(game: Game) -> None:
    one, other = Batch(game, 32, seed=7), Batch(game, 32, seed=7)
    unlike = Batch(game, 32, seed=8)
    assert differences(one.states, unlike.states)
    chance = streams(32, 1, "choices")
    for _ in range(3 * game.longest):
        choices = random_choices(one.states, chance)
        one.step(choices)
        other.step(choices)
        assert not differences(one.states, other.states)
        assert not differences(one.matches, other.matches)


def test_a_batch_that_is_reset_begins_as_a_new_one(game: Game) -> None:
    used, new = Batch(game, 32, seed=7), Batch(game, 32, seed=7)
    chance = streams(32, 1, "choices")
    for _ in range(2 * game.longest):
        used.step(random_choices(used.states, chance))
    used.reset()
    assert not differences(used.states, new.states)
    assert not differences(used.matches, new.matches)
    assert np.array_equal(used.legals, new.legals)
    assert np.array_equal(used.seats, new.seats)


# ---------------------------------------------------------------------------- compiled or not


def fingerprint(name: str) -> dict[str, str]:
    """Digests of 100 deals of a game: at random points, seen by random seats, and to the end."""
    game = load_game(name)
    digests: dict[str, Any] = {}
    for seed in range(4):
        positions = random_positions(game, 25, seed)
        states, seats = positions.states, random_seats(game, 25, seed)
        views = views_of(states, seats)
        ends, payoffs = finished(states, seed, "fingerprint")
        matches, winners = positions.matches.copy(), np.zeros(25, dtype=np.int64)
        score_all(matches, ends)
        winners_all(matches, winners)
        parts = {
            "positions": states,
            "legal choices": legals_of(states),
            "views": views,
            "worlds": worlds_of(views, seed),
            "orders": orders_of(states, len(game.deck)),
            "ends": ends,
            "payoffs": payoffs,
            "matches": matches,
            "winners": winners,
        }
        for part, found in parts.items():
            digests.setdefault(part, hashlib.sha256()).update(found.tobytes())
    return {part: digest.hexdigest() for part, digest in digests.items()}


def worlds_of(views: Records, seed: int) -> Records:
    """Two worlds of every view."""
    puzzle, chance = new_puzzle(), stream(seed, "worlds")
    worlds = np.zeros((len(views), 2), dtype=views.dtype)
    for number in range(len(views)):
        assert draw_worlds(views[number : number + 1], puzzle, chance, worlds[number]) > 0
    return worlds


def fingerprint_interpreted(name: str, *, first: str = "") -> dict[str, str]:
    """The same digests by plain Python, in another process; `first` is run there before."""
    program = (
        f"import json, sys, {__name__} as contract, overtrick.jit as jit\n{first}\n"
        "assert not jit.COMPILED\njson.dump(contract.fingerprint(sys.argv[1]), sys.stdout)"
    )
    source = Path(overtrick.games.__file__).parents[2]
    path = os.pathsep.join(map(str, [source, *sys.path]))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, name],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, str] = json.loads(done.stdout)
    return told


@pytest.mark.skipif(not COMPILED, reason="compares compiled rules with interpreted ones")
def test_compiled_and_interpreted_rules_agree(game: Game) -> None:
    assert fingerprint_interpreted(game.name) == fingerprint(game.name)


# ---------------------------------------------------------------------------- lines of play


def lines(deal: Deal) -> int:
    """In how many ways a deal can be played to its end, counted one line after the other."""
    return 1 if deal.is_over else sum(lines(deal.play(choice)) for choice in deal.legal)


def lines_side_by_side(states: Records, *, stop_above: int = 10_000) -> int:
    """In how many ways deals can be played to their end, all lines one choice at a time.

    Counting ends early once there are certainly more than `stop_above`.
    """
    ended = 0
    while len(states) and ended + len(states) <= stop_above:
        ended += int((states["phase"] == OVER).sum())
        states = states[states["phase"] != OVER]
        states = every_next(states, legals_of(states))
    return ended + len(states)


def small_ending(game: Game, seed: int, *, most_lines: int) -> Deal:
    """A random deal from the earliest point with no more than so many lines of play left."""
    rng = random.Random(seed)
    deals = [random_deal(game, rng)]
    while not deals[-1].is_over:
        deals.append(played_on(deals[-1], 1, rng))
    ending = deals.pop()
    while deals and lines_side_by_side(deals[-1].records, stop_above=most_lines) <= most_lines:
        ending = deals.pop()
    return ending


@pytest.mark.parametrize("seed", range(5))
def test_two_counters_agree_on_the_lines_of_play_of_an_ending(game: Game, seed: int) -> None:
    ending = small_ending(game, seed, most_lines=1500)
    assert lines(ending) == lines_side_by_side(ending.records) > 1
