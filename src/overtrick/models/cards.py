"""The card of a model: who it is, how it was trained, and what was measured of it."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

__all__ = ["FORMAT", "METHODS", "MODEL_PLAYERS", "NAME", "Method", "ModelCard", "Result"]

FORMAT = 1
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


class Method(NamedTuple):
    """What a way of learning leaves behind."""

    title: str
    player: str  # the kind of player that a model of it is
    nets: tuple[str, ...]  # their names within a model


METHODS = {
    "alphazero": Method("AlphaZero", "alphazero", ("main",)),
    "distill": Method("distilled", "net", ("main",)),
    "direct": Method("direct self-play", "direct", ("follow", "lead")),
    "ppo": Method("league PPO", "ppo", ("main",)),
    "belief": Method("belief actor-critic", "belief", ("actor", "critic", "predictor")),
    "deepcfr": Method("Deep CFR", "cfr", ("main",)),
}
MODEL_PLAYERS = frozenset(method.player for method in METHODS.values())
"""The kinds of players that are named after a model."""


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("text in one line, without signs that steer a terminal, was expected")
    return text


def _lines(text: str) -> str:
    _printable(text.replace("\n", " "))
    return text


def _name(text: str) -> str:
    if not NAME.fullmatch(text):
        raise ValueError(
            f"a name has up to 64 of a-z, 0-9, '.', '_', '-' and begins with one of the first, "
            f"not {text[:80]!r}"
        )
    return text


def _method(text: str) -> str:
    if text not in METHODS:
        raise ValueError(f"a method is one of {', '.join(METHODS)}, not {text[:80]!r}")
    return text


Line = Annotated[str, Field(max_length=2000), AfterValidator(_printable)]
Name = Annotated[str, AfterValidator(_name)]


class Result(BaseModel):
    """One measured result with its 95% interval, in points a deal."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    opponent: Line
    payoff: float
    half_width: float = Field(ge=0)
    win_rate: float | None = Field(default=None, ge=0, le=1)
    boards: int = Field(ge=1)
    seed: int
    command: Line = ""  # measures it again
    elo: float | None = None  # on the scale of the game's strength dial, where it was rated there
    elo_half_width: float | None = Field(default=None, ge=0)

    def __str__(self) -> str:
        wins = "" if self.win_rate is None else f", wins {100 * self.win_rate:.1f}%"
        return (
            f"{self.payoff:+.3g} ± {self.half_width:.2g} points/deal against {self.opponent}{wins} "
            f"(95%, {self.boards} boards, seed {self.seed})"
        )


class ModelCard(BaseModel):
    """All that is known of a model besides its nets."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    format: Literal[1] = 1
    game: Name
    name: Name
    title: Annotated[Line, Field(min_length=1, max_length=80)]
    variant: Line = ""  # the house rules it was trained by, as text; empty for the usual ones
    method: Annotated[str, AfterValidator(_method)]
    config: dict[str, Any] = {}
    seed: int
    commit: Line = ""  # of the sources that trained it; empty if not known
    created: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}(T[0-9:.+Z-]{1,40})?$")]
    deals: int = Field(ge=0)
    minutes: float = Field(ge=0)
    curve: list[dict[str, float | str]] = []
    results: list[Result] = []  # the first is the one to tell if there is room for one
    summary: Annotated[str, Field(max_length=4000), AfterValidator(_lines)] = ""

    @property
    def reference(self) -> str:
        """`game/name`."""
        return f"{self.game}/{self.name}"

    @property
    def player(self) -> str:
        """The player that this model is, with its usual settings."""
        return f"{METHODS[self.method].player}:{self.reference}"
