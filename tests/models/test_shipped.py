"""The models that come with the package."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import overtrick
from overtrick.models import find_model, model_folders, verify_model

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
