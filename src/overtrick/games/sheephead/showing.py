"""Sheephead at the table in the browser: what the page draws, and in which words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from overtrick.cards import Card, Cards, each
from overtrick.games.contract import NOBODY, OVER, Choice, Seat
from overtrick.games.sheephead.rules import (
    ALL_CARDS,
    ALONE,
    BID,
    BLIND_SIZE,
    BURY,
    DECK,
    DECLARE,
    FAIL,
    FIRST_ACE,
    HAND_SIZE,
    NOLA_RANKS,
    PICK,
    PLAY,
    SEATS,
    UNKNOWN,
    SheepheadState,
)
from overtrick.games.sheephead.scoring import WORTH
from overtrick.games.sheephead.variant import AT_END, STANDARD
from overtrick.games.sheephead.variant import POINTS as BY_POINTS
from overtrick.games.showing import (
    NOT_NOW,
    Phrase,
    Showing,
    alternating,
    everything_held,
    named,
    somebody,
)

__all__ = ["SHOWING", "SheepheadFacts"]

CALLED = ("", "AC", "AS", "AH", "TC", "TS", "TH")  # by choice; the first is alone
ALL_POINTS = 120


class SheepheadMine(TypedDict):
    """What the viewer alone knows."""

    blind: list[str]
    """As the picker found it."""
    buried: list[str]
    unknown: str | None
    is_partner: bool
    """Whether this seat holds, or has played, the card that the picker called."""


class SheepheadFacts(TypedDict):
    """What is drawn of Sheephead beyond hands and tricks."""

    dealer: int
    multiplier: int
    picker: int | None
    nola: bool
    redealt: bool
    """All have passed, and the cards are dealt again."""
    blind: int
    """Cards of the blind that lie face down on the table."""
    declared: bool
    alone: bool
    """The picker has said so, or has shown that the card he called was his own."""
    called: str | None
    unknown: Literal["none", "lies", "played"]
    unknown_card: str | None
    """Only if this viewer may know it."""
    partner: int | None
    """Once shown to everybody."""
    points: list[int]
    """Card points in the tricks of each seat, a card played face down left out."""
    trumps: list[str]
    """From the highest; none in Nola."""
    mine: NotRequired[SheepheadMine]


def facts(view: SheepheadState) -> SheepheadFacts:
    """Who picked, what was called, and what has been taken."""
    is_nola, unpicked = bool(view.trumps == 0), bool(view.picker == NOBODY)
    partner, shown = partner_shown(view), called_shown(view)
    declared = not unpicked and view.phase not in (BID, BURY, DECLARE)
    counting = 0 if is_nola else seen(view)
    told: SheepheadFacts = {
        "dealer": int(view.dealer),
        "multiplier": int(view.multiplier),
        "picker": somebody(view.picker),
        "nola": is_nola,
        "redealt": unpicked and not is_nola and bool(view.phase == OVER),
        "blind": BLIND_SIZE if unpicked else 0,
        "declared": declared,
        "alone": declared and (not view.called or (shown and partner is None)),
        "called": next(iter(named(DECK, view.called)), None),
        "unknown": "lies" if view.lies else "played" if view.turned else "none",
        "unknown_card": unknown_card(view),
        "partner": partner,
        "points": [card_points(int(took) & counting) for took in view.taken],
        "trumps": named(DECK, view.trumps)[::-1],
    }
    if view.viewer != NOBODY:
        told["mine"] = mine(view)
    return told


def mine(view: SheepheadState) -> SheepheadMine:
    """What the picker, or the partner, knows of his own."""
    me = int(view.viewer)
    picks = me == view.picker
    holds = (int(view.hands[me]) | int(view.played[me])) & int(view.called)
    return {
        "blind": named(DECK, view.blind) if picks else [],
        "buried": named(DECK, view.buried) if picks else [],
        "unknown": next(iter(named(DECK, view.unknown)), None) if picks else None,
        "is_partner": bool(holds and not picks),
    }


def called_shown(view: SheepheadState) -> bool:
    """Whether the called card has been played."""
    return any(int(played) & int(view.called) for played in view.played)


def partner_shown(view: SheepheadState) -> int | None:
    """Who has played the called card; None before, and when the picker called his own."""
    for seat in range(SEATS):
        if seat != view.picker and int(view.played[seat]) & int(view.called):
            return seat
    return None


def side(view: SheepheadState) -> set[Seat]:
    """The viewer, and whom it knows to play with it; the others once the partner is shown."""
    me, partner = int(view.viewer), partner_shown(view)
    if view.picker == NOBODY:
        return {me}
    if partner is None and mine(view)["is_partner"]:
        partner = me
    attack = {int(view.picker)} | (set() if partner is None else {partner})
    if me in attack:
        return attack
    is_open = partner is not None or not view.called
    return {*range(SEATS)} - attack if is_open else {me}


def is_face_down(view: SheepheadState) -> bool:
    """Whether there is an unknown card that has not been shown to everybody."""
    shown_late = view.unknown_shown == AT_END and view.phase != OVER
    return bool(view.lies or (view.turned and shown_late))


def unknown_card(view: SheepheadState) -> str | None:
    """The unknown card, once turned up; to the picker always."""
    if is_face_down(view) and (view.viewer == NOBODY or view.viewer != view.picker):
        return None
    return next(iter(named(DECK, view.unknown)), None)


def seen(view: SheepheadState) -> Cards:
    """All cards but one that lies, or was played, face down."""
    return ALL_CARDS & ~int(view.unknown) if is_face_down(view) else ALL_CARDS


def card_points(cards: Cards) -> int:
    """Ace 11, ten 10, king 4, queen 3, jack 2."""
    return sum(each * (cards & rank).bit_count() for each, rank in WORTH)


# ---------------------------------------------------------------------------- why not


def why_not(view: SheepheadState, choice: Choice) -> Phrase:
    """Why a call, or a card, is not legal for the viewer."""
    if view.phase == DECLARE:
        return why_no_call(view, choice)
    if view.phase == UNKNOWN:
        return Phrase("sheephead.why.unknown-is-fail")
    return why_no_card(view, choice) if view.phase == PLAY else NOT_NOW


def why_no_call(view: SheepheadState, call: Choice) -> Phrase:
    """R1 to R3: an ace of a suit that was kept, else any ace, else a ten; never an own card."""
    kept = named(DECK, view.hands[view.viewer])
    owned = {*kept, *named(DECK, view.buried)}
    if not FIRST_ACE <= call < len(CALLED):
        return NOT_NOW
    card = CALLED[call]
    if card in owned:
        return Phrase("sheephead.why.own-card", {"card": card})
    if card[0] == "T" and not {"AC", "AS", "AH"} <= owned:
        return Phrase("sheephead.why.aces-first", {"card": card})
    return Phrase("sheephead.why.none-kept", {"suit": card[1], "card": card})


def why_no_card(view: SheepheadState, card: Card) -> Phrase:
    """P1 to P5 as long as the called suit has not been led; else follow suit."""
    if view.pending:
        if view.viewer == view.picker and view.lies:
            return why_not_beside_unknown(view, card)
        if view.called_obligations == STANDARD:
            return why_not_by_the_call(view, card)
    return must_follow(view)


def why_not_beside_unknown(view: SheepheadState, card: Card) -> Phrase:
    """P5: the unknown card follows the called suit, and is otherwise kept."""
    suit = {"suit": suit_letter(int(view.pending))}
    if view.led == view.pending:
        return Phrase("sheephead.why.play-unknown", suit)
    if int(view.unknown) >> card & 1:
        return Phrase("sheephead.why.keep-unknown", suit)
    return must_follow(view)


def why_not_by_the_call(view: SheepheadState, card: Card) -> Phrase:
    """P1 to P4: what picker and partner owe to the called suit."""
    hand, led = int(view.hands[view.viewer]), int(view.led)
    told = {"card": named(DECK, view.called)[0], "suit": suit_letter(int(view.pending))}
    if led == 0:
        return Phrase("sheephead.why.lead-called", told)
    if led == view.pending and hand & int(view.called):
        return Phrase("sheephead.why.play-called", told)
    if hand & led:
        return must_follow(view)
    if int(view.called) >> card & 1:
        return Phrase("sheephead.why.keep-called", told)
    return Phrase("sheephead.why.keep-suit", told)


def must_follow(view: SheepheadState) -> Phrase:
    """Follow the led suit; trump is one."""
    if view.led == 0:
        return NOT_NOW
    if view.led == view.trumps:
        return Phrase("sheephead.why.follow-trump")
    return Phrase("sheephead.why.follow", {"suit": suit_letter(int(view.led))})


def suit_letter(suit: Cards) -> str:
    """The letter of a suit's cards; in Nola the joker is a diamond."""
    return next(name[1] for name in named(DECK, suit) if name != "JO")


# ---------------------------------------------------------------------------- said aloud


def said(
    before: SheepheadState, after: SheepheadState, seat: Seat, choice: Choice
) -> Sequence[Phrase]:
    """Bids, the call, and what comes to light."""
    if before.phase == BID:
        return bid_said(after, choice)
    if before.phase == DECLARE:
        return [call_said(after, choice)]
    if before.phase == PLAY:
        return play_said(before, after, seat)
    return ()


def bid_said(after: SheepheadState, bid: Choice) -> list[Phrase]:
    """Pass or pick; and what follows on five passes."""
    if bid == PICK:
        return [Phrase("sheephead.said.pick")]
    told = [Phrase("sheephead.said.pass")]
    if after.phase == OVER:
        told.append(Phrase("sheephead.said.redeal"))
    if after.trumps == 0:
        told.append(Phrase("sheephead.said.nola"))
    return told


def call_said(after: SheepheadState, call: Choice) -> Phrase:
    """Alone, or the partner's card, with or without an unknown card."""
    if call == ALONE:
        return Phrase("sheephead.said.alone")
    words = "sheephead.said.call-unknown" if after.phase == UNKNOWN else "sheephead.said.call"
    return Phrase(words, {"card": CALLED[call]})


def play_said(before: SheepheadState, after: SheepheadState, seat: Seat) -> list[Phrase]:
    """The unknown card, and the called card, by which the partner or a lone picker is known."""
    if after.turned and not before.turned:
        return [Phrase("sheephead.said.unknown")]
    if called_shown(after) and not called_shown(before):
        words = "sheephead.said.own-call" if seat == after.picker else "sheephead.said.partner"
        return [Phrase(words)]
    return []


# ---------------------------------------------------------------------------- the result


def result(view: SheepheadState) -> Sequence[Phrase]:
    """How the picker's side, or Nola, came out; and whether the hand counted double."""
    told = [Phrase("sheephead.result.doubled")] if view.multiplier == 2 else []
    if view.picker == NOBODY:
        return [Phrase("sheephead.result.redealt")] if view.trumps else [nola(view), *told]
    partner = partner_shown(view)
    if partner is None:
        told.insert(0, Phrase("sheephead.result.alone", {"seat": int(view.picker)}))
    else:
        told.insert(0, Phrase("sheephead.result.partner", {"seat": partner}))
    return [outcome(view, partner), *told]


def nola(view: SheepheadState) -> Phrase:
    """All six tricks win; otherwise the last trick loses."""
    taker = int(view.leader)
    took_all = int(view.taken[taker]).bit_count() == SEATS * HAND_SIZE
    words = "sheephead.result.nola-all" if took_all else "sheephead.result.nola-last"
    return Phrase(words, {"seat": taker})


def outcome(view: SheepheadState, partner: Seat | None) -> Phrase:
    """The points of the picker's side: all that the others have not taken, the bury included."""
    side = {int(view.picker), partner}
    others = sum(card_points(int(view.taken[seat])) for seat in range(SEATS) if seat not in side)
    points = ALL_POINTS - others
    took = any(int(view.taken[seat]) for seat in side if seat is not None)
    told = {"seat": int(view.picker), "points": points, "others": others}
    nothing = points == 0 if view.zero_tier == BY_POINTS else not took
    if points > ALL_POINTS // 2:
        words = "won-all" if others == 0 else "won-schneider" if points > 90 else "won"
    elif nothing:
        words = "lost-points" if view.zero_tier == BY_POINTS else "lost-tricks"
    elif points == others:
        words = "sixty-sixty"
    else:
        words = "lost" if points > 30 else "lost-schneider"
    return Phrase(f"sheephead.result.{words}", told)


def totals(match: Any) -> list[int]:
    """The money of each person, those who sit out included."""
    record = getattr(match, "_records", [match])[0]
    kept = record.money[: record.people] if record.people > SEATS else record.scores
    return [int(money) for money in kept]


# ---------------------------------------------------------------------------- cards


def order(view: SheepheadState, cards: Cards) -> list[Card]:
    """Trumps by rank, then the fail suits; in Nola the four suits as printed."""
    held = everything_held(view, cards)
    if view.trumps:
        fail = {name[1] for name in named(DECK, held & FAIL)}
        suits = alternating("".join(suit for suit in "CHS" if suit in fail), "H")
        trumps = [*each(int(cards) & ~FAIL)]
        others = [*each(int(cards) & FAIL)]
        others.sort(key=lambda card: (suits.index(DECK.names[card][1]), -card))
        return trumps[::-1] + others
    printed = {nola_suit(card) for card in each(held)}
    suits = alternating("".join(suit for suit in "SHCD" if suit in printed), "HD")
    return sorted(
        each(int(cards)), key=lambda card: (suits.index(nola_suit(card)), -NOLA_RANKS[card])
    )


def nola_suit(card: Card) -> str:
    """The suit of a card in Nola; the joker is a diamond."""
    return "D" if DECK.names[card] == "JO" else DECK.names[card][1]


def trick_points(view: SheepheadState, cards: Sequence[Card]) -> int | None:
    """The card points of a trick, a card that lies face down left out; none in Nola."""
    if view.trumps == 0:
        return None
    return card_points(sum(1 << card for card in cards) & seen(view))


SHOWING = Showing(
    stake=10.0,
    facts=facts,
    facts_type=SheepheadFacts,
    why_not=why_not,
    said=said,
    order=order,
    trick_points=trick_points,
    result=result,
    totals=totals,
    side=side,
)
