"""The rule-based players of Snapszer: what they do at the table, and that they do not peek."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from conftest import (
    choices_of,
    dealt_at_random,
    legals_of,
    random_matches,
    random_variant,
    views_of,
)
from overtrick.cards import each
from overtrick.engine.batches import play_all
from overtrick.engine.deals import Deal, Match
from overtrick.engine.playouts import choose_all
from overtrick.games import load_game
from overtrick.games.game import NOBODY, OVER, Variant
from overtrick.games.snapszer import rules
from overtrick.games.snapszer.rulebook import RULEBOOKS, SIMPLE, STRONG, TRICKSTER
from overtrick.jit import COMPILED, streams

GAME = load_game("snapszer")
DECK = GAME.deck
SOUTH, NORTH = range(2)
LEVELS = pytest.mark.parametrize("level", [*RULEBOOKS.values()], ids=[*RULEBOOKS])
MARRIAGES = sum(1 << rules.MARRY + suit for suit in range(4))
Records = np.ndarray[Any, Any]


# Positions and choices


def dealt(
    south: str, north: str, upcard: str, talon: str = "", deals: int = 0, **options: object
) -> Deal:
    """The deal of these cards; the talon gets its first cards as given, the others as in the deck.

    South leads if the number of the deal is even.
    """
    named = DECK.sequence(f"{south} {north} {upcard} {talon}")
    rest = [name for card, name in enumerate(DECK.names) if card not in named]
    cards = {"0": south, "1": north, "talon": [*talon.split(), *rest], "upcard": upcard}
    match = Match.from_text("snapszer", f"deals={deals}", variant=options)
    return Deal.from_cards("snapszer", cards, match=match)


def played(deal: Deal, choices: str) -> Deal:
    """The deal after these choices."""
    for choice in choices.split():
        deal = deal.play(choice)
    return deal


def chosen(deal: Deal, level: int, points: tuple[int, int] | None = None, seed: int = 0) -> str:
    """What a level chooses here, in notation; with other points if some are given."""
    states = deal.records
    if points:
        states["points"] = points
    choice = choices_of(states, level, streams(1, seed, "rulebook"))[0]
    return GAME.choice_text(int(states["phase"][0]), int(choice))


def every_step(
    level: int, count: int, seed: int, variant: Variant | None = None
) -> Iterator[tuple[Records, Records]]:
    """Deals that a level plays against itself, step by step, and the streams of their choices.

    Every seventh choice is a random one, so that positions are not only those it likes.
    """
    house = GAME.variant() if variant is None else variant
    states = dealt_at_random(GAME, house, random_matches(GAME, house, count, seed), seed)
    rng = np.random.default_rng(seed)
    step = 0
    while len(states):
        chance = streams(len(states), seed, "choices", step)
        yield states, chance
        choices = choices_of(states, level, chance)
        legals = legals_of(states)
        for number in np.flatnonzero(rng.random(len(states)) < 1 / 7):
            choices[number] = rng.choice([*each(int(legals[number]))])
        play_all(states, choices)
        states = states[states["phase"] != OVER]
        step += 1


# What all of them do


@LEVELS
def test_forty_is_declared_before_twenty(level: int) -> None:
    deal = dealt("Kb Qb Kl Ql Jh", "Jb Jl Ja Qh Kh", "Tl")
    assert chosen(deal, level) == "marry:l"


@LEVELS
def test_the_jack_is_exchanged_where_that_is_a_choice(level: int) -> None:
    deal = dealt("Jl Qb Kb Qa Jh", "Jb Ah Ja Qh Kh", "Tl", exchange="action")
    assert chosen(deal, level) == "exchange"


@LEVELS
def test_a_marriage_that_makes_66_is_declared(level: int) -> None:
    deal = dealt("Kb Qb Al Ql Jh", "Jb Jl Ja Qh Kh", "Tl")
    assert chosen(deal, level, points=(46, 40)) == "marry:b"


@pytest.mark.parametrize("level", [SIMPLE, TRICKSTER])
def test_the_weaker_players_never_close(level: int) -> None:
    for states, chance in every_step(level, 500, seed=1):
        assert not np.any(choices_of(states, level, chance) == rules.CLOSE)


@pytest.mark.parametrize("level", [SIMPLE, TRICKSTER])
def test_the_weaker_players_marry_whenever_they_can(level: int) -> None:
    for states, chance in every_step(level, 500, seed=2):
        can = (states["phase"] == rules.LEAD) & (legals_of(states) & MARRIAGES != 0)
        choices = choices_of(states[can], level, chance[can])
        assert np.all((choices >= rules.MARRY) & (choices < rules.EXCHANGE))


# Trickster


def cards_of_trickster(deal: Deal) -> int:
    return DECK.set(sorted({chosen(deal, TRICKSTER, seed=seed) for seed in range(60)}))


def test_trickster_plays_any_legal_card() -> None:
    deal = dealt("Ab Qb Kl Jl Jh", "Jb Al Ja Qh Kh", "Tl")
    assert cards_of_trickster(deal) == DECK.set("Ab Qb Kl Tl Jh")
    assert cards_of_trickster(deal.play("Ab")) == DECK.set("Jb Al Ja Qh Kh")
    closed = deal.play("close").play("Qb")
    assert cards_of_trickster(closed) == DECK.set("Jb")


# Simple


def test_simple_leads_its_cheapest_plain_card_while_the_talon_is_open() -> None:
    assert chosen(dealt("Ql Ab Qb Ka Th", "Jb Al Ja Qh Kh", "Tl"), SIMPLE) == "Qb"


def test_simple_leads_high_once_the_talon_is_closed() -> None:
    closed = dealt("Ql Ab Qb Ka Th", "Jb Al Ja Qh Kh", "Tl").play("close")
    assert chosen(closed, SIMPLE) == "Ab"


def test_simple_beats_in_suit_with_its_highest_card() -> None:
    assert chosen(dealt("Jb Qb Ka Th Jl", "Kb Ab Al Ja Qh", "Tl").play("Jb"), SIMPLE) == "Ab"


def test_simple_ruffs_tens_and_aces_low_and_nothing_else() -> None:
    deal = dealt("Jb Tb Kb Th Ja", "Kl Al Qa Ta Qh", "Tl")
    assert chosen(deal.play("Tb"), SIMPLE) == "Kl"
    assert chosen(deal.play("Kb"), SIMPLE) == "Qh"


# Strong


def test_strong_takes_the_trick_that_makes_66() -> None:
    deal = dealt("Jb Tb Kb Th Ja", "Kl Al Qa Ta Qh", "Tl").play("Jb")
    assert chosen(deal, STRONG, points=(0, 60)) == "Kl"


def test_strong_takes_the_trick_after_which_a_marriage_makes_66() -> None:
    deal = dealt("Jb Tb Kb Th Ja", "Al Ka Qa Ta Qh", "Tl").play("Jb")
    assert chosen(deal, STRONG, points=(0, 33)) == "Al"


def test_strong_cashes_the_highest_trump_before_a_marriage_that_then_makes_66() -> None:
    deal = dealt("Al Kb Qb Ja Jh", "Jb Tb Kl Th Ta", "Tl")
    assert chosen(deal, STRONG, points=(33, 40)) == "Al"
    assert chosen(deal, STRONG, points=(32, 40)) != "Al"


def test_strong_knows_that_a_ten_of_trumps_is_no_sure_trick_while_the_ace_is_out() -> None:
    deal = dealt("Tl Kb Qb Ja Jh", "Jb Tb Kl Th Al", "Ql")
    assert chosen(deal, STRONG, points=(34, 40)) == "marry:b"


def test_strong_closes_with_the_high_trumps_and_a_marriage() -> None:
    assert chosen(dealt("Al Tl Kb Qb Ab", "Jb Tb Ta Th Ja", "Kl"), STRONG) == "close"


def test_strong_does_not_close_with_small_cards() -> None:
    assert chosen(dealt("Jb Qh Kb Qa Jh", "Al Tl Ta Th Aa", "Ql"), STRONG) != "close"


def test_strong_leads_the_king_of_a_marriage_but_the_queen_once_the_talon_is_closed() -> None:
    deal = dealt("Kb Qb Ql Ja Jh", "Jb Tb Kl Th Al", "Tl")
    assert chosen(deal.play("marry:b"), STRONG) == "Kb"
    assert chosen(deal.play("close").play("marry:b"), STRONG) == "Qb"


def test_strong_takes_with_the_ten_and_keeps_the_ace_once_the_talon_is_closed() -> None:
    deal = dealt("Kb Qb Ql Ja Jh", "Ab Tb Jl Th Al", "Tl").play("close").play("Qb")
    assert chosen(deal, STRONG) == "Tb"


def test_strong_throws_its_cheapest_card_on_a_trick_that_it_cannot_take() -> None:
    deal = dealt("Ab Qb Tl Ja Jh", "Jb Tb Kb Th Ah", "Al").play("close").play("Ab")
    assert chosen(deal, STRONG) == "Jb"


# Endings


def worth_to(deal: Deal, seat: int) -> int:
    """What a deal brings a seat when both play on exactly: every choice tried, nothing clever."""
    if deal.is_over:
        return int(deal.payoffs[seat])
    after = [worth_to(deal.play(choice), seat) for choice in deal.legal]
    return max(after) if deal.seat == seat else min(after)


def ending(rng: random.Random, cards: int) -> Deal | None:
    """A random deal with an empty talon and so many cards in each hand, None if it ended before."""
    deal = Match.start("snapszer").deal(rng.randrange(1 << 30))
    while not deal.is_over and (deal.phase == "follow" or deal.hands[0].bit_count() > cards):
        deal = deal.play(rng.choice([c for c in deal.legal if c != rules.CLOSE]))
    return None if deal.is_over or deal.records["left"][0] else deal


@pytest.mark.parametrize(("cards", "count"), [(2, 40), (3, 40), (4, 12)])
def test_strong_plays_endings_exactly(cards: int, count: int) -> None:
    rng = random.Random(cards)
    while count:
        deal = ending(rng, cards)
        if deal is None:
            continue
        count -= 1
        while not deal.is_over:
            assert deal.seat is not None
            best = worth_to(deal, deal.seat)
            text = chosen(deal, STRONG)
            after = deal.play(text)
            assert worth_to(after, deal.seat) == best, f"{text} in {deal.text()}"
            deal = after if rng.random() < 0.7 else deal.play(rng.choice(deal.legal))


# What holds for every choice


@LEVELS
@pytest.mark.parametrize("seed", range(8))
def test_every_choice_is_legal_under_any_house_rules(level: int, seed: int) -> None:
    variant = random_variant(GAME, random.Random(seed))
    for states, chance in every_step(level, 150, seed, variant):
        choices = choices_of(states, level, chance)
        assert np.all(legals_of(states) >> choices & 1)


@LEVELS
@pytest.mark.parametrize("seed", range(3))
def test_a_view_is_all_that_a_choice_depends_on(level: int, seed: int) -> None:
    variant = random_variant(GAME, random.Random(seed)) if seed else GAME.variant()
    rng = np.random.default_rng(seed)
    for states, chance in every_step(level, 200, seed, variant):
        choices = choices_of(states, level, chance)
        views = views_of(states, states["seat"])
        assert np.array_equal(choices_of(views, level, chance), choices)
        assert np.array_equal(choices_of(with_garbage(views, rng), level, chance), choices)


def with_garbage(views: Records, rng: np.random.Generator) -> Records:
    """The views with anything in the places where hidden cards have been erased."""
    spoilt = views.copy()
    for view in spoilt:
        view["hands"][1 - view["viewer"]] = rng.integers(1 << rules.CARDS)
        for slot in range(rules.TALON_SIZE):
            at = rules.SLOT_BITS * slot
            if view["talon"] >> at & rules.SLOT == rules.SLOT:
                view["talon"] ^= int(rng.integers(rules.SLOT + 1)) << at
        view["viewer"] = rng.choice([NOBODY, view["viewer"]])
    return spoilt


# Compiled and interpreted


def told_choices() -> str:
    """The choices of some deals at every level."""
    lines = []
    for level in RULEBOOKS.values():
        for states, chance in every_step(level, 20, seed=5):
            lines.append(" ".join(map(str, choices_of(states, level, chance))))
    return "\n".join(lines)


@pytest.mark.skipif(not COMPILED, reason="needs the compiled rules to compare with")
def test_compiled_and_interpreted_players_choose_alike() -> None:
    code = "import test_snapszer_rulebook as told; print(told.told_choices())"
    path = os.pathsep.join([os.path.dirname(__file__), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == told_choices()


def test_the_stream_moves_only_where_chance_decides() -> None:
    deal = dealt("Ab Qb Kl Jl Jh", "Jb Al Ja Qh Kh", "Tl")
    for level in RULEBOOKS.values():
        chance = streams(1, 1, "rulebook")
        before = chance.tolist()
        choose_all(deal.records, level, chance, np.zeros(1, dtype=np.int64))
        assert (chance.tolist() == before) == (level != TRICKSTER)
