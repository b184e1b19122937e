"""Write the tables in the pages of games and of training anew from the code: `make docs`.

A table stands between `<!-- table: name -->` and `<!-- end of table -->`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from overtrick.games import game_names, load_game
from overtrick.games.game import Game
from overtrick.learn.methods import METHODS
from overtrick.models import list_models, player_of

DOCS = Path(__file__).resolve().parent
PAGES = DOCS / "games"
_TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def options(game: Game) -> str:
    """The house rules with their defaults."""
    rows = ["| option | default | values | meaning |", "|---|---|---|---|"]
    for name, (default, option) in game.variant.options().items():
        shown = str(default).lower() if isinstance(default, bool) else default
        rows.append(f"| `{name}` | `{shown}` | {option.allowed()} | {option.meaning} |")
    return "\n".join(rows)


def observation(game: Game) -> str:
    """The features of every encoding; `overtrick explain-observation` lists the single flags."""
    parts = []
    for spec in game.encodings:
        rows = [
            f"`{spec}`: {spec.size} flags",
            "",
            "| index | feature | flags | meaning |",
            "|---|---|---|---|",
        ]
        for at, feature in spec.spans():
            count = len(feature.flags)
            index = f"{at}" if count == 1 else f"{at}–{at + count - 1}"
            rows.append(f"| {index} | {feature.name} | {count} | {feature.meaning} |")
        parts.append("\n".join(rows))
    return "\n\n".join(parts)


def strength(game: Game) -> str:
    """Who was measured against the strong rulebook: searches by strength.md, models by cards."""
    rows = [
        "| player | opponent | boards | points a deal | deals won | ms a choice |",
        "|---|---|---|---|---|---|",
        *measured_searches(game),
    ]
    rows += [
        f"| `{player_of(model)}` | `{result.opponent}` | {result.boards} | "
        f"{result.payoff:+.3f} ± {result.half_width:.3f} | {100 * result.win_rate:.1f}% | |"
        for model in list_models(game)
        for result in model.card.results[: model.is_shipped]  # the first is what it claims
    ]
    return "\n".join(rows)


def measured_searches(game: Game) -> list[str]:
    """The rows of the game's table of searching players in strength.md."""
    page = (DOCS / "strength.md").read_text()
    part = page.partition(f"## {game.title}, by search\n")[2].partition("\n#")[0]
    return [line for line in part.splitlines() if line.startswith("| `")]


TABLES = {"options": options, "observation": observation, "strength": strength}


def written(page: str, game: Game) -> str:
    """A page with its tables as the code has them now."""
    return _TABLE.sub(lambda old: f"{old[1]}{TABLES[old[2]](game)}\n{old[3]}", page)


# ---------------------------------------------------------------------------- methods and games

TITLES = {
    "alphazero": "AlphaZero",
    "belief": "belief actor-critic",
    "deepcfr": "Deep CFR",
    "distill": "distillation",
    "ppo": "league PPO",
}
MEASURED_RUNS = re.compile(
    r"<!-- measured: (\w+)[\w ]* -->\n(.*?)<!-- end of measured -->", re.DOTALL
)


def page_of(method: str) -> str:
    """The page of a method, from this folder."""
    return f"methods/{'distillation' if method == 'distill' else method}.md"


def is_measured(method: str, game: Game) -> bool:
    """Whether a page has a figure: its own, one in training.md, or one of a shipped model."""
    page = (DOCS / page_of(method)).read_text()
    rows = re.compile(rf"^\| {game.title}\b.*\d ± \d", re.MULTILINE)
    runs = dict(MEASURED_RUNS.findall((DOCS / "training.md").read_text()))
    own = [text for mark, text in MEASURED_RUNS.findall(page) if mark == game.name]
    cards = [model.card for model in list_models(game) if model.is_shipped]
    return (
        rows.search(page) is not None
        or any(" ± " in text for text in own)
        or f"| {TITLES.get(method, method)} |" in runs.get(game.name, "")
        or any(card.method == method and card.results for card in cards)
    )


def matrix() -> str:
    """Which method has been measured on which game; tests/learn/test_matrix.py runs them all."""
    games = [load_game(name) for name in game_names()]
    head = ["", *(game.title for game in games), "small games", "a game outside"]
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for method in METHODS:
        cells = ["measured" if is_measured(method, game) else "smoke-tested" for game in games]
        tests = DOCS.parent / "tests" / "learn" / f"test_{method}.py"
        known = tests.is_file() and "exploitability" in tests.read_text()
        exact = ", exact" if known else ""
        name = f"[{TITLES.get(method, method)}]({page_of(method)})"
        row = [name, *cells, f"smoke-tested{exact}", "smoke-tested"]
        rows.append(f"| {' | '.join(row)} |")
    return "\n".join(rows)


def with_matrix(page: str) -> str:
    """The page about training with the matrix as it is now."""
    table = re.compile(r"(<!-- table: matrix -->\n).*?(<!-- end of table -->)", re.DOTALL)
    return table.sub(lambda old: f"{old[1]}{matrix()}\n{old[2]}", page)


def main() -> None:
    """Write all pages, as they are without any models of whoever runs this."""
    with TemporaryDirectory() as nothing:
        os.environ["OVERTRICK_DATA"] = nothing
        write_all()


def write_all() -> None:
    """Write all pages; tell which changed."""
    for name in game_names():
        write(PAGES / f"{name}.md", lambda page, name=name: written(page, load_game(name)))
    write(DOCS / "training.md", with_matrix)


def write(path: Path, again: Callable[[str], str]) -> None:
    """Write a page anew if it has changed."""
    page = path.read_text()
    if again(page) != page:
        path.write_text(again(page))
        print(f"{path.name}: written anew", file=sys.stderr)


if __name__ == "__main__":
    main()
