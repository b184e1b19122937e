"""Snapszer as one seat tells it: whether and when the jack of trumps was exchanged automatically.

The jack is kept out of the other's hand while he would have to exchange it, and brought there
when he does.
"""

from __future__ import annotations

from overtrick.cards import Card, Cards, each
from overtrick.games.game import NOBODY, Choice, Seat, Telling
from overtrick.games.snapszer.rules import (
    CARDS,
    EXCHANGE,
    FACE_DOWN,
    FOLLOW,
    JACKS,
    KING_AND_QUEEN,
    MARRY,
    RANKS,
    SLOT,
    SLOT_BITS,
    TALON_SIZE,
    SnapszerState,
)
from overtrick.games.snapszer.variant import AUTO
from overtrick.games.telling import arrange_cards, swap_in_hands

__all__ = ["arrange", "foretold", "sights", "swap"]


def sights(view: SnapszerState) -> dict[str, str]:
    """`exchanged`: before which trick, counted from 0, its leader exchanged automatically."""
    if view.exchange != AUTO or view.exchanger == NOBODY:
        return {}
    return {"exchanged": str(int(view.exchange_trick))}


def foretold(state: SnapszerState, told: Telling) -> dict[str, list[Card]]:
    """The jack lies face down, unless the other one leads first and exchanges it then."""
    jack = int(state.trump) & JACKS & ~told.fixed
    leader = int(state.leaders) & 1
    exchanges = state.exchange == AUTO and told.words("exchanged") == ["0"]
    return {str(leader) if exchanges and leader != told.seat else "talon": [*each(jack)]}


def arrange(state: SnapszerState, told: Telling, choice: Choice) -> Choice:
    """What an announcement shows is held, and the jack is where the other's next lead tells."""
    seat = int(state.seat)
    choice = arrange_cards(state, told, choice)
    if state.phase == FOLLOW:
        _arrange_draw(state, told, choice)
    elif seat != told.seat:
        for card in each(_shown(state, choice)):
            told.hold(state, seat, card, keep=_shown(state, choice))
    return choice


def _arrange_draw(state: SnapszerState, told: Telling, choice: Choice) -> None:
    """Before a trick is complete: should the other take it, the jack must be where it is told."""
    other = 1 - told.seat
    if state.exchange != AUTO or _taker(state, choice) != other:
        return
    seen = told.fixed | 1 << choice | int(state.played[0]) | int(state.played[1])
    for jack in each(int(state.swap) & ~seen):
        if told.words("exchanged") == [str(int(state.tricks) + 1)]:
            told.hold(state, other, jack, keep=1 << choice)
        else:
            _put_down(state, told, jack)


def _shown(state: SnapszerState, choice: Choice) -> Cards:
    """The cards that an announcement shows its seat to hold."""
    if choice == EXCHANGE:
        return int(state.trump) & JACKS
    if MARRY <= choice < EXCHANGE:
        return KING_AND_QUEEN << RANKS * (choice - MARRY)
    return 0


def _taker(state: SnapszerState, choice: Choice) -> Seat:
    """Who takes the trick if this card follows."""
    card, lead, led, trump = 1 << choice, int(state.table), int(state.led), int(state.trump)
    mine, theirs = (one & led | (one & trump) << CARDS for one in (card, lead))
    return int(state.seat) if mine > theirs else 1 - int(state.seat)


def _put_down(state: SnapszerState, told: Telling, jack: Card) -> None:
    """Lay the jack under the cards that are drawn next, if any card there is not told."""
    for slot in range(TALON_SIZE - int(state.left) + 2, FACE_DOWN):
        card = int(state.talon) >> SLOT_BITS * slot & SLOT
        if card == jack:
            return
        if not told.fixed >> card & 1:
            swap(state, jack, card)
            return


def swap(state: SnapszerState, one: Card, other: Card) -> None:
    """Let two cards change places, in hands and talon."""
    swap_in_hands(state, one, other)
    places = {one: other, other: one}
    talon = 0
    for slot in range(TALON_SIZE):
        card = int(state.talon) >> SLOT_BITS * slot & SLOT
        talon |= places.get(card, card) << SLOT_BITS * slot
    state.talon = talon
