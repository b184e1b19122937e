"""Thousands of deals stepped together, without anything of Gymnasium: the fastest way to play.

A step is one call of a kernel: one choice in every deal, whoever's turn it is; deals that end are
paid, scored and dealt anew. With observations it is two calls.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.engine.batches import Batch
from overtrick.engine.deals import Deal, Match
from overtrick.engine.views import orders_dealt
from overtrick.envs.looking import Looking
from overtrick.errors import BadBudget
from overtrick.games import load_game
from overtrick.games.game import Game, Row, Variant

__all__ = ["BatchedEnv", "deal_of"]

Records = np.ndarray[Any, Any]


def deal_of(game: Game, variant: Variant, states: Records, matches: Records) -> Deal:
    """One whole deal out of arrays, [1] records, as the checked face of the rules."""
    orders = np.zeros((1, len(game.deck)), dtype=np.int64)
    orders_dealt(states, orders)
    match = Match(game, variant, matches.copy())
    return Deal(match, tuple(int(card) for card in orders[0]), states.copy())


class BatchedEnv:
    """Deals of one game side by side, every seat chosen for by the caller.

    After `reset` and after every `step`, for deal i:

    - `seats[i]` is the seat to act and `phases[i]` the phase
    - `legals[i]` holds the legal choices as the bits of an int64; `masks()` are all legal actions
    - `ended[i]` is 1 if the last step ended a deal; then `payoffs[i]` holds its payoffs, a whole
      number a seat, in the game's unit (`points` turns them into points), and `over[i]` is 1 if
      the match ended with it
    - `observations[i]` are the flags that the seat to act sees, a byte each, if they are wanted

    The arrays are overwritten by the next step. A seed settles every deal; choices are the
    caller's.
    """

    def __init__(
        self,
        game: str | Game,
        size: int,
        *,
        seed: int = 0,
        variant: str | Variant | None = None,
        observations: bool = False,
        encoding: str = "",
    ) -> None:
        self.game = load_game(game) if isinstance(game, str) else game
        self._batch = Batch(self.game, size, seed=seed, variant=variant)
        self._looking = Looking(self.game, encoding)
        self._room = self._looking.room(size if observations else 0)
        self.observations: Records = self._room.view(np.uint8)[:, : self._looking.flags]
        self._observe()

    def __len__(self) -> int:
        return len(self._batch)

    @property
    def variant(self) -> Variant:
        """The house rules."""
        return self._batch.variant

    @property
    def legals(self) -> Row:
        """The legal choices, as bits."""
        return self._batch.legals

    @property
    def seats(self) -> Row:
        """The seats to act."""
        return self._batch.seats

    @property
    def phases(self) -> Row:
        """The phases, as numbers: `game.phases` names them."""
        phases: Row = self._batch.states["phase"].copy()
        return phases

    @property
    def ended(self) -> Row:
        """1 where the last step ended a deal."""
        return self._batch.ended

    @property
    def over(self) -> Row:
        """1 where the last step ended a match."""
        over: Row = self.ended & (self._batch.matches["deals"] == 0)
        return over

    @property
    def payoffs(self) -> Row:
        """What each seat was paid, [deals, seats]; counts where a deal has ended."""
        return self._batch.payoffs

    @property
    def points(self) -> Records:
        """The payoffs in points, as floats."""
        points: Records = self.payoffs / self.game.payoff_unit
        return points

    def reset(self, seed: int | None = None) -> None:
        """Begin all matches anew; with another seed, other ones."""
        if seed is not None:
            self._batch.seed = seed
        self._batch.reset()
        self._observe()

    def step(self, choices: Row) -> None:
        """Make one choice in every deal; an illegal one is refused before anything changes."""
        self._batch.step(choices)
        self._observe()

    def step_unchecked(self, choices: Row) -> None:
        """`step` for callers that have chosen out of `legals`."""
        self._batch.step_unchecked(choices)
        self._observe()

    def _observe(self) -> None:
        if len(self._room):
            self._looking.observe(self._batch.states, self._batch.seats, self._room)

    def masks(self) -> Records:
        """The legal actions, [deals, actions] bool."""
        return self._looking.masks(self.legals, self.phases).view(np.bool_)

    def choices_of(self, actions: Records) -> Row:
        """The choices that flat actions stand for in the present phases."""
        return self._looking.choices(actions, self.phases)

    def actions_of(self, choices: Records) -> Row:
        """The flat actions that choices are in the present phases."""
        return self._looking.actions(choices, self.phases)

    def views(self) -> Records:
        """What the seats to act know, as records: what players are given."""
        return self._batch.views()

    def deal(self, number: int) -> Deal:
        """One of the deals, whole: for a referee, not for players."""
        if not 0 <= number < len(self):
            raise BadBudget(f"the deals are 0 to {len(self) - 1}, not {number}")
        at = slice(number, number + 1)
        return deal_of(self.game, self.variant, self._batch.states[at], self._batch.matches[at])
