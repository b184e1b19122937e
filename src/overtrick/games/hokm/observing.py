"""Hokm: what nets are shown of a view, with trump as the first suit."""

from __future__ import annotations

from typing import Any

from overtrick.cards import Cards
from overtrick.games.game import Choices, Row
from overtrick.games.hokm.rules import (
    ABOVE_ALL_CARDS,
    ALL_CARDS,
    HAND_SIZE,
    ONE_SUIT,
    PLAY,
    SEATS,
    SUITS,
    SUITS_IN_THE_DECK,
    TRICKS_TO_WIN,
    TRUMP,
    HokmState,
    team_of,
)
from overtrick.games.hokm.variant import HEURISTIC
from overtrick.games.observing import (
    KNOWN,
    OWN_FACTS,
    SAME_SUITS,
    TRUMP_FIRST,
    Encoding,
    Feature,
    at_least,
    below_top,
    by_cards,
    cards_by_seat,
    flag_phase,
    flag_seat,
    move_suits,
    named_by_place,
    one_of,
    put_by_seat,
    put_leads,
    relative,
    seats_around,
    suits_by_place,
    tell_card_set,
    tell_common,
    tell_fact,
    thermometer,
)
from overtrick.jit import lowest, popcount, rule

__all__ = ["ENCODINGS", "free_suits", "observe", "relabel", "suit_order", "tell", "trump_cards"]

_AROUND = seats_around(SEATS)
_OTHERS = _AROUND[1:]
_CARDS = named_by_place("23456789TJQKA")
_PLACES = suits_by_place()
_TRICKS = range(1, TRICKS_TO_WIN + 1)

_COUNTS = range(1, HAND_SIZE + 1)

_STANDARD = (
    one_of("phase", ("trump", "play"), "what is to be chosen"),
    one_of("to act", _AROUND, "whose turn it is"),
    one_of("hakem", _AROUND, "who chooses trump and leads first"),
    one_of("leader", _AROUND, "who led this trick or is to lead it"),
    one_of("taking", _AROUND, "who is taking this trick"),
    one_of("led", _PLACES, "the suit led"),
    at_least("tricks of own team", _TRICKS, "tricks taken so far"),
    at_least("tricks of the others", _TRICKS, "tricks taken so far"),
    Feature("hand", _CARDS, "the viewer's cards"),
    Feature("table", _CARDS, "the cards of this trick"),
    *cards_by_seat("played by", _CARDS, _AROUND, "cards played so far, this trick's too"),
    *(
        one_of(f"void {seat}", _PLACES, "suits that this seat is proven not to hold")
        for seat in _OTHERS
    ),
)
_COUNTED = (
    Feature("unseen", _CARDS, "cards that the viewer cannot place"),
    Feature("masters", _CARDS, "own cards that no unseen card of their suit beats"),
    Feature("next to masters", _CARDS, "own cards that one unseen card of their suit beats"),
    Feature("takers", _CARDS, "own cards that would take this trick so far"),
    Feature("safe", ("so far",), "no unseen card of its suit beats the one taking the trick"),
    *(at_least(f"unseen of {suit}", _COUNTS, "how many") for suit in _PLACES),
    *(at_least(f"held of {suit}", _COUNTS, "how many") for suit in _PLACES),
    *(one_of(f"led by {seat}", _PLACES, "suits that this seat has led") for seat in _AROUND),
)

ENCODINGS = (
    Encoding("standard", 1, _STANDARD),
    Encoding("counted", 1, (*_STANDARD, *_COUNTED)),
)
STANDARD, COUNTED = range(2)


@rule
def observe(view: HokmState, encoding: int, order: int, features: Row) -> None:
    me = view.viewer
    mine = team_of(me)
    features[0] = flag_phase(view)
    features[1] = flag_seat(view.seat, me, SEATS)
    features[2] = flag_seat(view.hakem, me, SEATS)
    features[3] = flag_seat(view.leader, me, SEATS)
    features[4] = flag_seat(view.taker, me, SEATS) if view.table else 0
    features[5] = whole_suits(view.led, order)
    features[6] = thermometer(min(view.tricks[mine], TRICKS_TO_WIN))
    features[7] = thermometer(min(view.tricks[1 - mine], TRICKS_TO_WIN))
    features[8] = move_suits(view.hands[me], order, HAND_SIZE)
    features[9] = move_suits(view.table, order, HAND_SIZE)
    at = put_by_seat(features, 10, view, view.played, 0, order)
    for offset in range(1, SEATS):
        features[at] = whole_suits(view.cannot[me + offset & 3], order)
        at += 1
    if encoding == COUNTED:
        count_cards(view, order, features, at)


@rule
def count_cards(view: HokmState, order: int, features: Row, at: int) -> None:
    """What a player who counts cards knows, though the cards played tell it, too."""
    hand = view.hands[view.viewer]
    unseen = ALL_CARDS & ~hand
    for seat in range(SEATS):
        unseen &= ~view.played[seat]
    masters, seconds = 0, 0
    for suit in range(len(SUITS)):
        place = order >> 2 * suit & 3
        hidden = unseen >> HAND_SIZE * suit & ONE_SUIT
        held = hand >> HAND_SIZE * suit & ONE_SUIT
        top = held & ~below_top(hidden)
        masters |= top << HAND_SIZE * suit
        without = hidden & below_top(hidden) >> 1  # all but the highest
        seconds |= (held & ~below_top(without) & ~top) << HAND_SIZE * suit
        features[at + 5 + place] = thermometer(popcount(hidden))
        features[at + 9 + place] = thermometer(popcount(held))
    features[at] = move_suits(unseen, order, HAND_SIZE)
    features[at + 1] = move_suits(masters, order, HAND_SIZE)
    features[at + 2] = move_suits(seconds, order, HAND_SIZE)
    features[at + 3] = move_suits(would_take(view, hand), order, HAND_SIZE)
    features[at + 4] = int(is_safe(view, unseen))
    put_leads(view, PLAY, order, features, at + 13)


@rule
def would_take(view: HokmState, hand: Cards) -> Cards:
    """The cards of a hand that beat the one that is taking the trick; none to lead."""
    if view.table == 0:
        return 0
    mine = hand & view.led if hand & view.led else hand
    best = view.best & ALL_CARDS
    if view.best & ABOVE_ALL_CARDS:
        return mine & view.trumps & ~below_top(best)
    return mine & view.trumps | mine & view.led & ~below_top(best)


@rule
def is_safe(view: HokmState, unseen: Cards) -> bool:
    """Whether no unseen card of its own suit beats the card that is taking the trick."""
    if view.table == 0:
        return False
    suit = view.trumps if view.best & ABOVE_ALL_CARDS else view.led
    return unseen & suit & ~below_top(view.best & ALL_CARDS) == 0


@rule
def whole_suits(cards: Cards, order: int) -> int:
    """The suits of which all cards are in a set, as bits, where the order sends them."""
    found = 0
    for suit in range(len(SUITS)):
        if cards >> HAND_SIZE * suit & ONE_SUIT == ONE_SUIT:
            found |= 1 << (order >> 2 * suit & 3)
    return found


# ---------------------------------------------------------------------------- suits


@rule
def trump_cards(view: HokmState) -> Cards:
    return view.trumps


@rule
def suit_order(view: HokmState) -> int:
    if view.trumps == 0:
        return by_cards(view, view.led, SAME_SUITS, free_suits(view), HAND_SIZE)
    first = TRUMP_FIRST[lowest(view.trumps) * 5 >> 6]  # divided by 13
    return by_cards(view, view.led, first, free_suits(view), HAND_SIZE)


@rule
def free_suits(view: HokmState) -> int:
    """All suits before trump is chosen, then all but trump.

    An automatic trump breaks ties by suits, which tells them apart.
    """
    if view.trump_policy == HEURISTIC:
        return 0
    return 0b1111 if view.trumps == 0 else 0b1110


@rule
def relabel(view: HokmState, phase: int, choices: Choices, order: int) -> Choices:
    if phase != TRUMP:
        return move_suits(choices, order, HAND_SIZE)
    moved = 0
    for choice in range(len(SUITS)):
        place = order >> 2 * SUITS_IN_THE_DECK[choice] & 3
        for other in range(len(SUITS)):
            if SUITS_IN_THE_DECK[other] == place:
                moved |= (choices >> choice & 1) << other
    return moved


# ---------------------------------------------------------------------------- tokens

HAKEM, TRUMP_SUIT = OWN_FACTS, OWN_FACTS + 1


@rule
def tell(view: HokmState, order: int, tokens: Any) -> int:
    """The hakem, the place of trump, and to the hakem the cards on which he chooses it."""
    at = tell_common(view, order, tokens)
    at = tell_fact(tokens, at, HAKEM, relative(view.hakem, view.viewer, SEATS), 0)
    at = tell_fact(tokens, at, TRUMP_SUIT, -1, whole_suits(view.trumps, order))
    return tell_card_set(view, order, tokens, at, KNOWN, 0, view.first_cards)
