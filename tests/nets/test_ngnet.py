"""Normalised Gaussian networks: EM recovers what made the data, in a batch and on line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from overtrick.nets.ngnet import NGnet, Online, begin_units

Floats = np.ndarray[Any, np.dtype[np.float64]]

CENTERS = np.array([[-3.0, 0.0], [3.0, 1.0], [0.0, 4.0]])
SPREADS = np.array([[0.5, 1.0], [1.0, 0.3], [0.4, 0.4]])
SHARES = np.array([0.5, 0.3, 0.2])
LINES = np.array([[[1.0], [-2.0], [0.5]], [[0.0], [1.0], [3.0]], [[-1.0], [0.0], [-2.0]]])
NOISE = 0.1


def drawn(rows: int, seed: int = 1) -> tuple[Floats, Floats]:
    """Rows that three units have made: inputs and what is said of them."""
    chance = np.random.default_rng(seed)
    unit = chance.choice(3, size=rows, p=SHARES)
    x = CENTERS[unit] + np.sqrt(SPREADS[unit]) * chance.normal(size=(rows, 2))
    y = np.einsum("ni,nio->no", np.c_[x, np.ones(rows)], LINES[unit])
    return x, y + np.sqrt(NOISE) * chance.normal(size=y.shape)


def fitted(x: Floats, y: Floats, *, covariance: str = "diag", seed: int = 2) -> NGnet:
    net = begin_units(x, y, 3, seed, covariance=covariance)  # type: ignore[arg-type]
    net.fit(x, y, steps=300, tolerance=1e-9)
    return net


def by_first_center(net: NGnet) -> Any:
    return np.argsort(net.center[:, 0])


def the_truth() -> NGnet:
    return NGnet(SHARES, CENTERS, SPREADS, LINES, np.full(3, NOISE))


def test_em_recovers_the_units_that_made_the_data() -> None:
    net = fitted(*drawn(4000))
    order, true = by_first_center(net), np.argsort(CENTERS[:, 0])
    assert net.prior[order] == pytest.approx(SHARES[true], abs=0.03)
    assert net.center[order] == pytest.approx(CENTERS[true], abs=0.1)
    assert net.covariance[order] == pytest.approx(SPREADS[true], abs=0.15)
    assert net.linear[order] == pytest.approx(LINES[true], abs=0.15)
    assert net.noise[order] == pytest.approx(NOISE, abs=0.02)


@pytest.mark.parametrize("covariance", ["diag", "full"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_step_of_batch_em_makes_the_data_less_likely(covariance: str, seed: int) -> None:
    x, y = drawn(500, seed)
    net = begin_units(x, y, 5, seed, covariance=covariance)  # type: ignore[arg-type]
    told = net.fit(x, y, steps=60, tolerance=-1.0)
    assert np.diff(told).min() > -1e-7
    assert told[-1] > told[0] + 0.1


def test_what_a_network_says_is_the_mean_of_its_lines_by_trust() -> None:
    net = the_truth()
    x = np.array([[-3.0, 0.0], [0.3, 1.7]])
    shares = np.zeros((2, 3))
    for row in range(2):
        for unit in range(3):
            away = (x[row] - CENTERS[unit]) ** 2 / SPREADS[unit]
            size = (2 * np.pi) ** -1 * np.prod(SPREADS[unit]) ** -0.5
            shares[row, unit] = SHARES[unit] * size * np.exp(-0.5 * away.sum())
    shares /= shares.sum(axis=1, keepdims=True)
    lines = np.stack([np.c_[x, np.ones(2)] @ LINES[unit] for unit in range(3)], axis=1)
    assert net.answer(x) == pytest.approx(np.einsum("nu,nuo->no", shares, lines))


def test_on_line_em_comes_close_to_the_batch() -> None:
    x, y = drawn(20_000)
    batch = fitted(x, y)
    net = begin_units(x[:200], y[:200], 3, 2)
    online = Online(net, first=50.0, steady=0.1)
    for _ in range(2):
        online.teach(x, y, lot=20)
    met = drawn(2000, seed=9)
    true = the_truth().log_likelihood(*met)
    assert batch.log_likelihood(*met) > true - 0.01
    assert net.log_likelihood(*met) > true - 0.05
    assert np.abs(net.answer(met[0]) - batch.answer(met[0])).mean() < 0.1


def test_on_line_em_is_the_same_whatever_the_rows_are_cut_into_calls() -> None:
    x, y = drawn(400)
    one, two = (Online(begin_units(x, y, 3, 2)) for _ in range(2))
    one.teach(x, y, lot=20)
    for first in range(0, 400, 40):
        two.teach(x[first : first + 40], y[first : first + 40], lot=20)
    assert np.array_equal(one.net.linear, two.net.linear)


def test_units_are_made_where_nothing_explains_what_is_met() -> None:
    x, y = drawn(3000)
    near = x[:, 0] < -2.5  # the first unit's rows only
    net = begin_units(x[near], y[near], 1, 1)
    online = Online(net, most_units=6, surprise=15.0)
    online.teach(x[near], y[near], lot=20)
    assert net.units == 1
    online.teach(x, y, lot=20)
    assert online.created > 0
    assert 1 < net.units <= 6


def test_units_that_explain_nothing_go() -> None:
    x, y = drawn(3000)
    net = the_truth()
    net.center = np.concatenate([net.center, [[50.0, 50.0]]])
    net.covariance = np.concatenate([net.covariance, [[1.0, 1.0]]])
    net.linear = np.concatenate([net.linear, LINES[:1]])
    net.prior, net.noise = np.array([0.45, 0.25, 0.2, 0.1]), np.full(4, NOISE)
    online = Online(net, first=200.0, steady=0.0, most_units=3)
    online.teach(x, y, lot=20)
    assert (online.removed, net.units) == (1, 3)
    assert net.center[:, 0].max() < 10


def test_rows_that_hardly_differ_do_no_harm() -> None:
    x, y = np.ones((400, 3)), np.full((400, 2), 2.0)
    net = begin_units(x, y, 4, 1)
    net.fit(x, y, steps=20)
    Online(net, most_units=8).teach(x, y)
    assert net.answer(x[:5]) == pytest.approx(2.0, abs=1e-3)


# ---------------------------------------------------------------------------- scikit-learn


@pytest.mark.parametrize("covariance", ["diag", "full"])
def test_without_outputs_it_is_the_mixture_of_scikit_learn(covariance: str) -> None:
    mixture = pytest.importorskip("sklearn.mixture")
    x, _ = drawn(1500)
    nothing = np.zeros((len(x), 0))
    net = begin_units(x, nothing, 3, 3, covariance=covariance)  # type: ignore[arg-type]
    theirs = mixture.GaussianMixture(
        3,
        covariance_type=covariance,
        means_init=net.center.copy(),
        weights_init=net.prior.copy(),
        precisions_init=1 / net.covariance
        if covariance == "diag"
        else np.linalg.inv(net.covariance),
        tol=0.0,
        max_iter=40,
    )
    theirs = _fit(theirs, x)
    net.fit(x, nothing, steps=40, tolerance=-1.0)
    assert net.center == pytest.approx(theirs.means_, abs=1e-6)
    assert net.prior == pytest.approx(theirs.weights_, abs=1e-6)
    assert net.covariance == pytest.approx(theirs.covariances_, abs=1e-6)
    assert net.log_likelihood(x, nothing) == pytest.approx(theirs.score(x), abs=1e-6)


def test_with_one_output_and_whole_covariances_it_is_a_mixture_of_both_together() -> None:
    mixture = pytest.importorskip("sklearn.mixture")
    x, y = drawn(1500)
    net = fitted(x, y, covariance="full")
    joint = np.c_[x, y]
    means = np.stack(
        [np.r_[c, np.r_[c, 1.0] @ w[:, 0]] for c, w in zip(net.center, net.linear, strict=True)]
    )
    whole = []
    for spread, line, noise in zip(net.covariance, net.linear, net.noise, strict=True):
        slope = line[:-1]
        crossed = spread @ slope
        whole.append(np.block([[spread, crossed], [crossed.T, slope.T @ crossed + noise]]))
    theirs = mixture.GaussianMixture(
        3,
        means_init=means,
        weights_init=net.prior,
        precisions_init=np.linalg.inv(np.stack(whole)),
        tol=0.0,
        max_iter=5,
    )
    theirs = _fit(theirs, joint)
    assert theirs.score(joint) == pytest.approx(net.log_likelihood(x, y), abs=1e-4)
    assert theirs.means_ == pytest.approx(means, abs=1e-2)


def _fit(mixture: Any, rows: Floats) -> Any:
    """Fit without the warning that it has not converged, which a fixed number of steps has not."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return mixture.fit(rows)
