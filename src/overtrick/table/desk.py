"""Answers about games and players, for the lobby and for programs that ask for a choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from overtrick.bot import Bot
from overtrick.engine.deals import Deal
from overtrick.games import game_names, load_game
from overtrick.games.game import Game
from overtrick.records import Record, record_of
from overtrick.records.text_writer import to_text
from overtrick.table.archive import FinishedDeal
from overtrick.table.lobby import game_info, player_infos, usual_player
from overtrick.table.played import Filter, PlayedDeal, Score, Unscored
from overtrick.table.setup import Setup
from overtrick.table.statistics import csv_of, scored, statistics_of
from overtrick.table.thinking import is_quick, player_of
from overtrick.table.wire import (
    Ask,
    Chosen,
    GameInfo,
    PlayerInfo,
    Readiness,
    SharedDeal,
    Statistics,
    Strategy,
)

__all__ = ["Desk"]

Values = dict[str, Any]


class Desk:
    """Whom the routes ask; all of it may take a moment, and nothing is kept."""

    # ------------------------------------------------------------------------ games, players

    def games(self) -> list[Game]:
        """The games for card players."""
        return [load_game(name) for name in game_names()]

    def game(self, name: str) -> Game:
        """The game of this name."""
        return load_game(name)

    def game_info(self, game: Game, readiness: Readiness) -> GameInfo:
        """A game as the lobby offers it."""
        return game_info(game, readiness)

    def player_infos(self, game: Game) -> list[PlayerInfo]:
        """Who can sit down to a game."""
        return player_infos(game)

    def facts_types(self) -> dict[str, Any]:
        """The type of each game's facts, by its name, for the spec."""
        kinds = [game.showing.facts_type for game in self.games()]
        return {kind.__name__: kind for kind in kinds if kind is not None}

    # ------------------------------------------------------------------------ asking a player

    def needs_search(self, ask: Ask) -> bool:
        """Whether an answer needs the kernels of the second stage."""
        return ask.view is not None or not is_quick(_bot(ask.game, ask.player).player)

    def chosen(self, ask: Ask) -> Chosen:
        """What a player chooses."""
        answer = _answered(ask)
        return Chosen(**{name: answer[name] for name in Chosen.model_fields})

    def strategy(self, ask: Ask) -> Strategy:
        """What a player thinks of every legal choice."""
        answer = _answered(ask)
        return Strategy(**answer, **answer.pop("advice"))

    # ------------------------------------------------------------------------ a person's deals

    def scores(self, deals: Sequence[Unscored]) -> list[tuple[Unscored, Score]]:
        """What deals brought, worked out from their lines."""
        return [(deal, scored(deal)) for deal in deals]

    def statistics(self, deals: Sequence[PlayedDeal], wanted: Filter, first: int) -> Statistics:
        """What is told of a person's deals."""
        return statistics_of(deals, wanted, first)

    def export(self, deals: Sequence[PlayedDeal], form: str) -> Iterator[str]:
        """Deals as a file, part by part: one record a line, or one row a line."""
        if form == "csv":
            yield csv_of(deals)
        else:
            for deal in deals:
                yield _record(deal.setup, deal).to_json() + "\n"

    # ------------------------------------------------------------------------ finished deals

    def record_text(self, setup: Setup, kept: FinishedDeal, form: str) -> str:
        """The record of a finished deal, as JSON or in words."""
        record = _record(setup, kept)
        return record.to_json(lines=True) + "\n" if form == "json" else to_text(record)

    def shared(self, kept: FinishedDeal) -> SharedDeal:
        """The cards of a finished deal, without what was chosen."""
        game, options, match, cards, _ = (part.strip() for part in kept.line.split(";"))
        return SharedDeal(game=game, deal=f"{game}; {options}; {match}; {cards};")


def _record(setup: Setup, kept: FinishedDeal | PlayedDeal) -> Record:
    return record_of(
        Deal.from_text(kept.line),
        players=[setup.players[place] for place in kept.seats],
        seat_names=[setup.names[place] or None for place in kept.seats],
        date=kept.finished[:10],
        assisted=kept.assisted or None,
        comment=_failed(kept.replaced),
    )


def _failed(replaced: int) -> str | None:
    """What a record says of choices that were made in the place of programs."""
    if not replaced:
        return None
    choices = "1 choice was" if replaced == 1 else f"{replaced} choices were"
    return f"{choices} made in the place of a program that failed"


def _bot(game: str, player: str) -> Bot:
    """Who answers; the strong rulebook if nobody is named."""
    chosen = load_game(game)
    return Bot(chosen, player_of(player or usual_player(chosen), game))


def _answered(ask: Ask) -> Values:
    request = ask.model_dump(exclude={"game", "player"}, exclude_none=True)
    return _bot(ask.game, ask.player).answered(request)
