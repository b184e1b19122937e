"""Whatever a program does wrong, the deal goes on, it is told, and nothing of it is left."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import numpy as np
import pytest

from bots.conftest import SHORT, Make, gone, left_of, name_of, starts, views_of
from overtrick.games import load_game
from overtrick.jit import streams
from overtrick.players import make_player
from overtrick.players.external import MOST_RESTARTS, ExternalPlayer, Patience

COUNT = MOST_RESTARTS + 3
IN_STEP = [
    ("illegal", "illegal"),
    ("negative", "illegal"),
    ("huge number", "illegal"),
    ("no choice", "nonsense"),
    ("true", "nonsense"),
    ("fraction", "nonsense"),
    ("list", "nonsense"),
    ("unknown text", "nonsense"),
    ("error", "error"),
]
OUT_OF_STEP = [
    ("other id", "nonsense"),
    ("no id", "nonsense"),
    ("not an object", "nonsense"),
    ("nonsense", "nonsense"),
    ("broken", "nonsense"),
    ("not utf-8", "nonsense"),
    ("nan", "nonsense"),
    ("nested", "nonsense"),
    ("zeros", "nonsense"),
    ("long line", "flood"),
    ("flood", "flood"),
    ("flood of complaints", "flood"),
    ("crash", "ended"),
    ("exit", "ended"),
    ("kill", "ended"),
    ("close", "ended"),
    ("children, then exit", "ended"),
]
HANGING = ["hang", "half", "freeze", "children", "hopper", "nothing"]
WITHOUT_HELLO = [("silent", "late"), ("dead", "ended"), ("deaf", "late"), ("other protocol", None)]


def choices_of(player: ExternalPlayer, count: int = COUNT) -> list[tuple[int, int]]:
    """What is chosen in so many views, one after the other, and the lowest legal choices."""
    views = views_of("kuhn", count)
    chosen = [
        int(player.choose(view.records, streams(1, number, "test"))[0])
        for number, view in enumerate(views)
    ]
    return [*zip(chosen, (view.legal[0] for view in views), strict=True)]


def all_lowest(choices: list[tuple[int, int]]) -> bool:
    return all(chosen == lowest for chosen, lowest in choices)


@pytest.mark.parametrize(("fault", "kind"), IN_STEP)
def test_a_wrong_answer_is_replaced_and_the_program_goes_on(fault, kind, hostile: Make, tmp_path):
    player = hostile(fault)
    assert all_lowest(choices_of(player, 3))
    assert (player.replaced, player.reason) == (3, kind)
    assert starts(tmp_path) == 1


@pytest.mark.parametrize(("fault", "kind"), OUT_OF_STEP)
def test_who_is_out_of_step_is_started_again_once_it_is_gone(fault, kind, hostile: Make, tmp_path):
    player = hostile(fault)
    assert all_lowest(choices_of(player, 2))
    assert (player.replaced, player.reason) == (2, kind)
    assert starts(tmp_path) == 2
    assert gone(tmp_path), left_of(tmp_path)


@pytest.mark.parametrize("fault", HANGING)
def test_who_hangs_is_replaced_and_killed_with_its_children(fault, hostile: Make, tmp_path):
    player = hostile(fault, patience=SHORT)
    assert all_lowest(choices_of(player, 2))
    assert (player.replaced, player.reason) == (2, "late")
    assert gone(tmp_path), left_of(tmp_path)


def test_a_program_is_started_a_bounded_number_of_times(hostile: Make, tmp_path):
    player = hostile("exit")
    assert all_lowest(choices_of(player))
    assert starts(tmp_path) == 1 + MOST_RESTARTS
    assert (player.replaced, player.reason) == (COUNT, "out")


@pytest.mark.parametrize(("fault", "kind"), WITHOUT_HELLO)
def test_who_does_not_say_hello_does_not_play(fault, kind, hostile: Make, tmp_path):
    player = hostile(fault, patience=Patience(hello=0.5))
    assert all_lowest(choices_of(player, 1))
    assert player.reason == (kind or "nonsense")
    assert all_lowest(choices_of(player, 3))
    assert player.replaced == 4
    assert starts(tmp_path) <= 1
    assert gone(tmp_path), left_of(tmp_path)


@pytest.mark.parametrize("fault", ["illegal", "exit", "broken"])
def test_who_errs_once_plays_on(fault, hostile: Make):
    player = hostile(fault, "once")
    (first, lowest), *others = choices_of(player, 4)
    assert first == lowest
    assert player.replaced == 1
    assert [chosen for chosen, _ in others] == [view.legal[-1] for view in views_of("kuhn", 4)[1:]]


def test_each_fault_is_logged_and_many_are_only_counted(hostile: Make, caplog):
    player = hostile("illegal")
    with caplog.at_level(logging.WARNING, "overtrick.bots"):
        choices_of(player, 20)
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 11
    assert "exec:illegal chose" in told[0] and "legal are" in told[0]
    assert "only counted" in told[-1]
    assert player.replaced == 20


def test_the_last_words_of_a_program_are_told(hostile: Make, caplog):
    with caplog.at_level(logging.WARNING, "overtrick.bots"):
        choices_of(hostile("crash"), 1)
    assert "ended with status 1: RuntimeError: I have had enough" in caplog.text


def test_children_that_left_the_session_are_gone_after_quit(hostile: Make, tmp_path):
    player = hostile("stays")
    player._patience = Patience(quit=0.3)
    choices_of(player, 1)
    assert player.replaced == 0
    player.close()
    assert gone(tmp_path), left_of(tmp_path)


def test_a_program_that_kills_its_keeper_is_killed_by_its_group(hostile: Make, tmp_path):
    player = hostile("kill the keeper", patience=SHORT)
    assert all_lowest(choices_of(player, 1))
    assert player.replaced == 1
    assert gone(tmp_path), left_of(tmp_path)


def test_a_player_that_nobody_holds_any_more_leaves_nothing(tmp_path):
    player = make_player(name_of("none", tmp_path), load_game("kuhn"))
    choices_of(player, 1)
    assert left_of(tmp_path)
    del player
    assert gone(tmp_path), left_of(tmp_path)


def test_a_fault_changes_no_choice_of_others(hostile: Make):
    views = np.concatenate([view.records for view in views_of("kuhn", 4)])
    player = hostile("illegal", "once")
    together = player.choose(views, streams(4, 1, "test"))
    last = [view.legal[-1] for view in views_of("kuhn", 4)]
    assert [*together[1:]] == last[1:]
    assert player.replaced == 1


# ---------------------------------------------------------------------------- what it is given


def test_a_program_is_told_little_of_our_environment(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("A_SECRET", "of ours")
    script = tmp_path / "tell.sh"
    script.write_text(
        'read -r line; env > "$0.env"\necho \'{"id": 1, "name": "teller", "protocol": 1}\'\n'
    )
    make_player(f"exec:bash {script}", load_game("kuhn"))
    told = dict(line.partition("=")[::2] for line in Path(f"{script}.env").read_text().splitlines())
    assert "A_SECRET" not in told
    assert told["PATH"] == os.environ["PATH"]
    assert not {"PYTHONPATH", "VIRTUAL_ENV", "USER"} & set(told)


def test_a_command_meets_no_shell(tmp_path: Path):
    made = tmp_path / "made"
    name = f"{name_of('none', tmp_path)} ; touch {made} && $(touch {made})"
    player = make_player(name, load_game("kuhn"))
    player.close()
    assert not made.exists()
