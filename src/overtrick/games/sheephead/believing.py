"""Sheephead: the tables of the belief actor-critic.

The first 26 columns of each table are those of the thesis on learning Sheephead after Ishii et
al.: what a position is worth is told from Table 1, what an opponent will play from Table 2, and
merits are given to the things of Table 3. The columns after them are ours: sides, points and
whose trick it is, without which nobody can tell a schmear from a mistake. In a Nola hand diamonds
stand where the trumps do, and cards go by its own order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.cards import Card, Cards
from overtrick.games.game import NOBODY, Choice, Row, Seat
from overtrick.games.sheephead.rules import (
    BID,
    BURY,
    DECK,
    DECLARE,
    HAND_SIZE,
    NOLA_RANKS,
    NOLA_SUITS,
    ONE_SUIT,
    PLAY,
    SEATS,
    SUIT_SIZE,
    TRUMPS,
    SheepheadState,
    seats_from,
)
from overtrick.games.sheephead.scoring import POINTS_OF, card_points
from overtrick.games.sheephead.sides import (
    CERTAIN,
    DEFENDER,
    PARTNER,
    PICKER,
    chance_of,
    face_up,
    friends,
    role,
    unseen,
)
from overtrick.jit import highest, popcount, rule

__all__ = [
    "CHOICE_TABLE",
    "MERIT_TABLE",
    "STATE_TABLE",
    "TABLED",
    "ahead",
    "choice_table",
    "merits_of",
    "state_table",
]

TABLED = 26  # columns of each table that are the thesis's own

_COURTS = ("QC", "JO", "QS", "QH", "QD", "JC", "JS", "JH", "JD")
_COUNTERS = ("AD", "AC", "AS", "AH", "TD", "TC", "TS", "TH")
_SUIT_NAMES = ("trump", "clubs", "spades", "hearts")
_OPPONENTS = ("next", "second", "third", "fourth")

STATE_TABLE = (
    *(f"{suit} seen" for suit in _SUIT_NAMES),
    *(f"{seat} opponent has trump" for seat in _OPPONENTS),
    *(f"status of {card}" for card in _COURTS),
    "leads the trick",
    *(f"{seat} opponent leads the trick" for seat in _OPPONENTS),
    *(f"ace and ten of {suit}" for suit in ("diamonds", "clubs", "spades", "hearts")),
    # ours
    *("is picker", "is partner", "no side", "plays alone", "doubled", "tricks left"),
    *("points of own side", "points of other side"),
    *("trumps of own side", "trumps of other side"),
    *("courts of own side", "courts of other side"),
    *("counters held by own side", "counters held by other side"),
    *("own trumps", "own side leads", "side has the highest trump", "own tricks"),
)
CHOICE_TABLE = (
    *(f"{suit} led, {how} ones held" for suit in _SUIT_NAMES for how in ("weaker", "stronger")),
    *(f"has {card}" for card in (*_COURTS, *_COUNTERS)),
    "who leads the trick",
    # ours
    *("is picker", "is partner", "is defender", "no side"),
    *("friend is taking", "foe is taking", "points on the table", "seats still to play"),
    *(f"{suit} held" for suit in _SUIT_NAMES),
    *("strength of trumps held", "points held", "trumps unseen", "higher trumps unseen"),
    *("place in the bidding", "is to bid", "is to bury", "is to declare", "cards left"),
    *("called suit is pending", "called suit was led", "leads"),
    *("friends still to play", "taking card is sure"),
)
MERIT_TABLE = (
    *(f"{suit} led, a {how} one" for suit in _SUIT_NAMES for how in ("weaker", "stronger")),
    *(f"plays {card}" for card in (*_COURTS, *_COUNTERS, "9D")),
)

_COURT_CARDS = np.array([DECK.card(name) for name in _COURTS], dtype=np.int64)
_LISTED = np.array([DECK.card(name) for name in (*_COURTS, *_COUNTERS)], dtype=np.int64)
_ACES = np.array([DECK.card(name) for name in ("AD", "AC", "AS", "AH")], dtype=np.int64)
_TENS = np.array([DECK.card(name) for name in ("TD", "TC", "TS", "TH")], dtype=np.int64)
_COURT_SET: Cards = DECK.set([*_COURTS])
_COUNTER_SET: Cards = DECK.set([*_COUNTERS])
_ALL: Cards = DECK.all
_SUIT_SETS = np.array(
    [TRUMPS, *(ONE_SUIT << SUIT_SIZE * suit for suit in range(3))], dtype=np.int64
)
_NOLA_SETS = np.array(
    [int(NOLA_SUITS[DECK.card("AD")]), *(int(NOLA_SUITS[DECK.card("A" + s)]) for s in "CSH")],
    dtype=np.int64,
)
_MERIT_OF = np.full(len(DECK), -1, dtype=np.int64)
for _place, _name in enumerate((*_COURTS, *_COUNTERS, "9D")):
    _MERIT_OF[DECK.card(_name)] = 8 + _place


@rule
def suit_set(state: SheepheadState, number: int) -> Cards:
    """All cards of trump (diamonds in a Nola hand), clubs, spades or hearts."""
    return _SUIT_SETS[number] if state.trumps else _NOLA_SETS[number]


@rule
def beats_best(state: SheepheadState, card: Card) -> bool:
    """Whether a card of the led suit, or a trump, is stronger than the best of this trick."""
    if state.trumps:
        return 1 << card & (state.led | TRUMPS) > state.best
    return state.led >> card & 1 != 0 and NOLA_RANKS[card] > state.best


@rule
def side_of(state: SheepheadState, seat: Seat) -> int:
    """The seats that play with this one, as bits; its own bit alone where there are no sides."""
    if state.picker == NOBODY:
        return 1 << seat
    side = 1 << state.picker
    for other in range(SEATS):
        if (state.hands[other] | state.played[other]) & state.called:
            side |= 1 << other
    return side if side >> seat & 1 else ~side & (1 << SEATS) - 1


# ---------------------------------------------------------------------------- Table 1


@rule
def state_table(state: SheepheadState, seat: Seat, out: Any) -> None:
    """What a whole hand is worth to a seat is told from these."""
    mine: Cards = state.hands[seat]
    played = 0
    for other in range(SEATS):
        played |= state.played[other]
    for number in range(4):
        out[number] = popcount((mine | played) & suit_set(state, number)) / 6.0
    for offset in range(1, SEATS):
        other = (seat + offset) % SEATS
        out[3 + offset] = 1.0 if state.hands[other] & suit_set(state, 0) else 0.0
    for place in range(len(_COURT_CARDS)):
        card = _COURT_CARDS[place]
        out[8 + place] = 1.0 if played >> card & 1 else 0.0 if mine >> card & 1 else -1.0
    for offset in range(SEATS):
        out[17 + offset] = 1.0 if state.leader == (seat + offset) % SEATS else 0.0
    for place in range(4):
        ace, ten = _ACES[place], _TENS[place]
        status = (played >> ace & 1) + 2 * (mine >> ace & 1)
        out[22 + place] = (status + 4 * (played >> ten & 1) + 8 * (mine >> ten & 1)) / 8.0
    tell_sides(state, seat, out, TABLED)


@rule
def tell_sides(state: SheepheadState, seat: Seat, out: Any, at: int) -> None:
    """Who plays with whom in this hand, and what each side has."""
    side = side_of(state, seat)
    held, theirs, own, other = 0, 0, 0, 0
    for one in range(SEATS):
        if side >> one & 1:
            held |= state.hands[one]
            own |= state.taken[one]
        else:
            theirs |= state.hands[one]
            other |= state.taken[one]
    if state.picker != NOBODY and side >> state.picker & 1:
        own |= state.buried
    else:
        other |= state.buried
    is_partner = (state.hands[seat] | state.played[seat]) & state.called != 0
    out[at] = 1.0 if seat == state.picker else 0.0
    out[at + 1] = 1.0 if is_partner else 0.0
    out[at + 2] = 1.0 if state.picker == NOBODY else 0.0
    out[at + 3] = 1.0 if state.picker != NOBODY and state.called == 0 else 0.0
    out[at + 4] = state.multiplier - 1.0
    out[at + 5] = popcount(state.hands[seat]) / 6.0
    out[at + 6] = card_points(own & _ALL) / 60.0
    out[at + 7] = card_points(other & _ALL) / 60.0
    trumps = suit_set(state, 0)
    out[at + 8] = popcount(held & trumps) / 6.0
    out[at + 9] = popcount(theirs & trumps) / 6.0
    out[at + 10] = popcount(held & _COURT_SET) / 6.0
    out[at + 11] = popcount(theirs & _COURT_SET) / 6.0
    out[at + 12] = popcount(held & _COUNTER_SET) / 6.0
    out[at + 13] = popcount(theirs & _COUNTER_SET) / 6.0
    out[at + 14] = popcount(state.hands[seat] & trumps) / 6.0
    out[at + 15] = 1.0 if side >> state.leader & 1 else 0.0
    out[at + 16] = 1.0 if held & trumps > theirs & trumps else 0.0
    out[at + 17] = popcount(state.taken[seat]) / 30.0


# ---------------------------------------------------------------------------- Table 2


@rule
def choice_table(state: SheepheadState, chances: Any, out: Any) -> None:
    """What the seat to act will choose is told from these.

    `chances` has the chance that it holds each card: 1 or 0 where its hand is known, and then all
    else is what it knows itself.
    """
    for column in range(8):
        out[column] = 0.0
    if state.led:
        for number in range(4):
            if state.led == suit_set(state, number):
                for card in range(len(chances)):
                    if state.led >> card & 1:
                        out[2 * number + beats_best(state, card)] += chances[card]
    for place in range(len(_LISTED)):
        out[8 + place] = chances[_LISTED[place]]
    out[25] = seats_from(state.seat, state.leader) / 4.0
    tell_choice(state, out, TABLED)
    for number in range(4):
        held = 0.0
        suit = suit_set(state, number)
        for card in range(len(chances)):
            if suit >> card & 1:
                held += chances[card]
        out[TABLED + 8 + number] = held / 6.0
    strength, points = 0.0, 0.0
    for card in range(len(chances)):
        points += chances[card] * POINTS_OF[card]
        if TRUMPS >> card & 1:
            strength += chances[card] * (card - 17)
    out[TABLED + 12] = strength / 30.0
    out[TABLED + 13] = points / 30.0


@rule
def tell_choice(state: SheepheadState, out: Any, at: int) -> None:
    """What the seat to act knows of sides, of this trick and of the rest."""
    for column in range(at, len(out)):
        out[column] = 0.0
    seat = state.seat
    left = SEATS - 1 - seats_from(state.leader, seat)
    if state.picker != NOBODY:
        part = role(state)
        out[at] = 1.0 if part == PICKER else 0.0
        out[at + 1] = 1.0 if part == PARTNER else 0.0
        out[at + 2] = 1.0 if part == DEFENDER else 0.0
    else:
        out[at + 3] = 1.0
    if state.phase == PLAY:
        if state.picker != NOBODY:
            tell_friends(state, out, at, left)
        out[at + 6] = card_points(state.table & face_up(state)) / 30.0
        out[at + 7] = left / 4.0
        out[at + 23] = 1.0 if state.table == 0 else 0.0
    hidden = unseen(state)
    trumps = suit_set(state, 0)
    own = state.hands[seat] & trumps
    above = hidden & trumps
    if own:
        above &= ~((2 << highest(own)) - 1)
    out[at + 14] = popcount(hidden & trumps) / 14.0
    out[at + 15] = popcount(above) / 14.0
    out[at + 16] = seats_from(state.dealer, seat) / 4.0
    out[at + 17] = 1.0 if state.phase == BID else 0.0
    out[at + 18] = 1.0 if state.phase == BURY else 0.0
    out[at + 19] = 1.0 if state.phase == DECLARE else 0.0
    out[at + 20] = popcount(state.hands[seat]) / HAND_SIZE
    out[at + 21] = 1.0 if state.pending else 0.0
    out[at + 22] = 1.0 if state.called and not state.pending else 0.0


@rule
def tell_friends(state: SheepheadState, out: Any, at: int, left: int) -> None:
    """Whose trick it is as far as the seat to act can tell, and who is still to play to it."""
    seat = state.seat
    chances = friends(state)
    if state.table:
        friendly = chance_of(chances, state.taker) / CERTAIN
        out[at + 4] = friendly
        out[at + 5] = 1.0 - friendly
        out[at + 25] = 1.0 if is_sure(state) else 0.0
    for offset in range(1, left + 1):
        out[at + 24] += chance_of(chances, (seat + offset) % SEATS) / CERTAIN / 4.0


@rule
def is_sure(state: SheepheadState) -> bool:
    """Whether no card that the seat to act has not seen beats the best of this trick."""
    hidden = unseen(state)
    if state.trumps == 0:
        return False
    return hidden & (state.led | TRUMPS) < state.best


# ---------------------------------------------------------------------------- Table 3


@rule
def merits_of(state: SheepheadState, choice: Choice, out: Row) -> int:
    """The things of Table 3 that a choice is: following weaker or stronger, and a listed card."""
    if state.phase != PLAY:
        return 0
    count = 0
    if state.led >> choice & 1:
        for number in range(4):
            if state.led == suit_set(state, number):
                out[count] = 2 * number + beats_best(state, choice)
                count += 1
    if _MERIT_OF[choice] >= 0:
        out[count] = _MERIT_OF[choice]
        count += 1
    return count


# ---------------------------------------------------------------------------- a reward a trick

_WORTH = 0.25  # of all points, as a share of what counts as a large payoff


@rule
def ahead(state: SheepheadState, out: Any) -> None:
    """How far each seat's side is ahead by the points of the tricks so far."""
    for seat in range(SEATS):
        out[seat] = 0.0
    if state.picker == NOBODY or state.phase != PLAY:
        return
    side = side_of(state, state.picker)
    own, other = state.buried, 0
    for seat in range(SEATS):
        if side >> seat & 1:
            own |= state.taken[seat]
        else:
            other |= state.taken[seat]
    lead = _WORTH * (card_points(own & _ALL) - card_points(other & _ALL)) / 120.0
    picked = 4.0 if popcount(side) == 1 else 2.0  # as the stakes are
    for seat in range(SEATS):
        if side >> seat & 1:
            out[seat] = lead * (picked if seat == state.picker else 1.0)
        else:
            out[seat] = -lead
