"""Rules of Hokm that the vectors of RULES.md do not reach, through the checked face.

What only many deals can show is held to the slow referee: legal choices, results, views that must
be alike, and how often worlds are drawn.
"""

import collections
import itertools
import math
import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from golden_playthrough import assert_golden, playthrough
from overtrick.cards import each
from overtrick.engine.deals import Deal, Match, View
from overtrick.engine.worlds import sample_worlds
from overtrick.errors import BadNotation, BadOption, DealOver, IllegalChoice
from overtrick.games import load_game
from overtrick.jit import stream
from referees import hokm as referee
from referees.hokm import HokmReferee

GAME = load_game("hokm")
DECK = GAME.deck
CLUBS, DIAMONDS, SPADES, HEARTS = (
    DECK.set([rank + suit for rank in "23456789TJQKA"]) for suit in "CDSH"
)
HEURISTIC = {"trump_policy": "heuristic"}
RARE = 1e-4
Options = dict[str, Any]


# Positions


def played(deal: Deal, choices: str) -> Deal:
    """The deal after these choices."""
    for choice in choices.split():
        deal = deal.play(choice)
    return deal


def dealt(cards: dict[str, str], *, hakem: int = 0, scores: str = "", **options: object) -> Deal:
    """The deal of these hands; the first five of the hakem's are those he chooses on."""
    text = f"hakem={hakem} {f'scores={scores}' if scores else ''}"
    match = Match.from_text("hokm", text, variant=options)
    return Deal.from_cards("hokm", cards, match=match)


def suit(letter: str) -> str:
    return " ".join(rank + letter for rank in "23456789TJQKA")


ONE_SUIT_EACH = {str(seat): suit(letter) for seat, letter in enumerate("CDSH")}
"""Clubs with South, diamonds with East, spades with North, hearts with West."""

MIXED = {
    "0": "2C 5C 9C 2D AD KC JC 3S 9S KS 4H 8H QH",
    "1": "3C 6C TC 3D 6D 9D QD 4S TS AS 5H 9H KH",
    "2": "4C 7C QC 4D 7D TD KD 5S JS 2S 6H TH AH",
    "3": "8C AC 5D 8D JD 6S 7S 8S QS 2H 3H 7H JH",
}


def of(position: View | Deal, label: str) -> str:
    """What a seat is told under a label, such as `tricks`."""
    return dict(position.public)[label]


def random_options(rng: random.Random) -> Options:
    return {
        "trump_choice_cards": rng.choice([5, 13]),
        "kot_points": rng.randint(1, 7),
        "hakem_kot_points": rng.choice([2, 3]),
        "stop_at_seven": rng.random() < 0.5,
        "target": rng.randint(1, 9),
        "first_hakem": rng.choice(["random", "0", "1", "2", "3"]),
        "next_hakem": rng.choice(["winner_keeps", "rotate"]),
        "trump_policy": rng.choice(["agent", "heuristic"]),
    }


def in_engine(judge: HokmReferee) -> Deal:
    """The referee's deal in the engine, dealt and played there."""
    match = Match.from_text("hokm", f"hakem={judge.hakem}", variant=judge.options)
    order = referee.order_of(judge.dealt, judge.hakem)
    deal = Deal.from_order(match, [DECK.card(card) for card in order])
    for _, choice in judge.history:
        deal = deal.play(choice)
    return deal


def advanced(judge: HokmReferee, choices: int, rng: random.Random) -> HokmReferee:
    """The referee's deal after up to so many random choices."""
    for _ in range(choices):
        if judge.phase != "over":
            judge.play(rng.choice(sorted(judge.legal())))
    return judge


# Dealing


@pytest.mark.parametrize("hakem", range(4))
def test_packets_of_five_four_and_four_go_round_from_the_hakem(hakem: int) -> None:
    match = Match.from_text("hokm", f"hakem={hakem}")
    deal = Deal.from_order(match, range(52))
    for offset in range(4):
        five, four, last = 5 * offset, 20 + 4 * offset, 36 + 4 * offset
        cards = [*range(five, five + 5), *range(four, four + 4), *range(last, last + 4)]
        assert list(each(deal.hands[(hakem + offset) % 4])) == cards


@pytest.mark.parametrize("hakem", range(4))
def test_the_hakem_chooses_trump_and_leads(hakem: int) -> None:
    deal = dealt(MIXED, hakem=hakem)
    assert (deal.phase, deal.seat) == ("trump", hakem)
    deal = deal.play("H")
    assert (deal.phase, deal.seat) == ("play", hakem)
    assert set(deal.legal) == set(each(deal.hands[hakem]))


def test_trump_may_be_a_suit_of_which_the_hakem_holds_no_card() -> None:
    deal = dealt(ONE_SUIT_EACH)
    assert deal.legal_texts == ("S", "H", "D", "C")
    assert of(deal, "trump") == "not chosen"
    assert of(deal.play("S"), "trump") == "S"


def test_the_trump_choices_come_after_the_cards_among_the_actions() -> None:
    assert GAME.actions == 56
    assert GAME.action_offsets == (52, 0)
    assert GAME.choice_names[0] == ("S", "H", "D", "C")


# The automatic trump


@pytest.mark.parametrize(
    ("first", "trump"),
    [
        ("2C 3C 4C AS AH", "C"),  # the longest suit
        ("2C 3C 4D 5D AS", "D"),  # two of two: 4 + 5 against 2 + 3
        ("7C 8C 2D KD AS", "D"),  # 15 each: diamonds come before clubs
        ("AS 2H 3H 4D 5C", "H"),
        ("2C 5C 3S 4S AH", "S"),  # 7 each: spades first
        ("2C 5C 3H 4H AD", "H"),  # then hearts
        ("2C 5C 3D 4D AH", "D"),  # then diamonds
        ("TC 2C JD AD 5D", "D"),
    ],
)
def test_the_longest_suit_is_taken_then_the_highest_then_spades_hearts_diamonds_clubs(
    first: str, trump: str
) -> None:
    rest = [card for card in DECK.names if card not in first.split()]
    hands = {"0": f"{first} {' '.join(rest[:8])}"}
    hands |= {str(n): " ".join(rest[8 + 13 * (n - 1) :][:13]) for n in (1, 2, 3)}
    deal = dealt(hands, **HEURISTIC)
    assert (deal.phase, deal.seat, of(deal, "trump")) == ("play", 0, trump)
    assert deal.history == ()


def test_the_automatic_trump_sees_no_more_cards_than_the_hakem() -> None:
    cards = MIXED | {
        "0": "2C 5C 9C 2D AD 3S 4S 9S KS 4H 8H QH KC",
        "1": MIXED["1"].replace("4S", "JC"),
    }
    assert of(dealt(cards, **HEURISTIC), "trump") == "C"
    assert of(dealt(cards, trump_choice_cards=13, **HEURISTIC), "trump") == "S"


# Play


def test_a_seat_that_can_follow_must_follow() -> None:
    deal = played(dealt(MIXED), "H 2C")
    assert deal.legal_texts == ("3C", "6C", "TC")
    with pytest.raises(IllegalChoice, match="East may not play 5H; legal are 3C 6C TC; position"):
        deal.play("5H")


def test_who_cannot_follow_need_not_trump_and_need_not_beat() -> None:
    deal = played(dealt(ONE_SUIT_EACH), "D 2C")
    assert set(deal.legal) == set(each(DIAMONDS))
    deal = played(dealt(ONE_SUIT_EACH), "S 2C")
    assert set(deal.legal) == set(each(DIAMONDS))
    deal = played(dealt(MIXED), "S 9C TC")
    assert deal.legal_texts == ("4C", "7C", "QC")


def test_a_ruff_takes_the_trick_and_a_higher_ruff_takes_it_back() -> None:
    cards = {"0": suit("C"), "1": suit("D").replace("2D", "2S"), "2": suit("S").replace("2S", "2D")}
    deal = played(dealt(cards), "S AC 2S 3S 2H")
    assert (deal.seat, of(deal, "tricks"), deal.trick) == (2, "1-0", ())
    deal = played(dealt(cards), "S AC 2S 2D 2H")
    assert (deal.seat, of(deal, "tricks")) == (1, "0-1")


def test_without_trump_the_highest_card_of_the_led_suit_takes_the_trick() -> None:
    deal = played(dealt(MIXED), "S 9C TC 4C AC")
    assert (deal.seat, of(deal, "tricks")) == (3, "0-1")


def test_a_discard_takes_no_trick_however_high() -> None:
    deal = played(dealt(ONE_SUIT_EACH), "C 2C AD AS AH")
    assert (deal.seat, of(deal, "tricks")) == (0, "1-0")


# What plays prove


def test_a_card_off_the_led_suit_proves_a_void_and_nothing_more() -> None:
    deal = played(dealt(ONE_SUIT_EACH), "D 2C 2D 2S 2H")
    for seat in range(4):
        assert deal.view(seat).cannot == (0, CLUBS, CLUBS, CLUBS)


def test_following_suit_proves_nothing() -> None:
    assert played(dealt(MIXED), "S 9C TC 4C 8C").view(0).cannot == (0, 0, 0, 0)


def test_trump_proves_nothing_of_the_hakem() -> None:
    views = [dealt(MIXED).play(trump).view(1) for trump in "SHDC"]
    assert {view.count_worlds() for view in views} == {math.comb(39, 13) * math.comb(26, 13)}


def test_nothing_is_known_of_a_hand_that_is_not_ones_own() -> None:
    view = played(dealt(ONE_SUIT_EACH), "D 2C 2D 2S 2H").view(2)
    assert view.known == (0, 0, SPADES & ~DECK.set("2S"), 0)


# What a seat sees


def test_the_hakem_sees_five_cards_when_he_chooses_and_all_afterwards() -> None:
    deal = dealt(MIXED)
    five = DECK.set("2C 5C 9C 2D AD")
    assert deal.view(0).hand == five
    assert of(deal.view(0), "you choose trump on") == DECK.texts(five)
    assert deal.play("C").view(0).hand == DECK.set(MIXED["0"])


def test_the_others_see_their_thirteen_cards_from_the_start() -> None:
    for seat in (1, 2, 3):
        assert dealt(MIXED).view(seat).hand == DECK.set(MIXED[str(seat)])


def test_with_thirteen_cards_to_choose_on_the_hakem_sees_them_all() -> None:
    assert dealt(MIXED, trump_choice_cards=13).view(0).hand == DECK.set(MIXED["0"])


def test_at_the_choice_the_hakem_cannot_tell_his_later_cards() -> None:
    swapped = MIXED | {
        "0": MIXED["0"].replace("QH", "AH").replace("KC", "AC"),
        "2": MIXED["2"].replace("AH", "QH"),
        "3": MIXED["3"].replace("AC", "KC"),
    }
    one, other = dealt(MIXED), dealt(swapped)
    assert one.view(0) == other.view(0)
    assert one.view(2) != other.view(2)
    assert one.play("D").view(0) != other.play("D").view(0)


def test_only_the_hakem_remembers_which_five_he_saw() -> None:
    turned = MIXED | {"0": " ".join(MIXED["0"].split()[::-1])}
    one, other = dealt(MIXED), dealt(turned)
    for choices in ("", "C", "C 2C 3C 4C 8C"):
        views = [
            (played(one, choices).view(seat), played(other, choices).view(seat))
            for seat in range(4)
        ]
        assert [view == again for view, again in views] == [False, True, True, True]


def test_the_order_of_cards_inside_what_the_hakem_sees_tells_nothing() -> None:
    cards = MIXED["0"].split()
    turned = MIXED | {"0": " ".join(cards[4::-1] + cards[:4:-1])}
    for choices in ("", "C"):
        for seat in range(4):
            assert played(dealt(MIXED), choices).view(seat) == played(dealt(turned), choices).view(
                seat
            )


def test_a_view_offers_choices_only_to_the_seat_to_act() -> None:
    deal = dealt(MIXED)
    assert deal.view(0).legal_texts == ("S", "H", "D", "C")
    assert [deal.view(seat).legal for seat in (1, 2, 3)] == [(), (), ()]


@pytest.mark.parametrize("policy", ["agent", "heuristic"])
@pytest.mark.parametrize("cards", [5, 13])
def test_deals_that_differ_in_hidden_cards_only_look_alike(policy: str, cards: int) -> None:
    rng = random.Random(cards)
    options = {"trump_policy": policy, "trump_choice_cards": cards}
    unlike = 0
    for _ in range(60):
        judge = advanced(referee.random_deal(rng, options), rng.randrange(54), rng)
        seat = rng.randrange(4)
        one = in_engine(judge)
        other = in_engine(referee.another_deal_with_the_same_view(judge, seat, rng))
        assert one.view(seat).records.tobytes() == other.view(seat).records.tobytes()
        unlike += one.hands != other.hands
    assert unlike > 30


# The end of a deal


def kot(trump: str, **options: object) -> Deal:
    """Seven tricks of one suit each: South's if clubs are trump, East's if diamonds are."""
    deal = dealt(ONE_SUIT_EACH, **options).play(trump)
    while max(map(int, of(deal, "tricks").split("-"))) < 7:
        assert not deal.is_over
        deal = deal.play(deal.legal[0])
    return deal


def test_a_deal_ends_with_the_seventh_trick_of_a_team() -> None:
    deal = kot("C")
    assert (deal.phase, deal.seat, deal.legal) == ("over", None, ())
    assert (of(deal, "tricks"), len(deal.history)) == ("7-0", 29)
    with pytest.raises(DealOver):
        deal.play("AC")


def test_seven_tricks_to_none_is_a_kot_and_pays_two() -> None:
    assert kot("C").payoffs == (2, -2, 2, -2)
    assert of(kot("C"), "won by") == "South and North, kot"
    assert kot("D").payoffs == (-2, 2, -2, 2)
    assert of(kot("D"), "won by") == "East and West, kot"


def test_a_kot_pays_by_whose_hakem_it_was() -> None:
    options = {"kot_points": 5, "hakem_kot_points": 3}
    assert kot("C", **options).payoffs == (5, -5, 5, -5)
    assert kot("D", **options).payoffs == (-3, 3, -3, 3)


def test_a_kot_may_be_worth_no_more_than_any_other_deal() -> None:
    assert kot("C", kot_points=1).payoffs == (1, -1, 1, -1)


SEVEN_THEN_SIX = {
    "0": "8C 9C TC JC QC KC AC 2D 3D 4D 5D 6D 7D",
    "1": "2C 3C 4C 8D 9D TD JD QD KD AD 2S 3S 4S",
    "2": "5C 6C 7C 5S 6S 7S 8S 9S TS JS QS KS AS",
}


def test_a_kot_stands_though_the_losers_take_all_tricks_after_the_seventh() -> None:
    deal = played(dealt(SEVEN_THEN_SIX, stop_at_seven=False), "C AC 2C 5C 2H")
    while not deal.is_over:
        clubs = [card for card in deal.legal_texts if card.endswith("C")]
        deal = deal.play((clubs or deal.legal_texts)[-1])
    assert (of(deal, "tricks"), len(deal.history)) == ("7-6", 53)
    assert of(deal, "won by") == "South and North, kot"
    assert deal.payoffs == (2, -2, 2, -2)


def test_stopping_at_seven_changes_no_payoff() -> None:
    rng = random.Random(1)
    for _ in range(60):
        seed, options = rng.randrange(1000), {"hakem_kot_points": 3}
        short = Deal.from_seed("hokm", seed, variant=options)
        long = Deal.from_seed("hokm", seed, variant={**options, "stop_at_seven": False})
        while not long.is_over:
            choice = rng.choice(long.legal)
            long = long.play(choice)
            short = short if short.is_over else short.play(choice)
        assert short.payoffs == long.payoffs
        assert sum(map(int, of(long, "tricks").split("-"))) == 13
        assert len(long.history) == 53


def test_payoffs_are_zero_before_the_end() -> None:
    deal = kot("C", stop_at_seven=False)
    assert not deal.is_over
    assert deal.payoffs == (0, 0, 0, 0)


# The match


def after_a_kot(trump: str, *, hakem: int = 0, scores: str = "0/0/0/0", **options: object) -> Match:
    """The match after South (trump C) or East (trump D) has taken seven tricks to none."""
    deal = dealt(ONE_SUIT_EACH, hakem=hakem, scores=scores, **options).play(trump)
    while not deal.is_over:
        deal = deal.play(deal.legal[0])
    return deal.match.after(deal)


def test_both_partners_have_the_score_of_their_team() -> None:
    assert after_a_kot("C", scores="3/4/3/4").scores == (5, 4, 5, 4)
    assert after_a_kot("D", scores="3/4/3/4").scores == (3, 6, 3, 6)
    assert after_a_kot("D", scores="3/4/3/4").deals == 1


@pytest.mark.parametrize(
    ("trump", "hakem", "follows"), [("C", 0, 0), ("C", 2, 2), ("D", 0, 1), ("C", 3, 0), ("D", 3, 3)]
)
def test_the_hakem_stays_if_his_team_wins_and_otherwise_the_next_seat_follows(
    trump: str, hakem: int, follows: int
) -> None:
    assert after_a_kot(trump, hakem=hakem).deal(1).seat == follows
    rotated = after_a_kot(trump, hakem=hakem, next_hakem="rotate")
    assert rotated.deal(1).seat == (hakem + 1) % 4


def test_the_first_hakem_is_the_seat_that_the_option_names() -> None:
    for seat in range(4):
        for seed in range(5):
            match = Match.start("hokm", variant={"first_hakem": str(seat)}, seed=seed)
            assert match.deal(seed).seat == seat


def test_the_first_hakem_is_drawn_evenly() -> None:
    seats = [Match.start("hokm", seed=seed).deal(0).seat for seed in range(2000)]
    counts = [seats.count(seat) for seat in range(4)]
    assert stats.chisquare(counts).pvalue > RARE


def test_a_match_is_won_by_both_partners_who_reach_the_target() -> None:
    assert not after_a_kot("C", scores="4/6/4/6").is_over
    assert after_a_kot("C", scores="5/6/5/6").winners == (0, 2)
    assert after_a_kot("D", scores="5/6/5/6").winners == (1, 3)
    assert after_a_kot("C", target=2).winners == (0, 2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("hakem=4", "the hakem is a seat from 0 to 3"),
        ("hakem=-1", "the hakem is a seat from 0 to 3"),
        ("deals=-1", "deals count from 0"),
        ("scores=-1/0/-1/0", "scores count from 0"),
        ("scores=1/0/2/0", "partners have the same score"),
        ("scores=1/0/1/2", "partners have the same score"),
    ],
)
def test_a_match_that_cannot_be_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(BadNotation, match=f"hokm: {complaint}, not "):
        Match.from_text("hokm", text)


@pytest.mark.parametrize(
    "options",
    ["trump_choice_cards=6", "kot_points=0", "hakem_kot_points=1",
     "stop_at_seven=maybe", "target=0", "first_hakem=4", "next_hakem=loser",
     "trump_policy=random"],
)  # fmt: skip
def test_a_value_that_an_option_does_not_have_is_refused(options: str) -> None:
    with pytest.raises(BadOption, match=f"hokm: {options.partition('=')[0]} is"):
        Match.start("hokm", variant=options)


# Words


@pytest.mark.parametrize(
    ("words", "trump"),
    [
        ("S s ♠ spades Spade pik PIK | hokm pik | Hokm Pik | hokm s", "S"),
        ("H h ♥ hearts del Del | hokm del", "H"),
        ("D d ♦ diamonds khesht | hokm khesht | HOKM KHESHT", "D"),
        ("C c ♣ clubs gheshniz geshniz | hokm gheshniz | hokm  geshniz", "C"),
    ],
)
def test_trump_is_named_in_english_persian_or_signs(words: str, trump: str) -> None:
    alone, *phrases = words.split(" | ")
    for text in [*alone.split(), *phrases]:
        assert dealt(MIXED).play(text) == dealt(MIXED).play(trump)


@pytest.mark.parametrize("text", ["", "hokm", "pik hokm", "hokm hokm pik", "no trump", "5", "AS"])
def test_nonsense_is_no_trump(text: str) -> None:
    with pytest.raises(BadNotation, match="is not a choice to trump; there are S H D C"):
        dealt(MIXED).play(text)


def test_cards_may_be_written_in_any_usual_way() -> None:
    deal = dealt(ONE_SUIT_EACH).play("C")
    assert deal.play("10c") == deal.play("TC") == deal.play("T♣") == deal.play(DECK.card("TC"))


def test_teams_and_seats_are_named_in_playing_order() -> None:
    assert GAME.teams == (0, 1, 0, 1)
    assert GAME.seat_names == ("South", "East", "North", "West")


# Worlds


def test_the_worlds_at_the_trump_choice_are_those_counted_on_paper() -> None:
    deal = dealt(MIXED)
    hakem = math.factorial(47) / math.factorial(13) ** 3 / math.factorial(8)
    others = math.factorial(39) / math.factorial(13) ** 3
    assert deal.view(0).count_worlds() == pytest.approx(hakem, rel=1e-12)
    assert deal.view(1).count_worlds() == pytest.approx(others, rel=1e-12)
    assert deal.play("C").view(0).count_worlds() == pytest.approx(others, rel=1e-12)


def test_in_the_eyes_of_the_hakem_his_five_cards_stay_his_first_packet() -> None:
    deal = dealt(MIXED)
    for world in deal.view(0).worlds(50, seed=1):
        assert DECK.set([DECK.text(card) for card in world.order[:5]]) == DECK.set("2C 5C 9C 2D AD")
        assert world.hands[0].bit_count() == 13
    assert len({world.hands[0] for world in deal.view(0).worlds(50, seed=1)}) > 40


def test_a_void_binds_the_hand_that_showed_it() -> None:
    view = played(dealt(ONE_SUIT_EACH), "D 2C 2D 2S 2H").view(2)
    for world in view.worlds(50, seed=1):
        assert world.hands[0] & CLUBS == CLUBS & ~DECK.set("2C")


def test_as_many_arrangements_are_counted_as_by_the_referee() -> None:
    rng = random.Random(4)
    for _ in range(100):
        judge = advanced(referee.random_deal(rng, random_options(rng)), rng.randrange(54), rng)
        seat = rng.randrange(4)
        counted = in_engine(judge).view(seat).count_worlds()
        assert counted == pytest.approx(referee.arrangements(judge, seat), rel=1e-12)


def is_rare(seen: collections.Counter[Any], weights: dict[Any, int]) -> bool:
    """Whether such counts come up too rarely where each outcome has its weight."""
    if not set(seen) <= set(weights):
        return True
    drawn, total = seen.total(), sum(weights.values())
    expected = [drawn * weight / total for weight in weights.values()]
    counts = [seen[outcome] for outcome in weights]
    return len(weights) > 1 and bool(stats.chisquare(counts, expected).pvalue < RARE)


def in_bits(cards: Iterable[str]) -> int:
    return DECK.set(sorted(cards))


def ending(rng: random.Random, options: Options, *, to_the_hakem: bool) -> tuple[HokmReferee, int]:
    """A deal near its end and a seat to which 10 to 300 arrangements are left."""
    while True:
        judge = advanced(referee.random_deal(rng, options), rng.randint(36, 46), rng)
        seat = judge.hakem if to_the_hakem else (judge.hakem + rng.randint(1, 3)) % 4
        if judge.phase == "play" and 10 <= referee.arrangements(judge, seat) <= 300:
            return judge, seat


@pytest.mark.parametrize("policy", ["agent", "heuristic"])
@pytest.mark.parametrize("cards", [5, 13])
@pytest.mark.parametrize("seed", range(6))
def test_hands_of_an_ending_lie_as_often_as_deals_lead_to_them(
    policy: str, cards: int, seed: int
) -> None:
    options = {"trump_policy": policy, "trump_choice_cards": cards, "stop_at_seven": False}
    judge, seat = ending(random.Random(seed), options, to_the_hakem=seed == 0)
    weights = {
        tuple(map(in_bits, hands)): weight
        for hands, weight in referee.every_deal_with_the_same_view(judge, seat)
    }
    draws = min(200_000, 20 * sum(weights.values()) // min(weights.values()))
    drawn = sample_worlds(in_engine(judge).view(seat).records, draws, stream(seed, "ending"))
    seen = collections.Counter(tuple(hands) for hands in drawn["hands"].tolist())
    assert not is_rare(seen, weights)


@pytest.mark.parametrize("trump_policy", ["agent", "heuristic"])
def test_the_first_five_of_the_hakem_may_be_any_that_explain_the_trump(trump_policy: str) -> None:
    rng = random.Random(5)
    options = {"trump_policy": trump_policy, "stop_at_seven": False}
    judge = advanced(referee.random_deal(rng, options, hakem=2), 53, rng)
    assert judge.phase == "over"  # every hand has come to light
    sets = [
        in_bits(cards)
        for cards in itertools.combinations(judge.dealt[2], 5)
        if trump_policy == "agent" or referee.heuristic_trump(cards) == judge.trump
    ]
    drawn = sample_worlds(in_engine(judge).view(0).records, 40_000, stream(1, "first"))
    seen = collections.Counter(drawn["first_cards"].tolist())
    assert not is_rare(seen, dict.fromkeys(sets, 1))


def test_early_on_an_automatic_trump_makes_long_trumps_with_the_hakem_likely() -> None:
    # Exact odds by listing how the hakem's thirteen fall on 39 unseen cards is too much; the
    # referee draws by plain rejection instead, and both samples are held against each other.
    rng = random.Random(6)
    judge = advanced(referee.random_deal(rng, HEURISTIC, hakem=0), 6, rng)
    view = in_engine(judge).view(1)
    trumps = DECK.set([card for card in DECK.names if card[1] == judge.trump])
    drawn = sample_worlds(view.records, 20_000, stream(6, "early"))
    ours = np.bitwise_count((drawn["hands"] | drawn["played"])[:, 0] & trumps)
    theirs = [
        sum(card[1] == judge.trump for card in world.dealt[0])
        for world in (referee.any_deal_with_the_same_view(judge, 1, rng) for _ in range(2000))
    ]
    lengths = range(3, 7)
    table = [[np.sum(np.array(sample) == n) for n in lengths] for sample in (ours, theirs)]
    assert stats.chi2_contingency(table).pvalue > RARE
    assert np.mean(theirs) > 3.7


@pytest.mark.parametrize("cards", [5, 13])
def test_the_one_hand_that_explains_a_trump_is_found_however_rare(cards: int) -> None:
    # South has played 2S 3S 4S 5S 2C 5D and is void in spades and clubs, so its seven cards are
    # hearts and diamonds. If trump was taken on all thirteen, they are 2 3 4 5 in both suits, or
    # else another suit were longer or higher: one hand out of C(21, 7) = 116,280.
    hands = {
        "0": "2S 3S 2H 3H 2D 4S 5S 2C 4H 5H 3D 4D 5D",
        "1": "AS KS QS JS AC KC QC JC TC 9C 8C 7C 6C",
        "2": "TS 9S 8S 7S 6H 7H 8H 9H 6D 7D 8D 9D 5C",
    }
    deal = played(
        dealt(hands, trump_choice_cards=cards, **HEURISTIC),
        "2S AS 7S 6S KS 8S TH 3S QS 9S JH 4S JS TS QH 5S AC 5C 3C 2C KC 9D 4C 5D",
    )
    view = deal.view(1)
    assert of(view, "trump") == "S"
    for world in view.worlds(3, seed=1):
        assert world.view(1) == view
        if cards == 13:
            assert world.hands[0] == deal.hands[0]


# Engine and referee


def test_engine_and_referee_agree_at_every_choice_of_random_deals() -> None:
    rng = random.Random(7)
    for number in range(150):
        options = random_options(rng) if number % 3 else {}
        judge = referee.random_deal(rng, options)
        deal = in_engine(judge)
        while judge.phase != "over":
            assert (deal.phase, deal.seat) == (judge.phase, judge.seat)
            assert set(deal.legal_texts) == judge.legal()
            choice = rng.choice(deal.legal_texts)
            deal = deal.play(choice)
            judge.play(choice)
            assert list(deal.hands) == [in_bits(hand) for hand in judge.hands]
            assert of(deal, "tricks") == "-".join(map(str, judge.tricks))
        assert deal.is_over
        assert list(deal.payoffs) == judge.payoffs()


def test_whole_matches_go_to_the_same_winners() -> None:
    rng = random.Random(8)
    for _ in range(12):
        options = random_options(rng)
        match, scores = Match.start("hokm", variant=options, seed=rng.randrange(99)), [0, 0]
        while not match.is_over:
            deal = match.deal(rng.randrange(1000))
            order = [DECK.text(card) for card in deal.order]
            hakem = int(deal.records["hakem"][0])
            judge = HokmReferee(order, hakem=hakem, options=options)
            while not deal.is_over:
                choice = rng.choice(deal.legal_texts)
                deal = deal.play(choice)
                judge.play(choice)
            match = match.after(deal)
            scores = referee.match_after(scores, judge.winner(), judge.value())
            assert list(match.scores) == scores * 2
            following = referee.next_hakem(hakem, judge.winner(), options)
            assert match.is_over or match.deal(0).records["hakem"][0] == following
        winner = referee.match_winner(scores, options["target"])
        assert winner is not None
        assert match.winners == (winner, winner + 2)


# Deals as values


def test_a_deal_is_rebuilt_from_its_text() -> None:
    rng = random.Random(9)
    for _ in range(40):
        judge = advanced(referee.random_deal(rng, random_options(rng)), rng.randrange(54), rng)
        deal = in_engine(judge)
        again = Deal.from_text(deal.text())
        assert again == deal
        assert again.records.tobytes() == deal.records.tobytes()


# A golden playthrough


def test_a_whole_deal_goes_as_it_always_went() -> None:
    match = Match.from_text("hokm", "deals=5 hakem=3 scores=2/4/2/4")
    assert_golden("hokm/playthrough.txt", playthrough(match.deal(seed=1), seed=1))
