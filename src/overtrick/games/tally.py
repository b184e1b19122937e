"""A plain match, for games that have no match of their own: so many deals, payoffs added up.

A game takes it over whole: `rules=vars(tally) | vars(rules)`, `match_dtype(TallyMatch, …)`, and a
variant that derives from `TallyVariant`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from overtrick.games.game import Match, State, payoffs
from overtrick.games.variant import Variant, option
from overtrick.jit import rule

__all__ = ["TallyMatch", "TallyVariant", "match_winners", "new_match", "score"]


class TallyMatch(Match, Protocol):
    """`target_deals` deals by the same players."""

    target_deals: int


@dataclass(frozen=True)
class TallyVariant(Variant):
    """How long a plain match is."""

    target_deals: int = option(100, "the match ends after this many deals", at_least=1)


@rule
def new_match(match: TallyMatch, stream: Any) -> None:
    match.deals = 0
    for seat in range(len(match.scores)):
        match.scores[seat] = 0


@rule
def score(match: TallyMatch, state: State) -> None:
    match.deals += 1
    won = np.zeros(len(match.scores), dtype=np.int64)
    payoffs(state, won)
    for seat in range(len(match.scores)):
        match.scores[seat] += won[seat]


@rule
def match_winners(match: TallyMatch) -> int:
    """After the last deal: everybody with the highest score."""
    winners = 0
    if match.deals >= match.target_deals:
        best = max(match.scores)
        for seat in range(len(match.scores)):
            if match.scores[seat] == best:
                winners |= 1 << seat
    return winners
