"""Whatever is wrong with a model from outside is told in one line, and nothing is written."""

from __future__ import annotations

import json
import os
import shutil
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from models.small_models import nets_of, saved
from overtrick.errors import DamagedFile
from overtrick.models import export_model, files, find_model, import_model, verify_model

Spoil = Callable[[Path], None]


@pytest.fixture
def folder(home: Path, tmp_path: Path) -> Path:
    """A sound model outside the house, which has none."""
    shutil.move(saved().folder, tmp_path / "outside")
    shutil.rmtree(home)
    return tmp_path / "outside"


def check_refused(path: Path, home: Path, told: str) -> None:
    with pytest.raises(DamagedFile, match=told) as refused:
        import_model(path)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 500
    assert not home.exists()


# ---------------------------------------------------------------------------- spoiling


def card(**more: Any) -> Spoil:
    return lambda folder: change(folder / "card.json", lambda told: told.update(more))


def spec(**more: Any) -> Spoil:
    return lambda folder: change(folder / "spec.json", lambda t: t["nets"]["main"].update(more))


def change(path: Path, how: Callable[[dict[str, Any]], Any]) -> None:
    told = json.loads(path.read_text())
    how(told)
    path.write_text(json.dumps(told))


def tensors(how: Callable[[dict[str, Any]], Any]) -> Spoil:
    def spoil(folder: Path) -> None:
        path = folder / "net.safetensors"
        found = dict(load_file(path))
        how(found)
        path.unlink()
        save_file(found, path)

    return spoil


def weight(value: Any) -> Spoil:
    """One tensor exchanged for what is made of it."""
    return tensors(lambda t: t.update({"main/body.0.bias": value(t["main/body.0.bias"].copy())}))


def holed(number: float) -> Spoil:
    def value(tensor: Any) -> Any:
        tensor[3] = number
        return tensor

    return weight(value)


def text(name: str, data: bytes) -> Spoil:
    return lambda folder: (folder / name).write_bytes(data) and None


def linked(folder: Path) -> None:
    os.rename(folder / "net.safetensors", folder / "elsewhere")
    os.symlink(folder / "elsewhere", folder / "net.safetensors")


def in_the_way(folder: Path) -> None:
    (folder / "spec.json").unlink()
    os.mkfifo(folder / "spec.json")


def shortened(folder: Path) -> None:
    path = folder / "net.safetensors"
    path.write_bytes(path.read_bytes()[:-5])


def other_type(folder: Path) -> None:
    """A type of numbers that NumPy does not have."""
    path = folder / "net.safetensors"
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + size])
    bias = header["main/body.0.bias"]
    bias["dtype"], bias["shape"] = "BF16", [2 * bias["shape"][0]]
    told = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(told)) + told + data[8 + size :])


SPOILT: dict[str, tuple[Spoil, str]] = {
    "no card": (lambda folder: (folder / "card.json").unlink(), "card.json is missing"),
    "no spec": (lambda folder: (folder / "spec.json").unlink(), "spec.json is missing"),
    "no net": (lambda folder: (folder / "net.safetensors").unlink(), "net.safetensors is missing"),
    "a link": (linked, "net.safetensors is not a plain file"),
    "a pipe": (in_the_way, "spec.json is not a plain file"),
    "no text": (text("card.json", b"\xff\xfe"), "card.json is not text in UTF-8"),
    "no JSON": (text("card.json", b"nonsense"), "card.json: not JSON"),
    "a list": (text("card.json", b"[]"), "card.json: a JSON object was expected"),
    "deep": (text("spec.json", b"[" * 200_000), "spec.json: .*nested too deeply"),
    "NaN in the card": (card(config={"rate": float("nan")}), "NaN is not a number in JSON"),
    "a new format": (card(format=2), "card.json has format 2; this overtrick reads format 1"),
    "a field too many": (card(colour="blue"), "card.json: colour: Extra inputs"),
    "a field of another type": (card(deals="many"), "card.json: deals: "),
    "a number as text": (card(minutes="3"), "card.json: minutes: "),
    "a bad name": (card(name="../../etc"), "a name has up to 64"),
    "a sign for the terminal": (card(summary="\x1b[2J"), "signs that steer a terminal"),
    "an unknown method": (card(method="magic"), "a method is one of alphazero"),
    "nets of another method": (card(method="direct"), "direct has the nets follow, lead"),
    "an unknown game": (card(game="chess"), "there is no game 'chess'"),
    "another game": (card(game="leduc"), "this net plays kuhn, not leduc"),
    "an unknown house rule": (card(variant="moon=blue"), "there is no option of kuhn 'moon'"),
    "a spec of a new format": (
        lambda folder: change(folder / "spec.json", lambda told: told.update(format=9)),
        "spec.json has format 9",
    ),
    "no nets": (
        lambda folder: change(folder / "spec.json", lambda told: told.update(nets=[])),
        "spec.json: it has format and nets",
    ),
    "an unknown encoding": (spec(encoding="other@7"), "there is no encoding of kuhn 'other@7'"),
    "other flags": (spec(digest="0" * 16), "made for other flags"),
    "other actions": (spec(actions=99), "99 actions"),
    "too many values": (spec(values=9), "9 values for each side do not fit kuhn"),
    "no end of values": (spec(reach=1e400), "Infinity is not a number"),
    "too deep a net": (spec(body_layers=65), "spec.json: main: body_layers: "),
    "too large a net": (spec(body_layers=60, body_units=8192), "the nets are too large"),
    "no tensors": (text("net.safetensors", b"nonsense"), "not a sound file of tensors"),
    "nothing": (text("net.safetensors", b""), "not a sound file of tensors"),
    "a file cut short": (shortened, "not a sound file of tensors"),
    "a tensor too few": (
        tensors(lambda t: t.pop("main/body.0.bias")),
        "'main/body.0.bias' is missing",
    ),
    "a tensor too many": (
        tensors(lambda t: t.update(more=np.zeros(3, np.float32))),
        "'more' belongs to no layer",
    ),
    "another shape": (weight(lambda t: t[:-1]), r"has the shape \(7,\), not \(8,\)"),
    "other numbers": (weight(lambda t: t.astype(np.float64)), "holds float64, not float32"),
    "numbers that NumPy does not know": (other_type, "numbers are float32, not 'BF16'"),
    "not a number": (holed(np.nan), "numbers that are not finite"),
    "infinity": (holed(-np.inf), "numbers that are not finite"),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_damaged_model_is_refused_in_one_line(what: str, folder: Path, home: Path) -> None:
    spoil, told = SPOILT[what]
    spoil(folder)
    check_refused(folder, home, told)
    with pytest.raises(DamagedFile, match=told):
        verify_model(folder)
    with pytest.raises(DamagedFile, match=told):
        find_model(str(folder))


def test_a_sound_model_is_found_to_be_sound(folder: Path) -> None:
    verify_model(folder)
    verify_model(str(folder))
    verify_model(find_model(str(folder)))


def test_a_card_must_tell_the_name_of_its_folder(home: Path) -> None:
    model = saved()
    os.rename(model.folder, model.folder.with_name("other"))
    with pytest.raises(DamagedFile, match=r"kuhn/other: card\.json tells that it is kuhn/captain"):
        verify_model("kuhn/other")


@pytest.mark.parametrize("name", files.FILES)
def test_a_file_that_is_too_large_is_refused(
    name: str, folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST", dict.fromkeys(files.FILES, 2**20))
    with open(folder / name, "r+b") as file:
        file.truncate(2**20 + 1)
    check_refused(folder, home, f"{name} is too large: at most 1 MB")


# ---------------------------------------------------------------------------- zips


def zip_of(path: Path, members: dict[str | zipfile.ZipInfo, bytes], **more: Any) -> Path:
    with zipfile.ZipFile(path, "w", **more) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


@pytest.fixture
def parts(folder: Path) -> dict[Any, bytes]:
    """The files of a sound model."""
    return {name: (folder / name).read_bytes() for name in files.FILES}


@pytest.mark.parametrize(
    "extra", ["../card.json", "/etc/passwd", "sub/card.json", "sub/", "..\\card.json", "run.py"]
)
def test_a_zip_that_holds_anything_else_is_refused(
    extra: str, parts: dict[Any, bytes], tmp_path: Path, home: Path
) -> None:
    check_refused(zip_of(tmp_path / "m.zip", parts | {extra: b""}), home, "and nothing else")


def test_a_zip_without_all_files_is_refused(
    parts: dict[Any, bytes], tmp_path: Path, home: Path
) -> None:
    del parts["spec.json"]
    check_refused(zip_of(tmp_path / "m.zip", parts), home, "holds card.json, spec.json")


def test_a_zip_that_tells_a_file_twice_is_refused(
    parts: dict[Any, bytes], tmp_path: Path, home: Path
) -> None:
    path = zip_of(tmp_path / "m.zip", parts)
    with (
        pytest.warns(UserWarning, match="Duplicate name"),
        zipfile.ZipFile(path, "a") as archive,
    ):
        archive.writestr("card.json", b"{}")
    check_refused(path, home, "and nothing else")


def test_a_link_in_a_zip_is_refused(parts: dict[Any, bytes], tmp_path: Path, home: Path) -> None:
    link = zipfile.ZipInfo("card.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    parts[link] = b"/etc/passwd"
    del parts["card.json"]
    check_refused(zip_of(tmp_path / "m.zip", parts), home, "card.json is not a plain file")


def test_a_zip_bomb_is_refused_unread(parts: dict[Any, bytes], tmp_path: Path, home: Path) -> None:
    parts["card.json"] = bytes(files.LARGEST_TEXT + 1)
    path = zip_of(tmp_path / "m.zip", parts, compression=zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 100_000
    check_refused(path, home, "card.json is too large: at most 4 MB")


def test_a_zip_bomb_that_tells_a_small_size_is_refused(
    parts: dict[Any, bytes], tmp_path: Path, home: Path
) -> None:
    parts["card.json"] = bytes(files.LARGEST_TEXT + 1)
    path = zip_of(tmp_path / "m.zip", parts, compression=zipfile.ZIP_DEFLATED)
    true, small = (struct.pack("<I", size) for size in (files.LARGEST_TEXT + 1, 100))
    path.write_bytes(path.read_bytes().replace(true, small))
    check_refused(path, home, "not a sound zip|card.json")


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_packed_in_another_way_is_refused(
    packing: int, parts: dict[Any, bytes], tmp_path: Path, home: Path
) -> None:
    path = zip_of(tmp_path / "m.zip", parts, compression=packing)
    check_refused(path, home, "packed in a way that is not read")


def test_a_zip_that_is_encrypted_is_refused(
    parts: dict[Any, bytes], tmp_path: Path, home: Path
) -> None:
    path = zip_of(tmp_path / "m.zip", parts)
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    check_refused(path, home, "encrypted")


@pytest.mark.parametrize("cut", [0, 10, 300, -30])
def test_a_zip_cut_short_is_refused(
    cut: int, parts: dict[Any, bytes], tmp_path: Path, home: Path
) -> None:
    path = zip_of(tmp_path / "m.zip", parts)
    path.write_bytes(path.read_bytes()[:cut])
    check_refused(path, home, "not a sound zip")


def test_a_zip_with_a_wrong_byte_is_refused(
    parts: dict[Any, bytes], tmp_path: Path, home: Path
) -> None:
    path = zip_of(tmp_path / "m.zip", parts)
    data = bytearray(path.read_bytes())
    data[data.index(b"alphazero")] ^= 1
    path.write_bytes(data)
    check_refused(path, home, "not a sound zip: Bad CRC-32")


def test_a_zip_that_is_too_large_is_refused(
    parts: dict[Any, bytes], tmp_path: Path, home: Path
) -> None:
    path = zip_of(tmp_path / "m.zip", parts)
    with open(path, "r+b") as file:
        file.truncate(files.LARGEST + 1)  # takes no room on the disk
    check_refused(path, home, "a zip of at most 256 MB was expected")


def test_a_damaged_model_is_not_passed_on(home: Path, tmp_path: Path) -> None:
    model = saved()
    holed(np.nan)(model.folder)
    with pytest.raises(DamagedFile, match="not finite"):
        export_model("kuhn/captain", tmp_path / "m.zip")
    assert not (tmp_path / "m.zip").exists()


def test_nets_of_the_same_seed_are_the_same() -> None:
    one, other = (nets_of(seed=4)["main"][1] for _ in "ab")
    assert all(np.array_equal(one[name], other[name]) for name in one)
