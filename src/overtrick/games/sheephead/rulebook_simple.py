"""Sheephead: the simple player, in the sense of the thesis.

The thesis has a rule-based player and a random one that bid alike; what their rules are it does
not tell. These are plain ones: count trumps to pick, bury points, call; then high trumps for the
picker's side, fail suits against it, points on a friend's trick, and the cheapest card else.
"""

from __future__ import annotations

from overtrick.cards import Card, Cards
from overtrick.games.game import NOBODY, Choice, Seat
from overtrick.games.sheephead.rules import (
    ALONE,
    BID,
    BURY,
    DECK,
    DECLARE,
    FAIL,
    FAIL_ACES,
    FAIL_SUITS,
    NOLA_RANKS,
    ONE_SUIT,
    PASS,
    PICK,
    SUIT_SIZE,
    SUITS,
    TRUMPS,
    SheepheadState,
    called_card,
    legal,
    next_seat,
)
from overtrick.games.sheephead.scoring import JACKS, POINTS_OF, QUEENS
from overtrick.games.sheephead.sides import DEFENDER, PARTNER, PICKER, role, shown_partner
from overtrick.jit import highest, lowest, popcount, rule

__all__ = ["play_simply", "prepare_simply"]

ENOUGH_TO_PICK = 8
"""Queens and the joker count 3, jacks 2, other trumps 1."""

QUEENS_AND_JOKER: Cards = QUEENS | DECK.set("JO")


# ---------------------------------------------------------------------------- before play


@rule
def prepare_simply(state: SheepheadState) -> Choice:
    """What to choose before the first card is played."""
    hand = state.hands[state.seat]
    if state.phase == BID:
        return PICK if trump_count(hand) >= ENOUGH_TO_PICK else PASS
    if state.phase == BURY:
        return card_to_bury(hand, state.buried)
    if state.phase == DECLARE:
        return call_shortest(hand, legal(state))
    return most_points(legal(state))


@rule
def trump_count(hand: Cards) -> int:
    """Queens and the joker 3, jacks 2, other trumps 1."""
    return popcount(hand & TRUMPS) + 2 * popcount(hand & QUEENS_AND_JOKER) + popcount(hand & JACKS)


@rule
def card_to_bury(hand: Cards, buried: Cards) -> Card:
    """The fail card of most points, aces last, but the only card that allows a call; else a trump.

    The lowest trump goes when there is nothing else.
    """
    fail = hand & FAIL
    callers = callers_of(hand, hand | buried)
    if callers & callers - 1 == 0 and fail != callers:
        fail &= ~callers
    if fail == 0:
        return lowest(hand)
    below_aces = fail & ~FAIL_ACES
    return most_points(below_aces if below_aces else fail)


@rule
def callers_of(hand: Cards, owned: Cards) -> Cards:
    """The cards of the fail suits whose ace is not owned."""
    found = 0
    for suit in range(FAIL_SUITS):
        members = ONE_SUIT << SUIT_SIZE * suit
        if not members & FAIL_ACES & owned:
            found |= members & hand
    return found


@rule
def call_shortest(hand: Cards, choices: int) -> Choice:
    """The call in the suit of which fewest cards are kept, an own card never; else alone."""
    best, fewest = ALONE, SUIT_SIZE + 1
    for call in range(ALONE + 1, 2 * FAIL_SUITS + 1):
        card = called_card(call)
        if choices >> call & 1 and not hand >> card & 1:
            kept = popcount(hand & SUITS[card])
            if kept < fewest:
                best, fewest = call, kept
    return best


# ---------------------------------------------------------------------------- play


@rule
def play_simply(state: SheepheadState) -> Card:
    """The card to play."""
    choices = legal(state)
    if not state.trumps:
        return lead_low(choices) if state.led == 0 else duck(state, choices)
    mine = role(state)
    if state.led == 0:
        return lead_for_picker(choices) if mine != DEFENDER else lead_against(state, choices)
    if is_with(state, mine, state.taker):
        return most_points(choices)
    winning = winners(state, choices)
    if winning == 0:
        return fewest_points(choices)
    return lowest(winning) if next_seat(state.seat) == state.leader else highest(winning)


@rule
def lead_for_picker(choices: Cards) -> Card:
    """The highest trump, else the highest card of the last suit."""
    return highest(choices)


@rule
def lead_against(state: SheepheadState, choices: Cards) -> Card:
    """The called suit, else a fail ace, else the fail card of fewest points."""
    fail = choices & FAIL
    if choices & state.pending:
        return fewest_points(choices & state.pending)
    if fail & FAIL_ACES:
        return lowest(fail & FAIL_ACES)
    return fewest_points(fail if fail else choices)


@rule
def is_with(state: SheepheadState, mine: int, seat: Seat) -> bool:
    """Whether a seat is surely on the side of the seat to act, as far as cards have shown it."""
    if mine == PARTNER:
        return seat == state.picker
    shown = shown_partner(state)
    if mine == PICKER:
        return seat == shown
    return seat not in (state.picker, shown) and (shown != NOBODY or state.called == 0)


@rule
def winners(state: SheepheadState, choices: Cards) -> Cards:
    """The cards that would take the trick so far."""
    if state.lies and state.seat == state.picker:
        choices &= ~state.unknown
    return choices & (state.led | TRUMPS) & -(state.best << 1 if state.best else 1)


@rule
def most_points(cards: Cards) -> Card:
    """The card of most points, the lowest of equals."""
    best = lowest(cards)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if POINTS_OF[card] > POINTS_OF[best]:
            best = card
    return best


@rule
def fewest_points(cards: Cards) -> Card:
    """The card of fewest points, the lowest of equals."""
    best = lowest(cards)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if POINTS_OF[card] < POINTS_OF[best]:
            best = card
    return best


# ---------------------------------------------------------------------------- Nola


@rule
def lead_low(choices: Cards) -> Card:
    """The card of lowest rank in a Nola hand."""
    best = lowest(choices)
    while choices:
        card = lowest(choices)
        choices &= choices - 1
        if NOLA_RANKS[card] < NOLA_RANKS[best]:
            best = card
    return best


@rule
def duck(state: SheepheadState, choices: Cards) -> Card:
    """The highest card that does not take the trick so far; the highest if all would."""
    follows = choices & state.led != 0
    best, best_rank = lowest(choices), -1
    while choices:
        card = lowest(choices)
        choices &= choices - 1
        rank = NOLA_RANKS[card]
        if not follows or rank < state.best:
            rank += len(NOLA_RANKS)  # any card that stays below goes before any that does not
        if rank > best_rank:
            best, best_rank = card, rank
    return best
