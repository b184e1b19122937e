"""No peeking: nothing that a seat has not been shown has any way into its view.

Deals that look alike to a seat come from the slow referee, or, in games small enough, from a
list of all deals; never from `places` and `settle`, which are made to agree with `hide`. What a
seat has been shown is told here once more, apart from `hide`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from conftest import (
    Positions,
    Records,
    all_games,
    differences,
    every_deal_that_fits,
    legals_of,
    mostly_long,
    random_positions,
    random_seats,
    small_games,
    views_of,
)
from models.believers import saved_believer
from overtrick.engine.views import hide_all
from overtrick.engine.worlds import sample_worlds
from overtrick.games import load_game
from overtrick.games.game import HIDDEN, OVER, Game
from overtrick.jit import stream, streams
from overtrick.models import MODEL_PLAYERS
from overtrick.players import make_player, player_names
from referee_games import REFEREES, advanced, in_engine, random_referee

Hide = Callable[[Records, Records], None]
"""Turns deals into the views of the seats of the same number, in place."""

ENOUGH = 5000  # deals that look alike at one point


class Alike(NamedTuple):
    """Deals that one seat cannot tell apart, and deals that it can although all chose alike."""

    seat: int
    deals: Records
    others: Records


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


def alike_in_a_small_game(name: str, seed: int) -> Alike:
    """Deals of a game that can be listed, the first at a random point and the rest like it."""
    game, rng = load_game(name), np.random.default_rng(seed)
    positions = random_positions(game, 1, seed)
    seat = int(random_seats(game, 1, seed)[0])
    deals = every_deal_that_fits(positions, seat, choices_seen(positions, seat))
    alike = np.all(shown(game, deals) == shown(game, positions.states), axis=1)
    others = deals[~alike]
    deals = rng.permutation(deals[alike])[:ENOUGH]
    return Alike(seat, np.concatenate([positions.states, deals]), others)


@cache
def alike_in(name: str) -> list[Alike]:
    """Deals that look alike, at some points of any game."""
    if name in REFEREES:
        return [*alike_by_the_referee(name, 150, seed=1)]
    return [alike_in_a_small_game(name, seed) for seed in range(12)]


SECRET = {"thirds": "discard"}  # the phase in which nobody sees what the others choose


def choices_seen(positions: Positions, seat: int) -> list[int]:
    """Every choice so far, HIDDEN where this seat did not see it."""
    game, states = positions.game, positions.states
    events = states["history"][0][: states["turn"][0]].tolist()
    return [
        HIDDEN
        if game.phases[event >> 9] == SECRET.get(game.name) and event >> 6 & 7 != seat
        else event & HIDDEN
        for event in events
    ]


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


def test_every_game_has_a_source_of_deals_that_look_alike() -> None:
    assert set(all_games()) <= {*REFEREES, *small_games()}, (
        "a game too large to list its deals needs a referee that makes deals with the same view"
    )


# ---------------------------------------------------------------------------- what views give away


def gives_away(hide: Hide, alike: Alike) -> set[str]:
    """The fields in which deals look different after a hide, though the seat knows no difference.

    A difference in bytes that belong to no field is called padding.
    """
    views = hidden(hide, alike.deals, alike.seat)
    names = views.dtype.names or ()
    unlike = {name for name in names if np.any(views[name] != views[name][:1])}
    if not unlike and views.tobytes() != views[:1].tobytes() * len(views):
        unlike = {"padding"}
    return unlike


def hidden(hide: Hide, deals: Records, seat: int) -> Records:
    """The deals as a hide leaves them: new records."""
    views = deals.copy()
    hide(views, np.full(len(views), seat))
    return views


def test_deals_that_differ_in_hidden_cards_only_look_alike(game: Game) -> None:
    for alike in alike_in(game.name):
        assert gives_away(hide_all, alike) == set()


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(REFEREES))
def test_three_thousand_pairs_of_deals_look_alike(name: str) -> None:
    for alike in alike_by_the_referee(name, 3000, seed=2):
        assert gives_away(hide_all, alike) == set()


def test_most_deals_that_look_alike_are_not_the_same(game: Game) -> None:
    sets = alike_in(game.name)
    assert sum(len({*map(bytes, alike.deals)}) > 1 for alike in sets) > len(sets) / 2


def test_a_seat_tells_apart_what_it_has_been_shown(small_game: Game) -> None:
    for alike in alike_in(small_game.name):
        view = hidden(hide_all, alike.deals[:1], alike.seat)
        others = hidden(hide_all, alike.others, alike.seat)
        assert all(differences(view, others[number : number + 1]) for number in range(len(others)))


# ---------------------------------------------------------------------------- planted peekers


def hide_all_but(field: str) -> Hide:
    """A hide that forgets one field."""

    def hide(states: Records, seats: Records) -> None:
        kept = states[field].copy()
        hide_all(states, seats)
        states[field] = kept

    return hide


def hide_all_but_one_card(states: Records, seats: Records) -> None:
    """A hide that leaves the lowest card of the next seat in its hand."""
    rows = np.arange(len(states))
    following = (seats + 1) % states["hands"].shape[1]
    hands = states["hands"][rows, following]
    hide_all(states, seats)
    states["hands"][rows, following] |= hands & -hands


def erased_fields(game: Game) -> set[str]:
    """The fields out of which `hide` takes something."""
    erased = set()
    for alike in alike_in(game.name):
        views = hidden(hide_all, alike.deals, alike.seat)
        names = set(views.dtype.names or ()) - {"viewer", "known"}  # to these it adds
        erased |= {name for name in names if np.any(views[name] != alike.deals[name])}
    return erased


def is_caught(hide: Hide, game: Game, field: str) -> bool:
    """Whether a hide gives this field away in one of a few positions."""
    return any(field in gives_away(hide, alike) for alike in alike_in(game.name))


def test_a_hide_that_forgets_any_one_field_is_caught(game: Game) -> None:
    fields = erased_fields(game)
    assert "hands" in fields
    for field in fields:
        assert is_caught(hide_all_but(field), game, field), field


def test_a_hide_that_leaves_a_single_card_is_caught(game: Game) -> None:
    assert is_caught(hide_all_but_one_card, game, "hands")


def test_what_is_erased_in_each_game_is_what_its_rules_keep_secret() -> None:
    erased = {name: erased_fields(load_game(name)) for name in ("hearts", "thirds", "leduc")}
    assert erased == {
        "hearts": {"hands", "passed", "history"},
        "thirds": {"hands", "laid", "talon", "history"},
        "leduc": {"hands", "board", "talon"},
    }


# ---------------------------------------------------------------------------- garbage underneath


def garbled(states: Records, views: Records, seed: int) -> Records:
    """The deals with any cards and choices in all places that the views leave blank.

    A place that a view shows in part keeps what is shown; what is put beside it is some of the
    cards that the viewer cannot place.
    """
    chance = np.random.default_rng(seed)
    garbage = states.copy()
    card_fields = [name for name in states.dtype.names or () if name not in ("viewer", "history")]
    blank = {
        name: (views[name] & ~states[name] == 0) & (views[name] != states[name])
        for name in card_fields
    }
    unseen = np.zeros(len(states), dtype=np.int64)
    for name in card_fields:
        cards = np.where(blank[name], states[name] & ~views[name], 0).reshape(len(states), -1)
        unseen |= np.bitwise_or.reduce(cards, axis=1)
    for name in card_fields:
        some = chance.integers(0, 1 << 62, views[name].shape)
        some &= unseen.reshape((-1,) + (1,) * (some.ndim - 1))
        garbage[name] = np.where(blank[name], views[name] | some, states[name])
    secret = views["history"] != states["history"]
    choices = chance.integers(0, HIDDEN, secret.shape, dtype=np.int16)
    garbage["history"] = np.where(secret, states["history"] & ~HIDDEN | choices, states["history"])
    return garbage


def test_garbage_in_hidden_places_does_not_show_in_a_view(game: Game) -> None:
    changed = 0
    for seed in range(10):
        states = random_positions(game, 100, seed).states
        seats = random_seats(game, 100, seed)
        views = views_of(states, seats)
        garbage = garbled(states, views, seed)
        changed += bool(differences(states, garbage))
        assert not differences(views_of(garbage, seats), views)
    assert changed == 10


# ---------------------------------------------------------------------------- choosing from a view


def test_a_view_has_the_legal_choices_of_the_whole_deal(game: Game) -> None:
    for seed in range(10):
        states = random_positions(game, 100, seed).states
        states = states[states["phase"] != OVER]
        views = views_of(states, states["seat"])
        assert np.array_equal(legals_of(views), legals_of(states))


def views_to_choose_from(game: Game, seed: int) -> tuple[Records, Records]:
    """Views of seats to act, each hidden from two deals that look alike."""
    states = random_positions(game, 40, seed).states
    states = states[states["phase"] != OVER]
    views = views_of(states, states["seat"])
    worlds = [
        sample_worlds(views[number : number + 1], 1, stream(seed, number))
        for number in range(len(views))
    ]
    return views, views_of(np.concatenate(worlds), states["seat"])


FEW = {
    "pimc": "pimc:worlds=3",
    "puct": "puct:sims=6,worlds=2,belief=none",
    "ismcts": "ismcts:sims=12",
}
"""Searching players with budgets that suffice to see whether they peek."""

EVERYBODY = [
    (name, FEW.get(player.partition(":")[0], player))
    for name in all_games()
    for player in player_names(load_game(name))
]
"""Every player that can sit down without further settings, with its game."""

LEVELS = [
    (name, player)
    for name, player in EVERYBODY
    if player.partition(":")[0] not in {*FEW, *MODEL_PLAYERS}
]
"""Those that run inside kernels."""


@pytest.mark.parametrize(("name", "player"), EVERYBODY)
def test_a_player_chooses_alike_from_views_that_are_alike(name: str, player: str) -> None:
    game = load_game(name)
    views, again = views_to_choose_from(game, seed=1)
    seated = make_player(player, game)
    choices = seated.choose(views.copy(), streams(len(views), 1, "player"))
    assert np.all(legals_of(views) >> choices & 1)
    assert np.array_equal(choices, seated.choose(again, streams(len(views), 1, "player")))


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
    game = load_game(name)
    views, _ = views_to_choose_from(game, seed=3)
    spoilt = views.copy()
    for view in spoilt:
        unseen = game.deck.all & ~int(np.bitwise_or.reduce(view["hands"] | view["played"]))
        for seat in range(game.seats):
            if seat != view["seat"]:
                view["hands"][seat] |= unseen  # an erased hand holds nothing that counts
    seated = make_player(player, game)
    choices = seated.choose(views, streams(len(views), 3, "player"))
    assert np.array_equal(choices, seated.choose(spoilt, streams(len(views), 3, "player")))


@pytest.mark.parametrize(("name", "player"), LEVELS)
def test_a_rulebook_chooses_the_same_on_the_whole_deal(name: str, player: str) -> None:
    """In playouts rulebooks run on worlds, which are whole deals."""
    game = load_game(name)
    seated = make_player(player, game)
    for seed in range(5):
        states = random_positions(game, 200, seed).states
        states = states[states["phase"] != OVER]
        views = views_of(states, states["seat"])
        chance = streams(len(views), seed, "player")
        choices = seated.choose(views, chance.copy())
        assert np.array_equal(choices, seated.choose(states, chance))


@pytest.mark.parametrize(("name", "player"), EVERYBODY)
def test_the_make_up_of_a_batch_changes_no_choice(name: str, player: str) -> None:
    game = load_game(name)
    views, _ = views_to_choose_from(game, seed=2)
    seated = make_player(player, game)
    chance = streams(len(views), 2, "player")
    choices = seated.choose(views.copy(), chance.copy())
    backwards = seated.choose(views[::-1].copy(), chance[::-1].copy())
    alone = [
        int(seated.choose(views[n : n + 1].copy(), chance[n : n + 1].copy())[0])
        for n in range(len(views))
    ]
    assert choices.tolist() == backwards[::-1].tolist() == alone
