"""A reviewed deal choice by choice, for the page: hands, the trick, the verdict, all choices."""

from __future__ import annotations

from collections.abc import Sequence

from overtrick.cards import Card
from overtrick.engine.deals import Deal, View
from overtrick.games.game import Seat
from overtrick.records.show import RED_SUITS
from overtrick.review.markup import Inside, Markup, joined, tag
from overtrick.review.reading import Reading, Round, label_words
from overtrick.review.told import JudgedChoice, Verdict

__all__ = ["label_shown", "step_id", "step_through"]

AT_ONCE = 8  # weighed choices in sight; the others unfold
BUTTONS = {  # what is on them, and their name if that is not it
    "first": ("|◀", "First"),
    "back": ("◀ Back", None),
    "next": ("Next ▶", None),
    "last": ("▶|", "Last"),
    "costly": ("Next costly choice", None),
    "all": ("All at once", None),
}


def step_id(reading: Reading, number: int) -> str:
    """Where a choice stands on the page."""
    return f"deal-{reading.number}-choice-{number}"


def label_shown(reading: Reading, verdict: Verdict) -> Markup:
    """What a choice is called, with its sign."""
    told = f"{reading.mark(verdict)} {label_words(verdict)}".strip()
    return tag("span", told, class_=f"label {verdict.label}")


def step_through(reading: Reading) -> Markup:
    """Every choice with the position in which it was made."""
    deals = _deals(reading.deal)
    return tag(
        "section",
        tag("h3", "Step by step"),
        _eyes(reading),
        _toolbar(len(reading.review.verdicts)),
        [_round(reading, one, deals) for one in reading.rounds()],
        _end(reading),
        class_="steps",
    )


def _round(reading: Reading, one: Round, deals: Sequence[Deal]) -> Markup:
    steps = [_step(reading, verdict, deals[verdict.number - 1]) for verdict in one.verdicts]
    comment = tag("p", reading.words(one.told.phrases), class_="comment")
    return tag("section", tag("h4", one.title), steps, comment, class_="round")


def _deals(deal: Deal) -> list[Deal]:
    """The deal before each choice, and at its end."""
    found = [Deal.from_order(deal.match, deal.order)]
    for event in deal.history:
        found.append(found[-1].play(event.choice))
    return found


def _eyes(reading: Reading) -> Markup:
    """Whose cards are seen."""
    chosen = "actor" if reading.seat is None else str(reading.seat)
    seats = {str(seat): name for seat, name in enumerate(reading.names)}
    eyes = {"actor": "whoever chooses"} | seats | {"open": "open hands"}
    name = f"eyes-{reading.number}"
    options = [
        tag(
            "label",
            tag("input", type="radio", name=name, value=value, checked=value == chosen),
            words,
        )
        for value, words in eyes.items()
    ]
    return tag("fieldset", tag("legend", "Seen by"), options, class_="eyes")


def _toolbar(choices: int) -> Markup:
    """What the script brings to life; without it nothing of this is shown."""
    buttons = [
        tag("button", sign, type="button", data_go=go, aria_label=name)
        for go, (sign, name) in BUTTONS.items()
    ]
    where = tag("output", f"{choices} choices", class_="where", aria_live="polite")
    keys = tag("span", "keys ← →", class_="quiet")
    return tag(
        "div", buttons, where, keys, class_="toolbar", role="group", aria_label="Steps", hidden=True
    )


# ---------------------------------------------------------------------------- one step


def _step(reading: Reading, verdict: Verdict, before: Deal) -> Markup:
    """A choice; only of those that the review is about it is told what it was worth."""
    name, made = reading.names[verdict.seat], reading.choice(verdict, verdict.text)
    is_about = reading.is_about(verdict.seat)
    label = label_shown(reading, verdict) if is_about else None
    return tag(
        "article",
        tag("h5", f"{verdict.number}. {name}: {made} ", label),
        _facts(before),
        _trick(reading, before),
        _hands(reading, before, verdict),
        _judged(reading, verdict) if is_about else None,
        id=step_id(reading, verdict.number),
        class_=f"step {verdict.label}",
        tabindex=-1,
        data_number=verdict.number,
        data_costly=bool(reading.mark(verdict)),
    )


def _end(reading: Reading) -> Markup:
    """The position at the end."""
    paid = [
        f"{reading.names[told.seat]} {reading.points(told.payoff)}" for told in reading.review.seats
    ]
    number = len(reading.review.verdicts) + 1
    return tag(
        "article",
        tag("h4", "The end"),
        _facts(reading.deal),
        tag("p", ", ".join(paid)),
        id=step_id(reading, number),
        class_="step end",
        tabindex=-1,
        data_number=number,
    )


def _facts(deal: Deal) -> Markup | None:
    """What everybody sees beyond hands and tricks."""
    told = [tag("div", tag("dt", label), tag("dd", text)) for label, text in deal.public]
    return tag("dl", told, class_="facts") if told else None


def _trick(reading: Reading, deal: Deal) -> Markup:
    cards = [
        tag("span", f"{reading.names[seat]} ", _card(deal, card, "known"), class_="on-table")
        for seat, card in deal.trick
    ]
    return tag("p", tag("span", "on the table ", class_="quiet"), cards or "nothing yet")


def _hands(reading: Reading, deal: Deal, verdict: Verdict) -> Markup:
    views = [deal.view(seat) for seat in range(deal.game.seats)]
    rows = [_hand(reading, deal, views, seat, verdict) for seat in range(deal.game.seats)]
    return tag("table", tag("caption", "Hands"), tag("tbody", rows), class_="hands")


def _hand(
    reading: Reading, deal: Deal, views: Sequence[View], seat: Seat, verdict: Verdict
) -> Markup:
    held = deal.hands[seat]
    order = deal.game.showing.order(views[seat].records[0], held)
    is_actor = seat == verdict.seat
    cards = []
    for card in order:
        knowing = [view.viewer for view in views if view.known[seat] >> card & 1]
        look = " ".join(f"k{viewer}" for viewer in knowing)
        look += " ka" if verdict.seat in knowing else ""
        look += _role(reading, verdict, card) if is_actor else ""
        cards.append(_card(deal, card, look))
    count = tag("span", f" {held.bit_count()}", class_="quiet")
    name = tag("th", reading.names[seat], count, scope="row")
    return tag("tr", name, tag("td", cards), class_="actor" if is_actor else None)


def _role(reading: Reading, verdict: Verdict, card: Card) -> str:
    """Whether a card of the seat to choose was chosen, or had better been."""
    name = reading.game.deck.names[card]
    if verdict.card is None or name not in (verdict.text, verdict.best_text):
        return ""
    is_best = name == verdict.best_text and reading.is_about(verdict.seat)
    return (" made" if name == verdict.text else "") + (" best" if is_best else "")


def _card(deal: Deal, card: Card, look: str) -> Markup:
    pretty = deal.game.deck.pretty(card)
    red = " red" if pretty[-1] in RED_SUITS else ""
    return tag("span", tag("span", pretty), class_=f"card {look}{red}")


# ---------------------------------------------------------------------------- the verdict


def _judged(reading: Reading, verdict: Verdict) -> Markup:
    said = reading.words(verdict.phrases)
    name = reading.names[verdict.seat]
    if not verdict.choices:
        return tag("p", said or f"{name} had no other choice.")
    return joined(
        tag("p", said) if said else None,
        _weighed(reading, verdict),
        _opinion(reading, verdict),
    )


def _weighed(reading: Reading, verdict: Verdict) -> Markup:
    """All choices as bars from the best to the worst; of many, most fold away."""
    choices = verdict.choices
    first = [one for i, one in enumerate(choices) if i < AT_ONCE or one.choice == verdict.choice]
    rest = [one for one in choices if one not in first]
    name, worlds = reading.names[verdict.seat], verdict.worlds
    caption = tag("caption", f"What {name} might expect of each choice, in {worlds} possible deals")
    table = _bars(reading, verdict, first, caption)
    if not rest:
        return table
    more = tag("summary", f"{len(rest)} more choices")
    return joined(table, tag("details", more, _bars(reading, verdict, rest)))


def _bars(
    reading: Reading, verdict: Verdict, choices: Sequence[JudgedChoice], caption: Inside = None
) -> Markup:
    titles = [_title(title) for title in ("choice", "", "expected", "cost")]
    rows = [_bar(reading, verdict, one) for one in choices]
    head, body = tag("thead", tag("tr", titles)), tag("tbody", rows)
    return tag("table", caption, head, body, class_="bars")


def _title(title: str) -> Markup:
    return tag("th", title, scope="col") if title else tag("td")


def _bar(reading: Reading, verdict: Verdict, one: JudgedChoice) -> Markup:
    """A choice with a bar that is whole for the best and empty for the worst."""
    worst = min(other.payoff for other in verdict.choices)
    best = max(other.payoff for other in verdict.choices)
    share = (one.payoff - worst) / (best - worst) if best > worst else 1.0
    bar = tag("span", class_="bar", style=f"--share:{share:.3f}")
    roles = [
        "★ best" if one.choice == verdict.best else "",
        "chosen" if one.choice == verdict.choice else "",
    ]
    role = ", ".join(filter(None, roles))
    return tag(
        "tr",
        tag("th", reading.choice(verdict, one.text), scope="row"),
        tag("td", bar, tag("span", role, class_="role") if role else None),
        tag("td", f"{reading.points(one.payoff)} {reading.within(one.error)}"),
        tag("td", "–" if one.choice == verdict.best else reading.cost(one.cost, one.cost_error)),
        class_="made" if one.choice == verdict.choice else None,
    )


def _opinion(reading: Reading, verdict: Verdict) -> Markup | None:
    said = reading.opinion(verdict)
    if not said:
        return None
    title = tag("b", "Second opinion, with all hands open: ")
    warning = " Nobody could know this at the table: it is no verdict."
    return tag("p", title, said, tag("span", warning, class_="quiet"), class_="opinion")
