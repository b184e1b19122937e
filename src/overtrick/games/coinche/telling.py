"""Coinche as one seat tells it: whether belote was announced."""

from __future__ import annotations

from overtrick.cards import each
from overtrick.errors import NoWorldFound
from overtrick.games.coinche.rules import PLAY, SEATS, CoincheState
from overtrick.games.game import NOBODY, Choice, Seat, Telling
from overtrick.games.telling import arrange_cards

__all__ = ["arrange", "sights"]


def sights(view: CoincheState) -> dict[str, str]:
    """`belote`: who has announced it."""
    return {} if view.announcer == NOBODY else {"belote": str(int(view.announcer))}


def arrange(state: CoincheState, told: Telling, choice: Choice) -> Choice:
    """With the first of king and queen of trump, the other is where the announcement tells."""
    choice = arrange_cards(state, told, choice)
    royals = int(state.royals)
    if state.seat == told.seat or state.phase != PLAY:
        return choice
    if royals >> choice & 1 and state.announcer == NOBODY:
        (other,) = each(royals ^ 1 << choice)
        if told.words("belote") == [str(int(state.seat))]:
            told.hold(state, int(state.seat), other, keep=royals)
        elif int(state.hands[state.seat]) >> other & 1:
            _give_away(state, told, int(state.seat), other)
    return choice


def _give_away(state: CoincheState, told: Telling, seat: Seat, card: int) -> None:
    """Let another seat than this one hold a card."""
    for holder in range(SEATS):
        spare = told.spare(state, holder)
        if holder not in (seat, told.seat) and spare:
            told.swap(state, card, next(each(spare)))
            return
    raise NoWorldFound("belote would have been announced")
