"""The exported form of a pointer net: it plays without PyTorch, view by view.

`spelling` makes tokens of views, for each game in its own way; from there on nothing knows the
game, so that these kernels are compiled once for all of them. What a net says of a view does not
depend on the others in the batch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy as np

from overtrick.engine.batches import legal_all
from overtrick.engine.observations import canonical_orders
from overtrick.engine.views import hide_all
from overtrick.games.game import Game, Row
from overtrick.jit import add_rows, kernel, rule
from overtrick.nets.attending import (
    dense,
    dot,
    encode,
    new_bench,
    normalize,
    packed_dense,
    padded,
)
from overtrick.nets.pointer_spec import PointerSpec, card_parts
from overtrick.nets.spelling import MOST_CHOICES, Sheets, spell

__all__ = ["PackedPointer", "PointerEvaluator", "blank_pointer", "pack_pointer"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]
Tensors = Mapping[str, Floats]

WIDTH, HEADS, INNER, LAYERS, HAND_LAYERS, OPEN, VALUES = range(7)  # facts
ASK, ANSWER, HIDDEN_LAYER, OUT, UNSEEN = range(5)  # where the maps of the heads lie
PUBLIC_TOKENS, HAND_TOKENS, OPEN_TOKENS = range(3)  # the sequences of a view
MOST_VIEWS = 1024  # spelled at a time


@dataclass(frozen=True, eq=False)
class PackedPointer:
    """A pointer net as kernels take it; not to be changed."""

    spec: PointerSpec
    table: Floats  # embeddings, one after another
    weights: Floats
    plan: Records  # [layers of all encoders, 5] where the maps of each lie
    ends: Row  # where the maps of the heads lie
    facts: Row


# ---------------------------------------------------------------------------- packing


def blank_pointer(spec: PointerSpec) -> dict[str, Floats]:
    """Weights of a pointer net that knows nothing: all zeros."""
    return {name: np.zeros(shape, dtype=np.float32) for name, shape in spec.shapes().items()}


def pack_pointer(game: Game, spec: PointerSpec, tensors: Tensors) -> PackedPointer:
    """A pointer net as kernels take it: tensors by the names of its spec."""
    shelf = _Shelf(tensors)
    plan = [
        _pack_layer(shelf, spec, f"{encoder}.{number}")
        for encoder, layers in spec.encoders().items()
        for number in range(layers)
    ]
    ends = _pack_heads(shelf, spec)
    facts = [spec.width, spec.heads, spec.feed * spec.width, spec.layers, spec.hand_layers]
    facts += ["open" in spec.encoders(), spec.values]
    return PackedPointer(
        spec,
        _embeddings(game, spec, tensors),
        np.concatenate(shelf.parts),
        np.array(plan, dtype=np.int64),
        np.array(ends, dtype=np.int64),
        np.array(facts, dtype=np.int64),
    )


def _embeddings(game: Game, spec: PointerSpec, tensors: Tensors) -> Floats:
    parts = card_parts(game.deck)
    suits = tensors["embed.suit"][list(parts.suit_of)]
    ranks = tensors["embed.rank"][list(parts.rank_of)]
    sections = [np.concatenate([suits, ranks], axis=1)]
    for section, rows in spec.sections().items():
        if section != "card" and rows:
            sections.append(tensors[f"embed.{section}"])
    return np.ascontiguousarray(np.concatenate(sections), dtype=np.float32).reshape(-1)


class _Shelf:
    """Maps in one row of weights."""

    def __init__(self, tensors: Tensors) -> None:
        self.tensors = tensors
        self.parts: list[Floats] = []
        self.size = 0

    def map_of(self, *names: str, norm: str = "", scale: float = 1.0) -> int:
        """Put some maps side by side, after a norm, scaled; where they begin."""
        weight = np.concatenate([self.tensors[f"{name}.weight"] for name in names]) * scale
        bias = np.concatenate([self.tensors[f"{name}.bias"] for name in names]) * scale
        if norm:
            weight, bias = self._after(norm, weight, bias)
        return self.put(packed_dense(weight, bias))

    def _after(self, norm: str, weight: Floats, bias: Floats) -> tuple[Floats, Floats]:
        """A map that does what its norm's own weights would do first."""
        more: Floats = bias + weight @ self.tensors[f"{norm}.bias"]
        return weight * self.tensors[f"{norm}.weight"], more

    def put(self, part: Floats) -> int:
        """Keep some numbers; where they begin."""
        begin = self.size
        self.parts.append(part)
        self.size += part.size
        return begin


def _pack_layer(shelf: _Shelf, spec: PointerSpec, layer: str) -> list[int]:
    scale = 1 / sqrt(spec.width // spec.heads)
    mix, feed = f"{layer}.before_mix", f"{layer}.before_feed"
    return [
        shelf.map_of(f"{layer}.query", norm=mix, scale=scale),
        shelf.map_of(f"{layer}.key", f"{layer}.value", norm=mix),
        shelf.map_of(f"{layer}.mix"),
        shelf.map_of(f"{layer}.widen", norm=feed),
        shelf.map_of(f"{layer}.narrow"),
    ]


def _pack_heads(shelf: _Shelf, spec: PointerSpec) -> list[int]:
    ask = shelf.map_of("pointer.query", norm="public.norm", scale=1 / sqrt(spec.width))
    answer = shelf.map_of("pointer.key", norm="hand.norm")
    if not spec.values:
        return [ask, answer, 0, 0, 0]
    tensors = dict(shelf.tensors)
    for part in ("weight", "bias"):  # one norm for each encoder that the value is read off
        norms = [shelf.tensors[f"{encoder}.norm.{part}"] for encoder in spec.encoders()]
        tensors[f"all.{part}"] = np.concatenate(norms)
    shelf.tensors = tensors
    hidden = shelf.map_of("value.hidden", norm="all")
    out = shelf.map_of("value.out")
    unseen = tensors.get("open.unseen", np.zeros(spec.width, dtype=np.float32))
    return [ask, answer, hidden, out, shelf.put(unseen.astype(np.float32))]


# ---------------------------------------------------------------------------- the forward pass


@rule
def embed(table: Floats, book: Any, first: int, count: int, tokens: Any) -> None:
    """Write the tokens of a sequence as the sums of their rows."""
    rows, amounts, begins = book[0], book[1], book[2]
    width = tokens.shape[1]
    for number in range(count):
        sums = tokens[number]
        sums[:] = 0.0
        begin, end = begins[first + number], begins[first + number + 1]
        add_rows(table, 0, width, rows[begin:end], amounts[begin:end], end - begin, sums)


@rule
def pool(tokens: Any, count: int, out: Floats) -> None:
    """Write the mean of tokens; zeros if there are none."""
    out[:] = 0.0
    for number in range(count):
        row = tokens[number]
        for place in range(len(out)):
            out[place] += row[place]
    for place in range(len(out)):
        out[place] /= np.float32(max(count, 1))


@rule
def read_hand(
    net: Any, book: Any, first: int, count: int, core: Any, asked: Any, room: Any, weights: Floats
) -> None:
    """Encode the viewer's hand, point at each legal choice, [64], and keep the mean."""
    table, maps, plan, ends, facts = net
    width, inner = facts[WIDTH], facts[INNER]
    tokens, bench = room
    embed(table, book, first, count, tokens)
    layers = facts[LAYERS], facts[HAND_LAYERS]
    encode(maps, plan, layers[0], layers[1], facts[HEADS], inner, tokens, count, False, bench)
    normal, answers, lanes = bench[0], bench[1], bench[9]
    normalize(tokens, count, width, normal, lanes)
    dense(maps, ends[ANSWER], width, width, normal, count, answers)
    for number in range(count):
        choice = book[3][first + number]
        if choice >= 0:
            weights[choice] = dot(asked[0], answers[number], width, lanes)
    pool(normal, count, core[0, width : 2 * width])


@rule
def read_open(net: Any, book: Any, first: int, count: int, core: Any, room: Any) -> None:
    """Encode all hands, if they are shown, and keep the mean."""
    table, maps, plan, ends, facts = net
    width, inner = facts[WIDTH], facts[INNER]
    tokens, bench = room
    mean = core[0, 2 * width : 3 * width]
    if count == 0:
        for place in range(width):
            mean[place] = maps[ends[UNSEEN] + place]
        return
    embed(table, book, first, count, tokens)
    begin = facts[LAYERS] + facts[HAND_LAYERS]
    layers = facts[HAND_LAYERS]
    encode(maps, plan, begin, layers, facts[HEADS], inner, tokens, count, False, bench)
    normalize(tokens, count, width, bench[0], bench[9])
    pool(bench[0], count, mean)


@rule
def read_value(net: Any, core: Any, room: Any, values: Floats) -> None:
    """Write the outputs of the value head, not yet squashed."""
    _, maps, _, ends, facts = net
    width = facts[WIDTH]
    hidden, out = room[1][1], room[1][2]
    inputs = (2 + facts[OPEN]) * width
    dense(maps, ends[HIDDEN_LAYER], inputs, width, core, 1, hidden)
    for place in range(width):
        hidden[0, place] = max(hidden[0, place], np.float32(0.0))
    dense(maps, ends[OUT], width, padded(facts[VALUES]), hidden, 1, out)
    for number in range(facts[VALUES]):
        values[number] = out[0, number]


@kernel
def answer_all(
    net: Any, book: Any, firsts: Any, lengths: Any, room: Any, weights: Any, values: Any
) -> None:
    """Write the logit of every legal choice, [views, 64], and what the value head says."""
    table, maps, plan, ends, facts = net
    width, inner = facts[WIDTH], facts[INNER]
    tokens, bench = room
    core = np.zeros((1, 3 * width), dtype=np.float32)
    asked = np.zeros((1, width), dtype=np.float32)
    for number in range(len(lengths)):
        first, count = firsts[number], lengths[number]
        size = count[PUBLIC_TOKENS]
        embed(table, book, first[PUBLIC_TOKENS], size, tokens)
        encode(maps, plan, 0, facts[LAYERS], facts[HEADS], inner, tokens, size, True, bench)
        normalize(tokens, 1, width, core, bench[9])
        dense(maps, ends[ASK], width, width, core, 1, asked)
        hand, size = first[HAND_TOKENS], count[HAND_TOKENS]
        read_hand(net, book, hand, size, core, asked, room, weights[number])
        if facts[OPEN]:
            read_open(net, book, first[OPEN_TOKENS], count[OPEN_TOKENS], core, room)
        if facts[VALUES]:
            read_value(net, core, room, values[number])


# ---------------------------------------------------------------------------- for callers


class PointerEvaluator:
    """What a pointer net thinks of many views or deals; from any thread."""

    def __init__(self, game: Game, net: PackedPointer) -> None:
        net.spec.check_game(game)
        self.game = game
        self.net = net

    def weigh(self, views: Records, orders: Row | None = None) -> tuple[Floats, Floats]:
        """For views, a logit for each legal choice, [views, 64], and payoffs [views, seats].

        Those of illegal choices are -inf. Suits are in the order of nets unless told.
        """
        weights, values = self._answers(views, None, orders)
        return weights, self._payoffs(values, views["viewer"])

    def judge(self, states: Records, orders: Row | None = None) -> Floats:
        """What the seat to act may expect of each whole deal, [deals]: a payoff.

        All hands are shown to a net that may see them, what that seat knows to any other.
        """
        seats = states["seat"].copy()
        views = states.copy()
        hide_all(views, seats)
        _, values = self._answers(views, states, orders)
        own: Floats = self._payoffs(values, seats)[np.arange(len(states)), seats]
        return own

    def _answers(
        self, views: Records, deals: Records | None, orders: Row | None
    ) -> tuple[Floats, Floats]:
        """Clipped logits, [views, 64], and what the value head says, squashed."""
        spec = self.net.spec
        legals = np.zeros(len(views), dtype=np.int64)
        legal_all(views, legals)
        orders = canonical_orders(views) if orders is None else orders
        weights = np.full((len(views), MOST_CHOICES), -inf)
        values = np.zeros((len(views), spec.values))
        for first in range(0, len(views), MOST_VIEWS):
            part = slice(first, first + MOST_VIEWS)
            whole = None if deals is None else deals[part]
            sheets = spell(self.game, spec, views[part], legals[part], orders[part], deals=whole)
            _answer(self.net, sheets, weights[part], values[part])
        clip = spec.logit_clip or inf
        legal = weights > -inf
        weights[legal] = weights[legal].clip(-clip, clip)
        return weights, np.tanh(values)

    def _payoffs(self, values: Floats, viewers: Row) -> Floats:
        """What every seat may expect, [views, seats], by what the viewers' nets say."""
        spec, seats = self.net.spec, np.arange(self.game.seats)
        if spec.value == "none":
            return np.zeros((len(values), self.game.seats))
        if spec.value == "seat":
            away = (seats[None] - viewers[:, None]) % self.game.seats
            return spec.reach * np.take_along_axis(values, away, axis=1)
        sides = np.array(self.game.teams or seats)
        same = sides[None] == sides[viewers][:, None]
        return spec.reach * np.where(same, values, -values)


def _answer(net: PackedPointer, sheets: Sheets, weights: Floats, values: Floats) -> None:
    longest = int(sheets.lengths.max(initial=1))
    spec = net.spec
    bench = new_bench(longest, spec.width, spec.feed * spec.width)
    room = np.zeros((longest, spec.width), dtype=np.float32), bench
    arrays = net.table, net.weights, net.plan, net.ends, net.facts
    book = sheets.rows, sheets.amounts, sheets.begins, sheets.choices
    answer_all(arrays, book, sheets.firsts(), sheets.lengths, room, weights, values)
