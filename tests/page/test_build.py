"""The page that is committed is the one that the sources make, and its own tests pass."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from overtrick.games import game_names, load_game

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
PAGE = ROOT / "src" / "overtrick" / "table" / "page"
TEXTS = WEB / "src" / "texts" / "en"
MOST_KILOBYTES = 400  # gzipped, without card art


def in_web(*command: str) -> None:
    """Run one of the page's own tools."""
    done = subprocess.run(
        [*command],
        cwd=WEB,
        env={**os.environ, "CI": "true", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]


def files_under(folder: Path) -> dict[str, bytes]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_the_committed_page_equals_a_fresh_build(tmp_path: Path) -> None:
    in_web("npx", "vite", "build", "--outDir", str(tmp_path / "page"), "--emptyOutDir")
    fresh, committed = files_under(tmp_path / "page"), files_under(PAGE)
    assert sorted(fresh) == sorted(committed), "run `make page`"
    assert [name for name in fresh if fresh[name] != committed[name]] == [], "run `make page`"


def test_the_types_of_the_wire_are_those_of_the_service(tmp_path: Path) -> None:
    spec, types = tmp_path / "openapi.json", tmp_path / "generated.ts"
    command = [sys.executable, "-m", "overtrick.table.spec"]
    spec.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
    in_web("npx", "openapi-typescript", str(spec), "-o", str(types))
    assert types.read_text() == (WEB / "src/wire/generated.ts").read_text(), "run `make page`"


def test_the_tests_of_the_page_pass() -> None:
    in_web("npx", "vitest", "run")


def test_the_page_is_small() -> None:
    sent = [path for path in PAGE.rglob("*") if path.suffix in (".html", ".js", ".css")]
    size = sum(len(gzip.compress(path.read_bytes())) for path in sent)
    assert sent
    assert size <= MOST_KILOBYTES * 1024


@pytest.mark.parametrize("name", game_names())
def test_every_house_rule_has_its_words(name: str) -> None:
    game = load_game(name)
    texts = json.loads((TEXTS / f"{name}.json").read_text())
    for option, (default, allowed) in game.variant.options().items():
        if option in game.showing.learning_options:
            continue
        assert f"{name}.option.{option}" in texts
        assert f"{name}.option.{option}.meaning" in texts
        named = [] if isinstance(default, bool | int) else allowed.values or ()
        assert [v for v in named if f"{name}.option.{option}.{v}" not in texts] == []


def test_nothing_of_the_page_points_elsewhere() -> None:
    links = re.compile(rb"""(?:src|href|url)\s*[=(:]\s*["']?(https?://[^"'\s)]+)""")
    for name, content in files_under(PAGE).items():
        if not name.endswith(".svg"):
            assert links.findall(content) == [], name
