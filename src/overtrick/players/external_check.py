"""Whether a program keeps to the protocol of docs/bots.md: named checks, one line each.

That it peeks at nothing need not be checked: it is told no more than its seat knows.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from overtrick.engine.deals import Match, View
from overtrick.errors import BadBudget, BadOption, BotFault
from overtrick.games import load_game
from overtrick.games.game import Choice, Game, Row, Variant
from overtrick.jit import streams
from overtrick.players.external import Patience, Talk
from overtrick.players.external_process import command_words
from overtrick.players.external_requests import QUIT, STOP, choice_in, choice_request, object_in
from overtrick.players.naming import PlayerName

__all__ = ["Check", "Report", "check_bot"]

MOST_FAULTS = 3  # after which nothing more is asked
AGAIN = 24  # requests that are asked more than once
QUIET_SECONDS = 0.3  # in which nothing may be said where nothing was asked
END_SECONDS = 5.0
NONSENSE = ("nonsense", '{"id": 1, "ask": ', "[1, 2, 3]", '{"id": "x", "ask": "juggle"}')
TOMORROW = {"weather": "fine", "tomorrow": {"version": 2, "list": [1, None]}}


@dataclass(frozen=True)
class Check:
    """One thing that a program does as it should, or does not."""

    game: str
    name: str
    passed: bool
    detail: str

    def line(self) -> str:
        """The check in one line."""
        return f"{'ok' if self.passed else 'FAILED':<7} {self.game}: {self.name:<15} {self.detail}"


@dataclass(frozen=True)
class Report:
    """All checks of one program."""

    command: str
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether it does everything as it should."""
        return all(check.passed for check in self.checks)

    def summary(self) -> str:
        """How it came out, in one line."""
        failed = [check for check in self.checks if not check.passed]
        if not failed:
            return f"{self.command}: all {len(self.checks)} checks passed"
        return f"{self.command}: {len(failed)} of {len(self.checks)} checks failed"

    def values(self) -> dict[str, Any]:
        """The report as JSON has it."""
        return {
            "command": self.command,
            "passed": self.passed,
            "checks": [
                {"game": one.game, "name": one.name, "passed": one.passed, "detail": one.detail}
                for one in self.checks
            ],
        }


def check_bot(
    command: str,
    games: Sequence[str] = (),
    *,
    deals: int = 20,
    seed: int = 1,
    ms: int = 5000,
    tell: Callable[[str], None] = lambda line: None,
) -> Report:
    """Check a program on some games, or on all that it tells of; `tell` hears each check."""
    if deals < 1 or ms < 1:
        raise BadBudget(f"at least one deal and one millisecond, not {deals} and {ms}")
    name = PlayerName.read(f"exec:{command.strip().removeprefix('exec:')}")
    words = command_words(name.what)
    patience = Patience(ms=ms, limit=ms / 1000, quit=END_SECONDS)
    checks: list[Check] = []
    for game in games or _games_of(words, name, patience):
        for check in _Checks(load_game(game), words, name, patience).run(deals, seed):
            tell(check.line())
            checks.append(check)
    return Report(name.what, tuple(checks))


def _games_of(words: Sequence[str], name: PlayerName, patience: Patience) -> tuple[str, ...]:
    """The games that a program tells of."""
    try:
        talk = Talk(words, None, name.settings, patience)
    except BotFault as fault:
        raise BadOption(f"{name.what} {fault}; name a game by --game") from None
    talk.quit()
    if not talk.hello.games:
        raise BadOption(f"{name.what} does not tell which games it plays: name one by --game")
    return talk.hello.games


# ---------------------------------------------------------------------------- one game


@dataclass
class _Asked:
    """A view that was asked for, and what was chosen."""

    view: View
    chance: Row
    choice: Choice


@dataclass
class _Played:
    """What came of the deals."""

    asked: list[_Asked] = field(default_factory=list)
    faults: list[BotFault] = field(default_factory=list)
    deals: int = 0
    slowest: float = 0.0

    def fault(self, *kinds: str) -> str:
        """The first fault of these kinds."""
        return next((str(one) for one in self.faults if one.kind in kinds), "")


class _Checks:
    """The checks of one game."""

    def __init__(
        self, game: Game, words: Sequence[str], name: PlayerName, patience: Patience
    ) -> None:
        self.game = game
        self.options = name.settings
        self.words = words
        self.patience = patience
        self.same = True  # the same request has the same answer
        self.running: Talk | None = None

    def run(self, deals: int, seed: int) -> Iterator[Check]:
        """All checks, in order; after a hello that fails there are no more."""
        greeted = self._check("hello", self._hello)
        yield greeted
        if not greeted.passed:
            return
        try:
            yield from self._after_hello(deals, seed)
        finally:
            self._drop()

    def _after_hello(self, deals: int, seed: int) -> Iterator[Check]:
        played = self._play(deals, seed)
        legal = f"{len(played.asked)} answers in {played.deals} deals"
        yield self._outcome("legal", played.fault(*KINDS), legal)
        if not played.asked:
            yield self._outcome("time", played.fault("late") or "no answer to measure", "")
            return
        slowest = f"the slowest {1e3 * played.slowest:.0f} ms"
        yield self._outcome("time", played.fault("late"), slowest)
        yield self._check("phases", lambda: self._phases(played))
        again = random.Random(seed).sample(played.asked, min(AGAIN, len(played.asked)))
        yield self._check("same view", lambda: self._twice(again))
        yield self._check("interleaved", lambda: self._mixed(again))
        yield self._check("unknown fields", lambda: self._tomorrow(again))
        yield self._check("nonsense", lambda: self._nonsense(again[0]))
        yield self._check("infos", lambda: self._infos(again))
        yield self._check("stop", lambda: self._stop(again))
        yield self._check("quit", self._quit)
        yield self._check("end of input", self._end_of_input)

    def _check(self, name: str, work: Callable[[], str]) -> Check:
        try:
            return Check(self.game.name, name, True, work())
        except BotFault as fault:
            self._drop()
            return Check(self.game.name, name, False, str(fault))

    def _outcome(self, name: str, fault: str, detail: str) -> Check:
        return Check(self.game.name, name, not fault, fault or detail)

    def _talk(self) -> Talk:
        """The program, which goes on from check to check until it fails."""
        if self.running is None:
            self.running = Talk(self.words, self.game, self.options, self.patience)
        return self.running

    def _drop(self) -> None:
        if self.running is not None:
            self.running.program.close()
        self.running = None

    # ------------------------------------------------------------------------ hello

    def _hello(self) -> str:
        hello = self._talk().hello
        self.same = hello.is_deterministic
        if hello.games is not None and self.game.name not in hello.games:
            raise BotFault("nonsense", f"tells that it plays {', '.join(hello.games)}")
        for option in self.options:
            if option not in hello.options:
                raise BotFault("nonsense", f"does not tell of an option {option!r}")
        options = f", options {', '.join(hello.options)}" if hello.options else ""
        return f"{hello.name}, protocol 1{options}"

    # ------------------------------------------------------------------------ playing

    def _play(self, deals: int, seed: int) -> _Played:
        """Deals under the usual rules, and one under each other value of an option."""
        rules = [self.game.variant()] * deals + _other_rules(self.game)
        played = _Played()
        for number, variant in enumerate(rules):
            match = Match.start(self.game, variant=variant, seed=seed)
            deal = match.deal(seed + number)
            while deal.seat is not None and len(played.faults) < MOST_FAULTS:
                view = deal.view(deal.seat)
                chance = streams(1, seed, "check", number, len(view.history))[0]
                deal = deal.play(self._played(played, view, chance))
            played.deals += deal.is_over
        return played

    def _played(self, played: _Played, view: View, chance: Row) -> Choice:
        """What the program chooses, else the lowest legal choice."""
        try:
            talk = self._talk()
            choice = self._ask(talk, view, chance)
        except BotFault as fault:
            self._drop()
            played.faults.append(BotFault(fault.kind, f"{fault}; asked in {view.text()}"))
            return view.legal[0]
        played.slowest = max(played.slowest, talk.seconds)
        played.asked.append(_Asked(view, chance, choice))
        return choice

    def _ask(self, talk: Talk, view: View, chance: Row, **more: Any) -> Choice:
        *_, answer = talk.ask(view, chance, **more)
        return choice_in(answer, view)

    def _phases(self, played: _Played) -> str:
        met = {asked.view.phase for asked in played.asked}
        told = [phase for phase in self.game.phases if phase in met]
        missing = [phase for phase in self.game.phases if phase not in met]
        rest = f"; never came up: {', '.join(missing)}" if missing else ""
        return f"{', '.join(told)}{rest}"

    # ------------------------------------------------------------------------ again

    def _agree(self, asked: _Asked, choice: Choice) -> None:
        """The same request has the same answer, if the program does not tell otherwise."""
        if self.same and choice != asked.choice:
            first, now = (asked.view.choice_text(one) for one in (asked.choice, choice))
            told = f"chose {first}, and {now} when asked again, with the same seed"
            raise BotFault("nonsense", f"{told}; asked in {asked.view.text()}")

    def _agreement(self, count: int) -> str:
        return f"{count} answers {'the same' if self.same else 'legal, which need not be the same'}"

    def _twice(self, asked: Sequence[_Asked]) -> str:
        talk = self._talk()
        for one in asked:
            for _ in range(2):
                self._agree(one, self._ask(talk, one.view, one.chance))
        return self._agreement(2 * len(asked))

    def _mixed(self, asked: Sequence[_Asked]) -> str:
        """Several deals at once, backwards, by a program that has seen none of them before."""
        self._drop()
        talk = self._talk()
        for one in reversed(asked):
            self._agree(one, self._ask(talk, one.view, one.chance))
        return self._agreement(len(asked))

    def _tomorrow(self, asked: Sequence[_Asked]) -> str:
        talk = self._talk()
        for number, one in enumerate(asked[:5], start=1000):
            request = choice_request(one.view, number, one.chance, self.patience.ms) | TOMORROW
            *_, answer = talk.exchange(request)
            self._agree(one, choice_in(answer, one.view))
        return f"{', '.join(TOMORROW)} passed over"

    # ------------------------------------------------------------------------ odd lines

    def _nonsense(self, asked: _Asked) -> str:
        """One line with `error` to each line that makes no sense, and on it goes."""
        talk = self._talk()
        for line in NONSENSE:
            talk.program.send(line)
            told = talk.program.hear(time.monotonic() + self.patience.limit)
            if told is None:
                raise BotFault("late", f"does not answer {line!r}")
            if "error" not in object_in(told):
                raise BotFault("nonsense", f"answers {line!r} without an error: {told[:100]}")
        if object_in(told or "{}").get("id") != "x":
            raise BotFault("nonsense", "answers an unknown ask without its id")
        self._agree(asked, self._ask(talk, asked.view, asked.chance))
        return f"{len(NONSENSE)} lines answered with an error"

    def _infos(self, asked: Sequence[_Asked]) -> str:
        """What is said on the way is well formed, and the answer still comes."""
        talk, count = self._talk(), 0
        for one in asked[:5]:
            told = [*talk.ask(one.view, one.chance, infos=True)]
            self._agree(one, choice_in(told[-1], one.view))
            for info in told[:-1]:
                if not isinstance(info.get("info"), str | dict):
                    raise BotFault("nonsense", f"says {info!r:.100} before it answers")
            count += len(told) - 1
        return f"{count} on the way to {len(asked[:5])} answers"

    def _stop(self, asked: Sequence[_Asked]) -> str:
        """Stop when nothing is asked is not answered; stop at once after asking has an answer."""
        talk = self._talk()
        talk.program.send(json.dumps(STOP))
        said = talk.program.hear(time.monotonic() + QUIET_SECONDS)
        if said is not None:
            raise BotFault("nonsense", f"answers stop, which is not asked for: {said[:100]}")
        for one in asked[:5]:
            choice = self._ask(talk, one.view, one.chance, stopping=lambda: True)
            if choice not in one.view.legal:
                raise BotFault("illegal", "chose something illegal when stopped")
        self._agree(asked[0], self._ask(talk, asked[0].view, asked[0].chance))
        return f"{len(asked[:5])} answers at once, and none too many"

    # ------------------------------------------------------------------------ the end

    def _quit(self) -> str:
        talk = self._talk()
        self.running = None
        talk.program.send(json.dumps(QUIT))
        return self._ended(talk, "quit")

    def _end_of_input(self) -> str:
        talk = self._talk()
        self.running = None
        talk.program.closed_input()
        return self._ended(talk, "the end of its input")

    def _ended(self, talk: Talk, why: str) -> str:
        status = talk.program.ended(time.monotonic() + self.patience.quit)
        talk.program.close()
        if status is None:
            raise BotFault("late", f"does not end after {why}")
        if status != 0:
            raise BotFault("ended", f"ends after {why} with status {status}, not 0")
        return "ended with status 0"


KINDS = ("illegal", "nonsense", "flood", "ended", "error")


def _other_rules(game: Game) -> list[Variant]:
    """House rules that differ from the usual in one option each."""
    usual = game.variant()
    found: list[Variant] = []
    for name, (default, allowed) in game.variant.options().items():
        for value in allowed.values or ():
            if value != default:
                try:
                    found.append(replace(usual, **{name: value}))
                except BadOption:  # it does not go alone
                    continue
    return found
