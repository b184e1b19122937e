"""One deal as a record: the model of the JSON form and its schema, and the checked replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import Field, Strict, StrictBool, StringConstraints, ValidationError

from overtrick.engine.deals import Deal
from overtrick.errors import BadRecord, OvertrickError
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.records.checks import check_result, match_fields, match_of, played, result_of
from overtrick.records.json_text import compact, shortened, strict_json, tall
from overtrick.records.parts import (
    Analysis,
    AnyChoice,
    AnyOption,
    Chosen,
    Date,
    MatchField,
    Part,
    Result,
    Seated,
    Text,
    Word,
)

__all__ = ["FORMAT", "VERSION", "Record", "make_schema", "record_of", "schema_text"]

FORMAT = "overtrick-record"
VERSION = 1


class Record(Part):
    """A deal with all hands known: what was dealt, chosen and won."""

    format: Literal["overtrick-record"] = "overtrick-record"
    version: Literal[1] = 1
    game: Word
    """The name of the game."""
    variant: dict[Word, AnyOption] = Field(default_factory=dict)
    """The options of the house rules; those not told are as usual."""
    event: Text | None = None
    site: Text | None = None
    date: Date | None = None
    """A day or a moment, as ISO 8601 writes it."""
    seed: Annotated[int, Strict(), Field(ge=-(2**63), lt=2**63)] | None = None
    """The seed that shuffled the cards. It is not checked: the cards count."""
    assisted: StrictBool | None = None
    """Whether a choice was taken back or a hint was used."""
    comment: Text | None = None
    seats: tuple[Seated, ...] | None = None
    """Who sat there, seat 0 first."""
    match: dict[Word, MatchField] = Field(default_factory=dict)
    """The match before the deal, by the game's own fields; those not told are 0."""
    cards: dict[Word, Annotated[str, StringConstraints(strict=True, max_length=400)]]
    """What was dealt to each place, in the order dealt: seats `0`, `1`, … and what else there is.
    One place may be left out and gets the cards that remain."""
    choices: tuple[AnyChoice, ...]
    """Every choice from the first: in notation, or as an object with more about it."""
    result: Result | None = None
    """What the deal came to; null while it is not finished."""

    # ------------------------------------------------------------------------ JSON

    @classmethod
    def from_json(cls, text: str) -> Record:
        """The record that a JSON object tells; well formed, but not yet replayed."""
        return cls.from_values(strict_json(text))

    @classmethod
    def from_values(cls, values: object) -> Record:
        """The record of what a JSON object holds; well formed, but not yet replayed."""
        if not isinstance(values, dict):
            raise BadRecord(f"a record is a JSON object, not {shortened(values)}")
        _check_format(values)
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise _first_complaint(error) from None

    def values(self) -> dict[str, Any]:
        """What the JSON object holds."""
        told = self.model_dump(mode="json", exclude_none=True)
        told.setdefault("result", None)
        return told

    def to_json(self, *, lines: bool = False) -> str:
        """The record as a JSON object: in one line, or with `lines` one line for each field."""
        return tall(self.values()) if lines else compact(self.values())

    # ------------------------------------------------------------------------ replay

    def deal(self) -> Deal:
        """The deal, replayed: everything that the record tells has been checked."""
        deal = self.replayed()
        check_result(deal, self.result)
        return deal

    def replayed(self) -> Deal:
        """The deal, replayed and checked up to the last choice, whatever result is told."""
        deal = self._dealt()
        if self.seats is not None and len(self.seats) != deal.game.seats:
            raise BadRecord(f"{self.game} has {deal.game.seats} seats, not {len(self.seats)}")
        for number, choice in enumerate(self.choices, start=1):
            try:
                deal = played(deal, choice)
            except OvertrickError as error:
                raise BadRecord(str(error), number) from error
        return deal

    def _dealt(self) -> Deal:
        """The deal before its first choice."""
        try:
            game = load_game(self.game)
            match = match_of(game, self.match, self.variant)
            return Deal.from_cards(game, self.cards, match=match)
        except OvertrickError as error:
            raise BadRecord(str(error)) from error

    def tidy(self) -> Record:
        """The same record, checked and as `record_of` writes it.

        Choices and cards are in the game's own notation, options that are as usual are left out,
        and every place and every field of the match is told.
        """
        return self.tidied(self.deal())

    def tidied(self, deal: Deal) -> Record:
        """The same record as `record_of` writes it, given its deal."""
        seats = self.seats or (Seated(),) * deal.game.seats
        made = self.choices
        return record_of(
            deal,
            players=[seat.player for seat in seats],
            seat_names=[seat.name for seat in seats],
            seconds=[None if isinstance(one, str) else one.seconds for one in made],
            analyses=[None if isinstance(one, str) else one.analysis for one in made],
            event=self.event,
            site=self.site,
            date=self.date,
            seed=self.seed,
            assisted=self.assisted,
            comment=self.comment,
        )


def record_of(
    deal: Deal,
    *,
    players: Sequence[str | None] | None = None,
    seat_names: Sequence[str | None] | None = None,
    seconds: Sequence[float | None] | None = None,
    analyses: Sequence[Analysis | None] | None = None,
    event: str | None = None,
    site: str | None = None,
    date: str | None = None,
    seed: int | None = None,
    assisted: bool | None = None,
    comment: str | None = None,
) -> Record:
    """The record of a deal, finished or not.

    `players` and `seat_names` go by seats, `seconds` and `analyses` by choices; None stands for
    what is not known.
    """
    cards, words = _cards_and_choices(deal)
    try:
        return Record(
            game=deal.game.name,
            variant=_unusual(deal),
            event=event,
            site=site,
            date=date,
            seed=seed,
            assisted=assisted,
            comment=comment,
            seats=_seated(deal.game, players, seat_names),
            match=match_fields(deal.match),
            cards=cards,
            choices=_choices_made(deal, words, seconds, analyses),
            result=result_of(deal),
        )
    except ValidationError as error:
        raise _first_complaint(error) from None


# ---------------------------------------------------------------------------- from a deal


def _unusual(deal: Deal) -> dict[str, Any]:
    """The options that differ from the default."""
    options = deal.game.variant.options()
    chosen = {name: getattr(deal.variant, name) for name in options}
    return {name: chosen[name] for name, (default, _) in options.items() if chosen[name] != default}


def _cards_and_choices(deal: Deal) -> tuple[dict[str, str], list[str]]:
    """The cards of each place and the choices, as the position of the deal tells them."""
    *_, cards, choices = deal.text().split(";")
    places = (part.split() for part in cards.split("/"))
    return {place: " ".join(hand) for place, *hand in places}, choices.split()


def _seated(
    game: Game, players: Sequence[str | None] | None, names: Sequence[str | None] | None
) -> tuple[Seated, ...] | None:
    """Who sat there; None if nothing is known of any seat."""
    for told in (players, names):
        if told is not None and len(told) != game.seats:
            raise BadRecord(f"{game.name} has {game.seats} seats, not {len(told)}")
    nobody = [None] * game.seats
    seated = zip(players or nobody, names or nobody, strict=True)
    seats = tuple(Seated(player=player, name=name) for player, name in seated)
    return seats if any(seat != Seated() for seat in seats) else None


def _choices_made(
    deal: Deal,
    words: Sequence[str],
    seconds: Sequence[float | None] | None,
    analyses: Sequence[Analysis | None] | None,
) -> tuple[str | Chosen, ...]:
    """The choices: words alone, unless there is more to tell of any of them."""
    for told in (seconds, analyses):
        if told is not None and len(told) != len(words):
            raise BadRecord(f"the choices made are {len(words)}, not {len(told)}")
    nothing = [None] * len(words)
    times, thoughts = seconds or nothing, analyses or nothing
    if all(one is None for one in (*times, *thoughts)):
        return tuple(words)
    return tuple(
        Chosen(
            seat=event.seat,
            phase=deal.game.phases[event.phase],
            choice=word,
            seconds=time,
            analysis=thought and _in_notation(deal.game, event.phase, thought),
        )
        for event, word, time, thought in zip(deal.history, words, times, thoughts, strict=True)
    )


def _in_notation(game: Game, phase: int, analysis: Analysis) -> Analysis:
    """An analysis with its choices in the game's own notation."""
    weighed = [
        one.model_copy(
            update={"choice": game.choice_text(phase, game.choice_from(phase, one.choice))}
        )
        for one in analysis.choices
    ]
    return Analysis(player=analysis.player, choices=tuple(weighed))


# ---------------------------------------------------------------------------- complaints, schema


def _check_format(values: Mapping[str, Any]) -> None:
    """Other JSON is told apart first: its other faults would only mislead."""
    told = values.get("format")
    if told != FORMAT:
        came = "without one" if "format" not in values else f"not {shortened(told)}"
        raise BadRecord(f"a record has the format {FORMAT!r}, {came}")
    version = values.get("version")
    if type(version) is not int or version != VERSION:
        raise BadRecord(f"records of version {VERSION} can be read, not {shortened(version)}")


REASONS = {
    "missing": "is missing",
    "extra_forbidden": "is not a field of a record",
    "tuple_type": "should be a list",
    "dict_type": "should be an object",
    "model_type": "should be an object",
    "string_type": "should be a text",
    "string_unicode": "should be a text of whole characters",
    "string_too_short": "should not be empty",
    "too_short": "should not be empty",
}


def _first_complaint(error: ValidationError) -> BadRecord:
    """The first thing that is wrong, in one line."""
    first = error.errors(include_url=False)[0]
    place = [part for part in first["loc"] if not str(part).startswith(("<", "["))]
    choice = None
    if len(place) > 1 and place[0] == "choices" and isinstance(place[1], int):
        choice = place[1] + 1
        place = place[2:]
    name = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    told = shortened(name.removeprefix(".") or "choice")
    reason = REASONS.get(first["type"])
    if reason is None:
        reason = first["msg"].removeprefix("Value error, ").removeprefix("Input ")
    came = "" if first["type"] in ("missing", "extra_forbidden") else shortened(first["input"])
    return BadRecord(f"{told} {reason}{came and f', not {came}'}", choice)


def make_schema() -> dict[str, Any]:
    """The JSON Schema of a record, made from the model."""
    schema = Record.model_json_schema()
    schema["required"] = ["format", "version", *schema["required"]]
    about = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:overtrick:record:{VERSION}",
    }
    return about | schema


def schema_text() -> str:
    """The published JSON Schema of a record."""
    home = files("overtrick.records")
    return home.joinpath("record.schema.json").read_text(encoding="utf-8")
