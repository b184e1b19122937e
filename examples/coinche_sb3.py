"""Coinche learned by MaskablePPO of sb3-contrib, with the settings of the Coinche paper.

One model plays for North and South against two rule-based players: 64 tables, 512 steps a table
before each update, minibatches of 512, everything else as sb3-contrib has it. Rewards are the
paper's matrix "good" and 0.1 of each trick's points. Needs the extras `rl` and `sb3`.

    python examples/coinche_sb3.py
    python examples/coinche_sb3.py --steps 1000000 --opponents rulebook:simple --save coinche.zip
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from overtrick.envs.sb3 import CardGameVecEnv, vec_env
from overtrick.errors import OvertrickError

PAPER = "overtrick/CoinchePaper-v0"


def mean_reward(model: MaskablePPO, tables: CardGameVecEnv, deals: int) -> tuple[float, float]:
    """The mean reward of so many deals, choices drawn from the policy, and its 95% interval.

    Every table plays the same number of deals, so that short ones do not count more.
    """
    each = -(-deals // tables.num_envs)
    totals, played = np.zeros((tables.num_envs, each)), np.zeros(tables.num_envs, dtype=np.int64)
    seen = tables.reset()
    while (played < each).any():
        actions, _ = model.predict(seen, action_masks=tables.action_masks())
        seen, rewards, done, _ = tables.step(actions)
        going = np.flatnonzero(played < each)
        totals[going, played[going]] += rewards[going]
        played[going] += done[going]
    return float(totals.mean()), float(1.96 * totals.std() / totals.size**0.5)


def show(when: str, model: MaskablePPO, deals: int, seed: int, **told: Any) -> float:
    """Measure on the same deals every time: in the paper's reward, and in points paid."""
    rewarded = mean_reward(model, vec_env(PAPER, 256, seed=seed, **told), deals)
    paid = mean_reward(model, vec_env(PAPER, 256, seed=seed, rewards="payoff", **told), deals)
    print(
        f"{when}: mean reward {rewarded[0]:+.1f} ± {rewarded[1]:.1f}, "
        f"payoff {paid[0]:+.1f} ± {paid[1]:.1f} points a deal ({deals} deals, 95%)",
        flush=True,
    )
    return rewarded[0]


def main(words: list[str] | None = None) -> tuple[float, float]:
    """Measure, learn, measure again; gives back both mean rewards."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--steps", type=int, default=200_000, help="choices to learn from")
    parser.add_argument("--tables", type=int, default=64, help="tables side by side")
    parser.add_argument("--length", type=int, default=512, help="steps a table before an update")
    parser.add_argument("--opponents", default="rulebook:strong", help="a player by name")
    parser.add_argument(
        "--scaled", action="store_true", help="learn from rewards within [-1, 1], not in points"
    )
    parser.add_argument("--deals", type=int, default=4096, help="deals to measure with")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="for PyTorch: the net is small")
    parser.add_argument("--save", default="", help="file for the model")
    told = parser.parse_args(words)

    torch.set_num_threads(told.threads)
    who = {"opponents": told.opponents}
    tables = vec_env(PAPER, told.tables, seed=told.seed, scaled=told.scaled, **who)
    model = MaskablePPO(
        "MlpPolicy", tables, n_steps=told.length, batch_size=512, seed=told.seed, device="cpu"
    )
    before = show("before", model, told.deals, 10_000, **who)
    begun, cpu = time.perf_counter(), time.process_time()
    model.learn(told.steps)
    seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
    steps = model.num_timesteps
    print(
        f"{steps:,} steps in {seconds:.0f} s: {steps / seconds:,.0f} steps/s, "
        f"{steps / cpu:,.0f} a second of CPU time",
        flush=True,
    )
    after = show("after", model, told.deals, 10_000, **who)
    if told.save:
        model.save(told.save)
    return before, after


if __name__ == "__main__":
    try:
        main()
    except OvertrickError as error:
        sys.exit(f"coinche_sb3: {error}")
