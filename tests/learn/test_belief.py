"""The belief actor-critic as it learns: its targets on paper, its tables, and that it learns."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from conftest import mostly_long
from overtrick.arena.statistics import estimate
from overtrick.belief.looking import DRAWN, EVEN, ROOM, new_looker, weigh_deal, weigh_view
from overtrick.errors import BadOption
from overtrick.games import load_game
from overtrick.games.game import Game, legal
from overtrick.jit import kernel, streams
from overtrick.learn.approximating import (
    Chosen,
    Gaussian,
    Neural,
    begin_approximator,
    merits_at,
    td_targets,
)
from overtrick.learn.belief import Belief, BeliefConfig
from overtrick.learn.belief_tables import LEARNER, Kept, Seats, play_tables
from overtrick.learn.budget import Budget
from overtrick.learn.measuring import meet
from overtrick.learn.methods import load_method
from overtrick.learn.nets import Steady
from overtrick.learn.samples import views_of
from overtrick.learn.workers import LocalWorkers
from overtrick.nets.approximators import ApproximatorSpec
from overtrick.players import make_player

TINY: dict[str, Any] = {
    "units": 8,
    "actor_units": 8,
    "critic_units": 8,
    "critic_layers": 1,
    "lot": 4,
    "quick": 4,
    "worlds": 2,
    "candidates": 3,
    "batch": 32,
}


def learner(game: Game, *, deals: int, seed: int = 1, threads: int = 1, **settings: Any) -> Belief:
    """A learner that has done all of its deals."""
    workers, budget = LocalWorkers(threads), Budget(deals)
    run = Belief(game, BeliefConfig.model_validate(settings), workers, seed, budget)
    while budget.progress(run.deals) < 1:
        run.step()
    workers.close()
    return run


# ---------------------------------------------------------------------------- targets on paper


def test_the_critic_learns_by_td_errors_that_fade() -> None:
    # One seat, two tricks. It was said 1 and 2 beyond an ahead of 0 and 3; the deal paid 10.
    values, ahead = np.array([[[1.0], [2.0]]]), np.array([[[0.0], [3.0]]])
    paid, counts = np.array([[10.0]]), np.array([2])
    # δ₂ = 10 - 3 - 2 = 5; δ₁ = (3 - 0) + 2 - 1 = 4, the reward of the trick being 3.
    assert td_targets(values, ahead, counts, paid, 0.0)[0, :, 0].tolist() == [5.0, 7.0]
    assert td_targets(values, ahead, counts, paid, 0.5)[0, :, 0].tolist() == [7.5, 7.0]
    # With λ = 1 the target is what the deal paid, less what the seat was ahead.
    assert td_targets(values, ahead, counts, paid, 1.0)[0, :, 0].tolist() == [10.0, 7.0]


def test_deals_of_fewer_tricks_end_where_they_end() -> None:
    values = np.array([[[1.0], [9.0]], [[1.0], [2.0]]])
    found = td_targets(
        values, np.zeros_like(values), np.array([1, 2]), np.array([[4.0], [6.0]]), 1.0
    )
    assert found[0, 0, 0] == 4.0
    assert found[1, :, 0].tolist() == [6.0, 6.0]


def test_merits_of_a_place_and_of_named_things_add_up() -> None:
    outputs = torch.tensor([[1.0, 10.0, 100.0]])
    places, slots = torch.tensor([[2, 0]]), torch.tensor([[[0, 1], [-1, -1]]])
    assert merits_at(outputs, places, slots).tolist() == [[111.0, 1.0]]


# ---------------------------------------------------------------------------- both kinds


def spec_of(backend: str, outputs: int) -> ApproximatorSpec:
    return ApproximatorSpec(
        game="kuhn",
        backend=backend,  # type: ignore[arg-type]
        columns=2,
        encoding="",
        digest="",
        flags=0,
        hands=0,
        outputs=outputs,
        units=12,
        layers=1,
        reach=1.0,
    )


@pytest.mark.parametrize("backend", ["neural", "ngnet"])
def test_both_kinds_learn_a_bent_line(backend: str) -> None:
    chance = np.random.default_rng(1)
    taught = begin_approximator(spec_of(backend, 1), Steady(l2=0.0), 1)
    for _ in range(120):
        x = chance.uniform(-1, 1, size=(128, 2)).astype(np.float32)
        taught.teach_values(x, np.abs(x[:, 0]) - x[:, 1], 1e-2)
    x = chance.uniform(-1, 1, size=(500, 2)).astype(np.float32)
    apart = taught.answer(x)[:, 0] - (np.abs(x[:, 0]) - x[:, 1])
    assert float((apart**2).mean()) < 0.02


@pytest.mark.parametrize("backend", ["neural", "ngnet"])
def test_both_kinds_learn_which_choice_is_made(backend: str) -> None:
    chance = np.random.default_rng(2)
    taught = begin_approximator(spec_of(backend, 3), Steady(l2=0.0), 1)
    losses = []
    for _ in range(150):
        x = chance.uniform(-1, 1, size=(128, 2)).astype(np.float32)
        losses.append(taught.teach_choices(made_by_sign(x), 1e-2))
    assert losses[0] == pytest.approx(np.log(2), abs=0.05)
    assert losses[-1] < 0.4


@pytest.mark.parametrize("backend", ["neural", "ngnet"])
def test_both_kinds_learn_to_choose_by_gains_whose_noise_cancels_out(backend: str) -> None:
    """Σ p (log p - g) is least at the soft-max of the mean of g: here e : 1."""
    chance = np.random.default_rng(2)
    taught = begin_approximator(spec_of(backend, 3), Steady(l2=0.0), 1)
    for _ in range(300):
        x = chance.uniform(-1, 1, size=(128, 2)).astype(np.float32)
        told = made_by_sign(x)
        noisy = told.wanted[:, :2] + 5.0 * chance.normal(size=(128, 2))
        gains = np.pad(noisy - noisy.mean(axis=1, keepdims=True), ((0, 0), (0, 62)))
        taught.teach_gains(replace(told, wanted=gains), 3e-3)
    x = chance.uniform(-1, 1, size=(2000, 2)).astype(np.float32)
    told = made_by_sign(x[np.abs(x[:, 0]) > 0.3])
    outputs = torch.from_numpy(taught.answer(told.inputs))
    merits = merits_at(outputs, torch.from_numpy(told.places), torch.from_numpy(told.slots))
    right = torch.softmax(merits[:, :2], dim=1).numpy()[told.wanted[:, :2] == 1]
    assert right.mean() == pytest.approx(np.e / (np.e + 1), abs=0.08)


def made_by_sign(x: Any) -> Chosen:
    """Choice 0 where the first input is positive, else choice 1; 1 is also a named thing."""
    size = len(x)
    places, slots = np.full((size, 64), -1), np.full((size, 64, 2), -1)
    places[:, 0], places[:, 1] = 1, 2
    slots[:, 1, 0] = 0
    wanted = np.zeros((size, 64), dtype=np.float32)
    wanted[np.arange(size), (x[:, 0] <= 0).astype(int)] = 1.0
    return Chosen(x, places, slots, wanted)


@pytest.mark.parametrize("kind", [Neural, Gaussian])
def test_a_state_that_is_kept_goes_on_as_it_was(kind: type) -> None:
    backend = "neural" if kind is Neural else "ngnet"
    chance = np.random.default_rng(3)
    lots = [chance.uniform(-1, 1, size=(64, 2)).astype(np.float32) for _ in range(8)]
    one = begin_approximator(spec_of(backend, 1), Steady(l2=0.0), 1)
    for x in lots[:4]:
        one.teach_values(x, x[:, 0], 1e-2)
    two = begin_approximator(spec_of(backend, 1), Steady(l2=0.0), 1)
    two.restore(deepcopy(one.state()))
    for x in lots[4:]:
        one.teach_values(x, x[:, 0], 1e-2)
        two.teach_values(x, x[:, 0], 1e-2)
    for name, rows in one.tensors().items():
        assert np.array_equal(rows, two.tensors()[name]), name


# ---------------------------------------------------------------------------- tables


def tables(
    run: Belief, first: int, count: int, learners: tuple[int, ...], *, is_open: bool = False
) -> Kept:
    who = Seats((-1,), learners, run.how, run.reach, is_open=is_open)
    return play_tables(run.game.name, run.packed(), who, 5, first, count)


@kernel
def look_at_deals(
    states: Any, views: Any, looker: Any, people: Any, streams: Any, open_: Any, seen: Any
) -> None:
    """Merits in the first world that each view draws, and in that world as a deal, [n, 64]."""
    for number in range(len(views)):
        view = views[number]
        weigh_view(view, legal(view), looker, people, streams[number], seen[number])
        states[number] = looker[ROOM][DRAWN][0]
        weigh_deal(states[number], legal(view), looker, people, streams[number], open_[number])


def test_deals_are_the_same_in_whatever_lots_they_are_played() -> None:
    run = learner(load_game("whist3x3"), deals=4, **TINY)
    whole = tables(run, 0, 12, (0, 1, 2))
    joined = Kept.joined([tables(run, first, 4, (0, 1, 2)) for first in range(0, 12, 4)])
    for name in Kept.__dataclass_fields__:
        assert np.array_equal(getattr(whole, name), getattr(joined, name)), name


def test_what_is_kept_are_real_choices_and_merits_of_learners() -> None:
    run = learner(load_game("whist3x3"), deals=4, **TINY)
    kept = tables(run, 0, 12, (1,))
    assert ((kept.seating == LEARNER).sum(axis=1) == 1).all()
    assert (kept.legal & kept.legal - 1 != 0).all()
    assert (kept.legal >> kept.chosen & 1 == 1).all()
    by_learners = kept.seating[0, 0] if len(kept.chosen) == 0 else kept.learned
    assert {*np.unique(by_learners)} == {0, 1}
    assert (kept.merits[kept.learned == 0] == 0).all()
    assert (np.bincount(kept.numbers, minlength=12) == 2).all()  # three tricks, the last ends it
    assert (kept.paid.sum(axis=1) == 0).all()


@pytest.mark.parametrize("name", mostly_long(["whist3x3", "sheephead"], "whist3x3"))
def test_the_merit_of_a_choice_in_a_deal_is_that_in_a_single_world(name: str) -> None:
    run = learner(load_game(name), deals=8, **TINY)
    kept = tables(run, 0, 6, (1,))
    views = views_of(kept.choices)
    how = replace(run.how, worlds=1, candidates=1, belief=EVEN, gap=0.0, prior=0.0)
    looker = new_looker(run.game, run.packed(), how, run.reach)
    open_, seen = np.zeros((2, len(views), 64))
    people, chance = np.zeros(run.game.seats, dtype=np.int64), streams(len(views), 1, "looks")
    look_at_deals(kept.choices.copy(), views, looker, people, chance, open_, seen)
    assert np.abs(seen).max() > 0
    assert np.allclose(open_, seen)


def test_at_open_tables_learners_are_told_what_choices_were_worth_in_the_deal() -> None:
    run = learner(load_game("whist3x3"), deals=8, **TINY)
    kept = tables(run, 0, 12, (2,), is_open=True)
    assert kept.learned.all() and (kept.legal >> kept.chosen & 1 == 1).all()
    told = kept.merits[np.arange(len(kept.chosen)), kept.chosen]
    assert np.abs(told).max() > 0
    closed = (kept.legal[:, None] >> np.arange(64) & 1) == 0
    assert not kept.merits[closed].any()


# ---------------------------------------------------------------------------- runs


@pytest.mark.parametrize("looks", ["worlds", "deal"])
def test_it_learns_3_x_3_whist_well_enough_to_beat_random_play(looks: str) -> None:
    game = load_game("whist3x3")
    told = {"units": 32, "critic_units": 32, "lot": 150, "quick": 600, "looks": looks}
    run = learner(game, deals=900, worlds=6, candidates=8, **told)
    sums = meet(game, (run.player(), make_player("random", game)), 0, 400, 11)
    won = estimate(sums.payoffs[:, 0] / sums.seats[0])
    assert won.mean - 2 * won.ci95 > 0


def test_it_learns_the_same_on_any_number_of_cores() -> None:
    one, two = (
        learner(load_game("whist3x3"), deals=8, threads=threads, **TINY) for threads in (1, 2)
    )
    for name in one.minds:
        for key, rows in one.minds[name].tensors().items():
            assert np.array_equal(rows, two.minds[name].tensors()[key]), (name, key)


@pytest.mark.parametrize("preset", ["ngnet", "thesis"])
def test_the_other_presets_learn_with_gaussian_networks(preset: str) -> None:
    game = load_game("whist3x3")
    method = load_method("belief")
    told = {key: str(value) for key, value in TINY.items()}
    if preset == "thesis":
        told["predictor"] = "random"  # this game has no rulebook
    config: Any = method.configure(game, preset, told)
    workers, budget = LocalWorkers(1), Budget(12)
    run = Belief(game, config, workers, 1, budget)
    while budget.progress(run.deals) < 1:
        told_of = run.step()
    workers.close()
    assert config.backend == "ngnet"
    assert np.isfinite(told_of["VMSE"])  # type: ignore[arg-type]
    assert set(run.nets()) == {"predictor", "actor", "critic"}


@pytest.mark.parametrize("name", mostly_long(["whist3x3", "kuhn", "thirds"], "whist3x3"))
def test_any_game_is_learned_by_the_same_code(name: str) -> None:
    run = learner(load_game(name), deals=8, **TINY)
    game = run.game
    assert len(meet(game, (run.player(), make_player("random", game)), 0, 2, 1).payoffs) == 2


@pytest.mark.long
@pytest.mark.parametrize("name", ["sheephead", "hearts", "hokm", "snapszer", "coinche"])
def test_the_five_games_are_learned_by_the_same_code(name: str) -> None:
    learner(load_game(name), deals=8, **TINY)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"learners": "many"}, "written 1\\+2"),
        ({"learners": "0+1"}, "written 1\\+2"),
        ({"backend": "ngnet"}, "no place for Gaussians: paper or tables"),
        ({"belief": "none"}, "input should be 'even' or 'learned'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, str], expected: str) -> None:
    with pytest.raises(BadOption, match=expected):
        load_method("belief").configure(load_game("kuhn"), "default", settings)


def test_more_learners_than_seats_are_refused() -> None:
    with pytest.raises(BadOption, match="kuhn has 2 seats, not 3"):
        learner(load_game("kuhn"), deals=1, learners="1+3", **TINY)
