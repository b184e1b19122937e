"""What a game tells the exact solver: sides, goals, and which positions and choices are alike.

All of it is about whole deals. A game that says nothing has no sides, and its endings are solved
by max^n; with sides, every question is of the form: can this side, whatever the others do, bring
its gains of one kind to a target? The payoffs of a deal are a ladder of such goals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from overtrick.games.contract import Choice, Choices, Row, State
from overtrick.jit import face, popcount, rule

__all__ = [
    "DEFAULTS",
    "alike",
    "bounds",
    "gained",
    "position_key",
    "rung",
    "rungs",
    "sides",
    "to_gain",
    "tricks_to_play",
    "urge",
]


@face
def sides(state: State) -> int:
    """The seats that play together against all others to the end, as bits; 0 if there are none."""
    raise AssertionError


@face
def rungs(state: State) -> int:
    """How many different ends the deal can come to, from the worst for the side to the best.

    Whoever reaches a rung has reached all below it. A deal without sides is solved by max^n if it
    has a rung; one without rungs, as in an auction, is not solved at all.
    """
    raise AssertionError


@face
def rung(state: State, number: int, goal: Row, won: Row) -> None:
    """Write what a rung takes, goal[0] the kind of gains and goal[1] the target, and what it pays.

    `won` gets each seat's payoff if the side reaches this rung and not the next. Rung 0 is reached
    by doing nothing: its target is 0.
    """
    raise AssertionError


@face
def tricks_to_play(state: State) -> int:
    """How many tricks are left, that on the table included: whether a deal is near its end.

    A game that says nothing else has as many as the seat to act has cards.
    """
    raise AssertionError


@face
def gained(state: State, kind: int) -> int:
    """How much of one kind the side has. Kind 0 is what people count: tricks or points.

    It never falls, and once the deal is over it is final.
    """
    raise AssertionError


@face
def to_gain(state: State, kind: int) -> int:
    """How much of this kind the side can still add at most; 0 ends the search."""
    raise AssertionError


@face
def bounds(state: State, kind: int) -> tuple[int, int]:
    """How much of this kind the side will add at least and can add at most.

    Asked only of positions worth remembering, so it may take longer than `to_gain`: here belong
    tricks that are sure to be taken. A game that says nothing else has 0 and `to_gain`.
    """
    raise AssertionError


@face
def position_key(state: State, kind: int, key: Row) -> bool:
    """Write what the rest of the deal depends on into key[0] and key[1].

    From two positions with equal keys the same gains of this kind can be made. Says
    whether the position is worth remembering, as it is between tricks. For max^n `kind` is -1:
    equal keys then mean equal payoffs.
    """
    raise AssertionError


@face
def alike(state: State, choices: Choices) -> Choices:
    """The choices without those that are worth exactly the same as a lower one left in."""
    raise AssertionError


@face
def urge(state: State, choice: Choice) -> int:
    """How soon a choice should be tried: the larger the sooner."""
    raise AssertionError


# ---------------------------------------------------------------------------- the defaults


@rule
def no_sides(state: State) -> int:
    return 0


@rule
def no_rungs(state: State) -> int:
    return 0


@rule
def no_rung(state: State, number: int, goal: Row, won: Row) -> None:
    goal[0] = 0
    goal[1] = 0


@rule
def cards_in_hand(state: State) -> int:
    return popcount(state.hands[state.seat])


@rule
def no_gain(state: State, kind: int) -> int:
    return 0


@rule
def plain_bounds(state: State, kind: int) -> tuple[int, int]:
    return 0, to_gain(state, kind)


@rule
def no_key(state: State, kind: int, key: Row) -> bool:
    return False


@rule
def all_differ(state: State, choices: Choices) -> Choices:
    return choices


@rule
def no_urge(state: State, choice: Choice) -> int:
    return 0


DEFAULTS: Mapping[str, Callable[..., Any]] = {
    "sides": no_sides,
    "rungs": no_rungs,
    "rung": no_rung,
    "tricks_to_play": cards_in_hand,
    "gained": no_gain,
    "to_gain": no_gain,
    "bounds": plain_bounds,
    "position_key": no_key,
    "alike": all_differ,
    "urge": no_urge,
}
