"""What nets are shown of a view: named flags, event tokens, and suits under other names.

An *observation* is a row of flags, each 0 or 1, with a name and a meaning: its `Encoding` tells
them. A game puts a view into flags by its rule `observe`; a game without one gets the flags that
all games have. *Tokens* are the same knowledge as a sequence: what the viewer holds and knows,
then who chose what. Both are made from the view only, with seats counted from the viewer.

Suits that the rules do not tell apart may change their names. A *suit order* says where each suit
goes: two bits a suit, `order >> 2 * suit & 3`. Nets see trump first, then the others by the
viewer's cards (`suit_order`), and a learner may permute the suits that the rules allow
(`free_suits`). Choices are renamed by `relabel`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from overtrick.cards import Cards
from overtrick.games.contract import (
    HIDDEN,
    Choices,
    PerSeat,
    Row,
    Seat,
    State,
    choice_of,
    phase_of,
    seat_of,
)
from overtrick.jit import face, highest, lowest, nth, popcount, rule

__all__ = [
    "AS_CARDS",
    "CONTEXT",
    "EVENT",
    "HAND",
    "KNOWN",
    "LEADER",
    "MOST_SUITS",
    "OWN_FACTS",
    "SAME_SUITS",
    "TABLE",
    "TOKEN_COLUMNS",
    "TO_ACT",
    "TRUMP",
    "TRUMP_FIRST",
    "Encoding",
    "Feature",
    "at_least",
    "below_top",
    "by_cards",
    "cards_by_seat",
    "choices_by_turn",
    "common_encoding",
    "flag_phase",
    "flag_seat",
    "free_suits",
    "inverse_order",
    "move_suits",
    "named_by_place",
    "observe",
    "one_of",
    "put_by_seat",
    "put_choices",
    "put_leads",
    "relabel",
    "relative",
    "seat_after",
    "seats_around",
    "suit_order",
    "suits_by_place",
    "tell",
    "tell_card_set",
    "tell_common",
    "tell_fact",
    "thermometer",
    "trump_cards",
    "write_token",
]

# ---------------------------------------------------------------------------- the spec

MOST_FLAGS = 63  # of a feature: the bits of one int64


@dataclass(frozen=True)
class Feature:
    """Some flags of an observation that belong together."""

    name: str
    flags: tuple[str, ...]  # what each of them stands for
    meaning: str


@dataclass(frozen=True)
class Encoding:
    """The flags of an observation. Other flags or another order make another version."""

    name: str
    version: int
    features: tuple[Feature, ...]

    def __post_init__(self) -> None:
        wide = [feature.name for feature in self.features if len(feature.flags) > MOST_FLAGS]
        if wide:
            raise TypeError(f"{self}: a feature has at most {MOST_FLAGS} flags, not {wide[0]}")

    @cached_property
    def size(self) -> int:
        """How many flags there are."""
        return sum(len(feature.flags) for feature in self.features)

    @cached_property
    def widths(self) -> Row:
        """How many flags each feature has."""
        return np.array([len(feature.flags) for feature in self.features], dtype=np.int64)

    @property
    def words(self) -> int:
        """How many int64 an observation takes, a bit a flag."""
        return -(-self.size // 64)

    @cached_property
    def digest(self) -> str:
        """Tells encodings apart that a net must not confuse."""
        return sha256(repr([self.name, self.version, self.rows()]).encode()).hexdigest()[:16]

    def rows(self) -> list[tuple[int, str, str]]:
        """Index, name and meaning of every flag."""
        named = [
            (f"{feature.name}: {flag}" if flag else feature.name, feature.meaning)
            for feature in self.features
            for flag in feature.flags
        ]
        return [(index, name, meaning) for index, (name, meaning) in enumerate(named)]

    def spans(self) -> list[tuple[int, Feature]]:
        """Each feature with the index of its first flag."""
        starts, at = [], 0
        for feature in self.features:
            starts.append((at, feature))
            at += len(feature.flags)
        return starts

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


def seats_around(seats: int) -> tuple[str, ...]:
    """What the seats are called by one of them, in playing order from itself."""
    names = {
        2: ("self", "other"),
        3: ("self", "next", "previous"),
        4: ("self", "next", "across", "previous"),
    }
    between = (f"next but {number}" for number in range(1, seats - 2))
    return names.get(seats) or ("self", "next", *between, "previous")


def cards_by_seat(
    name: str, cards: Sequence[str], seats: Sequence[str], meaning: str
) -> tuple[Feature, ...]:
    """A set of cards for each of these seats."""
    return tuple(Feature(f"{name} {seat}", tuple(cards), meaning) for seat in seats)


def suits_by_place() -> tuple[str, ...]:
    """What suits are called when trump goes first."""
    return ("trump", "suit 2", "suit 3", "suit 4")


def named_by_place(ranks: str) -> tuple[str, ...]:
    """The cards of a deck that runs suit by suit, when trump goes first."""
    return tuple(f"{rank} of {suit}" for suit in suits_by_place() for rank in ranks)


def at_least(name: str, steps: Sequence[int], meaning: str) -> Feature:
    """A number as a thermometer: a flag for every step that it reaches."""
    return Feature(name, tuple(f"{step} or more" for step in steps), meaning)


def one_of(name: str, flags: Sequence[str], meaning: str) -> Feature:
    """One flag out of several, or none."""
    return Feature(name, tuple(flags), meaning)


# ---------------------------------------------------------------------------- faces of the rules

AS_CARDS = -1  # in the place of a phase: the choices are cards, whatever the phase


@face
def observe(view: State, encoding: int, order: int, features: Row) -> None:
    """Put a view into the features of one of the game's encodings: their flags as bits.

    Suits go where `order` sends them.
    """
    raise AssertionError


@face
def tell(view: State, order: int, tokens: Any) -> int:
    """Write the tokens of all that the viewer knows beside the choices; gives their number."""
    raise AssertionError


@face
def trump_cards(view: State) -> Cards:
    """The trumps of this deal, as far as they are settled; 0 in a game without."""
    raise AssertionError


@face
def suit_order(view: State) -> int:
    """The order of suits in which nets see this view: trump first, the others by the cards."""
    raise AssertionError


@face
def free_suits(view: State) -> int:
    """Which places of that order the rules do not tell apart, as bits."""
    raise AssertionError


@face
def relabel(view: State, phase: int, choices: Choices, order: int) -> Choices:
    """Choices of a phase, or cards (AS_CARDS), with their suits where the order sends them."""
    raise AssertionError


# ---------------------------------------------------------------------------- suits

MOST_SUITS = 4
SAME_SUITS = 0b11_10_01_00  # every suit where it is
TRUMP_FIRST = np.array([0b11_10_01_00, 0b11_10_00_01, 0b11_00_10_01, 0b00_11_10_01], dtype=np.int64)
"""For each suit, the order that puts it first and leaves the others as they follow."""


@rule
def move_suits(cards: Cards, order: int, size: int) -> Cards:
    """Cards of a deck that runs suit by suit, `size` each, with their suits moved."""
    one_suit = (1 << size) - 1
    moved = 0
    for suit in range(MOST_SUITS):
        moved |= (cards >> size * suit & one_suit) << size * (order >> 2 * suit & 3)
    return moved


@rule
def by_cards(view: State, led: Cards, order: int, free: int, size: int) -> int:
    """An order with its free places filled by the cards: the suit led, then the viewer's longest.

    The deck runs suit by suit, `size` each. A view whose suits have other names is so shown alike,
    and nets have less to learn; but for two suits of which too little is known to tell them apart.
    """
    me = view.viewer if view.viewer >= 0 else view.seat
    keys = (
        suit_key(view, me, led, 0, size),
        suit_key(view, me, led, 1, size),
        suit_key(view, me, led, 2, size),
        suit_key(view, me, led, 3, size),
    )
    result = order
    for suit in range(MOST_SUITS):
        if not free >> (order >> 2 * suit & 3) & 1:
            continue
        before = 0
        for other in range(MOST_SUITS):
            if free >> (order >> 2 * other & 3) & 1:
                ahead = keys[other] > keys[suit] or (keys[other] == keys[suit] and other < suit)
                before += int(ahead)
        result = result & ~(3 << 2 * suit) | nth(free, before) << 2 * suit
    return result


@rule
def suit_key(view: State, me: Seat, led: Cards, suit: int, size: int) -> int:
    """The larger, the further in front: led, long, high, and then by what the others played."""
    one_suit = (1 << size) - 1
    held = view.hands[me] >> size * suit & one_suit
    key = (int(led >> size * suit & 1) << 4 | popcount(held)) << size | held
    for offset in range(min(3, len(view.hands))):
        seat = (me + offset) % len(view.hands)
        key = key << size | view.played[seat] >> size * suit & one_suit
    return key


@rule
def inverse_order(order: int) -> int:
    """The order that undoes another."""
    inverse = 0
    for suit in range(MOST_SUITS):
        inverse |= suit << 2 * (order >> 2 * suit & 3)
    return inverse


# ---------------------------------------------------------------------------- flags


@rule
def thermometer(number: int) -> int:
    """As many set bits."""
    return (1 << number) - 1


@rule
def below_top(cards: Cards) -> Cards:
    """The highest of some cards, and all that lie below it; nothing of no cards."""
    return (2 << highest(cards)) - 1 if cards else 0


@rule
def relative(seat: Seat, me: Seat, seats: int) -> int:
    """How many seats on from the viewer a seat is."""
    return seat - me if seat >= me else seat - me + seats


@rule
def seat_after(me: Seat, offset: int, seats: int) -> Seat:
    """The seat so many seats on from the viewer."""
    beyond = me + offset - seats
    return beyond + (beyond >> 63 & seats)


@rule
def flag_seat(seat: Seat, me: Seat, seats: int) -> int:
    """The flag of a seat as the viewer counts them; none for NOBODY.

    Without a branch, as all of this: views come in no order, so that every branch is a guess.
    """
    behind = seat - me >> 63  # -1 for a seat before the viewer's, else 0
    return 1 << (seat - me + (behind & seats) & 63) & ~(seat >> 63)


@rule
def flag_phase(view: State) -> int:
    """The flag of the phase; none at the end."""
    return 0 if view.phase < 0 else 1 << view.phase


@rule
def put_by_seat(features: Row, at: int, view: State, cards: PerSeat, first: int, order: int) -> int:
    """Put in a set of cards for each seat from the `first` after the viewer on.

    `at` is the first feature to write; gives the next.
    """
    seats = len(cards)
    for offset in range(first, seats):
        held = cards[seat_after(view.viewer, offset, seats)]
        features[at] = relabel(view, AS_CARDS, held, order)
        at += 1
    return at


@rule
def put_leads(view: State, playing: int, order: int, features: Row, at: int) -> None:
    """Put in the suits that each of four seats has led, from the viewer on.

    `playing` is the phase in which cards of suits of thirteen are played.
    """
    for offset in range(4):
        features[at + offset] = 0
    cards = 0  # of the trick
    for turn in range(view.turn):
        event = view.history[turn]
        if phase_of(event) != playing:
            continue
        if cards & 3 == 0:
            suit = int(choice_of(event)) * 5 >> 6  # divided by 13
            place = at + (seat_of(event) - view.viewer & 3)
            features[place] |= 1 << (order >> 2 * suit & 3)
        cards += 1


def choices_by_turn(turns: int, names: Sequence[str]) -> tuple[Feature, ...]:
    """Every choice of a short deal."""
    return tuple(one_of(f"choice {turn}", names, "what was chosen") for turn in range(1, turns + 1))


@rule
def put_choices(view: State, features: Row, at: int) -> None:
    """Put in every choice of a short deal, a feature each; none for one not made or not seen."""
    for turn in range(len(view.history)):
        choice = int(choice_of(view.history[turn]))
        made = turn < view.turn and choice != HIDDEN
        features[at + turn] = 1 << choice if made else 0


MOST_PHASES = 8


def common_encoding(seats: int, cards: Sequence[str], phases: Sequence[str]) -> Encoding:
    """The flags of a game that has no encoding of its own."""
    around = seats_around(seats)
    spare = [f"phase {number}" for number in range(len(phases), MOST_PHASES)]
    return Encoding(
        "common",
        1,
        (
            one_of("phase", [*phases, *spare], "what is to be chosen"),
            one_of("to act", around, "whose turn it is"),
            one_of("leader", around, "who led this trick or is to lead it"),
            Feature("hand", tuple(cards), "the viewer's cards"),
            Feature("table", tuple(cards), "the cards of the current trick"),
            *cards_by_seat("held by", cards, around[1:], "cards that the viewer knows to be there"),
            *cards_by_seat("not held by", cards, around[1:], "cards proven not to be there"),
            *cards_by_seat("played by", cards, around, "cards played to tricks"),
        ),
    )


@rule
def observe_common(view: State, encoding: int, order: int, features: Row) -> None:
    """The flags that all games have."""
    me, seats = view.viewer, len(view.hands)
    features[0] = flag_phase(view)
    features[1] = flag_seat(view.seat, me, seats)
    features[2] = flag_seat(view.leader, me, seats)
    features[3] = relabel(view, AS_CARDS, view.hands[me], order)
    features[4] = relabel(view, AS_CARDS, view.table, order)
    at = put_by_seat(features, 5, view, view.hands, 1, order)
    at = put_by_seat(features, at, view, view.cannot, 1, order)
    put_by_seat(features, at, view, view.played, 0, order)


@rule
def same_suits(view: State) -> int:
    """The order of a game whose suits are never renamed."""
    return SAME_SUITS


@rule
def no_cards(view: State) -> Cards:
    """No trumps; no suits that could be renamed."""
    return 0


@rule
def relabel_nothing(view: State, phase: int, choices: Choices, order: int) -> Choices:
    """The choices of a game whose suits are never renamed."""
    return choices


# ---------------------------------------------------------------------------- tokens

TOKEN_COLUMNS = ("segment", "player", "phase", "choice", "position", "status")
"""What the numbers of a token mean.

- segment: CONTEXT, HAND, KNOWN, EVENT or TABLE (an event of the current trick)
- player: seats on from the viewer; -1 for nobody
- phase: of the choice; AS_CARDS where the choice column holds a card
- choice: the choice, HIDDEN (63) if the viewer has not seen it; in CONTEXT which fact it is
- position: the number of the choice, or of the card among its like; in CONTEXT the fact's value
- status: TRUMP for a card that is one, else 0
"""
CONTEXT, HAND, KNOWN, EVENT, TABLE = range(5)
TO_ACT, LEADER, OWN_FACTS = range(3)  # facts of all games, then those of each game
TRUMP = 1


@rule
def write_token(
    tokens: Any, at: int, segment: int, player: int, phase: int, choice: int, position: int
) -> int:
    """Write one token of status 0; gives the place of the next."""
    row = tokens[at]
    row[0] = segment
    row[1] = player
    row[2] = phase
    row[3] = choice
    row[4] = position
    row[5] = 0
    return at + 1


@rule
def tell_fact(tokens: Any, at: int, fact: int, player: int, value: int) -> int:
    """One fact of the deal: about a player (-1 for nobody), with a value."""
    return write_token(tokens, at, CONTEXT, player, AS_CARDS, fact, value)


@rule
def tell_card_set(
    view: State, order: int, tokens: Any, at: int, segment: int, player: int, cards: Cards
) -> int:
    """A token for each card, lowest first."""
    rest = relabel(view, AS_CARDS, cards, order)
    trumps = relabel(view, AS_CARDS, trump_cards(view), order)
    position = 0
    while rest:
        card = lowest(rest)
        at = write_token(tokens, at, segment, player, AS_CARDS, card, position)
        tokens[at - 1, 5] = TRUMP if trumps >> card & 1 else 0
        rest &= rest - 1
        position += 1
    return at


@rule
def tell_common(view: State, order: int, tokens: Any) -> int:
    """What all games have: who is to act and to lead, and the cards that the viewer can locate."""
    me, seats = view.viewer, len(view.hands)
    acts = -1 if view.seat < 0 else relative(view.seat, me, seats)
    leads = -1 if view.leader < 0 else relative(view.leader, me, seats)
    at = tell_fact(tokens, 0, TO_ACT, acts, view.phase)
    at = tell_fact(tokens, at, LEADER, leads, 0)
    at = tell_card_set(view, order, tokens, at, HAND, 0, view.hands[me])
    for offset in range(1, seats):
        held = view.hands[seat_after(me, offset, seats)]
        at = tell_card_set(view, order, tokens, at, KNOWN, offset, held)
    return at


DEFAULTS: dict[str, Callable[..., Any]] = {
    "observe": observe_common,
    "tell": tell_common,
    "trump_cards": no_cards,
    "suit_order": same_suits,
    "free_suits": no_cards,
    "relabel": relabel_nothing,
}
"""The rules of a game that says nothing of its own."""
