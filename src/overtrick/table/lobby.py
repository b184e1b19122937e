"""What the lobby offers: the games, their house rules, and players with measured strength."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Any

from overtrick.errors import OvertrickError
from overtrick.games.game import Game
from overtrick.models import MODEL_PLAYERS, Model, find_model, list_models, player_of
from overtrick.players import PlayerName, make_player, plain_names
from overtrick.players.external import named_bots
from overtrick.table.wire import GameInfo, OptionInfo, PlayerInfo, Readiness

__all__ = ["elos", "game_info", "player_infos", "title_of", "usual_player"]

TITLES = {
    "random": "Random choices",
    "rulebook": "Rulebook",
    "pimc": "Search: worlds played out",
    "puct": "Search: trees of worlds",
    "ismcts": "Search: trees of what is seen",
    "alphazero": "Net with search",
    "net": "Net alone",
    "direct": "Net alone, by what choices pay",
    "bot": "Program",
}
BUDGETS = ("worlds", "sims", "playouts", "ms")


def game_info(game: Game, readiness: Readiness) -> GameInfo:
    """One game as the lobby offers it."""
    return GameInfo(
        name=game.name,
        title=game.title,
        summary=game.summary,
        seats=game.seats,
        seat_names=[game.seat_name(seat) for seat in range(game.seats)],
        teams=None if game.teams is None else list(game.teams),
        cards=list(game.deck.names),
        phases=list(game.phases),
        options=_options(game),
        players=player_infos(game),
        readiness=readiness,
    )


def _options(game: Game) -> list[OptionInfo]:
    """The house rules that a table can be laid with."""
    return [
        OptionInfo(
            name=name,
            meaning=option.meaning,
            default=default,
            values=None if option.values is None else list(option.values),
            at_least=option.at_least,
            at_most=option.at_most,
        )
        for name, (default, option) in game.variant.options().items()
        if name not in game.showing.learning_options
    ]


@cache
def _measured() -> dict[str, Any]:
    """The strengths that were measured, by game; none if they are not at hand."""
    home = files("overtrick.players").joinpath("strengths.json")
    if not home.is_file():
        return {}
    told: dict[str, Any] = json.loads(home.read_text(encoding="utf-8"))
    return told


def player_infos(game: Game) -> list[PlayerInfo]:
    """Who can sit down: measured players from weak to strong, then the others.

    Models are looked up anew: one that was kept a moment ago is among them.
    """
    plain = [info for info in _known(game) if PlayerName.read(info.name).kind not in MODEL_PLAYERS]
    trained = [info for model in list_models(game) for info in _infos_of(model, game)]
    programs = [PlayerInfo(name=name, title=_title(name)) for name in named_bots()]
    return sorted([*plain, *trained, *programs], key=lambda info: (info.elo is None, info.elo or 0))


@cache
def _known(game: Game) -> list[PlayerInfo]:
    """Who was measured, and who else needs no model."""
    measured = _measured().get(game.name, {})
    infos = [
        PlayerInfo(command=measured.get("command"), **one) for one in measured.get("players", [])
    ]
    names = {info.name for info in infos}
    others = [name for name in plain_names(game) if name not in names]
    return [*infos, *(PlayerInfo(name=name, title=_title(name)) for name in others)]


def _infos_of(model: Model, game: Game) -> list[PlayerInfo]:
    """A model as it was measured if it is a shipped one, else as its card tells."""
    ours = _known(game) if model.is_shipped else []
    found = [info for info in ours if PlayerName.read(info.name).what == model.card.reference]
    return found or [_from_card(model)]


def _from_card(model: Model) -> PlayerInfo:
    info = PlayerInfo(name=player_of(model), title=model.card.title)
    for result in model.card.results:
        if result.elo is not None:
            error = None if result.elo_half_width is None else round(result.elo_half_width)
            rated = {"elo": round(result.elo), "error": error, "boards": result.boards}
            return info.model_copy(update=rated | {"command": result.command or None})
    return info


def title_of(name: str, game: Game) -> str:
    """What a player is called: as in the list, or after its kind and its largest settings."""
    parts = PlayerName.read(name)
    if parts.kind not in MODEL_PLAYERS:
        listed = _titles(game)
    else:
        listed = {}
        with suppress(OvertrickError):  # its model has gone
            for info in _infos_of(find_model(parts.what, game), game):
                listed |= {info.name: info.title, _full_name(info.name, game): info.title}
    if name in listed:
        return listed[name]
    told = [f"{key} {value}" for key, value in parts.settings.items()]
    return ", ".join([_title(name), *[one for one in told if one.partition(" ")[0] in BUDGETS]])


@cache
def _titles(game: Game) -> dict[str, str]:
    """What those are called who need no model, by the names of the list, which are full ones."""
    return {info.name: info.title for info in _known(game)}


def _title(name: str) -> str:
    parts = PlayerName.read(name)
    title = TITLES.get(parts.kind, parts.kind)
    return f"{title}, {parts.what.partition('@')[0]}" if parts.what else title


@cache
def _full_name(name: str, game: Game) -> str:
    """The name of the list with all its settings, as tables keep it."""
    try:
        return make_player(name, game).name
    except OvertrickError:  # it cannot sit down
        return name


def elos(game: Game) -> dict[str, float]:
    """The measured strength of players, by the names of the list and by the full ones."""
    infos = player_infos(game)
    rated = {info.name: float(info.elo) for info in infos if info.elo is not None}
    return rated | {_full_name(name, game): elo for name, elo in rated.items()}


def usual_player(game: Game) -> str:
    """Who is asked if nobody is named."""
    return "rulebook" if game.rulebooks else "random"
