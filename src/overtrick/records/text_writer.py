"""Records written for people to read; `text_reader` tells the form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from overtrick.engine.deals import Deal
from overtrick.records.parts import Seated
from overtrick.records.record import FORMAT, VERSION, Record
from overtrick.records.rows import place_word, rows, seat_word

__all__ = ["to_text"]


def to_text(record: Record) -> str:
    """A record as text; it is tidied, hence checked."""
    deal = record.deal()
    return "".join(f"{line}\n" for line in _lines(record.tidied(deal), deal))


def _lines(record: Record, deal: Deal) -> Iterator[str]:
    game = deal.game
    yield from _tag_lines(record, deal)
    if record.seats is not None:
        yield "[Seats]"
        yield from _aligned(
            (seat_word(game, seat), _told(seated.model_dump(exclude_none=True)))
            for seat, seated in enumerate(record.seats)
            if seated != Seated()
        )
    yield "[Cards]"
    yield from _aligned((place_word(game, place), hand) for place, hand in record.cards.items())
    yield "[Choices]"
    yield from _aligned(
        (game.phases[row.phase], seat_word(game, row.seats[0]), " ".join(row.words(game)))
        for row in rows(deal)
    )
    notes = [*_note_lines(record)]
    if notes:
        yield "[Notes]"
        yield from notes


def _tag_lines(record: Record, deal: Deal) -> Iterator[str]:
    result = record.result
    tags = {
        "Format": f"{FORMAT} {VERSION}",
        "Game": record.game,
        "Variant": deal.variant.text(),
        "Event": record.event,
        "Site": record.site,
        "Date": record.date,
        "Seed": None if record.seed is None else str(record.seed),
        "Assisted": None if record.assisted is None else "yes" if record.assisted else "no",
        "Comment": record.comment,
        "Match": _match_text(record),
        "Result": "*" if result is None else " ".join(map(str, result.payoffs)),
        "Scores": None if result is None else " ".join(map(str, result.scores)),
    }
    for name, value in tags.items():
        if value:
            yield f"[{name} {_quoted(value)}]"


def _match_text(record: Record) -> str:
    return " ".join(
        f"{name}={'/'.join(map(str, value if isinstance(value, tuple) else (value,)))}"
        for name, value in record.match.items()
    )


def _note_lines(record: Record) -> Iterator[str]:
    for number, chosen in enumerate(record.choices, start=1):
        if isinstance(chosen, str):
            continue
        analysis = chosen.analysis
        about = _told({"seconds": chosen.seconds, "player": analysis and analysis.player})
        if about:
            yield f"{number}  {about}"
        for one in analysis.choices if analysis else ():
            told = _told(one.model_dump(exclude={"choice"}))
            yield f"{number}  {one.choice} {told}".rstrip()


def _told(values: dict[str, Any]) -> str:
    """Values as `name=value`, texts in quotes; what is None is left out."""
    return " ".join(
        f"{name}={_quoted(value) if isinstance(value, str) else repr(value)}"
        for name, value in values.items()
        if value is not None
    )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _aligned(table: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """The rows of a table in columns."""
    kept = [*table]
    widths = [max(map(len, column)) for column in zip(*kept, strict=True)]
    for row in kept:
        padded = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield "  ".join(padded).rstrip()
