"""What boards have come to, player by player, and how it is told."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from overtrick.arena.boards import WON, Chunk
from overtrick.arena.statistics import Estimate, Sprt, estimate, sprt
from overtrick.games.game import Game, Variant

__all__ = ["BoardSums", "PlayerResult", "Table", "sums_of"]

Values = np.ndarray[Any, Any]


@dataclass(frozen=True)
class BoardSums:
    """Each player's results on some boards, as whole numbers, so that nothing is rounded.

    A player with several seats on a deal counts each; `seats` is how many it has on a board.
    """

    payoffs: Values  # [boards, players] sum over its seats, in parts of a point
    wins: Values  # [boards, players] the same, WON for each win
    seats: Values  # [players] on a board
    choices: Values  # [players]
    seconds: Values  # [players]
    replaced: Values  # [players] choices that were made in its place, of a program that failed

    @classmethod
    def join(cls, parts: Sequence[BoardSums]) -> BoardSums:
        """Boards one after the other."""
        return cls(
            np.concatenate([part.payoffs for part in parts]),
            np.concatenate([part.wins for part in parts]),
            parts[0].seats,
            np.sum([part.choices for part in parts], axis=0),
            np.sum([part.seconds for part in parts], axis=0),
            np.sum([part.replaced for part in parts], axis=0),
        )


def sums_of(chunk: Chunk, seating: Values, players: int) -> BoardSums:
    """The results of a chunk, player by player."""
    # Sums as products with a table of who sits where: exact, since all numbers are small.
    belongs = (seating.reshape(-1, 1) == np.arange(players)).astype(np.float64)
    boards = len(chunk.payoffs)

    def summed(values: Values) -> Values:
        rows: Values = values.reshape(boards, -1).astype(np.float64) @ belongs
        return rows.astype(np.int64)

    seats = belongs.sum(axis=0).astype(np.int64)
    made = chunk.choices, chunk.seconds, chunk.replaced
    return BoardSums(summed(chunk.payoffs), summed(chunk.wins), seats, *made)


@dataclass(frozen=True)
class PlayerResult:
    """One player's line in a result."""

    player: str
    payoff: Estimate  # points a deal
    wins: Estimate  # share of deals with a positive payoff, ties half
    ms_per_choice: float
    choices: int = 0
    replaced: int = 0  # choices that were made in its place, of a program that failed

    def values(self) -> dict[str, Any]:
        """The line as JSON has it."""
        return {
            "player": self.player,
            "mean_payoff": self.payoff.mean,
            "ci95": _finite(self.payoff.ci95),
            "win_rate": self.wins.mean,
            "win_rate_ci95": _finite(self.wins.ci95),
            "ms_per_choice": self.ms_per_choice,
            "choices": self.choices,
            "replaced": self.replaced,
        }

    @property
    def flag(self) -> str:
        """That this result is not all its own, if so."""
        if not self.replaced:
            return ""
        return f"{self.replaced} of {self.choices} choices replaced"


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


@dataclass(frozen=True)
class Table:
    """The result of players who shared the boards of one table."""

    game: Game
    variant: Variant
    seed: int
    players: tuple[str, ...]
    sums: BoardSums
    unit: int  # parts of a point that payoffs are counted in
    scale: float  # the largest payoff, in points
    matches: bool = False  # each board is a match in the place of a deal
    ties: str = "shared"  # of a match that several win, all have a share, or `every` one a win

    @property
    def boards(self) -> int:
        """How many boards were played."""
        return len(self.sums.payoffs)

    def payoffs(self, player: int) -> Values:
        """A player's points a deal on each board."""
        scaled: Values = self.sums.payoffs[:, player] / (self.unit * self.sums.seats[player])
        return scaled

    def wins(self, player: int) -> Values:
        """The share of deals that a player won on each board."""
        share: Values = self.sums.wins[:, player] / (WON * self.sums.seats[player])
        return share

    def sides(self) -> list[Estimate]:
        """How many matches the seats of each player won, of one match, as on the Hearts page.

        Two against two, that is the share of matches that a side has won. With `ties` for every
        winner the sum over all players is more than one.
        """
        seats = self.sums.seats / self.sums.seats.sum() * self.game.seats
        return [estimate(self.wins(number) * seats[number]) for number in range(len(seats))]

    def shares(self, player: int) -> Values:
        """What SPRT and ratings go by, 0.5 being even: deals won where a deal is won or lost,
        else payoffs, scaled to 0..1.
        """
        if self.game.wins_decide:
            return self.wins(player)
        share: Values = (1 + self.payoffs(player) / self.scale) / 2
        return share

    def results(self) -> list[PlayerResult]:
        """A line for each player, in their order."""
        choices = np.maximum(self.sums.choices, 1)
        return [
            PlayerResult(
                name,
                estimate(self.payoffs(number)),
                estimate(self.wins(number)),
                1000 * float(self.sums.seconds[number] / choices[number]),
                int(self.sums.choices[number]),
                int(self.sums.replaced[number]),
            )
            for number, name in enumerate(self.players)
        ]

    def sprt(self) -> Sprt:
        """Whether the first player is stronger than even."""
        return sprt(self.shares(0))

    def values(self) -> dict[str, Any]:
        """The result as JSON has it."""
        return {
            "game": self.game.name,
            "variant": self.variant.text(),
            "unit": "match" if self.matches else "deal",
            "boards": self.boards,
            "seed": self.seed,
            "results": [line.values() for line in self.results()],
        } | ({"ties": self.ties, "sides": self._sides()} if self.ties != "shared" else {})

    def _sides(self) -> list[dict[str, Any]]:
        told = zip(self.players, self.sides(), strict=True)
        return [{"player": name, "won": one.mean, "ci95": _finite(one.ci95)} for name, one in told]

    def line(self, player: int = 0) -> str:
        """One player's result with all that belongs to a claim, in one line."""
        result = self.results()[player]
        others = ", ".join(name for number, name in enumerate(self.players) if number != player)
        unit = "matches" if self.matches else "points/deal"
        flags = "".join(f"; {one.player}: {one.flag}" for one in self.results() if one.flag)
        return (
            f"{self.game.name} {result.player} {result.payoff} {unit}, "
            f"wins {100 * result.wins.mean:.1f} ± {100 * result.wins.ci95:.1f}% "
            f"(95%, {self.boards} boards, vs {others}, seed {self.seed}){flags}"
        )
