"""The contract of a game: what every game gives, and what everything else builds on.

A game is a record (one deal, all hands known), a second small record (the match around it) and a
handful of rules on them. The generic functions below are the faces of those rules: typed and
documented here, written in `games/<game>/`, chosen by the record's type. Nothing outside a game's
folder knows a game by name.

Choices are small ints below 63 whose meaning depends on the phase; the legal ones are the set
bits of one int64. All chance of a deal is its shuffle, drawn before the first choice.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, Protocol

import numpy as np

from overtrick.cards import Card, Cards, Deck
from overtrick.errors import BadNotation, BadOption, BadSeat
from overtrick.games.variant import Option, Variant, option
from overtrick.jit import (
    below,
    face,
    marker_name,
    nth,
    popcount,
    register_rules,
    rule,
    source_digest,
)

__all__ = [
    "HIDDEN",
    "MAX_CASES",
    "MAX_PLACES",
    "NOBODY",
    "OVER",
    "Game",
    "Match",
    "Option",
    "PerSeat",
    "Places",
    "State",
    "Variant",
    "any_choice",
    "choice_of",
    "clear",
    "deal",
    "dealt",
    "deck_size",
    "draw_cards",
    "hide",
    "hide_choice",
    "is_over",
    "legal",
    "match_dtype",
    "match_winners",
    "new_match",
    "note",
    "option",
    "payoffs",
    "phase_of",
    "places",
    "play",
    "rewards",
    "rulebook",
    "score",
    "seat_of",
    "settle",
    "state_dtype",
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


# ---------------------------------------------------------------------------- records


def _fields_of(protocol: type) -> list[tuple[str, Any]]:
    """A protocol's fields with their types, those of its bases first."""
    found: dict[str, Any] = {}
    for base in reversed(protocol.__mro__):
        for name in getattr(base, "__annotations__", {}):
            found.setdefault(name, None)
    hints = typing.get_type_hints(protocol, include_extras=True)
    return [(name, hints[name]) for name in found if not name.startswith("_")]


def _layout(hint: Any, seats: int, longest: int) -> tuple[Any, ...]:
    if typing.get_origin(hint) is Annotated:
        size = hint.__metadata__[0]
        if size == "choice":
            return (np.int16, (-(-longest // 4) * 4,))  # no gap before the next int64
        return (np.int64, (seats if size == "seat" else int(size),))
    return (np.int64,)


def _record(protocol: type, marker: str, seats: int, longest: int) -> np.dtype[Any]:
    columns = [(name, *_layout(hint, seats, longest)) for name, hint in _fields_of(protocol)]
    taken = [name for name, *_ in columns if hasattr(np.record, name)]
    if taken:
        raise TypeError(f"{protocol.__name__}: NumPy's records have their own {', '.join(taken)}")
    return np.dtype((np.record, np.dtype([*columns, (marker, np.int64)], align=True)))


def state_dtype(
    protocol: type, game: str, source: str, *, seats: int, longest: int
) -> np.dtype[Any]:
    """The record of a game's deals, laid out after the fields of its State protocol.

    `source` is the `__file__` of the game's rules; `longest` is the largest number of choices
    that a deal can have.
    """
    marker = marker_name(game, source_digest(_home(source)), "deal")
    return _record(protocol, marker, seats, longest)


def match_dtype(protocol: type, game: str, source: str, *, seats: int) -> np.dtype[Any]:
    """The record of a game's matches, laid out after the fields of its Match protocol."""
    marker = marker_name(game, source_digest(_home(source)), "match")
    return _record(protocol, marker, seats, 0)


def _home(source: str) -> Path:
    """The folder of a game that is a package, else its single file."""
    path = Path(source).resolve()
    return path.parent if (path.parent / "__init__.py").exists() else path


# ---------------------------------------------------------------------------- a game

RULES = (
    *("deck_size", "new_match", "deal", "dealt", "legal", "play", "payoffs"),
    *("score", "match_winners", "hide", "places", "settle"),
)


@dataclass(frozen=True, eq=False)
class Game:
    """All that the rest of the house needs to know of one game."""

    name: str
    title: str
    summary: str
    deck: Deck
    seats: int
    phases: tuple[str, ...]  # names of the phases, in the order of their numbers
    state: np.dtype[Any]
    match: np.dtype[Any]
    variant: type[Variant]
    rules: Mapping[str, Callable[..., Any]]
    layout: Callable[[Any], dict[str, list[int]]]
    """For a match record: place name -> positions in the shuffled deck that it gets, in order."""
    choice_names: tuple[tuple[str, ...], ...]
    """For each phase, its choices in notation; index = choice."""
    action_offsets: tuple[int, ...]
    """For each phase, where its choices begin in the flat action space; phases may overlap."""
    read_choice: Callable[[int, str], Choice | None] = lambda phase, text: None
    """Other ways in which people write a choice of this phase; None for nonsense."""
    describe: Callable[[Any], list[tuple[str, str]]] = lambda state: []
    """What everybody sees beyond hands and tricks, as (label, text)."""
    check_match: Callable[[Any], str | None] = lambda match: None
    """What is wrong with a match record from outside, or None."""
    rulebooks: Mapping[str, int] = field(default_factory=dict)
    """The frozen rule-based players, as `name@version` -> level of the rule `rulebook`."""
    payoff_unit: int = 1  # payoffs are counted in this fraction of a point
    payoff_scale: int = 1  # the largest payoff in absolute value
    seat_names: tuple[str, ...] = ()
    teams: tuple[int, ...] | None = None  # fixed sides, one number a seat
    hidden: bool = False  # a test game: not offered to card players

    def __post_init__(self) -> None:
        missing = [name for name in RULES if name not in self.rules]
        if missing:
            raise TypeError(f"{self.name}: the contract also asks for {', '.join(missing)}")
        for names in (self.deck.names, *self.choice_names):
            if len(names) > HIDDEN:
                raise TypeError(f"{self.name}: cards and choices are below {HIDDEN}")
        if not len(self.phases) == len(self.choice_names) == len(self.action_offsets):
            raise TypeError(f"{self.name}: every phase has choice names and an action offset")
        rules = SimpleNamespace(**{name: self.rules[name] for name in RULES})
        rules.rewards = self.rules.get("rewards", payoffs_at_the_end)
        rules.rulebook = self.rules.get("rulebook", rulebook_without_rules)
        for dtype in (self.state, self.match):
            names = dtype.names or ()
            register_rules(names[-1], rules)

    def __reduce__(self) -> tuple[Any, ...]:
        """Workers and clusters get the name of a game, never its kernels."""
        from overtrick.games import load_game

        return load_game, (self.name,)

    def __repr__(self) -> str:
        return f"<game {self.name}>"

    @property
    def longest(self) -> int:
        """No deal has more choices than this."""
        size: int = self.state["history"].shape[0]
        return size

    @property
    def actions(self) -> int:
        """The size of the flat action space."""
        sizes = (len(names) for names in self.choice_names)
        return max(map(sum, zip(self.action_offsets, sizes, strict=True)))

    def has_cards(self, phase: int) -> bool:
        """Whether the choices of a phase are cards."""
        return self.choice_names[phase] is self.deck.names

    def choice_text(self, phase: int, choice: Choice) -> str:
        """A choice in notation; `?` for one that the viewer has not seen."""
        return "?" if choice == HIDDEN else self.choice_names[phase][choice]

    def choice_from(self, phase: int, text: str) -> Choice:
        """The choice of a phase that a person wrote."""
        names = self.choice_names[phase]
        folded = text.strip().casefold()
        for choice, name in enumerate(names):
            if name.casefold() == folded:
                return choice
        if self.has_cards(phase):
            return self.deck.card(text)
        understood = self.read_choice(phase, text.strip())
        if understood is None:
            raise BadNotation(
                f"{self.name}: {text!r} is not a choice to {self.phases[phase]}; "
                f"there are {' '.join(names)}"
            )
        return understood

    def variant_of(self, options: str | Mapping[str, Any] | Variant | None) -> Variant:
        """The variant that a caller named in one way or another."""
        if options is None:
            return self.variant()
        if isinstance(options, str):
            return self.variant.from_text(options)
        if isinstance(options, Variant):
            if type(options) is not self.variant:
                raise BadOption(f"{self.name}: {options!r} is a variant of another game")
            return options
        return self.variant.from_values(options)

    def blank_states(self, count: int, variant: Variant) -> np.ndarray[Any, Any]:
        """`count` records with the variant's options and no cards."""
        return _with_options(np.zeros(count, dtype=self.state), variant)

    def blank_matches(self, count: int, variant: Variant) -> np.ndarray[Any, Any]:
        """`count` match records with the variant's options, not yet begun."""
        return _with_options(np.zeros(count, dtype=self.match), variant)

    def seat_name(self, seat: Seat) -> str:
        """What a seat is called at this table."""
        return self.seat_names[seat] if self.seat_names else str(seat)

    def seat_from(self, seat: Seat | str) -> Seat:
        """The seat that a caller named: a number, a name or the beginning of one."""
        if isinstance(seat, str):
            word = seat.strip().casefold()
            found = [n for n, name in enumerate(self.seat_names) if name.casefold() == word]
            if not found and word:
                names = enumerate(self.seat_names)
                found = [n for n, name in names if name.casefold().startswith(word)]
            if not found and word.isascii() and word.isdigit():
                found = [int(word)]
            number = found[0] if len(found) == 1 else -1
        else:
            number = int(seat)
        if not 0 <= number < self.seats:
            seats = ", ".join(self.seat_names) or f"0 to {self.seats - 1}"
            raise BadSeat(f"{self.name}: the seats are {seats}, not {seat!r}")
        return number

    def points(self, payoff: int) -> Fraction:
        """A payoff in the points of the rules."""
        return Fraction(int(payoff), self.payoff_unit)


def _with_options(records: np.ndarray[Any, Any], variant: Variant) -> np.ndarray[Any, Any]:
    names = records.dtype.names or ()
    for name, value in variant.pack().items():
        if name in names:
            records[name] = value
    return records
