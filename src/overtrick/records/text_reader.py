"""Records as people read them: tags, cards and choices in columns, after PBN.

    [Format "overtrick-record 1"]
    [Game "hokm"]
    …
    [Cards]
    South  5S AS 3C …
    [Choices]
    trump  South  D
    play   South  AS 2S 3S TS
    [Notes]
    1  seconds=2.5 player="pimc:worlds=100"
    1  D probability=0.75 payoff=1.2 error=0.1 visits=80

A line of choices tells the phase, the seat that chooses first and what was chosen in turn: a round
of an auction, a trick, several choices of one seat. Notes tell more about a choice by its number.
Empty lines separate deals. Comments stand in braces, after a semicolon or on lines that begin with
a percent sign.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from overtrick.errors import BadRecord, OvertrickError
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.records.json_text import shortened
from overtrick.records.record import FORMAT, VERSION, Record
from overtrick.records.rows import seat_word

__all__ = ["LineError", "Lines", "from_text", "read_text", "split_deals"]

Lines = list[tuple[int, str]]
"""Lines with their numbers in the file, from 1, without comments."""

TAG = re.compile(r'\[\s*(\w+)(?:\s+("(?:[^"\\]|\\.)*"))?\s*\]')
PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[^"{;]+|["{;]')
TOLD = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|[^\s"]+)')
WHOLE = re.compile(r"-?[0-9]{1,20}")
REAL = re.compile(r"-?[0-9]{1,20}(?:\.[0-9]{1,25})?(?:e[+-]?[0-9]{1,3})?")

TAGS = (
    *("Format", "Game", "Variant", "Event", "Site", "Date", "Seed", "Assisted", "Comment"),
    *("Match", "Result", "Scores"),
)
SECTIONS = ("Seats", "Cards", "Choices", "Notes")
YES_NO = {"yes": True, "no": False}


# ---------------------------------------------------------------------------- lines and tags


def split_deals(lines: Iterable[tuple[int, str]]) -> Iterator[Lines]:
    """The lines of each deal, without comments; empty lines separate deals."""
    deal: Lines = []
    opened = 0  # the line on which a comment in braces began, 0 outside
    for number, line in lines:
        if not opened and not line.strip():
            if deal:
                yield deal
            deal = []
            continue
        if not opened and line.startswith("%"):
            continue
        text, inside = _without_comments(line, inside=bool(opened))
        opened = (opened or number) if inside else 0
        if text.strip():
            deal.append((number, text.strip()))
    if opened:
        raise LineError(opened, "the comment that begins here does not end")
    if deal:
        yield deal


def _without_comments(line: str, *, inside: bool) -> tuple[str, bool]:
    """A line without its comments, and whether one goes on after it."""
    kept, at = "", 0
    while at < len(line):
        if inside:
            end = line.find("}", at)
            if end < 0:
                return kept, True
            kept, at, inside = f"{kept} ", end + 1, False
            continue
        piece = PIECE.match(line, at)
        assert piece is not None
        if piece[0] == ";":
            break
        inside = piece[0] == "{"
        kept += "" if inside else piece[0]
        at = piece.end()
    return kept, inside


class LineError(BadRecord):
    """A fault on one line of a text."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def from_text(text: str) -> Record:
    """The record of one deal written as text; well formed, but not yet replayed."""
    deals = [*split_deals(enumerate(text.split("\n"), start=1))]
    if len(deals) != 1:
        raise BadRecord(f"the text of one deal was expected, not of {len(deals)}")
    return read_text(deals[0])[0]


def read_text(lines: Lines) -> tuple[Record, list[int]]:
    """The record that the lines of one deal tell, not yet replayed; and the line of each choice."""
    tags, sections = _tags_and_sections(lines)
    first = lines[0][0]
    if tags.get("Format") != f"{FORMAT} {VERSION}":
        came = shortened(tags["Format"]) if "Format" in tags else "a deal without one"
        raise LineError(first, f'a deal has [Format "{FORMAT} {VERSION}"], not {came}')
    if "Game" not in tags:
        raise LineError(first, 'a deal names its game, as in [Game "hokm"]')
    try:
        game = load_game(tags["Game"])
    except OvertrickError as error:
        raise LineError(first, str(error)) from error
    chosen, choice_lines = _choices(game, sections["Choices"])
    _add_notes(chosen, sections["Notes"])
    values = _values(game, tags) | {
        "seats": _seats(game, sections["Seats"]),
        "cards": _cards(game, sections["Cards"]),
        "choices": chosen,
    }
    return Record.from_values(values), choice_lines


def _tags_and_sections(lines: Lines) -> tuple[dict[str, str], dict[str, Lines]]:
    tags: dict[str, str] = {}
    sections: dict[str, Lines] = {}
    open_section: Lines | None = None
    for number, line in lines:
        if not line.startswith("["):
            if open_section is None:
                raise LineError(number, f'a tag such as [Game "hokm"] was expected, {_came(line)}')
            open_section.append((number, line))
            continue
        tag = TAG.fullmatch(line)
        if tag is None:
            raise LineError(number, f'a tag is written [Name "value"], {_came(line)}')
        name, value = tag[1], tag[2]
        if name in tags or name in sections:
            raise LineError(number, f"[{name}] is told twice; an empty line separates deals")
        if name in SECTIONS and value is None:
            open_section = sections[name] = []
        elif name in TAGS and value is not None:
            tags[name], open_section = _unquoted(number, value), None
        else:
            raise LineError(number, _unknown_tag(name))
    return tags, {name: sections.get(name, []) for name in SECTIONS}


def _unknown_tag(name: str) -> str:
    if name in TAGS:
        return f'[{name} "…"] has a value'
    if name in SECTIONS:
        return f"[{name}] has no value; its lines follow"
    return f"there is no tag {shortened(name)}; known are {', '.join((*TAGS, *SECTIONS))}"


def _came(text: str) -> str:
    return f"not {shortened(text)}"


def _unquoted(number: int, text: str) -> str:
    try:
        return str(json.loads(text))
    except ValueError:
        raise LineError(number, f"{shortened(text)} is not a text in quotes") from None


# ---------------------------------------------------------------------------- parts of a deal


def _values(game: Game, tags: dict[str, str]) -> dict[str, Any]:
    """What the tags tell, as a JSON object would hold it."""
    values: dict[str, Any] = {"format": FORMAT, "version": VERSION, "game": game.name}
    for name in ("Event", "Site", "Date", "Comment"):
        if name in tags:
            values[name.lower()] = tags[name]
    if "Seed" in tags:
        values["seed"] = _whole(tags["Seed"])
    if "Assisted" in tags:
        values["assisted"] = YES_NO.get(tags["Assisted"], tags["Assisted"])
    values["variant"] = _pairs(tags.get("Variant", ""), ",")
    match = _pairs(tags.get("Match", ""), None)
    values["match"] = {name: _numbers(value) for name, value in match.items()}
    if tags.get("Result", "*") != "*" or "Scores" in tags:
        values["result"] = {
            "payoffs": [_whole(word) for word in tags.get("Result", "").split()],
            "scores": [_whole(word) for word in tags.get("Scores", "").split()],
        }
    return values


def _pairs(text: str, separator: str | None) -> dict[str, str]:
    """What is written as `name=value`, separated by spaces or by a sign."""
    pairs: dict[str, str] = {}
    for word in filter(None, (part.strip() for part in text.split(separator))):
        name, equals, value = (part.strip() for part in word.partition("="))
        if not (name and equals and value):
            raise BadRecord(f"options and matches are written name=value, {_came(word)}")
        if name in pairs:
            raise BadRecord(f"{shortened(name)} is told twice")
        pairs[name] = value
    return pairs


def _whole(text: str) -> int | str:
    """A whole number, or the text as it is, for the model to refuse or accept."""
    return int(text) if WHOLE.fullmatch(text) else text


def _real(text: str) -> float | str:
    return float(text) if REAL.fullmatch(text) else text


def _numbers(text: str) -> int | str | list[int | str]:
    """The numbers of a field of a match: one, or several separated by slashes."""
    numbers = [_whole(part) for part in text.split("/")]
    return numbers[0] if len(numbers) == 1 else numbers


def _first_word(text: str) -> tuple[str, str]:
    """The first word of a text, and the rest."""
    word, rest, *_ = [*text.split(maxsplit=1), "", ""]
    return word, rest


def _seats(game: Game, lines: Lines) -> list[dict[str, Any]] | None:
    if not lines:
        return None
    seats: list[dict[str, Any]] = [{} for _ in range(game.seats)]
    for number, line in lines:
        name, rest = _first_word(line)
        seat = _seat(number, game, name)
        if seats[seat]:
            raise LineError(number, f"who sits {game.seat_name(seat)} is told twice")
        seats[seat] = _told_values(number, rest)
    return seats


def _seat(number: int, game: Game, name: str) -> int:
    try:
        return game.seat_from(name)
    except OvertrickError as error:
        raise LineError(number, str(error)) from error


def _cards(game: Game, lines: Lines) -> dict[str, str]:
    cards: dict[str, str] = {}
    seats = {seat_word(game, seat).casefold(): str(seat) for seat in range(game.seats)}
    for number, line in lines:
        name, *hand = line.split()
        place = seats.get(name.casefold(), name)
        if place in cards:
            raise LineError(number, f"cards for {name} are given twice")
        cards[place] = " ".join(hand)
    return cards


def _choices(game: Game, lines: Lines) -> tuple[list[dict[str, Any]], list[int]]:
    """The choices, the first of each line with its phase and seat; and the line of each."""
    chosen: list[dict[str, Any]] = []
    numbers: list[int] = []
    for number, line in lines:
        if len(line.split()) < 3:
            raise LineError(number, f"choices are written 'phase seat choices', {_came(line)}")
        phase, seat, *words = line.split()
        told = {"phase": phase, "seat": _seat(number, game, seat)}
        chosen += [told | {"choice": words[0]}, *({"choice": word} for word in words[1:])]
        numbers += [number] * len(words)
    return chosen, numbers


def _add_notes(chosen: list[dict[str, Any]], lines: Lines) -> None:
    """Put what the notes tell into the choices that they name."""
    for number, line in lines:
        head, rest = _first_word(line)
        of = _whole(head)
        if not isinstance(of, int) or not 1 <= of <= len(chosen):
            raise LineError(
                number, f"a note begins with a choice from 1 to {len(chosen)}, {_came(head)}"
            )
        word, more = _first_word(rest)
        if "=" in word:
            _add_about(number, chosen[of - 1], _told_values(number, rest))
        else:
            analysis = chosen[of - 1].setdefault("analysis", {})
            weighed = {"choice": word} | _told_values(number, more)
            analysis.setdefault("choices", []).append(weighed)


def _add_about(number: int, chosen: dict[str, Any], told: dict[str, Any]) -> None:
    """Put the time, and whose analysis it is, into a choice."""
    for name, value in told.items():
        home = chosen.setdefault("analysis", {}) if name == "player" else chosen
        if name not in ("player", "seconds"):
            raise LineError(number, f"a note tells seconds and player, {_came(name)}")
        if name in home:
            raise LineError(number, f"{name} is told twice")
        home[name] = value


def _told_values(number: int, text: str) -> dict[str, Any]:
    """What is told as `name=value`: texts in quotes, else numbers."""
    values: dict[str, Any] = {}
    left = text.strip()
    while left:
        told = TOLD.match(left)
        if told is None:
            raise LineError(number, f'values are written name=1.5 or name="text", {_came(left)}')
        name, value = told[1], told[2]
        if name in values:
            raise LineError(number, f"{name} is told twice")
        if value.startswith('"'):
            values[name] = _unquoted(number, value)
        else:
            values[name] = _whole(value) if name == "visits" else _real(value)
        left = left[told.end() :].lstrip()
    return values
