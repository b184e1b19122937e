"""The messages of a table to one place: snapshots and frames."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from pydantic_core import to_json

from overtrick.table.lobby import title_of
from overtrick.table.seat_views import Look, Step, Values, choice_made, dealt_cards, frame, look
from overtrick.table.setup import Place
from overtrick.table.tables import Table
from overtrick.table.wire import PERSON, Readiness

__all__ = ["frames", "refused", "snapshot", "text", "thinking"]


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
    viewer, steps = table.seat_of(place), table.steps
    looks = [look(step, viewer) for step in steps]
    pairs = itertools.pairwise(looks)
    made = [choice_made(*pair, step) for pair, step in zip(pairs, steps[1:], strict=True)]
    return {
        "kind": "snapshot",
        "table": _info(table, place, table_id, connected),
        "past": made,
        "frame": _frame(table, place, steps[-1], looks[-1], None),
    }


def frames(table: Table, place: Place | None, since: int) -> Values:
    """What happened in this deal after so many choices."""
    viewer, told = table.seat_of(place), []
    before = look(table.steps[since], viewer)
    for step in table.steps[since + 1 :]:
        after = look(step, viewer)
        told.append(_frame(table, place, step, after, choice_made(before, after, step)))
        before = after
    return {"kind": "frames", "deal": table.number, "frames": told}


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
        "shared": setup.deal is not None and table.number == 0,
    }
