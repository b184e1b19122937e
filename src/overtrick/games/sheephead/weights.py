"""Sheephead: how much each thing counts for the strong player.

The numbers were fitted, not thought out: two cards that may be played in the same position (or
two ways to bid, to bury, to declare) were played to the end in the same deal by this very player,
many hundred thousand times, and the difference in cents explained by the terms below. Those of
the play are in thousandths of a cent, those before it in tenths.
"""

from __future__ import annotations

import numpy as np

# ---------------------------------------------------------------------------- play
#
# A column for each place at the table, first following, then leading: the picker with a partner,
# the partner, a defender against two, the lone picker, a defender against him.

PLAY_TERMS = 24
(
    POINTS_TERM,  # each point in the trick, won rather than lost
    POINTS_EARLY,  # the same for every card held beyond this one
    TRICK,  # taking the trick, whatever its points
    TRICK_EARLY,  # the same for every card held beyond this one
    TAKES,  # taking it oneself, so far
    TAKES_EARLY,  # the same for every card held beyond this one
    FRIENDS_BEHIND,  # each friend who still plays to a trick won
    FOES_BEHIND,  # each foe who still plays to a trick lost
    WINS_DEAL,  # a trick won that wins the deal
    LOSES_DEAL,  # a trick lost that loses the deal
    RUFF,  # a trump led, or played to a fail suit
    RUFF_TRUMPS,  # the same for every trump held
    TRUMPS_OUT,  # a trump led, for every unseen trump
    OWN_TRUMPS,  # a trump not led, for every trump held
    MASTER,  # the highest trump that is left
    CASHES,  # following with the highest card left of a fail suit
    TOP,  # leading or discarding it
    VOIDS,  # leading or discarding the only card of a fail suit, with trumps in hand
    LENGTH,  # leading or discarding, for every other card of the suit
    CALLED,  # leading or discarding a card of the called suit before it has been led
    CALLED_EARLY,  # leading it, for every card held
    AGAIN,  # leading a fail suit of which cards have been seen
    PICKER_VOID,  # leading a fail suit of which the picker has none
    OUTSTANDING,  # leading a fail suit, for every unseen card of it
) = range(PLAY_TERMS)

_PLAY = (
    (211, -79, 128, 56, 124, 8, 1372, 1131, 218, 143),  # POINTS_TERM
    (21, -8, 2, -16, 5, 1, 53, -84, 7, -10),  # POINTS_EARLY
    (-494, 67, -48, 8, 127, 19, -4306, -238, 2792, 272),  # TRICK
    (578, 199, 423, 248, 152, 137, 237, -3662, -316, -973),  # TRICK_EARLY
    (-233, 0, 426, 0, -459, 0, -4306, 0, -130, 0),  # TAKES
    (412, 0, 15, 0, 182, 0, 1578, 0, 230, 0),  # TAKES_EARLY
    (727, 42, -4059, 8, 261, 85, 0, 0, 1164, 816),  # FRIENDS_BEHIND
    (-1658, -225, -1369, -23, -1927, 7, -10584, 950, -361, -272),  # FOES_BEHIND
    (3132, -86, 187, -60, 2506, 89, 7408, 399, 9741, -618),  # WINS_DEAL
    (-6393, 515, -2421, 96, -336, -131, -37907, -270, -395, -116),  # LOSES_DEAL
    (-640, -1515, 216, 324, 179, -1378, -5460, -8229, 842, -498),  # RUFF
    (-1319, 1529, -91, -166, -922, 56, -3968, 5586, -2684, -1556),  # RUFF_TRUMPS
    (0, -256, 0, -36, 0, 198, 0, -599, 0, 31),  # TRUMPS_OUT
    (-198, 0, -14, 0, -138, 0, -595, 0, -403, 0),  # OWN_TRUMPS
    (-3960, 2722, -1732, -180, -2050, 1489, -22222, 23681, -6483, 3346),  # MASTER
    (-475, 0, 214, 0, -466, 0, 208, 0, -553, 0),  # CASHES
    (-2350, -37, 15, 52, 41, -90, -17360, -103, 53, -40),  # TOP
    (783, -480, 81, 113, 156, -183, 9516, 5148, -92, 299),  # VOIDS
    (788, -496, -81, 52, -66, -118, -4056, 3081, -211, 152),  # LENGTH
    (-1021, 2240, 12, -1068, 65, 1476, 0, 0, 0, 0),  # CALLED
    (0, -694, 0, 193, 0, -76, 0, 0, 0, 0),  # CALLED_EARLY
    (0, 192, 0, 151, 0, -56, 0, -3146, 0, 132),  # AGAIN
    (0, 0, 0, 389, 0, -403, 0, 0, 0, 606),  # PICKER_VOID
    (0, -41, 0, 245, 0, -319, 0, 901, 0, -535),  # OUTSTANDING
)

KINDS = 18  # small, king, ten or ace of a fail suit; then the trumps from 8D to QC
CARD, CARD_EARLY = PLAY_TERMS, PLAY_TERMS + KINDS

_CARDS = (  # playing a card of this kind
    (-560, 213, 22, -156, -274, 311, 3491, -287, -1252, 691),  # small
    (103, 284, -1, -45, -167, 466, 7850, 2568, -711, 345),  # K
    (1089, 290, -27, 8, 107, 334, 1414, -1389, 446, -62),  # T
    (7, 729, -209, -131, 156, 267, -7295, 7336, 675, -476),  # A
    (461, 546, 432, -39, 573, 279, 8462, 2317, 1263, -257),  # 8D
    (976, 878, 254, 347, 617, 468, 2959, 1787, 931, 669),  # 9D
    (798, -184, 425, -22, 593, 170, 2489, -825, 1142, 1302),  # KD
    (719, -1406, 290, 86, 448, -113, 517, -13143, 1503, -268),  # TD
    (54, -1017, -76, 250, 212, -215, -4694, -12892, -133, -549),  # AD
    (511, -53, 212, -264, 265, -150, 940, 422, 611, 276),  # JD
    (212, -17, 390, -281, 240, 81, 3308, -241, -416, 315),  # JH
    (67, 178, 99, -51, 64, 84, -1183, 2450, -120, -558),  # JS
    (92, -127, 152, -84, -33, 177, 768, 1307, -755, 483),  # JC
    (-480, -394, -129, 255, -169, -283, 888, 333, -750, 437),  # QD
    (-580, 250, -226, -142, -456, -238, 243, 1977, -1151, 107),  # QH
    (-557, 305, -601, -53, -538, -410, -6117, 282, -249, -362),  # QS
    (-495, 18, -611, 100, -128, -525, -5561, 7859, -796, -656),  # JO
    (-2417, -492, -396, 222, -1511, -702, -8479, 139, -239, -1439),  # QC
)
_CARDS_EARLY = (  # the same for every card held beyond this one
    (49, 207, 184, -408, -240, 623, 1098, 2403, -352, 305),  # small
    (-102, 132, 198, -447, -244, 591, -203, 1355, -445, 373),  # K
    (5, -75, 195, -523, -297, 671, 359, -1665, -662, 337),  # T
    (122, -85, 178, -525, -356, 576, -819, -3300, -817, 405),  # A
    (177, 151, -73, 198, 72, -130, -660, -1390, -17, 61),  # 8D
    (36, 115, -35, 85, 60, -241, 1878, -2045, 71, 197),  # 9D
    (62, 243, -91, 240, 66, -109, 1423, -2449, 73, -29),  # KD
    (-7, 260, -82, 134, 66, -130, -308, 1224, -18, 4),  # TD
    (111, -72, 19, 57, 76, -133, -58, 655, 345, 91),  # AD
    (104, 97, -28, 262, 95, -15, 1303, -574, 106, 60),  # JD
    (221, 213, -78, 237, 82, -90, 526, 617, 355, -57),  # JH
    (136, 55, -20, 129, 100, -150, 689, -455, 214, 79),  # JS
    (14, 113, -85, 139, 103, -210, 421, 451, 384, -12),  # JC
    (33, 36, 0, 46, 67, -58, -740, 1412, 213, -112),  # QD
    (-129, -272, -36, 150, 76, -143, -1344, 627, 201, 115),  # QH
    (-407, -383, -30, 60, 40, -217, -761, 2082, -73, -415),  # QS
    (-399, -319, -40, 151, -45, -273, -1197, 845, 182, -201),  # JO
    (-27, -416, -175, 16, 281, -565, -1608, 205, 238, -1199),  # QC
)

PLAY_WEIGHTS = np.array(_PLAY + _CARDS + _CARDS_EARLY, dtype=np.int64).T.copy()


# ---------------------------------------------------------------------------- Nola
#
# A column for each number of cards held, two to six, first following, then leading.

NOLA_TERMS = 11
(
    RANK,  # its rank, 1 to 8
    LAST_OF_SUIT,  # the only card of its suit
    COUNT,  # for every card held of its suit
    TAKE,  # taking the trick
    SAFEST,  # how dangerous the safest card is that is left
    SECOND,  # the same of the second safest
    BELOW,  # for every unseen lower card of its suit
    WORST,  # how dangerous the most dangerous card is that is left
    TAKE_UNSAFE,  # taking the trick, times the danger of the safest card left
    UNSEEN,  # for every unseen card of its suit
    DISCARD_RANK,  # its rank, if it is discarded
) = range(NOLA_TERMS)

_NOLA = (
    (-22, -219, 110, -93, 59, -35, 1, 218, 127, 378),  # RANK
    (0, 0, 1053, 651, 1044, 753, 69, 1378, -167, 924),  # LAST_OF_SUIT
    (0, 0, -1053, -651, -206, -417, -407, 39, -813, -260),  # COUNT
    (-2622, -3106, 690, 393, 2459, -1392, 3492, -2778, -4136, -92),  # TAKE
    (-5495, -455, -11305, -2619, -8744, -7209, -9991, -15165, -10829, -17385),  # SAFEST
    (0, 0, -1032, 1856, -2124, 130, -3530, -5828, -6758, -8653),  # SECOND
    (1190, 1846, 461, 1119, 539, 787, 351, -22, -68, -654),  # BELOW
    (-5495, -455, -1032, 1856, 2507, 6358, 2828, 11947, 5377, 10734),  # WORST
    (-15924, 1655, -15077, 1195, -12420, 9515, -11480, 25670, 31429, 26648),  # TAKE_UNSAFE
    (1509, -629, 760, -386, 132, -473, 76, 180, -307, 260),  # UNSEEN
    (-38, 0, -70, 0, -84, 0, -66, 0, 27, 0),  # DISCARD_RANK
)

ABOVE, MOST_ABOVE = NOLA_TERMS, 7

_ABOVE = (  # so many unseen cards beat it, the last row seven
    (-2545, -379, 61, 1044, 863, 2040, 774, 1863, 822, 71),
    (901, 1346, -69, 647, 60, 249, 193, -441, 49, -525),
    (1277, 586, -86, -470, -488, -1375, -256, -1196, -184, 44),
    (856, -585, 24, -950, -535, -1063, -535, -897, -437, 347),
    (673, -804, 17, -778, -425, -758, -562, -401, -516, 252),
    (510, -636, -22, -476, -253, -593, -577, -7, -539, -134),
    (-760, 148, 13, -244, 373, 67, -39, 185, -510, -358),
    (-912, 324, 61, 1228, 406, 1432, 1002, 893, 1316, 302),
)

NOLA_WEIGHTS = np.array(_NOLA + _ABOVE, dtype=np.int64).T.copy()


# ---------------------------------------------------------------------------- before play
#
# Picking rather than passing, for each place in the bidding; then what burying a card is worth,
# what the suits kept and the call are worth, and what going alone adds.

PICK_ALWAYS = np.array((33, 27, 34, 49, 83), dtype=np.int64)
PICK_VOIDS = np.array((-3, -6, 0, -4, -8), dtype=np.int64)  # for every fail suit not held
PICK_CARDS = np.array(
    (
        (-42, -40, -40, -38, -51),  # small
        (-39, -35, -32, -34, -23),  # K
        (-23, -18, -20, -20, -25),  # T
        (-33, -28, -30, -24, -10),  # A
        (14, 4, 1, 7, 10),  # 8D
        (15, -1, 2, 10, 27),  # 9D
        (11, 1, 3, 14, 24),  # KD
        (10, 7, 7, 18, 17),  # TD
        (11, 11, 16, 22, 38),  # AD
        (13, 10, 11, 13, 32),  # JD
        (16, 9, 13, 19, 36),  # JH
        (16, 12, 17, 25, 38),  # JS
        (17, 17, 19, 24, 41),  # JC
        (25, 21, 26, 28, 46),  # QD
        (30, 30, 34, 44, 56),  # QH
        (40, 46, 46, 50, 77),  # QS
        (48, 42, 53, 60, 72),  # JO
        (71, 74, 81, 78, 92),  # QC
    ),
    dtype=np.int64,
).T.copy()

BURY_CARDS = np.array(
    (19, 33, 51, 59, 0, 1, 9, 15, 12, -4, -4, -9, -14, -22, -32, -41, -65, -66),
    dtype=np.int64,
)
SUITS_KEPT = np.array((-39, 10, 0, 0), dtype=np.int64)  # by how many fail suits are kept
NO_ACE = -25  # for every fail suit kept without its ace, the called one excepted
COVERED = -16  # for every ace kept with another card of its suit
UNKNOWN_CALLED = 2  # a call with an unknown card
CALLED_PAIR, CALLED_LONG = -24, -48  # two cards of the called suit, or more
TEN_CALLED = -9
CALLED_TEN, CALLED_KING = -8, 0  # that card kept in the called suit

ALONE_ALWAYS = -346
ALONE_BURIED = 162  # for every fail ace or ten buried
ALONE_CARDS = np.array(
    (
        -791,
        -738,
        -662,
        -447,
        -204,
        -185,
        -241,
        -203,
        -141,
        -134,
        -115,
        -74,
        -15,
        82,
        208,
        319,
        558,
        703,
    ),
    dtype=np.int64,
)
