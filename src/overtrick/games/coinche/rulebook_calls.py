"""Coinche: the calls of the expert.

A hand is counted once for every suit that might be trump (`strength`): the points that the bidder's
side may expect of it. What the partner has called adds to the count, what the opponents have
called takes from it (`estimate`). A bid needs a count, which rises with the bid; a higher count
jumps at once. The opponents' contract is coinched when the hand holds enough against it (`guard`).

The numbers come from the card play of the expert: a first count was fitted to the points that
contracts brought, then all of them were moved until calling paid best against earlier versions,
the players of the paper and random ones.
"""

from __future__ import annotations

import numpy as np

from overtrick.cards import Cards
from overtrick.games.coinche.rulebook_judging import (
    bid_of,
    last_bid_of,
    level_of,
    partner_of,
)
from overtrick.games.coinche.rules import (
    COINCHE,
    DECK,
    FIRST_BID,
    HAND_SIZE,
    LAST_CAPOT,
    PASS,
    SUITS,
    SURCOINCHE,
    CoincheState,
    trump_suit,
)
from overtrick.games.coinche.variant import FFB
from overtrick.games.game import NOBODY, Choice, Seat, choice_of, seat_of
from overtrick.jit import popcount, rule

__all__ = ["expert_call"]

NINE, JACK, QUEEN, KING, TEN, ACE = (
    DECK.set(name) for name in ("9S", "JS", "QS", "KS", "TS", "AS")
)
JACK_AND_NINE: Cards = JACK | NINE
KING_AND_QUEEN: Cards = KING | QUEEN
CAPOT = 10  # as `level_of` counts

# The count of a hand for a trump suit.
TRUMP_LENGTH = np.array([-3, 8, 27, 44, 64, 67, 76, 82, 94])
TRUMP_JACK, TRUMP_NINE, TRUMP_ACE, TRUMP_TEN, BELOTE = 33, 16, 2, 4, 24
SIDE_ACE, ACE_AND_TEN, GUARDED_TEN, VOID = 11, 6, 6, 3

# What the others' calls add to it.
PARTNER_UNHEARD, PARTNER_PASSED, PARTNER_ELSEWHERE = -3, 4, 3
PARTNER_BID = np.array([0, 44, 63, 61, 72, 74, 79, 92, 105, 108, 131])  # by level, in this suit
PARTNER_RAISED = np.array([0, 3, 27, 40, 42])  # by how many levels
ENEMY_ELSEWHERE, ENEMY_IN_SUIT = -2, -24

# The counts that a bid needs, by level from 80 to 160 and capot: the next bid, and a jump to it.
NEED = np.array([0, 69, 88, 94, 103, 111, 125, 133, 145, 147, 189])
JUMP = np.array([0, 70, 110, 122, 122, 143, 152, 174, 173, 173, 196])
SWITCH = 13  # less for another suit than the partner's
SURCOINCHE_MORE = 41  # above the jump to this level

# What a hand holds against a trump suit, and how much of it coinches, by level.
GUARD_LENGTH = np.array([-5, -3, 1, 18, 35, 35, 38, 45, 43])
GUARD_JACK, GUARD_NINE, GUARD_ACE, GUARD_TEN = 25, 7, 8, 5
ENOUGH_TO_COINCHE = np.array([0, 37, 39, 47, 55, 35, 35, 29, 6, 11, 5])
PARTNER_HAS_BID, BOTH_BID_IT = 14, -4


# ---------------------------------------------------------------------------- the call


@rule
def expert_call(state: CoincheState) -> Choice:
    """Surcoinche, coinche, a bid or a pass."""
    hand = state.hands[state.seat]
    opposed = state.bid != 0 and (state.seat ^ state.bidder) & 1 == 1
    if state.doubled:
        return PASS if opposed else answer_to_coinche(state, hand)
    if opposed and is_doomed(state, hand):
        return COINCHE
    return best_bid(state, hand)


@rule
def answer_to_coinche(state: CoincheState, hand: Cards) -> Choice:
    """Surcoinche with far more than the bid needs."""
    hope = estimate(state, hand, trump_suit(state.bid))
    return SURCOINCHE if hope >= JUMP[level_of(state.bid)] + SURCOINCHE_MORE else PASS


@rule
def is_doomed(state: CoincheState, hand: Cards) -> bool:
    """Whether the opponents' contract is likely enough to fail."""
    suit = trump_suit(state.bid)
    doom = guard(hand, suit)
    if last_bid_of(state, partner_of(state.seat)):
        doom += PARTNER_HAS_BID
    if has_bid(state, partner_of(state.bidder), suit):
        doom += BOTH_BID_IT
    return doom >= ENOUGH_TO_COINCHE[level_of(state.bid)]


@rule
def best_bid(state: CoincheState, hand: Cards) -> Choice:
    """A bid in the suit of the highest count, as high as the count allows; or a pass."""
    over = level_of(state.bid)
    if over == CAPOT:
        return PASS
    ours = trump_suit(state.bid) if state.bid and (state.seat ^ state.bidder) & 1 == 0 else NOBODY
    best = 0
    suit_of_best = 0
    for suit in range(SUITS):
        if takes_all(hand, suit):
            return bid_of(CAPOT, suit)
        hope = estimate(state, hand, suit)
        if ours != NOBODY and suit != ours:
            hope -= SWITCH
        if hope > best:
            best = hope
            suit_of_best = suit
    level = best_level(best, over, suit_of_best == ours)
    return bid_of(level, suit_of_best) if level else PASS


@rule
def best_level(hope: int, over: int, raises: bool) -> int:
    """How high to bid over a level: to jump, or just above it unless the suit is ours already."""
    level = over + 1 if hope >= NEED[over + 1] and not raises else 0
    for higher in range(over + 1, CAPOT + 1):
        if hope >= JUMP[higher]:
            level = higher
    return level


# ---------------------------------------------------------------------------- counts


@rule
def estimate(state: CoincheState, hand: Cards, suit: int) -> int:
    """The count of a suit, with what the others' calls add to it."""
    hope = strength(hand, suit, state.belote == FFB) + partners_help(state, suit)
    left, right = state.seat + 1 & 3, state.seat + 3 & 3
    if has_bid(state, left, suit) or has_bid(state, right, suit):
        return hope + ENEMY_IN_SUIT
    if last_bid_of(state, left) or last_bid_of(state, right):
        return hope + ENEMY_ELSEWHERE
    return hope


@rule
def partners_help(state: CoincheState, suit: int) -> int:
    """What the partner's last call adds to the count of a suit."""
    theirs = last_bid_of(state, partner_of(state.seat))
    if theirs == 0:
        return PARTNER_UNHEARD if state.turn < 2 else PARTNER_PASSED
    if trump_suit(theirs) != suit:
        return PARTNER_ELSEWHERE
    if first_in_suit(state, suit) != state.seat:
        return PARTNER_BID[level_of(theirs)]
    raised_by = level_of(theirs) - level_of(last_bid_of(state, state.seat))
    return PARTNER_RAISED[min(4, max(1, raised_by))]


@rule
def has_bid(state: CoincheState, seat: Seat, suit: int) -> bool:
    """Whether the last bid of a seat was in this suit."""
    bid = last_bid_of(state, seat)
    return bid != 0 and trump_suit(bid) == suit


@rule
def first_in_suit(state: CoincheState, suit: int) -> Seat:
    """The first seat to have bid a suit."""
    for turn in range(state.turn):
        event = int(state.history[turn])
        if FIRST_BID <= choice_of(event) <= LAST_CAPOT and trump_suit(choice_of(event)) == suit:
            return seat_of(event)
    return NOBODY


@rule
def strength(hand: Cards, suit: int, belote_counts: bool) -> int:
    """The count of a hand with a suit as trump."""
    trumps = hand >> HAND_SIZE * suit & 0xFF
    count = TRUMP_LENGTH[popcount(trumps)]
    if trumps & JACK:
        count += TRUMP_JACK
    if trumps & NINE:
        count += TRUMP_NINE
    if trumps & ACE:
        count += TRUMP_ACE
    if trumps & TEN:
        count += TRUMP_TEN
    if belote_counts and trumps & KING_AND_QUEEN == KING_AND_QUEEN:
        count += BELOTE
    for other in range(SUITS):
        if other != suit:
            count += side_strength(hand >> HAND_SIZE * other & 0xFF)
    return count


@rule
def side_strength(cards: Cards) -> int:
    """What the cards of a plain suit add to the count; given as if they were spades."""
    if cards & ACE:
        return SIDE_ACE + ACE_AND_TEN if cards & TEN else SIDE_ACE
    if cards & TEN and cards != TEN:
        return GUARDED_TEN
    return 0 if cards else VOID


@rule
def guard(hand: Cards, suit: int) -> int:
    """What a hand holds against a contract in a suit."""
    trumps = hand >> HAND_SIZE * suit & 0xFF
    count = GUARD_LENGTH[popcount(trumps)]
    if trumps & JACK:
        count += GUARD_JACK
    if trumps & NINE and trumps != NINE:
        count += GUARD_NINE
    for other in range(SUITS):
        cards = hand >> HAND_SIZE * other & 0xFF
        if other != suit and cards & ACE:
            count += GUARD_ACE
        elif other != suit and cards & TEN and cards != TEN:
            count += GUARD_TEN
    return count


@rule
def takes_all(hand: Cards, suit: int) -> bool:
    """Whether the hand should take every trick by itself: trumps from the top, and masters."""
    trumps = hand >> HAND_SIZE * suit & 0xFF
    length = popcount(trumps)
    needed = 5 if trumps & ACE else 6
    if trumps & JACK_AND_NINE != JACK_AND_NINE or length < needed:
        return False
    for other in range(SUITS):
        cards = hand >> HAND_SIZE * other & 0xFF
        from_the_top = (0xFF00 >> popcount(cards)) & 0xFF
        if other != suit and cards != from_the_top:
            return False
    return True
