"""OpenSpiel: its own tests and algorithms run on our games."""

from __future__ import annotations

import io
import pickle
import random
from contextlib import redirect_stdout
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts, outcome_sampling_mccfr
from open_spiel.python.tests import games_sim_test

from conftest import all_games, mostly_long
from games import thirds
from overtrick.engine.deals import Deal, Match
from overtrick.envs import openspiel
from overtrick.errors import BadOption, OvertrickError
from overtrick.games import load_game

GAMES = mostly_long(all_games(), "hearts", "kuhn", "thirds")


def some_state(game: Any, choices: int, seed: int) -> Any:
    """Dealt at random, and some choices further."""
    rng, state = random.Random(seed), game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])
    for _ in range(choices):
        if state.is_terminal():
            return some_state(game, choices - 1, seed + 1)
        state.apply_action(rng.choice(state.legal_actions()))
    return some_state(game, choices - 1, seed + 1) if state.is_terminal() else state


# ---------------------------------------------------------------------------- their tests


@pytest.mark.parametrize("name", GAMES)
def test_the_random_simulations_of_openspiel_pass(name: str) -> None:
    np.random.seed(1)
    game = openspiel.load(name)
    with redirect_stdout(io.StringIO()):
        games_sim_test.GamesSimTest().sim_game(game)
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_information_set_search_chooses_legally(name: str) -> None:
    game, rng = openspiel.load(name), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = ismcts.ISMCTSBot(game, evaluator, uct_c=2.0, max_simulations=8, random_state=rng)
    for choices in (0, 3):
        state = some_state(game, choices, 1)
        assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("name", GAMES)
def test_outcome_sampling_learns_regrets(name: str) -> None:
    np.random.seed(1)
    game = openspiel.load(name)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(2):
        solver.iteration()
    state = some_state(game, 0, 1)
    probabilities = solver.average_policy().action_probabilities(state)
    assert sum(probabilities.values()) == pytest.approx(1)
    assert all(np.isfinite(table).all() for table in solver._infostates.values())


def test_kuhn_poker_is_the_game_that_openspiel_has() -> None:
    ours, theirs = openspiel.load("kuhn"), pyspiel.load_game("kuhn_poker")
    convs = [exploitability.nash_conv(g, policy.UniformRandomPolicy(g)) for g in (ours, theirs)]
    assert convs[0] == pytest.approx(convs[1])
    solver = cfr.CFRSolver(ours)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(ours, solver.average_policy()) < 0.1


@pytest.mark.long
def test_outcome_sampling_solves_kuhn_poker() -> None:
    np.random.seed(2)
    game = openspiel.load("kuhn")
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(3000):
        solver.iteration()
    assert exploitability.nash_conv(game, solver.average_policy()) < 0.3  # 0.92 at random


# ---------------------------------------------------------------------------- states


@pytest.mark.parametrize("name", GAMES)
def test_a_state_is_the_deal_of_the_rules_replayed(name: str) -> None:
    game = openspiel.load(name)
    state, rng = some_state(game, 0, 3), random.Random(3)
    while not state.is_terminal():
        deal = Deal.from_text(str(state))
        offset = deal.game.action_offsets[deal.game.phases.index(deal.phase)]
        assert state.current_player() == deal.seat
        assert state.legal_actions() == [offset + choice for choice in deal.legal]
        action = rng.choice(state.legal_actions())
        told = state.action_to_string(state.current_player(), action)
        assert told == f"{deal.phase} {deal.choice_text(action - offset)}"
        state.apply_action(action)
    payoffs = [float(payoff) for payoff in Deal.from_text(str(state)).payoffs]
    assert state.returns() == pytest.approx(payoffs)


def test_copies_and_pickles_go_their_own_ways() -> None:
    game = openspiel.load("hearts")
    state = some_state(game, 5, 1)
    copy, thawed = state.clone(), pickle.loads(pickle.dumps(state))
    assert str(copy) == str(thawed) == str(state)
    copy.apply_action(copy.legal_actions()[0])
    assert str(copy) != str(state) == str(thawed)


@pytest.mark.parametrize("name", GAMES)
def test_resampled_states_look_the_same_to_the_player_and_honour_all_that_was_seen(
    name: str,
) -> None:
    game, others = openspiel.load(name), 0
    for choices in (0, 4, 9):
        state = some_state(game, choices, choices)
        player = state.current_player()
        for number in range(5):
            world = state.resample_from_infostate(player, random.Random(number).random)
            assert world.information_state_string(player) == state.information_state_string(player)
            tensor = world.information_state_tensor(player)
            assert tensor == state.information_state_tensor(player)
            assert world.legal_actions() == state.legal_actions()
            assert world.view(player) == state.view(player)
            others += str(world) != str(state)
    assert others > 0


def test_nothing_is_resampled_before_the_cards_are_dealt() -> None:
    with pytest.raises(BadOption, match="before the cards are dealt"):
        openspiel.load("kuhn").new_initial_state().resample_from_infostate(0, random.random)


# ---------------------------------------------------------------------------- games


def test_house_rules_and_the_match_are_parameters() -> None:
    match = Match.from_text("hearts", "deals=2", variant="moon=auto")
    game = openspiel.load("hearts", match=match)
    assert "match=deals:2" in str(game) and "moon=auto" in str(game)
    assert str(pyspiel.load_game(str(game))) == str(game)
    deal = some_state(game, 0, 1).deal
    assert deal.match == match
    short = pyspiel.load_game("python_overtrick_hearts(moon=auto)")
    assert short.get_parameters()["moon"] == "auto"


def test_a_number_written_as_text_stays_what_it_is() -> None:
    game = openspiel.load("coinche", variant="trick_reward=0.1")
    assert pickle.loads(pickle.dumps(game)).variant.trick_reward == "0.1"


def test_a_game_from_outside_is_registered_by_its_object() -> None:
    assert openspiel.register(thirds.GAME) == "python_overtrick_thirds"
    assert "python_overtrick_thirds" in pyspiel.registered_names()
    assert set(map(openspiel.game_id, all_games())) <= {*pyspiel.registered_names()}


def test_the_utility_of_a_game_is_that_of_its_variant() -> None:
    game = openspiel.load("hearts")
    house = load_game("hearts")
    assert game.max_utility() == house.scale(house.variant()) / house.payoff_unit


def test_bad_parameters_get_one_clear_line() -> None:
    with pytest.raises((OvertrickError, pyspiel.SpielError), match="moon"):
        pyspiel.load_game("python_overtrick_hearts(moon=never)")
    with pytest.raises(OvertrickError, match="moon"):
        openspiel.load("hearts", variant="moon=never")
