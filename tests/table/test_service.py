"""The service over HTTP and its sockets: the lobby, tables, people, records, and its door."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from overtrick.engine.deals import Deal
from overtrick.games import game_names, load_game
from overtrick.records import Record
from overtrick.table.wire import AnyMessage
from table.at_work import ME, PERSON, LaidTable, Service, finished, service_at_work, socket_to


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    page = folder / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html><title>Overtrick</title>" + " " * 2000)
    (page / "assets" / "index-abc.js").write_text("export {}")
    (folder / "secret.txt").write_text("not for pages")
    with service_at_work(folder / "data", page=page) as running:
        yield running


# ---------------------------------------------------------------------------- the lobby


def test_the_lobby_lists_the_games_with_options_and_players(service: Service) -> None:
    listed = service.ask("GET", "/api/games").json
    assert [game["name"] for game in listed] == game_names()
    for told in listed:
        game = load_game(told["name"])
        assert told["seats"] == len(told["seat_names"]) == game.seats
        house_rules = [o for o in game.variant.options() if o not in game.showing.learning_options]
        assert [one["name"] for one in told["options"]] == house_rules
        assert any(player["name"].startswith("rulebook") for player in told["players"])
        assert not any(player["name"].startswith("clairvoyant") for player in told["players"])


def test_an_unknown_game_is_not_found_in_one_line(service: Service) -> None:
    for path in ("/api/games/chess", "/api/players?game=chess"):
        answer = service.ask("GET", path)
        assert answer.status == 404
        assert answer.json["error"] == "UnknownName"
        assert "there is no game 'chess'" in answer.json["message"]


def test_players_are_listed_for_a_game(service: Service) -> None:
    listed = service.ask("GET", "/api/players?game=hearts").json
    assert "random" in [player["name"] for player in listed]


@pytest.mark.parametrize(
    ("more", "status", "expected"),
    [
        ({"game": "chess"}, 404, "there is no game 'chess'"),
        ({"players": [PERSON]}, 422, "4 places want players, not 1"),
        ({"players": [PERSON, "nobody", "random", "random"]}, 404, "there is no player 'nobody'"),
        ({"players": [PERSON, "clairvoyant", "random", "random"]}, 403, "sees all cards"),
        (
            {"players": [PERSON, "pimc:worlds=999999", "random", "random"]},
            422,
            "worlds is at most 1000",
        ),
        ({"players": [PERSON, "puct:ms=600000", "random", "random"]}, 422, "ms is at most 10000"),
        ({"players": [PERSON, "puct:sims=20000,worlds=999", "random", "random"]}, 422, "in all"),
        ({"variant": {"moon": "blue"}}, 422, "moon is one of"),
        ({"variant": {"sun": True}}, 404, "no option of hearts 'sun'"),
        ({"names": ["a"] * 8}, 422, "4 places cannot have 8 names"),
        ({"deal": "hearts; nonsense"}, 422, "a shared deal is"),
        ({"deal": "hokm; ; ; ;"}, 422, "a shared deal is 'hearts;"),
        ({"deal": "hearts; ; ; 0 2C;"}, 422, "hearts"),
        ({"deal": "hearts; ; ; 0 2C;", "seed": 3}, 403, "neither variant nor seed"),
        ({"seed": -1}, 422, "seed"),
        ({"colour": "blue"}, 422, "colour"),
    ],
)
def test_a_table_that_cannot_be_laid_is_refused_in_one_line(
    service: Service, more: dict[str, Any], status: int, expected: str
) -> None:
    service.wait_for("hearts")
    asked = {"game": "hearts", "players": [PERSON, "random", "random", "random"]} | more
    answer = service.ask("POST", "/api/tables", asked)
    assert answer.status == status, answer.text
    assert expected in answer.json["message"]
    assert "\n" not in answer.json["message"]


# ---------------------------------------------------------------------------- a table


def test_a_test_game_goes_through_the_service_unchanged(service: Service) -> None:
    for name in ("thirds", "kuhn", "leduc", "whist3x3"):
        result = finished(service.table(name))["frame"]["result"]
        assert sum(result["payoffs"]) == pytest.approx(0)


def test_two_people_see_different_frames(service: Service) -> None:
    table = service.table("hearts", [PERSON, "random", PERSON, "random"])
    with table.page(0) as one, table.page(2) as two, table.page(None) as nobody:
        hands = [page.hear()["frame"]["hand"] for page in (one, two, nobody)]
        assert len(hands[0]) == len(hands[1]) == 13
        assert not set(hands[0]) & set(hands[1])
        assert hands[2] == []


def test_an_act_is_told_to_every_page_with_what_the_bots_answer(service: Service) -> None:
    table = service.table("hokm", seed=5)
    with table.page() as page, table.page() as other, table.page(None) as watcher:
        for one in (page, other, watcher):
            one.hear()
        start = page.frame["number"]
        page.act(page.frame["choices"][0]["choice"])
        told = [next(_frames(one)) for one in (page, other, watcher)]
        assert told[0] == told[1]
        numbers = [frame["number"] for frame in told[0]["frames"]]
        assert numbers == [*range(start + 1, start + 1 + len(numbers))]
        assert [frame["number"] for frame in told[2]["frames"]] == numbers


def _frames(page: Any) -> Iterator[Any]:
    while True:
        message = page.hear()
        if message["kind"] == "frames":
            yield message


def test_who_comes_and_goes_is_told_to_the_others(service: Service) -> None:
    table = service.table("hearts", [PERSON, "random", PERSON, "random"])
    with table.page(0) as one:
        assert [place["connected"] for place in one.hear()["table"]["places"]][2] is False
        with table.page(2) as two:
            two.hear()
            assert one.hear() == {"kind": "presence", "connected": [True] * 4}
        assert one.hear() == {"kind": "presence", "connected": [True, True, False, True]}


def test_undo_gives_a_snapshot_of_the_assisted_deal(service: Service) -> None:
    table = service.table("hokm", seed=5)
    with table.page() as page:
        page.hear()
        start = page.frame
        page.act(start["choices"][0]["choice"])
        next(_frames(page))
        assert page.frame["can_undo"]
        page.send(kind="undo", deal=0, number=page.frame["number"])
        back = page.hear()
        assert back["kind"] == "snapshot"
        assert back["frame"]["number"] == start["number"]
        assert back["frame"]["assisted"]
        assert back["frame"]["choices"] == start["choices"]


def test_bots_choose_the_same_again_after_an_undo(service: Service) -> None:
    table = service.table("hokm", seed=5)
    first = table.act([table.snapshot()["frame"]["choices"][0]["choice"]]).json
    moment = {"deal": 0, "number": first["frame"]["number"]}
    back = table.ask("POST", "/undo", {"kind": "undo"} | moment).json
    again = table.act([back["frame"]["choices"][0]["choice"]]).json
    assert again["past"] == first["past"]


def test_a_searching_player_sits_down_and_the_service_goes_on_meanwhile(service: Service) -> None:
    table = service.table("snapszer", [PERSON, "pimc:worlds=30"])
    with table.page() as page:
        kinds = {page.hear()["kind"]}
        for _ in range(3):
            while not page.frame["choices"] and page.frame["result"] is None:
                kinds.add(page.hear()["kind"])
                assert service.ask("GET", "/api/health").status == 200
            if page.frame["result"] is not None:
                break
            page.act(page.frame["choices"][0]["choice"])
            while page.hear()["kind"] != "frames":
                pass
    assert kinds <= {"snapshot", "frames", "thinking"}


def test_a_table_of_bots_is_watched_and_its_next_deal_asked_for(service: Service) -> None:
    table = service.table("hearts", ["random"] * 4)
    assert table.tokens == {}
    told = table.snapshot(None)
    assert told["frame"]["result"] is not None
    answer = table.ask("POST", "/next", {"kind": "next", "deal": 0}, None)
    assert answer.status == 200
    assert answer.json["table"]["deal"] == 1
    assert answer.json["table"]["sheet"][0]["deal"] == 0


def test_the_score_of_the_match_goes_on_from_deal_to_deal(service: Service) -> None:
    table = service.table("hearts", ["random"] * 4)
    for deal in range(3):
        told = table.snapshot(None)
        result = told["frame"]["result"]
        before = told["table"]["scores"]
        totals = [old + new for old, new in zip(before, result["gained"], strict=True)]
        assert result["totals"] == totals
        if result["winners"]:
            break
        table.ask("POST", "/next", {"kind": "next", "deal": deal}, None)


# ---------------------------------------------------------------------------- sharing, records


def test_a_deal_that_goes_on_has_neither_record_nor_link(service: Service) -> None:
    table = service.table("hearts")
    for path in ("/deals/0/record", "/deals/0/link", "/deals/7/link"):
        answer = table.ask("GET", path)
        assert answer.status == 409
        assert answer.json["error"] == "DealOver"


def test_a_finished_deal_is_shared_by_its_cards_and_played_again(service: Service) -> None:
    table = service.table("hearts", ["random"] * 4, variant={"moon": "auto"})
    told = table.snapshot(None)
    link = table.ask("GET", "/deals/0/link", place=None).json
    assert link["game"] == "hearts"
    again = service.table("hearts", ["random"] * 4, deal=link["deal"])
    shared = again.snapshot(None)
    assert shared["table"]["shared"]
    assert shared["table"]["variant"]["moon"] == "auto"
    assert shared["frame"]["result"]["dealt"] == told["frame"]["result"]["dealt"]


def test_choices_in_a_shared_deal_are_left_out(service: Service) -> None:
    deal = Deal.from_seed("hokm", 3)
    further = deal.play(deal.legal[0])
    table = service.table("hokm", [PERSON] * 4, deal=further.text())
    assert table.snapshot(0)["frame"]["number"] == 0


def test_the_record_of_a_finished_deal_replays(service: Service) -> None:
    table = service.table("snapszer", names=["Ada", ""])
    last = finished(table)
    answer = table.ask("GET", "/deals/0/record")
    assert answer.headers["content-disposition"].startswith("attachment")
    record = Record.from_json(answer.text)
    deal = record.deal()
    assert [float(payoff) for payoff in deal.payoffs] == last["frame"]["result"]["payoffs"]
    assert record.seed is None, "the seed would tell the deals to come"
    assert record.seats is not None
    assert record.seats[0].name == "Ada"
    text = table.ask("GET", "/deals/0/record?format=text")
    assert text.headers["content-type"].startswith("text/plain")
    assert "snapszer" in text.text


# ---------------------------------------------------------------------------- people


def test_settings_are_kept_for_each_person(service: Service) -> None:
    mine, another = "m" * 20, "n" * 20
    usual = service.ask("GET", "/api/settings", secret=mine).json
    told = usual | {"speed": "fast", "name": "Ada", "last": {"hearts": {"players": ["random"]}}}
    assert service.ask("PUT", "/api/settings", told, mine).json == told
    assert service.ask("GET", "/api/settings", secret=mine).json == told
    assert service.ask("GET", "/api/settings", secret=another).json == usual


@pytest.mark.parametrize("secret", [None, "short", "x" * 101])
def test_who_shows_no_secret_of_his_own_has_neither_settings_nor_history(
    service: Service, secret: str | None
) -> None:
    for path in ("/api/settings", "/api/history"):
        answer = service.ask("GET", path, secret=secret)
        assert answer.status == 401
        assert answer.json["error"] == "WrongToken"


def test_the_history_lists_tables_with_their_secrets_to_who_laid_them(service: Service) -> None:
    me = "historian" * 2
    asked = {"game": "snapszer", "players": [PERSON, "random"], "variant": {"target": 3}}
    created = service.ask("POST", "/api/tables", asked, me).json
    (row,) = service.ask("GET", "/api/history", secret=me).json
    assert row["table"] == created["table"]
    assert row["token"] == created["seats"][0]["token"]
    assert row["variant"] == {"target": 3}
    assert row["deals"] == 0
    finished(LaidTable(service, created))
    (row,) = service.ask("GET", "/api/history", secret=me).json
    assert row["deals"] == 1
    assert sum(row["totals"]) > 0
    assert service.ask("GET", "/api/history", secret="somebody else altogether").json == []


def test_a_table_is_deleted_by_who_laid_it_and_is_then_unknown(service: Service) -> None:
    table = service.table("hearts")
    path = f"/api/tables/{table.id}"
    assert service.ask("DELETE", path, secret=table.watch).status == 403
    assert service.ask("DELETE", path, secret="somebody else entirely").status == 401
    assert service.ask("DELETE", path, secret=ME).status == 204
    assert table.ask("GET", "").status == 404


def test_a_forgotten_person_leaves_nothing(service: Service) -> None:
    me = "forget me please"
    asked = {"game": "hearts", "players": ["random"] * 4}
    created = service.ask("POST", "/api/tables", asked, me).json
    assert service.ask("DELETE", "/api/history", secret=me).status == 204
    assert service.ask("GET", "/api/history", secret=me).json == []
    assert LaidTable(service, created).ask("GET", "", place=None).status == 404


# ---------------------------------------------------------------------------- asking a player


def test_a_player_is_asked_for_a_choice_and_for_its_strategy(service: Service) -> None:
    service.wait_for("hearts")
    deal = Deal.from_seed("hearts", 4)
    seat = deal.seat
    assert seat is not None
    for told in ({"view": deal.view(seat).text()}, {"deal": deal.text(), "seat": seat}):
        while (
            answer := service.ask("POST", "/api/choose", {"game": "hearts"} | told)
        ).status == 503:
            pass
        assert answer.status == 200, answer.text
        assert answer.json["choice"] in deal.legal
        asked = {"game": "hearts", "player": "rulebook:simple"} | told
        strategy = service.ask("POST", "/api/strategy", asked).json
        assert sum(one["probability"] for one in strategy["choices"]) == pytest.approx(1)
        assert [one["choice"] for one in strategy["choices"]] == [*deal.legal]


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({}, 422),
        ({"view": "nonsense"}, 422),
        ({"deal": {"cards": {}}}, 422),
        ({"deal": "hearts; ; ; ;", "player": "clairvoyant"}, 403),
        ({"deal": "hearts; ; ; ;", "player": "pimc:ms=999999"}, 422),
        ({"game": "chess"}, 404),
        ({"ms": 0}, 422),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(
    service: Service, more: dict[str, Any], status: int
) -> None:
    service.wait_for("hearts")
    answer = service.ask("POST", "/api/choose", {"game": "hearts"} | more)
    while answer.status == 503:
        answer = service.ask("POST", "/api/choose", {"game": "hearts"} | more)
    assert answer.status == status, answer.text


# ---------------------------------------------------------------------------- the door


def test_every_answer_wears_the_strict_headers(service: Service) -> None:
    table = service.table("hearts")
    for method, path in [
        ("GET", "/"),
        ("GET", "/assets/index-abc.js"),
        ("GET", "/nothing"),
        ("GET", "/api/nothing"),
        ("GET", "/api/games"),
        ("GET", "/openapi.json"),
        ("POST", "/api/tables"),
        ("GET", f"/api/tables/{table.id}"),
    ]:
        headers = service.ask(method, path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_the_page_is_served_with_the_right_caching(service: Service) -> None:
    index = service.ask("GET", "/")
    assert "Overtrick" in index.text
    assert index.headers["cache-control"] == "no-cache"
    again = service.ask("GET", "/", headers={"if-none-match": index.headers["etag"]})
    assert again.status == 304
    assert "immutable" in service.ask("GET", "/assets/index-abc.js").headers["cache-control"]
    zipped = service.ask("GET", "/openapi.json", headers={"accept-encoding": "identity"})
    assert zipped.headers.get("content-encoding") is None


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"]
)
def test_no_path_leads_out_of_the_page(service: Service, path: str) -> None:
    assert "not for pages" not in service.ask("GET", path).text


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil"])
def test_the_service_answers_only_to_its_own_name(service: Service, host: str) -> None:
    answer = service.ask("GET", "/api/games", headers={"host": host})
    assert answer.status in (400, 403)
    assert service.ask("GET", "/api/health", headers={"host": "LOCALHOST:1"}).status == 200


def test_another_page_may_not_ask(service: Service) -> None:
    table = service.table("hearts")
    foreign = {"origin": "https://evil.example"}
    assert service.ask("GET", "/api/games", headers=foreign).status == 403
    with (
        pytest.raises(InvalidStatus) as refused,
        socket_to(service, table.id, additional_headers=foreign),
    ):
        pass
    assert refused.value.response.status_code == 403
    own = {"origin": f"http://127.0.0.1:{service.port}"}
    with socket_to(service, table.id, additional_headers=own):
        pass


def test_the_data_folder_is_for_its_owner_alone(service: Service) -> None:
    path: Path = service.app.state.house.storage.path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_page_with_a_wrong_secret_is_turned_away(service: Service) -> None:
    table = service.table("hearts")
    other = service.table("hearts")
    for table_id, token, error, code in [
        (table.id, "wrong", "WrongToken", 4001),
        (table.id, other.tokens[0], "WrongToken", 4001),
        ("nothing", table.tokens[0], "UnknownTable", 4004),
    ]:
        with socket_to(service, table_id) as socket:
            socket.send(json.dumps({"kind": "hello", "token": token}))
            assert json.loads(socket.recv())["error"] == error
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == code


def test_the_spec_holds_the_messages_and_the_facts_of_every_game(service: Service) -> None:
    spec = service.ask("GET", "/openapi.json").json
    schemas = spec["components"]["schemas"]
    assert {"Snapshot", "Frames", "Refused", "Hello", "Act", AnyMessage.__name__} <= set(schemas)
    for name in game_names():
        kind = load_game(name).showing.facts_type
        assert kind is None or kind.__name__ in schemas
    operations = [one for path in spec["paths"].values() for one in path.values()]
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names)
    assert "create_table" in names


def test_the_request_in_the_docs_is_answered(service: Service) -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "table.md"
    told = re.search(r"/api/choose -d '\s*(\{.*?\})'", page.read_text(), re.DOTALL)
    assert told is not None
    asked = json.loads(told[1])
    service.wait_for(asked["game"])
    answer = service.ask("POST", "/api/choose", asked)
    assert answer.status == 200, answer.text
    assert answer.json["text"] in asked["view"]
