"""The vectors and replays of RULES.md, read from the copy beside this file.

Values stay text: what `broken=0` or `6,2,26/3` means is for the test of each game to say.
"""

import re
from dataclasses import dataclass
from pathlib import Path

RULES = Path(__file__).with_name("RULES.md")

FENCE = re.compile(r"```(\w+)(?: (\w+))?")
VECTOR = re.compile(
    r"(?P<id>\S+) (?P<kind>\w+)(?P<args>(?: \w+=(?:\[[^]]*\]|\S+))*) -> (?P<result>.+)"
)
ARGUMENT = re.compile(r"(\w+)=(\[[^]]*\]|\S+)")


@dataclass(frozen=True)
class Vector:
    """One assertion of RULES.md, such as `HE-12 winner trick=[9D AS KD TH] -> 2`.

    A bracketed value is a list of words, `[]` the empty list; any other value is one word.
    A list as result is a set written down, except in SH-42.
    """

    id: str
    kind: str
    args: dict[str, str | list[str]]
    result: str | list[str]


def vectors(prefix: str | None = None) -> list[Vector]:
    """Every vector of RULES.md in its order; with a prefix such as "HE", those of one game."""
    lines = [line for fence, _, block in blocks() if fence == "vec" for line in block]
    found = [parse_vector(line) for line in lines]
    return [vector for vector in found if prefix is None or vector.id.startswith(prefix)]


def replays() -> dict[str, list[str]]:
    """The lines of each complete deal of RULES.md, by the name of its block."""
    return {name: block for fence, name, block in blocks() if fence == "replay"}


def blocks() -> list[tuple[str, str, list[str]]]:
    """Each fenced block as (first word of its fence, second word or "", non-empty lines)."""
    found: list[tuple[str, str, list[str]]] = []
    inside = False
    for line in RULES.read_text(encoding="utf-8").splitlines():
        opening = FENCE.fullmatch(line.rstrip())
        if inside and line.rstrip() == "```":
            inside = False
        elif inside:
            if line.strip():
                found[-1][2].append(line.strip())
        elif opening:
            found.append((opening[1], opening[2] or "", []))
            inside = True
    return found


def parse_vector(line: str) -> Vector:
    """The vector written on one line; a line that does not read to its end is an error."""
    match = VECTOR.fullmatch(line)
    if match is None:
        raise ValueError(f"RULES.md: expected `ID kind key=value … -> result`, got {line!r}")
    args = {key: parse_value(value) for key, value in ARGUMENT.findall(match["args"])}
    return Vector(match["id"], match["kind"], args, parse_value(match["result"]))


def parse_value(text: str) -> str | list[str]:
    """A list for `[a b c]`, the text itself for anything else."""
    if text.startswith("[") and text.endswith("]"):
        return text[1:-1].split()
    return text
