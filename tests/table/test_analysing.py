"""The live analysis by itself: its bars on paper, and its steps."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest

from overtrick.engine.deals import Deal, View
from overtrick.games import game_names, load_game
from overtrick.search.thinking import MOST_CHOICES
from overtrick.table.analysing import Analysis, bars, worth
from overtrick.table.wire import Analyse
from overtrick.table.wire import Analysis as AnalysisTold

Values = dict[str, Any]


def analysed(view: View, sims: int = 20, worlds: int = 3) -> list[str]:
    """All messages of an analysis."""
    told: list[str] = []
    asked = Analyse(kind="analyse", on=True, sims=sims, worlds=worlds)
    analysis = Analysis(view, {"deal": 0, "number": len(view.history)}, asked, told.append)
    while analysis.step():
        pass
    return told


def opening(name: str, seed: int = 1) -> View:
    deal = Deal.from_seed(name, seed)
    while len(deal.legal) == 1:
        deal = deal.play(deal.legal[0])
    assert deal.seat is not None
    return deal.view(deal.seat)


def test_every_world_counts_the_same_however_often_a_choice_was_tried_there() -> None:
    # Means of 2 and 6 in two worlds: 4, with an error of sqrt(8 / 2) = 2.
    mean, error = worth(np.array([10.0, 1.0]), np.array([20.0, 6.0]))
    assert (mean, error) == (4.0, pytest.approx(2.0))


def test_a_choice_tried_in_one_world_has_no_error_and_an_untried_one_no_payoff() -> None:
    visits = np.array([[2.0, 0.0], [0.0, 0.0]])
    mean, error = worth(visits, np.array([[6.0, 0.0], [0.0, 0.0]]))
    assert mean[0] == 3.0
    assert np.isnan([mean[1], *error]).all()


def made_up_bars() -> list[Values]:
    visits, payoffs = np.zeros((2, MOST_CHOICES)), np.zeros((2, MOST_CHOICES))
    visits[:, [4, 7, 9]] = [[6, 3, 1], [6, 3, 1]]
    payoffs[:, [4, 7, 9]] = [[6, 9, -1], [12, 12, -1]]  # means of 1.5, 3.5 and -1
    return bars([{"choice": choice} for choice in (4, 7, 9, 12)], visits, payoffs)


def test_bars_are_shares_of_the_visits() -> None:
    told = made_up_bars()
    assert [bar["probability"] for bar in told] == [0.6, 0.3, 0.1, 0.0]
    assert [bar["visits"] for bar in told] == [12, 6, 2, 0]
    assert [bar["payoff"] for bar in told] == [1.5, 3.5, -1.0, None]


def test_shades_go_from_the_worst_payoff_to_the_best_which_alone_is_marked() -> None:
    told = made_up_bars()
    assert [bar["shade"] for bar in told] == [pytest.approx(2.5 / 4.5), 1.0, 0.0, 0.0]
    assert [bar["best"] for bar in told] == [False, True, False, False]


def test_equal_payoffs_are_all_as_good_and_one_is_marked() -> None:
    visits = np.ones((2, MOST_CHOICES))
    told = bars([{"choice": 1}, {"choice": 2}], visits, visits * 3)
    assert [bar["shade"] for bar in told] == [1.0, 1.0]
    assert [bar["best"] for bar in told] == [True, False]


@pytest.mark.parametrize("name", game_names())
def test_an_analysis_deepens_until_all_simulations_are_done(name: str) -> None:
    view = opening(name)
    told = [AnalysisTold.model_validate_json(one, strict=True) for one in analysed(view, sims=40)]
    assert [one.over for one in told] == [False] * (len(told) - 1) + [True]
    assert [one.done for one in told] == sorted({one.done for one in told})
    last = told[-1]
    assert (last.done, last.of, last.worlds) == (40, 40, 3)
    assert [bar.choice for bar in last.bars] == [*view.legal]
    assert sum(bar.visits for bar in last.bars) == 40 * 3
    assert sum(bar.best for bar in last.bars) == 1
    assert last.value is not None


@pytest.mark.parametrize("name", game_names())
def test_the_value_lies_between_the_worst_and_the_best_simulation(name: str) -> None:
    game = load_game(name)
    last = json.loads(analysed(opening(name), sims=30)[-1])
    assert abs(last["value"]) <= game.payoff_scale / game.payoff_unit


@pytest.mark.parametrize("name", game_names())
def test_deals_that_look_the_same_are_analysed_the_same(name: str) -> None:
    view = opening(name, seed=3)
    last = analysed(view)[-1]
    for world in view.worlds(2, seed=5):
        assert analysed(world.view(view.viewer))[-1] == last


def test_a_cancelled_analysis_takes_no_step_and_tells_nothing() -> None:
    told: list[str] = []
    asked = Analyse(kind="analyse", on=True, sims=500, worlds=5)
    analysis = Analysis(opening("hearts"), {"deal": 0, "number": 0}, asked, told.append)
    assert analysis.step()
    assert analysis.step()
    analysis.cancel()
    before = [*told]
    assert not analysis.step()
    assert told == before


def test_a_slice_grows_at_most_twofold_so_that_it_stays_short() -> None:
    asked = Analyse(kind="analyse", on=True, sims=2_000, worlds=2)
    analysis = Analysis(opening("hokm"), {"deal": 0, "number": 0}, asked, lambda told: None)
    spent = []
    while analysis.step():
        assert analysis._search is not None
        spent.append(analysis._search.spent)
    sizes = np.diff(spent)
    assert spent[0] == 1
    assert all(after <= 2 * before for before, after in itertools.pairwise([1, *sizes]))


def test_the_trees_go_with_the_last_step() -> None:
    for is_cancelled in (True, False):
        asked = Analyse(kind="analyse", on=True, sims=10, worlds=2)
        analysis = Analysis(opening("hokm"), {"deal": 0, "number": 0}, asked, lambda told: None)
        analysis.step()
        if is_cancelled:
            analysis.cancel()
        while analysis.step():
            pass
        assert analysis._search is None
