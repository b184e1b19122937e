"""Every Hokm vector and the complete deal of RULES.md, on the engine, compiled and interpreted.

A vector gives a piece of a position; it is set up in a record, and the generic rules answer.
"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from interpreted import passes_interpreted
from overtrick.cards import each
from overtrick.engine.batches import legal_all, payoffs_all, play_all, score_all
from overtrick.engine.deals import Deal, Match
from overtrick.games import load_game
from overtrick.games.game import OVER, Variant
from overtrick.games.hokm import rules
from rules_text import Vector, replays, vectors

HOKM = load_game("hokm")
VECTORS = vectors("HK")
Records = np.ndarray[Any, Any]


def number(vector: Vector, name: str) -> int:
    value = vector.args[name]
    assert isinstance(value, str)
    return int(value)


def house_rules(vector: Vector) -> Variant:
    """The variant with the options that a vector names."""
    named = {name: value for name, value in vector.args.items() if name in HOKM.variant.options()}
    return HOKM.variant_of(named)


def mid_deal(vector: Vector) -> Records:
    """A record in which seat 0 is to lead to a trick, with the trump of the vector, or spades."""
    states = HOKM.blank_states(1, house_rules(vector))
    states["phase"] = rules.TRUMP
    states["seat"] = states["leader"] = states["hakem"] = 0
    states["winner"] = -1
    trump = vector.args.get("trump", "S")
    assert isinstance(trump, str)
    play_all(states, np.array([HOKM.choice_from(rules.TRUMP, trump)], dtype=np.int64))
    return states


def play_trick(states: Records, names: str | list[str]) -> None:
    """Let the seats play these cards in turn; each holds its card."""
    for seat, card in enumerate(HOKM.deck.sequence(names)):
        states["hands"][0, seat] |= 1 << card
        assert states["seat"][0] == seat
        play_all(states, np.array([card], dtype=np.int64))


def ended(vector: Vector, hakem: int) -> Records:
    """A record of a deal that is over, won as a vector tells."""
    states = HOKM.blank_states(1, house_rules(vector))
    states["phase"] = OVER
    states["hakem"] = hakem
    states["winner"] = number(vector, "winner")
    states["kot"] = vector.args.get("loser_tricks") == "0"
    return states


def answer_legal(vector: Vector) -> set[str]:
    states = mid_deal(vector)
    play_trick(states, vector.args["trick"])
    states["hands"][0, states["seat"][0]] = HOKM.deck.set(vector.args["hand"])
    legals = np.zeros(1, dtype=np.int64)
    legal_all(states, legals)
    return {HOKM.deck.text(card) for card in each(int(legals[0]))}


def answer_winner(vector: Vector) -> int:
    states = mid_deal(vector)
    play_trick(states, vector.args["trick"])
    assert states["seat"][0] == states["leader"][0]
    assert states["tricks"][0].tolist() == [1 - states["seat"][0] % 2, states["seat"][0] % 2]
    return int(states["leader"][0])


def answer_value(vector: Vector) -> int:
    states = ended(vector, hakem=number(vector, "hakem_team"))
    results = np.zeros((1, 4), dtype=np.int64)
    payoffs_all(states, results)
    matches = HOKM.blank_matches(1, house_rules(vector))
    score_all(matches, states)
    won, winner = int(results.max()), number(vector, "winner")
    assert results[0].tolist() == [won if seat % 2 == winner else -won for seat in range(4)]
    assert matches["scores"][0].tolist() == [won * (seat % 2 == winner) for seat in range(4)]
    return won


def answer_next_hakem(vector: Vector) -> int:
    matches = HOKM.blank_matches(1, house_rules(vector))
    score_all(matches, ended(vector, hakem=number(vector, "hakem")))
    return int(matches["hakem"][0])


ANSWERS: dict[str, Callable[[Vector], object]] = {
    "legal": answer_legal,
    "winner": answer_winner,
    "value": answer_value,
    "next_hakem": answer_next_hakem,
}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.id)
def test_the_engine_agrees_with_the_vector(vector: Vector) -> None:
    expected = set(vector.result) if isinstance(vector.result, list) else int(vector.result)
    assert ANSWERS[vector.kind](vector) == expected


def test_hokm_has_18_vectors() -> None:
    assert [vector.id for vector in VECTORS] == [f"HK-{number:02}" for number in range(1, 19)]


def test_the_engine_agrees_with_the_complete_deal() -> None:
    lines = replays()["hokm"]
    hands = {line[5]: line[8:] for line in lines if line.startswith("hand")}
    told = next(line.split() for line in lines if line.startswith("hakem"))
    match = Match.from_text("hokm", f"hakem={told[1]}")
    deal = Deal.from_cards("hokm", hands, match=match).play(told[3])
    for line in lines:
        if line.startswith("trick"):
            deal = played_as_written(deal, line)
    result = re.fullmatch(r"result tricks (.*) returns (.*)", lines[-1])
    assert result is not None
    assert deal.is_over
    assert dict(deal.public)["tricks"] == result[1]
    assert deal.payoffs == tuple(int(part) for part in result[2].split())


def played_as_written(deal: Deal, line: str) -> Deal:
    """The deal after a trick written as `trick 0: AS 2S 3S TS -> 0`, which is checked."""
    written = re.fullmatch(r"trick (\d): (.*) -> (\d)", line)
    assert written is not None
    assert deal.seat == int(written[1])
    for card in written[2].split():
        deal = deal.play(card)
    assert int(deal.records["leader"][0]) == int(written[3])
    return deal


@pytest.mark.long
def test_all_of_it_holds_for_the_interpreted_engine_too() -> None:
    passes_interpreted(__file__, len(VECTORS) + 2)
