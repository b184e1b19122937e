"""Round robins: every two players meet on the same boards, and all are rated together."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from overtrick.arena.results import PlayerResult, Table
from overtrick.arena.statistics import Estimate, Rating, estimate, ratings
from overtrick.arena.tournament import Contest, play_table

__all__ = ["RoundRobin", "play_round_robin"]

Values = np.ndarray[Any, Any]


@dataclass(frozen=True)
class RoundRobin:
    """The tables of all pairs; `pairs[k]` are the numbers of the players of `tables[k]`."""

    players: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    tables: tuple[Table, ...]

    def ratings(self) -> list[Rating]:
        """All players rated together, best first."""
        shares = [table.shares(0) for table in self.tables]
        return ratings(self.players, self.pairs, shares, seed=self.tables[0].seed)

    def ratings_by_boards(self) -> list[Rating]:
        """All players rated by who had more points on each board, by however little; best first.

        Luck cancels within a board, so this tells players apart whose points hardly differ.
        """
        shares = [0.5 + 0.5 * np.sign(t.payoffs(0) - t.payoffs(1)) for t in self.tables]
        return ratings(self.players, self.pairs, shares, seed=self.tables[0].seed)

    def against(self, player: int, other: int) -> Estimate:
        """A player's points a deal against another."""
        for (first, second), table in zip(self.pairs, self.tables, strict=True):
            if {first, second} == {player, other}:
                return table.results()[int(player == second)].payoff
        return Estimate(0.0, 0.0, 0)

    def results(self) -> list[PlayerResult]:
        """Each player over all its opponents; the boards are the same against each."""
        lines = []
        for number, name in enumerate(self.players):
            mine = [
                (table, pair.index(number))
                for pair, table in zip(self.pairs, self.tables, strict=True)
                if number in pair
            ]
            payoffs: Values = np.mean([table.payoffs(side) for table, side in mine], axis=0)
            wins: Values = np.mean([table.wins(side) for table, side in mine], axis=0)
            parts = [table.results()[side] for table, side in mine]
            lines.append(
                PlayerResult(
                    name,
                    estimate(payoffs),
                    estimate(wins),
                    float(np.mean([part.ms_per_choice for part in parts])),
                    sum(part.choices for part in parts),
                    sum(part.replaced for part in parts),
                )
            )
        return lines

    def values(self) -> dict[str, Any]:
        """The result as JSON has it."""
        first = self.tables[0].values()
        return {key: first[key] for key in ("game", "variant", "unit", "boards", "seed")} | {
            "results": [line.values() for line in self.results()],
            "pairs": [
                {"players": list(table.players), "results": table.values()["results"]}
                for table in self.tables
            ],
            "ratings": _rating_values(self.ratings()),
            "ratings_by_boards": _rating_values(self.ratings_by_boards()),
        }


def _rating_values(rated: Sequence[Rating]) -> list[dict[str, Any]]:
    return [{"player": one.player, "elo": one.elo, "ci95": one.ci95} for one in rated]


def play_round_robin(
    contest: Contest,
    boards: int,
    *,
    threads: int | None = None,
    save: Path | None = None,
    resume: bool = False,
    watch: Callable[[Table], bool] = lambda so_far: True,
) -> RoundRobin:
    """Let every two players of a contest meet; each pair is saved in a file of its own."""
    pairs = tuple(itertools.combinations(range(len(contest.players)), 2))
    tables = [
        play_table(
            _pair(contest, pair),
            boards,
            threads=threads,
            save=save and save.with_name(f"{save.stem}-{pair[0] + 1}-{pair[1] + 1}{save.suffix}"),
            resume=resume,
            watch=watch,
        )
        for pair in pairs
    ]
    return RoundRobin(contest.players, pairs, tuple(tables))


def _pair(contest: Contest, pair: Sequence[int]) -> Contest:
    names = [contest.players[number] for number in pair]
    kind: dict[str, Any] = {"matches": contest.matches, "ties": contest.ties}
    return Contest.of(contest.game, names, seed=contest.seed, variant=contest.variant, **kind)
