"""The door of the service: who may come in, how much they may bring, and what every answer wears.

One layer around everything else: it looks at the host that was asked for (so that no other page
can reach a local service under a name of its own), at the page that asks, at sizes and rates; it
puts the strict headers on every answer, and turns an unexpected fault into one line.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Iterable
from typing import Any

from pydantic_core import to_json

from overtrick.errors import NotAllowed, OvertrickError, TooLarge, TooMany
from overtrick.table.limits import Limits, Rates

__all__ = ["FAULT", "HEADERS", "Guard", "problem", "status_of"]

Scope = dict[str, Any]
Message = dict[str, Any]

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "media-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
LOCAL = ("localhost", "127.0.0.1", "[::1]")
FAULT = "a fault of the service, please report it"

STATUSES = {
    "UnknownName": 404,
    "UnknownTable": 404,
    "WrongToken": 401,
    "NotAllowed": 403,
    "NotYourTurn": 409,
    "TooLate": 409,
    "IllegalChoice": 409,
    "DealOver": 409,
    "TooLarge": 413,
    "TooMany": 429,
    "NotReady": 503,
    "StorageFault": 507,
}

log = logging.getLogger("overtrick.table")


def status_of(error: OvertrickError) -> int:
    """The HTTP status of an error; one in what was asked for is 422."""
    return STATUSES.get(type(error).__name__, 422)


def problem(error: str, message: str) -> bytes:
    """What went wrong, as JSON."""
    return to_json({"error": error, "message": message})


class Guard:
    """The outermost layer of the service."""

    def __init__(self, app: Any, *, limits: Limits, hosts: Iterable[str]) -> None:
        self._app = app
        self._limits = limits
        self._hosts = {*LOCAL, *hosts}
        self._rates = Rates(limits.requests_a_second, limits.requests_at_once)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Serve one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        answer = Answer(scope, send)
        try:
            self._check(scope)
            await self._app(scope, _bounded(receive, self._limits.body_bytes), answer)
        except OvertrickError as error:
            await answer.refuse(status_of(error), type(error).__name__, str(error))
        except Exception:
            log.exception("%s %s", scope.get("method", "socket"), scope["path"])
            await answer.refuse(500, "Fault", FAULT)

    def _check(self, scope: Scope) -> None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if not self._is_ours(host):
            raise NotAllowed(f"this service is not called {host!r:.80}")
        origin = headers.get(b"origin")
        if origin is not None and origin.partition("://")[2] != host:
            raise NotAllowed(f"a page of {origin!r:.80} may not ask here")
        length = headers.get(b"content-length", "0")
        if not length.isdecimal() or int(length) > self._limits.body_bytes:
            raise TooLarge(f"a request has at most {self._limits.body_bytes} bytes")
        client = (scope.get("client") or ("",))[0]
        if scope["path"].startswith("/api") and not self._rates.take(client):
            a_second = self._limits.requests_a_second
            raise TooMany(f"at most {a_second:g} requests a second: ask again later")

    def _is_ours(self, host: str) -> bool:
        """Whether a host is a name of this service; an address always is, if we serve others."""
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        if name.lower() in self._hosts:
            return True
        return "*" in self._hosts and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _bounded(receive: Any, most: int) -> Any:
    """The same messages; a body that is longer than it may be is refused while it comes in."""
    taken = 0

    async def bounded() -> Message:
        nonlocal taken
        message: Message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > most:
                raise TooLarge(f"a request has at most {most} bytes")
        return message

    return bounded


class Answer:
    """What is sent back, with the strict headers on it."""

    def __init__(self, scope: Scope, send: Any) -> None:
        self._is_http = scope["type"] == "http"
        self._send = send
        self._begun = False

    async def __call__(self, message: Message) -> None:
        """Send a part of the answer."""
        self._begun = True
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            message["headers"] = [*message.get("headers", []), *RAW_HEADERS]
        await self._send(message)

    async def refuse(self, status: int, error: str, message: str) -> None:
        """Send one line instead of an answer, if none has begun."""
        if self._begun:
            return
        kind = "http.response" if self._is_http else "websocket.http.response"
        headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
        await self({"type": f"{kind}.start", "status": status, "headers": headers})
        await self({"type": f"{kind}.body", "body": problem(error, message)})
