"""The rule-based players of Sheephead: their rules of thumb, and that they never peek.

Seats are numbers; the dealer is seat 4, so that seat 0 bids and leads first.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

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
from overtrick.engine.deals import Deal
from overtrick.games import load_game
from overtrick.games.game import OVER
from overtrick.games.sheephead import sides
from overtrick.games.sheephead.rulebook import RULEBOOKS, SIMPLE, STRONG, THESIS_RANDOM
from overtrick.games.sheephead.rules import PLAY
from overtrick.jit import COMPILED, streams
from overtrick.testing.peeking import garbled

GAME = load_game("sheephead")
LEVELS = sorted(RULEBOOKS.values())


def choice(position: str, level: int) -> str:
    """What a level chooses in a position, in notation."""
    deal = Deal.from_text(position)
    states = deal.records
    assert deal.seat is not None
    view = views_of(states, [deal.seat])
    found = choices_of(view, level, streams(1, 1, "choice"))
    assert np.array_equal(found, choices_of(states, level, streams(1, 1, "choice")))
    return deal.choice_text(int(found[0]))


# ---------------------------------------------------------------------------- rules of thumb


def position(cards: str, choices: str = "", options: str = "") -> str:
    """A position with seat 4 as dealer."""
    return f"sheephead; {options}; dealer=4; {cards}; {choices}"


def to_bid(hand: str, *, last: bool = False) -> str:
    """Seat 0 with these cards to bid first, or seat 4 after four passes."""
    others = [name for name in GAME.deck.names if name not in hand.split()]
    seats = [seat for seat in range(5) if seat != (4 if last else 0)]
    parts = [f"{seat} " + " ".join(others[6 * n : 6 * n + 6]) for n, seat in enumerate(seats)]
    cards = " / ".join([f"{4 if last else 0} {hand}", *parts, f"blind {' '.join(others[24:])}"])
    return position(cards, "pass pass pass pass" if last else "")


TEN_AND_KING = (
    "0 QC QS JC 8D AS TH / 1 7C 8C 9C 7S 8S QD / 2 KC TC AC 9S KS JO / "
    "3 TS 7H 8H 9H JD JH / 4 AH JS AD TD KD QH / blind KH 9D"
)
HIGH_TRUMPS = (
    "0 QC JO QS QH JC 7C / 1 9C TC 7S 8H TD JD / 2 AC KC 8S 9H KD JH / "
    "3 7H KH TH AH 9D JS / 4 9S KS TS AS 8D QD / blind AD 8C"
)
SEAT_1_PICKS = (
    "0 7C 8S 9H KH JD 8D / 1 QC QS JS 9C TD TH / 2 AC TC 9S 7H AD 9D / "
    "3 7S KS TS AS QD JH / 4 8C KC JO KD AH 8H / blind JC QH"
)
PARTNER_LEADS = (
    "0 AC TC 9S 7H JO 9D / 1 QC QS JS 9C TD TH / 2 7C 8S 9H KH JD 8D / "
    "3 7S KS TS AS QD JH / 4 8C KC 8H KD AH AD / blind JC QH"
)
NOLA = (
    "0 7C 8C KC AS 9H TD / 1 9C AC 7S 8S KH JD / 2 JC QC 9S KS AH 9D / "
    "3 TC TS QS 7H JH AD / 4 JS 8H TH QH KD QD / blind JO 8D"
)
CALLED_CLUBS = "pass pick TD TH AC"  # seat 1 buries two tens and calls the ace of clubs
PLAYING = [SIMPLE, STRONG]


def test_simple_picks_with_a_trump_count_of_eight() -> None:
    assert choice(to_bid("QC JO 9D 8D 7C 7S"), SIMPLE) == "pick"
    assert choice(to_bid("QC JD JH 7C 8C 7S"), SIMPLE) == "pass"
    assert choice(to_bid("QC JD JH 7C 8C 7S", last=True), SIMPLE) == "pass"


def test_the_random_player_of_the_thesis_bids_buries_and_calls_as_simple_does() -> None:
    for seed in range(4):
        for states, chance in every_step(fresh(60, seed, all_pass="redeal"), SIMPLE, seed):
            before = states[states["phase"] != PLAY]
            expected = choices_of(before, SIMPLE, chance)
            assert np.array_equal(choices_of(before, THESIS_RANDOM, chance), expected)


def test_strong_picks_with_high_trumps_from_any_place_and_never_with_none() -> None:
    for last in (False, True):
        assert choice(to_bid("QC JO QS JC AD 7C", last=last), STRONG) == "pick"
        assert choice(to_bid("7C 8C 7S 8S 7H AH", last=last), STRONG) == "pass"


def test_strong_picks_last_what_it_passes_first() -> None:
    assert choice(to_bid("QD JC 9D 8C 9S KH"), STRONG) == "pass"
    assert choice(to_bid("QD JC 9D 8C 9S KH", last=True), STRONG) == "pick"


def test_simple_buries_the_ten_before_the_ace_and_keeps_a_card_to_call_with() -> None:
    assert choice(position(TEN_AND_KING, "pick"), SIMPLE) == "TH"
    assert choice(position(TEN_AND_KING, "pick TH"), SIMPLE) == "AS"


def test_strong_buries_ace_and_ten_and_keeps_the_king_to_call_with() -> None:
    assert choice(position(TEN_AND_KING, "pick"), STRONG) == "AS"
    assert choice(position(TEN_AND_KING, "pick AS"), STRONG) == "TH"


@pytest.mark.parametrize("level", PLAYING)
def test_the_ace_of_the_suit_that_was_kept_is_called(level: int) -> None:
    assert choice(position(TEN_AND_KING, "pick AS TH"), level) == "AH"


def test_strong_goes_alone_with_the_highest_trumps_and_simple_never() -> None:
    assert choice(position(HIGH_TRUMPS, "pick 7C 8C"), STRONG) == "alone"
    assert choice(position(HIGH_TRUMPS, "pick 7C 8C"), SIMPLE) == "AC"


@pytest.mark.parametrize("level", PLAYING)
def test_the_unknown_card_is_the_one_of_most_points(level: int) -> None:
    assert choice(position(HIGH_TRUMPS, "pick 7C 8C AC"), level) == "AD"


@pytest.mark.parametrize("level", PLAYING)
def test_a_lone_picker_leads_a_trump_that_nobody_can_beat(level: int) -> None:
    assert choice(position(HIGH_TRUMPS, "pick 7C 8C alone"), level) in ("QC", "JO", "QS", "QH")


@pytest.mark.parametrize("level", PLAYING)
def test_the_partner_leads_a_high_trump(level: int) -> None:
    assert choice(position(PARTNER_LEADS, CALLED_CLUBS), level) == "JO"


@pytest.mark.parametrize("level", PLAYING)
def test_a_defender_leads_the_called_suit(level: int) -> None:
    assert choice(position(SEAT_1_PICKS, CALLED_CLUBS), level) == "7C"


@pytest.mark.parametrize("level", PLAYING)
def test_the_partner_gives_points_to_a_trick_that_the_picker_surely_takes(level: int) -> None:
    assert choice(position(SEAT_1_PICKS, f"{CALLED_CLUBS} 8D QC"), level) == "AD"


def test_a_defender_gives_few_points_to_a_trick_that_is_surely_lost() -> None:
    cards = (
        "0 7C 8S 9H KH JD 8D / 1 QC QS JS 9C TD TH / 2 AC TC 9S 7H QD 9D / "
        "3 7S KS TS AS AD KD / 4 8C KC JO JH AH 8H / blind JC QH"
    )
    for level in PLAYING:
        assert choice(position(cards, f"{CALLED_CLUBS} 8D QC 9D"), level) == "KD"


def test_simple_last_to_play_takes_with_the_lowest_card_that_does() -> None:
    assert choice(position(SEAT_1_PICKS, f"{CALLED_CLUBS} JD QH 9D QD"), SIMPLE) == "JO"


def test_simple_in_nola_leads_low_and_ducks() -> None:
    passes = "pass pass pass pass pass"
    assert choice(position(NOLA, passes), SIMPLE) == "7C"
    assert choice(position(NOLA, f"{passes} KC"), SIMPLE) == "9C"


def test_strong_in_nola_parts_with_high_cards_first() -> None:
    assert choice(position(NOLA, "pass pass pass pass pass"), STRONG) == "AS"


def test_strong_in_nola_ducks_the_fifth_trick_which_gives_the_lead_of_the_last() -> None:
    cards = (
        "0 JO JC JS AD 7C 9S / 1 TD JD KH 8D JH TC / 2 TH QC 8H QH 7S QD / "
        "3 TS 8S KC AH AS KS / 4 8C 9D 9C QS AC KD / blind 9H 7H"
    )
    tricks = "AD JD QD AH KD JO TD QC KC 9D KH QH KS QS JS JH TH AS AC 9S TC 8H 8S 8C"
    assert choice(position(cards, f"pass pass pass pass pass {tricks}"), STRONG) == "7C"


# ---------------------------------------------------------------------------- who is a friend


def chances(position: str) -> list[int]:
    """How likely each seat is a friend of the one to act, in thousandths."""
    packed = sides.friends(Deal.from_text(position).records[0])
    return [sides.chance_of(packed, seat) for seat in range(5)]


def test_any_of_the_others_may_be_the_partner_until_cards_tell() -> None:
    assert chances(position(SEAT_1_PICKS, CALLED_CLUBS)) == [1000, 0, 667, 667, 667]
    assert chances(position(SEAT_1_PICKS, f"{CALLED_CLUBS} 8S")) == [250, 1000, 250, 250, 250]


def test_the_partner_knows_both_sides() -> None:
    assert chances(position(SEAT_1_PICKS, f"{CALLED_CLUBS} 8D QC")) == [0, 1000, 1000, 0, 0]


def test_the_called_card_tells_the_sides_to_all() -> None:
    shown = f"{CALLED_CLUBS} 7C 9C AC 7S 8C"
    assert chances(position(SEAT_1_PICKS, f"{shown} 9S AS")) == [1000, 0, 0, 1000, 1000]


def test_a_suspect_who_led_a_trump_is_the_likely_partner() -> None:
    led = chances(position(PARTNER_LEADS, f"{CALLED_CLUBS} 9D QC"))
    assert led[2] == 1000 and led[1] == 0
    assert led[0] < 200 and led[3] == led[4] > 900


def test_against_a_lone_picker_all_others_are_friends() -> None:
    alone = position(HIGH_TRUMPS, "pick 7C 8C alone QC")
    assert chances(alone) == [0, 1000, 1000, 1000, 1000]


def test_a_card_that_was_played_face_down_stays_unseen_to_all_but_the_picker() -> None:
    cards = (
        "0 7C 7H 8S TD QH 7S / 1 AD 9D QS KD QD TS / 2 KH JD TC TH 8H JH / "
        "3 9C 8C AH JC JO 9S / 4 9H JS KS KC QC 8D / blind AS AC"
    )
    played = "pass pick AS AC AH TS 7H TS 8H AH 9H"
    ten = GAME.deck.set("TS")
    for shown, is_unseen in (("on_play", False), ("at_end", True)):
        deal = Deal.from_text(position(cards, played, f"unknown_shown={shown}"))
        for states in (deal.records, views_of(deal.records, [3])):
            assert bool(sides.unseen(states[0]) & ten) == is_unseen


# ---------------------------------------------------------------------------- whole deals


def fresh(count: int, seed: int, **options: object) -> Records:
    """Deals with nothing chosen yet, of any house rules unless some are named."""
    variant = GAME.variant(**options) if options else random_variant(GAME, random.Random(seed))
    return dealt_at_random(GAME, variant, random_matches(GAME, variant, count, seed), seed)


def every_step(states: Records, level: int, seed: int) -> Any:
    """Every position of deals in which a third of the seats chooses at random, with its chance.

    So the level also meets positions into which it would not have come by itself.
    """
    rng = np.random.default_rng(seed)
    while np.any(states["phase"] != OVER):
        states = states[states["phase"] != OVER].copy()
        chance = streams(len(states), seed, "step", int(states["turn"].sum()))
        yield states, chance
        choices = choices_of(states, level, chance)
        random_ones = chosen_at_random(states, rng)
        play_all(states, np.where(rng.random(len(states)) < 1 / 3, random_ones, choices))


def chosen_at_random(states: Records, rng: np.random.Generator) -> Records:
    """A legal choice for every deal."""
    legals = legals_of(states)
    bits = legals[:, np.newaxis] >> np.arange(41) & 1
    choices: Records = np.argmax(bits * rng.random(bits.shape), axis=1)
    return choices


@pytest.mark.parametrize("level", LEVELS)
def test_every_choice_is_legal_under_any_house_rules(level: int) -> None:
    for seed in range(12):
        for states, chance in every_step(fresh(60, seed), level, seed):
            assert np.all(legals_of(states) >> choices_of(states, level, chance) & 1)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("shown", ["on_play", "at_end"])
def test_a_choice_is_the_same_on_the_view_and_on_the_whole_deal(level: int, shown: str) -> None:
    face_down = 0
    for seed in range(6):
        options = {"called_obligations": ("standard", "free")[seed % 2]}
        deals = fresh(50, seed, unknown_shown=shown, allow_self_call=seed % 3 == 0, **options)
        for states, chance in every_step(deals, level, seed):
            views = views_of(states, states["seat"])
            choices = choices_of(states, level, chance)
            assert np.array_equal(choices, choices_of(views, level, chance))
            garbage = garbled(states, views, seed)
            assert np.array_equal(choices, choices_of(garbage, level, chance))
            face_down += np.sum((states["turned"] > 0) & (states["seat"] != states["picker"]))
    assert face_down > 50


def lines(level: int) -> list[list[int]]:
    """Every choice of twenty deals that one level plays in all seats."""
    states = fresh(20, 3, unknown_shown="at_end")
    histories = np.zeros((len(states), GAME.longest), dtype=np.int64)
    while np.any(going := states["phase"] != OVER):
        group = states[going]
        chance = streams(len(group), 3, "line", int(group["turn"].max()))
        play_all(group, choices_of(group, level, chance))
        states[going] = group
    histories[:] = states["history"]
    return histories.tolist()


@pytest.mark.skipif(not COMPILED, reason="compares compiled rules with interpreted ones")
def test_interpreted_players_choose_as_the_compiled_ones() -> None:
    home = Path(__file__).parent
    paths = os.pathsep.join([str(Path(overtrick.__file__).parents[1]), str(home)])
    code = "import test_sheephead_rulebook as t; print([t.lines(level) for level in t.LEVELS])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str([lines(level) for level in LEVELS])
