"""Playing boards: the same deals with the players rotated through the seats.

Board number b of a seed is always the same deal, and choice number t in it is made with the same
chance, whoever sits there, however many threads there are and wherever the boards are cut into
chunks. Players that run inside kernels (`LevelPlayer`) finish a chunk in one call; others choose
for all deals of a chunk together, choice by choice.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from overtrick.engine.batches import legal_all, payoffs_all, play_all
from overtrick.engine.dealing import deal_at_random
from overtrick.engine.playouts import ASKED, choose_by
from overtrick.engine.views import hide_all
from overtrick.errors import IllegalChoice
from overtrick.games.game import Game, Row, Variant, deck_size, is_over, new_match, payoffs, play
from overtrick.jit import fork, kernel, rule, stream
from overtrick.players import LevelPlayer, Player, sees_all, tell_match

__all__ = [
    "MOST_TURNS",
    "WON",
    "Chunk",
    "choose_together",
    "deals_of",
    "finish_together",
    "play_chunk",
    "play_until_asked",
]

Records = np.ndarray[Any, Any]
MOST_TURNS = 1 << 10  # choices of a deal: each has a stream of its own
WON = 60  # what a win counts, so that it can be shared by up to six and stay whole


@kernel
def deal_boards(states: Any, matches: Any, parent: Row, first: int) -> None:
    """Deal board `first + n` into the n-th row of states, [boards, deals of a board]."""
    order = np.empty(deck_size(states[0, 0]), dtype=np.int64)
    chance = np.empty(2, dtype=np.int64)
    for board in range(len(states)):
        fork(parent, first + board, chance)
        match = matches[board]
        new_match(match, chance)
        match.deals = first + board  # so that dealers and directions take turns
        deal_at_random(states[board, 0], match, order, chance)
        for copy in range(1, states.shape[1]):
            states[board, copy] = states[board, 0]


def deals_of(game: Game, variant: str, parent: Row, first: int, count: int) -> Records:
    """Deals `first` to `first + count - 1` of a stream, [count], under the house rules told."""
    rules = game.variant_of(variant or None)
    states, matches = game.blank_states(count, rules), game.blank_matches(count, rules)
    deal_boards(states.reshape(count, 1), matches, parent, first)
    return states


@kernel
def finish_boards(
    states: Any,
    seating: Any,
    levels: Row,
    parent: Row,
    first: int,
    results: Any,
    wins: Any,
    made: Row,
) -> None:
    """Finish all deals by the levels of their players; made[p] grows by the choices of player p."""
    chance = np.empty(2, dtype=np.int64)
    for board in range(len(states)):
        for number in range(states.shape[1]):
            state = states[board, number]
            key = ((first + board) * states.shape[1] + number) * MOST_TURNS
            while not is_over(state):
                player = seating[number, state.seat]
                made[player] += 1
                fork(parent, key + state.turn, chance)
                play(state, choose_by(state, levels[player], chance))
            payoffs(state, results[board, number])
            count_wins(results[board, number], wins[board, number])


@rule
def count_wins(won: Row, wins: Row) -> None:
    """WON for a payoff above zero, half of it for zero."""
    for seat in range(len(won)):
        wins[seat] = WON // 2 * ((won[seat] > 0) + (won[seat] >= 0))


@kernel
def choice_streams(keys: Row, turns: Row, parent: Row, streams: Any) -> None:
    """Write the stream of each choice, as `finish_boards` has it."""
    for number in range(len(keys)):
        fork(parent, keys[number] * MOST_TURNS + turns[number], streams[number])


@dataclass(frozen=True)
class Chunk:
    """What some boards came to."""

    first: int
    payoffs: Records  # [boards, deals of a board, seats] int64, in parts of a point
    wins: Records  # the same shape: WON for each win, half of it for a tie
    ends: Records  # [boards, deals of a board] finished records
    choices: Records  # [players] how many each made
    seconds: Records  # [players] how long that took
    replaced: Records  # [players] how many of them were made in its place


def play_chunk(
    game: Game,
    variant: Variant,
    players: Sequence[Player],
    seating: Records,
    *,
    seed: int,
    first: int,
    boards: int,
    room: Records | None = None,
) -> Chunk:
    """Play boards `first` to `first + boards - 1`; `seating` as `seatings` gives it.

    `room` may be the `ends` of another chunk of the same players, which are then overwritten.
    """
    deals = len(seating)
    if room is None or len(room) < boards:
        room = game.blank_states(boards * deals, variant).reshape(boards, deals)
    states = room[:boards]
    matches = game.blank_matches(boards, variant)
    deal_boards(states, matches, stream(seed, "boards", game.name), first)
    results = np.zeros((boards, deals, game.seats), dtype=np.int64)
    wins = np.zeros_like(results)
    choices, seconds = np.zeros(len(players), dtype=np.int64), np.zeros(len(players))
    replaced = np.zeros_like(choices)
    parent = stream(seed, "choices", game.name)
    levels = [player.level for player in players if isinstance(player, LevelPlayer)]
    if len(levels) == len(players):
        begun = time.thread_time()
        finish_boards(states, seating, np.array(levels), parent, first, results, wins, choices)
        seconds[:] = (time.thread_time() - begun) * choices / choices.sum()
    else:
        flat = states.reshape(-1)
        seats = np.tile(seating, (boards, 1))
        keys = np.arange(first * deals, (first + boards) * deals)
        around = variant, np.repeat(matches, deals)
        spent = choices, seconds, replaced
        finish_together(game, flat, players, seats, keys, parent, around, *spent)
        payoffs_all(flat, results.reshape(-1, game.seats))
        wins[:] = WON // 2 * (1 + np.sign(results))
    return Chunk(first, results, wins, states, choices, seconds, replaced)


def finish_together(
    game: Game,
    states: Records,
    players: Sequence[Player],
    seats: Records,
    keys: Records,
    parent: Row,
    around: tuple[Variant, Records],
    choices: Records,
    seconds: Records,
    replaced: Records,
) -> None:
    """Finish deals choice by choice; each player chooses for all deals in which it is to act.

    `around` are the house rules and the match of each deal. What each player did is added to
    `choices`, `seconds` and `replaced`.
    """
    variant, matches = around
    spent = choices, seconds, replaced
    going = np.arange(len(states))
    while len(going):
        group = states[going]
        here = variant, matches[going]
        choose_together(game, group, players, seats[going], keys[going], parent, here, *spent)
        states[going] = group
        going = going[group["phase"] >= 0]


def choose_together(
    game: Game,
    states: Records,
    players: Sequence[Player],
    seats: Records,
    keys: Records,
    parent: Row,
    around: tuple[Variant, Records],
    choices: Records,
    seconds: Records,
    replaced: Records,
) -> None:
    """Make one choice in each of these deals, none of which is over; else as the above."""
    variant, matches = around
    acting = states["seat"].astype(np.int64)
    who = seats[np.arange(len(states)), acting]
    chosen = np.zeros(len(states), dtype=np.int64)
    for number in np.unique(who):
        player = players[number]
        mine = np.flatnonzero(who == number)
        views = states[mine]
        chance = np.empty((len(mine), 2), dtype=np.int64)
        choice_streams(keys[mine], views["turn"].copy(), parent, chance)
        if not sees_all(player):
            hide_all(views, acting[mine])
        tell_match(player, variant, matches[mine])
        before = getattr(player, "replaced", 0)
        begun = time.perf_counter()
        chosen[mine] = player.choose(views, chance)
        replaced[number] += getattr(player, "replaced", 0) - before
        seconds[number] += time.perf_counter() - begun
        choices[number] += len(mine)
        _check_legal(game, player, states[mine], chosen[mine])
    play_all(states, chosen)


@kernel
def play_until_asked(state: Any, levels: Row, first: int, parent: Row) -> None:
    """Play a deal, [1], on by the levels of its seats, until it is over or one is ASKED.

    Choice number t has the stream first + t of the parent.
    """
    chance = np.empty(2, dtype=np.int64)
    while not is_over(state[0]) and levels[state[0].seat] != ASKED:
        fork(parent, first + state[0].turn, chance)
        play(state[0], choose_by(state[0], levels[state[0].seat], chance))


def _check_legal(game: Game, player: Player, states: Records, chosen: Records) -> None:
    legals = np.zeros(len(states), dtype=np.int64)
    legal_all(states, legals)
    wrong = np.flatnonzero((legals >> chosen & 1 == 0) | (chosen < 0) | (chosen > 62))
    if len(wrong):
        state = states[wrong[0]]
        phase = game.phases[int(state["phase"])]
        raise IllegalChoice(
            f"{game.name}: {player.name} chose {chosen[wrong[0]]} to {phase} in seat "
            f"{state['seat']}, which is not legal"
        )
