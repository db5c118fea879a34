"""From a URL to an open store."""

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from handrail.errors import ConfigError
from handrail.stores.keeping import Redact, Retention

if TYPE_CHECKING:
    from handrail.stores.sql import SqlStore

__all__ = ["open_store"]

_FORMS = "'sqlite:///file.db', 'sqlite:////absolute/file.db' or 'postgresql://user@host/database'"
_POSTGRES = {"postgresql", "postgres", "postgresql+psycopg"}


def open_store(
    url: str,
    *,
    keep_days: float | None = None,
    max_rows: int | None = None,
    redact: Redact | None = None,
    clock: Callable[[], float] = time.time,
    wait_s: float = 10.0,
) -> "SqlStore":
    """Open the store at `url`; a new database gets its tables, an older one the newest.

    Args:
        url: ``sqlite:///file.db`` or ``postgresql://user@host/database``.
        keep_days: Days after which entries, decided approvals and untouched counters go.
        max_rows: Entries of the journal at most.
        redact: What of an entry is kept: a function from the `EntryRow` to the body to write in
            its place, or to None for none.
        clock: Seconds since the epoch.
        wait_s: Seconds to wait for a lock, or for a connection.

    Raises:
        ConfigError: The URL or a setting is not understood, or the ``[sql]`` extra is missing.
        StoreError: The store cannot be opened.
    """
    scheme = url.partition("://")[0].lower()
    if scheme not in {"sqlite", *_POSTGRES}:
        shown = f"{scheme}://…" if scheme and "://" in url else repr(url)
        raise ConfigError(f"store={shown} is not understood: give {_FORMS}")
    retention = Retention(keep_days=keep_days, max_rows=max_rows)
    for needed in ("sqlalchemy", "alembic", "psycopg"):
        if find_spec(needed) is None:
            raise ConfigError(f"a store on disk needs {needed}: pip install 'handrail[sql]'")
    from sqlalchemy import exc, make_url  # late: an extra

    from handrail.stores.sql import SqlStore

    try:
        parsed = make_url(url)
    except (exc.ArgumentError, ValueError) as error:
        raise ConfigError(f"store={scheme}://… cannot be read as a URL: give {_FORMS}") from error
    if scheme == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise ConfigError("store='sqlite://' names no file: give 'sqlite:///file.db', or no store")
    if scheme in _POSTGRES and not parsed.database:
        raise ConfigError(
            f"store={scheme}://… names no database: give 'postgresql://user@host/database'"
        )
    if scheme == "postgres":
        parsed = parsed.set(drivername="postgresql")
    return SqlStore(parsed, retention=retention, redact=redact, clock=clock, wait_s=wait_s)
