"""Perfect-information Monte Carlo: every legal choice is played out in the same drawn worlds.

All choices of a view meet the same worlds, and in each world the same chance, so that neither
favours one of them. What it cannot see is that a seat will not know the world later on either.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.games.game import Choices, Game, Row, play
from overtrick.jit import fork, kernel, lowest
from overtrick.search.beliefs import Beliefs, Worlds
from overtrick.search.leaves import leaf_room, leaf_value
from overtrick.search.sharing import share_out
from overtrick.search.thinking import MOST_CHOICES, Table

__all__ = ["Pimc", "try_choices"]

Records = np.ndarray[Any, Any]

FIRST_WORLDS, MOST_WORLDS = 64, 512  # drawn together: a few first, for an early answer


@kernel
def try_choices(
    worlds: Any,
    counts: Row,
    choices: Choices,
    level: int,
    noise: int,
    endgame: int,
    first: int,
    stream: Row,
    room: Any,
    sums: Any,
    squares: Any,
) -> None:
    """Value every choice in every world; sums and squares of the payoffs grow by its count.

    World n of the array has the chance of child `first + n` of the stream, for all choices alike.
    """
    seat = worlds[0].seat
    chance = np.empty(2, dtype=np.int64)
    won = np.zeros(len(worlds[0].hands), dtype=np.int64)
    stack = room[0]
    for number in range(len(worlds)):
        rest = choices
        while rest:
            choice = lowest(rest)
            rest &= rest - 1
            stack[0] = worlds[number]
            play(stack[0], choice)
            fork(stream, first + number, chance)
            leaf_value(room, level, noise, endgame, chance, won)
            payoff = won[seat]
            sums[choice] += counts[number] * payoff
            squares[choice] += counts[number] * payoff * payoff


class Pimc:
    """A search of one view; its units are worlds."""

    def __init__(
        self,
        game: Game,
        view: Records,
        legal: Choices,
        stream: Row,
        beliefs: Beliefs,
        *,
        level: int,
        noise: int = 0,
        endgame: int = 0,
        budget: int,
        threads: int = 1,
    ) -> None:
        self.spent = 0
        self._game = game
        self._view = view
        self._legal = legal
        self._stream = stream
        self._beliefs = beliefs
        self._level = level
        self._noise = noise
        self._endgame = endgame
        self._left = budget  # worlds still to be drawn
        self._threads = threads
        self._span = 2 * game.scale(view[0])
        self._sums = np.zeros((2, MOST_CHOICES), dtype=np.int64)
        self._round = -1
        self._worlds: Worlds | None = None
        self._ends = np.zeros(0, dtype=np.int64)
        self._done = 0  # units of this round
        self.effective = 0.0  # independent worlds that those so far are worth

    def think(self, units: int) -> None:
        """Try every choice in so many more worlds."""
        while units > 0:
            if self._worlds is None or self._done == self._ends[-1]:
                self._draw()
            part = min(units, int(self._ends[-1]) - self._done)
            self._try(self._done, self._done + part)
            self._done += part
            self.spent += part
            units -= part

    def _draw(self) -> None:
        self._round += 1
        chance = np.empty(2, dtype=np.int64)
        fork(self._stream, self._round, chance)
        count = max(1, min(FIRST_WORLDS << min(self._round, 10), MOST_WORLDS, self._left))
        self._left -= count
        self._worlds = self._beliefs.draw(self._view, count, chance)
        self._ends = np.cumsum(self._worlds.counts)
        self._done = 0

    def _try(self, start: int, end: int) -> None:
        """Try the units of this round from `start` to before `end`."""
        worlds = self._worlds
        assert worlds is not None
        first = int(np.searchsorted(self._ends, start, side="right"))
        last = int(np.searchsorted(self._ends, end, side="left")) + 1
        records, counts = worlds.records[first:last], worlds.counts[first:last].copy()
        counts[-1] -= self._ends[last - 1] - end
        counts[0] -= start - (self._ends[first] - worlds.counts[first])
        self.effective += (end - start) * worlds.counts.sum() / (worlds.counts**2).sum()
        chance = np.empty(2, dtype=np.int64)
        fork(self._stream, -1 - self._round, chance)
        found: list[Records] = []

        def work(low: int, high: int) -> None:
            sums = np.zeros((2, MOST_CHOICES), dtype=np.int64)
            try_choices(
                records[low:high],
                counts[low:high],
                self._legal,
                self._level,
                self._noise,
                self._endgame,
                first + low,
                chance,
                leaf_room(self._game, self._endgame),
                sums[0],
                sums[1],
            )
            found.append(sums)

        share_out(work, len(records), self._threads)
        self._sums += sum(found)  # whole numbers: the order does not matter

    def table(self) -> Table:
        """Mean payoffs; all probability on the best, of equal ones the lowest."""
        sums, squares = self._sums
        worlds = max(self.spent, 1)
        payoff = sums / worlds
        spread = np.maximum(squares / worlds - payoff * payoff, 0.0)
        error = np.sqrt(spread / max(self.effective - 1.0, 1.0))
        legal = self._legal >> np.arange(MOST_CHOICES) & 1
        probability = np.zeros(MOST_CHOICES)
        probability[np.where(legal == 1, sums, np.iinfo(np.int64).min).argmax()] = 1.0
        return Table(probability, payoff, error, (legal * self.spent).astype(np.float64))

    def settled(self, units: int) -> bool:
        """Whether the leader stays ahead even if each world to come favours another most."""
        legal = self._legal >> np.arange(MOST_CHOICES) & 1 == 1
        sums = np.sort(self._sums[0][legal])
        return bool(sums[-1] - sums[-2] > units * self._span)
