"""The house rules of 3 x 3 whist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from overtrick.games.tally import TallyVariant

__all__ = ["WhistVariant"]


@dataclass(frozen=True)
class WhistVariant(TallyVariant):
    """The one option of 3 x 3 whist."""

    game: ClassVar[str] = "whist3x3"
