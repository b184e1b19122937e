"""The commands about records of deals: show, verify, convert, record-schema.

Each imports what it needs when it is called, so that the command line starts fast.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from enum import Enum
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated

import typer

from overtrick.errors import BadBudget, BadOption

if TYPE_CHECKING:
    from overtrick.records import Record

__all__ = ["add_record_commands"]

FILE = "A file of records: .json, .jsonl or .txt; - reads the standard input."


class Form(Enum):
    """The forms of a record."""

    text = "text"
    json = "json"
    jsonl = "jsonl"


class Shape(Enum):
    """How `show` prints a record."""

    person = "person"
    text = "text"
    json = "json"
    jsonl = "jsonl"
    position = "position"


def add_record_commands(app: typer.Typer) -> None:
    """Make the commands about records known to the command line."""
    app.command()(show)
    app.command()(verify)
    app.command()(convert)
    app.command(name="record-schema")(record_schema)


def show(
    file: Annotated[str, typer.Argument(help=FILE)],
    deal: Annotated[int | None, typer.Option(help="Only this deal of the file, from 1.")] = None,
    shape: Annotated[
        Shape, typer.Option("--as", help="For a person, as a file would hold it, or one line.")
    ] = Shape.person,
) -> None:
    """Show the deals of a file."""
    from overtrick.records import read_records

    records = [*enumerate(read_records(file), start=1)]
    if deal is not None:
        if not 1 <= deal <= len(records):
            raise BadBudget(f"{file}: the deals are 1 to {len(records)}, not {deal}")
        records = [records[deal - 1]]
    if shape is Shape.position:
        for _, record in records:
            print(record.deal().text())
    elif shape is Shape.person:
        _show_to_a_person(records)
    else:
        _print_records([record for _, record in records], Form(shape.value))


def _show_to_a_person(records: list[tuple[int, Record]]) -> None:
    from rich.console import Console

    from overtrick.records.show import shown

    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # not every terminal has suit symbols
    console = Console(highlight=False, soft_wrap=True)
    for place, (number, record) in enumerate(records):
        if place:
            console.print()
        for line in shown(record, number):
            console.print(line)


def _print_records(records: list[Record], form: Form) -> None:
    from overtrick.records.files import write_to

    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # as in a file
    write_to(sys.stdout, records, form.value)


def verify(
    files: Annotated[list[str], typer.Argument(help=FILE)],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Replay every deal of some files and check all that they tell."""
    from overtrick.records import each_record

    games: Counter[str] = Counter()
    finished = 0
    for file in files:
        for record in each_record(file):
            games[record.game] += 1
            finished += record.result is not None
    deals = games.total()
    if as_json:
        report = {"files": len(files), "deals": deals, "games": dict(sorted(games.items()))}
        print(json.dumps(report | {"finished": finished, "unfinished": deals - finished}))
        return
    counts = ", ".join(f"{game} {count}" for game, count in sorted(games.items()))
    print(
        f"{_counted(deals, 'deal')} in {_counted(len(files), 'file')} hold: {counts}; "
        f"{finished} finished, {deals - finished} unfinished"
    )


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def convert(
    file: Annotated[str, typer.Argument(help=FILE)],
    out: Annotated[str, typer.Argument(help="The file to write; - writes the standard output.")],
    form: Annotated[
        Form | None, typer.Option("--as", help="The form to write, if the name does not tell.")
    ] = None,
) -> None:
    """Write the deals of a file in another form."""
    from overtrick.records import each_record, read_records, write_records

    if out != "-":
        count = write_records(out, each_record(file), form=form and form.value)
        print(f"{out}: {_counted(count, 'deal')} written", file=sys.stderr)
    elif form is None:
        raise BadOption("the standard output has no name to tell the form: add --as")
    else:
        _print_records(read_records(file), form)


def record_schema() -> None:
    """Print the JSON Schema of a record."""
    from overtrick.records.record import schema_text

    print(schema_text(), end="")
