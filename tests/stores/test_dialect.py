"""Inserts that give way."""

from sqlalchemy import create_engine
from sqlalchemy.dialects import postgresql, sqlite

from handrail.stores.dialect import insert_into
from handrail.stores.tables import EPOCHS


def test_each_database_gets_its_own_insert(url: str) -> None:
    """Both can be told to do nothing where a row is there."""
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        insert = insert_into(connection, EPOCHS)
    engine.dispose()
    expected = sqlite.Insert if url.startswith("sqlite") else postgresql.Insert
    assert isinstance(insert, expected)
    assert "ON CONFLICT DO NOTHING" in str(insert.on_conflict_do_nothing())
