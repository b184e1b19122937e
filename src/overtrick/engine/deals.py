"""The checked face of the rules, for people and services: `Match`, `Deal`, `View`.

All three are immutable; what changes them gives back a new one. They refuse what the rules do not
allow, with an error that quotes the position and the legal choices. Kernels trust their input;
this is the way in for everything that comes from outside.

A position is one line of text that rebuilds the deal, fields separated by semicolons:

    game; options; match; cards; choices
    hearts; moon=auto; deals=2; 0 2C 5C … / 1 3C … / 2 4C … / 3 7C …; KS 5S 4C …

A view is such a line too, with `?` for what its seat has not seen, and at the end what it saw
that is neither a card dealt nor a choice. The first cards are the viewer's own, as dealt:

    game; options; match; cards; choices; seen
    hearts; moon=auto; deals=2; 1 3C …; ? ? ? 7H KS 4C …; leads=2 received=5S/JD/AH
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from overtrick.cards import Card, Cards, each
from overtrick.engine.batches import (
    begin_matches,
    legal_all,
    payoffs_all,
    play_all,
    score_all,
    winners_all,
)
from overtrick.engine.dealing import deal_orders, shuffled_orders
from overtrick.engine.observations import observations, token_rows
from overtrick.engine.retelling import Sight, seen_in, view_of
from overtrick.engine.views import hide_all, orders_dealt
from overtrick.engine.worlds import count_worlds, sample_worlds
from overtrick.errors import BadBudget, BadCards, BadNotation, BadOption, DealOver, IllegalChoice
from overtrick.games import load_game
from overtrick.games.game import HIDDEN, OVER, Choice, Game, Seat, Variant
from overtrick.jit import stream, streams

__all__ = ["Deal", "Event", "Match", "Sight", "View"]

Records = np.ndarray[Any, Any]
Options = str | Mapping[str, Any] | Variant | None


class Event(NamedTuple):
    """One choice in the history; `choice` is HIDDEN where the viewer has not seen it."""

    seat: Seat
    phase: int
    choice: Choice


def _copied(records: Records) -> Records:
    """A copy of records as plain bytes: NumPy's own goes field by field, five times slower."""
    plain = np.dtype((np.void, records.dtype.itemsize))
    copy: Records = records.view(plain).copy().view(records.dtype)
    return copy


def _game(game: str | Game) -> Game:
    return load_game(game) if isinstance(game, str) else game


def _match(game: str | Game, match: Match | None, variant: Options, seed: int = 0) -> Match:
    """The match of a deal: a new one, or the one given, which has a game and a variant already."""
    if match is None:
        return Match.start(game, variant=variant, seed=seed)
    if variant is not None or match.game is not _game(game):
        raise BadOption(f"{match.game.name}: the match that was given settles game and variant")
    return match


# ---------------------------------------------------------------------------- match


class Match:
    """Several deals by the same players: the scores so far, and what the next deal depends on."""

    __slots__ = ("_records", "game", "variant")

    def __init__(self, game: Game, variant: Variant, records: Records) -> None:
        self.game = game
        self.variant = variant
        self._records = records

    @classmethod
    def start(cls, game: str | Game, *, variant: Options = None, seed: int = 0) -> Match:
        """A match before its first deal; the seed settles what is drawn, such as who begins."""
        game = _game(game)
        chosen = game.variant_of(variant)
        records = game.blank_matches(1, chosen)
        begin_matches(records, streams(1, seed, "match", game.name))
        return cls(game, chosen, records)

    @property
    def deals(self) -> int:
        """Deals scored so far: the number of the next, counted from 0."""
        return int(self._records["deals"][0])

    @property
    def scores(self) -> tuple[int, ...]:
        """The running totals, by seat."""
        return tuple(int(total) for total in self._records["scores"][0])

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that have won, several on a tie; empty while the match goes on."""
        winners = np.zeros(1, dtype=np.int64)
        winners_all(self._records, winners)
        return tuple(each(int(winners[0])))

    @property
    def is_over(self) -> bool:
        """Whether the match has been decided."""
        return bool(self.winners)

    def deal(self, seed: int) -> Deal:
        """The next deal, shuffled by the seed and the number of the deal."""
        if self.is_over:
            raise DealOver(f"{self.game.name}: the match is over; there is no next deal")
        return Deal.from_seed(self.game, seed, match=self)

    def after(self, deal: Deal) -> Match:
        """The match with a finished deal entered."""
        if not deal.is_over:
            raise DealOver(f"{self.game.name}: only a finished deal can be scored")
        if deal.match != self:
            raise BadCards(f"{self.game.name}: that deal does not follow on this match")
        records = self._records.copy()
        score_all(records, deal._states)
        return Match(self.game, self.variant, records)

    def text(self) -> str:
        """The fields that are not zero, as `from_text` reads them."""
        parts = []
        for name in self._fields():
            value = self._records[name][0]
            if np.any(value):
                parts.append(f"{name}={'/'.join(str(int(one)) for one in np.atleast_1d(value))}")
        return " ".join(parts)

    @classmethod
    def from_text(cls, game: str | Game, text: str, *, variant: Options = None) -> Match:
        """The match that `text` describes."""
        game = _game(game)
        chosen = game.variant_of(variant)
        records = game.blank_matches(1, chosen)
        match = cls(game, chosen, records.copy())
        told: set[str] = set()
        for word in text.split():
            name, _, value = word.partition("=")
            if name in told:
                raise BadNotation(f"{game.name}: {name} of the match is told twice")
            told.add(name)
            if name not in match._fields():
                known = ", ".join(match._fields())
                raise BadNotation(f"{game.name}: a match has {known}, not {word!r}")
            numbers = value.split("/")
            if len(numbers) != np.size(records[name][0]) or not all(map(_is_number, numbers)):
                raise BadNotation(f"{game.name}: {word!r} does not fit a match of this game")
            row = [int(number) for number in numbers]
            records[name][0] = row if records[name][0].shape else row[0]
        complaint = game.check_match(records[0])
        if complaint:
            raise BadNotation(f"{game.name}: {complaint}, not {text!r}")
        return cls(game, chosen, records)

    def _fields(self) -> list[str]:
        """The fields that are neither options nor the marker."""
        names = self.game.match.names or ()
        return [name for name in names[:-1] if name not in self.variant.pack()]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, Variant, bytes]:
        return self.game.name, self.variant, self._records.tobytes()

    def __repr__(self) -> str:
        return f"<match of {self.game.name}: {self.text() or 'not begun'}>"


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 12


# ---------------------------------------------------------------------------- what both know


class _Position:
    """What a whole deal and a view have in common."""

    __slots__ = ("_states", "game", "match")

    def __init__(self, match: Match, states: Records) -> None:
        self.game = match.game
        self.match = match
        self._states = states

    @property
    def variant(self) -> Variant:
        """The house rules."""
        return self.match.variant

    @property
    def records(self) -> Records:
        """The record, as a new array of one."""
        return _copied(self._states)

    @property
    def is_over(self) -> bool:
        """Whether the deal has ended."""
        return int(self._states["phase"][0]) == OVER

    @property
    def phase(self) -> str:
        """The name of the phase, `over` at the end."""
        return "over" if self.is_over else self.game.phases[int(self._states["phase"][0])]

    @property
    def seat(self) -> Seat | None:
        """The seat to act, None at the end."""
        return None if self.is_over else int(self._states["seat"][0])

    @property
    def history(self) -> tuple[Event, ...]:
        """Every choice so far."""
        events = self._states["history"][0][: int(self._states["turn"][0])]
        return tuple(Event(int(e) >> 6 & 7, int(e) >> 9, int(e) & 63) for e in events)

    @property
    def history_text(self) -> str:
        """Every choice so far in notation."""
        return " ".join(self.game.choice_text(phase, choice) for _, phase, choice in self.history)

    @property
    def trick(self) -> tuple[tuple[Seat, Card], ...]:
        """The cards on the table with who played them, in order."""
        on_table = int(self._states["table"][0]).bit_count()
        return tuple((e.seat, e.choice) for e in self.history[-on_table:]) if on_table else ()

    @property
    def public(self) -> list[tuple[str, str]]:
        """What everybody sees beyond hands and tricks, as (label, text)."""
        return self.game.describe(self._states[0])

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """Each seat's payoff in points; zeros before the end."""
        results = np.zeros((1, self.game.seats), dtype=np.int64)
        payoffs_all(self._states, results)
        return tuple(self.game.points(payoff) for payoff in results[0])

    def _legal(self) -> Cards:
        legals = np.zeros(1, dtype=np.int64)
        legal_all(self._states, legals)
        return int(legals[0])

    def choice_text(self, choice: Choice) -> str:
        """A choice of the present phase in notation."""
        return self.game.choice_text(int(self._states["phase"][0]), choice)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.match, self._states.tobytes()


# ---------------------------------------------------------------------------- deal


class Deal(_Position):
    """One deal with all hands known."""

    __slots__ = ("order",)

    def __init__(self, match: Match, order: tuple[Card, ...], states: Records) -> None:
        super().__init__(match, states)
        self.order = order

    @classmethod
    def from_seed(
        cls,
        game: str | Game,
        seed: int,
        *,
        variant: Options = None,
        match: Match | None = None,
    ) -> Deal:
        """The deal that a seed shuffles. In a match each deal's number makes a new shuffle."""
        match = _match(game, match, variant, seed)
        orders = np.empty((1, len(match.game.deck)), dtype=np.int64)
        shuffled_orders(orders, stream(seed, "deal", match.game.name, match.deals))
        return cls.from_order(match, orders[0])

    @classmethod
    def from_order(cls, match: Match, order: Sequence[Card] | Records) -> Deal:
        """The deal of a shuffled deck, first card first."""
        size = len(match.game.deck)
        cards = tuple(int(card) for card in order)
        if sorted(cards) != list(range(size)):
            raise BadCards(f"{match.game.name}: an order of the deck has each of {size} cards once")
        states = match.game.blank_states(1, match.variant)
        deal_orders(states, match._records, np.array([cards], dtype=np.int64))
        return cls(match, cards, states)

    @classmethod
    def from_cards(
        cls,
        game: str | Game,
        cards: Mapping[str, str | Sequence[str]],
        *,
        variant: Options = None,
        match: Match | None = None,
    ) -> Deal:
        """The deal of explicit cards, given for each place: seats 0, 1, … and what else is dealt.

        One place that is left out gets the cards that remain.
        """
        match = _match(game, match, variant)
        deck = match.game.deck
        layout = match.game.layout(match._records[0])
        given = {str(place): deck.sequence(text) for place, text in cards.items()}
        for place in given:
            if place not in layout:
                known = ", ".join(layout)
                raise BadCards(f"{match.game.name}: cards are dealt to {known}, not to {place!r}")
        left_out = [place for place in layout if place not in given]
        named = [card for hand in given.values() for card in hand]
        doubles = sorted({card for card in named if named.count(card) > 1})
        if doubles:
            raise BadCards(f"{match.game.name}: {deck.texts(doubles)} is dealt twice")
        if len(left_out) > 1:
            raise BadCards(f"{match.game.name}: there are no cards for {', '.join(left_out)}")
        if left_out:
            given[left_out[0]] = [card for card in range(len(deck)) if card not in set(named)]
        order = [0] * len(deck)
        for place, positions in layout.items():
            if len(given[place]) != len(positions):
                raise BadCards(
                    f"{match.game.name}: {place} gets {len(positions)} cards, "
                    f"not {len(given[place])}"
                )
            for position, card in zip(positions, given[place], strict=True):
                order[position] = card
        return cls.from_order(match, order)

    @classmethod
    def from_text(cls, text: str) -> Deal:
        """The deal of a position, as `text()` writes it."""
        parts = [part.strip() for part in text.strip().split(";")]
        if len(parts) != 5:
            raise BadNotation(
                f"a position is 'game; options; match; cards; choices', not {text.strip()!r}"
            )
        name, options, context, cards, choices = parts
        game = load_game(name)
        match = Match.from_text(game, context, variant=options)
        deal = cls.from_cards(game, _places(name, cards), match=match)
        for choice in choices.split():
            deal = deal.play(choice)
        return deal

    def text(self) -> str:
        """The position in one line, from which `from_text` rebuilds the deal."""
        layout = self.game.layout(self.match._records[0])
        cards = " / ".join(
            f"{place} {self.game.deck.texts(self.order[position] for position in positions)}"
            for place, positions in layout.items()
        )
        parts = (self.game.name, self.variant.text(), self.match.text(), cards, self.history_text)
        return "; ".join(parts).rstrip()

    @property
    def hands(self) -> tuple[Cards, ...]:
        """The cards that each seat holds."""
        return tuple(int(hand) for hand in self._states["hands"][0])

    @property
    def legal(self) -> tuple[Choice, ...]:
        """The choices of the seat to act, none at the end."""
        return tuple(each(self._legal()))

    @property
    def legal_texts(self) -> tuple[str, ...]:
        """The legal choices in notation."""
        return tuple(self.choice_text(choice) for choice in self.legal)

    def play(self, choice: Choice | str) -> Deal:
        """The deal after a choice of the seat to act, given as a number or in notation."""
        if self.is_over:
            raise DealOver(f"{self.game.name}: the deal is over; position {self.text()}")
        phase = int(self._states["phase"][0])
        if isinstance(choice, str):
            choice = self.game.choice_from(phase, choice)
        legal = self._legal()
        if isinstance(choice, bool) or not isinstance(choice, int | np.integer):
            raise IllegalChoice(f"{self.game.name}: a choice is a number or a text, not {choice!r}")
        if not 0 <= choice < HIDDEN or not legal >> choice & 1:
            raise IllegalChoice(self._refusal(choice))
        states = _copied(self._states)
        play_all(states, np.array([choice], dtype=np.int64))
        return Deal(self.match, self.order, states)

    def _refusal(self, choice: Choice) -> str:
        names = self.game.choice_names[int(self._states["phase"][0])]
        wanted = names[choice] if 0 <= choice < len(names) else f"choice {choice}"
        seat = self.game.seat_name(int(self._states["seat"][0]))
        legal = " ".join(self.legal_texts)
        return (
            f"{self.game.name}: {seat} may not {self.phase} {wanted}; legal are {legal}; "
            f"position {self.text()}"
        )

    def view(self, seat: Seat | str) -> View:
        """What a seat knows."""
        states = _copied(self._states)
        hide_all(states, np.array([self.game.seat_from(seat)], dtype=np.int64))
        return View(self.match, states)

    def __repr__(self) -> str:
        return f"<deal {self.text()}>"


def _places(game: str, text: str) -> dict[str, list[str]]:
    """The cards of every place, as positions tell them."""
    hands: dict[str, list[str]] = {}
    for part in text.split("/"):
        place, *hand = part.split() or [""]
        if place in hands:
            raise BadCards(f"{game}: cards for {place} are given twice")
        hands[place] = hand
    return hands


# ---------------------------------------------------------------------------- view


class View(_Position):
    """What one seat knows of a deal: its information set. Two views are equal if all is equal."""

    __slots__ = ()

    @property
    def viewer(self) -> Seat:
        """Whose view this is."""
        return int(self._states["viewer"][0])

    @property
    def hand(self) -> Cards:
        """The viewer's cards."""
        return int(self._states["hands"][0][self.viewer])

    @property
    def legal(self) -> tuple[Choice, ...]:
        """The viewer's choices; none when another seat is to act."""
        return tuple(each(self._legal())) if self.seat == self.viewer else ()

    @property
    def legal_texts(self) -> tuple[str, ...]:
        """The viewer's choices in notation."""
        return tuple(self.choice_text(choice) for choice in self.legal)

    @property
    def known(self) -> tuple[Cards, ...]:
        """For each seat, the cards that the viewer knows it to hold."""
        return tuple(int(cards) for cards in self._states["hands"][0])

    @property
    def cannot(self) -> tuple[Cards, ...]:
        """For each seat, the cards that it has been proven not to hold."""
        return tuple(int(cards) for cards in self._states["cannot"][0])

    def worlds(self, count: int, *, seed: int) -> list[Deal]:
        """`count` whole deals that the viewer cannot rule out, drawn evenly."""
        if count < 1:
            raise BadBudget(f"{self.game.name}: at least one world is drawn, not {count}")
        records = sample_worlds(self._states, count, stream(seed, "worlds", self.game.name))
        orders = np.empty((count, len(self.game.deck)), dtype=np.int64)
        orders_dealt(records, orders)
        return [
            Deal(self.match, tuple(int(card) for card in order), records[number : number + 1])
            for number, order in enumerate(orders)
        ]

    def observation(self, encoding: str = "") -> Records:
        """The flags of this view, a byte each, as nets see them; `flags` names those set."""
        flags: Records = observations(self.game, self._states, encoding=encoding)[0]
        return flags

    def flags(self, encoding: str = "") -> list[str]:
        """The names of the flags that are set in the observation."""
        rows = self.game.encodings[self.game.encoding(encoding)].rows()
        return [rows[index][1] for index in np.flatnonzero(self.observation(encoding))]

    def tokens(self) -> Records:
        """The tokens of this view, [tokens, columns] as in TOKEN_COLUMNS."""
        tokens: Records = token_rows(self.game, self._states)[0][0]
        return tokens

    def count_worlds(self) -> float:
        """How many arrangements of the unseen cards remain, hidden choices not counted."""
        return count_worlds(self._states)

    @property
    def sight(self) -> Sight:
        """What the viewer saw: its cards as dealt, every choice, and what else there was."""
        return seen_in(self.game, self.match._records[0], self._states)

    @classmethod
    def from_sight(cls, match: Match, sight: Sight) -> View:
        """The view of a seat that saw this; NoWorldFound if no deal explains it."""
        return cls(match, view_of(match.game, match.variant, match._records, sight))

    def text(self) -> str:
        """The view in one line, from which `from_text` rebuilds it."""
        saw = self.sight
        cards = " / ".join(" ".join([place, *words]) for place, words in saw.cards.items())
        seen = " ".join(f"{name}={'/'.join(words.split())}" for name, words in saw.seen.items())
        parts = (self.game.name, self.variant.text(), self.match.text(), cards, self.history_text)
        return "; ".join([*parts, seen] if seen else parts)

    @classmethod
    def from_text(cls, text: str) -> View:
        """The view of a line, as `text()` writes it; NoWorldFound if no deal explains it."""
        parts = [part.strip() for part in text.strip().split(";")]
        if len(parts) not in (5, 6):
            raise BadNotation(
                f"a view is 'game; options; match; cards; choices; seen', not {text.strip()!r}"
            )
        name, options, context, hands, choices, seen = [*parts, ""][:6]
        game = load_game(name)
        cards = _places(name, hands)
        facts: dict[str, str] = {}
        for word in seen.split():
            fact, equals, value = word.partition("=")
            if not equals or fact in facts:
                raise BadNotation(
                    f"{name}: what was seen is told once, as name=value, not {word!r}"
                )
            facts[fact] = value.replace("/", " ")
        sight = Sight(game.seat_from(next(iter(cards))), cards, choices.split(), facts)
        return cls.from_sight(Match.from_text(game, context, variant=options), sight)

    def __repr__(self) -> str:
        return f"<view {self.text()}>"
