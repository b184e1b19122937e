"""One service and one browser for all tests of the page that a worker runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from page.sitting import Sitting, TableService

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableService]:
    running = TableService(tmp_path_factory.mktemp("data"))
    running.start()
    yield running
    running.kill()


@pytest.fixture
def own_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableService]:
    """A service that a test may kill."""
    running = TableService(tmp_path_factory.mktemp("own"))
    running.start()
    yield running
    running.kill()


@pytest.fixture
def somebody(browser: Browser) -> Iterator[Callable[..., Sitting]]:
    """Opens a page for a new person; nothing moves on it unless asked for."""
    contexts = []

    def open_page(**settings: Any) -> Sitting:
        usual = {"viewport": DESKTOP, "reduced_motion": "reduce", "bypass_csp": False}
        contexts.append(browser.new_context(**usual | settings))
        return Sitting(contexts[-1].new_page())

    yield open_page
    for context in contexts:
        context.close()
