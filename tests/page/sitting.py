"""A real service, a real Chromium, and somebody who sits down in it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, Playwright, Response

from overtrick.games import load_game
from table.at_work import ME, PERSON, LaidTable, started

PATIENCE = 60_000  # milliseconds: the machine may be busy
AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

Choose = Callable[["Sitting"], None]


def chromium_path() -> str:
    """The Chromium of this machine, as `scripts/install-chromium` looks for it."""
    for name in (os.environ.get("OVERTRICK_CHROMIUM"), "chromium", "chromium-browser"):
        found = shutil.which(name) if name else None
        if found:
            return found
    return shutil.which("google-chrome") or "chromium"


def open_browser(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])


class TableService:
    """`overtrick play` as its own process, which can be killed and started again."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = 0
        self._running = ExitStack()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        running = self._running.enter_context(started(self.data, "--port", str(self.port)))
        self.port, self.client = running.service.port, running.service

    def kill(self) -> None:
        """As a crash would: no chance to put anything in order."""
        self._running.close()

    def lay_table(self, game: str, *, seat: int = 0, **settings: Any) -> str:
        """A table with one person and the simple rulebook in the other places; its address."""
        players = ["rulebook:simple"] * load_game(game).seats
        players[seat] = PERSON
        table = self.client.table(game, players, **{"seed": 7} | settings)
        return self.address_of(table, seat)

    def finished_table(self, game: str, *, person: str = ME, seed: int = 7) -> LaidTable:
        """A table that a person has laid, its first deal played with the first choices there are.

        The person sits in place 0, against the simple rulebook.
        """
        players = [PERSON, *["rulebook:simple"] * (load_game(game).seats - 1)]
        self.client.wait_for(game)
        asked = {"game": game, "players": players, "seed": seed}
        table = LaidTable(self.client, self.client.ask("POST", "/api/tables", asked, person).json)
        with table.page() as page:
            page.hear()
            while page.frame["result"] is None:
                page.act(page.frame["choices"][0]["choice"])
                page.hear()
        return table

    def address_of(self, table: LaidTable, place: int) -> str:
        """Where a person sits down."""
        return f"{self.address}/#/table/{table.id}/{table.tokens[place]}"


class Sitting:
    """A person at a table: looks at the page as people do, and plays on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._note)
        page.set_default_timeout(PATIENCE)

    def settings_kept(self, **told: Any) -> AbstractContextManager[Any]:
        """Goes on once the service has kept settings, these among them."""

        def is_kept(response: Response) -> bool:
            asked = response.request
            if asked.method != "PUT" or not asked.url.endswith("/api/settings"):
                return False
            return told.items() <= (asked.post_data_json or {}).items()

        return self.page.expect_response(is_kept)

    def _note(self, message: Any) -> None:
        if message.type in ("error", "warning") and "ERR_CONNECTION" not in message.text:
            self.faults.append(message.text)

    @property
    def table(self) -> Locator:
        return self.page.locator("[data-table]")

    @property
    def number(self) -> int:
        """How many choices of the deal are on show."""
        return int(self.table.get_attribute("data-number") or 0)

    @property
    def is_over(self) -> bool:
        return self.table.get_attribute("data-over") == "true"

    def sit_down(self, address: str) -> None:
        self.page.goto(address)
        self.wait()

    def wait(self) -> None:
        """Until the person is to choose, or the deal is over, and nothing moves any more."""
        ready = (
            "[data-table][data-busy=false]:is([data-over=true], "
            ":has([data-choice]:not([aria-disabled=true])))"
        )
        self.page.wait_for_selector(ready, state="attached", timeout=PATIENCE)

    def choices(self) -> Locator:
        return self.page.locator("[data-choice]:not([aria-disabled=true])")

    def after(self, number: int) -> None:
        """Until more has happened than what was on show."""
        self.page.wait_for_function(
            "seen => Number(document.querySelector('[data-table]')?.dataset.number) > seen",
            arg=number,
        )
        self.wait()

    def gathers(self) -> bool:
        """Whether cards are put into a tray and given together."""
        return self.page.locator("[data-confirm]").count() > 0

    def violations(self) -> list[tuple[str, list[str]]]:
        """What axe finds wrong, with where it is; the page must let scripts in."""
        self.page.add_script_tag(path=AXE)
        found = self.page.evaluate("axe.run()")["violations"]
        return [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]

    def play_deal(self, choose: Choose) -> None:
        """Choose until the deal is over."""
        while not self.is_over:
            before = self.number
            choose(self)
            self.after(before)
        assert self.faults == []


# ---------------------------------------------------------------------------- ways to choose

EDGE = {"x": 18, "y": 20}  # the part of a card that its neighbour in the fan leaves free


def _by_pointing(sitting: Sitting, point: Callable[..., None]) -> None:
    """Point at the first thing that may be chosen; fill the tray where there is one."""
    if not sitting.gathers():
        point(sitting.choices().first, position=EDGE)
        return
    confirm = sitting.page.locator("[data-confirm]")
    cards = sitting.page.locator("[data-card][data-choice]:not([aria-pressed=true])")
    while not confirm.is_enabled():
        point(cards.first, position=EDGE)
    point(confirm)


def by_mouse(sitting: Sitting) -> None:
    """Click."""
    _by_pointing(sitting, Locator.click)


def by_touch(sitting: Sitting) -> None:
    """Tap with a finger."""
    _by_pointing(sitting, Locator.tap)


def by_keyboard(sitting: Sitting) -> None:
    """Tab to what may be chosen, arrows along the hand, Enter; the tray is filled by Space."""
    if not sitting.gathers():
        _walk_to(sitting, "[data-choice]:not([aria-disabled=true])")
        sitting.page.keyboard.press("Enter")
        return
    confirm = sitting.page.locator("[data-confirm]")
    while not confirm.is_enabled():
        _walk_to(sitting, "[data-card][data-choice]:not([aria-pressed=true])")
        sitting.page.keyboard.press("Space")
    _walk_to(sitting, "[data-confirm]")
    sitting.page.keyboard.press("Enter")


def _walk_to(sitting: Sitting, wanted: str) -> None:
    """Move the focus by Tab, and by arrows within the hand, until it is on something wanted."""
    for _ in range(80):
        if _focus_is_on(sitting, wanted):
            return
        aim = f"{wanted}:not([tabindex='-1'])"
        in_hand = _focus_is_on(sitting, "[data-card]")
        reachable = sitting.page.locator(aim).count() > 0
        sitting.page.keyboard.press("ArrowRight" if in_hand and not reachable else "Tab")
    raise AssertionError(f"the keyboard does not reach {wanted}")


def _focus_is_on(sitting: Sitting, wanted: str) -> bool:
    script = "wanted => document.activeElement?.matches(wanted) ?? false"
    return bool(sitting.page.evaluate(script, wanted))
