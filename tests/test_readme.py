"""Text that can drift is run: the examples of README and docs."""

from __future__ import annotations

import doctest
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from conftest import blocks
from overtrick.games import game_names, load_game
from overtrick.records import record_of, write_records
from table.at_work import started
from test_records import complete_deal

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_examples_give_what_they_show(page: Path) -> None:
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    text = "\n".join(blocks(page, "pycon"))
    runner.run(parser.get_doctest(text, {}, page.name, str(page), 0))
    assert runner.summarize(verbose=False).failed == 0


def commands() -> list[str]:
    """Every `overtrick …` line in the README's shell blocks."""
    lines = "\n".join(blocks(ROOT / "README.md", "sh")).splitlines()
    return [line.split("#")[0].strip() for line in lines if line.startswith("overtrick ")]


@pytest.mark.parametrize("command", commands())
def test_commands_of_the_readme_run(command: str, tmp_path: Path) -> None:
    write_records(tmp_path / "deals.jsonl", [record_of(complete_deal("snapszer"))])
    words = command.split()[1:]
    if words[0] == "play" and "--terminal" not in words:
        check_that_a_table_is_served(words[1:])
        return
    if words[0] == "bench":
        words += ["--repeats", "1"]
    if words[0] == "train":
        words = [*words[:3], "--deals", "200", "--no-measure"]
    done = subprocess.run(
        [sys.executable, "-m", "overtrick", *words],
        cwd=tmp_path,
        env={**os.environ, "OVERTRICK_DATA": str(tmp_path / "data")},
        input="1\n" * 100,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def check_that_a_table_is_served(words: list[str]) -> None:
    """Start it without a browser and load the page."""
    with TemporaryDirectory() as folder, started(Path(folder), *words, "--port", "0") as running:
        assert "Overtrick" in running.service.ask("GET", "/").text


def test_make_offers_what_the_readme_names() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"^make ([a-z-]+)", "\n".join(blocks(ROOT / "README.md", "sh")), re.M))
    assert {"play", "test"} <= named <= targets


@pytest.mark.parametrize("name", game_names())
def test_the_tables_of_a_game_page_are_those_of_the_code(name: str) -> None:
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text()
    tables = runpy.run_path(str(ROOT / "docs" / "tables.py"))
    for table in tables["TABLES"]:
        assert f"<!-- table: {table} -->" in page
    assert tables["written"](page, load_game(name)) == page, "run `make docs`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), target
