"""The models of the house and of the user: found by name, listed, kept, passed on.

Shipped models lie beside this file, the user's in his data folder, both as GAME/NAME; the user's
hide shipped ones of the same name. Nothing is remembered but what the files on the disk still say,
so a model can be used as soon as it is kept, and no longer once it has gone.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from overtrick.errors import BadOption, DamagedFile, UnknownName
from overtrick.folders import data_folder
from overtrick.games.game import Game
from overtrick.models.cards import NAME, ModelCard, Result
from overtrick.models.files import (
    CARD,
    Contents,
    Files,
    Floats,
    Stamp,
    Tensors,
    card_file,
    files_of,
    keep_files,
    read_files,
    stamp_of,
    understood,
    write_file,
    zipped,
)
from overtrick.nets.packing import AnySpec, Packed, pack

__all__ = [
    "Model",
    "Stamp",
    "add_result",
    "export_model",
    "find_model",
    "import_model",
    "is_path",
    "list_models",
    "model_folders",
    "model_names",
    "player_of",
    "save_model",
    "verify_model",
]

SHIPPED = Path(__file__).resolve().parent
MOST_KEPT = 256  # models that need not be read again


@dataclass(frozen=True, eq=False)
class Model:
    """A model whose files have been checked."""

    folder: Path
    card: ModelCard
    nets: Mapping[str, AnySpec]
    stamp: Stamp  # tells it from a later one in the same folder
    _packed: dict[str, Packed] = field(default_factory=dict, repr=False)

    @property
    def is_shipped(self) -> bool:
        """Whether it came with the package."""
        return self.folder.is_relative_to(SHIPPED)

    @property
    def size(self) -> int:
        """Bytes on the disk."""
        return sum(size for _, size, _ in self.stamp)

    def tensors(self) -> Tensors:
        """The weights by the name of the net, then of the tensor; the caller may change them."""
        return _contents(self.folder, self.card.reference).tensors

    def packed(self, game: Game) -> Mapping[str, Packed]:
        """The nets as kernels take them, by name; packed once, and not to be changed."""
        for spec in self.nets.values():
            spec.check_game(game)
        if not self._packed:
            tensors = self.tensors()
            packed = {name: pack(game, spec, tensors[name]) for name, spec in self.nets.items()}
            self._packed.update(packed)
        return self._packed


def player_of(model: Model) -> str:
    """The name of the player that a model is, with its usual settings."""
    return model.card.player


# ---------------------------------------------------------------------------- finding


def find_model(ref: str, game: Game | str | None = None) -> Model:
    """The model of a name: `game/name`, `name` if the game is told, or the path of a folder."""
    return _model(*_located(ref, game))


def list_models(game: Game | str | None = None) -> list[Model]:
    """All sound models, by name; those that are damaged are left out."""
    found = []
    for name, folder in model_folders(game).items():
        try:
            found.append(_model(folder, name))
        except DamagedFile:  # `overtrick models verify` tells
            continue
    return found


def model_names(game: Game | str | None = None) -> list[str]:
    """The names of all sound models, `game/name`, sorted."""
    return [model.card.reference for model in list_models(game)]


def model_folders(game: Game | str | None = None) -> dict[str, Path]:
    """Where each model lies that can be found by name, sound or not, sorted."""
    wanted = game.name if isinstance(game, Game) else game or "*"
    found: dict[str, Path] = {}
    for home in (SHIPPED, _own_models()):
        for folder in home.glob(f"{wanted}/*"):
            name = f"{folder.parent.name}/{folder.name}"
            if _is_name(name) and folder.is_dir():
                found[name] = folder
    return dict(sorted(found.items()))


def is_path(ref: str) -> bool:
    """Whether a model is meant by its folder, not by its name."""
    return not _is_name(ref) and (os.sep in ref or "/" in ref or ref.startswith((".", "~")))


def _is_name(ref: str) -> bool:
    parts = ref.split("/")
    return len(parts) == 2 and all(map(NAME.fullmatch, parts))


def _own_models() -> Path:
    return data_folder() / "models"


def _located(ref: str, game: Game | str | None = None) -> tuple[Path, str]:
    """The folder of a model, and the name that it must have; none if it was told by its path."""
    if is_path(ref):
        folder = Path(os.path.expanduser(ref)).absolute()
        if os.path.isdir(folder):
            return folder, ""
    home = game.name if isinstance(game, Game) else game
    name = f"{home}/{ref}" if home and "/" not in ref else ref
    if _is_name(name):
        for place in (_own_models(), SHIPPED):
            if (place / name).is_dir():
                return place / name, name
    raise UnknownName("model", ref, model_names(game))


def _model(folder: Path, name: str) -> Model:
    """The model of a folder, read again only if its files have changed."""
    try:
        found = _read(folder, name, stamp_of(folder))
    except DamagedFile as error:
        raise DamagedFile(f"model {name or folder}: {error}") from None
    if isinstance(found, str):
        raise DamagedFile(found)
    return found


@lru_cache(maxsize=MOST_KEPT)
def _read(folder: Path, name: str, stamp: Stamp) -> Model | str:
    """A model, or what is wrong with it."""
    try:
        found = _contents(folder, name)
    except DamagedFile as error:
        return str(error)
    return Model(folder, found.card, found.nets, stamp)


def _contents(path: Path, name: str = "") -> Contents:
    """What a folder or a zip holds, all of it checked."""
    try:
        found = understood(read_files(path))
        if name not in ("", found.card.reference):
            raise DamagedFile(f"{CARD} tells that it is {found.card.reference}")
    except DamagedFile as error:
        raise DamagedFile(f"model {name or path}: {error}") from None
    return found


def verify_model(what: Model | Path | str) -> None:
    """Read a model anew, told by its name or its folder, and raise what is wrong with it."""
    if isinstance(what, Model):
        _contents(what.folder, what.card.reference)
    else:
        _contents(*(_located(what) if isinstance(what, str) else (what, "")))


# ---------------------------------------------------------------------------- keeping


def save_model(
    card: ModelCard,
    nets: Mapping[str, tuple[AnySpec, Mapping[str, Floats]]],
    *,
    replace: bool = False,
    folder: Path | None = None,
) -> Model:
    """Keep a model among the user's, or as GAME/NAME in another folder of models.

    It is checked as one from outside would be, and is there whole or not at all.
    """
    return _kept(files_of(card, nets), f"model {card.reference}", replace, folder)


def import_model(path: str | Path, *, replace: bool = False) -> Model:
    """Keep a model that comes as a zip or a folder; nothing is written before all is checked."""
    source = Path(os.path.expanduser(path))
    try:
        files = read_files(source)
    except DamagedFile as error:
        raise DamagedFile(f"{path}: {error}") from None
    return _kept(files, str(path), replace, None)


def _kept(files: Files, where: str, replace: bool, folder: Path | None) -> Model:
    try:
        card = understood(files).card
    except DamagedFile as error:
        raise DamagedFile(f"{where}: {error}") from None
    place = (folder or _own_models()) / card.game / card.name
    if place.exists() and not replace:
        raise BadOption(f"there is a model {card.reference} already: replace it, or rename one")
    keep_files(files, place)
    return _model(place.absolute(), card.reference)


def export_model(ref: str | Model, path: str | Path) -> Path:
    """Write a model into one zip; the path of that file."""
    target = Path(os.path.expanduser(path))
    if target.suffix.lower() != ".zip" or os.path.isdir(target):
        raise BadOption(f"a model is exported to a file that ends in .zip, not to {str(path)!r}")
    model = find_model(ref) if isinstance(ref, str) else ref
    files = read_files(model.folder)
    understood(files)
    write_file(target, zipped(files))
    return target


def add_result(model: Model, result: Result) -> None:
    """Write a result onto the card of a model, in the place of one by the same command."""
    card = _contents(model.folder, model.card.reference).card
    same = [one.command == result.command != "" for one in card.results]
    results = [*card.results, result]
    if True in same:
        results[same.index(True)] = results.pop()
    write_file(model.folder / CARD, card_file(card.model_copy(update={"results": results})))
