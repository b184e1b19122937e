"""What a record tells of a deal, held against the rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import prod
from typing import Any

from overtrick.engine.deals import Deal, Match
from overtrick.errors import BadNotation, BadRecord, BadSeat, IllegalChoice, UnknownName
from overtrick.games.game import Game
from overtrick.records.parts import Analysis, Chosen, Result

__all__ = ["check_result", "match_fields", "match_of", "played", "result_of"]


def match_fields(match: Match) -> dict[str, int | tuple[int, ...]]:
    """Every field of a match, by its name."""
    told = dict(word.split("=") for word in match.text().split())
    fields: dict[str, int | tuple[int, ...]] = {}
    for name, shape in _match_shapes(match.game).items():
        numbers = tuple(map(int, told[name].split("/"))) if name in told else (0,) * prod(shape)
        fields[name] = numbers if shape else numbers[0]
    return fields


@cache
def _match_shapes(game: Game) -> dict[str, tuple[int, ...]]:
    """The fields of a match that are neither options nor the marker."""
    options = game.variant().pack()
    names = (game.match.names or ())[:-1]
    return {name: game.match[name].shape for name in names if name not in options}


def match_of(game: Game, told: Mapping[str, Any], variant: Mapping[str, Any]) -> Match:
    """The match before the deal."""
    known = _match_shapes(game)
    words = []
    for name, value in told.items():
        if name not in known:
            raise UnknownName(f"field of a match of {game.name}", name, known)
        numbers = value if isinstance(value, tuple) else (value,)
        words.append(f"{name}={'/'.join(map(str, numbers))}")
    return Match.from_text(game, " ".join(words), variant=variant)


def played(deal: Deal, choice: str | Chosen) -> Deal:
    """The deal after a choice, which has been told as it should be."""
    if isinstance(choice, str):
        return deal.play(choice)
    game = deal.game
    if choice.seat is not None and deal.seat is not None and choice.seat != deal.seat:
        told = game.seat_name(choice.seat) if choice.seat < game.seats else str(choice.seat)
        raise BadSeat(f"{game.name}: {game.seat_name(deal.seat)} is to {deal.phase}, not {told}")
    if choice.phase is not None and not deal.is_over and choice.phase != deal.phase:
        raise BadNotation(f"{game.name}: the phase is {deal.phase}, not {choice.phase!r}")
    after = deal.play(choice.choice)
    if choice.analysis is not None:
        _check_analysis(deal, choice.analysis)
    return after


def _check_analysis(deal: Deal, analysis: Analysis) -> None:
    """Only legal choices are weighed, each once."""
    game, phase = deal.game, deal.game.phases.index(deal.phase)
    weighed: set[int] = set()
    for one in analysis.choices:
        choice = game.choice_from(phase, one.choice)
        if choice not in deal.legal:
            legal = " ".join(deal.legal_texts)
            raise IllegalChoice(f"the analysis weighs {one.choice!r}; legal are {legal}")
        if choice in weighed:
            raise BadNotation(f"the analysis weighs {one.choice!r} twice")
        weighed.add(choice)


def check_result(deal: Deal, told: Result | None) -> None:
    """A result is told if the deal is over, and it is the right one."""
    found = result_of(deal)
    if told != found:
        raise BadRecord(
            f"{deal.game.name}: the deal came to {_result_text(found)}, "
            f"but the record tells {_result_text(told)}"
        )


def _result_text(result: Result | None) -> str:
    if result is None:
        return "no result"
    payoffs = " ".join(map(str, result.payoffs))
    return f"payoffs {payoffs} and scores {' '.join(map(str, result.scores))}"


def result_of(deal: Deal) -> Result | None:
    """What a deal came to; None before its end."""
    if not deal.is_over:
        return None
    return Result(payoffs=deal.payoffs, scores=deal.match.after(deal).scores)
