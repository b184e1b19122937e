"""Leduc poker: what nets are shown of a view: all of it."""

from __future__ import annotations

from typing import Any

from overtrick.games.game import Row
from overtrick.games.leduc.rules import DECK, STATE, LeducState
from overtrick.games.observing import (
    KNOWN,
    Encoding,
    Feature,
    choices_by_turn,
    put_choices,
    tell_card_set,
    tell_common,
)
from overtrick.jit import rule

__all__ = ["ENCODINGS", "observe", "tell"]

_TURNS: int = STATE["history"].shape[0]

ENCODINGS = (
    Encoding(
        "standard",
        1,
        (
            Feature("hand", DECK.names, "the viewer's card"),
            Feature("board", DECK.names, "the board card, once it is face up"),
            *choices_by_turn(_TURNS, ("fold", "call", "raise")),
        ),
    ),
)


@rule
def observe(view: LeducState, encoding: int, order: int, features: Row) -> None:
    features[0] = view.hands[view.viewer]
    features[1] = view.board if view.turned_up else 0
    put_choices(view, features, 2)


@rule
def tell(view: LeducState, order: int, tokens: Any) -> int:
    """The board card, once it is face up."""
    at = tell_common(view, order, tokens)
    board = view.board if view.turned_up else 0
    return tell_card_set(view, order, tokens, at, KNOWN, -1, board)
