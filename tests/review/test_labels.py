"""What choices and deals are called: by the size of a cost in parts of the stake, if it is sure."""

from __future__ import annotations

import pytest

from overtrick.review.labels import accuracy_of, label_of, luck_of, outcome_of
from overtrick.review.told import OpenOpinion, Verdict

STAKE = 100.0


@pytest.mark.parametrize(
    ("cost", "label"),
    [(0.0, "best"), (4.9, "good"), (5.0, "inaccuracy"), (15.0, "mistake"), (40.0, "blunder")],
)
def test_a_sure_cost_is_called_by_its_part_of_the_stake(cost, label):
    assert label_of(cost, 0.0, STAKE) == label


def test_a_cost_below_two_standard_errors_is_held_against_nobody():
    assert label_of(60.0, 31.0, STAKE) == "good"
    assert label_of(60.0, 30.0, STAKE) == "blunder"


def opinion(cost: float, *, exact: bool = True) -> OpenOpinion:
    return OpenOpinion(exact=exact, best=["QS"], payoff=10.0, cost=cost)


def test_unlucky_is_right_by_what_was_known_and_wrong_as_the_cards_lay():
    assert luck_of("best", opinion(40.0), STAKE) == "unlucky"
    assert luck_of("best", opinion(39.0), STAKE) == ""
    assert luck_of("mistake", opinion(40.0), STAKE) == ""


def test_lucky_is_a_mistake_that_cost_nothing_as_the_cards_lay():
    assert luck_of("blunder", opinion(0.0), STAKE) == "lucky"
    assert luck_of("good", opinion(0.0), STAKE) == ""


def test_luck_is_told_only_of_what_was_solved():
    assert luck_of("best", opinion(90.0, exact=False), STAKE) == ""
    assert luck_of("best", None, STAKE) == ""


@pytest.mark.parametrize(
    ("payoff", "blamed", "luck", "outcome"),
    [
        (80.0, 0.0, 0.0, "well-played"),
        (0.0, 14.0, 0.0, "well-played"),
        (80.0, 15.0, 0.0, "won-despite-mistakes"),
        (-80.0, 0.0, -80.0, "unlucky"),
        (-80.0, 50.0, -30.0, "lost-by-mistakes"),
        (-80.0, 20.0, -60.0, "unlucky-with-mistakes"),
    ],
)
def test_how_a_seat_played_is_called_by_what_it_got_its_costs_and_its_luck(
    payoff, blamed, luck, outcome
):
    assert outcome_of(payoff, blamed, luck, STAKE) == outcome


def verdict(cost: float, span: float) -> Verdict:
    return Verdict(
        number=1,
        seat=0,
        phase="play",
        choice=0,
        text="2C",
        label="good",
        best=1,
        best_text="3C",
        value=0.0,
        cost=cost,
        span=span,
    )


def test_accuracy_is_what_was_kept_of_what_could_be_lost():
    assert accuracy_of([verdict(0.0, 60.0), verdict(20.0, 40.0)], STAKE) == 0.8


def test_choices_that_made_no_difference_do_not_count_for_accuracy():
    assert accuracy_of([verdict(4.0, 4.0), verdict(0.0, 50.0)], STAKE) == 1.0
    assert accuracy_of([verdict(4.0, 4.0)], STAKE) is None
