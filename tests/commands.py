"""`overtrick …` as a test runs it: in this process, since starting another one takes a second."""

from __future__ import annotations

import io
import sys
from typing import NamedTuple

import pytest

from overtrick.cli import main


class Done(NamedTuple):
    """What a command gave back."""

    returncode: int
    stdout: str
    stderr: str


def overtrick(*words: object, stdin: str = "") -> Done:
    """A command, with streams as a shell would give them."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OVERTRICK_QUIET", "1")
        patch.setenv("COLUMNS", "100")
        patch.setattr(sys, "argv", ["overtrick", *map(str, words)])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as end:
            main()
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return Done(int(end.value.code or 0), *texts)
