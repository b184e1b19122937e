"""What a review says in words of tricks and other rounds, and of how each seat played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import hypot

from overtrick.cards import Card, Cards
from overtrick.engine.deals import Deal
from overtrick.games.game import Game, Seat
from overtrick.phrases import PhraseTold, told
from overtrick.records.rows import Row, rows
from overtrick.review.labels import GRAVE, SMALL, SURE, WRONG
from overtrick.review.told import (
    BLAMED,
    DealReview,
    SeatReview,
    Timeline,
    TrickComment,
    Verdict,
)
from overtrick.review.words import amount, naming, percent, points

__all__ = ["with_comments"]


def with_comments(found: DealReview, deal: Deal) -> DealReview:
    """A review with all that is to be said of its tricks and seats."""
    seats = [
        seat.model_copy(update={"phrases": _of_seat(seat, found, deal.game)})
        for seat in found.seats
    ]
    return found.model_copy(update={"tricks": _Tricks(found, deal).comments(), "seats": seats})


# ---------------------------------------------------------------------------- tricks


@dataclass(frozen=True)
class Move:
    """How far a round moved what a seat may expect."""

    seat: Seat
    before: float
    after: float
    error: float

    @property
    def size(self) -> float:
        """By how many points, up or down."""
        return abs(self.after - self.before)


class _Tricks:
    """The rounds of a deal and what a review found in them."""

    def __init__(self, found: DealReview, deal: Deal) -> None:
        self.game, self.deal, self.found = deal.game, deal, found
        self.stake = deal.game.showing.stake
        self.rows, self.led = rows(deal), _suits_led(deal)
        self.spans = [*pairwise([0, *accumulate(len(row.choices) for row in self.rows)])]
        self.moves = [_largest_move(found.timelines, *span) for span in self.spans]
        self.most = max((move.size for move in self.moves if move), default=0.0)
        self.decided = _decided(found.timelines, SMALL * self.stake)

    def comments(self) -> list[TrickComment]:
        """One for each round."""
        return [self._comment(number) for number in range(len(self.rows))]

    def _comment(self, number: int) -> TrickComment:
        row, (first, last) = self.rows[number], self.spans[number]
        made = self.found.verdicts[first:last]
        happened = self._chosen(made) if row.winner is None else self._taken(row, made)
        phrases = [*happened, *self._mattered(self.moves[number], made)]
        if first < self.decided <= last < len(self.found.verdicts):
            phrases.append(told("review.moved.decided"))
        return TrickComment(first=first + 1, last=last, winner=row.winner, phrases=phrases)

    def _taken(self, row: Row, made: Sequence[Verdict]) -> list[PhraseTold]:
        """Who took a trick with which card, and what it was worth."""
        played = [one for one in made if one.card is not None]
        taking = next(one for one in reversed(played) if one.seat == row.winner)
        followed = self.led[played[0].number - 1] >> taking.choice & 1
        key = "review.trick.took" if followed else "review.trick.ruffed"
        took = told(key, seat=taking.seat, card=taking.text)
        return [took, *self._worth([one.choice for one in played])]

    def _worth(self, cards: Sequence[Card]) -> list[PhraseTold]:
        worth = self.game.showing.trick_points(self.deal.records[0], cards)
        if worth is None:
            return []
        return [told("review.trick.points", count=worth) if worth else told("review.trick.nothing")]

    def _chosen(self, made: Sequence[Verdict]) -> list[PhraseTold]:
        """What was chosen in a round that is no trick; what most have chosen is left out."""
        one, texts = made[0], [verdict.text for verdict in made]
        if len(made) > 1 and all(v.card and v.seat == one.seat for v in made):
            return [
                told("review.round.cards", seat=one.seat, phase=one.phase, cards=" ".join(texts))
            ]
        if len(made) > 1 and len(set(texts)) == 1:
            return [told("review.round.same", choice=one.text, phase=one.phase)]
        usual = max(texts, key=texts.count) if len(set(texts)) < len(texts) else ""
        return [self._naming("review.round.choice", v) for v in made if v.text != usual]

    def _mattered(self, move: Move | None, made: Sequence[Verdict]) -> list[PhraseTold]:
        """How a round moved the deal, and whose choice did."""
        blamed = [one for one in made if one.label in BLAMED]
        phrases = []
        if move is not None and move.size >= max(WRONG * self.stake, SURE * move.error):
            phrases += self._moved(move, nobody_erred=not blamed)
        if blamed:
            worst = max(blamed, key=lambda one: one.cost)
            phrases.append(
                self._naming("review.cost", worst, points=amount(worst.cost, self.stake))
            )
        return phrases

    def _moved(self, move: Move, *, nobody_erred: bool) -> list[PhraseTold]:
        key = "review.moved.up" if move.after > move.before else "review.moved.down"
        ends = {"before": points(move.before, self.stake), "after": points(move.after, self.stake)}
        phrases = [told(key, seat=move.seat, **ends)]
        if move.size >= GRAVE * self.stake:
            phrases += [told("review.moved.most")] if move.size == self.most else []
            phrases += [told("review.moved.cards")] if nobody_erred else []
        return phrases

    def _naming(self, key: str, one: Verdict, **args: str) -> PhraseTold:
        return naming(self.game, key, one.phase, one.text, seat=one.seat, **args)


def _suits_led(deal: Deal) -> list[Cards]:
    """After each choice all cards of the suit that is led; all cards where nothing tells."""
    now, found = Deal.from_order(deal.match, deal.order), []
    for event in deal.history:
        now = now.play(event.choice)
        record = now.records[0]
        found.append(int(record["led"]) if "led" in record.dtype.names else deal.game.deck.all)
    return found


def _largest_move(lines: Sequence[Timeline], first: int, last: int) -> Move | None:
    """The seat whose expectation was moved most between two moments; None without timelines."""
    moves = []
    for line in lines:
        before, after = line.moments[first], line.moments[last]
        error = hypot(before.error, after.error)
        moves.append(Move(line.seat, before.value, after.value, error))
    return max(moves, key=lambda move: move.size, default=None)


def _decided(lines: Sequence[Timeline], little: float) -> int:
    """The first moment from which on everybody could expect what came in the end, about."""
    found = 0
    for line in lines:
        end = line.moments[-1].value
        found = max(
            [found, *(one.number + 1 for one in line.moments if abs(one.value - end) > little)]
        )
    return found


# ---------------------------------------------------------------------------- seats


def _of_seat(seat: SeatReview, found: DealReview, game: Game) -> list[PhraseTold]:
    """How a seat came out and why, its figures, and its costliest choice."""
    stake = game.showing.stake
    phrases = [_outcome(seat, stake)]
    if seat.expected is not None and seat.luck is not None:
        expected, luck = points(seat.expected, stake), points(seat.luck, stake)
        cost = amount(seat.cost, stake)
        phrases.append(told("review.seat.figures", expected=expected, cost=cost, luck=luck))
    if seat.accuracy is not None:
        share, choices = percent(seat.accuracy), seat.decisions
        phrases.append(told("review.seat.accuracy", percent=share, count=choices))
    costly = (found.verdicts[number - 1] for number in found.costliest)
    return phrases + [_costliest(one, game) for one in costly if one.seat == seat.seat][:1]


def _costliest(one: Verdict, game: Game) -> PhraseTold:
    costs = amount(one.cost, game.showing.stake)
    key = "review.seat.costliest"
    return naming(game, key, one.phase, one.text, number=one.number, points=costs)


def _outcome(seat: SeatReview, stake: float) -> PhraseTold:
    word: str = seat.outcome
    if word == "unlucky" and seat.luck is not None and seat.luck >= 0.0:
        word = "weak-cards"
    args = {"cost": amount(seat.cost, stake)} if "mistakes" in word else {}
    return told(f"review.seat.{word}", seat=seat.seat, points=points(seat.payoff, stake), **args)
