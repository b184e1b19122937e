"""Every Hearts vector and the complete deal of RULES.md, on the engine, compiled and interpreted.

A vector gives a piece of a position; it is set up in a record, and the generic rules answer.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from interpreted import passes_interpreted
from overtrick.cards import each
from overtrick.engine.batches import legal_all, payoffs_all, play_all, score_all
from overtrick.engine.deals import Deal
from overtrick.games import load_game
from overtrick.games.game import OVER, Variant
from overtrick.games.hearts import rules, variant
from rules_text import Vector, replays, vectors

HEARTS = load_game("hearts")
VECTORS = vectors("HE")
DIRECTIONS = {"left": variant.LEFT, "right": variant.RIGHT, "across": variant.ACROSS}
Records = np.ndarray[Any, Any]


def word(vector: Vector, name: str) -> str:
    value = vector.args[name]
    assert isinstance(value, str)
    return value


def numbers(vector: Vector, name: str) -> list[int]:
    return [int(number) for number in vector.args[name]]


def house_rules(vector: Vector) -> Variant:
    """The variant with the options that a vector names."""
    named = {name: value for name, value in vector.args.items() if name in HEARTS.variant.options()}
    return HEARTS.variant_of(named)


def mid_deal(vector: Vector, *, trickno: int, broken: int) -> Records:
    """A record in which seat 0 is to lead to a trick."""
    states = HEARTS.blank_states(1, house_rules(vector))
    states["phase"] = rules.PLAY
    states["seat"] = states["leader"] = 0
    states["tricks"] = trickno
    states["broken"] = broken
    return states


def play_trick(states: Records, names: str | list[str]) -> None:
    """Let the seats play these cards in turn; each holds its card."""
    for seat, card in enumerate(HEARTS.deck.sequence(names)):
        states["hands"][0, seat] |= 1 << card
        assert states["seat"][0] == seat
        play_all(states, np.array([card], dtype=np.int64))


def ended(vector: Vector) -> Records:
    """A record of a deal that is over, with the points of a vector taken."""
    states = HEARTS.blank_states(1, house_rules(vector))
    states["phase"] = OVER
    states["points"][0] = numbers(vector, "points")
    return states


def answer_legal(vector: Vector) -> set[str]:
    states = mid_deal(
        vector, trickno=int(word(vector, "trickno")), broken=int(word(vector, "broken"))
    )
    play_trick(states, vector.args["trick"])
    states["hands"][0, states["seat"][0]] = HEARTS.deck.set(vector.args["hand"])
    legals = np.zeros(1, dtype=np.int64)
    legal_all(states, legals)
    return {HEARTS.deck.text(card) for card in each(int(legals[0]))}


def answer_winner(vector: Vector) -> int:
    states = mid_deal(vector, trickno=5, broken=0)
    play_trick(states, vector.args["trick"])
    assert states["seat"][0] == states["leader"][0]
    return int(states["leader"][0])


def answer_points(vector: Vector) -> int:
    states = mid_deal(vector, trickno=5, broken=0)
    play_trick(states, vector.args["trick"])
    points = states["points"][0]
    assert points.sum() == points[states["leader"][0]]
    return int(points.sum())


def answer_passto(vector: Vector) -> int:
    return int(rules.receiver(int(word(vector, "seat")), DIRECTIONS[word(vector, "dir")]))


def answer_returns(vector: Vector) -> list[Fraction]:
    results = np.zeros((1, 4), dtype=np.int64)
    payoffs_all(ended(vector), results)
    return [HEARTS.points(payoff) for payoff in results[0]]


def answer_match_after(vector: Vector) -> list[int]:
    matches = HEARTS.blank_matches(1, house_rules(vector))
    matches["scores"][0] = numbers(vector, "match")
    score_all(matches, ended(vector))
    assert matches["deals"][0] == 1
    return [int(score) for score in matches["scores"][0]]


ANSWERS: dict[str, Callable[[Vector], object]] = {
    "legal": answer_legal,
    "winner": answer_winner,
    "points": answer_points,
    "passto": answer_passto,
    "returns": answer_returns,
    "match_after": answer_match_after,
}


def expected(vector: Vector) -> object:
    """The result in the type of the answer: a set of cards, a number, or one for each seat."""
    if isinstance(vector.result, list):
        return set(vector.result)
    if "," in vector.result:
        return [Fraction(part) for part in vector.result.split(",")]
    return int(vector.result)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.id)
def test_the_engine_agrees_with_the_vector(vector: Vector) -> None:
    assert ANSWERS[vector.kind](vector) == expected(vector)


def test_hearts_has_24_vectors() -> None:
    assert [vector.id for vector in VECTORS] == [f"HE-{number:02}" for number in range(1, 25)]


def test_the_engine_agrees_with_the_complete_deal() -> None:
    lines = replays()["hearts"]
    hands = {line[5]: line[8:] for line in lines if line.startswith("hand")}
    passes = [line.split()[3:] for line in lines if line.startswith("pass")]
    deal = Deal.from_cards("hearts", hands)
    while deal.phase == "pass":
        assert deal.seat is not None
        deal = deal.play(passes[deal.seat].pop(0))
    for line in lines:
        if line.startswith("trick"):
            deal = played_as_written(deal, line)
    result = re.fullmatch(r"result points (.*) returns (.*)", lines[-1])
    assert result is not None
    assert deal.is_over
    assert dict(deal.public)["points"] == result[1]
    assert deal.payoffs == tuple(Fraction(part) for part in result[2].split())


def played_as_written(deal: Deal, line: str) -> Deal:
    """The deal after a trick written as `trick 3: 2C JC AC QC -> 1 (0)`, which is checked."""
    written = re.fullmatch(r"trick (\d): (.*) -> (\d) \((\d+)\)", line)
    assert written is not None
    before = deal.records["points"][0]
    assert deal.seat == int(written[1])
    for card in written[2].split():
        deal = deal.play(card)
    gained = deal.records["points"][0] - before
    assert int(deal.records["leader"][0]) == int(written[3])
    assert gained.sum() == gained[int(written[3])] == int(written[4])
    return deal


@pytest.mark.long
def test_all_of_it_holds_for_the_interpreted_engine_too() -> None:
    passes_interpreted(__file__, len(VECTORS) + 2)
