"""Programs at the table in the browser: seated by whoever starts the service, by nobody else."""

from __future__ import annotations

import json
import shlex
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bots.conftest import HOME, gone, left_of, name_of, starts
from overtrick.players import external
from overtrick.players.external import seat_bot
from table.at_work import ME, PERSON, LaidTable, Service, service_at_work, started

JS = f"node {shlex.quote(str(HOME / 'examples' / 'bot.js'))}"


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(external, "_BOTS", {})
    seat_bot(f"js={JS}")
    seat_bot(f"wrong={name_of('illegal', tmp_path)}")
    seat_bot(f"gone={name_of('exit', tmp_path)}")
    with service_at_work(tmp_path / "data") as running:
        yield running
    assert gone(tmp_path), left_of(tmp_path)


def finished(table: LaidTable) -> Any:
    """The last snapshot of a deal in which the person always takes the last choice."""
    with table.page() as page:
        page.until("snapshot")
        while page.frame["result"] is None:
            if page.frame["choices"]:
                page.act(page.frame["choices"][-1]["choice"])
            page.until("frames")
    return table.snapshot()


def test_the_lobby_lists_programs_by_their_names_and_not_by_their_commands(service):
    told = service.ask("GET", "/api/players?game=kuhn")
    named = {info["name"]: info["title"] for info in told.json}
    assert named["bot:js"] == "Program, js"
    assert "node" not in told.text and "hostile" not in told.text


def test_a_program_plays_a_deal_at_the_table(service):
    told = finished(service.table("kuhn", [PERSON, "bot:js"]))
    assert told["table"]["places"][1]["title"] == "Program, js"
    assert told["frame"]["replaced"] == 0


@pytest.mark.parametrize("bot", ["bot:wrong", "bot:gone"])
def test_what_was_chosen_in_the_place_of_a_program_is_told_and_kept(service, bot, tmp_path):
    table = service.table("kuhn", [PERSON, bot])
    told = finished(table)
    assert told["frame"]["replaced"] == 1
    number = told["table"]["deal"]
    events = _events(tmp_path / "data" / "tables.sqlite", table.id)
    reasons = [event["replaced"] for event in events if "replaced" in event]
    assert reasons == ["illegal" if bot == "bot:wrong" else "ended"]
    record = table.ask("GET", f"/deals/{number}/record").json
    assert record["comment"] == "1 choice was made in the place of a program that failed"
    assert table.ask("POST", "/next", {"kind": "next", "deal": number}).status == 200
    assert table.snapshot()["table"]["sheet"][0]["replaced"] == 1


def _events(database: Path, table_id: str) -> list[Any]:
    connection = sqlite3.connect(database)
    query = "SELECT events FROM changes WHERE table_id = ? ORDER BY first"
    rows = connection.execute(query, (table_id,)).fetchall()
    connection.close()
    return [event for (told,) in rows for event in json.loads(told)]


def test_the_end_of_the_service_does_not_wait_for_a_program_that_thinks(tmp_path, monkeypatch):
    monkeypatch.setattr(external, "_BOTS", {})
    seat_bot(f"slow={name_of('children', tmp_path)},limit=3600000")
    with service_at_work(tmp_path / "data") as service:
        table = service.table("kuhn", [PERSON, "bot:slow"])
        with table.page() as page:
            page.until("snapshot")
            if page.frame["choices"]:
                page.act(page.frame["choices"][-1]["choice"])
            page.until("thinking")
            while len(left_of(tmp_path)) < 5:  # the keeper, the program, and what it has started
                time.sleep(0.01)
    assert gone(tmp_path), left_of(tmp_path)


@pytest.mark.parametrize(
    ("player", "status", "told"),
    [
        ("exec:touch made", 403, "programs are seated by whoever starts the service"),
        (" exec :touch made", 403, "programs are seated by whoever starts the service"),
        ("exec:", 403, "programs are seated by whoever starts the service"),
        ("bot:nobody", 404, "there is no bot 'nobody'; known are gone, js, wrong"),
        ("bot:", 404, "there is no bot ''"),
        ("bot:js,style=low", 403, "the settings of a bot are told where it was given its name"),
        ("bot:js,ms=1", 403, "the settings of a bot are told where it was given its name"),
    ],
)
def test_a_browser_seats_no_program_that_was_not_named_before(
    service, player, status, told, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    service.wait_for("kuhn")
    body = {"game": "kuhn", "players": [PERSON, player]}
    view = "kuhn; ; ; 0 K;"
    for path, asked in (
        ("/api/tables", body),
        ("/api/choose", {"game": "kuhn", "player": player, "view": view}),
        ("/api/strategy", {"game": "kuhn", "player": player, "view": view}),
    ):
        answer = service.ask("POST", path, asked, ME)
        assert (answer.status, told in answer.json["message"]) == (status, True), answer.text
    assert not (tmp_path / "made").exists()
    assert starts(tmp_path) == 0


def test_the_command_names_programs_for_its_tables(tmp_path):
    with started(
        tmp_path, "--port", "0", "--bot", f"js={JS}", "--bot", f"low={JS},style=low"
    ) as it:
        names = {one["name"] for one in it.service.ask("GET", "/api/players?game=kuhn").json}
        assert {"bot:js", "bot:low"} <= names
        table = it.service.table("kuhn", [PERSON, "bot:low"])
        assert finished(table)["frame"]["replaced"] == 0
