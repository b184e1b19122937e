"""Snapszer at the table in the browser: what the page draws, and in which words."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import TypedDict

from overtrick.cards import Card, Cards, each
from overtrick.games.contract import NOBODY, OVER, Choice, Seat
from overtrick.games.showing import (
    NOT_NOW,
    Phrase,
    Showing,
    alternating,
    cards_made,
    named,
    somebody,
)
from overtrick.games.snapszer.rules import (
    CARDS,
    CLOSE,
    DECK,
    ENOUGH,
    EXCHANGE,
    FACE_DOWN,
    FOLLOW,
    LEAD,
    MARRY,
    POINTS_OF,
    QUEENS,
    SEATS,
    SLOT,
    SLOT_BITS,
    TALON_SIZE,
    SnapszerState,
)
from overtrick.games.snapszer.scoring import SAFE
from overtrick.games.snapszer.variant import AT_CLOSE

__all__ = ["SHOWING", "SnapszerFacts"]

SUIT_LETTERS = "hbla"


class Exchanged(TypedDict):
    """Who took up which card for the jack of trumps."""

    seat: int
    card: str


class SnapszerFacts(TypedDict):
    """What is drawn of Snapszer beyond hands and tricks."""

    trump: str
    upcard: str | None
    """Face up while the talon is open; known to both after closing too. None once drawn."""
    talon: int
    """Cards left, the upcard included."""
    is_open: bool
    closer: int | None
    points: list[int]
    taken: list[list[str]]
    """By seat, the cards of its tricks in the order played."""
    married: list[list[str]]
    """By seat, the suits of its marriages."""
    exchanged: Exchanged | None
    must_lead: list[str]
    """King and queen of a marriage that was just declared."""


def facts(view: SnapszerState) -> SnapszerFacts:
    """The talon, what was announced and what was taken; nothing of it is anybody's secret."""
    return {
        "trump": trump(view),
        "upcard": next(iter(named(DECK, view.upcard)), None),
        "talon": int(view.left),
        "is_open": bool(view.is_open),
        "closer": somebody(view.closer),
        "points": [int(points) for points in view.points],
        "taken": taken(view),
        "married": [
            [name[-1] for name in named(DECK, int(pairs) & QUEENS)] for pairs in view.declared
        ],
        "exchanged": exchanged(view),
        "must_lead": named(DECK, view.must_lead),
    }


def trump(view: SnapszerState) -> str:
    """The letter of the trump suit."""
    return named(DECK, view.trump)[0][-1]


def taken(view: SnapszerState) -> list[list[str]]:
    """By seat, the cards of its tricks: who takes a trick leads to the next."""
    cards = cards_made(view, (LEAD, FOLLOW), CARDS)
    piles: list[list[str]] = [[] for _ in range(SEATS)]
    for trick in range(int(view.tricks)):
        taker = int(view.leaders) >> trick + 1 & 1
        piles[taker] += named(DECK, cards[2 * trick : 2 * trick + 2])
    return piles


def exchanged(view: SnapszerState) -> Exchanged | None:
    """The exchange, if there was one: the first upcard was taken up."""
    if view.exchanger == NOBODY:
        return None
    first_upcard = int(view.talon) >> SLOT_BITS * FACE_DOWN & SLOT
    return {"seat": int(view.exchanger), "card": DECK.names[first_upcard]}


# ---------------------------------------------------------------------------- in words


def why_not(view: SnapszerState, choice: Choice) -> Phrase:
    """Why a card, or an announcement, is not legal for the viewer."""
    if view.phase == FOLLOW:
        return why_not_follow(view, choice)
    if view.must_lead:
        return Phrase("snapszer.why.marriage", {"cards": " ".join(named(DECK, view.must_lead))})
    if choice == CLOSE:
        return why_not_close(view)
    if choice == EXCHANGE:
        return Phrase("snapszer.why.no-exchange", {"least": int(view.exchange_min_talon)})
    if choice >= MARRY:
        return Phrase("snapszer.why.no-marriage", {"suit": SUIT_LETTERS[choice - MARRY]})
    return NOT_NOW


def why_not_follow(view: SnapszerState, card: Card) -> Phrase:
    """The duties once the talon is closed or empty: follow, beat, trump."""
    if view.is_open:
        return NOT_NOW
    led = int(view.led)
    if int(view.hands[view.viewer]) & led == 0:
        return Phrase("snapszer.why.trump", {"suit": trump(view)})
    if not led >> card & 1:
        return Phrase("snapszer.why.follow", {"suit": named(DECK, led)[0][-1]})
    return Phrase("snapszer.why.beat", {"card": named(DECK, view.table)[0]})


def why_not_close(view: SnapszerState) -> Phrase:
    """A talon is closed once, and while enough of it is left."""
    if view.closer != NOBODY:
        return Phrase("snapszer.why.closed")
    return Phrase("snapszer.why.talon-small", {"least": int(view.close_min_talon)})


def said(
    before: SnapszerState, after: SnapszerState, seat: Seat, choice: Choice
) -> Sequence[Phrase]:
    """Announcements in Hungarian; an automatic exchange too, and 66 points."""
    told = []
    if before.phase == LEAD and choice == CLOSE:
        told.append(Phrase("snapszer.said.close"))
    if before.phase == LEAD and MARRY <= choice < EXCHANGE:
        suit = SUIT_LETTERS[choice - MARRY]
        words = "snapszer.said.forty" if suit == trump(after) else "snapszer.said.twenty"
        told.append(Phrase(words, {"suit": suit}))
    if after.exchanger != before.exchanger:
        told.append(Phrase("snapszer.said.exchange", {"seat": int(after.exchanger)}))
    if after.phase == OVER:
        told += [
            Phrase("snapszer.said.sixty-six", {"seat": winner})
            for winner in range(SEATS)
            if after.points[winner] >= ENOUGH
        ]
    return told


# ---------------------------------------------------------------------------- the result


def result(view: SnapszerState) -> Sequence[Phrase]:
    """Who won and how, and why it was worth so many game points."""
    points = [int(points) for points in view.points]
    closer = somebody(view.closer)
    enough = [seat for seat in range(SEATS) if points[seat] >= ENOUGH]
    if enough:
        winner = enough[0]
        score = {"points": points[winner], "others": points[1 - winner]}
        told = Phrase("snapszer.result.sixty-six", {"seat": winner, **score})
    elif closer is not None:
        winner = 1 - closer
        told = Phrase("snapszer.result.close-failed", {"seat": closer, "points": points[closer]})
    else:
        winner = int(view.leader)
        told = Phrase("snapszer.result.last-trick", {"seat": winner})
    return [told, worth(view, winner)]


def worth(view: SnapszerState, winner: Seat) -> Phrase:
    """The game points of the winner, by what the loser had."""
    loser = 1 - winner
    if view.closer == loser:
        had = tricks_when_closed(view, winner)
        words = "closer-pays-two" if had else "closer-pays-three"
        return Phrase(f"snapszer.result.{words}", {"seat": winner})
    at_close = view.closer == winner and view.close_success_basis == AT_CLOSE
    tricks = tricks_when_closed(view, loser) if at_close else len(taken(view)[loser]) // SEATS
    points = int(view.closed_points if at_close else view.points[loser])
    words = "no-trick" if tricks == 0 else "under-33" if points < SAFE else "33-or-more"
    return Phrase(f"snapszer.result.{words}{'-at-close' if at_close else ''}", {"seat": winner})


def tricks_when_closed(view: SnapszerState, seat: Seat) -> int:
    """The tricks that a seat had taken when the talon was closed."""
    tricks = TALON_SIZE - int(view.left) >> 1
    return sum(int(view.leaders) >> trick + 1 & 1 == seat for trick in range(tricks))


# ---------------------------------------------------------------------------- cards


def order(view: SnapszerState, cards: Cards) -> list[Card]:
    """Trump first, then suit by suit: ace, ten, king, queen, jack.

    Suits keep their places through the whole deal, since hands are filled up again.
    """
    suits = alternating("hlba", "hb", trump(view))
    return sorted(each(int(cards)), key=lambda card: (suits.index(DECK.names[card][-1]), -card))


def trick_points(view: SnapszerState, cards: Sequence[Card]) -> int:
    """What the two cards are worth; marriages are counted when they are declared."""
    return int(sum(POINTS_OF[card] for card in cards))


SHOWING = Showing(
    stake=1.5,
    facts=facts,
    facts_type=SnapszerFacts,
    why_not=why_not,
    said=said,
    order=order,
    trick_points=trick_points,
    result=result,
)
