"""Snapszer: two seats, twenty cards, a talon to draw from, and 66 points win.

One rule in the README beside this file is one function here, under the same name. Cards are bits
of DECK: hearts, bells, leaves, acorns, each jack, queen, king, ten, ace, so the higher card of a
suit is its higher bit. The talon is one int64, five bits a card in the order of drawing, as it
was dealt: who has drawn how much is told by `left`, and it is never shifted, so that a whole
record always knows how its cards came about.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from overtrick.cards import Card, Cards, suit_deck
from overtrick.games.game import (
    NOBODY,
    OVER,
    Choice,
    Choices,
    Match,
    PerSeat,
    Seat,
    State,
    clear,
    match_dtype,
    note,
    state_dtype,
)
from overtrick.games.snapszer.variant import AUTO
from overtrick.jit import lowest, popcount, rule

__all__ = [
    "CLOSE",
    "DECK",
    "EXCHANGE",
    "FOLLOW",
    "LEAD",
    "MARRY",
    "MATCH",
    "STATE",
    "SnapszerMatch",
    "SnapszerState",
    "deal",
    "deck_size",
    "legal",
    "marriages",
    "may_close",
    "may_exchange",
    "must_follow",
    "play",
    "strength",
    "tricks_of",
]

LEAD, FOLLOW = range(2)
SEATS, SUITS, RANKS = 2, 4, 5
HAND_SIZE, TALON_SIZE, TRICKS = 5, 10, 10
FACE_DOWN = TALON_SIZE - 1
ENOUGH = 66

DECK = suit_deck("hbla", "JQKTA")
CARDS = len(DECK)
ALL_CARDS: Cards = DECK.all
ONE_SUIT: Cards = (1 << RANKS) - 1
JACKS: Cards = DECK.set("Jh Jb Jl Ja")
QUEENS: Cards = JACKS << 1
KING_AND_QUEEN: Cards = DECK.set("Kh Qh")

CLOSE: Choice = CARDS
MARRY: Choice = CARDS + 1  # and the number of the suit
EXCHANGE: Choice = MARRY + SUITS
LONGEST = CARDS + SUITS + 2  # every card and marriage, one close, one exchange

SLOT_BITS = 5
SLOT = (1 << SLOT_BITS) - 1  # a slot of the talon; all ones if the viewer has not seen its card

SUIT_OF = np.array([ONE_SUIT << RANKS * (card // RANKS) for card in range(CARDS)], dtype=np.int64)
POINTS_OF = np.array([(2, 3, 4, 10, 11)[card % RANKS] for card in range(CARDS)], dtype=np.int64)

# Moves the lowest bit of each suit to its choice to marry: bit 5n to bit 21 + n.
_TO_CHOICES = sum(1 << MARRY - (RANKS - 1) * suit for suit in range(SUITS))
_MARRIAGES = (1 << SUITS) - 1 << MARRY


class SnapszerState(State, Protocol):
    """One deal of Snapszer."""

    led: Cards  # all cards of the led suit, 0 before the lead
    trump: Cards  # all trumps
    talon: int  # its ten cards in the order of drawing as dealt, five bits each, upcard last
    left: int  # how many of them have not been drawn
    is_open: int  # 1 while the talon is neither closed nor empty
    upcard: Cards  # the card that lies face up, as a set of one; 0 once drawn
    swap: Cards  # the jack of trumps as long as a leader may exchange it, else 0
    must_lead: Cards  # king and queen of the marriage declared on this lead, else 0
    tricks: int  # tricks taken so far
    leaders: int  # bit n: who led to trick n, counted from 0, or is to lead to it
    points: PerSeat  # points so far, marriages included
    declared: PerSeat  # kings and queens of all marriages declared
    closer: Seat  # who closed the talon, else NOBODY
    closed_points: int  # the points of the closer's opponent at that time
    exchanger: Seat  # who exchanged the jack, else NOBODY
    exchange_trick: int  # before which trick, counted from 0
    # options
    exchange: int
    exchange_min_talon: int
    close_min_talon: int
    close_success_basis: int


class SnapszerMatch(Match, Protocol):
    """Several deals of Snapszer by the same players, to `target` game points."""

    target: int


STATE = state_dtype(SnapszerState, "snapszer", __file__, seats=SEATS, longest=LONGEST)
MATCH = match_dtype(SnapszerMatch, "snapszer", __file__, seats=SEATS)


@rule
def deck_size(state: SnapszerState) -> int:
    return CARDS


# ---------------------------------------------------------------------------- dealing


@rule
def deal(state: SnapszerState, match: SnapszerMatch, order: Any) -> None:
    """Five cards to the leader, five to the other, nine face down and one face up under them."""
    clear(state)
    leader = match.deals & 1
    for place in range(HAND_SIZE):
        state.hands[leader] |= 1 << int(order[place])
        state.hands[1 - leader] |= 1 << int(order[HAND_SIZE + place])
    talon = 0
    for slot in range(TALON_SIZE):
        talon |= int(order[2 * HAND_SIZE + slot]) << SLOT_BITS * slot
    upcard = int(order[CARDS - 1])
    state.talon = talon
    state.left = TALON_SIZE
    state.is_open = 1
    state.upcard = 1 << upcard
    state.trump = SUIT_OF[upcard]
    state.swap = state.trump & JACKS & ~state.upcard
    state.led = 0
    state.must_lead = 0
    state.tricks = 0
    state.leaders = leader
    state.closer = NOBODY
    state.closed_points = 0
    state.exchanger = NOBODY
    state.exchange_trick = 0
    for seat in range(SEATS):
        state.points[seat] = 0
        state.declared[seat] = 0
    state.phase = LEAD
    state.leader = leader
    state.seat = leader
    exchange_at_once(state, leader)


# ---------------------------------------------------------------------------- what is legal


@rule
def legal(state: SnapszerState) -> Choices:
    hand = state.hands[state.seat]
    if state.phase == FOLLOW:
        return hand if state.is_open else must_follow(hand, state.table, state.led, state.trump)
    if state.must_lead:
        return state.must_lead
    close = may_close(state.is_open, state.left, state.close_min_talon)
    return hand | marriages(hand) | close | may_exchange(hand, state.swap)


@rule
def marriages(hand: Cards) -> Choices:
    """The suits of which a hand has king and queen, as choices."""
    queens = hand & hand >> 1 & QUEENS
    return (queens >> 1) * _TO_CHOICES & _MARRIAGES


@rule
def may_close(is_open: int, left: int, least: int) -> Choices:
    """Closing, as long as the talon is open and large enough."""
    return 1 << CLOSE if is_open and left >= least else 0


@rule
def may_exchange(hand: Cards, swap: Cards) -> Choices:
    """Exchanging by choice; where it is automatic no leader still holds the jack."""
    return 1 << EXCHANGE if hand & swap else 0


@rule
def must_follow(hand: Cards, lead: Cards, led: Cards, trump: Cards) -> Cards:
    """A higher card of the led suit, else any of it, else a trump, else anything."""
    following = hand & led
    if following:
        higher = following & above(lead)
        return higher if higher else following
    trumps = hand & trump
    return trumps if trumps else hand


@rule
def above(card: Cards) -> Cards:
    """All bits above that of a single card."""
    return -(card << 1)


# ---------------------------------------------------------------------------- choosing


@rule
def play(state: SnapszerState, choice: Choice) -> None:
    note(state, choice)
    if state.phase == FOLLOW:
        follow_card(state, choice, 1 << choice)
    elif choice < CARDS:
        lead_card(state, choice, 1 << choice)
    else:
        announce(state, choice)


@rule
def announce(state: SnapszerState, choice: Choice) -> None:
    """What a leader may do before leading; he is to choose again."""
    if choice == CLOSE:
        close_talon(state)
    elif choice == EXCHANGE:
        exchange_jack(state, state.seat)
    else:
        marry(state, choice - MARRY)


@rule
def close_talon(state: SnapszerState) -> None:
    """Nothing more is drawn, and the duties of the strict phase begin."""
    state.is_open = 0
    state.swap = 0
    state.closer = state.seat
    state.closed_points = state.points[1 - state.seat]


@rule
def marry(state: SnapszerState, suit: int) -> None:
    """40 for king and queen of trumps, 20 for others; one of them must be led."""
    seat = state.seat
    pair = KING_AND_QUEEN << RANKS * suit
    state.points[seat] += 40 if pair & state.trump else 20
    state.declared[seat] |= pair
    state.known[seat] |= pair
    if state.points[seat] >= ENOUGH:
        end(state)
    else:
        state.must_lead = pair


@rule
def exchange_at_once(state: SnapszerState, leader: Seat) -> None:
    """A leader exchanges the jack of trumps; one who does not is proven not to hold it."""
    if state.exchange == AUTO:
        if state.hands[leader] & state.swap:
            exchange_jack(state, leader)
        else:
            state.cannot[leader] = state.swap


@rule
def exchange_jack(state: SnapszerState, seat: Seat) -> None:
    """The jack of trumps for the upcard, in front of everybody."""
    state.hands[seat] ^= state.swap | state.upcard
    state.known[seat] |= state.upcard
    state.upcard = state.swap
    state.swap = 0
    state.exchanger = seat
    state.exchange_trick = state.tricks


@rule
def lead_card(state: SnapszerState, choice: Card, card: Cards) -> None:
    seat = state.seat
    state.hands[seat] ^= card
    state.played[seat] |= card
    state.known[seat] &= ~card
    state.table = card
    state.led = SUIT_OF[choice]
    state.must_lead = 0
    state.phase = FOLLOW
    state.seat = 1 - seat


@rule
def follow_card(state: SnapszerState, choice: Card, card: Cards) -> None:
    seat, lead, led = state.seat, state.table, state.led
    if not state.is_open:
        note_duties(state, seat, card)
    state.hands[seat] ^= card
    state.played[seat] |= card
    state.known[seat] &= ~card
    stronger = strength(card, led, state.trump) > strength(lead, led, state.trump)
    taker = seat if stronger else 1 - seat
    state.points[taker] += POINTS_OF[choice] + POINTS_OF[lowest(lead)]
    take_trick(state, taker)


@rule
def strength(card: Cards, led: Cards, trump: Cards) -> int:
    """The higher card of the led suit takes a trick, and any trump beats that."""
    return card & led | (card & trump) << CARDS


@rule
def take_trick(state: SnapszerState, taker: Seat) -> None:
    """Who takes a trick draws first and leads; 66 points or the last trick end the deal."""
    state.tricks += 1
    state.leaders |= taker << state.tricks
    state.leader = taker
    state.seat = taker
    state.phase = LEAD
    state.table = 0
    state.led = 0
    if state.points[taker] >= ENOUGH:
        end(state)
    elif state.is_open:
        draw(state, taker)
    elif state.hands[taker] == 0:
        end(state)


@rule
def draw(state: SnapszerState, taker: Seat) -> None:
    """One card each, the taker first; what is proven of a hand no longer holds."""
    other = 1 - taker
    next_two = state.talon >> SLOT_BITS * (TALON_SIZE - state.left)
    state.left -= 2
    state.hands[taker] |= 1 << (next_two & SLOT)
    state.cannot[other] = 0
    if state.left:
        state.hands[other] |= 1 << (next_two >> SLOT_BITS & SLOT)
        if state.left < state.exchange_min_talon:
            state.swap = 0
        exchange_at_once(state, taker)
    else:
        state.cannot[taker] = 0
        draw_upcard(state, other)


@rule
def draw_upcard(state: SnapszerState, loser: Seat) -> None:
    """The last card drawn; from now on each seat knows the other's hand."""
    state.hands[loser] |= state.upcard
    state.upcard = 0
    state.swap = 0
    state.is_open = 0
    for seat in range(SEATS):
        state.known[seat] = state.hands[seat]


@rule
def end(state: SnapszerState) -> None:
    state.phase = OVER
    state.seat = NOBODY


@rule
def tricks_of(leaders: int, tricks: int, seat: Seat) -> int:
    """How many of the first `tricks` tricks a seat has taken: it led to the one after each."""
    by_one = popcount(leaders >> 1 & (1 << tricks) - 1)
    return by_one if seat else tricks - by_one


# ---------------------------------------------------------------------------- what plays prove


@rule
def note_duties(state: SnapszerState, seat: Seat, card: Cards) -> None:
    """A duty of the strict phase that was not met could not be met."""
    led = state.led
    if card & led == 0:
        state.cannot[seat] |= led
        if card & state.trump == 0:
            state.cannot[seat] |= state.trump
    elif card < state.table:
        state.cannot[seat] |= led & above(state.table)
