"""Tables with a learner as Stable-Baselines3 steps them: all in one process, in one call.

`MaskablePPO` of sb3-contrib takes it as it is; several times as fast as so many single
environments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from overtrick.errors import MissingExtra, UnknownName

try:  # before our environments of Gymnasium, which would ask for less than is missing
    import gymnasium
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn
except ModuleNotFoundError:
    raise MissingExtra("environments of Stable-Baselines3", "rl,sb3") from None

from overtrick.envs.gymnasium import action_space, flag_space
from overtrick.envs.registered import register_all
from overtrick.envs.rendering import check_render_mode, rendered
from overtrick.envs.tables import LearnerTables
from overtrick.games.game import Game

__all__ = ["CardGameVecEnv", "vec_env"]

Array = np.ndarray[Any, Any]


def vec_env(identity: str, num_envs: int, *, seed: int = 0, **settings: Any) -> CardGameVecEnv:
    """So many tables of a registered id, with its settings and those that are told."""
    register_all()
    if identity not in gymnasium.registry:
        known = [name for name in gymnasium.registry if name.startswith("overtrick/")]
        raise UnknownName("environment", identity, known)
    told = {**gymnasium.spec(identity).kwargs, **settings}
    return CardGameVecEnv(told.pop("game"), num_envs, seed=seed, **told)


class CardGameVecEnv(VecEnv):
    """Tables with a learner; settings as in `LearnerTables`.

    What the learner saw last in an episode is in `info["terminal_observation"]`.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        seed: int = 0,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        self.tables: LearnerTables = LearnerTables(game, num_envs, seed=seed, **settings)
        self.render_mode = check_render_mode(render_mode)
        self._seed = seed
        self._actions = np.zeros(num_envs, dtype=np.int64)
        flags = flag_space(self.tables.looking.flags)
        super().__init__(num_envs, flags, action_space(self.tables.game))

    def reset(self) -> Array:
        """All tables dealt anew, by the seed that was told last."""
        told = [seed for seed in self._seeds if seed is not None]
        if told:
            self._seed = int(np.random.SeedSequence(told).generate_state(1)[0])
        self.tables.reset(self._seed)
        self._reset_seeds()
        self._reset_options()
        return self.tables.observe()

    def step_async(self, actions: Array) -> None:
        """Take the actions."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Make the choices; tables whose episode ended are dealt anew."""
        rewards, done, _ = self.tables.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(done)
        if len(ended):
            seen = self.tables.observe()
            for table in ended:
                infos[table] = {"terminal_observation": seen[table], "TimeLimit.truncated": False}
            self.tables.deal(ended)
        return self.tables.observe(), rewards.astype(np.float32), done, infos

    def action_masks(self) -> Array:
        """The legal actions, [tables, actions] bool."""
        return self.tables.masks().view(np.bool_)

    def env_method(
        self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> list[Any]:
        """`action_masks` of some tables; there are no single environments with other methods."""
        if method_name != "action_masks":
            raise AttributeError(f"the tables have no method {method_name!r}")
        return list(self.action_masks()[self._rows(indices)])

    def _rows(self, indices: VecEnvIndices) -> list[int]:
        return list(self._get_indices(indices))

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The same for every table."""
        return [getattr(self, attr_name) for _ in self._rows(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set for all tables at once."""
        setattr(self, attr_name, value)

    def env_is_wrapped(
        self,
        wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]],
        indices: VecEnvIndices = None,
    ) -> list[bool]:
        """No table has a wrapper of its own."""
        return [False for _ in self._rows(indices)]

    def get_images(self) -> Sequence[Array | None]:
        """A picture of every table, as the learner sees it."""
        seats: Iterable[tuple[int, Any]] = enumerate(self.tables.seats)
        views = [self.tables.deal_at(number).view(int(seat)) for number, seat in seats]
        return [rendered(view, self.render_mode) for view in views]

    def close(self) -> None:
        """End the programs among the other players."""
        self.tables.close()
