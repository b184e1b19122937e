"""Help at the table: a hint by one key, and the live analysis that deepens under the cards."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import JSHandle, Locator, expect

from page.conftest import PHONE
from page.sitting import Sitting, TableService, by_mouse, by_touch

Somebody = Callable[..., Sitting]
SIMS = "Simulations in each world, as a number"
DEEP, SHALLOW = "[data-analysis][data-over=false]", "[data-analysis][data-over=true]"


def with_settings(sitting: Sitting, service: TableService, **amounts: str) -> Sitting:
    """Somebody who likes the analysis, with so many simulations and worlds."""
    page = sitting.page
    page.goto(f"{service.address}/#/settings")
    for label, amount in amounts.items():
        page.get_by_label({"sims": SIMS, "worlds": "Worlds, as a number"}[label]).fill(amount)
    with sitting.settings_kept():
        page.get_by_label("Live analysis of your choices").check()
    return sitting


def bars(sitting: Sitting) -> Locator:
    return sitting.page.locator("[data-bar]")


def choices_of(found: Locator, name: str) -> list[str]:
    return sorted(one.get_attribute(name) or "" for one in found.all())


def analysed(sitting: Sitting) -> None:
    """Until all simulations of this position are done."""
    sitting.page.wait_for_selector(SHALLOW)


def test_a_hint_is_one_key_away_and_goes_when_somebody_acts(
    service: TableService, somebody: Somebody
) -> None:
    sitting = somebody()
    sitting.sit_down(service.lay_table("hokm"))
    expect(sitting.page.locator("[data-assisted]")).to_have_count(0)
    sitting.page.keyboard.press("h")
    panel = sitting.page.locator("[data-hint]:not([data-hint=''])")
    panel.wait_for()
    expect(panel).to_contain_text("points on average")
    marked = sitting.page.locator(".hinted[data-choice]")
    expect(marked).to_have_attribute("data-choice", panel.get_attribute("data-hint") or "")
    assert "hint" in (marked.get_attribute("aria-label") or "")
    expect(sitting.page.locator("[data-live]")).to_contain_text("Hint.")
    expect(sitting.page.locator("[data-assisted]")).to_be_visible()
    before = sitting.number
    by_mouse(sitting)
    expect(panel).to_have_count(0)
    sitting.after(before)
    assert sitting.faults == []


def test_hints_can_be_switched_off(service: TableService, somebody: Somebody) -> None:
    sitting = somebody()
    sitting.page.goto(f"{service.address}/#/settings")
    with sitting.settings_kept():
        sitting.page.get_by_label("Hints can be asked for").uncheck()
    sitting.sit_down(service.lay_table("hokm"))
    expect(sitting.page.locator("[data-toggle-analysis]")).to_be_visible()
    expect(sitting.page.locator("[data-ask-hint]")).to_have_count(0)
    sitting.page.keyboard.press("h")
    expect(sitting.page.locator("[data-live]")).to_contain_text("switched off")
    expect(sitting.page.locator("[data-assisted]")).to_have_count(0)


def test_nobody_is_helped_against_other_people(service: TableService, somebody: Somebody) -> None:
    players = ["person", "rulebook:simple", "person", "rulebook:simple"]
    table = service.client.table("hokm", players, seed=5)
    sitting = somebody()
    sitting.page.goto(service.address_of(table, 0))
    sitting.page.wait_for_selector("[data-table]")
    expect(sitting.page.locator("[data-toggle-analysis], [data-ask-hint]")).to_have_count(0)
    sitting.page.keyboard.press("a")
    expect(sitting.page.locator("[data-live]")).to_contain_text("only where all others")


def watched(sitting: Sitting) -> JSHandle:
    """What the analysis shows from now on: each depth with its shares."""
    return sitting.page.evaluate_handle(
        """() => {
            const seen = [];
            const look = () => {
                const done = Number(document.querySelector('[data-analysis]')?.dataset.done);
                const shares = [...document.querySelectorAll('[data-bar]')]
                    .map(bar => bar.dataset.share).join(' ');
                if (done > 0 && done !== seen.at(-1)?.done) seen.push({done, shares});
            };
            new MutationObserver(look).observe(
                document.body, {attributes: true, childList: true, subtree: true});
            return seen;
        }"""
    )


def test_the_bars_deepen_before_ones_eyes(service: TableService, somebody: Somebody) -> None:
    sitting = with_settings(somebody(), service, sims="400", worlds="30")
    sitting.page.goto(service.lay_table("hearts", seat=3, seed=8))
    seen = watched(sitting)
    sitting.page.wait_for_function("seen => seen.length >= 3", arg=seen)
    told = seen.json_value()
    depths = [one["done"] for one in told]
    assert depths == sorted(depths)
    assert told[0]["shares"] != told[-1]["shares"]
    legal = sitting.page.locator("[data-card][data-choice]")
    assert choices_of(bars(sitting), "data-bar") == choices_of(legal, "data-choice")
    expect(sitting.page.locator("[data-best]")).to_have_count(1)
    expect(sitting.page.locator("[data-analysis]")).to_have_attribute("data-worlds", "30")


def test_bars_follow_the_position_and_leave_what_may_not_be_played(
    service: TableService, somebody: Somebody
) -> None:
    sitting = with_settings(somebody(), service, sims="10", worlds="2")
    sitting.sit_down(service.lay_table("hokm"))
    for _ in range(2):
        analysed(sitting)
        legal = sitting.page.locator("[data-card][data-choice]")
        assert choices_of(bars(sitting), "data-bar") == choices_of(legal, "data-choice")
        before = sitting.number
        by_mouse(sitting)
        sitting.after(before)
    sitting.page.keyboard.press("a")
    expect(bars(sitting)).to_have_count(0)
    assert sitting.faults == []


def test_the_analysis_is_kept_over_a_reload_and_the_next_deal(
    service: TableService, somebody: Somebody
) -> None:
    sitting = somebody()
    sitting.sit_down(service.lay_table("snapszer"))
    sitting.page.locator("[data-toggle-analysis]").click()
    badge = sitting.page.locator("[data-analysis]")
    badge.click()
    with sitting.settings_kept(analysis_sims=12):
        sitting.page.get_by_label(SIMS).fill("12")
    sitting.page.locator("[data-panel] header button").click()
    sitting.page.reload()
    sitting.wait()
    expect(badge).to_have_attribute("data-of", "12")
    sitting.play_deal(by_mouse)
    expect(badge).to_have_count(0)
    sitting.page.locator("[data-next]").click()
    expect(sitting.table).to_have_attribute("data-deal", "1")
    sitting.wait()
    expect(badge).to_have_attribute("data-of", "12")


def test_bids_have_their_bars_too(service: TableService, somebody: Somebody) -> None:
    sitting = with_settings(somebody(), service, sims="20", worlds="4")
    sitting.sit_down(service.lay_table("coinche", seat=2, seed=6))
    analysed(sitting)
    buttons = sitting.page.locator(".co-calls button[data-choice]")
    assert choices_of(bars(sitting), "data-bar") == choices_of(buttons, "data-choice")
    shares = sitting.page.locator("[data-row-share]").all()
    in_rows = sum(float(one.get_attribute("data-row-share") or 0) for one in shares)
    spoken = sitting.page.locator(".co-pass [data-bar], .co-double [data-bar]").all()
    beside = sum(float(one.get_attribute("data-share") or 0) for one in spoken)
    assert in_rows + beside == pytest.approx(1, abs=0.01)


def test_thirteen_bars_fit_on_a_phone(service: TableService, somebody: Somebody) -> None:
    sitting = somebody(viewport=PHONE, has_touch=True, is_mobile=True)
    with_settings(sitting, service, sims="10", worlds="2")
    sitting.sit_down(service.lay_table("hearts", seat=3, seed=8))
    analysed(sitting)
    expect(bars(sitting)).to_have_count(13)
    edges = sitting.page.evaluate(
        """() => [...document.querySelectorAll('[data-bar]')].map(bar => {
            const {left, right, bottom} = bar.getBoundingClientRect();
            return [left, right, bottom];
        })"""
    )
    assert all(a[1] <= b[0] + 1 for a, b in pairwise(edges))
    assert edges[0][0] >= 0
    assert edges[-1][1] <= PHONE["width"]
    assert max(edge[2] for edge in edges) <= PHONE["height"]
    sitting.page.locator("[data-analysis]").tap()
    expect(sitting.page.locator("[data-weighed]")).to_have_count(13)
    sitting.page.locator("[data-panel] header button").tap()
    before = sitting.number
    by_touch(sitting)
    sitting.after(before)
    assert sitting.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize(("game", "scheme"), [("hearts", "light"), ("coinche", "dark")])
def test_axe_finds_nothing_in_hint_and_bars(
    game: str, scheme: str, service: TableService, somebody: Somebody
) -> None:
    sitting = somebody(bypass_csp=True, color_scheme=scheme)
    with_settings(sitting, service, sims="10", worlds="2")
    sitting.sit_down(service.lay_table(game, seat=2, seed=6))
    analysed(sitting)
    sitting.page.keyboard.press("h")
    sitting.page.wait_for_selector("[data-hint]:not([data-hint=''])")
    sitting.page.locator("[data-analysis]").click()
    assert sitting.violations() == []
