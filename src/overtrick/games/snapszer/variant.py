"""The house rules of Snapszer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from overtrick.games.game import Option, Variant, option

__all__ = ["ACTION", "AT_CLOSE", "AUTO", "FINAL", "SnapszerVariant"]

AUTO, ACTION = range(2)
EXCHANGE = {"auto": AUTO, "action": ACTION}

FINAL, AT_CLOSE = range(2)
CLOSE_SUCCESS_BASIS = {"final": FINAL, "at_close": AT_CLOSE}


@dataclass(frozen=True)
class SnapszerVariant(Variant):
    """The options of Snapszer; the defaults are those of RULES."""

    game: ClassVar[str] = "snapszer"

    exchange: str = option(
        "auto",
        "whether the jack of trumps is exchanged for the upcard at once, or by choice",
        values=tuple(EXCHANGE),
    )
    exchange_min_talon: int = option(
        2, "the smallest talon, upcard included, with which the jack is exchanged", values=(2, 4)
    )
    close_min_talon: int = option(
        4, "the smallest talon, upcard included, that may be closed", values=(2, 4)
    )
    auto_66: bool = field(
        default=True,
        metadata={"option": Option("66 points end the deal at once; nobody claims", (True,))},
    )
    close_success_basis: str = option(
        "final",
        "which tricks and points of the loser count once a closer has made 66",
        values=tuple(CLOSE_SUCCESS_BASIS),
    )
    target: int = option(7, "the match ends when a player has this many game points", at_least=1)

    def pack(self) -> dict[str, int]:
        """The options as record fields."""
        return {
            "exchange": EXCHANGE[self.exchange],
            "exchange_min_talon": self.exchange_min_talon,
            "close_min_talon": self.close_min_talon,
            "close_success_basis": CLOSE_SUCCESS_BASIS[self.close_success_basis],
            "target": self.target,
        }
