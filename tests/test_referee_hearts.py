"""The Hearts referee against RULES.md, and against itself where RULES.md has no example."""

import collections
import itertools
import math
import random
import re
from collections.abc import Callable
from fractions import Fraction

import pytest

from referees import hearts
from referees.hearts import HeartsReferee
from rules_text import Vector, replays, vectors

HOUSE_RULES: list[dict[str, object]] = [
    {},
    {"no_points_first_trick": False},
    {"must_break_hearts": False},
    {"qs_breaks_hearts": False},
    {"hearts_instead_of_forced_qs": True, "qs_breaks_hearts": False},
    {"stop_when_decided": True, "moon": "auto"},
    {"pass_cycle": "HA", "moon": "subtract_self"},
]


def advance(deal: HeartsReferee, choices: int, rng: random.Random) -> HeartsReferee:
    """Make up to so many random legal choices, in place."""
    for _ in range(choices):
        if deal.phase == "over":
            break
        deal.play(rng.choice(sorted(deal.legal())))
    return deal


def keep_hearts_back(deal: HeartsReferee, plays: int) -> HeartsReferee:
    """Play up to so many cards in a hold deal, no heart while anything else is legal."""
    while deal.phase != "over" and len(deal.history) < plays:
        deal.play(min(sorted(deal.legal()), key=lambda card: card[1] == "H"))
    return deal


def leads_unbroken_heart(deal: HeartsReferee) -> bool:
    return not deal.trick and not deal.broken and any(card[1] == "H" for card in deal.legal())


def ending(rng: random.Random, plays_left: int) -> HeartsReferee:
    """A random deal with default options and so many cards still to play."""
    deal = hearts.random_deal(rng)
    return advance(deal, deal.passes_due + 52 - plays_left, rng)


# RULES.md


def test_rules_has_159_vectors_with_names_of_their_own() -> None:
    assert len({vector.id for vector in vectors()}) == len(vectors()) == 159


def test_each_game_has_its_share_of_the_vectors() -> None:
    share = collections.Counter(vector.id.split("-")[0] for vector in vectors())
    assert share == {"HK": 18, "SH": 42, "SN": 25, "CO": 50, "HE": 24}


def test_rules_has_six_complete_deals() -> None:
    assert list(replays()) == ["hokm", "sheephead", "nola", "snapszer", "coinche", "hearts"]


def test_brackets_are_lists_and_all_else_is_text() -> None:
    vector = vectors("HE-01")[0]
    assert vector.args == {"hand": ["2C", "5C", "AH"], "trick": [], "trickno": "0", "broken": "0"}
    assert vector.result == ["2C"]


def text(vector: Vector, name: str) -> str:
    value = vector.args[name]
    assert isinstance(value, str)
    return value


def numbers(vector: Vector, name: str) -> list[int]:
    return [int(word) for word in vector.args[name]]


def answer_legal(vector: Vector) -> set[str]:
    options = hearts.checked_options(
        {name: text(vector, name) == "1" for name in vector.args if name in hearts.DEFAULT_OPTIONS}
    )
    return hearts.legal_cards(
        vector.args["hand"],
        vector.args["trick"],
        int(text(vector, "trickno")),
        text(vector, "broken") == "1",
        options,
    )


def answer_returns(vector: Vector) -> list[Fraction]:
    moon = text(vector, "moon") if "moon" in vector.args else "add_others"
    return hearts.payoffs_of(numbers(vector, "points"), moon)


def answer_match_after(vector: Vector) -> list[int]:
    options = {"moon": text(vector, "moon")}
    return hearts.match_after(numbers(vector, "points"), numbers(vector, "match"), options)


ANSWERS: dict[str, Callable[[Vector], object]] = {
    "legal": answer_legal,
    "winner": lambda vector: hearts.trick_winner(vector.args["trick"]),
    "points": lambda vector: hearts.trick_points(vector.args["trick"]),
    "passto": lambda v: hearts.receiver(int(text(v, "seat")), text(v, "dir")[0].upper()),
    "returns": answer_returns,
    "match_after": answer_match_after,
}


def expected(vector: Vector) -> object:
    """The result in the type of the answer: a set of cards, a number, or one per seat."""
    if isinstance(vector.result, list):
        return set(vector.result)
    if "," in vector.result:
        return [Fraction(word) for word in vector.result.split(",")]
    return int(vector.result)


@pytest.mark.parametrize("vector", vectors("HE"), ids=lambda vector: vector.id)
def test_the_referee_agrees_with_the_vector(vector: Vector) -> None:
    assert ANSWERS[vector.kind](vector) == expected(vector)


def test_the_referee_agrees_with_the_complete_deal() -> None:
    lines = replays()["hearts"]
    hands = [line.split()[2:] for line in lines if line.startswith("hand")]
    passes = [line.split()[3:] for line in lines if line.startswith("pass")]
    deal = HeartsReferee(hearts.order_of(hands, dealer=0), deal_index=0)
    assert deal.dealt == hands and deal.direction == "L"
    while deal.phase == "pass":
        deal.play(passes[deal.seat].pop(0))
    for line in lines:
        if line.startswith("trick"):
            play_written_trick(deal, line)
    result = re.fullmatch(r"result points (.*) returns (.*)", lines[-1])
    assert result and deal.phase == "over"
    assert deal.points() == [int(word) for word in result[1].split()]
    assert deal.payoffs() == [Fraction(word) for word in result[2].split()]


def play_written_trick(deal: HeartsReferee, line: str) -> None:
    written = re.fullmatch(r"trick (\d): (.*) -> (\d) \((\d+)\)", line)
    assert written
    before = sum(deal.points())
    assert deal.seat == int(written[1])
    for card in written[2].split():
        deal.play(card)
    assert hearts.taken_by(deal.tricks[-1]) == int(written[3])
    assert sum(deal.points()) - before == int(written[4])


# The deal


def test_cards_are_numbered_by_suit_then_rank() -> None:
    assert [hearts.DECK.index(card) for card in ("2C", "AC", "2D", "QS", "2H", "AH")] == [
        0, 12, 13, 36, 39, 51,
    ]  # fmt: skip


@pytest.mark.parametrize("deal_index", range(4))
def test_cards_are_dealt_one_at_a_time_from_the_seat_after_the_dealer(deal_index: int) -> None:
    deal = HeartsReferee(hearts.DECK, deal_index)
    assert deal.dealt[(deal_index + 1) % 4] == hearts.DECK[0::4]
    assert deal.dealt[deal_index] == hearts.DECK[3::4]
    assert hearts.order_of(deal.dealt, deal.dealer) == hearts.DECK


def test_the_seat_after_the_dealer_passes_first_and_all_three_cards() -> None:
    deal = advance(hearts.random_deal(random.Random(1), deal_index=1), 12, random.Random(2))
    assert [seat for seat, _ in deal.history] == [2, 2, 2, 3, 3, 3, 0, 0, 0, 1, 1, 1]


def test_passed_cards_arrive_only_after_the_twelfth() -> None:
    deal = advance(hearts.random_deal(random.Random(1), deal_index=0), 11, random.Random(2))
    assert [len(hand) for hand in deal.hands] == [11, 10, 10, 10]
    assert deal.received == [frozenset()] * 4
    advance(deal, 1, random.Random(3))
    assert [len(hand) for hand in deal.hands] == [13] * 4
    assert deal.received[1] == frozenset(deal.passed[0]) <= deal.hands[1]


def test_the_pass_cycle_and_the_dealer_turn_apart() -> None:
    deal = hearts.random_deal(random.Random(1), {"pass_cycle": "LRA"}, deal_index=5)
    assert (deal.dealer, deal.direction) == (1, "A")


@pytest.mark.parametrize(
    "options",
    [
        {"jack_of_diamonds": True},
        {"moon": "both"},
        {"pass_cycle": ""},
        {"pass_cycle": "LX"},
        {"target": 0},
        {"must_break_hearts": 1},
    ],
)
def test_an_unknown_option_or_value_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        HeartsReferee(hearts.DECK, 0, options)


def test_an_illegal_card_is_refused_and_changes_nothing() -> None:
    deal = hearts.random_deal(random.Random(4), deal_index=3)
    before = deal.view(0)
    with pytest.raises(ValueError, match="legal are 2C"):
        deal.play("AH")
    assert deal.view(0) == before


def test_a_copy_goes_its_own_way() -> None:
    deal = advance(hearts.random_deal(random.Random(5)), 20, random.Random(6))
    history = list(deal.history)
    advance(deal.copy(), 60, random.Random(7))
    assert deal.history == history


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_random_deals_end_with_26_points_and_payoffs_that_sum_to_zero(
    options: dict[str, object],
) -> None:
    for seed in range(30):
        rng = random.Random(seed)
        deal = advance(hearts.random_deal(rng, options), 64, rng)
        assert deal.phase == "over" and not deal.legal()
        assert sum(deal.points()) == 26
        assert sum(deal.payoffs()) == 0
        assert len(deal.plays()) == 52 or options.get("stop_when_decided")


def test_a_decided_deal_stops_with_the_payoffs_it_would_have_had() -> None:
    stopped_early = 0
    for seed in range(40):
        rng = random.Random(seed)
        whole = advance(hearts.random_deal(rng), 64, rng)
        order = hearts.order_of(whole.dealt, whole.dealer)
        short = HeartsReferee(order, whole.deal_index, {"stop_when_decided": True})
        for _, card in whole.history:
            if short.phase != "over":
                short.play(card)
        assert short.phase == "over" and short.payoffs() == whole.payoffs()
        assert len(short.plays()) % 4 == 0
        stopped_early += len(short.plays()) < 52
    assert stopped_early > 0


def test_before_hearts_are_broken_only_a_hand_of_hearts_leads_one() -> None:
    led_unbroken = 0
    for seed in range(100):
        deal = hearts.random_deal(random.Random(seed), {"qs_breaks_hearts": False}, deal_index=3)
        while deal.phase != "over":
            if leads_unbroken_heart(deal):
                assert {card[1] for card in deal.hands[deal.seat]} == {"H"}
                led_unbroken += 1
            keep_hearts_back(deal, len(deal.history) + 1)
    assert led_unbroken > 0


def test_the_queen_of_spades_breaks_hearts_unless_an_option_says_no() -> None:
    assert hearts.breaks_hearts("QS", hearts.checked_options())
    assert not hearts.breaks_hearts("QS", hearts.checked_options({"qs_breaks_hearts": False}))
    assert hearts.breaks_hearts("2H", hearts.checked_options({"qs_breaks_hearts": False}))
    assert not hearts.breaks_hearts("KS", hearts.checked_options())


def test_points_may_fall_on_the_first_trick_only_by_option() -> None:
    hand = ["QS", "AH", "3D"]
    free = hearts.checked_options({"no_points_first_trick": False})
    assert hearts.legal_cards(hand, ["2C"], 0, False) == {"3D"}
    assert hearts.legal_cards(hand, ["2C"], 0, False, free) == set(hand)


def test_the_forced_queen_is_excused_only_when_all_the_rest_are_hearts() -> None:
    options = hearts.checked_options({"hearts_instead_of_forced_qs": True})
    assert hearts.legal_cards(["QS", "KS", "2H"], [], 5, False, options) == {"QS", "KS"}
    assert hearts.legal_cards(["KS", "2H"], [], 5, False, options) == {"KS"}
    assert hearts.legal_cards(["QS", "3H", "2H"], [], 5, False, options) == {"QS", "3H", "2H"}


def test_a_match_goes_on_until_someone_reaches_the_target() -> None:
    assert hearts.match_winners([99, 0, 50, 20], 100) == []
    assert hearts.match_winners([100, 0, 50, 20], 100) == [1]
    assert hearts.match_winners([104, 30, 96, 30], 100) == [1, 3]


def test_subtracting_a_moon_leaves_the_others_where_they_were() -> None:
    options = {"moon": "subtract_self"}
    assert hearts.match_after([0, 0, 26, 0], [10, 20, 30, 40], options) == [10, 20, 4, 40]


def test_a_shared_lowest_score_is_low_enough_to_add_the_moon() -> None:
    # Added: 66 40 56 40, and the shooter shares the lowest.
    after = hearts.match_after([0, 26, 0, 0], [40, 40, 30, 14], {"moon": "auto"})
    assert after == [66, 40, 56, 40]


# What a seat knows


def test_a_view_shows_no_pass_of_another_seat() -> None:
    deal = advance(hearts.random_deal(random.Random(1), deal_index=0), 12, random.Random(2))
    shown = [card for seat, card in deal.view(2).record if seat != 2]
    assert shown == ["?"] * 9
    assert deal.view(2).own_choices == tuple(deal.passed[2])
    assert deal.view(2).received == frozenset(deal.passed[1])


def test_the_order_of_cards_in_a_dealt_hand_tells_nothing() -> None:
    deal = hearts.random_deal(random.Random(1), deal_index=0)
    turned = HeartsReferee(hearts.order_of([hand[::-1] for hand in deal.dealt], 0), 0)
    assert [turned.view(seat) for seat in range(4)] == [deal.view(seat) for seat in range(4)]


def test_the_seat_to_act_shows_who_will_lead_the_two_of_clubs() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        deal = advance(hearts.random_deal(rng, deal_index=2), 12, rng)
        for seat in range(4):
            other = hearts.another_deal_with_the_same_view(deal, seat, rng)
            assert "2C" in other.hands[deal.seat]


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_another_deal_looks_the_same_from_the_seat(options: dict[str, object]) -> None:
    for seed in range(25):
        rng = random.Random(seed)
        deal = advance(hearts.random_deal(rng, options), rng.randrange(65), rng)
        for seat in range(4):
            other = hearts.another_deal_with_the_same_view(deal, seat, rng)
            assert other.view(seat) == deal.view(seat)
            assert other.hands[seat] == deal.hands[seat]
            assert len(other.history) == len(deal.history)


def test_early_in_the_deal_another_deal_has_other_hands_all_round() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        deal = hearts.random_deal(rng)
        advance(deal, rng.randrange(deal.passes_due + 12), rng)
        seat = rng.randrange(4)
        other = hearts.another_deal_with_the_same_view(deal, seat, rng)
        assert all(other.hands[who] != deal.hands[who] for who in range(4) if who != seat)


def test_another_deal_has_equal_hands_only_where_the_view_proves_them() -> None:
    proven = 0
    for seed in range(100):
        rng = random.Random(seed)
        deal = ending(rng, plays_left=rng.randrange(0, 12))
        other = hearts.another_deal_with_the_same_view(deal, 0, rng)
        is_proven = hearts.arrangements(deal, 0) == 1
        assert (other.hands == deal.hands) == is_proven
        proven += is_proven
    assert 0 < proven < 100


def test_hidden_passes_are_drawn_afresh_even_where_the_hands_are_proven() -> None:
    deal = advance(hearts.random_deal(random.Random(1), deal_index=0), 64, random.Random(2))
    other = hearts.another_deal_with_the_same_view(deal, 0, random.Random(3))
    assert other.passed[0] == deal.passed[0]
    assert set(other.passed[3]) == set(deal.passed[3])  # seat 0 got these
    assert set(other.passed[1]) != set(deal.passed[1])


# Every deal with the same view


def present_hands(deal: HeartsReferee) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(hand) for hand in deal.hands)


def splits(deal: HeartsReferee, seat: int) -> list[list[set[str]]]:
    """Each way to share the unseen cards out in hands of the right size, possible or not."""
    others = [who for who in range(4) if who != seat]
    unseen = set[str]().union(*(deal.hands[who] for who in others))
    sizes = [len(deal.hands[who]) for who in others]
    found = []
    for one in itertools.combinations(sorted(unseen), sizes[0]):
        for two in itertools.combinations(sorted(unseen - set(one)), sizes[1]):
            hands = [set(one), set(two), unseen - set(one) - set(two)]
            hands.insert(seat, deal.hands[seat])
            found.append(hands)
    return found


def replays_to_the_same_view(
    deal: HeartsReferee, seat: int, hands: list[set[str]], rng: random.Random
) -> bool:
    """Whether the deal that ends in `hands` can be played as `deal` was, nothing presumed."""
    held = [hands[who] | hearts.played_by(deal, who) for who in range(4)]
    passed = hearts.draw_passes(deal, seat, held, rng)
    dealt = hearts.before_the_exchange(held, passed, deal.direction)
    try:
        hearts.retold(deal, seat, dealt, passed, rng)
    except (ValueError, AssertionError):
        return False
    return True


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_the_list_of_deals_is_what_replaying_every_split_leaves(
    options: dict[str, object],
) -> None:
    for seed in range(6):
        rng = random.Random(seed)
        deal = hearts.random_deal(rng, options)
        advance(deal, deal.passes_due + 44 + seed, rng)
        seat = rng.randrange(4)
        listed = [hands for hands, _ in hearts.every_deal_with_the_same_view(deal, seat)]
        replayed = {
            tuple(frozenset(hand) for hand in hands)
            for hands in splits(deal, seat)
            if replays_to_the_same_view(deal, seat, hands, rng)
        }
        assert len(listed) == len(set(listed))
        assert set(listed) == replayed
        assert present_hands(deal) in replayed


@pytest.mark.parametrize(("excused", "hands_of_the_leader"), [(False, 12), (True, 78)])
def test_a_heart_led_unbroken_proves_a_hand_of_hearts(
    excused: bool, hands_of_the_leader: int
) -> None:
    # Seat 0 takes the first trick with its one club and leads one of its twelve hearts. Of the
    # 12 hearts seat 1 has not seen it holds 11; if the queen may have been spared, of 13 cards.
    # The other 24 unseen cards are split 12 and 12.
    leader = ["AC", *hearts.DECK[40:52]]
    others = [card for card in hearts.DECK if card not in leader]
    options = {"hearts_instead_of_forced_qs": excused}
    hands = [leader, others[0::3], others[1::3], others[2::3]]
    deal = HeartsReferee(hearts.order_of(hands, 3), 3, options)
    for card in ("2C", "3C", "4C", "AC", "KH"):
        deal.play(card)
    assert hearts.arrangements(deal, 1) == hands_of_the_leader * math.comb(24, 12)


def test_a_point_on_the_first_trick_proves_a_hand_of_points() -> None:
    # Seat 1 has the queen and all hearts but one, and plays a heart to the 2C. Of the 13 point
    # cards seat 0 has not seen it holds 12; the other 24 unseen cards are split 12 and 12.
    points = ["QS", *hearts.DECK[40:52]]
    others = [card for card in hearts.DECK if card not in points]
    hands = [others[0::3], points, others[1::3], others[2::3]]
    deal = HeartsReferee(hearts.order_of(hands, 3), 3)
    for card in ("2C", "AH", "3C", "4C"):
        deal.play(card)
    assert hearts.arrangements(deal, 0) == 13 * math.comb(24, 12)


def test_the_list_of_deals_is_as_long_as_the_count() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        deal = ending(rng, plays_left=rng.randrange(13))
        seat = rng.randrange(4)
        listed = list(hearts.every_deal_with_the_same_view(deal, seat))
        assert len(listed) == hearts.arrangements(deal, seat)


def test_drawn_deals_fall_evenly_on_the_list() -> None:
    # 40 draws each on average: chi-square within five deviations of its mean.
    rng = random.Random(8)
    deal = ending(rng, plays_left=8)
    listed = {hands for hands, _ in hearts.every_deal_with_the_same_view(deal, 0)}
    assert 10 < len(listed) < 100
    drawn = collections.Counter(
        present_hands(hearts.any_deal_with_the_same_view(deal, 0, rng))
        for _ in range(40 * len(listed))
    )
    assert set(drawn) == listed
    chi_square = sum((count - 40) ** 2 / 40 for count in drawn.values())
    freedom = len(listed) - 1
    assert abs(chi_square - freedom) < 5 * math.sqrt(2 * freedom)


@pytest.mark.parametrize("deal_index", [0, 1, 2])
def test_the_weight_counts_the_hidden_passes_that_replay(deal_index: int) -> None:
    # Each hidden giver's sets are counted by replay, with the other hidden giver's drawn.
    rng = random.Random(deal_index)
    deal = advance(hearts.random_deal(rng, deal_index=deal_index), 12 + 46, rng)
    for hands, weight in list(hearts.every_deal_with_the_same_view(deal, 0))[:1]:
        held = [hands[who] | hearts.played_by(deal, who) for who in range(4)]
        sets_of = [len(pass_sets_that_replay(deal, held, giver, rng)) for giver in (1, 2, 3)]
        assert sorted(sets_of) == [1, 286, 286]
        assert weight == math.prod(sets_of) * math.factorial(3) ** 3


def pass_sets_that_replay(
    deal: HeartsReferee, held: list[frozenset[str]], giver: int, rng: random.Random
) -> set[frozenset[str]]:
    """The sets `giver` may have passed, as seat 0 sees it, to reach the hands `held`."""
    found = set()
    taker = hearts.receiver(giver, deal.direction)
    for cards in itertools.combinations(sorted(held[taker]), 3):
        passed = hearts.draw_passes(deal, 0, held, rng)
        passed[giver] = rng.sample(cards, 3)
        dealt = hearts.before_the_exchange(held, passed, deal.direction)
        try:
            world = hearts.retold(deal, 0, dealt, passed, rng)
        except (ValueError, AssertionError):
            continue
        assert present_hands(world) == tuple(
            h - hearts.played_by(deal, w) for w, h in enumerate(held)
        )
        found.add(frozenset(cards))
    return found


def test_a_hold_deal_has_one_deal_behind_each_arrangement() -> None:
    rng = random.Random(9)
    deal = advance(hearts.random_deal(rng, deal_index=3), 46, rng)
    assert {weight for _, weight in hearts.every_deal_with_the_same_view(deal, 1)} == {1}
