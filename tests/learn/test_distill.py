"""Distillation: labels are what choices pay, losses on paper, and runs that can be repeated."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from nets.some_nets import some_deals
from overtrick.engine.worlds import sample_worlds
from overtrick.errors import BadOption
from overtrick.games import load_game
from overtrick.jit import stream
from overtrick.learn.alphazero import AlphaZero, AlphaZeroConfig
from overtrick.learn.budget import Budget
from overtrick.learn.distill import Distill, DistillConfig
from overtrick.learn.labelling import Teacher, flatten_weights, label_deals
from overtrick.learn.measuring import meet, table_of
from overtrick.learn.nets import centred, choice_loss, shares
from overtrick.learn.samples import views_of
from overtrick.learn.starting import starting_tensors
from overtrick.learn.workers import LocalWorkers
from overtrick.models import ModelCard, save_model
from overtrick.nets.evaluating import NetEvaluator
from overtrick.nets.forward import pack_net
from overtrick.nets.spec import spec_for
from overtrick.players import make_player
from overtrick.players.levels import RANDOM
from overtrick.search.beliefs import flattened
from overtrick.search.endings import Endings

WHIST = load_game("whist3x3")
TINY = DistillConfig(
    units=16, layers=1, worlds=20, endgame=3, lot=64, passes=4, batch=64, deals=640, rate=1e-2
)


def learner(config: DistillConfig = TINY, workers: int = 1, seed: int = 3) -> Distill:
    return Distill(WHIST, config, LocalWorkers(workers), seed, Budget(config.deals))


# ---------------------------------------------------------------------------- labels


def all_worlds(view: Any) -> Any:
    """The few worlds of a view, each once."""
    drawn = sample_worlds(view, 1000, stream(1, "all worlds"))
    return drawn[np.unique(drawn["hands"], axis=0, return_index=True)[1]]


def test_labels_are_mean_exact_payoffs_over_the_worlds() -> None:
    teacher = Teacher(8000, RANDOM, endgame=3)
    labels = label_deals(WHIST, teacher, seed=1, first=0, count=3)
    endings = Endings(WHIST)
    for row in range(len(labels)):
        view = views_of(labels.deals[row : row + 1])
        worlds, seat = all_worlds(view), int(view["viewer"][0])
        exact = np.mean(
            [endings.weigh(world)[0][:, seat] for world in np.split(worlds, len(worlds))], axis=0
        )
        assert labels.policy[row] == pytest.approx(exact, abs=0.1)
        legal = int(labels.legal[row]) >> np.arange(64) & 1 == 1
        assert labels.payoffs[row, seat] == labels.policy[row][legal].max()
        assert labels.payoffs[row].sum() == pytest.approx(0, abs=1e-6)


def test_a_choice_that_is_none_has_no_label() -> None:
    labels = label_deals(WHIST, Teacher(2, RANDOM), seed=1, first=0, count=20)
    assert (labels.legal & labels.legal - 1 != 0).all()


def test_worlds_weigh_as_beliefs_have_it() -> None:
    logs = np.log(np.array([0.9, 0.5, 0.1, 0.02, 1e-6, 1e-6, 1e-6, 1e-9, 1e-9, 1e-9]))
    for powered in (logs, 0.1 * logs, 9 * logs):
        weights = np.zeros(len(logs))
        flatten_weights(powered, weights)
        assert weights == pytest.approx(flattened(powered))


@pytest.mark.parametrize("workers", [2, 3])
def test_any_number_of_workers_labels_the_same_deals_alike(workers: int) -> None:
    alone, together = learner()._label(), learner(workers=workers)._label()
    assert (alone.deals == together.deals).all()
    assert (alone.policy == together.policy).all()
    assert (alone.payoffs == together.payoffs).all()


# ---------------------------------------------------------------------------- losses

LEGAL = torch.tensor([[True, True, False, True]])


def test_what_choices_pay_is_centred_over_the_legal_ones() -> None:
    assert centred(torch.tensor([[1.0, 2.0, 9.0, 6.0]]), LEGAL).tolist() == [[-2, -1, 0, 3]]


def test_a_choice_that_pays_more_by_the_temperature_is_e_times_as_likely() -> None:
    # 0, 1 and 2 above the lowest: 1 : e : e²
    total = 1 + math.e + math.e**2
    wanted = [1 / total, math.e / total, 0.0, math.e**2 / total]
    assert shares(torch.tensor([[3.0, 4.0, 9.0, 5.0]]), LEGAL)[0].tolist() == pytest.approx(wanted)


def test_the_choice_loss_is_the_mean_square_over_legal_choices_of_centred_logits() -> None:
    # centred logits -2, -1, 3 against 0, 0, 0: (4 + 1 + 9) / 3
    loss = choice_loss(torch.tensor([[1.0, 2.0, 9.0, 6.0]]), LEGAL, torch.zeros(1, 4))
    assert loss.item() == pytest.approx(14 / 3)


# ---------------------------------------------------------------------------- runs


def test_a_run_that_was_saved_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    straight, broken = learner(), learner()
    for _ in range(2):
        straight.step()
        broken.step()
    broken.save(tmp_path)
    resumed = learner()
    resumed.load(tmp_path)
    told = [each.step() for each in (straight, resumed)]
    assert told[0] == told[1]
    assert straight.deals == resumed.deals == 3 * TINY.lot
    (_, one), (_, other) = straight.nets()["main"], resumed.nets()["main"]
    assert all((one[name] == other[name]).all() for name in one)


def test_a_few_lots_teach_a_net_to_beat_random_play_without_search() -> None:
    run = learner()
    while run.deals < run.total:
        run.step()
    players = run.player(), make_player("random", WHIST)
    table = table_of(WHIST, players, [meet(WHIST, players, 0, 1000, 5)], 5)
    payoffs = table.payoffs(0)
    assert payoffs.mean() > 4 * payoffs.std() / math.sqrt(len(payoffs))


@pytest.fixture
def _own_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder for this test alone."""
    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path))


def saved(run: Distill | AlphaZero, name: str) -> str:
    card = ModelCard(
        game="whist3x3", name=name, title=name, variant="", method="distill", config={}, seed=1,
        commit="", created="2024-01-01", deals=0, minutes=0, curve=[], results=[], summary="",
    )  # fmt: skip
    save_model(card, run.nets(), replace=True)
    return f"whist3x3/{name}"


@pytest.mark.usefixtures("_own_models")
def test_another_run_can_begin_with_its_net_and_be_shown_hands_that_count_for_nothing() -> None:
    first = learner()
    ref = saved(first, "start")
    config = AlphaZeroConfig(start=ref, units=16, layers=1, head=0, hands=False)
    second = AlphaZero(WHIST, config, LocalWorkers(1), 4, Budget())
    assert (first.net()[0] == second.net()[0]).all()
    shown = spec_for(WHIST, units=16, layers=1, head=0, hands=True, reach=first.spec.reach)
    weights = starting_tensors(WHIST, ref, shown)["body.0.weight"]
    assert weights.shape == (16, shown.inputs)
    assert (weights[:, first.spec.inputs :] == 0).all()


@pytest.mark.usefixtures("_own_models")
def test_a_run_that_is_shown_no_hands_begins_as_a_net_plays_without_them() -> None:
    config = AlphaZeroConfig(units=16, layers=1, head=0, hands=True)
    first = AlphaZero(WHIST, config, LocalWorkers(1), 4, Budget())
    ref = saved(first, "open")
    plain = spec_for(WHIST, units=16, layers=1, head=0, hands=False, reach=first.spec.reach)
    begun = pack_net(WHIST, plain, starting_tensors(WHIST, ref, plain))
    views = views_of(some_deals(WHIST, 64))
    for one, other in zip(
        NetEvaluator(WHIST, begun).weigh(views),
        NetEvaluator(WHIST, first.net()).weigh(views),
        strict=True,
    ):
        assert np.array_equal(one, other)


@pytest.mark.usefixtures("_own_models")
def test_a_run_does_not_begin_with_a_net_of_another_shape() -> None:
    ref = saved(learner(), "small")
    other = learner(TINY.model_copy(update={"units": 8}))
    with pytest.raises(BadOption, match="a net 16x1/h0, not 8x1/h0"):
        starting_tensors(WHIST, ref, other.spec)
