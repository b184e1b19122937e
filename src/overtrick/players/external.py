"""Programs in any language as players: `exec:./mybot`, by the lines of JSON of docs/bots.md.

A program is told what its seat knows and nothing else. Whatever it does wrong (it crashes, hangs,
answers nonsense or late, floods us) is logged, and the lowest legal choice is made in its place;
`replaced` counts these. A program that cannot be trusted to keep in step any more is ended and
started again, a few times; after that, all its choices are replaced.
"""

from __future__ import annotations

import json
import logging
import os
import re
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from overtrick.engine.deals import Match, View
from overtrick.errors import BadOption, BotFault, NotAllowed, UnknownName
from overtrick.games.game import Choice, Game, Row, Variant
from overtrick.players.advice import Advice, Weighed
from overtrick.players.external_process import Program, command_words
from overtrick.players.external_requests import (
    QUIT,
    STOP,
    Hello,
    Values,
    choice_in,
    choice_request,
    hello_request,
    info_text,
    object_in,
    weighed_in,
)
from overtrick.players.naming import PlayerName, Settings

__all__ = [
    "ExternalPlayer",
    "Patience",
    "Talk",
    "bot_player",
    "close_bots",
    "exec_player",
    "named_bots",
    "seat_bot",
]

Records = np.ndarray[Any, Any]
Key = tuple[str, tuple[str, ...], str, tuple[tuple[str, str], ...], "Patience"]

MOST_RESTARTS = 3
MOST_LOGGED = 10  # faults of one player that are told one by one
MOST_MS = 3_600_000
END_SECONDS = 2.0  # that the end of a service waits for who is just being started
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")

log = logging.getLogger("overtrick.bots")


@dataclass(frozen=True)
class Patience:
    """How long a program is waited for, in seconds."""

    ms: int | None = None  # that it is told it may think; None: as it likes
    limit: float = 10.0  # after which it is told to stop
    grace: float = 1.0  # that it then has to answer
    hello: float = 60.0  # of silence before it says hello
    start: float = 600.0  # that it may take to get ready, if it says so now and then
    quit: float = 1.0  # that it has to end by itself

    @classmethod
    def of(cls, ms: int | None, limit: int | None) -> Patience:
        """With what the name of a player tells, in milliseconds."""
        if limit is not None:
            return cls(ms, limit / 1000)
        return cls(ms) if ms is None else cls(ms, ms / 1000)


class Talk:
    """A running program that has said hello, and may be asked."""

    def __init__(
        self,
        words: Sequence[str],
        game: Game | None,
        options: Mapping[str, str],
        patience: Patience,
    ) -> None:
        self.patience = patience
        self.program = Program(words)
        self.is_lost = False  # it owes an answer that nobody waits for
        self.seconds = 0.0  # that the last answer took
        self._number = 0
        try:
            request = hello_request(game, self._next(), options, patience.ms)
            self.hello = Hello(self._greeted(request))
        except BaseException:
            self.program.close()
            raise

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _greeted(self, request: Values) -> Values:
        """The answer to hello; whoever gets ready, and says so, is waited for."""
        self.program.send(json.dumps(request))
        last = time.monotonic() + self.patience.start
        while True:
            line = self.program.hear(min(last, time.monotonic() + self.patience.hello))
            if line is None:
                raise BotFault("late", "does not answer hello")
            told = object_in(line)
            if "id" in told and told["id"] == request["id"] and "info" not in told:
                return told

    def ask(
        self,
        view: View,
        chance: Row,
        *,
        ms: int | None = None,
        stopping: Callable[[], bool] | None = None,
        infos: bool = False,
    ) -> Iterator[Values]:
        """Whatever the program says to one request, its answer last; BotFault if it has none."""
        told = self.patience.ms if ms is None else ms
        request = choice_request(view, self._next(), chance, told)
        if infos:
            request["infos"] = True
        yield from self.exchange(request, stopping)

    def exchange(
        self, request: Values, stopping: Callable[[], bool] | None = None
    ) -> Iterator[Values]:
        """Whatever the program says until it has answered, that answer last."""
        self.program.send(json.dumps(request))
        seconds = self.patience.limit
        if self.patience.ms is None and "ms" in request:
            seconds = request["ms"] / 1000
        begun = time.monotonic()
        until, stopped = begun + seconds, False
        while True:
            wanted = None if stopped else stopping
            line = self.program.hear(until, wanted) if wanted else self.program.hear(until)
            if line is not None:
                told = object_in(line)
                is_answer = _is_answer(told, request["id"])
                self.seconds = time.monotonic() - begun
                try:
                    yield told
                except GeneratorExit:
                    if not is_answer:
                        self._hush(request["id"])
                    raise
                if is_answer:
                    return
            elif stopped:
                raise BotFault("late", f"does not answer within {seconds:g} s, nor when stopped")
            else:
                stopped, until = True, time.monotonic() + self.patience.grace
                self.program.add(json.dumps(STOP))

    def _hush(self, number: int) -> None:
        """Wait for an answer that nobody wants any more, so that the next one is in step."""
        self.program.add(json.dumps(STOP))
        until = time.monotonic() + self.patience.grace
        try:
            while (line := self.program.hear(until)) is not None:
                if _is_answer(object_in(line), number):
                    return
        except BotFault:
            pass
        self.is_lost = True

    def quit(self) -> int | None:
        """Let it end, or end it, with all that it has started; its status if it did so itself."""
        try:
            self.program.send(json.dumps(QUIT))
            return self.program.ended(time.monotonic() + self.patience.quit)
        finally:
            self.program.close()


def _is_answer(told: Values, number: int) -> bool:
    """Whether this is the answer; one to something else means that we are out of step."""
    if "info" in told:
        return False
    if "id" in told and told["id"] == number:
        return True
    if "choice" in told or "text" in told:
        raise BotFault("nonsense", f"answers with the id {told.get('id')!r}, not {number}")
    return False  # a word about something else, such as an error that nobody waits for


# ---------------------------------------------------------------------------- the player


class ExternalPlayer:
    """A program that decides for a seat."""

    def __init__(
        self,
        game: Game,
        name: str,
        words: Sequence[str],
        options: Mapping[str, str] | None = None,
        patience: Patience | None = None,
    ) -> None:
        self.game = game
        self.name = name
        self.replaced = 0  # choices that were made in its place so far
        self.reason = ""  # for the last of them, in one word
        self.stopping: Callable[[], bool] | None = None  # asked while it thinks
        self._words = tuple(words)
        self._options = dict(options or {})
        self._patience = patience or Patience()
        self._talk: Talk | None = None
        self._restarts = 0
        self._is_out = False
        self._around: tuple[Variant, Records] | None = None
        self._turn = threading.RLock()
        _PLAYERS.add(self)

    def hear_match(self, variant: Variant, matches: Records) -> None:
        """Hear of the matches around the views that it is asked for next: one each, or one."""
        self._around = variant, matches

    def choose(self, views: Records, streams: Row) -> Row:
        """One legal choice for each view; the lowest where the program has none."""
        chosen = np.zeros(len(views), dtype=np.int64)
        for number, view in enumerate(self._views(views)):
            *_, last = self._advise(view, streams[number], None, infos=False)
            chosen[number] = last.best.choice
        return chosen

    def advise(self, view: Records, stream: Row) -> Iterator[Advice]:
        """What the program says while it thinks, then its choice."""
        (seen,) = self._views(view)
        yield from self._advise(seen, stream, None, infos=True)

    def advise_for(self, view: Records, stream: Row, seconds: float) -> Iterator[Advice]:
        """The same, for so long."""
        (seen,) = self._views(view)
        yield from self._advise(seen, stream, max(1, int(1000 * seconds)), infos=True)

    def greet(self) -> None:
        """Hear what the program tells of itself; refused if it has no such game or options.

        A program that does not say hello is not refused: its choices will be replaced.
        """
        hello = _hello_of(self._key, self._start)
        refusal = self._refusal(hello)
        if refusal:
            talk = _parked(self._key)
            if talk is not None:
                talk.quit()
            raise BadOption(f"{self.name} {refusal}")

    def _refusal(self, hello: Hello | BotFault) -> str:
        """Why it cannot be asked as it is wanted, if so."""
        if isinstance(hello, BotFault):
            return str(hello) if hello.kind == "error" else ""
        if hello.games is not None and self.game.name not in hello.games:
            return f"plays {', '.join(hello.games)}, not {self.game.name}"
        for option in self._options:
            if option not in hello.options:
                return f"has the options {', '.join(hello.options) or 'none'}, not {option!r}"
        return ""

    def close(self) -> None:
        """End the program, with all that it has started; it is started again if asked again."""
        with self._turn:
            talk, self._talk = self._talk, None
            if talk is not None:
                talk.quit()

    def end(self) -> None:
        """End the program for good, even while somebody waits for its answer."""
        self._is_out = True
        talk = self._talk
        if talk is not None:
            talk.program.kill()
        if self._turn.acquire(timeout=END_SECONDS):
            try:
                self.close()
            finally:
                self._turn.release()

    # ------------------------------------------------------------------------ asking

    def _views(self, records: Records) -> list[View]:
        """Views in the matches that were told, else in such as the records need."""
        around, self._around = self._around, None
        views = [records[n : n + 1] for n in range(len(records))]
        if around is None or len(around[1]) not in (1, len(records)):
            return [View(match_of(self.game, view), view) for view in views]
        variant, matches = around
        rows = [matches[n % len(matches) : n % len(matches) + 1] for n in range(len(records))]
        told = [Match(self.game, variant, row) for row in rows]
        return [View(match, view) for match, view in zip(told, views, strict=True)]

    def _advise(self, view: View, chance: Row, ms: int | None, *, infos: bool) -> Iterator[Advice]:
        legal, said = view.legal, ""
        if len(legal) == 1:
            yield self._settled(legal, legal[0], "the only legal choice")
            return
        with self._turn:
            answer: Values = {}
            try:
                stopping = self.stopping
                talk = self._running()
                for answer in talk.ask(view, chance, ms=ms, stopping=stopping, infos=infos):
                    if "info" in answer:
                        said = info_text(answer["info"]) or said
                        log.info("%s: %s", self.name, said)
                        if infos:
                            yield self._thought(legal, weighed_in(answer["info"], view), said)
            except BotFault as fault:
                self._lose()
                yield self._replaced(legal, fault)
                return
            try:
                choice = choice_in(answer, view)
            except BotFault as fault:  # it is still in step
                yield self._replaced(legal, fault)
                return
        if answer.get("replaced"):  # it has asked a program itself, which failed
            self._count(
                "replaced", f"asked another program, which failed: {answer['replaced']!r:.40}"
            )
        thought = answer.get("advice")
        said = (thought.get("reason") if isinstance(thought, dict) else None) or said
        yield self._settled(legal, choice, info_text(said), weighed_in(thought, view))

    def _settled(
        self,
        legal: Sequence[Choice],
        choice: Choice,
        said: str,
        weighed: Mapping[Choice, Weighed] | None = None,
    ) -> Advice:
        """All on one choice, whatever else is known of the others."""
        known = [(weighed or {}).get(one, Weighed(one, 0.0)) for one in legal]
        told = tuple(replace(one, probability=float(one.choice == choice)) for one in known)
        return Advice(self.name, told, done=True, reason=said or "as the program chose")

    def _thought(
        self, legal: Sequence[Choice], weighed: Mapping[Choice, Weighed], said: str
    ) -> Advice:
        even = Weighed(0, 1 / len(legal) if not weighed else 0.0)
        told = tuple(weighed.get(one, replace(even, choice=one)) for one in legal)
        return Advice(self.name, told, reason=said)

    # ------------------------------------------------------------------------ faults

    @property
    def _key(self) -> Key:
        """What programs of the same kind have in common."""
        options = tuple(sorted(self._options.items()))
        return os.getcwd(), self._words, self.game.name, options, self._patience

    def _start(self) -> Talk:
        return Talk(self._words, self.game, self._options, self._patience)

    def _running(self) -> Talk:
        """The program, started if need be."""
        if self._is_out:
            raise BotFault("out", "is not asked any more")
        if self._talk is not None and self._talk.is_lost:
            self._talk.program.close()
            self._talk = None
        if self._talk is None:
            try:
                self._talk = _parked(self._key) or self._start()
            except BotFault:  # who does not even say hello will not play
                self._is_out = True
                raise
        return self._talk

    def _lose(self) -> None:
        """End a program that is out of step; it is started again, but not for ever."""
        talk, self._talk = self._talk, None
        if talk is not None:
            talk.program.close()
            self._restarts += 1
            if self._restarts > MOST_RESTARTS:
                self._is_out = True
                log.warning("%s was started %d times: enough", self.name, self._restarts)

    def _replaced(self, legal: Sequence[Choice], fault: BotFault) -> Advice:
        """The lowest legal choice in the place of the program's, counted and told."""
        self._count(fault.kind, f"{fault}; the lowest legal choice is made for it")
        return self._settled(legal, legal[0], f"in the place of {self.name}, which {fault}")

    def _count(self, kind: str, told: str) -> None:
        self.replaced += 1
        self.reason = kind
        if self.replaced <= MOST_LOGGED and kind != "out":
            log.warning("%s %s", self.name, told)
        elif self.replaced == MOST_LOGGED + 1:
            log.warning("%s: what else is replaced is only counted", self.name)


_PLAYERS: weakref.WeakSet[ExternalPlayer] = weakref.WeakSet()
_GREETED: dict[Key, Hello | BotFault] = {}
_PARKED: dict[Key, Talk] = {}
_GREETING: dict[Key, threading.Lock] = {}


def _hello_of(key: Key, start: Callable[[], Talk]) -> Hello | BotFault:
    """What a program told of itself when it was first started here, or why it did not.

    That first one waits for whoever needs it.
    """
    with _GREETING.setdefault(key, threading.Lock()):  # who greets another does not wait
        if key not in _GREETED:
            try:
                _PARKED[key] = start()
                _GREETED[key] = _PARKED[key].hello
            except BotFault as fault:
                _GREETED[key] = fault
        return _GREETED[key]


def _parked(key: Key) -> Talk | None:
    """The program that was greeted first, for whoever is first to need it."""
    return _PARKED.pop(key, None)


def close_bots() -> None:
    """End all programs that were started by their names at the table."""
    for player in [*_PLAYERS]:
        if player.name.startswith("bot:"):
            player.end()
    for key in [*_PARKED]:
        talk = _parked(key)
        if talk is not None:
            talk.quit()


# ---------------------------------------------------------------------------- views alone


def match_of(game: Game, view: Records) -> Match:
    """A match in which a view may have come about, if nobody has told the real one."""
    variant = variant_in(game, view[0])
    matches = game.blank_matches(1, variant)
    rule = game.rules.get("match_around")
    if rule is not None:
        rule(view[0], matches[0])
    return Match(game, variant, matches)


def variant_in(game: Game, record: Any) -> Variant:
    """The house rules of a record; those that only matches have are as usual."""
    usual = game.variant()
    chosen: dict[str, Any] = {}
    names = record.dtype.names
    for name, (default, allowed) in game.variant.options().items():
        if name not in names or int(record[name]) == usual.pack()[name]:
            continue
        values: Sequence[Any] = allowed.values or ()
        if allowed.values is None and isinstance(default, int):
            values = (int(record[name]),)
        for value in values:
            if replace(usual, **{name: value}).pack()[name] == int(record[name]):
                chosen[name] = value
        if name not in chosen:
            raise BadOption(f"{game.name}: a program cannot be told this {name} here")
    return replace(usual, **chosen)


# ---------------------------------------------------------------------------- by name


def exec_player(game: Game, name: PlayerName) -> ExternalPlayer:
    """`exec:./mybot --fast,ms=500,depth=3`: a command, our settings, and its own options."""
    player = _program(game, name.what, name.settings, str(name))
    player.greet()
    return player


def _program(game: Game, command: str, told: Mapping[str, str], name: str) -> ExternalPlayer:
    own = {key: value for key, value in told.items() if key in ("ms", "limit")}
    options = {key: value for key, value in told.items() if key not in own}
    settings = Settings(PlayerName("exec", "", own), ("ms", "limit"))
    numbers = {
        key: settings.number(key, 0, least=1, most=MOST_MS) if key in settings else None
        for key in ("ms", "limit")
    }
    return ExternalPlayer(game, name, command_words(command), options, Patience.of(**numbers))


_BOTS: dict[str, tuple[str, dict[str, str]]] = {}


def seat_bot(told: str) -> str:
    """Make a program known by a name, told as `NAME=command`: `bot:NAME` can then sit down."""
    name, equals, command = (part.strip() for part in told.partition("="))
    if not equals or not NAME.fullmatch(name):
        raise BadOption(f"a bot is told as NAME=command, a short NAME without spaces, not {told!r}")
    parts = PlayerName.read(f"exec:{command.removeprefix('exec:')}")
    command_words(parts.what)
    if name in _BOTS:
        raise BadOption(f"two bots are called {name}")
    _BOTS[name] = (parts.what, dict(parts.settings))
    return f"bot:{name}"


def named_bots() -> list[str]:
    """The names of the programs that were made known."""
    return [f"bot:{name}" for name in _BOTS]


def bot_player(game: Game, name: PlayerName) -> ExternalPlayer:
    """`bot:NAME`: a program that whoever started this process has given a name.

    It is not greeted here: that may take a while, and those who serve others must not wait.
    """
    if name.what not in _BOTS:
        raise UnknownName("bot", name.what, _BOTS)
    if name.settings:
        raise NotAllowed(f"{name}: the settings of a bot are told where it was given its name")
    command, settings = _BOTS[name.what]
    return _program(game, command, settings, f"bot:{name.what}")
