"""Properties over choices, variants and notation, for every game, hunted by hypothesis."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from overtrick.engine.deals import Deal, Match
from overtrick.errors import OvertrickError
from overtrick.games import game_names, load_game
from overtrick.games.game import Game
from overtrick.games.variant import Variant

GAMES = [load_game(name) for name in game_names(hidden=True)]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@st.composite
def variants(draw: st.DrawFn, game: Game) -> Variant:
    """Any variant of a game."""
    chosen: dict[str, Any] = {}
    for name, (default, option) in game.variant.options().items():
        if option.values is not None:
            chosen[name] = draw(st.sampled_from(option.values))
        elif isinstance(default, int):
            chosen[name] = draw(st.integers(option.at_least, option.at_most))
    if game.name == "hearts":
        chosen["pass_cycle"] = draw(st.text("LRAH", min_size=1, max_size=16))
    return game.variant.from_values(chosen)


@st.composite
def deals(draw: st.DrawFn, game: Game) -> Deal:
    """A deal of any variant at any point."""
    deal = Deal.from_seed(game, draw(st.integers(0, 1000)), variant=draw(variants(game)))
    for _ in range(draw(st.integers(0, game.longest))):
        if deal.is_over:
            break
        deal = deal.play(draw(st.sampled_from(deal.legal)))
    return deal


def is_one_line(error: OvertrickError) -> bool:
    return str(error) != "" and "\n" not in str(error)


@every_game
@given(data=st.data())
def test_a_position_read_back_is_the_same_deal(game: Game, data: st.DataObject) -> None:
    deal = data.draw(deals(game))
    again = Deal.from_text(deal.text())
    assert again == deal
    assert hash(again) == hash(deal)
    assert again.text() == deal.text()


@every_game
@given(data=st.data())
def test_a_choice_that_is_not_legal_is_refused_and_changes_nothing(
    game: Game, data: st.DataObject
) -> None:
    deal = data.draw(deals(game))
    choice = data.draw(st.integers(-3, 70))
    assume(choice not in deal.legal)
    before = deal.text()
    with pytest.raises(OvertrickError) as refused:
        deal.play(choice)
    assert is_one_line(refused.value)
    assert before in str(refused.value)
    assert deal.text() == before
    assert all(text in str(refused.value) for text in deal.legal_texts)


@every_game
@given(data=st.data())
def test_any_text_is_a_legal_choice_or_one_clear_line(game: Game, data: st.DataObject) -> None:
    deal = data.draw(deals(game))
    text = data.draw(st.text(max_size=6) | st.sampled_from([*game.deck.names, "?", "0"]))
    try:
        after = deal.play(text)
    except OvertrickError as error:
        assert is_one_line(error)
    else:
        assert after.history[-1].choice in deal.legal


@every_game
@given(data=st.data())
def test_a_variant_read_back_is_the_same(game: Game, data: st.DataObject) -> None:
    variant = data.draw(variants(game))
    assert game.variant.from_text(variant.text()) == variant


@every_game
@given(text=st.text(max_size=30), name=st.text("abcdefgh_", max_size=8), value=st.text(max_size=8))
def test_any_text_is_a_variant_or_one_clear_line(
    game: Game, text: str, name: str, value: str
) -> None:
    for attempt in [text, *(f"{each}={value}" for each in [name, *game.variant.options()])]:
        try:
            game.variant.from_text(attempt)
        except OvertrickError as error:
            assert is_one_line(error)


@every_game
@given(data=st.data())
def test_a_broken_position_gets_one_clear_line(game: Game, data: st.DataObject) -> None:
    text = data.draw(deals(game)).text()
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    broken = text[:start] + data.draw(st.text(max_size=4)) + text[end:]
    try:
        Deal.from_text(broken)
    except OvertrickError as error:
        assert is_one_line(error)


@given(st.text(max_size=60))
def test_any_text_is_a_position_or_one_clear_line(text: str) -> None:
    with pytest.raises(OvertrickError) as refused:
        Deal.from_text(text)
    assert is_one_line(refused.value)


@every_game
@given(seat=st.text(max_size=6) | st.integers(-10, 10))
def test_any_seat_is_at_the_table_or_refused(game: Game, seat: str | int) -> None:
    try:
        assert 0 <= game.seat_from(seat) < game.seats
    except OvertrickError as error:
        assert is_one_line(error)


@every_game
@given(data=st.data())
def test_the_seat_to_act_knows_its_legal_choices(game: Game, data: st.DataObject) -> None:
    deal = data.draw(deals(game))
    assume(deal.seat is not None)
    assert deal.seat is not None
    assert deal.view(deal.seat).legal == deal.legal
    for other in range(game.seats):
        if other != deal.seat:
            assert deal.view(other).legal == ()


@every_game
@given(data=st.data())
def test_a_sampled_world_looks_the_same_from_the_seat(game: Game, data: st.DataObject) -> None:
    deal = data.draw(deals(game))
    view = deal.view(data.draw(st.integers(0, game.seats - 1)))
    for world in view.worlds(2, seed=data.draw(st.integers(0, 1 << 40))):
        assert world.view(view.viewer) == view
        assert Deal.from_text(world.text()) == world  # replayed through checked choices


@every_game
@given(data=st.data())
def test_a_match_read_back_is_the_same(game: Game, data: st.DataObject) -> None:
    match = Match.start(game, variant=data.draw(variants(game)), seed=3)
    deal = match.deal(data.draw(st.integers(0, 50)))
    while not deal.is_over:
        deal = deal.play(data.draw(st.sampled_from(deal.legal)))
    after = match.after(deal)
    assert Match.from_text(game, after.text(), variant=after.variant) == after
