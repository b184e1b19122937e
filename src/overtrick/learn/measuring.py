"""Players that have no name yet, measured on boards while they learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from overtrick.arena.boards import WON, play_chunk
from overtrick.arena.results import BoardSums, Table, sums_of
from overtrick.arena.seating import seatings
from overtrick.games.game import Game
from overtrick.learn.workers import Workers
from overtrick.players import Player, make_player

__all__ = ["Proof", "beats", "meet", "part_of", "shares_won", "usual_reach"]

Floats = np.ndarray[Any, np.dtype[Any]]

LOT = 32  # boards played at a time


@dataclass(frozen=True)
class Proof:
    """Whether one player was shown to be better than another, and on how many boards."""

    accepted: bool
    boards: int
    score: float  # mean share of the first


def meet(
    game: Game,
    players: tuple[Player, Player],
    first: int,
    boards: int,
    seed: int,
    variant: str = "",
) -> BoardSums:
    """What boards `first` and following came to."""
    seating = seatings(game, 2)
    rules = game.variant_of(variant or None)
    chunk = play_chunk(game, rules, players, seating, seed=seed, first=first, boards=boards)
    return sums_of(chunk, seating, 2)


def shares_won(
    game: Game,
    players: tuple[Player, Player],
    *,
    deals: int,
    seed: int,
    workers: Workers,
    variant: str = "",
) -> Floats:
    """The share that each wins of so many deals, or a few more, of those its seats were in.

    Ties are half. Where each seat wins for itself, most of the table may win a deal, as in Hearts,
    or few, so equals win any share of their deals: `part_of` compares.
    """
    boards = -(-deals // len(seatings(game, 2)))
    starts = range(0, boards, LOT)
    jobs = [(game, players, at, min(LOT, boards - at), seed, variant) for at in starts]
    sums = BoardSums.join(workers.run(meet, jobs))
    won: Floats = sums.wins.sum(axis=0) / (WON * boards * sums.seats)
    return won


def part_of(won: Floats) -> float:
    """The first player's part of all that both win: equals have one half.

    Between two sides that is the share of deals won.
    """
    return float(won[0] / won.sum()) if won.sum() else 0.5


def beats(
    game: Game,
    one: Player,
    other: Player,
    *,
    boards: int,
    seed: int,
    workers: Workers,
    variant: str = "",
) -> Proof:
    """Play until a sequential test decides which is better, or for so many boards."""
    parts: list[BoardSums] = []
    table = None
    for first in range(0, boards, LOT * workers.count):
        starts = range(first, min(boards, first + LOT * workers.count), LOT)
        jobs = [(game, (one, other), at, min(LOT, boards - at), seed, variant) for at in starts]
        parts += workers.run(meet, jobs)
        table = table_of(game, (one, other), parts, seed, variant)
        if table.sprt().decision != "open":
            break
    assert table is not None
    test = table.sprt()
    return Proof(test.decision == "stronger", table.boards, float(np.mean(table.shares(0))))


def table_of(
    game: Game,
    players: tuple[Player, Player],
    parts: list[BoardSums],
    seed: int,
    variant: str = "",
) -> Table:
    """The result of some boards."""
    rules = game.variant_of(variant or None)
    names = tuple(player.name for player in players)
    sums = BoardSums.join(parts)
    scale = game.scale(rules) / game.payoff_unit
    return Table(game, rules, seed, names, sums, game.payoff_unit, scale, False)


def usual_reach(game: Game, variant: str = "", *, deals: int = 2000) -> float:
    """The payoff that a net's value of 1 should stand for: most deals pay less.

    Three standard deviations of what the game's best rulebook wins against itself, or what a
    deal can pay at most if that is less.
    """
    rules = game.variant_of(variant or None)
    book = f"rulebook:{[*game.rulebooks][-1]}" if game.rulebooks else "random"
    player = make_player(book, game)
    boards = -(-deals // len(seatings(game, 2)))
    chunk = play_chunk(
        game, rules, (player, player), seatings(game, 2), seed=0, first=0, boards=boards
    )
    return float(min(game.scale(rules), 3.0 * chunk.payoffs.std()))
