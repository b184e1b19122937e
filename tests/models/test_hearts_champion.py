"""The shipped champion of Hearts beats the strong rulebook, and lets fewer moons pass."""

from __future__ import annotations

from overtrick.arena.behaviour import measure_behaviour
from overtrick.arena.tournament import Contest, play_table
from overtrick.games import load_game

GAME = load_game("hearts")
CHAMPION, BOOK = "cfr:hearts/champion", "rulebook:strong"


def test_it_wins_points_of_the_strong_rulebook() -> None:
    points = play_table(Contest.of(GAME, [CHAMPION, BOOK], seed=5), 400).results()[0].payoff
    assert points.mean - points.ci95 > 0


def test_fewer_deals_end_in_a_moon_among_champions_than_among_rulebooks() -> None:
    def moons(player: str) -> float:
        told = measure_behaviour(GAME, [player, player], 150, seed=3)
        names = [metric.name for metric in told.metrics]
        return float(told.rows[names.index("moon rate")][0].mean)

    assert moons(CHAMPION) < moons(BOOK)
