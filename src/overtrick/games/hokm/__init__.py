"""Hokm, as a game on the contract."""

from __future__ import annotations

from overtrick.cards import FRENCH_52
from overtrick.games.game import NOBODY, Choice, Game
from overtrick.games.hokm import (
    behaviour,
    knowledge,
    observing,
    rulebook,
    rules,
    scoring,
    showing,
    solving,
    telling,
)
from overtrick.games.hokm.rules import HokmMatch, HokmState
from overtrick.games.hokm.variant import HokmVariant

__all__ = ["GAME"]

SEAT_NAMES = ("South", "East", "North", "West")
TEAM_NAMES = ("South and North", "East and West")

_SUIT_WORDS = (
    ("S", "♠", "spade", "spades", "pik"),
    ("H", "♥", "heart", "hearts", "del"),
    ("D", "♦", "diamond", "diamonds", "khesht"),
    ("C", "♣", "club", "clubs", "gheshniz", "geshniz"),
)
_SUITS = {word.casefold(): suit for suit, words in enumerate(_SUIT_WORDS) for word in words}


def _read_choice(phase: int, text: str) -> Choice | None:
    """A suit in English or Persian, with or without `hokm` before it."""
    if phase != rules.TRUMP:
        return None
    words = text.casefold().split()
    if words[:1] == ["hokm"]:
        words = words[1:]
    return _SUITS.get(" ".join(words))


_place_in_deck = getattr(rules.place_in_deck, "py_func", rules.place_in_deck)
"""As plain Python: compiling it would take longer than it is ever used."""


def _layout(match: HokmMatch) -> dict[str, list[int]]:
    """Packets of five, four and four from the hakem on."""
    hakem = int(match.hakem)
    return {
        str(seat): [
            _place_in_deck((seat - hakem) % rules.SEATS, number)
            for number in range(rules.HAND_SIZE)
        ]
        for seat in range(rules.SEATS)
    }


def _complaint(match: HokmMatch) -> str | None:
    scores = [int(score) for score in match.scores]
    if not 0 <= match.hakem < rules.SEATS:
        return f"the hakem is a seat from 0 to {rules.SEATS - 1}"
    if match.deals < 0:
        return "deals count from 0"
    if min(scores) < 0:
        return "scores count from 0"
    if scores[0] != scores[2] or scores[1] != scores[3]:
        return "partners have the same score"
    return None


def _describe(state: HokmState) -> list[tuple[str, str]]:
    told = [
        ("hakem", SEAT_NAMES[int(state.hakem)]),
        ("trump", _trump_text(state)),
        ("tricks", f"{state.tricks[0]}-{state.tricks[1]}"),
    ]
    if state.winner != NOBODY:
        team = TEAM_NAMES[int(state.winner)]
        told.append(("won by", f"{team}, kot" if state.kot else team))
    if state.viewer == state.hakem:
        told.append(("you choose trump on", FRENCH_52.texts(int(state.first_cards))))
    return told


def _trump_text(state: HokmState) -> str:
    for suit, name in enumerate(rules.SUITS):
        if state.trumps == rules.trump_suit(suit):
            return name
    return "not chosen"


GAME = Game(
    name="hokm",
    title="Hokm",
    summary="two teams of two; the hakem chooses trump on five cards, and seven tricks win",
    deck=FRENCH_52,
    seats=rules.SEATS,
    phases=("trump", "play"),
    state=rules.STATE,
    match=rules.MATCH,
    variant=HokmVariant,
    rules=vars(rules)
    | vars(scoring)
    | vars(knowledge)
    | vars(observing)
    | vars(rulebook)
    | vars(solving),
    encodings=observing.ENCODINGS,
    metrics=behaviour.METRICS,
    role_of=behaviour.role_of,
    rulebooks=rulebook.RULEBOOKS,
    layout=_layout,
    gains="tricks",
    search_defaults={"belief": "rulebook:strong", "solves": "9"},
    choice_names=(tuple(rules.SUITS), FRENCH_52.names),
    action_offsets=(52, 0),
    read_choice=_read_choice,
    describe=_describe,
    check_match=_complaint,
    sights=telling.sights,
    foretold=telling.foretold,
    payoff_scale=2,
    scale_of=lambda variant: max(variant.kot_points, variant.hakem_kot_points),
    showing=showing.SHOWING,
    seat_names=SEAT_NAMES,
    wins_decide=True,
    teams=(0, 1, 0, 1),
)
