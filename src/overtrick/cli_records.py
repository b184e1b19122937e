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

__all__ = [
    "FILE",
    "add_record_commands",
    "chosen_records",
    "print_as_to_a_file",
    "print_to_a_person",
]

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
        Shape | None,
        typer.Option("--as", help="For a person, as a file would hold it, or one line."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="As --as jsonl: one JSON object a line for each deal.")
    ] = False,
    policy: Annotated[
        str | None,
        typer.Option(help="Turn by turn, what this player thinks of each choice that was open."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="With --policy, the player's chance.")] = None,
) -> None:
    """Show the deals of a file."""
    if as_json and shape not in (None, Shape.json, Shape.jsonl):
        raise BadOption(f"--json and --as {shape.value} are two forms: ask for one of them")
    if seed is not None and policy is None:
        raise BadOption("--seed is for --policy: nothing else is left to chance here")
    chosen = shape or (Shape.jsonl if as_json else Shape.person)
    records = chosen_records(file, deal)
    if policy is not None:
        _show_policy(records, policy, seed or 0, chosen)
    elif chosen is Shape.position:
        for _, record in records:
            print(record.deal().text())
    elif chosen is Shape.person:
        _show_to_a_person(records)
    else:
        _print_records([record for _, record in records], Form(chosen.value))


def chosen_records(file: str, number: int | None) -> list[tuple[int, Record]]:
    """The records of a file with their numbers, or the one that was asked for."""
    from overtrick.records import read_records

    records = [*enumerate(read_records(file), start=1)]
    if number is None:
        return records
    if not 1 <= number <= len(records):
        raise BadBudget(f"{file}: the deals are 1 to {len(records)}, not {number}")
    return [records[number - 1]]


def print_to_a_person() -> None:
    """Let a sign that the terminal does not have, as of a suit, be replaced by another."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def print_as_to_a_file() -> None:
    """Let what is printed be what a file would hold."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


def _show_policy(records: list[tuple[int, Record]], policy: str, seed: int, shape: Shape) -> None:
    from overtrick.games import load_game
    from overtrick.players import make_player
    from overtrick.review.transcript import transcript, transcript_text

    if shape is Shape.position:
        raise BadOption("a position has no room for a policy: leave out --as, or take json")
    for name in {record.game for _, record in records}:
        make_player(policy, load_game(name))  # refused before anything is printed
    for place, (number, record) in enumerate(records):
        told = transcript(record, policy, seed=seed, number=number)
        if shape in (Shape.json, Shape.jsonl):
            print_as_to_a_file()
            print(told.model_dump_json())
        else:
            print_to_a_person()
            print(("\n" if place else "") + transcript_text(told), end="")


def _show_to_a_person(records: list[tuple[int, Record]]) -> None:
    from rich.console import Console

    from overtrick.records.show import shown

    print_to_a_person()
    console = Console(highlight=False, soft_wrap=True)
    for place, (number, record) in enumerate(records):
        if place:
            console.print()
        for line in shown(record, number):
            console.print(line)


def _print_records(records: list[Record], form: Form) -> None:
    from overtrick.records.files import write_to

    print_as_to_a_file()
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
