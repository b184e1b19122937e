"""Hokm: worlds in which the hakem's cards explain a trump that was taken automatically.

With `trump_policy=heuristic` the trump follows from the cards on which it is chosen, so the
others may rule out every deal in which these would have given another suit. How likely a hand of
the hakem's is then depends on all its cards, which no set of places can tell. So the whole
arrangement is drawn here, together with the hakem's first cards, evenly and again and again
until the first cards give the trump: what is left is even over all deals that do.

Plays prove nothing but voids in whole suits. How many cards of each suit the hakem holds, the
*split*, settles how many arrangements there are: those are counted exactly for every split, a
split is drawn in proportion, then cards. It takes four draws on average, since every suit is as
likely as another to be trump. The rarest views leave the hakem a single hand of eight, out of at
most 26 cards of two suits: one in 1.6 million, and the bound on draws is forty times that. A view
from outside may leave none at all, so after some draws in vain it is settled whether there is one.
"""

from __future__ import annotations

from math import comb

import numpy as np

from overtrick.cards import Cards
from overtrick.errors import NoWorldFound
from overtrick.games.game import Row, Seat, draw_cards
from overtrick.games.hokm.rules import (
    ALL_CARDS,
    HAND_SIZE,
    ONE_SUIT,
    SEATS,
    SUITS,
    SUITS_IN_THE_DECK,
    HokmState,
    heuristic_trump,
    trump_suit,
)
from overtrick.jit import below_large, popcount, rule

__all__ = ["settle_automatic_trump"]

MOST_SPLITS = comb(HAND_SIZE + 3, 3)
MOST_DRAWS = 1 << 26
DRAWS_BEFORE_DOUBT = 1 << 14
SPLIT_BITS = 4
UNSEEN_AT_MOST = 39
WAYS_TO_CHOOSE = np.array(
    [[comb(n, k) for k in range(UNSEEN_AT_MOST + 1)] for n in range(UNSEEN_AT_MOST + 1)],
    dtype=np.int64,
)


@rule
def settle_automatic_trump(view: HokmState, stream: Row) -> None:
    """Draw the three hidden hands and the hakem's first cards."""
    hakem, me = view.hakem, view.viewer
    one = hakem + 1 & 3 if hakem + 1 & 3 != me else hakem + 2 & 3
    other = 6 - hakem - me - one  # 0 + 1 + 2 + 3, less the three others
    unseen = ALL_CARDS & ~view.hands[me]
    for seat in range(SEATS):
        unseen &= ~view.played[seat]
    draw_hakem(view, one, other, unseen, stream)
    rest = unseen & ~view.hands[hakem]
    both_may = rest & ~(view.cannot[one] | view.cannot[other])
    only_one_may = rest & view.cannot[other]
    room = room_of(view, one) - popcount(only_one_may)
    view.hands[one] = only_one_may | draw_cards(both_may, room, stream)
    view.hands[other] = rest & ~view.hands[one]


@rule
def room_of(view: HokmState, seat: Seat) -> int:
    """How many cards a seat holds."""
    return HAND_SIZE - popcount(view.played[seat])


@rule
def draw_hakem(view: HokmState, one: Seat, other: Seat, unseen: Cards, stream: Row) -> None:
    """Draw the hakem's hand and his first cards, until these give the trump."""
    splits = np.empty(MOST_SPLITS, dtype=np.int64)
    ways_up_to = np.empty(MOST_SPLITS, dtype=np.int64)
    count = list_splits(view, one, other, unseen, splits, ways_up_to)
    for number in range(MOST_DRAWS):
        if number == DRAWS_BEFORE_DOUBT and not can_be_explained(view, unseen, splits[:count]):
            break
        drawn = below_large(stream, ways_up_to[count - 1])
        split = splits[np.searchsorted(ways_up_to[:count], drawn, side="right")]
        hand = 0
        for suit in range(len(SUITS)):
            cards = unseen & ONE_SUIT << HAND_SIZE * suit
            hand |= draw_cards(cards, held_of(split, suit), stream)
        first = draw_cards(hand | view.played[view.hakem], view.trump_choice_cards, stream)
        if trump_suit(heuristic_trump(first)) == view.trumps:
            view.hands[view.hakem] = hand
            view.first_cards = first
            return
    raise NoWorldFound("hokm: no hand of the hakem's was found that explains the trump")


@rule
def held_of(split: int, suit: int) -> int:
    """How many cards of a suit, counted as in the deck, the hakem holds in a split."""
    return split >> SPLIT_BITS * suit & (1 << SPLIT_BITS) - 1


@rule
def list_splits(
    view: HokmState, one: Seat, other: Seat, unseen: Cards, splits: Row, ways_up_to: Row
) -> int:
    """Write every possible split and the arrangements up to and including it; how many splits."""
    room = room_of(view, view.hakem)
    count, total = 0, 0
    for clubs in range(room + 1):
        for diamonds in range(room - clubs + 1):
            for spades in range(room - clubs - diamonds + 1):
                hearts = room - clubs - diamonds - spades
                split = clubs | diamonds << SPLIT_BITS | spades << 2 * SPLIT_BITS
                split |= hearts << 3 * SPLIT_BITS
                ways = arrangements(view, one, other, unseen, split)
                if ways:
                    total += ways
                    splits[count] = split
                    ways_up_to[count] = total
                    count += 1
    return count


@rule
def arrangements(view: HokmState, one: Seat, other: Seat, unseen: Cards, split: int) -> int:
    """In how many ways the unseen cards can lie with this split; at most 39!/13!³, so it fits."""
    ways, free = 1, 0
    room = room_of(view, one)
    for suit in range(len(SUITS)):
        cards = unseen & ONE_SUIT << HAND_SIZE * suit
        held = held_of(split, suit)
        rest = popcount(cards) - held
        if rest < 0 or (held and cards & view.cannot[view.hakem]):
            return 0
        ways *= WAYS_TO_CHOOSE[popcount(cards), held]
        if cards & view.cannot[other]:
            if rest and cards & view.cannot[one]:
                return 0
            room -= rest
        elif cards & view.cannot[one] == 0:
            free += rest
    return ways * WAYS_TO_CHOOSE[free, room] if 0 <= room <= free else 0


# ---------------------------------------------------------------------------- is there any


@rule
def can_be_explained(view: HokmState, unseen: Cards, splits: Row) -> bool:
    """Whether any hand of the hakem's has first cards that give the trump."""
    size = view.trump_choice_cards
    most = np.zeros(len(SUITS), dtype=np.int64)
    for split in splits:
        for suit in range(len(SUITS)):
            played = view.played[view.hakem] & ONE_SUIT << HAND_SIZE * suit
            most[suit] = min(size, held_of(split, suit) + popcount(played))
        for clubs in range(most[0] + 1):
            for diamonds in range(most[1] + 1):
                for spades in range(most[2] + 1):
                    hearts = size - clubs - diamonds - spades
                    if 0 <= hearts <= most[3]:
                        first = clubs | diamonds << SPLIT_BITS | spades << 2 * SPLIT_BITS
                        first |= hearts << 3 * SPLIT_BITS
                        if may_give_trump(view, unseen, split, first):
                            return True
    return False


@rule
def may_give_trump(view: HokmState, unseen: Cards, split: int, first: int) -> bool:
    """Whether first cards with so many of each suit may give the trump: high trumps, low rest."""
    trump, comes_after = 0, False
    for suit in range(len(SUITS)):
        if trump_suit(suit) == view.trumps:
            trump = worth_at_best(view, unseen, split, first, SUITS_IN_THE_DECK[suit], True)
    for suit in range(len(SUITS)):
        if trump_suit(suit) == view.trumps:
            comes_after = True
            continue
        rest = worth_at_best(view, unseen, split, first, SUITS_IN_THE_DECK[suit], False)
        if rest > trump or (rest == trump and not comes_after):
            return False
    return True


@rule
def worth_at_best(
    view: HokmState, unseen: Cards, split: int, first: int, suit: int, high: bool
) -> int:
    """The highest or lowest worth of first cards of a suit, as `heuristic_trump` counts it."""
    played = view.played[view.hakem] >> HAND_SIZE * suit & ONE_SUIT
    drawn = unseen >> HAND_SIZE * suit & ONE_SUIT
    wanted, held = held_of(first, suit), held_of(split, suit)
    worth = wanted << 10
    for step in range(HAND_SIZE):
        rank = HAND_SIZE - 1 - step if high else step
        is_held = drawn >> rank & 1 and held > 0
        if wanted and (played >> rank & 1 or is_held):
            worth += rank + 2
            wanted -= 1
            held -= drawn >> rank & 1
    return worth
