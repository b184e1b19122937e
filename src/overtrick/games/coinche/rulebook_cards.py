"""Coinche: the card play of the expert.

Every legal card is given a worth, and the card of the greatest worth is played. The worth is what
the trick is likely to bring, less the card's price, which is what it would still do if kept:

    chance of the trick (from losing it for sure, -1, to taking it, +1) x points at stake
    - price of the card + what speaks for leading it

Chances come from counting: which cards are still out, who has shown that he cannot hold them, and
that the bidder is more likely than others to hold trumps. Prices and the like are in sixteenths of
a point. They were fitted by playing, for many positions, every legal card and finishing the deal
with this player at all seats.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from overtrick.cards import Card, Cards
from overtrick.games.coinche.rulebook_judging import ACES
from overtrick.games.coinche.rules import (
    ALL_CARDS,
    BEATERS,
    HAND_SIZE,
    ONE_SUIT,
    POINTS,
    SEATS,
    CoincheState,
    legal,
    trump_suit,
)
from overtrick.games.coinche.scoring import is_capot
from overtrick.games.game import Row, Seat
from overtrick.jit import lowest, popcount, rule

__all__ = ["expert_card"]

SURE = 1024  # a chance of 1
SIXTEENTH = SURE // 16
BIDDER, HELPER, DEFENDER = range(3)
JACK, TEN = 3, 6  # places in a suit
TENS: Cards = ACES >> 1
CAPOT_STAKE = 40  # every trick counts alike when capot is bid
FEW = 4  # cards in hand from which on other prices hold

# Every table has two rows for the bidder, two for his partner, two for a defender: the first while
# they hold many cards, the second with few.
#
# A trump kept: by the higher ones that the other side may hold (0, 1, 2, more); if it has no trump.
TRUMP_PRICE = np.array(
    [
        [416, 169, -3, -38, 323],
        [478, 96, 59, -87, 137],
        [438, 349, -4, -94, 310],
        [484, 218, 27, -31, 313],
        [506, 257, 130, 6, 261],
        [677, 198, 44, -23, 339],
    ]
)
# More for the jack of trump.
JACK_PRICE = np.array([57, 150, -96, 18, 176, 212])
# A plain card kept: by how many higher ones are out (0, 1, 2, more), and by its FACE.
PLAIN_PRICE = np.array(
    [
        [[149, 138, 143], [-62, -61, 156], [-66, -56, -30], [-114, -104, -50]],
        [[70, 78, 103], [0, -20, 17], [-35, -74, -30], [-71, -76, -50]],
        [[166, 164, 200], [0, 19, 40], [-33, -46, 35], [-48, -37, -13]],
        [[139, 147, 178], [-4, -8, 44], [-43, -20, 35], [-24, -5, -13]],
        [[79, 46, 6], [18, -5, -16], [7, -16, 0], [-5, -2, -10]],
        [[44, 44, 41], [12, 16, 42], [15, -9, 0], [9, -15, -10]],
    ]
)
# More for a highest plain card that nobody on the other side can trump.
SAFE_MASTER = np.array([84, 113, 7, 95, 338, 306])
# Less for the only card of its suit, in a hand with trumps.
LAST_OF_SUIT = np.array([58, 87, 132, 4, 71, 102])
# More for the one small card beside a ten while the ace is out.
GUARD = np.array([-200, 1, -7, 13, 138, 92])
# Points that a trick brings beyond those on the table, by place in it; one row for each role.
STAKE = np.array([[1, -2, 13, 12], [3, 50, 10, 12], [0, 11, 7, 9]])
# For leading trump: if the other side has none; else by one's own trumps (1, 2, 3, more).
LEAD_TRUMP = np.array(
    [
        [-305, -113, 343, 323, 208],
        [-401, -99, 441, 382, 251],
        [-266, 180, 218, 148, 138],
        [-215, -73, 196, 250, 243],
        [-260, -189, -213, -195, -148],
        [-307, -178, -141, -160, -129],
    ]
)
# More for the highest trump that is out.
LEAD_MASTER_TRUMP = np.array([287, 304, 263, 48, -92, 73])
# For leading a plain card: by how many higher ones are out (0, 1, 2, more).
LEAD_PLAIN = np.array(
    [
        [154, -147, -85, -53],
        [175, -109, -57, -12],
        [188, -151, -99, -43],
        [385, -45, -39, 3],
        [242, -31, 39, 41],
        [365, -53, -3, 45],
    ]
)
# ... by length of the suit in hand (1, 2, 3, more).
LEAD_LENGTH = np.array(
    [
        [-177, -57, 147, 126],
        [-101, 59, 28, 5],
        [-26, -16, 58, -33],
        [59, 94, 14, -8],
        [-141, 20, 66, 113],
        [-30, 105, 42, -20],
    ]
)
# ... if the partner has none of the suit, and may have trumps.
LEAD_TO_VOID = np.array([39, 53, -91, -78, 11, 15])
# ... by cards of the suit already gone (0-1, 2-5, more).
LEAD_AGAIN = np.array(
    [
        [-130, 145, 143],
        [-241, 102, 185],
        [-13, -4, 56],
        [45, -45, 156],
        [-86, 153, -60],
        [-169, 18, 323],
    ]
)
# ... a ten below the ace.
LEAD_TEN = np.array([-70, -98, -50, -87, -252, -168])
# A card thrown on another suit costs more: by length of its suit in hand (1, 2, more).
DISCARD = np.array(
    [
        [-265, -79, -46],
        [-95, -141, -86],
        [-110, -45, -112],
        [-97, -49, -19],
        [-129, 19, -102],
        [-96, -107, -60],
    ]
)
# Against beating the partner's card.
OVERTAKE = np.array([104, 34, 48, 2, 74, 20])
FACE = np.array([0, 0, 0, 0, 1, 1, 2, 2])  # 7 8 9 J, Q K, T A

# Out of 16: how often the partner, when able, beats what beat our card.
RESCUE = 11
# How likely a seat is to hold a trump: bidder, helper, defender.
WEIGHT = np.array([5, 2, 2])


class Hidden(NamedTuple):
    """The hand of another seat, as the seat to act sees it."""

    may: Cards  # the unseen cards that it may hold
    weight: int  # how likely it is to hold a trump, against the other seats


class Sight(NamedTuple):
    """What the seat to act goes by: its place at the table, its hand, the others' hands."""

    row: int  # of the tables
    role: int
    hand: Cards
    left: Hidden
    partner: Hidden
    right: Hidden


def _misses() -> Row:
    most = 2 * max(WEIGHT) + 1
    table = np.zeros((most, most, HAND_SIZE + 1), dtype=np.int64)
    for mine, others, count in np.ndindex(table.shape):
        share = others / (mine + others) if others else 0
        table[mine, others, count] = round(SURE * share**count)
    return table


MISSES = _misses()
"""[own weight, weight of all others, n]: the chance to hold none of n cards."""


# ---------------------------------------------------------------------------- the choice


@rule
def expert_card(state: CoincheState) -> Card:
    """The card of the greatest worth, of equal ones the first of the deck."""
    cards = legal(state)
    best = lowest(cards)
    if cards == 1 << best:
        return best
    sight = look(state)
    most = worth_of(state, sight, best)
    rest = cards & cards - 1
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        worth = worth_of(state, sight, card)
        if worth > most:
            best = card
            most = worth
    return best


@rule
def worth_of(state: CoincheState, sight: Sight, card: Card) -> int:
    """What a legal card is worth now, in parts of a point: 1024 are one."""
    place = popcount(state.table)
    stake = state.stake + POINTS[trump_suit(state.bid), card] + STAKE[sight.role, place]
    if is_capot(state.bid):
        stake = CAPOT_STAKE
    worth = (2 * chance_of_trick(state, sight, card, place) - SURE) * stake
    if 1 << card & state.trump:
        worth -= trump_price(state, sight, card) * SIXTEENTH
    else:
        worth -= plain_price(state, sight, card) * SIXTEENTH
    if place == 0:
        worth += lead_bonus(state, sight, card) * SIXTEENTH
    elif (state.taker ^ state.seat) & 1 == 0 and 1 << card & state.beaters:
        worth -= OVERTAKE[sight.row] * SIXTEENTH
    return worth


# ---------------------------------------------------------------------------- what is seen


@rule
def look(state: CoincheState) -> Sight:
    """What the seat to act goes by."""
    me = state.seat
    hand = state.hands[me]
    unseen = ALL_CARDS & ~hand
    for seat in range(SEATS):
        unseen &= ~state.played[seat]
    role = role_of(state, me)
    return Sight(
        2 * role + (popcount(hand) <= FEW),
        role,
        hand,
        hidden(state, me + 1 & 3, unseen),
        hidden(state, me + 2 & 3, unseen),
        hidden(state, me + 3 & 3, unseen),
    )


@rule
def hidden(state: CoincheState, seat: Seat, unseen: Cards) -> Hidden:
    """The unseen cards that a seat may hold, for all that everybody knows."""
    weight = WEIGHT[role_of(state, seat)]
    if popcount(state.played[seat]) == HAND_SIZE:
        return Hidden(0, weight)
    elsewhere = 0
    for other in range(SEATS):
        if other != seat:
            elsewhere |= state.known[other]
    return Hidden(unseen & ~state.cannot[seat] & ~elsewhere, weight)


@rule
def role_of(state: CoincheState, seat: Seat) -> int:
    """Bidder, his helper or defender."""
    if seat == state.bidder:
        return BIDDER
    return DEFENDER if (seat ^ state.bidder) & 1 else HELPER


@rule
def enemy_trumps(state: CoincheState, sight: Sight) -> Cards:
    """The trumps that the other side may hold."""
    return (sight.left.may | sight.right.may) & state.trump


@rule
def still_out(sight: Sight, card: Card) -> Cards:
    """The cards of this card's suit that others hold."""
    return (sight.left.may | sight.partner.may | sight.right.may) & suit_of(card)


@rule
def suit_of(card: Card) -> Cards:
    """All cards of this card's suit."""
    return ONE_SUIT << (card & 24)


# ---------------------------------------------------------------------------- chances


@rule
def chance_of_trick(state: CoincheState, sight: Sight, card: Card, place: int) -> int:
    """The chance that the seat's side takes the trick if it plays this card, its `place`-th.

    The seats still to play are left, partner, right, as far as they have not played.
    """
    left, partner, right, trump = sight.left, sight.partner, sight.right, state.trump
    led = state.led if state.led else suit_of(card)
    beaters = state.beaters
    ours = place > 0 and (state.taker ^ state.seat) & 1 == 0
    if 1 << card & beaters:
        beaters = BEATERS[trump_suit(state.bid), card]
        ours = True
    helps = beats(partner, left, right, led, trump, beaters) if place < 2 else 0
    loses = beats(left, partner, right, led, trump, beaters) if place < 3 else 0
    chance = (
        SURE - loses + (loses * helps * RESCUE >> 14) if ours else helps - (loses * helps >> 10)
    )
    if place == 0:
        chance -= chance * beats(right, left, partner, led, trump, beaters) >> 10
    return chance


@rule
def beats(
    seat: Hidden, one: Hidden, other: Hidden, led: Cards, trump: Cards, beaters: Cards
) -> int:
    """The chance that a seat still to play can beat the card that is taking the trick.

    `one` and `other` are the two seats that may hold the cards instead.
    """
    better = seat.may & beaters
    if better == 0:
        return 0
    trumps = SURE - none_of(
        better & trump, one.may, other.may, seat.weight, one.weight, other.weight
    )
    if led == trump:
        return trumps
    higher = SURE - none_of(better & led, one.may, other.may, 1, 1, 1)
    void = none_of(seat.may & led, one.may, other.may, 1, 1, 1)
    return higher + (void * trumps >> 10)


@rule
def none_of(cards: Cards, one: Cards, other: Cards, mine: int, ones: int, others: int) -> int:
    """The chance to hold none of the cards, which `one` and `other` may hold as well.

    The numbers are weights: how likely each of the three is to hold a card that all may hold.
    """
    if cards & ~one & ~other:
        return 0
    chance = MISSES[mine, ones, popcount(cards & one & ~other)]
    chance = chance * MISSES[mine, others, popcount(cards & other & ~one)] >> 10
    return chance * MISSES[mine, ones + others, popcount(cards & one & other)] >> 10


# ---------------------------------------------------------------------------- prices


@rule
def trump_price(state: CoincheState, sight: Sight, card: Card) -> int:
    """What a trump is worth in the hand: by how many higher ones the other side may hold."""
    trump = trump_suit(state.bid)
    enemies = enemy_trumps(state, sight)
    price = JACK_PRICE[sight.row] if card & 7 == JACK else 0
    if enemies == 0:
        return price + TRUMP_PRICE[sight.row, 4]
    return price + TRUMP_PRICE[sight.row, min(3, popcount(enemies & BEATERS[trump, card]))]


@rule
def plain_price(state: CoincheState, sight: Sight, card: Card) -> int:
    """What a plain card is worth in the hand: by how many higher ones are out, and its points."""
    row, hand, suit = sight.row, sight.hand, suit_of(card)
    out = still_out(sight, card)
    above = min(3, popcount(out & BEATERS[trump_suit(state.bid), card]))
    price = PLAIN_PRICE[row, above, FACE[card & 7]]
    if above == 0 and enemy_trumps(state, sight) == 0:
        price += SAFE_MASTER[row]
    length = popcount(hand & suit)
    if length == 1 and hand & state.trump:
        price -= LAST_OF_SUIT[row]
    if length == 2 and card & 7 != TEN and hand & suit & TENS and out & ACES:
        price += GUARD[row]
    if state.led and state.led != suit:
        price += DISCARD[row, min(2, length - 1)]
    return price


# ---------------------------------------------------------------------------- leads


@rule
def lead_bonus(state: CoincheState, sight: Sight, card: Card) -> int:
    """What speaks for leading a card, beyond the trick itself."""
    if 1 << card & state.trump:
        return trump_lead_bonus(state, sight, card)
    return plain_lead_bonus(state, sight, card)


@rule
def trump_lead_bonus(state: CoincheState, sight: Sight, card: Card) -> int:
    """By the number of own trumps; against it if the other side has none left to draw."""
    enemies = enemy_trumps(state, sight)
    if enemies == 0:
        return LEAD_TRUMP[sight.row, 0]
    bonus = LEAD_TRUMP[sight.row, min(4, popcount(sight.hand & state.trump))]
    if enemies & BEATERS[trump_suit(state.bid), card] == 0:
        bonus += LEAD_MASTER_TRUMP[sight.row]
    return bonus


@rule
def plain_lead_bonus(state: CoincheState, sight: Sight, card: Card) -> int:
    """By higher cards out, by length, by how far the suit has been played, and by the partner."""
    row, suit = sight.row, suit_of(card)
    held, out = sight.hand & suit, still_out(sight, card)
    above = min(3, popcount(out & BEATERS[trump_suit(state.bid), card]))
    gone = HAND_SIZE - popcount(out | held)
    bonus = LEAD_PLAIN[row, above] + LEAD_LENGTH[row, min(3, popcount(held) - 1)]
    bonus += LEAD_AGAIN[row, gone + 2 >> 2]
    if above and card & 7 == TEN:
        bonus += LEAD_TEN[row]
    if sight.partner.may & suit == 0 and sight.partner.may & state.trump:
        bonus += LEAD_TO_VOID[row]
    return bonus
