"""How a finished deal is told in words: it agrees with what was paid."""

from __future__ import annotations

from typing import Any

import pytest

from overtrick.engine.deals import Deal
from overtrick.games import load_game
from showing_walks import ENOUGH, SHOWN, many_walks, record, walks

every_game = pytest.mark.parametrize("name", SHOWN)


def check_hokm(deal: Deal, told: dict[str, Any]) -> None:
    won = told.get("hokm.result.kot") or told.get("hokm.result.won") or told["hokm.result.won-more"]
    assert deal.payoffs[won["seat"]] == won.get("points", 1)
    assert won.get("tricks", 7) >= 7


def check_hearts(deal: Deal, told: dict[str, Any]) -> None:
    if "hearts.result.moon" in told:
        assert deal.payoffs[told["hearts.result.moon"]["seat"]] == 26
    else:
        assert 3 * deal.payoffs[3] == 26 - 4 * told["hearts.result.points"]["points"]


def check_coinche(deal: Deal, told: dict[str, Any]) -> None:
    if "coinche.result.passed" in told:
        assert set(deal.payoffs) == {0}
        return
    times = 1
    for key in ("coinche.result.coinched", "coinche.result.surcoinched"):
        times = told.get(key, {"times": times})["times"]
    made = told.get("coinche.result.made") or told.get("coinche.result.capot-made")
    failed = told.get("coinche.result.failed") or told.get("coinche.result.capot-failed")
    assert (made is None) != (failed is None)
    if made is not None:
        assert deal.payoffs[made["seat"]] == made.get("value", 250) * times
    if failed is not None:
        assert deal.payoffs[failed["seat"]] < 0
        assert deal.payoffs[failed["seat"]] % times == 0


SNAPSZER_WORTH = {
    "closer-pays-two": 2,
    "closer-pays-three": 3,
    "no-trick": 3,
    "under-33": 2,
    "33-or-more": 1,
}


def check_snapszer(deal: Deal, told: dict[str, Any]) -> None:
    how, worth = told
    words = worth.removeprefix("snapszer.result.").removesuffix("-at-close")
    assert deal.payoffs[told[worth]["seat"]] == SNAPSZER_WORTH[words]
    sign = -1 if how == "snapszer.result.close-failed" else 1
    assert sign * deal.payoffs[told[how]["seat"]] > 0


SHEEPHEAD_STAKES = {
    "won-all": (15, 25),
    "won-schneider": (10, 20),
    "won": (5, 15),
    "lost-tricks": (-20, -30),
    "lost-points": (-20, -30),
    "lost": (-10, -20),
    "sixty-sixty": (-10, -20),
    "lost-schneider": (-15, -25),
}


def check_sheephead(deal: Deal, told: dict[str, Any]) -> None:
    times = 2 if "sheephead.result.doubled" in told else 1
    first = next(iter(told))
    words, seat = first.removeprefix("sheephead.result."), told[first].get("seat")
    if words == "redealt":
        assert set(deal.payoffs) == {0}
    elif words.startswith("nola"):
        assert deal.payoffs[seat] == (20 if words == "nola-all" else -20) * times
    elif "sheephead.result.alone" in told:
        assert deal.payoffs[seat] == 4 * SHEEPHEAD_STAKES[words][1] * times
    else:
        stake = SHEEPHEAD_STAKES[words][0] * times
        assert deal.payoffs[seat] == 2 * stake
        assert deal.payoffs[told["sheephead.result.partner"]["seat"]] == stake


CHECKS = {
    "hokm": check_hokm,
    "hearts": check_hearts,
    "coinche": check_coinche,
    "snapszer": check_snapszer,
    "sheephead": check_sheephead,
}


@every_game
def test_the_result_in_words_agrees_with_the_payoffs(name):
    game = load_game(name)
    for walked in many_walks(name, ENOUGH[name]):
        told = game.showing.result(record(walked[-1]))
        CHECKS[name](walked[-1], {phrase.key: phrase.args for phrase in told})
        for seat in range(game.seats):  # and all are told the same
            assert [*game.showing.result(record(walked[-1], seat))] == [*told]


@every_game
def test_totals_are_the_scores_of_everybody_at_the_table(name):
    game = load_game(name)
    for walked in walks(name):
        match = walked[-1].match.after(walked[-1])
        totals = [*game.showing.totals(match)]
        people = game.people_of(match.variant) if game.people_of else game.seats
        if people == game.seats:
            assert totals == [*match.scores]
        else:
            assert len(totals) == people
            assert sum(totals) == 0
            assert set(match.scores) <= set(totals)
        assert totals == [*game.showing.totals(match._records[0])]
