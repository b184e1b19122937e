"""Beliefs: which worlds explain best what the others have chosen so far.

Every world of a view is possible; not every one is likely. A seat that plays by a rulebook would
have made just these choices in some worlds and others elsewhere. Many worlds are drawn evenly,
each is replayed from its deal, and its weight is the probability with which a *model*, the
rulebook with some chance mixed in, makes the choices that the others have made. Out of those
candidates the worlds to be searched are drawn in proportion to their weights.

The model may be wrong, so the weights are held back in three ways: a part of every choice of the
model is random; weights are flattened until enough candidates count; and a part of all worlds is
drawn evenly after all.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from overtrick.engine.playouts import choose_by
from overtrick.engine.worlds import check_ways, count_all, draw_places, new_puzzle, uniform
from overtrick.games.game import (
    MAX_PLACES,
    Game,
    Row,
    State,
    choice_of,
    deal,
    dealt,
    deck_size,
    legal,
    match_around,
    play,
    seat_of,
    settle,
)
from overtrick.jit import fork, kernel, popcount, rule

__all__ = ["EVENLY", "Beliefs", "Worlds", "draw_candidates", "flattened"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[np.float64]]

EVENLY = -2  # the level that stands for no model: all worlds count the same
RANDOM_PART = 0.2  # of the model's choices, and of the worlds that are drawn
LEAST_EFFECTIVE = 0.2  # of the candidates


@rule
def log_likelihood(
    world: State, viewer: int, level: int, replay: State, match: Any, order: Any, stream: Row
) -> float:
    """The logarithm of the probability with which the model makes the others' choices so far."""
    dealt(world, order)
    match_around(world, match)
    deal(replay, match, order)
    total = 0.0
    for turn in range(world.turn):
        event = int(world.history[turn])
        choice = choice_of(event)
        if seat_of(event) != viewer:
            choices = popcount(legal(replay))
            if choices > 1:
                agrees = choose_by(replay, level, stream) == choice
                total += log(RANDOM_PART / choices + (1.0 - RANDOM_PART) * agrees)
        play(replay, choice)
    return total


@kernel
def draw_candidates(
    views: Any,
    puzzles: Any,
    level: int,
    first: int,
    stream: Row,
    worlds: Any,
    replays: Any,
    matches: Any,
    logs: Any,
) -> float:
    """Fill `worlds` with worlds of views[0] number `first` and following, drawn evenly.

    logs[i] gets the logarithm of the likelihood of each. World n has its own chance, the n-th
    child of the stream. Gives back how many worlds there are, as `draw_worlds`.
    """
    view = views[0]
    ways = count_all(view, puzzles[0])
    if ways > 0.0:
        found = np.empty(MAX_PLACES, dtype=np.int64)
        order = np.empty(deck_size(view), dtype=np.int64)
        chance = np.empty(2, dtype=np.int64)
        for number in range(len(worlds)):
            world = worlds[number]
            worlds[number] = view
            fork(stream, first + number, chance)
            draw_places(puzzles[0], found, chance)
            settle(world, found, chance)
            logs[number] = 0.0
            if level != EVENLY:
                replays[0] = view
                logs[number] = log_likelihood(
                    world, view.viewer, level, replays[0], matches[0], order, chance
                )
    return ways


# ---------------------------------------------------------------------------- weights


def effective(weights: Floats) -> float:
    """How many equally weighted worlds these are worth."""
    return float(weights.sum() ** 2 / (weights**2).sum())


def flattened(logs: Floats) -> Floats:
    """Weights that sum to 1, flattened until enough of them count, a part of them even."""

    def weights(power: float) -> Floats:
        raised: Floats = np.exp(power * (logs - logs.max()))
        return raised

    power = 1.0
    if effective(weights(power)) < LEAST_EFFECTIVE * len(logs):
        low, high = 0.0, 1.0
        for _ in range(12):
            power = (low + high) / 2
            if effective(weights(power)) < LEAST_EFFECTIVE * len(logs):
                high = power
            else:
                low = power
        power = low
    believed = weights(power)
    mixed: Floats = (1 - RANDOM_PART) * believed / believed.sum() + RANDOM_PART / len(logs)
    return mixed


def resampled(weights: Floats, count: int, chance: float) -> Row:
    """How often each candidate is taken when `count` are drawn at even steps of the weights."""
    ends = np.cumsum(weights) / weights.sum() * count
    taken: Row = np.diff(np.floor(ends + chance), prepend=0.0).astype(np.int64)
    return taken


# ---------------------------------------------------------------------------- drawing


@dataclass(frozen=True)
class Worlds:
    """Worlds of a view, each with how often it counts."""

    records: Records
    counts: Row
    effective: float  # share of the candidates that the weights are worth; 1 if all are even


class _Desk(threading.local):
    """Where a thread draws."""

    def __init__(self, game: Game) -> None:
        self.puzzle = new_puzzle()
        self.replays = np.zeros(1, dtype=game.state)
        self.matches = np.zeros(1, dtype=game.match)
        self.records = np.zeros(0, dtype=game.state)


class Beliefs:
    """Draws worlds of views of one game, likely ones more often; from any thread."""

    def __init__(self, game: Game, level: int, *, candidates: int = 4) -> None:
        self.level = level
        self.candidates = 1 if level == EVENLY else candidates
        self._desk = _Desk(game)

    def draw(self, view: Records, count: int, stream: Row) -> Worlds:
        """`count` worlds of a view, [1] records; a candidate that is taken twice counts twice."""
        size, desk = count * self.candidates, self._desk
        if len(desk.records) < size:
            desk.records = np.zeros(size, dtype=view.dtype)
        drawn, logs = desk.records[:size], np.zeros(size)
        ways = draw_candidates(
            view, desk.puzzle, self.level, 0, stream, drawn, desk.replays, desk.matches, logs
        )
        check_ways(ways)
        if self.level == EVENLY:
            return Worlds(drawn.copy(), np.ones(size, dtype=np.int64), 1.0)
        weights = flattened(logs)
        counts = resampled(weights, count, uniform(stream.copy()))
        taken = np.flatnonzero(counts)
        return Worlds(drawn[taken], counts[taken], effective(weights) / size)
