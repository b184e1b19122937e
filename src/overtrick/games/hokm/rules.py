"""Hokm: four seats, two teams, one trump suit, and seven tricks win.

One rule in the README beside this file is one function here, under the same name. Cards are
bits of FRENCH_52: clubs, diamonds, spades, hearts, each from the two up to the ace, so the
highest card of a suit is its highest bit. Suits as choices count spades, hearts, diamonds, clubs.
"""

from __future__ import annotations

from typing import Annotated, Any, Protocol

from overtrick.cards import CLUBS, DIAMONDS, FRENCH_52, HEARTS, SPADES, Card, Cards
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
from overtrick.games.hokm.variant import HEURISTIC
from overtrick.jit import highest, popcount, rule

__all__ = [
    "MATCH",
    "PLAY",
    "STATE",
    "TRUMP",
    "HokmMatch",
    "HokmState",
    "deal",
    "deck_size",
    "heuristic_trump",
    "legal",
    "may_follow",
    "place_in_deck",
    "play",
    "team_of",
    "trump_suit",
]

TRUMP, PLAY = range(2)
SEATS, TEAMS, HAND_SIZE, TRICKS_TO_WIN = 4, 2, 13, 7
SUITS = "SHDC"  # in the order of the choices
ALL_SUITS: Choices = (1 << len(SUITS)) - 1
SUITS_IN_THE_DECK = (SPADES, HEARTS, DIAMONDS, CLUBS)
FIRST_PACKET, LATER_PACKET = 5, 4

ALL_CARDS: Cards = FRENCH_52.all
ONE_SUIT: Cards = (1 << HAND_SIZE) - 1
ABOVE_ALL_CARDS = 1 << 60


class HokmState(State, Protocol):
    """One deal of Hokm."""

    trumps: Cards  # all cards of the trump suit, 0 before it is chosen
    led: Cards  # all cards of the led suit, 0 before the lead
    best: int  # the strength of the card that is taking the trick
    taker: Seat  # who played it
    tricks: Annotated[Row, TEAMS]  # taken so far by each team
    winner: int  # the team that had seven tricks first, NOBODY before
    kot: int  # 1 if the other team had none then
    hakem: Seat
    first_cards: Cards  # the cards on which the hakem chooses trump; nobody else ever knows them
    # options
    trump_choice_cards: int
    kot_points: int
    hakem_kot_points: int
    stop_at_seven: int
    trump_policy: int


class HokmMatch(Match, Protocol):
    """Several deals of Hokm by the same players, to `target`; partners have equal scores."""

    hakem: Seat  # of the next deal
    target: int
    first_hakem: int
    next_hakem: int


STATE = state_dtype(HokmState, "hokm", __file__, seats=SEATS, longest=1 + 52)
MATCH = match_dtype(HokmMatch, "hokm", __file__, seats=SEATS)


@rule
def deck_size(state: HokmState) -> int:
    return 52


@rule
def team_of(seat: Seat) -> int:
    """Partners sit opposite each other."""
    return seat & 1


# ---------------------------------------------------------------------------- dealing


@rule
def place_in_deck(offset: int, number: int) -> int:
    """Where in the deck a card lies that goes `offset` seats after the hakem as the n-th there.

    Packets of five, then four, then four, from the hakem on.
    """
    if number < FIRST_PACKET:
        return FIRST_PACKET * offset + number
    if number < FIRST_PACKET + LATER_PACKET:
        return 20 + LATER_PACKET * offset + number - FIRST_PACKET
    return 36 + LATER_PACKET * offset + number - FIRST_PACKET - LATER_PACKET


@rule
def deal(state: HokmState, match: HokmMatch, order: Any) -> None:
    """Packets of five, four and four; the hakem is to choose trump, and to lead."""
    clear(state)
    hakem = match.hakem
    state.hakem = hakem
    state.leader = hakem
    state.seat = hakem
    state.led = 0
    state.best = 0
    state.taker = NOBODY
    state.winner = NOBODY
    state.kot = 0
    for team in range(TEAMS):
        state.tricks[team] = 0
    for offset in range(SEATS):
        hand = 0
        for number in range(HAND_SIZE):
            hand |= 1 << int(order[place_in_deck(offset, number)])
        state.hands[hakem + offset & 3] = hand
    state.first_cards = 0
    for number in range(state.trump_choice_cards):
        state.first_cards |= 1 << int(order[place_in_deck(0, number)])
    state.phase = TRUMP
    state.trumps = 0
    if state.trump_policy == HEURISTIC:
        choose_trump(state, heuristic_trump(state.first_cards))


@rule
def heuristic_trump(cards: Cards) -> Choice:
    """The suit with most cards; then with most ranks, 2 to 14, added up; then S, H, D, C."""
    best, found = -1, 0
    for suit in range(len(SUITS)):
        ranks = cards >> HAND_SIZE * SUITS_IN_THE_DECK[suit] & ONE_SUIT
        worth = popcount(ranks) << 10
        while ranks:
            rank = highest(ranks)
            ranks ^= 1 << rank
            worth += rank + 2
        if worth > best:
            best, found = worth, suit
    return found


# ---------------------------------------------------------------------------- what is legal


@rule
def legal(state: HokmState) -> Choices:
    """To choose trump, any suit; to lead, any card; else `may_follow`."""
    if state.phase == TRUMP:
        return ALL_SUITS
    return may_follow(state.hands[state.seat], state.led)


@rule
def may_follow(hand: Cards, led: Cards) -> Cards:
    """Follow suit when able, otherwise play anything. To lead is to follow no cards."""
    following = hand & led
    return following if following else hand


# ---------------------------------------------------------------------------- choosing


@rule
def play(state: HokmState, choice: Choice) -> None:
    note(state, choice)
    if state.phase == TRUMP:
        choose_trump(state, choice)
    else:
        play_card(state, choice, 1 << choice)


@rule
def choose_trump(state: HokmState, suit: Choice) -> None:
    """The hakem names trump, and leads."""
    state.trumps = trump_suit(suit)
    state.phase = PLAY


@rule
def trump_suit(suit: Choice) -> Cards:
    """All cards of a suit that may be chosen."""
    return ONE_SUIT << HAND_SIZE * SUITS_IN_THE_DECK[suit]


@rule
def play_card(state: HokmState, choice: Card, card: Cards) -> None:
    seat = state.seat
    if state.led == 0:
        state.led = suit_of(choice)
        state.best = 0
    led = state.led
    followed = card & led
    if followed == 0:
        state.cannot[seat] |= led
    power = strength(card, followed, state.trumps)
    if power > state.best:
        state.best = power
        state.taker = seat
    state.hands[seat] ^= card
    state.played[seat] |= card
    state.table |= card
    state.seat = seat + 1 & 3
    if state.seat == state.leader:
        take_trick(state)


@rule
def suit_of(card: Card) -> Cards:
    """All cards of a card's suit."""
    return ONE_SUIT << HAND_SIZE * (card * 5 >> 6)  # card // 13, for cards below 52


@rule
def strength(card: Cards, followed: Cards, trumps: Cards) -> int:
    """The highest trump wins, else the highest card of the led suit."""
    return card | ABOVE_ALL_CARDS if card & trumps else followed


@rule
def take_trick(state: HokmState) -> None:
    """The winner leads to the next trick."""
    taker = state.taker
    team = team_of(taker)
    state.tricks[team] += 1
    state.table = 0
    state.led = 0
    state.leader = taker
    state.seat = taker
    if state.tricks[team] == TRICKS_TO_WIN:
        decide(state, team)
    if state.winner != NOBODY and (state.stop_at_seven or state.hands[taker] == 0):
        state.phase = OVER
        state.seat = NOBODY


@rule
def decide(state: HokmState, team: int) -> None:
    """The seventh trick decides the deal; 7-0 is a kot."""
    state.winner = team
    state.kot = state.tricks[1 - team] == 0
