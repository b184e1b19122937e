"""Hearts: what nets are shown of a view.

Two encodings: the standard one, and the 540 flags of the simplified Deep CFR player for Hearts
that this project set out from (`page`). Suits keep their names: clubs lead the first trick, spades
have the queen, and until the first trick is over diamonds are not clubs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.cards import FRENCH_52, Cards
from overtrick.games.game import Row, choice_of
from overtrick.games.hearts.rules import HAND_SIZE, ONE_SUIT, PASS, SEATS, HeartsState, receiver
from overtrick.games.hearts.variant import ACROSS, HOLD, LEFT, RIGHT
from overtrick.games.observing import (
    KNOWN,
    OWN_FACTS,
    Encoding,
    Feature,
    at_least,
    cards_by_seat,
    flag_phase,
    flag_seat,
    one_of,
    put_by_seat,
    relative,
    seats_around,
    tell_card_set,
    tell_common,
    tell_fact,
    thermometer,
)
from overtrick.jit import popcount, rule

__all__ = ["ENCODINGS", "observe", "tell"]

_AROUND = seats_around(SEATS)
_OTHERS = _AROUND[1:]
_CARDS = FRENCH_52.names
_SUITS = ("clubs", "diamonds", "spades", "hearts")
_MOST_POINTS = 26
STANDARD, PAGE = range(2)

ENCODINGS = (
    Encoding(
        "standard",
        1,
        (
            one_of("phase", ("pass", "play"), "what is to be chosen"),
            one_of("pass to", ("hold", *_OTHERS), "who gets the cards that the viewer passes"),
            one_of("to act", _AROUND, "whose turn it is"),
            one_of("leader", _AROUND, "who led this trick or is to lead it"),
            Feature("broken", ("",), "hearts are broken"),
            Feature("hand", _CARDS, "the viewer's cards"),
            Feature("passed", _CARDS, "cards that the viewer has chosen to pass"),
            *cards_by_seat("held by", _CARDS, _OTHERS, "cards that the viewer knows to be there"),
            *cards_by_seat("played by", _CARDS, _AROUND, "cards played so far, this trick's too"),
            Feature("table", _CARDS, "the cards of this trick"),
            Feature("taking", _CARDS, "the card that is taking this trick"),
            *(
                one_of(f"void {seat}", _SUITS, "suits that this seat is proven not to hold")
                for seat in _OTHERS
            ),
            *(
                at_least(f"points {seat}", range(1, _MOST_POINTS + 1), "points taken so far")
                for seat in _AROUND
            ),
        ),
    ),
    Encoding(
        "page",
        1,
        (
            Feature("hand", _CARDS, "current player's hand"),
            one_of("direction", ("left", "right", "across", "hold"), "exchange direction"),
            Feature("outgoing", _CARDS, "outgoing pass"),
            Feature("incoming", _CARDS, "incoming pass, once the exchange is over"),
            *cards_by_seat("played by", _CARDS, _AROUND, "cards previously played"),
            *(
                Feature(f"trick card {number}", _CARDS, "current trick, in the order of play")
                for number in range(1, SEATS)
            ),
            *(one_of(f"void {seat}", _SUITS, "known voids") for seat in _OTHERS),
            Feature("has points", _AROUND, "deal score: who has taken any points"),
        ),
    ),
)

_PAGE_DIRECTION = np.zeros(4, dtype=np.int64)
for _place, _direction in enumerate((LEFT, RIGHT, ACROSS, HOLD)):
    _PAGE_DIRECTION[_direction] = 1 << _place


@rule
def observe(view: HeartsState, encoding: int, order: int, features: Row) -> None:
    if encoding == PAGE:
        observe_page(view, order, features)
    else:
        observe_standard(view, order, features)


@rule
def observe_standard(view: HeartsState, order: int, features: Row) -> None:
    me = view.viewer
    features[0] = flag_phase(view)
    features[1] = 1 << view.direction
    features[2] = flag_seat(view.seat, me, SEATS)
    features[3] = flag_seat(view.leader, me, SEATS)
    features[4] = view.broken
    features[5] = view.hands[me]
    features[6] = view.passed[me]
    at = put_by_seat(features, 7, view, view.hands, 1, order)
    at = put_by_seat(features, at, view, view.played, 0, order)
    features[at] = view.table
    features[at + 1] = view.best if view.table else 0
    at = put_voids(view, features, at + 2)
    for offset in range(SEATS):
        features[at + offset] = thermometer(view.points[me + offset & 3])


@rule
def observe_page(view: HeartsState, order: int, features: Row) -> None:
    me = view.viewer
    exchanged = view.direction != HOLD and view.phase != PASS
    features[0] = view.hands[me]
    features[1] = _PAGE_DIRECTION[view.direction]
    features[2] = view.passed[me]
    features[3] = view.passed[receiver(me, -view.direction)] if exchanged else 0
    at = put_by_seat(features, 4, view, view.played, 0, order)
    at = put_trick(view, features, at)
    at = put_voids(view, features, at)
    features[at] = 0
    for offset in range(SEATS):
        if view.points[me + offset & 3]:
            features[at] |= 1 << offset


@rule
def put_trick(view: HeartsState, features: Row, at: int) -> int:
    """The cards of the current trick, one after the other; up to three."""
    played = popcount(view.table)
    for number in range(SEATS - 1):
        features[at + number] = 0
        if number < played:
            event = view.history[view.turn - played + number]
            features[at + number] = 1 << int(choice_of(event))
    return at + SEATS - 1


@rule
def put_voids(view: HeartsState, features: Row, at: int) -> int:
    for offset in range(1, SEATS):
        features[at] = voids(view.cannot[view.viewer + offset & 3])
        at += 1
    return at


@rule
def voids(cannot: Cards) -> int:
    """The suits of which no card can be held, as bits."""
    found = 0
    for suit in range(len(_SUITS)):
        if cannot >> HAND_SIZE * suit & ONE_SUIT == ONE_SUIT:
            found |= 1 << suit
    return found


# ---------------------------------------------------------------------------- tokens

DEALER, DIRECTION = OWN_FACTS, OWN_FACTS + 1


@rule
def tell(view: HeartsState, order: int, tokens: Any) -> int:
    """Dealer and direction, and the cards that the viewer was passed."""
    me = view.viewer
    at = tell_common(view, order, tokens)
    at = tell_fact(tokens, at, DEALER, relative(view.dealer, me, SEATS), 0)
    at = tell_fact(tokens, at, DIRECTION, -1, view.direction)
    if view.direction != HOLD and view.phase != PASS:
        giver = receiver(me, -view.direction)
        at = tell_card_set(view, order, tokens, at, KNOWN, 0, view.passed[giver])
    return at
