"""Pointer nets as learners take them: the same face as that of plain nets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import Tensor

from overtrick.errors import BadOption
from overtrick.games.game import Game, Row
from overtrick.learn.nets import Steady
from overtrick.learn.pointer import PointerNet, load_pointer, pointer_tensors, read_deals
from overtrick.learn.pupil import Learning, Pupil
from overtrick.learn.samples import (
    Lesson,
    Samples,
    flags_of,
    policies_of,
    teach,
    values_of,
    views_of,
)
from overtrick.nets.packing import PlayingSpec
from overtrick.nets.pointer import PackedPointer, pack_pointer
from overtrick.nets.pointer_spec import PointerSpec
from overtrick.nets.spelling import Sheets

__all__ = ["AnyPupil", "Pages", "PointerPupil", "open_any", "pupil_of", "teach_any"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Pages:
    """Deals that a pointer net reads a lot at a time: `pages[rows]`, as flags are taken."""

    game: Game
    spec: PointerSpec
    deals: Records
    legal: Row
    orders: Row
    shown: Records

    def __len__(self) -> int:
        return len(self.deals)

    def __getitem__(self, rows: Row) -> Sheets:
        parts = (self.deals[rows], self.legal[rows], self.orders[rows], self.shown[rows])
        return read_deals(self.game, self.spec, *parts)


class PointerPupil(Learning):
    """A pointer net that learns."""

    def __init__(self, game: Game, spec: PointerSpec, steady: Steady, seed: int) -> None:
        self.spec = spec
        self.net = PointerNet(game, spec, seed)
        super().__init__(self.net, steady)

    def answer(self, sheets: Sheets) -> tuple[Tensor, Tensor]:
        """Logits and values for what is read, to make a loss of."""
        logits, values = self.net(sheets)
        return logits, values

    def answer_and_guess(self, sheets: Sheets) -> tuple[Tensor, Tensor, Tensor]:
        """The same; it guesses nothing."""
        logits, values = self.answer(sheets)
        return logits, values, logits[:, :0]

    def tensors(self) -> dict[str, Floats]:
        """The weights as they are now."""
        return dict(pointer_tensors(self.net))

    def begin_with(self, tensors: Mapping[str, Floats]) -> None:
        """Begin with the weights of another net of the same shape."""
        load_pointer(self.net, tensors)

    def packed(self, game: Game) -> PackedPointer:
        """The net as kernels take it."""
        return pack_pointer(game, self.spec, self.tensors())


AnyPupil = Pupil | PointerPupil


def pupil_of(
    game: Game,
    spec: PlayingSpec,
    steady: Steady,
    seed: int,
    *,
    avoided: Sequence[int] = (),
    guesses: int = 0,
) -> AnyPupil:
    """A net of this spec that learns."""
    if not isinstance(spec, PointerSpec):
        return Pupil(spec, steady, seed, avoided=avoided, guesses=guesses)
    if avoided or guesses:
        raise BadOption("a pointer net has no choices to avoid, nothing to guess and no branches")
    return PointerPupil(game, spec, steady, seed)


def open_any(
    game: Game, spec: PlayingSpec, deals: Records, legal: Row, orders: Row
) -> Records | Pages:
    """Deals as a net of any kind is shown them, with all hands."""
    shown = np.ones(len(deals), dtype=bool)
    if isinstance(spec, PointerSpec):
        return Pages(game, spec, deals, legal, orders, shown)
    return flags_of(game, spec, deals, views_of(deals), orders, shown)


def teach_any(
    game: Game, spec: PlayingSpec, samples: Samples, orders: Row, shown: Records
) -> Lesson:
    """Samples as a net of any kind is taught them."""
    if not isinstance(spec, PointerSpec):
        return teach(game, spec, samples, orders, shown)
    legal, policy = policies_of(game, samples, views_of(samples.deals), orders)
    pages = Pages(game, spec, samples.deals, samples.legal, orders, shown)
    return Lesson(pages, legal, policy, values_of(spec, samples))
