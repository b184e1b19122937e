"""Sizes, rates and counts are bounded, and whoever asks for more is told so in one line."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from overtrick.table.limits import Bucket, Rates
from table.at_work import MANY, PERSON, Service, service_at_work, socket_to

FEW = replace(
    MANY,
    tables=4,
    live_tables=2,
    sockets=3,
    sockets_a_table=2,
    messages_a_second=0,
    people=1,
    messages_at_once=5,
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with service_at_work(tmp_path_factory.mktemp("limits"), limits=FEW) as running:
        running.wait_for("hearts")
        yield running


def test_a_request_that_is_too_large_is_refused(service: Service) -> None:
    answer = service.ask("POST", "/api/tables", b"x" * 70_000)
    assert (answer.status, answer.json["error"]) == (413, "TooLarge")


def test_a_request_that_does_not_tell_its_size_is_cut_off(service: Service) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", service.port)
    parts = [b"x" * 10_000] * 10
    connection.request(
        "POST",
        "/api/tables",
        iter(parts),
        encode_chunked=True,
        headers={"transfer-encoding": "chunked"},
    )
    assert connection.getresponse().status == 413
    connection.close()


def test_the_tables_are_counted_and_idle_ones_make_room(service: Service) -> None:
    tables = [service.table("hearts") for _ in range(FEW.tables)]
    asked = {"game": "hearts", "players": [PERSON, "random", "random", "random"]}
    answer = service.ask("POST", "/api/tables", asked)
    assert (answer.status, answer.json["error"]) == (429, "TooMany")
    assert service.ask("GET", "/api/health").json["tables"] <= FEW.live_tables
    for table in tables:  # those put away come back when they are asked for
        assert table.snapshot()["table"]["id"] == table.id
    with tables[0].page() as one, tables[1].page() as two:
        assert one.hear()["kind"] == two.hear()["kind"] == "snapshot"
        assert tables[2].ask("GET", "").status == 429
    _pages_are_counted(tables[3])
    _messages_are_counted(tables[3])


def _pages_are_counted(table: Any) -> None:
    with table.page() as one, table.page() as two:
        assert one.hear()["kind"] == two.hear()["kind"] == "snapshot"
        with table.page() as three:
            assert three.hear()["error"] == "TooMany"
            with pytest.raises(ConnectionClosed):
                three.hear()


def _messages_are_counted(table: Any) -> None:
    with table.page() as page:
        page.hear()
        for _ in range(FEW.messages_at_once):
            page.send(kind="undo", deal=9, number=0)
            assert page.hear()["error"] == "TooLate"
        page.send(kind="undo", deal=9, number=0)
        told = page.hear()
        assert told["error"] == "TooMany"
        assert "messages a second" in told["message"]


def test_the_people_whose_settings_are_kept_are_counted(service: Service) -> None:
    settings = service.ask("GET", "/api/settings", secret="a" * 16).json
    assert service.ask("PUT", "/api/settings", settings, "a" * 16).status == 200
    assert service.ask("PUT", "/api/settings", settings, "a" * 16).status == 200
    assert service.ask("PUT", "/api/settings", settings, "b" * 16).status == 429


def test_a_message_that_is_too_long_is_refused_and_the_page_stays(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with service_at_work(tmp_path_factory.mktemp("long")) as service:
        table = service.table("hearts")
        with table.page() as page:
            page.hear()
            page.socket.send("x" * 20_000)
            assert page.hear()["error"] == "TooLarge"
            page.act(99)
            assert page.hear()["error"] in ("IllegalChoice", "NotYourTurn")


def test_requests_are_rationed(tmp_path_factory: pytest.TempPathFactory) -> None:
    limits = replace(MANY, requests_a_second=0.001, requests_at_once=5)
    with service_at_work(tmp_path_factory.mktemp("rate"), limits=limits) as service:
        statuses = [service.ask("GET", "/api/health").status for _ in range(7)]
        assert statuses == [200] * 5 + [429] * 2
        assert service.ask("GET", "/").status == 200, "the page itself is not rationed"


def test_a_page_that_does_not_say_hello_is_sent_away(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    limits = replace(MANY, hello_seconds=0.05)
    with service_at_work(tmp_path_factory.mktemp("hello"), limits=limits) as service:
        table = service.table("hearts")
        with socket_to(service, table.id) as socket:
            assert json.loads(socket.recv())["error"] == "NotAllowed"


def test_a_bucket_fills_up_again_at_its_rate() -> None:
    now = [0.0]
    bucket = Bucket(2.0, 3.0, lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    now[0] = 100.0
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_rates_go_by_client_and_forget_the_oldest() -> None:
    rates = Rates(0.0, 1.0, most=2)
    assert [rates.take(client) for client in "aabbcca"] == [True, False] * 3 + [True]
