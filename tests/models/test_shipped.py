"""The models that come with the package."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import overtrick
from overtrick.errors import BadOption
from overtrick.games import load_game
from overtrick.models import find_model, model_folders, verify_model
from overtrick.players import make_player

MOST_BYTES = 25 * 2**20


def test_every_shipped_model_is_sound_and_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path))  # nobody has models of his own here
    for name in model_folders():
        verify_model(name)
        model = find_model(name)
        assert model.is_shipped
        assert model.card.results, f"{name} claims no strength"


def test_the_shipped_models_are_small() -> None:
    folder = Path(overtrick.__file__).parent / "models"
    sizes = [os.path.getsize(path) for path in folder.glob("*/*/*") if path.is_file()]
    assert sum(sizes) <= MOST_BYTES


def test_every_setting_of_the_captain_is_told_in_its_name() -> None:
    game = load_game("snapszer")
    told = {"sims": 7, "worlds": 3, "ms": 5, "endgame": 0, "playouts": 50, "ahead": 2}
    told |= {"root": "puct", "explore": 150, "prior": 0, "belief": "none"}
    told |= {"candidates": 2, "threads": 2}
    for setting, value in told.items():
        name = make_player(f"alphazero:snapszer/captain,{setting}={value}", game).name
        assert f",{setting}={value}" in name
        assert make_player(name, game).name == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("alphazero:snapszer/captain,sims=0", "sims is 1 to 100000, not '0'"),
        ("alphazero:snapszer/captain,sim=9", "alphazero has sims, worlds, ms, endgame"),
        ("direct:snapszer/direct,sims=9", "direct has no settings, not 'sims'"),
    ],
)
def test_a_setting_that_is_wrong_is_told_with_the_whole_name(name: str, expected: str) -> None:
    with pytest.raises(BadOption) as error:
        make_player(name, load_game("snapszer"))
    assert str(error.value).startswith(f"player {name}: {expected}")
