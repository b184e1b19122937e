"""How fast PPO plays and learns with the nets of its presets, game by game, on one core.

Each figure is the median of several measurements, in CPU time, with lowest and highest beside it.

- decisions a second: rollouts, all seats learners; choices that are none are not counted. Policy
  and critic are both asked
- samples a second: choices taught, one gradient of the policy for each batch, the critic left out
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator
from itertools import repeat
from typing import Any

from overtrick.games.game import Game
from overtrick.learn.budget import Budget
from overtrick.learn.methods import load_method
from overtrick.learn.ppo import Ppo
from overtrick.learn.ppo_config import NETS
from overtrick.learn.ppo_teaching import Weights, teach_policy
from overtrick.learn.workers import LocalWorkers

DEALS = {"mlp": 128}
FEWER_DEALS = 4  # with nets that are many times slower
PARTS = {"decisions": "decisions a second", "samples": "samples a second"}


def sample(game: Game, preset: str, seed: int) -> dict[str, float]:
    """Both figures of a preset."""
    method = load_method("ppo")
    deals = DEALS.get(preset, FEWER_DEALS)
    told = {"lot": str(deals), "self_play": "1", "epochs": "1"}
    config: Any = method.configure(game, preset, told)
    run = Ppo(game, config, LocalWorkers(1), seed, Budget(deals=10**9))
    begun = time.process_time()
    rollout = run.play(0.0)
    playing = time.process_time() - begun
    lessons = run.lessons(rollout)
    rows = run.batches(lessons)
    begun = time.process_time()
    nothing: Iterator[None] = repeat(None, len(rows))
    teach_policy(
        run.pupil,
        lessons,
        config,
        Weights(0.01, 0.0),
        magnet=None,
        guessed=slice(0),
        rows=rows,
        branches=nothing,
    )
    teaching = time.process_time() - begun
    return {"decisions": len(rollout) / playing, "samples": len(lessons) / teaching}


def measure_games(games: list[Game], repeats: int = 5) -> dict[str, Any]:
    """Medians over repeats."""
    report: dict[str, Any] = {"games": {}, "repeats": repeats}
    for game in games:
        figures: dict[str, Any] = {}
        for preset in NETS:
            print(f"overtrick: measuring {game.name}, {preset}", file=sys.stderr, flush=True)
            sample(game, preset, 0)
            found = [sample(game, preset, seed) for seed in range(1, repeats + 1)]
            for part in PARTS:
                numbers = [one[part] for one in found]
                figures[f"{preset} {part}"] = {
                    "median": statistics.median(numbers),
                    "spread": [min(numbers), max(numbers)],
                }
        report["games"][game.name] = figures
    return report


def show(report: dict[str, Any]) -> None:
    """The report as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="PPO on one core: median (lowest to highest)")
    table.add_column("")
    for name in report["games"]:
        table.add_column(name, justify="right")
    for preset in NETS:
        for part, label in PARTS.items():
            cells = []
            for figures in report["games"].values():
                one = figures[f"{preset} {part}"]
                low, high = one["spread"]
                cells.append(f"{one['median']:,.0f}\n({low:,.0f}–{high:,.0f})")
            table.add_row(f"{preset}, {label}", *cells)
    Console().print(table)
