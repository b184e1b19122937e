"""Hearts: rough chances at the table, in thousandths.

The cards of a suit that are out lie evenly and independently with its *holders*: the other seats
that have not shown out. Tables run over the number of holders, how many of them are still to
play, and how many cards are out below and above one's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["HOLDS_IF_COVERED", "HOLDS_IF_DUCKED", "SHOWS_OUT"]

Table = np.ndarray[Any, np.dtype[np.int64]]

SEATS, MOST_CARDS = 4, 14
CERTAIN = 1000


def _none_of(cards: int, holders: int) -> float:
    """The chance that one of the holders has none of these cards."""
    return ((holders - 1) / holders) ** cards if holders else 1.0


def _shows_out() -> Table:
    """[holders, cards out]: that one holder has no card of the suit."""
    table = np.zeros((SEATS, MOST_CARDS), dtype=np.int64)
    for holders, cards in np.ndindex(table.shape):
        table[holders, cards] = round(CERTAIN * _none_of(cards, holders))
    return table


def _holds_if_ducked() -> Table:
    """[holders, to play, below, above]: that a card stays highest when whoever can ducks."""
    table = np.zeros((SEATS, SEATS, MOST_CARDS, MOST_CARDS), dtype=np.int64)
    for holders, to_play, below, above in np.ndindex(table.shape):
        must_beat = _none_of(below, holders) * (1 - _none_of(above, holders))
        table[holders, to_play, below, above] = round(CERTAIN * (1 - must_beat) ** to_play)
    return table


def _holds_if_covered() -> Table:
    """[holders, to play, above]: that a card stays highest when whoever can beats it."""
    table = np.zeros((SEATS, SEATS, MOST_CARDS), dtype=np.int64)
    for holders, to_play, above in np.ndindex(table.shape):
        table[holders, to_play, above] = round(CERTAIN * _none_of(above, holders) ** to_play)
    return table


SHOWS_OUT = _shows_out()
HOLDS_IF_DUCKED = _holds_if_ducked()
HOLDS_IF_COVERED = _holds_if_covered()
