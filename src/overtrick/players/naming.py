"""The names of players: `kind`, `kind:what`, `kind:what,key=value,…`.

What is between quotes, or follows a backslash, is never a comma that separates: the command of a
program may hold some, as in `exec:'my bot' --cards 'AS,KS',depth=3`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from overtrick.errors import BadOption

__all__ = ["PlayerName", "Settings", "split_commas", "split_names"]

COMMAND = "exec"  # the kind of players whose `what` is a command


@dataclass(frozen=True)
class PlayerName:
    """The parts of a name that rebuilds a player."""

    kind: str
    what: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> PlayerName:
        """The parts of a name as people write it."""
        kind, _, rest = text.strip().partition(":")
        what, settings = "", {}
        is_command = kind.strip() == COMMAND
        for number, part in enumerate(filter(None, map(str.strip, split_commas(rest)))):
            key, is_setting, value = part.partition("=")
            if number == 0 and (is_command or not is_setting):
                what = part
            elif not is_setting or not key.strip() or not value.strip():
                raise BadOption(f"player {text.strip()!r}: settings are key=value, not {part!r}")
            elif key.strip() in settings:
                raise BadOption(f"player {text.strip()!r}: {key.strip()} is told twice")
            else:
                settings[key.strip()] = value.strip()
        return cls(kind.strip(), what, settings)

    def __str__(self) -> str:
        told = [self.what] if self.what else []
        told += [f"{key}={value}" for key, value in self.settings.items()]
        return f"{self.kind}:{','.join(told)}" if told else self.kind


def split_commas(text: str) -> list[str]:
    """The parts of a text between its commas, those in quotes or after a backslash apart."""
    parts, quote, escaped = [""], "", False
    for letter in text:
        if letter == "," and not quote and not escaped:
            parts.append("")
            continue
        parts[-1] += letter
        if escaped:
            escaped = False
        elif letter == "\\" and quote != "'":
            escaped = True
        elif letter == quote:
            quote = ""
        elif letter in "'\"" and not quote:
            quote = letter
    if quote:
        raise BadOption(f"a quote is not closed in {text!r}")
    return parts


def split_names(names: str) -> list[str]:
    """Names by commas; a part with `=` in it belongs to the name before: `pimc:worlds=9,ms=5`.

    That is a part whose first word has it: `exec:./a --b=1` begins a new name.
    """
    parts: list[str] = []
    for part in split_commas(names):
        if parts and "=" in part.partition(":")[0]:
            parts[-1] += "," + part.strip()
        else:
            parts.append(part.strip())
    return parts


class Settings:
    """The settings in a player's name, each known and within bounds."""

    def __init__(
        self, name: PlayerName, known: tuple[str, ...], *, with_model: bool = False
    ) -> None:
        wrong = [key for key in name.settings if key not in known]
        if name.what and not with_model:
            wrong.insert(0, name.what)
        if wrong:
            has = ", ".join(known) or "no settings"
            raise BadOption(f"player {name}: {name.kind} has {has}, not {wrong[0]!r}")
        self.name = name

    def __contains__(self, key: str) -> bool:
        return key in self.name.settings

    def text(self, key: str, default: str) -> str:
        """A setting as it was written."""
        return self.name.settings.get(key, default)

    def number(self, key: str, default: int | str, *, least: int, most: int) -> int:
        """A whole number."""
        told = self.text(key, str(default))
        if not (
            told.isascii() and told.isdigit() and len(told) < 12 and least <= int(told) <= most
        ):
            raise BadOption(f"player {self.name}: {key} is {least} to {most}, not {told!r}")
        return int(told)
