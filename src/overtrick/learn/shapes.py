"""The plain net that the settings of a method tell of."""

from __future__ import annotations

from typing import Any, Protocol

from overtrick.games.game import Game
from overtrick.learn.measuring import usual_reach
from overtrick.learn.nets import Steady
from overtrick.nets.spec import NetSpec, spec_for

__all__ = ["Shaped", "plain_spec"]


class Shaped(Protocol):
    """Settings that tell how large a net is, what it is shown, and how it is kept steady."""

    @property
    def units(self) -> int:
        """Units in a layer of the body."""

    @property
    def layers(self) -> int:
        """Layers of the body."""

    @property
    def encoding(self) -> str:
        """Flags that the net is shown; the game's first if empty."""

    @property
    def variant(self) -> str:
        """House rules; the default ones if empty."""

    @property
    def steady(self) -> Steady:
        """What keeps learning steady."""


def plain_spec(game: Game, config: Shaped, **told: Any) -> NetSpec:
    """The net of these settings; whatever is told beside them goes before."""
    usual = {
        "units": config.units,
        "layers": config.layers,
        "head": getattr(config, "head", 0),
        "hands": getattr(config, "hands", False),
        "encoding": config.encoding,
        "value": getattr(config, "value", ""),
        "reach": usual_reach(game, config.variant),
        "cap": config.steady.cap,
        "logit_clip": config.steady.logit_clip,
    }
    return spec_for(game, **{**usual, **told})
