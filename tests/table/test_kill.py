"""Killed in mid-deal and started again: every table goes on where it was acknowledged."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from table.at_work import LaidTable, Running, started


def play_until_killed(table: LaidTable, running: Running, after: float) -> Any:
    """Play by first choices until the service is killed; the last frame that came."""
    timer = threading.Timer(after, running.kill)
    last: dict[str, Any] = {}
    with table.page() as page:
        try:
            page.hear()
            timer.start()
            while True:
                last = {"deal": page.deal, **page.frame}
                if page.frame["result"] is not None:
                    page.send(kind="next", deal=page.deal)
                else:
                    page.act(page.frame["choices"][0]["choice"])
                page.hear()
        except ConnectionClosed:
            pass
    timer.join()
    return last


def check_goes_on(table: LaidTable, last: Any) -> None:
    """What was told before the kill is there, and what comes next is at most one act more."""
    told = table.snapshot()
    deal, number = told["table"]["deal"], told["frame"]["number"]
    assert deal >= last["deal"]
    if deal == last["deal"]:
        assert number >= last["number"]
        if last["number"]:
            made = told["past"][last["number"] - 1]
            assert made == last["event"] or last["event"] is None


def kill_many_times(folder: Path, game: str, kills: int) -> None:
    rng = random.Random(kills)
    table: LaidTable | None = None
    for _ in range(kills):
        with started(folder, "--port", "0") as running:
            if table is None:
                table = running.service.table(game)
            table.service = running.service
            last = play_until_killed(table, running, rng.uniform(0.05, 0.4))
        with started(folder, "--port", "0") as running:
            table.service = running.service
            check_goes_on(table, last)


def test_what_was_acknowledged_survives_a_kill_in_mid_deal(tmp_path: Path) -> None:
    kill_many_times(tmp_path, "hearts", 2)


@pytest.mark.long
@pytest.mark.parametrize("game", ["coinche", "hearts", "hokm", "sheephead", "snapszer"])
def test_what_was_acknowledged_survives_many_kills(tmp_path: Path, game: str) -> None:
    kill_many_times(tmp_path, game, 15)


def test_ctrl_c_ends_the_service_at_once_and_in_order(tmp_path: Path) -> None:
    with started(tmp_path, "--port", "0") as running:
        table = running.service.table("hearts")
        with table.page() as page:
            page.hear()
            running.process.send_signal(signal.SIGINT)
            assert running.process.wait(timeout=20) in (0, 130)
    with started(tmp_path, "--port", "0") as running:
        table.service = running.service
        assert table.snapshot()["table"]["game"] == "hearts"


def test_a_second_service_on_the_same_tables_is_refused(tmp_path: Path) -> None:
    with started(tmp_path, "--port", "0"):
        second = _refused(tmp_path, "--port", "0")
    assert "another overtrick uses" in second


def test_a_port_that_was_asked_for_and_is_taken_is_refused(tmp_path: Path) -> None:
    with started(tmp_path, "--port", "0") as running:
        second = _refused(tmp_path / "other", "--port", str(running.service.port))
    assert f"port {running.service.port} of 127.0.0.1 cannot be used" in second


def test_a_host_that_others_can_reach_is_warned_of(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "overtrick", "play", "--no-browser", "--host", "0.0.0.0"]
    environment = os.environ | {"OVERTRICK_DATA": str(tmp_path)}
    with subprocess.Popen(
        [*command, "--port", "0"], stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stderr is not None
        assert "over the network" in process.stderr.readline()
        process.kill()


def _refused(folder: Path, *words: str) -> str:
    """The one line of a service that does not start."""
    command = [sys.executable, "-m", "overtrick", "play", "--no-browser", *words]
    environment = os.environ | {"OVERTRICK_DATA": str(folder), "OVERTRICK_QUIET": "1"}
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    return done.stderr
