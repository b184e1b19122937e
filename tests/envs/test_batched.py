"""The batched environment: the same deals as the checked face of the rules plays."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from conftest import all_games, mostly_long
from overtrick.engine.batches import choose_at_random
from overtrick.engine.deals import Deal
from overtrick.engine.observations import observations
from overtrick.envs import BatchedEnv
from overtrick.errors import BadBudget, IllegalChoice, UnknownName
from overtrick.games import load_game
from overtrick.games.observing import SAME_SUITS
from overtrick.jit import streams

GAMES = mostly_long(all_games(), "hearts", "kuhn", "thirds")


def play_at_random(env: BatchedEnv, steps: int, seed: int) -> list[Any]:
    """What the environment showed at every step."""
    chance, choices = streams(len(env), seed, "test"), np.zeros(len(env), dtype=np.int64)
    shown = []
    for _ in range(steps):
        choose_at_random(env.legals, chance, choices)
        env.step(choices)
        parts = (env.legals, env.seats, env.ended, env.over, env.payoffs, env.observations)
        shown.append([part.tobytes() for part in parts])
    return shown


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_of_the_batch_is_that_of_the_rules_replayed(name: str) -> None:
    env = BatchedEnv(name, 8, seed=3, observations=True)
    for step in range(6):
        play_at_random(env, 5, step)
        for number in range(len(env)):
            deal = Deal.from_text(env.deal(number).text())
            assert env.seats[number] == deal.seat
            assert env.game.phases[env.phases[number]] == deal.phase
            assert [c for c in range(63) if int(env.legals[number]) >> c & 1] == [*deal.legal]


@pytest.mark.parametrize("name", GAMES)
def test_masks_hold_the_legal_actions_and_no_others(name: str) -> None:
    env = BatchedEnv(name, 16, seed=1)
    play_at_random(env, 20, 2)
    masks = env.masks()
    assert masks.dtype == np.bool_ and masks.shape == (16, env.game.actions)
    for number, mask in enumerate(masks):
        deal = env.deal(number)
        offset = env.game.action_offsets[env.game.phases.index(deal.phase)]
        assert np.flatnonzero(mask).tolist() == [offset + choice for choice in deal.legal]
        actions = np.zeros(16, dtype=np.int64)
        actions[number] = np.flatnonzero(mask)[0]
        assert env.choices_of(actions)[number] == deal.legal[0]
    choices = np.array([env.deal(number).legal[0] for number in range(16)])
    assert env.choices_of(env.actions_of(choices)).tolist() == choices.tolist()


@pytest.mark.parametrize("name", GAMES)
def test_observations_are_those_of_the_seat_to_act(name: str) -> None:
    game = load_game(name)
    for encoding in game.encodings:
        env = BatchedEnv(game, 8, seed=2, observations=True, encoding=str(encoding))
        play_at_random(env, 15, 1)
        assert env.observations.shape == (8, encoding.size)
        orders = np.full(8, SAME_SUITS)
        flags = observations(game, env.views(), encoding=str(encoding), orders=orders)
        assert np.array_equal(env.observations, flags)


def test_payoffs_of_ended_deals_sum_to_zero_and_are_told_in_points() -> None:
    env, ended = BatchedEnv("hearts", 64, seed=1), 0
    for step in range(70):
        play_at_random(env, 1, step)
        rows = np.flatnonzero(env.ended)
        ended += len(rows)
        assert not env.payoffs[rows].sum(axis=1).any()
        assert np.allclose(env.points[rows] * env.game.payoff_unit, env.payoffs[rows])
    assert ended >= 64


def test_a_match_is_over_when_the_rules_say_so() -> None:
    env, over = BatchedEnv("thirds", 8, seed=1, variant="target=3"), 0
    for step in range(60):
        play_at_random(env, 1, step)
        for number in np.flatnonzero(env.over):
            over += 1
            assert env.ended[number] == 1
            assert env.deal(int(number)).match.deals == 0
    assert over > 8


def test_a_seed_settles_every_deal() -> None:
    env = BatchedEnv("hearts", 32, seed=5, observations=True)
    first = play_at_random(env, 80, 1)
    env.reset()
    assert play_at_random(env, 80, 1) == first
    env.reset(seed=6)
    assert play_at_random(env, 80, 1) != first
    env.reset(seed=5)
    assert play_at_random(env, 80, 1) == first


def test_an_illegal_choice_is_refused_before_anything_changes() -> None:
    env = BatchedEnv("hearts", 4, seed=1)
    legals, rng = env.legals.copy(), random.Random(1)
    choices = np.array([rng.choice(env.deal(n).legal) for n in range(4)])
    choices[2] = 62
    with pytest.raises(IllegalChoice, match="choice 62 is not legal in deal 2"):
        env.step(choices)
    assert np.array_equal(env.legals, legals)
    with pytest.raises(BadBudget, match="4 choices were expected"):
        env.step(choices[:2])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size": 0}, "at least one deal, not 0"),
        ({"encoding": "nothing"}, "no encoding of kuhn 'nothing'"),
    ],
)
def test_bad_settings_get_one_clear_line(settings: dict[str, Any], message: str) -> None:
    with pytest.raises((BadBudget, UnknownName), match=message):
        BatchedEnv("kuhn", **{"size": 4, **settings})


SHOWN = """
import hashlib
import numpy as np
from overtrick.envs import BatchedEnv
digest = hashlib.sha256()
for name in ("hearts", "coinche", "kuhn"):
    env = BatchedEnv(name, 4, seed=1, observations=True)
    for _ in range(12):
        env.step(np.log2(env.legals & -env.legals).astype(np.int64))
        digest.update(env.observations.tobytes() + env.masks().tobytes())
print(digest.hexdigest())
"""


@pytest.mark.long
def test_compiled_and_interpreted_kernels_show_the_same() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", SHOWN],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for switch in ("0", "1")
    }
    assert len(digests) == 1
