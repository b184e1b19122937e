"""The flags of Hearts for a player who counts cards, against a slow reading of the same views."""

from __future__ import annotations

from typing import Any

import pytest

import counted_views
from counted_views import AROUND, cards_in, hand_of, higher, leads_in, unseen_by
from overtrick.games import load_game

PLAY = load_game("hearts").phases.index("play")
SUITS = ("clubs", "diamonds", "spades", "hearts")
QUEEN = 2 * 13 + 10  # of spades


def read() -> list[tuple[Any, dict[str, set[int]]]]:
    return counted_views.read("hearts")


def lower(card: int, cards: set[int]) -> list[int]:
    """The cards of the same suit that are lower."""
    return [other for other in cards if other // 13 == card // 13 and other < card]


def taking_card(view: Any) -> int:
    """The card that takes the trick so far: the highest of the suit led."""
    return max(cards_in(view["table"]) & cards_in(view["led"]))


def test_cards_are_out_that_are_neither_held_nor_played() -> None:
    assert all(flags["out"] == unseen_by(view) for view, flags in read())


@pytest.mark.parametrize(
    ("name", "others", "count"),
    [("masters", higher, 0), ("lowest", lower, 0), ("next to lowest", lower, 1)],
)
def test_own_cards_are_known_by_how_many_of_their_suit_are_out(
    name: str, others: Any, count: int
) -> None:
    for view, flags in read():
        out = unseen_by(view)
        wanted = {card for card in hand_of(view) if len(others(card, out)) == count}
        assert flags[name] == wanted


def test_cards_of_the_suit_led_take_the_trick_or_duck() -> None:
    seen = 0
    for view, flags in read():
        following = hand_of(view) & cards_in(view["led"]) if view["table"] else set()
        takers = {card for card in following if card > taking_card(view)}
        assert flags["takers"] == takers
        assert flags["best duck"] == ({max(following - takers)} if following - takers else set())
        seen += len(takers)
    assert seen > 50


def test_a_trick_is_safe_if_no_card_that_is_out_beats_it() -> None:
    for view, flags in read():
        safe = bool(view["table"]) and not higher(taking_card(view), unseen_by(view))
        assert bool(flags["safe"]) == safe


def test_points_on_the_table_are_counted() -> None:
    for view, flags in read():
        table = cards_in(view["table"])
        points = sum(card // 13 == 3 for card in table) + 13 * (QUEEN in table)
        wanted = {place for place, step in enumerate((1, 2, 3, 4, 13)) if points >= step}
        assert flags["points on the table"] == wanted


def test_who_has_all_points_so_far_is_told() -> None:
    seen = 0
    for view, flags in read():
        points = [int(view["points"][(view["viewer"] + offset) % 4]) for offset in range(4)]
        owners = {offset for offset in range(4) if points[offset]}
        assert flags["all points"] == (owners if len(owners) == 1 else set())
        seen += len(owners) == 1
    assert seen > 10


def test_suits_are_counted() -> None:
    for view, flags in read():
        for place, suit in enumerate(SUITS):
            for name, cards in (("out", unseen_by(view)), ("held", hand_of(view))):
                count = sum(card // 13 == place for card in cards)
                assert flags[f"{name} of {suit}"] == {*range(count)}


def test_suits_led_are_told_by_seat() -> None:
    for view, flags in read():
        assert [flags[f"led by {seat}"] for seat in AROUND] == leads_in(view, PLAY)
