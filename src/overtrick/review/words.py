"""What a hint and a verdict say in words; the texts are in texts/en/review.json."""

from __future__ import annotations

from collections.abc import Sequence

from overtrick.engine.deals import View
from overtrick.games.game import Game
from overtrick.phrases import PhraseTold, is_plain_card, told
from overtrick.review.judge import Weighing
from overtrick.review.labels import SMALL, SURE, WRONG
from overtrick.review.told import JudgedChoice, Verdict

__all__ = ["amount", "naming", "of_hint", "of_verdict", "percent", "points"]

WORST = 0.1  # the part of the worlds that a risk is told of
APART, FAR_APART = 0.1, 0.3  # shares of worlds that differ enough to be told: of wins, of tricks


def amount(value: float, stake: float) -> str:
    """Points as they are said of a cost: no more digits than matter in such a deal."""
    return f"{abs(value):.{0 if stake >= 50 else 1 if stake >= 5 else 2}f}"


def points(value: float, stake: float) -> str:
    """Points as they are said of a result: with their sign, but for nothing."""
    size = amount(value, stake)
    sign = "" if not size.strip("0.") else "+" if value > 0 else "−"
    return sign + size


def percent(share: float) -> int:
    """A share in whole percents; 0 and 100 only if there is no exception."""
    if share in (0.0, 1.0):
        return int(100 * share)
    return min(max(round(100 * share), 1), 99)


def naming(game: Game, key: str, phase: str, choice: str, **args: str | int) -> PhraseTold:
    """A phrase that names a choice: in its form `.card` if the choice is simply a card."""
    if is_plain_card(game, phase, choice):
        return told(f"{key}.card", card=choice, **args)
    return told(key, choice=choice, phase=phase, **args)


# ---------------------------------------------------------------------------- hints


def of_hint(
    view: View, weighed: Weighing, choices: Sequence[JudgedChoice], has_partner: bool
) -> list[PhraseTold]:
    """Why the first of these choices is the best: what it brings, what it risks, what is next."""
    if len(choices) == 1:
        return [told("hint.only")]
    best, stake = choices[0], view.game.showing.stake
    if all(one.cost == 0.0 and one.payoff == best.payoff for one in choices):
        key = "hint.equal.exact" if weighed.exact else "hint.equal"
        return [told(key, points=points(best.payoff, stake))]
    key = "hint.exact" if weighed.exact else "hint.best"
    expects = naming(view.game, key, view.phase, best.text, points=points(best.payoff, stake))
    hopes = [] if weighed.exact else [_ahead(weighed), *_risk(weighed, stake)]
    return [expects, *hopes, *_takes(best, has_partner), _next(view, choices[1])]


def _ahead(weighed: Weighing) -> PhraseTold:
    """How often the best choice comes out ahead."""
    share = weighed.share(weighed.best, above=0.0)
    if share == 1.0:
        return told("hint.ahead.all", worlds=weighed.worlds)
    if weighed.payoffs[:, weighed.best].max() < 0.0:
        return told("hint.ahead.none", worlds=weighed.worlds)
    return told("hint.ahead", percent=percent(share))


def _risk(weighed: Weighing, stake: float) -> list[PhraseTold]:
    """What the best choice may come to, where there are smaller losses than that."""
    low, results = weighed.low(weighed.best, WORST), weighed.payoffs[:, weighed.best]
    if not ((low < results) & (results < 0.0)).any():
        return []
    return [told("hint.risk", points=points(low, stake))]


def _takes(best: JudgedChoice, has_partner: bool) -> list[PhraseTold]:
    """Whether the best choice takes the trick."""
    if best.takes is None:
        return []
    key = "hint.takes.side" if has_partner else "hint.takes"
    if best.takes in (0.0, 1.0):
        return [told(f"{key}.{'all' if best.takes else 'none'}")]
    return [told(key, percent=percent(best.takes))]


def _next(view: View, second: JudgedChoice) -> PhraseTold:
    """What the next best choice costs."""
    stake = view.game.showing.stake
    if second.cost < SMALL * stake / 2:
        return naming(view.game, "hint.as-good", view.phase, second.text)
    costs = amount(second.cost, stake)
    return naming(view.game, "hint.next", view.phase, second.text, points=costs)


# ---------------------------------------------------------------------------- verdicts


def of_verdict(view: View, weighed: Weighing, verdict: Verdict) -> list[PhraseTold]:
    """What the analysis prefers, what the choice cost, and whether the cards were kind."""
    stake = view.game.showing.stake
    if verdict.label == "best":
        return [*_hard(verdict, stake), *_luck(view, verdict)]
    if verdict.label == "good":
        small = verdict.cost < SMALL * stake
        key = "verdict.close" if small else "verdict.unsure"
        return [_better(view, verdict, key), *_luck(view, verdict)]
    better = _better(view, verdict, "verdict.exact" if verdict.exact else "verdict.better")
    return [better, *_compared(weighed, verdict), *_luck(view, verdict)]


def _better(view: View, verdict: Verdict, key: str) -> PhraseTold:
    stake = view.game.showing.stake
    return naming(
        view.game,
        key,
        verdict.phase,
        verdict.best_text,
        points=amount(verdict.cost, stake),
        error=amount(SURE * verdict.error, stake),
    )


def _hard(verdict: Verdict, stake: float) -> list[PhraseTold]:
    """A word of praise if all other choices, of several, were mistakes."""
    others = [one for one in verdict.choices if one.choice != verdict.choice]
    least = min(others, key=lambda one: one.cost)
    if len(others) < 2 or least.cost < max(WRONG * stake, SURE * least.cost_error):
        return []
    return [told("verdict.only", points=amount(least.cost, stake))]


def _compared(weighed: Weighing, verdict: Verdict) -> list[PhraseTold]:
    """How the best choice fares against that which was made: in the deal, and in the trick."""
    best, made = (
        next(one for one in verdict.choices if one.choice == choice)
        for choice in (verdict.best, verdict.choice)
    )
    found = []
    shares = [weighed.share(weighed.choices.index(one.choice), above=0.0) for one in (best, made)]
    if not weighed.exact and shares[0] - shares[1] >= APART:
        found.append(_shares("verdict.ahead", *shares))
    takes = best.takes or 0.0, made.takes or 0.0
    if abs(takes[0] - takes[1]) >= FAR_APART:
        found.append(_shares("verdict.takes", *takes))
    return found


def _shares(key: str, best: float, made: float) -> PhraseTold:
    return told(key, best=percent(best), percent=percent(made))


def _luck(view: View, verdict: Verdict) -> list[PhraseTold]:
    """What the hidden cards made of the choice."""
    if verdict.luck == "lucky":
        return [told("verdict.lucky")]
    if verdict.luck == "unlucky" and verdict.open is not None:
        more = amount(verdict.open.cost, view.game.showing.stake)
        return [
            naming(view.game, "verdict.unlucky", verdict.phase, verdict.open.best[0], points=more)
        ]
    return []
