"""AlphaZero: exact in small games, the same wherever it runs, resumed as if never stopped."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import mostly_long
from overtrick.engine.tree import Tree, build_tree
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.learn import measuring
from overtrick.learn.alphazero import AlphaZero, AlphaZeroConfig
from overtrick.learn.budget import Budget
from overtrick.learn.measuring import beats, meet, usual_reach
from overtrick.learn.workers import LocalWorkers
from overtrick.nets.evaluating import NetEvaluator
from overtrick.players import make_player

SMALL: dict[str, Any] = {
    "units": 32,
    "layers": 1,
    "head": 0,
    "sims": 9,
    "worlds": 4,
    "lot": 50,
    "batch": 64,
    "window": 2000,
    "quick": 20,
    "labels": 5,
}


def a_run(game: str = "whist3x3", *, workers: int = 1, seed: int = 1, **told: Any) -> AlphaZero:
    config = AlphaZeroConfig(**SMALL | told)
    budget = Budget(deals=config.deals)
    return AlphaZero(load_game(game), config, LocalWorkers(workers), seed, budget)


def finished(run: AlphaZero) -> AlphaZero:
    while run.deals < run.total:
        run.step()
    return run


def weights(run: AlphaZero) -> bytes:
    return b"".join(rows.tobytes() for _, rows in sorted(run.nets()["main"][1].items()))


@cache
def whist() -> Tree:
    return build_tree(load_game("whist3x3"))


def exploitability(run: AlphaZero) -> float:
    """Of the policy of its net, at every view of the game."""
    tree = whist()
    logits, _ = NetEvaluator(run.game, run.net()).weigh(tree.views)
    width = tree.legal.shape[1]
    powers = np.where(tree.legal, np.exp(logits[:, :width] - logits.max(axis=1)[:, None]), 0.0)
    return float(tree.exploitability(powers / powers.sum(axis=1, keepdims=True)))


@pytest.mark.long
def test_in_small_whist_the_policy_becomes_hard_to_exploit() -> None:
    run = a_run(deals=600, lot=100, endgame=0, passes=6.0, units=64, worlds=8, rate=3e-3, quick=60)
    before = exploitability(run)
    finished(run)
    after = exploitability(run)
    assert before > 0.3
    assert after < 0.2


def test_phases_change_where_the_config_says() -> None:
    run = a_run(deals=250, boot=0.4)
    phases = [run.step()["phase"] for _ in range(5)]
    assert phases == ["[BOOT]", "[BOOT]", "[AZ]", "[AZ]", "[AZ]"]
    assert run.deals == run.total == 250


def test_a_run_that_was_stopped_ends_in_the_same_net(tmp_path: Path) -> None:
    whole = finished(a_run(deals=200))
    first = a_run(deals=200)
    first.step()
    first.step()
    first.save(tmp_path)
    second = a_run(deals=200, seed=1)
    second.load(tmp_path)
    assert second.deals == 100
    assert weights(finished(second)) == weights(whole)


def test_the_net_does_not_depend_on_the_number_of_workers() -> None:
    assert weights(finished(a_run(deals=100))) == weights(finished(a_run(deals=100, workers=3)))


def test_another_seed_gives_another_net() -> None:
    assert weights(finished(a_run(deals=50))) != weights(finished(a_run(deals=50, seed=2)))


@pytest.mark.parametrize("game", mostly_long(["kuhn", "leduc", "thirds"]))
def test_it_runs_on_any_game_of_the_contract(game: str) -> None:
    told = finished(a_run(game, deals=40, lot=20)).step()
    assert np.isfinite(float(told["VMSE"]))
    assert np.isfinite(float(told["PCE"]))


def test_a_gate_lets_only_a_better_net_play() -> None:
    run = a_run(deals=150, gate="sprt", gate_every=2, gate_boards=40)
    before = weights(run)
    assert "gate" not in run.step()
    assert weights(run) == before
    told = run.step()
    assert "gate" in told
    assert (weights(run) != before) == bool(told["gate"])


def test_a_gate_is_held_under_the_house_rules_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []

    def met(game: Game, players: Any, first: int, boards: int, seed: int, variant: str) -> Any:
        told.append(variant)
        return meet(game, players, first, boards, seed, variant)

    monkeypatch.setattr(measuring, "meet", met)
    gate: dict[str, Any] = {"gate": "sprt", "gate_every": 1, "gate_boards": 2}
    run = a_run("hokm", deals=1, lot=1, quick=0, labels=0, variant="kot_points=3", **gate)
    assert "gate" in run.step()
    assert told == ["kot_points=3"]


def test_a_proof_tells_strong_from_weak() -> None:
    game, workers = load_game("hokm"), LocalWorkers(2)
    strong, weak = make_player("rulebook:strong", game), make_player("random", game)
    good = beats(game, strong, weak, boards=400, seed=1, workers=workers)
    bad = beats(game, weak, strong, boards=400, seed=1, workers=workers)
    assert (good.accepted, bad.accepted) == (True, False)
    assert good.boards < 400
    assert good.score > 0.7


def test_a_value_of_one_is_a_payoff_that_few_deals_have() -> None:
    assert usual_reach(load_game("snapszer")) == 3.0
    coinche = load_game("coinche")
    assert 100 < usual_reach(coinche) < coinche.payoff_scale
