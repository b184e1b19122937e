"""Predictors that learn on line: after a deal, what everybody chose is replayed and learned.

Once a deal is over a seat knows who held what, but for cards that nobody ever sees. What every
other seat knew at each of its choices is then known too, and so is what it chose: the merit of
that choice grows and the merits of the others fall,

    U(y, a) ← U(y, a) + η (1[a was chosen] - P(a | y))

in the linear part that belongs to that person. It is drawn back a little to the one of people in
general, so that a person who is no longer met is forgotten.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from overtrick.belief.looking import FOUND, MATCH, ORDER, PROBABLE, PUZZLE, REPLAY, STACK
from overtrick.belief.minds import NAMED, OFFSETS, PREDICTING, SLOTS, VIEWS, predict
from overtrick.belief.tables import merits_of
from overtrick.engine.worlds import count_all, draw_places
from overtrick.games.game import (
    HIDDEN,
    Choice,
    Choices,
    Row,
    State,
    choice_of,
    deal,
    dealt,
    legal,
    match_around,
    play,
    seat_of,
    settle,
)
from overtrick.games.observing import relabel, suit_order
from overtrick.jit import kernel, lowest, rule
from overtrick.nets.approximators import OUTPUTS

__all__ = ["RATE", "RETURN", "watch_deals"]

Floats = np.ndarray[Any, np.dtype[Any]]

RATE = 0.05  # of learning on line
RETURN = 0.0005  # to people in general, at every choice
CHOICES_SEEN, SURPRISE, USUAL, FORESEEN = range(4)  # of what is told


@rule
def errors_of(
    view: State, choices: Choices, chosen: Choice, chances: Floats, desk: Any, errors: Floats
) -> None:
    """Write by how much every output should grow: 1 less the probability for what was chosen."""
    for place in range(len(errors)):
        errors[place] = 0.0
    order = suit_order(view)
    slots, named = desk[SLOTS], desk[NAMED][0]
    first = named + desk[OFFSETS][view.phase]
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        error = (choice == chosen) - chances[choice]
        errors[first + lowest(relabel(view, view.phase, 1 << choice, order))] += error
        for place in range(merits_of(view, choice, slots)):
            errors[slots[place]] += error


@rule
def learn_rows(
    linear: Floats, usual: Floats, units: Any, count: int, width: int, errors: Floats, rate: float
) -> None:
    """Move the rows that counted towards what was chosen, and back to the usual ones.

    All rows together move a merit by the rate times its error, however many they are.
    """
    size = 1.0
    for listed in range(count):
        size += units[1][listed] * units[1][listed]
    for listed in range(count):
        at = units[0][listed] * width
        step = rate / size * units[1][listed]
        for place in range(width):
            back = RETURN * (usual[at + place] - linear[at + place])
            linear[at + place] += step * errors[place] + back


@rule
def watch_deal(
    view: State,
    people: Row,
    minds: Any,
    desk: Any,
    room: Any,
    rate: float,
    heat: float,
    errors: Floats,
    stream: Row,
    told: Floats,
) -> None:
    """Learn from one deal as a seat has seen it."""
    mind, units, chances = minds[0], desk[PREDICTING], room[PROBABLE][0]
    world, replay = room[STACK][0], room[REPLAY][0]
    if count_all(view, room[PUZZLE][0]) <= 0.0:
        return
    room[STACK][0] = view
    draw_places(room[PUZZLE][0], room[FOUND], stream)
    settle(world, room[FOUND], stream)
    dealt(world, room[ORDER])
    room[REPLAY][0] = world
    match_around(world, room[MATCH][0])
    deal(replay, room[MATCH][0], room[ORDER])
    for turn in range(view.turn):
        event = int(world.history[turn])
        chosen, seat = choice_of(event), seat_of(event)
        choices = legal(replay)
        is_seen = choice_of(int(view.history[turn])) != HIDDEN and seat != view.viewer
        if is_seen and choices & choices - 1:
            person = people[seat]
            predict(replay, choices, mind, units, 0, heat, desk, chances)
            told[USUAL] -= log(max(chances[chosen], 1e-9))
            count = predict(replay, choices, mind, units, person, heat, desk, chances)
            told[CHOICES_SEEN] += 1
            told[SURPRISE] -= log(max(chances[chosen], 1e-9))
            told[FORESEEN] += is_likeliest(chances, choices, chosen)
            if person > 0 and rate > 0.0:
                errors_of(desk[VIEWS][0], choices, chosen, chances, desk, errors)
                width = mind[0][OUTPUTS]
                learn_rows(mind[2][person], mind[2][0], units, count, width, errors, rate)
        play(replay, chosen)


@rule
def is_likeliest(chances: Floats, choices: Choices, chosen: Choice) -> bool:
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        if chances[choice] > chances[chosen]:
            return False
    return True


@kernel
def watch_deals(
    views: Any,
    people: Any,
    minds: Any,
    desk: Any,
    room: Any,
    rate: float,
    heat: float,
    errors: Floats,
    stream: Row,
    told: Floats,
) -> None:
    """Learn from deals that are over, as their viewers saw them, one after the other.

    people[n, seat] is the linear part of who sat there; 0, people in general, is never changed.
    `told` grows by choices seen, how surprising they were, how surprising to the part of people
    in general, and how many had been foreseen.
    """
    for number in range(len(views)):
        watch_deal(
            views[number],
            people[number],
            minds,
            desk,
            room,
            rate,
            heat,
            errors,
            stream,
            told,
        )
