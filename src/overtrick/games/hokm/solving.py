"""Hokm: what the exact solver asks.

The side is team 0, seats 0 and 2. Its gains are tricks: all thirteen count if the deal is played
to the end, with `stop_at_seven` those up to the seventh of a team. Payoffs need less, whether team
0 wins and whether there is a kot, and ask so in kinds of their own. A deal in which trump is still
to be chosen has its two sides too: the hakem then chooses with all cards in sight.

A card is *above* others if it is higher than all of them; suits are taken one at a time.
"""

from __future__ import annotations

from overtrick.cards import Card, Cards
from overtrick.games.game import NOBODY, Choice, Choices, Row, Seat
from overtrick.games.hokm.counting import before, behind, partner_of
from overtrick.games.hokm.rules import (
    ALL_CARDS,
    HAND_SIZE,
    ONE_SUIT,
    PLAY,
    SEATS,
    SUITS,
    TRICKS_TO_WIN,
    HokmState,
    strength,
    suit_of,
    team_of,
)
from overtrick.jit import gather_bits, highest, lowest, popcount, rule

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

TEAM_0 = 0b0101

# Kinds of gains. WIN counts the tricks as TRICKS does without `stop_at_seven`, so that positions
# with different scores share what is known of them; the others are 0 or 1.
TRICKS, WIN, MAKE_KOT, AVOID_KOT = range(4)
KOT_AGAINST, LOST, WON, KOT_FOR = range(4)

SUIT_SIZE_BITS, SEAT_BITS, TRUMP_BITS = 4, 2, 2
FREE_BITS = 52  # a key has all cards in its lower bits


@rule
def sides(state: HokmState) -> int:
    """Seats 0 and 2 against 1 and 3."""
    return TEAM_0


# ---------------------------------------------------------------------------- the goals


@rule
def rungs(state: HokmState) -> int:
    """Lost by a kot, lost, won, won by a kot."""
    return 4


@rule
def rung(state: HokmState, number: int, goal: Row, won: Row) -> None:
    """Nothing, a trick before the others have seven, seven tricks, seven before they have one."""
    ours = team_of(state.hakem) == 0
    value = 1
    goal[1] = 1
    if number == KOT_AGAINST:
        value = state.hakem_kot_points if ours else state.kot_points
        goal[0] = AVOID_KOT
        goal[1] = 0
    elif number == LOST:
        goal[0] = AVOID_KOT
    elif number == WON:
        goal[0] = WIN
        goal[1] = TRICKS_TO_WIN
    else:
        value = state.kot_points if ours else state.hakem_kot_points
        goal[0] = MAKE_KOT
    for seat in range(SEATS):
        won[seat] = value if (team_of(seat) == 0) == (number >= WON) else -value


@rule
def gained(state: HokmState, kind: int) -> int:
    """The tricks of team 0. When it has lost, those of WIN are at most six, however few it has."""
    if kind == MAKE_KOT:
        return int(state.winner == 0 and state.kot == 1)
    if kind == AVOID_KOT:
        return int(state.tricks[0] > 0 and not (state.winner == 1 and state.kot == 1))
    if kind == WIN and state.winner == 1:
        return TRICKS_TO_WIN - 1
    return state.tricks[0]


@rule
def to_gain(state: HokmState, kind: int) -> int:
    """The tricks to be taken, that on the table included; a kot ends with the first trick lost."""
    if kind == MAKE_KOT:
        return int(state.winner == NOBODY and state.tricks[1] == 0)
    if kind == AVOID_KOT:
        return int(state.winner == NOBODY and state.tricks[0] == 0)
    if kind == WIN and state.winner == 1:
        return 0
    return HAND_SIZE - state.tricks[0] - state.tricks[1]


@rule
def counts_all_tricks(state: HokmState, kind: int) -> bool:
    """Whether what can be added does not depend on the score."""
    return kind == WIN or (kind == TRICKS and state.stop_at_seven == 0)


# ---------------------------------------------------------------------------- sure tricks


@rule
def bounds(state: HokmState, kind: int) -> tuple[int, int]:
    """What quick tricks and high trumps give to the side of the seat to lead and to the other."""
    most = to_gain(state, kind)
    if not counts_all_tricks(state, kind):
        return 0, most
    seat = state.seat
    mine = max(quick_tricks(state, seat), top_trumps(state, seat))
    theirs = top_trumps(state, behind(seat))
    if team_of(seat) == 0:
        return mine, most - theirs
    return theirs, most - mine


@rule
def above(cards: Cards, others: Cards) -> Cards:
    """The cards above all others, both of one suit."""
    return cards & -2 << highest(others) if others else cards


@rule
def top_trumps(state: HokmState, seat: Seat) -> int:
    """How many tricks the trumps above all of the opponents' take for a team, whoever leads.

    Each takes its trick, by itself or because the partner's is higher still; so there are as many
    tricks as one hand has such trumps.
    """
    trumps = state.trumps
    theirs = (state.hands[behind(seat)] | state.hands[before(seat)]) & trumps
    one = above(state.hands[seat] & trumps, theirs)
    other = above(state.hands[partner_of(seat)] & trumps, theirs)
    return max(popcount(one), popcount(other))


@rule
def quick_tricks(state: HokmState, seat: Seat) -> int:
    """How many tricks the seat to lead can take from its own hand, one after the other.

    It draws trumps first, then leads the plain suits as long as no opponent can ruff.
    """
    trumps = state.trumps
    partner = state.hands[partner_of(seat)]
    drawn = rounds_won(state, seat, trumps)
    next_ruffs = popcount(state.hands[behind(seat)] & trumps) > drawn
    last_ruffs = popcount(state.hands[before(seat)] & trumps) > drawn
    plain = 0
    for number in range(len(SUITS)):
        suit = ONE_SUIT << HAND_SIZE * number
        if suit != trumps and state.hands[seat] & suit:
            rounds = rounds_won(state, seat, suit)
            if next_ruffs:
                rounds = min(rounds, popcount(state.hands[behind(seat)] & suit))
            if last_ruffs:
                rounds = min(rounds, popcount(state.hands[before(seat)] & suit))
            plain += rounds
    if popcount(partner & trumps) > drawn:  # left with trumps alone he ruffs, and has the lead
        plain = min(plain, popcount(partner & ~trumps) + 1)
    return drawn + plain


@rule
def rounds_won(state: HokmState, seat: Seat, suit: Cards) -> int:
    """How many rounds of a suit a hand wins in a row if nobody ruffs: all, once it alone has it."""
    held = state.hands[seat] & suit
    others, longest = 0, 0
    for offset in range(1, SEATS):
        other = state.hands[seat + offset & 3] & suit
        others |= other
        longest = max(longest, popcount(other))
    top = popcount(above(held, others))
    return popcount(held) if top >= longest else top


# ---------------------------------------------------------------------------- what is alike


@rule
def position_key(state: HokmState, kind: int, key: Row) -> bool:
    """Between tricks: who holds each card, the cards of a suit counted from the lowest one left.

    Two bits a card tell the seat, one in each word. Above them are the sizes of the suits, the
    leader and trump, and the score where it matters.
    """
    if state.phase != PLAY or state.table:
        return False
    odd = state.hands[1] | state.hands[3]
    upper = state.hands[2] | state.hands[3]
    cards = odd | upper | state.hands[0]
    sizes = 0
    for number in range(len(SUITS) - 1):
        size = popcount(cards >> HAND_SIZE * number & ONE_SUIT)
        sizes |= size << SUIT_SIZE_BITS * number
    rest = popcount(cards >> HAND_SIZE * (len(SUITS) - 1))
    rest = rest << SEAT_BITS | state.seat
    rest = rest << TRUMP_BITS | lowest(state.trumps) * 5 >> 6
    if not counts_all_tricks(state, kind):
        rest |= 1 + state.tricks[1] << SUIT_SIZE_BITS + SEAT_BITS + TRUMP_BITS
    key[0] = gather_bits(odd, cards) | sizes << FREE_BITS
    key[1] = gather_bits(upper, cards) | rest << FREE_BITS
    return True


@rule
def alike(state: HokmState, choices: Choices) -> Choices:
    """Of cards of a hand between which no other is left, the lowest."""
    if state.phase != PLAY:
        return choices
    left = state.table
    for seat in range(SEATS):
        left |= state.hands[seat]
    gone = ALL_CARDS & ~left
    over = state.hands[state.seat] << 1
    over |= (over & gone) + gone  # the next place above each card, past those that are gone
    for number in range(len(SUITS)):
        suit = left & ONE_SUIT << HAND_SIZE * number
        over &= ~(suit & -suit)  # the lowest of a suit is not above one of another suit
    return choices & ~over


# ---------------------------------------------------------------------------- what to try first


@rule
def urge(state: HokmState, choice: Choice) -> int:
    """Lead winners, then to the partner's; follow with the cheapest card that takes the trick.

    Where the trick is the partner's, or cannot be taken, the lowest card comes first.
    """
    if state.phase != PLAY:
        return 0
    rank = choice - HAND_SIZE * (choice * 5 >> 6)
    if state.led == 0:
        return urge_to_lead(state, choice, rank)
    card, seat = 1 << choice, state.seat
    power = strength(card, card & state.led, state.trumps)
    threat, help_to_come = 0, 0
    if behind(seat) != state.leader:
        threat = strongest(state, behind(seat), state.led)
        if partner_of(seat) != state.leader:
            help_to_come = strongest(state, partner_of(seat), state.led)
            if before(seat) != state.leader:
                threat = max(threat, strongest(state, before(seat), state.led))
    cheap = -rank
    if card & state.trumps and state.led != state.trumps:
        cheap -= HAND_SIZE
    partners = state.best if team_of(state.taker) == team_of(seat) else 0
    if power > max(state.best, threat) and partners <= threat:
        return 200 + cheap
    if max(partners, help_to_come) > max(threat, state.best - 1):
        return 100 + cheap
    return cheap


@rule
def urge_to_lead(state: HokmState, card: Card, rank: int) -> int:
    seat, suit = state.seat, suit_of(card)
    theirs = max(strongest(state, behind(seat), suit), strongest(state, before(seat), suit))
    if strength(1 << card, 1 << card, state.trumps) > theirs:
        return 200 + rank
    if strongest(state, partner_of(seat), suit) > theirs:
        return 100 - rank
    return -rank


@rule
def strongest(state: HokmState, seat: Seat, led: Cards) -> int:
    """The strength of the best card that a seat may play to a suit."""
    hand = state.hands[seat]
    following = hand & led
    cards = following if following else hand & state.trumps
    if cards == 0:
        return 0
    card = 1 << highest(cards)
    return strength(card, card & led, state.trumps)
