"""The forward pass of an exported net, inside kernels and for callers.

A view goes in as the indices of its flags, so the first layer adds as many rows of its weights as
flags are set; further on, the rows of units that are not zero: with ReLUs about half. A net plays
as a tuple of arrays, `Net`, which a kernel takes as it is; its weights lie in one row, layer by
layer, each [inputs, outputs] with outputs padded to a multiple of LANES.

    plan     a row per layer: see the columns below
    facts    encoding, outputs of the value head and where they lie, where the logits lie, …
    limits   cap of activations, bound of logits, payoff of a value of 1
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, tanh
from typing import Any

import numpy as np

from overtrick.games.game import Game, Row, State, hide, legal
from overtrick.games.observing import (
    AS_CARDS,
    observe,
    relabel,
    relative,
    seat_after,
    suit_order,
)
from overtrick.jit import LANES, add_rows, kernel, lowest, rule
from overtrick.nets.spec import NetSpec

__all__ = [
    "Desk",
    "Net",
    "advise_root",
    "blank_tensors",
    "evaluate_all",
    "evaluate_deal",
    "feature_widths",
    "judge_all",
    "judge_deal",
    "likeliest",
    "look_all",
    "new_desk",
    "pack_net",
    "reach_of",
    "show_hands",
    "weigh_all",
]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]
Net = tuple[Floats, Row, Row, Floats, Row, Row, Row]
"""weights, plan, facts, limits, widths of the features, offsets of the phases, sides of seats"""
Desk = tuple[Records, Row, Row, Floats, Floats]
"""Room for one thread: a view, its features, indices, amounts, activations."""

SOURCE, INPUTS, PLACE, OUTPUTS, WEIGHTS, BIAS, RELU = range(7)  # columns of a plan
ENCODING, LOGITS, VALUES, VALUE_COUNT, PER_SEAT, ROOM, WIDEST, OWN_FEATURES = range(8)  # facts
CAP, CLIP, REACH = range(3)  # limits
OBSERVATION = -1  # the source of the first layer
MOST_CHOICES = 64


# ---------------------------------------------------------------------------- packing


def pack_net(game: Game, spec: NetSpec, tensors: Mapping[str, Floats]) -> Net:
    """A net as kernels take it: tensors by the names of the spec's layers, [outputs, inputs]."""
    plan, weights = [], []
    begin, room, widest = 0, 0, spec.inputs
    at: dict[str, int] = {}
    for layer in spec.layers():
        padded = -(-layer.outputs // LANES) * LANES
        rows = np.zeros((layer.inputs + 1, padded), dtype=np.float32)
        rows[:-1, : layer.outputs] = tensors[f"{layer.name}.weight"].T
        rows[-1, : layer.outputs] = tensors[f"{layer.name}.bias"]
        weights.append(rows.reshape(-1))
        source = at[layer.source] if layer.source else OBSERVATION
        bias = begin + layer.inputs * padded
        plan.append((source, layer.inputs, room, padded, begin, bias, layer.relu))
        at[layer.name] = room
        begin += rows.size
        room += padded
        widest = max(widest, padded)
    facts = [game.encoding(spec.encoding), at["policy.out"], at.get("value.out", 0), spec.values]
    sides = game.teams or tuple(range(game.seats))
    own = len(game.encodings[game.encoding(spec.encoding)].widths)
    return (
        np.concatenate(weights),
        np.array(plan, dtype=np.int64),
        np.array([*facts, spec.value == "seat", room, widest, own], dtype=np.int64),
        np.array([spec.cap or np.inf, spec.logit_clip or np.inf, spec.reach]),
        feature_widths(game, spec),
        np.array(game.action_offsets, dtype=np.int64),
        np.array(sides, dtype=np.int64),
    )


def feature_widths(game: Game, spec: NetSpec) -> Row:
    """How many flags each feature has: those of the view, then those of the hands shown."""
    widths = game.encodings[game.encoding(spec.encoding)].widths
    if not spec.hands:
        return widths
    shown = [1] + [len(game.deck)] * (game.seats - 1)
    return np.concatenate([widths, np.array(shown, dtype=np.int64)])


def blank_tensors(spec: NetSpec) -> dict[str, Floats]:
    """Weights of a net that knows nothing: all zeros."""
    found: dict[str, Floats] = {}
    for layer in spec.layers():
        found[f"{layer.name}.weight"] = np.zeros((layer.outputs, layer.inputs), dtype=np.float32)
        found[f"{layer.name}.bias"] = np.zeros(layer.outputs, dtype=np.float32)
    return found


def new_desk(game: Game, net: Net) -> Desk:
    """Room for one thread to use a net in."""
    facts, widths = net[2], net[4]
    return (
        np.zeros(1, dtype=game.state),
        np.zeros(len(widths), dtype=np.int64),
        np.zeros(int(facts[WIDEST]) + 1, dtype=np.int64),
        np.zeros(int(facts[WIDEST]) + 1, dtype=np.float32),
        np.zeros(int(facts[ROOM]), dtype=np.float32),
    )


# ---------------------------------------------------------------------------- layers


@rule
def forward(net: Any, desk: Any, count: int) -> None:
    """Compute all layers; the desk holds the indices of `count` flags that are set."""
    weights, plan, _, limits = net[0], net[1], net[2], net[3]
    indices, amounts, units = desk[2], desk[3], desk[4]
    for place in range(count):
        amounts[place] = 1.0
    listed = OBSERVATION  # whose outputs the indices tell
    for number in range(len(plan)):
        source, width, at = plan[number, SOURCE], plan[number, OUTPUTS], plan[number, PLACE]
        if source != listed:
            count = list_active(units, source, plan[number, INPUTS], indices, amounts)
            listed = source
        sums = units[at : at + width]
        bias = plan[number, BIAS]
        for place in range(width):
            sums[place] = weights[bias + place]
        add_rows(weights, plan[number, WEIGHTS], width, indices, amounts, count, sums)
        if plan[number, RELU]:
            rectify(sums, limits[CAP])


@rule
def rectify(sums: Floats, cap: float) -> None:
    """ReLU, capped."""
    most = np.float32(cap)
    for place in range(len(sums)):
        sums[place] = min(max(sums[place], np.float32(0.0)), most)


@rule
def list_active(units: Floats, first: int, size: int, indices: Row, amounts: Floats) -> int:
    """List the units of a layer that are not zero; how many there are."""
    count = 0
    for place in range(size):
        amount = units[first + place]
        indices[count] = place
        amounts[count] = amount
        count += amount != 0.0
    return count


@rule
def list_flags(features: Row, widths: Row, indices: Row) -> int:
    """List the indices of all flags that are set; how many there are."""
    count, first = 0, 0
    for number in range(len(widths)):
        flags = features[number]
        while flags:
            indices[count] = first + lowest(flags)
            flags &= flags - 1
            count += 1
        first += widths[number]
    return count


def reach_of(net: Net) -> float:
    """The payoff that a value of 1 stands for."""
    return float(net[3][REACH])


# ---------------------------------------------------------------------------- views


@rule
def look(view: State, net: Any, desk: Any, order: int) -> None:
    """Show a view to a net, its suits in this order; the answers stay on the desk."""
    features, indices = desk[1], desk[2]
    observe(view, net[2][ENCODING], order, features)
    for number in range(net[2][OWN_FEATURES], len(features)):
        features[number] = 0
    forward(net, desk, list_flags(features, net[4], indices))


@rule
def look_open(view: State, state: State, net: Any, desk: Any, order: int) -> None:
    """As `look`, with the hands of the others in a whole deal, if the net may be shown them."""
    features, indices = desk[1], desk[2]
    observe(view, net[2][ENCODING], order, features)
    show_hands(view, state, order, features, net[2][OWN_FEATURES])
    forward(net, desk, list_flags(features, net[4], indices))


@rule
def show_hands(view: State, state: State, order: int, features: Row, at: int) -> None:
    """Put in the hands of the other seats, from the feature `at` on, if there is room for them."""
    if at < len(features):
        features[at] = 1
        seats = len(state.hands)
        for offset in range(1, seats):
            hand = state.hands[seat_after(view.viewer, offset, seats)]
            features[at + offset] = relabel(view, AS_CARDS, hand, order)


@rule
def weigh_choices(
    view: State, choices: int, order: int, net: Any, desk: Any, weights: Floats
) -> None:
    """Write the clipped logit of each of these choices, [64], as the net has just seen the view."""
    facts, clip, units = net[2], net[3][CLIP], desk[4]
    first = facts[LOGITS] + net[5][view.phase]
    while choices:
        choice = lowest(choices)
        named = lowest(relabel(view, view.phase, 1 << choice, order))
        weights[choice] = min(max(float(units[first + named]), -clip), clip)
        choices &= choices - 1


@rule
def to_probabilities(weights: Floats, choices: int) -> None:
    """Turn the logits of these choices into probabilities, in place."""
    most = -np.inf
    rest = choices
    while rest:
        most = max(most, weights[lowest(rest)])
        rest &= rest - 1
    total = 0.0
    rest = choices
    while rest:
        choice = lowest(rest)
        weights[choice] = exp(weights[choice] - most)
        total += weights[choice]
        rest &= rest - 1
    while choices:
        weights[lowest(choices)] /= total
        choices &= choices - 1


@rule
def read_values(me: int, net: Any, desk: Any, values: Floats) -> None:
    """Write the payoff that each seat may expect, as the net has just seen seat `me`'s view."""
    facts, reach, sides, units = net[2], net[3][REACH], net[6], desk[4]
    at = facts[VALUES]
    seats = len(values)
    for seat in range(seats):
        if facts[VALUE_COUNT] == 0:
            values[seat] = 0.0
        elif facts[PER_SEAT]:
            values[seat] = reach * tanh(units[at + relative(seat, me, seats)])
        else:
            own = reach * tanh(units[at])
            values[seat] = own if sides[seat] == sides[me] else -own


@rule
def evaluate_deal(
    state: State, choices: int, net: Any, desk: Any, priors: Floats, values: Floats
) -> None:
    """Judge a whole deal by what its seat to act knows, and by all hands if the net is shown them.

    Writes the probability of each of these choices, [64], and the payoff of each seat.
    """
    views = desk[0]
    views[0] = state
    view = views[0]
    hide(view, state.seat)
    order = suit_order(view)
    look_open(view, state, net, desk, order)
    weigh_choices(view, choices, order, net, desk, priors)
    to_probabilities(priors, choices)
    read_values(state.seat, net, desk, values)


@rule
def judge_deal(state: State, net: Any, desk: Any, values: Floats) -> None:
    """Write the payoff of each seat, by all hands, as the seat to act would be shown them."""
    views = desk[0]
    views[0] = state
    view = views[0]
    hide(view, state.seat)
    look_open(view, state, net, desk, suit_order(view))
    read_values(state.seat, net, desk, values)


@rule
def ask_seat(state: State, choices: int, net: Any, desk: Any, weights: Floats) -> None:
    """Write the number of each of these choices, [64], by what the seat to act knows alone."""
    views = desk[0]
    views[0] = state
    view = views[0]
    hide(view, state.seat)
    order = suit_order(view)
    look(view, net, desk, order)
    weigh_choices(view, choices, order, net, desk, weights)


@rule
def advise_root(state: State, choices: int, net: Any, desk: Any, priors: Floats) -> None:
    """Write the probability of each of these choices by what the seat to act knows alone."""
    ask_seat(state, choices, net, desk, priors)
    to_probabilities(priors, choices)


@rule
def likeliest(state: State, choices: int, net: Any, desk: Any, weights: Floats) -> int:
    """What a net's policy prefers, by what the seat to act knows; the lowest of equals."""
    ask_seat(state, choices, net, desk, weights)
    best = lowest(choices)
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        if weights[choice] > weights[best]:
            best = choice
    return best


# ---------------------------------------------------------------------------- many at once


@kernel
def evaluate_all(states: Any, legals: Row, net: Any, desk: Any, priors: Any, values: Any) -> None:
    """`evaluate_deal` for whole deals: priors [deals, 64], values [deals, seats]."""
    for number in range(len(states)):
        evaluate_deal(states[number], legals[number], net, desk, priors[number], values[number])


@kernel
def weigh_all(views: Any, orders: Row, net: Any, desk: Any, weights: Any, values: Any) -> None:
    """Write the net's number for every legal choice, [views, 64], and the payoffs of all seats.

    The numbers are clipped logits, or what the choices will pay. Others are left as they are.
    """
    for number in range(len(views)):
        view, order = views[number], orders[number]
        look(view, net, desk, order)
        weigh_choices(view, legal(view), order, net, desk, weights[number])
        read_values(view.viewer, net, desk, values[number])


@kernel
def judge_all(states: Any, views: Any, orders: Row, net: Any, desk: Any, values: Any) -> None:
    """Write the payoffs of all seats, [deals, seats], with all hands shown.

    `views` are the same deals as their seats to act see them.
    """
    for number in range(len(states)):
        view = views[number]
        look_open(view, states[number], net, desk, orders[number])
        read_values(view.viewer, net, desk, values[number])


@kernel
def look_all(views: Any, orders: Row, net: Any, desk: Any, outputs: Any) -> None:
    """Write the raw numbers of the heads for views shown with these orders of suits.

    [views, actions + values], logits first, neither clipped nor squashed.
    """
    facts, units = net[2], desk[4]
    actions = outputs.shape[1] - facts[VALUE_COUNT]
    for number in range(len(views)):
        look(views[number], net, desk, orders[number])
        for place in range(actions):
            outputs[number, place] = units[facts[LOGITS] + place]
        for place in range(facts[VALUE_COUNT]):
            outputs[number, actions + place] = units[facts[VALUES] + place]
