"""Quick deals: the same wherever they are played, and what they tell of choices and payoffs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import all_games, legals_of, mostly_long
from nets.some_nets import some_net
from overtrick.engine.batches import payoffs_all, play_all
from overtrick.engine.playouts import RANDOM
from overtrick.engine.tree import build_tree
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.jit import streams
from overtrick.learn.memory import Memory
from overtrick.learn.quick import (
    BY_REGRETS,
    CHOICES,
    PAYOFFS,
    REGRETS,
    Quick,
    play_lot,
    play_quickly,
)
from overtrick.learn.samples import Samples, views_of
from overtrick.learn.workers import LocalWorkers
from overtrick.nets.forward import evaluate_all, new_desk
from overtrick.players.levels import playout_player
from overtrick.players.neural import PolicyPlayer
from overtrick.players.regret import RegretPlayer
from overtrick.search.guided import BY_NET


def played(game: Game, first: int, count: int, how: Quick) -> Samples:
    _, net = some_net(game)
    return play_quickly(game, net, how, seed=3, first=first, count=count)


def octets(samples: Samples) -> bytes:
    parts = (samples.deals, samples.legal, samples.policy, samples.payoffs)
    return b"".join(part.tobytes() for part in parts)


def test_a_quick_deal_is_the_same_in_whatever_lots_and_by_however_many_workers() -> None:
    game = load_game("snapszer")
    how = Quick(kept=1000, tells=PAYOFFS)
    parts = [played(game, 0, 30, how), played(game, 30, 1, how), played(game, 31, 19, how)]
    whole = octets(played(game, 0, 50, how))
    assert whole == octets(Samples.joined(parts))
    workers = LocalWorkers(3)
    _, net = some_net(game)
    together = play_lot(workers, game, net, how, seed=3, first=0, count=50)
    workers.close()
    assert whole == octets(together)


def test_a_few_quick_deals_are_shared_out_among_the_workers() -> None:
    class Counting(LocalWorkers):
        def run(self, task: Any, jobs: Any) -> Any:
            self.sizes = [job[-1] for job in jobs]
            return super().run(task, jobs)

    game, workers = load_game("snapszer"), Counting(2)
    _, net = some_net(game)
    play_lot(workers, game, net, Quick(), seed=3, first=5, count=20)
    workers.close()
    assert workers.sizes == [3, 3, 3, 3, 3, 3, 2]


@pytest.mark.parametrize("name", mostly_long(all_games(), "snapszer"))
def test_a_quick_sample_is_a_real_choice_and_what_the_deal_paid(name: str) -> None:
    game = load_game(name)
    samples = played(game, 0, 40, Quick(playout_player(game).level, tells=CHOICES))
    assert len(samples)
    assert np.array_equal(legals_of(samples.deals), samples.legal)
    assert (samples.legal & samples.legal - 1 != 0).all()
    assert np.abs(samples.payoffs.sum(axis=1)).max() == 0
    assert np.abs(samples.payoffs).max() <= game.payoff_scale
    chosen = samples.policy.argmax(axis=1)
    assert np.array_equal(samples.policy.sum(axis=1), np.ones(len(samples)))
    assert (samples.legal >> chosen & 1).all()


@pytest.mark.parametrize("name", mostly_long(["snapszer", "hearts"], "snapszer"))
def test_the_net_s_policy_plays_what_it_would_choose_at_the_table(name: str) -> None:
    game = load_game(name)
    samples = played(game, 0, 40, Quick(kept=1000, tells=CHOICES))
    _, net = some_net(game)
    player = PolicyPlayer(game, net, "net")
    views = views_of(samples.deals)
    chosen = player.choose(views, streams(len(views), 0, "any"))
    assert np.array_equal(chosen, samples.policy.argmax(axis=1))


def test_a_rulebook_plays_what_it_would_choose_at_the_table() -> None:
    game = load_game("snapszer")
    book = playout_player(game)
    samples = played(game, 0, 100, Quick(book.level, kept=1000, tells=CHOICES))
    views = views_of(samples.deals)
    chosen = book.choose(views, streams(len(views), 0, "any"))
    assert np.mean(chosen == samples.policy.argmax(axis=1)) > 0.99  # but for its own chance


def test_where_choices_are_not_told_nothing_is_known_of_them() -> None:
    samples = played(load_game("whist3x3"), 0, 50, Quick())
    assert len(samples)
    assert not samples.policy.any()


@pytest.mark.parametrize("name", mostly_long(["snapszer", "sheephead"], "snapszer"))
def test_a_choice_pays_what_the_same_players_make_of_it_on_the_same_cards(name: str) -> None:
    game = load_game(name)
    _, net = some_net(game)
    samples = played(game, 0, 6, Quick(kept=1000, tells=PAYOFFS))
    player = PolicyPlayer(game, net, "net")
    for number in range(0, len(samples), 5):
        legal, seat = int(samples.legal[number]), int(samples.deals["seat"][number])
        for choice in range(64):
            told = samples.policy[number, choice]
            if not legal >> choice & 1:
                assert told == 0
                continue
            deal = samples.deals[number : number + 1].copy()
            play_all(deal, np.array([choice]))
            while deal["phase"][0] >= 0:
                play_all(deal, player.choose(views_of(deal), streams(1, 0, "any")))
            won = np.zeros((1, game.seats), dtype=np.int64)
            payoffs_all(deal, won)
            assert told == won[0, seat]


@pytest.mark.parametrize("name", mostly_long(["snapszer", "hearts"], "snapszer"))
def test_a_critic_tells_what_a_choice_is_worth_where_its_seat_is_to_choose_again(name: str) -> None:
    game = load_game(name)
    _, net = some_net(game)
    _, critic = some_net(game, 7, hands=True)
    how = Quick(kept=1000, tells=PAYOFFS, ahead=1)
    samples = play_quickly(game, net, how, critic, seed=3, first=0, count=4)
    player, desk = PolicyPlayer(game, net, "net"), new_desk(game, critic)
    judged = 0
    for number in range(0, len(samples), 7):
        seat, rest = int(samples.deals["seat"][number]), int(samples.legal[number])
        for choice in (choice for choice in range(64) if rest >> choice & 1):
            deal = samples.deals[number : number + 1].copy()
            play_all(deal, np.array([choice]))
            while deal["phase"][0] >= 0:
                legal = int(legals_of(deal)[0])
                if deal["seat"][0] == seat and legal & legal - 1:
                    break
                play_all(deal, player.choose(views_of(deal), streams(1, 0, "any")))
            told = samples.policy[number, choice]
            if deal["phase"][0] < 0:
                won = np.zeros((1, game.seats), dtype=np.int64)
                payoffs_all(deal, won)
                assert told == won[0, seat]
                continue
            values = np.zeros((1, game.seats))
            evaluate_all(deal, legals_of(deal), critic, desk, np.zeros((1, 64)), values)
            assert told == pytest.approx(values[0, seat], rel=1e-5)
            judged += 1
    assert judged > 10


def test_regrets_are_what_choices_pay_more_than_the_one_made_which_is_trusted() -> None:
    game = load_game("snapszer")
    paid = played(game, 0, 20, Quick(kept=1000, tells=PAYOFFS))
    made = played(game, 0, 20, Quick(kept=1000, tells=CHOICES)).policy.argmax(axis=1)
    told = played(game, 0, 20, Quick(kept=1000, tells=REGRETS, trust=0.25))
    rows = np.arange(len(paid))
    assert np.array_equal(paid.deals, told.deals)
    legal = (paid.legal[:, None] >> np.arange(64) & 1).astype(bool)
    wanted = np.where(legal, paid.policy - paid.policy[rows, made][:, None], 0)
    wanted[rows, made] += 0.25
    assert np.array_equal(told.policy, wanted.astype(np.float32))


# ---------------------------------------------------------------------------- others at the table


def test_only_the_players_own_positions_are_kept_and_each_plays_as_at_the_table() -> None:
    game = load_game("snapszer")
    nets = [some_net(game, seed)[1] for seed in (0, 7)]
    how = Quick(kept=1000, stray=0, tells=PAYOFFS, seating="LO", others=BY_NET, other=nets[1])
    samples = play_quickly(game, nets[0], how, seed=3, first=0, count=12)
    players = [PolicyPlayer(game, net, "net") for net in nets]
    assert len({*samples.deals["seat"].tolist()}) == 2  # it sits here and there
    for number in range(0, len(samples), 7):
        seat, legal = int(samples.deals["seat"][number]), int(samples.legal[number])
        for choice in (choice for choice in range(64) if legal >> choice & 1):
            deal = samples.deals[number : number + 1].copy()
            play_all(deal, np.array([choice]))
            while deal["phase"][0] >= 0:
                who = players[int(deal["seat"][0] != seat)]
                play_all(deal, who.choose(views_of(deal), streams(1, 0, "any")))
            won = np.zeros((1, game.seats), dtype=np.int64)
            payoffs_all(deal, won)
            assert samples.policy[number, choice] == won[0, seat]


def test_a_rulebook_wins_of_others_who_choose_at_random() -> None:
    game = load_game("snapszer")
    level = playout_player(game).level
    samples = played(game, 0, 200, Quick(level, 1000, 0, seating="LO", others=RANDOM))
    rows = np.arange(len(samples))
    assert samples.payoffs[rows, samples.deals["seat"]].mean() > 0.5


def test_others_may_mix_by_what_their_net_tells() -> None:
    game = load_game("kuhn")
    _, own = some_net(game)
    _, net = some_net(game, 5, output="choices")
    how = Quick(kept=1000, stray=0, seating="LO", others=BY_REGRETS, other=net)
    samples = play_quickly(game, own, how, seed=3, first=0, count=8000)
    player = RegretPlayer(game, net, "", averaged=False, play="mixed", equals="apart")
    answers = samples.deals[samples.deals["turn"] == 1]  # another chose first
    cards = answers["hands"][np.arange(len(answers)), 1 - answers["seat"]]
    bets = answers["history"][:, 0] & 63 == 1
    views = build_tree(game).views
    views = views[views["turn"] == 0]
    shares = player.shares(views)[:, 1]
    assert len(views) == 3 and np.ptp(shares) > 0.1
    for view, share in zip(views, shares, strict=True):
        seen = bets[cards == view["hands"][view["seat"]]]
        assert len(seen) > 500
        assert seen.mean() == pytest.approx(share, abs=0.06)  # three standard deviations


def test_what_is_forced_on_all_is_not_kept() -> None:
    game = load_game("hokm")
    level = playout_player(game).level
    phase = game.phases.index("trump")
    how = Quick(level, kept=1000, stray=0, tells=CHOICES)
    assert (played(game, 0, 20, how).deals["phase"] == phase).any()
    forced = played(game, 0, 20, replace(how, forced=(phase, level)))
    assert len(forced) and not (forced.deals["phase"] == phase).any()


def test_only_some_positions_are_kept_and_none_before_the_random_choice() -> None:
    game = load_game("snapszer")
    level = playout_player(game).level
    every = played(game, 0, 400, Quick(level, kept=1000, stray=0))
    some = played(game, 0, 400, Quick(level, kept=300, stray=0))
    later = played(game, 0, 400, Quick(level, kept=1000, stray=1000))
    assert 0.25 < len(some) / len(every) < 0.35
    assert 0.2 < len(later) / len(every) < 0.6
    assert later.deals["turn"].mean() > every.deals["turn"].mean()


# ---------------------------------------------------------------------------- memory


def numbered(game: Game, first: int, count: int) -> Samples:
    blank = Samples.none(game)
    legal = np.arange(first, first + count)
    return Samples(
        np.zeros(count, dtype=game.state),
        legal,
        np.zeros((count, blank.policy.shape[1]), dtype=np.float32),
        np.zeros((count, game.seats), dtype=np.float32),
    )


def test_the_oldest_lots_are_forgotten_once_the_others_are_enough() -> None:
    game = load_game("whist3x3")
    memory = Memory(game, 20)
    for first in range(0, 50, 10):
        memory.add(numbered(game, first, 10))
    assert np.array_equal(memory.all().legal, np.arange(30, 50))


def test_every_sample_is_drawn_as_often_as_any_other_or_once_more() -> None:
    game = load_game("whist3x3")
    memory = Memory(game, 100)
    assert len(memory.draw(5, np.random.default_rng(1))) == 0
    for first in (0, 10, 20):
        memory.add(numbered(game, first, 10))
    drawn = memory.draw(75, np.random.default_rng(1)).legal
    counts = np.bincount(drawn, minlength=30)
    assert len(drawn) == 75
    assert set(counts) == {2, 3}


def test_a_memory_is_kept_on_disk_as_it_is(tmp_path: Path) -> None:
    game = load_game("whist3x3")
    memory, other = Memory(game, 100), Memory(game, 100)
    for first in range(0, 120, 10):
        memory.add(numbered(game, first, 10))
    memory.save(tmp_path)
    other.load(tmp_path)
    assert octets(memory.all()) == octets(other.all())
