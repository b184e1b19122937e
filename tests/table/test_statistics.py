"""What is told of a person's deals: counted by hand, rated near the truth, kept from of old."""

from __future__ import annotations

import csv
import io
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from overtrick.arena.statistics import share_from_elo
from overtrick.games import load_game
from overtrick.records import Record
from overtrick.table.archive import person_of
from overtrick.table.live import quick_choices
from overtrick.table.migrations import MIGRATIONS
from overtrick.table.played import Filter, PlayedDeal, Score
from overtrick.table.rating import Meeting, mean_of, meeting, rating_of, share_of
from overtrick.table.setup import Setup
from overtrick.table.statistics import PAGE, statistics_of
from overtrick.table.storage import NAME, Storage
from overtrick.table.tables import Table, applied, lay
from overtrick.table.wire import GameStatistics, Statistics
from table.at_work import PERSON, LaidTable, Service, finished, service_at_work

STRONG, SIMPLE = "rulebook:strong@1", "rulebook:simple@1"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with service_at_work(tmp_path_factory.mktemp("statistics")) as running:
        yield running


# ---------------------------------------------------------------------------- on paper


def test_the_share_of_wilson_on_paper() -> None:
    # 8 of 10 at z = 1.96: (0.8 + 0.192) / 1.384 ± 1.96 * sqrt(0.016 + 0.0096) / 1.384
    found = share_of(8, 10)
    assert found is not None
    assert (found.mean, found.low, found.high) == (
        0.8,
        pytest.approx(0.490, abs=1e-3),
        pytest.approx(0.943, abs=1e-3),
    )
    assert share_of(0, 0) is None
    nothing, all_of_them = share_of(0, 5), share_of(5, 5)
    assert nothing is not None and all_of_them is not None
    assert (nothing.low, all_of_them.high) == (0.0, 1.0)


def test_a_mean_has_an_interval_from_two_values_on() -> None:
    assert mean_of([3.0]) is None
    found = mean_of([1.0, 2.0, 3.0, 2.0, 2.0, 2.0])
    assert found is not None
    assert found.mean == pytest.approx(2.0)
    assert found.high - found.mean == pytest.approx(found.mean - found.low)
    assert found.high == pytest.approx(2.0 + 2.571 * 0.6325 / 6**0.5, abs=2e-3)


# ---------------------------------------------------------------------------- ratings


def met(scores: list[float], elo: float) -> list[Meeting]:
    return [Meeting(score, 1.0, -elo) for score in scores]


def test_who_wins_every_second_deal_is_as_strong_as_the_others() -> None:
    found = rating_of(met([1.0, 0.0] * 10, 500.0))
    assert found is not None
    assert found.mean == pytest.approx(500.0, abs=1e-6)
    assert found.high - 500 == pytest.approx(500 - found.low, abs=1e-6)


def test_a_rating_is_near_the_truth_and_its_interval_shrinks() -> None:
    rng, truth = random.Random(4), 640.0
    widths = []
    for count in (40, 4000):
        elos = [rng.choice([400.0, 515.0, 650.0]) for _ in range(count)]
        results = [
            Meeting(float(rng.random() < share_from_elo(truth - elo)), 1.0, -elo) for elo in elos
        ]
        found = rating_of(results)
        assert found is not None
        assert found.low < truth < found.high
        widths.append(found.high - found.low)
    assert widths[1] < widths[0] / 5


def test_who_won_or_lost_everything_has_a_rating_within_bounds() -> None:
    best, worst = rating_of(met([1.0] * 9, 500.0)), rating_of(met([0.0] * 9, 500.0))
    assert best is not None and worst is not None
    # as if 9.5 of 10 were won: 400 * log10(19) = 511.5
    assert best.mean - 500 == pytest.approx(511.5, abs=0.1)
    assert 500 - worst.mean == pytest.approx(511.5, abs=0.1)
    assert best.low > 500 > worst.high
    assert best.high < 3000


def test_few_deals_have_no_rating() -> None:
    assert rating_of(met([1.0] * 4, 500.0)) is None


def test_against_several_a_deal_is_won_by_parts() -> None:
    found = meeting(load_game("hearts"), 1, [1.0, 2.0, 3.0, 2.0], [400.0, None, 500.0, 600.0])
    assert found == Meeting(pytest.approx(0.5), 1.0, -500.0)


def test_a_side_is_as_strong_as_the_mean_of_its_players() -> None:
    # With a partner of 300 against 500 and 500, a side is even at an Elo of 700.
    found = meeting(load_game("hokm"), 0, [1.0, -1.0, 1.0, -1.0], [None, 500.0, 300.0, 500.0])
    assert found is not None
    assert found.score == 1.0
    assert found.part * 700 + found.lead == 0.0


def test_a_deal_against_a_player_that_was_not_measured_says_nothing() -> None:
    assert meeting(load_game("hokm"), 0, [1.0, -1.0, 1.0, -1.0], [None, 500.0, None, 500.0]) is None


# ---------------------------------------------------------------------------- a made history


def deal_of(number: int, payoff: float, **more: Any) -> PlayedDeal:
    """A deal of Snapszer, number after number at the table `t` and on one day each."""
    setup = Setup("snapszer", "", (PERSON, more.pop("bot", STRONG)), ("", ""), 1, 2)
    if more.pop("retry", False):
        setup = Setup("snapszer", "", setup.players, ("", ""), 1, 2, "snapszer; …", True, 0)
    gained = (int(payoff), 0) if payoff > 0 else (0, int(-payoff))
    winners = more.pop("winners", ())
    known = {
        "table": "t",
        "deal": number,
        "setup": setup,
        "place": 0,
        "token": "secret",
        "line": "",
        "seats": (0, 1),
        "score": Score((payoff, -payoff), gained, winners),
        "assisted": setup.retry,
        "finished": f"2026-03-{number + 1:02}T12:00:00.000Z",
        "accuracy": None,
        "outcome": None,
    }
    return PlayedDeal(**known | more)


HISTORY = [
    deal_of(0, 2.0, accuracy=0.9, outcome="well-played"),
    deal_of(1, -1.0),
    deal_of(2, 3.0, winners=(0,), accuracy=0.7, outcome="well-played"),
    deal_of(3, -3.0),
    deal_of(4, 1.0, assisted=True, accuracy=0.1),
    deal_of(5, -2.0, winners=(1,)),  # a match with help in it
    deal_of(6, -1.0, bot=SIMPLE, winners=(1,)),
    deal_of(7, 3.0, bot=SIMPLE, retry=True, table="u", winners=(0,)),
]


def game_of(told: Statistics) -> GameStatistics:
    (game,) = told.games
    return game


def test_a_small_history_counted_by_hand() -> None:
    game = game_of(statistics_of(HISTORY, Filter(), 0))
    assert (game.deals, game.assisted) == (6, 1)
    assert game.payoff is not None and game.won is not None
    assert game.payoff.mean == pytest.approx((2 - 1 + 3 - 3 - 2 - 1) / 6)
    assert game.won.mean == pytest.approx(2 / 6)
    assert game.matches == 2
    assert game.matches_won is not None
    assert game.matches_won.mean == 0.5
    assert game.reviewed == 2
    assert game.accuracy is not None
    assert game.accuracy.mean == pytest.approx(0.8)
    (company,) = game.opponents  # the other was met once
    assert (company.players, company.titles, company.deals) == ([STRONG], ["Strong rules"], 5)
    assert company.elo == 506
    # 2.5 of 7 deals, the half won and lost on top counted, against a mean of (5 * 506 + 380) / 6
    assert game.rating is not None
    assert 350 < game.rating.mean < 480


def test_every_deal_is_listed_the_latest_first() -> None:
    told = statistics_of(HISTORY, Filter(), 0)
    assert [row.deal for row in told.rows] == [7, 6, 5, 4, 3, 2, 1, 0]
    assert [row.retry for row in told.rows] == [True] + [False] * 7
    assert told.rows[-1].outcome == "well-played"
    assert (told.rows[1].payoff, told.rows[1].gained) == (-1.0, 0)


@pytest.mark.parametrize(
    ("wanted", "deals"),
    [
        (Filter(game="snapszer"), [7, 6, 5, 4, 3, 2, 1, 0]),
        (Filter(game="hearts"), []),
        (Filter(player=SIMPLE), [7, 6]),
        (Filter(since="2026-03-04", until="2026-03-06"), [5, 4, 3]),
        (Filter(until="2026-03"), [7, 6, 5, 4, 3, 2, 1, 0]),
        (Filter(until="2025"), []),
        (Filter(assisted=True), [7, 4]),
        (Filter(assisted=False), [6, 5, 3, 2, 1, 0]),
    ],
)
def test_filters_choose_the_deals(wanted: Filter, deals: list[int]) -> None:
    told = statistics_of(HISTORY, wanted, 0)
    assert [row.deal for row in told.rows] == deals
    assert told.deals == len(deals)


def test_rows_come_in_pages() -> None:
    many = [deal_of(0, 1.0, table=f"t{number:03}") for number in range(PAGE + 3)]
    assert len(statistics_of(many, Filter(), 0).rows) == PAGE
    last = statistics_of(many, Filter(), PAGE)
    assert (last.deals, len(last.rows)) == (PAGE + 3, 3)
    assert statistics_of(many, Filter(), 1000).rows == []


def test_who_has_played_nothing_has_no_games() -> None:
    assert statistics_of([], Filter(), 0) == Statistics(games=[], deals=0, rows=[])


# ---------------------------------------------------------------------------- in the service


def laid(service: Service, me: str, **more: Any) -> LaidTable:
    service.wait_for("snapszer")
    asked = {"game": "snapszer", "players": [PERSON, STRONG], "variant": {"target": 3}} | more
    return LaidTable(service, service.ask("POST", "/api/tables", asked, me).json)


def test_what_was_played_is_told_and_given_as_files(service: Service) -> None:
    me = "statistician one"
    tables = [laid(service, me) for _ in range(3)]
    payoffs = [finished(table)["frame"]["result"]["payoffs"][0] for table in tables]
    told = Statistics.model_validate(service.ask("GET", "/api/statistics", secret=me).json)
    assert sorted(row.payoff for row in told.rows) == sorted(payoffs)
    assert {row.token for row in told.rows} == {table.tokens[0] for table in tables}
    assert told.rows[0].variant == {"target": 3}
    assert game_of(told).deals == 3
    lines = service.ask("GET", "/api/export", secret=me)
    assert lines.headers["content-disposition"].startswith("attachment")
    records = [Record.from_json(line) for line in lines.text.splitlines()]
    assert sorted(float(record.deal().payoffs[0]) for record in records) == sorted(payoffs)
    rows = service.ask("GET", "/api/export?format=csv&player=" + STRONG, secret=me)
    assert rows.headers["content-type"].startswith("text/csv")
    read = [*csv.DictReader(io.StringIO(rows.text))]
    assert sorted(float(row["payoff"]) for row in read) == sorted(payoffs)
    assert not any(table.tokens[0] in rows.text + lines.text for table in tables)


def test_only_deals_played_alone_against_bots_are_told_to_who_laid_the_table(
    service: Service,
) -> None:
    me = "statistician two"
    mine = laid(service, me)
    finished(mine)
    laid(service, me, players=[STRONG, STRONG])
    among = laid(service, me, players=[PERSON, PERSON])
    assert among.snapshot()["frame"]["result"] is None
    told = service.ask("GET", "/api/statistics", secret=me).json
    assert [row["table"] for row in told["rows"]] == [mine.id]
    assert service.ask("GET", "/api/statistics", secret="x" * 20).json["rows"] == []
    assert service.ask("GET", "/api/statistics").status == 401
    assert service.ask("GET", "/api/export", secret="short").status == 401


def test_a_table_that_is_deleted_is_in_no_statistics(service: Service) -> None:
    me = "statistician three"
    table = laid(service, me)
    finished(table)
    assert service.ask("GET", "/api/statistics", secret=me).json["deals"] == 1
    service.ask("DELETE", f"/api/tables/{table.id}", secret=me)
    assert service.ask("GET", "/api/statistics", secret=me).json["deals"] == 0
    assert service.ask("GET", "/api/export", secret=me).text == ""


@pytest.mark.parametrize(
    "query",
    ["since=yesterday", "until=2026-13-1x", "first=-1", "assisted=perhaps", "game=" + "x" * 201],
)
def test_a_filter_that_makes_no_sense_is_refused_in_one_line(service: Service, query: str) -> None:
    answer = service.ask("GET", f"/api/statistics?{query}", secret="statistician four")
    assert answer.status == 422
    assert "\n" not in answer.json["message"]


# ---------------------------------------------------------------------------- from of old


def played_out(setup: Setup) -> Table:
    table, _ = quick_choices(lay(setup))
    while not table.deal.is_over:
        event = {"kind": "act", "place": table.place_to_act, "choices": [table.deal.legal[0]]}
        table, _ = quick_choices(applied(table, event))
    return table


def database_of_version_1(folder: Path, owner: str) -> Table:
    """A folder as the first version left it, with one finished deal."""
    setup = Setup("snapszer", "", (PERSON, "random"), ("", ""), 5, 6)
    table = played_out(setup)
    folder.mkdir()
    connection = sqlite3.connect(folder / NAME)
    connection.executescript(f"{MIGRATIONS[0]}; PRAGMA user_version=1;")
    older = setup.text().replace(', "retry": false, "first": 0', "")
    kept = ("old", older, "watch", person_of(owner), "[]", "[]", "2025-01-01T00:00:00.000Z")
    connection.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)", kept)
    connection.execute("INSERT INTO seats VALUES ('old', 0, 'token')")
    row = ("old", 0, table.deal.text(), "[0, 1]", 0, "2025-01-01T00:00:00.000Z")
    connection.execute("INSERT INTO deals VALUES (?, ?, ?, ?, ?, ?)", row)
    connection.commit()
    connection.close()
    return table


def test_deals_kept_by_the_first_version_are_counted_too(tmp_path: Path) -> None:
    me, folder = "somebody of long ago", tmp_path / "data"
    table = database_of_version_1(folder, me)
    with service_at_work(folder) as service:
        service.wait_for("snapszer")
        for _ in range(2):
            (row,) = service.ask("GET", "/api/statistics", secret=me).json["rows"]
            assert row["payoff"] == float(table.deal.payoffs[0])
            assert table.outcome is not None
            assert row["gained"] == table.outcome.gained[0]
            assert (row["retry"], row["accuracy"]) == (False, None)
        (told,) = service.ask("GET", "/api/history", secret=me).json
        assert told["retry"] is False


def test_a_database_of_the_first_version_keeps_its_rows(tmp_path: Path) -> None:
    database_of_version_1(tmp_path / "data", "me of long ago then")
    storage = Storage(tmp_path / "data")
    count = storage.submit(lambda c: c.execute("SELECT count(*) FROM deals").fetchone()[0])
    version = storage.submit(lambda c: c.execute("PRAGMA user_version").fetchone()[0])
    assert (count.result(), version.result()) == (1, len(MIGRATIONS))
    storage.close()
