"""Kuhn poker: two seats, three cards, one bet.

One rule in the README beside this file is one function here, under the same name. The higher bit
is the higher card, and each seat holds one, so hands are compared as they are.
"""

from __future__ import annotations

from typing import Any, Protocol

from overtrick.cards import Cards, Deck
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
    "BET",
    "DECK",
    "MATCH",
    "PASS",
    "STATE",
    "KuhnState",
    "deal",
    "dealt",
    "deck_size",
    "hide",
    "legal",
    "payoffs",
    "places",
    "play",
    "settle",
    "winner",
    "winnings",
]

DECK = Deck(("J", "Q", "K"))
ALL_CARDS: Cards = DECK.all
SEATS = 2
PASS, BET = range(2)
BOTH: Choices = 1 << PASS | 1 << BET
ANTE, STAKE = 1, 1
LONGEST = 3  # pass, bet and the answer to it

BETTING = 0  # the only phase


class KuhnState(State, Protocol):
    """One deal of Kuhn poker. There are no tricks; `known` is what the showdown has shown."""

    talon: Cards  # the card that nobody sees
    staked: PerSeat  # chips in the pot, the ante included
    folded: Seat  # who gave up, NOBODY if neither did


STATE = state_dtype(KuhnState, "kuhn", __file__, seats=SEATS, longest=LONGEST)
MATCH = match_dtype(TallyMatch, "kuhn", __file__, seats=SEATS)


@rule
def deck_size(state: KuhnState) -> int:
    return SEATS + 1


# ---------------------------------------------------------------------------- the deal


@rule
def deal(state: KuhnState, match: TallyMatch, order: Any) -> None:
    """One card to each seat, the third aside; both pay the ante."""
    clear(state)
    state.phase = BETTING
    state.seat = 0
    state.leader = NOBODY
    state.talon = 1 << int(order[SEATS])
    state.folded = NOBODY
    for seat in range(SEATS):
        state.hands[seat] = 1 << int(order[seat])
        state.staked[seat] = ANTE


@rule
def legal(state: KuhnState) -> Choices:
    """Pass or bet, whatever has been chosen before."""
    return BOTH


@rule
def play(state: KuhnState, choice: Choice) -> None:
    """A bet after a bet is a call, a pass after a bet is a fold."""
    note(state, choice)
    seat = state.seat
    other = 1 - seat
    answers_bet = state.staked[other] > ANTE
    state.seat = other
    if choice == BET:
        state.staked[seat] += STAKE
        if answers_bet:
            show_down(state)
    elif answers_bet:
        state.folded = seat
        end(state)
    elif state.turn == SEATS:
        show_down(state)


@rule
def show_down(state: KuhnState) -> None:
    """Both cards are shown."""
    for seat in range(SEATS):
        state.known[seat] = state.hands[seat]
    end(state)


@rule
def end(state: KuhnState) -> None:
    state.phase = OVER
    state.seat = NOBODY


# ---------------------------------------------------------------------------- what it is worth


@rule
def winner(state: KuhnState) -> Seat:
    """Who has not folded; at the showdown, who has the higher card."""
    if state.folded != NOBODY:
        return 1 - state.folded
    return 0 if state.hands[0] > state.hands[1] else 1


@rule
def winnings(state: KuhnState, seat: Seat) -> int:
    """The winner gets what the loser has staked."""
    best = winner(state)
    staked: int = state.staked[1 - best]
    return staked if seat == best else -staked


@rule
def payoffs(state: KuhnState, out: Row) -> None:
    for seat in range(SEATS):
        out[seat] = winnings(state, seat)


# ---------------------------------------------------------------------------- what a seat knows


@rule
def hide(state: KuhnState, seat: Seat) -> None:
    """Erase the other's card unless it was shown, and the one that nobody sees."""
    state.viewer = seat
    state.hands[1 - seat] = state.known[1 - seat]
    state.talon = 0


@rule
def places(view: KuhnState, where: Places) -> None:
    """The other hand, unless it was shown, and the talon; any arrangement is as likely."""
    unseen = ALL_CARDS & ~(view.hands[0] | view.hands[1])
    where.cases = 1
    where.count = 2
    where.weight[0] = 1
    where.room[0, 0] = 1 - popcount(view.hands[1 - view.viewer])
    where.room[0, 1] = 1
    for place in range(where.count):
        where.allowed[0, place] = unseen


@rule
def settle(view: KuhnState, found: Row, stream: Row) -> None:
    view.hands[1 - view.viewer] |= found[0]
    view.talon = found[1]
    view.viewer = NOBODY


@rule
def dealt(state: KuhnState, order: Any) -> None:
    for seat in range(SEATS):
        order[seat] = lowest(state.hands[seat])
    order[SEATS] = lowest(state.talon)
