"""The arena: seats cancel, threads and chunks change nothing, and nothing is lost."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

from commands import overtrick
from conftest import all_games
from overtrick.arena import tournament
from overtrick.arena.behaviour import measure_behaviour
from overtrick.arena.boards import play_chunk
from overtrick.arena.matches import play_match_chunk
from overtrick.arena.round_robin import RoundRobin, play_round_robin
from overtrick.arena.seating import fits_one_table, seatings
from overtrick.arena.statistics import share_from_elo
from overtrick.arena.tournament import Contest, play_table
from overtrick.cli import app
from overtrick.errors import BadBudget, BadOption, DamagedFile, IllegalChoice, OvertrickError
from overtrick.games import game_names, load_game
from overtrick.games.game import Game
from overtrick.players import LevelPlayer, PlayerName, make_player
from overtrick.players.naming import split_names

FIVE = game_names()


class Wrapped:
    """A player that is not known to run inside kernels, but chooses like one that does."""

    def __init__(self, player: LevelPlayer) -> None:
        self.name = player.name
        self._player = player

    def choose(self, views, streams):
        return self._player.choose(views, streams)

    def advise(self, view, stream):
        return self._player.advise(view, stream)


# ---------------------------------------------------------------------------- seating


@pytest.mark.parametrize("name", all_games())
def test_every_player_has_every_seat_equally_often(name: str) -> None:
    game = load_game(name)
    for players in range(2, game.seats + 1):
        if not fits_one_table(game, players):
            continue
        rows = seatings(game, players)
        for player in range(players):
            by_seat = (rows == player).sum(axis=0)
            assert len(set(by_seat.tolist())) == 1, (players, rows)


def test_two_players_sit_as_the_game_wants_it() -> None:
    assert seatings(load_game("hokm"), 2).tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]
    assert seatings(load_game("snapszer"), 2).tolist() == [[0, 1], [1, 0]]
    assert len(seatings(load_game("hearts"), 2)) == 6
    sheephead = seatings(load_game("sheephead"), 2)
    assert sorted((sheephead == 0).sum(axis=1).tolist()) == [1] * 5 + [4] * 5


def test_too_many_players_for_a_table_meet_in_pairs() -> None:
    assert not fits_one_table(load_game("hokm"), 3)
    assert fits_one_table(load_game("hearts"), 4)
    with pytest.raises(BadBudget):
        seatings(load_game("hokm"), 3)


# ---------------------------------------------------------------------------- boards


@pytest.mark.parametrize("name", all_games())
def test_rotation_cancels_the_seat_exactly_for_identical_players(name: str) -> None:
    game = load_game(name)
    books = [f"rulebook:{book}" for book in game.rulebooks][:1]
    for player in books:  # without chance of their own, so that every rotation is the same deal
        table = play_table(Contest.of(game, [player, player], seed=3), 200)
        if name != "coinche":  # its simple player breaks ties by chance
            assert np.all(table.sums.payoffs == 0)
        assert abs(table.results()[0].payoff.mean) <= max(table.results()[0].payoff.ci95, 1e-12)


@pytest.mark.parametrize("name", FIVE)
def test_a_player_against_itself_covers_zero(name: str) -> None:
    table = play_table(Contest.of(load_game(name), ["random", "random"], seed=5), 2000)
    payoff = table.results()[0].payoff
    assert abs(payoff.mean) <= 1.5 * payoff.ci95
    if len(table.players) == 2:
        first, second = (table.payoffs(player) for player in range(2))
        assert np.allclose(first, -second)


@pytest.mark.parametrize("name", FIVE)
def test_kernels_and_choice_by_choice_play_the_same_boards(name: str) -> None:
    game = load_game(name)
    players = [make_player("rulebook:simple", game), make_player("random", game)]
    seating = seatings(game, 2)
    rules = game.variant()
    fast = play_chunk(game, rules, players, seating, seed=7, first=11, boards=20)
    slow = play_chunk(
        game, rules, [Wrapped(one) for one in players], seating, seed=7, first=11, boards=20
    )
    assert np.array_equal(fast.payoffs, slow.payoffs)
    assert fast.ends.tobytes() == slow.ends.tobytes()
    assert slow.choices.sum() == fast.choices.sum()


@pytest.mark.parametrize("name", ["hokm", "snapszer", "hearts"])
def test_kernels_and_choice_by_choice_play_the_same_matches(name: str) -> None:
    game = load_game(name)
    players = [make_player("rulebook:simple", game), make_player("random", game)]
    seating, rules = seatings(game, 2), game.variant()
    fast = play_match_chunk(game, rules, players, seating, seed=7, first=3, boards=4)
    slow = play_match_chunk(
        game, rules, [Wrapped(one) for one in players], seating, seed=7, first=3, boards=4
    )
    assert np.array_equal(fast.payoffs, slow.payoffs)
    assert np.array_equal(fast.wins, slow.wins)
    assert np.all(fast.payoffs.sum(axis=2) == 0)


def test_a_match_that_several_win_may_count_as_a_win_of_each() -> None:
    game = load_game("hearts")
    told = {"seed": 1, "variant": "target=30", "matches": True}
    shared = play_table(Contest.of(game, ["random", "random"], **told), 40, threads=1)
    every = play_table(Contest.of(game, ["random", "random"], ties="every", **told), 40, threads=1)
    assert sum(one.mean for one in shared.sides()) == pytest.approx(1)
    assert 1 < sum(one.mean for one in every.sides()) < 1.3
    assert np.array_equal(shared.sums.payoffs, every.sums.payoffs)
    assert every.values()["sides"][0]["won"] == every.sides()[0].mean
    with pytest.raises(BadOption, match="--match --ties every"):
        Contest.of(game, ["random", "random"], seed=1, ties="every")
    with pytest.raises(BadOption, match="not 'half'"):
        Contest.of(game, ["random", "random"], ties="half", **told)


@pytest.mark.parametrize("name", FIVE)
def test_boards_do_not_depend_on_where_they_are_cut(name: str) -> None:
    game, rules = load_game(name), load_game(name).variant()
    players = [make_player("random", game), make_player("rulebook:strong", game)]
    seating = seatings(game, 2)
    whole = play_chunk(game, rules, players, seating, seed=1, first=0, boards=30)
    later = play_chunk(game, rules, players, seating, seed=1, first=20, boards=10)
    assert np.array_equal(whole.payoffs[20:], later.payoffs)


def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    contest = Contest.of(load_game("hokm"), ["rulebook:strong", "random"], seed=2)
    one = play_table(contest, 300, threads=1)
    monkeypatch.setattr(tournament, "FAST_CHUNK", 37)
    three = play_table(contest, 300, threads=3)
    assert np.array_equal(one.sums.payoffs, three.sums.payoffs)
    assert np.array_equal(one.sums.wins, three.sums.wins)


def test_a_player_who_cheats_is_named() -> None:
    game = load_game("hokm")

    class Cheat(Wrapped):
        def choose(self, views, streams):
            return np.full(len(views), 60)

    players = [Cheat(make_player("random", game)), Cheat(make_player("random", game))]
    with pytest.raises(IllegalChoice, match="random chose 60 to trump"):
        play_chunk(game, game.variant(), players, seatings(game, 2), seed=1, first=0, boards=1)


# ---------------------------------------------------------------------------- saved tournaments


def test_a_tournament_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament, "FAST_CHUNK", 20)
    contest = Contest.of(load_game("snapszer"), ["rulebook:strong", "random"], seed=4)
    straight = play_table(contest, 100)
    save = tmp_path / "run.jsonl"
    play_table(contest, 100, save=save, watch=lambda so_far: so_far.boards < 40)
    with save.open("a") as file:
        file.write('{"payoffs": [[1, 2')  # killed in the middle of a line
    again = play_table(contest, 100, save=save, resume=True)
    assert np.array_equal(straight.sums.payoffs, again.sums.payoffs)
    assert again.boards == 100
    longer = play_table(contest, 120, save=save, resume=True)
    assert np.array_equal(longer.sums.payoffs[:100], straight.sums.payoffs)


def test_a_killed_tournament_loses_at_most_its_last_chunk(tmp_path: Path) -> None:
    save = tmp_path / "run.jsonl"
    command = [sys.executable, "-m", "overtrick", "arena", "hearts", "rulebook:strong", "random"]
    command += ["--boards", "400000", "--seed", "9", "--save", str(save), "--threads", "1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        if save.exists() and save.read_text().count("\n") >= 3:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    chunks = [json.loads(line) for line in save.read_text().split("\n")[1:] if line.endswith("}")]
    done = sum(len(chunk["payoffs"]) for chunk in chunks)
    assert done >= 4096
    contest = Contest.of(load_game("hearts"), ["rulebook:strong", "random"], seed=9)
    boards = 4096
    again = play_table(contest, boards, save=save, resume=True)
    straight = play_table(contest, boards)
    assert np.array_equal(again.sums.payoffs, straight.sums.payoffs)


def test_what_is_not_this_tournament_is_refused(tmp_path: Path) -> None:
    contest = Contest.of(load_game("hokm"), ["random", "random"], seed=1)
    other = Contest.of(load_game("hokm"), ["random", "random"], seed=2)
    save = tmp_path / "run.jsonl"
    play_table(contest, 5, save=save)
    before = save.read_text()
    with pytest.raises(BadOption, match="is there already"):
        play_table(contest, 5, save=save)
    with pytest.raises(BadOption, match="another contest"):
        play_table(other, 5, save=save, resume=True)
    assert save.read_text() == before
    save.write_text("not a tournament\n" * 3)
    with pytest.raises(DamagedFile):
        play_table(contest, 5, save=save, resume=True)
    with pytest.raises(DamagedFile, match="cannot be written"):
        play_table(contest, 5, save=tmp_path / "no" / "folder.jsonl")


# ------------------------------------------------------------- round robins and behaviour


def test_a_round_robin_rates_everybody() -> None:
    contest = Contest.of(
        load_game("hokm"), ["random", "rulebook:simple", "rulebook:strong"], seed=1
    )
    result = play_round_robin(contest, 400)
    assert [one.player for one in result.ratings()] == [
        "rulebook:strong@1",
        "rulebook:simple@1",
        "random",
    ]
    assert result.against(0, 2).mean == -result.against(2, 0).mean
    told = result.values()
    assert [line["player"] for line in told["results"]] == list(contest.players)
    assert len(told["pairs"]) == 3


def test_a_board_counts_as_won_by_however_little() -> None:
    # the first is a tenth of a point ahead on three boards of four, and far behind on the last
    ahead = np.tile([0.1, 0.1, 0.1, -9.0], 100)
    table = SimpleNamespace(payoffs=lambda side: ahead if side == 0 else -ahead, seed=1)
    robin = RoundRobin(("a", "b"), ((0, 1),), (table,))  # type: ignore[arg-type]
    first, second = robin.ratings_by_boards()
    assert (first.player, second.player) == ("a", "b")
    assert share_from_elo(first.elo - second.elo) == pytest.approx(3 / 4, abs=0.02)


@pytest.mark.parametrize("name", all_games())
def test_every_game_tells_how_somebody_played(name: str) -> None:
    game = load_game(name)
    players = ["random", "rulebook:strong"] if game.rulebooks else ["random", "random"]
    result = measure_behaviour(game, players, 60, seed=1)
    assert len(result.rows) == len(game.metrics)
    for metric, row in zip(result.metrics, result.rows, strict=True):
        for one in row:
            if metric.is_share and one.count:
                assert 0 <= one.mean <= 1, metric.name
    told = {metric.name: row for metric, row in zip(result.metrics, result.rows, strict=True)}
    assert all(row[0].count > 0 for row in told.values() if len(row) and name != "snapszer")


def test_coinche_rates_add_up() -> None:
    result = measure_behaviour(
        load_game("coinche"), ["rulebook:simple", "rulebook:strong"], 200, seed=1
    )
    told = {metric.name: row for metric, row in zip(result.metrics, result.rows, strict=True)}
    attack, passed = told["attacking rate"], told["passed out"]
    assert attack[0].mean + attack[1].mean + passed[0].mean == pytest.approx(1)
    assert told["success as attacker"][0].mean + told["success as defender"][
        1
    ].mean == pytest.approx(1)
    assert told["reward"][0].mean == pytest.approx(-told["reward"][1].mean)
    assert told["table turns"][0].mean >= 8


# ---------------------------------------------------------------------------- the command


def test_the_arena_prints_one_json_object() -> None:
    command = ["arena", "snapszer", "rulebook:strong", "random", "--boards", "50", "--seed", "6"]
    status, out, _ = overtrick(*command, "--json")
    told = json.loads(out)
    assert status == 0
    assert (told["game"], told["boards"], told["seed"]) == ("snapszer", 50, 6)
    first, second = told["results"]
    assert first["player"] == "rulebook:strong@1"
    assert first["mean_payoff"] == pytest.approx(-second["mean_payoff"])
    assert 0 <= first["win_rate"] <= 1
    assert set(first) == {
        "player",
        "mean_payoff",
        "ci95",
        "win_rate",
        "win_rate_ci95",
        "ms_per_choice",
        "choices",
        "replaced",
    }


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["hokm", "random", "nobody"], "there is no player 'nobody'"),
        (["hokm", "random"], "two or more players"),
        (["hokm", "random", "random", "--boards", "0"], "the number of boards is 1 to"),
        (["hokm", "random", "rulebook:expert"], "there is no rulebook of hokm 'expert'"),
        (["whist", "random", "random"], "there is no game 'whist'"),
        (["hokm", "random", "random:x=1"], "random has no settings"),
        (["hokm", "random", "rulebook:strong,x"], "settings are key=value, not 'x'"),
        (["hokm", "random", "random", "--resume"], "to resume, tell where"),
        (["hokm", "random", "random", "--variant", "target=0"], "target"),
        (["hokm", "random", "random", "rulebook", "--sprt"], "--sprt compares two players"),
        (["hokm", "random", "random", "--threads", "-1"], "threads"),
        (["hokm", "random", "random", "--plots", "x"], "--plots draws round robins"),
        (["kuhn", "rulebook", "random"], "there is no rulebook of kuhn 'strong'"),
    ],
)
def test_nonsense_gets_one_clear_line(words: list[str], told: str) -> None:
    status, out, error = overtrick("arena", *words)
    assert (status, out) == (2, "")
    assert error.count("\n") == 1
    assert told in error


def test_sprt_stops_early_and_says_so() -> None:
    status, out, _ = overtrick(
        "arena", "hokm", "rulebook:strong", "random", "--sprt", "--boards", "9000"
    )
    assert status == 0
    assert "is stronger" in out


def test_a_round_robin_is_drawn(tmp_path: Path) -> None:
    players = ["random", "rulebook:simple", "rulebook:strong"]
    words = ["hokm", *players, "--boards", "20", "--plots", str(tmp_path / "figures"), "--json"]
    status, out, _ = overtrick("arena", *words)
    assert status == 0
    names = {Path(path).name for path in json.loads(out)["files"]}
    assert names == {"ladder.png", "ladder.svg", "cross.png", "cross.svg"}


def test_odds_are_told() -> None:
    result = CliRunner().invoke(app, ["odds", "0.6"])
    assert "77.1% of matches to 7" in result.stdout


def test_stats_show_people_beside_the_players() -> None:
    status, out, _ = overtrick(
        "stats", "coinche", "rulebook:simple", "random", "--boards", "20", "--json"
    )
    assert status == 0
    told = json.loads(out)
    human = {metric["name"]: metric["human"] for metric in told["metrics"]}
    assert human["attacking rate"] == "40%"


def test_players_of_any_game_are_listed_with_names_that_rebuild_them() -> None:
    from overtrick.players import player_names

    for name in all_games():
        game = load_game(name)
        for player in player_names(game):
            assert make_player(player, game).name == player


def test_names_by_commas_keep_their_settings() -> None:
    assert split_names("random, a:x=1,y=2 ,b") == ["random", "a:x=1,y=2", "b"]
    assert split_names("a:x=1,b:y=2") == ["a:x=1", "b:y=2"]
    name = PlayerName.read(" a:what, x=1 ,y=2")
    assert (name.kind, name.what, dict(name.settings)) == ("a", "what", {"x": "1", "y": "2"})
    assert str(name) == "a:what,x=1,y=2"
    with pytest.raises(BadOption, match="x is told twice"):
        PlayerName.read("a:x=1,x=2")


def test_a_rulebook_alone_is_the_newest_strong_one() -> None:
    for name in FIVE:
        game = load_game(name)
        assert make_player("rulebook", game).name == make_player("rulebook:strong@1", game).name


@pytest.mark.parametrize("name", FIVE)
def test_advice_weighs_all_legal_choices(name: str) -> None:
    from overtrick.engine.deals import Deal
    from overtrick.jit import stream

    game: Game = load_game(name)
    deal = Deal.from_seed(game, 1)
    view = deal.view(deal.seat)
    for player in ("random", "rulebook"):
        (advice,) = make_player(player, game).advise(view.records, stream(1, "advice"))
        assert [one.choice for one in advice.choices] == list(view.legal)
        assert sum(one.probability for one in advice.choices) == pytest.approx(1)
        assert advice.done
        assert advice.best.choice in view.legal


def test_errors_of_the_arena_are_of_the_family() -> None:
    with pytest.raises(OvertrickError):
        Contest.of(load_game("hokm"), ["random"], seed=1)
