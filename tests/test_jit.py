"""Compilation: dispatch by game, the cache, bits and chance."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import overtrick
from overtrick import jit
from overtrick.jit import (
    below,
    below_large,
    draw_bits,
    fork,
    gather_bits,
    gather_bits_portable,
    highest,
    kernel,
    lowest,
    nth,
    nth_portable,
    popcount,
)

PACKAGE = Path(overtrick.__file__).parent
card_sets = st.integers(min_value=1, max_value=(1 << 63) - 1)


def run(code: str, *, package: Path = PACKAGE, cache: Path, interpreted: bool = False) -> str:
    """What a fresh process prints, with its own copy of the package and its own cache."""
    environment = os.environ | {
        "PYTHONPATH": str(package.parent),
        "OVERTRICK_CACHE": str(cache),
        "OVERTRICK_QUIET": "1",
        "NUMBA_DISABLE_JIT": str(int(interpreted)),
    }
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# ---------------------------------------------------------------------------- bits


@kernel
def all_bits(sets: np.ndarray, out: np.ndarray) -> None:
    for row in range(len(sets)):
        out[row, 0] = popcount(sets[row])
        out[row, 1] = lowest(sets[row])
        out[row, 2] = highest(sets[row])
        last = popcount(sets[row]) - 1
        out[row, 3] = nth(sets[row], last // 2)
        out[row, 4] = nth_portable(sets[row], last // 2)


def compiled_bits(bits: int) -> list[int]:
    out = np.zeros((1, 5), dtype=np.int64)
    all_bits(np.array([bits], dtype=np.int64), out)
    return [int(value) for value in out[0]]


@given(card_sets)
def test_compiled_bit_operations_equal_the_definition(bits: int) -> None:
    members = [bit for bit in range(63) if bits >> bit & 1]
    middle = members[(len(members) - 1) // 2]
    assert compiled_bits(bits) == [len(members), members[0], members[-1], middle, middle]


@kernel
def gather_all(bits: int, places: int, out: np.ndarray) -> None:
    out[0] = gather_bits(bits, places)
    out[1] = gather_bits_portable(bits, places)


@given(card_sets, card_sets)
def test_bits_at_some_places_are_moved_together(bits: int, places: int) -> None:
    members = [place for place in range(63) if places >> place & 1]
    expected = sum((bits >> place & 1) << number for number, place in enumerate(members))
    out = np.zeros(2, dtype=np.int64)
    gather_all(bits, places, out)
    assert [gather_bits(bits, places), *out.tolist()] == [expected] * 3


@given(card_sets)
def test_interpreted_bit_operations_equal_the_compiled_ones(bits: int) -> None:
    middle = (popcount(bits) - 1) // 2
    interpreted = [
        popcount(bits),
        lowest(bits),
        highest(bits),
        nth(bits, middle),
        nth_portable(bits, middle),
    ]
    assert interpreted == compiled_bits(bits)


# ---------------------------------------------------------------------------- chance


@kernel
def draws(stream: np.ndarray, limits: np.ndarray, out: np.ndarray) -> None:
    for row in range(len(limits)):
        out[row, 0] = draw_bits(stream)
        out[row, 1] = below(stream, limits[row] & 0xFFFF | 1)
        out[row, 2] = below_large(stream, limits[row])
        fork(stream, row, out[row, 3:5])


def test_compiled_and_interpreted_streams_are_the_same() -> None:
    limits = np.random.default_rng(0).integers(1, 1 << 62, size=200)
    compiled = np.zeros((200, 5), dtype=np.int64)
    stream = jit.stream(7, "test")
    draws(stream, limits, compiled)
    again = jit.stream(7, "test")
    interpreted = np.zeros_like(compiled)
    draws.py_func(again, limits, interpreted)
    assert (compiled == interpreted).all()
    assert (stream == again).all()


def test_a_draw_below_a_limit_is_even() -> None:
    out, counts = np.zeros((60_000, 5), dtype=np.int64), 7
    stream = jit.stream(1, "even")
    draws(stream, np.full(len(out), counts, dtype=np.int64), out)
    for column in (1, 2):
        seen = np.bincount(out[:, column], minlength=counts)
        expected = len(out) / counts
        assert ((seen - expected) ** 2 / expected).sum() < 28  # chi-square, 6 degrees, p = 1e-4


def test_streams_depend_on_every_name_and_on_nothing_else() -> None:
    assert jit.stream(1, "a", 2).tolist() == jit.stream(1, "a", 2).tolist()
    others = [jit.stream(1, "a", 3), jit.stream(2, "a", 2), jit.stream(1, "b", 2), jit.stream(1)]
    assert len({tuple(stream) for stream in [jit.stream(1, "a", 2), *others]}) == 5
    assert jit.stream(5, "deal").tolist() == [6931275729676060663, -5857836790079412193]


def test_many_streams_are_all_different_and_never_zero() -> None:
    rows = jit.streams(10_000, 3, "rows")
    assert len(np.unique(rows, axis=0)) == 10_000
    assert (rows != 0).any(axis=1).all()


# ---------------------------------------------------------------------------- the cache

POINTS = """
import numpy as np
from overtrick import jit
from overtrick.engine.batches import begin_matches
from overtrick.engine.dealing import deal_shuffled
from overtrick.engine.playouts import playouts
from overtrick.games import load_game
game = load_game({game!r})
states, matches = game.blank_states(50, game.variant()), game.blank_matches(50, game.variant())
streams = jit.streams(50, 1, "cache")
begin_matches(matches, streams)
deal_shuffled(states, matches, streams)
results = np.zeros((50, game.seats), dtype=np.int64)
playouts(states, jit.stream(1, "cache"), results)
print(abs(results).sum(), len(jit.compilations()))
"""


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, str]:
    """A copy of the package, its cache after one run of Hearts, and what that run printed."""
    folder = tmp_path_factory.mktemp("copy")
    package = folder / "overtrick"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    cache = folder / "cache"
    return package, cache, run(POINTS.format(game="hearts"), package=package, cache=cache)


def test_a_second_process_compiles_nothing(warm: tuple[Path, Path, str]) -> None:
    package, cache, first = warm
    total, compiled = first.split()
    assert int(compiled) > 0
    assert run(POINTS.format(game="hearts"), package=package, cache=cache) == f"{total} 0"


def test_warming_up_leaves_nothing_to_compile_for_deals_and_players() -> None:
    code = """
from overtrick import Match, jit, load_game, make_player
from overtrick.engine.warm import warm_up
game = load_game("whist3x3")
warm_up(game)
before = len(jit.compilations())
match = Match.start(game)
deal = match.deal(1)
while not deal.is_over:
    view = deal.view(deal.seat)
    view.worlds(2, seed=1)
    choices = make_player("random", game).choose(view.records, jit.streams(1, 1, "choice"))
    deal = deal.play(int(choices[0]))
match.after(deal).winners, deal.payoffs
print(jit.compilations()[before:])
"""
    assert run(code, cache=jit.cache_folder()) == "[]"


def test_a_copy_in_another_folder_compiles_nothing(warm: tuple[Path, Path, str]) -> None:
    _, cache, first = warm
    assert run(POINTS.format(game="hearts"), cache=cache) == f"{first.split()[0]} 0"


def test_editing_a_rule_changes_the_kernels(warm: tuple[Path, Path, str], tmp_path: Path) -> None:
    package, cache, first = warm
    edited = tmp_path / "overtrick"
    shutil.copytree(package, edited)
    rules = edited / "games" / "hearts" / "rules.py"
    before = rules.read_text()
    after = before.replace("13 * (cards >> QUEEN & 1)", "12 * (cards >> QUEEN & 1)")
    assert after != before
    rules.write_text(after)
    total, compiled = run(POINTS.format(game="hearts"), package=edited, cache=cache).split()
    assert int(compiled) > 0
    assert total != first.split()[0]


DIGESTS = """
from overtrick import jit
for name in ("engine/playouts.py", "search/pimc.py", "table/preparing.py"):
    path = jit.PACKAGE / name
    print(jit.module_digest(path), jit.module_digest(path, lazy=True))
"""


def test_a_kernel_is_known_by_all_that_its_module_imports(tmp_path: Path) -> None:
    edited = tmp_path / "overtrick"
    shutil.copytree(PACKAGE, edited, ignore=shutil.ignore_patterns("__pycache__"))
    before = run(DIGESTS, package=edited, cache=tmp_path).splitlines()
    leaves = edited / "search" / "leaves.py"  # which PIMC imports, and the table when it is asked
    leaves.write_text(leaves.read_text() + "\n# edited\n")
    after = run(DIGESTS, package=edited, cache=tmp_path).splitlines()
    (plain, plain_lazily), (pimc, _), (table, table_lazily) = map(str.split, before)
    assert after[0].split() == [plain, plain_lazily]
    assert after[1].split()[0] != pimc
    assert after[2].split()[0] == table
    assert after[2].split()[1] != table_lazily


def test_two_games_never_share_a_cache_entry(warm: tuple[Path, Path, str]) -> None:
    package, cache, _ = warm
    run(POINTS.format(game="kuhn"), package=package, cache=cache)
    entries: dict[str, set[str]] = {}
    for entry in cache.rglob("*.kernel"):
        entries.setdefault(entry.parent.name.rpartition("-")[0], set()).add(entry.name)
    assert {"hearts", "kuhn"} <= set(entries)
    assert not entries["hearts"] & entries["kuhn"]
    assert run(POINTS.format(game="kuhn"), package=package, cache=cache).endswith(" 0")
    assert run(POINTS.format(game="hearts"), package=package, cache=cache).endswith(" 0")


def test_a_damaged_entry_is_compiled_again(warm: tuple[Path, Path, str], tmp_path: Path) -> None:
    package, cache, first = warm
    copied = tmp_path / "cache"
    shutil.copytree(cache, copied)
    for entry in copied.rglob("*playouts*.kernel"):
        entry.write_bytes(entry.read_bytes()[:100])
    total, compiled = run(POINTS.format(game="hearts"), package=package, cache=copied).split()
    assert total == first.split()[0]
    assert int(compiled) == 1


TWO_GAMES = """
import hashlib
import numpy as np
from overtrick import Batch, load_game
from overtrick.engine.playouts import playouts
from overtrick.jit import stream
for name in ({names}):
    batch = Batch(load_game(name), 50, seed=1)
    playouts(batch.states, stream(1), batch.payoffs)
    print(hashlib.sha256(batch.states.tobytes() + batch.payoffs.tobytes()).hexdigest())
"""


@pytest.mark.long
def test_games_compiled_in_two_processes_meet_in_a_third(tmp_path: Path) -> None:
    # The same loops compiled for two games, each in a process of its own, get the same names
    # unless these tell the games apart; in the third process the linker then mixes them up.
    both = TWO_GAMES.format(names="'hearts', 'whist3x3'")
    expected = run(both, cache=tmp_path, interpreted=True)
    apart = [
        run(TWO_GAMES.format(names=f"{name!r},"), cache=tmp_path) for name in ("hearts", "whist3x3")
    ]
    assert "\n".join(apart) == expected
    assert run(both, cache=tmp_path) == expected


def test_old_digests_are_pruned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERTRICK_CACHE", str(tmp_path))
    for age, digest in enumerate("abcde"):
        folder = tmp_path / "py311-numba0" / f"hearts-{digest}"
        folder.mkdir(parents=True)
        (folder / "one.kernel").write_bytes(b"")
        os.utime(folder, (1000 - age, 1000 - age))
    jit.prune_cache(keep=2)
    kept = {folder.name for folder in (tmp_path / "py311-numba0").iterdir()}
    assert kept == {"hearts-a", "hearts-b"}


def test_old_digests_of_a_kernel_are_pruned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERTRICK_CACHE", str(tmp_path))
    folder = tmp_path / "py311-numba0" / "hearts-a"
    folder.mkdir(parents=True)
    for age, name in enumerate(("one-c-1", "one-c-2", "one-b-1", "one-a-1", "two-a-1")):
        (folder / f"{name}.kernel").write_bytes(b"")
        os.utime(folder / f"{name}.kernel", (1000 - age, 1000 - age))
    jit.prune_cache(keep=2)
    kept = {entry.stem for entry in folder.iterdir()}
    assert kept == {"one-c-1", "one-c-2", "one-b-1", "two-a-1"}


def test_a_read_only_cache_is_told_and_survived(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert run(POINTS.format(game="kuhn"), cache=blocked / "cache").split()[1] != "0"


def test_a_record_of_no_game_is_refused() -> None:
    with pytest.raises(TypeError, match="belongs to no game"):
        jit.rules_of(np.dtype([("phase", np.int64)]))
