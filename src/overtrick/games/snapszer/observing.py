"""Snapszer: what nets are shown of a view, with trump as the first suit."""

from __future__ import annotations

from typing import Any

from overtrick.cards import Cards
from overtrick.games.game import NOBODY, Choices, Row, choice_of
from overtrick.games.observing import (
    AS_CARDS,
    KNOWN,
    OWN_FACTS,
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
    tell_card_set,
    tell_common,
    tell_fact,
    thermometer,
    write_token,
)
from overtrick.games.snapszer.knowledge import slot_of
from overtrick.games.snapszer.rules import (
    ALL_CARDS,
    CARDS,
    ENOUGH,
    HAND_SIZE,
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
from overtrick.jit import lowest, popcount, rule

__all__ = ["ENCODINGS", "free_suits", "observe", "relabel", "suit_order", "tell", "trump_cards"]

_AROUND = seats_around(SEATS)
_CARDS = named_by_place("JQKTA")
_PLACES = suits_by_place()
_POINT_STEPS = range(2, ENOUGH + 1, 2)
_HALF_ENOUGH = ENOUGH // 2
_TEN = 1 << 3
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
    Encoding(
        "trickster",
        1,
        (
            # hand: 29
            Feature("hand", _CARDS, "the viewer's cards"),
            Feature("long", _PLACES, "suits of which the viewer holds three or more"),
            Feature("high", _PLACES, "suits of which the viewer holds ten or ace"),
            Feature("short hand", ("",), "the viewer holds fewer than five cards"),
            # public: 70
            at_least("talon", range(2, TALON_SIZE + 1, 2), "cards that have not been drawn"),
            Feature("open", ("",), "the talon is neither closed nor empty"),
            one_of("upcard", tuple("QKTA"), "rank of the card that lies face up"),
            *cards_by_seat("taken by", _CARDS, _AROUND, "cards in tricks taken"),
            Feature("unseen", _CARDS, "cards that may be with the other or in the talon"),
            # opponent: 20
            Feature("held by other", _CARDS, "cards that the viewer knows the other to hold"),
            # lead: 7
            one_of("led suit", _PLACES, "suit of the card led"),
            Feature("led rank", ("1", "2", "4"), "jack 1, queen 2, king 3, ten 4, ace 5, added up"),
        ),
    ),
)


@rule
def observe(view: SnapszerState, encoding: int, order: int, features: Row) -> None:
    if encoding == 0:
        observe_all_there_is(view, order, features)
    else:
        observe_as_trickster(view, order, features)


@rule
def observe_all_there_is(view: SnapszerState, order: int, features: Row) -> None:
    """The engine's own flags: with scores, marriages, and who closed."""
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
def observe_as_trickster(view: SnapszerState, order: int, features: Row) -> None:
    """126 flags in the groups of the Trickster guide: neither scores nor marriages nor closer."""
    me = view.viewer
    hand = move_suits(view.hands[me], order, RANKS)
    upcard = move_suits(view.upcard, order, RANKS)
    table = move_suits(view.table, order, RANKS)
    held = move_suits(view.hands[1 - me], order, RANKS)
    features[0] = hand
    features[1] = 0
    features[2] = 0
    features[11] = 0
    for suit in range(SUITS):
        cards = hand >> RANKS * suit & ONE_SUIT
        features[1] |= (popcount(cards) >= 3) << suit
        features[2] |= (cards >= _TEN) << suit
        features[11] |= (table >> RANKS * suit & ONE_SUIT > 0) << suit
    features[3] = popcount(hand) < HAND_SIZE
    features[4] = thermometer(view.left >> 1)
    features[5] = view.is_open
    features[6] = (upcard & ONE_SUIT) >> 1
    played = move_suits(view.played[0] | view.played[1], order, RANKS)
    for offset in range(SEATS):
        features[7 + offset] = move_suits(cards_taken(view, me ^ offset), order, RANKS)
    features[9] = ALL_CARDS & ~(hand | upcard | held | played)
    features[10] = held
    features[12] = lowest(table) % RANKS + 1 if table else 0


@rule
def cards_taken(view: SnapszerState, seat: int) -> Cards:
    """The cards in the tricks of a seat: whoever takes a trick leads to the next."""
    taken, cards = 0, 0
    for turn in range(view.turn):
        choice = int(choice_of(view.history[turn]))
        if choice < CARDS:
            trick = cards >> 1
            if trick < view.tricks and view.leaders >> trick + 1 & 1 == seat:
                taken |= 1 << choice
            cards += 1
    return taken


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
    first = TRUMP_FIRST[lowest(view.trump) // RANKS]
    return by_cards(view, view.led, first, free_suits(view), RANKS)


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
