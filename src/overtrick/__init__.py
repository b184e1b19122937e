"""Overtrick: train, measure and play artificial players for trick-taking card games.

Everything here is imported on first use, so that `import overtrick` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from overtrick.engine.batches import Batch
    from overtrick.engine.deals import Deal, Event, Match, View
    from overtrick.errors import OvertrickError
    from overtrick.games import add_game, game_names, load_game
    from overtrick.players import Player, make_player, player_names
    from overtrick.records import Record, each_record, read_records, record_of, write_records

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "Deal",
    "Event",
    "Match",
    "OvertrickError",
    "Player",
    "Record",
    "View",
    "add_game",
    "each_record",
    "game_names",
    "load_game",
    "make_player",
    "player_names",
    "read_records",
    "record_of",
    "write_records",
]

_HOMES = {
    "Batch": "overtrick.engine.batches",
    "Deal": "overtrick.engine.deals",
    "Event": "overtrick.engine.deals",
    "Match": "overtrick.engine.deals",
    "OvertrickError": "overtrick.errors",
    "Player": "overtrick.players",
    "Record": "overtrick.records",
    "View": "overtrick.engine.deals",
    "add_game": "overtrick.games",
    "each_record": "overtrick.records",
    "game_names": "overtrick.games",
    "load_game": "overtrick.games",
    "make_player": "overtrick.players",
    "player_names": "overtrick.players",
    "read_records": "overtrick.records",
    "record_of": "overtrick.records",
    "write_records": "overtrick.records",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'overtrick' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
