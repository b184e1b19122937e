"""Sheephead: how the strong player chooses a card in a Nola hand, to stay out of the last trick.

The last trick falls to its leader unless somebody follows higher. So the cards that nobody can
beat go while tricks cost nothing, the safest one stays to the end, and the fifth trick, which
gives the lead of the last, is ducked. The numbers are in `weights.py`.
"""

from __future__ import annotations

import numpy as np

from overtrick.cards import Card, Cards
from overtrick.games.game import Row
from overtrick.games.sheephead.rules import (
    NOLA_RANKS,
    NOLA_SUITS,
    SEATS,
    SheepheadState,
    legal,
    next_seat,
)
from overtrick.games.sheephead.sides import CERTAIN, unseen
from overtrick.games.sheephead.strong_play import LACKS, is_before_leader
from overtrick.games.sheephead.weights import (
    ABOVE,
    BELOW,
    COUNT,
    DISCARD_RANK,
    LAST_OF_SUIT,
    MOST_ABOVE,
    NOLA_WEIGHTS,
    RANK,
    SAFEST,
    SECOND,
    TAKE,
    TAKE_UNSAFE,
    UNSEEN,
    WORST,
)
from overtrick.jit import lowest, popcount, rule

__all__ = ["play_nola"]

HIGHER = np.array(
    [
        sum(
            1 << other
            for other in range(len(NOLA_SUITS))
            if NOLA_SUITS[other] == NOLA_SUITS[card] and NOLA_RANKS[other] > NOLA_RANKS[card]
        )
        for card in range(len(NOLA_SUITS))
    ],
    dtype=np.int64,
)
"""For each card, those that beat it in a Nola hand."""


@rule
def play_nola(state: SheepheadState) -> Card:
    """The card that weighs most, the lowest of equals."""
    choices = legal(state)
    best = lowest(choices)
    if choices & choices - 1 == 0:
        return best
    hidden = unseen(state)
    left = popcount(state.hands[state.seat])
    weights = NOLA_WEIGHTS[2 * (left - 2) + (1 if state.led == 0 else 0)]
    most = -(1 << 60)
    while choices:
        card = lowest(choices)
        choices &= choices - 1
        value = CERTAIN * weigh_part(state, card, hidden, weights)
        value += weigh_rest(state, card, hidden, weights)
        if value > most:
            best, most = card, value
    return best


@rule
def weigh_part(state: SheepheadState, card: Card, hidden: Cards, weights: Row) -> int:
    """What it means to be rid of a card: how high it is, and what is left of its suit."""
    suit = NOLA_SUITS[card]
    same = state.hands[state.seat] & suit
    above = popcount(hidden & HIGHER[card])
    out = popcount(hidden & suit)
    value = weights[ABOVE + min(above, MOST_ABOVE)] + weights[RANK] * NOLA_RANKS[card]
    value += weights[COUNT] * popcount(same)
    value += weights[BELOW] * (out - above) + weights[UNSEEN] * out
    if same == 1 << card:
        value += weights[LAST_OF_SUIT]
    if state.led and suit != state.led:
        value += weights[DISCARD_RANK] * NOLA_RANKS[card]
    return value


@rule
def weigh_rest(state: SheepheadState, card: Card, hidden: Cards, weights: Row) -> int:
    """What it means to take the trick, and to keep the other cards for the last one."""
    take = chance_to_take(state, card, hidden)
    rest = state.hands[state.seat] ^ 1 << card
    safest, second, worst = CERTAIN, CERTAIN, 0
    while rest:
        danger = danger_of(lowest(rest), hidden)
        rest &= rest - 1
        second = min(second, max(safest, danger))
        safest = min(safest, danger)
        worst = max(worst, danger)
    value = weights[TAKE] * take + weights[TAKE_UNSAFE] * (take * safest // CERTAIN)
    return value + weights[SAFEST] * safest + weights[SECOND] * second + weights[WORST] * worst


@rule
def danger_of(card: Card, hidden: Cards) -> int:
    """The chance that nobody can beat a card that is led to the last trick."""
    total = popcount(hidden)
    return LACKS[total, min(SEATS - 1, total), popcount(hidden & HIGHER[card])]


@rule
def chance_to_take(state: SheepheadState, card: Card, hidden: Cards) -> int:
    """The chance that a card takes this trick."""
    if state.led and (not 1 << card & state.led or NOLA_RANKS[card] < state.best):
        return 0
    left = popcount(state.hands[state.seat])
    chance = CERTAIN
    seat = next_seat(state.seat)
    while is_before_leader(state, seat):
        above = popcount(hidden & HIGHER[card] & ~state.cannot[seat])
        chance = chance * LACKS[popcount(hidden), left, above] // CERTAIN
        seat = next_seat(seat)
    return chance
