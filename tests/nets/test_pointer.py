"""A pointer net says the same in PyTorch and exported, to every view by itself, and never peeks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from pydantic import ValidationError

from conftest import all_games, legals_of, mostly_long, random_positions, random_seats, views_of
from nets.some_nets import pointer_numbers, some_deals, some_pointer, their_views
from overtrick.engine.observations import (
    canonical_orders,
    most_tokens,
    relabel_all,
    token_rows,
)
from overtrick.errors import DamagedFile, UnknownName
from overtrick.games import load_game
from overtrick.games.game import OVER, Game
from overtrick.games.observing import CONTEXT, EVENT, SAME_SUITS, TABLE, inverse_order
from overtrick.jit import kernel
from overtrick.learn.nets import policy_loss, value_loss
from overtrick.learn.pointer import (
    PointerNet,
    load_pointer,
    pointer_tensors,
    read_deals,
    teach_pointer,
)
from overtrick.learn.samples import Samples
from overtrick.nets.attending import exponentials
from overtrick.nets.evaluating import NetEvaluator
from overtrick.nets.forward import blank_tensors, pack_net
from overtrick.nets.packing import evaluator_of, pack
from overtrick.nets.pointer import PointerEvaluator, blank_pointer, pack_pointer
from overtrick.nets.pointer_spec import FACTS, PointerSpec, card_parts, pointer_spec_for
from overtrick.nets.products import COLUMNS, add_products
from overtrick.nets.spec import spec_for
from overtrick.nets.spelling import Sheets, spell
from overtrick.testing.peeking import garbled
from test_observations import permuted, shuffled_orders

Records = np.ndarray[Any, Any]

GAMES = mostly_long(all_games(), "kuhn", "snapszer")
KINDS = list(product([False, True], [False, True]))  # hands, separators


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Nets this small only wait for a second one."""
    usual = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(usual)


def of_game(game: Game, **settings: Any) -> tuple[PointerSpec, PointerNet, PointerEvaluator]:
    """A net of two layers everywhere, trained and exported."""
    spec = pointer_spec_for(game, size="small", layers=2, hand_layers=2, **settings)
    net = PointerNet(game, spec)
    load_pointer(net, pointer_numbers(spec))
    return spec, net, PointerEvaluator(game, pack_pointer(game, spec, pointer_tensors(net)))


def read(game: Game, spec: PointerSpec, deals: Records, *, shown: bool = False) -> Sheets:
    orders = canonical_orders(their_views(deals))
    opens = np.full(len(deals), shown)
    return read_deals(game, spec, deals, legals_of(deals), orders, opens)


def asked(net: PointerNet, sheets: Sheets) -> tuple[Records, Records]:
    with torch.no_grad():
        logits, values = net(sheets)
    return logits.numpy(), values.numpy()


def by_action(sheets: Sheets, weights: Records, actions: int) -> Records:
    """Numbers of choices, [views, 64], in the flat action space; 0 for illegal ones."""
    found = np.zeros((len(sheets), actions))
    owners = np.repeat(np.arange(len(sheets)), sheets.lengths.sum(axis=1))
    can = sheets.actions >= 0
    found[owners[can], sheets.actions[can]] = weights[owners[can], sheets.choices[can]]
    return found


# ---------------------------------------------------------------------------- arithmetic


@kernel
def add_in_kernel(one, row, step, two, out, inner, columns):  # type: ignore[no-untyped-def]
    rows = out.shape[0]
    add_products(one, 2, row, step, two, 3, columns, out, 0, columns, rows, inner, columns)


@pytest.mark.parametrize("rows", [1, 3, 4, 7])
@pytest.mark.parametrize("columns", [COLUMNS, 64, 80])
def test_products_are_added_up_whichever_way_the_left_matrix_lies(rows: int, columns: int) -> None:
    rng = np.random.default_rng(rows * columns)
    left = rng.standard_normal((rows, 9)).astype(np.float32)
    right = rng.standard_normal(3 + 9 * columns).astype(np.float32)
    begun = rng.standard_normal((rows, columns)).astype(np.float32)
    exact = begun + left.astype(np.float64) @ right[3:].reshape(9, columns)
    two = np.zeros(2, dtype=np.float32)
    for lying, row, step in ((left, 9, 1), (left.T, 1, rows)):
        told = np.concatenate([two, lying.reshape(-1)])
        for add in (add_in_kernel, getattr(add_in_kernel, "py_func", add_in_kernel)):
            sums = begun.copy()
            add(told, row, step, right, sums, 9, columns)
            assert np.abs(sums - exact).max() < 1e-5


@kernel
def exponentials_in_kernel(scores, most, powers, keys, width):  # type: ignore[no-untyped-def]
    exponentials(scores, most, powers, keys, width)


def test_exponentials_are_right_to_a_few_parts_in_ten_million() -> None:
    told = -np.linspace(0, 80, 4 * 512, dtype=np.float32)
    exact = np.exp(told.astype(np.float64))
    exponentials_in_kernel(told, np.zeros(512, np.float32), np.zeros(512, np.int32), 4, 512)
    assert np.abs(told - exact).max() < 3e-7
    near = exact > 1e-6
    assert np.abs(told[near] / exact[near] - 1).max() < 2e-6


def test_a_score_far_below_the_best_counts_for_nothing() -> None:
    told = np.full(16, -1e9, dtype=np.float32)
    exponentials_in_kernel(told, np.zeros(16, np.float32), np.zeros(16, np.int32), 1, 16)
    assert 0 <= told.max() < 1e-30


# ---------------------------------------------------------------------------- two forms of a net


@pytest.mark.parametrize(("hands", "separators"), KINDS)
@pytest.mark.parametrize("name", GAMES)
def test_the_exported_net_says_what_the_trained_one_says(
    name: str, hands: bool, separators: bool
) -> None:
    game = load_game(name)
    spec, net, evaluator = of_game(game, hands=hands, separators=separators)
    deals = some_deals(game)
    views = their_views(deals)
    sheets = read(game, spec, deals)
    logits, values = asked(net, sheets)
    weights, payoffs = evaluator.weigh(views)
    assert np.abs(by_action(sheets, weights, game.actions) - logits).max() <= 1e-5
    own = payoffs[np.arange(len(views)), views["viewer"]] / spec.reach
    assert np.abs(own - values[:, 0]).max() <= 1e-5
    if spec.value == "seat":
        last = payoffs[np.arange(len(views)), (views["viewer"] - 1) % game.seats] / spec.reach
        assert np.abs(last - values[:, -1]).max() <= 1e-5
    _, judged = asked(net, read(game, spec, deals, shown=True))
    assert np.abs(evaluator.judge(deals) / spec.reach - judged[:, 0]).max() <= 1e-5


@pytest.mark.parametrize("name", GAMES)
def test_a_net_without_a_value_head_only_points(name: str) -> None:
    game = load_game(name)
    spec, net, evaluator = of_game(game, value="none", hands=True)
    deals = some_deals(game, 16)
    sheets = read(game, spec, deals)
    logits, values = asked(net, sheets)
    weights, payoffs = evaluator.weigh(their_views(deals))
    assert values.shape == (len(deals), 0)
    assert not payoffs.any()
    assert np.abs(by_action(sheets, weights, game.actions) - logits).max() <= 1e-5


def test_the_answer_to_a_view_does_not_depend_on_the_batch() -> None:
    game = load_game("snapszer")
    _, _, evaluator = of_game(game, hands=True)
    deals = some_deals(game)
    views = their_views(deals)
    weights, payoffs = evaluator.weigh(views)
    judged = evaluator.judge(deals)
    for number in range(0, len(views), 8):
        one = slice(number, number + 1)
        alone = evaluator.weigh(views[one])
        assert np.array_equal(alone[0][0], weights[number])
        assert np.array_equal(alone[1][0], payoffs[number])
        assert evaluator.judge(deals[one])[0] == judged[number]
    backwards = evaluator.weigh(views[::-1].copy())
    assert np.array_equal(backwards[0][::-1], weights)


def test_the_length_of_others_in_a_batch_changes_nothing_in_learning() -> None:
    game = load_game("snapszer")
    spec, net, _ = of_game(game, hands=True)
    deals = some_deals(game)
    logits, values = asked(net, read(game, spec, deals, shown=True))
    lengths = read(game, spec, deals, shown=True).lengths
    assert lengths[:, 0].max() > lengths[:, 0].min() + 8
    for number in range(0, len(deals), 8):
        one = read(game, spec, deals[number : number + 1], shown=True)
        alone = asked(net, one)
        assert np.abs(alone[0][0] - logits[number]).max() < 1e-5
        assert np.abs(alone[1][0] - values[number]).max() < 1e-5


def test_a_large_batch_goes_through_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    from overtrick.learn import pointer as learning
    from overtrick.nets import pointer as playing

    game = load_game("kuhn")
    spec, net, evaluator = of_game(game)
    deals = some_deals(game, 100)
    whole = asked(net, read(game, spec, deals)), evaluator.weigh(their_views(deals))
    monkeypatch.setattr(learning, "PIECE", 7)
    monkeypatch.setattr(playing, "MOST_VIEWS", 7)
    parts = asked(net, read(game, spec, deals)), evaluator.weigh(their_views(deals))
    assert np.abs(whole[0][0] - parts[0][0]).max() < 1e-6
    assert np.array_equal(whole[1][0], parts[1][0])


def test_no_views_get_no_answers() -> None:
    game = load_game("kuhn")
    spec, net, evaluator = of_game(game)
    none = some_deals(game)[:0]
    assert evaluator.weigh(none)[0].shape == (0, 64)
    assert evaluator.judge(none).shape == (0,)
    assert asked(net, read(game, spec, none))[0].shape == (0, game.actions)


# ---------------------------------------------------------------------------- choices


@pytest.mark.parametrize("name", GAMES)
def test_only_legal_choices_weigh(name: str) -> None:
    game = load_game(name)
    spec, net, evaluator = of_game(game)
    deals = some_deals(game)
    legals = legals_of(deals)
    weights, _ = evaluator.weigh(their_views(deals))
    bits = legals[:, None] >> np.arange(64) & 1 == 1
    assert np.array_equal(np.isfinite(weights), bits)
    assert (weights[~bits] == -np.inf).all()
    sheets = read(game, spec, deals)
    legal = sheets.legal(game.actions)
    assert np.array_equal(legal.sum(axis=1), bits.sum(axis=1))
    assert not asked(net, sheets)[0][~legal].any()


@pytest.mark.parametrize("name", GAMES)
def test_a_lesson_has_the_actions_of_its_samples(name: str) -> None:
    game = load_game(name)
    spec = pointer_spec_for(game, size="small")
    deals = some_deals(game)
    samples = Samples.blank(game, len(deals))
    samples.deals[:], samples.legal[:] = deals, legals_of(deals)
    samples.policy[:] = np.random.default_rng(0).random(samples.policy.shape)
    samples.payoffs[:] = np.arange(game.seats)
    orders = shuffled_orders(their_views(deals), 5)
    lesson = teach_pointer(game, spec, samples, orders)
    assert np.array_equal(lesson.legal, lesson.sheets.legal(game.actions))
    told = by_action(lesson.sheets, samples.policy, game.actions)
    assert np.array_equal(lesson.policy, told.astype(np.float32))
    own = np.clip(deals["seat"] / spec.reach, -1, 1)
    assert np.allclose(lesson.values[:, 0], own)


def test_logits_end_where_the_spec_says() -> None:
    game = load_game("snapszer")
    spec, net, evaluator = of_game(game, logit_clip=0.05)
    deals = some_deals(game)
    weights, _ = evaluator.weigh(their_views(deals))
    sheets = read(game, spec, deals)
    assert np.abs(weights[np.isfinite(weights)]).max() == 0.05
    logits = asked(net, sheets)[0]
    assert np.abs(by_action(sheets, weights, game.actions) - logits).max() <= 1e-5


FIVE = ("coinche", "hearts", "hokm", "sheephead", "snapszer")


@pytest.mark.parametrize("name", mostly_long(FIVE, "snapszer"))
def test_a_deal_with_its_suits_renamed_is_read_and_answered_alike(name: str) -> None:
    game = load_game(name)
    spec, packed = some_pointer(game)
    positions = random_positions(game, 60, 1, game.variant())
    going = positions.states["phase"] != OVER
    views = views_of(positions.states, positions.states["seat"])
    usual, shuffled = canonical_orders(views), shuffled_orders(views, 1)
    moves = np.array(list(map(moved, usual, shuffled)))
    twins = views_of(permuted(positions, moves)[0], positions.states["seat"])
    mine = spell(game, spec, views[going], legals_of(views)[going], shuffled[going])
    theirs = spell(game, spec, twins[going], legals_of(twins)[going], usual[going])
    for field in ("rows", "amounts", "begins", "actions", "lengths"):
        assert np.array_equal(getattr(mine, field), getattr(theirs, field))
    evaluator = PointerEvaluator(game, packed)
    weights, payoffs = evaluator.weigh(views[going], shuffled[going])
    others, expected = evaluator.weigh(twins[going], usual[going])
    assert np.array_equal(payoffs, expected)
    for choice in range(64):
        renamed = np.zeros(len(weights), dtype=np.int64)
        has = legals_of(views[going]) >> choice & 1 == 1
        relabel_all(views[going], has.astype(np.int64) << choice, moves[going], renamed)
        names = [int(bits).bit_length() - 1 for bits in renamed]
        rows = np.flatnonzero(has)
        assert np.array_equal(weights[rows, choice], others[rows, np.array(names)[rows]])
    if name not in ("hearts", "sheephead"):
        assert (moves != SAME_SUITS).any()


def moved(usual: Any, shuffled: Any) -> int:
    """The order that comes to the same as one, and then undoing the other."""
    back = int(inverse_order(int(usual)))
    return sum((back >> 2 * (int(shuffled) >> 2 * suit & 3) & 3) << 2 * suit for suit in range(4))


# ---------------------------------------------------------------------------- no peeking


@pytest.mark.parametrize("name", GAMES)
def test_hidden_cards_change_neither_logits_nor_the_value_of_a_view(name: str) -> None:
    game = load_game(name)
    deals = some_deals(game)
    views = their_views(deals)
    garbage = garbled(deals, views, 2)
    for hands in (False, True):
        spec, net, evaluator = of_game(game, hands=hands)
        one, other = (asked(net, read(game, spec, states)) for states in (deals, garbage))
        assert all(map(np.array_equal, one, other))
        again = evaluator.weigh(their_views(garbage))
        assert all(map(np.array_equal, evaluator.weigh(views), again))
    blind = of_game(game)[2]
    assert np.array_equal(blind.judge(deals), blind.judge(garbage))


@pytest.mark.parametrize("name", GAMES)
def test_hands_that_are_shown_change_the_value_and_not_the_logits(name: str) -> None:
    game = load_game(name)
    spec, net, evaluator = of_game(game, hands=True)
    deals = some_deals(game)
    hidden, shown = (asked(net, read(game, spec, deals, shown=told)) for told in (False, True))
    assert np.array_equal(hidden[0], shown[0])
    assert (hidden[1] != shown[1]).any(axis=1).mean() > 0.9
    swapped = deals.copy()
    rows = np.arange(len(deals))
    one, other = ((deals["seat"] + offset) % game.seats for offset in (1, 2))
    swapped["hands"][rows, one] = deals["hands"][rows, other]
    swapped["hands"][rows, other] = deals["hands"][rows, one]
    if game.seats > 2:
        assert (evaluator.judge(swapped) != evaluator.judge(deals)).mean() > 0.8


# ---------------------------------------------------------------------------- tokens


@pytest.mark.parametrize("name", GAMES)
def test_every_token_is_spelled_once(name: str) -> None:
    game = load_game(name)
    spec = pointer_spec_for(game, size="small", hands=True)
    deals = some_deals(game)
    views, sheets = their_views(deals), read(game, spec, deals, shown=True)
    tokens, counts = token_rows(game, views)
    public = [
        ((rows[:count, 0] != 1).sum(), (rows[:count, 0] == 1).sum())
        for rows, count in zip(tokens, counts, strict=True)
    ]
    cards = [int(np.bitwise_count(hands).sum()) for hands in deals["hands"]]
    others = [
        sum(int(bits) >> c & 1 for c in range(64))
        for bits in legals_of(deals) & ~hand_choices(game, deals)
    ]
    assert sheets.lengths[:, 0].tolist() == [1 + many for many, _ in public]
    assert sheets.lengths[:, 1].tolist() == [
        many + more for (_, many), more in zip(public, others, strict=True)
    ]
    assert sheets.lengths[:, 2].tolist() == cards
    assert len(sheets.begins) == sheets.lengths.sum() + 1
    assert sheets.rows.min() >= 0
    assert sheets.rows.max() < sum(spec.sections().values())


def hand_choices(game: Game, deals: Records) -> Records:
    """The choices of each deal that are cards in the hand of the seat to act."""
    cards = np.array([game.card_choices(phase) for phase in range(len(game.phases))])
    hands = deals["hands"][np.arange(len(deals)), deals["seat"]]
    return np.where(cards[deals["phase"]] > 0, hands, 0)


@pytest.mark.parametrize("name", GAMES)
def test_facts_and_positions_have_rows_of_their_own(name: str) -> None:
    game = load_game(name)
    for seed in range(4):
        positions = random_positions(game, 100, seed)
        views = views_of(positions.states, random_seats(game, 100, seed))
        tokens, _ = token_rows(game, views)
        facts = tokens[tokens[:, :, 0] == CONTEXT]
        assert facts[:, 3].max() < FACTS
        placed = tokens[(tokens[:, :, 0] >= EVENT) & (tokens[:, :, 0] <= TABLE)]
        assert placed[:, 4].max() < pointer_spec_for(game).positions


def test_separators_stand_where_a_mark_changes() -> None:
    game = load_game("kuhn")
    deals = some_deals(game)
    plain, parted = (
        read(game, pointer_spec_for(game, separators=told), deals) for told in (False, True)
    )
    assert (parted.lengths[:, :2] > plain.lengths[:, :2]).all()
    assert (parted.actions >= 0).sum() == (plain.actions >= 0).sum()
    spec = pointer_spec_for(game, separators=True)
    assert spec.positions == 2 * most_tokens(game)
    assert "embed.status" not in spec.shapes()


def test_cards_are_told_by_suit_and_rank() -> None:
    hokm = card_parts(load_game("hokm").deck)
    assert hokm.suits == ("C", "D", "S", "H")
    assert "".join(hokm.ranks) == "23456789TJQKA"
    assert len(set(zip(hokm.suit_of, hokm.rank_of, strict=True))) == 52
    kuhn = card_parts(load_game("kuhn").deck)
    assert (kuhn.suits, kuhn.ranks) == (("",), ("J", "Q", "K"))
    assert len(card_parts(load_game("leduc").deck).ranks) == 3


@pytest.mark.parametrize("name", all_games())
def test_no_two_cards_of_a_deck_are_told_alike(name: str) -> None:
    parts = card_parts(load_game(name).deck)
    assert len(set(zip(parts.suit_of, parts.rank_of, strict=True))) == len(parts.suit_of)


# ---------------------------------------------------------------------------- learning


def test_a_pointer_net_learns_some_positions_by_heart() -> None:
    game = load_game("snapszer")
    spec = pointer_spec_for(game, size="small", hands=True)
    deals = some_deals(game, 24, seed=3)
    samples = Samples.blank(game, len(deals))
    samples.deals[:], samples.legal[:] = deals, legals_of(deals)
    wanted = [bits.bit_length() - 1 for bits in map(int, samples.legal)]
    samples.policy[np.arange(len(deals)), wanted] = 1
    samples.payoffs[:, 0] = np.where(np.arange(len(deals)) % 2, 3, -3)
    samples.payoffs[:, 1] = -samples.payoffs[:, 0]
    lesson = teach_pointer(game, spec, samples, canonical_orders(their_views(deals)))
    net = PointerNet(game, spec, seed=1)
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    legal, policy = torch.from_numpy(lesson.legal), torch.from_numpy(lesson.policy)
    for _ in range(150):
        logits, values = net(lesson.sheets)
        loss = policy_loss(logits, legal, policy) + value_loss(
            values, torch.from_numpy(lesson.values)
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    evaluator = PointerEvaluator(game, pack_pointer(game, spec, pointer_tensors(net)))
    weights, _ = evaluator.weigh(their_views(deals))
    assert weights.argmax(axis=1).tolist() == wanted
    paid = samples.payoffs[np.arange(len(deals)), deals["seat"]]
    assert np.abs(evaluator.judge(deals) - paid).max() < 1


def test_every_tensor_learns() -> None:
    game = load_game("snapszer")
    for separators in (False, True):
        spec = pointer_spec_for(game, size="small", hands=True, separators=separators)
        net = PointerNet(game, spec, seed=1)
        deals = some_deals(game, 200)
        half = np.arange(len(deals)) % 2 == 0
        legal, orders = legals_of(deals), canonical_orders(their_views(deals))
        logits, values = net(read_deals(game, spec, deals, legal, orders, half))
        (logits.square().sum() + (values - 1).square().sum()).backward()
        still = [name for name in spec.shapes() if not net.of(name).grad.any()]
        assert set(still) <= {"embed.hidden"}  # nothing is hidden in Snapszer's history


def test_a_net_begins_nearly_without_opinion_and_as_its_seed_says() -> None:
    game = load_game("kuhn")
    spec = pointer_spec_for(game)
    one, same, other = (pointer_tensors(PointerNet(game, spec, seed)) for seed in (1, 1, 2))
    assert all(np.array_equal(one[name], same[name]) for name in one)
    assert not np.array_equal(one["embed.rank"], other["embed.rank"])
    logits, values = asked(PointerNet(game, spec, 1), read(game, spec, some_deals(game)))
    assert np.abs(logits).max() < 1.5
    assert np.abs(values).max() < 0.8


# ---------------------------------------------------------------------------- specs


@pytest.mark.parametrize(("hands", "separators"), KINDS)
def test_a_spec_reads_back_and_counts_its_parameters(hands: bool, separators: bool) -> None:
    game = load_game("hokm")
    spec = pointer_spec_for(game, hands=hands, separators=separators)
    assert PointerSpec.model_validate_json(spec.model_dump_json()) == spec
    assert spec.parameters == sum(rows.size for rows in blank_pointer(spec).values())
    net = PointerNet(game, spec)
    assert spec.parameters == sum(rows.numel() for rows in net.parameters())


@pytest.mark.parametrize(
    "wrong",
    [
        {"width": 65},
        {"width": 2048},
        {"heads": 5},
        {"heads": 0},
        {"layers": 0},
        {"hand_layers": 33},
        {"feed": 17},
        {"reach": float("inf")},
        {"logit_clip": -1.0},
        {"kind": "mlp"},
        {"colour": 1},
    ],
)
def test_a_spec_out_of_bounds_is_refused(wrong: dict[str, Any]) -> None:
    told = pointer_spec_for(load_game("kuhn")).model_dump() | wrong
    with pytest.raises(ValidationError):
        PointerSpec(**told)


def test_a_net_refuses_other_tokens_and_other_games() -> None:
    hokm, hearts = load_game("hokm"), load_game("hearts")
    spec = pointer_spec_for(hokm)
    spec.check_game(hokm)
    with pytest.raises(DamagedFile, match="plays hokm, not hearts"):
        spec.check_game(hearts)
    with pytest.raises(DamagedFile, match="other tokens"):
        spec.model_copy(update={"digest": "0" * 16}).check_game(hokm)
    with pytest.raises(DamagedFile, match="this net has 7 positions, hokm has 56"):
        spec.model_copy(update={"positions": 7}).check_game(hokm)
    with pytest.raises(UnknownName, match="there is no size of pointer nets 'huge'"):
        pointer_spec_for(hokm, size="huge")


def test_weights_of_another_shape_are_refused() -> None:
    game = load_game("kuhn")
    net = PointerNet(game, pointer_spec_for(game))
    other = blank_pointer(pointer_spec_for(game, size="small"))
    with pytest.raises(DamagedFile, match=r"embed\.suit is \(1, 16\), not \(1, 32\)"):
        load_pointer(net, other)


def test_a_packed_net_gets_the_evaluator_of_its_kind() -> None:
    game = load_game("kuhn")
    plain, pointer = spec_for(game, units=8, layers=1, head=0), pointer_spec_for(game)
    packed = pack(game, plain, blank_tensors(plain))
    assert isinstance(evaluator_of(game, packed), NetEvaluator)
    assert isinstance(evaluator_of(game, pack_net(game, plain, blank_tensors(plain))), NetEvaluator)
    packed = pack(game, pointer, blank_pointer(pointer))
    assert isinstance(evaluator_of(game, packed), PointerEvaluator)
