"""Two searches for what a seat may not know, in anything that the service has sent to it.

- By name: every card that a message names is one that the seat may know, as its view tells.
- By doubles: a deal that looks the same to the seat, with other cards in the other hands, gives
  the same message to the last letter. What the seat cannot tell apart, the message cannot either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from overtrick.cards import each
from overtrick.engine.deals import View
from overtrick.games.game import HIDDEN, Game
from overtrick.table.seat_views import Step, choice_made, frame, look, steps_to
from overtrick.table.tables import Table

CONSTANT = ("trumps", "meaning", "token", "id", "table")
"""Fields that tell the rules or a secret of the seat, never where a card lies."""


# ---------------------------------------------------------------------------- by name


class Knowledge:
    """The names of the cards that somebody at the table may know, as a deal goes on.

    A seat: what it held or saw, and what was said aloud. Who watches: what every seat knows.
    Once the deal is over: all.
    """

    def __init__(self, place: int | None) -> None:
        self._place = place
        self._deal = -1
        self._steps = 0
        self._seen: dict[int, set[str]] = {}

    def now(self, table: Table) -> set[str]:
        """What may be known by now."""
        if table.deal.is_over:
            return set(table.game.deck.names)
        if table.number != self._deal:
            self._deal, self._steps, self._seen = table.number, 0, {}
        seat = table.seat_of(self._place)
        seats = range(table.game.seats) if seat is None else (seat,)
        for step_made in table.steps[self._steps :]:
            for one in seats:
                self._seen.setdefault(one, set()).update(_seen(step_made.deal.view(one)))
        self._steps = len(table.steps)
        return set.intersection(*self._seen.values())


def _seen(view: View) -> set[str]:
    """The cards that a view shows, those that were chosen in its sight, and words it may use."""
    sight = view.sight
    texts = [*sight.seen.values(), *(text for _, text in view.public), *view.legal_texts]
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    words |= {word for cards in sight.cards.values() for word in cards}
    return words | _held(view) | set(_heard(view))


def _held(view: View) -> set[str]:
    names = view.game.deck.names
    cards = [view.hand, *view.known]
    return {names[card] for held in cards for card in each(held)}


def _heard(view: View) -> Iterator[str]:
    """Every choice that the viewer saw, in notation, word by word."""
    for _, phase, choice in view.history:
        if choice != HIDDEN:
            yield from re.findall(r"\w+", view.game.choice_text(phase, choice))


def cards_in(game: Game, message: str) -> set[str]:
    """Every card that a message names, in any text of it."""
    found: set[str] = set()
    for text in _texts(message):
        words = set(re.findall(r"[0-9A-Za-z]+", text))
        found |= words & set(game.deck.names)
    return found


def _texts(message: str) -> Iterator[str]:
    try:
        told = json.loads(message)
    except ValueError:
        yield message
        return
    yield from _leaves(told)


def _leaves(told: Any) -> Iterator[str]:
    if isinstance(told, dict):
        for name, value in told.items():
            if name not in CONSTANT or not isinstance(value, str | list):
                yield name
                yield from _leaves(value)
    elif isinstance(told, list):
        for value in told:
            yield from _leaves(value)
    elif isinstance(told, str):
        yield told


# ---------------------------------------------------------------------------- by doubles


def doubles(table: Table, seat: int, count: int, seed: int) -> list[tuple[Step, ...]]:
    """Deals that a seat cannot tell from this one, step by step from the first choice."""
    worlds = table.deal.view(seat).worlds(count, seed=seed)
    return [steps_to(world) for world in worlds]


def same_to(told: dict[str, Any], steps: Sequence[Step], seat: int) -> bool:
    """Whether a double gives the frame that was sent, as JSON tells it."""
    number = told["number"]
    seen, event = look(steps[number], seat), None
    if told["event"]:
        event = choice_made(look(steps[number - 1], seat), seen, steps[number])
    known = {name: told[name] for name in ("can_undo", "assisted")}
    made = frame(steps[number], seen, seat, event=event, **known)
    return bool(json.loads(json.dumps(made)) == told)
