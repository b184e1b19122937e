"""Jobs take turns, and none keeps the others from theirs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from overtrick.table.thinking import player_of
from overtrick.table.turns import Turns


class Counted:
    """A job of so many steps, written down in a log that several share."""

    def __init__(self, name: str, steps: int, log: list[str]) -> None:
        self.name, self.steps, self.log = name, steps, log
        self.over = threading.Event()
        self.error: Exception | None = None

    def step(self) -> bool:
        self.log.append(self.name)
        self.steps -= 1
        if self.steps == 0:
            self.over.set()
        return self.steps > 0

    def failed(self, error: Exception) -> None:
        self.error = error
        self.over.set()


class Gate(Counted):
    """A job whose first step waits until it is let go."""

    def __init__(self, log: list[str], steps: int = 1) -> None:
        super().__init__("gate", steps, log)
        self.begun, self.open = threading.Event(), threading.Event()

    def step(self) -> bool:
        self.begun.set()
        self.open.wait()
        return super().step()


class Broken(Counted):
    def step(self) -> bool:
        raise ValueError("this job is broken")


@pytest.fixture
def turns() -> Iterator[Turns]:
    made = Turns("test", threads=1, most=3)
    yield made
    made.close()


def test_jobs_take_turns_step_by_step(turns: Turns) -> None:
    log: list[str] = []
    gate, a, b = Gate(log), Counted("a", 3, log), Counted("b", 3, log)
    turns.add(gate)
    gate.begun.wait()
    turns.add(a)
    turns.add(b)
    gate.open.set()
    a.over.wait()
    b.over.wait()
    assert log == ["gate", *"ababab"]


def test_a_new_job_comes_before_those_under_way(turns: Turns) -> None:
    log: list[str] = []
    gate, new = Gate(log, steps=3), Counted("new", 1, log)
    turns.add(gate)
    gate.begun.wait()
    turns.add(new)
    gate.open.set()
    gate.over.wait()
    assert log == ["gate", "new", "gate", "gate"]


def test_beyond_so_many_jobs_the_next_waits_for_its_beginning() -> None:
    turns = Turns("test", threads=1, most=2)
    log: list[str] = []
    gate = Gate(log)
    jobs = [Counted(name, 2, log) for name in "abc"]
    turns.add(gate)
    gate.begun.wait()
    for job in jobs:
        turns.add(job)
    gate.open.set()
    for job in jobs:
        job.over.wait()
    turns.close()
    assert log == ["gate", *"abacbc"]


def test_a_job_that_fails_hears_of_it_and_stops_no_other(
    turns: Turns, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    broken, other = Broken("broken", 1, []), Counted("other", 2, [])
    turns.add(broken)
    turns.add(other)
    broken.over.wait()
    other.over.wait()
    assert isinstance(broken.error, ValueError)


def test_a_thread_rests_before_it_goes_on_but_not_before_a_new_job(turns: Turns) -> None:
    log: list[str] = []
    going, new = Gate(log, steps=2), Counted("new", 1, log)
    turns.rest = 600.0
    turns.add(going)
    going.open.set()
    going.begun.wait()
    turns.add(new)
    new.over.wait()
    turns.close()
    assert log == ["gate", "new"]


def test_each_thread_keeps_players_of_its_own() -> None:
    def player() -> object:
        return player_of("pimc:worlds=2", "hearts")

    with ThreadPoolExecutor(1) as other:
        assert player() is player()
        assert other.submit(player).result() is other.submit(player).result()
        assert other.submit(player).result() is not player()
