"""Kuhn and Leduc poker and 3 x 3 whist: their rules, their trees and their exact solutions.

The reference figures are those of METHODS, section 5; OpenSpiel is the referee for both pokers.
"""

import functools
import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overtrick.cards import each
from overtrick.engine.batches import legal_all, payoffs_all, play_all
from overtrick.engine.dealing import deal_orders, shuffled_orders
from overtrick.engine.deals import Deal, Match
from overtrick.engine.tree import Tree, as_numbers, build_tree
from overtrick.engine.views import hide_all, orders_dealt
from overtrick.engine.worlds import count_worlds, new_puzzle, sample_worlds
from overtrick.errors import BadBudget, IllegalChoice
from overtrick.games import game_names, load_game
from overtrick.games.leduc import rules as leduc
from overtrick.games.whist3x3 import rules as whist
from overtrick.jit import stream

GAMES = ("kuhn", "leduc", "whist3x3")
VALUES = {"kuhn": -1 / 18, "leduc": -0.085606, "whist3x3": 0.2}

Array = np.ndarray[Any, np.dtype[Any]]


@functools.cache
def tree_of(name: str) -> Tree:
    return build_tree(load_game(name))


def played(name: str, cards: str, choices: str = "") -> Deal:
    """A deal of cards `0 … / 1 …`, the talon left out, after some choices."""
    return Deal.from_text(f"{name}; ; ; {cards}; {choices}")


def payoffs(deal: Deal) -> list[int]:
    return [int(payoff) for payoff in deal.payoffs]


# ---------------------------------------------------------------------------- Kuhn poker

KING_AND_QUEEN = "0 K / 1 Q"


@pytest.mark.parametrize(
    ("choices", "to_the_king"),
    [
        ("pass pass", 1),
        ("bet pass", 1),
        ("pass bet pass", -1),
        ("bet bet", 2),
        ("pass bet bet", 2),
    ],
)
def test_the_five_lines_of_kuhn_poker_pay_what_the_loser_has_staked(
    choices: str, to_the_king: int
) -> None:
    deal = played("kuhn", KING_AND_QUEEN, choices)
    assert deal.is_over
    assert payoffs(deal) == [to_the_king, -to_the_king]


def test_pass_and_bet_are_always_legal_in_kuhn_poker() -> None:
    for choices in ("", "pass", "bet", "pass bet"):
        assert played("kuhn", KING_AND_QUEEN, choices).legal_texts == ("pass", "bet")


def test_a_showdown_shows_both_cards_and_a_fold_shows_none() -> None:
    shown = played("kuhn", KING_AND_QUEEN, "bet bet").view(1)
    folded = played("kuhn", KING_AND_QUEEN, "bet pass").view(1)
    assert shown.game.deck.texts(shown.known[0]) == "K"
    assert folded.known[0] == 0


# ---------------------------------------------------------------------------- Leduc hold'em

BOARD_QUEEN = "0 KS / 1 QH / board QS"


def test_a_pair_beats_a_high_card() -> None:
    cards = leduc.DECK.set
    assert leduc.strength(cards("JS"), cards("JH")) > leduc.strength(cards("KS"), cards("JH"))


def test_a_higher_card_beats_a_lower_card_of_either_suit() -> None:
    cards = leduc.DECK.set
    assert leduc.strength(cards("KS"), cards("JH")) > leduc.strength(cards("QH"), cards("JH"))
    assert leduc.strength(cards("KH"), cards("JH")) > leduc.strength(cards("QS"), cards("JH"))


def test_hands_of_one_rank_take_their_stakes_back() -> None:
    deal = played("leduc", "0 KS / 1 KH / board QS", "raise call raise call")
    assert payoffs(deal) == [0, 0]


def test_folding_is_legal_only_against_a_raise() -> None:
    assert played("leduc", BOARD_QUEEN).legal_texts == ("call", "raise")
    assert played("leduc", BOARD_QUEEN, "call").legal_texts == ("call", "raise")
    assert played("leduc", BOARD_QUEEN, "raise").legal_texts == ("fold", "call", "raise")


def test_there_are_at_most_two_raises_a_round() -> None:
    assert played("leduc", BOARD_QUEEN, "raise raise").legal_texts == ("fold", "call")
    assert played("leduc", BOARD_QUEEN, "raise raise call").legal_texts == ("call", "raise")


def test_raises_are_two_chips_and_then_four() -> None:
    assert payoffs(played("leduc", BOARD_QUEEN, "raise raise fold")) == [-3, 3]
    assert payoffs(played("leduc", BOARD_QUEEN, "raise raise call raise raise fold")) == [-9, 9]
    assert payoffs(played("leduc", BOARD_QUEEN, "raise raise call raise raise call")) == [-13, 13]


def test_the_board_card_is_seen_from_the_second_round_on() -> None:
    before, after = (
        played("leduc", BOARD_QUEEN, choices).view(0) for choices in ("call", "call call")
    )
    assert before.records["board"][0] == 0
    assert before.public[0] == ("board", "face down")
    assert after.records["board"][0] == leduc.DECK.set("QS")
    assert after.public[0] == ("board", "QS")


# ---------------------------------------------------------------------------- 3 x 3 whist


def test_a_seat_that_can_follow_must_follow() -> None:
    cards = whist.DECK.set
    assert whist.must_follow(cards("QC AC KS"), whist.suit_of(whist.DECK.card("KC"))) == cards(
        "QC AC"
    )


def test_a_seat_that_cannot_follow_may_play_anything() -> None:
    cards = whist.DECK.set
    hand = cards("QD AD KS")
    assert whist.must_follow(hand, whist.suit_of(whist.DECK.card("KC"))) == hand


@pytest.mark.parametrize(
    ("cards", "trick", "taker"),
    [
        ("0 KC QD KD / 1 AC QS KS", "KC AC", 1),  # the higher card of the suit led
        ("0 KC QD KD / 1 QC QS KS", "KC QC", 0),
        ("0 QC QD KD / 1 AD QS KS", "QC AD", 0),  # a discard takes nothing
        ("0 AC QD KD / 1 QS KS AD", "AC QS", 1),  # the lowest trump beats an ace
        ("0 QS QD KD / 1 AC KC AD", "QS AC", 0),
        ("0 KS QD KD / 1 AS KC AC", "KS AS", 1),
    ],
)
def test_the_highest_trump_takes_the_trick_else_the_highest_card_led(
    cards: str, trick: str, taker: int
) -> None:
    deal = played("whist3x3", cards, trick)
    assert deal.seat == taker
    assert deal.records["tricks"][0][taker] == 1


def test_a_suit_not_followed_is_a_suit_not_held() -> None:
    deal = played("whist3x3", "0 KC QD AS / 1 KD AD QS", "KC QS")
    assert whist.DECK.texts(deal.view(0).cannot[1]) == "QC KC AC"
    assert deal.view(0).cannot[0] == 0


def test_three_tricks_are_worth_three() -> None:
    deal = played("whist3x3", "0 QS KS AS / 1 KD AD QC", "AS QC KS KD QS AD")
    assert payoffs(deal) == [3, -3]


# ---------------------------------------------------------------------------- on the contract


def test_the_small_games_are_not_offered_to_card_players() -> None:
    assert not set(GAMES) & set(game_names())
    assert set(GAMES) <= set(game_names(hidden=True))


@pytest.mark.parametrize("name", GAMES)
def test_a_match_is_won_by_the_highest_score_after_its_last_deal(name: str) -> None:
    match = Match.start(name, variant="target_deals=2")
    totals = np.zeros(2, dtype=np.int64)
    for seed in (3, 4):
        assert match.winners == ()
        deal = match.deal(seed)
        while not deal.is_over:
            deal = deal.play(deal.legal[-1])
        totals += payoffs(deal)
        match = match.after(deal)
    assert match.scores == tuple(totals)
    assert match.winners == tuple(np.flatnonzero(totals == totals.max()))


@pytest.mark.parametrize(
    ("name", "seat", "cards", "others", "choices"),
    [
        ("kuhn", 0, KING_AND_QUEEN, "0 K / 1 J", "pass bet"),
        ("leduc", 1, BOARD_QUEEN, "0 JS / 1 QH / board KS", "raise raise"),
        ("leduc", 0, BOARD_QUEEN, "0 KS / 1 JH / board QS", "raise call call raise fold"),
        ("whist3x3", 0, "0 KC QD AS / 1 KD AD QS", "0 KC QD AS / 1 QS KS AD", "KC QS AD"),
    ],
)
def test_deals_that_differ_in_hidden_cards_look_byte_equal(
    name: str, seat: int, cards: str, others: str, choices: str
) -> None:
    one, other = (played(name, dealt, choices) for dealt in (cards, others))
    assert one.records.tobytes() != other.records.tobytes()
    assert one.view(seat).records.tobytes() == other.view(seat).records.tobytes()


def test_an_illegal_choice_is_refused_in_table_words() -> None:
    deal = played("leduc", BOARD_QUEEN)
    with pytest.raises(IllegalChoice, match="may not bet fold; legal are call raise"):
        deal.play("fold")


def test_a_game_with_too_many_deals_has_no_tree() -> None:
    with pytest.raises(BadBudget, match="hearts: a whole tree takes at most 100,000 deals"):
        build_tree(load_game("hearts"))


def digest_of_random_play(name: str) -> str:
    """All records, views, worlds, orders and payoffs of 200 random deals, as one digest."""
    game, rng, chance = load_game(name), random.Random(5), stream(5, name)
    orders = np.empty((200, len(game.deck)), dtype=np.int64)
    shuffled_orders(orders, chance)
    states = game.blank_states(len(orders), game.variant())
    deal_orders(states, game.blank_matches(len(orders), game.variant()), orders)
    digest = hashlib.sha256()
    legals = np.zeros(len(states), dtype=np.int64)
    results = np.zeros((len(states), game.seats), dtype=np.int64)
    while True:
        digest.update(states.tobytes())
        for seat in range(game.seats):
            views = states.copy()
            hide_all(views, np.full(len(views), seat))
            worlds = sample_worlds(views[:1], 20, chance)
            orders_dealt(worlds, orders[:20])
            for records in (views, worlds, orders[:20]):
                digest.update(records.tobytes())
        going = (states["seat"] >= 0).nonzero()[0]
        if not len(going):
            break
        legal_all(states, legals)
        batch = states[going]
        play_all(batch, np.array([rng.choice(list(each(legals[deal]))) for deal in going]))
        states[going] = batch
    payoffs_all(states, results)
    digest.update(results.tobytes())
    return digest.hexdigest()


def test_all_records_are_the_same_compiled_and_interpreted() -> None:
    script = f"import test_small_games as t; print(*map(t.digest_of_random_play, {GAMES}))"
    path = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    interpreted = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert interpreted.stdout.split() == [digest_of_random_play(name) for name in GAMES]


# ---------------------------------------------------------------------------- the trees


@pytest.mark.parametrize(
    ("name", "deals", "infosets"),
    [("kuhn", 6, 12), ("leduc", 120, 936), ("whist3x3", 1_680, 46_002)],
)
def test_a_tree_has_every_deal_and_every_view_once(name: str, deals: int, infosets: int) -> None:
    tree = tree_of(name)
    assert (len(tree.deals), tree.infosets) == (deals, infosets)
    assert tree.chance.sum() == pytest.approx(1)


@pytest.mark.parametrize("name", GAMES)
def test_the_arrays_of_a_tree_agree(name: str) -> None:
    tree = tree_of(name)
    below = slice(len(tree.deals), None)
    assert tree.levels[0] == slice(0, len(tree.deals))
    assert np.array_equal(tree.mover[below], tree.seat[tree.parent[below]])
    assert np.array_equal(tree.deal[below], tree.deal[tree.parent[below]])
    views = tree.view[tree.parent[below]]
    assert np.array_equal(tree.move[below], views * tree.legal.shape[1] + tree.choice[below])
    assert tree.legal[views, tree.choice[below]].all()
    assert np.array_equal(tree.view[tree.first], np.arange(tree.infosets))
    assert np.array_equal(tree.views["seat"], tree.seat[tree.first])
    assert not tree.payoff.sum(axis=1).any()
    assert not tree.payoff[tree.seat >= 0].any()


@pytest.mark.parametrize(
    ("name", "exploitability"), [("kuhn", 0.45833), ("leduc", 4.74722 / 2), ("whist3x3", 0.39638)]
)
def test_the_uniform_policy_is_as_exploitable_as_is_known(name: str, exploitability: float) -> None:
    tree = tree_of(name)
    assert tree.exploitability(tree.uniform()) == pytest.approx(exploitability, abs=1e-5)


def test_the_solution_of_kuhn_poker_cannot_be_exploited() -> None:
    # Kuhn's solution with alpha = 0: J and Q are never opened with a bet, nor K.
    tree = tree_of("kuhn")
    bets = {"0J": 0, "0Q": 0, "0K": 0, "0Jpb": 0, "0Qpb": 1 / 3, "0Kpb": 1}
    bets |= {"1Jp": 1 / 3, "1Qp": 0, "1Kp": 1, "1Jb": 0, "1Qb": 1 / 3, "1Kb": 1}
    policy = np.empty(tree.legal.shape)
    for number, view in enumerate(tree.views):
        seat = int(view["seat"])
        line = "".join("pb"[int(event) & 1] for event in view["history"][: view["turn"]])
        name = f"{seat}{tree.game.deck.texts(int(view['hands'][seat]))}{line}"
        policy[number] = 1 - bets[name], bets[name]
    assert tree.values(policy)[0] == pytest.approx(-1 / 18)
    assert tree.exploitability(policy) == pytest.approx(0)


# ---------------------------------------------------------------------------- OpenSpiel


def spiel_card(name: str, card: int) -> int:
    """A card's number in OpenSpiel, whose Leduc deck runs rank by rank."""
    return 2 * (card % 3) + card // 3 if name == "leduc" else card


def follow(
    tree: Tree, below: dict[int, dict[int, int]], node: int, state: Any, cards: list[int]
) -> Iterator[tuple[int, Any]]:
    """Every node under a node, with OpenSpiel's state; `cards` are still to be dealt there."""
    if state.is_chance_node():
        state.apply_action(cards.pop(0))
    yield node, state
    for choice, child in below.get(node, {}).items():
        yield from follow(tree, below, child, state.child(choice), cards[:])


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_every_line_of_poker_is_as_openspiel_plays_it(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    tree = tree_of(name)
    spiel = pyspiel.load_game(f"{name}_poker")
    below: dict[int, dict[int, int]] = {}
    for node in range(len(tree.deals), tree.nodes):
        below.setdefault(int(tree.parent[node]), {})[int(tree.choice[node])] = node
    orders = np.empty((len(tree.deals), len(tree.game.deck)), dtype=np.int64)
    orders_dealt(tree.deals, orders)
    seen = 0
    infosets: dict[str, int] = {}
    for root, order in enumerate(orders):
        cards = [spiel_card(name, int(card)) for card in order]
        state = spiel.new_initial_state()
        for card in cards[:2]:
            state.apply_action(card)
        for node, same in follow(tree, below, root, state, cards[2:]):
            seen += 1
            if same.is_terminal():
                assert list(tree.payoff[node]) == same.returns()
            else:
                assert same.current_player() == tree.seat[node]
                assert same.legal_actions() == sorted(below[node])
                text = same.information_state_string()
                assert infosets.setdefault(text, int(tree.view[node])) == tree.view[node]
    assert seen == tree.nodes
    assert len(infosets) == len(set(infosets.values())) == tree.infosets


# ---------------------------------------------------------------------------- solving


ROUNDING = 1e-12


def in_proportion(weights: Array, legal: Array) -> Array:
    """Rows of probabilities in proportion to the weights, uniform where these are all 0."""
    sums = weights.sum(axis=1, keepdims=True)
    uniform = legal / legal.sum(axis=1, keepdims=True)
    return np.where(sums > 0, weights / np.where(sums > 0, sums, 1), uniform)


def cfr(tree: Tree, *, plus: bool) -> Iterator[Array]:
    """The average policy after each iteration of CFR, or of CFR+.

    Seats are updated in turn, seat 0 first. CFR averages all iterations alike; CFR+ keeps
    regrets from falling below 0 and weighs iteration t by t. Choices that are equally good get
    equal regrets; without `ROUNDING` the last bits of a sum would favor one of them.
    """
    policy = tree.uniform()
    regret, total = np.zeros(policy.shape), np.zeros(policy.shape)
    for iteration in count(1):
        for seat in range(tree.game.seats):
            own = tree.views["seat"] == seat
            legal, now = tree.legal[own], policy[own]
            reach = tree.reach(policy, [seat])[tree.first[own], np.newaxis]
            total[own] += (iteration if plus else 1) * reach * now
            worth = tree.choice_values(policy, seat)[own]
            gain = np.where(legal, worth - (now * worth).sum(axis=1, keepdims=True), 0)
            grown = np.maximum(regret[own] + gain, 0 if plus else -np.inf)
            regret[own] = np.where(abs(grown) < ROUNDING, 0, grown)
            policy[own] = in_proportion(np.maximum(regret[own], 0), legal)
        yield in_proportion(total, tree.legal)


@pytest.mark.parametrize(
    ("name", "plus", "known"),
    [
        ("kuhn", False, {1: 0.45833, 10: 0.06870, 100: 0.00823, 1000: 0.00094}),
        ("kuhn", True, {1: 0.45833, 10: 0.03269, 100: 0.00119, 1000: 0.00009}),
        ("leduc", False, {1: 2.37361, 10: 0.88858, 100: 0.09572}),
        ("leduc", True, {1: 2.37361, 10: 0.61044, 100: 0.01342}),
    ],
)
def test_regret_minimisation_is_as_far_as_is_known(
    name: str, plus: bool, known: dict[int, float]
) -> None:
    tree = tree_of(name)
    found = {
        iteration: tree.exploitability(average)
        for iteration, average in enumerate(islice(cfr(tree, plus=plus), max(known)), 1)
        if iteration in known
    }
    assert found == pytest.approx(known, abs=1e-5)


@pytest.mark.parametrize("name", GAMES)
def test_the_value_of_a_game_is_as_is_known(name: str) -> None:
    tree = tree_of(name)
    checked = islice(cfr(tree, plus=True), 49, None, 50)
    policy = next(average for average in checked if tree.exploitability(average) < 1e-4)
    # against any policy a best response gets at least the value to its seat
    most, least = tree.best_response(policy, 0), -tree.best_response(policy, 1)
    assert least - 1e-6 <= VALUES[name] <= most + 1e-6
    assert tree.values(policy)[0] == pytest.approx(VALUES[name], abs=1e-4)


# ---------------------------------------------------------------------------- worlds

DRAWS = 200


def sampled_views(tree: Tree) -> Array:
    """Every view of a small tree, 400 of a large one."""
    if tree.infosets <= 1_000:
        return np.arange(tree.infosets)
    return np.random.default_rng(7).choice(tree.infosets, 400, replace=False)


@functools.cache
def sampled_worlds(name: str) -> tuple[Array, Array]:
    """Some views of a game by number, and their worlds, [views, DRAWS]."""
    tree = tree_of(name)
    views, puzzle, chance = sampled_views(tree), new_puzzle(), stream(11, "worlds", name)
    worlds = [sample_worlds(tree.views[view : view + 1], DRAWS, chance, puzzle) for view in views]
    return views, np.stack(worlds)


def deals_of(tree: Tree, worlds: Array) -> Array:
    """The deal in the tree that each world was dealt from."""
    orders = np.empty((len(tree.deals) + len(worlds), len(tree.game.deck)), dtype=np.int64)
    orders_dealt(tree.deals, orders[: len(tree.deals)])
    orders_dealt(worlds, orders[len(tree.deals) :])
    keys = orders @ 10 ** np.arange(orders.shape[1])
    known, wanted = keys[: len(tree.deals)], keys[len(tree.deals) :]
    by_key = known.argsort()
    found: Array = by_key[known[by_key].searchsorted(wanted)]
    assert np.array_equal(known[found], wanted)
    return found


def chi_square(counts: Array, expected: Array) -> float:
    return float(((counts - expected) ** 2 / expected).sum())


def chi_square_bound(freedom: float) -> float:
    """Surpassed once in e**14; the bound of Laurent and Massart."""
    return float(freedom + 2 * np.sqrt(freedom * 14) + 2 * 14)


@pytest.mark.parametrize("name", GAMES)
def test_worlds_are_drawn_as_often_as_chance_deals_them(name: str) -> None:
    tree = tree_of(name)
    views, worlds = sampled_worlds(name)
    drawn = deals_of(tree, worlds.ravel()).reshape(worlds.shape)
    pooled: dict[int, Array] = {}  # how often a view's first, second … world, by their number
    for number, view in enumerate(views):
        deals = tree.deal[tree.view == view]
        expected = DRAWS * tree.chance[deals] / tree.chance[deals].sum()
        counts = np.bincount(drawn[number], minlength=len(tree.deals))[deals]
        assert counts.sum() == DRAWS, "a world that the view rules out"
        assert count_worlds(tree.views[view : view + 1]) == len(deals)
        assert chi_square(counts, expected) <= chi_square_bound(len(deals) - 1)
        pooled[len(deals)] = pooled.get(len(deals), 0) + counts
    assert len(set(tree.chance)) == 1  # so all worlds of a view are equally likely
    for size, counts in pooled.items():
        expected = np.full(size, counts.sum() / size)
        assert chi_square(counts, expected) <= chi_square_bound(size - 1)


@pytest.mark.parametrize("name", GAMES)
def test_a_world_looks_the_same_from_the_seat(name: str) -> None:
    tree = tree_of(name)
    views, worlds = sampled_worlds(name)
    seen = worlds.flatten()
    hide_all(seen, np.repeat(tree.views["seat"][views], DRAWS))
    assert np.array_equal(as_numbers(seen), as_numbers(np.repeat(tree.views[views], DRAWS)))


@pytest.mark.parametrize("name", GAMES)
def test_a_world_is_the_deal_to_which_the_same_choices_lead(name: str) -> None:
    tree = tree_of(name)
    worlds = sampled_worlds(name)[1].ravel()
    again = tree.deals[deals_of(tree, worlds)]
    for turn in range(int(worlds["turn"].max())):
        later = worlds["turn"] > turn
        batch = again[later]
        play_all(batch, worlds["history"][later, turn].astype(np.int64) & 63)
        again[later] = batch
    assert np.array_equal(as_numbers(again), as_numbers(worlds))
