"""Commands of regret minimisation: `cfr`, `exploit` and `arena-curve`.

They import what they need when they are called, so that the command line starts fast.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overtrick.errors import BadBudget, BadOption

if TYPE_CHECKING:
    from overtrick.engine.tree import Tree
    from overtrick.games.game import Game
    from overtrick.learn.tabular import Tabular

__all__ = ["add_cfr_commands"]


def add_cfr_commands(app: typer.Typer) -> None:
    """Make the commands known to the command line."""
    app.command()(cfr)
    app.command()(exploit)
    app.command(name="arena-curve")(arena_curve)


# ---------------------------------------------------------------------------- whole trees


def cfr(
    game: Annotated[str, typer.Argument(help="A small game: rps, kuhn, leduc or whist3x3.")],
    method: Annotated[str, typer.Option(help="cfr, cfr+, external or outcome.")] = "cfr+",
    iterations: Annotated[int, typer.Option(help="How many.")] = 1000,
    seed: Annotated[int, typer.Option(help="Of the two that sample.")] = 1,
    epsilon: Annotated[
        float, typer.Option(help="Share of any choice, where outcomes are sampled.")
    ] = 0.6,
    policy: Annotated[bool, typer.Option("--policy", help="Tell the average policy too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Solve a small game by regret minimisation; how exploitable its average policy is, exactly."""
    from overtrick.engine.tree import build_tree
    from overtrick.learn.tabular import Tabular

    if iterations < 1:
        raise BadBudget(f"the number of iterations is 1 or more, not {iterations}")
    if seed < 0:
        raise BadOption(f"a seed is 0 or more, not {seed}")
    tree = build_tree(_small_game(game))
    solver = Tabular(tree, method, seed=seed, epsilon=epsilon)
    course = [_told(solver, at) for at in _milestones(iterations)]
    average = _policy(tree, solver) if policy else []
    if as_json:
        facts = {"game": game, "method": method, "seed": seed, "infosets": tree.infosets}
        print(json.dumps({**facts, "course": course, **({"policy": average} if policy else {})}))
        return
    print(f"{game} {method}: {len(tree.deals):,} deals, {tree.infosets:,} information sets")
    print(f"{'iterations':>12}  {'exploitability':>14}  {'value, seat 0':>13}  {'seconds':>8}")
    for row in course:
        print(
            f"{row['iterations']:>12,}  {row['exploitability']:>14.5f}  "
            f"{row['value']:>13.5f}  {row['seconds']:>8.2f}"
        )
    for view in average:
        shares = "  ".join(f"{name} {share:.3f}" for name, share in view["shares"].items())
        print(f"{view['view']}: {shares}")


def _small_game(name: str) -> Game:
    from overtrick.games import load_game
    from overtrick.learn import rps

    return rps.GAME if name == rps.GAME.name else load_game(name)


def _milestones(iterations: int) -> list[int]:
    """1, 10, 100 … and the last."""
    tens = [10**power for power in range(12) if 10**power < iterations]
    return [*tens, iterations]


def _told(solver: Tabular, at: int) -> dict[str, Any]:
    begun = time.perf_counter()
    solver.iterate(at - solver.iterations)
    seconds = time.perf_counter() - begun
    average = solver.average()
    return {
        "iterations": at,
        "exploitability": solver.tree.exploitability(average),
        "value": float(solver.tree.values(average)[0]),
        "nodes": solver.nodes,
        "seconds": seconds,
    }


def _policy(tree: Tree, solver: Tabular) -> list[dict[str, Any]]:
    """What is chosen how often, view by view: the seat, its cards, and what was chosen before."""
    game, found = tree.game, []
    for view, legal, shares in zip(tree.views, tree.legal, solver.average(), strict=True):
        seat = int(view["seat"])
        cards = game.deck.texts(int(view["hands"][seat]))
        made = [int(event) & 63 for event in view["history"][: int(view["turn"])]]
        line = " ".join(game.choice_text(0, choice) for choice in made)
        names = {
            game.choice_text(0, choice): float(shares[choice])
            for choice in range(len(legal))
            if legal[choice]
        }
        told = " ".join(filter(None, [f"seat {seat}", cards, f"after {line}" if line else ""]))
        found.append({"view": told, "shares": names})
    return found


# ---------------------------------------------------------------------------- responses


def exploit(
    game: Annotated[str, typer.Argument(help="Which game; `overtrick games` lists them.")],
    player: Annotated[str, typer.Argument(help="Who is to be exploited, by name.")],
    minutes: Annotated[float | None, typer.Option(help="Wall time of training.")] = None,
    deals: Annotated[int | None, typer.Option(help="Deals of training instead.")] = None,
    boards: Annotated[int, typer.Option(help="Fresh boards of the measurement.")] = 1000,
    seed: Annotated[int, typer.Option(help="All chance comes from it.")] = 1,
    variant: Annotated[str, typer.Option(help="House rules, as name=value,name=value.")] = "",
    name: Annotated[str, typer.Option(help="Of the response, which is kept.")] = "response",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="As of `train`.")
    ] = None,
    workers: Annotated[int, typer.Option(help="Threads; 0 for all cores.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Train a best response to a player: a lower bound of what can be won from it."""
    from overtrick.cli_train import _settings, _workers
    from overtrick.games import load_game
    from overtrick.learn.budget import Budget
    from overtrick.learn.methods import load_method
    from overtrick.learn.responding import measure_response, response_settings
    from overtrick.learn.run import begin_run, train

    chosen, method = load_game(game), load_method("deepcfr")
    if boards < 2:
        raise BadBudget(f"the number of boards is 2 or more, not {boards}")
    if seed < 0:
        raise BadOption(f"a seed is 0 or more, not {seed}")
    if minutes is None and deals is None:
        minutes = 10.0
    usual = response_settings(chosen, player)
    opponent = usual["against"]
    told = {**usual, "variant": variant, **_settings(settings or [])}
    config = method.configure(chosen, "response", told)
    run = begin_run(chosen, method, config, name=name, seed=seed, budget=Budget(deals, minutes))
    hands = _workers(workers, "")
    try:
        trained = train(run, hands, measure=False)
        found = measure_response(
            chosen,
            trained.player,
            opponent,
            boards=boards,
            seed=seed,
            workers=hands,
            variant=variant,
        )
    finally:
        hands.close()
    if as_json:
        values: dict[str, Any] = {"game": game, "player": found.player, "response": found.response}
        values |= {"gain": found.gain.mean, "ci95": found.gain.ci95, "boards": found.boards}
        values |= {"seed": found.seed, "deals": trained.deals, "minutes": trained.minutes}
        print(json.dumps(values))
        return
    is_won = found.gain.mean > found.gain.ci95
    print(
        f"{game}: {found.response} wins {found.gain} points/deal from {found.player} "
        f"(95%, {found.boards} boards, seed {found.seed}; {trained.deals:,} deals, "
        f"{trained.minutes:.1f} min of training): "
        + ("at least so much can be won from it" if is_won else "it has found no way to win of it")
    )


# ---------------------------------------------------------------------------- snapshots


def arena_curve(
    game: Annotated[str, typer.Argument(help="Which game; `overtrick games` lists them.")],
    run: Annotated[str, typer.Argument(help="A run of deepcfr, by its name.")],
    best: Annotated[
        str, typer.Option(help="Who all of them meet: a snapshot or a player; else the model.")
    ] = "",
    boards: Annotated[int, typer.Option(help="Boards of each.")] = 200,
    most: Annotated[int, typer.Option(help="Snapshots at most, evenly over the run.")] = 40,
    seed: Annotated[int, typer.Option(help="Of the boards.")] = 1,
    plot: Annotated[Path | None, typer.Option(help="A file for the picture.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Let every net that a run kept on its way meet the best one, and draw how they fared."""
    from overtrick.arena.plots import check_picture
    from overtrick.arena.tournament import Contest, play_table
    from overtrick.games import load_game
    from overtrick.learn.snapshots import rules_of_run, snapshot_players

    chosen = load_game(game)
    if boards < 2 or most < 1:
        raise BadBudget("boards are 2 or more, and snapshots 1 or more")
    if plot is not None:
        check_picture(plot)
    if seed < 0:
        raise BadOption(f"a seed is 0 or more, not {seed}")
    snapshots, variant = snapshot_players(chosen, run, most), rules_of_run(chosen, run)
    opponent = snapshots.get(best, best) or f"cfr:{game}/{run}"
    rows = []
    for label, player in snapshots.items():
        contest = Contest.of(chosen, [player, opponent], seed=seed, variant=variant or None)
        line = play_table(contest, boards).results()[0]
        rows.append(
            {
                "snapshot": label,
                "payoff": line.payoff.mean,
                "ci95": line.payoff.ci95,
                "win_rate": line.wins.mean,
            }
        )
        if not as_json:
            print(
                f"{label:>12}  {line.payoff.mean:+.3f} ± {line.payoff.ci95:.3f} points/deal, "
                f"{100 * line.wins.mean:.1f}% of deals won"
            )
    if plot is not None:
        _draw_snapshots(rows, chosen.title, best or run, plot)
    if as_json:
        told = {"game": game, "run": run, "best": opponent, "boards": boards, "seed": seed}
        print(json.dumps({**told, "snapshots": rows}))


def _draw_snapshots(rows: list[dict[str, Any]], title: str, best: str, plot: Path) -> None:
    """A line for every iteration, one point a snapshot, as on the Hearts page."""
    from overtrick.arena import plots

    lines: dict[str, tuple[list[float], list[float], list[float]]] = {}
    for number, row in enumerate(rows, start=1):
        iteration, _, epoch = row["snapshot"].partition("-")
        name = f"iteration {int(iteration[1:])}" if epoch else "each iteration"
        x, means, halves = lines.setdefault(name, ([], [], []))
        x.append(float(number if epoch else int(iteration[1:])))
        means.append(row["payoff"])
        halves.append(row["ci95"])
    drawn = plots.learning_curve(
        [(name, *columns) for name, columns in lines.items()],
        xlabel="snapshot" if len(lines) > 1 else "iteration",
        ylabel=f"points a deal against {best}",
        title=f"{title}, Deep CFR",
    )
    print(f"drawn in {plots.save_picture(drawn, plot)}", file=sys.stderr)
