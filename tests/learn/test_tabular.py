"""Regret minimisation on whole trees: the figures of METHODS, section 5, and what samples mean."""

from __future__ import annotations

import functools
import json

import numpy as np
import pytest

from overtrick.cli import app
from overtrick.engine.tree import Tree, build_tree
from overtrick.errors import BadOption, OvertrickError, UnknownName
from overtrick.games import load_game
from overtrick.learn import rps
from overtrick.learn.tabular import Tabular


@functools.cache
def tree_of(name: str) -> Tree:
    return build_tree(rps.GAME if name == "rps" else load_game(name))


def course(name: str, method: str, at: list[int], seed: int = 1) -> list[float]:
    """The exploitability after so many iterations."""
    solver = Tabular(tree_of(name), method, seed=seed)
    found = []
    for iterations in at:
        solver.iterate(iterations - solver.iterations)
        found.append(solver.exploitability())
    return found


KNOWN = {
    ("kuhn", "cfr"): [0.45833, 0.06870, 0.00823, 0.00094],
    ("kuhn", "cfr+"): [0.45833, 0.03269, 0.00119, 0.00009],
    ("leduc", "cfr"): [2.37361, 0.88858, 0.09572, 0.01182],
    ("leduc", "cfr+"): [2.37361, 0.61044, 0.01342, 0.00026],
}


@pytest.mark.parametrize(("name", "method"), KNOWN)
def test_regret_minimisation_is_as_far_as_is_known(name: str, method: str) -> None:
    found = course(name, method, [1, 10, 100, 1000])
    assert found == pytest.approx(KNOWN[name, method], abs=2e-5)


@pytest.mark.parametrize(("method", "known"), [("cfr", 0.04295), ("cfr+", 0.01072)])
def test_ten_iterations_of_whist_are_as_far_as_is_known(method: str, known: float) -> None:
    assert course("whist3x3", method, [10]) == pytest.approx([known], abs=1e-5)


@pytest.mark.long
@pytest.mark.parametrize(("method", "known"), [("cfr", 0.00429), ("cfr+", 0.00019)])
def test_a_hundred_iterations_of_whist_are_as_far_as_is_known(method: str, known: float) -> None:
    assert course("whist3x3", method, [100]) == pytest.approx([known], abs=1e-5)


def test_the_value_of_kuhn_poker_is_minus_an_eighteenth() -> None:
    tree = tree_of("kuhn")
    solver = Tabular(tree, "cfr+")
    solver.iterate(2000)
    assert tree.values(solver.average())[0] == pytest.approx(-1 / 18, abs=1e-4)


# ---------------------------------------------------------------------------- Monte Carlo


def medians(name: str, method: str, at: list[int]) -> list[float]:
    """The middle one of five seeds."""
    rows = [course(name, method, at, seed) for seed in range(1, 6)]
    found: list[float] = np.median(rows, axis=0).tolist()
    return found


SAMPLED = {
    ("kuhn", "external"): {1000: 0.0264, 10_000: 0.0138, 100_000: 0.0026},
    ("kuhn", "outcome"): {10_000: 0.0177, 100_000: 0.0106},
    ("leduc", "external"): {1000: 1.124, 10_000: 0.270},
    ("leduc", "outcome"): {10_000: 0.971},
}
SAMPLED_FOR_LONG = {
    ("kuhn", "outcome"): {1_000_000: 0.0027},
    ("leduc", "external"): {100_000: 0.065},
    ("leduc", "outcome"): {100_000: 0.485, 1_000_000: 0.149},
}


def check_medians(name: str, method: str, known: dict[int, float]) -> None:
    found = medians(name, method, [*known])
    for iterations, most, got in zip(known, known.values(), found, strict=True):
        assert got <= 2.5 * most, f"{name} {method} after {iterations}"


@pytest.mark.parametrize(("name", "method"), SAMPLED)
def test_sampled_walks_come_as_far_as_is_known(name: str, method: str) -> None:
    check_medians(name, method, SAMPLED[name, method])


@pytest.mark.long
@pytest.mark.parametrize(("name", "method"), SAMPLED_FOR_LONG)
def test_many_sampled_walks_come_as_far_as_is_known(name: str, method: str) -> None:
    check_medians(name, method, SAMPLED_FOR_LONG[name, method])


@pytest.mark.parametrize("method", ["cfr", "cfr+", "external", "outcome"])
def test_every_throw_comes_to_be_as_frequent(method: str) -> None:
    solver = Tabular(tree_of("rps"), method)
    # begin away from the answer: each seat regrets not to have thrown rock
    solver.regrets[:, 0] = 5.0
    solver.policy[:] = [1.0, 0.0, 0.0]
    solver.iterate(20_000)
    assert solver.exploitability() < 0.02
    assert solver.average() == pytest.approx(np.full((2, 3), 1 / 3), abs=0.02)


def test_always_the_same_throw_loses_every_time() -> None:
    tree = tree_of("rps")
    rock = np.tile([1.0, 0.0, 0.0], (2, 1))
    assert tree.infosets == 2
    assert tree.best_response(rock, 0) == tree.best_response(rock, 1) == 1
    assert tree.exploitability(tree.uniform()) == 0


def test_the_same_seed_samples_the_same_walks() -> None:
    one, other, unlike = (Tabular(tree_of("kuhn"), "outcome", seed=seed) for seed in (3, 3, 4))
    one.iterate(500)
    other.iterate(200)
    other.iterate(300)
    unlike.iterate(500)
    assert np.array_equal(one.average(), other.average())
    assert not np.array_equal(one.average(), unlike.average())


# ---------------------------------------------------------------------------- the command


def test_the_command_tells_how_exploitability_falls(capsys: pytest.CaptureFixture[str]) -> None:
    app(["cfr", "kuhn", "--method", "cfr", "--iterations", "100"], standalone_mode=False)
    told = capsys.readouterr().out
    assert "0.45833" in told and "0.06870" in told and "0.00823" in told


def test_the_command_tells_the_average_policy(capsys: pytest.CaptureFixture[str]) -> None:
    app(["cfr", "rps", "--policy"], standalone_mode=False)
    assert "rock 0.333  paper 0.333  scissors 0.333" in capsys.readouterr().out
    app(["cfr", "kuhn", "--iterations", "1000", "--policy", "--json"], standalone_mode=False)
    told = json.loads(capsys.readouterr().out)
    assert told["course"][-1]["exploitability"] == pytest.approx(0.00009, abs=1e-5)
    assert len(told["policy"]) == 12
    assert all(sum(view["shares"].values()) == pytest.approx(1) for view in told["policy"])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["kuhn", "--method", "magic"], "no method of regret minimisation 'magic'; known are cfr"),
        (["kuhn", "--iterations", "0"], "iterations is 1 or more, not 0"),
        (["kuhn", "--epsilon", "2"], "epsilon is more than 0 and at most 1, not 2"),
        (["kuhn", "--seed", "-1"], "a seed is 0 or more, not -1"),
        (["hearts"], "a whole tree takes at most 100,000 deals"),
        (["chess"], "there is no game 'chess'"),
    ],
)
def test_a_mistake_is_told_in_one_line(words: list[str], expected: str) -> None:
    with pytest.raises(OvertrickError) as error:
        app(["cfr", *words], standalone_mode=False)
    assert expected in str(error.value)


def test_unknown_methods_and_bad_settings_are_refused() -> None:
    with pytest.raises(UnknownName):
        Tabular(tree_of("kuhn"), "dcfr")
    with pytest.raises(BadOption):
        Tabular(tree_of("kuhn"), "outcome", epsilon=0.0)
