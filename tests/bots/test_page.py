"""docs/bots.md, followed to the letter: its program passes the checks, its commands work."""

from __future__ import annotations

import inspect
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from bots.conftest import HOME
from overtrick.engine.deals import View
from overtrick.games import load_game
from overtrick.jit import streams
from overtrick.players import PlayerName
from overtrick.players.external_check import _Checks
from overtrick.players.external_requests import choice_request, hello_request
from table.at_work import started
from test_bot import bot_of

PAGE = (HOME / "docs" / "bots.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """The commands of the page, without what is said about them."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [line.partition("   #")[0].strip() for line in lines]


COMMANDS = [line for line in commands() if "--bot" not in line]
SERVING = [line for line in commands() if "--bot" in line]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a reader of the page works: with its program, beside the examples."""
    place = tmp_path_factory.mktemp("reader")
    (program,) = blocks("python")
    (place / "mybot.py").write_text(program)
    (place / "examples").symlink_to(HOME / "examples")
    return place


def words_of(command: str) -> list[str]:
    first, *words = shlex.split(command)
    assert first in ("overtrick", "python3"), command
    return [sys.executable, *(["-m", "overtrick"] if first == "overtrick" else []), *words]


def test_the_program_of_the_page_is_the_example():
    assert blocks("python") == [(HOME / "examples" / "bot.py").read_text()]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_works(command: str, folder: Path):
    done = subprocess.run(
        words_of(command),
        cwd=folder,
        env=os.environ | {"COLUMNS": "200"},
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "replaced" not in done.stdout
    if " check " in command:
        assert "all 12 checks passed" in done.stdout
    if "bot_client" in command:
        assert "won by" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "bot_client.py GAME PLAYER PLAYER [SEED] [VARIANT]\n"),
        (["chess", "random", "random"], "the bot has ended\n"),
    ],
)
def test_the_client_of_the_page_tells_a_mistake_without_a_trace(words: list[str], told: str):
    command = [sys.executable, str(HOME / "examples" / "bot_client.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert told in done.stderr and "Traceback" not in done.stderr


def test_the_table_of_the_page_offers_the_program(folder: Path, monkeypatch):
    (command,) = SERVING
    monkeypatch.chdir(folder)
    *_, play, option, told = words_of(command)
    assert (play, option) == ("play", "--bot")
    with started(folder / "data", "--port", "0", option, told) as running:
        infos = running.service.ask("GET", "/api/players?game=snapszer").json
    assert "Program, mybot" in [info["title"] for info in infos]


def test_the_names_of_the_page_are_names():
    names = re.findall(r"^\| `(exec:[^`]*)` \|", PAGE, re.MULTILINE)
    assert len(names) >= 7
    for name in names:
        read = PlayerName.read(name)
        assert shlex.split(read.what)
        assert str(PlayerName.read(str(read))) == str(read)
    assert PlayerName.read(names[-1]).settings == {}


def test_the_requests_of_the_page_are_those_that_programs_get():
    asked = [json.loads(line) for line in re.findall(r"^> (.*)$", PAGE, re.MULTILINE)]
    game = load_game("snapszer")
    assert asked[0] == hello_request(game, 1, {}, None)
    view = View.from_text("snapszer; ; ; 1 Ah Th Kh Qh Jh / talon ? Kl / upcard Aa; Ta Jh Al")
    request = choice_request(view, 8, streams(1, 1, "page")[0], 500)
    assert asked[1] == json.loads(json.dumps(request))


def test_the_lines_of_the_page_are_answered_as_it_shows():
    bot = bot_of("snapszer", "rulebook:strong")
    shown = re.findall(r"^> (.*)\n< (.*)$", PAGE, re.MULTILINE)
    assert len(shown) >= 7
    for request, answer in shown:
        assert json.loads(next(bot.answers([request]))) == json.loads(answer)


def test_the_page_names_every_check():
    listed = PAGE[PAGE.index("## The checks") :]
    names = re.findall(r'_(?:check|outcome)\(\s*"([a-z ]+)"', inspect.getsource(_Checks))
    assert len({*names}) == 12
    assert [name for name in names if f"`{name}`" not in listed] == []
