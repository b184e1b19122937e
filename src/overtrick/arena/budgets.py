"""How strong a model is with more and less search: simulations × worlds."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overtrick.arena import plots
from overtrick.arena.kept import play_kept
from overtrick.arena.report import write_text
from overtrick.arena.results import PlayerResult, Table
from overtrick.arena.tournament import Contest
from overtrick.errors import BadOption, MissingExtra
from overtrick.games.game import Game
from overtrick.models import find_model, is_path
from overtrick.players import make_player

__all__ = ["Budgets", "measure_budgets", "write_budgets"]


@dataclass(frozen=True)
class Budgets:
    """A model against one opponent, with every number of simulations and of worlds."""

    game: Game
    model: str  # game/name
    opponent: str
    boards: int
    seed: int
    sims: tuple[int, ...]
    worlds: tuple[int, ...]
    cells: tuple[PlayerResult, ...]  # those of the first number of simulations, then the others

    @property
    def command(self) -> str:
        """The command that measures it again."""
        sims, worlds = (",".join(map(str, row)) for row in (self.sims, self.worlds))
        words = ["overtrick", "strength", self.game.name, self.model, "--sims", sims]
        words += ["--worlds", worlds, "--opponent", self.opponent]
        return shlex.join([*words, "--boards", str(self.boards), "--seed", str(self.seed)])

    def cell(self, sims: int, worlds: int) -> PlayerResult:
        """What the model came to with this budget."""
        row, column = self.sims.index(sims), self.worlds.index(worlds)
        return self.cells[row * len(self.worlds) + column]

    def values(self) -> dict[str, Any]:
        """The result as JSON has it."""
        return {
            "game": self.game.name,
            "model": self.model,
            "opponent": self.opponent,
            "boards": self.boards,
            "seed": self.seed,
            "command": self.command,
            "cells": [
                {"sims": sims, "worlds": worlds, **self.cell(sims, worlds).values()}
                for sims in self.sims
                for worlds in self.worlds
            ],
        }


def measure_budgets(
    game: Game,
    model: str,
    *,
    sims: Sequence[int],
    worlds: Sequence[int],
    opponent: str = "",
    boards: int,
    seed: int,
    folder: Path,
    watch: Callable[[Table], bool] = lambda so_far: True,
) -> Budgets:
    """Let a model play with all budgets; the opponent is itself with its usual one if not told."""
    if is_path(model):
        raise BadOption(f"a model is measured by its name: `overtrick models import {model}`")
    name = find_model(model, game).card.reference
    rival = make_player(opponent or f"alphazero:{name}", game).name
    contests = [
        Contest.of(game, [f"alphazero:{name},sims={most},worlds={many}", rival], seed=seed)
        for most in sims
        for many in worlds
    ]
    cells = [play_kept(contest, boards, folder, watch).results()[0] for contest in contests]
    return Budgets(game, name, rival, boards, seed, tuple(sims), tuple(worlds), tuple(cells))


def write_budgets(measured: Budgets, folder: Path) -> list[Path]:
    """Write the result under the model's name: JSON and, if it can be, a picture."""
    stem = measured.model.partition("/")[2]
    told = json.dumps(measured.values(), indent=1) + "\n"
    written = [write_text(folder / f"{stem}.json", told)]
    try:
        written.append(plots.save_picture(plots.budgets(measured), folder / f"{stem}.png"))
    except MissingExtra as missing:
        print(f"overtrick: {missing}", file=sys.stderr)
    return written
