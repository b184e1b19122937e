"""The parts of a record, as pydantic models, and the values that they hold."""

from __future__ import annotations

import re
from datetime import datetime
from fractions import Fraction
from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    PlainSerializer,
    PlainValidator,
    Strict,
    StrictBool,
    StringConstraints,
    Tag,
    WithJsonSchema,
)

__all__ = [
    "Analysis",
    "AnyChoice",
    "AnyOption",
    "Chosen",
    "Date",
    "MatchField",
    "Part",
    "Result",
    "Seated",
    "Text",
    "Weighed",
    "Word",
]

MOST = 10**12 - 1  # the largest number in a match
MOST_AFTER = 10**13  # and after one more deal
POINTS = r"^-?[0-9]{1,12}/[1-9][0-9]{0,5}$"
CLOCK = r"[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})?"
DATE = rf"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(T{CLOCK})?$"


def _points(value: object) -> Fraction:
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return _in_bounds(Fraction(value))
    if isinstance(value, str) and _is_fraction(value):
        return _in_bounds(Fraction(value))
    raise ValueError("should be a whole number or a text such as '26/3'")


def _in_bounds(points: Fraction) -> Fraction:
    if abs(points) > MOST:
        raise ValueError(f"should be at most {MOST}")
    return points


def _is_fraction(text: str) -> bool:
    top, slash, bottom = text.removeprefix("-").partition("/")
    digits = all(part.isascii() and part.isdigit() for part in (top, bottom))
    return bool(slash) and digits and len(top) <= 12 and len(bottom) <= 6 and bottom[0] != "0"


def _points_value(points: Fraction) -> int | str:
    return points.numerator if points.denominator == 1 else str(points)


def _real_date(text: str) -> str:
    try:
        if re.fullmatch(DATE, text):
            datetime.fromisoformat(text)
            return text
    except ValueError:  # no such day
        pass
    raise ValueError("should be a date such as 2026-05-01 or 2026-05-01T20:15")


def _word(most: int) -> StringConstraints:
    return StringConstraints(strict=True, min_length=1, max_length=most)


Word = Annotated[str, _word(40)]
Text = Annotated[str, _word(10_000)]
Date = Annotated[
    str,
    _word(40),
    AfterValidator(_real_date),
    WithJsonSchema({"type": "string", "pattern": DATE}),
]
Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Positive = Annotated[float, Strict(), Field(ge=0, allow_inf_nan=False)]
Probability = Annotated[float, Strict(), Field(ge=0, le=1)]
Whole = Annotated[int, Strict(), Field(ge=-MOST, le=MOST)]
Count = Annotated[int, Strict(), Field(ge=0, le=MOST)]
Points = Annotated[
    Fraction,
    PlainValidator(_points),
    PlainSerializer(_points_value, return_type=int | str),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": -MOST, "maximum": MOST},
                {"type": "string", "pattern": POINTS},
            ]
        }
    ),
]


# ---------------------------------------------------------------------------- parts


class Part(BaseModel):
    """A part of a record: frozen, and nothing in it that it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Seated(Part):
    """Who sat in a seat."""

    player: Text | None = None
    """A person, or the name that rebuilds a player."""
    name: Text | None = None
    """What the seat was called at that table; without it, what the game calls it."""


class Weighed(Part):
    """What a player thought of one legal choice."""

    choice: Word
    probability: Probability | None = None
    """How likely the player would be to choose it."""
    payoff: Number | None = None
    """The payoff that the seat may expect, in points."""
    error: Positive | None = None
    """The standard error of the payoff."""
    visits: Count | None = None
    """How often a search has tried it."""


class Analysis(Part):
    """What a player thought of the legal choices, or of some."""

    player: Text | None = None
    """Whose analysis it is: the name that rebuilds the player."""
    choices: Annotated[tuple[Weighed, ...], Field(min_length=1)]


class Chosen(Part):
    """One choice with what is known about it."""

    seat: Annotated[int, Strict(), Field(ge=0, le=7)] | None = None
    """The seat that chose, from 0."""
    phase: Word | None = None
    """The phase of the game in which it chose."""
    choice: Word
    """The choice in notation."""
    seconds: Positive | None = None
    """How long the seat thought."""
    analysis: Analysis | None = None


class Result(Part):
    """What a finished deal came to."""

    payoffs: tuple[Points, ...]
    """Each seat's payoff in points, exactly: a whole number, or a text such as `26/3`."""
    scores: tuple[Annotated[int, Strict(), Field(ge=-MOST_AFTER, le=MOST_AFTER)], ...]
    """The running totals of the match after the deal, by seat."""


# Which kind of value a field holds is seen at once, so that an error tells of that kind alone.


def _kind_of_option(value: object) -> str:
    if isinstance(value, bool):
        return "<truth>"
    return "<number>" if isinstance(value, int) else "<word>"


def _kind_of_match_field(value: object) -> str:
    return "<row>" if isinstance(value, list | tuple) else "<number>"


def _kind_of_choice(value: object) -> str:
    return "<chosen>" if isinstance(value, dict | Chosen) else "<word>"


AnyOption = Annotated[
    Annotated[StrictBool, Tag("<truth>")]
    | Annotated[Whole, Tag("<number>")]
    | Annotated[Annotated[str, _word(100)], Tag("<word>")],
    Discriminator(_kind_of_option),
]
MatchField = Annotated[
    Annotated[Whole, Tag("<number>")] | Annotated[tuple[Whole, ...], Tag("<row>")],
    Discriminator(_kind_of_match_field),
]
AnyChoice = Annotated[
    Annotated[Word, Tag("<word>")] | Annotated[Chosen, Tag("<chosen>")],
    Discriminator(_kind_of_choice),
]
