"""How players play against each other, in the numbers that their game tells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from overtrick.arena.boards import Chunk, play_chunk
from overtrick.arena.seating import seatings
from overtrick.arena.statistics import Estimate, student_t
from overtrick.errors import BadBudget
from overtrick.games.behaviour import Metric, Played
from overtrick.games.game import Game, Variant
from overtrick.players import close_players, make_player

__all__ = ["Behaviour", "measure_behaviour", "told_as"]

Values = np.ndarray[Any, Any]
CHUNK = 512


@dataclass(frozen=True)
class Behaviour:
    """Each player's metrics over boards: `rows[metric][player]`."""

    game: Game
    variant: Variant
    seed: int
    boards: int
    players: tuple[str, ...]
    metrics: tuple[Metric, ...]
    rows: tuple[tuple[Estimate, ...], ...]
    replaced: tuple[int, ...] = ()  # choices made in the place of each player that failed

    def values(self) -> dict[str, Any]:
        """The result as JSON has it."""
        return {
            "game": self.game.name,
            "variant": self.variant.text(),
            "boards": self.boards,
            "seed": self.seed,
            "players": list(self.players),
            "replaced": list(self.replaced),
            "metrics": [
                {
                    "name": metric.name,
                    "meaning": metric.meaning,
                    "human": metric.human or None,
                    "values": [
                        {"mean": _or_none(one.mean), "ci95": _or_none(one.ci95), "deals": one.count}
                        for one in row
                    ],
                }
                for metric, row in zip(self.metrics, self.rows, strict=True)
            ],
        }


def told_as(metric: Metric, one: Estimate) -> str:
    """A mean with its interval, as people read it."""
    if one.count == 0:
        return "–"
    if metric.is_share:
        return f"{100 * one.mean:.1f} ± {100 * one.ci95:.1f}%"
    return f"{one.mean:.2f} ± {one.ci95:.2f}"


def _or_none(number: float) -> float | None:
    return number if math.isfinite(number) else None


def measure_behaviour(
    game: Game,
    players: Sequence[str],
    boards: int,
    *,
    seed: int,
    variant: str | Variant | None = None,
) -> Behaviour:
    """Play boards and tell how everybody played."""
    rules = game.variant_of(variant)
    seated = [make_player(name, game) for name in players]
    seating = seatings(game, len(players))
    if boards < 2:
        raise BadBudget(f"the number of boards is 2 or more, not {boards}")
    sums: list[Values] = []  # [metrics, players, boards, (sum, count)]
    replaced = np.zeros(len(seated), dtype=np.int64)
    try:
        for first in range(0, boards, CHUNK):
            count = min(CHUNK, boards - first)
            chunk = play_chunk(game, rules, seated, seating, seed=seed, first=first, boards=count)
            sums.append(_sums(game, chunk, seating, len(seated)))
            replaced += chunk.replaced
    finally:
        close_players(seated)
    totals = np.concatenate(sums, axis=2)
    rows = tuple(
        tuple(_ratio(totals[metric, player]) for player in range(len(seated)))
        for metric in range(len(game.metrics))
    )
    names = tuple(player.name for player in seated)
    flags = tuple(int(one) for one in replaced)
    return Behaviour(game, rules, seed, boards, names, game.metrics, rows, flags)


def _sums(game: Game, chunk: Chunk, seating: Values, players: int) -> Values:
    """For each metric, player and board: the sum of its values, and how many there were."""
    boards = len(chunk.payoffs)
    totals = np.zeros((len(game.metrics), players, boards, 2))
    for number, row in enumerate(seating):
        for seat, player in enumerate(row):
            played = Played(
                chunk.ends[:, number],
                np.full(boards, seat),
                chunk.payoffs[:, number, seat] / game.payoff_unit,
            )
            for place, metric in enumerate(game.metrics):
                values = np.asarray(metric.of(played), dtype=np.float64)
                told = np.isfinite(values)
                totals[place, player, :, 0] += np.where(told, values, 0)
                totals[place, player, :, 1] += told
    return totals


def _ratio(sums: Values) -> Estimate:
    """The mean of all values, with an interval over boards, whose deals hang together."""
    total, count = sums[:, 0].sum(), sums[:, 1].sum()
    if count == 0:
        return Estimate(math.nan, math.inf, 0)
    mean = float(total / count)
    boards = len(sums)
    error = math.sqrt(float(((sums[:, 0] - mean * sums[:, 1]) ** 2).sum()) * boards / (boards - 1))
    return Estimate(mean, student_t(0.95, boards - 1) * error / float(count), int(count))
