"""Sheephead: where the cards that a seat has not seen may lie.

To a seat other than the picker's they lie in the three other hands, in the picker's hand, among
the buried cards, and one may be the unknown card. What the call proves is split into cases that
exclude each other (H: the six cards kept, played or not; s: the called suit; "owned": kept or
buried):

    alone, or no call yet       no constraint
    R1 (an ace) and R3 (a ten)  the card is neither the picker's nor buried; for a ten all three
                                aces are owned; H had a card of s. As long as he must still have
                                it, one case for each number (1, 2, …) of cards of s in his hand
    R2 (an unknown card)        H has no card of s and the ace of s is not owned. For each of the
                                two other fail suits: its ace is owned, or it is not and H has
                                none of the suit. One case for each way, with a fail card as the
                                unknown one; and one with a trump, when H is all trumps
    his own card                a case of its own with `allow_self_call`: the card is in H

Behind every arrangement stand as many pairs (shuffle, hidden choices): any two of the picker's
eight cards may have been the blind (28 ways), and he may have buried in either order (2 ways).
"""

from __future__ import annotations

from math import comb

import numpy as np

from overtrick.cards import Cards
from overtrick.games.game import NOBODY, Places, Seat
from overtrick.games.sheephead.rules import (
    ALL_CARDS,
    BLIND_SIZE,
    FAIL,
    FAIL_ACES,
    FAIL_SUITS,
    FAIL_TENS,
    HAND_SIZE,
    ONE_SUIT,
    SEATS,
    SUIT_SIZE,
    SUITS,
    TRUMPS,
    UNKNOWN,
    SheepheadState,
    next_seat,
    seats_from,
)
from overtrick.games.sheephead.variant import FREE
from overtrick.jit import lowest, popcount, rule

__all__ = ["places"]

# The places, in the order in which the sampler has the fewest states to count. APART is the
# unknown card, or the picker's cards of the called suit where these are counted; HOLDERS is the
# first of five places for cards of which only voids tell.
APART, BURIED, HOLDERS, PICKER, PLACES = 0, 1, 2, SEATS + 2, SEATS + 3

WAYS_TO_CHOOSE = np.array([[comb(n, k) for k in range(HAND_SIZE + 1)] for n in range(len(SUITS))])


@rule
def places(view: SheepheadState, where: Places) -> None:
    where.cases = 0
    where.count = PLACES
    unseen = unseen_cards(view)
    if view.called == 0 or view.picker == view.viewer:
        add_case(view, where, unseen)
    elif has_unknown(view) or view.phase == UNKNOWN:
        add_unknown_cases(view, where, unseen)
    else:
        if may_be_called(view, unseen):
            add_called_cases(view, where, unseen)
        if may_be_own(view, unseen):
            add_own_case(view, where, unseen)


@rule
def unseen_cards(view: SheepheadState) -> Cards:
    seen = view.buried
    for seat in range(SEATS):
        seen |= view.hands[seat] | view.played[seat]
    return ALL_CARDS & ~seen


@rule
def add_case(view: SheepheadState, where: Places, unseen: Cards) -> int:
    """Append a case with no more than room and voids to respect; its number."""
    case = where.cases
    where.cases += 1
    where.weight[case] = 1
    for place in range(PLACES):
        where.room[case, place] = 0
        where.allowed[case, place] = 0
    for holder in range(holders(view)):
        place, room = place_of(view, holder, unseen), room_of(view, holder)
        where.room[case, place] += room
        where.allowed[case, place] = unseen & ~closed_to(view, holder)
        where.weight[case] *= WAYS_TO_CHOOSE[where.room[case, place], room]
    if view.picker != NOBODY and view.picker != view.viewer:
        add_picker(view, where, case, unseen)
    return case


@rule
def add_picker(view: SheepheadState, where: Places, case: int, unseen: Cards) -> None:
    """The picker's hand, the buried cards and the unknown card."""
    picker = view.picker
    buried = cards_buried(view)
    kept = HAND_SIZE + BLIND_SIZE - buried - popcount(view.played[picker])
    where.room[case, PICKER] = kept
    where.allowed[case, PICKER] = unseen & ~view.cannot[picker] & ~view.beside
    where.room[case, BURIED] = buried
    where.allowed[case, BURIED] = unseen
    if hides_unknown(view):
        where.room[case, PICKER] -= 1
        where.room[case, APART] = 1
        where.allowed[case, APART] = unseen


@rule
def holders(view: SheepheadState) -> int:
    """How many others hold cards that nothing but voids tells of: hands, and an untaken blind."""
    if view.picker == NOBODY:
        return SEATS
    return SEATS - 1 if view.picker == view.viewer else SEATS - 2


@rule
def seat_of_holder(view: SheepheadState, holder: int) -> Seat:
    """The seats after the viewer in turn, the picker left out; NOBODY for the blind."""
    if holder == SEATS - 1:
        return NOBODY
    on = holder + 1
    if view.picker != NOBODY and on >= seats_from(view.viewer, view.picker) > 0:
        on += 1
    seat = view.viewer + on
    return seat if seat < SEATS else seat - SEATS


@rule
def room_of(view: SheepheadState, holder: int) -> int:
    seat = seat_of_holder(view, holder)
    return BLIND_SIZE if seat == NOBODY else HAND_SIZE - popcount(view.played[seat])


@rule
def closed_to(view: SheepheadState, holder: int) -> Cards:
    """The cards that a holder is proven not to have."""
    seat = seat_of_holder(view, holder)
    return 0 if seat == NOBODY else view.cannot[seat]


@rule
def place_of(view: SheepheadState, holder: int, unseen: Cards) -> int:
    """The number of the first holder that may have the same cards: they share a place.

    The cards in it are split afterwards, in as many ways whatever they are: that is the weight.
    This keeps the states that the sampler has to count few.
    """
    closed = closed_to(view, holder) & unseen
    for first in range(holder):
        if closed_to(view, first) & unseen == closed:
            return HOLDERS + first
    return HOLDERS + holder


@rule
def hides_unknown(view: SheepheadState) -> bool:
    """Whether an unknown card has been laid of which the viewer does not know the face."""
    return has_unknown(view) and view.unknown == 0


@rule
def forbid(where: Places, case: int, first: int, last: int, cards: Cards) -> None:
    """Keep cards out of the places from `first` to `last`."""
    for place in range(first, last + 1):
        where.allowed[case, place] &= ~cards


# ---------------------------------------------------------------------------- R1, R3, own card


@rule
def may_be_called(view: SheepheadState, unseen: Cards) -> bool:
    """Whether the called card may be another's: for a ten, all three aces the picker's."""
    mine = view.played[view.picker]
    others_aces = FAIL_ACES & ~(mine | unseen)
    return mine & view.called == 0 and (view.called & FAIL_TENS == 0 or others_aces == 0)


@rule
def add_called_cases(view: SheepheadState, where: Places, unseen: Cards) -> None:
    """The called card is with one of the others; the picker may still have to keep its suit."""
    if not must_have_suit(view):
        add_called_case(view, where, unseen)
        return
    suit = SUITS[lowest(view.called)]
    for held in range(1, SUIT_SIZE):
        case = add_called_case(view, where, unseen)
        may_hold = where.allowed[case, PICKER]
        where.room[case, PICKER] -= held
        where.allowed[case, PICKER] = may_hold & ~suit if where.room[case, PICKER] else 0
        where.room[case, APART] = held
        where.allowed[case, APART] = may_hold & suit
        if where.room[case, PICKER] < 0 or popcount(may_hold & suit) < held:
            where.cases -= 1
            break


@rule
def add_called_case(view: SheepheadState, where: Places, unseen: Cards) -> int:
    case = add_case(view, where, unseen)
    forbid(where, case, BURIED, BURIED, view.called)
    forbid(where, case, PICKER, PICKER, view.called)
    if view.called & FAIL_TENS:
        forbid(where, case, HOLDERS, PICKER - 1, FAIL_ACES)
    return case


@rule
def must_have_suit(view: SheepheadState) -> bool:
    """Whether the picker, unless he called his own card, has one of the called suit in hand."""
    mine = view.played[view.picker]
    if view.called_obligations == FREE:
        return mine & SUITS[lowest(view.called)] == 0
    has_answered = view.led == view.pending and mine & view.table != 0
    has_cards = popcount(mine) < HAND_SIZE
    return view.pending != 0 and has_cards and not has_answered


@rule
def may_be_own(view: SheepheadState, unseen: Cards) -> bool:
    """Whether the picker may have called a card of his own."""
    mine = view.played[view.picker] | unseen & ~view.cannot[view.picker]
    return view.allow_self_call != 0 and mine & view.called != 0


@rule
def add_own_case(view: SheepheadState, where: Places, unseen: Cards) -> None:
    case = add_case(view, where, unseen)
    forbid(where, case, HOLDERS, PICKER - 1, view.called)
    forbid(where, case, BURIED, BURIED, view.called)


# ---------------------------------------------------------------------------- R2


@rule
def add_unknown_cases(view: SheepheadState, where: Places, unseen: Cards) -> None:
    """A fail card as the unknown one, by whose aces are owned; or a trump out of nothing else."""
    mine = view.played[view.picker]
    hidden = hides_unknown(view)
    is_trump = view.unknown & TRUMPS != 0
    if (hidden or is_trump) and mine & FAIL == 0:
        add_all_trumps_case(view, where, unseen)
    if is_trump:
        return
    called_suit = SUITS[lowest(view.called)]
    for owned in range(1 << FAIL_SUITS):
        fits = True
        for suit in range(FAIL_SUITS):
            cards = ONE_SUIT << SUIT_SIZE * suit
            ace = cards & FAIL_ACES
            if owned >> suit & 1:
                fits = fits and cards != called_suit and ace & (unseen | mine) != 0
            else:
                fits = fits and mine & cards == 0
        if fits and (owned or not hidden):
            add_owned_case(view, where, unseen, owned)


@rule
def add_all_trumps_case(view: SheepheadState, where: Places, unseen: Cards) -> None:
    case = add_case(view, where, unseen)
    where.allowed[case, PICKER] &= TRUMPS
    where.allowed[case, APART] &= TRUMPS
    forbid(where, case, BURIED, BURIED, view.called)


@rule
def add_owned_case(view: SheepheadState, where: Places, unseen: Cards, owned: int) -> None:
    """Of these fail suits the picker has the ace, in his hand or buried; of the others nothing."""
    case = add_case(view, where, unseen)
    where.allowed[case, APART] &= FAIL
    for suit in range(FAIL_SUITS):
        cards = ONE_SUIT << SUIT_SIZE * suit
        if owned >> suit & 1:
            forbid(where, case, HOLDERS, PICKER - 1, cards & FAIL_ACES)
        else:
            forbid(where, case, BURIED, BURIED, cards & FAIL_ACES)
            forbid(where, case, PICKER, PICKER, cards)
            forbid(where, case, APART, APART, cards)


# ---------------------------------------------------------------------------- the picker's turns


@rule
def has_unknown(state: SheepheadState) -> bool:
    """Whether an unknown card has been laid in this hand."""
    return state.lies != 0 or state.turned != 0


@rule
def first_bury(state: SheepheadState) -> int:
    """The turn in which the picker buries his first card."""
    return seats_from(next_seat(state.dealer), state.picker) + 1


@rule
def turn_of_unknown(state: SheepheadState) -> int:
    """The turn in which the picker lays his unknown card."""
    return first_bury(state) + BLIND_SIZE + 1


@rule
def cards_buried(state: SheepheadState) -> int:
    return min(state.turn - first_bury(state), BLIND_SIZE)
