"""The clairvoyant: a yardstick that sees all cards, and so does what no honest player can.

Near the end of a deal it is exact: of the choices that pay its seat best the one that leaves its
side the most tricks or points, then the lowest. Before that it searches a tree of the true deal.
It takes the others to see all cards too, so it is a strong bound rather than the best answer to
players who do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from overtrick.errors import BadCards
from overtrick.games.game import NOBODY, Choice, Game, Row
from overtrick.players.advice import Advice, Weighed
from overtrick.players.levels import choices_in, forced, level_player
from overtrick.players.naming import PlayerName, Settings
from overtrick.players.searching import weighed_by
from overtrick.search.endings import Endings
from overtrick.search.puct import Puct

__all__ = ["Clairvoyant", "clairvoyant_player"]

Records = np.ndarray[Any, Any]

NOISE = 100  # thousandths of the playouts' choices


class Clairvoyant:
    """Plays with open cards; the arena gives it whole deals in the place of views."""

    sees_all = True

    def __init__(self, game: Game, name: str, *, level: int, sims: int, endgame: int) -> None:
        self.game = game
        self.name = name
        self._level = level
        self._sims = sims
        self._endgame = endgame
        self._endings = Endings(game)

    def choose(self, views: Records, streams: Row) -> Row:
        """The best choice in each whole deal."""
        chosen = np.zeros(len(views), dtype=np.int64)
        for number in range(len(views)):
            deal = views[number : number + 1]
            legal = choices_in(deal)
            if len(legal) == 1:
                chosen[number] = legal[0]
            else:
                chosen[number] = self._weigh(deal, streams[number], legal).best.choice
        return chosen

    def advise(self, view: Records, stream: Row) -> Iterator[Advice]:
        """The payoff of each choice."""
        legal = choices_in(view)
        if forced(legal):
            yield Advice(self.name, (Weighed(legal[0], 1.0),), True, forced(legal))
        else:
            yield self._weigh(view, stream, legal)

    def _weigh(self, deal: Records, stream: Row, legal: list[Choice]) -> Advice:
        if int(deal["viewer"][0]) != NOBODY:
            raise BadCards(f"{self.game.name}: the clairvoyant plays with open cards only")
        if self._endings.can_solve(deal, self._endgame):
            return self._solve(deal, legal)
        return self._search(deal, stream, legal)

    def _solve(self, deal: Records, legal: list[Choice]) -> Advice:
        payoffs, gains = self._endings.weigh(deal)
        seat, unit = int(deal["seat"][0]), self.game.payoff_unit
        ours = self._endings.side(deal) >> seat & 1

        def worth(choice: Choice) -> tuple[int, int, int]:
            gained = int(gains[choice])
            return int(payoffs[choice, seat]), gained if ours else -gained, -choice

        best = max(legal, key=worth)
        weighed = [
            Weighed(choice, float(choice == best), int(payoffs[choice, seat]) / unit, 0.0)
            for choice in legal
        ]
        return Advice(self.name, tuple(weighed), True, "exact, with all cards known")

    def _search(self, deal: Records, stream: Row, legal: list[Choice]) -> Advice:
        scale, unit = self.game.scale(deal[0]), self.game.payoff_unit
        search = Puct(
            self.game, scale, deal, deal, stream, level=self._level, noise=NOISE, temperature=0.0
        )
        search.think(self._sims)
        weighed = weighed_by(search.table(), legal, unit)
        how = f"after {self._sims:,} simulations, with all cards known"
        return Advice(self.name, weighed, True, how)


def clairvoyant_player(game: Game, name: PlayerName) -> Clairvoyant:
    """`clairvoyant:sims=2000,endgame=8`: simulations before the last tricks, which are exact."""
    told = Settings(name, ("sims", "endgame", "playout"))
    sims = told.number("sims", 2000, least=1, most=10**9)
    endgame = told.number("endgame", game.search_defaults.get("solves", "0"), least=0, most=64)
    usual = "rulebook" if game.rulebooks else "random"
    playout = level_player(game, told.text("playout", usual))
    full = f"clairvoyant:sims={sims},endgame={endgame},playout={playout.name}"
    return Clairvoyant(game, full, level=playout.level, sims=sims, endgame=endgame)
