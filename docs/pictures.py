"""Takes the pictures of the table in `docs/pictures/` anew: `make pictures`.

A service and a headless Chromium of their own; the deals are fixed by seeds, so that pictures
change only when the table does.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from page.conftest import DESKTOP, PHONE  # noqa: E402
from page.sitting import EDGE, Sitting, TableService, by_mouse, open_browser  # noqa: E402

PICTURES = HERE / "pictures"
MOMENTS = {  # what is shown of each game: (name, seat, seed, own choices made before)
    "hokm": [("hokm", 0, 3, 5), ("hokm-trump", 0, 7, 0)],
    "sheephead": [("sheephead", 2, 5, 4), ("sheephead-pick", 2, 9, 0)],
    "snapszer": [("snapszer", 0, 7, 3)],
    "coinche": [("coinche", 2, 6, 4), ("coinche-auction", 2, 6, 0)],
    "hearts": [("hearts", 3, 8, 5), ("hearts-pass", 3, 8, 0)],
}
VARIANTS = {"hokm-trump": {"first_hakem": "0"}}


def main() -> None:
    """All pictures, on a desktop and, of each game, one on a phone."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        service, browser = TableService(Path(folder)), open_browser(playwright)
        service.start()
        try:
            take_lobby(browser, service)
            for game, moments in MOMENTS.items():
                for name, seat, seed, choices in moments:
                    take(browser, service, game, name, seat=seat, seed=seed, choices=choices)
                name, seat, seed, choices = moments[0]
                name = f"{name}-phone"
                take(browser, service, game, name, seat=seat, seed=seed, choices=choices)
        finally:
            browser.close()
            service.kill()


def take_lobby(browser: Browser, service: TableService) -> None:
    """The lobby with its five games."""
    page = browser.new_context(viewport=DESKTOP, reduced_motion="reduce").new_page()
    page.goto(service.address)
    page.wait_for_selector("main a, main button")
    page.wait_for_load_state("networkidle")
    save(Sitting(page), "lobby")


def take(
    browser: Browser,
    service: TableService,
    game: str,
    name: str,
    *,
    seat: int,
    seed: int,
    choices: int,
) -> None:
    """One game after so many choices of the person."""
    size = PHONE if name.endswith("-phone") else DESKTOP
    context = browser.new_context(viewport=size, reduced_motion="reduce", device_scale_factor=1)
    sitting = Sitting(context.new_page())
    variant = VARIANTS.get(name, {})
    sitting.sit_down(service.lay_table(game, seat=seat, seed=seed, variant=variant))
    for _ in range(choices):
        before = sitting.number
        play_card(sitting)
        sitting.after(before)
    sitting.page.mouse.move(2, 2)
    sitting.page.wait_for_load_state("networkidle")
    save(sitting, name)
    context.close()


def play_card(sitting: Sitting) -> None:
    """A card where one may be played, else whatever comes first."""
    cards = sitting.page.locator("[data-card][data-choice]")
    if sitting.gathers() or not cards.count():
        by_mouse(sitting)
    else:
        cards.first.click(position=EDGE)


def save(sitting: Sitting, name: str) -> None:
    """A picture under its name."""
    path = PICTURES / f"{name}.jpg"
    sitting.page.screenshot(path=path, type="jpeg", quality=82)
    print(path.name, f"{path.stat().st_size / 1024:.0f} KB")


if __name__ == "__main__":
    main()
