"""The commands about models: what they print, and one clear line for every mistake."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from models.small_models import RESULT, saved
from overtrick.cli import main
from overtrick.cli_models import chart
from overtrick.models import find_model

pytestmark = pytest.mark.usefixtures("home")


class Run:
    """`overtrick models …` in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys, self.monkeypatch = capsys, monkeypatch

    def __call__(self, *words: object, status: int = 0, columns: int = 140) -> tuple[str, str]:
        """What came out, and on standard error."""
        self.monkeypatch.setenv("COLUMNS", str(columns))
        self.monkeypatch.setattr(sys, "argv", ["overtrick", "models", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        told = self.capsys.readouterr()
        assert (ended.value.code or 0) == status, told
        return told.out, told.err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return Run(capsys, monkeypatch)


def test_models_are_listed_with_their_first_result(run: Run) -> None:
    saved()
    saved(game="leduc", name="novice", method="direct", results=[])
    out, _ = run("list")
    line = next(line for line in out.splitlines() if "kuhn/captain" in line)
    for told in ("alphazero", "8x1/h0", "1,200", "+0.25 ± 0.05 vs random", "own"):
        assert told in line
    assert "leduc/novice" in out
    assert "leduc/novice" not in run("list", "kuhn")[0]


def test_the_list_fits_into_eighty_columns(run: Run) -> None:
    result = RESULT.model_copy(update={"payoff": -0.468, "half_width": 0.057})
    result = result.model_copy(update={"opponent": "rulebook:strong@1"})
    saved(name="a-sheephead-distill", deals=206_000, minutes=15.1, results=[result])
    out, _ = run("list", columns=80)
    line = next(line for line in out.splitlines() if "kuhn/a-sheephead-distill" in line)
    assert line.split()[:5] == [
        "kuhn/a-sheephead-distill",
        "alphazero",
        "8x1/h0",
        "206,000",
        "15.1",
    ]
    assert line.split()[-1] == "own"
    assert max(map(len, out.splitlines())) <= 80


def test_the_list_as_json_is_one_object(run: Run) -> None:
    saved()
    (saved(name="broken").folder / "card.json").write_text("{")
    told = json.loads(run("list", "--json")[0])
    assert told["damaged"] == ["kuhn/broken"]
    (model,) = told["models"]
    assert model["model"] == "kuhn/captain"
    assert model["player"] == "alphazero:kuhn/captain"
    assert (model["method"], model["deals"], model["shipped"]) == ("alphazero", 1200, False)
    assert model["results"] == [RESULT.model_dump()]


def test_a_damaged_model_is_left_out_of_the_list_and_named(run: Run) -> None:
    (saved(name="broken").folder / "card.json").write_text("{")
    out, err = run("list")
    assert "broken" not in out
    assert "left out as damaged: kuhn/broken; `overtrick models verify` tells why" in err


def test_a_card_is_shown_with_results_run_and_commands(run: Run) -> None:
    saved()
    out, _ = run("show", "kuhn/captain")
    for told in (
        "kuhn/captain: Captain (AlphaZero)",
        "Learned nothing.",
        "alphazero, seed 1",
        "1,200 deals in 2.5 minutes, 2026-01-02",
        "sims=8",
        str(RESULT),
        RESULT.command,
        "the run, along deals 100 to 800",
        "overtrick play --terminal kuhn --players alphazero:kuhn/captain",
        "overtrick arena kuhn alphazero:kuhn/captain random --boards 1000",
    ):
        assert told in out
    told = json.loads(run("show", "kuhn/captain", "--json")[0])
    assert told["card"] == find_model("kuhn/captain").card.model_dump()
    assert told["nets"]["main"]["game"] == "kuhn"


def test_a_run_is_drawn_as_bars() -> None:
    curve: list[dict[str, float | str]] = [{"deals": n, "win": n / 8} for n in range(8)]
    assert chart(curve) == [
        "",
        "the run, along deals 0 to 7",
        f"  {'win':24} ▁▂▃▄▅▆▇█  0 → 0.875",
    ]
    long = chart([{"flat": 1.0, "phase": "[BOOT]"}] * 1000)
    assert long[1:] == ["the run", f"  {'flat':24} {'▁' * 50}  1 → 1"]
    assert chart([]) == chart([{"loss": 1.0}]) == []


def test_a_model_is_passed_on(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved()
    file = tmp_path / "captain.zip"
    assert run("export", "kuhn/captain", file)[1] == f"{file}: kuhn/captain written\n"
    again = run("export", "kuhn/captain", file, "--json")[0]
    assert json.loads(again) == {"model": "kuhn/captain", "file": str(file)}
    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path / "other"))
    kept = "kuhn/captain is kept; it plays as alphazero:kuhn/captain\n"
    assert run("import", file)[1] == kept
    _, err = run("import", file, status=2)
    assert "there is a model kuhn/captain already" in err
    assert json.loads(run("import", file, "--replace", "--json")[0])["model"] == "kuhn/captain"


def test_models_are_verified_one_or_all(run: Run) -> None:
    assert run("verify")[1] == "there are no models\n"
    model = saved()
    assert run("verify")[0] == run("verify", "kuhn/captain")[0] == "kuhn/captain: sound\n"
    assert run("verify", model.folder)[0] == f"{model.folder}: sound\n"
    (saved(name="broken").folder / "card.json").write_text("{")
    out, err = run("verify", status=2)
    assert out.splitlines()[1] == "kuhn/captain: sound"
    assert out.startswith("model kuhn/broken: card.json: not JSON")
    assert err == "overtrick: 1 of 2 models are damaged\n"
    out, err = run("verify", "kuhn/broken", status=2)
    assert (out, err.count("\n")) == ("", 1)
    told = json.loads(run("verify", "--json", status=2)[0])
    assert told["damaged"] == 1
    assert told["models"]["kuhn/captain"] is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "Missing command"),
        (["juggle"], "No such command 'juggle'"),
        (["list", "chess"], "there is no game 'chess'"),
        (["show", "kuhn/nobody"], "there is no model 'kuhn/nobody'; known are none"),
        (["show", "./nowhere"], "there is no model './nowhere'"),
        (["verify", "kuhn/nobody"], "there is no model 'kuhn/nobody'"),
        (["export", "kuhn/nobody", "x.zip"], "there is no model 'kuhn/nobody'"),
        (["show", "./" + "x" * 5000], "there is no model './xxx"),
        (["export", "kuhn/nobody", "x" * 5000 + ".zip"], "there is no model 'kuhn/nobody'"),
        (["import", "x" * 5000], "there is no such file or folder"),
        (["import", "nothing.zip"], "nothing.zip: there is no such file or folder"),
    ],
)
def test_a_mistake_gets_one_clear_line(run: Run, words: list[str], expected: str) -> None:
    out, err = run(*words, status=2)
    assert out == ""
    assert err.startswith("overtrick: ")
    assert expected in err
    assert err.count("\n") == 1
