"""Hints and live analysis at a table: who is helped, when, and that it is marked first."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from overtrick.games import game_names
from overtrick.review.judge import Judge
from overtrick.table import archive
from overtrick.table.analysing import Analysis
from overtrick.table.wire import Analysis as AnalysisTold
from overtrick.table.wire import HintTold
from table.at_work import PERSON, LaidTable, OpenPage, Service, finished, service_at_work

LONG = {"sims": 2_000, "worlds": 200}
SHORT = {"sims": 10, "worlds": 2}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with service_at_work(tmp_path_factory.mktemp("assistance")) as running:
        yield running


def first_choice(page: OpenPage) -> None:
    page.act(page.frame["choices"][0]["choice"])


def first_bars(page: OpenPage) -> Any:
    """The next analysis with bars: before it may come how far the search is compiled."""
    while not (told := page.until("analysis"))["bars"]:
        pass
    return told


def with_a_choice(table: LaidTable, page: OpenPage) -> None:
    """Sit down, and play on until there is something to choose."""
    page.until("snapshot")
    on_to_a_choice(page)


def on_to_a_choice(page: OpenPage) -> None:
    while len(page.frame["choices"]) < 2:
        first_choice(page)
        page.until("frames")


# ---------------------------------------------------------------------------- analysis


@pytest.mark.parametrize("name", game_names())
def test_every_position_of_a_deal_is_analysed_and_no_other(service: Service, name: str) -> None:
    with service.table(name).page() as page:
        page.until("snapshot")
        page.send(kind="analyse", on=True, **SHORT)
        while page.frame["result"] is None:
            told = page.hear()
            if told["kind"] == "analysis":
                assert (told["deal"], told["number"]) == (page.deal, page.frame["number"])
                AnalysisTold.model_validate_json(page.texts[-1], strict=True)
                assert set(told) == set(AnalysisTold.model_fields)
                legal = {one["choice"] for one in page.frame["choices"]}
                assert not told["bars"] or {bar["choice"] for bar in told["bars"]} == legal
                if told["over"]:
                    first_choice(page)
        assert page.frame["assisted"]


def test_nothing_of_an_older_position_follows_the_frames_of_a_newer_one(service: Service) -> None:
    with service.table("hearts").page() as page:
        page.until("snapshot")
        page.send(kind="analyse", on=True, sims=2_000, worlds=20)
        answered = -1
        while page.frame["result"] is None:
            told = page.hear()
            if told["kind"] == "analysis":
                assert told["number"] == page.frame["number"]
                if told["bars"] and told["number"] != answered:
                    answered = told["number"]
                    first_choice(page)  # in the middle of it, mostly


def test_an_analysis_is_dropped_when_the_position_changes(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    slices: list[int] = []
    go_on = Analysis._go_on

    def counted(analysis: Analysis, search: Any) -> None:
        slices.append(analysis._head["number"])
        go_on(analysis, search)

    monkeypatch.setattr(Analysis, "_go_on", counted)
    table = service.table("hearts")
    with table.page() as page:
        with_a_choice(table, page)
        page.send(kind="analyse", on=True, **LONG)
        first_bars(page)
        old = page.frame["number"]
        first_choice(page)
        page.until("frames")
        done = len(slices)
        on_to_a_choice(page)  # a position without one is told without a search
        first_bars(page)
        assert slices[done:].count(old) <= 1, "the slice under way may end, and none begins"
        assert page.frame["number"] in slices


def test_other_settings_begin_the_analysis_anew(service: Service) -> None:
    table = service.table("hearts")
    with table.page() as page:
        with_a_choice(table, page)
        page.send(kind="analyse", on=True, **LONG)
        assert page.until("analysis")["of"] == LONG["sims"]
        page.send(kind="analyse", on=True, sims=30, worlds=4)
        while (told := page.until("analysis"))["of"] == LONG["sims"]:
            pass
        assert told["done"] < LONG["sims"]
        while not told["over"]:
            told = page.until("analysis")
            assert (told["of"], told["worlds"]) == (30, 4)


def test_an_analysis_that_is_switched_off_tells_nothing_more(service: Service) -> None:
    table = service.table("hearts")
    with table.page() as page:
        with_a_choice(table, page)
        page.send(kind="analyse", on=True, **LONG)
        page.until("analysis")
        page.send(kind="analyse", on=False)
        page.act(99)  # refused, so that it is known when the message before was heard
        page.until("refused")
        first_choice(page)
        assert page.hear()["kind"] == "frames"


def test_a_page_that_comes_again_asks_for_analysis_again(service: Service) -> None:
    table = service.table("hearts")
    with table.page() as page:
        with_a_choice(table, page)
        page.send(kind="analyse", on=True, **LONG)
        page.until("analysis")
    with table.page() as page:
        page.until("snapshot")
        first_choice(page)
        assert page.hear()["kind"] == "frames"


def test_a_forced_choice_is_told_at_once(service: Service) -> None:
    with service.table("hokm").page() as page:
        page.until("snapshot")
        page.send(kind="analyse", on=True, **SHORT)
        while page.frame["result"] is None:
            told = page.until("analysis")
            if len(page.frame["choices"]) == 1:
                (bar,) = told["bars"]
                assert (told["over"], told["value"], bar["best"]) == (True, None, True)
            if told["over"]:
                first_choice(page)
                page.until("frames")


@pytest.mark.parametrize("more", [{"sims": 9}, {"sims": 2001}, {"worlds": 0}, {"worlds": 201}])
def test_an_analysis_without_bounds_is_refused(service: Service, more: dict[str, int]) -> None:
    with service.table("hearts").page() as page:
        page.until("snapshot")
        page.send(kind="analyse", on=True, **more)
        assert page.hear()["error"] == "BadNotation"


# ---------------------------------------------------------------------------- hints


@pytest.mark.parametrize("name", game_names())
def test_a_hint_is_what_the_judge_finds_best(service: Service, name: str) -> None:
    table = service.table(name)
    with table.page() as page:
        with_a_choice(table, page)
        page.ask("hint", id=5)
        told = HintTold.model_validate(page.until("hint"))
        assert (told.deal, told.number, told.re) == (page.deal, page.frame["number"], 5)
        now = service.inside(table.id)
        weighed = Judge(now.game).weigh(now.deal.view(0))
        assert told.hint.choice == weighed.choices[weighed.best]
        first_choice(page)
        assert page.until("frames")["frames"][-1]["assisted"]


def refused(page: OpenPage, **message: Any) -> str:
    page.send(**message)
    error: str = page.until("refused")["error"]
    return error


def test_who_watches_or_plays_against_people_is_not_helped(service: Service) -> None:
    alone = service.table("hearts")
    among = service.table("hearts", [PERSON, "random", PERSON, "random"])
    for table, place in [(alone, None), (among, 0), (among, None)]:
        with table.page(place) as page:
            page.until("snapshot")
            assert refused(page, kind="analyse", on=True) == "NotAllowed"
            moment = {"deal": page.deal, "number": page.frame["number"]}
            assert refused(page, kind="hint", **moment) == "NotAllowed"
        assert not service.inside(table.id).assisted


def test_a_hint_for_another_moment_is_refused(service: Service) -> None:
    table = service.table("hearts")
    with table.page() as page:
        page.until("snapshot")
        number = page.frame["number"]
        assert refused(page, kind="hint", deal=0, number=number + 1) == "TooLate"
        assert refused(page, kind="hint", deal=1, number=number) == "TooLate"
    assert not service.inside(table.id).assisted


def test_there_is_no_hint_once_the_deal_is_over(service: Service) -> None:
    table = service.table("snapszer")
    number = finished(table)["frame"]["number"]
    with table.page() as page:
        page.until("snapshot")
        assert refused(page, kind="hint", deal=0, number=number) == "NotYourTurn"
    assert not service.inside(table.id).assisted


def test_questions_beyond_a_few_at_once_are_refused(service: Service) -> None:
    table = service.table("hearts")
    with table.page() as page:
        with_a_choice(table, page)
        for number in range(12):
            page.ask("hint", id=number)
        answers = [page.hear() for _ in range(12)]
        assert {told["kind"] for told in answers} == {"hint", "refused"}
        assert {told["error"] for told in answers if told["kind"] == "refused"} == {"TooMany"}
        assert {told["re"] for told in answers} == {*range(12)}


# ---------------------------------------------------------------------------- marked first


def test_help_that_cannot_be_marked_is_not_given(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*told: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    table = service.table("hearts")
    with table.page() as page:
        with_a_choice(table, page)
        with monkeypatch.context() as broken:
            broken.setattr(archive, "append", full)
            page.ask("hint")
            assert page.hear()["error"] == "StorageFault"
            page.send(kind="analyse", on=True, **SHORT)
            assert page.hear()["error"] == "StorageFault"
        page.ask("hint")
        page.until("hint")


@pytest.mark.parametrize("question", ["hint", "analyse"])
def test_a_helped_deal_is_known_as_such_by_the_next_service(tmp_path: Path, question: str) -> None:
    with service_at_work(tmp_path) as service:
        table = service.table("hokm")
        with table.page() as page:
            with_a_choice(table, page)
            if question == "hint":
                page.ask("hint")
                page.until("hint")
            else:
                page.send(kind="analyse", on=True, **SHORT)
                first_bars(page)
            events = service.app.state.house.storage.submit(
                lambda kept: archive.load_table(kept, table.id).events
            ).result()
            assert [event["kind"] for event in events].count("assist") == 1
    with service_at_work(tmp_path) as service:
        table.service = service
        assert table.snapshot()["frame"]["assisted"]
        finished(table)
        answer = table.ask("POST", "/next", {"kind": "next", "deal": 0}).json
        assert answer["table"]["sheet"][0]["assisted"]
        assert not answer["frame"]["assisted"], "each deal is marked by itself"
