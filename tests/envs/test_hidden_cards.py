"""No environment shows a seat more than it knows.

Deals that differ only in what a seat has not seen come from the referees and from lists of all
deals, as in `test_no_peeking`; here they go through every environment's own way of showing them.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from conftest import all_games, mostly_long
from overtrick.envs import openspiel
from overtrick.envs.looking import Looking
from overtrick.envs.rendering import picture_of, text_of
from overtrick.games import load_game
from overtrick.games.game import Game
from referee_games import REFEREES, advanced, in_engine, random_referee
from test_no_peeking import alike_in_game

GAMES = mostly_long(all_games(), "hearts", "kuhn", "leduc")


@pytest.mark.parametrize("name", GAMES)
def test_observations_are_equal_byte_for_byte_if_only_hidden_cards_differ(name: str) -> None:
    game = load_game(name)
    for encoding in game.encodings:
        looking = Looking(game, str(encoding))
        for seat, deals, _ in alike_in_game(name):
            seen = looking.observe(deals, np.full(len(deals), seat))
            assert seen.tobytes() == seen[:1].tobytes() * len(deals)


def pairs(game: Game, count: int, seed: int) -> list[tuple[int, object, object]]:
    """Deals of the usual rules that one seat cannot tell apart, by the game's referee."""
    rng, found = random.Random(seed), []
    for _ in range(count):
        deal = random_referee(game.name, rng, options=False)
        advanced(game.name, deal, rng.randrange(game.longest + 1), rng)
        seat = rng.randrange(game.seats)
        module = REFEREES[game.name].module
        other = module.another_deal_with_the_same_view(deal, seat, rng)
        found.append((seat, in_engine(game.name, deal), in_engine(game.name, other)))
    return found


@pytest.mark.parametrize("name", mostly_long(REFEREES, "hearts"))
def test_what_openspiel_and_people_are_shown_is_the_same_if_only_hidden_cards_differ(
    name: str,
) -> None:
    game, differ = load_game(name), 0
    for seat, deal, other in pairs(game, 12, seed=2):
        spiel = openspiel.load(game, match=deal.match)
        states = [openspiel.state_of(spiel, one) for one in (deal, other)]
        differ += str(states[0]) != str(states[1])
        shown = [
            (
                state.information_state_string(seat),
                state.information_state_tensor(seat),
                state.observation_string(seat),
                state.observation_tensor(seat),
            )
            for state in states
        ]
        assert shown[0] == shown[1]
        views = [deal.view(seat), other.view(seat)]
        assert text_of(views[0]) == text_of(views[1])
        assert picture_of(views[0]).tobytes() == picture_of(views[1]).tobytes()
    assert differ > 3


@pytest.mark.parametrize("name", mostly_long(all_games(), "hearts", "kuhn"))
def test_states_that_a_player_can_tell_apart_have_other_infostates(name: str) -> None:
    game, rng, known = openspiel.load(name), random.Random(1), {}
    for _ in range(8):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
                continue
            player = state.current_player()
            told = state.information_state_string(player)
            tensor = np.array(state.information_state_tensor(player), dtype=np.uint8).tobytes()
            view = state.view(player)
            assert known.setdefault(told, view) == view
            assert known.setdefault((player, tensor), view) == view
            state.apply_action(rng.choice(state.legal_actions()))
    assert len(known) > 8
