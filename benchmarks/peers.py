"""How many steps a second other programs' card games make, beside ours, on one core, in CPU time.

Measured are those that are installed; nothing is installed for it. Random legal choices, drawn
within the time. The games differ (Bridge has as many cards and tricks as Hearts), so this tells
an order of magnitude. What each program observes by itself at every step is in its figure.

- ours: the batched environment, without and with observations, 4096 deals at a time; and one
  PettingZoo table, which is what most of the others are like
- RLCard, bridge: one table at a time
- pgx, bridge bidding: 4096 tables at a time, compiled, finished ones begun anew
- OpenSpiel, hearts: C++ states stepped from Python, without and with information-state tensors
- PettingZoo classic, Leduc hold'em: one table at a time
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from overtrick.games.game import Game

STEPS = 2000
PGX_TABLES, PGX_STEPS = 4096, 16


def _envs() -> Any:
    """The benchmark beside this one."""
    spec = spec_from_file_location("overtrick_benchmarks_envs", Path(__file__).parent / "envs.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


envs = _envs()


def rlcard_rate(seed: int) -> float:
    """RLCard's bridge."""
    import rlcard

    env, rng, made = rlcard.make("bridge", config={"seed": seed}), random.Random(seed), 0
    state, _ = env.reset()
    begun = time.process_time()
    while made < STEPS:
        if env.is_over():
            state, _ = env.reset()
        state, _ = env.step(rng.choice(list(state["legal_actions"])))
        made += 1
    return STEPS / (time.process_time() - begun)


@cache
def pgx_bidding() -> tuple[Any, Any]:
    """How tables of pgx's bridge begin and go on; their hands are the hundred that come with it."""
    import jax
    from pgx.bridge_bidding import BridgeBidding, _load_sample_hash
    from pgx.experimental import auto_reset

    with TemporaryDirectory() as folder:
        table = Path(folder) / "hands.npy"
        np.save(table, np.stack([np.asarray(part) for part in _load_sample_hash()]))
        env = BridgeBidding(str(table))
    step, init = auto_reset(env.step, env.init), jax.jit(jax.vmap(env.init))

    @jax.jit  # type: ignore[untyped-decorator]
    def move(state: Any, key: Any) -> Any:
        chance, again = jax.random.split(key)
        weights = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        choices = jax.random.categorical(chance, weights, axis=-1)
        return jax.vmap(step)(state, choices, jax.random.split(again, PGX_TABLES))

    return init, move


def pgx_rate(seed: int) -> float:
    """The bidding of pgx's bridge, compiled once."""
    import jax

    init, move = pgx_bidding()
    keys = jax.random.split(jax.random.PRNGKey(seed), PGX_STEPS + 1)
    state = move(init(jax.random.split(keys[0], PGX_TABLES)), keys[0])
    jax.block_until_ready(state)
    begun = time.process_time()
    for key in keys[1:]:
        state = move(state, key)
    jax.block_until_ready(state)
    return PGX_STEPS * PGX_TABLES / (time.process_time() - begun)


def openspiel_rate(seed: int) -> float:
    """OpenSpiel's hearts."""
    import pyspiel

    return float(envs.states_rate(pyspiel.load_game("hearts"), seed, STEPS))


def openspiel_observed_rate(seed: int) -> float:
    """The same with the tensor of the player to act at every step."""
    import pyspiel

    game = pyspiel.load_game("hearts")
    rng, made, state = random.Random(seed), 0, game.new_initial_state()
    begun = time.process_time()
    while made < STEPS:
        if state.is_terminal():
            state = game.new_initial_state()
        elif state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        else:
            state.information_state_tensor()
            state.apply_action(rng.choice(state.legal_actions()))
            made += 1
    return STEPS / (time.process_time() - begun)


def classic_rate(seed: int) -> float:
    """Leduc hold'em of PettingZoo classic."""
    from pettingzoo.classic import leduc_holdem_v4

    return float(envs.aec_rate(leduc_holdem_v4.env(), seed, STEPS))


PEERS: dict[str, tuple[tuple[str, ...], Callable[[int], float]]] = {
    "RLCard, bridge": (("rlcard",), rlcard_rate),
    "pgx, bridge bidding": (("pgx", "jax"), pgx_rate),
    "OpenSpiel, hearts": (("pyspiel",), openspiel_rate),
    "OpenSpiel, hearts, with tensors": (("pyspiel",), openspiel_observed_rate),
    "PettingZoo classic, Leduc hold'em": (("pettingzoo", "rlcard", "pygame"), classic_rate),
}
"""What they are called, the packages that they need, and how they are measured."""


def measure_games(games: list[Game], repeats: int = 5) -> dict[str, Any]:
    """Ours in these games, and all that is installed."""
    report: dict[str, Any] = {"rates": {}, "missing": [], "failed": {}, "repeats": repeats}
    parts = envs.parts()
    for game in games:
        for part in ("batched", "batched_observed", "agents"):
            if part in parts:
                label = f"overtrick, {game.name}, {envs.LABELS[part]}"
                _enter(report, label, repeats, lambda seed, p=part, g=game: parts[p](g, seed))  # type: ignore[misc]
    for name, (packages, rate) in PEERS.items():
        if all(find_spec(package) for package in packages):
            _enter(report, name, repeats, rate)
        else:
            report["missing"].append(name)
    return report


def _enter(report: dict[str, Any], name: str, repeats: int, rate: Callable[[int], float]) -> None:
    """Measure one; what another program fails at is told, not raised."""
    print(f"overtrick: measuring {name}", file=sys.stderr, flush=True)
    try:
        with open(os.devnull, "w") as quiet, redirect_stdout(quiet), redirect_stderr(quiet):
            rate(0)
            rates = [rate(seed) for seed in range(1, repeats + 1)]
    except Exception as error:
        report["failed"][name] = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    else:
        report["rates"][name] = envs.figures_of(rates)


def show(report: dict[str, Any]) -> None:
    """The report as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Steps a second on one core: median (lowest to highest)")
    table.add_column("")
    table.add_column("steps a second", justify="right")
    for name, figures in report["rates"].items():
        table.add_row(name, envs.cell(figures).replace("\n", " "))
    console = Console()
    console.print(table)
    if report["missing"]:
        console.print(f"not installed: {'; '.join(report['missing'])}", soft_wrap=True)
    for name, reason in report["failed"].items():
        console.print(f"{name} cannot be measured: {reason}", markup=False, soft_wrap=True)
