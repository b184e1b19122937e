"""Sheephead: what nets are shown of a view, with the called suit as the first of the fail suits.

Trumps keep their names. A card of which the viewer has seen only the back counts among the cards
of its trick, but not as a card.
"""

from __future__ import annotations

from typing import Any

from overtrick.cards import Cards
from overtrick.games.game import Choices, Row
from overtrick.games.observing import (
    KNOWN,
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
    one_of,
    put_by_seat,
    relative,
    seat_after,
    seats_around,
    tell_card_set,
    tell_common,
    tell_fact,
    thermometer,
)
from overtrick.games.sheephead.rules import (
    ALL_CARDS,
    BID,
    DECK,
    DECLARE,
    FAIL_SUITS,
    FIRST_ACE,
    FIRST_TEN,
    ONE_SUIT,
    SEATS,
    SUIT_SIZE,
    TRUMPS,
    SheepheadState,
)
from overtrick.games.sheephead.scoring import card_points
from overtrick.games.sheephead.variant import REDEAL
from overtrick.jit import lowest, rule

__all__ = ["ENCODINGS", "free_suits", "observe", "relabel", "suit_order", "tell", "trump_cards"]

_AROUND = seats_around(SEATS)
_OTHERS = _AROUND[1:]
_CARDS = (
    *(f"{rank} of fail suit {suit}" for suit in range(1, FAIL_SUITS + 1) for rank in "789KTA"),
    *DECK.names[FAIL_SUITS * SUIT_SIZE :],
)
_SUITS = (*(f"fail suit {suit}" for suit in range(1, FAIL_SUITS + 1)), "trump, or diamonds")
_POINT_STEPS = range(10, 121, 10)

ENCODINGS = (
    Encoding(
        "standard",
        1,
        (
            one_of("phase", ("bid", "bury", "declare", "unknown", "play"), "what is to be chosen"),
            one_of("to act", _AROUND, "whose turn it is"),
            one_of("dealer", _AROUND, "who dealt, or sits before the first seat"),
            one_of("picker", _AROUND, "who took the blind"),
            one_of("partner", _AROUND, "who has played the called card"),
            one_of("leader", _AROUND, "who led this trick or is to lead it"),
            one_of("taking", _AROUND, "who is taking this trick"),
            Feature("doubled", ("",), "the hand counts double"),
            Feature("nola", ("",), "nobody picked"),
            Feature("pending", ("",), "the called suit has not been led"),
            Feature("unknown lies", ("",), "the unknown card has not been played"),
            Feature("hand", _CARDS, "the viewer's cards"),
            Feature("called", _CARDS, "the called card"),
            one_of("led", _SUITS, "the suit led"),
            Feature("table", _CARDS, "the cards of this trick"),
            Feature("buried", _CARDS, "the cards that the viewer buried"),
            Feature("unknown", _CARDS, "the unknown card, if the viewer has seen it"),
            *(
                one_of(f"void {seat}", _SUITS, "suits that this seat is proven not to hold")
                for seat in _OTHERS
            ),
            *cards_by_seat("played by", _CARDS, _AROUND, "cards played so far, this trick's too"),
            *(at_least(f"points {seat}", _POINT_STEPS, "in tricks taken") for seat in _AROUND),
        ),
    ),
)


@rule
def observe(view: SheepheadState, encoding: int, order: int, features: Row) -> None:
    me = view.viewer
    features[0] = flag_phase(view)
    features[1] = flag_seat(view.seat, me, SEATS)
    features[2] = flag_seat(view.dealer, me, SEATS)
    features[3] = flag_seat(view.picker, me, SEATS)
    features[4] = flag_partner(view)
    features[5] = flag_seat(view.leader, me, SEATS)
    features[6] = flag_seat(view.taker, me, SEATS) if view.table else 0
    features[7] = view.multiplier - 1
    features[8] = 1 if view.trumps == 0 else 0
    features[9] = 1 if view.pending else 0
    features[10] = view.lies
    features[11] = move_cards(view, view.hands[me], order)
    features[12] = move_cards(view, view.called, order)
    features[13] = flag_suits(view.led, order)
    features[14] = move_cards(view, view.table, order)
    features[15] = move_cards(view, view.buried, order)
    features[16] = move_cards(view, view.unknown, order)
    for offset in range(1, SEATS):
        features[16 + offset] = flag_suits(view.cannot[seat_after(me, offset, SEATS)], order)
    at = put_by_seat(features, 16 + SEATS, view, view.played, 0, order)
    for offset in range(SEATS):
        took = view.taken[seat_after(me, offset, SEATS)]
        features[at + offset] = thermometer(card_points(took & ALL_CARDS) * 205 >> 11)  # by 10


@rule
def flag_suits(cards: Cards, order: int) -> int:
    """The flags of suits whose lowest card is in a set."""
    flags = (cards >> FAIL_SUITS * SUIT_SIZE & 1) << FAIL_SUITS
    for suit in range(FAIL_SUITS):
        flags |= (cards >> SUIT_SIZE * suit & 1) << (order >> 2 * suit & 3)
    return flags


@rule
def flag_partner(view: SheepheadState) -> int:
    """The flag of who has played the called card, the picker too if he called his own."""
    flags = 0
    for offset in range(SEATS):
        shown = view.played[seat_after(view.viewer, offset, SEATS)] & view.called
        flags |= (shown != 0) << offset
    return flags


# ---------------------------------------------------------------------------- suits

_COURTS = tuple(
    (DECK.card("J" + suit), DECK.card("Q" + suit)) for suit in "CSH"
)  # jack and queen of the suits that are fail suits in a normal hand
_COURT_CARDS: Cards = DECK.set("JC QC JS QS JH QH")


@rule
def trump_cards(view: SheepheadState) -> Cards:
    return view.trumps


@rule
def suit_order(view: SheepheadState) -> int:
    first = TRUMP_FIRST[lowest(view.called) // SUIT_SIZE] if view.called else SAME_SUITS
    return by_cards(view, view.led, first, free_suits(view), SUIT_SIZE)


@rule
def free_suits(view: SheepheadState) -> int:
    """The fail suits but for the called one; in a Nola hand clubs, spades and hearts.

    While all may still pass into Nola, jacks and queens tie their suits to both orders.
    """
    if view.phase == BID and view.all_pass != REDEAL:
        return 0
    return 0b0110 if view.called else 0b0111


@rule
def relabel(view: SheepheadState, phase: int, choices: Choices, order: int) -> Choices:
    if phase == BID:
        return choices
    if phase != DECLARE:
        return move_cards(view, choices, order)
    moved = choices & 1
    for suit in range(FAIL_SUITS):
        place = order >> 2 * suit & 3
        moved |= (choices >> FIRST_ACE + suit & 1) << FIRST_ACE + place
        moved |= (choices >> FIRST_TEN + suit & 1) << FIRST_TEN + place
    return moved


@rule
def move_cards(view: SheepheadState, cards: Cards, order: int) -> Cards:
    """Cards with their fail suits moved; in a Nola hand, jacks and queens of these suits too."""
    moved = cards & TRUMPS
    for suit in range(FAIL_SUITS):
        fail = cards >> SUIT_SIZE * suit & ONE_SUIT
        moved |= fail << SUIT_SIZE * (order >> 2 * suit & 3)
    return moved if view.trumps else moved & ~_COURT_CARDS | move_courts(cards, order)


@rule
def move_courts(cards: Cards, order: int) -> Cards:
    """Jacks and queens of clubs, spades and hearts with their suits moved."""
    moved = 0
    for suit in range(FAIL_SUITS):
        jack, queen = _COURTS[suit]
        to_jack, to_queen = _COURTS[order >> 2 * suit & 3]
        moved |= (cards >> jack & 1) << to_jack | (cards >> queen & 1) << to_queen
    return moved


# ---------------------------------------------------------------------------- tokens

DEALER, DOUBLED = OWN_FACTS, OWN_FACTS + 1


@rule
def tell(view: SheepheadState, order: int, tokens: Any) -> int:
    """The dealer and the stakes; to the picker the blind."""
    at = tell_common(view, order, tokens)
    at = tell_fact(tokens, at, DEALER, relative(view.dealer, view.viewer, SEATS), 0)
    at = tell_fact(tokens, at, DOUBLED, -1, view.multiplier)
    if view.viewer == view.picker:
        at = tell_card_set(view, order, tokens, at, KNOWN, 0, view.blind)
    return at
