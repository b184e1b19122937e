"""Deals to look at when a game shows itself: choice by choice, under every house rule."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator
from typing import Any

from conftest import random_matches, random_variant
from overtrick.cards import each
from overtrick.engine.deals import Deal, Match
from overtrick.games import load_game
from overtrick.games.game import Game, Option, Variant
from overtrick.games.showing import Phrase

SHOWN = ["coinche", "hearts", "hokm", "sheephead", "snapszer"]
ENOUGH = {"coinche": 150, "hearts": 100, "hokm": 40, "sheephead": 250, "snapszer": 100}
"""So many deals of each game that nearly everything happens."""

Walk = list[Deal]


def other_values(default: Any, allowed: Option) -> list[Any]:
    """Values of an option other than its default."""
    if allowed.values is not None:
        return [value for value in allowed.values if value != default]
    if allowed.check is not None:
        return [text for text in ("H", "R", "A", "0.1") if allowed.check(text) is None]
    return [allowed.at_most or default + 1]


def variants(game: Game) -> Iterator[Variant]:
    """The house rules as they are by default, each option changed alone, and a few together."""
    yield from [game.variant()] * 4
    for name, (default, allowed) in game.variant.options().items():
        yield from (game.variant(**{name: value}) for value in other_values(default, allowed))
    rng = random.Random(game.name)
    yield from (random_variant(game, rng) for _ in range(6))


def walk(game: Game, variant: Variant, seed: int) -> Walk:
    """A deal, somewhere in a match, at all its stages.

    In some deals who has other choices than cards mostly takes the first, which is to pass, so
    that auctions end at any height.
    """
    rng = random.Random(seed)
    shyness = rng.choice((0, 0.3, 0.6, 0.9))
    match = random_matches(game, variant, 5, seed)[seed % 5 : seed % 5 + 1]
    deal = Deal.from_seed(game, seed, match=Match(game, variant, match))
    stages = [deal]
    while not deal.is_over:
        shy = not game.card_choices(int(deal.records["phase"][0])) and rng.random() < shyness
        deal = deal.play(deal.legal[0] if shy else rng.choice(deal.legal))
        stages.append(deal)
    return stages


@functools.cache
def many_walks(name: str, count: int) -> list[Walk]:
    """Deals of a game under all its house rules."""
    game = load_game(name)
    chosen = itertools.islice(itertools.cycle(variants(game)), count)
    return [walk(game, variant, seed) for seed, variant in enumerate(chosen)]


def walks(name: str) -> list[Walk]:
    """As many deals as it takes to see every house rule."""
    return many_walks(name, sum(1 for _ in variants(load_game(name))))


def stages(name: str) -> Iterator[Deal]:
    return (deal for walked in walks(name) for deal in walked)


def steps(name: str) -> Iterator[tuple[Deal, Deal]]:
    return ((one, two) for walked in walks(name) for one, two in itertools.pairwise(walked))


def record(deal: Deal, seat: int | None = None) -> Any:
    """A deal as a seat sees it; the whole deal for nobody."""
    return deal.records[0] if seat is None else deal.view(seat).records[0]


def refused(deal: Deal) -> Iterator[tuple[str, Phrase]]:
    """The cards that the seat to act holds and may not choose, each with the reason."""
    if deal.seat is None:
        return
    view = deal.view(deal.seat)
    if not deal.game.card_choices(int(deal.records["phase"][0])):
        return
    for card in each(view.hand):
        if card not in view.legal:
            phrase = deal.game.showing.why_not(view.records[0], card)
            yield deal.game.deck.names[card], phrase
