"""How fast traversals make samples, game by game: with a rulebook, with nets, by two processes.

Each figure is the median of several measurements, in CPU time of one core, with lowest and highest
beside it; all with a decay of 0.2, the nets 128 x 3 with random weights.

- samples, nodes a second: branched choices with all their regrets, and choices at which nets were
  asked or deals branched; by the strong rulebook, by a net inside kernels, by a net in batches
- mean batch: views that a net is asked about in one call, in the last of these
- two processes: what two make side by side over what one makes alone, each by the second of CPU
  time that it had, so that others on the machine do not count; and beside it the same by the clock
"""

from __future__ import annotations

import json
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


def work(game: str, seconds: float) -> tuple[int, float, float]:
    """How many samples a process makes in so long, once it is warm; its CPU and wall seconds."""
    chosen = load_game(game)
    how = net_traversal(chosen)
    traverse(chosen, how, seed=0, first=0, count=1)
    made, first = 0, 0
    begun, spent = time.perf_counter(), time.process_time()
    while time.perf_counter() - begun < seconds:
        made += len(traverse(chosen, how, seed=1, first=first, count=DEALS).regrets)
        first += DEALS
    return made, time.process_time() - spent, time.perf_counter() - begun


def two_over_one(game: Game, seconds: float = 4.0, repeats: int = 3) -> tuple[float, float]:
    """What two processes make a second over what one makes: of CPU time, and by the clock.

    They take turns, one and two, so that what else goes on meets both; medians.
    """

    def made(count: int) -> tuple[float, float]:
        words = f"runpy.run_path({__file__!r})['work']({game.name!r}, {seconds})"
        code = f"import json, runpy; print(json.dumps({words}))"
        running = [
            subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
            for _ in range(count)
        ]
        told = [json.loads(one.communicate()[0]) for one in running]
        by_cpu = sum(samples / max(cpu, 1e-9) for samples, cpu, _ in told)
        return by_cpu, sum(samples / wall for samples, _, wall in told)

    pairs = [(made(1), made(2)) for _ in range(repeats)]
    ratios = [(two[0] / max(one[0], 1e-9), two[1] / max(one[1], 1e-9)) for one, two in pairs]
    cpu, wall = zip(*ratios, strict=True)
    return statistics.median(cpu), statistics.median(wall)


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
        figures["two processes"], figures["two processes, wall"] = two_over_one(game)
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
            two = told["two processes"], told["two processes, wall"]
            both = f"{two[0]:.2f} ({two[1]:.2f} by the clock)" if who == "net" else ""
            table.add_row(name, who, *cells, both)
    Console().print(table)
