"""The games as environments for other people's learning programs.

- `batched`: thousands of deals at a time, of our own and the fastest
- `gymnasium`: a learner against players by name, one table or many; ids such as
  `overtrick/Hearts-v0` are registered by `import overtrick.envs`, if Gymnasium is installed
- `sb3`: the same tables as Stable-Baselines3 steps them
- `pettingzoo`: every seat an agent
- `openspiel`: every game as a game of pyspiel

The environments are in `docs/environments.md`.
"""

from __future__ import annotations

from importlib.util import find_spec

from overtrick.envs.batched import BatchedEnv

__all__ = ["BatchedEnv"]

if find_spec("gymnasium"):
    from overtrick.envs.registered import register_all

    register_all()
