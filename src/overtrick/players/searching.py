"""Players that search: they draw worlds of their view and try their choices there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from overtrick.engine.batches import legal_all
from overtrick.errors import BadOption, DealOver
from overtrick.games.game import Choice, Choices, Game, Row
from overtrick.jit import fork, popcount
from overtrick.players.advice import Advice, Weighed
from overtrick.players.levels import level_player, playout_player
from overtrick.players.naming import PlayerName, Settings
from overtrick.search.beliefs import EVENLY, Beliefs
from overtrick.search.ismcts import MANY, OWN, Ismcts
from overtrick.search.pimc import Pimc
from overtrick.search.puct import ROOM, Puct
from overtrick.search.thinking import MOST_CHOICES, Table, Thinking

__all__ = [
    "SearchPlayer",
    "ismcts_player",
    "pimc_player",
    "puct_player",
    "puct_search",
    "weighed_by",
]

Records = np.ndarray[Any, Any]
Begin = Callable[[Records, Choices, Row, bool], tuple[Thinking, int]]
"""Begins the search of a view with these legal choices and this chance; and its budget in units.

The last argument tells whether time alone is to end it.
"""

LARGEST = 10**9  # units, where time is the budget
STEP = 64  # units between looks at the clock
MOST_POOL = 512  # worlds of which the simulations of an information-set search take theirs
MOST_NODES = 1 << 16  # of a tree
EYES = {"search": MANY, "playout": OWN}
DRAWING = 1 << 40  # the child of a view's stream by which worlds are drawn


def weighed_by(table: Table, choices: Sequence[Choice], unit: int) -> tuple[Weighed, ...]:
    """Choices as a search has found them; so many parts of its payoffs are a point."""
    return tuple(
        Weighed(
            choice,
            float(table.probability[choice]),
            float(table.payoff[choice]) / unit,
            float(table.error[choice]) / unit,
            int(table.visits[choice]),
        )
        for choice in choices
    )


class SearchPlayer:
    """Searches each view until its budget is spent or its choice is settled.

    The budget counts the units of the search, `ms` is wall time (0: as long as it takes);
    whichever is over first ends the search.
    """

    def __init__(
        self, game: Game, name: str, begin: Begin, *, ms: int, unit: str, step: int = STEP
    ) -> None:
        self.game = game
        self.name = name
        self._begin = begin
        self._ms = ms
        self._unit = unit
        self._step = step
        self.stopping: Callable[[], bool] | None = None  # asked between steps

    def choose(self, views: Records, streams: Row) -> Row:
        """The best choice for each view."""
        legals = np.zeros(len(views), dtype=np.int64)
        legal_all(views, legals)
        if not legals.all():
            raise DealOver(f"{self.game.name}: the deal is over")
        chosen = np.zeros(len(views), dtype=np.int64)
        for number in range(len(views)):
            legal = int(legals[number])
            if legal & legal - 1 == 0:
                chosen[number] = legal.bit_length() - 1
            else:
                search, budget = self._begin(
                    views[number : number + 1], legal, streams[number], False
                )
                for _ in self._steps(search, budget, self._seconds()):
                    pass
                chosen[number] = search.table().probability.argmax()
        return chosen

    def _seconds(self) -> float:
        return self._ms / 1000 if self._ms else float("inf")

    def _steps(self, search: Thinking, budget: int, seconds: float) -> Iterator[None]:
        """Think step by step until the budget or the time is spent, or nothing can change."""
        end = time.perf_counter() + seconds
        while search.spent < budget:
            search.think(min(self._step, budget - search.spent))
            yield
            if time.perf_counter() >= end or search.settled(budget - search.spent):
                return
            if self.stopping is not None and self.stopping():
                return

    def advise(self, view: Records, stream: Row) -> Iterator[Advice]:
        """Advice after more and more thought, up to the whole budget."""
        yield from self._advise(view, stream, self._seconds(), False)

    def advise_for(self, view: Records, stream: Row, seconds: float) -> Iterator[Advice]:
        """Advice after more and more thought for so long, whatever the budget in the name."""
        yield from self._advise(view, stream, seconds, True)

    def _advise(
        self, view: Records, stream: Row, seconds: float, endless: bool
    ) -> Iterator[Advice]:
        legals = np.zeros(1, dtype=np.int64)
        legal_all(view, legals)
        legal = int(legals[0])
        if legal == 0:
            raise DealOver(f"{self.game.name}: the deal is over")
        if legal & legal - 1 == 0:
            only = Weighed(legal.bit_length() - 1, 1.0)
            yield Advice(self.name, (only,), True, "the only legal choice")
            return
        search, budget = self._begin(view, legal, stream, endless)
        told = 0
        for _ in self._steps(search, budget, seconds):
            if search.spent >= 2 * told:
                told = search.spent
                yield self._advice(search, legal, done=False)
        yield self._advice(search, legal, done=True)

    def _advice(self, search: Thinking, legal: Choices, *, done: bool) -> Advice:
        choices = [choice for choice in range(MOST_CHOICES) if legal >> choice & 1]
        weighed = weighed_by(search.table(), choices, self.game.payoff_unit)
        how = f"after {search.spent:,} {self._unit}"
        worth = getattr(search, "effective", 0.0)  # of worlds that count unevenly
        if worth:
            how += f", worth {worth:,.0f} independent ones"
        return Advice(self.name, weighed, done, how)


# ---------------------------------------------------------------------------- by name


class _Common:
    """The settings that all kinds of search have, with the game's defaults."""

    NAMES = ("playout", "noise", "belief", "candidates", "endgame", "threads", "ms")

    def __init__(self, game: Game, name: PlayerName, *own: str) -> None:
        told = Settings(name, (*own, *self.NAMES))
        defaults = game.search_defaults
        self.told = told
        self.playout = playout_player(game, told.text("playout", ""))
        self.noise = told.number("noise", 0, least=0, most=1000)
        self.ms = told.number("ms", 0, least=1, most=1_000_000) if "ms" in told else 0
        self.threads = told.number("threads", 1, least=1, most=64)
        self.endgame = told.number("endgame", defaults.get("endgame", 0), least=0, most=64)
        model = told.text("belief", defaults.get("belief", "none"))
        self.model = None if model == "none" else level_player(game, model)
        level = EVENLY if self.model is None else self.model.level
        self.candidates = told.number("candidates", 4, least=1, most=1000)
        self.beliefs = Beliefs(game, level, candidates=self.candidates)

    def worlds(self, view: Records, count: int, stream: Row) -> Records:
        """So many worlds of a view, the likely ones several times."""
        chance = np.empty(2, dtype=np.int64)
        fork(stream, DRAWING, chance)
        drawn = self.beliefs.draw(view, count, chance)
        return np.repeat(drawn.records, drawn.counts)

    def tree_settings(self) -> dict[str, Any]:
        """What both kinds of trees are told."""
        return {
            "level": self.playout.level,
            "noise": self.noise,
            "endgame": self.endgame,
            "threads": self.threads,
            "temperature": 0.0,
        }

    def units(self, key: str, usual: int) -> int:
        """A budget in units; without bounds when only time is told."""
        if self.ms and key not in self.told:
            return LARGEST
        return self.told.number(key, usual, least=1, most=LARGEST)

    def name(self, kind: str, **own: int) -> str:
        """The full name: what decides the choices, the defaults of today written out."""
        parts = [f"{key}={value}" for key, value in own.items() if value < LARGEST]
        parts += [f"ms={self.ms}"] if self.ms else []
        parts.append(f"playout={self.playout.name}")
        parts.append(f"belief={self.model.name if self.model else 'none'}")
        parts += [f"candidates={self.candidates}"] if self.model and self.candidates != 4 else []
        parts += [f"noise={self.noise}"] if self.noise else []
        parts += [f"endgame={self.endgame}"] if self.endgame else []
        parts += [f"threads={self.threads}"] if self.threads > 1 else []
        return f"{kind}:{','.join(parts)}"


def pimc_player(game: Game, name: PlayerName) -> SearchPlayer:
    """`pimc:worlds=100,playout=rulebook`; `playouts` are those of all choices together."""
    common = _Common(game, name, "worlds", "playouts")
    playouts = common.told.number("playouts", 0, least=0, most=LARGEST)
    worlds = LARGEST if playouts else common.units("worlds", 100)

    def begin(view: Records, legal: Choices, stream: Row, endless: bool) -> tuple[Thinking, int]:
        budget = max(1, playouts // popcount(legal)) if playouts else worlds
        budget = LARGEST if endless else budget
        search = Pimc(
            game,
            view,
            legal,
            stream,
            common.beliefs,
            level=common.playout.level,
            noise=common.noise,
            endgame=common.endgame,
            budget=budget,
            threads=common.threads,
        )
        return search, budget

    own = {"playouts": playouts} if playouts else {"worlds": worlds}
    return SearchPlayer(game, common.name("pimc", **own), begin, ms=common.ms, unit="worlds")


def puct_player(game: Game, name: PlayerName) -> SearchPlayer:
    """`puct:sims=100,worlds=20`: a tree in each world, with so many simulations in each."""
    common = _Common(game, name, "sims", "worlds")
    worlds = common.told.number("worlds", 20, least=1, most=100_000)
    sims = common.units("sims", 100)

    def begin(view: Records, legal: Choices, stream: Row, endless: bool) -> tuple[Thinking, int]:
        search = _forest(common, game, view, stream, worlds)
        return search, LARGEST if endless else sims

    full = common.name("puct", sims=sims, worlds=worlds)
    return SearchPlayer(
        game, full, begin, ms=common.ms, unit=f"simulations in each of {worlds} worlds"
    )


def puct_search(game: Game, view: Records, stream: Row, *, worlds: int, room: int) -> Puct:
    """What `puct:worlds=…` begins with in a view; its trees have room for so many nodes."""
    common = _Common(game, PlayerName("puct"))
    return _forest(common, game, view, stream, worlds, room)


def _forest(
    common: _Common, game: Game, view: Records, stream: Row, worlds: int, room: int = ROOM
) -> Puct:
    drawn = common.worlds(view, worlds, stream)
    settings = common.tree_settings()
    return Puct(game, game.scale(view[0]), view, drawn, stream, room=room, **settings)


def ismcts_player(game: Game, name: PlayerName) -> SearchPlayer:
    """`ismcts:sims=2000`: trees of what seats see, simulations in all of them together.

    The others search too, with their own eyes, or with `others=playout` play by the playouts.
    """
    common = _Common(game, name, "sims", "worlds", "others")
    sims = common.units("sims", 2000)
    worlds = common.told.number("worlds", min(sims, MOST_POOL), least=1, most=100_000)
    others = common.told.text("others", "playout" if game.rulebooks else "search")
    if others not in EYES:
        raise BadOption(f"player {name}: others is {' or '.join(EYES)}, not {others!r}")

    def begin(view: Records, legal: Choices, stream: Row, endless: bool) -> tuple[Thinking, int]:
        budget = LARGEST if endless else sims
        search = Ismcts(
            game,
            game.scale(view[0]),
            view,
            common.worlds(view, worlds, stream),
            stream,
            eyes=EYES[others],
            room=min(MOST_NODES, budget),
            **common.tree_settings(),
        )
        return search, budget

    own = {"sims": sims} if worlds == min(sims, MOST_POOL) else {"sims": sims, "worlds": worlds}
    full = f"{common.name('ismcts', **own)},others={others}"
    return SearchPlayer(game, full, begin, ms=common.ms, unit="simulations")
