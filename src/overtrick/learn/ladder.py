"""The ladder of a game: its tiers trained one after the other, then measured against each other.

    <data folder>/ladders/<game>/
        ladder.json, ladder-points.csv, ladder-margins.csv, ladder.png    what came out last
        equal.json, …    the same where all searched alike
        boards/          what was played, not to be played again

Only training needs PyTorch.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overtrick.arena import plots
from overtrick.arena.kept import meet_all
from overtrick.arena.report import csv_text, write_text
from overtrick.arena.results import Table
from overtrick.arena.round_robin import RoundRobin
from overtrick.arena.statistics import Estimate
from overtrick.errors import BadOption, MissingExtra, UnknownName
from overtrick.folders import data_folder
from overtrick.games.game import Game
from overtrick.learn.tiers import Tier, shared_out
from overtrick.models import Model, Result, add_result, find_model
from overtrick.players import PlayerName, make_player

__all__ = [
    "Ladder",
    "Step",
    "is_trained",
    "ladder_folder",
    "measure_ladder",
    "model_of",
    "note_results",
    "steps",
    "train_tier",
    "train_tiers",
    "verdict",
    "write_ladder",
]

Tell = Callable[[str], None]
YARDSTICK = "rulebook:strong"
HEAD_OF_POINTS = ["player", "elo", "elo_ci95", "mean_payoff", "ci95", "win_rate", "ms_per_choice"]
HEAD_OF_MARGINS = ["player", "against", "margin", "ci95"]


def ladder_folder(game: Game) -> Path:
    """Where the ladder of a game is kept."""
    return data_folder() / "ladders" / game.name


# ---------------------------------------------------------------------------- training


def model_of(tier: Tier, game: Game) -> Model | None:
    """The model of a tier, if there is one."""
    try:
        return find_model(f"{game.name}/{tier.name}")
    except UnknownName:
        return None


def is_trained(
    model: Model, tier: Tier, game: Game, *, seed: int, minutes: float | None = None
) -> bool:
    """Whether a model is what training this tier would give: the same settings and as much of it.

    `minutes` is the tier's share of a ladder's time, if that is limited.
    """
    card = model.card
    told = {key: card.config.get(key) for key in tier.shape()}
    if (card.method, card.seed, told) != (tier.method, seed, tier.shape()):
        return False
    long_enough = minutes is not None and card.minutes >= minutes - 0.05
    return long_enough or card.deals >= tier.deals_in(game)


def train_tiers(
    tiers: Sequence[Tier],
    game: Game,
    *,
    seed: int,
    minutes: float | None = None,
    replace: bool = False,
    tell: Tell = lambda line: None,
) -> None:
    """Train those tiers that are not trained yet, each for its share of the minutes."""
    shares = shared_out(minutes, tiers, game) if minutes is not None else {}
    waiting = []
    for tier in tiers:
        model = model_of(tier, game)
        if model and is_trained(model, tier, game, seed=seed, minutes=shares.get(tier.name)):
            tell(f"{tier.name} is kept: {model.card.deals:,} deals, seed {seed}")
            continue
        if model and not (model.is_shipped or replace):
            raise BadOption(
                f"there is a model {game.name}/{tier.name} that was trained in another way "
                f"({model.card.deals:,} deals, seed {model.card.seed}): --eval-only measures it, "
                "--replace trains it anew"
            )
        waiting.append(tier)
    times = {tier: shares.get(tier.name) or tier.minutes(game) for tier in waiting}
    if waiting:
        tell(f"{len(waiting)} tiers to train, about {sum(times.values()):.0f} minutes")
    for tier in waiting:
        what = f"{tier.net}, {tier.deals_in(game):,} deals, search {tier.search}"
        tell(f"{tier.name}: {what}, about {times[tier]:.1f} minutes")
        train_tier(tier, game, seed=seed, minutes=shares.get(tier.name), replace=replace)


def train_tier(
    tier: Tier, game: Game, *, seed: int, minutes: float | None = None, replace: bool = False
) -> Model:
    """Train one tier, or go on with its training where that was stopped."""
    from overtrick.learn.budget import Budget
    from overtrick.learn.methods import load_method
    from overtrick.learn.run import begin_run, resume_run, run_folder, train
    from overtrick.learn.workers import LocalWorkers

    method, budget = load_method(tier.method), Budget(None, minutes)
    config = method.config_from(tier.settings(game))
    try:
        run = resume_run(game, method, name=tier.name)
    except UnknownName:
        run = None
    is_same = run is not None and (run.config, run.card.seed) == (config, seed)
    if run and not run.card.finished and is_same:
        run = resume_run(game, method, name=tier.name, budget=budget)
    elif run and not run.card.finished and not replace:
        raise BadOption(
            f"there is an unfinished run {game.name} {tier.method} {tier.name} with other "
            "settings: --replace begins anew"
        )
    else:
        if replace:
            _make_room(tier, game, run_folder(game.name, method.name, tier.name))
        run = begin_run(game, method, config, name=tier.name, seed=seed, budget=budget)
    workers = LocalWorkers(os.cpu_count() or 1)
    try:
        return train(run, workers, measure=False).model
    finally:
        workers.close()


def _make_room(tier: Tier, game: Game, run: Path) -> None:
    """Remove the user's run and model of a tier."""
    model = model_of(tier, game)
    for folder in [run, *([model.folder] if model and not model.is_shipped else [])]:
        shutil.rmtree(folder, ignore_errors=True)


# ---------------------------------------------------------------------------- the verdict


@dataclass(frozen=True)
class Step:
    """A tier against one further down."""

    tier: str
    other: str
    margin: Estimate  # points a deal

    @property
    def is_above(self) -> bool:
        """Whether the tier is stronger, beyond chance."""
        return self.margin.mean > self.margin.ci95

    @property
    def is_below(self) -> bool:
        """Whether it is weaker, beyond chance."""
        return -self.margin.mean > self.margin.ci95

    def __str__(self) -> str:
        return f"{self.tier} {self.margin} against {self.other}"


def steps(result: RoundRobin, names: Sequence[str], apart: int) -> list[Step]:
    """Each of some players, from the lowest on, against the one so many places before it."""
    at = [result.players.index(name) for name in names]
    return [
        Step(
            names[number],
            names[number - apart],
            result.against(at[number], at[number - apart]),
        )
        for number in range(apart, len(names))
    ]


def verdict(single: Sequence[Step], double: Sequence[Step]) -> list[str]:
    """Whether the tiers stand in their order: a line on neighbours, one on those two apart."""
    below = [str(step) for step in single if step.is_below]
    level = [str(step) for step in double if not step.is_above]
    first = "no tier is significantly below the one before"
    second = "every second tier is clearly above"
    lines = [f"significantly below the one before: {'; '.join(below)}" if below else first]
    if double:
        not_so = f"not clearly above the second before: {'; '.join(level)}"
        lines.append(not_so if level else second)
    return lines


# ---------------------------------------------------------------------------- measuring


@dataclass(frozen=True)
class Ladder:
    """The tiers of a game, measured."""

    game: Game
    models: Mapping[Tier, Model]  # those that there are
    missing: tuple[Tier, ...]
    result: RoundRobin  # random, the tiers by name, and the yardstick
    players: Mapping[str, str]  # by these labels, the names that rebuild them
    equal: bool = False  # all had the same budget
    command: str = ""  # that measures it again

    @property
    def climbing(self) -> list[str]:
        """Whoever should be stronger than the one before: random, then the tiers."""
        return ["random", *(tier.name for tier in self.models)]

    def verdict(self) -> list[str]:
        """Whether the tiers stand in their order."""
        single, double = (steps(self.result, self.climbing, apart) for apart in (1, 2))
        return verdict(single, double)

    def tiers(self) -> list[dict[str, Any]]:
        """How each tier was trained, and how it played."""
        return [
            {
                "name": tier.name,
                "player": self.players[tier.name],
                "method": model.card.method,
                "net": _net(model),
                "search": _search(self.players[tier.name]),
                "deals": model.card.deals,
                "minutes": model.card.minutes,
                "seed": model.card.seed,
            }
            for tier, model in self.models.items()
        ]

    def values(self) -> dict[str, Any]:
        """The result as JSON has it."""
        in_order = [
            {"tier": step.tier, "other": step.other, "margin": step.margin.mean}
            | {"ci95": step.margin.ci95, "is_above": step.is_above, "is_below": step.is_below}
            for apart in (1, 2)
            for step in steps(self.result, self.climbing, apart)
        ]
        return self.result.values() | {
            "tiers": self.tiers(),
            "missing": [tier.name for tier in self.missing],
            "steps": in_order,
            "verdict": self.verdict(),
            "command": self.command,
        }


def _net(model: Model) -> str:
    body = next(iter(model.nets.values())).body
    return body.replace("x", "×").removesuffix("/h0")


def _search(player: str) -> str:
    told = PlayerName.read(player).settings
    return f"{told['sims']} × {told['worlds']}" if "sims" in told else "none"


def measure_ladder(
    tiers: Sequence[Tier],
    game: Game,
    *,
    boards: int,
    seed: int,
    equal: Mapping[str, int] | None = None,
    command: str = "",
    watch: Callable[[Table], bool] = lambda so_far: True,
) -> Ladder:
    """Let random, the tiers that there are and the strong rulebook meet, every two of them."""
    found = {tier: model_of(tier, game) for tier in tiers}
    models = {tier: model for tier, model in found.items() if model}
    missing = tuple(tier for tier, model in found.items() if model is None)
    if not models:
        raise BadOption(f"{game.name}: no tier is trained yet; `overtrick ladder {game.name}` does")
    names = {"random": "random"}
    names |= {tier.name: tier.player(game, equal) for tier in models}
    if any(book.startswith("strong@") for book in game.rulebooks):
        names[YARDSTICK] = YARDSTICK
    players = {label: make_player(name, game).name for label, name in names.items()}
    folder = ladder_folder(game) / "boards"
    result = meet_all(game, players, boards=boards, seed=seed, folder=folder, watch=watch)
    return Ladder(game, models, missing, result, players, bool(equal), command)


# ---------------------------------------------------------------------------- what is written


def write_ladder(ladder: Ladder) -> list[Path]:
    """Write the result into the ladder's folder: JSON, CSV and, if it can be, a picture."""
    folder, result = ladder_folder(ladder.game), ladder.result
    stem = "equal" if ladder.equal else "ladder"
    elo = {one.player: (one.elo, one.ci95) for one in result.ratings()}
    lines = [
        [one.player, *elo[one.player], *map(one.values().get, HEAD_OF_POINTS[3:])]
        for one in result.results()
    ]
    margins = [
        [step.tier, step.other, step.margin.mean, step.margin.ci95]
        for apart in range(1, len(result.players))
        for step in steps(result, result.players, apart)
    ]
    written = [
        write_text(folder / f"{stem}.json", json.dumps(ladder.values(), indent=1) + "\n"),
        write_text(folder / f"{stem}-points.csv", csv_text([HEAD_OF_POINTS, *lines])),
        write_text(folder / f"{stem}-margins.csv", csv_text([HEAD_OF_MARGINS, *margins])),
    ]
    try:
        written.append(plots.save_picture(plots.rungs(result), folder / f"{stem}.png"))
    except MissingExtra as missing:
        print(f"overtrick: {missing}", file=sys.stderr)
    return written


def note_results(ladder: Ladder) -> None:
    """Note on the cards of the user's models how they did against the yardstick."""
    result = ladder.result
    yardstick = YARDSTICK if YARDSTICK in result.players else "random"
    for tier, model in ladder.models.items():
        if model.is_shipped or ladder.equal:
            continue
        pair = sorted(map(result.players.index, (tier.name, yardstick)))
        table = result.tables[result.pairs.index((pair[0], pair[1]))]
        name = ladder.players[tier.name]
        line = table.results()[table.players.index(name)]
        words = ["overtrick", "arena", ladder.game.name, *table.players]
        words += ["--boards", str(table.boards), "--seed", str(table.seed)]
        add_result(
            model,
            Result(
                opponent=ladder.players[yardstick],
                payoff=line.payoff.mean,
                half_width=line.payoff.ci95,
                win_rate=line.wins.mean,
                boards=table.boards,
                seed=table.seed,
                command=shlex.join(words),
            ),
        )
