"""Rollouts: the same deals wherever they are played, and kept with all that learning needs."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from conftest import legals_of, mostly_long
from nets.some_nets import some_net, their_views
from overtrick.engine.batches import play_all
from overtrick.engine.observations import canonical_orders
from overtrick.errors import BadOption
from overtrick.games import load_game
from overtrick.jit import streams
from overtrick.learn.rollouts import Rollout, Table, draw_choices, play_table, seating_of
from overtrick.learn.samples import views_of
from overtrick.learn.seats import LEARNER, OTHER, check_seating
from overtrick.nets.evaluating import NetEvaluator

GAMES = mostly_long(["kuhn", "whist3x3", "thirds", "snapszer", "hokm"], "whist3x3", "kuhn")


@cache
def a_table(name: str, **told: Any) -> Table:
    game = load_game(name)
    _, critic = some_net(game, seed=2, hands=True, value="side")
    return Table(some_net(game, seed=1)[1], critic, **told)


def equal(one: Rollout, other: Rollout) -> bool:
    names = Rollout.__dataclass_fields__
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


@pytest.mark.parametrize("name", GAMES)
def test_deals_come_out_the_same_in_whatever_lots(name: str) -> None:
    table = a_table(name, other="random")
    whole = play_table(name, table, 1, 0, 24)
    parts = [play_table(name, table, 1, first, count) for first, count in ((0, 5), (5, 19))]
    assert equal(whole, Rollout.joined(parts))


@pytest.mark.parametrize("name", GAMES)
def test_every_kept_choice_was_one_and_leads_on_to_the_next(name: str) -> None:
    rollout = play_table(name, a_table(name), 1, 0, 12)
    assert (rollout.legal == legals_of(rollout.deals)).all()
    assert (rollout.legal & rollout.legal - 1 != 0).all()
    assert (rollout.legal >> rollout.chosen & 1 == 1).all()
    for number in range(12):
        mine = np.flatnonzero(rollout.numbers == number)
        end = rollout.ends[number]
        for row in mine:
            turn = int(rollout.deals["turn"][row])
            assert int(end["history"][turn]) & 63 == rollout.chosen[row]
            after = rollout.deals[row : row + 1].copy()
            play_all(after, rollout.chosen[row : row + 1])
            assert int(after["turn"][0]) == turn + 1


@pytest.mark.parametrize("name", GAMES)
def test_choices_are_kept_with_the_probability_that_the_policy_gave_them(name: str) -> None:
    game, table = load_game(name), a_table(name)
    rollout = play_table(name, table, 1, 0, 12)
    views = their_views(rollout.deals)
    weights, _ = NetEvaluator(game, table.policy).weigh(views, rollout.orders)
    rows = np.arange(len(rollout))
    most = weights.max(axis=1)
    totals = np.log(np.exp(weights - most[:, None]).sum(axis=1))
    assert rollout.logs == pytest.approx(weights[rows, rollout.chosen] - most - totals)
    judged = NetEvaluator(game, table.critic).judge(rollout.deals, rollout.orders)
    assert rollout.values == pytest.approx(judged)


def test_what_was_rewarded_grows_to_what_the_deal_paid() -> None:
    table = replace(a_table("coinche"), variant="trick_reward=0.1")
    rollout = play_table("coinche", table, 1, 0, 6)
    assert (rollout.rewarded >= 0).all()  # until the end only the tricks' own rewards
    first = np.flatnonzero(np.diff(rollout.numbers, prepend=-1))
    assert (rollout.rewarded[first] == 0).all()
    assert rollout.rewarded.max() > 0


def test_others_choose_where_no_learner_sits_and_are_kept_only_if_told() -> None:
    table = a_table("whist3x3", other="random")
    rollout = play_table("whist3x3", table, 1, 0, 40)
    assert rollout.learned.all()
    assert (rollout.seating[rollout.numbers, rollout.seats] == LEARNER).all()
    both = play_table("whist3x3", replace(table, all_valued=True), 1, 0, 40)
    assert (both.learned == (both.seating[both.numbers, both.seats] == LEARNER)).all()
    assert (both.chosen[both.learned] == rollout.chosen).all()
    assert not both.learned.all()


def test_the_clairvoyant_in_a_league_sees_all_cards() -> None:
    other = "clairvoyant:sims=4,endgame=2"
    for told in ({"other": other}, {"forced": f"play:{other}", "all_valued": True}):
        rollout = play_table("whist3x3", a_table("whist3x3", **told), 1, 0, 4)
        assert (rollout.ends["phase"] < 0).all()


@pytest.mark.parametrize("name", ["hokm", "hearts", "sheephead", "snapszer"])
def test_a_learner_sits_everywhere_and_deals_as_often_as_anybody(name: str) -> None:
    game = load_game(name)
    deals = np.arange(120 * game.seats)
    seated = seating_of(game, a_table("kuhn", other="random"), deals)
    for dealer in range(game.seats):
        mine = (seated[deals % game.seats == dealer] == LEARNER).mean(axis=0)
        assert mine == pytest.approx(np.full(game.seats, 0.5))


def test_a_seating_that_is_told_is_turned_round_the_table() -> None:
    game = load_game("coinche")
    table = replace(a_table("kuhn", other="random"), seating="LLLO")
    seated = seating_of(game, table, np.arange(16))
    assert (seated == OTHER).sum(axis=1).tolist() == [1] * 16
    assert seated[::4].tolist() == [[0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]


@pytest.mark.parametrize("text", ["LO", "OOOO", "LXLO"])
def test_a_seating_that_does_not_fit_is_refused(text: str) -> None:
    with pytest.raises(BadOption, match="a seating has 4 letters"):
        check_seating(load_game("hokm"), text)


def test_choices_are_drawn_as_often_as_they_weigh() -> None:
    count = 20_000
    weights = np.full((count, 64), -np.inf)
    weights[:, 3], weights[:, 60] = math.log(3), 0.0
    chosen, logs = np.zeros(count, dtype=np.int64), np.zeros(count)
    draw_choices(weights, streams(count, 1, "drawn"), chosen, logs)
    assert (chosen == 3).mean() == pytest.approx(0.75, abs=0.01)
    assert set(chosen.tolist()) == {3, 60}
    assert logs == pytest.approx(np.where(chosen == 3, math.log(0.75), math.log(0.25)))


def test_suits_are_renamed_only_if_told() -> None:
    for shuffled in (True, False):
        table = replace(a_table("hokm"), shuffled=shuffled)
        rollout = play_table("hokm", table, 1, 0, 4)
        same = rollout.orders == canonical_orders(views_of(rollout.deals))
        assert same.all() != shuffled
