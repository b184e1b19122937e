"""The league: frozen copies of a learner, and players by name, that it has to hold its own against.

A league has room for a fixed number of copies, or for none. The first is the learner before it has
learned anything. A learner that proves itself against the members is frozen and joins; when there
is no room the oldest copy leaves. Players by name, such as rulebooks or searches, never leave.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from overtrick.nets.packing import Packed

__all__ = ["League", "Member", "Standing"]

Floats = np.ndarray[Any, np.dtype[Any]]
FORGET = 0.7  # what an older result keeps of its weight when a new one comes


@dataclass(frozen=True)
class Member:
    """A frozen copy of the learner."""

    iteration: int  # after which it was frozen
    tensors: Mapping[str, Floats]

    @property
    def name(self) -> str:
        """What it is called in the league."""
        return f"copy {self.iteration}"


@dataclass
class Standing:
    """How the learner does against a member: its share of the deals, older ones counting less."""

    won: float = 0.0
    deals: float = 0.0

    def add(self, won: float, deals: float) -> None:
        """Count in some deals."""
        self.won = FORGET * self.won + won
        self.deals = FORGET * self.deals + deals

    @property
    def share(self) -> float:
        """Even, as long as nothing is known."""
        return (self.won + 1.0) / (self.deals + 2.0)


@dataclass
class League:
    """Copies, oldest first, and players by name."""

    size: int
    players: tuple[str, ...] = ()
    copies: list[Member] = field(default_factory=list)
    standings: dict[str, Standing] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """All members: copies, oldest first, then players."""
        return [*(copy.name for copy in self.copies), *self.players]

    def admit(self, member: Member) -> None:
        """Take in a copy, the oldest leaving where there is no room; none into a league without."""
        self.copies = [*self.copies, member][-self.size :] if self.size else []
        known = self.names
        self.standings = {name: one for name, one in self.standings.items() if name in known}

    def standing(self, name: str) -> Standing:
        """How the learner does against a member."""
        return self.standings.setdefault(name, Standing())

    def odds(self, *, hardness: float) -> Floats:
        """How likely each member is to be met: the harder to beat, the likelier; 0 for evenly."""
        lost = np.array([1.0 - self.standing(name).share for name in self.names])
        weights = lost**hardness
        odds: Floats = weights / weights.sum()
        return odds

    def draw(self, count: int, chance: np.random.Generator, *, hardness: float) -> Sequence[int]:
        """Who is met in so many lots of deals, as places in `names`."""
        if not count:
            return []
        drawn: list[int] = chance.choice(
            len(self.names), size=count, p=self.odds(hardness=hardness)
        ).tolist()
        return drawn

    def opponent(self, place: int, packed: Mapping[str, Packed]) -> Packed | str:
        """A member as rollouts take it; copies are in `packed` by their names."""
        name = self.names[place]
        return packed[name] if place < len(self.copies) else name

    def state(self) -> dict[str, Any]:
        """All that is needed to go on; tensors apart."""
        return {
            "copies": [copy.iteration for copy in self.copies],
            "standings": {name: [one.won, one.deals] for name, one in self.standings.items()},
        }

    def restore(self, state: Mapping[str, Any], tensors: Sequence[Mapping[str, Floats]]) -> None:
        """Go on where another league stood."""
        self.copies = [
            Member(int(iteration), dict(told))
            for iteration, told in zip(state["copies"], tensors, strict=True)
        ]
        self.standings = {
            name: Standing(float(won), float(deals))
            for name, (won, deals) in state["standings"].items()
        }
