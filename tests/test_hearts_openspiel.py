"""Hearts against OpenSpiel's `hearts`: an implementation that nobody here wrote.

OpenSpiel deals its n-th card to seat n mod 4 and lets the seats pass in the order 0 to 3. Our
deal after the dealer at seat 3 does the same, so the same order of the deck gives the same
hands. Its card is 4 * rank + suit, suits C D H S; its pass moves a card on by 0 (none) to 3.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyspiel
import pytest

from overtrick.cards import each
from overtrick.engine.batches import legal_all, payoffs_all, play_all, score_all
from overtrick.engine.dealing import deal_orders
from overtrick.games import load_game
from overtrick.games.game import OVER, Variant

HEARTS = load_game("hearts")
NAMES = HEARTS.deck.names
DEALER_AT_3 = 3  # the number of the deal
DIRECTIONS = "HLAR"  # by the seats that a card moves on
THEIR_CARD = [4 * "23456789TJQKA".index(rank) + "CDHS".index(suit) for rank, suit in NAMES]
OUR_CARD = {theirs: ours for ours, theirs in enumerate(THEIR_CARD)}
THEIR_NAME = {
    "no_points_first_trick": "no_pts_on_first_trick",
    "must_break_hearts": "must_break_hearts",
    "qs_breaks_hearts": "qs_breaks_hearts",
    "hearts_instead_of_forced_qs": "can_lead_hearts_instead_of_qs",
}
Records = np.ndarray[Any, Any]
Options = Mapping[str, bool]


# Both sides of the table


def random_options(rng: random.Random) -> dict[str, bool]:
    """Every option that both sides have, set at random."""
    return {name: rng.random() < 0.5 for name in THEIR_NAME}


def new_state_of_theirs(options: Options, passing: bool) -> Any:
    parameters = {THEIR_NAME[name]: value for name, value in options.items()}
    return pyspiel.load_game("hearts", {**parameters, "pass_cards": passing}).new_initial_state()


def our_variant(options: Options, direction: int) -> Variant:
    """The same rules here, with this direction in the deal of the dealer at seat 3."""
    return HEARTS.variant_of({**options, "pass_cycle": "LRA" + DIRECTIONS[direction]})


def deal_both(
    orders: Sequence[Sequence[int]], options: Sequence[Options], rng: random.Random
) -> tuple[Records, Records, list[Any]]:
    """Deals and matches of ours, and the states of OpenSpiel with the same hands."""
    theirs = []
    variants = []
    for order, chosen in zip(orders, options, strict=True):
        state = new_state_of_theirs(chosen, passing=rng.random() < 0.8)
        direction = rng.choice(state.legal_actions())
        variants.append(our_variant(chosen, direction))
        state.apply_action(direction)
        for card in order:
            state.apply_action(THEIR_CARD[card])
        theirs.append(state)
    states = np.concatenate([HEARTS.blank_states(1, variant) for variant in variants])
    matches = np.concatenate([HEARTS.blank_matches(1, variant) for variant in variants])
    matches["deals"] = DEALER_AT_3
    deal_orders(states, matches, np.array(orders, dtype=np.int64))
    return states, matches, theirs


def said_by_us(states: Records, legals: Records) -> list[tuple[object, ...]]:
    """For each deal: whether it is over, seat to act, legal cards, points, broken."""
    return list(
        zip(
            (states["phase"] == OVER).tolist(),
            states["seat"].tolist(),
            legals.tolist(),
            states["points"].tolist(),
            (states["broken"] | 1 - states["must_break_hearts"]).tolist(),
            strict=True,
        )
    )


def said_by_openspiel(state: Any) -> tuple[object, ...]:
    return (
        state.is_terminal(),
        state.current_player(),
        sum(1 << OUR_CARD[card] for card in state.legal_actions()),
        [int(state.points(seat)) for seat in range(4)],
        int(state.hearts_broken()),
    )


def choose(legal: int, keeps_hearts_back: bool, rng: random.Random) -> int:
    """A random legal card; some tables keep their hearts back, so that they are led unbroken."""
    cards = list(each(legal))
    if keeps_hearts_back:
        cards = [card for card in cards if NAMES[card][1] != "H"] or cards
    return rng.choice(cards)


def compare(
    orders: Sequence[Sequence[int]], options: Sequence[Options], rng: random.Random
) -> Records:
    """Play all deals on both sides with the same choices, comparing each step; ours at the end."""
    states, matches, theirs = deal_both(orders, options, rng)
    keeps_hearts_back = [rng.random() < 0.25 for _ in theirs]
    legals = np.zeros(len(states), dtype=np.int64)
    while True:
        legal_all(states, legals)
        going = np.flatnonzero(states["phase"] != OVER)
        ours = said_by_us(states, legals)
        for number in going:
            assert ours[number] == said_by_openspiel(theirs[number]), str(theirs[number])
        if not len(going):
            break
        choices = [choose(int(legals[n]), keeps_hearts_back[n], rng) for n in going]
        some = states[going]
        play_all(some, np.array(choices, dtype=np.int64))
        states[going] = some
        for number, card in zip(going, choices, strict=True):
            theirs[number].apply_action(THEIR_CARD[card])
    compare_ends(states, matches, theirs)
    return states


def compare_ends(states: Records, matches: Records, theirs: Sequence[Any]) -> None:
    """OpenSpiel returns 26 less what a seat scores, a moon being 26 for all but the shooter."""
    payoffs = np.zeros((len(states), 4), dtype=np.int64)
    payoffs_all(states, payoffs)
    score_all(matches, states)
    for scores, ours, state in zip(matches["scores"].tolist(), payoffs, theirs, strict=True):
        assert state.is_terminal()
        returns = [int(number) for number in state.returns()]
        assert [26 - score for score in scores] == returns
        # Less the mean of the others: the same payoffs, in thirds of a point.
        assert ours.tolist() == [4 * one - sum(returns) for one in returns]


def random_orders(count: int, rng: random.Random) -> list[list[int]]:
    return [rng.sample(range(52), 52) for _ in range(count)]


# Random deals


def test_a_card_of_theirs_has_the_name_of_ours() -> None:
    state = new_state_of_theirs({}, passing=True)
    state.apply_action(state.legal_actions()[0])
    assert [state.action_to_string(card) for card in THEIR_CARD] == list(NAMES)


def test_openspiel_agrees_at_every_choice_of_300_deals() -> None:
    rng = random.Random(1)
    compare(random_orders(200, rng), [{}] * 200, rng)
    compare(random_orders(100, rng), [random_options(rng) for _ in range(100)], rng)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(5))
def test_openspiel_agrees_on_10000_deals(chunk: int) -> None:
    rng = random.Random(1000 + chunk)
    compare(random_orders(2000, rng), [{}] * 2000, rng)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(2))
def test_openspiel_agrees_on_2000_deals_over_the_options(chunk: int) -> None:
    rng = random.Random(2000 + chunk)
    compare(random_orders(1000, rng), [random_options(rng) for _ in range(1000)], rng)


# Hands that meet the rare rules

ALL_HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
HANDS = {
    "thirteen hearts": ALL_HEARTS,
    "twelve hearts and the queen of spades": f"QS {ALL_HEARTS.removeprefix('2H ')}",
    "the top spades and ten hearts": "AS KS QS 5H 6H 7H 8H 9H TH JH QH KH AH",
    "the ace of clubs and twelve hearts": f"AC {ALL_HEARTS.removeprefix('2H ')}",
    "the ace of clubs, the queen of spades and eleven hearts": (
        f"AC QS {ALL_HEARTS.removeprefix('2H 3H ')}"
    ),
}
OPTION_SETS: list[Options] = [
    {},
    {"no_points_first_trick": False},
    {"must_break_hearts": False},
    {"qs_breaks_hearts": False},
    {"hearts_instead_of_forced_qs": True},
    {"qs_breaks_hearts": False, "hearts_instead_of_forced_qs": True},
]


def order_with(hand: str, seat: int, rng: random.Random) -> list[int]:
    """A shuffled deck that deals this hand to a seat."""
    held = HEARTS.deck.sequence(hand)
    others = [card for card in range(52) if card not in held]
    rng.shuffle(others)
    rest, own = iter(others), iter(held)
    return [next(own) if place % 4 == seat else next(rest) for place in range(52)]


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS.keys())
def test_openspiel_agrees_on_lines_from_a_hand_of_points(hand: str, options: Options) -> None:
    rng = random.Random(3)
    orders = [order_with(hand, number % 4, rng) for number in range(24)]
    compare(orders, [options] * len(orders), rng)


def test_openspiel_agrees_that_a_long_run_of_hearts_shoots_the_moon() -> None:
    # The ace of clubs takes the first trick, and then every heart but the two takes one.
    rng = random.Random(4)
    hand = HANDS["the ace of clubs and twelve hearts"]
    states = compare([order_with(hand, seat, rng) for seat in range(4)] * 10, [{}] * 40, rng)
    shot = states[states["direction"] == 0]["points"].max(axis=1)
    assert len(shot) > 5
    assert set(shot.tolist()) == {26}
