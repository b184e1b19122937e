"""Rules of Coinche that the vectors of RULES.md do not reach, through the checked face."""

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest

from golden_playthrough import assert_golden, playthrough
from overtrick.engine.batches import (
    legal_all,
    payoffs_all,
    play_all,
    rewards_all,
    score_all,
    winners_all,
)
from overtrick.engine.dealing import deal_orders
from overtrick.engine.deals import Deal, Match
from overtrick.engine.views import hide_all
from overtrick.engine.worlds import count_worlds, sample_worlds
from overtrick.errors import BadNotation, BadOption, DealOver, IllegalChoice
from overtrick.games import load_game
from overtrick.games.game import HIDDEN, NOBODY, OVER
from overtrick.jit import stream

GAME = load_game("coinche")
DECK = GAME.deck
SPADES, HEARTS, DIAMONDS, CLUBS = (DECK.set([rank + s for rank in "789JQKTA"]) for s in "SHDC")
Records = np.ndarray[Any, Any]


def played(deal: Deal, choices: str) -> Deal:
    """The deal after these choices."""
    for choice in choices.split():
        deal = deal.play(choice)
    return deal


def match_of(deals: int = 3, **options: object) -> Match:
    """A match before the deal of this number; by default seat 0 is the first to act."""
    return Match.from_text("coinche", f"deals={deals}", variant=options)


def any_deal(deals: int = 3, **options: object) -> Deal:
    return match_of(deals, **options).deal(seed=1)


def of(deal: Deal, label: str) -> str:
    """What everybody sees under a label, such as `contract`."""
    return dict(deal.public)[label]


# The deal


@pytest.mark.parametrize("deals", range(5))
def test_the_dealer_moves_on_and_the_seat_after_him_gets_the_first_eight_cards(deals: int) -> None:
    deal = Deal.from_order(match_of(deals), range(32))
    first = (deals + 1) % 4
    assert of(deal, "dealer") == ("North", "East", "South", "West")[deals % 4]
    assert deal.seat == first
    assert [deal.hands[(first + k) % 4] for k in range(4)] == [SPADES, HEARTS, DIAMONDS, CLUBS]


def test_cards_are_ordered_suit_by_suit_with_the_ten_below_the_ace() -> None:
    assert DECK.texts(range(9)) == "7S 8S 9S JS QS KS TS AS 7H"


# The auction


def test_calls_go_round_from_the_seat_after_the_dealer() -> None:
    deal, seats = any_deal(deals=0), []
    for call in ("P", "80S", "P", "90H", "X", "P"):
        seats.append(deal.seat)
        deal = deal.play(call)
    assert seats == [1, 2, 3, 0, 1, 2]


def test_a_seat_that_passed_may_bid_later() -> None:
    assert "90D" in played(any_deal(), "P 80S P P").legal_texts


def test_one_may_raise_the_partner_and_oneself_in_any_suit() -> None:
    assert {"90S", "90H", "160C", "250S"} <= set(played(any_deal(), "80S P").legal_texts)
    assert {"100H", "110D"} <= set(played(any_deal(), "80S P 90H P").legal_texts)


def test_suits_are_not_ranked_so_an_equal_value_is_not_higher() -> None:
    legal = set(played(any_deal(), "80S").legal_texts)
    assert not {"80S", "80H", "80D", "80C"} & legal
    assert {"90S", "90H", "90D", "90C"} <= legal


def test_nobody_coinches_the_bid_of_his_own_team() -> None:
    assert "X" in played(any_deal(), "80S").legal_texts
    assert "X" not in played(any_deal(), "80S P").legal_texts
    assert "X" in played(any_deal(), "80S P P").legal_texts
    with pytest.raises(IllegalChoice, match="South may not bid X; legal are P 90S"):
        played(any_deal(), "80S P").play("coinche")


def test_a_coinche_freezes_the_contract() -> None:
    coinched = played(any_deal(), "80S X")
    assert coinched.legal_texts == ("P", "XX")
    assert coinched.play("P").legal_texts == ("P",)
    assert played(coinched, "P P").legal_texts == ("P", "XX")
    assert played(coinched, "P P P").phase == "play"


def test_either_of_the_bidders_may_surcoinche_and_the_auction_is_over_at_once() -> None:
    for calls in ("80S X XX", "80S X P P XX"):
        deal = played(any_deal(), calls)
        assert (deal.phase, deal.seat) == ("play", 0)
        assert of(deal, "contract") == "80S by North, surcoinched"


def test_the_attackers_are_the_team_of_the_last_bid_whoever_coinches() -> None:
    assert of(played(any_deal(), "80S 90D P P X P P P"), "contract") == "90D by East, coinched"


def test_four_passes_end_the_deal_without_a_contract() -> None:
    deal = played(any_deal(), "P P P P")
    assert (deal.phase, deal.payoffs) == ("over", (0, 0, 0, 0))
    assert of(deal, "contract") == "none"
    after = deal.match.after(deal)
    assert (after.deals, after.scores) == (4, (0, 0, 0, 0))
    with pytest.raises(DealOver):
        deal.play("P")


def test_three_passes_then_a_bid_and_the_fourth_pass_is_not_the_end() -> None:
    deal = played(any_deal(), "P P P 80S P")
    assert deal.phase == "bid"
    assert played(deal, "P P").phase == "play"


@pytest.mark.parametrize("calls", ["80S P P P", "P P 100D P 110H P P P", "P 250C X P P P"])
def test_the_seat_after_the_dealer_leads_whoever_bid(calls: str) -> None:
    assert (played(any_deal(deals=1), calls).phase, played(any_deal(1), calls).seat) == ("play", 2)


# Play: seat 0 has all diamonds and leads one, so the others are void; hearts are trump

DIAMOND_LEAD = {
    "0": "7D 8D 9D JD QD KD TD AD",
    "1": "9H QH 7S 8S 9S JS QS KS",
    "2": "AH TH TS AS 7C 8C 9C JC",
    "3": "7H 8H JH KH QC KC TC AC",
}
NO_TRUMPS_BUT_WITH_SEAT_3 = DIAMOND_LEAD | {
    "1": "7S 8S 9S JS QS KS TS AS",
    "2": "7C 8C 9C JC QC KC TC AC",
    "3": "7H 8H 9H JH QH KH TH AH",
}


def hearts_trump(hands: dict[str, str], choices: str = "", **options: object) -> Deal:
    """A deal of these hands at 80H by seat 0, who has the lead, after some plays."""
    deal = Deal.from_cards("coinche", hands, match=match_of(**options))
    return played(deal, f"80H P P P {choices}")


def legal(deal: Deal) -> int:
    return sum(1 << card for card in deal.legal)


def test_a_void_seat_must_trump_an_opponents_plain_card() -> None:
    assert hearts_trump(DIAMOND_LEAD, "AD").legal_texts == ("9H", "QH")


def test_a_void_seat_is_free_when_its_partner_takes_the_trick() -> None:
    deal = hearts_trump(NO_TRUMPS_BUT_WITH_SEAT_3, "AD 7S")
    assert legal(deal) == CLUBS


def test_who_cannot_beat_an_opponents_trump_is_free_or_must_still_trump() -> None:
    free = hearts_trump(DIAMOND_LEAD, "AD 9H")
    assert legal(free) == DECK.set(DIAMOND_LEAD["2"])
    assert hearts_trump(DIAMOND_LEAD, "AD 9H", undertrump="must").legal_texts == ("TH", "AH")


def test_who_can_beat_an_opponents_trump_must_beat_it() -> None:
    assert hearts_trump(DIAMOND_LEAD, "AD QH").legal_texts == ("TH", "AH")


def test_under_the_partners_trump_one_may_throw_anything_unless_the_house_forbids_it() -> None:
    free = hearts_trump(DIAMOND_LEAD, "AD 9H 7C")
    assert legal(free) == DECK.set(DIAMOND_LEAD["3"])
    strict = hearts_trump(DIAMOND_LEAD, "AD 9H 7C", partner_ruff="no_underruff")
    assert legal(strict) == DECK.set("JH QC KC TC AC")


def test_a_seat_that_could_not_beat_its_partners_trump_may_play_below_it() -> None:
    hands = DIAMOND_LEAD | {"1": "JH QH 7S 8S 9S JS QS KS", "3": "7H 8H 9H KH QC KC TC AC"}
    strict = hearts_trump(hands, "AD JH 7C", partner_ruff="no_underruff")
    assert legal(strict) == DECK.set(hands["3"])


TRUMP_LEAD = {
    "0": "KH 7H 7S 8S 9S JS QS KS",
    "1": "QH 8H TS AS 7C 8C 9C JC",
    "2": "9H TH AH JH QC KC TC AC",
    "3": "7D 8D 9D JD QD KD TD AD",
}


def test_a_higher_trump_is_a_duty_over_the_partner_too() -> None:
    assert hearts_trump(TRUMP_LEAD, "KH QH").legal_texts == ("9H", "JH", "TH", "AH")


def test_who_has_no_higher_trump_follows_with_any_trump() -> None:
    assert hearts_trump(TRUMP_LEAD, "KH").legal_texts == ("8H", "QH")


def test_who_has_no_trump_may_throw_anything_on_a_trump_lead() -> None:
    assert legal(hearts_trump(TRUMP_LEAD, "KH QH 9H")) == DIAMONDS


def test_who_takes_a_trick_leads_to_the_next_and_his_team_has_its_points() -> None:
    deal = hearts_trump(TRUMP_LEAD, "KH QH 9H AD")
    assert (deal.seat, deal.trick) == (2, ())
    assert of(deal, "points") == "North/South 32, East/West 0"


def test_all_tricks_together_count_162() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        deal = played(match_of(seed).deal(seed), "100D P P P")
        while not deal.is_over:
            deal = deal.play(rng.choice(deal.legal))
        assert deal.records["points"][0].sum() == 162
        assert deal.records["tricks"][0].sum() == 8


# What plays prove

ABOVE_9 = DECK.set("JH")
ABOVE_K = DECK.set("TH AH 9H JH")


def proven(deal: Deal, seat: int) -> int:
    return deal.view(0).cannot[seat]


def test_a_card_of_the_led_plain_suit_proves_nothing() -> None:
    hands = {"0": "7D 8D 7S 8S 9S JS QS KS", "1": "9D JD 7H 8H 9H JH QH KH", "2": "QD KD TD AD"}
    hands["2"] += " TS AS 7C 8C"
    deal = hearts_trump(hands, "7D JD QD")
    assert deal.view(0).cannot == (0, 0, 0, 0)


def test_a_lead_proves_nothing() -> None:
    assert hearts_trump(DIAMOND_LEAD, "AD").view(1).cannot == (0, 0, 0, 0)


def test_no_trump_on_an_opponents_plain_card_proves_a_void_in_trump() -> None:
    assert proven(hearts_trump(NO_TRUMPS_BUT_WITH_SEAT_3, "AD 7S"), 1) == DIAMONDS | HEARTS


def test_a_trump_on_an_opponents_plain_card_proves_only_the_void() -> None:
    assert proven(hearts_trump(DIAMOND_LEAD, "AD 9H"), 1) == DIAMONDS


@pytest.mark.parametrize("undertrump", ["free", "must"])
@pytest.mark.parametrize("partner_ruff", ["free", "no_underruff"])
def test_a_trump_below_an_opponents_proves_none_above(undertrump: str, partner_ruff: str) -> None:
    options = {"undertrump": undertrump, "partner_ruff": partner_ruff}
    assert proven(hearts_trump(DIAMOND_LEAD, "AD 9H TH", **options), 2) == DIAMONDS | ABOVE_9


def test_a_discard_under_an_opponents_trump_proves_none_above_it() -> None:
    assert proven(hearts_trump(DIAMOND_LEAD, "AD 9H 7C"), 2) == DIAMONDS | ABOVE_9


def test_where_undertrumping_is_a_duty_that_discard_proves_a_void_in_trump() -> None:
    hands = DIAMOND_LEAD | {"2": "TC AC TS AS 7C 8C 9C JC", "3": "7H 8H JH KH AH TH QC KC"}
    deal = hearts_trump(hands, "AD 9H 7C", undertrump="must")
    assert proven(deal, 2) == DIAMONDS | HEARTS
    assert proven(hearts_trump(hands, "AD 9H 7C"), 2) == DIAMONDS | ABOVE_9


def test_a_trump_above_an_opponents_proves_only_the_void() -> None:
    assert proven(hearts_trump(DIAMOND_LEAD, "AD QH AH"), 2) == DIAMONDS


@pytest.mark.parametrize(("partner_ruff", "above"), [("free", 0), ("no_underruff", ABOVE_9)])
@pytest.mark.parametrize("undertrump", ["free", "must"])
def test_a_trump_below_the_partners_proves_something_only_where_it_is_restricted(
    partner_ruff: str, above: int, undertrump: str
) -> None:
    hands = {
        "0": "7D 8D 9D JD QD KD TD JH",
        "1": "9H QH 7S 8S 9S JS QS KS",
        "2": "AD AH TH TS AS 7C 8C 9C",
    }
    options = {"undertrump": undertrump, "partner_ruff": partner_ruff}
    assert proven(hearts_trump(hands, "7D 9H AD 7H", **options), 3) == DIAMONDS | above
    assert proven(hearts_trump(hands, "7D 9H AD QC", **options), 3) == DIAMONDS


def test_the_partners_plain_card_is_no_reason_to_prove_anything_of_trumps() -> None:
    for partner_ruff in ("free", "no_underruff"):
        deal = hearts_trump(NO_TRUMPS_BUT_WITH_SEAT_3, "AD 7S 7C", partner_ruff=partner_ruff)
        assert proven(deal, 2) == DIAMONDS


def test_a_trump_below_the_winning_one_on_a_trump_lead_proves_none_above() -> None:
    assert proven(hearts_trump(TRUMP_LEAD, "KH 8H"), 1) == ABOVE_K


def test_a_trump_above_the_winning_one_on_a_trump_lead_proves_nothing_of_trumps() -> None:
    assert proven(hearts_trump(TRUMP_LEAD, "KH 8H 9H"), 2) == 0


def test_no_trump_on_a_trump_lead_proves_the_void_and_nothing_more() -> None:
    assert proven(hearts_trump(TRUMP_LEAD, "KH QH 9H AD"), 3) == HEARTS


# Belote

BELOTE = DIAMOND_LEAD | {"1": "KH QH 7S 8S 9S JS QS KS", "3": "7H 8H JH 9H QC KC TC AC"}
SPLIT = DIAMOND_LEAD | {"1": "KH 9H 7S 8S 9S JS QS KS", "3": "7H 8H JH QH QC KC TC AC"}


def test_belote_is_announced_with_the_first_of_king_and_queen_of_trump() -> None:
    before = hearts_trump(BELOTE, "AD")
    assert "belote" not in dict(before.public)
    assert of(before.play("KH"), "belote") == "East"
    assert of(before.play("QH"), "belote") == "East"


def test_after_belote_all_know_where_the_other_card_is_until_it_is_played() -> None:
    deal = hearts_trump(BELOTE, "AD KH")
    assert [deal.view(seat).known[1] for seat in (0, 2, 3)] == [DECK.set("QH")] * 3
    deal = played(deal, "AH 9H QC 7D QH")
    assert [deal.view(seat).known[1] for seat in (0, 2, 3)] == [0] * 3
    assert of(deal, "belote") == "East"


def test_silence_with_king_or_queen_of_trump_proves_that_the_other_is_elsewhere() -> None:
    deal = hearts_trump(SPLIT, "AD KH")
    assert "belote" not in dict(deal.public)
    assert proven(deal, 1) == DIAMONDS | DECK.set("QH")


def test_without_the_belote_rule_nothing_is_announced_and_nothing_proven() -> None:
    for hands in (BELOTE, SPLIT):
        deal = hearts_trump(hands, "AD KH", belote="off")
        assert "belote" not in dict(deal.public)
        assert proven(deal, 1) == DIAMONDS
        assert deal.view(0).known[1:] == (0, 0, 0)


def test_king_and_queen_of_a_plain_suit_are_no_belote() -> None:
    deal = hearts_trump(NO_TRUMPS_BUT_WITH_SEAT_3, "KD KS KC 7H")
    assert "belote" not in dict(deal.public)
    assert deal.view(0).known[1:] == (0, 0, 0)


def test_nobody_sees_who_has_belote_before_it_is_announced() -> None:
    with_belote, without = hearts_trump(BELOTE, "AD"), hearts_trump(SPLIT, "AD")
    for seat in (0, 2):
        assert with_belote.view(seat) == without.view(seat)


@pytest.mark.parametrize(
    ("hands", "options", "hands_of_seat_1"),
    [
        (BELOTE, {}, math.comb(22, 6)),  # the queen and six of the 22 others unseen
        (SPLIT, {}, math.comb(22, 7)),  # seven of those, not the queen
        (SPLIT, {"belote": "off"}, math.comb(23, 7)),
        (BELOTE, {"belote": "off"}, math.comb(23, 7)),
    ],
)
def test_the_worlds_after_a_king_of_trump_are_those_counted_on_paper(
    hands: dict[str, str], options: dict[str, str], hands_of_seat_1: int
) -> None:
    view = hearts_trump(hands, "AD KH", **options).view(0)
    assert view.count_worlds() == hands_of_seat_1 * math.comb(16, 8)


def test_the_worlds_after_a_trump_lead_are_those_counted_on_paper() -> None:
    # Seat 0 has not seen 24 cards. Seat 1 has followed with the queen, not above the king and not
    # with belote: of the other 23 it holds seven, none of the four higher trumps.
    view = hearts_trump(TRUMP_LEAD, "KH QH").view(0)
    assert view.count_worlds() == math.comb(19, 7) * math.comb(16, 8)


# Every world, by brute force

OBLIGATIONS = [
    {"undertrump": undertrump, "partner_ruff": partner_ruff, "belote": belote}
    for undertrump in ("free", "must")
    for partner_ruff in ("free", "no_underruff")
    for belote in ("ffb", "off")
]


def ending(rng: random.Random, options: dict[str, str]) -> tuple[Deal, int]:
    """A deal with two or three cards in most hands, and a seat that it is seen from."""
    deal = match_of(rng.randrange(4), **options).deal(rng.randrange(1 << 30))
    deal = played(deal, f"80{rng.choice('SHDC')} P P P")
    for _ in range(rng.randint(20, 24)):
        deal = deal.play(rng.choice(deal.legal))
    return deal, rng.randrange(4)


def cards_of(cards: int) -> list[int]:
    return [card for card in range(32) if cards >> card & 1]


def every_split(deal: Deal, seat: int) -> list[list[int]]:
    """The orders of the deck behind every way to split what the seat does not hold or see."""
    others = [other for other in range(4) if other != seat]
    unseen = {card for other in others for card in cards_of(deal.hands[other])}
    sizes = [deal.hands[other].bit_count() for other in others]
    before = deal.records["played"][0].tolist()
    turns = [(deal.match.deals + 1 + k) % 4 for k in range(4)]
    orders = []
    for first in itertools.combinations(sorted(unseen), sizes[0]):
        for second in itertools.combinations(sorted(unseen - {*first}), sizes[1]):
            third = unseen - {*first} - {*second}
            hands = dict(zip(others, (first, second, third), strict=True))
            hands[seat] = tuple(cards_of(deal.hands[seat]))
            orders.append([card for who in turns for card in (*cards_of(before[who]), *hands[who])])
    return orders


def every_world(deal: Deal, seat: int) -> set[bytes]:
    """Every deal that gives the seat's view: each split of the unseen cards is replayed."""
    orders = np.array(every_split(deal, seat), dtype=np.int64)
    states = GAME.blank_states(len(orders), deal.variant)
    matches = GAME.blank_matches(len(orders), deal.variant)
    matches["deals"] = deal.match.deals
    deal_orders(states, matches, orders)
    for event in deal.history:
        legals = np.zeros(len(states), dtype=np.int64)
        legal_all(states, legals)
        states = states[legals >> event.choice & 1 == 1]
        play_all(states, np.full(len(states), event.choice, dtype=np.int64))
    views = states.copy()
    hide_all(views, np.full(len(views), seat))
    wanted = deal.view(seat).records.tobytes()
    pairs = zip(records_of(states), records_of(views), strict=True)
    return {state for state, view in pairs if view == wanted}


def records_of(states: Records) -> list[bytes]:
    """Each record as its bytes."""
    return [states[number : number + 1].tobytes() for number in range(len(states))]


@pytest.mark.parametrize("options", OBLIGATIONS, ids=str)
def test_the_worlds_of_an_ending_are_just_the_deals_that_replay_to_the_same_view(
    options: dict[str, str],
) -> None:
    rng = random.Random(str(options))
    for _ in range(25):
        deal, seat = ending(rng, options)
        view, worlds = deal.view(seat).records, every_world(deal, seat)
        assert count_worlds(view) == len(worlds)
        drawn = sample_worlds(view, 20 * len(worlds) + 20, stream(1, "ending"))
        assert worlds.issuperset(found := set(records_of(drawn)))
        assert len(found) > 0.99 * len(worlds)


# Score


def finished(
    bid: str,
    *,
    attack: int,
    bidder: int = 0,
    doubled: int = 0,
    belote: int = NOBODY,
    tricks: int = 5,
    **options: object,
) -> Records:
    """The record of a deal that is over, with so many points and tricks for the attackers."""
    states = GAME.blank_states(1, GAME.variant_of(options))
    states["phase"] = OVER
    states["seat"] = NOBODY
    states["bid"] = GAME.choice_from(0, bid)
    states["bidder"], states["doubled"], states["announcer"] = bidder, doubled, belote
    states["points"][0, bidder % 2], states["points"][0, 1 - bidder % 2] = attack, 162 - attack
    states["tricks"][0, bidder % 2], states["tricks"][0, 1 - bidder % 2] = tricks, 8 - tricks
    return states


def payoffs(states: Records) -> list[int]:
    results = np.zeros((len(states), 4), dtype=np.int64)
    payoffs_all(states, results)
    return [int(payoff) for payoff in results[0]]


def rewards(states: Records) -> list[float]:
    results = np.zeros((len(states), 4))
    rewards_all(states, results)
    return [float(reward) for reward in results[0]]


def scores(states: Records, before: tuple[int, int] = (0, 0), **options: object) -> list[int]:
    """The match totals of both teams after a deal."""
    matches = GAME.blank_matches(1, GAME.variant_of(options))
    matches["scores"][0] = before * 2
    score_all(matches, states)
    assert matches["scores"][0, :2].tolist() == matches["scores"][0, 2:].tolist()
    return [int(total) for total in matches["scores"][0, :2]]


def test_the_points_of_the_bid_are_enough_even_if_the_defenders_have_more() -> None:
    assert payoffs(finished("80S", attack=80)) == [80, -80, 80, -80]
    assert payoffs(finished("80S", attack=79)) == [-160, 160, -160, 160]


def test_the_attackers_are_whoever_bid() -> None:
    assert payoffs(finished("110C", attack=110, bidder=3)) == [-110, 110, -110, 110]
    assert scores(finished("110C", attack=110, bidder=3)) == [0, 110]
    assert scores(finished("110C", attack=100, bidder=1)) == [160, 0]


def test_tricks_beyond_the_bid_pay_nothing_extra() -> None:
    assert scores(finished("80S", attack=162, tricks=8)) == [80, 0]


def test_a_capot_is_made_by_all_tricks_and_nothing_else() -> None:
    assert scores(finished("250D", attack=162, tricks=8)) == [250, 0]
    assert scores(finished("250D", attack=162, tricks=7, belote=0)) == [0, 270]


def test_the_attackers_belote_helps_the_contract_and_is_lost_with_it() -> None:
    assert scores(finished("100S", attack=80, belote=2)) == [120, 0]
    assert scores(finished("100S", attack=79, belote=2)) == [0, 180]


def test_the_defenders_belote_stays_theirs_and_helps_nobody_make_the_contract() -> None:
    assert scores(finished("100S", attack=100, belote=1)) == [100, 20]
    assert scores(finished("100S", attack=99, belote=3)) == [0, 180]


def test_belote_is_never_multiplied() -> None:
    assert scores(finished("100S", attack=80, belote=0, doubled=1)) == [220, 0]
    assert scores(finished("100S", attack=80, belote=1, doubled=2)) == [0, 660]


def test_belote_is_never_in_the_payoffs() -> None:
    assert payoffs(finished("100S", attack=80, belote=0)) == [100, -100, 100, -100]


@pytest.mark.parametrize(
    ("options", "doubled", "lost"),
    [
        ({}, 0, 160),
        ({}, 1, 320),
        ({}, 2, 640),
        ({"surcoinche_mult": 3}, 1, 320),
        ({"surcoinche_mult": 3}, 2, 480),
        ({"coinche_fail": "bid"}, 0, 160),
        ({"coinche_fail": "bid"}, 1, 180),
        ({"coinche_fail": "bid"}, 2, 360),
        ({"coinche_fail": "bid", "surcoinche_mult": 3}, 2, 270),
    ],
)
def test_a_failed_contract_pays_its_stake_multiplied(
    options: dict[str, object], doubled: int, lost: int
) -> None:
    states = finished("90S", attack=80, doubled=doubled, **options)
    assert payoffs(states) == [-lost, lost, -lost, lost]
    assert scores(states) == [0, lost]


def test_a_failed_capot_pays_250_whatever_the_house_rule() -> None:
    for rule in ("stake", "bid"):
        states = finished("250S", attack=100, doubled=2, coinche_fail=rule)
        assert payoffs(states) == [-1000, 1000, -1000, 1000]


def test_no_payoff_is_larger_than_the_scale() -> None:
    assert max(payoffs(finished("250S", attack=162, tricks=8, doubled=2))) == GAME.payoff_scale


# Rewards


@pytest.mark.parametrize(
    ("matrix", "made", "failed"),
    [
        ("mirror", [180, -180], [-320, 320]),
        ("classic", [180, 0], [0, 320]),
        ("no_defense", [180, -180], [-320, 0]),
        ("good", [180, -180], [-180, 320]),
    ],
)
def test_rewards_follow_the_chosen_matrix_and_payoffs_do_not(
    matrix: str, made: list[int], failed: list[int]
) -> None:
    for attack, expected, payoff in ((90, made, 180), (89, failed, -320)):
        states = finished("90S", attack=attack, doubled=1, reward_matrix=matrix)
        assert rewards(states) == expected * 2
        assert payoffs(states) == [payoff, -payoff] * 2


@pytest.mark.parametrize(
    ("attack", "holder", "more"),
    [(80, 0, 20), (79, 0, -20), (100, 1, -20), (80, 1, -20), (100, NOBODY, 0)],
)
def test_belote_is_added_to_the_rewards_if_wanted(attack: int, holder: int, more: int) -> None:
    plain = rewards(finished("100S", attack=attack, belote=holder))
    added = rewards(finished("100S", attack=attack, belote=holder, belote_in_reward=True))
    assert [a - b for a, b in zip(added, plain, strict=True)] == [more, -more] * 2


def test_tricks_are_rewarded_as_they_are_taken() -> None:
    deal = hearts_trump(TRUMP_LEAD, "KH QH 9H", trick_reward=0.1)
    assert rewards(deal.records) == [0, 0, 0, 0]
    deal = deal.play("AD")  # 4 + 3 + 14 + 11 points to seat 2
    assert rewards(deal.records) == pytest.approx([3.2, 0, 3.2, 0])


def test_at_the_end_the_tricks_rewards_stay_and_the_matrix_comes_on_top() -> None:
    states = finished("90S", attack=100, trick_reward="0.125")
    assert rewards(states) == pytest.approx([90 + 12.5, -90 + 7.75] * 2)


def test_nothing_is_rewarded_before_the_end_unless_tricks_are() -> None:
    deal = played(any_deal(reward_matrix="good", belote_in_reward=True), "80H P P P")
    while not deal.is_over:
        assert rewards(deal.records) == [0, 0, 0, 0]
        deal = deal.play(deal.legal[0])
    assert rewards(deal.records) != [0, 0, 0, 0]


def test_a_deal_that_all_passed_rewards_nothing() -> None:
    deal = played(any_deal(reward_matrix="good", belote_in_reward=True), "P P P P")
    assert rewards(deal.records) == [0, 0, 0, 0]


# The match


def winners(ours: int, theirs: int, target: int = 1000) -> int:
    matches = GAME.blank_matches(1, GAME.variant(target=target))
    matches["scores"][0] = (ours, theirs) * 2
    won = np.zeros(1, dtype=np.int64)
    winners_all(matches, won)
    return int(won[0])


def test_a_match_goes_to_the_first_team_at_the_target() -> None:
    assert winners(990, 980) == 0
    assert winners(1000, 980) == 0b0101
    assert winners(980, 1000) == 0b1010
    assert winners(990, 980, target=990) == 0b0101


def test_with_both_teams_there_the_higher_total_wins_and_equal_ones_play_on() -> None:
    assert winners(1020, 1080) == 0b1010
    assert winners(1080, 1020) == 0b0101
    assert winners(1020, 1020) == 0


def test_both_partners_carry_the_total_of_their_team() -> None:
    assert scores(finished("160H", attack=130, belote=0), before=(300, 500)) == [300, 680]


@pytest.mark.parametrize(
    "text", ["deals=-1", "scores=10/0/20/0", "scores=-10/0/-10/0", "scores=1/2/3"]
)
def test_a_match_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(BadNotation, match="coinche"):
        Match.from_text("coinche", text)


# House rules


@pytest.mark.parametrize(
    "options",
    ["reward_matrix=best", "undertrump=maybe", "partner_ruff=must", "belote=on", "target=0",
     "belote_in_reward=perhaps", "coinche_fail=both", "surcoinche_mult=5", "trick_reward=-1",
     "trick_reward=much", "trick_reward=0.0001", "trick_reward=1001", "trick_reward=nan"],
)  # fmt: skip
def test_a_value_that_an_option_does_not_have_is_refused(options: str) -> None:
    with pytest.raises(BadOption, match=f"coinche: {options.partition('=')[0]} is"):
        Match.start("coinche", variant=options)


@pytest.mark.parametrize("value", ["0.1", ".1", "0.10", "00.100", 0.1])
def test_a_reward_for_tricks_is_the_same_however_it_is_written(value: object) -> None:
    variant = GAME.variant_of({"trick_reward": value})
    assert variant == GAME.variant_of("trick_reward=0.1")
    assert variant.text() == "trick_reward=0.1"
    assert variant.pack()["trick_reward"] == 100


def test_no_reward_for_tricks_is_the_default_however_it_is_written() -> None:
    assert GAME.variant_of({"trick_reward": 0}) == GAME.variant_of("trick_reward=0.000")
    assert GAME.variant_of({"trick_reward": 0.0}) == GAME.variant()


@pytest.mark.parametrize("value", [True, None, -1, float("inf"), float("nan"), 1e-5])
def test_what_is_no_such_number_is_no_reward_for_tricks(value: object) -> None:
    with pytest.raises(BadOption, match="trick_reward is a number from 0 to 1000"):
        GAME.variant_of({"trick_reward": value})


# Notation


def test_there_are_43_calls_and_75_actions() -> None:
    assert GAME.choice_names[0][:6] == ("P", "80S", "80H", "80D", "80C", "90S")
    assert GAME.choice_names[0][36:] == ("160C", "250S", "250H", "250D", "250C", "X", "XX")
    assert (GAME.actions, GAME.action_offsets) == (75, (32, 0))


@pytest.mark.parametrize(
    ("spoken", "call"),
    [
        ("passe", "P"), ("Je passe", "P"), ("p", "P"),
        ("coinche", "X"), ("Je coinche", "X"), ("x", "X"),
        ("Surcoinche", "XX"), ("xx", "XX"),
        ("80 pique", "80S"), ("80 Piques", "80S"), ("80s", "80S"), ("80pique", "80S"),
        ("100 coeur", "100H"), ("100 cœur", "100H"), ("100 CŒUR", "100H"), ("100 ♥", "100H"),
        ("110 carreau", "110D"), ("160 carreaux", "160D"), ("90 diamonds", "90D"),
        ("120 trèfle", "120C"), ("120 trefle", "120C"), ("120  TRÈFLE", "120C"),
        ("capot pique", "250S"), ("Capot trèfle", "250C"), ("250 pique", "250S"),
    ],
)  # fmt: skip
def test_calls_may_be_written_as_they_are_spoken(spoken: str, call: str) -> None:
    assert GAME.choice_text(0, GAME.choice_from(0, spoken)) == call


@pytest.mark.parametrize(
    "nonsense", ["", "85 pique", "170 pique", "80", "pique", "capot", "80 sans atout", "QS"]
)
def test_what_is_no_call_is_refused(nonsense: str) -> None:
    with pytest.raises(BadNotation, match="is not a choice to bid"):
        GAME.choice_from(0, nonsense)


def test_a_call_is_no_card() -> None:
    with pytest.raises(BadNotation):
        GAME.choice_from(1, "passe")


# Views


def test_a_view_shows_every_call_and_card_but_no_other_hand() -> None:
    deal = hearts_trump(DIAMOND_LEAD, "AD 9H")
    view = deal.view("South")
    assert view.history_text == "80H P P P AD 9H"
    assert view.known == (0, 0, DECK.set(DIAMOND_LEAD["2"]), 0)
    assert view.public == deal.public
    assert all(event.choice != HIDDEN for event in view.history)


def test_before_the_play_all_ways_to_deal_the_unseen_cards_are_left() -> None:
    ways = math.comb(24, 8) * math.comb(16, 8)
    for calls in ("", "80S P 90S X", "250S X P P P"):
        assert played(any_deal(), calls).view(1).count_worlds() == ways


# A golden playthrough


def test_a_whole_deal_goes_as_it_always_went() -> None:
    match = Match.from_text("coinche", "deals=5 scores=420/310/420/310")
    assert_golden("coinche/playthrough.txt", playthrough(match.deal(seed=308), seed=308))
