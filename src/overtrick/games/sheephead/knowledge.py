"""Sheephead: what a seat knows, and the hands that it cannot rule out.

The picker sees the blind, what he buries and his unknown card; the others see none of it, and in
a Nola hand nobody sees the blind. Where unseen cards may lie is told in `cases.py`; once they are
placed, the picker's hidden choices are drawn here.
"""

from __future__ import annotations

from typing import Any

from overtrick.cards import Cards
from overtrick.games.game import HIDDEN, NOBODY, OVER, Row, Seat, choice_of, hide_choice
from overtrick.games.sheephead.cases import (
    APART,
    BURIED,
    PICKER,
    cards_buried,
    first_bury,
    has_unknown,
    hides_unknown,
    holders,
    place_of,
    room_of,
    seat_of_holder,
    turn_of_unknown,
    unseen_cards,
)
from overtrick.games.sheephead.rules import (
    BLIND_SIZE,
    FIRST_OF_BLIND,
    PACKET,
    SEATS,
    SECOND_PACKETS,
    SUITS,
    SheepheadState,
    next_seat,
)
from overtrick.games.sheephead.variant import AT_END
from overtrick.jit import below, lowest, nth, popcount, rule

__all__ = ["FACE_DOWN", "dealt", "hide", "settle"]

FACE_DOWN: Cards = 1 << len(SUITS)
"""Stands for a card on the table or in a trick of which the viewer has seen only the back."""


# ---------------------------------------------------------------------------- hiding


@rule
def hide(state: SheepheadState, seat: Seat) -> None:
    """Erase the others' hands; to all but the picker also blind, bury and the unknown card."""
    state.viewer = seat
    for other in range(SEATS):
        if other != seat:
            state.hands[other] = state.known[other]
    if seat != state.picker:
        state.blind = 0
        if state.picker != NOBODY:
            hide_picker_choices(state)


@rule
def hide_picker_choices(state: SheepheadState) -> None:
    state.buried = 0
    first = first_bury(state)
    for turn in range(first, first + cards_buried(state)):
        hide_choice(state, turn)
    if has_unknown(state) and not is_turned_up(state):
        hide_choice(state, turn_of_unknown(state))
        state.unknown = 0
        if state.turned:
            turn_down(state)


@rule
def is_turned_up(state: SheepheadState) -> bool:
    """Whether everybody has seen the unknown card."""
    return not state.lies and (state.unknown_shown != AT_END or state.phase == OVER)


@rule
def turn_down(state: SheepheadState) -> None:
    """Cover the unknown card in the trick in which it was played."""
    hide_choice(state, state.turned)
    seen = 0
    for turn in range(turn_of_unknown(state) + 1, state.turn):
        if turn != state.turned:
            seen |= 1 << int(choice_of(state.history[turn]))
    state.played[state.picker] &= seen
    state.table = covered(state.table, seen)
    for seat in range(SEATS):
        state.taken[seat] = covered(state.taken[seat], seen)


@rule
def covered(cards: Cards, seen: Cards) -> Cards:
    """The cards with the one among them that has not been seen face down."""
    return cards & seen | FACE_DOWN if cards & ~seen else cards


# ---------------------------------------------------------------------------- settling


@rule
def settle(view: SheepheadState, found: Row, stream: Row) -> None:
    unseen = unseen_cards(view)
    me = view.viewer
    for holder in range(holders(view)):
        place = place_of(view, holder, unseen)
        cards = some_of(found[place], room_of(view, holder), stream)
        found[place] ^= cards
        seat = seat_of_holder(view, holder)
        if seat == NOBODY:
            view.blind = cards
        else:
            view.hands[seat] = cards
    if view.picker != NOBODY and view.picker != me:
        settle_picker(view, found, stream)
    view.viewer = NOBODY


@rule
def some_of(cards: Cards, count: int, stream: Row) -> Cards:
    """So many cards out of a set, each choice of them equally likely."""
    rest = cards
    left = popcount(cards)
    if left == count:
        return cards
    for _ in range(count):
        rest ^= 1 << nth(rest, below(stream, left))
        left -= 1
    return cards ^ rest


@rule
def settle_picker(view: SheepheadState, found: Row, stream: Row) -> None:
    """Give the picker his cards; draw which two were the blind, and the order of the bury."""
    picker = view.picker
    view.hands[picker] = found[PICKER]
    view.buried = found[BURIED]
    if hides_unknown(view):
        settle_unknown(view, found[APART])
    else:
        view.hands[picker] |= found[APART]
    rest = view.hands[picker] | view.played[picker] | view.buried
    view.blind = some_of(rest, BLIND_SIZE, stream)
    rest = view.buried
    turn = first_bury(view)
    while rest:
        card = nth(rest, below(stream, popcount(rest)))
        fill_in(view, turn, card)
        rest ^= 1 << card
        turn += 1


@rule
def settle_unknown(view: SheepheadState, card: Cards) -> None:
    """Put a card in the place of the unknown one, wherever it lies."""
    view.unknown = card
    fill_in(view, turn_of_unknown(view), lowest(card))
    if view.lies:
        view.hands[view.picker] |= card
        return
    fill_in(view, view.turned, lowest(card))
    view.played[view.picker] |= card
    if view.table & FACE_DOWN:
        view.table ^= card | FACE_DOWN
    for seat in range(SEATS):
        if view.taken[seat] & FACE_DOWN:
            view.taken[seat] ^= card | FACE_DOWN


@rule
def fill_in(view: SheepheadState, turn: int, choice: int) -> None:
    """Put a choice in the place of a hidden one."""
    view.history[turn] &= ~HIDDEN
    view.history[turn] |= choice


# ---------------------------------------------------------------------------- dealt


@rule
def dealt(state: SheepheadState, order: Any) -> None:
    """Undo plays, bury and pick, then lay hands and blind into the deck as they were dealt."""
    lay(state.blind, order, FIRST_OF_BLIND, BLIND_SIZE, 0)
    seat = next_seat(state.dealer)
    for place in range(0, FIRST_OF_BLIND, PACKET):
        hand = state.hands[seat] | state.played[seat]
        if seat == state.picker:
            hand = (hand | state.buried) & ~state.blind
        lay(hand, order, place, PACKET, SECOND_PACKETS + place)
        seat = next_seat(seat)


@rule
def lay(cards: Cards, order: Any, place: int, packet: int, second: int) -> None:
    """Put cards into the deck, lowest first: one packet at a place, the rest at a second one."""
    for number in range(popcount(cards)):
        order[place + number if number < packet else second + number - packet] = lowest(cards)
        cards &= cards - 1
