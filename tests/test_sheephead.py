"""Rules of Sheephead that the vectors of RULES.md do not reach, through the checked face.

What only many deals can show is held to the slow referee: legal choices, results, views that must
be alike, and how often worlds are drawn. Seats are numbers here; the dealer is seat 4, so that
seat 0 bids and leads first, unless a test says otherwise.
"""

import collections
import itertools
import math
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats

from golden_playthrough import assert_golden, playthrough
from overtrick.engine.deals import Deal, Match, View
from overtrick.engine.worlds import sample_worlds
from overtrick.errors import BadNotation, BadOption, IllegalChoice
from overtrick.games import load_game
from overtrick.games.game import HIDDEN
from overtrick.games.sheephead import rules
from overtrick.games.sheephead.knowledge import FACE_DOWN
from overtrick.games.sheephead.scoring import people_at_table
from overtrick.jit import stream
from referees import sheephead as referee
from referees.sheephead import SheepheadReferee

GAME = load_game("sheephead")
DECK = GAME.deck
CLUBS, SPADES, HEARTS = (DECK.set([rank + suit for rank in "789KTA"]) for suit in "CSH")
TRUMPS = rules.TRUMPS
ACES = DECK.set("AC AS AH")
FREE: dict[str, object] = {"called_obligations": "free"}
SELF: dict[str, object] = {"allow_self_call": True}
RARE = 1e-4
Options = dict[str, Any]
Records = np.ndarray[Any, Any]


# Positions


def played(deal: Deal, choices: str) -> Deal:
    """The deal after these choices."""
    for choice in choices.split():
        deal = deal.play(choice)
    return deal


def dealt(cards: dict[str, str], match: str = "dealer=4", **options: object) -> Deal:
    """The deal of these hands and this blind."""
    return Deal.from_cards(GAME, cards, match=Match.from_text(GAME, match, variant=options))


def of(position: View | Deal, label: str) -> str:
    """What a seat is told under a label, such as `points`."""
    return dict(position.public)[label]


ACE_CALLED = {
    "0": "9C KC QS JD 8S 9S",
    "1": "7C 8C AS KS AH QD",
    "2": "AC TC QC 7H 8H TS",
    "3": "7S 9H TD AD JC QH",
    "4": "KH TH KD JH JS JO",
    "blind": "8D 9D",
}


def ace_called(choices: str = "", **options: object) -> Deal:
    """Seat 0 has picked, buried two spades and called the ace of clubs, which seat 2 holds."""
    return played(dealt(ACE_CALLED, **options), f"pick 8S 9S AC {choices}")


OWN_ACE = ACE_CALLED | {"0": "9C AC QS JD 8S 9S", "2": "KC TC QC 7H 8H TS"}


def own_ace_called(choices: str = "", **options: object) -> Deal:
    """Seat 0 has named the ace of clubs, which it holds itself beside the nine."""
    return played(dealt(OWN_ACE, **SELF, **options), f"pick 8S 9S AC {choices}")


UNKNOWN_LAID = {
    "0": "7C 7H 8S TD QH 7S",
    "1": "AD 9D QS KD QD TS",
    "2": "KH JD TC TH 8H JH",
    "3": "9C 8C AH JC JO 9S",
    "4": "9H JS KS KC QC 8D",
    "blind": "AS AC",
}


def unknown_laid(choices: str = "", **options: object) -> Deal:
    """The hand of RULES: seat 1 has called the ace of hearts, with TS as unknown card."""
    return played(dealt(UNKNOWN_LAID, **options), f"pass pick AS AC AH TS {choices}")


ALL_TRUMPS = {
    "0": "QC JO QS QH JC 7C",
    "1": "9C TC 7S 8H TD JD",
    "2": "AC KC 8S 9H KD JH",
    "3": "7H KH TH AH 9D JS",
    "4": "9S KS TS AS 8D QD",
    "blind": "AD 8C",
}


def queen_unknown(choices: str = "", **options: object) -> Deal:
    """Seat 0 has kept nothing but trumps, and laid the highest of them as unknown card."""
    return played(dealt(ALL_TRUMPS, **options), f"pick 7C 8C AC QC {choices}")


# Dealing and bidding


@pytest.mark.parametrize("dealer", range(5))
def test_three_cards_each_two_to_the_blind_and_three_each_from_the_dealers_next(
    dealer: int,
) -> None:
    deal = Deal.from_order(Match.from_text(GAME, f"dealer={dealer}"), range(32))
    for offset in range(5):
        first, second = 3 * offset, 17 + 3 * offset
        cards = [*range(first, first + 3), *range(second, second + 3)]
        assert deal.hands[(dealer + 1 + offset) % 5] == sum(1 << card for card in cards)
    assert int(deal.records["blind"][0]) == 1 << 15 | 1 << 16


@pytest.mark.parametrize("dealer", range(5))
def test_bids_go_round_from_the_dealers_next_and_the_dealer_bids_last(dealer: int) -> None:
    deal = Match.from_text(GAME, f"dealer={dealer}").deal(1)
    seats = []
    while deal.phase == "bid":
        assert deal.legal_texts == ("pass", "pick")
        seats.append(deal.seat)
        deal = deal.play("pass")
    assert seats == [(dealer + 1 + number) % 5 for number in range(5)]
    assert deal.seat == seats[0]


def test_the_first_to_pick_takes_the_blind_and_ends_the_bidding() -> None:
    deal = played(dealt(ACE_CALLED), "pass pick")
    assert (deal.phase, deal.seat, of(deal, "picker")) == ("bury", 1, "Second")
    assert DECK.texts(deal.hands[1]) == "7C 8C KS AS AH 8D 9D QD"


def test_five_passes_make_a_nola_hand() -> None:
    deal = played(dealt(ACE_CALLED), "pass pass pass pass pass")
    assert (deal.phase, deal.seat) == ("play", 0)
    assert of(deal, "picker") == "nobody, a Nola hand"


def test_five_passes_end_the_deal_where_it_is_dealt_again() -> None:
    deal = played(
        dealt(ACE_CALLED, "dealer=4 double_left=3", all_pass="redeal"), "pass pass pass pass pass"
    )
    assert deal.is_over
    assert deal.payoffs == (0, 0, 0, 0, 0)
    assert of(deal, "picker") == "nobody, dealt again"
    assert deal.match.after(deal).text() == "deals=1 double_left=3"


# Burying and declaring


def test_two_of_eight_cards_are_buried_one_after_the_other() -> None:
    deal = played(dealt(ACE_CALLED), "pick")
    assert len(deal.legal) == 8
    deal = deal.play("QS")
    assert (deal.phase, len(deal.legal), "QS" in deal.legal_texts) == ("bury", 7, False)
    deal = deal.play("8D")
    assert (deal.phase, deal.hands[0].bit_count()) == ("declare", 6)


def test_trumps_and_aces_may_be_buried() -> None:
    assert played(dealt(UNKNOWN_LAID), "pass pick AS AC").phase == "declare"
    assert played(dealt(UNKNOWN_LAID), "pass pick QS QD").phase == "declare"


def test_alone_there_is_no_partner() -> None:
    deal = played(dealt(ACE_CALLED), "pick 8S 9S alone")
    assert (deal.phase, deal.seat, of(deal, "call")) == ("play", 0, "alone")
    assert "partner" not in dict(deal.public)


def test_an_ace_of_a_kept_suit_needs_no_unknown_card() -> None:
    assert (ace_called().phase, ace_called().seat) == ("play", 0)


def test_an_ace_of_no_kept_suit_needs_one() -> None:
    deal = played(dealt(UNKNOWN_LAID), "pass pick AS AC AH")
    assert (deal.phase, deal.seat, deal.legal_texts) == ("unknown", 1, ("TS",))
    deal = deal.play("TS")
    assert (deal.phase, deal.seat, of(deal, "unknown card")) == ("play", 0, "lies face down")


def test_own_aces_and_tens_are_named_only_where_that_is_allowed() -> None:
    cards = OWN_ACE | {"0": "9C AC TS JD 8S 9S", "2": "KC TC QC 7H 8H QS"}
    assert played(dealt(cards), "pick 8S 8D").legal_texts == ("alone", "AS")
    allowed = played(dealt(cards, **SELF), "pick 8S 8D")
    assert allowed.legal_texts == ("alone", "AC", "AS", "TS")
    assert allowed.play("TS").phase == "play"


def test_a_buried_card_cannot_be_named() -> None:
    deal = played(dealt(OWN_ACE, **SELF), "pick AC 9C")
    assert deal.legal_texts == ("alone", "AS")


# Play: what picker and partner owe

TO_THE_END = (
    "QS QD QC TD KD 7H 9H KH 9C AH AS TS 7S TH 8D JD KS 8H QH JO JS 9D 7C TC JC AD JH KC 8C AC"
)
"""After `ace_called`: clubs are never led, and the last club of seat 0 and the ace come last."""


def ace_called_after(choices: int, **options: object) -> Deal:
    """The deal of `ace_called` after so many choices of TO_THE_END."""
    return ace_called(" ".join(TO_THE_END.split()[:choices]), **options)


def test_the_called_card_is_played_when_its_suit_is_first_led() -> None:
    assert ace_called("9C 7C").legal_texts == ("AC",)
    assert ace_called("9C 7C", **FREE).legal_texts == ("TC", "AC")


def test_the_partner_may_lead_the_called_card_but_no_other_of_its_suit() -> None:
    deal = ace_called_after(5)
    assert (deal.seat, deal.legal_texts) == (2, ("AC", "TS", "7H", "8H"))
    assert ace_called_after(5, **FREE).legal_texts == ("TC", "AC", "TS", "7H", "8H")


def test_the_picker_may_discard_one_of_two_cards_of_the_called_suit() -> None:
    deal = ace_called_after(8)
    assert (deal.seat, deal.legal_texts) == (0, ("9C", "KC", "8D", "9D", "JD"))


def test_the_picker_may_not_discard_his_only_card_of_the_called_suit() -> None:
    deal = ace_called_after(14)
    assert (deal.seat, deal.legal_texts) == (0, ("8D", "9D", "JD"))
    assert ace_called_after(14, **FREE).legal_texts == ("KC", "8D", "9D", "JD")


def test_the_picker_may_lead_his_only_card_of_the_called_suit() -> None:
    deal = ace_called_after(15)
    assert (deal.seat, deal.legal_texts) == (0, ("KC", "9D", "JD"))


def test_the_partner_may_not_discard_the_called_card() -> None:
    deal = ace_called_after(17)
    assert (deal.seat, deal.legal_texts) == (2, ("TC", "8H"))
    assert ace_called_after(17, **FREE).legal_texts == ("TC", "AC", "8H")


def test_both_may_discard_them_as_their_last_cards() -> None:
    assert (ace_called_after(27).seat, ace_called_after(27).legal_texts) == (0, ("KC",))
    assert (ace_called_after(29).seat, ace_called_after(29).legal_texts) == (2, ("AC",))
    assert ace_called_after(30).is_over


def test_the_picker_owes_nothing_once_the_called_suit_has_been_led() -> None:
    deal = ace_called("9C 7C AC TD JH KH 8D AH 7H 9H QS QD QC AD KD 8H 7S TH")
    assert (deal.seat, deal.legal_texts) == (0, ("KC", "9D", "JD"))


def test_the_partner_is_told_once_the_called_card_is_played() -> None:
    assert of(ace_called("9C 7C"), "partner") == "not shown"
    assert of(ace_called("9C 7C AC"), "partner") == "Third"


# Play: a card of one's own


def test_who_names_an_own_card_plays_it_when_its_suit_is_led_by_another() -> None:
    choices = "QS QD QC TD KD TC 7S TH"
    deal = own_ace_called(choices)
    assert (deal.seat, deal.legal_texts) == (0, ("AC",))
    assert own_ace_called(choices, **FREE).legal_texts == ("9C", "AC")


def test_who_names_an_own_card_may_lead_another_of_its_suit() -> None:
    assert "9C" in own_ace_called().legal_texts
    deal = own_ace_called("9C 7C TC QH JO")
    assert of(deal, "partner") == "not shown"
    assert DECK.texts(deal.hands[0]) == "AC 8D 9D JD QS"


def test_who_names_an_own_card_does_not_discard_it() -> None:
    deal = own_ace_called("QS QD QC TD KD 7H 9H KH")
    assert (deal.seat, deal.legal_texts) == (0, ("9C", "8D", "9D", "JD"))
    free = own_ace_called("QS QD QC TD KD 7H 9H KH", **FREE)
    assert free.legal_texts == ("9C", "AC", "8D", "9D", "JD")


def test_who_names_an_own_card_is_paid_as_alone() -> None:
    deal = own_ace_called()
    while not deal.is_over:
        deal = deal.play(deal.legal[0])
    assert of(deal, "partner") == "nobody"
    assert deal.payoffs[0] == -4 * deal.payoffs[1]
    assert len(set(deal.payoffs[1:])) == 1


# Play: the unknown card


def test_the_unknown_card_follows_the_called_suit_and_no_other() -> None:
    assert unknown_laid("7H").legal_texts == ("TS",)
    assert unknown_laid("7S").legal_texts == ("9D", "KD", "AD", "QD", "QS")
    assert unknown_laid("7C").legal_texts == ("9D", "KD", "AD", "QD", "QS")


def test_the_unknown_card_may_be_led_and_leads_the_called_suit() -> None:
    deal = unknown_laid("7C QD TC 9C KC")
    assert (deal.seat, "TS" in deal.legal_texts) == (1, True)
    deal = deal.play("TS")
    assert deal.legal_texts == ("8H", "KH", "TH")
    deal = deal.play("KH")
    assert (deal.seat, deal.legal_texts) == (3, ("AH",))
    assert played(deal, "AH 9H 7H").seat == 3


def test_the_unknown_card_is_bound_where_picker_and_partner_are_free() -> None:
    assert unknown_laid("7H", **FREE).legal_texts == ("TS",)
    assert "TS" not in unknown_laid("7S", **FREE).legal_texts


def test_a_trump_that_lies_face_down_does_not_follow_trumps() -> None:
    deal = queen_unknown("AD TD KD 9D QD 8D")
    assert (deal.seat, deal.legal_texts) == (0, ("JC", "QH", "QS", "JO"))


UNKNOWN_TO_THE_LAST = (
    "7C KD TC 8C KC 9D JD JO 8D TD 9C 9H 7H AD KH QS JH JC JS QH QD TH 9S QC 8S KS 7S TS 8H AH"
)


def test_the_unknown_card_may_be_kept_to_the_last_and_takes_nothing_by_its_face() -> None:
    # In the last trick KS leads, 7S follows, and TS would be higher if it were a spade.
    deal = unknown_laid(UNKNOWN_TO_THE_LAST)
    assert int(deal.records["leader"][0]) == 4
    assert deal.history_text.endswith("KS 7S TS 8H AH")


def test_the_unknown_card_takes_no_trick_even_as_the_highest_trump() -> None:
    deal = queen_unknown("QC 9C AC 7H 9S")
    assert (deal.seat, of(deal, "points")) == (2, "0 0 14 0 0")


def test_an_unknown_card_that_nobody_can_beat_keeps_the_lead() -> None:
    # Where called_obligations=free the ace may be gone; then nothing is higher than the card led.
    deal = Deal.from_text(
        "sheephead; called_obligations=free; dealer=4; 0 TH QC KH TS AC AD / 1 9C AS 7H 9D 7S KS / "
        "2 TC TD QS KC 9H 9S / 3 7C 8C 8S AH QH 8H / 4 JS JC 8D QD JD KD / blind JH JO; "
        "pass pass pass pass pick JC JO AH QD QC 9D QS QH JH AD AS TD AH JS KD TH 7H TC 7C JD TS "
        "7S KC 8H 8D KH 9C 9H 8S QD AC KS 9S 8C"
    )
    assert deal.is_over
    assert int(deal.records["leader"][0]) == 4


# Nola


def nola(choices: str = "", **options: object) -> Deal:
    return played(dealt(ACE_CALLED, **options), f"pass pass pass pass pass {choices}")


def test_in_nola_queens_and_jacks_belong_to_their_suits() -> None:
    assert nola("9C").legal_texts == ("7C", "8C")
    assert nola("9C 8C").legal_texts == ("TC", "AC", "QC")
    assert nola("JD").legal_texts == ("QD",)
    assert nola("JD QD AC TD").legal_texts == ("KD", "JO")


def test_in_nola_a_ten_is_below_the_jack() -> None:
    deal = nola("9C 8C TC JC KH")
    assert deal.seat == 3
    assert of(deal, "tricks") == "0 0 0 1 0"


ALL_SIX = {
    "0": "AC KC QC AD KD QD",
    "1": "7C 8D 7S 8S 9S TS",
    "2": "8C 9D JS QS KS AS",
    "3": "9C TD 7H 8H 9H TH",
    "4": "TC JO JH QH KH AH",
    "blind": "JC JD",
}


def test_in_nola_all_six_tricks_win() -> None:
    deal = played(dealt(ALL_SIX), "pass pass pass pass pass AC 7C 8C 9C TC AD 8D 9D TD JO")
    while not deal.is_over:
        deal = deal.play(deal.legal[0])
    assert deal.payoffs == (20, -5, -5, -5, -5)


def test_in_nola_the_last_trick_loses_twice_as_much_in_a_doubled_hand() -> None:
    deal = dealt(ACE_CALLED, "dealer=4 double_left=1")
    while not deal.is_over:
        deal = deal.play(deal.legal[0])
    last = int(deal.records["leader"][0])
    assert [int(payoff) for payoff in deal.payoffs] == [-40 if s == last else 10 for s in range(5)]
    assert deal.match.after(deal).text().startswith("deals=1 scores=")


# Score


def test_the_points_of_partner_and_picker_count_together() -> None:
    deal = ace_called_after(30)
    assert of(deal, "points") == "31 15 23 14 37"
    # Seats 0 and 2 have 54 points, and 8S 9S in the bury count nothing.
    assert deal.payoffs == (-20, 10, -10, 10, 10)


def test_a_doubled_hand_pays_twice() -> None:
    deal = played(dealt(ACE_CALLED, "dealer=4 double_left=1"), f"pick 8S 9S AC {TO_THE_END}")
    assert (of(deal, "stakes"), deal.payoffs) == ("doubled", (-40, 20, -20, 20, 20))


NO_TRICK = {
    "0": "7C 8C 7S 8S TD TC",
    "1": "AC KC AS KS AH QC",
    "2": "9C TS 9S 7H JO QS",
    "3": "8H 9H KH TH QH QD",
    "4": "JC JS JH JD AD 9D",
    "blind": "8D KD",
}


def without_a_trick(bury: str, tier: str) -> Deal:
    """A hand of which seat 0, alone, takes no trick, by a search among plays."""
    rng = random.Random(1)
    while True:
        deal = played(dealt(NO_TRICK, zero_tier=tier), f"pick {bury} alone")
        while not deal.is_over:
            deal = deal.play(rng.choice(deal.legal))
        if not deal.records["taken"][0, 0]:
            return deal


@pytest.mark.parametrize(
    ("bury", "tier", "share"),
    [("TD TC", "tricks", 30), ("TD TC", "points", 25), ("7S 8S", "points", 30)],
)
def test_a_side_without_a_trick_pays_most_or_where_points_count_one_without_points(
    bury: str, tier: str, share: int
) -> None:
    deal = without_a_trick(bury, tier)
    assert deal.payoffs == (-4 * share, share, share, share, share)


# Match


def test_the_next_seat_deals_and_payoffs_add_up() -> None:
    match = Match.from_text(GAME, "deals=7 dealer=4 scores=10/-20/0/5/5")
    deal = Deal.from_cards(GAME, ACE_CALLED, match=match)
    match = match.after(played(deal, f"pick 8S 9S AC {TO_THE_END}"))
    assert match.text() == "deals=8 scores=-10/-10/-10/15/15"
    assert int(match._records["dealer"][0]) == 0


SIXTY_SIXTY = {  # seat 0 picks alone, wins three tricks
    "0": "QC JO QS 7C 7S 8S",
    "1": "AC TC KC 9C 8C 7H",
    "2": "AS TS KS 9S AH TH",
    "3": "KH 9H 8H QH QD JC",
    "4": "JS JH JD AD TD KD",
    "blind": "9D 8D",
}


def sixty_sixty(text: str = "dealer=4", **options: object) -> Deal:
    """A hand that ends 60-60, by a search among plays."""
    rng = random.Random(1)
    while True:
        deal = played(dealt(SIXTY_SIXTY, text, **options), "pick")
        while not deal.is_over:
            deal = deal.play(rng.choice(deal.legal))
        side = referee_side_points(deal)
        if side == 60:
            return deal


def referee_side_points(deal: Deal) -> int:
    """The points of the picker's side, by the referee."""
    judge = SheepheadReferee(
        [DECK.names[card] for card in deal.order], dealer=4, options={**referee.DEFAULT_OPTIONS}
    )
    for _, phase, choice in deal.history:
        judge.play(GAME.choice_text(phase, choice))
    return judge.side_points()


@pytest.mark.parametrize(
    ("before", "options", "after"),
    [
        (0, {}, 5),
        (3, {}, 5),
        (3, {"double_restart": "add"}, 7),
        (0, {"double_hands": 2}, 2),
        (1, {"double_hands": 0}, 0),
    ],
)
def test_a_hand_of_sixty_each_doubles_the_next(before: int, options: Options, after: int) -> None:
    deal = sixty_sixty(f"dealer=4 double_left={before}", **options)
    assert min(deal.payoffs) == deal.payoffs[0] < 0
    assert int(deal.match.after(deal)._records["double_left"][0]) == after


def test_a_doubled_hand_uses_one_of_the_hands_left() -> None:
    deal = played(dealt(ACE_CALLED, "dealer=4 double_left=3"), f"pick 8S 9S AC {TO_THE_END}")
    assert int(deal.match.after(deal)._records["double_left"][0]) == 2


def test_a_match_has_so_many_deals_and_the_most_money_wins_it() -> None:
    match = Match.start(GAME, variant={"target_deals": 3}, seed=1)
    for number in range(3):
        assert not match.is_over
        deal = match.deal(number)
        while not deal.is_over:
            deal = deal.play(deal.legal[-1])
        match = match.after(deal)
    best = max(match.scores)
    assert match.winners == tuple(s for s in range(5) if match.scores[s] == best)


@pytest.mark.parametrize("people", [5, 6, 7, 8])
def test_with_more_than_five_people_the_dealer_and_those_behind_him_sit_out(people: int) -> None:
    match = Match.start(GAME, variant={"people": people}, seed=1)
    money = [0] * people
    for number in range(2 * people):
        dealer = number % people
        seated = people_at_table(match._records[0])
        after_dealer = [(dealer + 1 + offset) % people for offset in range(5)]
        assert seated == ([*range(5)] if people == 5 else after_dealer)
        deal = match.deal(number)
        assert deal.seat is not None
        assert seated[deal.seat] == after_dealer[0]
        while not deal.is_over:
            deal = deal.play(deal.legal[number % len(deal.legal)])
        match = match.after(deal)
        for person, payoff in zip(seated, deal.payoffs, strict=True):
            money[person] += int(payoff)
        playing = people_at_table(match._records[0])
        assert list(match.scores) == [money[person] for person in playing]
        if people > 5:
            assert match._records["money"][0].tolist() == money + [0] * (8 - people)


@pytest.mark.parametrize(
    ("text", "people", "complaint"),
    [
        ("dealer=5", 5, "the dealer is one of 0 to 4"),
        ("dealer=-1", 5, "the dealer is one of 0 to 4"),
        ("dealer=6", 6, "the dealer is one of 0 to 5"),
        ("deals=-1", 5, "deals count from 0"),
        ("double_left=-1", 5, "double_left counts from 0"),
        ("money=1/0/0/0/0/0/0/0", 5, "money is for more than five people"),
        ("money=0/0/0/0/0/0/5/-5", 6, "there are 6 people with money"),
        ("scores=5/0/0/0/-5", 6, "scores are the money of the people who play next"),
    ],
)
def test_a_match_that_cannot_be_is_refused(text: str, people: int, complaint: str) -> None:
    with pytest.raises(BadNotation, match=complaint):
        Match.from_text(GAME, text, variant={"people": people})


@pytest.mark.parametrize(
    "options",
    ["people=9", "people=4", "double_hands=-1", "all_pass=nolo", "unknown_shown=never"],
)
def test_house_rules_that_do_not_exist_are_refused(options: str) -> None:
    with pytest.raises(BadOption):
        GAME.variant_of(options)


# What choices prove


def test_a_card_off_the_led_suit_proves_a_void_in_it() -> None:
    deal = played(dealt(ACE_CALLED), "pick 8S 9S alone QS QD QC TD KD 7H 9H KH 9C")
    assert deal.view(1).cannot == (HEARTS, 0, 0, 0, 0)
    trump = played(dealt(ACE_CALLED), "pick 8S 9S alone QS QD QC TD KD 7H 9H KH 9C AH AS TS 7S TH")
    assert trump.view(1).cannot == (HEARTS, 0, 0, 0, SPADES)


def test_in_nola_a_void_is_of_all_eight_cards_of_a_suit() -> None:
    clubs = CLUBS | DECK.set("JC QC")
    assert nola("9C 8C TC JC KH").view(0).cannot == (0, 0, 0, 0, clubs)
    assert nola("8S KS TS 7S JS").view(0).cannot == (0, 0, 0, 0, 0)


def test_a_called_card_is_not_the_pickers() -> None:
    assert ace_called().view(1).cannot == (DECK.set("AC"), 0, 0, 0, 0)
    assert ace_called(**SELF).view(1).cannot == (0, 0, 0, 0, 0)


def test_a_called_ten_proves_that_nobody_else_has_a_fail_ace() -> None:
    cards = ACE_CALLED | {
        "0": "AC AS AH QS JD 8S",
        "1": "7C 8C 9C KS KC QD",
        "2": "9S TC QC 7H 8H TS",
    }
    deal = played(dealt(cards), "pick 8D 9D")
    assert deal.legal_texts == ("alone", "TC", "TS", "TH")
    assert deal.play("TS").view(1).cannot == (DECK.set("TS"), ACES, ACES, ACES, ACES)
    free = played(dealt(cards, **SELF), "pick 8D 9D TS")
    assert free.view(1).cannot == (0, 0, 0, 0, 0)


def test_another_card_of_the_called_suit_proves_that_the_called_one_is_elsewhere() -> None:
    ace = DECK.set("AC")
    assert ace_called("9C 7C").view(0).cannot == (ace, ace, 0, 0, 0)
    assert ace_called("9C 7C", **FREE).view(0).cannot == (ace, 0, 0, 0, 0)
    assert own_ace_called("9C 7C TC").view(4).cannot == (0, ace, ace, 0, 0)


def test_an_own_card_is_given_away_when_its_suit_is_led_and_nobody_plays_it() -> None:
    view = own_ace_called("9C 7C TC QH JO").view(1)
    assert {world.hands[0] & DECK.set("AC") for world in view.worlds(50, seed=1)} == {1 << 5}


def test_a_call_with_an_unknown_card_proves_the_picker_void_in_the_called_suit() -> None:
    assert unknown_laid().view(0).cannot == (0, HEARTS, 0, 0, 0)


def test_a_void_does_not_touch_the_unknown_card_until_it_is_played() -> None:
    deal = unknown_laid("7S QD TC 9S KS")
    assert deal.view(0).cannot == (0, HEARTS, SPADES, 0, 0)
    assert {world.hands[1] & SPADES for world in deal.view(0).worlds(300, seed=1)} > {0}
    deal = played(deal, "TS KH AH 9H 7H")
    assert deal.view(0).cannot[1] == HEARTS | SPADES


# What a seat sees


def test_only_the_picker_sees_blind_and_bury() -> None:
    deal = ace_called()
    assert deal.view(0).history_text == "pick 8S 9S AC"
    assert (of(deal.view(0), "blind"), of(deal.view(0), "you buried")) == ("8D 9D", "8S 9S")
    for seat in range(1, 5):
        view = deal.view(seat)
        assert view.history_text == "pick ? ? AC"
        assert view.known[0] == 0
        assert "blind" not in dict(view.public)
        assert not view.records["blind"][0] | view.records["buried"][0]


def test_during_the_bidding_and_in_nola_nobody_sees_the_blind() -> None:
    for deal in (dealt(ACE_CALLED), nola("9C")):
        assert not any(deal.view(seat).records["blind"][0] for seat in range(5))


def test_the_partner_knows_no_more_than_his_hand() -> None:
    deal = ace_called()
    other = played(
        dealt(ACE_CALLED | {"1": ACE_CALLED["3"], "3": ACE_CALLED["1"]}), "pick 8S 9S AC"
    )
    assert deal.view(2) == other.view(2)
    assert deal.view(1) != other.view(1)


def test_hands_after_a_redeal_stay_hidden() -> None:
    deal = played(dealt(ACE_CALLED, all_pass="redeal"), "pass pass pass pass pass")
    assert deal.view(0).known[1:] == (0, 0, 0, 0)


def test_the_unknown_card_is_seen_by_its_owner_alone_until_it_is_played() -> None:
    deal = unknown_laid()
    assert deal.view(1).history_text == "pass pick AS AC AH TS"
    assert of(deal.view(1), "your unknown card") == "TS"
    assert deal.view(0).history_text == "pass pick ? ? AH ?"
    assert of(deal.view(0), "unknown card") == "lies face down"
    shown = deal.play("7H").play("TS").view(0)
    assert shown.history_text == "pass pick ? ? AH TS 7H TS"
    assert of(shown, "unknown card") == "TS"


def test_an_unknown_card_shown_at_the_end_stays_face_down_in_its_trick() -> None:
    deal = unknown_laid("7H TS", unknown_shown="at_end")
    view = deal.view(0)
    assert view.history_text == "pass pick ? ? AH ? 7H ?"
    assert (of(view, "unknown card"), len(view.trick)) == ("played face down", 2)
    assert int(view.records["table"][0]) == DECK.set("7H") | FACE_DOWN
    assert int(view.records["played"][0, 1]) == 0
    taken = played(deal, "KH AH 9H").view(0)
    assert int(taken.records["taken"][0, 3]) == DECK.set("7H KH AH 9H") | FACE_DOWN
    assert of(taken, "points") == of(played(deal, "KH AH 9H"), "points") == "0 0 0 15 0"
    assert of(played(deal, "KH AH 9H").view(1), "your unknown card") == "TS"


def test_an_unknown_card_shown_at_the_end_is_shown_then() -> None:
    deal = unknown_laid("7H TS", unknown_shown="at_end")
    while not deal.is_over:
        deal = deal.play(deal.legal[0])
    assert deal.view(0).history_text.startswith("pass pick ? ? AH TS 7H TS")
    assert of(deal.view(0), "unknown card") == "TS"


def test_the_buried_cards_are_all_that_is_not_shown_at_the_end() -> None:
    view = ace_called_after(30).view(3)
    assert view.history_text.startswith("pick ? ? AC")
    assert view.count_worlds() == 1


# Notation


@pytest.mark.parametrize(
    ("phase", "words", "name"),
    [
        ("bid", "I pick", "pick"),
        ("bid", "PASS", "pass"),
        ("bid", "i pass", "pass"),
        ("declare", "I go alone", "alone"),
        ("declare", "alone", "alone"),
        ("declare", "call AC", "AC"),
        ("declare", "Call ace of clubs", "AC"),
        ("declare", "I call the ace of spades, unknown", "AS"),
        ("declare", "call AH unknown", "AH"),
        ("declare", "call ten of hearts", "TH"),
        ("declare", "10S", "TS"),
        ("declare", "a♣", "AC"),
    ],
)
def test_bids_and_calls_are_understood_as_they_are_said(phase: str, words: str, name: str) -> None:
    number = GAME.phases.index(phase)
    assert GAME.choice_text(number, GAME.choice_from(number, words)) == name


@pytest.mark.parametrize(
    ("phase", "words"), [("bid", "AC"), ("declare", "call KC"), ("play", "XY")]
)
def test_nonsense_is_refused(phase: str, words: str) -> None:
    with pytest.raises(BadNotation):
        GAME.choice_from(GAME.phases.index(phase), words)


def test_a_refusal_tells_what_is_legal() -> None:
    with pytest.raises(IllegalChoice, match="Third may not play TC; legal are AC; position"):
        ace_called("9C 7C TC")


def test_the_flat_action_space_has_cards_then_bids_then_calls() -> None:
    assert (GAME.actions, GAME.action_offsets) == (41, (32, 0, 34, 0, 0))
    assert GAME.longest >= 39


def test_the_joker_has_a_name_and_no_points() -> None:
    assert DECK.names[30] == "JO"
    assert DECK.card("jo") == 30
    assert of(nola("9C"), "tricks") == "0 0 0 0 0"


# Golden playthroughs


@pytest.mark.parametrize(
    ("name", "text", "options", "choices", "seed"),
    [
        ("playthrough", "deals=6 dealer=1 double_left=2 scores=-20/45/5/-40/10", {}, "", 1),
        ("unknown_card", "dealer=4", {}, "pass pick AS AC AH", 2),
        ("own_card", "dealer=4", {"allow_self_call": True, "people": 7}, "pick 7H 8S AC", 3),
        ("nola", "dealer=4", {}, "pass pass pass pass pass", 4),
    ],
)
def test_a_whole_hand_goes_as_it_always_did(
    name: str, text: str, options: Options, choices: str, seed: int
) -> None:
    deal = dealt(UNKNOWN_LAID, text, **options)
    assert_golden(f"sheephead/{name}.txt", playthrough(played(deal, choices), seed))


# Held to the referee

RULES = ["R1", "R2", "R3"]


def random_options(rng: random.Random) -> Options:
    return {
        "all_pass": rng.choice(["nola", "redeal"]),
        "called_obligations": rng.choice(["standard", "free"]),
        "unknown_shown": rng.choice(["on_play", "at_end"]),
        "zero_tier": rng.choice(["tricks", "points"]),
        "allow_self_call": rng.random() < 0.5,
    }


def in_engine(judge: SheepheadReferee) -> Deal:
    """The referee's deal in the engine, dealt and played there."""
    text = f"dealer={judge.dealer} double_left={judge.multiplier - 1}"
    match = Match.from_text(GAME, text, variant=judge.options)
    order = referee.order_of(judge.dealt, judge.blind, judge.dealer)
    deal = Deal.from_order(match, [DECK.card(card) for card in order])
    for _, choice in judge.history:
        deal = deal.play(choice)
    return deal


def random_judge(rng: random.Random, rule: str, options: Options) -> SheepheadReferee:
    """A deal by the referee with a call of this kind, or any deal from its first bid."""
    if rule == "any":
        return referee.random_deal(rng, options)
    judge = referee.random_deal_to_declare(rng, rule, options)
    judge.play(rng.choice(sorted(judge.legal() - {"alone"}) or ["alone"]))
    return judge


def advanced(judge: SheepheadReferee, choices: int, rng: random.Random) -> SheepheadReferee:
    """The referee's deal after up to so many random choices."""
    for _ in range(choices):
        if judge.phase != "over":
            judge.play(referee.random_choice(judge, rng))
    return judge


@pytest.mark.parametrize("rule", ["any", *RULES])
def test_the_referee_agrees_on_seats_choices_and_payoffs(rule: str) -> None:
    rng = random.Random(rule)
    for _ in range(60):
        judge = random_judge(rng, rule, random_options(rng))
        deal = in_engine(judge)
        while judge.phase != "over":
            assert (deal.phase, deal.seat) == (judge.phase, judge.seat), deal.text()
            assert set(deal.legal_texts) == judge.legal(), deal.text()
            choice = referee.random_choice(judge, rng)
            judge.play(choice)
            deal = deal.play(choice)
        assert deal.is_over
        assert list(deal.payoffs) == judge.payoffs(), deal.text()


@pytest.mark.parametrize("rule", ["any", *RULES])
def test_deals_that_a_seat_cannot_tell_apart_look_alike(rule: str) -> None:
    rng = random.Random(rule)
    for _ in range(60):
        judge = advanced(random_judge(rng, rule, random_options(rng)), rng.randrange(40), rng)
        seat = rng.randrange(5)
        other = referee.another_deal_with_the_same_view(judge, seat, rng)
        assert in_engine(judge).view(seat) == in_engine(other).view(seat)


@pytest.mark.parametrize("rule", ["any", *RULES])
def test_a_view_leaves_as_many_arrangements_as_the_referee_counts(rule: str) -> None:
    rng = random.Random(rule)
    for _ in range(100):
        judge = advanced(random_judge(rng, rule, random_options(rng)), rng.randrange(34), rng)
        seat = rng.randrange(5)
        counted = in_engine(judge).view(seat).count_worlds()
        assert counted == pytest.approx(referee.arrangements(judge, seat), rel=1e-12)


def endings(rule: str, options: Options, count: int) -> Iterator[tuple[SheepheadReferee, int]]:
    """Endings with such a call in which a seat other than the picker has much to guess."""
    rng = random.Random(f"{rule} {options}")
    found = 0
    while found < count:
        judge = advanced(random_judge(rng, rule, options), rng.randrange(18, 29), rng)
        seat = rng.choice([who for who in range(5) if who != judge.picker])
        if judge.phase == "play" and 10 <= referee.arrangements(judge, seat) <= 300:
            found += 1
            yield judge, seat


HOUSE_RULES: list[Options] = [
    {},
    {"called_obligations": "free"},
    {"allow_self_call": True},
    {"allow_self_call": True, "called_obligations": "free", "unknown_shown": "at_end"},
    {"unknown_shown": "at_end"},
]


def is_rare(seen: dict[Any, int], outcomes: list[Any]) -> bool:
    """Whether such counts come up too rarely where all outcomes are equally likely."""
    if not set(seen) <= set(outcomes):
        return True
    counts = [seen.get(outcome, 0) for outcome in outcomes]
    return bool(stats.chisquare(counts).pvalue < RARE)


def arrangement(judge_hands: Any, buried: Any, unknown: str | None) -> tuple[Any, ...]:
    """The referee's arrangement in bits."""
    hands = tuple(DECK.set(sorted(hand)) for hand in judge_hands)
    return hands, DECK.set(sorted(buried)), DECK.set(unknown) if unknown else 0


def arrangements_of(worlds: Records) -> Iterator[tuple[Any, ...]]:
    for world in worlds:
        unknown = int(world["unknown"]) if world["lies"] else 0
        yield tuple(world["hands"].tolist()), int(world["buried"]), unknown


@pytest.mark.parametrize("options", HOUSE_RULES, ids=str)
@pytest.mark.parametrize("rule", RULES)
def test_arrangements_of_an_ending_are_drawn_as_often_as_deals_lead_to_them(
    rule: str, options: Options
) -> None:
    for judge, seat in endings(rule, options, 3):
        listed = [*referee.every_deal_with_the_same_view(judge, seat)]
        assert len({weight for _, weight in listed}) == 1
        outcomes = [arrangement(*found) for found, _ in listed]
        view = in_engine(judge).view(seat)
        worlds = sample_worlds(view.records, 40 * len(outcomes), stream(seat, rule))
        assert not is_rare(collections.Counter(arrangements_of(worlds)), outcomes)


def test_some_of_these_endings_have_an_unknown_card_that_still_lies() -> None:
    judges = [judge for judge, _ in endings("R2", {}, 30)]
    assert sum(not judge.unknown_was_played() for judge in judges) > 3


def test_any_two_of_the_pickers_cards_may_have_been_the_blind() -> None:
    view = ace_called_after(30).view(3)
    worlds = sample_worlds(view.records, 5000, stream(1, "blind"))
    cards = [card for card in range(32) if DECK.set("9C KC QS JD 8D 9D 8S 9S") >> card & 1]
    pairs = [1 << one | 1 << other for one, other in itertools.combinations(cards, 2)]
    assert len(pairs) == math.comb(8, 2)
    assert not is_rare(collections.Counter(worlds["blind"].tolist()), pairs)
    buried = collections.Counter((worlds["history"][:, 1] & HIDDEN).tolist())
    assert not is_rare(buried, DECK.sequence("8S 9S"))


def test_while_cards_are_buried_any_card_may_be_the_first() -> None:
    deal = played(dealt(ACE_CALLED), "pick 8S")
    worlds = sample_worlds(deal.view(3).records, 8000, stream(1, "burying"))
    unseen = [card for card in range(32) if not deal.hands[3] >> card & 1]
    buried = collections.Counter((worlds["history"][:, 1] & HIDDEN).tolist())
    assert not is_rare(buried, unseen)


def test_worlds_of_many_calls_replay_to_the_same_view() -> None:
    rng = random.Random(7)
    for number in range(80):
        judge = random_judge(rng, rng.choice(RULES), random_options(rng))
        deal = in_engine(advanced(judge, rng.randrange(32), rng))
        view = deal.view(rng.randrange(5))
        for world in view.worlds(2, seed=number):
            again = Deal.from_order(deal.match, world.order)
            for event in world.history:
                again = again.play(event.choice)
            assert again == world
            assert world.view(view.viewer) == view


def test_the_largest_puzzle_met_so_far_has_its_worlds() -> None:
    # a call with an unknown card, and three hands void in different suits: 16,384 states were
    # not enough to count it
    hands = (
        "0 8H 9H JS 8S 8C AD / 1 KS TH QC QS TC 7H / 2 9S KC QH TS JO 9D / 3 9C JD QD 8D AC 7C / "
        "4 TD AH AS KD 7S KH / blind JC JH"
    )
    deal = Deal.from_text(f"sheephead; ; double_left=1; {hands}; pass pass pick AC 9C AH 7C 7H QH")
    view = deal.view(0)
    assert all(world.view(0) == view for world in view.worlds(3, seed=1))
