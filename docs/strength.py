"""Measure the rulebook players and write `strength.md` anew: `make strength`, some minutes.

Every row is one `overtrick arena` command, which gives the same figures anywhere.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path

from overtrick.arena.behaviour import measure_behaviour
from overtrick.arena.results import Table
from overtrick.arena.tournament import Contest, play_table
from overtrick.games import game_names, load_game
from overtrick.games.game import Game

PAGE = Path(__file__).resolve().parent / "strength.md"
BOARDS, SEED = 20_000, 1
SEARCH = "<!-- search -->\n"  # from here on the page is `strength_search.py`'s

_MARKED = re.compile(r"(<!-- measured -->\n).*?(<!-- end of measured -->)", re.DOTALL)

INTRODUCTION = f"""# How strong the players are

Every figure is taken on boards (one deal replayed with the seats rotated), {BOARDS:,} of them, seed
{SEED}, with the half-width of its 95% interval over boards. It is reproduced by

```text
overtrick arena GAME PLAYER OPPONENT --boards {BOARDS} --seed {SEED}
```

The rulebook players are frozen: a better one gets another version number, and these figures stay
true. They were tuned on other boards than these. This page is written by `make strength`.
"""


def contests(game: Game) -> list[list[str]]:
    """Who meets whom: every two players, and at larger tables one against the rest."""
    books = [f"rulebook:{book}" for book in game.rulebooks]
    pairs = [
        [stronger, weaker] for weaker, stronger in itertools.combinations(["random", *books], 2)
    ]
    if game.teams is None and game.seats > 2:
        pairs += [[one, *[other] * (game.seats - 1)] for one, other in pairs]
    return pairs


def row(table: Table) -> str:
    """One line of a table."""
    first = table.results()[0]
    rest = table.players[1:]
    others = rest[0] if len(rest) == 1 else f"{rest[0]}, {len(rest)} of them"
    return (
        f"| `{first.player}` | {others} | {first.payoff.mean:+.3f} ± {first.payoff.ci95:.3f} | "
        f"{100 * first.wins.mean:.1f} ± {100 * first.wins.ci95:.1f}% |"
    )


def measured(game: Game) -> str:
    """The table of one game."""
    lines = ["| player | opponent | points a deal | deals won |", "|---|---|---|---|"]
    lines += [row(play_table(Contest.of(game, met, seed=SEED), BOARDS)) for met in contests(game)]
    return "\n".join(lines) + "\n"


def write_into_page(game: Game, table: str) -> None:
    """Put the table of a game into its page, between its marks."""
    path = PAGE.parent / "games" / f"{game.name}.md"
    about = (
        f"{BOARDS:,} boards, seed {SEED}, intervals 95% over boards: "
        f"`overtrick arena {game.name} PLAYER OPPONENT --boards {BOARDS} --seed {SEED}`.\n\n"
    )
    page = _MARKED.sub(lambda old: f"{old[1]}{about}{table}{old[2]}", path.read_text())
    path.write_text(page)


def behaviour(game: Game, players: list[str], boards: int = 2000) -> str:
    """How players behave, as `overtrick stats` tells it."""
    told = measure_behaviour(game, players, boards, seed=SEED)
    people = any(metric.human for metric in told.metrics)
    head = ["", *(f"`{name}`" for name in told.players), *(["people"] if people else [])]
    lines = [
        f"`overtrick stats {game.name} {' '.join(players)} --boards {boards} --seed {SEED}`",
        "",
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
    ]
    for metric, results in zip(told.metrics, told.rows, strict=True):
        scale, sign = (100, "%") if metric.is_share else (1, "")
        cells = [
            f"{scale * one.mean:.1f} ± {scale * one.ci95:.1f}{sign}" if one.count else "–"
            for one in results
        ]
        lines.append(f"| {metric.name} | {' | '.join(cells + [metric.human] * people)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure everything and write the page."""
    coinche = load_game("coinche")
    books = ["random", *(f"rulebook:{book}" for book in coinche.rulebooks)]
    games = [load_game(name) for name in game_names()]
    tables = [measured(game) for game in games]
    for game, table in zip(games, tables, strict=True):
        write_into_page(game, table)
    parts = [
        INTRODUCTION,
        *(f"## {game.title}\n\n{table}" for game, table in zip(games, tables, strict=True)),
        "# How they play\n",
        "## Coinche\n\nThe metrics of the Coinche paper, its human values beside them.\n",
        *(behaviour(coinche, list(pair)) for pair in itertools.combinations(books, 2)),
    ]
    for game in games:
        if game is not coinche:
            parts.append(f"## {game.title}\n")
            parts.append(behaviour(game, ["rulebook:strong@1", "rulebook:simple@1"]))
            if game.teams is None and game.seats > 2:
                parts.append(behaviour(game, ["rulebook:strong@1", *["random"] * (game.seats - 1)]))
    old = PAGE.read_text()
    kept = old[old.index(SEARCH) :] if SEARCH in old else ""
    PAGE.write_text("\n".join(parts) + ("\n" + kept if kept else ""))


if __name__ == "__main__":
    main()
