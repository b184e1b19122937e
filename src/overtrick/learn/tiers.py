"""The tiers of a ladder: nets and budgets that grow, the same for every game.

The numbers are those of the Trickster guide, for Snapszer, but that as many simulations of a choice
are spread over more worlds: 12 in each of 40 rather than 80 in each of 6. A game with longer deals
has fewer of them, so that a tier learns from about as many choices everywhere. None of this needs
PyTorch.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from overtrick.arena.seating import seatings
from overtrick.engine.batches import Batch
from overtrick.errors import BadBudget, UnknownName
from overtrick.games.game import Game
from overtrick.jit import streams
from overtrick.nets.spec import spec_for
from overtrick.players import make_player

__all__ = [
    "TIERS",
    "USUAL",
    "Tier",
    "choices_a_deal",
    "shared_out",
    "tiers_between",
    "usual_boards",
]

MOST_BOARDS = 1000
CHOICES = 15.0  # of a deal, where more than one is legal; if there are more, there are fewer deals

# What a choice costs, by what was measured on one core: the search, whose net is compared with a
# Captain's in Snapszer by its multiplications; all around it; teaching it; its share of the deals
# without search. Direct has no search.
CAPTAIN, SPARSE = 54_800, 8  # one flag in so many is set, and only those are added up
TREE_SECONDS, NET_SECONDS = 0.6e-6, 2.6e-6
AROUND_SECONDS = 50e-6
PASSES, TEACH_SECONDS, TEACH_NET_SECONDS = 4, 5e-6, 15e-6
QUICK_SECONDS, QUICK_NET_SECONDS = 12e-4, 16e-4  # of the deals without search that go with it
DIRECT_SECONDS = 1e-4


@dataclass(frozen=True)
class Tier:
    """One rung: how a model is trained, and how it then plays."""

    name: str  # of the model
    method: str
    units: int  # in a layer of the body
    layers: int
    head: int  # units in the hidden layer of a head; 0 for none
    deals: int  # in Snapszer
    guide: tuple[int, int] = (0, 0)  # simulations in each world × worlds; 0 for no search
    worlds: int = 0  # over which as many simulations are spread

    @property
    def sims(self) -> int:
        """Simulations in each world; 0 for no search."""
        return math.prod(self.guide) // max(self.worlds, 1)

    @property
    def net(self) -> str:
        """The network in the notation of the guide."""
        body = f"{self.units}×{self.layers}"
        return f"{body}/h{self.head}" if self.head else f"{body}, two of them"

    @property
    def search(self) -> str:
        """Simulations × worlds of a choice."""
        return f"{self.sims} × {self.worlds}" if self.sims else "none"

    def deals_in(self, game: Game) -> int:
        """Deals to train with, in two digits where they are fewer than the guide's."""
        deals = self.deals * min(1.0, CHOICES / choices_a_deal(game))
        return self.deals if deals >= self.deals else _rounded(deals)

    def shape(self) -> dict[str, Any]:
        """The settings that make this tier, whatever its budget."""
        net = {"units": self.units, "layers": self.layers}
        search = {"head": self.head, "sims": self.sims, "worlds": self.worlds}
        return net | search if self.sims else net

    def settings(self, game: Game) -> dict[str, Any]:
        """The config of its training; some forty iterations of 50 to 1000 deals."""
        deals = self.deals_in(game)
        lot = {"lot": min(1000, max(50, _rounded(deals / 40)))} if self.sims else {}
        return {**self.shape(), "deals": deals, **lot}

    def player(self, game: Game, equal: Mapping[str, int] | None = None) -> str:
        """Who plays: with the budget of its training, or with the one that all have."""
        if not self.sims:
            return f"{self.method}:{game.name}/{self.name}"
        budget = {"sims": self.sims, "worlds": self.worlds, **(equal or {})}
        told = ",".join(f"{key}={value}" for key, value in budget.items())
        return f"{self.method}:{game.name}/{self.name},{told}"

    def minutes(self, game: Game, cores: int | None = None) -> float:
        """How long its training takes, about."""
        choices = self.deals_in(game) * choices_a_deal(game)
        if not self.sims:
            return choices * DIRECT_SECONDS / 60
        spec = spec_for(game, units=self.units, layers=self.layers, head=self.head)
        sizes = [layer.inputs * layer.outputs for layer in spec.layers()]
        work = (sizes[0] / SPARSE + sum(sizes[1:])) / CAPTAIN
        search = self.sims * self.worlds * (TREE_SECONDS + NET_SECONDS * work)
        teach = PASSES * (TEACH_SECONDS + TEACH_NET_SECONDS * work)
        quick = QUICK_SECONDS + QUICK_NET_SECONDS * work
        seconds = (search + quick) / (cores or os.cpu_count() or 1) + AROUND_SECONDS + teach
        return choices * seconds / 60


TIERS = (
    Tier("direct", "direct", 128, 2, 0, 20_000),
    Tier("pawn", "alphazero", 32, 1, 16, 2_000, (30, 3), 10),
    Tier("scout", "alphazero", 64, 2, 32, 4_500, (40, 3), 12),
    Tier("knight", "alphazero", 64, 2, 32, 8_000, (50, 4), 20),
    Tier("bishop", "alphazero", 128, 2, 64, 15_000, (60, 5), 25),
    Tier("rook", "alphazero", 128, 2, 64, 20_000, (60, 5), 25),
    Tier("captain", "alphazero", 128, 3, 64, 48_000, (80, 6), 40),
    Tier("general", "alphazero", 256, 4, 128, 100_000, (150, 8), 80),
    Tier("marshal", "alphazero", 256, 4, 128, 200_000, (200, 12), 120),
)
USUAL = 7  # the others take hours, and are trained if they are asked for


def tiers_between(first: str = "", count: int | None = None) -> tuple[int, int]:
    """The numbers of the first tier to train and of the one after the last.

    Without a count the usual ones, or all if the first is none of those.
    """
    names = [tier.name for tier in TIERS]
    word = first.strip().casefold()
    word = {f"t{number}": name for number, name in enumerate(names)}.get(word, word)
    if word and word not in names:
        raise UnknownName("tier", first, names)
    begin = names.index(word) if word else 0
    end = (USUAL if begin < USUAL else len(TIERS)) if count is None else count
    if not 1 <= end <= len(TIERS):
        raise BadBudget(f"the number of tiers is 1 to {len(TIERS)}, not {end}")
    if begin >= end:
        raise BadBudget(f"{word} is not among the first {end} tiers: {', '.join(names[:end])}")
    return begin, end


def shared_out(minutes: float, tiers: Sequence[Tier], game: Game) -> dict[str, float]:
    """The minutes of each tier, in proportion to what they are estimated to take."""
    if not 0 < minutes < math.inf:
        raise BadBudget(f"a ladder has more than 0 minutes, not {minutes:g}")
    estimates = {tier.name: tier.minutes(game) for tier in tiers}
    whole = sum(estimates.values())
    return {name: minutes * estimate / whole for name, estimate in estimates.items()}


def usual_boards(game: Game) -> int:
    """Boards on which two tiers meet: about as many choices in every game."""
    choices = choices_a_deal(game) * len(seatings(game, 2))
    return max(100, min(MOST_BOARDS, _rounded(2 * CHOICES * MOST_BOARDS / choices)))


@lru_cache(maxsize=32)
def choices_a_deal(game: Game, deals: int = 64) -> float:
    """Choices of a deal at which more than one is legal, by the game's usual players."""
    player = make_player("rulebook" if game.rulebooks else "random", game)
    batch = Batch(game, deals, seed=0)
    made = ended = 0
    for step in range(4 * game.longest):
        made += int(np.count_nonzero(batch.legals & batch.legals - 1))
        batch.step(player.choose(batch.views(), streams(deals, 0, "choices", step)))
        ended += int(batch.ended.sum())
    return made / ended


def _rounded(number: float) -> int:
    """A number in two digits."""
    return int(round(number, 1 - int(math.log10(number)))) if number >= 100 else round(number)
