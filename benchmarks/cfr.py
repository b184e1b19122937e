"""How fast traversals make samples, game by game: with a rulebook, with nets, by two processes.

Each figure is the median of several measurements, in CPU time of one core, with lowest and highest
beside it; all with a decay of 0.2, the nets 128 x 3 with random weights.

- samples, nodes a second: branched choices with all their regrets, and choices at which nets were
  asked or deals branched; by the strong rulebook, by a net inside kernels, by a net in batches
- mean batch: views that a net is asked about in one call, in the last of these
- two processes: samples a second of wall time of two processes over that of one
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any

from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.learn.generating import traversal_for
from overtrick.learn.traversing import Traversal, traverse
from overtrick.nets.forward import pack_net
from overtrick.nets.spec import spec_for

DEALS = 8
DECAY = 0.2


def net_traversal(game: Game) -> Traversal:
    """All seats by a net whose weights are drawn at random."""
    import numpy as np

    plain = traversal_for(game, "random", decay=DECAY)
    spec = spec_for(game, units=128, layers=3, head=0, reach=plain.spec.reach, output="choices")
    chance = np.random.default_rng(1)
    tensors = {
        name: (chance.standard_normal(shape) / shape[-1] ** 0.5).astype(np.float32)
        for name, shape in spec.shapes().items()
    }
    return replace(plain, spec=spec, nets=(pack_net(game, spec, tensors),), player="")


def ways(game: Game) -> dict[str, Traversal]:
    """What is measured."""
    net = net_traversal(game)
    book = "rulebook" if game.rulebooks else "random"
    return {
        "rulebook": traversal_for(game, book, decay=DECAY),
        "net": net,
        "batched": replace(net, batched=True),
    }


def sample(game: Game, how: Traversal, seed: int) -> dict[str, float]:
    """Samples and nodes a second of CPU time, and the mean batch."""
    begun = time.process_time()
    found = traverse(game, how, seed=seed, first=0, count=DEALS)
    spent = time.process_time() - begun
    return {
        "samples": len(found.regrets) / spent,
        "nodes": found.nodes / spent,
        "batch": found.together / max(found.calls, 1),
    }


def work(game: str, seconds: float) -> int:
    """How many samples a process makes in so long, once it is warm."""
    chosen = load_game(game)
    how = net_traversal(chosen)
    traverse(chosen, how, seed=0, first=0, count=1)
    begun, made, first = time.perf_counter(), 0, 0
    while time.perf_counter() - begun < seconds:
        made += len(traverse(chosen, how, seed=1, first=first, count=DEALS).regrets)
        first += DEALS
    return made


def two_over_one(game: Game, seconds: float = 4.0) -> float:
    """What two processes make in the time that one makes some."""

    def made(count: int) -> int:
        words = f"runpy.run_path({__file__!r})['work']({game.name!r}, {seconds})"
        code = f"import runpy; print({words})"
        running = [
            subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
            for _ in range(count)
        ]
        return sum(int(one.communicate()[0]) for one in running)

    return made(2) / max(made(1), 1)


def measure_games(games: list[Game], repeats: int = 5) -> dict[str, Any]:
    """Medians over repeats."""
    report: dict[str, Any] = {"games": {}, "repeats": repeats}
    for game in games:
        print(f"overtrick: measuring {game.name}", file=sys.stderr, flush=True)
        figures: dict[str, Any] = {}
        for name, how in ways(game).items():
            sample(game, how, 0)
            found = [sample(game, how, seed) for seed in range(1, repeats + 1)]
            for part in ("samples", "nodes", "batch"):
                numbers = [one[part] for one in found]
                figures[f"{name} {part}"] = {
                    "median": statistics.median(numbers),
                    "spread": [min(numbers), max(numbers)],
                }
        figures["two processes"] = two_over_one(game)
        report["games"][game.name] = figures
    return report


def show(report: dict[str, Any]) -> None:
    """The report as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="traversals, one core: median (lowest to highest)")
    for label in ("game", "who", "samples a second", "nodes a second", "mean batch", "two / one"):
        table.add_column(label, justify="left" if label in ("game", "who") else "right")
    for name, told in report["games"].items():
        for who in ("rulebook", "net", "batched"):
            cells = []
            for part in ("samples", "nodes", "batch"):
                one = told[f"{who} {part}"]
                low, high = one["spread"]
                cells.append(f"{one['median']:,.0f} ({low:,.0f}–{high:,.0f})")
            both = f"{told['two processes']:.2f}" if who == "net" else ""
            table.add_row(name, who, *cells, both)
    Console().print(table)
