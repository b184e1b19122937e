"""The commands about trained players: models list, show, export, import, verify.

Each imports what it needs when it is called, so that the command line starts fast.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overtrick.errors import DamagedFile

if TYPE_CHECKING:
    from overtrick.models import Model

__all__ = ["add_model_commands"]

MODEL = "A model: game/name, or the path of its folder."
BARS = "▁▂▃▄▅▆▇█"
WIDTH = 50  # of a chart
ALONG = ("deals", "minutes", "iteration", "step")  # what a curve may run along, told first

models = typer.Typer(rich_markup_mode=None, help="List, show, pass on and check trained players.")


def add_model_commands(app: typer.Typer) -> None:
    """Make the commands about models known to the command line."""
    app.add_typer(models, name="models")


@models.command(name="list")
def list_all(
    game: Annotated[str | None, typer.Argument(help="Only the models of this game.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """List the models: shipped ones and your own."""
    from overtrick.games import load_game
    from overtrick.models import list_models, model_folders

    chosen = None if game is None else load_game(game)
    found = list_models(chosen)
    sound = {model.card.reference for model in found}
    damaged = [name for name in model_folders(chosen) if name not in sound]
    if as_json:
        print(json.dumps({"models": [_summary(model) for model in found], "damaged": damaged}))
        return
    if damaged:
        told = f"left out as damaged: {', '.join(damaged)}; `overtrick models verify` tells why"
        print(told, file=sys.stderr)
    _show_list(found)


@models.command()
def show(
    model: Annotated[str, typer.Argument(help=MODEL)],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Show the card of a model: how it was trained, and what was measured."""
    from overtrick.models import find_model

    found = find_model(model)
    if as_json:
        specs = {name: spec.model_dump(mode="json") for name, spec in found.nets.items()}
        card = found.card.model_dump(mode="json")
        print(json.dumps(_summary(found) | {"card": card, "nets": specs}))
        return
    _show_card(found)


@models.command(name="export")
def export_one(
    model: Annotated[str, typer.Argument(help=MODEL)],
    file: Annotated[Path, typer.Argument(help="The .zip to write.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Write a model into one file, for others to import."""
    from overtrick.models import export_model, find_model

    found = find_model(model)
    written = export_model(found, file)
    if as_json:
        print(json.dumps({"model": found.card.reference, "file": str(written)}))
    else:
        print(f"{written}: {found.card.reference} written", file=sys.stderr)


@models.command(name="import")
def import_one(
    file: Annotated[Path, typer.Argument(help="A .zip that was exported, or a folder.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="In the place of one of that name.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Check a model that comes from elsewhere and keep it."""
    from overtrick.models import import_model, player_of

    found = import_model(file, replace=replace)
    if as_json:
        print(json.dumps(_summary(found)))
    else:
        print(f"{found.card.reference} is kept; it plays as {player_of(found)}", file=sys.stderr)


@models.command()
def verify(
    model: Annotated[
        str | None, typer.Argument(help=f"{MODEL} All that there are if none is told.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Read models anew and check all that they hold."""
    from overtrick.models import model_folders, verify_model

    faults: dict[str, str | None] = {}
    for name in model_folders() if model is None else [model]:
        try:
            verify_model(name)
            faults[name] = None
        except DamagedFile as error:
            faults[name] = str(error)
    damaged = [fault for fault in faults.values() if fault is not None]
    if as_json:
        print(json.dumps({"models": faults, "damaged": len(damaged)}))
        raise typer.Exit(2 if damaged else 0)
    if len(faults) == len(damaged) == 1:
        raise DamagedFile(damaged[0])
    for name, fault in faults.items():
        print(f"{name}: sound" if fault is None else fault)
    if damaged:
        raise DamagedFile(f"{len(damaged)} of {len(faults)} models are damaged")
    if not faults:
        print("there are no models", file=sys.stderr)


# ---------------------------------------------------------------------------- telling


def _summary(model: Model) -> dict[str, Any]:
    from overtrick.models import player_of

    card = model.card
    return {
        "model": card.reference,
        "title": card.title,
        "player": player_of(model),
        "method": card.method,
        "net": _net(model),
        "parameters": sum(spec.parameters for spec in model.nets.values()),
        "bytes": model.size,
        "deals": card.deals,
        "minutes": card.minutes,
        "results": [result.model_dump(mode="json") for result in card.results],
        "shipped": model.is_shipped,
    }


def _net(model: Model) -> str:
    return " + ".join(dict.fromkeys(spec.body for spec in model.nets.values()))


def _size(count: int) -> str:
    return f"{count / 2**20:.1f} MB" if count >= 100_000 else f"{count / 1024:.1f} KB"


def _show_list(found: Sequence[Model]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=f"{len(found)} models, intervals 95%",
        title_justify="left",
        box=SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=0,  # eighty columns do for the longest
    )
    for label in ("model", "method", "net", "deals", "min", "points a deal", ""):
        justify: Any = "right" if label in ("deals", "min") else "left"
        if label == "points a deal":
            table.add_column(label, min_width=17, overflow="fold")
        else:
            table.add_column(label, justify=justify, no_wrap=True)
    for model in found:
        card = model.card
        cells = [card.reference, card.method, _net(model), f"{card.deals:,}"]
        cells += [f"{card.minutes:,.3g}", _headline(model)]
        cells += ["shipped" if model.is_shipped else "own"]
        table.add_row(*map(Text, cells))
    Console().print(table)


def _headline(model: Model) -> str:
    if not model.card.results:
        return "–"
    first = model.card.results[0]
    return f"{first.payoff:+.3g} ± {first.half_width:.2g} vs {first.opponent}"


def _show_card(model: Model) -> None:
    from overtrick.cli_records import print_to_a_person

    print_to_a_person()
    card = model.card
    print(f"{card.reference}: {card.title}")
    if card.summary:
        print(card.summary)
    weights = sum(spec.parameters for spec in model.nets.values())
    rows = {
        "method": f"{card.method}, seed {card.seed}",
        "house rules": card.variant or "the usual ones",
        "net": f"{_net(model)}, {weights:,} parameters, {_size(model.size)}",
        "encoding": ", ".join(dict.fromkeys(spec.encoding for spec in model.nets.values())),
        "trained": f"{card.deals:,} deals in {card.minutes:,.3g} minutes, {card.created}",
        "commit": card.commit or "not known",
        "settings": ", ".join(f"{key}={json.dumps(value)}" for key, value in card.config.items()),
        "kept": "shipped" if model.is_shipped else "your own",
    }
    for label, told in rows.items():
        print(f"  {label:12} {told or '–'}")
    _show_results(model)
    for line in chart(card.curve):
        print(line)
    _show_commands(model)


def _show_results(model: Model) -> None:
    print("\nmeasured" if model.card.results else "\nnot measured yet")
    for result in model.card.results:
        print(f"  {result}")
        if result.command:
            print(f"    {result.command}")


def _show_commands(model: Model) -> None:
    from overtrick.models import player_of

    game, player = model.card.game, player_of(model)
    rules = f" --variant {model.card.variant}" if model.card.variant else ""
    print("\nto play against it, and to measure it")
    print(f"  overtrick play {game}")
    print(f"  overtrick play --terminal {game} --players {player}{rules}")
    print(f"  overtrick arena {game} {player} {_yardstick(game)} --boards 1000{rules}")


def _yardstick(game: str) -> str:
    from overtrick.games import load_game

    return "rulebook:strong" if load_game(game).rulebooks else "random"


def chart(curve: Sequence[dict[str, float | str]]) -> list[str]:
    """A curve as lines of bars, one for each number that was told twice or more."""
    names = dict.fromkeys(name for point in curve for name in point)
    along = next((name for name in ALONG if name in names), None)
    lines = []
    for name in names:
        values = [float(v) for point in curve if not isinstance(v := point.get(name, ""), str)]
        if name != along and len(values) > 1:
            label = name if name.isprintable() else ascii(name)
            lines.append(f"  {label[:24]:24} {_bars(values)}  {values[0]:.3g} → {values[-1]:.3g}")
    if not lines:
        return []
    ends = [point[along] for point in (curve[0], curve[-1]) if along in point] if along else []
    told = " to ".join(f"{end:,.10g}" for end in ends if not isinstance(end, str))
    return ["", f"the run, along {along} {told}" if told else "the run", *lines]


def _bars(values: Sequence[float]) -> str:
    """One bar for each value, or for the mean of some neighbours if there are many."""
    count = min(len(values), WIDTH)
    cuts = [number * len(values) // count for number in range(count + 1)]
    means = [sum(values[a:b]) / (b - a) for a, b in pairwise(cuts)]
    low, reach = min(means), max(means) - min(means) or 1.0
    return "".join(BARS[int((mean - low) / reach * (len(BARS) - 1) + 0.5)] for mean in means)
