"""Sheephead: how the strong player chooses a card in a normal hand.

Every legal card is weighed by a sum of terms: the chance that its own side takes the trick times
the points in it, what the trick is worth beyond its points, what the card would be worth later,
and what is good or bad to lead, to ruff or to discard. How much a term counts depends on who the
seat is and on whether it leads; the numbers are in `weights.py`.
"""

from __future__ import annotations

from math import comb

import numpy as np

from overtrick.cards import Card, Cards
from overtrick.games.game import Row, Seat
from overtrick.games.sheephead.rules import (
    FAIL,
    HAND_SIZE,
    SEATS,
    SUIT_SIZE,
    SUITS,
    TRUMPS,
    SheepheadState,
    legal,
    next_seat,
)
from overtrick.games.sheephead.scoring import POINTS_OF, card_points
from overtrick.games.sheephead.sides import (
    CERTAIN,
    DEFENDER,
    PICKER,
    chance_of,
    face_up,
    friends,
    role,
    unseen,
)
from overtrick.games.sheephead.weights import (
    AGAIN,
    CALLED,
    CALLED_EARLY,
    CARD,
    CARD_EARLY,
    CASHES,
    FOES_BEHIND,
    FRIENDS_BEHIND,
    LENGTH,
    LOSES_DEAL,
    MASTER,
    OUTSTANDING,
    OWN_TRUMPS,
    PICKER_VOID,
    PLAY_WEIGHTS,
    POINTS_EARLY,
    POINTS_TERM,
    RUFF,
    RUFF_TRUMPS,
    TAKES,
    TAKES_EARLY,
    TOP,
    TRICK,
    TRICK_EARLY,
    TRUMPS_OUT,
    VOIDS,
    WINS_DEAL,
)
from overtrick.jit import lowest, popcount, rule

__all__ = ["KIND", "LACKS", "play_strongly"]

MOST_UNSEEN = 26


def _lacks(unseen: int, drawn: int, wanted: int) -> int:
    """The chance, in thousandths, that cards drawn from the unseen ones are none of the wanted."""
    if drawn > unseen:
        return 0
    return CERTAIN * comb(max(unseen - wanted, 0), drawn) // comb(unseen, drawn)


LACKS = np.array(
    [
        [
            [_lacks(unseen, drawn, wanted) for wanted in range(MOST_UNSEEN + 1)]
            for drawn in range(HAND_SIZE + 3)
        ]
        for unseen in range(MOST_UNSEEN + 1)
    ],
    dtype=np.int64,
)

_FAIL_KINDS = (0, 0, 0, 1, 2, 3)
KIND = np.array(
    [
        _FAIL_KINDS[card % SUIT_SIZE] if FAIL >> card & 1 else card - 14
        for card in range(len(SUITS))
    ],
    dtype=np.int64,
)
"""What a card is, for the weights: small, king, ten or ace of a fail suit, or which trump."""

BURIED_GUESS = 14  # the points that others reckon a picker has buried
MORE_DRAWS = 2  # a picker kept the trumps out of two cards more than he holds
FRIEND_TAKES, FOE_TAKES = 90, 85  # in a hundred, how often a seat that can take the trick does


@rule
def play_strongly(state: SheepheadState) -> Card:
    """The card that weighs most, the lowest of equals."""
    choices = legal(state)
    best = lowest(choices)
    if choices & choices - 1 == 0:
        return best
    sides, hidden = friends(state), unseen(state)
    ours, theirs = points_to_decide(state, sides)
    weights = PLAY_WEIGHTS[place_at_table(state)]
    most = -(1 << 60)
    while choices:
        card = lowest(choices)
        choices &= choices - 1
        value = weigh_trick(state, card, sides, hidden, ours, theirs, weights)
        value += CERTAIN * weigh_card(state, card, hidden, weights)
        if value > most:
            best, most = card, value
    return best


@rule
def place_at_table(state: SheepheadState) -> int:
    """The row of weights: picker, partner, defender, lone picker or against one; then leading."""
    mine = role(state)
    if state.called == 0:
        mine = 3 if mine == PICKER else 4
    return 2 * mine + (1 if state.led == 0 else 0)


@rule
def points_to_decide(state: SheepheadState, sides: int) -> tuple[int, int]:
    """The points that our side needs to win the deal, and those that theirs needs."""
    up = face_up(state)
    ours, theirs = 0, 0
    for seat in range(SEATS):
        points = card_points(state.taken[seat] & up)
        if seat == state.picker:
            points += card_points(state.buried) if seat == state.seat else BURIED_GUESS
        ours += chance_of(sides, seat) * points
        theirs += (CERTAIN - chance_of(sides, seat)) * points
    target = 60 if role(state) == DEFENDER else 61
    return target - ours // CERTAIN, 121 - target - theirs // CERTAIN


# ---------------------------------------------------------------------------- the trick


@rule
def weigh_trick(
    state: SheepheadState,
    card: Card,
    sides: int,
    hidden: Cards,
    ours: int,
    theirs: int,
    weights: Row,
) -> int:
    """What the card does in this trick: points won or lost, and what comes with them."""
    points = card_points(state.table & face_up(state)) + POINTS_OF[card]
    chance = chance_of_trick(state, card, sides, hidden)
    loss = CERTAIN - chance
    later = popcount(state.hands[state.seat]) - 1
    value = (chance - loss) * points * (weights[POINTS_TERM] + later * weights[POINTS_EARLY])
    value += chance * (weights[TRICK] + later * weights[TRICK_EARLY])
    if state.led and takes(state, card):
        value += chance * (weights[TAKES] + later * weights[TAKES_EARLY])
    friends_behind, foes_behind = seats_behind(state, sides)
    value += chance * friends_behind // CERTAIN * weights[FRIENDS_BEHIND]
    value += loss * foes_behind // CERTAIN * weights[FOES_BEHIND]
    if 0 < ours <= points:
        value += chance * weights[WINS_DEAL]
    if 0 < theirs <= points:
        value += loss * weights[LOSES_DEAL]
    return value


@rule
def takes(state: SheepheadState, card: Card) -> bool:
    """Whether a card that is not led beats all on the table."""
    bit = 1 << card
    if state.lies and state.seat == state.picker and bit == state.unknown:
        return False
    return bit & (state.led | TRUMPS) > state.best


@rule
def is_before_leader(state: SheepheadState, seat: Seat) -> bool:
    """Whether a seat, reached by going on from the one to act, still plays to this trick."""
    return seat != state.leader and seat != state.seat


@rule
def seats_behind(state: SheepheadState, sides: int) -> tuple[int, int]:
    """How many friends and foes still play to this trick, in thousandths."""
    ours, theirs = 0, 0
    seat = next_seat(state.seat)
    while is_before_leader(state, seat):
        ours += chance_of(sides, seat)
        theirs += CERTAIN - chance_of(sides, seat)
        seat = next_seat(seat)
    return ours, theirs


@rule
def chance_of_trick(state: SheepheadState, card: Card, sides: int, hidden: Cards) -> int:
    """The chance that a card leaves this trick to our side."""
    led, best, chance = after_card(state, card, sides)
    if led == state.pending and state.called & hidden and best < state.called:
        best = state.called  # it must fall on this trick
        chance = CERTAIN if state.seat == state.picker else 0
    seat = next_seat(state.seat)
    while is_before_leader(state, seat):
        beats = chance_to_beat(state, seat, led, best, hidden)
        friend = chance_of(sides, seat)
        gain = (CERTAIN - chance) * friend // CERTAIN * beats // CERTAIN
        loss = chance * (CERTAIN - friend) // CERTAIN * beats // CERTAIN
        chance += gain * FRIEND_TAKES // 100 - loss * FOE_TAKES // 100
        seat = next_seat(seat)
    return chance


@rule
def after_card(state: SheepheadState, card: Card, sides: int) -> tuple[Cards, Cards, int]:
    """The led suit, the best card and the chance that it is our side's, once a card is played."""
    bit = 1 << card
    turned = state.lies and state.seat == state.picker and bit == state.unknown
    if state.led == 0:
        return (state.pending, 0, CERTAIN) if turned else (SUITS[card], bit, CERTAIN)
    if takes(state, card):
        return state.led, bit, CERTAIN
    return state.led, state.best, chance_of(sides, state.taker)


@rule
def chance_to_beat(
    state: SheepheadState, seat: Seat, led: Cards, best: Cards, hidden: Cards
) -> int:
    """The chance that a seat has a card that it may play and that beats the best."""
    total = popcount(hidden)
    size = min(popcount(state.hands[state.seat]), total)
    may_hold = hidden & ~state.cannot[seat]
    above = may_hold & -(best << 1 if best else 1)
    draws = min(size + MORE_DRAWS, total) if seat == state.picker else size
    holds = CERTAIN - LACKS[total, draws, popcount(above & TRUMPS)]
    if led == TRUMPS:
        return holds
    ruffs = LACKS[total, size, popcount(may_hold & led)] * holds // CERTAIN
    if best & TRUMPS:
        return ruffs
    return ruffs + CERTAIN - LACKS[total, size, popcount(above & led)]


# ---------------------------------------------------------------------------- the card


@rule
def weigh_card(state: SheepheadState, card: Card, hidden: Cards, weights: Row) -> int:
    """What it means to part with the card now, whoever takes the trick."""
    later = popcount(state.hands[state.seat]) - 1
    value = weights[CARD + KIND[card]] + later * weights[CARD_EARLY + KIND[card]]
    if SUITS[card] == TRUMPS:
        value += weigh_trump(state, card, hidden, weights)
    elif SUITS[card] != state.led:
        value += weigh_fail(state, card, hidden, weights)
    elif is_top(card, hidden):
        value += weights[CASHES]
    return value


@rule
def is_top(card: Card, hidden: Cards) -> bool:
    """Whether no unseen card of its suit is higher."""
    return hidden & SUITS[card] & -(1 << card) == 0


@rule
def weigh_trump(state: SheepheadState, card: Card, hidden: Cards, weights: Row) -> int:
    """What counts for a trump: led, or to ruff or to follow with."""
    mine = popcount(state.hands[state.seat] & TRUMPS)
    value = 0
    if state.led != TRUMPS:
        value += weights[RUFF] + mine * weights[RUFF_TRUMPS]
    if state.led == 0:
        value += weights[TRUMPS_OUT] * popcount(hidden & TRUMPS)
    else:
        value += weights[OWN_TRUMPS] * mine
    return value + weights[MASTER] if is_top(card, hidden) else value


@rule
def weigh_fail(state: SheepheadState, card: Card, hidden: Cards, weights: Row) -> int:
    """What counts for a fail card that is led or discarded."""
    suit = SUITS[card]
    hand = state.hands[state.seat]
    value = weights[LENGTH] * (popcount(hand & suit) - 1)
    if hand & suit == 1 << card and hand & TRUMPS:
        value += weights[VOIDS]
    if suit == state.pending:
        value += weights[CALLED]
    if is_top(card, hidden):
        value += weights[TOP]
    return value + weigh_lead(state, suit, hidden, weights) if state.led == 0 else value


@rule
def weigh_lead(state: SheepheadState, suit: Cards, hidden: Cards, weights: Row) -> int:
    """What counts for a fail suit that is led."""
    hand = state.hands[state.seat]
    value = weights[OUTSTANDING] * popcount(hidden & suit)
    if suit == state.pending:
        value += weights[CALLED_EARLY] * popcount(hand)
    if suit & ~hidden & ~hand:
        value += weights[AGAIN]
    if state.cannot[state.picker] & suit == suit:
        value += weights[PICKER_VOID]
    return value
