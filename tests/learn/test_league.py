"""The league: who is in it, who leaves, and whom the learner meets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from overtrick.games import load_game
from overtrick.learn.league import League, Member
from overtrick.learn.measuring import part_of, shares_won
from overtrick.learn.workers import LocalWorkers
from overtrick.players import make_player


def member(iteration: int) -> Member:
    return Member(iteration, {"weights": np.full(2, iteration, dtype=np.float32)})


def a_league(*iterations: int, size: int = 3, players: tuple[str, ...] = ()) -> League:
    league = League(size, players)
    for iteration in iterations:
        league.admit(member(iteration))
    return league


def test_the_oldest_copy_leaves_when_there_is_no_room() -> None:
    assert a_league(0, 5, 10, 15).names == ["copy 5", "copy 10", "copy 15"]


def test_where_there_is_no_room_nobody_comes_in() -> None:
    assert a_league(0, 5, size=0, players=("random",)).names == ["random"]


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


@pytest.mark.parametrize(
    ("game", "winners"), [("hearts", "most"), ("sheephead", "few"), ("snapszer", "half")]
)
def test_equals_have_one_half_of_what_both_win_however_many_win_a_deal(
    game: str, winners: str
) -> None:
    chosen, workers = load_game(game), LocalWorkers(1)
    book = make_player("rulebook:strong", chosen)
    told: Any = {"deals": 600, "seed": 1, "workers": workers}
    both = shares_won(chosen, (book, book), **told)
    won = both[0]
    assert winners == ("half" if won == 0.5 else "most" if won > 0.5 else "few")
    assert part_of(both) == pytest.approx(0.5)
    workers.close()


def test_between_two_sides_the_part_that_is_won_is_the_share_of_the_deals() -> None:
    game, workers = load_game("snapszer"), LocalWorkers(1)
    pair = make_player("rulebook:strong", game), make_player("random", game)
    told: Any = {"deals": 100, "seed": 1, "workers": workers}
    won = shares_won(game, pair, **told)
    assert part_of(won) == pytest.approx(won[0])
    workers.close()
