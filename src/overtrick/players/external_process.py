"""A program that runs beside us, spoken to in lines, with bounds on all that it may do to us.

It is run without a shell, with a small environment, in a process group of its own, by a keeper
(`external_keeper.py`) that kills whatever the program has started once it ends or we do. What it
writes is read only while an answer is awaited, and only so much: a program that writes more waits
for its own pipe. Nothing here knows a game.
"""

from __future__ import annotations

import os
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from overtrick.errors import BadOption, BotFault

__all__ = ["LONGEST_LINE", "Program", "command_words"]

LONGEST_LINE = 1 << 16  # bytes
MOST_HEARD = 1 << 18  # bytes of output while one answer is awaited
MOST_COMPLAINTS = 1 << 20  # bytes of standard error meanwhile
KEPT_COMPLAINTS = 2000  # bytes of standard error that are kept
CHUNK = 1 << 14
LOOK_SECONDS = 0.02  # between looks whether to stop
END_SECONDS = 5.0  # that we wait for the keeper, which goes on killing by itself after that
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ")
OURS = "OVERTRICK_"
KEEPER = Path(__file__).with_name("external_keeper.py")
OWN = "overtrick"


def command_words(text: str) -> list[str]:
    """The words of a command as a shell would split it, no more; the first can be run."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadOption(f"the command {text!r} cannot be read: {error}") from None
    if not words or not words[0]:
        raise BadOption("exec: wants the command of a program, such as exec:./mybot")
    if os.name != "posix":
        raise BadOption("programs play only where there are process groups: Linux, macOS, BSD")
    if words[0] != OWN and shutil.which(words[0]) is None:
        why = "may not be run" if Path(words[0]).is_file() else "is not there"
        raise BadOption(f"the program {words[0]!r} {why}")
    return words


def _run_with(words: Sequence[str]) -> list[str]:
    """The words to run; `overtrick` is this very program, wherever it was started from."""
    if words[0] != OWN:
        return [*words]
    home = str(Path(__file__).resolve().parents[2])
    code = f"import sys; sys.path.insert(0, {home!r}); from overtrick.cli import main; main()"
    return [sys.executable, "-c", code, *words[1:]]


def _environment() -> dict[str, str]:
    """What a program is told of ours: enough to find its interpreter, and our own folders."""
    told = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return told | {name: value for name, value in os.environ.items() if name.startswith(OURS)}


def _never() -> bool:
    return False


class Program:
    """One running program."""

    def __init__(self, words: Sequence[str]) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            keeper = [sys.executable, "-I", "-S", str(KEEPER), str(theirs.fileno())]
            pipe = subprocess.PIPE
            try:
                self._keeper = subprocess.Popen(
                    [*keeper, *_run_with(words)],
                    stdin=pipe,
                    stdout=pipe,
                    stderr=pipe,
                    env=_environment(),
                    pass_fds=[theirs.fileno()],
                    process_group=0,
                    bufsize=0,
                )
            except OSError as error:
                ours.close()
                raise BotFault("ended", f"cannot be run: {error.strerror}") from error
        streams = (self._keeper.stdin, self._keeper.stdout, self._keeper.stderr)
        self._in, self._out, self._err = (stream.fileno() for stream in streams if stream)
        for number in (self._in, self._out, self._err):
            os.set_blocking(number, False)
        self._socket = ours
        self._unsent = b""
        self._read = b""
        self._heard = self._complained = 0
        self._complaints = b""
        self._silent: set[int] = set()  # streams that have ended
        self._close = weakref.finalize(self, _end, self._keeper, ours)

    # ------------------------------------------------------------------------ talking

    def send(self, line: str) -> None:
        """Say a line, as soon as the program listens; what it may write is counted anew."""
        self._unsent += line.encode() + b"\n"
        self._heard = self._complained = 0

    def add(self, line: str) -> None:
        """Say one more line in the same breath."""
        self._unsent += line.encode() + b"\n"

    def hear(self, until: float, stopping: Callable[[], bool] = _never) -> str | None:
        """The next line; None at this moment of `time.monotonic`, or when told to stop."""
        while True:
            line = self._next_line()
            if line is not None:
                if line.strip():
                    return line
                continue
            left = until - time.monotonic()
            if left <= 0 or stopping():
                return None
            self._exchange(min(left, LOOK_SECONDS) if stopping is not _never else left)

    def _next_line(self) -> str | None:
        line, newline, rest = self._read.partition(b"\n")
        if len(line) > LONGEST_LINE:
            raise BotFault("flood", f"wrote a line of more than {LONGEST_LINE} bytes")
        if newline:
            self._read = rest
            try:
                return line.decode()
            except UnicodeDecodeError:
                raise BotFault("nonsense", f"wrote what is not UTF-8: {_shown(line)}") from None
        if self._out in self._silent:
            raise BotFault("ended", self._how_it_ended())
        return None

    def _exchange(self, seconds: float) -> None:
        """Write and read what can be now, waiting for so long."""
        poll = select.poll()
        for stream in {self._out, self._err} - self._silent:
            poll.register(stream, select.POLLIN)
        if self._unsent and self._in not in self._silent:
            poll.register(self._in, select.POLLOUT)
        for stream, _ in poll.poll(max(1, int(1000 * seconds))):
            if stream == self._in:
                self._write()
            elif stream == self._out:
                self._read += self._taken(stream)
            else:
                self._complaints = (self._complaints + self._taken(stream))[-KEPT_COMPLAINTS:]

    def _write(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._in, self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:  # it no longer listens: its end will be heard of
            self._silent.add(self._in)
            self._unsent = b""

    def _taken(self, stream: int) -> bytes:
        try:
            told = os.read(stream, CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            told = b""
        if not told:
            self._silent.add(stream)
        if stream == self._out:
            self._heard += len(told)
        else:
            self._complained += len(told)
        if self._heard > MOST_HEARD or self._complained > MOST_COMPLAINTS:
            which = "standard error" if stream == self._err else "output"
            raise BotFault("flood", f"wrote too much {which} at once")
        return told

    def _how_it_ended(self) -> str:
        """How a program that says nothing more has ended, with its last words."""
        until = time.monotonic() + 0.5
        while self._err not in self._silent and time.monotonic() < until:
            with suppress(BotFault):
                self._exchange(0.05)
        try:
            status = self._keeper.wait(0.5)
        except subprocess.TimeoutExpired:
            return f"closed its output{self._last_words()}"
        how = f"status {status}" if status <= 128 else f"signal {status - 128}"
        return f"ended with {how}{self._last_words()}"

    def _last_words(self) -> str:
        lines = self._complaints.decode(errors="replace").split("\n")
        said = [line.strip() for line in lines if line.strip()]
        return f": {said[-1][:200]}" if said else ""

    # ------------------------------------------------------------------------ the end

    def closed_input(self) -> None:
        """Say nothing more: the program hears the end of its input."""
        self._silent.add(self._in)
        self._unsent = b""
        if self._keeper.stdin:
            self._keeper.stdin.close()

    def ended(self, until: float) -> int | None:
        """The status that it ends with; None if it has not by this moment."""
        while True:
            status = self._keeper.poll()
            left = until - time.monotonic()
            if status is not None or left <= 0:
                return status
            with suppress(BotFault):
                self._read = b""
                if {self._out, self._err} <= self._silent:
                    time.sleep(min(left, LOOK_SECONDS))
                else:
                    self._exchange(min(left, LOOK_SECONDS))

    def kill(self) -> None:
        """Have it killed, with all that it has started; whoever listens hears that it ended."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End it, with all that it has started; all of them are gone when this returns."""
        self._close()


def _shown(line: bytes) -> str:
    return repr(line[:60])[2:-1]


def _end(keeper: subprocess.Popen[bytes], held: socket.socket) -> None:
    """Let the keeper kill everything; if it was killed itself, the group is left to us."""
    pid = b""
    with suppress(OSError):
        held.setblocking(False)
        pid = held.recv(64)
    held.close()
    keeper.send_signal(signal.SIGCONT)  # in case that the program has stopped it
    with suppress(subprocess.TimeoutExpired):
        keeper.wait(END_SECONDS)
    if (keeper.returncode or 0) < 0 and pid.strip().isdigit():
        with suppress(OSError):
            os.killpg(int(pid), signal.SIGKILL)
    for pipe in (keeper.stdin, keeper.stdout, keeper.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
