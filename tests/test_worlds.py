"""Worlds: every one drawn explains the view, and all that do are drawn equally often.

Frequencies are held to exact counts by chi-square tests. Seeds are fixed, so a test that passes
passes always; what would come up once in ten thousand honest draws counts as wrong.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

import numpy as np
import pytest
from scipy import stats

from conftest import (
    Records,
    position_of,
    views_of,
)
from overtrick.cards import FRENCH_52
from overtrick.engine.deals import Deal
from overtrick.engine.worlds import count_worlds, draw_worlds, new_puzzle, sample_worlds
from overtrick.errors import NoWorldFound
from overtrick.games.game import (
    HIDDEN,
    MAX_CASES,
    MAX_PLACES,
    RULES,
    Game,
    Places,
    Row,
    State,
    Variant,
    match_dtype,
    state_dtype,
)
from overtrick.games.game import Match as MatchRecord
from overtrick.jit import rule, stream
from overtrick.testing.worlds import *  # noqa: F403  the suite that all games share
from overtrick.testing.worlds import (
    RARE,
    chance_of_more,
    check_that_worlds_explain_their_views,
    each_alike,
    is_rare,
)
from referees import hearts
from referees.hearts import HeartsReferee, LooseCards

HOUSE_RULES: list[dict[str, object]] = [
    {},
    {"no_points_first_trick": False},
    {"must_break_hearts": False},
    {"qs_breaks_hearts": False},
    {"hearts_instead_of_forced_qs": True, "qs_breaks_hearts": False},
    {"stop_when_decided": True, "moon": "auto"},
]


@pytest.mark.parametrize("freedom", [1, 2, 5, 20, 300, 5000])
@pytest.mark.parametrize("deviations", [0, 2, 4, 6])
def test_chance_is_told_nearly_as_scipy_tells_it(freedom: int, deviations: int) -> None:
    chi_square = freedom + deviations * math.sqrt(2 * freedom)
    told, exact = chance_of_more(chi_square, freedom), stats.chi2.sf(chi_square, freedom)
    assert told == pytest.approx(exact, rel=1, abs=RARE / 10)


def test_a_fair_die_is_not_rare_but_a_loaded_one_is() -> None:
    chance = np.random.default_rng(1)
    fair = Counter(chance.integers(0, 6, 6000).tolist())
    loaded = Counter(chance.choice(6, 6000, p=[0.2, 0.16, 0.16, 0.16, 0.16, 0.16]).tolist())
    assert not is_rare(fair, each_alike(range(6)))
    assert is_rare(loaded, each_alike(range(6)))
    assert is_rare({6: 1}, each_alike(range(6)))


# ---------------------------------------------------------------------------- worlds of any game


@pytest.mark.long
def test_twenty_thousand_worlds_replay_legally_and_look_the_same(game: Game) -> None:
    for seed in range(100, 180):
        check_that_worlds_explain_their_views(game, 250, seed)


def test_a_void_binds_the_hand_but_neither_the_card_laid_aside_nor_the_talon() -> None:
    # Seat 0 has not seen 3R 4R 5R 2G 4G 5G 2B. Seat 1 did not follow green, so its one card is
    # one of four; then six are left for seat 2, five and four for the cards laid aside.
    deal = Deal.from_text(
        "thirds; ; ; 0 1R 2R 3G 5B / 1 2G 1B 2B 3B / 2 1G 3R 4B 4G / talon 4R 5R 5G;"
        "2G 3R 5B 3B 4B 3G 1G 1R 1B"
    )
    view, deck = deal.view(0), deal.game.deck
    worlds = sample_worlds(view.records, 5000, stream(1, "void"))
    assert view.count_worlds() == 4 * 6 * 5 * 4
    assert seen_in(worlds["hands"][:, 1]) == deck.set("3R 4R 5R 2B")
    assert seen_in(worlds["laid"][:, 1]) == deck.set("3R 4R 5R 2G 4G 5G 2B")
    assert seen_in(worlds["talon"]) == deck.set("3R 4R 5R 2G 4G 5G 2B")


def seen_in(card_sets: Records) -> int:
    """All cards that are in any of the sets."""
    return int(np.bitwise_or.reduce(card_sets))


# ---------------------------------------------------------------------------- Hearts by the referee


def advance(deal: HeartsReferee, choices: int, rng: random.Random, hearts_last: bool) -> None:
    """Make up to so many random legal choices; if asked to, no heart while there is another."""
    for _ in range(choices):
        if deal.phase == "over":
            break
        cards = sorted(deal.legal())
        others = [card for card in cards if card[1] != "H"]
        deal.play(rng.choice(others if hearts_last and others else cards))


def ending_with_voids(
    rng: random.Random, options: Mapping[str, object], deal_index: int
) -> tuple[HeartsReferee, int]:
    """A deal with three tricks left or less and a seat to which plays have proven much."""
    while True:
        deal = hearts.random_deal(rng, options, deal_index)
        advance(deal, deal.passes_due + 52 - rng.randint(5, 12), rng, hearts_last=False)
        seat = rng.randrange(4)
        others = [len(deal.hands[who]) for who in range(4) if who != seat]
        free = math.factorial(sum(others)) // math.prod(map(math.factorial, others))
        if deal.phase == "play" and 10 <= hearts.arrangements(deal, seat) <= min(300, free // 2):
            return deal, seat


def in_bits(cards: Iterable[str]) -> int:
    """The referee's cards as a set of bits."""
    return FRENCH_52.set(sorted(cards))


def hands_in(worlds: Records) -> Counter[tuple[int, ...]]:
    """How often the four hands lie in which way."""
    return Counter(tuple(hands) for hands in worlds["hands"].tolist())


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
@pytest.mark.parametrize("deal_index", [0, 1, 2, 3], ids=["left", "right", "across", "hold"])
def test_hands_of_a_hearts_ending_lie_as_often_as_deals_lead_to_them(
    options: dict[str, object], deal_index: int
) -> None:
    rng = random.Random(deal_index)
    deal, seat = ending_with_voids(rng, options, deal_index)
    weights = {
        tuple(map(in_bits, hands)): float(weight)
        for hands, weight in hearts.every_deal_with_the_same_view(deal, seat)
    }
    view = views_of(position_of(deal).states, [seat])
    drawn = sample_worlds(view, 60 * len(weights), stream(deal_index, "ending"))
    assert not is_rare(hands_in(drawn), weights)


def chosen_in(worlds: Records, turn: int) -> list[int]:
    """The choice of this turn in every world."""
    return (worlds["history"][:, turn] & HIDDEN).tolist()


def pass_turns(deal: HeartsReferee, giver: int) -> range:
    """The turns in which a seat passes its three cards."""
    first = 3 * ((giver - deal.dealer - 1) % 4)
    return range(first, first + 3)


@pytest.mark.parametrize("deal_index", [0, 1, 2], ids=["left", "right", "across"])
def test_hidden_passes_are_drawn_from_what_the_receiver_held(deal_index: int) -> None:
    rng = random.Random(10 + deal_index)
    deal, seat = ending_with_voids(rng, {}, deal_index)
    view = views_of(position_of(deal).states, [seat])
    drawn = sample_worlds(view, 60_000, stream(deal_index, "passes"))
    listed = [hands for hands, _ in hearts.every_deal_with_the_same_view(deal, seat)]
    for giver in set(range(4)) - {seat}:
        taker = hearts.receiver(giver, deal.direction)
        weights: Counter[int] = Counter()
        for hands in listed:
            held = hands[taker] | hearts.played_by(deal, taker)
            given = deal.received[seat] if taker == seat else held
            weights.update(hearts.DECK.index(card) for card in given)
        if taker != seat:
            assert sum(weights.values()) == 13 * len(listed)
        for turn in pass_turns(deal, giver):
            assert not is_rare(Counter(chosen_in(drawn, turn)), weights)


def finished_deal(deal_index: int) -> tuple[HeartsReferee, Records]:
    """A deal in which every hand has come to light, and 60,000 worlds of seat 0."""
    rng = random.Random(deal_index)
    deal = hearts.random_deal(rng, {}, deal_index)
    advance(deal, 64, rng, hearts_last=False)
    view = views_of(position_of(deal).states, [0])
    return deal, sample_worlds(view, 60_000, stream(deal_index, "finished"))


@pytest.mark.parametrize("deal_index", [0, 1, 2], ids=["left", "right", "across"])
def test_any_three_cards_in_any_order_may_have_been_passed(deal_index: int) -> None:
    deal, drawn = finished_deal(deal_index)
    for giver in (1, 2, 3):
        taker = hearts.receiver(giver, deal.direction)
        held = deal.received[0] if taker == 0 else hearts.played_by(deal, taker)
        cards = [hearts.DECK.index(card) for card in held]
        first, second, third = (chosen_in(drawn, turn) for turn in pass_turns(deal, giver))
        seen = Counter(zip(first, second, third, strict=True))
        assert not is_rare(seen, each_alike(itertools.permutations(cards, 3)))


def test_passes_of_two_seats_are_drawn_apart_from_each_other() -> None:
    deal, drawn = finished_deal(0)  # to the left: seat 3 gives to seat 0, seats 1 and 2 are hidden
    held = [[hearts.DECK.index(card) for card in hearts.played_by(deal, who)] for who in (2, 3)]
    firsts = [chosen_in(drawn, pass_turns(deal, giver)[0]) for giver in (1, 2)]
    assert not is_rare(Counter(zip(*firsts, strict=True)), each_alike(itertools.product(*held)))


@pytest.mark.parametrize("passes", [0, 2, 5, 7, 11])
def test_while_cards_are_passed_the_unseen_ones_lie_anyhow(passes: int) -> None:
    rng = random.Random(passes)
    deal = hearts.random_deal(rng, {}, deal_index=1)
    advance(deal, passes, rng, hearts_last=False)
    seat = 0  # passes third, after seats 2 and 3
    view = views_of(position_of(deal).states, [seat])
    drawn = sample_worlds(view, 20_000, stream(passes, "passing"))
    unseen = sorted(set(range(52)) - {hearts.DECK.index(card) for card in deal.dealt[seat]})
    for turn in range(passes):
        if deal.history[turn][0] != seat:
            assert not is_rare(Counter(chosen_in(drawn, turn)), each_alike(unseen))
    spades = FRENCH_52.set([card for card in hearts.DECK if card[1] == "S"])
    there = sum(1 for card in unseen if spades >> card & 1)
    for who in (1, 2, 3):
        dealt = drawn["hands"][:, who] | drawn["passed"][:, who]
        assert np.all(np.bitwise_count(dealt) == 13)
        least, most = max(0, there - 26), min(13, there)
        chances = stats.hypergeom(39, there, 13).pmf(range(least, most + 1))
        shares = lumped(dict(zip(range(least, most + 1), chances.tolist(), strict=True)))
        seen = Counter(shares[0].get(int(n), -1) for n in np.bitwise_count(dealt & spades))
        assert not is_rare(seen, shares[1])


def lumped(chances: Mapping[int, float]) -> tuple[dict[int, int], dict[int, float]]:
    """Outcomes that are rarer than 1 in 2000 counted together as -1, so that chi-square holds."""
    names = {outcome: outcome if chance > 1 / 2000 else -1 for outcome, chance in chances.items()}
    weights: dict[int, float] = {}
    for outcome, chance in chances.items():
        weights[names[outcome]] = weights.get(names[outcome], 0.0) + chance
    return names, weights


def referee_positions(count: int, seed: int) -> Iterator[tuple[HeartsReferee, int]]:
    """Deals at random points of play under all house rules, hearts kept back in every other."""
    rng = random.Random(seed)
    for number in range(count):
        deal = hearts.random_deal(rng, HOUSE_RULES[number % len(HOUSE_RULES)])
        plays = rng.randrange(52)
        advance(deal, deal.passes_due + plays, rng, hearts_last=number // 6 % 2 == 1)
        yield deal, rng.randrange(4)


def test_as_many_arrangements_are_counted_as_by_the_referee() -> None:
    for deal, seat in referee_positions(200, seed=1):
        counted = count_worlds(views_of(position_of(deal).states, [seat]))
        assert counted == pytest.approx(hearts.arrangements(deal, seat), rel=1e-12)


def test_some_of_the_positions_counted_have_a_heart_led_unbroken() -> None:
    def leads_unbroken(deal: HeartsReferee) -> bool:
        plays = [card for _, card in deal.plays()]
        first = next((n for n, card in enumerate(plays) if card[1] == "H" or card == "QS"), 1)
        return first % 4 == 0 and plays[first][1] == "H"

    assert sum(leads_unbroken(deal) for deal, _ in referee_positions(200, seed=1)) > 3


def test_a_point_card_in_the_first_trick_shows_a_hand_of_points() -> None:
    # Seat 1 holds twelve hearts and QS, and seat 2 the ace: so in the eyes of seat 0 seat 1 has
    # its last twelve cards out of thirteen, and the rest is split between seats 2 and 3.
    deck = list(hearts.DECK)
    points = [card for card in deck if card[1] == "H" and card != "AH"] + ["QS"]
    others = [card for card in deck if card not in points and card not in ("2C", "AH")]
    hands = [["2C", *others[:12]], points, ["AH", *others[12:24]], others[24:]]
    deal = HeartsReferee(hearts.order_of(hands, dealer=3), deal_index=3)
    for card in ("2C", "QS"):
        deal.play(card)
    view = views_of(position_of(deal).states, [0])
    assert count_worlds(view) == hearts.arrangements(deal, 0) == 13 * math.comb(26, 13)


@pytest.mark.parametrize(
    ("hand", "queen_may_wait", "ways"),
    [
        ("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", False, 12),  # eleven of the hearts not seen
        ("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH QS", True, 78),  # eleven of those and the queen
    ],
)
def test_a_heart_led_unbroken_shows_a_hand_of_hearts(
    hand: str, queen_may_wait: bool, ways: int
) -> None:
    first = ["AC", *hand.split()]
    others = [card for card in hearts.DECK if card not in first]
    clubs = [[card] for card in others if card[1] == "C"][:3]  # 2C to seat 0, a club to each
    rest = [card for card in others if [card] not in clubs]
    hands = [clubs[0] + rest[:12], first, clubs[1] + rest[12:24], clubs[2] + rest[24:]]
    options = {"hearts_instead_of_forced_qs": queen_may_wait}
    deal = HeartsReferee(hearts.order_of(hands, dealer=3), deal_index=3, options=options)
    for card in ("2C", "AC", "3C", "4C", "2H"):
        deal.play(card)
    counted = count_worlds(views_of(position_of(deal).states, [0]))
    assert counted == hearts.arrangements(deal, 0) == ways * math.comb(24, 12)


def test_cards_lie_with_seats_as_often_as_the_referee_counts() -> None:
    surprise, checked = 0.0, 0
    for number, (deal, seat) in enumerate(referee_positions(150, seed=2)):
        found = a_loose_card(deal, seat, random.Random(number))
        if found is None:
            continue
        card, who, chance = found
        view = views_of(position_of(deal).states, [seat])
        worlds = sample_worlds(view, 2000, stream(number, "loose"))
        there = int((worlds["hands"][:, who] >> hearts.DECK.index(card) & 1).sum())
        surprise += (there - 2000 * chance) ** 2 / (2000 * chance * (1 - chance))
        checked += 1
    assert checked > 100
    assert RARE < stats.chi2(checked).sf(surprise) < 1 - RARE


def a_loose_card(
    deal: HeartsReferee, seat: int, rng: random.Random
) -> tuple[str, int, float] | None:
    """A card, a seat that may hold it, and how likely that is; not if it is hardly in doubt."""
    loose = LooseCards(deal, seat)
    cards = [*loose.bound, *((card, [w for w in range(4) if w != seat]) for card in loose.free)]
    if not cards:
        return None
    card, seats = rng.choice(cards)
    who = rng.choice(seats)
    fixed = LooseCards(deal, seat)
    fixed.free = [free for free in fixed.free if free != card]
    fixed.bound = [(card, [who]), *(bound for bound in fixed.bound if bound[0] != card)]
    chance = fixed.ways(0, fixed.room) / loose.ways(0, loose.room)
    return (card, who, chance) if 0.02 < chance < 0.98 else None


@pytest.mark.parametrize("allowed", [0, 10], ids=["none may hold anything", "ten for two hands"])
def test_voids_that_contradict_each_other_are_told_in_one_line(allowed: int) -> None:
    view = Deal.from_seed("hearts", 1).view(0).records.copy()
    unseen = [card for card in range(52) if not view["hands"][0, 0] >> card & 1]
    view["cannot"][0, 1:3] = sum(1 << card for card in unseen[allowed:])
    for attempt in (lambda: sample_worlds(view, 1, stream(1)), lambda: count_worlds(view)):
        with pytest.raises(NoWorldFound, match="no deal explains this view") as caught:
            attempt()
        assert "\n" not in str(caught.value)


# ---------------------------------------------------------------------------- puzzles by hand


class PuzzleState(State, Protocol):
    """A game that is nothing but the question where its unseen cards lie."""

    cases: int
    count: int
    weight: Annotated[Row, MAX_CASES]
    room: Annotated[Row, MAX_CASES * MAX_PLACES]
    allowed: Annotated[Row, MAX_CASES * MAX_PLACES]
    found: Annotated[Row, MAX_PLACES]


@rule
def places(view: PuzzleState, where: Places) -> None:
    where.cases = view.cases
    where.count = view.count
    for case in range(view.cases):
        where.weight[case] = view.weight[case]
        for place in range(view.count):
            where.room[case, place] = view.room[case * MAX_PLACES + place]
            where.allowed[case, place] = view.allowed[case * MAX_PLACES + place]


@rule
def settle(view: PuzzleState, found: Row, stream: Row) -> None:
    for place in range(view.count):
        view.found[place] = found[place]


@rule
def no_rule(view: PuzzleState) -> None:
    """A puzzle is never dealt or played."""


PUZZLES = Game(
    name="puzzle",
    title="Puzzle",
    summary="cards and the places where they may lie",
    deck=FRENCH_52,
    seats=1,
    phases=(),
    state=state_dtype(PuzzleState, "puzzle", __file__, seats=1, longest=1),
    match=match_dtype(MatchRecord, "puzzle", __file__, seats=1),
    variant=Variant,
    rules={**dict.fromkeys(RULES, no_rule), "places": places, "settle": settle},
    layout=lambda match: {},
    choice_names=(),
    action_offsets=(),
    hidden=True,
)


@dataclass(frozen=True)
class Case:
    """Places with their room and the cards allowed there, as bits."""

    room: tuple[int, ...]
    allowed: tuple[int, ...]
    weight: int = 1

    def fillings(self) -> Iterator[tuple[int, ...]]:
        """Every way to fill the places with all the cards, one card after the other."""
        cards = [card for card in range(63) if any(may >> card & 1 for may in self.allowed)]
        if sum(self.room) == len(cards) and min(self.room, default=0) >= 0:
            yield from self._fillings(cards, list(self.room), [0] * len(self.room))

    def _fillings(
        self, cards: Sequence[int], room: list[int], found: list[int]
    ) -> Iterator[tuple[int, ...]]:
        if not cards:
            yield tuple(found)
            return
        card, *rest = cards
        for place, may in enumerate(self.allowed):
            if room[place] and may >> card & 1:
                room[place] -= 1
                found[place] |= 1 << card
                yield from self._fillings(rest, room, found)
                room[place] += 1
                found[place] ^= 1 << card


def puzzle(*cases: Case) -> Records:
    """A view that asks for one of these cases."""
    view = np.zeros(1, dtype=PUZZLES.state)
    view["cases"], view["count"] = len(cases), len(cases[0].room)
    for number, case in enumerate(cases):
        first = number * MAX_PLACES
        view["weight"][0, number] = case.weight
        view["room"][0, first : first + len(case.room)] = case.room
        view["allowed"][0, first : first + len(case.allowed)] = case.allowed
    return view


def weights_of(cases: Sequence[Case]) -> dict[tuple[int, ...], float]:
    """Every filling of any case with the weights of the cases that it is a filling of."""
    weights: Counter[tuple[int, ...]] = Counter()
    for case in cases:
        for filling in case.fillings():
            weights[filling] += case.weight
    return {filling: float(weight) for filling, weight in weights.items() if weight}


def found_in(worlds: Records, places: int) -> Counter[tuple[int, ...]]:
    return Counter(tuple(found[:places]) for found in worlds["found"].tolist())


def random_cases(rng: random.Random) -> list[Case]:
    """One to three cases on up to eight cards and four places; a few cannot be filled."""
    places, cards = rng.randint(1, 4), rng.sample(range(63), rng.randint(0, 8))
    return [random_case(rng, places, cards) for _ in range(rng.choice([1, 1, 2, 3]))]


def random_case(rng: random.Random, places: int, cards: Sequence[int]) -> Case:
    room, allowed = [0] * places, [0] * places
    generous = rng.random()
    for card in cards:
        place = rng.randrange(places)
        room[place] += 1
        allowed[place] |= 1 << card
        for other in range(places):
            if rng.random() < generous:
                allowed[other] |= 1 << card
    if rng.random() < 0.2:
        rng.shuffle(room)
    if rng.random() < 0.05:
        room[0] += rng.choice([-1, 1])
    return Case(tuple(room), tuple(allowed), rng.choice([0, 1, 1, 2, 7]))


def test_the_ways_to_fill_random_puzzles_are_counted_one_by_one() -> None:
    rng, impossible = random.Random(1), 0
    for _ in range(300):
        cases = random_cases(rng)
        ways = sum(weights_of(cases).values())
        if ways:
            assert count_worlds(puzzle(*cases)) == ways
        else:
            impossible += 1
            with pytest.raises(NoWorldFound):
                count_worlds(puzzle(*cases))
    assert 20 < impossible < 200


def test_random_puzzles_are_filled_in_every_way_as_often_as_its_weight_says() -> None:
    rng, checked = random.Random(2), 0
    while checked < 25:
        cases = random_cases(rng)
        weights = weights_of(cases)
        if 2 <= len(weights) <= 400:
            heaviest = max(weights.values()) / min(weights.values())
            draws = int(50 * len(weights) * heaviest)
            drawn = sample_worlds(puzzle(*cases), draws, stream(checked, "random puzzle"))
            assert not is_rare(found_in(drawn, len(cases[0].room)), weights)
            checked += 1


FEW_OF_MANY = Case(room=(2, 1, 3), allowed=(0b001111, 0b111100, 0b111111))
CHAIN = Case(room=(2, 2, 2, 2), allowed=(0b00001111, 0b00111100, 0b11110000, 0b11000011))
ROOM_FOR_NONE = Case(room=(0, 3, 0), allowed=(0b111, 0b111, 0b111))
TWO_SIDES = [Case((1, 3), (0b0011, 0b1111), 5), Case((1, 3), (0b1100, 0b1111), 1)]
NEVER_THE_LAST = [Case((1, 1), (0b11, 0b11), 3), Case((1, 1), (0b01, 0b01), 9)]
NEVER_THE_FIRST = NEVER_THE_LAST[::-1]
WITHOUT_WEIGHT = [Case((1, 1), (0b01, 0b10), 0), Case((1, 1), (0b10, 0b01), 1)]
OTHER_ROOMS = [Case((3, 1), (0b1111, 0b1111), 2), Case((1, 3), (0b1111, 0b1111), 3)]


@pytest.mark.parametrize(
    ("cases", "ways"),
    [
        ([FEW_OF_MANY], 2 * 3 + 2 * 6),  # the middle place gets 2 or 3, or else 4 or 5
        ([CHAIN], 1 + 2**4 + 1),  # both of 0 and 1 go to the first place, or one, or neither
        ([ROOM_FOR_NONE], 1),
        (TWO_SIDES, 2 * 5 + 2 * 1),
        (NEVER_THE_LAST, 2 * 3),
        (NEVER_THE_FIRST, 2 * 3),
        (WITHOUT_WEIGHT, 1),
        (OTHER_ROOMS, 4 * 2 + 4 * 3),
    ],
)
def test_a_puzzle_is_filled_as_on_paper(cases: list[Case], ways: int) -> None:
    weights = weights_of(cases)
    drawn = sample_worlds(puzzle(*cases), 20_000, stream(1, "on paper"))
    assert count_worlds(puzzle(*cases)) == sum(weights.values()) == ways
    assert not is_rare(found_in(drawn, len(cases[0].room)), weights)


NO_ROOM_FOR_ALL = Case(room=(1, 1), allowed=(0b111, 0b111))
TOO_MUCH_ROOM = Case(room=(2, 2), allowed=(0b111, 0b111))
BOTH_WANT_ONE = Case(room=(1, 1, 1), allowed=(0b001, 0b001, 0b111))
LESS_THAN_NO_ROOM = Case(room=(-1, 4), allowed=(0b111, 0b111))
NOTHING_ALLOWED = Case(room=(2, 1), allowed=(0b111, 0))


@pytest.mark.parametrize(
    "case", [NO_ROOM_FOR_ALL, TOO_MUCH_ROOM, BOTH_WANT_ONE, LESS_THAN_NO_ROOM, NOTHING_ALLOWED]
)
def test_a_puzzle_that_cannot_be_filled_has_no_world(case: Case) -> None:
    assert not weights_of([case])
    view = puzzle(case) if case is NOTHING_ALLOWED else puzzle(case, case)
    with pytest.raises(NoWorldFound, match=r"^no deal explains this view$"):
        sample_worlds(view, 1, stream(1))


def test_a_deal_whose_cards_are_all_known_has_one_world() -> None:
    assert count_worlds(puzzle(Case((0, 0), (0, 0)))) == 1
    drawn = sample_worlds(puzzle(Case((0, 0), (0, 0))), 3, stream(1))
    assert found_in(drawn, 2) == {(0, 0): 3}


def test_a_whole_deck_in_four_hands_is_counted_to_the_precision_of_a_float() -> None:
    everywhere = Case((13,) * 4, (FRENCH_52.all,) * 4)
    ways = math.factorial(52) / math.factorial(13) ** 4
    assert count_worlds(puzzle(everywhere)) == pytest.approx(ways, rel=1e-12)


def test_as_many_cases_as_there_may_be_are_drawn_by_weight() -> None:
    cases = [Case((1, 1), (1 << n % 60, 2 << n % 60), n + 1) for n in range(MAX_CASES)]
    drawn = sample_worlds(puzzle(*cases), 50_000, stream(1, "cases"))
    assert count_worlds(puzzle(*cases)) == MAX_CASES * (MAX_CASES + 1) // 2
    assert not is_rare(found_in(drawn, 2), weights_of(cases))


def too_large() -> Case:
    """Fifty-six cards, each at home in some of eight places of its own."""
    rng = random.Random(1)
    allowed = [0] * MAX_PLACES
    for card in range(56):
        for place in {card % MAX_PLACES, *rng.sample(range(MAX_PLACES), 4)}:
            allowed[place] |= 1 << card
    return Case((7,) * MAX_PLACES, tuple(allowed))


def test_a_puzzle_too_large_to_count_is_refused_in_one_line() -> None:
    with pytest.raises(
        NoWorldFound, match=r"^the worlds of this view are too many cases to count$"
    ):
        count_worlds(puzzle(too_large()))


def test_a_puzzle_too_large_leaves_the_workspace_good_for_the_next() -> None:
    workspace, worlds = new_puzzle(), np.zeros(0, dtype=PUZZLES.state)
    for _ in range(3):
        assert draw_worlds(puzzle(too_large()), workspace, stream(1), worlds) < 0
        assert draw_worlds(puzzle(CHAIN), workspace, stream(1), worlds) == 18
        assert draw_worlds(puzzle(BOTH_WANT_ONE), workspace, stream(1), worlds) == 0
        assert draw_worlds(puzzle(FEW_OF_MANY), workspace, stream(1), worlds) == 18
