"""What the seats of many deals see, as arrays: flags of observations, and masks of legal actions.

An *action* is a choice in the flat space of a game, where phases have places of their own: choice c
of phase p is action `action_offsets[p] + c`. Suits keep their names: action 7 is the same card in
every deal. A mask is never empty: where there is nothing to choose, every action is in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.engine.observations import pack
from overtrick.games.game import Game, Row, hide
from overtrick.games.observing import SAME_SUITS, observe
from overtrick.jit import kernel, spread_bits

__all__ = ["Looking", "are_legal", "mask_all", "observe_seats"]

Records = np.ndarray[Any, Any]


@kernel
def observe_seats(
    states: Any, seats: Row, encoding: int, widths: Row, view: Any, words: Row, octets: Any
) -> None:
    """Write the flags that a seat of each whole deal sees, eight to an int64: [deals, octets].

    `view` is room for one record, `words` for one packed observation.
    """
    features = np.zeros(len(widths), dtype=np.int64)
    for number in range(len(states)):
        view[0] = states[number]
        hide(view[0], seats[number])
        observe(view[0], encoding, SAME_SUITS, features)
        pack(features, widths, words)
        out = octets[number]
        for octet in range(len(out)):
            out[octet] = spread_bits(words[octet >> 3] >> 8 * (octet & 7) & 255)


@kernel
def mask_all(legals: Row, phases: Row, offsets: Row, masks: Any) -> None:
    """Write 1 for every legal action and 0 for the others, [deals, actions]; all 1 if over."""
    actions = masks.shape[1]
    for number in range(len(legals)):
        legal, out = legals[number], masks[number]
        if legal == 0:
            for action in range(actions):
                out[action] = 1
            continue
        for action in range(actions):
            out[action] = 0
        offset = offsets[phases[number]]
        for choice in range(min(63, actions - offset)):
            out[offset + choice] = legal >> choice & 1


class Looking:
    """Makes the arrays for deals of one game."""

    def __init__(self, game: Game, encoding: str = "") -> None:
        self.game = game
        self.encoding = game.encoding(encoding)
        self.spec = game.encodings[self.encoding]
        self.offsets = np.array(game.action_offsets, dtype=np.int64)
        self._view = np.zeros(1, dtype=game.state)
        self._words = np.zeros(self.spec.words, dtype=np.int64)

    @property
    def flags(self) -> int:
        """How many flags an observation has."""
        return self.spec.size

    def room(self, count: int) -> Records:
        """Room for so many observations, as `observe` fills it."""
        return np.zeros((count, -(-self.flags // 8)), dtype="<i8")

    def observe(self, states: Records, seats: Row, room: Records | None = None) -> Records:
        """What these seats of whole deals see, [deals, flags] bytes; a view into the room."""
        octets = self.room(len(states)) if room is None else room
        observe_seats(
            states, seats, self.encoding, self.spec.widths, self._view, self._words, octets
        )
        return octets.view(np.uint8)[:, : self.flags]

    def masks(self, legals: Row, phases: Row) -> Records:
        """The legal actions, [deals, actions] int8."""
        masks = np.empty((len(legals), self.game.actions), dtype=np.int8)
        mask_all(legals, phases, self.offsets, masks)
        return masks

    def choices(self, actions: Records, phases: Row) -> Row:
        """The choices that actions stand for; some that no phase has if they are none there."""
        chosen: Row = np.asarray(actions, dtype=np.int64) - self.offsets[phases]
        return chosen

    def actions(self, choices: Records, phases: Row) -> Row:
        """The actions that choices are in these phases."""
        flat: Row = np.asarray(choices, dtype=np.int64) + self.offsets[phases]
        return flat


def are_legal(legals: Row, choices: Row) -> Records:
    """Which choices are among the legal ones."""
    inside = (choices >= 0) & (choices < 63)
    legal: Records = inside & (legals >> np.where(inside, choices, 0) & 1 == 1)
    return legal
