"""The pages of the docs as tests read them: fenced blocks, and what a page says of running them.

What a reader does not see stands in comments right before a block:

    <!-- test: long -->                     too long for every run of the tests
    <!-- test: --minutes 5 → --deals 200 -->   run with other words in their place
    <!-- test: not run, because … -->
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

_BLOCK = re.compile(
    r"(?P<marks>(?:^<!-- test: .*? -->\n+)*)^(?P<fence>```)(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_MARK = re.compile(r"^<!-- test: (.*?) -->$", re.MULTILINE)


class Block(NamedTuple):
    """One fenced block of a page."""

    page: str
    language: str
    text: str
    marks: tuple[str, ...]

    @property
    def is_long(self) -> bool:
        return "long" in self.marks

    @property
    def is_run(self) -> bool:
        return not any(mark.startswith("not run") for mark in self.marks)

    def commands(self) -> list[str]:
        """The lines of a shell block without comments, joined where they go on, as tested."""
        text = re.sub(r"\s+#.*$", "", self.text, flags=re.MULTILINE)
        lines = text.replace("\\\n", " ").splitlines()
        return [self.as_tested(line.strip()) for line in lines if line.strip() and line[0] != "#"]

    def as_tested(self, command: str) -> str:
        """A command with the words that the page's marks put in the place of others."""
        for mark in self.marks:
            written, arrow, tested = mark.partition(" → ")
            if arrow:
                command = command.replace(written, tested)
        return command


def blocks_of(page: Path) -> list[Block]:
    """All fenced blocks of a page, first to last."""
    name = str(page.relative_to(ROOT))
    return [
        Block(name, found["language"], found["text"], tuple(_MARK.findall(found["marks"])))
        for found in _BLOCK.finditer(page.read_text())
    ]
