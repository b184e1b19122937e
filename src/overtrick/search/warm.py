"""Compiling the kernels of the searches of a game ahead of their first use."""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.engine.batches import Batch, legal_all
from overtrick.engine.observations import canonical_orders
from overtrick.engine.worlds import sample_worlds
from overtrick.games.game import Game, Row
from overtrick.jit import stream, streams
from overtrick.nets.evaluating import NetEvaluator
from overtrick.nets.forward import blank_tensors, look_all, new_desk, pack_net
from overtrick.nets.pointer import PointerEvaluator, blank_pointer, pack_pointer
from overtrick.nets.pointer_spec import pointer_spec_for
from overtrick.nets.spec import spec_for
from overtrick.search.beliefs import EVENLY, Beliefs
from overtrick.search.endings import Endings, solve_deals
from overtrick.search.guided import Guidance, pick_all, ponder_all
from overtrick.search.ismcts import Ismcts
from overtrick.search.pimc import Pimc
from overtrick.search.puct import Puct
from overtrick.search.thinking import MOST_CHOICES
from overtrick.search.weighing import payoffs_in, takers_of

__all__ = ["warm_up_pointer", "warm_up_search"]

Records = np.ndarray[Any, Any]


class _Even:
    """An evaluator that knows nothing."""

    def __init__(self, seats: int) -> None:
        self.seats = seats

    def evaluate(self, states: Records, legals: Row) -> tuple[Any, Any]:
        return np.ones((len(states), MOST_CHOICES)), np.zeros((len(states), self.seats))


def warm_up_net(game: Game, view: Records, worlds: Records) -> None:
    """Compile, or load, what a net needs to play by itself and to lead a search."""
    spec = spec_for(game, units=8, layers=1, head=8)
    net = pack_net(game, spec, blank_tensors(spec))
    evaluator = NetEvaluator(game, net)
    evaluator.evaluate(worlds[:1], legals_of(worlds[:1]))
    evaluator.weigh(view)
    outputs = np.zeros((1, spec.actions + spec.values), dtype=np.float32)
    look_all(view, canonical_orders(view), net, new_desk(game, net), outputs)
    counts = ponder_all(game, net, Guidance(1), 1.0, worlds[:1], streams(1, 0, "warm"))
    pick_all(counts[:, 0], np.zeros(1), streams(1, 0, "warm"), np.zeros(1, dtype=np.int64))


def warm_up_pointer(game: Game) -> None:
    """Compile, or load, what a pointer net needs to play; few games have one."""
    view = Batch(game, 1, seed=0).views()
    spec = pointer_spec_for(game, size="small")
    PointerEvaluator(game, pack_pointer(game, spec, blank_pointer(spec))).weigh(view)


def legals_of(states: Records) -> Row:
    """The legal choices of deals."""
    legals = np.zeros(len(states), dtype=np.int64)
    legal_all(states, legals)
    return legals


def warm_up_search(game: Game) -> None:
    """Compile, or load from the cache, all that searching a game needs."""
    view, chance = Batch(game, 1, seed=0).views(), stream(0, "warm")
    worlds = sample_worlds(view, 2, chance)
    legals = legals_of(view)
    beliefs = Beliefs(game, EVENLY)
    Pimc(game, view, int(legals[0]), chance, beliefs, level=-1, budget=1).think(1)
    payoffs_in(game, worlds, 0, chance, level=-1)
    takers_of(game, worlds[:0], 0, chance, level=-1)
    for evaluator in (None, _Even(game.seats)):
        Puct(game, game.payoff_scale, view, worlds, chance, evaluator=evaluator).think(2)
        Ismcts(game, game.payoff_scale, view, worlds, chance, evaluator=evaluator).think(2)
    warm_up_net(game, view, worlds)
    endings = Endings(game)
    endings.can_solve(worlds[:1], 0)
    endings.side(worlds[:1])
    nothing = np.zeros(0, dtype=np.int64)
    solve_deals(worlds[:0], endings._room, nothing, np.zeros((0, game.seats), dtype=np.int64))
