"""How fast rulebook players meet, and what the arena adds to the kernels' own time.

- deals: deals a second on one core inside the kernels, the strong rulebook in every seat
- overhead: CPU time of the whole tournament over that of the kernels that deal and play, less one
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

from overtrick.arena.boards import deal_boards
from overtrick.arena.seating import seatings
from overtrick.arena.tournament import FAST_CHUNK, Contest, play_table
from overtrick.games.game import Game
from overtrick.jit import stream

BOARDS = 2 * FAST_CHUNK


def sample(game: Game, seed: int) -> tuple[float, float]:
    """Deals a second inside the kernels, and what the rest of the same run added to their time."""
    contest = Contest.of(game, ["rulebook", "rulebook"], seed=seed)
    begun = time.process_time()
    table = play_table(contest, BOARDS, threads=1)
    spent = time.process_time() - begun
    inside = float(table.sums.seconds.sum()) + dealing_seconds(game, seed)
    return BOARDS * len(seatings(game, 2)) / inside, spent / inside - 1


def dealing_seconds(game: Game, seed: int) -> float:
    """CPU seconds of the kernel that deals the boards."""
    rules, deals = game.variant(), len(seatings(game, 2))
    size = Contest.of(game, ["rulebook", "rulebook"], seed=seed).chunk
    states = game.blank_states(size * deals, rules).reshape(size, deals)
    matches, chance = game.blank_matches(size, rules), stream(seed, "bench")
    begun = time.process_time()
    for first in range(0, BOARDS, size):
        deal_boards(states, matches, chance, first)
    return time.process_time() - begun


def measure_games(games: list[Game], repeats: int = 5) -> dict[str, Any]:
    """Medians over repeats."""
    report: dict[str, Any] = {"games": {}, "repeats": repeats}
    for game in games:
        print(f"overtrick: measuring {game.name}", file=sys.stderr, flush=True)
        sample(game, 0)
        rates, added = zip(*(sample(game, seed) for seed in range(1, repeats + 1)), strict=True)
        report["games"][game.name] = {
            "deals_per_second": statistics.median(rates),
            "spread": [min(rates), max(rates)],
            "overhead": statistics.median(added),
            "overhead_spread": [min(added), max(added)],
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
