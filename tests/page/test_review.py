"""A finished deal looked at again: stepped through, with open hands, and tried once more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from conftest import mostly_long
from page.conftest import PHONE
from page.sitting import Sitting, TableService, by_mouse

Somebody = Callable[..., Sitting]
GAME = "snapszer"


@pytest.fixture(scope="module")
def address(service: TableService) -> str:
    """Where the review of a played deal is."""
    table = service.finished_table(GAME)
    return f"{service.address}/#/review/{table.id}/0/{table.tokens[0]}"


def in_review(address: str, somebody: Somebody, **settings: Any) -> tuple[Sitting, Locator]:
    sitting = somebody(**settings)
    sitting.page.goto(address)
    return sitting, review_of(sitting)


def review_of(sitting: Sitting) -> Locator:
    review = sitting.page.locator("[data-review]")
    review.wait_for()
    return review


def moment(review: Locator) -> int:
    return int(review.get_attribute("data-moment") or -1)


def last(review: Locator) -> int:
    return int(review.get_attribute("data-last") or -1)


def step(sitting: Sitting, review: Locator, key: str, to: int) -> None:
    sitting.page.keyboard.press(key)
    expect(review).to_have_attribute("data-moment", str(to))


def test_a_review_is_stepped_through_by_keys(address: str, somebody: Somebody) -> None:
    sitting, review = in_review(address, somebody)
    end = last(review)
    step(sitting, review, "Home", 0)
    step(sitting, review, "ArrowRight", 1)
    expect(sitting.page.locator("[data-verdict-panel] [data-verdict]")).to_be_visible()
    expect(sitting.page.locator("[data-live]")).to_contain_text("You: ")
    step(sitting, review, "ArrowRight", 2)
    step(sitting, review, "ArrowLeft", 1)
    step(sitting, review, "End", end)
    slider = sitting.page.locator("[data-timeline]")
    expect(slider).to_have_attribute("aria-valuenow", str(end))
    expect(sitting.page.locator("[data-outcome]")).to_be_visible()
    sitting.page.keyboard.press("Escape")
    expect(sitting.table).to_have_attribute("data-over", "true")
    assert sitting.faults == []


def test_the_timeline_is_clicked(address: str, somebody: Somebody) -> None:
    sitting, review = in_review(address, somebody)
    slider = sitting.page.locator("[data-timeline]")
    box = slider.bounding_box()
    assert box is not None
    slider.click(position={"x": box["width"] - 1, "y": 5})
    expect(review).to_have_attribute("data-moment", str(last(review)))
    slider.click(position={"x": 1, "y": 5})
    expect(review).to_have_attribute("data-moment", "0")


def cards_in(found: Locator, name: str) -> list[str]:
    return [card for one in found.all() for card in (one.get_attribute(name) or "").split()]


def test_hands_are_hidden_until_they_are_opened(address: str, somebody: Somebody) -> None:
    sitting, review = in_review(address, somebody)
    step(sitting, review, "Home", 0)
    others = sitting.page.locator("[data-hand]")
    expect(others).to_have_count(0)
    sitting.page.keyboard.press("o")
    expect(review).to_have_attribute("data-hands", "open")
    mine = cards_in(sitting.page.locator("[data-held]"), "data-held")
    theirs = cards_in(others, "data-hand")
    assert len(mine) == len(theirs) == 5
    assert not set(mine) & set(theirs)
    sitting.page.locator("[data-toggle-hands]").click()
    expect(others).to_have_count(0)


def test_the_costliest_choice_is_first_and_a_click_away(address: str, somebody: Somebody) -> None:
    sitting, review = in_review(address, somebody)
    rows = sitting.page.locator("[data-costliest] > ol [data-jump]")
    told = [row.locator(".costly-cost").inner_text() for row in rows.all()]
    costs = [float(text.split(" ")[0].lstrip("−")) for text in told]
    assert costs
    assert costs == sorted(costs, reverse=True)
    first = rows.first.get_attribute("data-jump") or ""
    expect(review).to_have_attribute("data-moment", first)
    step(sitting, review, "Home", 0)
    rows.first.click()
    expect(review).to_have_attribute("data-moment", first)
    panel = sitting.page.locator("[data-verdict-panel]")
    expect(panel.locator("[data-preferred]")).to_be_visible()
    assert panel.locator("[data-weighed]").count() > 1
    expect(panel.locator("[data-opinion]")).to_contain_text("no verdict")


def test_a_retry_leads_to_a_table_at_that_moment(address: str, somebody: Somebody) -> None:
    sitting, review = in_review(address, somebody)
    reviewed = review.get_attribute("data-review")
    retry = sitting.page.locator("[data-retry]")
    number = retry.get_attribute("data-retry") or ""
    retry.click()
    expect(sitting.table).to_have_attribute("data-number", number)
    assert sitting.table.get_attribute("data-table") != reviewed
    expect(sitting.page.locator("[data-assisted]")).to_contain_text("retry")
    sitting.wait()
    before = sitting.number
    by_mouse(sitting)
    sitting.after(before)
    assert sitting.faults == []


def test_result_and_sheet_lead_to_the_review(service: TableService, somebody: Somebody) -> None:
    sitting = somebody()
    sitting.sit_down(service.address_of(service.finished_table(GAME), 0))
    sitting.page.locator("[data-result] [data-open-review]").click()
    review_of(sitting)
    sitting.page.go_back()
    sitting.page.locator("[data-next]").click()
    expect(sitting.table).to_have_attribute("data-deal", "1")
    sitting.page.keyboard.press("s")
    sitting.page.get_by_role("link", name="Review deal 1").click()
    expect(sitting.page.get_by_role("heading", level=1)).to_contain_text("review of deal 1")
    review_of(sitting)


def test_a_deal_that_goes_on_is_not_reviewed(service: TableService, somebody: Somebody) -> None:
    sitting = somebody()
    sitting.sit_down(service.lay_table(GAME))
    sitting.page.goto(sitting.page.url.replace("#/table/", "#/review/") + "/0")
    expect(sitting.page.get_by_role("alert")).to_contain_text("not over")


def test_a_review_on_a_phone(address: str, somebody: Somebody) -> None:
    sitting, review = in_review(address, somebody, viewport=PHONE, has_touch=True, is_mobile=True)
    sitting.page.locator("[data-step=first]").tap()
    expect(review).to_have_attribute("data-moment", "0")
    for number in (1, 2, 3):
        sitting.page.locator("[data-step=forward]").tap()
        expect(review).to_have_attribute("data-moment", str(number))
    sitting.page.locator("[data-toggle-hands]").tap()
    expect(sitting.page.locator("[data-hand]")).to_be_visible()
    assert sitting.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("scheme", mostly_long(["light", "dark"], "dark"))
def test_axe_finds_nothing_in_a_review(scheme: str, address: str, somebody: Somebody) -> None:
    sitting, _ = in_review(address, somebody, bypass_csp=True, color_scheme=scheme)
    sitting.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    sitting.page.keyboard.press("o")
    assert sitting.violations() == []
