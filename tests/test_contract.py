"""What every game owes the house: one suite, run on each game there is."""

from __future__ import annotations

from pathlib import Path

import pytest

import overtrick.games
from conftest import all_games, mostly_long
from overtrick.engine.deals import Deal
from overtrick.jit import COMPILED
from overtrick.testing.contract import *  # noqa: F403  the suite that all games share
from overtrick.testing.contract import (
    fingerprint,
    fingerprint_interpreted,
    lines,
    lines_side_by_side,
)
from referees import hearts
from referees.hearts import HeartsReferee

# ---------------------------------------------------------------------------- the suite itself


def test_every_folder_with_rules_is_a_game_of_the_suite() -> None:
    homes = [Path(path) for path in overtrick.games.__path__]
    folders = {found.parent.name for home in homes for found in home.glob("*/rules.py")}
    assert {"hearts"} <= folders <= set(all_games())


def test_the_template_game_is_in_the_suite_but_not_offered_to_card_players() -> None:
    assert "thirds" in all_games()
    assert "thirds" not in overtrick.games.game_names()


# ---------------------------------------------------------------------------- compiled or not


@pytest.mark.skipif(not COMPILED, reason="compares compiled rules with interpreted ones")
@pytest.mark.parametrize(
    "name", mostly_long(all_games(), "hearts", "snapszer", "thirds", "whist3x3")
)
def test_compiled_and_interpreted_rules_agree(name: str) -> None:
    first = "import conftest"  # which makes the template game known
    assert fingerprint_interpreted(name, first=first) == fingerprint(name)


# ---------------------------------------------------------------------------- lines of play


LINES_LEFT = [
    ("hearts", 52, 192),
    ("hokm", 41, 496),
    ("kuhn", 0, 5),
    ("leduc", 0, 49),
    ("thirds", 0, 1760),
    ("whist3x3", 0, 10),
]


def deal_of_seed_one(name: str, choices: int) -> Deal:
    """The deal of seed 1 after so many choices, each the lowest legal one."""
    deal = Deal.from_seed(name, 1)
    for _ in range(choices):
        deal = deal.play(deal.legal[0])
    return deal


@pytest.mark.parametrize(("name", "choices", "count"), LINES_LEFT)
def test_the_lines_of_play_are_as_many_as_ever(name: str, choices: int, count: int) -> None:
    deal = deal_of_seed_one(name, choices)
    assert lines(deal) == lines_side_by_side(deal.records) == count


def test_the_referee_counts_as_many_lines_of_hearts() -> None:
    deal = deal_of_seed_one("hearts", 52)
    referee = HeartsReferee([hearts.DECK[card] for card in deal.order])
    for event in deal.history:
        referee.play(hearts.DECK[event.choice])
    assert referee_lines(referee) == 192


def referee_lines(referee: HeartsReferee) -> int:
    if referee.phase == "over":
        return 1
    count = 0
    for card in sorted(referee.legal()):
        after = referee.copy()
        after.play(card)
        count += referee_lines(after)
    return count
