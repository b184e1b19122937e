"""Samples made for a store: shard by shard, by threads, by a cluster, or by machines on their own.

A task traverses the deals of one shard and gives it back; whoever asked writes it, as soon as it is
there. So a worker that dies loses the shard it was at, and nothing else; a shard that is there
already is not made again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from overtrick.errors import BadBudget, BadOption, DamagedFile
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.learn.measuring import usual_reach
from overtrick.learn.shards import (
    ShardHeader,
    check_shard,
    header_for,
    read_shard,
    shard_name,
    write_shard,
)
from overtrick.learn.traversing import Traversal, check_traversal, traverse
from overtrick.learn.workers import Workers
from overtrick.models import find_model
from overtrick.nets.forward import blank_tensors, pack_net
from overtrick.nets.spec import NetSpec, spec_for
from overtrick.players.levels import level_player

__all__ = ["LOT", "generate", "net_digest", "traversal_for"]

NETS = ("spec", "nets")
LOT = 32  # deals that are traversed together, more if few choices are tried; so shards are made


def traversal_for(
    game: Game, player: str, *, encoding: str = "", variant: str = "", **more: Any
) -> Traversal:
    """How deals are traversed when this player is in all seats.

    `random`, a rulebook, or a model of Deep CFR, `cfr:GAME/NAME`, with its own encoding.
    """
    if not player.startswith("cfr:"):
        book = level_player(game, player)
        reach = usual_reach(game, variant)
        spec = spec_for(
            game, units=1, layers=0, head=0, encoding=encoding, reach=reach, output="choices"
        )
        how = Traversal(
            spec, (pack_net(game, spec, blank_tensors(spec)),), player=book.name, variant=variant
        )
    else:
        told, _, options = player.removeprefix("cfr:").partition(",")
        model = find_model(told, game)
        main = model.nets.get("main")
        if not isinstance(main, NetSpec) or main.output != "choices":
            raise BadOption(
                f"{player} tells no regrets: a model of deepcfr's simple form is wanted"
            )
        if encoding and game.encoding(encoding) != game.encoding(main.encoding):
            raise BadOption(f"{player} is shown {main.encoding}, not {encoding}")
        if options not in ("", "play=mixed", "play=best"):
            raise BadOption(f"in traversals a model has play=mixed or play=best, not {options!r}")
        best = options == "play=best"
        net = pack_net(game, main, model.tensors()["main"])
        how = Traversal(main, (net,), best=best, variant=variant or model.card.variant)
    how = replace(how, **more)
    check_traversal(game, how)
    if how.decay <= 0 and not game.hidden:
        raise BadOption(f"without a decay a traversal of {game.name} has no end")
    return how


def net_digest(how: Traversal) -> str:
    """SHA-256 of the weights that play; nothing if no net does."""
    if how.player:
        return ""
    found = hashlib.sha256()
    for net in how.nets:
        found.update(np.ascontiguousarray(net[0]).data)
    return found.hexdigest()


def make_shard(
    game: str, how: Traversal, player: str, seed: int, first: int, deals: int
) -> tuple[ShardHeader, Any]:
    """The shard of deals `first` to `first + deals - 1`; for workers anywhere."""
    chosen, lot = load_game(game), round(LOT / how.tried)
    parts = [
        traverse(chosen, how, seed=seed, first=at, count=min(lot, first + deals - at)).regrets
        for at in range(first, first + deals, lot)
    ]
    samples = np.concatenate(parts)
    header = header_for(
        chosen,
        how.spec,
        samples,
        variant=how.variant,
        seed=seed,
        first=first,
        deals=deals,
        iteration=how.iteration,
        player=player,
        net=net_digest(how),
        settings=settings_of(how),
    )
    return header, samples


def settings_of(how: Traversal) -> dict[str, Any]:
    """How deals are traversed, as a shard tells it: all but the nets."""
    return {one.name: getattr(how, one.name) for one in fields(how) if one.name not in NETS}


def generate(
    game: Game,
    how: Traversal,
    out: Path,
    workers: Workers,
    *,
    player: str,
    seed: int,
    first: int,
    deals: int,
    shard_deals: int,
    watch: Callable[[ShardHeader], None] = lambda header: None,
) -> tuple[int, int]:
    """Make the shards of deals `first` to `first + deals - 1`; how many are new, and were there.

    Shards begin at multiples of `shard_deals`, so that ranges that follow each other fit.
    """
    if shard_deals < 1 or deals < 1 or first < 0:
        raise BadBudget("deals and deals of a shard are 1 or more, the first is 0 or more")
    if first % shard_deals:
        raise BadBudget(f"the first deal is a multiple of the {shard_deals} deals of a shard")
    jobs, there = [], 0
    for at in range(first, first + deals, shard_deals):
        size = min(shard_deals, first + deals - at)
        if _is_there(game, how, out, player, seed, at, size):
            there += 1
        else:
            jobs.append((game.name, how, player, seed, at, size))
    made = 0
    for header, samples in workers.each(make_shard, jobs):
        write_shard(out, header, samples)
        made += 1
        watch(header)
    return made, there


def _is_there(
    game: Game, how: Traversal, out: Path, player: str, seed: int, first: int, deals: int
) -> bool:
    """Whether a shard is there already; one made in another way is refused."""
    none = np.zeros(0)
    wanted = header_for(
        game,
        how.spec,
        none,
        variant=how.variant,
        seed=seed,
        first=first,
        deals=deals,
        iteration=how.iteration,
        player=player,
        net=net_digest(how),
        settings=settings_of(how),
    )
    path = out / shard_name(wanted)
    if not path.exists():
        return False
    try:
        shard = read_shard(path)
        check_shard(shard)
    except DamagedFile:
        return False  # a damaged one is made again
    found = shard.header
    same = {"samples": wanted.samples, "sha256": wanted.sha256}
    if found.model_copy(update=same) != wanted:
        raise BadOption(f"{path} was made in another way: tell another --out, seed or iteration")
    return True
