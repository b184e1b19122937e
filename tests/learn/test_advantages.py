"""Advantages worked out on paper, by seat and by turn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from overtrick.learn.advantages import (
    advantages_by_seat,
    advantages_by_turn,
    correlation,
    explained,
)

SIDES = np.array([0, 1, 0, 1])


def by_seat(
    numbers: list[int],
    seats: list[int],
    values: list[float],
    rewarded: Any,
    rewards: Any,
    discount: float = 1.0,
    decay: float = 0.5,
) -> list[float]:
    out = np.zeros(len(numbers))
    told = (np.array(rewarded, dtype=float), np.array(rewards, dtype=float), discount, decay, out)
    advantages_by_seat(np.array(numbers), np.array(seats), np.array(values), *told)
    return out.tolist()


def by_turn(
    numbers: list[int],
    seats: list[int],
    values: list[float],
    rewarded: Any,
    rewards: Any,
    discount: float = 1.0,
    decay: float = 0.5,
) -> list[float]:
    out = np.zeros(len(numbers))
    told = (np.array(rewarded, dtype=float), np.array(rewards, dtype=float), discount, decay, out)
    advantages_by_turn(np.array(numbers), np.array(seats), SIDES, np.array(values), *told)
    return out.tolist()


def test_the_last_choice_of_a_seat_gains_what_is_paid_beyond_what_was_expected() -> None:
    assert by_seat([0], [1], [0.25], [[0, 0]], [[-1, 1]]) == [0.75]


def test_a_seat_looks_from_one_of_its_own_choices_to_the_next() -> None:
    # Seat 0 chooses twice, seat 1 in between; seat 0 expected 0.2, then 0.6, and got 1.
    # δ₂ = 1 - 0.6 = 0.4; δ₁ = 0.6 - 0.2 = 0.4; A₁ = 0.4 + 0.5 · 0.4 = 0.6. Seat 1: -1 - (-0.5).
    found = by_seat([0, 0, 0], [0, 1, 0], [0.2, -0.5, 0.6], np.zeros((3, 2)), [[1, -1]])
    assert found == pytest.approx([0.6, -0.5, 0.4])


def test_rewards_on_the_way_count_between_the_choices_they_come_between() -> None:
    # 0.3 has been rewarded when seat 0 chooses again, 1.3 in the end, and it expected nothing.
    found = by_seat([0, 0], [0, 0], [0, 0], [[0.0], [0.3]], [[1.3]], decay=0.0)
    assert found == pytest.approx([0.3, 1.0])


def test_what_comes_later_is_discounted() -> None:
    # γ = 0.5, λ = 1: the second choice gains 1, the first 0.5 · V₂ - V₁ + 0.5 · (1 - V₂) = 0.5 - V₁
    found = by_seat([0, 0], [0, 0], [0.1, 0.4], np.zeros((2, 1)), [[1.0]], 0.5, 1.0)
    assert found == pytest.approx([0.4, 0.6])


def test_deals_have_nothing_to_do_with_each_other() -> None:
    apart = [
        by_seat([0], [0], [0.1], [[0.0]], [[1.0]])[0],
        by_seat([0], [0], [0.2], [[0.0]], [[-1.0]])[0],
    ]
    assert by_seat([0, 1], [0, 0], [0.1, 0.2], [[0.0], [0.0]], [[1.0], [-1.0]]) == apart


def test_what_the_other_side_expects_counts_against() -> None:
    # Seats 0 and 1 are opponents. δ₂ = -1 - (-0.5) = -0.5 for seat 1.
    # For seat 0, σ = -1: δ₁ = -(-0.5) - 0.2 = 0.3 and A₁ = 0.3 - 0.5 · (-0.5) = 0.55.
    zeros = np.zeros((2, 4))
    assert by_turn([0, 0], [0, 1], [0.2, -0.5], zeros, [[1, -1, 1, -1]]) == pytest.approx(
        [0.55, -0.5]
    )


def test_what_the_partner_expects_counts_for() -> None:
    # σ = +1: δ₂ = 1 - 0.5 = 0.5; δ₁ = 0.5 - 0.2 = 0.3; A₁ = 0.3 + 0.5 · 0.5 = 0.55.
    zeros = np.zeros((2, 4))
    assert by_turn([0, 0], [0, 2], [0.2, 0.5], zeros, [[1, -1, 1, -1]]) == pytest.approx(
        [0.55, 0.5]
    )


def test_both_estimates_are_the_same_once_everything_to_come_counts() -> None:
    chance = np.random.default_rng(1)
    numbers = np.repeat(np.arange(20), 8).tolist()
    seats = chance.integers(0, 4, 160).tolist()
    values = chance.normal(size=160).tolist()
    won = chance.choice([-1.0, 1.0], 20)
    rewards = np.stack([won, -won, won, -won], axis=1)
    told = (numbers, seats, values, np.zeros((160, 4)), rewards)
    assert by_seat(*told, decay=1.0) == pytest.approx(by_turn(*told, decay=1.0))
    assert by_seat(*told, decay=0.5) != pytest.approx(by_turn(*told, decay=0.5))


def test_a_critic_explains_all_nothing_or_worse() -> None:
    returns = np.array([1.0, -1.0, 3.0, -3.0])
    assert explained(returns, returns) == 1.0
    assert explained(np.zeros(4), returns) == 0.0
    assert explained(-returns, returns) == -3.0  # (2 returns)² against returns²
    assert explained(np.ones(2), np.ones(2)) == 0.0


def test_what_was_expected_right_after_the_deal_goes_with_what_came() -> None:
    came = np.array([1.0, -1.0, 1.0, -1.0])
    assert correlation(0.3 * came, came) == pytest.approx(1.0)
    assert correlation(np.array([1.0, 1.0, -1.0, -1.0]), came) == pytest.approx(0.0)
    assert correlation(np.zeros(4), came) == 0.0
