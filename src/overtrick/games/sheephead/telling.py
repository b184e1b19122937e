"""Sheephead as one seat tells it: whether the picker called with an unknown card, and which."""

from __future__ import annotations

from overtrick.cards import Card, each
from overtrick.errors import NoWorldFound
from overtrick.games.game import HIDDEN, Choice, Telling
from overtrick.games.sheephead.rules import (
    ALL_CARDS,
    ALONE,
    DECLARE,
    FIRST_ACE,
    FIRST_TEN,
    ONE_SUIT,
    PLAY,
    SEATS,
    SUIT_SIZE,
    UNKNOWN,
    SheepheadState,
)
from overtrick.games.telling import arrange_cards, swap_in_hands, swapped

__all__ = ["arrange", "sights", "swap"]


def sights(view: SheepheadState) -> dict[str, str]:
    """`unknown`: `yes` once the picker has called with an unknown card."""
    called_so = view.phase == UNKNOWN or view.lies or view.turned
    return {"unknown": "yes"} if called_so else {}


def arrange(state: SheepheadState, told: Telling, choice: Choice) -> Choice:
    """Keep or move the called suit as the call tells, and the unknown card as it was played."""
    if state.seat == told.seat:
        return choice
    if state.phase == DECLARE and choice not in (ALONE, HIDDEN):
        _arrange_call(state, told, choice)
        return choice
    if state.phase == PLAY and choice == HIDDEN:
        if not state.lies or state.seat != state.picker:
            raise NoWorldFound("it is made in front of everybody")
        return next(each(int(state.unknown)))
    if state.phase == PLAY:
        _keep_unknown(state, told, choice)
    chosen = arrange_cards(state, told, choice)
    if state.phase == UNKNOWN and choice != HIDDEN:
        told.fixed |= 1 << choice
    return chosen


def _arrange_call(state: SheepheadState, told: Telling, choice: Choice) -> None:
    """The picker has kept a card of the called suit, or with an unknown card none."""
    first = FIRST_TEN if choice >= FIRST_TEN else FIRST_ACE
    suit = ONE_SUIT << SUIT_SIZE * (choice - first)
    picker = int(state.picker)
    hand = int(state.hands[picker])
    others = [seat for seat in range(SEATS) if seat not in (picker, told.seat)]
    elsewhere = sum(told.spare(state, seat) for seat in others)
    if told.words("unknown"):
        for card, other in zip(each(hand & suit), each(elsewhere & ~suit), strict=False):
            told.swap(state, card, other)
    elif not hand & suit:
        for card in each(ALL_CARDS & suit & ~told.fixed):
            told.hold(state, picker, card)
            return
        raise NoWorldFound("the picker can have kept no card of that suit")


def _keep_unknown(state: SheepheadState, told: Telling, choice: Card) -> None:
    """A card that is played is not the unknown one, unless that has been told."""
    seat, unknown = int(state.seat), int(state.unknown)
    if unknown == 1 << choice and not told.fixed & unknown:
        spare = told.spare(state, seat) & ~unknown
        if not spare:
            raise NoWorldFound("every card of that hand is known to be another")
        told.swap(state, choice, next(each(spare)))
    told.hold(state, seat, choice, keep=unknown)


def swap(state: SheepheadState, one: Card, other: Card) -> None:
    """Let two cards change places, wherever a card may lie that has not been seen."""
    swap_in_hands(state, one, other)
    state.blind = swapped(int(state.blind), one, other)
    state.buried = swapped(int(state.buried), one, other)
    state.unknown = swapped(int(state.unknown), one, other)
    state.table = swapped(int(state.table), one, other)
    for seat in range(SEATS):
        state.played[seat] = swapped(int(state.played[seat]), one, other)
        state.taken[seat] = swapped(int(state.taken[seat]), one, other)
