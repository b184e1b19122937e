"""The command line: what it prints, and one clear line for every mistake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import overtrick


def started(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "overtrick", *words],
        capture_output=True,
        text=True,
        env=os.environ | {"OVERTRICK_QUIET": "1", "COLUMNS": "100"} | environment,
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["play", "--terminal", "chess"], "there is no game 'chess'; known are"),
        (["play", "--terminal", "hearts", "--seat", "9"], "the seats are West, North, East, South"),
        (["play", "--terminal", "hearts", "--seat", "Up"], "the seats are West, North, East"),
        (["play", "--terminal", "hearts", "--players", "nobody"], "there is no player 'nobody'"),
        (
            ["play", "--terminal", "hearts", "--players", "random,random"],
            "3 seats want players, not 2",
        ),
        (
            ["play", "--terminal", "hearts", "--variant", "moon=blue"],
            "moon is one of add_others, subtract_self, auto, not 'blue'",
        ),
        (["play", "--terminal", "hearts", "--variant", "sun=1"], "no option of hearts 'sun'"),
        (["play", "--terminal", "hearts", "--variant", "moon"], "options are written name=value"),
        (["play", "--terminal", "hearts", "--variant", "pass_cycle=LX"], "pass_cycle is 1 to 16"),
        (
            ["play", "--terminal", "hearts", "--variant", "target=0"],
            "target is a whole number from 1 to 1000000",
        ),
        (["play", "--terminal", "hearts", "--deals", "-1"], "0 (a whole match) or more, not -1"),
        (["play", "--terminal", "hearts", "--seed", "x"], "Invalid value for '--seed'"),
        (["play", "--terminal"], "--terminal wants a game: coinche, hearts"),
        (["play", "chess"], "there is no game 'chess'; known are"),
        (["play", "hearts", "--seat", "1"], "--seat is for --terminal"),
        (["play", "hearts", "--seed", "1"], "--seed is for --terminal"),
        (["play", "hearts", "--port", "70000"], "a port is 0 to 65535, not 70000"),
        (["play", "hearts", "--host", "no.such.host.invalid"], "cannot be used"),
        (["play", "hearts", "--bot", "mybot"], "a bot is told as NAME=command"),
        (["play", "hearts", "--bot", "x=./nobody"], "the program './nobody' is not there"),
        (["bench", "hearts", "--repeats", "0"], "repeats is 1 or more, not 0"),
        (["bench", "hearts", "--part", "x"], "there is no benchmark 'x'; known are analysis"),
        (["bench", "chess"], "there is no game 'chess'"),
        (["bench", "kuhn", "--peers", "--part", "envs"], "without --part"),
        (["compile", "chess"], "there is no game 'chess'"),
        (["compile", "--jobs", "0"], "jobs is 1 or more, not 0"),
        (["juggle"], "No such command 'juggle'"),
        (["play", "--nonsense"], "No such option"),
    ],
)
def test_a_mistake_gets_one_clear_line_and_status_2(words: list[str], expected: str) -> None:
    done = overtrick(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("overtrick: ")


def test_the_version_is_shown() -> None:
    assert started("--version").stdout.startswith("overtrick 0.")


def test_a_mistake_ends_the_process_with_one_line_too() -> None:
    done = started("play", "chess")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_without_words_the_help_is_shown() -> None:
    done = overtrick()
    assert done.returncode == 0
    assert "Usage: overtrick" in done.stdout
    assert "play" in done.stdout


def test_games_lists_options_with_their_meaning() -> None:
    shown = overtrick("games").stdout
    assert "hearts: Hearts" in shown
    assert "target=100" in shown
    assert "kuhn" not in shown
    listed = json.loads(overtrick("games", "--all", "--json").stdout)["games"]
    assert listed["hearts"]["seats"] == 4
    assert listed["hearts"]["actions"] == 52
    assert "kuhn" in listed


def test_a_watched_deal_is_the_same_for_the_same_seed() -> None:
    words = ("play", "--terminal", "hearts", "--seat", "none", "--seed", "4")
    first, second = overtrick(*words), started(*words)
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    assert first.stdout.count("takes the trick") == 13
    assert "match:" in first.stdout


def test_a_person_plays_a_whole_deal_by_numbers() -> None:
    done = overtrick("play", "--terminal", "hearts", "--seed", "4", stdin="1\n" * 60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("takes the trick") == 13
    assert "the deal again: hearts;" in done.stdout


def test_a_person_sees_no_card_that_the_others_pass() -> None:
    done = overtrick("play", "--terminal", "hearts", "--seed", "4", stdin="1\n1\n1\nq\n")
    assert done.stdout.count("pass face down") == 9


def test_nonsense_at_the_table_is_answered_and_asked_again() -> None:
    done = overtrick("play", "--terminal", "hearts", "--seed", "4", stdin="ZZ\n?\nh\n99\nq\n")
    assert "'ZZ' is not a card" in done.stdout
    assert "Good bye" in done.stdout
    assert done.returncode == 0


def test_the_end_of_input_leaves_the_table() -> None:
    done = overtrick("play", "--terminal", "hearts", "--seed", "4")
    assert "Good bye" in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize("game", ["kuhn", "leduc", "whist3x3"])
def test_every_game_can_be_played_in_the_terminal(game: str) -> None:
    done = overtrick("play", "--terminal", game, "--deals", "2", "--seed", "1", stdin="1\n" * 40)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("the deal again") == 2


def test_bench_measures_the_arena_too() -> None:
    done = started("bench", "hokm", "--part", "arena", "--repeats", "1", "--json")
    report = json.loads(done.stdout)
    assert report["games"]["hokm"]["deals_per_second"] > 0


def test_bench_measures_the_environments_too() -> None:
    done = started("bench", "kuhn", "--part", "envs", "--repeats", "1", "--json")
    figures = json.loads(done.stdout)["games"]["kuhn"]
    assert {"batched", "batched_observed", "tables", "table", "agents", "openspiel"} == {*figures}
    assert all(part["median"] > 0 for part in figures.values())


def test_bench_measures_other_programs_that_are_installed_and_names_those_that_are_not() -> None:
    done = started("bench", "kuhn", "--peers", "--repeats", "1", "--json")
    report = json.loads(done.stdout)
    assert report["rates"]["OpenSpiel, hearts"]["median"] > 0
    assert "overtrick, kuhn, batched" in report["rates"]
    assert report["failed"] == {}
    assert "RLCard, bridge" in {*report["missing"], *report["rates"]}


def test_bench_prints_one_json_object_with_one_number_a_figure() -> None:
    done = started("bench", "kuhn", "--repeats", "1", "--json")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)["games"]["kuhn"]
    assert set(figures["step_ns_per_move"]) == {"1", "16", "256", "1024"}
    for figure in (
        figures["playout_ns_per_move"],
        figures["world_us"],
        figures["clone_ns"],
        *figures["step_ns_per_move"].values(),
    ):
        assert isinstance(figure, float)
        assert figure > 0
    assert {"spread", "wall"} <= set(figures)


@pytest.mark.long
def test_a_cold_compilation_says_what_it_does(tmp_path: Path) -> None:
    cold = started("compile", "kuhn", OVERTRICK_CACHE=str(tmp_path), OVERTRICK_QUIET="")
    assert "compiling for first use" in cold.stderr
    warm = started("compile", "kuhn", OVERTRICK_CACHE=str(tmp_path), OVERTRICK_QUIET="")
    assert "compiling" not in warm.stderr
    assert "kuhn: nothing to compile" in warm.stderr
