"""Where every unseen card lies: exact chances, by counting.

The worlds of a view are counted from their end (`overtrick.engine.worlds`). Walked once from the
start, the same counts tell how many cards of each class go to each place on average over all
worlds; within a class all cards are alike, so each has the same share. No world is drawn but one
for each case, which shows whose hand the cards of a place go to.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overtrick.engine.worlds import check_ways, count_all, fill_places, new_puzzle
from overtrick.games.game import MAX_PLACES, Game, Row, State, deck_size, settle
from overtrick.jit import kernel, popcount, rule

__all__ = ["count_marginals", "held_in", "marginals", "weighted_marginals"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[np.float64]]


@rule
def add_case(puzzle: Any, case: int, share: float, reached: Any, chances: Any) -> None:
    """Add the chance of each card to lie in each place, [places, cards], times a share."""
    begin, end = puzzle.first_stage[case], puzzle.first_stage[case + 1]
    root = puzzle.root[case]
    for state in range(root, puzzle.states):
        reached[state] = 0.0
    reached[root] = 1.0
    first, after = root, root + 1
    for stage in range(begin, end):
        taken = 0.0
        furthest = after
        for state in range(first, after):
            if puzzle.state_ways[state] <= 0.0:
                continue
            for edge in range(puzzle.state_edge[state], puzzle.state_edge[state + 1]):
                chance = reached[state] * puzzle.edge_ways[edge] / puzzle.state_ways[state]
                target = puzzle.edge_state[edge]
                reached[target] += chance
                taken += chance * puzzle.edge_cards[edge]
        for state in range(first, after):
            for edge in range(puzzle.state_edge[state], puzzle.state_edge[state + 1]):
                furthest = max(furthest, puzzle.edge_state[edge] + 1)
        cards = puzzle.stage_cards[stage]
        each = share * taken / popcount(cards)
        place = puzzle.stage_place[stage]
        for card in range(chances.shape[1]):
            if cards >> card & 1:
                chances[place, card] += each
        first, after = after, furthest


@rule
def split_places(
    view: State, world: State, found: Row, kept: Row, chances: Any, out: Any, share: float
) -> None:
    """Give the chances of every place to the seats whose hands its cards have gone to."""
    seats = len(view.hands)
    for place in range(len(kept)):
        size = popcount(kept[place])
        if size == 0:
            continue
        for seat in range(seats):
            part = popcount(kept[place] & world.hands[seat] & ~view.hands[seat]) / size
            if part > 0.0:
                for card in range(out.shape[1]):
                    out[seat, card] += share * part * chances[place, card]


@kernel
def count_marginals(views: Any, puzzles: Any, worlds: Any, stream: Row, out: Any) -> float:
    """Write the chance that each seat holds each card, [seats, cards]; how many worlds there are.

    What is left to 1 lies in no hand.
    """
    view, puzzle = views[0], puzzles[0]
    ways = count_all(view, puzzle)
    if ways <= 0.0:
        return ways
    cards = deck_size(view)
    seats = len(view.hands)
    for seat in range(seats):
        for card in range(cards):
            out[seat, card] = view.hands[seat] >> card & 1
    reached = np.zeros(puzzle.states + 1)
    found = np.zeros(MAX_PLACES, dtype=np.int64)
    kept = np.zeros(MAX_PLACES, dtype=np.int64)
    before = 0.0
    for case in range(puzzle.cases):
        share = (puzzle.ways_up_to[case] - before) / ways
        before = puzzle.ways_up_to[case]
        if share <= 0.0:
            continue
        chances = np.zeros((MAX_PLACES, cards))
        add_case(puzzle, case, 1.0, reached, chances)
        fill_places(puzzle, case, found, stream)
        kept[:] = 0
        kept[: puzzle.count] = found[: puzzle.count]
        worlds[0] = view
        settle(worlds[0], found, stream)
        split_places(view, worlds[0], found, kept, chances, out, share)
    return ways


def marginals(game: Game, view: Records) -> Floats:
    """The chance that each seat holds each card now, [seats, cards], all worlds counting alike."""
    out = np.zeros((game.seats, len(game.deck)))
    room = np.zeros(1, dtype=game.state)
    check_ways(count_marginals(view, new_puzzle(), room, np.array([7, 11]), out))
    return out


def held_in(game: Game, worlds: Records) -> Floats:
    """Who holds what in whole deals, [worlds, seats, cards], as 0 or 1."""
    cards = np.arange(len(game.deck))
    held: Floats = (worlds["hands"][:, :, None] >> cards & 1).astype(np.float64)
    return held


def weighted_marginals(game: Game, worlds: Records, weights: Floats) -> Floats:
    """The chance that each seat holds each card, the worlds counting as they are weighed."""
    shares = weights / weights.sum()
    found: Floats = np.einsum("w,wsc->sc", shares, held_in(game, worlds))
    return found
