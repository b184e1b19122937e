"""Leduc hold'em, as a game on the contract: a test game, the same as OpenSpiel's."""

from __future__ import annotations

from overtrick.games import tally
from overtrick.games.game import Game, Telling
from overtrick.games.leduc import observing, rules
from overtrick.games.leduc.rules import LeducState
from overtrick.games.leduc.variant import LeducVariant
from overtrick.games.tally import TallyMatch

__all__ = ["GAME"]


def _layout(match: TallyMatch) -> dict[str, list[int]]:
    return {"0": [0], "1": [1], "board": [2], "talon": [3, 4, 5]}


def _describe(state: LeducState) -> list[tuple[str, str]]:
    return [
        ("board", rules.DECK.texts(int(state.board)) if state.turned_up else "face down"),
        ("staked", " ".join(map(str, state.staked))),
    ]


def _sights(view: LeducState) -> dict[str, str]:
    """`shown`: the other's card at the showdown."""
    shown = int(view.known[1 - view.viewer])
    return {"shown": rules.DECK.texts(shown)} if shown else {}


def _foretold(state: LeducState, told: Telling) -> dict[str, list[int]]:
    return {str(1 - told.seat): rules.DECK.sequence(told.words("shown"))}


GAME = Game(
    name="leduc",
    title="Leduc hold'em",
    summary="two players, six cards, a board card and two rounds of betting",
    deck=rules.DECK,
    seats=rules.SEATS,
    phases=("bet",),
    state=rules.STATE,
    match=rules.MATCH,
    variant=LeducVariant,
    rules=vars(tally) | vars(rules) | vars(observing),
    encodings=observing.ENCODINGS,
    layout=_layout,
    choice_names=(("fold", "call", "raise"),),
    action_offsets=(0,),
    payoff_scale=rules.LARGEST_STAKE,
    describe=_describe,
    sights=_sights,
    foretold=_foretold,
    hidden=True,
)
