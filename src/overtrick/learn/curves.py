"""What runs have logged, metric by metric, for tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from overtrick.errors import BadOption, UnknownName
from overtrick.games.game import Game
from overtrick.learn.journal import LOG, Metrics, read_lines
from overtrick.learn.run import run_folder

__all__ = ["FIGURES", "Curve", "curves_of", "figure_metrics", "logged_runs", "smoothed"]

Values = np.ndarray[Any, np.dtype[np.float64]]
AXES = ("deals", "minutes", "iteration")
FIGURES = ("learning", "play")
LOSSES = ("VMSE", "PCE", "QKL", "QMSE")
LEARNING = ("explained", "foreseen", "entropy", "kl", "payoff", "league share")


@dataclass(frozen=True)
class Curve:
    """One metric of one run."""

    run: str
    metric: str
    x: Values
    values: Values


def logged_runs(game: Game, method: str) -> list[str]:
    """The names of the runs of a game and method that have a log."""
    home = run_folder(game.name, method, "any").parent
    return sorted(path.parent.name for path in home.glob(f"*/{LOG}"))


def curves_of(
    game: Game, method: str, names: Sequence[str], metrics: Sequence[str], x: str
) -> list[Curve]:
    """The curves of these metrics in these runs; one that a run does not have is left out."""
    if x not in AXES:
        raise BadOption(f"a curve goes over {', '.join(AXES)}, not {x!r}")
    logs = {name: _lines(game, method, name) for name in names}
    known = {key for lines in logs.values() for line in lines for key in line}
    for metric in metrics:
        if metric not in known:
            raise UnknownName("metric of these runs", metric, sorted(known))
    found = []
    for metric in metrics:
        for name, lines in logs.items():
            points = [(line[x], line[metric]) for line in lines if metric in line and x in line]
            if points:
                rows = np.array(points, dtype=np.float64)
                found.append(Curve(name, metric, rows[:, 0], rows[:, 1]))
    return found


def _lines(game: Game, method: str, name: str) -> list[Metrics]:
    path = run_folder(game.name, method, name) / LOG
    if not path.exists():
        raise UnknownName(f"run of {game.name} {method}", name, logged_runs(game, method))
    numbers = [
        {key: value for key, value in line.items() if not isinstance(value, str)}
        for line in read_lines(path)
    ]
    if not numbers:
        raise BadOption(f"run {name} of {game.name} {method} has not logged anything yet")
    return list(numbers)  # type: ignore[arg-type]


def figure_metrics(game: Game, method: str, names: Sequence[str], figure: str) -> list[str]:
    """The metrics of a figure: how it learned, or how it played in the game's own numbers.

    `learning` begins with the four of the Hokm post: deals won of random play and of the
    rulebooks, how much of the returns the critic explains, and how well it foresees a deal.
    """
    if figure not in FIGURES:
        raise UnknownName("figure", figure, FIGURES)
    known = {key for name in names for line in _lines(game, method, name) for key in line}
    if figure == "play":
        wanted = dict.fromkeys(metric.name for metric in game.metrics)
    else:
        wins = ["wins random", *sorted(key for key in known if key.startswith("wins "))]
        losses = sorted(key for key in known if key.endswith("loss") or key in LOSSES)
        wanted = dict.fromkeys([*wins, *LEARNING, *losses])
    found = [key for key in wanted if key in known]
    if not found:
        raise BadOption(
            f"nothing of the figure {figure} was logged, only {', '.join(sorted(known))}"
        )
    return found


def smoothed(values: Values, over: int) -> Values:
    """Means over so many neighbours, fewer at the ends."""
    if over <= 1 or len(values) < 3:
        return values
    half = over // 2
    sums = np.concatenate([[0.0], np.cumsum(values)])
    low = np.maximum(np.arange(len(values)) - half, 0)
    high = np.minimum(np.arange(len(values)) + half + 1, len(values))
    means: Values = (sums[high] - sums[low]) / (high - low)
    return means
