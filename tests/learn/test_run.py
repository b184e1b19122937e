"""The frame of training: budgets, checkpoints, logs, kills and resumes, and what users are told."""

from __future__ import annotations

import errno
import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from conftest import mostly_long
from overtrick.cli import app
from overtrick.errors import (
    BadBudget,
    BadOption,
    DamagedFile,
    OvertrickError,
    StorageFault,
    UnknownName,
)
from overtrick.games import load_game
from overtrick.learn.budget import Budget
from overtrick.learn.checkpoints import Checkpoints, only_one
from overtrick.learn.direct import METHOD, Direct
from overtrick.learn.gauge import Gauge
from overtrick.learn.journal import LOG, Journal, read_lines, thinned
from overtrick.learn.methods import METHODS, load_method, settings_of
from overtrick.learn.run import Run, Trained, begin_run, resume_run, run_folder, train
from overtrick.learn.workers import LocalWorkers
from overtrick.models import find_model
from overtrick.players import make_player

TINY = {"units": "8", "layers": "1", "lot": "4", "window": "3", "batch": "64"}
TINY_OF = {  # so that an iteration takes a moment
    "belief": {
        **{key: value for key, value in TINY.items() if key not in ("window", "layers")},
        "actor_units": "8",
        "critic_units": "8",
        "quick": "4",
        "worlds": "2",
        "candidates": "3",
    },
    "direct": TINY,
    "distill": {**TINY, "worlds": "2", "window": "200"},
    "deepcfr": {**TINY, "window": "200", "watch": "2", "snapshots": "1"},
    "alphazero": {**TINY, "head": "0", "sims": "4", "worlds": "2", "quick": "3", "window": "200"},
    "ppo": {
        **{key: value for key, value in TINY.items() if key != "window"},
        "critic_units": "8",
        "critic_layers": "1",
        "epochs": "1",
        "arena_deals": "2",
        "arena_every": "10",
        "evaluate_every": "0",
        "admission_share": "0.1",
        "league": "2",
    },
}

PAGES = {"distill": "distillation"}  # where a page has another name than its method


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path))
    return tmp_path


def begin(
    game: str = "whist3x3", *, by: str = "direct", name: str = "tiny", deals: int = 60, **told: str
) -> Run:
    chosen, method = load_game(game), load_method(by)
    config = method.configure(chosen, "default", TINY_OF[by] | told)
    return begin_run(chosen, method, config, name=name, seed=3, budget=Budget(deals))


def go(run: Run, *, measure: bool = False) -> Trained:
    workers = LocalWorkers(1)
    try:
        return train(run, workers, measure=measure)
    finally:
        workers.close()


def weights(name: str, game: str = "whist3x3") -> bytes:
    return (find_model(f"{game}/{name}").folder / "net.safetensors").read_bytes()


def numbers(run: Run) -> list[Any]:
    return [line["iteration"] for line in read_lines(run.folder / LOG)]


# ---------------------------------------------------------------------------- kills and resumes


@pytest.mark.parametrize("by", mostly_long(TINY_OF, "ppo", "deepcfr"))
def test_a_run_killed_in_mid_air_and_resumed_ends_in_the_same_weights(by: str, data: Path) -> None:
    deals, iterations = 480, 120
    settings = [word for key, value in TINY_OF[by].items() for word in ("--set", f"{key}={value}")]
    words = ["train", "whist3x3", by, "--deals", str(deals), "--seed", "3", "--no-measure"]
    state = run_folder("whist3x3", by, "killed") / "checkpoint" / "state.json"
    process = subprocess.Popen(
        [sys.executable, "-m", "overtrick", *words, "--name", "killed", *settings],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | {"OVERTRICK_QUIET": "1"},
    )
    while process.poll() is None:
        if state.exists():
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.stderr is not None
    with process.stderr:
        said = process.stderr.read()
    assert process.wait() == -signal.SIGKILL, said
    with pytest.raises(UnknownName):
        find_model("whist3x3/killed")
    run = resume_run(load_game("whist3x3"), load_method(by), name="killed")
    assert 0 < len(numbers(run)) < iterations
    go(run)
    assert numbers(run) == [*range(1, iterations + 1)]
    go(begin(by=by, name="whole", deals=deals))
    assert weights("killed") == weights("whole")


def test_ctrl_c_ends_a_run_after_its_iteration_and_tells_how_to_resume(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    step = Direct.step

    def interrupted(self: Direct) -> Any:
        if self.deals == 20:
            signal.raise_signal(signal.SIGINT)
        return step(self)

    run = begin(name="stopped")
    with monkeypatch.context() as patch:
        patch.setattr(Direct, "step", interrupted)
        with pytest.raises(KeyboardInterrupt):
            go(run)
    said = capsys.readouterr().err
    assert "stopped after 24 deals" in said
    assert "overtrick train whist3x3 direct --resume --name stopped" in said
    go(resume_run(load_game("whist3x3"), METHOD, name="stopped"))
    go(begin(name="whole"))
    assert weights("stopped") == weights("whole")


def test_a_checkpoint_is_whole_if_the_process_dies_between_two_renames(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path)
    for number in range(2):
        checkpoints.save({"number": number}, lambda folder: None)
    checkpoints.folder.rename(checkpoints.old)
    (checkpoints.new / "half").mkdir(parents=True)
    found = Checkpoints(tmp_path).load()
    assert found is not None
    assert found[0] == {"number": 1}
    checkpoints.save({"number": 2}, lambda folder: None)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoint"]


def test_a_damaged_checkpoint_is_told_in_one_line() -> None:
    run = begin(deals=8)
    go(run)
    (run.folder / "checkpoint" / "learner.pt").write_bytes(b"nonsense")
    with pytest.raises(DamagedFile, match="is no checkpoint of this run"):
        go(resume_run(load_game("whist3x3"), METHOD, name="tiny", budget=Budget(16)))


def test_a_finished_run_goes_on_with_a_larger_budget_or_is_replaced() -> None:
    go(begin(deals=8))
    longer = go(resume_run(load_game("whist3x3"), METHOD, name="tiny", budget=Budget(16)))
    assert (longer.deals, longer.iterations) == (16, 4)
    assert go(begin(deals=4)).deals == 4


def test_an_unfinished_run_is_never_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    run = begin()
    monkeypatch.setattr("overtrick.learn.run.save_model", fails)
    with pytest.raises(OvertrickError, match="the disk is full"):
        go(run)
    with pytest.raises(BadOption, match="go on with --resume, or give another --name"):
        begin()


def fails(*_: Any, **__: Any) -> None:
    raise OvertrickError("the disk is full")


def test_a_name_that_another_methods_model_has_is_refused_and_nothing_is_left_behind() -> None:
    go(begin(deals=8))
    with pytest.raises(BadOption, match="there is a model whist3x3/tiny already"):
        begin(by="distill", deals=8)
    assert not run_folder("whist3x3", "distill", "tiny").exists()


@pytest.mark.parametrize(
    "mistake", [["--set", "encoding=x"], ["--set", "rate=inf"], ["--workers", "-1"]]
)
def test_a_mistake_leaves_a_finished_run_of_the_same_name_as_it_was(mistake: list[str]) -> None:
    run = begin(deals=8)
    go(run)
    with pytest.raises(OvertrickError):
        app(["train", "whist3x3", "direct", "--name", "tiny", *mistake], standalone_mode=False)
    assert numbers(run) == [1, 2]
    longer = go(resume_run(load_game("whist3x3"), METHOD, name="tiny", budget=Budget(16)))
    assert (longer.deals, longer.iterations) == (16, 4)


FULL_DISK = [
    (OSError(errno.ENOSPC, "No space left on device"), "No space left on device"),
    (RuntimeError("[enforce fail at inline_container.cc:672] . \nframe #0"), "is the disk full?"),
]


@pytest.mark.parametrize(("error", "expected"), FULL_DISK)
def test_a_full_disk_is_told_in_one_line_with_the_command_that_goes_on(
    error: Exception, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: Any) -> None:
        raise error

    run = begin(deals=8)
    with monkeypatch.context() as patch:
        patch.setattr(Direct, "save", no_room)
        with pytest.raises(StorageFault) as fault:
            go(run)
    assert expected in str(fault.value)
    assert "\n" not in str(fault.value)
    assert "overtrick train whist3x3 direct --resume --name tiny" in str(fault.value)
    assert go(resume_run(load_game("whist3x3"), METHOD, name="tiny")).deals == 8


def test_a_run_that_another_process_is_at_is_left_alone() -> None:
    run = begin()
    with only_one(run.folder), pytest.raises(BadOption, match="another process is at work"):
        go(run)


def test_a_run_does_not_take_the_name_of_a_model_it_has_not_made() -> None:
    run = begin(deals=4)
    go(run)
    for path in run.folder.glob("*.json"):
        path.unlink()
    with pytest.raises(BadOption, match="a model whist3x3/tiny already"):
        begin()


def test_a_resumed_run_keeps_its_seed_and_settings() -> None:
    begin()
    game = load_game("whist3x3")
    with pytest.raises(BadOption, match="has seed 3, not 4"):
        resume_run(game, METHOD, name="tiny", seed=4)
    with pytest.raises(BadOption, match="has other settings"):
        resume_run(game, METHOD, name="tiny", config=METHOD.configure(game))
    with pytest.raises(UnknownName, match="known are tiny"):
        resume_run(game, METHOD, name="huge")


# ---------------------------------------------------------------------------- what is kept


def test_the_model_of_a_run_has_its_card_and_a_result_that_can_be_measured_again() -> None:
    trained = go(begin("kuhn", deals=20), measure=True)
    card = find_model("kuhn/tiny").card
    assert (card.method, card.seed, card.deals) == ("direct", 3, 20)
    assert card.config["units"] == 8
    assert [point["deals"] for point in card.curve] == [4, 8, 12, 16, 20]
    assert card.results == [trained.result]
    assert trained.commands() == {
        "play": "overtrick play kuhn --terminal --players direct:kuhn/tiny",
        "measure": card.results[0].command,
    }


def test_a_curve_is_thinned_evenly_and_keeps_what_was_measured() -> None:
    lines: list[dict[str, float | str]] = [{"iteration": n} for n in range(1, 1002)]
    lines[500]["payoff"] = 0.123456789
    curve = thinned(lines)
    assert len(curve) <= 200
    assert curve[-1]["iteration"] == 1001
    assert [point["payoff"] for point in curve if "payoff" in point] == [0.12346]


def test_lines_after_the_checkpoint_are_cut_off(tmp_path: Path) -> None:
    with Journal(tmp_path, 0) as journal:
        for number in (1, 2, 3):
            journal.add({"iteration": number})
    with (tmp_path / LOG).open("a") as log:
        log.write('{"iterat')
    with Journal(tmp_path, 2):
        pass
    assert read_lines(tmp_path / LOG) == [{"iteration": 1}, {"iteration": 2}]


def test_a_loss_that_is_no_number_ends_the_run(tmp_path: Path) -> None:
    with Journal(tmp_path, 0) as journal, pytest.raises(OvertrickError, match="loss is nan"):
        journal.add({"iteration": 1, "loss": math.nan})


# ---------------------------------------------------------------------------- budgets, strength


def test_a_budget_of_deals_depends_on_deals_alone() -> None:
    budget = Budget(deals=200, total=1000)
    assert [budget.progress(deals) for deals in (0, 50, 300)] == [0.0, 0.25, 1.0]
    assert budget.deals_left(150) == 50
    assert Budget(total=1000).deals_left(400) == 600


def test_a_budget_of_minutes_counts_all_sittings() -> None:
    budget = Budget(minutes=10)
    budget.sit_down(earlier=300)
    assert budget.progress(10**9) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    "told", [{"deals": 0}, {"minutes": 0}, {"minutes": math.nan}, {"deals": 1, "minutes": 1}]
)
def test_a_budget_that_makes_no_sense_is_refused(told: Any) -> None:
    with pytest.raises(BadBudget):
        Budget(**told)


def test_strength_is_measured_in_three_percent_of_the_time() -> None:
    game = load_game("kuhn")
    gauge = Gauge(game, "", seed=1)
    assert not gauge.is_due(5)
    assert gauge.is_due(20)
    told = gauge.measure(make_player("random", game), 20)
    assert gauge.spent < 1
    assert abs(told["payoff"]) < 3 * told["payoff_ci95"]  # type: ignore[arg-type, operator]
    gauge.spent = 1.0
    assert not gauge.is_due(33)
    assert gauge.is_due(34)


# ---------------------------------------------------------------------------- methods


def test_every_setting_of_every_method_is_explained() -> None:
    for name in METHODS:
        method = load_method(name)
        assert "default" in method.presets_of(load_game("snapszer"))
        for setting in settings_of(method.config()):
            assert setting.meaning, f"{name}: {setting.name}"


@pytest.mark.parametrize("name", METHODS)
def test_the_page_of_a_method_names_every_setting(name: str) -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "methods" / f"{PAGES.get(name, name)}.md"
    for setting in settings_of(load_method(name).config()):
        assert f"`{setting.name}`" in page.read_text()


def test_settings_are_told_by_key_and_value_also_inside_others() -> None:
    config: Any = METHOD.configure(load_game("kuhn"), "linear", {"steady.cap": "0", "batch": "9"})
    assert (config.layers, config.batch, config.steady.cap) == (0, 9, 0.0)
    usual: Any = METHOD.config()
    assert (config.units, config.steady.l2) == (usual.units, usual.steady.l2)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            ["kuhn", "nonsense"],
            "there is no method 'nonsense'; known are alphazero, belief, deepcfr",
        ),
        (["chess", "direct"], "there is no game 'chess'"),
        ([], "tell a game to learn"),
        (["kuhn"], "tell a method to learn by"),
        (["kuhn", "direct", "--preset", "huge"], "no preset of direct 'huge'; known are default"),
        (["kuhn", "direct", "--set", "size=3"], "no setting of direct 'size'; known are batch"),
        (["kuhn", "direct", "--set", "units=many"], "units: input should be a valid integer"),
        (["kuhn", "direct", "--set", "epsilon=2"], "less than or equal to 1, not '2'"),
        (["kuhn", "direct", "--set", "steady.cap=-1"], "steady.cap: input should be greater"),
        (["kuhn", "direct", "--set", "units.a=1"], "units.a: units has no settings of its own"),
        (["kuhn", "direct", "--set", "units"], "--set wants key=value, not 'units'"),
        (
            ["kuhn", "direct", "--set", "rate=inf"],
            "direct: rate: a finite number is wanted, not inf",
        ),
        (["kuhn", "direct", "--set", "steady.cap=inf"], "steady.cap: a finite number is wanted"),
        (
            ["kuhn", "direct", "--set", "units=9000"],
            "no such net: body_units: input should be less than or equal to 8192, not 9000",
        ),
        (["kuhn", "direct", "--set", "units=8192"], "a net has at most 67,108,864 numbers, not"),
        (["hearts", "alphazero", "--set", "value=side"], "hearts has no two sides"),
        (["kuhn", "direct", "--seed", str(2**63)], "a seed is from 0 to 2**63 - 1, not 92233"),
        (["kuhn", "alphazero", "--set", "playout=x"], "no playout player 'x'"),
        (["kuhn", "alphazero", "--set", "start=x"], "no model 'x'"),
        (["kuhn", "direct", "--set", "variant=x=1"], "no option of kuhn 'x'"),
        (["kuhn", "direct", "--set", "encoding=x"], "no encoding of kuhn 'x'"),
        (["kuhn", "direct", "--name", "A/b"], "a name is made of"),
        (["kuhn", "direct", "--deals", "0"], "1 deal or more, not 0"),
        (["kuhn", "direct", "--deals", "5", "--minutes", "1"], "not both"),
        (["kuhn", "direct", "--seed", "-1"], "a seed is 0 or more, not -1"),
        (["kuhn", "direct", "--workers", "-1"], "0 (all cores) or more, not -1"),
        (["kuhn", "direct", "--resume"], "no run of kuhn direct 'direct'; known are none"),
    ],
)
def test_a_mistake_is_told_in_one_line_and_leaves_no_run_behind(
    words: list[str], expected: str, data: Path
) -> None:
    with pytest.raises(OvertrickError) as error:
        app(["train", *words], standalone_mode=False)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)
    assert not [*data.rglob("run.json")]
    if words[1:] == ["direct"]:
        go(begin("kuhn", name="direct", deals=4))


def test_without_pytorch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(OvertrickError, match=r"pip install 'overtrick\[train\]'"):
        app(["train", "kuhn", "direct"], standalone_mode=False)


def test_with_json_the_command_prints_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    words = [word for key, value in TINY.items() for word in ("--set", f"{key}={value}")]
    app(
        ["train", "kuhn", "direct", "--deals", "4", "--no-measure", "--json", *words],
        standalone_mode=False,
    )
    told = json.loads(capsys.readouterr().out)
    assert (told["player"], told["deals"], told["result"]) == ("direct:kuhn/direct", 4, None)
    assert told["commands"]["measure"].startswith("overtrick arena kuhn direct:kuhn/direct random")


def test_the_methods_are_told_with_presets_and_settings(capsys: pytest.CaptureFixture[str]) -> None:
    app(["train", "kuhn", "direct", "--methods"], standalone_mode=False)
    told = capsys.readouterr().out
    assert "--preset linear  layers=0, rate=0.005" in told
    assert "--set steady.gradient_norm=5.0  longest gradient; 0 for any" in told


def test_nobody_who_plays_waits_for_pytorch() -> None:
    program = (
        "import sys\n"
        "from overtrick.cli import app\n"
        "import overtrick.table.serving\n"
        "app(['play', 'kuhn', '--terminal', '--seat', 'none'], standalone_mode=False)\n"
        "assert 'torch' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
