"""The compiled engine against the slow referee, over random deals and random house rules.

Deals are stepped together, one choice in each, and every position is compared with what a
referee of its own says. The last test compares the compiled engine with the interpreted one.
"""

import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overtrick.cards import each
from overtrick.engine.batches import legal_all, payoffs_all, play_all, score_all, winners_all
from overtrick.engine.dealing import deal_orders
from overtrick.engine.deals import Match
from overtrick.engine.views import hide_all
from overtrick.games import load_game
from overtrick.games.game import NOBODY, OVER
from overtrick.jit import COMPILED
from referees import hearts as referee
from referees.hearts import HeartsReferee

HEARTS = load_game("hearts")
CARDS = {name: card for card, name in enumerate(HEARTS.deck.names)}
MOONS = ("add_others", "subtract_self", "auto")
Records = np.ndarray[Any, Any]
Options = Mapping[str, object]


# Both sides of the table


def mask(cards: Sequence[str] | set[str]) -> int:
    return sum(1 << CARDS[card] for card in cards)


def random_options(rng: random.Random) -> dict[str, object]:
    """Each option of RULES 5.4, set at random."""
    return {
        "pass_cycle": "".join(rng.choices("LRAH", k=rng.randint(1, 16))),
        "no_points_first_trick": rng.random() < 0.5,
        "must_break_hearts": rng.random() < 0.7,
        "qs_breaks_hearts": rng.random() < 0.5,
        "hearts_instead_of_forced_qs": rng.random() < 0.5,
        "moon": rng.choice(MOONS),
        "target": rng.randint(1, 150),
        "stop_when_decided": rng.random() < 0.5,
    }


def match_records(options: Sequence[Options], rng: random.Random) -> Records:
    """A match for each set of options, some deals into it, with random scores."""
    records = [HEARTS.blank_matches(1, HEARTS.variant_of(chosen)) for chosen in options]
    matches = np.concatenate(records)
    for match in matches:
        match["deals"] = rng.randrange(1000)
        match["scores"] = [rng.randint(-60, 120) for _ in range(4)]
    return matches


def deal_both(
    options: Sequence[Options], matches: Records, rng: random.Random
) -> tuple[Records, list[HeartsReferee]]:
    """The next deal of each match, as records of the engine and with a referee each."""
    orders = [rng.sample(range(52), 52) for _ in options]
    states = np.concatenate(
        [HEARTS.blank_states(1, HEARTS.variant_of(chosen)) for chosen in options]
    )
    deal_orders(states, matches, np.array(orders, dtype=np.int64))
    referees = [
        HeartsReferee([HEARTS.deck.names[card] for card in order], int(deals), chosen)
        for order, deals, chosen in zip(orders, matches["deals"], options, strict=True)
    ]
    return states, referees


def said_by_engine(states: Records, legals: Records) -> list[tuple[object, ...]]:
    """For each deal: phase, seat to act, legal cards, broken, points, hands, cards on the table."""
    names = {OVER: "over", 0: "pass", 1: "play"}
    return [
        (names[phase], None if seat == NOBODY else seat, *rest)
        for phase, seat, *rest in zip(
            states["phase"].tolist(),
            states["seat"].tolist(),
            legals.tolist(),
            states["broken"].tolist(),
            states["points"].tolist(),
            states["hands"].tolist(),
            states["table"].tolist(),
            strict=True,
        )
    ]


def said_by_referee(deal: HeartsReferee) -> tuple[object, ...]:
    return (
        deal.phase,
        None if deal.phase == "over" else deal.seat,
        mask(deal.legal()),
        int(deal.broken),
        deal.points(),
        [mask(hand) for hand in deal.hands],
        mask([card for _, card in deal.trick]),
    )


def choose(legal: int, keeps_hearts_back: bool, rng: random.Random) -> int:
    """A random legal card; some tables keep their hearts back, so that they are led unbroken."""
    cards = list(each(legal))
    if keeps_hearts_back:
        cards = [card for card in cards if card < CARDS["2H"]] or cards
    return rng.choice(cards)


def play_both(states: Records, referees: Sequence[HeartsReferee], rng: random.Random) -> int:
    """Play all deals to their end, comparing every position; how many positions there were."""
    legals = np.zeros(len(states), dtype=np.int64)
    keeps_hearts_back = [rng.random() < 0.25 for _ in referees]
    compared = 0
    while True:
        legal_all(states, legals)
        for said, deal in zip(said_by_engine(states, legals), referees, strict=True):
            assert said == said_by_referee(deal), (deal.options, deal.dealt, deal.history)
        compared += len(states)
        going = np.flatnonzero(states["phase"] != OVER)
        if not len(going):
            return compared
        choices = [choose(int(legals[n]), keeps_hearts_back[n], rng) for n in going]
        play_some(states, going, choices)
        for number, card in zip(going, choices, strict=True):
            referees[number].play(HEARTS.deck.names[card])


def play_some(states: Records, numbers: Records, choices: Sequence[int]) -> None:
    """Make a choice in the deals of these numbers, and in no other."""
    some = states[numbers]
    play_all(some, np.array(choices, dtype=np.int64))
    states[numbers] = some


def score_both(
    states: Records, matches: Records, options: Sequence[Options], points: Sequence[list[int]]
) -> None:
    """Enter all deals into their matches and compare payoffs, scores and winners."""
    before = matches["scores"].tolist()
    results = np.zeros((len(states), 4), dtype=np.int64)
    winners = np.zeros(len(states), dtype=np.int64)
    payoffs_all(states, results)
    score_all(matches, states)
    winners_all(matches, winners)
    for number, (chosen, taken) in enumerate(zip(options, points, strict=True)):
        rules = referee.checked_options(chosen)
        after = referee.match_after(taken, before[number], chosen)
        payoffs = [HEARTS.points(payoff) for payoff in results[number]]
        assert payoffs == referee.payoffs_of(taken, str(rules["moon"]))
        assert matches["scores"][number].tolist() == after
        won_by = referee.match_winners(after, int(str(rules["target"])))
        assert list(each(int(winners[number]))) == won_by


def compare(options: Sequence[Options], rng: random.Random) -> list[HeartsReferee]:
    """Play one deal with each set of options on both sides; the referees at the end."""
    matches = match_records(options, rng)
    states, referees = deal_both(options, matches, rng)
    play_both(states, referees, rng)
    score_both(states, matches, options, [deal.points() for deal in referees])
    return referees


# Random deals


def test_the_engine_numbers_cards_as_the_referee_does() -> None:
    assert list(HEARTS.deck.names) == referee.DECK


def test_engine_and_referee_agree_at_every_choice_of_1000_deals() -> None:
    compare([{}] * 1000, random.Random(1))


def test_engine_and_referee_agree_over_random_options() -> None:
    rng = random.Random(2)
    referees = compare([random_options(rng) for _ in range(1000)], rng)
    assert sum(leads_unbroken_heart(deal) for deal in referees) > 10
    assert sum(len(deal.plays()) < 52 for deal in referees) > 10
    assert {deal.direction for deal in referees} == set("LRAH")


def leads_unbroken_heart(deal: HeartsReferee) -> bool:
    """Whether the first point card of a deal was a heart that was led."""
    for trick in deal.tricks:
        points = [number for number, (_, card) in enumerate(trick) if referee.card_points(card)]
        if points:
            return points[0] == 0 and trick[0][1] != "QS"
    return False


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(8))
def test_engine_and_referee_agree_on_15000_deals(chunk: int) -> None:
    compare([{}] * 1875, random.Random(1000 + chunk))


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(4))
def test_engine_and_referee_agree_on_5000_deals_over_random_options(chunk: int) -> None:
    rng = random.Random(2000 + chunk)
    compare([random_options(rng) for _ in range(1250)], rng)


# Matches


@pytest.mark.parametrize("moon", MOONS)
def test_points_enter_the_match_alike_with_and_without_a_moon(moon: str) -> None:
    rng = random.Random(3)
    options = [{"moon": moon, "target": rng.randint(1, 150)} for _ in range(1000)]
    matches = match_records(options, rng)
    states = HEARTS.blank_states(len(options), HEARTS.variant())
    states["phase"] = OVER
    states["points"] = points = [random_points(rng) for _ in options]
    score_both(states, matches, options, points)


def random_points(rng: random.Random) -> list[int]:
    """The 26 points, every other time all with one seat."""
    points = [0, 0, 0, 0]
    shooter = rng.randrange(4) if rng.random() < 0.5 else None
    for card in referee.DECK:
        points[rng.randrange(4) if shooter is None else shooter] += referee.card_points(card)
    return points


def test_whole_matches_go_to_the_same_winners() -> None:
    rng = random.Random(4)
    options = [{**random_options(rng), "target": rng.randint(20, 100)} for _ in range(100)]
    matches = match_records(options, rng)
    matches["deals"] = 0
    matches["scores"] = 0
    going = np.arange(len(options))
    while len(going):
        chosen = [options[number] for number in going]
        some = matches[going]
        states, referees = deal_both(chosen, some, rng)
        play_both(states, referees, rng)
        score_both(states, some, chosen, [deal.points() for deal in referees])
        matches[going] = some
        targets = np.array([one["target"] for one in chosen], dtype=np.int64)
        going = going[some["scores"].max(axis=1) < targets]
    assert matches["deals"].max() > 8


def test_a_match_by_the_checked_face_ends_as_the_referee_says() -> None:
    rng = random.Random(5)
    options = {"target": 40, "moon": "auto"}
    match = Match.start("hearts", variant=options)
    scores = [0, 0, 0, 0]
    while not match.is_over:
        deal = match.deal(seed=5)
        names = [HEARTS.deck.text(card) for card in deal.order]
        judge = HeartsReferee(names, match.deals, options)
        while not deal.is_over:
            assert deal.seat == judge.seat
            assert set(deal.legal_texts) == judge.legal()
            card = rng.choice(deal.legal_texts)
            deal = deal.play(card)
            judge.play(card)
        assert list(deal.payoffs) == judge.payoffs()
        match = match.after(deal)
        scores = referee.match_after(judge.points(), scores, options)
        assert list(match.scores) == scores
        assert list(match.winners) == referee.match_winners(scores, 40)
    assert match.deals > 2


def test_a_finished_deal_scores_alike_from_any_match_score() -> None:
    rng = random.Random(6)
    for _ in range(60):
        options = random_options(rng)
        scores = [rng.randint(-60, 120) for _ in range(4)]
        text = f"deals={rng.randrange(20)} scores={'/'.join(map(str, scores))}"
        match = Match.from_text("hearts", text, variant=options)
        if match.is_over:
            continue
        deal = match.deal(seed=rng.randrange(1000))
        while not deal.is_over:
            deal = deal.play(rng.choice(deal.legal))
        points = [int(word) for word in dict(deal.public)["points"].split()]
        after = match.after(deal)
        assert list(after.scores) == referee.match_after(points, scores, options)
        assert list(after.winners) == referee.match_winners(
            after.scores, int(str(options["target"]))
        )


# Compiled and interpreted


def digests(seed: int, count: int) -> list[str]:
    """Digests of all records, and of the views of the seats to act, after every choice.

    Half of the deals have random options. The last digest is of payoffs and matches.
    """
    rng = random.Random(seed)
    options = [random_options(rng) if number % 2 else {} for number in range(count)]
    matches = match_records(options, rng)
    states, _ = deal_both(options, matches, rng)
    legals = np.zeros(count, dtype=np.int64)
    found = [digest_of(states)]
    while np.any(states["phase"] != OVER):
        legal_all(states, legals)
        going = np.flatnonzero(states["phase"] != OVER)
        play_some(states, going, [choose(int(legals[n]), n % 4 < 2, rng) for n in going])
        views = states.copy()
        hide_all(views, np.maximum(states["seat"], 0))
        found.append(digest_of(states, views, legals))
    results = np.zeros((count, 4), dtype=np.int64)
    payoffs_all(states, results)
    score_all(matches, states)
    return [*found, digest_of(results, matches)]


def digest_of(*arrays: Records) -> str:
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="there is nothing to compare with")
def test_the_interpreted_engine_writes_the_same_bytes_after_every_choice() -> None:
    program = "import test_hearts_against_the_referee as t; print(*t.digests(7, 200))"
    paths = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={
            **os.environ,
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    interpreted = run.stdout.split()
    assert len(interpreted) == 1 + 64 + 1
    assert interpreted == digests(7, 200)
