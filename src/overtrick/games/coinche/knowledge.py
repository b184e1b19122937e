"""Coinche: what a seat knows, and the deals that it cannot rule out.

A seat sees its own cards and everything that is called and played. What plays prove is a set of
cards that a seat does not hold (`cannot`), and after "belote" one that it does (`known`). Each
proof says all that the play or the silence told: a play was legal just if the hand lacked such
cards. So the unseen cards fall into the three other hands with nothing but sizes and such sets to
respect, and since no choice is hidden, every arrangement comes from equally many shuffles.
"""

from __future__ import annotations

from typing import Any

from overtrick.games.coinche.rules import ALL_CARDS, HAND_SIZE, SEATS, CoincheState
from overtrick.games.game import NOBODY, Places, Row, Seat
from overtrick.jit import lowest, popcount, rule

__all__ = ["dealt", "hide", "places", "settle"]


@rule
def hide(state: CoincheState, seat: Seat) -> None:
    """Erase the others' hands but for a king or queen that "belote" gave away."""
    state.viewer = seat
    for other in range(SEATS):
        if other != seat:
            state.hands[other] = state.known[other]


@rule
def places(view: CoincheState, where: Places) -> None:
    """One place for each of the other hands, in the order of their seats."""
    me = view.viewer
    seen = 0
    for seat in range(SEATS):
        seen |= view.hands[seat] | view.played[seat]
    unseen = ALL_CARDS & ~seen
    where.cases = 1
    where.count = SEATS - 1
    where.weight[0] = 1
    for place in range(SEATS - 1):
        seat = me + 1 + place & 3
        where.room[0, place] = HAND_SIZE - popcount(view.played[seat] | view.hands[seat])
        where.allowed[0, place] = unseen & ~view.cannot[seat]


@rule
def settle(view: CoincheState, found: Row, stream: Row) -> None:
    """Nothing but the hands is hidden, and all that is known is known to everybody."""
    for place in range(SEATS - 1):
        view.hands[view.viewer + 1 + place & 3] |= found[place]
    view.viewer = NOBODY


@rule
def dealt(state: CoincheState, order: Any) -> None:
    """Each hand as it was dealt, lowest card first."""
    for offset in range(SEATS):
        seat = state.dealer + 1 + offset & 3
        hand = state.hands[seat] | state.played[seat]
        place = HAND_SIZE * offset
        while hand:
            order[place] = lowest(hand)
            hand &= hand - 1
            place += 1
