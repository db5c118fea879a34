"""What a database raises, as one error that names the thing, the place and the way out."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import exc

from handrail.errors import StoreError

__all__ = ["store_errors", "told"]

_SQLITE = {
    sqlite3.SQLITE_FULL: "the disk, or the file's quota, is full: make room; reading goes on",
    sqlite3.SQLITE_IOERR: "the disk does not take or give data: see whether it is full or failing",
    sqlite3.SQLITE_READONLY: "it may only be read: allow this process to write the file and its "
    "folder; reading goes on",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened or made: see that its folder exists and "
    "that this process may write there",
    sqlite3.SQLITE_BUSY: "it is locked by another process that writes for long: try again, or end "
    "that process",
    sqlite3.SQLITE_LOCKED: "it is locked by another connection of this process: try again",
    sqlite3.SQLITE_CORRUPT: "the file is damaged: put a backup in its place, or move it away to "
    "begin anew",
    sqlite3.SQLITE_NOTADB: "the file is no SQLite database: name another file, or move this one "
    "away to begin anew",
    sqlite3.SQLITE_TOOBIG: "a value is larger than SQLite can hold: keep less, with redact=",
}

_POSTGRES = {
    "53100": "the server's disk is full: make room there; reading goes on",
    "25006": "the server or the role may only read: connect where writing is allowed",
    "53300": "the server takes no more connections: raise max_connections, or close some",
    "42501": "the role lacks the privilege: grant it CREATE on the schema, and SELECT, INSERT, "
    "UPDATE and DELETE on its tables",
    "55P03": "what is wanted is locked by another connection: try again",
    "57014": "the statement took too long and was given up: try again",
    "40P01": "two writers waited for each other and this one was given up: try again",
}
_POSTGRES_CLASSES = {
    "28": "the server refuses the login: see user, password and pg_hba.conf",
    "3D": "there is no such database on the server: create it, or name another",
    "53": "the server lacks memory, disk or connections: see its log",
    "57P": "the server is shutting down or starting: try again when it runs",
    "58": "the server's disk fails: see its log",
    "XX": "the server's data is damaged: see its log, and restore a backup",
}
_GONE = "the server does not answer: see that it runs and that host and port are right; try again"
_NOT_KNOWN = "; whether the last change was kept is not known"


@contextmanager
def store_errors(place: str, *, writes: bool = False) -> Iterator[None]:
    """Turn whatever the database raises in the block into a `StoreError`.

    Args:
        place: Where the database is, without secrets.
        writes: Whether the block is a commit: where the connection is lost, nobody knows.

    Raises:
        StoreError: The database raised.
    """
    try:
        yield
    except (exc.SQLAlchemyError, sqlite3.Error) as error:
        raise StoreError(told(error, place, writes=writes)) from error


def told(error: Exception, place: str, *, writes: bool = False) -> str:
    """What happened at `place`, and what to do."""
    found = error.orig if isinstance(error, exc.DBAPIError) else error
    if isinstance(found, sqlite3.Error):
        reason = _SQLITE.get((getattr(found, "sqlite_errorcode", None) or 0) & 0xFF)
        return f"{place}: {reason or _own_words(found)}"
    state = getattr(found, "sqlstate", None)
    why = _POSTGRES.get(state or "") or _class_of(state or "")
    if state is not None and not state.startswith(("08", "57P")):
        return f"{place}: {why or _own_words(found)}"
    lost = isinstance(error, exc.DBAPIError) and error.connection_invalidated
    if state is not None or lost or isinstance(error, exc.OperationalError | exc.InterfaceError):
        why = why or _refused(found) or _GONE
        return f"{place}: {why}{_NOT_KNOWN if writes else ''}"
    if isinstance(error, exc.TimeoutError):
        return f"{place}: every connection is in use: end groups sooner, or run fewer threads"
    return f"{place}: {_own_words(found)}"


def _class_of(state: str) -> str | None:
    return _POSTGRES_CLASSES.get(state[:3]) or _POSTGRES_CLASSES.get(state[:2])


def _refused(error: object) -> str | None:
    """Why a login failed: before there is a session, psycopg has the words and no code."""
    words = str(error)
    if "authentication failed" in words or "pg_hba.conf" in words or "no password" in words:
        return _POSTGRES_CLASSES["28"]
    if 'database "' in words and "does not exist" in words:
        return _POSTGRES_CLASSES["3D"]
    if "too many clients" in words or "remaining connection slots" in words:
        return _POSTGRES["53300"]
    if "starting up" in words or "shutting down" in words:
        return _POSTGRES_CLASSES["57P"]
    return None


def _own_words(error: object) -> str:
    """The first line of what the database said; statements and their values stay out."""
    words = str(error).strip().splitlines()
    return f"the database refused: {words[0][:300]}" if words else type(error).__name__
