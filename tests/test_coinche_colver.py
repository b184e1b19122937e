"""Coinche against colver, an independent program for the French federation's rules.

Cards, calls and seats are numbered alike in both. Rules of the auction and of play, trick points,
announcements and who made the contract must agree; what colver pays for it is another way of
scoring, told in docs/games/coinche.md: a capot counts 252 there instead of 162.
"""

from __future__ import annotations

import random

import colver
import pytest

from overtrick.engine.deals import Deal, Match
from overtrick.games.coinche import GAME
from referees import coinche as referee

PHASES = {"bid": 0, "play": 1, "over": 2}
ALL_TRICKS, CAPOT_POINTS, DEAL_POINTS = 8, 252, 162


def begun(rng: random.Random) -> tuple[Deal, colver.Env]:
    """The same deal in both; every tenth gives one seat a whole suit, so that capots occur."""
    dealer = rng.randrange(4)
    hands = [hand[:] for hand in referee.random_deal(rng, dealer=dealer).dealt]
    if rng.random() < 0.1:
        strong = rng.choice("SHDC")
        suited = [card for card in referee.DECK if card[1] == strong]
        others = rng.sample([card for card in referee.DECK if card[1] != strong], 24)
        hands = [suited, others[:8], others[8:16], others[16:]]
        rng.shuffle(hands)
    match = Match.from_text(GAME, f"deals={dealer}" if dealer else "")
    deal = Deal.from_cards(GAME, {str(seat): hand for seat, hand in enumerate(hands)}, match=match)
    numbers = [[referee.DECK.index(card) for card in hand] for hand in hands]
    return deal, colver.Env.deal_with_hands(dealer, numbers)


def next_choice(deal: Deal, rng: random.Random, bid_chance: float) -> int:
    """A random legal choice, in the auction a pass unless a bid is wanted."""
    if deal.phase == "bid" and rng.random() > bid_chance:
        return 0
    return rng.choice(deal.legal)


def agree_on_the_trick_points(deal: Deal, env: colver.Env) -> None:
    record = deal.records[0]
    tricks = [int(count) for count in record.tricks]
    assert list(env.get_tricks_won()) == tricks
    theirs = [
        DEAL_POINTS if count == ALL_TRICKS and points == CAPOT_POINTS else points
        for points, count in zip(env.get_points(), tricks, strict=True)
    ]
    assert theirs == [int(points) for points in record.points]


def agree_over(count: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        deal, env = begun(rng)
        bid_chance = rng.choice([0.0, 0.1, 0.3, 0.6])
        if rng.random() < 0.5:  # contracts near what random play makes
            call = GAME.choice_from(0, f"{rng.choice([80, 80, 90])}{rng.choice('SHDC')}")
            deal = deal.play(call)
            env.step(call)
        while not deal.is_over:
            assert env.phase() == PHASES[deal.phase]
            assert env.current_player() == deal.seat, deal.text()
            assert set(env.legal_actions()) == set(deal.legal), deal.text()
            choice = next_choice(deal, rng, bid_chance)
            deal = deal.play(choice)
            env.step(choice)
            if deal.phase == "play":
                agree_on_the_trick_points(deal, env)
        assert env.is_terminal()
        payoff = deal.payoffs[0]
        outcome = env.deal_outcome()
        assert outcome[0] == (0.5 if payoff == 0 else float(payoff > 0)), deal.text()


def test_colver_agrees_over_random_deals() -> None:
    agree_over(300, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(5))
def test_colver_agrees_over_five_thousand_deals(chunk: int) -> None:
    agree_over(1000, seed=10 + chunk)
