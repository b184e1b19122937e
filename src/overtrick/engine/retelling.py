"""A view read back from what one seat saw: its cards, the choices, and what else it noticed.

A view is a function of what the seat saw, so any deal that looks the same to it gives the view.
The deal is replayed with the unseen cards lying anywhere, arranged on the way by the game
(`games/telling.py`). That it could have come about is proven afterwards: a world of the view is
drawn, dealt again, and replayed by the rules, choice by choice, until the seat sees the same. If
not even one world does, what was told contradicts itself, and the first choice that no deal
explains is to blame.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from overtrick.cards import Card, each
from overtrick.engine.batches import legal_all, play_all
from overtrick.engine.dealing import deal_orders
from overtrick.engine.views import hide_all, orders_dealt
from overtrick.engine.worlds import new_puzzle, sample_worlds
from overtrick.errors import (
    BadCards,
    BadNotation,
    DealOver,
    IllegalChoice,
    NoWorldFound,
    OvertrickError,
)
from overtrick.games.game import HIDDEN, OVER, Choice, Game, Seat, Telling, Variant
from overtrick.jit import stream

__all__ = ["Sight", "seen_in", "view_of"]

Records = np.ndarray[Any, Any]
UNSEEN = "?"
ROOM_FOR_ANY_ORDER = 512


@dataclass(frozen=True)
class Sight:
    """What one seat saw of a deal, in notation."""

    seat: Seat
    cards: Mapping[str, Sequence[str]]
    """For each place of which it saw any, the cards dealt there, `?` for each unseen one."""
    choices: Sequence[str]
    """Every choice, `?` for each that it did not see."""
    seen: Mapping[str, str]
    """What else it saw, as `Game.sights` names it."""


# ---------------------------------------------------------------------------- from a view


def seen_in(game: Game, match: Any, view: Records) -> Sight:
    """What the viewer saw, told so that `view_of` gives the view back."""
    seat = int(view["viewer"][0])
    history = view["history"][0][: int(view["turn"][0])]
    choices = [game.choice_text(int(event) >> 9, int(event) & 63) for event in history]
    return Sight(seat, _cards_seen(game, match, view), choices, game.sights(view[0]))


def _cards_seen(game: Game, match: Any, view: Records) -> dict[str, list[str]]:
    """The cards dealt to the viewer, then those of the talon and the like that it has seen."""
    seat = int(view["viewer"][0])
    alone = view.copy()
    for name in ("hands", "played"):
        others = np.arange(game.seats) != seat
        alone[name][0][others] = 0
    names = [_card_text(game, card) for card in _order_dealt(game, alone)]
    seats = {str(other) for other in range(game.seats)} - {str(seat)}
    layout = {place: cards for place, cards in game.layout(match).items() if place not in seats}
    cards = {str(seat): _stripped([names[at] for at in layout.pop(str(seat))])}
    for place, positions in layout.items():
        found = _stripped([names[at] for at in positions])
        if found:
            cards[place] = found
    return cards


def _card_text(game: Game, card: int) -> str:
    return game.deck.names[card] if 0 <= card < len(game.deck) else UNSEEN


def _stripped(words: Sequence[str]) -> list[str]:
    """The words without the unseen cards at their end."""
    kept = [*words]
    while kept and kept[-1] == UNSEEN:
        kept.pop()
    return kept


# ---------------------------------------------------------------------------- to a view


def view_of(game: Game, variant: Variant, matches: Records, told: Sight) -> Records:
    """The view of a seat that saw this, [1] records; an error if no deal explains it."""
    retelling = _Retelling(game, variant, matches, told)
    try:
        view = retelling.view(len(told.choices))
        retelling.compare(view)
        _explain(game, variant, matches, view)
    except OvertrickError as error:
        missing = retelling.missing()
        if missing:
            raise BadNotation(f"{retelling.name} has seen {missing}, which is not told") from None
        if isinstance(error, NoWorldFound):
            raise NoWorldFound(retelling.blame()) from None
        raise
    return view


class _Retelling:
    """One telling, which may be replayed to any of its choices."""

    def __init__(self, game: Game, variant: Variant, matches: Records, told: Sight) -> None:
        self.game = game
        self.variant = variant
        self.matches = matches
        self.told = told
        self.cards = {place: _cards(game, words) for place, words in told.cards.items()}
        self.name = f"{game.name}: {game.seat_name(told.seat)}"

    def view(self, turns: int) -> Records:
        """What the seat knows after so many of the choices."""
        telling, states = self._dealt()
        for number, word in enumerate(self.told.choices[:turns], start=1):
            try:
                self._play(telling, states, word)
            except NoWorldFound:
                raise
            except OvertrickError as error:
                raise type(error)(f"choice {number}: {error}") from error
        hide_all(states, np.array([self.told.seat], dtype=np.int64))
        return states

    def _play(self, telling: Telling, states: Records, word: str) -> None:
        """Make one choice, in notation, after the unseen cards have been arranged for it."""
        game, state = self.game, states[0]
        if int(state.phase) == OVER:
            raise DealOver(f"{game.name}: the deal is over before {word!r}")
        phase, seat = int(state.phase), int(state.seat)
        choice = HIDDEN if word == UNSEEN else game.choice_from(phase, word)
        if seat == telling.seat:
            self._check_own(states, phase, choice)
        choice = game.arrange(state, telling, choice)
        play_all(states, np.array([choice], dtype=np.int64))

    def _check_own(self, states: Records, phase: int, choice: Choice) -> None:
        """A seat knows its own choices, and they were legal."""
        legals = np.zeros(1, dtype=np.int64)
        legal_all(states, legals)
        if choice == HIDDEN:
            raise BadNotation(f"{self.name} has seen its own choice, it is not {UNSEEN}")
        if not int(legals[0]) >> choice & 1:
            legal = " ".join(self.game.choice_text(phase, one) for one in each(int(legals[0])))
            wanted = self.game.choice_text(phase, choice)
            raise IllegalChoice(
                f"{self.name} may not {self.game.phases[phase]} {wanted}; legal are {legal}"
            )

    # ------------------------------------------------------------------------ dealing

    def _dealt(self) -> tuple[Telling, Records]:
        """A deal with the cards told where they were dealt, and those foretold."""
        game = self.game
        layout = game.layout(self.matches[0])
        order: list[Card | None] = [None] * len(game.deck)
        for place, cards in self.cards.items():
            self._check_place(layout, place, cards)
            for position, card in zip(layout[place], cards, strict=False):
                order[position] = card
        named = [card for card in order if card is not None]
        if len(set(named)) < len(named):
            twice = sorted({card for card in named if named.count(card) > 1})
            raise BadCards(f"{self.name} tells {game.deck.texts(twice)} twice")
        telling = Telling(
            self.told.seat,
            dict(self.told.seen),
            fixed=sum(1 << card for card in named),
            swap=game.swap,
            is_card=lambda phase, choice: choice < game.card_choices(phase),
        )
        first = self._deal(order)
        for place, foretold in game.foretold(first[0], telling).items():
            if place not in layout:
                raise BadNotation(f"{self.name} tells of a seat {place!r} that is not there")
            self._lay(order, layout[place], place, foretold)
        return telling, self._deal(order)

    def _check_place(
        self, layout: Mapping[str, list[int]], place: str, cards: list[Card | None]
    ) -> None:
        seats = {str(seat) for seat in range(self.game.seats)} - {str(self.told.seat)}
        known = [name for name in layout if name not in seats]
        if place not in known:
            raise BadCards(f"{self.name} sees cards dealt to {', '.join(known)}, not to {place!r}")
        if len(cards) > len(layout[place]):
            raise BadCards(
                f"{self.game.name}: {place} gets {len(layout[place])} cards, not {len(cards)}"
            )

    def _lay(
        self, order: list[Card | None], positions: list[int], place: str, cards: list[Card]
    ) -> None:
        """Put cards where none is told: first into a hand, last into a talon."""
        free = [position for position in positions if order[position] is None]
        if place.isdigit():
            free.reverse()
        for card in cards:
            if not free or card in order:
                raise NoWorldFound("a card that was seen cannot have been dealt there")
            order[free.pop()] = card

    def _deal(self, order: Sequence[Card | None]) -> Records:
        """The deal of an order, the cards that are left out filled in."""
        rest = iter(sorted({*range(len(order))} - {card for card in order if card is not None}))
        whole = [next(rest) if card is None else card for card in order]
        states = self.game.blank_states(1, self.variant)
        deal_orders(states, self.matches, np.array([whole], dtype=np.int64))
        return states

    # ------------------------------------------------------------------------ complaints

    def compare(self, view: Records) -> None:
        """Complain if something is told that the seat has not seen, or the other way round."""
        found = seen_in(self.game, self.matches[0], view)
        for number, words in enumerate(zip(self.told.choices, found.choices, strict=True), start=1):
            if UNSEEN in words and words[0] != words[1]:
                wrong = "has seen it, it is not ?" if words[0] == UNSEEN else "has not seen it: ?"
                raise BadNotation(f"choice {number}: {self.name} {wrong}")
        for place in {**self.cards, **found.cards}:
            told, seen = self.cards.get(place, []), _cards(self.game, found.cards.get(place, []))
            if _shape(told) != _shape(seen):
                raise BadCards(
                    f"{self.name} has seen {_counted(seen)} of those dealt to {place}, "
                    f"but tells {_counted(told)}"
                    if _number(told) != _number(seen)
                    else f"{self.name} has seen other cards of those dealt to {place}"
                )
        if _plain(self.game, self.told.seen) != _plain(self.game, found.seen):
            raise NoWorldFound("what was seen")

    def missing(self) -> str:
        """What the seat saw up to the last choice that can be made, but does not tell."""
        try:
            telling, states = self._dealt()
        except OvertrickError:
            return ""
        with suppress(OvertrickError):
            for word in self.told.choices:
                self._play(telling, states, word)
        hide_all(states, np.array([self.told.seat], dtype=np.int64))
        return ", ".join(name for name in self.game.sights(states[0]) if name not in self.told.seen)

    def blame(self) -> str:
        """What cannot be: the first choice that no deal explains, or else what was seen."""
        own = str(self.told.seat)
        told, dealt = len(self.cards.get(own, [])), len(self.game.layout(self.matches[0])[own])
        if told < dealt:
            return f"{self.name} is dealt {dealt} cards and tells {told}"
        good, bad = -1, len(self.told.choices) + 1
        while bad - good > 1:
            middle = (good + bad) // 2
            if self._is_possible(middle):
                good = middle
            else:
                bad = middle
        if bad == 0:
            return f"{self.name}: no deal explains the cards and what was seen"
        if bad > len(self.told.choices):
            return f"{self.name}: {self._blame_of_seen()}"
        word = self.told.choices[bad - 1]
        return f"choice {bad}: {self.name}: no deal explains {word!r}{self._who(bad - 1)}"

    def _blame_of_seen(self) -> str:
        view = self.view(len(self.told.choices))
        found = _plain(self.game, self.game.sights(view[0]))
        told = _plain(self.game, self.told.seen)
        wrong = [name for name in told if found.get(name) != told[name]]
        return f"no deal explains {' '.join(f'{name}={self.told.seen[name]}' for name in wrong)}"

    def _who(self, turns: int) -> str:
        """Who makes the choice after so many, if that can be told."""
        try:
            seat = int(self.view(turns)["seat"][0])
        except OvertrickError:
            return ""
        return f" by {self.game.seat_name(seat)}" if seat >= 0 else ""

    def _is_possible(self, turns: int) -> bool:
        try:
            _explain(self.game, self.variant, self.matches, self.view(turns))
        except NoWorldFound:
            return False
        return True


# ---------------------------------------------------------------------------- proof

_room = threading.local()


def _explain(game: Game, variant: Variant, matches: Records, view: Records) -> None:
    """Prove that the view can come about, by a deal replayed to it; NoWorldFound if it cannot."""
    if not hasattr(_room, "puzzle"):
        _room.puzzle = new_puzzle()
    world = sample_worlds(view, 1, stream(0, "retelling"), _room.puzzle)
    order = _order_dealt(game, world)
    if sorted(order) != [*range(len(game.deck))]:
        raise NoWorldFound("no deal explains this view")
    again = game.blank_states(1, variant)
    deal_orders(again, matches, np.array([order], dtype=np.int64))
    legals = np.zeros(1, dtype=np.int64)
    for event in world["history"][0][: int(world["turn"][0])]:
        legal_all(again, legals)
        if again["phase"][0] == OVER or not int(legals[0]) >> (int(event) & 63) & 1:
            raise NoWorldFound("no deal explains this view")
        play_all(again, np.array([int(event) & 63], dtype=np.int64))
    hide_all(again, view["viewer"].copy())
    if again.tobytes() != view.tobytes():
        raise NoWorldFound("no deal explains this view")


def _order_dealt(game: Game, states: Records) -> list[int]:
    """The order of the deck that a record tells, in room enough for one that makes no sense."""
    orders = np.full((1, ROOM_FOR_ANY_ORDER), -1, dtype=np.int64)
    orders_dealt(states, orders)
    order: list[int] = orders[0, : len(game.deck)].tolist()
    return order


# ---------------------------------------------------------------------------- words


def _cards(game: Game, words: Sequence[str]) -> list[Card | None]:
    """Cards in notation, None for unseen ones; those at the end are left out."""
    return [None if word == UNSEEN else game.deck.card(word) for word in _stripped(words)]


def _shape(cards: Sequence[Card | None]) -> list[bool]:
    return [card is None for card in cards]


def _number(cards: Sequence[Card | None]) -> int:
    return sum(card is not None for card in cards)


def _counted(cards: Sequence[Card | None]) -> str:
    return f"{_number(cards) or 'none'}"


def _plain(game: Game, seen: Mapping[str, str]) -> dict[str, list[str]]:
    """Facts so that they compare: words sorted, cards as the deck names them."""
    return {
        name: sorted(_spelled(game, word) for word in text.split()) for name, text in seen.items()
    }


def _spelled(game: Game, word: str) -> str:
    try:
        return game.deck.text(game.deck.card(word))
    except BadNotation:
        return word
