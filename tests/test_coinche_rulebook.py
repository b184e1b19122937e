"""The rule-based players of Coinche: their rules of thumb, and that they never peek.

North is seat 0 and the first to call and to lead in every position written here.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import overtrick
from conftest import (
    Records,
    choices_of,
    dealt_at_random,
    legals_of,
    random_matches,
    random_variant,
    views_of,
)
from overtrick.engine.batches import play_all
from overtrick.engine.deals import Deal, Match
from overtrick.engine.playouts import RANDOM, playouts_by
from overtrick.games import load_game
from overtrick.games.coinche.rulebook import EXPERT, RULEBOOKS, SIMPLE, STRONG
from overtrick.games.game import OVER
from overtrick.jit import COMPILED, streams

GAME = load_game("coinche")
DECK = GAME.deck
LEVELS = sorted(RULEBOOKS.values())
BOTH_OF_THE_PAPER = (SIMPLE, STRONG)


def choice(level: int, deal: Deal, seed: int = 1) -> str:
    """What a level chooses for the seat to act, in notation."""
    found = choices_of(deal.records, level, streams(1, seed, "choice"))
    return deal.choice_text(int(found[0]))


def played(deal: Deal, choices: str) -> Deal:
    """The deal after these choices."""
    for text in choices.split():
        deal = deal.play(text)
    return deal


def call(level: int, hand: str, calls: str = "") -> str:
    """What a level calls with a hand after these calls; the other cards go round by the deck."""
    seat = len(calls.split()) % 4
    others = [name for name in DECK.names if name not in hand.split()]
    places = [place for place in range(4) if place != seat]
    cards = {str(place): others[8 * i : 8 * i + 8] for i, place in enumerate(places)}
    deal = Deal.from_cards("coinche", cards | {str(seat): hand}, match=first_to_call(0))
    return choice(level, played(deal, calls))


def card(level: int, cards: str, choices: str, seed: int = 1) -> str:
    """What a level plays with these cards, seat by seat, after these calls and cards."""
    return choice(level, Deal.from_text(f"coinche; ; deals=3; {cards}; {choices}"), seed)


def first_to_call(seat: int) -> Match:
    """A match before a deal in which this seat calls first."""
    return Match.from_text("coinche", f"deals={seat + 3}")


# ---------------------------------------------------------------------------- the simple player


@pytest.mark.parametrize(
    ("hand", "bid"),
    [
        ("JS 9S 7S 7H 8H 7D 8D 7C", "90S"),  # jack, nine and a third
        ("JH 9H AS 7S 8S 7D 8D 7C", "90H"),  # jack, nine and an ace beside
        ("JH 9H 7S 8S KS 7D 8D 7C", "P"),  # neither
        ("JD 7D 8D 7S 8S 7H 8H 7C", "80D"),  # jack and two others
        ("9D 7D 8D 7S 8S 7H 8H 7C", "80D"),  # nine and two others
        ("9D 7D AS 7S 8S 7H 8H 7C", "80D"),  # nine, another and an ace beside
        ("9D 7D TS 7S 8S 7H 8H 7C", "P"),
        ("9D AS TS 7S 8S 7H 8H 7C", "P"),  # the ace does not stand in for the second trump
        ("JS 7S AS 9C JC 7C 8C 7D", "90C"),  # 90 comes before 80
        ("JS 7S 8S 9C 7C 8C KC 7D", "80C"),  # of equal bids the longer suit
        ("JS 7S 8S 9C 7C 8C KD 7D", "80S"),  # then the first
    ],
)
def test_the_simple_player_opens_90_or_80(hand: str, bid: str) -> None:
    assert call(SIMPLE, hand) == bid


@pytest.mark.parametrize("level", BOTH_OF_THE_PAPER)
def test_over_an_opponents_80_the_papers_players_bid_ten_more_and_pass_over_more(
    level: int,
) -> None:
    third = "JS 9S 7S 7H 8H 7D 8D 7C"
    assert call(level, third, "80H") == "100S"
    assert call(level, third, "80H P P") == "100S"
    assert call(level, third, "90H") == "P"
    assert call(level, "JD 7D 8D 7S 8S 7H 8H 7C", "80S") == "90D"


@pytest.mark.parametrize("level", BOTH_OF_THE_PAPER)
def test_the_papers_players_raise_80_and_90_for_jack_nine_and_aces(level: int) -> None:
    assert call(level, "JS 7S 7H 8H 7D 8D 7C 8C", "80S P") == "100S"
    assert call(level, "9S 7S 7H 8H 7D 8D 7C 8C", "80S P") == "90S"
    assert call(level, "7S 8S 7H AH 7D AD 7C 8C", "80S P") == "100S"
    assert call(level, "AS 8S 7H 8H 7D 8D 7C 8C", "80S P") == "P"
    assert call(level, "JS 9S 7H AH 7D AD 7C AC", "90S P") == "150S"
    assert call(level, "JS 9S 7H AH 7D AD 7C AC", "100S P") == "P"
    assert call(level, "JS 7S 7H 8H 7D 8D 7C 8C", "80S 100H") == "P"
    assert call(level, "JS 7S 7H AH 7D 8D 7C 8C", "80S 100H") == "110S"


def test_a_nine_alone_is_worth_a_raise_to_the_simple_player_only() -> None:
    alone = "9S 7H 8H 9H 7D 8D 7C 8C"
    assert call(SIMPLE, alone, "80S P") == "90S"
    assert call(STRONG, alone, "80S P") == "P"


@pytest.mark.parametrize("level", BOTH_OF_THE_PAPER)
def test_the_papers_players_never_coinche_or_surcoinche(level: int) -> None:
    best = "JS 9S AS TS AH AD AC TC"
    assert call(level, best, "250H") == "P"
    assert call(level, best, "80S P P X") == "P"


def test_the_simple_player_plays_its_highest_trump_whenever_it_may() -> None:
    cards = "0 7S AH 8H 7H AD 8D AC 8C / 1 8S 9S JS 7D 9D KH QH TH / 2 QS KS TS 7C 9C JD JC JH"
    assert card(SIMPLE, cards, "80S P P P 7S") == "JS"
    assert card(SIMPLE, cards, "80S P P P AH TH JH 9H 8H KH") == "TS"


def test_the_simple_player_leads_the_highest_trump_else_one_of_the_highest_cards() -> None:
    trumps = "0 7S 8S AH TH 8D 7D AC 8C / 1 9S JS 7H 8H 9H KH QH JH / 2 QS KS TS AS 7C 9C JC QC"
    assert card(SIMPLE, trumps, "80S P P P") == "8S"
    plain = "0 7H 8H AH TH 8D 7D AC 8C / 1 9S JS 7S 8S 9H KH QH JH / 2 QS KS TS AS 7C 9C JC QC"
    assert {card(SIMPLE, plain, "80S P P P", seed) for seed in range(20)} == {"AH", "AC"}


# ---------------------------------------------------------------------------- the stronger player


@pytest.mark.parametrize(
    ("hand", "bid"),
    [
        ("JS 9S AS TS 8H 7D 8D 7C", "110S"),
        ("JS 9S 7S 7H 8H 7D 8D 7C", "90S"),
        ("JH 9H AS 7S 8S 7D 8D 7C", "P"),  # an ace beside is no third trump
        ("JH AH 7S 8S KS 7D 8D 7C", "80H"),
        ("9H AH 7S 8S KS 7D 8D 7C", "80H"),
        ("9D 7D 8D 7S 8S 7H 8H 7C", "80D"),
        ("9D 7D AS 7S 8S 7H 8H 7C", "P"),
    ],
)
def test_the_stronger_player_opens_110_90_or_80(hand: str, bid: str) -> None:
    assert call(STRONG, hand) == bid


ATTACK = "0 7S 8S AH TH 8D AD AC 8C / 1 9S JS 7H 8H 9H KH QH JH / 2 QS KS TS AS 7C 9C JC QC"
NO_TRUMPS = "0 7H 8H AH TH 8D AD AC 8C / 1 9S JS 7S 8S 9H KH QH JH / 2 QS KS TS AS 7C 9C JC QC"
NO_ACES = "0 7H 8H KH TH 8D KD QC 8C / 1 9S JS 7S 8S 9H AH QH JH / 2 QS KS TS AS 7C 9C JC AC"


def test_the_stronger_player_attacks_with_trumps_then_aces_of_long_suits() -> None:
    assert card(STRONG, ATTACK, "80S P P P") == "8S"
    assert card(STRONG, NO_TRUMPS, "80S P P P") == "AH"
    assert card(STRONG, NO_ACES, "80S P P P") == "8D"  # the shortest suits are alike: the first


def test_the_stronger_player_defends_with_aces_of_short_suits_then_low_cards() -> None:
    assert card(STRONG, NO_TRUMPS, "P 80S P P P") == "AD"
    assert card(STRONG, NO_ACES, "P 80S P P P") == "7H"
    trumps = "0 7S 8S 9S TS JS QS KS AS / 1 7H 8H 9H TH JH QH KH AH / 2 7D 8D 9D TD JD QD KD AD"
    assert card(STRONG, trumps, "P 80S P P P") == "7S"


def test_the_stronger_player_takes_with_the_smallest_card_even_over_its_partner() -> None:
    cards = "0 KH 7S 8S 9S 7C 8C 9C JC / 1 7H 8H TS JS 7D 8D QC KC / 2 QH TH AH QS KS 9D JD QD"
    assert card(STRONG, cards, "80S P P P KH 7H") == "TH"


def test_the_stronger_player_that_cannot_take_plays_the_cheapest_card() -> None:
    cards = "0 AH 7S 8S 9S 7C 8C 9C JC / 1 8H KH TS JS 7D 8D QC KC / 2 QH TH 9H QS KS 9D JD QD"
    assert card(STRONG, cards, "80S P P P AH") == "8H"
    assert card(STRONG, cards, "80S P P P AH KH") == "9H"


# ---------------------------------------------------------------------------- the expert


def test_the_expert_passes_with_nothing_and_opens_with_jack_nine_and_ace() -> None:
    assert call(EXPERT, "7S 8H 9H QD KD 7C 8C KC") == "P"
    assert call(EXPERT, "JS 9S AS 7S 7H 8D 7C 8C").endswith("S")
    assert call(EXPERT, "JH 9H AH 7H AD 8D 7C 8C", "80S P P").endswith("H")


def test_the_expert_bids_capot_with_trumps_from_the_top_and_masters_beside() -> None:
    assert call(EXPERT, "JS 9S AS TS KS QS 8S 7S") == "250S"
    assert call(EXPERT, "JD 9D AD 7D 8D AH TH AC") == "250D"
    assert call(EXPERT, "JD 9D AD 7D 8D AH 7H AC") != "250D"


def test_the_expert_raises_its_partner_by_jack_and_aces_and_knows_when_to_stop() -> None:
    assert call(EXPERT, "JS 7S 8S AH 8H AD 8D AC", "80S P") in ("110S", "120S", "130S", "140S")
    assert call(EXPERT, "7S 8S 7H 8H 7D 8D 7C 8C", "80S P") == "P"
    assert call(EXPERT, "JH 9H AH 7H AD 8D 7C 8C", "140S") == "P"


def test_the_expert_coinches_what_its_hand_alone_should_defeat() -> None:
    assert call(EXPERT, "JS 9S 7S 8S AH AD 7C 8C", "80S") == "X"
    assert call(EXPERT, "7S 8S AH TH AD 7D AC 8C", "160S") == "X"
    assert call(EXPERT, "JS 7S 8H 9H 7D 8D 7C 8C", "250S") == "X"
    assert call(EXPERT, "7S 8S 7H 8H 7D 8D 7C 8C", "250S") == "P"
    assert call(EXPERT, "7S 8S AH 8H 7D 8D 7C 8C", "110S") == "P"


def test_the_expert_surcoinches_with_far_more_than_it_has_bid() -> None:
    assert call(EXPERT, "JS 9S AS TS KS QS AH AD", "80S P P X") == "XX"
    assert call(EXPERT, "JS 7S 8S 7H 8H 7D 8D 7C", "80S P P X") == "P"


def test_the_expert_draws_trumps_from_the_top_as_bidder() -> None:
    cards = "0 JS 9S AS 7S AH 7D 8D 7C / 1 8S QS 7H 8H 9H 9D JD QD / 2 KS TS TH JH KD 8C 9C JC"
    assert card(EXPERT, cards, "110S P P P") == "JS"
    assert card(EXPERT, cards, "110S P P P JS 8S KS QC") == "9S"


def test_the_expert_leads_masters_once_the_opponents_have_no_trumps() -> None:
    cards = "0 JS 9S AS 7S AH 7D 8D 7C / 1 8S 7H 8H 9H 9D JD QD TC / 2 QS KS TS JH KD 8C 9C JC"
    assert card(EXPERT, cards, "110S P P P JS 8S QS AD 9S 7H KS QH") == "AH"


def test_the_expert_gives_a_ten_to_the_trick_that_its_partner_is_sure_of() -> None:
    cards = "0 JS 8S AC 7D 8D 7C 8C 7H / 1 9S AS TS KS QS AD KD KC / 2 TH QH JH 9D JD 9C JC QC"
    assert card(EXPERT, cards, "P 110S P P P JS KS") == "TH"


def test_the_expert_keeps_a_ten_that_has_become_the_master() -> None:
    cards = "0 AH 8H JS 9S AS 7S 7D 8D / 1 7H 8S KS 9D JD QD TC KC / 2 TH QH TS QS KD 8C 9C JC"
    assert card(EXPERT, cards, "110S P P P JS 8S TS AD AH 7H") == "QH"


def test_the_expert_plays_low_where_it_cannot_win() -> None:
    cards = "0 AH 8H JS 9S AS 7S 7D 8D / 1 7H TH 8S KS 9D JD QD KC / 2 KH QH TS QS KD 8C 9C JC"
    assert card(EXPERT, cards, "110S P P P AH") == "7H"


def test_the_expert_does_not_trump_its_partners_ace() -> None:
    cards = "0 AH 8H JS AS 7S 7D 8D 7C / 1 7H TH 8S KS 9D JD QD KC / 2 9S QS TS KD 8C 9C JC QC"
    assert card(EXPERT, cards, "110S P P P AH 7H")[1] != "S"


def test_the_expert_defends_by_leading_an_ace_and_never_draws_its_own_trumps() -> None:
    cards = "0 AH TH 7S 8S 7D 8D 7C 8C / 1 JS 9S AS KS 9H AD 9C JC / 2 TS QS 7H 8H JD QD KC QC"
    assert card(EXPERT, cards, "P 110S P P P") == "AH"
    assert card(EXPERT, cards, "P 110S P P P AH 9H 7H JH")[1] != "S"


# ---------------------------------------------------------------------------- strength


def mean_payoff(level: int, other: int, boards: int = 400) -> float:
    """Points a deal of a level against another, each deal played from both sides."""
    states = dealt_at_random(GAME, GAME.variant(), GAME.blank_matches(boards, GAME.variant()), 1)
    total = 0.0
    for side in range(2):
        levels = np.full((boards, 4), other, dtype=np.int64)
        levels[:, side::2] = level
        results = np.zeros((boards, 4), dtype=np.int64)
        playouts_by(states.copy(), levels, streams(boards, 1, "strength", side), results)
        total += float(results[:, side].mean())
    return total / 2


def test_each_player_is_stronger_than_the_ones_before() -> None:
    assert mean_payoff(SIMPLE, RANDOM) > 150
    assert mean_payoff(STRONG, SIMPLE) > 50
    assert mean_payoff(EXPERT, STRONG) > 50
    assert mean_payoff(EXPERT, SIMPLE) > 75
    assert mean_payoff(EXPERT, RANDOM) > 300


# ---------------------------------------------------------------------------- whole deals


def fresh(count: int, seed: int) -> Records:
    """Deals with nothing chosen yet, of any house rules."""
    variant = random_variant(GAME, random.Random(seed))
    return dealt_at_random(GAME, variant, random_matches(GAME, variant, count, seed), seed)


def every_step(states: Records, level: int, seed: int) -> Iterator[tuple[Records, Records]]:
    """Every position of deals in which one choice in three is random, with its chance.

    So the level also meets positions into which it would not have come by itself.
    """
    rng = np.random.default_rng(seed)
    while len(states := states[states["phase"] != OVER].copy()):
        chance = streams(len(states), seed, "step", int(states["turn"].sum()))
        yield states, chance
        bits = legals_of(states)[:, np.newaxis] >> np.arange(43) & 1
        anything = np.argmax(bits * rng.random(bits.shape), axis=1)
        strays = rng.random(len(states)) < 1 / 3
        play_all(states, np.where(strays, anything, choices_of(states, level, chance)))


@pytest.mark.parametrize("level", LEVELS)
def test_every_choice_is_legal_under_any_house_rules(level: int) -> None:
    for seed in range(10):
        for states, chance in every_step(fresh(60, seed), level, seed):
            assert np.all(legals_of(states) >> choices_of(states, level, chance) & 1)


@pytest.mark.parametrize("level", LEVELS)
def test_a_choice_is_the_same_on_the_view_and_on_the_whole_deal(level: int) -> None:
    for seed in range(5):
        for states, chance in every_step(fresh(50, seed), level, seed):
            choices = choices_of(states, level, chance)
            views = views_of(states, states["seat"])
            assert np.array_equal(choices, choices_of(views, level, chance))
            assert np.array_equal(
                choices, choices_of(with_other_hands(states, seed), level, chance)
            )


def with_other_hands(states: Records, seed: int) -> Records:
    """The deals with any cards at all in the hands of those who are not to act."""
    rng = np.random.default_rng(seed)
    garbage = states.copy()
    own = np.arange(4) == states["seat"][:, np.newaxis]
    others = rng.integers(0, 1 << 32, own.shape)
    garbage["hands"] = np.where(own, states["hands"], others)
    return garbage


def lines(level: int) -> list[list[int]]:
    """Every choice of twenty deals that one level plays in all seats."""
    states = fresh(20, 3)
    while np.any(going := states["phase"] != OVER):
        group = states[going]
        chance = streams(len(group), 3, "line", int(group["turn"].max()))
        play_all(group, choices_of(group, level, chance))
        states[going] = group
    histories: list[list[int]] = states["history"].tolist()
    return histories


@pytest.mark.skipif(not COMPILED, reason="compares compiled rules with interpreted ones")
def test_interpreted_players_choose_as_the_compiled_ones() -> None:
    home = Path(__file__).parent
    paths = os.pathsep.join([str(Path(overtrick.__file__).parents[1]), str(home)])
    code = "import test_coinche_rulebook as t; print([t.lines(level) for level in t.LEVELS])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str([lines(level) for level in LEVELS])
