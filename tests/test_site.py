"""The docs as a web site: it builds without a warning, and fetches nothing from elsewhere."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import overtrick
from overtrick.games import game_names
from pages import PAGES, ROOT

SCRIPT = ROOT / "docs" / "site.py"
FETCHED = re.compile(
    r"<(?:script|img|iframe|source)\b[^>]*?\bsrc=\"([^\"]+)\""
    r"|<link\b(?=[^>]*\brel=\"(?:stylesheet|icon|preload|modulepreload|preconnect)\")[^>]*?"
    r"\bhref=\"([^\"]+)\""
    r"|url\([\"']?((?!data:)[^)\"']+)"
)


@pytest.fixture(scope="module")
def site() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        done = built(Path(folder))
        assert done.returncode == 0, done.stdout + done.stderr
        yield Path(folder)


def built(folder: Path, script: Path = SCRIPT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(script), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_page_is_on_the_site(site: Path) -> None:
    for page in PAGES:
        name = "index.md" if page.name == "README.md" else str(page.relative_to(ROOT / "docs"))
        assert (site / name).with_suffix(".html").is_file(), name


def test_every_page_is_in_the_navigation(site: Path) -> None:
    home = (site / "index.html").read_text()
    linked = set(re.findall(r'href="(?:\./)?([^"#]+\.html)" class="md-nav__link', home))
    pages = {str(page.relative_to(ROOT / "docs").with_suffix(".html")) for page in PAGES[1:]}
    assert pages <= linked


def test_a_reader_fetches_nothing_from_elsewhere(site: Path) -> None:
    looked = [path for path in site.rglob("*") if path.suffix in (".html", ".css")]
    fetched = {
        next(filter(None, found.groups()))
        for path in looked
        for found in FETCHED.finditer(path.read_text())
    }
    assert fetched
    assert not [name for name in fetched if re.match(r"(?:https?:)?//", name)]


@pytest.mark.parametrize("name", game_names())
def test_the_page_of_a_game_has_rules_options_tables_and_strength(site: Path, name: str) -> None:
    page = (site / "games" / f"{name}.html").read_text()
    headings = set(re.findall(r'<h2 id="([\w-]+)"', page))
    assert {"rules", "options", "in-numbers", "what-nets-see", "how-strong-today"} <= headings


def test_the_reference_has_every_public_name(site: Path) -> None:
    page = (site / "api.html").read_text()
    for name in overtrick.__all__:
        home = getattr(overtrick, name).__module__
        assert f'id="overtrick.{name}"' in page or f'id="{home}.{name}"' in page, name


def test_the_reference_has_the_environments(site: Path) -> None:
    page = (site / "api.html").read_text()
    for name in (
        "BatchedEnv",
        "tables.LearnerTables",
        "gymnasium.CardGameEnv",
        "gymnasium.CardGameVectorEnv",
        "sb3.vec_env",
        "pettingzoo.CardGameAEC",
        "openspiel.load",
    ):
        assert f'id="overtrick.envs.{name}"' in page, name


def test_the_picture_of_the_house_is_on_the_page_of_the_architecture(site: Path) -> None:
    assert 'src="figures/architecture.svg"' in (site / "architecture.html").read_text()
    picture = (site / "figures" / "architecture.svg").read_text()
    shown = set(re.findall(r">(\w+)/<", picture))
    folders = {path.parent.name for path in (ROOT / "src" / "overtrick").glob("*/__init__.py")}
    assert shown == folders


@pytest.mark.long
@pytest.mark.parametrize("link", ["nowhere.md", "table.md#nowhere"])
def test_a_link_that_leads_nowhere_fails(link: str, tmp_path: Path) -> None:
    module: dict[str, Any] = runpy.run_path(str(SCRIPT))
    module["lay_out"](tmp_path)
    page = tmp_path / "pages" / "arena.md"
    page.write_text(page.read_text() + f"\n[somewhere]({link})\n")
    assert "nowhere" in module["build"](tmp_path)
