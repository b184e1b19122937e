"""The service at work, for tests: a real one in a thread or a process, and clients of it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from websockets.sync.client import ClientConnection, connect

from overtrick.games import load_game
from overtrick.table.limits import Limits
from overtrick.table.service import create_app
from overtrick.table.serving import _listener, _server
from overtrick.table.tables import Table

PERSON = "person"
ME = "a secret of my own"
MANY = Limits(
    requests_a_second=1e6, requests_at_once=10**6, messages_a_second=1e6, messages_at_once=10**6
)
Values = dict[str, Any]


class Answer:
    """What came back over HTTP."""

    def __init__(self, status: int, headers: Any, body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.text = body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Service:
    """A client of a running service."""

    def __init__(self, port: int, app: Any = None) -> None:
        self.port = port
        self.app = app

    def inside(self, table_id: str) -> Table:
        """The table as the service itself has it; only for a service in this process."""
        hub = self.app.state.house._opening.result()
        table: Table = hub._tables[table_id].table
        return table

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        secret: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """The answer to one request; `body` is JSON unless it is bytes."""
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        told = {"content-type": "application/json"} | (headers or {})
        if secret is not None:
            told["authorization"] = f"Bearer {secret}"
        url = f"http://127.0.0.1:{self.port}{path}"
        request = urllib.request.Request(url, data=data, method=method, headers=told)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.headers, error.read())

    def wait_for(self, game: str) -> None:
        """Wait until a game can be played."""
        while True:
            told = self.ask("GET", f"/api/games/{game}").json["readiness"]
            assert told["state"] != "failed", told
            if told["state"] == "ready":
                return
            time.sleep(0.05)

    def table(self, game: str, players: list[str] | None = None, **more: Any) -> LaidTable:
        """A new table; a person in seat 0 and the usual bots if nobody is named."""
        seats = load_game(game).seats
        bot = "rulebook" if load_game(game).rulebooks else "random"
        asked = {"game": game, "players": players or [PERSON, *[bot] * (seats - 1)]} | more
        self.wait_for(game)
        answer = self.ask("POST", "/api/tables", asked, ME)
        assert answer.status == 201, answer.text
        return LaidTable(self, answer.json)


class LaidTable:
    """A table of a service, with the secrets of its seats."""

    def __init__(self, service: Service, created: Values) -> None:
        self.service = service
        self.id: str = created["table"]
        self.tokens: dict[int, str] = {seat["place"]: seat["token"] for seat in created["seats"]}
        self.watch: str = created["watch"]

    def ask(self, method: str, path: str, body: Any = None, place: int | None = 0) -> Answer:
        secret = self.watch if place is None else self.tokens[place]
        return self.service.ask(method, f"/api/tables/{self.id}{path}", body, secret)

    def snapshot(self, place: int | None = 0) -> Any:
        answer = self.ask("GET", "", place=place)
        assert answer.status == 200, answer.text
        return answer.json

    def act(self, choices: list[int], place: int = 0, **more: Any) -> Answer:
        """An act in answer to what the place sees now."""
        told = self.snapshot(place)
        moment = {"deal": told["table"]["deal"], "number": told["frame"]["number"]}
        body = {"kind": "act", "choices": choices} | moment | more
        return self.ask("POST", "/acts", body, place)

    @contextmanager
    def page(self, place: int | None = 0) -> Iterator[OpenPage]:
        """An open page, its snapshot still to be read."""
        secret = self.watch if place is None else self.tokens[place]
        with socket_to(self.service, self.id) as socket:
            socket.send(json.dumps({"kind": "hello", "token": secret}))
            yield OpenPage(socket)


def finished(table: LaidTable, place: int = 0) -> Any:
    """The last snapshot of a deal played by first choices."""
    told = table.snapshot(place)
    while told["frame"]["result"] is None:
        answer = table.act([told["frame"]["choices"][0]["choice"]], place)
        assert answer.status == 200, answer.text
        told = answer.json
    return told


@contextmanager
def socket_to(service: Service, table_id: str, **more: Any) -> Iterator[ClientConnection]:
    """A socket that has not said hello."""
    url = f"ws://127.0.0.1:{service.port}/api/tables/{table_id}/socket"
    with connect(url, max_size=2**22, compression=None, **more) as socket:
        yield socket


class OpenPage:
    """A page: all messages that came, and the last frame."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.texts: list[str] = []
        self.deal = 0
        self.frame: Values = {}

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self) -> Any:
        """The next message."""
        told = self.socket.recv(timeout=60)
        assert isinstance(told, str)
        self.texts.append(told)
        message = json.loads(told)
        if message["kind"] == "snapshot":
            self.deal, self.frame = message["table"]["deal"], message["frame"]
        elif message["kind"] == "frames":
            self.frame = message["frames"][-1]
        return message

    def until(self, kind: str) -> Any:
        """The next message of a kind; those before it are left aside."""
        while (message := self.hear())["kind"] != kind:
            pass
        return message

    def ask(self, kind: str, **more: Any) -> None:
        """A question about the last frame."""
        self.send(**{"kind": kind, "deal": self.deal, "number": self.frame["number"]} | more)

    def act(self, *choices: int, **more: Any) -> None:
        moment = {"deal": self.deal, "number": self.frame["number"]}
        self.send(**{"kind": "act", "choices": list(choices)} | moment | more)


@contextmanager
def service_at_work(
    folder: Path, *, limits: Limits = MANY, page: Path | None = None
) -> Iterator[Service]:
    """A service in a thread of this process, so that it knows the games of the tests too."""
    more = {} if page is None else {"page_folder": page}
    app = create_app(folder, limits=limits, **more)  # type: ignore[arg-type]
    listener = _listener("127.0.0.1", 0)
    server: uvicorn.Server = _server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield Service(listener.getsockname()[1], app)
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


class Running:
    """A service in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.service = Service(port)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@contextmanager
def started(
    folder: Path, *words: str, python: str = sys.executable, **more: str
) -> Iterator[Running]:
    """`overtrick play` on a free port, its data in a folder, `more` in its environment."""
    command = [python, "-m", "overtrick", "play", "--no-browser", *words]
    environment = os.environ | {"OVERTRICK_DATA": str(folder), "OVERTRICK_QUIET": "1"} | more
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    try:
        told = process.stdout.readline()
        port = re.search(r":(\d+) ", told)
        assert port is not None, f"the service does not start: {told}"
        yield Running(process, int(port[1]))
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
