"""Search led by a net: its counts, its chance, its exact endings, its noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from conftest import legals_of
from nets.some_nets import some_deals, some_net, their_views, with_a_choice
from overtrick.engine.batches import payoffs_all, play_all
from overtrick.engine.worlds import sample_worlds
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.jit import fork, kernel, stream, streams
from overtrick.nets.evaluating import NetEvaluator
from overtrick.nets.forward import reach_of
from overtrick.players.levels import playout_player
from overtrick.players.neural import PolicyPlayer
from overtrick.search.beliefs import EVENLY, Beliefs
from overtrick.search.endings import Endings
from overtrick.search.guided import (
    SHARPNESS,
    Guidance,
    Guided,
    draw_noise,
    pick_all,
    policy_of,
    ponder_all,
)
from overtrick.search.puct import Puct
from overtrick.search.tables import VISITS

Records = np.ndarray[Any, Any]


def a_view(game: Game, seed: int = 0) -> tuple[Records, int]:
    state = with_a_choice(some_deals(game, 64, seed))[:1]
    return their_views(state), int(legals_of(state)[0])


def guided(game: Game, view: Records, legal: int, *, threads: int = 1, **how: Any) -> Guided:
    _, net = some_net(game)
    told = Guidance(**{"sims": 12} | how)
    beliefs = Beliefs(game, EVENLY)
    chance = stream(5, "guided")
    return Guided(game, net, told, view, legal, chance, beliefs, budget=40, threads=threads)


def test_every_simulation_is_a_visit_of_a_legal_choice(game: Game) -> None:
    view, legal = a_view(game)
    search = guided(game, view, legal)
    search.think(7)
    table = search.table()
    assert table.visits.sum() == 7 * 12
    often = table.visits[table.visits > 0]
    assert often.max() - often.min() <= 7  # no choice was tried twice as others waited
    assert not [choice for choice in range(64) if table.visits[choice] and not legal >> choice & 1]
    assert legal >> int(table.probability.argmax()) & 1


@pytest.mark.parametrize("name", ["snapszer", "sheephead"])
def test_what_is_found_does_not_depend_on_threads_or_steps(name: str) -> None:
    game = load_game(name)
    view, legal = a_view(game)
    one, other = guided(game, view, legal), guided(game, view, legal, threads=3)
    one.think(40)
    for step in (1, 5, 20, 14):
        other.think(step)
    assert np.array_equal(one.table().visits, other.table().visits)
    assert np.array_equal(one.table().payoff, other.table().payoff)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_leaf_by_leaf_and_in_batches_the_same_trees_grow(name: str) -> None:
    """In these games there is always a choice, so that no node is passed over."""
    game = load_game(name)
    view, _ = a_view(game)
    worlds = sample_worlds(view, 8, stream(1, "worlds"))
    _, net = some_net(game)
    scale = float(game.payoff_scale)
    counts = ponder_all(game, net, Guidance(30, evenly=False), scale, worlds, streams(8, 0, "any"))
    forest = Puct(game, scale, view, worlds, stream(0, "any"), evaluator=NetEvaluator(game, net))
    forest.think(30)
    assert np.array_equal(counts[:, VISITS].sum(axis=0), forest.table().visits)


def test_views_searched_together_find_what_each_finds_alone() -> None:
    game = load_game("hokm")
    views = their_views(with_a_choice(some_deals(game, 40)))[:6]
    worlds = np.concatenate([sample_worlds(views[n : n + 1], 3, stream(n, "w")) for n in range(6)])
    _, net = some_net(game)
    how = Guidance(10, stir=0.25)
    together = ponder_all(game, net, how, 2.0, worlds, streams(6, 1, "s"), threads=2)
    for number in range(6):
        mine = worlds[3 * number : 3 * number + 3]
        alone = ponder_all(game, net, how, 2.0, mine, streams(6, 1, "s")[number : number + 1])
        assert np.array_equal(alone[0], together[number])


def test_with_exact_endings_a_few_simulations_find_the_best_choice() -> None:
    game = load_game("whist3x3")
    states = with_a_choice(some_deals(game, 200))[:60]
    _, net = some_net(game)
    endings = Endings(game)
    how = Guidance(60, endgame=3)
    for number in range(len(states)):
        world = states[number : number + 1]
        seat = int(world["seat"][0])
        counts = ponder_all(game, net, how, 3.0, world, streams(1, number, "s"))[0]
        payoffs, _ = endings.weigh(world, gains=False)
        best = int(policy_of(counts[None], legals_of(world), 3.0)[0].argmax())
        legal = [choice for choice in range(9) if int(legals_of(world)[0]) >> choice & 1]
        assert payoffs[best, seat] == max(payoffs[choice, seat] for choice in legal)


def test_playouts_may_value_the_leaves_in_the_net_s_place() -> None:
    game = load_game("snapszer")
    view, legal = a_view(game)
    by_net, by_playout = guided(game, view, legal), guided(game, view, legal, level=-1)
    for search in (by_net, by_playout):
        search.think(10)
    assert by_playout.table().visits.sum() == 120
    assert not np.array_equal(by_net.table().payoff, by_playout.table().payoff)


@kernel
def noise_of(size: int, alpha: float, rows: Any, chance: Any) -> None:
    for number in range(len(rows)):
        draw_noise(size, alpha, rows[number], chance)


@pytest.mark.parametrize("alpha", [0.3, 1.0, 2.5])
def test_the_noise_is_a_dirichlet_distribution(alpha: float) -> None:
    rows = np.zeros((40_000, 4))
    noise_of(4, alpha, rows, stream(2, "noise"))
    assert np.allclose(rows.sum(axis=1), 1)
    assert np.allclose(rows.mean(axis=0), 1 / 4, atol=0.006)
    assert np.allclose(rows.var(axis=0), 3 / 16 / (4 * alpha + 1), rtol=0.06)


def test_choices_are_drawn_by_their_visits_to_a_power() -> None:
    visits = np.zeros((60_000, 64))
    visits[:, [3, 5, 40]] = 8, 2, 4
    drawn = np.zeros(len(visits), dtype=np.int64)
    for temperature, shares in ((1.0, (8, 2, 4)), (0.5, (64, 4, 16))):
        pick_all(visits, np.full(len(visits), temperature), streams(len(visits), 0, "p"), drawn)
        found = [float((drawn == choice).mean()) for choice in (3, 5, 40)]
        assert np.allclose(found, np.array(shares) / sum(shares), atol=0.01)
    pick_all(visits, np.zeros(len(visits)), streams(len(visits), 0, "p"), drawn)
    assert set(drawn) == {3}


def test_only_the_choices_that_are_told_are_tried() -> None:
    game = load_game("snapszer")
    view, legal = a_view(game)
    _, net = some_net(game)
    only = legal & legal - 1  # all but the lowest
    worlds = sample_worlds(view, 3, stream(1, "worlds"))
    how, chance = Guidance(20), streams(3, 0, "any")
    counts = ponder_all(game, net, how, 3.0, worlds, chance, only=only)
    tried = counts[:, VISITS].sum(axis=0) > 0
    assert [n for n in range(64) if tried[n]] == [n for n in range(64) if only >> n & 1]


def test_between_net_and_playouts_a_leaf_is_worth_something_between() -> None:
    game = load_game("snapszer")
    view, legal = a_view(game)
    level = playout_player(game).level
    payoffs = []
    for told in ({}, {"level": level, "trust": 0.25}, {"level": level}):
        search = guided(game, view, legal, sims=1, **told)
        search.think(12)
        payoffs.append(search.table().payoff)
    by_net, between, by_playout = payoffs
    assert np.allclose(between, 0.75 * by_net + 0.25 * by_playout)


def test_far_ahead_a_leaf_is_worth_what_the_policy_s_own_play_pays() -> None:
    game = load_game("snapszer")
    view, legal = a_view(game)
    _, net = some_net(game)
    search = guided(game, view, legal, sims=1, ahead=1000)
    search.think(10)
    worlds = Beliefs(game, EVENLY).draw(view, 16, search_chance(0)).records[:10]
    player, me = PolicyPlayer(game, net, "net"), int(view["seat"][0])
    for choice in (n for n in range(64) if legal >> n & 1):
        deals = worlds.copy()
        play_all(deals, np.full(len(deals), choice))
        while (going := np.flatnonzero(deals["phase"] >= 0)).size:
            group = deals[going]
            views = their_views(group)
            play_all(group, player.choose(views, streams(len(views), 0, "any")))
            deals[going] = group
        won = np.zeros((len(deals), game.seats), dtype=np.int64)
        payoffs_all(deals, won)
        assert np.isclose(search.table().payoff[choice], won[:, me].mean())


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_policy_is_asked_only_where_there_is_a_choice(
    temperature: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game("snapszer")
    deals = some_deals(game, 200)
    legals, views, chances = legals_of(deals), their_views(deals), streams(len(deals), 0, "any")
    _, net = some_net(game)
    player = PolicyPlayer(game, net, "net", temperature=temperature)
    weights, _ = NetEvaluator(game, net).weigh(views)
    wanted = np.zeros(len(deals), dtype=np.int64)
    pick_all(np.exp(weights), np.full(len(deals), temperature), chances.copy(), wanted)
    asked: list[int] = []
    weigh = player._evaluator.weigh

    def counted(views: Records) -> Any:
        asked.append(len(views))
        return weigh(views)

    monkeypatch.setattr(player._evaluator, "weigh", counted)
    assert player.choose(views, chances).tolist() == wanted.tolist()
    assert asked == [(legals & legals - 1 != 0).sum()]
    assert 0 < asked[0] < len(deals)


def search_chance(lot: int) -> Any:
    """The chance by which a search draws its worlds."""
    chance = np.empty(2, dtype=np.int64)
    fork(stream(5, "guided"), -1 - lot, chance)
    return chance


def test_choices_that_turn_out_worse_are_tried_no_more() -> None:
    """To close with the ace and ten of trumps, or to throw a ten away: one is clearly worse."""
    game = load_game("snapszer")
    states = with_a_choice(some_deals(game, 64, 3))
    dropped = 0
    for number in range(12):
        state = states[number : number + 1]
        view, legal = their_views(state), int(legals_of(state)[0])
        level = playout_player(game).level
        search = guided(game, view, legal, sims=1, level=level)
        search.think(40)
        table = search.table()
        often = table.visits[[n for n in range(64) if legal >> n & 1]]
        assert often.max() == 40
        best = int(table.probability.argmax())
        assert table.visits[best] == 40
        dropped += int((often < 40).sum())
    assert dropped


def test_the_policy_decides_before_any_world_and_counts_as_some_worlds_after() -> None:
    game = load_game("snapszer")
    _, net = some_net(game)
    for seed in range(8):
        view, legal = a_view(game, seed)
        logits = NetEvaluator(game, net).weigh(view)[0][0]
        search, alone = (guided(game, view, legal, prior=prior) for prior in (30, 0))
        assert search.table().probability[logits.argmax()] == 1.0
        search.think(10)
        alone.think(10)
        payoffs = search.table().payoff
        assert (payoffs == alone.table().payoff).all()
        told = 30 * SHARPNESS * reach_of(net) * logits
        assert search.table().probability[(10 * payoffs + told).argmax()] == 1.0
