"""Measure the steps of the lobby's strength dial: `python docs/strength_dial.py FOLDER [GAME …]`.

It takes about three quarters of an hour on one core. For each game all steps meet in a round robin,
by which they are rated as `overtrick arena` does it, by boards won; what is played is kept in the
folder, so that a run that was stopped goes on where it was. The ratings go to
`players/strengths.json`, as Elo above the weakest player.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overtrick.arena.round_robin import RoundRobin, play_round_robin
from overtrick.arena.tournament import Contest
from overtrick.games import load_game
from overtrick.models import find_model
from overtrick.players import PlayerName, make_player

STRENGTHS = Path(__file__).resolve().parents[1] / "src/overtrick/players/strengths.json"
SEED = 1

TITLES = {
    "random": "Beginner (random cards)",
    "rulebook:random-play@1": "Careful bids, random cards",
    "rulebook:simple@1": "Simple rules",
    "rulebook:trickster@1": "Trickster's rules",
    "rulebook:strong@1": "Strong rules",
    "rulebook:expert@1": "Expert rules",
}


@dataclass(frozen=True)
class Dial:
    """Who is measured in one game: rulebooks, PIMC with so many worlds, models; on which boards."""

    rulebooks: tuple[str, ...]
    worlds: tuple[int, ...]
    boards: int
    search: str = ""  # settings of PIMC other than the game's own
    models: tuple[str, ...] = ()  # players with shipped models

    def names(self) -> list[str]:
        """The players, as people write them."""
        books = [f"rulebook:{book}@1" for book in self.rulebooks]
        more = f",{self.search}" if self.search else ""
        searching = [f"pimc:worlds={count}{more}" for count in self.worlds]
        return ["random", *books, *searching, *self.models]


DIALS = {
    "snapszer": Dial(
        ("simple", "trickster", "strong"),
        (5, 20, 60, 200),
        400,
        models=(
            "direct:snapszer/direct",
            "alphazero:snapszer/pawn,sims=9,worlds=10",
            "alphazero:snapszer/captain",
        ),
    ),
    "hokm": Dial(("simple", "strong"), (5, 20, 80, 250), 110),
    "coinche": Dial(
        ("simple", "strong", "expert"),
        (3, 10, 30, 100, 200),
        120,
        "playout=rulebook:strong,belief=rulebook:strong",
    ),
    "hearts": Dial(("simple", "strong"), (3, 10, 30, 100), 40),
    "sheephead": Dial(("random-play", "simple", "strong"), (3, 10, 30, 100), 60),
}


def title_of(name: str) -> str:
    """What a player is called in the lobby."""
    if name in TITLES:
        return TITLES[name]
    model = PlayerName.read(name).what
    if model:
        return find_model(model).card.title
    return f"Search, {name.partition('worlds=')[2].partition(',')[0]} worlds"


def measured(game: str, folder: Path) -> dict[str, Any]:
    """The ratings of a game's players, from the weakest, as the file has them."""
    dial, chosen = DIALS[game], load_game(game)
    names = [make_player(name, chosen).name for name in dial.names()]
    contest = Contest.of(chosen, names, seed=SEED)
    robin = play_round_robin(
        contest, dial.boards, threads=1, save=folder / f"{game}.jsonl", resume=True
    )
    command = f"overtrick arena {game} {' '.join(names)} --round-robin"
    return {
        "seed": SEED,
        "command": f"{command} --boards {dial.boards} --seed {SEED}",
        "players": steps(robin, dial.boards),
    }


def steps(robin: RoundRobin, boards: int) -> list[dict[str, Any]]:
    """All players from the weakest; of those with the same Elo the strongest is on the dial."""
    rated = robin.ratings_by_boards()[::-1]
    elos = [round(one.elo - rated[0].elo) for one in rated]
    return [
        {
            "name": one.player,
            "title": title_of(one.player),
            "elo": elo,
            "error": max(1, round(one.ci95)),
            "boards": boards,
            "on_dial": elo not in elos[place + 1 :],
        }
        for place, (one, elo) in enumerate(zip(rated, elos, strict=True))
    ]


def main(folder: Path, games: list[str]) -> None:
    """Measure the games and write what was found into the file; the others stay as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    for game in games or DIALS:
        told = json.loads(STRENGTHS.read_text()) if STRENGTHS.exists() else {}
        told[game] = measured(game, folder)
        STRENGTHS.write_text(json.dumps(dict(sorted(told.items())), indent=2) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
