"""A net for callers in Python: views by themselves, or the leaves of a search in batches."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from overtrick.engine.observations import canonical_orders
from overtrick.engine.views import hide_all
from overtrick.games.game import Game, Row
from overtrick.nets.forward import MOST_CHOICES, Net, evaluate_all, judge_all, new_desk, weigh_all

__all__ = ["NetEvaluator"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]


class NetEvaluator:
    """What a net thinks of many views or deals; from any thread.

    The answer for one of them is the same whatever else is in the batch.
    """

    def __init__(self, game: Game, net: Net) -> None:
        self.game = game
        self.net = net
        self._own = threading.local()

    def evaluate(self, states: Records, legals: Row) -> tuple[Floats, Floats]:
        """The word on the leaves of a search: see `overtrick.search.leaves.Evaluator`."""
        priors = np.zeros((len(states), MOST_CHOICES))
        values = np.zeros((len(states), self.game.seats))
        evaluate_all(states, legals, self.net, self._desk(), priors, values)
        scale = self.game.scale(states[0]) if len(states) else 1
        return priors, values / scale

    def weigh(self, views: Records, orders: Row | None = None) -> tuple[Floats, Floats]:
        """For views, a number for each legal choice, [views, 64], and payoffs [views, seats].

        The numbers are logits, or payoffs if that is what the net tells of choices; those of
        illegal ones are -inf. Suits are in the order of nets unless told.
        """
        weights = np.full((len(views), MOST_CHOICES), -np.inf)
        values = np.zeros((len(views), self.game.seats))
        orders = canonical_orders(views) if orders is None else orders
        weigh_all(views, orders, self.net, self._desk(), weights, values)
        return weights, values

    def judge(self, deals: Records, orders: Row | None = None) -> Floats:
        """For deals whose hands are all shown, the payoff that the seat to act may expect, [n]."""
        values = np.zeros((len(deals), self.game.seats))
        views = deals.copy()
        hide_all(views, deals["seat"].copy())
        orders = canonical_orders(views) if orders is None else orders
        judge_all(deals, views, orders, self.net, self._desk(), values)
        own: Floats = values[np.arange(len(deals)), deals["seat"]]
        return own

    def _desk(self) -> Any:
        if not hasattr(self._own, "desk"):
            self._own.desk = new_desk(self.game, self.net)
        return self._own.desk
