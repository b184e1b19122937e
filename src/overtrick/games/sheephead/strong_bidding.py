"""Sheephead: how the strong player picks, buries, calls and goes alone.

Each is a sum of what its cards are worth, in tenths of a cent; the numbers are in `weights.py`.
"""

from __future__ import annotations

from overtrick.cards import Card, Cards
from overtrick.games.game import Choice, Row
from overtrick.games.sheephead.rulebook_simple import most_points
from overtrick.games.sheephead.rules import (
    ALONE,
    BID,
    BURY,
    DECLARE,
    FAIL_ACES,
    FAIL_SUITS,
    FAIL_TENS,
    FIRST_ACE,
    FIRST_TEN,
    ONE_SUIT,
    PASS,
    PICK,
    SUIT_SIZE,
    SheepheadState,
    called_card,
    calls,
    legal,
    next_seat,
    seats_from,
)
from overtrick.games.sheephead.strong_play import KIND
from overtrick.games.sheephead.weights import (
    ALONE_ALWAYS,
    ALONE_BURIED,
    ALONE_CARDS,
    BURY_CARDS,
    CALLED_KING,
    CALLED_LONG,
    CALLED_PAIR,
    CALLED_TEN,
    COVERED,
    NO_ACE,
    PICK_ALWAYS,
    PICK_CARDS,
    PICK_VOIDS,
    SUITS_KEPT,
    TEN_CALLED,
    UNKNOWN_CALLED,
)
from overtrick.jit import lowest, popcount, rule

__all__ = ["prepare_strongly"]

_KING, _TEN, _ACE = 3, 4, 5  # where they lie in a fail suit
IMPOSSIBLE = -(1 << 40)


@rule
def prepare_strongly(state: SheepheadState) -> Choice:
    """What to choose before the first card is played."""
    hand = state.hands[state.seat]
    if state.phase == BID:
        return PICK if picks(state, hand) else PASS
    if state.phase == BURY:
        return card_to_bury(hand, state.buried)
    if state.phase == DECLARE:
        call, _ = best_call(hand, state.buried)
        return ALONE if gain_alone(hand, state.buried) > 0 else call
    return most_points(legal(state))


@rule
def sum_of(cards: Cards, worth: Row) -> int:
    """What cards are worth together, each by its kind."""
    value = 0
    while cards:
        value += worth[KIND[lowest(cards)]]
        cards &= cards - 1
    return value


@rule
def picks(state: SheepheadState, hand: Cards) -> bool:
    """Whether picking is worth more than passing, from this place in the bidding."""
    place = seats_from(next_seat(state.dealer), state.seat)
    value = PICK_ALWAYS[place] + sum_of(hand, PICK_CARDS[place])
    for suit in range(FAIL_SUITS):
        if hand >> SUIT_SIZE * suit & ONE_SUIT == 0:
            value += PICK_VOIDS[place]
    return value > 0


# ---------------------------------------------------------------------------- bury


@rule
def card_to_bury(hand: Cards, buried: Cards) -> Card:
    """The lowest card of the best pair to bury, or the best to go with the one buried."""
    if buried:
        return best_with(hand, buried)[0]
    best, most = lowest(hand), IMPOSSIBLE
    rest = hand
    while rest:
        card = lowest(rest)
        rest ^= 1 << card
        _, value = best_with(hand ^ 1 << card, 1 << card)
        if value > most:
            best, most = card, value
    return best


@rule
def best_with(hand: Cards, buried: Cards) -> tuple[Card, int]:
    """The card to bury beside another one, and what that plan is worth."""
    best, most = lowest(hand), IMPOSSIBLE
    rest = hand
    while rest:
        card = lowest(rest)
        rest ^= 1 << card
        value = worth_of_plan(hand ^ 1 << card, buried | 1 << card)
        if value > most:
            best, most = card, value
    return best, most


@rule
def worth_of_plan(kept: Cards, buried: Cards) -> int:
    """What it is worth to keep some cards and to bury two, with the best call or alone."""
    _, value = best_call(kept, buried)
    return value + sum_of(buried, BURY_CARDS) + max(0, gain_alone(kept, buried))


# ---------------------------------------------------------------------------- declare


@rule
def gain_alone(kept: Cards, buried: Cards) -> int:
    """What going alone is worth beyond the best call."""
    points = popcount(buried & (FAIL_ACES | FAIL_TENS))
    return ALONE_ALWAYS + sum_of(kept, ALONE_CARDS) + ALONE_BURIED * points


@rule
def best_call(kept: Cards, buried: Cards) -> tuple[Choice, int]:
    """The best call, and what the suits kept are worth with it; alone if there is none."""
    choices = calls(kept, buried, 0)
    best, most = ALONE, IMPOSSIBLE
    for call in range(FIRST_ACE, FIRST_TEN + FAIL_SUITS):
        if choices >> call & 1:
            value = worth_of_call(kept, call)
            if value > most:
                best, most = call, value
    return best, most + worth_of_suits(kept)


@rule
def worth_of_suits(kept: Cards) -> int:
    """How many fail suits are kept, and whether their aces are."""
    value, suits = 0, 0
    for suit in range(FAIL_SUITS):
        cards = kept >> SUIT_SIZE * suit & ONE_SUIT
        if cards:
            suits += 1
            if cards >> _ACE == 0:
                value += NO_ACE
            elif cards & cards - 1:
                value += COVERED
    return value + SUITS_KEPT[suits]


@rule
def worth_of_call(kept: Cards, call: Choice) -> int:
    """What one call is worth: the partner makes up for the missing ace of the called suit."""
    cards = kept >> called_card(call) // SUIT_SIZE * SUIT_SIZE & ONE_SUIT
    count = popcount(cards)
    if count == 0:
        return UNKNOWN_CALLED
    value = TEN_CALLED if call >= FIRST_TEN else 0
    if cards >> _ACE == 0:
        value -= NO_ACE
    if count > 1:
        value += CALLED_PAIR if count == 2 else CALLED_LONG
    if cards >> _TEN & 1:
        value += CALLED_TEN
    if cards >> _KING & 1:
        value += CALLED_KING
    return value
