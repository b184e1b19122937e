"""Compiling a game's kernels ahead of their first use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from overtrick.engine import batches, dealing, observations, playouts, views, worlds
from overtrick.games.game import Game
from overtrick.jit import stream, streams

__all__ = ["kernel_calls", "warm_up"]


def kernel_calls(game: Game) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every kernel of the engine by what it does, with a call that gets it compiled or loaded."""
    variant = game.variant()
    chance = streams(2, 0, "warm")
    states, matches = game.blank_states(2, variant), game.blank_matches(2, variant)
    row = np.zeros(2, dtype=np.int64)
    table = np.zeros((2, game.seats), dtype=np.int64)
    orders = np.zeros((2, len(game.deck)), dtype=np.int64)
    legals, choices, seats = row.copy(), row.copy(), row.copy()

    yield "matches", lambda: batches.begin_matches(matches, chance)
    yield "shuffling", lambda: dealing.shuffled_orders(orders, chance[0])
    yield "dealing", lambda: dealing.deal_orders(states, matches, orders)
    yield "dealing", lambda: dealing.deal_shuffled(states, matches, chance)
    yield "legal choices", lambda: batches.legal_all(states, legals)
    yield "random choices", lambda: batches.choose_at_random(legals, chance, choices)
    yield "copies", lambda: batches.copy_all(states, states.copy())
    yield "choices", lambda: batches.play_all(states.copy(), choices)
    yield (
        "steps",
        lambda: batches.step_all(
            states, matches, choices, chance, legals, seats, row.copy(), table.copy()
        ),
    )
    yield "views", lambda: views.hide_all(states[1:], states["seat"][1:].copy())
    yield "suits", lambda: observations.shuffle_suits(states[1:], chance, seats)
    yield (
        "choices by other names",
        lambda: observations.relabel_all(states[1:], legals[1:], seats, row.copy()),
    )
    yield (
        "choices by their own names",
        lambda: observations.original_choices(states[1:], choices[1:], seats, row.copy()),
    )
    yield "observations", lambda: observations.observations(game, states[1:])
    yield "tokens", lambda: observations.token_rows(game, states[1:])
    yield "worlds", lambda: worlds.sample_worlds(states[1:], 2, stream(0, "warm"))
    yield "orders of the deck", lambda: views.orders_dealt(states[:1], orders)
    yield "playouts", lambda: playouts.playouts(states[:1], stream(0, "warm"), table)
    yield (
        "rulebooks",
        lambda: playouts.playouts_by(states[:1], table - 1, chance, table),
    )
    yield "choices of rulebooks", lambda: playouts.choose_all(states[1:], -1, chance, choices[1:])
    yield "payoffs", lambda: batches.payoffs_all(states[:1], table)
    yield "rewards", lambda: batches.rewards_all(states[:1], table.astype(np.float64))
    yield "scores", lambda: batches.score_all(matches[:1], states[:1])
    yield "winners", lambda: batches.winners_all(matches, row)


def warm_up(game: Game, tell: Callable[[str], None] = lambda what: None) -> None:
    """Compile, or load from the cache, all that the engine needs for a game."""
    for what, call in kernel_calls(game):
        tell(what)
        call()
