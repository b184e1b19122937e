"""Snapszer: the strong rulebook.

It exchanges at once, and then looks, in this order, for the only choice; for the exact play once
the talon is empty; for a way to 66 that nothing can stop; for a close; for a marriage; and for the
card of the largest weight (`weighing.py`).
"""

from __future__ import annotations

from overtrick.cards import Card, Cards
from overtrick.games.game import Choice, Choices
from overtrick.games.snapszer.endings import best_card
from overtrick.games.snapszer.habits import TENS, best_marriage, cheapest, dearest, pairs, takers
from overtrick.games.snapszer.rules import (
    ALL_CARDS,
    CLOSE,
    ENOUGH,
    EXCHANGE,
    FOLLOW,
    MARRY,
    ONE_SUIT,
    POINTS_OF,
    RANKS,
    SUITS,
    SnapszerState,
    above,
    legal,
)
from overtrick.games.snapszer.weighing import (
    others_may_hold,
    weight_of_answer,
    weight_of_closing,
    weight_of_lead,
)
from overtrick.jit import highest, lowest, popcount, rule

__all__ = ["strong"]

LOWEST_POINTS = 2  # those of a jack: an opponent adds at least so many to a trick
NO_CHOICE = -1


@rule
def strong(state: SnapszerState) -> Choice:
    """What the strong rulebook chooses; chance has no part in it."""
    choices = legal(state)
    if choices & choices - 1 == 0:
        return lowest(choices)
    if choices >> EXCHANGE & 1:
        return EXCHANGE
    if state.left == 0:
        return in_the_ending(state, choices)
    if state.phase == FOLLOW:
        return answer(state, choices)
    if state.must_lead:
        return highest(choices) if state.is_open else lowest(choices)
    return announcement_or_lead(state, choices)


# ---------------------------------------------------------------------------- leading


@rule
def announcement_or_lead(state: SnapszerState, choices: Choices) -> Choice:
    """A sure way to 66, else close, else marry, else lead the card of the largest weight."""
    others = others_may_hold(state)
    announced = best_marriage(choices, state.trump)
    points = state.points[state.seat] + marriage_in(state.hands[state.seat], state.trump)
    if announced and points >= ENOUGH:
        return announced
    winning = first_of_sure_tricks(state, others, points)
    if winning != NO_CHOICE:
        return winning
    if choices >> CLOSE & 1 and weight_of_closing(state, others) > 0:
        return CLOSE
    if announced:
        return announced
    return heaviest_lead(state, choices & ALL_CARDS, others)


@rule
def first_of_sure_tricks(state: SnapszerState, others: Cards, points: int) -> Choice:
    """A card to lead if sure tricks make 66, NO_CHOICE if they do not.

    `points` are those so far with the best marriage in hand, which is declared after the tricks:
    king or queen must be led after it, and may lose the lead.
    """
    queens = pairs(state.hands[state.seat])
    sure = sure_tricks(state, others) & ~(queens | queens << 1)
    if sure == 0:
        return NO_CHOICE
    points += points_in(sure) + LOWEST_POINTS * popcount(sure)
    return dearest(sure) if points >= ENOUGH else NO_CHOICE


@rule
def sure_tricks(state: SnapszerState, others: Cards) -> Cards:
    """The cards that take tricks one after the other, whatever the opponent holds or draws."""
    trumps = state.hands[state.seat] & state.trump
    rivals = state.trump & (others | state.upcard if state.is_open else others)
    if rivals:
        return trumps & above(1 << highest(rivals))
    return trumps if state.is_open else state.hands[state.seat] & ~beaten_by(others)


@rule
def beaten_by(others: Cards) -> Cards:
    """All cards below the highest one of `others` in their suit."""
    beaten = 0
    for suit in range(SUITS):
        rivals = others & ONE_SUIT << RANKS * suit
        if rivals:
            beaten |= (1 << highest(rivals)) - (1 << RANKS * suit)
    return beaten


@rule
def marriage_in(hand: Cards, trump: Cards) -> int:
    """The points of the best marriage that a hand can declare."""
    queens = pairs(hand)
    if queens & trump:
        return 40
    return 20 if queens else 0


@rule
def points_in(cards: Cards) -> int:
    points = 0
    while cards:
        points += POINTS_OF[lowest(cards)]
        cards &= cards - 1
    return points


@rule
def heaviest_lead(state: SnapszerState, cards: Cards, others: Cards) -> Card:
    """The card of the largest weight; of equal ones the lowest."""
    best = lowest(cards)
    most = weight_of_lead(state, best, others)
    cards &= cards - 1
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        weight = weight_of_lead(state, card, others)
        if weight > most:
            best, most = card, weight
    return best


# ---------------------------------------------------------------------------- answering


@rule
def answer(state: SnapszerState, cards: Cards) -> Card:
    """A card that makes 66, else by weight; by a rule of thumb once the talon is closed."""
    winning = winning_answer(state, cards)
    if winning != NO_CHOICE:
        return winning
    if state.is_open:
        return heaviest_answer(state, cards, others_may_hold(state))
    return strict_answer(state, cards)


@rule
def winning_answer(state: SnapszerState, cards: Cards) -> Choice:
    """A card that takes the trick and makes 66, a marriage on the next lead counted."""
    hand = state.hands[state.seat]
    points = state.points[state.seat] + POINTS_OF[lowest(state.table)]
    taking = takers(cards, state.table, state.led, state.trump)
    while taking:
        card = lowest(taking)
        if points + POINTS_OF[card] + marriage_in(hand ^ 1 << card, state.trump) >= ENOUGH:
            return card
        taking &= taking - 1
    return NO_CHOICE


@rule
def heaviest_answer(state: SnapszerState, cards: Cards, others: Cards) -> Card:
    """The card of the largest weight; of equal ones the lowest."""
    best = lowest(cards)
    most = weight_of_answer(state, best, others)
    cards &= cards - 1
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        weight = weight_of_answer(state, card, others)
        if weight > most:
            best, most = card, weight
    return best


@rule
def strict_answer(state: SnapszerState, cards: Cards) -> Card:
    """Take with the ten, else the highest plain card or the lowest trump; else throw cheaply."""
    taking = takers(cards, state.table, state.led, state.trump)
    if taking == 0:
        return cheapest(cards, state.trump)
    if taking & state.trump:
        tens = taking & state.led & TENS
        return lowest(tens if tens else taking)
    tens = taking & TENS
    return lowest(tens) if tens else dearest(taking)


# ---------------------------------------------------------------------------- the ending


@rule
def in_the_ending(state: SnapszerState, choices: Choices) -> Choice:
    """The exact play; whoever leads king or queen of a pair marries first."""
    cards = choices & ALL_CARDS
    card = best_card(state, cards)
    if state.phase == FOLLOW or state.must_lead:
        return card
    queens = pairs(cards)
    return MARRY + card // RANKS if 1 << card & (queens | queens << 1) else card
