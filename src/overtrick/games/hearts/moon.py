"""Hearts: the moon, seen from both sides.

A seat shoots as long as it alone can take all points and has few enough losers. Against the
others it looks at who has taken all points so far, and how many tricks in a row.
"""

from __future__ import annotations

from overtrick.cards import Card, Cards
from overtrick.games.game import NOBODY, seat_of
from overtrick.games.hearts.holdings import cards_above
from overtrick.games.hearts.prices import (
    AFFORDED,
    AFFORDED_ON_LEAD,
    AFFORDED_PASSING,
    AFFORDED_PER_PASS,
    CARD_ABOVE,
    LEAD_CARD_ABOVE,
    LEAD_CARD_OUT,
    LOSER,
    NEXT_LOSER,
    PASS_CARD_ABOVE,
    PASS_CARD_OF_SUIT,
)
from overtrick.games.hearts.rules import (
    HAND_SIZE,
    ONE_SUIT,
    PASSED_CARDS,
    POINT_CARDS,
    QUEEN_OF_SPADES,
    SEATS,
    HeartsState,
)
from overtrick.jit import highest, lowest, popcount, rule

__all__ = [
    "NO_DANGER",
    "moon_danger",
    "shooters_card",
    "shooters_pass",
    "shoots",
    "shoots_after_passing",
    "tricks_in_a_row",
]

NO_DANGER = 7
LONGEST_RUN = 4
MOST_ABOVE = 4
DRAWN = 5  # cards of a suit that a shooter hopes to draw with each of its cards


# ---------------------------------------------------------------------------- defence


@rule
def moon_danger(state: HeartsState) -> int:
    """How near another seat is to the moon: 0 to 6, or NO_DANGER when none can shoot it."""
    shooter = NOBODY
    for seat in range(SEATS):
        if state.points[seat]:
            if shooter != NOBODY or seat == state.seat:
                return NO_DANGER
            shooter = seat
    return 0 if shooter == NOBODY else nearness(state.points[shooter])


@rule
def nearness(points: int) -> int:
    """1 to 6, after 3, 7, 12, 16, 20 points and above."""
    if points <= 12:
        return 1 if points <= 3 else (2 if points <= 7 else 3)
    return 4 if points <= 16 else (5 if points <= 20 else 6)


@rule
def tricks_in_a_row(state: HeartsState, danger: int) -> int:
    """How many tricks the leader has led and won in a row, if it may be shooting."""
    leader = state.leader
    if danger == NO_DANGER or leader == state.seat:
        return 0
    if danger and state.points[leader] == 0:
        return 0
    lead = state.turn - popcount(state.table)
    run = 0
    while run < min(state.tricks - 1, LONGEST_RUN):
        lead -= SEATS
        if seat_of(state.history[lead]) != leader:
            break
        run += 1
    return run


# ---------------------------------------------------------------------------- attack


@rule
def shoots(state: HeartsState, hand: Cards, out: Cards) -> bool:
    """Whether the seat to play goes for the moon: nobody else has points, and losers are few."""
    me = state.seat
    for step in range(1, SEATS):
        if state.points[me + step & 3]:
            return False
    can_beat = hand & state.led & -state.best
    if state.table & POINT_CARDS and can_beat == 0:
        return False
    afforded = AFFORDED[stage(state.points[me])]
    if state.led == 0:
        afforded += AFFORDED_ON_LEAD
    return losers(hand, out) <= afforded


@rule
def stage(points: int) -> int:
    """How far a shooter has come: 0, then up to 5, 12, 19 points and above."""
    if points == 0:
        return 0
    return 1 if points <= 5 else (2 if points <= 12 else (3 if points <= 19 else 4))


@rule
def losers(hand: Cards, out: Cards) -> int:
    """What a hand's losers count for somebody who wants every trick."""
    total = 0
    for suit in range(SEATS):
        cards = ONE_SUIT << HAND_SIZE * suit
        total += losers_of_suit(hand & cards, out & cards, LOSER[suit])
    return total


@rule
def losers_of_suit(own: Cards, out: Cards, price: int) -> int:
    """The cards that may be beaten after the higher ones have drawn what they can."""
    total = 0
    more = 0
    left = popcount(out)
    while own and left > 0:
        card = highest(own)
        own ^= 1 << card
        above = popcount(out >> card)
        if above:
            total += price + more + CARD_ABOVE * min(above, MOST_ABOVE)
            more = NEXT_LOSER
        left -= DRAWN
    return total


@rule
def shooters_card(state: HeartsState, choices: Cards, out: Cards) -> Card:
    """A shooter leads what is high, takes when it can, and throws its losers."""
    if state.led == 0:
        return shooters_lead(choices, out)
    if choices & state.led == 0:
        return shooters_discard(choices, out)
    beating = choices & -state.best
    if beating == 0:
        return lowest(choices)
    last = popcount(state.table) == SEATS - 1
    return lowest(beating) if last else highest(beating)


@rule
def shooters_lead(choices: Cards, out: Cards) -> Card:
    """The highest card of the suit in which the fewest cards out are above it."""
    chosen = lowest(choices)
    least = 1 << 30
    for suit in range(SEATS):
        cards = ONE_SUIT << HAND_SIZE * suit
        if choices & cards:
            card = highest(choices & cards)
            price = LEAD_CARD_ABOVE * popcount(cards_above(out, card))
            price += LEAD_CARD_OUT * popcount(out & cards)
            if price < least:
                least = price
                chosen = card
    return chosen


@rule
def shooters_discard(choices: Cards, out: Cards) -> Card:
    """The card with the most cards out above it; a point card only when there is nothing else."""
    rest = choices & ~POINT_CARDS
    if rest == 0:
        rest = choices
    chosen = lowest(rest)
    most = -1
    while rest:
        card = lowest(rest)
        rest ^= 1 << card
        above = popcount(cards_above(out, card))
        if above > most:
            most = above
            chosen = card
    return chosen


# ---------------------------------------------------------------------------- passing


@rule
def shoots_after_passing(hand: Cards, out: Cards) -> bool:
    """Whether a hand is passed from with the moon in mind."""
    to_pass = popcount(hand) - (HAND_SIZE - PASSED_CARDS)
    return losers(hand, out) <= AFFORDED_PASSING + to_pass * AFFORDED_PER_PASS


@rule
def shooters_pass(hand: Cards, out: Cards) -> Card:
    """A low card, rather of a short suit; never the queen of spades."""
    chosen = lowest(hand)
    most = -(1 << 30)
    rest = hand & ~QUEEN_OF_SPADES
    while rest:
        card = lowest(rest)
        rest ^= 1 << card
        length = popcount(hand & ONE_SUIT << HAND_SIZE * (card // HAND_SIZE))
        value = PASS_CARD_ABOVE * popcount(cards_above(out, card)) - PASS_CARD_OF_SUIT * length
        if value > most:
            most = value
            chosen = card
    return chosen
