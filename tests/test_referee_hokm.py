"""The Hokm referee against RULES.md, and against itself where RULES.md has no example."""

import collections
import itertools
import math
import random
import re
from collections.abc import Callable

import pytest

from referees import hokm
from referees.hokm import HokmReferee
from rules_text import Vector, replays, vectors

HOUSE_RULES: list[dict[str, object]] = [
    {},
    {"trump_choice_cards": 13, "kot_points": 5},
    {"stop_at_seven": False, "hakem_kot_points": 3},
    {"trump_policy": "heuristic", "first_hakem": "3", "next_hakem": "rotate"},
    {"trump_policy": "heuristic", "trump_choice_cards": 13, "stop_at_seven": False},
]


def advance(deal: HokmReferee, choices: int, rng: random.Random) -> HokmReferee:
    """Make up to so many random legal choices, in place."""
    for _ in range(choices):
        if deal.phase == "over":
            break
        deal.play(rng.choice(sorted(deal.legal())))
    return deal


def ending(
    rng: random.Random, plays_left: int, options: dict[str, object] | None = None
) -> HokmReferee:
    """A random deal played to the last trick, with so many cards still to play."""
    deal = hokm.random_deal(rng, {"stop_at_seven": False, **(options or {})})
    while len(deal.plays()) < 52 - plays_left:
        advance(deal, 1, rng)
    return deal


def one_suit_each(hakem: int, options: dict[str, object] | None = None) -> HokmReferee:
    """Seat 0 has all clubs, 1 all diamonds, 2 all spades, 3 all hearts."""
    hands = [hokm.DECK[13 * seat :][:13] for seat in range(4)]
    return HokmReferee(hokm.order_of(hands, hakem), hakem=hakem, options=options)


# RULES.md


def text(vector: Vector, name: str) -> str:
    value = vector.args[name]
    assert isinstance(value, str)
    return value


def answer_value(vector: Vector) -> int:
    team, winner, tricks = (
        int(text(vector, name)) for name in ("hakem_team", "winner", "loser_tricks")
    )
    options = {name: int(text(vector, name)) for name in vector.args if name.endswith("points")}
    return hokm.deal_value(team, winner, tricks, options)


ANSWERS: dict[str, Callable[[Vector], object]] = {
    "legal": lambda v: hokm.legal_cards(v.args["hand"], v.args["trick"]),
    "winner": lambda v: hokm.trick_winner(v.args["trick"], text(v, "trump")),
    "value": answer_value,
    "next_hakem": lambda v: hokm.next_hakem(int(text(v, "hakem")), int(text(v, "winner"))),
}


@pytest.mark.parametrize("vector", vectors("HK"), ids=lambda vector: vector.id)
def test_the_referee_agrees_with_the_vector(vector: Vector) -> None:
    result = vector.result
    expected = set(result) if isinstance(result, list) else int(result)
    assert ANSWERS[vector.kind](vector) == expected


def test_the_referee_agrees_with_the_complete_deal() -> None:
    lines = replays()["hokm"]
    hands = [line.split()[2:] for line in lines if line.startswith("hand")]
    setting = re.fullmatch(r"hakem (\d) trump (\w)", lines[4])
    result = re.fullmatch(r"result tricks (\d+)-(\d+) returns (.*)", lines[-1])
    assert setting and result
    hakem = int(setting[1])
    deal = HokmReferee(hokm.order_of(hands, hakem), hakem=hakem)
    assert deal.dealt == hands and deal.seat == hakem
    deal.play(setting[2])
    for line in lines:
        if line.startswith("trick"):
            play_written_trick(deal, line)
    assert deal.phase == "over" and len(deal.history) == 29
    assert deal.tricks == [int(result[1]), int(result[2])]
    assert deal.payoffs() == [int(word) for word in result[3].split()]


def play_written_trick(deal: HokmReferee, line: str) -> None:
    written = re.fullmatch(r"trick (\d): (.*) -> (\d)", line)
    assert written
    assert deal.seat == int(written[1])
    for card in written[2].split():
        deal.play(card)
    assert deal.leader == int(written[3])


# The deal


def test_cards_are_numbered_by_suit_then_rank() -> None:
    assert [hokm.DECK.index(card) for card in ("2C", "AC", "2D", "QS", "2H", "AH")] == [
        0, 12, 13, 36, 39, 51,
    ]  # fmt: skip


@pytest.mark.parametrize("hakem", range(4))
def test_the_hakem_gets_the_first_packet_of_each_round(hakem: int) -> None:
    d = random.Random(hakem).sample(hokm.DECK, 52)
    deal = HokmReferee(d, hakem=hakem)
    assert deal.dealt[hakem] == d[0:5] + d[20:24] + d[36:40]
    assert deal.dealt[(hakem + 1) % 4] == d[5:10] + d[24:28] + d[40:44]
    assert deal.dealt[(hakem + 3) % 4] == d[15:20] + d[32:36] + d[48:52]
    assert hokm.order_of(deal.dealt, hakem) == d


def test_the_hakem_names_any_suit_and_leads() -> None:
    deal = one_suit_each(hakem=2)
    assert deal.phase == "trump" and deal.seat == 2
    assert deal.legal() == {"S", "H", "D", "C"}
    deal.play("H")
    assert (deal.trump, deal.phase, deal.seat) == ("H", "play", 2)
    assert deal.legal() == deal.hands[2]


@pytest.mark.parametrize(
    ("seen", "trump"),
    [
        ("2H 3H AS KD AC", "H"),  # most cards
        ("2H AH 3S QS KD", "H"),  # two each: 16 against 15
        ("5H 4H 6S 3S AD", "S"),  # two each, nine each: S before H
        ("5H 4H 6D 3D AC", "H"),  # H before D
        ("5C 4C 6D 3D AH", "D"),  # D before C
        ("2C 3C 4C AS KS", "C"),
    ],
)
def test_the_heuristic_takes_the_longest_suit_then_the_highest(seen: str, trump: str) -> None:
    assert hokm.heuristic_trump(seen.split()) == trump


@pytest.mark.parametrize(("seen", "trump"), [(5, "C"), (13, "D")])
def test_the_heuristic_looks_at_no_more_than_the_hakem(seen: int, trump: str) -> None:
    hakem = ["2C", "3C", "4C", "2S", "2H", *hokm.DECK[16:24]]
    rest = [card for card in hokm.DECK if card not in hakem]
    hands = [hakem, rest[:13], rest[13:26], rest[26:]]
    options = {"trump_policy": "heuristic", "trump_choice_cards": seen}
    deal = HokmReferee(hokm.order_of(hands, 0), hakem=0, options=options)
    assert (deal.trump, deal.phase, deal.history) == (trump, "play", [])


@pytest.mark.parametrize(
    "options",
    [
        {"colour": "S"},
        {"trump_choice_cards": 9},
        {"trump_choice_cards": 5.0},
        {"kot_points": 0},
        {"kot_points": True},
        {"hakem_kot_points": 4},
        {"stop_at_seven": 1},
        {"target": 0},
        {"first_hakem": "4"},
        {"first_hakem": 0},
        {"next_hakem": "loser"},
        {"trump_policy": "learned"},
    ],
)
def test_an_unknown_option_or_value_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="option"):
        HokmReferee(hokm.DECK, hakem=0, options=options)


def test_a_deal_needs_all_cards_and_a_hakem() -> None:
    with pytest.raises(ValueError, match="52 cards"):
        HokmReferee([*hokm.DECK[1:], "AH"], hakem=0)
    with pytest.raises(ValueError, match="hakem"):
        HokmReferee(hokm.DECK, hakem=4)


def test_an_illegal_choice_is_refused_and_changes_nothing() -> None:
    deal = advance(hokm.random_deal(random.Random(4)), 9, random.Random(5))
    before, hands = [deal.view(seat) for seat in range(4)], [set(hand) for hand in deal.hands]
    for choice in {*hokm.DECK, *hokm.SUITS, ""} - deal.legal():
        with pytest.raises(ValueError, match="may not choose"):
            deal.play(choice)
    assert [deal.view(seat) for seat in range(4)] == before
    assert deal.hands == hands


def test_once_over_nobody_is_to_act() -> None:
    deal = advance(hokm.random_deal(random.Random(4)), 60, random.Random(5))
    assert deal.phase == "over" and deal.legal() == set()
    with pytest.raises(ValueError):
        _ = deal.seat
    with pytest.raises(ValueError):
        deal.play("2C")


def test_there_are_no_payoffs_before_the_end() -> None:
    with pytest.raises(ValueError):
        hokm.random_deal(random.Random(1)).payoffs()


def test_a_copy_goes_its_own_way() -> None:
    deal = advance(hokm.random_deal(random.Random(5)), 20, random.Random(6))
    history, hands = list(deal.history), [set(hand) for hand in deal.hands]
    advance(deal.copy(), 60, random.Random(7))
    assert deal.history == history and deal.hands == hands


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_random_deals_end_with_seven_tricks_and_payoffs_that_sum_to_zero(
    options: dict[str, object],
) -> None:
    for seed in range(40):
        rng = random.Random(seed)
        deal = advance(hokm.random_deal(rng, options), 60, rng)
        rules = deal.options
        decisions = len(deal.history) + (rules["trump_policy"] == "heuristic")
        assert deal.phase == "over"
        assert 29 <= decisions <= 53 and (rules["stop_at_seven"] or decisions == 53)
        assert max(deal.tricks) == 7 if rules["stop_at_seven"] else sum(deal.tricks) == 13
        payoffs = deal.payoffs()
        assert payoffs == [payoffs[0], -payoffs[0]] * 2
        assert abs(payoffs[0]) in {1, rules["kot_points"], rules["hakem_kot_points"]}
        assert (payoffs[0] > 0) == (deal.tricks[0] > deal.tricks[1])


def test_playing_all_thirteen_tricks_changes_no_payoff() -> None:
    for seed in range(40):
        rng = random.Random(seed)
        whole = advance(hokm.random_deal(rng, {"stop_at_seven": False}), 60, rng)
        short = HokmReferee(hokm.order_of(whole.dealt, whole.hakem), hakem=whole.hakem)
        for _, choice in whole.history:
            if short.phase != "over":
                short.play(choice)
        assert short.phase == "over" and len(short.plays()) % 4 == 0
        assert short.payoffs() == whole.payoffs()


@pytest.mark.parametrize(
    ("hakem", "trump", "payoffs"),
    [(0, "C", [4, -4, 4, -4]), (0, "D", [-3, 3, -3, 3]), (1, "C", [3, -3, 3, -3])],
)
@pytest.mark.parametrize("stop", [True, False])
def test_a_kot_pays_by_whose_hakem_it_was(
    hakem: int, trump: str, payoffs: list[int], stop: bool
) -> None:
    options: dict[str, object] = {"kot_points": 4, "hakem_kot_points": 3, "stop_at_seven": stop}
    deal = one_suit_each(hakem, options)
    deal.play(trump)
    advance(deal, 60, random.Random(1))
    assert sorted(deal.tricks) == [0, 7 if stop else 13]
    assert deal.payoffs() == payoffs


def test_a_kot_stands_though_the_losers_take_tricks_after_the_seventh() -> None:
    # Seat 1 draws the trumps with its seven and is left with the lowest clubs.
    hakem = [*hokm.DECK[32:39], *hokm.DECK[0:6]]
    rest = [card for card in hokm.DECK if card not in hakem]
    hands = [rest[0::3], hakem, rest[1::3], rest[2::3]]
    deal = HokmReferee(hokm.order_of(hands, 1), hakem=1, options={"stop_at_seven": False})
    deal.play("S")
    while deal.phase != "over":
        pick = max if deal.seat == 1 else min
        deal.play(pick(sorted(deal.legal()), key=hokm.rank_of))
    assert deal.won_with == [0, 7] and deal.tricks[0] > 0
    assert deal.payoffs() == [-2, 2, -2, 2]


# The match


def test_the_hakem_may_rotate_whoever_won() -> None:
    rotate = {"next_hakem": "rotate"}
    assert [hokm.next_hakem(2, winner, rotate) for winner in (0, 1)] == [3, 3]


def test_a_match_goes_on_until_a_team_reaches_the_target() -> None:
    assert hokm.match_after([5, 3], 0, 1) == [6, 3]
    assert hokm.match_after([5, 3], 1, 2) == [5, 5]
    assert hokm.match_winner([6, 6]) is None
    assert hokm.match_winner([6, 8]) == 1
    assert hokm.match_winner([3, 2], target=3) == 0


# What a seat knows


def test_the_hakem_chooses_trump_on_five_cards_and_then_sees_them_all() -> None:
    deal = hokm.random_deal(random.Random(1), hakem=3)
    assert deal.view(3).first == frozenset(deal.dealt[3][:5])
    assert deal.view(3).dealt == frozenset()
    deal.play("S")
    assert deal.view(3).first == frozenset(deal.dealt[3][:5])
    assert deal.view(3).dealt == frozenset(deal.dealt[3])


def test_the_hakem_may_choose_on_all_his_cards() -> None:
    deal = hokm.random_deal(random.Random(1), {"trump_choice_cards": 13}, hakem=3)
    assert deal.view(3).first == deal.view(3).dealt == frozenset(deal.dealt[3])


def test_the_others_see_their_thirteen_cards_but_no_packets() -> None:
    deal = hokm.random_deal(random.Random(1), hakem=0)
    turned = HokmReferee(hokm.order_of([hand[::-1] for hand in deal.dealt], 0), hakem=0)
    assert [turned.view(seat) for seat in (1, 2, 3)] == [deal.view(seat) for seat in (1, 2, 3)]
    assert deal.view(1).dealt == frozenset(deal.dealt[1])
    assert turned.view(0) != deal.view(0)


def test_the_order_inside_the_packets_of_the_hakem_tells_nothing() -> None:
    deal = hokm.random_deal(random.Random(1), hakem=0)
    hakem = deal.dealt[0]
    hands = [[*hakem[4::-1], *hakem[:4:-1]], *deal.dealt[1:]]
    assert HokmReferee(hokm.order_of(hands, 0), hakem=0).view(0) == deal.view(0)


def test_views_differ_where_anything_public_differs() -> None:
    d = random.Random(1).sample(hokm.DECK, 52)
    views = {
        HokmReferee(d, hakem=0).view(2),
        HokmReferee(d, hakem=2).view(2),
        HokmReferee(d, hakem=0, options={"target": 5}).view(2),
        advance(HokmReferee(d, hakem=0), 1, random.Random(1)).view(2),
        advance(HokmReferee(d, hakem=0), 2, random.Random(1)).view(2),
    }
    assert len(views) == 5


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_another_deal_looks_the_same_from_the_seat(options: dict[str, object]) -> None:
    for seed in range(25):
        rng = random.Random(seed)
        deal = advance(hokm.random_deal(rng, options), rng.randrange(54), rng)
        before = [deal.view(seat) for seat in range(4)]
        for seat in range(4):
            other = hokm.another_deal_with_the_same_view(deal, seat, rng)
            assert other is not deal
            assert other.view(seat) == before[seat]
            assert other.history == deal.history
            assert deal.phase == "trump" or other.hands[seat] == deal.hands[seat]
        assert [deal.view(seat) for seat in range(4)] == before


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_early_in_the_deal_another_deal_has_other_hands_all_round(
    options: dict[str, object],
) -> None:
    for seed in range(20):
        rng = random.Random(seed)
        deal = advance(hokm.random_deal(rng, options), rng.randrange(1, 12), rng)
        for seat in range(4):
            other = hokm.another_deal_with_the_same_view(deal, seat, rng)
            assert all(other.hands[who] != deal.hands[who] for who in range(4) if who != seat)


def test_at_the_trump_choice_the_rest_of_the_hakems_own_hand_is_open() -> None:
    deal = hokm.random_deal(random.Random(1), hakem=2)
    other = hokm.another_deal_with_the_same_view(deal, 2, random.Random(2))
    assert set(other.dealt[2][:5]) == set(deal.dealt[2][:5])
    assert all(other.hands[seat] != deal.hands[seat] for seat in range(4))
    assert hokm.arrangements(deal, 2) == math.factorial(47) // (
        math.factorial(8) * math.factorial(13) ** 3
    )


def test_another_deal_has_equal_hands_only_where_the_view_proves_them() -> None:
    proven = 0
    for seed in range(100):
        rng = random.Random(seed)
        deal = ending(rng, plays_left=rng.randrange(0, 12))
        other = hokm.another_deal_with_the_same_view(deal, 0, rng)
        is_proven = hokm.arrangements(deal, 0) == 1
        assert (other.hands == deal.hands) == is_proven
        proven += is_proven
    assert 0 < proven < 100


# Every deal with the same view


def present_hands(deal: HokmReferee) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(hand) for hand in deal.hands)


def weights_of(deal: HokmReferee, seat: int) -> dict[tuple[frozenset[str], ...], int]:
    found = dict[tuple[frozenset[str], ...], int]()
    for hands, weight in hokm.every_deal_with_the_same_view(deal, seat):
        assert hands not in found
        found[hands] = weight
    return found


def splits(deal: HokmReferee, seat: int) -> list[list[set[str]]]:
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


def dealt_hands(deal: HokmReferee, hands: list[set[str]]) -> list[list[str]]:
    """The hands of thirteen behind present ones."""
    played = [[card for actor, card in deal.plays() if actor == who] for who in range(4)]
    return [[*sorted(hands[who]), *played[who]] for who in range(4)]


def replays_to_the_same_view(deal: HokmReferee, seat: int, dealt: list[list[str]]) -> bool:
    """Whether these hands can be played as those of `deal` were, nothing presumed."""
    if seat == deal.hakem:
        dealt = [deal.dealt[who] if who == seat else dealt[who] for who in range(4)]
    try:
        hokm.retold(deal, seat, dealt)
    except (ValueError, AssertionError):
        return False
    return True


def test_the_list_of_deals_is_what_replaying_every_split_leaves() -> None:
    for seed in range(16):
        rng = random.Random(seed)
        deal = ending(rng, plays_left=4 + seed % 5, options={"trump_choice_cards": 5})
        seat = rng.randrange(4)
        listed = [hands for hands, _ in hokm.every_deal_with_the_same_view(deal, seat)]
        replayed = {
            tuple(frozenset(hand) for hand in hands)
            for hands in splits(deal, seat)
            if replays_to_the_same_view(deal, seat, dealt_hands(deal, hands))
        }
        assert len(listed) == len(set(listed)) == hokm.arrangements(deal, seat)
        assert set(listed) == replayed
        assert present_hands(deal) in replayed


def test_all_arrangements_are_equally_likely_unless_the_heuristic_chose() -> None:
    rng = random.Random(9)
    deal = ending(rng, plays_left=8)
    weights = {weight for _, weight in hokm.every_deal_with_the_same_view(deal, 1)}
    assert weights == {1}


def test_too_many_deals_are_refused() -> None:
    deal = advance(hokm.random_deal(random.Random(1)), 5, random.Random(1))
    with pytest.raises(ValueError, match="too many"):
        next(hokm.every_deal_with_the_same_view(deal, 0))


@pytest.mark.parametrize(("seen", "seeds"), [(5, 2), (13, 4)])
def test_a_trump_of_the_heuristic_counts_the_first_cards_that_name_it(
    seen: int, seeds: int
) -> None:
    options: dict[str, object] = {"trump_policy": "heuristic", "trump_choice_cards": seen}
    uneven = 0
    for seed in range(seeds):
        deal = ending(random.Random(seed), plays_left=6, options=options)
        seat = (deal.hakem + 1) % 4
        listed = weights_of(deal, seat)
        assert present_hands(deal) in listed
        uneven += len(set(listed.values())) > 1 or len(listed) < hokm.arrangements(deal, seat)
        for hands in splits(deal, seat):
            expected = ways_to_name_the_trump(deal, seat, hands, seen)
            assert listed.get(tuple(frozenset(hand) for hand in hands), 0) == expected
        known = hokm.every_deal_with_the_same_view(deal, deal.hakem)
        assert {weight for _, weight in known} == {1}
    assert uneven > 0


def ways_to_name_the_trump(deal: HokmReferee, seat: int, hands: list[set[str]], seen: int) -> int:
    """How many sets of first cards make a fresh deal name this trump and replay, by trying."""
    dealt = dealt_hands(deal, hands)
    hakem, number, shown = sorted(dealt[deal.hakem]), 0, False
    for first in itertools.combinations(hakem, seen):
        dealt[deal.hakem] = [*first, *(card for card in hakem if card not in first)]
        order = hokm.order_of(dealt, deal.hakem)
        if HokmReferee(order, hakem=deal.hakem, options=deal.options).trump == deal.trump:
            if not shown and not replays_to_the_same_view(deal, seat, dealt):
                return 0
            number, shown = number + 1, True
    return number


@pytest.mark.parametrize(("policy", "seed"), [("agent", 8), ("heuristic", 10)])
def test_drawn_deals_fall_on_the_list_by_its_weights(policy: str, seed: int) -> None:
    # 40 draws each on average: chi-square within five deviations of its mean.
    rng = random.Random(seed)
    deal = ending(rng, plays_left=8, options={"trump_policy": policy})
    seat = (deal.hakem + 1) % 4
    listed = weights_of(deal, seat)
    assert 10 < len(listed) < 100
    draws = 40 * len(listed)
    drawn = collections.Counter(
        present_hands(hokm.any_deal_with_the_same_view(deal, seat, rng)) for _ in range(draws)
    )
    assert set(drawn) <= set(listed)
    mean = {hands: draws * weight / sum(listed.values()) for hands, weight in listed.items()}
    chi_square = sum((drawn[hands] - mean[hands]) ** 2 / mean[hands] for hands in listed)
    freedom = len(listed) - 1
    assert abs(chi_square - freedom) < 5 * math.sqrt(2 * freedom)
