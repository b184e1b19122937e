"""New game: the suite that every game passes, and its own rules one by one."""

from __future__ import annotations

import pytest
from newgame import GAME, rules
from newgame.rules import DECK
from newgame.variant import TRUMPS

from overtrick import Deal, load_game
from overtrick.games.game import Game
from overtrick.testing.suite import *


@pytest.fixture
def game() -> Game:
    """The game, for the shared suite."""
    return load_game("newgame")


def test_the_entry_point_leads_to_the_game() -> None:
    assert load_game("newgame") is GAME


def test_a_seat_that_can_follow_must_follow() -> None:
    clubs = TRUMPS["C"]
    assert rules.must_follow(DECK.set("QC AC KH"), clubs) == DECK.set("QC AC")
    assert rules.must_follow(DECK.set("QD KH"), clubs) == DECK.set("QD KH")


def test_the_lowest_trump_beats_the_highest_card_led() -> None:
    clubs, spades = TRUMPS["C"], TRUMPS["S"]
    trump, ace, discard = (DECK.set(card) for card in ("QS", "AC", "AH"))
    assert rules.strength(trump, clubs, spades) > rules.strength(ace, clubs, spades)
    assert rules.strength(ace, clubs, spades) > rules.strength(discard, clubs, spades)
    assert rules.strength(trump, clubs, TRUMPS["none"]) == rules.strength(discard, clubs, 0)


def test_who_takes_a_trick_leads_to_the_next() -> None:
    deal = Deal.from_cards("newgame", {"0": "QC QD QS QH", "1": "KC KD KS KH", "2": "AC AD AS AH"})
    assert deal.seat == 1
    deal = deal.play("KC").play("AC").play("QC")
    assert deal.seat == 2
    assert deal.public == [("trump", "S"), ("tricks", "0 0 1")]


def test_a_trick_is_paid_by_each_of_the_others() -> None:
    deal = Deal.from_cards("newgame", {"0": "QC QD QS QH", "1": "KC KD KS KH", "2": "AC AD AS AH"})
    for card in ["KC", "AC", "QC", "AD", "QD", "KD", "AS", "QS", "KS", "AH", "QH", "KH"]:
        deal = deal.play(card)
    assert deal.payoffs == (-4, -4, 8)
