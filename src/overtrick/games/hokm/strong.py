"""Hokm: how the rulebook `strong` chooses trump and plays.

It counts every card (see `counting.py`). Where the right card is clear it has a firm rule. Where
it is not (the lead, second hand, overtaking the partner, ruffing, discarding) it adds up the
points that the tables of `worths.py` give to the few cards that make sense, and plays the one
with most; of equals the first in the deck.
"""

from __future__ import annotations

from overtrick.cards import Card, Cards
from overtrick.games.game import Choice, choice_of, seat_of
from overtrick.games.hokm.counting import (
    CANNOT_RUFF,
    VOID,
    before,
    behind,
    cards_out,
    count_above,
    count_threats,
    is_last,
    is_partners,
    partner_of,
    ruffing,
    top_card,
    winning_cards,
)
from overtrick.games.hokm.rules import (
    HAND_SIZE,
    ONE_SUIT,
    SUITS,
    TRICKS_TO_WIN,
    HokmState,
    legal,
    suit_of,
    team_of,
    trump_suit,
)
from overtrick.games.hokm.worths import (
    DISCARD,
    DISCARD_LENGTH,
    LEAD_EQUALS,
    LEAD_LED_BEFORE,
    LEAD_LENGTH,
    LEAD_LOW,
    LEAD_MASTER,
    LEAD_NEEDED,
    LEAD_TOP,
    LEAD_TOP_LENGTH,
    LEAD_VOIDS,
    OVERRUFF,
    OVERTAKE,
    OVERTAKE_OUT,
    RUFF_OPPONENTS,
    RUFF_PARTNER,
    SECOND,
    SECOND_RUFF,
    SECOND_THREATS,
    TRUMP_CARD,
    TRUMP_LEAD_EQUALS,
    TRUMP_LEAD_LOW,
    TRUMP_LEAD_MASTERS,
    TRUMP_LEAD_TOP,
    TRUMP_LEAD_VOIDS,
)
from overtrick.jit import highest, lowest, popcount, rule

__all__ = ["strong_card", "strong_trump"]

WORTHLESS = -(1 << 30)


@rule
def strong_trump(cards: Cards) -> Choice:
    """The suit whose cards are worth most as trumps; of equals the first of S, H, D, C."""
    best, found = -1, 0
    for suit in range(len(SUITS)):
        rest = cards & trump_suit(suit)
        worth = 0
        while rest:
            worth += TRUMP_CARD[lowest(rest) % HAND_SIZE]
            rest &= rest - 1
        if worth > best:
            best, found = worth, suit
    return found


@rule
def strong_card(state: HokmState) -> Card:
    """The card to play."""
    cards = legal(state)
    if cards & cards - 1 == 0:
        return lowest(cards)
    if state.led == 0:
        return lead(state)
    return follow(state, cards) if cards & state.led else ruff_or_discard(state, cards)


# ---------------------------------------------------------------------------- the lead


@rule
def lead(state: HokmState) -> Card:
    """The best of the lowest and the top card of every suit."""
    cards = worth_leading(state)
    out = cards_out(state)
    led_before = who_led(state)
    best, found = WORTHLESS, 0
    for number in range(len(SUITS)):
        suit = ONE_SUIT << HAND_SIZE * number
        if cards & suit == 0:
            continue
        low, top = lowest(cards & suit), top_card(cards & suit, out & suit)
        worth = lead_worth(state, out, low, low == top, led_before)
        if worth > best:
            best, found = worth, low
        if low != top:
            worth = lead_worth(state, out, top, True, led_before)
            if worth > best:
                best, found = worth, top
    return found


@rule
def worth_leading(state: HokmState) -> Cards:
    """The hand, without trumps if both opponents have shown that they have none to draw."""
    me = state.seat
    side = state.hands[me] & ~state.trumps
    drawn = state.cannot[behind(me)] & state.cannot[before(me)] & state.trumps
    return side if drawn and side else state.hands[me]


@rule
def lead_worth(state: HokmState, out: Cards, card: Card, is_top: bool, led_before: int) -> int:
    """What it is worth to lead the top card of a suit, or the lowest of a longer one."""
    if state.trumps >> card & 1:
        return trump_lead_worth(state, out, card, is_top)
    suit = suit_of(card)
    hand = state.hands[state.seat]
    mine, others = hand & suit, out & suit
    length = min(popcount(mine), 6)
    above = min(count_above(others, highest(mine)), 3)
    master = 1 if is_top and above == 0 else 0
    danger = ruffers(state, suit, popcount(out & state.trumps))
    if is_top:
        worth = top_lead_worth(mine, others, card, danger)
    else:
        worth = LEAD_LOW[above, length - 2]
    worth += LEAD_LENGTH[length - 1, min(popcount(hand & state.trumps), 4)]
    worth += LEAD_VOIDS[danger, partners_ruff(state, suit, out), master]
    worth += LEAD_LED_BEFORE[led_before >> 3 * (card // HAND_SIZE) & 7, master]
    return worth + LEAD_NEEDED[tricks_to_spare(state, 0), tricks_to_spare(state, 1), master]


@rule
def top_lead_worth(mine: Cards, others: Cards, card: Card, danger: int) -> int:
    """What the top card of a side suit is worth by itself, of equals the lowest."""
    above = min(count_above(others, card), 3)
    count = min(popcount(others), 10)
    worth = LEAD_MASTER[min(danger, 2), count] if above == 0 else LEAD_TOP[above - 1, count]
    worth += LEAD_EQUALS[above, min(popcount(mine >> card) - 1, 2)]
    return worth + LEAD_TOP_LENGTH[above, min(popcount(mine), 4) - 1]


@rule
def ruffers(state: HokmState, suit: Cards, trumps_out: int) -> int:
    """Which opponents can ruff a suit: none, none that is known, the one behind, before, both."""
    next_one = ruffing(state, behind(state.seat), suit, trumps_out)
    last_one = ruffing(state, before(state.seat), suit, trumps_out)
    if next_one == CANNOT_RUFF and last_one == CANNOT_RUFF:
        return 0
    return 1 + (1 if next_one == VOID else 0) + (2 if last_one == VOID else 0)


@rule
def partners_ruff(state: HokmState, suit: Cards, out: Cards) -> int:
    """Whether the partner is not known to be void in a suit, can ruff it, or is void in vain."""
    partner = partner_of(state.seat)
    if state.cannot[partner] & suit == 0:
        return 0
    return 1 if ruffing(state, partner, suit, popcount(out & state.trumps)) == VOID else 2


@rule
def trump_lead_worth(state: HokmState, out: Cards, card: Card, is_top: bool) -> int:
    """What it is worth to draw trumps with the top or the lowest one."""
    trumps, me = state.trumps, state.seat
    hand = state.hands[me]
    trumps_out = min(popcount(out & trumps), 10)
    above = min(count_above(out & trumps, highest(hand & trumps)), 3)
    if is_top:
        equals = min(popcount((hand & trumps) >> card) - 1, 2)
        worth = TRUMP_LEAD_TOP[above, trumps_out] + TRUMP_LEAD_EQUALS[above, equals]
    else:
        worth = TRUMP_LEAD_LOW[above, min(popcount(hand & trumps), 6) - 2]
    opponents = 1 if state.cannot[behind(me)] & trumps else 0
    opponents += 1 if state.cannot[before(me)] & trumps else 0
    partner = 1 if state.cannot[partner_of(me)] & trumps else 0
    worth += TRUMP_LEAD_VOIDS[opponents, partner]
    return worth + TRUMP_LEAD_MASTERS[min(side_masters(state, out), 3), trumps_out // 3]


@rule
def side_masters(state: HokmState, out: Cards) -> int:
    """In how many side suits the seat to act holds the master."""
    side = state.hands[state.seat] & ~state.trumps
    count = 0
    for number in range(len(SUITS)):
        mine = side & ONE_SUIT << HAND_SIZE * number
        if mine and (out & ONE_SUIT << HAND_SIZE * number) >> highest(mine) == 0:
            count += 1
    return count


@rule
def who_led(state: HokmState) -> int:
    """Three bits a suit: 1 if the opponent before has led it, 2 the one behind, 4 the partner."""
    found = 0
    tricks = state.tricks[0] + state.tricks[1]
    for turn in range(state.turn - 4 * tricks, state.turn, 4):
        event = state.history[turn]
        distance = seat_of(event) - state.seat & 3
        if distance:
            bit = 2 if distance == 1 else 4 if distance == 2 else 1
            found |= bit << 3 * (choice_of(event) // HAND_SIZE)
    return found


@rule
def tricks_to_spare(state: HokmState, opponents: int) -> int:
    """How many tricks the own team, or the other, needs beyond the next: none, one, or two."""
    team = team_of(state.seat + opponents)
    return min(max(TRICKS_TO_WIN - 1 - state.tricks[team], 0), 2)


# ---------------------------------------------------------------------------- following suit


@rule
def follow(state: HokmState, cards: Cards) -> Card:
    """The lowest card if the trick cannot be won or, by the last hand, is the partner's."""
    winners = winning_cards(state, cards)
    if winners == 0:
        return lowest(cards)
    if is_last(state):
        return lowest(cards) if is_partners(state) else lowest(winners)
    out = cards_out(state)
    top = top_card(cards, (out | state.table) & state.led)
    if partner_of(state.seat) == state.leader and not is_partners(state):
        return top
    return best_follow(state, cards, lowest(winners), top, out)


@rule
def best_follow(state: HokmState, cards: Cards, cheap: Card, top: Card, out: Cards) -> Card:
    """The best of the lowest card, the cheapest that wins as the trick lies, and the top."""
    best, found = WORTHLESS, lowest(cards)
    if found < cheap:
        best = 0
    worth = winner_worth(state, cheap, out)
    if worth > best:
        best, found = worth, cheap
    if top > cheap and winner_worth(state, top, out) > best:
        return top
    return found


@rule
def winner_worth(state: HokmState, card: Card, out: Cards) -> int:
    """What a card that wins as the trick lies is worth, measured by the lowest card."""
    led = state.led
    above = min(count_above(out & led, card), 4)
    threats = min(count_threats(state, out), 4)
    others = min(popcount(out & led), 9) // 2
    trump = 1 if led == state.trumps else 0
    if partner_of(state.seat) == state.leader:
        return OVERTAKE[threats, above] + OVERTAKE_OUT[trump, others]
    ruffer = ruffing_behind(state, out)
    master = 1 if above == 0 else 0
    return SECOND[above, others] + SECOND_THREATS[trump, threats] + SECOND_RUFF[ruffer, master]


@rule
def ruffing_behind(state: HokmState, out: Cards) -> int:
    """Whether the opponent behind, still to play, can ruff the led suit."""
    if is_last(state) or state.led == state.trumps:
        return CANNOT_RUFF
    return ruffing(state, behind(state.seat), state.led, popcount(out & state.trumps))


# ---------------------------------------------------------------------------- void in the led suit


@rule
def ruff_or_discard(state: HokmState, cards: Cards) -> Card:
    """The best of the cheapest ruff that wins and the lowest card of every side suit.

    The last hand never ruffs a trick of its partner's.
    """
    out = cards_out(state)
    best, found = WORTHLESS, lowest(cards)
    for number in range(len(SUITS)):
        mine = cards & ~state.trumps & ONE_SUIT << HAND_SIZE * number
        if mine:
            trumps = popcount(cards & state.trumps)
            worth = discard_worth(mine, out & ONE_SUIT << HAND_SIZE * number, trumps)
            if worth > best:
                best, found = worth, lowest(mine)
    winners = winning_cards(state, cards)
    if winners == 0 or (is_last(state) and is_partners(state)):
        return found
    return lowest(winners) if ruff_worth(state, lowest(winners), out) > best else found


@rule
def discard_worth(mine: Cards, others: Cards, trumps: int) -> int:
    """What it is worth to throw the lowest card of a suit, by what is left to guard or to ruff."""
    above = min(count_above(others, highest(mine)), 3)
    length = popcount(mine)
    return DISCARD[above, min(length, 4) - 1] + DISCARD_LENGTH[min(length, 6) - 1, min(trumps, 3)]


@rule
def ruff_worth(state: HokmState, card: Card, out: Cards) -> int:
    """What it is worth to take the trick with this trump."""
    others = min(popcount(out & state.led), 9) // 2
    if is_partners(state):
        worth = RUFF_PARTNER[min(count_threats(state, out), 4), others]
    else:
        worth = RUFF_OPPONENTS[1 if is_last(state) else 0, others]
    if is_last(state):
        return worth
    third = 1 if partner_of(state.seat) == state.leader else 0
    above = min(count_above(out & state.trumps, card), 4)
    return worth + OVERRUFF[third, ruffing_behind(state, out), above]
