"""The losses of PPO, worked out on paper."""

from __future__ import annotations

import math

import pytest
import torch

from overtrick.learn.ppo_losses import (
    chosen_logs,
    clipped_loss,
    clipped_share,
    entropy_of,
    leaving,
    legal_logs,
)

LEGAL = torch.tensor([[True, True, False]])


def test_only_legal_choices_share_the_probability() -> None:
    # Logits ln 3 and 0: three quarters and a quarter, whatever the illegal one has.
    logs = legal_logs(torch.tensor([[math.log(3), 0.0, 9.0]]), LEGAL)
    assert logs.tolist()[0] == pytest.approx([math.log(0.75), math.log(0.25), 0.0])
    assert chosen_logs(logs, torch.tensor([1])).tolist() == pytest.approx([math.log(0.25)])


def test_a_choice_that_paid_gains_no_more_beyond_the_clip() -> None:
    # Ratios 1.1 and 1.5, advantage 2, ε = 0.2: 2.2 and, cut at 1.2, 2.4; less, on average.
    loss = clipped_loss(torch.tensor([1.1, 1.5]), torch.tensor([2.0, 2.0]), 0.2)
    assert loss.item() == pytest.approx(-2.3)


def test_a_choice_that_cost_loses_beyond_the_clip_if_it_became_likelier() -> None:
    # Advantage -1: at 1.5 the loss stays 1.5; at 0.5 it is cut at 0.8.
    loss = clipped_loss(torch.tensor([1.5, 0.5]), torch.tensor([-1.0, -1.0]), 0.2)
    assert loss.item() == pytest.approx((1.5 + 0.8) / 2)


def test_no_gradient_comes_from_a_ratio_that_is_cut() -> None:
    ratios = torch.tensor([1.5, 1.1], requires_grad=True)
    clipped_loss(ratios, torch.tensor([1.0, 1.0]), 0.2).backward()  # type: ignore[no-untyped-call]
    assert ratios.grad is not None
    assert ratios.grad.tolist() == pytest.approx([0.0, -0.5])


def test_ratios_beyond_the_clip_are_counted() -> None:
    assert clipped_share(torch.tensor([1.0, 1.3, 0.7, 1.1]), 0.2).item() == 0.5


def test_two_even_choices_have_the_entropy_of_a_coin() -> None:
    logs = legal_logs(torch.zeros(1, 3), LEGAL)
    assert entropy_of(logs, LEGAL).item() == pytest.approx(math.log(2))


def test_a_policy_that_is_where_its_magnet_is_has_left_nothing() -> None:
    logs = legal_logs(torch.tensor([[1.0, 2.0, 0.0]]), LEGAL)
    assert leaving(logs, logs, LEGAL).item() == pytest.approx(0.0)


def test_how_far_a_policy_has_left_its_magnet() -> None:
    # p = (3/4, 1/4), m = (1/2, 1/2): 3/4 ln 3/2 + 1/4 ln 1/2.
    logs = legal_logs(torch.tensor([[math.log(3), 0.0, 0.0]]), LEGAL)
    magnet = legal_logs(torch.zeros(1, 3), LEGAL)
    wanted = 0.75 * math.log(1.5) + 0.25 * math.log(0.5)
    assert leaving(logs, magnet, LEGAL).item() == pytest.approx(wanted)
