"""New game, on the contract of Overtrick. The entry point in pyproject.toml names its `GAME`."""

from __future__ import annotations

from newgame import rules
from newgame.rules import CARDS, DECK, FIRST_OF_TALON, SEATS, TRICKS, NewGameMatch, NewGameState
from newgame.variant import TRUMPS, NewGameVariant
from overtrick.games.game import Game

__all__ = ["GAME"]


def _layout(match: NewGameMatch) -> dict[str, list[int]]:
    """Which positions of the shuffled deck go where."""
    first = (int(match.deals) + 1) % SEATS
    hands = {
        str(seat): [*range((seat - first) % SEATS, FIRST_OF_TALON, SEATS)] for seat in range(SEATS)
    }
    talon = [*range(FIRST_OF_TALON, CARDS)]
    return {**hands, "talon": talon} if talon else hands


def _complaint(match: NewGameMatch) -> str | None:
    """What is wrong with a match from outside."""
    return None if match.deals >= 0 else "deals count from 0"


def _describe(state: NewGameState) -> list[tuple[str, str]]:
    """What everybody sees beyond hands and tricks."""
    trump = next(name for name, cards in TRUMPS.items() if cards == state.trump)
    return [("trump", trump), ("tricks", " ".join(map(str, state.tricks)))]


GAME = Game(
    name="newgame",
    title="New game",
    summary="three players, twelve cards, four tricks",
    deck=DECK,
    seats=SEATS,
    phases=("play",),
    state=rules.STATE,
    match=rules.MATCH,
    variant=NewGameVariant,
    rules=vars(rules),
    layout=_layout,
    choice_names=(DECK.names,),
    action_offsets=(0,),
    describe=_describe,
    check_match=_complaint,
    payoff_scale=SEATS * TRICKS - TRICKS,
)
