"""Commands for samples on the disk: `overtrick samples generate|merge|info|verify`.

They import what they need when they are called, so that the command line starts fast.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overtrick.errors import BadBudget, BadOption, DamagedFile, UnknownName

if TYPE_CHECKING:
    from overtrick.learn.shards import ShardHeader

__all__ = ["add_sample_commands"]

samples = typer.Typer(help="Samples of regrets on the disk: make, merge, tell and check them.")


def add_sample_commands(app: typer.Typer) -> None:
    """Make the commands known to the command line."""
    samples.command()(generate)
    samples.command()(merge)
    samples.command()(info)
    samples.command()(verify)
    app.add_typer(samples, name="samples")


def generate(
    game: Annotated[str, typer.Argument(help="Which game; `overtrick games` lists them.")],
    out: Annotated[Path, typer.Option(help="The folder of the store.")],
    player: Annotated[
        str, typer.Option(help="Who plays: random, a rulebook, or cfr:GAME/NAME.")
    ] = "random",
    deals: Annotated[int, typer.Option(help="How many deals are traversed.")] = 1000,
    first: Annotated[
        int, typer.Option(help="The first of them: every machine has a range of its own.")
    ] = 0,
    shard_deals: Annotated[int, typer.Option(help="Deals of a shard.")] = 128,
    seed: Annotated[int, typer.Option(help="All chance comes from it.")] = 1,
    iteration: Annotated[int, typer.Option(help="Noted in the samples; they weigh by it.")] = 1,
    decay: Annotated[
        float, typer.Option(help="c: c / (c + d) of the choices after d others branch.")
    ] = 0.2,
    tried: Annotated[
        float, typer.Option(help="The part of these that does: less for more deals.")
    ] = 1.0,
    trust: Annotated[
        float, typer.Option(help="Told of the player's own choice on top, in the reach.")
    ] = 0.0,
    encoding: Annotated[str, typer.Option(help="Flags of the samples; else the first.")] = "",
    variant: Annotated[str, typer.Option(help="House rules, as name=value,name=value.")] = "",
    workers: Annotated[int, typer.Option(help="Threads; 0 for all cores.")] = 0,
    cluster: Annotated[
        str, typer.Option(help="Traverse on a Ray cluster: `auto`, `local` or its address.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Traverse deals and keep what they taught, shard by shard; a shard that is there stays."""
    from overtrick.cli_train import _workers
    from overtrick.games import load_game
    from overtrick.learn.generating import generate as make
    from overtrick.learn.generating import traversal_for

    if seed < 0 or not 1 <= iteration <= 65535:
        raise BadOption("a seed is 0 or more, an iteration 1 to 65535")
    if not 0 <= decay < math.inf:
        raise BadBudget(f"a decay is a number of 0 or more, not {decay:g}")
    if not 0 <= trust < math.inf:
        raise BadOption(f"trust is a number of 0 or more, not {trust:g}")
    chosen = load_game(game)
    how = traversal_for(
        chosen,
        player,
        encoding=encoding,
        variant=variant,
        iteration=iteration,
        decay=decay,
        tried=tried,
        trust=trust,
    )
    count = 0

    def tell(header: ShardHeader) -> None:
        nonlocal count
        count += header.samples
        last = header.first + header.deals - 1
        print(
            f"overtrick: deals {header.first} to {last}: {header.samples:,} samples",
            file=sys.stderr,
        )

    hands = _workers(workers, cluster)
    try:
        made, there = make(
            chosen,
            how,
            out,
            hands,
            player=player,
            seed=seed,
            first=first,
            deals=deals,
            shard_deals=shard_deals,
            watch=tell,
        )
    finally:
        hands.close()
    if as_json:
        print(json.dumps({"made": made, "there": there, "samples": count, "out": str(out)}))
    else:
        print(f"{made} shards with {count:,} samples made in {out}; {there} were there")


def merge(
    stores: Annotated[list[Path], typer.Argument(help="Folders of samples.")],
    out: Annotated[Path, typer.Option(help="The folder that all shards come to.")],
    skip_damaged: Annotated[
        bool, typer.Option("--skip-damaged", help="Leave out shards that are damaged.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Bring the shards of several stores into one; each is checked first."""
    from overtrick.learn.shards import merge_stores

    count, skipped = merge_stores(stores, out, skip_damaged=skip_damaged)
    _tell_skipped(skipped)
    if as_json:
        print(json.dumps({"shards": count, "skipped": skipped, "out": str(out)}))
    else:
        print(f"{out} has {count} shards")


def info(
    stores: Annotated[list[Path], typer.Argument(help="Folders of samples, or single shards.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Tell what is in a store: games, players, iterations, deals, samples, octets."""
    from overtrick.learn.shards import list_shards, read_shard

    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    damaged = []
    for path in list_shards(stores):
        try:
            shard = read_shard(path)
        except DamagedFile as error:
            damaged.append(str(error))
            continue
        header = shard.header
        key = (header.game, header.encoding, header.iteration, header.player, header.seed)
        names = ("game", "encoding", "iteration", "player", "seed")
        row = rows.setdefault(
            key,
            dict(zip(names, key, strict=True)) | dict.fromkeys(COUNTS, 0),
        )
        row["shards"] += 1
        row["deals"] += header.deals
        row["samples"] += header.samples
        row["octets"] += path.stat().st_size
    if as_json:
        print(json.dumps({"parts": [*rows.values()], "damaged": damaged}))
        return
    for row in rows.values():
        print(
            f"{row['game']} {row['encoding']}, iteration {row['iteration']}, by {row['player']}, "
            f"seed {row['seed']}: {row['shards']} shards, {row['deals']:,} deals, "
            f"{row['samples']:,} samples, {row['octets'] / 1e6:,.1f} MB"
        )
    for line in damaged:
        print(line)
    if not rows and not damaged:
        print("no shards")


COUNTS = ("shards", "deals", "samples", "octets")


def verify(
    stores: Annotated[list[Path], typer.Argument(help="Folders of samples, or single shards.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Check every shard, its checksum included; the first that is damaged is told, status 2."""
    from overtrick.learn.shards import check_shard, list_shards, read_shard

    sound, damaged = 0, []
    for path in list_shards(stores):
        try:
            check_shard(read_shard(path))
            sound += 1
        except (DamagedFile, BadOption, UnknownName) as error:
            damaged.append(str(error))
    if as_json:
        print(json.dumps({"sound": sound, "damaged": damaged}))
    else:
        print(f"{sound} sound shards")
    if damaged:
        more = f" (and {len(damaged) - 1} more)" if len(damaged) > 1 else ""
        raise DamagedFile(damaged[0] + more)


def _tell_skipped(skipped: list[str]) -> None:
    for line in skipped:
        print(f"overtrick: left out: {line}", file=sys.stderr)
