"""The flags of Hokm for a player who counts cards, against a slow reading of the same views."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from conftest import random_positions, views_of
from overtrick.engine.observations import observations
from overtrick.games import load_game
from overtrick.games.game import choice_of, phase_of, seat_of
from overtrick.games.observing import SAME_SUITS

GAME = load_game("hokm")
PLAY = GAME.phases.index("play")
SUITS = ("trump", "suit 2", "suit 3", "suit 4")  # as they lie in the deck: none is moved here


@cache
def read() -> list[tuple[Any, dict[str, set[int]]]]:
    """Views of the seats to act, each with its features as sets of flags."""
    states = random_positions(GAME, 400, 5, GAME.variant()).states
    states = states[states["phase"] == PLAY]
    views = views_of(states, states["seat"])
    orders = np.full(len(views), SAME_SUITS, dtype=np.int64)
    rows = observations(GAME, views, encoding="counted", orders=orders)
    spans = GAME.encodings[GAME.encoding("counted")].spans()
    return [
        (view, {one.name: {*np.flatnonzero(row[at : at + len(one.flags)])} for at, one in spans})
        for view, row in zip(views, rows, strict=True)
    ]


def cards_in(cards: Any) -> set[int]:
    return {card for card in range(52) if int(cards) >> card & 1}


def hand_of(view: Any) -> set[int]:
    return cards_in(view["hands"][view["viewer"]])


def unseen_by(view: Any) -> set[int]:
    return set(range(52)).difference(hand_of(view), *map(cards_in, view["played"]))


def higher(card: int, cards: set[int]) -> list[int]:
    """The cards of the same suit that are higher."""
    return [other for other in cards if other // 13 == card // 13 and other > card]


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
        events = [int(event) for event in view["history"][: view["turn"]]]
        plays = [event for event in events if phase_of(event) == PLAY]
        leads: list[set[int]] = [set(), set(), set(), set()]
        for event in plays[::4]:
            leads[(seat_of(event) - int(view["viewer"])) % 4].add(choice_of(event) // 13)
        told = [flags[f"led by {seat}"] for seat in ("self", "next", "across", "previous")]
        assert told == leads
