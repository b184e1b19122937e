"""Coinche: the two deterministic players of the Coinche paper, as its appendix B prints them.

What the paper leaves open is decided here and listed on the game's page. Neither player ever
coinches or surcoinches.
"""

from __future__ import annotations

from overtrick.cards import Card, Cards
from overtrick.games.coinche.rulebook_judging import (
    ACES,
    bid_of,
    cheapest,
    last_bid_of,
    level_of,
    partner_of,
    side_aces,
    strongest,
    suit_cards,
    weakest,
)
from overtrick.games.coinche.rules import (
    DECK,
    HAND_SIZE,
    PASS,
    SUITS,
    CoincheState,
    legal,
    trump_suit,
)
from overtrick.games.game import Choice, Row
from overtrick.jit import below, highest, lowest, popcount, rule

__all__ = ["simple_call", "simple_card", "strong_call", "strong_card"]

NINE, JACK, TEN, ACE = (DECK.set(name) for name in ("9S", "JS", "TS", "AS"))
JACK_AND_NINE: Cards = JACK | NINE
FOUR_HIGHEST: Cards = JACK | NINE | ACE | TEN

EIGHTY, NINETY, HUNDRED_AND_TEN = 1, 2, 4  # as `level_of` counts
MANY = 10  # more than a hand holds of a suit


# ---------------------------------------------------------------------------- the auction


@rule
def simple_call(state: CoincheState) -> Choice:
    """The beginner's call."""
    partners = last_bid_of(state, partner_of(state.seat))
    if partners:
        return raised(state, partners, alone_counts=True)
    return opening(state, strong=False)


@rule
def strong_call(state: CoincheState) -> Choice:
    """The stronger player's call: it asks for more cards in the suit it bids."""
    partners = last_bid_of(state, partner_of(state.seat))
    if partners:
        return raised(state, partners, alone_counts=False)
    return opening(state, strong=True)


@rule
def opening(state: CoincheState, strong: bool) -> Choice:
    """The best own suit, ten higher over an opponent's 80; nothing over more than that."""
    over = level_of(state.bid)
    if over > EIGHTY or state.doubled:
        return PASS
    hand = state.hands[state.seat]
    best = 0
    suit_of_best = 0
    length_of_best = 0
    for suit in range(SUITS):
        level = strong_level(hand, suit) if strong else simple_level(hand, suit)
        length = popcount(hand & suit_cards(suit))
        if level > best or (level == best and length > length_of_best):
            best = level
            suit_of_best = suit
            length_of_best = length
    return bid_of(best + over, suit_of_best) if best else PASS


@rule
def simple_level(hand: Cards, suit: int) -> int:
    """What the beginner opens in a suit with: 90, 80 or nothing."""
    cards = hand >> HAND_SIZE * suit & 0xFF
    others = popcount(cards) - 1
    has_ace = side_aces(hand, suit) != 0
    if cards & JACK_AND_NINE == JACK_AND_NINE and (others >= 2 or has_ace):
        return NINETY
    if cards & JACK_AND_NINE and (others >= 2 or (others == 1 and has_ace)):
        return EIGHTY
    return 0


@rule
def strong_level(hand: Cards, suit: int) -> int:
    """What the stronger player opens in a suit with: 110, 90, 80 or nothing."""
    cards = hand >> HAND_SIZE * suit & 0xFF
    others = popcount(cards) - 1
    if cards & FOUR_HIGHEST == FOUR_HIGHEST:
        return HUNDRED_AND_TEN
    if cards & JACK_AND_NINE == JACK_AND_NINE and others >= 2:
        return NINETY
    if cards & JACK_AND_NINE and (others >= 2 or cards & ACE):
        return EIGHTY
    return 0


@rule
def raised(state: CoincheState, partners: Choice, alone_counts: bool) -> Choice:
    """The partner's 80 or 90 raised by what the hand adds, if that is still above all bids.

    20 for the jack of trump, ten for the nine, ten for each ace beside; with `alone_counts` the
    nine is worth ten without another trump too.
    """
    if level_of(partners) > NINETY or state.doubled:
        return PASS
    suit = trump_suit(partners)
    hand = state.hands[state.seat]
    trumps = hand >> HAND_SIZE * suit & 0xFF
    tens = popcount(side_aces(hand, suit))
    if trumps & JACK:
        tens += 2
    if trumps & NINE and (alone_counts or trumps != NINE):
        tens += 1
    level = level_of(partners) + tens
    return bid_of(level, suit) if level > level_of(state.bid) else PASS


# ---------------------------------------------------------------------------- the cards


@rule
def simple_card(state: CoincheState, stream: Row) -> Card:
    """The highest card: of trump if it may be played, else of any suit; chance breaks ties."""
    cards = legal(state)
    if cards & state.trump:
        return strongest(state, cards & state.trump)
    return any_of_the_highest(cards, stream)


@rule
def any_of_the_highest(cards: Cards, stream: Row) -> Card:
    """One of the cards of the highest rank in plain suits, each as likely as the others."""
    top = 0
    for suit in range(SUITS):
        top = max(top, cards >> HAND_SIZE * suit & 0xFF)
    rank = highest(top)
    ties = cards & (ACES >> 7 << rank)
    pick = below(stream, popcount(ties))
    for _ in range(pick):
        ties &= ties - 1
    return lowest(ties)


@rule
def strong_card(state: CoincheState) -> Card:
    """To lead, by the side; else the smallest card that takes the trick, or the cheapest."""
    cards = legal(state)
    if state.led == 0:
        attacks = (state.seat ^ state.bidder) & 1 == 0
        return attackers_lead(state, cards) if attacks else defenders_lead(state, cards)
    taking = cards & state.beaters
    return weakest(state, taking) if taking else cheapest(state, cards)


@rule
def attackers_lead(state: CoincheState, hand: Cards) -> Card:
    """The highest trump, else the ace of the longest suit, else from the shortest suit."""
    if hand & state.trump:
        return strongest(state, hand & state.trump)
    aces = hand & ACES
    if aces:
        return lowest(aces & of_longest_suit(hand, aces))
    return cheapest(state, hand & of_shortest_suit(hand, hand))


@rule
def defenders_lead(state: CoincheState, hand: Cards) -> Card:
    """The ace of the shortest suit, else the cheapest plain card, else the lowest trump."""
    plain = hand & ~state.trump
    aces = plain & ACES
    if aces:
        return lowest(aces & of_shortest_suit(hand, aces))
    return cheapest(state, plain) if plain else weakest(state, hand)


@rule
def of_longest_suit(hand: Cards, cards: Cards) -> Cards:
    """The suit of which the hand holds most, out of those of `cards`; the first of equals."""
    longest = 0
    found = 0
    for suit in range(SUITS):
        length = popcount(hand & suit_cards(suit))
        if cards & suit_cards(suit) and length > longest:
            longest = length
            found = suit
    return suit_cards(found)


@rule
def of_shortest_suit(hand: Cards, cards: Cards) -> Cards:
    """The suit of which the hand holds fewest, out of those of `cards`; the first of equals."""
    shortest = MANY
    found = 0
    for suit in range(SUITS):
        length = popcount(hand & suit_cards(suit))
        if cards & suit_cards(suit) and length < shortest:
            shortest = length
            found = suit
    return suit_cards(found)
