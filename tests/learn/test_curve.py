"""Curves of what runs have logged: told, drawn, and refused in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overtrick.cli import app
from overtrick.errors import BadOption, UnknownName
from overtrick.games import load_game
from overtrick.learn.curves import curves_of, figure_metrics, smoothed
from overtrick.learn.journal import LOG
from overtrick.learn.run import run_folder

LINES: list[dict[str, Any]] = [
    {"iteration": 1, "deals": 10, "minutes": 0.1, "phase": "[PPO]", "explained": 0.1},
    {"iteration": 2, "deals": 20, "minutes": 0.2, "phase": "[PPO]", "explained": 0.3}
    | {"wins random": 0.6, "wins strong": 0.2, "attacking rate": 0.5},
    {"iteration": 3, "deals": 30, "minutes": 0.3, "phase": "[PPO]", "explained": 0.5},
]
COINCHE = load_game("coinche")


@pytest.fixture(autouse=True)
def _logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path))
    for name in ("one", "other"):
        folder = run_folder("coinche", "ppo", name)
        folder.mkdir(parents=True)
        (folder / LOG).write_text("".join(json.dumps(line) + "\n" for line in LINES))


def test_a_curve_has_the_points_at_which_a_metric_was_logged() -> None:
    one, other = curves_of(COINCHE, "ppo", ["one", "other"], ["explained"], "deals")
    assert (one.run, other.run) == ("one", "other")
    assert one.x.tolist() == [10, 20, 30]
    assert one.values.tolist() == [0.1, 0.3, 0.5]
    (wins,) = curves_of(COINCHE, "ppo", ["one"], ["wins random"], "minutes")
    assert (wins.x.tolist(), wins.values.tolist()) == ([0.2], [0.6])


def test_the_figure_of_learning_begins_with_what_was_won() -> None:
    told = figure_metrics(COINCHE, "ppo", ["one"], "learning")
    assert told == ["wins random", "wins strong", "explained"]


def test_the_figure_of_learning_has_the_losses_of_every_method() -> None:
    folder = run_folder("coinche", "direct", "one")
    folder.mkdir(parents=True)
    line = {"iteration": 1, "deals": 10, "lead_loss": 0.4, "follow_loss": 0.2, "QMSE": 1.5}
    (folder / LOG).write_text(json.dumps(line) + "\n")
    told = figure_metrics(COINCHE, "direct", ["one"], "learning")
    assert told == ["QMSE", "follow_loss", "lead_loss"]
    with pytest.raises(BadOption, match="nothing of the figure play was logged, only QMSE, deals"):
        figure_metrics(COINCHE, "direct", ["one"], "play")


def test_the_figure_of_play_has_the_games_own_numbers() -> None:
    assert figure_metrics(COINCHE, "ppo", ["one"], "play") == ["attacking rate"]


def test_means_of_neighbours_are_taken_over_fewer_at_the_ends() -> None:
    values = np.array([0.0, 3.0, 6.0, 9.0])
    assert smoothed(values, 3).tolist() == [1.5, 3.0, 6.0, 7.5]
    assert smoothed(values, 1).tolist() == values.tolist()


def test_the_command_tells_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "curves.png"
    app(["curve", "coinche", "ppo", "--plot", str(picture)], standalone_mode=False)
    assert "wins random" in capsys.readouterr().out
    assert picture.read_bytes()[:4] == b"\x89PNG"
    app(["curve", "coinche", "ppo", "one", "--json"], standalone_mode=False)
    told = json.loads(capsys.readouterr().out)["curves"]
    assert [one["metric"] for one in told] == ["wins random", "wins strong", "explained"]


@pytest.mark.parametrize(
    ("call", "error", "expected"),
    [
        (lambda: curves_of(COINCHE, "ppo", ["one"], ["luck"], "deals"), UnknownName, "luck"),
        (lambda: curves_of(COINCHE, "ppo", ["none"], ["explained"], "deals"), UnknownName, "none"),
        (lambda: curves_of(COINCHE, "ppo", ["one"], ["explained"], "hours"), BadOption, "hours"),
        (lambda: figure_metrics(COINCHE, "ppo", ["one"], "beauty"), UnknownName, "beauty"),
    ],
)
def test_what_is_not_there_is_told(call: Any, error: type[Exception], expected: str) -> None:
    with pytest.raises(error, match=expected):
        call()
