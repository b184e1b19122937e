"""What tests of models share: a data folder of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from overtrick.models import store


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, and no shipped models."""
    monkeypatch.setattr(store, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path / "data"))
    return tmp_path / "data"
