"""The socket of a page: who it is, what it asks, and what it is told."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from overtrick.errors import BadNotation, NotAllowed, OvertrickError, TooLarge, TooMany
from overtrick.table.guard import FAULT
from overtrick.table.house import House
from overtrick.table.limits import Bucket, Limits
from overtrick.table.wire import Act, ClientMessage, Hello, Next, Undo

if TYPE_CHECKING:
    from overtrick.table.live import LiveTable, Page

__all__ = ["serve_page"]

MESSAGES: TypeAdapter[Hello | Act | Undo | Next] = TypeAdapter(ClientMessage)
CODES = {"WrongToken": 4001, "NotAllowed": 4003, "UnknownTable": 4004}
"""With which a page is closed that need not come again; all others may."""
TRY_LATER = 1013

log = logging.getLogger("overtrick.table")


async def serve_page(socket: WebSocket, house: House, table_id: str) -> None:
    """Serve one page until it goes."""
    await socket.accept()
    house.sockets += 1
    try:
        await _serve(socket, house, table_id)
    except WebSocketDisconnect:
        pass
    except OvertrickError as error:
        await _turn_away(socket, error)
    finally:
        house.sockets -= 1


async def _serve(socket: WebSocket, house: House, table_id: str) -> None:
    from overtrick.table.live import Page

    if house.sockets > house.limits.sockets:
        raise TooMany(f"{house.limits.sockets} pages are open already")
    token = await _hello(socket, house.limits)
    table = await (await house.hub()).find(table_id)
    page = Page(table.place_of(token))
    table.connect(page)
    sending = asyncio.create_task(_send(socket, page))
    try:
        await _listen(socket, house.limits, table, page)
    finally:
        table.disconnect(page)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def _turn_away(socket: WebSocket, error: OvertrickError) -> None:
    """Tell why, and close."""
    from overtrick.table.messages import refused, text

    if socket.application_state is WebSocketState.CONNECTED:
        await socket.send_text(text(refused(error)))
        name = type(error).__name__
        await socket.close(CODES.get(name, TRY_LATER), name)


async def _hello(socket: WebSocket, limits: Limits) -> str:
    """The secret of whoever opened the page."""
    try:
        async with asyncio.timeout(limits.hello_seconds):
            message = _read(await _text_of(socket, limits))
    except TimeoutError:
        raise NotAllowed("a page tells at once who it is") from None
    if not isinstance(message, Hello):
        raise NotAllowed("the first message is hello, with the secret of a seat")
    return message.token


async def _send(socket: WebSocket, page: Page) -> None:
    """Send what waits, one message after another."""
    while (message := await page.unsent.get()) is not None:
        await socket.send_text(message)
    await socket.close(TRY_LATER)


async def _listen(socket: WebSocket, limits: Limits, table: LiveTable, page: Page) -> None:
    """Do what the page asks, one message after another."""
    from overtrick.table.messages import refused, text

    bucket = Bucket(limits.messages_a_second, limits.messages_at_once)
    while True:
        number: int | None = None
        try:
            told = await _text_of(socket, limits)
            if not bucket.take():
                raise TooMany(f"at most {limits.messages_a_second:g} messages a second")
            message = _read(told)
            number = getattr(message, "id", None)
            await _do(message, table, page)
        except OvertrickError as error:
            page.tell(text(refused(error, number)))
        except WebSocketDisconnect:
            raise
        except Exception:
            log.exception("table %s", table.id)
            page.tell(text({"kind": "refused", "error": "Fault", "message": FAULT, "re": number}))


async def _text_of(socket: WebSocket, limits: Limits) -> str | bytes:
    """The next message, if it is not too long."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    told: str | bytes | None = message.get("text")
    if told is None:
        told = message.get("bytes") or b""
    if len(told) > limits.message_bytes:
        raise TooLarge(f"a message has at most {limits.message_bytes} bytes")
    return told


def _read(told: str | bytes) -> Hello | Act | Undo | Next:
    """The message of a text."""
    try:
        return MESSAGES.validate_json(told)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadNotation(f"no message: {where} {first['msg']}"[:200]) from None


async def _do(message: Hello | Act | Undo | Next, table: LiveTable, page: Page) -> None:
    match message:
        case Act():
            await table.act(page.place, message.deal, message.number, message.choices)
        case Undo():
            await table.undo(page.place, message.deal, message.number)
        case Next():
            await table.next(page.place, message.deal)
        case Hello():
            raise NotAllowed("this page has told already who it is")
