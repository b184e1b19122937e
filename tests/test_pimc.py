"""PIMC and beliefs: worlds tried alike, weighed by what the others have chosen, budgets kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from overtrick.engine.batches import legal_all, play_all
from overtrick.engine.deals import Deal
from overtrick.engine.playouts import choose_all
from overtrick.engine.worlds import sample_worlds
from overtrick.errors import BadOption, DealOver, NoWorldFound, UnknownName
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.jit import fork, stream, streams
from overtrick.players import PlayerName, make_player
from overtrick.players.naming import split_names
from overtrick.search.beliefs import (
    EVENLY,
    LEAST_EFFECTIVE,
    RANDOM_PART,
    Beliefs,
    draw_candidates,
    effective,
    flattened,
    resampled,
)
from overtrick.search.pimc import Pimc

FIVE = ("hokm", "sheephead", "snapszer", "coinche", "hearts")
LARGE = 10**6


def view_after(game: str, seed: int, choices: int) -> Any:
    """What the seat to act knows after so many choices of the strong rulebook."""
    deal = Deal.from_seed(game, seed)
    level = deal.game.rulebooks["strong@1"] if deal.game.rulebooks else -1
    for _ in range(choices):
        chosen = np.zeros(1, dtype=np.int64)
        choose_all(deal.records, level, streams(1, seed, "play"), chosen)
        after = deal.play(int(chosen[0]))
        if after.is_over:
            break
        deal = after
    assert deal.seat is not None
    return deal.view(deal.seat).records


def legal_in(view: Any) -> int:
    legals = np.zeros(1, dtype=np.int64)
    legal_all(view, legals)
    return int(legals[0])


def a_view_with_a_choice(game: str, seed: int = 1, choices: int = 9) -> Any:
    while True:
        view = view_after(game, seed, choices)
        if bin(legal_in(view)).count("1") > 1:
            return view
        seed += 1


def search(game: Game, view: Any, *, threads: int = 1, level: int | None = None) -> Pimc:
    model = game.rulebooks["strong@1"] if game.rulebooks else EVENLY
    return Pimc(
        game,
        view,
        legal_in(view),
        stream(5, "pimc"),
        Beliefs(game, model),
        level=(model if game.rulebooks else -1) if level is None else level,
        budget=LARGE,
        threads=threads,
    )


# ---------------------------------------------------------------------------- the search


@pytest.mark.parametrize("name", FIVE)
def test_one_and_two_threads_and_any_steps_find_the_same(name: str) -> None:
    game = load_game(name)
    view = a_view_with_a_choice(name)
    at_once, in_steps, by_two = (search(game, view, threads=threads) for threads in (1, 1, 2))
    at_once.think(150)
    by_two.think(150)
    for units in (1, 2, 61, 64, 22):
        in_steps.think(units)
    for other in (in_steps, by_two):
        assert other.spent == 150
        for mine, theirs in zip(
            vars(at_once.table()).values(), vars(other.table()).values(), strict=True
        ):
            np.testing.assert_allclose(mine, theirs, rtol=1e-12)


def test_the_mean_is_that_of_playing_every_choice_out_in_the_same_worlds() -> None:
    game = load_game("hokm")
    level = game.rulebooks["simple@1"]
    view = a_view_with_a_choice("hokm", choices=20)
    thinking = Pimc(
        game,
        view,
        legal_in(view),
        stream(5, "pimc"),
        Beliefs(game, EVENLY),
        level=level,
        budget=40,
    )
    thinking.think(40)
    chance = np.empty(2, dtype=np.int64)
    fork(stream(5, "pimc"), 0, chance)
    worlds = Beliefs(game, EVENLY).draw(view, 40, chance).records
    seat = int(view["seat"][0])
    for choice in (choice for choice in range(52) if legal_in(view) >> choice & 1):
        total = 0
        for number in range(40):
            state = worlds[number : number + 1].copy()
            play_all(state, np.array([choice]))
            while state["phase"][0] >= 0:
                chosen = np.zeros(1, dtype=np.int64)
                choose_all(state, level, streams(1, 0), chosen)
                play_all(state, chosen)
            total += 1 if int(state["winner"][0]) == seat & 1 else -1
        table = thinking.table()
        assert table.payoff[choice] * 40 == pytest.approx(total)
        assert table.visits[choice] == 40


def test_it_is_settled_only_when_nothing_can_change() -> None:
    game = load_game("snapszer")
    for seed in range(8):
        thinking = search(game, a_view_with_a_choice("snapszer", seed, 6))
        thinking.think(100)
        leader = thinking.table().probability.argmax()
        for left in (0, 5, 20, 50):
            if thinking.settled(left):
                table = thinking.table()
                payoffs = np.sort(table.payoff[table.visits > 0])[::-1] * 100
                assert payoffs[0] - payoffs[1] > left * 2 * game.payoff_scale
        longest = max((left for left in range(0, 40, 4) if thinking.settled(left)), default=0)
        thinking.think(longest)
        assert thinking.table().probability.argmax() == leader


def test_a_search_that_is_settled_early_chooses_as_the_whole_one() -> None:
    game = load_game("snapszer")
    player = make_player("pimc:worlds=160", game)
    for seed in range(12):
        view = a_view_with_a_choice("snapszer", seed, 8)
        whole = Pimc(
            game,
            view,
            legal_in(view),
            stream(1, seed),
            Beliefs(game, game.rulebooks["strong@1"] if "belief=rule" in player.name else EVENLY),
            level=game.rulebooks["strong@1"],
            budget=160,
        )
        whole.think(160)
        chosen = player.choose(view, stream(1, seed).reshape(1, 2))[0]
        assert chosen == whole.table().probability.argmax()


# ---------------------------------------------------------------------------- beliefs


def test_worlds_may_be_drawn_from_several_threads_at_once() -> None:
    game = load_game("snapszer")
    beliefs = Beliefs(game, game.rulebooks["strong@1"])
    views = [view_after("snapszer", seed, 6) for seed in range(8)] * 8

    def drawn(number: int) -> bytes:
        worlds = beliefs.draw(views[number], 100, stream(number))
        return worlds.records.tobytes() + worlds.counts.tobytes()

    alone = [drawn(number) for number in range(len(views))]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(drawn, range(len(views)))) == alone


def test_a_choice_that_the_model_makes_weighs_as_worked_out_on_paper() -> None:
    game = load_game("snapszer")
    view = view_after("snapszer", 3, 7)
    level = game.rulebooks["strong@1"]
    size = 200
    worlds, logs = np.zeros(size, dtype=game.state), np.zeros(size)
    draw_candidates(
        view,
        Beliefs(game, level)._desk.puzzle,
        level,
        0,
        stream(1),
        worlds,
        np.zeros(1, dtype=game.state),
        np.zeros(1, dtype=game.match),
        logs,
    )
    viewer = int(view["viewer"][0])
    from overtrick.engine.views import orders_dealt

    orders = np.zeros((size, 20), dtype=np.int64)
    orders_dealt(worlds, orders)
    for number in range(0, size, 10):
        deal = Deal.from_order(Deal.from_seed("snapszer", 3).match, orders[number])
        expected = 0.0
        for event in worlds["history"][number][: int(worlds["turn"][number])]:
            if deal.seat != viewer and len(deal.legal) > 1:
                chosen = np.zeros(1, dtype=np.int64)
                choose_all(deal.records, level, streams(1, 0), chosen)
                agrees = int(chosen[0]) == int(event) & 63
                expected += np.log(RANDOM_PART / len(deal.legal) + (1 - RANDOM_PART) * agrees)
            deal = deal.play(int(event) & 63)
        assert logs[number] == pytest.approx(expected)


@pytest.mark.parametrize("name", FIVE)
def test_the_true_deal_is_likelier_than_others_when_all_play_by_the_model(name: str) -> None:
    game = load_game(name)
    better = []
    for seed in range(30):
        deal = Deal.from_seed(game, seed)
        level = game.rulebooks["strong@1"]
        for _ in range(14):
            chosen = np.zeros(1, dtype=np.int64)
            choose_all(deal.records, level, streams(1, seed, "play"), chosen)
            after = deal.play(int(chosen[0]))
            if after.is_over:
                break
            deal = after
        view = deal.view(deal.seat or 0).records
        size = 100
        drawn, logs = np.zeros(size, dtype=game.state), np.zeros(size)
        draw_candidates(
            view,
            Beliefs(game, level)._desk.puzzle,
            level,
            0,
            stream(seed),
            drawn,
            np.zeros(1, dtype=game.state),
            np.zeros(1, dtype=game.match),
            logs,
        )
        better.append(logs.max() - logs.mean())
    assert np.mean(better) > 0.5  # choices tell something in every game


def test_weights_are_flattened_until_enough_candidates_count() -> None:
    even = np.zeros(50)
    np.testing.assert_allclose(flattened(even), 1 / 50)
    steep = np.linspace(0.0, 400.0, 500)
    weights = flattened(steep)
    assert weights.sum() == pytest.approx(1.0)
    assert effective(weights) >= LEAST_EFFECTIVE * 500
    assert (np.diff(weights) >= 0).all()
    assert weights.min() >= RANDOM_PART / 500 * 0.999


def test_candidates_are_taken_in_proportion_to_their_weights() -> None:
    weights = np.array([0.5, 0.25, 0.125, 0.125])
    assert list(resampled(weights, 8, 0.0)) == [4, 2, 1, 1]
    total = sum(resampled(weights, 3, chance) for chance in np.linspace(0.0, 0.999, 400))
    np.testing.assert_allclose(np.asarray(total) / 400, 3 * weights, atol=0.02)


@pytest.mark.parametrize("name", [*FIVE, "kuhn", "leduc", "whist3x3"])
def test_a_replayed_world_is_the_world(name: str) -> None:
    """The deal of a world, dealt again in the match around it and played on, leads back to it."""
    from overtrick.engine.dealing import deal_orders
    from overtrick.engine.views import orders_dealt
    from overtrick.games.game import match_around

    game = load_game(name)
    for seed in range(12):
        worlds = sample_worlds(view_after(name, seed, seed), 1, stream(seed))
        match = np.zeros(1, dtype=game.match)
        match_around(worlds[0], match[0])
        orders = np.zeros((1, len(game.deck)), dtype=np.int64)
        orders_dealt(worlds, orders)
        again = worlds.copy()
        deal_orders(again, match, orders)
        for event in worlds["history"][0][: int(worlds["turn"][0])]:
            play_all(again, np.array([int(event) & 63]))
        assert again.tobytes() == worlds.tobytes()


# ---------------------------------------------------------------------------- names and errors


def test_a_name_is_written_out_in_full_and_rebuilds_the_player() -> None:
    game = load_game("hokm")
    player = make_player("pimc:worlds=30", game)
    assert player.name.startswith("pimc:worlds=30,playout=rulebook:strong@1,belief=")
    assert make_player(player.name, game).name == player.name
    timed = make_player("pimc:ms=20,endgame=0,threads=2", game)
    assert timed.name.startswith("pimc:ms=20,playout=") and timed.name.endswith("threads=2")
    assert split_names("random,pimc:worlds=9,playout=rulebook:simple,ms=5,rulebook:strong") == [
        "random",
        "pimc:worlds=9,playout=rulebook:simple,ms=5",
        "rulebook:strong",
    ]
    assert PlayerName.read(player.name).settings["playout"] == "rulebook:strong@1"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("pimc:worlds=0", "worlds is 1 to"),
        ("pimc:worlds=-3", "worlds is 1 to"),
        ("pimc:ms=0", "ms is 1 to"),
        ("pimc:sims=3", "pimc has worlds, playouts"),
        ("pimc:worlds=3,playout=pimc", "playout player"),
        ("pimc:belief=nobody", "playout player"),
        ("pimc:threads=0", "threads is 1 to"),
        ("pimc:playouts=x", "playouts is"),
    ],
)
def test_a_bad_setting_is_told_in_one_line(name: str, told: str) -> None:
    with pytest.raises((BadOption, UnknownName)) as error:
        make_player(name, load_game("hokm"))
    assert told in str(error.value) and "\n" not in str(error.value)


def test_a_budget_of_playouts_is_shared_by_the_choices() -> None:
    game = load_game("hokm")
    view = a_view_with_a_choice("hokm")
    choices = bin(legal_in(view)).count("1")
    player = make_player("pimc:playouts=90,belief=none", game)
    *_, last = player.advise(view, stream(2))
    assert last.choices[0].visits == 90 // choices


def test_advice_deepens_and_ends_with_the_choice() -> None:
    game = load_game("hokm")
    view = a_view_with_a_choice("hokm", choices=5)
    player = make_player("pimc:worlds=500", game)
    told = list(player.advise(view, stream(4)))
    visits = [advice.choices[0].visits or 0 for advice in told]
    assert len(told) > 3 and visits == sorted(visits) and told[-1].done
    assert not any(advice.done for advice in told[:-1])
    assert told[-1].best.choice == player.choose(view, stream(4).reshape(1, 2))[0]
    assert all((one.error or 0.0) > 0.0 for one in told[0].choices)
    assert sum(one.probability for one in told[-1].choices) == 1.0


def test_a_forced_choice_is_made_without_search_and_says_so() -> None:
    game = load_game("hokm")
    for seed in range(50):
        view = view_after("hokm", seed, 30)
        if bin(legal_in(view)).count("1") == 1:
            break
    player = make_player("pimc:worlds=5", game)
    (advice,) = player.advise(view, stream(1))
    assert advice.done and advice.reason == "the only legal choice"
    assert player.choose(view, streams(1, 1))[0] == advice.best.choice


def test_a_finished_deal_and_a_contradictory_view_are_told() -> None:
    game = load_game("hokm")
    player = make_player("pimc:worlds=5", game)
    deal = Deal.from_seed("hokm", 1)
    while not deal.is_over:
        deal = deal.play(deal.legal[0])
    with pytest.raises(DealOver):
        next(player.advise(deal.view(0).records, stream(1)))
    view = a_view_with_a_choice("hokm", choices=10)
    view["cannot"][0] = game.deck.all  # nobody can hold anything
    with pytest.raises(NoWorldFound):
        player.choose(view, streams(1, 1))
    with pytest.raises(NoWorldFound):
        list(player.advise(view, stream(1)))
