"""Snapszer, as a game on the contract."""

from __future__ import annotations

from overtrick.games.game import NOBODY, Game
from overtrick.games.snapszer import (
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
from overtrick.games.snapszer.rules import DECK, RANKS, SnapszerMatch, SnapszerState
from overtrick.games.snapszer.variant import SnapszerVariant
from overtrick.games.snapszer.words import SNAPSZER_DECK, SUIT_NAMES, read_choice

__all__ = ["GAME"]

_SEAT_NAMES = ("South", "North")
_SUITS = "hbla"
_ANNOUNCEMENTS = ("close", *(f"marry:{suit}" for suit in _SUITS), "exchange")


def _layout(match: SnapszerMatch) -> dict[str, list[int]]:
    """Five cards to the leader, five to the other; the talon in the order of drawing."""
    leader = int(match.deals) & 1
    hand = rules.HAND_SIZE
    first, second = list(range(hand)), list(range(hand, 2 * hand))
    return {
        "0": second if leader else first,
        "1": first if leader else second,
        "talon": list(range(2 * hand, rules.CARDS - 1)),
        "upcard": [rules.CARDS - 1],
    }


def _complaint(match: SnapszerMatch) -> str | None:
    if match.deals < 0:
        return "deals count from 0"
    return None if min(match.scores) >= 0 else "scores are not negative"


def _describe(state: SnapszerState) -> list[tuple[str, str]]:
    leaders, tricks = int(state.leaders), int(state.tricks)
    taken = [rules.tricks_of(leaders, tricks, seat) for seat in range(rules.SEATS)]
    told = [
        ("trump", SUIT_NAMES[DECK.names.index(DECK.texts(_jack_of_trumps(state))) // RANKS]),
        ("upcard", DECK.texts(int(state.upcard)) or "drawn"),
        ("talon", _talon_text(state)),
        ("points", " ".join(map(str, state.points))),
        ("tricks", " ".join(map(str, taken))),
    ]
    for seat in range(rules.SEATS):
        declared = int(state.declared[seat]) & rules.QUEENS
        if declared:
            suits = " ".join(name[-1] for name in DECK.texts(declared).split())
            told.append((f"{_SEAT_NAMES[seat]} married", suits))
    if state.exchanger != NOBODY:
        taken_up = DECK.text(knowledge.slot_of(int(state.talon), rules.FACE_DOWN))
        jack = DECK.texts(_jack_of_trumps(state))
        told.append(("exchange", f"{_SEAT_NAMES[state.exchanger]} took {taken_up} for {jack}"))
    return told


def _jack_of_trumps(state: SnapszerState) -> int:
    return int(state.trump) & rules.JACKS


def _talon_text(state: SnapszerState) -> str:
    if state.left == 0:
        return "empty"
    cards = f"{state.left} cards"
    return cards if state.closer == NOBODY else f"{cards}, closed by {_SEAT_NAMES[state.closer]}"


GAME = Game(
    name="snapszer",
    title="Snapszer",
    summary="two players, twenty cards and a talon; 66 points win, and closing is a gamble",
    deck=SNAPSZER_DECK,
    seats=rules.SEATS,
    phases=("lead", "follow"),
    state=rules.STATE,
    match=rules.MATCH,
    variant=SnapszerVariant,
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
    gains="points",
    search_defaults={"belief": "rulebook:strong", "solves": "10", "net_endgame": "5"},
    choice_names=((*DECK.names, *_ANNOUNCEMENTS), SNAPSZER_DECK.names),
    action_offsets=(0, 0),
    read_choice=read_choice,
    describe=_describe,
    check_match=_complaint,
    sights=telling.sights,
    foretold=telling.foretold,
    arrange=telling.arrange,
    swap=telling.swap,
    payoff_scale=scoring.MOST_GAME_POINTS,
    showing=showing.SHOWING,
    seat_names=_SEAT_NAMES,
)
