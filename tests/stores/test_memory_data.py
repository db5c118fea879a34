"""Events, documents and cached values in memory; the suite of all stores proves the rest."""

from handrail.stores.memory_data import MemoryCache, MemoryDocuments, MemoryEvents
from store_rows import event


def test_what_was_given_and_what_was_read_change_nothing() -> None:
    """Rows are copies, on the way in and on the way out."""
    documents, data = MemoryDocuments(), {"a": [1]}
    made = documents.create("app", "u", "c", "1", data, 0.0)
    assert made is not None
    data["a"].append(2)
    made.data["a"].append(3)
    kept = documents.get("app", "u", "c", "1")
    assert kept is not None
    assert kept.data == {"a": [1]}


def test_every_table_can_be_put_back() -> None:
    """Each says which it has."""
    events, cache = MemoryEvents(), MemoryCache()
    events.add([event("e1")])
    cache.set("app", "u", "k", 1, expires_at=None)
    for table in (*events.tables, *cache.tables):
        table.undo()
    assert (events.find(), cache.get("app", "u", "k", now=0.0)) == ([], None)
