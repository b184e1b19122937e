"""Views with the flags of players who count cards, and the same counted slowly."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from conftest import random_positions, views_of
from overtrick.engine.observations import observations
from overtrick.games import load_game
from overtrick.games.game import choice_of, phase_of, seat_of
from overtrick.games.observing import SAME_SUITS

AROUND = ("self", "next", "across", "previous")


@cache
def read(name: str) -> list[tuple[Any, dict[str, set[int]]]]:
    """Views of the seats to act, each with its features as sets of flags; no suit is moved."""
    game = load_game(name)
    states = random_positions(game, 400, 5, game.variant()).states
    states = states[states["phase"] == game.phases.index("play")]
    views = views_of(states, states["seat"])
    orders = np.full(len(views), SAME_SUITS, dtype=np.int64)
    rows = observations(game, views, encoding="counted", orders=orders)
    spans = game.encodings[game.encoding("counted")].spans()
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


def leads_in(view: Any, playing: int) -> list[set[int]]:
    """The suits that each seat has led, from the viewer on."""
    events = [int(event) for event in view["history"][: view["turn"]]]
    plays = [event for event in events if phase_of(event) == playing]
    leads: list[set[int]] = [set(), set(), set(), set()]
    for event in plays[::4]:
        leads[(seat_of(event) - int(view["viewer"])) % 4].add(choice_of(event) // 13)
    return leads
