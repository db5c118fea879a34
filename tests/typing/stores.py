"""Every store has the shape that the runtime asks for."""

from handrail.runtime.storage import Group, Store
from handrail.stores.memory import MemoryGroup, MemoryStore
from handrail.stores.sql import SqlGroup, SqlStore


def memory(store: MemoryStore, rows: MemoryGroup) -> tuple[Store, Group]:
    """In memory."""
    return store, rows


def sql(store: SqlStore, rows: SqlGroup) -> tuple[Store, Group]:
    """On disk."""
    return store, rows
