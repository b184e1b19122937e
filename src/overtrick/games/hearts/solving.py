"""Hearts: what the exact solver asks.

There are no sides: every seat plays for itself, and a kind of gains is the payoff of one seat.
What a seat has gained is the least that it can still come down to; as long as one seat has all
points taken so far, that includes the moon. Nothing is solved while cards are passed: there are
no rungs.
"""

from __future__ import annotations

from overtrick.cards import SPADES, Cards
from overtrick.games.game import Choices, Row, Seat
from overtrick.games.hearts.rules import (
    HAND_SIZE,
    ONE_SUIT,
    PASS,
    POINTS_IN_A_DEAL,
    QUEEN_OF_SPADES,
    SEATS,
    HeartsState,
    suit_of,
)
from overtrick.games.hearts.scoring import PAYOFF_UNIT
from overtrick.jit import highest, lowest, popcount, rule

__all__ = ["alike", "gained", "position_key", "rungs", "to_gain"]

ANYBODY, NO_SEAT = SEATS, SEATS + 1  # who may still shoot the moon, when it is no single seat
MOON = PAYOFF_UNIT * POINTS_IN_A_DEAL
EARTH = -POINTS_IN_A_DEAL  # what the others get

MOST_REMEMBERED = 10  # tricks left; owners of so many cards fit into a key
OWNERS = SEATS * MOST_REMEMBERED


@rule
def rungs(state: HeartsState) -> int:
    """None while cards are passed."""
    return 0 if state.phase == PASS else 1


# ---------------------------------------------------------------------------- gains


@rule
def gained(state: HeartsState, seat: Seat) -> int:
    """The least that a seat can still be paid."""
    left, shooter = points_left(state), may_shoot(state)
    if shooter == NO_SEAT:
        return paid(state.points[seat] + left)
    if left == 0:
        return MOON if shooter == seat else EARTH
    if shooter in (ANYBODY, seat):
        return paid(POINTS_IN_A_DEAL - 1)
    return min(paid(left), EARTH)


@rule
def to_gain(state: HeartsState, seat: Seat) -> int:
    """How much more than the least a seat can still be paid."""
    left, shooter = points_left(state), may_shoot(state)
    if left == 0:
        return 0
    most = MOON if shooter in (ANYBODY, seat) else paid(state.points[seat])
    return most - gained(state, seat)


@rule
def paid(points: int) -> int:
    """The payoff for so many points, the moon left aside."""
    return POINTS_IN_A_DEAL - 4 * points


@rule
def points_left(state: HeartsState) -> int:
    """The points that nobody has taken yet."""
    left = POINTS_IN_A_DEAL
    for seat in range(SEATS):
        left -= state.points[seat]
    return left


@rule
def may_shoot(state: HeartsState) -> int:
    """The only seat with points; ANYBODY if there is none yet, NO_SEAT if there are several."""
    shooter = ANYBODY
    for seat in range(SEATS):
        if state.points[seat]:
            if shooter != ANYBODY:
                return NO_SEAT
            shooter = seat
    return shooter


# ---------------------------------------------------------------------------- positions


@rule
def position_key(state: HeartsState, kind: int, key: Row) -> bool:
    """Between tricks: who has which card of each suit that is left, in order, and who leads.

    Besides: where among the spades the queen is, what may be led, and who may shoot the moon.
    Points already taken only matter for that.
    """
    if state.led or HAND_SIZE - state.tricks > MOST_REMEMBERED:
        return False
    odd, high = state.hands[1] | state.hands[3], state.hands[2] | state.hands[3]
    rest = state.hands[0] | state.hands[1] | high
    lengths = queen = 0
    for suit in range(SPADES + 1):
        lengths |= popcount(rest >> HAND_SIZE * suit & ONE_SUIT) << 4 * suit
    if rest & QUEEN_OF_SPADES:
        queen = 1 + popcount(rest & QUEEN_OF_SPADES - 1)
    key[0] = packed(odd, rest) | lengths << OWNERS | queen << OWNERS + 12
    rules = state.tricks << 8 | leading(state) << 5 | may_shoot(state) << 2 | state.leader
    key[1] = packed(high, rest) | rules << OWNERS
    return True


@rule
def packed(some: Cards, cards: Cards) -> int:
    """Which of the cards, from the lowest up, are some of them."""
    found, place = 0, 1
    while cards:
        if some & cards & -cards:
            found |= place
        place <<= 1
        cards &= cards - 1
    return found


@rule
def leading(state: HeartsState) -> int:
    """1 if hearts may be led; else more, with the options that tell how that may change."""
    if state.broken or not state.must_break_hearts:
        return 1
    return 4 | state.qs_breaks_hearts << 1 | state.hearts_instead_of_forced_qs


@rule
def alike(state: HeartsState, choices: Choices) -> Choices:
    """Of cards of equal points with none in play between them the lowest."""
    if choices & choices - 1 == 0 or state.phase == PASS:
        return choices
    cards = state.table
    for seat in range(SEATS):
        cards |= state.hands[seat]
    kept, rest = choices, choices & choices - 1
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        lower = cards & suit_of(card) & (1 << card) - 1
        if lower == 0:
            continue
        next_lower = highest(lower)
        one_is_queen = QUEEN_OF_SPADES & (1 << card | 1 << next_lower)
        if choices >> next_lower & 1 and not one_is_queen:
            kept ^= 1 << card
    return kept
