"""Reviews: what adds up, what depends on what, and what is refused."""

from __future__ import annotations

import pytest

from overtrick.engine.deals import Deal
from overtrick.errors import DealOver
from overtrick.review.open_hands import OpenHands
from overtrick.review.reviewing import Progress, hint, review, reviewing
from overtrick.review.told import BLAMED, DealReview, Verdict
from review.reviewed import FIVE, finished, hinted, judge_of, played, reviewed


def judged(verdict: Verdict) -> tuple[object, ...]:
    """What may depend on the view alone."""
    told = verdict.model_copy(update={"open": None, "luck": "", "phrases": []})
    return tuple(told.model_dump().items())


@pytest.mark.parametrize("name", FIVE)
def test_what_a_seat_got_is_what_it_expected_less_its_costs_plus_its_luck(name: str):
    found = reviewed(name)
    for seat in found.seats:
        assert seat.expected is not None and seat.luck is not None
        assert seat.payoff == pytest.approx(seat.expected - seat.cost + seat.luck)
        line = found.timelines[seat.seat].moments
        assert [one.number for one in line] == [*range(len(found.verdicts) + 1)]
        assert (line[0].value, line[-1].value) == (seat.expected, seat.payoff)


@pytest.mark.parametrize("name", FIVE)
def test_an_own_choice_lowers_the_timeline_by_its_cost(name: str):
    found = reviewed(name)
    for one in found.verdicts[:-1]:
        line = found.timelines[one.seat].moments
        fall = line[one.number - 1].value - line[one.number].value
        before_that = found.verdicts[one.number - 2].seat if one.number > 1 else None
        if before_that != one.seat:
            assert fall == pytest.approx(one.cost)


@pytest.mark.parametrize("name", FIVE)
def test_a_hint_that_is_taken_is_best_in_the_review(name: str):
    deal = hinted(name, 5)
    found = review(deal, judge_of(name), seats=[])
    assert {one.label for one in found.verdicts if one.seat == 0} <= {"best", "forced"}
    assert found.seats[0].cost == 0.0


@pytest.mark.parametrize(
    ("name", "seed"),
    [("snapszer", 8), ("hokm", 3), ("hearts", 2), ("coinche", 1), ("sheephead", 4)],
)
def test_a_deal_lost_with_perfect_play_is_called_unlucky(name: str, seed: int):
    deal = hinted(name, seed)
    assert deal.payoffs[0] < 0
    found = review(deal, judge_of(name), seats=[0])
    assert found.seats[0].outcome == "unlucky"
    assert not any(one.seat == 0 and one.label in BLAMED for one in found.verdicts)
    key = found.seats[0].phrases[0].key
    assert key in ("review.seat.unlucky", "review.seat.weak-cards")


def beginning(deal: Deal, length: int) -> Deal:
    """A deal after so many of its choices."""
    now = Deal.from_order(deal.match, deal.order)
    for event in deal.history[:length]:
        now = now.play(event.choice)
    return now


def exchanged(deal: Deal, length: int) -> tuple[Deal, Deal]:
    """A deal near its end, and another one that the seat to act cannot tell from it."""
    now = beginning(deal, length)
    assert now.seat is not None
    view = now.view(now.seat)
    for seed in range(50):
        (other,) = view.worlds(1, seed=seed)
        if other.hands != now.hands:
            return now, other
    raise AssertionError("the seat knows all cards")


@pytest.mark.parametrize("name", FIVE)
def test_exchanging_the_hidden_cards_changes_no_verdict_and_no_hint(name: str):
    deal = played(name, 4)
    now, other = exchanged(deal, len(deal.history) * 2 // 3)
    assert now.seat is not None
    view = now.view(now.seat)
    assert other.view(now.seat) == view
    assert hint(other.view(now.seat), judge_of(name)) == hint(view, judge_of(name))
    ends = [finished(start.play(now.legal[0])) for start in (now, other)]
    one, two = (review(end, judge_of(name), seats=[]) for end in ends)
    for number in range(len(now.history) + 1):
        if one.verdicts[number].seat == now.seat:
            assert judged(one.verdicts[number]) == judged(two.verdicts[number])


def test_the_open_hands_change_no_label_no_cost_and_no_best(monkeypatch: pytest.MonkeyPatch):
    deal = played("hokm", 3)
    open_too = review(deal, judge_of("hokm"), seats=[])
    monkeypatch.setattr(OpenHands, "opinion", lambda *told: None)
    closed = review(deal, judge_of("hokm"), seats=[])
    assert [judged(one) for one in open_too.verdicts] == [judged(one) for one in closed.verdicts]
    assert any(one.open for one in open_too.verdicts)


@pytest.mark.parametrize("name", FIVE)
def test_the_last_tricks_are_solved_with_open_hands(name: str):
    found = reviewed(name)
    last = [one.open for one in found.verdicts if one.open is not None][-1]
    assert last.exact
    assert last.cost >= 0.0


def test_a_review_tells_how_far_it_is():
    deal = played("snapszer", 1)
    *steps, found = reviewing(deal, judge_of("snapszer"), seats=[])
    count = len(deal.history)
    assert steps == [Progress(done, count) for done in range(1, count + 1)]
    assert isinstance(found, DealReview)


def test_a_deal_that_is_not_over_is_refused_in_one_line():
    with pytest.raises(DealOver, match=r"^hokm: the deal is not over; it is reviewed when it is$"):
        review(Deal.from_seed("hokm", 1), judge_of("hokm"))


def test_a_review_is_told_and_read_back_without_loss():
    found = review(played("snapszer", 2), judge_of("snapszer"))
    assert DealReview.model_validate_json(found.model_dump_json()) == found


@pytest.mark.long
@pytest.mark.parametrize("name", FIVE)
def test_stronger_players_are_found_to_play_better(name: str):
    def accuracy(player: str) -> float:
        cost = span = 0.0
        for seed in range(100, 112):
            found = review(played(name, seed, player), judge_of(name), seats=[])
            cost += sum(one.cost for one in found.verdicts)
            span += sum(one.span for one in found.verdicts)
        return 1.0 - cost / span

    random, simple, strong = map(accuracy, ("random", "rulebook:simple", "rulebook"))
    assert random + 0.1 < simple < strong < accuracy("pimc:worlds=100") + 0.02
