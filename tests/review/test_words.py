"""Hints and reviews in words: every phrase has a text, and every text is said somewhere."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import get_args

import pytest

from overtrick.engine.deals import Deal
from overtrick.games import load_game
from overtrick.phrases import PhraseTold, catalogue, choice_words, in_words
from overtrick.review import comments, words
from overtrick.review.judge import Judge
from overtrick.review.reviewing import hint, own_side, review
from overtrick.review.told import DealReview, Outcome
from review.reviewed import FIVE, SMALL, at_random, judge_of, positions, reviewed

FORMS = ("", ".card", ".you", ".card.you", ".one", ".all", ".none")
COMPOSED = [f"review.seat.{word}" for word in (*get_args(Outcome), "weak-cards")]


def keys_in_the_source() -> set[str]:
    """The keys that stand in the code, whole."""
    found = set(COMPOSED)
    for module in (words, comments):
        tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
        texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        found |= {
            text
            for text in texts
            if isinstance(text, str) and re.fullmatch(r"(hint|verdict|review)(\.[\w-]+)+", text)
        }
    return found


def phrases_of(found: DealReview) -> list[PhraseTold]:
    parts = [*found.verdicts, *found.tricks, *found.seats]
    return [phrase for part in parts for phrase in part.phrases]


def test_every_key_in_the_code_has_a_text():
    assert sorted(key for key in keys_in_the_source() if key not in catalogue()) == []


def test_every_text_is_said_somewhere():
    said = {key + form for key in keys_in_the_source() for form in FORMS}
    others = [key for key in catalogue() if not key.startswith("choice.")]
    assert sorted(set(others) - said) == []


def test_whoever_is_spoken_of_may_be_the_reader():
    for key, text in catalogue().items():
        if re.search(r"\{[Ss]eat\}", text):
            assert "seat}" not in catalogue()[f"{key}.you"].lower()


@pytest.mark.parametrize("name", [*FIVE, *SMALL])
def test_everything_is_filled_in_whatever_is_played(name: str):
    judge, game = Judge(name, worlds=20), load_game(name)
    for seed in range(3):
        deal = at_random(name, seed)
        for phrase in phrases_of(review(deal, judge, seats=[0])):
            assert phrase.key in catalogue()
            assert not re.search(r"[{}?]", in_words(phrase, game)), phrase


@pytest.mark.parametrize("name", [*FIVE, *SMALL])
def test_every_hint_gives_its_reason(name: str):
    judge, deal = Judge(name, worlds=20), at_random(name, 7)
    now = Deal.from_order(deal.match, deal.order)
    for event in deal.history:
        told = [in_words(phrase, deal.game) for phrase in hint(now.view(event.seat), judge).phrases]
        assert told
        assert not any(re.search(r"[{}?]", text) for text in told)
        now = now.play(event.choice)


@pytest.mark.parametrize("name", FIVE)
def test_every_choice_has_words(name: str):
    game = load_game(name)
    for phase, texts in zip(game.phases, game.choice_names, strict=True):
        for text in texts:
            told = choice_words(game, phase, text)
            assert "{" not in told
            if text in game.deck.names:
                assert game.deck.pretty(game.deck.card(text)) in told
            else:
                assert re.match(
                    r"pass|pick|bid|coinche|surcoinche|make|play|call|close|take|ann", told
                )


@pytest.mark.parametrize(
    ("game", "phase", "text", "told"),
    [
        ("coinche", "bid", "80S", "bid 80 ♠"),
        ("coinche", "bid", "250H", "bid capot in ♥"),
        ("coinche", "bid", "P", "pass"),
        ("coinche", "play", "TS", "the T♠"),
        ("hokm", "trump", "D", "make ♦ trump"),
        ("sheephead", "bury", "TC", "bury the T♣"),
        ("sheephead", "declare", "AC", "call the A♣"),
        ("sheephead", "declare", "alone", "play alone"),
        ("snapszer", "lead", "marry:h", "announce the marriage in h"),
        ("snapszer", "lead", "close", "close the talon"),
        ("hearts", "pass", "QS", "pass the Q♠ on"),
    ],
)
def test_a_choice_is_put_into_words(game: str, phase: str, text: str, told: str):
    assert choice_words(load_game(game), phase, text) == told


def test_a_hint_says_what_it_expects_and_what_the_next_best_costs():
    one = next(one for one in positions() if one.right == "Ab")
    deal = Deal.from_text(one.deal)
    told = [
        in_words(phrase, deal.game) for phrase in hint(deal.view(1), judge_of("snapszer")).phrases
    ]
    assert told == [
        "Best: the Ab. You know every card, and against best play it brings +1.00 points.",
        "It should take the trick.",
        "Next best: the Ah, which costs 2.00 points.",
    ]


def test_a_verdict_says_what_was_better_and_what_it_cost():
    one = next(one for one in positions() if one.right == "TD")
    deal = Deal.from_text(one.deal).play(one.wrong)
    while not deal.is_over:
        deal = deal.play(deal.legal[0])
    number = len(Deal.from_text(one.deal).history)
    verdict = review(deal, judge_of("coinche"), seats=[]).verdicts[number]
    told = in_words(verdict.phrases[0], deal.game)
    assert re.fullmatch(r"Better: the T♦\. This cost \d+ ± \d+ points\.", told)


def test_a_trick_is_told_by_who_took_it_with_what():
    found = reviewed("hokm")
    tricks = [trick for trick in found.tricks if trick.winner is not None]
    assert len(tricks) == (len(found.verdicts) - 1) // 4
    for trick in tricks:
        took = trick.phrases[0]
        made = found.verdicts[trick.first - 1 : trick.last]
        winning = next(one for one in made if one.seat == trick.winner)
        assert took.args == {"seat": trick.winner, "card": winning.text}
        is_ruff = winning.text[-1] != made[0].text[-1]
        assert took.key == f"review.trick.{'ruffed' if is_ruff else 'took'}"


@pytest.mark.parametrize("name", FIVE)
def test_a_seat_is_told_how_it_came_out_and_its_figures(name: str):
    for seat in reviewed(name).seats:
        keys = [phrase.key for phrase in seat.phrases]
        assert keys[0].startswith("review.seat.")
        assert keys[1] == "review.seat.figures"


CALLED = (
    "sheephead; ; dealer=4; 0 7C 7H 8S TD QH 7S / 1 AD 9D QS KD QD TS / 2 KH JD TC TH 8H JH"
    " / 3 9C 8C AH JC JO 9S / 4 9H JS KS KC QC 8D / blind AS AC; pass pick AS AC AH TS"
)


def test_a_side_is_what_its_seats_know_of_it():
    deal = Deal.from_text(CALLED)
    sides = [{*own_side(deal.view(seat))} for seat in range(5)]
    assert sides == [{0}, {1}, {2}, {1, 3}, {4}]
    shown = deal
    for choice in ["7H", "TS", "KH", "AH", "9H"]:
        shown = shown.play(choice)
    assert [{*own_side(shown.view(seat))} for seat in (0, 1, 3)] == [{0, 2, 4}, {1, 3}, {1, 3}]


def test_partners_are_one_side_where_teams_are_fixed():
    assert [*own_side(Deal.from_seed("hokm", 1).view(1))] == [1, 3]
