"""Coinche: what every rule-based player looks at: ranks, points and who has bid what.

Only what the seat to act knows is read here: its own hand, the calls and the cards played.
"""

from __future__ import annotations

import numpy as np

from overtrick.cards import Card, Cards
from overtrick.games.coinche.rules import (
    DECK,
    HAND_SIZE,
    LAST_CAPOT,
    ONE_SUIT,
    PASS,
    PLAIN_ORDER,
    POINTS,
    SUITS,
    TRUMP_ORDER,
    CoincheState,
    trump_suit,
)
from overtrick.games.game import Choice, Row, Seat, choice_of, seat_of
from overtrick.jit import lowest, rule

__all__ = [
    "RANK",
    "bid_of",
    "cheapest",
    "last_bid_of",
    "level_of",
    "partner_of",
    "side_aces",
    "strongest",
    "suit_cards",
    "weakest",
]


ACES: Cards = DECK.set("AS AH AD AC")


def _ranks() -> Row:
    ranks = np.zeros((SUITS, len(DECK)), dtype=np.int64)
    for trump, trump_name in enumerate("SHDC"):
        for card, name in enumerate(DECK.names):
            is_trump = name[1] == trump_name
            order = TRUMP_ORDER if is_trump else PLAIN_ORDER
            ranks[trump, card] = order.index(name[0]) + HAND_SIZE * is_trump
    return ranks


RANK = _ranks()
"""[trump suit, card]: plain cards from 0 for a seven to 7 for an ace, trumps from 8 to 15."""


@rule
def partner_of(seat: Seat) -> Seat:
    return seat + 2 & 3


@rule
def suit_cards(suit: int) -> Cards:
    """All cards of a suit, 0 to 3 for spades, hearts, diamonds, clubs."""
    return ONE_SUIT << HAND_SIZE * suit


@rule
def side_aces(hand: Cards, suit: int) -> Cards:
    """The aces of the other suits."""
    return hand & ACES & ~suit_cards(suit)


# ---------------------------------------------------------------------------- bids


@rule
def level_of(bid: Choice) -> int:
    """How high a bid is: 1 for 80 to 9 for 160, 10 for capot, 0 for none."""
    return bid + 3 >> 2


@rule
def bid_of(level: int, suit: int) -> Choice:
    """The bid of a level, in a suit."""
    return 4 * (level - 1) + suit + 1


@rule
def last_bid_of(state: CoincheState, seat: Seat) -> Choice:
    """The last bid that a seat has made in the auction, 0 if it has made none."""
    for turn in range(state.turn - 1, -1, -1):
        event = int(state.history[turn])
        if seat_of(event) == seat and PASS < choice_of(event) <= LAST_CAPOT:
            return choice_of(event)
    return 0


# ---------------------------------------------------------------------------- cards


@rule
def strongest(state: CoincheState, cards: Cards) -> Card:
    """The card of the highest rank, trumps above all; of equal ones the first of the deck."""
    trump = trump_suit(state.bid)
    best = lowest(cards)
    rest = cards & cards - 1
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if RANK[trump, card] > RANK[trump, best]:
            best = card
    return best


@rule
def weakest(state: CoincheState, cards: Cards) -> Card:
    """The card of the lowest rank, trumps above all; of equal ones the first of the deck."""
    trump = trump_suit(state.bid)
    best = lowest(cards)
    rest = cards & cards - 1
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if RANK[trump, card] < RANK[trump, best]:
            best = card
    return best


@rule
def cheapest(state: CoincheState, cards: Cards) -> Card:
    """The card of the fewest points; of equal ones the weakest, so no trump if it can be helped."""
    trump = trump_suit(state.bid)
    best = lowest(cards)
    rest = cards & cards - 1
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        dearer = POINTS[trump, card] - POINTS[trump, best]
        if dearer < 0 or (dearer == 0 and RANK[trump, card] < RANK[trump, best]):
            best = card
    return best
