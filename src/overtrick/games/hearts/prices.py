"""Hearts: what the strong player fears and hopes for, in hundredths of a point.

The figures were found by play: all of them shaken at once over nearly thirty million deals against
its own kind, the simple player and random players, moved the way that paid, then rounded as far
as it cost nothing measurable. A row runs over what the words above it say; its last entry stands
for that many or more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.jit import rule

Table = np.ndarray[Any, np.dtype[np.int64]]


def _row(*prices: int) -> Table:
    return np.array(prices, dtype=np.int64)


# ---------------------------------------------------------------------------- taking a trick

# What a seat that shows out may throw: while the queen of spades is out, and by the hearts out
# (none, 1 or 2, 3 to 5, more: with many out it is early, and others have worse to get rid of).
QUEEN_THROWN = 95
HEARTS_THROWN = _row(0, 115, 305, 10)
# A seat that follows to a heart; the queen of spades in a hand that is still to play under the
# king or ace. Both are feared more than they count.
HEART_FOLLOWS = 175
QUEEN_FALLS = 9490
# Having to lead to the next trick, in tricks 1 to 4, 5 to 9 and 10 to 13.
TO_LEAD = _row(-35, 85, 15)
# In percent, for each suit: that the others beat a card when they can rather than duck it.
COVERING = _row(0, 0, 5, 10)
# Leading a spade under the queen, to bring her out.
FLUSHING = 120

# ---------------------------------------------------------------------------- holding cards

# In percent, for each suit: how much of what its cards may take is feared.
SUIT_AT_RISK = _row(20, 20, 45, 90)
# Being void in each suit while others hold it, and more so with the queen of spades to throw.
VOID = _row(465, 465, 40, 1130)
VOID_WITH_THE_QUEEN = 50
# Holding the queen of spades, by the number of other spades.
QUEEN_HELD = _row(1210, 930, 710, 610, 270, 120)
# Holding the king or ace of spades while she is out, by the number of spades under her.
QUEEN_TO_CATCH = _row(1140, 550, 190, 110, 50)

# ---------------------------------------------------------------------------- against the moon

# These run over the danger (see moon.py): nobody has points, one other seat has them all, up to
# 3, 7, 12, 16, 20, 25 points, and last, where there is an eighth: nobody else can shoot.
# In percent: how much getting rid of a dangerous card counts, and of a heart.
RELIEF = _row(55, 60, 60, 60, 60, 60, -45, 40)
HEART_RELIEF = _row(65, 80, 50, 45, 45, 25, -10, 30)
# Taking a point and so ending it; throwing a point on the shooter's trick; letting the highest
# card of a suit go, and more for each trick that the leader has won in a row.
STOPPING = _row(0, 0, 150, 150, 150, 1700, 2200)
FEEDING = _row(0, 100, 100, 170, 170, 240, 1075)
STOPPER = _row(35, 35, 35, 35, 35, 35, 135)
STOPPER_IN_A_RUN = 80

# ---------------------------------------------------------------------------- shooting the moon

# Losers count for each suit, each after the first in its suit for more, and each for more by the
# cards out above it, up to four. They are what a shooter can afford, by the points it has taken
# (0, 1 to 5, 6 to 12, 13 to 19, 20 to 25), more of them on lead.
LOSER = _row(55, 55, 0, 65)
NEXT_LOSER = 40
CARD_ABOVE = 22
AFFORDED = _row(115, 130, 145, 460, 380)
AFFORDED_ON_LEAD = 40
# The same while passing, and more for each card still to pass.
AFFORDED_PASSING = 250
AFFORDED_PER_PASS = 135
# A shooter leads where few cards are out above its highest, then where few are out at all; it
# passes what has many cards above it, rather from short suits.
LEAD_CARD_ABOVE, LEAD_CARD_OUT = 240, 18
PASS_CARD_ABOVE, PASS_CARD_OF_SUIT = 10, 46

# ---------------------------------------------------------------------------- passing

# The queen of spades, by the number of other spades; the king and ace, by the number of spades
# under the queen; those under the queen themselves, which are kept.
PASS_QUEEN = _row(1000, 720, 540, 710, -20, -550)
PASS_KING_OR_ACE = _row(810, 490, 260, 0, 105)
PASS_LOW_SPADE = -9000
# Clubs and diamonds by how many of the suit the hand has: none, one, two ...
PASS_SHORT = _row(0, 120, 310, 105, 0)
# By the rank above the two and by its square, in eighths; less for each lower card of the suit.
MINOR_RANK, MINOR_SQUARE, MINOR_GUARD = 130, 8, 55
HEART_RANK, HEART_SQUARE, HEART_GUARD = -10, 32, 175


@rule
def entry(row: Table, number: int) -> int:
    """A row's entry of this number, the last one beyond its end."""
    return row[min(number, len(row) - 1)]
