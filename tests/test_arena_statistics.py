"""The statistics keep what they promise, on made-up results whose truth is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from overtrick.arena.simulation import chi_square_p
from overtrick.arena.statistics import (
    elo_from_share,
    estimate,
    match_odds,
    ratings,
    share_from_elo,
    sprt,
    student_t,
)
from overtrick.errors import BadBudget


@pytest.mark.parametrize("freedom", [5, 6, 8, 12, 20, 50, 200, 5000])
def test_the_quantile_is_that_of_student(freedom: int) -> None:
    assert student_t(0.95, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=0.003)


def test_with_few_values_the_quantile_is_wide_rather_than_narrow() -> None:
    for freedom in range(1, 5):
        assert student_t(0.95, freedom) >= 0.95 * stats.t.ppf(0.975, freedom) or freedom == 1


@pytest.mark.parametrize("freedom", [1, 3, 10, 100, 961])
def test_the_tail_of_chi_square_is_exact(freedom: int) -> None:
    for chance in (0.9, 0.5, 0.1, 0.01):
        value = stats.chi2.isf(chance, freedom)
        assert chi_square_p(value, freedom) == pytest.approx(chance, rel=1e-9)


@pytest.mark.parametrize("boards", [20, 200, 2000])
def test_intervals_cover_the_truth_at_their_nominal_rate(boards: int) -> None:
    rng, runs, truth = np.random.default_rng(boards), 4000, 0.3
    covered = 0
    for _ in range(runs):
        one = estimate(truth + rng.choice([-1.0, 0.0, 1.0], boards, p=[0.3, 0.4, 0.3]))
        covered += abs(one.mean - truth) <= one.ci95
    assert covered / runs == pytest.approx(0.95, abs=3 * math.sqrt(0.95 * 0.05 / runs) + 0.005)


def test_one_board_tells_nothing_about_its_error() -> None:
    assert math.isinf(estimate([1.0]).ci95)
    assert math.isnan(estimate([]).mean)


def decided(rng: np.random.Generator, share: float, spread: float, cap: int = 40_000) -> str:
    """How a test ends for a player with this true share, asked after every 50 boards."""
    values = rng.normal(share, spread, cap)
    for boards in range(50, cap, 50):
        decision = sprt(values[:boards]).decision
        if decision != "open":
            return decision
    return "open"


def test_sprt_keeps_its_error_rates() -> None:
    rng, runs = np.random.default_rng(1), 300
    false_alarms = sum(decided(rng, 0.50, 0.216) == "stronger" for _ in range(runs))
    missed = sum(decided(rng, 0.51, 0.216) == "not stronger" for _ in range(runs))
    margin = 3 * math.sqrt(0.05 * 0.95 / runs)
    assert false_alarms / runs <= 0.05 + margin
    assert missed / runs <= 0.05 + margin


def test_sprt_is_the_formula_worked_out_by_hand() -> None:
    # 100 boards, mean .52, variance .04: 100 × .01 × (1.04 − 1.01) / .08 = .375
    values = np.array([0.32, 0.72] * 50)
    values = 0.52 + (values - values.mean()) * math.sqrt(0.04 / values.var(ddof=1))
    assert sprt(values).llr == pytest.approx(0.375)
    assert sprt(values).high == pytest.approx(2.944, abs=0.001)
    assert sprt(values).decision == "open"


def test_sprt_decides_at_once_when_all_boards_are_the_same() -> None:
    assert sprt([1.0] * 40).decision == "stronger"
    assert sprt([0.5] * 40).decision == "not stronger"
    assert sprt([1.0] * 10).decision == "open"


def test_match_odds_are_those_of_first_to_seven() -> None:
    assert match_odds(0.8, 7) == pytest.approx(0.993, abs=0.0005)
    assert match_odds(0.6, 7) == pytest.approx(0.771, abs=0.0005)
    assert match_odds(0.5, 7) == pytest.approx(0.5)
    assert match_odds(1.0, 3) == 1.0
    assert match_odds(0.3, 1) == pytest.approx(0.3)


@pytest.mark.parametrize(("share", "target"), [(-0.1, 7), (1.1, 7), (0.5, 0)])
def test_odds_of_nonsense_are_refused(share: float, target: int) -> None:
    with pytest.raises(BadBudget):
        match_odds(share, target)


def test_elo_and_share_are_each_others_inverse() -> None:
    for elo in (-400, -10, 0, 25, 600):
        assert elo_from_share(share_from_elo(elo)) == pytest.approx(elo)
    assert share_from_elo(400) == pytest.approx(10 / 11)
    assert math.isinf(elo_from_share(1.0))


def made_up_round_robin(
    truth: np.ndarray, boards: int, seed: int
) -> tuple[list[tuple[int, int]], list[np.ndarray]]:
    rng = np.random.default_rng(seed)
    pairs = [(a, b) for a in range(len(truth)) for b in range(a + 1, len(truth))]
    shares = [rng.binomial(1, share_from_elo(truth[a] - truth[b]), boards) * 1.0 for a, b in pairs]
    return pairs, shares


def test_ratings_recover_known_strengths() -> None:
    truth = np.array([150.0, 60.0, 0.0, -60.0, -150.0])
    pairs, shares = made_up_round_robin(truth, 20_000, 2)
    found = ratings([f"p{n}" for n in range(5)], pairs, shares)
    assert [one.player for one in found] == ["p0", "p1", "p2", "p3", "p4"]
    for one, wanted in zip(found, truth, strict=True):
        assert one.elo == pytest.approx(wanted, abs=6)
        assert 0 < one.ci95 < 6


def test_intervals_of_ratings_cover_known_strengths() -> None:
    truth = np.array([80.0, 0.0, -80.0])
    inside = tried = 0
    for seed in range(60):
        pairs, shares = made_up_round_robin(truth, 400, seed)
        for one in ratings(["0", "1", "2"], pairs, shares, resamples=60, seed=seed):
            inside += abs(one.elo - truth[int(one.player)]) <= one.ci95
            tried += 1
    assert inside / tried == pytest.approx(0.95, abs=0.05)


def test_who_won_everything_has_a_finite_rating() -> None:
    found = ratings(["best", "worst"], [(0, 1)], [np.ones(100)])
    assert found[0].player == "best"
    assert 400 < found[0].elo < 1500
