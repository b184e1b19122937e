"""What a run tells of itself: one line of metrics an iteration, and TensorBoard if it is there."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from overtrick.errors import OvertrickError

__all__ = ["LOG", "Journal", "Metrics", "read_lines", "thinned"]

LOG = "log.jsonl"
Metrics = dict[str, float | str]


class Journal:
    """The log of a run, open for one sitting, which goes on after so many iterations."""

    def __init__(self, folder: Path, iterations: int) -> None:
        self.path = folder / LOG
        self._cut(iterations)
        self._file = self.path.open("a")
        self._board = _board(folder / "tensorboard", iterations)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._file.close()
        if self._board is not None:
            self._board.close()

    def add(self, line: Metrics) -> None:
        """One iteration; metrics that are no numbers any more end the run."""
        for name, value in line.items():
            if not isinstance(value, str) and not math.isfinite(value):
                raise OvertrickError(
                    f"learning came apart: {name} is {value} in iteration {line['iteration']}; "
                    "a smaller learning rate may help"
                )
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        if self._board is not None:
            for name, value in line.items():
                if not isinstance(value, str):
                    self._board.add_scalar(name, value, int(line["iteration"]))

    def _cut(self, iterations: int) -> None:
        """Leave out what was logged after the checkpoint: it will be done, and told, again."""
        kept = [line for line in read_lines(self.path) if int(line["iteration"]) <= iterations]
        beside = self.path.with_name(self.path.name + ".new")
        beside.write_text("".join(json.dumps(line) + "\n" for line in kept))
        beside.replace(self.path)


def read_lines(path: Path) -> list[Metrics]:
    """All lines of a log."""
    found: list[Metrics] = []
    if path.exists():
        for text in path.read_text().splitlines():
            with suppress(ValueError):  # half a line, as a kill may leave it
                found.append(json.loads(text))
    return found


def _board(folder: Path, iterations: int) -> Any:
    """A writer for TensorBoard, or None where that is not installed."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(str(folder), purge_step=iterations + 1)


def thinned(lines: list[Metrics], most: int = 200) -> list[Metrics]:
    """At most so many lines, evenly over the run, the last among them.

    What only some lines have, such as measured strength, goes to the next line that is kept.
    Numbers keep five digits: a card is to be read and shipped.
    """
    step = max(1, math.ceil(len(lines) / most))
    kept: list[Metrics] = []
    passed: Metrics = {}
    for number, line in enumerate(lines, start=1):
        passed |= line
        if number % step == len(lines) % step:
            kept.append({name: _short(value) for name, value in passed.items()})
            passed = {}
    return kept


def _short(value: float | str) -> float | str:
    return float(f"{value:.5g}") if isinstance(value, float) else value
