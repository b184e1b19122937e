"""A game: what every game gives, gathered for the rest of the house.

A game is a record (one deal, all hands known), a second small record (the match around it) and a
handful of rules on them, whose faces are in `contract`. Here are the records' layouts and `Game`,
through which everything outside a game's folder knows it.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import numpy as np

from overtrick.cards import Card, Deck
from overtrick.errors import BadNotation, BadOption, BadSeat, UnknownName
from overtrick.games import observing, solving
from overtrick.games.behaviour import Metric, Played
from overtrick.games.contract import (
    HIDDEN,
    MAX_CASES,
    MAX_PLACES,
    NOBODY,
    OVER,
    Choice,
    Choices,
    Match,
    PerChoice,
    PerSeat,
    Places,
    Row,
    Seat,
    State,
    any_choice,
    choice_of,
    clear,
    deal,
    dealt,
    deck_size,
    draw_cards,
    every_match,
    hide,
    hide_choice,
    is_over,
    legal,
    match_around,
    match_winners,
    new_match,
    note,
    payoffs,
    payoffs_at_the_end,
    person_at,
    phase_of,
    places,
    play,
    rewards,
    rulebook,
    rulebook_without_rules,
    same_seat,
    score,
    seat_of,
    settle,
)
from overtrick.games.observing import Encoding, common_encoding
from overtrick.games.showing import Showing
from overtrick.games.telling import Telling, arrange_cards, swap_in_hands
from overtrick.games.variant import Option, Variant, option
from overtrick.jit import marker_name, register_rules, source_digest

__all__ = [
    "HIDDEN",
    "MAX_CASES",
    "MAX_PLACES",
    "NOBODY",
    "OVER",
    "Choice",
    "Choices",
    "Game",
    "Match",
    "Option",
    "PerChoice",
    "PerSeat",
    "Places",
    "Row",
    "Seat",
    "State",
    "Telling",
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
    "match_around",
    "match_dtype",
    "match_winners",
    "new_match",
    "note",
    "option",
    "payoffs",
    "person_at",
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
OPTIONAL_RULES: Mapping[str, Callable[..., Any]] = {
    "rewards": payoffs_at_the_end,
    "rulebook": rulebook_without_rules,
    "person_at": same_seat,
    "match_around": every_match,
    **observing.DEFAULTS,
    **solving.DEFAULTS,
}
"""Rules of the contract that a game may leave out, with those it then gets."""


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
    showing: Showing = field(default_factory=Showing)
    """How the game shows itself at the table in the browser."""
    check_match: Callable[[Any], str | None] = lambda match: None
    """What is wrong with a match record from outside, or None."""
    sights: Callable[[Any], dict[str, str]] = lambda view: {}
    """What the viewer saw that is neither a card dealt nor a choice, as name -> words."""
    foretold: Callable[[Any, Telling], dict[str, list[Card]]] = lambda state, told: {}
    """Place name -> unseen cards to be dealt there, so that what was seen comes about.

    The record has the cards that were told, and the others anywhere."""
    arrange: Callable[[Any, Telling, Choice], Choice] = arrange_cards
    """Arranges the unseen cards for the next choice, told or HIDDEN; what is then chosen."""
    swap: Callable[[Any, Card, Card], None] = swap_in_hands
    """Lets two unseen cards change places in a whole record."""
    rulebooks: Mapping[str, int] = field(default_factory=dict)
    """The frozen rule-based players, as `name@version` -> level of the rule `rulebook`."""
    gains: str = "gains"  # what the exact solver counts for a side: tricks or points
    search_defaults: Mapping[str, str] = field(default_factory=dict)
    """Settings of the searching players that do this game good, as measured."""
    people_of: Callable[[Any], int] | None = None
    """For a variant, how many people are at the table, if they may be more than the seats."""
    encodings: tuple[Encoding, ...] = ()
    """The flags that `observe` puts a view into, the default first."""
    metrics: tuple[Metric, ...] = (
        Metric("payoff", "points a deal", lambda played: played.payoffs),
        Metric("win rate", "deals won", lambda played: played.payoffs > 0, is_share=True),
        Metric("choices", "length of the deal", lambda played: played.states["turn"] * 1.0),
    )
    """What can be told of how somebody played."""
    role_of: Callable[[Played], Row] = lambda played: np.zeros(len(played.seats), dtype=np.int64)
    """For finished deals, a number for the part that the seat had: attacker, picker, …"""
    payoff_unit: int = 1  # payoffs are counted in this fraction of a point
    payoff_scale: int = 1  # the largest payoff in absolute value, under the default options
    scale_of: Callable[[Any], int] | None = None
    """For a variant, the largest payoff, if the options change it."""
    seat_names: tuple[str, ...] = ()
    teams: tuple[int, ...] | None = None  # fixed sides, one number a seat
    wins_decide: bool = False  # a deal is won or lost, by how much is of little weight
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
        if not self.encodings:
            common = common_encoding(self.seats, self.deck.names, self.phases)
            object.__setattr__(self, "encodings", (common,))
        rules = SimpleNamespace(**{name: self.rules[name] for name in RULES})
        for name, default in OPTIONAL_RULES.items():
            setattr(rules, name, self.rules.get(name, default))
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

    def encoding(self, name: str = "") -> int:
        """The number of one of the game's encodings, given as `name` or `name@version`."""
        for number, encoding in enumerate(self.encodings):
            if name in ("", encoding.name, str(encoding)):
                return number
        raise UnknownName(f"encoding of {self.name}", name, map(str, self.encodings))

    def has_cards(self, phase: int) -> bool:
        """Whether the choices of a phase are cards."""
        return self.choice_names[phase] is self.deck.names

    def card_choices(self, phase: int) -> int:
        """How many of a phase's choices, from the first, are the cards of the deck."""
        size = len(self.deck)
        return size if self.choice_names[phase][:size] == self.deck.names else 0

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
        understood = self.read_choice(phase, text.strip())
        if understood is not None:
            return understood
        if self.has_cards(phase):
            return self.deck.card(text)
        raise BadNotation(
            f"{self.name}: {text!r} is not a choice to {self.phases[phase]}; "
            f"there are {' '.join(names)}"
        )

    def people(self, variant: Variant) -> int:
        """How many people are at the table, those who sit out included."""
        return self.seats if self.people_of is None else self.people_of(variant)

    def scale(self, variant: Variant | Any) -> int:
        """The largest payoff under a variant: divided by it, payoffs lie in [-1, 1].

        A record will do as well, which holds the same options.
        """
        return self.payoff_scale if self.scale_of is None else int(self.scale_of(variant))

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
