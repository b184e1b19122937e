"""How strong a learner is: a little while it learns, and as a claim at the end."""

from __future__ import annotations

import shlex
import time
from dataclasses import dataclass, field

from overtrick.arena.results import BoardSums
from overtrick.arena.statistics import estimate
from overtrick.arena.tournament import Contest, play_table
from overtrick.games.game import Game
from overtrick.jit import stream
from overtrick.learn.journal import Metrics
from overtrick.learn.measuring import meet
from overtrick.models import Result
from overtrick.players import Player, make_player

__all__ = ["Gauge", "arena_command", "final_boards", "final_result", "fresh_seed", "yardstick"]

SHARE = 0.03  # of the time, for measuring
FIRST, OFTEN, SELDOM = 10.0, 0.1, 180.0  # a pause: seconds, share of the run's age, seconds
LOT, MOST_BOARDS = 8, 512
FINAL_SECONDS = 20.0
FINAL_BOARDS = (2000, 1000, 500, 200, 100, 50)


def yardstick(game: Game) -> str:
    """Whom learners of a game are measured against."""
    return make_player("rulebook:strong" if game.rulebooks else "random", game).name


def fresh_seed(seed: int, *names: object) -> int:
    """The seed of the boards of a run's measurement of this name."""
    return int(stream(seed, "measured", *names)[0]) & 0x3FFFFFFF


@dataclass
class Gauge:
    """Measures a learner every now and then, in 3% of the time at most."""

    game: Game
    variant: str
    seed: int
    spent: float = 0.0  # seconds so far
    last: float = 0.0  # when it last measured, in seconds of the run
    latest: Metrics = field(default_factory=dict)

    def is_due(self, seconds: float) -> bool:
        """Whether to measure, so many seconds into the run."""
        pause = min(max(OFTEN * seconds, FIRST), SELDOM)
        return seconds - self.last >= pause and self.spent < SHARE * seconds

    def measure(self, player: Player, seconds: float) -> Metrics:
        """Boards against the yardstick until the time for it is spent."""
        pair = player, make_player(yardstick(self.game), self.game)
        boards_seed = fresh_seed(self.seed, "so far")
        if not self.latest:  # compiled or loaded: that may take longer than all measuring
            meet(self.game, pair, 0, 1, boards_seed, self.variant)
        begun = time.perf_counter()
        allowed, took = SHARE * seconds - self.spent, 0.0
        lots: list[BoardSums] = []
        while LOT * len(lots) < MOST_BOARDS and took * (len(lots) + 1) <= allowed * len(lots):
            first = LOT * len(lots)
            lots.append(meet(self.game, pair, first, LOT, boards_seed, self.variant))
            took = time.perf_counter() - begun
        self.spent += took
        self.last = seconds
        sums = BoardSums.join(lots)
        payoff = estimate(sums.payoffs[:, 0] / (self.game.payoff_unit * sums.seats[0]))
        self.latest = {"payoff": payoff.mean, "payoff_ci95": payoff.ci95}
        return self.latest

    def __str__(self) -> str:
        if not self.latest:
            return ""
        told = f"{self.latest['payoff']:+.3f} ± {self.latest['payoff_ci95']:.3f}"
        return f"{told} vs {yardstick(self.game)}"


# ---------------------------------------------------------------------------- at the end


def arena_command(game: Game, player: str, variant: str, boards: int, seed: int) -> str:
    """The command that measures a player against the yardstick."""
    words = ["overtrick", "arena", game.name, player, yardstick(game)]
    words += ["--boards", str(boards), "--seed", str(seed)]
    return shlex.join([*words, *(["--variant", variant] if variant else [])])


def final_boards(game: Game, player: str) -> int:
    """How many boards a last measurement has: as many as about twenty seconds allow.

    Fixed before it begins, by the speed of the player alone.
    """
    contest = Contest.of(game, [player, yardstick(game)], seed=0)
    play_table(contest, 1, threads=1)  # compiled or loaded
    begun = time.perf_counter()
    play_table(contest, 2, threads=1)
    each = (time.perf_counter() - begun) / 3  # a third board is played to warm up
    fitting = (boards for boards in FINAL_BOARDS if boards * each <= FINAL_SECONDS)
    return next(fitting, FINAL_BOARDS[-1])


def final_result(game: Game, player: str, *, variant: str, boards: int, seed: int) -> Result:
    """The strength of a player by its name, with the command that measures it again."""
    opponent = yardstick(game)
    contest = Contest.of(game, [player, opponent], seed=seed, variant=variant or None)
    line = play_table(contest, boards).results()[0]
    return Result(
        opponent=opponent,
        payoff=line.payoff.mean,
        half_width=line.payoff.ci95,
        win_rate=line.wins.mean,
        boards=boards,
        seed=seed,
        command=arena_command(game, player, variant, boards, seed),
        elo_half_width=None,
    )
