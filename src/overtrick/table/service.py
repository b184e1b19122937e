"""The web service: the page at `/`, everything else under `/api`, the spec at `/openapi.json`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from overtrick import __version__
from overtrick.errors import OvertrickError
from overtrick.table.guard import Guard, problem, status_of
from overtrick.table.house import House
from overtrick.table.limits import Limits
from overtrick.table.page_files import PAGE_FOLDER, page_file
from overtrick.table.routes import router
from overtrick.table.socket import serve_page
from overtrick.table.spec import spec_of

__all__ = ["create_app"]

SMALLEST_ZIPPED = 1024
NAMES = {404: "NotFound", 405: "NotAllowed"}


def create_app(
    data_folder: Path,
    *,
    page_folder: Path = PAGE_FOLDER,
    limits: Limits | None = None,
    hosts: Iterable[str] = (),
    first_game: str = "",
) -> FastAPI:
    """The service, not yet running.

    `hosts` are names under which it may be asked besides those of this machine, `*` for any
    address; `first_game` is got ready first. StorageFault if the data folder is of no use.
    """
    house = House(data_folder, limits or Limits(), first_game)

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        await house.open()
        yield
        await house.close()

    app = FastAPI(
        title="Overtrick",
        version=__version__,
        summary="Tables for trick-taking card games, in the browser.",
        lifespan=running,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.house = house
    app.include_router(router)
    _add_socket(app, house)
    _add_spec(app)
    _add_page(app, page_folder)
    _add_errors(app)
    app.add_middleware(GZipMiddleware, minimum_size=SMALLEST_ZIPPED)
    app.add_middleware(Guard, limits=house.limits, hosts=hosts)
    return app


def _add_socket(app: FastAPI, house: House) -> None:
    @app.websocket("/api/tables/{table_id}/socket")
    async def table_socket(socket: WebSocket, table_id: str) -> None:
        await serve_page(socket, house, table_id)


def _add_spec(app: FastAPI) -> None:
    @app.get("/openapi.json", include_in_schema=False)
    async def spec() -> dict[str, Any]:
        if app.openapi_schema is None:
            desk = await app.state.house.desk()
            app.openapi_schema = await asyncio.to_thread(spec_of, app, desk)
        return app.openapi_schema


def _add_page(app: FastAPI, folder: Path) -> None:
    @app.get("/api/{path:path}", include_in_schema=False)
    async def nothing(path: str) -> Response:
        raise HTTPException(404, "there is nothing here")

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        return page_file(folder, path, request)


# ---------------------------------------------------------------------------- what goes wrong


def _told(status: int, error: str, message: str) -> Response:
    return Response(problem(error, message), status, media_type="application/json")


def _add_errors(app: FastAPI) -> None:
    """Every mistake becomes one line: what was expected, what came."""

    @app.exception_handler(OvertrickError)
    async def refused(request: Request, error: OvertrickError) -> Response:
        return _told(status_of(error), type(error).__name__, str(error))

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return _told(422, "BadRequest", f"{where}: {first['msg']}"[:300])

    @app.exception_handler(HTTPException)
    async def unknown(request: Request, error: HTTPException) -> Response:
        if isinstance(error.__cause__, OvertrickError):  # raised while the body came in
            return await refused(request, error.__cause__)
        name = NAMES.get(error.status_code, "BadRequest")
        return _told(error.status_code, name, str(error.detail)[:300])
