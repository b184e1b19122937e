"""Snapszer: what the strong rulebook weighs while cards lie in the talon.

A card gets one weight out of each table in `weights.py`, and the card with the largest sum is
played. Closing is weighed in the same way, against nothing. `others` are the cards that the
opponent may hold, as far as the seat to act can tell; a card is out if it is among them, and gone
if it is neither there nor in hand.
"""

from __future__ import annotations

import numpy as np

from overtrick.cards import Card, Cards
from overtrick.games.game import NOBODY
from overtrick.games.snapszer.habits import ACES, TENS, pairs
from overtrick.games.snapszer.rules import (
    ALL_CARDS,
    CARDS,
    ENOUGH,
    RANKS,
    SUIT_OF,
    SnapszerState,
    above,
    tricks_of,
)
from overtrick.games.snapszer.weights import (
    ANSWER_CARD,
    ANSWER_HIGHER,
    ANSWER_LENGTH,
    ANSWER_MINE,
    ANSWER_PAIR,
    ANSWER_TALON,
    ANSWER_THEIRS,
    CLOSE_CARD,
    CLOSE_MASTER,
    CLOSE_NO_TRICK,
    CLOSE_PAIR,
    CLOSE_POINT,
    CLOSE_TALON,
    CLOSE_THEIRS,
    CLOSE_TRUMPS,
    CLOSE_TRUMPS_OUT,
    LEAD_FOLLOWERS,
    LEAD_HIGHER,
    LEAD_LENGTH,
    LEAD_MINE,
    LEAD_PLAIN,
    LEAD_TALON,
    LEAD_THEIRS,
    LEAD_UNDER,
)
from overtrick.jit import lowest, popcount, rule

__all__ = ["others_may_hold", "weight_of_answer", "weight_of_closing", "weight_of_lead"]

OPEN, CLOSER, DEFENDER = range(3)  # roles: the talon is open; I have closed it; he has
SMALL, TEN, ACE = range(3)  # kinds of cards
LOSE, BEAT, RUFF = range(3)  # ways to answer a lead

KIND_OF = np.array(
    [(SMALL, SMALL, SMALL, TEN, ACE)[card % RANKS] for card in range(CARDS)], dtype=np.int64
)
BAND_OF = np.array([sum(n >= m for m in (20, 33, 46, 56)) for n in range(ENOUGH)], dtype=np.int64)
"""The bands in which points are counted: 0 to 19, to 32, to 45, to 55, to 65."""


@rule
def others_may_hold(state: SnapszerState) -> Cards:
    """The cards that the opponent may hold: not seen elsewhere, and not proven missing."""
    me = state.seat
    seen = state.hands[me] | state.played[0] | state.played[1] | state.upcard
    return ALL_CARDS & ~(seen | state.cannot[1 - me])


@rule
def role_of(state: SnapszerState) -> int:
    if state.closer == NOBODY:
        return OPEN
    return CLOSER if state.closer == state.seat else DEFENDER


@rule
def up_to_two(cards: Cards) -> int:
    """How many cards, 2 for more."""
    return min(2, popcount(cards))


# ---------------------------------------------------------------------------- leads


@rule
def weight_of_lead(state: SnapszerState, card: Card, others: Cards) -> int:
    """What speaks for leading a card."""
    me, role = state.seat, role_of(state)
    hand, suit = state.hands[me], SUIT_OF[card]
    rank, kind = card % RANKS, KIND_OF[card]
    is_trump = 1 if suit == state.trump else 0
    higher = up_to_two(others & suit & above(1 << card))
    beside = up_to_two(hand & suit ^ 1 << card)
    weight = LEAD_HIGHER[role, is_trump, rank, higher]
    weight += LEAD_TALON[role, (state.left >> 1) - 1, is_trump, rank]
    weight += LEAD_FOLLOWERS[role, is_trump, kind, popcount(others & suit)]
    weight += LEAD_LENGTH[role, is_trump, kind, beside]
    weight += LEAD_MINE[role, is_trump, kind, BAND_OF[state.points[me]]]
    weight += LEAD_THEIRS[role, is_trump, kind, BAND_OF[state.points[1 - me]]]
    if kind == SMALL:
        weight += LEAD_UNDER[role, is_trump, rank, honours(suit, hand, others)]
    if not is_trump:
        weight += LEAD_PLAIN[role, kind, beside, higher]
    return weight


@rule
def honours(suit: Cards, hand: Cards, others: Cards) -> int:
    """Where ace and ten of a suit are.

    1 both mine; 2 the ace mine; 3 the ten mine and the ace out; 4 the ten mine and the ace gone;
    5 neither mine and the ace out; 0 neither mine and the ace gone.
    """
    ace, ten = suit & ACES, suit & TENS
    if hand & ace:
        return 1 if hand & ten else 2
    if hand & ten:
        return 3 if others & ace else 4
    return 5 if others & ace else 0


# ---------------------------------------------------------------------------- answers


@rule
def weight_of_answer(state: SnapszerState, card: Card, others: Cards) -> int:
    """What speaks for answering with a card while the talon is open."""
    me, way, lead = state.seat, way_of(state, 1 << card), lowest(state.table)
    hand, suit = state.hands[me], SUIT_OF[card]
    kind, kind_led = KIND_OF[card], KIND_OF[lead]
    is_trump = 1 if suit == state.trump else 0
    higher = up_to_two(others & suit & above(1 << card))
    beside = up_to_two(hand & suit ^ 1 << card)
    weight = ANSWER_CARD[way, is_trump, card % RANKS, lead % RANKS]
    weight += ANSWER_PAIR[way, best_pair(hand ^ 1 << card, state.trump)]
    weight += ANSWER_TALON[(state.left >> 1) - 1, way, kind_led]
    weight += ANSWER_MINE[BAND_OF[state.points[me]], way, kind_led]
    weight += ANSWER_THEIRS[BAND_OF[state.points[1 - me]], way, kind_led]
    weight += ANSWER_HIGHER[way, is_trump, kind, higher]
    weight += ANSWER_LENGTH[way, is_trump, kind, beside]
    return weight


@rule
def way_of(state: SnapszerState, card: Cards) -> int:
    """Whether a card loses to the one led, beats it in its suit or ruffs it."""
    if card & state.led:
        return BEAT if card > state.table else LOSE
    return RUFF if card & state.trump else LOSE


@rule
def best_pair(hand: Cards, trump: Cards) -> int:
    """Whether a hand can marry: 2 in trumps, else 1 in another suit, else 0."""
    queens = pairs(hand)
    if queens & trump:
        return 2
    return 1 if queens else 0


# ---------------------------------------------------------------------------- closing


@rule
def weight_of_closing(state: SnapszerState, others: Cards) -> int:
    """What speaks for closing; nothing does if it is not above 0."""
    me, trump = state.seat, state.trump
    hand = state.hands[me]
    queens = pairs(hand)
    weight = CLOSE_TALON[(state.left >> 1) - 1]
    weight += CLOSE_POINT * state.points[me]
    weight += CLOSE_THEIRS[BAND_OF[state.points[1 - me]]]
    if tricks_of(state.leaders, state.tricks, 1 - me) == 0:
        weight += CLOSE_NO_TRICK
    weight += CLOSE_PAIR[0, popcount(queens & ~trump)] + CLOSE_PAIR[1, popcount(queens & trump)]
    weight += CLOSE_TRUMPS[popcount(hand & trump)] + CLOSE_TRUMPS_OUT[popcount(others & trump)]
    while hand:
        weight += weight_when_closed(lowest(hand), others, trump)
        hand &= hand - 1
    return weight


@rule
def weight_when_closed(card: Card, others: Cards, trump: Cards) -> int:
    """What a card in hand adds to closing; a plain master may be ruffed if its suit is short."""
    suit = SUIT_OF[card]
    is_trump = 1 if suit == trump else 0
    higher = up_to_two(others & suit & above(1 << card))
    weight = CLOSE_CARD[is_trump, card % RANKS, higher]
    if is_trump or higher:
        return weight
    is_ace = 1 if KIND_OF[card] == ACE else 0
    return weight + CLOSE_MASTER[is_ace, popcount(others & suit)]
