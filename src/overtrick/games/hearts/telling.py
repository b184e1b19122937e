"""Hearts as one seat tells it: who had the two of clubs, and what that seat was passed."""

from __future__ import annotations

from overtrick.cards import FRENCH_52, Card, Cards, each
from overtrick.games.game import HIDDEN, Choice, Seat, Telling
from overtrick.games.hearts.rules import PASS, PASSES, SEATS, TWO_OF_CLUBS, HeartsState
from overtrick.games.hearts.variant import HOLD
from overtrick.games.telling import arrange_cards

__all__ = ["arrange", "foretold", "sights"]


def sights(view: HeartsState) -> dict[str, str]:
    """`leads`: who led, or is to lead, the two of clubs; `received`: the cards passed on."""
    if view.phase == PASS:
        return {}
    first = 0 if view.direction == HOLD else PASSES
    leads = int(view.history[first]) >> 6 & 7 if view.turn > first else int(view.seat)
    if view.direction == HOLD:
        return {"leads": str(leads)}
    received = FRENCH_52.texts(int(view.passed[_giver(view, int(view.viewer))]))
    return {"leads": str(leads), "received": received}


def foretold(state: HeartsState, told: Telling) -> dict[str, list[Card]]:
    """The cards that were received belong to who passes them; the leader has the two of clubs."""
    received = _received(told) & ~told.fixed
    two = TWO_OF_CLUBS & ~(received | told.fixed)
    told.fixed |= received
    cards = {str(_giver(state, told.seat)): [*each(received)]}
    for seat in told.words("leads"):
        cards.setdefault(seat, []).extend(each(two))
        told.fixed |= two
    return cards


def arrange(state: HeartsState, told: Telling, choice: Choice) -> Choice:
    """Who passes to the teller passes what was received."""
    giver = int(state.seat)
    if choice == HIDDEN and state.phase == PASS and giver == _giver(state, told.seat):
        for card in each(_received(told) & int(state.hands[giver])):
            return card
    return arrange_cards(state, told, choice)


def _received(told: Telling) -> Cards:
    return FRENCH_52.set(told.words("received"))


def _giver(state: HeartsState, seat: Seat) -> Seat:
    """Who passes to a seat."""
    return (seat - int(state.direction)) % SEATS
