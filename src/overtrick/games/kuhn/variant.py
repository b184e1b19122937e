"""The house rules of Kuhn poker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from overtrick.games.tally import TallyVariant

__all__ = ["KuhnVariant"]


@dataclass(frozen=True)
class KuhnVariant(TallyVariant):
    """The one option of Kuhn poker."""

    game: ClassVar[str] = "kuhn"
