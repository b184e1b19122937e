"""The frame of all training: a run in its folder, from the first deal to a saved model.

    <data folder>/runs/<game>/<method>/<name>/
        run.json       what the run is: with the commit, all it takes to repeat it
        log.jsonl      a line of metrics an iteration
        tensorboard/   the same, if TensorBoard is installed
        checkpoint/    all that is needed to go on
        snapshots/     nets on the way, each a model by itself, if the method keeps any

A run may be killed at any moment and goes on from its checkpoint. All chance comes from its seed
and from numbers of deals and iterations, so with a budget of deals it ends in the same weights.
"""

from __future__ import annotations

import math
import platform
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import FrameType
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

import overtrick
from overtrick.errors import BadBudget, BadOption, DamagedFile, StorageFault, UnknownName
from overtrick.folders import data_folder
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.learn.budget import Budget
from overtrick.learn.checkpoints import LOCK, Checkpoints, only_one, read_json, write_json
from overtrick.learn.gauge import Gauge, arena_command, final_boards, final_result, fresh_seed
from overtrick.learn.journal import LOG, Journal, Metrics, read_lines, thinned
from overtrick.learn.methods import Learner, Method, load_method, settings_of
from overtrick.learn.progress import Progress, say
from overtrick.learn.workers import LocalWorkers, Workers
from overtrick.models import Model, ModelCard, Result, add_result, find_model, player_of, save_model
from overtrick.models.cards import NAME
from overtrick.models.files import files_of, keep_files
from overtrick.nets.packing import AnySpec

__all__ = [
    "SNAPSHOTS",
    "Learner",
    "Method",
    "Run",
    "Trained",
    "begin_run",
    "resume_run",
    "run_folder",
    "train",
]

Stopped = Callable[[], bool]
Nets = Mapping[str, tuple[AnySpec, Mapping[str, Any]]]
SNAPSHOTS = "snapshots"
PACKAGES = ("overtrick", "numpy", "numba", "torch")


class RunCard(BaseModel):
    """What `run.json` says."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    game: str
    variant: str
    method: str
    name: str
    config: dict[str, Any]
    seed: int
    deals: int | None
    minutes: float | None
    versions: dict[str, str]
    commit: str
    created: str
    finished: bool = False


@dataclass(frozen=True)
class Run:
    """A run and where it is kept."""

    card: RunCard
    folder: Path

    @property
    def game(self) -> Game:
        """The game that is learned."""
        return load_game(self.card.game)

    @property
    def method(self) -> Method:
        """How it is learned."""
        return load_method(self.card.method)

    @property
    def config(self) -> BaseModel:
        """With which settings."""
        return self.method.config_from(self.card.config)

    def budget(self) -> Budget:
        """For how long."""
        return Budget(self.card.deals, self.card.minutes)

    def resuming(self) -> str:
        """The command that goes on with it."""
        words = ["overtrick", "train", self.card.game, self.card.method, "--resume"]
        return shlex.join([*words, "--name", self.card.name])

    def changed(self, **values: Any) -> Run:
        """The same run with other words on its card, which are written down."""
        run = Run(self.card.model_copy(update=values), self.folder)
        write_json(run.folder / "run.json", run.card.model_dump(mode="json"))
        return run


@dataclass(frozen=True)
class Trained:
    """What a run has come to."""

    run: Run
    model: Model
    player: str
    deals: int
    iterations: int
    minutes: float
    result: Result | None

    def commands(self) -> dict[str, str]:
        """The commands that play and measure the model."""
        card = self.run.card
        play = ["overtrick", "play", card.game, "--terminal", "--players", self.player]
        play += ["--variant", card.variant] if card.variant else []
        seed = fresh_seed(card.seed, card.method, card.name)
        measure = arena_command(self.run.game, self.player, card.variant, 1000, seed)
        return {
            "play": shlex.join(play),
            "measure": self.result.command if self.result else measure,
        }


# ---------------------------------------------------------------------------- begin, resume


def run_folder(game: str, method: str, name: str) -> Path:
    """Where a run is kept."""
    if not NAME.fullmatch(name):
        raise BadOption(f"a name is made of a-z, 0-9, '.', '_' and '-', not {name!r}")
    return data_folder() / "runs" / game / method / name


def begin_run(
    game: Game, method: Method, config: BaseModel, *, name: str, seed: int, budget: Budget
) -> Run:
    """A new run; a finished one of the same name is replaced, an unfinished one is not."""
    folder = run_folder(game.name, method.name, name)
    variant = game.variant_of(getattr(config, "variant", "") or None).text()
    card = RunCard(
        game=game.name,
        variant=variant,
        method=method.name,
        name=name,
        config=config.model_dump(mode="json"),
        seed=seed,
        deals=budget.deals,
        minutes=budget.minutes,
        versions=_versions(),
        commit=_commit(),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    _check_settings(game, method, config, seed, budget)
    is_known = (folder / "run.json").exists()
    if not is_known:
        _check_no_other_model(game, name)
    with only_one(folder):
        if is_known and Checkpoints(folder).load() and not _read_card(folder).finished:
            raise BadOption(
                f"there is an unfinished run {game.name} {method.name} {name}: "
                "go on with --resume, or give another --name"
            )
        for path in folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif not path.name.startswith(LOCK):
                path.unlink()
        return Run(card, folder).changed()


def _check_settings(
    game: Game, method: Method, config: BaseModel, seed: int, budget: Budget
) -> None:
    """Refuse what no learner can begin with, before anything is written or replaced."""
    if not 0 <= seed < 2**63:
        raise BadOption(f"a seed is from 0 to 2**63 - 1, not {seed}")
    for one in settings_of(config):
        if isinstance(one.value, float) and not math.isfinite(one.value):
            raise BadOption(
                f"{method.name}: {one.name}: a finite number is wanted, not {one.value}"
            )
    trial, workers = Budget(budget.deals, budget.minutes), LocalWorkers(1)
    try:
        trial.total = method.begin(game, config, workers, seed, trial).total
    finally:
        workers.close()
    _check_end(method.name, trial)


def _check_end(method: str, budget: Budget) -> None:
    if budget.deals is None and budget.minutes is None and budget.total is None:
        raise BadBudget(f"{method} has no end by itself: tell --deals or --minutes")


def resume_run(
    game: Game,
    method: Method,
    *,
    name: str,
    config: BaseModel | None = None,
    seed: int | None = None,
    budget: Budget | None = None,
) -> Run:
    """A run to go on with; what is told must be as it was begun, but for the budget."""
    folder = run_folder(game.name, method.name, name)
    if not (folder / "run.json").exists():
        known = sorted(path.parent.name for path in folder.parent.glob("*/run.json"))
        raise UnknownName(f"run of {game.name} {method.name}", name, known)
    run = Run(_read_card(folder), folder)
    if seed is not None and seed != run.card.seed:
        raise BadOption(f"run {name} has seed {run.card.seed}, not {seed}; leave it out to resume")
    if config is not None and config != run.config:
        raise BadOption(f"run {name} has other settings; leave them out to resume")
    if budget is not None and (budget.deals or budget.minutes):
        run = run.changed(deals=budget.deals, minutes=budget.minutes, finished=False)
    return run


def _read_card(folder: Path) -> RunCard:
    told = read_json(folder / "run.json")
    try:
        return RunCard(**told)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise DamagedFile(f"{folder / 'run.json'}: {where}: {first['msg']}") from None


def _check_no_other_model(game: Game, name: str) -> None:
    """Refuse a name under which the user keeps a model that no such run has made."""
    try:
        model = find_model(f"{game.name}/{name}")
    except UnknownName:
        return
    if not model.is_shipped:
        raise BadOption(f"there is a model {game.name}/{name} already; give another --name")


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _commit() -> str:
    """The commit of a checkout, `-dirty` if there are changes; nothing where there is none."""
    root = Path(overtrick.__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return ""
    words = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


# ---------------------------------------------------------------------------- the loop


def train(run: Run, workers: Workers, *, measure: bool = True) -> Trained:
    """Go on with a run until its budget is spent, save its model, and measure it.

    Ctrl-C ends it after the present iteration, with a checkpoint.
    """
    with only_one(run.folder), _keeping(run):
        budget = run.budget()
        learner = run.method.begin(run.game, run.config, workers, run.card.seed, budget)
        budget.total = learner.total
        if hasattr(learner, "snapshot"):  # one that keeps nets on the way
            learner.snapshot = partial(_keep_snapshot, run, learner)
        _check_end(run.card.method, budget)
        gauge = Gauge(run.game, run.card.variant, run.card.seed)
        with stop_wishes() as is_stopped:
            iterations = _learn(run, learner, budget, gauge if measure else None, is_stopped)
            if is_stopped() and budget.progress(learner.deals) < 1:
                say(f"stopped after {learner.deals:,} deals; go on with: {run.resuming()}")
                raise KeyboardInterrupt
        return _finish(run, learner, iterations, budget, measure)


@contextmanager
def _keeping(run: Run) -> Iterator[None]:
    """Tell in one line of a disk that is full, or gone; the last checkpoint is whole."""
    try:
        yield
    except BrokenPipeError:  # whoever read our output has gone
        raise
    except OSError as error:
        why = error.strerror or error
        raise StorageFault(
            f"run {run.folder} cannot be kept: {why}; go on with: {run.resuming()}"
        ) from None


def _keep_snapshot(run: Run, learner: Learner, label: str, nets: Nets) -> None:
    """Keep a net on the way as a model of its own, `RUN/snapshots/LABEL`: for `arena-curve`."""
    card = _model_card(run, learner, label, 0.0)
    keep_files(files_of(card, nets), run.folder / SNAPSHOTS / label)


def _learn(run: Run, learner: Learner, budget: Budget, gauge: Gauge | None, is_stopped: Any) -> int:
    """Iterate until the budget is spent or somebody wishes to stop; how often."""
    checkpoints = Checkpoints(run.folder)
    iterations = _restore(checkpoints, learner, budget, gauge)
    with Journal(run.folder, iterations) as journal, Progress(budget, learner.deals) as progress:
        while budget.progress(learner.deals) < 1 and not is_stopped():
            metrics = learner.step()
            iterations += 1
            line: Metrics = {"iteration": iterations, "deals": learner.deals}
            line |= {"minutes": budget.seconds / 60, **metrics}
            if gauge and gauge.is_due(budget.seconds):
                begun = time.perf_counter()
                player = learner.player()  # who may first have to be taught, as an average net
                gauge.spent += time.perf_counter() - begun
                line |= gauge.measure(player, budget.seconds)
            journal.add(line)
            progress.update(learner.deals, metrics, str(gauge or ""))
            if checkpoints.is_due:
                _save(checkpoints, learner, iterations, budget, gauge)
        _save(checkpoints, learner, iterations, budget, gauge)
    return iterations


def _save(
    checkpoints: Checkpoints,
    learner: Learner,
    iterations: int,
    budget: Budget,
    gauge: Gauge | None,
) -> None:
    state = {
        "iterations": iterations,
        "seconds": budget.seconds,
        "measuring": [gauge.spent, gauge.last] if gauge else [0.0, 0.0],
    }
    checkpoints.save(state, learner.save)


def _restore(
    checkpoints: Checkpoints, learner: Learner, budget: Budget, gauge: Gauge | None
) -> int:
    """Bring everything to where the checkpoint stood; the number of its iterations."""
    found = checkpoints.load()
    if found is None:
        budget.sit_down(0.0)
        return 0
    state, folder = found
    try:
        learner.load(folder)
        iterations, seconds = int(state["iterations"]), float(state["seconds"])
        spent, last = map(float, state["measuring"])
    except Exception as error:  # whatever a learner finds wrong with its files
        why = str(error).partition("\n")[0]
        raise DamagedFile(f"{folder} is no checkpoint of this run: {why}") from error
    if gauge:
        gauge.spent, gauge.last = spent, last
    budget.sit_down(seconds)
    return iterations


@contextmanager
def stop_wishes() -> Iterator[Stopped]:
    """Take Ctrl-C, the first time, as a wish that can be asked for; the second time it ends all."""
    wished = threading.Event()

    def wish(number: int, frame: FrameType | None) -> None:
        if wished.is_set():
            raise KeyboardInterrupt
        wished.set()
        say("stopping after this iteration; once more to stop at once")

    if threading.current_thread() is not threading.main_thread():
        yield wished.is_set
        return
    before = {number: signal.signal(number, wish) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield wished.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# ---------------------------------------------------------------------------- the end


def _finish(run: Run, learner: Learner, iterations: int, budget: Budget, measure: bool) -> Trained:
    """Save the model with its card, measure it, and mark the run as finished."""
    minutes = budget.seconds / 60
    card = _model_card(run, learner, run.card.name, minutes, thinned(read_lines(run.folder / LOG)))
    model = save_model(card, learner.nets(), replace=True)
    player = player_of(model)
    result = _measured(run, model, player) if measure else None
    return Trained(
        run.changed(finished=True), model, player, learner.deals, iterations, minutes, result
    )


def _model_card(
    run: Run, learner: Learner, name: str, minutes: float, curve: Any = ()
) -> ModelCard:
    """Who a model of this run is."""
    card = run.card
    return ModelCard(
        game=card.game,
        name=name,
        title=name.replace("-", " ").capitalize(),
        variant=card.variant,
        method=card.method,
        config=card.config,
        seed=card.seed,
        commit=card.commit,
        created=datetime.now(UTC).date().isoformat(),
        deals=learner.deals,
        minutes=round(minutes, 2),
        curve=list(curve),
        results=[],
        summary=run.method.summary,
    )


def _measured(run: Run, model: Model, player: str) -> Result:
    """Measure a model on fresh boards, and note the result on its card."""
    game, card = run.game, run.card
    boards = final_boards(game, player)
    seed = fresh_seed(card.seed, card.method, card.name)
    say(f"measuring {player} on {boards} boards")
    result = final_result(game, player, variant=card.variant, boards=boards, seed=seed)
    add_result(model, result)
    return result
