"""A view is read back from what one seat saw, and from nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from overtrick.engine.deals import Match, Sight, View
from overtrick.errors import OvertrickError
from overtrick.games.game import Game
from overtrick.testing.positions import (
    Positions,
    Records,
    differences,
    every_deal_that_fits,
    random_positions,
    random_seats,
    views_of,
)

__all__ = [
    "every_view",
    "test_a_view_by_its_sight_is_the_same",
    "test_a_view_read_back_is_the_same_to_the_last_byte",
    "test_exactly_what_no_deal_explains_is_refused",
    "test_what_is_changed_is_refused_in_one_line_or_is_another_view",
    "test_worlds_of_a_view_read_back_look_the_same_from_the_seat",
]

VARIANTS, POSITIONS = 6, 40
FEW_CARDS = 15  # every deal of such a deck is listed for each of many views


def every_view(game: Game, count: int, variants: int) -> Iterator[tuple[Positions, int, View]]:
    """Views of random positions under random house rules, with where they come from."""
    for seed in range(variants):
        usual = game.variant() if seed % 3 == 0 else None
        positions = random_positions(game, count, seed, usual)
        views = views_of(positions.states, random_seats(game, count, seed))
        for number in range(count):
            match = Match(game, positions.variant, positions.matches[number : number + 1].copy())
            yield positions, number, View(match, views[number : number + 1].copy())


# ---------------------------------------------------------------------------- there and back


def test_a_view_read_back_is_the_same_to_the_last_byte(game: Game) -> None:
    for _, _, view in every_view(game, POSITIONS, VARIANTS):
        again = View.from_text(view.text())
        assert again == view, (view.text(), differences(view.records, again.records))
        assert again.text() == view.text()


def test_a_view_by_its_sight_is_the_same(game: Game) -> None:
    for _, _, view in every_view(game, 10, 2):
        assert View.from_sight(view.match, view.sight) == view


def test_worlds_of_a_view_read_back_look_the_same_from_the_seat(game: Game) -> None:
    for _, _, view in every_view(game, 6, 3):
        for world in View.from_text(view.text()).worlds(2, seed=1):
            assert world.view(view.viewer).text() == view.text()


# ---------------------------------------------------------------------------- what cannot be


def changed(view: View, rng: random.Random) -> Sight:
    """What was seen, with one word changed for another one."""
    saw = view.sight
    words = [*view.game.deck.names, *(name for row in view.game.choice_names for name in row), "?"]
    cards = {place: [*told] for place, told in saw.cards.items()}
    choices, seen = [*saw.choices], dict(saw.seen)
    kind = rng.choice(["card", "choice", "choice", "choice", "seen", "less", "more"])
    if kind == "card" and any(cards.values()):
        place = rng.choice([place for place, told in cards.items() if told])
        cards[place][rng.randrange(len(cards[place]))] = rng.choice(words)
    elif kind == "choice" and choices:
        choices[rng.randrange(len(choices))] = rng.choice(words)
    elif kind == "seen" and seen:
        seen[rng.choice([*seen])] = rng.choice(["0", "1", "2", "3", rng.choice(words)])
    elif kind == "less" and choices:
        del choices[rng.randrange(len(choices))]
    else:
        choices.insert(rng.randint(0, len(choices)), rng.choice(words))
    return Sight(saw.seat, cards, choices, seen)


def test_what_is_changed_is_refused_in_one_line_or_is_another_view(game: Game) -> None:
    rng = random.Random(5)
    refused = 0
    for _, _, view in every_view(game, 30, 4):
        try:
            other = View.from_sight(view.match, changed(view, rng))
        except OvertrickError as error:
            refused += 1
            assert "\n" not in str(error)
        else:
            assert View.from_text(other.text()) == other
            assert other.count_worlds() > 0
    assert refused


def test_exactly_what_no_deal_explains_is_refused(small_game: Game) -> None:
    """Every deal in which the choices can be made is listed; no rule of hiding is asked."""
    rng = random.Random(3)
    if len(small_game.deck) > FEW_CARDS:
        pytest.skip("too many deals")
    for positions, number, view in every_view(small_game, 6, 3):
        saw = view.sight
        choices = [*saw.choices]
        if not choices or saw.seen:
            continue
        at = rng.randrange(len(choices))
        phase = view.history[at].phase
        choices[at] = rng.choice(small_game.choice_names[phase])
        one = Positions(
            small_game,
            positions.variant,
            positions.matches[number : number + 1],
            positions.states[number : number + 1],
        )
        told = [_number(view, turn, word) for turn, word in enumerate(choices)]
        deals = every_deal_that_fits(one, saw.seat, told)
        looks = {record.tobytes() for record in _seen_by(deals, saw.seat)}
        try:
            found = View.from_sight(view.match, Sight(saw.seat, saw.cards, choices, saw.seen))
        except OvertrickError:
            assert not any(_tells(small_game, view.match, look, choices, saw) for look in looks)
        else:
            assert found.records.tobytes() in looks


def _number(view: View, turn: int, word: str) -> int:
    if word == "?":
        return 63
    return view.game.choice_names[view.history[turn].phase].index(word)


def _seen_by(deals: Records, seat: int) -> Records:
    return views_of(deals, [seat] * len(deals))


def _tells(game: Game, match: Match, look: bytes, choices: list[str], saw: Sight) -> bool:
    """Whether a seat with this view would tell just that."""
    told = View(match, np.frombuffer(look, dtype=game.state).copy()).sight
    return (list(told.choices), dict(told.cards), dict(told.seen)) == (
        choices,
        dict(saw.cards),
        dict(saw.seen),
    )
