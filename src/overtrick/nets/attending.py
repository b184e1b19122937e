"""The layers of a pointer net in its exported form: dense maps, norms, attention, encoders.

None of it knows a game. Tokens are rows, [tokens, width]. A dense map lies in one row of weights:
[inputs, outputs], then its biases; the weights of a norm are part of the map that follows it.
Attention is laid the other way round, a query a column, so that softmax, too, is arithmetic on
whole rows.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from overtrick.jit import LANES, rule
from overtrick.nets.products import COLUMNS, add_products

__all__ = [
    "KEY_VALUE",
    "MIX",
    "NARROW",
    "QUERY",
    "WIDEN",
    "dense",
    "dot",
    "encode",
    "new_bench",
    "normalize",
    "packed_dense",
    "padded",
]

Floats = np.ndarray[Any, np.dtype[Any]]

QUERY, KEY_VALUE, MIX, WIDEN, NARROW = range(5)  # the maps of a layer
EPSILON = 1e-5  # of norms


# ---------------------------------------------------------------------------- dense maps


@rule
def padded(size: int) -> int:
    """How many columns so many outputs take."""
    return (size + COLUMNS - 1) // COLUMNS * COLUMNS


def packed_dense(weight: Floats, bias: Floats) -> Floats:
    """A dense map, [outputs, inputs] and [outputs], as `dense` reads it; outputs padded."""
    outputs, inputs = weight.shape
    rows = np.zeros((inputs + 1, int(padded(outputs))), dtype=np.float32)
    rows[:-1, :outputs] = weight.T
    rows[-1, :outputs] = bias
    return rows.reshape(-1)


@rule
def dense(
    weights: Floats, at: int, inputs: int, outputs: int, tokens: Any, count: int, out: Any
) -> None:
    """Write a dense map of the first `count` tokens; `outputs` are a multiple of COLUMNS."""
    bias = at + inputs * outputs
    for number in range(count):
        for place in range(outputs):
            out[number, place] = weights[bias + place]
    row, size = tokens.shape[1], out.shape[1]
    add_products(tokens, 0, row, 1, weights, at, outputs, out, 0, size, count, inputs, outputs)


@rule
def rectify(rows: Any, count: int, width: int) -> None:
    """ReLU, in place."""
    for number in range(count):
        for place in range(width):
            rows[number, place] = max(rows[number, place], np.float32(0.0))


# ---------------------------------------------------------------------------- sums and norms


@rule
def dot(one: Floats, other: Floats, width: int, lanes: Floats) -> float:
    """The sum of the products of two rows; `lanes` is room for LANES numbers."""
    for lane in range(LANES):
        lanes[lane] = 0.0
    for first in range(0, width, LANES):
        for lane in range(LANES):
            lanes[lane] += one[first + lane] * other[first + lane]
    return total(lanes)


@rule
def total(lanes: Floats) -> float:
    """The sum of a few numbers."""
    found = 0.0
    for lane in range(LANES):
        found += lanes[lane]
    return found


@rule
def normalize(tokens: Any, count: int, width: int, out: Any, lanes: Floats) -> None:
    """Write every token with a mean of 0 and a variance of 1."""
    for number in range(count):
        row, result = tokens[number], out[number]
        for lane in range(LANES):
            lanes[lane] = 0.0
        for first in range(0, width, LANES):
            for lane in range(LANES):
                lanes[lane] += row[first + lane]
        mean = np.float32(total(lanes) / width)
        for place in range(width):
            result[place] = row[place] - mean
        variance = dot(result, result, width, lanes) / width
        scale = np.float32(1.0 / sqrt(variance + EPSILON))
        for place in range(width):
            result[place] *= scale


# ---------------------------------------------------------------------------- softmax

LOG2_E, LN_2 = np.float32(1.4426950408889634), np.float32(0.6931471805599453)
LEAST = np.float32(-125.0)  # in powers of 2: less is as good as nothing
HALF, ONE = np.float32(0.5), np.float32(1.0)
C2, C3, C4 = np.float32(1 / 2), np.float32(1 / 6), np.float32(1 / 24)
C5, C6 = np.float32(1 / 120), np.float32(1 / 720)


@rule
def exponentials(scores: Floats, most: Floats, powers: Any, keys: int, width: int) -> None:
    """Write exp(score - most) over all scores; none is above that of its column.

    2 to the nearest whole power goes straight into the exponents of `powers`, what is left is a
    short series: to a few parts in ten million, and many at a time.
    """
    scales = powers.view(np.float32)
    for key in range(keys):
        at = key * width
        for place in range(width):
            power = max((scores[at + place] - most[place]) * LOG2_E, LEAST)
            whole = np.int32(power - HALF)
            rest = (power - np.float32(whole)) * LN_2
            series = C3 + rest * (C4 + rest * (C5 + rest * C6))
            scores[at + place] = ONE + rest * (ONE + rest * (C2 + rest * series))
            powers[place] = (whole + np.int32(127)) << np.int32(23)
        for place in range(width):
            scores[at + place] *= scales[place]


@rule
def soften(scores: Floats, keys: int, width: int, most: Floats, sums: Floats, powers: Any) -> None:
    """Turn scores, a key a row and a query a column, into weights; their sums go to `sums`."""
    for place in range(width):
        most[place] = scores[place]
        sums[place] = 0.0
    for key in range(1, keys):
        for place in range(width):
            most[place] = max(most[place], scores[key * width + place])
    exponentials(scores, most, powers, keys, width)
    for key in range(keys):
        for place in range(width):
            sums[place] += scores[key * width + place]


# ---------------------------------------------------------------------------- attention


def new_bench(tokens: int, width: int, inner: int) -> tuple[Any, ...]:
    """Room for one thread to encode up to so many tokens in."""
    room, columns = max(tokens, 1), int(padded(max(tokens, 1)))
    return (
        np.zeros((room, width), dtype=np.float32),  # normalized tokens, and what a layer adds
        np.zeros((room, width), dtype=np.float32),  # queries, then what attention found
        np.zeros((room, 2 * width), dtype=np.float32),  # keys and values
        np.zeros((room, inner), dtype=np.float32),  # the inside of a layer
        np.zeros(width * columns, dtype=np.float32),  # queries, then findings, as columns
        np.zeros(room * columns, dtype=np.float32),  # scores
        np.zeros(columns, dtype=np.float32),
        np.zeros(columns, dtype=np.float32),
        np.zeros(columns, dtype=np.int32),
        np.zeros(LANES, dtype=np.float32),
    )


@rule
def turn_over(asked: Any, queries: int, turned: Floats, columns: int, width: int) -> None:
    """Lay queries the other way round, a query a column."""
    for place in range(width):
        for number in range(queries):
            turned[place * columns + number] = asked[number, place]
        for number in range(queries, columns):
            turned[place * columns + number] = 0.0


@rule
def turn_back(
    turned: Floats, sums: Floats, columns: int, asked: Any, queries: int, width: int
) -> None:
    """Lay what was found for a head as rows again, every weighted sum as a mean."""
    for place in range(width):
        for number in range(queries):
            asked[number, place] = turned[place * columns + number] / sums[number]


@rule
def attend(bench: Any, count: int, queries: int, width: int, heads: int) -> None:
    """What each of the first tokens finds in all of them; written over the queries."""
    asked, found, turned, scores, sums = bench[1], bench[2], bench[4], bench[5], bench[7]
    columns, share, row = padded(queries), width // heads, 2 * width
    turn_over(asked, queries, turned, columns, width)
    for head in range(heads):
        first = head * share
        at = first * columns
        for place in range(count * columns):
            scores[place] = 0.0
        add_products(
            *(found, first, row, 1, turned, at, columns),
            *(scores, 0, columns, count, share, columns),
        )
        soften(scores, count, columns, bench[6], sums, bench[8])
        for place in range(at, at + share * columns):  # this head's queries have been answered
            turned[place] = 0.0
        add_products(
            *(found, width + first, 1, row, scores, 0, columns),
            *(turned, at, columns, share, count, columns),
        )
        turn_back(turned[at:], sums, columns, asked[:, first:], queries, share)


@rule
def add_tokens(tokens: Any, more: Any, count: int, width: int) -> None:
    """Add to every token."""
    for number in range(count):
        for place in range(width):
            tokens[number, place] += more[number, place]


@rule
def encode(
    weights: Floats,
    plan: Any,
    first: int,
    layers: int,
    heads: int,
    inner: int,
    tokens: Any,
    count: int,
    only_first: bool,
    bench: Any,
) -> None:
    """Run tokens through some layers of a plan, in place.

    Where only the first token is wanted in the end, the last layer is spared the others.
    """
    width = tokens.shape[1]
    normal, asked, found, inside, lanes = bench[0], bench[1], bench[2], bench[3], bench[9]
    for number in range(first, first + layers):
        maps = plan[number]
        queries = 1 if only_first and number == first + layers - 1 else count
        normalize(tokens, count, width, normal, lanes)
        dense(weights, maps[QUERY], width, width, normal, queries, asked)
        dense(weights, maps[KEY_VALUE], width, 2 * width, normal, count, found)
        attend(bench, count, queries, width, heads)
        dense(weights, maps[MIX], width, width, asked, queries, normal)
        add_tokens(tokens, normal, queries, width)
        normalize(tokens, queries, width, normal, lanes)
        dense(weights, maps[WIDEN], width, inner, normal, queries, inside)
        rectify(inside, queries, inner)
        dense(weights, maps[NARROW], inner, width, inside, queries, normal)
        add_tokens(tokens, normal, queries, width)
