"""How fast belief players choose, and how fast their approximators learn, on one core.

Each figure is the median of several measurements, in CPU time, with lowest and highest beside it.
Positions are those of 200 deals by the game's usual rulebook; the weights are those of the model
that comes with the package, or random where none does.

- a choice: ms a real choice with the usual settings, with worlds that count alike, with a rulebook
  as predictor, and with every line of the trick enumerated
- exact marginals: µs a view, by counting
- a deal watched: µs for the predictors to learn a finished deal on line
- EM: µs a row and unit-pass of a Gaussian network of 16 units with 26 inputs and one output: ten
  steps of batch EM on 2,000 rows, and on-line EM on the same rows in lots of 1 and of 64
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from overtrick.belief.adapting import watch_deals
from overtrick.belief.calibrating import positions_of
from overtrick.belief.looking import EVEN, Looking, new_looker, new_room
from overtrick.belief.marginals import count_marginals
from overtrick.belief.minds import Minds, Sizes, minds_of, new_desk, specs_for
from overtrick.belief.playing import choose_each
from overtrick.belief.tables import ready
from overtrick.engine.batches import play_all
from overtrick.engine.playouts import choose_all
from overtrick.engine.views import hide_all
from overtrick.engine.worlds import new_puzzle
from overtrick.games.game import Game
from overtrick.jit import stream, streams
from overtrick.models import list_models
from overtrick.nets.approximators import OUTPUTS
from overtrick.nets.ngnet import Online, begin_units
from overtrick.players import make_player
from overtrick.players.believing import EVERY_LINE, USUAL, BeliefPlayer
from overtrick.players.levels import playout_player

DEALS, REACH = 200, 30.0
ROWS, STEPS, UNITS, INPUTS = 2000, 10, 16, 26

PARTS = {
    "usual": "a choice, ms",
    "even": "a choice, worlds alike, ms",
    "rules": "a choice, rulebook as predictor, ms",
    "enumerated": "a choice, every line, ms",
    "marginals": "exact marginals, µs a view",
    "watched": "a deal watched, µs",
}
EM_PARTS = {
    "batch": "batch EM, 10 steps, µs a row",
    "online 1": "on-line EM, row by row, µs a row",
    "online 64": "on-line EM, 64 rows at a time, µs a row",
}


def random_minds(game: Game, seed: int = 0) -> Minds:
    """Approximators of the usual size with random numbers."""
    chance = np.random.default_rng(seed)
    specs = specs_for(
        ready(game),
        backend="neural",
        features="all",
        sizes=Sizes(64, 1, 192, 2, 128, 2),
        reach=REACH,
    )
    nets = {}
    for name, spec in specs.items():
        tensors = {
            key: (chance.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32)
            for key, shape in spec.shapes().items()
        }
        nets[name] = spec, tensors
    return minds_of(game, nets, 8)


def minds_for(game: Game) -> tuple[Minds, float]:
    """The shipped model's approximators and their reach, or random ones."""
    for model in list_models(game):
        if model.is_shipped and model.card.method == "belief":
            player = make_player(f"belief:{model.card.reference}", game)
            assert isinstance(player, BeliefPlayer)
            return player.minds, player.reach
    return random_minds(game), REACH


def measure_game(game: Game, repeats: int) -> dict[str, Any]:
    """All figures of a game."""
    (minds, reach), level = minds_for(game), playout_player(game).level
    states = positions_of(game, level, DEALS, 1)
    views = states.copy()
    hide_all(views, states["seat"].copy())
    usual = USUAL
    ways = {
        "usual": usual,
        "even": replace(usual, belief=EVEN),
        "rules": replace(usual, level=level),
        "enumerated": replace(usual, least=0.0, lines=EVERY_LINE, gap=0.0),
    }
    found = {
        name: _times(partial(_choose, game, minds, reach, views, how), repeats)
        for name, how in ways.items()
    }
    found["marginals"] = _times(lambda: _count(game, views), repeats)
    found["watched"] = _times(lambda: _watch(game, minds, _ended(game, level)), repeats)
    return found


def _choose(game: Game, minds: Minds, reach: float, views: Any, how: Looking) -> float:
    chosen, people = np.zeros(len(views), dtype=np.int64), np.zeros(game.seats, dtype=np.int64)
    looker = new_looker(game, minds, how, reach)
    chance = streams(len(views), 1, "bench")
    begun = time.process_time()
    choose_each(views, looker, people, chance, chosen)
    return 1e3 * (time.process_time() - begun) / len(views)


def _count(game: Game, views: Any) -> float:
    puzzle, room = new_puzzle(), np.zeros(1, dtype=game.state)
    out = np.zeros((game.seats, len(game.deck)))
    begun = time.process_time()
    for number in range(len(views)):
        count_marginals(views[number : number + 1], puzzle, room, stream(1), out)
    return 1e6 * (time.process_time() - begun) / len(views)


def _ended(game: Game, level: int) -> Any:
    states = positions_of(game, level, DEALS, 1)
    going = np.arange(len(states))
    while len(going):
        group = states[going]
        chosen = np.zeros(len(going), dtype=np.int64)
        choose_all(group, level, streams(len(going), 1, "end"), chosen)
        play_all(group, chosen)
        states[going] = group
        going = going[group["phase"] >= 0]
    hide_all(states, np.zeros(len(states), dtype=np.int64))
    return states


def _watch(game: Game, minds: Minds, views: Any) -> float:
    people = np.tile(np.arange(game.seats) + 1, (len(views), 1))
    desk, room = new_desk(game, minds), new_room(game, Looking(worlds=1, candidates=1))
    errors = np.zeros(int(minds[0][0][OUTPUTS]))
    begun = time.process_time()
    watch_deals(views, people, minds, desk, room, 0.0, 1.0, errors, stream(1), np.zeros(4))
    return 1e6 * (time.process_time() - begun) / len(views)


def measure_em(repeats: int) -> dict[str, Any]:
    """Batch against on-line EM."""
    chance = np.random.default_rng(1)
    x = chance.standard_normal((ROWS, INPUTS))
    y = np.abs(x[:, :1]) + 0.1 * chance.standard_normal((ROWS, 1))

    def batch() -> float:
        net = begin_units(x, y, UNITS, 1)
        begun = time.process_time()
        net.fit(x, y, steps=STEPS, tolerance=-np.inf)
        return 1e6 * (time.process_time() - begun) / ROWS

    def on_line(lot: int) -> float:
        online = Online(begin_units(x, y, UNITS, 1))
        begun = time.process_time()
        online.teach(x, y, lot=lot)
        return 1e6 * (time.process_time() - begun) / ROWS

    return {
        "batch": _times(batch, repeats),
        "online 1": _times(lambda: on_line(1), repeats),
        "online 64": _times(lambda: on_line(64), repeats),
    }


def _times(measure: Callable[[], float], repeats: int) -> dict[str, Any]:
    measure()
    numbers = [measure() for _ in range(repeats)]
    return {"median": statistics.median(numbers), "spread": [min(numbers), max(numbers)]}


def measure_games(games: list[Game], repeats: int = 5) -> dict[str, Any]:
    """Medians over repeats."""
    report: dict[str, Any] = {"games": {}, "repeats": repeats, "em": measure_em(repeats)}
    for game in games:
        print(f"overtrick: measuring {game.name}", file=sys.stderr, flush=True)
        report["games"][game.name] = measure_game(game, repeats)
    return report


def show(report: dict[str, Any]) -> None:
    """The report as tables."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="belief players on one core: median (lowest to highest)")
    table.add_column("")
    for name in report["games"]:
        table.add_column(name, justify="right")
    for part, label in PARTS.items():
        table.add_row(label, *(_cell(figures[part]) for figures in report["games"].values()))
    em = Table(title=f"EM, {UNITS} units, {INPUTS} inputs")
    em.add_column("")
    em.add_column("", justify="right")
    for part, label in EM_PARTS.items():
        em.add_row(label, _cell(report["em"][part]))
    Console().print(table)
    Console().print(em)


def _cell(one: dict[str, Any]) -> str:
    low, high = one["spread"]
    return f"{one['median']:.3g}\n({low:.3g}–{high:.3g})"
