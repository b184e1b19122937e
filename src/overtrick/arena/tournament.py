"""Tournaments: boards on all cores, saved chunk by chunk, the same whatever the threads."""

from __future__ import annotations

import itertools
import json
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from overtrick.arena.boards import play_chunk
from overtrick.arena.matches import EVERY, SHARED, match_unit, play_match_chunk
from overtrick.arena.results import BoardSums, Table, sums_of
from overtrick.arena.seating import seatings
from overtrick.errors import BadBudget, BadOption, DamagedFile
from overtrick.games.game import Game, Variant
from overtrick.players import LevelPlayer, Player, close_players, make_player

__all__ = ["Contest", "play_table"]

FORMAT = "overtrick-arena"
FAST_CHUNK, SLOW_CHUNK = 8192, 16  # boards; fewer where a board has more than two deals
LARGEST = 10**9


@dataclass(frozen=True)
class Contest:
    """What is to be played: all that a saved tournament must agree with to be gone on with."""

    game: Game
    variant: Variant
    players: tuple[str, ...]  # names that rebuild them
    seed: int
    matches: bool = False  # whole matches in the place of single deals
    ties: str = SHARED  # a match that several win: a win shared, or one of every winner

    @classmethod
    def of(
        cls,
        game: Game,
        players: Sequence[str],
        *,
        seed: int,
        variant: str | Variant | None = None,
        matches: bool = False,
        ties: str = SHARED,
    ) -> Contest:
        """The contest of these players; their names are checked and written out in full."""
        if len(players) < 2:
            raise BadBudget(f"a contest has two or more players, not {len(players)}")
        if ties not in (SHARED, EVERY):
            raise BadOption(f"a match that several win is {SHARED} or of {EVERY} one, not {ties!r}")
        if ties != SHARED and not matches:
            raise BadOption(f"who wins when several do is told of matches: --match --ties {ties}")
        names = tuple(make_player(name, game).name for name in players)
        chosen = game.variant_of(variant)
        return cls(game, chosen, names, seed, matches, ties)

    def header(self) -> dict[str, Any]:
        """What a saved tournament begins with."""
        return {
            "format": FORMAT,
            "version": 1,
            "game": self.game.name,
            "variant": self.variant.text(),
            "players": list(self.players),
            "seed": self.seed,
            "matches": self.matches,
            **({"ties": self.ties} if self.ties != SHARED else {}),
        }

    @property
    def chunk(self) -> int:
        """How many boards are played at once."""
        players = [make_player(name, self.game) for name in self.players]
        if not all(isinstance(player, LevelPlayer) for player in players):
            return SLOW_CHUNK
        deals = len(seatings(self.game, len(players)))
        return max(1, 2 * FAST_CHUNK // deals // (16 if self.matches else 1))


def play_table(
    contest: Contest,
    boards: int,
    *,
    threads: int | None = None,
    save: Path | None = None,
    resume: bool = False,
    watch: Callable[[Table], bool] = lambda so_far: True,
) -> Table:
    """Play boards 0 to `boards - 1` of a contest whose players share one table.

    `watch` sees the result after every chunk and may end it early by giving back False. With
    `save`, every chunk is on disk before it is watched; `resume` goes on with what is there.
    """
    if not 1 <= boards <= LARGEST:
        raise BadBudget(f"the number of boards is 1 to {LARGEST}, not {boards}")
    if resume and save is None:
        raise BadOption("to resume, tell where the tournament was saved")
    store = _Store(save, contest, resume) if save is not None else None
    parts = list(store.parts(boards)) if store else []
    done = sum(len(part.payoffs) for part in parts)
    for part in _played(contest, done, boards, threads or os.cpu_count() or 1):
        if store:
            store.add(part)
        parts.append(part)
        if not watch(_table(contest, parts)):
            break
    return _table(contest, parts)


def _table(contest: Contest, parts: list[BoardSums]) -> Table:
    if len(parts) > 1:
        parts[:] = [BoardSums.join(parts)]
    game = contest.game
    unit = match_unit(game) if contest.matches else game.payoff_unit
    scale = 1.0 if contest.matches else game.scale(contest.variant) / unit
    who = contest.players
    rules, kind = contest.variant, (contest.matches, contest.ties)
    return Table(game, rules, contest.seed, who, parts[0], unit, scale, *kind)


def _played(contest: Contest, first: int, boards: int, threads: int) -> Iterator[BoardSums]:
    """The boards from `first` on, chunk after chunk in their order."""
    seating = seatings(contest.game, len(contest.players))
    own = threading.local()
    seated: list[Player] = []  # by all threads
    play: Any = partial(play_match_chunk, ties=contest.ties) if contest.matches else play_chunk

    def work(start: int, count: int) -> BoardSums:
        if not hasattr(own, "players"):  # a player may keep buffers: each thread has its own
            own.players = [make_player(name, contest.game) for name in contest.players]
            seated.extend(own.players)
            own.room = None
        chunk = play(
            contest.game,
            contest.variant,
            own.players,
            seating,
            seed=contest.seed,
            first=start,
            boards=count,
            room=own.room,
        )
        own.room = chunk.ends
        return sums_of(chunk, seating, len(contest.players))

    size = contest.chunk
    starts = iter(range(first, boards, size))
    try:
        work(0, 1)  # compiled or loaded before anything is timed
        with ThreadPoolExecutor(threads) as pool:
            waiting: deque[Future[BoardSums]] = deque()
            try:
                for start in itertools.islice(starts, 2 * threads):
                    waiting.append(pool.submit(work, start, min(size, boards - start)))
                while waiting:
                    yield waiting.popleft().result()
                    for start in itertools.islice(starts, 1):
                        waiting.append(pool.submit(work, start, min(size, boards - start)))
            finally:
                for future in waiting:
                    future.cancel()
    finally:
        close_players(seated)


class _Store:
    """A tournament on disk: a header, then a line for each chunk, whole or not at all."""

    def __init__(self, path: Path, contest: Contest, resume: bool) -> None:
        self.path = path
        self.contest = contest
        self._lines: list[str] = []
        if resume and path.exists():
            self._lines = self._read()
        elif path.exists() and not resume:
            raise BadOption(f"{path} is there already; --resume goes on with it")
        header = json.dumps(contest.header())
        if not self._lines:
            self._lines = [header]
        elif json.loads(self._lines[0]) != contest.header():
            raise BadOption(f"{path} holds another contest: {self._lines[0]}")
        try:  # what a killed run left of its last line goes
            beside = path.with_name(path.name + ".part")
            beside.write_text("\n".join(self._lines) + "\n")
            os.replace(beside, path)
        except OSError as error:
            raise DamagedFile(f"{path} cannot be written: {error.strerror}") from error

    def _read(self) -> list[str]:
        """The whole lines of the file; the last one may be cut."""
        try:
            lines = self.path.read_text().split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise DamagedFile(f"{self.path} cannot be read: {error}") from error
        whole = []
        for number, line in enumerate(lines, start=1):
            try:
                told = json.loads(line)
            except ValueError:
                if number < len(lines) - 1 and line:
                    raise DamagedFile(f"{self.path}, line {number}: not JSON") from None
                break
            if number == 1 and (not isinstance(told, dict) or told.get("format") != FORMAT):
                raise DamagedFile(f"{self.path}: not a saved tournament")
            whole.append(line)
        if not whole and lines != [""]:
            raise DamagedFile(f"{self.path}: not a saved tournament")
        return whole

    def parts(self, boards: int) -> Iterator[BoardSums]:
        """The chunks on disk, up to a number of boards."""
        left = boards
        for number, line in enumerate(self._lines[1:], start=2):
            told = json.loads(line)
            try:
                part = BoardSums(
                    np.array(told["payoffs"], dtype=np.int64),
                    np.array(told["wins"], dtype=np.int64),
                    np.array(told["seats"], dtype=np.int64),
                    np.array(told["choices"], dtype=np.int64),
                    np.array(told["seconds"], dtype=np.float64),
                    np.array(told.get("replaced", [0] * len(told["choices"])), dtype=np.int64),
                )
                shape = (len(part.wins), len(self.contest.players))
                if part.payoffs.shape != shape or part.wins.shape != shape:
                    raise ValueError("numbers of boards or players differ")
            except (KeyError, TypeError, ValueError) as error:
                raise DamagedFile(f"{self.path}, line {number}: {error}") from error
            if len(part.payoffs) > left:
                part = replace(part, payoffs=part.payoffs[:left], wins=part.wins[:left])
            if len(part.payoffs):
                yield part
            left -= len(part.payoffs)

    def add(self, part: BoardSums) -> None:
        """Append a chunk; it is on disk when this returns."""
        line = json.dumps(
            {
                "payoffs": part.payoffs.tolist(),
                "wins": part.wins.tolist(),
                "seats": part.seats.tolist(),
                "choices": part.choices.tolist(),
                "seconds": part.seconds.tolist(),
                "replaced": part.replaced.tolist(),
            }
        )
        try:
            with self.path.open("a") as file:
                file.write(line + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise DamagedFile(f"{self.path} cannot be written: {error.strerror}") from error
