"""Endings solved exactly: Snapszer and Sheephead by sides, Nola and Hearts by max^n.

Every answer is compared with that of `try_everything`, which plays all lines to the end, remembers
nothing and takes no two cards as alike. Endings come from random playouts stopped at a random
late point.
"""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overtrick
from conftest import Records, dealt_at_random, finished, legals_of, random_matches, random_variant
from overtrick.engine.batches import play_all
from overtrick.games import load_game
from overtrick.games.game import HIDDEN, NOBODY, OVER, Game, Variant, is_over, legal, payoffs, play
from overtrick.games.hearts import rules as hearts
from overtrick.games.sheephead import rules as sheephead
from overtrick.games.solving import gained, rungs, sides, to_gain
from overtrick.jit import COMPILED, kernel, lowest, rule
from overtrick.search import maxn, solver
from overtrick.search.thinking import MOST_CHOICES

Filter = Callable[[Records], Any]

BATCH = 100
TINY, LARGE = 64, 1 << 16
NOTHING = -(1 << 40)
GAMES = ("snapszer", "sheephead", "hearts")


# ---------------------------------------------------------------------------- trying everything


@kernel
def try_everything(states: Any, stack: Any, left: Any, best: Any, results: Any) -> None:
    """The payoffs when every seat takes what pays it most, the lowest choice of several.

    Where there are sides, what pays a seat best pays its whole side best.
    """
    for number in range(len(states)):
        stack[0] = states[number]
        open_node(stack[0], 0, left, best)
        depth = 0
        while depth > 0 or left[0]:
            if left[depth]:
                stack[depth + 1] = stack[depth]
                play(stack[depth + 1], lowest(left[depth]))
                left[depth] &= left[depth] - 1
                depth += 1
                open_node(stack[depth], depth, left, best)
            else:
                depth -= 1
                seat = stack[depth].seat
                if best[depth + 1, seat] > best[depth, seat]:
                    for each in range(best.shape[1]):
                        best[depth, each] = best[depth + 1, each]
        for each in range(best.shape[1]):
            results[number, each] = best[0, each]


@rule
def open_node(state: Any, depth: int, left: Any, best: Any) -> None:
    """All legal choices are left to be tried; a deal that is over is worth its payoffs."""
    left[depth] = 0
    if is_over(state):
        payoffs(state, best[depth])
    else:
        left[depth] = legal(state)
        best[depth, state.seat] = NOTHING


def worth_of(game: Game, states: Records) -> Records:
    """The payoffs of every deal, by trying everything."""
    room = game.longest + 1
    results = np.zeros((len(states), game.seats), dtype=np.int64)
    left, best = np.zeros(room, dtype=np.int64), np.zeros((room, game.seats), dtype=np.int64)
    try_everything(states, np.zeros(room, dtype=game.state), left, best, results)
    return results


def solved(game: Game, states: Records, size: int = LARGE) -> Records:
    """The payoffs of every deal with sides, by the exact solver."""
    stack = np.zeros(game.longest + 1, dtype=game.state)
    results = np.zeros((len(states), game.seats), dtype=np.int64)
    frames = solver.new_frames(game)
    solver.solve_all(states, stack, solver.new_memory(size), frames, results)
    return results


def solved_each(game: Game, states: Records, size: int = LARGE) -> Records:
    """The payoffs of every deal without sides, by max^n."""
    stack = np.zeros(game.longest + 1, dtype=game.state)
    results = np.zeros((len(states), game.seats), dtype=np.int64)
    maxn.solve_each_all(states, stack, maxn.new_nodes(game), maxn.new_memory(game, size), results)
    return results


# ---------------------------------------------------------------------------- endings


def endings(
    game: Game, variant: Variant, seed: int, is_late: Filter, count: int, deals: int
) -> Records:
    """`count` positions that `is_late` lets pass, one a deal, out of so many random deals."""
    now = dealt_at_random(game, variant, random_matches(game, variant, deals, seed), seed)
    ends, _ = finished(now, seed)
    rng = np.random.default_rng(seed)
    kept, seen = now.copy(), np.zeros(deals)
    for turn in range(int(ends["turn"].max())):
        late = is_late(now) & (now["phase"] != OVER)
        seen += late
        taken = late & (rng.random(deals) * seen < 1)
        kept[taken] = now[taken]
        going = np.flatnonzero(ends["turn"] > turn)
        group = now[going]
        play_all(group, (ends["history"][going, turn] & HIDDEN).astype(np.int64))
        now[going] = group
    found = kept[seen > 0][:count]
    assert len(found) == count, f"{len(found)} endings of {count}"
    return found


def cards_left(states: Records) -> Records:
    """The cards in the fullest hand of every deal."""
    return np.bitwise_count(states["hands"]).max(axis=1)


def assert_same(game: Game, states: Records, found: Records, expected: Records) -> None:
    """Fail with the first deal that is solved wrongly."""
    wrong = np.flatnonzero((found != expected).any(axis=1))
    if len(wrong):
        one = states[wrong[0]]
        told = dict(zip(one.dtype.names, one.item(), strict=True))
        raise AssertionError(
            f"{game.name}: {len(wrong)} of {len(states)} wrong; found {found[wrong[0]]}, "
            f"expected {expected[wrong[0]]} in {told}"
        )


# ---------------------------------------------------------------------------- Snapszer

SNAPSZER: dict[str, Filter] = {
    "closed": lambda s: s["closer"] != NOBODY,
    "exhausted": lambda s: s["left"] == 0,
    "open": lambda s: (s["is_open"] == 1) & (s["left"] == 2),
}


def snapszer_variants() -> list[Variant]:
    """Every way to exchange, to close and to count a closing."""
    return [
        load_game("snapszer").variant(
            exchange=exchange,
            exchange_min_talon=exchange_from,
            close_min_talon=close_from,
            close_success_basis=basis,
        )
        for exchange, exchange_from, close_from, basis in itertools.product(
            ("auto", "action"), (2, 4), (2, 4), ("final", "at_close")
        )
    ]


def snapszer_endings(talon: str) -> Records:
    game = load_game("snapszer")
    count = BATCH * 21 // 50
    return np.concatenate(
        [
            endings(game, variant, seed, SNAPSZER[talon], count, 20 * count)
            for seed, variant in enumerate(snapszer_variants())
        ]
    )


@pytest.mark.parametrize("talon", SNAPSZER)
def test_a_snapszer_ending_is_worth_what_trying_everything_finds(talon: str) -> None:
    game, states = load_game("snapszer"), snapszer_endings(talon)
    expected = worth_of(game, states)
    assert_same(game, states, solved(game, states), expected)
    assert_same(game, states, solved(game, states, TINY), expected)


# ---------------------------------------------------------------------------- Sheephead


def in_play(states: Records, tricks: int) -> Any:
    """Whether a hand of Sheephead is in its last tricks."""
    return (states["phase"] == sheephead.PLAY) & (cards_left(states) <= tricks)


def has_partner(states: Records) -> Any:
    """Whether somebody other than the picker has the called card, or has played it."""
    theirs = (states["hands"] | states["played"]) & states["called"][:, np.newaxis] != 0
    theirs[np.arange(len(states)), states["picker"]] = False
    return theirs.any(axis=1)


def is_nola(states: Records) -> Any:
    """Whether a hand is in the last tricks of Nola."""
    return (states["picker"] == NOBODY) & in_play(states, 4)


SHEEPHEAD: dict[str, Filter] = {
    "with a partner": lambda s: (s["picker"] != NOBODY) & in_play(s, 3) & has_partner(s),
    "alone": lambda s: (s["picker"] != NOBODY) & in_play(s, 3) & ~has_partner(s),
    "the called suit pending": lambda s: (s["pending"] != 0) & in_play(s, 4),
    "an unknown card lying": lambda s: (s["lies"] == 1) & in_play(s, 4),
}
OFTEN, RARE = 10 * BATCH, 60 * BATCH  # deals that hold BATCH endings of a kind


def sheephead_endings(kind: Filter, deals: int, all_pass: str = "redeal") -> Records:
    """Endings under four house rules out of so many deals; every other hand counts double."""
    game, parts = load_game("sheephead"), []
    for seed, (obligations, zero_tier) in enumerate(
        itertools.product(("standard", "free"), ("tricks", "points"))
    ):
        variant = game.variant(
            all_pass=all_pass,
            called_obligations=obligations,
            zero_tier=zero_tier,
            allow_self_call=seed % 2 == 1,
        )
        parts.append(endings(game, variant, seed, kind, BATCH, deals))
        parts[-1]["multiplier"] = 1 + np.arange(BATCH) % 2
    return np.concatenate(parts)


@pytest.mark.parametrize("kind", SHEEPHEAD)
def test_a_sheephead_ending_is_worth_what_trying_everything_finds(kind: str) -> None:
    game = load_game("sheephead")
    states = sheephead_endings(SHEEPHEAD[kind], RARE if "unknown" in kind else OFTEN)
    expected = worth_of(game, states)
    assert_same(game, states, solved(game, states), expected)
    assert_same(game, states, solved(game, states, TINY), expected)


def test_a_nola_ending_is_worth_what_trying_everything_finds() -> None:
    game = load_game("sheephead")
    states = sheephead_endings(is_nola, RARE, all_pass="nola")
    expected = worth_of(game, states)
    assert_same(game, states, solved_each(game, states), expected)
    assert_same(game, states, solved_each(game, states, TINY), expected)


# ---------------------------------------------------------------------------- Hearts


def in_last(states: Records, tricks: int) -> Any:
    """Whether a deal of Hearts is in its last tricks."""
    return (states["phase"] == hearts.PLAY) & (cards_left(states) <= tricks)


def has_points(states: Records) -> Any:
    """How many seats have taken points."""
    return (states["points"] > 0).sum(axis=1)


HEARTS: dict[str, Filter] = {
    "the moon out of reach": lambda s: (has_points(s) > 1) & in_last(s, 4),
    "the moon in reach": lambda s: (has_points(s) <= 1) & in_last(s, 4),
    "five tricks left": lambda s: (np.bitwise_count(s["table"]) > 1) & (cards_left(s) == 5),
}


def hearts_endings(kind: str) -> Records:
    """Endings under every rule that tells what may be led, and when a deal stops."""
    game, parts = load_game("hearts"), []
    for seed, (breaks, queen, instead, stops) in enumerate(
        itertools.product((True, False), repeat=4)
    ):
        variant = game.variant(
            must_break_hearts=breaks,
            qs_breaks_hearts=queen,
            hearts_instead_of_forced_qs=instead,
            stop_when_decided=stops,
        )
        count = 1 if kind == "five tricks left" else BATCH * 5 // 8
        parts.append(endings(game, variant, seed, HEARTS[kind], count, 20 * count))
    return np.concatenate(parts)


@pytest.mark.parametrize("kind", HEARTS)
def test_a_hearts_ending_is_worth_what_trying_everything_finds(kind: str) -> None:
    game, states = load_game("hearts"), hearts_endings(kind)
    expected = worth_of(game, states)
    assert_same(game, states, solved_each(game, states), expected)
    assert_same(game, states, solved_each(game, states, TINY), expected)


@pytest.mark.parametrize("name", ["hearts", "sheephead"])
def test_every_choice_is_worth_what_follows_it(name: str) -> None:
    game = load_game(name)
    kind = is_nola if name == "sheephead" else HEARTS["the moon in reach"]
    states = endings(game, game.variant(), 5, kind, BATCH // 2, RARE // 2)
    stack = np.zeros(game.longest + 1, dtype=game.state)
    found = np.zeros((len(states), MOST_CHOICES, game.seats), dtype=np.int64)
    memory = maxn.new_memory(game, LARGE)
    maxn.solve_choices_all(states, stack, maxn.new_nodes(game), memory, found)
    legals = legals_of(states)
    for choice in range(len(game.deck)):
        those = np.flatnonzero(legals >> choice & 1)
        after = states[those]
        play_all(after, np.full(len(after), choice))
        assert_same(game, after, found[those, choice], worth_of(game, after))


# ---------------------------------------------------------------------------- gains

KINDS = 6


@kernel
def gains_all(states: Any, solvable: Any, sure: Any, most: Any) -> None:
    """What is gained of each kind, and what can be at most: [states, kinds], else 0."""
    for number in range(len(states)):
        state = states[number]
        solvable[number] = rungs(state) > 0
        kinds = rungs(state) if sides(state) else len(state.hands)
        if solvable[number]:
            for kind in range(kinds):
                sure[number, kind] = gained(state, kind)
                most[number, kind] = sure[number, kind] + to_gain(state, kind)


def played_through(game: Game, seed: int, deals: int) -> Iterator[Records]:
    """Random deals under random house rules, after each choice."""
    variant = random_variant(game, random.Random(seed))
    now = dealt_at_random(game, variant, random_matches(game, variant, deals, seed), seed)
    ends, _ = finished(now, seed)
    yield now
    for turn in range(int(ends["turn"].max())):
        going = np.flatnonzero(ends["turn"] > turn)
        group = now[going]
        play_all(group, (ends["history"][going, turn] & HIDDEN).astype(np.int64))
        now[going] = group
        yield now


@pytest.mark.parametrize("name", GAMES)
def test_what_is_gained_never_falls_and_what_can_be_gained_never_rises(name: str) -> None:
    game = load_game(name)
    for seed in range(4):
        known = np.zeros(3 * BATCH, dtype=bool)
        sure, most = np.zeros((2, len(known), KINDS), dtype=np.int64)
        for states in played_through(game, seed, len(known)):
            before = known.copy(), sure.copy(), most.copy()
            gains_all(states, known, sure, most)
            assert (sure >= before[1])[before[0]].all()
            assert (most <= before[2])[before[0]].all()
        assert (sure == most)[known].all()


@pytest.mark.parametrize(
    ("name", "phase"), [("sheephead", sheephead.PLAY), ("hearts", hearts.PLAY)]
)
def test_nothing_is_solved_before_the_first_lead(name: str, phase: int) -> None:
    game = load_game(name)
    for states in played_through(game, 1, BATCH):
        known, gains = np.zeros(BATCH, dtype=bool), np.zeros((BATCH, KINDS), dtype=np.int64)
        gains_all(states, known, gains, gains)
        assert (known == ((states["phase"] == phase) | (states["phase"] == OVER))).all()


# ---------------------------------------------------------------------------- interpreted


def solve_file(name: str, path: str) -> list[list[int]]:
    """The payoffs of the deals in a file, all of them with sides or none."""
    game = load_game(name)
    states = np.fromfile(path, dtype=game.state)
    solve = solved if sides(states[0]) else solved_each
    return solve(game, states, TINY).tolist()


@pytest.mark.skipif(not COMPILED, reason="compares compiled rules with interpreted ones")
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("snapszer", SNAPSZER["closed"]),
        ("snapszer", SNAPSZER["open"]),
        ("sheephead", SHEEPHEAD["the called suit pending"]),
        ("sheephead", is_nola),
        ("hearts", HEARTS["the moon in reach"]),
    ],
)
def test_interpreted_endings_are_worth_the_same(name: str, kind: Filter, tmp_path: Path) -> None:
    game, path = load_game(name), tmp_path / "endings"
    endings(game, game.variant(), 3, kind, 10, RARE // 10).tofile(path)
    code = f"import test_endings as t; print(t.solve_file({name!r}, {str(path)!r}))"
    folders = [str(Path(overtrick.__file__).parents[1]), str(Path(__file__).parent)]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(folders)},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(solve_file(name, str(path)))
