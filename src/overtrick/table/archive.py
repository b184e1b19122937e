"""What is kept of tables, deals and people, as functions of the database's connection."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from overtrick.errors import TooMany, UnknownTable
from overtrick.table.played import Score, now
from overtrick.table.setup import Event, Setup, variant_options

if TYPE_CHECKING:
    from overtrick.table.tables import Table

__all__ = [
    "FinishedDeal",
    "StoredTable",
    "append",
    "delete_table",
    "finished_deal",
    "forget_person",
    "history",
    "load_table",
    "person_of",
    "read_settings",
    "store_table",
    "write_settings",
]

Connection = sqlite3.Connection
Values = dict[str, Any]


def person_of(key: str) -> str:
    """What is kept of a person's key."""
    return hashlib.sha256(key.encode()).hexdigest()


# ---------------------------------------------------------------------------- tables


@dataclass(frozen=True)
class StoredTable:
    """All that brings a table back."""

    setup: Setup
    tokens: dict[int, str]  # by place
    watch: str
    owner: str | None
    events: tuple[Event, ...]


def store_table(connection: Connection, table_id: str, stored: StoredTable, most: int) -> None:
    """Keep a new table, without its events; refused if there are too many."""
    (count,) = connection.execute("SELECT count(*) FROM tables").fetchone()
    if count >= most:
        raise TooMany(f"there are {count} tables, and room for {most}: delete some of the old ones")
    values = (table_id, stored.setup.text(), stored.watch, stored.owner, "[]", "[]", now())
    connection.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)", values)
    seats = [(table_id, place, token) for place, token in stored.tokens.items()]
    connection.executemany("INSERT INTO seats VALUES (?, ?, ?)", seats)


def load_table(connection: Connection, table_id: str) -> StoredTable:
    """A table as it was kept."""
    query = "SELECT setup, watch, owner FROM tables WHERE id = ?"
    found = connection.execute(query, (table_id,)).fetchone()
    if found is None:
        raise UnknownTable(f"there is no table {table_id}")
    seats = connection.execute("SELECT place, token FROM seats WHERE table_id = ?", (table_id,))
    query = "SELECT events FROM changes WHERE table_id = ? ORDER BY first"
    changes = connection.execute(query, (table_id,))
    events = tuple(event for (told,) in changes for event in json.loads(told))
    return StoredTable(Setup.read(found[0]), dict(seats), found[1], found[2], events)


def append(
    connection: Connection, table_id: str, first: int, events: Sequence[Event], after: Table
) -> None:
    """Keep events of a table, the first with this number, and what the last one leads to."""
    if events:
        told = json.dumps(events, separators=(",", ":"))
        row = (table_id, first, told, now())
        connection.execute("INSERT INTO changes VALUES (?, ?, ?, ?)", row)
    outcome = after.outcome
    if outcome is not None:
        _keep_deal(connection, table_id, after, Score.of(after))
        _keep_totals(connection, table_id, outcome.totals, outcome.winners)
    elif any(event["kind"] == "undo" for event in events):
        query = "DELETE FROM deals WHERE table_id = ? AND deal = ?"
        if connection.execute(query, (table_id, after.number)).rowcount:
            _keep_totals(connection, table_id, after.scores, ())


def _keep_deal(connection: Connection, table_id: str, after: Table, score: Score) -> None:
    seats, assisted = json.dumps(after.seats), int(after.assisted)
    line, replaced = after.deal.text(), after.replaced()
    kept = (table_id, after.number, line, seats, assisted, now(), *score.told(), replaced)
    places = ", ".join("?" * len(kept))
    connection.execute(f"INSERT OR REPLACE INTO deals VALUES ({places})", kept)


def _keep_totals(
    connection: Connection, table_id: str, totals: Sequence[int], winners: Sequence[int]
) -> None:
    row = (json.dumps(totals), json.dumps(winners), table_id)
    connection.execute("UPDATE tables SET totals = ?, winners = ? WHERE id = ?", row)


def delete_table(connection: Connection, table_id: str) -> None:
    """Forget a table and all its deals."""
    connection.execute("DELETE FROM tables WHERE id = ?", (table_id,))


# ---------------------------------------------------------------------------- deals


@dataclass(frozen=True)
class FinishedDeal:
    """A deal that is over."""

    line: str
    seats: tuple[int, ...]
    assisted: bool
    finished: str
    replaced: int = 0  # choices made in the place of programs that failed


def finished_deal(connection: Connection, table_id: str, deal: int) -> FinishedDeal | None:
    """A deal of a table, if it is over."""
    told = "line, seats, assisted, finished, replaced"
    query = f"SELECT {told} FROM deals WHERE table_id = ? AND deal = ?"
    found = connection.execute(query, (table_id, deal)).fetchone()
    if found is None:
        return None
    line, seats, assisted, finished, replaced = found
    return FinishedDeal(line, tuple(json.loads(seats)), bool(assisted), finished, replaced)


# ---------------------------------------------------------------------------- people


def history(connection: Connection, person: str, most: int = 200) -> list[Values]:
    """The tables that a person laid, the latest first."""
    query = """
        SELECT id, setup, watch, totals, winners,
            ifnull((SELECT max(made) FROM changes WHERE table_id = id), laid) AS last,
            (SELECT count(*) FROM deals WHERE table_id = id)
        FROM tables WHERE owner = ? ORDER BY last DESC, id LIMIT ?
    """
    found = connection.execute(query, (person, most)).fetchall()
    return [_history_row(connection, *row) for row in found]


def _history_row(
    connection: Connection,
    table_id: str,
    setup: str,
    watch: str,
    totals: str,
    winners: str,
    last: str,
    deals: int,
) -> Values:
    told = json.loads(setup)
    query = "SELECT place, token FROM seats WHERE table_id = ? ORDER BY place LIMIT 1"
    place, token = connection.execute(query, (table_id,)).fetchone() or (None, watch)
    return {
        "table": table_id,
        "game": told["game"],
        "variant": variant_options(told["variant"]),
        "players": told["players"],
        "place": place,
        "token": token,
        "deals": deals,
        "totals": json.loads(totals),
        "winners": json.loads(winners),
        "retry": told.get("retry", False),
        "last": last,
    }


def forget_person(connection: Connection, person: str) -> list[str]:
    """Forget a person's settings and tables; the tables that went."""
    query = "DELETE FROM tables WHERE owner = ? RETURNING id"
    gone = [table_id for (table_id,) in connection.execute(query, (person,)).fetchall()]
    connection.execute("DELETE FROM settings WHERE person = ?", (person,))
    return gone


def read_settings(connection: Connection, person: str) -> Any:
    """What a person likes; None if nothing was ever told."""
    query = "SELECT settings FROM settings WHERE person = ?"
    found = connection.execute(query, (person,)).fetchone()
    return None if found is None else json.loads(found[0])


def write_settings(connection: Connection, person: str, settings: Values, most: int) -> None:
    """Keep what a person likes."""
    (count,) = connection.execute("SELECT count(*) FROM settings").fetchone()
    known = connection.execute("SELECT 1 FROM settings WHERE person = ?", (person,)).fetchone()
    if known is None and count >= most:
        raise TooMany(f"there is room for the settings of {most} people")
    row = (person, json.dumps(settings))
    connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", row)
