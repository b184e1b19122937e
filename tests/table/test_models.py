"""Models at the table: there as soon as they are kept, and told of in one line once they go."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from models.small_models import RESULT, saved
from overtrick import players
from overtrick.engine.playouts import RANDOM
from overtrick.games.game import Game
from overtrick.models import find_model, store
from overtrick.players import LevelPlayer, PlayerName
from overtrick.table import lobby
from overtrick.table.thinking import player_of
from table.at_work import PERSON, Service, finished, service_at_work

CAPTAIN = "alphazero:kuhn/captain"


def stand_in(game: Game, name: PlayerName) -> LevelPlayer:
    """A player that looks at its model, and chooses at random."""
    model = find_model(name.what, game)
    model.packed(game)
    told = f"{name.kind}:{model.card.reference},sims={name.settings.get('sims', '8')}"
    return LevelPlayer(game, told, RANDOM)


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(store, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path))
    monkeypatch.setitem(players._KINDS, "alphazero", stand_in)
    lobby._full_name.cache_clear()
    with service_at_work(tmp_path) as running:
        yield running
    lobby._full_name.cache_clear()


def listed(service: Service) -> dict[str, Any]:
    told = service.ask("GET", "/api/players?game=kuhn").json
    assert service.ask("GET", "/api/games/kuhn").json["players"] == told
    return {info["name"]: info for info in told}


def test_a_model_is_listed_as_soon_as_it_is_kept_and_no_longer_than_it_is_sound(
    service: Service,
) -> None:
    before = listed(service)
    model = saved(results=[])
    assert listed(service).keys() == {*before, CAPTAIN}
    assert listed(service)[CAPTAIN]["title"] == "Captain (AlphaZero)"
    assert listed(service)[CAPTAIN]["elo"] is None
    rated = RESULT.model_copy(update={"elo": 123.4, "elo_half_width": 20.0})
    saved(replace=True, results=[RESULT, rated])
    captain = listed(service)[CAPTAIN]
    assert (captain["elo"], captain["error"], captain["boards"]) == (123, 20, 500)
    (model.folder / "net.safetensors").write_bytes(b"nonsense")
    assert listed(service) == before
    saved(replace=True)
    assert CAPTAIN in listed(service)
    shutil.rmtree(model.folder)
    assert listed(service) == before


def test_a_model_kept_meanwhile_sits_down_by_the_title_of_its_card(service: Service) -> None:
    listed(service)
    saved()
    told = finished(service.table("kuhn", [PERSON, CAPTAIN]))
    assert told["table"]["places"][1]["player"] == f"{CAPTAIN},sims=8"
    assert told["table"]["places"][1]["title"] == "Captain (AlphaZero)"
    other = service.table("kuhn", [PERSON, f"{CAPTAIN},sims=9"]).snapshot()
    assert other["table"]["places"][1]["title"] == "Net with search, kuhn/captain, sims 9"


def test_a_measured_model_stands_in_the_list_as_it_was_measured_unless_another_hides_it(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = {"name": f"{CAPTAIN},sims=50", "title": "Captain, 50", "elo": 70, "on_dial": True}
    monkeypatch.setattr(lobby, "_measured", lambda: {"kuhn": {"players": [one]}})
    lobby._known.cache_clear()
    try:
        assert not any("captain" in name for name in listed(service))
        saved(folder=tmp_path / "shipped")
        assert [name for name in listed(service) if "captain" in name] == [one["name"]]
        saved(title="Mine")
        assert listed(service)[CAPTAIN]["title"] == "Mine"
        assert one["name"] not in listed(service)
    finally:
        lobby._known.cache_clear()


def test_a_table_whose_model_has_gone_tells_so_in_one_line_and_goes_on_when_it_is_back(
    service: Service,
) -> None:
    model = saved()
    table = service.table("kuhn", [PERSON, CAPTAIN])
    shutil.rmtree(model.folder)
    choice = table.snapshot()["frame"]["choices"][0]["choice"]
    answer = table.act([choice])
    assert answer.status == 404
    assert "there is no model 'kuhn/captain'; known are none" in answer.json["message"]
    assert table.snapshot()["frame"]["number"] == 0
    assert table.snapshot()["table"]["places"][1]["title"].startswith("Net with search, kuhn/capt")
    saved()
    assert finished(table)["frame"]["result"] is not None


def test_who_waits_for_a_model_that_has_gone_is_told(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = saved()
    monkeypatch.setattr("overtrick.table.hub.quick_choices", lambda table: (table, []))
    table = service.table("kuhn", [CAPTAIN, PERSON])  # the model is to act
    shutil.rmtree(model.folder)
    with table.page(1) as page:
        assert page.hear()["kind"] == "snapshot"
        refused = page.until("refused")
        assert refused["error"] == "UnknownName"
        assert "there is no model 'kuhn/captain'" in refused["message"]
    assert table.snapshot(1)["frame"]["number"] == 0
    saved()
    with table.page(1) as page:
        page.until("frames")
    assert table.snapshot(1)["frame"]["number"] == 1


@pytest.mark.parametrize(
    ("player", "status", "told"),
    [
        ("alphazero:kuhn/nobody", 404, "there is no model 'kuhn/nobody'"),
        ("alphazero:", 404, "there is no model ''"),
        ("alphazero:/etc", 403, "told by its name, not by its folder"),
        ("alphazero:../kuhn/captain", 403, "told by its name, not by its folder"),
        (f"{CAPTAIN},sims=99999", 422, "sims is at most 20000 at the table"),
        ("alphazero:kuhn/broken", 422, "model kuhn/broken: card.json: not JSON"),
    ],
)
def test_a_model_that_cannot_sit_down_is_refused_in_one_line(
    service: Service, player: str, status: int, told: str
) -> None:
    saved()
    (saved(name="broken").folder / "card.json").write_text("{")
    service.wait_for("kuhn")
    asked = {"game": "kuhn", "players": [PERSON, player]}
    answer = service.ask("POST", "/api/tables", asked)
    assert answer.status == status, answer.text
    assert told in answer.json["message"]


def test_a_model_that_was_replaced_is_another_player(service: Service) -> None:
    saved()
    first = player_of(CAPTAIN, "kuhn")
    assert player_of(CAPTAIN, "kuhn") is first
    saved(replace=True, seed=2)
    assert player_of(CAPTAIN, "kuhn") is not first
