"""All that the routes share: the database, the tables, and the heavy modules once they are loaded.

Importing the games takes about a second. It happens in a thread while the first page is served;
`House.hub` and `House.desk` wait for it.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from overtrick.table.limits import Limits
from overtrick.table.preparing import SEARCH, Preparing
from overtrick.table.storage import Storage

if TYPE_CHECKING:
    from overtrick.table.desk import Desk
    from overtrick.table.hub import Hub

__all__ = ["House"]


class House:
    """One running service."""

    def __init__(self, folder: Path, limits: Limits, first: str = "") -> None:
        self.storage = Storage(folder)
        self.limits = limits
        self.sockets = 0
        self._first = first

    async def open(self) -> None:
        """Begin to load what playing needs, the first game before the others."""
        self.preparing = Preparing()
        self._opening = asyncio.create_task(self._open())

    async def _open(self) -> Hub:
        desk = await asyncio.to_thread(import_module, "overtrick.table.desk")
        hub = await asyncio.to_thread(import_module, "overtrick.table.hub")
        self._desk: Desk = desk.Desk()
        opened: Hub = hub.Hub(self.storage, self.preparing, self.limits)
        self._loading = asyncio.create_task(self._load_games())
        return opened

    async def _load_games(self) -> None:
        """Get the first game ready, then those that are quickly loaded."""
        if self._first:
            await asyncio.wait([self.preparing.begin(self._first)])
            self.preparing.begin(self._first, SEARCH)
        await self.preparing.begin_cached()

    async def hub(self) -> Hub:
        """The tables."""
        return await asyncio.shield(self._opening)

    async def desk(self) -> Desk:
        """Answers about games and players."""
        await asyncio.shield(self._opening)
        return self._desk

    @property
    def live_tables(self) -> int:
        """Tables in memory."""
        return self._opening.result().live if self._opening.done() else 0

    async def close(self) -> None:
        """Put everything away."""
        self._opening.cancel()
        with suppress(asyncio.CancelledError, Exception):
            hub = await self._opening
            self._loading.cancel()
            await hub.close()
        await self.preparing.close()
        self.storage.close()
