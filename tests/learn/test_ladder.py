"""The ladder: its tiers as the guide has them, budgets shared out, verdicts, a tiny one whole."""

from __future__ import annotations

import csv
import json
import math
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from overtrick.arena.statistics import Estimate
from overtrick.cli import app
from overtrick.errors import BadBudget, BadOption, UnknownName
from overtrick.games import game_names, load_game
from overtrick.learn import ladder, tiers
from overtrick.learn.ladder import Step, is_trained, measure_ladder, train_tiers, verdict
from overtrick.learn.tiers import TIERS, USUAL, Tier, shared_out, tiers_between, usual_boards
from overtrick.models import ModelCard, find_model, save_model
from overtrick.nets.spec import spec_for

WHIST = load_game("whist3x3")
TINY = (
    Tier("direct", "direct", 8, 1, 0, 60),
    Tier("pawn", "alphazero", 8, 1, 4, 60, (2, 4), 2),
)

# name, network, games, simulations x determinizations
GUIDE = """
Direct   128x2       20000   none
Pawn     32x1/h16    2000    30x3
Scout    64x2/h32    4500    40x3
Knight   64x2/h32    8000    50x4
Bishop   128x2/h64   15000   60x5
Rook     128x2/h64   20000   60x5
Captain  128x3/h64   48000   80x6
General  256x4/h128  100000  150x8
Marshal  256x4/h128  200000  200x12
"""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of one's own."""
    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


# ---------------------------------------------------------------------------- tiers


def test_the_tiers_are_those_of_the_guide() -> None:
    rows = [line.split() for line in GUIDE.split("\n") if line]
    found = [
        [
            tier.name.capitalize(),
            f"{tier.units}x{tier.layers}" + (f"/h{tier.head}" if tier.head else ""),
            str(tier.deals),
            "x".join(map(str, tier.guide)) if tier.sims else "none",
        ]
        for tier in TIERS
    ]
    assert found == rows


def test_a_tier_has_the_simulations_of_the_guide_over_more_worlds() -> None:
    searching = [tier for tier in TIERS if tier.sims]
    assert all(tier.sims * tier.worlds == math.prod(tier.guide) for tier in searching)
    assert all(tier.worlds > tier.guide[1] for tier in searching)


def test_snapszer_has_the_deals_of_the_guide_and_longer_games_have_fewer() -> None:
    snapszer, hearts = load_game("snapszer"), load_game("hearts")
    assert [tier.deals_in(snapszer) for tier in TIERS] == [tier.deals for tier in TIERS]
    assert all(tier.deals_in(hearts) < tier.deals / 2 for tier in TIERS)


def test_a_captain_of_snapszer_takes_about_twenty_minutes_on_two_cores() -> None:
    captain, general, marshal = TIERS[6:]
    game = load_game("snapszer")
    assert 15 < captain.minutes(game, cores=2) < 30
    assert 2 < general.minutes(game, cores=2) / 60 < 5
    assert 8 < marshal.minutes(game, cores=2) / 60 < 20


def test_the_page_tells_the_tiers_as_they_are() -> None:
    page = Path(__file__).parents[2] / "docs/ladder.md"
    written = runpy.run_path(str(page.with_suffix(".py")))
    assert written["tiers"]() in page.read_text()


@pytest.mark.parametrize("name", game_names())
def test_the_usual_tiers_of_every_game_take_less_than_an_hour(name: str) -> None:
    game = load_game(name)
    assert sum(tier.minutes(game, cores=2) for tier in TIERS[:USUAL]) < 60


def test_a_tier_plays_with_the_budget_of_its_training_or_with_that_of_all() -> None:
    direct, pawn = TIERS[:2]
    equal = {"sims": 80, "worlds": 6}
    assert direct.player(WHIST, equal) == "direct:whist3x3/direct"
    assert pawn.player(WHIST) == "alphazero:whist3x3/pawn,sims=9,worlds=10"
    assert pawn.player(WHIST, equal) == "alphazero:whist3x3/pawn,sims=80,worlds=6"


def test_the_settings_of_a_captain_are_the_usual_ones_of_alphazero() -> None:
    pytest.importorskip("torch")
    from overtrick.learn.alphazero import AlphaZeroConfig

    captain = TIERS[6].settings(load_game("snapszer"))
    assert AlphaZeroConfig(**captain) == AlphaZeroConfig()


@pytest.mark.parametrize(
    ("first", "count", "expected"),
    [
        ("", None, (0, 7)),
        ("", 4, (0, 4)),
        ("Bishop", None, (4, 7)),
        ("t5", None, (5, 7)),
        ("general", None, (7, 9)),
        ("captain", 8, (6, 8)),
    ],
)
def test_general_and_marshal_are_trained_only_if_asked_for(
    first: str, count: int | None, expected: tuple[int, int]
) -> None:
    assert tiers_between(first, count) == expected


def test_games_with_long_boards_are_measured_on_fewer_of_them() -> None:
    assert usual_boards(load_game("snapszer")) == 1000
    assert usual_boards(load_game("hearts")) == 100


def test_tiers_that_there_are_not_are_refused() -> None:
    with pytest.raises(UnknownName, match="no tier 'king'; known are bishop"):
        tiers_between("king")
    with pytest.raises(BadBudget, match="1 to 9, not 10"):
        tiers_between("", 10)
    with pytest.raises(BadBudget, match="rook is not among the first 3 tiers: direct, pawn, scout"):
        tiers_between("rook", 3)


def test_minutes_are_shared_out_in_proportion_to_the_estimates() -> None:
    game = load_game("snapszer")
    shares = shared_out(28, TIERS[:USUAL], game)
    assert sum(shares.values()) == pytest.approx(28)
    captain, rook = TIERS[6], TIERS[5]
    expected = captain.minutes(game) / rook.minutes(game)
    assert shares["captain"] / shares["rook"] == pytest.approx(expected)
    with pytest.raises(BadBudget, match="more than 0 minutes, not 0"):
        shared_out(0, TIERS, game)


# ---------------------------------------------------------------------------- verdicts


def step(tier: str, other: str, mean: float, ci95: float) -> Step:
    return Step(tier, other, Estimate(mean, ci95, 100))


def test_a_tier_is_below_or_above_where_its_interval_leaves_zero_out() -> None:
    level = step("scout", "pawn", -0.04, 0.05)
    assert not level.is_below and not level.is_above
    assert step("scout", "pawn", -0.06, 0.05).is_below
    assert step("scout", "pawn", 0.06, 0.05).is_above


def test_the_verdict_names_who_is_out_of_order() -> None:
    up = step("direct", "random", 1.0, 0.1)
    level = step("scout", "pawn", -0.04, 0.05)
    below = step("knight", "scout", -0.2, 0.05)
    assert verdict([up, level], [up]) == [
        "no tier is significantly below the one before",
        "every second tier is clearly above",
    ]
    assert verdict([up], []) == ["no tier is significantly below the one before"]
    assert verdict([up, below], [up, level]) == [
        "significantly below the one before: knight -0.200 ± 0.050 against scout",
        "not clearly above the second before: scout -0.040 ± 0.050 against pawn",
    ]


def test_steps_go_from_each_tier_to_the_one_so_many_places_before() -> None:
    result: Any = SimpleNamespace(
        players=("random", "direct", "pawn", "rulebook:strong"),
        against=lambda one, other: Estimate(10 * one + other, 0, 1),
    )
    names = ["random", "direct", "pawn"]
    single, double = (ladder.steps(result, names, apart) for apart in (1, 2))
    assert [(one.tier, one.other) for one in single] == [("direct", "random"), ("pawn", "direct")]
    assert [one.margin.mean for one in single] == [10, 21]
    assert [(one.tier, one.margin.mean) for one in double] == [("pawn", 20)]


# ---------------------------------------------------------------------------- models


def keep_untrained(tier: Tier, *, seed: int = 1, deals: int = 60, minutes: float = 0.1) -> Any:
    """A model with the settings of a tier and random weights."""
    spec = spec_for(WHIST, units=tier.units, layers=tier.layers, head=tier.head)
    rng = np.random.default_rng(seed)
    tensors = {}
    for layer in spec.layers():
        shape = layer.outputs, layer.inputs
        tensors[f"{layer.name}.weight"] = rng.normal(0, 0.3, shape).astype(np.float32)
        tensors[f"{layer.name}.bias"] = np.zeros(layer.outputs, dtype=np.float32)
    card = ModelCard(
        game=WHIST.name,
        name=tier.name,
        title=tier.name,
        method="alphazero",
        config=tier.settings(WHIST),
        seed=seed,
        created="2025-01-01",
        deals=deals,
        minutes=minutes,
    )
    return save_model(card, {"main": (spec, tensors)}, replace=True)


def test_a_tier_is_trained_with_its_settings_its_seed_and_all_its_deals_or_minutes() -> None:
    pawn = TINY[1]
    model = keep_untrained(pawn)
    assert is_trained(model, pawn, WHIST, seed=1)
    assert not is_trained(model, pawn, WHIST, seed=2)
    assert not is_trained(model, Tier("pawn", "alphazero", 9, 1, 4, 60, (2, 4), 2), WHIST, seed=1)
    shorter = keep_untrained(pawn, deals=30, minutes=3.0)
    assert not is_trained(shorter, pawn, WHIST, seed=1)
    assert is_trained(shorter, pawn, WHIST, seed=1, minutes=3.0)
    assert not is_trained(shorter, pawn, WHIST, seed=1, minutes=4.0)


def test_only_what_is_not_trained_is_trained_and_nothing_else_is_overwritten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trained: list[tuple[str, float | None]] = []

    def note(tier: Tier, game: object, *, seed: int, minutes: float | None, replace: bool) -> None:
        trained.append((tier.name, minutes))

    monkeypatch.setattr(ladder, "train_tier", note)
    keep_untrained(TINY[1])
    told: list[str] = []
    train_tiers(TINY, WHIST, seed=1, tell=told.append)
    assert trained == [("direct", None)]
    assert told[0] == "pawn is kept: 60 deals, seed 1"
    with pytest.raises(BadOption, match=r"whist3x3/pawn .*another way \(60 deals, seed 1\)"):
        train_tiers(TINY, WHIST, seed=2)
    assert trained == [("direct", None)]
    train_tiers(TINY, WHIST, seed=2, replace=True, minutes=6)
    assert [name for name, _ in trained[1:]] == ["direct", "pawn"]
    assert sum(minutes or 0 for _, minutes in trained[1:]) == pytest.approx(6)


def test_a_training_that_was_stopped_is_gone_on_with_and_another_one_is_not_mixed_in() -> None:
    pytest.importorskip("torch")
    from overtrick.learn.budget import Budget
    from overtrick.learn.methods import load_method
    from overtrick.learn.run import begin_run

    pawn, method = TINY[1], load_method("alphazero")
    config = method.config_from(pawn.settings(WHIST))
    begun = begin_run(WHIST, method, config, name="pawn", seed=1, budget=Budget())
    with pytest.raises(BadOption, match="unfinished run whist3x3 alphazero pawn with other"):
        ladder.train_tier(pawn, WHIST, seed=2)
    assert ladder.train_tier(pawn, WHIST, seed=1).card.deals == 60
    assert json.loads((begun.folder / "run.json").read_text())["created"] == begun.card.created
    assert ladder.train_tier(pawn, WHIST, seed=2, replace=True).card.seed == 2


def test_boards_are_played_again_only_for_a_model_that_has_changed(data: Path) -> None:
    def boards() -> int:
        measure_ladder(TINY, WHIST, boards=4, seed=1)
        return len([*(data / "ladders/whist3x3/boards").iterdir()])

    keep_untrained(TINY[1], seed=1)
    assert boards() == 1
    assert boards() == 1
    keep_untrained(TINY[1], seed=2)
    assert boards() == 2


# ---------------------------------------------------------------------------- the commands


def test_a_tiny_ladder_is_trained_measured_written_and_kept(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(tiers, "TIERS", TINY)
    words = ["ladder", "whist3x3", "--tiers", "2", "--boards", "20", "--json"]
    first = CliRunner().invoke(app, words, catch_exceptions=False)
    told = json.loads(first.stdout)
    assert [tier["deals"] for tier in told["tiers"]] == [60, 60]
    assert [tier["net"] for tier in told["tiers"]] == ["8×1", "8×1/h4"]
    assert [tier["search"] for tier in told["tiers"]] == ["none", "4 × 2"]
    assert {one["player"] for one in told["ratings"]} == {"random", "direct", "pawn"}
    assert len(told["verdict"]) == 2 and told["missing"] == []
    folder = data / "ladders/whist3x3"
    assert json.loads((folder / "ladder.json").read_text())["verdict"] == told["verdict"]
    margins = csv.DictReader((folder / "ladder-margins.csv").read_text().splitlines())
    assert [(one["player"], one["against"]) for one in margins] == [
        ("direct", "random"),
        ("pawn", "direct"),
        ("pawn", "random"),
    ]
    assert (folder / "ladder.png").exists()
    noted = find_model("whist3x3/pawn").card.results[0]
    assert noted.command.startswith("overtrick arena whist3x3 random alphazero:whist3x3/pawn")
    again = CliRunner().invoke(app, words, catch_exceptions=False)
    assert "direct is kept" in again.stderr and "pawn is kept" in again.stderr
    assert json.loads(again.stdout)["pairs"] == told["pairs"]


def test_missing_tiers_are_told_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "TIERS", TINY)
    keep_untrained(TINY[1])
    words = ["ladder", "whist3x3", "--eval-only", "--tiers", "2", "--boards", "4"]
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert done.exit_code == 0
    assert "not trained, so not measured: direct" in done.stderr
    assert "points a deal against" in done.stdout
    assert "significantly below the one before" in done.stdout


def test_strength_has_a_cell_for_every_number_of_simulations_and_worlds(tmp_path: Path) -> None:
    keep_untrained(TINY[1])
    picture = tmp_path / "strength.png"
    words = ["strength", "whist3x3", "pawn", "--sims", "4,2", "--worlds", "1,3", "--boards", "4"]
    done = CliRunner().invoke(app, [*words, "--json", "--plot", str(picture)])
    told = json.loads(done.stdout)
    assert told["opponent"].startswith("alphazero:whist3x3/pawn,sims=80,worlds=80")
    assert [(one["sims"], one["worlds"]) for one in told["cells"]] == [
        (2, 1),
        (2, 3),
        (4, 1),
        (4, 3),
    ]
    assert all(one["ms_per_choice"] > 0 for one in told["cells"])
    assert picture.exists()
    shown = CliRunner().invoke(app, [*words, "--opponent", "random"]).stdout
    assert "whist3x3/pawn against random" in shown
    assert shown.count(" ms") == 4


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ladder", "chess"], "there is no game 'chess'"),
        (["ladder", "whist3x3", "--tiers", "0"], "the number of tiers is 1 to 9, not 0"),
        (["ladder", "whist3x3", "--from-tier", "king"], "there is no tier 'king'"),
        (["ladder", "whist3x3", "--boards", "1"], "the number of boards is 2 or more, not 1"),
        (["ladder", "whist3x3", "--minutes", "-1"], "more than 0 minutes, not -1"),
        (["ladder", "whist3x3", "--equal", "sims=0"], "--sims are from 1 to 100000, not '0'"),
        (["ladder", "whist3x3", "--equal", "ms=9"], "--equal is sims=N,worlds=N, not 'ms=9'"),
        (["ladder", "whist3x3", "--plot", "x.doc"], "a picture ends in .png, .svg, .pdf"),
        (["ladder", "whist3x3", "--plot", "no/x.png"], "there is no folder no for a picture"),
        (["ladder", "whist3x3", "--eval-only"], "whist3x3: no tier is trained yet"),
        (["ladder", "whist3x3", "--eval-only", "--minutes", "3"], "--eval-only trains nothing"),
        (["strength", "whist3x3", "nobody"], "there is no model 'nobody'"),
        (["strength", "whist3x3", "./nobody"], "a model is measured by its name"),
        (["strength", "whist3x3", "nobody", "--sims", "4,x"], "--sims are whole numbers by commas"),
        (["strength", "whist3x3", "nobody", "--worlds", "0"], "--worlds are from 1 to 100000"),
        (["strength", "whist3x3", "nobody", "--boards", "0"], "boards is 2 or more, not 0"),
    ],
)
def test_a_mistake_gets_one_clear_line(words: list[str], expected: str) -> None:
    error = CliRunner().invoke(app, words).exception
    assert expected in str(error)
    assert "\n" not in str(error)
