"""How much better choices turned out than was expected: generalised advantage estimates.

With V the critic's value for the seat that chooses, r what is rewarded until its next choice:

    by seat     δ = r + γ V(next own choice) - V            A = δ + γ λ A(next own choice)
    by turn     δ = r + σ γ V(next choice) - V              A = δ + σ γ λ A(next choice)

By seat each player looks from one of its own choices to the next, whatever the others do in
between; that holds for any number of seats. By turn, for two sides that win what the other loses,
the next choice may be the other side's: what it expects counts against, σ = -1, and so does its
advantage. Both are the same for λ = 1, else two estimators. After the last choice there is nothing
but what is rewarded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.arena.boards import play_chunk
from overtrick.arena.seating import seatings
from overtrick.engine.batches import rewards_all
from overtrick.errors import BadOption
from overtrick.games.game import Game, Row
from overtrick.jit import kernel
from overtrick.learn.rollouts import Rollout
from overtrick.players import make_player

__all__ = [
    "advantages",
    "advantages_by_seat",
    "advantages_by_turn",
    "check_two_sides",
    "correlation",
    "explained",
    "has_two_sides",
]

Floats = np.ndarray[Any, np.dtype[Any]]
SEEN = 50  # boards that show whether two sides win what the other loses


@kernel
def advantages_by_seat(
    numbers: Row,
    seats: Row,
    values: Floats,
    rewarded: Any,
    rewards: Any,
    discount: float,
    decay: float,
    out: Floats,
) -> None:
    """Write the advantage of every choice; rows are deal by deal, in the order of choices.

    `rewarded` is what each seat had before the choice, [n, seats], `rewards` all that it got in
    the deal, [deals, seats].
    """
    count = rewarded.shape[1]
    later_value, later_advantage, later_rewarded = np.zeros((3, count))
    for row in range(len(numbers) - 1, -1, -1):
        if row == len(numbers) - 1 or numbers[row] != numbers[row + 1]:
            for seat in range(count):
                later_value[seat] = later_advantage[seat] = 0.0
                later_rewarded[seat] = rewards[numbers[row], seat]
        seat = seats[row]
        reward = later_rewarded[seat] - rewarded[row, seat]
        error = reward + discount * later_value[seat] - values[row]
        out[row] = error + discount * decay * later_advantage[seat]
        later_value[seat], later_advantage[seat] = values[row], out[row]
        later_rewarded[seat] = rewarded[row, seat]


@kernel
def advantages_by_turn(
    numbers: Row,
    seats: Row,
    sides: Row,
    values: Floats,
    rewarded: Any,
    rewards: Any,
    discount: float,
    decay: float,
    out: Floats,
) -> None:
    """As `advantages_by_seat`, from each choice to the next one of anybody; two sides."""
    for row in range(len(numbers) - 1, -1, -1):
        seat = seats[row]
        if row == len(numbers) - 1 or numbers[row] != numbers[row + 1]:
            out[row] = rewards[numbers[row], seat] - rewarded[row, seat] - values[row]
            continue
        sign = 1.0 if sides[seats[row + 1]] == sides[seat] else -1.0
        reward = rewarded[row + 1, seat] - rewarded[row, seat]
        error = reward + sign * discount * values[row + 1] - values[row]
        out[row] = error + sign * discount * decay * out[row + 1]


def has_two_sides(game: Game) -> bool:
    """Whether all seats are of two sides, or are two."""
    return bool(game.teams) or game.seats == 2


def check_two_sides(game: Game, variant: str) -> None:
    """Refuse to look by turn where no two sides win just what the other loses.

    What is rewarded under these house rules is seen in some deals played at random.
    """
    if not has_two_sides(game):
        raise BadOption(f"ppo: estimate=turn is for two sides; {game.name} has {game.seats} seats")
    player, rules = make_player("random", game), game.variant_of(variant or None)
    told = game, rules, (player, player), seatings(game, 2)
    ends = play_chunk(*told, seed=0, first=0, boards=SEEN).ends.reshape(-1)
    rewards = np.zeros((len(ends), game.seats))
    rewards_all(ends, rewards)
    if np.abs(rewards.sum(axis=1)).max() > 1e-6:
        raise BadOption(
            "ppo: estimate=turn wants one side to be rewarded with what the other loses, "
            f"which {variant} does not do; estimate=seat takes any rewards"
        )


def advantages(
    game: Game, rollout: Rollout, *, discount: float = 1.0, decay: float = 0.95, by_turn: bool
) -> Floats:
    """The advantage of every choice of a rollout, in the game's payoffs, [n]."""
    found = np.zeros(len(rollout))
    told = (rollout.values, rollout.rewarded, rollout.rewards, discount, decay, found)
    if by_turn:
        sides = np.array(game.teams or range(game.seats), dtype=np.int64)
        advantages_by_turn(rollout.numbers, rollout.seats.copy(), sides, *told)
    else:
        advantages_by_seat(rollout.numbers, rollout.seats.copy(), *told)
    return found


# ---------------------------------------------------------------------------- how good a critic is


def explained(values: Floats, returns: Floats) -> float:
    """The share of the returns' variance that the values explain; 1 at best, 0 for their mean."""
    spread = float(np.var(returns))
    return 1.0 - float(np.var(returns - values)) / spread if spread > 0 else 0.0


def correlation(values: Floats, outcomes: Floats) -> float:
    """Of what was expected with what came; 0 where one of them is always the same."""
    if len(values) < 2 or np.std(values) == 0 or np.std(outcomes) == 0:
        return 0.0
    return float(np.corrcoef(values, outcomes)[0, 1])
