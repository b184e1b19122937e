"""Rock paper scissors: the smallest game in which one has to mix, for regret minimisation alone.

It has no cards to speak of, so it is no game of the house: neither the table nor the arena knows
it. Best is every throw equally often; all else can be exploited.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from overtrick.games import tally
from overtrick.games.game import Game
from overtrick.games.tally import TallyMatch, TallyVariant
from overtrick.learn.rps import rules

__all__ = ["GAME"]


@dataclass(frozen=True)
class RpsVariant(TallyVariant):
    """The one option of rock paper scissors."""

    game: ClassVar[str] = "rps"


def _layout(match: TallyMatch) -> dict[str, list[int]]:
    return {"talon": [0]}


GAME = Game(
    name="rps",
    title="Rock paper scissors",
    summary="two players, one throw each, unseen by the other",
    deck=rules.DECK,
    seats=rules.SEATS,
    phases=("throw",),
    state=rules.STATE,
    match=rules.MATCH,
    variant=RpsVariant,
    rules=vars(tally) | vars(rules),
    layout=_layout,
    choice_names=(rules.THROWS,),
    action_offsets=(0,),
    hidden=True,
)
