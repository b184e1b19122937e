"""HTML made of parts: whatever is not markup already is text, and is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

__all__ = ["Attribute", "Inside", "Markup", "joined", "tag"]

EMPTY = frozenset(("meta", "input", "br", "line", "circle", "rect", "polyline", "polygon"))


class Markup(str):
    """Text that is HTML; only `tag` and `joined` make it."""

    __slots__ = ()


Inside = str | Iterable["Inside"] | None
Attribute = str | int | float | bool | None


def joined(*inside: Inside) -> Markup:
    """Parts one after the other; None is nothing."""
    return Markup("".join(map(_html, inside)))


def _html(part: Inside) -> str:
    if part is None:
        return ""
    if isinstance(part, Markup):
        return part
    return escape(part) if isinstance(part, str) else joined(*part)


def tag(name: str, /, *inside: Inside, **attributes: Attribute) -> Markup:
    """An element; `class_` is `class`, other underscores are hyphens.

    An attribute that is True stands alone, one that is None or False is left out.
    """
    told = "".join(
        f" {_attribute(key)}" + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in EMPTY:
        return Markup(f"<{name}{told}/>")
    return Markup(f"<{name}{told}>{joined(*inside)}</{name}>")


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")
