"""Every Sheephead vector and the two complete hands of RULES.md, compiled and interpreted.

A vector gives a piece of a position; it is set up in a record, and the generic rules answer.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from interpreted import passes_interpreted
from overtrick.cards import Cards, each
from overtrick.engine.batches import legal_all, payoffs_all, play_all, score_all
from overtrick.engine.dealing import deal_orders
from overtrick.engine.deals import Deal, Match
from overtrick.games import load_game
from overtrick.games.game import NOBODY, OVER
from overtrick.games.sheephead import rules, scoring
from rules_text import Vector, replays, vectors

GAME = load_game("sheephead")
DECK = GAME.deck
VECTORS = vectors("SH")
Records = np.ndarray[Any, Any]


def word(vector: Vector, name: str, default: str = "") -> str:
    value = vector.args.get(name, default)
    assert isinstance(value, str)
    return value


def cards(vector: Vector, name: str) -> list[int]:
    return DECK.sequence(vector.args[name])


def set_of(listed: Sequence[int]) -> Cards:
    return sum(1 << card for card in listed)


# ---------------------------------------------------------------------------- positions


def fresh_deal() -> Records:
    """A record dealt in the order of the deck, which the vectors then change."""
    states = GAME.blank_states(1, GAME.variant())
    deal_orders(states, GAME.blank_matches(1, GAME.variant()), np.arange(32)[np.newaxis])
    return states


def mid_play(trick: Sequence[int], *, nola: bool = False, picker: int = NOBODY) -> Records:
    """A hand in which seat 0 has led to a trick of these cards, each seat having two more."""
    states = fresh_deal()
    states["phase"] = rules.PLAY
    states["seat"] = states["leader"] = 0
    states["picker"] = picker
    states["trumps"] = 0 if nola else rules.TRUMPS
    others = [card for card in range(32) if card not in trick]
    for seat in range(5):
        states["hands"][0, seat] = set_of(
            [*others[2 * seat : 2 * seat + 2], *trick[seat : seat + 1]]
        )
    return states


def play_trick(states: Records, trick: Sequence[int]) -> None:
    for seat, card in enumerate(trick):
        assert states["seat"][0] == seat
        play_all(states, np.array([card], dtype=np.int64))


def legal_names(states: Records) -> set[str]:
    legals = np.zeros(1, dtype=np.int64)
    legal_all(states, legals)
    return {DECK.text(card) for card in each(int(legals[0]))}


def with_call(states: Records, vector: Vector) -> None:
    """Write the call of a vector, and its unknown card, into a record before the trick."""
    if word(vector, "called") == "none":
        return
    called = DECK.card(word(vector, "called"))
    states["called"] = 1 << called
    if word(vector, "led_before") == "0":
        states["pending"] = rules.SUITS[called]
    if word(vector, "unknown"):
        states["unknown"] = DECK.set(word(vector, "unknown"))
        states["lies"] = 1


# ---------------------------------------------------------------------------- answers


def answer_total(vector: Vector) -> int:
    return int(scoring.card_points(DECK.all))


def answer_legal(vector: Vector) -> set[str]:
    trick = cards(vector, "trick")
    to_play = len(trick)
    owner = word(vector, "owner")
    states = mid_play(trick, picker=to_play if owner == "picker" else 4)
    with_call(states, vector)
    play_trick(states, trick)
    hand = DECK.set(vector.args["hand"])
    assert (owner == "partner") == bool(hand & int(states["called"][0]))
    states["hands"][0, to_play] = hand
    return legal_names(states)


def answer_winner(vector: Vector) -> int:
    return winner(cards(vector, "trick"), nola=False)


def answer_nola_winner(vector: Vector) -> int:
    return winner(cards(vector, "trick"), nola=True)


def winner(trick: Sequence[int], *, nola: bool) -> int:
    states = mid_play(trick, nola=nola)
    play_trick(states, trick)
    taker = int(states["leader"][0])
    assert states["taken"][0].tolist() == [set_of(trick) * (seat == taker) for seat in range(5)]
    return taker


def answer_nola_legal(vector: Vector) -> set[str]:
    trick = cards(vector, "trick")
    states = mid_play(trick, nola=True)
    play_trick(states, trick)
    states["hands"][0, len(trick)] = DECK.set(vector.args["hand"])
    return legal_names(states)


def answer_points(vector: Vector) -> int:
    return int(scoring.card_points(set_of(cards(vector, "trick"))))


def declaring(vector: Vector) -> Records:
    """A record in which seat 1 has picked and buried, and is to declare."""
    states = fresh_deal()
    states["phase"] = rules.DECLARE
    states["seat"] = states["picker"] = 1
    states["hands"][0, 1] = DECK.set(vector.args["hand"])
    states["buried"] = DECK.set(vector.args["bury"])
    return states


def answer_calls(vector: Vector) -> set[str]:
    legals = np.zeros(1, dtype=np.int64)
    legal_all(declaring(vector), legals)
    names = GAME.choice_names[rules.DECLARE]
    return {names[choice].replace("alone", "ALONE") for choice in each(int(legals[0]))}


def answer_unknown_choices(vector: Vector) -> set[str]:
    """The cards to lay face down, the same after each ace that may be called."""
    answers = []
    for call in answer_calls(vector) - {"ALONE"}:
        states = declaring(vector)
        play_all(states, np.array([GAME.choice_from(rules.DECLARE, call)], dtype=np.int64))
        assert states["phase"][0] == rules.UNKNOWN
        answers.append(legal_names(states))
    assert all(answer == answers[0] for answer in answers)
    return answers[0]


def ended(points: int, tricks: int, *, mode: str, multiplier: int) -> Records:
    """A hand that seat 0 picked and is over: his side took so many points in so many tricks.

    The partner is seat 1. A side without a trick has its points in the bury.
    """
    states = fresh_deal()
    states["phase"] = OVER
    states["picker"] = 0
    states["multiplier"] = multiplier
    if mode == "partner":
        states["called"] = states["played"][0, 1] = DECK.set("AC")
    took = cards_worth(points, 2 if tricks == 0 else 5 * tricks + 2)
    buried = set_of(took[:2])
    states["buried"] = buried
    states["taken"][0, 0] = set_of(took[2:])
    states["taken"][0, 2] = DECK.all & ~set_of(took)
    return states


def cards_worth(points: int, count: int) -> list[int]:
    """So many cards of the deck that count so many points together."""
    names = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
    worth = [0 if name == "JO" else names.get(name[0], 0) for name in DECK.names]
    reached: dict[tuple[int, int], list[int]] = {(0, 0): []}
    for card in range(32):
        for (sum_before, number), listed in [*reached.items()]:
            reached.setdefault((sum_before + worth[card], number + 1), [*listed, card])
    return reached[points, count]


def answer_pay(vector: Vector) -> list[int | None]:
    mode = word(vector, "mode")
    points, tricks, multiplier = (int(word(vector, name)) for name in ("points", "tricks", "mult"))
    results = np.zeros((1, 5), dtype=np.int64)
    payoffs_all(ended(points, tricks, mode=mode, multiplier=multiplier), results)
    picker, partner, *others = results[0].tolist()
    if mode == "alone":
        others.append(partner)
    assert len(set(others)) == 1
    return [picker, partner if mode == "partner" else None, others[0]]


def answer_doubling(vector: Vector) -> list[int]:
    matches = GAME.blank_matches(1, GAME.variant())
    multipliers = []
    for points in vector.args["ends"]:
        states = GAME.blank_states(1, GAME.variant())
        deal_orders(states, matches, np.arange(32)[np.newaxis])
        multipliers.append(int(states["multiplier"][0]))
        score_all(matches, ended(int(points), 3, mode="partner", multiplier=multipliers[-1]))
    return multipliers


ANSWERS: dict[str, Callable[[Vector], object]] = {
    "total": answer_total,
    "winner": answer_winner,
    "points": answer_points,
    "legal": answer_legal,
    "calls": answer_calls,
    "unknown_choices": answer_unknown_choices,
    "pay": answer_pay,
    "nola_legal": answer_nola_legal,
    "nola_winner": answer_nola_winner,
    "doubling": answer_doubling,
}


def expected(vector: Vector) -> object:
    """The result in the type of the answer: a set of cards, a number, or one for each."""
    if vector.kind == "doubling":
        return [int(number) for number in vector.result]
    if isinstance(vector.result, list):
        return set(vector.result)
    if "," in vector.result:
        return [None if part == "none" else int(part) for part in vector.result.split(",")]
    return int(vector.result)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.id)
def test_the_engine_agrees_with_the_vector(vector: Vector) -> None:
    assert ANSWERS[vector.kind](vector) == expected(vector)


def test_sheephead_has_42_vectors() -> None:
    assert [vector.id for vector in VECTORS] == [f"SH-{number:02}" for number in range(1, 43)]


# ---------------------------------------------------------------------------- complete hands


def dealt_as_written(lines: list[str]) -> Deal:
    """The hands and the blind of a replay; the blind is what is left if it does not say."""
    places = {line[5]: line[8:] for line in lines if line.startswith("hand")}
    places |= {line[:5]: line[6:11] for line in lines if line.startswith("blind")}
    return Deal.from_cards(GAME, places, match=Match.from_text(GAME, "dealer=4"))


def played_as_written(deal: Deal, line: str) -> Deal:
    """The deal after a trick written as `trick 1: QS JH JC JS QH -> 1 (12)`, which is checked."""
    written = re.fullmatch(r"trick (\d): (.*) -> (\d)(?: \((\d+)\))?", line)
    assert written is not None
    before = deal.records["taken"][0]
    assert deal.seat == int(written[1])
    for card in written[2].split():
        deal = deal.play(card.removesuffix("*"))
    gained = deal.records["taken"][0] ^ before
    taker = int(written[3])
    assert int(deal.records["leader"][0]) == taker
    assert [int(took).bit_count() for took in gained] == [5 * (seat == taker) for seat in range(5)]
    if written[4]:
        assert scoring.card_points(int(gained[taker])) == int(written[4])
    return deal


def test_the_engine_agrees_with_the_complete_hand() -> None:
    lines = replays()["sheephead"]
    deal = dealt_as_written(lines)
    for choice in ("pass", "pick", "AS", "AC"):
        deal = deal.play(choice)
    assert deal.legal_texts == ("alone", "AH")
    deal = deal.play("AH").play("TS")
    for line in lines:
        if line.startswith("trick"):
            deal = played_as_written(deal, line)
    result = re.fullmatch(r"result side (\d+) points returns (.*)", lines[-1])
    assert result is not None
    assert deal.is_over
    assert scoring.side_points(deal.records[0]) == int(result[1])
    assert dict(deal.public)["partner"] == "Fourth"
    assert deal.payoffs == tuple(map(int, result[2].split()))


def test_the_engine_agrees_with_the_complete_nola_hand() -> None:
    lines = replays()["nola"]
    deal = dealt_as_written(lines)
    for _ in range(5):
        deal = deal.play("pass")
    for line in lines:
        if line.startswith("trick"):
            deal = played_as_written(deal, line)
    assert deal.is_over
    assert deal.payoffs == tuple(map(int, lines[-1].split()[2:]))


@pytest.mark.long
def test_all_of_it_holds_for_the_interpreted_engine_too() -> None:
    passes_interpreted(__file__, len(VECTORS) + 3)
