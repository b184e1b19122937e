"""The Sheephead referee against RULES.md, and against itself where RULES.md has no example."""

import collections
import itertools
import math
import random
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import pytest

from referees import sheephead
from referees.sheephead import BURY, UNKNOWN, SheepheadReferee, World, suit_of
from rules_text import Vector, replays, vectors

HOUSE_RULES: list[dict[str, object]] = [
    {},
    {"called_obligations": "free"},
    {"unknown_shown": "at_end"},
    {"unknown_shown": "at_end", "called_obligations": "free", "zero_tier": "points"},
    {"allow_self_call": True},
    {"allow_self_call": True, "called_obligations": "free"},
    {"all_pass": "redeal", "zero_tier": "points", "double_hands": 3, "double_restart": "add"},
]
RULES_OF_CALLING = ["R1", "R2", "R3"]


def advance(
    deal: SheepheadReferee, choices: int, rng: random.Random, pick: float = 0.25
) -> SheepheadReferee:
    """Make up to so many random legal choices, in place."""
    for _ in range(choices):
        if deal.phase == "over":
            break
        deal.play(sheephead.random_choice(deal, rng, pick))
    return deal


def some_deal(rng: random.Random, options: Mapping[str, object] | None = None) -> SheepheadReferee:
    """A deal at its start or at its declaration: all rules of calling and Nola are common."""
    rule = rng.choice([None, None, *RULES_OF_CALLING])
    if rule is None:
        return sheephead.random_deal(rng, options)
    deal = sheephead.random_deal_to_declare(rng, rule, options)
    to_call = sorted(deal.legal() - {sheephead.ALONE})
    if to_call and rng.random() < 0.9:
        deal.play(rng.choice(to_call))
    return deal


def ending(
    rng: random.Random, plays_left: int, options: Mapping[str, object] | None = None
) -> SheepheadReferee:
    """A deal with so many cards still to play; never a redeal."""
    while True:
        deal = some_deal(rng, options)
        while deal.phase != "over" and len(deal.plays()) < 30 - plays_left:
            advance(deal, 1, rng)
        if deal.plays():
            return deal


def dealt(hands: list[str], blind: str, dealer: int = 4, **options: object) -> SheepheadReferee:
    """The deal with these hands; dealer 4 has seat 0 bid and lead first."""
    order = sheephead.order_of([hand.split() for hand in hands], blind.split(), dealer)
    return SheepheadReferee(order, dealer=dealer, options=options)


def make(deal: SheepheadReferee, choices: str) -> SheepheadReferee:
    for choice in choices.split():
        deal.play(choice)
    return deal


# RULES.md


def text(vector: Vector, name: str, missing: str = "") -> str:
    value = vector.args.get(name, missing)
    assert isinstance(value, str)
    return value


def cards(vector: Vector, name: str) -> list[str]:
    value = vector.args[name]
    assert isinstance(value, list)
    return value


def answer_legal(vector: Vector) -> set[str]:
    called = text(vector, "called")
    return sheephead.legal_cards(
        cards(vector, "hand"),
        cards(vector, "trick"),
        is_picker=text(vector, "owner") == "picker",
        called=None if called == "none" else called,
        led_before=text(vector, "led_before", "0") == "1",
        unknown=text(vector, "unknown") or None,
    )


def answer_calls(vector: Vector) -> set[str]:
    found = sheephead.calls(cards(vector, "hand"), cards(vector, "bury"))
    return {"ALONE" if call == sheephead.ALONE else call for call in found}


def answer_pay(vector: Vector) -> str:
    row = sheephead.pay(
        text(vector, "mode") == "alone",
        int(text(vector, "points")),
        int(text(vector, "tricks")),
        int(text(vector, "mult")),
    )
    return ",".join("none" if cents is None else str(cents) for cents in row)


ANSWERS: dict[str, Callable[[Vector], object]] = {
    "total": lambda vector: str(sheephead.total_points(sheephead.DECK)),
    "winner": lambda vector: str(sheephead.trick_winner(cards(vector, "trick"))),
    "points": lambda vector: str(sheephead.total_points(cards(vector, "trick"))),
    "legal": answer_legal,
    "calls": answer_calls,
    "unknown_choices": lambda vector: sheephead.unknown_choices(cards(vector, "hand")),
    "pay": answer_pay,
    "nola_legal": lambda v: sheephead.nola_legal(cards(v, "hand"), cards(v, "trick")),
    "nola_winner": lambda vector: str(sheephead.nola_winner(cards(vector, "trick"))),
    "doubling": lambda v: [
        str(multiplier) for multiplier in sheephead.doubling(map(int, cards(v, "ends")))
    ],
}


def test_the_vectors_are_42() -> None:
    assert [vector.id for vector in vectors("SH")] == [f"SH-{n:02}" for n in range(1, 43)]


@pytest.mark.parametrize("vector", vectors("SH"), ids=lambda vector: vector.id)
def test_the_referee_agrees_with_the_vector(vector: Vector) -> None:
    answer = ANSWERS[vector.kind](vector)
    is_set = isinstance(vector.result, list) and vector.kind != "doubling"
    assert answer == (set(vector.result) if is_set else vector.result)


@pytest.mark.parametrize(
    "vector",
    [vector for vector in vectors("SH") if vector.kind == "unknown_choices"],
    ids=lambda vector: vector.id,
)
def test_the_vectors_for_the_unknown_card_are_calls_by_r2(vector: Vector) -> None:
    assert sheephead.calling_rule(cards(vector, "hand"), cards(vector, "bury")) == "R2"


def written_hands(lines: list[str]) -> list[str]:
    return [line.split(": ")[1] for line in lines if line.startswith("hand")]


def play_written_trick(deal: SheepheadReferee, line: str) -> None:
    written = re.fullmatch(r"trick (\d): (.*) -> (\d)(?: \((\d+)\))?", line)
    assert written
    before = sum(deal.points)
    assert deal.seat == int(written[1])
    for card in written[2].split():
        assert card.endswith("*") == (card.removesuffix("*") == deal.unknown)
        deal.play(card.removesuffix("*"))
    assert deal.leader() == int(written[3])
    assert sum(deal.points) - before == int(written[4] or 0)


def test_the_referee_agrees_with_the_complete_deal_with_an_unknown_card() -> None:
    lines = replays()["sheephead"]
    blind = re.fullmatch(r"blind (.*) dealer 4 picker 1 bury (.*) call AH unknown TS", lines[5])
    assert blind
    deal = dealt(written_hands(lines), blind[1])
    make(deal, f"pass pick {blind[2]}")
    assert deal.legal() == {"alone", "AH"}
    make(deal, "AH TS")
    assert (deal.picker, deal.called, deal.unknown, deal.partner) == (1, "AH", "TS", 3)
    for line in lines:
        if line.startswith("trick"):
            play_written_trick(deal, line)
    result = re.fullmatch(r"result side (\d+) points returns (.*)", lines[-1])
    assert result and deal.phase == "over"
    assert deal.side_points() == deal.end() == int(result[1])
    assert deal.payoffs() == [int(word) for word in result[2].split()]


def test_the_referee_agrees_with_the_complete_nola() -> None:
    lines = replays()["nola"]
    hands = written_hands(lines)
    blind = set(sheephead.DECK).difference(*(hand.split() for hand in hands))
    deal = make(dealt(hands, " ".join(sorted(blind))), "pass pass pass pass pass")
    assert deal.nola
    for line in lines:
        if line.startswith("trick"):
            play_written_trick(deal, line)
    result = re.fullmatch(r"result returns (.*)", lines[-1])
    assert result and deal.phase == "over" and deal.end() == "nola"
    assert deal.tricks_taken == [0, 4, 1, 1, 0]
    assert deal.payoffs() == [int(word) for word in result[1].split()]


# The deal


def test_cards_are_numbered_by_fail_suit_then_trumps_ascending() -> None:
    assert len(sheephead.DECK) == len(set(sheephead.DECK)) == 32
    assert [sheephead.DECK.index(card) for card in ("7C", "AC", "7S", "KH", "8D", "JO", "QC")] == [
        0, 5, 6, 15, 18, 30, 31,
    ]  # fmt: skip


@pytest.mark.parametrize("dealer", range(5))
def test_three_cards_each_then_two_to_the_blind_then_three_each(dealer: int) -> None:
    deal = SheepheadReferee(sheephead.DECK, dealer=dealer)
    first = (dealer + 1) % 5
    assert deal.dealt[first] == sheephead.DECK[0:3] + sheephead.DECK[17:20]
    assert deal.dealt[dealer] == sheephead.DECK[12:15] + sheephead.DECK[29:32]
    assert deal.blind == sheephead.DECK[15:17]
    assert sheephead.order_of(deal.dealt, deal.blind, dealer) == sheephead.DECK
    assert deal.seat == first


def test_the_first_pick_ends_the_bidding_and_takes_the_blind() -> None:
    deal = make(SheepheadReferee(sheephead.DECK, dealer=1), "pass pass pick")
    assert (deal.picker, deal.seat, deal.phase) == (4, 4, "bury")
    assert deal.hands[4] == {*deal.dealt[4], *deal.blind} == deal.legal()


def test_the_seat_after_the_dealer_leads_whoever_picked() -> None:
    deal = advance(
        make(SheepheadReferee(sheephead.DECK, dealer=1), "pass pick"), 2, random.Random(1)
    )
    make(deal, "alone")
    assert (deal.phase, deal.seat, deal.picker) == ("play", 2, 3)


def test_phases_come_in_turn() -> None:
    deal = sheephead.random_deal_to_declare(random.Random(1), "R2")
    assert deal.phase == "declare"
    deal.play(min(deal.legal() - {"alone"}))
    assert deal.phase == "unknown"
    deal.play(min(deal.legal()))
    assert deal.phase == "play" and len(deal.hands[deal.seat]) == 6
    advance(deal, 30, random.Random(2))
    assert deal.phase == "over" and not deal.legal()
    with pytest.raises(ValueError):
        _ = deal.seat


@pytest.mark.parametrize(
    "options",
    [
        {"leasters": True},
        {"all_pass": "leaster"},
        {"called_obligations": True},
        {"unknown_shown": "never"},
        {"zero_tier": 0},
        {"allow_self_call": 1},
        {"double_hands": -1},
        {"double_hands": True},
        {"double_restart": "stop"},
    ],
)
def test_an_unknown_option_or_value_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        SheepheadReferee(sheephead.DECK, dealer=0, options=options)


def test_an_illegal_choice_is_refused_and_changes_nothing() -> None:
    deal = sheephead.random_deal_to_declare(random.Random(4), "R1")
    before = deal.view(deal.seat)
    with pytest.raises(ValueError, match="legal are"):
        deal.play("pick")
    assert deal.view(deal.seat) == before


def test_a_copy_goes_its_own_way() -> None:
    deal = advance(sheephead.random_deal(random.Random(5)), 20, random.Random(6))
    history = list(deal.history)
    advance(deal.copy(), 60, random.Random(7))
    assert deal.history == history


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_random_deals_end_with_payoffs_that_sum_to_zero(options: dict[str, object]) -> None:
    ends = collections.Counter[str]()
    for seed in range(50):
        rng = random.Random(seed)
        deal = advance(some_deal(rng, options), 39, rng)
        assert deal.phase == "over" and not deal.legal()
        assert sum(deal.payoffs()) == 0
        assert all(cents % (5 * deal.multiplier) == 0 for cents in deal.payoffs())
        if deal.picker is None:
            ends[str(deal.end())] += 1
            assert sum(deal.points) == 0
        else:
            ends["normal"] += 1
            assert sum(deal.points) + sheephead.total_points(deal.buried) == 120
            assert 34 <= len(deal.history) <= 39
        assert sum(deal.tricks_taken) == (0 if deal.end() == "redeal" else 6)
    assert set(ends) == {"normal", str(options.get("all_pass", "nola"))}


def test_stacked_deals_fall_under_the_rule_asked_for() -> None:
    for rule in RULES_OF_CALLING:
        deal = sheephead.random_deal_to_declare(random.Random(1), rule)
        assert deal.picker is not None
        assert sheephead.calling_rule(deal.hands[deal.picker], deal.buried) == rule
        deal.play(min(deal.legal() - {"alone"}))
        assert deal.lays_unknown == (rule == "R2")


def test_a_redeal_pays_nothing() -> None:
    deal = make(
        SheepheadReferee(sheephead.DECK, dealer=0, options={"all_pass": "redeal"}), "pass " * 5
    )
    assert deal.phase == "over" and not deal.nola and deal.end() == "redeal"
    assert deal.payoffs() == [0] * 5


# Calling


def test_a_picker_may_name_his_own_fail_aces_and_tens_only_by_option() -> None:
    hand, bury = ["QC", "AC", "TC", "9S", "TH", "AD"], ["AH", "7S"]
    assert sheephead.calls(hand, bury) == {"alone", "AS"}
    assert sheephead.calls(hand, bury, True) == {"alone", "AS", "AC", "TC", "TH"}


def test_only_an_ace_of_others_called_by_r2_asks_for_an_unknown_card() -> None:
    hand, bury = ["QC", "QS", "JC", "AC", "TC", "AS"], ["7H", "8H"]
    assert sheephead.needs_unknown(hand, bury, "AH")
    assert not sheephead.needs_unknown(hand, bury, "TC")


def test_the_partner_is_dealt_the_called_card_and_the_self_caller_has_none() -> None:
    for seed in range(20):
        deal = sheephead.random_deal_to_declare(
            random.Random(seed), "R1", {"allow_self_call": True}
        )
        for call in sorted(deal.legal() - {"alone"}):
            after = make(deal.copy(), call)
            holder = next(who for who in range(5) if call in deal.hands[who])
            assert after.partner == (None if holder == deal.picker else holder)


# The called suit


def test_the_joker_is_second_trump_and_counts_nothing() -> None:
    assert sheephead.trick_winner(["QS", "JO", "QC", "AD", "TD"]) == 2
    assert sheephead.trick_winner(["QS", "JO", "AH", "AD", "TD"]) == 1
    assert sheephead.card_points("JO") == 0


def test_after_the_called_suit_was_led_only_following_remains() -> None:
    hand = ["AC", "KC", "QH"]
    assert sheephead.legal_cards(hand, [], called="AC", led_before=True) == set(hand)
    assert sheephead.legal_cards(hand, ["7C"], called="AC", led_before=True) == {"AC", "KC"}
    assert sheephead.legal_cards(hand, ["AS"], called="AC", led_before=True) == set(hand)


def test_obligations_may_be_dropped_but_not_that_of_the_unknown_card() -> None:
    free = partial(sheephead.legal_cards, called="AC", obligations="free")
    partner = ["AC", "KC", "9H"]
    assert free(partner, ["7C"]) == {"AC", "KC"}
    assert free(partner, []) == set(partner)
    assert free(partner, ["AS"]) == set(partner)
    assert free(["9C", "QS", "8D"], ["AS"], is_picker=True) == {"9C", "QS", "8D"}
    assert free(["TS", "QS", "8D"], ["9S"], is_picker=True, unknown="TS") == {"QS", "8D"}
    assert free(["TS", "QS", "8D"], ["9C"], is_picker=True, unknown="TS") == {"TS"}


def test_a_self_caller_keeps_the_card_and_plays_it_but_may_lead_another() -> None:
    own = partial(sheephead.legal_cards, is_picker=True, called="AC")
    assert own(["AC", "KC", "QH"], []) == {"AC", "KC", "QH"}
    assert own(["AC", "KC", "QH"], ["7C"]) == {"AC"}
    assert own(["AC", "KC", "9H"], ["AS"]) == {"KC", "9H"}
    assert own(["AC", "9H"], ["AS"]) == {"9H"}
    assert own(["AC"], ["AS"]) == {"AC"}


def test_the_last_card_is_played_whatever_it_is() -> None:
    picker = partial(sheephead.legal_cards, is_picker=True)
    assert picker(["9C"], ["AS"], called="AC") == {"9C"}
    assert picker(["TS"], ["AS"], called="AH", unknown="TS") == {"TS"}


def test_a_trump_laid_as_unknown_does_not_follow_trump_and_never_wins() -> None:
    legal = partial(sheephead.legal_cards, is_picker=True, called="AH", unknown="QC")
    winner = partial(sheephead.trick_winner, called="AH", unknown="QC")
    assert legal(["QC", "8D"], ["AD"]) == {"8D"}
    assert winner(["7H", "QC", "AH", "8H", "9H"]) == 2
    assert winner(["7S", "QC", "8C", "8H", "9H"]) == 0


def test_an_unknown_card_that_is_led_leads_the_called_suit() -> None:
    legal = partial(sheephead.legal_cards, called="AH", unknown="TS")
    winner = partial(sheephead.trick_winner, called="AH", unknown="TS")
    assert legal(["AH", "8H", "9S"], ["TS"]) == {"AH"}
    assert legal(["8H", "9S"], ["TS"]) == {"8H"}
    assert winner(["TS", "AS", "AH", "8H", "KS"]) == 2
    assert winner(["TS", "AS", "AH", "8D", "KS"]) == 3


def test_an_unknown_card_led_takes_the_trick_only_if_nobody_follows_or_trumps() -> None:
    # Possible only with `called_obligations=free`, where the called ace may be gone.
    assert sheephead.trick_winner(["TS", "AS", "AC", "8C", "KS"], called="AH", unknown="TS") == 0


def test_the_unknown_card_never_wins_with_standard_obligations() -> None:
    played = 0
    for seed in range(60):
        rng = random.Random(seed)
        deal = sheephead.random_deal_to_declare(rng, "R2")
        deal.play(rng.choice(sorted(deal.legal() - {"alone"})))
        advance(deal, 31, rng)
        for trick in deal.tricks:
            if deal.unknown in [card for _, card in trick]:
                played += 1
                assert deal.taken_by(trick) != deal.picker
    assert played == 60


# Nola and money


def test_in_nola_queens_and_jacks_follow_their_printed_suit() -> None:
    assert sheephead.nola_legal(["QC", "8C", "JO", "9H"], ["AC"]) == {"QC", "8C"}
    assert sheephead.nola_legal(["QC", "9H"], ["JO"]) == {"QC", "9H"}
    assert sheephead.nola_winner(["JO", "8D", "AC", "AS", "AH"]) == 1


def test_all_six_tricks_of_nola_win_and_otherwise_the_last_one_loses() -> None:
    assert sheephead.nola_payoffs([0, 6, 0, 0, 0], 1, 2) == [-10, 40, -10, -10, -10]
    assert sheephead.nola_payoffs([5, 1, 0, 0, 0], 1) == [5, -20, 5, 5, 5]


@pytest.mark.parametrize("points", range(121))
def test_each_row_sums_to_zero_over_five_players(points: int) -> None:
    for tricks in (0, 3):
        for zero_tier in ("tricks", "points"):
            with_partner = sheephead.pay(False, points, tricks, 1, zero_tier)
            assert with_partner.partner is not None
            assert with_partner.picker + with_partner.partner + 3 * with_partner.other == 0
            alone = sheephead.pay(True, points, tricks, 2, zero_tier)
            assert alone.partner is None and alone.picker + 4 * alone.other == 0


def test_the_bottom_tier_goes_by_tricks_or_by_points() -> None:
    assert sheephead.tier(22, 0) == "nothing" and sheephead.tier(0, 1) == "0 to 30"
    assert sheephead.tier(22, 0, "points") == "0 to 30"
    assert sheephead.tier(0, 1, "points") == "nothing"
    tiers = [sheephead.tier(points, 1) for points in (0, 30, 31, 60, 61, 90, 91, 119, 120)]
    assert tiers == [
        "0 to 30", "0 to 30", "31 to 60", "31 to 60", "61 to 90", "61 to 90",
        "91 to 119", "91 to 119", "all points",
    ]  # fmt: skip


def test_doubling_counts_down_with_nola_but_not_with_a_redeal() -> None:
    assert sheephead.doubling([60, "nola", 61, "redeal", 61, 61, 61, 61]) == [
        1,
        2,
        2,
        2,
        2,
        2,
        2,
        1,
    ]
    assert sheephead.match_after(3, "redeal") == 3
    assert sheephead.match_after(3, "nola") == 2


def test_a_second_even_hand_sets_the_count_or_adds_to_it() -> None:
    # After the first 60: 5 left; the second is doubled, so 4 are left and 5 more come.
    assert sheephead.match_after(5, 60) == 5
    assert sheephead.match_after(5, 60, {"double_restart": "add"}) == 9
    assert sheephead.match_after(0, 60, {"double_restart": "add", "double_hands": 2}) == 2
    assert sheephead.doubling([60, 61], {"double_hands": 0}) == [1, 1]


# What a seat knows


def test_only_the_picker_sees_blind_bury_and_unknown_card() -> None:
    deal = sheephead.random_deal_to_declare(random.Random(1), "R2", dealer=4)
    deal.play(min(deal.legal() - {"alone"}))
    deal.play(min(deal.legal()))
    assert deal.picker is not None
    bidding = deal.phases.index("bury")
    own = deal.view(deal.picker)
    assert own.blind == set(deal.blind)
    assert [choice for _, choice in own.record] == [choice for _, choice in deal.history]
    other = deal.view((deal.picker + 1) % 5)
    assert other.blind == frozenset()
    shown = [choice for _, choice in other.record[bidding:]]
    assert shown == ["?", "?", deal.called, "?"]


@pytest.mark.parametrize("shown_when", ["on_play", "at_end"])
def test_the_unknown_card_shows_when_played_or_at_the_end(shown_when: str) -> None:
    shown = collections.Counter[bool]()
    for seed in range(20):
        rng = random.Random(seed)
        options = {"unknown_shown": shown_when}
        deal = sheephead.random_deal_to_declare(rng, "R2", options)
        deal.play(min(deal.legal() - {"alone"}))
        assert deal.picker is not None
        other = (deal.picker + 1) % 5
        while deal.phase != "over":
            advance(deal, 1, rng)
            view = deal.view(other)
            assert (view.unknown_play is not None) == deal.unknown_was_played()
            if view.unknown_play is not None:
                is_shown = view.record[view.unknown_play][1] == deal.unknown
                assert is_shown == (shown_when == "on_play" or deal.phase == "over")
                shown[is_shown] += 1
    assert shown[False] == 0 if shown_when == "on_play" else shown[False] > 0


def test_the_order_of_cards_in_hands_and_blind_tells_nothing() -> None:
    deal = make(sheephead.random_deal(random.Random(1), dealer=2), "pass pick")
    order = sheephead.order_of([hand[::-1] for hand in deal.dealt], deal.blind[::-1], 2)
    turned = SheepheadReferee(order, dealer=2, multiplier=deal.multiplier)
    make(turned, "pass pick")
    assert [turned.view(seat) for seat in range(5)] == [deal.view(seat) for seat in range(5)]


def test_the_view_knows_dealer_and_multiplier() -> None:
    views = {
        SheepheadReferee(sheephead.DECK, dealer=0, multiplier=multiplier).view(1)
        for multiplier in (1, 2)
    }
    assert len(views) == 2


# The hard constraints of RULES 2.8, statement by statement: `world` is a hypothesis on where all
# cards lay at the first trick, `deal` gives what everybody saw.


def seen_tricks(deal: SheepheadReferee) -> list[list[tuple[int, str]]]:
    """Complete and unfinished tricks, with the unknown card as "?"."""
    tricks = [*deal.tricks, *([deal.trick] if deal.trick else [])]
    return [[(seat, "?" if card == deal.unknown else card) for seat, card in t] for t in tricks]


def seen_suit(deal: SheepheadReferee, card: str) -> str:
    if card == "?":
        assert deal.called is not None
        return suit_of(deal.called)
    return sheephead.nola_suit(card) if deal.nola else suit_of(card)


def played_by(deal: SheepheadReferee, who: int) -> list[str]:
    return [card for seat, card in deal.plays() if seat == who and card != deal.unknown]


def counts_hold(deal: SheepheadReferee, world: World) -> bool:
    """Constraint 1."""
    sizes = sheephead.place_sizes(deal)
    return all(len(world[place]) == sizes[place] for place in sizes) and all(
        world[who].issuperset(played_by(deal, who)) for who in range(5)
    )


def voids_hold(deal: SheepheadReferee, world: World) -> bool:
    """Constraint 2; the unknown card is a place of its own."""
    played: dict[int, set[str]] = {who: set() for who in range(5)}
    for trick in seen_tricks(deal):
        led = seen_suit(deal, trick[0][1])
        for seat, card in trick:
            played[seat].add(card)
            left = world[seat] - played[seat]
            off_suit = card == "?" or seen_suit(deal, card) != led
            if off_suit and any(seen_suit(deal, other) == led for other in left):
                return False
    return True


def first_lead_of_called_suit(deal: SheepheadReferee) -> list[tuple[int, str]] | None:
    assert deal.called is not None
    for trick in seen_tricks(deal):
        if seen_suit(deal, trick[0][1]) == suit_of(deal.called):
            return trick
    return None


def called_card_holds(deal: SheepheadReferee, world: World) -> bool:
    """Constraint 3; that it is with nobody void is in `voids_hold`."""
    assert deal.called is not None and deal.picker is not None
    if deal.called in world[deal.picker] | world[BURY] | world[UNKNOWN]:
        return False
    trick = first_lead_of_called_suit(deal)
    if trick is None or deal.options["called_obligations"] == "free":
        return True
    played_another = [seat for seat, card in trick if card != deal.called]
    if any(deal.called in world[seat] for seat in played_another):
        return False
    return len(trick) < 5 or deal.called in [card for _, card in trick]


def kept_suit_holds(deal: SheepheadReferee, world: World) -> bool:
    """Constraints 4 and 6: a card of the called suit was kept, and is until that suit is led.

    "Until it is led" is read as: until the picker has played to the trick in which it is.
    """
    assert deal.called is not None and deal.picker is not None
    suit = [card for card in sheephead.DECK if suit_of(card) == suit_of(deal.called)]
    if world[deal.picker].isdisjoint(suit):
        return False
    if deal.options["called_obligations"] == "free" or not deal.hands[deal.picker]:
        return True
    trick = first_lead_of_called_suit(deal)
    if trick is not None and (len(trick) == 5 or deal.picker in [seat for seat, _ in trick]):
        # Then it held up to that trick: something was left to follow or lead with.
        before = played_before(deal, trick)
        return not (world[deal.picker] - before).isdisjoint(suit)
    return not (world[deal.picker] - set(played_by(deal, deal.picker))).isdisjoint(suit)


def played_before(deal: SheepheadReferee, trick: list[tuple[int, str]]) -> set[str]:
    """What the picker had played before this trick."""
    earlier = itertools.takewhile(lambda other: other != trick, seen_tricks(deal))
    return {card for other in earlier for seat, card in other if seat == deal.picker}


def unknown_call_holds(deal: SheepheadReferee, world: World) -> bool:
    """Constraint 5."""
    assert deal.called is not None and deal.picker is not None
    kept = world[deal.picker] | world[UNKNOWN]
    owned = kept | world[BURY]
    for suit in "CSH":
        if f"A{suit}" not in owned and any(suit_of(card) == suit for card in kept):
            return False
    if deal.called in owned or any(suit_of(card) == suit_of(deal.called) for card in kept):
        return False
    if not world[UNKNOWN]:
        return True
    (unknown,) = world[UNKNOWN]
    return suit_of(unknown) != "trump" or all(suit_of(card) == "trump" for card in kept)


def own_card_holds(deal: SheepheadReferee, world: World) -> bool:
    """What P1 proves of a picker who named a card of his own; RULES 2.8 leaves it out."""
    assert deal.called is not None and deal.picker is not None
    trick = first_lead_of_called_suit(deal)
    if trick is None or deal.options["called_obligations"] == "free":
        return True
    return not any(
        seat == deal.picker and card != deal.called for seat, card in trick[1:]
    ) or deal.called in played_before(deal, trick) | {trick[0][1]}


def hard_constraints_hold(deal: SheepheadReferee, world: World) -> bool:
    if not (counts_hold(deal, world) and voids_hold(deal, world)):
        return False
    if deal.picker is None or deal.called is None:
        return True  # constraint 7
    if deal.options["allow_self_call"] and deal.called in world[deal.picker]:
        return not deal.lays_unknown and own_card_holds(deal, world)
    if not called_card_holds(deal, world):
        return False
    if deal.lays_unknown:
        return unknown_call_holds(deal, world)
    if deal.called in sheephead.TENS:
        owned = world[deal.picker] | world[BURY]
        return owned.issuperset(sheephead.ACES) and kept_suit_holds(deal, world)
    return kept_suit_holds(deal, world)


def true_world(deal: SheepheadReferee) -> World:
    """Where the cards really lay at the first trick."""
    world: World = {who: frozenset(deal.hands[who]) for who in range(5)}
    for who in range(5):
        world[who] |= {card for seat, card in deal.plays() if seat == who}
    world[BURY] = frozenset(deal.buried)
    world[UNKNOWN] = frozenset() if deal.unknown is None else frozenset({deal.unknown})
    world[sheephead.BLIND] = frozenset(deal.blind if deal.picker is None else ())
    if deal.picker is not None:
        world[deal.picker] -= world[UNKNOWN]
    return world


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_the_hard_constraints_hold_all_through_random_deals(options: dict[str, object]) -> None:
    for seed in range(25):
        rng = random.Random(seed)
        deal = some_deal(rng, options)
        while deal.phase != "over":
            advance(deal, 1, rng)
            assert hard_constraints_hold(deal, true_world(deal))


def splits(deal: SheepheadReferee, seat: int) -> Iterator[World]:
    """Each way to share the unseen cards out to places of the right size, possible or not."""
    seen = sheephead.seen_places(deal, seat)
    room = sheephead.place_sizes(deal)
    for place in seen.values():
        room[place] -= 1
    slots = [place for place in room for _ in range(room[place])]
    unseen = sorted(set(sheephead.DECK) - set(seen))
    for order in distinct_orders(slots):
        hidden: dict[sheephead.Place, set[str]] = {place: set() for place in room}
        for card, place in zip(unseen, order, strict=True):
            hidden[place].add(card)
        yield sheephead.whole_world(deal, seat, hidden)


def distinct_orders(slots: list[sheephead.Place]) -> Iterator[list[sheephead.Place]]:
    if not slots:
        yield []
    for place in dict.fromkeys(slots):
        left = list(slots)
        left.remove(place)
        for rest in distinct_orders(left):
            yield [place, *rest]


def number_of_splits(deal: SheepheadReferee, seat: int) -> int:
    room = sheephead.place_sizes(deal)
    for place in sheephead.seen_places(deal, seat).values():
        room[place] -= 1
    return math.factorial(sum(room.values())) // math.prod(map(math.factorial, room.values()))


def arrangement_in(deal: SheepheadReferee, world: World) -> sheephead.Arrangement:
    """The present arrangement of a world, by hand."""
    unplayed = frozenset() if deal.unknown_was_played() else world[UNKNOWN]
    hands = [set(world[who]) - set(played_by(deal, who)) for who in range(5)]
    if deal.picker is not None:
        hands[deal.picker] |= unplayed
    return tuple(map(frozenset, hands)), world[BURY], next(iter(unplayed), None)


def small_endings(
    options: Mapping[str, object], how_many: int, most_splits: int, plays_left: range
) -> Iterator[tuple[SheepheadReferee, int]]:
    """Endings of all kinds with a seat for which few splits are left, more than one."""
    seeds = itertools.count()
    while how_many:
        rng = random.Random(next(seeds))
        deal = ending(rng, rng.choice(plays_left), options)
        seat = rng.randrange(5)
        if 1 < number_of_splits(deal, seat) <= most_splits:
            how_many -= 1
            yield deal, seat


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_the_hard_constraints_are_all_that_a_view_proves(options: dict[str, object]) -> None:
    for deal, seat in small_endings(options, 10, 1300, range(1, 12)):
        listed = {found for found, _ in sheephead.every_deal_with_the_same_view(deal, seat)}
        allowed = {
            arrangement_in(deal, world)
            for world in splits(deal, seat)
            if hard_constraints_hold(deal, world)
        }
        assert listed == allowed


def test_a_picker_who_discarded_the_called_suit_still_has_some_when_it_is_led() -> None:
    # Seat 0 leads spades, on which the picker discards 7C; then clubs, to which he is to play.
    # Of 21 unseen cards AC is with 3 or 4, since 1 played KC. Of the rest the picker has five,
    # no spade (7S TS are unseen) and some club (8C TC are).
    hands = [
        "AS 9C 9H 8H 7H 9D", "8S KC QD QH JD JH", "7C 8C QC JO QS JC",
        "9S AC 7S KH TD AD", "KS TS TC TH KD 8D",
    ]  # fmt: skip
    deal = make(dealt(hands, "JS AH"), "pass pass pick JS AH AC AS 8S 7C 9S KS 9C KC")
    assert (deal.picker, deal.seat) == (2, 2)
    others = math.factorial(15) // (math.factorial(4) ** 2 * math.factorial(5) * 2)
    ways = 2 * (math.comb(18, 5) - math.comb(16, 5)) * others
    assert sheephead.arrangements(deal, 0) == ways


def test_a_picker_who_follows_with_another_card_did_not_call_his_own() -> None:
    # Clubs are led at once; 1 plays KC and the picker 8C, so AC is with 3 or 4.
    hands = [
        "AS 9C 9H 8H 7H 9D", "8S KC QD QH JD JH", "7C 8C QC JO QS JC",
        "9S AC 7S KH TD AD", "KS TS TC TH KD 8D",
    ]  # fmt: skip
    deal = dealt(hands, "JS AH", allow_self_call=True)
    make(deal, "pass pass pick JS AH AC 9C KC 8C")
    f = math.factorial
    assert sheephead.arrangements(deal, 0) == 2 * f(23) // (f(5) ** 3 * f(6) * f(2))


def test_a_called_card_may_be_the_pickers_own_only_by_option() -> None:
    for allowed in (False, True):
        rng = random.Random(1)
        options = {"allow_self_call": allowed}
        deal = sheephead.random_deal_to_declare(rng, "R1", options)
        assert deal.picker is not None
        deal.play(min(deal.legal() - {"alone", *deal.hands[deal.picker]}))
        seat = next(who for who in range(5) if who not in (deal.picker, deal.partner))
        partners = {
            sheephead.any_deal_with_the_same_view(deal, seat, rng).partner for _ in range(60)
        }
        assert partners == {None if allowed else deal.partner, *range(5)} - {seat, deal.picker}


# Another deal with the same view


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_another_deal_looks_the_same_from_the_seat(options: dict[str, object]) -> None:
    for seed in range(12):
        rng = random.Random(seed)
        deal = advance(some_deal(rng, options), rng.randrange(40), rng)
        for seat in range(5):
            other = sheephead.another_deal_with_the_same_view(deal, seat, rng)
            assert other.view(seat) == deal.view(seat)
            assert other.hands[seat] == deal.hands[seat]
            assert len(other.history) == len(deal.history)
            assert hard_constraints_hold(deal, true_world(other))


def test_early_in_the_deal_another_deal_has_other_hands_all_round() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        deal = advance(sheephead.random_deal(rng), rng.randrange(12), rng)
        seat = rng.randrange(5)
        other = sheephead.another_deal_with_the_same_view(deal, seat, rng)
        assert all(other.hands[who] != deal.hands[who] for who in range(5) if who != seat)
        if seat != deal.picker:
            assert set(other.blind) != set(deal.blind) or len(deal.history) > 6


def test_another_deal_has_an_equal_arrangement_only_where_the_view_proves_it() -> None:
    proven = 0
    for seed in range(60):
        rng = random.Random(seed)
        deal = ending(rng, plays_left=rng.randrange(0, 8))
        other = sheephead.another_deal_with_the_same_view(deal, 0, rng)
        is_proven = sheephead.arrangements(deal, 0) == 1
        is_equal = sheephead.arrangement_of(other) == sheephead.arrangement_of(deal)
        assert is_equal == is_proven
        proven += is_proven
    assert 0 < proven < 60


def test_blind_and_order_of_the_bury_are_drawn_afresh_even_where_all_is_proven() -> None:
    rng = random.Random(3)
    deal = sheephead.random_deal_to_declare(rng, "R1", dealer=0)
    advance(deal, 31, rng)
    assert deal.phase == "over" and deal.picker is not None
    others = [
        sheephead.another_deal_with_the_same_view(deal, (deal.picker + 1) % 5, rng)
        for _ in range(40)
    ]
    assert {frozenset(other.buried) for other in others} == {frozenset(deal.buried)}
    assert {tuple(other.buried) for other in others} == set(itertools.permutations(deal.buried))
    assert len({frozenset(other.blind) for other in others}) > 10


def test_the_hidden_unknown_card_is_drawn_afresh() -> None:
    rng = random.Random(5)
    deal = sheephead.random_deal_to_declare(rng, "R2")
    deal.play(min(deal.legal() - {"alone"}))
    deal.play(min(deal.legal()))
    assert deal.picker is not None
    seat = (deal.picker + 1) % 5
    others = [sheephead.another_deal_with_the_same_view(deal, seat, rng) for _ in range(20)]
    assert len({other.unknown for other in others}) > 3
    assert all(other.called == deal.called for other in others)


# Every deal with the same view


def replays_to_the_same_view(
    deal: SheepheadReferee, seat: int, world: World, blind: list[str], buried: list[str]
) -> bool:
    """Whether this world, blind and bury can be played as `deal` was, nothing presumed."""
    try:
        told = sheephead.retold(deal, seat, world, blind, buried, random.Random(0))
    except (ValueError, AssertionError):
        return False
    assert sheephead.arrangement_of(told) == arrangement_in(deal, world)
    return True


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_the_list_of_deals_is_what_replaying_every_split_leaves(
    options: dict[str, object],
) -> None:
    for deal, seat in small_endings(options, 4, 400, range(1, 9)):
        listed = [found for found, _ in sheephead.every_deal_with_the_same_view(deal, seat)]
        replayed = set()
        for world in splits(deal, seat):
            rng = random.Random(0)
            blind, buried = sheephead.draw_hidden_choices(deal, seat, world, rng)
            if replays_to_the_same_view(deal, seat, world, blind, buried):
                replayed.add(arrangement_in(deal, world))
        assert len(listed) == len(set(listed))
        assert set(listed) == replayed
        assert sheephead.arrangement_of(deal) in replayed


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
def test_the_list_of_deals_is_as_long_as_the_count(options: dict[str, object]) -> None:
    for deal, seat in small_endings(options, 12, 20_000, range(1, 13)):
        if sheephead.arrangements(deal, seat) <= 200:
            listed = list(sheephead.every_deal_with_the_same_view(deal, seat))
            assert len(listed) == sheephead.arrangements(deal, seat)


@pytest.mark.parametrize(
    ("rule", "shown_when"),
    [("R1", "on_play"), ("R2", "on_play"), ("R2", "at_end"), ("R3", "on_play")],
)
def test_to_the_others_a_call_leaves_what_the_list_has(rule: str, shown_when: str) -> None:
    checked = 0
    for seed in itertools.count():
        rng = random.Random(seed)
        deal = sheephead.random_deal_to_declare(rng, rule, {"unknown_shown": shown_when})
        deal.play(min(deal.legal() - {"alone"}, default="alone"))
        advance(deal, rng.randrange(20, 29), rng)
        assert deal.picker is not None
        seat = (deal.picker + rng.randrange(1, 5)) % 5
        if deal.called is None or number_of_splits(deal, seat) > 3000:
            continue
        listed = {arrangement_in(deal, w) for w in sheephead.worlds_that_fit(deal, seat)}
        assert len(listed) == sheephead.arrangements(deal, seat)
        if number_of_splits(deal, seat) <= 800:
            assert listed == {
                arrangement_in(deal, world)
                for world in splits(deal, seat)
                if hard_constraints_hold(deal, world)
            }
        checked += 1
        if checked == 16:
            break


def test_the_worlds_behind_an_unknown_card_are_as_many_as_counted_by_kinds_of_cards() -> None:
    # Kinds are aces, other fail cards by suit, and trumps; the picker keeps six and buries two.
    for seed in range(4):
        deal = sheephead.random_deal_to_declare(random.Random(seed), "R2")
        deal.play(min(deal.legal() - {"alone"}))
        assert deal.picker is not None and deal.called is not None
        seat = (deal.picker + 1) % 5
        unseen = collections.Counter(
            card if card in sheephead.ACES else suit_of(card)
            for card in set(sheephead.DECK) - set(deal.dealt[seat])
        )
        if deal.called not in unseen:
            continue  # the seat is the partner itself
        before, after = 0, 0
        for kept in of_each_kind(list(unseen.items()), 6):
            left = unseen - kept
            for bury in of_each_kind(list(left.items()), 2):
                if is_call_by_r2(deal.called, kept, kept + bury):
                    ways = math.prod(math.comb(unseen[k], kept[k]) for k in kept)
                    ways *= math.prod(math.comb(left[k], bury[k]) for k in bury)
                    before += ways
                    after += ways * (6 - kept["trump"] or 6)
        others = math.factorial(18) // math.factorial(6) ** 3
        assert sheephead.arrangements(deal, seat) == before * others
        deal.play(min(deal.legal()))
        assert sheephead.arrangements(deal, seat) == after * others


def of_each_kind(kinds: list[tuple[str, int]], total: int) -> Iterator[collections.Counter[str]]:
    """How many of each kind there may be among so many cards."""
    if not kinds:
        if total == 0:
            yield collections.Counter()
        return
    (kind, most), *rest = kinds
    for number in range(min(most, total) + 1):
        for others in of_each_kind(rest, total - number):
            yield others + collections.Counter({kind: number})


def is_call_by_r2(
    called: str, kept: collections.Counter[str], owned: collections.Counter[str]
) -> bool:
    """Constraint 5 of RULES 2.8 up to the unknown card."""
    return not owned[called] and all(
        owned[f"A{suit}"] or not kept[suit] + kept[f"A{suit}"] for suit in "CSH"
    )


@pytest.mark.parametrize("rule", RULES_OF_CALLING)
def test_the_weight_counts_the_blinds_and_buries_that_replay(rule: str) -> None:
    # Of each split, possible or not, all blinds and orders of the bury replay or none does.
    rng = random.Random(rule)
    deal = sheephead.random_deal_to_declare(rng, rule)
    deal.play(min(deal.legal() - {"alone"}, default="alone"))
    advance(deal, 26 + deal.lays_unknown, rng)
    assert deal.picker is not None
    seat = (deal.picker + 2) % 5
    weights = dict(sheephead.every_deal_with_the_same_view(deal, seat))
    worlds = list(splits(deal, seat))
    possible = [world for world in worlds if arrangement_in(deal, world) in weights]
    for world in [*possible[:4], *rng.sample(worlds, 6)]:
        eight = sorted(world[deal.picker] | world[BURY] | world[UNKNOWN])
        replayed = sum(
            replays_to_the_same_view(deal, seat, world, list(blind), list(buried))
            for blind in itertools.combinations(eight, 2)
            for buried in itertools.permutations(world[BURY])
        )
        assert replayed == weights.get(arrangement_in(deal, world), 0)
    assert set(weights.values()) == {56}


def test_one_deal_is_behind_each_arrangement_of_nola_and_of_the_picker() -> None:
    rng = random.Random(9)
    nola = advance(make(sheephead.random_deal(rng), "pass " * 5), 26, rng)
    assert {weight for _, weight in sheephead.every_deal_with_the_same_view(nola, 1)} == {1}
    normal = advance(sheephead.random_deal_to_declare(rng, "R1"), 25, rng)
    assert normal.picker is not None
    found = list(sheephead.every_deal_with_the_same_view(normal, normal.picker))
    assert {weight for _, weight in found} == {1}


def test_too_many_arrangements_are_refused() -> None:
    deal = sheephead.random_deal(random.Random(1))
    with pytest.raises(ValueError, match="too many"):
        next(sheephead.every_deal_with_the_same_view(deal, 0))


def test_before_any_pick_all_unseen_cards_may_lie_anywhere() -> None:
    # 26 cards into four hands of six and a blind of two.
    deal = sheephead.random_deal(random.Random(1))
    ways = math.factorial(26) // (math.factorial(6) ** 4 * 2)
    assert sheephead.arrangements(deal, 0) == ways
    # The picker knows two of them; to the others his hand has eight.
    deal.play("pick")
    eight = math.factorial(26) // (math.factorial(6) ** 3 * math.factorial(8))
    assert sheephead.arrangements(deal, deal.seat) == math.factorial(24) // math.factorial(6) ** 4
    assert sheephead.arrangements(deal, (deal.seat + 1) % 5) == eight


def test_a_call_proves_that_a_card_of_its_suit_was_kept() -> None:
    # Seat 4 has no club, and seat 0 called the ace. It lies with 1, 2 or 3; seat 0 kept one to six
    # of the five other clubs. Counted: all ways with the ace elsewhere, less those without a club.
    clubs = ["7C", "8C", "9C", "KC", "TC"]
    rest = [card for card in sheephead.DECK if card not in [*clubs, "AC"]]
    hands = [[*clubs[:3], *rest[:3]], [*clubs[3:], *rest[3:7]], ["AC", *rest[7:12]]]
    hands += [rest[12:18], rest[18:24]]
    deal = SheepheadReferee(sheephead.order_of(hands, rest[24:], 4), dealer=4)
    make(deal, f"pick {rest[24]} {rest[25]} AC")
    ace_with_three = (
        3
        * math.factorial(25)
        // (math.factorial(5) * math.factorial(6) ** 2 * math.factorial(6) * 2)
    )
    no_club_kept = 0
    for buried in range(3):  # of the five clubs; the rest lie with 1, 2 and 3
        kept_and_buried = math.comb(20, 6) * math.comb(5, buried) * math.comb(14, 2 - buried)
        no_club_kept += (
            kept_and_buried * 3 * math.factorial(17) // (math.factorial(5) * math.factorial(6) ** 2)
        )
    assert sheephead.arrangements(deal, 4) == ace_with_three - no_club_kept


@pytest.mark.parametrize("rule", RULES_OF_CALLING)
def test_drawn_deals_fall_evenly_on_the_list(rule: str) -> None:
    # 30 draws each on average: chi-square within five deviations of its mean.
    for seed in itertools.count():
        rng = random.Random(seed)
        deal = sheephead.random_deal_to_declare(rng, rule)
        deal.play(max(deal.legal() - {"alone"}, default="alone"))
        advance(deal, 23 + deal.lays_unknown, rng)
        layouts = sheephead.possible_layouts(deal, 0)
        if deal.called is not None and 8 < sheephead.arrangements(deal, 0) < 30:
            break
    listed = {found for found, _ in sheephead.every_deal_with_the_same_view(deal, 0)}
    drawn = collections.Counter(
        sheephead.arrangement_of(sheephead.drawn_deal(deal, 0, layouts, rng))
        for _ in range(30 * len(listed))
    )
    assert set(drawn) == listed
    chi_square = sum((count - 30) ** 2 / 30 for count in drawn.values())
    freedom = len(listed) - 1
    assert abs(chi_square - freedom) < 5 * math.sqrt(2 * freedom)
