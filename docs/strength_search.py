"""Measure the searching players and write their part of `strength.md`: `make strength-search`.

It takes half an hour on two cores. Every row is one `overtrick arena` command; what is played is
kept in the folder given as first argument, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

import itertools
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from overtrick.arena.plots import learning_curve, save_figure
from overtrick.arena.results import Table
from overtrick.arena.tournament import Contest, play_table
from overtrick.games import load_game

HERE = Path(__file__).resolve().parent
PAGE = HERE / "strength.md"
SEED = 1
BEGIN, END = "<!-- search -->\n", "<!-- end of search -->\n"
OPPONENT = "rulebook:strong"
SMALLEST, DOUBLINGS = 5, 4


@dataclass(frozen=True)
class Row:
    """One contest: a player against another, on so many boards."""

    game: str
    player: str
    boards: int
    opponent: str = OPPONENT


# What is measured: PIMC as it is by default, without beliefs, both tree searches at about the
# same time a choice, and the player that sees all cards.
HEADLINES = {
    "snapszer": ("worlds=200", "sims=100,worlds=20", "sims=1500", 400, 400),
    "coinche": ("worlds=200", "sims=100,worlds=20", "sims=2000", 150, 150),
    "sheephead": ("worlds=400", "sims=100,worlds=40", "sims=4000", 120, 40),
    "hearts": (
        "worlds=100,belief=rulebook:strong",
        "sims=40,worlds=20,belief=rulebook:strong",
        "sims=800,belief=rulebook:strong",
        48,
        24,
    ),
    "hokm": ("worlds=2000", "sims=80,worlds=100", "sims=7000", 240, 64),
}
CURVES = {"snapszer": 600, "hokm": 240}


def rows(game: str) -> list[Row]:
    """The contests of one game against its strong rulebook."""
    pimc, puct, ismcts, boards, fewer = HEADLINES[game]
    worlds = pimc.partition(",")[0]
    strong = [f"pimc:{worlds},playout={OPPONENT},belief={OPPONENT}"] if game == "coinche" else []
    names = [
        *strong,
        f"pimc:{worlds},belief=none",
        f"puct:{puct}",
        f"ismcts:{ismcts}",
        "clairvoyant",
    ]
    return [Row(game, f"pimc:{pimc}", boards), *(Row(game, name, fewer) for name in names)]


def curve(game: str) -> list[Row]:
    """Twice the worlds against half of them, again and again; and the most against the fewest."""
    worlds = [SMALLEST << step for step in range(DOUBLINGS + 1)]
    names = [f"pimc:worlds={count}" for count in worlds]
    boards = CURVES[game]
    steps = [Row(game, more, boards, less) for less, more in itertools.pairwise(names)]
    against = [Row(game, name, boards) for name in names]
    return [*against, *steps, Row(game, names[-1], boards, names[0])]


def play(row: Row, folder: Path) -> Table:
    """The result of a contest, taken up where it was left."""
    contest = Contest.of(load_game(row.game), [row.player, row.opponent], seed=SEED)
    name = re.sub(r"[^a-z0-9=]+", "-", f"{row.game}-{row.player}-{row.opponent}".lower())
    return play_table(contest, row.boards, save=folder / f"{name}.jsonl", resume=True)


def line(row: Row, table: Table) -> str:
    """One line of a table of contests."""
    first = table.results()[0]
    return (
        f"| `{row.player}` | `{row.opponent}` | {table.boards:,} | "
        f"{first.payoff.mean:+.3f} ± {first.payoff.ci95:.3f} | "
        f"{100 * first.wins.mean:.1f} ± {100 * first.wins.ci95:.1f}% | {first.ms_per_choice:.3g} |"
    )


HEAD = [
    "| player | opponent | boards | points a deal | deals won | ms a choice |",
    "|---|---|---|---|---|---|",
]


def main(folder: Path) -> None:
    """Measure everything and write the part."""
    folder.mkdir(parents=True, exist_ok=True)
    text = [
        BEGIN + "# Searching players\n",
        f"Seed {SEED}, intervals 95% over boards; `overtrick arena GAME PLAYER OPPONENT "
        f"--boards N\n--seed {SEED}` gives each row again. Times are those of one core of a small "
        "shared machine.\n"
        "`clairvoyant` sees all cards: what it wins is the yardstick for all others. Written by\n"
        "`make strength-search`.\n",
    ]
    for game in HEADLINES:
        lines = [line(row, play(row, folder)) for row in rows(game)]
        text.append("\n".join([f"## {load_game(game).title}, by search\n", *HEAD, *lines]) + "\n")
    text.append("# Strength against budget\n")
    for game in CURVES:
        found = [(row, play(row, folder)) for row in curve(game)]
        points = [table.results()[0].payoff for _, table in found[: DOUBLINGS + 1]]
        worlds = [SMALLEST << step for step in range(DOUBLINGS + 1)]
        title = load_game(game).title
        curves = [("PIMC", worlds, [one.mean for one in points], [one.ci95 for one in points])]
        against = f"points a deal against {OPPONENT}"
        figure = learning_curve(curves, xlabel="worlds", ylabel=against, title=title)
        figure.axes[0].set_xscale("log", base=2)
        figure.axes[0].set_xticks(worlds, [str(count) for count in worlds])
        _, drawing = save_figure(figure, HERE / "figures" / f"budget-{game}")
        drawing.unlink()  # the page shows the other one
        lines = [line(row, table) for row, table in found]
        picture = f"![{title}: points a deal against worlds](figures/budget-{game}.png)\n"
        text.append("\n".join([f"## {title}, by budget\n", *HEAD, *lines]) + f"\n\n{picture}")
    put("\n".join(text) + END)


def put(part: str) -> None:
    """Replace the part of the page, or add it."""
    page = PAGE.read_text()
    if BEGIN in page:
        page = page[: page.index(BEGIN)] + page[page.index(END) + len(END) :]
    PAGE.write_text(page.rstrip("\n") + "\n\n" + part)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
