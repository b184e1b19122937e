"""Models are kept whole, found by name, and passed on as one file."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from models.small_models import RESULT, card_of, nets_of, saved
from overtrick.errors import BadOption, DamagedFile, StorageFault, UnknownName
from overtrick.games import load_game
from overtrick.models import (
    METHODS,
    add_result,
    export_model,
    find_model,
    import_model,
    list_models,
    model_names,
    player_of,
    save_model,
    store,
)
from overtrick.nets.forward import pack_net
from overtrick.players import player_names

pytestmark = pytest.mark.usefixtures("home")


# ---------------------------------------------------------------------------- keeping, finding


@pytest.mark.parametrize("method", METHODS)
def test_what_was_kept_is_found_again(method: str) -> None:
    nets = nets_of(method=method)
    kept = save_model(card_of(method=method), nets)
    found = find_model("kuhn/captain")
    assert found.card == kept.card == card_of(method=method)
    assert found.nets == {name: spec for name, (spec, _) in nets.items()}
    assert not found.is_shipped
    for net, tensors in found.tensors().items():
        assert tensors.keys() == nets[net][1].keys()
        for name, tensor in tensors.items():
            assert np.array_equal(tensor, nets[net][1][name])


def test_a_model_is_found_by_name_with_its_game_and_by_its_folder(home: Path) -> None:
    saved()
    game = load_game("kuhn")
    folder = home / "models" / "kuhn" / "captain"
    for found in (
        find_model("captain", game),
        find_model("captain", "kuhn"),
        find_model(f"{folder}"),
        find_model("kuhn/captain", game),
    ):
        assert found.card.reference == "kuhn/captain"
        assert found.folder == folder


@pytest.mark.parametrize("ref", ["captain", "kuhn/nobody", "Kuhn/Captain", "", "kuhn/captain "])
def test_a_name_that_nobody_has_is_told_with_those_that_exist(ref: str) -> None:
    saved()
    with pytest.raises(UnknownName, match=r"there is no model .*; known are kuhn/captain"):
        find_model(ref)


@pytest.mark.parametrize("ref", ["./captain", "~/no/captain", "../kuhn/captain", "/no/such/folder"])
def test_a_folder_that_is_not_there_is_refused(ref: str) -> None:
    with pytest.raises(UnknownName, match=f"there is no model '{re.escape(ref)}'"):
        find_model(ref)


def test_models_are_listed_by_game(home: Path) -> None:
    saved(name="b")
    saved(name="a")
    saved(game="leduc")
    (home / "models" / "kuhn" / ".a.part").mkdir()
    (home / "models" / "kuhn" / "notes.txt").write_text("no model")
    assert model_names() == ["kuhn/a", "kuhn/b", "leduc/captain"]
    assert model_names("kuhn") == ["kuhn/a", "kuhn/b"]
    assert [model.card.name for model in list_models(load_game("leduc"))] == ["captain"]


def test_a_model_of_the_user_hides_a_shipped_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "SHIPPED", tmp_path / "shipped")
    saved(folder=tmp_path / "shipped", title="Ours")
    assert find_model("kuhn/captain").is_shipped
    saved(title="Mine")
    assert find_model("kuhn/captain").card.title == "Mine"
    assert [model.card.title for model in list_models("kuhn")] == ["Mine"]


def test_a_damaged_model_is_left_out_of_the_list_and_told_when_asked_for() -> None:
    saved(name="sound")
    broken = saved(name="broken")
    (broken.folder / "card.json").write_text("{")
    assert model_names("kuhn") == ["kuhn/sound"]
    for _ in range(2):  # from the files, and from memory
        with pytest.raises(DamagedFile, match=r"model kuhn/broken: card\.json: not JSON"):
            find_model("kuhn/broken")


def test_a_model_that_was_replaced_is_read_again() -> None:
    first = saved(title="First")
    second = saved(title="Second", replace=True, seed=2)
    assert find_model("kuhn/captain").card.title == "Second"
    assert first.stamp != second.stamp
    assert find_model("kuhn/captain") is second  # and not once more


def test_a_name_that_is_taken_is_not_taken_again_unless_told() -> None:
    saved(title="First")
    with pytest.raises(BadOption, match="there is a model kuhn/captain already"):
        saved(title="Second")
    assert find_model("kuhn/captain").card.title == "First"


def test_a_write_that_fails_leaves_what_was_there(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(title="First")
    real = os.rename

    def rename(source: Path, target: Path) -> None:
        if target.name == "captain" and not target.exists() and not Path(target, "x").exists():
            monkeypatch.setattr(os, "rename", real)
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(StorageFault, match="cannot be written: No space left"):
        saved(title="Second", replace=True)
    assert find_model("kuhn/captain").card.title == "First"
    assert os.listdir(home / "models" / "kuhn") == ["captain"]


def test_a_data_folder_that_cannot_be_written_is_told_in_one_line(home: Path) -> None:
    home.write_text("a file")
    with pytest.raises(StorageFault, match="cannot be written"):
        saved()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"name": "Captain"}, "a name has up to 64"),
        ({"name": "../captain"}, "a name has up to 64"),
        ({"game": ""}, "a name has up to 64"),
        ({"title": "\x1b[31mred"}, "signs that steer a terminal"),
        ({"method": "magic"}, "a method is one of alphazero"),
        ({"created": "yesterday"}, "created"),
        ({"minutes": float("nan")}, "finite"),
        ({"deals": -1}, "deals"),
        ({"colour": "blue"}, "colour"),
    ],
)
def test_a_card_that_makes_no_sense_is_not_made(wrong: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        card_of(**wrong)


def test_a_net_that_does_not_fit_its_card_is_not_kept(home: Path) -> None:
    spec, tensors = nets_of()["main"]
    bad = {name: tensor * np.float32(np.nan) for name, tensor in tensors.items()}
    for nets, told in (
        ({"main": (spec, bad)}, "numbers that are not finite"),
        ({"other": (spec, tensors)}, "alphazero has the nets main"),
        ({"main": (spec, {k: v.astype(np.float64) for k, v in tensors.items()})}, "not float32"),
    ):
        with pytest.raises(DamagedFile, match=told):
            save_model(card_of(), nets)
    with pytest.raises(DamagedFile, match="this net plays kuhn, not leduc"):
        save_model(card_of(game="leduc"), nets_of())
    assert not home.exists()


# ---------------------------------------------------------------------------- nets, players


def test_the_nets_are_packed_once_for_their_game() -> None:
    model = saved()
    game = load_game("kuhn")
    packed = model.packed(game)
    spec, tensors = nets_of()["main"]
    for mine, wanted in zip(packed["main"], pack_net(game, spec, tensors), strict=True):
        assert np.array_equal(mine, wanted)
    assert model.packed(game)["main"] is packed["main"]
    with pytest.raises(DamagedFile, match="this net plays kuhn, not leduc"):
        model.packed(load_game("leduc"))


def test_weights_are_the_callers_own() -> None:
    model = saved()
    model.tensors()["main"]["body.0.bias"][:] = 0
    assert model.tensors()["main"]["body.0.bias"].any()


@pytest.mark.parametrize(
    ("method", "player"), [("alphazero", "alphazero"), ("distill", "net"), ("direct", "direct")]
)
def test_a_card_tells_which_player_a_model_is(method: str, player: str) -> None:
    assert player_of(saved(method=method)) == f"{player}:kuhn/captain"


def test_a_model_without_a_player_is_not_among_the_players(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from overtrick import players

    saved()
    monkeypatch.delitem(players._KINDS, "alphazero", raising=False)
    assert not any("captain" in name for name in player_names(load_game("kuhn")))


# ---------------------------------------------------------------------------- results


def test_a_result_is_written_onto_the_card() -> None:
    model = saved(results=[])
    add_result(model, RESULT)
    other = RESULT.model_copy(update={"opponent": "puct", "command": "overtrick arena …"})
    add_result(model, other)  # the first copy of the card knows nothing of the first result
    assert find_model("kuhn/captain").card.results == [RESULT, other]
    again = RESULT.model_copy(update={"payoff": 0.5})
    add_result(model, again)  # by the same command
    assert find_model("kuhn/captain").card.results == [again, other]


def test_a_result_is_told_whole() -> None:
    assert str(RESULT) == (
        "+0.25 ± 0.05 points/deal against random, wins 60.0% (95%, 500 boards, seed 3)"
    )


# ---------------------------------------------------------------------------- passing on


def test_an_exported_model_is_imported_the_same(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = saved()
    file = export_model("kuhn/captain", tmp_path / "captain.zip")
    before = {path.name: path.read_bytes() for path in model.folder.iterdir()}
    again = export_model(model, tmp_path / "again.zip")
    assert file.read_bytes() == again.read_bytes()
    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path / "other"))
    imported = import_model(file)
    assert imported.folder.is_relative_to(tmp_path / "other")
    assert {path.name: path.read_bytes() for path in imported.folder.iterdir()} == before
    with pytest.raises(BadOption, match="there is a model kuhn/captain already"):
        import_model(file)
    assert import_model(file, replace=True).card == model.card


def test_a_folder_is_imported_whatever_it_is_called(home: Path, tmp_path: Path) -> None:
    model = saved()
    shutil.move(model.folder, tmp_path / "From a friend")
    (tmp_path / "From a friend" / "notes.txt").write_text("not taken over")
    imported = import_model(tmp_path / "From a friend")
    assert imported.card.reference == "kuhn/captain"
    assert sorted(os.listdir(imported.folder)) == ["card.json", "net.safetensors", "spec.json"]


@pytest.mark.parametrize("name", ["captain.tar", "captain", "."])
def test_a_model_is_exported_to_a_zip_only(tmp_path: Path, name: str) -> None:
    saved()
    with pytest.raises(BadOption, match=r"ends in \.zip"):
        export_model("kuhn/captain", tmp_path / name)
    with pytest.raises(StorageFault, match="cannot be written"):
        export_model("kuhn/captain", tmp_path / "no" / "captain.zip")
