"""The methods there are, and what the settings of each are called.

A method is a module of this folder that has a `METHOD`. Loading one needs PyTorch.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from pydantic import BaseModel, ValidationError

from overtrick.errors import BadOption, MissingExtra, UnknownName
from overtrick.games.game import Game
from overtrick.learn.budget import Budget
from overtrick.learn.journal import Metrics
from overtrick.learn.workers import Workers
from overtrick.nets.packing import AnySpec
from overtrick.players import Player

__all__ = ["METHODS", "Learner", "Method", "Setting", "load_method", "settings_of"]

METHODS = ("alphazero", "belief", "deepcfr", "direct", "distill", "ppo")
Floats = np.ndarray[Any, np.dtype[Any]]
Preset = Mapping[str, Any]
Presets = Mapping[str, Preset]


class Learner(Protocol):
    """One algorithm at work; with a budget of deals all it does comes from its config and seed."""

    @property
    def deals(self) -> int:
        """Deals generated so far."""
        ...

    @property
    def total(self) -> int | None:
        """Deals that a full run has by its config; None if it is open."""
        ...

    def step(self) -> Metrics:
        """One iteration: generate, learn; what to log of it, perhaps a `phase`."""
        ...

    def save(self, folder: Path) -> None:
        """Write all that is needed to go on exactly, into an empty folder."""
        ...

    def load(self, folder: Path) -> None:
        """Go on where the learner stood that wrote this."""
        ...

    def nets(self) -> Mapping[str, tuple[AnySpec, Mapping[str, Floats]]]:
        """The nets that play, by name, with their weights."""
        ...

    def player(self) -> Player:
        """The player as it is now."""
        ...


@dataclass(frozen=True)
class Method:
    """A way to learn, and how a run of it is begun."""

    name: str
    summary: str
    config: type[BaseModel]  # frozen, every field with a description
    presets: Presets | Callable[[Game], Presets]  # `default` among them
    begin: Callable[[Game, Any, Workers, int, Budget], Learner]

    def presets_of(self, game: Game) -> Presets:
        """The presets for a game, each the settings that it changes."""
        return self.presets(game) if callable(self.presets) else self.presets

    def configure(
        self, game: Game, preset: str = "default", settings: Mapping[str, str] | None = None
    ) -> BaseModel:
        """The config of a preset, with single settings as people write them."""
        presets = self.presets_of(game)
        if preset not in presets:
            raise UnknownName(f"preset of {self.name}", preset, presets)
        values = self.config().model_dump(mode="json")
        _merge(values, presets[preset])
        for key, value in (settings or {}).items():
            _put(values, key.split("."), value)
        return self.config_from(values)

    def config_from(self, values: Mapping[str, Any]) -> BaseModel:
        """The config with these values; the first that does not fit is told in one line."""
        try:
            return self.config(**values)
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(map(str, first["loc"]))
            if first["type"] == "extra_forbidden":
                known = [setting.name for setting in settings_of(self.config())]
                raise UnknownName(f"setting of {self.name}", key, known) from None
            said = first["msg"][:1].lower() + first["msg"][1:]
            raise BadOption(f"{self.name}: {key}: {said}, not {first['input']!r}") from None


def _merge(values: dict[str, Any], changes: Mapping[str, Any]) -> None:
    """Change some settings in place, also inside others."""
    for key, value in changes.items():
        if isinstance(value, Mapping) and isinstance(values.get(key), dict):
            _merge(values[key], value)
        else:
            values[key] = value


def _put(values: dict[str, Any], keys: list[str], value: str) -> None:
    """Set a value in nested settings; lists and the like are written as JSON."""
    for key in keys[:-1]:
        inner = values.setdefault(key, {})
        if not isinstance(inner, dict):
            raise BadOption(f"{'.'.join(keys)}: {key} has no settings of its own")
        values = inner
    told: Any = value
    if value.startswith(("[", "{")) or value == "null":
        try:
            told = json.loads(value)
        except ValueError:
            raise BadOption(f"{'.'.join(keys)}: {value!r} is not JSON") from None
    values[keys[-1]] = told


# ---------------------------------------------------------------------------- settings


@dataclass(frozen=True)
class Setting:
    """One field of a config."""

    name: str  # dotted where it is a part of another
    value: Any
    meaning: str


def settings_of(config: BaseModel, within: str = "") -> Iterator[Setting]:
    """All fields of a config with their values and meanings, those inside others too."""
    for name, field in type(config).model_fields.items():
        value = getattr(config, name)
        if isinstance(value, BaseModel):
            yield from settings_of(value, f"{within}{name}.")
        else:
            yield Setting(f"{within}{name}", value, field.description or "")


# ---------------------------------------------------------------------------- by name


def load_method(name: str) -> Method:
    """The method of this name."""
    if name not in METHODS:
        raise UnknownName("method", name, METHODS)
    try:
        import torch  # noqa: F401
    except ImportError:
        raise MissingExtra("methods of training", "train") from None
    method: Method = import_module(f"overtrick.learn.{name}").METHOD
    return method
