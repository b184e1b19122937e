"""Hearts: what a seat knows, and the deals that it cannot rule out.

A seat sees its own cards, what it passed and what it was passed, and every play. Everything that
plays prove is a set of cards that a seat does not hold (`cannot`), so the unseen cards fall into
the three other hands with nothing but sizes and such sets to respect. Every arrangement comes
from equally many pairs (shuffle, hidden passes): whatever the hands after the exchange, the cards
that each of the others gave away may have been any three of those its receiver then held, in any
order. So arrangements are drawn evenly first, and passes afterwards.
"""

from __future__ import annotations

from typing import Any

from overtrick.games.game import (
    HIDDEN,
    NOBODY,
    Places,
    Row,
    Seat,
    hide_choice,
    seat_of,
)
from overtrick.games.hearts.rules import (
    ALL_CARDS,
    HAND_SIZE,
    PASS,
    PASSED_CARDS,
    PASSES,
    PLAY,
    SEATS,
    TWO_OF_CLUBS,
    HeartsState,
    receiver,
)
from overtrick.games.hearts.variant import HOLD
from overtrick.jit import below, lowest, nth, popcount, rule

__all__ = ["dealt", "hide", "places", "settle"]


@rule
def hide(state: HeartsState, seat: Seat) -> None:
    """Erase the others' cards and passes; keep the cards that this seat passed or was passed."""
    state.viewer = seat
    exchanged = state.direction != HOLD and state.phase != PASS
    if exchanged:
        taker = receiver(seat, state.direction)
        state.known[taker] |= state.passed[seat] & state.hands[taker]
    for other in range(SEATS):
        if other != seat:
            state.hands[other] = state.known[other]
            gave_to_seat = exchanged and receiver(other, state.direction) == seat
            if not gave_to_seat:
                state.passed[other] = 0
    if state.direction != HOLD:
        for turn in range(min(state.turn, PASSES)):
            if seat_of(state.history[turn]) != seat:
                hide_choice(state, turn)


@rule
def places(view: HeartsState, where: Places) -> None:
    """One place for each of the other hands, in the order of their seats."""
    me = view.viewer
    seen = view.passed[me] if view.phase == PASS else 0
    for seat in range(SEATS):
        seen |= view.hands[seat] | view.played[seat]
    unseen = ALL_CARDS & ~seen
    where.cases = 1
    where.count = SEATS - 1
    where.weight[0] = 1
    for place in range(SEATS - 1):
        seat = me + 1 + place & 3
        cards = HAND_SIZE - popcount(view.played[seat])  # while passing, also those laid aside
        where.room[0, place] = cards - popcount(view.hands[seat])
        where.allowed[0, place] = unseen & ~view.cannot[seat]


@rule
def passes_made(view: HeartsState, seat: Seat) -> int:
    """How many cards a seat has laid aside; seats choose in turn, three cards each."""
    before = PASSED_CARDS * (seat - view.dealer - 1 & 3)
    return min(max(view.turn - before, 0), PASSED_CARDS)


@rule
def settle(view: HeartsState, found: Row, stream: Row) -> None:
    me = view.viewer
    for place in range(SEATS - 1):
        view.hands[me + 1 + place & 3] |= found[place]
    if view.direction != HOLD:
        settle_passes(view, me, stream)
    for seat in range(SEATS):
        view.known[seat] = 0
    if view.phase == PLAY and view.tricks == 0 and view.led == 0:
        view.known[view.seat] = TWO_OF_CLUBS
    view.viewer = NOBODY


@rule
def settle_passes(view: HeartsState, me: Seat, stream: Row) -> None:
    """Draw the others' passes, and their order, evenly."""
    for giver in range(SEATS):
        if giver == me:
            continue
        made = passes_made(view, giver)
        choosable = passable(view, giver)
        chosen = 0
        first = PASSED_CARDS * (giver - view.dealer - 1 & 3)
        for turn in range(first, first + made):
            rest = choosable & ~chosen
            card = nth(rest, below(stream, popcount(rest)))
            chosen |= 1 << card
            view.history[turn] &= ~HIDDEN
            view.history[turn] |= card
        view.passed[giver] = chosen
        if view.phase == PASS:
            view.hands[giver] &= ~chosen


@rule
def passable(view: HeartsState, giver: Seat) -> int:
    """The cards out of which a seat's passes are drawn.

    During the exchange its whole hand; afterwards what its receiver held, or, when the receiver
    is the viewer, the very cards that it was given.
    """
    if view.phase == PASS:
        return view.hands[giver]
    if view.passed[giver]:
        return view.passed[giver]
    taker = receiver(giver, view.direction)
    return view.hands[taker] | view.played[taker]


@rule
def dealt(state: HeartsState, order: Any) -> None:
    """Undo plays and exchange, then lay each hand into the deck as it was dealt."""
    for seat in range(SEATS):
        hand = state.hands[seat] | state.played[seat]
        if state.direction != HOLD:
            if state.phase != PASS:
                hand &= ~state.passed[seat - state.direction & 3]
            hand |= state.passed[seat]
        place = seat - state.dealer - 1 & 3
        while hand:
            order[place] = lowest(hand)
            hand &= hand - 1
            place += SEATS
