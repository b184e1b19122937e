"""The games as their slow referees play them, and the way from there into the engine.

A referee is written from the rules alone and knows nothing of the engine. Here each game tells how
to begin a random deal with its referee, how to choose at random in it, and what match the engine
needs for the same deal; then any test can play both side by side.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from conftest import random_variant
from overtrick.engine.deals import Deal, Match
from overtrick.games import load_game
from overtrick.games.variant import Variant
from referees import coinche, hearts, hokm, sheephead, snapszer

__all__ = ["REFEREES", "RefereeGame", "advanced", "in_engine", "options_of", "random_referee"]

Referee = Any  # what the games' referees have in common is told in their modules
Options = Mapping[str, Any]


@dataclass(frozen=True)
class RefereeGame:
    """How one game's referee is spoken to."""

    module: ModuleType
    begin: Callable[[random.Random, Options], Referee]
    match: Callable[[Referee], str]  # the engine's match, in notation
    order: Callable[[Referee], list[str]]  # the shuffled deck
    choose: Callable[[Referee, random.Random], str]


def any_choice(deal: Referee, rng: random.Random) -> str:
    return rng.choice(sorted(deal.legal()))


REFEREES = {
    "hearts": RefereeGame(
        hearts,
        lambda rng, options: hearts.random_deal(rng, options),
        lambda deal: f"deals={deal.deal_index}" if deal.deal_index else "",
        lambda deal: hearts.order_of(deal.dealt, deal.dealer),
        any_choice,
    ),
    "hokm": RefereeGame(
        hokm,
        lambda rng, options: hokm.random_deal(rng, options),
        lambda deal: f"hakem={deal.hakem}",
        lambda deal: hokm.order_of(deal.dealt, deal.hakem),
        any_choice,
    ),
    "sheephead": RefereeGame(
        sheephead,
        lambda rng, options: sheephead.random_deal(rng, options),
        lambda deal: f"dealer={deal.dealer}" + (" double_left=1" if deal.multiplier == 2 else ""),
        lambda deal: sheephead.order_of(deal.dealt, deal.blind, deal.dealer),
        lambda deal, rng: sheephead.random_choice(deal, rng),
    ),
    "snapszer": RefereeGame(
        snapszer,
        lambda rng, options: snapszer.random_deal(rng, options),
        lambda deal: f"deals={deal.leader}",
        lambda deal: list(deal.order),
        any_choice,
    ),
    "coinche": RefereeGame(
        coinche,
        lambda rng, options: coinche.random_deal(rng, options),
        lambda deal: f"deals={deal.dealer}",
        lambda deal: coinche.order_of(deal.dealt, deal.dealer),
        lambda deal, rng: coinche.random_choice(deal, rng),
    ),
}


def options_of(name: str, variant: Variant) -> dict[str, Any]:
    """A variant's options as the game's referee takes them; those of the match it has not."""
    known = REFEREES[name].module.DEFAULT_OPTIONS
    values = {option: getattr(variant, option) for option in variant.options() if option in known}
    if "trick_reward" in values:
        values["trick_reward"] = float(values["trick_reward"])
    return values


def random_referee(name: str, rng: random.Random, *, options: bool) -> Referee:
    """A deal before its first choice, of the default variant or of any."""
    game = load_game(name)
    variant = random_variant(game, rng) if options else game.variant()
    return REFEREES[name].begin(rng, options_of(name, variant))


def advanced(name: str, deal: Referee, choices: int, rng: random.Random) -> Referee:
    """The deal after up to so many random choices."""
    for _ in range(choices):
        if deal.phase == "over":
            break
        deal.play(REFEREES[name].choose(deal, rng))
    return deal


def in_engine(name: str, deal: Referee) -> Deal:
    """The referee's deal in the engine, dealt and played there."""
    game = load_game(name)
    options = {key: value for key, value in deal.options.items() if key in game.variant.options()}
    if "trick_reward" in options:
        options["trick_reward"] = f"{float(options['trick_reward']):g}"
    match = Match.from_text(game, REFEREES[name].match(deal), variant=options)
    order = [game.deck.card(card) for card in REFEREES[name].order(deal)]
    engine = Deal.from_order(match, order)
    for _, choice in deal.history:
        engine = engine.play(choice)
    return engine
