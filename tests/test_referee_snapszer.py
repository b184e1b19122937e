"""The Snapszer referee against RULES.md, and against itself where RULES.md has no example."""

import collections
import itertools
import math
import random
import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from referees import snapszer
from referees.snapszer import AtClose, SnapszerReferee, View
from rules_text import Vector, replays, vectors

HOUSE_RULES: list[dict[str, object]] = [
    {},
    {"exchange": "action"},
    {"exchange_min_talon": 4, "close_success_basis": "at_close"},
    {"close_min_talon": 2, "target": 3},
    {"exchange": "action", "exchange_min_talon": 4, "close_min_talon": 2, "auto_66": True},
]

# Trump is acorns; seat 0 leads first unless a test says otherwise.
HAND_0 = ["Ah", "Kb", "Qb", "Jl", "Al"]
HAND_1 = ["Ka", "Ta", "Qh", "Kh", "Ja"]
TALON = ["Jb", "Th", "Kl", "Ab", "Tl", "Jh", "Qa", "Ql", "Tb", "Aa"]


def sample_deal(leader: int = 0, **options: object) -> SnapszerReferee:
    hands = HAND_0 + HAND_1 if leader == 0 else HAND_1 + HAND_0
    return SnapszerReferee(hands + TALON, leader=leader, options=options)


def advance(deal: SnapszerReferee, choices: int, rng: random.Random) -> SnapszerReferee:
    """Make up to so many random legal choices, in place."""
    for _ in range(choices):
        if deal.phase == "over":
            break
        deal.play(rng.choice(sorted(deal.legal())))
    return deal


def play_all(deal: SnapszerReferee, choices: str) -> SnapszerReferee:
    for choice in choices.split():
        deal.play(choice)
    return deal


def middles(
    seeds: range, options: dict[str, object] | None = None
) -> Iterator[tuple[SnapszerReferee, int, random.Random]]:
    """Random deals at random points, with a seat and a generator of their own."""
    for seed in seeds:
        rng = random.Random(seed)
        deal = snapszer.random_deal(rng, options)
        yield advance(deal, rng.randrange(25), rng), rng.randrange(2), rng


# RULES.md


def text(vector: Vector, name: str) -> str:
    value = vector.args[name]
    assert isinstance(value, str)
    return value


def flag(vector: Vector, name: str) -> bool:
    return {"0": False, "1": True}[text(vector, name)]


def numbers(vector: Vector, name: str) -> list[int]:
    return [int(word) for word in vector.args[name]]


def answer_follow(vector: Vector) -> set[str]:
    lead, trump = text(vector, "lead"), text(vector, "trump")
    return snapszer.follow_choices(vector.args["hand"], lead, trump, flag(vector, "strict"))


def answer_winner(vector: Vector) -> str:
    lead, response, trump = (text(vector, name) for name in ("lead", "resp", "trump"))
    return "follower" if snapszer.follower_wins(lead, response, trump) else "leader"


def answer_lead(vector: Vector) -> set[str]:
    married = text(vector, "married") if "married" in vector.args else None
    return snapszer.lead_choices(
        vector.args["hand"], int(text(vector, "talon")), flag(vector, "closed"), married
    )


def answer_exchange(vector: Vector) -> set[str]:
    trump, upcard, talon = (text(vector, name) for name in ("trump", "upcard", "talon"))
    closed = flag(vector, "closed")
    return snapszer.hand_after_exchange(vector.args["hand"], trump, upcard, int(talon), closed)


def answer_result(vector: Vector) -> tuple[int, int]:
    points, tricks = numbers(vector, "points"), numbers(vector, "tricks")
    closer, at_close = None, None
    if text(vector, "closer") != "none":
        closer = int(text(vector, "closer"))
        at_close = AtClose(int(text(vector, "opp_tricks_at_close")), 0)
    return snapszer.deal_result(points, tricks, closer, at_close, int(text(vector, "last")))


ANSWERS: dict[str, Callable[[Vector], object]] = {
    "total": lambda vector: sum(map(snapszer.card_points, snapszer.DECK)),
    "follow": answer_follow,
    "winner": answer_winner,
    "lead": answer_lead,
    "exchange": answer_exchange,
    "result": answer_result,
}


def expected(vector: Vector) -> object:
    """The result in the type of the answer: a set of choices, a pair, a number or a word."""
    result = vector.result
    if isinstance(result, list):
        return {word.lower() if word.startswith(("CLOSE", "MARRY")) else word for word in result}
    if "," in result:
        return tuple(int(word) for word in result.split(","))
    return int(result) if result.isdigit() else result


@pytest.mark.parametrize("vector", vectors("SN"), ids=lambda vector: vector.id)
def test_the_referee_agrees_with_the_vector(vector: Vector) -> None:
    assert ANSWERS[vector.kind](vector) == expected(vector)


def test_the_referee_agrees_with_the_complete_deal() -> None:
    lines = replays()["snapszer"]
    hands = [line.split()[2:] for line in lines if line.startswith("hand")]
    talon = lines[2].removeprefix("talon ").replace("upcard ", "").split()
    deal = SnapszerReferee([*hands[0], *hands[1], *talon], leader=0)
    assert [set(hand) for hand in hands] == deal.hands
    assert (deal.trump, deal.upcard, deal.talon) == ("a", "Aa", talon)
    for line in lines[3:-1]:
        play_written_line(deal, line)
    result = re.fullmatch(r"result winner (\d) game points (\d)", lines[-1])
    assert result and deal.phase == "over"
    assert deal.result() == (int(result[1]), int(result[2]))
    assert deal.payoffs() == [-2, 2]


def play_written_line(deal: SnapszerReferee, line: str) -> None:
    trick = re.fullmatch(r"(\d) (\w+), (\d) (\w+) -> (\d) \((\d+)-(\d+)\)", line)
    marriage = re.fullmatch(r"(\d) marries (\w) \((\d+)-(\d+)\)", line)
    if trick:
        for seat, card in (trick.group(1, 2), trick.group(3, 4)):
            assert deal.seat == int(seat)
            deal.play(card)
        assert deal.to_lead == int(trick[5])
        assert deal.points == [int(trick[6]), int(trick[7])]
    elif marriage:
        assert deal.seat == int(marriage[1])
        deal.play("marry:" + marriage[2])
        assert deal.points == [int(marriage[3]), int(marriage[4])]
    else:
        seat, what = line.split()
        assert deal.seat == int(seat)
        if what == "closes":
            deal.play("close")
            assert deal.closed_by == int(seat)
        else:
            assert what == "exchanges"
            assert deal.events[-1] == (int(seat), "exchange", "Aa")
            assert deal.upcard == "Ja" and "Aa" in deal.hands[int(seat)]


# The deal


def test_cards_are_numbered_by_suit_then_rank() -> None:
    assert [snapszer.DECK.index(card) for card in ("Jh", "Qh", "Kh", "Th", "Ah")] == [*range(5)]
    assert [snapszer.DECK.index(card) for card in ("Jb", "Jl", "Ja", "Aa")] == [5, 10, 15, 19]


@pytest.mark.parametrize("leader", [0, 1])
def test_the_leader_gets_the_first_five_and_the_upcard_names_trump(leader: int) -> None:
    d = random.Random(leader).sample(snapszer.DECK, 20)
    deal = SnapszerReferee(d, leader=leader, options={"exchange": "action"})
    assert deal.hands[leader] == set(d[0:5]) and deal.hands[1 - leader] == set(d[5:10])
    assert deal.talon == d[10:] and deal.upcard == d[19]
    assert deal.trump == d[19][1]
    assert (deal.phase, deal.seat) == ("lead", leader)


def test_the_winner_of_an_open_trick_draws_first() -> None:
    deal = play_all(sample_deal(), "Al Ta")  # in the open a seat may trump as it likes
    assert deal.points == [0, 21] and deal.tricks == [0, 1]
    assert deal.hands[0] == {"Ah", "Kb", "Qb", "Jl", "Th"}
    assert "Jb" in deal.hands[1] and len(deal.talon) == 8


def test_the_jack_is_exchanged_as_soon_as_its_holder_has_the_lead() -> None:
    deal = sample_deal()
    assert deal.events == [] and "Ja" in deal.hands[1]
    play_all(deal, "Al Ta")
    assert deal.events[-1] == (1, "exchange", "Aa")
    assert deal.hands[1] == {"Ka", "Aa", "Qh", "Kh", "Jb"} and deal.talon[-1] == "Ja"
    assert deal.history == [(0, "Al"), (1, "Ta")]


def test_the_jack_is_exchanged_before_the_very_first_lead() -> None:
    deal = sample_deal(leader=1)
    assert deal.events == [(1, "exchange", "Aa")]
    assert deal.hands[1] == {"Ka", "Ta", "Qh", "Kh", "Aa"} and deal.history == []


@pytest.mark.parametrize(("least", "upcard"), [(2, "Ja"), (4, "Aa")])
def test_a_jack_drawn_last_is_exchanged_only_with_a_talon_of_two(least: int, upcard: str) -> None:
    # Seat 0 takes four tricks with its aces and tens, and draws the jack with the fourth.
    hands, talon = "Ah Th Ab Tb Al Jh Jb Jl Qh Qb", "Kh Qa Kb Ka Kl Ta Ja Ql Tl Aa"
    deal = SnapszerReferee(
        [*hands.split(), *talon.split()], leader=0, options={"exchange_min_talon": least}
    )
    for lead, response in (("Ah", "Jh"), ("Th", "Qh"), ("Ab", "Jb"), ("Tb", "Qb")):
        deal.play(lead)
        assert deal.talon[-1] == "Aa"
        deal.play(response)
    assert (deal.to_lead, len(deal.talon)) == (0, 2)
    assert deal.upcard == upcard and ("Ja" in deal.hands[0]) == (upcard == "Aa")


def test_exchanging_may_be_a_choice_of_its_own() -> None:
    deal = sample_deal(leader=1, exchange="action")
    assert deal.legal() == {*HAND_1, "close", "marry:h", "exchange"}
    deal.play("exchange")
    assert deal.history == [(1, "exchange")] and deal.seat == 1 and deal.phase == "lead"
    assert deal.legal() == {"Ka", "Ta", "Qh", "Kh", "Aa", "close", "marry:h"}


@pytest.mark.parametrize("choice", ["close", "marry:h"])
def test_nothing_is_exchanged_after_closing_or_marrying(choice: str) -> None:
    deal = sample_deal(leader=1, exchange="action")
    deal.play(choice)
    assert "exchange" not in deal.legal() and "close" not in deal.legal()


def test_after_a_marriage_one_of_its_cards_is_led() -> None:
    deal = sample_deal()
    deal.play("marry:b")
    assert deal.points == [20, 0] and (deal.phase, deal.seat) == ("lead", 0)
    assert deal.legal() == {"Kb", "Qb"}
    deal.play("Qb")
    assert deal.legal() == {*HAND_1}  # the talon is open


def test_closing_leaves_the_talon_and_starts_the_strict_phase() -> None:
    deal = sample_deal()
    deal.play("close")
    assert (deal.closed_by, deal.phase, deal.seat) == (0, "lead", 0)
    assert deal.legal() == {*HAND_0, "marry:b"}
    play_all(deal, "marry:b Kb")
    assert deal.legal() == {"Ka", "Ta", "Ja"}  # no bells: must trump
    deal.play("Ka")
    assert deal.talon == TALON and deal.upcard == "Aa"
    assert [len(hand) for hand in deal.hands] == [4, 4]
    assert "Ja" in deal.hands[1]  # on lead, but the talon is closed


@pytest.mark.parametrize(("least", "sizes"), [(4, {10, 8, 6, 4}), (2, {10, 8, 6, 4, 2})])
def test_the_talon_may_be_closed_down_to_its_least_size(least: int, sizes: set[int]) -> None:
    found = set()
    for seed in range(60):
        rng = random.Random(seed)
        deal = snapszer.random_deal(rng, {"close_min_talon": least})
        while deal.phase != "over":
            if "close" in deal.legal():
                found.add(len(deal.talon))
            deal.play(rng.choice(sorted(deal.legal() - {"close"})))
    assert found == sizes


def test_a_marriage_may_end_the_deal() -> None:
    ended = 0
    for seed in range(300):
        rng = random.Random(seed)
        deal = advance(snapszer.random_deal(rng), 30, rng)
        if deal.events[-1].what == "marry":
            ended += 1
            assert deal.phase == "over" and deal.result()[0] == deal.history[-1][0]
    assert ended > 0


def test_nothing_is_drawn_after_the_trick_that_makes_66() -> None:
    ended = 0
    for seed in range(200):
        rng = random.Random(seed)
        deal = snapszer.random_deal(rng)
        while deal.phase != "over":
            deal.play(rng.choice(sorted(deal.legal() - {"close"})))
        if deal.talon and deal.events[-1].what == "play":
            ended += 1
            assert max(deal.points) >= 66 and len(deal.talon) % 2 == 0
            assert [len(hand) for hand in deal.hands] == [4, 4]
    assert ended > 0


@pytest.mark.parametrize(
    "options",
    [
        {"claim": True},
        {"exchange": "never"},
        {"exchange_min_talon": 3},
        {"close_min_talon": 0},
        {"close_min_talon": 4.0},
        {"auto_66": False},
        {"auto_66": 1},
        {"close_success_basis": "start"},
        {"target": 0},
        {"target": True},
    ],
)
def test_an_unknown_option_or_value_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="option"):
        SnapszerReferee(snapszer.DECK, leader=0, options=options)


def test_a_deal_needs_all_cards_and_a_leader() -> None:
    with pytest.raises(ValueError, match="20 cards"):
        SnapszerReferee([*snapszer.DECK[1:], "Aa"], leader=0)
    with pytest.raises(ValueError, match="leader"):
        SnapszerReferee(snapszer.DECK, leader=2)


def test_an_illegal_choice_is_refused_and_changes_nothing() -> None:
    marriages = {"marry:" + suit for suit in "hbla"}
    for deal, _, _ in middles(range(30)):
        before, hands = [deal.view(seat) for seat in (0, 1)], [set(hand) for hand in deal.hands]
        for choice in {*snapszer.DECK, *marriages, "close", "exchange", ""} - deal.legal():
            with pytest.raises(ValueError, match="may not choose"):
                deal.play(choice)
        assert [deal.view(seat) for seat in (0, 1)] == before
        assert deal.hands == hands


def test_once_over_nobody_is_to_act() -> None:
    deal = advance(snapszer.random_deal(random.Random(4)), 30, random.Random(5))
    assert deal.phase == "over" and deal.legal() == set()
    with pytest.raises(ValueError):
        _ = deal.seat


def test_there_are_no_payoffs_before_the_end() -> None:
    with pytest.raises(ValueError):
        snapszer.random_deal(random.Random(1)).payoffs()


def test_a_copy_goes_its_own_way() -> None:
    deal = advance(snapszer.random_deal(random.Random(5)), 6, random.Random(6))
    events, talon = list(deal.events), list(deal.talon)
    advance(deal.copy(), 30, random.Random(7))
    assert deal.events == events and deal.talon == talon


# The score


@pytest.mark.parametrize(
    ("at_close", "basis", "game_points"),
    [
        (AtClose(0, 0), "final", 2),
        (AtClose(0, 0), "at_close", 3),
        (AtClose(1, 20), "at_close", 2),
        (AtClose(1, 33), "at_close", 1),
    ],
)
def test_a_close_that_succeeds_may_be_paid_by_what_the_loser_had_then(
    at_close: AtClose, basis: str, game_points: int
) -> None:
    options = snapszer.checked_options({"close_success_basis": basis})
    points = [66, max(10, at_close.points)]
    assert snapszer.deal_result(points, [4, 1], 0, at_close, 0, options) == (0, game_points)


def test_a_close_that_fails_is_paid_the_same_on_either_basis() -> None:
    options = snapszer.checked_options({"close_success_basis": "at_close"})
    for at_close, game_points in ((AtClose(0, 40), 3), (AtClose(1, 40), 2)):
        assert snapszer.deal_result([60, 40], [3, 2], 0, at_close, 0, options) == (1, game_points)


def test_a_match_goes_on_until_a_seat_reaches_the_target() -> None:
    assert snapszer.match_after([5, 3], 0, 1) == [6, 3]
    assert snapszer.match_after([5, 3], 1, 3) == [5, 6]
    assert snapszer.match_winner([6, 6]) is None
    assert snapszer.match_winner([6, 9]) == 1
    assert snapszer.match_winner([3, 2], target=3) == 0
    assert [snapszer.next_leader(leader) for leader in (0, 1)] == [1, 0]


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_random_deals_end_with_payoffs_of_one_to_three(options: dict[str, object]) -> None:
    for seed in range(60):
        rng = random.Random(seed)
        deal = advance(snapszer.random_deal(rng, options), 30, rng)
        assert deal.phase == "over"
        payoffs = deal.payoffs()
        assert payoffs[0] == -payoffs[1] and abs(payoffs[0]) in {1, 2, 3}
        winner = payoffs.index(max(payoffs))
        assert deal.points[1 - winner] < 66
        assert deal.points[winner] >= 66 or not any(deal.hands)


def test_the_facts_of_the_rules_hold_in_random_deals() -> None:
    seen = collections.Counter[str]()
    for seed in range(2000):
        rng = random.Random(seed)
        deal = snapszer.random_deal(rng, HOUSE_RULES[seed % 5])
        while deal.phase != "over":
            check_sizes(deal)
            was_open, tricks = deal.closed_by is None, list(deal.tricks)
            deal.play(rng.choice(sorted(deal.legal())))
            assert all(deal.tricks[seat] for seat in (0, 1) if deal.points[seat] >= 66)
            if was_open and deal.closed_by is not None:
                seen["closed"] += 1
                assert (tricks[1 - deal.closed_by] == 0) == (0 in tricks)
                had = tricks[1 - deal.closed_by], deal.points[1 - deal.closed_by]
                assert deal.at_close == had
        if max(deal.points) < 66 and deal.closed_by is None:
            seen["last trick"] += 1
            assert sum(deal.tricks) == 10 and abs(deal.payoffs()[0]) == 1
            assert all(event.what != "marry" for event in deal.events)
        kinds = collections.Counter(event.what for event in deal.events)
        assert kinds["exchange"] <= 1 and kinds["close"] <= 1
        assert sum(deal.tricks) <= 10
        assert len(deal.history) <= (25 if deal.options["exchange"] == "action" else 24)
        seen.update(kinds)
    assert min(seen.values()) > 20 and len(seen) == 8


def check_sizes(deal: SnapszerReferee) -> None:
    """What RULES 3.2, 3.6 and 3.7 say of every position before the end."""
    together = [*deal.hands[0], *deal.hands[1], *deal.talon]
    assert len(together) == len(set(together))
    if deal.phase == "follow":
        assert 1 <= len(deal.legal()) <= 5
        return
    assert 1 <= len(deal.legal()) <= (8 if deal.options["exchange"] == "auto" else 9)
    if not deal.is_strict:
        assert len(deal.talon) in {10, 8, 6, 4, 2}
        assert [len(hand) for hand in deal.hands] == [5, 5]


# What a seat knows


def test_a_view_hides_what_the_other_draws_but_for_the_upcard() -> None:
    hidden = 0
    for deal, seat, _ in middles(range(100)):
        view = deal.view(seat)
        for shown, event in zip(view.events, deal.events, strict=True):
            is_hidden = event.what == "draw" and event.seat != seat
            assert shown.detail == ("?" if is_hidden else event.detail)
            hidden += is_hidden
        assert view.dealt == frozenset(deal.dealt[seat])
        assert hash(view) == hash(deal.copy().view(seat))
    assert hidden > 0


def test_the_order_of_cards_in_a_dealt_hand_tells_nothing() -> None:
    turned = SnapszerReferee(HAND_0[::-1] + HAND_1[::-1] + TALON, leader=0)
    assert [turned.view(seat) for seat in (0, 1)] == [sample_deal().view(seat) for seat in (0, 1)]


def test_the_order_of_draws_is_known_to_the_one_who_drew() -> None:
    swapped = [*TALON[:1], TALON[3], TALON[2], TALON[1], *TALON[4:]]  # second and fourth card
    deals = [
        play_all(SnapszerReferee(HAND_0 + HAND_1 + talon, leader=0), "Al Ta Jb Jl")
        for talon in (TALON, swapped)
    ]
    for deal in deals:
        assert [event.seat for event in deal.events if event.what == "draw"] == [1, 0, 1, 0]
    assert deals[0].hands == deals[1].hands
    assert deals[0].view(0) != deals[1].view(0)
    assert deals[0].view(1) == deals[1].view(1)


def test_from_the_sixth_trick_the_opponents_hand_is_known() -> None:
    reached = 0
    for deal, seat, rng in middles(range(150)):
        if not deal.talon:
            reached += 1
            other = snapszer.another_deal_with_the_same_view(deal, seat, rng)
            assert other.hands == deal.hands
    assert reached > 10


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_another_deal_looks_the_same_from_the_seat(options: dict[str, object]) -> None:
    for deal, _, rng in middles(range(60), options):
        before = [deal.view(seat) for seat in (0, 1)]
        for seat in (0, 1):
            other = snapszer.another_deal_with_the_same_view(deal, seat, rng)
            assert other is not deal
            assert other.view(seat) == before[seat]
            assert other.history == deal.history
            assert other.hands[seat] == deal.hands[seat]
            assert other.upcard == deal.upcard and other.closed_by == deal.closed_by
        assert [deal.view(seat) for seat in (0, 1)] == before


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_early_in_the_deal_another_deal_has_another_hand(options: dict[str, object]) -> None:
    for seed in range(60):
        rng = random.Random(seed)
        deal = advance(snapszer.random_deal(rng, options), rng.randrange(6), rng)
        for seat in (0, 1):
            other = snapszer.another_deal_with_the_same_view(deal, seat, rng)
            assert other.hands[1 - seat] != deal.hands[1 - seat]
            assert other.talon != deal.talon


def test_another_deal_has_an_equal_hand_only_where_the_view_proves_it() -> None:
    proven, rng = 0, random.Random(1)
    for deal, seat, hands in endings(0):
        other = snapszer.another_deal_with_the_same_view(deal, seat, rng)
        assert (other.hands == deal.hands) == (len(hands) == 1)
        assert other.talon != deal.talon
        proven += len(hands) == 1
    assert 0 < proven < len(endings(0))


# Every deal with the same view


Ending = tuple[SnapszerReferee, int, dict[frozenset[str], int]]


def closed_ending(
    rng: random.Random, options: dict[str, object], tricks: int, plays: int
) -> SnapszerReferee:
    """A random deal closed after so many tricks, or at the next chance, and so many cards on."""
    deal = snapszer.random_deal(rng, options)
    while deal.phase != "over" and (sum(deal.tricks) < tricks or "close" not in deal.legal()):
        deal.play(rng.choice(sorted(deal.legal() - {"close"})))
    if deal.phase != "over":
        deal.play("close")
    while deal.phase != "over" and plays > 0:
        choice = rng.choice(sorted(deal.legal()))
        plays -= choice in snapszer.DECK
        deal.play(choice)
    return deal


@cache
def endings(number: int) -> list[Ending]:
    """Closed deals by `HOUSE_RULES[number]`, a seat and the weights of the opponent's hands."""
    found = []
    for seed in range(14):
        rng = random.Random(seed)
        deal = closed_ending(rng, HOUSE_RULES[number], tricks=seed % 3, plays=4 + seed % 6)
        seat = rng.randrange(2)
        found.append((deal, seat, dict(snapszer.every_hand_with_the_same_view(deal, seat))))
    return found


def last_open_lead(seed: int, options: dict[str, object] | None = None) -> SnapszerReferee:
    """A random deal at the lead with one card face down on the upcard."""
    rng = random.Random(seed)
    deal = snapszer.random_deal(rng, options)
    while len(deal.talon) > 2 or deal.phase != "lead":
        deal.play(rng.choice(sorted(deal.legal() - {"close"})))
    return deal


def brute_force(deal: SnapszerReferee, seat: int) -> collections.Counter[snapszer.Arrangement]:
    """Every deal with the cards of `seat` in place, replayed: no other thought is spent.

    The opponent's first five count as a set; every card he ever drew and every card of the
    talon may be any.
    """
    other, view = 1 - seat, deal.view(seat)
    kept, place = {19: deal.order[19]}, 10
    for event in deal.events:
        if event.what == "draw":
            if event.seat == seat:
                kept[place] = event.detail
            place += 1
    own = snapszer.hand_at(seat, deal.leader)
    kept |= {at: deal.order[at] for at in range(own, own + 5)}
    theirs = snapszer.hand_at(other, deal.leader)
    unseen = [card for card in snapszer.DECK if card not in kept.values()]
    rest = [at for at in range(10, 19) if at not in kept]
    found = collections.Counter[snapszer.Arrangement]()
    for first in itertools.combinations(unseen, 5):
        laid = kept | dict(zip(range(theirs, theirs + 5), first, strict=True))
        left = [card for card in unseen if card not in first]
        for cards in itertools.permutations(left):
            whole = laid | dict(zip(rest, cards, strict=True))
            world = snapszer.retold(deal, view, [whole[at] for at in range(20)])
            if world is not None:
                found[frozenset(world.hands[other]), tuple(world.talon[:-1])] += 1
    return found


def test_the_list_of_deals_is_what_replaying_every_deal_leaves() -> None:
    # Ten unseen cards make C(10, 5) * 5! deals. Seat 1 has not seen the jack of trump, and it
    # depends on when seat 0 last had the lead in how many of them he may have drawn it.
    deal = last_open_lead(seed=58)
    listed = dict(snapszer.every_deal_with_the_same_view(deal, 1))
    assert sorted(listed.values()) == [225, 225, 225, 225, 225, 625]
    assert {hand for (hand, _), weight in listed.items() if weight == 225} == {
        hand for hand, _ in listed if "J" + deal.trump in hand
    }
    assert brute_force(deal, 1) == listed


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_with_an_empty_talon_only_the_times_of_the_draws_are_open(
    options: dict[str, object],
) -> None:
    # Nine unseen cards make C(9, 5) * 4! deals for the seat that took the fifth trick.
    deal = last_open_lead(seed=27, options=options)
    while deal.talon:
        deal.play(min(sorted(deal.legal() & deal.hands[deal.seat]), key=snapszer.card_points))
    listed = dict(snapszer.every_deal_with_the_same_view(deal, deal.to_lead))
    assert list(listed) == [(frozenset(deal.hands[1 - deal.to_lead]), ())]
    assert brute_force(deal, deal.to_lead) == listed


def test_each_order_of_the_talon_is_listed_once() -> None:
    listed = 0
    for deal, seat, hands in endings(0):
        face_down = len(deal.talon) - 1
        if face_down > 5:
            continue
        arrangements = [*snapszer.every_deal_with_the_same_view(deal, seat)]
        assert len({one for one, _ in arrangements}) == len(arrangements)
        assert len(arrangements) == len(hands) * math.factorial(face_down)
        assert all(hands[hand] == weight for (hand, _), weight in arrangements)
        present = frozenset(deal.hands[1 - seat]), tuple(deal.talon[:-1])
        assert present in dict(arrangements)
        listed += 1
    assert listed > 2


def test_too_many_deals_are_refused() -> None:
    with pytest.raises(ValueError, match="too many"):
        next(snapszer.every_deal_with_the_same_view(sample_deal(), 0))


def draws_since_he_had_no_jack(deal: SnapszerReferee, view: View) -> int:
    """How many of the cards the opponent got may be a jack he has not exchanged."""
    other, talon, trick = 1 - view.seat, 10, list[str]()
    late_cards = 0 if deal.leader == other else 5
    to_lead = deal.leader
    for event in view.events:
        if event.what == "play":
            trick.append(event.detail)
            if len(trick) == 2:
                wins = snapszer.follower_wins(trick[0], trick[1], deal.trump)
                to_lead, trick = 1 - to_lead if wins else to_lead, []
        if event.what.startswith("draw"):
            talon -= 1
            late_cards += event.what == "draw" and event.seat == other
            has_lead = talon % 2 == 0 and to_lead == other
            if has_lead and talon >= deal.options["exchange_min_talon"]:
                late_cards = 0
    return late_cards


def denied(lead: str, card: str, trump: str) -> set[str]:
    """The cards that a seat has not, once it has answered `lead` with `card` in strict play."""
    rank = snapszer.rank_of
    if card[1] != lead[1]:
        suits = {lead[1]} if card[1] == trump else {lead[1], trump}
        return {held for held in snapszer.DECK if held[1] in suits}
    if rank(card) > rank(lead):
        return set()
    return {held for held in snapszer.DECK if held[1] == lead[1] and rank(held) > rank(lead)}


def fits_the_hard_constraints(deal: SnapszerReferee, seat: int, hand: frozenset[str]) -> bool:
    """RULES 3.8, points 1 to 4, for a hand of the right size made of cards not seen elsewhere."""
    view, other, jack = deal.view(seat), 1 - seat, "J" + deal.trump
    must, shown, trick = set[str](), {view.upcard}, list[str]()
    closed, talon = False, 10
    for event in view.events:
        talon -= event.what.startswith("draw")
        closed = closed or event.what == "close"
        if event.what == "play":
            trick.append(event.detail)
            if len(trick) == 2:
                lead, card = trick
                trick = []
                is_strict = closed or talon == 0
                if event.seat == other and is_strict and hand & denied(lead, card, deal.trump):
                    return False
        if event.seat == other:
            if event.what == "marry":
                must |= {"K" + event.detail, "Q" + event.detail}
            if event.what in ("exchange", "draw upcard"):
                must.add(event.detail)
            if event.what == "play":
                must.discard(event.detail)
        if event.what == "exchange":
            shown.add(jack)
    if not must <= hand:
        return False
    has_hidden_jack = jack in hand and jack not in shown
    if deal.options["exchange"] == "auto" and has_hidden_jack:
        return draws_since_he_had_no_jack(deal, view) > 0
    return True


@pytest.mark.parametrize("number", range(len(HOUSE_RULES)))
def test_the_hard_constraints_of_the_rules_leave_just_the_possible_hands(number: int) -> None:
    excluded = 0
    for deal, seat, hands in endings(number):
        unseen = (deal.hands[1 - seat] | set(deal.talon)) - {deal.upcard}
        size = len(deal.hands[1 - seat])
        every = {frozenset(hand) for hand in itertools.combinations(sorted(unseen), size)}
        fitting = {hand for hand in every if fits_the_hard_constraints(deal, seat, hand)}
        assert fitting == set(hands)
        excluded += len(every) - len(fitting)
    assert excluded > 0


@pytest.mark.parametrize("number", range(len(HOUSE_RULES)))
def test_hands_are_equally_likely_but_for_a_jack_not_exchanged(number: int) -> None:
    for deal, _, hands in endings(number):
        jack = "J" + deal.trump
        without = {weight for hand, weight in hands.items() if jack not in hand}
        with_jack = {weight for hand, weight in hands.items() if jack in hand}
        assert len(without) <= 1 and len(with_jack) <= 1
        if without and with_jack:
            is_auto = deal.options["exchange"] == "auto"
            assert with_jack == without or is_auto
            assert max(with_jack) <= max(without)


def test_drawn_deals_fall_on_the_list_by_its_weights() -> None:
    # 100 draws each on average: chi-square within five deviations of its mean.
    deal, rng = last_open_lead(seed=58), random.Random(1)
    weights = dict(snapszer.every_hand_with_the_same_view(deal, 1))
    draws = 100 * len(weights)
    drawn = collections.Counter(
        frozenset(snapszer.any_deal_with_the_same_view(deal, 1, rng).hands[0]) for _ in range(draws)
    )
    assert set(drawn) == set(weights)
    mean = {hand: draws * weight / sum(weights.values()) for hand, weight in weights.items()}
    chi_square = sum((drawn[hand] - mean[hand]) ** 2 / mean[hand] for hand in weights)
    freedom = len(weights) - 1
    assert abs(chi_square - freedom) < 5 * math.sqrt(2 * freedom)
