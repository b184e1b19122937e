"""The house rules of Coinche."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from overtrick.games.game import Variant, option

__all__ = [
    "CLASSIC",
    "FFB",
    "GOOD",
    "MIRROR",
    "MUST",
    "NO_DEFENSE",
    "NO_UNDERRUFF",
    "PAYS_BID",
    "THOUSANDTHS",
    "CoincheVariant",
]

CLASSIC, MIRROR, NO_DEFENSE, GOOD = range(4)
FREE, MUST = range(2)
NO_UNDERRUFF = 1
OFF, FFB = range(2)
PAYS_STAKE, PAYS_BID = range(2)

CODES = {
    "reward_matrix": {
        "mirror": MIRROR,
        "classic": CLASSIC,
        "no_defense": NO_DEFENSE,
        "good": GOOD,
    },
    "undertrump": {"free": FREE, "must": MUST},
    "partner_ruff": {"free": FREE, "no_underruff": NO_UNDERRUFF},
    "belote": {"ffb": FFB, "off": OFF},
    "coinche_fail": {"stake": PAYS_STAKE, "bid": PAYS_BID},
}

THOUSANDTHS = 1000
_LARGEST = 1000
_DECIMAL = re.compile(r"\d{1,9}(\.\d{0,9})?|\.\d{1,9}", re.ASCII)


def _thousandths(value: Any) -> int | None:
    """A number, or its text, in thousandths; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value)
    if not _DECIMAL.fullmatch(text):
        return None
    exact = Decimal(text) * THOUSANDTHS
    return int(exact) if exact == int(exact) and exact <= _LARGEST * THOUSANDTHS else None


def _reward_complaint(value: Any) -> str | None:
    if _thousandths(value) is None:
        return f"is a number from 0 to {_LARGEST} with at most three decimals"
    return None


@dataclass(frozen=True)
class CoincheVariant(Variant):
    """The options of Coinche; the defaults are those of RULES.

    `trick_reward` may be given as a number or as text, and is kept as the shortest text: 0.1.
    """

    game: ClassVar[str] = "coinche"

    reward_matrix: str = option(
        "mirror",
        "what a contract made or failed is rewarded with in learning; payoffs are always mirror",
        values=tuple(CODES["reward_matrix"]),
    )
    undertrump: str = option(
        "free",
        "whether a seat void in the led suit that cannot beat an opponent's trump must still trump",
        values=tuple(CODES["undertrump"]),
    )
    partner_ruff: str = option(
        "free",
        "with no_underruff, no trump below the partner's winning one by a seat that could beat it",
        values=tuple(CODES["partner_ruff"]),
    )
    belote: str = option(
        "ffb",
        "ffb: king and queen of trump in one hand are announced and count 20; off: neither",
        values=tuple(CODES["belote"]),
    )
    belote_in_reward: bool = option(
        False, "rewards in learning also hold the belote, own side's less the other side's"
    )
    coinche_fail: str = option(
        "stake",
        "a coinched contract that fails pays 160 (capot 250), or with bid what was bid",
        values=tuple(CODES["coinche_fail"]),
    )
    surcoinche_mult: int = option(4, "what a surcoinche multiplies by", values=(4, 3))
    trick_reward: str = option(
        "0",
        "learning: after each trick its takers are rewarded with this times its points",
        check=_reward_complaint,
    )
    target: int = option(1000, "the match ends when a team has this many points", at_least=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        shortest = Decimal(_thousandths(self.trick_reward) or 0) / THOUSANDTHS
        object.__setattr__(self, "trick_reward", format(shortest.normalize(), "f"))

    def pack(self) -> dict[str, int]:
        """The options as record fields; `trick_reward` in thousandths."""
        return {
            **{name: codes[getattr(self, name)] for name, codes in CODES.items()},
            "belote_in_reward": int(self.belote_in_reward),
            "surcoinche_mult": self.surcoinche_mult,
            "trick_reward": _thousandths(self.trick_reward) or 0,
            "target": self.target,
        }
