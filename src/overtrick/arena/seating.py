"""Who sits where on the deals of a board, so that luck and seats cancel."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from overtrick.errors import BadBudget
from overtrick.games.game import Game

__all__ = ["fits_one_table", "seatings"]

Seatings = np.ndarray[Any, np.dtype[np.int64]]


def fits_one_table(game: Game, players: int) -> bool:
    """Whether so many players share the boards of one table; else they meet in pairs."""
    sides = len(set(game.teams)) if game.teams else game.seats
    return players <= sides


def seatings(game: Game, players: int) -> Seatings:
    """For every deal of a board, the player (from 0) in each seat: [deals, seats].

    Every player has every seat equally often, and so every seat's luck.

    - teams: each player is each team once
    - two players at a larger table: two against two in all ways, or one against the rest and the
      rest against one in every seat, if the seats do not split evenly
    - as many players as seats: all rotations; fewer: all rotations with seats filled in turn
    """
    seats = game.seats
    if players < 2 or not fits_one_table(game, players):
        raise BadBudget(f"{game.name}: {players} players do not share one table of {seats}")
    if game.teams:
        rows = [[(team + turn) % players for team in game.teams] for turn in range(players)]
    elif players == seats:
        rows = [[(seat + turn) % players for seat in range(seats)] for turn in range(seats)]
    elif players == 2 and seats % 2 == 0:
        halves = itertools.combinations(range(seats), seats // 2)
        rows = [[int(seat not in mine) for seat in range(seats)] for mine in halves]
    elif players == 2:
        rows = [
            [loner ^ int(seat != alone) for seat in range(seats)]
            for loner in range(2)
            for alone in range(seats)
        ]
    else:
        rows = [
            [((seat + turn) % seats + start) % players for seat in range(seats)]
            for start in range(players)
            for turn in range(seats)
        ]
    return np.array(rows, dtype=np.int64)
