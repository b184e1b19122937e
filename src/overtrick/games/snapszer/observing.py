"""Snapszer: what nets are shown of a view, with trump as the first suit."""

from __future__ import annotations

from typing import Any

from overtrick.cards import Cards
from overtrick.games.game import NOBODY, Choices, Row
from overtrick.games.observing import (
    AS_CARDS,
    KNOWN,
    OWN_FACTS,
    TRUMP_FIRST,
    Encoding,
    Feature,
    at_least,
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
    tell_card_set,
    tell_common,
    tell_fact,
    thermometer,
    write_token,
)
from overtrick.games.snapszer.knowledge import slot_of
from overtrick.games.snapszer.rules import (
    ALL_CARDS,
    ENOUGH,
    MARRY,
    ONE_SUIT,
    RANKS,
    SEATS,
    SLOT,
    SUITS,
    TALON_SIZE,
    SnapszerState,
    tricks_of,
)
from overtrick.jit import lowest, rule

__all__ = ["ENCODINGS", "free_suits", "observe", "relabel", "suit_order", "tell", "trump_cards"]

_AROUND = seats_around(SEATS)
_CARDS = named_by_place("JQKTA")
_PLACES = suits_by_place()
_POINT_STEPS = range(2, ENOUGH + 1, 2)
_HALF_ENOUGH = ENOUGH // 2
_DRAWS = TALON_SIZE // 2
_ALL_MARRIAGES = (1 << SUITS) - 1

ENCODINGS = (
    Encoding(
        "standard",
        1,
        (
            one_of("phase", ("lead", "follow"), "what is to be chosen"),
            one_of("to act", _AROUND, "whose turn it is"),
            Feature("open", ("",), "the talon is neither closed nor empty"),
            at_least("talon", range(2, TALON_SIZE + 1, 2), "cards that have not been drawn"),
            one_of("closer", _AROUND, "who closed the talon"),
            at_least("points at the close", (1, _HALF_ENOUGH), "of the closer's opponent"),
            one_of("exchanger", _AROUND, "who exchanged the jack of trumps"),
            Feature("exchange", ("",), "a leader may still exchange the jack of trumps"),
            *(one_of(f"married {seat}", _PLACES, "suits declared") for seat in _AROUND),
            Feature("has a trick", _AROUND, "who has taken a trick"),
            *(at_least(f"points {seat}", _POINT_STEPS, "points so far") for seat in _AROUND),
            Feature("hand", _CARDS, "the viewer's cards"),
            Feature("upcard", _CARDS, "the card that lies face up"),
            Feature("table", _CARDS, "the card led"),
            Feature("must lead", _CARDS, "king and queen of a marriage just declared"),
            Feature("held by other", _CARDS, "cards that the viewer knows the other to hold"),
            Feature("not held by other", _CARDS, "cards proven not to be there"),
            *cards_by_seat("played by", _CARDS, _AROUND, "cards played so far"),
        ),
    ),
)


@rule
def observe(view: SnapszerState, encoding: int, order: int, features: Row) -> None:
    me = view.viewer
    features[0] = flag_phase(view)
    features[1] = flag_seat(view.seat, me, SEATS)
    features[2] = view.is_open
    features[3] = thermometer(view.left >> 1)
    features[4] = flag_seat(view.closer, me, SEATS)
    features[5] = (view.closed_points > 0) | (view.closed_points >= _HALF_ENOUGH) << 1
    features[6] = flag_seat(view.exchanger, me, SEATS)
    features[7] = 1 if view.swap else 0
    features[10] = 0
    for offset in range(SEATS):
        seat = me ^ offset
        features[8 + offset] = suits_declared(view.declared[seat], order)
        if tricks_of(view.leaders, view.tricks, seat):
            features[10] |= 1 << offset
        features[11 + offset] = thermometer(min(view.points[seat], ENOUGH) >> 1)
    features[13] = move_suits(view.hands[me], order, RANKS)
    features[14] = move_suits(view.upcard, order, RANKS)
    features[15] = move_suits(view.table, order, RANKS)
    features[16] = move_suits(view.must_lead, order, RANKS)
    features[17] = move_suits(view.hands[1 - me], order, RANKS)
    features[18] = move_suits(view.cannot[1 - me], order, RANKS)
    put_by_seat(features, 19, view, view.played, 0, order)


@rule
def suits_declared(pairs: Cards, order: int) -> int:
    """The suits of declared kings and queens, as bits, where the order sends them."""
    found = 0
    for suit in range(SUITS):
        if pairs >> RANKS * suit & ONE_SUIT:
            found |= 1 << (order >> 2 * suit & 3)
    return found


# ---------------------------------------------------------------------------- suits


@rule
def trump_cards(view: SnapszerState) -> Cards:
    return view.trump


@rule
def suit_order(view: SnapszerState) -> int:
    return TRUMP_FIRST[lowest(view.trump) // RANKS]


@rule
def free_suits(view: SnapszerState) -> int:
    """All but trump."""
    return 0b1110


@rule
def relabel(view: SnapszerState, phase: int, choices: Choices, order: int) -> Choices:
    """Cards and marriages by their suits; to close and to exchange have none."""
    cards = move_suits(choices & ALL_CARDS, order, RANKS)
    pairs = move_suits(choices >> MARRY & _ALL_MARRIAGES, order, 1)
    return cards | pairs << MARRY | choices & ~(ALL_CARDS | _ALL_MARRIAGES << MARRY)


# ---------------------------------------------------------------------------- tokens

UPCARD, EXCHANGED = OWN_FACTS, OWN_FACTS + 1


@rule
def tell(view: SnapszerState, order: int, tokens: Any) -> int:
    """Who exchanged the jack and when, the upcard, and what the viewer has seen of the talon."""
    at = tell_common(view, order, tokens)
    at = tell_fact(tokens, at, UPCARD, -1, 1 if view.upcard else 0)
    at = tell_card_set(view, order, tokens, at, KNOWN, -1, view.upcard)
    if view.exchanger != NOBODY:
        exchanger = relative(view.exchanger, view.viewer, SEATS)
        at = tell_fact(tokens, at, EXCHANGED, exchanger, view.exchange_trick)
    for slot in range(TALON_SIZE):
        card = slot_of(view.talon, slot)
        if card != SLOT:
            named = lowest(move_suits(1 << card, order, RANKS))
            at = write_token(tokens, at, KNOWN, -1, AS_CARDS, named, slot)
    return at
