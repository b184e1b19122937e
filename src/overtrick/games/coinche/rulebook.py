"""Coinche: the rule-based players.

`simple` and `strong` are those of the Coinche paper; `expert` is the house's own. All of them go by
what the seat to act knows: its hand, the calls and the cards played.
"""

from __future__ import annotations

from overtrick.games.coinche.rulebook_calls import expert_call
from overtrick.games.coinche.rulebook_cards import expert_card
from overtrick.games.coinche.rulebook_paper import (
    simple_call,
    simple_card,
    strong_call,
    strong_card,
)
from overtrick.games.coinche.rules import BID, CoincheState
from overtrick.games.game import Choice, Row
from overtrick.jit import rule

__all__ = ["EXPERT", "RULEBOOKS", "SIMPLE", "STRONG", "rulebook"]

SIMPLE, STRONG, EXPERT = range(3)
RULEBOOKS = {"simple@1": SIMPLE, "strong@1": STRONG, "expert@1": EXPERT}


@rule
def rulebook(state: CoincheState, level: int, stream: Row) -> Choice:
    """What the player of a level chooses for the seat to act."""
    if level == SIMPLE:
        return simple_call(state) if state.phase == BID else simple_card(state, stream)
    if level == STRONG:
        return strong_call(state) if state.phase == BID else strong_card(state)
    return expert_call(state) if state.phase == BID else expert_card(state)
