"""Getting games ready: their kernels are compiled in another process, and loaded in a thread.

A game is made ready in two stages. With the first it can be played against rulebooks; the second
is what searching players need on top, at low priority. The service answers all the while, and
tells how far it is. What is in the kernel cache already is only loaded.

    python -m overtrick.table.preparing hearts table

compiles one stage, and tells each step as one line of JSON.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overtrick.errors import NotReady, OvertrickError, UnknownName
from overtrick.table.wire import Readiness

if TYPE_CHECKING:
    from overtrick.games.game import Game

__all__ = ["SEARCH", "TABLE", "Preparing", "load_stage"]

TABLE, SEARCH = "table", "search"

Step = tuple[str, Callable[[], Any]]
Tell = Callable[[int, int, str], None]
LATER_NICE = 10
TELL_SECONDS = 1.0
UNKNOWN = 3  # the status that tells that there is no such game


# ---------------------------------------------------------------------------- the steps


class FirstDeal:
    """A deal played once, which calls every kernel that a table without searchers calls."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def steps(self) -> list[Step]:
        """What is done, in order."""
        return [
            ("matches", self._begin),
            ("dealing", self._deal),
            ("legal choices", lambda: self.deal.legal),
            ("choices", lambda: self.deal.play(self.deal.legal[0])),
            ("views", lambda: self.deal.view(0)),
            ("rulebooks", self._choose),
            ("payoffs", self._finish),
            ("scores", lambda: self.match.after(self.deal).winners),
        ]

    def _begin(self) -> None:
        from overtrick.engine.deals import Match

        self.match = Match.start(self.game, seed=0)

    def _deal(self) -> None:
        self.deal = self.match.deal(0)

    def _choose(self) -> int:
        from overtrick.jit import streams
        from overtrick.players import make_player

        player = make_player("rulebook" if self.game.rulebooks else "random", self.game)
        seat = self.deal.seat
        assert seat is not None
        chosen = player.choose(self.deal.view(seat).records, streams(1, 0, "first deal"))
        return int(chosen[0])

    def _finish(self) -> None:
        while not self.deal.is_over:
            self.deal = self.deal.play(self._choose())
        _ = self.deal.payoffs


def searches(game: Game) -> list[Step]:
    """What calls every kernel of the searching players."""
    from overtrick.engine.deals import Deal, View
    from overtrick.jit import streams
    from overtrick.players import make_player
    from overtrick.search.warm import warm_up_pointer, warm_up_search

    deal = Deal.from_seed(game, 0)
    view = deal.view(deal.seat or 0)

    def search(name: str) -> Step:
        chance = streams(1, 0, "first search")
        return name, lambda: make_player(name, game).choose(view.records, chance)

    names = ("pimc:worlds=2", "puct:worlds=2,sims=2", "ismcts:sims=4")
    return [
        ("views in words", lambda: View.from_text(view.text())),
        *map(search, names),
        ("endings", lambda: warm_up_search(game)),
        *([("pointer nets", lambda: warm_up_pointer(game))] if has_pointer(game) else []),
    ]


def has_pointer(game: Game) -> bool:
    """Whether a pointer net may sit down; its kernels take long, so else they are left alone."""
    from overtrick.models import list_models
    from overtrick.nets.pointer_spec import PointerSpec

    specs = (spec for model in list_models(game) for spec in model.nets.values())
    return any(isinstance(spec, PointerSpec) for spec in specs)


def load_stage(name: str, stage: str, tell: Tell) -> None:
    """Compile, or load from the cache, what a stage needs; then mark it as done."""
    from overtrick.games import load_game

    game = load_game(name)
    steps = FirstDeal(game).steps() if stage == TABLE else searches(game)
    for number, (what, call) in enumerate(steps):
        tell(number, len(steps), what)
        call()
    tell(len(steps), len(steps), "")
    with suppress(OSError):
        mark_of(game, stage).parent.mkdir(parents=True, exist_ok=True)
        mark_of(game, stage).touch()


def mark_of(game: Game, stage: str) -> Path:
    """The file that tells that a stage is in the kernel cache; it goes when its kernels go."""
    import numba

    from overtrick.jit import cache_folder, module_digest

    digest = (game.state.names or ("",))[-1].rpartition("__")[2]
    version = f"py{sys.version_info[0]}{sys.version_info[1]}-numba{numba.__version__}"
    what = f"{stage}-pointer" if stage == SEARCH and has_pointer(game) else stage
    ready = f"{what}-{module_digest(Path(__file__).resolve(), lazy=True)}.ready"
    return cache_folder() / version / f"{game.name}-{digest}" / ready


def is_cached(name: str, stage: str) -> bool:
    """Whether a stage needs no compiling."""
    from overtrick.games import load_game
    from overtrick.jit import COMPILED

    return not COMPILED or mark_of(load_game(name), stage).exists()


# ---------------------------------------------------------------------------- in the service


class Preparing:
    """How far each game is, and whoever waits for it."""

    def __init__(self) -> None:
        self._state: dict[tuple[str, str], Readiness] = {}
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._closed = False
        self._search_turn = asyncio.Lock()  # tables do not wait for each other, searches do

    def readiness(self, name: str) -> Readiness:
        """How far a game is; begins to get it ready."""
        self.begin(name)
        return self._state[name, TABLE]

    def so_far(self, name: str, stage: str = TABLE) -> Readiness:
        """How far a game is, whether or not anybody has asked for it yet."""
        return self._state.get((name, stage)) or Readiness(state="loading")

    async def begin_cached(self) -> None:
        """Load all games that need no compiling, one after another."""
        from overtrick.games import game_names

        for name in await asyncio.to_thread(game_names):
            if await asyncio.to_thread(is_cached, name, TABLE):
                await asyncio.wait([self.begin(name)])

    def is_ready(self, name: str, stage: str = TABLE) -> bool:
        """Whether a stage can be used at once."""
        told = self._state.get((name, stage))
        return told is not None and told.state == "ready"

    def begin(self, name: str, stage: str = TABLE) -> asyncio.Task[None]:
        """Get a stage of a game ready, if that has not begun; one that failed is tried again."""
        key = name, stage
        failed = key in self._state and self._state[key].state == "failed"
        if key not in self._tasks or (failed and self._tasks[key].done()):
            self._state[key] = Readiness(state="loading", what="loading")
            self._tasks[key] = asyncio.create_task(self._prepare(name, stage))
        return self._tasks[key]

    async def wait(self, name: str, stage: str = TABLE) -> None:
        """Wait until a stage is ready; NotReady if it cannot be."""
        await asyncio.shield(self.begin(name, stage))
        told = self._state[name, stage]
        if told.state != "ready":
            raise NotReady(f"{name} cannot be made ready: {told.what}")

    async def follow(self, name: str, stage: str, tell: Callable[[Readiness], None]) -> None:
        """Wait until a stage is ready, telling now and then how far it is; NotReady as `wait`."""
        while not self.is_ready(name, stage):
            task = self.begin(name, stage)
            tell(self.so_far(name, stage))
            await asyncio.wait([task], timeout=TELL_SECONDS)
            if task.done():
                await self.wait(name, stage)

    async def soon(self, name: str, stage: str = TABLE) -> None:
        """Wait until a stage is ready; NotReady at once if it is still to be compiled."""
        if self.is_ready(name, stage):
            return
        task = self.begin(name, stage)
        while not task.done():
            told = self._state[name, stage]
            if told.state == "compiling":
                raise NotReady(f"{name} is being compiled, {told.done} of {told.steps} steps done")
            await asyncio.wait([task], timeout=0.05)
        await self.wait(name, stage)

    async def close(self) -> None:
        """Stop all that is under way."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _prepare(self, name: str, stage: str) -> None:
        key = name, stage
        try:
            if stage == SEARCH:
                await self.wait(name)
            if not await asyncio.to_thread(is_cached, name, stage):
                async with self._search_turn if stage == SEARCH else nullcontext():
                    await self._compile(name, stage)
            await asyncio.to_thread(load_stage, name, stage, self._teller(key, "loading"))
            gc.freeze()  # kernels stay for good: looking through them again and again takes long
            self._state[key] = Readiness(state="ready")
        except (OvertrickError, OSError) as error:
            self._state[key] = Readiness(state="failed", what=str(error))

    def _teller(self, key: tuple[str, str], state: Any) -> Tell:
        def tell(done: int, steps: int, what: str) -> None:
            if self._closed:
                raise NotReady("the service has ended")
            self._state[key] = Readiness(state=state, done=done, steps=steps, what=what)

        return tell

    async def _compile(self, name: str, stage: str) -> None:
        """Compile a stage in a process of its own, unless only this one knows the game."""
        self._state[name, stage] = Readiness(state="compiling", what="compiling")
        tell = self._teller((name, stage), "compiling")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "overtrick.table.preparing", name, stage),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        complaints = asyncio.create_task(process.stderr.read())
        try:
            async for line in process.stdout:
                told = json.loads(line)
                tell(told["done"], told["steps"], told["what"])
            await process.wait()
        finally:
            if process.returncode is None:
                complaints.cancel()
                with suppress(ProcessLookupError):
                    process.kill()
        if process.returncode not in (0, UNKNOWN):
            last = (await complaints).decode(errors="replace").strip().splitlines()[-1:]
            raise OvertrickError(f"the compiler stopped: {' '.join(last)}")


# ---------------------------------------------------------------------------- in the process


def main(name: str, stage: str) -> None:
    """Compile one stage of a game, telling each step as one line of JSON."""
    if stage == SEARCH and hasattr(os, "nice"):
        os.nice(LATER_NICE)

    def tell(done: int, steps: int, what: str) -> None:
        print(json.dumps({"done": done, "steps": steps, "what": what}), flush=True)

    load_stage(name, stage, tell)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except UnknownName:
        sys.exit(UNKNOWN)
    except OvertrickError as error:
        sys.exit(str(error))
