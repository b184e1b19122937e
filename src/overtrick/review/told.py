"""What a review tells, as the page gets it and as `overtrick review --json` prints it.

Payoffs, costs and errors are in the points of the game, to the seat that is spoken of. Choices
are numbered from 1; moment n is the deal after n choices. Everything but `OpenOpinion` follows
from what the seat knew at that moment.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from overtrick.phrases import PhraseTold

__all__ = [
    "BLAMED",
    "LABELS",
    "DealReview",
    "Hint",
    "JudgedChoice",
    "Label",
    "Luck",
    "Moment",
    "OpenOpinion",
    "Outcome",
    "SeatReview",
    "Timeline",
    "TrickComment",
    "Verdict",
]

Label = Literal["forced", "best", "good", "inaccuracy", "mistake", "blunder"]
BLAMED: tuple[Label, ...] = ("inaccuracy", "mistake", "blunder")
LABELS: tuple[Label, ...] = ("forced", "best", "good", *BLAMED)
"""From nothing to choose to the worst; `good` is another choice whose cost is small or unsure."""
Luck = Literal["", "unlucky", "lucky"]
"""Unlucky: right by what was known, and yet the cards made another choice better by a lot.
Lucky: wrong by what was known, and yet it cost nothing as the cards lay."""
Outcome = Literal[
    "well-played",  # won or even, without costly choices
    "won-despite-mistakes",
    "unlucky",  # lost, without costly choices
    "lost-by-mistakes",  # the choices cost more than bad luck did
    "unlucky-with-mistakes",  # lost by bad luck more than by the choices
]


class Part(BaseModel):
    """Something that a review tells."""

    model_config = ConfigDict(frozen=True)


class JudgedChoice(Part):
    """One legal choice as the analysis weighs it."""

    choice: int
    text: str
    card: str | None = None
    payoff: float  # expected
    error: float  # standard error of the payoff
    cost: float  # against the best choice, in the same worlds
    cost_error: float  # standard error of the cost
    takes: float | None = None  # share of the worlds in which the side takes this trick


class Hint(Part):
    """What to choose and why: the first of the choices is the best."""

    choice: int
    text: str
    card: str | None = None
    payoff: float
    error: float
    choices: list[JudgedChoice]
    """From best to worst."""
    worlds: int
    exact: bool  # the seat knows all cards, and the rest was solved to its end
    phrases: list[PhraseTold]
    """The reason: what it expects to win, what it risks, what the next best would cost."""


class OpenOpinion(Part):
    """What a choice looks like with all cards open: a second opinion, and no verdict."""

    exact: bool  # solved to the end; else searched
    best: list[str]  # the choices that pay most
    payoff: float  # of these
    cost: float  # of the choice that was made


class Verdict(Part):
    """A choice that was made, and what the analysis makes of it."""

    number: int
    seat: int
    phase: str
    choice: int
    text: str
    card: str | None = None
    label: Label
    luck: Luck = ""
    best: int  # the choice itself if none is better
    best_text: str
    value: float  # expected with the best choice
    cost: float = 0.0
    error: float = 0.0  # standard error of the cost
    span: float = 0.0  # between the best and the worst choice
    choices: list[JudgedChoice] = []
    """From best to worst; none if there was nothing to choose."""
    worlds: int = 0
    exact: bool = False  # as in a hint
    open: OpenOpinion | None = None
    phrases: list[PhraseTold] = []
    """What is to be said of it, in words."""


class Moment(Part):
    """What a seat might expect after so many choices, by what it knew then."""

    number: int
    value: float
    error: float


class Timeline(Part):
    """What a seat might expect, moment by moment; the last one is what it got."""

    seat: int
    moments: list[Moment]


class TrickComment(Part):
    """A trick, or a round of an auction or of other choices, in words."""

    first: int  # number of its first choice
    last: int
    winner: int | None  # None if it was no trick
    phrases: list[PhraseTold]


class SeatReview(Part):
    """How a seat played: what it got is what it expected, less its costs, plus its luck."""

    seat: int
    payoff: float
    expected: float | None  # before the first choice; None without a timeline
    luck: float | None
    cost: float  # of all its choices
    cost_error: float
    accuracy: float | None
    """1: always the best choice, 0: always the worst; None: no choice made a difference."""
    decisions: int  # choices that were not forced
    labels: dict[Label, int]
    outcome: Outcome
    phrases: list[PhraseTold]


class DealReview(Part):
    """The review of a finished deal."""

    format: Literal["overtrick-review"] = "overtrick-review"
    version: Literal[1] = 1
    game: str
    deal: str  # in one line, as `Deal.text` writes it
    judge: str  # who weighed the choices, and how
    seats: list[SeatReview]
    """One for each seat."""
    verdicts: list[Verdict]
    """One for each choice."""
    timelines: list[Timeline]
    """Of the seats that were asked for."""
    tricks: list[TrickComment]
    costliest: list[int]
    """Numbers of the choices that cost something, the costliest first."""
