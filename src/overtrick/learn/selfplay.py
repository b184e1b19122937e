"""Self-play: hundreds of deals in flight, every choice of every seat by a net-led search.

Deal number n of a seed is the same wherever it is played: its cards and all its chance come from
(seed, n), and a search depends on its view and its own stream only. So games can be cut into lots
and shared out among threads or machines, and come out the same.

Not every choice need be searched. The net's policy, or whoever plays the playouts, can make the
others at next to no cost: then there are more deals, and the searched choices have less in common.

A net has to know what follows from choices that nobody would make, or a search that tries them
believes whatever the net makes up. Playing at random all the time would teach it what deals pay
among random players. So in most deals one choice, anywhere, is random, and all others are the
search's; what the deal paid is told only of positions after it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from overtrick.arena.boards import MOST_TURNS, choice_streams, deals_of
from overtrick.engine.batches import choose_at_random, legal_all, payoffs_all, play_all
from overtrick.engine.playouts import choose_all
from overtrick.engine.views import hide_all
from overtrick.engine.worlds import check_ways, draw_worlds, new_puzzle
from overtrick.games import load_game
from overtrick.games.game import Game, Row
from overtrick.jit import stream
from overtrick.learn.samples import MOST_CHOICES, Samples
from overtrick.nets.evaluating import NetEvaluator
from overtrick.nets.forward import Net, reach_of
from overtrick.search.guided import BY_NET, Guidance, pick_all, policy_of, ponder_all
from overtrick.search.tables import VISITS

__all__ = ["SelfPlay", "play_deals", "play_some", "search_views"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]

_OWN = threading.local()


@dataclass(frozen=True)
class SelfPlay:
    """How deals are played against oneself."""

    worlds: int  # that each search looks at
    how: Guidance
    temperature: float = 0.0  # of choices among visits
    warm_choices: int = 8  # of a deal; later ones take the most visited
    stray: float = 0.8  # share of deals with one random choice
    searched: float = 1.0  # share of choices that are searched
    variant: str = ""


def play_deals(
    game: Game, net: Net, how: SelfPlay, *, seed: int, first: int, count: int, threads: int = 1
) -> Samples:
    """Play deals `first` to `first + count - 1`; a sample for every choice that was one."""
    states = deals_of(game, how.variant, stream(seed, "training", game.name), first, count)
    parent = stream(seed, "training choices", game.name)
    keys = np.arange(first, first + count)
    scale, reach = float(game.scale(game.variant_of(how.variant or None))), reach_of(net)
    going = np.arange(count)
    made = np.zeros(count, dtype=np.int64)  # real choices of each deal
    strays = stray_choices(game, how, keys, parent)
    lots: list[tuple[Row, Samples]] = []
    while len(going):
        group = states[going]
        legals = np.zeros(len(going), dtype=np.int64)
        legal_all(group, legals)
        chosen = np.zeros(len(going), dtype=np.int64)
        real = legals & legals - 1 != 0
        chosen[~real] = np.log2(legals[~real]).astype(np.int64)
        mine = np.flatnonzero(real)
        if len(mine):
            rows = going[mine]
            deals, views = group[mine], group[mine]
            hide_all(views, views["seat"].copy())
            chances = np.empty((len(mine), 2), dtype=np.int64)
            choice_streams(keys[rows], views["turn"].copy(), parent, chances)
            searched = np.flatnonzero(shares_of(chances) < how.searched)
            picked = quick_choices(game, net, how.how.level, views, chances)
            policy = np.zeros((len(mine), MOST_CHOICES))
            if len(searched):
                some, streams = views[searched], chances[searched]
                counts = search_views(game, net, how, some, streams, scale, threads=threads)
                policy[searched] = found = _policy(counts, legals[mine[searched]], how, reach)
                warm = np.where(made[rows[searched]] < how.warm_choices, how.temperature, 0.0)
                best = np.zeros(len(searched), dtype=np.int64)
                pick_all(found, warm, streams, best)
                picked[searched] = best
            astray = np.flatnonzero(made[rows] == strays[rows])
            random = picked[astray]
            choose_at_random(legals[mine[astray]], chances[astray], random)
            picked[astray] = random
            chosen[mine] = picked
            settled = (made[rows] > strays[rows]).astype(np.float32)[:, None]
            made[rows] += 1
            told = np.where(settled, 0.0, np.nan) * np.ones(game.seats, dtype=np.float32)
            lot = Samples(deals, legals[mine], policy.astype(np.float32), told)
            lots.append((rows[searched], lot.take(searched)))
        play_all(group, chosen)
        states[going] = group
        going = going[group["phase"] >= 0]
    won = np.zeros((count, game.seats), dtype=np.int64)
    payoffs_all(states, won)
    paid = won.astype(np.float32)
    if not lots:
        return Samples.none(game)
    samples = Samples.joined(
        replace(samples, payoffs=samples.payoffs + paid[rows]) for rows, samples in lots
    )
    numbers = np.concatenate([rows for rows, _ in lots])
    return samples.take(np.argsort(numbers, kind="stable"))  # deal by deal, in whatever lots


def play_some(game: str, net: Net, how: SelfPlay, seed: int, first: int, count: int) -> Samples:
    """`play_deals` for workers anywhere."""
    return play_deals(load_game(game), net, how, seed=seed, first=first, count=count)


def _policy(counts: Floats, legals: Row, how: SelfPlay, reach: float) -> Floats:
    """What searches would choose, [views, 64]."""
    if how.how.evenly:
        return policy_of(counts, legals, reach)
    shares: Floats = counts[:, VISITS] / counts[:, VISITS].sum(axis=1, keepdims=True)
    return shares


def quick_choices(game: Game, net: Net, level: int, views: Records, chances: Row) -> Row:
    """What a level, or the net's policy, chooses without search."""
    chosen = np.zeros(len(views), dtype=np.int64)
    if level == BY_NET:
        chosen[:] = NetEvaluator(game, net).weigh(views)[0].argmax(axis=1)
    else:
        choose_all(views, level, chances.copy(), chosen)
    return chosen


def shares_of(chances: Row) -> Floats:
    """A number in 0..1 for each fresh stream, by its second word, on which no first draw hangs."""
    shares: Floats = (chances[:, 1] >> 11 & (1 << 53) - 1) / (1 << 53)
    return shares


def stray_choices(game: Game, how: SelfPlay, keys: Row, parent: Row) -> Row:
    """The number of the real choice that is random in each deal; -1 for none."""
    chances = np.empty((len(keys), 2), dtype=np.int64)
    choice_streams(keys, np.full(len(keys), MOST_TURNS - 1), parent, chances)
    numbers = np.floor(shares_of(chances) * game.longest / 2).astype(np.int64)
    return np.where(shares_of(chances[:, ::-1]) < how.stray, numbers, -1)


def _puzzle() -> Records:
    """Room for the calling thread to draw worlds in."""
    if not hasattr(_OWN, "puzzle"):
        _OWN.puzzle = new_puzzle()
    puzzle: Records = _OWN.puzzle
    return puzzle


def search_views(
    game: Game,
    net: Net,
    how: SelfPlay,
    views: Records,
    chances: Row,
    scale: float,
    *,
    threads: int = 1,
) -> Floats:
    """Counts [views, 3, 64] of searches in worlds drawn evenly."""
    puzzle = _puzzle()
    worlds = np.empty(len(views) * how.worlds, dtype=game.state)
    for number in range(len(views)):
        mine = worlds[number * how.worlds : (number + 1) * how.worlds]
        check_ways(draw_worlds(views[number : number + 1], puzzle, chances[number], mine))
    return ponder_all(game, net, how.how, scale, worlds, chances, threads=threads)
