"""Samples on the disk: whole, checked, mergeable, and the same whoever makes them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overtrick.cli import app
from overtrick.errors import BadBudget, BadOption, DamagedFile, OvertrickError, UnknownName
from overtrick.games import load_game
from overtrick.learn.budget import Budget
from overtrick.learn.deepcfr import METHOD, DeepCfr
from overtrick.learn.generating import generate, make_shard, traversal_for
from overtrick.learn.shards import (
    Store,
    check_shard,
    list_shards,
    merge_stores,
    read_shard,
    write_shard,
)
from overtrick.learn.workers import LocalWorkers


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path / "data"))
    return tmp_path


def made(out: Path, *, game: str = "kuhn", first: int = 0, deals: int = 40, **told: Any) -> Any:
    """A store of some shards of ten deals each."""
    chosen = load_game(game)
    how = traversal_for(chosen, "random", decay=told.pop("decay", 0.0), **told)
    numbers = {"seed": 5, "first": first, "deals": deals, "shard_deals": 10}
    return generate(chosen, how, out, LocalWorkers(1), player="random", **numbers)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# ---------------------------------------------------------------------------- whole shards


def test_a_shard_comes_back_as_it_was_written(tmp_path: Path) -> None:
    how = traversal_for(load_game("kuhn"), "random")
    header, samples = make_shard("kuhn", how, "random", 5, 0, 10)
    shard = read_shard(write_shard(tmp_path, header, samples))
    check_shard(shard)
    assert shard.header == header
    assert shard.samples().tobytes() == samples.tobytes()
    assert (header.game, header.deals, header.samples) == ("kuhn", 10, len(samples))


def test_nothing_half_written_is_left_behind(tmp_path: Path) -> None:
    made(tmp_path / "a")
    assert len(contents(tmp_path / "a")) == 4
    assert all(name.endswith(".samples") for name in contents(tmp_path / "a"))


def damage(path: Path, how: str) -> None:
    octets = bytearray(path.read_bytes())
    if how == "truncated":
        del octets[-7:]
    elif how == "truncated at once":
        del octets[10:]
    elif how == "a sample":
        octets[-3] ^= 4
    elif how == "the header":
        octets[40] ^= 1
    elif how == "longer":
        octets += b"more"
    elif how == "nothing":
        octets.clear()
    else:
        octets[:8] = b"PK\x03\x04aaaa"
    path.write_bytes(bytes(octets))


DAMAGES = {
    "truncated": "truncated",
    "truncated at once": "truncated within its header",
    "a sample": "corrupted: the checksum of its samples",
    "the header": "corrupted: the checksum of its header",
    "longer": "corrupted",
    "nothing": "not a shard of samples",
    "another file": "not a shard of samples",
}


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_shard_is_named_and_left_out_only_on_demand(how: str, tmp_path: Path) -> None:
    made(tmp_path / "a")
    first, *others = list_shards([tmp_path / "a"])
    damage(first, how)
    with pytest.raises(DamagedFile) as error:
        Store([tmp_path / "a"])
    assert str(first) in str(error.value) and DAMAGES[how] in str(error.value)
    assert "\n" not in str(error.value)
    store = Store([tmp_path / "a"], skip_damaged=True)
    assert [shard.path for shard in store.shards] == others
    assert len(store.skipped) == 1 and first.name in store.skipped[0]


def test_a_shard_of_another_game_is_foreign(tmp_path: Path) -> None:
    made(tmp_path / "a")
    made(tmp_path / "a", game="leduc", decay=1.0, deals=10, iteration=2)
    with pytest.raises(DamagedFile, match="foreign: its game is 'leduc', not 'kuhn'"):
        Store([tmp_path / "a"])
    assert len(Store([tmp_path / "a"], skip_damaged=True).shards) == 4


def test_a_shard_made_for_other_flags_is_foreign(tmp_path: Path) -> None:
    how = traversal_for(load_game("kuhn"), "random")
    header, samples = make_shard("kuhn", how, "random", 5, 0, 10)
    path = write_shard(tmp_path, header.model_copy(update={"digest": "0" * 16}), samples)
    with pytest.raises(DamagedFile, match=r"foreign: made for other flags than kuhn's standard@1"):
        check_shard(read_shard(path))


# ---------------------------------------------------------------------------- the same anywhere


def test_shards_are_the_same_whoever_makes_them(tmp_path: Path) -> None:
    assert made(tmp_path / "one") == (4, 0)
    made(tmp_path / "a", deals=20)
    made(tmp_path / "b", first=20, deals=20)
    assert merge_stores([tmp_path / "b", tmp_path / "a"], tmp_path / "both") == (4, [])
    assert contents(tmp_path / "one") == contents(tmp_path / "both")


def test_a_shard_that_is_there_is_not_made_again_and_a_damaged_one_is(tmp_path: Path) -> None:
    made(tmp_path / "a", deals=20)
    whole = contents(tmp_path / "a")
    assert made(tmp_path / "a") == (2, 2)
    damage(list_shards([tmp_path / "a"])[0], "truncated")
    assert made(tmp_path / "a", deals=20) == (1, 1)
    assert {name: contents(tmp_path / "a")[name] for name in whole} == whole


def test_a_shard_whose_samples_are_corrupted_is_made_again(tmp_path: Path) -> None:
    made(tmp_path / "a", deals=20)
    whole = contents(tmp_path / "a")
    damage(list_shards([tmp_path / "a"])[0], "a sample")
    assert made(tmp_path / "a", deals=20) == (1, 1)
    assert contents(tmp_path / "a") == whole


def test_merging_brings_a_sound_shard_in_the_place_of_a_damaged_one(tmp_path: Path) -> None:
    made(tmp_path / "a")
    merge_stores([tmp_path / "a"], tmp_path / "b")
    damage(list_shards([tmp_path / "b"])[1], "a sample")
    count, skipped = merge_stores([tmp_path / "a"], tmp_path / "b", skip_damaged=True)
    assert count == 4 and len(skipped) == 1
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_worker_that_dies_loses_only_its_unfinished_shard(tmp_path: Path) -> None:
    class Dying(LocalWorkers):
        def each(self, task: Any, jobs: Any) -> Iterator[Any]:
            for number, found in enumerate(super().each(task, jobs)):
                if number == 2:
                    raise KeyboardInterrupt
                yield found

    game = load_game("kuhn")
    how = traversal_for(game, "random")
    numbers: dict[str, Any] = {"seed": 5, "first": 0, "deals": 40, "shard_deals": 10}
    with pytest.raises(KeyboardInterrupt):
        generate(game, how, tmp_path / "a", Dying(1), player="random", **numbers)
    assert len(Store([tmp_path / "a"]).shards) == 2
    assert generate(
        game, how, tmp_path / "a", LocalWorkers(1), player="random", **numbers
    ) == (2, 2)  # fmt: skip
    made(tmp_path / "one")
    assert contents(tmp_path / "a") == contents(tmp_path / "one")


def test_stores_that_do_not_fit_are_not_merged(tmp_path: Path) -> None:
    made(tmp_path / "a")
    made(tmp_path / "b", decay=0.5)
    with pytest.raises(BadOption, match="are of the same deals but differ"):
        merge_stores([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    assert not (tmp_path / "c").exists()
    with pytest.raises(BadOption, match="was made in another way"):
        made(tmp_path / "a", decay=0.5)
    game, how = load_game("kuhn"), traversal_for(load_game("kuhn"), "random")
    numbers: dict[str, Any] = {"seed": 5, "first": 0, "deals": 15, "shard_deals": 15}
    generate(game, how, tmp_path / "d", LocalWorkers(1), player="random", **numbers)
    with pytest.raises(BadOption, match="share some deals"):
        merge_stores([tmp_path / "a", tmp_path / "d"], tmp_path / "c")


# ---------------------------------------------------------------------------- learning from it


def test_every_sample_comes_once_in_an_order_of_chance(tmp_path: Path) -> None:
    made(tmp_path / "a")
    store = Store([tmp_path / "a"])
    everything = np.concatenate([shard.samples() for shard in store.shards])
    batches = [*store.batches(16, np.random.default_rng(1), blocks=1)]
    assert len(batches) == -(-len(store) // 16)
    assert all(len(batch) == 16 for batch in batches[:-1])
    found = np.concatenate(batches)
    assert sorted(map(bytes, found)) == sorted(map(bytes, everything))
    assert found.tobytes() != everything.tobytes()
    again = np.concatenate([*store.batches(16, np.random.default_rng(1), blocks=1)])
    assert again.tobytes() == found.tobytes()


def test_learning_keeps_no_shard_open(tmp_path: Path) -> None:
    made(tmp_path / "a")
    store = Store([tmp_path / "a"])
    batches = store.batches(16, np.random.default_rng(1), blocks=1)
    next(batches)
    held = {os.path.realpath(path) for path in Path("/proc/self/fd").iterdir()}
    assert not held & {str(shard.path) for shard in store.shards}
    for shard in store.shards:
        damage(shard.path, "truncated")
    with pytest.raises(DamagedFile, match="truncated since it was opened"):
        for _ in batches:
            pass


def test_a_store_is_of_the_runs_own_house_rules_and_weighs_by_its_own_iterations(
    tmp_path: Path,
) -> None:
    made(tmp_path / "a", iteration=1)
    made(tmp_path / "a", iteration=5, first=40)
    game = load_game("kuhn")
    told = {"store": str(tmp_path / "a"), "units": "8", "epochs": "0.5", "watch": "0"}
    config: Any = METHOD.configure(game, "default", told)
    run = DeepCfr(game, config, LocalWorkers(1), 1, Budget())
    assert run._latest == 5
    steps, batches = run._syllabus(1)
    whole = -(-len(Store([tmp_path / "a"])) // config.batch)
    assert steps == max(1, round(whole / 2)) == len([*batches])
    run._store.shards[0] = replace(  # type: ignore[union-attr]
        run._store.shards[0],  # type: ignore[union-attr]
        header=run._store.shards[0].header.model_copy(update={"variant": "ante=9"}),  # type: ignore[union-attr]
    )
    with pytest.raises(BadOption, match="the store has samples of kuhn standard@1 ante=9, not"):
        run._check_store()


def test_a_run_learns_from_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(tmp_path / "a")
    words = ["train", "kuhn", "deepcfr", "--deals", "8", "--set", f"store={tmp_path / 'a'}"]
    words += ["--set", "lot=4", "--set", "units=8", "--set", "layers=1", "--json", "--no-measure"]
    app(words, standalone_mode=False)
    assert json.loads(capsys.readouterr().out)["iterations"] == 2
    damage(list_shards([tmp_path / "a"])[1], "a sample")
    with pytest.raises(DamagedFile, match="the checksum of its samples is wrong"):
        app([*words, "--name", "b"], standalone_mode=False)
    capsys.readouterr()
    app([*words, "--name", "c", "--set", "skip_damaged=true"], standalone_mode=False)
    assert capsys.readouterr().err.count("left out: ") == 1


# ---------------------------------------------------------------------------- the commands


def told(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    app(["samples", *words, "--json"], standalone_mode=False)
    return json.loads(capsys.readouterr().out)


def test_the_commands_make_merge_tell_and_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two, both = (str(tmp_path / name) for name in ("one", "two", "both"))
    common = ("generate", "kuhn", "--decay", "1", "--deals", "20", "--shard-deals", "10")
    assert told(capsys, *common, "--out", one)["made"] == 2
    assert told(capsys, *common, "--out", one)["there"] == 2
    assert told(capsys, *common, "--out", two, "--first", "20")["made"] == 2
    assert told(capsys, "merge", one, two, "--out", both)["shards"] == 4
    (part,) = told(capsys, "info", both)["parts"]
    assert (part["game"], part["shards"], part["deals"]) == ("kuhn", 4, 40)
    assert told(capsys, "verify", both) == {"sound": 4, "damaged": []}
    damage(list_shards([Path(both)])[0], "truncated")
    with pytest.raises(DamagedFile, match="truncated"):
        app(["samples", "verify", both], standalone_mode=False)
    assert "3 sound shards" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "error", "expected"),
    [
        (["generate", "chess", "--out", "x"], UnknownName, "there is no game 'chess'"),
        (["generate", "kuhn", "--out", "x", "--player", "pimc"], UnknownName, "playout player"),
        (["generate", "kuhn", "--out", "x", "--player", "cfr:kuhn/none"], UnknownName, "no model"),
        (["generate", "kuhn", "--out", "x", "--first", "3"], BadBudget, "a multiple of the 128"),
        (["generate", "kuhn", "--out", "x", "--deals", "0"], BadBudget, "1 or more"),
        (["generate", "kuhn", "--out", "x", "--iteration", "0"], BadOption, "1 to 65535"),
        (["generate", "kuhn", "--out", "x", "--tried", "0"], BadOption, "more than 0"),
        (["generate", "hearts", "--out", "x", "--decay", "0"], BadOption, "has no end"),
        (["info", "nowhere"], BadOption, "there is no store of samples nowhere"),
        (["merge", "nowhere", "--out", "x"], BadOption, "there is no store of samples nowhere"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    words: list[str],
    error: type[OvertrickError],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error) as found:
        app(["samples", *words], standalone_mode=False)
    assert expected in str(found.value)
    assert "\n" not in str(found.value)
