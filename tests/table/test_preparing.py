"""A cold start: the page is there at once, and tells how far the compilation is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from overtrick.games import load_game
from overtrick.table.preparing import SEARCH, TABLE, is_cached, load_stage, mark_of
from table.at_work import PERSON, started


def told_by(tmp_path: Path, name: str, stage: str) -> list[dict[str, Any]]:
    """What the process that compiles tells, line by line."""
    command = [sys.executable, "-m", "overtrick.table.preparing", name, stage]
    environment = os.environ | {"OVERTRICK_CACHE": str(tmp_path), "OVERTRICK_QUIET": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_stage_that_was_loaded_is_marked_in_the_cache() -> None:
    told: list[tuple[int, int, str]] = []
    load_stage("kuhn", TABLE, lambda *step: told.append(step))
    assert is_cached("kuhn", TABLE)
    assert [done for done, _, _ in told] == [*range(len(told))]
    assert told[-1][0] == told[-1][1]


def test_the_mark_lies_among_the_kernels_that_it_tells_of() -> None:
    load_stage("kuhn", TABLE, lambda *step: None)
    folder = mark_of(load_game("kuhn"), TABLE).parent
    assert any(path.suffix == ".kernel" for path in folder.iterdir())


def test_an_unknown_game_cannot_be_compiled() -> None:
    command = [sys.executable, "-m", "overtrick.table.preparing", "chess", TABLE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stdout == ""


@pytest.mark.long
def test_compiling_tells_every_step(tmp_path: Path) -> None:
    for stage in (TABLE, SEARCH):
        told = told_by(tmp_path, "kuhn", stage)
        assert [step["done"] for step in told] == [*range(len(told))]
        assert told[-1]["done"] == told[-1]["steps"]


@pytest.mark.long
def test_a_cold_service_answers_at_once_tells_its_progress_and_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERTRICK_CACHE", str(tmp_path / "cache"))
    with started(tmp_path / "data", "snapszer", "--port", "0") as running:
        service, seen = running.service, []
        assert service.ask("GET", "/").status == 200
        asked = {"game": "snapszer", "players": [PERSON, "rulebook"]}
        early = service.ask("POST", "/api/tables", asked)
        assert early.status in (201, 503)
        while True:
            told = service.ask("GET", "/api/games/snapszer").json["readiness"]
            seen.append((told["state"], told["done"]))
            assert told["state"] != "failed", told
            if told["state"] == "ready":
                break
            time.sleep(0.2)
        assert ("compiling", 1) in seen or max(done for _, done in seen) > 1
        assert [done for state, done in seen if state == "compiling"] == sorted(
            done for state, done in seen if state == "compiling"
        )
        assert service.table("snapszer").snapshot()["frame"]["number"] >= 0
