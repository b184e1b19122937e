"""Playing whole matches: the unit is a match replayed with the players rotated.

Deal number d of match number m is the same shuffle whoever sits there. A match is won by one side,
or shared; who wins it alone has a payoff of one, and all sides together have none.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from overtrick.arena.boards import MOST_TURNS, WON, Chunk, finish_together
from overtrick.engine.batches import score_all, winners_all
from overtrick.engine.dealing import deal_at_random
from overtrick.engine.playouts import choose_by
from overtrick.errors import BadBudget
from overtrick.games.game import (
    Game,
    Row,
    Variant,
    deck_size,
    is_over,
    match_winners,
    new_match,
    play,
    score,
)
from overtrick.jit import fork, kernel, stream
from overtrick.players import LevelPlayer, Player

__all__ = ["EVERY", "SHARED", "match_unit", "play_match_chunk"]

SHARED, EVERY = "shared", "every"  # who has won a match that several have won

Records = np.ndarray[Any, Any]
MOST_DEALS = 1 << 12  # of a match


@kernel
def begin_boards(matches: Any, parent: Row, first: int) -> None:
    """Begin match `first + n` in the n-th row, [matches, seatings]."""
    chance = np.empty(2, dtype=np.int64)
    for board in range(len(matches)):
        for number in range(matches.shape[1]):
            fork(parent, (first + board) * MOST_DEALS, chance)
            new_match(matches[board, number], chance)


@kernel
def deal_next(states: Any, matches: Any, boards: Row, parent: Row) -> None:
    """Deal the next deal of each match, by the number of its board and of the deal."""
    order = np.empty(deck_size(states[0]), dtype=np.int64)
    chance = np.empty(2, dtype=np.int64)
    for number in range(len(states)):
        deal_number = matches[number].deals
        fork(parent, boards[number] * MOST_DEALS + 1 + deal_number, chance)
        deal_at_random(states[number], matches[number], order, chance)


@kernel
def finish_matches(
    states: Any,
    matches: Any,
    seating: Any,
    levels: Row,
    deals: Row,
    parent: Row,
    first: int,
    made: Row,
) -> bool:
    """Play all matches, [matches, seatings], to their end by the levels of their players.

    `states` has a record for each seating; made[p] grows by the choices of player p. False if a
    match has not ended after MOST_DEALS deals.
    """
    order = np.empty(deck_size(states[0]), dtype=np.int64)
    chance = np.empty(2, dtype=np.int64)
    for board in range(len(matches)):
        for number in range(matches.shape[1]):
            match, state = matches[board, number], states[number]
            key = (first + board) * matches.shape[1] + number
            while match_winners(match) == 0:
                if match.deals >= MOST_DEALS - 2:
                    return False
                fork(deals, (first + board) * MOST_DEALS + 1 + match.deals, chance)
                deal_at_random(state, match, order, chance)
                turns = (key * MOST_DEALS + match.deals) * MOST_TURNS
                while not is_over(state):
                    player = seating[number, state.seat]
                    made[player] += 1
                    fork(parent, turns + state.turn, chance)
                    play(state, choose_by(state, levels[player], chance))
                score(match, state)
    return True


def play_match_chunk(
    game: Game,
    variant: Variant,
    players: Sequence[Player],
    seating: Records,
    *,
    seed: int,
    first: int,
    boards: int,
    room: Records | None = None,
    ties: str = SHARED,
) -> Chunk:
    """Play matches `first` to `first + boards - 1`, each once for every row of `seating`.

    A match that several win is a win shared by them, or one of each of them; payoffs are shared.

    Unlike `play_chunk` it keeps no finished deals, so it has no use for `room`.
    """
    rows = len(seating)
    matches = game.blank_matches(boards * rows, variant).reshape(boards, rows)
    deals, parent = stream(seed, "matches", game.name), stream(seed, "match choices", game.name)
    begin_boards(matches, deals, first)
    choices, seconds = np.zeros(len(players), dtype=np.int64), np.zeros(len(players))
    replaced = np.zeros_like(choices)
    levels = [player.level for player in players if isinstance(player, LevelPlayer)]
    if len(levels) == len(players):
        states = game.blank_states(rows, variant)
        begun, who = time.thread_time(), np.array(levels)
        if not finish_matches(states, matches, seating, who, deals, parent, first, choices):
            raise BadBudget(f"{game.name}: a match did not end within {MOST_DEALS} deals")
        seconds[:] = (time.thread_time() - begun) * choices / choices.sum()
    else:
        spent = (choices, seconds, replaced)
        _play_together(game, variant, matches, players, seating, first, deals, parent, spent)
    winners = np.zeros(boards * rows, dtype=np.int64)
    winners_all(matches.reshape(-1), winners)
    won = winners.reshape(boards, rows)[:, :, None] >> np.arange(game.seats) & 1
    wins = WON * won * _seats_a_side(game) // won.sum(axis=2, keepdims=True)
    results = wins * _sides(game) - WON
    wins = WON * won if ties == EVERY else wins
    none = game.blank_states(0, variant)
    return Chunk(first, results, wins, none, choices, seconds, replaced)


def _sides(game: Game) -> int:
    return len(set(game.teams)) if game.teams else game.seats


def _seats_a_side(game: Game) -> int:
    return game.seats // _sides(game)


def match_unit(game: Game) -> int:
    """What the payoff of a match is counted in: who wins alone has so much."""
    return WON * (_sides(game) - 1)


def _play_together(
    game: Game,
    variant: Variant,
    matches: Records,
    players: Sequence[Player],
    seating: Records,
    first: int,
    deals: Row,
    parent: Row,
    spent: tuple[Records, Records, Records],
) -> None:
    """Play matches side by side, deal by deal, by any players."""
    boards, rows = matches.shape
    flat = matches.reshape(-1)
    numbers = np.repeat(np.arange(first, first + boards), rows)
    seats = np.tile(seating, (boards, 1))
    keys = np.arange(first * rows, (first + boards) * rows)
    going = np.arange(boards * rows)
    while len(going):
        group = flat[going]
        if int(group["deals"].max()) >= MOST_DEALS - 2:
            raise BadBudget(f"{game.name}: a match did not end within {MOST_DEALS} deals")
        states = game.blank_states(len(going), variant)
        deal_next(states, group, numbers[going], deals)
        turns = keys[going] * MOST_DEALS + group["deals"]
        around = variant, group
        finish_together(game, states, players, seats[going], turns, parent, around, *spent)
        score_all(group, states)
        flat[going] = group
        winners = np.zeros(len(group), dtype=np.int64)
        winners_all(group, winners)
        going = going[winners == 0]
