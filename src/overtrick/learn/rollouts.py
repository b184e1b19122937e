"""Rollouts: hundreds of deals side by side, a learner in some seats, kept to learn from.

The learner draws its choices from its policy; every other seat has another player: a frozen net,
a rulebook or a search. Deal number n of a seed is the same wherever it is played: its cards, who
sits where and all chance come from (seed, n). Choices that are none are made and not kept.

Suits that the rules do not tell apart are renamed at random for every choice of the learner, so
what it learns of one suit it learns of all; a choice is kept with the names it was made under.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from typing import Any

import numpy as np

from overtrick.arena.boards import choice_streams, deals_of
from overtrick.arena.seating import seatings
from overtrick.engine.batches import legal_all, play_all, rewards_all
from overtrick.engine.observations import canonical_orders, shuffle_suits
from overtrick.engine.views import hide_all
from overtrick.engine.worlds import uniform
from overtrick.games import load_game
from overtrick.games.game import Game, Row
from overtrick.jit import kernel, stream
from overtrick.learn.seats import LEARNER, LETTERS, split_forced
from overtrick.nets.packing import Packed, evaluator_of
from overtrick.players import Player, make_player, sees_all
from overtrick.players.neural import PolicyPlayer

__all__ = [
    "Rollout",
    "Table",
    "draw_choices",
    "play_table",
]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Table:
    """Who plays some deals, and how; plain data, so that workers anywhere can have it."""

    policy: Packed  # the learner
    critic: Packed  # shown all hands, to value what the learner came to
    other: Packed | str | None = None  # a frozen net, or a player by name; None if all are learners
    seating: str = ""  # L for a learner, O for the other, seat by seat; turned from deal to deal
    variant: str = ""
    all_valued: bool = False  # keep the choices of the others too, for estimates turn by turn
    shuffled: bool = True  # suits renamed at random
    forced: str = ""  # PHASE:PLAYER, who chooses there for all seats; what is chosen is not kept


@dataclass(frozen=True)
class Rollout:
    """Choices, deal by deal in the order they were made; one a row."""

    deals: Records  # [n] whole deals as they stood
    legal: Row  # [n] legal choices as bits
    orders: Row  # [n] the names of suits under which the net saw them
    chosen: Row  # [n]
    logs: Floats  # [n] logarithm of the probability with which it was chosen; 0 for others'
    values: Floats  # [n] what the critic expected for the seat to act, in the game's payoffs
    rewarded: Floats  # [n, seats] what had been rewarded before
    learned: Records  # [n] bool: whether a learner chose
    numbers: Row  # [n] the row of the deal in what follows
    ends: Records  # [deals] finished
    rewards: Floats  # [deals, seats] all that was rewarded
    seating: Row  # [deals, seats] LEARNER or OTHER

    def __len__(self) -> int:
        return len(self.deals)

    @property
    def seats(self) -> Row:
        """Who chose, [n]."""
        seats: Row = self.deals["seat"]
        return seats

    @staticmethod
    def joined(parts: list[Rollout]) -> Rollout:
        """All choices of several lots, in their order."""
        firsts = np.cumsum([0, *(len(part.ends) for part in parts[:-1])])
        columns = {
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in Rollout.__dataclass_fields__
            if name != "numbers"
        }
        numbers = [part.numbers + first for part, first in zip(parts, firsts, strict=True)]
        return Rollout(numbers=np.concatenate(numbers), **columns)


def seating_of(game: Game, table: Table, numbers: Row) -> Row:
    """Who sits in each seat of these deals, [n, seats].

    Seats change once a dealer has gone round the table, so that a learner deals as often as any.
    """
    if table.other is None:
        return np.zeros((len(numbers), game.seats), dtype=np.int64)
    rows = seatings(game, 2)
    if table.seating:
        row = [LETTERS[letter] for letter in table.seating]
        rows = np.array([np.roll(row, turn) for turn in range(game.seats)])
    seated: Row = rows[numbers // game.seats % len(rows)]
    return seated


@kernel
def draw_choices(weights: Any, streams: Any, chosen: Row, logs: Floats) -> None:
    """Draw a choice from the softmax of each row of numbers, [n, 64], -inf where illegal.

    Writes it and the logarithm of its probability.
    """
    powers = np.zeros(weights.shape[1])
    for number in range(len(weights)):
        row = weights[number]
        most = row.max()
        total = 0.0
        for choice in range(len(row)):
            powers[choice] = exp(row[choice] - most)
            total += powers[choice]
        left = uniform(streams[number]) * total
        for choice in range(len(row)):
            if powers[choice] > 0.0:
                chosen[number] = choice
                left -= powers[choice]
                if left < 0.0:
                    break
        logs[number] = row[chosen[number]] - most - log(total)


# ---------------------------------------------------------------------------- playing


def play_table(game: str, table: Table, seed: int, first: int, count: int) -> Rollout:
    """Play deals `first` to `first + count - 1` of a seed."""
    return _Lot(load_game(game), table, seed, first, count).played()


class _Lot:
    """Some deals on their way."""

    def __init__(self, game: Game, table: Table, seed: int, first: int, count: int) -> None:
        self.game, self.table = game, table
        self.keys = np.arange(first, first + count)
        self.states = deals_of(
            game, table.variant, stream(seed, "rollouts", game.name), first, count
        )
        self.seating = seating_of(game, table, self.keys)
        self.parent = stream(seed, "rollout choices", game.name)
        self.names = stream(seed, "rollout suits", game.name)
        self.policy = evaluator_of(game, table.policy)
        self.critic = evaluator_of(game, table.critic)
        self.other = _other(game, table)
        self.forced, by = split_forced(game, table.forced) if table.forced else (-1, "")
        self.forcing = make_player(by or "random", game)
        self.kept: list[dict[str, Any]] = []

    def played(self) -> Rollout:
        """All choices, once the deals are over."""
        going = np.arange(len(self.states))
        while len(going):
            group = self.states[going]
            legals = np.zeros(len(going), dtype=np.int64)
            legal_all(group, legals)
            chosen = np.log2((legals & -legals).astype(np.float64)).astype(np.int64)
            real = np.flatnonzero(legals & legals - 1)
            if len(real):
                chosen[real] = self._choose(going[real], group[real], legals[real])
            play_all(group, chosen)
            self.states[going] = group
            going = going[group["phase"] >= 0]
        return self._rollout()

    def _choose(self, rows: Row, deals: Records, legals: Row) -> Row:
        """What is chosen in these deals, by whoever is to act."""
        views = deals.copy()
        hide_all(views, deals["seat"].copy())
        chances = self._chances(self.parent, rows, deals)
        orders = canonical_orders(views)
        if self.table.shuffled:
            shuffle_suits(views, self._chances(self.names, rows, deals), orders)
        forced = deals["phase"] == self.forced
        learned = (self.seating[rows, deals["seat"]] == LEARNER) & ~forced
        chosen = np.zeros(len(rows), dtype=np.int64)
        logs = np.zeros(len(rows))
        mine, theirs = np.flatnonzero(learned), np.flatnonzero(~learned & ~forced)
        if forced.any():
            seen = deals if sees_all(self.forcing) else views
            chosen[forced] = self.forcing.choose(seen[forced], chances[forced])
        if len(mine):
            weights, _ = self.policy.weigh(views[mine], orders[mine])
            own, told = np.zeros(len(mine), dtype=np.int64), np.zeros(len(mine))
            draw_choices(weights, chances[mine], own, told)
            chosen[mine], logs[mine] = own, told
        if len(theirs):
            seen = deals if sees_all(self.other) else views
            chosen[theirs] = self.other.choose(seen[theirs], chances[theirs])
        keep = np.flatnonzero(~forced) if self.table.all_valued else mine
        self._keep(
            deals[keep],
            legal=legals[keep],
            orders=orders[keep],
            chosen=chosen[keep],
            logs=logs[keep],
            learned=learned[keep],
            numbers=rows[keep],
        )
        return chosen

    def _keep(self, deals: Records, **columns: Any) -> None:
        """Keep choices, with what the critic expects and what has been rewarded."""
        rewarded = np.zeros((len(deals), self.game.seats))
        rewards_all(deals, rewarded)
        values = self.critic.judge(deals, columns["orders"])
        self.kept.append({"deals": deals, "values": values, "rewarded": rewarded, **columns})

    def _chances(self, parent: Row, rows: Row, deals: Records) -> Row:
        chances = np.empty((len(rows), 2), dtype=np.int64)
        choice_streams(self.keys[rows], deals["turn"].copy(), parent, chances)
        return chances

    def _rollout(self) -> Rollout:
        if not self.kept:  # no deal had a choice
            none = np.zeros(0, dtype=np.int64)
            self._choose(none, self.states[:0], none)
        numbers = np.concatenate([lot["numbers"] for lot in self.kept])
        order = np.argsort(numbers, kind="stable")  # deal by deal
        columns = {
            name: np.concatenate([lot[name] for lot in self.kept])[order] for name in self.kept[0]
        }
        rewards = np.zeros((len(self.states), self.game.seats))
        rewards_all(self.states, rewards)
        return Rollout(ends=self.states, rewards=rewards, seating=self.seating, **columns)


def _other(game: Game, table: Table) -> Player:
    """Who sits where no learner does."""
    if isinstance(table.other, str):
        return make_player(table.other, game)
    return PolicyPlayer(game, table.other or table.policy, "net:frozen", temperature=1.0)
