"""What a database raises, told with the way out."""

import sqlite3

import pytest
from psycopg import OperationalError, errors
from sqlalchemy import exc

from handrail.errors import StoreError
from handrail.stores.faults import store_errors, told


def of_sqlite(code: int) -> exc.OperationalError:
    """An error of SQLite, as SQLAlchemy raises it."""
    error = sqlite3.OperationalError("its own words")
    error.sqlite_errorcode = code
    return exc.OperationalError("SELECT secret", {"p": "secret"}, error)


def of_postgres(error: Exception, *, lost: bool = False) -> exc.DBAPIError:
    """An error of Postgres, as SQLAlchemy raises it."""
    return exc.OperationalError(
        "SELECT secret", {"p": "secret"}, error, connection_invalidated=lost
    )


@pytest.mark.parametrize(
    ("error", "way_out"),
    [
        (of_sqlite(sqlite3.SQLITE_FULL), "is full: make room; reading goes on"),
        (of_sqlite(sqlite3.SQLITE_IOERR_WRITE), "see whether it is full or failing"),
        (of_sqlite(sqlite3.SQLITE_READONLY_DIRECTORY), "allow this process to write"),
        (of_sqlite(sqlite3.SQLITE_CANTOPEN), "see that its folder exists"),
        (of_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), "locked by another process"),
        (of_sqlite(sqlite3.SQLITE_LOCKED), "locked by another connection"),
        (of_sqlite(sqlite3.SQLITE_CORRUPT), "put a backup in its place"),
        (of_sqlite(sqlite3.SQLITE_NOTADB), "name another file"),
        (of_sqlite(sqlite3.SQLITE_TOOBIG), "keep less, with redact="),
        (of_sqlite(sqlite3.SQLITE_ERROR), "the database refused: its own words"),
        (of_postgres(errors.DiskFull("x")), "disk is full: make room there"),
        (of_postgres(errors.ReadOnlySqlTransaction("x")), "may only read"),
        (of_postgres(errors.TooManyConnections("x")), "raise max_connections"),
        (of_postgres(errors.InsufficientPrivilege("x")), "grant it CREATE"),
        (of_postgres(errors.LockNotAvailable("x")), "is locked by another connection"),
        (of_postgres(errors.DeadlockDetected("x")), "try again"),
        (of_postgres(errors.InvalidPassword("x")), "refuses the login"),
        (of_postgres(errors.OutOfMemory("x")), "lacks memory, disk or connections"),
        (of_postgres(errors.DataCorrupted("x")), "data is damaged"),
        (of_postgres(errors.IoError("x")), "the server's disk fails"),
        (of_postgres(errors.NumericValueOutOfRange("too\nbig")), "the database refused: too"),
        (of_postgres(errors.AdminShutdown("x")), "shutting down or starting"),
        (of_postgres(OperationalError('password authentication failed for user "x"')), "login"),
        (of_postgres(OperationalError('database "x" does not exist')), "no such database"),
        (of_postgres(OperationalError("sorry, too many clients already")), "max_connections"),
        (of_postgres(OperationalError("the database system is starting up")), "starting"),
        (of_postgres(OperationalError("connection refused")), "does not answer: see that it runs"),
        (exc.TimeoutError("QueuePool limit"), "every connection is in use"),
        (exc.ArgumentError("odd"), "the database refused: odd"),
    ],
    ids=lambda it: it if isinstance(it, str) else type(getattr(it, "orig", it)).__name__,
)
def test_each_fault_has_its_way_out(error: Exception, way_out: str) -> None:
    """It names the place, and no statement or value."""
    said = told(error, "the place")
    assert said.startswith("the place: ")
    assert way_out in said
    assert "secret" not in said


def test_a_connection_that_was_lost_while_committing_leaves_a_question() -> None:
    """Only then; a server that refuses has not kept it."""
    lost = of_postgres(OperationalError("server closed the connection"), lost=True)
    assert told(lost, "it", writes=True).endswith("whether the last change was kept is not known")
    assert "not known" not in told(lost, "it")
    assert "not known" not in told(of_postgres(errors.DiskFull("x")), "it", writes=True)


def test_only_errors_of_the_database_are_told() -> None:
    """The rest passes through; the cause is kept for the operator."""
    with pytest.raises(StoreError) as error, store_errors("it"):
        raise of_sqlite(sqlite3.SQLITE_FULL)
    assert isinstance(error.value.__cause__, exc.OperationalError)
    with pytest.raises(OSError, match="other"), store_errors("it"):
        raise OSError("other")
