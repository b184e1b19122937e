"""`overtrick bot check`: the examples pass, and each kind of fault fails the check of its name."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from bots.conftest import HOME, gone, left_of, words_of
from commands import overtrick
from conftest import mostly_long
from overtrick.errors import BadBudget, BadOption, UnknownName
from overtrick.games import game_names
from overtrick.players.external_check import check_bot

EXAMPLES = HOME / "examples"
COMMANDS = {
    "python": f"{shlex.quote(sys.executable)} {shlex.quote(str(EXAMPLES / 'bot.py'))}",
    "javascript": f"node {shlex.quote(str(EXAMPLES / 'bot.js'))}",
    "javascript, low": f"node {shlex.quote(str(EXAMPLES / 'bot.js'))},style=low",
    "bash": f"bash {shlex.quote(str(EXAMPLES / 'bot.sh'))}",
}
NAMES = [
    "hello",
    "legal",
    "time",
    "phases",
    "same view",
    "interleaved",
    "unknown fields",
    "nonsense",
    "infos",
    "stop",
    "quit",
    "end of input",
]

GOOD = """
import json, sys, os
count, MARK = 0, __file__ + ".mark"
for line in sys.stdin:
    try:
        asked = json.loads(line)
        ask = asked.get("ask", "choice")
    except (ValueError, AttributeError):
        asked, ask = {}, "nonsense"
    answer = {"id": asked.get("id")}
    HERE
    if ask == "quit":
        break
    if ask == "stop":
        continue
    if ask == "hello":
        answer |= {"name": "good", "protocol": 1, "games": ["kuhn", "leduc"]}
    elif ask == "choice":
        answer |= asked["legal"][0]
    else:
        answer |= {"error": "what?"}
    AFTER
    print(json.dumps(answer), flush=True)
"""
WRONG = {
    "hello": 'if ask == "hello": sys.exit(4)',
    "legal": 'if ask == "choice": asked["legal"][0] = {"choice": 61}',
    "time": 'if ask == "choice": import time; time.sleep(30)',
    "same view": 'if ask == "choice": count += 1; asked["legal"] = asked["legal"][count % 2 :]',
    "interleaved": 'if ask == "hello": is_late = os.path.exists(MARK); open(MARK, "w").close()\n'
    '    if ask == "choice" and is_late: asked["legal"].reverse()',
    "unknown fields": 'if "weather" in asked: ask = "what"',
    "nonsense": 'if ask == "juggle": ask = "hello"',
    "infos": 'if asked.get("infos") and ask == "choice": print(\'{"info": 7}\', flush=True)',
    "stop": 'if ask == "stop": ask = "nonsense"',
    "quit": 'if ask == "quit": sys.exit(3)',
    "end of input": "",
}


def passing(report) -> dict[str, bool]:
    return {check.name: check.passed for check in report.checks}


@pytest.mark.parametrize("name", COMMANDS)
def test_an_example_passes_in_a_small_and_a_large_game(name):
    report = check_bot(COMMANDS[name], ["kuhn", "hearts"], deals=1)
    assert report.passed, [check.line() for check in report.checks]
    assert [check.name for check in report.checks] == 2 * NAMES


@pytest.mark.parametrize("game", mostly_long(game_names(), "sheephead"))
def test_the_shortest_example_plays_every_game_in_every_phase(game):
    report = check_bot(COMMANDS["bash"], [game], deals=3)
    assert report.passed, [check.line() for check in report.checks]


def test_the_python_example_has_ten_lines():
    lines = (EXAMPLES / "bot.py").read_text().splitlines()
    code = [line for line in lines if line.strip() and not line.startswith(('"""', "import"))]
    assert len(code) == 10


def test_our_own_bot_passes():
    report = check_bot("overtrick bot kuhn random", ["kuhn"], deals=3)
    assert report.passed, [check.line() for check in report.checks]


def written(folder: Path, here: str, after: str = "") -> str:
    script = folder / "bot.py"
    script.write_text(GOOD.replace("HERE", here or "pass").replace("AFTER", after or "pass"))
    return shlex.join([sys.executable, "-I", "-S", str(script)])


def test_without_a_game_those_are_checked_that_the_program_tells(tmp_path):
    report = check_bot(written(tmp_path, ""), deals=2)
    assert report.passed, [check.line() for check in report.checks]
    assert {check.game for check in report.checks} == {"kuhn", "leduc"}
    with pytest.raises(BadOption, match="does not tell which games it plays: name one by --game"):
        check_bot(COMMANDS["bash"])


@pytest.mark.parametrize("name", WRONG)
def test_each_fault_fails_the_check_of_its_name(name, tmp_path):
    here, ms = WRONG[name], 200 if name == "time" else 5000
    command = written(tmp_path, here)
    if name == "end of input":
        with open(tmp_path / "bot.py", "a") as script:
            script.write("else:\n    sys.exit(5)\n")
    report = check_bot(command, ["kuhn"], deals=10, ms=ms)
    assert not passing(report)[name], [check.line() for check in report.checks]
    assert not report.passed


@pytest.mark.parametrize("fault", ["exit", "flood", "broken", "not utf-8", "children", "dead"])
def test_a_hostile_program_fails_and_leaves_nothing(fault, tmp_path):
    report = check_bot(shlex.join(words_of(fault, tmp_path)), ["kuhn"], deals=1, ms=100)
    assert not report.passed
    assert gone(tmp_path), left_of(tmp_path)


def test_other_games_and_options_than_the_program_has_are_told(tmp_path):
    command = written(tmp_path, "")
    (check,) = check_bot(command, ["snapszer"]).checks
    assert (check.passed, check.detail) == (False, "tells that it plays kuhn, leduc")
    (check,) = check_bot(f"{command},depth=3", ["kuhn"]).checks
    assert check.detail == "does not tell of an option 'depth'"
    with pytest.raises(UnknownName):
        check_bot(command, ["chess"])
    with pytest.raises(BadBudget):
        check_bot(command, ["kuhn"], deals=0)


# ---------------------------------------------------------------------------- the command


def test_the_command_tells_a_line_for_each_check_and_its_status():
    words = [shutil.which("bash"), str(EXAMPLES / "bot.sh")]
    done = overtrick("bot", "check", *words, "--game", "kuhn", "--deals", "2")
    assert (done.returncode, done.stderr) == (0, "")
    *lines, last = done.stdout.splitlines()
    assert [line[:8] for line in lines] == ["ok      "] * len(NAMES)
    assert last.endswith("all 12 checks passed")


def test_the_command_ends_with_status_1_if_a_check_fails(tmp_path):
    command = written(tmp_path, WRONG["quit"])
    done = overtrick("bot", "check", command, "--game", "kuhn", "--deals", "2", "--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert told["passed"] is False
    (failed,) = [one for one in told["checks"] if not one["passed"]]
    assert failed["name"] == "quit"
    assert failed["detail"] == "ends after quit with status 3, not 0"


@pytest.mark.parametrize(
    "words",
    [
        ["check", "./nobody-is-here", "--game", "kuhn"],
        ["check", "bash", "--game", "chess"],
        ["kuhn", "random", "random"],
        ["kuhn", "random", "--json"],
        ["kuhn", "random", "--deals", "5"],
        ["check"],
    ],
)
def test_a_mistake_ends_the_command_in_one_line(words):
    done = overtrick("bot", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
