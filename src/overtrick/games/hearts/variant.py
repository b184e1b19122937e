"""The house rules of Hearts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from overtrick.games.game import Variant, option

__all__ = [
    "ACROSS",
    "ADD_OTHERS",
    "AUTO",
    "HOLD",
    "LEFT",
    "RIGHT",
    "SUBTRACT_SELF",
    "HeartsVariant",
]

HOLD, LEFT, ACROSS, RIGHT = range(4)  # how many seats a passed card moves on
DIRECTIONS = {"L": LEFT, "R": RIGHT, "A": ACROSS, "H": HOLD}

ADD_OTHERS, SUBTRACT_SELF, AUTO = range(3)
MOON = {"add_others": ADD_OTHERS, "subtract_self": SUBTRACT_SELF, "auto": AUTO}

LONGEST_CYCLE = 16


def _cycle_complaint(cycle: Any) -> str | None:
    good = isinstance(cycle, str) and 1 <= len(cycle) <= LONGEST_CYCLE
    if good and set(cycle) <= set(DIRECTIONS):
        return None
    return f"is 1 to {LONGEST_CYCLE} letters out of L (left), R (right), A (across), H (hold)"


@dataclass(frozen=True)
class HeartsVariant(Variant):
    """The options of Hearts; the defaults are those of RULES."""

    game: ClassVar[str] = "hearts"

    pass_cycle: str = option(
        "LRAH", "direction of the pass, deal after deal", check=_cycle_complaint
    )
    no_points_first_trick: bool = option(
        True, "no heart and no queen of spades in the first trick unless nothing else is legal"
    )
    must_break_hearts: bool = option(
        True, "hearts may be led only once broken, or from a hand of nothing else"
    )
    qs_breaks_hearts: bool = option(True, "the queen of spades breaks hearts too")
    hearts_instead_of_forced_qs: bool = option(
        False, "a leader with only hearts and the queen of spades may lead a heart"
    )
    moon: str = option(
        "add_others", "what a player who takes all 26 points does to the match", values=tuple(MOON)
    )
    target: int = option(100, "the match ends when a player has this many points", at_least=1)
    stop_when_decided: bool = option(
        False, "end the deal at a trick's end once all 26 points are taken"
    )

    def pack(self) -> dict[str, int]:
        """The options as record fields; the cycle takes two bits a deal."""
        cycle = [DIRECTIONS[letter] for letter in self.pass_cycle]
        return {
            "pass_cycle": sum(direction << 2 * number for number, direction in enumerate(cycle)),
            "pass_cycle_length": len(cycle),
            "moon": MOON[self.moon],
            **{
                name: int(getattr(self, name))
                for name in self.options()
                if name not in ("pass_cycle", "moon")
            },
        }
