"""JSON read strictly, and written so that people can read it too."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from overtrick.errors import BadRecord

__all__ = ["compact", "shortened", "strict_json", "tall"]


def strict_json(text: str) -> Any:
    """What a JSON text holds; a field told twice, NaN and infinities are refused."""
    try:
        return json.loads(text, object_pairs_hook=_told_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in text.strip() else ""
        raise BadRecord(f"not JSON: {error.msg} at {line}column {error.colno}") from None
    except RecursionError:
        raise BadRecord("not a record: the JSON is nested too deeply") from None
    except ValueError:  # a number of thousands of digits
        raise BadRecord("not a record: a number in the JSON has too many digits") from None


def _told_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name, value in pairs:
        if name in told:
            raise BadRecord(f"{shortened(name)} is told twice")
        told[name] = value
    return told


def _no_number(text: str) -> NoReturn:
    raise BadRecord(f"{text} is not a number in JSON")


def compact(values: Any) -> str:
    """A JSON text in one line."""
    return json.dumps(values, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))


def tall(values: dict[str, Any]) -> str:
    """A JSON object with one line for each of its fields."""
    lines = [f"  {compact(name)}: {compact(value)}" for name, value in values.items()]
    return "{\n" + ",\n".join(lines) + "\n}"


def shortened(value: object, most: int = 60) -> str:
    """A value as Python writes it, cut where it gets long; for messages."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = repr(value)
    return text if len(text) <= most else f"{text[: most - 1]}…"
