"""How long a run goes on."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from overtrick.errors import BadBudget

__all__ = ["Budget"]

ENDLESS = 10**12  # deals, where time is the limit


@dataclass
class Budget:
    """So many deals, or so many minutes over all sittings of a run, or what its config says.

    Learners ask it how far they are, for all that changes from the beginning of a run to its end.
    A budget of deals depends on nothing else, so that a run can be repeated.
    """

    deals: int | None = None
    minutes: float | None = None
    total: int | None = None  # deals by the config, if neither is told
    earlier: float = 0.0  # seconds of the sittings before this one
    _begun: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        if self.deals is not None and self.minutes is not None:
            raise BadBudget("a run has a number of deals or of minutes, not both")
        if self.deals is not None and self.deals < 1:
            raise BadBudget(f"a run has 1 deal or more, not {self.deals}")
        if self.minutes is not None and not 0 < self.minutes < math.inf:
            raise BadBudget(f"a run has more than 0 minutes, not {self.minutes:g}")

    def sit_down(self, earlier: float) -> None:
        """Begin a sitting, after others that took so many seconds."""
        self.earlier, self._begun = earlier, time.monotonic()

    @property
    def sitting(self) -> float:
        """Seconds of this sitting."""
        return time.monotonic() - self._begun

    @property
    def seconds(self) -> float:
        """Seconds of all sittings."""
        return self.earlier + self.sitting

    @property
    def all_deals(self) -> int | None:
        """Deals of the whole run; None if time is its limit."""
        return None if self.minutes is not None else self.deals or self.total

    def progress(self, deals: int) -> float:
        """How much of the run is done after so many deals, 0 to 1."""
        if self.minutes is not None:
            return min(1.0, self.seconds / 60 / self.minutes)
        return min(1.0, deals / self.all_deals) if self.all_deals else 0.0

    def deals_left(self, deals: int) -> int:
        """How many more deals are within the budget after so many."""
        return ENDLESS if self.all_deals is None else max(0, self.all_deals - deals)
