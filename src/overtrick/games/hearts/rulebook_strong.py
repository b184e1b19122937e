"""Hearts: the strong player, who weighs every card by what it may cost.

The cost of a card is what the trick may bring if the card takes it, less the relief of not
holding it any longer. All is counted in hundredths of a point.
"""

from __future__ import annotations

from typing import NamedTuple

from overtrick.cards import HEARTS, Card, Cards
from overtrick.games.game import Choice
from overtrick.games.hearts.chances import (
    CERTAIN,
    HOLDS_IF_COVERED,
    HOLDS_IF_DUCKED,
    SHOWS_OUT,
)
from overtrick.games.hearts.holdings import (
    KING_AND_ACE,
    Holding,
    cards_out,
    danger_of,
    holding,
    relief,
)
from overtrick.games.hearts.moon import (
    NO_DANGER,
    moon_danger,
    shooters_card,
    shoots,
    tricks_in_a_row,
)
from overtrick.games.hearts.passing import strong_pass
from overtrick.games.hearts.prices import (
    COVERING,
    FEEDING,
    FLUSHING,
    HEART_FOLLOWS,
    HEART_RELIEF,
    HEARTS_THROWN,
    QUEEN_FALLS,
    QUEEN_THROWN,
    RELIEF,
    STOPPER,
    STOPPER_IN_A_RUN,
    STOPPING,
    TO_LEAD,
)
from overtrick.games.hearts.rules import (
    ALL_HEARTS,
    HAND_SIZE,
    ONE_SUIT,
    PASS,
    POINT_CARDS,
    QUEEN_OF_SPADES,
    SEATS,
    HeartsState,
    legal,
    trick_points,
)
from overtrick.jit import highest, lowest, popcount, rule

__all__ = ["strong_choice"]


class Outlook(NamedTuple):
    """What is the same for all cards that a seat may play."""

    per_discard: int  # what a seat that shows out may throw
    to_lead: int  # the price of the next lead
    danger: int  # how near somebody else is to the moon
    run: int  # tricks in a row won by who may be shooting


@rule
def strong_choice(state: HeartsState) -> Choice:
    """What the strong player passes or plays."""
    choices = legal(state)
    if choices & choices - 1 == 0:
        return lowest(choices)
    if state.phase == PASS:
        return strong_pass(state, choices)
    hand = state.hands[state.seat]
    out = cards_out(state, hand)
    if shoots(state, hand, out):
        return shooters_card(state, choices, out)
    return cheapest(state, choices, hand, out)


@rule
def cheapest(state: HeartsState, choices: Cards, hand: Cards, out: Cards) -> Card:
    """The card of the least cost; of several, that of the lowest suit, there the highest."""
    outlook = outlook_of(state, out)
    chosen = lowest(choices)
    least = 1 << 60
    for suit in range(SEATS):
        mine = choices & ONE_SUIT << HAND_SIZE * suit
        if mine == 0:
            continue
        held = holding(state, suit, hand, out)
        mine = worth_a_thought(mine, state.best if state.led & mine else 0)
        fear = danger_of(held, held.own, outlook.per_discard)
        while mine:
            card = highest(mine)
            mine ^= 1 << card
            spared = relief(held, 1 << card, outlook.per_discard, fear)
            cost = cost_of(state, 1 << card, held, outlook) - worth_of(spared, suit, outlook)
            if cost < least:
                least = cost
                chosen = card
    return chosen


@rule
def outlook_of(state: HeartsState, out: Cards) -> Outlook:
    """What all cards of this choice have in common."""
    danger = moon_danger(state)
    third = 0 if state.tricks < 4 else (1 if state.tricks < 9 else 2)
    run = tricks_in_a_row(state, danger)
    return Outlook(discard_feared(state, out), TO_LEAD[third], danger, run)


@rule
def discard_feared(state: HeartsState, out: Cards) -> int:
    """What a seat that shows out may throw on a trick."""
    if state.tricks == 0 and state.no_points_first_trick:
        return 0
    hearts = popcount(out & ALL_HEARTS)
    amount = 0 if hearts == 0 else (1 if hearts <= 2 else (2 if hearts <= 5 else 3))
    return HEARTS_THROWN[amount] + (QUEEN_THROWN if out & QUEEN_OF_SPADES else 0)


@rule
def worth_a_thought(cards: Cards, best: Cards) -> Cards:
    """Of a suit: the highest card, the highest that ducks and the lowest that does not.

    Of spades also the highest under the queen; on lead, `best` is 0 and nothing ducks.
    """
    found = 1 << highest(cards)
    under_queen = cards & QUEEN_OF_SPADES - 1
    if under_queen:
        found |= 1 << highest(under_queen)
    ducking = cards & best - 1 if best else 0
    if ducking:
        found |= 1 << highest(ducking)
    beating = cards ^ ducking
    return found | beating & -beating


@rule
def worth_of(spared: int, suit: int, outlook: Outlook) -> int:
    """How much a relief counts: little when the card may be needed against a shooter."""
    percent = HEART_RELIEF if suit == HEARTS else RELIEF
    return spared * percent[outlook.danger] // 100


@rule
def cost_of(state: HeartsState, card: Cards, held: Holding, outlook: Outlook) -> int:
    """What a card may cost: with the trick, or by helping somebody who shoots."""
    if state.led == 0:
        return taking_cost(state, card, held, outlook) - flushing(state, card, held)
    if card & state.led and card > state.best:
        return taking_cost(state, card, held, outlook)
    return helping_cost(state, card, held, outlook)


@rule
def taking_cost(state: HeartsState, card: Cards, held: Holding, outlook: Outlook) -> int:
    """What a card may cost by taking the trick; against a shooter it may gain."""
    cost = trick_feared(state, card, held, outlook.per_discard)
    if outlook.danger != NO_DANGER and cost > 0:
        cost -= STOPPING[outlook.danger] * min(cost, 100) // 100
    return chance_to_take(card, held) * (cost + outlook.to_lead) // CERTAIN


@rule
def chance_to_take(card: Cards, held: Holding) -> int:
    """The chance, in thousandths, that nobody still to play beats a card."""
    below = popcount(held.out & card - 1)
    above = popcount(held.out) - below
    ducked = HOLDS_IF_DUCKED[held.holders, held.to_follow, below, above]
    covered = HOLDS_IF_COVERED[held.holders, held.to_follow, above]
    percent = COVERING[held.suit]
    return (ducked * (100 - percent) + covered * percent) // 100


@rule
def trick_feared(state: HeartsState, card: Cards, held: Holding, per_discard: int) -> int:
    """What the trick may cost who takes it with this card."""
    shows_out = SHOWS_OUT[held.holders, popcount(held.out)]
    discards = CERTAIN * held.to_discard + shows_out * held.to_follow
    cost = 100 * trick_points(state.table | card) + per_discard * discards // CERTAIN
    if held.suit == HEARTS:
        cost += held.to_follow * (CERTAIN - shows_out) * HEART_FOLLOWS // CERTAIN
    if held.out & QUEEN_OF_SPADES and card > QUEEN_OF_SPADES:
        cost += queen_to_come(state) * QUEEN_FALLS // 100
    return cost


@rule
def queen_to_come(state: HeartsState) -> int:
    """The chance, in percent, that a seat still to play has the queen of spades, who is out."""
    to_play = SEATS - 1 - popcount(state.table)
    if state.passed[state.seat] & QUEEN_OF_SPADES:
        return 100 if state.direction <= to_play else 0
    seats = 0
    to_come = 0
    for step in range(1, SEATS):
        if state.cannot[state.seat + step & 3] & QUEEN_OF_SPADES == 0:
            seats += 1
            to_come += 1 if step <= to_play else 0
    return 100 * to_come // max(seats, 1)


@rule
def flushing(state: HeartsState, card: Cards, held: Holding) -> int:
    """The worth of a low spade led by a seat that has nothing to catch the queen with.

    Nothing when the seat passed her away: then it knows where she is.
    """
    if not held.out & QUEEN_OF_SPADES or card > QUEEN_OF_SPADES or held.own & KING_AND_ACE:
        return 0
    return 0 if state.passed[state.seat] & QUEEN_OF_SPADES else FLUSHING


@rule
def helping_cost(state: HeartsState, card: Cards, held: Holding, outlook: Outlook) -> int:
    """What a card that does not take the trick does for a shooter: its points, a stopper less."""
    if outlook.danger == NO_DANGER:
        return 0
    cost = 0
    if held.out and card > held.out:
        cost += STOPPER[outlook.danger] + outlook.run * STOPPER_IN_A_RUN
    if card & POINT_CARDS:
        feeding = FEEDING[outlook.danger]
        cost += feeding if state.points[state.taker] else -feeding
    return cost
