"""Hearts at the table in the browser: what the page draws, and in which words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from overtrick.cards import FRENCH_52, Card, Cards
from overtrick.games.contract import NOBODY, OVER, Choice, Seat
from overtrick.games.hearts.rules import (
    ALL_HEARTS,
    PASS,
    PLAY,
    POINT_CARDS,
    POINTS_IN_A_DEAL,
    QUEEN,
    SEATS,
    HeartsState,
)
from overtrick.games.showing import NOT_NOW, Phrase, Showing, named, suits_in_order

__all__ = ["SHOWING", "HeartsFacts"]

Direction = Literal["hold", "left", "across", "right"]
DIRECTIONS: tuple[Direction, ...] = ("hold", "left", "across", "right")
QUEEN_POINTS = 13


class HeartsMine(TypedDict):
    """What the viewer alone knows."""

    passed: list[str]
    received: list[str]


class HeartsFacts(TypedDict):
    """What is drawn of Hearts beyond hands and tricks."""

    dealer: int
    direction: Direction
    """Where cards are passed."""
    broken: bool
    points: list[int]
    """That each seat has taken."""
    mine: NotRequired[HeartsMine]


def facts(view: HeartsState) -> HeartsFacts:
    """The pass, whether hearts are broken, and the points so far."""
    told: HeartsFacts = {
        "dealer": int(view.dealer),
        "direction": DIRECTIONS[int(view.direction)],
        "broken": bool(view.broken),
        "points": [int(points) for points in view.points],
    }
    if view.viewer != NOBODY:
        told["mine"] = passes(view)
    return told


def passes(view: HeartsState) -> HeartsMine:
    """The cards that the viewer has passed and, after the exchange, those that it was passed."""
    me, direction = int(view.viewer), int(view.direction)
    exchanged = direction and view.phase != PASS
    received = int(view.passed[(me - direction) % SEATS]) if exchanged else 0
    return {"passed": named(FRENCH_52, view.passed[me]), "received": named(FRENCH_52, received)}


# ---------------------------------------------------------------------------- in words


def why_not(view: HeartsState, choice: Choice) -> Phrase:
    """The two of clubs first, no heart before they are broken, follow, no points at first."""
    if view.phase != PLAY:
        return NOT_NOW
    hand, led, card = int(view.hands[view.viewer]), int(view.led), 1 << choice
    if led == 0:
        if view.tricks == 0:
            return Phrase("hearts.why.first-lead", {"card": "2C"})
        return Phrase("hearts.why.not-broken") if card & ALL_HEARTS else NOT_NOW
    if hand & led:
        return Phrase("hearts.why.follow", {"suit": named(FRENCH_52, led)[0][-1]})
    return Phrase("hearts.why.no-points-first") if card & POINT_CARDS else NOT_NOW


def said(before: HeartsState, after: HeartsState, seat: Seat, choice: Choice) -> Sequence[Phrase]:
    """The queen of spades, the first heart, and at the end the moon."""
    told = []
    if before.phase == PLAY and choice == QUEEN:
        told.append(Phrase("hearts.said.queen", {"card": "QS"}))
    elif after.broken and not before.broken:
        told.append(Phrase("hearts.said.broken"))
    if after.phase == OVER:
        told += [Phrase("hearts.said.moon", {"seat": moon}) for moon in shooters(after)]
    return told


def shooters(view: HeartsState) -> list[Seat]:
    """Who has taken all points, if anybody has."""
    return [seat for seat in range(SEATS) if view.points[seat] == POINTS_IN_A_DEAL]


def result(view: HeartsState) -> Sequence[Phrase]:
    """Who has shot the moon, or what each seat has taken."""
    moons = shooters(view)
    if moons:
        return [Phrase("hearts.result.moon", {"seat": moons[0]})]
    points = [int(taken) for taken in view.points]
    return [
        Phrase("hearts.result.points", {"seat": seat, "points": points[seat]})
        for seat in range(SEATS)
    ]


def order(view: HeartsState, cards: Cards) -> list[Card]:
    """Suit by suit, each from the ace down."""
    return suits_in_order(FRENCH_52, view, cards, "CDSH", red="HD")


def trick_points(view: HeartsState, cards: Sequence[Card]) -> int:
    """One for each heart, thirteen for the queen of spades."""
    hearts = sum(FRENCH_52.names[card][-1] == "H" for card in cards)
    return hearts + QUEEN_POINTS * (QUEEN in cards)


SHOWING = Showing(
    stake=8.0,
    facts=facts,
    facts_type=HeartsFacts,
    why_not=why_not,
    said=said,
    order=order,
    trick_points=trick_points,
    result=result,
)
