"""Kuhn poker, as a game on the contract: a test game with a known solution."""

from __future__ import annotations

from overtrick.games import tally
from overtrick.games.game import Game, Telling
from overtrick.games.kuhn import observing, rules
from overtrick.games.kuhn.rules import KuhnState
from overtrick.games.kuhn.variant import KuhnVariant
from overtrick.games.tally import TallyMatch

__all__ = ["GAME"]


def _layout(match: TallyMatch) -> dict[str, list[int]]:
    return {"0": [0], "1": [1], "talon": [2]}


def _describe(state: KuhnState) -> list[tuple[str, str]]:
    return [("staked", " ".join(map(str, state.staked)))]


def _sights(view: KuhnState) -> dict[str, str]:
    """`shown`: the other's card at the showdown."""
    shown = int(view.known[1 - view.viewer])
    return {"shown": rules.DECK.texts(shown)} if shown else {}


def _foretold(state: KuhnState, told: Telling) -> dict[str, list[int]]:
    return {str(1 - told.seat): rules.DECK.sequence(told.words("shown"))}


GAME = Game(
    name="kuhn",
    title="Kuhn poker",
    summary="two players, three cards, one bet; solved on paper",
    deck=rules.DECK,
    seats=rules.SEATS,
    phases=("bet",),
    state=rules.STATE,
    match=rules.MATCH,
    variant=KuhnVariant,
    rules=vars(tally) | vars(rules) | vars(observing),
    encodings=observing.ENCODINGS,
    layout=_layout,
    choice_names=(("pass", "bet"),),
    action_offsets=(0,),
    payoff_scale=rules.ANTE + rules.STAKE,
    describe=_describe,
    sights=_sights,
    foretold=_foretold,
    hidden=True,
)
