"""The names of players: `kind`, `kind:what`, `kind:what,key=value,…`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from overtrick.errors import BadOption

__all__ = ["PlayerName", "Settings", "split_names"]


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
        for number, part in enumerate(part.strip() for part in rest.split(",") if part.strip()):
            key, is_setting, value = part.partition("=")
            if not is_setting and number == 0:
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


def split_names(names: str) -> list[str]:
    """Names by commas; a part with `=` in it belongs to the name before: `pimc:worlds=9,ms=5`."""
    parts: list[str] = []
    for part in names.split(","):
        if parts and "=" in part.partition(":")[0]:
            parts[-1] += "," + part.strip()
        else:
            parts.append(part.strip())
    return parts


class Settings:
    """The settings in a player's name, each known and within bounds."""

    def __init__(self, name: PlayerName, known: tuple[str, ...]) -> None:
        unknown = [key for key in name.settings if key not in known]
        if name.what or unknown:
            wrong = name.what or unknown[0]
            raise BadOption(f"player {name}: {name.kind} has {', '.join(known)}, not {wrong!r}")
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
