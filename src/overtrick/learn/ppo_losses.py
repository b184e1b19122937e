"""The losses of PPO, each a pure function that can be checked on paper.

    L = - mean min(ρ A, clip(ρ, 1 - ε, 1 + ε) A) - h H(p) + k KL(p ‖ m)

ρ is how much likelier the policy p makes the choice than the one that made it, A its advantage, H
the entropy of p, and m a policy that p shall not leave far behind. All are over legal choices.
"""

from __future__ import annotations

import torch
from torch import Tensor

from overtrick.learn.nets import masked_log_softmax

__all__ = ["chosen_logs", "clipped_loss", "clipped_share", "entropy_of", "leaving", "legal_logs"]


def legal_logs(logits: Tensor, legal: Tensor) -> Tensor:
    """Logarithms of the probabilities of legal choices, [n, actions]; 0 for the others."""
    return masked_log_softmax(logits, legal).masked_fill(~legal, 0.0)


def chosen_logs(logs: Tensor, chosen: Tensor) -> Tensor:
    """Those of the choices that were made, [n]."""
    return logs.gather(1, chosen[:, None])[:, 0]


def clipped_loss(ratios: Tensor, advantages: Tensor, clip: float) -> Tensor:
    """What the policy gains by its choices, less; no more is gained beyond a ratio of 1 ± clip."""
    bounded = ratios.clamp(1.0 - clip, 1.0 + clip)
    return -torch.minimum(ratios * advantages, bounded * advantages).mean()


def clipped_share(ratios: Tensor, clip: float) -> Tensor:
    """The share of choices whose ratio is beyond."""
    return ((ratios - 1.0).abs() > clip).float().mean()


def entropy_of(logs: Tensor, legal: Tensor) -> Tensor:
    """The mean entropy of policies, in nats."""
    return -(logs.exp() * legal * logs).sum(dim=1).mean()


def leaving(logs: Tensor, others: Tensor, legal: Tensor) -> Tensor:
    """KL(p ‖ m): how far policies p have gone from m, a mean; logarithms [n, actions] of both."""
    return (logs.exp() * legal * (logs - others)).sum(dim=1).mean()
