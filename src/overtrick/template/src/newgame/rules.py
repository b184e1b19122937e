"""New game: three seats, twelve cards, four tricks.

One rule in the README is one function here, under the same name. A rule works on one record, in
ints: a card is a number below 63, a set of cards has one bit for each.
"""

from __future__ import annotations

from typing import Any, Protocol

from overtrick.cards import Card, Cards, suit_deck
from overtrick.games.game import (
    NOBODY,
    OVER,
    Choice,
    Choices,
    Match,
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
from overtrick.jit import lowest, popcount, rule

__all__ = [
    "DECK",
    "MATCH",
    "PLAY",
    "SEATS",
    "STATE",
    "NewGameMatch",
    "NewGameState",
    "deal",
    "dealt",
    "deck_size",
    "hide",
    "legal",
    "match_winners",
    "must_follow",
    "new_match",
    "payoffs",
    "places",
    "play",
    "score",
    "settle",
    "strength",
    "take_trick",
]

PLAY = 0  # the only phase
SEATS, HAND_SIZE = 3, 4
SUITS, RANKS = "CDSH", "QKA"
DECK = suit_deck(SUITS, RANKS)
CARDS = len(DECK)
TRICKS = HAND_SIZE
FIRST_OF_TALON = SEATS * HAND_SIZE  # cards from here on, if there are any, go to no seat
ALL_CARDS: Cards = DECK.all
ONE_SUIT: Cards = (1 << len(RANKS)) - 1


class NewGameState(State, Protocol):
    """One deal, all hands known; the fields that all games have come first."""

    led: Cards  # all cards of the suit led, 0 before the lead
    best: Cards  # the card that is taking the trick, as a set of one; 0 before the lead
    taker: Seat  # who played it, NOBODY before the lead
    dealer: Seat
    talon: Cards  # the cards that nobody has
    tricks: PerSeat  # tricks taken so far
    # options
    trump: Cards  # all trumps, 0 if there are none


class NewGameMatch(Match, Protocol):
    """Several deals by the same players."""

    target: int


STATE = state_dtype(NewGameState, "newgame", __file__, seats=SEATS, longest=SEATS * TRICKS)
MATCH = match_dtype(NewGameMatch, "newgame", __file__, seats=SEATS)


@rule
def deck_size(state: NewGameState) -> int:
    """The number of cards."""
    return CARDS


# ---------------------------------------------------------------------------- the deal


@rule
def deal(state: NewGameState, match: NewGameMatch, order: Any) -> None:
    """One card at a time, from the seat after the dealer, who is to lead."""
    clear(state)
    state.dealer = match.deals % SEATS
    state.phase = PLAY
    state.leader = (state.dealer + 1) % SEATS
    state.seat = state.leader
    state.talon = ALL_CARDS
    for place in range(FIRST_OF_TALON):
        card = 1 << int(order[place])
        state.hands[(state.leader + place) % SEATS] |= card
        state.talon &= ~card
    for seat in range(SEATS):
        state.tricks[seat] = 0
    clear_table(state)


@rule
def clear_table(state: NewGameState) -> None:
    """No trick has begun."""
    state.table = 0
    state.led = 0
    state.best = 0
    state.taker = NOBODY


# ---------------------------------------------------------------------------- playing


@rule
def legal(state: NewGameState) -> Choices:
    """What the seat to act may choose: never nothing before the deal is over."""
    return must_follow(state.hands[state.seat], state.led)


@rule
def must_follow(hand: Cards, led: Cards) -> Cards:
    """Follow suit when able; otherwise play anything."""
    following = hand & led
    return following if following else hand


@rule
def play(state: NewGameState, choice: Choice) -> None:
    """One card to the trick; a suit that was not followed is proven not to be held."""
    note(state, choice)
    seat = state.seat
    card = 1 << choice
    if state.led == 0:
        state.led = suit_of(choice)
    elif card & state.led == 0:
        state.cannot[seat] |= state.led
    if strength(card, state.led, state.trump) > strength(state.best, state.led, state.trump):
        state.best = card
        state.taker = seat
    state.hands[seat] ^= card
    state.played[seat] |= card
    state.table |= card
    state.seat = (seat + 1) % SEATS
    if state.seat == state.leader:
        take_trick(state)


@rule
def suit_of(card: Card) -> Cards:
    """All cards of a card's suit."""
    suit = ONE_SUIT
    while suit >> card & 1 == 0:
        suit <<= len(RANKS)
    return suit


@rule
def strength(card: Cards, led: Cards, trump: Cards) -> int:
    """Trumps above cards of the suit led, each by rank; no other card takes a trick."""
    if card & trump:
        return CARDS + lowest(card)
    return lowest(card) if card & led else -1


@rule
def take_trick(state: NewGameState) -> None:
    """Who takes the trick leads to the next; without cards the deal is over."""
    taker = state.taker
    state.tricks[taker] += 1
    state.leader = taker
    state.seat = taker
    clear_table(state)
    if state.hands[taker] == 0:
        state.phase = OVER
        state.seat = NOBODY


# ---------------------------------------------------------------------------- what it is worth


@rule
def payoffs(state: NewGameState, out: Row) -> None:
    """For each own trick one from each of the others: whole numbers that sum to zero."""
    for seat in range(SEATS):
        out[seat] = SEATS * state.tricks[seat] - TRICKS


@rule
def new_match(match: NewGameMatch, stream: Any) -> None:
    """Nothing has been dealt yet."""
    match.deals = 0
    for seat in range(SEATS):
        match.scores[seat] = 0


@rule
def score(match: NewGameMatch, state: NewGameState) -> None:
    """Tricks are added up."""
    match.deals += 1
    for seat in range(SEATS):
        match.scores[seat] += state.tricks[seat]


@rule
def match_winners(match: NewGameMatch) -> int:
    """Once a seat has reached the target: everybody with the most tricks, as a set of seats."""
    most = 0
    winners = 0
    for seat in range(SEATS):
        if match.scores[seat] > most:
            most = match.scores[seat]
            winners = 0
        if match.scores[seat] == most:
            winners |= 1 << seat
    return winners if most >= match.target else 0


# ---------------------------------------------------------------------------- what a seat knows


@rule
def hide(state: NewGameState, seat: Seat) -> None:
    """Erase what the seat has not seen: the others' hands and the talon."""
    state.viewer = seat
    state.talon = 0
    for other in range(SEATS):
        if other != seat:
            state.hands[other] = 0


@rule
def places(view: NewGameState, where: Places) -> None:
    """Where unseen cards may lie: in hands that may hold them, and in the talon."""
    unseen = ALL_CARDS & ~view.hands[view.viewer]
    for seat in range(SEATS):
        unseen &= ~view.played[seat]
    where.cases = 1
    where.count = SEATS
    where.weight[0] = 1
    for number in range(SEATS - 1):
        seat = (view.viewer + 1 + number) % SEATS
        where.room[0, number] = HAND_SIZE - popcount(view.played[seat])
        where.allowed[0, number] = unseen & ~view.cannot[seat]
    where.room[0, SEATS - 1] = CARDS - FIRST_OF_TALON
    where.allowed[0, SEATS - 1] = unseen


@rule
def settle(view: NewGameState, found: Row, stream: Row) -> None:
    """Put the cards found for each place there: the view becomes a whole deal."""
    for number in range(SEATS - 1):
        view.hands[(view.viewer + 1 + number) % SEATS] = found[number]
    view.talon = found[SEATS - 1]
    view.viewer = NOBODY


@rule
def dealt(state: NewGameState, order: Any) -> None:
    """The way back: an order of the deck from which this deal was dealt."""
    for seat in range(SEATS):
        first = (seat - state.dealer - 1) % SEATS
        lay(state.hands[seat] | state.played[seat], order, first, SEATS)
    lay(state.talon, order, FIRST_OF_TALON, 1)


@rule
def lay(cards: Cards, order: Any, place: int, step: int) -> None:
    """Put cards into the deck, lowest first."""
    while cards:
        order[place] = lowest(cards)
        cards &= cards - 1
        place += step
