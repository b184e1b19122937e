"""Coinche: four seats in two teams, an auction for trump, eight tricks.

One rule in the README beside this file is one function here, under the same name. Cards are bits
of DECK: spades, hearts, diamonds, clubs, each 7 8 9 J Q K T A, so in a plain suit the higher bit
is the higher card. Trump has another order; which cards beat which, and what each is worth, is in
two tables, one row for each trump suit.
"""

from __future__ import annotations

from typing import Annotated, Any, Protocol

import numpy as np

from overtrick.cards import Card, Cards, suit_deck
from overtrick.games.coinche.variant import FFB, MUST, NO_UNDERRUFF
from overtrick.games.game import (
    NOBODY,
    OVER,
    Choice,
    Choices,
    Match,
    Row,
    Seat,
    State,
    clear,
    match_dtype,
    note,
    state_dtype,
)
from overtrick.jit import rule

__all__ = [
    "ALL_CARDS",
    "BID",
    "COINCHE",
    "DECK",
    "HAND_SIZE",
    "LAST_CAPOT",
    "MATCH",
    "PASS",
    "PLAY",
    "SEATS",
    "STATE",
    "SUITS",
    "SURCOINCHE",
    "CoincheMatch",
    "CoincheState",
    "deal",
    "deck_size",
    "legal",
    "may_call",
    "may_play",
    "play",
    "proven",
    "trump_suit",
]

BID, PLAY = range(2)
SEATS, HAND_SIZE, SUITS = 4, 8, 4
LONGEST_AUCTION = 4 + 3 * 11  # passes between nine values, capot, coinche and surcoinche

# Calls: pass, then bids by value and suit (80S 80H 80D 80C 90S …), the four capots, doubling.
PASS, FIRST_BID, LAST_CAPOT, COINCHE, SURCOINCHE = 0, 1, 40, 41, 42
ALL_BIDS: Choices = (1 << LAST_CAPOT + 1) - (1 << FIRST_BID)

DECK = suit_deck("SHDC", "789JQKTA")
ALL_CARDS: Cards = DECK.all
ONE_SUIT: Cards = (1 << HAND_SIZE) - 1
KING_AND_QUEEN: Cards = DECK.set("KS QS")  # of the first suit
LAST_TRICK_POINTS = 10

PLAIN_ORDER, PLAIN_POINTS = "789JQKTA", (0, 0, 0, 2, 3, 4, 10, 11)
TRUMP_ORDER, TRUMP_POINTS = "78QKTA9J", (0, 0, 3, 4, 10, 11, 14, 20)


def _tables() -> tuple[Row, Row]:
    beaters = np.zeros((SUITS, len(DECK)), dtype=np.int64)
    points = np.zeros((SUITS, len(DECK)), dtype=np.int64)
    for trump, trump_name in enumerate("SHDC"):
        all_trumps = ONE_SUIT << HAND_SIZE * trump
        for card, name in enumerate(DECK.names):
            is_trump = name[1] == trump_name
            order = TRUMP_ORDER if is_trump else PLAIN_ORDER
            place = order.index(name[0])
            higher = DECK.set([rank + name[1] for rank in order[place + 1 :]])
            beaters[trump, card] = higher if is_trump else higher | all_trumps
            points[trump, card] = (TRUMP_POINTS if is_trump else PLAIN_POINTS)[place]
    return beaters, points


BEATERS, POINTS = _tables()
"""[trump suit, card]: the cards that beat a card which is taking the trick; its points."""

PerTeam = Annotated[Row, 2]


class CoincheState(State, Protocol):
    """One deal of Coinche. Seats 0 and 2 are team 0, seats 1 and 3 team 1."""

    dealer: Seat
    passes_left: int  # so many passes in a row end the auction
    bid: Choice  # the highest bid so far, 0 before the first
    bidder: Seat  # who made it
    doubled: int  # 1 after a coinche, 2 after a surcoinche
    trump: Cards  # all cards of the trump suit, 0 before the play
    royals: Cards  # king and queen of trump, if they count; 0 before the play
    led: Cards  # all cards of the led suit, 0 before the lead
    beaters: Cards  # the cards that would take the trick
    taker: Seat  # who is taking the trick, or took the last one
    stake: int  # points on the table
    announcer: Seat  # who has announced belote
    points: PerTeam  # taken in tricks so far, the last trick's ten included
    tricks: PerTeam  # taken so far
    # options
    undertrump: int
    partner_ruff: int
    belote: int
    reward_matrix: int
    belote_in_reward: int
    coinche_fail: int
    surcoinche_mult: int
    trick_reward: int  # in thousandths


class CoincheMatch(Match, Protocol):
    """Several deals of Coinche by the same players, to `target`; partners have equal scores."""

    target: int


STATE = state_dtype(
    CoincheState, "coinche", __file__, seats=SEATS, longest=LONGEST_AUCTION + len(DECK)
)
MATCH = match_dtype(CoincheMatch, "coinche", __file__, seats=SEATS)


@rule
def deck_size(state: CoincheState) -> int:
    return 32


# ---------------------------------------------------------------------------- dealing


@rule
def deal(state: CoincheState, match: CoincheMatch, order: Any) -> None:
    """Eight cards at once to each seat, from the one after the dealer, who also calls first."""
    clear(state)
    first = match.deals + 1 & 3
    state.phase = BID
    state.dealer = match.deals & 3
    state.seat = first
    state.leader = first
    state.passes_left = 4
    state.bid = 0
    state.bidder = NOBODY
    state.doubled = 0
    state.trump = 0
    state.royals = 0
    state.led = 0
    state.beaters = ALL_CARDS
    state.taker = NOBODY
    state.stake = 0
    state.announcer = NOBODY
    for team in range(2):
        state.points[team] = 0
        state.tricks[team] = 0
    for place in range(SEATS):
        for offset in range(HAND_SIZE):
            card = int(order[HAND_SIZE * place + offset])
            state.hands[first + place & 3] |= 1 << card


# ---------------------------------------------------------------------------- what is legal


@rule
def legal(state: CoincheState) -> Choices:
    return may_call(state) if state.phase == BID else may_play(state)


@rule
def may_call(state: CoincheState) -> Choices:
    """Pass; bid higher before a coinche; coinche their bid; surcoinche one's own."""
    calls = 1 << PASS
    if state.doubled == 0:
        calls |= higher_bids(state.bid)
    if state.bid:
        opposed = (state.seat ^ state.bidder) & 1
        if state.doubled == 0 and opposed:
            calls |= 1 << COINCHE
        if state.doubled == 1 and not opposed:
            calls |= 1 << SURCOINCHE
    return calls


@rule
def higher_bids(bid: Choice) -> Choices:
    """The bids of a higher value, in any suit; all of them over no bid."""
    last_of_this_value = (bid - 1 | 3) + 1
    return ALL_BIDS & -2 << last_of_this_value


@rule
def may_play(state: CoincheState) -> Choices:
    """Any card to lead; then follow suit, or else trump, and beat the trumps there are."""
    hand = state.hands[state.seat]
    if state.led == 0:
        return hand
    following = hand & state.led
    higher = hand & state.beaters & state.trump
    if following:
        return higher if higher and state.led == state.trump else following
    if (state.seat ^ state.taker) & 1 == 0:
        return with_the_partner(state, hand, higher)
    if higher:
        return higher
    trumps = hand & state.trump
    return trumps if trumps and state.undertrump == MUST else hand


@rule
def with_the_partner(state: CoincheState, hand: Cards, higher: Cards) -> Cards:
    """Any card when the partner is taking the trick.

    With `no_underruff`, no trump below the partner's by a hand with one above.
    """
    if higher and state.partner_ruff == NO_UNDERRUFF:
        return hand & ~(state.trump & ~state.beaters)
    return hand


# ---------------------------------------------------------------------------- choosing


@rule
def play(state: CoincheState, choice: Choice) -> None:
    note(state, choice)
    if state.phase == BID:
        call(state, choice)
    else:
        play_card(state, choice, 1 << choice)


@rule
def call(state: CoincheState, choice: Choice) -> None:
    """Three passes in a row end the auction, four before the first bid; a surcoinche at once."""
    if choice == PASS:
        state.passes_left -= 1
    else:
        state.passes_left = 3
        if choice == COINCHE:
            state.doubled = 1
        elif choice == SURCOINCHE:
            state.doubled = 2
            state.passes_left = 0
        else:
            state.bid = choice
            state.bidder = state.seat
    state.seat = state.seat + 1 & 3
    if state.passes_left == 0:
        end_auction(state)


@rule
def end_auction(state: CoincheState) -> None:
    """The suit of the last bid is trump; without a bid the deal is over."""
    if state.bid == 0:
        state.phase = OVER
        state.seat = NOBODY
    else:
        first_trump = HAND_SIZE * trump_suit(state.bid)
        state.phase = PLAY
        state.seat = state.leader
        state.trump = ONE_SUIT << first_trump
        if state.belote == FFB:
            state.royals = KING_AND_QUEEN << first_trump


@rule
def trump_suit(bid: Choice) -> int:
    """The suit of a bid: 0 to 3 for spades, hearts, diamonds, clubs."""
    return bid - 1 & 3


@rule
def play_card(state: CoincheState, choice: Card, card: Cards) -> None:
    seat = state.seat
    trump = trump_suit(state.bid)
    if state.led == 0:
        state.led = ONE_SUIT << (choice & 24)
    else:
        state.cannot[seat] |= proven(state, card)
    if card & state.beaters:
        state.beaters = BEATERS[trump, choice]
        state.taker = seat
    state.stake += POINTS[trump, choice]
    state.hands[seat] ^= card
    state.played[seat] |= card
    state.table |= card
    if card & state.royals:
        announce(state, card)
    state.seat = seat + 1 & 3
    if state.seat == state.leader:
        take_trick(state)


@rule
def take_trick(state: CoincheState) -> None:
    """The highest trump takes the trick, else the highest card led; its seat leads next."""
    taker = state.taker
    state.points[taker & 1] += state.stake
    state.tricks[taker & 1] += 1
    state.stake = 0
    state.table = 0
    state.led = 0
    state.beaters = ALL_CARDS
    state.leader = taker
    state.seat = taker
    if state.hands[taker] == 0:
        state.points[taker & 1] += LAST_TRICK_POINTS
        state.phase = OVER
        state.seat = NOBODY


@rule
def announce(state: CoincheState, card: Cards) -> None:
    """Say belote with the first of king and queen of trump when holding the other too.

    All then know where the other is; and when nothing is said, where it is not.
    """
    seat = state.seat
    other = state.royals ^ card
    if state.announcer == seat:
        state.known[seat] = 0  # rebelote
    elif state.hands[seat] & other:
        state.announcer = seat
        state.known[seat] = other
    else:
        state.cannot[seat] |= other


# ---------------------------------------------------------------------------- what plays prove


@rule
def proven(state: CoincheState, card: Cards) -> Cards:
    """The cards that the seat to act cannot hold, now that it follows with this card."""
    higher = state.beaters & state.trump
    missed = card & higher == 0
    if card & state.led:
        return higher if missed and state.led == state.trump else 0
    opposed = (state.seat ^ state.taker) & 1
    if opposed and missed:
        forced = state.undertrump == MUST and card & state.trump == 0
        return state.led | (state.trump if forced else higher)
    if missed and card & state.trump and state.partner_ruff == NO_UNDERRUFF:
        return state.led | higher
    return state.led
