"""Every Snapszer vector and the complete deal of RULES.md, on the engine, compiled and not.

A vector gives a piece of a position; it is set up in a record, and the generic rules answer.
"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from interpreted import passes_interpreted
from overtrick.cards import each
from overtrick.engine.batches import legal_all, payoffs_all, play_all
from overtrick.engine.deals import Deal
from overtrick.games import load_game
from overtrick.games.game import NOBODY, OVER
from overtrick.games.snapszer import rules
from rules_text import Vector, replays, vectors

SNAPSZER = load_game("snapszer")
DECK = SNAPSZER.deck
VECTORS = vectors("SN")
SUITS = "hbla"
Records = np.ndarray[Any, Any]


def word(vector: Vector, name: str) -> str:
    value = vector.args[name]
    assert isinstance(value, str)
    return value


def numbers(vector: Vector, name: str) -> list[int]:
    return [int(number) for number in vector.args[name]]


def suit(letter: str) -> int:
    """All cards of a suit."""
    return DECK.set([rank + letter for rank in "JQKTA"])


def to_lead(*, trump: str = "h", talon: int = 10, strict: bool = False) -> Records:
    """A record in which seat 0 is to lead, the hands still empty."""
    states = SNAPSZER.blank_states(1, SNAPSZER.variant())
    states["phase"] = rules.LEAD
    states["trump"] = suit(trump)
    states["left"] = talon
    states["is_open"] = not strict
    states["closer"] = states["exchanger"] = NOBODY
    return states


def hold(states: Records, seat: int, cards: str | list[str]) -> None:
    states["hands"][0, seat] |= DECK.set(cards)


def choose(states: Records, phase: int, text: str) -> None:
    assert states["phase"][0] == phase
    play_all(states, np.array([SNAPSZER.choice_from(phase, text)], dtype=np.int64))


def choices(states: Records) -> set[str]:
    """The legal choices, announcements as the vectors write them."""
    legals = np.zeros(1, dtype=np.int64)
    legal_all(states, legals)
    names = SNAPSZER.choice_names[int(states["phase"][0])]
    found = {names[choice] for choice in each(int(legals[0]))}
    return {re.sub("close|marry", lambda name: name[0].upper(), name) for name in found}


def answer_total(vector: Vector) -> int:
    """The points of all tricks, each a trick of one lead and one card that follows."""
    points = 0
    for number in range(0, len(DECK), 2):
        lead, card = DECK.names[number : number + 2]
        points += points_of_trick(lead, card)
    return points


def points_of_trick(lead: str, card: str) -> int:
    states = to_lead(strict=True)
    hold(states, 0, [lead])
    hold(states, 1, [card])
    choose(states, rules.LEAD, lead)
    choose(states, rules.FOLLOW, card)
    return int(states["points"].sum())


def answer_follow(vector: Vector) -> set[str]:
    states = to_lead(trump=word(vector, "trump"), strict=word(vector, "strict") == "1")
    hold(states, 0, [word(vector, "lead")])
    choose(states, rules.LEAD, word(vector, "lead"))
    hold(states, 1, vector.args["hand"])
    return choices(states)


def answer_winner(vector: Vector) -> str:
    states = to_lead(trump=word(vector, "trump"))
    hold(states, 0, [word(vector, "lead")])
    hold(states, 1, [word(vector, "resp")])
    choose(states, rules.LEAD, word(vector, "lead"))
    choose(states, rules.FOLLOW, word(vector, "resp"))
    assert states["points"][0, states["leader"][0]] == states["points"].sum()
    return ("leader", "follower")[int(states["leader"][0])]


def answer_lead(vector: Vector) -> set[str]:
    closed = word(vector, "closed") == "1"
    states = to_lead(trump="l", talon=int(word(vector, "talon")), strict=closed)
    hold(states, 0, vector.args["hand"])
    if "married" in vector.args:
        choose(states, rules.LEAD, f"marry:{word(vector, 'married')}")
    return choices(states)


def answer_exchange(vector: Vector) -> set[str]:
    """What a leader holds once he has the lead: seat 0 takes a trick in the talon given."""
    trump, talon = word(vector, "trump"), int(word(vector, "talon"))
    closed = word(vector, "closed") == "1"
    states = to_lead(trump=trump, talon=talon if closed else talon + 2, strict=closed)
    states["upcard"] = DECK.set([word(vector, "upcard")])
    states["swap"] = 0 if closed else DECK.set([f"J{trump}"])
    hand = list(vector.args["hand"])
    drawn = [] if closed else [hand.pop()]
    spare = [name for name in DECK.names if name not in vector.args["hand"]]
    spare = [name for name in spare if name[-1] not in (trump, "l")]
    for slot, name in enumerate([*drawn, *spare][:2]):
        at = 10 - int(states["left"][0]) + slot
        states["talon"] |= DECK.card(name) << 5 * at
    hold(states, 0, ["Al", *hand])
    hold(states, 1, ["Jl", "Ql"])
    choose(states, rules.LEAD, "Al")
    choose(states, rules.FOLLOW, "Jl")
    assert states["phase"][0] == rules.LEAD
    assert states["left"][0] == talon
    return {DECK.text(card) for card in each(int(states["hands"][0, 0]))}


def answer_result(vector: Vector) -> tuple[int, int]:
    states = SNAPSZER.blank_states(1, SNAPSZER.variant())
    tricks = numbers(vector, "tricks")
    states["phase"] = OVER
    states["points"][0] = numbers(vector, "points")
    states["leader"] = int(word(vector, "last"))
    states["tricks"] = sum(tricks)
    states["left"] = 0
    closer = word(vector, "closer")
    states["closer"] = NOBODY if closer == "none" else int(closer)
    takers = [0] * tricks[0] + [1] * tricks[1]
    if closer != "none":
        # One trick for the closer and those of his opponent, then the talon was closed.
        before = [int(closer)] + [1 - int(closer)] * int(word(vector, "opp_tricks_at_close"))
        for taker in before:
            takers.remove(taker)
        takers = before + takers
        states["left"] = 10 - 2 * len(before)
    states["leaders"] = sum(taker << number + 1 for number, taker in enumerate(takers))
    results = np.zeros((1, 2), dtype=np.int64)
    payoffs_all(states, results)
    winner = int(results[0].argmax())
    assert results[0].sum() == 0
    return winner, int(results[0, winner])


ANSWERS: dict[str, Callable[[Vector], object]] = {
    "total": answer_total,
    "follow": answer_follow,
    "winner": answer_winner,
    "lead": answer_lead,
    "exchange": answer_exchange,
    "result": answer_result,
}


def expected(vector: Vector) -> object:
    """The result in the type of the answer: a set of choices, a word, or numbers."""
    if isinstance(vector.result, list):
        return set(vector.result)
    if "," in vector.result:
        return tuple(int(part) for part in vector.result.split(","))
    return int(vector.result) if vector.result.isdigit() else vector.result


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.id)
def test_the_engine_agrees_with_the_vector(vector: Vector) -> None:
    assert ANSWERS[vector.kind](vector) == expected(vector)


def test_snapszer_has_25_vectors() -> None:
    assert [vector.id for vector in VECTORS] == [f"SN-{number:02}" for number in range(1, 26)]


# ---------------------------------------------------------------------------- the complete deal


def test_the_engine_agrees_with_the_complete_deal() -> None:
    lines = replays()["snapszer"]
    deal = Deal.from_cards("snapszer", cards_of(lines))
    for line in lines[3:-1]:
        deal = chosen_as_written(deal, line)
    result = re.fullmatch(r"result winner (\d) game points (\d)", lines[-1])
    assert result is not None
    assert deal.is_over
    winner, worth = int(result[1]), int(result[2])
    assert deal.payoffs[winner] == -deal.payoffs[1 - winner] == worth


def cards_of(lines: list[str]) -> dict[str, str]:
    """The places of a deal and their cards, as the first three lines write them."""
    hands = [re.fullmatch(r"hand (\d): (.*)", line) for line in lines[:2]]
    talon = re.fullmatch(r"talon (.*) upcard (\w+)", lines[2])
    assert talon is not None
    cards = {hand[1]: hand[2] for hand in hands if hand is not None}
    return cards | {"talon": talon[1], "upcard": talon[2]}


def chosen_as_written(deal: Deal, line: str) -> Deal:
    """The deal after one line of the replay, which is checked."""
    trick = re.fullmatch(r"(\d) (\w\w), (\d) (\w\w) -> (\d) \((\d+)-(\d+)\)", line)
    if trick is not None:
        for seat, card in ((trick[1], trick[2]), (trick[3], trick[4])):
            assert deal.seat == int(seat)
            deal = deal.play(card)
        assert deal.records["leader"][0] == int(trick[5])
        assert dict(deal.public)["points"] == f"{trick[6]} {trick[7]}"
        return deal
    said = re.fullmatch(r"(\d) (exchanges|closes|marries (\w) \((\d+)-(\d+)\))", line)
    assert said is not None
    assert deal.seat == int(said[1])
    if said[2] == "exchanges":  # at once, before anything is chosen
        assert deal.records["exchanger"][0] == deal.seat
        return deal
    if said[2] == "closes":
        return deal.play("close")
    deal = deal.play(f"marry:{said[3]}")
    assert dict(deal.public)["points"] == f"{said[4]} {said[5]}"
    return deal


@pytest.mark.long
def test_all_of_it_holds_for_the_interpreted_engine_too() -> None:
    passes_interpreted(__file__, len(VECTORS) + 2)
