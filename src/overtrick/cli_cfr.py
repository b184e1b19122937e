"""Commands of regret minimisation: `cfr`, `exploit` and `arena-curve`.

They import what they need when they are called, so that the command line starts fast.
"""

from __future__ import annotations

import json
import time
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
