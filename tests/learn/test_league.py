"""The league: who is in it, who leaves, and whom the learner meets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from overtrick.learn.league import League, Member


def member(iteration: int) -> Member:
    return Member(iteration, {"weights": np.full(2, iteration, dtype=np.float32)})


def a_league(*iterations: int, size: int = 3, players: tuple[str, ...] = ()) -> League:
    league = League(size, players)
    for iteration in iterations:
        league.admit(member(iteration))
    return league


def test_the_oldest_copy_leaves_when_there_is_no_room() -> None:
    assert a_league(0, 5, 10, 15).names == ["copy 5", "copy 10", "copy 15"]


def test_players_by_name_never_leave() -> None:
    assert a_league(0, 5, size=1, players=("rulebook:strong",)).names == [
        "copy 5",
        "rulebook:strong",
    ]


def test_members_are_met_evenly_as_long_as_hardness_does_not_count() -> None:
    league = a_league(0, 5)
    league.standing("copy 0").add(90, 100)
    assert league.odds(hardness=0.0).tolist() == [0.5, 0.5]


def test_a_member_that_is_harder_to_beat_is_met_oftener() -> None:
    league = a_league(0, 5)
    league.standing("copy 0").add(98, 98)  # 99 of 100, with the one that is always counted
    league.standing("copy 5").add(48, 98)  # 49 of 100
    easy, hard = league.odds(hardness=1.0)
    assert hard / easy == pytest.approx(51)
    assert league.odds(hardness=2.0)[1] > hard


def test_older_results_count_less() -> None:
    league = a_league(0)
    league.standing("copy 0").add(100, 100)
    league.standing("copy 0").add(0, 100)
    assert league.standing("copy 0").share == pytest.approx(71 / 172)


def test_the_same_chance_draws_the_same_members() -> None:
    league = a_league(0, 5, 10)
    drawn = [league.draw(20, np.random.default_rng(3), hardness=0.0) for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert set(drawn[0]) == {0, 1, 2}


def test_copies_are_met_as_nets_and_players_by_name() -> None:
    league = a_league(0, players=("random",))
    packed: Any = {"copy 0": ("a net",)}
    assert league.opponent(0, packed) == ("a net",)
    assert league.opponent(1, packed) == "random"


def test_a_league_goes_on_where_another_stood() -> None:
    league = a_league(0, 5, 10, 15)
    league.standing("copy 10").add(30, 50)
    other = League(3)
    other.restore(league.state(), [copy.tensors for copy in league.copies])
    assert other.names == league.names
    assert other.standing("copy 10").share == league.standing("copy 10").share
    assert (other.copies[0].tensors["weights"] == 5).all()
