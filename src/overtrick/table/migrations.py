"""The shape of the database, one numbered step after another; steps are added, never edited."""

from __future__ import annotations

__all__ = ["MIGRATIONS"]

MIGRATIONS = (
    """
    CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        setup TEXT NOT NULL,    -- JSON of Setup: holds the secret seed, never sent
        watch TEXT NOT NULL,    -- token of those who watch
        owner TEXT,             -- hash of the person key of whoever laid it
        totals TEXT NOT NULL,   -- JSON: the match after the last scored deal, by place
        winners TEXT NOT NULL,  -- JSON: places that have won it
        laid TEXT NOT NULL      -- when, ISO 8601 in UTC
    ) WITHOUT ROWID;
    CREATE INDEX tables_by_owner ON tables (owner);
    CREATE TABLE seats (
        table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        place INTEGER NOT NULL,
        token TEXT NOT NULL,
        PRIMARY KEY (table_id, place)
    ) WITHOUT ROWID;
    CREATE TABLE changes (        -- an event with all that quick players answered to it
        table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        first INTEGER NOT NULL,   -- number of its first event, from 0, without gaps
        events TEXT NOT NULL,     -- JSON, a list
        made TEXT NOT NULL,       -- when, ISO 8601 in UTC
        PRIMARY KEY (table_id, first)
    ) WITHOUT ROWID;
    CREATE TABLE deals (
        table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        deal INTEGER NOT NULL,
        line TEXT NOT NULL,       -- the finished deal, as Deal.text writes it
        seats TEXT NOT NULL,      -- JSON: the place of who sat in each seat
        assisted INTEGER NOT NULL,
        finished TEXT NOT NULL,
        PRIMARY KEY (table_id, deal)
    ) WITHOUT ROWID;
    CREATE TABLE settings (
        person TEXT PRIMARY KEY,  -- hash of the person key
        settings TEXT NOT NULL
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE deals ADD COLUMN payoffs TEXT;  -- JSON, by seat, NULL until it is worked out
    ALTER TABLE deals ADD COLUMN gained TEXT;   -- JSON, by place
    ALTER TABLE deals ADD COLUMN winners TEXT;  -- JSON: places that won the match with this deal
    CREATE TABLE reviews (        -- what is kept of the review of a deal, for each person in it
        table_id TEXT NOT NULL,
        deal INTEGER NOT NULL,
        place INTEGER NOT NULL,
        accuracy REAL,
        cost REAL NOT NULL,
        luck REAL,
        outcome TEXT NOT NULL,
        judge TEXT NOT NULL,
        made TEXT NOT NULL,
        PRIMARY KEY (table_id, deal, place),
        FOREIGN KEY (table_id, deal) REFERENCES deals (table_id, deal) ON DELETE CASCADE
    ) WITHOUT ROWID;
    """,
    """
    -- choices made in the place of programs that failed
    ALTER TABLE deals ADD COLUMN replaced INTEGER NOT NULL DEFAULT 0;
    """,
)
