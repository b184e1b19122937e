"""Players by search in the arena, the clairvoyant, exact endings, and `overtrick solve`."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from commands import overtrick
from conftest import mostly_long
from overtrick.arena.tournament import Contest, play_table
from overtrick.engine.batches import legal_all, payoffs_all, play_all
from overtrick.engine.deals import Deal
from overtrick.errors import BadCards, BadOption, DealOver, Unsolvable
from overtrick.games import load_game
from overtrick.jit import stream, streams
from overtrick.players import make_player, player_kinds, player_names
from overtrick.search.endings import Endings
from overtrick.search.thinking import MOST_CHOICES

FIVE = ["hokm", "sheephead", "snapszer", "coinche", "hearts"]
SMALL = {"pimc": "pimc:worlds=4", "puct": "puct:sims=8,worlds=2", "ismcts": "ismcts:sims=24"}


def deal_after(game: str, seed: int, choices: int) -> Deal:
    """A deal after so many choices of the strong rulebook; one that is not over."""
    deal = Deal.from_seed(game, seed)
    player = make_player("rulebook:strong", deal.game)
    for _ in range(choices):
        assert deal.seat is not None
        chosen = player.choose(deal.view(deal.seat).records, streams(1, seed, "play"))
        after = deal.play(int(chosen[0]))
        if after.is_over:
            break
        deal = after
    return deal


# ---------------------------------------------------------------------------- in the arena


@pytest.mark.parametrize("name", FIVE)
@pytest.mark.parametrize("kind", [*SMALL, "clairvoyant"])
def test_every_search_plays_every_game_to_its_end(name: str, kind: str) -> None:
    player = SMALL.get(kind, "clairvoyant:sims=20,endgame=3")
    game = load_game(name)
    one = play_table(Contest.of(game, [player, "random"], seed=3), 4, threads=1)
    two = play_table(Contest.of(game, [player, "random"], seed=3), 4, threads=2)
    assert one.boards == 4
    assert one.results()[0].payoff.mean == two.results()[0].payoff.mean


@pytest.mark.parametrize("kind", SMALL)
def test_one_and_two_threads_choose_the_same(kind: str) -> None:
    game = load_game("hokm")
    names = [f"{SMALL[kind].replace('=4', '=40')},threads={threads}" for threads in (1, 2)]
    one, two = (make_player(name, game) for name in names)
    for seed in range(6):
        deal = deal_after("hokm", seed, 6 + seed)
        view = deal.view(deal.seat or 0).records
        chance = streams(1, seed, "threads")
        assert one.choose(view, chance.copy())[0] == two.choose(view, chance.copy())[0]


@pytest.mark.parametrize("kind", SMALL)
def test_advice_of_every_search_is_complete_and_deepens(kind: str) -> None:
    game = load_game("snapszer")
    player = make_player(f"{kind}:ms=40", game)
    view = Deal.from_seed(game, 4).view(0).records
    legals = np.zeros(1, dtype=np.int64)
    legal_all(view, legals)
    told = list(player.advise(view, stream(1)))
    last = told[-1]
    assert last.done and {one.choice for one in last.choices} == {
        choice for choice in range(MOST_CHOICES) if int(legals[0]) >> choice & 1
    }
    assert sum(one.probability for one in last.choices) == pytest.approx(1.0)
    assert all(one.visits is not None and one.payoff is not None for one in last.choices)
    assert (
        sum(one.visits or 0 for one in last.choices)
        > sum(one.visits or 0 for one in told[0].choices)
        or len(told) == 2
    )
    first = next(iter(player.advise(view, stream(1))))  # and nothing more is asked for
    assert not first.done


@pytest.mark.parametrize("kind", SMALL)
def test_a_time_that_is_told_takes_the_place_of_the_budget(kind: str) -> None:
    game = load_game("snapszer")
    player: Any = make_player(SMALL[kind], game)
    view = Deal.from_seed(game, 4).view(0).records
    *_, within = player.advise(view, stream(1))
    *_, longer = player.advise_for(view, stream(1), 0.3)
    assert sum(one.visits for one in longer.choices) > sum(one.visits for one in within.choices)
    (at_once,) = [advice for advice in player.advise_for(view, stream(1), 0.0) if advice.done]
    assert at_once.choices


def test_the_names_of_searches_rebuild_them() -> None:
    assert {"pimc", "puct", "ismcts", "clairvoyant"} <= set(player_kinds())
    for name in FIVE:
        game = load_game(name)
        for player in player_names(game):
            assert make_player(player, game).name == player
        assert not any(player.startswith("clairvoyant") for player in player_names(game))
        assert make_player("clairvoyant", game).name.startswith("clairvoyant:sims=")
    with pytest.raises(BadOption, match="others is search or playout"):
        make_player("ismcts:others=nobody", load_game("hokm"))


# ---------------------------------------------------------------------------- open cards


def test_the_clairvoyant_refuses_a_view_and_takes_a_whole_deal() -> None:
    game = load_game("hokm")
    player = make_player("clairvoyant:sims=10", game)
    deal = deal_after("hokm", 1, 20)
    with pytest.raises(BadCards, match="open cards"):
        player.choose(deal.view(deal.seat or 0).records, streams(1, 1))
    assert player.choose(deal.records, streams(1, 1))[0] in deal.legal


@pytest.mark.parametrize("name", mostly_long(FIVE, "coinche", "hokm", "snapszer"))
def test_open_cards_beat_the_strong_rulebook(name: str) -> None:
    game = load_game(name)
    contest = Contest.of(game, ["clairvoyant:sims=100,endgame=5", "rulebook:strong"], seed=2)
    payoff = play_table(contest, 60).results()[0].payoff
    assert payoff.mean > 0


@pytest.mark.parametrize("name", FIVE)
def test_weighing_choices_is_solving_what_follows_them(name: str) -> None:
    """Who goes on with a best choice, again and again, ends with the payoffs that were told."""
    game = load_game(name)
    endings = Endings(game, size=1 << 12)
    for seed in range(6):
        deal = Deal.from_seed(game, seed)
        while not deal.is_over and not endings.can_solve(deal.records, 3):
            chosen = make_player("rulebook:simple", game).choose(
                deal.view(deal.seat or 0).records, streams(1, seed)
            )
            deal = deal.play(int(chosen[0]))
        if deal.is_over:
            continue
        told: Any = None
        while not deal.is_over:
            payoffs, _ = endings.weigh(deal.records)
            seat = deal.seat or 0
            best = max(deal.legal, key=lambda choice: (payoffs[choice, seat], -choice))
            if told is not None:
                assert payoffs[best, seat] == told[seat]
            told = payoffs[best]
            records = deal.records
            play_all(records, np.array([best]))
            deal = deal.play(best)
        results = np.zeros((1, game.seats), dtype=np.int64)
        payoffs_all(deal.records, results)
        assert list(results[0]) == list(told)


def test_what_cannot_be_solved_is_told() -> None:
    coinche, hearts = load_game("coinche"), load_game("hearts")
    with pytest.raises(Unsolvable, match="to bid cannot be solved"):
        Endings(coinche).weigh(Deal.from_seed(coinche, 1).records)
    with pytest.raises(Unsolvable, match="to pass cannot be solved"):
        Endings(hearts).weigh(Deal.from_seed(hearts, 1).records)
    deal = deal_after("hokm", 1, 30)
    with pytest.raises(Unsolvable, match="only a whole deal"):
        Endings(deal.game).weigh(deal.view(0).records)
    while not deal.is_over:
        deal = deal.play(deal.legal[0])
    with pytest.raises(DealOver, match="nothing left to solve"):
        Endings(deal.game).weigh(deal.records)


# ---------------------------------------------------------------------------- the command


def test_solve_tells_every_choice_of_a_position() -> None:
    deal = deal_after("hokm", 3, 25)
    status, out, _ = overtrick("solve", deal.text(), "--json")
    assert status == 0
    told = json.loads(out)
    assert {row["choice"] for row in told["choices"]} == set(deal.legal_texts)
    assert all(sum(row["payoffs"]) == 0 for row in told["choices"])
    assert all(0 <= row["gains"] <= 13 for row in told["choices"])
    status, out, _ = overtrick("solve", "hearts", "--seed", "5", "--after", "50")
    assert status == 0 and "Hearts" in out


def test_solve_refuses_nonsense_in_one_line() -> None:
    for arguments in (
        ("solve", "hokm"),
        ("solve", "nothing; here"),
        ("solve", "coinche", "--seed", "1"),
        ("solve", "hokm", "--seed", "1", "--after", "-1"),
        ("solve", "hokm", "--seed", "1", "--after", "99"),
    ):
        status, out, err = overtrick(*arguments)
        assert status == 2 and out == ""
        assert err.startswith("overtrick: ") and len(err.strip().splitlines()) == 1
