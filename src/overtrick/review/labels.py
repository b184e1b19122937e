"""What to call a choice, and the way in which a seat played a deal.

A cost is called by its size in parts of the *stake* of a deal (see games/<game>/showing.py), and
only if it is sure: a cost below two of its standard errors is held against nobody.
"""

from __future__ import annotations

from collections.abc import Iterable

from overtrick.review.told import Label, Luck, OpenOpinion, Outcome, Verdict

__all__ = ["GRAVE", "SMALL", "SURE", "WRONG", "accuracy_of", "label_of", "luck_of", "outcome_of"]

SMALL, WRONG, GRAVE = 0.05, 0.15, 0.4
"""What a choice costs, in parts of the stake of a deal, to be called an inaccuracy, a mistake, a
blunder."""
SURE = 2.0  # standard errors that a cost must have to be held against anybody


def label_of(cost: float, error: float, stake: float) -> Label:
    """What to call a choice that costs so much; what is small or unsure is not held against it."""
    if cost <= 0.0:
        return "best"
    if cost < SMALL * stake or cost < SURE * error:
        return "good"
    if cost < WRONG * stake:
        return "inaccuracy"
    return "mistake" if cost < GRAVE * stake else "blunder"


def luck_of(label: Label, opinion: OpenOpinion | None, stake: float) -> Luck:
    """Whether the hidden cards made a right choice bad by a lot, or a mistake harmless.

    Only what is exact is told: a search with open cards is too rough to speak of luck.
    """
    if opinion is None or not opinion.exact:
        return ""
    if label in ("best", "good") and opinion.cost >= GRAVE * stake:
        return "unlucky"
    return "lucky" if label in ("mistake", "blunder") and opinion.cost < SMALL * stake else ""


def accuracy_of(chosen: Iterable[Verdict], stake: float) -> float | None:
    """1 for always the best choice, 0 for always the worst, where a choice made a difference."""
    mattered = [one for one in chosen if one.span >= SMALL * stake]
    if not mattered:
        return None
    return 1.0 - sum(one.cost for one in mattered) / sum(one.span for one in mattered)


def outcome_of(payoff: float, blamed: float, luck: float, stake: float) -> Outcome:
    """What to call the way in which a seat played; `blamed` is the cost held against it."""
    costly = blamed >= WRONG * stake
    if payoff >= 0.0:
        return "won-despite-mistakes" if costly else "well-played"
    if not costly:
        return "unlucky"
    return "lost-by-mistakes" if blamed >= -luck else "unlucky-with-mistakes"
