"""Measure the models of PPO, and draw how they learned, for `methods/ppo.md`: `make ppo`.

The page tells the commands that train them. `docs/ppo.py MARK …` is for some of the studies only.
"""

from __future__ import annotations

import sys

from ladder import HERE
from studies import Study, write_studies

STUDIES = (
    Study(
        "hokm",
        "ppo",
        "hokm",
        ("champion",),
        ("random", "rulebook:simple", "rulebook:strong"),
        metrics=("wins random", "wins strong", "explained", "foreseen"),
        pairs=(
            ("ppo:hokm/champion", "ppo:hokm/champion,phases=trump,by=rulebook:strong"),
            ("ppo:hokm/champion", "ppo:hokm/champion,phases=trump,by=rulebook:simple"),
            ("ppo:hokm/champion", "net:hokm/distill"),
        ),
        edge=400,
    ),
    Study(
        "hokm compared",
        "ppo",
        "hokm",
        ("mlp", "league", "selfplay", "pointer", "separators"),
        ("random", "rulebook:simple", "rulebook:strong"),
        boards=4000,
        metrics=("wins random", "wins strong", "explained", "foreseen"),
    ),
    Study(
        "coinche",
        "ppo",
        "coinche",
        ("champion",),
        ("random", "rulebook:simple", "rulebook:strong", "rulebook:expert"),
        figure="play",
        pairs=(
            ("ppo:coinche/champion,avoid=X", "rulebook:strong"),
            ("ppo:coinche/champion", "net:coinche/distill"),
        ),
        habits=("rulebook:simple", "rulebook:strong", "ppo:coinche/champion"),
    ),
    Study(
        "coinche heuristics",
        "ppo",
        "coinche",
        ("against-random", "against-simple", "against-strong"),
        ("random", "rulebook:simple", "rulebook:strong"),
        boards=4000,
        figure="play",
        compared="rulebook:strong",
    ),
    Study(
        "coinche rewards",
        "ppo",
        "coinche",
        ("classic", "mirror", "no_defense", "against-strong"),
        ("random", "rulebook:simple", "rulebook:strong"),
        boards=4000,
        figure="play",
        compared="rulebook:strong",
    ),
    Study(
        "coinche partner",
        "ppo",
        "coinche",
        ("against-strong", "partner"),
        ("random", "rulebook:simple", "rulebook:strong"),
        boards=4000,
        pairs=(("ppo:coinche/partner", "ppo:coinche/against-strong"),),
        compared="rulebook:strong",
        metrics=("reward", "guess loss", "bid precision", "wins strong"),
    ),
    Study(
        "coinche tables",
        "ppo",
        "coinche",
        ("three", "opposite"),
        ("random", "rulebook:simple", "rulebook:strong"),
        boards=4000,
        figure="play",
        compared="rulebook:strong",
    ),
    *(
        Study(game, "ppo", game, ("twenty",), ("random", "rulebook:strong"), boards=4000)
        for game in ("hearts", "sheephead", "snapszer")
    ),
)


if __name__ == "__main__":
    write_studies(HERE / "methods" / "ppo.md", STUDIES, sys.argv[1:])
