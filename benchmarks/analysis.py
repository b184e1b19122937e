"""Whether live analysis keeps out of the way, game by game: 4 tables analysed beside 200 others.

- an action: as in the part `table`, at 200 tables with an action a second each, while 4 more are
  analysed all the time, as thoroughly as a page may ask for
- first bars: from a position with a choice, as its page hears of it, to its first bars
- cancelling: from sending a choice to the last word about the position before it; 0 if there was
  none any more
- a slice: of one analysis, after which it gives way

Nothing else should run on the machine.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import sys
import time
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import connect

from overtrick.cli import _benchmark
from overtrick.engine.deals import Deal
from overtrick.games.game import Game
from overtrick.table.analysing import Analysis
from overtrick.table.wire import Analyse

table = _benchmark("table")

ANALYSED = 4
ASKED = Analyse(kind="analyse", on=True, sims=2_000, worlds=200)
LOOKING = 1.0  # seconds at each position
SLICES = 300
Values = dict[str, Any]


# ---------------------------------------------------------------------------- pages


class Measured:
    """What the analysed tables saw, in seconds."""

    def __init__(self) -> None:
        self.bars: list[float] = []
        self.cancelled: list[float] = []
        self.acts: list[float] = []


class Page:
    """A page that has its positions analysed."""

    def __init__(self, socket: Any, measured: Measured) -> None:
        self.socket, self.measured = socket, measured
        self.deal, self.frame = 0, Values()
        self.appeared = 0.0
        self.has_bars = False

    async def hear(self) -> str:
        """The kind of the next message; what it tells is taken down."""
        told = json.loads(await self.socket.recv())
        now = time.monotonic()
        if told["kind"] in ("snapshot", "frames"):
            self.deal = told["table"]["deal"] if told["kind"] == "snapshot" else self.deal
            self.frame = told["frame"] if told["kind"] == "snapshot" else told["frames"][-1]
            self.appeared, self.has_bars = now, False
        elif told["kind"] == "analysis":
            assert told["number"] == self.frame["number"], "it is of the position that stands"
            if told["bars"] and not self.has_bars and len(told["bars"]) > 1:
                self.measured.bars.append(now - self.appeared)
            self.has_bars = self.has_bars or bool(told["bars"])
        kind: str = told["kind"]
        return kind

    async def look(self, seconds: float) -> None:
        """Watch the bars for a while; at least until there are some."""
        end = time.monotonic() + seconds
        while not self.has_bars or time.monotonic() < end:
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.01, end - time.monotonic())):
                    await self.hear()

    async def act(self, choice: int) -> None:
        """Choose, and hear what comes of it; the last word of the old analysis is timed."""
        number = self.frame["number"]
        act = {"kind": "act", "deal": self.deal, "number": number, "choices": [choice]}
        begun = last = time.monotonic()
        await self.socket.send(json.dumps(act))
        while await self.hear() != "frames":
            last = time.monotonic()
        self.measured.cancelled.append(last - begun)
        self.measured.acts.append(time.monotonic() - begun)


async def analyse_table(
    port: int, laid: Values, number: int, end: float, measured: Measured
) -> None:
    """Play at an analysed table until the time is up."""
    url = f"ws://127.0.0.1:{port}/api/tables/{laid['table']}/socket"
    rng = random.Random(number)
    async with connect(url, compression=None, max_size=2**22) as socket:
        await socket.send(json.dumps({"kind": "hello", "token": laid["seats"][0]["token"]}))
        page = Page(socket, measured)
        await page.hear()
        await socket.send(ASKED.model_dump_json())
        page.appeared = time.monotonic()
        while time.monotonic() < end:
            if page.frame["result"] is not None:
                await socket.send(json.dumps({"kind": "next", "deal": page.deal}))
                while await page.hear() != "snapshot":
                    pass
            elif page.frame["choices"]:
                await page.look(LOOKING * (0.5 + rng.random()))
                await page.act(rng.choice(page.frame["choices"])["choice"])
            else:
                await page.hear()


async def measure_tables(
    port: int, acting: list[Values], analysed: list[Values]
) -> tuple[list[float], Measured]:
    """The seconds of every action at the other tables, and what the analysed ones saw."""
    end = time.monotonic() + table.ARRIVING * len(acting) + table.SECONDS
    measured = Measured()
    acts, *_ = await asyncio.gather(
        table.play_tables(port, acting),
        *(analyse_table(port, laid, n, end, measured) for n, laid in enumerate(analysed)),
    )
    return acts, measured


async def load_search(port: int, laid: Values) -> None:
    """Have one position analysed, so that the kernels of the search are loaded."""
    await analyse_table(port, laid, 0, time.monotonic() + LOOKING, Measured())


# ---------------------------------------------------------------------------- slices


def slice_seconds(game: Game) -> list[float]:
    """The seconds of many slices, of the first positions of deals."""
    spent: list[float] = []
    for seed in range(1, SLICES):
        deal = Deal.from_seed(game, seed)
        while len(deal.legal) == 1:
            deal = deal.play(deal.legal[0])
        assert deal.seat is not None
        moment = {"deal": 0, "number": 0}
        analysis = Analysis(deal.view(deal.seat), moment, ASKED, lambda told: None)
        analysis.step()  # draws the worlds too
        for _ in range(SLICES // 10):
            begun = time.perf_counter()
            more = analysis.step()
            spent.append(time.perf_counter() - begun)
            if not more or len(spent) == SLICES:
                break
        if len(spent) == SLICES:
            break
    return spent


# ---------------------------------------------------------------------------- the report


def measure_game(game: Game, repeats: int) -> Values:
    """All figures of one game."""
    with table.service(game) as port:
        acting = [table.lay_table(port, game) for _ in range(table.TABLES)]
        analysed = [table.lay_table(port, game) for _ in range(ANALYSED * (repeats + 1))]
        table.wait_for_quiet(port)
        asyncio.run(load_search(port, analysed[-1]))
        rounds = [
            asyncio.run(measure_tables(port, acting, analysed[ANALYSED * n : ANALYSED * (n + 1)]))
            for n in range(repeats)
        ]
    return {
        "action_ms": spread([one for acts, _ in rounds for one in acts]),
        "analysed_action_ms": spread([one for _, told in rounds for one in told.acts]),
        "first_bars_ms": spread([one for _, told in rounds for one in told.bars]),
        "cancelling_ms": spread([one for _, told in rounds for one in told.cancelled]),
        "slice_ms": spread(slice_seconds(game)),
    }


def spread(seconds: list[float]) -> Values:
    """Milliseconds: the median, two hundredths above it, and the longest."""
    hundredths = statistics.quantiles([1000 * one for one in seconds], n=100)
    named = {"p50": hundredths[49], "p95": hundredths[94], "p99": hundredths[98]}
    return named | {"longest": 1000 * max(seconds), "count": len(seconds)}


def measure_games(games: list[Game], repeats: int = 1) -> Values:
    """The report of `overtrick bench --part analysis --json`."""
    report: Values = {"games": {}, "repeats": repeats, "machine": table.machine()}
    for game in games:
        print(f"overtrick: measuring {game.name}", file=sys.stderr, flush=True)
        report["games"][game.name] = measure_game(game, repeats)
    return report


def show(report: Values) -> None:
    """The report as a table."""
    from rich.console import Console
    from rich.table import Table

    title = f"{ANALYSED} tables analysed beside {table.TABLES} others; milliseconds"
    shown = Table(title=title, title_justify="left")
    for column in ("", "", "p50", "p95", "p99", "longest", "count"):
        shown.add_column(column, justify="right" if column else "left")
    for name, told in report["games"].items():
        for what, found in told.items():
            numbers = [f"{found[key]:.1f}" for key in ("p50", "p95", "p99", "longest")]
            title = what.removesuffix("_ms").replace("_", " ")
            shown.add_row(name, title, *numbers, str(found["count"]))
    Console().print(shown)
