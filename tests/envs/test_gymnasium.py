"""Gymnasium and Stable-Baselines3: their checkers, and a learner among other players."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as check_env_by_sb3

import overtrick.envs
from conftest import all_games, mostly_long
from games import thirds
from overtrick.engine.deals import Deal
from overtrick.envs.gymnasium import CardGameEnv, CardGameVectorEnv
from overtrick.envs.registered import SETTINGS, env_id, register
from overtrick.errors import BadBudget, BadOption, BadSeat, IllegalChoice, OvertrickError
from overtrick.games import game_names, load_game

GAMES = mostly_long(all_games(), "coinche", "kuhn", "thirds")


def any_action(mask: Any, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def played(env: CardGameEnv, seed: int, *, bidding: bool | None = None) -> tuple[list[float], Deal]:
    """An episode at random: the rewards, and the deal at its end.

    In Coinche the learner may bid as little as it can, or always pass.
    """
    rng, rewards, done = np.random.default_rng(seed), [], False
    _, info = env.reset(seed=seed)
    while not done:
        action = any_action(info["action_mask"], rng)
        if bidding is not None and env.deal.phase == "bid":
            has_bid = any(event.seat % 2 == 0 for event in env.deal.history)
            action = np.flatnonzero(info["action_mask"])[int(bidding and not has_bid)]
        _, reward, done, _, info = env.step(action)
        rewards.append(reward)
    return rewards, env.deal


# ---------------------------------------------------------------------------- their checkers


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_both_checkers_are_content_without_a_warning(name: str, mode: str) -> None:
    register(name)
    env = gymnasium.make(env_id(name), render_mode=mode).unwrapped
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        check_env(env)
        check_env_by_sb3(env, skip_render_check=False)
    assert [str(warning.message) for warning in told] == []


@pytest.mark.parametrize("identity", SETTINGS)
def test_the_set_ups_with_ids_of_their_own_pass_too(identity: str) -> None:
    env = gymnasium.make(identity).unwrapped
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        check_env(env, skip_render_check=True)
        check_env_by_sb3(env)
    assert [str(warning.message) for warning in told] == []


def test_every_game_has_an_id() -> None:
    assert {env_id(name) for name in game_names()} <= {*gymnasium.registry}
    assert "overtrick/Coinche-v0" in gymnasium.registry
    assert overtrick.envs.BatchedEnv


def test_a_game_from_outside_gets_an_id_as_well() -> None:
    assert register(thirds.GAME) == "overtrick/Thirds-v0"
    assert gymnasium.make("overtrick/Thirds-v0").reset(seed=1)[0].any()


def test_an_id_is_found_by_the_module_that_registers_it() -> None:
    env = gymnasium.make("overtrick.envs:overtrick/Kuhn-v0", opponents="random")
    assert env.unwrapped.game.name == "kuhn"


# ---------------------------------------------------------------------------- the learner


@pytest.mark.parametrize("name", GAMES)
def test_an_episode_is_a_deal_of_the_rules_and_pays_what_it_pays(name: str) -> None:
    env = CardGameEnv(name, learner=1)
    for seed in range(3):
        rewards, deal = played(env, seed)
        again = Deal.from_text(deal.text())
        assert again.is_over and again == deal
        assert sum(rewards) == pytest.approx(float(deal.payoffs[1]))


@pytest.mark.parametrize("name", mostly_long(game_names(), "coinche"))
def test_a_mask_holds_the_legal_actions_of_the_seat_to_act(name: str) -> None:
    env, rng, done = CardGameEnv(name, learner=0), np.random.default_rng(3), False
    _, info = env.reset(seed=3)
    while not done:
        deal = env.deal
        offset = env.game.action_offsets[env.game.phases.index(deal.phase)]
        assert deal.seat == info["seat"] == 0
        legal = [offset + choice for choice in deal.legal]
        assert np.flatnonzero(info["action_mask"]).tolist() == legal
        assert np.array_equal(env.action_masks(), info["action_mask"].astype(bool))
        _, _, done, _, info = env.step(any_action(info["action_mask"], rng))
    assert info["action_mask"].all()  # nothing to choose, yet never empty


def test_the_others_play_as_the_players_that_were_named() -> None:
    env = CardGameEnv("coinche", opponents="rulebook:simple", variant="target=500")
    _, deal = played(env, 5)
    replay = Deal.from_order(deal.match, deal.order)
    from overtrick.jit import streams
    from overtrick.players import make_player

    simple = make_player("rulebook:simple", load_game("coinche"))
    for event in deal.history:
        if event.seat != 0:
            chosen = simple.choose(replay.view(event.seat).records, streams(1, 0, "any"))
            assert int(chosen[0]) == event.choice  # it draws nothing here
        replay = replay.play(event.choice)


def test_a_team_learns_with_both_its_seats() -> None:
    env, rng, done = CardGameEnv("coinche", team=True, learner="South"), np.random.default_rng(1), 0
    _, info = env.reset(seed=2)
    seats = {info["seat"]}
    while not done:
        _, _, done, _, info = env.step(any_action(info["action_mask"], rng))
        seats.add(info["seat"])
    assert seats == {0, 2}


def test_a_match_goes_on_until_somebody_has_won() -> None:
    env = CardGameEnv("thirds", episode="match", variant="target=7", opponents="random")
    rewards, deal = played(env, 3)
    match = deal.match.after(deal)
    assert match.is_over and match.deals >= 3
    assert sum(rewards) == pytest.approx(3 * match.scores[0] - 3 * match.deals)


def test_scaled_rewards_lie_between_minus_one_and_one() -> None:
    plain, scaled = CardGameEnv("coinche"), CardGameEnv("coinche", scaled=True)
    for seed in range(3):
        points = sum(played(plain, seed)[0])
        assert sum(played(scaled, seed)[0]) == pytest.approx(points / 1000)


def by_the_paper(matrix: str, bid: int, *, attacks: bool, made: bool) -> int:
    """What a contract rewards a team with, by Tables 2 and 4 of the paper."""
    won = made == attacks
    if won:
        return bid if attacks else {"no_defense": 0}.get(matrix, 160)
    if matrix == "classic":
        return 0
    return -bid if not attacks or matrix == "good" else -160


@pytest.mark.parametrize("matrix", ["classic", "mirror", "no_defense", "good"])
def test_the_matrices_of_the_paper_and_its_term_for_tricks(matrix: str) -> None:
    settings = SETTINGS["overtrick/CoinchePaper-v0"]
    variant = f"reward_matrix={matrix},trick_reward=0.1"
    env, found, early = CardGameEnv(**{**settings, "variant": variant}), set(), 0
    for seed in range(30):
        rewards, deal = played(env, seed, bidding=seed % 2 == 1)
        record = deal.records[0]
        if not record["bid"]:
            assert sum(rewards) == 0
            continue
        attacks, made = bool(record["bidder"] % 2 == 0), float(deal.payoffs[record["bidder"]]) > 0
        bid = int(deal.game.choice_names[0][int(record["bid"])][:-1])
        entry = by_the_paper(matrix, bid, attacks=attacks, made=made) * (1 + record["doubled"])
        assert sum(rewards) == pytest.approx(entry + 0.1 * record["points"][0])
        early += any(rewards[:-1])
        found.add((attacks, made))
    assert len(found) == 4 and early > 5


# ---------------------------------------------------------------------------- chance


def test_a_seed_settles_the_deals_and_what_the_others_choose() -> None:
    env = CardGameEnv("coinche", opponents="random")
    assert played(env, 7)[1] == played(CardGameEnv("coinche", opponents="random"), 7)[1]
    assert played(env, 7)[1] != played(env, 8)[1]


def test_reset_without_a_seed_goes_on_with_the_match() -> None:
    env = CardGameEnv("coinche")
    played(env, 1)
    assert env.deal.match.deals == 0
    env.reset()
    assert env.deal.match.deals == 1 and not env.deal.is_over


# ---------------------------------------------------------------------------- mistakes


def test_an_illegal_action_is_replaced_by_the_lowest_legal_one_and_told() -> None:
    env = CardGameEnv("hearts")
    _, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    lowest = env.deal.legal[0]
    *_, info = env.step(wrong)
    assert info["illegal"]
    assert lowest in [event.choice for event in env.deal.history if event.seat == 0]


def test_an_illegal_action_is_an_error_if_that_is_wanted() -> None:
    env = CardGameEnv("hearts", illegal="error")
    _, info = env.reset(seed=1)
    with pytest.raises(IllegalChoice, match="is not legal at table 0; legal are"):
        env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))


def test_a_deal_that_is_over_takes_no_more_actions() -> None:
    env = CardGameEnv("kuhn")
    played(env, 1)
    with pytest.raises(IllegalChoice, match="is over; reset it"):
        env.step(0)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"learner": "Nowhere"}, BadSeat, "the seats are"),
        ({"team": True}, BadOption, "hearts has no fixed teams"),
        ({"opponents": "random,random"}, BadSeat, "3 seats want players, not 2"),
        ({"opponents": "nobody"}, OvertrickError, "there is no player 'nobody'"),
        ({"episode": "hour"}, BadOption, "episode is deal or match, not 'hour'"),
        ({"rewards": "gold"}, BadOption, "rewards is payoff or game, not 'gold'"),
        ({"illegal": "shrug"}, BadOption, "illegal is lowest or error"),
        ({"render_mode": "human"}, BadOption, "render_mode is ansi or rgb_array, not 'human'"),
        ({"variant": "moon=no"}, BadOption, "moon"),
    ],
)
def test_bad_settings_get_one_clear_line(
    settings: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        CardGameEnv("hearts", **settings)


# ---------------------------------------------------------------------------- many tables


def test_many_tables_deal_anew_in_the_same_step() -> None:
    env: Any = gymnasium.make_vec(
        "overtrick/Coinche-v0", num_envs=16, vectorization_mode="vector_entry_point"
    )
    rng, episodes = np.random.default_rng(1), 0
    seen, infos = env.reset(seed=1)
    for _ in range(40):
        assert seen in env.observation_space
        actions = np.array([any_action(mask, rng) for mask in infos["action_mask"]])
        seen, _, done, cut, infos = env.step(actions)
        episodes += int(done.sum())
        assert not cut.any() and not infos["illegal"].any()
        for table in np.flatnonzero(done):
            assert infos["final_obs"][table].shape == (599,)
    assert episodes > 16


def test_many_tables_play_what_one_seed_settles() -> None:
    def trace(seed: int) -> list[bytes]:
        env, rng = CardGameVectorEnv("hearts", 8), np.random.default_rng(0)
        _, infos = env.reset(seed=seed)
        shown = []
        for _ in range(30):
            actions = np.array([any_action(mask, rng) for mask in infos["action_mask"]])
            seen, rewards, _, _, infos = env.step(actions)
            shown += [seen.tobytes(), rewards.tobytes()]
        return shown

    assert trace(4) == trace(4)
    assert trace(4) != trace(5)


def test_there_is_at_least_one_table() -> None:
    with pytest.raises(BadBudget, match="at least one table, not 0"):
        CardGameVectorEnv("kuhn", 0)


# ---------------------------------------------------------------------------- showing


@pytest.mark.parametrize("name", mostly_long(all_games(), "hearts", "kuhn"))
def test_what_is_shown_is_the_learners_view(name: str) -> None:
    text, picture = (CardGameEnv(name, render_mode=mode) for mode in ("ansi", "rgb_array"))
    for env in (text, picture):
        env.reset(seed=1)
    told = text.render()
    hand = text.deal.hands[0]
    pretty = text.game.deck.pretty
    assert all(pretty(card) in told for card in range(63) if hand >> card & 1)
    assert text.view.phase in told
    drawn = picture.render()
    assert drawn.shape == (480, 640, 3) and drawn.dtype == np.uint8 and len(np.unique(drawn)) > 8
