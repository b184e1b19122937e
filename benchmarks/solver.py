"""How fast whole deals are solved exactly, on one core and from an empty memory.

Each figure is the median over deals played at random up to the point that is named, in CPU
milliseconds, with the ninth decile and the slowest. Contracts of Coinche are bid by the seat after
the dealer in its best suit. Games without two sides from the first lead on are left out.

- gains: exactly how many tricks, or card points, the side gets
- payoffs: what the deal pays, which is less to ask
"""

from __future__ import annotations

import sys
import time
from typing import Any, NamedTuple

import numpy as np

from overtrick.engine.batches import begin_matches, choose_at_random, legal_all, play_all
from overtrick.engine.dealing import deal_shuffled
from overtrick.games.game import OVER, Game
from overtrick.jit import streams
from overtrick.search.solver import (
    gains_all,
    new_frames,
    new_memory,
    new_stack,
    solve_all,
)

MEMORY_SIZE = 1 << 18
DEALS_A_REPEAT = 20
COINCHE_VALUES = 5  # 80 to 120
Records = np.ndarray[Any, Any]


class Task(NamedTuple):
    """One line of the report."""

    label: str
    game: str
    cards: int  # left in the hands
    gains: bool  # else payoffs
    options: str = ""


TASKS = (
    Task("8 tricks, gains", "hokm", 32, True, "stop_at_seven=false"),
    Task("8 tricks, payoffs", "hokm", 32, False),
    Task("10 tricks, payoffs", "hokm", 40, False),
    Task("whole deal, payoffs", "hokm", 52, False),
    Task("whole deal, gains", "coinche", 32, True),
    Task("whole deal, payoffs", "coinche", 32, False),
    Task("whole deal, payoffs", "whist3x3", 6, False),
)


def positions(game: Game, task: Task, count: int, seed: int) -> Records:
    """Deals with so many cards left, played at random up to there."""
    variant = game.variant_of(task.options)
    states, matches = game.blank_states(count, variant), game.blank_matches(count, variant)
    matches["deals"] = np.arange(count)
    chance = streams(count, seed, "bench solver", game.name)
    begin_matches(matches, chance)
    deal_shuffled(states, matches, chance)
    if game.name == "coinche":
        bid(states, seed)
    legals, choices = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    while True:
        left = np.bitwise_count(states["hands"]).sum(axis=1)
        wanted = (left > task.cards) | (states["phase"] != len(game.phases) - 1)
        going = np.flatnonzero(wanted & (states["phase"] != OVER))
        if len(going) == 0:
            return np.compress(states["phase"] != OVER, states)
        legal_all(states, legals)
        choose_at_random(legals, chance, choices)
        group = states[going]
        play_all(group, choices[going])
        states[going] = group


def bid(states: Records, seed: int) -> None:
    """The first seat bids in its longest suit, jack and nine counted twice; all others pass."""
    hands = states["hands"][np.arange(len(states)), states["seat"]]
    ranks = hands[:, None] >> np.array([0, 8, 16, 24]) & 255
    suits = np.argmax(np.bitwise_count(ranks) + np.bitwise_count(ranks & 0b1100), axis=1)
    values = np.random.default_rng(seed).integers(0, COINCHE_VALUES, len(states))
    play_all(states, 1 + 4 * values + suits)
    for _ in range(3):
        play_all(states, np.zeros(len(states), dtype=np.int64))


def milliseconds(game: Game, task: Task, count: int, seed: int) -> list[float]:
    """CPU time of each deal."""
    stack, frames = new_stack(game), new_frames(game)
    empty = new_memory(MEMORY_SIZE)
    memory = empty.copy()
    states = positions(game, task, count, seed)
    spent = []
    for number in range(len(states)):
        memory[:] = empty
        deal = states[number : number + 1]
        begun = time.process_time()
        if task.gains:
            gains_all(deal, 0, stack, memory, frames, np.zeros(1, dtype=np.int64))
        else:
            results = np.zeros((1, game.seats), dtype=np.int64)
            solve_all(deal, stack, memory, frames, results)
        spent.append(1e3 * (time.process_time() - begun))
    return spent


def measure_games(games: list[Game], repeats: int = 5) -> dict[str, Any]:
    """For every task its median, ninth decile and maximum in milliseconds."""
    bytes_of_memory = new_memory(MEMORY_SIZE).nbytes
    report: dict[str, Any] = {"tasks": [], "repeats": repeats, "memory_bytes": bytes_of_memory}
    for game in games:
        for task in TASKS:
            if task.game != game.name:
                continue
            print(f"overtrick: measuring {game.name}, {task.label}", file=sys.stderr, flush=True)
            milliseconds(game, task, 1, 0)
            spent = milliseconds(game, task, DEALS_A_REPEAT * repeats, 1)
            report["tasks"].append(
                {
                    "game": game.name,
                    "task": task.label,
                    "deals": len(spent),
                    "median_ms": float(np.median(spent)),
                    "ninth_decile_ms": float(np.quantile(spent, 0.9)),
                    "slowest_ms": float(max(spent)),
                }
            )
    return report


def show(report: dict[str, Any]) -> None:
    """The report as a table."""
    from rich.console import Console
    from rich.table import Table

    size = report["memory_bytes"] / 2**20
    table = Table(title=f"exact solver, one core, ms a deal; memory {size:.0f} MiB")
    for label in ("game", "task", "deals", "median", "ninth decile", "slowest"):
        table.add_column(label, justify="left" if label in ("game", "task") else "right")
    for told in report["tasks"]:
        times = (told["median_ms"], told["ninth_decile_ms"], told["slowest_ms"])
        cells = [f"{time_ms:,.2f}" for time_ms in times]
        table.add_row(told["game"], told["task"], str(told["deals"]), *cells)
    Console().print(table)
