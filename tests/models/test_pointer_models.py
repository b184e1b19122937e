"""Models whose net is a pointer net: kept, shown, passed on, played, and refused when damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from models.small_models import card_of, saved
from models.test_cli_models import Run
from nets.some_nets import pointer_numbers, some_deals, their_views
from overtrick.errors import BadOption, DamagedFile
from overtrick.games import load_game
from overtrick.jit import streams
from overtrick.learn.starting import starting_tensors
from overtrick.models import (
    Model,
    export_model,
    find_model,
    import_model,
    list_models,
    save_model,
    verify_model,
)
from overtrick.nets.packing import evaluator_of
from overtrick.nets.pointer import PackedPointer
from overtrick.nets.pointer_spec import pointer_spec_for
from overtrick.nets.spec import spec_for
from overtrick.players import make_player

pytestmark = pytest.mark.usefixtures("home")


def kept(game: str = "kuhn", method: str = "distill", **more: Any) -> Model:
    """A pointer net among the user's models."""
    spec = pointer_spec_for(load_game(game), size="small", hands=True)
    names = ("follow", "lead") if method == "direct" else ("main",)
    nets = {net: (spec, pointer_numbers(spec)) for net in names}
    return save_model(card_of(game=game, name="pointer", method=method, **more), nets)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return Run(capsys, monkeypatch)


# ---------------------------------------------------------------------------- kept and passed on


def test_a_pointer_net_is_found_again_as_it_was_kept() -> None:
    model = kept()
    found = find_model("kuhn/pointer")
    spec = pointer_spec_for(load_game("kuhn"), size="small", hands=True)
    assert found.nets == {"main": spec} == model.nets
    told = pointer_numbers(spec)
    assert found.tensors()["main"].keys() == told.keys()
    assert all(np.array_equal(found.tensors()["main"][name], told[name]) for name in told)
    assert isinstance(found.packed(load_game("kuhn"))["main"], PackedPointer)
    verify_model("kuhn/pointer")


def test_both_kinds_are_listed_side_by_side(run: Run) -> None:
    kept()
    saved()
    assert [model.nets["main"].kind for model in list_models("kuhn")] == ["mlp", "pointer"]
    out, _ = run("list")
    assert "ptr32x1+1/h2+hands" in out
    assert "8x1/h0" in out


def test_a_pointer_net_is_shown_in_words_and_as_json(run: Run) -> None:
    spec = kept().nets["main"]
    out, _ = run("show", "kuhn/pointer")
    assert f"ptr32x1+1/h2+hands, {spec.parameters:,} parameters" in out
    assert "tokens@1" in out
    told = json.loads(run("show", "kuhn/pointer", "--json")[0])
    assert told["nets"]["main"]["kind"] == "pointer"
    assert told["parameters"] == spec.parameters


def test_a_pointer_net_is_passed_on_as_one_file(tmp_path: Path) -> None:
    model = kept()
    path = export_model("kuhn/pointer", tmp_path / "pointer.zip")
    again = import_model(path, replace=True)
    assert again.card == model.card
    assert again.nets == model.nets


def test_a_spec_that_tells_no_kind_is_one_of_plain_layers() -> None:
    folder = saved().folder
    told = json.loads((folder / "spec.json").read_text())
    assert told["nets"]["main"].pop("kind") == "mlp"
    (folder / "spec.json").write_text(json.dumps(told))
    assert find_model("kuhn/captain").nets["main"].kind == "mlp"


# ---------------------------------------------------------------------------- played


@pytest.mark.parametrize("name", ["kuhn", "snapszer"])
def test_a_pointer_net_plays_what_it_points_at(name: str) -> None:
    game = load_game(name)
    model = kept(name)
    player = make_player(f"net:{name}/pointer", game)
    views = their_views(some_deals(game, 30))
    choices = player.choose(views, streams(len(views), 1, "player"))
    weights, _ = evaluator_of(game, model.packed(game)["main"]).weigh(views)
    assert choices.tolist() == weights.argmax(axis=1).tolist()
    advice = next(iter(player.advise(views[:1], streams(1, 1, "player")[0])))
    assert sum(weighed.probability for weighed in advice.choices) == pytest.approx(1)


@pytest.mark.parametrize(("player", "method"), [("alphazero", "alphazero"), ("direct", "direct")])
def test_a_pointer_net_is_no_player_of_another_kind(player: str, method: str) -> None:
    kept(method=method)
    with pytest.raises(BadOption, match="is a pointer net, which plays by itself only") as refused:
        make_player(f"{player}:kuhn/pointer", load_game("kuhn"))
    assert "\n" not in str(refused.value)


def test_a_run_of_plain_layers_does_not_start_from_a_pointer_net() -> None:
    kept()
    game = load_game("kuhn")
    with pytest.raises(BadOption, match="its net is a pointer net"):
        starting_tensors(game, "kuhn/pointer", spec_for(game, units=8, layers=1, head=0))


# ---------------------------------------------------------------------------- damaged


def spec_with(**more: Any) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        told = json.loads((folder / "spec.json").read_text())
        told["nets"]["main"].update(more)
        (folder / "spec.json").write_text(json.dumps(told))

    return spoil


def tensors_with(how: Callable[[dict[str, Any]], Any]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        found = dict(load_file(folder / "net.safetensors"))
        how(found)
        (folder / "net.safetensors").unlink()
        save_file(found, folder / "net.safetensors")

    return spoil


def holed(found: dict[str, Any]) -> None:
    found["main/embed.rank"] = np.full_like(found["main/embed.rank"], np.nan)


SPOILT: dict[str, tuple[Callable[[Path], None], str]] = {
    "an unknown kind": (
        spec_with(kind="magic"),
        "main: a net is mlp or pointer or approximator, not 'magic'",
    ),
    "a kind that is no text": (spec_with(kind=[1]), "a net is mlp or pointer"),
    "the other kind": (spec_with(kind="mlp"), "spec.json: main: "),
    "other tokens": (spec_with(digest="0" * 16), "made for other tokens than kuhn's of today"),
    "another game": (spec_with(game="leduc"), "this net plays leduc, not kuhn"),
    "other actions": (spec_with(actions=99), "this net has 99 actions, kuhn has 2"),
    "fewer cards": (spec_with(cards=2), "this net has 2 cards, kuhn has 3"),
    "fewer suits than cards name": (spec_with(suits=2), "this net has 2 suits, kuhn has 1"),
    "fewer positions": (spec_with(positions=1), "this net has 1 positions"),
    "other facts": (spec_with(facts=1), "this net has 1 facts"),
    "other scores": (spec_with(scores=5), "this net has 5 scores"),
    "too many values": (spec_with(values=9), "9 values for each side do not fit kuhn"),
    "a width out of bounds": (spec_with(width=1 << 40), "main: width: "),
    "heads that do not fit": (spec_with(heads=3), "3 heads do not share a width of 32 evenly"),
    "too large a net": (
        spec_with(width=1024, layers=32, hand_layers=32, feed=16),
        "the nets are too large",
    ),
    "a field too many": (spec_with(colour="blue"), "main: colour: Extra inputs"),
    "a number as text": (spec_with(layers="2"), "main: layers: "),
    "another shape": (
        tensors_with(lambda t: t.update({"main/embed.start": np.zeros((2, 32), np.float32)})),
        r"main/embed.start has the shape \(2, 32\), not \(1, 32\)",
    ),
    "a tensor too few": (
        tensors_with(lambda t: t.pop("main/pointer.key.bias")),
        "'main/pointer.key.bias' is missing",
    ),
    "a tensor too many": (
        tensors_with(lambda t: t.update({"main/body.0.bias": np.zeros(3, np.float32)})),
        "'main/body.0.bias' belongs to no layer",
    ),
    "not a number": (tensors_with(holed), "main/embed.rank has numbers that are not finite"),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_damaged_pointer_net_is_refused_in_one_line(what: str) -> None:
    folder = kept().folder
    spoil, told = SPOILT[what]
    spoil(folder)
    with pytest.raises(DamagedFile, match=told) as refused:
        find_model("kuhn/pointer")
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 500
    with pytest.raises(DamagedFile, match=told):
        import_model(folder, replace=True)
    assert list_models("kuhn") == []
