"""A trained best response: how much can be won from a player who never changes.

A learner sits on one side of a game in teams, or in one seat of any other, and the player has all
the rest. To a player whose net tells regrets it begins as that player itself. What it wins on
fresh boards, in every seat in turn, is at most what a true best response would: a lower bound of
exploitability, which by the symmetry of boards is 0 for a player whom nobody can exploit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from overtrick.arena.boards import play_chunk
from overtrick.arena.statistics import Estimate, estimate
from overtrick.errors import BadBudget
from overtrick.games.game import Game
from overtrick.jit import stream
from overtrick.learn.deepcfr_config import GOING_ON, inside_kernels
from overtrick.learn.workers import Workers
from overtrick.models import find_model
from overtrick.nets.spec import NetSpec
from overtrick.players import Player, PlayerName, make_player
from overtrick.players.regret import RegretPlayer

__all__ = ["Response", "measure_response", "response_settings", "seats_of_responses"]

LOT = 16  # boards played at a time


@dataclass(frozen=True)
class Response:
    """What a response won."""

    player: str
    response: str
    gain: Estimate  # points a deal, for each seat of the response
    boards: int
    seed: int


def response_settings(game: Game, player: str) -> dict[str, str]:
    """What a response to a player changes in the preset `response` of Deep CFR.

    A critic needs players inside kernels; to others deals are traversed to their end.
    """
    who = make_player(player, game)
    told = {"against": who.name}
    if inside_kernels(who) is None:
        return {**told, "ahead": "0", "heat": "0", "tried": "1", "lot": "256"}
    if not isinstance(who, RegretPlayer):
        return told
    model = find_model(PlayerName.read(who.name).what, game)
    spec = model.nets["main"]
    if not isinstance(spec, NetSpec) or spec.output != "choices":
        return told
    shape = {"units": spec.body_units, "layers": spec.body_layers, "head": spec.head_units}
    return {
        **told,
        **{key: str(value) for key, value in shape.items()},
        "encoding": spec.encoding,
        "begin": model.card.reference,
        "start": "",
        **{key: str(value) for key, value in GOING_ON.items()},
    }


def seats_of_responses(game: Game) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """For every deal of a board, 0 where the response sits and 1 where the player does."""
    sides = np.array(game.teams or range(game.seats))
    mine = (sides == sides[0]).astype(np.int64)
    turns = sorted({tuple(1 - np.roll(mine, turn)) for turn in range(game.seats)})
    return np.array(turns, dtype=np.int64)


def measure_response(
    game: Game,
    response: str,
    player: str,
    *,
    boards: int,
    seed: int,
    workers: Workers,
    variant: str = "",
) -> Response:
    """Play boards that neither has seen."""
    if boards < 2:
        raise BadBudget(f"the number of boards is 2 or more, not {boards}")
    fresh = int(stream(seed, "responses", game.name)[0]) & 0x7FFFFFFF
    players = (make_player(response, game), make_player(player, game))
    jobs = [
        (game, players, variant, fresh, first, min(LOT, boards - first))
        for first in range(0, boards, LOT)
    ]
    gains = np.concatenate(workers.run(_gains, jobs))
    return Response(players[1].name, players[0].name, estimate(gains), boards, fresh)


def _gains(
    game: Game, players: tuple[Player, Player], variant: str, seed: int, first: int, boards: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """What each seat of the response won on each board, on average."""
    seating = seats_of_responses(game)
    rules = game.variant_of(variant or None)
    chunk = play_chunk(game, rules, players, seating, seed=seed, first=first, boards=boards)
    mine = seating == 0
    sums = (chunk.payoffs * mine).sum(axis=(1, 2))
    return np.asarray(sums / mine.sum() / game.payoff_unit, dtype=np.float64)
