"""The mind of a player: what it expects of others, of itself and of the deal, as kernels ask it.

    predictor   the merit of every choice to the seat to act, as that seat knows the deal; each
                person at the table may have a linear part of their own
    actor       the same, for the player's own choices
    critic      what a whole deal is worth to a seat, less what it is ahead by its tricks

Merits make probabilities by a soft-max with a temperature. The merit of a choice is that of its
place in the flat action space and those of the named things that it is (`merits_of`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from overtrick.belief.tables import choice_table, merits_of, ready, state_table, tables_of
from overtrick.games.game import Choices, Game, Row, Seat, State, hide
from overtrick.games.observing import AS_CARDS, observe, relabel, seat_after, suit_order
from overtrick.jit import kernel, lowest, rule
from overtrick.nets.approximators import (
    COLUMNS,
    ENCODING,
    FLAGS,
    HANDS,
    ApproximatorSpec,
    Mind,
    answer,
    new_units,
    pack_approximator,
)
from overtrick.nets.forward import to_probabilities

__all__ = [
    "FEATURES",
    "NETS",
    "Desk",
    "Minds",
    "ask_merits",
    "ask_value",
    "inputs_of_choices",
    "inputs_of_states",
    "minds_of",
    "new_desk",
    "predict",
    "specs_for",
]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]
Features = Literal["paper", "tables", "all"]
Minds = tuple[Mind, Mind, Mind]
Desk = tuple[Any, ...]

NETS = ("predictor", "actor", "critic")
FEATURES = ("paper", "tables", "all")
VIEWS, FLAG_ROW, WIDTHS, OFFSETS, CHANCES, COLUMN_ROW, SLOTS, NAMED = range(8)
PREDICTING, ACTING, JUDGING = range(8, 11)  # room for each of the three
MOST_SLOTS = 8


@dataclass(frozen=True)
class Sizes:
    """How large the approximators of a game are."""

    units: int = 64  # of the predictor, which is asked most often
    layers: int = 1
    actor_units: int = 64
    actor_layers: int = 1
    critic_units: int = 64
    critic_layers: int = 2


def specs_for(
    game: Game,
    *,
    backend: Literal["neural", "ngnet"],
    features: Features,
    sizes: Sizes,
    reach: float,
    covariance: Literal["diag", "full"] = "diag",
) -> dict[str, ApproximatorSpec]:
    """The specs of the three approximators of a player."""
    tables, flags = tables_of(game), game.encodings[0]
    with_flags = features == "all"
    hands = (game.seats - 1) * len(game.deck) if with_flags else 0
    few = tables.tabled if features == "paper" else 0

    def spec(columns: int, outputs: int, units: int, layers: int, hands: int) -> ApproximatorSpec:
        return ApproximatorSpec(
            game=game.name,
            backend=backend,
            columns=few or columns,
            encoding=str(flags) if with_flags else "",
            digest=flags.digest if with_flags else "",
            flags=flags.size if with_flags else 0,
            hands=hands,
            outputs=outputs,
            units=units,
            layers=layers if backend == "neural" else 1,
            covariance=covariance,
            reach=reach,
        )

    merits = game.actions + len(tables.merits)
    predictor = spec(len(tables.choice), merits, sizes.units, sizes.layers, 0)
    actor = spec(len(tables.choice), merits, sizes.actor_units, sizes.actor_layers, 0)
    critic = spec(len(tables.state), 1, sizes.critic_units, sizes.critic_layers, hands)
    return {"predictor": predictor, "actor": actor, "critic": critic}


def minds_of(
    game: Game,
    nets: Mapping[str, tuple[ApproximatorSpec, Mapping[str, Floats]]],
    persons: int = 0,
) -> Minds:
    """The three approximators as kernels take them."""
    packed = [
        pack_approximator(game, *nets[name], persons=persons if name == "predictor" else 0)
        for name in NETS
    ]
    return packed[0], packed[1], packed[2]


def new_desk(game: Game, minds: Minds) -> Desk:
    """Room for one thread to ask in."""
    ready(game)
    tables, widths = tables_of(game), game.encodings[0].widths
    most = max(len(tables.state), len(tables.choice))
    return (
        np.zeros(1, dtype=game.state),
        np.zeros(len(widths), dtype=np.int64),
        widths,
        np.array(game.action_offsets, dtype=np.int64),
        np.zeros(len(game.deck)),
        np.zeros(most),
        np.zeros(MOST_SLOTS, dtype=np.int64),
        np.array([len(tables.merits), len(tables.state), len(tables.choice)], dtype=np.int64),
        new_units(minds[0]),
        new_units(minds[1]),
        new_units(minds[2]),
    )


# ---------------------------------------------------------------------------- what is put in


@rule
def list_columns(columns: Floats, many: int, indices: Row, amounts: Floats) -> int:
    """List the columns that are not zero; how many there are."""
    count = 0
    for column in range(many):
        indices[count] = column
        amounts[count] = columns[column]
        count += columns[column] != 0.0
    return count


@rule
def list_bits(flags: int, first: int, count: int, indices: Row, amounts: Floats) -> int:
    """List the flags that are set, from the index `first` on; how many there are now."""
    while flags:
        indices[count] = first + lowest(flags)
        amounts[count] = 1.0
        flags &= flags - 1
        count += 1
    return count


@rule
def list_view(
    view: State, mind: Any, desk: Any, order: int, count: int, indices: Row, amounts: Floats
) -> int:
    """List the flags of a view; how many inputs there are now."""
    features, widths = desk[FLAG_ROW], desk[WIDTHS]
    observe(view, mind[0][ENCODING], order, features)
    first = mind[0][COLUMNS]
    for number in range(len(widths)):
        count = list_bits(features[number], first, count, indices, amounts)
        first += widths[number]
    return count


@rule
def show_choice(state: State, mind: Any, desk: Any, units: Any) -> int:
    """List what the seat to act can tell before it chooses; how many inputs these are.

    Its view stays on the desk.
    """
    views, chances = desk[VIEWS], desk[CHANCES]
    views[0] = state
    view = views[0]
    hide(view, state.seat)
    hand = view.hands[view.seat]
    for card in range(len(chances)):
        chances[card] = hand >> card & 1
    columns = desk[COLUMN_ROW][: desk[NAMED][2]]
    choice_table(view, chances, columns)
    count = list_columns(columns, mind[0][COLUMNS], units[0], units[1])
    if mind[0][FLAGS]:
        count = list_view(view, mind, desk, suit_order(view), count, units[0], units[1])
    return count


@rule
def show_state(state: State, seat: Seat, mind: Any, desk: Any, units: Any) -> int:
    """List what a whole deal is to a seat: the table, its view and the others' hands."""
    indices, amounts = units[0], units[1]
    columns = desk[COLUMN_ROW][: desk[NAMED][1]]
    state_table(state, seat, columns)
    count = list_columns(columns, mind[0][COLUMNS], indices, amounts)
    if mind[0][FLAGS]:
        views = desk[VIEWS]
        views[0] = state
        view = views[0]
        hide(view, seat)
        order = suit_order(view)
        count = list_view(view, mind, desk, order, count, indices, amounts)
        if mind[0][HANDS]:
            seats, cards = len(state.hands), len(desk[CHANCES])
            first = mind[0][COLUMNS] + mind[0][FLAGS]
            for offset in range(1, seats):
                hand = relabel(view, AS_CARDS, state.hands[seat_after(seat, offset, seats)], order)
                count = list_bits(hand, first, count, indices, amounts)
                first += cards
    return count


# ---------------------------------------------------------------------------- asking


@rule
def ask_merits(
    state: State,
    choices: Choices,
    mind: Any,
    units: Any,
    person: int,
    desk: Any,
    merits: Floats,
) -> int:
    """Write the merit of each of these choices to the seat to act, [64].

    Gives back how many rows of the linear part the lists of `units` now name.
    """
    count = answer(mind, units, person, show_choice(state, mind, desk, units))
    view = desk[VIEWS][0]
    order = suit_order(view)
    outputs, slots, named = units[3], desk[SLOTS], desk[NAMED][0]
    first = named + desk[OFFSETS][view.phase]
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        merit = float(outputs[first + lowest(relabel(view, view.phase, 1 << choice, order))])
        for place in range(merits_of(view, choice, slots)):
            merit += outputs[slots[place]]
        merits[choice] = merit
    return count


@rule
def predict(
    state: State,
    choices: Choices,
    mind: Any,
    units: Any,
    person: int,
    temperature: float,
    desk: Any,
    chances: Floats,
) -> int:
    """Write the probability of each of these choices, [64]: the soft-max of merits over T."""
    count = ask_merits(state, choices, mind, units, person, desk, chances)
    rest = choices
    while rest:
        chances[lowest(rest)] /= temperature
        rest &= rest - 1
    to_probabilities(chances, choices)
    return count


@rule
def ask_value(state: State, seat: Seat, mind: Any, units: Any, desk: Any) -> float:
    """What the critic says that a whole deal is worth to a seat, beyond what it is ahead."""
    answer(mind, units, 0, show_state(state, seat, mind, desk, units))
    return float(units[3][0])


# ---------------------------------------------------------------------------- to be taught


@rule
def spread_out(units: Any, count: int, out: Floats) -> None:
    for place in range(count):
        out[units[0][place]] = units[1][place]


@kernel
def inputs_of_choices(
    states: Any, legals: Row, mind: Any, desk: Any, out: Any, places: Any, slots: Any
) -> None:
    """Write what predictors are put in, [n, inputs], and where choices find their merits.

    places[n, choice] is the place of each legal choice in the flat action space, the named things
    left out; slots[n, choice] gets those, up to two, -1 for none.
    """
    units = desk[PREDICTING]
    for number in range(len(states)):
        state = states[number]
        count = show_choice(state, mind, desk, units)
        spread_out(units, count, out[number])
        view = desk[VIEWS][0]
        order = suit_order(view)
        named, offset = desk[NAMED][0], desk[OFFSETS][view.phase]
        rest = legals[number]
        while rest:
            choice = lowest(rest)
            rest &= rest - 1
            moved = lowest(relabel(view, view.phase, 1 << choice, order))
            places[number, choice] = named + offset + moved
            many = merits_of(view, choice, desk[SLOTS])
            for place in range(min(many, 2)):
                slots[number, choice, place] = desk[SLOTS][place]


@kernel
def inputs_of_states(states: Any, seats: Row, mind: Any, desk: Any, out: Any) -> None:
    """Write what the critic is put in, [n, inputs], for whole deals and seats."""
    units = desk[JUDGING]
    for number in range(len(states)):
        count = show_state(states[number], seats[number], mind, desk, units)
        spread_out(units, count, out[number])
