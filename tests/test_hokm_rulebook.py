"""The rule-based players of Hokm: their rules of thumb, and that they play fair.

South is seat 0 and hakem unless a test says otherwise; North is his partner, East plays after him.
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

from conftest import (
    Records,
    choices_of,
    dealt_at_random,
    legals_of,
    random_matches,
    random_variant,
    views_of,
)
from overtrick.engine.batches import choose_at_random, play_all
from overtrick.engine.deals import Deal
from overtrick.engine.playouts import RANDOM, playouts_by
from overtrick.games import load_game
from overtrick.games.game import OVER, Variant
from overtrick.games.hokm.rulebook import RULEBOOKS, SIMPLE, STRONG
from overtrick.games.hokm.rules import TRUMP
from overtrick.jit import streams

GAME = load_game("hokm")
LEVELS = pytest.mark.parametrize("level", RULEBOOKS.values(), ids=RULEBOOKS.keys())
BOTH = pytest.mark.parametrize("level", [SIMPLE, STRONG], ids=["simple", "strong"])


# ---------------------------------------------------------------------------- positions


def position(hands: dict[int, str], choices: str, *, options: str = "") -> Deal:
    """The deal after these choices, in which the seats are dealt these cards first.

    The rest goes to West, then North, East and South, the lowest in the deck's order first, but
    nobody gets more of a suit that he is given, as long as there are other cards.
    """
    given = {seat: hands.get(seat, "").split() for seat in range(4)}
    named = {card for cards in given.values() for card in cards}
    rest = [card for card in GAME.deck.names if card not in named]
    for seat in (3, 2, 1, 0):
        suits = {card[1] for card in given[seat]}
        rest.sort(key=lambda card: (card[1] in suits, GAME.deck.names.index(card)))
        missing = 13 - len(given[seat])
        given[seat] += rest[:missing]
        del rest[:missing]
    cards = " / ".join(f"{seat} {' '.join(given[seat])}" for seat in range(4))
    return Deal.from_text(f"hokm; {options}; hakem=0; {cards}; {choices}")


def chosen(deal: Deal, level: int) -> str:
    """What a rulebook chooses for the seat to act, in notation."""
    choice = choices_of(deal.records, level, streams(1, 0, "choice"))[0]
    return deal.choice_text(int(choice))


# ---------------------------------------------------------------------------- choosing trump


@BOTH
def test_the_longest_suit_of_the_five_cards_becomes_trump(level: int) -> None:
    assert chosen(position({0: "2C 3C 4C AS KS AH KH QH"}, ""), level) == "C"


@BOTH
def test_of_two_suits_as_long_the_one_with_the_high_cards_becomes_trump(level: int) -> None:
    assert chosen(position({0: "8D 9D KH QH AS"}, ""), level) == "H"


def test_strong_prefers_two_high_cards_to_an_ace_with_a_small_one() -> None:
    five = position({0: "AD 9D KH JH 2S"}, "")
    assert chosen(five, STRONG) == "H"


@BOTH
def test_the_hakem_chooses_on_five_cards_although_the_record_holds_thirteen(level: int) -> None:
    assert chosen(position({0: "2C 3C AS AH KD QD JD TD 9D 8D 7D 6D 5D"}, ""), level) == "C"


@BOTH
def test_with_thirteen_cards_to_choose_on_all_thirteen_count(level: int) -> None:
    hand = {0: "2C 3C AS AH KD QD JD TD 9D 8D 7D 6D 5D"}
    assert chosen(position(hand, "", options="trump_choice_cards=13"), level) == "D"


# ---------------------------------------------------------------------------- simple


def test_simple_leads_its_lowest_card() -> None:
    assert chosen(position({0: "AS KS QS 3H 4H AD KD QD JD 4C 5C 6C 7C"}, "S"), SIMPLE) == "3H"


def test_simple_beats_the_trick_as_cheaply_as_it_can() -> None:
    hands = {0: "9S", 1: "2S JS QS AS"}
    assert chosen(position(hands, "C 9S"), SIMPLE) == "JS"


def test_simple_takes_the_trick_from_its_partner_too() -> None:
    hands = {0: "KS", 1: "2S 3S", 2: "4S AS"}
    assert chosen(position(hands, "C KS 2S"), SIMPLE) == "AS"


def test_simple_ruffs_with_its_lowest_trump() -> None:
    hands = {0: "AS", 1: "4H 9H 2C 3C 4C 5C 6C 7C 2D 3D 4D 5D 6D"}
    assert chosen(position(hands, "H AS"), SIMPLE) == "4H"


def test_simple_throws_its_lowest_card_of_a_side_suit_when_it_cannot_win() -> None:
    hands = {
        0: "KS",
        1: "JH 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC",
        2: "4H TH AC 3D 4D 5D 6D 7D 8D 9D TD JD QD",
    }
    assert chosen(position(hands, "H KS JH"), SIMPLE) == "3D"


# ---------------------------------------------------------------------------- strong: following


def test_the_last_hand_wins_as_cheaply_as_it_can() -> None:
    hands = {0: "9S", 1: "2S", 2: "3S", 3: "4S TS QS AS"}
    assert chosen(position(hands, "C 9S 2S 3S"), STRONG) == "TS"


def test_the_last_hand_leaves_the_trick_to_its_partner() -> None:
    hands = {0: "9S", 1: "QS", 2: "3S", 3: "4S KS AS"}
    assert chosen(position(hands, "C 9S QS 3S"), STRONG) == "4S"


def test_who_cannot_win_plays_his_lowest_card() -> None:
    hands = {0: "AS", 1: "QS 5S KS"}
    assert chosen(position(hands, "C AS"), STRONG) == "5S"


def test_who_follows_to_a_ruffed_trick_plays_his_lowest_card() -> None:
    hands = {0: "3S", 1: "4H 2C 3C 4C 5C 6C 7C 8C 2D 3D 4D 5D 6D", 2: "5S AS"}
    assert chosen(position(hands, "H 3S 4H"), STRONG) == "5S"


def test_third_hand_plays_high_and_of_equals_the_lowest() -> None:
    hands = {0: "3S", 1: "9S", 2: "4S QS KS"}
    assert chosen(position(hands, "C 3S 9S"), STRONG) == "QS"


def test_third_hand_does_not_overtake_a_master() -> None:
    hands = {0: "KS AS", 1: "4S", 2: "5S QS JS"}
    assert chosen(position(hands, "C AS 4S"), STRONG) == "5S"
    hands = {0: "KS", 1: "4S", 2: "5S AS"}  # the ace is in the own hand: the king is as good
    assert chosen(position(hands, "C KS 4S"), STRONG) == "5S"


def test_third_hand_overtakes_a_low_card_that_many_could_beat() -> None:
    hands = {0: "3S", 1: "2S", 2: "4S AS"}
    assert chosen(position(hands, "C 3S 2S"), STRONG) == "AS"


def test_second_hand_plays_low_from_a_king_while_the_ace_is_out() -> None:
    hands = {0: "9S", 1: "4S 5S KS"}
    assert chosen(position(hands, "C 9S"), STRONG) == "4S"


def test_second_hand_takes_its_ace_at_once_when_the_lead_could_win_otherwise() -> None:
    hands = {0: "KS", 1: "4S 5S AS"}
    assert chosen(position(hands, "C KS"), STRONG) == "AS"


# ---------------------------------------------------------------------------- strong: void

VOID_IN_SPADES = "2C 3C 4C 5C 6C 2D 3D 4D 5D"


def test_an_opponents_trick_is_ruffed_as_cheaply_as_it_can_be() -> None:
    hands = {0: "AS", 1: "2S", 2: "3S", 3: f"4H TH QH AH {VOID_IN_SPADES}"}
    assert chosen(position(hands, "H AS 2S 3S"), STRONG) == "4H"


def test_a_ruff_is_overruffed_as_cheaply_as_it_can_be() -> None:
    hands = {
        0: "3S",
        1: "9H 7C 8C 9C TC JC QC KC 7D 8D 9D TD JD",
        2: f"4H TH QH AH {VOID_IN_SPADES}",
    }
    assert chosen(position(hands, "H 3S 9H"), STRONG) == "TH"


def test_nobody_ruffs_under_a_ruff() -> None:
    hands = {
        0: "3S",
        1: "QH 7C 8C 9C TC JC QC KC 7D 8D 9D TD JD",
        2: f"4H 5H TH JH {VOID_IN_SPADES}",
    }
    assert chosen(position(hands, "H 3S QH"), STRONG)[1] in "CD"


def test_the_last_hand_does_not_ruff_its_partners_trick() -> None:
    hands = {0: "9S", 1: "TS", 2: "3S", 3: f"4H TH QH AH {VOID_IN_SPADES}"}
    assert chosen(position(hands, "H 9S TS 3S"), STRONG)[1] in "CD"


def test_third_hand_does_not_ruff_its_partners_master() -> None:
    hands = {0: "AS", 1: "2S", 2: f"4H TH QH AH {VOID_IN_SPADES}"}
    assert chosen(position(hands, "H AS 2S"), STRONG)[1] in "CD"


def test_third_hand_ruffs_its_partners_low_card_that_many_could_beat() -> None:
    hands = {0: "3S", 1: "2S", 2: f"4H TH QH AH {VOID_IN_SPADES}"}
    assert chosen(position(hands, "H 3S 2S"), STRONG) == "4H"


def test_discards_come_from_a_short_weak_suit_and_never_from_a_bare_master() -> None:
    hands = {0: "9S", 1: "TS", 2: "3S", 3: "QH AH AC 3D 5D 4C 5C 6C 7C 8C 9C TC KC"}
    assert chosen(position(hands, "H 9S TS 3S"), STRONG) == "3D"
    hands[3] = "QH KH AH JH TH AC 7D 8D 9D TD JD QD KD"
    assert chosen(position(hands, "H 9S TS 3S"), STRONG) == "7D"


def test_a_king_keeps_its_guard() -> None:
    hands = {0: "9S", 1: "TS", 2: "3S", 3: "QH AH KC 2C 3D 5D 7D TH JH KH 2H 3H 4H"}
    assert chosen(position(hands, "H 9S TS 3S"), STRONG) == "3D"


# ---------------------------------------------------------------------------- strong: leading


def test_the_ace_of_a_side_suit_with_the_king_beside_it_is_led() -> None:
    hand = {0: "4H 8H JH AS KS 7C 8C 3C 6D 7D 9D 2D 2S"}
    assert chosen(position(hand, "H"), STRONG) == "KS"


def test_a_suit_that_an_opponent_ruffs_is_not_led_again() -> None:
    hands = {
        0: "3H 5H JH AS KS QS AD KD 7D 3C 5C 7C 9C",
        1: "2S 2H 4H 6H 2D 3D 4D 5D 6D 2C 4C 6C 8C",
        2: "3S 4S 5S 6S 8D 9D TD 7H 8H 9H TC JC QC",
        3: "7S 8S 9S TS JS TH QH KH AH JD QD KC AC",
    }
    assert chosen(position(hands, "H AS 2S 3S 7S"), STRONG) == "QS"
    assert chosen(position(hands, "H AS 2S 3S 7S  KS 2H 4S 8S  2D 8D JD AD"), STRONG) == "KD"


def test_a_suit_that_the_partner_can_ruff_is_led() -> None:
    hands = {
        0: "3H 5H 6H AS 4S 3S 2D 4D 7D 3C 5C 7C 9C",
        1: "2S 5S 6S 7S 8S 9S AD 3D 5D 2C 4C 6C 8C",
        2: "2H 4H 7H 8H 6D 8D 9D TD JD AC TC JC QC",
        3: "TS JS QS KS 9H TH JH QH KH AH QD KD KC",
    }
    assert chosen(position(hands, "H AS 2S 6D TS"), STRONG) == "3S"


def test_a_strong_trump_suit_is_led_to_draw_the_trumps() -> None:
    hand = {0: "AH KH QH JH TH 9H AS KS QS AD KD AC KC"}
    assert chosen(position(hand, "H"), STRONG)[1] == "H"


def test_no_trump_is_led_once_the_opponents_have_none() -> None:
    hands = {
        0: "AH KH QH JH TH 9H 8H AS KS QS AD KD AC",
        1: "2S 3S 4S 5S 6S 7S 2D 3D 4D 5D 6D 2C 3C",
        2: "2H 3H 4H 5H 6H 7H 7D 8D 9D TD JD QD 4C",
        3: "8S 9S TS JS 5C 6C 7C 8C 9C TC JC QC KC",
    }
    assert chosen(position(hands, "H AH 2S 2H 8S"), STRONG)[1] != "H"


# ---------------------------------------------------------------------------- fair play


def random_deals(count: int, seed: int, variant: Variant | None = None) -> Records:
    """Deals of random house rules, or of these, nothing chosen yet."""
    chosen_rules = random_variant(GAME, random.Random(seed)) if variant is None else variant
    matches = random_matches(GAME, chosen_rules, count, seed)
    return dealt_at_random(GAME, chosen_rules, matches, seed)


def steps(states: Records, level: int, seed: int) -> Iterator[tuple[Records, Records, Records]]:
    """The deals that go on, what the level chooses there and the chance it had, until all end.

    Every other deal goes on at random, so that positions come up to which the rulebook itself
    would never lead.
    """
    numbers = np.arange(len(states))
    chance = streams(len(states), seed, "rulebook")
    while (states["phase"] != OVER).any():
        going = states["phase"] != OVER
        states, numbers, chance = states[going], numbers[going], chance[going]
        choices = choices_of(states, level, chance)
        yield states, choices, chance
        at_random = np.zeros_like(choices)
        choose_at_random(legals_of(states), chance, at_random)
        play_all(states, np.where(numbers % 2, at_random, choices))


@LEVELS
@pytest.mark.parametrize("seed", range(12))
def test_every_choice_is_legal_under_any_house_rules(level: int, seed: int) -> None:
    for states, choices, _ in steps(random_deals(60, seed), level, seed):
        assert (legals_of(states) >> choices & 1).all()


@LEVELS
@pytest.mark.parametrize("seed", range(4))
def test_a_rulebook_chooses_the_same_on_its_view_as_on_the_whole_deal(
    level: int, seed: int
) -> None:
    for states, choices, chance in steps(random_deals(80, seed), level, seed):
        views = views_of(states, states["seat"])
        assert np.array_equal(choices_of(views, level, chance), choices)


@LEVELS
@pytest.mark.parametrize("seed", range(4))
def test_what_a_view_hides_changes_nothing(level: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for states, choices, chance in steps(random_deals(80, seed), level, seed):
        garbled = views_of(states, states["seat"])
        rows, seat = np.arange(len(states)), states["seat"]
        hands = rng.integers(0, 1 << 52, garbled["hands"].shape)
        to_choose = states["phase"] == TRUMP  # then his own other cards are hidden too
        hands[rows, seat] = np.where(to_choose, hands[rows, seat], garbled["hands"][rows, seat])
        garbled["hands"] = hands
        others = seat != states["hakem"]
        garbled["first_cards"][others] = rng.integers(0, 1 << 52, int(others.sum()))
        assert np.array_equal(choices_of(garbled, level, chance), choices)


CHOICES_OF_A_LEVEL = """
import sys
from conftest import choices_of
from overtrick.engine.deals import Deal
from overtrick.jit import streams

for seed in range(20):
    deal = Deal.from_seed("hokm", seed)
    while not deal.is_over:
        deal = deal.play(int(choices_of(deal.records, int(sys.argv[1]), streams(1, seed))[0]))
    print(deal.history_text)
"""


@pytest.mark.parametrize("level", [STRONG, pytest.param(SIMPLE, marks=pytest.mark.long)])
def test_interpreted_it_chooses_as_it_does_compiled(level: int) -> None:
    told, home = [], str(Path(__file__).parent)
    for interpreted in "01":
        run = subprocess.run(
            [sys.executable, "-c", CHOICES_OF_A_LEVEL, str(level)],
            env=os.environ | {"NUMBA_DISABLE_JIT": interpreted, "PYTHONPATH": home},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert run.returncode == 0, run.stderr
        told.append(run.stdout)
    assert told[0] == told[1]
    assert told[0].count("\n") == 20


# ---------------------------------------------------------------------------- strength


def boards_won(level: int, other: int, boards: int = 4000) -> float:
    """The share of deals that a level wins when each deal is played from both sides."""
    states = random_deals(boards, 5, GAME.variant())
    results = np.zeros((boards, GAME.seats), dtype=np.int64)
    won = 0
    for side in range(2):
        levels = np.full((boards, GAME.seats), other, dtype=np.int64)
        levels[:, [side, side + 2]] = level
        playouts_by(states.copy(), levels, streams(boards, 5, side), results)
        won += int((results[:, side] > 0).sum())
    return won / (2 * boards)


def test_simple_beats_random_about_as_often_as_the_heuristic_player_of_the_post() -> None:
    assert 0.73 < boards_won(SIMPLE, RANDOM) < 0.77


def test_strong_beats_random_and_simple() -> None:
    assert boards_won(STRONG, RANDOM) > 0.86
    assert boards_won(STRONG, SIMPLE) > 0.69
