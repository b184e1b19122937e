"""3 x 3 whist: two seats, three suits of three ranks, three tricks, spades are trump.

One rule in the README beside this file is one function here, under the same name. Cards are bits
of DECK: clubs, diamonds, spades, each queen, king, ace. Trump is the highest suit, so the highest
bit among the cards that count takes the trick.
"""

from __future__ import annotations

from typing import Any, Protocol

from overtrick.cards import Card, Cards, suit_deck
from overtrick.games.game import (
    NOBODY,
    OVER,
    Choice,
    Choices,
    PerSeat,
    Places,
    Row,
    Seat,
    State,
    clear,
    match_dtype,
    note,
    state_dtype,
)
from overtrick.games.tally import TallyMatch
from overtrick.jit import lowest, popcount, rule

__all__ = [
    "DECK",
    "MATCH",
    "STATE",
    "TRUMP",
    "WhistState",
    "deal",
    "dealt",
    "deck_size",
    "hide",
    "legal",
    "must_follow",
    "payoffs",
    "places",
    "play",
    "settle",
    "suit_of",
    "take_trick",
    "winnings",
]

SEATS, HAND_SIZE, TALON = 2, 3, 3
SUITS, RANKS = 3, 3
DECK = suit_deck("CDS", "QKA")
ALL_CARDS: Cards = DECK.all
ONE_SUIT: Cards = (1 << RANKS) - 1
TRUMP: Cards = ONE_SUIT << RANKS * (SUITS - 1)
LONGEST = SEATS * HAND_SIZE

PLAY = 0  # the only phase


class WhistState(State, Protocol):
    """One deal of 3 x 3 whist."""

    talon: Cards  # the cards that nobody sees
    led: Cards  # all cards of the led suit, 0 before the lead
    best: Cards  # the card that is taking the trick, as a set of one; 0 before the lead
    taker: Seat  # who played it, NOBODY before the first lead
    tricks: PerSeat  # tricks taken so far


STATE = state_dtype(WhistState, "whist3x3", __file__, seats=SEATS, longest=LONGEST)
MATCH = match_dtype(TallyMatch, "whist3x3", __file__, seats=SEATS)


@rule
def deck_size(state: WhistState) -> int:
    return SUITS * RANKS


# ---------------------------------------------------------------------------- the deal


@rule
def deal(state: WhistState, match: TallyMatch, order: Any) -> None:
    """Three cards at once to each seat, three aside; seat 0 is to lead."""
    clear(state)
    state.phase = PLAY
    state.seat = 0
    state.leader = 0
    state.led = 0
    state.best = 0
    state.taker = NOBODY
    state.talon = ALL_CARDS
    for seat in range(SEATS):
        state.tricks[seat] = 0
        for place in range(HAND_SIZE):
            state.hands[seat] |= 1 << int(order[HAND_SIZE * seat + place])
        state.talon &= ~state.hands[seat]


# ---------------------------------------------------------------------------- playing


@rule
def legal(state: WhistState) -> Choices:
    hand = state.hands[state.seat]
    return must_follow(hand, state.led) if state.led else hand


@rule
def must_follow(hand: Cards, led: Cards) -> Cards:
    """Follow suit when able; otherwise play anything."""
    following = hand & led
    return following if following else hand


@rule
def play(state: WhistState, choice: Choice) -> None:
    note(state, choice)
    seat = state.seat
    card = 1 << choice
    if state.led == 0:
        state.led = suit_of(choice)
        state.best = 0
    elif card & state.led == 0:
        state.cannot[seat] |= state.led
    if card & (state.led | TRUMP) > state.best:
        state.best = card
        state.taker = seat
    state.hands[seat] ^= card
    state.played[seat] |= card
    state.table |= card
    state.seat = 1 - seat
    if state.seat == state.leader:
        take_trick(state)


@rule
def suit_of(card: Card) -> Cards:
    """All cards of a card's suit."""
    suit = ONE_SUIT
    while suit >> card & 1 == 0:
        suit <<= RANKS
    return suit


@rule
def take_trick(state: WhistState) -> None:
    """The highest trump takes the trick, else the highest card led; its seat leads next."""
    state.tricks[state.taker] += 1
    state.table = 0
    state.led = 0
    state.leader = state.taker
    state.seat = state.taker
    if state.hands[state.taker] == 0:
        state.phase = OVER
        state.seat = NOBODY


# ---------------------------------------------------------------------------- what it is worth


@rule
def winnings(state: WhistState, seat: Seat) -> int:
    """Own tricks less the other's."""
    more: int = state.tricks[seat] - state.tricks[1 - seat]
    return more


@rule
def payoffs(state: WhistState, out: Row) -> None:
    for seat in range(SEATS):
        out[seat] = winnings(state, seat)


# ---------------------------------------------------------------------------- what a seat knows


@rule
def hide(state: WhistState, seat: Seat) -> None:
    """Erase the other hand and the talon."""
    state.viewer = seat
    state.hands[1 - seat] = 0
    state.talon = 0


@rule
def places(view: WhistState, where: Places) -> None:
    """The other hand, which lacks the suits it did not follow, and the talon."""
    other = 1 - view.viewer
    unseen = ALL_CARDS & ~(view.hands[view.viewer] | view.played[0] | view.played[1])
    where.cases = 1
    where.count = 2
    where.weight[0] = 1
    where.room[0, 0] = HAND_SIZE - popcount(view.played[other])
    where.allowed[0, 0] = unseen & ~view.cannot[other]
    where.room[0, 1] = TALON
    where.allowed[0, 1] = unseen


@rule
def settle(view: WhistState, found: Row, stream: Row) -> None:
    view.hands[1 - view.viewer] = found[0]
    view.talon = found[1]
    view.viewer = NOBODY


@rule
def dealt(state: WhistState, order: Any) -> None:
    """Each hand as it was dealt, lowest card first, then the talon."""
    for seat in range(SEATS):
        lay(state.hands[seat] | state.played[seat], order, HAND_SIZE * seat)
    lay(state.talon, order, HAND_SIZE * SEATS)


@rule
def lay(cards: Cards, order: Any, place: int) -> None:
    """Put cards into the deck from a place on."""
    while cards:
        order[place] = lowest(cards)
        cards &= cards - 1
        place += 1
