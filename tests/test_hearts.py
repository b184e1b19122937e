"""Rules of Hearts that the vectors of RULES.md do not reach, through the checked face."""

import collections
import copy
import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from golden_playthrough import assert_golden, playthrough
from overtrick.engine.batches import legal_all, play_all
from overtrick.engine.deals import Deal, Match, View
from overtrick.errors import BadCards, BadOption, DealOver, IllegalChoice
from overtrick.games import load_game
from overtrick.games.game import OVER
from referees import hearts as referee
from referees.hearts import HeartsReferee

GAME = load_game("hearts")
DECK = GAME.deck
CLUBS, DIAMONDS, SPADES, HEARTS = (
    DECK.set([rank + suit for rank in "23456789TJQKA"]) for suit in "CDSH"
)
QUEEN = DECK.set("QS")
HOLD = {"pass_cycle": "H"}


# Positions


def played(deal: Deal, cards: str) -> Deal:
    """The deal after these choices."""
    for card in cards.split():
        deal = deal.play(card)
    return deal


def position(rng: random.Random, choices: int, options: dict[str, object] | None = None) -> Deal:
    """A random deal of a random match after so many random choices, or at its end."""
    scores = "/".join(str(rng.randint(-26, 99)) for _ in range(4))
    text = f"deals={rng.randrange(50)} scores={scores}"
    deal = Match.from_text("hearts", text, variant=options).deal(rng.randrange(1 << 30))
    for _ in range(choices):
        if not deal.is_over:
            deal = deal.play(rng.choice(deal.legal))
    return deal


def dealt_around(hand: str, **options: object) -> Deal:
    """A deal without passing: seat 0 has this hand, the other cards go round in the deck's order.

    Clubs go round first, so seat 1 has the 2C unless it is in the hand.
    """
    held = DECK.sequence(hand)
    others = [name for card, name in enumerate(DECK.names) if card not in held]
    cards = {"0": hand, "1": others[0::3], "2": others[1::3], "3": others[2::3]}
    return Deal.from_cards("hearts", cards, variant=HOLD | options)


def of(view: View | Deal, label: str) -> str:
    """What everybody sees under a label, such as `points`."""
    return dict(view.public)[label]


# Passing

PASSING = {
    "0": "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "1": "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "2": "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
    "3": "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
}


def one_suit_each(deals: int = 0, **options: object) -> Deal:
    """The deal of this number with clubs, diamonds, spades and hearts at seats 0 to 3."""
    match = Match.from_text("hearts", f"deals={deals}", variant=options)
    return Deal.from_cards("hearts", PASSING, match=match)


def test_nobody_may_pass_a_card_twice() -> None:
    deal = one_suit_each().play("KD")
    assert "KD" not in deal.legal_texts
    with pytest.raises(IllegalChoice, match="North may not pass KD; legal are 2D 3D"):
        deal.play("KD")


def test_nobody_may_pass_a_card_of_another_seat() -> None:
    with pytest.raises(IllegalChoice, match="North may not pass AS"):
        one_suit_each().play("AS")


@pytest.mark.parametrize("deals", range(3))
def test_the_seat_after_the_dealer_passes_first_and_each_seat_all_three_cards(deals: int) -> None:
    deal = one_suit_each(deals)
    seats = []
    while deal.phase == "pass":
        seats.append(deal.seat)
        deal = deal.play(deal.legal[0])
    first = (deals + 1) % 4
    assert seats == [(first + number // 3) % 4 for number in range(12)]


def test_the_exchange_moves_all_cards_at_once() -> None:
    eleven = played(one_suit_each(), "2D 3D 4D 2S 3S 4S 2H 3H 4H 2C 3C")
    assert [hand.bit_count() for hand in eleven.hands] == [11, 10, 10, 10]
    twelve = eleven.play("4C")
    assert [hand.bit_count() for hand in twelve.hands] == [13] * 4
    came_in = [hand & ~DECK.set(PASSING[str(seat)]) for seat, hand in enumerate(twelve.hands)]
    assert list(map(DECK.texts, came_in)) == ["2H 3H 4H", "2C 3C 4C", "2D 3D 4D", "2S 3S 4S"]


def test_a_card_that_comes_in_cannot_be_passed_on() -> None:
    deal = played(one_suit_each(), "2D 3D 4D")
    while deal.phase == "pass":
        assert not DECK.set("2D 3D 4D") & sum(1 << card for card in deal.legal)
        deal = deal.play(deal.legal[0])


@pytest.mark.parametrize(("letter", "taker"), [("L", 1), ("A", 2), ("R", 3)])
def test_cards_go_in_the_direction_of_the_pass(letter: str, taker: int) -> None:
    deal = one_suit_each(pass_cycle=letter)
    while deal.phase == "pass":
        deal = deal.play(deal.legal[0])
    assert DECK.set("2C 3C 4C") & deal.hands[taker] == DECK.set("2C 3C 4C")


def test_a_hold_deal_begins_with_the_first_lead() -> None:
    deal = one_suit_each(3)
    assert (deal.phase, deal.seat, deal.legal_texts) == ("play", 0, ("2C",))


def test_the_direction_goes_left_right_across_hold_and_round_again() -> None:
    directions = [of(one_suit_each(deals), "pass") for deals in range(8)]
    assert directions == ["left", "right", "across", "hold"] * 2


def test_a_cycle_of_three_turns_apart_from_the_dealer() -> None:
    deals = [one_suit_each(number, pass_cycle="LRA") for number in range(6)]
    assert [of(deal, "pass") for deal in deals] == ["left", "right", "across"] * 2
    assert [deal.seat for deal in deals] == [1, 2, 3, 0, 1, 2]


# What a seat sees of the exchange


def test_the_receiver_sees_what_comes_in_only_after_the_twelfth_choice() -> None:
    # Deal 1 passes right: seat 2 chooses first, for seat 1, which chooses last.
    rest = "2H 3H 4H 2C 3C 4C 2D 3D 4D"
    low = played(one_suit_each(1), "2S 3S 4S")
    high = played(one_suit_each(1), "QS KS AS")
    for card in rest.split():
        assert low.view(1) == high.view(1)
        low, high = low.play(card), high.play(card)
    assert low.view(1) != high.view(1)
    assert low.view(1).hand & SPADES == DECK.set("2S 3S 4S")
    assert high.view(1).hand & SPADES == DECK.set("QS KS AS")


def test_a_giver_knows_where_its_cards_are_until_they_are_played() -> None:
    deal = played(one_suit_each(), "2D 3D 4D 2S 3S 4S 2H 3H 4H 2C 3C 4C")
    assert deal.view(0).known[1] == DECK.set("2C 3C 4C")
    deal = deal.play("2C")
    assert deal.view(0).known[1] == DECK.set("3C 4C")


def test_nobody_sees_what_others_pass_to_each_other() -> None:
    deal = played(one_suit_each(), "2D 3D 4D 2S 3S 4S 2H 3H 4H 2C 3C 4C")
    assert deal.view(2).history_text == "? ? ? 2S 3S 4S ? ? ? ? ? ?"
    other = played(one_suit_each(), "2D 3D 4D 2S 3S 4S 2H 3H 4H 2C 3C 5C")
    assert deal.view(2) == other.view(2)
    assert deal.view(3) == other.view(3)
    assert deal.view(1) != other.view(1)


def test_everybody_knows_who_is_to_lead_the_two_of_clubs() -> None:
    deal = played(one_suit_each(), "2D 3D 4D 2S 3S 4S 2H 3H 4H 2C 3C 4C")
    assert deal.seat == 1
    assert [deal.view(seat).known[1] & DECK.set("2C") != 0 for seat in range(4)] == [True] * 4
    assert deal.view(3).known[1] == DECK.set("2C")


def test_a_view_offers_choices_only_to_the_seat_to_act() -> None:
    deal = one_suit_each(3)
    assert deal.view(0).legal_texts == ("2C",)
    assert [deal.view(seat).legal for seat in (1, 2, 3)] == [(), (), ()]


# Play

QUEEN_IS_THROWN = {
    "0": "2C 8C 9C TC JC QC KC AC QS 2H 3H 4H 5H",
    "1": "7C 5D 6D 7D 8D 9D TD JD QD KD AD 6H 7H",
    "2": "3C 4C 2D 3D 7S 8S 9S TS JS KS AS 8H 9H",
}


def queen_is_thrown(**options: object) -> Deal:
    """Seat 0 has thrown the queen of spades on a diamond, and seat 1 is to lead."""
    deal = Deal.from_cards("hearts", QUEEN_IS_THROWN, variant=HOLD | options)
    return played(deal, "2C 7C 3C 5C AD 2D 4D QS")


def test_the_two_of_clubs_leads_wherever_it_lies_after_the_exchange() -> None:
    for seed in range(20):
        deal = position(random.Random(seed), 12, {"pass_cycle": "LRA"})
        assert deal.seat is not None
        assert deal.hands[deal.seat] & DECK.set("2C")
        assert deal.legal_texts == ("2C",)


def test_who_takes_a_trick_leads_to_the_next() -> None:
    deal = queen_is_thrown()
    assert (deal.seat, of(deal, "points"), deal.trick) == (1, "0 13 0 0", ())


def test_hearts_may_be_led_once_the_queen_of_spades_has_been_played() -> None:
    assert of(queen_is_thrown(), "hearts") == "broken"
    assert {"6H", "7H"} <= set(queen_is_thrown().legal_texts)


def test_the_queen_breaks_nothing_where_only_hearts_break_hearts() -> None:
    deal = queen_is_thrown(qs_breaks_hearts=False)
    assert of(deal, "hearts") == "not broken"
    assert not {"6H", "7H"} & set(deal.legal_texts)


def test_hearts_may_always_be_led_where_they_need_no_breaking() -> None:
    deal = queen_is_thrown(qs_breaks_hearts=False, must_break_hearts=False)
    assert {"6H", "7H"} <= set(deal.legal_texts)


def test_the_first_lead_is_the_two_of_clubs_under_every_option() -> None:
    deal = dealt_around("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", must_break_hearts=False)
    assert deal.legal_texts == ("2C",)


def test_a_refusal_tells_the_seat_the_card_the_legal_cards_and_the_position() -> None:
    deal = queen_is_thrown(qs_breaks_hearts=False)
    with pytest.raises(IllegalChoice) as refusal:
        deal.play("6H")
    assert str(refusal.value) == (
        "hearts: North may not play 6H; legal are 5D 6D 7D 8D 9D TD JD QD KD; "
        f"position {deal.text()}"
    )
    assert Deal.from_text(str(refusal.value).partition("position ")[2]) == deal


# What plays prove

TWELVE_HEARTS = "AC 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
POINT_CARDS = "QS 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"


def test_a_discard_proves_a_void_in_the_led_suit_and_nothing_more() -> None:
    deal = queen_is_thrown()
    assert deal.view(2).cannot == (DIAMONDS, 0, 0, 0)


def test_a_card_of_the_led_suit_proves_nothing() -> None:
    deal = played(dealt_around(TWELVE_HEARTS), "2C 3C 4C AC")
    assert deal.view(1).cannot == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("options", "proven"),
    [
        ({}, CLUBS | DIAMONDS | SPADES),
        ({"hearts_instead_of_forced_qs": True}, CLUBS | DIAMONDS | SPADES & ~QUEEN),
        ({"must_break_hearts": False}, 0),
        ({"must_break_hearts": False, "hearts_instead_of_forced_qs": True}, 0),
    ],
    ids=str,
)
def test_a_heart_led_unbroken_proves_a_hand_of_hearts(
    options: dict[str, bool], proven: int
) -> None:
    deal = played(dealt_around(TWELVE_HEARTS, **options), "2C 3C 4C AC KH")
    assert deal.view(1).cannot == (proven, 0, 0, 0)


def test_a_heart_led_once_broken_proves_nothing() -> None:
    assert queen_is_thrown().play("6H").view(2).cannot == (DIAMONDS, 0, 0, 0)


@pytest.mark.parametrize(
    ("options", "proven"),
    [
        ({}, CLUBS | DIAMONDS | SPADES & ~QUEEN),
        ({"no_points_first_trick": False}, CLUBS),
    ],
    ids=str,
)
@pytest.mark.parametrize("card", ["QS", "4H"])
def test_a_point_card_in_the_first_trick_proves_a_hand_of_point_cards(
    options: dict[str, bool], proven: int, card: str
) -> None:
    deal = played(dealt_around(POINT_CARDS, **options), f"2C 3C 4C {card}")
    assert deal.view(1).cannot == (proven, 0, 0, 0)


def test_a_point_card_in_a_later_trick_proves_only_the_void() -> None:
    deal = queen_is_thrown(no_points_first_trick=True)
    assert deal.view(3).cannot[0] == DIAMONDS


@pytest.mark.parametrize(("excused", "hands_of_the_leader"), [(False, 12), (True, 78)])
def test_the_worlds_after_a_heart_led_unbroken_are_those_counted_on_paper(
    excused: bool, hands_of_the_leader: int
) -> None:
    # Of the 12 hearts that seat 1 has not seen the leader holds 11; if the queen may have been
    # spared, of 13 cards. The other 24 unseen cards are split 12 and 12.
    deal = dealt_around(TWELVE_HEARTS, hearts_instead_of_forced_qs=excused)
    view = played(deal, "2C 3C 4C AC KH").view(1)
    assert view.count_worlds() == hands_of_the_leader * math.comb(24, 12)


def test_no_proof_is_ever_false() -> None:
    rng = random.Random(1)
    for _ in range(60):
        deal = position(rng, 12 + rng.randrange(53), random_house_rules(rng))
        cannot = deal.view(0).cannot
        assert [held & no for held, no in zip(deal.hands, cannot, strict=True)] == [0] * 4


def test_a_view_leaves_as_many_worlds_as_the_referee_counts() -> None:
    rng = random.Random(2)
    for _ in range(60):
        options = random_house_rules(rng)
        deal = position(rng, 12 + rng.randrange(53), options)
        if deal.phase != "pass":
            seat = rng.randrange(4)
            expected = referee.arrangements(as_referee(deal, options), seat)
            assert deal.view(seat).count_worlds() == pytest.approx(expected, rel=1e-12)


def random_house_rules(rng: random.Random) -> dict[str, object]:
    names = (
        "no_points_first_trick must_break_hearts qs_breaks_hearts "
        "hearts_instead_of_forced_qs stop_when_decided"
    )
    return {name: rng.random() < 0.5 for name in names.split()}


def as_referee(deal: Deal, options: dict[str, object]) -> HeartsReferee:
    """The same position with the referee."""
    order = [DECK.text(card) for card in deal.order]
    judge = HeartsReferee(order, deal.match.deals, options)
    for event in deal.history:
        judge.play(DECK.text(event.choice))
    return judge


# The end of a deal

MOON = {
    "0": "AC JD QD KD AD TS JS KS AS JH QH KH AH",
    "1": "2C 3C 4C 5C 2D 3D 4D 2S 3S 4S 8H 9H TH",
    "2": "6C 7C 8C 9C 5D 6D 7D 5S 6S QS 5H 6H 7H",
}
ALL_BUT_THE_QUEEN = "2C 6C TC AC AH TH 7H 4H KH 9H 6H 3H QH 8H 5H 2H"
LAST_POINTS = "JH 2D QS 8D"


def moon(scores: str = "0/0/0/0", **options: object) -> Deal:
    """A deal in which seat 0 can take all 26 points in five tricks."""
    free = {"must_break_hearts": False, "stop_when_decided": True, **options}
    match = Match.from_text("hearts", f"deals=3 scores={scores}", variant=free)
    return Deal.from_cards("hearts", MOON, match=match)


def test_a_decided_deal_ends_with_the_trick_that_decides_it() -> None:
    deal = played(moon(), ALL_BUT_THE_QUEEN)
    for card in LAST_POINTS.split():
        assert not deal.is_over
        deal = deal.play(card)
    assert (deal.phase, deal.seat, deal.legal) == ("over", None, ())
    assert of(deal, "points") == "26 0 0 0"


def test_without_the_option_a_decided_deal_is_played_to_the_last_card() -> None:
    deal = played(moon(stop_when_decided=False), f"{ALL_BUT_THE_QUEEN} {LAST_POINTS}")
    assert (deal.phase, deal.seat) == ("play", 0)
    while not deal.is_over:
        deal = deal.play(deal.legal[-1])
    assert len(deal.history) == 52
    assert deal.payoffs == played(moon(), f"{ALL_BUT_THE_QUEEN} {LAST_POINTS}").payoffs


@pytest.mark.parametrize("option", ["add_others", "subtract_self", "auto"])
def test_a_moon_pays_26_from_the_three_others_under_every_option(option: str) -> None:
    deal = played(moon(scores="90/10/20/30", moon=option), f"{ALL_BUT_THE_QUEEN} {LAST_POINTS}")
    assert deal.payoffs == (26, Fraction(-26, 3), Fraction(-26, 3), Fraction(-26, 3))


def test_payoffs_are_zero_before_the_end() -> None:
    assert played(moon(), ALL_BUT_THE_QUEEN).payoffs == (0, 0, 0, 0)


def test_nothing_can_be_chosen_in_a_deal_that_is_over() -> None:
    deal = played(moon(), f"{ALL_BUT_THE_QUEEN} {LAST_POINTS}")
    with pytest.raises(DealOver, match="the deal is over"):
        deal.play("AD")


# The match


def after_a_moon(scores: str, **options: object) -> Match:
    """The match after seat 0 has shot the moon."""
    deal = moon(scores, **options)
    return deal.match.after(played(deal, f"{ALL_BUT_THE_QUEEN} {LAST_POINTS}"))


@pytest.mark.parametrize(
    ("option", "before", "after"),
    [
        ("add_others", "70/60/40/30", (70, 86, 66, 56)),
        ("subtract_self", "70/60/40/30", (44, 60, 40, 30)),
        ("auto", "70/60/40/30", (44, 60, 40, 30)),
        ("auto", "50/60/40/30", (50, 86, 66, 56)),
    ],
)
def test_a_moon_adds_to_the_others_or_takes_off_the_shooter(
    option: str, before: str, after: tuple[int, ...]
) -> None:
    assert after_a_moon(before, moon=option).scores == after


def test_a_shared_lowest_score_is_low_enough_to_give_26_to_the_others() -> None:
    assert after_a_moon("56/60/40/30", moon="auto").scores == (56, 86, 66, 56)


def test_without_a_moon_each_seat_scores_its_points() -> None:
    deal = position(random.Random(1), 64)
    points = [int(word) for word in of(deal, "points").split()]
    assert max(points) < 26
    after = deal.match.after(deal)
    assert [new - old for new, old in zip(after.scores, deal.match.scores, strict=True)] == points
    assert after.deals == deal.match.deals + 1


def test_a_match_ends_when_a_seat_reaches_the_target() -> None:
    assert after_a_moon("50/73/40/30").scores == (50, 99, 66, 56)
    assert not after_a_moon("50/73/40/30").is_over
    assert after_a_moon("50/74/40/30").scores == (50, 100, 66, 56)
    assert after_a_moon("50/74/40/30").winners == (0,)


def test_the_target_is_an_option() -> None:
    assert not after_a_moon("50/74/40/30", target=101).is_over
    assert after_a_moon("0/0/0/0", target=26).winners == (0,)


def test_the_lowest_score_wins_and_ties_share() -> None:
    assert after_a_moon("56/80/40/30").scores == (56, 106, 66, 56)
    assert after_a_moon("56/80/40/30").winners == (0, 3)


def test_only_a_finished_deal_of_the_match_is_scored() -> None:
    deal = moon()
    with pytest.raises(DealOver, match="only a finished deal"):
        deal.match.after(deal)
    finished = played(deal, f"{ALL_BUT_THE_QUEEN} {LAST_POINTS}")
    with pytest.raises(BadCards, match="does not follow on this match"):
        deal.match.after(finished).after(finished)


@pytest.mark.parametrize(
    "options",
    ["pass_cycle=", "pass_cycle=LX", f"pass_cycle={'L' * 17}", "moon=both", "target=0",
     "target=many", "must_break_hearts=maybe"],
)  # fmt: skip
def test_a_value_that_an_option_does_not_have_is_refused(options: str) -> None:
    with pytest.raises(BadOption, match=f"hearts: {options.partition('=')[0]} is"):
        Match.start("hearts", variant=options)


# Deals, views and matches as values


def positions(count: int) -> list[Deal]:
    rng = random.Random(3)
    return [position(rng, rng.randrange(65), random_house_rules(rng)) for _ in range(count)]


def test_a_deal_is_rebuilt_from_its_text() -> None:
    for deal in positions(40):
        again = Deal.from_text(deal.text())
        assert again == deal
        assert hash(again) == hash(deal)
        assert again.text() == deal.text()
        assert again.records.tobytes() == deal.records.tobytes()


def test_a_match_is_rebuilt_from_its_text() -> None:
    for deal in positions(40):
        again = Match.from_text("hearts", deal.match.text(), variant=deal.variant.text())
        assert again == deal.match
        assert hash(again) == hash(deal.match)
        assert again.text() == deal.match.text()


def test_equal_deals_have_equal_views_and_each_seat_its_own() -> None:
    for deal in positions(20):
        again = Deal.from_text(deal.text())
        views = [deal.view(seat) for seat in range(4)]
        assert [again.view(seat) for seat in range(4)] == views
        assert [again.view(seat).text() for seat in range(4)] == [view.text() for view in views]
        assert len(set(views)) == 4


def test_a_deal_and_its_view_are_never_equal() -> None:
    deal = one_suit_each()
    assert deal != deal.view(0)
    assert deal.view(0) != deal


def test_the_order_of_the_cards_in_a_dealt_hand_tells_nothing() -> None:
    turned = {seat: hand.split()[::-1] for seat, hand in PASSING.items()}
    other = Deal.from_cards("hearts", turned)
    assert [other.view(seat) for seat in range(4)] == [
        one_suit_each().view(seat) for seat in range(4)
    ]


def test_house_rules_and_scores_tell_deals_apart() -> None:
    assert moon() != moon(qs_breaks_hearts=False)
    assert moon() != moon(target=50)
    assert moon() != moon(scores="0/0/0/1")


def test_a_choice_leaves_the_deal_it_was_made_in_alone() -> None:
    for deal in positions(20):
        before = deal.records.tobytes()
        for choice in deal.legal:
            assert deal.play(choice) != deal
        assert deal.records.tobytes() == before
        deal.records["seat"][0] = 3  # a copy: the deal does not notice
        assert deal.records.tobytes() == before


def test_choices_may_be_written_in_any_usual_way() -> None:
    deal = one_suit_each()
    assert deal.play("10d") == deal.play("TD") == deal.play("T♦") == deal.play(DECK.card("TD"))


# A golden playthrough


def test_a_whole_deal_goes_as_it_always_went() -> None:
    match = Match.from_text("hearts", "deals=4 scores=31/12/40/21")
    assert_golden("hearts/playthrough.txt", playthrough(match.deal(seed=1), seed=1))


# Counts of all lines of play


def results_by_engine(ending: Deal) -> collections.Counter[tuple[int, ...]]:
    """The points at the end of every line of play, and how many lines lead to them."""
    found: collections.Counter[tuple[int, ...]] = collections.Counter()
    states: np.ndarray[Any, Any] = ending.records.copy()
    while len(states):
        over = states["phase"] == OVER
        found.update(tuple(points) for points in states["points"][over].tolist())
        states = states[~over]
        legals = np.zeros(len(states), dtype=np.int64)
        legal_all(states, legals)
        lines, choices = np.nonzero(legals[:, None] >> np.arange(52) & 1)
        states = states[lines]
        play_all(states, choices)
    return found


def results_by_referee(deal: HeartsReferee) -> collections.Counter[tuple[int, ...]]:
    """The same, counted by a referee that tries each card in turn."""
    if deal.phase == "over":
        return collections.Counter([tuple(deal.points())])
    found: collections.Counter[tuple[int, ...]] = collections.Counter()
    for card in deal.legal():
        after = branch(deal)
        after.play(card)
        found += results_by_referee(after)
    return found


def branch(deal: HeartsReferee) -> HeartsReferee:
    """A copy of all that a play changes; the tricks already taken are shared."""
    after = copy.copy(deal)
    after.hands = [set(hand) for hand in deal.hands]
    after.history, after.tricks = list(deal.history), list(deal.tricks)
    after.trick, after.taken = list(deal.trick), list(deal.taken)
    return after


@pytest.mark.parametrize("seed", range(12))
def test_engine_and_referee_count_the_same_lines_of_the_last_three_tricks(seed: int) -> None:
    rng = random.Random(seed)
    options = {} if seed % 2 else random_house_rules(rng)
    options |= {"pass_cycle": "L", "stop_when_decided": False}
    ending = position(rng, 12 + 40, options)
    assert ending.records["tricks"][0] == 10
    lines = results_by_engine(ending)
    assert lines == results_by_referee(as_referee(ending, options))
    assert 1 <= lines.total() <= math.factorial(3) ** 4


def test_the_lines_of_an_ending_are_those_counted_on_paper() -> None:
    # Each seat has three cards of a suit of its own: the leader never loses the lead, and
    # nobody can follow, so every order of every hand is a line.
    ten_tricks = " ".join(f"{rank}C {rank}D {rank}S {rank}H" for rank in "23456789TJ")
    deal = played(one_suit_each(3), ten_tricks)
    assert [hand.bit_count() for hand in deal.hands] == [3] * 4
    assert results_by_engine(deal).total() == math.factorial(3) ** 4
