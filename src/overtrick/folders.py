"""Where this user's things are kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["data_folder"]


def data_folder() -> Path:
    """Where tables, models and runs are kept: $OVERTRICK_DATA, or the user's data folder."""
    chosen = os.environ.get("OVERTRICK_DATA")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "overtrick"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "overtrick"
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "overtrick"
