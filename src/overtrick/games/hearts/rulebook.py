"""Hearts: the rule-based players."""

from __future__ import annotations

from overtrick.games.game import Choice, Row
from overtrick.games.hearts.rulebook_simple import simple_choice
from overtrick.games.hearts.rulebook_strong import strong_choice
from overtrick.games.hearts.rules import HeartsState
from overtrick.jit import rule

__all__ = ["RULEBOOKS", "SIMPLE", "STRONG", "rulebook"]

SIMPLE, STRONG = range(2)
RULEBOOKS = {"simple@1": SIMPLE, "strong@1": STRONG}


@rule
def rulebook(state: HeartsState, level: int, stream: Row) -> Choice:
    """The card that the player of this level passes or plays; nothing is left to chance."""
    if level == SIMPLE:
        return simple_choice(state)
    return strong_choice(state)
