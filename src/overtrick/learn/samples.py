"""What nets learn from: choices, with what a teacher would choose there and what the deal paid.

Deals are kept, not observations: at every pass a learner sees them with other names of the suits
that the rules do not tell apart, which multiplies the samples; and one that may be shown the hands
of the others sees them now and then.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from overtrick.engine.observations import canonical_orders, expand, pack, shuffle_suits
from overtrick.engine.views import hide_all
from overtrick.errors import DamagedFile
from overtrick.games.game import Game, Row, State
from overtrick.games.observing import observe, relabel
from overtrick.jit import kernel, lowest, rule, streams
from overtrick.nets.forward import feature_widths, show_hands
from overtrick.nets.pointer_spec import PointerSpec
from overtrick.nets.spec import NetSpec

__all__ = [
    "MOST_CHOICES",
    "Lesson",
    "Samples",
    "flags_of",
    "lessons",
    "policies_of",
    "teach",
    "values_of",
    "views_of",
]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]

MOST_CHOICES = 64


@dataclass(frozen=True)
class Samples:
    """Decisions, one a row."""

    deals: Records  # [n] whole deals: what the seat to act knew, and what it did not
    legal: Row  # [n] its legal choices as bits
    policy: Floats  # [n, 64] how a teacher weighs each choice: shares, or payoffs
    payoffs: Floats  # [n, seats] what the deal paid, as the game counts; NaN if that is not told

    def __len__(self) -> int:
        return len(self.deals)

    def take(self, rows: Row) -> Samples:
        """Some of them."""
        return Samples(self.deals[rows], self.legal[rows], self.policy[rows], self.payoffs[rows])

    @staticmethod
    def none(game: Game) -> Samples:
        """No samples."""
        return Samples.blank(game, 0)

    @staticmethod
    def blank(game: Game, most: int) -> Samples:
        """Room for so many."""
        return Samples(
            np.empty(most, dtype=game.state),
            np.zeros(most, dtype=np.int64),
            np.zeros((most, MOST_CHOICES), dtype=np.float32),
            np.zeros((most, game.seats), dtype=np.float32),
        )

    @staticmethod
    def joined(parts: Iterable[Samples]) -> Samples:
        """All samples of several lots, in their order."""
        lots = list(parts)
        return Samples(
            np.concatenate([lot.deals for lot in lots]),
            np.concatenate([lot.legal for lot in lots]),
            np.concatenate([lot.policy for lot in lots]),
            np.concatenate([lot.payoffs for lot in lots]),
        )

    def save(self, path: Path) -> None:
        """Write them to a file, whole or not at all."""
        beside = path.with_name(path.name + ".new")
        with beside.open("wb") as file:
            np.savez(
                file,
                deals=self.deals.view(np.uint8).reshape(len(self), self.deals.itemsize),
                legal=self.legal,
                policy=self.policy,
                payoffs=self.payoffs,
            )
        os.replace(beside, path)

    @staticmethod
    def load(game: Game, path: Path) -> Samples:
        """Read what `save` wrote, with the same sources of the game."""
        try:
            with np.load(path, allow_pickle=False) as told:
                octets = np.ascontiguousarray(told["deals"])
                if octets.shape[1:] != (game.state.itemsize,):
                    raise DamagedFile(f"{path}: these are not samples of today's {game.name}")
                deals = octets.reshape(-1).view(game.state)
                return Samples(deals, told["legal"], told["policy"], told["payoffs"])
        except (OSError, ValueError, KeyError) as error:
            raise DamagedFile(f"{path}: not a file of samples ({error})") from None


# ---------------------------------------------------------------------------- as nets see them


@dataclass(frozen=True)
class Lesson:
    """Samples as a net is taught them."""

    flags: Any  # [n, inputs] uint8, or pages for a net that reads tokens
    legal: Records  # [n, actions] bool
    policy: Floats  # [n, actions] float32
    values: Floats  # [n, values] float32 in [-1, 1], or NaN


@kernel
def name_actions(
    views: Any, legals: Row, policies: Any, orders: Row, offsets: Row, legal_out: Any, out: Any
) -> None:
    """Write each legal choice and its weight at its place in the flat action space."""
    for number in range(len(views)):
        view = views[number]
        name_choices(
            view,
            legals[number],
            policies[number],
            orders[number],
            offsets,
            legal_out[number],
            out[number],
        )


@rule
def name_choices(
    view: State, rest: int, policy: Floats, order: int, offsets: Row, legal_out: Any, out: Floats
) -> None:
    while rest:
        choice = lowest(rest)
        place = offsets[view.phase] + lowest(relabel(view, view.phase, 1 << choice, order))
        legal_out[place] = True
        out[place] = policy[choice]
        rest &= rest - 1


@kernel
def show_all(
    deals: Any, views: Any, shown: Any, encoding: int, orders: Row, widths: Row, own: int, out: Any
) -> None:
    """Write the packed flags of every view, with all hands where they are shown."""
    features = np.zeros(len(widths), dtype=np.int64)
    for number in range(len(views)):
        view = views[number]
        observe(view, encoding, orders[number], features)
        for feature in range(own, len(widths)):
            features[feature] = 0
        if shown[number]:
            show_hands(view, deals[number], orders[number], features, own)
        pack(features, widths, out[number])


def teach(game: Game, spec: NetSpec, samples: Samples, orders: Row, shown: Records) -> Lesson:
    """Samples as a net sees them, their suits in these orders, with all hands where shown."""
    views = views_of(samples.deals)
    flags = flags_of(game, spec, samples.deals, views, orders, shown)
    legal, policy = policies_of(game, samples, views, orders)
    return Lesson(flags, legal, policy, values_of(spec, samples))


def flags_of(
    game: Game, spec: NetSpec, deals: Records, views: Records, orders: Row, shown: Records
) -> Records:
    """The flags of deals as their seats to act view them, [n, inputs], all hands where shown."""
    number = game.encoding(spec.encoding)
    widths = feature_widths(game, spec)
    own = len(game.encodings[number].widths)
    packed = np.empty((len(deals), -(-spec.inputs // 64)), dtype=np.int64)
    show_all(deals, views, shown, number, orders, widths, own, packed)
    return expand(packed, spec.inputs)


def policies_of(
    game: Game, samples: Samples, views: Records, orders: Row
) -> tuple[Records, Floats]:
    """Which actions are legal, and how the teacher weighs them, [n, actions] each."""
    legal = np.zeros((len(samples), game.actions), dtype=np.bool_)
    policy = np.zeros((len(samples), game.actions), dtype=np.float32)
    offsets = np.array(game.action_offsets, dtype=np.int64)
    name_actions(views, samples.legal, samples.policy, orders, offsets, legal, policy)
    return legal, policy


def views_of(deals: Records) -> Records:
    """What the seats to act know."""
    views = deals.copy()
    hide_all(views, deals["seat"].copy())
    return views


def values_of(spec: NetSpec | PointerSpec, samples: Samples) -> Floats:
    """What the value head should say: of the viewer's side, or of every seat from the viewer on."""
    viewers = samples.deals["seat"]
    rows = np.arange(len(samples))
    seats = samples.payoffs.shape[1]
    columns = [samples.payoffs[rows, (viewers + offset) % seats] for offset in range(spec.values)]
    told = np.stack(columns, axis=1) if columns else np.zeros((len(samples), 0))
    clipped: Floats = np.clip(told / spec.reach, -1.0, 1.0).astype(np.float32)
    return clipped


OPEN = 0.5  # share of lessons in which a net that may be shown all hands is


def lessons(
    game: Game,
    spec: NetSpec,
    samples: Samples,
    *,
    size: int,
    passes: float,
    seed: int,
    part: int,
    shuffled: bool = True,
    shown: float = OPEN,
) -> Iterator[Lesson]:
    """Samples in random order, `size` at a time, so many passes over them.

    Suits that the rules do not tell apart have random names, if shuffled. A net that may be shown
    all hands is shown them in a part of the samples.

    The same seed and part give the same lessons.
    """
    chance = np.random.default_rng([seed, part])
    left = round(passes * len(samples))
    number = 0
    while left > 0:
        rows = chance.permutation(len(samples))[:left]
        left -= len(rows)
        for first in range(0, len(rows), size):
            some = samples.take(rows[first : first + size])
            if shuffled:
                orders = np.empty(len(some), dtype=np.int64)
                shuffle_suits(some.deals, streams(len(some), seed, "suits", part, number), orders)
            else:
                orders = canonical_orders(views_of(some.deals))
            number += 1
            yield teach(game, spec, some, orders, chance.random(len(some)) < shown)
