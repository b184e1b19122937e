"""Leduc hold'em: two seats, six cards, a board card, and two rounds of betting.

One rule in the README beside this file is one function here, under the same name. Cards are bits
of DECK: two suits, each jack, queen, king; a seat holds one.
"""

from __future__ import annotations

from typing import Any, Protocol

from overtrick.cards import Cards, suit_deck
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
    "CALL",
    "DECK",
    "FOLD",
    "MATCH",
    "RAISE",
    "STATE",
    "LeducState",
    "deal",
    "dealt",
    "deck_size",
    "hide",
    "legal",
    "payoffs",
    "places",
    "play",
    "settle",
    "strength",
    "winner",
    "winnings",
]

RANKS = 3
DECK = suit_deck("SH", "JQK")
ALL_CARDS: Cards = DECK.all
ONE_SUIT: Cards = (1 << RANKS) - 1
PAIR = 1 << RANKS  # added to the rank of a pair, so that it beats every high card
SEATS, TALON = 2, 3  # and between them in the deck, the board card
FOLD, CALL, RAISE = range(3)
ANTE, MOST_RAISES = 1, 2
SMALL_RAISE, BIG_RAISE = 2, 4
LARGEST_STAKE = ANTE + MOST_RAISES * (SMALL_RAISE + BIG_RAISE)
LONGEST = 8  # check, raise, raise, call in both rounds

BETTING = 0  # the only phase


class LeducState(State, Protocol):
    """One deal of Leduc hold'em. There are no tricks; `known` is what the showdown has shown."""

    board: Cards  # the board card
    turned_up: int  # 1 once it is face up: in the second round
    talon: Cards  # the cards that nobody sees
    acted: int  # choices made in this round
    raises: int  # raises made in this round
    staked: PerSeat  # chips in the pot, the ante included
    folded: Seat  # who gave up, NOBODY if neither did


STATE = state_dtype(LeducState, "leduc", __file__, seats=SEATS, longest=LONGEST)
MATCH = match_dtype(TallyMatch, "leduc", __file__, seats=SEATS)


@rule
def deck_size(state: LeducState) -> int:
    return SEATS + 1 + TALON


# ---------------------------------------------------------------------------- the deal


@rule
def deal(state: LeducState, match: TallyMatch, order: Any) -> None:
    """One card to each seat, the third face down on the board; both pay the ante."""
    clear(state)
    state.phase = BETTING
    state.leader = NOBODY
    state.board = 1 << int(order[SEATS])
    state.talon = ALL_CARDS & ~state.board
    state.folded = NOBODY
    for seat in range(SEATS):
        state.hands[seat] = 1 << int(order[seat])
        state.talon &= ~state.hands[seat]
        state.staked[seat] = ANTE
    begin_round(state, 0)


@rule
def begin_round(state: LeducState, turned_up: int) -> None:
    """Seat 0 begins both rounds; the board card is face up in the second."""
    state.turned_up = turned_up
    state.acted = 0
    state.raises = 0
    state.seat = 0


# ---------------------------------------------------------------------------- choosing


@rule
def legal(state: LeducState) -> Choices:
    """Calling is always legal, folding only against a raise, and there are two raises a round."""
    choices = 1 << CALL
    if state.staked[state.seat] < state.staked[1 - state.seat]:
        choices |= 1 << FOLD
    if state.raises < MOST_RAISES:
        choices |= 1 << RAISE
    return choices


@rule
def play(state: LeducState, choice: Choice) -> None:
    note(state, choice)
    if choice == FOLD:
        state.folded = state.seat
        end(state)
    elif choice == RAISE:
        raise_stakes(state)
    else:
        call(state)


@rule
def raise_stakes(state: LeducState) -> None:
    """Match the other's stake and add two chips, in the second round four."""
    other = 1 - state.seat
    more = BIG_RAISE if state.turned_up else SMALL_RAISE
    state.staked[state.seat] = state.staked[other] + more
    state.raises += 1
    state.acted += 1
    state.seat = other


@rule
def call(state: LeducState) -> None:
    """Match the other's stake; this ends the round unless it opened it."""
    other = 1 - state.seat
    state.staked[state.seat] = state.staked[other]
    state.acted += 1
    if state.acted == 1:
        state.seat = other
    elif state.turned_up:
        show_down(state)
    else:
        begin_round(state, 1)


@rule
def show_down(state: LeducState) -> None:
    """Both cards are shown."""
    for seat in range(SEATS):
        state.known[seat] = state.hands[seat]
    end(state)


@rule
def end(state: LeducState) -> None:
    state.phase = OVER
    state.seat = NOBODY


# ---------------------------------------------------------------------------- what it is worth


@rule
def rank(card: Cards) -> int:
    """A card's rank, whatever its suit: 1, 2 or 4."""
    return (card | card >> RANKS) & ONE_SUIT


@rule
def strength(hand: Cards, board: Cards) -> int:
    """A pair with the board beats a high card; otherwise the rank decides."""
    high = rank(hand)
    return high + PAIR if high == rank(board) else high


@rule
def winner(state: LeducState) -> Seat:
    """Who has not folded; at the showdown, the stronger hand, NOBODY if both are alike."""
    if state.folded != NOBODY:
        return 1 - state.folded
    mine = strength(state.hands[0], state.board)
    other = strength(state.hands[1], state.board)
    if mine == other:
        return NOBODY
    return 0 if mine > other else 1


@rule
def winnings(state: LeducState, seat: Seat) -> int:
    """The winner gets what the loser has staked; alike hands take their own stakes back."""
    best = winner(state)
    if best == NOBODY:
        return 0
    staked: int = state.staked[1 - best]
    return staked if seat == best else -staked


@rule
def payoffs(state: LeducState, out: Row) -> None:
    for seat in range(SEATS):
        out[seat] = winnings(state, seat)


# ---------------------------------------------------------------------------- what a seat knows


@rule
def hide(state: LeducState, seat: Seat) -> None:
    """Erase the other's card unless shown, the board before it is turned up, and the talon."""
    state.viewer = seat
    state.hands[1 - seat] = state.known[1 - seat]
    state.talon = 0
    if not state.turned_up:
        state.board = 0


@rule
def places(view: LeducState, where: Places) -> None:
    """The other hand, the board and the talon; any arrangement is as likely."""
    unseen = ALL_CARDS & ~(view.hands[0] | view.hands[1] | view.board)
    where.cases = 1
    where.count = 3
    where.weight[0] = 1
    where.room[0, 0] = 1 - popcount(view.hands[1 - view.viewer])
    where.room[0, 1] = 1 - popcount(view.board)
    where.room[0, 2] = TALON
    for place in range(where.count):
        where.allowed[0, place] = unseen


@rule
def settle(view: LeducState, found: Row, stream: Row) -> None:
    view.hands[1 - view.viewer] |= found[0]
    view.board |= found[1]
    view.talon = found[2]
    view.viewer = NOBODY


@rule
def dealt(state: LeducState, order: Any) -> None:
    for seat in range(SEATS):
        order[seat] = lowest(state.hands[seat])
    order[SEATS] = lowest(state.board)
    rest = state.talon
    for place in range(SEATS + 1, SEATS + 1 + TALON):
        order[place] = lowest(rest)
        rest &= rest - 1
