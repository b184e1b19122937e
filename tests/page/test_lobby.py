"""The way to the table and around it: lobby, settings, menu, what is told and what moves."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from overtrick.games import game_names, load_game
from page.sitting import Sitting, TableService, by_mouse

Somebody = Callable[..., Sitting]
GAMES = game_names()


def in_the_lobby(sitting: Sitting, service: TableService, path: str = "") -> Sitting:
    sitting.page.goto(f"{service.address}/#/{path}")
    sitting.page.wait_for_selector("main h1")
    return sitting


def test_from_the_lobby_to_the_first_card(service: TableService, somebody: Somebody) -> None:
    sitting = in_the_lobby(somebody(), service)
    for game in GAMES:
        expect(sitting.page.get_by_role("heading", name=load_game(game).title)).to_be_visible()
    sitting.page.get_by_role("link", name="Play Snapszer").click()
    dial = sitting.page.get_by_role("slider")
    expect(dial).to_have_attribute("aria-valuetext", re.compile(r"Elo \d+ ± \d+"))
    dial.press("Home")
    sitting.page.locator("[data-start]").click()
    sitting.wait()
    expect(sitting.table).to_have_attribute("data-game", "snapszer")
    before = sitting.number
    by_mouse(sitting)
    sitting.after(before)

    in_the_lobby(sitting, service)
    expect(sitting.page.get_by_role("heading", name="Continue")).to_be_visible()


def test_a_house_rule_reaches_the_table(service: TableService, somebody: Somebody) -> None:
    sitting = in_the_lobby(somebody(), service, "new/hokm")
    sitting.page.get_by_text("House rules").click()
    sitting.page.get_by_label("First hakem").select_option(label="first seat")
    sitting.page.locator("[data-start]").click()
    sitting.wait()
    hakem = sitting.page.get_by_text("Hakem").locator("..")
    expect(hakem.first).to_contain_text("You")
    expect(sitting.table).to_have_attribute("data-phase", "trump")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_rules_in_short(
    game: str, service: TableService, somebody: Somebody
) -> None:
    sitting = in_the_lobby(somebody(), service, f"rules/{game}")
    assert len(sitting.page.locator("main").inner_text().split()) > 150
    assert sitting.faults == []


def test_settings_are_kept_by_the_service(service: TableService, somebody: Somebody) -> None:
    sitting = in_the_lobby(somebody(), service, "settings")
    with sitting.settings_kept():
        sitting.page.get_by_label("Four colours").check()
    key = sitting.page.evaluate("localStorage.getItem('overtrick.person')")
    kept = service.client.ask("GET", "/api/settings", secret=key)
    assert kept.json["deck"] == "four-colour"
    sitting.page.reload()
    expect(sitting.page.get_by_label("Four colours")).to_be_checked()


def test_escape_opens_the_menu_and_gives_the_focus_back(
    service: TableService, somebody: Somebody
) -> None:
    sitting = somebody()
    sitting.sit_down(service.lay_table("hearts"))
    card = sitting.page.locator("[data-card][tabindex='0']")
    card.focus()
    sitting.page.keyboard.press("Escape")
    menu = sitting.page.get_by_role("dialog")
    expect(menu).to_be_visible()
    for name in ("New game", "Settings", "Return to the table"):
        expect(menu.get_by_text(name)).to_be_visible()
    sitting.page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(card).to_be_focused()


def test_each_play_is_told_to_those_who_listen(service: TableService, somebody: Somebody) -> None:
    sitting = somebody()
    sitting.sit_down(service.lay_table("hokm"))
    heard = sitting.page.evaluate_handle(
        """() => {
            const heard = [];
            const region = document.querySelector('[data-live]');
            new MutationObserver(() => heard.push(region.textContent)).observe(
                region, {childList: true, characterData: true, subtree: true});
            return heard;
        }"""
    )
    for _ in range(3):
        before = sitting.number
        by_mouse(sitting)
        sitting.after(before)
    sitting.page.wait_for_function("heard => heard.some(told => /plays/.test(told))", arg=heard)


def test_a_pause_holds_what_moves(service: TableService, somebody: Somebody) -> None:
    sitting = somebody(reduced_motion="no-preference")
    sitting.page.goto(service.lay_table("hokm"))
    sitting.page.wait_for_selector("[data-table]")
    sitting.wait()
    before = sitting.number
    by_mouse(sitting)
    sitting.page.keyboard.press("p")
    sitting.page.wait_for_timeout(300)
    held = sitting.number
    sitting.page.wait_for_timeout(1500)
    assert sitting.number == held
    sitting.page.keyboard.press("p")
    sitting.after(before)
    assert sitting.number > held


def test_forced_cards_are_played_by_themselves(service: TableService, somebody: Somebody) -> None:
    sitting = in_the_lobby(somebody(), service, "settings")
    with sitting.settings_kept():
        sitting.page.get_by_label("Play forced cards").check()
    sitting.sit_down(service.lay_table("hearts"))
    by_themselves = 0
    while not sitting.is_over:
        before = sitting.number
        if sitting.gathers() or sitting.choices().count() > 1:
            by_mouse(sitting)
        else:
            by_themselves += 1
        sitting.after(before)
    assert by_themselves > 0


@pytest.mark.parametrize(
    "path", ["table/0123456789abcdef/nonsense", "deal/bm9uc2Vuc2U", "new/chess"]
)
def test_a_link_that_leads_nowhere_says_so(
    path: str, service: TableService, somebody: Somebody
) -> None:
    sitting = in_the_lobby(somebody(), service, path)
    expect(sitting.page.locator("main")).to_contain_text(re.compile("no |not ", re.IGNORECASE))
    sitting.page.get_by_role("link", name="Overtrick").click()
    expect(sitting.page.get_by_role("heading", name="Take a seat")).to_be_visible()
