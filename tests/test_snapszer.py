"""Rules of Snapszer that the vectors of RULES.md do not reach, through the checked face."""

import collections
import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats

from golden_playthrough import assert_golden, playthrough
from overtrick.engine.deals import Deal, Match, View
from overtrick.engine.worlds import sample_worlds
from overtrick.errors import BadCards, BadNotation, BadOption, DealOver, IllegalChoice
from overtrick.games import load_game
from overtrick.games.snapszer import rules
from overtrick.jit import stream
from referees import snapszer as referee
from referees.snapszer import SnapszerReferee

GAME = load_game("snapszer")
DECK = GAME.deck
HEARTS, BELLS, LEAVES, ACORNS = (DECK.set([rank + suit for rank in "JQKTA"]) for suit in "hbla")
SOUTH, NORTH = range(2)
ACTION = {"exchange": "action"}
RARE = 1e-4


# Positions


def dealt(
    south: str, north: str, upcard: str, talon: str = "", deals: int = 0, **options: object
) -> Deal:
    """The deal of these cards; the talon gets its first cards as given, the others as in the deck.

    South leads if the number of the deal is even.
    """
    named = DECK.sequence(f"{south} {north} {upcard} {talon}")
    rest = [name for card, name in enumerate(DECK.names) if card not in named]
    cards = {"0": south, "1": north, "talon": [*talon.split(), *rest], "upcard": upcard}
    match = Match.from_text("snapszer", f"deals={deals}", variant=options)
    return Deal.from_cards("snapszer", cards, match=match)


def played(deal: Deal, choices: str) -> Deal:
    """The deal after these choices."""
    for choice in choices.split():
        deal = deal.play(choice)
    return deal


def of(position: Deal | View, label: str) -> str:
    """What everybody sees under a label, such as `points`."""
    return dict(position.public)[label]


def held(deal: Deal, seat: int) -> str:
    return DECK.texts(deal.hands[seat])


def random_options(rng: random.Random) -> dict[str, Any]:
    return {
        "exchange": rng.choice(["auto", "action"]),
        "exchange_min_talon": rng.choice([2, 4]),
        "close_min_talon": rng.choice([2, 4]),
        "close_success_basis": rng.choice(["final", "at_close"]),
    }


def some_choice(choices: list[str], rng: random.Random) -> str:
    """A random choice; closing, which cuts a deal short, not too often."""
    if "close" in choices and len(choices) > 1 and rng.random() < 0.8:
        choices = [choice for choice in choices if choice != "close"]
    return rng.choice(choices)


def position(rng: random.Random, choices: int, options: dict[str, Any]) -> Deal:
    """A random deal of either leader after so many random choices, or at its end."""
    match = Match.from_text("snapszer", f"deals={rng.randrange(2)}", variant=options)
    deal = match.deal(rng.randrange(1 << 30))
    for _ in range(choices):
        if not deal.is_over:
            deal = deal.play(some_choice([*deal.legal_texts], rng))
    return deal


def as_referee(deal: Deal) -> SnapszerReferee:
    """The same position with the referee."""
    options = {name: getattr(deal.variant, name) for name in referee.DEFAULT_OPTIONS}
    order = [DECK.text(card) for card in deal.order]
    judge = SnapszerReferee(order, leader=deal.match.deals % 2, options=options)
    for event in deal.history:
        judge.play(GAME.choice_text(event.phase, event.choice))
    return judge


def of_referee(judge: SnapszerReferee) -> Deal:
    """The position of a referee on the engine."""
    match = Match.from_text("snapszer", f"deals={judge.leader}", variant=judge.options)
    deal = Deal.from_order(match, [DECK.card(name) for name in judge.order])
    return played(deal, " ".join(choice for _, choice in judge.history))


# The deal


def test_the_leader_has_the_first_five_cards_and_the_last_one_lies_face_up() -> None:
    order = [*range(20)]
    for deals in range(3):
        match = Match.from_text("snapszer", f"deals={deals}", variant=ACTION)
        deal = Deal.from_order(match, order)
        leader = deals % 2
        assert deal.seat == leader
        assert deal.hands[leader] == HEARTS
        assert deal.hands[1 - leader] == BELLS
        assert of(deal, "upcard") == "Aa"
        assert of(deal, "trump") == "acorns"
        assert of(deal, "talon") == "10 cards"


def test_the_cards_of_the_talon_are_drawn_from_the_front_the_taker_first() -> None:
    deal = dealt("Ah Ab Kb Qb Kl", "Kh Jh Tb Jb Ql", "Aa", talon="Jl Tl Al Ta")
    deal = played(deal, "Ah Kh")
    assert held(deal, SOUTH) == "Qb Kb Ab Jl Kl"
    assert held(deal, NORTH) == "Jh Jb Tb Ql Tl"
    deal = played(deal, "Kb Tb")
    assert held(deal, SOUTH) == "Qb Ab Jl Kl Ta"
    assert held(deal, NORTH) == "Jh Jb Ql Tl Al"
    assert (deal.seat, of(deal, "talon")) == (NORTH, "6 cards")


def test_the_loser_of_the_fifth_trick_draws_the_upcard() -> None:
    deal = dealt("Qh Qb Ql Qa Th", "Jh Jb Jl Ah Tb", "Ka", talon="Kh Ja Kb Kl Tl Al Ta Ab Aa")
    deal = played(deal, "Qh Jh Qb Jb Ql Jl Kh Ja")
    assert (of(deal, "talon"), of(deal, "upcard")) == ("2 cards", "Ka")
    deal = played(deal, "Tb Th")
    assert (of(deal, "talon"), of(deal, "upcard")) == ("empty", "drawn")
    assert held(deal, NORTH).split()[-1] == "Aa"
    assert "Ka" in held(deal, SOUTH)


# The exchange

JACK_IN_HAND = ("Ja Ah Kh Qh Tb", "Jb Qb Kb Al Tl", "Ta")


def test_a_leader_exchanges_the_jack_before_anything_is_chosen() -> None:
    deal = dealt(*JACK_IN_HAND)
    assert held(deal, SOUTH) == "Qh Kh Ah Tb Ta"
    assert of(deal, "upcard") == "Ja"
    assert of(deal, "exchange") == "South took Ta for Ja"
    assert deal.history == ()


def test_a_follower_does_not_exchange_until_he_has_the_lead() -> None:
    deal = dealt(*JACK_IN_HAND, deals=1, talon="Jh Th")
    assert "Ja" in held(deal, SOUTH)
    deal = played(deal, "Jb Tb")
    assert (deal.seat, of(deal, "upcard")) == (SOUTH, "Ja")
    assert held(deal, SOUTH) == "Jh Qh Kh Ah Ta"


def test_the_jack_may_lie_face_up_itself_and_is_then_not_exchanged() -> None:
    deal = dealt("Ah Kh Qh Tb Ta", "Jb Qb Kb Al Tl", "Ja")
    assert of(deal, "upcard") == "Ja"
    assert "exchange" not in dict(deal.public)


@pytest.mark.parametrize(("least", "exchanged"), [(2, True), (4, False)])
def test_with_two_cards_left_the_jack_is_exchanged_unless_four_are_asked_for(
    least: int, exchanged: bool
) -> None:
    talon = "Kh Ta Kb Kl Tl Al Ja Jb Aa"
    deal = dealt("Qh Qb Ql Qa Th", "Jh Ab Jl Ah Tb", "Ka", talon=talon, exchange_min_talon=least)
    deal = played(deal, "Qh Jh Th Ah Ab Qb Tb Kh")
    assert (deal.seat, of(deal, "talon")) == (NORTH, "2 cards")
    assert ("Ja" in held(deal, NORTH)) is not exchanged
    assert of(deal, "upcard") == ("Ja" if exchanged else "Ka")


def test_nothing_is_exchanged_once_the_talon_is_closed() -> None:
    deal = dealt(*JACK_IN_HAND, deals=1)
    deal = played(deal, "close Jb Tb")
    assert deal.seat == SOUTH
    assert "Ja" in held(deal, SOUTH)
    assert of(deal, "upcard") == "Ta"


def test_as_a_choice_the_exchange_is_offered_and_may_wait() -> None:
    deal = dealt(*JACK_IN_HAND, **ACTION, talon="Th Jl Jh Ql")
    assert deal.legal_texts == ("Qh", "Kh", "Ah", "Tb", "Ja", "close", "marry:h", "exchange")
    later = played(deal, "Ah Jb")
    assert "exchange" in later.legal_texts
    after = later.play("exchange")
    assert held(after, SOUTH) == "Qh Kh Th Tb Ta"
    assert after.legal_texts == ("Qh", "Kh", "Th", "Tb", "Ta", "close", "marry:h")


def test_as_a_choice_the_exchange_comes_before_marriage_and_closing() -> None:
    deal = dealt(*JACK_IN_HAND, **ACTION)
    assert deal.play("marry:h").legal_texts == ("Qh", "Kh")
    assert "exchange" not in deal.play("close").legal_texts
    assert played(deal, "exchange close marry:h").legal_texts == ("Qh", "Kh")


def test_where_the_exchange_is_automatic_it_is_no_choice() -> None:
    with pytest.raises(IllegalChoice, match="South may not lead exchange"):
        dealt(*JACK_IN_HAND).play("exchange")


def test_the_king_that_comes_in_makes_a_marriage() -> None:
    deal = dealt("Ja Ah Kh Qa Tb", "Jb Qb Kb Al Tl", "Ka")
    assert "marry:a" in deal.legal_texts
    assert of(deal.play("marry:a"), "points") == "40 0"


# Marriages

TWO_MARRIAGES = ("Kb Qb Kh Qh Aa", "Jb Tb Jh Th Al", "Ta")


def test_a_marriage_counts_at_once_and_one_of_its_cards_must_be_led() -> None:
    deal = dealt(*TWO_MARRIAGES).play("marry:b")
    assert of(deal, "points") == "20 0"
    assert of(deal, "South married") == "b"
    assert (deal.seat, deal.legal_texts) == (SOUTH, ("Qb", "Kb"))


def test_one_marriage_a_lead() -> None:
    deal = played(dealt(*TWO_MARRIAGES), "marry:b Kb Jb")
    assert deal.seat == SOUTH
    assert "marry:h" in deal.legal_texts
    deal = played(deal, "marry:h Qh Jh")
    assert of(deal, "points") == f"{20 + 6 + 20 + 5} 0"
    assert of(deal, "South married") == "h b"


def test_a_marriage_is_declared_in_the_strict_phase_too() -> None:
    deal = dealt(*TWO_MARRIAGES).play("close")
    assert "marry:h" in deal.legal_texts
    assert played(deal, "marry:h").legal_texts == ("Qh", "Kh")


def test_a_marriage_that_makes_66_ends_the_deal() -> None:
    deal = dealt("Ka Qa Kh Qh Ab", "Jb Tb Jh Th Al", "Ta")
    deal = played(deal, "marry:a Qa Tb")
    assert of(deal, "points") == "53 0"
    deal = deal.play("marry:h")
    assert (deal.phase, deal.seat, deal.legal) == ("over", None, ())
    assert of(deal, "points") == "73 0"
    assert deal.payoffs == (3, -3)


# Closing


def test_who_closes_is_to_lead_and_nothing_is_drawn_any_more() -> None:
    deal = dealt(*TWO_MARRIAGES).play("close")
    assert (deal.seat, deal.phase, of(deal, "talon")) == (
        SOUTH,
        "lead",
        "10 cards, closed by South",
    )
    deal = played(deal, "Kb Tb")
    assert [hand.bit_count() for hand in deal.hands] == [4, 4]
    assert (of(deal, "talon"), of(deal, "upcard")) == ("10 cards, closed by South", "Ta")


def test_a_talon_is_closed_once() -> None:
    deal = dealt(*TWO_MARRIAGES).play("close")
    assert "close" not in deal.legal_texts
    assert "close" not in played(deal, "Kb Tb").legal_texts


def test_closing_brings_the_duties_of_the_strict_phase() -> None:
    deal = dealt(*TWO_MARRIAGES)
    assert len(deal.play("Kb").legal) == 5
    assert played(deal, "close Kb").legal_texts == ("Tb",)


def test_nobody_closes_after_marrying_on_the_same_lead() -> None:
    with pytest.raises(IllegalChoice, match="South may not lead close; legal are Qb Kb"):
        played(dealt(*TWO_MARRIAGES), "marry:b close")


@pytest.mark.parametrize("least", [2, 4])
def test_a_talon_that_is_too_small_is_not_closed(least: int) -> None:
    sizes = set()
    for seed in range(30):
        deal = Deal.from_seed("snapszer", seed, variant={"close_min_talon": least})
        while not deal.is_over and of(deal, "talon") != "empty":
            if deal.phase == "lead":
                size = int(deal.records["left"][0])
                assert ("close" in deal.legal_texts) is (size >= least)
                sizes.add(size)
            deal = deal.play(deal.legal[0])
    assert sizes == {10, 8, 6, 4, 2}


# The end of a deal


RICH_SOUTH = ("Ka Qa Kb Tb Ah", "Ab Al Jh Th Tl", "Ta")


def test_66_points_after_a_trick_end_the_deal_and_nothing_is_drawn() -> None:
    deal = played(dealt(*RICH_SOUTH), "marry:a Ka Tl Ah Th")
    assert deal.is_over
    assert of(deal, "points") == "75 0"
    assert of(deal, "talon") == "8 cards"
    assert [hand.bit_count() for hand in deal.hands] == [4, 4]


@pytest.mark.parametrize(
    ("choices", "points", "worth"),
    [
        ("marry:a Ka Tl Ah Th", "75 0", 3),  # North has no trick
        ("Tb Ab Jh Ah marry:a Ka Tl", "67 21", 2),  # fewer than 33 points
        ("Tb Ab Al Kb Jh Ah marry:a Ka Tl", "67 36", 1),
    ],
)
def test_a_deal_is_worth_more_the_less_the_loser_has(choices: str, points: str, worth: int) -> None:
    deal = played(dealt(*RICH_SOUTH), choices)
    assert (deal.is_over, of(deal, "points")) == (True, points)
    assert deal.payoffs == (worth, -worth)


@pytest.mark.parametrize(
    ("choices", "final", "at_close"),
    [
        ("close Tb Ab Jh Ah marry:a Ka Tl", 2, 3),  # North takes his only trick afterwards
        ("Tb Ab Jh Ah close Kh Th Qb Kb marry:a Ka Tl", 1, 2),  # 21 points grow to 35
        ("Tb Ab Jh Ah close marry:a Ka Tl", 2, 2),
    ],
)
def test_a_close_that_succeeds_looks_at_the_loser_then_or_now(
    choices: str, final: int, at_close: int
) -> None:
    for basis, worth in (("final", final), ("at_close", at_close)):
        deal = played(dealt(*RICH_SOUTH, close_success_basis=basis), choices)
        assert deal.is_over
        assert deal.payoffs == (worth, -worth)


@pytest.mark.parametrize("basis", ["final", "at_close"])
@pytest.mark.parametrize(
    ("before", "worth"),
    [
        ("", 3),  # North has no trick when South closes
        ("Tb Ab Jh Ah", 2),
    ],
)
def test_a_close_that_fails_costs_two_or_three(basis: str, before: str, worth: int) -> None:
    # South leads his lowest card each time and never marries: he does not reach 66.
    deal = played(dealt(*RICH_SOUTH, close_success_basis=basis), f"{before} close")
    while not deal.is_over:
        deal = deal.play(deal.legal[0])
    assert int(deal.records["points"][0, SOUTH]) < 66
    assert deal.payoffs == (-worth, worth)


def test_if_nobody_has_66_or_has_closed_the_last_trick_wins_one_game_point() -> None:
    ends = [random_end(seed) for seed in range(400)]
    undecided = [deal for deal in ends if deal.records["points"].max() < 66]
    assert len(undecided) > 5
    for deal in undecided:
        last = int(deal.records["leader"][0])
        assert len(deal.history) == 20
        assert deal.payoffs[last] == -deal.payoffs[1 - last] == 1


def random_end(seed: int) -> Deal:
    """A deal played by random cards to its end; nobody closes or marries."""
    rng, deal = random.Random(seed), Deal.from_seed("snapszer", seed)
    while not deal.is_over:
        deal = deal.play(rng.choice([choice for choice in deal.legal if choice < len(DECK)]))
    return deal


def test_nothing_can_be_chosen_in_a_deal_that_is_over() -> None:
    deal = played(dealt(*RICH_SOUTH), "marry:a Ka Tl Ah Th")
    with pytest.raises(DealOver, match="the deal is over"):
        deal.play("Kb")


# The match


def test_the_first_lead_goes_to_each_seat_in_turn() -> None:
    match = Match.start("snapszer")
    for number in range(4):
        deal = match.deal(seed=1)
        assert deal.seat == number % 2
        match = match.after(random_play(deal))


def random_play(deal: Deal) -> Deal:
    rng = random.Random(deal.match.deals)
    while not deal.is_over:
        deal = deal.play(rng.choice(deal.legal))
    return deal


def won_by_south(scores: str, **options: object) -> Match:
    """The match after South has won a deal of three game points."""
    match = Match.from_text("snapszer", f"deals=2 scores={scores}", variant=options)
    south, north, upcard = RICH_SOUTH
    deal = Deal.from_cards("snapszer", {"0": south, "1": north, "upcard": upcard}, match=match)
    return match.after(played(deal, "marry:a Ka Tl Ah Th"))


def test_game_points_go_to_the_winner_and_the_loser_keeps_his() -> None:
    match = won_by_south("1/5")
    assert (match.scores, match.deals, match.is_over) == ((4, 5), 3, False)


def test_the_first_to_reach_the_target_wins_the_match() -> None:
    assert not won_by_south("3/6").is_over
    assert won_by_south("4/6").winners == (SOUTH,)
    assert won_by_south("5/6").winners == (SOUTH,)
    assert not won_by_south("4/6", target=8).is_over
    assert won_by_south("0/0", target=1).winners == (SOUTH,)


def test_a_deal_of_another_match_is_not_scored() -> None:
    deal = random_play(Deal.from_seed("snapszer", 1))
    with pytest.raises(BadCards, match="does not follow on this match"):
        deal.match.after(deal).after(deal)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("deals=-1", "deals count from 0"), ("scores=3/-1", "scores are not negative")],
)
def test_a_match_that_cannot_be_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(BadNotation, match=f"snapszer: {complaint}"):
        Match.from_text("snapszer", text)


@pytest.mark.parametrize(
    "options",
    ["exchange=manual", "exchange_min_talon=3", "close_min_talon=0", "auto_66=false",
     "close_success_basis=pagat", "target=0", "target=many"],
)  # fmt: skip
def test_a_value_that_an_option_does_not_have_is_refused(options: str) -> None:
    with pytest.raises(BadOption, match=f"snapszer: {options.partition('=')[0]} is"):
        Match.start("snapszer", variant=options)


def test_options_are_written_and_read_back() -> None:
    for seed in range(20):
        variant = GAME.variant_of(random_options(random.Random(seed)))
        assert GAME.variant_of(variant.text()) == variant
    assert GAME.variant_of("auto_66=true") == GAME.variant()


# What plays prove


def cannot(deal: Deal, seat: int) -> str:
    """The cards that a seat is proven not to hold, as the other sees it."""
    return DECK.texts(deal.view(1 - seat).cannot[seat])


def known(deal: Deal, seat: int) -> str:
    """The cards that the other knows a seat to hold."""
    return DECK.texts(deal.view(1 - seat).known[seat])


@pytest.mark.parametrize(
    ("north", "card", "proven"),
    [
        ("Jl Ql Kb Jh Th", "Jl", ["Tl", "Al"]),  # not higher than the king led
        ("Al Jl Kb Jh Th", "Al", []),
        ("Jb Qb Kb Tb Qa", "Qa", LEAVES),  # a trump: no card of the suit led
        ("Jb Qb Kb Tb Th", "Jb", LEAVES | ACORNS),  # neither suit nor trump
    ],
)
def test_duties_that_were_not_met_could_not_be_met(
    north: str, card: str, proven: int | list[str]
) -> None:
    deal = played(dealt("Kl Ah Qh Kh Ab", north, "Ta"), f"close Kl {card}")
    cards = proven if isinstance(proven, int) else DECK.set(proven)
    assert deal.view(SOUTH).cannot[NORTH] == cards


def test_trumps_led_and_not_followed_prove_a_void_in_trumps() -> None:
    deal = played(dealt("Ka Ah Qh Kh Ab", "Jb Qb Kb Tb Th", "Ta"), "close Ka Jb")
    assert deal.view(SOUTH).cannot[NORTH] == ACORNS


def test_in_the_open_phase_plays_prove_nothing() -> None:
    deal = played(dealt("Kl Ah Qh Kh Ab", "Jl Al Kb Jh Qa", "Ta", **ACTION), "Kl Jl Ah Kb")
    assert deal.view(SOUTH).cannot == deal.view(NORTH).cannot == (0, 0)
    assert deal.view(SOUTH).known[NORTH] == deal.view(NORTH).known[SOUTH] == 0


def test_a_leader_who_exchanges_nothing_has_no_jack_until_he_draws() -> None:
    deal = dealt("Kl Ah Qh Kh Ab", "Jl Al Kb Jh Qa", "Ta")
    assert (cannot(deal, SOUTH), cannot(deal, NORTH)) == ("Ja", "")
    deal = played(deal, "Kl Al")
    assert (cannot(deal, SOUTH), cannot(deal, NORTH)) == ("", "Ja")


def test_if_the_talon_is_closed_he_has_no_jack_to_the_end() -> None:
    deal = played(dealt("Kl Ah Qh Kh Ab", "Jl Al Kb Jh Qa", "Ta"), "close Kl Al Kb Ab")
    assert "Ja" in cannot(deal, SOUTH).split()
    assert "Ja" not in cannot(deal, NORTH).split()


@pytest.mark.parametrize("options", [ACTION, {"exchange_min_talon": 4}], ids=str)
def test_a_leader_who_need_not_exchange_may_hold_the_jack(options: dict[str, Any]) -> None:
    last_open_leads = 0
    for seed in range(40):
        deal = Deal.from_seed("snapszer", seed, variant=options)
        while not deal.is_over and of(deal, "talon") != "empty":
            free = options == ACTION or of(deal, "talon") == "2 cards"
            if deal.phase == "lead" and free:
                assert cannot(deal, deal.seat or 0) == ""
                last_open_leads += of(deal, "talon") == "2 cards"
            deal = deal.play(deal.legal[0])
    assert last_open_leads > 5


def test_a_marriage_shows_the_card_that_is_not_led() -> None:
    deal = dealt(*TWO_MARRIAGES).play("marry:b")
    assert known(deal, SOUTH) == "Qb Kb"
    assert known(deal.play("Kb"), SOUTH) == "Qb"
    assert known(played(deal, "Kb Jb Qb"), SOUTH) == ""


def test_the_upcard_is_known_where_it_went_by_exchange() -> None:
    deal = dealt(*JACK_IN_HAND)
    assert known(deal, SOUTH) == "Ta"
    assert known(played(deal, "Ah Jb Ta"), SOUTH) == ""


def test_once_the_talon_is_empty_both_know_all_cards() -> None:
    empty = 0
    for seed in range(40):
        deal = position(random.Random(seed), 12, {})
        if of(deal, "talon") == "empty":
            empty += 1
            assert deal.view(SOUTH).known == deal.view(NORTH).known == deal.hands
            assert deal.view(SOUTH).count_worlds() == 1
    assert empty > 5


def test_no_proof_is_ever_false() -> None:
    rng = random.Random(1)
    for _ in range(200):
        deal = position(rng, rng.randrange(24), random_options(rng))
        for seat in (SOUTH, NORTH):
            view = deal.view(1 - seat)
            assert view.cannot[seat] & deal.hands[seat] == 0
            assert view.known[seat] & ~deal.hands[seat] == 0


# What a seat sees


def test_a_seat_sees_neither_the_other_hand_nor_the_talon_nor_the_others_draws() -> None:
    north, upcard = "Jl Al Kb Jh Qa", "Ta"
    one = dealt("Kl Ah Qh Kh Ab", north, upcard, talon="Jb Qb Ja Tb Ql")
    other = dealt("Kl Ah Qh Kh Ab", "Jl Al Kb Jh Tb", upcard, talon="Jb Ka Aa Qa Th")
    for card in ("Ah", "Kb"):
        assert one.view(SOUTH) == other.view(SOUTH)
        assert one.view(NORTH) != other.view(NORTH)
        one, other = one.play(card), other.play(card)
    assert one.view(SOUTH) == other.view(SOUTH)  # both have drawn; South has the Jb either way
    assert one.view(NORTH) != other.view(NORTH)


def test_a_seat_remembers_what_it_drew_and_when() -> None:
    # South wins two tricks and draws Jb and Ja, or Ja and Jb, and holds the same cards then.
    cards = ("Kl Ah Qh Kh Ab", "Jl Al Kb Jh Qa", "Tb")
    one = played(dealt(*cards, talon="Ja Ka Ql Aa", **ACTION), "Ah Jh Ab Kb")
    other = played(dealt(*cards, talon="Ql Ka Ja Aa", **ACTION), "Ah Jh Ab Kb")
    assert one.hands == other.hands
    assert one.view(NORTH) == other.view(NORTH)
    assert one.view(SOUTH) != other.view(SOUTH)


def test_a_closed_upcard_stays_known() -> None:
    deal = played(dealt(*TWO_MARRIAGES), "close Kb Tb")
    worlds = deal.view(NORTH).worlds(50, seed=1)
    assert {world.order[-1] for world in worlds} == {DECK.card("Ta")}
    assert of(deal.view(NORTH), "upcard") == "Ta"


def test_a_view_tells_what_everybody_sees() -> None:
    rng = random.Random(2)
    for _ in range(40):
        deal = position(rng, rng.randrange(24), random_options(rng))
        assert deal.view(SOUTH).public == deal.view(NORTH).public == deal.public


def check_that_pairs_look_alike(count: int, seed: int) -> None:
    """Deals that the referee cannot tell apart have views equal to the last byte."""
    rng = random.Random(seed)
    unlike = 0
    for _ in range(count):
        deal = position(rng, rng.randrange(24), random_options(rng))
        seat = rng.randrange(2)
        other = of_referee(referee.another_deal_with_the_same_view(as_referee(deal), seat, rng))
        assert other.view(seat).records.tobytes() == deal.view(seat).records.tobytes()
        unlike += other != deal
    assert unlike > count / 2


def test_deals_that_the_referee_cannot_tell_apart_look_alike() -> None:
    check_that_pairs_look_alike(150, seed=3)


@pytest.mark.long
def test_three_thousand_pairs_of_deals_look_alike() -> None:
    check_that_pairs_look_alike(3000, seed=4)


def test_deals_that_the_referee_can_tell_apart_do_not_look_alike() -> None:
    rng = random.Random(4)
    told_apart = 0
    for _ in range(300):
        deal = position(rng, rng.randrange(6), {})
        seat = rng.randrange(2)
        order = [*deal.order]
        first, second = rng.sample(range(20), 2)
        order[first], order[second] = order[second], order[first]
        try:
            other = played(Deal.from_order(deal.match, order), deal.history_text)
        except IllegalChoice:
            continue
        same = as_referee(deal).view(seat) == as_referee(other).view(seat)
        assert (deal.view(seat) == other.view(seat)) is same
        told_apart += not same
    assert told_apart > 50


# Worlds


def test_the_jack_is_in_the_last_draw_of_one_who_has_led_or_in_the_talon() -> None:
    # South led and lost. The jack is one of eight cards: South's draw and seven face down.
    deal = played(dealt("Kl Ah Qh Kh Ab", "Al Jl Kb Jh Qa", "Ta"), "Kl Al")
    view = deal.view(NORTH)
    drawn = sample_worlds(view.records, 80_000, stream(1, "jack"))
    there = int((drawn["hands"][:, SOUTH] >> DECK.card("Ja") & 1).sum())
    assert stats.binomtest(there, 80_000, 1 / 8).pvalue > RARE
    # Without it 462 hands with 5 histories each (any card may be the one drawn), with it 330.
    assert view.count_worlds() == 462 * 5 + 330


def test_a_jack_that_came_with_one_of_two_draws_is_counted_as_on_paper() -> None:
    # South led, lost, and followed once. Jack with draw 1: draw 2 is one of four others. Jack with
    # draw 2: draw 1 is one of five. Jack face down: 25 ways for any hand.
    deal = dealt("Kl Ah Qh Kh Ab", "Al Jl Kb Jh Aa", "Ta", talon="Ql Jb Qb Tb")
    view = played(deal, "Kl Al Aa Kh").view(NORTH)
    assert view.count_worlds() == 126 * 25 + 126 * (4 + 5)


def test_a_leader_with_an_open_talon_has_no_jack_in_any_world() -> None:
    deal = played(dealt("Kl Ah Qh Kh Ab", "Al Jl Kb Jh Qa", "Ta"), "Kl Al")
    view = deal.view(SOUTH)
    assert view.count_worlds() == 462
    assert all(not world.hands[NORTH] & DECK.set("Ja") for world in view.worlds(200, seed=1))


def test_where_the_exchange_is_a_choice_the_jack_may_be_anywhere() -> None:
    deal = played(dealt("Kl Ah Qh Kh Ab", "Al Jl Kb Jh Qa", "Ta", **ACTION), "Kl Al")
    assert deal.view(SOUTH).count_worlds() == 792
    assert deal.view(NORTH).count_worlds() == 792


ENDINGS = {
    "jack unseen, one draw, closed": (
        "snapszer; ; ; 0 Ka Jl Kb Ql Tl / 1 Ah Al Ab Qb Th / talon Ja Kl Jh Aa Qa Qh Tb Ta Jb / "
        "upcard Kh; Jl Al close Ah Ka Qb Kb marry:l Ql Th Ab Kl", SOUTH, 35),
    "jack unseen, one draw, a marriage, closed": (
        "snapszer; exchange_min_talon=4; deals=1; 0 Ql Jb Tb Ah Qa / 1 Qh Ka Qb Th Kh / talon Aa "
        "Jh Ta Jl Kl Kb Ab Al Ja / upcard Tl; marry:h Qh Tb close Aa Qa Qb Jb Kh Ah", SOUTH, 112),
    "jack unseen, three draws, closed": (
        "snapszer; ; deals=1; 0 Kh Jh Qb Kb Tl / 1 Ql Th Ta Al Jl / talon Kl Ja Qa Ka Aa Qh Jb Ab "
        "Ah / upcard Tb; Ta Kh Kl Kb Tl Al close Th Jh Jl Qb Ja Ka Ql Qh", SOUTH, 375),
    "jack unseen, four draws, a marriage": (
        "snapszer; ; deals=1; 0 Qb Ab Th Tb Kl / 1 Ta Ka Qh Kh Al / talon Ah Ql Aa Tl Jh Jl Qa Jb "
        "Ja / upcard Kb; marry:h Qh Tb Qb Ka Kl Ta Aa Tl", SOUTH, 956),
    "jack unseen, four draws, not exchanged with two cards left": (
        "snapszer; exchange_min_talon=4; deals=1; 0 Qb Al Th Aa Tl / 1 Ja Jb Ah Qh Kh / talon Tb "
        "Ta Ab Ql Ka Jh Kb Qa Jl / upcard Kl; marry:h Qh Al Tb Ja Tl Jb Qb Ta", SOUTH, 956),
    "jack in a hand known by elimination, five draws": (
        "snapszer; ; ; 0 Al Ab Kl Qh Ql / 1 Ka Aa Tb Jl Ja / talon Tl Th Kh Kb Ah Qa Ta Jh Jb / "
        "upcard Qb; marry:l Kl Tb Aa Qh Tl Al Th Ka Kb Ja", NORTH, 256),
    "jack played, one draw, closed": (
        "snapszer; ; ; 0 Ka Kh Kb Qh Al / 1 Ql Ta Aa Jh Kl / talon Th Ja Qb Ah Ab Tb Jl Tl Jb / "
        "upcard Qa; marry:h Qh Jh close Kh Ja marry:l Ql Al Th Ta", SOUTH, 35),
    "jack played, three draws, closed": (
        "snapszer; ; deals=1; 0 Kb Jl Th Jb Ql / 1 Jh Ab Qh Qb Ta / talon Kh Aa Tb Ja Ah Tl Al Ka "
        "Qa / upcard Kl; Ab Jl Ql Qb Jb Ta close Tb Tl Ja Th Qh Kh Kb Aa", NORTH, 125),
    "jack played, four draws": (
        "snapszer; ; ; 0 Aa Ab Qb Jl Ta / 1 Qa Tb Qh Kh Al / talon Kl Jb Ka Jh Kb Tl Th Ja Ql / "
        "upcard Ah; Ab Qa Jl Qh Ka Qb Kb Aa Kh Jh Al Kl Tb Ah", NORTH, 305),
    "jack played, four draws, two marriages": (
        "snapszer; exchange_min_talon=4; deals=1; 0 Jl Ja Ah Ql Qh / 1 Kh Kb Ta Qb Qa / talon Th "
        "Al Ab Tl Kl Aa Jh Jb Ka / upcard Tb; marry:b Qb Ja Kb Al Kh Ah marry:l Kl Th Tl Qa Qh Jb "
        "Tb", SOUTH, 180),
    "jack exchanged, two draws, two marriages": (
        "snapszer; ; deals=1; 0 Qh Kh Al Aa Tb / 1 Ql Qb Kb Ja Kl / talon Jh Jl Qa Ah Jb Tl Ta Ka "
        "Ab / upcard Th; marry:l Ql Tb marry:b Kb Jl", SOUTH, 42),
    "jack exchanged, three draws, closed": (
        "snapszer; ; deals=1; 0 Qb Aa Ta Ah Kb / 1 Qa Jb Tl Ja Kl / talon Ab Qh Jl Tb Kh Th Jh Ql "
        "Ka / upcard Al; Kl Ah Qa Qh Tl Kb close Ab Qb Kh Th Tb Jb Aa Ja Ta", SOUTH, 20),
    "jack exchanged, four draws": (
        "snapszer; ; deals=1; 0 Al Ql Ah Jb Ja / 1 Qh Ta Jh Aa Ka / talon Qa Kb Tb Tl Jl Kh Ab Th "
        "Qb / upcard Kl; Jh Al Ja Ta Aa Jb Ka Tl Ql Qh Qb Kb Jl Qa Kl", SOUTH, 100),
    "jack exchanged, five draws": (
        "snapszer; ; ; 0 Qa Kl Th Kh Jb / 1 Ja Ta Ka Al Qh / talon Jh Tl Jl Aa Tb Kb Ab Qb Ql / "
        "upcard Ah; Kh Ta Kl Ja Qa Ka Al Ah Kb Qb Th", NORTH, 400),
    "jack exchanged by choice, two draws, closed": (
        "snapszer; exchange=action; ; 0 Qh Tl Jb Ta Aa / 1 Ab Ql Qb Kh Qa / talon Kb Th Jl Ah Jh "
        "Ka Al Kl Ja / upcard Tb; exchange Aa Kh Kb Ab close Th Ah Tl Jl Ta", NORTH, 96),
    "jack exchanged by choice, four draws, a marriage": (
        "snapszer; exchange=action,exchange_min_talon=4; ; 0 Kh Th Kl Al Jl / 1 Tl Ja Qh Kb Ka / "
        "talon Aa Ta Jh Ql Qa Qb Jb Ab Tb / upcard Ah; Th Qh Kl Tl exchange Ta Ql marry:a Ka Qb "
        "Kb Kh Ab Jb", SOUTH, 300),
}  # fmt: skip
"""Positions that one seat sees, and how many histories of the other's cards stand behind them."""


@pytest.mark.parametrize("name", ENDINGS)
def test_all_histories_behind_a_view_are_drawn_equally_often(name: str) -> None:
    text, seat, count = ENDINGS[name]
    deal = Deal.from_text(text)
    histories = every_history(as_referee(deal), seat)
    assert len(histories) == count
    assert surprise(deal, seat, histories) > RARE


@pytest.mark.long
def test_all_histories_behind_random_views_are_drawn_equally_often() -> None:
    rng = random.Random(5)
    surprises: list[float] = []
    while len(surprises) < 120:
        deal, seat = position(rng, rng.randrange(4, 24), random_options(rng)), rng.randrange(2)
        orders = referee.Unseen(as_referee(deal), seat).every_order()
        if 2 <= sum(1 for _ in itertools.islice(orders, 1001)) <= 1000:
            histories = every_history(as_referee(deal), seat)
            if len(histories) > 1:
                surprises.append(surprise(deal, seat, histories))
    assert min(surprises) > RARE / 10
    assert stats.kstest(surprises, "uniform").pvalue > RARE


def surprise(deal: Deal, seat: int, histories: set[tuple[tuple[int, ...], int]]) -> float:
    """How probable it is that even draws are as uneven as the worlds of a view; 0 if one is wrong.

    What comes is evenly spread over 0 to 1 if the draws are even.
    """
    drawn = sample_worlds(deal.view(seat).records, 60 * len(histories), stream(1, deal.text()))
    places = referee.Unseen(as_referee(deal), seat).draws
    seen = collections.Counter(
        (tuple(slots_of(talon)[place - 10] for place in places), hand)
        for talon, hand in zip(
            drawn["talon"].tolist(), drawn["hands"][:, 1 - seat].tolist(), strict=True
        )
    )
    if not set(seen) <= histories:
        return 0.0
    return float(stats.chisquare([seen[history] for history in histories]).pvalue)


def every_history(judge: SnapszerReferee, seat: int) -> set[tuple[tuple[int, ...], int]]:
    """What the other may have drawn, in order, and may hold now, by replaying every shuffle."""
    unseen = referee.Unseen(judge, seat)
    found = set()
    for order in unseen.every_order():
        world = referee.retold(judge, unseen.view, order)
        if world is not None:
            draws = tuple(DECK.card(order[place]) for place in unseen.draws)
            found.add((draws, DECK.set(sorted(world.hands[1 - seat]))))
    return found


def slots_of(talon: int) -> list[int]:
    """The cards of a talon in the order in which they were dealt."""
    return [talon >> 5 * slot & 31 for slot in range(10)]


def test_the_cards_face_down_lie_in_any_order() -> None:
    deal = played(dealt("Kl Ah Qh Kh Ab", "Al Jl Kb Jh Qa", "Ta", **ACTION), "Kl Al")
    drawn = sample_worlds(deal.view(SOUTH).records, 60_000, stream(1, "order"))
    orders = np.array([slots_of(talon)[2:9] for talon in drawn["talon"].tolist()])
    assert np.all(np.sort(orders, axis=1)[:, 1:] > np.sort(orders, axis=1)[:, :-1])
    pairs = collections.Counter(map(tuple, orders[:, [0, 6]].tolist()))
    unseen = {*itertools.chain(*pairs)}
    assert len(unseen) == 12
    counts = [pairs[pair] for pair in itertools.permutations(sorted(unseen), 2)]
    assert stats.chisquare(counts).pvalue > RARE


# The referee


def positions_of_both(seed: int) -> Iterator[tuple[Deal, SnapszerReferee]]:
    """A random deal under random house rules, on the engine and with the referee, to its end."""
    rng = random.Random(seed)
    judge = referee.random_deal(rng, random_options(rng))
    deal = of_referee(judge)
    yield deal, judge
    while judge.phase != "over":
        choice = some_choice(sorted(judge.legal()), rng)
        judge.play(choice)
        deal = deal.play(choice)
        yield deal, judge


@pytest.mark.parametrize("seed", range(60))
def test_engine_and_referee_agree_on_every_position(seed: int) -> None:
    for deal, judge in positions_of_both(seed):
        assert deal.phase == judge.phase
        assert set(deal.legal_texts) == judge.legal()
        assert deal.hands == tuple(DECK.set(sorted(hand)) for hand in judge.hands)
        assert deal.records["points"][0].tolist() == judge.points
        assert of(deal, "tricks") == " ".join(map(str, judge.tricks))
        assert of(deal, "upcard") == (judge.upcard or "drawn")
        assert deal.records["left"][0] == len(judge.talon)
        if judge.phase == "over":
            assert [*deal.payoffs] == judge.payoffs()
        else:
            assert deal.seat == judge.seat


# Words


@pytest.mark.parametrize("phase", [rules.LEAD, rules.FOLLOW])
@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("Ta", "Ta"), ("TA", "Ta"), ("ta", "Ta"), ("10a", "Ta"),
        ("makk tíz", "Ta"), ("MAKK TÍZ", "Ta"), ("makk tiz", "Ta"), ("tíz makk", "Ta"),
        ("piros ász", "Ah"), ("piros asz", "Ah"), ("tök király", "Kb"), ("tok kiraly", "Kb"),
        ("zöld felső", "Ql"), ("zold felso", "Ql"), ("piros alsó", "Jh"), ("makk also", "Ja"),
        ("ten of acorns", "Ta"), ("Queen of Bells", "Qb"),
    ],
)  # fmt: skip
def test_cards_have_hungarian_names(phase: int, text: str, card: str) -> None:
    assert GAME.choice_from(phase, text) == DECK.card(card)


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("betakarok", "close"), ("Betakarok", "close"), ("CLOSE", "close"),
        ("cserélek", "exchange"), ("cserelek", "exchange"), ("Exchange", "exchange"),
        ("van 40 makk", "marry:a"), ("van 20 tök", "marry:b"), ("Van 20 ZÖLD", "marry:l"),
        ("húsz piros", "marry:h"), ("husz piros", "marry:h"), ("negyven makk", "marry:a"),
        ("van negyven makk", "marry:a"), ("makk negyven", "marry:a"), ("marry acorns", "marry:a"),
        ("MARRY:B", "marry:b"), ("marry b", "marry:b"),
    ],
)  # fmt: skip
def test_announcements_have_hungarian_names(text: str, choice: str) -> None:
    names = GAME.choice_names[rules.LEAD]
    assert names[GAME.choice_from(rules.LEAD, text)] == choice


@pytest.mark.parametrize("text", ["", "makk", "van 40", "húsz húsz", "makk makk", "Xa", "60 makk"])
@pytest.mark.parametrize("phase", [rules.LEAD, rules.FOLLOW])
def test_nonsense_is_refused(phase: int, text: str) -> None:
    with pytest.raises(BadNotation):
        GAME.choice_from(phase, text)


def test_a_follower_announces_nothing() -> None:
    with pytest.raises(BadNotation):
        GAME.choice_from(rules.FOLLOW, "betakarok")


def test_a_deal_is_played_in_hungarian() -> None:
    deal = dealt(*TWO_MARRIAGES)
    for words in ("van 20 tök", "tök király", "tök alsó", "betakarok", "makk ász", "zöld ász"):
        deal = deal.play(words)
    assert deal.history_text == "marry:b Kb Jb close Aa Al"


def test_a_refusal_tells_the_seat_the_card_the_legal_cards_and_the_position() -> None:
    deal = played(dealt(*TWO_MARRIAGES), "close Kb")
    with pytest.raises(IllegalChoice) as refusal:
        deal.play("Jb")
    assert str(refusal.value) == (
        f"snapszer: North may not follow Jb; legal are Tb; position {deal.text()}"
    )
    assert Deal.from_text(str(refusal.value).partition("position ")[2]) == deal


# Golden playthroughs


def test_a_deal_with_exchange_and_marriage_goes_as_it_always_went() -> None:
    match = Match.from_text("snapszer", "deals=4 scores=3/2")
    assert_golden("snapszer/playthrough.txt", playthrough(match.deal(seed=0), seed=0))


def test_a_closed_deal_with_an_exchange_by_choice_goes_as_it_always_went() -> None:
    options = "exchange=action,close_min_talon=2,close_success_basis=at_close"
    match = Match.from_text("snapszer", "deals=1", variant=options)
    assert_golden("snapszer/closed.txt", playthrough(match.deal(seed=1972), seed=1972))
