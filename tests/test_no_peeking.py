"""No peeking: nothing that a seat has not been shown has any way into its view.

Deals that look alike to a seat come from the slow referee, or, in games small enough, from a
list of all deals; never from `places` and `settle`, which are made to agree with `hide`. What a
seat has been shown is told here once more, apart from `hide`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from conftest import Records, all_games, mostly_long, small_games
from models.believers import saved_believer
from overtrick.engine.views import hide_all
from overtrick.games import load_game
from overtrick.games.game import HIDDEN, OVER, Game
from overtrick.testing.peeking import *  # noqa: F403  the suite that all games share
from overtrick.testing.peeking import (
    Alike,
    Secrets,
    alike_in,
    check_that_erased_hands_do_not_count,
    check_that_like_views_give_like_choices,
    check_that_the_batch_changes_nothing,
    check_that_the_whole_deal_tells_no_more,
    erased_fields,
    everybody,
    gives_away,
    levels,
)
from referee_games import REFEREES, advanced, in_engine, random_referee

# ---------------------------------------------------------------------------- deals that look alike


def alike_by_the_referee(name: str, count: int, seed: int) -> Iterator[Alike]:
    """Pairs of deals by a game's referee, of any variant, at any point, to any seat."""
    rng, game = random.Random(seed), load_game(name)
    for _ in range(count):
        deal = random_referee(name, rng, options=True)
        advanced(name, deal, rng.randrange(game.longest + 1), rng)
        seat = rng.randrange(game.seats)
        other = REFEREES[name].module.another_deal_with_the_same_view(deal, seat, rng)
        pair = np.concatenate([in_engine(name, deal).records, in_engine(name, other).records])
        yield Alike(seat, pair, pair[:0])


@cache
def alike_in_game(name: str) -> list[Alike]:
    """Deals that look alike, at some points of any game."""
    if name in REFEREES:
        return [*alike_by_the_referee(name, 150, seed=1)]
    return alike_in(load_game(name), SECRETS.get(name, Secrets()))


@pytest.fixture
def alikes(game: Game) -> list[Alike]:
    """Deals that look alike, for the suite that all games share."""
    return alike_in_game(game.name)


def shown(game: Game, deals: Records) -> Records:
    """The cards that lie face up though no choice put them there, a row for each deal."""
    cards = np.zeros((len(deals), game.seats + 1), dtype=np.int64)
    if game.name not in ("kuhn", "leduc"):
        return cards
    for number, deal in enumerate(deals):
        choices = [game.choice_text(0, event & HIDDEN) for event in deal["history"][: deal["turn"]]]
        folded = choices[-1:] == ["fold"] or choices[-2:] == ["bet", "pass"]
        if deal["phase"] == OVER and not folded:
            cards[number, :-1] = deal["hands"]
        if game.name == "leduc" and "call" in choices[1:]:  # it ended the first round
            cards[number, -1] = deal["board"]
    return cards


SECRETS = {
    "kuhn": Secrets(shown=shown),
    "leduc": Secrets(shown=shown),
    "thirds": Secrets(phases=("discard",)),
}


def test_every_game_has_a_source_of_deals_that_look_alike() -> None:
    assert set(all_games()) <= {*REFEREES, *small_games()}, (
        "a game too large to list its deals needs a referee that makes deals with the same view"
    )


def test_in_a_large_game_deals_that_look_alike_are_found_by_trying() -> None:
    trump = Secrets(shown=lambda game, deals: deals["trumps"][:, None])  # it may be automatic
    found = alike_in(load_game("hokm"), trump)
    assert all(len({*map(bytes, alike.deals)}) > 1 for alike in found)
    assert {field for alike in found for field in gives_away(hide_all, alike)} == set()
    assert "hands" in erased_fields(found)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(REFEREES))
def test_three_thousand_pairs_of_deals_look_alike(name: str) -> None:
    for alike in alike_by_the_referee(name, 3000, seed=2):
        assert gives_away(hide_all, alike) == set()


def test_what_is_erased_in_each_game_is_what_its_rules_keep_secret() -> None:
    erased = {name: erased_fields(alike_in_game(name)) for name in ("hearts", "thirds", "leduc")}
    assert erased == {
        "hearts": {"hands", "passed", "history"},
        "thirds": {"hands", "laid", "talon", "history"},
        "leduc": {"hands", "board", "talon"},
    }


# ---------------------------------------------------------------------------- players

EVERYBODY = [(name, player) for name in all_games() for player in everybody(load_game(name))]
"""Every player that can sit down without further settings, with its game."""

LEVELS = [(name, player) for name in all_games() for player in levels(load_game(name))]
"""Those that run inside kernels."""


@pytest.mark.parametrize(("name", "player"), EVERYBODY)
def test_a_player_chooses_alike_from_views_that_are_alike(name: str, player: str) -> None:
    check_that_like_views_give_like_choices(load_game(name), player)


@pytest.mark.parametrize("name", mostly_long(["whist3x3", "hearts", "sheephead"], "whist3x3"))
@pytest.mark.parametrize("how", ["", ",belief=even,lookahead=enumerated", ",belief=none"])
def test_a_player_that_believes_chooses_alike_from_views_that_are_alike(
    name: str, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path))
    saved_believer(name)
    few = "" if "none" in how else ",worlds=2,candidates=3"
    test_a_player_chooses_alike_from_views_that_are_alike(name, f"belief:{name}/tiny{few}{how}")


@pytest.mark.parametrize(("name", "player"), LEVELS)
def test_garbage_in_what_a_view_has_erased_changes_no_choice(name: str, player: str) -> None:
    check_that_erased_hands_do_not_count(load_game(name), player)


@pytest.mark.parametrize(("name", "player"), LEVELS)
def test_a_rulebook_chooses_the_same_on_the_whole_deal(name: str, player: str) -> None:
    check_that_the_whole_deal_tells_no_more(load_game(name), player)


@pytest.mark.parametrize(("name", "player"), EVERYBODY)
def test_the_make_up_of_a_batch_changes_no_choice(name: str, player: str) -> None:
    check_that_the_batch_changes_nothing(load_game(name), player)
