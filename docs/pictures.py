"""Takes the pictures of the table in `docs/pictures/` anew: `make pictures`.

A service and a headless Chromium of their own; the deals are fixed by seeds, so that pictures
change only when the table does. `python docs/pictures.py hearts review` takes only these.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, sync_playwright

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
HELPED = {  # with help: (game, seat, seed, own choices made before, key that asks, until when)
    "hint": ("hearts", 3, 8, 5, "h", "[data-hint]:not([data-hint=''])"),
    "analysis": ("hearts", 3, 8, 5, "a", "[data-analysis][data-over=true]"),
    "analysis-bids": ("coinche", 2, 6, 0, "a", "[data-analysis][data-over=true]"),
    "analysis-phone": ("hearts", 3, 8, 0, "a", "[data-analysis][data-over=true]"),
}
REVIEWED = ("hearts", 11)
COUNTED = "somebody whose deals are counted"
PLAYED = {"snapszer": range(1, 13), "hokm": range(1, 9)}  # seeds of the deals that are counted


def main(names: Sequence[str]) -> None:
    """These pictures, or all: on a desktop and, of each game, one on a phone."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        service, browser = TableService(Path(folder)), open_browser(playwright)
        service.start()
        try:
            for name, take_it in pictures(browser, service).items():
                if not names or name in names:
                    take_it()
        finally:
            browser.close()
            service.kill()


def pictures(browser: Browser, service: TableService) -> dict[str, Callable[[], None]]:
    """How each picture is taken."""
    found: dict[str, Callable[[], None]] = {"lobby": partial(take_lobby, browser, service)}
    for game, moments in MOMENTS.items():
        first = moments[0]
        for name, seat, seed, choices in [*moments, (f"{first[0]}-phone", *first[1:])]:
            found[name] = partial(
                take, browser, service, game, name, seat=seat, seed=seed, choices=choices
            )
    for name in HELPED:
        found[name] = partial(take_help, browser, service, name)
    for name in ("review", "review-phone"):
        found[name] = partial(take_review, browser, service, name)
    found["statistics"] = partial(take_statistics, browser, service)
    return found


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
    sitting = seated(browser, service, game, name, seat=seat, seed=seed, choices=choices)
    save(sitting, name)
    sitting.page.context.close()


def take_help(browser: Browser, service: TableService, name: str) -> None:
    """A hint, or the analysis once it is done."""
    game, seat, seed, choices, key, until = HELPED[name]
    sitting = seated(browser, service, game, name, seat=seat, seed=seed, choices=choices)
    sitting.page.keyboard.press(key)
    sitting.page.wait_for_selector(until)
    save(sitting, name)
    sitting.page.context.close()


def take_review(browser: Browser, service: TableService, name: str) -> None:
    """The review of a deal, at its costliest choice."""
    game, seed = REVIEWED
    table = service.finished_table(game, seed=seed)
    sitting = Sitting(context_for(browser, name).new_page())
    sitting.page.goto(f"{service.address}/#/review/{table.id}/0/{table.tokens[0]}")
    sitting.page.wait_for_selector("[data-review]")
    sitting.page.wait_for_load_state("networkidle")
    save(sitting, name, whole=True)
    sitting.page.context.close()


def take_statistics(browser: Browser, service: TableService) -> None:
    """What somebody has played, some of it reviewed."""
    for game, seeds in PLAYED.items():
        tables = [service.finished_table(game, person=COUNTED, seed=seed) for seed in seeds]
        for table in tables[-3:]:
            table.ask("GET", "/deals/0/review")
    context = context_for(browser, "statistics")
    context.add_init_script(f"localStorage.setItem('overtrick.person', '{COUNTED}')")
    sitting = Sitting(context.new_page())
    sitting.page.goto(f"{service.address}/#/statistics")
    sitting.page.wait_for_selector("[data-deal-row]")
    save(sitting, "statistics")
    context.close()


def context_for(browser: Browser, name: str) -> BrowserContext:
    """A desktop, or a phone, for a picture of this name."""
    size = PHONE if name.endswith("-phone") else DESKTOP
    return browser.new_context(viewport=size, reduced_motion="reduce", device_scale_factor=1)


def seated(
    browser: Browser,
    service: TableService,
    game: str,
    name: str,
    *,
    seat: int,
    seed: int,
    choices: int,
) -> Sitting:
    """Somebody at a table after so many choices of his own."""
    sitting = Sitting(context_for(browser, name).new_page())
    variant = VARIANTS.get(name, {})
    sitting.sit_down(service.lay_table(game, seat=seat, seed=seed, variant=variant))
    for _ in range(choices):
        before = sitting.number
        play_card(sitting)
        sitting.after(before)
    sitting.page.mouse.move(2, 2)
    sitting.page.wait_for_load_state("networkidle")
    return sitting


def play_card(sitting: Sitting) -> None:
    """A card where one may be played, else whatever comes first."""
    cards = sitting.page.locator("[data-card][data-choice]")
    if sitting.gathers() or not cards.count():
        by_mouse(sitting)
    else:
        cards.first.click(position=EDGE)


def save(sitting: Sitting, name: str, *, whole: bool = False) -> None:
    """A picture under its name, of what is in sight or of the whole page."""
    path = PICTURES / f"{name}.jpg"
    sitting.page.screenshot(path=path, type="jpeg", quality=82, full_page=whole)
    print(path.name, f"{path.stat().st_size / 1024:.0f} KB")


if __name__ == "__main__":
    main(sys.argv[1:])
