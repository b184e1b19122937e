"""Hokm: what a seat knows, and the deals that it cannot rule out.

A seat sees its own cards and every play; at the trump choice the hakem sees only the cards on
which he chooses (`first_cards`), and he alone ever knows which they were. A card off the led
suit proves a void, and nothing else proves anything, so the unseen cards fall into the hidden
hands with nothing but sizes and voids to respect. Each arrangement comes from equally many
shuffles; to the others the hakem's first five may be any five of his thirteen, drawn evenly.

With `trump_policy=heuristic` the trump follows from the hakem's first cards, which is a hard
constraint to the others: see `automatic.py`.
"""

from __future__ import annotations

from typing import Any

from overtrick.games.game import NOBODY, Places, Row, Seat, draw_cards
from overtrick.games.hokm.automatic import settle_automatic_trump
from overtrick.games.hokm.rules import (
    ALL_CARDS,
    HAND_SIZE,
    SEATS,
    TRUMP,
    HokmState,
    place_in_deck,
)
from overtrick.games.hokm.variant import HEURISTIC
from overtrick.jit import lowest, popcount, rule

__all__ = ["dealt", "hide", "places", "settle"]


@rule
def hide(state: HokmState, seat: Seat) -> None:
    """Erase the others' cards; from a hakem who is choosing trump, also those he has not seen."""
    state.viewer = seat
    for other in range(SEATS):
        if other != seat:
            state.hands[other] = 0
    if seat != state.hakem:
        state.first_cards = 0
    elif state.phase == TRUMP:
        state.hands[seat] = state.first_cards


@rule
def places(view: HokmState, where: Places) -> None:
    """The other hands in the order of their seats, then what the viewer is still to be dealt."""
    me = view.viewer
    unseen = ALL_CARDS & ~view.hands[me]
    for seat in range(SEATS):
        unseen &= ~view.played[seat]
    where.cases = 1
    where.count = SEATS
    where.weight[0] = 1
    for place in range(SEATS):
        seat = me + 1 + place & 3
        where.room[0, place] = HAND_SIZE - popcount(view.hands[seat] | view.played[seat])
        where.allowed[0, place] = unseen & ~view.cannot[seat]
    if where.room[0, SEATS - 1] == 0:
        where.count = SEATS - 1


@rule
def settle(view: HokmState, found: Row, stream: Row) -> None:
    me = view.viewer
    hakem = view.hakem
    if hakem != me and view.trump_policy == HEURISTIC:
        settle_automatic_trump(view, stream)
    else:
        for place in range(SEATS - 1):
            view.hands[me + 1 + place & 3] = found[place]
        if hakem != me:
            hand = view.hands[hakem] | view.played[hakem]
            view.first_cards = draw_cards(hand, view.trump_choice_cards, stream)
        elif view.phase == TRUMP and popcount(view.first_cards) < HAND_SIZE:
            view.hands[me] |= found[SEATS - 1]
    view.viewer = NOBODY


@rule
def dealt(state: HokmState, order: Any) -> None:
    """Lay each hand into the deck as it was dealt, the hakem's with his first cards in front."""
    for offset in range(SEATS):
        seat = state.hakem + offset & 3
        hand = state.hands[seat] | state.played[seat]
        first = state.first_cards if offset == 0 else 0
        number = 0
        for part in (first, hand & ~first):
            cards = part
            while cards:
                order[place_in_deck(offset, number)] = lowest(cards)
                cards &= cards - 1
                number += 1
