"""The belief actor-critic: marginals, what minds are asked, worlds weighed, and the look-ahead."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from conftest import every_deal_that_fits, mostly_long, random_positions, views_of
from overtrick.arena.boards import deals_of
from overtrick.belief.adapting import watch_deals
from overtrick.belief.calibrating import calibrate_cards, calibrate_choices
from overtrick.belief.looking import (
    BY_MIND,
    COUNTS,
    DRAWN,
    EVEN,
    LEARNED,
    LOGS,
    LOOKED,
    NONE,
    ROOM,
    Looking,
    believed_worlds,
    look_ahead,
    new_looker,
    new_room,
)
from overtrick.belief.marginals import held_in, marginals, weighted_marginals
from overtrick.belief.minds import (
    Minds,
    Sizes,
    inputs_of_choices,
    inputs_of_states,
    minds_of,
    new_desk,
    specs_for,
)
from overtrick.belief.tables import ahead, choice_table, ready, tables_of
from overtrick.engine.batches import legal_all, payoffs_all, play_all
from overtrick.engine.dealing import deal_orders
from overtrick.engine.playouts import RANDOM, choose_all
from overtrick.engine.views import orders_dealt
from overtrick.engine.worlds import sample_worlds
from overtrick.games import load_game
from overtrick.games.game import HIDDEN, OVER, Game
from overtrick.jit import stream, streams
from overtrick.nets.approximators import OUTPUTS, answer, new_units, pack_approximator
from overtrick.nets.ngnet import NGnet

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[np.float64]]

REACH = 30.0


def random_nets(
    game: Game, *, backend: str = "neural", features: str = "all", seed: int = 1
) -> Any:
    """Nets of a few units that learned nothing."""
    rng = np.random.default_rng(seed)
    specs = specs_for(
        ready(game),
        backend=backend,  # type: ignore[arg-type]
        features=features,  # type: ignore[arg-type]
        sizes=Sizes(8, 1, 12, 2, 8, 2),
        reach=REACH,
    )
    found = {}
    for name, spec in specs.items():
        tensors = {key: rng.normal(size=shape) * 0.5 for key, shape in spec.shapes().items()}
        if backend == "ngnet":
            tensors["covariance"] = 1.0 + rng.random(size=tensors["covariance"].shape)
            tensors["prior"] = np.full(spec.units, 1 / spec.units)
        found[name] = spec, {key: rows.astype(np.float32) for key, rows in tensors.items()}
    return found


def minds_for(game: Game, persons: int = 0, **how: Any) -> Minds:
    return minds_of(game, random_nets(game, **how), persons)


def position(name: str, turn: int, seed: int = 1, *, level: int = RANDOM) -> Records:
    """A deal after so many choices, [1], by chance or by a level."""
    return after(deals_of(load_game(name), "", stream(seed, "position"), 0, 1), turn, seed, level)


def after(states: Records, turns: int, seed: int, level: int = RANDOM) -> Records:
    """The same deal so many choices later, or at its end."""
    for number in range(turns):
        if states["phase"][0] != OVER:
            chosen = np.zeros(1, dtype=np.int64)
            choose_all(states, level, streams(1, seed, number), chosen)
            play_all(states, chosen)
    return states


def view_of(states: Records, seat: int | None = None) -> Records:
    return views_of(states, states["seat"] if seat is None else [seat])


# ---------------------------------------------------------------------------- marginals


@pytest.mark.parametrize("name", ["whist3x3", "kuhn", "leduc"])
def test_marginals_are_those_of_a_list_of_all_deals(name: str) -> None:
    game = load_game(name)
    for seed in range(12):
        positions = random_positions(game, 1, seed)
        if positions.states["phase"][0] == OVER:
            continue
        seat = int(positions.states["seat"][0])
        turns = positions.states["turn"][0]
        seen = [int(event) & HIDDEN for event in positions.states["history"][0][:turns]]
        view = views_of(positions.states, [seat])
        deals = every_deal_that_fits(positions, seat, seen)
        alike = views_of(deals, [seat] * len(deals)) == view
        expected = held_in(game, deals[alike]).mean(axis=0)
        assert marginals(game, view) == pytest.approx(expected, abs=1e-9)


def test_marginals_of_an_ending_are_those_of_all_its_splits() -> None:
    """In a Nola hand only counts and shown voids bind: every split is tried here."""
    game = load_game("sheephead")
    for seed in (1, 2, 3):
        states = position("sheephead", 0, seed)
        for _ in range(5):
            play_all(states, np.zeros(1, dtype=np.int64))  # all pass
        states = after(states, 22, seed)
        view = view_of(states)
        me = int(view["viewer"][0])
        seen = int(view["hands"][0][me]) | int(np.bitwise_or.reduce(view["played"][0]))
        unseen = [card for card in range(32) if not seen >> card & 1]
        rooms = [
            0 if seat == me else int(states["hands"][0][seat]).bit_count() for seat in range(5)
        ]
        expected, ways = np.zeros((5, 32)), 0
        for split in splits(unseen, [*rooms, 2], [*map(int, view["cannot"][0]), 0]):
            ways += 1
            for seat, cards in enumerate(split[:5]):
                expected[seat, list(cards)] += 1
        expected /= ways
        expected[me] = [int(view["hands"][0][me]) >> card & 1 for card in range(32)]
        assert marginals(game, view) == pytest.approx(expected, abs=1e-9)


def splits(cards: list[int], rooms: list[int], cannot: list[int]) -> Any:
    """Every way to fill places of these rooms with cards that they may hold."""
    if not rooms:
        yield []
        return
    allowed = [card for card in cards if not cannot[0] >> card & 1]
    for some in itertools.combinations(allowed, rooms[0]):
        rest = [card for card in cards if card not in some]
        for others in splits(rest, rooms[1:], cannot[1:]):
            yield [some, *others]


@pytest.mark.parametrize(
    ("name", "turn"),
    [
        ("sheephead", 14),
        pytest.param("hearts", 30, marks=pytest.mark.long),
        pytest.param("snapszer", 5, marks=pytest.mark.long),
    ],
)
def test_marginals_are_what_drawn_worlds_come_to(name: str, turn: int) -> None:
    game, view = load_game(name), view_of(position(name, turn, 3))
    worlds = sample_worlds(view, 4000, stream(5))
    drawn = weighted_marginals(game, worlds, np.ones(len(worlds)))
    found = marginals(game, view)
    assert np.abs(found - drawn).max() < 0.05  # six standard deviations
    assert found.sum(axis=1) == pytest.approx(held_in(game, worlds)[0].sum(axis=1))


# ---------------------------------------------------------------------------- approximators


@pytest.mark.parametrize("features", ["paper", "tables", "all"])
def test_a_neural_net_in_a_kernel_says_what_its_layers_say(features: str) -> None:
    game = load_game("sheephead")
    spec, tensors = random_nets(game, features=features)["critic"]
    mind = pack_approximator(game, spec, tensors)
    x = np.random.default_rng(3).normal(size=spec.inputs) * (np.arange(spec.inputs) % 3 == 0)
    hidden = x
    for number in range(spec.layers):
        sums = tensors[f"body.{number}.weight"] @ hidden + tensors[f"body.{number}.bias"]
        hidden = np.maximum(sums, 0.0)
    expected = tensors["out.weight"] @ hidden + tensors["out.bias"]
    assert asked(mind, x)[: spec.outputs] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("covariance", ["diag", "full"])
def test_a_gaussian_network_in_a_kernel_says_what_it_says_in_numpy(covariance: str) -> None:
    game = load_game("sheephead")
    spec, tensors = random_nets(game, backend="ngnet", features="paper")["predictor"]
    spec = spec.model_copy(update={"covariance": covariance})
    if covariance == "full":
        wide = np.stack([np.diag(row) + 0.1 for row in tensors["covariance"]])
        tensors = {**tensors, "covariance": wide.astype(np.float32)}
    mind = pack_approximator(game, spec, tensors)
    net = NGnet(
        *(tensors[key].astype(float) for key in ("prior", "center", "covariance", "linear")),
        np.ones(8),
    )
    x = np.random.default_rng(3).normal(size=spec.inputs)
    expected = net.answer(x[None])[0]
    assert asked(mind, x)[: spec.outputs] == pytest.approx(expected, abs=2e-2)


def asked(mind: Any, x: Floats) -> Floats:
    units = new_units(mind)
    rows = np.flatnonzero(x)
    units[0][: len(rows)] = rows
    units[1][: len(rows)] = x[rows]
    answer(mind, units, 0, len(rows))
    return units[3].copy()


# ---------------------------------------------------------------------------- tables


def test_table_2_of_a_belief_is_the_mean_over_its_worlds() -> None:
    game = ready(load_game("sheephead"))
    states = position("sheephead", 20, 2, level=0)
    viewer = (int(states["seat"][0]) + 2) % 5
    worlds = sample_worlds(view_of(states, viewer), 50, stream(1))
    hands = held_in(game, worlds)[:, states["seat"][0]]
    columns = len(tables_of(game).choice)

    def table(chances: Floats) -> Floats:
        out = np.zeros(columns)
        choice_table(states[0], chances, out)
        return out[:26]

    each = np.mean([table(hand) for hand in hands], axis=0)
    assert table(hands.mean(axis=0)) == pytest.approx(each)


def test_table_2_tells_weaker_and_stronger_ones_of_the_suit_led() -> None:
    game = ready(load_game("sheephead"))
    names, deck = tables_of(game).choice, game.deck
    state = position("sheephead", 0)
    state["phase"], state["trumps"], state["led"] = (
        4,
        deck.set("8D 9D KD TD AD JD JH JS JC QD QH QS JO QC"),
        deck.set("7C 8C 9C KC TC AC"),
    )
    state["best"] = 1 << deck.card("KC")
    state["picker"], state["hands"][0][:] = -1, 0
    chances = np.zeros(32)
    for card in ("7C", "9C", "AC", "QS"):
        chances[deck.card(card)] = 1.0
    out = np.zeros(len(names))
    choice_table(state[0], chances, out)
    told = dict(zip(names, out, strict=True))
    assert told["clubs led, weaker ones held"] == 2
    assert told["clubs led, stronger ones held"] == 1
    assert told["trump led, stronger ones held"] == 0
    assert (told["has AC"], told["has QS"], told["has QC"]) == (1, 1, 0)


def test_tricks_of_hearts_are_rewarded_by_what_their_points_pay() -> None:
    game = ready(load_game("hearts"))
    state = game.blank_states(1, game.variant())
    state["points"][0], state["phase"] = [3, 0, 22, 1], OVER
    lead, paid = np.zeros(4), np.zeros((1, 4), dtype=np.int64)
    ahead(state[0], lead)
    payoffs_all(state, paid)
    assert 72 * lead == pytest.approx(paid[0])


@pytest.mark.parametrize("name", mostly_long(["sheephead", "hearts", "whist3x3"], "whist3x3"))
def test_what_others_hold_is_no_part_of_what_a_choice_is_told_from(name: str) -> None:
    game = ready(load_game(name))
    minds = minds_for(game)
    desk = new_desk(game, minds)
    for turn in (0, 3):
        states = position(name, turn, 4)
        if states["phase"][0] == OVER:
            continue
        worlds = sample_worlds(view_of(states), 4, stream(3))
        rows = np.zeros((4, int(minds[0][0][1])), dtype=np.float32)
        places, slots = np.full((4, 64), -1), np.full((4, 64, 2), -1)
        legals = np.full(4, 1, dtype=np.int64)
        inputs_of_choices(worlds, legals, minds[0], desk, rows, places, slots)
        assert (rows == rows[:1]).all()


def test_the_critic_is_shown_who_holds_what() -> None:
    game = ready(load_game("whist3x3"))
    minds = minds_for(game)
    worlds = sample_worlds(view_of(position("whist3x3", 1, 4)), 8, stream(3))
    rows = np.zeros((8, int(minds[2][0][1])), dtype=np.float32)
    inputs_of_states(worlds, np.zeros(8, dtype=np.int64), minds[2], new_desk(game, minds), rows)
    assert (rows != rows[:1]).any()


# ---------------------------------------------------------------------------- the look-ahead


def weighed(name: str, view: Records, minds: Minds, how: Looking, seed: int = 1) -> Floats:
    game = load_game(name)
    merits, tried = np.zeros((1, 64)), np.zeros(1, dtype=np.int64)
    people = np.zeros((1, game.seats), dtype=np.int64)
    looker = new_looker(game, minds, how, REACH)
    look_ahead(view, looker, people, streams(1, seed, "look"), merits, tried)
    return merits[0]


def probabilities(game: Game, state: Records, minds: Minds, mine: bool) -> dict[int, float]:
    """The soft-max of merits, from inputs written out and layers in NumPy."""
    legals = np.zeros(1, dtype=np.int64)
    legal_all(state, legals)
    mind = minds[1 if mine else 0]
    rows = np.zeros((1, int(mind[0][1])), dtype=np.float32)
    places, slots = np.full((1, 64), -1), np.full((1, 64, 2), -1)
    inputs_of_choices(state, legals, mind, new_desk(game, minds), rows, places, slots)
    outputs = asked(mind, rows[0].astype(float))
    merits = {
        choice: float(
            outputs[places[0, choice]] + sum(outputs[s] for s in slots[0, choice] if s >= 0)
        )
        for choice in range(63)
        if legals[0] >> choice & 1
    }
    total = sum(np.exp(merit) for merit in merits.values())
    return {choice: float(np.exp(merit) / total) for choice, merit in merits.items()}


def worth(game: Game, state: Records, viewer: int, minds: Minds) -> float:
    """What all that may still be chosen is worth, by every line to the end of the deal."""
    if state["phase"][0] == OVER:
        paid = np.zeros((1, game.seats), dtype=np.int64)
        payoffs_all(state, paid)
        return float(paid[0, viewer]) / REACH
    total = 0.0
    mine = int(state["seat"][0]) == viewer
    for choice, chance in probabilities(game, state, minds, mine).items():
        after = state.copy()
        play_all(after, np.array([choice]))
        total += chance * worth(game, after, viewer, minds)
    return total


def test_the_merit_of_a_choice_is_the_mean_over_all_that_may_follow() -> None:
    game = load_game("whist3x3")
    minds = minds_for(game)
    state = position("whist3x3", 2, 3)
    view = view_of(state)
    how = Looking(worlds=4, belief=EVEN, tricks=9, least=0.0, lines=10**6, gap=0.0)
    looker = new_looker(game, minds, how, REACH)
    room = looker[ROOM]
    people = np.zeros(game.seats, dtype=np.int64)
    believed_worlds(view, looker, people, streams(1, 1, "look")[0])
    viewer = int(view["viewer"][0])
    merits = weighed("whist3x3", view, minds, how)
    for choice in probabilities(game, state, minds, mine=True):
        each = []
        for world in room[DRAWN]:
            after = np.array([world], dtype=game.state)
            play_all(after, np.array([choice]))
            each.append(worth(game, after, viewer, minds))
        assert merits[choice] == pytest.approx(np.mean(each), abs=1e-5)


def test_pruned_lines_are_the_likeliest_and_few_worlds_give_up_bad_choices() -> None:
    game = load_game("whist3x3")
    minds = minds_for(game)
    view = view_of(position("whist3x3", 0, 3))
    far = {"tricks": 9, "belief": EVEN, "worlds": 20}
    whole = weighed("whist3x3", view, minds, Looking(least=0.0, lines=10**6, gap=0.0, **far))
    line = weighed("whist3x3", view, minds, Looking(least=2.0, gap=0.0, **far))
    near = weighed("whist3x3", view, minds, Looking(least=0.01, gap=0.0, lines=10**6, **far))
    assert np.abs(near - whole).max() < np.abs(line - whole).max()
    dropped = weighed(
        "whist3x3", view, minds, Looking(least=0.01, gap=1e-4, trial=1, lines=10**6, **far)
    )
    assert dropped.max() <= near.max() + 0.1


def test_without_belief_the_actor_says_what_is_done() -> None:
    game = load_game("whist3x3")
    minds = minds_for(game)
    state = position("whist3x3", 0, 3)
    merits = weighed("whist3x3", view_of(state), minds, Looking(belief=NONE))
    chances = probabilities(game, state, minds, mine=True)
    shares = {choice: np.exp(merits[choice] / Looking().heat) for choice in chances}
    total = sum(shares.values())
    assert {choice: share / total for choice, share in shares.items()} == pytest.approx(
        chances, abs=1e-5
    )


def test_the_actors_word_counts_as_so_many_worlds() -> None:
    game = load_game("whist3x3")
    minds = minds_for(game)
    view = view_of(position("whist3x3", 0, 3))
    told = {"belief": EVEN, "worlds": 4, "gap": 0.0}
    seen = weighed("whist3x3", view, minds, Looking(**told))
    choices = np.flatnonzero(seen)
    word = weighed("whist3x3", view, minds, Looking(belief=NONE))[choices]
    how = Looking(prior=12.0, **told)
    both = weighed("whist3x3", view, minds, how)[choices]
    expected = (4 * seen[choices] + 12 * (seen[choices].mean() + word)) / 16
    assert word.mean() == pytest.approx(0.0, abs=1e-6)
    assert both == pytest.approx(expected, abs=1e-6)


def test_the_actor_learns_from_what_worlds_say_without_its_own_word() -> None:
    game = load_game("whist3x3")
    minds = minds_for(game)
    view = view_of(position("whist3x3", 0, 3))
    told = {"belief": EVEN, "worlds": 4, "gap": 0.0}
    seen = weighed("whist3x3", view, minds, Looking(**told))
    looker = new_looker(game, minds, Looking(prior=12.0, **told), REACH)
    merits, people = np.zeros((1, 64)), np.zeros((1, game.seats), dtype=np.int64)
    tried = np.zeros(1, dtype=np.int64)
    look_ahead(view, looker, people, streams(1, 1, "look"), merits, tried)
    assert looker[ROOM][LOOKED] == pytest.approx(seen, abs=1e-6)
    assert merits[0] != pytest.approx(seen, abs=1e-6)


# ---------------------------------------------------------------------------- worlds weighed


def test_worlds_in_which_others_did_what_is_predicted_weigh_more() -> None:
    game = load_game("whist3x3")
    minds = minds_for(game, seed=5)
    view = view_of(position("whist3x3", 3, 8))
    how = Looking(worlds=8, candidates=64, belief=LEARNED)
    looker = new_looker(game, minds, how, REACH)
    room = looker[ROOM]
    people = np.zeros(game.seats, dtype=np.int64)
    size = believed_worlds(view, looker, people, stream(1, "w"))
    weights, worlds = room[LOGS][:size], room[DRAWN][:size]
    likely = np.array(
        [likelihood(game, worlds[n : n + 1], int(view["viewer"][0]), minds) for n in range(size)]
    )
    order = np.argsort(likely)
    assert weights.sum() == pytest.approx(1.0)
    assert (np.diff(weights[order]) > -1e-9).all()
    assert room[COUNTS][:size].sum() == 8


def likelihood(game: Game, world: Records, viewer: int, minds: Minds) -> float:
    """How likely what the others chose was, an even part mixed in, by a slow replay."""
    orders = np.zeros((1, len(game.deck)), dtype=np.int64)
    orders_dealt(world, orders)
    state = game.blank_states(1, game.variant())
    deal_orders(state, game.blank_matches(1, game.variant()), orders)
    total = 1.0
    for event in world["history"][0][: world["turn"][0]]:
        choice, seat = int(event) & 63, int(event) >> 6 & 7
        if seat != viewer:
            chances = probabilities(game, state, minds, mine=False)
            if len(chances) > 1:
                total *= 0.2 / len(chances) + 0.8 * chances[choice]
        play_all(state, np.array([choice]))
    return total


# ---------------------------------------------------------------------------- learning on line


@pytest.mark.parametrize("name", mostly_long(["sheephead", "whist3x3"], "whist3x3"))
def test_who_is_watched_is_predicted_better_and_nobody_else_changes(name: str) -> None:
    game = ready(load_game(name))
    minds = minds_for(game, persons=3)
    before = minds[0][2].copy()
    lowest = 0 if game.rulebooks else RANDOM
    views = [view_of(position(name, 99, seed, level=lowest), 0) for seed in range(12)]
    ended = np.concatenate(views).view(game.state)
    who = np.array([0, 1, 1, 2, 0])[: game.seats]
    people = np.tile(who, (len(ended), 1))
    desk, room = new_desk(game, minds), new_room(game, Looking(worlds=1, candidates=1))
    errors = np.zeros(int(minds[0][0][OUTPUTS]))
    surprise = []
    for _ in range(3):
        told = np.zeros(4)
        watch_deals(ended, people, minds, desk, room, 0.2, 1.0, errors, stream(1), told)
        surprise.append(told[1] / told[0])
    assert surprise[2] < surprise[0]
    for person in range(4):
        is_here = person > 0 and person in who
        assert np.array_equal(minds[0][2][person], before[person]) != is_here


@pytest.mark.long
def test_the_predictor_of_the_thesis_is_a_rulebook() -> None:
    minds = minds_for(load_game("sheephead"))
    view = view_of(position("sheephead", 12, 3, level=1))
    level = load_game("sheephead").rulebooks["strong@1"]
    few = {"worlds": 3, "candidates": 4}
    by_rules = weighed("sheephead", view, minds, Looking(level=level, **few))
    by_mind = weighed("sheephead", view, minds, Looking(level=BY_MIND, **few))
    assert not np.array_equal(by_rules, by_mind)


# ---------------------------------------------------------------------------- calibration


def test_what_is_counted_comes_true_as_often_as_it_is_believed() -> None:
    game = load_game("whist3x3")
    counted = calibrate_cards(game, None, level=RANDOM, deals=150, seed=1)
    assert counted.error < 0.08
    weighed_too = calibrate_cards(game, minds_for(game), level=RANDOM, deals=40, seed=1)
    assert weighed_too.counts.sum() > 0


def test_what_is_predicted_is_held_against_what_was_chosen() -> None:
    game = load_game("whist3x3")
    found = calibrate_choices(game, minds_for(game), level=RANDOM, deals=60, seed=1)
    known = found.counts > 0
    assert (found.came_true[known] <= 1).all()
    assert (found.half_widths() >= 0).all()
    assert found.log_loss > 0
