"""Observations and tokens for many views at once.

An observation is packed, a bit a flag: 64 times smaller than floats, and what a sparse first layer
reads. `expand` makes bytes of it, one a flag, the same as `np.unpackbits` of little-endian words.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.games.game import HIDDEN, Game, Row, State, choice_of, phase_of, seat_of
from overtrick.games.observing import (
    EVENT,
    MOST_SUITS,
    TABLE,
    TOKEN_COLUMNS,
    TRUMP,
    free_suits,
    inverse_order,
    observe,
    relabel,
    relative,
    suit_order,
    tell,
    trump_cards,
    write_token,
)
from overtrick.jit import below, kernel, lowest, nth, popcount, rule, spread_bits

__all__ = [
    "canonical_orders",
    "expand",
    "expand_all",
    "most_tokens",
    "observations",
    "observe_all",
    "original_choices",
    "relabel_all",
    "shuffle_suits",
    "suit_orders",
    "token_rows",
    "tokens_all",
    "turn_suits",
]

Records = np.ndarray[Any, Any]

# ---------------------------------------------------------------------------- flags


@kernel
def observe_all(views: Any, encoding: int, orders: Row, widths: Row, packed: Any) -> None:
    """Write the packed flags of every view, [views, words]; `widths` are those of the features."""
    features = np.zeros(len(widths), dtype=np.int64)
    for number in range(len(views)):
        observe(views[number], encoding, orders[number], features)
        pack(features, widths, packed[number])


@rule
def pack(features: Row, widths: Row, words: Row) -> None:
    """Lay the flags of all features side by side, 64 a word."""
    bits, filled, word = 0, 0, 0
    for number in range(len(widths)):
        flags, width = features[number], widths[number]
        bits |= flags << filled
        filled += width
        if filled >= 64:
            words[word] = bits
            word += 1
            filled -= 64
            bits = flags >> width - filled
    if filled:
        words[word] = bits


@kernel
def expand_all(packed: Any, octets: Any) -> None:
    """Write eight flags into each int64 of a row: [rows, words] to [rows, octets]."""
    for number in range(len(packed)):
        words, out = packed[number], octets[number]
        for octet in range(len(out)):
            out[octet] = spread_bits(words[octet >> 3] >> 8 * (octet & 7) & 255)


def expand(packed: Records, size: int) -> Records:
    """The flags as bytes, [rows, size]: packed [rows, words] as `observe_all` writes them."""
    octets = np.empty((len(packed), -(-size // 8)), dtype="<i8")
    expand_all(packed, octets)
    return octets.view(np.uint8)[:, :size]


def observations(
    game: Game, views: Records, *, encoding: str = "", orders: Row | None = None
) -> Records:
    """The flags of views as bytes, [views, size]; suits in the order of nets unless told."""
    number = game.encoding(encoding)
    spec = game.encodings[number]
    if orders is None:
        orders = canonical_orders(views)
    packed = np.empty((len(views), spec.words), dtype=np.int64)
    observe_all(views, number, orders, spec.widths, packed)
    return expand(packed, spec.size)


# ---------------------------------------------------------------------------- suits


@kernel
def suit_orders(views: Any, orders: Row) -> None:
    """Write the order of suits in which nets see each view."""
    for number in range(len(views)):
        orders[number] = suit_order(views[number])


def canonical_orders(views: Records) -> Row:
    """The order of suits in which nets see each view."""
    orders = np.empty(len(views), dtype=np.int64)
    suit_orders(views, orders)
    return orders


@rule
def turned_order(order: int, free: int, number: int) -> int:
    """An order with its free places permuted: 0 leaves it, and numbers below 24 tell them all.

    Where fewer places are free, each of their orders has as many of these numbers.
    """
    result, left, back = order, free, inverse_order(order)
    for place in range(MOST_SUITS):
        if free >> place & 1:
            suit, count = back >> 2 * place & 3, popcount(left)
            taken = nth(left, number % count)
            number //= count
            left ^= 1 << taken
            result = result & ~(3 << 2 * suit) | taken << 2 * suit
    return result


@kernel
def shuffle_suits(views: Any, streams: Any, orders: Row) -> None:
    """Write a random one of the orders that the rules allow for each view."""
    for row in range(len(views)):
        view, number = views[row], below(streams[row], 24)
        orders[row] = turned_order(suit_order(view), free_suits(view), number)


@kernel
def turn_suits(views: Any, number: int, orders: Row) -> None:
    """Write the order of this number, of those that the rules allow, for each view."""
    for place in range(len(views)):
        view = views[place]
        orders[place] = turned_order(suit_order(view), free_suits(view), number)


@kernel
def relabel_all(views: Any, choices: Row, orders: Row, renamed: Row) -> None:
    """Write sets of choices of the present phases as they are called under the orders."""
    for number in range(len(views)):
        view = views[number]
        renamed[number] = relabel(view, view.phase, choices[number], orders[number])


@kernel
def original_choices(views: Any, renamed: Row, orders: Row, choices: Row) -> None:
    """Write the choices that are called `renamed` under the orders."""
    for number in range(len(views)):
        view = views[number]
        back = inverse_order(orders[number])
        choices[number] = lowest(relabel(view, view.phase, 1 << renamed[number], back))


# ---------------------------------------------------------------------------- tokens


@rule
def tell_events(view: State, order: int, cards: Row, tokens: Any, at: int) -> int:
    """A token for each choice made so far, oldest first."""
    trumps = trump_cards(view)
    first_on_table = view.turn - popcount(view.table)
    for turn in range(view.turn):
        event = view.history[turn]
        phase, choice = phase_of(event), int(choice_of(event))
        player = relative(seat_of(event), view.viewer, len(view.hands))
        segment = TABLE if turn >= first_on_table else EVENT
        named = choice
        if choice != HIDDEN:
            named = lowest(relabel(view, phase, 1 << choice, order))
        at = write_token(tokens, at, segment, player, phase, named, turn)
        if choice < cards[phase] and trumps >> choice & 1:
            tokens[at - 1, 5] = TRUMP
    return at


@kernel
def tokens_all(views: Any, orders: Row, cards: Row, tokens: Any, lengths: Row) -> None:
    """Write the tokens of every view, [views, most, columns] int16, and how many there are.

    `cards[phase]` is how many of a phase's choices are cards.
    """
    for number in range(len(views)):
        view, rows, order = views[number], tokens[number], orders[number]
        at = tell(view, order, rows)
        lengths[number] = tell_events(view, order, cards, rows, at)


def most_tokens(game: Game) -> int:
    """No view of a game has more tokens than this."""
    return game.longest + 2 * len(game.deck) + 32


def token_rows(game: Game, views: Records, *, orders: Row | None = None) -> tuple[Records, Records]:
    """The tokens of views, [views, longest of them, columns], and the number in each.

    Rows beyond that number are -1. Suits are in the order of nets unless told.
    """
    if orders is None:
        orders = canonical_orders(views)
    tokens = np.full((len(views), most_tokens(game), len(TOKEN_COLUMNS)), -1, dtype=np.int16)
    lengths = np.zeros(len(views), dtype=np.int64)
    cards = np.array([game.card_choices(phase) for phase in range(len(game.phases))])
    tokens_all(views, orders, cards, tokens, lengths)
    return tokens[:, : int(lengths.max(initial=0))], lengths
