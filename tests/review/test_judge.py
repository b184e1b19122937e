"""The judge: paired costs, honest when it is close, and blind to what the view does not tell."""

from __future__ import annotations

import math

import numpy as np
import pytest

from overtrick.engine.deals import Deal
from overtrick.errors import BadBudget, IllegalChoice
from overtrick.review.judge import Judge, Weighing
from review.reviewed import FIVE, judge_of, played, positions


def weighing(rows: list[list[float]], counts: list[int] | None = None) -> Weighing:
    payoffs = np.array(rows)
    told = np.array(counts or [1] * len(rows))
    return Weighing(tuple(range(payoffs.shape[1])), payoffs, told)


# ---------------------------------------------------------------------------- by hand


def test_a_cost_is_the_mean_of_the_differences_world_by_world():
    # The first choice brings 4 2 3 3, the second 1 1 1 1: differences 3 1 2 2, of mean 2. Their
    # squares about it are 1 1 0 0, so the error is the root of (2 / 4) / 3.
    found = weighing([[4, 1], [2, 1], [3, 1], [3, 1]])
    assert found.best == 0
    assert found.cost(1).mean == 2.0
    assert found.cost(1).error == pytest.approx(math.sqrt(0.5 / 3))


def test_a_cost_is_known_better_than_what_either_choice_is_worth():
    # Both go up and down with the world, and the second is always one below.
    found = weighing([[9, 8], [-9, -10], [5, 4], [-5, -6]])
    assert (found.cost(1).mean, found.cost(1).error) == (1.0, 0.0)
    assert found.worth(0).error > 4.0


def test_a_world_that_counts_twice_counts_twice():
    # Payoffs 6 and 0, the first twice: (6 + 6 + 0) / 3 = 4; three worlds are worth 9 / 5 of them.
    found = weighing([[6, 0], [0, 0]], counts=[2, 1])
    assert found.worth(0).mean == 4.0
    assert found.worth(0).error == pytest.approx(math.sqrt(8.0 / 1.0))
    assert found.worlds == 3


def test_the_best_choice_is_not_held_up_in_the_worlds_that_chose_it():
    # Each of two choices is lucky in one world: all in all they are equal. In a world the choice
    # that is best in the other one brings nothing, so nothing is held against the second.
    found = weighing([[4, 0], [0, 4]])
    assert found.yardstick.tolist() == [0.0, 0.0]
    assert found.cost(1).mean == 0.0


def test_choices_that_only_chance_tells_apart_cost_nothing_on_average():
    rng = np.random.default_rng(3)
    naive, honest = [], []
    for _ in range(400):
        found = weighing(rng.normal(size=(40, 8)).tolist())
        naive.append(float(found.means.max() - found.means[0]))
        honest.append(float((found.yardstick - found.payoffs[:, 0]).mean()))
    assert np.mean(naive) > 0.2
    assert abs(np.mean(honest)) < 3 * np.std(honest) / math.sqrt(len(honest))


def test_the_worst_tenth_of_the_worlds_and_the_share_that_wins():
    found = weighing([[value] for value in [-30, -2, -1, 1, 2, 3, 4, 5, 6, 7]])
    assert found.low(0, 0.1) == -30.0
    assert found.low(0, 0.2) == -2.0
    assert found.share(0, above=0.0) == 0.7


# ---------------------------------------------------------------------------- views


@pytest.mark.parametrize("name", FIVE)
def test_all_choices_are_weighed_in_the_same_worlds(name):
    deal = Deal.from_seed(name, 2)
    found = judge_of(name).weigh(deal.view(deal.seat))
    assert found.payoffs.shape == (len(found.counts), len(deal.legal))


@pytest.mark.parametrize("name", FIVE)
def test_who_takes_the_trick_adds_up(name):
    deal = played(name, 1)
    lead = next(
        i for i, event in enumerate(deal.history) if event.phase == len(deal.game.phases) - 1
    )
    now = Deal.from_order(deal.match, deal.order)
    for event in deal.history[:lead]:
        now = now.play(event.choice)
    takers = judge_of(name).takers(now.view(now.seat), deal.history[lead].choice)
    assert sum(takers.values()) == pytest.approx(1.0)


def test_a_bid_goes_to_no_trick():
    deal = Deal.from_seed("coinche", 1)
    assert judge_of("coinche").takers(deal.view(deal.seat), deal.legal[0]) == {}


@pytest.mark.parametrize("one", positions(), ids=lambda one: f"{one.game}-{one.right}")
def test_what_is_exact_is_one_world_solved_to_its_end(one):
    view = (deal := Deal.from_text(one.deal)).view(deal.seat)
    found = judge_of(one.game).weigh(view)
    if found.exact:
        worlds = {world.hands for world in view.worlds(20, seed=1)}
        assert worlds == {deal.hands}
        assert found.worlds == 1
    assert found.exact == (view.count_worlds() == 1)


def test_a_judge_needs_a_world():
    with pytest.raises(BadBudget, match="1 world or more, not 0"):
        Judge("hokm", worlds=0)


def test_who_is_not_to_act_has_nothing_to_weigh():
    deal = Deal.from_text(positions()[0].deal)
    with pytest.raises(IllegalChoice, match=r"^hokm: East is not to act, and has no choice$"):
        judge_of("hokm").weigh(deal.view("East"))
