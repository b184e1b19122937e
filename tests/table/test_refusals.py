"""What is refused changes nothing: out of turn, for another seat, late, twice at once."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from overtrick.table import archive
from table.at_work import PERSON, LaidTable, Service, service_at_work, socket_to


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with service_at_work(tmp_path_factory.mktemp("refusals")) as running:
        yield running


@pytest.fixture
def table(service: Service) -> LaidTable:
    return service.table("hearts", [PERSON, "random", PERSON, "random"], seed=2)


def whole(table: LaidTable) -> list[Any]:
    """All that anybody sees of a table."""
    return [table.snapshot(place) for place in (0, 2, None)]


def to_act(table: LaidTable) -> int:
    """The person to act."""
    return next(p for p in (0, 2) if table.snapshot(p)["frame"]["choices"])


def moment(table: LaidTable) -> dict[str, int]:
    told = table.snapshot()
    return {"deal": told["table"]["deal"], "number": told["frame"]["number"]}


def test_acting_out_of_turn_is_refused_and_changes_nothing(table: LaidTable) -> None:
    before, actor = whole(table), to_act(table)
    choice = table.snapshot(actor)["frame"]["choices"][0]["choice"]
    answer = table.act([choice], place=2 - actor)
    assert (answer.status, answer.json["error"]) == (409, "NotYourTurn")
    assert whole(table) == before


def test_an_illegal_choice_is_refused_and_changes_nothing(table: LaidTable) -> None:
    before, actor = whole(table), to_act(table)
    legal = {one["choice"] for one in table.snapshot(actor)["frame"]["choices"]}
    for choice in (next(c for c in range(52) if c not in legal), 62, 63, -1, 10**9, -(10**30)):
        answer = table.act([choice], place=actor)
        assert answer.status in (409, 422)
    assert whole(table) == before


@pytest.mark.parametrize("secret", ["", "wrong", "é", "\x7f"])
def test_acting_with_a_wrong_secret_is_refused_and_changes_nothing(
    table: LaidTable, secret: str
) -> None:
    before = whole(table)
    body = {"kind": "act", "choices": [0]} | moment(table)
    headers = {"authorization": f"Bearer {secret}"}
    path = f"/api/tables/{table.id}/acts"
    answer = table.service.ask("POST", path, body, headers=headers)
    assert answer.status == 401
    assert whole(table) == before


def test_the_secret_of_another_table_is_refused(service: Service, table: LaidTable) -> None:
    other = service.table("hearts")
    body = {"kind": "act", "choices": [0]} | moment(table)
    answer = service.ask("POST", f"/api/tables/{table.id}/acts", body, other.tokens[0])
    assert answer.status == 401


def test_who_watches_does_not_play(table: LaidTable) -> None:
    before = whole(table)
    for path, body in [
        ("/acts", {"kind": "act", "choices": [0]} | moment(table)),
        ("/undo", {"kind": "undo"} | moment(table)),
        ("/next", {"kind": "next", "deal": 0}),
    ]:
        assert table.ask("POST", path, body, None).status == 403
    assert whole(table) == before


def test_a_late_act_is_refused_and_changes_nothing(table: LaidTable) -> None:
    actor = to_act(table)
    then = moment(table)
    choice = table.snapshot(actor)["frame"]["choices"][0]["choice"]
    body = {"kind": "act", "choices": [choice]} | then
    assert table.ask("POST", "/acts", body, actor).status == 200
    before = whole(table)
    answer = table.ask("POST", "/acts", body, actor)
    assert (answer.status, answer.json["error"]) == (409, "TooLate")
    assert whole(table) == before


def test_of_many_acts_at_once_one_is_done(table: LaidTable) -> None:
    actor = to_act(table)
    then = moment(table)
    choices = [one["choice"] for one in table.snapshot(actor)["frame"]["choices"]][:8]
    statuses: list[int] = []

    def act(choice: int) -> None:
        body = {"kind": "act", "choices": [choice]} | then
        statuses.append(table.ask("POST", "/acts", body, actor).status)

    threads = [threading.Thread(target=act, args=(choice,)) for choice in choices]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, *[409] * (len(choices) - 1)]
    assert len(table.snapshot(actor)["past"]) == then["number"] + 1


def test_undo_among_people_is_refused(table: LaidTable) -> None:
    before = whole(table)
    answer = table.ask("POST", "/undo", {"kind": "undo"} | moment(table))
    assert (answer.status, answer.json["error"]) == (403, "NotAllowed")
    assert whole(table) == before


def test_what_cannot_be_kept_has_not_happened(
    table: LaidTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, actor = whole(table), to_act(table)
    choice = table.snapshot(actor)["frame"]["choices"][0]["choice"]

    def full(*told: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(archive, "append", full)
        answer = table.act([choice], place=actor)
    assert (answer.status, answer.json["error"]) == (507, "StorageFault")
    assert whole(table) == before
    assert table.act([choice], place=actor).status == 200


# ---------------------------------------------------------------------------- a fuzz of messages

JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=20),
    lambda inner: (
        some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
NUMBER = some.integers(-3, 70) | some.integers() | JSON
ALMOST = some.fixed_dictionaries(
    {
        "kind": some.sampled_from(
            ["act", "undo", "next", "analyse", "hint", "review", "hello", "snapshot"]
        )
        | JSON
    },
    optional={
        "deal": NUMBER,
        "number": NUMBER,
        "choices": some.lists(some.integers(-1, 64), max_size=5) | JSON,
        "token": JSON,
        "on": some.booleans() | JSON,
        "sims": NUMBER,
        "worlds": NUMBER,
        "id": NUMBER,
        "place": NUMBER,
        "extra": JSON,
    },
)
MESSAGES = (
    ALMOST.map(json.dumps)
    | JSON.map(json.dumps)
    | some.text(max_size=50)
    | some.binary(max_size=50)
    | some.just("[" * 5000)
    | some.just("x" * 20_000)
)


@pytest.fixture(scope="module")
def victim(service: Service) -> LaidTable:
    return service.table("hearts", [PERSON, "random", PERSON, "random"], seed=2)


@given(messages=some.lists(MESSAGES, min_size=1, max_size=10))
def test_no_message_breaks_a_socket_or_damages_a_table(
    victim: LaidTable, messages: list[str | bytes]
) -> None:
    # the seat that is not to act sends it: whatever it says, nothing may change
    quiet = 2 - to_act(victim)
    before = victim.service.inside(victim.id).deal
    with victim.page(quiet) as page:
        page.hear()
        for message in messages:
            page.socket.send(message)
            answer = page.hear()
            assert answer["kind"] == "refused"
            assert answer["error"] != "Fault", message
    assert victim.service.inside(victim.id).deal == before


@given(messages=some.lists(MESSAGES, min_size=1, max_size=4))
def test_no_first_message_opens_a_table(victim: LaidTable, messages: list[str | bytes]) -> None:
    with socket_to(victim.service, victim.id) as socket:
        socket.send(messages[0])
        told = json.loads(socket.recv())
        assert told["kind"] == "refused"
        assert told["error"] != "Fault"
