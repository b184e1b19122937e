"""How fast nets play and lead searches, game by game, on one core, with the net of a Captain.

Each figure is the median of several measurements, in CPU time; the spread (lowest and highest) is
reported beside it. Positions are those of 256 deals after eight random choices, the weights are
random, with the share of active units that goes with that. A Captain's net has a body of 3 layers
of 128 units, and 64 units in each head.

- one view: µs for one view a call, from Python, the call included
- a batch: µs a view in batches of 256
- in the search: thousand simulations a second in 6 worlds a view, 80 simulations in each, a leaf
  at a time inside the kernel, without and with exact endings of five tricks
- in batches: the same searches with all leaves of a step valued in one call
- a deal of self-play: ms a deal, every choice by such a search
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

import numpy as np

from overtrick.engine.batches import Batch, choose_at_random
from overtrick.engine.worlds import sample_worlds
from overtrick.games.game import Game
from overtrick.jit import streams
from overtrick.learn.selfplay import SelfPlay, play_deals
from overtrick.nets.evaluating import NetEvaluator
from overtrick.nets.forward import Net, pack_net
from overtrick.nets.spec import spec_for
from overtrick.search.guided import Guidance, ponder_all
from overtrick.search.puct import Forest

DEALS, CHOICES = 256, 8
WORLDS, SIMS = 6, 80
ENDING = 5

PARTS: dict[str, str] = {
    "one": "net, one view a call, µs",
    "batch": "net, 256 views a call, µs a view",
    "search": "search, leaf by leaf, thousand simulations a second",
    "endings": "search, exact endings, thousand simulations a second",
    "batched": "search, leaves in batches, thousand simulations a second",
    "deal": "self-play, ms a deal",
}
"""What is measured, and how it is called."""


def captain(game: Game, seed: int = 0) -> Net:
    """A net of a Captain's size with random weights."""
    spec = spec_for(game, units=128, layers=3, head=64, hands=True)
    chance = np.random.default_rng(seed)
    tensors = {}
    for layer in spec.layers():
        width = np.sqrt(2 / (layer.inputs + layer.outputs))
        weights = width * chance.standard_normal((layer.outputs, layer.inputs))
        tensors[f"{layer.name}.weight"] = weights.astype(np.float32)
        tensors[f"{layer.name}.bias"] = np.zeros(layer.outputs, dtype=np.float32)
    return pack_net(game, spec, tensors)


def some_views(game: Game, seed: int) -> Any:
    """Views of deals in which there is something to choose."""
    batch = Batch(game, DEALS, seed=seed)
    chances = streams(DEALS, seed, "choices")
    choices = np.zeros(DEALS, dtype=np.int64)
    for _ in range(CHOICES):
        choose_at_random(batch.legals, chances, choices)
        batch.step(choices)
    return batch.views()[batch.legals & batch.legals - 1 != 0]


def sample(game: Game, part: str, seed: int) -> float:
    """One figure of a part."""
    net, views = captain(game), some_views(game, seed)
    evaluator = NetEvaluator(game, net)
    scale = float(game.payoff_scale)
    if part in ("one", "batch"):
        lots = [views] if part == "batch" else [views[n : n + 1] for n in range(len(views))]
        begun = time.process_time()
        for _ in range(4):
            for lot in lots:
                evaluator.weigh(lot)
        return (time.process_time() - begun) / 4 / len(views) * 1e6
    if part == "deal":
        how = SelfPlay(WORLDS, Guidance(SIMS, endgame=ENDING))
        begun = time.process_time()
        play_deals(game, net, how, seed=seed, first=0, count=32)
        return (time.process_time() - begun) / 32 * 1e3
    views = views[:64]
    chances = streams(len(views), seed, "worlds")
    worlds = [
        sample_worlds(views[number : number + 1], WORLDS, chances[number])
        for number in range(len(views))
    ]
    begun = time.process_time()
    if part == "batched":
        forest = Forest(game, scale, views, worlds, chances, evaluator=evaluator)
        forest.think(SIMS)
    else:
        how_far = Guidance(SIMS, endgame=ENDING if part == "endings" else 0)
        ponder_all(game, net, how_far, scale, np.concatenate(worlds), chances)
    return len(views) * WORLDS * SIMS / (time.process_time() - begun) / 1e3


def measure_games(games: list[Game], repeats: int = 5) -> dict[str, Any]:
    """Medians over repeats."""
    report: dict[str, Any] = {"games": {}, "repeats": repeats}
    for game in games:
        print(f"overtrick: measuring {game.name}", file=sys.stderr, flush=True)
        figures: dict[str, Any] = {"spread": {}}
        for part in PARTS:
            sample(game, part, 0)
            found = [sample(game, part, seed) for seed in range(1, repeats + 1)]
            figures[part] = statistics.median(found)
            figures["spread"][part] = [min(found), max(found)]
        report["games"][game.name] = figures
    return report


def show(report: dict[str, Any]) -> None:
    """The report as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="nets on one core: median (lowest to highest)")
    table.add_column("")
    for name in report["games"]:
        table.add_column(name, justify="right")
    for part, label in PARTS.items():
        cells = []
        for figures in report["games"].values():
            low, high = figures["spread"][part]
            cells.append(f"{figures[part]:,.1f}\n({low:,.1f}–{high:,.1f})")
        table.add_row(label, *cells)
    Console().print(table)
