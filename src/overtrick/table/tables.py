"""A table: who sits there, the match so far and the deal at hand, as a value.

A table is its setup and a list of events; each event makes a new table out of the old one, so
replaying them gives the table back exactly. What bots chose is an event like any other; one that
was made in the place of a program that failed says why in a word.

    {"kind": "act", "place": 3, "choices": [12]}
    {"kind": "act", "place": 1, "choices": [4], "replaced": "late"}
    {"kind": "undo", "place": 3}
    {"kind": "assist", "place": 3}
    {"kind": "next"}

Whatever is refused here is told from the view of who asked: the errors of the engine quote the
whole position, and never leave this house.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from overtrick.engine.deals import Deal, Match, View
from overtrick.errors import BadSeat, DealOver, IllegalChoice, NotAllowed, NotYourTurn
from overtrick.games import load_game
from overtrick.games.game import HIDDEN, Choice, Game, Seat, Variant
from overtrick.table.seat_views import Step, Values, look, outcome_told, steps_to
from overtrick.table.setup import Event, Place, Setup
from overtrick.table.wire import PERSON

__all__ = ["Act", "Outcome", "Row", "Table", "applied", "check_alone", "lay", "replayed", "retold"]


@dataclass(frozen=True)
class Act:
    """Choices that somebody made in one go."""

    place: Place
    start: int  # choices made before
    forced: bool  # there was nothing else to choose
    replaced: str = ""  # why it was made in the place of a program


@dataclass(frozen=True)
class Row:
    """A deal that was scored, for the sheet."""

    deal: int
    gained: tuple[int, ...]
    totals: tuple[int, ...]
    assisted: bool
    phrases: tuple[Values, ...]
    replaced: int = 0  # choices made in the place of programs that failed


@dataclass(frozen=True)
class Outcome:
    """What a finished deal did to the match, by place."""

    match: Match
    gained: tuple[int, ...]
    totals: tuple[int, ...]
    winners: tuple[Place, ...]


@dataclass(frozen=True, eq=False)
class Table:
    """A table at one moment; equal tables have equal setups and events."""

    setup: Setup
    matches: int  # begun before this one
    match: Match  # before this deal
    number: int  # of this deal, from 0, all matches counted
    steps: tuple[Step, ...]
    acts: tuple[Act, ...] = ()
    assisted: bool = False
    sheet: tuple[Row, ...] = ()

    @cached_property
    def game(self) -> Game:
        """Which game is played."""
        return self.match.game

    @property
    def variant(self) -> Variant:
        """The house rules."""
        return self.match.variant

    @property
    def deal(self) -> Deal:
        """The deal as it stands."""
        return self.steps[-1].deal

    @property
    def turn(self) -> int:
        """Choices made in this deal."""
        return self.steps[-1].number

    @cached_property
    def seats(self) -> tuple[Place, ...]:
        """For each seat of this deal, the place of who sits there."""
        return seating(self.match)

    @cached_property
    def people(self) -> tuple[Place, ...]:
        """The places of persons."""
        return tuple(p for p, player in enumerate(self.setup.players) if player == PERSON)

    def seat_of(self, place: Place | None) -> Seat | None:
        """Where somebody sits in this deal; None for who watches or sits out."""
        return self.seats.index(place) if place in self.seats else None

    @property
    def place_to_act(self) -> Place | None:
        """Whose turn it is; None when the deal is over."""
        seat = self.deal.seat
        return None if seat is None else self.seats[seat]

    def replaced(self, turn: int | None = None) -> int:
        """How many of the first choices, or of all, were made in the place of a program."""
        most = self.turn if turn is None else turn
        return sum(bool(made.replaced) for made in self.acts if made.start < most)

    @cached_property
    def scores(self) -> tuple[int, ...]:
        """The match before this deal, by place."""
        return totals(self.match)

    @cached_property
    def outcome(self) -> Outcome | None:
        """What the deal did to the match, once it is over."""
        if not self.deal.is_over:
            return None
        after = self.match.after(self.deal)
        now = totals(after)
        gained = tuple(new - old for new, old in zip(now, self.scores, strict=True))
        places = seating(after)
        return Outcome(after, gained, now, tuple(sorted(places[seat] for seat in after.winners)))

    def can_undo(self, place: Place | None, turn: int | None = None) -> bool:
        """Whether somebody may take back an act: not against other persons."""
        if self.people != (place,):
            return False
        most = self.turn if turn is None else turn
        return any(not a.forced and a.place == place and a.start < most for a in self.acts)


# ---------------------------------------------------------------------------- laying a table


def lay(setup: Setup) -> Table:
    """The table before its first event."""
    game = load_game(setup.game)
    if setup.deal is None:
        match = Match.start(game, variant=setup.variant, seed=setup.seed)
        deal = match.deal(setup.seed)
    else:
        deal = Deal.from_text(setup.deal)
        match = deal.match
    people = game.people(match.variant)
    if len(setup.players) != people:
        raise BadSeat(f"{game.name}: {people} places want players, not {len(setup.players)}")
    return Table(setup, 0, match, setup.first, steps_to(deal), assisted=setup.retry)


def retold(
    setup: Setup, number: int, line: str, *, assisted: bool = False, sheet: Iterable[Row] = ()
) -> Table:
    """The table as it was at the end of a deal, by the line of that deal and the sheet of today."""
    deal = Deal.from_text(line)
    rows = tuple(row for row in sheet if row.deal < number)
    return Table(setup, 0, deal.match, number, steps_to(deal), assisted=assisted, sheet=rows)


def seating(match: Match) -> tuple[Place, ...]:
    """For each seat of the next deal of a match, the place of who sits there."""
    game = match.game
    if game.people(match.variant) == game.seats:
        return tuple(range(game.seats))
    rule = game.rules["person_at"]
    sits = getattr(rule, "py_func", rule)  # compiling it would take longer than all deals
    return tuple(int(sits(match._records[0], seat)) for seat in range(game.seats))


def totals(match: Match) -> tuple[int, ...]:
    """The score of each place."""
    return tuple(int(total) for total in match.game.showing.totals(match._records[0]))


def _seed_of(setup: Setup, matches: int) -> int:
    """The seed of a match at this table."""
    if matches == 0:
        return setup.seed
    text = f"{setup.seed}/{setup.secret}/{matches}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest(), "big")


# ---------------------------------------------------------------------------- events


def applied(table: Table, event: Event) -> Table:
    """The table after an event; what is not allowed is refused."""
    match event:
        case {"kind": "act", "place": place, "choices": choices}:
            return act(table, place, choices, event.get("replaced", ""))
        case {"kind": "undo", "place": place}:
            return undo(table, place)
        case {"kind": "assist", "place": place}:
            return assist(table, place)
        case {"kind": "next"}:
            return next_deal(table)
    raise NotAllowed(f"no table knows the event {event!r}")


def replayed(setup: Setup, events: Iterable[Event]) -> Table:
    """The table after all its events."""
    table = lay(setup)
    for event in events:
        table = applied(table, event)
    return table


def act(table: Table, place: Place, choices: Sequence[Choice], replaced: str = "") -> Table:
    """The table after choices by one place, all of them or none."""
    steps, forced = list(table.steps), True
    for choice in choices:
        deal = steps[-1].deal
        legal = _legal(table, deal, place, choice)
        forced = forced and legal == 1
        steps.append(steps[-1].then(deal.play(choice)))
    made = Act(place, table.turn, forced, replaced)
    return replace(table, steps=tuple(steps), acts=(*table.acts, made))


def _legal(table: Table, deal: Deal, place: Place, choice: Choice) -> int:
    """How many choices a place has; its choice is one of them, or is refused."""
    name = table.game.name
    if deal.is_over:
        raise DealOver(f"{name}: the deal is over; ask for the next one")
    seat = table.seat_of(place)
    if seat is None or deal.seat != seat:
        raise NotYourTurn(f"{name}: {_who(table.game, deal.seat)} is to {deal.phase}, not you")
    legal = deal.legal
    if choice not in legal:
        raise IllegalChoice(_refusal(deal.view(seat), choice))
    return len(legal)


def _refusal(view: View, choice: Choice) -> str:
    """Why a choice is not made, by what its seat knows."""
    names = view.game.choice_names[view.game.phases.index(view.phase)]
    known = 0 <= choice < min(len(names), HIDDEN)
    wanted = names[choice] if known else f"choice {choice}"
    legal = " ".join(view.legal_texts)
    return f"{view.game.name}: you may not {view.phase} {wanted}; legal are {legal}"


def _who(game: Game, seat: Seat | None) -> str:
    return "nobody" if seat is None else game.seat_name(seat)


def undo(table: Table, place: Place) -> Table:
    """The table before somebody's last act that was not forced; the deal counts as assisted."""
    if table.people != (place,):
        raise NotAllowed(f"{table.game.name}: a choice is taken back only if all others are bots")
    for number in reversed(range(len(table.acts))):
        made = table.acts[number]
        if made.place == place and not made.forced:
            steps = table.steps[: made.start + 1]
            return replace(table, steps=steps, acts=table.acts[:number], assisted=True)
    raise NotAllowed(f"{table.game.name}: there is no choice of yours to take back in this deal")


def assist(table: Table, place: Place) -> Table:
    """The table with its deal marked as assisted: somebody is told what to do."""
    check_alone(table, place)
    if table.deal.is_over:
        raise DealOver(f"{table.game.name}: the deal is over")
    return table if table.assisted else replace(table, assisted=True)


def check_alone(table: Table, place: Place | None) -> None:
    """Refuse to help whoever watches, or plays against other persons."""
    if place is None:
        raise NotAllowed("who watches is not helped")
    if table.people != (place,):
        raise NotAllowed(f"{table.game.name}: help is given only if all others are bots")


def next_deal(table: Table) -> Table:
    """The next deal, of a new match if this one is won."""
    outcome = table.outcome
    if outcome is None:
        raise DealOver(f"{table.game.name}: this deal is not over; the next one follows on it")
    match, matches = outcome.match, table.matches
    sheet = (*table.sheet, row(table))
    if match.is_over:
        matches, sheet = matches + 1, ()
        seed = _seed_of(table.setup, matches)
        match = Match.start(table.game, variant=table.variant, seed=seed)
    setup, first = table.setup, Step.first(match.deal(_seed_of(table.setup, matches)))
    number = table.number + 1
    return Table(setup, matches, match, number, (first,), assisted=setup.retry, sheet=sheet)


def row(table: Table) -> Row:
    """The line of the sheet for a deal that is over, in words that everybody may read."""
    outcome = table.outcome
    assert outcome is not None
    told = tuple(outcome_told(look(table.steps[-1], None)))
    flags = table.assisted, told, table.replaced()
    return Row(table.number, outcome.gained, outcome.totals, *flags)
