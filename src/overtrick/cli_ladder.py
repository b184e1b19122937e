"""The commands that train and measure whole ladders: ladder, strength.

Each imports what it needs when it is called, so that the command line starts fast.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overtrick.errors import BadBudget, BadOption

if TYPE_CHECKING:
    from overtrick.arena.budgets import Budgets
    from overtrick.learn.ladder import Ladder

__all__ = ["add_ladder_commands"]

MOST = {"sims": 100_000, "worlds": 100_000}


def add_ladder_commands(app: typer.Typer) -> None:
    """Make the commands known to the command line."""
    app.command()(ladder)
    app.command()(strength)


def ladder(
    game: Annotated[str, typer.Argument(help="Which game; `overtrick games` lists them.")],
    tiers: Annotated[
        int | None, typer.Option(help="The first so many tiers; 7 of 9 if not told.")
    ] = None,
    from_tier: Annotated[
        str, typer.Option(help="Train from this tier on; those before are measured as they are.")
    ] = "",
    eval_only: Annotated[bool, typer.Option("--eval-only", help="Train nothing.")] = False,
    minutes: Annotated[
        float | None, typer.Option(help="For all training, shared out over the tiers.")
    ] = None,
    boards: Annotated[
        int | None, typer.Option(help="On which every two players meet; 100 to 1000 if not told.")
    ] = None,
    equal: Annotated[
        str, typer.Option(help="Let all search alike: sims=80,worlds=6; else as in training.")
    ] = "",
    replace: Annotated[
        bool, typer.Option("--replace", help="Train anew what was trained in another way.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Of the training, and which boards.")] = 1,
    plot: Annotated[Path | None, typer.Option(help="A file for the picture.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Train players from Direct to Captain, and measure them all against each other."""
    from overtrick.arena.plots import check_picture, rungs, save_picture
    from overtrick.cli_arena import BoardProgress
    from overtrick.games import load_game
    from overtrick.learn.ladder import (
        measure_ladder,
        model_of,
        note_results,
        train_tiers,
        write_ladder,
    )
    from overtrick.learn.tiers import TIERS, tiers_between, usual_boards

    chosen = load_game(game)
    first, end = tiers_between(from_tier, tiers)
    budget = _budget(equal)
    boards = usual_boards(chosen) if boards is None else boards
    _check_boards(boards)
    if plot is not None:
        check_picture(plot)
    if eval_only and (minutes is not None or replace or from_tier):
        raise BadOption("--eval-only trains nothing: no --minutes, --replace or --from-tier")
    if not eval_only:
        asked = TIERS[first:end]
        train_tiers(asked, chosen, seed=seed, minutes=minutes, replace=replace, tell=_tell)
    words = ["overtrick", "ladder", game, "--eval-only", "--tiers", str(end)]
    words += ["--boards", str(boards), "--seed", str(seed), *(["--equal", equal] if equal else [])]
    there = 2 + sum(model_of(tier, chosen) is not None for tier in TIERS[:end])
    with BoardProgress(boards * there * (there - 1) // 2, sprt=False) as progress:
        measured = measure_ladder(
            TIERS[:end],
            chosen,
            boards=boards,
            seed=seed,
            equal=budget,
            command=shlex.join(words),
            watch=progress.watch,
        )
    if measured.missing:
        _tell(f"not trained, so not measured: {', '.join(one.name for one in measured.missing)}")
    note_results(measured)
    files = write_ladder(measured)
    if plot is not None:
        files.append(save_picture(rungs(measured.result), plot))
    if as_json:
        print(json.dumps(measured.values() | {"files": [str(path) for path in files]}))
    else:
        _show_ladder(measured, files)


def strength(
    game: Annotated[str, typer.Argument(help="Which game; `overtrick games` lists them.")],
    model: Annotated[str, typer.Argument(help="A trained model, such as snapszer/captain.")],
    sims: Annotated[str, typer.Option(help="Simulations in each world.")] = "10,20,40,80,160",
    worlds: Annotated[str, typer.Option(help="Worlds of a search.")] = "1,3,6,12",
    boards: Annotated[int, typer.Option(help="Boards of each pair of them.")] = 200,
    opponent: Annotated[
        str, typer.Option(help="Whom it meets; itself with its usual budget if nobody is named.")
    ] = "",
    seed: Annotated[int, typer.Option(help="Which boards.")] = 1,
    plot: Annotated[Path | None, typer.Option(help="A file for the picture.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Measure how strong a model is with more and less search."""
    from overtrick.arena.budgets import measure_budgets, write_budgets
    from overtrick.arena.plots import budgets, check_picture, save_picture
    from overtrick.cli_arena import BoardProgress
    from overtrick.folders import data_folder
    from overtrick.games import load_game

    chosen = load_game(game)
    numbers = {"sims": _numbers(sims, "sims"), "worlds": _numbers(worlds, "worlds")}
    _check_boards(boards)
    if plot is not None:
        check_picture(plot)
    folder = data_folder() / "strengths" / game
    total = boards * len(numbers["sims"]) * len(numbers["worlds"])
    with BoardProgress(total, sprt=False) as progress:
        measured = measure_budgets(
            chosen,
            model,
            opponent=opponent,
            boards=boards,
            seed=seed,
            folder=folder / "boards",
            watch=progress.watch,
            sims=numbers["sims"],
            worlds=numbers["worlds"],
        )
    files = write_budgets(measured, folder)
    if plot is not None:
        files.append(save_picture(budgets(measured), plot))
    if as_json:
        print(json.dumps(measured.values() | {"files": [str(path) for path in files]}))
    else:
        _show_strength(measured, files)


# ---------------------------------------------------------------------------- what is told


def _tell(line: str) -> None:
    print(f"overtrick: {line}", file=sys.stderr, flush=True)


def _check_boards(boards: int) -> None:
    if boards < 2:
        raise BadBudget(f"the number of boards is 2 or more, not {boards}")


def _numbers(text: str, what: str) -> list[int]:
    """Whole numbers by commas, each once, from small to large."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 9 for part in parts):
        raise BadBudget(f"--{what} are whole numbers by commas, as in 10,20,40, not {text!r}")
    found = sorted({int(part) for part in parts})
    if not 1 <= found[0] <= found[-1] <= MOST[what]:
        raise BadBudget(f"--{what} are from 1 to {MOST[what]}, not {text!r}")
    return found


def _budget(text: str) -> dict[str, int]:
    """`sims=80,worlds=6` as numbers."""
    found: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, _, value = part.partition("=")
        if key not in MOST or key in found or "," in value:
            raise BadOption(f"--equal is sims=N,worlds=N, not {text!r}")
        (found[key],) = _numbers(value, key)
    return found


# ---------------------------------------------------------------------------- tables


def _show_ladder(measured: Ladder, files: list[Path]) -> None:
    from rich.console import Console
    from rich.table import Table

    from overtrick.cli_arena import show_round_robin

    console = Console()
    table = Table(title=f"{measured.game.title}: the tiers", title_justify="left")
    table.add_column("tier")
    for label in ("net", "deals", "minutes", "sims × worlds"):
        table.add_column(label, justify="right")
    for tier in measured.tiers():
        deals, minutes = f"{tier['deals']:,}", f"{tier['minutes']:.1f}"
        table.add_row(tier["name"], tier["net"], deals, minutes, tier["search"])
    console.print(table)
    show_round_robin(measured.result)
    for line in [*measured.verdict(), *map(str, files)]:
        console.print(line, highlight=False, soft_wrap=True)


def _show_strength(measured: Budgets, files: list[Path]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console.print(
        f"{measured.model} against {measured.opponent}: points a deal, {measured.boards} boards, "
        f"seed {measured.seed}, intervals 95%",
        highlight=False,
        soft_wrap=True,
    )
    table = Table(show_lines=True)
    table.add_column("sims", justify="right")
    for worlds in measured.worlds:
        table.add_column(f"{worlds} worlds" if worlds > 1 else "1 world", justify="right")
    for sims in measured.sims:
        cells = [measured.cell(sims, worlds) for worlds in measured.worlds]
        table.add_row(str(sims), *(f"{one.payoff}\n{one.ms_per_choice:.3g} ms" for one in cells))
    console.print(table)
    for path in files:
        console.print(str(path), highlight=False, soft_wrap=True)
