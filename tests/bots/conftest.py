"""What the tests of programs share: a hostile one, views to ask it about, and who is left."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from overtrick.engine.deals import Deal, View
from overtrick.games import load_game
from overtrick.players.external import ExternalPlayer, Patience

HOME = Path(__file__).resolve().parents[2]
HOSTILE = Path(__file__).with_name("hostile_bot.py")
SHORT = Patience(limit=0.2, grace=0.1, hello=60.0, quit=5.0)
"""For programs that hang: whoever means to answer does so long before the real limit."""

Make = Callable[..., ExternalPlayer]


def views_of(game: str, count: int) -> list[View]:
    """Views in which there is something to choose."""
    views = []
    for seed in range(count):
        deal = Deal.from_seed(game, seed)
        views.append(deal.view(deal.seat))
    return views


def starts(place: Path) -> int:
    """How often the hostile program was started."""
    file = place / "starts"
    return len(file.read_text().splitlines()) if file.exists() else 0


def left_of(place: Path) -> list[int]:
    """The processes that still run with this folder on their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            words = (entry / "cmdline").read_bytes()
            state = (entry / "stat").read_bytes().rpartition(b")")[2].split()[0]
        except OSError:
            continue
        if str(place).encode() in words and state not in (b"Z", b"X"):
            found.append(int(entry.name))
    return found


def gone(place: Path) -> bool:
    """Whether nothing is left, or will be soon: on a busy machine killing takes a while.

    Who forks on and on may be between two processes at one look, so several have to find nothing.
    """
    until, empty = time.monotonic() + 60.0, 0
    while time.monotonic() < until:
        empty = 0 if left_of(place) else empty + 1
        if empty == 5:
            return True
        time.sleep(0.01)
    return False


def words_of(fault: str, place: Path, *more: str) -> list[str]:
    return [sys.executable, "-I", "-S", str(HOSTILE), fault, str(place), *more]


def name_of(fault: str, place: Path, *more: str) -> str:
    """The name of the hostile program as a player."""
    return f"exec:{shlex.join(words_of(fault, place, *more))}"


@pytest.fixture
def hostile(tmp_path: Path) -> Iterator[Make]:
    """Makes hostile players of Kuhn poker; nothing of them is left at the end."""
    made: list[ExternalPlayer] = []

    def make(fault: str, *more: str, patience: Patience | None = None) -> ExternalPlayer:
        words = words_of(fault, tmp_path, *more)
        made.append(ExternalPlayer(load_game("kuhn"), f"exec:{fault}", words, {}, patience))
        return made[-1]

    yield make
    for player in made:
        player.close()
    assert gone(tmp_path), left_of(tmp_path)
