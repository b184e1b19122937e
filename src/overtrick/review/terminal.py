"""A review for a person in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from overtrick.records.show import choice_shown, header
from overtrick.review.reading import (
    FIGURES,
    KNEW,
    MARKS,
    SIGNS,
    Reading,
    Round,
    label_words,
)
from overtrick.review.told import Timeline, Verdict

__all__ = ["review_shown"]

LEVELS = "▁▂▃▄▅▆▇█"
RULER = 17  # places on the ruler of one seat's value
COLOURS = {"inaccuracy": "yellow", "mistake": "red", "blunder": "bold red"}


def review_shown(reading: Reading) -> Iterator[RenderableType]:
    """What to print of a review, from top to bottom."""
    yield from header(reading.record, reading.deal, reading.number)
    yield Text()
    yield _summary(reading)
    yield from _sentences(reading)
    yield from _costliest(reading)
    yield from _timelines(reading)
    yield from _rounds(reading)
    yield Text()
    legend = f"{SIGNS}. {KNEW} Weighed by {reading.review.judge}."
    yield _indented(Text(legend, style="dim"))


def _indented(told: RenderableType, columns: int = 2) -> Padding:
    return Padding(told, (0, 0, 0, columns), expand=False)


# ---------------------------------------------------------------------------- who played how


def _summary(reading: Reading) -> Padding:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("seat", overflow="fold")
    for title in FIGURES:
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("how it went")
    for told in reading.review.seats:
        outcome = told.outcome.replace("-", " ")
        table.add_row(reading.people[told.seat], *reading.figures(told), outcome)
    return _indented(table)


def _sentences(reading: Reading) -> Iterator[RenderableType]:
    said = reading.sentences()
    if said:
        yield Text()
    yield from (_indented(Text(words)) for words in said)


def _costliest(reading: Reading) -> Iterator[RenderableType]:
    yield Text()
    yield Text("the costliest choices", style="bold")
    if not reading.costliest:
        yield Text("  none: no choice cost more than it is worth to speak of")
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for title in ("", "choice", "seat", "chosen", "better", "cost", ""):
        table.add_column(title, justify="right" if title in ("choice", "cost") else "left")
    for verdict in reading.costliest:
        table.add_row(
            _mark(reading, verdict),
            f"{verdict.number}.",
            reading.names[verdict.seat],
            reading.choice(verdict, verdict.text),
            reading.choice(verdict, verdict.best_text),
            reading.cost(verdict.cost, verdict.error),
            label_words(verdict),
        )
    yield _indented(table)


def _mark(reading: Reading, verdict: Verdict) -> Text:
    return Text(reading.mark(verdict), style=COLOURS.get(verdict.label, ""))


# ---------------------------------------------------------------------------- trick by trick


def _timelines(reading: Reading) -> Iterator[RenderableType]:
    """A line for each seat: what it might expect after each choice."""
    timelines = reading.review.timelines
    if not timelines:
        return
    yield Text()
    yield Text("what a seat might expect after each choice, by what it knew", style="bold")
    width = max(len(reading.names[told.seat]) for told in timelines)
    low, high = _bounds(timelines)
    for told in timelines:
        values = [moment.value for moment in told.moments]
        line = Text(f"  {reading.names[told.seat]:{width}}  {reading.points(values[0]):>6} ")
        line.append(_sparkline(values, low, high), style="cyan")
        yield line.append(f" {reading.points(values[-1])}")


def _bounds(timelines: Sequence[Timeline]) -> tuple[float, float]:
    """The least and the most that anybody expected; nothing is always between them."""
    values = [moment.value for told in timelines for moment in told.moments]
    return min(0.0, *values), max(0.0, *values)


def _sparkline(values: Sequence[float], low: float, high: float) -> str:
    return "".join(LEVELS[_place(value, low, high, len(LEVELS))] for value in values)


def _place(value: float, low: float, high: float, places: int) -> int:
    """The place of a value on a scale with so many places."""
    return round((value - low) / (high - low or 1.0) * (places - 1))


def _rounds(reading: Reading) -> Iterator[RenderableType]:
    yield Text()
    yield Text("trick by trick", style="bold")
    rounds = [*reading.rounds()]
    titles = max(len(one.title) for one in rounds)
    seats = max(map(len, reading.names))
    width = max(len(_choices(reading, one)) for one in rounds)
    for one in rounds:
        line = Text(f"  {one.title:{titles}}  ", style="dim")
        line.append(f"{reading.names[one.verdicts[0].seat]:{seats}}  ", style="default")
        choices = _choices(reading, one)
        line.append_text(choices).append(" " * (width - len(choices)))
        winner = "" if one.told.winner is None else f"→ {reading.names[one.told.winner]}"
        line.append(f"  {winner:{seats + 2}}", style="cyan")
        yield line.append_text(_ruler(reading, one))
        for told in _remarks(reading, one):
            yield _indented(told, titles + 4)


def _choices(reading: Reading, one: Round) -> Text:
    game, line = reading.game, Text()
    for place, verdict in enumerate(one.verdicts):
        phase = game.phases.index(verdict.phase)
        line.append("  " if place else "")
        line.append_text(choice_shown(game, phase, verdict.choice))
        line.append_text(_mark(reading, verdict))
    return line


def _ruler(reading: Reading, one: Round) -> Text:
    """Where the value of the seat that is looked at stands after a round."""
    if reading.seat is None:
        return Text()
    [told] = reading.review.timelines
    low, high = _bounds([told])
    value = told.moments[one.told.last].value
    places = ["·"] * RULER
    places[_place(0.0, low, high, RULER)] = "|"
    places[_place(value, low, high, RULER)] = "●"
    return Text(f"  {''.join(places)} ", style="cyan").append(
        reading.points(value), style="default"
    )


def _remarks(reading: Reading, one: Round) -> Iterator[RenderableType]:
    """The comment on a round, and what is to be said of choices in it."""
    comment = reading.words(one.told.phrases)
    if comment:
        yield Text(comment)
    for verdict in one.verdicts:
        if reading.is_about(verdict.seat) and (verdict.label in MARKS or verdict.luck):
            yield _remark(reading, verdict)
            opinion = reading.opinion(verdict)
            if opinion:
                second = Text(f"with open hands, a second opinion: {opinion}", style="dim")
                yield _indented(second, 3)


def _remark(reading: Reading, verdict: Verdict) -> Text:
    name, made = reading.names[verdict.seat], reading.choice(verdict, verdict.text)
    told = f"{name} {made}: {label_words(verdict)}. {reading.words(verdict.phrases)}"
    return Text(" ").join(filter(None, (_mark(reading, verdict), Text(told.rstrip()))))
