"""The timeline of a review as a picture: a line for each seat, in SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor, log10

from overtrick.review.labels import SURE
from overtrick.review.markup import Markup, joined, tag
from overtrick.review.reading import Reading
from overtrick.review.told import Timeline

__all__ = ["chart", "line_class"]

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 552, 12, 268
LABEL_GAP = 18  # between the names of two lines that end close together
LONGEST = 10  # letters of a name at the end of a line
KINDS = 5  # of lines, told apart by colour and by dashes


@dataclass(frozen=True)
class Scale:
    """Where moments and values stand in the picture."""

    moments: int
    low: float
    high: float

    def x(self, moment: float) -> float:
        """The place of a moment."""
        return round(LEFT + (RIGHT - LEFT) * moment / max(1, self.moments), 1)

    def y(self, value: float) -> float:
        """The height of a value."""
        return round(BOTTOM - (BOTTOM - TOP) * (value - self.low) / (self.high - self.low), 1)

    def ticks(self) -> Iterator[float]:
        """Round values within the scale, nothing among them."""
        rough = (self.high - self.low) / 4
        power = 10.0 ** floor(log10(rough))
        step = next(power * size for size in (1, 2, 5, 10) if power * size >= rough)
        for number in range(-int(-self.low // step), int(self.high // step) + 1):
            yield number * step


def line_class(seat: int) -> str:
    """How the line of a seat looks."""
    return f"s{seat % KINDS}"


def chart(reading: Reading) -> Markup:
    """The picture; what it shows stands in words around it."""
    timelines = reading.review.timelines
    scale = _scale(timelines, with_errors=reading.seat is not None)
    title = (
        "What each seat might expect after each choice, in points. The values follow as a table."
    )
    return tag(
        "svg",
        _rounds(reading, scale),
        _ticks(reading, scale),
        [_line(reading, told, scale) for told in timelines],
        _names(reading, timelines, scale),
        tag("line", class_="cursor", x1=LEFT, x2=LEFT, y1=TOP, y2=BOTTOM),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=title,
        class_="chart",
        data_left=LEFT,
        data_right=RIGHT,
        data_moments=scale.moments,
    )


def _scale(timelines: Sequence[Timeline], *, with_errors: bool) -> Scale:
    moments = [moment for told in timelines for moment in told.moments]
    off = SURE if with_errors else 0.0
    low = min(0.0, *(one.value - off * one.error for one in moments))
    high = max(0.0, *(one.value + off * one.error for one in moments))
    room = 0.06 * (high - low) or 1.0
    return Scale(max(one.number for one in moments), low - room, high + room)


def _rounds(reading: Reading, scale: Scale) -> Iterator[Markup]:
    """Every other round on a ground of its own."""
    for place, one in enumerate(reading.rounds()):
        if place % 2 == 0:
            left, right = scale.x(one.told.first - 1), scale.x(one.told.last)
            size = {"width": round(right - left, 1), "height": BOTTOM - TOP}
            yield tag("rect", class_="round", x=left, y=TOP, **size)
    yield tag("text", "dealt", x=LEFT, y=HEIGHT - 8, class_="axis")
    yield tag("text", "over", x=RIGHT, y=HEIGHT - 8, class_="axis end")


def _ticks(reading: Reading, scale: Scale) -> Iterator[Markup]:
    for value in scale.ticks():
        y = scale.y(value)
        kind = "tick zero" if value == 0.0 else "tick"
        yield tag("line", class_=kind, x1=LEFT, x2=RIGHT, y1=y, y2=y)
        yield tag("text", reading.points(value), class_="axis end", x=LEFT - 6, y=y + 4)


def _line(reading: Reading, told: Timeline, scale: Scale) -> Markup:
    points = [(scale.x(one.number), scale.y(one.value)) for one in told.moments]
    return tag(
        "g",
        _error_band(told, scale) if reading.seat is not None else None,
        tag("polyline", class_="line", points=_path(points)),
        _marks(reading, told, scale),
        class_=f"timeline {line_class(told.seat)}",
        data_seat=told.seat,
    )


def _error_band(told: Timeline, scale: Scale) -> Markup:
    over = [(scale.x(one.number), scale.y(one.value + SURE * one.error)) for one in told.moments]
    under = [(scale.x(one.number), scale.y(one.value - SURE * one.error)) for one in told.moments]
    return tag("polygon", class_="band", points=_path([*over, *reversed(under)]))


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def _marks(reading: Reading, told: Timeline, scale: Scale) -> Iterator[Markup]:
    """A dot with its sign after each choice that is held against the seat."""
    for verdict in reading.costliest:
        if verdict.seat == told.seat:
            x, y = scale.x(verdict.number), scale.y(told.moments[verdict.number].value)
            sign = tag("text", reading.mark(verdict), class_="mark", x=x, y=max(y - 8, TOP + 10))
            yield joined(tag("circle", cx=x, cy=y, r=4), sign)


def _names(reading: Reading, timelines: Sequence[Timeline], scale: Scale) -> Iterator[Markup]:
    """The name of each line at its end, none over another."""
    ends = sorted((scale.y(told.moments[-1].value), told.seat) for told in timelines)
    lowest = BOTTOM - LABEL_GAP * (len(ends) - 1)
    y = -float(LABEL_GAP)
    for place, (end, seat) in enumerate(ends):
        y = max(min(end, lowest + place * LABEL_GAP), y + LABEL_GAP)
        name = reading.names[seat]
        short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        where = {"x": RIGHT + 8, "y": y + 4, "data_seat": seat}
        yield tag("text", short, class_=f"timeline name {line_class(seat)}", **where)
