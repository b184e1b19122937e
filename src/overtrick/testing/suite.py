"""The whole suite for the tests of one game in a package of its own.

A test module imports everything from here and tells which game is meant:

    from overtrick.testing.suite import *

    @pytest.fixture
    def game():
        return load_game("mygame")

A game with choices that the others do not see, or with cards face up that nobody has played, also
has a fixture `secrets`, which gives `Secrets(phases=…, shown=…)`.
"""

from __future__ import annotations

import pytest

from overtrick.games.game import Game
from overtrick.testing.contract import *
from overtrick.testing.peeking import *
from overtrick.testing.peeking import Alike, Secrets, alike_in
from overtrick.testing.positions import SMALL_DECK
from overtrick.testing.telling import *
from overtrick.testing.worlds import *


@pytest.fixture
def small_game(game: Game) -> Game:
    """The game, where its deals are few enough to be listed."""
    if len(game.deck) > SMALL_DECK:
        pytest.skip(f"a deck of more than {SMALL_DECK} cards has too many deals to list")
    return game


@pytest.fixture
def secrets() -> Secrets:
    """Nothing is secret but hands and talon."""
    return Secrets()


@pytest.fixture
def alikes(game: Game, secrets: Secrets) -> list[Alike]:
    """Deals that look alike to a seat."""
    return alike_in(game, secrets)
