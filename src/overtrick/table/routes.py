"""What can be asked of the service over HTTP. Routes translate, they do not decide.

Whoever asks about a table shows the secret of a seat, or that of those who watch; whoever asks
about himself shows a secret of his own making, of 16 characters or more. Both come as
`Authorization: Bearer …`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from overtrick import __version__
from overtrick.errors import BadNotation, DealOver, NotAllowed, TooLate, WrongToken
from overtrick.table import archive, played
from overtrick.table.house import House
from overtrick.table.preparing import SEARCH, TABLE
from overtrick.table.wire import (
    Act,
    Ask,
    Chosen,
    CreateTable,
    GameInfo,
    Health,
    HistoryRow,
    Next,
    PlayerInfo,
    Problem,
    Retry,
    Reviewed,
    SeatToken,
    Settings,
    SharedDeal,
    Snapshot,
    Statistics,
    Strategy,
    TableCreated,
    Undo,
)

if TYPE_CHECKING:
    from overtrick.table.archive import StoredTable
    from overtrick.table.live import LiveTable

__all__ = ["router"]

T = TypeVar("T")

LEAST_KEY, MOST_KEY = 16, 100
LOOK_SECONDS = 0.5  # between looks whether somebody still waits
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": what}
    for status, what in {
        400: "malformed",
        401: "a secret that opens nothing",
        403: "not allowed",
        404: "not found",
        409: "refused by the rules or by the state of the table",
        413: "too large",
        422: "a mistake in what was asked",
        429: "too many",
        503: "not ready yet",
        507: "cannot be kept",
    }.items()
}

router = APIRouter(prefix="/api", responses=PROBLEMS)
bearer = HTTPBearer(auto_error=False, description="The secret of a seat, or of a person.")


# ---------------------------------------------------------------------------- who asks


async def the_house(request: Request) -> House:
    """The service that was asked."""
    house: House = request.app.state.house
    return house


async def the_secret(
    shown: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> str | None:
    """The secret that was shown, if any."""
    return None if shown is None else shown.credentials


AnyHouse = Annotated[House, Depends(the_house)]
Secret = Annotated[str | None, Depends(the_secret)]


async def the_person(secret: Secret) -> str:
    """Whoever asks about himself, by what is kept of his key."""
    if secret is None or not LEAST_KEY <= len(secret) <= MOST_KEY:
        raise WrongToken(f"show a secret of your own, of {LEAST_KEY} to {MOST_KEY} characters")
    return archive.person_of(secret)


Person = Annotated[str, Depends(the_person)]
TableId = Annotated[str, Path(max_length=40)]
DealNumber = Annotated[int, Path(ge=0, lt=2**31)]
GameName = Annotated[str, Path(max_length=40)]


class Seated:
    """A table and the place of who asks about it; None for those who watch."""

    def __init__(self, table: LiveTable, place: int | None) -> None:
        self.table = table
        self.place = place

    def snapshot(self) -> Response:
        """All that this place knows."""
        from overtrick.table.messages import text

        return Response(text(self.table.snapshot(self.place)), media_type="application/json")


async def the_seat(house: AnyHouse, table_id: TableId, secret: Secret) -> Seated:
    """Who asks about a table."""
    table = await (await house.hub()).find(table_id)
    return Seated(table, table.place_of(secret or ""))


AnySeat = Annotated[Seated, Depends(the_seat)]


# ---------------------------------------------------------------------------- the lobby


@router.get("/health")
async def health(house: AnyHouse) -> Health:
    """Tell that the service is there."""
    return Health(version=__version__, tables=house.live_tables, sockets=house.sockets)


@router.get("/games")
async def list_games(house: AnyHouse) -> list[GameInfo]:
    """List the games that can be played."""
    desk = await house.desk()
    listed = await asyncio.to_thread(desk.games)
    infos = [(game, house.preparing.so_far(game.name)) for game in listed]
    return await asyncio.to_thread(lambda: [desk.game_info(*info) for info in infos])


@router.get("/games/{name}")
async def game(house: AnyHouse, name: GameName) -> GameInfo:
    """Tell one game, and begin to get it ready."""
    desk = await house.desk()
    found = await asyncio.to_thread(desk.game, name)
    return await asyncio.to_thread(desk.game_info, found, house.preparing.readiness(name))


@router.get("/players")
async def list_players(
    house: AnyHouse, game: Annotated[str, Query(max_length=40)]
) -> list[PlayerInfo]:
    """List who can sit down to a game, with measured strength."""
    desk = await house.desk()
    return await asyncio.to_thread(lambda: desk.player_infos(desk.game(game)))


# ---------------------------------------------------------------------------- tables


@router.post("/tables", status_code=201)
async def create_table(house: AnyHouse, asked: CreateTable, secret: Secret) -> TableCreated:
    """Lay a table; it is in the history of whoever shows a secret of his own."""
    owner = None if secret is None else await the_person(secret)
    return _created(*await (await house.hub()).lay(asked, owner))


def _created(table_id: str, stored: StoredTable) -> TableCreated:
    seats = [SeatToken(place=place, token=token) for place, token in stored.tokens.items()]
    return TableCreated(table=table_id, seats=seats, watch=stored.watch)


@router.get("/tables/{table_id}", response_model=Snapshot)
async def table(seated: AnySeat) -> Response:
    """Tell all that a seat knows."""
    return seated.snapshot()


@router.post("/tables/{table_id}/acts", response_model=Snapshot)
async def act(seated: AnySeat, asked: Act) -> Response:
    """Make a choice, or several in a row."""
    await seated.table.act(seated.place, asked.deal, asked.number, asked.choices)
    return seated.snapshot()


@router.post("/tables/{table_id}/undo", response_model=Snapshot)
async def undo(seated: AnySeat, asked: Undo) -> Response:
    """Take back the last act that was not forced; the deal counts as assisted."""
    await seated.table.undo(seated.place, asked.deal, asked.number)
    return seated.snapshot()


@router.post("/tables/{table_id}/next", response_model=Snapshot)
async def next_deal(seated: AnySeat, asked: Next) -> Response:
    """Ask for the next deal."""
    await seated.table.next(seated.place, asked.deal)
    return seated.snapshot()


@router.delete("/tables/{table_id}", status_code=204)
async def delete_table(house: AnyHouse, table_id: TableId, secret: Secret) -> None:
    """Forget a table; for whoever laid it, or who plays there alone."""
    hub = await house.hub()
    found = await hub.find(table_id)
    if secret is None or archive.person_of(secret) != found.stored.owner:
        place = found.place_of(secret or "")
        if found.stored.owner is not None or found.table.people != (place,):
            raise NotAllowed("a table is deleted by whoever laid it")
    await hub.delete(table_id)


# ---------------------------------------------------------------------------- finished deals


async def the_finished(house: AnyHouse, seated: AnySeat, deal: DealNumber) -> archive.FinishedDeal:
    """A finished deal of a table; one that goes on keeps its cards."""
    found = await house.storage.run(lambda kept: archive.finished_deal(kept, seated.table.id, deal))
    if found is None:
        raise DealOver(f"deal {deal} is not over: its cards are told when it is")
    return found


Finished = Annotated[archive.FinishedDeal, Depends(the_finished)]


@router.get(
    "/tables/{table_id}/deals/{deal}/record",
    response_class=Response,
    responses={200: {"content": {"application/json": {}, "text/plain": {}}}},
)
async def deal_record(
    house: AnyHouse,
    seated: AnySeat,
    deal: DealNumber,
    finished: Finished,
    form: Annotated[Literal["json", "text"], Query(alias="format")] = "json",
) -> Response:
    """Give the record of a finished deal, to be kept as a file."""
    desk = await house.desk()
    told = await asyncio.to_thread(desk.record_text, seated.table.stored.setup, finished, form)
    ending, kind = ("json", "application/json") if form == "json" else ("txt", "text/plain")
    name = f"{seated.table.stored.setup.game}-{seated.table.id}-{deal + 1}.{ending}"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(told, media_type=kind, headers=headers)


@router.get("/tables/{table_id}/deals/{deal}/link")
async def deal_link(house: AnyHouse, finished: Finished) -> SharedDeal:
    """Give the cards of a finished deal, for others to play."""
    return (await house.desk()).shared(finished)


@router.get("/tables/{table_id}/deals/{deal}/review", response_model=Reviewed)
async def deal_review(
    house: AnyHouse, request: Request, seated: AnySeat, deal: DealNumber
) -> Response:
    """Review a finished deal: every choice, by what its seat knew; this may take seconds."""
    hub = await house.hub()
    await house.preparing.soon(seated.table.stored.setup.game, SEARCH)
    review = hub.reviews.told(seated.table, seated.place, deal, lambda progress: None)
    return Response(await _unless_gone(request, review), media_type="application/json")


async def _unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """What a long work gives back; it is dropped when nobody waits for it any more."""
    task = asyncio.create_task(work)
    while not (await asyncio.wait([task], timeout=LOOK_SECONDS))[0]:
        if await request.is_disconnected():
            task.cancel()
            raise TooLate("whoever asked has gone")
    return await task


@router.post("/tables/{table_id}/deals/{deal}/retry", status_code=201)
async def retry(
    house: AnyHouse, seated: AnySeat, deal: DealNumber, finished: Finished, asked: Retry
) -> TableCreated:
    """Lay a table where a finished deal is played again from one of its moments."""
    hub = await house.hub()
    return _created(*await hub.retry(seated.table, seated.place, deal, finished, asked.number))


# ---------------------------------------------------------------------------- statistics

Moment = Annotated[str, Query(max_length=40, pattern=r"^$|^\d{4}(-\d{2}(-\d{2}(T[0-9:.]*Z?)?)?)?$")]
ShortText = Annotated[str, Query(max_length=200)]


async def the_filter(
    game: ShortText = "",
    player: ShortText = "",
    since: Moment = "",
    until: Moment = "",
    assisted: bool | None = None,
) -> played.Filter:
    """Which deals are asked for."""
    return played.Filter(game, player, since, until, assisted)


Wanted = Annotated[played.Filter, Depends(the_filter)]


async def the_played(house: AnyHouse, person: Person) -> list[played.PlayedDeal]:
    """All deals of a person; those kept by an older version are scored now."""
    unscored = await house.storage.run(lambda kept: played.unscored_deals(kept, person))
    if unscored:
        for game in {deal.setup.game for deal in unscored}:
            await house.preparing.soon(game)
        scores = await asyncio.to_thread((await house.desk()).scores, unscored)
        await house.storage.run(lambda kept: played.keep_scores(kept, scores))
    return await house.storage.run(lambda kept: played.played_deals(kept, person))


Played = Annotated[list[played.PlayedDeal], Depends(the_played)]


@router.get("/statistics")
async def statistics(
    house: AnyHouse,
    deals: Played,
    wanted: Wanted,
    first: Annotated[int, Query(ge=0, lt=2**31)] = 0,
) -> Statistics:
    """Tell what a person has played against bots, with intervals, and a page of the deals."""
    desk = await house.desk()
    return await asyncio.to_thread(desk.statistics, deals, wanted, first)


@router.get(
    "/export",
    response_class=Response,
    responses={200: {"content": {"application/x-ndjson": {}, "text/csv": {}}}},
)
async def export(
    house: AnyHouse,
    deals: Played,
    wanted: Wanted,
    form: Annotated[Literal["jsonl", "csv"], Query(alias="format")] = "jsonl",
) -> Response:
    """Give a person's deals as a file: records, or rows for a spreadsheet."""
    desk = await house.desk()
    for game in {deal.setup.game for deal in deals}:
        await house.preparing.soon(game)
    kind = "text/csv" if form == "csv" else "application/x-ndjson"
    headers = {"content-disposition": f'attachment; filename="overtrick-deals.{form}"'}
    told = desk.export(wanted.of(deals), form)
    return StreamingResponse(told, media_type=kind, headers=headers)


# ---------------------------------------------------------------------------- people


@router.get("/history")
async def history(house: AnyHouse, person: Person) -> list[HistoryRow]:
    """List the tables that a person laid, the latest first."""
    rows = await house.storage.run(lambda kept: archive.history(kept, person))
    return [HistoryRow(**row) for row in rows]


@router.delete("/history", status_code=204)
async def forget(house: AnyHouse, person: Person) -> None:
    """Forget a person's tables and settings."""
    hub = await house.hub()
    for table_id in await house.storage.run(lambda kept: archive.forget_person(kept, person)):
        await hub.put_away(table_id)


@router.get("/settings")
async def read_settings(house: AnyHouse, person: Person) -> Settings:
    """Tell what a person likes."""
    kept = await house.storage.run(lambda found: archive.read_settings(found, person))
    return Settings() if kept is None else _settings(kept)


def _settings(kept: dict[str, Any]) -> Settings:
    """Settings that were kept, by this or another version: what is not understood is left out."""
    known = {name: value for name, value in kept.items() if name in Settings.model_fields}
    try:
        return Settings(**known)
    except ValueError:
        return Settings()


@router.put("/settings")
async def write_settings(house: AnyHouse, person: Person, settings: Settings) -> Settings:
    """Keep what a person likes."""
    try:
        settings.model_dump_json()
    except ValueError:
        raise BadNotation("settings are texts of whole characters, and finite numbers") from None
    values, most = settings.model_dump(), house.limits.people
    await house.storage.run(lambda kept: archive.write_settings(kept, person, values, most))
    return settings


# ---------------------------------------------------------------------------- asking a player


async def _asked(house: House, ask: Ask, answer: Callable[[Ask], T]) -> T:
    """What a player answers, thinking in a thread."""
    desk = await house.desk()
    await asyncio.to_thread(desk.game, ask.game)
    await house.preparing.soon(ask.game, TABLE)
    if await asyncio.to_thread(desk.needs_search, ask):
        await house.preparing.soon(ask.game, SEARCH)
    return await (await house.hub()).thinkers.think(lambda: answer(ask), patient=False)


@router.post("/choose")
async def choose(house: AnyHouse, ask: Ask) -> Chosen:
    """Ask a player for a choice; nothing is kept."""
    return await _asked(house, ask, (await house.desk()).chosen)


@router.post("/strategy")
async def strategy(house: AnyHouse, ask: Ask) -> Strategy:
    """Ask a player what it thinks of every legal choice; nothing is kept."""
    return await _asked(house, ask, (await house.desk()).strategy)
