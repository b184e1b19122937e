"""The house rules of Leduc hold'em."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from overtrick.games.tally import TallyVariant

__all__ = ["LeducVariant"]


@dataclass(frozen=True)
class LeducVariant(TallyVariant):
    """The one option of Leduc hold'em."""

    game: ClassVar[str] = "leduc"
