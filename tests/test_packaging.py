"""Wheel and sdist: what is in them, what they refuse to be without, and that they play alone.

The long tests make fresh environments and install into them, for which pip must reach packages.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
import venv
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import overtrick
from overtrick.models import model_folders
from pages import ROOT
from table.at_work import PERSON, LaidTable, started

MOST_BYTES = 3 * 2**20  # of the wheel, beside the models, whose size is bounded by itself
LOWEST = ROOT / "scripts" / "lowest"
NOT_OURS = ("torch", "tensorboard", "gymnasium", "pettingzoo", "pyspiel", "ray", "matplotlib")


def built(root: Path, target: str, folder: Path) -> Path:
    """The file that a build of this tree gives."""
    done = build(root, target, folder)
    assert done.returncode == 0, done.stderr
    return next(folder.iterdir())


def build(root: Path, target: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT, "sdist", tmp_path_factory.mktemp("sdist"))


# ---------------------------------------------------------------------------- what is in them


def test_the_wheel_has_page_models_texts_template_and_types(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for name in (
        "py.typed",
        "table/page/index.html",
        "texts/en/review.json",
        "records/record.schema.json",
        "template/pyproject.toml",
        "template/src/newgame/rules.py",
        "testing/suite.py",
        "benchmarks/engine.py",
        "games/hokm/README.md",
        *(f"models/{model}/net.safetensors" for model in model_folders()),
    ):
        assert f"overtrick/{name}" in names
    models = [file for file in zipfile.ZipFile(wheel).infolist() if "/models/" in file.filename]
    assert wheel.stat().st_size - sum(file.compress_size for file in models) <= MOST_BYTES


def test_the_wheel_has_nothing_of_a_desk(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {"overtrick", f"overtrick-{overtrick.__version__}.dist-info"}
    assert not [name for name in names if "node_modules" in name or "__pycache__" in name]


def test_the_wheel_tells_its_version_license_and_that_it_is_typed(wheel: Path) -> None:
    inside = zipfile.ZipFile(wheel)
    info = f"overtrick-{overtrick.__version__}.dist-info"
    told = inside.read(f"{info}/METADATA").decode()
    assert f"Version: {overtrick.__version__}\n" in told
    assert "License-Expression: MIT\n" in told
    assert "Requires-Python: >=3.11\n" in told
    assert "Classifier: Typing :: Typed\n" in told
    assert f"{info}/licenses/LICENSE" in inside.namelist()


def test_what_playing_needs_is_no_learning_library(wheel: Path) -> None:
    info = f"overtrick-{overtrick.__version__}.dist-info"
    told = zipfile.ZipFile(wheel).read(f"{info}/METADATA").decode()
    needed = [
        line
        for line in told.splitlines()
        if line.startswith("Requires-Dist") and "extra" not in line
    ]
    assert needed
    assert not [line for line in needed if any(name in line for name in NOT_OURS)]


def test_every_dependency_has_a_lowest_version() -> None:
    extras = ["train", "rl", "sb3", "ray", "openspiel", "plots", "docs"]
    done = subprocess.run([sys.executable, str(LOWEST), *extras], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "numpy==2.2" in done.stdout.splitlines()


def test_the_sdist_builds_the_same_wheel(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as packed:
        packed.extractall(tmp_path, filter="data")
    again = built(next(tmp_path.iterdir()), "wheel", tmp_path / "again")
    assert again.name == wheel.name
    assert digests(again) == digests(wheel)


def digests(wheel: Path) -> dict[str, str]:
    """Each file of a wheel by its contents."""
    inside = zipfile.ZipFile(wheel)
    return {name: hashlib.sha256(inside.read(name)).hexdigest() for name in inside.namelist()}


# ---------------------------------------------------------------------------- what is missed


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of all that a build reads, to be damaged."""
    shutil.copytree(ROOT / "src", tmp_path / "tree" / "src")
    shutil.copytree(ROOT / "benchmarks", tmp_path / "tree" / "benchmarks")
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / "tree" / name)
    return tmp_path / "tree"


@pytest.mark.parametrize("target", ["wheel", "sdist"])
@pytest.mark.parametrize(
    ("lost", "expected"),
    [
        ("table/page", "the page of the table is missing"),
        ("table/page/assets", "the page of the table lacks src/overtrick/table/page/assets/"),
        ("models/*/", "there is no model in src/overtrick/models"),
        ("models/snapszer/captain/net.safetensors", "captain lacks its net.safetensors"),
    ],
)
def test_a_build_without_the_page_or_the_models_fails_in_one_line(
    tree: Path, target: str, lost: str, expected: str
) -> None:
    for path in (tree / "src" / "overtrick").glob(lost):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    done = build(tree, target, tree / "dist")
    told = [line for line in done.stderr.splitlines() if line and not line.startswith("[")]
    assert done.returncode != 0
    assert len(told) == 1, done.stderr
    assert told[0].startswith("overtrick cannot be built: ")
    assert expected in told[0]
    assert not [*(tree / "dist").glob("*")]


# ---------------------------------------------------------------------------- fresh environments


class Fresh:
    """An environment with nothing but the wheel and what it asks for."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True)
        self.python = str(folder / "bin" / "python")
        hidden = ("PYTHONPATH", "PYTEST", "VIRTUAL_ENV")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        self.environment = kept | {"OVERTRICK_DATA": str(folder / "data"), "OVERTRICK_QUIET": "1"}

    def run(self, *words: str, where: Path | None = None, stdin: str = "") -> str:
        """What a Python command of this environment prints."""
        done = subprocess.run(
            [self.python, *words],
            cwd=where or Path(self.python).parent,
            env=self.environment,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    def install(self, *words: str) -> None:
        self.run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", *words)

    def versions(self) -> dict[str, str]:
        """What is installed."""
        told = self.run("-m", "pip", "list", "--format", "json", "--disable-pip-version-check")
        return {one["name"].lower().replace("_", "-"): one["version"] for one in json.loads(told)}


@cache
def lowest() -> dict[str, str]:
    """The oldest version of every dependency."""
    told = subprocess.run([sys.executable, str(LOWEST)], capture_output=True, text=True, check=True)
    return dict(line.split("==") for line in told.stdout.splitlines())


@pytest.fixture(scope="module", params=["latest", "lowest"])
def fresh(
    request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Fresh]:
    """The wheel with the newest versions that it allows, then with the oldest."""
    folder = tmp_path_factory.mktemp(request.param)
    environment = Fresh(folder / "venv")
    if request.param == "lowest":
        (folder / "lowest.txt").write_text("".join(f"{n}=={v}\n" for n, v in lowest().items()))
        environment.install("-c", str(folder / "lowest.txt"), str(wheel))
        found = environment.versions()
        assert all(found[name].startswith(version) for name, version in lowest().items())
    else:
        environment.install(str(wheel))
    environment.run("-m", "pip", "check")
    yield environment
    shutil.rmtree(folder)


@pytest.mark.long
def test_the_wheel_alone_brings_no_learning_library(fresh: Fresh) -> None:
    assert not {*NOT_OURS} & fresh.versions().keys()


def played_out(table: LaidTable) -> Any:
    """The last frame of a deal in which the person always takes the first choice."""
    while (frame := table.snapshot()["frame"])["result"] is None:
        if frame["choices"]:
            table.act([frame["choices"][0]["choice"]])
        else:
            time.sleep(0.05)  # the other seat thinks, in a thread of the service
    return frame


@pytest.mark.long
def test_the_wheel_alone_serves_the_page_and_plays_a_deal_with_a_shipped_model(
    fresh: Fresh, tmp_path: Path
) -> None:
    with started(tmp_path, "--port", "0", python=fresh.python, PYTHONPATH="") as running:
        page = running.service.ask("GET", "/").text
        assert "<title>Overtrick</title>" in page
        script = page.partition('src="')[2].partition('"')[0]
        assert running.service.ask("GET", script).status == 200
        table = running.service.table("snapszer", [PERSON, "direct:snapszer/direct"])
        assert played_out(table)["result"] is not None


@pytest.mark.long
def test_the_wheel_alone_plays_in_the_terminal_and_knows_its_models(fresh: Fresh) -> None:
    words = ("-m", "overtrick")
    assert fresh.run(*words, "--version") == f"overtrick {overtrick.__version__}\n"
    verified = json.loads(fresh.run(*words, "models", "verify", "--json"))
    assert verified == {"models": dict.fromkeys(model_folders()), "damaged": 0}
    players = ("--players", "alphazero:snapszer/captain,sims=4,worlds=2", "--seed", "1")
    played = fresh.run(*words, "play", "--terminal", "snapszer", *players, stdin="1\n" * 60)
    assert "the deal again: snapszer;" in played
    bench = json.loads(fresh.run(*words, "bench", "kuhn", "--repeats", "1", "--json"))
    assert bench["games"]["kuhn"]["playout_ns_per_move"] > 0


@pytest.mark.long
def test_tests_of_the_house_pass_on_the_wheel(fresh: Fresh) -> None:
    fresh.install("pytest>=9", "hypothesis")
    pytest_here = ("-m", "pytest", "-p", "no:cacheprovider")
    fresh.run(*pytest_here, "tests/test_contract.py", "-k", "kuhn or whist3x3", where=ROOT)
    fresh.run(*pytest_here, "tests/test_api.py", "tests/models/test_shipped.py", where=ROOT)
