"""A player that other programs can ask: one line of JSON in, one line of JSON out.

Every request tells all that is needed, so neither side keeps a state: what one seat saw of a deal
(`view`), or a whole deal and a seat (`deal`), which is hidden before the player sees it. What is
asked is a choice, unless `ask` tells otherwise. docs/bots.md is the protocol; it is the one that
programs speak which play for us (`players/external.py`), so our players can be such programs too.
"""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np

from overtrick import __version__
from overtrick.engine.deals import Deal, Match, Sight, View
from overtrick.errors import BadNotation, BadRecord, BadSeat, DealOver, OvertrickError
from overtrick.games.game import Choice, Game, Seat
from overtrick.jit import streams
from overtrick.players import Advice, LevelPlayer, Player, tell_match
from overtrick.players.external_requests import PROTOCOL, view_values
from overtrick.records.checks import match_fields, match_of
from overtrick.records.json_text import shortened, strict_json
from overtrick.records.record import FORMAT, VERSION, Record, record_of

__all__ = ["FAULT", "PROTOCOL", "Bot", "serve_bot"]

MOST_MS = 3_600_000
MOST_TEXT = 1_000_000  # characters of a line
FAULT = "a fault of the bot, please report it"
MOST_WAITING = 64  # requests that have been read and not yet answered
TICK_SECONDS = 2.0  # between words that it is getting ready
WHAT_TO_ASK = ("choice", "table", "deal", "hello", "stop", "quit")
UNANSWERED = ("stop", "quit")
ALONG = {"phase", "hand", "trick", "public", "legal"}
"""What is told to programs that know no rules, beside the view; we look at the view."""
WHO = {"protocol", "name", "version", "game", "seats", "cards", "phases", "options", "ms"}
FIELDS = {
    "choice": {"view", "deal", "seat", "ms", "seed", "infos", *ALONG},
    "table": {"view", "deal", "seat"},
    "deal": {"variant", "match", "seed"},
    "hello": {"infos", *WHO},
}
VIEW_FIELDS = {"game", "variant", "match", "seat", "cards", "choices", "seen"}

Values = dict[str, Any]
Streams = np.ndarray[Any, Any]


class Bot:
    """Answers requests about one game as one player would choose."""

    def __init__(self, game: Game, player: Player) -> None:
        self.game = game
        self.player = player
        self.tell: Callable[[Values], None] = lambda info: None
        """Hears what the player thinks on the way to an answer, where that is asked for."""

    def answers(self, lines: Iterable[str]) -> Iterator[str]:
        """One line for each line, empty ones apart; what is wrong becomes a line with `error`."""
        for line in lines:
            if line.strip() and _asks(line) not in UNANSWERED:
                yield json.dumps(self.answer(line), allow_nan=False)

    def answer(self, line: str, stopping: Callable[[], bool] | None = None) -> Values:
        """The answer to one line; `stopping` tells when it is wanted at once."""
        if hasattr(self.player, "stopping"):
            self.player.stopping = stopping
        echoed: Values = {}
        try:
            if len(line) > MOST_TEXT:
                raise BadRecord(f"a request has at most {MOST_TEXT} characters, not {len(line)}")
            request = _object(strict_json(line), "a request")
            echoed = _echoed(request)
            told = self.answered(request)
        except OvertrickError as error:
            told = {"error": str(error)}
        except Exception as error:  # a fault of ours: the match of another program goes on
            told = {"error": f"{FAULT}: {type(error).__name__}: {' '.join(str(error).split())}"}
        return echoed | told

    def answered(self, request: Values) -> Values:
        """The answer to a request that has been read; what is wrong with it is raised."""
        ask = request.get("ask", "choice")
        if ask not in WHAT_TO_ASK:
            raise BadNotation(f"ask is one of {', '.join(WHAT_TO_ASK)}, not {shortened(ask)}")
        if ask in UNANSWERED:
            return {}
        known = {"id", "ask", *FIELDS[ask]}
        ignored = [shortened(name)[1:-1] for name in request if name not in known]
        kinds = {"hello": self._hello, "deal": self._shuffled, "table": self._table}
        told = kinds.get(ask, self._choice)(request)
        return told | {"ignored": ignored} if ignored else told

    # ------------------------------------------------------------------------ answers

    def _hello(self, request: Values) -> Values:
        """Who is here; a game that we do not play, and options that we do not have, are refused."""
        self._check_game(request.get("game", self.game.name))
        options = _object(request.get("options", {}), "options")
        if options:
            raise BadNotation(f"this bot has no options, {_not(next(iter(options)))}")
        return {
            "name": "overtrick",
            "version": __version__,
            "protocol": PROTOCOL,
            "game": self.game.name,
            "player": self.player.name,
            "seats": [self.game.seat_name(seat) for seat in range(self.game.seats)],
            "cards": [*self.game.deck.names],
            "phases": [*self.game.phases],
            "options": {},
        }

    def _shuffled(self, request: Values) -> Values:
        """A deal that the seed shuffles, as a record; the first of a match unless that is told."""
        seed = _whole(request, "seed", 0, -(2**63), 2**63 - 1)
        variant = _object(request.get("variant", {}), "variant")
        match = Match.start(self.game, variant=variant, seed=seed)
        if "match" in request:
            match = _match(self.game, request["match"], variant)
        return {"deal": record_of(match.deal(seed)).values()}

    def _table(self, request: Values) -> Values:
        """Where a deal stands, as everybody or one seat sees it."""
        place = self._position(request)
        legal = zip(place.legal, place.legal_texts, strict=True)
        told: Values = {
            "over": place.is_over,
            "phase": place.phase,
            "seat": place.seat,
            "legal": [{"choice": choice, "text": text} for choice, text in legal],
            "public": dict(place.public),
            "line": place.text(),
        }
        if isinstance(place, View):
            return told | {"view": view_values(place)}
        if place.is_over:
            after = place.match.after(place)
            told["payoffs"] = [_points(payoff) for payoff in place.payoffs]
            told["match"] = match_fields(after)
            told["winners"] = list(after.winners)
        return told

    def _choice(self, request: Values) -> Values:
        """What the player chooses, and what it thinks of every legal choice."""
        ms = _whole(request, "ms", None, 1, MOST_MS)
        seed = _whole(request, "seed", 0, -(2**63), 2**63 - 1)
        place = self._position(request)
        to_act = _to_act(place)
        view = place.view(to_act) if isinstance(place, Deal) else place
        if to_act != view.viewer:
            raise BadSeat(
                f"{self.game.name}: {self.game.seat_name(to_act)} is to {view.phase}, "
                f"not {self.game.seat_name(view.viewer)}"
            )
        chance = _streams(view, seed)
        before = getattr(self.player, "replaced", 0)
        advice = self._advice(view, ms, chance, request)
        choice = self._chosen(view, advice, chance)
        failed = getattr(self.player, "replaced", 0) > before
        flag = {"replaced": getattr(self.player, "reason", "")} if failed else {}
        return flag | {
            "choice": choice,
            "text": view.choice_text(choice),
            "seat": view.viewer,
            "phase": view.phase,
            "forced": len(view.legal) == 1,
            "advice": _advice_values(view, advice),
        }

    # ------------------------------------------------------------------------ the player

    def _advice(self, view: View, ms: int | None, chance: Streams, request: Values) -> Advice:
        """The best advice there is when the time is up, or when the player is done."""
        tell_match(self.player, view.variant, view.match._records)
        stream = chance[0].copy()
        for_so_long = getattr(self.player, "advise_for", None)
        if ms is not None and for_so_long is not None:
            advised = for_so_long(view.records, stream, ms / 1000)
            ms = None  # it knows
        else:
            advised = self.player.advise(view.records, stream)
        if request.get("infos") is True:
            advised = self._told(view, advised, request)
        return _last(advised, ms)

    def _told(self, view: View, advised: Iterator[Advice], request: Values) -> Iterator[Advice]:
        """The same advice, told on its way."""
        for advice in advised:
            if not advice.done:
                info = _advice_values(view, advice)
                self.tell(_echoed(request) | {"info": {"text": info.pop("reason"), **info}})
            yield advice

    def _chosen(self, view: View, advice: Advice, chance: Streams) -> Choice:
        """A player of a level chooses as it does anywhere; the others take the best."""
        if isinstance(self.player, LevelPlayer):
            return int(self.player.choose(view.records, chance.copy())[0])
        return advice.best.choice

    # ------------------------------------------------------------------------ the position

    def _position(self, request: Values) -> Deal | View:
        """What a request is about; with a seat, a deal is hidden at once."""
        if ("view" in request) == ("deal" in request):
            raise BadNotation("a request has either a view or a deal")
        if "view" in request:
            if "seat" in request:
                raise BadNotation("a view has its own seat; seat is for a deal")
            return self._view(request["view"])
        deal = self._deal(request["deal"])
        return deal.view(self._seat(request["seat"])) if "seat" in request else deal

    def _deal(self, told: object) -> Deal:
        """A deal told as a line or as a record, which need not tell its result."""
        if isinstance(told, str):
            self._check_game(told.partition(";")[0].strip())
            return Deal.from_text(told)
        values = {"game": self.game.name, "choices": []} | _object(told, "a deal")
        self._check_game(values["game"])
        record = Record.from_values({"format": FORMAT, "version": VERSION} | values)
        return record.replayed() if record.result is None else record.deal()

    def _view(self, told: object) -> View:
        """A view told as a line or as an object."""
        if isinstance(told, str):
            self._check_game(told.partition(";")[0].strip())
            return View.from_text(told)
        values = _object(told, "a view")
        _check_fields(values, VIEW_FIELDS, "a view")
        self._check_game(values.get("game", self.game.name))
        for name in ("seat", "cards", "choices"):
            if name not in values:
                raise BadNotation(f"a view tells seat, cards and choices; {name} is missing")
        variant = _object(values.get("variant", {}), "variant")
        match = _match(self.game, values.get("match", {}), variant)
        return View.from_sight(match, self._sight(values))

    def _sight(self, values: Values) -> Sight:
        cards = _object(values["cards"], "cards")
        seen = _object(values.get("seen", {}), "seen")
        choices = values["choices"]
        if not isinstance(choices, list) or len(choices) > self.game.longest:
            raise BadNotation(f"choices are a list of at most {self.game.longest} texts")
        return Sight(
            self._seat(values["seat"]),
            {place: _words(told, f"cards of {place}") for place, told in cards.items()},
            [" ".join(_words(choice, "a choice", whole=True)) for choice in choices],
            {name: " ".join(_words(told, name)) for name, told in seen.items()},
        )

    def _seat(self, told: object) -> Seat:
        if isinstance(told, bool) or not isinstance(told, int | str):
            raise BadSeat(f"a seat is a number or a name, not {shortened(told)}")
        return self.game.seat_from(told)

    def _check_game(self, told: object) -> None:
        if told != self.game.name:
            raise BadNotation(f"this bot plays {self.game.name}, not {shortened(told)}")


# ---------------------------------------------------------------------------- requests


def _object(value: object, what: str) -> Values:
    if not isinstance(value, dict):
        raise BadNotation(f"{what} is a JSON object, not {shortened(value)}")
    return value


def _check_fields(values: Mapping[str, Any], known: set[str], what: str) -> None:
    for name in values:
        if name not in known:
            listed = ", ".join(sorted(known))
            raise BadNotation(f"{what} has {listed}, not {shortened(name)}")


def _whole(request: Values, name: str, usual: Any, least: int, most: int) -> Any:
    """A whole number of a request, or what is usual."""
    value = request.get(name)
    if value is None:
        return usual
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadNotation(f"{name} is a whole number from {least} to {most}, {_not(value)}")
    return value


def _not(value: object) -> str:
    return f"not {shortened(value)}"


def _match(game: Game, told: object, variant: Values) -> Match:
    """The match before the deal, by the game's own fields."""
    fields: dict[str, int | tuple[int, ...]] = {}
    for name, value in _object(told, "match").items():
        numbers = value if isinstance(value, list) else [value]
        if not all(isinstance(one, int) and not isinstance(one, bool) for one in numbers):
            raise BadNotation(f"{shortened(name)} of a match is a whole number or a list of them")
        fields[name] = tuple(numbers) if isinstance(value, list) else value
    return match_of(game, fields, variant)


def _words(told: object, what: str, *, whole: bool = False) -> list[str]:
    """The words of a text, a number or a list of texts."""
    if isinstance(told, int) and not isinstance(told, bool) and not whole:
        return [str(told)]
    if isinstance(told, str) and len(told) <= 400:
        return told.replace(",", " ").split()
    if isinstance(told, list) and not whole and all(isinstance(word, str) for word in told):
        return [part for word in told[:64] for part in _words(word, what)]
    raise BadNotation(f"{shortened(what)} should be a text, {_not(told)}")


def _echoed(request: Values) -> Values:
    """The id of a request, to be given back as it came."""
    if "id" not in request:
        return {}
    told = request["id"]
    if isinstance(told, float) and not isfinite(told):
        raise BadNotation("an id is not infinite")
    if not isinstance(told, str | int | float | None):
        raise BadNotation(f"an id is a number or a text, {_not(told)}")
    return {"id": told}


def _to_act(place: Deal | View) -> Seat:
    """The seat to act; a finished deal has none."""
    if place.seat is None:
        raise DealOver(f"{place.game.name}: the deal is over, there is nothing to choose")
    return place.seat


# ---------------------------------------------------------------------------- asking the player


def _streams(view: View, seed: int) -> Streams:
    """The chance of a choice: the same for the same seed, deal, seat and number of the choice."""
    return streams(1, seed, "player", view.match.deals, view.viewer, len(view.history))


def _last(advised: Iterator[Advice], ms: int | None) -> Advice:
    """The last advice before the time is up or there is no better; without a time, until done."""
    end = None if ms is None else time.monotonic() + ms / 1000
    best = next(advised)
    while not best.done and (end is None or time.monotonic() < end):
        better = next(advised, None)
        if better is None:
            break
        best = better
    return best


# ---------------------------------------------------------------------------- answers


def _advice_values(view: View, advice: Advice) -> Values:
    weighed = [
        {
            "choice": one.choice,
            "text": view.choice_text(one.choice),
            "probability": one.probability,
            "payoff": one.payoff,
            "error": one.error,
            "visits": one.visits,
        }
        for one in advice.choices
    ]
    return {
        "player": advice.player,
        "reason": advice.reason,
        "choices": [{name: v for name, v in one.items() if _is_told(v)} for one in weighed],
    }


def _is_told(value: object) -> bool:
    """Whether there is a value, one that JSON can tell: an error after one visit is none."""
    return value is not None and (not isinstance(value, float) or isfinite(value))


def _points(payoff: Fraction) -> int | str:
    return payoff.numerator if payoff.denominator == 1 else str(payoff)


# ---------------------------------------------------------------------------- serving


def _asks(line: str) -> object:
    """What a line asks, if it can be told."""
    if len(line) > MOST_TEXT:
        return None
    try:
        told = strict_json(line)
    except OvertrickError:
        return None
    return told.get("ask", "choice") if isinstance(told, dict) else None


class _Waiting:
    """Requests that have been read and wait for their turn; what is read next may stop them."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._queue: queue.Queue[tuple[str, threading.Event] | None]
        self._queue = queue.Queue(MOST_WAITING)
        self._asked: list[threading.Event] = []
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()

    def _read(self, lines: Iterable[str]) -> None:
        try:
            self._sort(lines)
        finally:
            self._queue.put(None)

    def _sort(self, lines: Iterable[str]) -> None:
        for line in lines:
            ask = _asks(line)
            if ask in UNANSWERED:
                for one in self._asked:
                    one.set()
            if ask == "quit":
                break
            if ask != "stop" and line.strip():
                stop = threading.Event()
                self._asked = [one for one in self._asked if not one.is_set()][-MOST_WAITING:]
                self._asked.append(stop)
                self._queue.put((line, stop))

    def __iter__(self) -> Iterator[tuple[str, threading.Event]]:
        while (item := self._queue.get()) is not None:
            yield item
            item[1].set()


def serve_bot(
    bot: Bot, lines: Iterable[str], write: Callable[[str], None], get_ready: Callable[[], None]
) -> None:
    """Answer lines until they end or somebody says quit; stop is heard while a player thinks.

    What takes long before the first answer is done in `get_ready`, and told to whoever wants to
    know.
    """
    speaking = threading.Lock()

    def say(values: Values) -> None:
        with speaking:
            write(json.dumps(values, allow_nan=False))

    bot.tell = say
    is_ready = False
    for line, stop in _Waiting(lines):
        if not is_ready:
            with _Ticking(say, line):
                get_ready()
            is_ready = True
        say(bot.answer(line, stop.is_set))


class _Ticking:
    """Says now and then that we are getting ready, if the request wants to hear of it."""

    def __init__(self, say: Callable[[Values], None], line: str) -> None:
        self._say = say
        self._done = threading.Event()
        self._ticks = threading.Thread(target=self._tick, args=(line,), daemon=True)

    def _tick(self, line: str) -> None:
        try:
            request = _object(strict_json(line), "a request")
            if request.get("infos") is not True:
                return
            info = _echoed(request) | {"info": {"text": "getting ready"}}
        except OvertrickError:
            return
        while not self._done.wait(TICK_SECONDS):
            self._say(info)

    def __enter__(self) -> None:
        self._ticks.start()

    def __exit__(self, *exception: object) -> None:
        self._done.set()
        self._ticks.join()
