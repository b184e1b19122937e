"""The flags of Hokm for a player who counts cards, against a slow reading of the same views."""

from __future__ import annotations

from typing import Any

import pytest

import counted_views
from counted_views import AROUND, cards_in, hand_of, higher, leads_in, unseen_by
from overtrick.games import load_game

PLAY = load_game("hokm").phases.index("play")
SUITS = ("trump", "suit 2", "suit 3", "suit 4")  # as they lie in the deck: none is moved here


def read() -> list[tuple[Any, dict[str, set[int]]]]:
    return counted_views.read("hokm")


def taking_card(view: Any) -> int:
    """The card that takes the trick so far: the highest trump, else the highest of the led suit."""
    table = cards_in(view["table"])
    trumps, led = table & cards_in(view["trumps"]), table & cards_in(view["led"])
    return max(trumps or led)


def test_unseen_cards_are_those_that_are_neither_held_nor_played() -> None:
    assert all(flags["unseen"] == unseen_by(view) for view, flags in read())


@pytest.mark.parametrize(("name", "beaten_by"), [("masters", 0), ("next to masters", 1)])
def test_own_cards_are_known_by_how_many_unseen_ones_beat_them(name: str, beaten_by: int) -> None:
    for view, flags in read():
        unseen = unseen_by(view)
        wanted = {card for card in hand_of(view) if len(higher(card, unseen)) == beaten_by}
        assert flags[name] == wanted


def test_takers_follow_suit_if_they_can_and_beat_what_is_on_the_table() -> None:
    seen = 0
    for view, flags in read():
        hand, trumps = hand_of(view), cards_in(view["trumps"])
        wanted: set[int] = set()
        if view["table"]:
            best = taking_card(view)
            may = hand & cards_in(view["led"]) or hand
            over = {card for card in may if card // 13 == best // 13 and card > best}
            ruffs = may & trumps if best not in trumps else set()
            wanted = over | ruffs
        seen += len(wanted)
        assert flags["takers"] == wanted
    assert seen > 100


def test_a_trick_is_safe_if_no_unseen_card_of_the_suit_is_higher() -> None:
    for view, flags in read():
        safe = bool(view["table"]) and not higher(taking_card(view), unseen_by(view))
        assert bool(flags["safe"]) == safe


def test_suits_are_counted() -> None:
    for view, flags in read():
        for place, suit in enumerate(SUITS):
            for name, cards in (("unseen", unseen_by(view)), ("held", hand_of(view))):
                count = sum(card // 13 == place for card in cards)
                assert flags[f"{name} of {suit}"] == {*range(count)}


def test_suits_led_are_told_by_seat() -> None:
    for view, flags in read():
        assert [flags[f"led by {seat}"] for seat in AROUND] == leads_in(view, PLAY)
