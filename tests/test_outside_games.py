"""Games of other packages, found by their entry points: one that is broken harms no other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import overtrick

SOURCE = Path(overtrick.__file__).resolve().parent.parent
WRONG = {
    "": "cannot be loaded from odd:GAME: ModuleNotFoundError: No module named 'odd'",
    "GAME = 1 / 0": "cannot be loaded from odd:GAME: ZeroDivisionError: division by zero",
    "game = 1": "cannot be loaded from odd:GAME: AttributeError: module 'odd' has no attribute",
    "GAME = 'odd'": "odd:GAME is no Game but a str",
    "from overtrick.games.kuhn import GAME": "the one in odd:GAME is called 'kuhn'",
}


def installed(folder: Path, source: str) -> None:
    """A package with one game, as pip leaves it behind; without a source only its entry point."""
    if source:
        (folder / "odd.py").write_text(source + "\n")
    told = folder / "odd-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text("[overtrick.games]\nodd = odd:GAME\n")


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "overtrick", *words],
        env={**os.environ, "PYTHONPATH": f"{SOURCE}{os.pathsep}{folder}"},
        input="",
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("source", WRONG)
def test_a_broken_game_is_told_of_and_the_others_are_listed(source: str, tmp_path: Path) -> None:
    installed(tmp_path, source)
    done = run(tmp_path, "games", "--all", "--json")
    assert done.returncode == 0, done.stderr
    listed = json.loads(done.stdout)["games"]
    assert {"hearts", "kuhn"} <= {*listed} and "odd" not in listed
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("overtrick: the game 'odd'") and WRONG[source] in done.stderr


def test_who_asks_for_a_broken_game_gets_one_line(tmp_path: Path) -> None:
    installed(tmp_path, "")
    done = run(tmp_path, "play", "--terminal", "odd")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("overtrick: the game 'odd' cannot be loaded from odd:GAME")
