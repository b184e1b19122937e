"""The second opinion: what a choice looks like with all cards open.

It is no verdict. Nobody at the table could know it; it tells where the cards were kind or unkind.
"""

from __future__ import annotations

from overtrick.engine.deals import Deal
from overtrick.games.game import Choice, Game
from overtrick.jit import stream
from overtrick.players import make_player
from overtrick.review.told import OpenOpinion

__all__ = ["OpenHands"]

SIMS = 400  # simulations where the deal cannot be solved
LEAST_VISITS = 4  # of a choice that is spoken of


class OpenHands:
    """Looks at whole deals; for one thread at a time."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._player = make_player(f"clairvoyant:sims={SIMS}", game)

    def opinion(self, deal: Deal, choice: Choice) -> OpenOpinion | None:
        """Of a choice in a deal: exact near its end, else searched; None if it was not tried."""
        *_, advice = self._player.advise(deal.records, stream(0, "open", deal.text()))
        tried = {
            one.choice: one
            for one in advice.choices
            if one.payoff is not None and (one.visits is None or one.visits >= LEAST_VISITS)
        }
        if choice not in tried:
            return None
        payoffs = {number: one.payoff or 0.0 for number, one in tried.items()}
        most = max(payoffs.values())
        best = [number for number, payoff in payoffs.items() if payoff == most]
        return OpenOpinion(
            exact=tried[choice].visits is None,
            best=[deal.choice_text(number) for number in best],
            payoff=most,
            cost=most - payoffs[choice],
        )
