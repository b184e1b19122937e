"""Kuhn poker: what nets are shown of a view: all of it."""

from __future__ import annotations

from overtrick.games.game import Row
from overtrick.games.kuhn.rules import DECK, STATE, KuhnState
from overtrick.games.observing import (
    Encoding,
    Feature,
    choices_by_turn,
    put_choices,
)
from overtrick.jit import rule

__all__ = ["ENCODINGS", "observe"]

_TURNS: int = STATE["history"].shape[0]

ENCODINGS = (
    Encoding(
        "standard",
        1,
        (
            Feature("hand", DECK.names, "the viewer's card"),
            *choices_by_turn(_TURNS, ("pass", "bet")),
        ),
    ),
)


@rule
def observe(view: KuhnState, encoding: int, order: int, features: Row) -> None:
    features[0] = view.hands[view.viewer]
    put_choices(view, features, 1)
