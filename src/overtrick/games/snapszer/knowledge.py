"""Snapszer: what a seat knows, and the deals that it cannot rule out.

A seat sees its own cards and draws, the upcard, every play and every announcement. It does not
see the other's hand, nor what the other has drawn, nor the cards face down; and of a card that
the other has played it does not know with which draw it came. A world fills in all of that.

A shuffle is: five cards to the other, one for each of his draws in their order, and the cards
face down in theirs. Number the other's draws from 1; 0 is the hand that he was dealt. A card that
he played to trick t, tricks counted from 0, came with draw t or sooner, since draw t is made
between tricks t - 1 and t; so did king and queen of a marriage declared before trick t, and the
jack of trumps exchanged there. Every other card of his may have come with any draw. Let n(k) be
how many of his cards may have come with draw k. Go through his h draws from the last to the first:
what may have come with a draw may also have come sooner, so whatever the h - k later draws took
was among the n(k), and draw k has a(k) = n(k) - (h - k) cards to choose from. Hence behind each
present arrangement (hand, cards face down in order) stand

    W = a(1) a(2) ... a(h)

shuffles, whichever cards the hand is made of: arrangements are drawn evenly first, and draws
afterwards, from the last to the first, each evenly from what is left. (With no marriage and no
exchange a(k) is 5: any card of the hand after a draw may be the one drawn.)

The jack of trumps is the exception. With exchange=auto a leader who holds it gives it up, so if the
other had the lead before trick t, and the talon was large enough, and the jack was still about,
then he did not hold it: it came with draw t + 1 or later. So while it is unseen it lies face down,
with W shuffles behind every arrangement, or it came with one of the draws j from t + 1 to h. Draws
after j then chose without it, draws before j found it gone, and behind every arrangement stand

    sum over j from t + 1 to h of  (a(h) - 1) ... (a(j + 1) - 1) a(j - 1) ... a(1)

shuffles: two cases with two weights. If the other has played or exchanged it, there is one case,
j is bounded by that trick too, and is drawn in proportion to its term of the sum.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.cards import Cards
from overtrick.games.game import NOBODY, Places, Row, Seat, choice_of, phase_of, seat_of
from overtrick.games.snapszer.rules import (
    ALL_CARDS,
    CARDS,
    EXCHANGE,
    FACE_DOWN,
    FOLLOW,
    HAND_SIZE,
    JACKS,
    KING_AND_QUEEN,
    MARRY,
    RANKS,
    SEATS,
    SLOT,
    SLOT_BITS,
    TALON_SIZE,
    SnapszerState,
)
from overtrick.games.snapszer.variant import AUTO
from overtrick.jit import below, highest, lowest, nth, popcount, rule

__all__ = ["dealt", "hide", "places", "settle"]

DRAWS = TALON_SIZE // 2  # that each seat makes at most


# ---------------------------------------------------------------------------- the talon


@rule
def draws_made(state: SnapszerState) -> int:
    """How many cards each seat has drawn."""
    return TALON_SIZE - state.left >> 1


@rule
def hidden_draws(state: SnapszerState, seat: Seat) -> int:
    """How many of its draws a seat alone has seen: all but the upcard."""
    draws = draws_made(state)
    return draws - 1 if draws == DRAWS and drawn_slot(state, seat, DRAWS) == FACE_DOWN else draws


@rule
def drawn_slot(state: SnapszerState, seat: Seat, draw: int) -> int:
    """Where in the talon lay what a seat drew: the taker of a trick, who leads next, is first."""
    leads_next = state.leaders >> draw & 1
    return 2 * draw - 2 + (leads_next ^ seat)


@rule
def slot_of(talon: int, slot: int) -> int:
    """The card in a slot of the talon, SLOT if the viewer has not seen it."""
    return talon >> SLOT_BITS * slot & SLOT


@rule
def came_face_down(state: SnapszerState, seat: Seat) -> Cards:
    """The cards that a seat was dealt or drew, without those that it took face up."""
    cards = state.hands[seat] | state.played[seat]
    jack = state.trump & JACKS
    first_upcard = 1 << slot_of(state.talon, FACE_DOWN)
    if state.exchanger == seat:
        return cards & ~first_upcard | jack
    if state.left == 0 and hidden_draws(state, seat) < DRAWS:
        return cards & ~(first_upcard if state.exchanger == NOBODY else jack)
    return cards


# ---------------------------------------------------------------------------- views


@rule
def hide(state: SnapszerState, seat: Seat) -> None:
    """Erase the other's hand but for the cards he has shown, his draws and the cards face down."""
    state.viewer = seat
    state.hands[1 - seat] = state.known[1 - seat]
    seen = SLOT << SLOT_BITS * FACE_DOWN
    for draw in range(1, draws_made(state) + 1):
        seen |= SLOT << SLOT_BITS * drawn_slot(state, seat, draw)
    state.talon |= ~seen & (1 << SLOT_BITS * TALON_SIZE) - 1


# ---------------------------------------------------------------------------- when a card came


@rule
def may_have_come(state: SnapszerState, seat: Seat, late: Row) -> None:
    """Write, for every draw of a seat, which of its cards may have come with it."""
    cards = came_face_down(state, seat)
    draws = draws_made(state)
    given_up = state.trump & JACKS if state.exchanger == seat else 0
    if state.exchange_trick == 0:
        cards &= ~given_up
    trick = 0
    for turn in range(state.turn):
        event = state.history[turn]
        if seat_of(event) == seat:
            cards &= ~shown_by(int(choice_of(event)))
        if phase_of(event) == FOLLOW:
            trick += 1
            if trick > draws:
                break
            late[trick] = cards
            if state.exchange_trick == trick:
                cards &= ~given_up


@rule
def shown_by(choice: int) -> Cards:
    """The cards that a choice shows its seat to hold, the jack that is exchanged apart."""
    if choice < CARDS:
        return 1 << choice
    if MARRY <= choice < EXCHANGE:
        return KING_AND_QUEEN << RANKS * (choice - MARRY)
    return 0


@rule
def earliest_draw_of_jack(state: SnapszerState, seat: Seat, tricks: int) -> int:
    """The first draw with which the jack of trumps may have come, 0 for the hand dealt.

    `tricks` is how many tricks had begun while this seat, if it had the lead, would have had to
    exchange it.
    """
    if state.exchange != AUTO:
        return 0
    tricks = min(tricks, 1 + (TALON_SIZE - state.exchange_min_talon >> 1))
    led = (state.leaders ^ seat - 1) & (1 << tricks) - 1
    return highest(led) + 1 if led else 0


@rule
def ways_of_jack(late: Row, more: int, jack: Cards, came: int, draws: int) -> int:
    """The ways in which cards may have come with draws, the jack with draw `came`.

    `more` cards that are not in `late` may have come with any draw; if `came` is 0 the jack is
    not among all these cards, or bound by nothing.
    """
    ways = 1
    for draw in range(1, draws + 1):
        choices = popcount(late[draw]) + more - (draws - draw)
        if came == 0 or draw < came:
            ways *= choices
        elif draw > came:
            ways *= choices - (1 if late[draw] & jack or more else 0)
    return ways


# ---------------------------------------------------------------------------- worlds


@rule
def places(view: SnapszerState, where: Places) -> None:
    """Two places, the other's hand and the cards face down; two cases if the jack matters."""
    me = view.viewer
    other = 1 - me
    seen = view.hands[me] | view.hands[other] | view.played[me] | view.played[other]
    unseen = ALL_CARDS & ~(seen | view.upcard)
    draws = draws_made(view)
    held = HAND_SIZE + draws - popcount(view.played[other])
    room = held - popcount(view.hands[other])
    where.cases = 1
    where.count = 2
    where.weight[0] = 1
    where.room[0, 0] = room
    where.room[0, 1] = max(view.left - 1, 0)
    where.allowed[0, 0] = unseen & ~view.cannot[other]
    where.allowed[0, 1] = unseen
    jack = where.allowed[0, 0] & JACKS & view.trump
    first = earliest_draw_of_jack(view, other, draws + 1)
    if jack and first:
        late = np.zeros(DRAWS + 1, dtype=np.int64)
        may_have_come(view, other, late)
        where.cases = 2
        where.room[1, 0] = where.room[0, 0]
        where.room[1, 1] = where.room[0, 1]
        where.allowed[1, 0] = where.allowed[0, 0]
        where.allowed[1, 1] = unseen & ~jack
        where.allowed[0, 0] &= ~jack
        where.weight[0] = ways_of_jack(late, room, jack, 0, draws)
        where.weight[1] = 0
        for came in range(first, draws + 1):
            where.weight[1] += ways_of_jack(late, room, jack, came, draws)


@rule
def settle(view: SnapszerState, found: Row, stream: Row) -> None:
    other = 1 - view.viewer
    view.hands[other] |= found[0]
    if view.left < TALON_SIZE:
        settle_draws(view, other, stream)
    rest = found[1]
    for slot in range(TALON_SIZE - view.left, FACE_DOWN):
        card = nth(rest, below(stream, popcount(rest)))
        rest ^= 1 << card
        put(view, slot, card)
    view.viewer = NOBODY


@rule
def put(view: SnapszerState, slot: int, card: int) -> None:
    """Lay a card into a slot of the talon that is all ones."""
    view.talon ^= (card ^ SLOT) << SLOT_BITS * slot


@rule
def settle_draws(view: SnapszerState, other: Seat, stream: Row) -> None:
    """Draw what came with which of the other's draws, the last one first."""
    late = np.zeros(DRAWS + 1, dtype=np.int64)
    may_have_come(view, other, late)
    draws = hidden_draws(view, other)
    jack = view.trump & JACKS
    came = draw_of_jack(view, other, late, draws, stream)
    gone = jack if came else 0
    for draw in range(draws, 0, -1):
        if draw == came:
            card = lowest(jack)
        else:
            choices = late[draw] & ~gone
            card = nth(choices, below(stream, popcount(choices)))
            gone |= 1 << card
        put(view, drawn_slot(view, other, draw), card)


@rule
def draw_of_jack(view: SnapszerState, seat: Seat, late: Row, draws: int, stream: Row) -> int:
    """The draw with which the jack of trumps came; 0 if nothing tells it from other cards."""
    jack = view.trump & JACKS
    last = draws
    while last > 0 and late[last] & jack == 0:
        last -= 1
    if last == 0:
        return 0
    exchanged_there = view.exchanger == seat and view.exchange_trick == last
    first = earliest_draw_of_jack(view, seat, last if exchanged_there else last + 1)
    if first == 0:
        return 0
    ways = 0
    for came in range(first, last + 1):
        ways += ways_of_jack(late, 0, jack, came, draws)
    chosen = below(stream, ways)
    came = first
    while came < last:
        chosen -= ways_of_jack(late, 0, jack, came, draws)
        if chosen < 0:
            break
        came += 1
    return came


@rule
def dealt(state: SnapszerState, order: Any) -> None:
    """Take back exchange and draws, then lay hands and talon into the deck as they were dealt."""
    for seat in range(SEATS):
        hand = came_face_down(state, seat)
        for draw in range(1, hidden_draws(state, seat) + 1):
            hand &= ~(1 << slot_of(state.talon, drawn_slot(state, seat, draw)))
        place = 0 if seat == state.leaders & 1 else HAND_SIZE
        while hand:
            order[place] = lowest(hand)
            hand &= hand - 1
            place += 1
    for slot in range(TALON_SIZE):
        order[2 * HAND_SIZE + slot] = slot_of(state.talon, slot)
