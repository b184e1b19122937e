"""House rules: the options of a game, with their meaning, defaults and allowed values.

A variant is one frozen set of options. It is packed into int64 fields of the records when they are
made, so that options are never compile-time constants.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from overtrick.errors import BadOption, UnknownName

__all__ = ["Option", "Variant", "option"]


@dataclass(frozen=True)
class Option:
    """What an option may be set to, and what it means."""

    meaning: str
    values: tuple[Any, ...] | None = None
    at_least: int | None = None
    at_most: int | None = None
    check: Callable[[Any], str | None] | None = None  # a complaint, or None

    def allowed(self) -> str:
        """The allowed values in words."""
        if self.check is not None:
            return (self.check(None) or "").removeprefix("is ")
        if self.values is not None:
            return "one of " + ", ".join(_option_text(value) for value in self.values)
        if self.at_most is None:
            return f"a whole number from {self.at_least} up"
        return f"a whole number from {self.at_least} to {self.at_most}"


def option(
    default: Any,
    meaning: str,
    *,
    values: Sequence[Any] | None = None,
    at_least: int | None = None,
    at_most: int | None = 1_000_000,
    check: Callable[[Any], str | None] | None = None,
) -> Any:
    """A field of a Variant: its default, its meaning and its allowed values."""
    if isinstance(default, bool) and values is None:
        values = (True, False)
    chosen = None if values is None else tuple(values)
    return field(
        default=default, metadata={"option": Option(meaning, chosen, at_least, at_most, check)}
    )


def _option_text(value: Any) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Variant:
    """The house rules of one game: one frozen set of options.

    Subclasses have fields made by `option` and say in `pack` what goes into the records.
    """

    game: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for each in fields(self):
            self._check(each.name, each.metadata["option"], getattr(self, each.name))

    def _check(self, name: str, allowed: Option, value: Any) -> None:
        if allowed.values is not None:
            good = any(value == known and type(value) is type(known) for known in allowed.values)
        elif allowed.check is not None:
            complaint = allowed.check(value)
            if complaint:
                raise BadOption(f"{self.game}: {name} {complaint}, not {value!r}")
            good = True
        else:
            good = isinstance(value, int) and not isinstance(value, bool)
            good = good and (allowed.at_least is None or value >= allowed.at_least)
            good = good and (allowed.at_most is None or value <= allowed.at_most)
        if not good:
            raise BadOption(f"{self.game}: {name} is {allowed.allowed()}, not {value!r}")

    def pack(self) -> dict[str, int]:
        """The options as record fields, for the deal's record and the match's."""
        return {each.name: int(getattr(self, each.name)) for each in fields(self)}

    @classmethod
    def options(cls) -> dict[str, tuple[Any, Option]]:
        """Each option's default and what it may be."""
        return {each.name: (each.default, each.metadata["option"]) for each in fields(cls)}

    @classmethod
    def from_text(cls, text: str) -> typing.Self:
        """The variant written as `name=value,name=value`; what is not named is default."""
        chosen: dict[str, Any] = {}
        for part in filter(None, (part.strip() for part in text.split(","))):
            name, equals, value = (word.strip() for word in part.partition("="))
            if not equals:
                raise BadOption(f"{cls.game}: options are written name=value, not {part!r}")
            if name in chosen:
                raise BadOption(f"{cls.game}: {name} is set twice")
            chosen[name] = value
        return cls.from_values(chosen)

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> typing.Self:
        """The variant with these options, given as values or as texts."""
        known = {each.name: each for each in fields(cls)}
        chosen: dict[str, Any] = {}
        for name, value in values.items():
            if name not in known:
                raise UnknownName(f"option of {cls.game}", name, known)
            chosen[name] = _option_value(known[name].default, value)
        return cls(**chosen)

    def text(self) -> str:
        """The options that differ from the default, as `from_text` reads them."""
        return ",".join(
            f"{each.name}={_option_text(getattr(self, each.name))}"
            for each in fields(self)
            if getattr(self, each.name) != each.default
        )


def _option_value(default: Any, value: Any) -> Any:
    """A text read as the kind of value that the default is; nonsense is left for the check."""
    if not isinstance(value, str):
        return value
    if isinstance(default, bool):
        return {"true": True, "1": True, "false": False, "0": False}.get(value.lower(), value)
    if isinstance(default, int):
        return int(value) if value.isascii() and value.lstrip("-").isdigit() else value
    return value
