"""Connections to a database: how they begin a transaction, and what they promise of the disk.

SQLite runs in WAL mode: readers never wait for the writer. A transaction that writes takes the
write lock at its beginning, so that two of them cannot wait for each other; one that is durable
is on the platter when it has committed (``synchronous=FULL``), any other when the next durable
one is, or at the next checkpoint.
"""

import sqlite3
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event

from handrail.errors import StoreError

__all__ = ["postgres_engine", "sqlite_engine"]

_POOL = 5
"""Connections that are kept; twice as many more are made while they are needed."""


def sqlite_engine(url: URL, *, wait_s: float) -> Engine:
    """An engine for a SQLite file.

    Args:
        url: With the path of the file.
        wait_s: Seconds to wait for another writer.

    Raises:
        StoreError: The folder does not exist.
    """
    folder = Path(str(url.database)).parent
    if not url.query and not folder.is_dir():
        raise StoreError(f"{url.database}: the folder {str(folder)!r} does not exist: make it")
    engine = create_engine(
        url.set(drivername="sqlite+pysqlite"),
        connect_args={"timeout": wait_s},
        pool_size=_POOL,
        max_overflow=2 * _POOL,
        hide_parameters=True,
    )
    event.listen(engine, "connect", _sqlite_connected)
    event.listen(engine, "begin", _sqlite_begun)
    return engine


def _sqlite_connected(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where `_sqlite_begun` says so
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if (error.sqlite_errorcode & 0xFF) != sqlite3.SQLITE_READONLY:
                raise


def _sqlite_begun(connection: Connection) -> None:
    options = connection.get_execution_options()
    reads = bool(options.get("reads"))
    connection.exec_driver_sql(f"PRAGMA query_only={int(reads)}")
    if reads:
        connection.exec_driver_sql("BEGIN")
        return
    level = "FULL" if options.get("durable", True) else "NORMAL"
    connection.exec_driver_sql(f"PRAGMA synchronous={level}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def postgres_engine(url: URL, *, wait_s: float) -> Engine:
    """An engine for a Postgres server.

    Args:
        url: Of the database.
        wait_s: Seconds to wait for a connection, and for a lock.
    """
    given = url.query.get("options", "")
    options = f"{given} -c lock_timeout={round(wait_s * 1000)}ms"
    query = {"connect_timeout": str(max(2, round(wait_s))), **url.query, "options": options}
    engine = create_engine(
        url.set(drivername="postgresql+psycopg", query=query),
        pool_size=_POOL,
        max_overflow=2 * _POOL,
        pool_pre_ping=True,
        pool_timeout=wait_s,
        hide_parameters=True,
    )
    event.listen(engine, "begin", _postgres_begun)
    return engine


def _postgres_begun(connection: Connection) -> None:
    options = connection.get_execution_options()
    if options.get("reads"):
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")
    elif not options.get("durable", True):
        connection.exec_driver_sql("SET LOCAL synchronous_commit TO off")
