"""Deep CFR: nets learn regrets from traversals, and play in proportion to them.

An iteration traverses some deals (`overtrick.learn.traversing`): at branched choices everything
legal is tried on the same cards, and what a choice paid more than the players' own mixture is its
regret r. A net V is taught regrets of several iterations, those of iteration t with weight t:

    L = t Σ (r - V)² + w (paid - v)²

Most of these squares are of choices that are plainly bad. With a heat T the net tells V / T, and
the loss is that of distillation, with a tenth of the squares beside it: least at the same V, but
choices that are hardly made by its soft-max hardly count.

The *full* form is the published one: a net for each seat, begun anew at every iteration and taught
from a reservoir of all regrets there ever were; only one seat's choices are tried in a deal, and
what the others mix is kept in another reservoir, which an average net learns in the end: it is
that one which comes near an equilibrium, and which plays.

The *simple* form is that of the Hearts page: one net for all seats, which plays by itself, taught
from the samples of recent iterations; choices of all seats are tried, fewer the later in the deal.
It has no guarantee, not even with two seats. With a critic (`ahead`) choices that are tried are
played on for a few more only, and a net that is shown all hands tells what the rest is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch

from overtrick.arena.boards import play_chunk
from overtrick.engine.tree import Tree, build_tree
from overtrick.errors import BadOption
from overtrick.games.behaviour import Played
from overtrick.games.game import Game
from overtrick.jit import stream
from overtrick.learn.budget import Budget
from overtrick.learn.deepcfr_config import (
    DeepCfrConfig,
    advantage_spec,
    average_spec,
    check_config,
    presets_for,
)
from overtrick.learn.deepcfr_samples import Source, rates_of
from overtrick.learn.journal import Metrics
from overtrick.learn.measuring import usual_reach
from overtrick.learn.methods import Method
from overtrick.learn.nets import centred, gain_loss, masked_log_softmax, value_loss
from overtrick.learn.progress import say
from overtrick.learn.pupil import Pupil
from overtrick.learn.regrets import (
    Regrets,
    Reservoir,
    blank_regrets,
    flags_of,
    legal_of,
    take_rows,
)
from overtrick.learn.seats import learners_of
from overtrick.learn.shards import Store
from overtrick.learn.starting import starting_tensors
from overtrick.learn.traversing import seating_in
from overtrick.learn.workers import Workers
from overtrick.nets.forward import Net, blank_tensors, pack_net
from overtrick.nets.spec import NetSpec
from overtrick.players import make_player
from overtrick.players.regret import RegretPlayer

__all__ = ["METHOD", "DeepCfr", "DeepCfrConfig", "average_loss", "regret_loss"]

Floats = np.ndarray[Any, np.dtype[Any]]
Nets = dict[str, tuple[NetSpec, dict[str, Floats]]]
Batches = Iterator[Regrets]
STATE = "learner.pt"
GATHERED = 64  # batches that are gathered together
CRITICS = 1 << 20  # of the seed: the critic's chance
SQUARES = 0.1  # weight of squares beside gains
KEPT = 500  # thousandths of the choices that teach the critic of deals in which nothing is tried


class DeepCfr:
    """One run at work."""

    def __init__(
        self, game: Game, config: DeepCfrConfig, workers: Workers, seed: int, budget: Budget
    ) -> None:
        torch.set_num_threads(max(1, min(2, workers.count)))
        check_config(game, config)
        self.game = game
        self.config = config
        self.total = config.deals
        self.snapshot: Callable[[str, Nets], None] | None = None  # where the frame keeps nets
        self._seed = seed
        self._is_full = config.form == "full"
        self._store = self._open_store()
        reach = self._store.shards[0].header.reach if self._store else None
        reach = reach or usual_reach(game, config.variant)
        self.spec = advantage_spec(game, config, reach)
        self._check_store()
        told = self._store.shards if self._store else []
        self._latest = max((one.header.iteration for one in told), default=0)  # of a store
        self._averaged = average_spec(game, config, reach)
        apart = config.nets == "seat" or (
            not config.nets and game.seats == 2 and not config.against
        )
        self._count = game.seats if self._is_full and apart else 1
        blank = [pack_net(game, self.spec, blank_tensors(self.spec))] * self._count
        self._source = Source(game, config, self.spec, workers, seed, budget, blank)
        self._pupils = [self._pupil(self.spec, seat) for seat in range(self._count)]
        if config.begin:
            self._pupils[0].begin_with(starting_tensors(game, config.begin, self.spec))
            self._source.nets = [self._pupils[0].packed(game)]
        room, record = config.window, blank_regrets(game, self.spec, 0).dtype
        self._reservoirs = [Reservoir(room, record) for _ in range(self._count)]
        self._policies = Reservoir(config.average_window, record)
        self._lots: list[Regrets] = []  # of the iterations that are reused
        self._mean: tuple[int, Pupil] | None = None  # the average net, and of which iteration

    @property
    def deals(self) -> int:
        """Deals so far."""
        return self._source.deals

    @property
    def _iteration(self) -> int:
        return self._source.iteration

    # ------------------------------------------------------------------ an iteration

    def step(self) -> Metrics:
        """Traverse some deals, and teach what they taught."""
        self._source.iteration += 1
        told = self._full_step() if self._is_full else self._simple_step()
        every = self.config.snapshots
        if self.snapshot and every and self._iteration % every == 0:
            self.snapshot(f"i{self._iteration:03d}", self.nets())
        return {**told, **self._exactly(), **self._behaviour()}

    def _full_step(self) -> dict[str, float]:
        """For each net: traverse for its seat, and teach it anew all regrets of all iterations."""
        told: dict[str, float] = {"samples": 0.0}
        for number, reservoir in enumerate(self._reservoirs):
            found = self._source.traverse(number if self._count > 1 else -1)
            reservoir.add(found.regrets, self._chance(number, 0))
            self._policies.add(found.shares, self._chance(number, 1))
            self._pupils[number] = self._pupil(self.spec, number)
            kept, steps = reservoir.samples, self.config.steps
            batches = _drawn(kept, self.config.batch, steps, self._chance(number, 2))
            losses = self._teach(self._pupils[number], batches, steps, (1.0, 0.0))
            self._source.nets[number] = self._pupils[number].packed(self.game)
            told["samples"] += len(found.regrets)
            told |= losses | rates_of(found)
        return told | {"remembered": float(len(self._policies))}

    def _simple_step(self) -> dict[str, float]:
        """Traverse for all seats, and teach the one net what recent iterations taught."""
        told: dict[str, float] = {}
        if self._store is None:
            new, told = self._source.fresh()
            self._remember(new)
            told["samples"] = float(len(new))
        else:
            self._source.pass_over()
            while self._store.skipped:
                say(f"left out: {self._store.skipped.pop(0)}")
        if self.config.scratch:
            self._pupils[0] = self._pupil(self.spec, 0)
        left, epochs = 1.0 - self._source.progress(), max(1, round(self.config.epochs))
        for epoch in range(1, 1 + epochs):
            steps, batches = self._syllabus(epoch)
            falls = (1.0 - (epoch - 1) / epochs, 1.0 - epoch / epochs)
            rates = falls if self.config.scratch else (left, left)
            told |= self._teach(self._pupils[0], batches, steps, rates)
            self._source.nets = [self._pupils[0].packed(self.game)]
            if self.snapshot and self.config.snapshots == 1 and self.config.epochs > 1:
                self.snapshot(f"i{self._iteration:03d}-e{epoch:03d}", self.nets())
        return told

    # ------------------------------------------------------------------ what is reused

    def _remember(self, new: Regrets) -> None:
        """Keep the samples of the iterations that are reused."""
        config = self.config
        if config.reuse == "all":
            self._reservoirs[0].add(new, self._chance(0, 0))
            return
        self._lots.append(new)
        if config.reuse == "latest":
            del self._lots[:-1]
        elif config.reuse == "recent":
            del self._lots[: -config.recent]
        else:
            del self._lots[1:-1]
        spare = 1 if config.reuse == "first" else 0
        while sum(map(len, self._lots)) > config.window and len(self._lots) > 1 + spare:
            del self._lots[spare]

    def _syllabus(self, epoch: int) -> tuple[int, Batches]:
        """How many batches an epoch has, and the batches."""
        size, chance = self.config.batch, self._chance(epoch, 3)
        part = min(1.0, self.config.epochs)  # of less than one, a part of the samples
        if self._store is not None:
            steps = max(1, round(part * -(-len(self._store) // size)))
            return steps, islice(self._store.batches(size, chance), steps)
        lots = [self._reservoirs[0].samples] if self.config.reuse == "all" else self._lots
        count = sum(map(len, lots))
        rows = chance.permutation(count)[: max(1, round(part * count))]
        return -(-len(rows) // size), _gathered(lots, rows, size)

    def _open_store(self) -> Store | None:
        if not self.config.store:
            return None
        folders = [Path(word.strip()) for word in self.config.store.split(",") if word.strip()]
        return Store(folders, skip_damaged=self.config.skip_damaged)

    def _check_store(self) -> None:
        if self._store is not None:
            header = self._store.shards[0].header
            rules = self.game.variant_of(self.config.variant or None).text()
            wanted = (self.game.name, self.spec.encoding, self.spec.digest, rules)
            if (header.game, header.encoding, header.digest, header.variant) != wanted:
                raise BadOption(
                    f"deepcfr: the store has samples of {header.game} {header.encoding} "
                    f"{header.variant}, not {self.game.name} {self.spec.encoding} {rules}"
                )

    # ------------------------------------------------------------------ teaching

    def _teach(
        self, pupil: Pupil, batches: Batches, steps: int, rates: tuple[float, float]
    ) -> dict[str, float]:
        """Teach so many batches, from one part of the first rate down to another."""
        config, (first, last) = self.config, rates
        sums = np.zeros(5)
        for number, samples in enumerate(batches):
            part = first + (last - first) * number / steps
            pupil.set_rate(max(config.rate * part, config.last_rate))
            sums += self._descend(pupil, samples)
        apart, spread, count, vmse, taught = sums
        return {
            "AMSE": apart / max(count, 1.0),
            "regret explained": 1.0 - apart / spread if spread > 0 else 0.0,
            "VMSE": vmse / max(taught, 1.0),
            "taught": float(taught),
        }

    def _descend(self, pupil: Pupil, samples: Regrets) -> Floats:
        """One gradient; squares of what was not, and could be, explained, and their counts."""
        told = torch.from_numpy(samples["told"].astype(np.float32))
        legal = torch.from_numpy(legal_of(samples, self.spec))
        weights = torch.ones(len(samples))
        if self.config.linear:
            weights = torch.from_numpy(samples["iteration"].astype(np.float32))
            weights = weights / max(self._latest or self._iteration, 1)
        numbers, values = pupil.answer(flags_of(samples, self.spec))
        heat = self.config.heat or 1.0
        loss = regret_loss(numbers, told / heat, legal, weights)
        if self.config.heat:
            wanted = centred(told, legal) / heat
            loss = gain_loss(numbers, legal, wanted, weights) + SQUARES * loss
        paid = torch.from_numpy(samples["paid"][:, : self.spec.values].astype(np.float32))
        vmse = value_loss(values, paid.clamp(-1.0, 1.0))
        pupil.descend(loss + self.config.value_weight * vmse)
        with torch.no_grad():
            apart = ((numbers * heat - told) ** 2 * legal).sum()
            spread = (told**2 * legal).sum()
        size = len(samples)
        sums = [float(apart), float(spread), float(legal.sum()), float(vmse.detach()) * size, size]
        return np.array(sums)

    def _average(self) -> Pupil:
        """The net that has learned the average policy of all iterations up to now."""
        if self._mean is not None and self._mean[0] == self._iteration:
            return self._mean[1]
        pupil = self._pupil(self._averaged, self._count)
        kept, steps = self._policies.samples, self.config.average_steps
        batches = _drawn(kept, self.config.batch, steps, self._chance(0, 4)) if len(kept) else []
        for number, samples in enumerate(batches):
            pupil.set_rate(max(self.config.rate * (1.0 - number / steps), self.config.last_rate))
            logits, _ = pupil.answer(flags_of(samples, self._averaged))
            legal = torch.from_numpy(legal_of(samples, self._averaged))
            shares = torch.from_numpy(samples["told"].astype(np.float32))
            weights = torch.from_numpy(samples["iteration"].astype(np.float32))
            pupil.descend(average_loss(logits, shares, legal, weights / max(self._iteration, 1)))
        self._mean = (self._iteration, pupil)
        return pupil

    def _pupil(self, spec: NetSpec, number: int) -> Pupil:
        """A net that knows nothing yet."""
        return Pupil(spec, self.config.steady, self._seed + 1000 * self._iteration + number)

    # ------------------------------------------------------------------ what is told

    def _exactly(self) -> dict[str, float]:
        """The exploitability of who plays now, every now and then in small games."""
        every = self.config.exact_every
        if not every or self._iteration % every:
            return {}
        return {"exploitability": self.tree.exploitability(self.policy())}

    @cached_property
    def tree(self) -> Tree:
        """The whole tree of a small game."""
        return build_tree(self.game, self.config.variant or None)

    def policy(self) -> Floats:
        """What is chosen how often, at every view of the tree."""
        shares: Floats = self.player().shares(self.tree.views)[:, : self.tree.legal.shape[1]]
        return shares

    def _behaviour(self) -> dict[str, float]:
        """The game's own metrics of some deals that the learner plays as it is now."""
        config = self.config
        if not config.watch or self._iteration % config.watch_every:
            return {}
        numbers = np.arange(0, self.game.seats**2, self.game.seats)
        seating = seating_in(self.game, self._source.traversal(-1))
        rows = 1 - learners_of(self.game, seating, numbers)
        players = [self._at_present(), make_player(config.against or "random", self.game)]
        seed = int(stream(self._seed, "watched", self._iteration)[0]) & 0x7FFFFFFF
        chunk = play_chunk(
            self.game,
            self.game.variant_of(config.variant or None),
            players,
            rows,
            seed=seed,
            first=0,
            boards=-(-config.watch // len(rows)),
        )
        board, row, seat = np.nonzero(np.broadcast_to(rows == 0, (len(chunk.payoffs), *rows.shape)))
        paid = chunk.payoffs[board, row, seat] / self.game.payoff_unit
        played = Played(chunk.ends[board, row], seat, paid)
        told = {"length": float(chunk.ends["turn"].mean())}
        for metric in self.game.metrics:
            values = np.asarray(metric.of(played), dtype=np.float64)
            if np.isfinite(values).any():
                told[metric.name if metric.name != "payoff" else "watched payoff"] = float(
                    np.nanmean(values)
                )
        return told

    # ------------------------------------------------------------------ what comes of it

    def nets(self) -> Nets:
        """The net that plays, to be saved."""
        if self._is_full:
            return {"main": (self._averaged, self._average().tensors())}
        is_known = self._iteration or self.config.begin
        known = self._pupils[0].tensors() if is_known else blank_tensors(self.spec)
        return {"main": (self.spec, known)}

    def player(self) -> RegretPlayer:
        """Who plays now."""
        net: Net = self._average().packed(self.game) if self._is_full else self._source.nets[0]
        return self._who_plays(net, averaged=self._is_full)

    def _at_present(self) -> RegretPlayer:
        """Who plays by the latest regrets: what the next traversals mix, and no average.

        Where every seat has a net of its own it is the average after all.
        """
        if self._count > 1:
            return self.player()
        return self._who_plays(self._source.nets[0], averaged=False)

    def _who_plays(self, net: Net, *, averaged: bool) -> RegretPlayer:
        play = self.config.play
        return RegretPlayer(
            self.game, net, "cfr:learner", averaged=averaged, play=play, equals="apart"
        )

    def save(self, folder: Path) -> None:
        """Write all that is needed to go on."""
        torch.save(
            {
                "deals": self.deals,
                "iteration": self._iteration,
                "pupils": [pupil.state() for pupil in self._pupils],
                "reservoirs": [
                    (one.seen, _to_tensor(one.samples))
                    for one in (*self._reservoirs, self._policies)
                ],
                "lots": [_to_tensor(lot) for lot in self._lots],
                "critic": self._source.critic.state() if self._source.critic else {},
            },
            folder / STATE,
        )

    def load(self, folder: Path) -> None:
        """Go on where another stopped."""
        state = torch.load(folder / STATE, weights_only=True)
        self._source.deals, self._source.iteration = int(state["deals"]), int(state["iteration"])
        for pupil, told in zip(self._pupils, state["pupils"], strict=True):
            pupil.restore(told)
        record = blank_regrets(self.game, self.spec, 0).dtype
        reservoirs = (*self._reservoirs, self._policies)
        for reservoir, (seen, kept) in zip(reservoirs, state["reservoirs"], strict=True):
            reservoir.restore(kept.numpy().view(record), int(seen))
        self._lots = [lot.numpy().view(record) for lot in state["lots"]]
        if self._source.critic:
            self._source.critic.restore(state["critic"])
        if self._iteration:
            self._source.nets = [pupil.packed(self.game) for pupil in self._pupils]

    def _chance(self, *part: int) -> np.random.Generator:
        return np.random.default_rng([self._seed, self._iteration, *part])


# ---------------------------------------------------------------------------- losses


def regret_loss(
    numbers: torch.Tensor, told: torch.Tensor, legal: torch.Tensor, weights: torch.Tensor
) -> torch.Tensor:
    """The mean, over legal choices, of squares of what numbers are from regrets, [n, actions].

    Rows count by their weights, [n].
    """
    squares = (numbers - told) ** 2 * legal * weights[:, None]
    return squares.sum() / legal.sum().clamp(min=1)


def average_loss(
    logits: torch.Tensor, shares: torch.Tensor, legal: torch.Tensor, weights: torch.Tensor
) -> torch.Tensor:
    """The cross-entropy of a policy to shares, a mean over rows by their weights.

    It is least where the policy is the weighted mean of all shares told of a view.
    """
    rows = -(shares * masked_log_softmax(logits, legal)).sum(dim=1)
    return (rows * weights).sum() / weights.sum()


def _drawn(samples: Regrets, size: int, count: int, chance: np.random.Generator) -> Batches:
    """So many batches, each of samples drawn anew."""
    for _ in range(count if len(samples) else 0):
        yield samples[chance.integers(len(samples), size=min(size, len(samples)))]


def _gathered(lots: list[Regrets], rows: Floats, size: int) -> Batches:
    """Batches of the samples with these numbers; many are gathered at a time."""
    for first in range(0, len(rows), GATHERED * size):
        some = take_rows(lots, rows[first : first + GATHERED * size])
        yield from (some[at : at + size] for at in range(0, len(some), size))


def _to_tensor(samples: Regrets) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(samples).view(np.uint8))


METHOD = Method(
    "deepcfr",
    "traversals tell regrets, a net learns them, and plays in proportion",
    DeepCfrConfig,
    presets_for,
    DeepCfr,
)
