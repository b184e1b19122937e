"""Who sits where while somebody learns, and who chooses for all in a phase.

A seating has a letter for each seat: L for a learner, O for another. Seats change once a dealer has
gone round the table, so that a learner deals as often as any.
"""

from __future__ import annotations

import numpy as np

from overtrick.engine.playouts import RANDOM
from overtrick.errors import BadOption, UnknownName
from overtrick.games.game import Game, Row
from overtrick.players.levels import level_player

__all__ = [
    "LEARNER",
    "LETTERS",
    "NO_PHASE",
    "OTHER",
    "check_seating",
    "forced_by",
    "learners_of",
    "side_of",
    "split_forced",
]

LEARNER, OTHER = 0, 1
NO_PHASE = -9
LETTERS = {"L": LEARNER, "O": OTHER}


def check_seating(game: Game, text: str) -> None:
    """Refuse a seating that does not fit the table."""
    if text and (len(text) != game.seats or set(text) - set(LETTERS) or "L" not in text):
        raise BadOption(
            f"a seating has {game.seats} letters, L for a learner and O for the other, not {text!r}"
        )


def side_of(game: Game) -> str:
    """The seating of learners on one side; on one seat, where sides are not fixed."""
    sides = [*(game.teams or range(game.seats))]
    return "".join("L" if side == sides[0] else "O" for side in sides)


def learners_of(game: Game, seating: str, numbers: Row) -> Row:
    """Whether a learner sits in each seat of these deals, [n, seats]; in all if none is told."""
    if not seating:
        return np.ones((len(numbers), game.seats), dtype=np.int64)
    row = [int(LETTERS[letter] == LEARNER) for letter in seating]
    rows = np.array([np.roll(row, turn) for turn in range(game.seats)])
    found: Row = rows[numbers // game.seats % game.seats]
    return found


def split_forced(game: Game, text: str) -> tuple[int, str]:
    """The phase of PHASE:PLAYER, and who chooses there for all seats, by name."""
    phase, is_told, by = text.partition(":")
    if not is_told or not by:
        raise BadOption(f"who chooses for all is PHASE:PLAYER, as in bid:rulebook, not {text!r}")
    if phase not in game.phases:
        raise UnknownName(f"phase of {game.name}", phase, game.phases)
    return game.phases.index(phase), by


def forced_by(game: Game, text: str) -> tuple[int, int]:
    """The phase of PHASE:PLAYER, and the level of that player; NO_PHASE if nothing is told."""
    if not text:
        return NO_PHASE, RANDOM
    phase, by = split_forced(game, text)
    return phase, level_player(game, by).level
