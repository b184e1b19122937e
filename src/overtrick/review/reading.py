"""A review as people read it, in the terminal and in a file: names, marks, numbers, words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from overtrick.engine.deals import Deal
from overtrick.games.game import Game, Seat
from overtrick.phrases import PhraseTold, choice_words, in_words, is_plain_card
from overtrick.records import Record
from overtrick.records.show import seat_names, who
from overtrick.review.labels import SURE
from overtrick.review.told import DealReview, Label, SeatReview, TrickComment, Verdict
from overtrick.review.words import amount, percent, points

__all__ = [
    "FIGURES",
    "KNEW",
    "MARKS",
    "SIGNS",
    "Reading",
    "Round",
    "label_words",
]

MARKS: dict[Label, str] = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""Signs that tell labels apart without colour; what is held against nobody has none."""
SIGNS = ", ".join(f"{sign} {label}" for label, sign in MARKS.items())
KNEW = (
    "Every choice is judged by what its seat knew when it chose: possible deals were played on "
    "after each of the choices it had, and a choice costs what it brings less than the best, on "
    "average. Behind ± stand two standard errors: a cost below that is held against nobody."
)
FIGURES = ("payoff", "expected", "choices cost", "luck", "accuracy")


def label_words(verdict: Verdict) -> str:
    """What a choice is called; whether the hidden cards made it better or worse."""
    return f"{verdict.label}, but {verdict.luck}" if verdict.luck else verdict.label


@dataclass(frozen=True)
class Round:
    """A trick, or a round of other choices, with the verdicts on them."""

    title: str
    told: TrickComment
    verdicts: list[Verdict]


@dataclass(frozen=True)
class Reading:
    """The review of a recorded deal, the `number`-th of its file."""

    record: Record
    number: int
    review: DealReview
    seat: Seat | None = None  # whose choices are looked at closely; None: everybody's

    @cached_property
    def deal(self) -> Deal:
        """The finished deal."""
        return self.record.deal()

    @property
    def game(self) -> Game:
        """What was played."""
        return self.deal.game

    @cached_property
    def names(self) -> list[str]:
        """What each seat is called in a sentence."""
        return seat_names(self.record, self.game)

    @cached_property
    def people(self) -> list[str]:
        """Each seat with the player who sat there."""
        return [who(self.record, self.game, str(seat)) for seat in range(self.game.seats)]

    def is_about(self, seat: Seat) -> bool:
        """Whether the choices of a seat are looked at closely."""
        return self.seat in (None, seat)

    @property
    def costliest(self) -> list[Verdict]:
        """The choices that are held against somebody, the costliest first."""
        listed = [self.review.verdicts[number - 1] for number in self.review.costliest]
        return [verdict for verdict in listed if self.is_about(verdict.seat)]

    def rounds(self) -> Iterator[Round]:
        """The deal trick by trick."""
        tricks = 0
        for told in self.review.tricks:
            verdicts = self.review.verdicts[told.first - 1 : told.last]
            tricks += told.winner is not None
            title = f"trick {tricks}" if told.winner is not None else verdicts[0].phase
            yield Round(title, told, verdicts)

    # ------------------------------------------------------------------------ in figures

    def points(self, value: float) -> str:
        """Points with their sign."""
        return points(value, self.game.showing.stake)

    def amount(self, value: float) -> str:
        """Points without a sign."""
        return amount(value, self.game.showing.stake)

    def within(self, error: float) -> str:
        """How far a figure may be off: two standard errors of it."""
        return f"± {self.amount(SURE * error)}"

    def cost(self, cost: float, error: float) -> str:
        """A cost with how far it may be off."""
        return f"{self.amount(cost)} {self.within(error)}"

    def figures(self, told: SeatReview) -> tuple[str, ...]:
        """The figures of a seat, in the order of `FIGURES`; a dash where there is none."""
        return (
            self.points(told.payoff),
            "–" if told.expected is None else self.points(told.expected),
            self.cost(told.cost, told.cost_error),
            "–" if told.luck is None else self.points(told.luck),
            "–" if told.accuracy is None else f"{percent(told.accuracy)}%",
        )

    # ------------------------------------------------------------------------ in words

    def words(self, phrases: Iterable[PhraseTold]) -> str:
        """What phrases say."""
        return " ".join(in_words(phrase, self.game, self.names) for phrase in phrases)

    def sentences(self) -> list[str]:
        """What is said of each seat that is looked at closely."""
        seats = [told for told in self.review.seats if self.is_about(told.seat)]
        return [self.words(told.phrases) for told in seats if told.phrases]

    def choice(self, verdict: Verdict, text: str) -> str:
        """One of the choices that there were, in words; a card with the symbol of its suit."""
        if is_plain_card(self.game, verdict.phase, text):
            return self.short(text)
        return choice_words(self.game, verdict.phase, text)

    def short(self, text: str) -> str:
        """A choice in notation; a card with the symbol of its suit."""
        deck = self.game.deck
        return deck.pretty(deck.card(text)) if text in deck.names else text

    def mark(self, verdict: Verdict) -> str:
        """The sign of a choice that is held against its seat."""
        return MARKS.get(verdict.label, "") if self.is_about(verdict.seat) else ""

    def opinion(self, verdict: Verdict) -> str:
        """What is to be said of a choice with all cards open; nothing if there was no other."""
        told = verdict.open
        if told is None:
            return ""
        best = " or ".join(self.choice(verdict, text) for text in told.best)
        how = "solved to the end" if told.exact else "searched"
        cost = f"cost {self.amount(told.cost)}" if told.cost > 0.0 else "cost nothing"
        made = self.choice(verdict, verdict.text)
        return f"best was {best}, for {self.points(told.payoff)} ({how}); {made} {cost}."
