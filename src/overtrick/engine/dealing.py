"""Shuffling and dealing many deals at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.games.game import Match, Row, State, deal, deck_size
from overtrick.jit import below, kernel, rule

__all__ = ["deal_orders", "deal_shuffled", "shuffle", "shuffled_orders"]


@rule
def shuffle(order: Any, stream: Row) -> None:
    """Put a deck into random order, in place."""
    for last in range(len(order) - 1, 0, -1):
        other = below(stream, last + 1)
        card = order[last]
        order[last] = order[other]
        order[other] = card


@rule
def new_order(order: Any) -> None:
    """Put a deck into the order of its bits."""
    for card in range(len(order)):
        order[card] = card


@rule
def deal_at_random(state: State, match: Match, order: Any, stream: Row) -> None:
    """Shuffle and deal; `order` is overwritten."""
    new_order(order)
    shuffle(order, stream)
    deal(state, match, order)


@kernel
def deal_shuffled(states: Any, matches: Any, streams: Any) -> None:
    """Deal a shuffled deck for each record, with the match and the stream of the same number."""
    order = np.empty(deck_size(states[0]), dtype=np.int64)
    for number in range(len(states)):
        deal_at_random(states[number], matches[number], order, streams[number])


@kernel
def shuffled_orders(orders: Any, stream: Row) -> None:
    """Write one shuffled deck a row."""
    for number in range(len(orders)):
        new_order(orders[number])
        shuffle(orders[number], stream)


@kernel
def deal_orders(states: Any, matches: Any, orders: Any) -> None:
    """Deal the given orders of the deck, one a row."""
    for number in range(len(states)):
        deal(states[number], matches[number], orders[number])
