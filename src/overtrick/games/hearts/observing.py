"""Hearts: what nets are shown of a view.

Three encodings: the standard one, the same with what a player who counts cards knows (`counted`),
and the 540 flags of the simplified Deep CFR player for Hearts that this project set out from
(`page`). Suits keep their names: clubs lead the first trick, spades have the queen, and until the
first trick is over diamonds are not clubs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.cards import FRENCH_52, Cards
from overtrick.games.game import Row, choice_of
from overtrick.games.hearts.rules import (
    ALL_CARDS,
    HAND_SIZE,
    ONE_SUIT,
    PASS,
    PLAY,
    SEATS,
    HeartsState,
    receiver,
    trick_points,
)
from overtrick.games.hearts.variant import ACROSS, HOLD, LEFT, RIGHT
from overtrick.games.observing import (
    KNOWN,
    OWN_FACTS,
    Encoding,
    Feature,
    at_least,
    below_top,
    cards_by_seat,
    flag_phase,
    flag_seat,
    one_of,
    put_by_seat,
    put_leads,
    relative,
    seats_around,
    tell_card_set,
    tell_common,
    tell_fact,
    thermometer,
)
from overtrick.jit import highest, popcount, rule

__all__ = ["ENCODINGS", "observe", "tell"]

_AROUND = seats_around(SEATS)
_OTHERS = _AROUND[1:]
_CARDS = FRENCH_52.names
_SUITS = ("clubs", "diamonds", "spades", "hearts")
_MOST_POINTS = 26
_COUNTS = range(1, HAND_SIZE + 1)
_TRICK_POINTS = (1, 2, 3, 4, 13)
STANDARD, PAGE, COUNTED = range(3)

_STANDARD = (
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
)
_COUNTED = (
    Feature("out", _CARDS, "cards neither held nor played: others have them, or get them"),
    Feature("masters", _CARDS, "own cards than which none of their suit that is out is higher"),
    Feature("lowest", _CARDS, "own cards than which none of their suit that is out is lower"),
    Feature("next to lowest", _CARDS, "own cards than which one of their suit is lower"),
    Feature("takers", _CARDS, "own cards that would take this trick so far"),
    Feature("best duck", _CARDS, "the highest own card that would not, of the suit led"),
    Feature("safe", ("so far",), "no card that is out beats the one taking the trick"),
    at_least("points on the table", _TRICK_POINTS, "of this trick"),
    Feature("all points", _AROUND, "who has taken all points so far, if any are"),
    *(at_least(f"out of {suit}", _COUNTS, "how many") for suit in _SUITS),
    *(at_least(f"held of {suit}", _COUNTS, "how many") for suit in _SUITS),
    *(one_of(f"led by {seat}", _SUITS, "suits that this seat has led") for seat in _AROUND),
)

ENCODINGS = (
    Encoding("standard", 1, _STANDARD),
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
    Encoding("counted", 1, (*_STANDARD, *_COUNTED)),
)

_PAGE_DIRECTION = np.zeros(4, dtype=np.int64)
for _place, _direction in enumerate((LEFT, RIGHT, ACROSS, HOLD)):
    _PAGE_DIRECTION[_direction] = 1 << _place


@rule
def observe(view: HeartsState, encoding: int, order: int, features: Row) -> None:
    if encoding == PAGE:
        observe_page(view, order, features)
        return
    at = observe_standard(view, order, features)
    if encoding == COUNTED:
        count_cards(view, order, features, at)


@rule
def observe_standard(view: HeartsState, order: int, features: Row) -> int:
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
    return at + SEATS


@rule
def count_cards(view: HeartsState, order: int, features: Row, at: int) -> None:
    """What a player who counts cards knows, though the cards played tell it, too."""
    me = view.viewer
    hand = view.hands[me]
    out = ALL_CARDS & ~hand
    for seat in range(SEATS):
        out &= ~view.played[seat]
    for feature in range(1, 4):
        features[at + feature] = 0
    for suit in range(len(_SUITS)):
        first = HAND_SIZE * suit
        others, held = out >> first & ONE_SUIT, hand >> first & ONE_SUIT
        features[at + 1] |= (held & ~below_top(others)) << first
        low = held & above_none(others)
        features[at + 2] |= low << first
        features[at + 3] |= (held & above_none(others & others - 1) & ~low) << first
        features[at + 9 + suit] = thermometer(popcount(others))
        features[at + 13 + suit] = thermometer(popcount(held))
    features[at] = out
    following = hand & view.led if view.table else 0
    takers = following & ~below_top(view.best)
    ducks = following & ~takers
    features[at + 4] = takers
    features[at + 5] = 1 << highest(ducks) if ducks else 0
    features[at + 6] = int(view.table != 0 and out & view.led & ~below_top(view.best) == 0)
    features[at + 7] = flag_points(trick_points(view.table))
    features[at + 8] = flag_owner(view)
    put_leads(view, PLAY, order, features, at + 17)


@rule
def above_none(cards: Cards) -> Cards:
    """All below the lowest of some cards; everything if there are none."""
    return (cards & -cards) - 1


@rule
def flag_points(points: int) -> int:
    """Which of the steps these points on the table reach, as bits."""
    found = 0
    for place in range(len(_TRICK_POINTS)):
        found |= (points >= _TRICK_POINTS[place]) << place
    return found


@rule
def flag_owner(view: HeartsState) -> int:
    """The seat that has taken all points so far, from the viewer on; none if nobody has."""
    found = 0
    for offset in range(SEATS):
        if view.points[view.viewer + offset & 3]:
            found |= 1 << offset
    return found if found & found - 1 == 0 else 0


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
