"""Sheephead: what a hand is worth in cents, and the match.

With five people at the table a person is a seat, and `scores` is their money. With more, the
dealer and those just behind him sit out: seat 0 is the person after the dealer, seat 4 the fifth
after him. Then `money` is kept per person, and `scores` is that of the five who play next.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.cards import Cards
from overtrick.games.game import NOBODY, Row, Seat
from overtrick.games.sheephead.rules import (
    DECK,
    HAND_SIZE,
    SEATS,
    SheepheadMatch,
    SheepheadState,
)
from overtrick.games.sheephead.variant import ADD, MOST_PEOPLE, TRICKS
from overtrick.jit import popcount, rule

__all__ = [
    "PAYOFF_SCALE",
    "card_points",
    "match_around",
    "new_match",
    "partner",
    "payoffs",
    "people_at_table",
    "score",
    "side_points",
    "tier",
]

ACES, TENS, KINGS, QUEENS, JACKS = (DECK.set([rank + suit for suit in "CSHD"]) for rank in "ATKQJ")
WORTH = ((11, ACES), (10, TENS), (4, KINGS), (3, QUEENS), (2, JACKS))  # the joker counts nothing
POINTS_OF = np.array(
    [sum(each * (cards >> card & 1) for each, cards in WORTH) for card in range(len(DECK))],
    dtype=np.int64,
)  # of each card

ALL_POINTS, NINETY_ONE, SIXTY_ONE, NO_TRICK, THIRTY_ONE, LESS = range(6)  # tiers
STAKES = np.array([15, 10, 5, -20, -10, -15])  # what each opponent pays in a tier
STAKES_ALONE = np.array([25, 20, 15, -30, -20, -25])
NOLA_STAKE = 5
PAYOFF_SCALE = 2 * 4 * 30


# ---------------------------------------------------------------------------- one hand


_ONES, _TWOS = ACES | QUEENS, ACES | TENS | QUEENS | JACKS  # what cards count, bit by bit
_FOURS, _EIGHTS = KINGS, ACES | TENS


@rule
def card_points(cards: Cards) -> int:
    """Ace 11, ten 10, king 4, queen 3, jack 2."""
    low = popcount(cards & _ONES) + 2 * popcount(cards & _TWOS)
    return low + 4 * popcount(cards & _FOURS) + 8 * popcount(cards & _EIGHTS)


@rule
def partner(state: SheepheadState) -> Seat:
    """Who has played the called card; NOBODY before, and when the picker called his own."""
    for seat in range(SEATS):
        if seat != state.picker and state.played[seat] & state.called:
            return seat
    return NOBODY


@rule
def side_took(state: SheepheadState) -> Cards:
    """The cards in the tricks of the picker's side."""
    other = partner(state)
    took: Cards = state.taken[state.picker]
    return took if other == NOBODY else took | state.taken[other]


@rule
def side_points(state: SheepheadState) -> int:
    """The card points of the picker's side, those of the buried cards included."""
    return card_points(side_took(state) | state.buried)


@rule
def tier(points: int, took_trick: bool, zero_tier: int) -> int:
    """How the picker's side has done."""
    if points > 60:
        if points == 120:
            return ALL_POINTS
        return NINETY_ONE if points > 90 else SIXTY_ONE
    if not took_trick if zero_tier == TRICKS else points == 0:
        return NO_TRICK
    return THIRTY_ONE if points > 30 else LESS


@rule
def payoffs(state: SheepheadState, out: Row) -> None:
    """Cents: by tier, by Nola, or nothing if all passed and the cards are dealt again."""
    if state.picker != NOBODY:
        pay_picker(state, out)
    elif was_redealt(state):
        for seat in range(SEATS):
            out[seat] = 0
    else:
        pay_nola(state, out)


@rule
def was_redealt(state: SheepheadState) -> bool:
    """Whether a hand that is over has ended with five passes."""
    return state.picker == NOBODY and state.trumps != 0


@rule
def pay_picker(state: SheepheadState, out: Row) -> None:
    """Each opponent pays a stake; the partner gets one, the picker the rest."""
    other = partner(state)
    reached = tier(side_points(state), side_took(state) != 0, state.zero_tier)
    stake = STAKES_ALONE[reached] if other == NOBODY else STAKES[reached]
    stake *= state.multiplier
    for seat in range(SEATS):
        out[seat] = -stake
    out[state.picker] = 4 * stake
    if other != NOBODY:
        out[other] = stake
        out[state.picker] = 2 * stake


@rule
def pay_nola(state: SheepheadState, out: Row) -> None:
    """All six tricks win; otherwise the last trick loses."""
    taker = state.leader
    took_all = popcount(state.taken[taker]) == SEATS * HAND_SIZE
    stake = (NOLA_STAKE if took_all else -NOLA_STAKE) * state.multiplier
    for seat in range(SEATS):
        out[seat] = -stake
    out[taker] = 4 * stake


# ---------------------------------------------------------------------------- the match


@rule
def new_match(match: SheepheadMatch, stream: Any) -> None:
    match.deals = 0
    match.dealer = 0
    match.double_left = 0
    for seat in range(SEATS):
        match.scores[seat] = 0
    for person in range(MOST_PEOPLE):
        match.money[person] = 0


@rule
def person_at(match: SheepheadMatch, seat: Seat) -> int:
    """Who sits in a seat for the next deal."""
    return seat if match.people == SEATS else (match.dealer + 1 + seat) % match.people


def people_at_table(match: SheepheadMatch) -> list[int]:
    """The person in each seat for the next deal of a match; people count from 0."""
    first = 0 if match.people == SEATS else int(match.dealer) + 1
    return [(first + seat) % int(match.people) for seat in range(SEATS)]


@rule
def match_around(state: SheepheadState, match: SheepheadMatch) -> None:
    """The dealer at a table of five, and whether the hand counts double."""
    match.people = SEATS
    match.dealer = state.dealer
    match.double_left = state.multiplier - 1


@rule
def score(match: SheepheadMatch, state: SheepheadState) -> None:
    """Pay, count the doubled hands, and let the next person deal."""
    won = np.zeros(SEATS, dtype=np.int64)
    payoffs(state, won)
    for seat in range(SEATS):
        match.scores[seat] += won[seat]
        if match.people > SEATS:
            match.money[person_at(match, seat)] += won[seat]
    if not was_redealt(state):
        match.double_left = hands_doubled(match, state)
    match.deals += 1
    match.dealer = (match.dealer + 1) % match.people
    if match.people > SEATS:
        for seat in range(SEATS):
            match.scores[seat] = match.money[person_at(match, seat)]


@rule
def hands_doubled(match: SheepheadMatch, state: SheepheadState) -> int:
    """The hands that count double after this one; 60-60 starts them, or starts them again."""
    left = max(match.double_left - 1, 0)
    if state.picker != NOBODY and side_points(state) == 60:
        return left + match.double_hands if match.double_restart == ADD else match.double_hands
    return left
