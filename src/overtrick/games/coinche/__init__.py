"""Coinche, as a game on the contract."""

from __future__ import annotations

import re
import unicodedata

from overtrick.games.coinche import (
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
from overtrick.games.coinche.rules import CoincheMatch, CoincheState
from overtrick.games.coinche.variant import CoincheVariant
from overtrick.games.game import NOBODY, Choice, Game

__all__ = ["GAME"]

_SEAT_NAMES = ("North", "East", "South", "West")
_VALUES = (*range(80, 170, 10), 250)
_BIDS = tuple(f"{value}{suit}" for value in _VALUES for suit in "SHDC")
_CALLS = ("P", *_BIDS, "X", "XX")
_DOUBLED = ("", ", coinched", ", surcoinched")

_WORDS = {
    "passe": rules.PASS,
    "je passe": rules.PASS,
    "pass": rules.PASS,
    "coinche": rules.COINCHE,
    "je coinche": rules.COINCHE,
    "contre": rules.COINCHE,
    "surcoinche": rules.SURCOINCHE,
    "je surcoinche": rules.SURCOINCHE,
    "surcontre": rules.SURCOINCHE,
}
_SUIT_WORDS = {
    **dict.fromkeys(("pique", "piques", "spade", "spades", "s", "♠"), "S"),
    **dict.fromkeys(("coeur", "coeurs", "heart", "hearts", "h", "♥"), "H"),
    **dict.fromkeys(("carreau", "carreaux", "diamond", "diamonds", "d", "♦"), "D"),
    **dict.fromkeys(("trefle", "trefles", "club", "clubs", "c", "♣"), "C"),
}


def _layout(match: CoincheMatch) -> dict[str, list[int]]:
    """Seat D+1+k is dealt eight cards from the 8k-th."""
    first = int(match.deals) + 1
    starts = {seat: rules.HAND_SIZE * ((seat - first) % rules.SEATS) for seat in range(rules.SEATS)}
    return {str(seat): list(range(at, at + rules.HAND_SIZE)) for seat, at in starts.items()}


def _complaint(match: CoincheMatch) -> str | None:
    if match.deals < 0:
        return "deals count from 0"
    scores = [int(total) for total in match.scores]
    if min(scores) < 0 or scores[:2] != scores[2:]:
        return "scores are 0 or more and the same for both partners"
    return None


def _without_accents(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe"))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(letters.split())


def _read_choice(phase: int, text: str) -> Choice | None:
    """Calls as they are spoken in French: passe, 80 pique, capot trèfle, coinche, surcoinche."""
    if phase != rules.BID:
        return None
    words = _without_accents(text)
    bid = re.fullmatch(r"(\d+|capot) ?(\D+)", words, re.ASCII)
    if bid is None or bid[2] not in _SUIT_WORDS:
        return _WORDS.get(words)
    name = bid[1].replace("capot", "250") + _SUIT_WORDS[bid[2]]
    return _CALLS.index(name) if name in _BIDS else None


def _describe(state: CoincheState) -> list[tuple[str, str]]:
    contract = "none"
    if state.bid:
        bidder = _SEAT_NAMES[int(state.bidder)]
        contract = f"{_CALLS[int(state.bid)]} by {bidder}{_DOUBLED[int(state.doubled)]}"
    told = [
        ("dealer", _SEAT_NAMES[int(state.dealer)]),
        ("contract", contract),
        ("points", f"North/South {state.points[0]}, East/West {state.points[1]}"),
    ]
    if state.announcer != NOBODY:
        told.append(("belote", _SEAT_NAMES[int(state.announcer)]))
    return told


GAME = Game(
    name="coinche",
    title="Coinche",
    summary="two teams bid for trump and for points; eight tricks, doubled by coinche",
    deck=rules.DECK,
    seats=rules.SEATS,
    phases=("bid", "play"),
    state=rules.STATE,
    match=rules.MATCH,
    variant=CoincheVariant,
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
    search_defaults={
        "playout": "rulebook:expert",
        "belief": "rulebook:expert",
        "solves": "8",
    },
    choice_names=(_CALLS, rules.DECK.names),
    action_offsets=(len(rules.DECK), 0),
    read_choice=_read_choice,
    check_match=_complaint,
    sights=telling.sights,
    arrange=telling.arrange,
    payoff_scale=1000,
    showing=showing.SHOWING,
    seat_names=_SEAT_NAMES,
    teams=(0, 1, 0, 1),
    describe=_describe,
)
