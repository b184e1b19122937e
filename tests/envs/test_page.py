"""The page about environments tells what is so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import blocks
from overtrick.envs.registered import env_id
from overtrick.games import game_names, load_game

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "environments.md"


def row_of(name: str) -> str:
    """A game's row in the table of ids."""
    game = load_game(name)
    most = game.scale(game.variant()) / game.payoff_unit
    flags = game.encodings[0].size
    return f"| `{env_id(name)}` | {game.seats} | {flags} | {game.actions} | {most:g} |"


def test_the_table_of_ids_is_that_of_the_code() -> None:
    rows = re.findall(r"^\| `overtrick/.*$", PAGE.read_text(), re.MULTILINE)
    assert rows == [row_of(name) for name in game_names()]


def commands() -> list[str]:
    return [line for block in blocks(PAGE, "sh") for line in block.splitlines()]


SMALLER = {
    "python": ["--steps", "512", "--length", "8", "--deals", "32"],
    "overtrick": ["--repeats", "1", "--json"],
}


@pytest.mark.long
@pytest.mark.parametrize("command", commands())
def test_commands_of_the_page_run(command: str) -> None:
    program, *words = command.split()
    start = [sys.executable] if program == "python" else [sys.executable, "-m", "overtrick"]
    done = subprocess.run(
        [*start, *words, *SMALLER[program]],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
