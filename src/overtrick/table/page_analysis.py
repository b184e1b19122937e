"""Live analysis for one page: of every position in which it is to act, and of no other.

What is found of a position is told only as long as that position stands. All telling happens in
the loop of the service, so once a page has been told of a newer position, or has gone, nothing
of an older one can follow.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from overtrick.errors import OvertrickError, TooLate
from overtrick.table import messages
from overtrick.table.analysing import Analysis
from overtrick.table.preparing import SEARCH
from overtrick.table.tables import Table
from overtrick.table.wire import Analyse, Readiness

if TYPE_CHECKING:
    from overtrick.table.live import LiveTable, Page

__all__ = ["PageAnalysis"]

log = logging.getLogger("overtrick.table")


class PageAnalysis:
    """Analyses the positions of one page, as thoroughly as it wishes."""

    def __init__(self, live: LiveTable, page: Page, asked: Analyse) -> None:
        self._live, self._page, self._asked = live, page, asked
        self._beginning: asyncio.Task[None] | None = None
        self._analysis: Analysis | None = None

    def follow(self) -> None:
        """Turn to the position as it stands now."""
        self.stop()
        if self._live.table.place_to_act == self._page.place:
            self._beginning = asyncio.create_task(self._begin(self._live.table))

    def stop(self) -> None:
        """Tell nothing more of any position so far."""
        if self._beginning is not None:
            self._beginning.cancel()
        if self._analysis is not None:
            self._analysis.cancel()

    async def _begin(self, table: Table) -> None:
        try:
            await self._analyse(table)
        except TooLate:
            pass  # the next position is followed when it is shown
        except OvertrickError as error:
            self._page.tell(messages.text(messages.refused(error)))
        except Exception:
            log.exception("table %s: a position cannot be analysed", self._live.id)

    async def _analyse(self, table: Table) -> None:
        live, moment = self._live, {"deal": table.number, "number": table.turn}
        loop, seat = asyncio.get_running_loop(), table.deal.seat
        assert seat is not None

        def tell(message: str) -> None:
            with suppress(RuntimeError):  # the service has ended meanwhile
                loop.call_soon_threadsafe(self._tell, analysis, message)

        def tell_readiness(readiness: Readiness) -> None:
            self._page.tell(analysis.preparing(readiness))

        analysis = self._analysis = Analysis(table.deal.view(seat), moment, self._asked, tell)
        if not analysis.is_forced:
            await live.preparing.follow(table.setup.game, SEARCH, tell_readiness)
        await live.assist(self._page.place, table.number, table.turn)
        if analysis.is_forced:
            self._tell(analysis, analysis.forced())
        else:
            live.thinkers.analysing.add(analysis)

    def _tell(self, analysis: Analysis, message: str) -> None:
        if not analysis.is_cancelled:
            self._page.tell(message)
