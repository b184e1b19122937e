"""The shipped champion of Hokm chooses trump by its cards, and beats the strong rulebook."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from overtrick.arena.tournament import Contest, play_table
from overtrick.engine.batches import Batch
from overtrick.games import load_game
from overtrick.jit import streams
from overtrick.players import make_player

GAME = load_game("hokm")
CHAMPION = "ppo:hokm/champion"
DEALS = 4096
DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_four_of_the_first_five_cards_make_their_suit_trump() -> None:
    views = Batch(GAME, DEALS, seed=8).views()
    hands = views["hands"][np.arange(DEALS), views["seat"]]
    chosen = make_player(CHAMPION, GAME).choose(views, streams(DEALS, 1, "trump"))
    names = np.array([GAME.choice_names[0][choice] for choice in chosen])
    for suit in range(4):
        held = np.array([(int(hand) >> 13 * suit & 0x1FFF).bit_count() for hand in hands])
        assert (held >= 4).sum() > 20
        assert (names[held >= 4] == GAME.deck.names[13 * suit][1]).mean() > 0.95


def test_it_wins_more_deals_than_the_strong_rulebook() -> None:
    contest = Contest.of(GAME, [CHAMPION, "rulebook:strong"], seed=5)
    wins = play_table(contest, 600).results()[0].wins
    assert wins.mean - wins.ci95 > 0.5


def test_what_its_trump_is_worth_is_what_boards_come_to() -> None:
    """Only deals in which trumps differ are played by the script; in the others both win alike."""
    script = runpy.run_path(str(DOCS / "trump.py"))
    told = script["trump_worth"]("hokm", CHAMPION, "rulebook:simple", 400, seed=3)
    rival = f"{CHAMPION},phases=trump,by=rulebook:simple"
    margin = play_table(Contest.of(GAME, [CHAMPION, rival], seed=3), 400).results()[0].payoff
    assert told.mean == pytest.approx(margin.mean, abs=1e-12)
    assert told.ci95 == pytest.approx(margin.ci95)
    assert told.ci95 > 0
