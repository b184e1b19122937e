"""The command that lets other programs ask a player: bot."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

__all__ = ["add_bot_command"]


def add_bot_command(app: typer.Typer) -> None:
    """Make the command known to the command line."""
    app.command()(bot)


def bot(
    game: Annotated[str, typer.Argument(help="Which game; `overtrick games` lists them.")],
    player: Annotated[str, typer.Argument(help="Who chooses, such as rulebook:strong.")],
) -> None:
    """Answer requests of other programs: JSON lines in, JSON lines out."""
    from overtrick.bot import Bot
    from overtrick.engine.warm import warm_up
    from overtrick.games import load_game
    from overtrick.players import make_player

    chosen = load_game(game)
    asked = Bot(chosen, make_player(player, chosen))
    warm_up(chosen)  # before the first request: its time is for thinking
    sys.stdin.reconfigure(encoding="utf-8", errors="replace", newline="\n")  # type: ignore[union-attr]
    for line in asked.answers(sys.stdin):
        print(line, flush=True)
