"""Compiling what belief players of a game are asked, ahead of their first use."""

from __future__ import annotations

import numpy as np

from overtrick.belief.adapting import RATE, watch_deals
from overtrick.belief.looking import ROOM, Looking, look_ahead, new_looker
from overtrick.belief.minds import Sizes, minds_of, specs_for
from overtrick.belief.playing import choose_each, play_on_believing
from overtrick.belief.tables import ready
from overtrick.engine.batches import Batch
from overtrick.engine.playouts import ASKED, RANDOM
from overtrick.games.game import Game
from overtrick.jit import stream, streams
from overtrick.nets.approximators import OUTPUTS

__all__ = ["warm_up_belief"]


def warm_up_belief(game: Game) -> None:
    """Compile, or load from the cache, a belief player's look-ahead and how it watches a deal."""
    sizes = Sizes(8, 1, 8, 1, 8, 1)
    specs = specs_for(ready(game), backend="neural", features="all", sizes=sizes, reach=1.0)
    blank = {
        name: (spec, {key: np.zeros(shape, np.float32) for key, shape in spec.shapes().items()})
        for name, spec in specs.items()
    }
    minds = minds_of(game, blank, 1)
    looker = new_looker(game, minds, Looking(worlds=1, candidates=1), 1.0)
    view = Batch(game, 1, seed=0).views()
    people = np.zeros((1, game.seats), dtype=np.int64)
    tried = np.zeros(1, dtype=np.int64)
    look_ahead(view, looker, people, streams(1, 0, "warm"), np.zeros((1, 64)), tried)
    errors, told = np.zeros(int(minds[0][0][OUTPUTS])), np.zeros(4)
    chance, nobody = stream(0, "warm"), np.zeros(game.seats, dtype=np.int64)
    choose_each(view, looker, people[0], streams(1, 0, "warm"), tried)
    play_on_believing(
        view, view.copy(), nobody, nobody + ASKED, 0, chance, looker, people[0], 0, RANDOM
    )
    watch_deals(view[:0], people, minds, looker[1], looker[ROOM], RATE, 1.0, errors, chance, told)
