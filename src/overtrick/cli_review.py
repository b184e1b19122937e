"""The command that reviews finished deals: review."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from overtrick.cli_records import (
    FILE,
    chosen_records,
    print_as_to_a_file,
    print_to_a_person,
)
from overtrick.errors import BadBudget, BadOption, DealOver

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from overtrick.games.game import Seat
    from overtrick.records import Record
    from overtrick.review.judge import Judge
    from overtrick.review.reading import Reading
    from overtrick.review.told import DealReview

__all__ = ["add_review_command"]

MOST_WORLDS = 100_000


def add_review_command(app: typer.Typer) -> None:
    """Make the command known to the command line."""
    app.command()(review)


def review(
    file: Annotated[str, typer.Argument(help=FILE)],
    deal: Annotated[int | None, typer.Option(help="Only this deal of the file, from 1.")] = None,
    seat: Annotated[
        str | None,
        typer.Option(help="Look closely at this seat alone: a number, its name or its player's."),
    ] = None,
    worlds: Annotated[
        int | None,
        typer.Option(help="Possible deals in which a choice is weighed at most: fewer is faster."),
    ] = None,
    html: Annotated[
        str | None,
        typer.Option(help="Write one page for the browser to this file; - prints it."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object for each deal, a line each.")
    ] = False,
) -> None:
    """Review finished deals: what each choice cost, by what the seat knew when it chose."""
    if html is not None and as_json:
        raise BadOption("--html and --json are two forms of a review: ask for one of them")
    if worlds is not None and not 1 <= worlds <= MOST_WORLDS:
        raise BadBudget(f"the number of worlds is 1 to {MOST_WORLDS}, not {worlds}")
    told = _readings(file, deal, seat, worlds)
    if html is not None:
        _write_page(html, [*told])
        return
    for place, reading in enumerate(told):
        if as_json:
            print_as_to_a_file()
            print(reading.review.model_dump_json(), flush=True)
        else:
            _print(reading, first=not place)


# ---------------------------------------------------------------------------- reviewing


def _readings(
    file: str, number: int | None, seat: str | None, worlds: int | None
) -> Iterator[Reading]:
    """The reviews of the deals that were asked for."""
    from overtrick.review.judge import WORLDS, Judge
    from overtrick.review.reading import Reading

    records = _finished(file, number)
    seats = [None if seat is None else _seat_of(record, seat) for _, record in records]
    judges = {record.game: Judge(record.game, worlds=worlds or WORLDS) for _, record in records}
    for (place, record), whose in zip(records, seats, strict=True):
        found = _reviewed(record, judges[record.game], whose, f"deal {place}")
        yield Reading(record, place, found, whose)


def _finished(file: str, number: int | None) -> list[tuple[int, Record]]:
    """The finished deals; one that was asked for has to be."""
    records = chosen_records(file, number)
    finished = [(place, record) for place, record in records if record.result is not None]
    left = [str(place) for place, record in records if record.result is None]
    if not finished:
        raise DealOver(f"{file}: deal {', '.join(left)} is not finished: there is no review yet")
    if left:
        print(f"not finished, hence not reviewed: deal {', '.join(left)}", file=sys.stderr)
    return finished


def _seat_of(record: Record, wanted: str) -> Seat:
    """The seat that goes by a name: that of the seat or of its player, or a number."""
    from overtrick.games import load_game

    word = wanted.strip().casefold()
    for seat, seated in enumerate(record.seats or ()):
        if word in [name.casefold() for name in (seated.name, seated.player) if name]:
            return seat
    return load_game(record.game).seat_from(wanted)


def _reviewed(record: Record, judge: Judge, seat: Seat | None, title: str) -> DealReview:
    from overtrick.review.reviewing import Progress, reviewing

    with _bar() as bar:
        task = bar.add_task(title)
        for told in reviewing(record.deal(), judge, seats=None if seat is None else [seat]):
            if not isinstance(told, Progress):
                return told
            bar.update(task, completed=told.done, total=told.of)
    raise AssertionError("a review ends with itself")


@contextmanager
def _bar() -> Iterator[Bar]:
    """How far a review is, on standard error; nothing where nobody looks."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    console = Console(stderr=True)
    watched = sys.stderr.isatty()
    with Progress(*columns, console=console, transient=True, disable=not watched) as bar:
        yield bar


# ---------------------------------------------------------------------------- printing


def _print(reading: Reading, *, first: bool) -> None:
    from rich.console import Console

    from overtrick.review.terminal import review_shown

    print_to_a_person()
    console = Console(highlight=False)
    if not first:
        console.print()
    for part in review_shown(reading):
        console.print(part)


def _write_page(out: str, readings: list[Reading]) -> None:
    from overtrick.records.files import replacing
    from overtrick.review.html import page

    if out == "-":
        print_as_to_a_file()
        print(page(readings), end="")
        return
    with replacing(out) as file:
        file.write(page(readings))
    print(f"{out}: the review is written", file=sys.stderr)
