"""Coinche: what the exact solver asks.

The side is the attackers, and its gains are the card points of its tricks, the last trick's ten
included, the belote not. Whole deals are solved from the first lead on. In the auction there are
no sides: with all cards in sight it would say nothing of bidding. Who will announce belote is
known in the play, so a contract is a number of card points, or all tricks.
"""

from __future__ import annotations

import numpy as np

from overtrick.cards import Cards
from overtrick.games.coinche.rules import (
    BEATERS,
    BID,
    HAND_SIZE,
    ONE_SUIT,
    PLAY,
    POINTS,
    SEATS,
    SUITS,
    CoincheState,
    trump_suit,
)
from overtrick.games.coinche.scoring import (
    BELOTE_POINTS,
    NORTH_SOUTH,
    attackers,
    bid_value,
    failure_value,
    is_capot,
    multiplier,
)
from overtrick.games.game import Choice, Choices, Row, Seat
from overtrick.jit import gather_bits, highest, popcount, rule

__all__ = [
    "alike",
    "bounds",
    "gained",
    "position_key",
    "rung",
    "rungs",
    "sides",
    "to_gain",
    "urge",
]

CARD_POINTS, ALL_TRICKS = range(2)  # kinds of gains; the second is 0 or 1
FAILED, MADE = range(2)
POINTS_OF_A_DEAL = 162

IN_EVERY_SUIT = sum(1 << HAND_SIZE * suit for suit in range(SUITS))
PLAIN_BLANKS: Cards = 0b111 * IN_EVERY_SUIT  # 7 8 9: no points, and below all cards with points
TRUMP_BLANKS: Cards = 0b011 * IN_EVERY_SUIT  # 7 8


def _tables() -> tuple[Row, Row]:
    higher = np.full(1 << HAND_SIZE, ONE_SUIT, dtype=np.int64)
    points = np.zeros(1 << HAND_SIZE, dtype=np.int64)
    for ranks in range(1 << HAND_SIZE):
        for rank in range(HAND_SIZE):
            if ranks >> rank & 1:
                higher[ranks] &= BEATERS[0, rank]
                points[ranks] += POINTS[0, rank]
    return higher, points


TRUMPS_ABOVE, TRUMP_POINTS = _tables()
"""[set of ranks]: the ranks that beat all of them in trump; their points in trump."""


@rule
def sides(state: CoincheState) -> int:
    """The attackers' seats; none in the auction."""
    return NORTH_SOUTH << attackers(state) if state.phase == PLAY else 0


# ---------------------------------------------------------------------------- the goals


@rule
def rungs(state: CoincheState) -> int:
    """Failed or made; nothing to be told in the auction."""
    return 0 if state.phase == BID else 2


@rule
def rung(state: CoincheState, number: int, goal: Row, won: Row) -> None:
    """Nothing, or what the contract takes: the points of the bid, or all tricks."""
    goal[0] = CARD_POINTS
    goal[1] = 0
    value = -failure_value(state)
    if number == MADE:
        value = bid_value(state.bid)
        goal[1] = value - attackers_belote(state)
        if is_capot(state.bid):
            goal[0] = ALL_TRICKS
            goal[1] = 1
    for seat in range(SEATS):
        sign = 1 if seat & 1 == attackers(state) else -1
        won[seat] = sign * value * multiplier(state)


@rule
def attackers_belote(state: CoincheState) -> int:
    """20 if one of the attackers was dealt king and queen of trump, and they count."""
    for seat in range(attackers(state), SEATS, 2):
        royals = state.royals & (state.hands[seat] | state.played[seat])
        if state.royals and royals == state.royals:
            return BELOTE_POINTS
    return 0


@rule
def gained(state: CoincheState, kind: int) -> int:
    """The card points of the attackers, or whether they have all tricks."""
    team = attackers(state)
    if kind == ALL_TRICKS:
        return int(state.tricks[team] == HAND_SIZE)
    return state.points[team]


@rule
def to_gain(state: CoincheState, kind: int) -> int:
    """The points not yet taken; all tricks until the defenders have one."""
    if kind == ALL_TRICKS:
        return int(state.phase == PLAY and state.tricks[1 - attackers(state)] == 0)
    return POINTS_OF_A_DEAL - state.points[0] - state.points[1]


# ---------------------------------------------------------------------------- sure points


@rule
def bounds(state: CoincheState, kind: int) -> tuple[int, int]:
    """What high trumps and quick tricks give to the team of the seat to lead and to the other."""
    most = to_gain(state, kind)
    if kind == ALL_TRICKS:
        return 0, most
    seat = state.seat
    mine = top_trump_points(state, seat) + quick_points(state, seat)
    theirs = top_trump_points(state, seat + 1)
    if seat & 1 == attackers(state):
        return mine, most - theirs
    return theirs, most - mine


@rule
def trump_ranks(state: CoincheState, cards: Cards) -> Cards:
    """The trumps among some cards, as ranks of one suit."""
    return cards >> HAND_SIZE * trump_suit(state.bid) & ONE_SUIT


@rule
def top_trump_points(state: CoincheState, seat: Seat) -> int:
    """The points of a team's trumps above all of the other team's: they take their tricks."""
    ours = state.hands[seat & 3] | state.hands[seat + 2 & 3]
    theirs = state.hands[seat + 1 & 3] | state.hands[seat + 3 & 3]
    above = TRUMPS_ABOVE[trump_ranks(state, theirs)]
    return TRUMP_POINTS[trump_ranks(state, ours) & above]


@rule
def quick_points(state: CoincheState, seat: Seat) -> int:
    """The points of the plain cards with which the seat to lead can take tricks at once.

    It draws trumps first, then leads the plain suits as long as no opponent can ruff.
    """
    hand, partner = state.hands[seat], state.hands[seat + 2 & 3]
    one, other = state.hands[seat + 1 & 3], state.hands[seat + 3 & 3]
    others = partner | one | other
    trumps, trump = state.trump, trump_suit(state.bid)
    drawn = popcount(trump_ranks(state, hand) & TRUMPS_ABOVE[trump_ranks(state, others)])
    one_ruffs = popcount(one & trumps) > drawn
    other_ruffs = popcount(other & trumps) > drawn
    rounds = HAND_SIZE
    if popcount(partner & trumps) > drawn:  # left with trumps alone he ruffs, and has the lead
        rounds = popcount(partner & ~trumps) + 1
    points = 0
    for number in range(SUITS):
        suit = ONE_SUIT << HAND_SIZE * number
        top = 0 if number == trump else above_plain(hand & suit, others & suit)
        while (
            top
            and rounds > 0
            and not (one_ruffs and one & suit == 0)
            and not (other_ruffs and other & suit == 0)
        ):
            card = highest(top)
            points += POINTS[trump, card]
            top ^= 1 << card
            one &= ~(one & suit & -(one & suit))
            other &= ~(other & suit & -(other & suit))
            rounds -= 1
    return points


@rule
def above_plain(cards: Cards, others: Cards) -> Cards:
    """The cards above all others, both of one plain suit."""
    return cards & -2 << highest(others) if others else cards


# ---------------------------------------------------------------------------- what is alike


@rule
def blanks(state: CoincheState) -> Cards:
    """The cards without points that lie below all others of their suit."""
    return PLAIN_BLANKS & ~state.trump | TRUMP_BLANKS & state.trump


@rule
def position_key(state: CoincheState, kind: int, key: Row) -> bool:
    """Between tricks: who holds each card, which cards with points are left and how many blanks.

    Two bits a card tell the seat. Beside them are the leader, trump, the attackers and the house
    rules of play.
    """
    if state.table:
        return False
    odd = state.hands[1] | state.hands[3]
    upper = state.hands[2] | state.hands[3]
    cards = odd | upper | state.hands[0]
    left = cards & blanks(state)
    rest = state.seat | trump_suit(state.bid) << 2 | attackers(state) << 4
    rest |= state.undertrump << 5 | state.partner_ruff << 6
    for number in range(SUITS):
        rest = rest << 2 | popcount(left >> HAND_SIZE * number & ONE_SUIT)
    key[0] = gather_bits(odd, cards) | gather_bits(upper, cards) << 32
    key[1] = cards ^ left | rest << 32
    return True


@rule
def alike(state: CoincheState, choices: Choices) -> Choices:
    """Of blanks of a hand between which no other card is left, the lowest."""
    left = state.table
    for seat in range(SEATS):
        left |= state.hands[seat]
    low = blanks(state)
    gone = low & ~left
    over = (state.hands[state.seat] & low) << 1
    over |= (over & gone) + gone  # the next place above each card, past those that are gone
    return choices & ~(over & low)


# ---------------------------------------------------------------------------- what to try first


@rule
def urge(state: CoincheState, choice: Choice) -> int:
    """Many points to a trick that is sure, then few to one that the partner may take, then few."""
    card, seat = 1 << choice, state.seat
    trump = trump_suit(state.bid)
    led = state.led if state.led else ONE_SUIT << (choice & 24)
    takes = card & state.beaters != 0
    beaters = BEATERS[trump, choice] if takes else state.beaters
    to_come = 3 if state.led == 0 else state.leader - seat - 1 & 3
    threatened = to_come > 0 and beats(state, seat + 1 & 3, led, beaters)
    helped = to_come > 1 and beats(state, seat + 2 & 3, led, beaters)
    if to_come > 2 and beats(state, seat + 3 & 3, led, beaters):
        threatened = True
    points, is_trump = POINTS[trump, choice], card & state.trump != 0
    if (takes or (state.taker ^ seat) & 1 == 0) and not threatened:
        return 200 + points - (25 if is_trump and state.led != state.trump else 0)
    if helped:
        return 100 - points
    return 50 - points - (10 if is_trump else 0)


@rule
def beats(state: CoincheState, seat: Seat, led: Cards, beaters: Cards) -> bool:
    """Whether a seat has a card that may follow and would take the trick."""
    hand = state.hands[seat]
    following = hand & led
    return (following if following else hand & state.trump) & beaters != 0
