"""Runs one program and sees to it that nothing of it is left: a script with a process of its own.

    python -I -S external_keeper.py FD command…

The program gets a session and a process group of its own, and our standard streams. When it ends,
or when the other end of the socket FD is closed (also because whoever held it was killed), every
process that it has started is killed. On Linux the keeper is the reaper of all its descendants, so
it finds those too that left the group or the session; elsewhere, only the group is killed.

Its exit status is that of the program, 128 and the signal's number if a signal ended it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import socket
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
CANNOT_RUN = 127
LONGEST_SECONDS = 10.0  # for killing a group whose members cannot all be reaped
PAUSE_SECONDS = 0.002


def keep(master: socket.socket, command: list[str]) -> int:
    """Run a program until it ends or the master goes; its status."""
    reaps = is_reaper()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    program = start(command, master)
    with contextlib.suppress(OSError):  # whoever started us may have gone already
        master.sendall(b"%d\n" % program)
    status = None
    while status is None:
        ready, _, _ = select.select([master.fileno(), woken], [], [])
        if woken in ready:
            os.read(woken, 512)
        status, _ = reaped(program)
        if master.fileno() in ready and not heard(master):
            break
    return end(program, status, reaps)


def heard(master: socket.socket) -> bool:
    """Whether the master is still there."""
    try:
        return bool(master.recv(64))
    except OSError:
        return False


def is_reaper() -> bool:
    """Become the parent of all descendants whose own parent has gone, where Linux allows it."""
    if sys.platform != "linux":
        return False
    try:
        return bool(ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


def start(command: list[str], master: socket.socket) -> int:
    """The process id of the program, which has our standard streams for its own."""
    program = os.fork()
    if program == 0:
        try:
            os.setsid()
            signal.set_wakeup_fd(-1)
            for one in (signal.SIGPIPE, signal.SIGCHLD, signal.SIGXFSZ):
                signal.signal(one, signal.SIG_DFL)
            master.close()
            os.execvp(command[0], command)
        except OSError as error:
            told = f"{command[0]} cannot be run: {error.strerror}\n"
            os.write(2, told.encode(errors="replace"))
        finally:
            os._exit(CANNOT_RUN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # so that only the program holds them
        os.dup2(nothing, stream)
    return program


def reaped(program: int) -> tuple[int | None, bool]:
    """Reap whatever has ended: the status of the program if it has, and whether we have no child.

    Who reaps all its descendants has no child only if none of them is left.
    """
    found = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found, True
        if pid == 0:
            return found, False
        if pid == program:
            found = status


def end(program: int, status: int | None, reaps: bool) -> int:
    """Kill all that is left, however long that takes; the status to end with.

    Who forks on and on is caught in the end, but on a busy machine that takes seconds.
    """
    with contextlib.suppress(OSError):
        os.killpg(program, signal.SIGKILL)
    until = time.monotonic() + LONGEST_SECONDS
    while reaps or time.monotonic() < until:
        found, is_childless = reaped(program)
        status = found if status is None else status
        if is_childless:
            break
        left = descendants() if reaps else []
        freeze(left)
        for pid in left:
            signalled(pid, signal.SIGKILL)
        time.sleep(PAUSE_SECONDS)
    if status is None:
        return 128 + signal.SIGKILL
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def freeze(found: list[int]) -> None:
    """Stop processes before any is killed, those too that they start meanwhile."""
    frozen: set[int] = set()
    while new := [pid for pid in found if pid not in frozen]:
        for pid in new:
            signalled(pid, signal.SIGSTOP)
        frozen.update(new)
        found[:] = descendants()
        if len(frozen) > 100_000:
            return


def signalled(pid: int, number: int) -> None:
    """Send a signal to whoever is still there."""
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def descendants() -> list[int]:
    """All processes that we have started, and those that they have; not those that have ended."""
    children: dict[int, list[int]] = {}
    ended: set[int] = set()
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{name}/stat", "rb") as file:
                state, parent = file.read().rpartition(b")")[2].split()[:2]
            children.setdefault(int(parent), []).append(int(name))
            if state in (b"Z", b"X"):
                ended.add(int(name))
    found: list[int] = []
    going = [os.getpid()]
    while going:
        mine = children.get(going.pop(), [])
        going += mine
        found += [pid for pid in mine if pid not in ended]
    return found


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as held:
        ended = keep(held, sys.argv[2:])
    os._exit(ended)
