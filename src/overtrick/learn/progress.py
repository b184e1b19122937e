"""What somebody who waits for a run sees: a bar, or now and then a line."""

from __future__ import annotations

import sys
import time
from datetime import timedelta

from overtrick.learn.budget import Budget
from overtrick.learn.journal import Metrics

__all__ = ["Progress", "say"]

PAUSE = 30.0  # seconds between two lines, where there is no terminal
BAR = 1000


def say(message: str) -> None:
    """One line to whoever waits."""
    print(f"overtrick: {message}", file=sys.stderr, flush=True)


class Progress:
    """Phase, deals, rate, time left, losses and strength, on standard error."""

    def __init__(self, budget: Budget, deals: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn
        from rich.progress import Progress as Bar

        self._budget = budget
        self._first = deals  # at the beginning of the sitting
        self._begun = budget.progress(deals)
        self._told = time.monotonic()
        self._is_seen = sys.stderr.isatty()
        self._bar = Bar(
            BarColumn(20),
            TaskProgressColumn(),
            TextColumn("{task.description}"),
            console=Console(stderr=True),
            disable=not self._is_seen,
        )
        self._task = self._bar.add_task("", total=BAR)

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._bar.stop()

    def update(self, deals: int, metrics: Metrics, strength: str) -> None:
        """Tell where the run is after an iteration."""
        done = self._budget.progress(deals)
        where = f"{metrics.get('phase', '')} {self._where(deals, done)}".strip()
        how = ", ".join([*([strength] if strength else []), *_losses(metrics)])
        if self._is_seen:
            told = f"{where}\n{how}".replace("[", r"\[")
            self._bar.update(self._task, completed=BAR * done, description=told)
        elif time.monotonic() - self._told >= PAUSE:
            self._told = time.monotonic()
            say(f"{where}; {how}")

    def _where(self, deals: int, done: float) -> str:
        total, sitting = self._budget.all_deals, self._budget.sitting
        parts = [f"{deals:,} of {total:,} deals" if total else f"{deals:,} deals"]
        parts.append(f"{(deals - self._first) / max(sitting, 1e-9):,.0f} a second")
        left = sitting * (1 - done) / max(done - self._begun, 1e-9)
        parts.append(f"{timedelta(seconds=round(min(left, 1e7)))} left")
        return ", ".join(parts)


def _losses(metrics: Metrics) -> list[str]:
    return [
        f"{name} {value:.4f}"
        for name, value in metrics.items()
        if not isinstance(value, str) and name.endswith(("loss", "VMSE", "PCE", "QMSE", "QKL"))
    ]
