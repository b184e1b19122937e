"""Rock paper scissors: two seats, one throw each.

Paper beats rock, scissors beat paper, rock beats scissors; the winner gets a point from the loser.
The deck is one card that nobody needs: a game on the contract has one.
"""

from __future__ import annotations

from typing import Any, Protocol

from overtrick.cards import Cards, Deck
from overtrick.games.game import (
    HIDDEN,
    NOBODY,
    OVER,
    Choice,
    Choices,
    Places,
    Row,
    Seat,
    State,
    choice_of,
    clear,
    hide_choice,
    match_dtype,
    note,
    state_dtype,
)
from overtrick.games.tally import TallyMatch
from overtrick.jit import below, rule

__all__ = [
    "DECK",
    "MATCH",
    "ROCK",
    "STATE",
    "THROWS",
    "RpsState",
    "beats",
    "deal",
    "dealt",
    "deck_size",
    "hide",
    "legal",
    "payoffs",
    "places",
    "play",
    "settle",
]

DECK = Deck(("X",))
SEATS = 2
THROWS = ("rock", "paper", "scissors")
ROCK, PAPER, SCISSORS = range(3)
ALL: Choices = 1 << ROCK | 1 << PAPER | 1 << SCISSORS

THROWING = 0  # the only phase


class RpsState(State, Protocol):
    """One throw each; there are no tricks, and no hands."""

    talon: Cards  # the card that nobody needs; everybody sees it


STATE = state_dtype(RpsState, "rps", __file__, seats=SEATS, longest=SEATS)
MATCH = match_dtype(TallyMatch, "rps", __file__, seats=SEATS)


@rule
def deck_size(state: RpsState) -> int:
    """One card."""
    return 1


@rule
def deal(state: RpsState, match: TallyMatch, order: Any) -> None:
    """Nobody gets a card; seat 0 throws first."""
    clear(state)
    state.phase = THROWING
    state.seat = 0
    state.leader = NOBODY
    state.talon = 1 << int(order[0])


@rule
def legal(state: RpsState) -> Choices:
    """Any throw."""
    return ALL


@rule
def play(state: RpsState, choice: Choice) -> None:
    """After the second throw the deal is over."""
    note(state, choice)
    state.seat = 1
    if state.turn == SEATS:
        state.phase = OVER
        state.seat = NOBODY


@rule
def beats(one: Choice, other: Choice) -> bool:
    """Paper beats rock, scissors beat paper, rock beats scissors."""
    return (one - other) % len(THROWS) == 1


@rule
def payoffs(state: RpsState, out: Row) -> None:
    """The winner gets one point from the loser; equal throws pay nothing."""
    out[0] = out[1] = 0
    if state.turn == SEATS:
        first, second = choice_of(state.history[0]), choice_of(state.history[1])
        out[0] = int(beats(first, second)) - int(beats(second, first))
        out[1] = -out[0]


# ---------------------------------------------------------------------------- what a seat knows


@rule
def hide(state: RpsState, seat: Seat) -> None:
    """Erase the other's throw until both have thrown."""
    state.viewer = seat
    if seat == 1 and state.turn == 1:
        hide_choice(state, 0)


@rule
def places(view: RpsState, where: Places) -> None:
    """No card is unseen."""
    where.cases = 1
    where.count = 0
    where.weight[0] = 1


@rule
def settle(view: RpsState, found: Row, stream: Row) -> None:
    """Draw the throw that was not seen, any as likely."""
    if view.viewer == 1 and view.turn == 1:
        view.history[0] = (view.history[0] & ~HIDDEN) | below(stream, len(THROWS))
    view.viewer = NOBODY


@rule
def dealt(state: RpsState, order: Any) -> None:
    """The one order that there is."""
    order[0] = 0
