"""Programs as players: by name, in the arena, in sessions, in the terminal, in chains."""

from __future__ import annotations

import io
import json
import os
import random
import shlex
import subprocess
import sys
import time

import numpy as np
import pytest
from rich.console import Console

from bots.conftest import HOME, gone, left_of, name_of, starts, views_of
from overtrick.arena.behaviour import measure_behaviour
from overtrick.arena.report import session_values
from overtrick.arena.round_robin import play_round_robin
from overtrick.arena.simulation import simulate
from overtrick.arena.tournament import Contest, play_table
from overtrick.bot import Bot
from overtrick.errors import BadOption, UnknownName
from overtrick.games import load_game
from overtrick.jit import streams
from overtrick.players import PlayerName, close_players, make_player, tell_match
from overtrick.players.external import Talk, seat_bot, variant_in
from overtrick.players.external_requests import choice_in, choice_request
from overtrick.players.naming import split_names
from overtrick.terminal import play_in_terminal
from test_bot import deals_of

JS = f"node {shlex.quote(str(HOME / 'examples' / 'bot.js'))}"
KUHN = load_game("kuhn")


def overtrick(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "overtrick", *words]
    environment = os.environ | {"OVERTRICK_QUIET": "1", "COLUMNS": "200"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


# ---------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("name", "what", "settings"),
    [
        ("exec:./mybot", "./mybot", {}),
        ("exec:./mybot --depth=3 x", "./mybot --depth=3 x", {}),
        ("exec:./mybot,ms=200,depth=3", "./mybot", {"ms": "200", "depth": "3"}),
        ("exec:env A=b ./mybot , ms=5", "env A=b ./mybot", {"ms": "5"}),
        ("exec:'my bot' \"a,b\",c=d", "'my bot' \"a,b\"", {"c": "d"}),
        (r"exec:my\,bot,c=d", r"my\,bot", {"c": "d"}),
        (
            "exec:overtrick bot kuhn 'pimc:worlds=5,ms=9'",
            "overtrick bot kuhn 'pimc:worlds=5,ms=9'",
            {},
        ),
        ("exec:python C:mybot.py", "python C:mybot.py", {}),
    ],
)
def test_a_command_in_a_name_may_have_words_quotes_and_commas(name, what, settings):
    read = PlayerName.read(name)
    assert (read.kind, read.what, dict(read.settings)) == ("exec", what, settings)
    assert PlayerName.read(str(read)) == read


def test_lists_of_names_are_split_outside_of_quotes():
    told = "exec:./a --b=1,ms=5,random, exec:'x,y' z=1,pimc:worlds=9,ms=5"
    names = ["exec:./a --b=1,ms=5", "random", "exec:'x,y' z=1", "pimc:worlds=9,ms=5"]
    assert split_names(told) == names


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("exec:", "wants the command of a program"),
        ("exec:./nobody-is-here", "the program './nobody-is-here' is not there"),
        (f"exec:{HOME}/README.md", "may not be run"),
        ("exec:'half", "a quote is not closed"),
        ("exec:bash,ms=0", "ms is 1 to 3600000, not '0'"),
        ("exec:bash,limit=x", "limit is 1 to 3600000, not 'x'"),
        ("exec:bash,depth", "settings are key=value, not 'depth'"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused_in_one_line(name, complaint):
    with pytest.raises(BadOption, match=complaint.replace("(", r"\(")):
        make_player(name, KUHN)


def test_options_go_to_the_program_that_has_them():
    high, low = (make_player(f"exec:{JS}{told}", KUHN) for told in ("", ",style=low"))
    views = np.concatenate([view.records for view in views_of("kuhn", 5)])
    assert [*high.choose(views, streams(5, 1, "t"))] == [v.legal[-1] for v in views_of("kuhn", 5)]
    assert [*low.choose(views, streams(5, 1, "t"))] == [v.legal[0] for v in views_of("kuhn", 5)]
    assert (high.replaced, low.replaced) == (0, 0)
    close_players([high, low])
    with pytest.raises(BadOption, match="has the options style, not 'stile'"):
        make_player(f"exec:{JS},stile=low", KUHN)


def test_a_program_may_refuse_the_value_of_an_option():
    with pytest.raises(BadOption, match="answered hello with an error: 'style is high or low"):
        make_player(f"exec:{JS},style=wild", KUHN)


def test_a_program_is_refused_a_game_that_it_does_not_play(tmp_path):
    script = tmp_path / "leduc.sh"
    script.write_text(
        'read -r line; echo \'{"id": 1, "name": "x", "protocol": 1, "games": ["leduc"]}\'; cat\n'
    )
    with pytest.raises(BadOption, match="plays leduc, not kuhn"):
        make_player(f"exec:bash {script}", KUHN)


# ---------------------------------------------------------------------------- what is asked


def test_what_is_asked_tells_the_view_and_nothing_else(game):
    """Our own bot reads each request back, and its rulebook chooses as it does in the arena."""
    name = "rulebook:strong" if game.rulebooks else "random"
    player, bot = make_player(name, game), Bot(game, make_player(name, game))
    for deal in deals_of(game, 10, 8):
        view = deal.view(deal.seat)
        chance = streams(1, 3, "asked", len(view.history))
        request = choice_request(view, 7, chance[0], None)
        assert [one["choice"] for one in request["legal"]] == [*view.legal]
        for world in view.worlds(2, seed=1):
            assert choice_request(world.view(deal.seat), 7, chance[0], None) == request
        (line,) = bot.answers([json.dumps(request)])
        choice = choice_in(json.loads(line), view)
        assert choice == player.choose(view.records, chance)[0] or not game.rulebooks


def test_the_seed_of_a_request_is_a_number_that_every_language_reads():
    seeds = [choice_request(views_of("kuhn", 1)[0], 1, streams(1, n, "s")[0], 9) for n in range(50)]
    assert all(0 <= one["seed"] < 2**53 and one["ms"] == 9 for one in seeds)
    assert len({one["seed"] for one in seeds}) == 50


def test_house_rules_are_read_off_a_record_where_nobody_tells_them():
    game = load_game("snapszer")
    rules = game.variant_of("exchange=action,close_min_talon=2")
    assert variant_in(game, game.blank_states(1, rules)[0]) == rules
    hearts = load_game("hearts")
    with pytest.raises(BadOption, match="cannot be told this pass_cycle"):
        variant_in(hearts, hearts.blank_states(1, hearts.variant_of("pass_cycle=LR"))[0])


@pytest.mark.parametrize("name", ["hearts", "snapszer"])
def test_our_own_bot_as_a_program_plays_exactly_as_its_player(name):
    game = load_game(name)
    program = make_player(f"exec:overtrick bot {name} rulebook:strong", game)
    player = make_player("rulebook:strong", game)
    for deal in deals_of(game, 12, 9):
        view = deal.view(deal.seat)
        chance = streams(1, 5, "exact", len(view.history))
        tell_match(program, view.variant, view.match._records)
        assert (
            program.choose(view.records, chance.copy())[0] == player.choose(view.records, chance)[0]
        )
    assert program.replaced == 0
    program.close()


def test_what_a_program_says_on_its_way_is_advice():
    player = make_player(f"exec:{JS}", KUHN)
    view = views_of("kuhn", 1)[0]
    first, last = player.advise(view.records, streams(1, 1, "a")[0])
    assert (first.reason, first.done) == ("2 choices", False)
    assert last.done and last.best.choice == view.legal[-1]
    for advice in player.advise(view.records, streams(1, 1, "a")[0]):
        assert not advice.done
        break  # who stops asking leaves the program in step
    assert player.choose(view.records, streams(1, 1, "a"))[0] == view.legal[-1]
    assert player.replaced == 0
    player.close()


def test_a_program_is_told_to_stop_when_its_time_is_up(tmp_path):
    script = tmp_path / "thinker.py"
    script.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    if asked['ask'] == 'hello':\n"
        "        print(json.dumps({'id': asked['id'], 'name': 't', 'protocol': 1}), flush=True)\n"
        "    elif asked['ask'] == 'choice':\n"
        "        waiting = asked\n"
        "    elif asked['ask'] == 'stop':\n"
        "        last = waiting['legal'][-1]\n"
        "        print(json.dumps({'id': waiting['id'], **last}), flush=True)\n"
    )
    player = make_player(f"exec:{sys.executable} -I -S {script},ms=50,limit=50", KUHN)
    view = views_of("kuhn", 1)[0]
    assert player.choose(view.records, streams(1, 1, "a"))[0] == view.legal[-1]
    assert player.replaced == 0
    player.close()


# ---------------------------------------------------------------------------- in the arena


def test_an_arena_says_how_many_choices_were_replaced(tmp_path):
    saved = tmp_path / "saved.jsonl"
    contest = Contest.of(KUHN, [name_of("illegal", tmp_path), "random"], seed=1)
    table = play_table(contest, 4, threads=2, save=saved)
    first, second = table.results()
    assert first.replaced == first.choices > 0
    assert second.replaced == 0
    assert f"{first.replaced} of {first.choices} choices replaced" in table.line()
    lines = [json.loads(line) for line in saved.read_text().splitlines()]
    assert sum(line["replaced"][0] for line in lines[1:]) == first.replaced
    again = play_table(contest, 4, save=saved, resume=True)
    assert [one["replaced"] for one in again.values()["results"]] == [first.replaced, 0]
    assert gone(tmp_path), left_of(tmp_path)


def test_tournaments_saved_before_there_were_programs_can_be_read(tmp_path):
    saved = tmp_path / "saved.jsonl"
    contest = Contest.of(KUHN, ["random", "random"], seed=1)
    play_table(contest, 4, save=saved)
    header, *lines = saved.read_text().splitlines()
    old = [json.loads(line) for line in lines]
    for line in old:
        del line["replaced"]
    saved.write_text("\n".join([header, *map(json.dumps, old)]) + "\n")
    told = play_table(contest, 4, save=saved, resume=True).values()
    assert [one["replaced"] for one in told["results"]] == [0, 0]


def test_threads_and_chunks_change_nothing_that_a_program_chooses():
    name = f"exec:{sys.executable} {HOME / 'examples' / 'bot.py'}"
    contest = Contest.of(KUHN, [name, "random"], seed=3)
    once, twice = (play_table(contest, 40, threads=threads) for threads in (1, 2))
    assert np.array_equal(once.sums.payoffs, twice.sums.payoffs)
    assert once.results()[0].replaced == 0


def test_whole_matches_round_robins_sessions_and_habits_have_the_flag_too(tmp_path):
    name = name_of("error", tmp_path)
    matches = Contest.of(KUHN, [name, "random"], seed=1, variant="target_deals=3", matches=True)
    assert play_table(matches, 1, threads=1).results()[0].flag
    three = Contest.of(KUHN, [name, "random", "random"], seed=1)
    assert play_round_robin(three, 1, threads=1).values()["results"][0]["replaced"] > 0
    session = simulate(KUHN, [name, "random"], 3, seed=1)
    replaced = [one["replaced"] for one in session_values(session)["results"]]
    assert replaced[0] > 0 and replaced[1] == 0
    assert measure_behaviour(KUHN, [name, "random"], 2, seed=1).values()["replaced"][0] > 0
    assert gone(tmp_path), left_of(tmp_path)


def test_the_commands_show_the_flag_and_go_on(tmp_path):
    name = name_of("exit", tmp_path)
    done = overtrick("arena", "kuhn", name, "random", "--boards", "3", "--threads", "1")
    assert done.returncode == 0, done.stderr
    assert "choices replaced by the lowest legal one" in done.stdout
    assert "ended with status 3" in done.stderr
    assert "Traceback" not in done.stderr
    done = overtrick("stats", "kuhn", name, "random", "--boards", "2", "--json")
    assert json.loads(done.stdout)["replaced"][0] > 0
    words = ("simulate", "kuhn", "--players", f"{name},random", "--deals", "3", "--json")
    assert json.loads(overtrick(*words).stdout)["results"][0]["replaced"] > 0
    assert gone(tmp_path), left_of(tmp_path)


def test_a_program_that_is_not_there_ends_the_command_in_one_line():
    done = overtrick("arena", "kuhn", "exec:./nobody-is-here", "random")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "overtrick: the program './nobody-is-here' is not there\n"


def test_killing_us_kills_the_programs(tmp_path):
    words = ["arena", "kuhn", name_of("children", tmp_path), "random", "--boards", "3"]
    with subprocess.Popen(
        [sys.executable, "-m", "overtrick", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as running:
        while not starts(tmp_path):
            assert running.poll() is None
            time.sleep(0.02)
        running.kill()
    assert gone(tmp_path), left_of(tmp_path)


# ---------------------------------------------------------------------------- elsewhere


def test_a_program_sits_down_in_the_terminal(tmp_path):
    console = Console(record=True, width=2000, file=io.StringIO())
    names = f"{name_of('illegal', tmp_path)},exec:{JS}"
    match = play_in_terminal(KUHN, seat="none", players=names, seed=4, deals=2, console=console)
    assert match.deals == 2
    assert "failed; chosen in its place:" in console.export_text()
    assert gone(tmp_path), left_of(tmp_path)


def test_our_bot_answers_by_a_program_and_says_when_that_failed(tmp_path):
    game = load_game("kuhn")
    good, bad = (make_player(name, game) for name in (f"exec:{JS}", name_of("exit", tmp_path)))
    deal = {"cards": {"0": "K", "1": "Q"}, "choices": ["bet"]}
    answer = Bot(game, good).answered({"deal": deal, "ms": 5000})
    assert (answer["text"], "replaced" in answer) == ("bet", False)
    answer = Bot(game, bad).answered({"deal": deal})
    assert (answer["text"], answer["replaced"]) == ("pass", "ended")
    close_players([good, bad])


def test_a_program_behind_our_bot_that_fails_is_counted_as_ours(tmp_path):
    inner = shlex.quote(name_of("illegal", tmp_path))
    outer = make_player(f"exec:overtrick bot kuhn {inner}", KUHN)
    view = views_of("kuhn", 1)[0]
    assert outer.choose(view.records, streams(1, 1, "a"))[0] == view.legal[0]
    assert (outer.replaced, outer.reason) == (1, "replaced")
    outer.close()
    assert gone(tmp_path), left_of(tmp_path)


def test_bots_have_names_that_hide_their_commands(monkeypatch):
    monkeypatch.setattr("overtrick.players.external._BOTS", {})
    assert seat_bot(f"node={JS},style=low") == "bot:node"
    player = make_player("bot:node", KUHN)
    assert player.name == "bot:node"
    view = views_of("kuhn", 1)[0]
    assert player.choose(view.records, streams(1, 1, "a"))[0] == view.legal[0]
    player.close()
    with pytest.raises(UnknownName, match="there is no bot 'deno'; known are node"):
        make_player("bot:deno", KUHN)
    for told in ("node", "=x", "a b=bash", f"node={JS}", "x=./nobody"):
        with pytest.raises(BadOption):
            seat_bot(told)


def test_requests_of_many_deals_go_to_one_program_in_any_order():
    game = load_game("snapszer")
    talk = Talk(shlex.split(JS), game, {}, make_player(f"exec:{JS}", game)._patience)
    deals = deals_of(game, 12, 2)
    random.Random(1).shuffle(deals)
    for deal in deals:
        view = deal.view(deal.seat)
        *_, answer = talk.ask(view, streams(1, 1, "a")[0])
        assert choice_in(answer, view) == view.legal[-1]
    assert talk.quit() == 0
