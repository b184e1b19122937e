"""Text that can drift is run: every block of README and docs, by its language.

`sh` is run line by line, `pycon` is compared with what Python answers, `text` is output or syntax.
What a page says of running a block is told in `pages.py`.
"""

from __future__ import annotations

import doctest
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from overtrick.games import game_names, load_game
from overtrick.records import record_of, write_records
from pages import PAGES, ROOT, Block, blocks_of
from table.at_work import started
from test_records import complete_deal

FOLLOWED = {
    "docs/add-a-game.md": "test_new_game.py",
    "docs/bots.md": "bots/test_page.py",
    "docs/environments.md": "envs/test_page.py",
}
"""Pages whose commands belong together, and are run as a whole elsewhere."""

LANGUAGES = {"sh", "pycon", "text", "json", "diff"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_examples_give_what_they_show(page: Path) -> None:
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    text = "\n".join(block.text for block in blocks_of(page) if block.language == "pycon")
    runner.run(parser.get_doctest(text, {}, page.name, str(page), 0))
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_says_what_it_is(page: Path) -> None:
    if str(page.relative_to(ROOT)) not in FOLLOWED:
        assert {block.language for block in blocks_of(page)} <= LANGUAGES


# ---------------------------------------------------------------------------- commands


def shell_blocks() -> list[Any]:
    """Every block of commands, numbered on its page; long ones are marked."""
    found = []
    for page in PAGES:
        shell = [block for block in blocks_of(page) if block.language == "sh"]
        for number, block in enumerate(shell, 1):
            if block.page not in FOLLOWED and block.is_run:
                marks = [pytest.mark.long] if block.is_long else []
                found.append(pytest.param(block, id=f"{block.page}-{number}", marks=marks))
    return found


@pytest.mark.parametrize("block", shell_blocks())
def test_the_commands_of_a_page_run(block: Block, tmp_path: Path) -> None:
    write_records(tmp_path / "deals.jsonl", [record_of(complete_deal("snapszer"))])
    if block.text.startswith("curl "):
        if shutil.which("curl") is None:
            pytest.skip("there is no curl here")
        run_beside_a_table(block, tmp_path)
        return
    for command in block.commands():
        words = shlex.split(command)
        if words[0] == "make":
            assert words[1] in make_targets()
        elif words[:2] == ["pip", "install"]:
            assert set(re.findall(r"\w+", words[2].partition("[")[2])) <= {*extras()}
        elif words[:2] == ["overtrick", "play"] and "--terminal" not in words:
            check_that_a_table_is_served(words[2:], tmp_path)
        else:
            assert words[0] == "overtrick", command
            run([sys.executable, "-m", *words], tmp_path)


def run(words: list[str], folder: Path) -> None:
    """Run a command in a folder, where it has its data too; `1` is typed where it asks."""
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "OVERTRICK_DATA": str(folder / "data")},
        input="1\n" * 100,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def run_beside_a_table(block: Block, folder: Path) -> None:
    """Run a whole block while a table is served, on a port of its own."""
    game = re.findall(r'"game": "(\w+)"', block.text)[0]
    with started(folder / "data", "--port", "0") as running:
        running.service.wait_for(game)
        script = block.text.replace("8137", str(running.service.port))
        patient = "-s --fail --retry 300 --retry-delay 1 "  # the search may still be compiled
        run(["bash", "-c", script.replace("-s ", patient)], folder)


def check_that_a_table_is_served(words: list[str], folder: Path) -> None:
    """Start it without a browser and load the page."""
    with started(folder / "data", *words, "--port", "0") as running:
        assert "Overtrick" in running.service.ask("GET", "/").text


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def extras() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [*project["optional-dependencies"]]


def test_the_readme_names_the_ways_to_begin() -> None:
    shell = [block for block in blocks_of(ROOT / "README.md") if block.language == "sh"]
    commands = [command for block in shell for command in block.commands()]
    assert {"make play", "make test", "make check"} <= {*commands}
    for verb in ("play", "train", "arena"):
        assert any(command.startswith(f"overtrick {verb}") for command in commands)


def test_make_tells_what_it_offers() -> None:
    told = re.findall(r"^# make ([a-z-]+) ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {*told} <= make_targets()


# ---------------------------------------------------------------------------- tables and links


@pytest.mark.parametrize("name", game_names())
def test_the_tables_of_a_game_page_are_those_of_the_code(name: str) -> None:
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text()
    tables = runpy.run_path(str(ROOT / "docs" / "tables.py"))
    for table in tables["TABLES"]:
        assert f"<!-- table: {table} -->" in page
    assert tables["written"](page, load_game(name)) == page, "run `make docs`"


def test_the_matrix_of_methods_and_games_is_what_was_measured_and_tested() -> None:
    page = (ROOT / "docs" / "training.md").read_text()
    tables = runpy.run_path(str(ROOT / "docs" / "tables.py"))
    assert "<!-- table: matrix -->" in page
    assert tables["with_matrix"](page) == page, "run `make docs`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), target
