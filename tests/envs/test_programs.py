"""Programs among the other players: told the match that is played, and gone when all is closed."""

from __future__ import annotations

import json
import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.conftest import gone, left_of, name_of
from overtrick.envs.gymnasium import CardGameEnv

LISTENER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["ask"] == "hello":
        answer = {"name": "listener", "protocol": 1}
    elif asked["ask"] == "choice":
        with open(__file__ + ".heard", "a") as heard:
            heard.write(line)
        answer = asked["legal"][0]
    else:
        continue
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
"""


def test_a_program_is_told_the_match_that_is_played_and_its_house_rules(tmp_path: Path) -> None:
    script = tmp_path / "listener.py"
    script.write_text(LISTENER)
    name = f"exec:{shlex.join([sys.executable, '-I', '-S', str(script)])}"
    env = CardGameEnv("snapszer", opponents=name, variant="target=5")
    matches: list[dict[str, Any]] = []
    for seed in (1, None, None):  # three deals of one match
        _, info = env.reset(seed=seed)
        match, done = env.deal.match, False
        matches.append({"deals": match.deals, "scores": [*match.scores]})
        while not done:
            *_, done, _, info = env.step(np.flatnonzero(info["action_mask"])[-1])
    env.close()
    heard = [json.loads(line)["view"] for line in Path(f"{script}.heard").read_text().splitlines()]
    assert {json.dumps(view["variant"]) for view in heard} == {'{"target": 5}'}
    told = [view["match"] for view in heard]
    assert [match for n, match in enumerate(told) if match not in told[:n]] == matches


@pytest.mark.parametrize(
    ("module", "kind"),
    [("gymnasium", "CardGameEnv"), ("gymnasium", "CardGameVectorEnv"), ("sb3", "CardGameVecEnv")],
)
def test_a_closed_environment_leaves_no_program(module: str, kind: str, tmp_path: Path) -> None:
    make = getattr(import_module(f"overtrick.envs.{module}"), kind)
    tables = () if kind == "CardGameEnv" else (2,)
    env = make("kuhn", *tables, opponents=name_of("none", tmp_path), learner=1)
    env.reset()
    assert left_of(tmp_path)
    env.close()
    assert gone(tmp_path), left_of(tmp_path)
