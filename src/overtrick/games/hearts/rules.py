"""Hearts: four seats, no trump, thirteen tricks, and points are bad.

One rule in the README beside this file is one function here, under the same name. Cards are
bits of FRENCH_52: clubs, diamonds, spades, hearts, each from the two up to the ace, so the
highest card of a suit is its highest bit.
"""

from __future__ import annotations

from typing import Any, Protocol

from overtrick.cards import CLUBS, FRENCH_52, HEARTS, SPADES, Card, Cards
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
from overtrick.games.hearts.variant import HOLD
from overtrick.jit import popcount, rule

__all__ = [
    "MATCH",
    "PASS",
    "PLAY",
    "STATE",
    "HeartsMatch",
    "HeartsState",
    "deal",
    "deck_size",
    "legal",
    "may_follow",
    "may_lead",
    "pass_direction",
    "play",
    "receiver",
    "trick_points",
]

PASS, PLAY = range(2)
SEATS, HAND_SIZE, PASSED_CARDS = 4, 13, 3
PASSES = SEATS * PASSED_CARDS
POINTS_IN_A_DEAL = 26

ALL_CARDS: Cards = FRENCH_52.all
ONE_SUIT: Cards = (1 << HAND_SIZE) - 1
TWO_OF_CLUBS: Cards = FRENCH_52.set("2C")
QUEEN_OF_SPADES: Cards = FRENCH_52.set("QS")
ALL_HEARTS: Cards = ONE_SUIT << HAND_SIZE * HEARTS
POINT_CARDS: Cards = ALL_HEARTS | QUEEN_OF_SPADES
QUEEN: Card = FRENCH_52.card("QS")
_FIRST_SPADE, _FIRST_HEART = HAND_SIZE * SPADES, HAND_SIZE * HEARTS
_FIRST_DIAMOND = HAND_SIZE * (CLUBS + 1)


class HeartsState(State, Protocol):
    """One deal of Hearts."""

    led: Cards  # all cards of the led suit, 0 before the lead
    best: Cards  # the card that is taking the trick, as a set of one; 0 before the lead
    taker: Seat  # who played it
    tricks: int  # tricks taken so far
    broken: int  # 1 once hearts are broken
    dealer: Seat
    direction: int  # seats that a passed card moves on; 0 is a hold deal
    points: PerSeat  # points taken so far
    passed: PerSeat  # cards given away, from the moment they are chosen
    # options
    no_points_first_trick: int
    must_break_hearts: int
    qs_breaks_hearts: int
    hearts_instead_of_forced_qs: int
    stop_when_decided: int
    pass_cycle: int
    pass_cycle_length: int


class HeartsMatch(Match, Protocol):
    """Several deals of Hearts by the same players, to `target`."""

    moon: int
    target: int


STATE = state_dtype(HeartsState, "hearts", __file__, seats=SEATS, longest=PASSES + 52)
MATCH = match_dtype(HeartsMatch, "hearts", __file__, seats=SEATS)


@rule
def deck_size(state: HeartsState) -> int:
    return 52


# ---------------------------------------------------------------------------- dealing


@rule
def pass_direction(cycle: int, length: int, deals: int) -> int:
    """How far cards are passed in the deal of this number."""
    return cycle >> 2 * (deals % length) & 3


@rule
def deal(state: HeartsState, match: HeartsMatch, order: Any) -> None:
    """One card at a time, from the seat after the dealer."""
    clear(state)
    state.dealer = match.deals & 3
    state.direction = pass_direction(state.pass_cycle, state.pass_cycle_length, match.deals)
    state.led = 0
    state.best = 0
    state.taker = NOBODY
    state.tricks = 0
    state.broken = 0
    for seat in range(SEATS):
        state.points[seat] = 0
        state.passed[seat] = 0
    for place in range(HAND_SIZE):
        for offset in range(SEATS):
            card = int(order[SEATS * place + offset])
            state.hands[state.dealer + 1 + offset & 3] |= 1 << card
    if state.direction == HOLD:
        begin_play(state)
    else:
        state.phase = PASS
        state.seat = state.dealer + 1 & 3
        state.leader = NOBODY


@rule
def begin_play(state: HeartsState) -> None:
    """The holder of the two of clubs is to lead it: now everybody knows where it is."""
    state.phase = PLAY
    for seat in range(SEATS):
        if state.hands[seat] & TWO_OF_CLUBS:
            state.seat = seat
            state.leader = seat
            state.known[seat] = TWO_OF_CLUBS


# ---------------------------------------------------------------------------- what is legal


@rule
def legal(state: HeartsState) -> Choices:
    hand = state.hands[state.seat]
    if state.phase == PASS:
        return hand
    if state.led == 0:
        if state.tricks == 0:
            return TWO_OF_CLUBS
        free = state.broken | 1 - state.must_break_hearts
        return may_lead(hand, free, state.hearts_instead_of_forced_qs)
    return may_follow(hand, state.led, state.tricks == 0 and state.no_points_first_trick != 0)


@rule
def may_lead(hand: Cards, broken: int, hearts_instead_of_forced_qs: int) -> Cards:
    """Hearts are led only once broken, or when the hand is all hearts.

    With the option, a hand of hearts and the queen of spades may lead hearts too.
    """
    others = hand & ~ALL_HEARTS
    if broken or others == 0:
        return hand
    if hearts_instead_of_forced_qs and others == QUEEN_OF_SPADES:
        return hand
    return others


@rule
def may_follow(hand: Cards, led: Cards, no_points: bool) -> Cards:
    """Follow suit when able, otherwise play anything.

    With `no_points`, as in the first trick, no point card unless nothing else is legal.
    """
    following = hand & led
    choices = following if following else hand
    if no_points:
        harmless = choices & ~POINT_CARDS
        return harmless if harmless else choices
    return choices


# ---------------------------------------------------------------------------- choosing


@rule
def play(state: HeartsState, choice: Choice) -> None:
    note(state, choice)
    if state.phase == PASS:
        pass_card(state, 1 << choice)
    else:
        play_card(state, choice, 1 << choice)


@rule
def pass_card(state: HeartsState, card: Cards) -> None:
    """Lay one card aside; when all twelve are chosen, all are moved at once."""
    seat = state.seat
    state.hands[seat] ^= card
    state.passed[seat] |= card
    if state.turn == PASSES:
        for giver in range(SEATS):
            state.hands[receiver(giver, state.direction)] |= state.passed[giver]
        begin_play(state)
    elif popcount(state.passed[seat]) == PASSED_CARDS:
        state.seat = seat + 1 & 3


@rule
def receiver(seat: Seat, direction: int) -> Seat:
    """Who gets the cards that a seat passes."""
    return seat + direction & 3


@rule
def play_card(state: HeartsState, choice: Card, card: Cards) -> None:
    seat = state.seat
    if state.led == 0:
        state.led = suit_of(choice)
        state.best = 0
        if card & ALL_HEARTS and not state.broken:
            note_heart_led(state, seat)
    led = state.led
    followed = card & led
    if followed == 0:
        state.cannot[seat] |= led
        if state.tricks == 0 and card & POINT_CARDS:
            note_point_card_in_first_trick(state, seat)
    if followed > state.best:
        state.best = card
        state.taker = seat
    state.hands[seat] ^= card
    state.played[seat] |= card
    state.known[seat] &= ~card
    state.table |= card
    breaking = ALL_HEARTS | QUEEN_OF_SPADES & -state.qs_breaks_hearts
    state.broken |= card & breaking != 0
    state.seat = seat + 1 & 3
    if state.seat == state.leader:
        take_trick(state)


@rule
def suit_of(card: Card) -> Cards:
    """All cards of a card's suit."""
    below_spades = ONE_SUIT << _FIRST_DIAMOND if card >= _FIRST_DIAMOND else ONE_SUIT
    above = ALL_HEARTS if card >= _FIRST_HEART else ONE_SUIT << _FIRST_SPADE
    return above if card >= _FIRST_SPADE else below_spades


@rule
def take_trick(state: HeartsState) -> None:
    """The highest card of the led suit takes the trick and leads to the next."""
    taker = state.taker
    state.points[taker] += trick_points(state.table)
    state.tricks += 1
    state.table = 0
    state.led = 0
    state.leader = taker
    state.seat = taker
    if state.tricks == HAND_SIZE or (state.stop_when_decided and all_points_taken(state)):
        state.phase = OVER
        state.seat = NOBODY


@rule
def trick_points(cards: Cards) -> int:
    """One for each heart, thirteen for the queen of spades."""
    return popcount(cards & ALL_HEARTS) + 13 * (cards >> QUEEN & 1)


@rule
def all_points_taken(state: HeartsState) -> bool:
    taken = 0
    for seat in range(SEATS):
        taken += state.points[seat]
    return taken == POINTS_IN_A_DEAL


# ---------------------------------------------------------------------------- what plays prove


@rule
def note_heart_led(state: HeartsState, seat: Seat) -> None:
    """A heart led before hearts were broken: the hand was all hearts (or the queen too)."""
    if state.must_break_hearts:
        spared = QUEEN_OF_SPADES & -state.hearts_instead_of_forced_qs
        state.cannot[seat] |= ALL_CARDS & ~ALL_HEARTS & ~spared


@rule
def note_point_card_in_first_trick(state: HeartsState, seat: Seat) -> None:
    """A point card in the first trick: the hand was all point cards."""
    if state.no_points_first_trick:
        state.cannot[seat] |= ALL_CARDS & ~POINT_CARDS
