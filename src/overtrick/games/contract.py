"""The rules of the contract: what every game gives, and what everything else builds on.

A game is a record (one deal, all hands known), a second small record (the match around it) and a
handful of rules on them. The generic functions below are the faces of those rules: typed and
documented here, written in `games/<game>/`, chosen by the record's type. Nothing outside a game's
folder knows a game by name.

Choices are small ints below 63 whose meaning depends on the phase; the legal ones are the set
bits of one int64. All chance of a deal is its shuffle, drawn before the first choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Protocol

import numpy as np

from overtrick.cards import Card, Cards
from overtrick.jit import below, face, nth, popcount, rule

__all__ = [
    "HIDDEN",
    "MAX_CASES",
    "MAX_PLACES",
    "NOBODY",
    "OVER",
    "Choice",
    "Choices",
    "Match",
    "PerChoice",
    "PerSeat",
    "Places",
    "Row",
    "Seat",
    "State",
    "any_choice",
    "choice_of",
    "clear",
    "deal",
    "dealt",
    "deck_size",
    "draw_cards",
    "every_match",
    "hide",
    "hide_choice",
    "is_over",
    "legal",
    "match_around",
    "match_winners",
    "new_match",
    "note",
    "payoffs",
    "payoffs_at_the_end",
    "person_at",
    "phase_of",
    "places",
    "play",
    "rewards",
    "rulebook",
    "rulebook_without_rules",
    "same_seat",
    "score",
    "seat_of",
    "settle",
]

Seat = int
Choice = int
Choices = int
Row = np.ndarray[Any, np.dtype[np.int64]]

PerSeat = Annotated[Row, "seat"]
"""One int64 for each seat."""
PerChoice = Annotated[np.ndarray[Any, np.dtype[np.int16]], "choice"]
"""One event for each choice that a deal can have."""

OVER = -1  # the phase of a deal that has ended
NOBODY = -1  # the seat to act when there is none; the viewer of a record that hides nothing
HIDDEN = 63  # a choice that the viewer has not seen


class State(Protocol):
    """One deal: the fields with which every game's record begins.

    As a *view* (`viewer` is a seat) it holds what that seat knows: hidden hands are down to the
    cards it can locate, hidden choices are HIDDEN. Otherwise all hands are known.
    """

    phase: int  # the game's own phases count from 0; OVER at the end
    seat: Seat  # to act, NOBODY at the end
    viewer: Seat  # whose view this is, NOBODY for a whole deal
    turn: int  # choices made so far
    leader: Seat  # led this trick, or is to lead it
    table: Cards  # the cards of the current trick
    hands: PerSeat  # cards held
    played: PerSeat  # cards played to tricks so far
    cannot: PerSeat  # cards that each seat is proven not to hold, to everybody
    known: PerSeat  # cards that each seat is known to hold: to everybody; in a view, to the viewer
    history: PerChoice  # one event for each choice made, then zeros


class Match(Protocol):
    """The deals around a deal: the fields with which every game's match record begins."""

    deals: int  # deals scored so far: the number of the deal to be played, from 0
    scores: PerSeat  # running totals


class Places(Protocol):
    """Where the unseen cards of a view may lie, filled in by a game's `places`.

    Every case is a puzzle of its own: `count` places, each with room for `room` cards out of
    `allowed`; the rooms add up to the number of unseen cards. Cases exclude each other; `weight`
    says how many pairs (shuffle, hidden choices) stand behind each arrangement of a case.
    """

    cases: int
    count: int
    weight: Row  # [MAX_CASES]
    room: Row  # [MAX_CASES, MAX_PLACES]
    allowed: Row  # [MAX_CASES, MAX_PLACES]


MAX_PLACES = 8
MAX_CASES = 64


# ---------------------------------------------------------------------------- faces of the rules


@face
def deck_size(state: State) -> int:
    """How many cards the game is played with."""
    raise AssertionError


@face
def new_match(match: Match, stream: Row) -> None:
    """Begin a match: write every field but the options."""
    raise AssertionError


@face
def deal(state: State, match: Match, order: Sequence[Card]) -> None:
    """Deal the cards of a shuffled deck: write every field of `state` but the options."""
    raise AssertionError


@face
def dealt(state: State, order: Any) -> None:
    """Write an order of the deck from which the same choices lead to this whole deal."""
    raise AssertionError


@face
def legal(state: State) -> Choices:
    """The choices of the seat to act; never empty before the deal is over."""
    raise AssertionError


@face
def play(state: State, choice: Choice) -> None:
    """Make a legal choice; it is not checked here."""
    raise AssertionError


@face
def payoffs(state: State, out: Row) -> None:
    """Write each seat's payoff of a deal that is over; they sum to zero."""
    raise AssertionError


@face
def rewards(state: State, out: Any) -> None:
    """Write what each seat has been rewarded so far in this deal, as floats: for learning only.

    A learner takes the differences from choice to choice. A game that says nothing else rewards
    nothing before the end and the payoffs then.
    """
    raise AssertionError


@face
def rulebook(state: State, level: int, stream: Row) -> Choice:
    """What one of the game's rule-based players chooses for the seat to act.

    `level` is a number out of the game's `rulebooks`. The state may be a view or a whole deal:
    only what that seat knows may count, and the choice is the same on both. A game that says
    nothing else has players that choose at random.
    """
    raise AssertionError


@face
def score(match: Match, state: State) -> None:
    """Enter a deal that is over into the match."""
    raise AssertionError


@face
def person_at(match: Match, seat: Seat) -> int:
    """Who sits in a seat for the next deal, where more people than seats are at the table.

    A game that says nothing else has a person in every seat, who stays there.
    """
    raise AssertionError


@face
def match_around(state: State, match: Match) -> None:
    """Write into an empty match what dealing this deal again needs to know of it.

    A game that says nothing else deals every deal alike.
    """
    raise AssertionError


@face
def match_winners(match: Match) -> int:
    """The seats that have won the match, as a set of bits; 0 while it goes on."""
    raise AssertionError


@face
def hide(state: State, seat: Seat) -> None:
    """Turn a whole deal into the view of one seat, in place."""
    raise AssertionError


@face
def places(view: State, where: Places) -> None:
    """Tell where the cards that the viewer has not seen may lie."""
    raise AssertionError


@face
def settle(view: State, found: Row, stream: Row) -> None:
    """Turn a view into a whole deal, in place.

    `found` is the set of cards drawn for each place; choices that the viewer has not seen are
    drawn here, uniformly over those that give this view.
    """
    raise AssertionError


# ---------------------------------------------------------------------------- common rules


@rule
def is_over(state: State) -> bool:
    """Whether the deal has ended."""
    return state.phase == OVER


@rule
def payoffs_at_the_end(state: State, out: Any) -> None:
    """The rewards of a game that has none of its own."""
    won = np.zeros(len(state.hands), dtype=np.int64)
    if is_over(state):
        payoffs(state, won)
    for seat in range(len(won)):
        out[seat] = won[seat]


@rule
def any_choice(state: State, stream: Row) -> Choice:
    """A random legal choice."""
    choices = legal(state)
    return nth(choices, below(stream, popcount(choices)))


@rule
def rulebook_without_rules(state: State, level: int, stream: Row) -> Choice:
    """The rulebook of a game that has none of its own."""
    return any_choice(state, stream)


@rule
def every_match(state: State, match: Match) -> None:
    """The match around a deal in a game that deals every deal alike."""


@rule
def same_seat(match: Match, seat: Seat) -> int:
    """The person of a seat in a game whose people never move."""
    return seat


@rule
def note(state: State, choice: Choice) -> None:
    """Write a choice into the history: who chose what, in which phase."""
    state.history[state.turn] = state.phase << 9 | state.seat << 6 | choice
    state.turn += 1


@rule
def choice_of(event: int) -> Choice:
    """The choice of an event in the history."""
    return event & 63


@rule
def seat_of(event: int) -> Seat:
    """The seat of an event in the history."""
    return event >> 6 & 7


@rule
def phase_of(event: int) -> int:
    """The phase of an event in the history."""
    return event >> 9


@rule
def hide_choice(state: State, turn: int) -> None:
    """Put HIDDEN in the place of a choice in the history."""
    state.history[turn] |= HIDDEN


@rule
def clear(state: State) -> None:
    """Set the common fields to those of a deal without cards: the start of every `deal`."""
    state.viewer = NOBODY
    state.turn = 0
    state.table = 0
    for seat in range(len(state.hands)):
        state.hands[seat] = 0
        state.played[seat] = 0
        state.cannot[seat] = 0
        state.known[seat] = 0
    for turn in range(len(state.history)):
        state.history[turn] = 0


@rule
def draw_cards(cards: Cards, count: int, stream: Row) -> Cards:
    """`count` cards out of a set, each choice of them equally likely."""
    left = popcount(cards)
    if count == left:
        return cards
    leave = 2 * count > left
    draws = left - count if leave else count
    rest = cards
    for _ in range(draws):
        rest ^= 1 << nth(rest, below(stream, left))
        left -= 1
    return rest if leave else cards ^ rest
