"""Coinche at the table in the browser: what the page draws, and in which words."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import TypedDict

from overtrick.cards import Card, Cards
from overtrick.games.coinche.rules import (
    BID,
    COINCHE,
    DECK,
    HAND_SIZE,
    LAST_CAPOT,
    LAST_TRICK_POINTS,
    PASS,
    POINTS,
    SUITS,
    SURCOINCHE,
    TRUMP_ORDER,
    CoincheState,
)
from overtrick.games.coinche.scoring import BELOTE_POINTS
from overtrick.games.contract import NOBODY, OVER, Choice, Seat
from overtrick.games.showing import (
    NOT_NOW,
    Phrase,
    Showing,
    named,
    on_the_table,
    somebody,
    suits_in_order,
)

__all__ = ["SHOWING", "CoincheFacts"]

SUIT_LETTERS = "SHDC"
SUIT_WORDS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
CAPOT = 250
CALLS = {PASS: "pass", COINCHE: "coinche", SURCOINCHE: "surcoinche"}


class CoincheFacts(TypedDict):
    """What is drawn of Coinche beyond hands and tricks."""

    dealer: int
    bid: str | None
    """The highest bid in notation, `80S`; capot is `250S`."""
    value: int | None
    suit: str | None
    bidder: int | None
    doubled: int
    """1 after a coinche, 2 after a surcoinche."""
    trump: str | None
    """None before the play."""
    points: list[int]
    """Taken in tricks by each team: seats 0 and 2, seats 1 and 3."""
    tricks: list[int]
    belote: int | None
    """Who has announced it."""


def facts(view: CoincheState) -> CoincheFacts:
    """The contract, trump, and what both teams have taken; nothing of it is anybody's secret."""
    bid = int(view.bid)
    return {
        "dealer": int(view.dealer),
        "bid": f"{value_of(bid)}{suit_of(bid)}" if bid else None,
        "value": value_of(bid) if bid else None,
        "suit": suit_of(bid) if bid else None,
        "bidder": somebody(view.bidder),
        "doubled": int(view.doubled),
        "trump": trump(view),
        "points": [int(points) for points in view.points],
        "tricks": [int(tricks) for tricks in view.tricks],
        "belote": somebody(view.announcer),
    }


def value_of(bid: Choice) -> int:
    """80 to 160, or 250 for capot."""
    return CAPOT if bid > LAST_CAPOT - SUITS else 80 + 10 * (bid - 1 >> 2)


def suit_of(bid: Choice) -> str:
    """The letter of a bid's suit."""
    return SUIT_LETTERS[bid - 1 & 3]


def trump(view: CoincheState) -> str | None:
    """The letter of the trump suit, None before the play."""
    trumps = named(DECK, view.trump)
    return trumps[0][-1] if trumps else None


# ---------------------------------------------------------------------------- in words


def why_not(view: CoincheState, choice: Choice) -> Phrase:
    """Why a call, or a card, is not legal for the viewer."""
    return why_no_call(view, choice) if view.phase == BID else why_no_card(view, choice)


def why_no_call(view: CoincheState, call: Choice) -> Phrase:
    """Bids rise, until one is coinched; only their bid is coinched, only one's own again."""
    bid, doubled = int(view.bid), int(view.doubled)
    ours = bid and (view.viewer ^ view.bidder) & 1 == 0
    if call == SURCOINCHE:
        return Phrase("coinche.why.not-our-bid" if doubled else "coinche.why.not-coinched")
    if doubled:
        return Phrase("coinche.why.frozen")
    if call == COINCHE:
        return Phrase("coinche.why.our-bid" if ours else "coinche.why.no-bid")
    if bid and value_of(bid) == CAPOT:
        return Phrase("coinche.why.capot-is-highest")
    return Phrase("coinche.why.bid-higher", {"value": value_of(bid)}) if bid else NOT_NOW


def why_no_card(view: CoincheState, card: Card) -> Phrase:
    """Follow suit; or else trump an opponent, and above a trump that is taking the trick."""
    hand, led, trumps = int(view.hands[view.viewer]), int(view.led), int(view.trump)
    higher = hand & int(view.beaters) & trumps
    taking = next((played for seat, played in on_the_table(view) if seat == view.taker), None)
    if taking is None:
        return NOT_NOW
    best = {"card": DECK.names[taking]}
    if hand & led:
        if not led >> card & 1:
            return Phrase("coinche.why.follow", {"suit": named(DECK, led)[0][-1]})
        return Phrase("coinche.why.higher-trump", best)
    if (view.viewer ^ view.taker) & 1 == 0:
        return Phrase("coinche.why.partner-underruff", best)
    if not trumps >> taking & 1:
        return Phrase("coinche.why.trump", {"suit": trump(view) or ""})
    return Phrase("coinche.why.overtrump" if higher else "coinche.why.undertrump", best)


def said(before: CoincheState, after: CoincheState, seat: Seat, choice: Choice) -> Sequence[Phrase]:
    """Calls, belote and rebelote, in French."""
    if before.phase == BID:
        return [called(choice)]
    if after.announcer == seat and int(before.royals) >> choice & 1:
        is_first = before.announcer == NOBODY
        return [Phrase("coinche.said.belote" if is_first else "coinche.said.rebelote")]
    return ()


def called(call: Choice) -> Phrase:
    """A call as it is spoken."""
    if call in CALLS:
        return Phrase(f"coinche.said.{CALLS[call]}")
    value, suit = value_of(call), suit_of(call)
    if value == CAPOT:
        return Phrase(f"coinche.said.capot-{SUIT_WORDS[suit]}", {"suit": suit})
    return Phrase(f"coinche.said.bid-{SUIT_WORDS[suit]}", {"value": value, "suit": suit})


def result(view: CoincheState) -> Sequence[Phrase]:
    """Whether the contract was made and with how many points, and what multiplied it.

    A team is told by one of its seats: the bidder, or the seat after him.
    """
    if view.bid == 0:
        return [Phrase("coinche.result.passed")]
    told = [outcome(view)]
    if view.doubled:
        times = int(view.surcoinche_mult) if view.doubled == 2 else 2
        word = ("coinched", "surcoinched")[int(view.doubled) - 1]
        told.append(Phrase(f"coinche.result.{word}", {"times": times}))
    if view.announcer != NOBODY:
        told.append(Phrase("coinche.result.belote", {"seat": int(view.announcer)}))
    if value_of(int(view.bid)) != CAPOT and HAND_SIZE in view.tricks:
        by_bidder = view.tricks[view.bidder & 1] == HAND_SIZE
        seat = int(view.bidder if by_bidder else view.bidder + 1 & 3)
        told.append(Phrase("coinche.result.all-tricks", {"seat": seat}))
    return told


def outcome(view: CoincheState) -> Phrase:
    """The contract made or failed: by tricks for capot, else by points, belote included."""
    bid, team = int(view.bid), int(view.bidder) & 1
    contract: dict[str, str | int] = {"seat": int(view.bidder), "suit": suit_of(bid)}
    if value_of(bid) == CAPOT:
        tricks = int(view.tricks[team])
        word = "capot-made" if tricks == HAND_SIZE else "capot-failed"
        return Phrase(f"coinche.result.{word}", {**contract, "tricks": tricks})
    points = int(view.points[team])
    if view.announcer != NOBODY and view.announcer & 1 == team:
        points += BELOTE_POINTS
    word = "made" if points >= value_of(bid) else "failed"
    return Phrase(f"coinche.result.{word}", {**contract, "value": value_of(bid), "points": points})


# ---------------------------------------------------------------------------- cards


def order(view: CoincheState, cards: Cards) -> list[Card]:
    """Trump first in its own order, then suit by suit: ace, ten, king and so on."""
    first = trump(view)
    plain = suits_in_order(DECK, view, cards, "SHCD", red="HD", first=first)
    trumps = [card for card in plain if DECK.names[card][-1] == first]
    by_rank = sorted(trumps, key=lambda card: -TRUMP_ORDER.index(DECK.names[card][0]))
    return by_rank + plain[len(trumps) :]


def trick_points(view: CoincheState, cards: Sequence[Card]) -> int:
    """What the cards of a trick are worth, and ten more for the last trick."""
    last = int(view.history[view.turn - 1]) & 63
    is_last = view.phase == OVER and last in cards
    worth = POINTS[int(view.bid) - 1 & 3]
    return int(sum(worth[card] for card in cards)) + LAST_TRICK_POINTS * is_last


SHOWING = Showing(
    stake=160.0,
    facts=facts,
    facts_type=CoincheFacts,
    why_not=why_not,
    said=said,
    order=order,
    trick_points=trick_points,
    result=result,
    learning_options=frozenset({"reward_matrix", "belote_in_reward", "trick_reward"}),
)
