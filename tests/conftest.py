"""What tests of any game share: the games, and with `overtrick.testing` random positions of them.

Every game is in the suite by its name alone: a folder added under `games/` is picked up here, and
the template game in `games/thirds.py` is registered as a package outside would register its own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from games import thirds
from overtrick.engine.dealing import deal_orders
from overtrick.games import add_game, game_names, load_game
from overtrick.games.game import Game
from overtrick.testing.positions import *  # noqa: F403  positions of any game, for all tests
from overtrick.testing.positions import SMALL_DECK, Positions, play_history
from referees import hearts

os.environ["OVERTRICK_DATA"] = os.path.join(gettempdir(), f"overtrick-tests-{os.getpid()}")
"""Empty: the models of whoever runs the tests are not at the table here."""

add_game(thirds.GAME)

settings.register_profile("short", deadline=None, derandomize=True, max_examples=40)
settings.register_profile("long", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("OVERTRICK_EXAMPLES", "short"))


def all_games() -> list[str]:
    """The names of all games: those for card players, test games and the template game."""
    return game_names(hidden=True)


def small_games() -> list[str]:
    """The names of the games whose deals can be listed."""
    return [name for name in all_games() if len(load_game(name).deck) <= SMALL_DECK]


def mostly_long(games: Iterable[str], *quick: str) -> list[Any]:
    """Games to test with: some of them in every run of the tests, the others in the long ones."""
    long = pytest.mark.long
    return [pytest.param(game, marks=[] if game in quick else [long]) for game in games]


@pytest.fixture(params=all_games())
def game(request: pytest.FixtureRequest) -> Game:
    """Every game in turn."""
    return load_game(request.param)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One Chromium for all that a worker tests with it: Playwright cannot be begun twice."""
    from playwright.sync_api import sync_playwright

    from page.sitting import open_browser

    with sync_playwright() as playwright:
        chromium = open_browser(playwright)
        yield chromium
        chromium.close()


@pytest.fixture(params=small_games())
def small_game(request: pytest.FixtureRequest) -> Game:
    """Every game in turn whose deals can be listed."""
    return load_game(request.param)


# ---------------------------------------------------------------------------- the referee's deals


def position_of(referee: hearts.HeartsReferee) -> Positions:
    """The referee's deal in the engine, dealt and played there."""
    game = load_game("hearts")
    variant = game.variant.from_values(referee.options)
    matches = game.blank_matches(1, variant)
    matches["deals"] = referee.deal_index
    order = hearts.order_of(referee.dealt, referee.dealer)
    states = game.blank_states(1, variant)
    deal_orders(states, matches, np.array([[hearts.DECK.index(card) for card in order]]))
    choices = [hearts.DECK.index(card) for _, card in referee.history]
    play_history(states, np.array([choices], dtype=np.int64), np.array([len(choices)]))
    return Positions(game, variant, matches, states)


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page of the docs that are in this language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
