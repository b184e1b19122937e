"""Hearts: one suit as a seat sees it, and what its cards may still cost."""

from __future__ import annotations

from typing import NamedTuple

from overtrick.cards import FRENCH_52, HEARTS, SPADES, Card, Cards
from overtrick.games.hearts.chances import CERTAIN, HOLDS_IF_DUCKED, SHOWS_OUT
from overtrick.games.hearts.prices import (
    QUEEN_HELD,
    QUEEN_TO_CATCH,
    SUIT_AT_RISK,
    VOID,
    VOID_WITH_THE_QUEEN,
    entry,
)
from overtrick.games.hearts.rules import (
    ALL_CARDS,
    HAND_SIZE,
    ONE_SUIT,
    QUEEN_OF_SPADES,
    SEATS,
    HeartsState,
)
from overtrick.jit import popcount, rule

__all__ = ["KING_AND_ACE", "Holding", "cards_above", "cards_out", "danger_of", "holding", "relief"]

KING_AND_ACE: Cards = FRENCH_52.set("KS AS")


class Holding(NamedTuple):
    """One suit: the cards of this seat, those in other hands, and who may have them."""

    suit: int
    own: Cards
    out: Cards
    holders: int  # other seats that may hold the suit
    to_follow: int  # of these, still to play to this trick
    to_discard: int  # other seats still to play to this trick
    with_queen: bool  # this seat has the queen of spades


@rule
def cards_out(state: HeartsState, hand: Cards) -> Cards:
    """The cards in the other hands."""
    gone = hand
    for seat in range(SEATS):
        gone |= state.played[seat]
    return ALL_CARDS & ~gone


@rule
def cards_above(out: Cards, card: Card) -> Cards:
    """Those of the cards out that are of a card's suit and higher."""
    return out & (ONE_SUIT << HAND_SIZE * (card // HAND_SIZE)) & -(1 << card)


@rule
def holding(state: HeartsState, suit: int, hand: Cards, out: Cards) -> Holding:
    """A suit as the seat to play sees it."""
    cards = ONE_SUIT << HAND_SIZE * suit
    to_play = SEATS - 1 - popcount(state.table)
    holders = 0
    to_follow = 0
    for step in range(1, SEATS):
        if out & cards & ~state.cannot[state.seat + step & 3]:
            holders += 1
            to_follow += 1 if step <= to_play else 0
    with_queen = hand & QUEEN_OF_SPADES != 0
    return Holding(
        suit, hand & cards, out & cards, holders, to_follow, to_play - to_follow, with_queen
    )


@rule
def relief(held: Holding, card: Cards, per_discard: int, danger: int) -> int:
    """How much less a suit may cost without this card of it; `danger` is what it may cost now."""
    left = held.own ^ card
    gained = danger - danger_of(held, left, per_discard)
    if left == 0 and held.out and held.with_queen:
        gained += VOID_WITH_THE_QUEEN
    return gained


@rule
def danger_of(held: Holding, own: Cards, per_discard: int) -> int:
    """What these cards of a suit may still cost; a void is worth something instead."""
    if held.out == 0:
        return queen_danger(held, own)
    if own == 0:
        return -VOID[held.suit]
    counted = tricks_feared(held, own & ~QUEEN_OF_SPADES) * points_feared(held, per_discard)
    return queen_danger(held, own) + counted * SUIT_AT_RISK[held.suit] // (100 * CERTAIN)


@rule
def tricks_feared(held: Holding, own: Cards) -> int:
    """How many tricks these cards may take if led now and ducked, in thousandths."""
    tricks = 0
    cards = popcount(held.out)
    while own:
        card = own & -own
        own ^= card
        below = popcount(held.out & card - 1)
        tricks += HOLDS_IF_DUCKED[held.holders, held.holders, below, cards - below]
    return tricks


@rule
def points_feared(held: Holding, per_discard: int) -> int:
    """What a trick in this suit may cost: hearts that follow, and discards."""
    shows_out = SHOWS_OUT[held.holders, popcount(held.out)]
    points = per_discard * shows_out * (SEATS - 1) // CERTAIN
    if held.suit == HEARTS:
        points += 100 + held.holders * (CERTAIN - shows_out) * 100 // CERTAIN
    return points


@rule
def queen_danger(held: Holding, own: Cards) -> int:
    """What the queen of spades may cost her holder, or who must take her with king or ace."""
    if held.suit != SPADES:
        return 0
    if own & QUEEN_OF_SPADES:
        return entry(QUEEN_HELD, popcount(own) - 1)
    if held.out & QUEEN_OF_SPADES:
        guards = popcount(own & QUEEN_OF_SPADES - 1)
        return popcount(own & KING_AND_ACE) * entry(QUEEN_TO_CATCH, guards)
    return 0
