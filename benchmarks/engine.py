"""How fast the engine is, game by game, on one core.

Each figure is the median of several measurements, in CPU time; the spread (lowest and highest)
and wall time are reported beside it. Nothing else should run on the machine.

- playout: from dealt records to the end by random choices, all phases, history, voids and payoffs
- world: one whole deal drawn for a view, 64 at a time, at random positions of random deals
- step: one given choice in each of 1, 16, 256 or 1024 deals; legal sets, payoffs, match scores and
  the restart of finished deals included, as is the call from Python
- observation: a view put into the flags of the game's first encoding, expanded to a byte a flag
- clone: the copy of one record, in a batch of 1024
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from overtrick.engine.batches import Batch, choose_at_random, copy_all
from overtrick.engine.dealing import deal_shuffled
from overtrick.engine.observations import expand_all, observe_all, suit_orders
from overtrick.engine.playouts import playouts
from overtrick.engine.views import hide_all
from overtrick.engine.warm import warm_up
from overtrick.engine.worlds import draw_worlds, new_puzzle
from overtrick.games.game import Game
from overtrick.jit import stream, streams

PLAYOUT_DEALS = 4096
WORLD_VIEWS = 512
WORLDS_A_VIEW = 64
OBSERVED_VIEWS = 256
BATCH_SIZES = (1, 16, 256, 1024)
STEPPED_CHOICES = 1 << 18
CLONES = 1024

Sample = tuple[float, float]  # CPU and wall seconds for one unit


def timed(work: Callable[[], object], units: float) -> Sample:
    """CPU and wall seconds a unit."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return (time.process_time() - cpu) / units, (time.perf_counter() - wall) / units


def dealt(game: Game, count: int, seed: int) -> Any:
    """Dealt records, their matches one deal further each, so that every kind of deal occurs."""
    variant = game.variant()
    states, matches = game.blank_states(count, variant), game.blank_matches(count, variant)
    matches["deals"] = np.arange(count)
    deal_shuffled(states, matches, streams(count, seed, "bench", game.name))
    return states


def playout_sample(game: Game, seed: int) -> Sample:
    """Seconds a choice."""
    states = dealt(game, PLAYOUT_DEALS, seed)
    results = np.zeros((PLAYOUT_DEALS, game.seats), dtype=np.int64)
    chance = stream(seed, "bench playouts")
    choices = playouts(states.copy(), chance, results)
    cpu, wall = timed(lambda: playouts(states, chance, results), 1)
    return cpu / choices, wall / choices


def positions(game: Game, count: int, seed: int) -> Any:
    """Views of the seats to act at random points of random deals."""
    batch = Batch(game, count, seed=seed)
    choices = np.zeros(count, dtype=np.int64)
    chance = streams(count, seed, "bench positions")
    wanted = np.random.default_rng(seed).integers(0, game.longest, size=count)
    views = batch.states.copy()
    for step in range(game.longest):
        chosen = wanted == step
        views[chosen] = batch.states[chosen]
        choose_at_random(batch.legals, chance, choices)
        batch.step_unchecked(choices)
    hide_all(views, views["seat"].copy())
    return views


def world_sample(game: Game, seed: int) -> Sample:
    """Seconds a world."""
    views = positions(game, WORLD_VIEWS, seed)
    worlds = np.zeros(WORLDS_A_VIEW, dtype=game.state)
    puzzle, chance = new_puzzle(), stream(seed, "bench worlds")

    def draw() -> None:
        for number in range(WORLD_VIEWS):
            draw_worlds(views[number : number + 1], puzzle, chance, worlds)

    return timed(draw, WORLD_VIEWS * WORLDS_A_VIEW)


def step_sample(game: Game, size: int, seed: int) -> Sample:
    """Seconds a choice. The choices are drawn beforehand, in a first run of the same batch."""
    batch = Batch(game, size, seed=seed)
    chance = streams(size, seed, "bench steps")
    calls = max(game.longest, min(STEPPED_CHOICES // size, 1 << 14))
    choices = np.zeros((calls, size), dtype=np.int64)
    for row in choices:
        choose_at_random(batch.legals, chance, row)
        batch.step_unchecked(row)
    batch.reset()

    def step() -> None:
        for row in choices:
            batch.step_unchecked(row)

    return timed(step, calls * size)


def observation_sample(game: Game, seed: int) -> Sample:
    """Seconds an observation."""
    views = positions(game, OBSERVED_VIEWS, seed)
    spec, orders = game.encodings[0], np.empty(OBSERVED_VIEWS, dtype=np.int64)
    packed = np.empty((OBSERVED_VIEWS, spec.words), dtype=np.int64)
    octets = np.empty((OBSERVED_VIEWS, -(-spec.size // 8)), dtype=np.int64)

    def observe() -> None:
        for _ in range(128):
            suit_orders(views, orders)
            observe_all(views, 0, orders, spec.widths, packed)
            expand_all(packed, octets)

    return timed(observe, 128 * OBSERVED_VIEWS)


def clone_sample(game: Game, seed: int) -> Sample:
    """Seconds a record."""
    states = dealt(game, CLONES, seed)
    copies = states.copy()

    def copy() -> None:
        for _ in range(64):
            copy_all(states, copies)

    return timed(copy, 64 * CLONES)


def measure_game(game: Game, repeats: int) -> dict[str, Any]:
    """All figures of one game."""
    warm_up(game)
    figures: dict[str, Any] = {"step_ns_per_move": {}}
    spread: dict[str, Any] = {"step_ns_per_move": {}}
    wall: dict[str, Any] = {"step_ns_per_move": {}}

    def enter(key: str, size: str | None, unit: float, sample: Callable[[int], Sample]) -> None:
        sample(0)
        samples = [sample(seed) for seed in range(1, repeats + 1)]
        cpu = [unit * one for one, _ in samples]
        rows = (
            (figures, statistics.median(cpu)),
            (spread, [min(cpu), max(cpu)]),
            (wall, unit * statistics.median(one for _, one in samples)),
        )
        for table, value in rows:
            if size is None:
                table[key] = value
            else:
                table[key][size] = value

    enter("playout_ns_per_move", None, 1e9, lambda seed: playout_sample(game, seed))
    enter("world_us", None, 1e6, lambda seed: world_sample(game, seed))
    for size in BATCH_SIZES:
        enter("step_ns_per_move", str(size), 1e9, lambda seed, n=size: step_sample(game, n, seed))  # type: ignore[misc]
    enter("observation_ns", None, 1e9, lambda seed: observation_sample(game, seed))
    enter("clone_ns", None, 1e9, lambda seed: clone_sample(game, seed))
    sizes = {"record_bytes": game.state.itemsize, "observation_flags": game.encodings[0].size}
    return figures | {"spread": spread, "wall": wall} | sizes


def measure_games(games: list[Game], repeats: int = 5) -> dict[str, Any]:
    """The report of `overtrick bench --json`."""
    report: dict[str, Any] = {"games": {}, "repeats": repeats, "machine": machine()}
    for game in games:
        print(f"overtrick: measuring {game.name}", file=sys.stderr, flush=True)
        report["games"][game.name] = measure_game(game, repeats)
    return report


def machine() -> dict[str, Any]:
    """What the figures were taken on."""
    import numba

    return {
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "load": os.getloadavg()[0],
    }


def show(report: dict[str, Any]) -> None:
    """The report as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="CPU time on one core: median (lowest to highest)", title_justify="left")
    table.add_column("")
    for name in report["games"]:
        table.add_column(name, justify="right")
    rows: list[tuple[str, str, str | None]] = [
        ("random playout, ns a choice", "playout_ns_per_move", None),
        ("world, µs", "world_us", None),
        *((f"step of {n} deals, ns a choice", "step_ns_per_move", str(n)) for n in BATCH_SIZES),
        ("observation, ns", "observation_ns", None),
        ("copy of a record, ns", "clone_ns", None),
    ]
    for label, key, size in rows:
        cells = []
        for figures in report["games"].values():
            median, spread = figures[key], figures["spread"][key]
            cells.append(
                _cell(median, spread) if size is None else _cell(median[size], spread[size])
            )
        table.add_row(label, *cells)
    Console().print(table)


def _cell(median: float, spread: list[float]) -> str:
    digits = 2 if median < 1 else 1 if median < 1000 else 0
    return f"{median:.{digits}f}\n({spread[0]:.{digits}f}–{spread[1]:.{digits}f})"
