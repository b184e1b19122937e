"""A program that says hello and then does one thing wrong, told by its first argument.

    hostile_bot.py FAULT PLACE [once]

It notes each start in the file `starts` of the folder PLACE. With `once` it errs only until it has
erred once, in whichever process. Needs the standard library alone, and starts fast.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time


def say(values: object) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


def shout(told: bytes) -> None:
    sys.stdout.flush()
    with contextlib.suppress(BrokenPipeError):
        os.write(1, told)


def for_ever() -> None:
    while True:
        time.sleep(60)


def start_children() -> None:
    """One child in our group, one in a session of its own, one whose parent has gone."""
    if os.fork() == 0:
        for_ever()
    if os.fork() == 0:
        os.setsid()
        for_ever()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            for_ever()
        os._exit(0)


def start_hopper() -> None:
    """A child that lives in one process after another, each in a session of its own."""
    if os.fork() == 0:
        while True:
            os.setsid()
            time.sleep(0.005)
            if os.fork():
                os._exit(0)


def flood(stream: int) -> None:
    while True:
        os.write(stream, b'{"info": "' + b"x" * 1000 + b'"}\n')


def err(fault: str, asked: dict) -> None:
    number, legal = asked["id"], [one["choice"] for one in asked["legal"]]
    answers = {
        "illegal": {"id": number, "choice": next(n for n in range(63) if n not in legal)},
        "negative": {"id": number, "choice": -1},
        "huge number": {"id": number, "choice": 10**400},
        "no choice": {"id": number},
        "true": {"id": number, "choice": True},
        "fraction": {"id": number, "choice": 0.0},
        "list": {"id": number, "choice": legal},
        "unknown text": {"id": number, "text": "banana"},
        "error": {"id": number, "error": "I do not feel like it"},
        "other id": {"id": number + 1, "choice": legal[0]},
        "no id": {"choice": legal[0]},
        "not an object": [number, legal[0]],
    }
    lines = {
        "nonsense": b"banana\n",
        "broken": b'{"id": 1, "choi\n',
        "not utf-8": b'{"id": 1, "choice": "\xff\xfe"}\n',
        "nan": b'{"id": NaN}\n',
        "nested": b"[" * 30_000 + b"\n",
        "nothing": b"\n",
        "zeros": b"\0" * 100 + b"\n",
        "half": b'{"id"',
    }
    if fault in answers:
        say(answers[fault])
    elif fault in lines:
        shout(lines[fault])
        if fault in ("half", "nothing"):
            for_ever()
    elif fault == "long line":
        while True:
            shout(b"x" * 65_536)
    elif fault == "crash":
        raise RuntimeError("I have had enough")
    elif fault == "exit":
        os._exit(3)
    elif fault == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif fault == "freeze":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif fault == "close":
        os.close(1)
        for_ever()
    elif fault == "hang":
        for_ever()
    elif fault == "flood":
        flood(1)
    elif fault == "flood of complaints":
        flood(2)
    elif fault == "children":
        start_children()
        for_ever()
    elif fault == "hopper":
        start_hopper()
        for_ever()
    elif fault == "children, then exit":
        start_children()
        os._exit(0)
    elif fault == "kill the keeper":
        os.kill(os.getppid(), signal.SIGKILL)
        for_ever()
    else:
        raise SystemExit(f"no fault {fault!r}")


def main(fault: str, place: str, how_often: str = "always") -> None:
    with open(os.path.join(place, "starts"), "a") as starts:
        starts.write(f"{os.getpid()}\n")
    erred = os.path.join(place, "erred")
    if fault == "silent":
        for_ever()
    if fault == "dead":
        os._exit(1)
    if fault == "deaf":
        os.close(0)
        for_ever()
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["ask"] == "hello":
            protocol = 9 if fault == "other protocol" else 1
            say({"id": asked["id"], "name": "hostile", "protocol": protocol})
        elif asked["ask"] == "quit" and fault != "stays":
            break
        elif asked["ask"] == "choice":
            if fault not in ("none", "stays") and not os.path.exists(erred):
                if how_often == "once":
                    open(erred, "w").close()
                err(fault, asked)
            else:
                say({"id": asked["id"], "choice": asked["legal"][-1]["choice"]})
    if fault == "stays":
        start_children()
        for_ever()


main(*sys.argv[1:])
