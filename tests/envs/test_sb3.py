"""Stable-Baselines3: tables side by side, and MaskablePPO that learns Coinche on them."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from overtrick.envs.sb3 import CardGameVecEnv, vec_env
from overtrick.errors import UnknownName


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Nets this small are only slowed down by more."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "coinche_sb3.py"


def test_masks_are_found_by_sb3_contrib() -> None:
    tables = vec_env("overtrick/Hearts-v0", 4, opponents="random")
    tables.reset()
    assert is_masking_supported(tables)
    assert np.array_equal(get_action_masks(tables), tables.action_masks())


def test_tables_are_dealt_anew_and_tell_what_was_seen_last() -> None:
    tables, ended = vec_env("overtrick/Kuhn-v0", 8, seed=1), 0
    tables.reset()
    for _ in range(6):
        actions = np.array([np.flatnonzero(mask)[0] for mask in tables.action_masks()])
        seen, rewards, done, infos = tables.step(actions)
        assert seen.shape == (8, 11) and rewards.dtype == np.float32
        for table in range(8):
            assert ("terminal_observation" in infos[table]) == done[table]
        ended += int(done.sum())
    assert ended > 8


def test_a_seed_settles_all_tables() -> None:
    first, second = (CardGameVecEnv("hearts", 4, seed=s, opponents="random") for s in (1, 1))
    assert np.array_equal(first.reset(), second.reset())
    first.seed(5)
    second.seed(6)
    assert not np.array_equal(first.reset(), second.reset())


def test_an_unknown_id_gets_one_clear_line() -> None:
    with pytest.raises(UnknownName, match="no environment 'overtrick/Chess-v0'; known are"):
        vec_env("overtrick/Chess-v0", 2)


@pytest.mark.filterwarnings("ignore::UserWarning")  # of SB3, about sizes that do not divide
def test_maskable_ppo_takes_the_tables_as_they_are() -> None:
    tables = VecMonitor(vec_env("overtrick/Kuhn-v0", 8, seed=1, opponents="random"))
    model = MaskablePPO("MlpPolicy", tables, n_steps=16, batch_size=64, seed=1, device="cpu")
    model.learn(256)
    assert model.num_timesteps >= 256


@pytest.mark.long
def test_the_example_improves_at_coinche() -> None:
    example = runpy.run_path(str(EXAMPLE))
    words = ["--steps", "30000", "--length", "64", "--scaled", "--deals", "1024"]
    before, after = example["main"](words)
    assert after > before + 20
