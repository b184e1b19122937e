"""Who may sit at the table, and how they choose without keeping the service waiting.

Quick players (random ones and rulebooks) choose within microseconds, in the loop of the service.
Searching players think in threads: their kernels run beside everything else.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, wraps
from typing import NamedTuple, ParamSpec, TypeVar

from overtrick.engine.deals import View
from overtrick.errors import BadBudget, NotAllowed, TooMany
from overtrick.games import load_game
from overtrick.games.game import Choice
from overtrick.jit import streams
from overtrick.models import MODEL_PLAYERS, Stamp, find_model, is_path
from overtrick.players import LevelPlayer, Player, PlayerName, make_player, sees_all, tell_match
from overtrick.table.setup import Event
from overtrick.table.tables import Table
from overtrick.table.turns import Turns

__all__ = [
    "MOST",
    "Decision",
    "Thinkers",
    "choose",
    "choose_now",
    "is_quick",
    "kept_by_threads",
    "player_of",
    "seated_player",
]

P = ParamSpec("P")
T = TypeVar("T")

MOST = {
    "worlds": 1_000,
    "sims": 20_000,
    "playouts": 100_000,
    "ms": 10_000,
    "threads": 4,
    "candidates": 64,
    "endgame": 16,
}
"""The largest settings of a player that is asked for over the wire."""
MOST_IN_ALL = 200_000  # simulations, in all worlds
MOST_KEPT = 256  # players, by each thread

log = logging.getLogger("overtrick.table")


def kept_by_threads(function: Callable[P, T]) -> Callable[P, T]:
    """As `lru_cache`, with answers for each thread alone: players make notes while they think."""
    own = threading.local()

    @wraps(function)
    def kept(*args: P.args, **more: P.kwargs) -> T:
        if not hasattr(own, "answer"):
            own.answer = lru_cache(maxsize=MOST_KEPT)(function)
        answer: T = own.answer(*args, **more)
        return answer

    return kept


def player_of(name: str, game: str) -> Player:
    """A player that may be asked over the wire: an honest one, with bounded thoughts."""
    return _kept_player(name, game, _stamp_of(name, game))


def _stamp_of(name: str, game: str) -> Stamp | None:
    """What tells a player's model from a later one of its name; refused if it is not there."""
    if name.strip().partition(":")[0].strip() not in MODEL_PLAYERS:
        return None
    model = PlayerName.read(name).what
    if is_path(model):
        raise NotAllowed(f"{name}: at the table a model is told by its name, not by its folder")
    return find_model(model, game).stamp


@kept_by_threads
def _kept_player(name: str, game: str, stamp: Stamp | None) -> Player:
    parts = PlayerName.read(name)
    if parts.kind == "exec":
        raise NotAllowed("programs are seated by whoever starts the service: play --bot NAME=CMD")
    _check_bounds(parts)
    player = make_player(name, load_game(game))
    if sees_all(player):
        raise NotAllowed(f"{name} sees all cards: it is a yardstick, and sits at no table")
    return player


def _check_bounds(name: PlayerName) -> None:
    told: dict[str, int] = {}
    for key, most in MOST.items():
        value = name.settings.get(key, "")
        if value.isdecimal():
            told[key] = int(value)
            if told[key] > most:
                raise BadBudget(f"player {name}: {key} is at most {most} at the table, not {value}")
    trees = told.get("worlds", 20) if name.kind in ("puct", "alphazero") else 1
    if told.get("sims", 0) * trees > MOST_IN_ALL:
        raise BadBudget(f"player {name}: at most {MOST_IN_ALL} simulations in all worlds")


def is_quick(player: Player) -> bool:
    """Whether a player may choose in the loop of the service."""
    return isinstance(player, LevelPlayer)


def seated_player(table: Table) -> Player | None:
    """The player whose turn it is; None for a person, or at the end."""
    place = table.place_to_act
    if place is None or place in table.people:
        return None
    return player_of(table.setup.players[place], table.setup.game)


class Decision(NamedTuple):
    """What was chosen for a bot; and if it was in its place, why, in a word."""

    choice: Choice
    replaced: str = ""

    def event(self, table: Table) -> Event:
        """What happens at the table where it was to act."""
        told = {"kind": "act", "place": table.place_to_act, "choices": [self.choice]}
        return told | {"replaced": self.replaced} if self.replaced else told


def choose(table: Table, player: Player) -> Choice:
    """What a player chooses where it is to act; the same whenever it is asked."""
    view = _view_to_act(table)
    tell_match(player, view.variant, view.match._records)
    chance = streams(1, table.setup.secret, "player", table.number, view.viewer, table.turn)
    return int(player.choose(view._states, chance)[0])  # this view is nobody else's


def _view_to_act(table: Table) -> View:
    seat = table.deal.seat
    assert seat is not None
    return table.deal.view(seat)


def choose_somehow(table: Table, player: Player) -> Decision:
    """What a player chooses; if it fails, the first legal choice, so that the deal goes on."""
    before = getattr(player, "replaced", 0)
    try:
        choice = choose(table, player)
    except Exception:
        log.exception("%s failed at %s", player.name, table.setup.game)
        return Decision(_view_to_act(table).legal[0], "error")
    failed = getattr(player, "replaced", 0) > before
    return Decision(choice, getattr(player, "reason", "") if failed else "")


def choose_now(table: Table) -> Decision:
    """What the player whose turn it is chooses, in whatever thread this is."""
    player = seated_player(table)
    assert player is not None
    return choose_somehow(table, player)


class Thinkers:
    """The threads in which players think, so many may wait for one; and below them, analyses."""

    def __init__(self, most_waiting: int, most_analyses: int) -> None:
        spare = max(1, (os.cpu_count() or 1) - 1)
        self.analysing = Turns("analysis", threads=spare, most=most_analyses)
        self._threads = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="thinking")
        self._waiting = 0
        self._most = most_waiting

    async def think(self, work: Callable[[], T], *, patient: bool = True) -> T:
        """What `work` gives back; who is not patient is refused when too many wait."""
        if not patient and self._waiting >= self._most:
            raise TooMany(f"{self._waiting} players are thinking already: ask again later")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Begin no more thoughts; those under way are not waited for."""
        self.analysing.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
