"""No peeking: nothing that a seat has not been shown has any way into its view.

Deals that look alike to a seat come from a list of all deals or, where they are too many, from
trying; never from `places` and `settle`, which are made to agree with `hide`. What a seat has
been shown is told once more by `Secrets`, apart from `hide`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from overtrick.engine.views import hide_all
from overtrick.engine.worlds import sample_worlds
from overtrick.games.game import HIDDEN, OVER, Game
from overtrick.jit import stream, streams
from overtrick.models import MODEL_PLAYERS
from overtrick.players import make_player, player_names
from overtrick.testing.positions import (
    SMALL_DECK,
    Positions,
    Records,
    differences,
    every_deal_that_fits,
    legals_of,
    orders_of,
    play_the_seen,
    random_orders,
    random_positions,
    random_seats,
    views_of,
)

__all__ = [
    "Alike",
    "Secrets",
    "alike_in",
    "test_a_hide_that_forgets_any_one_field_is_caught",
    "test_a_hide_that_leaves_a_single_card_is_caught",
    "test_a_player_chooses_alike_from_views_that_are_alike",
    "test_a_rulebook_chooses_the_same_on_the_whole_deal",
    "test_a_seat_tells_apart_what_it_has_been_shown",
    "test_a_view_has_the_legal_choices_of_the_whole_deal",
    "test_deals_that_differ_in_hidden_cards_only_look_alike",
    "test_garbage_in_hidden_places_does_not_show_in_a_view",
    "test_garbage_in_what_a_view_has_erased_changes_no_choice",
    "test_most_deals_that_look_alike_are_not_the_same",
    "test_the_make_up_of_a_batch_changes_no_choice",
]

Hide = Callable[[Records, Records], None]
"""Turns deals into the views of the seats of the same number, in place."""

ENOUGH = 5000  # deals that look alike at one point
POINTS = 12  # points of play at which deals are compared


class Alike(NamedTuple):
    """Deals that one seat cannot tell apart, and deals that it can although all chose alike."""

    seat: int
    deals: Records
    others: Records


def nothing_shown(game: Game, deals: Records) -> Records:
    """No card lies face up but by a choice."""
    return np.zeros((len(deals), 1), dtype=np.int64)


@dataclass(frozen=True)
class Secrets:
    """What a game keeps from its seats beyond the cards in hands, told apart from its `hide`."""

    phases: tuple[str, ...] = ()
    """Phases in which nobody sees what the others choose."""
    shown: Callable[[Game, Records], Records] = nothing_shown
    """The cards that lie face up though no choice put them there, a row for each deal."""


# ---------------------------------------------------------------------------- deals that look alike


def alike_in(game: Game, secrets: Secrets) -> list[Alike]:
    """Deals that look alike at some points of play, in positions of which there are several."""
    if len(game.deck) <= SMALL_DECK:
        return [alike_at(game, secrets, seed) for seed in range(POINTS)]
    tried = (alike_at(game, secrets, seed) for seed in range(20 * POINTS))
    several = (alike for alike in tried if len(alike.deals) > 2)
    found = [alike for _, alike in zip(range(POINTS), several, strict=False)]
    assert len(found) == POINTS, "too few deals that look alike were found by trying"
    return found


def alike_at(game: Game, secrets: Secrets, seed: int) -> Alike:
    """Deals like one at a random point: all that there are, or those among some thousand."""
    positions = random_positions(game, 1, seed)
    seat = int(random_seats(game, 1, seed)[0])
    seen = choices_seen(positions, seat, secrets)
    if len(game.deck) <= SMALL_DECK:
        deals = every_deal_that_fits(positions, seat, seen)
    else:
        order = orders_of(positions.states, len(game.deck))[0].tolist()
        orders = random_orders(game.layout(positions.matches[0]), order, seat, ENOUGH, seed)
        deals = play_the_seen(positions, orders, seen, streams(ENOUGH, seed, "hidden choices"))
    alike = np.all(secrets.shown(game, deals) == secrets.shown(game, positions.states), axis=1)
    some = np.random.default_rng(seed).permutation(deals[alike])[:ENOUGH]
    return Alike(seat, np.concatenate([positions.states, some]), deals[~alike])


def choices_seen(positions: Positions, seat: int, secrets: Secrets) -> list[int]:
    """Every choice so far, HIDDEN where this seat did not see it."""
    game, states = positions.game, positions.states
    events = states["history"][0][: states["turn"][0]].tolist()
    return [
        HIDDEN
        if game.phases[event >> 9] in secrets.phases and event >> 6 & 7 != seat
        else event & HIDDEN
        for event in events
    ]


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


def test_deals_that_differ_in_hidden_cards_only_look_alike(alikes: list[Alike]) -> None:
    for alike in alikes:
        assert gives_away(hide_all, alike) == set()


def test_most_deals_that_look_alike_are_not_the_same(alikes: list[Alike]) -> None:
    assert sum(len({*map(bytes, alike.deals)}) > 1 for alike in alikes) > len(alikes) / 2


def test_a_seat_tells_apart_what_it_has_been_shown(alikes: list[Alike]) -> None:
    for alike in alikes:
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


def erased_fields(alikes: list[Alike]) -> set[str]:
    """The fields out of which `hide` takes something."""
    erased = set()
    for alike in alikes:
        views = hidden(hide_all, alike.deals, alike.seat)
        names = set(views.dtype.names or ()) - {"viewer", "known"}  # to these it adds
        erased |= {name for name in names if np.any(views[name] != alike.deals[name])}
    return erased


def is_caught(hide: Hide, alikes: list[Alike], field: str) -> bool:
    """Whether a hide gives this field away in one of a few positions."""
    return any(field in gives_away(hide, alike) for alike in alikes)


def test_a_hide_that_forgets_any_one_field_is_caught(alikes: list[Alike]) -> None:
    fields = erased_fields(alikes)
    assert "hands" in fields
    for field in fields:
        assert is_caught(hide_all_but(field), alikes, field), field


def test_a_hide_that_leaves_a_single_card_is_caught(alikes: list[Alike]) -> None:
    assert is_caught(hide_all_but_one_card, alikes, "hands")


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


def everybody(game: Game) -> list[str]:
    """Every player that can sit down without further settings."""
    return [FEW.get(player.partition(":")[0], player) for player in player_names(game)]


def levels(game: Game) -> list[str]:
    """Those that run inside kernels."""
    thinking = {*FEW, *MODEL_PLAYERS}
    return [name for name in everybody(game) if name.partition(":")[0] not in thinking]


def check_that_like_views_give_like_choices(game: Game, player: str) -> None:
    """Views hidden from two deals that look alike, chosen from with the same chance."""
    views, again = views_to_choose_from(game, seed=1)
    seated = make_player(player, game)
    choices = seated.choose(views.copy(), streams(len(views), 1, "player"))
    assert np.all(legals_of(views) >> choices & 1)
    assert np.array_equal(choices, seated.choose(again, streams(len(views), 1, "player")))


def check_that_erased_hands_do_not_count(game: Game, player: str) -> None:
    """Views with all that is unseen written into every erased hand."""
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


def check_that_the_whole_deal_tells_no_more(game: Game, player: str) -> None:
    """In playouts rulebooks run on worlds, which are whole deals."""
    seated = make_player(player, game)
    for seed in range(5):
        states = random_positions(game, 200, seed).states
        states = states[states["phase"] != OVER]
        views = views_of(states, states["seat"])
        chance = streams(len(views), seed, "player")
        choices = seated.choose(views, chance.copy())
        assert np.array_equal(choices, seated.choose(states, chance))


def check_that_the_batch_changes_nothing(game: Game, player: str) -> None:
    """The same views forwards, backwards and one by one."""
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


def test_a_player_chooses_alike_from_views_that_are_alike(game: Game) -> None:
    for player in everybody(game):
        check_that_like_views_give_like_choices(game, player)


def test_garbage_in_what_a_view_has_erased_changes_no_choice(game: Game) -> None:
    for player in levels(game):
        check_that_erased_hands_do_not_count(game, player)


def test_a_rulebook_chooses_the_same_on_the_whole_deal(game: Game) -> None:
    for player in levels(game):
        check_that_the_whole_deal_tells_no_more(game, player)


def test_the_make_up_of_a_batch_changes_no_choice(game: Game) -> None:
    for player in everybody(game):
        check_that_the_batch_changes_nothing(game, player)
