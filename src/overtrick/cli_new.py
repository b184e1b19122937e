"""The command that begins a game of one's own: `overtrick new-game NAME`.

The game that it writes is the one in `template/`, which works as it stands; only its name is put
in. The folder appears at once and whole: it is written beside, then renamed.
"""

from __future__ import annotations

import keyword
import re
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from overtrick.errors import BadOption

__all__ = ["add_new_command", "new_game_folder"]

TEMPLATE = Path(__file__).resolve().parent / "template"
LEFT_OUT = ("__pycache__", ".*_cache", "*.pyc")


def add_new_command(app: typer.Typer) -> None:
    """Make the command known to the command line."""
    app.command(name="new-game")(new_game)


def new_game(
    name: Annotated[str, typer.Argument(help="Of the game and of its module, such as `euchre`.")],
    into: Annotated[
        Path | None, typer.Option(help="The folder to make; if not told, NAME.", metavar="FOLDER")
    ] = None,
) -> None:
    """Begin a game of your own: a package that works, to be edited rule by rule."""
    folder = into or Path(name)
    _check_name(name)
    new_game_folder(name, folder)
    print(f"{folder}: the game {name}. What next:")
    print(f"    cd {folder}")
    print("    pip install -e '.[test]'")
    print("    python -m pytest                    # the suite that every game passes")
    print(f"    overtrick play --terminal {name}")


def _check_name(name: str) -> None:
    from overtrick.games import game_names

    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise BadOption(
            "a game's name is that of its module, small letters, digits and single underscores "
            f"after a letter, not {name!r}"
        )
    if name in game_names(hidden=True):
        raise BadOption(f"there is already a game {name!r}; choose another name")
    found = find_spec(name)
    if found is not None and found.origin is not None:  # a mere folder is no module
        raise BadOption(f"there is already a Python module {name!r}; choose another name")


def new_game_folder(name: str, folder: Path) -> None:
    """Write the template under this name; a folder with something in it is left alone."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise BadOption(f"{folder} exists and is not an empty folder")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{name}-") as beside:
            written = Path(beside) / name
            shutil.copytree(TEMPLATE, written, ignore=shutil.ignore_patterns(*LEFT_OUT))
            for path in sorted(written.rglob("*"), reverse=True):  # files before their folder
                if path.is_file():
                    path.write_text(_named(path.read_text(), name))
                path.rename(path.with_name(_named(path.name, name)))
            written.rename(folder)
    except OSError as error:
        raise BadOption(f"{folder} cannot be written: {error.strerror}") from error


def _named(text: str, name: str) -> str:
    """The template's words with the name in its three spellings."""
    words = name.split("_")
    text = text.replace("NewGame", "".join(word.capitalize() for word in words))
    return text.replace("New game", " ".join(words).capitalize()).replace("newgame", name)
