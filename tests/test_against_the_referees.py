"""Every game against its slow referee: the same seats, choices and results, all the way."""

from __future__ import annotations

import random
from typing import Any

import pytest

from overtrick.engine.deals import Deal
from referee_games import REFEREES, advanced, in_engine, random_referee

CHUNK = 2_000


def agree_over(name: str, count: int, seed: int, *, options: bool) -> None:
    """Play random deals on both sides and compare everything that both can tell."""
    rng = random.Random(seed)
    for _ in range(count):
        deal = random_referee(name, rng, options=options)
        engine = in_engine(name, deal)
        while deal.phase != "over":
            assert (engine.phase, engine.seat) == (deal.phase, deal.seat), engine.text()
            assert set(engine.legal_texts) == deal.legal(), engine.text()
            choice = REFEREES[name].choose(deal, rng)
            deal.play(choice)
            engine = engine.play(choice)
        assert engine.is_over, engine.text()
        assert list(engine.payoffs) == list(deal.payoffs()), engine.text()


def lines_by_the_referee(deal: Any) -> int:
    """In how many ways the deal can go on, counted choice by choice."""
    if deal.phase == "over":
        return 1
    total = 0
    for choice in sorted(deal.legal()):
        after = deal.copy()
        after.play(choice)
        total += lines_by_the_referee(after)
    return total


def lines_by_the_engine(deal: Deal) -> int:
    return 1 if deal.is_over else sum(lines_by_the_engine(deal.play(c)) for c in deal.legal)


@pytest.mark.parametrize("name", sorted(REFEREES))
def test_the_referee_counts_as_many_lines_of_play_from_an_ending(name: str) -> None:
    rng = random.Random(5)
    endings = 0
    while endings < 12:
        deal = random_referee(name, rng, options=True)
        while deal.phase != "over" and sum(map(len, deal.hands)) > 6:
            advanced(name, deal, 1, rng)
        assert lines_by_the_engine(in_engine(name, deal)) == lines_by_the_referee(deal)
        endings += deal.phase != "over"


@pytest.mark.parametrize("name", sorted(REFEREES))
def test_the_referee_agrees_over_random_deals(name: str) -> None:
    agree_over(name, 250, 1, options=False)


@pytest.mark.parametrize("name", sorted(REFEREES))
def test_the_referee_agrees_over_the_options(name: str) -> None:
    agree_over(name, 250, 2, options=True)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(10))
@pytest.mark.parametrize("name", sorted(set(REFEREES) - {"hearts"}))
def test_the_referee_agrees_over_twenty_thousand_deals(name: str, chunk: int) -> None:
    agree_over(name, CHUNK, 100 + chunk, options=False)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(2))
@pytest.mark.parametrize("name", sorted(set(REFEREES) - {"hearts"}))
def test_the_referee_agrees_over_three_thousand_deals_of_any_options(name: str, chunk: int) -> None:
    agree_over(name, 1_500, 200 + chunk, options=True)
