"""Players whose net tells regrets, or an average policy: models of Deep CFR, without PyTorch.

A net of regrets is played by regret matching: choices in proportion to what is positive, and where
nothing is, the highest. One may instead always take the best choice, and count choices that are
worth exactly the same, as neighbouring cards of a suit often are, as one with their sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from overtrick.errors import BadOption
from overtrick.games.game import Choices, Game, Row, deck_size
from overtrick.games.solving import alike
from overtrick.jit import kernel, lowest, rule
from overtrick.models import Model
from overtrick.nets.evaluating import NetEvaluator
from overtrick.nets.forward import Net, reach_of
from overtrick.players.advice import Advice, Weighed
from overtrick.players.guiding import looks_ahead
from overtrick.players.naming import PlayerName, Settings
from overtrick.players.neural import (
    _called,
    _choices,
    _legals,
    _model,
    _plain,
    _softmax,
    foreseer,
)
from overtrick.players.searching import SearchPlayer
from overtrick.search.guided import pick_all

__all__ = ["PLAYS", "RegretPlayer", "regret_player"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]
PLAYS = ("mixed", "best")
EQUALS = ("apart", "sum")


@rule
def fellow_of(choice: int, kept: Choices) -> int:
    """The one among those kept that a choice is worth as much as: itself, or the next lower."""
    lower = kept & ((1 << choice + 1) - 1)
    found = choice
    while lower:
        found = lowest(lower)
        lower &= lower - 1
    return found


@kernel
def sum_equals(views: Any, legals: Row, phases: int, shares: Any) -> None:
    """Put all shares of cards that are worth the same on the lowest of them, [views, 64].

    Only in these phases, told as bits. Views are overwritten: cards that were not seen are put into
    the next hand, as all that matters is that they are in play.
    """
    for number in range(len(views)):
        view = views[number]
        if phases >> view.phase & 1 == 0:
            continue
        seats = len(view.hands)
        seen = view.table
        for seat in range(seats):
            seen |= view.hands[seat] | view.played[seat]
        view.hands[(view.seat + 1) % seats] |= ((1 << deck_size(view)) - 1) & ~seen
        kept = alike(view, legals[number])
        rest = legals[number] & ~kept
        while rest:
            choice = lowest(rest)
            rest &= rest - 1
            shares[number, fellow_of(choice, kept)] += shares[number, choice]
            shares[number, choice] = 0.0


def matched(numbers: Floats) -> Floats:
    """Shares by regret matching, [views, 64]; -inf where illegal."""
    positive = np.maximum(numbers, 0.0)
    totals = positive.sum(axis=1, keepdims=True)
    highest = numbers == numbers.max(axis=1, keepdims=True)
    found: Floats = np.where(
        totals > 0,
        positive / np.where(totals > 0, totals, 1.0),
        highest / highest.sum(axis=1, keepdims=True),
    )
    return found


class RegretPlayer:
    """Mixes by regrets, or by an average policy; or takes what has the largest share."""

    def __init__(
        self, game: Game, net: Net, name: str, *, averaged: bool, play: str, equals: str
    ) -> None:
        self.game = game
        self.name = name
        self._evaluator = NetEvaluator(game, net)
        self._unit = reach_of(net) / game.payoff_unit
        phases = range(len(game.phases))
        self._card_phases = sum(game.has_cards(phase) << phase for phase in phases)
        self._averaged, self._play, self._equals = averaged, play, equals

    @property
    def inside(self) -> tuple[Net, bool] | None:
        """Its net, and whether it mixes by regrets or takes the best; if that is all it does."""
        is_mixed = self._play == "mixed"
        if self._equals == "sum" or (self._averaged and is_mixed):
            return None
        return self._evaluator.net, is_mixed

    def shares(self, views: Records) -> Floats:
        """How often each choice is made, [views, 64]."""
        legals = _legals(self.game, views)
        numbers = self._evaluator.weigh(views)[0]
        shares = _softmax(numbers) if self._averaged else matched(numbers)
        if self._equals == "sum":
            sum_equals(views.copy(), legals, self._card_phases, shares)
        if self._play == "best":
            # where nothing is positive, and nothing is summed, this is the highest number too
            found = shares if self._averaged or self._equals == "sum" else numbers
            shares = (np.arange(found.shape[1]) == found.argmax(axis=1)[:, np.newaxis]) * 1.0
        return shares

    def choose(self, views: Records, streams: Row) -> Row:
        """One choice for each view."""
        chosen = np.zeros(len(views), dtype=np.int64)
        pick_all(self.shares(views), np.ones(len(views)), streams.copy(), chosen)
        return chosen

    def advise(self, view: Records, stream: Row) -> Iterator[Advice]:
        """The shares of all choices, and what the net expects of the deal, if it tells that."""
        choices = _choices(int(_legals(self.game, view)[0]))
        shares = self.shares(view)[0]
        values = self._evaluator.weigh(view)[1]
        expected = float(values[0, int(view["viewer"][0])]) / self.game.payoff_unit
        best = max(choices, key=lambda choice: shares[choice])
        weighed = [
            Weighed(
                choice,
                float(shares[choice]),
                expected if choice == best and not self._averaged else None,
            )
            for choice in choices
        ]
        yield Advice(self.name, tuple(weighed), True, "what the net has learned, without search")


def regret_player(game: Game, name: PlayerName) -> RegretPlayer | SearchPlayer:
    """`cfr:GAME/NAME,play=best,equals=sum`: a model of Deep CFR.

    `play` is mixed or best; if it is not told, what the model was made for. `equals=sum` counts
    choices that are worth the same as one. With `worlds=40`, or `ms=50`, it looks ahead in their
    place: see `foreseeing_player`.
    """
    model = _model(game, name, "main")
    known = ("play", "equals")
    if looks_ahead(name, known):
        return foreseer(game, name, model)
    told = Settings(name, known, with_model=True)
    play, equals = told.text("play", usual_play(model)), told.text("equals", EQUALS[0])
    for key, value, ways in (("play", play, PLAYS), ("equals", equals, EQUALS)):
        if value not in ways:
            raise BadOption(f"player {name}: {key} is {' or '.join(ways)}, not {value!r}")
    full = f"{_called(name, model)},play={play}"
    full += f",equals={equals}" if equals != EQUALS[0] else ""
    net = _plain(game, name, model, "main")
    averaged = getattr(model.nets["main"], "output", "policy") == "policy"
    return RegretPlayer(game, net, full, averaged=averaged, play=play, equals=equals)


def usual_play(model: Model) -> str:
    """How a model is meant to be played."""
    told = model.card.config.get("play", PLAYS[0])
    return told if told in PLAYS else PLAYS[0]
