"""The house rules of Hokm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from overtrick.games.game import Variant, option

__all__ = [
    "AGENT",
    "HEURISTIC",
    "RANDOM",
    "ROTATE",
    "WINNER_KEEPS",
    "HokmVariant",
]

RANDOM = -1
FIRST_HAKEM = {"random": RANDOM, "0": 0, "1": 1, "2": 2, "3": 3}

WINNER_KEEPS, ROTATE = range(2)
NEXT_HAKEM = {"winner_keeps": WINNER_KEEPS, "rotate": ROTATE}

AGENT, HEURISTIC = range(2)
TRUMP_POLICY = {"agent": AGENT, "heuristic": HEURISTIC}


@dataclass(frozen=True)
class HokmVariant(Variant):
    """The options of Hokm; the defaults are those of RULES."""

    game: ClassVar[str] = "hokm"

    trump_choice_cards: int = option(
        5, "how many of his cards the hakem sees when he chooses trump", values=(5, 13)
    )
    kot_points: int = option(2, "what a kot (7-0) by the hakem's team is worth", at_least=1)
    hakem_kot_points: int = option(
        2, "what a kot (7-0) against the hakem's team is worth", values=(2, 3)
    )
    stop_at_seven: bool = option(True, "end the deal once a team has seven tricks")
    target: int = option(7, "the match ends when a team has this many points", at_least=1)
    first_hakem: str = option(
        "random", "the hakem of the first deal: drawn, or a seat", values=tuple(FIRST_HAKEM)
    )
    next_hakem: str = option(
        "winner_keeps",
        "a hakem whose team wins stays, or the next seat follows after every deal",
        values=tuple(NEXT_HAKEM),
    )
    trump_policy: str = option(
        "agent", "the hakem chooses trump, or his longest suit is taken", values=tuple(TRUMP_POLICY)
    )

    def pack(self) -> dict[str, int]:
        """The options as record fields."""
        words = {
            "first_hakem": FIRST_HAKEM[self.first_hakem],
            "next_hakem": NEXT_HAKEM[self.next_hakem],
            "trump_policy": TRUMP_POLICY[self.trump_policy],
        }
        numbers = {name: int(getattr(self, name)) for name in self.options() if name not in words}
        return numbers | words
