"""The command that solves a deal exactly."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from overtrick.errors import BadBudget, BadNotation

__all__ = ["add_search_commands"]


def add_search_commands(app: typer.Typer) -> None:
    """Make the command known to the command line."""
    app.command()(solve)


def solve(
    position: Annotated[
        str,
        typer.Argument(
            help="A whole deal in one line, 'game; options; match; cards; choices', as "
            "`show --as position` prints it; or a game, with --seed."
        ),
    ],
    seed: Annotated[int | None, typer.Option(help="Shuffle the deal of this seed.")] = None,
    after: Annotated[
        int, typer.Option(help="Let a player make so many choices before the deal is solved.")
    ] = 0,
    player: Annotated[str, typer.Option(help="Who makes those choices.")] = "rulebook",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Tell what each choice is worth when everybody sees all cards and errs nowhere."""
    from rich.console import Console
    from rich.table import Table

    from overtrick.engine.deals import Deal
    from overtrick.jit import streams
    from overtrick.players import make_player
    from overtrick.search.endings import Endings

    if after < 0:
        raise BadBudget(f"the number of choices before is 0 or more, not {after}")
    if seed is None and ";" not in position:
        raise BadNotation(f"{position!r} is no position; a game goes with --seed")
    deal = Deal.from_text(position) if seed is None else Deal.from_seed(position, seed)
    seated = make_player(player, deal.game)
    for number in range(after):
        if deal.seat is None:
            break
        chance = streams(1, seed or 0, "solve", number)
        deal = deal.play(int(seated.choose(deal.view(deal.seat).records, chance)[0]))
    endings = Endings(deal.game)
    payoffs, gains = endings.weigh(deal.records)
    side, seat = endings.side(deal.records), deal.seat
    assert seat is not None
    rows: list[dict[str, Any]] = []
    for choice in deal.legal:
        points = [float(deal.game.points(int(payoff))) for payoff in payoffs[choice]]
        gained = int(gains[choice]) if side and gains[choice] >= 0 else None
        rows.append({"choice": deal.choice_text(choice), "payoffs": points, "gains": gained})
    members = [deal.game.seat_name(n) for n in range(deal.game.seats) if side >> n & 1]
    if as_json:
        told = {"position": deal.text(), "seat": seat, "side": members, "choices": rows}
        print(json.dumps(told))
        return
    title = f"{deal.game.title}: {deal.game.seat_name(seat)} to {deal.phase}"
    table = Table(title=title, title_justify="left")
    table.add_column("choice")
    for number in range(deal.game.seats):
        table.add_column(deal.game.seat_name(number), justify="right")
    if side:
        table.add_column(f"{deal.game.gains} of {' and '.join(members)}", justify="right")
    rows.sort(key=lambda row: -row["payoffs"][seat])
    for row in rows:
        cells = [f"{payoff:+g}" for payoff in row["payoffs"]]
        last = [] if not side else ["" if row["gains"] is None else str(row["gains"])]
        table.add_row(str(row["choice"]), *cells, *last)
    console = Console()
    console.print(deal.text(), soft_wrap=True, highlight=False)
    console.print(table)
