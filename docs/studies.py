"""Measure the models of a method, and draw how they learned, for its page.

`overtrick train GAME METHOD --name NAME …` leaves models and logs in the data folder. Each model is
measured without search; results are kept in the data folder, so only what is new is played. What
is not found keeps what the page says of it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ladder import HERE, put, row

from overtrick.arena import plots
from overtrick.arena.behaviour import measure_behaviour, told_as
from overtrick.arena.kept import play_kept
from overtrick.arena.results import PlayerResult
from overtrick.arena.tournament import Contest
from overtrick.errors import UnknownName
from overtrick.folders import data_folder
from overtrick.games import load_game
from overtrick.learn.curves import curves_of, figure_metrics, logged_runs, smoothed
from overtrick.models import Model, find_model

SEED = 20261117  # of boards that nothing was chosen by
SMOOTH = 5
HABIT_BOARDS = 2000


@dataclass(frozen=True)
class Study:
    """Some runs of one game that belong together: one table, one picture."""

    mark: str
    method: str
    game: str
    runs: tuple[str, ...]
    opponents: tuple[str, ...]
    boards: int = 10_000
    figure: str = "learning"
    metrics: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()  # players that meet each other as well
    habits: tuple[str, ...] = ()  # against whom it is told how the first model plays
    compared: str = ""  # against whom it is told how each of them plays
    edge: int = 0  # boards on which one who sees all cards is measured beside it
    matches: int = 0  # whole ones of the first model, a win for each of several winners


def models_of(study: Study) -> list[Model]:
    """Those of its models that there are."""
    found = []
    for name in study.runs:
        try:
            found.append(find_model(f"{study.game}/{name}"))
        except UnknownName:
            print(f"{study.game}/{name} is not there", file=sys.stderr)
    return found


def result(study: Study, player: str, opponent: str, boards: int) -> PlayerResult:
    """How a player fares; boards that were played before are not played again."""
    contest = Contest.of(load_game(study.game), [player, opponent], seed=SEED)
    return play_kept(contest, boards, data_folder() / study.method / study.game).results()[0]


def measured(study: Study, player: str, opponent: str) -> str:
    """Points a deal, and deals won."""
    line = result(study, player, opponent, study.boards)
    wins = f"{100 * line.wins.mean:.1f} ± {100 * line.wins.ci95:.1f}%"
    return f"{line.payoff.mean:+.3g} ± {line.payoff.ci95:.2g}, {wins}"


def table(study: Study, models: Sequence[Model]) -> str:
    """A line for each model."""
    head = ("model", "deals", "min", *(f"`{opponent}`" for opponent in study.opponents))
    lines = [row(*head), "|" + "---|" * len(head)]
    for model in models:
        card = model.card
        results = [measured(study, card.player, opponent) for opponent in study.opponents]
        lines.append(row(f"`{card.name}`", f"{card.deals:,}", f"{card.minutes:.0f}", *results))
    return "\n".join(lines)


def pairs(study: Study) -> str:
    """A line for each pair of players."""
    if not study.pairs:
        return ""
    lines = [row("player", "opponent", "points a deal, deals won"), "|---|---|---|"]
    for player, opponent in study.pairs:
        try:
            told = measured(study, player, opponent)
        except UnknownName as error:
            print(error, file=sys.stderr)
            continue
        lines.append(row(f"`{player}`", f"`{opponent}`", told))
    return "\n\n" + "\n".join(lines)


def edge(study: Study, model: Model) -> str:
    """What a model wins of the strong rulebook, in parts of what is won by seeing all cards."""
    if not study.edge:
        return ""
    opponent = study.opponents[-1]
    own = result(study, model.card.player, opponent, study.boards).payoff
    most = result(study, "clairvoyant", opponent, study.edge).payoff
    return (
        f"\n\nOne who sees all cards (`clairvoyant`) wins {most.mean:+.3g} ± {most.ci95:.2g} of "
        f"`{opponent}` ({study.edge} boards): the net alone has {100 * own.mean / most.mean:.0f}% "
        "of that edge."
    )


def matches(study: Study, model: Model) -> str:
    """The share of whole matches that a model wins of the last opponent, and that of the latter."""
    if not study.matches:
        return ""
    opponent = study.opponents[-1]
    both = [model.card.player, opponent]
    contest = Contest.of(load_game(study.game), both, seed=SEED, matches=True, ties="every")
    folder = data_folder() / study.method / study.game
    own, theirs = play_kept(contest, study.matches, folder).sides()
    return (
        f"\n\nWhole matches, a win for each of several winners ({study.matches} boards): "
        f"`{model.card.player}` wins {100 * own.mean:.1f} ± {100 * own.ci95:.1f}%, "
        f"`{opponent}` {100 * theirs.mean:.1f} ± {100 * theirs.ci95:.1f}%."
    )


def habits(study: Study, models: Sequence[Model]) -> str:
    """How the first model plays against others, or each against one, and what people do."""
    own = models[0].card.player
    if study.compared:
        columns = {f"`{one.card.name}`": (one.card.player, study.compared) for one in models}
        corner = f"against `{study.compared}`"
    else:
        columns = {f"against `{other}`": (own, other) for other in study.habits}
        corner = f"`{own}`"
    if not columns:
        return ""
    game = load_game(study.game)
    met = [measure_behaviour(game, [*two], HABIT_BOARDS, seed=SEED) for two in columns.values()]
    head = (corner, *columns, "people")
    lines = [row(*head), "|" + "---|" * len(head)]
    for place, metric in enumerate(game.metrics):
        told = [told_as(metric, one.rows[place][0]) for one in met]
        lines.append(row(f"{metric.name}: {metric.meaning}", *told, metric.human))
    return "\n\n" + "\n".join(lines)


def picture(study: Study) -> str:
    """How the runs learned, if their logs are here; the line that shows it."""
    game = load_game(study.game)
    runs = [name for name in study.runs if name in logged_runs(game, study.method)]
    stem = f"{study.method}-{study.mark.replace(' ', '-')}"
    if runs:
        metrics = study.metrics or figure_metrics(game, study.method, runs, study.figure)
        panels: dict[str, list[tuple[str, list[float], list[float]]]] = {}
        for one in curves_of(game, study.method, runs, metrics, "minutes"):
            line = (one.run, one.x.tolist(), smoothed(one.values, SMOOTH).tolist())
            panels.setdefault(one.metric, []).append(line)
        drawn = plots.metrics(panels, xlabel="minutes on two cores", title=game.title)
        plots.save_picture(drawn, HERE / "figures" / f"{stem}.png")
    if not (HERE / "figures" / f"{stem}.png").exists():
        return ""
    return f"\n\n![{game.title}](../figures/{stem}.png)"


def write_studies(page: Path, studies: Sequence[Study], marks: Sequence[str]) -> None:
    """Write what was measured of these studies, or all, of which something is found."""
    text = page.read_text()
    for study in studies:
        if marks and study.mark not in marks:
            continue
        if models := models_of(study):
            found = (
                f"{table(study, models)}{pairs(study)}{edge(study, models[0])}"
                f"{matches(study, models[0])}{habits(study, models)}{picture(study)}\n"
            )
            text = put(text, f"measured: {study.mark}", found)
    page.write_text(text)
