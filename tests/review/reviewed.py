"""Deals for tests of hints and reviews: played to their end, looked at by a judge."""

from __future__ import annotations

import functools
import random
import tomllib
from pathlib import Path
from typing import NamedTuple

from overtrick.engine.deals import Deal
from overtrick.games import load_game
from overtrick.jit import streams
from overtrick.players import make_player
from overtrick.review.judge import Judge
from overtrick.review.reviewing import hint, review
from overtrick.review.told import DealReview

FIVE = ("hokm", "sheephead", "snapszer", "coinche", "hearts")
SMALL = ("kuhn", "leduc", "whist3x3")
FEW = 240  # worlds: enough for what is clear


class Position(NamedTuple):
    """A position in which the right choice is certain."""

    game: str
    why: str
    deal: str
    right: str  # the choices that may be called best
    wrong: str  # a tempting one


def positions() -> list[Position]:
    """The classic positions, four a game."""
    told = tomllib.loads(Path(__file__).with_name("positions.toml").read_text("utf-8"))
    return [Position(**one) for one in told["position"]]


@functools.cache
def judge_of(game: str, worlds: int = FEW) -> Judge:
    """A judge that thinks a little."""
    return Judge(game, worlds=worlds)


def finished(deal: Deal, player: str = "rulebook") -> Deal:
    """A deal after one player has made all choices that were left."""
    chooser = make_player(player, deal.game)
    while deal.seat is not None:
        chance = streams(1, 1, "finish", len(deal.history))
        deal = deal.play(int(chooser.choose(deal.view(deal.seat).records, chance)[0]))
    return deal


@functools.cache
def played(game: str, seed: int, player: str = "rulebook") -> Deal:
    """A whole deal, all seats played by one player."""
    return finished(Deal.from_seed(game, seed), player)


@functools.cache
def reviewed(game: str) -> DealReview:
    """The review of a deal by the rulebook, with all timelines."""
    return review(played(game, 1), judge_of(game))


def at_random(game: str, seed: int) -> Deal:
    """A whole deal of random choices."""
    deal, rng = Deal.from_seed(game, seed), random.Random(seed)
    while not deal.is_over:
        deal = deal.play(rng.choice(deal.legal))
    return deal


def hinted(game: str, seed: int, seat: int = 0) -> Deal:
    """A whole deal in which one seat takes every hint and the rulebook plays for the others."""
    deal, chooser = Deal.from_seed(game, seed), make_player("rulebook", load_game(game))
    while deal.seat is not None:
        view = deal.view(deal.seat)
        if deal.seat == seat:
            deal = deal.play(hint(view, judge_of(game)).choice)
        else:
            chance = streams(1, seed, "others", len(deal.history))
            deal = deal.play(int(chooser.choose(view.records, chance)[0]))
    return deal
