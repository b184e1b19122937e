"""What a player thinks of the choices in a view: for hints, live analysis and review alike."""

from __future__ import annotations

from dataclasses import dataclass

from overtrick.games.game import Choice

__all__ = ["Advice", "Weighed"]


@dataclass(frozen=True)
class Weighed:
    """One legal choice as a player sees it."""

    choice: Choice
    probability: float  # with which the player would choose it
    payoff: float | None = None  # that the seat may expect, in points
    error: float | None = None  # standard error of the payoff
    visits: int | None = None  # how often a search tried it


@dataclass(frozen=True)
class Advice:
    """All legal choices weighed; `done` once more time would change nothing."""

    player: str
    choices: tuple[Weighed, ...]
    done: bool = False
    reason: str = ""

    @property
    def best(self) -> Weighed:
        """The choice that the player would make most often."""
        return max(self.choices, key=lambda one: (one.probability, one.payoff or 0.0))
