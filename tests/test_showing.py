"""How every game shows itself at the table: true, complete, and nothing that a seat may not know.

Deals are walked through choice by choice, under every house rule; what is shown is looked at from
every seat. The words of single cases are in `test_showing_words.py`.
"""

from __future__ import annotations

import functools
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from overtrick.cards import each
from overtrick.engine.deals import Deal
from overtrick.games import load_game
from overtrick.games.game import HIDDEN
from overtrick.games.showing import NOT_NOW, Phrase, alternating
from showing_reasons import REASONS, is_true
from showing_walks import (
    ENOUGH,
    SHOWN,
    Walk,
    many_walks,
    record,
    refused,
    stages,
    steps,
    walks,
)

ROOT = Path(__file__).resolve().parents[1]
PLAYING = {"play", "lead", "follow"}
every_game = pytest.mark.parametrize("name", SHOWN)


# ---------------------------------------------------------------------------- facts


@every_game
def test_facts_are_of_their_type_and_nothing_else(name):
    game = load_game(name)
    kind = TypeAdapter(game.showing.facts_type)
    for deal in stages(name):
        for seat in range(game.seats):
            facts = game.showing.facts(record(deal, seat))
            assert kind.validate_python(facts, strict=True) == facts  # drops what is too much
            assert json.loads(json.dumps(facts)) == facts


@every_game
def test_public_facts_do_not_depend_on_whose_view_they_are_told_of(name):
    game = load_game(name)
    for deal in stages(name):
        public: Any = game.showing.facts(record(deal))
        assert "mine" not in public
        for seat in range(game.seats):
            facts: Any = game.showing.facts(record(deal, seat))
            facts.pop("mine", None)
            if facts.get("picker") == seat:  # he alone may know more
                facts["unknown_card"] = public["unknown_card"]
            assert facts == public


def may_know(walked: Walk, stage: int, seat: int) -> set[str]:
    """The cards that a seat has held or seen by the rules: its own, and all that were shown."""
    deal = walked[stage]
    game, names = deal.game, deal.game.deck.names
    known = 0
    for earlier in walked[: stage + 1]:
        known |= earlier.view(seat).hand
    for event in deal.view(seat).history:
        if event.choice != HIDDEN and event.choice < game.card_choices(event.phase):
            known |= 1 << event.choice
    shown = {names[card] for card in each(known)}
    if game.name == "snapszer":
        upcard = names[deal.order[-1]]
        announced = [game.choice_names[0][event.choice] for event in deal.history]
        pairs = [text[-1] for text in announced if text.startswith("marry:")]
        shown |= {upcard, "J" + upcard[1], *(rank + suit for suit in pairs for rank in "KQ")}
    return shown


def card_names(told: Any, deck: set[str]) -> set[str]:
    """All names of cards in what is told."""
    if isinstance(told, dict):
        return set().union(*(card_names(value, deck) for value in told.values()))
    if isinstance(told, list):
        return set().union(*(card_names(value, deck) for value in told), set())
    return {told} & deck if isinstance(told, str) else set()


@every_game
def test_facts_name_no_card_that_the_seat_may_not_know(name):
    game = load_game(name)
    deck = set(game.deck.names)
    for walked in walks(name)[::2]:
        for stage in range(0, len(walked), 3):
            for seat in range(game.seats):
                facts = dict(game.showing.facts(record(walked[stage], seat)))
                facts.pop("trumps", None)  # the rules name these to everybody,
                facts.pop("called", None)  # and the picker this one
                assert card_names(facts, deck) <= may_know(walked, stage, seat)


@every_game
def test_what_is_shown_is_the_same_in_every_world_that_the_seat_cannot_rule_out(name):
    game = load_game(name)
    show = game.showing
    rng = random.Random(name)
    for walked in walks(name):
        stage = rng.randrange(1, len(walked))
        deal, seat = walked[stage], rng.randrange(game.seats)
        view, before = record(deal, seat), record(walked[stage - 1], seat)
        event = deal.view(seat).history[-1]
        for world in deal.view(seat).worlds(2, seed=stage):
            same = record(world, seat)
            earlier = Deal.from_order(world.match, world.order)
            for past in world.history[:-1]:
                earlier = earlier.play(past.choice)
            was = record(earlier, seat)
            assert show.facts(same) == show.facts(view)
            assert show.facts(was) == show.facts(before)
            assert show.said(was, same, event.seat, event.choice) == show.said(
                before, view, event.seat, event.choice
            )
            assert [*show.order(same, same.hands[seat])] == [*show.order(view, view.hands[seat])]


# ---------------------------------------------------------------------------- why not


RARE = {"coinche.why.partner-underruff"}  # has a case of its own in test_showing_words.py


@every_game
def test_every_card_that_may_not_be_played_has_a_reason_and_it_is_true(name):
    seen = set()
    for walked in many_walks(name, ENOUGH[name]):
        for deal in walked:
            for card, phrase in refused(deal):
                assert phrase != NOT_NOW, f"{card} in {deal}"
                assert is_true(phrase, deal, card), f"{card} is refused by {phrase} in {deal}"
                seen.add(phrase.key)
    assert seen | RARE >= {key for key in REASONS if key.startswith(name)}


@every_game
def test_every_other_choice_that_is_not_legal_has_a_reason_too(name):
    game = load_game(name)
    for deal in stages(name):
        if deal.seat is None:
            continue
        view = deal.view(deal.seat)
        phase = int(deal.records["phase"][0])
        for choice in range(game.card_choices(phase), len(game.choice_names[phase])):
            if choice not in view.legal:
                assert game.showing.why_not(view.records[0], choice) != NOT_NOW


# ---------------------------------------------------------------------------- cards


@every_game
def test_a_hand_is_ordered_without_losing_a_card(name):
    game = load_game(name)
    for deal in stages(name):
        for seat in range(game.seats):
            view = deal.view(seat)
            ordered = [*game.showing.order(view.records[0], view.hand)]
            assert sorted(ordered) == [*each(view.hand)]


@every_game
def test_a_hand_does_not_jump_about_while_it_is_played(name):
    game = load_game(name)
    for one, two in steps(name):
        if one.phase not in PLAYING or two.phase not in PLAYING:
            continue
        for seat in range(game.seats):
            held, left = one.view(seat), two.view(seat)
            kept = [c for c in game.showing.order(held.records[0], held.hand) if left.hand >> c & 1]
            after = [c for c in game.showing.order(left.records[0], left.hand) if c in kept]
            assert kept == after


@pytest.mark.parametrize(
    ("suits", "first", "ordered"),
    [
        ("SHCD", None, "SHCD"),
        ("SHCD", "C", "CHSD"),
        ("SHCD", "D", "DSHC"),
        ("SCD", None, "SDC"),
        ("SHD", None, "HSD"),
        ("SC", "C", "CS"),
        ("HD", "S", "HD"),
        ("", "S", ""),
    ],
)
def test_red_and_black_suits_alternate_after_trump(suits, first, ordered):
    assert alternating(suits, "HD", first) == ordered


def tricks_of(deal: Deal, seat: int) -> list[list[int]]:
    """The complete tricks as a seat saw them."""
    game = deal.game
    cards = [
        event.choice
        for event in deal.view(seat).history
        if game.phases[event.phase] in PLAYING
        and (event.choice == HIDDEN or event.choice < len(game.deck))
    ]
    return [cards[at : at + game.seats] for at in range(0, len(cards), game.seats)]


@every_game
def test_the_points_of_all_tricks_add_up_to_what_was_taken(name):
    game = load_game(name)
    for walked in walks(name):
        deal = walked[-1]
        for seat in range(game.seats):
            view = record(deal, seat)
            worth = [game.showing.trick_points(view, trick) for trick in tricks_of(deal, seat)]
            facts: Any = game.showing.facts(view)
            if name == "hokm" or facts.get("nola"):
                assert set(worth) <= {None}
                continue
            announced = [game.choice_names[0][e.choice] for e in deal.history if e.phase == 0]
            trump = facts.get("trump")
            married = sum(
                40 if text == f"marry:{trump}" else 20
                for text in announced
                if text.startswith("marry:")
            )
            cards = [card for card in worth if card is not None]
            assert sum(cards) == sum(facts["points"]) - married


# ---------------------------------------------------------------------------- words


@functools.cache
def catalogue(name: str) -> dict[str, str]:
    """The texts of a game: those of the page, and those that are proposed to it."""
    texts: dict[str, str] = {}
    for path in ("PHRASES.json", f"web/src/texts/en/{name}.json"):
        if (ROOT / path).exists():
            texts |= json.loads((ROOT / path).read_text())
    return texts


def phrases_told(name: str) -> Iterator[Phrase]:
    """All that is said, refused and told at the end in the walks of a game."""
    game = load_game(name)
    for before, after in steps(name):
        event = after.history[-1]
        yield from game.showing.said(record(before), record(after), event.seat, event.choice)
        yield from (phrase for _, phrase in refused(before))
        if after.is_over:
            yield from game.showing.result(record(after, 0))


@every_game
def test_every_phrase_has_a_text_that_uses_only_what_it_is_given(name):
    for phrase in phrases_told(name):
        wanted = set(re.findall(r"{(\w+)}", catalogue(name)[phrase.key].lower()))
        assert wanted <= set(phrase.args)
        assert all(type(value) in (str, int) for value in phrase.args.values())


@every_game
def test_every_key_that_is_written_out_in_the_source_has_a_text(name):
    source = (ROOT / f"src/overtrick/games/{name}/showing.py").read_text()
    keys = re.findall(rf'"({name}\.(?:why|said|result)\.[a-z0-9-]+)"', source)
    assert keys
    assert set(keys) <= set(catalogue(name))


@every_game
def test_what_is_said_is_heard_alike_by_all(name):
    game = load_game(name)
    for before, after in steps(name):
        event = after.history[-1]
        aloud = game.showing.said(record(before), record(after), event.seat, event.choice)
        for seat in range(game.seats):
            choice = after.view(seat).history[-1].choice
            heard = game.showing.said(record(before, seat), record(after, seat), event.seat, choice)
            assert [*heard] == [*aloud]
