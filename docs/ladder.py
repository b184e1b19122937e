"""Write the tables of `ladder.md` from what was measured last: `make ladder`.

`overtrick ladder` and `overtrick strength` leave their results in the data folder; nothing is
played here. Games of which nothing is found keep what the page says of them.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from overtrick.folders import data_folder
from overtrick.games import game_names, load_game
from overtrick.learn.tiers import TIERS

HERE = Path(__file__).resolve().parent
PAGE = HERE / "ladder.md"
YARDSTICK = "rulebook:strong"


def measured(number: dict[str, Any], digits: int = 2) -> str:
    """A mean with its interval."""
    half = "?" if number["ci95"] is None else f"{number['ci95']:.{digits}f}"
    return f"{number['mean_payoff']:+.{digits}f} ± {half}"


def row(*cells: object) -> str:
    """One line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def tiers() -> str:
    """All tiers, with the times that they take in Snapszer."""
    game = load_game("snapszer")
    lines = [
        row("tier", "method", "net", "deals", "sims × worlds", "on two cores, about"),
        "|" + "---|" * 6,
    ]
    for number, tier in enumerate(TIERS):
        minutes = tier.minutes(game, cores=2)
        time = f"{minutes:.0f} min" if minutes >= 1 else f"{60 * minutes:.0f} s"
        time = f"{minutes / 60:.0f} hours" if minutes > 100 else time
        name = f"T{number} {tier.name.capitalize()}"
        lines.append(row(name, tier.method, tier.net, f"{tier.deals:,}", tier.search, time))
    return "\n".join(lines) + "\n"


def margins(told: dict[str, Any]) -> dict[tuple[str, str], str]:
    """What each player won of each other, by their labels."""
    labels = [line["player"] for line in told["results"]]
    found = {}
    pairs = iter(told["pairs"])
    for number, one in enumerate(labels):
        for other in labels[number + 1 :]:
            first, second = next(pairs)["results"]
            found[one, other], found[other, one] = measured(first), measured(second)
    return found


def ladder(told: dict[str, Any]) -> str:
    """The tables of one ladder."""
    won = margins(told)
    elo = {one["player"]: f"{one['elo']:+.0f} ± {one['ci95']:.0f}" for one in told["ratings"]}
    trained = {tier["name"]: tier for tier in told["tiers"]}
    lines = [
        f"`{told['command']}`",
        "",
        row("player", "net", "deals", "min", "sims × worlds", "ms a choice")[:-1]
        + row("points a deal", f"against `{YARDSTICK}`", "Elo"),
        "|" + "---|" * 9,
    ]
    for line in told["results"]:
        name = line["player"]
        tier = trained.get(name)
        how = [tier["net"], f"{tier['deals']:,}", f"{tier['minutes']:.1f}"] if tier else [""] * 3
        lines.append(
            row(
                name,
                *how,
                tier["search"] if tier else "",
                f"{line['ms_per_choice']:.2g}",
                measured(line),
                won.get((name, YARDSTICK), ""),
                elo[name],
            )
        )
    names = [line["player"] for line in told["results"]]
    lines += ["", "Points a deal against:", "", row("", *names), "|" + "---|" * (len(names) + 1)]
    lines += [row(one, *(won.get((one, other), "") for other in names)) for one in names]
    lines += ["", *(f"- {line}" for line in told["verdict"])]
    return "\n".join(lines)


def strength(told: dict[str, Any]) -> str:
    """The table of a model by its budget."""
    sims = sorted({cell["sims"] for cell in told["cells"]})
    worlds = sorted({cell["worlds"] for cell in told["cells"]})
    cells = {(cell["sims"], cell["worlds"]): cell for cell in told["cells"]}
    lines = [
        f"`{told['command']}`",
        "",
        row("sims", *(f"{count} worlds" if count > 1 else "1 world" for count in worlds)),
        "|" + "---|" * (len(worlds) + 1),
    ]
    for most in sims:
        line = [cells[most, count] for count in worlds]
        lines.append(
            row(most, *(f"{measured(one)}, {one['ms_per_choice']:.2g} ms" for one in line))
        )
    return "\n".join(lines)


def sections(name: str) -> list[str]:
    """All that is known of a game: its ladder, at equal budgets too, and models by budget."""
    title = load_game(name).title
    ladders, strengths = data_folder() / "ladders" / name, data_folder() / "strengths" / name
    found = []
    for stem, what in (("ladder", ""), ("equal", ", all with the same budget")):
        file = ladders / f"{stem}.json"
        if file.exists():
            text = f"### {title}{what}\n\n{ladder(json.loads(file.read_text()))}\n"
            found.append(text + picture(ladders / f"{stem}.png", f"{stem}-{name}", title))
    for file in sorted(strengths.glob("*.json")):
        text = f"### {title}: {file.stem} by budget\n\n{strength(json.loads(file.read_text()))}\n"
        drawn = file.with_suffix(".png")
        found.append(text + picture(drawn, f"strength-{name}-{file.stem}", title))
    return found


def picture(source: Path, stem: str, title: str) -> str:
    """A picture copied beside the page, and the line that shows it; nothing if there is none."""
    if not source.exists():
        return ""
    (HERE / "figures").mkdir(exist_ok=True)
    shutil.copyfile(source, HERE / "figures" / f"{stem}.png")
    return f"\n![{title}](figures/{stem}.png)\n"


def put(page: str, mark: str, text: str) -> str:
    """The page with this text between its marks."""
    found = re.compile(rf"(<!-- {mark} -->\n).*?(<!-- end of {mark.split(':')[0]} -->)", re.DOTALL)
    return found.sub(lambda old: f"{old[1]}{text}{old[2]}", page)


def main() -> None:
    """Write the tiers, and what was measured of every game."""
    page = put(PAGE.read_text(), "tiers", tiers())
    for name in game_names():
        found = "\n".join(sections(name))
        if not found:
            print(f"{name}: nothing measured; `overtrick ladder {name}` does", file=sys.stderr)
            continue
        page = put(page, f"measured: {name}", found)
    PAGE.write_text(page)


if __name__ == "__main__":
    main()
