"""How many steps a second the environments make, game by game, on one core, in CPU time.

Random legal choices, drawn within the time; each figure is the median of several measurements, with
lowest and highest beside it.

- batched: 4096 deals at a time, a step is one choice in one of them; legal sets, payoffs, match
  scores and the restart of finished deals included; without and with observations, a byte a flag
- tables: 64 tables at a time (Gymnasium, vector), a learner against the game's rulebook; a step is
  one choice of the learner with all answers, observations and masks included
- table: the same, one at a time
- agents: PettingZoo, every seat an agent, with observations and masks
- OpenSpiel: states of pyspiel from Python, cards dealt one by one included, without tensors

The last four are measured if the extras `rl` and `openspiel` are installed.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from overtrick.engine.batches import choose_at_random
from overtrick.envs.batched import BatchedEnv
from overtrick.games.game import Game
from overtrick.jit import streams

DEALS, STEPS = 4096, 128
TABLES, TABLE_STEPS = 64, 64
SINGLE_STEPS = 400
LABELS = {
    "batched": "batched",
    "batched_observed": "batched, with observations",
    "tables": "64 tables against the rulebook",
    "table": "one table against the rulebook",
    "agents": "PettingZoo agents",
    "openspiel": "OpenSpiel, from Python",
}


def batched_rate(game: Game, seed: int, *, observations: bool) -> float:
    """Steps a second of the batched environment."""
    env = BatchedEnv(game, DEALS, seed=seed, observations=observations)
    chance, choices = streams(DEALS, seed, "bench envs"), np.zeros(DEALS, dtype=np.int64)
    begun = time.process_time()
    for _ in range(STEPS):
        choose_at_random(env.legals, chance, choices)
        env.step(choices)
    return STEPS * DEALS / (time.process_time() - begun)


def any_legal(masks: Any, rng: Any) -> Any:
    """A random legal action for each row of masks."""
    return np.argmax(masks * (1.0 - rng.random(masks.shape, dtype=np.float32)), axis=1)


def tables_rate(game: Game, seed: int) -> float:
    """Steps a second of many tables."""
    from overtrick.envs.gymnasium import CardGameVectorEnv

    env, rng = CardGameVectorEnv(game, TABLES), np.random.default_rng(seed)
    _, infos = env.reset(seed=seed)
    begun = time.process_time()
    for _ in range(TABLE_STEPS):
        _, _, _, _, infos = env.step(any_legal(infos["action_mask"], rng))
    return TABLE_STEPS * TABLES / (time.process_time() - begun)


def table_rate(game: Game, seed: int) -> float:
    """Steps a second of one table."""
    from overtrick.envs.gymnasium import CardGameEnv

    env, rng = CardGameEnv(game), np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    begun = time.process_time()
    for _ in range(SINGLE_STEPS):
        action = any_legal(info["action_mask"][None], rng)[0]
        _, _, done, _, info = env.step(action)
        if done:
            _, info = env.reset()
    return SINGLE_STEPS / (time.process_time() - begun)


def agents_rate(game: Game, seed: int) -> float:
    """Steps a second of agents."""
    from overtrick.envs.pettingzoo import CardGameAEC

    env = CardGameAEC(game)
    return aec_rate(env, seed, SINGLE_STEPS)


def aec_rate(env: Any, seed: int, steps: int) -> float:
    """Steps a second of any PettingZoo environment whose observations have masks."""
    rng, made = np.random.default_rng(seed), 0
    env.reset(seed=seed)
    begun = time.process_time()
    while made < steps:
        seen, _, ended, cut, _ = env.last()
        if ended or cut:
            env.reset()
            continue
        env.step(any_legal(seen["action_mask"][None], rng)[0])
        made += 1
    return steps / (time.process_time() - begun)


def openspiel_rate(game: Game, seed: int) -> float:
    """Steps a second of states of pyspiel."""
    from overtrick.envs.openspiel import load

    return states_rate(load(game), seed, SINGLE_STEPS)


def states_rate(game: Any, seed: int, steps: int) -> float:
    """Choices a second in any sequential game of pyspiel, chance included in the time."""
    rng, made, state = random.Random(seed), 0, game.new_initial_state()
    begun = time.process_time()
    while made < steps:
        if state.is_terminal():
            state = game.new_initial_state()
        elif state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            made += 1
    return steps / (time.process_time() - begun)


def parts() -> dict[str, Callable[[Game, int], float]]:
    """What can be measured here."""
    found: dict[str, Callable[[Game, int], float]] = {
        "batched": lambda game, seed: batched_rate(game, seed, observations=False),
        "batched_observed": lambda game, seed: batched_rate(game, seed, observations=True),
    }
    if find_spec("gymnasium"):
        found |= {"tables": tables_rate, "table": table_rate}
    if find_spec("pettingzoo"):
        found["agents"] = agents_rate
    if find_spec("pyspiel"):
        found["openspiel"] = openspiel_rate
    return found


def figures_of(rates: list[float]) -> dict[str, Any]:
    """Median and spread."""
    return {"median": statistics.median(rates), "spread": [min(rates), max(rates)]}


def measure_games(games: list[Game], repeats: int = 5) -> dict[str, Any]:
    """Medians over repeats."""
    report: dict[str, Any] = {"games": {}, "repeats": repeats}
    for game in games:
        print(f"overtrick: measuring {game.name}", file=sys.stderr, flush=True)
        report["games"][game.name] = measured = {}
        for name, rate in parts().items():
            rate(game, 0)
            measured[name] = figures_of([rate(game, seed) for seed in range(1, repeats + 1)])
    return report


def show(report: dict[str, Any]) -> None:
    """The report as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Steps a second on one core: median (lowest to highest)")
    table.add_column("")
    for name in report["games"]:
        table.add_column(name, justify="right")
    measured = [set(figures) for figures in report["games"].values()]
    for part, label in LABELS.items():
        if all(part in found for found in measured):
            table.add_row(label, *(cell(figures[part]) for figures in report["games"].values()))
    Console().print(table)


def cell(figures: dict[str, Any]) -> str:
    """A median with its spread."""
    low, high = figures["spread"]
    return f"{short(figures['median'])}\n({short(low)}–{short(high)})"


def short(rate: float) -> str:
    """12.3M, 456k or 789."""
    for least, unit in ((1e6, "M"), (1e3, "k")):
        if rate >= least:
            return f"{rate / least:.3g}{unit}"
    return f"{rate:.0f}"
