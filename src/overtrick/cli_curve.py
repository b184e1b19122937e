"""The command that shows what runs have logged: `overtrick curve GAME METHOD`.

It imports what it needs when it is called, so that the command line starts fast.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overtrick.errors import BadOption

if TYPE_CHECKING:
    from overtrick.learn.curves import Curve

__all__ = ["add_curve_command"]

LAST = 0.1  # the part of a run whose mean is told as its end


def add_curve_command(app: typer.Typer) -> None:
    """Make the command known to the command line."""
    app.command()(curve)


def curve(
    game: Annotated[str, typer.Argument(help="Which game; `overtrick games` lists them.")],
    method: Annotated[str, typer.Argument(help="How it was learned.")],
    names: Annotated[list[str] | None, typer.Argument(help="Which runs; all if none.")] = None,
    figure: Annotated[
        str, typer.Option(help="`learning`, or `play`: the game's own numbers.")
    ] = "learning",
    metrics: Annotated[
        str, typer.Option(help="Other metrics, by their names, between commas.")
    ] = "",
    over: Annotated[str, typer.Option(help="deals, minutes or iteration.")] = "deals",
    smooth: Annotated[int, typer.Option(help="Neighbours to take the mean of.")] = 1,
    plot: Annotated[Path | None, typer.Option(help="A file for the picture.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Tell, and draw, how runs went: their logged metrics from beginning to end."""
    from overtrick.arena.plots import check_picture
    from overtrick.games import load_game
    from overtrick.learn.curves import curves_of, figure_metrics, logged_runs
    from overtrick.models import METHODS

    chosen = load_game(game)
    if method not in METHODS:
        raise BadOption(f"tell a method: {', '.join(METHODS)}, not {method!r}")
    if smooth < 1:
        raise BadOption(f"--smooth is 1 or more, not {smooth}")
    if plot is not None:
        check_picture(plot)
    runs = names or logged_runs(chosen, method)
    if not runs:
        raise BadOption(f"there is no run of {game} {method}: `overtrick train {game} {method}`")
    wanted = [word.strip() for word in metrics.split(",") if word.strip()]
    wanted = wanted or figure_metrics(chosen, method, runs, figure)
    found = curves_of(chosen, method, runs, wanted, over)
    if plot is not None:
        _draw(found, chosen.title, method, over, smooth, plot)
    if as_json:
        print(json.dumps({"game": game, "method": method, "curves": [*map(_values, found)]}))
    else:
        _show(found)


def _values(one: Curve) -> dict[str, object]:
    told = {"run": one.run, "metric": one.metric}
    return {**told, "x": one.x.tolist(), "values": one.values.tolist()}


def _draw(found: list[Curve], title: str, method: str, over: str, smooth: int, plot: Path) -> None:
    from overtrick.arena import plots
    from overtrick.learn.curves import smoothed

    panels: dict[str, list[tuple[str, list[float], list[float]]]] = {}
    for one in found:
        line = (one.run, one.x.tolist(), smoothed(one.values, smooth).tolist())
        panels.setdefault(one.metric, []).append(line)
    drawn = plots.metrics(panels, xlabel=over, title=f"{title}, {method}")
    print(f"drawn in {plots.save_picture(drawn, plot)}", file=sys.stderr)


def _show(found: list[Curve]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("metric", "run", "first", "last tenth", "least", "most")
    for one in found:
        end = one.values[-max(1, round(LAST * len(one.values))) :].mean()
        numbers = (one.values[0], end, one.values.min(), one.values.max())
        table.add_row(one.metric, one.run, *(f"{number:.4g}" for number in numbers))
    Console().print(table)
