"""The shipped champion of Coinche bids as people do: neither never, nor always, nor wildly."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from overtrick.arena.behaviour import measure_behaviour
from overtrick.engine.deals import Deal
from overtrick.games import load_game
from overtrick.jit import streams
from overtrick.players import make_player

GAME = load_game("coinche")
CHAMPION = "ppo:coinche/champion"
HANDS = 200


def hand_with_jack_nine_ace_fourth(suit: str, chance: random.Random) -> Deal:
    """A deal in which the first to call holds these and one more trump; all else is shuffled."""
    held = [f"J{suit}", f"9{suit}", f"A{suit}", f"{chance.choice('78QKT')}{suit}"]
    trumps = {name for name in GAME.deck.names if name.endswith(suit)}
    others = [name for name in GAME.deck.names if name not in trumps]
    chance.shuffle(others)
    rest = [*(trumps - {*held}), *others[4:]]
    chance.shuffle(rest)
    hands = [rest[:8], held + others[:4], rest[8:16], rest[16:]]  # seat 0 dealt
    return Deal.from_cards("coinche", {str(seat): hand for seat, hand in enumerate(hands)})


@pytest.mark.parametrize("suit", ["S", "H", "D", "C"])
def test_jack_nine_ace_fourth_is_bid(suit: str) -> None:
    chance = random.Random(suit)
    deals = [hand_with_jack_nine_ace_fourth(suit, chance) for _ in range(HANDS)]
    assert {deal.seat for deal in deals} == {1}
    views = np.concatenate([deal.view(1).records for deal in deals])
    chosen = make_player(CHAMPION, GAME).choose(views, streams(HANDS, 1, "calls"))
    calls = Counter(GAME.choice_names[0][call] for call in chosen)
    assert calls["P"] < 0.02 * HANDS, calls
    assert sum(calls[name] for name in calls if name.endswith(suit)) > 0.9 * HANDS, calls


def test_among_champions_few_deals_are_passed_out_and_no_contract_is_wild() -> None:
    told = measure_behaviour(GAME, [CHAMPION, CHAMPION], 300, seed=3)
    means = {metric.name: row[0].mean for metric, row in zip(told.metrics, told.rows, strict=True)}
    assert means["passed out"] < 0.1
    assert 80 <= means["contract value"] <= 120
    assert means["capot rate"] < 0.02
    assert means["coinche rate"] < 0.4
