"""How fast rulebook players meet, and what the arena adds to the kernels' own time.

- deals: deals a second on one core, the strong rulebook in every seat, in CPU time
- overhead: CPU time of a whole tournament on one thread over that of its kernels, less one
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

import numpy as np

from overtrick.arena.boards import play_chunk
from overtrick.arena.seating import seatings
from overtrick.arena.tournament import FAST_CHUNK, Contest, play_table
from overtrick.games.game import Game
from overtrick.players import make_player

BOARDS = 3 * FAST_CHUNK


def kernel_seconds(game: Game, seed: int) -> tuple[float, float]:
    """CPU seconds to deal and play BOARDS boards, and the deals in them."""
    players = [make_player("rulebook", game)] * 2
    seating, rules = seatings(game, 2), game.variant()
    begun = time.process_time()
    for first in range(0, BOARDS, FAST_CHUNK):
        play_chunk(game, rules, players, seating, seed=seed, first=first, boards=FAST_CHUNK)
    return time.process_time() - begun, BOARDS * len(seating)


def tournament_seconds(game: Game, seed: int) -> float:
    """CPU seconds of the same boards as a tournament."""
    contest = Contest.of(game, ["rulebook", "rulebook"], seed=seed)
    begun = time.process_time()
    play_table(contest, BOARDS, threads=1)
    return time.process_time() - begun


def measure_games(games: list[Game], repeats: int = 5) -> dict[str, Any]:
    """Medians over repeats; the two times of a ratio are taken one right after the other."""
    report: dict[str, Any] = {"games": {}, "repeats": repeats}
    for game in games:
        print(f"overtrick: measuring {game.name}", file=sys.stderr, flush=True)
        kernel_seconds(game, 0), tournament_seconds(game, 0)
        rates, ratios = [], []
        for seed in range(1, repeats + 1):
            seconds, deals = kernel_seconds(game, seed)
            rates.append(deals / seconds)
            ratios.append(tournament_seconds(game, seed) / seconds - 1)
        report["games"][game.name] = {
            "deals_per_second": statistics.median(rates),
            "spread": [min(rates), max(rates)],
            "overhead": float(np.median(ratios)),
            "overhead_spread": [min(ratios), max(ratios)],
        }
    return report


def show(report: dict[str, Any]) -> None:
    """The report as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="strong rulebooks, one core: median (lowest to highest)")
    for label in ("game", "deals a second", "what the arena adds"):
        table.add_column(label, justify="left" if label == "game" else "right")
    for name, told in report["games"].items():
        low, high = told["spread"]
        least, most = told["overhead_spread"]
        table.add_row(
            name,
            f"{told['deals_per_second']:,.0f} ({low:,.0f}–{high:,.0f})",
            f"{100 * told['overhead']:+.1f}% ({100 * least:+.1f} to {100 * most:+.1f}%)",
        )
    Console().print(table)
