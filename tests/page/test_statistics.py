"""What a person has played: counted, filtered, exported, deleted, and kept here only."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from conftest import mostly_long
from overtrick.records import read_records
from page.conftest import PHONE
from page.sitting import Sitting, TableService, by_mouse

Somebody = Callable[..., Sitting]


def after_a_deal(service: TableService, somebody: Somebody, **settings: Any) -> Sitting:
    """Somebody new who has played a deal of Snapszer."""
    person = secrets.token_hex(24)
    service.finished_table("snapszer", person=person)
    kept = [{"name": "overtrick.person", "value": person}]
    origin = {"origin": service.address, "localStorage": kept}
    return somebody(storage_state={"cookies": [], "origins": [origin]}, **settings)


def in_statistics(sitting: Sitting, service: TableService) -> Locator:
    sitting.page.goto(f"{service.address}/#/statistics")
    page = sitting.page.locator("[data-statistics]:not([data-statistics=''])")
    page.wait_for()
    return page


def test_a_played_deal_is_counted_and_leads_to_its_review(
    service: TableService, somebody: Somebody
) -> None:
    sitting = after_a_deal(service, somebody)
    in_statistics(sitting, service)
    expect(sitting.page.locator("main")).to_contain_text("kept on this machine only")
    expect(sitting.page.locator("[data-figures=snapszer]")).to_have_attribute("data-deals", "1")
    row = sitting.page.locator("[data-deal-row]")
    expect(row).to_contain_text("not reviewed")
    row.locator("[data-open-review]").click()
    sitting.page.wait_for_selector("[data-review]")
    in_statistics(sitting, service)
    expect(row).to_contain_text("%")
    assert sitting.faults == []


def test_filters_leave_what_fits(service: TableService, somebody: Somebody) -> None:
    sitting = after_a_deal(service, somebody)
    page = in_statistics(sitting, service)
    for name, other, own in (("Game", "hearts", "snapszer"), ("Help", "true", "false")):
        asked = sitting.page.get_by_role("combobox", name=name)
        asked.select_option(other)
        expect(page).to_have_attribute("data-statistics", "0")
        asked.select_option(own)
        expect(page).to_have_attribute("data-statistics", "1")
    sitting.page.get_by_label("To", exact=True).fill("2020-01-01")
    expect(page).to_have_attribute("data-statistics", "0")
    sitting.page.get_by_role("button", name="All deals").click()
    sitting.page.get_by_label("From", exact=True).fill("2020-01-01")
    expect(page).to_have_attribute("data-statistics", "1")


def test_an_assisted_deal_is_listed_but_does_not_count(
    service: TableService, somebody: Somebody
) -> None:
    sitting = somebody()
    sitting.page.goto(f"{service.address}/#/new/snapszer")
    sitting.page.get_by_role("slider").press("Home")
    sitting.page.locator("[data-start]").click()
    sitting.wait()
    sitting.page.keyboard.press("h")
    sitting.page.wait_for_selector("[data-hint]:not([data-hint=''])")
    sitting.play_deal(by_mouse)
    in_statistics(sitting, service)
    expect(sitting.page.locator("[data-figures=snapszer]")).to_have_attribute("data-deals", "0")
    expect(sitting.page.locator("[data-deal-row]")).to_contain_text("assisted")


def test_deals_are_exported_and_then_everything_is_deleted(
    service: TableService, somebody: Somebody, tmp_path: Path
) -> None:
    sitting = after_a_deal(service, somebody)
    page = in_statistics(sitting, service)
    kept = {form: exported(sitting, form, tmp_path) for form in ("jsonl", "csv")}
    (record,) = read_records(kept["jsonl"])
    assert record.game == "snapszer"
    assert len(kept["csv"].read_text().splitlines()) == 2

    sitting.page.locator("[data-forget-all]").click()
    sitting.page.get_by_role("button", name="Keep").click()
    expect(page).to_have_attribute("data-statistics", "1")
    sitting.page.locator("[data-forget-all]").click()
    sitting.page.locator("[data-yes]").click()
    expect(page).to_have_attribute("data-statistics", "0")


def exported(sitting: Sitting, form: str, folder: Path) -> Path:
    with sitting.page.expect_download() as download:
        sitting.page.locator(f"[data-export={form}]").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_a_table_is_deleted_from_the_list_of_tables(
    service: TableService, somebody: Somebody
) -> None:
    sitting = after_a_deal(service, somebody)
    sitting.page.goto(f"{service.address}/#/history")
    expect(sitting.page.locator("[data-open-review]")).to_be_visible()
    sitting.page.locator("[data-forget]").click()
    sitting.page.locator("[data-yes]").click()
    expect(sitting.page.locator("[data-forget]")).to_have_count(0)
    expect(in_statistics(sitting, service)).to_have_attribute("data-statistics", "0")


@pytest.mark.parametrize("scheme", mostly_long(["light", "dark"], "dark"))
def test_axe_finds_nothing_in_the_statistics(
    scheme: str, service: TableService, somebody: Somebody
) -> None:
    sitting = after_a_deal(service, somebody, bypass_csp=True, color_scheme=scheme)
    in_statistics(sitting, service)
    assert sitting.violations() == []
    sitting.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert sitting.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
