"""Running a test file once more with the compiler off."""

from __future__ import annotations

import os
import subprocess
import sys

__all__ = ["passes_interpreted"]


def passes_interpreted(file: str, passed: int, *, timeout: float = 120) -> None:
    """Check that a file passes on the interpreted engine; only the test that asks is left out."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", file],
        env=environment | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{passed} passed, 1 deselected" in run.stdout
