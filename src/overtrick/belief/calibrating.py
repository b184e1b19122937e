"""Whether what is believed comes true as often as it is believed.

Deals are played by a rulebook, and watched from a seat. Cards: for every card that the seat has
not seen, the chance that each other seat holds it, and who did. Choices: what the predictor gave
to each choice of another seat, and which was made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from overtrick.arena.boards import deals_of
from overtrick.belief.looking import (
    DRAWN,
    EVEN,
    LEARNED,
    LOGS,
    ROOM,
    Looking,
    believed_worlds,
    new_looker,
)
from overtrick.belief.marginals import held_in, marginals, weighted_marginals
from overtrick.belief.minds import PREDICTING, Minds, new_desk, predict
from overtrick.belief.tables import ready
from overtrick.engine.batches import legal_all, play_all
from overtrick.engine.playouts import choose_all
from overtrick.engine.views import hide_all
from overtrick.games.game import Game, Row, legal
from overtrick.jit import kernel, stream, streams

__all__ = ["Calibration", "calibrate_cards", "calibrate_choices"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Calibration:
    """What was believed, in steps of probability, and what came of it."""

    believed: Floats  # [steps] the mean probability; NaN where there was none
    came_true: Floats  # [steps] how often
    counts: Row  # [steps]
    log_loss: float  # a thing believed, on average
    brier: float

    @property
    def error(self) -> float:
        """How far off beliefs are on average, each counting as often as it was held."""
        known = self.counts > 0
        apart = np.abs(self.believed - self.came_true)[known]
        return float((apart * self.counts[known]).sum() / self.counts.sum())

    def half_widths(self) -> Floats:
        """The 95% half-width of what came true in each step."""
        share = np.nan_to_num(self.came_true)
        found: Floats = 1.96 * np.sqrt(share * (1 - share) / np.maximum(self.counts, 1))
        return found


def calibration_of(chances: Floats, came: Floats, steps: int = 10) -> Calibration:
    """Beliefs and whether they came true, [n] each, sorted into steps."""
    step = np.minimum((chances * steps).astype(np.int64), steps - 1)
    counts = np.bincount(step, minlength=steps)
    with np.errstate(invalid="ignore"):
        believed = np.bincount(step, chances, minlength=steps) / counts
        true = np.bincount(step, came, minlength=steps) / counts
    near = np.clip(chances, 1e-9, 1 - 1e-9)
    logs = -(came * np.log(near) + (1 - came) * np.log(1 - near))
    return Calibration(
        believed, true, counts, float(logs.mean()), float(((chances - came) ** 2).mean())
    )


# ---------------------------------------------------------------------------- cards


def positions_of(game: Game, level: int, deals: int, seed: int, variant: str = "") -> Records:
    """A position before a real choice out of each of some deals, played by a level."""
    states = deals_of(game, variant, stream(seed, "calibration", game.name), 0, deals)
    chance = np.random.default_rng([seed, 3])
    kept: dict[int, Any] = {}
    met = np.zeros(deals, dtype=np.int64)
    turn = 0
    going = np.arange(deals)
    while len(going):
        group = states[going]
        legals = np.zeros(len(going), dtype=np.int64)
        legal_all(group, legals)
        for place in np.flatnonzero(legals & legals - 1):
            number = int(going[place])
            met[number] += 1
            if chance.random() < 1.0 / met[number]:
                kept[number] = group[place].copy()
        chosen = np.zeros(len(going), dtype=np.int64)
        choose_all(group, level, streams(len(going), seed, "calibration", turn), chosen)
        play_all(group, chosen)
        states[going] = group
        going = going[group["phase"] >= 0]
        turn += 1
    return np.array([kept[number] for number in sorted(kept)], dtype=game.state)


def calibrate_cards(
    game: Game,
    minds: Minds | None,
    *,
    level: int,
    deals: int,
    seed: int,
    reach: float = 1.0,
    candidates: int = 64,
) -> Calibration:
    """Where unseen cards are believed to lie, by counting alone or weighed by the predictors."""
    ready(game)
    how = Looking(worlds=candidates, candidates=candidates, belief=LEARNED if minds else EVEN)
    chances, came = [], []
    for number, state in enumerate(positions_of(game, level, deals, seed)):
        truth = np.array([state], dtype=game.state)
        view = truth.copy()
        hide_all(view, truth["seat"].copy())
        if minds is None:
            found = marginals(game, view)
        else:
            looker = new_looker(game, minds, how, reach)
            room = looker[ROOM]
            people = np.zeros(game.seats, dtype=np.int64)
            size = believed_worlds(view, looker, people, stream(seed, "cards", number))
            found = weighted_marginals(game, room[DRAWN][:size], room[LOGS][:size])
        held = held_in(game, truth)[0]
        counted = marginals(game, view)
        open_question = (counted > 1e-9) & (counted < 1 - 1e-9)
        chances.append(found[open_question])
        came.append(held[open_question])
    return calibration_of(np.concatenate(chances), np.concatenate(came))


# ---------------------------------------------------------------------------- choices


@kernel
def predict_all(states: Any, minds: Any, people: Row, heat: float, desk: Any, out: Any) -> None:
    """Write how probable the predictor finds each choice of the seats to act, [n, 64]."""
    for number in range(len(states)):
        state = states[number]
        person = people[state.seat]
        predict(state, legal(state), minds[0], desk[PREDICTING], person, heat, desk, out[number])


def calibrate_choices(
    game: Game, minds: Minds, *, level: int, deals: int, seed: int, heat: float = 1.0
) -> Calibration:
    """How probable the choices of a level were found, and which were made."""
    ready(game)
    states = positions_of(game, level, deals, seed)
    out = np.zeros((len(states), 64))
    people = np.zeros(game.seats, dtype=np.int64)
    predict_all(states, minds, people, heat, new_desk(game, minds), out)
    legals = np.zeros(len(states), dtype=np.int64)
    legal_all(states, legals)
    chosen = np.zeros(len(states), dtype=np.int64)
    choose_all(states, level, streams(len(states), seed, "calibrated"), chosen)
    legal_ones = legals[:, None] >> np.arange(64) & 1 == 1
    came = np.arange(64) == chosen[:, None]
    return calibration_of(out[legal_ones], came[legal_ones].astype(np.float64))
