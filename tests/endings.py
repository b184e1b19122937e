"""Endings for tests of the solvers: random deals, played at random until few cards are left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from overtrick.engine.batches import begin_matches, choose_at_random, legal_all, play_all
from overtrick.engine.dealing import deal_shuffled
from overtrick.games.game import OVER, Game, Variant
from overtrick.jit import streams

__all__ = ["cards_left", "coinche_contract", "random_endings"]

Records = np.ndarray[Any, Any]
Rows = np.ndarray[Any, np.dtype[np.int64]]


def cards_left(states: Records) -> Rows:
    """How many cards are in the hands of each deal."""
    return np.bitwise_count(states["hands"]).sum(axis=1).astype(np.int64)


def random_endings(
    game: Game,
    wanted: Rows,
    seed: int,
    variant: str | Variant | None = None,
    begin: Callable[[Records, int], None] = lambda states, seed: None,
) -> Records:
    """For each number of cards a deal with so many left in hands; deals over before are left out.

    `begin` makes the first choices, those of an auction.
    """
    rules, count = game.variant_of(variant), len(wanted)
    states, matches = game.blank_states(count, rules), game.blank_matches(count, rules)
    matches["deals"] = np.arange(count)
    chance = streams(count, seed, "endings", game.name)
    begin_matches(matches, chance)
    deal_shuffled(states, matches, chance)
    begin(states, seed)
    legals, choices = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    last_phase = len(game.phases) - 1
    while True:
        stays = (cards_left(states) <= wanted) & (states["phase"] == last_phase)
        going = np.flatnonzero(~stays & (states["phase"] != OVER))
        if len(going) == 0:
            return states[states["phase"] != OVER]
        legal_all(states, legals)
        choose_at_random(legals, chance, choices)
        group = states[going]
        play_all(group, choices[going])
        states[going] = group


PASS, LAST_BID, COINCHE, SURCOINCHE = 0, 40, 41, 42
DOUBLING = ([PASS] * 3, [COINCHE] + [PASS] * 3, [COINCHE, SURCOINCHE])


def coinche_contract(states: Records, seed: int) -> None:
    """Give every deal of Coinche a contract of its own: any bid by any seat, doubled or not."""
    rng = np.random.default_rng(seed)
    for number in range(len(states)):
        calls = [PASS] * int(rng.integers(4)) + [int(rng.integers(1, LAST_BID + 1))]
        calls += DOUBLING[rng.integers(len(DOUBLING))]
        for call in calls:
            play_all(states[number : number + 1], np.array([call], dtype=np.int64))
