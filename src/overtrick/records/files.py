"""Files of records: `.json` for one deal, `.jsonl` for many, `.txt` for people to read.

What is read has been replayed and is tidy. Files are written beside and then renamed, so that a
failure leaves what was there.
"""

from __future__ import annotations

import io
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO, TextIO

from overtrick.errors import BadOption, BadRecord, DamagedFile, OvertrickError
from overtrick.records.record import Record
from overtrick.records.text_reader import LineError, read_text, split_deals
from overtrick.records.text_writer import to_text

__all__ = [
    "FORMS",
    "each_record",
    "form_of",
    "read_records",
    "replacing",
    "write_records",
    "write_to",
]

FORMS = {".json": "json", ".jsonl": "jsonl", ".txt": "text"}
BOM = b"\xef\xbb\xbf"
JSON_BEGINS = re.compile(rb'\s*\{\s*["}]')


def form_of(path: str | Path) -> str:
    """The form of a file, by the end of its name: `json`, `jsonl` or `text`."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMS:
        raise BadOption(f"files of records end in {', '.join(FORMS)}, not {str(path)!r}")
    return FORMS[suffix]


# ---------------------------------------------------------------------------- reading


def read_records(path: str | Path) -> list[Record]:
    """Every record of a file, checked and tidy; `-` is the standard input.

    A fault anywhere is one error, and no record comes back.
    """
    return [*each_record(path)]


def each_record(path: str | Path) -> Iterator[Record]:
    """The records of a file one by one, each checked and tidy; `-` is the standard input.

    For files too large to hold. A fault comes as an error when it is reached.
    """
    with _opened(path) as (name, file, form):
        count = 0
        for count, (line, read) in enumerate(_READERS[form](name, file), start=1):
            with _placed(name, line, count, form):
                record, choice_lines = read()
                with _on_the_line_of_its_choice(choice_lines):
                    tidy = record.tidy()
            yield tidy
        if count == 0:
            raise DamagedFile(f"{name}: there is no deal in it")


@contextmanager
def _opened(path: str | Path) -> Iterator[tuple[str, BinaryIO, str]]:
    """A file, what to call it, and its form."""
    if str(path) == "-":
        data = sys.stdin.buffer.read()
        yield "standard input", io.BytesIO(data), _form_of_content(data)
        return
    try:
        if Path(path).is_dir():
            raise DamagedFile(f"{path}: a file of records was expected, not a folder")
        file = open(path, "rb")  # noqa: SIM115 (closed below; errors of the caller are not ours)
    except OSError as error:
        raise DamagedFile(f"{path}: cannot be read: {_reason(error)}") from error
    with file:
        yield str(path), file, form_of(path)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _form_of_content(data: bytes) -> str:
    text = data.removeprefix(BOM)
    if not JSON_BEGINS.match(text):
        return "text"
    first = text.strip().split(b"\n")[0].rstrip()
    return "jsonl" if first.endswith(b"}") else "json"


Reader = Callable[[], tuple[Record, list[int]]]
"""Reads one record, which may fail; and the line of each choice, where lines tell it."""


def _lines(name: str, file: BinaryIO) -> Iterator[tuple[int, str]]:
    """The lines of a file, with their numbers from 1."""
    try:
        for number, line in enumerate(file, start=1):
            plain = line.removeprefix(BOM) if number == 1 else line
            try:
                yield number, plain.decode("utf-8").rstrip("\r\n")
            except UnicodeDecodeError as error:
                raise DamagedFile(
                    f"{name}, line {number}: text in UTF-8 was expected, not the byte "
                    f"0x{plain[error.start]:02x}"
                ) from None
    except OSError as error:
        raise DamagedFile(f"{name}: cannot be read: {_reason(error)}") from error


def _json_deals(name: str, file: BinaryIO) -> Iterator[tuple[int, Reader]]:
    lines = [*_lines(name, file)]
    text = "\n".join(line for _, line in lines)
    if text.strip():
        yield 1, partial(_record_of_file, text)


def _record_of_file(text: str) -> tuple[Record, list[int]]:
    try:
        return Record.from_json(text), []
    except BadRecord as error:
        if "Extra data" in str(error):
            raise BadRecord(f"{error}; a file of several deals ends in .jsonl") from error
        raise


def _jsonl_deals(name: str, file: BinaryIO) -> Iterator[tuple[int, Reader]]:
    for number, line in _lines(name, file):
        if line.strip():
            yield number, partial(_record_of_line, line)


def _record_of_line(text: str) -> tuple[Record, list[int]]:
    return Record.from_json(text), []


def _text_deals(name: str, file: BinaryIO) -> Iterator[tuple[int, Reader]]:
    try:
        for lines in split_deals(_lines(name, file)):
            yield lines[0][0], partial(read_text, lines)
    except LineError as error:
        raise DamagedFile(f"{name}, line {error.line}: {error}") from error


_READERS = {"json": _json_deals, "jsonl": _jsonl_deals, "text": _text_deals}


@contextmanager
def _placed(name: str, line: int, deal: int, form: str) -> Iterator[None]:
    """Errors say in which file, on which line and in which deal."""
    try:
        yield
    except OvertrickError as error:
        at = getattr(error, "line", line)
        place = "" if form == "json" else f", line {at} (deal {deal})"
        raise DamagedFile(f"{name}{place}: {error}") from error


@contextmanager
def _on_the_line_of_its_choice(choice_lines: list[int]) -> Iterator[None]:
    """An error about a choice says on which line the choice stands, if lines tell it."""
    try:
        yield
    except BadRecord as error:
        if error.choice is None or not choice_lines:
            raise
        raise LineError(choice_lines[error.choice - 1], str(error)) from error


# ---------------------------------------------------------------------------- writing


def write_records(path: str | Path, records: Iterable[Record], *, form: str | None = None) -> int:
    """Write records to a file, in the form that its name tells; how many they were.

    Each is checked. If anything fails, the file is left as it was.
    """
    chosen = form or form_of(path)
    with replacing(path) as file:
        return write_to(file, records, chosen)


@contextmanager
def replacing(path: str | Path) -> Iterator[TextIO]:
    """A file to write, which takes its place when all went well; else what was there is left."""
    target = Path(path).resolve()
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    if target.is_dir():
        raise DamagedFile(f"{path}: cannot be written: it is a folder")
    try:
        try:
            with open(beside, "x", encoding="utf-8", newline="\n") as file:
                yield file
            os.replace(beside, target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise DamagedFile(f"{path}: cannot be written: {_reason(error)}") from error


def write_to(file: TextIO, records: Iterable[Record], form: str) -> int:
    """Write records to an open file in one of the forms; how many they were."""
    count = 0
    for count, record in enumerate(records, start=1):
        if form == "json" and count > 1:
            raise BadRecord("a .json file holds one deal; several go into a .jsonl file")
        file.write("\n" if form == "text" and count > 1 else "")
        file.write(_WRITERS[form](record))
    if count == 0:
        raise BadRecord("there is no deal to write")
    return count


_WRITERS: dict[str, Callable[[Record], str]] = {
    "json": lambda record: record.tidy().to_json(lines=True) + "\n",
    "jsonl": lambda record: record.tidy().to_json() + "\n",
    "text": to_text,
}
