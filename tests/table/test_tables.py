"""A table as a value: events make it, replaying them gives it back, and nothing else changes it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from pydantic import TypeAdapter

from conftest import all_games
from overtrick.engine.deals import Deal
from overtrick.errors import BadSeat, DealOver, IllegalChoice, NotAllowed, NotYourTurn
from overtrick.games import game_names, load_game
from overtrick.games.game import Game
from overtrick.table import messages
from overtrick.table.live import quick_choices
from overtrick.table.seat_views import frame, look
from overtrick.table.setup import Event, Setup
from overtrick.table.tables import Table, applied, lay, replayed, retold
from overtrick.table.wire import PERSON, Frames, Snapshot

BOT = "random"


def setup_for(game: Game, *, people: int = 1, seed: int = 1, variant: str = "") -> Setup:
    places = game.people(game.variant_of(variant))
    players = tuple(PERSON if place < people else BOT for place in range(places))
    return Setup(game.name, variant, players, ("",) * places, seed, 99)


def told(table: Table, place: int | None) -> Any:
    connected = [True] * len(table.setup.players)
    return messages.snapshot(table, place, table_id="t", connected=connected)


def played(setup: Setup, deals: int, seed: int) -> tuple[Table, list[Event]]:
    """A table after some deals by random choices, some taken back, and all its events."""
    rng = random.Random(seed)
    table, events = quick_choices(lay(setup))
    for number in range(deals):
        while not table.deal.is_over:
            if table.can_undo(0) and rng.random() < 0.1:
                event: Event = {"kind": "undo", "place": 0}
            elif table.people == (0,) and rng.random() < 0.02:
                event = {"kind": "assist", "place": 0}
            else:
                choice = rng.choice(table.deal.legal)
                event = {"kind": "act", "place": table.place_to_act, "choices": [choice]}
            table, more = quick_choices(applied(table, event))
            events += [event, *more]
        if number < deals - 1:
            table, more = quick_choices(applied(table, {"kind": "next"}))
            events += [{"kind": "next"}, *more]
    return table, events


def test_replaying_the_events_gives_the_same_table(game: Game) -> None:
    setup = setup_for(game)
    table, events = played(setup, 3, seed=5)
    again = replayed(setup, events)
    assert again.deal.text() == table.deal.text()
    assert again.sheet == table.sheet
    assert [told(again, place) for place in (0, None)] == [told(table, p) for p in (0, None)]


def test_messages_are_of_the_types_that_the_page_knows(game: Game) -> None:
    setup = setup_for(game)
    table, events = played(setup, 2, seed=6)
    again = lay(setup)
    for event in events:
        before, again = again, applied(again, event)
        for place in (0, None):
            if event["kind"] == "act":
                frames = messages.text(messages.frames(again, place, before.turn))
                Frames.model_validate_json(frames, strict=True)
    for place in (*range(len(setup.players)), None):
        Snapshot.model_validate_json(messages.text(told(table, place)), strict=True)


@pytest.mark.parametrize("name", game_names())
def test_facts_are_of_the_type_that_the_game_tells_to_seats_and_watchers(name: str) -> None:
    game = load_game(name)
    kind: TypeAdapter[Any] = TypeAdapter(game.showing.facts_type)
    names = set(game.showing.facts_type.__annotations__)
    for seed in range(3):
        table, _ = played(setup_for(game, seed=seed), 2, seed)
        for step in table.steps:
            for viewer in (*range(game.seats), None):
                told = frame(step, look(step, viewer), viewer)["facts"]
                assert ("mine" in told) <= (viewer is not None)
                assert set(told) | {"mine"} == names | {"mine"}
                kind.validate_json(json.dumps(told), strict=True)


@pytest.mark.parametrize("name", all_games())
def test_a_folded_frame_is_the_frame_of_a_snapshot(name: str) -> None:
    setup = setup_for(load_game(name))
    table, events = played(setup, 1, seed=7)
    again = lay(setup)
    for event in events:
        if event["kind"] == "act":
            before, again = again, applied(again, event)
            (*_, last) = messages.frames(again, 0, before.turn)["frames"]
            assert {**last, "event": None} == told(again, 0)["frame"]
        else:
            again = applied(again, event)
    assert again.deal == table.deal


def test_who_is_not_to_act_is_refused_and_nothing_changes(game: Game) -> None:
    table = lay(setup_for(game, people=game.seats))
    for place in range(game.seats):
        if place != table.place_to_act:
            with pytest.raises(NotYourTurn, match="not you"):
                applied(table, {"kind": "act", "place": place, "choices": [table.deal.legal[0]]})
    assert table.turn == 0


def test_several_choices_are_made_all_or_none() -> None:
    table = lay(setup_for(load_game("hearts"), people=4))
    place = table.place_to_act
    assert place is not None
    legal = list(table.deal.legal)
    three = applied(table, {"kind": "act", "place": place, "choices": legal[:3]})
    assert three.turn == 3
    with pytest.raises(IllegalChoice):
        applied(table, {"kind": "act", "place": place, "choices": [legal[0], legal[0]]})
    with pytest.raises(NotYourTurn):
        applied(table, {"kind": "act", "place": place, "choices": legal[:4]})


def test_undo_goes_back_before_the_last_act_that_was_not_forced() -> None:
    table, _ = quick_choices(lay(setup_for(load_game("hearts"))))
    start, legal = table.turn, list(table.deal.legal)
    assert table.place_to_act == 0
    after, _ = quick_choices(applied(table, {"kind": "act", "place": 0, "choices": legal[:3]}))
    back = applied(after, {"kind": "undo", "place": 0})
    assert back.turn == start
    assert back.assisted
    assert not after.assisted


def test_help_marks_the_deal_for_good_and_changes_nothing_else() -> None:
    table, _ = quick_choices(lay(setup_for(load_game("hearts"))))
    helped = applied(table, {"kind": "assist", "place": 0})
    assert helped.assisted
    assert helped.steps is table.steps
    assert applied(helped, {"kind": "assist", "place": 0}) is helped
    after = applied(helped, {"kind": "act", "place": 0, "choices": [table.deal.legal[0]]})
    assert applied(after, {"kind": "undo", "place": 0}).assisted


def test_help_is_refused_among_people_and_once_the_deal_is_over() -> None:
    game = load_game("hearts")
    with pytest.raises(NotAllowed, match="all others are bots"):
        applied(lay(setup_for(game, people=2)), {"kind": "assist", "place": 0})
    over, _ = played(setup_for(game), 1, seed=1)
    with pytest.raises(DealOver, match="is over"):
        applied(over, {"kind": "assist", "place": 0})


def test_a_finished_deal_is_retold_as_it_was(game: Game) -> None:
    setup = setup_for(game)
    table, _ = played(setup, 3, seed=8)
    again = retold(
        setup, table.number, table.deal.text(), assisted=table.assisted, sheet=table.sheet
    )
    for place in (0, None):
        now = told(table, place)
        assert told(again, place) == now | {"frame": now["frame"] | {"can_undo": False}}


def test_undo_is_refused_among_people_and_before_any_act() -> None:
    game = load_game("hearts")
    with pytest.raises(NotAllowed, match="all others are bots"):
        applied(lay(setup_for(game, people=2)), {"kind": "undo", "place": 0})
    with pytest.raises(NotAllowed, match="no choice of yours"):
        applied(lay(setup_for(game)), {"kind": "undo", "place": 0})


def test_an_assisted_deal_stays_so_on_the_sheet() -> None:
    table, _ = played(setup_for(load_game("kuhn"), seed=3), 1, seed=1)
    while not table.can_undo(0):
        table, _ = quick_choices(applied(table, {"kind": "next"}))
        while not table.deal.is_over:
            act = {"kind": "act", "place": 0, "choices": [table.deal.legal[0]]}
            table, _ = quick_choices(applied(table, act))
    back = applied(table, {"kind": "undo", "place": 0})
    while not back.deal.is_over:
        act = {"kind": "act", "place": 0, "choices": [back.deal.legal[0]]}
        back, _ = quick_choices(applied(back, act))
    assert applied(back, {"kind": "next"}).sheet[-1].assisted


def test_the_next_deal_waits_for_the_end_of_this_one() -> None:
    with pytest.raises(DealOver, match="not over"):
        applied(lay(setup_for(load_game("hearts"))), {"kind": "next"})


def test_a_new_match_begins_once_one_is_won() -> None:
    game = load_game("kuhn")
    table, _ = played(setup_for(game, variant="target_deals=2"), 2, seed=1)
    assert table.outcome is not None
    assert table.outcome.winners
    following = applied(table, {"kind": "next"})
    assert following.number == 2
    assert following.matches == 1
    assert following.scores == (0, 0)
    assert following.sheet == ()


def test_with_more_people_than_seats_somebody_sits_out_and_scores_go_by_place() -> None:
    game = load_game("sheephead")
    table, _ = played(setup_for(game, people=0, variant="people=7"), 3, seed=2)
    assert len(table.setup.players) == 7
    assert len(table.seats) == 5
    out = set(range(7)) - set(table.seats)
    assert len(out) == 2
    watcher = min(out)
    assert table.seat_of(watcher) is None
    frame = told(table, watcher)["frame"]
    assert frame["hand"] == []
    assert len(table.scores) == 7
    assert table.outcome is not None
    assert all(table.outcome.gained[place] == 0 for place in out)
    payoffs = [float(payoff) for payoff in table.deal.payoffs]
    assert [table.outcome.gained[place] for place in table.seats] == payoffs


def test_a_table_wants_a_player_for_every_place() -> None:
    setup = Setup("hearts", "", (PERSON, BOT), ("", ""), 1, 2)
    with pytest.raises(BadSeat, match="4 places want players, not 2"):
        lay(setup)


def test_a_shared_deal_has_its_cards_and_the_match_goes_on_from_it() -> None:
    deal = Deal.from_seed("hearts", 8)
    setup = Setup("hearts", "", (BOT,) * 4, ("",) * 4, 1, 2, deal.text())
    table, _ = quick_choices(lay(setup))
    assert table.steps[0].deal == deal
    assert applied(table, {"kind": "next"}).number == 1


def test_a_refusal_quotes_no_hidden_card() -> None:
    table = lay(setup_for(load_game("hearts"), people=4))
    place = table.place_to_act
    assert place is not None
    illegal = next(card for card in range(52) if card not in table.deal.legal)
    with pytest.raises(IllegalChoice) as refusal:
        applied(table, {"kind": "act", "place": place, "choices": [illegal]})
    names = table.game.deck.names
    told = set(str(refusal.value).replace(";", " ").split()) & set(names)
    mine = {names[card] for card in table.deal.legal}
    assert told <= mine | {names[illegal]}
