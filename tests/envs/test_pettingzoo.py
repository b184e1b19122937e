"""PettingZoo: its own tests, and agents that play by the rules."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from conftest import all_games, mostly_long
from overtrick.engine.deals import Deal
from overtrick.envs.pettingzoo import env
from overtrick.errors import BadOption, IllegalChoice

GAMES = mostly_long(all_games(), "hearts", "kuhn", "thirds")
EPISODES = ["deal", "match"]

# Observations with a mask are dicts, which these two only know of a list of environments.
UNAVOIDABLE = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or "
    "gymnasium.spaces.discrete",
}


def play(zoo: Any, seed: int) -> dict[str, float]:
    """An episode at random: what each agent was rewarded in all."""
    rng, totals = np.random.default_rng(seed), dict.fromkeys(zoo.possible_agents, 0.0)
    zoo.reset(seed=seed)
    for agent in zoo.agent_iter():
        seen, reward, ended, _, _ = zoo.last()
        totals[agent] += reward
        assert seen["action_mask"].any()
        zoo.step(None if ended else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return totals


@pytest.mark.parametrize("episode", EPISODES)
@pytest.mark.parametrize("name", GAMES)
def test_the_tests_of_pettingzoo_pass(name: str, episode: str) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        api_test(env(name, episode=episode, render_mode="ansi"), num_cycles=60)
        seed_test(lambda: env(name, episode=episode), num_cycles=60)
    assert {str(warning.message) for warning in told} <= UNAVOIDABLE


@pytest.mark.parametrize("name", GAMES)
def test_agents_are_paid_what_the_rules_pay(name: str) -> None:
    zoo = env(name)
    for seed in range(3):
        totals = play(zoo, seed)
        assert sum(totals.values()) == pytest.approx(0)
        again = Deal.from_text(zoo.deal.text())
        assert [*totals.values()] == pytest.approx([float(payoff) for payoff in again.payoffs])


def test_rewards_of_a_match_are_those_of_its_deals() -> None:
    zoo = env("thirds", episode="match", scaled=True)
    totals = play(zoo, 1)
    match = zoo.deal.match.after(zoo.deal)
    assert match.is_over and match.deals > 1
    tricks = np.array(match.scores)
    assert [*totals.values()] == pytest.approx((3 * tricks - 3 * match.deals) / 6)


def test_an_agent_that_is_not_to_act_has_every_action_in_its_mask() -> None:
    zoo = env("hearts")
    zoo.reset(seed=1)
    for agent in zoo.agents:
        mask = zoo.observe(agent)["action_mask"]
        assert mask.all() == (agent != zoo.agent_selection)


def test_dealers_take_turns_from_episode_to_episode() -> None:
    zoo = env("coinche")
    first = []
    for number in range(4):
        zoo.reset(seed=1 if number == 0 else None)
        first.append(zoo.agent_selection)
        while not zoo.deal.is_over:
            mask = zoo.observe(zoo.agent_selection)["action_mask"]
            zoo.step(int(np.flatnonzero(mask)[0]))
    assert first == ["seat_1", "seat_2", "seat_3", "seat_0"]


def test_mistakes_get_one_clear_line() -> None:
    zoo = env("hearts")
    with pytest.raises(BadOption, match="reset before it is used"):
        zoo.observe("seat_0")
    zoo.reset(seed=1)
    with pytest.raises(IllegalChoice, match="an action is 0 to 51, not 52"):
        zoo.step(52)
    mask = zoo.observe(zoo.agent_selection)["action_mask"]
    with pytest.raises(IllegalChoice, match="legal are"):
        zoo.step(int(np.flatnonzero(mask == 0)[0]))
    with pytest.raises(BadOption, match="episode is deal or match"):
        env("hearts", episode="hour")
