"""A finished deal tried again: the same cards, choices and players, on a table of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from overtrick.games import game_names
from overtrick.table.setup import Setup
from table.at_work import PERSON, LaidTable, Service, finished, service_at_work

ME = "somebody who tries again"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with service_at_work(tmp_path_factory.mktemp("retry")) as running:
        yield running


def laid(service: Service, game: str, players: list[str], **more: Any) -> LaidTable:
    service.wait_for(game)
    asked = {"game": game, "players": players} | more
    answer = service.ask("POST", "/api/tables", asked, ME)
    assert answer.status == 201, answer.text
    return LaidTable(service, answer.json)


def tried_again(table: LaidTable, number: int, deal: int = 0) -> LaidTable:
    answer = table.ask("POST", f"/deals/{deal}/retry", {"number": number})
    assert answer.status == 201, answer.text
    return LaidTable(table.service, answer.json)


def mine(told: Any) -> list[int]:
    """The numbers of choices before each choice of the viewer."""
    return [made["number"] - 1 for made in told["past"] if made["seat"] == told["table"]["viewer"]]


def go_on(table: LaidTable, past: list[Any]) -> Any:
    """The last snapshot, the person choosing as in that past as long as it lasts."""
    told = table.snapshot()
    while told["frame"]["result"] is None:
        wanted = past[told["frame"]["number"]]["text"]
        choices = told["frame"]["choices"]
        choice = next(one["choice"] for one in choices if one["text"] == wanted)
        told = table.act([choice]).json
    return told


@pytest.mark.parametrize("name", game_names())
def test_a_deal_goes_on_from_any_choice_with_the_same_cards_and_players(
    service: Service, name: str
) -> None:
    table = service.table(name, names=["Ada"])
    first = finished(table)
    for number in mine(first)[:: max(1, len(mine(first)) // 3)]:
        again = tried_again(table, number).snapshot()
        assert again["frame"]["number"] == number
        assert again["past"] == first["past"][:number]
        players = [(place["player"], place["title"]) for place in again["table"]["places"]]
        assert players == [(p["player"], p["title"]) for p in first["table"]["places"]]
        assert (again["table"]["retry"], again["table"]["shared"]) == (True, False)
        assert again["frame"]["assisted"]
        assert not again["frame"]["can_undo"]


@pytest.mark.parametrize("name", game_names())
def test_the_same_choices_again_give_the_same_deal(service: Service, name: str) -> None:
    table = service.table(name)
    finished(table)
    table.ask("POST", "/next", {"kind": "next", "deal": 0})
    first = finished(table)
    middle = mine(first)[len(mine(first)) // 2]
    ends = [go_on(tried_again(table, middle, deal=1), first["past"]) for _ in range(2)]
    for end in ends:
        assert end["past"] == first["past"]
        assert end["frame"]["result"]["dealt"] == first["frame"]["result"]["dealt"]
        assert end["frame"]["result"]["payoffs"] == first["frame"]["result"]["payoffs"]


def test_a_bot_that_had_chosen_after_the_moment_chooses_the_same_again(service: Service) -> None:
    table = service.table("hearts", seed=6)
    first = finished(table)
    number = mine(first)[5] + 1  # the choice of the person stays, the bots answer it anew
    again = tried_again(table, number).snapshot()
    assert again["past"] == first["past"][: again["frame"]["number"]]
    assert again["frame"]["number"] > number


def test_a_deal_tried_again_is_tried_again_reviewed_and_followed_by_others(
    service: Service,
) -> None:
    table = laid(service, "snapszer", [PERSON, "random"])
    first = finished(table)
    again = tried_again(table, mine(first)[1])
    end = finished(again)
    deal = end["table"]["deal"]
    once_more = tried_again(again, mine(end)[-1], deal=deal)
    assert once_more.snapshot()["past"] == end["past"][: mine(end)[-1]]
    following = again.ask("POST", "/next", {"kind": "next", "deal": deal})
    assert following.status == 200
    assert following.json["frame"]["assisted"]
    assert following.json["table"]["deal"] == deal + 1


def test_the_deals_that_follow_are_not_those_of_the_first_table(service: Service) -> None:
    table = laid(service, "snapszer", [PERSON, "random"])
    again = tried_again(table, mine(finished(table))[0])
    finished(again)
    dealt = []
    for one in (table, again):
        one.ask("POST", "/next", {"kind": "next", "deal": 0})
        dealt.append(finished(one)["frame"]["result"]["dealt"])
    assert dealt[0] != dealt[1]


def test_a_retry_is_told_from_other_tables_in_the_history_of_who_laid_the_first(
    service: Service,
) -> None:
    table = laid(service, "snapszer", [PERSON, "random"])
    again = tried_again(table, mine(finished(table))[0])
    rows = {row["table"]: row for row in service.ask("GET", "/api/history", secret=ME).json}
    assert rows[again.id]["retry"] is True
    assert rows[table.id]["retry"] is False
    assert rows[again.id]["token"] == again.tokens[0]


def test_a_moment_without_a_choice_ahead_is_refused(service: Service) -> None:
    table = laid(service, "snapszer", [PERSON, "random"])
    first = finished(table)
    for number in (mine(first)[-1] + 1, len(first["past"]), len(first["past"]) + 1, 2**15 - 1):
        answer = table.ask("POST", "/deals/0/retry", {"number": number})
        assert answer.status == 409
        assert answer.json["message"].startswith("no choice of yours lies ahead")


def test_a_deal_that_goes_on_cannot_be_tried_again(service: Service) -> None:
    table = service.table("hearts")
    for deal in (0, 3):
        answer = table.ask("POST", f"/deals/{deal}/retry", {"number": 0})
        assert (answer.status, answer.json["error"]) == (409, "DealOver")


def test_who_watches_or_sat_among_people_cannot_try_again(service: Service) -> None:
    alone = laid(service, "snapszer", [PERSON, "random"])
    finished(alone)
    assert alone.ask("POST", "/deals/0/retry", {"number": 0}, place=None).status == 403
    among = laid(service, "kuhn", [PERSON, PERSON])
    while among.snapshot()["frame"]["result"] is None:
        place = 0 if among.snapshot(0)["frame"]["choices"] else 1
        among.act([among.snapshot(place)["frame"]["choices"][0]["choice"]], place)
    assert among.ask("POST", "/deals/0/retry", {"number": 0}).status == 403


def test_a_setup_of_an_older_version_is_no_retry() -> None:
    told = Setup("hearts", "", (PERSON, "a", "b", "c"), ("",) * 4, 1, 2).text()
    older = told.replace(', "retry": false, "first": 0', "")
    assert older != told
    assert Setup.read(older) == Setup.read(told)
