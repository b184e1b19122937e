"""Losses worked out on paper, and what keeps learning steady."""

from __future__ import annotations

import math

import pytest
import torch

from overtrick.games import load_game
from overtrick.learn.nets import (
    DualHead,
    Steady,
    clip_weights,
    gain_loss,
    policy_loss,
    tensors_of,
    value_loss,
)
from overtrick.learn.pupil import Learning
from overtrick.nets.spec import spec_for


def test_the_value_loss_is_the_mean_squared_distance() -> None:
    told, paid = torch.tensor([[0.5], [-1.0]]), torch.tensor([[1.0], [-0.5]])
    assert value_loss(told, paid).item() == pytest.approx(0.25)


def test_nothing_is_learned_where_nothing_is_known() -> None:
    told = torch.tensor([[0.5], [-1.0]], requires_grad=True)
    loss = value_loss(told, torch.tensor([[1.0], [math.nan]]))
    loss.backward()
    assert loss.item() == pytest.approx(0.25)
    assert told.grad is not None
    assert told.grad.tolist() == [[-1.0], [0.0]]


def test_the_policy_loss_of_two_even_choices_is_the_logarithm_of_two() -> None:
    logits = torch.tensor([[0.0, 0.0, 7.0]])
    legal = torch.tensor([[True, True, False]])
    for target in ([1.0, 0.0, 0.0], [0.25, 0.75, 0.0]):
        assert policy_loss(logits, legal, torch.tensor([target])).item() == pytest.approx(
            math.log(2)
        )


def test_the_gradient_of_the_policy_loss_is_the_difference_of_policies() -> None:
    logits = torch.tensor([[math.log(3.0), 0.0, 2.0]], requires_grad=True)
    legal = torch.tensor([[True, True, False]])
    policy_loss(logits, legal, torch.tensor([[0.5, 0.5, 0.0]])).backward()
    assert logits.grad is not None
    assert torch.allclose(logits.grad, torch.tensor([[0.25, -0.25, 0.0]]))


def test_weights_begin_after_xavier_and_are_the_same_for_the_same_seed() -> None:
    spec = spec_for(load_game("snapszer"), units=128, layers=3, head=64)
    one, same, other = (tensors_of(DualHead(spec, seed)) for seed in (4, 4, 5))
    assert all((one[name] == same[name]).all() for name in one)
    assert any((one[name] != other[name]).any() for name in one)
    bound = math.sqrt(6 / (128 + 128))
    rows = one["body.1.weight"]
    assert abs(rows).max() <= bound
    assert rows.std() == pytest.approx(bound / math.sqrt(3), rel=0.02)


def test_weights_are_brought_back_within_their_bound() -> None:
    net = DualHead(spec_for(load_game("kuhn"), units=4, layers=1, head=0))
    with torch.no_grad():
        for weight in net.parameters():
            weight.fill_(9.0)
    clip_weights(net, 5.0)
    assert all((weight == 5.0).all() for weight in net.parameters())


def test_the_gain_loss_of_even_choices_is_the_mean_that_they_miss() -> None:
    # p = 1/2 each, wanted 3 and 1: ½ (ln ½ - 3) + ½ (ln ½ - 1) = -ln 2 - 2.
    logits, legal = torch.tensor([[1.0, 1.0, 9.0]]), torch.tensor([[True, True, False]])
    loss = gain_loss(logits, legal, torch.tensor([[3.0, 1.0, 5.0]]) * legal)
    assert loss.item() == pytest.approx(-math.log(2) - 2)


def test_the_gain_loss_is_least_at_the_softmax_of_what_is_wanted() -> None:
    legal = torch.tensor([[True, True, True, False]])
    wanted = torch.tensor([[1.0, -0.5, 0.25, 0.0]])
    logits = wanted.clone().requires_grad_()
    loss = gain_loss(logits, legal, wanted)
    loss.backward()  # type: ignore[no-untyped-call]
    assert loss.item() == pytest.approx(-float(torch.logsumexp(wanted[0, :3], 0)))
    assert logits.grad is not None
    assert torch.allclose(logits.grad, torch.zeros(1, 4), atol=1e-6)


def test_noise_in_what_is_wanted_leaves_the_gradient_of_the_gain_loss_as_it_is_on_average() -> None:
    legal = torch.tensor([[True, True]])
    gradients = []
    for lots in ([[2.0, 0.0]], [[8.0, -3.0], [-4.0, 3.0]]):  # with the same mean
        logits = torch.tensor([[0.3, 0.1]], requires_grad=True)
        losses = [gain_loss(logits, legal, torch.tensor([wanted])) for wanted in lots]
        torch.stack(losses).mean().backward()  # type: ignore[no-untyped-call]
        gradients.append(logits.grad)
    assert torch.allclose(*gradients)


def test_what_is_learned_beside_is_shortened_by_itself() -> None:
    # Gradients (0.6, 0) and, beside it, (0, 100): at most half of 1 is (0, 0.5), and both fit into
    # 1. Shortened together, 0.6 / 100 would be left of the first.
    net = torch.nn.Linear(2, 1, bias=False)
    learning = Learning(net, Steady(gradient_norm=1.0, l2=0.0))
    first, second = net.weight[0]
    learning.descend(0.6 * first, 100 * second, 0.5)
    assert net.weight.grad is not None
    assert net.weight.grad.tolist()[0] == pytest.approx([0.6, 0.5], abs=1e-5)


def test_a_gradient_is_no_longer_than_the_longest_there_may_be() -> None:
    net = torch.nn.Linear(2, 1, bias=False)
    learning = Learning(net, Steady(gradient_norm=0.5, l2=0.0))
    learning.descend(3 * net.weight[0, 0] + 4 * net.weight[0, 1])
    assert net.weight.grad is not None
    assert net.weight.grad.tolist()[0] == pytest.approx([0.3, 0.4], abs=1e-5)
