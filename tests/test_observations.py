"""Observations and tokens: what they say, that they say no more than the view, and no less."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from conftest import (
    Positions,
    Records,
    all_games,
    legals_of,
    orders_of,
    play_history,
    random_positions,
    random_seats,
    views_of,
)
from overtrick.cards import each
from overtrick.cli import app
from overtrick.engine.batches import play_all
from overtrick.engine.dealing import deal_orders
from overtrick.engine.deals import Deal, Match, View
from overtrick.engine.observations import (
    canonical_orders,
    expand,
    observations,
    observe_all,
    original_choices,
    relabel_all,
    shuffle_suits,
    token_rows,
)
from overtrick.engine.playouts import playouts
from overtrick.errors import UnknownName
from overtrick.games import load_game
from overtrick.games.game import HIDDEN, Game
from overtrick.games.observing import (
    AS_CARDS,
    CONTEXT,
    HAND,
    KNOWN,
    SAME_SUITS,
    TABLE,
    TRUMP,
    Encoding,
    Feature,
    free_suits,
    inverse_order,
    relabel,
    seats_around,
)
from overtrick.jit import stream, streams
from referee_games import REFEREES, advanced, in_engine, random_referee

FIVE = sorted(REFEREES)
ENCODINGS = [(name, str(spec)) for name in all_games() for spec in load_game(name).encodings]
COUNT = 200


def some_views(game: Game, count: int, seed: int) -> Records:
    """Views of any seat at any point of any variant."""
    positions = random_positions(game, count, seed)
    return views_of(positions.states, random_seats(game, count, seed))


def unmoved(views: Records) -> Records:
    """The order that leaves every suit where it is, for each view."""
    return np.full(len(views), SAME_SUITS, dtype=np.int64)


def spans(game: Game, encoding: str) -> dict[str, tuple[int, int]]:
    """For each feature, its first flag and the one after its last."""
    spec = game.encodings[game.encoding(encoding)]
    return {one.name: (at, at + len(one.flags)) for at, one in spec.spans()}


def as_set(flags: Records) -> int:
    """Flags as a set of bits."""
    return sum(1 << int(place) for place in np.flatnonzero(flags))


# ---------------------------------------------------------------------------- the spec


@pytest.mark.parametrize(("name", "encoding"), ENCODINGS)
def test_every_flag_has_an_index_a_name_of_its_own_and_a_meaning(name: str, encoding: str) -> None:
    game = load_game(name)
    spec = game.encodings[game.encoding(encoding)]
    rows = spec.rows()
    assert [index for index, _, _ in rows] == list(range(spec.size))
    assert len({flag for _, flag, _ in rows}) == spec.size
    assert all(meaning for _, _, meaning in rows)
    assert observations(game, some_views(game, 3, 1), encoding=encoding).shape == (3, spec.size)


@pytest.mark.parametrize(("name", "encoding"), ENCODINGS)
def test_expanded_flags_are_the_bits_of_the_packed_ones(name: str, encoding: str) -> None:
    game, number = load_game(name), load_game(name).encoding(encoding)
    spec, views = game.encodings[number], some_views(game, COUNT, 2)
    packed = np.zeros((len(views), spec.words), dtype=np.int64)
    observe_all(views, number, canonical_orders(views), spec.widths, packed)
    bits = np.unpackbits(packed.astype("<i8").view(np.uint8), axis=1, bitorder="little")
    assert np.array_equal(expand(packed, spec.size), bits[:, : spec.size])
    assert not bits[:, spec.size :].any(), "no feature has more flags than it names"


def test_seats_are_called_by_where_they_sit_from_the_viewer() -> None:
    assert seats_around(2) == ("self", "other")
    assert seats_around(3) == ("self", "next", "previous")
    assert seats_around(4) == ("self", "next", "across", "previous")
    assert seats_around(5) == ("self", "next", "next but 1", "next but 2", "previous")


def test_a_feature_has_no_more_flags_than_an_int64_has_bits() -> None:
    with pytest.raises(TypeError, match="at most 63 flags, not huge"):
        Encoding("e", 1, (Feature("huge", tuple(map(str, range(64))), "too much"),))


def test_another_version_has_another_digest() -> None:
    features = (Feature("one", ("",), "a flag"),)
    assert Encoding("e", 1, features).digest != Encoding("e", 2, features).digest


# ---------------------------------------------------------------------------- what flags say


@pytest.mark.parametrize(("name", "encoding"), ENCODINGS)
def test_flags_of_cards_are_the_cards_of_the_view(name: str, encoding: str) -> None:
    game, where = load_game(name), spans(load_game(name), encoding)
    views = some_views(game, COUNT, 3)
    flags = observations(game, views, encoding=encoding, orders=unmoved(views))
    around = seats_around(game.seats)
    deck = game.deck.all
    for view, row in zip(views, flags, strict=True):
        me = int(view["viewer"])
        told = {feature: as_set(row[at:end]) for feature, (at, end) in where.items()}
        assert told["hand"] == view["hands"][me]
        if "table" in told:
            assert told["table"] == int(view["table"]) & deck
        for offset, who in enumerate(around):
            seat = (me + offset) % game.seats
            assert told.get(f"played by {who}", view["played"][seat]) == view["played"][seat]
            if offset:
                held, not_held = int(view["hands"][seat]), int(view["cannot"][seat])
                assert told.get(f"held by {who}", held) == held
                assert told.get(f"not held by {who}", not_held) == not_held
        for feature, field in (("to act", "seat"), ("leader", "leader")):
            seat = int(view[field])
            wanted = 0 if seat < 0 else 1 << (seat - me) % game.seats
            assert told.get(feature, wanted) == wanted


def seat_numbers(view: Records, flags: dict[str, int], feature: str, game: Game) -> list[int]:
    """A thermometer of every seat, as numbers in the order of the seats."""
    me = int(view["viewer"])
    by_offset = [flags[f"{feature} {who}"].bit_count() for who in seats_around(game.seats)]
    return [by_offset[(seat - me) % game.seats] for seat in range(game.seats)]


def test_thermometers_of_hearts_show_the_points() -> None:
    game, where = load_game("hearts"), spans(load_game("hearts"), "standard")
    views = some_views(game, COUNT, 4)
    for view, row in zip(views, observations(game, views), strict=True):
        told = {feature: as_set(row[at:end]) for feature, (at, end) in where.items()}
        assert seat_numbers(view, told, "points", game) == [*view["points"]]


def test_thermometers_of_sheephead_show_the_points() -> None:
    from overtrick.games.sheephead.scoring import card_points

    game, where = load_game("sheephead"), spans(load_game("sheephead"), "standard")
    views = some_views(game, COUNT, 5)
    for view, row in zip(views, observations(game, views), strict=True):
        told = {feature: as_set(row[at:end]) for feature, (at, end) in where.items()}
        points = [card_points(int(took) & game.deck.all) // 10 for took in view["taken"]]
        assert seat_numbers(view, told, "points", game) == points


def test_thermometers_of_snapszer_show_half_the_points() -> None:
    game, where = load_game("snapszer"), spans(load_game("snapszer"), "standard")
    views = some_views(game, COUNT, 6)
    for view, row in zip(views, observations(game, views), strict=True):
        told = {feature: as_set(row[at:end]) for feature, (at, end) in where.items()}
        points = [min(int(points), 66) // 2 for points in view["points"]]
        assert seat_numbers(view, told, "points", game) == points
        assert told["talon"].bit_count() == view["left"] // 2


@pytest.mark.parametrize("name", ["coinche", "hokm"])
def test_thermometers_of_two_teams_show_the_tricks(name: str) -> None:
    game, where = load_game(name), spans(load_game(name), "standard")
    views = some_views(game, COUNT, 7)
    for view, row in zip(views, observations(game, views), strict=True):
        told = {feature: as_set(row[at:end]) for feature, (at, end) in where.items()}
        mine = int(view["viewer"]) & 1
        most = 7 if name == "hokm" else 8
        own, theirs = (min(int(view["tricks"][team]), most) for team in (mine, 1 - mine))
        assert told["tricks of own team"].bit_count() == own
        assert told["tricks of the others"].bit_count() == theirs
        if name == "coinche":
            points = min(int(view["points"][mine]), 160) // 10
            assert told["points of own team"].bit_count() == points


def test_coinche_shows_every_bid_by_its_bidder() -> None:
    view = Deal.from_seed("coinche", 1).play("80S").play("P").play("90H").play("X").view(0)
    first = view.history[0].seat
    told = [flag for flag in view.flags() if flag.startswith(("bids", "contract", "doubled"))]
    around = seats_around(4)
    order = int(canonical_orders(view.records)[0])
    spades, hearts = (["trump", "suit 2", "suit 3", "suit 4"][order >> at & 3] for at in (0, 2))
    assert f"bids {around[first]}: 80 {spades}" in told
    assert f"bids {around[(first + 2) % 4]}: 90 {hearts}" in told
    assert f"contract: 90 {hearts}" in told
    assert "doubled: coinched" in told


# ---------------------------------------------------------------------------- the Hearts page


def test_the_flags_of_the_hearts_page_add_up_to_540() -> None:
    spec = load_game("hearts").encodings[load_game("hearts").encoding("page")]
    sizes: dict[str, int] = {}
    for feature in spec.features:
        sizes[feature.meaning.split(",")[0]] = sizes.get(feature.meaning.split(",")[0], 0) + len(
            feature.flags
        )
    assert sizes == {
        "current player's hand": 52,
        "exchange direction": 4,
        "outgoing pass": 52,
        "incoming pass": 52,
        "cards previously played": 208,
        "current trick": 156,
        "known voids": 12,
        "deal score: who has taken any points": 4,
    }
    assert spec.size == 540


def flags_of_the_page(deal: Deal, seat: int) -> list[int]:
    """The table of the Hearts page, filled in from the events of a deal, card by card."""
    deck, view = deal.game.deck.names, deal.view(seat)
    others = [(seat + offset) % 4 for offset in range(1, 4)]
    direction = {0: "hold", 1: "left", 2: "across", 3: "right"}[int(deal.records["direction"][0])]
    passes = [event for event in deal.history if deal.game.phases[event.phase] == "pass"]
    plays = [event for event in deal.history if deal.game.phases[event.phase] == "play"]
    giver = (seat - int(deal.records["direction"][0])) % 4
    exchanged = len(passes) == 12
    tricks = [plays[at : at + 4] for at in range(0, len(plays), 4)]
    current = tricks[-1] if tricks and len(tricks[-1]) < 4 else []
    points = dict.fromkeys(range(4), 0)
    void: dict[int, set[str]] = {number: set() for number in range(4)}
    for trick in tricks:
        led = deck[trick[0].choice][1]
        for event in trick:
            if deck[event.choice][1] != led:
                void[event.seat].add(led)
        if len(trick) == 4:
            ranked = [event for event in trick if deck[event.choice][1] == led]
            taker = max(ranked, key=lambda event: "23456789TJQKA".index(deck[event.choice][0]))
            names = [deck[event.choice] for event in trick]
            points[taker.seat] += sum(card[1] == "H" or card == "QS" for card in names)

    def cards(chosen: list[int]) -> list[int]:
        return [int(card in chosen) for card in range(52)]

    flags = cards([*each(view.hand)])
    flags += [int(direction == one) for one in ("left", "right", "across", "hold")]
    flags += cards([event.choice for event in passes if event.seat == seat])
    flags += cards([e.choice for e in passes if e.seat == giver] if exchanged else [])
    for one in [seat, *others]:
        flags += cards([event.choice for event in plays if event.seat == one])
    for number in range(3):
        flags += cards([current[number].choice] if number < len(current) else [])
    for one in others:
        flags += [int(suit in void[one]) for suit in "CDSH"]
    return flags + [int(points[one] > 0) for one in [seat, *others]]


def test_the_flags_of_the_hearts_page_are_those_of_its_table() -> None:
    # A heart led early and a point card in the first trick prove voids that nobody has shown by
    # not following, which is all that is counted above: these options leave no such proofs.
    variant = "must_break_hearts=false,no_points_first_trick=false"
    rng = random.Random(8)
    for number in range(60):
        match = Match.from_text("hearts", f"deals={number % 4}", variant=variant)
        deal = Deal.from_seed("hearts", number, match=match)
        for _ in range(rng.randrange(64)):
            if not deal.is_over:
                deal = deal.play(rng.choice(deal.legal))
        for seat in range(4):
            assert deal.view(seat).observation("page").tolist() == flags_of_the_page(deal, seat)


# ---------------------------------------------------------------------------- nothing but the view


@pytest.mark.parametrize("name", FIVE)
def test_deals_that_look_alike_give_the_same_flags_and_tokens(name: str) -> None:
    game, rng = load_game(name), random.Random(9)
    for _ in range(40):
        deal = random_referee(name, rng, options=True)
        advanced(name, deal, rng.randrange(game.longest + 1), rng)
        seat = rng.randrange(game.seats)
        other = REFEREES[name].module.another_deal_with_the_same_view(deal, seat, rng)
        mine, twin = (in_engine(name, one).view(seat) for one in (deal, other))
        for encoding in map(str, game.encodings):
            assert np.array_equal(mine.observation(encoding), twin.observation(encoding))
        assert np.array_equal(mine.tokens(), twin.tokens())


ROTATIONS = {
    "hearts": ("deals", "pass_cycle=L"),
    "hokm": ("hakem", ""),
    "sheephead": ("dealer", ""),
    "snapszer": ("deals", ""),
    "coinche": ("deals", ""),
    "thirds": ("deals", ""),
}


@pytest.mark.parametrize("name", sorted(ROTATIONS))
def test_a_net_does_not_see_at_which_side_of_the_table_it_sits(name: str) -> None:
    field, options = ROTATIONS[name]
    game = load_game(name)
    variant = game.variant_of(options)
    positions = random_positions(game, COUNT, 10, variant)
    matches = positions.matches.copy()
    matches[field] = (matches[field] + 1) % game.seats
    seats = random_seats(game, COUNT, 10)
    turned = game.blank_states(COUNT, variant)
    # the same deck dealt by the next seat: everybody gets what the seat before had
    start = orders_of(positions.states, len(game.deck))
    original = game.blank_states(COUNT, variant)
    deal_orders(original, positions.matches, start)
    deal_orders(turned, matches, start)
    same = [
        number
        for number in range(COUNT)
        if np.array_equal(original["hands"][number], np.roll(turned["hands"][number], -1))
    ]
    assert len(same) > COUNT // 2
    play_history(turned, positions.states["history"], positions.states["turn"])
    mine = views_of(positions.states, seats)[same]
    theirs = views_of(turned, (seats + 1) % game.seats)[same]
    for encoding in map(str, game.encodings):
        flags = [observations(game, views, encoding=encoding) for views in (mine, theirs)]
        assert np.array_equal(*flags)
    assert np.array_equal(token_rows(game, mine)[0], token_rows(game, theirs)[0])


# ---------------------------------------------------------------------------- suits


def permuted(positions: Positions, permutations: Records) -> tuple[Records, Records]:
    """The same deals with suits renamed from the shuffle on, and the choices made in them."""
    game, variant, matches, states = positions
    orders = orders_of(states, len(game.deck))
    histories = states["history"].copy()
    for number, state in enumerate(states):
        order = int(permutations[number])
        for place, card in enumerate(orders[number]):
            renamed = int(relabel(state, AS_CARDS, 1 << int(card), order))
            orders[number, place] = renamed.bit_length() - 1
        for turn in range(int(state["turn"])):
            event = int(state["history"][turn])
            renamed = int(relabel(state, event >> 9, 1 << (event & 63), order))
            histories[number, turn] = event & ~63 | renamed.bit_length() - 1
    again = game.blank_states(len(states), variant)
    deal_orders(again, matches, orders)
    play_history(again, histories, states["turn"])
    return again, histories


def shuffled_orders(views: Records, seed: int) -> Records:
    orders = np.zeros(len(views), dtype=np.int64)
    shuffle_suits(views, streams(len(views), seed, "suits"), orders)
    return orders


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", FIVE)
def test_a_deal_with_its_suits_renamed_is_the_same_deal_by_another_name(
    name: str, seed: int
) -> None:
    game = load_game(name)
    positions = random_positions(game, 60, seed)
    seats = random_seats(game, 60, seed)
    views = views_of(positions.states, seats)
    usual, shuffled = canonical_orders(views), shuffled_orders(views, seed)
    # apply the shuffled order, then undo the usual one: trump stays, the others change places
    moves = np.array(
        [
            sum(
                (int(inverse_order(int(first))) >> 2 * (int(second) >> 2 * suit & 3) & 3)
                << 2 * suit
                for suit in range(4)
            )
            for first, second in zip(usual, shuffled, strict=True)
        ]
    )
    if name == "hearts":
        assert np.array_equal(usual, shuffled)
    else:
        assert (moves != SAME_SUITS).sum() > 10 or "heuristic" in positions.variant.text()
    renamed, _ = permuted(positions, moves)  # every choice is legal there, too
    twins = views_of(renamed, seats)
    alike = (observations(game, twins) == observations(game, views)).all(axis=1)
    assert alike.mean() > 0.8  # but for suits that nothing seems to tell apart
    assert np.array_equal(
        observations(game, views, orders=shuffled), observations(game, twins, orders=usual)
    )
    assert np.array_equal(
        token_rows(game, views, orders=shuffled)[0], token_rows(game, twins, orders=usual)[0]
    )
    mine, theirs = (legals_of(states) for states in (positions.states, renamed))
    again = np.zeros_like(mine)
    relabel_all(positions.states, mine, moves, again)
    assert np.array_equal(again, theirs)


@pytest.mark.parametrize("name", FIVE)
def test_payoffs_do_not_depend_on_the_names_of_suits(name: str) -> None:
    game = load_game(name)
    positions = random_positions(game, 60, 11)
    ends = positions.states.copy()
    results = np.zeros((60, game.seats), dtype=np.int64)
    playouts(ends, stream(11, "ends"), results)
    views = views_of(ends, random_seats(game, 60, 11))
    usual, shuffled = canonical_orders(views), shuffled_orders(views, 12)
    moves = np.full(60, SAME_SUITS, dtype=np.int64)
    for number in range(60):
        back = int(inverse_order(int(usual[number])))
        places = [int(shuffled[number]) >> 2 * suit & 3 for suit in range(4)]
        moves[number] = sum(
            (back >> 2 * place & 3) << 2 * suit for suit, place in enumerate(places)
        )
    renamed, _ = permuted(Positions(game, positions.variant, positions.matches, ends), moves)
    again = np.zeros_like(results)
    playouts(renamed, stream(11, "ends"), again)
    assert np.array_equal(results, again)


@pytest.mark.parametrize("name", FIVE)
def test_a_choice_comes_back_from_its_other_name(name: str) -> None:
    game = load_game(name)
    positions = random_positions(game, COUNT, 13)
    going = positions.states[positions.states["phase"] >= 0]
    orders, legals = shuffled_orders(going, 13), legals_of(going)
    renamed, back = np.zeros_like(legals), np.zeros_like(legals)
    relabel_all(going, legals, orders, renamed)
    assert np.array_equal([bin(a).count("1") for a in legals], [bin(a).count("1") for a in renamed])
    first = np.array([int(choices).bit_length() - 1 for choices in renamed])
    original_choices(going, first, orders, back)
    assert (legals >> back & 1 == 1).all()


@pytest.mark.parametrize("name", ["hokm", "coinche", "snapszer"])
def test_nets_see_trump_first(name: str) -> None:
    game = load_game(name)
    views = some_views(game, COUNT, 14)
    tokens, lengths = token_rows(game, views)
    suit = len(game.deck) // 4
    for rows, length in zip(tokens, lengths, strict=True):
        for segment, _, phase, choice, _, status in rows[:length]:
            is_card = segment != CONTEXT and (
                phase == AS_CARDS or choice < game.card_choices(int(phase))
            )
            if is_card and segment == HAND:
                has_trump = (rows[:length, 5] == TRUMP).any()
                assert not has_trump or (status == TRUMP) == (choice < suit)


@pytest.mark.parametrize("name", ["hokm", "coinche", "snapszer"])
def test_after_trump_nets_see_the_suit_led_then_the_longest_then_the_highest(name: str) -> None:
    game = load_game(name)
    views = some_views(game, COUNT, 18)
    size = len(game.deck) // 4
    for view, order in zip(views, canonical_orders(views), strict=True):
        suits = [int(inverse_order(int(order))) >> 2 * place & 3 for place in range(4)]
        keys = []
        for place in each(int(free_suits(view))):
            first = size * suits[place]
            held = int(view["hands"][view["viewer"]]) >> first & (1 << size) - 1
            keys.append((int(view["led"]) >> first & 1, held.bit_count(), held))
        assert keys == sorted(keys, reverse=True)


# ---------------------------------------------------------------------------- tokens


@pytest.mark.parametrize("name", FIVE)
def test_tokens_tell_who_chose_what_and_what_lies_on_the_table(name: str) -> None:
    game = load_game(name)
    positions = random_positions(game, COUNT, 15)
    views = views_of(positions.states, random_seats(game, COUNT, 15))
    tokens, lengths = token_rows(game, views, orders=unmoved(views))
    for view, rows, length in zip(views, tokens, lengths, strict=True):
        me, turn = int(view["viewer"]), int(view["turn"])
        events = rows[length - turn : length]
        history = view["history"][:turn].astype(np.int64)
        assert np.array_equal((events[:, 1] + me) % game.seats, history >> 6 & 7)
        assert np.array_equal(events[:, 2], history >> 9)
        assert np.array_equal(events[:, 3], history & 63)
        assert np.array_equal(events[:, 4], range(turn))
        assert (events[:, 0] == TABLE).sum() == int(view["table"]).bit_count()
        assert set(rows[: length - turn, 0].tolist()) <= {CONTEXT, HAND, KNOWN}
        held = {int(row[3]) for row in rows[:length] if row[0] == HAND}
        assert held == set(each(int(view["hands"][me])))


def neighbours(game: Game, count: int, swaps: int, seed: int) -> Records:
    """Positions, and each again with two cards of the deck swapped, in every way drawn.

    Choices are made as before where they are legal, with the other of the two cards where only
    that is; a deal in which neither is ends there, and so does the one it came from.
    """
    positions = random_positions(game, count, seed)
    rng = np.random.default_rng(seed)
    orders = np.repeat(orders_of(positions.states, len(game.deck)), swaps, axis=0)
    pairs = np.array([rng.permutation(len(game.deck))[:2] for _ in orders])
    for order, (one, other) in zip(orders, pairs, strict=True):
        order[one], order[other] = order[other], order[one]
    cards = np.take_along_axis(orders, pairs, axis=1)
    near = game.blank_states(len(orders), positions.variant)
    deal_orders(near, np.repeat(positions.matches, swaps), orders)
    histories = np.repeat(positions.states["history"], swaps, axis=0).astype(np.int64)
    turns = np.repeat(positions.states["turn"], swaps)
    going = np.arange(len(orders))
    for turn in range(int(turns.max(initial=0))):
        going = going[turns[going] > turn]
        group = near[going]
        choices = histories[going, turn] & HIDDEN
        swapped = np.where(choices == cards[going, 0], cards[going, 1], choices)
        swapped = np.where(choices == cards[going, 1], cards[going, 0], swapped)
        legals = legals_of(group)
        chosen = np.where(legals >> choices & 1 == 1, choices, swapped)
        fits = legals >> chosen & 1 == 1
        going, group, chosen = going[fits], group[fits], chosen[fits]
        play_all(group, chosen)
        near[going] = group
    return np.concatenate([positions.states, near[near["turn"] == turns]])


def confusions(game: Game, states: Records, keep: slice = slice(None)) -> int:
    """How many views share viewer and tokens (all, or some columns) with a different one."""
    found: dict[tuple[int, bytes], bytes] = {}
    confused = 0
    for seat in range(game.seats):
        views = views_of(states, np.full(len(states), seat))
        tokens, lengths = token_rows(game, views, orders=unmoved(views))
        for view, rows, length in zip(views, tokens, lengths, strict=True):
            key = seat, np.ascontiguousarray(rows[:length, keep]).tobytes()
            confused += found.setdefault(key, view.tobytes()) != view.tobytes()
    return confused


@pytest.mark.parametrize("name", all_games())
def test_the_tokens_determine_the_view(name: str) -> None:
    game, rng = load_game(name), random.Random(16)
    for seed in range(6):
        states = neighbours(game, 60, 20, rng.randrange(1000) + seed)
        assert confusions(game, states) == 0


@pytest.mark.parametrize("name", FIVE)
def test_that_proof_notices_tokens_that_say_too_little(name: str) -> None:
    """Views told by their choices and the number of their facts alone are confused."""
    game = load_game(name)
    confused = sum(
        confusions(game, neighbours(game, 60, 20, seed), slice(0, 3)) for seed in range(3)
    )
    assert confused > 0


# ---------------------------------------------------------------------------- faces


def test_a_view_names_its_flags() -> None:
    view = Deal.from_cards("hokm", {"0": "AS KS QS 2H 3H 4H 5H 6C 7C 8C 9C TD JD"} | REST).view(0)
    assert isinstance(view, View)
    assert "phase: trump" in view.flags()
    assert "hakem: self" in view.flags()
    assert view.observation().sum() == len(view.flags())


REST = {
    "1": "2S 3S 4S 5S 6S 7S 8S 9S TS JS 7H 8H 9H",
    "2": "TH JH QH KH AH 2C 3C 4C 5C TC JC QC KC",
}


def test_an_unknown_encoding_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="standard@1"):
        load_game("hearts").encoding("nonsense")


def test_explain_observation_prints_index_name_and_meaning() -> None:
    runner = CliRunner()
    shown = runner.invoke(app, ["explain-observation", "hearts"])
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert "703 flags" in lines[0]
    assert "page@1" in lines[1]
    assert lines[2].split()[:3] == ["0", "phase:", "pass"]
    told = runner.invoke(app, ["explain-observation", "hearts", "--encoding", "page", "--json"])
    report = json.loads(told.stdout)
    assert report["size"] == len(report["flags"]) == 540
    assert report["flags"][52] == {
        "index": 52,
        "name": "direction: left",
        "meaning": "exchange direction",
    }


def fingerprint(name: str) -> str:
    """A digest of flags and tokens of a few views of a game."""
    game = load_game(name)
    views = some_views(game, 8, 17)
    flags = [observations(game, views, encoding=str(one)).tobytes() for one in game.encodings]
    tokens, lengths = token_rows(game, views)
    shuffled = shuffled_orders(views, 17)
    again = observations(game, views, orders=shuffled).tobytes()
    told = [*flags, again, tokens.tobytes(), lengths.tobytes(), shuffled.tobytes()]
    return hashlib.sha256(b"".join(told)).hexdigest()


@pytest.mark.long
def test_flags_and_tokens_are_the_same_with_the_compiler_off() -> None:
    work = f"import test_observations as t; print(*[t.fingerprint(one) for one in {all_games()}])"
    run = subprocess.run(
        [sys.executable, "-c", work],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == [fingerprint(name) for name in all_games()]
