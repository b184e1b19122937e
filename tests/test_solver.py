"""The exact solver of deals with two sides, against plain minimax, DDS and colver.

DDS, by Haglund and Hein, is the solver that bridge players use; it is called through endplay. The
play of Hokm is whist, as bridge's is, so with all thirteen tricks played both count the same
tricks. colver solves Coinche by the French federation's rules, which our defaults follow.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import colver
import numpy as np
import pytest
from endplay.dds import solve_board
from endplay.types import Deal as BridgeDeal
from endplay.types import Denom, Player

from conftest import legals_of
from endings import cards_left, coinche_contract, random_endings
from overtrick.cards import FRENCH_52, each
from overtrick.engine.batches import payoffs_all, play_all
from overtrick.engine.deals import Deal
from overtrick.errors import BadBudget, DealOver, Unsolvable
from overtrick.games import load_game
from overtrick.games.game import OVER, Game, is_over, legal, payoffs, play
from overtrick.games.solving import gained, sides
from overtrick.jit import COMPILED, kernel, lowest, rule
from overtrick.search.solver import (
    Solver,
    gains_all,
    new_frames,
    new_memory,
    new_stack,
    reach_all,
    sides_all,
)

HOKM, COINCHE, WHIST = load_game("hokm"), load_game("coinche"), load_game("whist3x3")
Records = np.ndarray[Any, Any]

ALL_TRICKS = "stop_at_seven=false"
HOKM_RULES = ("", ALL_TRICKS, "kot_points=3,hakem_kot_points=3")
COINCHE_RULES = (
    "",
    "undertrump=must",
    "partner_ruff=no_underruff",
    "undertrump=must,partner_ruff=no_underruff,belote=off,coinche_fail=bid,surcoinche_mult=3",
)


# ---------------------------------------------------------------------------- plain minimax


UNBOUNDED = 1 << 40


@rule
def worth_to(state: Any, side: int, of_gains: int, won: Any) -> int:
    """What a side gets of a deal that is over: gains of kind 0, or payoff."""
    if of_gains:
        return gained(state, 0)
    payoffs(state, won)
    return won[lowest(side)]


@rule
def minimax(stack: Any, side: int, of_gains: int, rows: Any, won: Any) -> int:
    """What the side gets of stack[0] when every line is played.

    Lines are left out only where nothing between low and high can come of them. There is no
    recursion here: Numba's kernels do not survive the cache with it.
    """
    rest, low, high = rows[0], rows[1], rows[2]
    rest[0], low[0], high[0] = legal(stack[0]), -UNBOUNDED, UNBOUNDED
    depth = 0
    while True:
        if rest[depth] and low[depth] < high[depth]:
            stack[depth + 1] = stack[depth]
            play(stack[depth + 1], lowest(rest[depth]))
            rest[depth] &= rest[depth] - 1
            depth += 1
            low[depth], high[depth] = low[depth - 1], high[depth - 1]
            rest[depth] = 0 if is_over(stack[depth]) else legal(stack[depth])
            continue
        if is_over(stack[depth]):
            value = worth_to(stack[depth], side, of_gains, won)
        else:
            value = low[depth] if side >> stack[depth].seat & 1 else high[depth]
        if depth == 0:
            return value
        depth -= 1
        if side >> stack[depth].seat & 1:
            low[depth] = max(low[depth], value)
        else:
            high[depth] = min(high[depth], value)


@kernel
def minimax_all(states: Any, stack: Any, of_gains: int, results: Any) -> None:
    won = np.zeros(len(states[0].hands), dtype=np.int64)
    rows = np.zeros((3, len(stack)), dtype=np.int64)
    for number in range(len(states)):
        stack[0] = states[number]
        results[number] = minimax(stack, sides(states[number]), of_gains, rows, won)


def by_minimax(game: Game, states: Records, *, of_gains: bool) -> Records:
    results = np.zeros(len(states), dtype=np.int64)
    minimax_all(states, new_stack(game), int(of_gains), results)
    return results


# ---------------------------------------------------------------------------- by the solver


def solved_payoffs(game: Game, states: Records, size: int = 1 << 16) -> Records:
    """The payoff of the first seat of the side of each deal."""
    solved = Solver(game, size=size).payoffs(states)
    assert not solved.sum(axis=1).any()
    side = np.zeros(len(states), dtype=np.int64)
    sides_all(states, side)
    return solved[np.arange(len(states)), np.where(side & 1, 0, 1)]


def solved_gains(game: Game, states: Records, size: int = 1 << 16) -> Records:
    results = np.zeros(len(states), dtype=np.int64)
    gains_all(states, 0, new_stack(game), new_memory(size), new_frames(game), results)
    return results


def hokm_endings(count: int, seed: int, rules: str, most: int = 16) -> Records:
    wanted = np.random.default_rng(seed).integers(1, most + 1, count)
    return random_endings(HOKM, wanted, seed, rules)


def coinche_endings(count: int, seed: int, rules: str, most: int = 16) -> Records:
    wanted = np.random.default_rng(seed).integers(1, most + 1, count)
    return random_endings(COINCHE, wanted, seed, rules, coinche_contract)


def kot_endings(count: int, seed: int, rules: str) -> Records:
    """Seven tricks to go and one team without any: the next trick makes a kot or ends the hope."""
    states = random_endings(HOKM, np.full(count, 28), seed, ALL_TRICKS)
    for name, value in HOKM.variant_of(rules).pack().items():
        if name in (states.dtype.names or ()):
            states[name] = value
    states["tricks"] = [[6, 0], [0, 6]] * (count // 2)
    states["winner"] = -1
    return states


# ---------------------------------------------------------------------------- against minimax

COUNT = 2000 if COMPILED else 2
needs_the_compiler = pytest.mark.skipif(not COMPILED, reason="takes too long without the compiler")


@pytest.mark.parametrize("rules", HOKM_RULES)
def test_hokm_endings_are_worth_what_minimax_says(rules: str) -> None:
    states = hokm_endings(COUNT, 1, rules)
    expected = by_minimax(HOKM, states, of_gains=False)
    assert np.array_equal(solved_payoffs(HOKM, states), expected)
    assert not COMPILED or {1, -1} <= {int(value) for value in expected}


@pytest.mark.parametrize("rules", HOKM_RULES)
def test_hokm_endings_give_as_many_tricks_as_minimax_says(rules: str) -> None:
    states = hokm_endings(COUNT, 2, rules)
    assert np.array_equal(solved_gains(HOKM, states), by_minimax(HOKM, states, of_gains=True))


@needs_the_compiler
def test_a_kot_is_made_or_avoided_as_minimax_says() -> None:
    rules = "kot_points=5,hakem_kot_points=3"
    states = kot_endings(20, 3, rules)
    expected = by_minimax(HOKM, states, of_gains=False)
    assert {1, 3, 5} == {abs(int(value)) for value in expected}
    assert np.array_equal(solved_payoffs(HOKM, states), expected)
    played_on = kot_endings(20, 3, f"{rules},{ALL_TRICKS}")
    assert np.array_equal(solved_payoffs(HOKM, played_on), expected)


@pytest.mark.parametrize("rules", COINCHE_RULES)
def test_coinche_contracts_are_made_where_minimax_makes_them(rules: str) -> None:
    states = coinche_endings(COUNT, 4, rules)
    expected = by_minimax(COINCHE, states, of_gains=False)
    assert np.array_equal(solved_payoffs(COINCHE, states), expected)
    assert not COMPILED or {1, -1} == {int(np.sign(value)) for value in expected}


@pytest.mark.parametrize("rules", COINCHE_RULES)
def test_coinche_attackers_get_the_points_that_minimax_gives_them(rules: str) -> None:
    states = coinche_endings(COUNT, 5, rules)
    expected = by_minimax(COINCHE, states, of_gains=True)
    assert np.array_equal(solved_gains(COINCHE, states), expected)


def test_a_capot_is_made_where_minimax_makes_it() -> None:
    states = coinche_endings(COUNT, 6, "")
    states["bid"] = 37 + (states["bid"] - 1) % 4
    states["tricks"] = 0
    team = states["bidder"] & 1
    taken = 8 - (cards_left(states) + np.bitwise_count(states["table"])) // 4
    states["tricks"][np.arange(len(states)), team] = taken
    expected = by_minimax(COINCHE, states, of_gains=False)
    assert np.array_equal(solved_payoffs(COINCHE, states), expected)
    assert not COMPILED or {1, -1} == {int(np.sign(value)) for value in expected}


def test_whole_deals_of_the_smallest_whist_are_worth_what_minimax_says() -> None:
    states = random_endings(WHIST, np.full(COUNT, 6), 7)
    expected = by_minimax(WHIST, states, of_gains=False)
    assert np.array_equal(solved_payoffs(WHIST, states), expected)


# ---------------------------------------------------------------------------- the other answers


@pytest.mark.parametrize("name", ["hokm", "coinche"])
def test_every_choice_is_worth_what_the_deal_after_it_is(name: str) -> None:
    game = load_game(name)
    endings = hokm_endings if name == "hokm" else coinche_endings
    states = endings(COUNT // 20 or 2, 8, "")
    solver, legals = Solver(game, size=1 << 12), legals_of(states)
    for number in range(len(states)):
        deal = states[number : number + 1]
        by_payoff, by_gains = solver.choices(deal), solver.gains(deal)
        assert set(np.flatnonzero(by_gains >= 0)) == set(each(int(legals[number])))
        for choice in each(int(legals[number])):
            after = deal.copy()
            play_all(after, np.array([choice]))
            assert by_payoff[choice].tolist() == worth(game, solver, after)
            assert by_gains[choice] == solved_gains(game, after)[0]


def worth(game: Game, solver: Solver, deal: Records) -> list[int]:
    """The payoffs of one deal, which may be over."""
    results = np.zeros((1, game.seats), dtype=np.int64)
    payoffs_all(deal, results)
    solved: Records = results[0] if deal["phase"][0] == OVER else solver.payoffs(deal)[0]
    return [int(payoff) for payoff in solved]


def test_the_hakem_chooses_the_trump_that_minimax_chooses() -> None:
    states = random_endings(HOKM, np.full(COUNT // 10 or 2, 12), 9, ALL_TRICKS)
    states["phase"] = 0
    states["trumps"] = 0
    states["hakem"] = states["seat"]
    assert np.array_equal(solved_payoffs(HOKM, states), by_minimax(HOKM, states, of_gains=False))
    assert np.array_equal(solved_gains(HOKM, states), by_minimax(HOKM, states, of_gains=True))


def test_a_goal_is_reached_exactly_up_to_the_gains() -> None:
    states = coinche_endings(COUNT // 10 or 2, 10, "")
    gains = solved_gains(COINCHE, states)
    room = (new_stack(COINCHE), new_memory(1 << 12), new_frames(COINCHE))
    for target in (20, 60, 81, 120):
        reached = np.zeros(len(states), dtype=np.int64)
        reach_all(states, 0, target, *room, reached)
        assert np.array_equal(reached == 1, gains >= target)


# ---------------------------------------------------------------------------- the memory


@pytest.mark.parametrize("size", [2, 64])
def test_a_tiny_memory_gives_the_same_answers(size: int) -> None:
    for game, endings in ((HOKM, hokm_endings), (COINCHE, coinche_endings)):
        states = endings(COUNT // 10 or 2, 11, "", most=20 if COMPILED else 8)
        assert np.array_equal(solved_gains(game, states, size), solved_gains(game, states))
        assert np.array_equal(solved_payoffs(game, states, size), solved_payoffs(game, states))


def test_a_memory_serves_deals_of_all_house_rules() -> None:
    shared = Solver(COINCHE, size=1 << 16)
    for rules in COINCHE_RULES:
        states = coinche_endings(COUNT // 10 or 2, 12, rules)
        assert np.array_equal(shared.payoffs(states), Solver(COINCHE).payoffs(states))
    shared = Solver(HOKM, size=1 << 16)
    for rules in HOKM_RULES:
        states = hokm_endings(COUNT // 10 or 2, 13, rules)
        assert np.array_equal(shared.payoffs(states), Solver(HOKM).payoffs(states))
        for state in states[:20]:
            deal = np.array([state], dtype=HOKM.state)
            assert np.array_equal(shared.gains(deal), Solver(HOKM, size=64).gains(deal))


# ---------------------------------------------------------------------------- DDS

BRIDGE_SEATS = (Player.north, Player.east, Player.south, Player.west)
BRIDGE_SUITS = {
    "S": Denom.spades,
    "H": Denom.hearts,
    "D": Denom.diamonds,
    "C": Denom.clubs,
}


def bridge_deal(state: Any) -> BridgeDeal:
    """The same position at a bridge table, the cards on the table played there."""
    on_table = int(state["table"]).bit_count()
    events = [int(event) for event in state["history"][: state["turn"]]]
    trick = [(event >> 6 & 7, event & 63) for event in events[len(events) - on_table :]]
    hands = [int(hand) for hand in state["hands"]]
    for seat, card in trick:
        hands[seat] |= 1 << card
    texts = []
    for hand in hands:
        names = [FRENCH_52.names[card] for card in each(hand)]
        suits = [[name[0] for name in names if name[1] == suit] for suit in "SHDC"]
        texts.append(".".join("".join(ranks) for ranks in suits))
    deal = BridgeDeal("N:" + " ".join(texts))
    deal.trump = BRIDGE_SUITS[FRENCH_52.names[lowest(int(state["trumps"]))][1]]
    deal.first = BRIDGE_SEATS[int(state["leader"])]
    for _, card in trick:
        rank, suit = FRENCH_52.names[card]
        deal.play(suit + rank)
    return deal


def tricks_by_dds(state: Any) -> int:
    """What team 0 will have of thirteen tricks."""
    best = max(tricks for _, tricks in solve_board(bridge_deal(state)))
    taken = [int(tricks) for tricks in state["tricks"]]
    if int(state["seat"]) & 1 == 0:
        return taken[0] + best
    return 13 - taken[1] - best


@needs_the_compiler
def test_hokm_endings_of_eight_tricks_give_the_tricks_that_dds_counts() -> None:
    wanted = np.random.default_rng(20).integers(16, 33, 500)
    states = random_endings(HOKM, wanted, 20, ALL_TRICKS)
    assert solved_gains(HOKM, states).tolist() == [tricks_by_dds(state) for state in states]


def agree_with_dds_on_whole_deals(count: int, seed: int) -> None:
    states = random_endings(HOKM, np.full(count, 52), seed, ALL_TRICKS)
    expected = [tricks_by_dds(state) for state in states]
    assert solved_gains(HOKM, states, 1 << 20).tolist() == expected
    won = solved_payoffs(HOKM, states, 1 << 20) > 0
    assert won.tolist() == [tricks >= 7 for tricks in expected]


@needs_the_compiler
def test_whole_deals_of_hokm_give_the_tricks_that_dds_counts() -> None:
    agree_with_dds_on_whole_deals(2, seed=21)


@pytest.mark.long
def test_twenty_whole_deals_of_hokm_give_the_tricks_that_dds_counts() -> None:
    agree_with_dds_on_whole_deals(20, seed=22)


# ---------------------------------------------------------------------------- colver

CAPOT_POINTS, DEAL_POINTS = 252, 162


def colver_env(state: Any) -> colver.Env:
    """The same position in colver: its deal, auction and plays."""
    dealt = [list(each(int(hand))) for hand in state["hands"] | state["played"]]
    env = colver.Env.deal_with_hands(int(state["dealer"]), dealt)
    for event in state["history"][: state["turn"]]:
        env.step(int(event) & 63)
    return env


def attackers_points(state: Any, north_south: int) -> int:
    """The attackers' card points by those of North and South, a capot counted as 162."""
    points = DEAL_POINTS if north_south == CAPOT_POINTS else north_south
    return points if int(state["bidder"]) & 1 == 0 else DEAL_POINTS - points


def agree_with_colver(states: Records) -> None:
    """Exact card points after every card, and whether the contract is made."""
    solver = Solver(COINCHE)
    for state in states:
        deal = np.array([state], dtype=COINCHE.state)
        gains, won = solver.gains(deal), solver.choices(deal)
        solved = colver_env(state).solve_scores()
        expected = {card: attackers_points(state, points) for card, points in solved["scores"]}
        assert {int(card): int(gains[card]) for card in np.flatnonzero(gains >= 0)} == expected
        attacker = int(state["bidder"])
        made = {card for card, is_made in solved["contract_made"] if is_made}
        assert {card for card in expected if won[card, attacker] > 0} == made


@needs_the_compiler
def test_coinche_endings_give_the_points_that_colver_counts() -> None:
    agree_with_colver(coinche_endings(300, 30, "", most=24))


@needs_the_compiler
def test_whole_deals_of_coinche_give_the_points_that_colver_counts() -> None:
    agree_with_colver(random_endings(COINCHE, np.full(10, 32), 31, "", coinche_contract))


@pytest.mark.long
def test_two_hundred_whole_deals_of_coinche_give_the_points_that_colver_counts() -> None:
    agree_with_colver(random_endings(COINCHE, np.full(200, 32), 32, "", coinche_contract))


# ---------------------------------------------------------------------------- refusals


def test_a_deal_that_is_over_is_refused() -> None:
    states = hokm_endings(1, 40, ALL_TRICKS, most=1)
    play_all(states, np.log2(legals_of(states)).astype(np.int64))
    with pytest.raises(DealOver, match="nothing left to solve"):
        Solver(HOKM).payoffs(states)


def test_an_auction_is_refused() -> None:
    with pytest.raises(Unsolvable, match="in the phase bid the deal has no two sides"):
        Solver(COINCHE).payoffs(Deal.from_seed(COINCHE, 1).records)


def test_the_view_of_a_seat_is_refused() -> None:
    view = Deal.from_seed(HOKM, 1).view(0)
    with pytest.raises(Unsolvable, match="not the view of a seat"):
        Solver(HOKM).choices(view.records)


def test_records_of_another_game_are_refused() -> None:
    with pytest.raises(Unsolvable, match="records of its own game"):
        Solver(HOKM).payoffs(Deal.from_seed(COINCHE, 1).records)


def test_choices_are_told_of_one_deal_at_a_time() -> None:
    with pytest.raises(BadBudget, match="one deal was expected, not 2"):
        Solver(HOKM).gains(hokm_endings(2, 41, ALL_TRICKS))


@pytest.mark.parametrize("size", [0, 1, 3, 100])
def test_a_memory_has_a_power_of_two_of_entries(size: int) -> None:
    with pytest.raises(BadBudget, match="power of two"):
        new_memory(size)


# ---------------------------------------------------------------------------- without the compiler


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="this is the interpreted run")
def test_the_solver_is_right_without_the_compiler_too() -> None:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", "minimax", __file__],
        env=environment | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr
