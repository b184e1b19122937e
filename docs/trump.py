"""What a player's trump is worth beyond another's, all else played by the player.

`docs/trump.py hokm PLAYER OTHER MILLIONS SEED` comes to what

    overtrick arena hokm PLAYER PLAYER,phases=trump,by=OTHER --boards MILLIONS --seed SEED

does, many times as fast. It is a matter of a few points in ten thousand deals, so millions are
needed; of these only those are played in which the two choose differently. In all others they win
the same, as long as the player draws no lots, as a net alone.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from overtrick.arena.boards import deals_of, finish_together
from overtrick.arena.statistics import Estimate, estimate
from overtrick.engine.batches import payoffs_all, play_all
from overtrick.engine.views import hide_all
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.jit import stream, streams
from overtrick.learn.workers import LocalWorkers
from overtrick.players import Player, make_player

Records = np.ndarray[Any, Any]
LOT = 20_000  # boards of one task


def margins(name: str, player: str, other: str, seed: int, first: int, count: int) -> Records:
    """What the player wins a deal on boards `first` to `first + count - 1`, in points."""
    game = load_game(name)
    players = [make_player(player, game), make_player(other, game)]
    deals = deals_of(game, "", stream(seed, "boards", name), first, count)
    seats = deals["seat"].astype(np.int64)
    views = deals.copy()
    hide_all(views, seats)
    chosen = [one.choose(views, streams(count, seed, "first choices", first)) for one in players]
    apart = np.flatnonzero(chosen[0] != chosen[1])
    found = np.zeros(count)
    for choices, sign in zip(chosen, (1, -1), strict=True):
        played = deals[apart].copy()
        play_all(played, choices[apart])
        found[apart] += sign * paid(game, played, players[0], seats[apart], seed)
    return found / (2 * game.payoff_unit)  # each of them is the one who chooses in half the deals


def paid(game: Game, deals: Records, player: Player, seats: Records, seed: int) -> Records:
    """What the deals pay these seats, if the player sits in all of them from here on."""
    count, rules = len(deals), game.variant_of(None)
    spent = np.zeros(1, dtype=np.int64), np.zeros(1), np.zeros(1, dtype=np.int64)
    everywhere = np.zeros((count, game.seats), dtype=np.int64)
    around = rules, game.blank_matches(count, rules)
    chance = stream(seed, "later choices", game.name)
    finish_together(game, deals, [player], everywhere, np.arange(count), chance, around, *spent)
    won = np.zeros((count, game.seats), dtype=np.int64)
    payoffs_all(deals, won)
    mine: Records = won[np.arange(count), seats]
    return mine


def trump_worth(name: str, player: str, other: str, boards: int, seed: int) -> Estimate:
    """What the player wins a deal of itself with the other's choice, over boards."""
    workers = LocalWorkers(2)
    jobs = [
        (name, player, other, seed, first, min(LOT, boards - first))
        for first in range(0, boards, LOT)
    ]
    found = np.concatenate(workers.run(margins, jobs))
    workers.close()
    return estimate(found)


if __name__ == "__main__":
    game, player, other, millions, seed = sys.argv[1:]
    worth = trump_worth(game, player, other, round(float(millions) * 1e6), int(seed))
    print(
        f"{worth.mean:+.6f} ± {worth.ci95:.6f} points a deal, {worth.count:,} boards, seed {seed}"
    )
