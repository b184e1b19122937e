"""The database: what is acknowledged is kept, and a folder that is of no use is told in a line."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from overtrick.errors import StorageFault
from overtrick.table import archive
from overtrick.table.storage import NAME, Connection, Storage, data_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_what_was_kept_is_there_after_opening_again(folder: Path) -> None:
    storage = Storage(folder)
    storage.submit(lambda c: archive.write_settings(c, "me", {"speed": "fast"}, 9)).result()
    storage.close()
    again = Storage(folder)
    assert again.submit(lambda c: archive.read_settings(c, "me")).result() == {"speed": "fast"}
    again.close()


def test_a_change_that_fails_takes_no_other_with_it(folder: Path) -> None:
    storage = Storage(folder)
    gate = threading.Event()

    def wrong(connection: Connection) -> None:
        archive.write_settings(connection, "wrong", {}, 9)
        raise ValueError("no")

    storage.submit(lambda c: gate.wait())  # so that the next three wait together
    first = storage.submit(lambda c: archive.write_settings(c, "one", {"a": 1}, 9))
    second = storage.submit(wrong)
    third = storage.submit(lambda c: archive.write_settings(c, "two", {"a": 2}, 9))
    gate.set()
    first.result()
    third.result()
    with pytest.raises(ValueError, match="no"):
        second.result()
    kept = [
        storage.submit(lambda c, w=who: archive.read_settings(c, w)).result()
        for who in ("one", "wrong", "two")
    ]
    assert kept == [{"a": 1}, None, {"a": 2}]
    storage.close()


def test_a_broken_statement_is_a_fault_of_the_storage(folder: Path) -> None:
    storage = Storage(folder)
    with pytest.raises(StorageFault):
        storage.submit(lambda c: c.execute("SELECT * FROM nothing")).result()
    storage.close()


def test_a_second_service_is_told_of_the_first(folder: Path) -> None:
    storage = Storage(folder)
    with pytest.raises(StorageFault, match="another overtrick uses"):
        Storage(folder)
    storage.close()


def test_a_damaged_database_is_told_in_one_line(folder: Path) -> None:
    folder.mkdir()
    (folder / NAME).write_bytes(b"this is no database" * 100)
    with pytest.raises(StorageFault, match="cannot be read"):
        Storage(folder)


def test_a_database_of_a_newer_version_is_left_alone(folder: Path) -> None:
    Storage(folder).close()
    connection = sqlite3.connect(folder / NAME)
    connection.execute("PRAGMA user_version=999")
    connection.close()
    with pytest.raises(StorageFault, match="newer overtrick"):
        Storage(folder)


def test_a_folder_that_cannot_be_made_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageFault, match="OVERTRICK_DATA names another folder"):
        Storage(tmp_path / "file" / "data")


def test_the_data_folder_follows_the_conventions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERTRICK_DATA", "/somewhere")
    assert data_folder() == Path("/somewhere")
    monkeypatch.delenv("OVERTRICK_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setattr("sys.platform", "linux")
    assert data_folder() == Path("/data/overtrick")
