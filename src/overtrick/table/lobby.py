"""What the lobby offers: the games, their house rules, and players with measured strength."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from overtrick.games.game import Game
from overtrick.players import PlayerName, make_player, player_names
from overtrick.table.wire import GameInfo, OptionInfo, PlayerInfo, Readiness

__all__ = ["elos", "game_info", "player_infos", "title_of", "usual_player"]

TITLES = {
    "random": "Random choices",
    "rulebook": "Rulebook",
    "pimc": "Search: worlds played out",
    "puct": "Search: trees of worlds",
    "ismcts": "Search: trees of what is seen",
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
    """Who can sit down: measured players from weak to strong, then the others."""
    measured = _measured().get(game.name, {})
    infos = [
        PlayerInfo(command=measured.get("command"), **one) for one in measured.get("players", [])
    ]
    infos.sort(key=lambda info: (info.elo is None, info.elo or 0))
    known = {info.name for info in infos}
    others = [name for name in player_names(game) if name not in known]
    return [*infos, *(PlayerInfo(name=name, title=_title(name)) for name in others)]


def title_of(name: str, game: Game) -> str:
    """What a player is called: as in the list, or after its kind and its largest settings."""
    if name in _listed(game):
        return _listed(game)[name].title
    told = [f"{key} {value}" for key, value in PlayerName.read(name).settings.items()]
    return ", ".join([_title(name), *[one for one in told if one.partition(" ")[0] in BUDGETS]])


def _title(name: str) -> str:
    parts = PlayerName.read(name)
    title = TITLES.get(parts.kind, parts.kind)
    return f"{title}, {parts.what.partition('@')[0]}" if parts.what else title


@cache
def _listed(game: Game) -> dict[str, PlayerInfo]:
    """The players of the list, by the names there and by the full ones."""
    infos = player_infos(game)
    full = {make_player(info.name, game).name: info for info in infos}
    return full | {info.name: info for info in infos}


@cache
def elos(game: Game) -> dict[str, float]:
    """The measured strength of players, by the names there and by the full ones."""
    return {name: info.elo for name, info in _listed(game).items() if info.elo is not None}


def usual_player(game: Game) -> str:
    """Who is asked if nobody is named."""
    return "rulebook" if game.rulebooks else "random"
