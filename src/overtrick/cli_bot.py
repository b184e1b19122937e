"""The command that lets other programs ask a player, and checks those that play for us: bot."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from overtrick.errors import BadOption

if TYPE_CHECKING:
    from overtrick.bot import Bot

__all__ = ["add_bot_command"]

CHECK = "check"
LONGEST = 4_000_000  # bytes of a line that are kept; the bot refuses long ones


def add_bot_command(app: typer.Typer) -> None:
    """Make the command known to the command line."""
    app.command()(bot)


def bot(
    game: Annotated[
        str, typer.Argument(help="Which game; `overtrick games` lists them. Or the word check.")
    ],
    player: Annotated[
        list[str],
        typer.Argument(
            help="Who chooses, such as rulebook:strong; after check, the command of a program."
        ),
    ],
    games: Annotated[
        list[str] | None,
        typer.Option("--game", help="With check: a game to ask about; else those it tells of."),
    ] = None,
    deals: Annotated[
        int | None, typer.Option(help="With check: deals to play; 20 if not told.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="With check: which deals; 1 if not told.")
    ] = None,
    ms: Annotated[
        int | None, typer.Option(help="With check: the time for each answer; 5000 if not told.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With check: one JSON object.")] = False,
) -> None:
    """Answer requests of other programs, JSON lines in and out; or check a program that does."""
    if game == CHECK:
        command = player[0] if len(player) == 1 else shlex.join(player)
        told = {"deals": deals, "seed": seed, "ms": ms}
        numbers = {name: value for name, value in told.items() if value is not None}
        _check(command, games or [], as_json=as_json, **numbers)
        return
    if len(player) != 1:
        raise BadOption(f"one player answers, not {len(player)}: {' '.join(player)}")
    if games or as_json or (deals, seed, ms) != (None, None, None):
        raise BadOption("--game, --deals, --seed, --ms and --json are for overtrick bot check")
    _answer(game, player[0])


def _answer(game: str, player: str) -> None:
    from overtrick.bot import Bot, serve_bot
    from overtrick.games import load_game
    from overtrick.players import close_players, make_player

    chosen = load_game(game)
    asked = Bot(chosen, make_player(player, chosen))
    try:
        serve_bot(
            asked,
            _lines(sys.stdin.fileno()),
            lambda line: print(line, flush=True),
            lambda: _get_ready(asked),  # before the first answer: its time is for thinking
        )
    finally:
        close_players([asked.player])


def _get_ready(bot: Bot) -> None:
    """Compile or load all that an answer needs, by giving one."""
    from overtrick.engine.deals import Deal
    from overtrick.engine.warm import warm_up

    warm_up(bot.game)
    deal = Deal.from_seed(bot.game, 0)
    if deal.seat is not None:
        bot.answered({"view": deal.view(deal.seat).text(), "ms": 1})


def _lines(stream: int) -> Iterator[str]:
    """The lines of a stream as they come; of one that is too long only the beginning.

    Not by way of Python's own `stdin`: a thread that waits in there cannot be left behind.
    """
    kept, is_cut = b"", False
    while told := os.read(stream, 1 << 16):
        *whole, kept = (kept + told).split(b"\n")
        for line in whole:
            if not is_cut:
                yield line.decode(errors="replace")
            is_cut = False
        if len(kept) > LONGEST:
            if not is_cut:
                yield kept.decode(errors="replace")
            kept, is_cut = b"", True
    if kept and not is_cut:
        yield kept.decode(errors="replace")


def _check(command: str, games: list[str], *, as_json: bool, **numbers: int) -> None:
    from overtrick.players.external_check import check_bot

    shown = print if not as_json else lambda line: None
    report = check_bot(command, games, tell=shown, **numbers)
    if as_json:
        print(json.dumps(report.values()))
    else:
        print(report.summary())
    if not report.passed:
        raise typer.Exit(1)
