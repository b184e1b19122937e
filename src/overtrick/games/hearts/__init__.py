"""Hearts, as a game on the contract."""

from __future__ import annotations

from overtrick.cards import FRENCH_52
from overtrick.games.game import NOBODY, Game
from overtrick.games.hearts import (
    behaviour,
    believing,
    knowledge,
    observing,
    rulebook,
    rules,
    scoring,
    showing,
    solving,
    telling,
)
from overtrick.games.hearts.rules import HeartsMatch, HeartsState
from overtrick.games.hearts.variant import HeartsVariant

__all__ = ["GAME"]

_DIRECTIONS = ("hold", "left", "across", "right")


def _layout(match: HeartsMatch) -> dict[str, list[int]]:
    """Seat D+1+k is dealt every fourth card from the k-th."""
    dealer = int(match.deals) % rules.SEATS
    return {
        str(seat): list(range((seat - dealer - 1) % rules.SEATS, 52, rules.SEATS))
        for seat in range(rules.SEATS)
    }


def _complaint(match: HeartsMatch) -> str | None:
    return None if match.deals >= 0 else "deals count from 0"


def _describe(state: HeartsState) -> list[tuple[str, str]]:
    told = [
        ("pass", _DIRECTIONS[int(state.direction)]),
        ("hearts", "broken" if state.broken else "not broken"),
        ("points", " ".join(map(str, state.points))),
    ]
    me = int(state.viewer)
    if me != NOBODY and state.direction:
        told.append(("you passed", FRENCH_52.texts(int(state.passed[me]))))
        if state.phase != rules.PASS:
            giver = (me - int(state.direction)) % rules.SEATS
            told.append(("you received", FRENCH_52.texts(int(state.passed[giver]))))
    return told


GAME = Game(
    name="hearts",
    title="Hearts",
    summary="four players, thirteen tricks; every heart and the queen of spades costs points",
    deck=FRENCH_52,
    seats=rules.SEATS,
    phases=("pass", "play"),
    state=rules.STATE,
    match=rules.MATCH,
    variant=HeartsVariant,
    rules=vars(rules)
    | vars(scoring)
    | vars(knowledge)
    | vars(observing)
    | vars(rulebook)
    | vars(solving)
    | vars(believing),
    encodings=observing.ENCODINGS,
    metrics=behaviour.METRICS,
    rulebooks=rulebook.RULEBOOKS,
    layout=_layout,
    gains="points",
    search_defaults={"solves": "6"},
    choice_names=(FRENCH_52.names, FRENCH_52.names),
    action_offsets=(0, 0),
    check_match=_complaint,
    sights=telling.sights,
    foretold=telling.foretold,
    arrange=telling.arrange,
    payoff_unit=scoring.PAYOFF_UNIT,
    payoff_scale=78,
    showing=showing.SHOWING,
    seat_names=("West", "North", "East", "South"),
    describe=_describe,
)
