"""The exported form of a net says what the trained one says, whatever the batch."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from conftest import all_games, legals_of
from nets.some_nets import some_deals, some_net, some_tensors, their_views
from overtrick.cards import each
from overtrick.engine.observations import canonical_orders, observations
from overtrick.errors import DamagedFile
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.jit import LANES, kernel
from overtrick.jit import add_rows as add
from overtrick.learn.nets import DualHead, load_tensors, tensors_of
from overtrick.models import find_model
from overtrick.models.store import SHIPPED
from overtrick.nets.evaluating import NetEvaluator
from overtrick.nets.forward import blank_tensors, look_all, new_desk, pack_net
from overtrick.nets.spec import NetSpec, spec_for

ENCODED = [(name, encoding.name) for name in all_games() for encoding in load_game(name).encodings]
SHAPES = [(64, 3, 32), (24, 1, 0), (1, 0, 0), (1, 0, 8)]


@kernel
def add_in_kernel(table, first, width, rows, times, count, sums):  # type: ignore[no-untyped-def]
    add(table, first, width, rows, times, count, sums)


@pytest.mark.parametrize("width", [LANES, 24, 32, 40, 64, 104, 128, 232])
def test_rows_are_added_as_often_as_told(width: int) -> None:
    rng = np.random.default_rng(width)
    table = rng.standard_normal(3 + 20 * width).astype(np.float32)
    rows, times = rng.integers(0, 20, 9), rng.standard_normal(9).astype(np.float32)
    begun = rng.standard_normal(width).astype(np.float32)
    found, twin = begun.copy(), begun.copy()
    add_in_kernel(table, 3, width, rows, times, 9, found)
    add(table, 3, width, rows, times, 9, twin)
    exact = begun + times.astype(np.float64) @ table[3:].reshape(20, width)[rows]
    assert np.abs(found - exact).max() < 1e-5
    assert np.abs(twin - exact).max() < 1e-5


def heads_of(net: DualHead, flags: torch.Tensor) -> np.ndarray:
    logits, values = net(flags)
    return torch.cat([logits, values], dim=1).detach().numpy()


@pytest.mark.parametrize(("name", "encoding"), ENCODED)
def test_the_exported_net_says_what_the_trained_one_says(name: str, encoding: str) -> None:
    game = load_game(name)
    views = their_views(some_deals(game))
    flags = torch.from_numpy(observations(game, views, encoding=encoding)).float()
    for units, layers, head in SHAPES:
        spec = spec_for(game, units=units, layers=layers, head=head, encoding=encoding)
        spec = spec.model_copy(update={"logit_clip": 0.0})
        trained = DualHead(spec, seed=1)
        load_tensors(trained, some_tensors(spec))
        net = pack_net(game, spec, tensors_of(trained))
        raw = np.zeros((len(views), spec.actions + spec.values), dtype=np.float32)
        look_all(views, canonical_orders(views), net, new_desk(game, net), raw)
        raw[:, spec.actions :] = np.tanh(raw[:, spec.actions :])
        expected = heads_of(trained, flags)
        assert np.abs(raw - expected).max() <= 1e-5 * max(1.0, np.abs(expected).max())


def test_the_net_of_the_captain_is_within_the_tolerance_at_every_size_of_batch() -> None:
    game = load_game("snapszer")
    spec = spec_for(game, units=128, layers=3, head=64)
    trained = DualHead(spec, seed=3)
    evaluator = NetEvaluator(game, pack_net(game, spec, tensors_of(trained)))
    views = their_views(some_deals(game, 256))
    flags = torch.from_numpy(observations(game, views)).float()
    logits, values = trained(flags)
    weights, payoffs = evaluator.weigh(views)
    me = views["viewer"]
    own = payoffs[np.arange(len(views)), me] / spec.reach
    assert np.abs(own - values.detach().numpy()[:, 0]).max() <= 1e-5
    assert np.isfinite(weights).sum() == sum(int(bits).bit_count() for bits in legals_of(views))
    for number in range(0, len(views), 16):
        alone = evaluator.weigh(views[number : number + 1])
        assert np.array_equal(alone[0][0], weights[number])
        assert np.array_equal(alone[1][0], payoffs[number])
    assert logits.abs().max() <= 15


def test_the_shipped_captain_says_what_pytorch_makes_of_its_weights() -> None:
    game, model = load_game("snapszer"), find_model(str(SHIPPED / "snapszer" / "captain"))
    told = model.nets["main"]
    assert isinstance(told, NetSpec)
    spec = told.model_copy(update={"logit_clip": 0.0})
    trained = DualHead(spec)
    load_tensors(trained, model.tensors()["main"])
    net = pack_net(game, spec, tensors_of(trained))
    views = their_views(some_deals(game, 256))
    flags = torch.zeros(len(views), spec.inputs)  # what shows the hands of the others is last
    seen = torch.from_numpy(observations(game, views)).float()
    flags[:, : seen.shape[1]] = seen
    raw = np.zeros((len(views), spec.actions + spec.values), dtype=np.float32)
    look_all(views, canonical_orders(views), net, new_desk(game, net), raw)
    raw[:, spec.actions :] = np.tanh(raw[:, spec.actions :])
    expected = heads_of(trained, flags)
    assert np.abs(raw - expected).max() <= 1e-5 * max(1.0, np.abs(expected).max())
    assert np.abs(raw - expected)[:, spec.actions :].max() <= 1e-5


def test_activations_and_logits_end_where_the_spec_says() -> None:
    game = load_game("hokm")
    views = their_views(some_deals(game))
    told = spec_for(game, units=16, layers=2, head=0, cap=0.5, logit_clip=0.25)
    trained = DualHead(told)
    load_tensors(trained, {name: 9 * rows for name, rows in some_tensors(told).items()})
    net = pack_net(game, told, tensors_of(trained))
    weights, _ = NetEvaluator(game, net).weigh(views)
    assert set(np.abs(weights[np.isfinite(weights)])) >= {0.25}
    assert np.abs(weights[np.isfinite(weights)]).max() == 0.25
    flags = torch.from_numpy(observations(game, views)).float()
    desk = new_desk(game, net)
    raw = np.zeros((len(views), told.actions + told.values), dtype=np.float32)
    look_all(views, canonical_orders(views), net, desk, raw)
    clipped = np.clip(raw[:, : told.actions], -0.25, 0.25)
    assert np.abs(clipped - trained(flags)[0].detach().numpy()).max() < 1e-4  # weights are large
    assert desk[4][: 2 * told.body_units].max() <= 0.5


def test_values_are_those_of_the_seats_or_of_two_sides(game: Game) -> None:
    states = some_deals(game)
    _, net = some_net(game)
    _, payoffs = NetEvaluator(game, net).weigh(their_views(states))
    two_sided = game.seats == 2 or game.teams is not None
    sides = game.teams or tuple(range(game.seats))
    if two_sided:
        same = np.array(sides)[None] == np.array(sides)[states["seat"]][:, None]
        own = payoffs[np.arange(len(states)), states["seat"]][:, None]
        assert np.array_equal(payoffs, np.where(same, own, -own))
    else:
        assert len(set(payoffs[0])) == game.seats


def test_a_leaf_is_judged_by_what_its_seat_knows(game: Game) -> None:
    states = some_deals(game)
    _, net = some_net(game)
    evaluator, legals = NetEvaluator(game, net), legals_of(states)
    priors, values = evaluator.evaluate(states, legals)
    weights, payoffs = evaluator.weigh(their_views(states))
    shares = np.exp(weights - weights.max(axis=1, keepdims=True))
    assert np.allclose(priors, shares / shares.sum(axis=1, keepdims=True), atol=1e-12)
    assert np.array_equal(values, payoffs / game.scale(states[0]))
    assert all(not priors[n, c] for n in range(8) for c in range(64) if not legals[n] >> c & 1)


def test_a_net_that_sees_all_hands_sees_them_in_deals_and_not_in_views(game: Game) -> None:
    states = some_deals(game)
    spec, net = some_net(game, hands=True)
    blind = {name: rows.copy() for name, rows in some_tensors(spec).items()}
    own = spec_for(game, units=16, layers=2, head=8).inputs
    blind["body.0.weight"][:, own:] = 0
    same = NetEvaluator(game, pack_net(game, spec, blind))
    evaluator, legals = NetEvaluator(game, net), legals_of(states)
    views = their_views(states)
    assert np.array_equal(evaluator.weigh(views)[0], same.weigh(views)[0])
    assert not np.array_equal(
        evaluator.evaluate(states, legals)[1], same.evaluate(states, legals)[1]
    )


def test_a_net_refuses_other_flags_and_other_games() -> None:
    hokm, hearts = load_game("hokm"), load_game("hearts")
    spec = spec_for(hokm, units=8, layers=1, head=0)
    with pytest.raises(DamagedFile, match="plays hokm, not hearts"):
        spec.check_game(hearts)
    with pytest.raises(DamagedFile, match="other flags"):
        spec.model_copy(update={"digest": "0" * 16}).check_game(hokm)
    spec.check_game(hokm)


def test_the_parameters_of_the_captain_are_counted() -> None:
    spec = spec_for(load_game("snapszer"), units=128, layers=3, head=64, encoding="trickster")
    body = 127 * 128 + 2 * 129 * 128
    heads = 2 * 129 * 64 + 65 * 26 + 65
    assert spec.parameters == body + heads
    assert spec.parameters == sum(rows.size for rows in blank_tensors(spec).values())


def test_trickster_s_flags_are_in_its_four_groups() -> None:
    game = load_game("snapszer")
    encoding = game.encodings[game.encoding("trickster")]
    starts = [first for first, feature in encoding.spans()]
    assert encoding.size == 126
    assert [starts[at] for at in (4, 10, 11)] == [29, 29 + 70, 29 + 70 + 20]


def test_trickster_s_flags_show_what_was_taken_and_what_is_unseen() -> None:
    game = load_game("snapszer")
    states = some_deals(game, 200)
    views = their_views(states)
    names = [name for _, name, _ in game.encodings[1].rows()]
    flags = observations(game, views, encoding="trickster")
    columns = {
        what: [n for n, name in enumerate(names) if name.startswith(f"{what}:")]
        for what in ("hand", "taken by self", "taken by other", "unseen", "held by other")
    }
    counts = {what: flags[:, rows].sum(axis=1) for what, rows in columns.items()}
    for number, view in enumerate(views):
        tricks = int(view["tricks"])
        assert counts["taken by self"][number] + counts["taken by other"][number] == 2 * tricks
        seen = len(list(each(int(view["played"][0] | view["played"][1] | view["upcard"]))))
        held = counts["hand"][number] + counts["held by other"][number]
        assert counts["unseen"][number] == 20 - seen - held


def test_a_spec_reads_back() -> None:
    spec = spec_for(load_game("coinche"), units=8, layers=1, head=4)
    assert NetSpec.model_validate_json(spec.model_dump_json()) == spec
