"""Twenty classic positions, four a game, in which the right choice is certain."""

from __future__ import annotations

from collections import Counter

import pytest

from overtrick.engine.deals import Deal
from overtrick.review.judge import Judge
from overtrick.review.labels import label_of
from overtrick.review.reviewing import hint
from review.reviewed import FIVE, Position, positions


def test_there_are_four_positions_a_game():
    assert Counter(one.game for one in positions()) == dict.fromkeys(FIVE, 4)


@pytest.mark.parametrize("one", positions(), ids=lambda one: f"{one.game}-{one.right.split()[0]}")
def test_the_right_choice_is_best_and_the_tempting_one_a_mistake(one: Position):
    deal = Deal.from_text(one.deal)
    advice = hint(deal.view(deal.seat), Judge(one.game))
    assert advice.text in one.right.split(), one.why
    tempting = next(choice for choice in advice.choices if choice.text == one.wrong)
    label = label_of(tempting.cost, tempting.cost_error, deal.game.showing.stake)
    assert label in ("mistake", "blunder"), one.why
