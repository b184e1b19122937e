"""A game of one's own: the template, its name, and docs/add-a-game.md followed to the letter."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import overtrick
from commands import overtrick as run
from overtrick.cli_new import new_game_folder
from overtrick.errors import BadOption
from pages import ROOT, blocks_of

SOURCE = Path(overtrick.__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "add-a-game.md"
RESULT = re.compile(
    r"│ (\S+) +│ ([+-][\d.]+) ±"
)  # a player and its points, in a table of the arena


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hearts", "there is already a game 'hearts'"),
        ("kuhn", "there is already a game 'kuhn'"),
        ("numpy", "there is already a Python module 'numpy'"),
        ("My-Game", "a game's name is that of its module"),
        ("3whist", "a game's name is that of its module"),
        ("lambda", "a game's name is that of its module"),
        ("über", "a game's name is that of its module"),
        ("a__b", "a game's name is that of its module"),
        ("", "a game's name is that of its module"),
        ("../up", "a game's name is that of its module"),
    ],
)
def test_a_bad_name_is_refused_in_one_line(name: str, expected: str, tmp_path: Path) -> None:
    done = run("new-game", name, "--into", str(tmp_path / "game"))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert expected in done.stderr
    assert not any(tmp_path.iterdir())


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = run("new-game", "finale", "--into", str(tmp_path))
    assert done.returncode == 2
    assert f"{tmp_path} exists and is not an empty folder" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    with pytest.raises(BadOption, match=r"mine\.txt exists and is not an empty folder"):
        new_game_folder("finale", tmp_path / "mine.txt")


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("new-game", "finale", "--into", str(tmp_path / "file" / "finale"))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "cannot be written" in done.stderr


def test_an_empty_folder_is_filled_and_nothing_is_left_beside(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    new_game_folder("last_trick", tmp_path / "cards")
    assert [path.name for path in tmp_path.iterdir()] == ["cards"]
    files = {str(p.relative_to(tmp_path / "cards")) for p in tmp_path.rglob("*") if p.is_file()}
    assert files == {
        "README.md",
        "pyproject.toml",
        "src/last_trick/__init__.py",
        "src/last_trick/py.typed",
        "src/last_trick/rules.py",
        "src/last_trick/variant.py",
        "tests/test_last_trick.py",
    }


def test_the_name_is_put_in_everywhere(tmp_path: Path) -> None:
    new_game_folder("last_trick", tmp_path / "last_trick")
    texts = {p.name: p.read_text() for p in tmp_path.rglob("*") if p.is_file()}
    assert not [name for name, text in texts.items() if "newgame" in text.casefold()]
    assert "class LastTrickVariant(Variant)" in texts["variant.py"]
    assert 'title="Last trick"' in texts["__init__.py"]
    assert 'last_trick = "last_trick:GAME"' in texts["pyproject.toml"]


# ---------------------------------------------------------------------------- the page


class Reader:
    """Somebody who does what a page says, with an environment of his own to install into.

    It has the packages of the one that runs the tests, and this house; pip is kept from the
    network, since nothing else is needed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        venv = folder / "venv"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
        packages = next(venv.glob("lib/*/site-packages"))
        (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
        for name, module in {"overtrick": "overtrick", "pip": "pip"}.items():
            command = venv / "bin" / name
            command.write_text(f'#!/bin/sh\nexec "{venv}/bin/python" -m {module} "$@"\n')
            command.chmod(0o755)
        self.environment = {
            **{name: value for name, value in os.environ.items() if "PYTEST" not in name},
            "PATH": f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(SOURCE),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OVERTRICK_DATA": str(folder / "data"),
            "OVERTRICK_QUIET": "1",
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip's way to say: do not isolate
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }

    def run(self, script: str) -> str:
        """What a block of commands prints; `1` is typed where it asks."""
        where = self.folder.parent / "where"
        done = subprocess.run(
            ["bash", "-e", "-c", f'{script}\npwd > "{where}"'],
            cwd=self.folder,
            env=self.environment,
            input="1\n" * 100,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        self.folder = Path(where.read_text().strip())
        return done.stdout

    def edit(self, change: str) -> None:
        """Change a file as a diff says: its kept and removed lines stand in it, in this order."""
        head, *lines = change.splitlines()
        path = self.folder / head.removeprefix("--- ")
        old, new = path.read_text().splitlines(), []
        for line in lines:
            sign, text = line[:1], line[1:]
            if sign in ("-", " "):
                at = old.index(text)
                new += old[:at]
                old = old[at + 1 :]
            if sign in ("+", " "):
                new.append(text)
        path.write_text("\n".join(new + old) + "\n")


def passed(printed: str) -> int:
    """How many tests have passed, by what pytest says at its end."""
    return int(re.findall(r"(\d+) passed", printed)[-1])


@pytest.mark.long
def test_who_follows_the_page_has_a_game_to_play_measure_search_and_train(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    printed = []
    for block in blocks_of(PAGE):
        if block.language == "sh":
            printed.append(reader.run(block.text))
        elif block.language == "diff":
            reader.edit(block.text)
    begun, suite, suite_again, at_work = printed
    assert "finale: Finale, three players, twelve cards, four tricks" in begun
    assert begun.count("takes the trick") == 4
    assert passed(suite) == passed(suite_again) > 50
    assert "last=3" in at_work
    assert at_work.count("takes the trick") == 4
    results = {name: float(points) for name, points in RESULT.findall(at_work)}
    assert max(results.values()) == results[next(name for name in results if "pimc" in name)]
    assert results["direct:finale/direct"] > 0
