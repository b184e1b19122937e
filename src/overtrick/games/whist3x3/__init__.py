"""3 x 3 whist, as a game on the contract: a trick-taking game small enough to solve."""

from __future__ import annotations

from overtrick.games import tally
from overtrick.games.game import Game
from overtrick.games.tally import TallyMatch
from overtrick.games.whist3x3 import rules, solving
from overtrick.games.whist3x3.rules import WhistState
from overtrick.games.whist3x3.variant import WhistVariant

__all__ = ["GAME"]


def _layout(match: TallyMatch) -> dict[str, list[int]]:
    return {"0": [0, 1, 2], "1": [3, 4, 5], "talon": [6, 7, 8]}


def _describe(state: WhistState) -> list[tuple[str, str]]:
    return [("trump", "spades"), ("tricks", " ".join(map(str, state.tricks)))]


GAME = Game(
    name="whist3x3",
    title="3 x 3 whist",
    summary="two players, nine cards, three tricks with trump; the smallest real trick game",
    deck=rules.DECK,
    seats=rules.SEATS,
    phases=("play",),
    state=rules.STATE,
    match=rules.MATCH,
    variant=WhistVariant,
    rules=vars(tally) | vars(rules) | vars(solving),
    layout=_layout,
    gains="tricks",
    search_defaults={"solves": "3"},
    choice_names=(rules.DECK.names,),
    action_offsets=(0,),
    payoff_scale=rules.HAND_SIZE,
    describe=_describe,
    hidden=True,
)
