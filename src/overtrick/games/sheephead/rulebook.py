"""Sheephead: the rule-based players, which are frozen yardsticks.

- `simple` bids, buries and calls by plain counts and plays by a few rules of thumb;
- `strong` weighs every choice by fitted terms;
- `random-play` is the random player of the thesis: before play it chooses as `simple` does, then
  any legal card.
"""

from __future__ import annotations

from overtrick.games.game import Choice, Row, any_choice
from overtrick.games.sheephead.rulebook_simple import play_simply, prepare_simply
from overtrick.games.sheephead.rules import PLAY, SheepheadState
from overtrick.games.sheephead.strong_bidding import prepare_strongly
from overtrick.games.sheephead.strong_nola import play_nola
from overtrick.games.sheephead.strong_play import play_strongly
from overtrick.jit import rule

__all__ = ["RULEBOOKS", "SIMPLE", "STRONG", "THESIS_RANDOM", "rulebook"]

SIMPLE, STRONG, THESIS_RANDOM = range(3)
RULEBOOKS = {"simple@1": SIMPLE, "strong@1": STRONG, "random-play@1": THESIS_RANDOM}


@rule
def rulebook(state: SheepheadState, level: int, stream: Row) -> Choice:
    """What a level chooses for the seat to act."""
    if level == STRONG:
        return choose_strongly(state)
    if state.phase != PLAY:
        return prepare_simply(state)
    return any_choice(state, stream) if level == THESIS_RANDOM else play_simply(state)


@rule
def choose_strongly(state: SheepheadState) -> Choice:
    """What the strong player chooses."""
    if state.phase != PLAY:
        return prepare_strongly(state)
    return play_strongly(state) if state.trumps else play_nola(state)
