"""Sheephead: what the exact solver asks.

A whole hand knows the partner: who holds or has played the called card. From the first lead on
the picker's side plays against the rest for its tier. A Nola hand has no sides: there every seat
plays for itself, and a kind of gains is what one seat is paid. Before the first lead nothing is
solved: there are no rungs.
"""

from __future__ import annotations

import numpy as np

from overtrick.cards import Card, Cards
from overtrick.games.game import NOBODY, OVER, Choice, Choices, Row, Seat
from overtrick.games.sheephead.rules import (
    HAND_SIZE,
    NOLA_RANKS,
    NOLA_SUITS,
    PLAY,
    SEATS,
    SUITS,
    TRUMPS,
    SheepheadState,
    must_follow,
    next_seat,
)
from overtrick.games.sheephead.scoring import (
    ALL_POINTS,
    LESS,
    NINETY_ONE,
    NO_TRICK,
    NOLA_STAKE,
    POINTS_OF,
    SIXTY_ONE,
    STAKES,
    STAKES_ALONE,
    THIRTY_ONE,
    card_points,
)
from overtrick.games.sheephead.variant import TRICKS
from overtrick.jit import highest, lowest, popcount, rule

__all__ = [
    "alike",
    "gained",
    "position_key",
    "rung",
    "rungs",
    "sides",
    "to_gain",
    "urge",
]

TIERS = np.array([NO_TRICK, LESS, THIRTY_ONE, SIXTY_ONE, NINETY_ONE, ALL_POINTS], dtype=np.int64)
TARGETS = np.array([0, 1, 31, 61, 91, 120], dtype=np.int64)  # card points that each tier takes
CARD_POINTS, HAS_TRICK = range(2)  # kinds of gains
LOW_31 = (1 << 31) - 1
SURE, WASTE = 40, 5  # urges


@rule
def sides(state: SheepheadState) -> int:
    """The picker, and who holds or has played the called card."""
    if state.picker == NOBODY or 0 <= state.phase < PLAY:
        return 0
    side = 1 << state.picker
    for seat in range(SEATS):
        if (state.hands[seat] | state.played[seat]) & state.called:
            side |= 1 << seat
    return side


@rule
def rungs(state: SheepheadState) -> int:
    """The tiers; one for a Nola hand, none before the first lead."""
    if 0 <= state.phase < PLAY:
        return 0
    return 1 if state.picker == NOBODY else len(TIERS)


@rule
def rung(state: SheepheadState, number: int, goal: Row, won: Row) -> None:
    """From no trick, or no points, to all of them; each opponent pays a stake."""
    by_trick = number == 1 and state.zero_tier == TRICKS
    goal[0] = HAS_TRICK if by_trick else CARD_POINTS
    goal[1] = TARGETS[number]
    side = sides(state)
    stakes = STAKES if side & side - 1 else STAKES_ALONE
    stake = stakes[TIERS[number]] * state.multiplier
    for seat in range(SEATS):
        won[seat] = stake if side >> seat & 1 else -stake
    won[state.picker] = stake * (2 if side & side - 1 else 4)


# ---------------------------------------------------------------------------- gains


@rule
def gained(state: SheepheadState, kind: int) -> int:
    """Card points of the picker's side, or 1 for a trick; in Nola the least a seat can be paid."""
    if state.picker == NOBODY:
        return nola_least(state, kind)
    took = took_so_far(state)
    if kind == HAS_TRICK:
        return 1 if took else 0
    return card_points(took | state.buried)


@rule
def to_gain(state: SheepheadState, kind: int) -> int:
    """The points on the cards still to be taken, or a trick; in Nola what a seat can hope for."""
    if state.picker == NOBODY:
        return nola_most(state, kind) - nola_least(state, kind)
    cards = in_play(state)
    if kind == HAS_TRICK:
        return 1 if cards and took_so_far(state) == 0 else 0
    return card_points(cards)


@rule
def took_so_far(state: SheepheadState) -> Cards:
    """The cards in the tricks of the picker's side, whether the partner is known or not."""
    took: Cards = state.taken[state.picker]
    if state.called:
        for seat in range(SEATS):
            if (state.hands[seat] | state.played[seat]) & state.called:
                took |= state.taken[seat]
    return took


@rule
def in_play(state: SheepheadState) -> Cards:
    """The cards in hands and on the table."""
    cards = state.table
    for seat in range(SEATS):
        cards |= state.hands[seat]
    return cards


@rule
def nola_most(state: SheepheadState, seat: Seat) -> int:
    """The most that a seat can still be paid in Nola."""
    if state.phase == OVER:
        return nola_least(state, seat)
    others = 0
    for other in range(SEATS):
        if other != seat:
            others |= state.taken[other]
    return NOLA_STAKE * state.multiplier * (1 if others else SEATS - 1)


@rule
def nola_least(state: SheepheadState, seat: Seat) -> int:
    """The least that a seat can still be paid in Nola: it may yet take the last trick."""
    if state.phase != OVER:
        return -(SEATS - 1) * NOLA_STAKE * state.multiplier
    if state.trumps:
        return 0  # five passes, and the cards are dealt again
    stake = NOLA_STAKE * state.multiplier
    if popcount(state.taken[state.leader]) == SEATS * HAND_SIZE:
        stake = -stake
    return -(SEATS - 1) * stake if seat == state.leader else stake


# ---------------------------------------------------------------------------- positions


@rule
def position_key(state: SheepheadState, kind: int, key: Row) -> bool:
    """Between tricks: the hands, the leader, the sides and what is owed to the called suit.

    In Nola: the hands, the leader, and whether that seat has taken all tricks so far.
    """
    hands = state.hands
    ones, twos, fours = hands[0] | hands[2] | hands[4], hands[1] | hands[2], hands[3] | hands[4]
    rest = nola_rest(state) if state.picker == NOBODY else called_rest(state) << 5 | sides(state)
    key[0] = ones | (twos & LOW_31) << 32
    key[1] = fours | twos >> 31 << 32 | (rest << 5 | 1 + state.leader << 2 | 1 + kind) << 33
    return state.table == 0


@rule
def called_rest(state: SheepheadState) -> int:
    """The called card, who picked and the unknown card, until the called suit has been led."""
    if state.pending == 0:
        return 0
    rest = lowest(state.called) | state.picker << 5 | state.called_obligations << 8 | 1 << 9
    return rest | (1 << 10 | lowest(state.unknown) << 11 if state.lies else 0)


@rule
def nola_rest(state: SheepheadState) -> int:
    """What a hand counts, and whether the leader has taken all tricks so far."""
    took_all = 1
    for seat in range(SEATS):
        if seat != state.leader and state.taken[seat]:
            took_all = 0
    return state.multiplier << 1 | took_all


@rule
def alike(state: SheepheadState, choices: Choices) -> Choices:
    """Of cards of equal points with none in play between them the lowest.

    In Nola points count for nothing; but as ties go to the lowest card, no other card of the hand
    may lie between the two in the deck.
    """
    if choices & choices - 1 == 0 or 0 <= state.phase < PLAY:
        return choices
    return alike_in_nola(state, choices) if state.picker == NOBODY else alike_cards(state, choices)


@rule
def alike_cards(state: SheepheadState, choices: Choices) -> Choices:
    cards = in_play(state)
    apart = state.unknown if state.lies else 0
    kept, rest = choices, choices & choices - 1 & ~apart
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        lower = cards & SUITS[card] & (1 << card) - 1
        if lower == 0:
            continue
        next_lower = highest(lower)
        is_mine = (choices & ~apart) >> next_lower & 1
        if is_mine and POINTS_OF[next_lower] == POINTS_OF[card]:
            kept ^= 1 << card
    return kept


@rule
def alike_in_nola(state: SheepheadState, choices: Choices) -> Choices:
    cards, hand = in_play(state), state.hands[state.seat]
    kept, rest = choices, choices & choices - 1
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        before = highest(hand & (1 << card) - 1)
        is_mine = choices >> before & 1 and NOLA_SUITS[card] >> before & 1
        if is_mine and not between_in_nola(cards, card, before):
            kept ^= 1 << card
    return kept


@rule
def between_in_nola(cards: Cards, card: Card, other: Card) -> bool:
    """Whether one of these cards ranks between two of a suit."""
    low = min(NOLA_RANKS[card], NOLA_RANKS[other])
    high = max(NOLA_RANKS[card], NOLA_RANKS[other])
    rest = cards & NOLA_SUITS[card]
    while rest:
        rank = NOLA_RANKS[lowest(rest)]
        rest &= rest - 1
        if low < rank < high:
            return True
    return False


# ---------------------------------------------------------------------------- what to try first


@rule
def urge(state: SheepheadState, choice: Choice) -> int:
    """To take the trick with many points, or to give points to a side that will; else to save."""
    card, side = 1 << choice, sides(state)
    ours = side >> state.seat & 1
    led = state.led if state.led else SUITS[choice]
    best = state.best if state.led else 0
    is_ours = state.led != 0 and side >> state.taker & 1 == ours
    strength = card & (led | TRUMPS)
    if strength > best:
        best, is_ours = strength, True
    seat = next_seat(state.seat)
    while seat != state.leader:
        following = must_follow(state.hands[seat], led) & (led | TRUMPS)
        strongest = 1 << highest(following) if following else 0
        if strongest > best:
            best, is_ours = strongest, side >> seat & 1 == ours
        seat = next_seat(seat)
    points = POINTS_OF[choice]
    if not is_ours:
        return -points - (WASTE if card & TRUMPS else 0)
    return SURE + points if best == strength else points
