"""The shipped belief player of Sheephead beats the strong rulebook."""

from __future__ import annotations

import pytest

from overtrick.arena.tournament import Contest, play_table
from overtrick.games import load_game

GAME = load_game("sheephead")
BELIEVER, BOOK = "belief:sheephead/believer", "rulebook:strong"


def test_its_actor_alone_wins_of_the_strong_rulebook() -> None:
    players = [f"{BELIEVER},belief=none", BOOK]
    cents = play_table(Contest.of(GAME, players, seed=5), 1500).results()[0].payoff
    assert cents.mean - cents.ci95 > 0


@pytest.mark.long
def test_so_does_what_it_finds_in_its_worlds() -> None:
    cents = play_table(Contest.of(GAME, [BELIEVER, BOOK], seed=5), 1500).results()[0].payoff
    assert cents.mean - cents.ci95 > 0
