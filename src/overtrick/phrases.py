"""Phrases in words, where there is no page to do it: in the terminal and in files.

The page has a catalogue of its own; what both tell stands in `texts/en/` and is read by both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from overtrick.cards import SYMBOLS

if TYPE_CHECKING:
    from overtrick.games.game import Game
    from overtrick.games.showing import Phrase

__all__ = [
    "PhraseTold",
    "catalogue",
    "choice_words",
    "in_words",
    "is_plain_card",
    "phrases_told",
    "told",
]

CATALOGUES = ("review",)
WITH_A_SUIT = re.compile(r"(\w*?):?([A-Za-z])")  # 80S, marry:h, S


class PhraseTold(BaseModel):
    """A text of the page's catalogue, by its key, with what to fill in (see games/showing.py)."""

    model_config = ConfigDict(frozen=True)

    key: str
    args: dict[str, str | int] = {}


def told(key: str, **args: str | int) -> PhraseTold:
    """A phrase with what to fill in."""
    return PhraseTold(key=key, args=args)


def phrases_told(phrases: Iterable[Phrase]) -> list[PhraseTold]:
    """Phrases as they are sent and written."""
    return [PhraseTold(key=phrase.key, args=dict(phrase.args)) for phrase in phrases]


@cache
def catalogue() -> Mapping[str, str]:
    """The texts that the page shares with the terminal, by key."""
    texts: dict[str, str] = {}
    for name in CATALOGUES:
        told = files("overtrick").joinpath("texts", "en", f"{name}.json").read_text("utf-8")
        texts |= json.loads(told)
    return texts


def in_words(phrase: PhraseTold, game: Game, names: Sequence[str] = ()) -> str:
    """The text of a phrase; seats go by these names, or by those of the game.

    What an argument is follows from its name, as on the page: `card` and `cards` are names of
    cards, `suit` a letter, `seat` a number, `choice` the notation of a choice in the phase
    `phase`; a text has a form `key.one` for a `count` of 1.
    """
    args: dict[str, str] = {}
    for name, value in phrase.args.items():
        args |= _filled(name, value, game, names)
    if "choice" in args:
        args["choice"] = choice_words(game, args.get("phase", ""), args["choice"])
    texts = catalogue()
    key = f"{phrase.key}.one" if phrase.args.get("count") == 1 else phrase.key
    return _fill(texts.get(key, texts.get(phrase.key, phrase.key)), args)


def _fill(text: str, args: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: args.get(found[1], found[0]), text)


def _filled(name: str, value: str | int, game: Game, names: Sequence[str]) -> dict[str, str]:
    match name:
        case "seat" | "other":
            who = names[int(value)] if names else game.seat_name(int(value))
            return {name: who, name.capitalize(): who[:1].upper() + who[1:]}
        case "card":
            pretty = game.deck.pretty(game.deck.card(str(value)))
            return {"card": pretty, "Card": pretty, "card_short": pretty}
        case "cards":
            cards = [game.deck.pretty(game.deck.card(one)) for one in str(value).split()]
            return {"cards": " ".join(cards)}
        case "suit":
            return {"suit": SYMBOLS.get(str(value), str(value))}
    return {name: str(value)}


# ---------------------------------------------------------------------------- choices


def choice_words(game: Game, phase: str, text: str) -> str:
    """A choice in words, from its notation: `bid 80 ♠`, `bury the K♥`, `the Q♠`."""
    texts, beginning = catalogue(), f"choice.{game.name}.{phase}"
    if f"{beginning}.{text}" in texts:
        return texts[f"{beginning}.{text}"]
    if text in game.deck.names:
        return _fill(texts.get(beginning, "the {card}"), _filled("card", text, game, ()))
    parts = WITH_A_SUIT.fullmatch(text)
    if parts is None:
        return text
    words = texts.get(f"{beginning}.{parts[1]}", texts.get(beginning, text))
    return _fill(words, {"value": parts[1], **_filled("suit", parts[2], game, ())})


def is_plain_card(game: Game, phase: str, text: str) -> bool:
    """Whether a choice is a card and no more is to be said of it than its name."""
    return text in game.deck.names and f"choice.{game.name}.{phase}" not in catalogue()
