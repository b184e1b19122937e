"""The rule-based players of Hearts: what they do at the table, and that they do not peek."""

import os
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from conftest import dealt_at_random, legals_of, random_matches, random_variant, views_of
from overtrick.engine.batches import play_all
from overtrick.engine.deals import Deal
from overtrick.engine.playouts import choose_by, playouts_by
from overtrick.games import load_game
from overtrick.games.game import OVER
from overtrick.games.hearts.rulebook import RULEBOOKS, SIMPLE, STRONG
from overtrick.jit import kernel, streams
from overtrick.testing.peeking import garbled

GAME = load_game("hearts")
DECK = GAME.deck
Records = np.ndarray[Any, Any]
LEVELS = sorted(RULEBOOKS.values())


@kernel
def choose_all(states: Any, level: int, streams: Any, choices: Any) -> None:
    for number in range(len(states)):
        choices[number] = choose_by(states[number], level, streams[number])


def choices_of(states: Records, level: int, seed: int = 1) -> Records:
    """What a player of this level chooses in each of these deals."""
    choices = np.zeros(len(states), dtype=np.int64)
    choose_all(states, level, streams(len(states), seed, "choices"), choices)
    return choices


def choice(deal: Deal, level: int) -> str:
    """What a player of this level passes or plays, in notation."""
    return DECK.text(int(choices_of(deal.records, level)[0]))


# ---------------------------------------------------------------------------- positions


def deal_of(hands: str, plays: str = "") -> Deal:
    """A deal without passing, after these plays."""
    return Deal.from_text(f"hearts; pass_cycle=H; ; {hands}; {plays}")


def with_hand(hand: str, **options: object) -> Deal:
    """A deal in which seat 0 has this hand and the others go round in the deck's order.

    Deal number 3 makes seat 0 the first to pass.
    """
    held = DECK.sequence(hand)
    others = [name for card, name in enumerate(DECK.names) if card not in held]
    hands = [hand.split(), others[0::3], others[1::3], others[2::3]]
    cards = " / ".join(f"{seat} {' '.join(cards)}" for seat, cards in enumerate(hands))
    told = " ".join(f"{name}={value}" for name, value in options.items())
    return Deal.from_text(f"hearts; {told}; deals=3; {cards};")


def passes(hand: str, level: int) -> set[str]:
    """The three cards that a player of this level passes from a hand."""
    deal = with_hand(hand, pass_cycle="L")
    chosen = []
    for _ in range(3):
        chosen.append(choice(deal, level))
        deal = deal.play(chosen[-1])
    return set(chosen)


ROUND = (
    "0 2C KC 4D 9D JD 3S 7S QS 2H 5H TH QH AH / 1 3C 9C TC 2D TD KD 4S 8S KS 3H 6H JH KH / "
    "2 4C 8C JC 3D 8D QD AD 5S 9S AS 4H 7H 8H / 3 5C 6C 7C QC AC 5D 6D 7D 2S 6S TS JS 9H"
)
VOID_IN_CLUBS = "2C TC JC AC QC KC 3C 4C JD TD 8D 7D 9D KD QD 6D 9C 8C 7C"  # seat 0 is to play


# ---------------------------------------------------------------------------- the simple player


def test_the_simple_player_passes_queen_ace_and_king_of_spades() -> None:
    hand = "2C 5C AC 4D 9D AD 3S QS KS AS 2H 5H AH"
    assert passes(hand, SIMPLE) == {"QS", "AS", "KS"}


def test_the_simple_player_passes_the_highest_cards_and_hearts_first_among_equals() -> None:
    assert passes("2C 5C AC 4D 9D AD 3S 7S 8S 9S 2H 5H AH", SIMPLE) == {"AH", "AD", "AC"}


def test_the_simple_player_ducks_with_the_highest_card_that_loses() -> None:
    deal = deal_of(ROUND, "2C TC JC AC 7D 4D")
    assert deal.seat == 1
    assert choice(deal, SIMPLE) == "2D"
    assert choice(deal_of(ROUND, "2C TC JC AC 7D JD"), SIMPLE) == "TD"


def test_the_simple_player_takes_a_harmless_trick_with_its_highest_card_when_last() -> None:
    assert choice(deal_of(ROUND, "2C 3C 4C"), SIMPLE) == "AC"


def test_the_simple_player_leads_its_lowest_card() -> None:
    assert choice(deal_of(ROUND, "2C TC JC AC"), SIMPLE) == "2S"


def test_the_simple_player_throws_the_queen_of_spades_when_void() -> None:
    assert choice(deal_of(ROUND, VOID_IN_CLUBS), SIMPLE) == "QS"


def test_the_simple_player_throws_its_highest_heart_when_void_without_the_queen() -> None:
    without = ROUND.replace("QS", "??").replace("6S", "QS").replace("??", "6S")
    assert choice(deal_of(without, VOID_IN_CLUBS), SIMPLE) == "AH"


# ---------------------------------------------------------------------------- the strong player


def test_the_strong_player_passes_a_queen_of_spades_that_is_not_guarded() -> None:
    assert "QS" in passes("2C 5C 9C 4D 9D TD JD 3S QS 2H 5H 8H TH", STRONG)


def test_the_strong_player_keeps_a_queen_of_spades_with_five_others() -> None:
    assert "QS" not in passes("2C 5C 9C 4D 9D 3S 5S 7S 9S JS QS 5H TH", STRONG)


def test_the_strong_player_passes_king_and_ace_of_spades_without_low_spades() -> None:
    assert passes("2C 5C 9C TC 4D 9D TD JD KS AS 2H 5H 8H", STRONG) >= {"KS", "AS"}


def test_the_strong_player_keeps_its_low_spades() -> None:
    passed = passes("2C KC AC 4D 9D QD 2S 4S 8S JS 2H 5H KH", STRONG)
    assert not passed & {"2S", "4S", "8S", "JS"}


def test_the_strong_player_empties_a_short_suit() -> None:
    passed = passes("KC TC 3D 4D 5D 6D 8D 2S 4S 8S 2H 5H 6H", STRONG)
    assert passed >= {"KC", "TC"}


def test_the_strong_player_holds_back_the_king_while_the_queen_may_still_fall() -> None:
    assert choice(deal_of(ROUND, "2C TC JC AC 2S 3S"), STRONG) == "8S"


def test_the_strong_player_gets_rid_of_the_ace_when_last_to_a_harmless_trick() -> None:
    assert choice(deal_of(ROUND, "2C TC JC AC 2S 3S 4S"), STRONG) == "AS"


def test_the_strong_player_throws_the_queen_of_spades_when_void() -> None:
    assert choice(deal_of(ROUND, VOID_IN_CLUBS), STRONG) == "QS"


def test_the_strong_player_takes_the_first_trick_with_its_highest_club_when_last() -> None:
    assert choice(deal_of(ROUND, "2C 3C 4C"), STRONG) == "AC"


STOPPED = (
    "0 9D QD 3H AH AS QC TH TS 8S AC 6H TC 2C / 1 3C JS TD 6D 7C JC 5H 7S 4H 8C 5D JD 5S / "
    "2 9C JH 2S 4C 3D 8D 8H 7H KC 6C 6S AD 9S / 3 KS 3S 4S 5C 7D KH 9H QH KD 2D QS 4D 2H",
    "2C JC KC 5C 9S KS TS JS KD QD JD AD 6S 4S 8S 7S AS 5S 2S QS AC 8C 9C 7D QC 7C 6C 4D "
    "TC 3C 4C 2D AH 5H JH KH 9D 6D 8D 3S TH 4H 8H",
)


def test_the_strong_player_takes_a_heart_rather_than_see_the_moon_shot() -> None:
    deal = deal_of(*STOPPED)
    assert deal.legal_texts == ("2H", "9H", "QH")
    assert dict(deal.public)["points"] == "17 0 0 0"
    assert choice(deal, STRONG) == "QH"
    assert choice(deal, SIMPLE) == "9H"


def test_the_strong_player_does_not_feed_the_last_heart_to_a_shooter() -> None:
    deal = deal_of(
        "0 4C 2S 8C TS 8D 2C TC QD 3S KC 7H 7C 2D / 1 QH 5C QC 9S 6C KS AH JS 6H 4D KH AD 8S / "
        "2 9H JC 7D 6S 8H 3C QS 4H AS 9D TH 2H TD / 3 AC JD KD 3D 5S 4S 3H 5D 6D 7S 9C 5H JH",
        "2C QC JC AC 9C 8C 6C 3C 7S TS JS AS TD KD QD AD KS QS 5S 3S 9S 6S 4S 2S 8S 9D 3D 7H "
        "AH TH JH 4C KH 9H 5H 8D QH 8H 3H 2D 6H 4H 5D KC 5C",
    )
    assert deal.legal_texts == ("7D", "2H")
    assert choice(deal, STRONG) == "7D"
    assert choice(deal, SIMPLE) == "2H"


def test_the_strong_player_gives_a_point_to_somebody_else_than_the_shooter() -> None:
    deal = deal_of(
        "0 JC 5D 6H JS KD 3S AD 3C 3H QC 4D AS 8S / 1 3D TD QD QS 5S 7C KH 2C TH TS 4S 9H 2H / "
        "2 8H 7S TC 9D 7H 2S 4H JD AH 5H KC 6D JH / 3 5C 6C 9C 4C QH 6S 8D AC 7D 9S KS 8C 2D",
        "2C KC 9C QC TC 8C JC 7C 3C QS AH 4C 2D AD QD JD 3S 4S 2S KS 5C 4D KH 7S 6C 5D TH 9D "
        "6S 8S 5S",
    )
    assert dict(deal.public)["points"] == "0 0 0 16"
    assert choice(deal, STRONG) == "JH"


def test_the_strong_player_shoots_the_moon_with_a_hand_that_takes_every_trick() -> None:
    hands = (
        "0 AC KC QC AD KD QD AS KS QS AH KH QH JH / 1 2C 3C 4C 5C 2D 3D 4D 2S 3S 4S 2H 3H 4H / "
        "2 6C 7C 8C 5D 6D 7D 8D 5S 6S 7S 5H 6H 7H / 3 9C TC JC 9D TD JD 8S 9S TS JS 8H 9H TH"
    )
    deal = deal_of(hands)
    while not deal.is_over:
        deal = deal.play(choice(deal, STRONG if deal.seat == 0 else SIMPLE))
    assert dict(deal.public)["points"] == "26 0 0 0"


def test_the_strong_player_passes_low_cards_from_a_hand_for_the_moon() -> None:
    passed = passes("AC KC QC JC 2D AD AS KS QS AH KH QH 2H", STRONG)
    assert {"2D", "2H"} <= passed
    assert not passed & {"QS", "KS", "AS", "AH", "KH"}


# ---------------------------------------------------------------------------- always legal


@pytest.mark.parametrize("level", LEVELS)
def test_every_choice_is_legal_under_any_house_rules(level: int) -> None:
    rng = random.Random(level)
    for seed in range(60):
        variant = GAME.variant() if seed == 0 else random_variant(GAME, rng)
        states = dealt_at_random(GAME, variant, random_matches(GAME, variant, 25, seed), seed)
        while len(states):
            choices = choices_of(states, level, seed)
            assert np.all(legals_of(states) >> choices & 1)
            play_all(states, choices)
            states = states[states["phase"] != OVER]


# ---------------------------------------------------------------------------- no peeking


def mixed_positions(level: int, seed: int) -> list[Records]:
    """Whole deals step by step: in half of them the others play at random, in half likewise."""
    variant = GAME.variant() if seed < 3 else random_variant(GAME, random.Random(seed))
    states = dealt_at_random(GAME, variant, random_matches(GAME, variant, 50, seed), seed)
    steps = []
    while len(states):
        steps.append(states.copy())
        choices = choices_of(states, level, seed)
        wild = np.arange(len(states)) % 2 * states["seat"] > 0
        choices[wild] = choices_of(states, -1, int(states["turn"][0]) + seed)[wild]
        play_all(states, choices)
        states = states[states["phase"] != OVER]
    return steps


@pytest.mark.parametrize("level", LEVELS)
def test_the_choice_is_the_same_on_the_whole_deal_and_on_the_view(level: int) -> None:
    for seed in range(6):
        for states in mixed_positions(level, seed):
            views = views_of(states, states["seat"])
            assert np.array_equal(choices_of(states, level), choices_of(views, level))


@pytest.mark.parametrize("level", LEVELS)
def test_garbage_in_hidden_places_changes_no_choice(level: int) -> None:
    for seed in range(5):
        for number, states in enumerate(mixed_positions(level, seed)):
            views = views_of(states, states["seat"])
            garbage = garbled(states, views, number)
            assert np.array_equal(choices_of(garbage, level), choices_of(views, level))


# ---------------------------------------------------------------------------- same play, compiled

PLAYED = f"""
import numpy as np
from conftest import dealt_at_random, random_matches
from overtrick.engine.playouts import playouts_by
from overtrick.games import load_game
from overtrick.jit import streams
game = load_game("hearts")
for level in {LEVELS}:
    states = dealt_at_random(game, game.variant(), random_matches(game, game.variant(), 20, 7), 7)
    levels = np.full((20, 4), level)
    playouts_by(states, levels, streams(20, 7), np.zeros((20, 4), dtype=np.int64))
    print(states["history"].tolist())
"""


def test_compiled_and_interpreted_players_choose_alike() -> None:
    printed = [
        subprocess.run(
            [sys.executable, "-c", PLAYED],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ
            | {
                "NUMBA_DISABLE_JIT": str(interpreted),
                "PYTHONPATH": os.pathsep.join(sys.path),
                "OVERTRICK_QUIET": "1",
            },
        ).stdout
        for interpreted in (0, 1)
    ]
    assert printed[0] == printed[1]
    assert len(printed[0].splitlines()) == len(LEVELS)


# ---------------------------------------------------------------------------- strength


def mean_payoff(level: int, others: int, deals: int = 2000) -> float:
    """Points a deal of one player against three others, on every seat in turn."""
    variant = GAME.variant()
    matches = GAME.blank_matches(deals, variant)
    matches["deals"] = np.arange(deals)
    total = 0.0
    for seat in range(4):
        states = dealt_at_random(GAME, variant, matches, 1)
        levels = np.full((deals, 4), others)
        levels[:, seat] = level
        results = np.zeros((deals, 4), dtype=np.int64)
        playouts_by(states, levels, streams(deals, 1, seat), results)
        total += results[:, seat].mean() / GAME.payoff_unit
    return total / 4


def test_strong_beats_simple_and_simple_beats_random() -> None:
    assert mean_payoff(STRONG, SIMPLE) > 4
    assert mean_payoff(SIMPLE, STRONG) < -1
    assert mean_payoff(SIMPLE, -1) > 5
    assert mean_payoff(STRONG, -1) > 5
