"""How fast the table service answers, game by game: many tables at once, and a warm start.

- an action: from sending a choice to the frames that contain it and all that the bots answered,
  at 200 tables with rulebook players, each with one action a second, over WebSockets; the service
  and its clients are two processes on the same machine
- the start: from starting the command to the first choice that a person may make, the kernels
  being in the cache

Nothing else should run on the machine.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.asyncio.client import connect

from overtrick.games.game import Game

TABLES = 200
SECONDS = 15.0
LOADING = 20.0  # seconds at most for the other games to be loaded
ARRIVING = 0.025  # seconds between two people who come: more at once are refused
BETWEEN = 1.0  # seconds between the actions of one table
Values = dict[str, Any]


# ---------------------------------------------------------------------------- the service


@contextmanager
def service(game: Game) -> Iterator[int]:
    """The port of a service of its own, with an empty data folder."""
    words = ["play", game.name, "--no-browser", "--port", "0"]
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"OVERTRICK_DATA": folder}
        command = [sys.executable, "-m", "overtrick", *words]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        try:
            told = re.search(r":(\d+) ", process.stdout.readline())
            assert told is not None, "the service does not start"
            yield int(told[1])
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()


def ask(port: int, method: str, path: str, body: Values | None = None) -> Any:
    """What the service answers; None if it is not ready."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        data=None if body is None else json.dumps(body).encode(),
        method=method,
        headers={"content-type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 503:
            return None
        raise


def lay_table(port: int, game: Game) -> Values:
    """A table with a person in the first seat, once the game is ready."""
    bot = "rulebook" if game.rulebooks else "random"
    asked = {"game": game.name, "players": ["person", *[bot] * (game.seats - 1)]}
    while (created := ask(port, "POST", "/api/tables", asked)) is None:
        time.sleep(0.05)
    table: Values = created
    return table


def wait_for_quiet(port: int) -> None:
    """Wait until the games in the cache have been loaded, as they are after a start."""
    end = time.monotonic() + LOADING
    while time.monotonic() < end:
        told = ask(port, "GET", "/api/games")
        if all(game["readiness"]["state"] != "loading" for game in told):
            return
        time.sleep(1.0)


# ---------------------------------------------------------------------------- many tables


class Load:
    """What clients measured."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.begin = time.monotonic() + ARRIVING * TABLES  # once all are there
        self.end = self.begin + SECONDS
        self.seconds: list[float] = []


async def play_table(load: Load, table: Values, number: int) -> None:
    """Play at one table, an action a second, until the time is up."""
    url = f"ws://127.0.0.1:{load.port}/api/tables/{table['table']}/socket"
    await asyncio.sleep(number * ARRIVING)
    async with connect(url, compression=None, max_size=2**22) as socket:
        await socket.send(json.dumps({"kind": "hello", "token": table["seats"][0]["token"]}))
        told = json.loads(await socket.recv())
        deal, frame = told["table"]["deal"], told["frame"]
        rng = random.Random(number)
        await asyncio.sleep(rng.random() * BETWEEN)
        while time.monotonic() < load.end:
            begun = time.monotonic()
            if frame["result"] is not None:
                await socket.send(json.dumps({"kind": "next", "deal": deal}))
                told = json.loads(await socket.recv())
                deal, frame = told["table"]["deal"], told["frame"]
            else:
                frame = await act(socket, deal, frame, rng)
                if begun >= load.begin:
                    load.seconds.append(time.monotonic() - begun)
            await asyncio.sleep(max(0.0, begun + BETWEEN - time.monotonic()))


async def act(socket: Any, deal: int, frame: Values, rng: random.Random) -> Any:
    """Make a choice; the last frame of those that contain it."""
    choice = rng.choice(frame["choices"])["choice"]
    number = frame["number"]
    message = {"kind": "act", "deal": deal, "number": number, "choices": [choice]}
    await socket.send(json.dumps(message))
    while True:
        told = json.loads(await socket.recv())
        if told["kind"] == "frames" and told["frames"][0]["number"] == number + 1:
            return told["frames"][-1]


async def play_tables(port: int, tables: list[Values]) -> list[float]:
    """The seconds of every action at many tables."""
    load = Load(port)
    await asyncio.gather(*(play_table(load, table, n) for n, table in enumerate(tables)))
    return load.seconds


# ---------------------------------------------------------------------------- the report


def start_seconds(game: Game) -> float:
    """Seconds from starting the command to the first choice that a person may make."""
    begun = time.monotonic()
    with service(game) as port:
        table = lay_table(port, game)
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/tables/{table['table']}",
            headers={"authorization": f"Bearer {table['seats'][0]['token']}"},
        )
        with urllib.request.urlopen(request) as answer:
            frame = json.load(answer)["frame"]
        assert frame["choices"] or frame["result"], "it is the person's turn, or all is over"
        return time.monotonic() - begun


def measure_game(game: Game, repeats: int) -> Values:
    """All figures of one game."""
    start_seconds(game)  # compiles what is not in the cache
    starts = [start_seconds(game) for _ in range(repeats)]
    with service(game) as port:
        tables = [lay_table(port, game) for _ in range(TABLES)]
        wait_for_quiet(port)
        spent = sorted(1000 * one for one in asyncio.run(play_tables(port, tables)))
    hundredths = statistics.quantiles(spent, n=100)
    return {
        "actions": len(spent),
        "action_ms": {"p50": hundredths[49], "p95": hundredths[94], "p99": hundredths[98]},
        "longest_ms": spent[-1],
        "start_s": statistics.median(starts),
        "spread": {"start_s": [min(starts), max(starts)]},
    }


def measure_games(games: list[Game], repeats: int = 5) -> Values:
    """The report of `overtrick bench --part table --json`."""
    report: Values = {"games": {}, "repeats": repeats, "machine": machine()}
    for game in games:
        print(f"overtrick: measuring {game.name}", file=sys.stderr, flush=True)
        report["games"][game.name] = measure_game(game, repeats)
    return report


def machine() -> Values:
    """What the figures were taken on."""
    return {
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load": os.getloadavg()[0],
        "tables": TABLES,
    }


def show(report: Values) -> None:
    """The report as a table."""
    from rich.console import Console
    from rich.table import Table

    title = f"{TABLES} tables, an action a second each; milliseconds to the answer"
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for column in ("p50", "p95", "p99", "longest", "actions", "warm start, s"):
        table.add_column(column, justify="right")
    for name, told in report["games"].items():
        spread = told["spread"]["start_s"]
        table.add_row(
            name,
            *(f"{told['action_ms'][key]:.1f}" for key in ("p50", "p95", "p99")),
            f"{told['longest_ms']:.1f}",
            str(told["actions"]),
            f"{told['start_s']:.2f} ({spread[0]:.2f}–{spread[1]:.2f})",
        )
    Console().print(table)
