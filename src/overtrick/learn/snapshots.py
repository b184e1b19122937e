"""The nets that a run kept on its way, as players."""

from __future__ import annotations

import numpy as np

from overtrick.errors import BadOption, UnknownName
from overtrick.games.game import Game
from overtrick.learn.checkpoints import read_json
from overtrick.learn.run import SNAPSHOTS, run_folder

__all__ = ["rules_of_run", "snapshot_players"]


def snapshot_players(game: Game, run: str, most: int, method: str = "deepcfr") -> dict[str, str]:
    """The players of a run's snapshots by their labels, `most` of them evenly over the run."""
    folder = run_folder(game.name, method, run)
    if not (folder / "run.json").exists():
        known = sorted(path.parent.name for path in folder.parent.glob("*/run.json"))
        raise UnknownName(f"run of {game.name} {method}", run, known)
    found = sorted(path for path in (folder / SNAPSHOTS).glob("i*") if path.is_dir())
    if not found:
        raise BadOption(f"run {run} of {game.name} kept no snapshots: --set snapshots=1 keeps them")
    places = np.unique(np.linspace(0, len(found) - 1, min(most, len(found))).round().astype(int))
    return {found[place].name: f"cfr:{found[place]}" for place in places}


def rules_of_run(game: Game, run: str, method: str = "deepcfr") -> str:
    """The house rules that a run is played by."""
    return str(read_json(run_folder(game.name, method, run) / "run.json").get("variant", ""))
