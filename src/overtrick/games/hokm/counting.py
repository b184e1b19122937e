"""Hokm: what a careful player at the table counts, for the rule-based players.

A card is *out* if it is neither played nor in the own hand, so one of the others holds it. A card
has so many *above* it: the higher cards of its suit that are out; a *master* has none. Cards of
one suit are *equal* if no card of another seat lies between them. *Behind* sits the opponent who
plays next, *before* the one who plays last.
"""

from __future__ import annotations

from overtrick.cards import Card, Cards
from overtrick.games.game import Seat
from overtrick.games.hokm.rules import ABOVE_ALL_CARDS, ALL_CARDS, SEATS, HokmState, team_of
from overtrick.jit import highest, lowest, popcount, rule

__all__ = [
    "CANNOT_RUFF",
    "MAY_RUFF",
    "VOID",
    "before",
    "behind",
    "cards_out",
    "count_above",
    "count_threats",
    "is_last",
    "is_partners",
    "is_ruffed",
    "partner_of",
    "ruffing",
    "top_card",
    "winning_cards",
]

CANNOT_RUFF, MAY_RUFF, VOID = range(3)


@rule
def behind(seat: Seat) -> Seat:
    """The opponent who plays next."""
    return seat + 1 & 3


@rule
def partner_of(seat: Seat) -> Seat:
    return seat + 2 & 3


@rule
def before(seat: Seat) -> Seat:
    """The opponent who plays last after a lead."""
    return seat + 3 & 3


@rule
def cards_out(state: HokmState) -> Cards:
    """The cards that the other seats hold between them."""
    seen = state.hands[state.seat]
    for seat in range(SEATS):
        seen |= state.played[seat]
    return ALL_CARDS & ~seen


@rule
def count_above(others: Cards, card: Card) -> int:
    """How many of these cards, all of the card's suit, are higher than it."""
    return popcount(others >> card)


@rule
def top_card(mine: Cards, others: Cards) -> Card:
    """The lowest of the cards of a suit that are equal to the highest."""
    between = others & (1 << highest(mine)) - 1
    if between == 0:
        return lowest(mine)
    return lowest(mine >> highest(between) << highest(between))


@rule
def ruffing(state: HokmState, seat: Seat, suit: Cards, trumps_out: int) -> int:
    """Whether a seat is proven unable to ruff a suit, may do so, or has shown itself void."""
    if trumps_out == 0 or state.cannot[seat] & state.trumps:
        return CANNOT_RUFF
    return VOID if state.cannot[seat] & suit else MAY_RUFF


# ---------------------------------------------------------------------------- the trick so far


@rule
def is_last(state: HokmState) -> bool:
    """Whether the seat to act ends the trick."""
    return behind(state.seat) == state.leader


@rule
def is_partners(state: HokmState) -> bool:
    """Whether the partner is taking the trick."""
    return team_of(state.taker) == team_of(state.seat)


@rule
def is_ruffed(state: HokmState) -> bool:
    """Whether a trump is taking a trick to which another suit was led."""
    return state.best & ABOVE_ALL_CARDS != 0 and state.led != state.trumps


@rule
def beating(state: HokmState) -> Cards:
    """All higher bits than the card that is taking the trick."""
    return -((state.best & ~ABOVE_ALL_CARDS) << 1)


@rule
def winning_cards(state: HokmState, cards: Cards) -> Cards:
    """Those of the legal cards that would take the trick as it lies."""
    if cards & state.led:
        return 0 if is_ruffed(state) else cards & beating(state)
    trumps = cards & state.trumps
    return trumps & beating(state) if is_ruffed(state) else trumps


@rule
def count_threats(state: HokmState, out: Cards) -> int:
    """How many cards that are out could still beat the card that is taking the trick.

    None if the opponent behind has played. If he is void in the led suit he may only ruff, which
    is not counted here.
    """
    next_seat = behind(state.seat)
    if is_last(state):
        return 0
    if is_ruffed(state):
        return popcount(out & beating(state) & state.trumps)
    if state.cannot[next_seat] & state.led:
        return 0
    return popcount(out & beating(state) & state.led)
