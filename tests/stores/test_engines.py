"""What a connection promises of the disk."""

from pathlib import Path

import pytest
from sqlalchemy import make_url

from handrail.errors import StoreError
from handrail.stores.engines import postgres_engine, sqlite_engine
from postgres import Server


@pytest.mark.parametrize(
    ("options", "level"), [({}, 2), ({"durable": True}, 2), ({"durable": False}, 1)]
)
def test_what_must_survive_a_power_cut_is_synchronous(
    tmp_path: Path, options: dict[str, bool], level: int
) -> None:
    """2 is FULL, 1 is NORMAL; one connection can do both in turn."""
    engine = sqlite_engine(make_url(f"sqlite:///{tmp_path}/a.db"), wait_s=3.5)
    for chosen, expected in ((options, level), ({"durable": False}, 1), ({}, 2)):
        with engine.connect().execution_options(**chosen) as connection:
            asked = [
                connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("synchronous", "journal_mode", "busy_timeout", "query_only")
            ]
            assert asked == [expected, "wal", 3500, 0]
    engine.dispose()


def test_a_view_of_a_file_cannot_write(tmp_path: Path) -> None:
    """And does not wait for who writes."""
    engine = sqlite_engine(make_url(f"sqlite:///{tmp_path}/a.db"), wait_s=1)
    with engine.connect().execution_options(reads=True) as view, engine.begin() as writer:
        assert view.exec_driver_sql("PRAGMA query_only").scalar() == 1
        writer.exec_driver_sql("CREATE TABLE t (a)")
    engine.dispose()


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    """Instead of «unable to open database file»."""
    with pytest.raises(StoreError, match=r"the folder '.*/nowhere' does not exist: make it"):
        sqlite_engine(make_url(f"sqlite:///{tmp_path}/nowhere/a.db"), wait_s=1)


def test_a_server_is_asked_for_what_the_caller_needs(postgres: Server) -> None:
    """Durability, waiting for locks, and the options that the URL gave."""
    url = make_url(f"{postgres.url()}?options=-csearch_path%3Dours")
    engine = postgres_engine(url, wait_s=2.5)
    found = []
    for options in ({}, {"durable": False}, {"reads": True}):
        with engine.connect().execution_options(**options) as connection:
            asked = ("synchronous_commit", "transaction_read_only", "lock_timeout", "search_path")
            found.append([connection.exec_driver_sql(f"SHOW {name}").scalar() for name in asked])
    engine.dispose()
    assert found == [
        ["on", "off", "2500ms", "ours"],
        ["off", "off", "2500ms", "ours"],
        ["on", "on", "2500ms", "ours"],
    ]
