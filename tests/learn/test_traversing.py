"""Traversals: what they estimate is right on average, and is the same wherever they are made."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from nets.some_nets import some_net
from overtrick.engine.observations import canonical_orders, observe_all
from overtrick.engine.tree import Tree, build_tree
from overtrick.errors import BadOption, UnknownName
from overtrick.games import load_game
from overtrick.learn.branching import (
    ALL,
    BRANCH,
    CORRECTED,
    OTHER,
    PAPER,
    back_up,
    branching_share,
    match_all,
)
from overtrick.learn.regrets import Regrets, legal_of
from overtrick.learn.seats import learners_of
from overtrick.learn.traversing import Traversal, _Lot, check_traversal, traverse
from overtrick.players.regret import RegretPlayer

Array = np.ndarray[Any, np.dtype[Any]]


@functools.cache
def tree_of(name: str) -> Tree:
    return build_tree(load_game(name))


def how_in(name: str, **told: Any) -> Traversal:
    game = load_game(name)
    spec, net = some_net(game, head=0, output="choices", reach=2.0, logit_clip=0.0)
    return Traversal(spec, (net,), **told)


def policy_of(how: Traversal, name: str, *, best: bool = False) -> Array:
    """What the net of a traversal mixes, at every view of the tree."""
    play = "best" if best else "mixed"
    player = RegretPlayer(
        load_game(name), how.nets[0], "", averaged=False, play=play, equals="apart"
    )
    tree = tree_of(name)
    shares: Array = player.shares(tree.views)[:, : tree.legal.shape[1]]
    return shares


def by_view(how: Traversal, name: str, samples: Regrets) -> dict[int, Array]:
    """What was told of each view of the tree, sample by sample."""
    game, tree = load_game(name), tree_of(name)
    number = game.encoding(how.spec.encoding)
    flags = np.zeros((tree.infosets, samples["flags"].shape[1]), dtype=np.int64)
    widths = game.encodings[number].widths
    observe_all(tree.views, number, canonical_orders(tree.views), widths, flags)
    rows = {row.tobytes(): view for view, row in enumerate(flags)}
    found: dict[int, list[Array]] = {}
    for sample in samples:
        found.setdefault(rows[sample["flags"].tobytes()], []).append(sample["told"] * 2.0)
    return {view: np.array(told) for view, told in found.items()}


def true_regrets(name: str, policy: Array) -> Array:
    """What each choice pays more than the policy, once a view is reached, [infosets, choices]."""
    tree = tree_of(name)
    found = np.zeros(tree.legal.shape)
    for seat in range(tree.game.seats):
        own = tree.views["seat"] == seat
        others = [other for other in range(tree.game.seats) if other != seat]
        reach = tree.chance[tree.deal] * tree.reach(policy, others)
        weights = np.bincount(tree.view[tree.view >= 0], reach[tree.view >= 0], tree.infosets)
        values = tree.choice_values(policy, seat) / np.maximum(weights, 1e-300)[:, None]
        gains = values - (policy * values).sum(axis=1, keepdims=True)
        found[own] = np.where(tree.legal, gains, 0)[own]
    return found


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"decay": 1.0},
        {"sampling": "corrected", "draws": 2, "epsilon": 0.5},
        {"sampling": "corrected", "draws": 1, "epsilon": 0.3, "decay": 1.0},
    ],
)
def test_where_one_seat_branches_regrets_are_right_on_average(told: dict[str, Any]) -> None:
    how = how_in("kuhn", in_turn=True, **told)
    assert len(means_right(how)) >= 8


@pytest.mark.parametrize("told", [{"decay": 1.0}, {"decay": 1.0, "batched": True}])
def test_where_all_seats_branch_the_first_choice_is_right_on_average(told: dict[str, Any]) -> None:
    # later ones are not: what others tried before counts as if they would choose it
    how = how_in("kuhn", **told)
    first = {view for view in range(12) if tree_of("kuhn").views["turn"][view] == 0}
    assert means_right(how, first) == first


def means_right(how: Traversal, only: set[int] | None = None) -> set[int]:
    """Check what is told of views, on average; which views were seen often enough."""
    found = traverse(load_game("kuhn"), how, seed=1, first=0, count=4000)
    wanted = true_regrets("kuhn", policy_of(how, "kuhn"))
    seen = by_view(how, "kuhn", found.regrets)
    often = {view for view, rows in seen.items() if len(rows) > 100}
    often &= only if only is not None else often
    for view in often:
        rows = seen[view].astype(np.float64)
        error = rows.std(axis=0) / len(rows) ** 0.5
        assert (abs(rows.mean(axis=0) - wanted[view]) <= 4.5 * error + 2e-3).all()
    return often


def test_what_the_paper_printed_is_not_right_on_average() -> None:
    how = how_in("kuhn", in_turn=True, sampling="paper", draws=1)
    found = traverse(load_game("kuhn"), how, seed=1, first=0, count=4000)
    policy = policy_of(how, "kuhn")
    wanted, seen = true_regrets("kuhn", policy), by_view(how, "kuhn", found.regrets)
    mixed = [view for view in seen if 0.1 < policy[view, 0] < 0.9 and len(seen[view]) > 300]
    apart = [abs(seen[view].mean(axis=0) - wanted[view]).max() for view in mixed]
    assert max(apart) > 0.1


def test_the_shares_of_the_others_are_what_they_mix() -> None:
    how = how_in("kuhn", in_turn=True)
    found = traverse(load_game("kuhn"), how, seed=1, first=0, count=200)
    policy = policy_of(how, "kuhn")
    for view, rows in by_view(how, "kuhn", found.shares).items():
        assert np.allclose(rows / 2.0, policy[view], atol=1e-3)


# ---------------------------------------------------------------------------- on paper


def backed_up(how: int, choices: list[int], paid: list[float], base: float = 0.0) -> Any:
    """One parent with two choices, shares 1/4 and 3/4; its value and the regrets of both."""
    told, portions = np.zeros((1, 64)), np.array([0.25, 0.75])[choices]
    values = np.array([[base, -base]])
    children = np.array([[one, -one] for one in paid])
    none = np.zeros(1, dtype=np.int64)
    back_up(
        np.array([BRANCH]),
        none,
        np.array([0b11]),
        np.zeros(len(paid), dtype=np.int64),
        np.array(choices),
        portions,
        children,
        how,
        len(paid),
        0.0,
        values,
        told,
    )
    return values[0].tolist(), told[0, :2].tolist()


def test_all_choices_tried_tell_what_each_pays_beyond_the_mixture() -> None:
    # 1/4 * 8 + 3/4 * 4 = 5, so regrets are 3 and -1
    assert backed_up(ALL, [0, 1], [8.0, 4.0]) == ([5, -5], [3, -1])


def test_as_printed_a_choice_that_was_not_drawn_pays_nothing() -> None:
    # drawn twice, the second time paying 4: 3/4 * 4 = 3, its regret 1; the other has none
    assert backed_up(PAPER, [1, 1], [2.0, 4.0]) == ([3, -3], [0, 1])


def test_corrected_a_drawn_choice_counts_by_how_seldom_it_is_drawn() -> None:
    # baseline 1; choice 1 is drawn twice, 4 each: 1 + 2 * (4 - 1) / (2 * 3/4) = 5
    # choice 0 is taken for the baseline, 1; the mixture pays 1/4 * 1 + 3/4 * 5 = 4
    values, told = backed_up(CORRECTED, [1, 1], [4.0, 4.0], base=1.0)
    assert values == pytest.approx([4, -4])
    assert told == pytest.approx([-3, 1])


def test_where_a_deal_did_not_branch_it_pays_what_its_only_child_paid() -> None:
    values, told = np.zeros((1, 2)), np.zeros((1, 64))
    one = np.zeros(1, dtype=np.int64)
    back_up(
        np.array([OTHER]), one, one, one, one, np.ones(1), np.array([[7.0, -7.0]]),
        ALL, 0, 0.0, values, told,
    )  # fmt: skip
    assert values.tolist() == [[7, -7]] and not told.any()


def test_regret_matching_is_in_proportion_to_what_is_positive() -> None:
    numbers, shares = np.full((4, 64), -np.inf), np.zeros((4, 64))
    numbers[0, :3] = 3, 1, -5
    numbers[1, :3] = -1, -4, -1
    numbers[2, :3] = 0, 0, 0
    numbers[3, :3] = 3, 1, -5
    match_all(numbers[:3], np.full(3, 0b111), False, shares[:3])
    match_all(numbers[3:], np.full(1, 0b111), True, shares[3:])
    assert shares[0, :3].tolist() == [0.75, 0.25, 0]
    assert shares[1, :3].tolist() == [0.5, 0, 0.5]  # nothing is positive: the highest
    assert shares[2, :3].tolist() == pytest.approx([1 / 3] * 3)
    assert shares[3, :3].tolist() == [1, 0, 0]  # the best alone


def test_later_choices_branch_more_seldom() -> None:
    shares = [branching_share(depth, 0.2) for depth in (0, 1, 2)]
    assert shares == pytest.approx([1, 0.2 / 1.2, 0.2 / 2.2])
    assert branching_share(40, 0.0) == 1


# ---------------------------------------------------------------------------- the same anywhere


def sorted_rows(samples: Regrets) -> list[bytes]:
    return sorted(sample.tobytes() for sample in samples)


@pytest.mark.parametrize("told", [{"decay": 0.5}, {"in_turn": True}])
def test_deals_are_the_same_however_they_are_cut_into_lots(told: dict[str, Any]) -> None:
    game, how = load_game("kuhn"), how_in("kuhn", **told)
    whole = traverse(game, how, seed=3, first=0, count=60).regrets
    parts = [traverse(game, how, seed=3, first=n, count=20).regrets for n in (0, 20, 40)]
    assert sorted_rows(whole) == sorted_rows(np.concatenate(parts))


def test_a_net_inside_kernels_tells_what_it_tells_in_batches() -> None:
    game, how = load_game("whist3x3"), how_in("whist3x3")
    inside = traverse(game, how, seed=3, first=0, count=3)
    batched = traverse(game, replace(how, batched=True), seed=3, first=0, count=3)
    assert sorted_rows(inside.regrets) == sorted_rows(batched.regrets)
    assert batched.together / batched.calls > 10


def test_random_play_is_that_of_a_net_that_knows_nothing() -> None:
    game, how = load_game("kuhn"), how_in("kuhn")
    blank = replace(how, nets=tuple((np.zeros_like(net[0]), *net[1:]) for net in how.nets))
    by_net = traverse(game, blank, seed=3, first=0, count=30)
    by_chance = traverse(game, replace(how, player="random"), seed=3, first=0, count=30)
    assert sorted_rows(by_net.regrets) == sorted_rows(by_chance.regrets)


def test_only_learners_choices_are_tried() -> None:
    game, how = load_game("kuhn"), how_in("kuhn", against="random", seating="LO")
    found = traverse(game, how, seed=3, first=0, count=400)
    learns = learners_of(game, how.seating, np.arange(8))
    assert learns.tolist() == [[1, 0]] * 2 + [[0, 1]] * 2 + [[1, 0]] * 2 + [[0, 1]] * 2
    seats = {int(tree_of("kuhn").views["seat"][v]) for v in by_view(how, "kuhn", found.regrets)}
    assert seats == {0, 1}  # each in its deals
    few = traverse(game, how, seed=3, first=0, count=2)
    assert {
        int(tree_of("kuhn").views["seat"][view]) for view in by_view(how, "kuhn", few.regrets)
    } == {0}


def test_every_place_at_the_table_branches_in_turn() -> None:
    game, how = load_game("coinche"), how_in("coinche", in_turn=True, decay=0.01)
    lot = _Lot(game, how, 1, 0, 32)
    # by the seat that chooses first in the deal, which goes round with the dealer
    places = (lot.branches - lot.states["seat"]) % game.seats
    assert np.bincount(places, minlength=4).tolist() == [8, 8, 8, 8]


def test_who_branches_depends_neither_on_the_dealer_nor_on_who_learns() -> None:
    game = load_game("hearts")
    for against in ("", "random"):
        how = how_in("hearts", in_turn=True, decay=0.01, against=against, seating="")
        lot = _Lot(game, how, 1, 0, 256)
        places = (lot.branches - lot.states["seat"]) % game.seats
        seen = {(int(n % 4), int(lot.branches[n] < 64), int(places[n])) for n in range(256)}
        # all places with all dealers; one alone branches nowhere every other time
        assert len({one for one in seen if one[1]}) == 16


def test_a_learner_alone_keeps_what_it_mixes_in_the_deals_it_does_not_branch() -> None:
    how = how_in("kuhn", in_turn=True, against="random")
    found = traverse(load_game("kuhn"), how, seed=1, first=0, count=64)
    policy = policy_of(how, "kuhn")
    kept = by_view(how, "kuhn", found.shares)
    assert len(kept) >= 8 and len(found.regrets) > 0
    for view, rows in kept.items():
        assert np.allclose(rows / 2.0, policy[view], atol=1e-3)


def test_of_the_seat_that_branches_no_mixture_is_kept() -> None:
    how = how_in("kuhn", in_turn=True, seat=0, decay=0.1)
    kept = by_view(how, "kuhn", traverse(load_game("kuhn"), how, seed=1, first=0, count=64).shares)
    assert {int(tree_of("kuhn").views["seat"][view]) for view in kept} == {1}


def test_fewer_choices_tried_leave_as_much_to_learn_of_more_deals() -> None:
    game, how = load_game("kuhn"), how_in("kuhn", decay=1.0)
    all_tried = traverse(game, how, seed=3, first=0, count=400)
    some = traverse(game, replace(how, tried=0.25), seed=3, first=0, count=400)
    assert 0 < len(some.regrets) < 0.5 * len(all_tried.regrets)
    first = {view for view in range(12) if tree_of("kuhn").views["turn"][view] == 0}
    assert means_right(replace(how, tried=0.5), first) == first


def test_trust_is_told_of_choices_on_top_by_their_shares() -> None:
    game, how = load_game("kuhn"), how_in("kuhn", decay=1.0)
    plain = by_view(how, "kuhn", traverse(game, how, seed=3, first=0, count=40).regrets)
    trusted = replace(how, trust=0.5)  # of a reach of 2: a point in all
    more = by_view(how, "kuhn", traverse(game, trusted, seed=3, first=0, count=40).regrets)
    policy = policy_of(how, "kuhn")
    for view, rows in plain.items():
        assert np.allclose(more[view] - rows, policy[view], atol=5e-3)


def test_a_lot_that_branches_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overtrick.learn.traversing.MOST_DEALS", 50)
    with pytest.raises(BadOption, match="branches into more than 50: tell a smaller decay than 9"):
        traverse(load_game("leduc"), how_in("leduc", decay=9.0), seed=1, first=0, count=20)


def test_what_is_forced_is_not_learned() -> None:
    how = how_in("kuhn", forced="bet:random")
    assert len(traverse(load_game("kuhn"), how, seed=3, first=0, count=20).regrets) == 0


def test_legal_choices_have_regrets_that_the_mixture_balances() -> None:
    how = how_in("leduc", decay=0.5)
    samples = traverse(load_game("leduc"), how, seed=3, first=0, count=50).regrets
    legal = legal_of(samples, how.spec)
    assert not samples["told"][~legal].any()
    told = np.where(legal, samples["told"], np.nan)
    assert (np.nanmax(told, axis=1) >= -1e-3).all() and (np.nanmin(told, axis=1) <= 1e-3).all()


@pytest.mark.parametrize(
    ("told", "error"),
    [
        ({"seating": "LO"}, BadOption),
        ({"against": "random", "seating": "LLL"}, BadOption),
        ({"forced": "bet"}, BadOption),
        ({"forced": "dance:random"}, UnknownName),
        ({"player": "pimc"}, UnknownName),
        ({"sampling": "some"}, UnknownName),
        ({"tried": 0.0}, BadOption),
        ({"trust": 0.1, "in_turn": True}, BadOption),
    ],
)
def test_what_cannot_be_traversed_is_refused(told: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        check_traversal(load_game("kuhn"), how_in("kuhn", **told))
