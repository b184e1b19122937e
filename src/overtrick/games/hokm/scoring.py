"""Hokm: what a deal is worth, and the match."""

from __future__ import annotations

from typing import Any

from overtrick.games.game import Row, Seat
from overtrick.games.hokm.rules import SEATS, HokmMatch, HokmState, team_of
from overtrick.games.hokm.variant import RANDOM, ROTATE
from overtrick.jit import below, rule

__all__ = [
    "following_hakem",
    "match_around",
    "match_winners",
    "new_match",
    "payoffs",
    "score",
    "value",
]


@rule
def value(state: HokmState) -> int:
    """One point; more for a kot, by or against the hakem's team."""
    if not state.kot:
        return 1
    return state.kot_points if state.winner == team_of(state.hakem) else state.hakem_kot_points


@rule
def payoffs(state: HokmState, out: Row) -> None:
    """The value to both winners, from both losers."""
    won = value(state)
    for seat in range(SEATS):
        out[seat] = won if team_of(seat) == state.winner else -won


@rule
def new_match(match: HokmMatch, stream: Any) -> None:
    """The first hakem is the option's seat, or drawn."""
    match.deals = 0
    for seat in range(SEATS):
        match.scores[seat] = 0
    match.hakem = below(stream, SEATS) if match.first_hakem == RANDOM else match.first_hakem


@rule
def match_around(state: HokmState, match: HokmMatch) -> None:
    """The hakem."""
    match.hakem = state.hakem


@rule
def score(match: HokmMatch, state: HokmState) -> None:
    """The winning team adds the value of the deal."""
    won = value(state)
    for seat in range(SEATS):
        if team_of(seat) == state.winner:
            match.scores[seat] += won
    match.hakem = following_hakem(state.hakem, state.winner, match.next_hakem)
    match.deals += 1


@rule
def following_hakem(hakem: Seat, winner: int, next_hakem: int) -> Seat:
    """A hakem whose team has won stays; otherwise, and with `rotate` always, the next seat."""
    stays = team_of(hakem) == winner and next_hakem != ROTATE
    return hakem if stays else hakem + 1 & 3


@rule
def match_winners(match: HokmMatch) -> int:
    """Both partners of the team that has reached the target."""
    winners = 0
    for seat in range(SEATS):
        if match.scores[seat] >= match.target:
            winners |= 1 << seat
    return winners
