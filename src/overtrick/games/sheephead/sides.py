"""Sheephead: what the seat to act can tell of the cards and of the sides.

Read from its own hand and from what everybody has seen, so that it is the same on a view and on
a whole deal. Only the picker may look at the buried cards and at a card that lies face down.
"""

from __future__ import annotations

from overtrick.cards import Cards
from overtrick.games.game import NOBODY, Seat, choice_of, seat_of
from overtrick.games.sheephead.rules import (
    ALL_CARDS,
    HAND_SIZE,
    SEATS,
    TRUMPS,
    SheepheadState,
    seats_from,
)
from overtrick.games.sheephead.variant import AT_END
from overtrick.jit import lowest, popcount, rule

__all__ = [
    "CERTAIN",
    "DEFENDER",
    "PARTNER",
    "PICKER",
    "chance_of",
    "face_up",
    "friends",
    "role",
    "shown_partner",
    "unseen",
]

PICKER, PARTNER, DEFENDER = range(3)

CERTAIN = 1000  # chances are counted in thousandths
CHANCE_BITS = 10
CHANCE = (1 << CHANCE_BITS) - 1

SUSPICION = 10  # how much a trump led counts against a suspect


@rule
def face_up(state: SheepheadState) -> Cards:
    """All cards, or where one was played face down, all that have been seen played."""
    if state.unknown_shown != AT_END or state.turned == 0 or state.seat == state.picker:
        return ALL_CARDS
    shown = 0
    for turn in range(first_play(state), state.turn):
        if turn != state.turned:
            shown |= 1 << int(choice_of(state.history[turn]))
    return shown


@rule
def first_play(state: SheepheadState) -> int:
    """The turn in which the first card was led."""
    tricks = HAND_SIZE - popcount(state.hands[state.seat])
    return state.turn - SEATS * tricks - seats_from(state.leader, state.seat)


@rule
def unseen(state: SheepheadState) -> Cards:
    """The cards that the seat to act cannot place."""
    mine: Cards = state.hands[state.seat]
    if state.seat == state.picker:
        mine |= state.buried
    played = 0
    for seat in range(SEATS):
        played |= state.played[seat]
    return ALL_CARDS & ~(mine | played & face_up(state))


@rule
def role(state: SheepheadState) -> int:
    """Picker, partner or defender: what the seat to act is in a normal hand."""
    seat = state.seat
    if seat == state.picker:
        return PICKER
    mine = state.hands[seat] | state.played[seat]
    return PARTNER if mine & state.called else DEFENDER


@rule
def shown_partner(state: SheepheadState) -> Seat:
    """The seat that has played the called card; the picker's if it was his own."""
    shown = state.called & face_up(state)
    for seat in range(SEATS):
        if state.played[seat] & shown:
            return seat
    return NOBODY


@rule
def suspects(state: SheepheadState) -> int:
    """The other seats that may be the picker's partner, as a set of bits."""
    if state.called == 0 or state.hands[state.seat] & state.called:
        return 0
    shown = shown_partner(state)
    if shown != NOBODY:
        return 0 if shown == state.picker else 1 << shown
    found = 0
    for seat in range(SEATS):
        if seat != state.seat and seat != state.picker and not state.cannot[seat] & state.called:
            found |= 1 << seat
    return found


@rule
def trumps_led(state: SheepheadState, seat: Seat) -> int:
    """How many trumps a seat other than the picker's has led."""
    count = 0
    for turn in range(first_play(state), state.turn, SEATS):
        event = state.history[turn]
        if seat_of(event) == seat and TRUMPS >> int(choice_of(event)) & 1:
            count += 1
    return count


@rule
def suspicions(state: SheepheadState) -> int:
    """The chance of each other seat to be the picker's partner, packed.

    Trumps are led by the picker's side: every one that a suspect has led counts against it.
    """
    found = suspects(state)
    if found & found - 1 == 0:
        return CERTAIN << CHANCE_BITS * lowest(found) if found else 0
    weights, total = 0, 0
    for seat in range(SEATS):
        if found >> seat & 1:
            one = 1 + SUSPICION * trumps_led(state, seat)
            weights |= one << CHANCE_BITS * seat
            total += one
    packed = 0
    for seat in range(SEATS):
        packed |= CERTAIN * (weights >> CHANCE_BITS * seat & CHANCE) // total << CHANCE_BITS * seat
    return packed


@rule
def friends(state: SheepheadState) -> int:
    """The chance of each seat to be on the side of the seat to act, packed."""
    mine = role(state)
    if mine == PARTNER:
        return CERTAIN << CHANCE_BITS * state.picker | CERTAIN << CHANCE_BITS * state.seat
    partner = suspicions(state)
    packed = 0
    for seat in range(SEATS):
        chance = chance_of(partner, seat)
        if seat == state.seat:
            chance = CERTAIN
        elif mine == DEFENDER:
            chance = 0 if seat == state.picker else CERTAIN - chance
        packed |= chance << CHANCE_BITS * seat
    return packed


@rule
def chance_of(packed: int, seat: Seat) -> int:
    """The chance of one seat, out of those of all."""
    return packed >> CHANCE_BITS * seat & CHANCE
