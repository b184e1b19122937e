"""Samples of other kinds as regrets: labels of a searching teacher, and what quick deals tell."""

from __future__ import annotations

import numpy as np

from overtrick.engine.observations import canonical_orders, observe_all, shuffle_suits
from overtrick.games.game import Game, Row
from overtrick.learn.regrets import Regrets, blank_regrets
from overtrick.learn.samples import Samples, policies_of, views_of
from overtrick.learn.traversing import fork_each
from overtrick.nets.spec import NetSpec

__all__ = ["regrets_from"]


def regrets_from(
    game: Game,
    spec: NetSpec,
    samples: Samples,
    iteration: int,
    chance: Row | None,
    *,
    is_told: bool = False,
) -> Regrets:
    """Samples that tell regrets, or labels: the best choice has none, all others less than none.

    With a stream of chance, suits that the rules do not tell apart are renamed at random.
    """
    size = len(samples)
    views = views_of(samples.deals)
    orders = canonical_orders(views)
    if chance is not None:
        streams = np.empty((size, 2), dtype=np.int64)
        fork_each(chance, np.arange(size), streams)
        shuffle_suits(views, streams, orders)
    legal, told = policies_of(game, samples, views, orders)
    best = 0.0 if is_told else np.where(legal, told, -np.inf).max(axis=1, keepdims=True)
    encoding = game.encoding(spec.encoding)
    found = blank_regrets(game, spec, size)
    flags = np.zeros(found["flags"].shape, dtype=np.int64)
    observe_all(views, encoding, orders, game.encodings[encoding].widths, flags)
    seats = samples.deals["seat"]
    around = (seats[:, np.newaxis] + np.arange(game.seats)) % game.seats
    found["flags"] = flags
    found["legal"] = np.packbits(legal, axis=1, bitorder="little")
    found["told"] = np.where(legal, told - best, 0.0) / spec.reach
    found["paid"] = np.take_along_axis(samples.payoffs, around, axis=1) / spec.reach
    found["iteration"] = iteration
    return found
