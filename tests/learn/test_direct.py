"""Direct self-play: its loss on paper, its samples, and that it learns."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from conftest import mostly_long
from overtrick.arena.statistics import estimate
from overtrick.engine.batches import legal_all
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.jit import popcount
from overtrick.learn.budget import Budget
from overtrick.learn.direct import Direct, DirectConfig, choice_loss, play_episodes
from overtrick.learn.measuring import meet
from overtrick.learn.samples import Samples, teach, views_of
from overtrick.learn.workers import LocalWorkers
from overtrick.players import make_player

TINY = {"units": 8, "layers": 1, "lot": 8, "window": 2, "batch": 16}


def learner(game: Game, *, deals: int, seed: int = 1, **settings: object) -> Direct:
    """A learner that has done all of its deals."""
    workers, budget = LocalWorkers(1), Budget(deals)
    direct = Direct(game, DirectConfig.model_validate(settings), workers, seed, budget)
    while budget.progress(direct.deals) < 1:
        direct.step()
    workers.close()
    return direct


def episodes(
    direct: Direct, *, epsilon: float, first: int = 0, count: int = 40, seed: int = 5
) -> Samples:
    return play_episodes(direct.game.name, direct._packed(), epsilon, "", seed, first, count)


def test_the_loss_is_the_squared_distance_at_the_choices_made() -> None:
    told = torch.tensor([[0.5, 2.0, 3.0], [0.0, -1.0, 7.0]])
    taken = torch.tensor([[True, False, False], [False, True, False]])
    paid = torch.tensor([[-1.0, 0.0, 0.0], [0.0, 0.5, 0.0]])
    # 0.5 told, -1 paid: 1.5² = 2.25. -1 told, 0.5 paid: 2.25. Their mean is 2.25.
    assert choice_loss(told, taken, paid).item() == pytest.approx(2.25)


def test_only_the_choices_made_are_taught() -> None:
    told = torch.zeros((1, 3), requires_grad=True)
    taken, paid = torch.tensor([[False, True, False]]), torch.tensor([[0.0, 0.5, 0.0]])
    choice_loss(told, taken, paid).backward()
    # The slope of (t - 0.5)² at t = 0 is -1.
    assert told.grad is not None
    assert told.grad.tolist() == [[0.0, -1.0, 0.0]]


def test_a_sample_is_a_real_choice_with_what_it_paid_to_who_made_it() -> None:
    direct = learner(load_game("whist3x3"), deals=8, **TINY)
    samples = episodes(direct, epsilon=0.5)
    legals = np.zeros(len(samples), dtype=np.int64)
    legal_all(samples.deals, legals)
    assert min(popcount(int(legal)) for legal in legals) > 1
    assert ((legals & samples.legal) == samples.legal).all()
    rows = np.arange(len(samples))
    paid = samples.payoffs[rows, samples.deals["seat"]] / direct.spec.reach
    same = np.full(len(samples), 0b100100, np.int64)
    lesson = teach(direct.game, direct.spec, samples, same, np.zeros(len(samples), dtype=np.bool_))
    assert (lesson.legal.sum(axis=1) == 1).all()
    assert lesson.policy.sum(axis=1) == pytest.approx(paid)
    assert set(np.unique(samples.payoffs)) <= {-3, -1, 1, 3}


def test_deals_are_the_same_in_whatever_lots_they_are_played() -> None:
    direct = learner(load_game("whist3x3"), deals=8, **TINY)
    whole = episodes(direct, epsilon=0.3)
    parts = [episodes(direct, epsilon=0.3, first=first, count=10) for first in range(0, 40, 10)]
    joined = Samples.joined(parts)
    assert joined.deals.tobytes() == whole.deals.tobytes()
    assert (joined.policy == whole.policy).all()


def chosen_by(direct: Direct, samples: Samples) -> np.ndarray:
    """What its player chooses where the samples were taken."""
    chance = np.zeros((len(samples), 2), dtype=np.int64)
    return direct.player().choose(views_of(samples.deals), chance)


def test_without_chance_it_plays_as_its_player_does() -> None:
    direct = learner(load_game("whist3x3"), deals=8, **TINY)
    samples = episodes(direct, epsilon=0.0)
    chosen = direct.player().choose(
        views_of(samples.deals), np.zeros((len(samples), 2), dtype=np.int64)
    )
    assert (1 << chosen == samples.legal).all()
    random = episodes(direct, epsilon=1.0)
    chosen = direct.player().choose(
        views_of(random.deals), np.zeros((len(random), 2), dtype=np.int64)
    )
    assert (1 << chosen != random.legal).any()


def test_it_learns_3_x_3_whist_well_enough_to_beat_random_play() -> None:
    game = load_game("whist3x3")
    direct = learner(game, deals=3000, units=64, lot=250, rate=3e-3)
    sums = meet(game, (direct.player(), make_player("random", game)), 0, 600, 11)
    won = estimate(sums.payoffs[:, 0] / sums.seats[0])
    assert won.mean - 2 * won.ci95 > 0


def test_it_learns_what_a_sure_win_pays() -> None:
    # With the king Kuhn's showdowns are won: betting with it pays more than a jack's bet does.
    game = load_game("kuhn")
    direct = learner(game, deals=3000, layers=0, lot=300, rate=1e-2, last_rate=1e-3)
    samples = episodes(direct, epsilon=1.0, count=400)
    best = direct.player().weigh(views_of(samples.deals)).max(axis=1)
    hands = samples.deals["hands"][np.arange(len(samples)), samples.deals["seat"]]
    by_card = [best[hands == 1 << card].mean() for card in range(3)]
    assert by_card[0] < by_card[1] < by_card[2]


@pytest.mark.parametrize("name", mostly_long(["thirds", "snapszer"], "snapszer"))
def test_any_game_is_learned_by_the_same_code(name: str) -> None:
    direct = learner(load_game(name), deals=16, **TINY)
    assert set(direct.nets()) == {"lead", "follow"}
    assert len(episodes(direct, epsilon=0.5, count=4)) > 0
