"""Gymnasium environments: a learner in one seat, or for one team, against players by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from overtrick.engine.deals import Deal, View
from overtrick.envs.rendering import RENDER_MODES, check_render_mode, rendered
from overtrick.envs.tables import LearnerTables
from overtrick.errors import MissingExtra
from overtrick.games.game import Game

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
except ModuleNotFoundError:
    raise MissingExtra("environments of Gymnasium", "rl") from None

__all__ = ["CardGameEnv", "CardGameVectorEnv", "action_space", "flag_space"]

Array = np.ndarray[Any, Any]
Info = dict[str, Any]


def flag_space(flags: int) -> spaces.Box:
    """The space of observations: bytes of 0 or 1."""
    return spaces.Box(0, 1, (flags,), np.uint8)


def action_space(game: Game) -> spaces.Discrete:
    """The space of actions: the choices of all phases."""
    return spaces.Discrete(game.actions)


class CardGameEnv(gymnasium.Env[Array, np.int64]):
    """One table: the learner chooses, the others answer.

    Settings are those of `LearnerTables`. `info["action_mask"]` has a 1 for each legal action, as
    has `action_masks()`; `info["seat"]` is the seat that acts, `info["illegal"]` tells that the
    last action was not legal. `reset` without a seed goes on with the next deal of the match, so
    that dealers take turns.
    """

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self, game: str | Game, *, render_mode: str | None = None, **settings: Any
    ) -> None:
        self.render_mode = check_render_mode(render_mode)
        self._tables: LearnerTables = LearnerTables(game, 1, **settings)
        self.game = self._tables.game
        self.observation_space = flag_space(self._tables.looking.flags)
        self.action_space = action_space(self.game)
        self._is_fresh = False

    @property
    def deal(self) -> Deal:
        """The whole deal: for a referee, not for the learner."""
        return self._tables.deal_at(0)

    @property
    def view(self) -> View:
        """What the learner knows: from the seat to act, or its first one at the end."""
        return self.deal.view(int(self._tables.seats[0]))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, Info]:
        """Deal; with a seed, everything that follows is settled by it."""
        super().reset(seed=seed)
        if seed is not None or not self._is_fresh:
            self._tables.reset(int(self.np_random.integers(2**62)))
            self._is_fresh = True
        else:
            self._tables.deal(np.zeros(1, dtype=np.int64))
        return self._tables.observe()[0], self._info(illegal=False)

    def step(self, action: Any) -> tuple[Array, float, bool, bool, Info]:
        """Make one choice; the others choose until it is the learner's turn again."""
        stepped = self._tables.step(np.array([action], dtype=np.int64))
        info = self._info(illegal=bool(stepped.illegal[0]))
        seen = self._tables.observe()[0]
        return seen, float(stepped.rewards[0]), bool(stepped.done[0]), False, info

    def action_masks(self) -> Array:
        """The legal actions, [actions] bool, as sb3-contrib asks for them."""
        masks: Array = self._tables.masks()[0].view(np.bool_)
        return masks

    def _info(self, *, illegal: bool) -> Info:
        seat = int(self._tables.seats[0])
        return {"action_mask": self._tables.masks()[0], "seat": seat, "illegal": illegal}

    def render(self) -> Any:
        """What the learner sees, as text or as a picture [height, width, 3]."""
        return rendered(self.view, self.render_mode)

    def close(self) -> None:
        """End the programs among the other players."""
        self._tables.close()


class CardGameVectorEnv(VectorEnv[Array, Array, Array]):
    """Many tables in one process; a table whose episode ends is dealt anew in the same step.

    Settings are those of `LearnerTables`. `infos` has `action_mask`, `seat` and `illegal`, a row a
    table; where an episode has ended, `final_obs` holds what the learner saw last.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": [*RENDER_MODES],
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__()
        self.render_mode = check_render_mode(render_mode)
        self._tables: LearnerTables = LearnerTables(game, num_envs, **settings)
        self.game = self._tables.game
        self.num_envs = num_envs
        flags = self._tables.looking.flags
        self.single_observation_space = flag_space(flags)
        self.single_action_space = action_space(self.game)
        self.observation_space = spaces.Box(0, 1, (num_envs, flags), np.uint8)
        self.action_space = spaces.MultiDiscrete([self.game.actions] * num_envs)
        self._is_fresh = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, Info]:
        """Deal at every table; one seed settles all of them, several are taken together."""
        if seed is not None and not isinstance(seed, int):
            told = [0 if one is None else one for one in seed]
            seed = int(np.random.SeedSequence(told).generate_state(1)[0])
        super().reset(seed=seed)
        if seed is not None or not self._is_fresh:
            self._tables.reset(int(self.np_random.integers(2**62)))
            self._is_fresh = True
        else:
            self._tables.deal(np.arange(self.num_envs))
        return self._tables.observe(), self._infos(np.zeros(self.num_envs, dtype=np.bool_))

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, Info]:
        """One choice at every table."""
        rewards, done, illegal = self._tables.step(actions)
        final = None
        if done.any():
            final = np.full(self.num_envs, None, dtype=object)
            seen = self._tables.observe()
            for table in np.flatnonzero(done):
                final[table] = seen[table].copy()
            self._tables.deal(np.flatnonzero(done))
        infos = self._infos(illegal)
        if final is not None:
            infos |= {"final_obs": final, "_final_obs": done.copy()}
        return self._tables.observe(), rewards, done, np.zeros_like(done), infos

    def _infos(self, illegal: Array) -> Info:
        return {"action_mask": self._tables.masks(), "seat": self._tables.seats, "illegal": illegal}

    def action_masks(self) -> Array:
        """The legal actions, [tables, actions] bool."""
        return self._tables.masks().view(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """What the learner sees at every table."""
        views = [self._tables.deal_at(n).view(int(s)) for n, s in enumerate(self._tables.seats)]
        return tuple(rendered(view, self.render_mode) for view in views)

    def close_extras(self, **kwargs: Any) -> None:
        """End the programs among the other players."""
        self._tables.close()
