"""How fast searches are, game by game, on one core, from the start of a deal.

Each figure is the median of several measurements, in CPU time; the spread (lowest and highest) is
reported beside it. Leaves are valued by random playouts, or by the strong rulebook.

- pimc: playouts a second, every choice in 10,000 playouts' worth of worlds, drawn evenly
- puct: simulations a second, one tree in each of 50 worlds, 200 simulations a tree
- ismcts: simulations a second, 10,000 of them in 8 trees, every seat with its own eyes; and with
  the eyes of the searching seat alone
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

import numpy as np

from overtrick.engine.batches import Batch, legal_all
from overtrick.engine.playouts import RANDOM
from overtrick.engine.worlds import sample_worlds
from overtrick.games.game import Game
from overtrick.jit import stream
from overtrick.search.beliefs import EVENLY, Beliefs
from overtrick.search.ismcts import MANY, ONE, Ismcts
from overtrick.search.pimc import Pimc
from overtrick.search.puct import Puct

WORLDS = 50
SIMULATIONS = 10_000

PARTS: dict[str, tuple[str, dict[str, int]]] = {
    "pimc": ("PIMC, random playouts", {}),
    "pimc_strong": ("PIMC, strong rulebook", {"level": 1}),
    "puct": ("PUCT, random playouts", {}),
    "puct_strong": ("PUCT, strong rulebook", {"level": 1}),
    "ismcts": ("ISMCTS, own eyes, random playouts", {"eyes": MANY}),
    "ismcts_one": ("ISMCTS, one pair of eyes, random playouts", {"eyes": ONE}),
}
"""What is measured: how it is called, and the settings."""


def pimc_rate(game: Game, view: Any, chance: Any, level: int) -> float:
    """Playouts a second, drawing the worlds included."""
    legals = np.zeros(1, dtype=np.int64)
    legal_all(view, legals)
    choices = int(legals[0]).bit_count()
    worlds = SIMULATIONS // choices
    beliefs = Beliefs(game, EVENLY)
    thinking = Pimc(game, view, int(legals[0]), chance, beliefs, level=level, budget=worlds)
    begun = time.process_time()
    thinking.think(worlds)
    return worlds * choices / (time.process_time() - begun)


def sample(game: Game, part: str, seed: int) -> float:
    """Simulations or playouts a second."""
    view = Batch(game, 1, seed=seed).views()
    worlds, chance = sample_worlds(view, WORLDS, stream(seed, "worlds")), stream(seed, "search")
    settings: dict[str, Any] = {"level": RANDOM} | PARTS[part][1]
    if part.startswith("pimc"):
        return pimc_rate(game, view, chance, settings["level"])
    kind = Puct if part.startswith("puct") else Ismcts
    thinking: Any = kind(game, game.scale(game.variant()), view, worlds, chance, **settings)
    begun = time.process_time()
    thinking.think(SIMULATIONS // WORLDS if kind is Puct else SIMULATIONS)
    return SIMULATIONS / (time.process_time() - begun)


def measure_games(games: list[Game], repeats: int = 5) -> dict[str, Any]:
    """Medians over repeats."""
    report: dict[str, Any] = {"games": {}, "repeats": repeats}
    for game in games:
        print(f"overtrick: measuring {game.name}", file=sys.stderr, flush=True)
        figures: dict[str, Any] = {"spread": {}}
        for part in PARTS:
            sample(game, part, 0)
            rates = [sample(game, part, seed) for seed in range(1, repeats + 1)]
            figures[part] = statistics.median(rates)
            figures["spread"][part] = [min(rates), max(rates)]
        report["games"][game.name] = figures
    return report


def show(report: dict[str, Any]) -> None:
    """The report as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(
        title="thousand playouts or simulations a second on one core: median (lowest to highest)"
    )
    table.add_column("")
    for name in report["games"]:
        table.add_column(name, justify="right")
    for part, (label, _) in PARTS.items():
        cells = []
        for figures in report["games"].values():
            low, high = figures["spread"][part]
            cells.append(f"{figures[part] / 1e3:,.0f}\n({low / 1e3:,.0f}–{high / 1e3:,.0f})")
        table.add_row(label, *cells)
    Console().print(table)
