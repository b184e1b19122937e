"""The public surface of the package."""

from __future__ import annotations

import subprocess
import sys

import pytest

import overtrick
from overtrick import games


def modules_after(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_every_public_name_exists() -> None:
    for name in overtrick.__all__:
        assert getattr(overtrick, name) is not None
    assert set(overtrick.__all__) <= set(dir(overtrick))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = overtrick.nothing


def test_import_overtrick_imports_nothing_heavy() -> None:
    heavy = {"numpy", "numba", "torch", "rich", "typer", "fastapi", "pydantic", "gymnasium"}
    assert not heavy & modules_after("import overtrick")


def test_playing_needs_no_learning_library() -> None:
    loaded = modules_after("import overtrick; overtrick.Deal.from_seed('kuhn', 1)")
    learning = {"torch", "tensorboard", "gymnasium", "pettingzoo", "pyspiel"}
    assert not {*learning, "fastapi"} & loaded


def test_the_batched_environment_needs_neither_gymnasium_nor_torch() -> None:
    loaded = modules_after("sys.modules['gymnasium'] = None; from overtrick.envs import BatchedEnv")
    assert not {"torch", "pettingzoo", "pyspiel", "stable_baselines3"} & loaded


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("gymnasium", "gymnasium", "rl"),
        ("pettingzoo", "pettingzoo", "rl"),
        ("sb3", "stable_baselines3", "rl,sb3"),
        ("openspiel", "pyspiel", "openspiel"),
    ],
)
def test_an_environment_that_lacks_a_package_says_how_to_get_it(
    module: str, package: str, extra: str
) -> None:
    code = f"import sys; sys.modules['{package}'] = None; import overtrick.envs.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"need more packages: pip install 'overtrick[{extra}]'" in done.stderr.splitlines()[-1]


def test_loading_one_game_loads_no_other() -> None:
    loaded = modules_after("import overtrick; overtrick.load_game('kuhn')")
    assert "overtrick.games.hearts" not in loaded


def test_games_are_found_by_their_folders() -> None:
    assert "hearts" in games.game_names()
    assert "kuhn" not in games.game_names()
    assert {"hearts", "kuhn", "leduc", "whist3x3"} <= set(games.game_names(hidden=True))


def test_a_game_travels_by_its_name() -> None:
    import pickle

    hearts = overtrick.load_game("hearts")
    assert pickle.loads(pickle.dumps(hearts)) is hearts


def test_a_player_sees_to_it_that_choices_are_legal_whatever_the_batch() -> None:
    from overtrick.jit import streams

    hearts = overtrick.load_game("hearts")
    batch = overtrick.Batch(hearts, 8, seed=1)
    player = overtrick.make_player("random", hearts)
    together = player.choose(batch.views(), streams(8, 2, "choices"))
    assert all(legal >> choice & 1 for legal, choice in zip(batch.legals, together, strict=True))
    alone = [
        player.choose(batch.views()[i : i + 1], streams(8, 2, "choices")[i : i + 1])[0]
        for i in range(8)
    ]
    assert together.tolist() == alone
