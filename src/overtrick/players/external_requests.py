"""What a program that plays is asked, and what its answers mean: the protocol of docs/bots.md.

Everything is made from the view of one seat, so what that seat has not seen has no road out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from overtrick import __version__
from overtrick.cards import each
from overtrick.engine.deals import View
from overtrick.errors import BotFault, OvertrickError
from overtrick.games.game import Choice, Game, Row
from overtrick.players.advice import Weighed
from overtrick.records.checks import match_fields
from overtrick.records.json_text import shortened, strict_json

__all__ = [
    "MOST_SEED",
    "PROTOCOL",
    "QUIT",
    "STOP",
    "Hello",
    "Values",
    "choice_in",
    "choice_request",
    "hello_request",
    "info_text",
    "object_in",
    "seed_of",
    "view_values",
    "weighed_in",
]

Values = dict[str, Any]

PROTOCOL = 1
MOST_SEED = 2**53 - 1  # the largest number that every language reads as it is
MOST_TEXT = 400  # characters of what a program says
STOP = {"ask": "stop"}
QUIT = {"ask": "quit"}


# ---------------------------------------------------------------------------- asking


def view_values(view: View) -> Values:
    """A view as an object, as a request tells it."""
    saw = view.sight
    usual = type(view.variant)()
    options = {name: getattr(view.variant, name) for name in view.game.variant.options()}
    return {
        "game": view.game.name,
        "variant": {k: v for k, v in options.items() if v != getattr(usual, k)},
        "match": match_fields(view.match),
        "seat": saw.seat,
        "cards": {place: " ".join(words) for place, words in saw.cards.items()},
        "choices": [*saw.choices],
        "seen": dict(saw.seen),
    }


def choice_request(view: View, number: int, chance: Row, ms: int | None) -> Values:
    """What is asked where the viewer is to act: the view, and what can be read off it."""
    legal = zip(view.legal, view.legal_texts, strict=True)
    names = view.game.deck.names
    told: Values = {
        "id": number,
        "ask": "choice",
        "view": view_values(view),
        "phase": view.phase,
        "hand": [names[card] for card in each(view.hand)],
        "trick": [{"seat": seat, "card": names[card]} for seat, card in view.trick],
        "public": dict(view.public),
        "legal": [{"choice": choice, "text": text} for choice, text in legal],
        "seed": seed_of(chance),
    }
    return told if ms is None else told | {"ms": ms}


def seed_of(chance: Row) -> int:
    """A whole number that a program may draw by: the same for the same chance.

    The chance itself is not told: who has it could work out that of the others' choices.
    """
    words = b"".join(int(word).to_bytes(8, "little", signed=True) for word in chance)
    digest = hashlib.blake2b(words, digest_size=8, person=b"overtrick-bot").digest()
    return int.from_bytes(digest, "little") & MOST_SEED


def hello_request(
    game: Game | None, number: int, options: Mapping[str, str], ms: int | None
) -> Values:
    """The handshake: who asks, with which options, and about which game if that is known."""
    told: Values = {
        "id": number,
        "ask": "hello",
        "protocol": PROTOCOL,
        "name": "overtrick",
        "version": __version__,
        "options": dict(options),
        "infos": True,
    }
    if game is not None:
        told |= {
            "game": game.name,
            "seats": [game.seat_name(seat) for seat in range(game.seats)],
            "cards": [*game.deck.names],
            "phases": [*game.phases],
        }
    return told if ms is None else told | {"ms": ms}


# ---------------------------------------------------------------------------- answers


def object_in(line: str) -> Values:
    """The JSON object of a line."""
    try:
        told = strict_json(line)
    except OvertrickError as error:
        raise BotFault("nonsense", f"wrote {shortened(line)}: {error}") from None
    if not isinstance(told, dict):
        raise BotFault("nonsense", f"wrote {shortened(line)}, which is not a JSON object")
    return told


def choice_in(answer: Values, view: View) -> Choice:
    """The legal choice that an answer tells, by its number or in notation."""
    if "error" in answer:
        raise BotFault("error", f"answered with an error: {shortened(answer['error'], MOST_TEXT)}")
    choice = answer.get("choice")
    if choice is None and isinstance(answer.get("text"), str):
        try:
            choice = view.game.choice_from(view.game.phases.index(view.phase), answer["text"])
        except OvertrickError as error:
            raise BotFault("nonsense", str(error)) from None
    if isinstance(choice, bool) or not isinstance(choice, int):
        raise BotFault("nonsense", f"answered with the choice {shortened(choice)}")
    if choice not in view.legal:
        legal = ", ".join(
            f"{one} {text}" for one, text in zip(view.legal, view.legal_texts, strict=True)
        )
        raise BotFault("illegal", f"chose {shortened(choice)} to {view.phase}; legal are {legal}")
    return choice


def weighed_in(told: object, view: View) -> dict[Choice, Weighed]:
    """What a program thinks of the legal choices, as far as it makes sense."""
    listed = told.get("choices") if isinstance(told, dict) else None
    found: dict[Choice, Weighed] = {}
    for one in listed if isinstance(listed, list) else []:
        if isinstance(one, dict) and one.get("choice") in view.legal:
            visits = _number(one.get("visits"))
            found[one["choice"]] = Weighed(
                one["choice"],
                _number(one.get("probability")) or 0.0,
                _number(one.get("payoff")),
                _number(one.get("error")),
                None if visits is None else int(visits),
            )
    return found


def _number(told: object) -> float | None:
    return float(told) if isinstance(told, int | float) and abs(told) < 1e15 else None


def info_text(told: object) -> str:
    """What a program says of its thoughts, in one line."""
    if isinstance(told, dict):
        told = told.get("text", "")
    return " ".join(str(told).split())[:MOST_TEXT] if isinstance(told, str | int | float) else ""


class Hello:
    """What a program told of itself."""

    def __init__(self, answer: Values) -> None:
        if "error" in answer:
            raise BotFault("error", f"answered hello with an error: {shortened(answer['error'])}")
        if answer.get("protocol") != PROTOCOL:
            told = shortened(answer.get("protocol"))
            raise BotFault("nonsense", f"speaks protocol {told}, not {PROTOCOL}")
        name = answer.get("name")
        if not isinstance(name, str) or not 0 < len(name) <= MOST_TEXT:
            raise BotFault("nonsense", f"tells the name {shortened(name)}")
        games = answer.get("games", answer.get("game"))
        self.name = name
        self.games = _names(games, "games") if games is not None else None
        self.options = _options(answer.get("options", {}))
        self.is_deterministic = answer.get("deterministic", True) is not False


def _names(told: object, what: str) -> tuple[str, ...]:
    names = [told] if isinstance(told, str) else told
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BotFault("nonsense", f"tells the {what} {shortened(told)}, not a list of names")
    return tuple(names)


def _options(told: object) -> dict[str, Values]:
    """The options that a program has, by name; each an object, which may tell what it likes."""
    if isinstance(told, dict) and all(isinstance(one, dict) for one in told.values()):
        return dict(told)
    raise BotFault("nonsense", f"tells the options {shortened(told)}, not an object of objects")
