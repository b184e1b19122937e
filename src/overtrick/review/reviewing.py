"""The review of a finished deal: every choice judged by what its seat knew at that moment.

What a seat got is what it could expect before the first choice, less what its choices cost, plus
its luck: all that came to pass otherwise, by the cards and by what the others chose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import hypot

from overtrick.engine.deals import Deal, Event, View
from overtrick.errors import DealOver
from overtrick.games.game import Choice, Game, Seat
from overtrick.review import comments, words
from overtrick.review.judge import Judge, Weighing, Worth
from overtrick.review.labels import accuracy_of, label_of, luck_of, outcome_of
from overtrick.review.open_hands import OpenHands
from overtrick.review.told import (
    BLAMED,
    DealReview,
    Hint,
    JudgedChoice,
    Moment,
    SeatReview,
    Timeline,
    Verdict,
)

__all__ = ["Progress", "hint", "review", "reviewing"]


@dataclass(frozen=True)
class Progress:
    """How far a review has come."""

    done: int
    of: int


def review(deal: Deal, judge: Judge, *, seats: Collection[Seat] | None = None) -> DealReview:
    """The review of a finished deal, with the timelines of these seats, or of all."""
    for told in reviewing(deal, judge, seats=seats):
        if isinstance(told, DealReview):
            return told
    raise AssertionError("a review ends with itself")


def reviewing(
    deal: Deal, judge: Judge, *, seats: Collection[Seat] | None = None
) -> Iterator[Progress | DealReview]:
    """As `review`, telling after each choice how far it is; the review itself comes last."""
    if not deal.is_over:
        raise DealOver(f"{deal.game.name}: the deal is not over; it is reviewed when it is")
    told = _Review(deal, judge, range(deal.game.seats) if seats is None else seats)
    for number in range(len(deal.history)):
        told.step(number)
        yield Progress(number + 1, len(deal.history))
    yield told.done()


def hint(view: View, judge: Judge) -> Hint:
    """What to choose in a view, and why."""
    weighed = judge.weigh(view)
    choices = judged(view, judge, weighed)
    best = choices[0]
    return Hint(
        choice=best.choice,
        text=best.text,
        card=best.card,
        payoff=best.payoff,
        error=best.error,
        choices=choices,
        worlds=weighed.worlds,
        exact=weighed.exact,
        phrases=words.of_hint(view, weighed, choices, len(own_side(view)) > 1),
    )


def judged(view: View, judge: Judge, weighed: Weighing) -> list[JudgedChoice]:
    """The choices of a weighing from best to worst."""
    takers = judge.takers_of_each(view, weighed.choices)
    order = sorted(range(len(weighed.choices)), key=lambda i: (-weighed.means[i], i))
    return [_judged(view, weighed, index, takers[index]) for index in order]


def _judged(
    view: View, weighed: Weighing, index: int, takers: Mapping[Seat, float]
) -> JudgedChoice:
    choice = weighed.choices[index]
    takes = sum(takers.get(seat, 0.0) for seat in own_side(view))
    worth, cost = weighed.worth(index), weighed.cost(index)
    return JudgedChoice(
        choice=choice,
        text=view.choice_text(choice),
        card=card_of(view.game, view.phase, choice),
        payoff=worth.mean,
        error=worth.error,
        cost=cost.mean,
        cost_error=cost.error,
        takes=round(takes, 9) if takers else None,
    )


def own_side(view: View) -> Collection[Seat]:
    """The viewer, and whom it knows to be on its side."""
    teams = view.game.teams
    if teams is None:
        return view.game.showing.side(view.records[0])
    return [seat for seat, team in enumerate(teams) if team == teams[view.viewer]]


def card_of(game: Game, phase: str, choice: Choice) -> str | None:
    """The name of the card that a choice is, if it is one."""
    is_card = choice < game.card_choices(game.phases.index(phase))
    return game.deck.names[choice] if is_card else None


# ---------------------------------------------------------------------------- the review


class _Review:
    """A review under way."""

    def __init__(self, deal: Deal, judge: Judge, seats: Collection[Seat]) -> None:
        self.game, self.deal, self.judge = deal.game, deal, judge
        self.stake = deal.game.showing.stake
        self.now = Deal.from_order(deal.match, deal.order)
        self.verdicts: list[Verdict] = []
        self.moments: dict[Seat, list[Moment]] = {seat: [] for seat in sorted(seats)}
        self.open_hands = OpenHands(deal.game)

    def step(self, number: int) -> None:
        """Judge one choice, and go on to the next."""
        event = self.deal.history[number]
        view = self.now.view(event.seat)
        weighed = self.judge.weigh(view)
        verdict = self._verdict(view, weighed, event)
        self.verdicts.append(verdict)
        for seat, moments in self.moments.items():
            own = weighed.worth(weighed.best) if seat == event.seat else None
            moments += self._moments(seat, number, own, verdict.cost)
        self.now = self.now.play(event.choice)

    def _moments(self, seat: Seat, number: int, own: Worth | None, cost: float) -> list[Moment]:
        """What a seat expects before a choice; if the choice is its own, also what is left of it.

        The moment after an own choice is that before the next one, and is told only once.
        """
        told = []
        if len(self.moments[seat]) == number:
            worth = own or self.judge.value(self.now.view(seat))
            told.append(Moment(number=number, value=worth.mean, error=worth.error))
        if own:
            told.append(Moment(number=number + 1, value=own.mean - cost, error=own.error))
        return told

    def _verdict(self, view: View, weighed: Weighing, event: Event) -> Verdict:
        verdict = Verdict(
            number=len(self.verdicts) + 1,
            seat=event.seat,
            phase=view.phase,
            choice=event.choice,
            text=view.choice_text(event.choice),
            card=card_of(self.game, view.phase, event.choice),
            label="forced",
            best=event.choice,
            best_text=view.choice_text(event.choice),
            value=float(weighed.means[weighed.best]),
            worlds=weighed.worlds,
            exact=weighed.exact,
        )
        return verdict if len(weighed.choices) == 1 else self._judged(view, weighed, verdict)

    def _judged(self, view: View, weighed: Weighing, verdict: Verdict) -> Verdict:
        """A verdict on a choice that was free."""
        cost = weighed.cost(weighed.choices.index(verdict.choice))
        label = label_of(cost.mean, cost.error, self.stake)
        best = verdict.choice if label == "best" else weighed.choices[weighed.best]
        opinion = self.open_hands.opinion(self.now, verdict.choice)
        told = verdict.model_copy(
            update={
                "label": label,
                "luck": luck_of(label, opinion, self.stake),
                "best": best,
                "best_text": view.choice_text(best),
                "cost": cost.mean,
                "error": cost.error,
                "span": float(weighed.means.max() - weighed.means.min()),
                "choices": judged(view, self.judge, weighed),
                "open": opinion,
            }
        )
        return told.model_copy(update={"phrases": words.of_verdict(view, weighed, told)})

    def done(self) -> DealReview:
        """The whole review."""
        payoffs = [float(payoff) for payoff in self.deal.payoffs]
        timelines = [self._timeline(seat, payoffs[seat]) for seat in self.moments]
        costly = [one for one in self.verdicts if one.label in BLAMED]
        costly.sort(key=lambda one: (-one.cost, one.number))
        found = DealReview(
            game=self.game.name,
            deal=self.deal.text(),
            judge=self.judge.name,
            seats=[self._seat(seat, payoffs[seat]) for seat in range(self.game.seats)],
            verdicts=self.verdicts,
            timelines=timelines,
            tricks=[],
            costliest=[one.number for one in costly],
        )
        return comments.with_comments(found, self.deal)

    def _timeline(self, seat: Seat, payoff: float) -> Timeline:
        """The moments of a seat; the last is what it got."""
        last = Moment(number=len(self.verdicts), value=payoff, error=0.0)
        return Timeline(seat=seat, moments=[*self.moments[seat][: len(self.verdicts)], last])

    def _seat(self, seat: Seat, payoff: float) -> SeatReview:
        mine = [one for one in self.verdicts if one.seat == seat]
        chosen = [one for one in mine if one.label != "forced"]
        cost = sum(one.cost for one in chosen)
        blamed = sum(one.cost for one in chosen if one.label in BLAMED)
        expected = self.moments[seat][0].value if seat in self.moments else None
        luck = None if expected is None else payoff - expected + cost
        return SeatReview(
            seat=seat,
            payoff=payoff,
            expected=expected,
            luck=luck,
            cost=cost,
            cost_error=hypot(*(one.error for one in chosen)),
            accuracy=accuracy_of(chosen, self.stake),
            decisions=len(chosen),
            labels=dict(Counter(one.label for one in mine)),
            outcome=outcome_of(payoff, blamed, luck or 0.0, self.stake),
            phrases=[],
        )
