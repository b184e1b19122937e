"""Other programs ask a player through lines of JSON."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import orders_of, random_positions
from overtrick.bot import FAULT, PROTOCOL, Bot, serve_bot
from overtrick.engine.deals import Deal, Match
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.players import Advice, Weighed, choices_in, make_player
from overtrick.records import record_of

HOME = Path(__file__).resolve().parent.parent
KUHN = {"cards": {"0": "K", "1": "Q"}, "choices": ["bet"]}


def bot_of(game: str | Game, player: str = "random") -> Bot:
    chosen = load_game(game) if isinstance(game, str) else game
    return Bot(chosen, make_player(player, chosen))


def ask(bot: Bot, **request: Any) -> dict[str, Any]:
    """The answer, through JSON both ways."""
    (line,) = bot.answers([json.dumps(request)])
    answer: dict[str, Any] = json.loads(line)
    return answer


def players_of(game: Game) -> list[str]:
    return ["random", *(f"rulebook:{book}" for book in game.rulebooks)]


def deals_of(game: Game, count: int, seed: int) -> list[Deal]:
    """Positions of deals that are not over, under random house rules."""
    game_, variant, matches, states = random_positions(game, count, seed)
    deals = []
    for number in range(count):
        match = Match(game_, variant, matches[number : number + 1].copy())
        deal = Deal.from_text(_text(match, states[number : number + 1]))
        if not deal.is_over:
            deals.append(deal)
    return deals


def _text(match: Match, states: np.ndarray) -> str:
    order = orders_of(states, len(match.game.deck))[0]
    return Deal(match, tuple(int(card) for card in order), states).text()


# ---------------------------------------------------------------------------- choices


def test_a_view_and_a_deal_with_a_seat_get_the_same_answer(game):
    bots = [bot_of(game, name) for name in players_of(game)]
    for seed in range(3):
        for deal in deals_of(game, 8, seed):
            view = deal.view(deal.seat)
            told = ask(bots[0], ask="table", deal=record_of(deal).values(), seat=deal.seat)["view"]
            for bot in bots:
                answers = [
                    ask(bot, view=told, seed=seed),
                    ask(bot, view=view.text(), seed=seed),
                    ask(bot, deal=deal.text(), seat=deal.seat, seed=seed),
                    ask(bot, deal=record_of(deal).values(), seed=seed),
                ]
                assert all(answer == answers[0] for answer in answers), deal.text()
                assert answers[0]["choice"] in deal.legal


def test_hidden_cards_change_no_answer(game):
    bots = [bot_of(game, name) for name in players_of(game)]
    for deal in deals_of(game, 8, 4):
        for bot in bots:
            answer = ask(bot, deal=deal.text(), seat=deal.seat, seed=1)
            for world in deal.view(deal.seat).worlds(3, seed=2):
                assert ask(bot, deal=world.text(), seat=deal.seat, seed=1) == answer


def test_the_choice_is_the_one_that_the_player_makes(game):
    for name in players_of(game):
        bot = bot_of(game, name)
        for deal in deals_of(game, 6, 5):
            answer = ask(bot, deal=deal.text(), seed=9)
            weighed = {one["choice"]: one for one in answer["advice"]["choices"]}
            assert set(weighed) == set(deal.legal)
            assert answer["text"] == weighed[answer["choice"]]["text"]
            assert sum(one["probability"] for one in weighed.values()) == pytest.approx(1)
            assert weighed[answer["choice"]]["probability"] > 0


def test_a_forced_choice_says_so():
    told = "hearts; pass_cycle=H; ; 0 2C 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD; ; leads=0"
    answer = ask(bot_of("hearts", "rulebook:strong"), view=told)
    assert (answer["text"], answer["forced"]) == ("2C", True)
    assert answer["advice"]["reason"] == "the only legal choice"


def test_seeds_of_a_random_player_change_its_choices():
    bot = bot_of("hearts")
    deal = Deal.from_seed("hearts", 1).text()
    assert len({ask(bot, deal=deal, seed=seed)["choice"] for seed in range(20)}) > 1
    assert ask(bot, deal=deal) == ask(bot, deal=deal, seed=0)


# ---------------------------------------------------------------------------- time


class Thinker:
    """Yields better and better advice for ever, and counts how often it was asked."""

    name = "thinker"

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, views, streams):
        raise AssertionError("its advice is at hand")

    def advise(self, view, stream):
        legal = choices_in(view)
        while True:
            self.asked += 1
            time.sleep(0.002)
            weights = [float(choice == legal[self.asked % len(legal)]) for choice in legal]
            weighed = zip(legal, weights, strict=True)
            yield Advice(
                self.name,
                tuple(Weighed(choice, weight, 1.5, 0.25, self.asked) for choice, weight in weighed),
                done=self.asked >= 1000,
                reason=f"asked {self.asked} times",
            )


class Timed(Thinker):
    """Is told how long it may think."""

    def advise_for(self, view, stream, seconds):
        yield from self.advise(view, stream)
        self.seconds = seconds


def test_the_last_advice_before_the_time_is_up_counts():
    player = Thinker()
    answer = ask(Bot(load_game("kuhn"), player), deal=KUHN, ms=20)
    assert 1 <= player.asked < 1000
    assert answer["advice"]["reason"] == f"asked {player.asked} times"
    best = [one for one in answer["advice"]["choices"] if one["choice"] == answer["choice"]]
    assert best[0] == {
        "choice": answer["choice"],
        "text": answer["text"],
        "probability": 1.0,
        "payoff": 1.5,
        "error": 0.25,
        "visits": player.asked,
    }


def test_numbers_that_json_cannot_tell_are_left_out():
    class Unsure(Thinker):
        def advise(self, view, stream):
            yield Advice("unsure", (Weighed(0, 1.0, 0.5, float("inf"), 1),), done=True)

    answer = ask(Bot(load_game("kuhn"), Unsure()), deal=KUHN)
    (only,) = answer["advice"]["choices"]
    assert only == {"choice": 0, "text": "pass", "probability": 1.0, "payoff": 0.5, "visits": 1}


def test_without_a_time_a_player_thinks_until_it_is_done():
    player = Thinker()
    player.asked = 990
    assert ask(Bot(load_game("kuhn"), player), deal=KUHN)["advice"]["reason"] == "asked 1000 times"


def test_a_player_that_can_be_told_the_time_is_told_it():
    player = Timed()
    player.asked = 995
    player.seconds = None
    bot = Bot(load_game("kuhn"), player)
    assert ask(bot, deal=KUHN, ms=250)["advice"]["reason"] == "asked 1000 times"


# ---------------------------------------------------------------------------- stop, quit, infos


class Endless:
    """Thinks until it is told to stop, and says so now and then."""

    name = "endless"
    stopping = None

    def choose(self, views, streams):
        raise AssertionError("its advice is at hand")

    def advise(self, view, stream):
        weighed = tuple(Weighed(choice, 0.5) for choice in choices_in(view))
        yield Advice(self.name, weighed, reason="hm")
        while not self.stopping():
            time.sleep(0.001)
        yield Advice(self.name, weighed, done=True, reason="stopped")


def served(lines: Any, player: Any = None) -> list[dict[str, Any]]:
    """All that the bot says to lines."""
    said: list[str] = []
    game = load_game("kuhn")
    player = player or make_player("random", game)
    serve_bot(Bot(game, player), lines, said.append, lambda: None)
    return [json.loads(line) for line in said]


def test_stop_is_heard_while_the_player_thinks():
    asked = json.dumps({"id": 1, "deal": KUHN})
    (answer,) = served([asked, '{"ask": "stop"}'], Endless())
    assert (answer["id"], answer["advice"]["reason"]) == (1, "stopped")


def test_stop_with_nothing_asked_is_not_answered_and_stops_nothing_later():
    asked = json.dumps({"id": 1, "deal": KUHN})
    stop = '{"ask": "stop"}'
    answers = served([stop, asked, stop, stop, asked, stop], Endless())
    assert [answer["advice"]["reason"] for answer in answers] == ["stopped"] * 2
    assert served([stop, "", stop]) == []


def test_quit_ends_the_bot_whatever_comes_after():
    asked = json.dumps({"id": 1, "deal": KUHN})
    assert [one["id"] for one in served([asked, '{"ask": "quit"}', asked])] == [1]


def test_what_the_player_thinks_is_told_to_who_asks_for_it():
    stop = '{"ask": "stop"}'
    quiet = served([json.dumps({"id": 1, "deal": KUHN}), stop], Endless())
    assert ["info" in one for one in quiet] == [False]
    info, answer = served([json.dumps({"id": 2, "deal": KUHN, "infos": True}), stop], Endless())
    assert (info["id"], info["info"]["text"]) == (2, "hm")
    assert [one["text"] for one in info["info"]["choices"]] == ["pass", "bet"]
    assert answer["choice"] in (0, 1)


def test_whoever_waits_for_hello_hears_that_we_are_getting_ready(monkeypatch):
    monkeypatch.setattr("overtrick.bot.TICK_SECONDS", 0.001)
    said: list[str] = []

    def get_ready() -> None:
        while len(said) < 3 and wanted:
            time.sleep(0.001)

    bot = bot_of("kuhn")
    for wanted in (True, False):
        said.clear()
        hello = {"id": 1, "ask": "hello", **({"infos": True} if wanted else {})}
        serve_bot(bot, [json.dumps(hello)], said.append, get_ready)
        *infos, answer = map(json.loads, said)
        assert all(info == {"id": 1, "info": {"text": "getting ready"}} for info in infos)
        assert answer["protocol"] == PROTOCOL
        assert (len(infos) >= 3) == wanted


def test_a_search_ends_when_it_is_told_to_stop():
    player = make_player("pimc:worlds=100000000", load_game("kuhn"))
    bot = Bot(load_game("kuhn"), player)
    answer = bot.answer(json.dumps({"deal": KUHN}), lambda: True)
    assert answer["advice"]["reason"].startswith("after 64 worlds")


def test_fields_that_are_not_known_are_passed_over_and_named():
    answer = ask(bot_of("kuhn"), deal=KUHN, sead=1, weather={"x": [1]})
    assert answer["ignored"] == ["sead", "weather"]
    assert answer["choice"] in (0, 1)
    assert "ignored" not in ask(bot_of("kuhn"), deal=KUHN)


# ---------------------------------------------------------------------------- hello, deals, tables


def test_hello_tells_who_is_there():
    answer = ask(bot_of("kuhn"), ask="hello", id="a")
    assert answer["id"] == "a"
    assert (answer["game"], answer["player"], answer["protocol"]) == ("kuhn", "random", PROTOCOL)
    assert answer["cards"] == ["J", "Q", "K"]


def test_a_match_can_be_played_without_knowing_a_rule(game):
    bot = bot_of(game)
    deal = ask(bot, ask="deal", seed=3)["deal"]
    now = ask(bot, ask="table", deal=deal)
    while not now["over"]:
        assert [one["text"] for one in now["legal"]]
        deal["choices"].append(ask(bot, deal=deal, seat=now["seat"], seed=3)["text"])
        now = ask(bot, ask="table", deal=deal)
    assert now["match"]["deals"] == 1
    assert len(now["payoffs"]) == game.seats
    following = ask(bot, ask="deal", seed=3, match=now["match"])
    if now["winners"]:
        assert "the match is over" in following["error"]
    else:
        assert following["deal"]["match"] == now["match"]


def test_the_table_of_a_seat_tells_no_more_than_it_sees():
    deal = Deal.from_seed("hearts", 2)
    answer = ask(bot_of("hearts"), ask="table", deal=deal.text(), seat=0)
    assert answer["line"] == deal.view(0).text()
    assert [*answer["view"]["cards"]] == ["0"]


# ---------------------------------------------------------------------------- what is wrong


@pytest.mark.parametrize(
    ("request_", "complaint"),
    [
        ({}, "either a view or a deal"),
        ({"view": "", "deal": ""}, "either a view or a deal"),
        ({"ask": "time"}, "ask is one of"),
        ({"ask": "hello", "game": "leduc"}, "this bot plays kuhn, not 'leduc'"),
        ({"ask": "hello", "options": {"depth": 3}}, "this bot has no options, not 'depth'"),
        ({"deal": KUHN, "seat": 0}, "1 is to bet, not 0"),
        ({"deal": KUHN, "seat": 2}, "the seats are 0 to 1"),
        ({"deal": KUHN, "seat": []}, "a seat is a number or a name"),
        ({"deal": KUHN, "ms": 0}, "ms is a whole number from 1"),
        ({"deal": KUHN, "ms": True}, "ms is a whole number from 1"),
        ({"deal": KUHN, "seed": "x"}, "seed is a whole number"),
        ({"deal": KUHN | {"choices": ["bet", "bet"]}}, "the deal is over"),
        ({"deal": KUHN | {"choices": ["call"]}}, "'call' is not a choice to bet"),
        ({"deal": KUHN | {"cards": {"0": "K", "1": "K"}}}, "K is dealt twice"),
        ({"deal": KUHN | {"game": "leduc"}}, "this bot plays kuhn, not 'leduc'"),
        ({"deal": Deal.from_seed("leduc", 1).text()}, "this bot plays kuhn, not 'leduc'"),
        ({"deal": 7}, "a deal is a JSON object"),
        ({"view": 7}, "a view is a JSON object"),
        ({"view": {"seat": 1, "choices": []}}, "cards is missing"),
        ({"view": {"seat": 1, "cards": {}, "choices": [1]}}, "a choice' should be a text"),
        ({"view": {"seat": 1, "cards": {"1": "Q"}, "choices": ["?"]}}, "no deal explains '?'"),
        ({"view": {"seat": 1, "cards": {"1": "X"}, "choices": []}}, "'X' is not a card"),
        ({"view": {"seat": 1, "cards": {"0": "Q"}, "choices": []}}, "cards dealt to 1, talon"),
        ({"view": {"seat": 1, "cards": {"1": "Q"}, "choices": []}}, "0 is to bet, not 1"),
        ({"view": {"seat": 1, "cards": {"1": "Q"}, "choices": [], "match": {"x": 1}}}, "'x'"),
        ({"view": {"seat": 1, "cards": {"1": "Q"}, "choices": [], "variant": {"x": 1}}}, "'x'"),
        ({"id": [1]}, "an id is a number or a text"),
    ],
)
def test_a_bad_request_gets_one_clear_sentence(request_, complaint):
    answer = ask(bot_of("kuhn"), **request_)
    assert list(answer) == ["error"]
    assert complaint in answer["error"], answer["error"]


def test_an_error_has_the_id_of_its_request():
    assert ask(bot_of("kuhn"), id=5, ask="x")["id"] == 5
    assert "error" in ask(bot_of("kuhn"), id=5, ask="x")


PIECES = ('{"', '"', ":", "{", "}", "[", "]", ",", "view", "deal", "seat", "cards", "choices", "1")
PIECES += ("null", "true", "-1e999", "NaN", "\ufffd", "\u2028", "?", "Q", "\\ud800", " ", "ask")


def garbage(rng: random.Random) -> str:
    return "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 30)))


def some_value(rng: random.Random, depth: int = 0) -> Any:
    scalars = [
        None,
        True,
        -1,
        0,
        1,
        2,
        10**30,
        1.5,
        "",
        "?",
        "0",
        "2C",
        "hearts",
        "\ud800",
        "x" * 99,
    ]
    kind = rng.random()
    if depth > 2 or kind < 0.6:
        return rng.choice(scalars)
    if kind < 0.8:
        return [some_value(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    return {str(rng.choice(scalars)): some_value(rng, depth + 1) for _ in range(rng.randint(0, 3))}


def damaged(rng: random.Random, values: Any) -> Any:
    """A request with one value, somewhere in it, put in place of another."""
    if isinstance(values, dict) and values and rng.random() < 0.9:
        name = rng.choice([*values])
        return values | {name: damaged(rng, values[name])}
    if isinstance(values, list) and values and rng.random() < 0.8:
        at = rng.randrange(len(values))
        return [*values[:at], damaged(rng, values[at]), *values[at + 1 :]]
    return some_value(rng)


def test_every_line_gets_one_answer_whatever_it_is(game):
    rng = random.Random(1)
    bot = bot_of(game)
    deals = deals_of(game, 10, 6)
    lines = [garbage(rng) for _ in range(150)]
    for _ in range(250):
        deal = rng.choice(deals)
        table = {"ask": "table", "deal": record_of(deal).values(), "seat": deal.seat}
        view = bot.answered(table)["view"]
        sound = rng.choice([table, {"view": view}, {"ask": "deal", "variant": {}, "match": {}}])
        lines.append(json.dumps(damaged(rng, sound)))
    told = [line for line in lines if line.strip()]
    answers = [*bot.answers(lines)]
    assert len(answers) == len(told)
    for line, answer in zip(told, answers, strict=True):
        assert "\n" not in answer and answer.isascii()
        assert FAULT not in json.loads(answer).get("error", ""), (line, answer)


# ---------------------------------------------------------------------------- the command


def run(*arguments: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "overtrick", "bot", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **settings)


def test_the_command_answers_line_by_line_and_ends_with_its_input():
    command = [sys.executable, "-m", "overtrick", "bot", "kuhn", "random"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as running:
        for number, line in enumerate([b"{}", b"\xff\xfe", b'{"ask": "hello"}\r']):
            running.stdin.write(line + b"\n")
            running.stdin.flush()
            answer = json.loads(running.stdout.readline())
            assert ("error" in answer) == (number < 2)
        running.stdin.close()
        assert running.stdout.read() == b""
        assert running.wait() == 0


def test_ctrl_c_ends_the_command_without_a_trace():
    command = [sys.executable, "-m", "overtrick", "bot", "kuhn", "random"]
    pipe = subprocess.PIPE
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
    running = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    signal.signal(signal.SIGINT, before)
    with running:
        print('{"ask": "hello"}', file=running.stdin, flush=True)
        assert json.loads(running.stdout.readline())
        running.send_signal(signal.SIGINT)
        _, complaints = running.communicate()
        assert "Traceback" not in complaints
        assert running.returncode == 130


@pytest.mark.parametrize("names", [("kuhnn", "random"), ("kuhn", "nobody"), ("kuhn",)])
def test_an_unknown_game_or_player_ends_in_one_line(names):
    done = run(*names, input="")
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
