"""Deep CFR: its losses on paper, its memories, what it comes to in small games, its players."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from conftest import mostly_long
from nets.some_nets import some_net
from overtrick.cli import app
from overtrick.engine.batches import Batch
from overtrick.engine.playouts import RANDOM
from overtrick.errors import BadOption, OvertrickError
from overtrick.games import load_game
from overtrick.jit import streams
from overtrick.learn.budget import Budget
from overtrick.learn.deepcfr import METHOD, DeepCfr, average_loss, regret_loss
from overtrick.learn.deepcfr_config import inside_kernels
from overtrick.learn.labelling import label_deals, usual_teacher
from overtrick.learn.pupil import Pupil
from overtrick.learn.quick import BY_REGRETS
from overtrick.learn.regrets import Reservoir, legal_of, regrets_dtype, take_rows
from overtrick.learn.relabelling import regrets_from
from overtrick.learn.responding import response_settings
from overtrick.learn.workers import LocalWorkers
from overtrick.models import find_model
from overtrick.players import make_player
from overtrick.players.neural import PolicyPlayer
from overtrick.players.regret import RegretPlayer, matched, sum_equals
from overtrick.search.guided import BY_NET


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path))
    return tmp_path


TINY = {"units": "8", "layers": "1", "lot": "16", "batch": "64", "watch": "0", "decay": "0.5"}


def learner(game: str, preset: str = "default", **told: str) -> DeepCfr:
    chosen = load_game(game)
    config: Any = METHOD.configure(chosen, preset, told)
    return DeepCfr(chosen, config, LocalWorkers(1), 1, Budget())


# ---------------------------------------------------------------------------- on paper


def test_the_loss_of_regrets_is_the_mean_square_over_legal_choices() -> None:
    # apart by 1 and 2 where legal: (1 + 4) / 2, and the second row counts three times as much
    numbers, told = torch.tensor([[1.0, 9.0], [2.0, 0.0]]), torch.zeros(2, 2)
    legal = torch.tensor([[True, False], [True, False]])
    assert regret_loss(numbers, told, legal, torch.ones(2)) == pytest.approx(2.5)
    assert regret_loss(numbers, told, legal, torch.tensor([1.0, 3.0])) == pytest.approx(6.5)


def test_the_average_net_learns_the_weighted_mean_of_what_was_mixed() -> None:
    # told 1 with weight 1 and 0 with weight 3, the mean is 1/4: there the gradient is none
    logits = torch.tensor([[math.log(1 / 4), math.log(3 / 4)]] * 2, requires_grad=True)
    shares, legal = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.ones(2, 2, dtype=torch.bool)
    average_loss(logits, shares, legal, torch.tensor([1.0, 3.0])).backward()
    assert logits.grad is not None
    assert logits.grad.sum(dim=0).tolist() == pytest.approx([0, 0], abs=1e-6)


def test_every_sample_that_came_is_in_a_full_reservoir_as_likely() -> None:
    record, counts = regrets_dtype(4, 2, 2), np.zeros(40)
    for seed in range(400):
        chance, reservoir = np.random.default_rng(seed), Reservoir(10, record)
        for first in range(0, 40, 8):
            samples = np.zeros(8, dtype=record)
            samples["iteration"] = np.arange(first, first + 8)
            reservoir.add(samples, chance)
        assert len(reservoir) == 10 and reservoir.seen == 40
        counts[reservoir.samples["iteration"]] += 1
    # a quarter of 400 each, and a standard deviation of less than 9
    assert abs(counts - 100).max() < 45


def test_samples_are_taken_out_of_several_lots_by_their_numbers() -> None:
    record = regrets_dtype(4, 2, 2)
    lots = [np.zeros(size, dtype=record) for size in (3, 0, 4)]
    lots[0]["iteration"], lots[2]["iteration"] = (0, 1, 2), (3, 4, 5, 6)
    rows = np.array([6, 0, 3, 2, 5])
    assert take_rows(lots, rows)["iteration"].tolist() == rows.tolist()


def test_gains_and_squares_are_least_at_regrets_over_the_heat() -> None:
    # one view, told half of the time that the first choice pays 0.2 more, and half that it pays
    # nothing: a regret of 0.1, which is 0.5 at a heat of 0.2. Of the loss squares are a tenth.
    run = learner("kuhn", **TINY, heat="0.2")
    samples = np.zeros(2, dtype=regrets_dtype(run.spec.inputs, run.spec.actions, 2))
    samples["legal"], samples["iteration"] = 0b11, 1
    samples["told"][0, 0] = 0.2
    numbers = torch.tensor([[0.5, 0.0]] * 2, requires_grad=True)
    losses: list[torch.Tensor] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pupil, "answer", lambda me, flags: (numbers, torch.zeros(2, run.spec.values)))
        patch.setattr(Pupil, "descend", lambda me, loss: losses.append(loss))
        apart, spread, *_ = run._descend(run._pupils[0], samples)
    losses[0].backward()
    assert numbers.grad is not None
    assert numbers.grad.sum(dim=0).tolist() == pytest.approx([0, 0], abs=1e-4)
    # p log p, less half of p times 1; squares of 1/2 over four legal choices, twice
    p = 1 / (1 + math.exp(-0.5))
    gains = p * math.log(p) + (1 - p) * math.log(1 - p) - (p - (1 - p)) * 0.25
    assert losses[0].item() == pytest.approx(gains + 0.1 * 0.5 / 4, abs=1e-3)
    assert (apart, spread) == pytest.approx((0.02, 0.04), abs=1e-4)


# ---------------------------------------------------------------------------- iterations


def test_the_rate_falls_once_over_all_epochs_of_a_net_from_scratch() -> None:
    run = learner("kuhn", **(TINY | {"batch": "4"}), scratch="true", epochs="3")
    rates: list[float] = []
    told = Pupil.set_rate
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pupil, "set_rate", lambda me, rate: (rates.append(rate), told(me, rate)))
        run.step()
    assert len(rates) > 6 and rates[0] == run.config.rate
    assert all(one > other for one, other in pairwise(rates))


def test_a_start_may_have_larger_lots_than_what_follows() -> None:
    run = learner("kuhn", **TINY, start="random", start_lot="40", start_part="0.5", deals="80")
    run._source._budget.total, lots = run.total, []
    for _ in range(3):
        before = run.deals
        run.step()
        lots.append(run.deals - before)
    assert lots == [40, 16, 16]


def test_who_plays_is_watched_in_some_iterations_only() -> None:
    run = learner("kuhn", **(TINY | {"watch": "8"}), watch_every="2")
    assert ["length" in run.step() for _ in range(4)] == [False, True, False, True]


def test_watching_one_net_by_its_latest_regrets_teaches_no_average() -> None:
    told = TINY | {"watch": "8", "steps": "2"}
    run = learner("kuhn", "full", **told, nets="shared", watch_every="1")
    assert "length" in run.step() and run._mean is None


@pytest.mark.parametrize(
    ("reuse", "wanted"),
    [("latest", {4}), ("recent", {3, 4}), ("first", {1, 4}), ("all", {1, 2, 3, 4})],
)
def test_which_iterations_are_reused_is_told(reuse: str, wanted: set[int]) -> None:
    run = learner("kuhn", **TINY, reuse=reuse, recent="2")
    for _ in range(4):
        run.step()
    _, batches = run._syllabus(1)
    assert {int(one) for batch in batches for one in batch["iteration"]} == wanted


def test_every_iteration_may_begin_with_a_new_net() -> None:
    for scratch in ("true", "false"):
        run = learner("kuhn", **TINY, scratch=scratch)
        run.step()
        before = run._pupils[0]
        run.step()
        assert (run._pupils[0] is before) == (scratch == "false")


def test_a_teachers_labels_are_regrets_of_which_the_best_is_none() -> None:
    game = load_game("whist3x3")
    spec, _ = some_net(game, head=0, output="choices")
    labels = label_deals(game, usual_teacher(game, 3.0, worlds=2), seed=1, first=0, count=20)
    samples = regrets_from(game, spec, labels, 3, streams(1, 1, "x")[0])
    legal = legal_of(samples, spec)
    told = np.where(legal, samples["told"], -np.inf).max(axis=1)
    assert len(samples) == len(labels) and not told.any()
    assert (legal.sum(axis=1) == [bin(one).count("1") for one in labels.legal]).all()
    assert (samples["iteration"] == 3).all()


def test_a_run_may_begin_with_a_teacher_and_goes_on_by_itself() -> None:
    run = learner("whist3x3", "teacher", **TINY, deals="64", start_part="0.5", worlds="2")
    for _ in range(4):
        assert run.step()["samples"] > 0
    assert {int(lot["iteration"][0]) for lot in run._lots} == {1, 2, 3, 4}


@pytest.mark.parametrize("start", mostly_long(["", "rulebook", "teacher"], "", "teacher"))
def test_a_critic_learns_beside_the_net_and_both_go_on_after_a_stop(
    start: str, tmp_path: Path
) -> None:
    game = "snapszer" if start else "whist3x3"
    small = TINY | {"ahead": "1", "best": "true", "critic_units": "8", "worlds": "2"}
    told = small | {"start": start, "start_part": "0.5", "deals": "64"}
    run, other = learner(game, **told), learner(game, **told)
    for number in range(4):
        seen = run.step()
        assert seen["samples"] > 0 and math.isfinite(seen["critic loss"])
        if number == 1:
            run.save(tmp_path)
    other.load(tmp_path)
    for _ in range(2):
        other.step()
    ended = zip(run.nets()["main"][1].values(), other.nets()["main"][1].values(), strict=True)
    assert all(np.array_equal(one, two) for one, two in ended)


def test_a_run_may_begin_with_a_model_and_warm_its_critic_first() -> None:
    small = ["--deals", "32", "--no-measure", "--name", "first", *_as_settings(TINY)]
    app(["train", "whist3x3", "deepcfr", *small], standalone_mode=False)
    first = find_model("whist3x3/first").tensors()["main"]
    told = TINY | {"ahead": "1", "best": "true", "critic_units": "8", "warm": "2"}
    run = learner("whist3x3", **told, begin="whist3x3/first")
    for number in range(3):
        known = run.nets()["main"][1]
        assert all(np.array_equal(known[name], first[name]) for name in first)
        seen = run.step()
        assert (seen["samples"] > 0) == (number == 2) and math.isfinite(seen["critic loss"])
    known = run.nets()["main"][1]
    assert not all(np.array_equal(known[name], first[name]) for name in first)


def test_a_run_that_begins_with_a_model_never_plays_at_random() -> None:
    small = ["--deals", "32", "--no-measure", "--name", "first", *_as_settings(TINY)]
    app(["train", "kuhn", "deepcfr", *small], standalone_mode=False)
    run = learner("kuhn", **TINY, begin="kuhn/first")
    run._source.iteration = 1
    assert not run._source.traversal(-1).player
    with pytest.raises(OvertrickError, match=r"a net 8x1.*, not 9x1"):
        learner("kuhn", **(TINY | {"units": "9"}), begin="kuhn/first")


def _as_settings(told: dict[str, str]) -> list[str]:
    return [word for key, value in told.items() for word in ("--set", f"{key}={value}")]


def test_with_a_critic_others_may_sit_there_and_a_phase_be_forced() -> None:
    told = TINY | {"ahead": "1", "best": "true", "critic_units": "8"}
    run = learner("whist3x3", **told, against="random")
    assert all(run.step()["samples"] > 0 for _ in range(2))
    alone = learner("whist3x3", **told)
    forced = learner("hokm", **told, forced="trump:rulebook", forced_part="1")
    sources = [one._source for one in (run, alone, forced)]
    there, nowhere, trump = (one.quick(one.traversal(-1)) for one in sources)
    assert there.seating == "LO"
    assert nowhere.seating == ""
    assert trump.forced[0] == load_game("hokm").phases.index("trump")


def test_who_plays_inside_kernels_is_told_by_what_it_does() -> None:
    game = load_game("kuhn")
    _, net = some_net(game, output="choices")
    how = {"averaged": False, "equals": "apart"}
    assert inside_kernels(make_player("random", game)) == (RANDOM, None)
    assert inside_kernels(RegretPlayer(game, net, "", play="best", **how)) == (BY_NET, net)
    assert inside_kernels(RegretPlayer(game, net, "", play="mixed", **how)) == (BY_REGRETS, net)
    assert inside_kernels(PolicyPlayer(game, net, "")) == (BY_NET, net)
    assert inside_kernels(PolicyPlayer(game, net, "", temperature=1.0)) is None
    how["averaged"] = True
    assert inside_kernels(RegretPlayer(game, net, "", play="mixed", **how)) is None
    assert inside_kernels(make_player("pimc:worlds=2", game)) is None


def test_with_a_critic_tries_in_small_whist_come_to_better_play() -> None:
    small = {"units": "32", "layers": "2", "lot": "400", "batch": "256", "watch": "0"}
    run = learner("whist3x3", **small, ahead="1", best="true", play="best", deals="6000")
    run._source._budget.total = run.total
    before = run.tree.exploitability(run.policy())
    for _ in range(15):
        run.step()
    assert run.tree.exploitability(run.policy()) < before / 2


def test_against_others_only_the_learners_deals_are_told() -> None:
    run = learner("kuhn", **(TINY | {"watch": "8"}), against="random")
    told = run.step()
    assert told["length"] > 1 and "watched payoff" in told and "win rate" in told


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["hearts", "deepcfr", "--set", "decay=0"], "decay=0 branches at every choice"),
        (["kuhn", "deepcfr", "--preset", "small", "--set", "start=random"], "for form=simple"),
        (["kuhn", "deepcfr", "--set", "nets=seat"], "nets=seat is for form=full"),
        (["kuhn", "deepcfr", "--set", "start_lot=9"], "start_lot is for the iterations of a start"),
        (["kuhn", "deepcfr", "--preset", "further"], "begins with a model: tell begin=GAME/NAME"),
        (["kuhn", "deepcfr", "--set", "store=nowhere"], "there is no store of samples nowhere"),
        (["kuhn", "deepcfr", "--set", "against=nobody"], "there is no player 'nobody'"),
        (["kuhn", "deepcfr", "--set", "seating=LO"], "tell against whom"),
        (["kuhn", "deepcfr", "--set", "forced=bet:pimc"], "playout player"),
        (["kuhn", "deepcfr", "--preset", "page"], "no preset of deepcfr 'page'"),
        (["kuhn", "deepcfr", "--set", "begin=kuhn/nobody"], "no model"),
        (
            ["kuhn", "deepcfr", "--set", "begin=kuhn/some", "--set", "start=random"],
            "goes on from it: leave start out",
        ),
        (["kuhn", "deepcfr", "--preset", "small", "--set", "begin=kuhn/some"], "for form=simple"),
        (["kuhn", "deepcfr", "--preset", "small", "--set", "heat=0.1"], "heat is for form=simple"),
        (["kuhn", "deepcfr", "--set", "ahead=1"], "players that choose their best"),
        (
            ["kuhn", "deepcfr", "--set", "ahead=1", "--set", "best=true", "--set", "against=pimc"],
            "players without search, not pimc",
        ),
        (
            ["kuhn", "deepcfr", "--set", "ahead=1", "--set", "best=true", "--set", "batched=true"],
            "with a critic (ahead) there is no batched",
        ),
    ],
)
def test_a_mistake_is_told_in_one_line(words: list[str], expected: str) -> None:
    with pytest.raises(OvertrickError) as error:
        app(["train", *words], standalone_mode=False)
    assert expected in str(error.value) and "\n" not in str(error.value)


def test_the_page_has_its_net_and_its_flags() -> None:
    config: Any = METHOD.configure(load_game("hearts"), "page")
    assert (config.units, config.layers, config.encoding) == (1080, 4, "page")
    game = load_game("hearts")
    assert game.encodings[game.encoding(config.encoding)].size == 540


# ---------------------------------------------------------------------------- small games


def test_the_full_form_comes_near_the_solution_of_kuhn_poker() -> None:
    run = learner("kuhn", "small", steps="100", exact_every="0", average_steps="800")
    for _ in range(20):
        run.step()
    assert run.tree.exploitability(run.policy()) < 0.15  # uniform play has .458


@pytest.mark.long
@pytest.mark.parametrize("nets", ["seat", "shared"])
def test_a_hundred_iterations_of_kuhn_poker_are_hard_to_exploit(nets: str) -> None:
    run = learner("kuhn", "small", exact_every="0", nets=nets)
    for _ in range(100):
        run.step()
    assert run.tree.exploitability(run.policy()) < 0.05


@pytest.mark.long
def test_leduc_poker_comes_to_what_is_published() -> None:
    run = learner("leduc", "small", exact_every="0", lot="1500")
    for _ in range(40):
        run.step()
    assert run.tree.exploitability(run.policy()) < 0.25


# ---------------------------------------------------------------------------- players


def test_a_model_is_played_mixed_or_best(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["train", "kuhn", "deepcfr", "--deals", "32", "--no-measure", "--json"]
    words += [word for key, value in TINY.items() for word in ("--set", f"{key}={value}")]
    app([*words, "--set", "snapshots=1"], standalone_mode=False)
    trained = json.loads(capsys.readouterr().out)
    assert trained["player"] == "cfr:kuhn/deepcfr"
    game = load_game("kuhn")
    assert make_player("cfr:kuhn/deepcfr", game).name == "cfr:kuhn/deepcfr,play=mixed"
    best: Any = make_player("cfr:deepcfr,play=best,equals=sum", game)
    assert best.name == "cfr:kuhn/deepcfr,play=best,equals=sum"
    views = Batch(game, 8, seed=1).views()
    assert (best.shares(views).max(axis=1) == 1).all()
    chosen = best.choose(views, streams(8, 1, "x"))
    assert (chosen == best.shares(views).argmax(axis=1)).all()
    assert sum(one.probability for one in next(best.advise(views[:1], chosen)).choices) == 1
    for wrong in ("play=well", "equals=no", "depth=3"):
        with pytest.raises(BadOption):
            make_player(f"cfr:kuhn/deepcfr,{wrong}", game)
    _check_the_curve(capsys)


def _check_the_curve(capsys: pytest.CaptureFixture[str]) -> None:
    """Its snapshots meet the model."""
    words = ["arena-curve", "kuhn", "deepcfr", "--boards", "20"]
    app([*words, "--json"], standalone_mode=False)
    told = json.loads(capsys.readouterr().out)
    assert [row["snapshot"] for row in told["snapshots"]] == ["i001", "i002"]
    assert told["best"] == "cfr:kuhn/deepcfr"
    folder = find_model("kuhn/deepcfr").folder.parents[1]
    drawn = folder / "curve.png"
    app([*words, "--best", "i001", "--most", "1", "--plot", str(drawn)], standalone_mode=False)
    assert drawn.exists()
    with pytest.raises(OvertrickError, match="no run of kuhn deepcfr 'other'"):
        app(["arena-curve", "kuhn", "other"], standalone_mode=False)


def test_shares_of_a_player_are_in_proportion_to_positive_numbers() -> None:
    numbers = np.array([[3.0, 1.0, -2.0, -np.inf], [-3.0, -1.0, -2.0, -np.inf]])
    assert matched(numbers).tolist() == [[0.75, 0.25, 0, 0], [0, 1, 0, 0]]


def test_neighbouring_cards_of_a_hand_count_as_one() -> None:
    from overtrick.engine.deals import Deal

    # 2C and 3C are worth the same, and so are 5C 6C once 4C is gone; 9C is not
    hokm = load_game("hokm")
    deal = Deal.from_seed("hokm", 1)
    while hokm.phases[int(deal.records["phase"][0])] != "play":
        deal = deal.play(deal.legal[0])
    views = deal.view(deal.seat).records.copy()
    legal = sum(1 << card for card in deal.legal)
    shares = np.zeros((1, 64))
    shares[0, list(deal.legal)] = 1.0
    sum_equals(views, np.array([legal]), 0b10, shares)
    suits: dict[int, list[int]] = {}
    for card in deal.legal:
        suits.setdefault(card // 13, []).append(card)
    for cards in suits.values():
        lowest = cards[0]
        for before, card in pairwise(cards):
            lowest = lowest if card == before + 1 else card
            assert (shares[0, card] == 0) == (card == before + 1)
        assert shares[0, lowest] >= 1
    assert shares.sum() == len(deal.legal)


def test_a_response_finds_what_can_be_won_from_a_player(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["exploit", "kuhn", "random", "--deals", "3000", "--boards", "400", "--json"]
    small = {"units": 16, "layers": 1, "lot": 200, "part": 200, "decay": 0, "batch": 128}
    words += [word for key, value in small.items() for word in ("--set", f"{key}={value}")]
    app(words, standalone_mode=False)
    told = json.loads(capsys.readouterr().out)
    assert told["player"] == "random" and told["response"].startswith("cfr:kuhn/response")
    # a best response wins .4583 a deal; a trained one most of it, within the interval
    assert 0.25 < told["gain"] < 0.4583 + told["ci95"]


def test_a_response_to_a_model_begins_with_that_model() -> None:
    small = ["--deals", "32", "--no-measure", "--name", "first", *_as_settings(TINY)]
    app(["train", "kuhn", "deepcfr", *small], standalone_mode=False)
    game = load_game("kuhn")
    told = response_settings(game, "cfr:kuhn/first")
    run = learner("kuhn", "response", **told, lot="8")
    known, first = run.nets()["main"][1], find_model("kuhn/first").tensors()["main"]
    assert all(np.array_equal(known[name], first[name]) for name in first)
    assert run._source._others[0] == BY_REGRETS and run._source._others[1] is not None
    searcher = response_settings(game, "pimc:worlds=2")
    assert learner("kuhn", "response", **searcher)._source.critic is None


def test_a_net_of_an_average_policy_is_played_as_a_policy() -> None:
    game = load_game("kuhn")
    _, net = some_net(game, value="none")
    player = RegretPlayer(game, net, "", averaged=True, play="mixed", equals="apart")
    views = Batch(game, 4, seed=1).views()
    shares = player.shares(views)
    assert shares.sum(axis=1) == pytest.approx(1) and (shares[:, :2] > 0).all()
