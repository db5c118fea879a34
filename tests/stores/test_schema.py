"""The way up, from nothing and from every schema that was released.

`schemas/` holds for each revision the tables as SQLite showed them, and rows in them.
"""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, event, make_url, text

from handrail.errors import StoreError
from handrail.protocol.ledger import breaks
from handrail.protocol.rows import CallCount, DocumentRow
from handrail.stores.engines import postgres_engine, sqlite_engine
from handrail.stores.schema import NEWEST, VERSION_TABLE, revision, upgrade
from handrail.stores.tables import METADATA
from handrail.stores.urls import open_store
from store_rows import approval
from store_rows import event as event_row

SCHEMAS = Path(__file__).parent / "schemas"
REVISIONS = sorted(path.name.partition(".")[0] for path in SCHEMAS.glob("*.rows.sql"))


@contextmanager
def begun(url: str) -> Iterator[Connection]:
    """A connection in a transaction that writes."""
    engine = engine_of(url)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def engine_of(url: str) -> Engine:
    """As a store would have it."""
    make = sqlite_engine if url.startswith("sqlite") else postgres_engine
    return make(make_url(url), wait_s=10)


def test_every_revision_has_its_files() -> None:
    """A new migration comes with its tables and rows."""
    root = Path(__file__).parents[2]
    script = ScriptDirectory(str(root / "src/handrail/stores/migrations"))
    assert sorted(one.revision for one in script.walk_revisions()) == REVISIONS
    assert script.get_heads() == [NEWEST]


def test_a_new_database_gets_the_tables_that_the_code_knows(url: str) -> None:
    """Nothing more, nothing less."""
    with begun(url) as connection:
        assert revision(connection) is None
        upgrade(connection, url)
        assert revision(connection) == NEWEST
        context = MigrationContext.configure(
            connection, opts={"version_table": VERSION_TABLE, "compare_type": True}
        )
        assert compare_metadata(context, METADATA) == []
        upgrade(connection, url)


@pytest.mark.parametrize("schema", REVISIONS)
def test_a_released_step_is_never_edited(schema: str, tmp_path: Path) -> None:
    """It makes the tables that it made when it was released."""
    with begun(f"sqlite:///{tmp_path}/new.db") as connection:
        upgrade(connection, "new.db", to=schema)
    database = sqlite3.connect(tmp_path / "new.db")
    kept = "sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
    found = database.execute(f"SELECT sql FROM sqlite_master WHERE {kept} ORDER BY name")
    lines = "".join(f"{sql};\n" for (sql,) in found).replace("\t", "    ").splitlines()
    database.close()
    made = "".join(f"{line.rstrip()}\n" for line in lines)
    assert made == (SCHEMAS / f"{schema}.sqlite.sql").read_text(encoding="utf-8")


@pytest.mark.parametrize("schema", REVISIONS)
def test_rows_of_every_schema_are_read_today(schema: str, url: str) -> None:
    """After the way up, on both databases."""
    with begun(url) as connection:
        upgrade(connection, url, to=schema)
        for statement in (SCHEMAS / f"{schema}.rows.sql").read_text(encoding="utf-8").splitlines():
            connection.exec_driver_sql(statement)
    store = open_store(url)
    with store.group() as rows:
        assert [one.body for one in rows.journal.unfinished()] == [{"n": 1}]
        assert rows.approvals.find() == [approval()]
        assert rows.budgets.spent("run") == {"calls": 7}
        assert rows.calls.get("run", "search:1") == CallCount(1, 1, 3, "ok")
        assert rows.calls.changed("run") == 3
        assert list(breaks(rows.ledger.read(), rows.ledger.head())) == []
        assert [one._replace(number=0) for one in rows.events.find()] == [event_row("e1")]
        place = ("notes", "u1", "notes")
        note = DocumentRow(*place, "n1", 3, {"text": "a"}, 1.0, 2.0)
        assert rows.documents.scan(*place) == [note]
        assert rows.cache.get("notes", "u1", "k", now=0.0) == ([1],)
    store.close()


def test_a_database_of_a_later_version_is_left_alone(url: str) -> None:
    """The message names both versions and the way out."""
    open_store(url).close()
    with begun(url) as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    with pytest.raises(StoreError, match=r"schema '9999'.*later version.*upgrade handrail"):
        open_store(url)


def test_many_may_open_a_new_database_at_once(url: str) -> None:
    """One of them makes the tables, the others wait for it."""
    with ThreadPoolExecutor(4) as threads:
        for store in threads.map(lambda _: open_store(url, wait_s=60), range(4)):
            store.close()
    with begun(url) as connection:
        assert revision(connection) == NEWEST


def test_a_way_up_that_breaks_off_leaves_nothing(url: str) -> None:
    """All steps are one transaction, tables included."""
    engine = engine_of(url)

    def breaks_off(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if "handrail_ledger_head" in statement:
            raise KeyboardInterrupt

    event.listen(engine, "before_cursor_execute", breaks_off)
    with pytest.raises(KeyboardInterrupt), engine.begin() as connection:
        upgrade(connection, url)
    engine.dispose()
    with begun(url) as connection:
        assert revision(connection) is None
    open_store(url).close()
