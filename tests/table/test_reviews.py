"""Reviews of finished deals: for whoever may see the table, made once, and never too early."""

from __future__ import annotations

import asyncio
import http.client
import sqlite3
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from overtrick.cards import each
from overtrick.engine.deals import Deal
from overtrick.games import game_names
from overtrick.review.judge import Judge
from overtrick.table import reviews
from overtrick.table.limits import Limits
from overtrick.table.preparing import Preparing
from overtrick.table.reviews import Reviews
from overtrick.table.seat_views import steps_to
from overtrick.table.storage import Storage
from overtrick.table.wire import Reviewed
from table.at_work import ME, PERSON, LaidTable, Service, finished, service_at_work


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with pytest.MonkeyPatch.context() as quick:
        quick.setattr(reviews, "Judge", partial(Judge, worlds=16))
        with service_at_work(tmp_path_factory.mktemp("reviews")) as running:
            yield running


def review_of(table: LaidTable, deal: int = 0, place: int | None = 0) -> Reviewed:
    answer = table.ask("GET", f"/deals/{deal}/review", place=place)
    while answer.status == 503:
        answer = table.ask("GET", f"/deals/{deal}/review", place=place)
    assert answer.status == 200, answer.text
    return Reviewed.model_validate_json(answer.text)


@pytest.fixture(scope="module", params=game_names())
def played(request: pytest.FixtureRequest, service: Service) -> tuple[Any, Reviewed]:
    """The last snapshot of a deal, and its review."""
    table = service.table(request.param)
    return finished(table), review_of(table)


def test_a_finished_deal_is_reviewed_and_can_be_stepped_through(
    played: tuple[Any, Reviewed],
) -> None:
    last, told = played
    count = last["frame"]["number"]
    assert [verdict.number for verdict in told.review.verdicts] == [*range(1, count + 1)]
    assert [frame.number for frame in told.frames] == [*range(count + 1)]
    assert len(told.hands) == count + 1
    assert told.seat == told.table.viewer == 0
    assert told.result.model_dump(mode="json") == last["frame"]["result"]
    end = told.frames[-1].model_dump(mode="json")
    assert end | {"event": None} == last["frame"] | {"can_undo": False}


def test_after_the_deal_every_choice_is_open(played: tuple[Any, Reviewed]) -> None:
    told = played[1]
    deal = Deal.from_text(told.review.deal)
    texts = [deal.game.choice_text(event.phase, event.choice) for event in deal.history]
    assert [made.text for made in told.past] == texts
    assert [made.seat for made in told.past] == [event.seat for event in deal.history]
    for made in told.past:
        assert made.taken is None or all(play.card for play in made.taken.plays)


def test_the_hands_are_those_that_each_seat_held_step_by_step(
    played: tuple[Any, Reviewed],
) -> None:
    told = played[1]
    deal = Deal.from_text(told.review.deal)
    seats, names = range(deal.game.seats), deal.game.deck.names
    steps = steps_to(deal)
    for step, hands in zip(steps, told.hands, strict=True):
        held = [{names[card] for card in each(step.deal.view(seat).hand)} for seat in seats]
        assert [set(hand) for hand in hands] == held


def test_the_same_review_comes_over_the_socket_with_its_progress(service: Service) -> None:
    table = service.table("snapszer", seed=11)
    count = finished(table)["frame"]["number"]
    with table.page() as page:
        page.until("snapshot")
        page.send(kind="review", deal=0)
        told: list[Any] = [page.hear()]
        while told[-1]["kind"] != "reviewed":
            told.append(page.hear())
    steps = [one for one in told[:-1] if not one["preparing"]]
    assert len(steps) >= count
    assert [one["done"] for one in steps] == sorted(one["done"] for one in steps)
    assert all(one["done"] <= one["of"] for one in steps)
    again = review_of(table).model_dump(mode="json")
    assert {**again, "table": None} == {**told[-1], "table": None}


def test_a_deal_of_long_ago_is_reviewed_as_it_was(service: Service) -> None:
    table = service.table("snapszer", names=["Ada", ""])
    first = finished(table)
    table.ask("POST", "/next", {"kind": "next", "deal": 0})
    told = review_of(table, 0)
    assert told.deal == told.table.deal == 0
    assert told.table.scores == first["table"]["scores"]
    assert told.result.model_dump(mode="json") == first["frame"]["result"]
    assert told.table.places[0].title == "Ada"


def test_who_watches_sees_a_review_by_the_eyes_of_the_first_seat(service: Service) -> None:
    table = service.table("snapszer", ["random", "random"])
    told = review_of(table, place=None)
    assert (told.seat, told.table.viewer) == (0, None)
    assert told.frames[0].hand


@pytest.mark.parametrize("place", [0, None])
def test_a_deal_that_goes_on_is_not_reviewed(service: Service, place: int | None) -> None:
    table = service.table("hearts", seed=4)
    for deal in (0, 1, 7):
        answer = table.ask("GET", f"/deals/{deal}/review", place=place)
        while answer.status == 503:
            answer = table.ask("GET", f"/deals/{deal}/review", place=place)
        assert (answer.status, answer.json["error"]) == (409, "DealOver")
    with table.page(place) as page:
        page.until("snapshot")
        page.send(kind="review", deal=0, id=3)
        told = page.until("refused")
        assert (told["error"], told["re"]) == ("DealOver", 3)


def test_a_deal_that_is_taken_back_has_no_review_any_more(service: Service) -> None:
    table = service.table("snapszer", seed=2)
    number = finished(table)["frame"]["number"]
    review_of(table)
    assert table.ask("POST", "/undo", {"kind": "undo", "deal": 0, "number": number}).status == 200
    assert table.ask("GET", "/deals/0/review").status == 409
    assert kept_reviews(service, table) == []


def kept_reviews(service: Service, table: LaidTable) -> list[Any]:
    path = service.app.state.house.storage.path
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    query = "SELECT place, accuracy, outcome FROM reviews WHERE table_id = ?"
    found = connection.execute(query, (table.id,)).fetchall()
    connection.close()
    return found


def test_of_a_review_is_kept_what_it_says_of_the_people_and_goes_with_the_table(
    service: Service,
) -> None:
    table = service.table("snapszer", seed=3)
    finished(table)
    mine = review_of(table).review.seats[0]
    assert kept_reviews(service, table) == [(0, mine.accuracy, mine.outcome)]
    assert service.ask("DELETE", f"/api/tables/{table.id}", secret=ME).status == 204
    assert kept_reviews(service, table) == []


def test_a_person_who_is_forgotten_leaves_no_review(service: Service) -> None:
    me = "forget my reviews"
    asked = {"game": "snapszer", "players": [PERSON, "random"]}
    table = LaidTable(service, service.ask("POST", "/api/tables", asked, me).json)
    finished(table)
    review_of(table)
    assert service.ask("DELETE", "/api/history", secret=me).status == 204
    assert kept_reviews(service, table) == []


# ---------------------------------------------------------------------------- under way


class Slow:
    """Reviews in place of real ones: each step waits until it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        monkeypatch.setattr(reviews.ReviewJob, "step", self._step(reviews.ReviewJob.step))
        self.gate = False

    def _step(self, step: Any) -> Any:
        def slow(job: reviews.ReviewJob) -> bool:
            if job.line not in self.begun:
                self.begun.append(job.line)
            if self.gate or job._is_cancelled:
                done: bool = step(job)
                return done
            return True

        return slow


def over(seed: int) -> str:
    deal = Deal.from_seed("snapszer", seed)
    while not deal.is_over:
        deal = deal.play(deal.legal[0])
    return deal.text()


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run work in a thread of its own: the tests of the page keep a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


async def at_work(folder: Path, work: Any, limits: Limits | None = None) -> None:
    storage = Storage(folder)
    made = Reviews(storage, Preparing(), limits or Limits())
    try:
        await work(made)
    finally:
        made.close()
        storage.close()


def test_who_asks_for_the_same_review_waits_for_the_same_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, line = Slow(monkeypatch), over(1)

    async def work(made: Reviews) -> None:
        asked = [asyncio.create_task(made._of(line, lambda told: None)) for _ in range(3)]
        await asyncio.sleep(0)
        slow.gate = True
        found = await asyncio.gather(*asked)
        assert found[0] is found[1] is found[2]
        assert await made._of(line, lambda told: None) is found[0]
        assert slow.begun == [line]
        assert made._going == {}

    run(at_work(tmp_path, work))


def test_a_review_is_dropped_when_the_last_who_asked_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Slow(monkeypatch)

    async def work(made: Reviews) -> None:
        asked = [asyncio.create_task(made._of(over(2), lambda told: None)) for _ in range(2)]
        await asyncio.sleep(0)
        (job,) = made._going.values()
        asked[0].cancel()
        await asyncio.wait(asked[:1])
        assert not job._is_cancelled
        asked[1].cancel()
        await asyncio.wait(asked)
        assert job._is_cancelled
        assert made._going == {}

    run(at_work(tmp_path, work))


def test_reviews_are_counted_and_the_oldest_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Slow(monkeypatch)
    lines = [over(seed) for seed in (3, 4, 5)]

    async def work(made: Reviews) -> None:
        asked = [asyncio.create_task(made._of(line, lambda told: None)) for line in lines]
        await asyncio.wait(asked[2:])
        with pytest.raises(reviews.TooMany, match="2 deals are being reviewed"):
            asked[2].result()
        slow.gate = True
        await asyncio.gather(*asked[:2])
        assert [*made._kept] in ([lines[0]], [lines[1]])

    run(at_work(tmp_path, work, Limits(reviews=2, kept_reviews=1)))


def going(service: Service) -> dict[str, reviews.ReviewJob]:
    """The reviews under way."""
    under_way: dict[str, reviews.ReviewJob] = (
        service.app.state.house._opening.result().reviews._going
    )
    return under_way


def until(service: Service, count: int) -> None:
    """Wait until so many reviews are under way."""
    end = time.monotonic() + 30
    while len(going(service)) != count:
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("over_http", [True, False])
def test_a_review_is_dropped_when_the_page_that_asked_is_closed(
    service: Service, monkeypatch: pytest.MonkeyPatch, over_http: bool
) -> None:
    table = service.table("snapszer", seed=20 + over_http)
    finished(table)
    Slow(monkeypatch)
    if over_http:
        connection = http.client.HTTPConnection("127.0.0.1", service.port)
        headers = {"authorization": f"Bearer {table.tokens[0]}"}
        connection.request("GET", f"/api/tables/{table.id}/deals/0/review", headers=headers)
        until(service, 1)
        connection.close()
    else:
        with table.page() as page:
            page.send(kind="review", deal=0)
            until(service, 1)
    until(service, 0)
