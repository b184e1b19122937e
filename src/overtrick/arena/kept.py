"""Boards that are kept from one measurement to the next, as long as the players are the same."""

from __future__ import annotations

import hashlib
import json
import shlex
import shutil
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path

from overtrick.arena.results import Table
from overtrick.arena.round_robin import RoundRobin
from overtrick.arena.tournament import Contest, play_table
from overtrick.errors import DamagedFile
from overtrick.games.game import Game
from overtrick.models import MODEL_PLAYERS, find_model
from overtrick.players import PlayerName

__all__ = ["meet_all", "play_kept"]

Watch = Callable[[Table], bool]


def play_kept(
    contest: Contest, boards: int, folder: Path, watch: Watch = lambda so_far: True
) -> Table:
    """The result of a contest; boards that are kept in the folder are not played again.

    A model that was trained anew, or a program that was changed, is another player, though it has
    the same name.
    """
    told = [contest.header(), [_weights(name, contest.game) for name in contest.players]]
    digest = hashlib.sha256(json.dumps(told).encode()).hexdigest()[:20]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DamagedFile(f"{folder} cannot be written: {error.strerror}") from error
    return play_table(contest, boards, save=folder / f"{digest}.jsonl", resume=True, watch=watch)


def _weights(name: str, game: Game) -> str:
    """What tells the nets or the files of a player from others of the same name."""
    parts = PlayerName.read(name)
    if parts.kind == "exec":
        files = [Path(shutil.which(word) or word) for word in shlex.split(parts.what)]
        known = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.is_file()]
        return " ".join(known)
    if parts.kind not in MODEL_PLAYERS:
        return ""
    file = find_model(parts.what, game).folder / "net.safetensors"
    return hashlib.sha256(file.read_bytes()).hexdigest()


def meet_all(
    game: Game,
    players: Mapping[str, str],
    *,
    boards: int,
    seed: int,
    folder: Path,
    watch: Watch = lambda so_far: True,
) -> RoundRobin:
    """Every two players meet; `players` are their names by the labels that the result has."""
    pairs = tuple(combinations(range(len(players)), 2))
    names = [*players.values()]
    tables = [
        play_kept(Contest.of(game, [names[one], names[other]], seed=seed), boards, folder, watch)
        for one, other in pairs
    ]
    return RoundRobin(tuple(players), pairs, tuple(tables))
