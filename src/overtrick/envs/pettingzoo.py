"""PettingZoo: every game as an environment whose agents act one after the other (AEC)."""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.engine.deals import Deal, Match, View
from overtrick.envs.gymnasium import action_space, flag_space
from overtrick.envs.looking import Looking
from overtrick.envs.rendering import RENDER_MODES, check_render_mode, rendered
from overtrick.envs.tables import EPISODES
from overtrick.errors import BadOption, IllegalChoice, MissingExtra
from overtrick.games import load_game
from overtrick.games.game import Game, Seat, Variant

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
except ModuleNotFoundError:
    raise MissingExtra("environments of PettingZoo", "rl") from None

__all__ = ["CardGameAEC", "env"]

Array = np.ndarray[Any, Any]
Seen = dict[str, Array]


def env(game: str | Game, **settings: Any) -> CardGameAEC:
    """The environment of a game, by its name; settings as in `CardGameAEC`."""
    return CardGameAEC(game, **settings)


class CardGameAEC(AECEnv[str, Seen, int]):  # type: ignore[misc]
    """A table at which every seat is an agent: `seat_0`, `seat_1`, … in playing order.

    An agent observes the flags of the game's encoding and the mask of legal actions. Where it has
    nothing to choose (not its turn, or the end) every action is in the mask. Rewards are payoffs,
    given at the end of a deal; they sum to zero, in points, or with `scaled` within [-1, 1]. An
    `episode` is a deal, or a match of several. An illegal action is an error.

    `reset` with a seed settles all deals; without one it goes on with the next deal of the match,
    so that dealers take turns.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": [*RENDER_MODES],
        "render_fps": 2,
        "is_parallelizable": False,
        "name": "overtrick_v0",
    }

    def __init__(
        self,
        game: str | Game,
        *,
        variant: str | Variant | None = None,
        episode: str = "deal",
        scaled: bool = False,
        encoding: str = "",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = load_game(game) if isinstance(game, str) else game
        self.variant = self.game.variant_of(variant)
        if episode not in EPISODES:
            raise BadOption(f"episode is {' or '.join(EPISODES)}, not {episode!r}")
        self.whole_matches = episode == "match"
        self.unit = self.game.scale(self.variant) / self.game.payoff_unit if scaled else 1.0
        self.render_mode = check_render_mode(render_mode)
        self.metadata = {**type(self).metadata, "name": f"overtrick_{self.game.name}_v0"}
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.seats)]
        self.agents: list[str] = []
        self._looking = Looking(self.game, encoding)
        self._observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self._action_spaces = {agent: action_space(self.game) for agent in self.possible_agents}
        self._rng: np.random.Generator | None = None
        self._match: Match | None = None
        self._seed = 0
        self._deal: Deal | None = None

    def _space(self) -> spaces.Dict:
        return spaces.Dict(
            {
                "observation": flag_space(self._looking.flags),
                "action_mask": spaces.Box(0, 1, (self.game.actions,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        """Flags and mask."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The choices of all phases."""
        return self._action_spaces[agent]

    # ------------------------------------------------------------------------ the deal

    @property
    def deal(self) -> Deal:
        """The whole deal: for a referee, not for agents."""
        if self._deal is None:
            raise BadOption("the environment is reset before it is used")
        return self._deal

    def seat_of(self, agent: str) -> Seat:
        """The seat of an agent."""
        return self.possible_agents.index(agent)

    def view(self, agent: str) -> View:
        """What an agent knows."""
        return self.deal.view(self.seat_of(agent))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal: the next deal of the match, or with a seed the first of a new one."""
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(seed)
            self._match = None
        self._begin(self._next_match())
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None

    def _next_match(self) -> Match:
        """The match with the last deal entered, if it goes on; else a new one."""
        match = self._match
        if match is not None and self._deal is not None and not self.whole_matches:
            match = match.after(self._deal) if self._deal.is_over else match
        if match is None or match.is_over or self.whole_matches:
            assert self._rng is not None
            self._seed = int(self._rng.integers(2**62))
            return Match.start(self.game, variant=self.variant, seed=self._seed)
        return match

    def _begin(self, match: Match) -> None:
        self._match = match
        self._deal = match.deal(self._seed)
        self._select()

    def _select(self) -> None:
        """The agent of the seat to act."""
        if self.deal.seat is not None:
            self.agent_selection = self.possible_agents[self.deal.seat]

    def step(self, action: int | None) -> None:
        """Make the choice of the agent to act; None for one that is done."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._deal = self.deal.play(self._choice(action))
        if self._deal.is_over:
            self._end_deal()
        self._select()
        self._accumulate_rewards()

    def _choice(self, action: int | None) -> int:
        phase = self.game.phases.index(self.deal.phase)
        if action is None or not self.action_space(self.agent_selection).contains(action):
            raise IllegalChoice(
                f"{self.game.name}: an action is 0 to {self.game.actions - 1}, not {action!r}"
            )
        return int(action) - self.game.action_offsets[phase]

    def _end_deal(self) -> None:
        """Pay, and end the episode or deal anew."""
        assert self._match is not None
        for agent, payoff in zip(self.possible_agents, self.deal.payoffs, strict=True):
            self.rewards[agent] = float(payoff) / self.unit
        if self.whole_matches:
            match = self._match.after(self.deal)
            if not match.is_over:
                self._begin(match)
                return
        self.terminations = dict.fromkeys(self.agents, True)

    # ------------------------------------------------------------------------ looking

    def observe(self, agent: str) -> Seen:
        """What an agent sees: `observation` and `action_mask`."""
        seat, states = self.seat_of(agent), self.deal.records
        seen = self._looking.observe(states, np.array([seat], dtype=np.int64))[0]
        return {"observation": seen, "action_mask": self._mask(seat)}

    def _mask(self, seat: Seat) -> Array:
        legal = sum(1 << choice for choice in self.deal.legal) if self.deal.seat == seat else 0
        phases = self.deal.records["phase"].copy()
        mask: Array = self._looking.masks(np.array([legal], dtype=np.int64), phases)[0]
        return mask

    def render(self) -> Any:
        """What the agent to act sees, as text or as a picture [height, width, 3]."""
        return rendered(self.view(self.agent_selection), self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""
