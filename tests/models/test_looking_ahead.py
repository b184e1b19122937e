"""Nets that look ahead: each choice tried in drawn worlds, where all play on as the net would."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from conftest import legals_of
from models.small_models import card_of, saved
from nets.some_nets import some_deals, some_tensors, their_views, with_a_choice
from overtrick.errors import BadOption, OvertrickError
from overtrick.games import load_game
from overtrick.jit import streams
from overtrick.models import Model, save_model
from overtrick.nets.spec import spec_for
from overtrick.players import make_player
from overtrick.players.guiding import sharpness_of
from overtrick.search.guided import FIRST_WORLDS, SHARPNESS
from overtrick.testing.peeking import (
    check_that_like_views_give_like_choices,
    check_that_the_batch_changes_nothing,
)

HEARTS = load_game("hearts")


def of_regrets(**config: float) -> Model:
    """A model of Deep CFR with random weights, which tells regrets over the heat."""
    spec = spec_for(HEARTS, units=16, layers=2, head=0, output="choices")
    card = card_of(game="hearts", name="regrets", method="deepcfr", config=config)
    return save_model(card, {"main": (spec, some_tensors(spec, 3))}, replace=True)


@pytest.fixture(autouse=True)
def _models(home: Path) -> None:
    for name, method in (("small", "ppo"), ("plain", "distill"), ("led", "alphazero")):
        saved(game="hearts", name=name, method=method, seed=2)
    of_regrets(heat=0.05)


@pytest.mark.parametrize("player", ["cfr:hearts/regrets", "ppo:hearts/small", "net:hearts/plain"])
def test_a_net_of_any_kind_may_look_ahead_and_its_name_rebuilds_it(player: str) -> None:
    seated = make_player(f"{player},worlds=3", HEARTS)
    assert seated.name == f"{player},worlds=3,endgame=0,prior=300,belief=none"
    assert make_player(seated.name, HEARTS).name == seated.name
    timed = make_player(f"{player},ms=5,prior=0,belief=rulebook", HEARTS)
    assert timed.name.endswith(",ms=5,endgame=0,prior=0,belief=rulebook:strong@1")
    check_that_like_views_give_like_choices(HEARTS, seated.name)
    check_that_the_batch_changes_nothing(HEARTS, seated.name)


def test_looking_ahead_is_a_search_that_tries_each_choice_once_in_each_world_to_the_end() -> None:
    views = their_views(with_a_choice(some_deals(HEARTS, 60)))
    chances = streams(len(views), 1, "choices")
    ahead = make_player("ppo:hearts/small,worlds=5,prior=4", HEARTS)
    tree = make_player("alphazero:hearts/led,sims=1,worlds=5,ahead=1000,prior=4", HEARTS)
    found = ahead.choose(views.copy(), chances.copy())
    assert np.array_equal(found, tree.choose(views.copy(), chances.copy()))
    alone = make_player("ppo:hearts/small", HEARTS).choose(views.copy(), chances.copy())
    assert not np.array_equal(found, alone)
    assert np.all(legals_of(views) >> found & 1)


def test_what_a_net_of_regrets_tells_counts_in_the_unit_of_its_numbers() -> None:
    """With no worlds but many of its own, it is the net that decides, as it does by itself."""
    assert sharpness_of(of_regrets(heat=0.05)) == 0.05
    assert sharpness_of(of_regrets(heat=0.0)) == 1.0
    assert sharpness_of(saved(game="hearts", name="other", method="ppo")) == SHARPNESS
    views = their_views(with_a_choice(some_deals(HEARTS, 60)))
    chances = streams(len(views), 1, "choices")
    sure = make_player("cfr:hearts/regrets,worlds=1,prior=10000", HEARTS)
    alone = make_player("cfr:hearts/regrets,play=best", HEARTS)
    assert np.array_equal(
        sure.choose(views.copy(), chances.copy()), alone.choose(views.copy(), chances.copy())
    )


def test_a_choice_that_net_and_worlds_find_worse_together_is_tried_no_more() -> None:
    """A net that is believed like 10,000 worlds is contradicted by none of the first ones."""
    view = their_views(with_a_choice(some_deals(HEARTS, 60)))[:1]
    *_, sure = make_player("cfr:hearts/regrets,worlds=400,prior=10000", HEARTS).advise(
        view, streams(1, 1, "advice")[0]
    )
    *_, alone = make_player("cfr:hearts/regrets,worlds=400,prior=0", HEARTS).advise(
        view, streams(1, 1, "advice")[0]
    )
    assert sum(one.visits or 0 for one in sure.choices) == FIRST_WORLDS * len(sure.choices)
    assert max(one.visits or 0 for one in alone.choices) > FIRST_WORLDS


def test_its_advice_tells_what_every_choice_would_pay() -> None:
    view = their_views(with_a_choice(some_deals(HEARTS, 60)))[:1]
    player = make_player("cfr:hearts/regrets,worlds=20", HEARTS)
    *_, advice = player.advise(view, streams(1, 1, "advice")[0])
    assert advice.player == player.name
    assert "played on by its net" in advice.reason
    assert all(one.payoff is not None and one.error is not None for one in advice.choices)
    chosen = int(player.choose(view, streams(1, 1, "advice"))[0])
    assert max(advice.choices, key=lambda one: one.probability).choice == chosen


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cfr:hearts/regrets,worlds=0", "worlds is 1 to"),
        ("cfr:hearts/regrets,worlds=4,play=mixed", "not 'play'"),
        ("ppo:hearts/small,worlds=4,temperature=50", "not 'temperature'"),
        ("ppo:hearts/small,prior=4", "prior goes with worlds=40 or ms=50"),
        ("cfr:hearts/regrets,threads=2", "threads goes with worlds=40 or ms=50"),
    ],
)
def test_what_does_not_go_together_is_refused(name: str, expected: str) -> None:
    with pytest.raises(OvertrickError, match=expected) as told:
        make_player(name, HEARTS)
    assert isinstance(told.value, BadOption)
