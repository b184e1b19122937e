"""The messages of a table to one place: snapshots and frames."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from pydantic_core import to_json

from overtrick.review.told import DealReview
from overtrick.table.lobby import title_of
from overtrick.table.seat_views import (
    Look,
    Step,
    Values,
    choice_made,
    dealt_cards,
    frame,
    hands_told,
    look,
    open_look,
)
from overtrick.table.setup import Place
from overtrick.table.tables import Table
from overtrick.table.wire import PERSON, Readiness

__all__ = ["frames", "refused", "reviewed", "snapshot", "text", "thinking"]


def text(message: Any) -> str:
    """A message as it is sent."""
    return to_json(message, fallback=_plain).decode()


def _plain(value: Any) -> Any:
    """A number or a row of NumPy as Python has it."""
    return value.tolist()


def snapshot(
    table: Table,
    place: Place | None,
    *,
    table_id: str,
    connected: Sequence[bool],
) -> Values:
    """All that a place knows; None for somebody who watches."""
    viewer = table.seat_of(place)
    looks = [look(step, viewer) for step in table.steps]
    return {
        "kind": "snapshot",
        "table": _info(table, place, table_id, connected),
        "past": _past(table.steps, looks),
        "frame": _frame(table, place, table.steps[-1], looks[-1], None),
    }


def _past(steps: Sequence[Step], looks: Sequence[Sequence[Look]]) -> list[Values]:
    """Every choice of a deal, as whoever looks saw it."""
    pairs = itertools.pairwise(looks)
    return [choice_made(*pair, step) for pair, step in zip(pairs, steps[1:], strict=True)]


def frames(table: Table, place: Place | None, since: int) -> Values:
    """What happened in this deal after so many choices."""
    viewer, told = table.seat_of(place), []
    before = look(table.steps[since], viewer)
    for step in table.steps[since + 1 :]:
        after = look(step, viewer)
        told.append(_frame(table, place, step, after, choice_made(before, after, step)))
        before = after
    return {"kind": "frames", "deal": table.number, "frames": told}


def reviewed(
    table: Table,
    place: Place | None,
    review: DealReview,
    *,
    table_id: str,
    connected: Sequence[bool],
) -> Values:
    """The review of a deal that is over, with all that is needed to step through it.

    Who watches, or sat out, sees it by the eyes of the first seat.
    """
    eyes = table.seats[0] if table.seat_of(place) is None else place
    first = _frame(table, eyes, table.steps[0], look(table.steps[0], table.seat_of(eyes)), None)
    told = [first, *frames(table, eyes, 0)["frames"]]
    return {
        "kind": "reviewed",
        "deal": table.number,
        "table": _info(table, place, table_id, connected),
        "review": review,
        "seat": table.seat_of(eyes),
        "past": _past(table.steps, [open_look(step) for step in table.steps]),
        "frames": told,
        "hands": [hands_told(step) for step in table.steps],
        "result": told[-1]["result"],
    }


def thinking(table: Table, preparing: Readiness | None = None) -> Values:
    """Whose turn takes a while, and why."""
    told = None if preparing is None else preparing.model_dump()
    return {"kind": "thinking", "place": table.place_to_act, "preparing": told}


def refused(error: Exception, re: int | None = None) -> Values:
    """What was asked is not done."""
    return {"kind": "refused", "error": type(error).__name__, "message": str(error), "re": re}


def _frame(
    table: Table, place: Place | None, step: Step, seen: Sequence[Look], event: Values | None
) -> Values:
    return frame(
        step,
        seen,
        table.seat_of(place),
        event=event,
        can_undo=table.can_undo(place, step.number),
        assisted=table.assisted,
        replaced=table.replaced(step.number),
        result=_result(table) if step is table.steps[-1] else None,
    )


def _result(table: Table) -> Values | None:
    outcome = table.outcome
    if outcome is None:
        return None
    return {
        "payoffs": [float(payoff) for payoff in table.deal.payoffs],
        "gained": list(outcome.gained),
        "totals": list(outcome.totals),
        "winners": list(outcome.winners),
        "dealt": dealt_cards(table.deal),
    }


def _info(
    table: Table,
    place: Place | None,
    table_id: str,
    connected: Sequence[bool],
) -> Values:
    """What does not change within a deal."""
    setup = table.setup
    options = table.game.variant.options()
    return {
        "id": table_id,
        "game": setup.game,
        "variant": {name: getattr(table.variant, name) for name in options},
        "places": [
            {
                "place": number,
                "player": player,
                "title": setup.names[number] if player == PERSON else title_of(player, table.game),
                "connected": player != PERSON or connected[number],
            }
            for number, player in enumerate(setup.players)
        ],
        "seats": list(table.seats),
        "viewer_place": place,
        "viewer": table.seat_of(place),
        "deal": table.number,
        "scores": list(table.scores),
        "sheet": [asdict(row) for row in table.sheet],
        "shared": setup.deal is not None and not setup.retry and table.number == 0,
        "retry": setup.retry,
    }
