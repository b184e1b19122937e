"""The socket of a page: who it is, what it asks, and what it is told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from overtrick.errors import BadNotation, NotAllowed, OvertrickError, TooLarge, TooMany
from overtrick.table.guard import FAULT
from overtrick.table.house import House
from overtrick.table.limits import Bucket, Limits
from overtrick.table.wire import (
    Act,
    Analyse,
    AskHint,
    AskReview,
    ClientMessage,
    Hello,
    Next,
    Undo,
)

if TYPE_CHECKING:
    from overtrick.table.hub import Hub
    from overtrick.table.live import LiveTable, Page

__all__ = ["serve_page"]

Message = Hello | Act | Undo | Next | Analyse | AskHint | AskReview
MESSAGES: TypeAdapter[Message] = TypeAdapter(ClientMessage)
CODES = {"WrongToken": 4001, "NotAllowed": 4003, "UnknownTable": 4004}
"""With which a page is closed that need not come again; all others may."""
TRY_LATER = 1013

log = logging.getLogger("overtrick.table")


async def serve_page(socket: WebSocket, house: House, table_id: str) -> None:
    """Serve one page until it goes.

    Nothing heavy is imported here before the house is open: its thread imports the same modules,
    and two threads that begin at different ends of them wait for each other.
    """
    await socket.accept()
    house.sockets += 1
    try:
        await _serve(socket, house, table_id)
    except WebSocketDisconnect:
        pass
    except OvertrickError as error:
        await house.hub()
        await _turn_away(socket, error)
    finally:
        house.sockets -= 1


async def _serve(socket: WebSocket, house: House, table_id: str) -> None:
    if house.sockets > house.limits.sockets:
        raise TooMany(f"{house.limits.sockets} pages are open already")
    token = await _hello(socket, house.limits)
    hub = await house.hub()
    from overtrick.table.live import Page

    table = await hub.find(table_id)
    page = Page(table.place_of(token))
    table.connect(page)
    talk = Talk(hub, table, page, house.limits)
    sending = asyncio.create_task(_send(socket, page))
    try:
        await talk.listen(socket)
    finally:
        table.disconnect(page)
        ended = [sending, *talk.questions]
        for task in ended:
            task.cancel()
        await asyncio.gather(*ended, return_exceptions=True)


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
            message = _read(await _text_of(socket), limits)
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


class Talk:
    """What a page asks: its questions are answered beside each other, all else in order."""

    def __init__(self, hub: Hub, table: LiveTable, page: Page, limits: Limits) -> None:
        self.questions: set[asyncio.Task[None]] = set()
        self._hub, self._table, self._page, self._limits = hub, table, page, limits

    async def listen(self, socket: WebSocket) -> None:
        """Do what the page asks, one message after another."""
        bucket = Bucket(self._limits.messages_a_second, self._limits.messages_at_once)
        while True:
            told = await _text_of(socket)
            await self._answer(self._hear(told, bucket), None)

    async def _hear(self, told: str | bytes, bucket: Bucket) -> None:
        if not bucket.take():
            raise TooMany(f"at most {self._limits.messages_a_second:g} messages a second")
        message = _read(told, self._limits)
        await self._answer(self._do(message), getattr(message, "id", None))

    async def _answer(self, work: Coroutine[Any, Any, None], number: int | None) -> None:
        """Do what was asked; if it is refused, tell why."""
        from overtrick.table.messages import refused, text

        try:
            await work
        except OvertrickError as error:
            self._page.tell(text(refused(error, number)))
        except Exception:
            log.exception("table %s", self._table.id)
            fault = {"kind": "refused", "error": "Fault", "message": FAULT, "re": number}
            self._page.tell(text(fault))

    async def _do(self, message: Message) -> None:
        table, place = self._table, self._page.place
        match message:
            case Act():
                await table.act(place, message.deal, message.number, message.choices)
            case Undo():
                await table.undo(place, message.deal, message.number)
            case Next():
                await table.next(place, message.deal)
            case Analyse():
                table.analyse(self._page, message)
            case AskHint():
                self._ask(self._hint(message), message.id)
            case AskReview():
                self._ask(self._review(message), message.id)
            case Hello():
                raise NotAllowed("this page has told already who it is")

    def _ask(self, work: Coroutine[Any, Any, None], number: int | None) -> None:
        """Answer a question as soon as its answer is there; the page goes on meanwhile."""
        if len(self.questions) >= self._limits.questions_a_page:
            work.close()
            raise TooMany(f"{len(self.questions)} questions of this page are open already")
        task = asyncio.create_task(self._answer(work, number))
        self.questions.add(task)
        task.add_done_callback(self.questions.discard)

    async def _hint(self, asked: AskHint) -> None:
        from overtrick.table.messages import text

        told = await self._table.hint(self._page.place, asked.deal, asked.number)
        self._page.tell(text(told | {"re": asked.id}))

    async def _review(self, asked: AskReview) -> None:
        from overtrick.table.messages import text

        def tell(message: dict[str, Any]) -> None:
            self._page.tell(text(message))

        review = self._hub.reviews.told(self._table, self._page.place, asked.deal, tell)
        self._page.tell(await review)


async def _text_of(socket: WebSocket) -> str | bytes:
    """The next message."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    told: str | bytes | None = message.get("text")
    return message.get("bytes") or b"" if told is None else told


def _read(told: str | bytes, limits: Limits) -> Message:
    """The message of a text, if it is not too long."""
    if len(told) > limits.message_bytes:
        raise TooLarge(f"a message has at most {limits.message_bytes} bytes")
    try:
        return MESSAGES.validate_json(told)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadNotation(f"no message: {where} {first['msg']}"[:200]) from None
