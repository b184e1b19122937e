"""How a game shows itself at a table: what the page draws beyond hands and tricks, and in words.

All of it is told of a *view*, the record as one seat sees it, so that nothing hidden has a road to
the browser. Words are phrases: a key of the page's catalogue and what to fill in. A game keeps its
own in `showing.py`, which holds no rules: it is not among the sources that kernels are made of. It
calls none on a record either, for a rule called from Python is first compiled, up to seconds long;
what little it counts for itself is held against the rules by the tests.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from overtrick.cards import Card, Cards, Deck, each
from overtrick.games.contract import NOBODY, Choice, Seat

__all__ = [
    "NOT_NOW",
    "Phrase",
    "Showing",
    "alternating",
    "by_number",
    "cards_made",
    "everything_held",
    "named",
    "on_the_table",
    "somebody",
    "suits_in_order",
]


@dataclass(frozen=True)
class Phrase:
    """A text of the page's catalogue, by its key, with what to fill in.

    What an argument is follows from its name: `card` and `cards` are names of cards, `suit` a
    letter of the deck, `seat` a number; the page puts them into words and symbols.
    """

    key: str
    args: Mapping[str, str | int] = field(default_factory=dict)


NOT_NOW = Phrase("why.not-now")


def named(deck: Deck, cards: Cards | Iterable[Card]) -> list[str]:
    """Cards by their names; a set from the lowest."""
    listed = cards if isinstance(cards, Iterable) else each(int(cards))
    return [deck.names[card] for card in listed]


def somebody(seat: Seat) -> Seat | None:
    """A seat of a record; None for nobody."""
    return None if seat == NOBODY else int(seat)


def cards_made(view: Any, phases: Iterable[int], size: int) -> list[Card]:
    """The cards played so far, in order.

    `phases` are those in which cards are played, `size` is that of the deck: what else may be
    chosen then counts on from there. A card that the viewer has not seen is left out.
    """
    events = [int(event) for event in view.history[: int(view.turn)]]
    return [event & 63 for event in events if event >> 9 in phases and event & 63 < size]


def on_the_table(view: Any) -> list[tuple[Seat, Card]]:
    """The cards of the current trick with who played them, in order."""
    turn, count = int(view.turn), int(view.table).bit_count()
    return [(int(event) >> 6 & 7, int(event) & 63) for event in view.history[turn - count : turn]]


def everything_held(view: Any, cards: Cards) -> Cards:
    """Cards of the viewer together with those that it has played.

    A hand is ordered by these, so that it does not jump about when a suit runs out.
    """
    return int(cards) if view.viewer == NOBODY else int(cards) | int(view.played[view.viewer])


@cache
def alternating(suits: str, red: str, first: str | None = None) -> str:
    """Suits in such an order that neighbours differ in colour wherever that can be.

    `suits` come by letters, in the order that is liked best; `red` are those of one colour.
    `first`, trump mostly, is put first if it is among them.
    """
    best, fewest = suits, len(suits) + 1
    for order in itertools.permutations(suits):
        clashes = sum((one in red) == (other in red) for one, other in itertools.pairwise(order))
        if clashes < fewest and (order[:1] == (first,) or first not in order):
            best, fewest = "".join(order), clashes
    return best


def suits_in_order(
    deck: Deck, view: Any, cards: Cards, liked: str, red: str, first: str | None = None
) -> list[Card]:
    """Cards suit by suit, colours alternating, each suit from its highest bit down."""
    held = {name[-1] for name in named(deck, everything_held(view, cards))}
    suits = alternating("".join(suit for suit in liked if suit in held), red, first)
    return sorted(each(int(cards)), key=lambda card: (suits.index(deck.names[card][-1]), -card))


def by_number(state: Any, cards: Cards) -> Iterable[Card]:
    """A hand in the order of the deck."""
    return each(cards)


@dataclass(frozen=True)
class Showing:
    """How one game shows itself; a game that says nothing is drawn in the plain way."""

    facts: Callable[[Any], Mapping[str, object]] = lambda view: {}
    """What the page draws beyond hands and tricks, as JSON can tell it.

    Cards are told by name, seats by number; nobody is None. What only the viewer knows is under
    `mine`, which is absent when there is no viewer."""
    facts_type: Any = None
    """The TypedDict of these facts, from which the page's types are generated."""
    why_not: Callable[[Any, Choice], Phrase] = lambda view, choice: NOT_NOW
    """Why the viewer, who is to act, may not make this choice: a card in the hand, mostly."""
    said: Callable[[Any, Any, Seat, Choice], Sequence[Phrase]] = lambda *told: ()
    """What was said aloud with a choice of a seat, in the game's own language.

    Views before and after; the choice is HIDDEN if the viewer has not seen it. Who speaks is that
    seat, or the one in the argument `seat`."""
    order: Callable[[Any, Cards], Iterable[Card]] = by_number
    """The viewer's cards from left to right, as people hold them in this game."""
    trick_points: Callable[[Any, Sequence[Card]], int | None] = lambda view, cards: None
    """What the cards of a complete trick are worth, where tricks have points."""
    result: Callable[[Any], Sequence[Phrase]] = lambda view: ()
    """How a finished deal came out, in words."""
    totals: Callable[[Any], Sequence[int]] = lambda match: [int(score) for score in match.scores]
    """The score of each person in a match or its record, those who sit out included."""
    learning_options: frozenset[str] = frozenset()
    """Options that matter to learning only: nobody at a table is asked for them."""
    side: Callable[[Any], Collection[Seat]] = lambda view: (int(view.viewer),)
    """Who is on the viewer's side as far as it knows, where sides are not fixed by the seats."""
    stake: float = 1.0
    """The points that a plain deal is about: what a choice costs is held against these."""
