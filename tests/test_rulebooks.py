"""The rulebook players are yardsticks: they do not drift, and they are as strong as they were."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from golden_playthrough import assert_golden
from overtrick.arena.boards import play_chunk
from overtrick.arena.seating import seatings
from overtrick.arena.tournament import Contest, play_table
from overtrick.engine.deals import Deal
from overtrick.games import game_names, load_game
from overtrick.games.game import Game
from overtrick.jit import streams
from overtrick.players import make_player

BOOKS = [(name, book) for name in game_names() for book in load_game(name).rulebooks]


def played_by(deal: Deal, player: str) -> Deal:
    """A deal played to its end by one player in all seats, through the checked way in."""
    seated = make_player(player, deal.game)
    while not deal.is_over:
        assert deal.seat is not None
        chance = streams(1, len(deal.history), "golden", player)
        choice = seated.choose(deal.view(deal.seat).records, chance)[0]
        deal = deal.play(int(choice))
    return deal


def fingerprint(game: Game, player: str) -> str:
    """A digest of every choice in 400 boards against random players."""
    players = [make_player(player, game), make_player("random", game)]
    chunk = play_chunk(
        game, game.variant(), players, seatings(game, 2), seed=99, first=0, boards=400
    )
    histories = np.ascontiguousarray(chunk.ends["history"].astype("<i2"))
    return hashlib.sha256(histories.tobytes()).hexdigest()


@pytest.mark.parametrize(("name", "book"), BOOKS)
def test_a_frozen_player_chooses_as_it_always_did(name: str, book: str) -> None:
    game, player = load_game(name), f"rulebook:{book}"
    lines = [played_by(Deal.from_seed(game, seed), player).text() for seed in range(3)]
    lines.append(f"400 boards against random: {fingerprint(game, player)}")
    assert_golden(f"{name}/rulebook-{book}.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize("name", game_names())
def test_strong_beats_simple_beats_random(name: str) -> None:
    game = load_game(name)
    for better, worse in (("rulebook:strong", "rulebook:simple"), ("rulebook:simple", "random")):
        payoff = play_table(Contest.of(game, [better, worse], seed=21), 1000).results()[0].payoff
        assert payoff.mean > payoff.ci95


def test_the_coinche_expert_beats_the_players_of_the_paper() -> None:
    game = load_game("coinche")
    for other in ("rulebook:strong", "rulebook:simple"):
        contest = Contest.of(game, ["rulebook:expert", other], seed=22)
        payoff = play_table(contest, 1000).results()[0].payoff
        assert payoff.mean > payoff.ci95
