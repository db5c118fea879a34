"""The schema of a database: which it has, and how it gets the newest."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from handrail.errors import StoreError

__all__ = ["revision", "upgrade"]

VERSION_TABLE = "handrail_schema"
NEWEST = "0001"
"""The revision that the tables of this version have."""

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x68616E647261696C
"""Key of the advisory lock under which one process at a time migrates («handrail» in ASCII)."""


def revision(connection: Connection) -> str | None:
    """The revision that a database has; None for one that holds nothing of ours."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
    return None if found is None else str(found)


def upgrade(connection: Connection, place: str, *, to: str = NEWEST) -> None:
    """Bring a database up, in the open transaction; others that would do so wait.

    Args:
        connection: With a transaction that writes.
        place: Where the database is, for the message.
        to: The revision that is wanted.

    Raises:
        StoreError: The database was written by a later version of handrail.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    found = revision(connection)
    if found == to:
        return
    from alembic import command  # late: only a database that is not up to date needs it
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    known = {one.revision for one in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known:
        raise StoreError(
            f"{place} has the schema {found!r}, which a later version of handrail wrote; this "
            f"one knows up to {NEWEST!r}: upgrade handrail, or name another database"
        )
    command.upgrade(config, to)
