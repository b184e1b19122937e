"""The measured strengths of the lobby's dial: players that can sit down, from weak to strong."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

import overtrick
from overtrick.games import game_names, load_game
from overtrick.players import make_player

STRENGTHS = json.loads(
    (Path(overtrick.__file__).parent / "players/strengths.json").read_text(encoding="utf-8")
)


def test_every_game_has_been_measured():
    assert set(STRENGTHS) == set(game_names())


@pytest.mark.parametrize("game", STRENGTHS)
def test_every_name_makes_that_player(game):
    for player in STRENGTHS[game]["players"]:
        assert make_player(player["name"], load_game(game)).name == player["name"]
        assert player["name"] in STRENGTHS[game]["command"]


@pytest.mark.parametrize("game", STRENGTHS)
def test_players_go_from_weak_to_strong_and_the_weakest_is_zero(game):
    elos = [player["elo"] for player in STRENGTHS[game]["players"]]
    assert elos[0] == 0
    assert elos == sorted(elos)
    assert all(player["error"] > 0 for player in STRENGTHS[game]["players"])


@pytest.mark.parametrize("game", STRENGTHS)
def test_the_dial_has_five_steps_or_more_each_stronger_than_the_last(game):
    steps = [player["elo"] for player in STRENGTHS[game]["players"] if player["on_dial"]]
    assert len(steps) >= 5
    assert all(one < other for one, other in pairwise(steps))
