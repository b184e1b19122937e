"""A review as one page for the browser, which asks nothing of anybody else.

All of it is there without the script, which only steps through what the page holds. What one
pair of eyes does not see is hidden by the style alone: the deal is over.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files

from overtrick.records.show import header
from overtrick.review.chart import chart, line_class
from overtrick.review.markup import Markup, joined, tag
from overtrick.review.reading import (
    FIGURES,
    KNEW,
    SIGNS,
    Reading,
    Round,
)
from overtrick.review.steps import label_shown, step_id, step_through
from overtrick.review.told import SeatReview, Verdict

__all__ = ["page"]


def page(readings: Sequence[Reading]) -> str:
    """The page of some reviews."""
    title = _title(readings)
    style, script = _part("page.css"), _part("page.js")
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", f"{title} – Overtrick"),
        tag("style", Markup(style)),
    )
    main = tag("main", tag("h1", title), _contents(readings), map(_deal, readings), _foot(readings))
    body = tag("body", main, tag("script", Markup(script)))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _part(name: str) -> str:
    return files("overtrick.review").joinpath(name).read_text("utf-8")


def _policy(script: str) -> str:
    """Nothing is loaded from anywhere, and no other script runs."""
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def _title(readings: Sequence[Reading]) -> str:
    if len(readings) == 1:
        return f"Review of a deal of {readings[0].game.title}"
    return f"Review of {len(readings)} deals"


def _contents(readings: Sequence[Reading]) -> Markup | None:
    if len(readings) == 1:
        return None
    links = [tag("li", tag("a", _heading(one), href=f"#deal-{one.number}")) for one in readings]
    return tag("nav", tag("ul", links), aria_label="Deals")


def _heading(reading: Reading) -> str:
    return f"Deal {reading.number}: {reading.game.title}"


def _foot(readings: Sequence[Reading]) -> Markup:
    judges = sorted({reading.review.judge for reading in readings})
    return tag("footer", tag("p", KNEW), tag("p", f"{SIGNS}. Weighed by {', '.join(judges)}."))


def _deal(reading: Reading) -> Markup:
    home = f"deal-{reading.number}"
    return tag(
        "section",
        tag("h2", _heading(reading), id=home),
        tag("p", _around(reading), class_="quiet"),
        _summary(reading),
        _timeline(reading),
        _costliest(reading),
        _rounds(reading),
        step_through(reading),
        class_="deal",
        aria_labelledby=home,
    )


def _around(reading: Reading) -> str:
    """House rules, and what the record tells around the deal."""
    _, *lines = header(reading.record, reading.deal, reading.number)
    rules = reading.deal.variant.text() or "usual rules"
    return "; ".join([rules, *(line.plain.strip() for line in lines)])


# ---------------------------------------------------------------------------- who played how


def _summary(reading: Reading) -> Markup:
    titles = [tag("th", title, scope="col") for title in ("seat", *FIGURES)]
    sense = "What a seat got is what it might expect, less what its choices cost, plus its luck."
    table = tag(
        "table",
        tag("caption", f"{sense} All in points."),
        tag("thead", tag("tr", titles)),
        tag("tbody", [_seat_row(reading, told) for told in reading.review.seats]),
        class_="summary",
    )
    said = [tag("p", words) for words in reading.sentences()]
    return joined(tag("h3", "How it went"), table, said)


def _seat_row(reading: Reading, told: SeatReview) -> Markup:
    name = reading.names[told.seat]
    player = reading.people[told.seat].removeprefix(name).strip()
    seat = tag(
        "th",
        tag("b", name),
        tag("span", player, class_="quiet") if player else None,
        tag("span", told.outcome.replace("-", " "), class_="outcome"),
        scope="row",
    )
    return tag("tr", seat, [tag("td", figure) for figure in reading.figures(told)])


# ---------------------------------------------------------------------------- the timeline


def _timeline(reading: Reading) -> Markup | None:
    if not reading.review.timelines:
        return None
    return tag(
        "figure",
        tag("figcaption", tag("h3", "What each might expect, after each choice")),
        _switches(reading),
        chart(reading),
        _values(reading),
        class_="timelines",
    )


def _switches(reading: Reading) -> Markup:
    """One switch a seat, to show its line or not; they are the key to the lines too."""
    shown = [
        tag(
            "label",
            tag("input", type="checkbox", checked=True, value=told.seat, class_="line-switch"),
            _swatch(told.seat),
            reading.names[told.seat],
        )
        for told in reading.review.timelines
    ]
    return tag("fieldset", tag("legend", "Lines"), shown, class_="switches")


def _swatch(seat: int) -> Markup:
    line = tag("line", class_="line", x1=0, x2=30, y1=5, y2=5)
    look = f"swatch {line_class(seat)}"
    return tag("svg", line, viewBox="0 0 30 10", class_=look, aria_hidden="true")


def _values(reading: Reading) -> Markup:
    """The values after each round, in figures."""
    timelines = reading.review.timelines
    names = ["after", *(reading.names[told.seat] for told in timelines)]
    moments = [("the deal", 0), *((one.title, one.told.last) for one in reading.rounds())]
    rows = [
        tag(
            "tr",
            tag("th", title, scope="row"),
            [tag("td", reading.points(told.moments[moment].value)) for told in timelines],
        )
        for title, moment in moments
    ]
    head = tag("thead", tag("tr", [tag("th", name, scope="col") for name in names]))
    table = tag("table", head, tag("tbody", rows), class_="figures")
    return tag("details", tag("summary", "The values as a table"), table)


# ---------------------------------------------------------------------------- choices and tricks


def _costliest(reading: Reading) -> Markup:
    title = tag("h3", "The costliest choices")
    if not reading.costliest:
        return joined(title, tag("p", "None: no choice cost enough to speak of."))
    listed = [tag("li", _costly(reading, verdict)) for verdict in reading.costliest]
    return joined(title, tag("ol", listed, class_="costliest"))


def _costly(reading: Reading, verdict: Verdict) -> Markup:
    made = reading.choice(verdict, verdict.text)
    better = reading.choice(verdict, verdict.best_text)
    return joined(
        tag("a", f"{reading.names[verdict.seat]}: {made}", href=f"#{_id(reading, verdict)}"),
        f"; better: {better}; cost {reading.cost(verdict.cost, verdict.error)} ",
        label_shown(reading, verdict),
    )


def _id(reading: Reading, verdict: Verdict) -> str:
    return step_id(reading, verdict.number)


def _rounds(reading: Reading) -> Markup:
    listed = [tag("li", _round(reading, one)) for one in reading.rounds()]
    return joined(tag("h3", "Trick by trick"), tag("ol", listed, class_="rounds"))


def _round(reading: Reading, one: Round) -> Markup:
    taken = one.told.winner is not None and f"→ {reading.names[one.told.winner]}"
    return joined(
        tag("b", one.title, class_="round-title"),
        tag(
            "span",
            tag("span", reading.names[one.verdicts[0].seat], class_="quiet"),
            [_played(reading, verdict) for verdict in one.verdicts],
            tag("span", taken, class_="taken") if taken else None,
            class_="played",
        ),
        tag("span", reading.words(one.told.phrases), class_="comment"),
    )


def _played(reading: Reading, verdict: Verdict) -> Markup:
    """A choice in its round, as a link to its step."""
    choice = f"{reading.short(verdict.text)}{reading.mark(verdict)}"
    look = f"choice {verdict.label}" if reading.mark(verdict) else "choice"
    name = reading.names[verdict.seat]
    whole = f"{name}: {choice}"
    return tag("a", choice, href=f"#{_id(reading, verdict)}", class_=look, title=whole)
