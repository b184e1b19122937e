"""What else people do at a table: take back, reload, share, come back after a crash."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from conftest import mostly_long
from overtrick.games import game_names
from overtrick.records import read_records
from page.sitting import EDGE, Sitting, TableService, by_mouse

Somebody = Callable[..., Sitting]
GAMES = game_names()


def seen(sitting: Sitting) -> dict[str, object]:
    """What a person could read off the table."""
    cards = sitting.page.locator("[data-card]")
    return {
        "number": sitting.number,
        "hand": [card.get_attribute("data-card") for card in cards.all()],
        "legal": [card.get_attribute("data-choice") for card in sitting.choices().all()],
    }


def make_choices(sitting: Sitting, count: int) -> None:
    for _ in range(count):
        before = sitting.number
        by_mouse(sitting)
        sitting.after(before)


def test_a_choice_is_taken_back_and_the_deal_is_marked(
    service: TableService, somebody: Somebody
) -> None:
    sitting = somebody()
    sitting.sit_down(service.lay_table("hokm"))
    make_choices(sitting, 3)
    before = seen(sitting)
    by_mouse(sitting)
    sitting.after(int(str(before["number"])))
    sitting.page.keyboard.press("u")
    expect(sitting.table).to_have_attribute("data-number", str(before["number"]))
    assert seen(sitting) == before
    expect(sitting.page.get_by_text("assisted", exact=False).first).to_be_visible()


@pytest.mark.parametrize("game", mostly_long(GAMES, "sheephead"))
def test_a_reload_in_the_middle_of_a_deal_changes_nothing(
    game: str, service: TableService, somebody: Somebody
) -> None:
    sitting = somebody()
    sitting.sit_down(service.lay_table(game))
    make_choices(sitting, 2)
    before = seen(sitting)
    sitting.page.reload()
    sitting.wait()
    assert seen(sitting) == before
    assert sitting.faults == []


def test_a_killed_service_comes_back_and_the_deal_goes_on(
    own_service: TableService, somebody: Somebody
) -> None:
    sitting = somebody()
    sitting.sit_down(own_service.lay_table("hearts"))
    make_choices(sitting, 4)
    before = seen(sitting)
    own_service.kill()
    expect(sitting.table).not_to_have_attribute("data-line", "open")
    own_service.start()
    expect(sitting.table).to_have_attribute("data-line", "open", timeout=60_000)
    sitting.wait()
    assert seen(sitting) == before
    sitting.faults.clear()  # the browser's own words about the lost line
    sitting.play_deal(by_mouse)


def test_a_shared_link_brings_the_very_same_cards(
    service: TableService, somebody: Somebody
) -> None:
    first = somebody()
    first.sit_down(service.lay_table("coinche", seat=2))
    dealt = sorted(str(card) for card in seen(first)["hand"])  # type: ignore[attr-defined]
    first.play_deal(by_mouse)
    first.page.locator("[data-share]").click()
    link = first.page.get_by_label("link", exact=False).input_value()

    second = somebody()
    second.page.goto(link)
    assert not any(card in second.page.locator("main").inner_text() for card in dealt)
    second.page.locator("[data-start]").click()
    second.wait()
    again = sorted(str(card) for card in seen(second)["hand"])  # type: ignore[attr-defined]
    assert again in hands_dealt(first)
    assert dealt in hands_dealt(first)


def hands_dealt(sitting: Sitting) -> list[list[str]]:
    """The hands as a finished deal shows them."""
    hands = sitting.page.locator(".dealt-hand").all()
    return [sorted(card_of(face) for face in hand.locator("img").all()) for hand in hands]


def card_of(face: Locator) -> str:
    return Path(face.get_attribute("src") or "").stem


def test_the_record_of_a_finished_deal_is_downloaded(
    service: TableService, somebody: Somebody, tmp_path: Path
) -> None:
    sitting = somebody()
    sitting.sit_down(service.lay_table("snapszer"))
    sitting.play_deal(by_mouse)
    with sitting.page.expect_download() as download:
        sitting.page.get_by_role("button", name="JSON").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    (record,) = read_records(path)
    assert record.deal().is_over
    assert record.game == "snapszer"


def test_the_next_deal_follows_and_the_sheet_grows(
    service: TableService, somebody: Somebody
) -> None:
    sitting = somebody()
    sitting.sit_down(service.lay_table("hokm"))
    sitting.play_deal(by_mouse)
    sitting.page.locator("[data-next]").click()
    expect(sitting.table).to_have_attribute("data-over", "false")
    sitting.wait()
    sitting.page.keyboard.press("s")
    rows = sitting.page.locator("[data-panel=sheet] tbody tr:not(.sheet-words)")
    expect(rows).to_have_count(1)


def test_a_card_is_dragged_to_the_table(service: TableService, somebody: Somebody) -> None:
    sitting = somebody()
    sitting.sit_down(service.lay_table("hearts"))
    make_choices(sitting, 1)  # the pass
    before = sitting.number
    card = sitting.page.locator("[data-card][data-choice]").first
    box, table = card.bounding_box(), sitting.table.bounding_box()
    assert box is not None
    assert table is not None
    mouse = sitting.page.mouse
    mouse.move(box["x"] + 10, box["y"] + 24)
    mouse.down()
    mouse.move(table["x"] + table["width"] / 2, table["y"] + table["height"] / 2, steps=12)
    mouse.up()
    sitting.after(before)


def test_an_illegal_card_says_why_and_is_not_played(
    service: TableService, somebody: Somebody
) -> None:
    sitting = somebody()
    sitting.sit_down(service.lay_table("hearts", seat=3))
    make_choices(sitting, 1)
    refused = sitting.page.locator("[data-card][aria-disabled=true]").first
    name = refused.get_attribute("aria-label") or ""
    assert "," in name or "." in name
    before = sitting.number
    refused.click(position=EDGE, force=True)
    expect(
        sitting.page.locator("[role=alert], [role=status], [aria-live]")
        .filter(has_text="must")
        .first
    ).to_be_attached()
    assert sitting.number == before


def test_two_people_at_one_table_see_their_own_hands(
    service: TableService, somebody: Somebody
) -> None:
    players = ["person", "rulebook:simple", "person", "rulebook:simple"]
    table = service.client.table("hokm", players, seed=5)
    both = [somebody(), somebody()]
    for sitting, place in zip(both, (0, 2), strict=True):
        sitting.page.goto(service.address_of(table, place))
        sitting.page.wait_for_selector("[data-table]")
    for _ in range(30):
        for sitting in both:
            if sitting.choices().count() and not sitting.is_over:
                before = sitting.number
                by_mouse(sitting)
                sitting.page.wait_for_function(
                    "seen => Number(document.querySelector('[data-table]').dataset.number) > seen",
                    arg=before,
                )
        if all(sitting.is_over for sitting in both):
            break
        both[0].page.wait_for_timeout(100)
    hands = [set(map(str, seen(sitting)["hand"])) for sitting in both]  # type: ignore[call-overload]
    assert not hands[0] & hands[1]
    assert max(sitting.number for sitting in both) > 10


def test_the_page_asks_nothing_of_anybody_else(service: TableService, somebody: Somebody) -> None:
    sitting = somebody()
    asked: list[str] = []
    sitting.page.on("request", lambda request: asked.append(request.url))
    sitting.sit_down(service.lay_table("sheephead"))
    make_choices(sitting, 1)
    own = (service.address, service.address.replace("http", "ws"), "data:", "blob:")
    assert asked
    assert [url for url in asked if not url.startswith(own)] == []


@pytest.mark.parametrize("scheme", mostly_long(["light", "dark"], "light"))
@pytest.mark.parametrize("place", ["lobby", "new", "rules", "settings", *GAMES])
def test_axe_finds_nothing(
    place: str, scheme: str, service: TableService, somebody: Somebody
) -> None:
    sitting = somebody(bypass_csp=True, color_scheme=scheme)
    if place in GAMES:
        sitting.sit_down(service.lay_table(place))
    else:
        paths = {"lobby": "", "new": "new/hearts", "rules": "rules/coinche", "settings": "settings"}
        sitting.page.goto(f"{service.address}/#/{paths[place]}")
        sitting.page.wait_for_selector("main h1")
        sitting.page.wait_for_load_state("networkidle")
    assert sitting.violations() == []
