"""Hokm: what the rulebook `strong` holds cards to be worth, in ten-thousandths of a deal.

Fitted by least squares on 1.7 million choices in the play of its last two forerunners: at each,
every card that makes sense was tried on the same deal and played out to the end by the same
player. Only differences between the cards of one choice mean anything.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = [
    "DISCARD",
    "DISCARD_LENGTH",
    "LEAD_EQUALS",
    "LEAD_LED_BEFORE",
    "LEAD_LENGTH",
    "LEAD_LOW",
    "LEAD_MASTER",
    "LEAD_NEEDED",
    "LEAD_TOP",
    "LEAD_TOP_LENGTH",
    "LEAD_VOIDS",
    "OVERRUFF",
    "OVERTAKE",
    "OVERTAKE_OUT",
    "RUFF_OPPONENTS",
    "RUFF_PARTNER",
    "SECOND",
    "SECOND_RUFF",
    "SECOND_THREATS",
    "TRUMP_CARD",
    "TRUMP_LEAD_EQUALS",
    "TRUMP_LEAD_LOW",
    "TRUMP_LEAD_MASTERS",
    "TRUMP_LEAD_TOP",
    "TRUMP_LEAD_VOIDS",
]

Worths = np.ndarray[Any, np.dtype[np.int64]]


def _worths(*rows: Any) -> Worths:
    return np.array(rows, dtype=np.int64)


# The choice of trump: [rank of a card, 2 to ace]. Longer beats stronger.
TRUMP_CARD = _worths(800, 800, 800, 800, 800, 800, 840, 860, 990, 1050, 1120, 1090, 1070)


# The lead of a side suit. Its top card, a master or not, and a low one from a longer suit:

# [who can ruff: no opponent, none known, one is void][cards of the suit out, 10 = more]
LEAD_MASTER = _worths(
    [444, 823, 322, 138, 10, -108, -205, -229, -296, -228, -271],
    [-304, 49, 89, 71, 131, 101, 78, 45, 24, -91, -79],
    [-112, -9, 42, 35, -123, -2, -29, -194, -57, 188, 0],
)
# [cards above it, 1 to 3 = more][cards of the suit out, 10 = more]
LEAD_TOP = _worths(
    [0, -72, 116, 52, 33, 5, 21, 19, 31, -64, -56],
    [0, 0, 5, 8, 35, 32, -8, -10, 46, -44, -2],
    [0, 0, 0, 36, 5, 34, 30, -13, -11, -50, 9],
)
# [cards above it, 3 = more][own length, 1 to 4 = more]
LEAD_TOP_LENGTH = _worths(
    [36, 71, 73, 71],
    [208, -11, -81, -33],
    [7, 100, -22, -21],
    [64, 28, -38, -15],
)
# [cards above it, 3 = more][own cards equal to it, 2 = more]
LEAD_EQUALS = _worths(
    [-43, 126, 168],
    [-252, 125, 211],
    [-62, 10, 115],
    [-30, 6, 62],
)
# [cards above the own highest, 3 = more][own length, 2 to 6 = more]
LEAD_LOW = _worths(
    [-148, -116, -135, -150, -292],
    [-51, -10, 13, 37, 39],
    [-2, -10, 25, 66, 31],
    [8, -52, -8, 20, 94],
)

# and for either of them, where `master` is 1 if the card has none above it:

# [own length, 1 to 6 = more][own trumps, 4 = more]
LEAD_LENGTH = _worths(
    [30, 24, 146, 158, -42],
    [-33, -33, 86, 90, -116],
    [-35, -87, 5, 40, -178],
    [13, -99, -4, 44, -140],
    [-13, -97, -24, 3, -54],
    [38, -44, 58, 0, 60],
)
# [who can ruff: no opponent, none known, behind, before, both][partner: not void, ruffs, cannot
# ruff][master]
LEAD_VOIDS = _worths(
    [[101, 220], [245, -20], [-898, 200]],
    [[61, 15], [157, 119], [-282, -21]],
    [[118, -89], [257, 207], [511, 164]],
    [[-110, -198], [-128, -119], [-409, -35]],
    [[-80, -183], [0, -62], [0, 53]],
)
# [who led it: 1 = before, 2 = behind, 4 = partner, added up][master]
LEAD_LED_BEFORE = _worths(
    [-65, 29],
    [-65, 12],
    [-29, 2],
    [-62, 18],
    [-1, 69],
    [-12, 56],
    [-47, 58],
    [-175, 7],
)
# [tricks the team needs beyond the next, 2 = more][tricks the others need][master]
LEAD_NEEDED = _worths(
    [[0, 0], [99, 671], [184, 154]],
    [[-916, -647], [361, 425], [384, 316]],
    [[-613, -575], [-168, -238], [212, 145]],
)

# The lead of a trump:

# [cards above it, 3 = more][trumps out, 10 = more]
TRUMP_LEAD_TOP = _worths(
    [106, 671, 454, 111, -19, -96, -194, -170, -194, -244, -82],
    [0, -294, 272, -11, 13, 19, -25, 27, -65, -80, 185],
    [0, 0, 184, 9, 39, -1, -109, -80, -28, -27, 104],
    [0, 0, 0, 70, 125, 82, -5, -65, -48, -13, -12],
)
# [cards above it, 3 = more][own cards equal to it, 2 = more]
TRUMP_LEAD_EQUALS = _worths(
    [-50, 190, 202],
    [-424, 138, 328],
    [-185, 29, 247],
    [-73, 56, 151],
)
# [cards above the own highest, 3 = more][own length, 2 to 6 = more]
TRUMP_LEAD_LOW = _worths(
    [-388, -93, -103, -119, -125],
    [-118, 43, -48, -43, -78],
    [-147, 65, 137, 125, 24],
    [-22, 79, 143, 137, 126],
)
# [opponents without trumps][partner without trumps]
TRUMP_LEAD_VOIDS = _worths(
    [79, 218],
    [-50, -6],
    [28, -63],
)
# [side suits of which one holds the master][trumps out, by threes]
TRUMP_LEAD_MASTERS = _worths(
    [-278, -20, 38, -79],
    [-64, 42, 91, -89],
    [-70, 154, 161, -29],
    [-132, 218, 225, 40],
)

# Second hand, a card that beats the one led; the lowest card is worth 0:

# [cards above it, 4 = more][cards of the suit out, by twos, 4 = more]
SECOND = _worths(
    [-41, -101, 119, -18, -172],
    [-32, -149, -189, -190, -262],
    [0, 9, 4, 2, -16],
    [0, 33, 59, 141, 120],
    [0, 0, 123, 145, 170],
)
# [is trump led][cards out above the card led, 4 = more]
SECOND_THREATS = _worths(
    [612, 74, -136, -194, -421],
    [825, 374, -257, -462, -658],
)
# [behind: cannot ruff, may, is void][master]
SECOND_RUFF = _worths(
    [224, 50],
    [209, 373],
    [-463, -635],
)

# Third hand, a card that beats the partner's; the lowest card is worth 0:

# [cards out above the partner's card, 4 = more][above one's own]
OVERTAKE = _worths(
    [-427, -295, -65, -257, -64],
    [-20, -437, 0, 0, 0],
    [280, -67, -322, 0, 0],
    [474, 158, -72, -131, 0],
    [678, 669, 575, 301, 77],
)
# [is trump led][cards of the suit out, by twos, 4 = more]
OVERTAKE_OUT = _worths(
    [516, 410, 168, -2, -68],
    [417, 130, -81, -207, -229],
)

# A ruff, against a discard:

# [is last][cards of the led suit out, by twos, 4 = more]
RUFF_OPPONENTS = _worths(
    [329, 551, 596, 567, 691],
    [1367, 1251, 1160, 1021, 810],
)
# [cards out above the partner's card, 4 = more][cards of the led suit out, by twos]
RUFF_PARTNER = _worths(
    [-769, -988, -990, -1118, -1041],
    [-129, -420, -679, -978, -931],
    [0, 200, -67, -529, -755],
    [0, 385, 245, -214, -175],
    [0, 0, 433, 456, 250],
)
# [second or third hand][behind: cannot ruff, may, is void][trumps above it, 4 = more]
OVERRUFF = _worths(
    [[31, -413, -94, -357, -193], [-1153, -515, -375, -365, -243], [-919, -532, -597, -737, -775]],
    [[-185, 88, 206, 418, 497], [-486, 126, 209, 296, 437], [-167, 177, 309, 201, 34]],
)

# A discard, the lowest card of a side suit:

# [cards above the own highest, 3 = more][own length, 1 to 4 = more]
DISCARD = _worths(
    [-379, -130, -32, -17],
    [-35, -218, -117, -47],
    [69, 32, -78, -80],
    [217, 211, 113, -37],
)
# [own length, 1 to 6 = more][own trumps, 3 = more]
DISCARD_LENGTH = _worths(
    [-35, -279, 9, 177],
    [-32, -149, -51, 127],
    [-41, -128, -49, 104],
    [-5, -160, -86, 16],
    [47, -125, -69, 60],
    [66, -53, -23, 151],
)
