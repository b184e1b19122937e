"""Measure the models of fifteen minutes, and draw how they grew: `make curves`.

    overtrick train GAME METHOD --minutes 15 --seed 1
    overtrick train GAME METHOD --deals 1 --seed 1 --no-measure --name METHOD-untrained

leave models in the data folder, METHOD being `distill` and `alphazero`. Each is measured without
search, and one that was trained for a search with it too; results are kept in the data folder, so
only what is new is played. Games of which no model is found keep what the page says of them.
"""

from __future__ import annotations

import sys

from ladder import HERE, put, row

from overtrick.arena import plots
from overtrick.arena.kept import play_kept
from overtrick.arena.tournament import Contest
from overtrick.errors import UnknownName
from overtrick.folders import data_folder
from overtrick.games import game_names, load_game
from overtrick.models import Model, find_model

PAGE = HERE / "training.md"
METHODS = {"distill": "distillation", "alphazero": "AlphaZero"}
BOARDS, SEARCHED, SEED = 4000, 200, 99
SEARCH = "sims=12,worlds=40"  # of its training
HEAD = ("model", "deals", "min", "player", "boards", "`random`", "untrained", "`rulebook:strong`")


def trained(game: str, method: str) -> Model | None:
    """The model of fifteen minutes."""
    try:
        return find_model(f"{game}/{method}")
    except UnknownName:
        return None


def measured(game: str, player: str, opponent: str, boards: int) -> str:
    """Points a deal, and deals won; boards that were played before are not played again."""
    contest = Contest.of(load_game(game), [player, opponent], seed=SEED)
    line = play_kept(contest, boards, data_folder() / "curves" / game).results()[0]
    return f"{line.payoff.mean:+.3g} ± {line.payoff.ci95:.2g}, {100 * line.wins.mean:.1f}%"


def lines_of(game: str, method: str, model: Model) -> list[str]:
    """What a model won of each opponent, without and with search."""
    ways = [(f"net:{game}/{method}", "net", "without search", BOARDS)]
    if method == "alphazero":
        player = f"alphazero:{game}/{method},{SEARCH}"
        ways.append(
            (player, "alphazero", SEARCH.replace("sims=", "").replace(",worlds=", " × "), SEARCHED)
        )
    found = []
    for player, kind, way, boards in ways:
        untrained = f"{kind}:{game}/{method}-untrained"
        untrained += f",{SEARCH}" if kind == "alphazero" else ""
        results = [
            measured(game, player, opponent, boards)
            for opponent in ("random", untrained, "rulebook:strong")
        ]
        card = model.card
        found.append(
            row(
                METHODS[method],
                f"{card.deals:,}",
                f"{card.minutes:.0f}",
                way,
                f"{boards:,}",
                *results,
            )
        )
    return found


def curve(method: str, model: Model) -> tuple[str, list[float], list[float], list[float]]:
    """The strength that was measured on the way."""
    points = [point for point in model.card.curve if "payoff" in point]
    x, means, halves = (
        [float(point[key]) for point in points] for key in ("minutes", "payoff", "payoff_ci95")
    )
    return METHODS[method], x, means, halves


def section(game: str) -> str:
    """The table and the picture of a game; nothing without models."""
    models = {method: model for method in METHODS if (model := trained(game, method))}
    if not models:
        return ""
    title = load_game(game).title
    lines = [f"### {title}", "", row(*HEAD), "|" + "---|" * len(HEAD)]
    for method, model in models.items():
        lines += lines_of(game, method, model)
    drawn = plots.learning_curve(
        [curve(method, model) for method, model in models.items()],
        xlabel="minutes on two cores",
        ylabel="points a deal",
        title=f"{title}, against rulebook:strong",
    )
    plots.save_picture(drawn, HERE / "figures" / f"training-{game}.png")
    return "\n".join([*lines, "", f"![{title}](figures/training-{game}.png)", "", ""])


def main() -> None:
    """Write what was measured of every game."""
    page = PAGE.read_text()
    for game in game_names():
        if found := section(game):
            page = put(page, f"measured: {game}", found)
        else:
            print(f"{game}: no model of fifteen minutes is found", file=sys.stderr)
    PAGE.write_text(page)


if __name__ == "__main__":
    main()
