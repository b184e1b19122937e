"""Measure the models of Deep CFR, and draw how they learned, for `methods/deepcfr.md`.

`make deepcfr`; models that are not there are left out. `docs/deepcfr.py MARK …` is for some of the
studies only.
"""

from __future__ import annotations

import sys

from ladder import HERE
from studies import Study, write_studies

HEURISTICS = ("random", "rulebook:simple", "rulebook:strong")

STUDIES = (
    Study(
        "hearts",
        "deepcfr",
        "hearts",
        ("champion", "scratch"),
        HEURISTICS,
        boards=4000,
        metrics=("payoff", "regret explained", "critic explained", "AMSE"),
        pairs=(("cfr:hearts/champion", "net:hearts/distill"),),
        edge=200,
        matches=1000,
    ),
    Study(
        "coinche collapse",
        "deepcfr",
        "coinche",
        ("collapse",),
        HEURISTICS,
        boards=1000,
        metrics=("length", "calls", "passed out", "contract value"),
    ),
    Study(
        "coinche heuristics",
        "deepcfr",
        "coinche",
        ("cfr-random", "cfr-simple", "cfr-strong"),
        HEURISTICS,
        boards=4000,
        figure="play",
        compared="rulebook:strong",
    ),
    Study(
        "coinche ways out",
        "deepcfr",
        "coinche",
        ("cfr-teacher", "cfr-critic", "cfr-forced", "cfr-book"),
        HEURISTICS,
        boards=4000,
        figure="play",
        compared="rulebook:strong",
        pairs=(("cfr:coinche/cfr-teacher", "net:coinche/distill"),),
    ),
)


if __name__ == "__main__":
    write_studies(HERE / "methods" / "deepcfr.md", STUDIES, sys.argv[1:])
