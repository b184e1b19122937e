"""The plain net that the settings of a method tell of."""

from __future__ import annotations

from typing import Any, Protocol

from pydantic import ValidationError

from overtrick.errors import BadOption
from overtrick.games.game import Game
from overtrick.learn.measuring import usual_reach
from overtrick.learn.nets import Steady
from overtrick.models.files import LARGEST
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
    """The net of these settings; whatever is told beside them goes before.

    One that no model could keep is refused.
    """
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
    try:
        spec = spec_for(game, **{**usual, **told})
    except ValidationError as error:
        first = error.errors()[0]
        said = f"{first['loc'][0]}: {first['msg'][:1].lower()}{first['msg'][1:]}"
        raise BadOption(f"there is no such net: {said}, not {first['input']!r}") from None
    if usual["value"] == "side" and game.seats != 2 and game.teams is None:
        raise BadOption(f"{game.name} has no two sides: its nets have value=seat, not value=side")
    if 4 * spec.parameters > LARGEST:
        raise BadOption(f"a net has at most {LARGEST // 4:,} numbers, not {spec.parameters:,}")
    return spec
