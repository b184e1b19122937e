"""The tables of a game for the belief actor-critic: optional rules, with plain ones for any game.

A game may tell small tables of numbers: from the first a critic tells what a whole deal is worth
to a seat, from the second a predictor tells what the seat to act will choose, and the third names
things that choices are, whose merits add up. Without them a game gets a few numbers that all
games have. What rewards a trick is told by `ahead`.

The rules are looked up in the game's own when a player or a learner of this kind is made (`ready`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from overtrick.games.game import Choice, Game, Row, Seat, State
from overtrick.jit import face, popcount, rule, rules_of

__all__ = [
    "Tables",
    "ahead",
    "choice_table",
    "merits_of",
    "ready",
    "state_table",
    "tables_of",
]


@face
def state_table(state: State, seat: Seat, out: Any) -> None:
    """Write the numbers from which the critic tells what a whole deal is worth to a seat."""
    raise AssertionError


@face
def choice_table(state: State, chances: Any, out: Any) -> None:
    """Write the numbers from which predictors tell what the seat to act will choose.

    `chances[card]` is the chance that it holds the card: 0 or 1 where its hand is known. Beside
    that, only what this seat knows may count. The numbers are linear in the chances.
    """
    raise AssertionError


@face
def merits_of(state: State, choice: Choice, out: Row) -> int:
    """Write the numbers of the named things that a choice is; how many these are."""
    raise AssertionError


@face
def ahead(state: State, out: Any) -> None:
    """Write how far each seat is ahead by the tricks so far, in shares of a large payoff.

    A learner is rewarded the difference after every trick, and what is left at the end, so that
    all rewards of a deal sum to its payoff.
    """
    raise AssertionError


# ---------------------------------------------------------------------------- plain ones

PLAIN_STATE = ("cards held", "cards on the table", "choices made", "leads", "cards played by all")
PLAIN_CHOICE = (
    "cards held",
    "cards on the table",
    "choices made",
    "leads",
    "seats from the leader",
)


@rule
def plain_state(state: State, seat: Seat, out: Any) -> None:
    seats = len(state.hands)
    played = 0
    for other in range(seats):
        played += popcount(state.played[other])
    out[0] = popcount(state.hands[seat]) / 8.0
    out[1] = popcount(state.table) / seats
    out[2] = state.turn / len(state.history)
    out[3] = 1.0 if state.leader == seat else 0.0
    out[4] = played / 32.0


@rule
def plain_choice(state: State, chances: Any, out: Any) -> None:
    seats = len(state.hands)
    held = 0.0
    for card in range(len(chances)):
        held += chances[card]
    out[0] = held / 8.0
    out[1] = popcount(state.table) / seats
    out[2] = state.turn / len(state.history)
    out[3] = 1.0 if state.leader == state.seat else 0.0
    out[4] = (state.seat - state.leader) % seats / seats


@rule
def no_merits(state: State, choice: Choice, out: Row) -> int:
    return 0


@rule
def nobody_ahead(state: State, out: Any) -> None:
    for seat in range(len(state.hands)):
        out[seat] = 0.0


DEFAULTS: Mapping[str, Callable[..., Any]] = {
    "state_table": plain_state,
    "choice_table": plain_choice,
    "merits_of": no_merits,
    "ahead": nobody_ahead,
}


class Tables:
    """What the columns of a game's tables are called."""

    def __init__(self, game: Game) -> None:
        told: Mapping[str, Any] = game.rules
        self.state: tuple[str, ...] = told.get("STATE_TABLE", PLAIN_STATE)
        self.choice: tuple[str, ...] = told.get("CHOICE_TABLE", PLAIN_CHOICE)
        self.merits: tuple[str, ...] = told.get("MERIT_TABLE", ())
        self.tabled: int = told.get("TABLED", 0)  # columns out of a paper; the others are ours


def tables_of(game: Game) -> Tables:
    """The tables of a game."""
    return Tables(game)


def ready(game: Game) -> Game:
    """Let the rules of this module be those of the game, or plain ones where it has none."""
    rules = rules_of(game.state)
    for name, default in DEFAULTS.items():
        if not hasattr(rules, name):
            setattr(rules, name, game.rules.get(name, default))
    return game
