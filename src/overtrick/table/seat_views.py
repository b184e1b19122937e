"""How the table looks to one seat: frames and the choices that led to them, from views alone.

Somebody who watches, or sits out, is told what every seat is told and nothing else: each thing is
made once for each seat, and what differs is left out.

Frames are plain dictionaries, since hundreds are made a second; tests hold them against `wire`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from overtrick.cards import Card, Cards, each
from overtrick.engine.deals import Deal, Event, View
from overtrick.games.game import HIDDEN, OVER, Game, Seat
from overtrick.games.showing import Phrase

__all__ = [
    "Look",
    "Step",
    "Values",
    "choice_made",
    "choices_told",
    "dealt_cards",
    "frame",
    "hands_told",
    "look",
    "open_look",
    "outcome_told",
    "steps_to",
]

Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """A deal after so many choices, with what everybody can count."""

    deal: Deal
    number: int
    tricks: tuple[int, ...]  # taken, by seat
    taker: Seat | None = None  # of the trick that the last choice ended

    @classmethod
    def first(cls, deal: Deal) -> Step:
        """Before the first choice."""
        return cls(deal, 0, (0,) * deal.game.seats)

    def then(self, after: Deal) -> Step:
        """The step to the deal one choice later."""
        taker = None
        if self.deal._states["table"][0] and not after._states["table"][0]:
            taker = int(after._states["leader"][0])
        tricks = (count + (seat == taker) for seat, count in enumerate(self.tricks))
        return Step(after, self.number + 1, tuple(tricks), taker)


def steps_to(deal: Deal) -> tuple[Step, ...]:
    """All steps of a deal, from its cards to how it stands."""
    steps = [Step.first(Deal.from_order(deal.match, deal.order))]
    for event in deal.history:
        steps.append(steps[-1].then(steps[-1].deal.play(event.choice)))
    return tuple(steps)


# ---------------------------------------------------------------------------- whose eyes


class Look:
    """A view as it is told, with what is asked of it again and again; or a deal, all cards open."""

    __slots__ = ("game", "hand", "last", "record", "trick", "view")

    def __init__(self, view: View | Deal) -> None:
        self.view = view
        self.game = view.game
        self.record = record = _plain(view)
        self.hand: Cards = record.hands[record.viewer]
        on_table = record.table.bit_count()
        events = record.history[max(0, record.turn - max(on_table, 1)) : record.turn]
        made = [Event(event >> 6 & 7, event >> 9, event & 63) for event in events]
        self.last: Event | None = made[-1] if made else None
        self.trick = [(event.seat, event.choice) for event in made] if on_table else []


def _plain(view: View | Deal) -> Any:
    """The record of a view in Python's own numbers: to read one out of an array costs too much."""
    state = view._states[0]
    values = [v.tolist() if type(v) is np.ndarray else v for v in state.item()]
    return SimpleNamespace(**dict(zip(state.dtype.names, values, strict=True)))


def look(step: Step, viewer: Seat | None) -> list[Look]:
    """The table by the eyes of a seat; for nobody, by those of all seats."""
    seats = range(step.deal.game.seats) if viewer is None else (viewer,)
    return [Look(step.deal.view(seat)) for seat in seats]


def open_look(step: Step) -> list[Look]:
    """The table with all cards open; only for deals that are over."""
    return [Look(step.deal)]


def common(told: Sequence[Any]) -> Any:
    """What several seats are told alike; what differs is None, or missing from its list."""
    first = told[0]
    if all(one == first for one in told[1:]):
        return first
    if all(isinstance(one, dict) for one in told):
        shared = [name for name in first if all(name in one for one in told)]
        return {name: common([one[name] for one in told]) for name in shared}
    if all(isinstance(one, list) for one in told):
        if len({len(one) for one in told}) > 1:
            return [one for one in first if all(one in other for other in told)]
        return [common(column) for column in zip(*told, strict=True)]
    return None


def _phrases(told: Iterable[Phrase]) -> list[Values]:
    """Phrases as they are sent."""
    return [{"key": phrase.key, "args": dict(phrase.args)} for phrase in told]


# ---------------------------------------------------------------------------- a frame


def frame(
    step: Step,
    seen: Sequence[Look],
    viewer: Seat | None,
    *,
    event: Values | None = None,
    can_undo: bool = False,
    assisted: bool = False,
    replaced: int = 0,
    result: Values | None = None,
) -> Values:
    """How the table looks after a step, to whoever looks."""
    told: Values = common([_looks(one, step) for one in seen])
    told |= {
        "number": step.number,
        "event": event,
        "hand": [] if viewer is None else _hand(seen[0]),
        "facts": _facts(seen, viewer),
        "choices": [],
        "refused": [],
        "can_undo": can_undo,
        "assisted": assisted,
        "replaced": replaced,
        "result": None if result is None else result | {"phrases": outcome_told(seen)},
    }
    if viewer is not None and told["to_act"] == viewer:
        told["choices"], told["refused"] = _choices(seen[0])
    return told


def outcome_told(seen: Sequence[Look]) -> list[Values]:
    """How a finished deal came out, in words."""
    told: list[Values] = common([_phrases(one.game.showing.result(one.record)) for one in seen])
    return told


def dealt_cards(deal: Deal) -> dict[str, list[str]]:
    """The cards as they were dealt to each place; only for deals that are over."""
    layout = deal.game.layout(deal.match._records[0])
    names = deal.game.deck.names
    return {
        place: [names[deal.order[position]] for position in positions]
        for place, positions in layout.items()
    }


# ---------------------------------------------------------------------------- its parts


def _looks(seen: Look, step: Step) -> Values:
    """What lies on the table."""
    over = seen.record.phase == OVER
    counts = [hand.bit_count() for hand in step.deal.hands]
    counts[seen.record.viewer] = seen.hand.bit_count()
    return {
        "phase": "over" if over else seen.game.phases[seen.record.phase],
        "to_act": None if over else seen.record.seat,
        "counts": counts,
        "trick": [_play(seen.game, seat, card) for seat, card in seen.trick],
        "tricks": list(step.tricks),
    }


def _play(game: Game, seat: Seat, card: Card) -> Values:
    return {"seat": seat, "card": None if card == HIDDEN else game.deck.names[card]}


def hands_told(step: Step) -> list[list[str]]:
    """The cards of every seat, as it holds them; only for deals that are over."""
    return [_hand(Look(step.deal.view(seat))) for seat in range(step.deal.game.seats)]


def _hand(seen: Look) -> list[str]:
    names = seen.game.deck.names
    return [names[card] for card in seen.game.showing.order(seen.record, seen.hand)]


def _facts(seen: Sequence[Look], viewer: Seat | None) -> Values:
    tell: Callable[[Any], Any] = seen[0].game.showing.facts
    told: Values = dict(common([tell(one.record) for one in seen]))
    if viewer is None:
        told.pop("mine", None)
    return told


def _choices(seen: Look) -> tuple[list[Values], list[Values]]:
    """What the viewer may do now; and the cards of the hand that may not be chosen, with why.

    Where cards are no choices, none is refused.
    """
    game, legal = seen.game, seen.view.legal
    cards = game.card_choices(seen.record.phase)
    held = [card for card in each(seen.hand) if card not in legal] if cards else []
    return choices_told(seen.view), [
        {"card": game.deck.names[card], "reason": _why_not(seen, card)} for card in held
    ]


def choices_told(view: View | Deal) -> list[Values]:
    """What may be chosen now."""
    game = view.game
    phase = game.phases.index(view.phase)
    texts, cards = game.choice_names[phase], game.card_choices(phase)
    return [
        {"choice": c, "text": texts[c], "card": texts[c] if c < cards else None} for c in view.legal
    ]


def _why_not(seen: Look, card: Card) -> Values:
    return _phrases([seen.game.showing.why_not(seen.record, card)])[0]


# ---------------------------------------------------------------------------- what led there


def choice_made(before: Sequence[Look], after: Sequence[Look], step: Step) -> Values:
    """The choice that led to a step, as whoever looks saw it."""
    told: Values = common([_event(*pair, step) for pair in zip(before, after, strict=True)])
    told["text"] = told["text"] or "?"
    return told


def _event(before: Look, after: Look, step: Step) -> Values:
    """One choice as the viewer saw it."""
    assert after.last is not None
    game, (seat, phase, choice) = before.game, after.last
    is_card = choice != HIDDEN and choice < game.card_choices(phase)
    return {
        "number": step.number,
        "seat": seat,
        "phase": game.phases[phase],
        "text": game.choice_text(phase, choice),
        "card": game.deck.names[choice] if is_card else None,
        "said": _phrases(game.showing.said(before.record, after.record, seat, choice)),
        "taken": None if step.taker is None else _taken(before, after, step.taker),
    }


def _taken(before: Look, after: Look, winner: Seat) -> Values:
    """A trick that is complete; its points are unknown if a card of it lies face down."""
    assert after.last is not None
    plays = [*before.trick, (after.last.seat, after.last.choice)]
    cards = [card for _, card in plays]
    points = None
    if HIDDEN not in cards:
        points = after.game.showing.trick_points(after.record, cards)
    told = [_play(before.game, seat, card) for seat, card in plays]
    return {"winner": winner, "plays": told, "points": points}
