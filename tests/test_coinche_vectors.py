"""Every Coinche vector and the complete deal of RULES.md, on the engine, compiled and interpreted.

A vector gives a piece of a position; it is set up in a record, and the generic rules answer.
"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from interpreted import passes_interpreted
from overtrick.cards import each
from overtrick.engine.batches import legal_all, payoffs_all, play_all, rewards_all, score_all
from overtrick.engine.deals import Deal, Match
from overtrick.games import load_game
from overtrick.games.coinche import rules
from overtrick.games.game import NOBODY, OVER, Variant
from rules_text import Vector, replays, vectors

COINCHE = load_game("coinche")
CALLS = COINCHE.choice_names[rules.BID]
VECTORS = vectors("CO")
Records = np.ndarray[Any, Any]


def word(vector: Vector, name: str) -> str:
    value = vector.args[name]
    assert isinstance(value, str)
    return value


def house_rules(vector: Vector, **options: str) -> Variant:
    """The variant with the options that a vector names, and others; its `belote` is a holder."""
    known = COINCHE.variant.options().keys() - {"belote"}
    named = {name: value for name, value in vector.args.items() if name in known}
    return COINCHE.variant_of(named | options)


def choices_of(states: Records) -> list[int]:
    legals = np.zeros(1, dtype=np.int64)
    legal_all(states, legals)
    return list(each(int(legals[0])))


def choose(states: Records, choice: int) -> None:
    play_all(states, np.array([choice], dtype=np.int64))


# Play


def to_lead(vector: Vector) -> Records:
    """A record in which seat 0, who bid 80 in the vector's trump, is to lead to a trick."""
    deal = Deal.from_seed("coinche", 1, match=Match.from_text("coinche", "deals=3"))
    states = deal.play(f"80{word(vector, 'trump')}").play("P").play("P").play("P").records
    options = house_rules(vector).pack()
    for name in options.keys() & set(states.dtype.names or ()):
        states[name] = options[name]
    states["hands"] = 0
    return states


def play_trick(states: Records, names: str | list[str]) -> None:
    """Let the seats play these cards in turn; each holds its card."""
    for seat, card in enumerate(COINCHE.deck.sequence(names)):
        states["hands"][0, seat] |= 1 << card
        assert states["seat"][0] == seat
        choose(states, card)


def answer_total(vector: Vector) -> int:
    return int(rules.POINTS["SHDC".index(word(vector, "trump"))].sum())


def answer_trick_points(vector: Vector) -> int:
    states = to_lead(vector)
    if word(vector, "last") == "0":
        in_trick = COINCHE.deck.sequence(vector.args["trick"])
        others = [card for card in range(32) if card not in in_trick]
        states["hands"][0] = [1 << card for card in others[:4]]
    play_trick(states, vector.args["trick"])
    assert (states["phase"][0] == OVER) == (word(vector, "last") == "1")
    assert states["tricks"][0].sum() == 1
    return int(states["points"][0].sum())


def answer_winner(vector: Vector) -> int:
    states = to_lead(vector)
    play_trick(states, vector.args["trick"])
    return int(states["leader"][0])


def answer_legal(vector: Vector) -> set[str]:
    states = to_lead(vector)
    play_trick(states, vector.args["trick"])
    states["hands"][0, states["seat"][0]] = COINCHE.deck.set(vector.args["hand"])
    return {COINCHE.deck.text(card) for card in choices_of(states)}


# Auction


def called(history: str | list[str]) -> Records:
    """A fresh deal after an auction written as `0:80S 1:P`; seat 0 calls first."""
    states = Deal.from_seed("coinche", 1, match=Match.from_text("coinche", "deals=3")).records
    for event in history:
        seat, _, name = event.partition(":")
        assert states["seat"][0] == int(seat)
        assert CALLS.index(name) in choices_of(states)
        choose(states, CALLS.index(name))
    return states


def answer_calls(vector: Vector) -> set[str]:
    states = called(vector.args["history"])
    assert states["seat"][0] == int(word(vector, "seat"))
    return {CALLS[choice] for choice in choices_of(states)}


def answer_calls_count(vector: Vector) -> int:
    return len(answer_calls(vector))


def answer_over(vector: Vector) -> int:
    return int(called(vector.args["history"])["phase"][0] != rules.BID)


def answer_max_calls(vector: Vector) -> int:
    """The number of calls when every seat passes whenever that does not end the auction."""
    names = [f"{value}S" for value in (*range(80, 170, 10), 250)] + ["X", "XX"]
    auction = ["P", *(call for name in names for call in ("P", "P", name))]
    states = called([f"{turn % 4}:{call}" for turn, call in enumerate(auction)])
    assert states["phase"][0] == rules.PLAY
    return len(auction)


# Score


def answer_score(vector: Vector) -> tuple[int, int]:
    """What attack and defence are rewarded with; payoffs and match score are held against it."""
    bid, matrix, attack = word(vector, "bid"), word(vector, "matrix"), int(word(vector, "attack"))
    holder = {"attack": 0, "defence": 1}.get(str(vector.args.get("belote")), NOBODY)
    variant = house_rules(vector, reward_matrix=matrix)
    states = COINCHE.blank_states(1, variant)
    states["phase"] = OVER
    states["bid"] = CALLS.index(f"{bid}S")
    states["bidder"] = 0
    states["doubled"] = ("1", "2", "4").index(word(vector, "mult"))
    states["announcer"] = holder
    states["points"][0] = attack, 162 - attack
    states["tricks"][0, 0] = int(str(vector.args.get("tricks", 5)))
    rewards = np.zeros((1, 4))
    rewards_all(states, rewards)
    results = np.zeros((1, 4), dtype=np.int64)
    payoffs_all(states, results)
    matches = COINCHE.blank_matches(1, variant)
    score_all(matches, states)
    assert rewards[0, :2].tolist() == rewards[0, 2:].tolist()
    if matrix == "mirror":
        assert results[0].tolist() == rewards[0].tolist()
    if matrix == "classic":
        assert matches["scores"][0].tolist() == rewards[0].tolist()
        assert results[0, 0] == rewards[0, 0] - rewards[0, 1]
    return int(rewards[0, 0]), int(rewards[0, 1])


ANSWERS: dict[str, Callable[[Vector], object]] = {
    "total": answer_total,
    "trick_points": answer_trick_points,
    "winner": answer_winner,
    "legal": answer_legal,
    "calls": answer_calls,
    "calls_count": answer_calls_count,
    "over": answer_over,
    "max_calls": answer_max_calls,
    "score": answer_score,
}


def expected(vector: Vector) -> object:
    """The result in the type of the answer: a set of names, a number, or one for each side."""
    if isinstance(vector.result, list):
        return set(vector.result)
    if "," in vector.result:
        return tuple(int(part) for part in vector.result.split(","))
    return int(vector.result)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.id)
def test_the_engine_agrees_with_the_vector(vector: Vector) -> None:
    assert ANSWERS[vector.kind](vector) == expected(vector)


def test_coinche_has_50_vectors() -> None:
    assert {vector.id for vector in VECTORS} == {f"CO-{number:02}" for number in range(1, 51)}


# The complete deal


def complete_deal(variant: str = "") -> tuple[Deal, list[str]]:
    """The deal of RULES before its first trick, its calls made, and the lines of the tricks."""
    lines = replays()["coinche"]
    hands = {line[5]: line[8:] for line in lines if line.startswith("hand")}
    opening = re.fullmatch(r"dealer (\d) calls (.*)", lines[4])
    assert opening is not None
    match = Match.from_text("coinche", f"deals={opening[1]}", variant=variant)
    deal = Deal.from_cards("coinche", hands, match=match)
    for event in opening[2].split():
        seat, _, name = event.partition(":")
        assert deal.seat == int(seat)
        deal = deal.play(name)
    return deal, [line for line in lines if line.startswith("trick")]


def played_as_written(deal: Deal, line: str) -> Deal:
    """The deal after a trick written as `trick 0: QH 8H 9H TH -> 3 (13)`, which is checked."""
    written = re.fullmatch(r"trick (\d): (.*) -> (\d) \((\d+)\)", line)
    assert written is not None
    before = deal.records["points"][0]
    assert deal.seat == int(written[1])
    for card in written[2].split():
        deal = deal.play(card)
    gained = deal.records["points"][0] - before
    assert int(deal.records["leader"][0]) == int(written[3])
    assert gained.sum() == gained[int(written[3]) % 2] == int(written[4])
    return deal


def test_the_engine_agrees_with_the_complete_deal() -> None:
    deal, tricks = complete_deal()
    for line in tricks:
        deal = played_as_written(deal, line)
    result = re.fullmatch(
        r"result attack (\d+) defence (\d+) returns (.*) match (\d+)-(\d+)",
        replays()["coinche"][-1],
    )
    assert result is not None
    assert deal.is_over
    assert deal.records["points"][0].tolist() == [int(result[1]), int(result[2])]
    assert dict(deal.public)["belote"] == "South"
    assert deal.payoffs == tuple(int(part) for part in result[3].split())
    assert deal.match.after(deal).scores == (int(result[4]), int(result[5])) * 2


def test_without_belote_the_contract_of_the_complete_deal_fails() -> None:
    deal, tricks = complete_deal("belote=off")
    for line in tricks:
        deal = played_as_written(deal, line)
    assert deal.payoffs == (-320, 320, -320, 320)
    assert deal.match.after(deal).scores == (0, 320, 0, 320)


def test_where_undertrumping_is_a_duty_the_complete_deal_stops_in_its_sixth_trick() -> None:
    deal, tricks = complete_deal("undertrump=must")
    for line in tricks[:5]:
        deal = played_as_written(deal, line)
    deal = deal.play("KH").play("AH").play("AS")
    assert deal.legal_texts == ("QS",)


@pytest.mark.long
def test_all_of_it_holds_for_the_interpreted_engine_too() -> None:
    passes_interpreted(__file__, len(VECTORS) + 4)
