"""Where a learner shows what it can do: the arena of its league, and boards with known players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from overtrick.arena.seating import seatings
from overtrick.games.game import Game
from overtrick.learn.gauge import fresh_seed
from overtrick.learn.league import League, Member
from overtrick.learn.measuring import beats, part_of, shares_won
from overtrick.learn.ppo_config import PpoConfig
from overtrick.learn.workers import Workers
from overtrick.nets.packing import PlayingSpec, pack
from overtrick.players import Player, make_player
from overtrick.players.neural import PolicyPlayer

__all__ = ["Proving"]

Floats = np.ndarray[Any, np.dtype[Any]]
Tensors = Mapping[str, Floats]


class Proving:
    """The matches of one run."""

    def __init__(
        self,
        game: Game,
        spec: PlayingSpec,
        config: PpoConfig,
        league: League,
        workers: Workers,
        seed: int,
    ) -> None:
        self.game, self.spec, self.config = game, spec, config
        self.league = league
        self._workers = workers
        self._seed = seed

    # ------------------------------------------------------------------ the league

    def arena(self, iteration: int, tensors: Tensors) -> dict[str, float]:
        """Meet all members of the league, now and then, and join them if that goes well."""
        every = self.config.arena_every
        if not every or iteration % every or not self.league.names:
            return {}
        mine = self._drawing(tensors)
        shares = [self._meet_member(iteration, mine, name) for name in self.league.names]
        joins = float(np.mean(shares)) >= self.config.admission_share
        if self.config.admission == "sprt" and self.league.size:
            joins = self._is_proven(iteration, mine)
        joins = joins and self.league.size > 0
        if joins:
            self.league.admit(Member(iteration, tensors))
        return {"league share": float(np.mean(shares)), "joined": float(joins)}

    def _meet_member(self, iteration: int, mine: Player, name: str) -> float:
        """The share won of a member, which the league notes; equals have one half."""
        copies = [copy for copy in self.league.copies if copy.name == name]
        other = self._drawing(copies[0].tensors) if copies else make_player(name, self.game)
        deals = self.config.arena_deals
        share = part_of(self._won(iteration, mine, other, deals, "arena"))
        self.league.standing(name).add(share * deals, deals)
        return share

    def _is_proven(self, iteration: int, mine: Player) -> bool:
        """Whether a sequential test shows the learner to be stronger than the newest copy."""
        newest = self._drawing(self.league.copies[-1].tensors)
        proof = beats(
            self.game,
            mine,
            newest,
            boards=self.config.arena_deals,
            seed=fresh_seed(self._seed, "admission", iteration),
            workers=self._workers,
            variant=self.config.variant,
        )
        return proof.accepted

    def _drawing(self, tensors: Tensors) -> Player:
        """A net as it plays in rollouts: it draws its choices."""
        net = pack(self.game, self.spec, tensors)
        return PolicyPlayer(self.game, net, "ppo:learner", temperature=1.0)

    # ------------------------------------------------------------------ known players

    def evaluate(self, iteration: int, player: Player) -> dict[str, float]:
        """The share of deals won of random play and of each rulebook, now and then."""
        every = self.config.evaluate_every
        if not every or iteration % every:
            return {}
        books = [f"rulebook:{book}" for book in self.game.rulebooks]
        deals = self.config.evaluate_boards * len(seatings(self.game, 2))
        told = {}
        for name in ["random", *books]:
            other = make_player(name, self.game)
            won = self._won(iteration, player, other, deals, "evaluation")
            told[f"wins {name.removeprefix('rulebook:').partition('@')[0]}"] = float(won[0])
        return told

    def _won(self, iteration: int, mine: Player, other: Player, deals: int, part: str) -> Floats:
        return shares_won(
            self.game,
            (mine, other),
            deals=deals,
            seed=fresh_seed(self._seed, part, iteration),
            workers=self._workers,
            variant=self.config.variant,
        )
