"""The choices of a deal in rows: a round of an auction, a trick, several choices of one seat."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from overtrick.engine.batches import play_all
from overtrick.engine.deals import Deal
from overtrick.games.game import Choice, Game, Seat

__all__ = ["Row", "place_word", "rows", "seat_word"]


def seat_word(game: Game, seat: Seat) -> str:
    """What a seat is called at the table, in one word."""
    name = game.seat_name(seat)
    return name if len(name.split()) == 1 else str(seat)


def place_word(game: Game, place: str) -> str:
    """What a place for cards is called: by its seat, if it is one."""
    return seat_word(game, int(place)) if place.isdigit() else place


@dataclass
class Row:
    """Choices that stand on one line."""

    phase: int
    seats: list[Seat] = field(default_factory=list)
    phases: list[int] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    winner: Seat | None = None  # who took the trick, if one was finished

    def takes(self, phase: int, seat: Seat) -> bool:
        """Whether a choice with no trick on the table goes on this line."""
        if phase != self.phase or self.winner is not None:
            return False
        if seat == self.seats[-1]:
            return len(set(self.seats)) == 1
        return seat not in self.seats and len(set(self.seats)) == len(self.seats)

    def words(self, game: Game) -> list[str]:
        """The choices in notation."""
        made = zip(self.phases, self.choices, strict=True)
        return [game.choice_text(phase, choice) for phase, choice in made]


def rows(deal: Deal) -> list[Row]:
    """The choices of a deal, line by line."""
    found: list[Row] = []
    states = Deal.from_order(deal.match, deal.order).records
    for seat, phase, choice in deal.history:
        on_table = bool(states["table"][0])
        if not found or not (on_table or found[-1].takes(phase, seat)):
            found.append(Row(phase))
        row = found[-1]
        row.seats.append(seat)
        row.phases.append(phase)
        row.choices.append(choice)
        play_all(states, np.array([choice], dtype=np.int64))
        if on_table and not states["table"][0]:
            row.winner = int(states["leader"][0])
    return found
