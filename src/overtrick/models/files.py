"""The files of a model, read from a folder or a zip and checked before anybody uses them.

    card.json          who it is: see `ModelCard`
    spec.json          {"format": 1, "nets": {NAME: spec}}: see `NetSpec` and `PointerSpec`
    net.safetensors    NAME/TENSOR for every tensor of every net, as its spec names them

What comes from outside is not trusted: every fault is one `DamagedFile`.
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from pydantic import BaseModel, ValidationError
from safetensors import SafetensorError
from safetensors.numpy import load, save

from overtrick.errors import DamagedFile, OvertrickError, StorageFault
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.models.cards import FORMAT, METHODS, ModelCard
from overtrick.nets.packing import KINDS, AnySpec
from overtrick.records.json_text import strict_json, tall

__all__ = [
    "CARD",
    "FILES",
    "Contents",
    "Files",
    "Floats",
    "Stamp",
    "Tensors",
    "card_file",
    "files_of",
    "keep_files",
    "read_files",
    "stamp_of",
    "understood",
    "write_file",
    "zipped",
]

Floats = np.ndarray[Any, np.dtype[Any]]
Files = Mapping[str, bytes]
Tensors = Mapping[str, Mapping[str, Floats]]
"""By the name of the net, then of the tensor."""
Stamp = tuple[tuple[int, int, int], ...]
Told = TypeVar("Told", bound=BaseModel)

CARD, SPEC, NET = FILES = ("card.json", "spec.json", "net.safetensors")
LARGEST = 256 * 2**20  # bytes
LARGEST_TEXT = 4 * 2**20
MOST = {CARD: LARGEST_TEXT, SPEC: LARGEST_TEXT, NET: LARGEST}
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
UNZIPPING = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError),
    *(OSError, ValueError, RuntimeError),
)


# ---------------------------------------------------------------------------- bytes in


def read_files(path: Path) -> Files:
    """The files of a folder or a zip, none larger than a model may be."""
    if os.path.isdir(path):
        return {name: _read_file(path / name) for name in FILES}
    if not os.path.exists(path):
        raise DamagedFile("there is no such file or folder")
    return _unzipped(path)


def _read_file(path: Path) -> bytes:
    _check_size(path.name, _status(path).st_size)
    try:
        return path.read_bytes()
    except OSError as error:
        raise DamagedFile(f"{path.name} cannot be read: {error.strerror}") from None


def _status(path: Path) -> os.stat_result:
    try:
        found = path.lstat()
    except FileNotFoundError:
        raise DamagedFile(f"{path.name} is missing") from None
    except OSError as error:
        raise DamagedFile(f"{path.name} cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(found.st_mode):
        raise DamagedFile(f"{path.name} is not a plain file")
    return found


def _check_size(name: str, size: int) -> None:
    if size > MOST[name]:
        raise DamagedFile(f"{name} is too large: at most {MOST[name] >> 20} MB")


def stamp_of(folder: Path) -> Stamp:
    """What tells the files of a folder from later ones."""
    found = [_status(folder / name) for name in FILES]
    return tuple((one.st_mtime_ns, one.st_size, one.st_ino) for one in found)


def _unzipped(path: Path) -> Files:
    if not os.path.isfile(path) or path.stat().st_size > LARGEST:
        raise DamagedFile(f"a zip of at most {LARGEST >> 20} MB was expected")
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if sorted(member.filename for member in members) != sorted(FILES):
                raise DamagedFile(f"a model's zip holds {', '.join(FILES)} and nothing else")
            return {member.filename: _member(archive, member) for member in members}
    except UNZIPPING as error:
        raise DamagedFile(f"not a sound zip: {str(error) or 'it ends too early'}") from None


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """One file of a zip; never more of it than a model may have, whatever the zip tells."""
    mode = stat.S_IFMT(member.external_attr >> 16)
    if mode not in (0, stat.S_IFREG):
        raise DamagedFile(f"{member.filename} is not a plain file")
    if member.flag_bits & 1 or member.compress_type not in PACKINGS:
        raise DamagedFile(f"{member.filename} is encrypted or packed in a way that is not read")
    _check_size(member.filename, member.file_size)
    with archive.open(member) as file:
        data = file.read(MOST[member.filename] + 1)
    _check_size(member.filename, len(data))
    return data


# ---------------------------------------------------------------------------- what they mean


@dataclass(frozen=True)
class Contents:
    """A model whose parts were found to fit."""

    card: ModelCard
    nets: Mapping[str, AnySpec]
    tensors: Tensors


def understood(files: Files) -> Contents:
    """What the files of a model hold; all of it is checked, against today's rules too."""
    try:
        card = _told(ModelCard, _object(CARD, files[CARD]), CARD)
        nets = _specs(_object(SPEC, files[SPEC]))
        _check_fit(card, nets)
        return Contents(card, nets, _tensors(files[NET], nets))
    except DamagedFile:
        raise
    except OvertrickError as error:  # an unknown game, house rule or encoding
        raise DamagedFile(str(error)) from None


def _object(name: str, data: bytes) -> dict[str, Any]:
    try:
        found = strict_json(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise DamagedFile(f"{name} is not text in UTF-8") from None
    except OvertrickError as error:
        raise DamagedFile(f"{name}: {error}") from None
    if not isinstance(found, dict):
        raise DamagedFile(f"{name}: a JSON object was expected")
    if found.get("format") != FORMAT:
        told = str(found.get("format"))[:40]
        raise DamagedFile(f"{name} has format {told}; this overtrick reads format {FORMAT}")
    return found


def _told(kind: type[Told], values: Any, where: str) -> Told:
    try:
        return kind.model_validate(values, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])[:100]
        raise DamagedFile(f"{where}: {place}: {first['msg']}".replace(": : ", ": ")) from None


def _specs(told: dict[str, Any]) -> dict[str, AnySpec]:
    nets = told.get("nets")
    if set(told) != {"format", "nets"} or not isinstance(nets, dict):
        raise DamagedFile(f"{SPEC}: it has format and nets, by their names")
    return {name: _spec(spec, f"{SPEC}: {name[:100]}") for name, spec in nets.items()}


def _spec(told: Any, where: str) -> AnySpec:
    kind = told.get("kind", "mlp") if isinstance(told, dict) else "mlp"
    if kind not in list(KINDS):
        raise DamagedFile(f"{where}: a net is {' or '.join(KINDS)}, not {str(kind)[:40]!r}")
    return _told(KINDS[kind], told, where)


def _check_fit(card: ModelCard, nets: Mapping[str, AnySpec]) -> None:
    wanted = METHODS[card.method].nets
    if sorted(nets) != sorted(wanted):
        raise DamagedFile(f"{SPEC}: {card.method} has the nets {', '.join(wanted)}, no others")
    game = load_game(card.game)
    game.variant_of(card.variant)
    for spec in nets.values():
        _check_spec(spec, game)
    if 4 * sum(spec.parameters for spec in nets.values()) > LARGEST:
        raise DamagedFile(f"{SPEC}: the nets are too large: at most {LARGEST >> 20} MB")


def _check_spec(spec: AnySpec, game: Game) -> None:
    spec.check_game(game)
    two_sided = game.seats == 2 or game.teams is not None
    values = {"side": 1 if two_sided else -1, "seat": game.seats, "none": 0}
    if spec.values != values[spec.value]:
        raise DamagedFile(
            f"{SPEC}: {spec.values} values for each {spec.value} do not fit {game.name}"
        )
    for name, number in dict(spec).items():
        if isinstance(number, float) and not isfinite(number):
            raise DamagedFile(f"{SPEC}: {name} is a finite number")


def _tensors(data: bytes, nets: Mapping[str, AnySpec]) -> Tensors:
    try:
        found = load(data)
    except KeyError as error:
        raise DamagedFile(f"{NET}: numbers are float32, not {error}") from None
    except (SafetensorError, ValueError, TypeError) as error:
        raise DamagedFile(f"{NET} is not a sound file of tensors: {str(error)[:200]}") from None
    wanted = _shapes(nets)
    wrong = sorted(set(wanted) ^ set(found))
    if wrong:
        what = "is missing" if wrong[0] in wanted else "belongs to no layer"
        raise DamagedFile(f"{NET}: {wrong[0][:100]!r} {what}")
    for name, shape in wanted.items():
        _check_tensor(name, found[name], shape)
    return {
        net: {name.partition("/")[2]: found[name] for name in wanted if name.startswith(f"{net}/")}
        for net in nets
    }


def _shapes(nets: Mapping[str, AnySpec]) -> dict[str, tuple[int, ...]]:
    """The shape of every tensor, by its name in the file."""
    return {
        f"{net}/{name}": shape
        for net, spec in nets.items()
        for name, shape in spec.shapes().items()
    }


def _check_tensor(name: str, tensor: Floats, shape: tuple[int, ...]) -> None:
    if tensor.dtype != np.float32:
        raise DamagedFile(f"{NET}: {name} holds {tensor.dtype}, not float32")
    if tensor.shape != shape:
        raise DamagedFile(f"{NET}: {name} has the shape {tensor.shape}, not {shape}")
    if not np.isfinite(tensor).all():
        raise DamagedFile(f"{NET}: {name} has numbers that are not finite")


# ---------------------------------------------------------------------------- bytes out


def files_of(card: ModelCard, nets: Mapping[str, tuple[AnySpec, Mapping[str, Floats]]]) -> Files:
    """A model as files, not yet checked."""
    specs = {name: spec.model_dump(mode="json") for name, (spec, _) in nets.items()}
    tensors = {
        f"{net}/{name}": np.ascontiguousarray(tensor)
        for net, (_, named) in nets.items()
        for name, tensor in named.items()
    }
    try:
        text = tall({"format": FORMAT, "nets": specs}) + "\n"
        return {CARD: card_file(card), SPEC: text.encode(), NET: save(tensors)}
    except (SafetensorError, ValueError, TypeError) as error:
        raise DamagedFile(f"{card.reference} cannot be written: {str(error)[:200]}") from None


def card_file(card: ModelCard) -> bytes:
    """A card as it is kept."""
    return (tall(card.model_dump(mode="json")) + "\n").encode()


def zipped(files: Files) -> bytes:
    """The files in one zip, the same bytes for the same files."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in FILES:
            member = zipfile.ZipInfo(name)  # dated 1980, as all of them
            member.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(member, files[name], zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def write_file(path: Path, data: bytes) -> None:
    """Write a file beside its place, then put it there."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    with _writing(path):
        try:
            beside.write_bytes(data)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)


def keep_files(files: Files, folder: Path) -> None:
    """Make a folder of these files: it is there whole, or what was there stays."""
    new, old = (folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.part") for _ in "ab")
    with _writing(folder):
        try:
            new.mkdir(mode=0o755, parents=True)
            for name in FILES:
                (new / name).write_bytes(files[name])
            _swap(new, folder, old)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)  # not before the new one is in its place


def _swap(new: Path, folder: Path, old: Path) -> None:
    """Put a folder in the place of another, which goes to `old`, or comes back if that fails."""
    if folder.exists():
        os.rename(folder, old)
    try:
        os.rename(new, folder)
    except OSError:
        if old.exists():
            os.rename(old, folder)
        raise


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageFault(f"{path} cannot be written: {error.strerror}") from None
