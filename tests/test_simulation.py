"""The simulator: money adds up, chairs are drawn evenly, and the place is told from chance."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import overtrick
from overtrick.arena import plots, report, simulation
from overtrick.arena.round_robin import play_round_robin
from overtrick.arena.simulation import SITS_OUT, Session, simulate
from overtrick.arena.statistics import Rating
from overtrick.arena.tournament import Contest
from overtrick.engine.deals import Deal, Match
from overtrick.errors import BadBudget, BadSeat, MissingExtra
from overtrick.games import game_names, load_game
from overtrick.players import make_player

FIVE = game_names()


def session_of(name: str, deals: int = 300, **settings: object) -> Session:
    game = load_game(name)
    people = game.people(game.variant_of(settings.get("variant")))
    players = ["rulebook:simple" if who % 2 else "random" for who in range(people)]
    return simulate(game, players, deals, seed=1, **settings)


@pytest.mark.parametrize("name", FIVE)
def test_nobody_s_money_comes_from_nowhere(name: str) -> None:
    session = session_of(name)
    assert np.all(session.money.sum(axis=1) == 0)
    assert np.all(np.sort(session.places, axis=1) == np.arange(session.game.seats))


@pytest.mark.parametrize("name", ["sheephead", "hokm"])
def test_a_session_is_what_its_players_would_have_played(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fast = session_of(name, 40, every=7)
    monkeypatch.setattr(simulation, "LevelPlayer", type("Nobody", (), {}))
    slow = session_of(name, 40, every=7)
    assert np.array_equal(fast.money, slow.money)
    assert np.array_equal(fast.places, slow.places)
    assert np.array_equal(fast.orders, slow.orders)


class Unknown:
    """A player whom kernels do not know."""

    def __init__(self, player: Any) -> None:
        self.name, self.choose, self.advise = player.name, player.choose, player.advise


@pytest.mark.parametrize("name", ["sheephead", "hokm"])
def test_beside_one_who_has_to_be_asked_the_others_play_as_ever(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fast = session_of(name, 40, every=7)
    monkeypatch.setattr(
        simulation,
        "make_player",
        lambda text, game: (Unknown if text == "random" else lambda player: player)(
            make_player(text, game)
        ),
    )
    mixed = session_of(name, 40, every=7)
    assert np.array_equal(fast.money, mixed.money)


def test_the_session_follows_the_rules_of_the_match() -> None:
    """Dealer, doubling and money, against the checked way in, deal by deal."""
    session = session_of("sheephead", 60, every=0)
    game = session.game
    match = Match.start(game, seed=1)
    from overtrick.engine.batches import begin_matches
    from overtrick.jit import fork, stream

    records = game.blank_matches(1, game.variant())
    begin_matches(records, stream(1, "session", game.name).reshape(1, -1))
    match = Match(game, game.variant(), records)
    players = [make_player(name, game) for name in session.players]
    parent = stream(1, "session choices", game.name)
    for number in range(60):
        deal = Deal.from_order(match, session.orders[number])
        while not deal.is_over:
            chance = np.empty((1, 2), dtype=np.int64)
            fork(parent, number * 1024 + len(deal.history), chance[0])
            seat = deal.seat
            assert seat is not None
            deal = deal.play(int(players[seat].choose(deal.view(seat).records, chance)[0]))
        assert [int(payoff) for payoff in deal.payoffs] == session.money[number].tolist()
        match = match.after(deal)
    assert list(match.scores) == session.money.sum(axis=0).tolist()


def test_with_more_than_five_people_the_dealer_sits_out() -> None:
    session = session_of("sheephead", 70, variant="people=7", every=0)
    assert session.money.shape == (70, 7)
    out = session.places == SITS_OUT
    assert np.all(out.sum(axis=1) == 2)
    assert np.all(out.sum(axis=0) == 20)
    assert np.all(session.money[out] == 0)


def test_chairs_are_drawn_anew_every_so_many_deals() -> None:
    session = session_of("coinche", 400, every=100)
    # within a stretch the first to act moves on by one seat a deal, and so does everybody's place
    for start in range(0, 400, 100):
        stretch = session.places[start : start + 100]
        assert np.all((stretch[1:] - stretch[:-1]) % 4 == 3)
    first = session.places[::100] - session.places[::100, :1]
    assert len({tuple(row % 4) for row in first}) > 1


def test_a_place_that_pays_is_noticed_and_one_that_does_not_is_not() -> None:
    rng = np.random.default_rng(3)
    places = rng.permuted(np.tile(np.arange(4), (3000, 1)), axis=1)
    luck = rng.normal(0, 10, (3000, 4))
    luck -= luck.mean(axis=1, keepdims=True)
    game = load_game("coinche")
    even = Session(game, game.variant(), ("a",) * 4, 1, 0, luck * 1.0, places, places)
    assert even.seat_effect()[1] > 0.01
    pays = luck + 3 * (places == 0) - 1 * (places != 0)
    uneven = Session(game, game.variant(), ("a",) * 4, 1, 0, pays, places, places)
    estimates, chance = uneven.seat_effect()
    assert chance < 1e-6
    assert estimates[0].mean == pytest.approx(3, abs=0.6)


def test_shuffles_are_found_even_and_a_bad_one_is_found_out() -> None:
    session = session_of("snapszer", 4000)
    told = session.independence()
    assert min(told.values()) > 0.001
    stuck = session.orders.copy()
    stuck[1::2] = stuck[::2]  # every deck comes twice
    spoilt = Session(*[*vars(session).values()][:7], stuck)
    assert spoilt.independence()["deals_independent_p"] < 1e-6
    sorted_decks = np.sort(session.orders, axis=1)
    uneven = Session(*[*vars(session).values()][:7], sorted_decks)
    assert uneven.independence()["cards_evenly_p"] < 1e-6


def test_players_of_one_name_are_numbered() -> None:
    assert session_of("coinche", 4).labels() == [
        "random #1",
        "rulebook:simple@1 #1",
        "random #2",
        "rulebook:simple@1 #2",
    ]


# ---------------------------------------------------------------------------- files and pictures


def test_a_session_is_written_as_tables_and_pictures(tmp_path: Path) -> None:
    session = session_of("sheephead", 250)
    written = report.write_session(session, tmp_path / "out")
    names = {path.name for path in written}
    assert names == {
        "money.csv",
        "places.csv",
        "summary.json",
        "money.png",
        "money.svg",
        "places.png",
        "places.svg",
    }
    rows = list(csv.reader((tmp_path / "out" / "money.csv").read_text().splitlines()))
    assert rows[0] == ["deal", *session.labels()]
    assert [row[0] for row in rows[1:]] == ["100", "200", "250"]
    assert [int(cell) for cell in rows[-1][1:]] == session.money.sum(axis=0).tolist()
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["deals"] == 250
    assert (tmp_path / "out" / "money.png").read_bytes().startswith(b"\x89PNG")
    again = report.write_session(session, tmp_path / "again")
    for one, other in zip(written, again, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name


def test_without_matplotlib_the_tables_are_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    written = report.write_session(session_of("hokm", 20), tmp_path)
    assert {path.suffix for path in written} == {".csv", ".json"}
    assert "overtrick[plots]" in capsys.readouterr().err
    with pytest.raises(MissingExtra, match=r"pip install 'overtrick\[plots\]'"):
        plots.ladder([Rating("a", 1.0, 1.0)])


def test_every_kind_of_picture_can_be_drawn(tmp_path: Path) -> None:
    contest = Contest.of(load_game("snapszer"), ["random", "rulebook:simple", "rulebook"], seed=1)
    result = play_round_robin(contest, 30)
    curve = ("net", [1.0, 2.0, 3.0], [0.1, 0.2, 0.4], [0.1, 0.1, 0.1])
    figures = (
        plots.ladder(result.ratings(), "Snapszer"),
        plots.cross_table(result),
        plots.learning_curve([curve], xlabel="minutes", ylabel="points a deal"),
        plots.seat_effect(session_of("hearts", 100)),
    )
    for number, figure in enumerate(figures):
        for path in plots.save_figure(figure, tmp_path / f"figure-{number}"):
            assert path.stat().st_size > 1000


# ---------------------------------------------------------------------------- the command


@pytest.mark.parametrize("name", FIVE)
def test_simulate_serves_every_game(name: str, tmp_path: Path) -> None:
    seats = load_game(name).seats
    command = ["simulate", name, "--players", ",".join(["random"] * seats), "--deals", "30"]
    done = overtrick(*command, "--out", tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert len(told["results"]) == seats
    assert (tmp_path / "money.csv").exists()


def test_a_table_with_the_wrong_number_of_people_is_refused() -> None:
    with pytest.raises(BadSeat, match="5 people are at the table, not 2"):
        simulate(load_game("sheephead"), ["random", "random"], 10, seed=1)
    with pytest.raises(BadBudget, match="the number of deals"):
        simulate(load_game("hokm"), ["random"] * 4, 0, seed=1)
    with pytest.raises(BadBudget, match="chairs"):
        simulate(load_game("hokm"), ["random"] * 4, 5, seed=1, every=-1)
