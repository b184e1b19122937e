"""Hokm at the table in the browser: what the page draws, and in which words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired

from typing_extensions import TypedDict

from overtrick.cards import FRENCH_52, Card, Cards
from overtrick.games.contract import NOBODY, Choice, Seat
from overtrick.games.hokm.rules import PLAY, SUITS, TRICKS_TO_WIN, TRUMP, HokmState
from overtrick.games.showing import NOT_NOW, Phrase, Showing, named, suits_in_order

__all__ = ["SHOWING", "HokmFacts"]

SUIT_WORDS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


class HokmMine(TypedDict):
    """What the viewer alone knows."""

    first_cards: list[str]
    """The cards on which the hakem chooses trump; the others have none."""


class HokmFacts(TypedDict):
    """What is drawn of Hokm beyond hands and tricks."""

    hakem: int
    trump: str | None
    tricks: list[int]
    """Of each team: seats 0 and 2, seats 1 and 3."""
    winner: int | None
    """The team that was first to have seven tricks."""
    kot: bool
    mine: NotRequired[HokmMine]


def facts(view: HokmState) -> HokmFacts:
    """The hakem, trump and the tricks of both teams."""
    told: HokmFacts = {
        "hakem": int(view.hakem),
        "trump": trump(view),
        "tricks": [int(tricks) for tricks in view.tricks],
        "winner": None if view.winner == NOBODY else int(view.winner),
        "kot": bool(view.kot),
    }
    if view.viewer != NOBODY:
        is_hakem = view.viewer == view.hakem
        told["mine"] = {"first_cards": named(FRENCH_52, view.first_cards) if is_hakem else []}
    return told


def trump(view: HokmState) -> str | None:
    """The letter of the trump suit, None before it is chosen."""
    trumps = named(FRENCH_52, view.trumps)
    return trumps[0][-1] if trumps else None


# ---------------------------------------------------------------------------- in words


def why_not(view: HokmState, choice: Choice) -> Phrase:
    """There is one reason: a hand that can follow suit must."""
    if view.phase == PLAY and int(view.hands[view.viewer]) & int(view.led):
        return Phrase("hokm.why.follow", {"suit": named(FRENCH_52, view.led)[0][-1]})
    return NOT_NOW


def said(before: HokmState, after: HokmState, seat: Seat, choice: Choice) -> Sequence[Phrase]:
    """Trump as the hakem names it, in Persian; and who has just made a kot says so."""
    if before.phase == TRUMP:
        suit = SUITS[choice]
        return [Phrase(f"hokm.said.trump-{SUIT_WORDS[suit]}", {"suit": suit})]
    if after.kot and not before.kot:
        return [Phrase("hokm.said.kot", {"seat": int(after.leader)})]
    return ()


def result(view: HokmState) -> Sequence[Phrase]:
    """Who won by how many tricks; what a kot was worth.

    A team is told by one of its seats: the hakem, or the seat after him.
    """
    winner = int(view.winner)
    by_hakem = view.hakem & 1 == winner
    seat = int(view.hakem if by_hakem else view.hakem + 1 & 3)
    if view.kot:
        points = int(view.kot_points if by_hakem else view.hakem_kot_points)
        return [Phrase("hokm.result.kot", {"seat": seat, "points": points})]
    tricks = {"tricks": int(view.tricks[winner]), "others": int(view.tricks[1 - winner])}
    words = "hokm.result.won" if tricks["tricks"] == TRICKS_TO_WIN else "hokm.result.won-more"
    return [Phrase(words, {"seat": seat, **tricks})]


def order(view: HokmState, cards: Cards) -> list[Card]:
    """Trump first, then suit by suit, each from the ace down."""
    return suits_in_order(FRENCH_52, view, cards, "SHCD", red="HD", first=trump(view))


SHOWING = Showing(
    stake=1.0,
    facts=facts,
    facts_type=HokmFacts,
    why_not=why_not,
    said=said,
    order=order,
    result=result,
)
