"""Deals played in a real browser, by mouse, by touch, by keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conftest import mostly_long
from overtrick.games import game_names
from page.conftest import PHONE
from page.sitting import Sitting, TableService, by_keyboard, by_mouse, by_touch

Somebody = Callable[..., Sitting]
GAMES = game_names()


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_deal_is_played_by_mouse(
    game: str, service: TableService, somebody: Somebody
) -> None:
    sitting = somebody()
    sitting.sit_down(service.lay_table(game))
    sitting.play_deal(by_mouse)
    assert sitting.is_over


@pytest.mark.parametrize("game", mostly_long(GAMES, "hearts"))
def test_a_whole_deal_is_played_on_a_phone(
    game: str, service: TableService, somebody: Somebody
) -> None:
    sitting = somebody(viewport=PHONE, has_touch=True, is_mobile=True)
    sitting.sit_down(service.lay_table(game))
    sitting.play_deal(by_touch)
    width = sitting.page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]


@pytest.mark.parametrize("game", mostly_long(GAMES, "coinche"))
def test_a_whole_deal_is_played_by_keyboard_alone(
    game: str, service: TableService, somebody: Somebody
) -> None:
    sitting = somebody()
    sitting.sit_down(service.lay_table(game))
    sitting.play_deal(by_keyboard)
