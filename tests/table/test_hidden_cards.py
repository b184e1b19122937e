"""The wire carries nothing hidden: every message of whole deals, errors included, is searched."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import all_games
from overtrick.games import game_names, load_game
from overtrick.games.showing import Showing
from overtrick.review.judge import Judge
from overtrick.review.reviewing import hint
from overtrick.table.live import quick_choices
from overtrick.table.tables import applied, lay
from table.at_work import ME, PERSON, LaidTable, OpenPage, Service, service_at_work
from table.hidden_cards import Knowledge, cards_in, doubles, same_to
from table.test_tables import setup_for

FEW, MANY = 5, 200


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with service_at_work(tmp_path_factory.mktemp("data")) as running:
        yield running


class Seat:
    """A page at a table whose every message is searched."""

    def __init__(self, table: LaidTable, place: int | None, page: OpenPage) -> None:
        self.table = table
        self.place = place
        self.page = page
        self.asked = set[str]()
        self.knowledge = Knowledge(place)
        self.rng = random.Random(str(place))

    def hear(self, kind: str) -> Any:
        """The next message of a kind; all that come are searched."""
        while True:
            message = self.page.hear()
            self.search(self.page.texts[-1])
            self.compare(message)
            if message["kind"] == kind:
                return message

    def search(self, text: str) -> None:
        """Find no card in a text that this seat may not know now, and did not name itself."""
        now = self.table.service.inside(self.table.id)
        found = cards_in(now.game, text) - self.knowledge.now(now) - self.asked
        assert not found, f"seat {self.place} of {now.deal.text()} is told {found} by {text}"

    def compare(self, message: Any) -> None:
        """Now and then, find the last frame the same in deals that look the same."""
        if self.rng.random() < 0.8:
            return
        now = self.table.service.inside(self.table.id)
        seat = now.seat_of(self.place)
        frames = message.get("frames") or [message.get("frame")]
        told = frames[-1]
        if seat is None or told is None or told["number"] != now.turn or now.deal.is_over:
            return
        for other in doubles(now, seat, 2, seed=now.turn):
            assert same_to(told, other, seat), f"{now.deal.text()} differs from its double"


def play_deal(table: LaidTable, seats: list[Seat], rng: random.Random) -> None:
    """One deal through the sockets, with illegal acts on the way; each message is searched."""
    for seat in seats:
        seat.hear("snapshot")
    while seats[0].page.frame["result"] is None:
        actor = next(seat for seat in seats if seat.page.frame["choices"])
        provoke(table, seats, actor, rng)
        told = rng.choice(actor.page.frame["choices"])
        actor.page.act(told["choice"])
        for seat in seats:
            seat.hear("frames")


def provoke(table: LaidTable, seats: list[Seat], actor: Seat, rng: random.Random) -> None:
    """Now and then, ask for what is refused, and search the answers."""
    if rng.random() < 0.5:
        return
    legal = {told["choice"] for told in actor.page.frame["choices"]}
    illegal = rng.choice([choice for choice in range(63) if choice not in legal])
    game = table.service.inside(table.id).game
    actor.asked = {name[illegal] for name in game.choice_names if illegal < len(name)}
    actor.page.act(illegal)
    assert actor.hear("refused")["error"] == "IllegalChoice"
    other = rng.choice(seats)
    if other is not actor:
        other.page.act(illegal)
        assert other.hear("refused")["error"] in ("NotYourTurn", "NotAllowed")
    if rng.random() < 0.2:
        deal, number = actor.page.deal, actor.page.frame["number"]
        for path, body in [
            ("/acts", {"kind": "act", "deal": deal, "number": number, "choices": [illegal]}),
            ("/undo", {"kind": "undo", "deal": deal, "number": number + 1}),
            ("/next", {"kind": "next", "deal": deal}),
        ]:
            answer = table.ask("POST", path, body, actor.place)
            assert 400 <= answer.status < 500
            actor.search(answer.text)
        for path in (f"/deals/{deal}/record", f"/deals/{deal}/link", ""):
            actor.search(table.ask("GET", path, place=actor.place).text)
    actor.asked = set()


def search_deals(service: Service, name: str, deals: int, seed: int) -> None:
    """Deals with two persons, bots and somebody who watches; a whole match each."""
    game, rng = load_game(name), random.Random(seed)
    bots = ["rulebook" if game.rulebooks else "random"] * (game.seats - 2)
    table = service.table(name, [PERSON, *bots, PERSON])
    last = game.seats - 1
    with table.page(0) as one, table.page(last) as two, table.page(None) as watcher:
        pages = [(0, one), (last, two), (None, watcher)]
        seats = [Seat(table, place, page) for place, page in pages]
        for number in range(deals):
            play_deal(table, seats, rng)
            if number < deals - 1:
                one.send(kind="next", deal=one.deal)
        told = [json.dumps(page.texts) for _, page in pages]
        assert len(set(told)) == 3, "each seat is told its own"


# ---------------------------------------------------------------------------- with help


def play_helped_deal(table: LaidTable, seat: Seat, rng: random.Random) -> None:
    """One deal with analysis and hints, some choices taken back; each message is searched."""
    while seat.page.frame["result"] is None:
        while not seat.hear("analysis")["over"]:
            pass
        if rng.random() < 0.4:
            seat.page.ask("hint")
            seat.hear("hint")
        ask_too_early(table, seat, rng)
        if seat.page.frame["can_undo"] and rng.random() < 0.1:
            seat.page.ask("undo")
            seat.hear("snapshot")
        else:
            seat.page.act(rng.choice(seat.page.frame["choices"])["choice"])
            seat.hear("frames")


def ask_too_early(table: LaidTable, seat: Seat, rng: random.Random) -> None:
    """Now and then, ask for what is told only when the deal is over, and search the answers."""
    if rng.random() < 0.8:
        return
    deal = seat.page.deal
    seat.page.send(kind="review", deal=deal)
    assert seat.hear("refused")["error"] == "DealOver"
    for method, path, body in [
        ("GET", f"/deals/{deal}/review", None),
        ("POST", f"/deals/{deal}/retry", {"number": 0}),
        ("POST", f"/deals/{deal}/retry", {"number": seat.page.frame["number"]}),
    ]:
        answer = table.ask(method, path, body)
        assert answer.status == 409, answer.text
        seat.search(answer.text)
    for path in ("/api/statistics", "/api/export?format=csv", "/api/history"):
        seat.search(table.service.ask("GET", path, secret=ME).text)
    rows = table.service.ask("GET", "/api/statistics", secret=ME).json["rows"]
    assert (table.id, deal) not in {(row["table"], row["deal"]) for row in rows}


def search_helped_deals(service: Service, name: str, deals: int, seed: int) -> None:
    """Deals of one person who is helped all the time, and of retries from their middle."""
    rng, table = random.Random(seed), service.table(name)
    for _ in range(deals):
        with table.page() as page:
            seat = Seat(table, 0, page)
            seat.hear("snapshot")
            page.send(kind="analyse", on=True, sims=10, worlds=2)
            play_helped_deal(table, seat, rng)
            past = seat.table.snapshot()["past"]
            mine = [made["number"] - 1 for made in past if made["seat"] == 0]
            answer = table.ask("POST", f"/deals/{page.deal}/retry", {"number": rng.choice(mine)})
        table = LaidTable(service, answer.json)


@pytest.mark.parametrize("name", game_names())
def test_no_help_tells_what_a_seat_may_not_know(service: Service, name: str) -> None:
    search_helped_deals(service, name, 2, seed=4)


@pytest.mark.long
@pytest.mark.parametrize("name", game_names())
def test_no_help_in_50_deals_tells_what_a_seat_may_not_know(service: Service, name: str) -> None:
    search_helped_deals(service, name, 50, seed=5)


@pytest.mark.parametrize("name", game_names())
def test_deals_that_look_the_same_get_the_same_hints(service: Service, name: str) -> None:
    table, _ = quick_choices(lay(setup_for(load_game(name), seed=6)))
    for _ in range(3):
        while len(table.deal.legal) < 2:
            act = {"kind": "act", "place": 0, "choices": [table.deal.legal[0]]}
            table, _ = quick_choices(applied(table, act))
        told = hint(table.deal.view(0), Judge(table.game, worlds=50))
        for steps in doubles(table, 0, 2, seed=1):
            assert hint(steps[-1].deal.view(0), Judge(table.game, worlds=50)) == told
        act = {"kind": "act", "place": 0, "choices": [table.deal.legal[0]]}
        table, _ = quick_choices(applied(table, act))


# ---------------------------------------------------------------------------- among people


@pytest.mark.parametrize("name", all_games())
def test_no_message_tells_what_a_seat_may_not_know(service: Service, name: str) -> None:
    search_deals(service, name, FEW, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("name", all_games())
def test_no_message_of_200_deals_tells_what_a_seat_may_not_know(
    service: Service, name: str
) -> None:
    search_deals(service, name, MANY, seed=2)


def peeking(service: Service, seat: int) -> Any:
    """The facts of a service that peeks into a hand."""

    def facts(view: Any) -> Any:
        hub = service.app.state.house._opening.result()
        table = next(reversed(hub._tables.values())).table
        hand = table.deal.hands[seat]
        return {"note": f"seat {seat} holds {table.game.deck.texts(hand & -hand)}!"}

    return facts


def test_a_planted_card_is_found_by_its_name(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    hearts = load_game("hearts")
    monkeypatch.setitem(hearts.__dict__, "showing", Showing(facts=peeking(service, 1)))
    with pytest.raises(AssertionError, match="is told"):
        search_deals(service, "hearts", 1, seed=3)


def test_a_planted_hint_without_a_name_is_found_by_doubles(service: Service) -> None:
    table = service.table("hearts")
    with table.page() as page:
        page.hear()
        now = service.inside(table.id)
        (double,) = doubles(now, 0, 1, seed=1)
        assert same_to(page.frame, double, 0)
        page.frame["facts"]["hint"] = 1
        assert not same_to(page.frame, double, 0)
