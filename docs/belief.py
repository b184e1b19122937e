r"""Rerun the thesis's experiments with belief players, for `methods/belief.md`: `make belief`.

One to four learners sit with the strong rulebook, under the thesis's own conditions and under
ours, in sessions of 100,000 deals (`DEALS=10000 make belief` for others); then with the thesis's
own nets and tables, and with one factor at a time left out, in shorter sessions; then beliefs are
held against what came of them. Sessions are kept in the data folder, so only what is new is
played, two at a time. The models are those of

    overtrick train sheephead belief --preset hour --minutes 60 --seed 1 --name believer
    overtrick train sheephead belief --preset thesis --set variant=all_pass=redeal --minutes 10 \
        --seed 1 --name thesis
    overtrick train sheephead belief --preset hour --minutes 8 --seed 1 --name neural \
        --set features=tables
    overtrick train sheephead belief --preset ngnet --minutes 8 --seed 1 --name gaussian
    overtrick train hearts belief --preset hour --minutes 12 --seed 1 --name believer

What is not found keeps what the page says of it. `python docs/belief.py thesis` measures one part.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from ladder import HERE, put, row

from overtrick.arena import plots
from overtrick.arena.kept import play_kept
from overtrick.arena.simulation import Session, simulate
from overtrick.arena.statistics import Estimate
from overtrick.arena.tournament import Contest
from overtrick.belief.calibrating import Calibration, calibrate_cards, calibrate_choices
from overtrick.errors import UnknownName
from overtrick.folders import data_folder
from overtrick.games import load_game
from overtrick.models import find_model
from overtrick.players import make_player
from overtrick.players.believing import BeliefPlayer

PAGE = HERE / "methods" / "belief.md"
SEED = 20261117
DEALS = int(os.environ.get("DEALS", "100000"))
SHORT = min(DEALS, 10_000)
OTHER = "rulebook:strong"
SHARED = "phases=bid+bury+declare+unknown,by=rulebook:strong"


@dataclass(frozen=True)
class Condition:
    """Under which the thesis's figures 10 to 13 are drawn."""

    title: str
    player: str
    variant: str = ""


RULED = f"predictor=rules,belief=even,{SHARED}"
THEIRS = Condition(
    "the thesis's conditions", f"belief:sheephead/believer,{RULED}", "all_pass=redeal"
)
OURS = Condition("ours", "belief:sheephead/believer")
SCHEME = Condition(
    "the thesis's nets",
    f"belief:sheephead/thesis,prior=6,lookahead=enumerated,{RULED}",
    "all_pass=redeal",
)
ABLATIONS = {
    "learned belief, learned predictors": "belief:sheephead/believer",
    "all worlds alike": "belief:sheephead/believer,belief=even",
    "no belief: the actor alone": "belief:sheephead/believer,belief=none",
    "the rulebook as predictor": "belief:sheephead/believer,predictor=rules",
    "predictors that do not adapt": "belief:sheephead/believer,adapt=no",
    "neural nets on our tables, 8 minutes": "belief:sheephead/neural",
    "Gaussian networks on our tables, 8 minutes": "belief:sheephead/gaussian",
}


def is_there(model: str) -> bool:
    """Whether there is such a model."""
    try:
        find_model(model)
    except UnknownName:
        print(f"{model} is not there", file=sys.stderr)
        return False
    return True


def kept_at(players: Sequence[str], deals: int, variant: str) -> Path:
    """Where a session is kept, by all that it depends on: weights too."""
    weights = [
        (find_model(name.split(":")[1].split(",")[0]).folder / "net.safetensors").read_bytes()
        for name in players
        if name.startswith("belief:")
    ]
    told = json.dumps(
        [players, deals, variant, SEED, [hashlib.sha256(w).hexdigest() for w in weights]]
    )
    return data_folder() / "belief" / f"{hashlib.sha256(told.encode()).hexdigest()[:20]}.npz"


def play_once(players: Sequence[str], deals: int, variant: str) -> None:
    """Play a session, unless it is kept."""
    path = kept_at(players, deals, variant)
    if path.exists():
        return
    print(f"playing {deals:,} deals: {', '.join(players)}", file=sys.stderr)
    session = simulate(load_game("sheephead"), players, deals, seed=SEED, variant=variant)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".part.npz")
    np.savez_compressed(beside, money=session.money, places=session.places)
    beside.replace(path)


def sessions_of(tables: Sequence[Sequence[str]], deals: int, variant: str = "") -> list[Session]:
    """Sessions of several tables, two at a time, each played once for the same weights."""
    with ProcessPoolExecutor(2) as pool:
        playing = [pool.submit(play_once, players, deals, variant) for players in tables]
        for one in playing:
            one.result()
    return [read_session(players, deals, variant) for players in tables]


def read_session(players: Sequence[str], deals: int, variant: str) -> Session:
    """A session that is kept."""
    game = load_game("sheephead")
    names = tuple(make_player(name, game).name for name in players)
    with np.load(kept_at(players, deals, variant)) as kept:
        money, places = kept["money"], kept["places"]
    orders = np.zeros((0, len(game.deck)), dtype=np.int64)
    return Session(game, game.variant_of(variant), names, SEED, 100, money, places, orders)


def told(number: Estimate) -> str:
    """A mean with its interval."""
    return f"{number.mean:+.2f} ± {number.ci95:.2f}"


# ---------------------------------------------------------------------------- figures 10 to 13


def sessions_under(condition: Condition, deals: int) -> dict[int, Session]:
    """Sessions with one to four learners."""
    tables = {
        learners: [condition.player] * learners + [OTHER] * (5 - learners)
        for learners in (4, 3, 2, 1)  # the longest first
    }
    played = sessions_of([*tables.values()], deals, condition.variant)
    return dict(zip(tables, played, strict=True))


def row_of(learners: int, title: str, session: Session) -> str:
    """What everybody won, and the least that a learner is ahead by."""
    results = session.results()
    margins = [
        session.margin(one, other) for one in range(learners) for other in range(learners, 5)
    ]
    least = min(margins, key=lambda margin: margin.mean - margin.ci95)
    mine = ", ".join(told(one) for one in results[:learners])
    theirs = ", ".join(told(one) for one in results[learners:])
    return row(str(learners), title, mine, theirs, told(least))


HEAD = [
    row("learners", "", "each learner", "each rulebook player", "least margin"),
    "|---" * 5 + "|",
]


def experiments() -> str:
    """One to four learners under both conditions, side by side."""
    both = {one.title: sessions_under(one, DEALS) for one in (THEIRS, OURS)}
    lines = [
        row_of(learners, title, sessions[learners])
        for learners in range(1, 5)
        for title, sessions in both.items()
    ]
    figure, panels = plots._panels(11, 14, (1, 1), rows=4)
    at = iter(panels)
    for learners in range(1, 5):
        for title, sessions in both.items():
            axes = next(at)
            names = ("learner",) * learners + ("rulebook",) * (5 - learners)
            plots._draw_money(axes, replace(sessions[learners], players=names))
            axes.set_title(f"{learners} of 5 learn, {title}")
            axes.set_ylabel("running cents")
    plots.save_picture(figure, HERE / "figures" / "belief-sessions.png")
    head = f"{DEALS:,} deals each, seed {SEED}, cents a deal.\n\n"
    picture = "![Running money, with the 95% bands of chance](../figures/belief-sessions.png)"
    return head + "\n".join([*HEAD, *lines]) + f"\n\n{picture}\n"


def scheme() -> str:
    """The thesis's own nets and tables, under its conditions."""
    sessions = sessions_under(SCHEME, SHORT)
    lines = [row_of(learners, SCHEME.title, sessions[learners]) for learners in range(1, 5)]
    return (
        f"{SHORT:,} deals each, seed {SEED}, cents a deal.\n\n" + "\n".join([*HEAD, *lines]) + "\n"
    )


def ablations() -> str:
    """One learner among four rulebook players, one factor changed at a time.

    Also without the actor's word, which is the same with any belief and any predictor.
    """
    there = {
        label: player
        for label, player in ABLATIONS.items()
        if is_there(player.split(":")[1].split(",")[0])
    }
    players = [*there.values(), *(f"{player},prior=0" for player in there.values())]
    sessions = sessions_of([[player, *[OTHER] * 4] for player in players], SHORT)
    lines = [
        row("", "cents a deal", "ahead of the best of the others by", "without the actor's word")
    ]
    lines += ["|---" * 4 + "|"]
    for number, (label, player) in enumerate(there.items()):
        session, bare = sessions[number], sessions[len(there) + number]
        margins = [session.margin(0, other) for other in range(1, 5)]
        least = min(margins, key=lambda margin: margin.mean)
        without = "" if "belief=none" in player else told(bare.results()[0])
        lines.append(row(label, told(session.results()[0]), told(least), without))
    return f"{SHORT:,} deals each, seed {SEED}.\n\n" + "\n".join(lines) + "\n"


# ---------------------------------------------------------------------------- calibration


def calibration() -> str:
    """Where cards were believed to lie, and what was predicted, against what came."""
    game = load_game("sheephead")
    player = make_player("belief:sheephead/believer", game)
    assert isinstance(player, BeliefPlayer)
    level = make_player(OTHER, game).level  # type: ignore[attr-defined]
    how = {"level": level, "deals": 2000, "seed": SEED}
    found = {
        "cards, by counting": calibrate_cards(game, None, **how),
        "cards, weighed by the predictor": calibrate_cards(game, player.minds, **how),
        "choices, by the predictor": calibrate_choices(game, player.minds, **how),
    }
    draw(found, HERE / "figures" / "belief-calibration.png")
    lines = [row("", "off by", "log loss", "Brier"), "|---|---|---|---|"]
    for label, one in found.items():
        lines.append(row(label, f"{one.error:.3f}", f"{one.log_loss:.4f}", f"{one.brier:.4f}"))
    picture = "![Calibration](../figures/belief-calibration.png)"
    return "\n".join(lines) + f"\n\n{picture}\n"


def draw(found: dict[str, Calibration], path: Path) -> None:
    """What came true over what was believed, with intervals."""
    figure, axes = plots._figure(5, 5)
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    for label, one in found.items():
        known = one.counts > 0
        axes.errorbar(
            one.believed[known],
            one.came_true[known],
            yerr=one.half_widths()[known],
            marker="o",
            markersize=3,
            linewidth=1.2,
            label=label,
        )
    axes.set_xlabel("believed")
    axes.set_ylabel("came true")
    axes.legend(loc="upper left")
    plots.save_picture(figure, path)


def hearts() -> str:
    """The same player at Ishii et al.'s own game."""
    game = load_game("hearts")
    lines = [row("opponent", "points a deal", "ms a choice"), "|---|---|---|"]
    for opponent in ("random", OTHER):
        contest = Contest.of(game, ["belief:hearts/believer", opponent], seed=SEED)
        line = play_kept(contest, 1000, data_folder() / "belief" / "hearts").results()[0]
        lines.append(row(f"`{opponent}`", told(line.payoff), f"{line.ms_per_choice:.2f}"))
    return "\n".join(lines) + "\n"


PARTS: dict[str, tuple[str, Callable[[], str]]] = {
    "thesis": ("sheephead/believer", experiments),
    "scheme": ("sheephead/thesis", scheme),
    "ablations": ("sheephead/believer", ablations),
    "calibration": ("sheephead/believer", calibration),
    "hearts": ("hearts/believer", hearts),
}


def main() -> None:
    """Write what was measured of everything of which the models are there, or of some parts."""
    for mark in sys.argv[1:] or PARTS:
        model, measure = PARTS[mark]
        if is_there(model):
            found = measure()
            PAGE.write_text(put(PAGE.read_text(), f"measured: {mark}", found))


if __name__ == "__main__":
    main()
