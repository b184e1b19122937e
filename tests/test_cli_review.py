"""`overtrick review`: for a person in the terminal, as JSON, and as a page of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from commands import overtrick
from conftest import mostly_long
from overtrick.engine.deals import Deal
from overtrick.records import Record, record_of, write_records
from overtrick.review.markup import joined, tag
from overtrick.review.told import DealReview
from test_records import complete_deal

ROOT = Path(__file__).resolve().parent.parent
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
FEW = ("--worlds", "8")
HOSTILE = ["<script>alert(1)</script>", "\"'><img src=x onerror=alert(2)>\n&amp;"]


def folded_king() -> Record:
    """The queen bets and the king, who cannot lose, gives up: three points thrown away."""
    deal = Deal.from_cards("kuhn", {"0": "Q", "1": "K"}).play("bet").play("pass")
    return record_of(deal, players=["rulebook", "Anna"], event="A club evening")


def hostile() -> Record:
    """Every text that a record can hold tries to be more than a text."""
    return record_of(
        complete_deal("snapszer"),
        players=HOSTILE,
        seat_names=HOSTILE,
        event="</style></title><script>alert(3)</script>",
        site="\x1b[31mred\x1b]8;;http://a.b\x1b\\",
        comment="<!-- --><svg onload=alert(4)>",
    )


@pytest.fixture(autouse=True)
def _wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reviewed")


@pytest.fixture(scope="module")
def file(folder: Path) -> Path:
    """A king who folds; a deal that is not finished."""
    path = folder / "deals.jsonl"
    write_records(path, [folded_king(), record_of(Deal.from_seed("kuhn", 1))])
    return path


@pytest.fixture(scope="module")
def page_file(folder: Path) -> Path:
    """The page of two deals, one of them by hostile people."""
    records, out = folder / "two.jsonl", folder / "two.html"
    write_records(records, [folded_king(), hostile()])
    done = overtrick("review", records, *FEW, "--html", out)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert done.stderr == f"{out}: the review is written\n"
    return out


# ---------------------------------------------------------------------------- in the terminal


def test_the_terminal_tells_the_costliest_choice_and_the_better_one(file: Path) -> None:
    done = overtrick("review", file, "--deal", "1", *FEW)
    assert done.returncode == 0, done.stderr
    assert "A club evening" in done.stdout
    summary = re.search(r"^ *1 \(Anna\) .*$", done.stdout, re.MULTILINE)
    assert summary
    assert summary[0].split()[2] == "−1.00"
    assert summary[0].rstrip().endswith("lost by mistakes")
    costliest = re.search(r"^ *\?\? +2\. .*$", done.stdout, re.MULTILINE)
    assert costliest
    assert costliest[0].split()[2:] == ["1", "pass", "bet", "3.00", "±", "0.00", "blunder"]


def test_the_second_opinion_is_marked_as_one_with_open_hands(folder: Path) -> None:
    path = folder / "snapszer.jsonl"
    write_records(path, [record_of(complete_deal("snapszer"))])
    said = " ".join(overtrick("review", path, *FEW).stdout.split())
    assert re.search(r"with open hands, a second opinion: best was .*, for [+−]?\d", said)


def test_a_deal_that_is_not_finished_is_left_out_and_told(file: Path) -> None:
    done = overtrick("review", file, *FEW)
    assert done.returncode == 0
    assert done.stdout.count("the costliest choices") == 1
    assert done.stderr == "not finished, hence not reviewed: deal 2\n"


def test_the_review_of_one_seat_holds_nothing_against_others(file: Path) -> None:
    for seat in ("0", "rulebook"):
        done = overtrick("review", file, "--deal", "1", "--seat", seat, *FEW)
        assert "??" not in done.stdout.replace("?? blunder.", "")
        assert "none: no choice cost" in done.stdout
    assert "??" in overtrick("review", file, "--deal", "1", "--seat", "anna", *FEW).stdout


def test_texts_of_a_record_send_no_signs_to_the_terminal(folder: Path) -> None:
    path = folder / "hostile.jsonl"
    write_records(path, [hostile()])
    done = overtrick("review", path, *FEW)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout


def test_json_is_one_review_a_line(file: Path) -> None:
    done = overtrick("review", file, "--json", "--seat", "1", *FEW)
    [line] = done.stdout.splitlines()
    review = DealReview.model_validate_json(line)
    assert review.deal == folded_king().deal().text()
    assert review.costliest == [2]
    assert [told.seat for told in review.timelines] == [1]


def test_the_same_deal_is_reviewed_alike(file: Path) -> None:
    first, second = (overtrick("review", file, "--json", *FEW).stdout for _ in range(2))
    assert first == second


def test_a_review_reads_what_show_prints(file: Path) -> None:
    shown = overtrick("show", file, "--deal", "1", "--as", "text").stdout
    done = overtrick("review", "-", "--json", *FEW, stdin=shown)
    assert json.loads(done.stdout)["costliest"] == [2]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--deal", "2"], "deal 2 is not finished"),
        (["--deal", "3"], "the deals are 1 to 2, not 3"),
        (["--seat", "9"], "the seats are 0 to 1, not '9'"),
        (["--seat", "Berta"], "the seats are 0 to 1, not 'Berta'"),
        (["--worlds", "0"], "the number of worlds is 1 to 100000, not 0"),
        (["--worlds", "1000000"], "the number of worlds is 1 to 100000, not 1000000"),
        (["--worlds", "many"], "Invalid value for '--worlds'"),
        (["--html", "x.html", "--json"], "--html and --json are two forms"),
        (["--html", "no/such/folder.html", *FEW], "no/such/folder.html: cannot be written"),
    ],
)
def test_a_mistake_gets_one_clear_line(
    file: Path, words: list[str], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    done = overtrick("review", file, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr.splitlines()[-1]


def test_a_file_that_is_not_there_gets_one_clear_line(tmp_path: Path) -> None:
    done = overtrick("review", tmp_path / "none.jsonl")
    assert done.returncode == 2
    assert "cannot be read" in done.stderr
    assert done.stderr.count("\n") == 1


# ---------------------------------------------------------------------------- the page as text


def test_whatever_is_not_markup_is_text() -> None:
    made = tag("p", "<b>", tag("b", "bold"), ["&", None], class_='a"b', hidden=True, lang=None)
    assert made == '<p class="a&quot;b" hidden>&lt;b&gt;<b>bold</b>&amp;</p>'
    assert joined("<", made) == f"&lt;{made}"


class Elements(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_hostile_texts_stay_texts(page_file: Path) -> None:
    found = Elements(page_file.read_text("utf-8")).found
    assert [name for name, _ in found].count("script") == 1
    assert not {"img", "iframe", "object", "link", "base", "form"} & {name for name, _ in found}
    assert not [key for _, told in found for key in told if key.startswith("on")]


def test_every_link_of_the_page_leads_to_a_place_in_it(page_file: Path) -> None:
    found = Elements(page_file.read_text("utf-8")).found
    places = {told.get("id") for _, told in found}
    links = [told["href"] for name, told in found if name == "a"]
    assert links
    assert {str(link).removeprefix("#") for link in links} <= places


def test_a_page_that_cannot_be_written_leaves_what_was_there(file: Path, tmp_path: Path) -> None:
    (tmp_path / "out.html").mkdir()
    done = overtrick("review", file, *FEW, "--html", tmp_path / "out.html")
    assert done.returncode == 2
    assert "it is a folder" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["out.html"]


def test_the_page_can_be_printed_to_the_standard_output(file: Path) -> None:
    done = overtrick("review", file, "--deal", "1", *FEW, "--html", "-")
    assert done.stdout.startswith("<!doctype html>\n")
    assert done.stdout.endswith("</html>\n")


def test_the_page_of_one_seat_weighs_the_choices_of_no_other(file: Path) -> None:
    page = overtrick("review", file, "--deal", "1", "--seat", "1", *FEW, "--html", "-").stdout
    steps = re.findall(r"<article .*?</article>", page)
    assert ['class="bars"' in step for step in steps] == [False, True, False]


# ---------------------------------------------------------------------------- the page in a browser


@pytest.fixture
def opened(browser: Browser, page_file: Path) -> Iterator[Callable[..., Page]]:
    """Opens the page; at the end nothing was asked of anybody and nothing went wrong."""
    contexts, faults, asked = [], [], []

    def open_page(**settings: Any) -> Page:
        contexts.append(browser.new_context(**settings))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text))
        page.on("dialog", lambda dialog: faults.append(dialog.message))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(page_file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []
    assert set(asked) == {page_file.as_uri()}


def step(page: Page, deal: int, choice: int) -> Any:
    return page.locator(f"#deal-{deal}-choice-{choice}")


def test_arrow_keys_and_buttons_step_through_a_deal(opened: Callable[..., Page]) -> None:
    page = opened()
    expect(step(page, 1, 1)).to_be_visible()
    expect(step(page, 1, 2)).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(step(page, 1, 1)).to_be_hidden()
    expect(step(page, 1, 2)).to_be_visible()
    expect(step(page, 2, 1)).to_be_visible()
    deal = page.locator(".deal").nth(1)
    deal.get_by_role("button", name="Next ▶").click()
    page.keyboard.press("ArrowRight")
    expect(step(page, 2, 3)).to_be_visible()
    expect(deal.get_by_role("status")).to_contain_text("Choice 3 of")
    deal.get_by_role("button", name="Last", exact=True).click()
    expect(deal.get_by_role("status")).to_have_text("The end")
    deal.get_by_role("button", name="All at once").click()
    expect(step(page, 2, 1)).to_be_visible()


def test_the_costliest_choice_links_to_its_step(opened: Callable[..., Page]) -> None:
    page = opened()
    page.locator(".costliest a").first.click()
    expect(step(page, 1, 2)).to_be_visible()
    expect(step(page, 1, 2)).to_be_focused()
    expect(step(page, 1, 2)).to_contain_text("?? blunder")


def test_the_second_opinion_says_that_nobody_could_know(opened: Callable[..., Page]) -> None:
    opinion = step(opened(), 2, 1).locator(".opinion")
    expect(opinion).to_contain_text("Second opinion, with all hands open")
    expect(opinion).to_contain_text("it is no verdict")


def test_hands_are_hidden_until_they_are_opened(opened: Callable[..., Page]) -> None:
    page = opened()
    queen, king = (step(page, 1, 1).locator(".hands .card span").nth(seat) for seat in (0, 1))
    expect(queen).to_be_visible()
    expect(king).to_be_hidden()
    deal = page.locator(".deal").first
    deal.get_by_role("radio", name="open hands").check()
    expect(king).to_be_visible()
    deal.get_by_role("radio", name="1", exact=True).check()
    expect(king).to_be_visible()
    expect(queen).to_be_hidden()


def test_a_seat_s_line_can_be_taken_away(opened: Callable[..., Page]) -> None:
    deal = opened().locator(".deal").first
    line = deal.locator(".timeline[data-seat='1']").first
    expect(line).to_be_visible()
    deal.get_by_role("checkbox", name="1").uncheck()
    expect(line).to_be_hidden()


@pytest.mark.parametrize("settings", [{"java_script_enabled": False}, {}])
def test_all_is_there_without_the_script_and_on_paper(
    opened: Callable[..., Page], settings: dict[str, bool]
) -> None:
    page = opened(**settings)
    if not settings:
        page.emulate_media(media="print")
    for number in (1, 2, 3):
        expect(step(page, 1, number)).to_be_visible()
    expect(page.locator(".toolbar").first).to_be_hidden()


@pytest.mark.parametrize("scheme", mostly_long(["light", "dark"], "dark"))
def test_axe_finds_nothing(opened: Callable[..., Page], scheme: str) -> None:
    page = opened(bypass_csp=True, color_scheme=scheme, viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.locator(".costliest a").first.click()
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run()")["violations"]
    told = [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]
    assert told == [], json.dumps(told, indent=1)
