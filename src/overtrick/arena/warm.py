"""Compiling the arena's kernels of a game ahead of their first use."""

from __future__ import annotations

from overtrick.arena.boards import play_chunk
from overtrick.arena.matches import play_match_chunk
from overtrick.arena.seating import seatings
from overtrick.arena.simulation import simulate
from overtrick.games.game import Game
from overtrick.players import Player, make_player

__all__ = ["warm_up_arena"]


class _OneByOne:
    """A player that kernels do not know, so that deals are played choice by choice."""

    def __init__(self, player: Player) -> None:
        self.name = player.name
        self.choose = player.choose
        self.advise = player.advise


def warm_up_arena(game: Game) -> None:
    """Compile, or load from the cache, all that measuring a game's players needs."""
    variant, seating = game.variant(), seatings(game, 2)
    fast = [make_player("random", game)] * 2
    for players in (fast, [_OneByOne(player) for player in fast]):
        for play in (play_chunk, play_match_chunk):
            play(game, variant, players, seating, seed=0, first=0, boards=1)
    simulate(game, ["random"] * game.people(variant), 1, seed=0)
