"""The commands that measure players: arena, odds, simulate, stats.

Each imports what it needs when it is called, so that the command line starts fast.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overtrick.errors import BadBudget, BadOption

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from overtrick.arena.behaviour import Behaviour
    from overtrick.arena.results import PlayerResult, Table
    from overtrick.arena.round_robin import RoundRobin

__all__ = ["BoardProgress", "add_arena_commands", "show_round_robin"]

PLAYERS = "Two or more players, such as random, rulebook:strong@1, 'exec:./mybot --fast'."


def add_arena_commands(app: typer.Typer) -> None:
    """Make the commands that measure known to the command line."""
    app.command()(arena)
    app.command()(odds)
    app.command()(simulate)
    app.command()(stats)


def arena(
    game: Annotated[str, typer.Argument(help="Which game; `overtrick games` lists them.")],
    players: Annotated[list[str], typer.Argument(help=PLAYERS)],
    boards: Annotated[int, typer.Option(help="Boards to play; with --sprt, at most.")] = 1000,
    seed: Annotated[int, typer.Option(help="Which boards.")] = 1,
    variant: Annotated[str, typer.Option(help="House rules, as name=value,name=value.")] = "",
    match: Annotated[bool, typer.Option("--match", help="Whole matches, not deals.")] = False,
    ties: Annotated[
        str, typer.Option(help="A match that several win: shared, or a win of every one.")
    ] = "shared",
    round_robin: Annotated[
        bool, typer.Option("--round-robin", help="Every two players meet, also at larger tables.")
    ] = False,
    sprt: Annotated[
        bool, typer.Option("--sprt", help="Stop once it is clear whether the first is stronger.")
    ] = False,
    save: Annotated[Path | None, typer.Option(help="Keep every chunk of boards there.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is saved.")] = False,
    plots: Annotated[
        Path | None, typer.Option(help="A folder for pictures of a round robin.")
    ] = None,
    threads: Annotated[int, typer.Option(help="Cores to use; 0 for all.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Let players meet on boards: the same deals with the seats rotated."""
    from overtrick.arena.report import write_round_robin
    from overtrick.arena.round_robin import play_round_robin
    from overtrick.arena.seating import fits_one_table
    from overtrick.arena.tournament import Contest, play_table
    from overtrick.games import load_game

    if threads < 0:
        raise BadBudget(f"the number of threads is 0 (all cores) or more, not {threads}")
    chosen = load_game(game)
    contest = Contest.of(chosen, players, seed=seed, variant=variant, matches=match, ties=ties)
    settings: dict[str, Any] = {"threads": threads or None, "save": save, "resume": resume}
    in_pairs = round_robin or not fits_one_table(chosen, len(players))
    if sprt and len(players) != 2:
        raise BadOption(f"--sprt compares two players, not {len(players)}")
    if plots is not None and not (in_pairs and len(players) > 2):
        raise BadOption("--plots draws round robins: name three or more players, --round-robin")
    if in_pairs and len(players) > 2:
        total = boards * len(players) * (len(players) - 1) // 2
        with BoardProgress(total, sprt=False) as progress:
            result = play_round_robin(contest, boards, watch=progress.watch, **settings)
        told = result.values()
        if plots is not None:
            told["files"] = [str(path) for path in write_round_robin(result, plots)]
        show = partial(show_round_robin, result)
    else:
        with BoardProgress(boards, sprt=sprt) as progress:
            table = play_table(contest, boards, watch=progress.watch, **settings)
        told = table.values()
        if sprt:
            test = table.sprt()
            told["sprt"] = {"decision": test.decision, "llr": test.llr, "boards": test.boards}
        show = partial(_show_table, table, sprt=sprt)
    if as_json:
        print(json.dumps(told))
    else:
        show()


def odds(
    share: Annotated[float, typer.Argument(help="The share of deals that a side wins, 0 to 1.")],
    target: Annotated[int, typer.Option(help="Deals that win the match.")] = 7,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Tell how often a side wins the match, if every deal counts one and nothing is tied."""
    from overtrick.arena.statistics import match_odds

    wins = match_odds(share, target)
    if as_json:
        print(json.dumps({"share": share, "target": target, "match_share": wins}))
    else:
        print(f"{100 * share:g}% of deals win {100 * wins:.1f}% of matches to {target}")


def simulate(
    game: Annotated[str, typer.Argument(help="Which game; `overtrick games` lists them.")],
    players: Annotated[str, typer.Option(help="Everybody at the table, by commas.")],
    deals: Annotated[int, typer.Option(help="How many deals.")] = 10_000,
    out: Annotated[Path | None, typer.Option(help="A folder for tables and pictures.")] = None,
    rearrange: Annotated[int, typer.Option(help="Draw chairs every so many deals; 0 never.")] = 100,
    seed: Annotated[int, typer.Option(help="Which session.")] = 1,
    variant: Annotated[str, typer.Option(help="House rules, as name=value,name=value.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Play one long session and follow everybody's money."""
    from overtrick.arena.report import session_values, write_session
    from overtrick.arena.simulation import simulate as play_session
    from overtrick.games import load_game
    from overtrick.players.naming import split_names

    chosen, names = load_game(game), split_names(players)
    with _deal_progress(deals) as watch:
        session = play_session(
            chosen, names, deals, seed=seed, variant=variant, every=rearrange, watch=watch
        )
    told = session_values(session)
    if out is not None:
        told["files"] = [str(path) for path in write_session(session, out)]
    if as_json:
        print(json.dumps(told))
    else:
        _show_session(told)


def stats(
    game: Annotated[str, typer.Argument(help="Which game; `overtrick games` lists them.")],
    players: Annotated[list[str], typer.Argument(help=PLAYERS)],
    boards: Annotated[int, typer.Option(help="Boards to play.")] = 1000,
    seed: Annotated[int, typer.Option(help="Which boards.")] = 1,
    variant: Annotated[str, typer.Option(help="House rules, as name=value,name=value.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Tell how players play against each other: rates, rewards by role, habits."""
    from overtrick.arena.behaviour import measure_behaviour
    from overtrick.games import load_game

    if len(players) < 2:
        raise BadBudget(f"two or more players meet, not {len(players)}")
    chosen = load_game(game)
    result = measure_behaviour(chosen, players, boards, seed=seed, variant=variant)
    if as_json:
        print(json.dumps(result.values()))
    else:
        _show_behaviour(result)


# ---------------------------------------------------------------------------- progress


@contextmanager
def _deal_progress(deals: int) -> Iterator[Callable[[int], object]]:
    """A bar on standard error, to be told how many deals are done; nothing where nobody looks."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    looks = sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), disable=not looks) as bar:
        task = bar.add_task("", total=deals)
        yield lambda done: bar.update(task, completed=done)


class BoardProgress:
    """A bar on standard error with the interval so far; nothing where nobody looks."""

    def __init__(self, boards: int, *, sprt: bool) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        self.sprt = sprt
        self.done, self.last = 0, 0
        console = Console(stderr=True)
        self.bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
            console=console,
            disable=not sys.stderr.isatty(),
        )
        self.task = self.bar.add_task("", total=boards)

    def __enter__(self) -> BoardProgress:
        self.bar.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.bar.stop()

    def watch(self, so_far: Table) -> bool:
        """Show the result so far; whether to go on."""
        if so_far.boards <= self.last:  # the next pair of a round robin
            self.done += self.last
        self.last = so_far.boards
        first = so_far.results()[0]
        told = f"{first.player} {first.payoff}, wins {100 * first.wins.mean:.1f}%"
        self.bar.update(self.task, completed=self.done + self.last, description=told)
        return not self.sprt or so_far.sprt().decision == "open"


# ---------------------------------------------------------------------------- tables


def _lines(results: list[PlayerResult], title: str) -> RichTable:
    from rich.table import Table as RichTable

    table = RichTable(title=title, title_justify="left")
    table.add_column("player")
    for label in ("points a deal", "deals won", "ms a choice"):
        table.add_column(label, justify="right")
    for line in results:
        table.add_row(
            line.player,
            str(line.payoff),
            f"{100 * line.wins.mean:.1f} ± {100 * line.wins.ci95:.1f}%",
            f"{line.ms_per_choice:.3g}",
        )
    return table


def _title(table: Table) -> str:
    rules = f", {table.variant.text()}" if table.variant.text() else ""
    kind = "matches" if table.matches else "boards"
    return f"{table.game.name}{rules}: {table.boards} {kind}, seed {table.seed}, intervals 95%"


def _show_table(table: Table, *, sprt: bool) -> None:
    from rich.console import Console

    from overtrick.arena.statistics import match_odds

    console = Console()
    console.print(_lines(table.results(), _title(table)))
    _show_flags([(one.player, one.flag) for one in table.results()])
    if sprt:
        test = table.sprt()
        console.print(
            f"SPRT: {table.players[0]} is {test.decision} "
            f"(LLR {test.llr:.2f}, bounds {test.low:.2f} and {test.high:.2f})",
            highlight=False,
        )
    if table.ties != "shared":
        told = zip(table.players, table.sides(), strict=True)
        shares = ", ".join(f"{name} {100 * s.mean:.1f} ± {100 * s.ci95:.1f}%" for name, s in told)
        console.print(f"matches with a winner, each of several counts: {shares}", highlight=False)
    target = getattr(table.variant, "target", None)
    if table.game.wins_decide and target and not table.matches:
        share = table.results()[0].wins.mean
        console.print(
            f"{100 * share:.1f}% of deals win {100 * match_odds(share, target):.1f}% of matches "
            f"to {target}, if every deal counts one",
            highlight=False,
        )


def show_round_robin(result: RoundRobin) -> None:
    """Print points a deal, the cross table and the ratings."""
    from rich.console import Console
    from rich.table import Table as RichTable

    console = Console()
    console.print(_lines(result.results(), _title(result.tables[0]) + " for each pair"))
    _show_flags([(one.player, one.flag) for one in result.results()])
    cross = RichTable(title="points a deal against", title_justify="left")
    cross.add_column("")
    for name in result.players:
        cross.add_column(name, justify="right")
    for number, name in enumerate(result.players):
        cells = [
            "" if number == other else str(result.against(number, other))
            for other in range(len(result.players))
        ]
        cross.add_row(name, *cells)
    console.print(cross)
    rated = RichTable(title="rated together, the mean being 0", title_justify="left")
    rated.add_column("player")
    rated.add_column("Elo by points", justify="right")
    rated.add_column("Elo by boards won", justify="right")
    by_boards = {
        one.player: f"{one.elo:+.0f} ± {one.ci95:.0f}" for one in result.ratings_by_boards()
    }
    for one in result.ratings():
        rated.add_row(one.player, f"{one.elo:+.0f} ± {one.ci95:.0f}", by_boards[one.player])
    console.print(rated)


def _show_session(told: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table as RichTable

    console = Console()
    title = f"{told['game']}: {told['deals']:,} deals, seed {told['seed']}, intervals 95%"
    table = RichTable(title=title, title_justify="left")
    for label in ("player", "points in all", "points a deal"):
        table.add_column(label, justify="left" if label == "player" else "right")
    for line in told["results"]:
        mean = f"{line['mean_payoff']:+.3f} ± {line['ci95']:.3f}"
        table.add_row(line["player"], f"{line['money']:+,.0f}", mean)
    console.print(table)
    _show_flags([(one["player"], _flag(one["replaced"])) for one in told["results"]])
    for line in told["margins"]:
        least = f"{line['least']:+.3f} ± {line['ci95']:.3f}"
        console.print(
            f"{line['player']} is ahead of {line['other']} by {least} or more, whoever is compared",
            highlight=False,
            soft_wrap=True,
        )
    places = RichTable(title="by place, whoever sits there", title_justify="left")
    places.add_column("place from the first to act")
    places.add_column("points a deal", justify="right")
    for line in told["places"]:
        places.add_row(str(line["place"]), f"{line['mean_payoff']:+.3f} ± {line['ci95']:.3f}")
    console.print(places)
    matters = "matters" if told["place_p"] < 0.05 else "makes no difference that shows"
    console.print(f"the place {matters} (p = {told['place_p']:.2g})", highlight=False)
    dice = told["shuffles"]
    console.print(
        f"shuffles: cards evenly over places p = {dice['cards_evenly_p']:.2g}, "
        f"deals independent p = {dice['deals_independent_p']:.2g}",
        highlight=False,
    )
    for path in told.get("files", []):
        console.print(path, highlight=False)


def _show_behaviour(result: Behaviour) -> None:
    from rich.console import Console
    from rich.table import Table as RichTable

    from overtrick.arena.behaviour import told_as

    rules = f", {result.variant.text()}" if result.variant.text() else ""
    title = f"{result.game.name}{rules}: {result.boards} boards, seed {result.seed}, intervals 95%"
    table = RichTable(title=title, title_justify="left")
    table.add_column("")
    for name in result.players:
        table.add_column(name, justify="right")
    if any(metric.human for metric in result.metrics):
        table.add_column("people", justify="right")
    table.add_column("meaning")
    for metric, row in zip(result.metrics, result.rows, strict=True):
        cells = [told_as(metric, one) for one in row]
        if any(other.human for other in result.metrics):
            cells.append(metric.human)
        table.add_row(metric.name, *cells, metric.meaning)
    Console().print(table)
    flags = map(_flag, result.replaced)
    _show_flags([*zip(result.players, flags, strict=True)])


def _flag(replaced: int) -> str:
    return f"{replaced} choices replaced" if replaced else ""


def _show_flags(flags: list[tuple[str, str]]) -> None:
    """Tell whose result is not its own: a program that failed, and the lowest legal choice."""
    from rich.console import Console
    from rich.text import Text

    for player, flag in flags:
        if flag:
            told = f"{player}: {flag} by the lowest legal one: this result is not all its own"
            Console().print(Text(told, style="yellow"), soft_wrap=True)
