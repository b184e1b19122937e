"""Sheephead: five seats, fourteen trumps, a picker and the partner whose card he calls.

One rule in the README beside this file is one function here, under the same name. Cards are bits
of DECK: three fail suits of six, then the trumps, all ascending. So in a normal hand the highest
bit among the led suit and the trumps takes the trick. A Nola hand, which has other suits in
another order, goes by the tables NOLA_SUITS and NOLA_RANKS.
"""

from __future__ import annotations

from typing import Annotated, Any, Protocol

import numpy as np

from overtrick.cards import Card, Cards, Deck
from overtrick.games.game import (
    NOBODY,
    OVER,
    Choice,
    Choices,
    PerSeat,
    Row,
    Seat,
    State,
    clear,
    match_dtype,
    note,
    state_dtype,
)
from overtrick.games.sheephead.variant import FREE, MOST_PEOPLE, REDEAL, STANDARD
from overtrick.games.tally import TallyMatch
from overtrick.jit import popcount, rule

__all__ = [
    "ALONE",
    "BID",
    "BURY",
    "DECK",
    "DECLARE",
    "MATCH",
    "PASS",
    "PICK",
    "PLAY",
    "STATE",
    "UNKNOWN",
    "SheepheadMatch",
    "SheepheadState",
    "calls",
    "deal",
    "deck_size",
    "legal",
    "may_be_unknown",
    "may_play",
    "play",
]

BID, BURY, DECLARE, UNKNOWN, PLAY = range(5)
PASS, PICK = range(2)
ALONE, FIRST_ACE, FIRST_TEN = 0, 1, 4  # to declare: alone, three aces, three tens

SEATS, HAND_SIZE, BLIND_SIZE, PACKET = 5, 6, 2, 3
FIRST_OF_BLIND = SEATS * PACKET
SECOND_PACKETS = FIRST_OF_BLIND + BLIND_SIZE
LONGEST = SEATS + BLIND_SIZE + 2 + SEATS * HAND_SIZE

_FAIL_CARDS = [rank + suit for suit in "CSH" for rank in "789KTA"]
_DIAMONDS_AND_JACKS = ["8D", "9D", "KD", "TD", "AD", "JD", "JH", "JS", "JC"]
DECK = Deck((*_FAIL_CARDS, *_DIAMONDS_AND_JACKS, "QD", "QH", "QS", "JO", "QC"))
ALL_CARDS: Cards = DECK.all
FAIL_SUITS, SUIT_SIZE = 3, 6
ONE_SUIT: Cards = (1 << SUIT_SIZE) - 1
FAIL: Cards = (1 << FAIL_SUITS * SUIT_SIZE) - 1
TRUMPS: Cards = ALL_CARDS & ~FAIL
FAIL_ACES: Cards = DECK.set("AC AS AH")
FAIL_TENS: Cards = DECK.set("TC TS TH")
_TEN, _ACE = 4, 5  # where ten and ace lie in a fail suit


def _suits(members: list[Cards]) -> Row:
    """For each card, the suit that it belongs to."""
    suits = [suit for card in range(len(DECK)) for suit in members if suit >> card & 1]
    return np.array(suits, dtype=np.int64)


NOLA_ORDER = [
    [rank + suit for rank in ("789TJQKA" if suit != "D" else "89TJQKA")] for suit in "CSHD"
]
NOLA_ORDER[3].insert(0, "JO")

SUITS = _suits([ONE_SUIT << SUIT_SIZE * suit for suit in range(FAIL_SUITS)] + [TRUMPS])
NOLA_SUITS = _suits([DECK.set(names) for names in NOLA_ORDER])
NOLA_RANKS = np.array(
    [1 + order.index(name) for name in DECK.names for order in NOLA_ORDER if name in order],
    dtype=np.int64,
)


class SheepheadState(State, Protocol):
    """One hand of Sheephead."""

    led: Cards  # all cards of the led suit, 0 before the lead
    best: int  # strength of the card that is taking the trick: its bit, in Nola its rank
    taker: Seat  # who played it
    trumps: Cards  # all trumps, 0 in a Nola hand
    taken: PerSeat  # cards of the tricks that each seat has taken
    dealer: Seat
    multiplier: int  # what the payoffs are multiplied by
    picker: Seat  # NOBODY before, and in Nola
    blind: Cards  # as it was dealt, to the end
    buried: Cards
    called: Cards  # the called card, as a set of one; 0 if there is none
    pending: Cards  # all cards of the called suit until it has been led, then 0
    unknown: Cards  # the unknown card, as a set of one, to the end; 0 if there is none
    lies: int  # 1 as long as the unknown card lies unplayed
    turned: int  # the turn in which it was played; 0 before, and if there is none
    beside: Cards  # cards that the picker is proven not to hold beside the unknown card
    # options
    all_pass: int
    called_obligations: int
    unknown_shown: int
    zero_tier: int
    allow_self_call: int


class SheepheadMatch(TallyMatch, Protocol):
    """Several hands of Sheephead by the same people."""

    dealer: int  # the person who deals; with five people, the seat
    double_left: int  # hands that still count double
    money: Annotated[Row, MOST_PEOPLE]  # of each person, if there are more than five; else zeros
    # options
    double_hands: int
    double_restart: int
    people: int


STATE = state_dtype(SheepheadState, "sheephead", __file__, seats=SEATS, longest=LONGEST)
MATCH = match_dtype(SheepheadMatch, "sheephead", __file__, seats=SEATS)


@rule
def deck_size(state: SheepheadState) -> int:
    return 32


@rule
def next_seat(seat: Seat) -> Seat:
    return seat + 1 if seat < SEATS - 1 else 0


@rule
def seats_from(first: Seat, seat: Seat) -> int:
    """How many seats on from the first a seat is."""
    return seat - first if seat >= first else seat - first + SEATS


# ---------------------------------------------------------------------------- dealing


@rule
def first_seat(match: SheepheadMatch) -> Seat:
    """The seat after the dealer; seat 0 when the dealer sits out."""
    return next_seat(match.dealer) if match.people == SEATS else 0


@rule
def deal(state: SheepheadState, match: SheepheadMatch, order: Any) -> None:
    """Three cards to each seat from the dealer's next, two to the blind, three to each seat."""
    clear(state)
    first = first_seat(match)
    state.phase = BID
    state.seat = first
    state.leader = first
    state.led = 0
    state.best = 0
    state.taker = NOBODY
    state.trumps = TRUMPS
    state.dealer = first - 1 if first else SEATS - 1
    state.multiplier = 2 if match.double_left > 0 else 1
    state.picker = NOBODY
    state.blind = 1 << int(order[FIRST_OF_BLIND]) | 1 << int(order[FIRST_OF_BLIND + 1])
    state.buried = 0
    state.called = 0
    state.pending = 0
    state.unknown = 0
    state.lies = 0
    state.turned = 0
    state.beside = 0
    seat = first
    for place in range(0, FIRST_OF_BLIND, PACKET):
        hand = 0
        for card in range(place, place + PACKET):
            hand |= 1 << int(order[card]) | 1 << int(order[SECOND_PACKETS + card])
        state.hands[seat] = hand
        state.taken[seat] = 0
        seat = next_seat(seat)


# ---------------------------------------------------------------------------- what is legal


@rule
def legal(state: SheepheadState) -> Choices:
    if state.phase != PLAY:
        return legal_before_play(state)
    hand = state.hands[state.seat]
    if state.pending:
        return may_play(state, hand)
    return must_follow(hand, state.led)


@rule
def legal_before_play(state: SheepheadState) -> Choices:
    hand = state.hands[state.seat]
    if state.phase == BID:
        return 1 << PASS | 1 << PICK
    if state.phase == DECLARE:
        return calls(hand, state.buried, state.allow_self_call)
    if state.phase == UNKNOWN:
        return may_be_unknown(hand)
    return hand


@rule
def must_follow(hand: Cards, led: Cards) -> Cards:
    """Follow the led suit when able; otherwise, and to lead, play anything."""
    following = hand & led
    return following if following else hand


@rule
def may_play(state: SheepheadState, hand: Cards) -> Cards:
    """What a hand may play as long as the called suit has not been led."""
    picks = state.seat == state.picker
    if picks and state.lies:
        return may_play_beside_unknown(hand, state.unknown, state.led, state.pending)
    if state.called_obligations == FREE:
        return must_follow(hand, state.led)
    if state.led == 0:
        return hand if picks else may_lead(hand, state.called, state.pending)
    if state.led == state.pending and hand & state.called:
        return state.called  # P1: the first time its suit is led
    following = hand & state.led
    if following:
        return following
    return may_discard(hand, state.called, state.pending if picks else 0)


@rule
def may_lead(hand: Cards, called: Cards, suit: Cards) -> Cards:
    """P2: the partner leads no card of the called suit but the called one."""
    return hand & ~suit | called if hand & called else hand


@rule
def may_discard(hand: Cards, called: Cards, picked_suit: Cards) -> Cards:
    """P3, P4: neither the called card nor the picker's only card of its suit, unless the last."""
    kept = hand & called
    mine = hand & picked_suit
    if mine & mine - 1 == 0:
        kept |= mine
    others = hand & ~kept
    return others if others else hand


@rule
def may_play_beside_unknown(hand: Cards, unknown: Cards, led: Cards, suit: Cards) -> Cards:
    """P5: the unknown card follows the called suit; else it is led, or kept to the last."""
    if led == 0:
        return hand
    others = hand & ~unknown
    return unknown if led == suit or others == 0 else must_follow(others, led)


# ---------------------------------------------------------------------------- what may be called


@rule
def calls(kept: Cards, buried: Cards, allow_self_call: int) -> Choices:
    """Alone, and the aces or tens that may be called: by R1, else by R2, else by R3."""
    owned = kept | buried
    cards = held_suits(kept, _ACE) & ~owned
    if cards == 0:
        cards = FAIL_ACES & ~owned
    if cards == 0:
        cards = held_suits(kept, _TEN) & ~owned
    if allow_self_call:
        cards |= kept & (FAIL_ACES | FAIL_TENS)
    choices = 1 << ALONE
    for suit in range(FAIL_SUITS):
        choices |= (cards >> SUIT_SIZE * suit + _ACE & 1) << FIRST_ACE + suit
        choices |= (cards >> SUIT_SIZE * suit + _TEN & 1) << FIRST_TEN + suit
    return choices


@rule
def held_suits(kept: Cards, rank: int) -> Cards:
    """The card of this rank in every fail suit of which a card has been kept."""
    cards = 0
    for suit in range(FAIL_SUITS):
        if kept >> SUIT_SIZE * suit & ONE_SUIT:
            cards |= 1 << SUIT_SIZE * suit + rank
    return cards


@rule
def called_card(choice: Choice) -> Card:
    """The card that a call names."""
    if choice >= FIRST_TEN:
        return SUIT_SIZE * (choice - FIRST_TEN) + _TEN
    return SUIT_SIZE * (choice - FIRST_ACE) + _ACE


@rule
def may_be_unknown(kept: Cards) -> Cards:
    """A fail card; any card of a hand that has none."""
    fail = kept & FAIL
    return fail if fail else kept


# ---------------------------------------------------------------------------- choosing


@rule
def play(state: SheepheadState, choice: Choice) -> None:
    note(state, choice)
    if state.phase == PLAY:
        play_card(state, choice, 1 << choice)
    elif state.phase == BID:
        bid(state, choice)
    elif state.phase == BURY:
        bury(state, 1 << choice)
    elif state.phase == DECLARE:
        declare(state, choice)
    else:
        lay_unknown(state, 1 << choice)


@rule
def bid(state: SheepheadState, choice: Choice) -> None:
    """The first to pick takes the blind; after five passes there is no picker."""
    seat = state.seat
    if choice == PICK:
        state.picker = seat
        state.hands[seat] |= state.blind
        state.phase = BURY
    elif seat != state.dealer:
        state.seat = next_seat(seat)
    elif state.all_pass == REDEAL:
        state.phase = OVER
        state.seat = NOBODY
    else:
        state.trumps = 0
        begin_play(state)


@rule
def begin_play(state: SheepheadState) -> None:
    """The seat after the dealer leads."""
    state.phase = PLAY
    state.seat = state.leader


@rule
def bury(state: SheepheadState, card: Cards) -> None:
    """Two cards, one by one; they count for the picker's side."""
    state.hands[state.seat] ^= card
    state.buried |= card
    if popcount(state.buried) == BLIND_SIZE:
        state.phase = DECLARE


@rule
def declare(state: SheepheadState, choice: Choice) -> None:
    """Alone, or the partner's card; if the picker has kept none of its suit, an unknown card."""
    if choice == ALONE:
        begin_play(state)
        return
    card = called_card(choice)
    state.called = 1 << card
    state.pending = SUITS[card]
    if state.hands[state.picker] & state.pending:
        note_call(state)
        begin_play(state)
    else:
        state.cannot[state.picker] |= state.pending
        state.phase = UNKNOWN


@rule
def lay_unknown(state: SheepheadState, card: Cards) -> None:
    """One card face down, which stays in the picker's hand."""
    state.unknown = card
    state.lies = 1
    begin_play(state)


@rule
def play_card(state: SheepheadState, choice: Card, card: Cards) -> None:
    seat = state.seat
    if state.lies and card == state.unknown:
        turn_up(state, seat)
    else:
        if state.led == 0:
            state.led = SUITS[choice] if state.trumps else NOLA_SUITS[choice]
            state.best = 0
        led = state.led
        followed = card & led
        if followed == 0:
            note_void(state, seat)
        if state.trumps:
            strength = card & (led | TRUMPS)
        else:
            strength = NOLA_RANKS[choice] if followed else 0
        if strength > state.best:
            state.best = strength
            state.taker = seat
        if led == state.pending:
            note_called_suit(state, seat, card)
    state.hands[seat] ^= card
    state.played[seat] |= card
    state.table |= card
    state.seat = next_seat(seat)
    if state.seat == state.leader:
        take_trick(state)


@rule
def turn_up(state: SheepheadState, seat: Seat) -> None:
    """Play the unknown card: a card of the called suit, below all others."""
    if state.led == 0:
        state.led = state.pending
        state.best = 0
        state.taker = seat
    state.lies = 0
    state.turned = state.turn - 1
    state.cannot[seat] |= state.beside


@rule
def take_trick(state: SheepheadState) -> None:
    """The highest trump takes the trick, else the highest card led; its seat leads next."""
    taker = state.taker
    state.taken[taker] |= state.table
    if state.led == state.pending:
        state.pending = 0
    state.table = 0
    state.led = 0
    state.leader = taker
    state.seat = taker
    if state.hands[taker] == 0:
        state.phase = OVER
        state.seat = NOBODY


# ---------------------------------------------------------------------------- what choices prove


@rule
def note_call(state: SheepheadState) -> None:
    """A card called by R1 or R3 is not the picker's, and for a ten he has all three aces."""
    if state.allow_self_call:
        return
    state.cannot[state.picker] |= state.called
    if state.called & FAIL_TENS:
        for seat in range(SEATS):
            if seat != state.picker:
                state.cannot[seat] |= FAIL_ACES


@rule
def note_void(state: SheepheadState, seat: Seat) -> None:
    """Not followed: the hand has none of the led suit, the unknown card apart."""
    if state.lies and seat == state.picker:
        state.beside |= state.led
    else:
        state.cannot[seat] |= state.led


@rule
def note_called_suit(state: SheepheadState, seat: Seat, card: Cards) -> None:
    """Another card of the called suit, the first time it is led: the called one is elsewhere.

    Only a picker who leads may still have called his own.
    """
    leads_as_picker = seat == state.picker and seat == state.leader
    if state.called_obligations == STANDARD and card != state.called and not leads_as_picker:
        state.cannot[seat] |= state.called
