"""Sheephead, as a game on the contract."""

from __future__ import annotations

import re

from overtrick.games import tally
from overtrick.games.game import NOBODY, OVER, Choice, Game
from overtrick.games.sheephead import (
    behaviour,
    believing,
    cases,
    knowledge,
    observing,
    rulebook,
    rules,
    scoring,
    showing,
    solving,
    telling,
)
from overtrick.games.sheephead.rules import DECK, PACKET, SEATS, SheepheadMatch, SheepheadState
from overtrick.games.sheephead.variant import AT_END, SheepheadVariant

__all__ = ["GAME"]

_SEAT_NAMES = ("First", "Second", "Third", "Fourth", "Fifth")
_BIDS = ("pass", "pick")
_CALLS = ("alone", "AC", "AS", "AH", "TC", "TS", "TH")
_SUITS = {"c": "C", "s": "S", "h": "H", "♣": "C", "♠": "S", "♥": "H"}
_SPOKEN_CALL = re.compile(
    r"(?:i )?(?:call )?(?:the )?(ace|a|ten|t|10)(?: of )?([csh♣♠♥]|clubs|spades|hearts)"
    r"(?:,? (?:with an )?unknown)?"
)


def _read_choice(phase: int, text: str) -> Choice | None:
    """A bid or a call as people say it: `I pick`, `I go alone`, `call ace of clubs, unknown`."""
    said = " ".join(text.casefold().split())
    if phase == rules.BID:
        return {"i pass": rules.PASS, "i pick": rules.PICK}.get(said)
    if phase != rules.DECLARE:
        return None
    if said in ("i go alone", "go alone", "i play alone", "play alone"):
        return rules.ALONE
    call = _SPOKEN_CALL.fullmatch(said)
    if call is None:
        return None
    return _CALLS.index(("A" if call[1].startswith("a") else "T") + _SUITS[call[2][0]])


# ---------------------------------------------------------------------------- the match record


def _layout(match: SheepheadMatch) -> dict[str, list[int]]:
    """Seat f+k gets the k-th packet of three before the blind and the k-th after it."""
    first = int(match.dealer) + 1 if match.people == SEATS else 0
    dealt = {}
    for seat in range(SEATS):
        place = PACKET * ((seat - first) % SEATS)
        again = rules.SECOND_PACKETS + place
        dealt[str(seat)] = [*range(place, place + PACKET), *range(again, again + PACKET)]
    return {**dealt, "blind": [*range(rules.FIRST_OF_BLIND, rules.SECOND_PACKETS)]}


def _complaint(match: SheepheadMatch) -> str | None:
    if match.deals < 0:
        return "deals count from 0"
    if not 0 <= match.dealer < match.people:
        return f"the dealer is one of 0 to {match.people - 1}"
    if match.double_left < 0:
        return "double_left counts from 0"
    if match.people == SEATS:
        return "money is for more than five people" if any(match.money) else None
    if any(match.money[match.people :]):
        return f"there are {match.people} people with money"
    if [match.money[person] for person in scoring.people_at_table(match)] != [*match.scores]:
        return "scores are the money of the people who play next"
    return None


# ---------------------------------------------------------------------------- what everybody sees


def _describe(state: SheepheadState) -> list[tuple[str, str]]:
    told = [
        ("dealer", _SEAT_NAMES[int(state.dealer)]),
        ("stakes", "doubled" if state.multiplier == 2 else "single"),
        ("picker", _picker(state)),
    ]
    if state.picker == NOBODY:
        return [*told, *([] if state.trumps else [("tricks", _tricks(state))])]
    if state.phase not in (rules.BURY, rules.DECLARE):
        told.append(("call", DECK.texts(int(state.called)) or _CALLS[rules.ALONE]))
    if state.lies or state.turned:
        told.append(("unknown card", _unknown(state)))
    if state.called:
        shown = [seat for seat in range(SEATS) if state.played[seat] & state.called]
        told.append(("partner", _partner(state, shown)))
    told.append(("points", _points(state)))
    return [*told, *_private(state)]


def _picker(state: SheepheadState) -> str:
    if state.picker != NOBODY:
        return _SEAT_NAMES[int(state.picker)]
    if state.phase == rules.BID:
        return "nobody yet"
    return "nobody, dealt again" if state.trumps else "nobody, a Nola hand"


def _partner(state: SheepheadState, shown: list[int]) -> str:
    if not shown:
        return "not shown"
    return "nobody" if shown[0] == state.picker else _SEAT_NAMES[shown[0]]


def _is_face_down(state: SheepheadState) -> bool:
    """Whether the unknown card has not been shown to everybody."""
    shown_late = state.unknown_shown == AT_END and state.phase != OVER
    return bool(state.lies or (state.turned and shown_late))


def _unknown(state: SheepheadState) -> str:
    if _is_face_down(state):
        return "lies face down" if state.lies else "played face down"
    return DECK.texts(int(state.unknown))


def _points(state: SheepheadState) -> str:
    """The card points of each seat's tricks, a card played face down left out."""
    seen = DECK.all & ~int(state.unknown) if _is_face_down(state) else DECK.all
    return " ".join(
        str(sum(each * (int(took) & seen & cards).bit_count() for each, cards in scoring.WORTH))
        for took in state.taken
    )


def _tricks(state: SheepheadState) -> str:
    return " ".join(str(int(took).bit_count() // SEATS) for took in state.taken)


def _private(state: SheepheadState) -> list[tuple[str, str]]:
    """What a picker knows in his view."""
    if state.viewer != state.picker:
        return []
    told = [("blind", DECK.texts(int(state.blind))), ("you buried", DECK.texts(int(state.buried)))]
    if _is_face_down(state):
        told.append(("your unknown card", DECK.texts(int(state.unknown))))
    return told


GAME = Game(
    name="sheephead",
    title="Sheephead",
    summary="five players; a picker and the secret partner he calls against the rest, 120 points",
    deck=DECK,
    seats=SEATS,
    phases=("bid", "bury", "declare", "unknown", "play"),
    state=rules.STATE,
    match=rules.MATCH,
    variant=SheepheadVariant,
    rules=vars(tally)
    | vars(rules)
    | vars(scoring)
    | vars(cases)
    | vars(knowledge)
    | vars(observing)
    | vars(rulebook)
    | vars(solving)
    | vars(believing),
    encodings=observing.ENCODINGS,
    metrics=behaviour.METRICS,
    role_of=behaviour.role_of,
    rulebooks=rulebook.RULEBOOKS,
    layout=_layout,
    gains="points",
    search_defaults={"belief": "rulebook:strong", "solves": "6"},
    choice_names=(_BIDS, DECK.names, _CALLS, DECK.names, DECK.names),
    action_offsets=(32, 0, 34, 0, 0),
    read_choice=_read_choice,
    describe=_describe,
    check_match=_complaint,
    sights=telling.sights,
    arrange=telling.arrange,
    swap=telling.swap,
    payoff_scale=scoring.PAYOFF_SCALE,
    people_of=lambda variant: int(variant.people),
    showing=showing.SHOWING,
    seat_names=_SEAT_NAMES,
)
