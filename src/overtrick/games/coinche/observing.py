"""Coinche: what nets are shown of a view, with trump as the first suit once there is one."""

from __future__ import annotations

from typing import Any

from overtrick.cards import Cards
from overtrick.games.coinche.rules import (
    ALL_BIDS,
    BID,
    FIRST_BID,
    HAND_SIZE,
    LAST_CAPOT,
    SEATS,
    SUITS,
    CoincheState,
    trump_suit,
)
from overtrick.games.game import NOBODY, Choices, Row, choice_of, phase_of, seat_of
from overtrick.games.observing import (
    OWN_FACTS,
    SAME_SUITS,
    TRUMP_FIRST,
    Encoding,
    Feature,
    at_least,
    by_cards,
    cards_by_seat,
    flag_phase,
    flag_seat,
    move_suits,
    named_by_place,
    one_of,
    put_by_seat,
    relative,
    seats_around,
    suits_by_place,
    tell_common,
    tell_fact,
    thermometer,
)
from overtrick.jit import rule

__all__ = ["ENCODINGS", "free_suits", "observe", "relabel", "suit_order", "tell", "trump_cards"]

_AROUND = seats_around(SEATS)
_OTHERS = _AROUND[1:]
_CARDS = named_by_place("789JQKTA")
_PLACES = suits_by_place()
_VALUES = (*range(80, 170, 10), "capot")
_BIDS = tuple(f"{value} {place}" for value in _VALUES for place in _PLACES)
_POINT_STEPS = range(10, 170, 10)
_MOST_POINTS, _TRICKS = 160, range(1, HAND_SIZE + 1)
_OF_ONE_SUIT = sum(1 << bid for bid in range(FIRST_BID, LAST_CAPOT + 1, SUITS))

ENCODINGS = (
    Encoding(
        "standard",
        1,
        (
            one_of("phase", ("bid", "play"), "what is to be chosen"),
            one_of("to act", _AROUND, "whose turn it is"),
            one_of("dealer", _AROUND, "who dealt"),
            one_of("bidder", _AROUND, "who made the highest bid"),
            one_of("contract", _BIDS, "the highest bid"),
            one_of("doubled", ("coinched", "surcoinched"), "by how much"),
            at_least("passes", (1, 2, 3), "passes in a row, in the auction"),
            *(Feature(f"bids {seat}", _BIDS, "all bids so far") for seat in _AROUND),
            one_of("leader", _AROUND, "who led this trick or is to lead it"),
            one_of("taking", _AROUND, "who is taking this trick"),
            one_of("belote", _AROUND, "who has announced it"),
            at_least("points of own team", _POINT_STEPS, "taken in tricks so far"),
            at_least("points of the others", _POINT_STEPS, "taken in tricks so far"),
            at_least("tricks of own team", _TRICKS, "tricks taken so far"),
            at_least("tricks of the others", _TRICKS, "tricks taken so far"),
            Feature("hand", _CARDS, "the viewer's cards"),
            Feature("table", _CARDS, "the cards of this trick"),
            Feature("beaters", _CARDS, "the cards that would take this trick"),
            *cards_by_seat("not held by", _CARDS, _OTHERS, "cards proven not to be there"),
            *cards_by_seat("played by", _CARDS, _AROUND, "cards played so far, this trick's too"),
        ),
    ),
)


@rule
def observe(view: CoincheState, encoding: int, order: int, features: Row) -> None:
    me = view.viewer
    features[0] = flag_phase(view)
    features[1] = flag_seat(view.seat, me, SEATS)
    features[2] = flag_seat(view.dealer, me, SEATS)
    features[3] = flag_seat(view.bidder, me, SEATS)
    features[4] = move_bids(1 << view.bid, order) >> FIRST_BID if view.bid else 0
    features[5] = 1 << view.doubled - 1 if view.doubled else 0
    features[6] = passes_in_a_row(view)
    put_bids(view, order, features, 7)
    features[11] = flag_seat(view.leader, me, SEATS)
    features[12] = flag_seat(view.taker, me, SEATS) if view.table else 0
    features[13] = flag_seat(view.announcer, me, SEATS)
    for other in range(2):
        team = me + other & 1
        points = min(view.points[team], _MOST_POINTS)
        features[14 + other] = thermometer(points * 205 >> 11)  # divided by 10
        features[16 + other] = thermometer(view.tricks[team])
    features[18] = move_suits(view.hands[me], order, HAND_SIZE)
    features[19] = move_suits(view.table, order, HAND_SIZE)
    features[20] = move_suits(view.beaters, order, HAND_SIZE) if view.table else 0
    at = put_by_seat(features, 21, view, view.cannot, 1, order)
    put_by_seat(features, at, view, view.played, 0, order)


@rule
def passes_in_a_row(view: CoincheState) -> int:
    """As a thermometer; none once the auction is over."""
    if view.phase != BID:
        return 0
    return thermometer((3 if view.bid else 4) - view.passes_left)


@rule
def put_bids(view: CoincheState, order: int, features: Row, at: int) -> None:
    """The bids of every seat, in four features."""
    for offset in range(SEATS):
        features[at + offset] = 0
    for turn in range(view.turn):
        event = view.history[turn]
        if phase_of(event) != BID:
            break
        bid = 1 << int(choice_of(event)) & ALL_BIDS
        features[at + (seat_of(event) - view.viewer & 3)] |= bid
    for offset in range(SEATS):
        features[at + offset] = move_bids(features[at + offset], order) >> FIRST_BID


# ---------------------------------------------------------------------------- suits


@rule
def trump_cards(view: CoincheState) -> Cards:
    return view.trump


@rule
def suit_order(view: CoincheState) -> int:
    first = TRUMP_FIRST[trump_suit(view.bid)] if view.trump else SAME_SUITS
    return by_cards(view, view.led, first, free_suits(view), HAND_SIZE)


@rule
def free_suits(view: CoincheState) -> int:
    """All suits in the auction, then all but trump."""
    return 0b1110 if view.trump else 0b1111


@rule
def relabel(view: CoincheState, phase: int, choices: Choices, order: int) -> Choices:
    if phase == BID:
        return move_bids(choices, order)
    return move_suits(choices, order, HAND_SIZE)


@rule
def move_bids(calls: Choices, order: int) -> Choices:
    """Bids with their suits moved; other calls have none."""
    moved = calls & ~ALL_BIDS
    for suit in range(SUITS):
        moved |= (calls >> suit & _OF_ONE_SUIT) << (order >> 2 * suit & 3)
    return moved


# ---------------------------------------------------------------------------- tokens

DEALER, BELOTE = OWN_FACTS, OWN_FACTS + 1


@rule
def tell(view: CoincheState, order: int, tokens: Any) -> int:
    """The dealer, and who has announced belote."""
    me = view.viewer
    at = tell_common(view, order, tokens)
    at = tell_fact(tokens, at, DEALER, relative(view.dealer, me, SEATS), 0)
    if view.announcer != NOBODY:
        at = tell_fact(tokens, at, BELOTE, relative(view.announcer, me, SEATS), 0)
    return at
