"""What is written about a session or a round robin: CSV, a summary as JSON, and pictures."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from overtrick.arena import plots
from overtrick.arena.round_robin import RoundRobin
from overtrick.arena.simulation import Session
from overtrick.errors import DamagedFile, MissingExtra

__all__ = ["csv_text", "session_values", "write_round_robin", "write_session", "write_text"]

STEP = 100  # deals between the lines of the money table


def session_values(session: Session) -> dict[str, Any]:
    """The summary of a session."""
    places, chance = session.seat_effect()
    return {
        "game": session.game.name,
        "variant": session.variant.text(),
        "deals": len(session.money),
        "seed": session.seed,
        "rearrange": session.every,
        "results": [
            {
                "player": label,
                "money": float(total),
                "mean_payoff": one.mean,
                "ci95": one.ci95,
                "deals": one.count,
                "replaced": int(replaced),
            }
            for label, total, one, replaced in zip(
                session.labels(),
                session.points.sum(axis=0),
                session.results(),
                session.replaced if len(session.replaced) else [0] * len(session.players),
                strict=True,
            )
        ],
        "margins": [
            {"player": one, "other": other, "least": margin.mean, "ci95": margin.ci95}
            for one, other, margin in session.least_margins()
        ],
        "places": [
            {"place": place, "mean_payoff": one.mean, "ci95": one.ci95}
            for place, one in enumerate(places, start=1)
        ],
        "place_p": chance,
        "shuffles": session.independence(),
    }


def write_session(session: Session, folder: Path) -> list[Path]:
    """Write money.csv, places.csv and summary.json, and the pictures; the paths written."""
    at, running = session.running(STEP)
    money = [[int(deal), *map(_plain, row)] for deal, row in zip(at, running, strict=True)]
    values = session_values(session)
    places = [[one["place"], one["mean_payoff"], one["ci95"]] for one in values["places"]]
    written = [
        write_text(folder / "money.csv", csv_text([["deal", *session.labels()], *money])),
        write_text(folder / "places.csv", csv_text([["place", "mean_payoff", "ci95"], *places])),
        write_text(folder / "summary.json", json.dumps(values, indent=1) + "\n"),
    ]
    try:
        for name, draw in (("money", plots.money), ("places", plots.seat_effect)):
            written += plots.save_figure(draw(session), folder / name)
    except MissingExtra as missing:
        print(f"overtrick: {missing}", file=sys.stderr)
    return written


def write_round_robin(result: RoundRobin, folder: Path) -> list[Path]:
    """Draw the ladder and the cross table of a round robin; the paths written."""
    table = result.tables[0]
    title = f"{table.game.title}: {table.boards} boards a pair, seed {table.seed}"
    figures = {"ladder": plots.ladder(result.ratings(), title), "cross": plots.cross_table(result)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [
            path
            for name, figure in figures.items()
            for path in plots.save_figure(figure, folder / name)
        ]
    except OSError as error:
        raise DamagedFile(f"{folder} cannot be written: {error.strerror}") from error


def _plain(number: float) -> float | int:
    return int(number) if float(number).is_integer() else round(float(number), 6)


def csv_text(rows: Iterable[list[Any]]) -> str:
    """Rows as a CSV file has them."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def write_text(path: Path, text: str) -> Path:
    """Write a file beside its place, then move it there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(path.name + ".part")
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, path)
    except OSError as error:
        raise DamagedFile(f"{path} cannot be written: {error.strerror}") from error
    return path
